//! What a bond does to its two cells, how that changes with their motion, and what breaks.
//!
//!   δ = R(φ/2)ρⱼ − R(−φ/2)ρᵢ + d        f = Σ t A/4        m = Σ s × t A/4
//!
//! over the four points of the face, along the axes halfway between those of the cells: d from centre to centre, φ the rotation of j
//! against i, ρ a point of the face from either centre. A point acts where it is between its two copies, at s from the middle between the
//! centres, so that force and moment on both cells are opposite and equal wherever the cells have gone; that is also the exact derivative of the
//! energy ½ Σ δᵀ K δ A/4 of what is whole. Of its second derivative the matrix takes Bᵀ K B, which is never negative.
//!
//! What holds is a cohesive law with linear softening (Hillerborg, Modéer, Petersson 1976; Camanho, Dávila 2002 for its mixture),
//!
//!   t = (1 − d) K (δ − δᵖ n)        λ² = ⟨t̂ₙ⟩²/fₙ² + Σ t̂ₛ²/fₛ²        d = (λ − 1)/(λ (1 − 1/λ_f)) of the largest λ so far
//!   λ_f = 2 G K/f² of opening and of sliding, 1/λ_f mixed by their share of λ²
//!
//! t̂ is without damage. To open a face takes G A, however long its cells are. Pressure passes through broken points too, and yields: −tₙ ≤ f_c by the
//! plastic δᵖ, which is found anew from that at the start of the substep whenever the bond is visited. Damage only grows.

use super::cell_pose::POSE;
use crate::frames::turn;
use crate::math::{Mat3, Quat, Real, Vec3, Vec4};
use crate::rigid::motion::swing;

/// Vectors of a law: stiffness [Pa/m] and a quarter of the area [m²]; the way from centre to centre and its length [m]; the two ways from the middle
/// of the face to its points [m]; 1/f of each direction and f_c [1/Pa, Pa]; 1/λ_f of each direction.
pub const LAW: u32 = 6;
/// Vectors of what a bond leaves: columns of K_tt [N/m], K_tr [N], K_rr [N m]; the force [N], w the largest stress over strength; the moment [N m], w the
/// mean damage; half the way from centre to centre [m].
pub const BLOCK: u32 = 12;
/// Places of these.
pub const MIXED: u32 = 3;
pub const TURNING: u32 = 6;
pub const FORCE: u32 = 9;
pub const MOMENT: u32 = 10;
pub const ARM: u32 = 11;

/// The flag of a visit after a solution, when damage grows.
pub const UPDATE: u32 = 1;
/// The flag of the last visit of a substep, after which plastic displacements stay.
pub const COMMIT: u32 = 2;
/// Least λ_f: what is more brittle breaks as if it were at this.
pub const BRITTLE: f64 = 1.05;
/// What is left of the stiffness of what yields, in the matrix: without any, a hinge would have no resistance.
const YIELDING: f64 = 0.02;

crate::kernel! {
    "bonds/bond_force" => bond_force per Invocation {
        read bond_ends: uint4,          // cells i, j, law
        read bond_laws: real4,
        read bond_strengths: real,      // factors of all strengths but that to pressure
        read cell_poses: real4,         // three per cell
        read bond_counts: uint,         // done, rounds
        write bond_states: real4,       // of each point: damage, δᵖ before the substep and now [m], energy spent [J/m²]
        write bond_blocks: real4,       // twelve per bond, along the axes of the world
        write bond_changes: real,       // the largest change of damage, or of δᵖ over that at yield
    }
}

/// Point `k` of a face from its middle, by the two ways from there.
#[inline(always)]
pub fn point<R: Real>(u: Vec3<R>, v: Vec3<R>, k: u32) -> Vec3<R> {
    let side = |bit: u32| R::select(k >> bit & 1 == 1, R::ONE, -R::ONE);
    u * side(0) + v * side(1)
}

/// A point that pulls.
pub struct Pull<R> {
    /// t [Pa].
    pub traction: Vec3<R>,
    /// ∂t/∂δ as the matrix has it [Pa/m].
    pub stiffness: Vec3<R>,
    /// Damage, δᵖ before the substep and now [m], energy spent [J/m²].
    pub state: Vec4<R>,
    /// Stress over strength.
    pub load: R,
    /// How much of the state is new.
    pub change: R,
}

