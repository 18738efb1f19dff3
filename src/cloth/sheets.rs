//! Finite-element sheets made ready: triangles and hinges with their rest shapes, their energy, and how large a step
//! explicit integration bears.
//!
//! A sum of elements is no stiffer than its stiffest element, if each element is given its share of the masses: with
//! λ the largest eigenvalue of an element's M⁻¹K, no frequency of the sheet exceeds ω² = λ. Of a triangle with
//! a third of its mass at each corner λ is that of (3/ρ) C B Bᵀ, a 3×3 matrix; of a hinge it is k Σ n w |∇θ|², with
//! n the hinges at the particle. Symplectic Euler with damping δ is stable while
//!
//!   ω² dt² + 2 δ dt < 4.

use super::hinges::{MeshEdges, dihedral_angle, hinge_factors};
use crate::math::{Hinge, Vec3};
use crate::model::Model;
use crate::model::elements::{Elements, Fold, Membrane};
use crate::model::incidence::ElementError;
use crate::scene::{Cloth, ClothGeometry, Fabric};
use crate::step::{Computed, Field, Shown, Values};
use glam::{DMat2, DMat3, DVec3};

/// k_e over the bending rigidity of a sheet: a sheet of equilateral triangles rolled to a cylinder then stores ½ B κ² per area.
const HINGE_FACTOR: f64 = 4.0;
/// Share of the stability limit that an undeformed sheet may use. Stretching a thread by 20 % raises its stiffness by
/// (3·1.2² − 1)/2 = 1.66 and the frequency by 1.29.
pub(crate) const STABLE_SHARE: f64 = 0.75;

/// The triangles and hinges of a sheet, by the body's own particle numbers.
pub(crate) fn elements(
    cloth: &Cloth,
    geometry: &ClothGeometry,
    fabric: u32,
) -> Result<Elements, ElementError> {
    let mesh = &geometry.mesh;
    let edges = MeshEdges::new(&mesh.triangles, mesh.positions.len())?;
    let membranes = mesh.triangles.iter().enumerate().map(|(t, &particles)| {
        let [a, b, c] = geometry.rest_triangle(t);
        // A pattern seen from behind is turned over: the law is the same on both sides.
        let rest = DMat2::from_cols(b - a, c - a);
        let flip = if rest.determinant() < 0.0 {
            DMat2::from_diagonal(glam::dvec2(-1.0, 1.0))
        } else {
            DMat2::IDENTITY
        };
        Membrane { particles, inverse_rest: (flip * rest).inverse(), fabric }
    });
    let mut elements = Elements { membranes: membranes.collect(), ..Elements::default() };
    if cloth.bending == crate::scene::Bending::Dihedral && cloth.bending_stiffness > 0.0 {
        let factor = hinge_factors(geometry);
        let rigidity = |[_, _, x3, x4]: [u32; 4]| cloth.bending_stiffness * factor([x3, x4]);
        let hinges = edges.hinges.iter();
        elements.folds = hinges.map(|&hinge| fold(cloth, rigidity(hinge), hinge, &mesh.positions)).collect();
        if cloth.pattern.is_some() {
            // Cut flat, wherever the panels are now.
            elements.folds.iter_mut().for_each(|fold| fold.rest_angle = 0.0);
        }
    }
    Ok(elements)
}

fn fold(cloth: &Cloth, rigidity: f64, particles: [u32; 4], positions: &[DVec3]) -> Fold {
    let x = particles.map(|p| positions[p as usize]);
    let [x1, x2, x3, x4] = x;
    let normals = (x1 - x3).cross(x1 - x4).length() + (x2 - x4).cross(x2 - x3).length();
    let stiffness = HINGE_FACTOR * rigidity * x3.distance_squared(x4) / normals;
    Fold {
        particles,
        stiffness,
        rest_angle: dihedral_angle(x),
        damping: 0.5 * cloth.fabric.bending_damping * stiffness,
    }
}

impl Membrane {
    /// D⁻¹ by rows, as the law takes it [1/m].
    pub fn rest(&self) -> [f64; 4] {
        let [[a, c], [b, d]] = self.inverse_rest.to_cols_array_2d();
        [a, b, c, d]
    }

    /// F where its corners are.
    pub fn gradient(&self, [a, b, c]: [DVec3; 3]) -> [DVec3; 2] {
        let [x, y] = self.inverse_rest.to_cols_array_2d();
        [(b - a) * x[0] + (c - a) * x[1], (b - a) * y[0] + (c - a) * y[1]]
    }

