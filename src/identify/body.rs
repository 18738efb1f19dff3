//! A body of tetrahedra held somewhere: forces, energies and stiffness for given moduli.

use super::IdentifyError;
use super::law::{Law, Strained};
use super::refine::refined;
use super::sparse::Blocks;
use crate::math::{Mat3, Vec3};
use crate::meshing::Embedding;
use crate::meshing::tet_mesh::TetMesh;
use crate::model::elements::Tet;
use crate::solids::elasticity::Rest;
use glam::{DMat3, DVec3};

/// What is looked at: a surface whose vertices go with those of the mesh.
#[derive(Clone)]
pub struct Skin {
    pub triangles: Vec<[u32; 3]>,
    pub embedding: Embedding,
}

impl Skin {
    /// The surface of the mesh itself.
    pub fn of_surface(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let embedding = Embedding {
            corners: (0..vertices as u32).map(|v| [v; 4]).collect(),
            weights: vec![[1.0, 0.0, 0.0, 0.0]; vertices],
            ..Embedding::default()
        };
        Self { triangles: triangles.to_vec(), embedding }
    }

    /// The corners of its triangles for positions of the mesh's vertices.
    pub fn corners(&self, positions: &[DVec3]) -> Vec<[DVec3; 3]> {
        let places = self.embedding.apply(positions);
        self.triangles.iter().map(|t| t.map(|v| places[v as usize])).collect()
    }

    /// The mean of a field of the mesh's vertices at a point of a triangle, by the weights of its corners.
    pub fn at(&self, triangle: u32, weights: [f64; 3], field: &[DVec3]) -> DVec3 {
        let corners = self.triangles[triangle as usize];
        let mut sum = DVec3::ZERO;
        for (vertex, weight) in corners.into_iter().zip(weights) {
            let (nodes, shares) =
                (self.embedding.corners[vertex as usize], self.embedding.weights[vertex as usize]);
            for (node, share) in nodes.into_iter().zip(shares) {
                sum += field[node as usize] * (weight * share);
            }
        }
        sum
    }
}

/// No row of the matrix: the vertex is held.
const HELD: u32 = u32::MAX;

/// A body, its law, and where it is held.
#[derive(Clone)]
pub struct Body {
    pub law: Law,
    /// Vertices at rest [m].
    pub rest: Vec<DVec3>,
    pub tets: Vec<[u32; 4]>,
    pub is_held: Vec<bool>,
    /// Triangles around the mesh.
    pub surface: Vec<[u32; 3]>,
    pub skin: Skin,
    /// Whether the skin is another surface than the mesh's own.
    is_detailed: bool,
    shapes: Vec<Rest<f64>>,
    /// The row of each vertex, or [`HELD`].
    rows: Vec<u32>,
    stiffness: Blocks,
    /// Where the blocks of each tetrahedron are, by pairs of its corners; [`HELD`] if a corner is.
    places: Vec<[u32; 16]>,
}

impl Body {
    /// A body that does not move as a whole: three held vertices that are not on a line.
    pub fn new(
        law: Law,
        mesh: &TetMesh,
        is_held: Vec<bool>,
        skin: Option<Skin>,
    ) -> Result<Self, IdentifyError> {
        let rest = mesh.vertices.clone();
        let held: Vec<DVec3> =
            rest.iter().zip(&is_held).filter(|(_, held)| **held).map(|(x, _)| *x).collect();
        let is_firm = held.first().is_some_and(|a| {
            let b =
                held.iter().copied().max_by(|b, c| a.distance(*b).total_cmp(&a.distance(*c))).unwrap_or(*a);
            let off = |c: &DVec3| (*c - *a).cross(b - *a).length();
            held.iter().map(off).fold(0.0, f64::max) > 1e-9 * a.distance_squared(b)
        });
        if !is_firm {
            return Err(IdentifyError::Loose { held: held.len() });
        }
        let mut rows = vec![HELD; rest.len()];
        for (row, vertex) in (0..rest.len()).filter(|&v| !is_held[v]).enumerate() {
            rows[vertex] = row as u32;
        }
        let free = rows.iter().filter(|row| **row != HELD).count();
        if free == 0 {
            return Err(IdentifyError::AllHeld);
        }
        let pairs_of = |tet: &[u32; 4]| -> [[u32; 2]; 16] {
            std::array::from_fn(|k| [k / 4, k % 4].map(|corner| rows[tet[corner] as usize]))
        };
        let is_free = |pair: &[u32; 2]| pair.iter().all(|row| *row != HELD);
        let mut pairs: Vec<[u32; 2]> = mesh.tets.iter().flat_map(pairs_of).filter(is_free).collect();
        // A vertex of no free tetrahedron does not exist: the mesh has been checked.
        pairs.sort_unstable();
        pairs.dedup();
        let stiffness = Blocks::of_pairs(free, &pairs);
        let place = |pair: [u32; 2]| {
            if is_free(&pair) { stiffness.place(pair[0], pair[1]) } else { HELD }
        };
        let places = mesh.tets.iter().map(|tet| pairs_of(tet).map(place)).collect();
        let shape = |tet: usize| Tet::new(mesh.tets[tet], mesh.corners(tet), 0).rest_shape();
        let shapes = (0..mesh.tets.len()).map(shape).collect();
        let surface = mesh.surface();
        let is_detailed = skin.is_some();
        let skin = skin.unwrap_or_else(|| Skin::of_surface(&surface, rest.len()));
        Ok(Self {
            law,
            tets: mesh.tets.clone(),
            is_held,
            surface,
            skin,
            is_detailed,
            shapes,
            rows,
            stiffness,
            places,
            rest,
        })
    }

