//! Strain-based tetrahedra, XPBD: stretches and shears of the columns of F, and the volume.
//!
//!   stretch  C = |fᵢ| − 1,        α = 1/(2 μ V)       ∇_k C = g_kᵢ fᵢ/|fᵢ|
//!   shear    C = fᵢ·fⱼ/|fᵢ||fⱼ|,  α = 1/(μ V)         ∇_k C = g_kᵢ (f̂ⱼ − C f̂ᵢ)/|fᵢ| + g_kⱼ (f̂ᵢ − C f̂ⱼ)/|fⱼ|
//!   volume   C = det F − 1,       α = 1/(λ V)         ∇_k C = cof(F) g_k
//!
//! After Müller, Chentanez, Kim, Macklin 2014, whose shears are normalised so that pure stretch does not trigger them.
//! With these compliances the energy is Hooke's for small strains. The first six do not see an inversion; the
//! volume does, unless ν = 0, which has none, and even then may not be strong enough. So a tetrahedron that is folded (flat, inside out
//! or next to nothing) goes by its rotation R, whose columns r are always right-handed, with the same compliances and multipliers:
//!
//!   stretch  C = fᵢ·rᵢ − 1        shear  C = fᵢ·rⱼ + fⱼ·rᵢ        volume  C = Σ (fᵢ·rᵢ − 1)
//!
//! which is the co-rotational law with one negative stretch, the smallest. So does what is loose, with less of λ.
//!
//! One after the other on the element's own copy of its corners, so that an invocation is a Gauss–Seidel sweep of its own.

use super::elasticity::{Rest, is_folded};
use super::law::{Acts, Constraint, Deformed, Growth, Held, TetLaw, rotation_of};
use super::tet_loosen::{LOOSE, LOOSE_LAMBDA};
use super::tet_position::moved_edges;
use crate::constraints::iterate::{JACOBI, KEEP};
use crate::math::{Mat3, Real, Vec3, Vec4};
use crate::particles::World;
use crate::scene::SolidModel;

/// The law as solids know it.
pub static LAW: TetLaw = TetLaw {
    model: SolidModel::Strain,
    acts: Acts::Constraint(Constraint {
        name: "tet_strain",
        kernel: &KERNEL,
        prefix: "strain",
        rest: |tet, law| {
            let [lambda, mu] = law.material.lame();
            let volume = if lambda > 0.0 { 1.0 / (lambda * tet.rest_volume) } else { -1.0 };
            tet.rows([1.0 / (mu * tet.rest_volume), volume, 0.0])
        },
        multipliers: |_| 4,
    }),
    moduli: |law| {
        let [lambda, mu] = law.material.lame();
        [lambda, mu, 0.0]
    },
    held,
    held_in_wgsl: "strain_held",
};

/// What a tetrahedron holds: ½ C²/α of all constraints; a folded one goes by its rotation.
pub fn held<R: Real>(at: &Deformed<R>) -> Held<R> {
    let ([lambda, mu, _], f) = (at.moduli, at.f);
    if let Some([x, y, z]) = turn_of_folded(f, false) {
        return at.hooke(Mat3::new(x, y, z), [lambda, mu]);
    }
    let columns = [f.x, f.y, f.z];
    let lengths = columns.map(Vec3::length);
    let unit = |k: usize| if lengths[k] > R::ZERO { columns[k] / lengths[k] } else { Vec3::ZERO };
    let pressure = lambda * Growth::of(f).volume;
    let mut energy = R::of(0.5) * pressure * Growth::of(f).volume;
    let mut p = [Vec3::ZERO; 3];
    for k in 0..3 {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let (shear, stretch) = (unit(a).dot(unit(b)), lengths[k] - R::ONE);
        energy += mu * (stretch * stretch + R::of(0.5) * shear * shear);
        p[k] += unit(k) * (R::of(2.0) * mu * stretch);
        if lengths[a] > R::ZERO && lengths[b] > R::ZERO {
            p[a] += (unit(b) - unit(a) * shear) * (mu * shear / lengths[a]);
            p[b] += (unit(a) - unit(b) * shear) * (mu * shear / lengths[b]);
        }
    }
    Held { energy, stress: Mat3::new(p[0], p[1], p[2]) + f.cofactors().scale(pressure) }
}

