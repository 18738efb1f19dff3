//! From a rod as the user wrote it to points and frames in the world.

use glam::{DMat3, DQuat, DVec3};

use super::error::{SceneError, SceneErrorKind};
use super::geometry::{ResolvedPin, RodGeometry};
use super::motion::rotation;
use super::{Hold, Rod, RodEnd, RodShape, build, check, select};

impl Rod {
    /// Validates the rod and makes its geometry.
    pub fn build(&self) -> Result<RodGeometry, SceneError> {
        check::rod(self)?;
        self.build_checked(0)
    }

    /// `total` particles have been made for other bodies.
    pub(super) fn build_checked(&self, total: u64) -> Result<RodGeometry, SceneError> {
        let key = check::rod_key(&self.shape);
        check::particle_limit(key, total + check::rod_particles(self))?;
        let mut line = centre_line(&self.shape);
        let turn = rotation(self.rotation);
        build::place(&mut line, self.scale, turn, self.position, key)?;
        let short = |pair: &[DVec3]| pair[0].distance(pair[1]) == 0.0;
        if let Some(i) = line.windows(2).position(short) {
            let message = format!("makes segment {i} of no length");
            return Err(SceneError::at(SceneErrorKind::Value, key, message));
        }
        let mut frames = parallel_frames(&line);
        let last = (frames.len() as f64 - 1.0).max(1.0);
        for (i, frame) in frames.iter_mut().enumerate() {
            *frame *= DQuat::from_rotation_z(self.twist.to_radians() * i as f64 / last);
        }
        cohere(&mut frames);

        let mut positions = Vec::with_capacity(line.len() * self.copies.total() as usize);
        for row in 0..self.copies.count[1] {
            for column in 0..self.copies.count[0] {
                let [across, along] = self.copies.steps;
                let shift = across * f64::from(column) + along * f64::from(row);
                positions.extend(line.iter().map(|x| *x + shift));
            }
        }
        build::place(&mut positions, 1.0, DQuat::IDENTITY, DVec3::ZERO, "copies")?;
        let mut pins = select::pins(&self.pin, &positions, None, &[])?;
        let nodes = line.len() as u32;
        for first in (0..positions.len() as u32).step_by(nodes as usize) {
            let ends = [(&self.start, first), (&self.end, first + nodes - 1)];
            pins.extend(ends.into_iter().filter_map(|(end, node)| held(end, node, &positions)));
        }
        check_pins(&pins)?;
        Ok(RodGeometry { name: self.name.clone(), positions, frames, nodes, pins })
    }
}

/// The pin of an end, if it is held.
fn held(end: &RodEnd, node: u32, positions: &[DVec3]) -> Option<ResolvedPin> {
    (end.hold != Hold::Free).then(|| ResolvedPin {
        particles: vec![node],
        pivot: end.pivot.unwrap_or(positions[node as usize]),
        compliance: 0.0,
        motion: end.motion.clone(),
        release: None,
    })
}

/// The ends may not be fixed by a pin as well.
fn check_pins(pins: &[ResolvedPin]) -> Result<(), SceneError> {
    let mut fixed = std::collections::HashSet::new();
    for particle in pins.iter().filter(|pin| pin.compliance == 0.0).flat_map(|pin| &pin.particles) {
        if !fixed.insert(*particle) {
            let message =
                format!("fixes particle {particle}, which `start`, `end` or another pin already holds");
            return Err(SceneError::at(SceneErrorKind::Reference, "pin", message));
        }
    }
    Ok(())
}

fn centre_line(shape: &RodShape) -> Vec<DVec3> {
    match shape {
        RodShape::Line { from, to, segments } => {
            (0..=*segments).map(|i| from.lerp(*to, f64::from(i) / f64::from(*segments))).collect()
        }
        RodShape::Polyline { points, segments: None } => points.clone(),
        RodShape::Polyline { points, segments: Some(segments) } => resample(points, *segments),
        RodShape::Helix { radius, pitch, turns, segments } => (0..=*segments)
            .map(|i| {
                let s = f64::from(i) / f64::from(*segments);
                let (sin, cos) = (std::f64::consts::TAU * turns * s).sin_cos();
                DVec3::new(radius * cos, pitch * turns.abs() * s, -radius * sin)
            })
            .collect(),
    }
}

/// Points at equal distances along a polyline.
fn resample(points: &[DVec3], segments: u32) -> Vec<DVec3> {
    let mut along = vec![0.0];
    for pair in points.windows(2) {
        along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
    }
    let total = along[along.len() - 1];
    let mut piece = 0;
    (0..=segments)
        .map(|i| {
            let s = total * f64::from(i) / f64::from(segments);
            while piece + 2 < points.len() && along[piece + 1] < s {
                piece += 1;
            }
            let t = (s - along[piece]) / (along[piece + 1] - along[piece]);
            points[piece].lerp(points[piece + 1], t.clamp(0.0, 1.0))
        })
        .collect()
}

/// Frames without twist: the first is chosen, each further one is turned the shortest way onto its segment.
fn parallel_frames(line: &[DVec3]) -> Vec<DQuat> {
    let tangents: Vec<DVec3> = line.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    let d3 = tangents[0];
    let d1 = d3.any_orthonormal_vector();
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
    frames
}

/// Neighbours on the same side of the sphere of quaternions; motion then keeps them there.
fn cohere(frames: &mut [DQuat]) {
    for i in 1..frames.len() {
        if frames[i - 1].dot(frames[i]) < 0.0 {
            frames[i] = -frames[i];
        }
    }
}