    /// The body on a mesh twice as fine, and the ends of the edges on whose middles its further vertices are. `mesh` is the body's.
    /// What lies between held vertices is held.
    pub fn refined(&self, mesh: &TetMesh) -> Result<(Self, Vec<[u32; 2]>), IdentifyError> {
        let (fine, middles) = refined(mesh);
        let between = middles.iter().map(|ends| ends.iter().all(|&v| self.is_held[v as usize]));
        let is_held = self.is_held.iter().copied().chain(between).collect();
        let skin = self.is_detailed.then(|| Skin {
            triangles: self.skin.triangles.clone(),
            embedding: Embedding::new(&fine, &self.skin.embedding.apply(&self.rest)),
        });
        Ok((Self::new(self.law, &fine, is_held, skin)?, middles))
    }

    /// The diagonal of the box around the body [m].
    pub fn diagonal(&self) -> f64 {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = self.rest.iter().fold(start, |(low, high), x| (low.min(*x), high.max(*x)));
        low.distance(high)
    }

    /// Positions of displacements.
    pub fn moved(&self, u: &[DVec3]) -> Vec<DVec3> {
        self.rest.iter().zip(u).map(|(x, u)| *x + *u).collect()
    }

    /// The entries of a field at vertices that can move.
    pub fn free(&self, field: &[DVec3]) -> Vec<DVec3> {
        let moving = field.iter().zip(&self.is_held).filter(|(_, held)| !**held);
        moving.map(|(x, _)| *x).collect()
    }

    /// A field by its entries at vertices that can move; zero where the body is held.
    pub fn spread(&self, free: &[DVec3]) -> Vec<DVec3> {
        self.rows.iter().map(|&row| if row == HELD { DVec3::ZERO } else { free[row as usize] }).collect()
    }

    fn strained(&self, tet: usize, u: &[DVec3]) -> Strained {
        let [a, b, c, d] = self.tets[tet].map(|v| self.rest[v as usize] + u[v as usize]);
        let shape = &self.shapes[tet];
        let f = shape.gradient([b - a, c - a, d - a].map(|e| Vec3::of(e.to_array())));
        Strained::new(self.law, f, shape.gradients())
    }

    /// The elastic forces' resistance: the gradient of the energy by the vertices [N].
    pub fn resistance(&self, lame: [f64; 2], u: &[DVec3]) -> Vec<DVec3> {
        let mut sum = vec![DVec3::ZERO; self.rest.len()];
        for tet in 0..self.tets.len() {
            let stress = self.strained(tet, u).stress(lame);
            self.add_corners(tet, stress, &mut sum);
        }
        sum
    }

    /// The resistance by λ alone, and by μ alone, per pascal.
    pub fn parts(&self, u: &[DVec3]) -> [Vec<DVec3>; 2] {
        let mut sums = [vec![DVec3::ZERO; self.rest.len()], vec![DVec3::ZERO; self.rest.len()]];
        for tet in 0..self.tets.len() {
            let strained = self.strained(tet, u);
            self.add_corners(tet, strained.stress([1.0, 0.0]), &mut sums[0]);
            self.add_corners(tet, strained.stress([0.0, 1.0]), &mut sums[1]);
        }
        sums
    }

    fn add_corners(&self, tet: usize, stress: Mat3<f64>, sum: &mut [DVec3]) {
        for (v, force) in self.tets[tet].into_iter().zip(self.shapes[tet].corners(stress)) {
            sum[v as usize] += DVec3::new(force.x, force.y, force.z);
        }
    }

    /// Elastic energy [J], up to a constant.
    pub fn energy(&self, lame: [f64; 2], u: &[DVec3]) -> f64 {
        (0..self.tets.len()).map(|tet| self.shapes[tet].volume * self.strained(tet, u).energy(lame)).sum()
    }

    /// How the resistance of vertices that can move changes with their places [N/m].
    pub fn stiffness(&self, lame: [f64; 2], u: &[DVec3]) -> Blocks {
        let mut matrix = self.stiffness.clone();
        for (tet, places) in self.places.iter().enumerate() {
            let shape = &self.shapes[tet];
            let gradients = shape.gradients();
            // Corner b along axis j: F changes by that axis times the corner's gradient.
            let ways: [Mat3<f64>; 12] = std::array::from_fn(|k| {
                let g = gradients[k / 3];
                let along = |size: f64| match k % 3 {
                    0 => Vec3::new(size, 0.0, 0.0),
                    1 => Vec3::new(0.0, size, 0.0),
                    _ => Vec3::new(0.0, 0.0, size),
                };
                Mat3::new(along(g.x), along(g.y), along(g.z))
            });
            let changes = self.strained(tet, u).changes(lame, ways).map(|change| shape.corners(change));
            for (k, &place) in places.iter().enumerate() {
                if place != HELD {
                    let column = |j: usize| {
                        let v = changes[3 * (k % 4) + j][k / 4];
                        DVec3::new(v.x, v.y, v.z)
                    };
                    matrix.values[place as usize] += DMat3::from_cols(column(0), column(1), column(2));
                }
            }
        }
        matrix
    }
}