/// The length of a column below which it has no direction, and goes by its own at rest.
const STRAIN_SHORT: f64 = 1e-6;

/// F:F below which the whole element is next to nothing and grows along its directions at rest, so that neighbours agree.
const STRAIN_CRUSHED: f64 = 1e-2;

crate::kernel! {
    "solids/tet_strain" => tet_strain per Invocation {
        uniform world: World,
        read strain_corners: uint4,         // particles
        read strain_rest: real4,            // g₁, 1/(μ V); g₂, 1/(λ V), negative for none; g₃, 0 [1/m, 1/J]
        write strain_lambdas: real4,        // λ of stretches, volume; of shears; the ones before [J s²]
        read strain_memories: uint,         // 8 for what is loose
        read positions: real4,              // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,               // xyz [m], w = the solver's 1/mass
        write corrections: real4,           // xyz [m]
    }
}

/// An element on its own: what its corners are away from corner 0, and how far each has moved.
struct Element<R> {
    rest: Rest<R>,
    /// [m].
    edges: [Vec3<R>; 3],
    /// [m].
    ways: [Vec3<R>; 4],
    /// The solver's inverse masses [1/kg].
    weights: [R; 4],
    relaxation: R,
    /// The columns of R, if folded or loose.
    turn: Option<[Vec3<R>; 3]>,
}

/// The columns of the rotation by which a folded or loose element goes.
#[inline(always)]
pub fn turn_of_folded<R: Real>(f: Mat3<R>, is_loose: bool) -> Option<[Vec3<R>; 3]> {
    let is_crushed = f.dot(f) < R::of(STRAIN_CRUSHED);
    if !(is_loose || is_crushed || is_folded(f)) {
        return None;
    }
    let mut r = Mat3::IDENTITY;
    if !is_crushed {
        r = rotation_of(f);
    }
    Some([r.x, r.y, r.z])
}

impl<R: Real> Element<R> {
    /// Moves the corners by one constraint, and returns Δλ.
    #[inline(always)]
    fn project(&mut self, c: R, gradients: [Vec3<R>; 3], tilde: R, lambda: R) -> R {
        let [a, b, d] = gradients;
        let all = [-(a + b + d), a, b, d];
        let mut square = R::ZERO;
        for (g, w) in all.iter().zip(self.weights) {
            square += w * g.dot(*g);
        }
        if square == R::ZERO {
            return R::ZERO;
        }
        let dl = -(c + tilde * lambda) / (square + tilde) * self.relaxation;
        let moves = [0, 1, 2, 3].map(|k| all[k] * (self.weights[k] * dl));
        for (k, step) in moves.into_iter().enumerate() {
            self.ways[k] += step;
            if k > 0 {
                self.edges[k - 1] += step - moves[0];
            }
        }
        dl
    }

    /// Column i of F and of the gradients.
    #[inline(always)]
    fn column(&self, i: usize) -> (Vec3<R>, [R; 3]) {
        let f = self.rest.gradient(self.edges);
        let g = self.rest.g.map(|g| [g.x, g.y, g.z][i]);
        ([f.x, f.y, f.z][i], g)
    }

    #[inline(always)]
    fn stretch(&mut self, i: usize, tilde: R, lambda: R) -> R {
        let (f, g) = self.column(i);
        let length = f.length();
        let n = match self.turn {
            Some(turn) => turn[i],
            None if length >= R::of(STRAIN_SHORT) => f / length,
            None => [Mat3::IDENTITY.x, Mat3::IDENTITY.y, Mat3::IDENTITY.z][i],
        };
        self.project(f.dot(n) - R::ONE, g.map(|g| n * g), tilde, lambda)
    }

