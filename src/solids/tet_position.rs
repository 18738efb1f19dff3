//! Neo-Hookean tetrahedra as constraints, XPBD: one for the volume, one for the shape.
//!
//!   C_H = det F − 1 − μ/λ,  α = 1/(λ V)        C_D = √(F:F),  α = 1/(μ V)
//!
//! Macklin, Müller 2021. Their energy ½ λ (J − 1 − μ/λ)² + ½ μ F:F agrees for small strains with Lamé's moduli μ and λ − μ:
//! the law takes λ + μ of Lamé's for its λ. (The paper and its followers take Lamé's own; the body is then too soft
//! against pressure.)
//!
//! At rest the two pull against each other, so both are solved at once: with H eliminated first, the 2×2 system's
//! Schur complement is α̃_D + |g_D − c g_H|² + (g_D·g_H)² α̃_H/(g_H²(g_H² + α̃_H)), a sum of positive terms that f32 can
//! bear when the two gradients are almost parallel, as they are near rest. A body at rest then stays at rest with
//! any number of iterations.
//!
//! In the first iteration the multipliers grow from nothing to what holds the two in balance, which is large; their gradients
//! are those of the substep's start. With those of the predicted positions, as is usual, a body in balance is held by
//! forces of a shape it does not have, and is stiffer by as much as (ω dt)², ω the frequency of an element.

use super::elasticity::Rest;
use crate::constraints::iterate::{JACOBI, KEEP};
use crate::math::{Lane, Lanes, Mat3, Places, Real, Vec3, Vec4};
use crate::particles::World;

/// Squared size of the cofactors below which a tetrahedron is a line or a point, and has no direction for its volume.
const POSITION_THIN: f64 = 1e-12;

crate::kernel! {
    "solids/tet_position" => tet_position, lanes tet_position_lanes, per Invocation {
        uniform world: World,
        read position_corners: uint4,       // particles
        read position_rest: real4,          // g₁, 1/(λ V); g₂, 1/(μ V); g₃, 1 + μ/λ [1/m, 1/J]
        write position_lambdas: real4,      // λ of volume and of shape, the ones before [J s²]
        read positions: real4,              // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,               // xyz [m], w = the solver's 1/mass
        write corrections: real4,           // xyz [m]
    }
}

/// A tetrahedron as the two constraints see it.
pub struct Shape<L> {
    pub rest: Rest<L>,
    /// Compliances of volume and shape over dt² [1/(J s²)].
    pub tilde: [L; 2],
    /// 1 + μ/λ.
    pub goal: L,
    /// The solver's inverse masses of the corners [1/kg].
    pub weights: [L; 4],
}

