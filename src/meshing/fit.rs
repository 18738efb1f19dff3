//! A carved lattice made smooth, and laid against the surface.
//!
//! Smoothing moves a vertex of the boundary along the scale-dependent umbrella
//!
//!   L(x) = 2/E Σⱼ (xⱼ − x)/|xⱼ − x|        E = Σⱼ |xⱼ − x|
//!
//! (Desbrun, Meyer, Schröder, Barr 1999). That shrinks a body, so each vertex then goes back along its normal by the volume that the
//! triangles around it have swept: δ = −ΔV / (A/3), with a third of what each triangle swept. Scaling the whole body back instead
//! would close its hollows.
//!
//! Fitting slides a vertex along the boundary to the middle of its neighbours, and on to the surface. Where the surface has an edge or a
//! corner near, it goes there: to the point that is nearest to the planes of the triangles at which its neighbours are, as in the
//! quadrics of Garland, Heckbert 1997.
//!
//! Every move is tried before it is made: no tetrahedron may become worse than [`WORST`], or worse than it is if it was worse, so that
//! none is ever inverted. Vertices of one colour share no tetrahedron and move at the same time.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::carve::Carved;
use super::quality::radius_ratio;
use super::solid::Solid;
use super::tet_groups::boundary;
use crate::meshing::tet_mesh::TetMesh;

/// The radius ratio 3 r / R below which no move may push a tetrahedron.
pub const WORST: f64 = 0.2;
/// Vertices so many edges from the boundary take part; those deeper inside are well shaped already.
const DEPTH: usize = 3;
/// Shares of a move that are tried, the largest first.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// λ dt of the umbrella, over the square of the mean edge; ½ is the stable limit.
const UMBRELLA: f64 = 0.25;

/// The length of the mean of the surface's normals around a vertex below which it lies on an edge: 0.71 to 0.75 at a right
/// angle, 0.9 on a ball of only six cells.
const SHARP: f64 = 0.8;

/// How far a vertex may be from an edge or corner to be drawn to it, in edges of the mesh around it: the next row is about 0.8 away.
const REACH: f64 = 0.6;
/// What keeps a vertex where the planes around it leave it free, beside their mean square of 1.
const STAY: f64 = 0.01;

/// Lists of lists.
struct Csr {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Csr {
    /// Pairs of a list and a member of it.
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        pairs.clone().for_each(|(list, _)| starts[list as usize + 1] += 1);
        (0..count).for_each(|i| starts[i + 1] += starts[i]);
        let mut next = starts.clone();
        let mut members = vec![0; starts[count] as usize];
        for (list, member) in pairs {
            members[next[list as usize] as usize] = member;
            next[list as usize] += 1;
        }
        Self { starts, members }
    }

    fn of(&self, list: u32) -> &[u32] {
        &self.members[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }
}

/// A mesh on its way.
pub struct Fit {
    pub mesh: TetMesh,
    boundary: Vec<[u32; 3]>,
    on_boundary: Vec<bool>,
    tets_of: Csr,
    faces_of: Csr,
    /// By colour, the vertices that take part.
    colours: [Vec<u32>; 8],
    /// For each vertex the triangle of the surface that was nearest last.
    guesses: Vec<u32>,
    /// Whether they have been found once.
    located: bool,
}

impl Fit {
    pub fn new(carved: Carved) -> Self {
        let Carved { mesh, colours: colour_of, .. } = carved;
        let count = mesh.vertices.len();
        let boundary = boundary(&mesh.tets);
        let mut on_boundary = vec![false; count];
        boundary.iter().flatten().for_each(|&v| on_boundary[v as usize] = true);
        let tets_of = Csr::new(count, pairs(&mesh.tets));
        let faces_of = Csr::new(count, pairs(&boundary));
        let mut active = on_boundary.clone();
        for _ in 0..DEPTH {
            let reached: Vec<u32> = mesh
                .tets
                .iter()
                .filter(|tet| tet.iter().any(|&v| active[v as usize]))
                .flatten()
                .copied()
                .collect();
            reached.iter().for_each(|&v| active[v as usize] = true);
        }
        let mut colours: [Vec<u32>; 8] = Default::default();
        for (v, &colour) in (0..).zip(&colour_of) {
            if active[v as usize] {
                colours[colour as usize].push(v);
            }
        }
        Self {
            guesses: vec![0; count],
            located: false,
            mesh,
            boundary,
            on_boundary,
            tets_of,
            faces_of,
            colours,
        }
    }

