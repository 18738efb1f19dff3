//! What a solid's state amounts to, on the host in f64: energy and stress of every tetrahedron, how large a step explicit
//! integration bears.

use super::law::{self, Deformed, law_of};
use super::springs::Springs;
use crate::math::{Mat3, Vec3};
use crate::model::Model;
use crate::model::elements::Tet;
use crate::model::solids::SolidLaw;
use crate::scene::SolidModel;
use glam::{DMat3, DVec3};

/// Share of the stability limit of the body at rest that a scene may use: compressed, it is stiffer.
pub(crate) const STABLE_SHARE: f64 = 0.9;
/// Volume over that at rest of what is flat and has no Cauchy stress.
const FLAT: f64 = 1e-6;
/// Steps of Lanczos' method for the highest frequency; it is within a thousandth then.
const LANCZOS_STEPS: usize = 60;

/// What one tetrahedron holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TetState {
    /// [J].
    pub energy: f64,
    /// Of the Cauchy stress [Pa].
    pub von_mises: f64,
    /// Volume over that at rest; negative when inverted.
    pub volume_ratio: f64,
    /// The principal stretches, the largest first; the last has the sign of the volume.
    pub stretches: [f64; 3],
}

impl Tet {
    /// What the tetrahedron holds where its corners are. An inverted one is taken as inverted along its smallest stretch,
    /// which is what the solver may have decided otherwise.
    pub fn state(&self, law: &SolidLaw, corners: [DVec3; 4]) -> TetState {
        let f = self.deformation(corners);
        let kind = law_of(law.model);
        let at = Deformed {
            rest: self.rest_shape(),
            f: mat3(f),
            moduli: (kind.moduli)(law),
            ignores_inversion: law.ignores_inversion(),
        };
        let held = (kind.held)(&at);
        let p = dmat3(held.stress);
        let j = f.determinant();
        // A flat element has no Cauchy stress; P Rᵀ is what is left of it.
        let cauchy = match law.model {
            _ if j.abs() > FLAT => p * f.transpose() * (1.0 / j),
            SolidModel::Linear => p,
            _ => p * dmat3(at.rotation()).transpose(),
        };
        TetState {
            energy: self.rest_volume * held.energy,
            von_mises: von_mises(cauchy),
            volume_ratio: j,
            stretches: stretches(f),
        }
    }
}

fn mat3(m: DMat3) -> Mat3<f64> {
    let [x, y, z] = m.to_cols_array_2d().map(Vec3::of);
    Mat3::new(x, y, z)
}

fn dmat3(m: Mat3<f64>) -> DMat3 {
    let [x, y, z] = [m.x, m.y, m.z].map(|v| DVec3::new(v.x, v.y, v.z));
    DMat3::from_cols(x, y, z)
}

/// The rotation of F, an inverted one along its smallest stretch.
pub fn rotation_of(f: DMat3) -> DMat3 {
    dmat3(law::rotation_of(mat3(f)))
}

/// √(3/2 s:s), s the deviator [Pa].
fn von_mises(stress: DMat3) -> f64 {
    let s = 0.5 * (stress + stress.transpose());
    let mean = (s.x_axis.x + s.y_axis.y + s.z_axis.z) / 3.0;
    let deviator = s - DMat3::from_diagonal(DVec3::splat(mean));
    (1.5 * deviator.to_cols_array().iter().map(|x| x * x).sum::<f64>()).sqrt()
}

