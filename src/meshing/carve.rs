//! The tetrahedra of a lattice that a solid fills, made into a clean body.
//!
//! A tetrahedron stays if at least ρ_min of the voxels in it are inside. Then everything goes that a solver or the eye
//! would stumble over: edges at which the boundary touches itself, crumbs, and vertices that hold two parts together by a point.

use std::collections::{HashMap, HashSet};

use glam::{DVec3, IVec3, UVec3};
use rayon::prelude::*;

use super::MeshingError;
use super::lattice::Lattice;
use super::solid::Solid;
use super::tet_groups::{boundary, face_uses};
use crate::limits;
use crate::meshing::tet_mesh::{EDGES, FACES, TetMesh, volume};

/// A mesh whose vertices still know their places in the lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct Carved {
    pub mesh: TetMesh,
    /// Vertices of equal parity of all three indices are in no tetrahedron together: eight colours.
    pub colours: Vec<u8>,
    /// Tetrahedra that were dropped because they hung together with the rest by less than a face.
    pub dropped: usize,
}

/// Which parts to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    #[default]
    Largest,
    All,
}

/// Carves a solid out of a lattice.
pub fn carve(lattice: &Lattice, solid: &Solid, fill: f64, keep: Keep) -> Result<Carved, MeshingError> {
    let layer = u64::from(lattice.cells.x) * u64::from(lattice.cells.y);
    let kept: Vec<Vec<[u64; 4]>> = (0..lattice.cells.z)
        .into_par_iter()
        .map(|k| {
            let mut tets = Vec::with_capacity(layer as usize);
            for j in 0..lattice.cells.y {
                for i in 0..lattice.cells.x {
                    filled_tets(lattice, solid, UVec3::new(i, j, k), fill, &mut tets);
                }
            }
            tets
        })
        .collect();
    let count = kept.iter().map(|tets| tets.len() as u64).sum();
    if count > limits::TETRAHEDRA {
        return Err(MeshingError::TooLarge { what: "tetrahedra", count, limit: limits::TETRAHEDRA });
    }
    let mut tets: Vec<[u64; 4]> = kept.into_iter().flatten().collect();
    if tets.is_empty() {
        return Err(MeshingError::TooThin { cell: lattice.cell.x });
    }
    let all = tets.len();
    let (_, mut numbered) = number(&tets);
    loop {
        let bad = self_touching(&numbered);
        if bad.is_empty() {
            break;
        }
        retain(&mut tets, &mut numbered, |t| !bad.contains(&t));
    }
    if keep == Keep::Largest {
        let largest = largest_part(&numbered);
        retain(&mut tets, &mut numbered, |t| largest[t as usize]);
    }
    if tets.is_empty() {
        return Err(MeshingError::TooThin { cell: lattice.cell.x });
    }
    let dropped = all - tets.len();
    let (mut vertices, mut numbered) = number(&tets);
    split_pinched(&mut numbered, &mut vertices);
    let colour = |&n: &u64| {
        let index = lattice.index(n) & 1;
        (index.x | index.y << 1 | index.z << 2) as u8
    };
    Ok(Carved {
        colours: vertices.iter().map(colour).collect(),
        mesh: TetMesh {
            vertices: vertices.iter().map(|&n| lattice.vertex(lattice.index(n))).collect(),
            tets: numbered,
            groups: Vec::new(),
        },
        dropped,
    })
}

fn retain(tets: &mut Vec<[u64; 4]>, numbered: &mut Vec<[u32; 4]>, keep: impl Fn(u32) -> bool) {
    let mut index = 0..;
    tets.retain(|_| index.next().is_some_and(&keep));
    let mut index = 0..;
    numbered.retain(|_| index.next().is_some_and(&keep));
}

/// The lattice's vertices in use, in increasing order, and the tetrahedra by them.
fn number(tets: &[[u64; 4]]) -> (Vec<u64>, Vec<[u32; 4]>) {
    let mut vertices: Vec<u64> = tets.iter().flatten().copied().collect();
    vertices.par_sort_unstable();
    vertices.dedup();
    let find = |n: u64| vertices.partition_point(|&v| v < n) as u32;
    let numbered = tets.par_iter().map(|tet| tet.map(find)).collect();
    (vertices, numbered)
}

