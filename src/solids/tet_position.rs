//! Neo-Hookean tetrahedra as constraints, XPBD: volume and shape of an element solved together.
//!
//!   Ψ = ½ λ (J − 1 − μ/λ)² + ½ μ F:F        P = μ (F − H) + λ (J − 1) H,  H the cofactors of F
//!
//! The energy of Macklin, Müller 2021. It agrees for small strains with Lamé's moduli μ and λ − μ: the law takes λ + μ of
//! Lamé's for its λ. (The paper and its followers take Lamé's own; the body is then too soft against pressure.)
//!
//! Its second part wants everything at one point, and below a third of its size a body would follow. So where I = F:F is below I₀ (uniform
//! compression to 60 %), I²/2I₀ + I₀/2 takes the place of I, and t F with t = I/I₀ that of F: nothing is at rest then but the rest shape.
//!
//! They make it two constraints, J − 1 − μ/λ and √(F:F). At rest each is far from zero and the one holds the other, so
//! that the stiffness against shear is all in how their gradients turn, which XPBD leaves out: shear is explicit, and a beam
//! blows up once dt exceeds what explicit steps bear, the sooner the more iterations. Here the constraint is F itself,
//! its multiplier the matrix Λ = −V dt² P, and the corrections are Δx = w ΔΛ g. Λ must become −V dt² P of the F it leads to:
//!
//!   ΔΛ + K(ΔΛ G) = −(V dt² P + Λ)        G = Σ W g gᵀ        K = s 1 + V dt² λ H⊗H
//!
//! with ΔΛ G the change of F. K's second part is exact; s stands for the rest of the stiffness, which is
//! μ 1 + p ∂H/∂F with p = λ (J − 1) − μ (where crushed, up to 3 t μ for the first). The eigenvalues of ∂H/∂F are within the largest roots of e³ − I e ∓ 2J = 0,
//! I = F:F, which a step of Newton's from √I bounds: √I ± J/I. So μ + |p| √I + p J/I is an upper bound, and an iteration goes
//! down for any s above half of it; three quarters converge the fastest that is safe. At convergence a substep is
//! implicit Euler, and a body at rest stays at rest with any number of iterations. A loose tetrahedron has less of λ.

use super::elasticity::Rest;
use super::law::{Acts, Constraint, Deformed, Growth, Held, TetLaw};
use super::tet_loosen::{LOOSE, LOOSE_LAMBDA};
use crate::compute::Launch;
use crate::constraints::iterate::{JACOBI, KEEP};
use crate::math::{Lane, Lanes, Mat3, Places, Real, Vec3, Vec4};
use crate::particles::World;
use crate::scene::{SolidModel, SolverKind};

/// The law as solids know it. Its λ is λ + μ of Lamé's.
pub static LAW: TetLaw = TetLaw {
    model: SolidModel::Position,
    acts: Acts::Constraint(Constraint {
        name: "tet_position",
        kernel: &KERNEL,
        prefix: "position",
        rest: |tet, law| {
            let [lambda, mu] = law.material.lame();
            tet.rows([(lambda + mu) * tet.rest_volume, mu * tet.rest_volume, 0.0])
        },
        // Columns of a matrix, and for Chebyshev's acceleration those of the one before.
        multipliers: |solver| if solver == SolverKind::Jacobi { 6 } else { 3 },
    }),
    moduli: |law| {
        let [lambda, mu] = law.material.lame();
        [lambda + mu, mu, 0.0]
    },
    held,
    held_in_wgsl: "position_held",
};

