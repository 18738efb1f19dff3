//! The reference model of Spillmann & Teschner 2009: a rod without frames of its own, on the CPU in f64.
//!
//! A point and a roll angle per segment are all there is: d₃ is the segment's direction ν itself, so nothing holds frames to
//! it, and the kinetic energy is that of the rod and nothing is counted twice. The price is a mass matrix that depends on the
//! state, and a direction in which the frames have no meaning.
//!
//!   R = R_b(ν) R_a(φ)        R_b turns e₃ to ν about the axis (−ν₂, ν₁, 0); undefined for ν = −e₃
//!   T = Σ (ρA l/6)(vₐ² + vₐ·v_b + v_b²) + (l/2)(I₁ |ν̇|² + I₃ (φ̇ + η)²)        η = (ν₂ ν̇₁ − ν₁ ν̇₂)/(1 + ν₃)
//!   V = Σ (l/2) Kₛ (|d|/l − 1)² + Σ (L/2) u·K u        u = 2 s/L
//!   M g̈ = −∂V/∂g + ∂T/∂g − Ṁ ġ + f        g = (r₁, φ₁, r₂, φ₂, …, r_N)
//!
//! Spillmann & Teschner 2009, appendix II, with the factor ½ of the strain energy that eq. (39) lacks, the term ∂T/∂g that
//! eq. (38) lacks, and R_b written so that only one of its two poles is singular.

use super::band::Band;
use crate::math::Lane;
use crate::math::dual::Dual;
use glam::{DMat3, DQuat, DVec3};

/// Coordinates of a segment: a point, its roll, the next point.
const ELEMENT: usize = 7;
/// Coordinates that an orientation element couples: two segments.
const WIDTH: usize = 10;

/// Iterations for the slowest mode.
const INVERSE_ITERATIONS: u32 = 500;

/// A number with its change along one direction.
type Number = Dual<1>;

/// A straight, uniform rod at rest along its first direction.
#[derive(Clone, Debug)]
pub struct ReferenceRod {
    /// l [m].
    pub segment_length: f64,
    /// ρA [kg/m].
    pub line_density: f64,
    /// I₁ = I₂ and I₃ [kg m].
    pub inertia: [f64; 2],
    /// Kₛ [N].
    pub stretch: f64,
    /// K₁, K₂, K₃ [N m²].
    pub bending: DVec3,
    /// [m/s²].
    pub gravity: DVec3,
    /// What acts on each coordinate besides [N, N m].
    pub loads: Vec<f64>,
    /// Decay of velocities [1/s].
    pub damping: f64,
    /// Which coordinates are held.
    pub held: Vec<bool>,
    /// g and ġ.
    pub state: Vec<f64>,
    pub rates: Vec<f64>,
}

/// Energies by what holds them [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    pub stretch: f64,
    pub bend: f64,
    pub twist: f64,
    pub kinetic: f64,
    /// Of gravity and the loads.
    pub gravity: f64,
}

impl Energies {
    pub fn total(&self) -> f64 {
        self.stretch + self.bend + self.twist + self.kinetic + self.gravity
    }
}

/// Where the coordinates of point i begin; its roll, if it has a segment, follows.
pub fn place(point: usize) -> usize {
    4 * point
}

impl ReferenceRod {
    /// A rod of points at equal distances along a line, at rest.
    pub fn line(from: DVec3, to: DVec3, segments: usize) -> Self {
        let mut state = Vec::with_capacity(4 * segments + 3);
        for i in 0..=segments {
            state.extend(from.lerp(to, i as f64 / segments as f64).to_array());
            if i < segments {
                state.push(0.0);
            }
        }
        Self {
            segment_length: from.distance(to) / segments as f64,
            line_density: 1.0,
            inertia: [0.0, 1.0],
            stretch: 1.0,
            bending: DVec3::ONE,
            gravity: DVec3::ZERO,
            loads: vec![0.0; state.len()],
            damping: 0.0,
            held: vec![false; state.len()],
            rates: vec![0.0; state.len()],
            state,
        }
    }

    pub fn segments(&self) -> usize {
        self.state.len() / 4
    }

