//! Bodies cut while they run: particles become two, and cells go over to the copies or are gone.
//!
//! A cut changes the geometry that a model is made of, and everything else follows: the cut body is prepared like any other.
//! Particles keep their numbers and copies come after the last one, so that a list of cuts, put to the scene it was made
//! for, gives the same body again.

use super::{Checked, OtherGeometry, PointsGeometry, ResolvedPin, SceneGeometry};
use glam::DVec3;
use std::sync::Arc;

/// What changes about one body, by its own numbers before the cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The body's number in the scene.
    pub body: u32,
    /// New particles, numbered from the last of the body on.
    pub copies: Vec<Copy>,
    pub cells: Vec<CutCell>,
}

/// A particle that becomes two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copy {
    pub of: u32,
    /// The part of the mass that the new one takes with it, between 0 and 1.
    pub share: f64,
}

/// A cell with other corners, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutCell {
    pub kind: CellKind,
    /// Among the cells of that kind of the body.
    pub number: u32,
    /// As many as before; nothing if the cell is gone.
    pub corners: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Links of `points`, lines of other bodies.
    Segment,
    Triangle,
    Tetrahedron,
}

impl CellKind {
    pub const ALL: [Self; 3] = [Self::Segment, Self::Triangle, Self::Tetrahedron];

    pub fn name(self) -> &'static str {
        match self {
            Self::Segment => "segment",
            Self::Triangle => "triangle",
            Self::Tetrahedron => "tetrahedron",
        }
    }
}

/// Why a body cannot be cut in some way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("body {}: {problem}", if name.is_empty() { body.to_string() } else { format!("`{name}`") })]
pub struct CutError {
    pub body: u32,
    /// Empty where there is no such body.
    pub name: String,
    pub problem: String,
}

impl Checked {
    /// The same scene with a body cut.
    pub fn cut(&self, cut: &Cut) -> Result<Self, CutError> {
        let mut geometry = self.geometry().clone();
        geometry.cut(cut)?;
        Ok(Self::with_geometry(self.scene().clone(), Arc::new(geometry)))
    }
}

impl SceneGeometry {
    fn cut(&mut self, cut: &Cut) -> Result<(), CutError> {
        let place = cut.body as usize;
        let name = self.bodies().nth(place).map(|(name, _)| name.to_owned()).unwrap_or_default();
        let error = |problem: String| CutError { body: cut.body, name: name.clone(), problem };
        let between = self.cloth.len() + self.points.len();
        let whole = self.rods.len() + self.nets.len() + self.solids.len();
        let points = place.checked_sub(self.cloth.len()).and_then(|k| self.points.get_mut(k));
        let other = place.checked_sub(between + whole).and_then(|k| self.other.get_mut(k));
        let mut parts = match (points, other) {
            (Some(body), _) => Parts::of_points(body),
            (None, Some(body)) => Parts::of_other(body),
            (None, None) if name.is_empty() => return Err(error("there is none of that number".into())),
            (None, None) => {
                return Err(error("only `points` and bodies of outside kinds can be cut".into()));
            }
        };
        parts.cut(cut).map_err(error)
    }
}

/// What there is of a body that can be cut.
struct Parts<'a> {
    positions: &'a mut Vec<DVec3>,
    masses: &'a mut Vec<f64>,
    pins: &'a mut [ResolvedPin],
    segments: &'a mut Vec<[u32; 2]>,
    triangles: &'a mut Vec<[u32; 3]>,
    tetrahedra: Option<&'a mut Vec<[u32; 4]>>,
    /// Values that a kind gives its particles.
    given: &'a mut [(&'static str, Vec<f64>)],
}

impl<'a> Parts<'a> {
    fn of_points(body: &'a mut PointsGeometry) -> Self {
        let PointsGeometry { positions, masses, pins, links, triangles, tetrahedra, .. } = body;
        let tetrahedra = Some(tetrahedra);
        Self { positions, masses, pins, segments: links, triangles, tetrahedra, given: &mut [] }
    }

    fn of_other(body: &'a mut OtherGeometry) -> Self {
        let OtherGeometry { positions, masses, pins, segments, triangles, given, .. } = body;
        Self { positions, masses, pins, segments, triangles, tetrahedra: None, given }
    }

    fn cut(&mut self, cut: &Cut) -> Result<(), String> {
        for copy in &cut.copies {
            self.copy(*copy)?;
        }
        let count = self.positions.len() as u32;
        cut_cells(self.segments, CellKind::Segment, cut, count)?;
        cut_cells(self.triangles, CellKind::Triangle, cut, count)?;
        match &mut self.tetrahedra {
            Some(tetrahedra) => cut_cells(tetrahedra, CellKind::Tetrahedron, cut, count),
            None => cut_cells(&mut Vec::<[u32; 4]>::new(), CellKind::Tetrahedron, cut, count),
        }
    }

