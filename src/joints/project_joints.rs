//! A joint between two rigid bodies, or of one with the world: up to six rows, solved as one block.
//!
//!   rows i:   Cᵢ(q') + α̃ᵢ λᵢ = 0        Δx = ± w Σ λᵢ nᵢ        T(ξ + δ) = T(ξ) ± Σ λᵢ (r × nᵢ + mᵢ)/h
//!   block:    A Δλ = −(C + α̃ λ)         Aᵢⱼ = (w_a + w_b) nᵢ·nⱼ + Σ τᵢ·I⁻¹ τⱼ + α̃ᵢ δᵢⱼ,   τ = r × n + m
//!
//! A row pushes along n or turns about m. Conditions are those of the end of the substep; n, m and the arms r are those of its
//! start, where both bodies are pushed at the same point (the anchor of the moved one): as in SHAKE (Ryckaert, Ciccotti, Berendsen 1977) momentum
//! is kept to rounding, and by the map T of the free rotation ([`crate::rigid::spin`]) so is angular momentum, at any spin.
//!
//! The last row is the coordinate that the joint leaves free: the angle of a hinge, the way of a slider, the distance of two points, the angle
//! between the axes of a ball joint. It carries a spring with a damper, α̃ = 1/(k h² + c h); or a motor, which has a bound for λ; and
//! a limit, which only pushes back. It is eliminated last, so that λ is cut off at its bound before the other rows are found.
//!
//! The last iteration of a substep leaves the force and torque on the moved body, and breaks what has carried too much. No two joints
//! of a pass share a body.

use super::{BALL, DISTANCE, FIXED, HINGE, SLIDER, UNIVERSAL};
use super::{CONSTANT, LAST, LOCKED, NOBODY, REST, SPEED, SPRING, STATE, TARGET};
use crate::frames::turn;
use crate::math::{Quat, Real, Vec3, Vec4};
use crate::rigid::spin::push_turn;

crate::kernel! {
    "joints/project_joints" => project_joints per Invocation {
        read joints: uint4,             // particle and frame of the moved body, then of the base
        read joint_rest: real4,         // see `super::REST`
        write joint_states: real4,      // see `super::STATE`
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write turns: real4,             // xyz the rotation of this substep
    }
}

/// Rows of a joint; the last is its free coordinate.
const ROWS: usize = 6;
/// Solutions of the block, each at the configuration that the one before has left.
const SWEEPS: u32 = 2;

/// One of the two bodies within a substep.
#[derive(Clone, Copy)]
struct Side<R> {
    x: Vec3<R>,
    w: R,
    offset: Vec4<R>,
    frame: Vec4<R>,
    residual: Vec3<R>,
    turn: Vec3<R>,
    before: Quat<R>,
    inverse: Vec3<R>,
}

impl<R: Real> Side<R> {
    /// The world, or a body.
    #[inline(always)]
    fn new(b: &Bindings<R>, particle: u32, frame: u32, inverse: Vec3<R>) -> Self {
        let none = Vec3::ZERO.with_w(R::ONE);
        if particle == NOBODY {
            return Self {
                x: Vec3::ZERO,
                w: R::ZERO,
                offset: Vec3::ZERO.with_w(R::ZERO),
                frame: none,
                residual: Vec3::ZERO,
                turn: Vec3::ZERO,
                before: Quat::from_vec4(none),
                inverse: Vec3::ZERO,
            };
        }
        let x = b.positions[particle as usize];
        let (q, residual) = (b.frames[2 * frame as usize], b.frames[2 * frame as usize + 1].xyz());
        Self {
            x: x.xyz(),
            w: x.w,
            offset: b.offsets.get(particle),
            frame: q,
            residual,
            turn: b.turns.get(frame).xyz(),
            before: turn::rotation(q, residual),
            inverse,
        }
    }

    #[inline(always)]
    fn after(&self) -> Quat<R> {
        turn::rotation(self.frame, self.turn)
    }

    /// I⁻¹ v, with the axes at the start.
    #[inline(always)]
    fn inverse_inertia(&self, v: Vec3<R>) -> Vec3<R> {
        self.before.rotate(self.inverse.scaled(self.before.conjugate().rotate(v)))
    }

    /// Takes λ n [kg m] and λ τ [kg m²].
    #[inline(always)]
    fn push(&mut self, along: Vec3<R>, about: Vec3<R>, h: R) {
        self.offset = (self.offset.xyz() + along * self.w).with_w(self.offset.w);
        if self.inverse.x > R::ZERO {
            let impulse = self.before.conjugate().rotate(about) / h;
            self.turn = push_turn(self.turn, self.residual, self.inverse, impulse, h);
        }
    }