    /// Where point i is [m].
    pub fn point(&self, i: usize) -> DVec3 {
        DVec3::from_slice(&self.state[place(i)..])
    }

    /// Holds a point, or the roll of a segment.
    pub fn hold_point(&mut self, i: usize) {
        self.held[place(i)..place(i) + 3].fill(true);
    }

    pub fn hold_roll(&mut self, segment: usize) {
        self.held[place(segment) + 3] = true;
    }

    /// R of a segment, as a unit quaternion.
    pub fn frame(&self, segment: usize) -> DQuat {
        let v = (self.point(segment + 1) - self.point(segment)).normalize();
        let s = 1.0 / (1.0 + v.z);
        let swing = DMat3::from_cols(
            DVec3::new(1.0 - v.x * v.x * s, -v.x * v.y * s, -v.x),
            DVec3::new(-v.x * v.y * s, 1.0 - v.y * v.y * s, -v.y),
            v,
        );
        DQuat::from_mat3(&swing) * DQuat::from_rotation_z(self.state[place(segment) + 3])
    }

    pub fn energies(&self) -> Energies {
        let work: f64 = self.loads.iter().zip(&self.state).map(|(f, g)| f * g).sum();
        let mut e = Energies { gravity: -work, ..Energies::default() };
        let l = self.segment_length;
        for i in 0..self.segments() {
            let strain = self.point(i).distance(self.point(i + 1)) / l - 1.0;
            e.stretch += 0.5 * l * self.stretch * strain * strain;
            let moment =
                self.momentum(&self.state[place(i)..][..ELEMENT], &self.rates[place(i)..][..ELEMENT]);
            let rates = &self.rates[place(i)..];
            e.kinetic += 0.5 * moment.iter().zip(rates).map(|(p, v)| p * v).sum::<f64>();
            let mean = 0.5 * (self.point(i) + self.point(i + 1));
            e.gravity -= self.line_density * l * self.gravity.dot(mean);
            if i + 1 < self.segments() {
                let u = self.strain(i);
                let stored = 0.5 * l * self.bending * u * u;
                e.bend += stored.x + stored.y;
                e.twist += stored.z;
            }
        }
        e
    }

    /// u between segments i and i + 1 [1/m].
    fn strain(&self, i: usize) -> DVec3 {
        let p = self.frame(i).conjugate() * self.frame(i + 1);
        p.xyz() * (2.0 * p.w.signum() / self.segment_length)
    }

    /// −∂V/∂g, gravity and the loads.
    pub fn forces(&self) -> Vec<f64> {
        let mut f = self.loads.clone();
        let l = self.segment_length;
        let frames: Vec<DQuat> = (0..self.segments()).map(|i| self.frame(i)).collect();
        let mut torques = vec![DVec3::ZERO; self.segments()];
        for i in 0..self.segments().saturating_sub(1) {
            let p = frames[i].conjugate() * frames[i + 1];
            let (s, c) = (p.xyz() * p.w.signum(), p.w.abs());
            let moment = self.bending * s * (2.0 / l);
            // On the first frame, about its own axes; the second has the opposite in space.
            let torque = frames[i] * (c * moment + s.cross(moment));
            torques[i] += torque;
            torques[i + 1] -= torque;
        }
        let mut add =
            |at: usize, v: DVec3| f[at..at + 3].iter_mut().zip(v.to_array()).for_each(|(f, v)| *f += v);
        for (i, torque) in torques.iter().enumerate() {
            let d = self.point(i + 1) - self.point(i);
            let n = d.length();
            let v = d / n;
            let pull = self.stretch * (n / l - 1.0) * v;
            // A change of ν turns the frame by ν × δν and, to keep its roll, by η about ν.
            let lever = torque.cross(v) + torque.dot(v) * DVec3::new(v.y, -v.x, 0.0) / (1.0 + v.z);
            let push = (lever - v * v.dot(lever)) / n;
            let weight = 0.5 * self.line_density * l * self.gravity;
            add(place(i), pull - push + weight);
            add(place(i + 1), push - pull + weight);
        }
        for (i, torque) in torques.iter().enumerate() {
            let d = (self.point(i + 1) - self.point(i)).normalize();
            f[place(i) + 3] += torque.dot(d);
        }
        f
    }

