//! What is drawn: the parts of a scene that never change while it runs.

use super::coarse::coarse;
use super::collider::Collider;
use super::error::RenderError;
use std::borrow::Cow;
use std::ops::Range;

/// Calm colours that stay apart from each other in both themes and for most colour-blind viewers, sRGB.
pub const PALETTE: [[f32; 3]; 8] = [
    [0.71, 0.36, 0.28], // terracotta
    [0.28, 0.42, 0.54], // slate blue
    [0.80, 0.64, 0.36], // ochre
    [0.40, 0.53, 0.44], // sage
    [0.48, 0.36, 0.49], // plum
    [0.78, 0.72, 0.62], // linen
    [0.30, 0.53, 0.55], // teal
    [0.78, 0.53, 0.50], // rose
];

/// Everything to draw. Indices are the solver's own particle numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry<'a> {
    pub particle_count: u32,
    /// Corners of each triangle, counter-clockwise seen from its front.
    pub triangles: &'a [[u32; 3]],
    pub lines: &'a [Line],
    pub points: &'a [Point],
    /// Who owns what. Parts that no body owns take the first colour of the palette.
    pub bodies: &'a [BodyLook],
    pub colliders: &'a [Collider],
}

/// A straight piece of a rod or a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub ends: [u32; 2],
    /// [m]
    pub radius: f32,
}

/// A particle drawn as a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub particle: u32,
    /// [m]
    pub radius: f32,
}

/// The look of one body and the parts it owns, as ranges of [`Geometry`]'s lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyLook {
    pub triangles: Range<usize>,
    pub lines: Range<usize>,
    pub points: Range<usize>,
    /// sRGB, 0 to 1.
    pub colour: [f32; 3],
    pub material: Material,
}

/// How a surface answers light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Material {
    /// Thin, rough and fibrous: light shines through, and the back has its own tint.
    #[default]
    Cloth,
    /// Smooth and opaque.
    Solid,
}

/// A run of indices with one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub indices: Range<u32>,
    pub body: u32,
}

impl Geometry<'_> {
    /// Refuses indices and radii that do not fit before anything is made on the device.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        let count = self.particle_count as usize;
        let index = |what, index, part, found: usize, count| {
            let error = RenderError::Index { what, index, part, found, count };
            if found < count { Ok(()) } else { Err(error) }
        };
        let radius = |what, index, radius: f32| {
            let error = RenderError::Radius { what, index, radius };
            if radius.is_finite() && radius > 0.0 { Ok(()) } else { Err(error) }
        };
        for (i, triangle) in self.triangles.iter().enumerate() {
            for &corner in triangle {
                index("triangle", i, "particle", corner as usize, count)?;
            }
        }
        for (i, line) in self.lines.iter().enumerate() {
            for end in line.ends {
                index("line", i, "particle", end as usize, count)?;
            }
            radius("line", i, line.radius)?;
        }
        for (i, point) in self.points.iter().enumerate() {
            index("point", i, "particle", point.particle as usize, count)?;
            radius("point", i, point.radius)?;
        }
        for (i, body) in self.bodies.iter().enumerate() {
            let parts = [
                ("triangle", &body.triangles, self.triangles.len()),
                ("line", &body.lines, self.lines.len()),
                ("point", &body.points, self.points.len()),
            ];
            for (part, range, count) in parts {
                if !range.is_empty() {
                    index("body", i, part, range.end - 1, count)?;
                }
            }
        }
        Ok(())
    }

    /// Albedo of each body and whether it is cloth; the look of parts without a body comes last.
    pub(super) fn body_table(&self) -> Vec<[f32; 4]> {
        let nobody = (PALETTE[0], Material::Cloth);
        let bodies = self.bodies.iter().map(|body| (body.colour, body.material));
        bodies.chain([nobody]).map(|(colour, material)| albedo(colour, material)).collect()
    }

    /// The triangles as runs of equal look, in the order they are stored.
    pub(super) fn triangle_runs(&self) -> Vec<Run> {
        let owners = owners(self.triangles.len(), self.bodies.iter().map(|body| &body.triangles));
        let mut runs: Vec<Run> = Vec::new();
        for (i, body) in owners.into_iter().enumerate() {
            let indices = 3 * i as u32..3 * (i as u32 + 1);
            match runs.last_mut() {
                Some(run) if run.body == body => run.indices.end = indices.end,
                _ => runs.push(Run { indices, body }),
            }
        }
        runs
    }

    /// The triangles of a run, or a coarse mesh of the same surface if they are many; a small body would not survive that.
    pub(super) fn thinned(&self, run: &Run, reach: u32) -> Cow<'_, [[u32; 3]]> {
        const MANY: usize = 8_000;
        let triangles = &self.triangles[run.indices.start as usize / 3..run.indices.end as usize / 3];
        match triangles.len() >= MANY {
            true => coarse(triangles, self.particle_count as usize, reach).into(),
            false => triangles.into(),
        }
    }

    /// The body of each particle by the runs of triangles; of a corner that several share, the last.
    pub(super) fn vertex_bodies(&self, runs: &[Run]) -> Vec<u32> {
        let mut bodies = vec![0; self.particle_count as usize];
        for run in runs {
            for corner in &self.triangles.as_flattened()[run.indices.start as usize..run.indices.end as usize]
            {
                bodies[*corner as usize] = run.body;
            }
        }
        bodies
    }

    /// Lines and points in the form the shaders read: ends, body, radius as bits.
    pub(super) fn capsules(&self) -> Vec<[u32; 4]> {
        let line_owners = owners(self.lines.len(), self.bodies.iter().map(|body| &body.lines));
        let point_owners = owners(self.points.len(), self.bodies.iter().map(|body| &body.points));
        let lines = self.lines.iter().zip(line_owners);
        let lines = lines.map(|(line, body)| [line.ends[0], line.ends[1], body, line.radius.to_bits()]);
        let points = self.points.iter().zip(point_owners);
        let points =
            points.map(|(point, body)| [point.particle, point.particle, body, point.radius.to_bits()]);
        lines.chain(points).collect()
    }

    /// The radius of the thickest line or point at each particle [m].
    pub(super) fn radii(&self) -> Vec<f32> {
        let mut radii = vec![0f32; self.particle_count as usize];
        let mut widen = |particle: u32, radius: f32| {
            let slot = &mut radii[particle as usize];
            *slot = slot.max(radius);
        };
        for line in self.lines {
            for end in line.ends {
                widen(end, line.radius);
            }
        }
        for point in self.points {
            widen(point.particle, point.radius);
        }
        radii
    }

    /// Per particle, the other two corners of each triangle around it, in winding order: starts and entries.
    pub(super) fn incidence(&self) -> (Vec<u32>, Vec<[u32; 2]>) {
        let count = self.particle_count as usize;
        let mut starts = vec![0u32; count + 1];
        for corner in self.triangles.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut edges = vec![[0u32; 2]; 3 * self.triangles.len()];
        for &[a, b, c] in self.triangles {
            for (corner, edge) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let slot = &mut next[corner as usize];
                edges[*slot as usize] = edge;
                *slot += 1;
            }
        }
        (starts, edges)
    }
}