/// What a tetrahedron holds. Of the energy above that at rest, the parts of first order cancel and are left out:
/// μ (½ |F − 1|² − (J − 1 − tr(F − 1))) + ½ λ (J − 1)², and where crushed μ (I₀ − I)²/4I₀ more.
pub fn held<R: Real>(at: &Deformed<R>) -> Held<R> {
    let [lambda, mu, _] = at.moduli;
    let growth = Growth::of(at.f);
    let least = R::of(POSITION_CRUSHED);
    let square = at.f.dot(at.f);
    let missing = (least - square).max(R::ZERO);
    let shape = R::of(0.5) * growth.squares - growth.minors + R::of(0.25) * missing * missing / least;
    let pressure = lambda * growth.volume - mu;
    Held {
        energy: mu * shape + R::of(0.5) * lambda * growth.volume * growth.volume,
        stress: at.f.scale(mu * (square / least).min(R::ONE)) + at.f.cofactors().scale(pressure),
    }
}

/// Squared size of the cofactors below which a tetrahedron is a line or a point, and has no direction for its volume.
const POSITION_THIN: f64 = 1e-12;

/// I₀: F:F below which a tetrahedron is crushed.
pub const POSITION_CRUSHED: f64 = 1.08;

/// The share of the bound of the stiffness that a step takes.
const POSITION_SHARE: f64 = 0.75;

crate::kernel! {
    "solids/tet_position" => tet_position, lanes tet_position_lanes, per Invocation {
        uniform world: World,
        read position_corners: uint4,       // particles
        read position_rest: real4,          // g₁, λ V; g₂, μ V; g₃, 0 [1/m, J]
        write position_lambdas: real4,      // the columns of Λ; in Jacobi those before too [J s²]
        read position_memories: uint,       // 8 for what is loose
        read positions: real4,              // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,               // xyz [m], w = the solver's 1/mass
        write corrections: real4,           // xyz [m]
    }
}

/// A tetrahedron as its constraint sees it.
pub struct Shape<L> {
    pub rest: Rest<L>,
    /// V dt² λ and V dt² μ [J s²].
    pub stiffness: [L; 2],
    /// The solver's inverse masses of the corners [1/kg].
    pub weights: [L; 4],
}

impl<L: Lane> Shape<L> {
    /// G = Σ W g gᵀ: ΔΛ changes F by ΔΛ G [1/(J s²)].
    #[inline(always)]
    fn response(&self) -> Mat3<L> {
        let [a, b, c] = self.rest.g;
        let d = a + b + c;
        let [w0, w1, w2, w3] = self.weights;
        let (wa, wb, wc, wd) = (a * w1, b * w2, c * w3, d * w0);
        let xy = wa.x * a.y + wb.x * b.y + wc.x * c.y + wd.x * d.y;
        let yz = wa.y * a.z + wb.y * b.z + wc.y * c.z + wd.y * d.z;
        let zx = wa.z * a.x + wb.z * b.x + wc.z * c.x + wd.z * d.x;
        Mat3::new(
            Vec3::new(wa.x * a.x + wb.x * b.x + wc.x * c.x + wd.x * d.x, xy, zx),
            Vec3::new(xy, wa.y * a.y + wb.y * b.y + wc.y * c.y + wd.y * d.y, yz),
            Vec3::new(zx, yz, wa.z * a.z + wb.z * b.z + wc.z * c.z + wd.z * d.z),
        )
    }

    /// ΔΛ at F.
    #[inline(always)]
    pub fn solve(&self, f: Mat3<L>, lambda: Mat3<L>) -> Mat3<L> {
        let [volume, shape] = self.stiffness;
        let cofactors = f.cofactors();
        let is_thin = cofactors.dot(cofactors).below(L::constant(POSITION_THIN));
        // A line or a point is pushed apart as it lies at rest.
        let h = Mat3::select(is_thin, Mat3::IDENTITY, cofactors);
        let change = f.determinant() - L::ONE;
        let crushed = f.dot(f) * L::constant(1.0 / POSITION_CRUSHED);
        let crushed = L::select(crushed.below(L::ONE), crushed, L::ONE);
        let wrong = (h - f.scale(crushed)).scale(shape) - h.scale(volume * change) - lambda;
        let g = self.response();
        let factors = Factors::new(g.scale(self.bound(f, change) * L::constant(POSITION_SHARE)));
        let along = factors.solve(h);
        let moved = along * g;
        let gain = volume * moved.dot(wrong) / (L::ONE + volume * moved.dot(h));
        factors.solve(wrong - h.scale(gain))
    }