/// The principal stretches of F, the largest first; the last has the sign of det F.
fn stretches(f: DMat3) -> [f64; 3] {
    // Eigenvalues of the symmetric FᵀF by its invariants.
    let c = f.transpose() * f;
    let mean = (c.x_axis.x + c.y_axis.y + c.z_axis.z) / 3.0;
    let k = c - DMat3::from_diagonal(DVec3::splat(mean));
    let radius = (k.to_cols_array().iter().map(|x| x * x).sum::<f64>() / 6.0).sqrt();
    if radius <= 1e-15 * mean {
        let s = mean.max(0.0).sqrt();
        return [s, s, s.copysign(f.determinant())];
    }
    let angle = (0.5 * k.determinant() / radius.powi(3)).clamp(-1.0, 1.0).acos() / 3.0;
    let third = std::f64::consts::TAU / 3.0;
    let [a, b, c] =
        [0.0, 2.0 * third, third].map(|turn| (mean + 2.0 * radius * (angle + turn).cos()).max(0.0).sqrt());
    // The smallest loses its digits in the square; the determinant has them.
    let c = if a * b > 0.0 { f.determinant() / (a * b) } else { c };
    [a, b, c]
}

/// Every tetrahedron of the solids of a body with its state, by the model's positions. The number is its place among the
/// body's tetrahedra.
pub fn states<'a>(
    model: &'a Model,
    body: usize,
    positions: &'a [DVec3],
) -> impl Iterator<Item = (&'a Tet, TetState)> + 'a {
    model.elements[body].tets.iter().map(|tet| {
        let law = &model.solid_materials[tet.material as usize];
        (tet, tet.state(law, tet.particles.map(|p| positions[p as usize])))
    })
}

/// What all tetrahedra of a scene hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// [J].
    pub energy: f64,
    /// The largest stretch less 1; 0 without any above 1.
    pub largest_strain: f64,
    /// Of all principal stretches, negative when inverted; 1 without any below 1.
    pub smallest_stretch: f64,
    /// How many are inside out or flat.
    pub inverted: u32,
}

pub fn summary(model: &Model, positions: &[DVec3]) -> Summary {
    let all = (0..model.bodies.len()).flat_map(|body| states(model, body, positions));
    let none = Summary { smallest_stretch: 1.0, ..Summary::default() };
    all.fold(none, |sum, (_, state)| Summary {
        energy: sum.energy + state.energy,
        largest_strain: sum.largest_strain.max(state.stretches[0] - 1.0),
        smallest_stretch: sum.smallest_stretch.min(state.stretches[2]),
        inverted: sum.inverted + u32::from(state.volume_ratio <= 0.0),
    })
}

/// The highest angular frequency of a body's tetrahedra at rest [1/s], by Lanczos' method with M⁻¹K; none without any.
pub fn highest_frequency(model: &Model, body: usize) -> Option<f64> {
    let tets = model.tets_of(body, SolidModel::has_forces);
    let first = tets.iter().flat_map(|tet| tet.particles).min()?;
    let last = tets.iter().flat_map(|tet| tet.particles).max()?;
    let inverse_masses = &model.particles.inverse_masses[first as usize..=last as usize];
    // M⁻¹K is symmetric in the product of the masses. Pinned particles take no part.
    let product = |a: &[DVec3], b: &[DVec3]| -> f64 {
        let masses = inverse_masses.iter().map(|&w| if w > 0.0 { 1.0 / w } else { 0.0 });
        a.iter().zip(b).zip(masses).map(|((a, b), m)| m * a.dot(*b)).sum()
    };
    let stiffness = |v: &[DVec3]| {
        let mut next = vec![DVec3::ZERO; v.len()];
        for tet in tets {
            let law = &model.solid_materials[tet.material as usize];
            let places = tet.particles.map(|p| (p - first) as usize);
            let gradient = tet.deformation(places.map(|p| v[p]));
            let stress = if law.model == SolidModel::Springs {
                let springs = Springs::new(&tet.rest_shape(), Mat3::IDENTITY, law.springs(), true);
                dmat3(springs.change(mat3(gradient)))
            } else {
                let [lambda, mu] = law.material.lame();
                let sum = gradient + gradient.transpose();
                let trace = 0.5 * (sum.x_axis.x + sum.y_axis.y + sum.z_axis.z);
                mu * sum + DMat3::from_diagonal(DVec3::splat(lambda * trace))
            };
            for (place, g) in places.into_iter().zip(tet.all_gradients()) {
                next[place] += tet.rest_volume * (stress * g);
            }
        }
        next.iter_mut().zip(inverse_masses).for_each(|(x, w)| *x *= *w);
        next
    };
    // Something of every mode.
    let mut v: Vec<DVec3> = (0..inverse_masses.len())
        .zip(inverse_masses)
        .map(|(i, w)| {
            let phase = i as f64;
            let v = DVec3::new((1.7 * phase).sin(), (2.3 * phase + 1.0).sin(), (2.9 * phase + 2.0).sin());
            if *w > 0.0 { v } else { DVec3::ZERO }
        })
        .collect();
    let mut before = vec![DVec3::ZERO; v.len()];
    let mut size = product(&v, &v).sqrt();
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..LANCZOS_STEPS {
        if size <= 1e-12 * diagonal.iter().copied().fold(0.0, f64::max) || size == 0.0 {
            break;
        }
        v.iter_mut().for_each(|x| *x /= size);
        let mut next = stiffness(&v);
        let coupling = if diagonal.is_empty() { 0.0 } else { size };
        next.iter_mut().zip(&before).for_each(|(x, old)| *x -= coupling * *old);
        let own = product(&next, &v);
        next.iter_mut().zip(&v).for_each(|(x, v)| *x -= own * *v);
        diagonal.push(own);
        beside.push(coupling * coupling);
        size = product(&next, &next).sqrt();
        before = std::mem::replace(&mut v, next);
    }
    (!diagonal.is_empty()).then(|| largest_eigenvalue(&diagonal, &beside).sqrt())
}