    #[inline(always)]
    fn store(&self, b: &Bindings<R>, particle: u32, frame: u32) {
        if particle != NOBODY {
            b.offsets.set(particle, self.offset);
            b.turns.set(frame, self.turn.with_w(R::ZERO));
        }
    }
}

/// Where the two bodies are, as the joint sees it.
#[derive(Clone, Copy)]
struct Pose<R> {
    /// From the anchor of the base to that of the moved body [m].
    d: Vec3<R>,
    /// The joint's axes on the base and on the moved body.
    u: [Vec3<R>; 3],
    v: [Vec3<R>; 3],
}

impl<R: Real> Pose<R> {
    #[inline(always)]
    fn new(axes: [Quat<R>; 2], apart: Vec3<R>, arms: [Vec3<R>; 2], joint: [Quat<R>; 2]) -> Self {
        let of = |k: usize| {
            let m = joint[k].matrix();
            [m.x, m.y, m.z].map(|axis| axes[k].rotate(axis))
        };
        Self { d: apart + axes[1].rotate(arms[1]) - axes[0].rotate(arms[0]), u: of(0), v: of(1) }
    }

    /// The conditions of all rows but the last, and in its place that of a fixed joint.
    #[inline(always)]
    fn errors(&self, kind: u32) -> [R; ROWS] {
        let Self { d, u, v } = *self;
        let mut c = [R::ZERO; ROWS];
        if kind == DISTANCE {
            return c;
        }
        if kind == SLIDER {
            c[0] = u[1].dot(d);
            c[1] = u[2].dot(d);
        } else {
            for i in 0..3 {
                c[i] = u[i].dot(d);
            }
        }
        // sin θ times the axis, of the rotation that leads from the base's axes to the moved ones.
        let first = u[0].cross(v[0]);
        let all = (first + u[1].cross(v[1]) + u[2].cross(v[2])) * R::of(0.5);
        if kind == HINGE {
            c[3] = u[1].dot(first);
            c[4] = u[2].dot(first);
        } else if kind == UNIVERSAL {
            c[3] = u[0].dot(v[1]);
        } else if kind == SLIDER || kind == FIXED {
            let row = if kind == SLIDER { 2 } else { 3 };
            for i in 0..3 {
                c[row + i] = all.dot(u[i]);
            }
        }
        c
    }

    /// What the free coordinate is told from: sine and cosine of an angle, or a length [m].
    #[inline(always)]
    fn coordinate(&self, kind: u32) -> [R; 2] {
        let Self { d, u, v } = *self;
        match kind {
            HINGE => [u[2].dot(v[1]), u[1].dot(v[1])],
            SLIDER => [u[0].dot(d), R::ONE],
            DISTANCE => [d.length(), R::ONE],
            _ => [u[0].cross(v[0]).length(), u[0].dot(v[0])],
        }
    }
}

/// Directions of the rows: along n, and the levers of base and moved body.
#[derive(Clone, Copy)]
struct Rows<R> {
    along: [Vec3<R>; ROWS],
    levers: [[Vec3<R>; ROWS]; 2],
    /// Torques of rows that turn, without those of rows that push.
    about: [Vec3<R>; ROWS],
}

impl<R: Real> Rows<R> {
    /// At a pose; `arms` lead from the centres to the moved body's anchor.
    #[inline(always)]
    fn new(kind: u32, pose: &Pose<R>, arms: [Vec3<R>; 2]) -> Self {
        let none = [Vec3::ZERO; ROWS];
        let (mut along, mut about) = (none, none);
        let Pose { d, u, v } = *pose;
        match kind {
            SLIDER => (along[0], along[1], along[5]) = (u[1], u[2], u[0]),
            DISTANCE => {
                let length = d.length();
                along[5] = if length > R::ZERO { d / length } else { Vec3::ZERO };
            }
            _ => (along[0], along[1], along[2]) = (u[0], u[1], u[2]),
        }
        match kind {
            HINGE => (about[3], about[4], about[5]) = (u[1], u[2], u[0]),
            SLIDER => (about[2], about[3], about[4]) = (u[0], u[1], u[2]),
            FIXED => (about[3], about[4], about[5]) = (u[0], u[1], u[2]),
            UNIVERSAL => about[3] = v[1].cross(u[0]),
            _ => {}
        }
        let mut levers = [none; 2];
        for i in 0..ROWS {
            levers[0][i] = arms[0].cross(along[i]) + about[i];
            levers[1][i] = arms[1].cross(along[i]) + about[i];
        }
        Self { along, levers, about }
    }

    /// What row i moves when row j pushes.
    #[inline(always)]
    fn weight(&self, sides: &[Side<R>; 2], i: usize, j: usize) -> R {
        (sides[0].w + sides[1].w) * self.along[i].dot(self.along[j])
            + sides[0].inverse_inertia(self.levers[0][j]).dot(self.levers[0][i])
            + sides[1].inverse_inertia(self.levers[1][j]).dot(self.levers[1][i])
    }

