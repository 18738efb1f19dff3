//! Triangle meshes and what must be true of them.

use glam::DVec3;

/// A triangle mesh: particles of a sheet, or the surface of a collider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Vertices [m].
    pub positions: Vec<DVec3>,
    /// Vertices of each triangle, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// One pair per corner of each triangle, if the file had them: along a seam, a vertex has one for each side.
    pub texture_coordinates: Option<Vec<[[f64; 2]; 3]>>,
}

/// Why a mesh was refused. Vertices and triangles are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read at all.
    #[error("{0}")]
    Unreadable(String),
    /// The name's extension is none we know.
    #[error("unknown kind of mesh file; use .obj, .ply or .stl")]
    UnknownKind,
    /// More vertices or faces than allowed.
    #[error("{count} {what}; the limit is {limit}")]
    TooLarge {
        /// "vertices", "triangles", …
        what: &'static str,
        /// How many the file has, or says it has.
        count: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The text or bytes make no sense.
    #[error("{}{message}", .line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    Malformed {
        /// Line of a text file, from 1.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
    /// There is nothing to simulate.
    #[error("no faces")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count} vertices (counted from 0)")]
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle names a vertex twice.
    #[error("triangle {triangle} names vertex {vertex} twice")]
    RepeatedVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A triangle has no area to speak of.
    #[error("triangle {triangle} (vertices {}, {}, {}) has no area; remove it or move a corner", vertices[0], vertices[1], vertices[2])]
    NoArea {
        /// The triangle.
        triangle: usize,
        /// Its vertices.
        vertices: [u32; 3],
    },
    /// A vertex belongs to no triangle.
    #[error("vertex {vertex} belongs to no face; remove it")]
    Isolated {
        /// The vertex.
        vertex: usize,
    },
    /// More than two triangles share an edge.
    #[error("the edge between vertices {} and {} is shared by {count} triangles and a sheet allows two; remove the others or give them vertices of their own", ends[0], ends[1])]
    NonManifold {
        /// The edge.
        ends: [u32; 2],
        /// How many triangles share it.
        count: usize,
    },
    /// The surface of a collider has a hole.
    #[error("the surface is open at the edge between vertices {} and {}; a collider must be closed", ends[0], ends[1])]
    Open {
        /// The edge.
        ends: [u32; 2],
    },
    /// Two neighbours disagree about inside and outside.
    #[error("the two triangles at the edge between vertices {} and {} face opposite ways; make the winding consistent", ends[0], ends[1])]
    Inconsistent {
        /// The edge.
        ends: [u32; 2],
    },
    /// The triangles of a closed surface face inwards.
    #[error("the triangles face inwards; flip them")]
    InsideOut,
}

/// An edge of a mesh and what lies on its two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeshEdge {
    /// The two vertices; the first triangle runs along the edge from the first to the second.
    pub ends: [u32; 2],
    /// Triangles at the edge; the second only if it is no border.
    pub triangles: (u32, Option<u32>),
    /// Vertices of those triangles that are not on the edge.
    pub opposite: (u32, Option<u32>),
}

/// One triangle's use of an edge.
#[derive(Clone, Copy)]
struct EdgeUse {
    /// Vertices in increasing order, so that both users sort together.
    key: [u32; 2],
    triangle: u32,
    opposite: u32,
    /// Whether the triangle runs from `key[0]` to `key[1]`.
    forward: bool,
}

impl TriangleMesh {
    /// A triangle thinner than this, relative to its longest side squared, has no usable area: its gradients
    /// would drown in the f32 rounding of its own coordinates.
    const NO_AREA: f64 = 1e-7;