    /// M ġ of one segment.
    fn momentum(&self, g: &[f64], rates: &[f64]) -> [f64; ELEMENT] {
        let plain = |values: &[f64]| std::array::from_fn(|i| Dual::fixed(values[i]));
        self.element_momentum(plain(g), plain(rates)).map(|p| p.value)
    }

    /// M ġ of one segment, with a derivative.
    fn element_momentum(&self, g: [Number; ELEMENT], w: [Number; ELEMENT]) -> [Number; ELEMENT] {
        let l = self.segment_length;
        let third = self.line_density * l / 6.0;
        let sub = |i: usize, x: &[Number; ELEMENT]| x[4 + i] - x[i];
        let d = [sub(0, &g), sub(1, &g), sub(2, &g)];
        let dv = [sub(0, &w), sub(1, &w), sub(2, &w)];
        let dot = |a: [Number; 3], b: [Number; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let n = dot(d, d).sqrt();
        let v = d.map(|c| c / n);
        let along = dot(v, dv);
        // ν̇
        let turn: [Number; 3] = std::array::from_fn(|i| (dv[i] - v[i] * along) / n);
        let one = Number::ONE;
        let up = one + v[2];
        let b = [v[1] / up, -v[0] / up, Number::ZERO];
        let spin = w[3] + dot(b, turn);
        let roll = spin * (l * self.inertia[1]);
        // What ν̇ carries: l I₁ ν̇ + l I₃ (φ̇ + η) b, both across ν.
        let carried: [Number; 3] = std::array::from_fn(|i| turn[i] * (l * self.inertia[0]) + roll * b[i]);
        let parallel = dot(v, carried);
        let across: [Number; 3] = std::array::from_fn(|i| (carried[i] - v[i] * parallel) / n);
        std::array::from_fn(|i| match i {
            0..3 => (w[i] * 2.0 + w[4 + i]) * third - across[i],
            3 => roll,
            _ => (w[i] * 2.0 + w[i - 4]) * third + across[i - 4],
        })
    }

    /// Advances by one step of semi-implicit Euler [s]; `false` if the mass matrix is no longer positive.
    pub fn step(&mut self, dt: f64) -> bool {
        let mut forces = self.forces();
        for i in 0..self.segments() {
            let at = place(i);
            let g: [f64; ELEMENT] = std::array::from_fn(|k| self.state[at + k]);
            let w: [f64; ELEMENT] = std::array::from_fn(|k| self.rates[at + k]);
            // Ṁ ġ: how M ġ changes along ġ.
            let along: [Number; ELEMENT] = std::array::from_fn(|k| Dual { value: g[k], slopes: [w[k]] });
            let still = w.map(Dual::fixed);
            let change = self.element_momentum(along, still);
            for k in 0..ELEMENT {
                // ∂T/∂g = ½ ġ · ∂(M ġ)/∂g
                let mut direction = g.map(Dual::fixed);
                direction[k].slopes = [1.0];
                let sloped = self.element_momentum(direction, still);
                let gain: f64 = sloped.iter().zip(w).map(|(p, w)| 0.5 * p.slopes[0] * w).sum();
                forces[at + k] += gain - change[k].slopes[0];
            }
        }
        let Some(acceleration) = self.solve(self.mass(), &forces) else { return false };
        let keep = (-self.damping * dt).exp();
        for ((g, w), (a, held)) in
            self.state.iter_mut().zip(&mut self.rates).zip(acceleration.iter().zip(&self.held))
        {
            if !held {
                *w = *w * keep + dt * a;
                *g += dt * *w;
            }
        }
        true
    }

    /// M.
    fn mass(&self) -> Band {
        let mut mass = Band::new(self.state.len(), ELEMENT - 1);
        for at in (0..self.segments()).map(place) {
            let g = &self.state[at..at + ELEMENT];
            for k in 0..ELEMENT {
                let unit: [f64; ELEMENT] = std::array::from_fn(|j| f64::from(u8::from(j == k)));
                for (j, p) in self.momentum(g, &unit).into_iter().enumerate() {
                    mass.add(at + j, at + k, p);
                }
            }
        }
        mass
    }

    /// Whether the energy rises in every direction that is not held.
    pub fn is_stable(&self) -> bool {
        self.solve(self.stiffness(), &vec![0.0; self.state.len()]).is_some()
    }

    /// The period of the slowest small vibration about an equilibrium [s]; nothing if it is unstable.
    pub fn slowest_period(&self) -> Option<f64> {
        let (stiffness, mut mass) = (self.stiffness(), self.mass());
        mass.hold(&self.held);
        // Inverse iteration on K x = ω² M x, from a direction that no mode is likely to be perpendicular to.
        let start = (0..self.state.len()).map(|i| 1.0 + 0.1 * (i as f64).sin());
        let mut x: Vec<f64> = start.zip(&self.held).map(|(x, held)| if *held { 0.0 } else { x }).collect();
        let mut square = 0.0;
        for _ in 0..INVERSE_ITERATIONS {
            let weighted = mass.apply(&x);
            let next = self.solve(stiffness.clone(), &weighted)?;
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let (above, below) = (dot(&next, &weighted), dot(&next, &mass.apply(&next)));
            let before = std::mem::replace(&mut square, above / below);
            x = next.into_iter().map(|x| x / below.sqrt()).collect();
            if (square - before).abs() <= 1e-12 * square {
                break;
            }
        }
        Some(std::f64::consts::TAU / square.sqrt())
    }

    /// A x = b with the held coordinates at 0.
    fn solve(&self, mut matrix: Band, b: &[f64]) -> Option<Vec<f64>> {
        matrix.hold(&self.held);
        let free: Vec<f64> = b.iter().zip(&self.held).map(|(b, held)| if *held { 0.0 } else { *b }).collect();
        matrix.solve(&free)
    }

    /// Goes to the nearest equilibrium, by Newton's method with as much damping as it takes to go downhill; the number of
    /// steps, or nothing if the largest force is still above `tolerance` [N, N m] after `most`.
    pub fn relax(&mut self, tolerance: f64, most: usize) -> Option<usize> {
        let mut damping = 1e-3 * self.stretch / self.segment_length;
        for step in 0..most {
            let forces = self.forces();
            let free = forces.iter().zip(&self.held).filter(|(_, held)| !**held);
            if free.fold(0.0f64, |largest, (f, _)| largest.max(f.abs())) < tolerance {
                return Some(step);
            }
            let (energy, start) = (self.energies().total(), self.state.clone());
            let stiffness = self.stiffness();
            for _ in 0..60 {
                let mut matrix = stiffness.clone();
                (0..start.len()).for_each(|i| matrix.add(i, i, damping));
                if let Some(change) = self.solve(matrix, &forces) {
                    self.state.iter_mut().zip(start.iter().zip(&change)).for_each(|(g, (s, c))| *g = s + c);
                    if self.energies().total() <= energy {
                        damping *= 0.2;
                        break;
                    }
                    self.state.clone_from(&start);
                }
                damping *= 4.0;
            }
        }
        None
    }

    /// ∂²V/∂g² by differences of the forces: coordinates that no element couples are moved together.
    fn stiffness(&self) -> Band {
        let mut band = Band::new(self.state.len(), WIDTH);
        let apart = 2 * WIDTH + 1;
        let step = 1e-6 * self.segment_length;
        for first in 0..apart.min(self.state.len()) {
            let moved = |size: f64| {
                let mut rod = self.clone();
                rod.state.iter_mut().skip(first).step_by(apart).for_each(|g| *g += size);
                rod.forces()
            };
            let (plus, minus) = (moved(step), moved(-step));
            for column in (first..self.state.len()).step_by(apart) {
                for row in column..self.state.len().min(column + WIDTH + 1) {
                    band.add(row, column, (minus[row] - plus[row]) / (2.0 * step));
                }
            }
        }
        band
    }
}