    /// No less than the stiffness in any direction, but for the part along H: V dt² (μ + |p| √I + p J/I).
    #[inline(always)]
    pub fn bound(
        &self,
        f: Mat3<L>,
        change: L, // J − 1
    ) -> L {
        let [volume, shape] = self.stiffness;
        let square = f.dot(f);
        let pressure = volume * change - shape;
        let ratio = L::select(square.above(L::ZERO), (change + L::ONE) / square, L::ZERO);
        let crushed = square * L::constant(1.0 / POSITION_CRUSHED);
        let own = L::select(crushed.below(L::ONE), crushed * L::constant(3.0), L::ONE);
        shape * own + pressure.larger(-pressure) * square.sqrt() + pressure * ratio
    }
}

/// 1 + M of a symmetric M that is nowhere negative, as L D Lᵀ.
struct Factors<L> {
    yx: L,
    zx: L,
    zy: L,
    /// 1/D.
    scales: Vec3<L>,
}

impl<L: Lane> Factors<L> {
    #[inline(always)]
    fn new(m: Mat3<L>) -> Self {
        // No pivot is below 1 but by rounding.
        let x = L::ONE / (L::ONE + m.x.x);
        let (yx, zx) = (m.x.y * x, m.x.z * x);
        let y = L::ONE / L::ONE.larger(L::ONE + m.y.y - yx * m.x.y);
        let rest = m.y.z - yx * m.x.z;
        let zy = rest * y;
        let z = L::ONE / L::ONE.larger(L::ONE + m.z.z - zx * m.x.z - zy * rest);
        Self { yx, zx, zy, scales: Vec3::new(x, y, z) }
    }

    /// X of X (1 + M) = B.
    #[inline(always)]
    fn solve(&self, b: Mat3<L>) -> Mat3<L> {
        let y = b.y - b.x * self.yx;
        let z = (b.z - b.x * self.zx - y * self.zy) * self.scales.z;
        let y = y * self.scales.y - z * self.zy;
        let x = b.x * self.scales.x - y * self.yx - z * self.zx;
        Mat3::new(x, y, z)
    }
}

/// What the corners 1 to 3 are away from corner 0 now [m]. Differences of neighbours come first.
#[inline(always)]
pub fn moved_edges<L: Lane>(x: &[Vec4<L>; 4], o: &[Vec4<L>; 4]) -> [Vec3<L>; 3] {
    let way1 = (x[1].xyz() - x[0].xyz()) + (o[1].xyz() - o[0].xyz());
    let way2 = (x[2].xyz() - x[0].xyz()) + (o[2].xyz() - o[0].xyz());
    let way3 = (x[3].xyz() - x[0].xyz()) + (o[3].xyz() - o[0].xyz());
    [way1, way2, way3]
}

#[inline(always)]
fn shape<L: Lane>([a, b, c]: [Vec4<L>; 3], o: &[Vec4<L>; 4], dt: L) -> Shape<L> {
    let square = dt * dt;
    Shape {
        rest: Rest { g: [a.xyz(), b.xyz(), c.xyz()], volume: L::ONE },
        stiffness: [a.w * square, b.w * square],
        weights: [o[0].w, o[1].w, o[2].w, o[3].w],
    }
}

/// Λ of a tetrahedron and where its columns are; after them come those before, for [`JACOBI`].
#[inline(always)]
fn lambdas_start<R>(launch: &Launch<R>, k: u32) -> u32 {
    if launch.flags & JACOBI != 0 { 6 * k } else { 3 * k }
}

