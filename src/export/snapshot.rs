//! One moment of a simulation as plain arrays, checked once so that the writers need not doubt it.

use std::ops::Range;

use super::ExportError;

/// One moment of a simulation, in the user's own numbering.
#[derive(Debug, Clone, Copy, Default)]
pub struct Snapshot<'a> {
    /// Simulated time [s].
    pub time: f64,
    /// Particle positions [m].
    pub positions: &'a [[f32; 3]],
    /// Particle velocities [m/s], or empty to leave them out.
    pub velocities: &'a [[f32; 3]],
    pub triangles: &'a [[u32; 3]],
    pub segments: &'a [[u32; 2]],
    pub tetrahedra: &'a [[u32; 4]],
    pub point_fields: &'a [Field<'a>],
    pub cell_fields: &'a [CellField<'a>],
    /// Which particles and cells belong to which body. May leave some out.
    pub bodies: &'a [BodyRange<'a>],
}

/// A named quantity with one value per particle.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    pub name: &'a str,
    pub values: Values<'a>,
}

/// The values of a [`Field`].
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    Scalars(&'a [f32]),
    Vectors(&'a [[f32; 3]]),
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Scalars(v) => v.len(),
            Self::Vectors(v) => v.len(),
        }
    }
}

/// A named scalar with one value per cell, kind by kind.
///
/// An empty slice says that the quantity does not exist on that kind of cell; it is written as NaN there.
#[derive(Debug, Clone, Copy, Default)]
pub struct CellField<'a> {
    pub name: &'a str,
    pub triangles: &'a [f32],
    pub segments: &'a [f32],
    pub tetrahedra: &'a [f32],
}

/// The parts of a snapshot that make one body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BodyRange<'a> {
    /// As the user wrote it: any UTF-8.
    pub name: &'a str,
    pub particles: Range<usize>,
    pub triangles: Range<usize>,
    pub segments: Range<usize>,
    pub tetrahedra: Range<usize>,
    /// Linear RGB, 0 to 1.
    pub colour: [f32; 3],
    /// Drawn radius of rods and loose particles [m]; 0 lets the writer choose from the body's size.
    pub radius: f32,
    /// A cage that carries another body, its detailed surface: drawn on request only.
    pub is_guide: bool,
}

/// Names the writers use themselves; a field of the same name would hide one of the two.
pub(crate) const VELOCITY: &str = "velocity";
pub(crate) const BODY: &str = "body";

impl Snapshot<'_> {
    /// Checks that counts agree, indices exist and names are usable. Values may be non-finite.
    ///
    /// Every writer calls this before it touches the disk.
    pub fn check(&self) -> Result<(), ExportError> {
        self.find_problem().map_or(Ok(()), |problem| Err(ExportError::Snapshot { time: self.time, problem }))
    }

    fn find_problem(&self) -> Option<String> {
        if !self.time.is_finite() {
            return Some("the time is not finite".into());
        }
        let n = self.positions.len();
        // Files hold indices as signed 32-bit integers.
        if n > i32::MAX as usize {
            return Some(format!("{n} particles; the formats hold at most {}", i32::MAX));
        }
        if !self.velocities.is_empty() && self.velocities.len() != n {
            return Some(format!("{} velocities for {n} particles", self.velocities.len()));
        }
        self.find_bad_index()
            .or_else(|| self.find_bad_field())
            .or_else(|| self.bodies.iter().find_map(|b| self.find_bad_range(b)))
    }

    fn find_bad_index(&self) -> Option<String> {
        let n = self.positions.len();
        first_out_of_range("triangle", self.triangles, n)
            .or_else(|| first_out_of_range("segment", self.segments, n))
            .or_else(|| first_out_of_range("tetrahedron", self.tetrahedra, n))
    }

    fn find_bad_field(&self) -> Option<String> {
        let n = self.positions.len();
        for (i, field) in self.point_fields.iter().enumerate() {
            let name = field.name;
            if field.values.len() != n {
                return Some(format!(
                    "point field `{name}` has {} values for {n} particles",
                    field.values.len()
                ));
            }
            let earlier = self.point_fields[..i].iter().map(|f| f.name);
            if let Some(problem) = find_bad_name("point", name, earlier) {
                return Some(problem);
            }
        }
        for (i, field) in self.cell_fields.iter().enumerate() {
            let name = field.name;
            for (kind, found, needed) in [
                ("triangles", field.triangles.len(), self.triangles.len()),
                ("segments", field.segments.len(), self.segments.len()),
                ("tetrahedra", field.tetrahedra.len(), self.tetrahedra.len()),
            ] {
                if found != 0 && found != needed {
                    return Some(format!("cell field `{name}` has {found} values for {needed} {kind}"));
                }
            }
            let earlier = self.cell_fields[..i].iter().map(|f| f.name);
            if let Some(problem) = find_bad_name("cell", name, earlier) {
                return Some(problem);
            }
        }
        None
    }

    fn find_bad_range(&self, body: &BodyRange) -> Option<String> {
        [
            ("particles", &body.particles, self.positions.len()),
            ("triangles", &body.triangles, self.triangles.len()),
            ("segments", &body.segments, self.segments.len()),
            ("tetrahedra", &body.tetrahedra, self.tetrahedra.len()),
        ]
        .into_iter()
        .find(|(_, range, count)| range.start > range.end || range.end > *count)
        .map(|(kind, range, count)| {
            format!("body `{}` claims {kind} {}..{} of {count}", body.name, range.start, range.end)
        })
    }

    /// The index of each item's body, -1 for none; `range` picks the kind of item. A later body wins.
    pub(crate) fn body_ids(&self, count: usize, range: impl Fn(&BodyRange) -> Range<usize>) -> Vec<i32> {
        let mut ids = vec![-1; count];
        for (id, body) in self.bodies.iter().enumerate() {
            ids[range(body)].fill(id as i32);
        }
        ids
    }
}

fn find_bad_name<'a>(kind: &str, name: &str, mut earlier: impl Iterator<Item = &'a str>) -> Option<String> {
    if name.is_empty() {
        Some(format!("a {kind} field has no name"))
    } else if name == VELOCITY || name == BODY {
        Some(format!("{kind} field `{name}` uses a name the writers need; choose another"))
    } else if earlier.any(|e| e == name) {
        Some(format!("two {kind} fields are called `{name}`"))
    } else {
        None
    }
}

fn first_out_of_range<const N: usize>(
    kind: &str,
    cells: &[[u32; N]],
    particle_count: usize,
) -> Option<String> {
    cells.iter().enumerate().find_map(|(k, cell)| {
        let bad = cell.iter().find(|&&i| i as usize >= particle_count)?;
        Some(format!("{kind} {k} names particle {bad} of {particle_count}"))
    })
}