    /// [m²].
    pub fn rest_area(&self) -> f64 {
        0.5 / self.inverse_rest.determinant()
    }

    /// The stored energy [J].
    pub fn energy(&self, fabric: &Fabric, corners: [DVec3; 3]) -> f64 {
        let [f1, f2] = self.gradient(corners);
        let [a11, a22, a12, g] = fabric.moduli();
        let [e1, e2, e12] = if fabric.corotational {
            self.strains(corners)
        } else {
            [0.5 * (f1.dot(f1) - 1.0), 0.5 * (f2.dot(f2) - 1.0), 0.5 * f1.dot(f2)]
        };
        if fabric.tension_only {
            let (mean, radius) = (0.5 * (e1 + e2), (0.25 * (e1 - e2).powi(2) + e12 * e12).sqrt());
            let [high, low] = [mean + radius, mean - radius];
            if low + fabric.poisson_ratio * high < 0.0 {
                return self.rest_area() * 0.5 * fabric.weft_modulus * high.max(0.0).powi(2);
            }
        }
        self.rest_area() * (0.5 * (a11 * e1 * e1 + 2.0 * a12 * e1 * e2 + a22 * e2 * e2) + 2.0 * g * e12 * e12)
    }

    /// Strains along weft and warp and of shear, of the stretch U of F = R U: (U₁₁ − 1, U₂₂ − 1, U₁₂).
    pub fn strains(&self, corners: [DVec3; 3]) -> [f64; 3] {
        let [f1, f2] = self.gradient(corners);
        let (c11, c22, c12) = (f1.dot(f1), f2.dot(f2), f1.dot(f2));
        let s = (c11 * c22 - c12 * c12).max(0.0).sqrt();
        let t = (c11 + c22 + 2.0 * s).sqrt();
        if t == 0.0 {
            return [-1.0, -1.0, 0.0];
        }
        [(c11 + s) / t - 1.0, (c22 + s) / t - 1.0, c12 / t]
    }

    /// The largest eigenvalues of M⁻¹K and M⁻¹D at rest [1/s², 1/s].
    fn eigenvalues(&self, fabric: &Fabric, density: f64) -> [f64; 2] {
        let [a, b, c, d] = self.rest();
        let mut shape = DMat3::ZERO;
        for [x, y] in [[-(a + c), -(b + d)], [a, b], [c, d]] {
            shape += DMat3::from_cols(
                DVec3::new(x * x, 0.0, x * y),
                DVec3::new(0.0, y * y, x * y),
                DVec3::new(x * y, x * y, x * x + y * y),
            );
        }
        [fabric.moduli(), fabric.viscosities()].map(|[a11, a22, a12, g]| {
            let law = DMat3::from_cols(
                DVec3::new(a11, a12, 0.0),
                DVec3::new(a12, a22, 0.0),
                DVec3::new(0.0, 0.0, g),
            );
            3.0 / density * largest_eigenvalue(law * shape)
        })
    }
}

/// By power iteration; the matrix is similar to one with eigenvalues of 0 and more.
fn largest_eigenvalue(matrix: DMat3) -> f64 {
    let mut v = DVec3::new(1.0, 0.9, 0.8);
    let mut value = 0.0;
    for _ in 0..60 {
        let next = matrix * v;
        value = next.length() / v.length();
        if value == 0.0 {
            return 0.0;
        }
        v = next / next.length();
    }
    value
}

impl Fold {
    /// The stored energy, 0 at the rest angle [J].
    pub fn energy(&self, x: [DVec3; 4]) -> f64 {
        let (theta, rest) = (dihedral_angle(x), self.rest_angle);
        let bent = (0.5 * rest).cos() - (0.5 * theta).cos() - 0.5 * (0.5 * rest).sin() * (theta - rest);
        2.0 * self.stiffness * bent
    }
}

/// The energy of the sheets [J].
pub(crate) fn energy(model: &Model, positions: &[DVec3]) -> f64 {
    let x = |particle: u32| positions[particle as usize];
    let elements = model.elements.iter();
    elements
        .map(|e| {
            let membranes = e.membranes.iter();
            let membranes =
                membranes.map(|m| m.energy(&model.fabrics[m.fabric as usize], m.particles.map(x)));
            membranes.sum::<f64>() + e.folds.iter().map(|f| f.energy(f.particles.map(x))).sum::<f64>()
        })
        .sum()
}

