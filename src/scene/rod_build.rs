//! From a rod as the user wrote it to points and frames in the world.

use glam::{DMat3, DQuat, DVec3};

use super::bodies::particle_limit;
use super::error::{SceneError, SceneErrorKind};
use super::geometry::{ResolvedPin, RodGeometry, SceneGeometry};
use super::keys::Lens;
use super::motion::rotation;
use super::rod_lines::centre_lines;
use super::{Axes, Body, BodyTable, BuildContext, Hold, Pin, Rod, RodEnd, RodShape, build, select};
use crate::at;

impl BodyTable for Rod {
    const KIND: &'static str = "rod";
    const DOC: &'static str = "rods, or fields of equal rods";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    /// Those of all copies.
    fn particle_count(&self) -> u64 {
        let segments = match &self.shape {
            RodShape::Line { segments, .. } | RodShape::Helix { segments, .. } => u64::from(*segments),
            RodShape::Polyline { points, segments } => {
                segments.map_or(points.len().saturating_sub(1) as u64, u64::from)
            }
            RodShape::Spline { segments, .. } => u64::from(*segments),
            // Counted when the file has been read.
            RodShape::File { .. } => return 0,
        };
        (segments + 1).saturating_mul(self.copies.total())
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.rods.push(RodGeometry { name, ..self.build_checked(context.total)? });
        Ok(())
    }
}

impl Rod {
    /// Validates the rod and makes its geometry.
    pub fn build(&self) -> Result<RodGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0)
    }

    /// `total` particles have been made for other bodies.
    fn build_checked(&self, total: u64) -> Result<RodGeometry, SceneError> {
        let key = self.shape_key();
        let copies = self.copies.total();
        particle_limit(key, total.saturating_add(BodyTable::particle_count(self)))?;
        let mut lines = centre_lines(&self.shape, total, copies)?;
        let turn = rotation(self.rotation);
        let nodes = lines[0].len();
        let mut frames = Vec::with_capacity((nodes - 1) * lines.len() * copies as usize);
        for line in &mut lines {
            build::place(line, self.scale, turn, self.position, key)?;
            let short = |pair: &[DVec3]| pair[0].distance(pair[1]) == 0.0;
            if let Some(i) = line.windows(2).position(short) {
                let message = format!("makes segment {i} of no length");
                return Err(SceneError::at(SceneErrorKind::Value, key, message));
            }
            let mut own = parallel_frames(line, self.normal.map(|normal| turn * normal))?;
            let last = (own.len() as f64 - 1.0).max(1.0);
            for (i, frame) in own.iter_mut().enumerate() {
                *frame *= DQuat::from_rotation_z(self.twist.to_radians() * i as f64 / last);
            }
            cohere(&mut own);
            frames.extend(own);
        }
        let different = lines.len() as u32;
        let frames = frames.repeat(copies as usize);

        let mut positions = Vec::with_capacity(nodes * lines.len() * copies as usize);
        for row in 0..self.copies.count[1] {
            for column in 0..self.copies.count[0] {
                let [across, along] = self.copies.steps;
                let shift = across * f64::from(column) + along * f64::from(row);
                positions.extend(lines.iter().flatten().map(|x| *x + shift));
            }
        }
        build::place(&mut positions, 1.0, DQuat::IDENTITY, DVec3::ZERO, "copies")?;
        let mut weights = select::weights(&self.weight, &positions)?;
        let mut pins = select::pins(&self.pin, &positions, None, &[])?;
        let nodes = nodes as u32;
        for first in (0..positions.len() as u32).step_by(nodes as usize) {
            for (end, node) in [(&self.start, first), (&self.end, first + nodes - 1)] {
                pins.extend(held(end, node, &positions));
                weights.extend((end.weight > 0.0).then_some((node, end.weight)));
            }
        }
        check_pins(&pins)?;
        if nodes == 2 && [&self.start, &self.end].iter().all(|end| end.hold == Hold::Framed) {
            let message = "is \"framed\" as the start is, and there is only one segment, whose frame both would hold; use more \
                           segments or \"clamped\"";
            return Err(SceneError::at(SceneErrorKind::Value, "end", message));
        }
        Ok(RodGeometry { name: self.name.clone(), positions, frames, nodes, different, weights, pins })
    }
}

/// The pin of an end, if it is held.
fn held(end: &RodEnd, node: u32, positions: &[DVec3]) -> Option<ResolvedPin> {
    (end.hold != Hold::Free).then(|| ResolvedPin {
        particles: vec![node],
        pivot: end.pivot.unwrap_or(positions[node as usize]),
        compliance: 0.0,
        axes: Axes::All,
        motion: end.motion.clone(),
        release: end.release,
    })
}

/// The ends may not be fixed by a pin as well.
fn check_pins(pins: &[ResolvedPin]) -> Result<(), SceneError> {
    let mut fixed = std::collections::HashSet::new();
    for particle in pins.iter().filter(|pin| pin.is_rigid()).flat_map(|pin| &pin.particles) {
        if !fixed.insert(*particle) {
            let message =
                format!("fixes particle {particle}, which `start`, `end` or another pin already holds");
            return Err(SceneError::at(SceneErrorKind::Reference, "pin", message));
        }
    }
    Ok(())
}

/// The share of a normal across the rod below which it says nothing.
const ALONG: f64 = 1e-6;

/// Frames without twist: the first is chosen, each further one is turned the shortest way onto its segment.
fn parallel_frames(line: &[DVec3], normal: Option<DVec3>) -> Result<Vec<DQuat>, SceneError> {
    let tangents: Vec<DVec3> = line.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    let d3 = tangents[0];
    let d1 = match normal {
        None => d3.any_orthonormal_vector(),
        Some(normal) => {
            let across = normal - d3 * d3.dot(normal);
            if across.length() <= ALONG * normal.length() {
                return Err(SceneError::value(
                    "normal",
                    "is along the first segment; it must point across it",
                ));
            }
            across.normalize()
        }
    };
    let mut frame = DQuat::from_mat3(&DMat3::from_cols(d1, d3.cross(d1), d3));
    let mut frames = vec![frame];
    for pair in tangents.windows(2) {
        // A fold back onto itself has no shortest way; half a turn about d₁ is as good as any.
        let turn = if pair[0].dot(pair[1]) < -1.0 + 1e-12 {
            DQuat::from_axis_angle(frame * DVec3::X, std::f64::consts::PI)
        } else {
            DQuat::from_rotation_arc(pair[0], pair[1])
        };
        frame = (turn * frame).normalize();
        frames.push(frame);
    }
    Ok(frames)
}

/// Neighbours on the same side of the sphere of quaternions; motion then keeps them there.
fn cohere(frames: &mut [DQuat]) {
    for i in 1..frames.len() {
        if frames[i - 1].dot(frames[i]) < 0.0 {
            frames[i] = -frames[i];
        }
    }
}