    fn copy(&mut self, Copy { of, share }: Copy) -> Result<(), String> {
        let (count, place) = (self.positions.len(), of as usize);
        if place >= count {
            return Err(format!("particle {of} is to be copied, and there are {count}"));
        }
        if !(share > 0.0 && share < 1.0) {
            return Err(format!(
                "a copy of particle {of} takes {share} of its mass; it must be between 0 and 1"
            ));
        }
        let mass = share * self.masses[place];
        self.masses[place] -= mass;
        self.masses.push(mass);
        self.positions.push(self.positions[place]);
        self.given.iter_mut().for_each(|(_, values)| values.push(values[place]));
        // What held the particle holds both.
        for pin in self.pins.iter_mut().filter(|pin| pin.particles.contains(&of)) {
            pin.particles.push(count as u32);
        }
        Ok(())
    }
}

/// Changes the cells of one kind.
fn cut_cells<const N: usize>(
    cells: &mut Vec<[u32; N]>,
    kind: CellKind,
    cut: &Cut,
    particle_count: u32,
) -> Result<(), String> {
    let mut gone = vec![false; cells.len()];
    for cell in cut.cells.iter().filter(|cell| cell.kind == kind) {
        let (name, number) = (kind.name(), cell.number as usize);
        if number >= cells.len() {
            return Err(format!("{name} {number} is to be cut, and there are {}", cells.len()));
        }
        if cell.corners.is_empty() {
            gone[number] = true;
            continue;
        }
        let corners: [u32; N] = cell
            .corners
            .as_slice()
            .try_into()
            .map_err(|_| format!("{name} {number} is to have {} corners, not {N}", cell.corners.len()))?;
        let repeated = (1..N).any(|k| corners[..k].contains(&corners[k]));
        if repeated || corners.iter().any(|&corner| corner >= particle_count) {
            return Err(format!("{name} {number} cannot have the corners {corners:?}"));
        }
        cells[number] = corners;
    }
    let mut number = 0..;
    cells.retain(|_| !gone[number.next().expect("without end")]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn strip() -> Checked {
        let text = "format = 1\n[[cloth]]\ngrid = { size = [1, 1], cells = [1, 1] }\n[[points]]\nname = \"strip\"\n\
            points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\nmasses = [1, 2, 3, 4]\nlinks = [[0, 1], [1, 2]]\n\
            triangles = [[0, 1, 2], [1, 3, 2]]\n[[points.pin]]\nindices = [1]\n";
        Checked::new(Scene::parse(text, "strip.toml", "").unwrap()).unwrap()
    }

    fn cell(kind: CellKind, number: u32, corners: &[u32]) -> CutCell {
        CutCell { kind, number, corners: corners.into() }
    }

    #[test]
    fn a_copy_shares_mass_and_pins_and_takes_the_cells_it_is_given() {
        let cut = Cut {
            body: 1,
            copies: vec![Copy { of: 1, share: 0.25 }],
            cells: vec![cell(CellKind::Segment, 0, &[]), cell(CellKind::Triangle, 1, &[4, 3, 2])],
        };
        let after = strip().cut(&cut).unwrap();
        let body = &after.geometry().points[0];
        assert_eq!(body.positions[4], body.positions[1]);
        assert_eq!(body.masses, [1.0, 1.5, 3.0, 4.0, 0.5]);
        assert_eq!(body.links, [[1, 2]]);
        assert_eq!(body.triangles, [[0, 1, 2], [4, 3, 2]]);
        assert_eq!(body.pins[0].particles, [1, 4]);
    }

    #[test]
    fn a_cut_that_makes_no_sense_is_a_sentence_that_names_the_body() {
        let copy = |of, share| Cut { body: 1, copies: vec![Copy { of, share }], cells: vec![] };
        let cells = |cell| Cut { body: 1, copies: vec![], cells: vec![cell] };
        for (cut, sentence) in [
            (copy(4, 0.5), "body `strip`: particle 4 is to be copied, and there are 4"),
            (
                copy(0, 1.0),
                "body `strip`: a copy of particle 0 takes 1 of its mass; it must be between 0 and 1",
            ),
            (
                copy(0, f64::NAN),
                "body `strip`: a copy of particle 0 takes NaN of its mass; it must be between 0 and 1",
            ),
            (cells(cell(CellKind::Segment, 2, &[])), "body `strip`: segment 2 is to be cut, and there are 2"),
            (
                cells(cell(CellKind::Tetrahedron, 0, &[])),
                "body `strip`: tetrahedron 0 is to be cut, and there are 0",
            ),
            (
                cells(cell(CellKind::Triangle, 0, &[0, 1])),
                "body `strip`: triangle 0 is to have 2 corners, not 3",
            ),
            (
                cells(cell(CellKind::Triangle, 0, &[0, 1, 4])),
                "body `strip`: triangle 0 cannot have the corners [0, 1, 4]",
            ),
            (
                cells(cell(CellKind::Triangle, 0, &[0, 1, 1])),
                "body `strip`: triangle 0 cannot have the corners [0, 1, 1]",
            ),
            (
                Cut { body: 0, ..Cut::default() },
                "body `cloth 1`: only `points` and bodies of outside kinds can be cut",
            ),
            (Cut { body: 2, ..Cut::default() }, "body 2: there is none of that number"),
        ] {
            assert_eq!(strip().cut(&cut).unwrap_err().to_string(), sentence);
        }
    }
}