impl<L: Lane> Shape<L> {
    /// Δλ of volume and shape, and ∇C Δλ at the corners.
    #[inline(always)]
    pub fn solve(
        &self,
        f: Mat3<L>,    // where the constraints are measured
        base: Mat3<L>, // where their gradients are
        lambda: [L; 2],
        thin: L,
    ) -> ([L; 2], [Vec3<L>; 4]) {
        let length = f.dot(f).sqrt();
        let volume = f.determinant() - self.goal;
        let cofactors = base.cofactors();
        let is_thin = cofactors.dot(cofactors).below(thin);
        // A line or a point is pushed apart as it lies at rest.
        let h = select(is_thin, Mat3::IDENTITY, cofactors);
        let size = base.dot(base).sqrt();
        let d = base.scale(L::select(size.above(L::ZERO), L::ONE / size, L::ZERO));
        let [tilde_h, tilde_d] = self.tilde;
        let (h1, h2, h3) = (h.apply(self.rest.g[0]), h.apply(self.rest.g[1]), h.apply(self.rest.g[2]));
        let (d1, d2, d3) = (d.apply(self.rest.g[0]), d.apply(self.rest.g[1]), d.apply(self.rest.g[2]));
        let (h0, d0) = (-(h1 + h2 + h3), -(d1 + d2 + d3));
        let [w0, w1, w2, w3] = self.weights;
        let hh = w0 * h0.dot(h0) + w1 * h1.dot(h1) + w2 * h2.dot(h2) + w3 * h3.dot(h3);
        let hd = w0 * h0.dot(d0) + w1 * h1.dot(d1) + w2 * h2.dot(d2) + w3 * h3.dot(d3);
        let movable = hh.above(L::ZERO);
        let share = L::select(movable, hd / hh, L::ZERO);
        let (s0, s1, s2, s3) = (d0 - h0 * share, d1 - h1 * share, d2 - h2 * share, d3 - h3 * share);
        let ss = w0 * s0.dot(s0) + w1 * s1.dot(s1) + w2 * s2.dot(s2) + w3 * s3.dot(s3);
        let gain = L::ONE / (hh + tilde_h);
        let complement = tilde_d + ss + hd * share * tilde_h * gain;
        let (volume, shape) = (volume + tilde_h * lambda[0], length + tilde_d * lambda[1]);
        let dl_d = L::select(movable, (hd * gain * volume - shape) / complement, L::ZERO);
        let dl_h = L::select(movable, -(volume + hd * dl_d) * gain, L::ZERO);
        let pulls =
            [h0 * dl_h + d0 * dl_d, h1 * dl_h + d1 * dl_d, h2 * dl_h + d2 * dl_d, h3 * dl_h + d3 * dl_d];
        ([dl_h, dl_d], pulls)
    }
}

#[inline(always)]
fn select<L: Lane>(condition: L::Mask, yes: Mat3<L>, no: Mat3<L>) -> Mat3<L> {
    Mat3::new(pick(condition, yes.x, no.x), pick(condition, yes.y, no.y), pick(condition, yes.z, no.z))
}

#[inline(always)]
fn pick<L: Lane>(condition: L::Mask, yes: Vec3<L>, no: Vec3<L>) -> Vec3<L> {
    Vec3::new(
        L::select(condition, yes.x, no.x),
        L::select(condition, yes.y, no.y),
        L::select(condition, yes.z, no.z),
    )
}

/// F where the corners are now, and where they were at the start of the substep. Differences of neighbours come first.
#[inline(always)]
fn gradients<L: Lane>(rest: &Rest<L>, x: &[Vec4<L>; 4], o: &[Vec4<L>; 4]) -> [Mat3<L>; 2] {
    let start = [x[1].xyz() - x[0].xyz(), x[2].xyz() - x[0].xyz(), x[3].xyz() - x[0].xyz()];
    let way = [o[1].xyz() - o[0].xyz(), o[2].xyz() - o[0].xyz(), o[3].xyz() - o[0].xyz()];
    [rest.gradient([start[0] + way[0], start[1] + way[1], start[2] + way[2]]), rest.gradient(start)]
}

#[inline(always)]
fn shape<L: Lane>([a, b, c]: [Vec4<L>; 3], o: &[Vec4<L>; 4], rate: L) -> Shape<L> {
    Shape {
        rest: Rest { g: [a.xyz(), b.xyz(), c.xyz()], volume: L::ONE },
        tilde: [a.w * rate, b.w * rate],
        goal: c.w,
        weights: [o[0].w, o[1].w, o[2].w, o[3].w],
    }
}

/// λ' of the next iteration with λ beside it; see [`crate::constraints::iterate`].
#[inline(always)]
fn next<L: Lane>(before: Vec4<L>, dl: [L; 2], weight: L) -> Vec4<L> {
    let ahead = L::ONE - weight;
    Vec4::new(
        before.z * ahead + (before.x + dl[0]) * weight,
        before.w * ahead + (before.y + dl[1]) * weight,
        before.x,
        before.y,
    )
}