    /// One round of smoothing with the local restoration of volume.
    pub fn smooth(&mut self) {
        let before = self.mesh.vertices.clone();
        self.sweep(|fit, v| fit.on_boundary[v as usize].then(|| fit.umbrella(v)));
        // What is put back has an error of second order; once more halves it at least.
        for _ in 0..2 {
            let moved = self.restoration(&before);
            self.sweep(|fit, v| {
                fit.on_boundary[v as usize].then(|| fit.mesh.vertices[v as usize] + moved[v as usize])
            });
        }
        self.relax();
    }

    /// One round of fitting to the boundary of a solid.
    pub fn fit(&mut self, solid: &Solid) {
        let mut guesses = std::mem::take(&mut self.guesses);
        if !std::mem::replace(&mut self.located, true) {
            let (boundary, vertices) = (&self.on_boundary, &self.mesh.vertices);
            guesses.par_iter_mut().enumerate().filter(|(v, _)| boundary[*v]).for_each(|(v, guess)| {
                *guess = solid.project(vertices[v], 0).1;
            });
        }
        for colour in 0..self.colours.len() {
            let moves: Vec<(u32, DVec3, u32)> = self.colours[colour]
                .par_iter()
                .filter(|&&v| self.on_boundary[v as usize])
                .map(|&v| {
                    let (x, guess) = (self.mesh.vertices[v as usize], guesses[v as usize]);
                    let (target, guess) = if self.smoothness(v, solid, &guesses) >= SHARP {
                        solid.project(x + self.slide(v), guess)
                    } else {
                        self.feature(v, solid, &guesses).unwrap_or_else(|| solid.project(x, guess))
                    };
                    (v, self.allowed(v, target), guess)
                })
                .collect();
            for (v, x, guess) in moves {
                self.mesh.vertices[v as usize] = x;
                guesses[v as usize] = guess;
            }
        }
        self.guesses = guesses;
        self.relax();
    }

    /// The root mean square distance of the vertices of the boundary from where they belong [m].
    pub fn distance(&self, solid: &Solid) -> f64 {
        let squared: Vec<f64> = (0..self.mesh.vertices.len())
            .into_par_iter()
            .filter(|&v| self.on_boundary[v])
            .map(|v| {
                let (x, guess) = (self.mesh.vertices[v], self.guesses[v]);
                let (place, _) = solid.sharp_point(x, guess).unwrap_or_else(|| solid.project(x, guess));
                place.distance_squared(x)
            })
            .collect();
        (squared.iter().sum::<f64>() / squared.len().max(1) as f64).sqrt()
    }

    /// Inner vertices to the middle of their neighbours, where that makes the worst tetrahedron there better.
    fn relax(&mut self) {
        for colour in 0..self.colours.len() {
            let moves: Vec<(u32, DVec3)> = self.colours[colour]
                .par_iter()
                .filter(|&&v| !self.on_boundary[v as usize])
                .filter_map(|&v| {
                    let x = self.mesh.vertices[v as usize];
                    let worst = self.worst_at(v, x);
                    let better = |share: f64| {
                        let trial = x + (self.middle(v) - x) * share;
                        (self.worst_at(v, trial) > worst).then_some((v, trial))
                    };
                    SHARES.into_iter().find_map(better)
                })
                .collect();
            moves.into_iter().for_each(|(v, x)| self.mesh.vertices[v as usize] = x);
        }
    }

    /// Moves each vertex towards where `target` wants it, as far as is allowed.
    fn sweep(&mut self, target: impl Fn(&Self, u32) -> Option<DVec3> + Sync) {
        for colour in 0..self.colours.len() {
            let moves: Vec<(u32, DVec3)> = self.colours[colour]
                .par_iter()
                .filter_map(|&v| Some((v, self.allowed(v, target(self, v)?))))
                .collect();
            moves.into_iter().for_each(|(v, x)| self.mesh.vertices[v as usize] = x);
        }
    }

