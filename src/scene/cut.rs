//! Bodies cut while they run: particles become two, and cells go over to the copies or are gone.
//!
//! A cut changes the geometry that a model is made of, and everything else follows: the cut body is prepared like any other.
//! Particles keep their numbers and copies come after the last one, so that a list of cuts, put to the scene it was made
//! for, gives the same body again.

use super::geometry::{ClothGeometry, Material, SolidGeometry};
use super::net::{NetGeometry, NetHub, NetPair};
use super::{Checked, OtherGeometry, PointsGeometry, ResolvedPin, SceneGeometry};
use glam::DVec3;
use std::collections::BTreeMap;
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
    /// The part of the mass that the new one takes with it, between 0 and 1. Sheets and solids have the masses of their cells, whatever
    /// is said here.
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
        if name.is_empty() {
            return Err(error("there is none of that number".into()));
        }
        let mut before = 0;
        let mut own = |count: usize| {
            let number = place.checked_sub(before).filter(|&number| number < count);
            before += count;
            number
        };
        if let Some(number) = own(self.cloth.len()) {
            return self.cloth[number].cut(cut).map_err(error);
        }
        if let Some(number) = own(self.points.len()) {
            return Parts::of_points(&mut self.points[number]).cut(cut).map_err(error);
        }
        if own(self.rods.len()).is_some() {
            return Err(error("rods cannot be cut; a net of one line can".into()));
        }
        if let Some(number) = own(self.nets.len()) {
            return self.nets[number].cut(cut).map_err(error);
        }
        if let Some(number) = own(self.solids.len()) {
            return self.solids[number].cut(cut).map_err(error);
        }
        if own(self.rigid.len()).is_some() {
            return Err(error("rigid bodies cannot be cut".into()));
        }
        if own(self.composites.len()).is_some() {
            return Err(error("bodies of bonded cells break at their faces and cannot be cut".into()));
        }
        match own(self.other.len()) {
            Some(number) => Parts::of_other(&mut self.other[number]).cut(cut).map_err(error),
            None => Err(error("there is none of that number".into())),
        }
    }
}

impl ClothGeometry {
    /// Triangles move to copies of their corners or go; masses, links and folds follow from what is left.
    fn cut(&mut self, cut: &Cut) -> Result<(), String> {
        let count = self.mesh.positions.len();
        if self.origins.is_empty() {
            self.origins = (0..count as u32).collect();
        }
        for copy in &cut.copies {
            let place = copy.check(self.mesh.positions.len())?;
            hold_both(&mut self.pins, copy.of, self.mesh.positions.len());
            self.mesh.positions.push(self.mesh.positions[place]);
            self.origins.push(self.origins[place]);
            if let Material::Flat(coordinates) = &mut self.material {
                coordinates.push(coordinates[place]);
            }
        }
        let count = self.mesh.positions.len();
        let gone = cut_cells(&mut self.mesh.triangles, CellKind::Triangle, cut, count as u32)?;
        refuse(cut, &[CellKind::Segment, CellKind::Tetrahedron])?;
        if let Material::Pattern(corners) = &mut self.material {
            retain(corners, &gone);
        }
        if let Some(coordinates) = &mut self.mesh.texture_coordinates {
            retain(coordinates, &gone);
        }
        all_used(&self.mesh.triangles, count)
    }
}

impl NetGeometry {
    /// Segments move to copies of their ends or go; joints stay between those that still meet, and a knot becomes one for each side.
    fn cut(&mut self, cut: &Cut) -> Result<(), String> {
        let first = self.positions.len();
        for copy in &cut.copies {
            let place = copy.check(self.positions.len())?;
            hold_both(&mut self.pins, copy.of, self.positions.len());
            self.positions.push(self.positions[place]);
        }
        let count = self.positions.len();
        let mut ends: Vec<[u32; 2]> = self.segments.iter().map(|segment| segment.ends).collect();
        let gone = cut_cells(&mut ends, CellKind::Segment, cut, count as u32)?;
        refuse(cut, &[CellKind::Triangle, CellKind::Tetrahedron])?;
        all_used(&ends, count)?;
        retain(&mut self.segments, &gone);
        self.segments.iter_mut().zip(&ends).for_each(|(segment, ends)| segment.ends = *ends);
        let mut kept = 0..;
        let number: Vec<Option<u32>> =
            gone.iter().map(|gone| if *gone { None } else { kept.next() }).collect();
        let number = |segment: u32| number[segment as usize];
        let pair = |pair: &NetPair| {
            let segments = [number(pair.segments[0])?, number(pair.segments[1])?];
            let [a, b] = segments.map(|segment| ends[segment as usize]);
            let meets = |p: &u32| a.contains(p) && b.contains(p);
            let node = Some(pair.node).filter(meets).or_else(|| a.into_iter().find(meets))?;
            let valence = ends.iter().filter(|ends| ends.contains(&node)).count() as u32;
            Some(NetPair { segments, node, valence, ..*pair })
        };
        self.pairs = self.pairs.iter().filter_map(pair).collect();
        let is_of = |p: u32, node: u32| {
            p == node || (p as usize).checked_sub(first).is_some_and(|k| cut.copies[k].of == node)
        };
        let hubs = self.hubs.iter().flat_map(|hub| {
            let mut sides: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for segment in hub.segments.iter().filter_map(|&segment| number(segment)) {
                let end = ends[segment as usize].into_iter().find(|&p| is_of(p, hub.node));
                sides.entry(end.unwrap_or(hub.node)).or_default().push(segment);
            }
            sides.into_iter().map(|(node, segments)| NetHub { node, segments, held: hub.held })
        });
        self.hubs = hubs.collect();
        Ok(())
    }
}