    /// The last row turns about an axis.
    #[inline(always)]
    fn turn_last(&mut self, axis: Vec3<R>) {
        self.about[5] = axis;
        self.levers[0][5] = axis;
        self.levers[1][5] = axis;
    }
}

/// What the last row is to do in a sweep.
struct Drive<R> {
    active: bool,
    error: R,
    /// 1/stiffness [1/kg].
    give: R,
    /// Of λ.
    least: R,
    most: R,
    /// Whether it is the limit, whose λ is another one.
    limit: bool,
}

/// A bound that is never reached.
const FREE: f64 = f32::MAX as f64;

#[expect(clippy::needless_range_loop, reason = "rows and columns are numbered, as in the shader")]
#[inline(always)]
fn project_joints<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let rest = |row: u32| b.joint_rest[(REST * k + row) as usize];
    let state = |row: u32| b.joint_states.get(STATE * k + row);
    let carried = state(2);
    if state(3).w != R::ZERO {
        return;
    }
    let h = b.launch.dt;
    let [moved, moved_frame, base, base_frame] = b.joints[k as usize];
    let [kind, mode] = [rest(0), rest(1)].map(|row| row.w.to_f64() as u32);
    let mut sides =
        [Side::new(b, base, base_frame, rest(4).xyz()), Side::new(b, moved, moved_frame, rest(5).xyz())];
    let (arms, axes) = ([rest(0).xyz(), rest(1).xyz()], [Quat::from_vec4(rest(2)), Quat::from_vec4(rest(3))]);
    let apart = sides[1].x - sides[0].x;
    let start = Pose::new(sides.map(|side| side.before), apart, arms, axes);
    let arm = sides[1].before.rotate(arms[1]);
    let mut rows = Rows::new(kind, &start, [apart + arm, arm]);
    let before = start.coordinate(kind);
    // λ of the rows, and of the limit.
    let mut lambda = [R::ZERO; ROWS + 1];
    if b.launch.index > 0 {
        let (first, second) = (state(0).to_array(), state(1).to_array());
        lambda[..4].copy_from_slice(&first);
        lambda[4..].copy_from_slice(&second[..3]);
    }
    let mut now = carried.w;
    for sweep in 0..SWEEPS {
        let moved_apart = apart + (sides[1].offset.xyz() - sides[0].offset.xyz());
        let pose = Pose::new([sides[0].after(), sides[1].after()], moved_apart, arms, axes);
        let mut errors = pose.errors(kind);
        let change;
        (now, change) = coordinate(kind, before, pose.coordinate(kind), carried.w);
        if kind == BALL {
            let across = pose.u[0].cross(pose.v[0]);
            let length = across.length();
            rows.turn_last(if length > R::ZERO { across / length } else { Vec3::ZERO });
        }
        let weight = rows.weight(&sides, 5, 5);
        let law = Law { kind, mode, law: rest(6), bounds: rest(7), weight, h };
        let drive = law.drive([now, change, errors[5]], &lambda, sweep > 0);
        errors[5] = drive.error;
        let step = solve(&rows, &sides, errors, &drive, lambda[5 + usize::from(drive.limit)]);
        let (mut along, mut about) = (Vec3::ZERO, [Vec3::ZERO; 2]);
        for i in 0..ROWS {
            along += rows.along[i] * step[i];
            about[0] += rows.levers[0][i] * step[i];
            about[1] += rows.levers[1][i] * step[i];
            lambda[i + usize::from(drive.limit && i == 5)] += step[i];
        }
        sides[0].push(-along, -about[0], h);
        sides[1].push(along, about[1], h);
    }
    sides[0].store(b, base, base_frame);
    sides[1].store(b, moved, moved_frame);
    b.joint_states.set(STATE * k, Vec4::new(lambda[0], lambda[1], lambda[2], lambda[3]));
    b.joint_states.set(STATE * k + 1, Vec4::new(lambda[4], lambda[5], lambda[6], R::ZERO));
    if b.launch.flags & LAST != 0 {
        lambda[5] += lambda[6];
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
        for i in 0..ROWS {
            force += rows.along[i] * lambda[i];
            torque += rows.about[i] * lambda[i];
        }
        (force, torque) = (force / (h * h), torque / (h * h));
        let broken = force.length() > rest(4).w || torque.length() > rest(5).w;
        // What has broken carries nothing.
        let share = R::select(broken, R::ZERO, R::ONE);
        b.joint_states.set(STATE * k + 2, (force * share).with_w(now));
        b.joint_states.set(STATE * k + 3, (torque * share).with_w(R::ONE - share));
    }
}