    /// How far towards a target a vertex may go.
    fn allowed(&self, v: u32, target: DVec3) -> DVec3 {
        let x = self.mesh.vertices[v as usize];
        let bound = self.worst_at(v, x).min(WORST);
        let trial = |share: f64| x + (target - x) * share;
        SHARES.into_iter().map(trial).find(|&y| self.worst_at(v, y) >= bound).unwrap_or(x)
    }

    /// The worst radius ratio around a vertex if it were at `x`.
    fn worst_at(&self, v: u32, x: DVec3) -> f64 {
        let ratio = |&t: &u32| {
            let place = |corner| if corner == v { x } else { self.mesh.vertices[corner as usize] };
            radius_ratio(self.mesh.tets[t as usize].map(place))
        };
        self.tets_of.of(v).iter().map(ratio).fold(f64::INFINITY, f64::min)
    }

    /// The mean of all neighbours, each as often as tetrahedra share the edge to it.
    fn middle(&self, v: u32) -> DVec3 {
        let tets = self.tets_of.of(v);
        let others = |&t: &u32| {
            let tet = self.mesh.tets[t as usize];
            tet.into_iter().filter(|&c| c != v).map(|c| self.mesh.vertices[c as usize]).sum::<DVec3>()
        };
        tets.iter().map(others).sum::<DVec3>() / (3 * tets.len()) as f64
    }

    /// Each neighbour on the boundary, twice: it is in two of the triangles around the vertex.
    fn around(&self, v: u32) -> impl Iterator<Item = u32> {
        let face = move |&f: &u32| self.boundary[f as usize].into_iter().filter(move |&c| c != v);
        self.faces_of.of(v).iter().flat_map(face)
    }

    /// Where the neighbours on the boundary are.
    fn neighbours(&self, v: u32) -> impl Iterator<Item = DVec3> {
        self.around(v).map(|c| self.mesh.vertices[c as usize])
    }

    /// The length of the mean of the surface's normals where the neighbours of a vertex are: 1 if it is flat there.
    fn smoothness(&self, v: u32, solid: &Solid, guesses: &[u32]) -> f64 {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for c in self.around(v) {
            sum += solid.normal(guesses[c as usize]);
            count += 1.0;
        }
        if count > 0.0 { sum.length() / count } else { 1.0 }
    }