#[inline(always)]
fn tet_position<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let particles = b.position_corners[k as usize];
    let x = particles.map(|p| b.positions[p as usize]);
    let o = particles.map(|p| b.offsets.get(p));
    let rest = [0, 1, 2].map(|row| b.position_rest[3 * k as usize + row]);
    let mut shape = shape(rest, &o, b.launch.dt);
    if b.position_memories[k as usize] & LOOSE != 0 {
        let [volume, own] = shape.stiffness;
        shape.stiffness[0] = volume.min(own * R::of(LOOSE_LAMBDA + 1.0));
    }
    let at = lambdas_start(&b.launch, k);
    let load = |start: u32| {
        let column = |c: u32| b.position_lambdas.get(start + c).xyz();
        if b.launch.index > 0 { Mat3::new(column(0), column(1), column(2)) } else { Mat3::ZERO }
    };
    let lambda = load(at);
    let f = shape.rest.gradient(moved_edges(&x, &o));
    let change = shape.solve(f, lambda).scale(b.world.relaxation);
    if b.launch.flags & KEEP != 0 {
        let store = |start: u32, m: Mat3<R>| {
            for (c, column) in [m.x, m.y, m.z].into_iter().enumerate() {
                b.position_lambdas.set(start + c as u32, column.with_w(R::ZERO));
            }
        };
        let sum = lambda + change;
        if b.launch.flags & JACOBI != 0 {
            let weight = b.launch.weight;
            let next = load(at + 3).scale(R::ONE - weight) + sum.scale(weight);
            store(at + 3, lambda);
            store(at, next);
        } else {
            store(at, sum);
        }
    }
    let pulls = shape.rest.corners(change);
    for c in 0..4 {
        let correction = pulls[c] * x[c].w;
        if b.launch.flags & JACOBI != 0 {
            b.corrections.set(b.launch.base + 4 * id + c as u32, correction.with_w(R::ZERO));
        } else if x[c].w > R::ZERO {
            b.offsets.set(particles[c], (o[c].xyz() + correction).with_w(o[c].w));
        }
    }
}

/// As [`tet_position`], line by line, for several tetrahedra of one colour. Jacobi goes one by one, and so does what is loose.
#[inline(always)]
fn tet_position_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + id;
    let memories = &b.position_memories[k as usize..k as usize + L::COUNT];
    if b.launch.flags & JACOBI != 0 || memories.iter().any(|memory| memory & LOOSE != 0) {
        (0..L::COUNT as u32).for_each(|lane| tet_position(b, id + lane));
        return;
    }
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
    let shape = shape(rest, &o, L::splat(b.launch.dt));
    let at = lambdas_start(&b.launch, k);
    let mut lambda = Mat3::ZERO;
    if b.launch.index > 0 {
        let x: Vec4<L> = b.position_lambdas.load_vectors(at, 3);
        let y: Vec4<L> = b.position_lambdas.load_vectors(at + 1, 3);
        let z: Vec4<L> = b.position_lambdas.load_vectors(at + 2, 3);
        lambda = Mat3::new(x.xyz(), y.xyz(), z.xyz());
    }
    let f = shape.rest.gradient(moved_edges(&x, &o));
    let change = shape.solve(f, lambda).scale(L::splat(b.world.relaxation));
    if b.launch.flags & KEEP != 0 {
        let sum = lambda + change;
        b.position_lambdas.store_vectors(at, 3, sum.x.with_w(L::ZERO));
        b.position_lambdas.store_vectors(at + 1, 3, sum.y.with_w(L::ZERO));
        b.position_lambdas.store_vectors(at + 2, 3, sum.z.with_w(L::ZERO));
    }
    let pulls = shape.rest.corners(change);
    let places = [&p0, &p1, &p2, &p3];
    for c in 0..4 {
        let moved = (o[c].xyz() + pulls[c] * x[c].w).with_w(o[c].w);
        b.offsets.scatter(places[c], moved, x[c].w.above(L::ZERO));
    }
}