/// Adds those tetrahedra of a cell that are filled enough.
fn filled_tets(lattice: &Lattice, solid: &Solid, cell: UVec3, fill: f64, tets: &mut Vec<[u64; 4]>) {
    let grid = &solid.grid;
    let (low, high) = (lattice.vertex(cell), lattice.vertex(cell + 1));
    let [first, last] = grid.range(low, high);
    let corners = lattice.tets_of(cell);
    let mut counts = [[0u32; 2]; 5];
    let inside_of = |v: IVec3| solid.inside[grid.number(v.as_uvec3())];
    let each = || {
        (first.z..=last.z).flat_map(move |z| {
            (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| IVec3::new(x, y, z)))
        })
    };
    let (inside, all) = each().fold((0u32, 0u32), |(n, all), v| (n + u32::from(inside_of(v)), all + 1));
    let uniform = all > 0 && (inside == 0 || inside == all);
    if !uniform {
        for voxel in each() {
            let local = (grid.centre(voxel.as_uvec3()) - low) / lattice.cell;
            let inside = inside_of(voxel);
            for (tet, count) in counts.iter_mut().enumerate() {
                if contains(&corners[tet], cell, local) {
                    *count = [count[0] + u32::from(inside), count[1] + 1];
                }
            }
        }
    }
    for (tet, [inside_count, all_count]) in corners.iter().zip(counts) {
        let keep = if uniform {
            inside > 0
        } else if all_count > 0 {
            f64::from(inside_count) >= fill * f64::from(all_count)
        } else {
            // No voxel's centre lies in it: ask at its own.
            let centre = tet.iter().map(|&v| lattice.vertex(v)).sum::<DVec3>() / 4.0;
            grid.nearest(centre).is_some_and(|v| solid.inside[grid.number(v)])
        };
        if keep {
            tets.push(tet.map(|v| lattice.number(v)));
        }
    }
}

/// Whether a point of the unit cube lies in a tetrahedron of it.
fn contains(tet: &[UVec3; 4], cell: UVec3, x: DVec3) -> bool {
    let corners = tet.map(|v| (v - cell).as_dvec3());
    FACES.iter().all(|&[a, b, c]| volume([corners[a], corners[c], corners[b], x]) >= -1e-12)
}

/// Tetrahedra whose removal parts the boundary where it touches itself along an edge.
///
/// Around an edge of a clean boundary the tetrahedra form one fan. Where there are several, all but the largest go.
fn self_touching(tets: &[[u32; 4]]) -> HashSet<u32> {
    let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
    let mut edges: Vec<[u32; 2]> =
        boundary(tets).iter().flat_map(|&[a, b, c]| [sorted(a, b), sorted(b, c), sorted(c, a)]).collect();
    edges.par_sort_unstable();
    let bad: HashSet<[u32; 2]> =
        edges.chunk_by(|a, b| a == b).filter(|uses| uses.len() > 2).map(|uses| uses[0]).collect();
    if bad.is_empty() {
        return HashSet::new();
    }
    let mut around: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for (t, tet) in (0..).zip(tets) {
        for [a, b] in EDGES {
            let edge = sorted(tet[a], tet[b]);
            if bad.contains(&edge) {
                around.entry(edge).or_default().push(t);
            }
        }
    }
    let mut gone = HashSet::new();
    for members in around.values() {
        let joined = |s: u32, t: u32| {
            let shared = tets[s as usize].iter().filter(|v| tets[t as usize].contains(v)).count();
            shared == 3
        };
        let mut fans = parts(members, joined);
        // The first of the largest stays.
        fans.sort_by_key(|fan| (std::cmp::Reverse(fan.len()), fan[0]));
        gone.extend(fans.into_iter().skip(1).flatten());
    }
    gone
}