impl SolidGeometry {
    /// Tetrahedra move to copies of their corners or go; masses and the surface follow from what is left. A skin does not tear: the
    /// surface takes its place.
    fn cut(&mut self, cut: &Cut) -> Result<(), String> {
        for copy in &cut.copies {
            let place = copy.check(self.positions.len())?;
            hold_both(&mut self.pins, copy.of, self.positions.len());
            self.positions.push(self.positions[place]);
            self.rest.vertices.push(self.rest.vertices[place]);
        }
        let count = self.positions.len();
        let gone = cut_cells(&mut self.rest.tets, CellKind::Tetrahedron, cut, count as u32)?;
        refuse(cut, &[CellKind::Segment, CellKind::Triangle])?;
        if gone.contains(&true) {
            // Names were there to choose particles by, and those are chosen.
            self.rest.groups.clear();
        }
        self.surface = self.rest.surface();
        self.skin = None;
        all_used(&self.rest.tets, count)
    }
}

impl Copy {
    /// The place of the particle in a body of so many.
    fn check(&self, count: usize) -> Result<usize, String> {
        let Self { of, share } = self;
        if *of as usize >= count {
            return Err(format!("particle {of} is to be copied, and there are {count}"));
        }
        if !(*share > 0.0 && *share < 1.0) {
            return Err(format!(
                "a copy of particle {of} takes {share} of its mass; it must be between 0 and 1"
            ));
        }
        Ok(*of as usize)
    }
}

/// What held a particle holds its copy too.
fn hold_both(pins: &mut [ResolvedPin], of: u32, copy: usize) {
    for pin in pins.iter_mut().filter(|pin| pin.particles.contains(&of)) {
        pin.particles.push(copy as u32);
    }
}

/// Cells of a kind that a body does not have.
fn refuse(cut: &Cut, kinds: &[CellKind]) -> Result<(), String> {
    match cut.cells.iter().find(|cell| kinds.contains(&cell.kind)) {
        Some(cell) => Err(format!("{} {} is to be cut, and there are 0", cell.kind.name(), cell.number)),
        None => Ok(()),
    }
}

/// A particle whose mass is that of its cells must have one.
fn all_used<const N: usize>(cells: &[[u32; N]], count: usize) -> Result<(), String> {
    let mut used = vec![false; count];
    cells.iter().flatten().for_each(|&corner| used[corner as usize] = true);
    match used.iter().position(|used| !used) {
        Some(alone) => Err(format!("particle {alone} would belong to nothing and have no mass")),
        None => Ok(()),
    }
}

fn retain<T>(list: &mut Vec<T>, gone: &[bool]) {
    let mut gone = gone.iter();
    list.retain(|_| !gone.next().is_some_and(|gone| *gone));
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
            Some(tetrahedra) => cut_cells(tetrahedra, CellKind::Tetrahedron, cut, count).map(drop),
            None => refuse(cut, &[CellKind::Tetrahedron]),
        }
    }

    fn copy(&mut self, copy: Copy) -> Result<(), String> {
        let count = self.positions.len();
        let place = copy.check(count)?;
        let mass = copy.share * self.masses[place];
        self.masses[place] -= mass;
        self.masses.push(mass);
        self.positions.push(self.positions[place]);
        self.given.iter_mut().for_each(|(_, values)| values.push(values[place]));
        hold_both(self.pins, copy.of, count);
        Ok(())
    }
}

/// Changes the cells of one kind, and says which are gone.
fn cut_cells<const N: usize>(
    cells: &mut Vec<[u32; N]>,
    kind: CellKind,
    cut: &Cut,
    particle_count: u32,
) -> Result<Vec<bool>, String> {
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
    retain(cells, &gone);
    Ok(gone)
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
                Cut { body: 0, cells: vec![cell(CellKind::Triangle, 0, &[])], ..Cut::default() },
                "body `cloth 1`: particle 1 would belong to nothing and have no mass",
            ),
            (
                Cut { body: 0, cells: vec![cell(CellKind::Segment, 0, &[])], ..Cut::default() },
                "body `cloth 1`: segment 0 is to be cut, and there are 0",
            ),
            (Cut { body: 2, ..Cut::default() }, "body 2: there is none of that number"),
        ] {
            assert_eq!(strip().cut(&cut).unwrap_err().to_string(), sentence);
        }
    }
}