#[inline(always)]
fn tet_position<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let particles = b.position_corners[k as usize];
    let x = particles.map(|p| b.positions[p as usize]);
    let o = particles.map(|p| b.offsets.get(p));
    let rest = [0, 1, 2].map(|row| b.position_rest[3 * k as usize + row]);
    let shape = shape(rest, &o, R::ONE / (b.world.dt * b.world.dt));
    let before = if b.launch.index > 0 { b.position_lambdas.get(k) } else { Vec4::ZERO };
    let [f, start] = gradients(&shape.rest, &x, &o);
    let base = if b.launch.index > 0 { f } else { start };
    let (dl, pulls) = shape.solve(f, base, [before.x, before.y], R::of(POSITION_THIN));
    let relaxation = b.world.relaxation;
    if b.launch.flags & KEEP != 0 {
        let dl = [dl[0] * relaxation, dl[1] * relaxation];
        b.position_lambdas.set(k, next(before, dl, b.launch.weight));
    }
    for c in 0..4 {
        let correction = pulls[c] * (x[c].w * relaxation);
        if b.launch.flags & JACOBI != 0 {
            b.corrections.set(b.launch.base + 4 * id + c as u32, correction.with_w(R::ZERO));
        } else if x[c].w > R::ZERO {
            b.offsets.set(particles[c], (o[c].xyz() + correction).with_w(o[c].w));
        }
    }
}

/// As [`tet_position`], line by line, for several tetrahedra of one colour. Jacobi goes one by one.
#[inline(always)]
fn tet_position_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    if b.launch.flags & JACOBI != 0 {
        (0..L::COUNT as u32).for_each(|lane| tet_position(b, id + lane));
        return;
    }
    let k = b.launch.first + id;
    let corners = &b.position_corners[k as usize..k as usize + L::COUNT];
    let count = b.positions.len();
    let p0 = Places::new::<L>(count, |lane| corners[lane][0]);
    let p1 = Places::new::<L>(count, |lane| corners[lane][1]);
    let p2 = Places::new::<L>(count, |lane| corners[lane][2]);
    let p3 = Places::new::<L>(count, |lane| corners[lane][3]);
    let x: [Vec4<L>; 4] = [
        L::gather(b.positions, &p0),
        L::gather(b.positions, &p1),
        L::gather(b.positions, &p2),
        L::gather(b.positions, &p3),
    ];
    let o: [Vec4<L>; 4] =
        [b.offsets.gather(&p0), b.offsets.gather(&p1), b.offsets.gather(&p2), b.offsets.gather(&p3)];
    let rows = &b.position_rest[3 * k as usize..3 * (k as usize + L::COUNT)];
    let rest = [
        L::vectors(|lane| &rows[3 * lane]),
        L::vectors(|lane| &rows[3 * lane + 1]),
        L::vectors(|lane| &rows[3 * lane + 2]),
    ];
    let shape = shape(rest, &o, L::splat(1.0 / (b.world.dt * b.world.dt)));
    let before: Vec4<L> = if b.launch.index > 0 { b.position_lambdas.load_vectors(k, 1) } else { Vec4::ZERO };
    let [f, start] = gradients(&shape.rest, &x, &o);
    let base = if b.launch.index > 0 { f } else { start };
    let (dl, pulls) = shape.solve(f, base, [before.x, before.y], L::splat(POSITION_THIN as f32));
    let relaxation = L::splat(b.world.relaxation);
    if b.launch.flags & KEEP != 0 {
        let dl = [dl[0] * relaxation, dl[1] * relaxation];
        b.position_lambdas.store_vectors(k, 1, next(before, dl, L::splat(b.launch.weight)));
    }
    let places = [&p0, &p1, &p2, &p3];
    for c in 0..4 {
        let moved = (o[c].xyz() + pulls[c] * (x[c].w * relaxation)).with_w(o[c].w);
        b.offsets.scatter(places[c], moved, x[c].w.above(L::ZERO));
    }
}
