//! The pattern of the system matrix and the list of factors of each of its blocks, from the elements of all families.

use super::factors::{self, Kind, PLACE_SHIFT};
use super::hierarchy::{Group, Nodes};
use super::rows::Rows;
use crate::compute::ComputeError;
use crate::model::Model;
use crate::scene::SolidModel;

/// Elements of one family that leave factors.
#[derive(Clone, Debug)]
pub struct Stiff {
    /// Particles, element by element.
    pub corners: Vec<u32>,
    pub corners_each: u32,
    /// How each element's factors make blocks.
    pub kinds: Vec<Kind>,
    /// Vectors of factors per element.
    pub stride: u32,
    /// Where the factors begin.
    pub base: u32,
    /// Whether the edges of its elements are those of the mesh, which aggregates go by.
    pub is_mesh: bool,
}

impl Stiff {
    fn element(&self, number: u32) -> &[u32] {
        let first = (self.corners_each * number) as usize;
        &self.corners[first..first + self.corners_each as usize]
    }
}

/// The blocks of the system matrix.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    pub rows: Rows,
    /// Where each block's list begins, and one end; blocks on and above the diagonal.
    pub starts: Vec<u32>,
    pub entries: Vec<u32>,
    /// Of the block and of its transpose.
    pub places: Vec<[u32; 2]>,
}

/// Where each particle is a corner: family, element and corner.
struct Incidence {
    starts: Vec<u32>,
    list: Vec<[u32; 3]>,
}

impl Incidence {
    fn new(families: &[Stiff], particles: usize) -> Self {
        let mut starts = vec![0u32; particles + 1];
        let corners = || families.iter().flat_map(|family| &family.corners);
        corners().for_each(|&particle| starts[particle as usize + 1] += 1);
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut list = vec![[0; 3]; starts[particles] as usize];
        for (number, family) in (0u32..).zip(families) {
            for (corner, &particle) in (0u32..).zip(&family.corners) {
                list[next[particle as usize] as usize] =
                    [number, corner / family.corners_each, corner % family.corners_each];
                next[particle as usize] += 1;
            }
        }
        Self { starts, list }
    }

    fn of(&self, particle: u32) -> &[[u32; 3]] {
        let particle = particle as usize;
        &self.list[self.starts[particle] as usize..self.starts[particle + 1] as usize]
    }
}

/// The matrix of a model's elements, its nodes, and which of them may move. Bodies that are not among the `easy` ones have coarser levels.
pub fn build(
    model: &Model,
    families: &[Stiff],
    easy: &[usize],
) -> Result<(Matrix, Nodes, Vec<bool>), ComputeError> {
    let count = model.particle_count() as u32;
    let vectors =
        families.last().map_or(0, |f| u64::from(f.base) + u64::from(f.stride) * f.kinds.len() as u64);
    if vectors >= 1 << (32 - PLACE_SHIFT) {
        return Err(ComputeError::Buffer {
            buffer: "corner_blocks".into(),
            problem: format!(
                "the elements leave {vectors} vectors for the matrix and {} can be told apart; use fewer elements, or \
                 `preconditioner = \"jacobi\"`",
                1u32 << (32 - PLACE_SHIFT)
            ),
        });
    }
    let incidence = Incidence::new(families, count as usize);
    let movable = model.movable();
    let takes_part: Vec<bool> =
        (0..count).map(|i| movable[i as usize] && !incidence.of(i).is_empty()).collect();
    let near = |i: u32, only_mesh: bool| {
        let mut found: Vec<u32> = Vec::new();
        if takes_part[i as usize] {
            for &[family, element, _] in incidence.of(i) {
                let family = &families[family as usize];
                if family.is_mesh || !only_mesh {
                    found.extend(family.element(element).iter().filter(|&&j| takes_part[j as usize]));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let mut matrix = Matrix { starts: vec![0], ..Matrix::default() };
    matrix.rows = Rows::new(&(0..count).map(|i| near(i, false)).collect::<Vec<_>>());
    let mut found: Vec<(u32, u32)> = Vec::new();
    for i in (0..count).filter(|&i| takes_part[i as usize]) {
        found.clear();
        for &[family, element, a] in incidence.of(i) {
            let family = &families[family as usize];
            for (b, &j) in (0u32..).zip(family.element(element)) {
                if j >= i && takes_part[j as usize] {
                    let place = family.base + family.stride * element;
                    found.push((j, factors::entry(place, family.kinds[element as usize], [a, b])));
                }
            }
        }
        found.sort_by_key(|(j, _)| *j);
        for chunk in found.chunk_by(|a, b| a.0 == b.0) {
            let j = chunk[0].0;
            let place = |i, j| matrix.rows.place(i, j).expect("the pattern has all pairs of corners");
            matrix.places.push([place(i, j), place(j, i)]);
            matrix.entries.extend(chunk.iter().map(|(_, entry)| entry));
            matrix.starts.push(matrix.entries.len() as u32);
        }
    }
    let groups = model.bodies.iter().enumerate().filter_map(|(k, body)| {
        let rigid = !model.tets_of(k, SolidModel::has_forces).is_empty();
        let takes_part = rigid || !model.elements[k].membranes.is_empty();
        takes_part.then(|| Group { nodes: body.particles.clone(), rigid, coarsens: !easy.contains(&k) })
    });
    let neighbours = (0..count).map(|i| {
        let mut near = near(i, true);
        near.retain(|&j| j != i);
        near
    });
    let nodes = Nodes {
        rows: (0..count).collect(),
        roots: (0..count).collect(),
        neighbours: neighbours.collect(),
        groups: groups.collect(),
        turns: false,
    };
    Ok((matrix, nodes, takes_part))
}