/// The free coordinate, counted on from what it was, and its change in the substep.
#[inline(always)]
fn coordinate<R: Real>(kind: u32, [s0, c0]: [R; 2], [s, c]: [R; 2], was: R) -> (R, R) {
    if kind == SLIDER || kind == DISTANCE {
        return (s, s - s0);
    }
    let change = (s * c0 - c * s0).atan2(c * c0 + s * s0);
    let turns = (was + change - s.atan2(c)) / R::of(std::f64::consts::TAU);
    (s.atan2(c) + R::of(std::f64::consts::TAU) * (turns + R::of(0.5)).floor(), change)
}

/// The law of the last row.
struct Law<R> {
    kind: u32,
    mode: u32,
    law: Vec4<R>,
    bounds: Vec4<R>,
    /// Inverse inertia along the row [1/kg or 1/(kg m²)].
    weight: R,
    h: R,
}

impl<R: Real> Law<R> {
    /// For where the coordinate is, how far it has come in the substep, and the last condition of a fixed joint. Limits have
    /// their turn when everything else has been tried.
    #[inline(always)]
    fn drive(&self, [now, change, fixed]: [R; 3], lambda: &[R; ROWS + 1], limits: bool) -> Drive<R> {
        let (h, zero, free) = (self.h, R::ZERO, R::of(FREE));
        let (low, high) = (self.bounds.x, self.bounds.y);
        if limits && (now < low || now > high || lambda[6] != zero) {
            let is_low = lambda[6] > zero || (lambda[6] == zero && now < low);
            let error = now - if is_low { low } else { high };
            let (least, most) = if is_low { (zero, free) } else { (-free, zero) };
            return Drive { active: true, error, give: zero, least, most, limit: true };
        }
        let most = (self.bounds.z * h * h).min(free);
        let hold = |error: R| Drive { active: true, error, give: zero, least: -most, most, limit: false };
        match self.mode {
            LOCKED if self.kind == FIXED => hold(fixed),
            LOCKED => hold(now - self.law.z),
            SPRING => {
                let (k, c) = (self.law.x * h * h, self.law.y * h);
                let give = R::ONE / (k + c);
                let error = (k * (now - self.law.z) + c * change + lambda[5]) * give;
                Drive { active: true, error, give, least: -free, most: free, limit: false }
            }
            SPEED => hold(change - self.bounds.w * h),
            TARGET => {
                let way = self.law.z - (now - change);
                // So fast that a quarter of the motor's force can still stop it there, as far as this row's own inertia says.
                let stops = (R::of(0.5) * self.bounds.z * self.weight * way.abs()).sqrt();
                let fastest = self.bounds.w.min(stops) * h;
                hold(change - way.clamp(-fastest, fastest))
            }
            CONSTANT => {
                let push = self.law.z * h * h;
                Drive { active: true, error: zero, give: zero, least: push, most: push, limit: false }
            }
            _ => Drive { active: false, error: zero, give: zero, least: zero, most: zero, limit: false },
        }
    }
}

/// Δλ of all rows: L D Lᵀ without pivoting, the last row kept within its bounds.
#[expect(clippy::needless_range_loop, reason = "rows and columns are numbered, as in the shader")]
#[inline(always)]
fn solve<R: Real>(
    rows: &Rows<R>,
    sides: &[Side<R>; 2],
    errors: [R; ROWS],
    drive: &Drive<R>,
    last: R,
) -> [R; ROWS] {
    let mut a = [[R::ZERO; ROWS]; ROWS];
    for j in 0..ROWS {
        for i in j..ROWS {
            a[i][j] = rows.weight(sides, i, j);
        }
    }
    a[5][5] += drive.give;
    let mut y = errors.map(|c| -c);
    let mut inverse = [R::ZERO; ROWS];
    let mut scale = [R::ZERO; ROWS];
    for j in 0..ROWS {
        scale[j] = a[j][j];
    }
    for j in 0..ROWS {
        let is_active = scale[j] > R::ZERO && (j < 5 || drive.active);
        inverse[j] = R::select(is_active, R::ONE / a[j][j].max(scale[j] * R::EPSILON), R::ZERO);
        for i in j + 1..ROWS {
            let factor = a[i][j] * inverse[j];
            for c in j + 1..=i {
                a[i][c] -= factor * a[c][j];
            }
            y[i] -= factor * y[j];
        }
    }
    let mut step = [R::ZERO; ROWS];
    let wanted = last + y[5] * inverse[5];
    step[5] = R::select(
        drive.active && scale[5] > R::ZERO,
        wanted.max(drive.least).min(drive.most) - last,
        R::ZERO,
    );
    for i in (0..5).rev() {
        let mut sum = y[i];
        for c in i + 1..ROWS {
            sum -= a[c][i] * step[c];
        }
        step[i] = sum * inverse[i];
    }
    step
}
