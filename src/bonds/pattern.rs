//! The pattern of the matrix of all bodies of bonded cells: two rows for each cell, and four blocks for each pair that shares a face.

use crate::integrate::hierarchy::{Group, Nodes};
use crate::integrate::rows::Rows;
use crate::model::Model;

/// Cells, bonds and where their blocks are, all bodies one after the other.
pub struct Pattern {
    /// Particle, frame and body of each cell.
    pub cells: Vec<[u32; 4]>,
    /// Cells and law of each bond.
    pub bonds: Vec<[u32; 4]>,
    /// Particles of each bond's cells.
    pub particles: Vec<[u32; 2]>,
    /// Where each cell's bonds begin and the place of its first block on the diagonal; and one end.
    pub starts: Vec<[u32; 2]>,
    /// Twice the bond, and 1 for its second cell.
    pub list: Vec<u32>,
    /// Of each bond: places of the first blocks of rows i and columns j, and the other way round.
    pub places: Vec<[u32; 2]>,
    pub rows: Rows,
    pub nodes: Nodes,
    /// Cells that may move.
    pub takes_part: Vec<bool>,
}

impl Pattern {
    /// Laws are numbered body by body, three axes each.
    pub fn new(model: &Model) -> Self {
        let (mut cells, mut bonds, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for (number, body) in (0u32..).zip(&model.composites) {
            let first = cells.len() as u32;
            cells.extend(body.particles.clone().zip(body.frames.clone()).map(|(p, f)| [p, f, number, 0]));
            let bond =
                |&([i, j], axis): &([u32; 2], usize)| [first + i, first + j, 3 * number + axis as u32, 0];
            bonds.extend(body.bonds.iter().map(bond));
            groups.push(Group { nodes: first..cells.len() as u32, rigid: true, coarsens: true });
        }
        let mut near: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        for (k, &[i, j, ..]) in (0u32..).zip(&bonds) {
            for (own, other, side) in [(i, j, 0), (j, i, 1)] {
                near[own as usize].push(other);
                lists[own as usize].push(2 * k + side);
            }
        }
        near.iter_mut().for_each(|list| list.sort_unstable());
        let columns = |(own, near): (u32, &Vec<u32>)| {
            let mut all: Vec<u32> = near.iter().copied().chain([own]).collect();
            all.sort_unstable();
            let row: Vec<u32> = all.into_iter().flat_map(|cell| [2 * cell, 2 * cell + 1]).collect();
            [row.clone(), row]
        };
        let rows = Rows::new(&(0u32..).zip(&near).flat_map(columns).collect::<Vec<_>>());
        let place = |i: u32, j: u32| rows.place(2 * i, 2 * j).expect("the pattern has all pairs");
        let mut starts = Vec::with_capacity(cells.len() + 1);
        let mut start = 0;
        for (i, list) in (0u32..).zip(&lists) {
            starts.push([start, place(i, i)]);
            start += list.len() as u32;
        }
        starts.push([start, 0]);
        let movable = model.movable();
        let takes_part: Vec<bool> = cells.iter().map(|&[particle, ..]| movable[particle as usize]).collect();
        // What is held has no neighbours on coarser levels, and is none.
        for (list, takes_part_itself) in near.iter_mut().zip(&takes_part) {
            list.retain(|&other| *takes_part_itself && takes_part[other as usize]);
        }
        Self {
            places: bonds.iter().map(|&[i, j, ..]| [place(i, j), place(j, i)]).collect(),
            particles: bonds.iter().map(|&[i, j, ..]| [i, j].map(|cell| cells[cell as usize][0])).collect(),
            nodes: Nodes {
                rows: (0..cells.len() as u32).map(|i| 2 * i).collect(),
                roots: cells.iter().map(|&[particle, ..]| particle).collect(),
                neighbours: near,
                groups,
                turns: true,
            },
            takes_part,
            list: lists.into_iter().flatten().collect(),
            starts,
            cells,
            bonds,
            rows,
        }
    }
}