/// The longest substep at which symplectic integration of a body's sheet at rest is stable [s], if it has one.
pub fn stable_substep(model: &Model, body: usize) -> Option<f64> {
    let elements = &model.elements[body];
    if elements.membranes.is_empty() {
        return None;
    }
    let mut densities = [0.0f64; 2];
    for membrane in &elements.membranes {
        densities[0] += membrane.rest_area();
    }
    let numbers = model.bodies[body].particles.clone().map(|user| model.order.new_of_old[user as usize]);
    densities[1] = numbers.map(|particle| model.particles.masses[particle as usize]).sum();
    let density = densities[1] / densities[0];
    let mut largest = [0.0f64; 2];
    for membrane in &elements.membranes {
        let values = membrane.eigenvalues(&model.fabrics[membrane.fabric as usize], density);
        largest = [0, 1].map(|k| largest[k].max(values[k]));
    }
    let folds = fold_eigenvalues(model, elements);
    let [square, damping] = [0, 1].map(|k| largest[k] + folds[k]);
    Some(((damping * damping + 4.0 * square).sqrt() - damping) / square)
}

fn fold_eigenvalues(model: &Model, elements: &Elements) -> [f64; 2] {
    let mut meeting = std::collections::HashMap::<u32, f64>::new();
    for particle in elements.folds.iter().flat_map(|fold| fold.particles) {
        *meeting.entry(particle).or_default() += 1.0;
    }
    let mut largest = [0.0f64; 2];
    for fold in &elements.folds {
        let [x1, x2, x3, x4] = fold.particles.map(|p| model.particles.positions[p as usize]);
        let edge = |v: DVec3| Vec3::<f64>::of(v.to_array());
        let hinge = Hinge::new(edge(x4 - x3), edge(x1 - x3), edge(x2 - x3));
        let sum: f64 = fold
            .particles
            .iter()
            .zip(hinge.gradients)
            .map(|(&p, g)| meeting[&p] * model.particles.inverse_masses[p as usize] * g.dot(g))
            .sum();
        largest[0] = largest[0].max(0.5 * fold.stiffness * sum);
        largest[1] = largest[1].max(fold.damping * sum);
    }
    largest
}

/// The strains of every triangle of a model, weft, warp and shear.
pub fn strains<'a>(
    model: &'a Model,
    positions: &'a [DVec3],
) -> impl Iterator<Item = ([u32; 3], [f64; 3])> + 'a {
    let membranes = model.elements.iter().flat_map(|elements| &elements.membranes);
    membranes.map(|m| (m.particles, m.strains(m.particles.map(|p| positions[p as usize]))))
}

/// By how much the worst triangle is beyond its strain limits; 0 within.
pub fn largest_violation(model: &Model, positions: &[DVec3]) -> f64 {
    let membranes = model.elements.iter().flat_map(|elements| &elements.membranes);
    membranes
        .map(|m| {
            let strains = m.strains(m.particles.map(|p| positions[p as usize]));
            model.fabrics[m.fabric as usize].limits.violation(strains)
        })
        .fold(0.0, f64::max)
}

/// What colours and files show of finite-element sheets.
pub static FIELDS: &[Field] = &[
    field("weft", "strain_weft", |model, shown| mode(model, shown.positions, 0)),
    field("warp", "strain_warp", |model, shown| mode(model, shown.positions, 1)),
    field("shear", "strain_shear", |model, shown| mode(model, shown.positions, 2)),
];

const fn field(name: &'static str, file: &'static str, values: fn(&Model, &Shown<'_>) -> Vec<f64>) -> Field {
    let is_there = |model: &Model| model.elements.iter().any(|elements| !elements.membranes.is_empty());
    let values = Values::Computed(Computed { is_there, values, in_files: Some(file) });
    Field { name, title: name, unit: "%", values }
}

/// The strain of one mode at each particle.
fn mode(model: &Model, positions: &[DVec3], mode: usize) -> Vec<f64> {
    mode_strains(model, positions).into_iter().map(|strain| strain[mode]).collect()
}

/// Strains of sheets at each particle, weft, warp and shear: the mean of its triangles; 0 without any.
pub fn mode_strains(model: &Model, positions: &[DVec3]) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]; positions.len()];
    let mut counts = vec![0.0; positions.len()];
    for (particles, strain) in strains(model, positions) {
        for p in particles.map(|p| p as usize) {
            counts[p] += 1.0;
            sums[p] = [0, 1, 2].map(|mode| sums[p][mode] + strain[mode]);
        }
    }
    sums.iter().zip(&counts).map(|(sum, &n): (_, &f64)| sum.map(|s: f64| s / n.max(1.0))).collect()
}