/// The body of each part; the number of bodies stands for nobody. The first owner wins.
fn owners<'a>(count: usize, ranges: impl ExactSizeIterator<Item = &'a Range<usize>>) -> Vec<u32> {
    let nobody = ranges.len() as u32;
    let mut owners = vec![nobody; count];
    for (body, range) in ranges.enumerate() {
        if range.is_empty() {
            continue;
        }
        for owner in &mut owners[range.clone()] {
            if *owner == nobody {
                *owner = body as u32;
            }
        }
    }
    owners
}

/// A body's entry for the shaders: linear albedo, and 1 for cloth.
pub(super) fn albedo(srgb: [f32; 3], material: Material) -> [f32; 4] {
    let [r, g, b] = srgb.map(linear_from_srgb);
    [r, g, b, if material == Material::Cloth { 1.0 } else { 0.0 }]
}

/// Decodes one sRGB component; what lies outside 0 to 1 is clamped, NaN becomes 0.
pub(super) fn linear_from_srgb(x: f32) -> f32 {
    let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

    fn square() -> Geometry<'static> {
        Geometry { particle_count: 4, triangles: &TRIANGLES, ..Default::default() }
    }

    #[test]
    fn incidence_lists_each_triangle_at_each_of_its_corners() {
        let (starts, edges) = square().incidence();
        assert_eq!(starts, [0, 1, 3, 5, 6]);
        assert_eq!(edges, [[1, 2], [2, 0], [3, 2], [0, 1], [1, 3], [2, 1]]);
    }

    #[test]
    fn parts_without_a_body_take_the_last_entry_of_the_table() {
        let body = BodyLook { triangles: 1..2, ..Default::default() };
        let bodies = [body];
        let geometry = Geometry { bodies: &bodies, ..square() };
        let runs = geometry.triangle_runs();
        assert_eq!(runs, [Run { indices: 0..3, body: 1 }, Run { indices: 3..6, body: 0 }]);
        assert_eq!(geometry.body_table().len(), 2);
    }

    #[test]
    fn an_index_out_of_range_is_refused_by_name() {
        let geometry = Geometry { particle_count: 3, ..square() };
        let message = geometry.check().unwrap_err().to_string();
        assert_eq!(message, "triangle 1 refers to particle 3, but there are only 3");
        let bodies = [BodyLook { triangles: 0..3, ..Default::default() }];
        let message = Geometry { bodies: &bodies, ..square() }.check().unwrap_err().to_string();
        assert_eq!(message, "body 0 refers to triangle 2, but there are only 2");
    }

    #[test]
    fn a_radius_that_is_no_length_is_refused() {
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let points = [Point { particle: 0, radius }];
            let geometry = Geometry { particle_count: 1, points: &points, ..Default::default() };
            assert!(geometry.check().is_err(), "{radius}");
        }
    }
}