/// Of a symmetric tridiagonal matrix by its diagonal and the squares beside it, by bisection with Sturm's count.
fn largest_eigenvalue(diagonal: &[f64], beside: &[f64]) -> f64 {
    let is_above_all = |x: f64| {
        let mut pivot = 1.0;
        diagonal.iter().zip(beside).all(|(d, square)| {
            pivot = d - x - square / pivot;
            pivot < 0.0
        })
    };
    let widest = beside.iter().copied().fold(0.0, f64::max).sqrt();
    let (mut low, mut high) = (0.0, diagonal.iter().copied().fold(0.0, f64::max) + 2.0 * widest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if is_above_all(middle) { high = middle } else { low = middle }
    }
    high
}

/// Rayleigh's α and β of a body [1/s, s]; none without tetrahedra that are forces.
fn rayleigh(model: &Model, body: usize) -> Option<[f64; 2]> {
    Some(model.solid_law(body).filter(|law| law.model.has_forces())?.rayleigh)
}

/// The largest stable substep of symplectic Euler for a body at rest [s]: ω² dt² + 2 δ dt < 4 with Rayleigh's
/// δ = (α + β ω²)/2; none without tetrahedra that are forces.
pub fn stable_substep(model: &Model, body: usize) -> Option<f64> {
    let omega = highest_frequency(model, body)?;
    let [alpha, beta] = rayleigh(model, body)?;
    let damping = alpha + beta * omega * omega;
    Some(((damping * damping + 16.0 * omega * omega).sqrt() - damping) / (2.0 * omega * omega))
}

/// The largest stable substep of explicit Euler for a body at rest [s], 0 without damping; none without tetrahedra that are forces.
///
/// A mode of frequency ω and damping γ = α + β ω² is stable while dt ω² < γ < 2/dt + dt ω²/2 (Schmedding 2012, sec. 8.1.1). Both bounds are
/// linear in ω², so that the highest frequency and that of rigid motion, 0, decide for all.
pub fn explicit_substep(model: &Model, body: usize) -> Option<f64> {
    let square = highest_frequency(model, body)?.powi(2);
    let [alpha, beta] = rayleigh(model, body)?;
    let gamma = alpha + beta * square;
    // Of ω² dt²/2 − γ dt + 2 = 0 the smaller root; the larger is beyond γ/ω².
    let discriminant = gamma * gamma - 4.0 * square;
    let overdamped = if discriminant >= 0.0 { (gamma - discriminant.sqrt()) / square } else { f64::INFINITY };
    Some((gamma / square).min(overdamped).min(2.0 / alpha))
}