    /// The point of an edge or corner of the surface to which a vertex belongs, and a triangle there.
    fn feature(&self, v: u32, solid: &Solid, guesses: &[u32]) -> Option<(DVec3, u32)> {
        let x = self.mesh.vertices[v as usize];
        let (mut matrix, mut side, mut length, mut count) = (DMat3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for c in self.around(v) {
            let triangle = guesses[c as usize];
            let normal = solid.normal(triangle);
            matrix += DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
            side -= normal * solid.height(x, triangle);
            length += self.mesh.vertices[c as usize].distance(x);
            count += 1.0;
        }
        let way = (matrix + DMat3::from_diagonal(DVec3::splat(STAY * count))).inverse() * side;
        // Not a number, and so not within reach, where there is no neighbour.
        let is_near = way.length() <= REACH * length / count;
        if is_near { solid.sharp_point(x + way, guesses[v as usize]) } else { None }
    }

    fn umbrella(&self, v: u32) -> DVec3 {
        let x = self.mesh.vertices[v as usize];
        let (mut sum, mut length, mut count) = (DVec3::ZERO, 0.0, 0.0);
        for y in self.neighbours(v) {
            sum += (y - x).normalize_or_zero();
            length += y.distance(x);
            count += 1.0;
        }
        if length == 0.0 {
            return x;
        }
        let mean: f64 = length / count;
        x + sum * (2.0 / length) * UMBRELLA * mean * mean
    }

    /// Area vector of the triangles around a vertex, and the sum of their areas [m²].
    fn normal(&self, v: u32) -> (DVec3, f64) {
        let mut sum = (DVec3::ZERO, 0.0);
        for &f in self.faces_of.of(v) {
            let [a, b, c] = self.boundary[f as usize].map(|v| self.mesh.vertices[v as usize]);
            let area = 0.5 * (b - a).cross(c - a);
            sum = (sum.0 + area, sum.1 + area.length());
        }
        sum
    }

    /// Half the way to the middle of the neighbours on the boundary, within the tangent plane.
    fn slide(&self, v: u32) -> DVec3 {
        let x = self.mesh.vertices[v as usize];
        let (sum, count) = self.neighbours(v).fold((DVec3::ZERO, 0.0), |(sum, n), y| (sum + y, n + 1.0));
        let way = 0.5 * (sum / count - x);
        let normal = self.normal(v).0.normalize_or_zero();
        way - normal * normal.dot(way)
    }

    /// For each vertex the way along its normal that gives back what the triangles around it have swept since `before`.
    fn restoration(&self, before: &[DVec3]) -> Vec<DVec3> {
        let swept: Vec<f64> = self
            .boundary
            .par_iter()
            .map(|t| {
                let [from, to] = [before, &self.mesh.vertices].map(|x| t.map(|v| x[v as usize]));
                swept_volume(from, to)
            })
            .collect();
        (0..self.mesh.vertices.len() as u32)
            .into_par_iter()
            .map(|v| {
                if !self.on_boundary[v as usize] {
                    return DVec3::ZERO;
                }
                let volume: f64 = self.faces_of.of(v).iter().map(|&f| swept[f as usize] / 3.0).sum();
                let (normal, area) = self.normal(v);
                if area > 0.0 { normal.normalize_or_zero() * (-volume / (area / 3.0)) } else { DVec3::ZERO }
            })
            .collect()
    }
}

fn pairs<const N: usize>(elements: &[[u32; N]]) -> impl Iterator<Item = (u32, u32)> + Clone {
    (0..).zip(elements).flat_map(|(k, corners)| corners.iter().map(move |&v| (v, k)))
}

/// Volume that a triangle sweeps while its corners move in straight lines, positive outwards [m³].
///
/// The mean motion times the area vector, integrated over the way; the area vector is quadratic in it, so Simpson's rule is exact.
fn swept_volume(from: [DVec3; 3], to: [DVec3; 3]) -> f64 {
    let area = |t: f64| {
        let [a, b, c]: [DVec3; 3] = std::array::from_fn(|k| from[k].lerp(to[k], t));
        0.5 * (b - a).cross(c - a)
    };
    let motion: DVec3 = (0..3).map(|k| to[k] - from[k]).sum::<DVec3>() / 3.0;
    motion.dot(area(0.0) + 4.0 * area(0.5) + area(1.0)) / 6.0
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Lattice;
    use super::*;
    use glam::UVec3;

    fn cube(n: u32) -> Fit {
        let mesh = TetMesh::cuboid(DVec3::ONE, [n; 3]);
        let lattice = Lattice { origin: DVec3::ZERO, cell: DVec3::ONE, cells: UVec3::splat(n) };
        let colour = |v| {
            let parity = lattice.index(v as u64) & 1;
            (parity.x | parity.y << 1 | parity.z << 2) as u8
        };
        let colours = (0..mesh.vertices.len()).map(colour).collect();
        Fit::new(Carved { mesh, colours, dropped: 0 })
    }

    #[test]
    fn what_triangles_sweep_adds_up_to_the_change_of_volume() {
        let mut fit = cube(3);
        let before = fit.mesh.clone();
        for (k, x) in fit.mesh.vertices.iter_mut().enumerate() {
            let k = k as f64;
            *x += 0.05 * DVec3::new((3.0 * k).sin(), (5.0 * k).cos(), (7.0 * k).sin());
        }
        let swept: f64 = fit
            .boundary
            .iter()
            .map(|t| {
                let corners = |m: &TetMesh| t.map(|v| m.vertices[v as usize]);
                swept_volume(corners(&before), corners(&fit.mesh))
            })
            .sum();
        assert!((swept - (fit.mesh.volume() - before.volume())).abs() < 1e-13);
    }

    #[test]
    fn smoothing_rounds_a_cube_and_keeps_its_volume() {
        /// The volume that guarded moves and second order may cost.
        const LOSS: f64 = 0.01;
        let mut fit = cube(8);
        (0..10).for_each(|_| fit.smooth());
        fit.mesh.check().unwrap();
        assert!((fit.mesh.volume() - 1.0).abs() < LOSS, "{}", fit.mesh.volume());
        let corner = fit.mesh.vertices[0].length();
        assert!(corner < 0.95 * 0.75f64.sqrt(), "the corner is still {corner} from the middle");
        let worst = super::super::quality::Quality::of(&fit.mesh).worst_radius_ratio;
        assert!(worst >= WORST - 1e-12, "{worst}");
    }
}