    #[inline(always)]
    fn shear(&mut self, i: usize, j: usize, tilde: R, lambda: R) -> R {
        let ((fi, gi), (fj, gj)) = (self.column(i), self.column(j));
        if let Some(turn) = self.turn {
            let (ri, rj) = (turn[i], turn[j]);
            let c = fi.dot(rj) + fj.dot(ri);
            return self.project(c, [0, 1, 2].map(|k| rj * gi[k] + ri * gj[k]), tilde, lambda);
        }
        let (li, lj) = (fi.length(), fj.length());
        if li.min(lj) < R::of(STRAIN_SHORT) {
            return R::ZERO;
        }
        let (ni, nj) = (fi / li, fj / lj);
        let c = ni.dot(nj);
        let (a, b) = ((nj - ni * c) / li, (ni - nj * c) / lj);
        self.project(c, [0, 1, 2].map(|k| a * gi[k] + b * gj[k]), tilde, lambda)
    }

    #[inline(always)]
    fn volume(&mut self, tilde: R, lambda: R) -> R {
        let f = self.rest.gradient(self.edges);
        if let Some([x, y, z]) = self.turn {
            let c = f.x.dot(x) + f.y.dot(y) + f.z.dot(z) - R::of(3.0);
            return self.project(c, self.rest.g.map(|g| Mat3::new(x, y, z).apply(g)), tilde, lambda);
        }
        let cofactors = f.cofactors();
        let c = f.x.dot(cofactors.x) - R::ONE;
        self.project(c, self.rest.g.map(|g| cofactors.apply(g)), tilde, lambda)
    }
}

#[inline(always)]
fn tet_strain<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let particles = b.strain_corners[k as usize];
    let x = particles.map(|p| b.positions[p as usize]);
    let o = particles.map(|p| b.offsets.get(p));
    let [r0, r1, r2] = [0, 1, 2].map(|row| b.strain_rest[3 * k as usize + row]);
    let rest = Rest { g: [r0.xyz(), r1.xyz(), r2.xyz()], volume: R::ONE };
    let edges = moved_edges(&x, &o);
    let is_loose = b.strain_memories[k as usize] & LOOSE != 0;
    let mut element = Element {
        rest,
        edges,
        turn: turn_of_folded(rest.gradient(edges), is_loose),
        ways: [Vec3::ZERO; 4],
        weights: o.map(|o| o.w),
        relaxation: b.world.relaxation,
    };
    let rate = R::ONE / (b.launch.dt * b.launch.dt);
    let shear = r0.w * rate;
    let stretch = R::of(0.5) * shear;
    let load = |place: u32| {
        if b.launch.index > 0 { b.strain_lambdas.get(4 * k + place) } else { Vec4::ZERO }
    };
    let (s, t) = (load(0), load(1));
    let ds = Vec4 {
        x: element.stretch(0, stretch, s.x),
        y: element.stretch(1, stretch, s.y),
        z: element.stretch(2, stretch, s.z),
        w: R::ZERO,
    };
    let dt = Vec4 {
        x: element.shear(1, 2, shear, t.x),
        y: element.shear(2, 0, shear, t.y),
        z: element.shear(0, 1, shear, t.z),
        w: R::ZERO,
    };
    let least = if is_loose { r0.w * R::of(1.0 / LOOSE_LAMBDA) } else { R::ZERO };
    let volume = if r1.w < R::ZERO { R::ZERO } else { element.volume(r1.w.max(least) * rate, s.w) };
    if b.launch.flags & KEEP != 0 {
        let next = |before: Vec4<R>, now: Vec4<R>, change: Vec4<R>| {
            let sum = Vec4::new(now.x + change.x, now.y + change.y, now.z + change.z, now.w + change.w);
            before.towards(sum, b.launch.weight)
        };
        b.strain_lambdas.set(4 * k, next(load(2), s, Vec4 { w: volume, ..ds }));
        b.strain_lambdas.set(4 * k + 1, next(load(3), t, dt));
        b.strain_lambdas.set(4 * k + 2, s);
        b.strain_lambdas.set(4 * k + 3, t);
    }
    for c in 0..4 {
        // The element moved its copy with its share of the mass; the particle moves by the mean of its copies.
        let share = if o[c].w > R::ZERO { x[c].w / o[c].w } else { R::ZERO };
        let correction = element.ways[c] * share;
        if b.launch.flags & JACOBI != 0 {
            b.corrections.set(b.launch.base + 4 * id + c as u32, correction.with_w(R::ZERO));
        } else if x[c].w > R::ZERO {
            b.offsets.set(particles[c], (o[c].xyz() + correction).with_w(o[c].w));
        }
    }
}