/// The connected parts of a few members.
fn parts(members: &[u32], joined: impl Fn(u32, u32) -> bool) -> Vec<Vec<u32>> {
    let mut left: Vec<u32> = members.to_vec();
    let mut parts = Vec::new();
    while let Some(first) = left.pop() {
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&member) = part.get(next) {
            next += 1;
            let (with, without): (Vec<u32>, Vec<u32>) =
                left.iter().partition(|&&other| joined(member, other));
            part.extend(with);
            left = without;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// For each tetrahedron the neighbours across its four faces.
fn neighbours(tets: &[[u32; 4]]) -> Vec<[Option<u32>; 4]> {
    let mut found = vec![[None; 4]; tets.len()];
    for pair in face_uses(tets).chunk_by(|a, b| a.key == b.key) {
        if let [a, b] = pair {
            found[a.tet as usize][a.face as usize] = Some(b.tet);
            found[b.tet as usize][b.face as usize] = Some(a.tet);
        }
    }
    found
}

/// Which tetrahedra belong to the largest part that hangs together by faces.
fn largest_part(tets: &[[u32; 4]]) -> Vec<bool> {
    let neighbours = neighbours(tets);
    let mut part_of = vec![u32::MAX; tets.len()];
    let mut sizes: Vec<usize> = Vec::new();
    let mut pending = Vec::new();
    for first in 0..tets.len() {
        if part_of[first] != u32::MAX {
            continue;
        }
        let part = sizes.len() as u32;
        sizes.push(0);
        part_of[first] = part;
        pending.push(first);
        while let Some(tet) = pending.pop() {
            sizes[part as usize] += 1;
            for &next in neighbours[tet].iter().flatten() {
                if part_of[next as usize] == u32::MAX {
                    part_of[next as usize] = part;
                    pending.push(next as usize);
                }
            }
        }
    }
    // The first of the largest.
    let largest = (0..sizes.len()).max_by_key(|&p| (sizes[p], std::cmp::Reverse(p))).unwrap_or(0);
    part_of.iter().map(|&part| part as usize == largest).collect()
}

/// Gives every part of the tetrahedra around a vertex, connected by faces at it, a vertex of its own.
fn split_pinched(tets: &mut [[u32; 4]], vertices: &mut Vec<u64>) {
    let neighbours = neighbours(tets);
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); vertices.len()];
    for (t, tet) in (0..).zip(tets.iter()) {
        tet.iter().for_each(|&v| around[v as usize].push(t));
    }
    for (v, members) in (0..).zip(&around) {
        let joined = |s: u32, t: u32| neighbours[s as usize].contains(&Some(t));
        // Tetrahedra that share a face and both have the vertex share it through that face.
        for part in parts(members, joined).into_iter().skip(1) {
            let copy = vertices.len() as u32;
            vertices.push(vertices[v as usize]);
            for t in part {
                let tet = &mut tets[t as usize];
                tet.iter_mut().filter(|corner| **corner == v).for_each(|corner| *corner = copy);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tetrahedra that meet in a vertex are parted there; two that share a face are not.
    #[test]
    fn pinched_vertices_are_split() {
        let mut tets = vec![[0, 1, 2, 3], [0, 4, 5, 6], [1, 2, 3, 7]];
        let mut vertices: Vec<u64> = (0..8).collect();
        split_pinched(&mut tets, &mut vertices);
        assert_eq!(vertices.len(), 9);
        let with_copy = tets.iter().filter(|t| t.contains(&8)).count();
        assert_eq!(with_copy, 1);
        assert_eq!(tets[2], [1, 2, 3, 7]);
    }

    #[test]
    fn where_the_boundary_touches_itself_along_an_edge_the_smaller_fan_goes() {
        // The edge 0 1 has a fan of two and one of one.
        let tets = [[0, 1, 2, 3], [0, 1, 3, 4], [0, 1, 5, 6]];
        assert_eq!(self_touching(&tets), HashSet::from([2]));
        assert_eq!(self_touching(&tets[..2]), HashSet::new());
        assert_eq!(largest_part(&tets), [true, true, false]);
    }
}