/// The law of a point from how far it has parted.
#[inline(always)]
pub fn pull<R: Real>(
    law: [Vec4<R>; LAW as usize],
    strength: R,
    state: Vec4<R>,
    gap: Vec3<R>,
    is_update: bool,
) -> Pull<R> {
    let (k, n) = (law[0].xyz(), law[1].xyz() / law[1].w);
    let (resistance, least) = (law[4].w, R::of(1.0 / BRITTLE));
    let normal = k.dot(n);
    let opening = gap.dot(n);
    // Pressure, and what it leaves.
    let pressed = normal * (opening - state.y);
    let yields = pressed < -resistance;
    let plastic = R::select(yields, opening + resistance / normal, state.y);
    let whole = k.scaled(gap - n * plastic);
    let tension = whole.dot(n);
    let is_pressed = tension < R::ZERO;
    let pressure = n * tension.min(R::ZERO);
    // Tension and shear.
    let ratio = (law[4].xyz().scaled(whole - pressure)) / strength;
    let square = ratio.dot(ratio);
    let load = square.sqrt();
    let shares = Vec3::new(ratio.x * ratio.x, ratio.y * ratio.y, ratio.z * ratio.z);
    let beyond = load > R::ONE;
    let share = R::select(beyond, R::ONE / square, R::ZERO);
    let inverse = (shares.dot(law[5].xyz()) * share * strength * strength).min(least);
    let grown = R::select(beyond, (load - R::ONE) / (load * (R::ONE - inverse)), R::ZERO).min(R::ONE);
    let damage = R::select(is_update, state.x.max(grown), state.x);
    // φ(d) = d/(λ_f − d (λ_f − 1)) of G = ½ λ_f t̂·δ/λ² is spent.
    let spent = |d: R| d * inverse / (R::ONE - d * (R::ONE - inverse)).max(inverse);
    let energy = R::of(0.5) * (whole - pressure).dot(gap - n * plastic) * share / inverse.max(R::of(1e-9));
    let grows = damage > state.x;
    let spending = R::select(grows, energy * (spent(damage) - spent(state.x)), R::ZERO);
    let left = R::ONE - damage;
    let pressing = R::select(yields, R::of(YIELDING), R::ONE);
    let along = n * normal;
    let stiffness = k * left + along * R::select(is_pressed, pressing - left, R::ZERO);
    let flow = (plastic - state.z).abs() * normal / resistance;
    Pull {
        traction: (whole - pressure) * left + pressure,
        stiffness,
        state: Vec4::new(damage, state.y, plastic, state.w + spending),
        load: load * left,
        change: (damage - state.x).max(flow),
    }
}

/// How the four points of a face have parted.
pub struct Parting<R> {
    /// From centre to centre, in the world [m].
    pub way: Vec3<R>,
    /// The axes halfway between those of the cells.
    pub middle: Quat<R>,
    /// δ of each point along these axes [m].
    pub gaps: [Vec3<R>; 4],
    /// From the middle between the centres to each point [m].
    pub arms: [Vec3<R>; 4],
}

/// How a bond of a law has parted between two poses.
#[inline(always)]
pub fn parting<R: Real>(law: [Vec4<R>; LAW as usize], [i, j]: [[Vec4<R>; POSE as usize]; 2]) -> Parting<R> {
    let along = law[1].xyz();
    let way = (j[0].xyz() - i[0].xyz()) + (j[1].xyz() - i[1].xyz());
    let g = turn::between(i[2], j[2]);
    let half = g / (R::ONE + (R::ONE + g.dot(g)).sqrt());
    let middle = Quat::from_vec4(turn::apply(i[2], half));
    let d = middle.conjugate().rotate(way);
    let (mut gaps, mut arms) = ([Vec3::ZERO; 4], [Vec3::ZERO; 4]);
    for k in 0..4 {
        let place = point(law[2].xyz(), law[3].xyz(), k);
        let near = place + along * R::of(0.5);
        let back = swing(-half, near);
        let gap = (d - along) + (swing(half, place - along * R::of(0.5)) - back);
        gaps[k as usize] = gap;
        arms[k as usize] = near + back + (gap - d) * R::of(0.5);
    }
    Parting { way, middle, gaps, arms }
}

#[inline(always)]
fn bond_force<R: Real>(b: &Bindings<R>, id: u32) {
    let [is_update, is_last] = [UPDATE, COMMIT].map(|flag| b.launch.flags & flag != 0);
    if b.bond_counts[0] != 0 && !is_last {
        return;
    }
    let [i, j, law, _] = b.bond_ends[id as usize];
    let pose = |cell: u32| [0, 1, 2].map(|k| b.cell_poses[(POSE * cell + k) as usize]);
    let law = [0, 1, 2, 3, 4, 5].map(|k| b.bond_laws[(LAW * law + k) as usize]);
    let Parting { way, middle, gaps, arms } = parting(law, [pose(i), pose(j)]);
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let (mut tt, mut tr, mut rr) = (Vec3::ZERO, Mat3::ZERO, Mat3::ZERO);
    let (mut load, mut damage, mut change) = (R::ZERO, R::ZERO, R::ZERO);
    for k in 0..4 {
        let (s, place) = (arms[k as usize], 4 * id + k);
        let found =
            pull(law, b.bond_strengths[id as usize], b.bond_states.get(place), gaps[k as usize], is_update);
        if is_update {
            let state = found.state;
            let before = R::select(is_last, state.z, state.y);
            b.bond_states.set(place, Vec4::new(state.x, before, state.z, state.w));
        }
        load = load.max(found.load);
        damage += found.state.x * R::of(0.25);
        change = change.max(found.change);
        let t = found.traction * law[0].w;
        force += t;
        moment += s.cross(t);
        // φ × s = X φ.
        let (c, x) = (found.stiffness * law[0].w, Mat3::cross(-s));
        let cx = Mat3::new(c.scaled(x.x), c.scaled(x.y), c.scaled(x.z));
        tt += c;
        tr = tr + cx;
        rr = rr + x.transposed_times(cx);
    }
    b.bond_changes.set(id, change);
    let axes = middle.matrix();
    let world = |m: Mat3<R>| axes * m * axes.transpose();
    let store = |first: u32, m: Mat3<R>| {
        for (k, column) in (first..).zip([m.x, m.y, m.z]) {
            b.bond_blocks.set(BLOCK * id + k, column.with_w(R::ZERO));
        }
    };
    store(0, world(Mat3::diagonal(tt)));
    store(MIXED, world(tr));
    store(TURNING, world(rr));
    b.bond_blocks.set(BLOCK * id + FORCE, axes.apply(force).with_w(load));
    b.bond_blocks.set(BLOCK * id + MOMENT, axes.apply(moment).with_w(damage));
    b.bond_blocks.set(BLOCK * id + ARM, (way * R::of(0.5)).with_w(R::ZERO));
}