    /// The corners of a triangle [m].
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize])
    }

    /// Checks what every mesh must be: not empty, indices in range, finite, no degenerate triangle, no vertex
    /// without a triangle.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(vertex) = self.positions.iter().position(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite { vertex });
        }
        let count = self.positions.len();
        let mut used = vec![false; count];
        for (triangle, &vertices) in self.triangles.iter().enumerate() {
            let [a, b, c] = vertices;
            if let Some(&vertex) = vertices.iter().find(|&&v| v as usize >= count) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, count });
            }
            if a == b || b == c || c == a {
                let vertex = if a == b { a } else { c };
                return Err(MeshError::RepeatedVertex { triangle, vertex });
            }
            let [x, y, z] = self.corners(triangle);
            let longest =
                (y - x).length_squared().max((z - y).length_squared()).max((x - z).length_squared());
            let twice_area = (y - x).cross(z - x).length();
            // Written so that an overflow to NaN or infinity is refused too.
            if !(twice_area > Self::NO_AREA * longest && longest.is_finite()) {
                return Err(MeshError::NoArea { triangle, vertices });
            }
            vertices.iter().for_each(|&v| used[v as usize] = true);
        }
        match used.iter().position(|u| !u) {
            Some(vertex) => Err(MeshError::Isolated { vertex }),
            None => Ok(()),
        }
    }

    /// Checks what even a soup must be: not empty, indices in range, finite.
    pub fn check_soup(&self) -> Result<(), MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(vertex) = self.positions.iter().position(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite { vertex });
        }
        let count = self.positions.len();
        for (triangle, vertices) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = vertices.iter().find(|&&v| v as usize >= count) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, count });
            }
        }
        Ok(())
    }

    /// The edges, sorted by their lower and then their higher vertex; an error if more than two triangles share one.
    ///
    /// Indices must be in range ([`Self::check`]).
    pub fn edges(&self) -> Result<Vec<MeshEdge>, MeshError> {
        let uses = self.edge_uses();
        let mut edges = Vec::with_capacity(uses.len() / 2 + 1);
        for group in uses.chunk_by(|a, b| a.key == b.key) {
            if group.len() > 2 {
                return Err(MeshError::NonManifold { ends: group[0].key, count: group.len() });
            }
            let [low, high] = group[0].key;
            edges.push(MeshEdge {
                ends: if group[0].forward { [low, high] } else { [high, low] },
                triangles: (group[0].triangle, group.get(1).map(|u| u.triangle)),
                opposite: (group[0].opposite, group.get(1).map(|u| u.opposite)),
            });
        }
        Ok(edges)
    }

    /// Checks that the mesh is the surface of a solid: every edge shared by two triangles that agree about
    /// inside and outside, and facing outwards.
    pub fn check_closed(&self) -> Result<(), MeshError> {
        for group in self.edge_uses().chunk_by(|a, b| a.key == b.key) {
            let ends = group[0].key;
            match group {
                [_] => return Err(MeshError::Open { ends }),
                [a, b] if a.forward == b.forward => return Err(MeshError::Inconsistent { ends }),
                [_, _] => {}
                _ => {
                    return Err(MeshError::NonManifold { ends, count: group.len() });
                }
            }
        }
        if self.signed_volume() <= 0.0 {
            return Err(MeshError::InsideOut);
        }
        Ok(())
    }

    /// Volume enclosed by a closed surface [m³]; negative if it is inside out.
    pub fn signed_volume(&self) -> f64 {
        let origin = self.positions.first().copied().unwrap_or_default();
        let volume = |t| {
            let [a, b, c] = self.corners(t).map(|x| x - origin);
            a.dot(b.cross(c)) / 6.0
        };
        (0..self.triangles.len()).map(volume).sum()
    }

    /// Sum of the areas of the triangles [m²].
    pub fn area(&self) -> f64 {
        let area = |t| {
            let [a, b, c] = self.corners(t);
            (b - a).cross(c - a).length() / 2.0
        };
        (0..self.triangles.len()).map(area).sum()
    }

    fn edge_uses(&self) -> Vec<EdgeUse> {
        let mut uses = Vec::with_capacity(3 * self.triangles.len());
        for (triangle, [a, b, c]) in self.triangles.iter().copied().enumerate() {
            for [from, to, opposite] in [[a, b, c], [b, c, a], [c, a, b]] {
                uses.push(EdgeUse {
                    key: [from.min(to), from.max(to)],
                    triangle: triangle as u32,
                    opposite,
                    forward: from < to,
                });
            }
        }
        uses.sort_unstable_by_key(|u| (u.key, u.triangle));
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    fn tetrahedron() -> TriangleMesh {
        TriangleMesh {
            positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            texture_coordinates: None,
        }
    }

    #[test]
    fn a_tetrahedron_is_closed_and_has_its_volume() {
        let mesh = tetrahedron();
        mesh.check().unwrap();
        mesh.check_closed().unwrap();
        assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(mesh.edges().unwrap().len(), 6);
    }

    #[test]
    fn a_missing_triangle_is_named_by_an_open_edge() {
        let mut mesh = tetrahedron();
        mesh.triangles.pop();
        assert_eq!(mesh.check_closed(), Err(MeshError::Open { ends: [1, 2] }));
    }

    #[test]
    fn a_flipped_triangle_is_inconsistent_and_a_flipped_solid_is_inside_out() {
        let mut mesh = tetrahedron();
        mesh.triangles[3].swap(0, 1);
        assert!(matches!(mesh.check_closed(), Err(MeshError::Inconsistent { .. })));
        let mut mesh = tetrahedron();
        mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert_eq!(mesh.check_closed(), Err(MeshError::InsideOut));
    }

    #[test]
    fn a_third_triangle_at_an_edge_is_named() {
        let mut mesh = generate::grid([1.0, 1.0], [1, 1]);
        mesh.positions.push(DVec3::Z);
        let [a, b, _] = mesh.triangles[0];
        mesh.triangles.extend([[a, b, 4], [b, a, 4]]);
        let error = mesh.edges().unwrap_err();
        assert!(matches!(error, MeshError::NonManifold { count: 3, .. }), "{error}");
    }

    #[test]
    fn edges_know_both_sides() {
        let mesh = generate::grid([1.0, 1.0], [1, 1]);
        let inner: Vec<_> = mesh.edges().unwrap().into_iter().filter(|e| e.triangles.1.is_some()).collect();
        assert_eq!(inner.len(), 1);
        let mut opposite = [inner[0].opposite.0, inner[0].opposite.1.unwrap()];
        opposite.sort();
        let mut all = [inner[0].ends[0], inner[0].ends[1], opposite[0], opposite[1]];
        all.sort();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn degenerate_triangles_are_named() {
        let mut mesh = tetrahedron();
        mesh.triangles[2] = [0, 3, 3];
        assert_eq!(mesh.check(), Err(MeshError::RepeatedVertex { triangle: 2, vertex: 3 }));
        let mut mesh = tetrahedron();
        mesh.positions[3] = DVec3::X * 2.0;
        assert!(matches!(mesh.check(), Err(MeshError::NoArea { triangle: 1, .. })));
    }

    #[test]
    fn the_area_test_has_no_absolute_length() {
        for scale in [1e-6, 1.0, 1e5] {
            let mut mesh = tetrahedron();
            mesh.positions.iter_mut().for_each(|x| *x *= scale);
            mesh.check().unwrap();
        }
    }
}
