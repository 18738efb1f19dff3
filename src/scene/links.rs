//! The net of distance links that a sheet is made of.

use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};
use std::collections::HashMap;

/// Two particles that keep their distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The particles.
    pub ends: [u32; 2],
    /// Which stiffness applies.
    pub kind: LinkKind,
}

/// What a link resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Stretch along the threads, or along an edge of a mesh.
    Structural,
    /// Shear: across a cell, or across two triangles.
    Shear,
    /// Bending: across two cells, or across two triangles.
    Bend,
}

/// The links of a grid ([`crate::meshing::generate::grid`]): along the axes, both diagonals of every cell and, with `bend`,
/// second neighbours along the axes.
pub fn grid(cells: [u32; 2], bend: bool) -> Vec<Link> {
    let [nx, ny] = cells;
    let at = |i: u32, j: u32| j * (nx + 1) + i;
    let mut links = Vec::with_capacity(if bend { 6 } else { 4 } * (nx as usize + 1) * (ny as usize + 1));
    let mut add = |kind, a, b| links.push(Link { ends: [a, b], kind });
    for j in 0..=ny {
        for i in 0..=nx {
            if i < nx {
                add(LinkKind::Structural, at(i, j), at(i + 1, j));
            }
            if j < ny {
                add(LinkKind::Structural, at(i, j), at(i, j + 1));
            }
            if i < nx && j < ny {
                add(LinkKind::Shear, at(i, j), at(i + 1, j + 1));
                add(LinkKind::Shear, at(i + 1, j), at(i, j + 1));
            }
            if bend && i + 1 < nx {
                add(LinkKind::Bend, at(i, j), at(i + 2, j));
            }
            if bend && j + 1 < ny {
                add(LinkKind::Bend, at(i, j), at(i, j + 2));
            }
        }
    }
    links
}

/// The links of a grid that was cut: those of the whole grid ([`grid`]), between particles that still hang together. `origins` has
/// the particle of the grid that each is, or is a copy of.
pub fn torn_grid(
    cells: [u32; 2],
    bend: bool,
    mesh: &TriangleMesh,
    origins: &[u32],
) -> Result<Vec<Link>, MeshError> {
    // Particles that share an edge, or are across one, by their origins: the lower first.
    let mut joined: HashMap<[u32; 2], Vec<[u32; 2]>> = HashMap::new();
    let mut join = |a: u32, b: u32| {
        let [a, b] = if origins[a as usize] < origins[b as usize] { [a, b] } else { [b, a] };
        let pairs = joined.entry([a, b].map(|particle| origins[particle as usize])).or_default();
        if !pairs.contains(&[a, b]) {
            pairs.push([a, b]);
        }
    };
    for edge in mesh.edges()? {
        join(edge.ends[0], edge.ends[1]);
        if let (a, Some(b)) = edge.opposite {
            join(a, b);
        }
    }
    let found = |a: u32, b: u32| joined.get(&[a.min(b), a.max(b)]).map_or(&[][..], Vec::as_slice);
    let mut links = Vec::new();
    for Link { ends: [a, b], kind } in grid(cells, bend) {
        let mut pairs = match kind {
            LinkKind::Structural | LinkKind::Shear => found(a.min(b), a.max(b)).to_vec(),
            LinkKind::Bend => {
                // Over the particle between them.
                let middle = (a + b) / 2;
                let steps = found(a, middle).iter().flat_map(|&[first, mid]| {
                    let further = found(middle, b).iter().filter(move |[from, _]| *from == mid);
                    further.map(move |&[_, last]| [first, last])
                });
                steps.collect()
            }
        };
        pairs.sort_unstable();
        pairs.dedup();
        links.extend(pairs.into_iter().map(|ends| Link { ends, kind }));
    }
    Ok(links)
}

/// The links of any mesh: every edge is structural; the two vertices opposite an inner edge are joined against
/// shear and, with `bend`, once more against bending (the two stiffnesses add).
pub fn mesh(mesh: &TriangleMesh, bend: bool) -> Result<Vec<Link>, MeshError> {
    let edges = mesh.edges()?;
    let structural = |ends| Link { ends, kind: LinkKind::Structural };
    let mut links: Vec<Link> = edges.iter().map(|e| structural(e.ends)).collect();
    for edge in edges {
        // Two triangles on the same three vertices have one opposite vertex in common, and nothing to join.
        if let (a, Some(b)) = edge.opposite
            && a != b
        {
            links.push(Link { ends: [a, b], kind: LinkKind::Shear });
            if bend {
                links.push(Link { ends: [a, b], kind: LinkKind::Bend });
            }
        }
    }
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate;

    fn count(links: &[Link], kind: LinkKind) -> usize {
        links.iter().filter(|l| l.kind == kind).count()
    }

    #[test]
    fn a_grid_has_threads_both_diagonals_and_second_neighbours() {
        let links = grid([4, 3], true);
        assert_eq!(count(&links, LinkKind::Structural), 4 * 4 + 5 * 3);
        assert_eq!(count(&links, LinkKind::Shear), 2 * 4 * 3);
        assert_eq!(count(&links, LinkKind::Bend), 3 * 4 + 5 * 2);
        assert_eq!(count(&grid([4, 3], false), LinkKind::Bend), 0);
        let positions = generate::grid([4.0, 3.0], [4, 3]).positions;
        for link in links {
            let [a, b] = link.ends.map(|v| positions[v as usize]);
            let squared = match link.kind {
                LinkKind::Structural => 1.0,
                LinkKind::Shear => 2.0,
                LinkKind::Bend => 4.0,
            };
            assert!((a.distance_squared(b) - squared).abs() < 1e-12);
        }
    }

    #[test]
    fn a_mesh_has_its_edges_and_a_link_across_each_inner_edge() {
        let disc = generate::disc(1.0, 3);
        let links = mesh(&disc, true).unwrap();
        let (edges, border) = (disc.edges().unwrap().len(), 18);
        assert_eq!(count(&links, LinkKind::Structural), edges);
        assert_eq!(count(&links, LinkKind::Shear), edges - border);
        assert_eq!(count(&links, LinkKind::Bend), edges - border);
    }
}
