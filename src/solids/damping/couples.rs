//! Couples that undo a torque with the least force: the linear program (M3) of Schmedding 2012. Twin of
//! `shaders/common/couples.wgsl`.
//!
//!   minimise Σ |c|₁        with Σ c = 0 and Σ r × c = b
//!
//! Along each axis the pulls add up to nothing, so they are couples: s at one point, −s at another, of the torque s d with
//! d = (r_head − r_tail) × e. What is left is a program of three rows, whose best solution has three couples at most. The
//! simplex method keeps three that make b. With the price ω of torque, which is that of the three (ω·d = 2), the best
//! newcomer is the one with the largest difference of a component of ω × r between two points: one look at every point. It
//! takes the place of one of the three, until none gains. The couples make b at any time, however early one stops.
//!
//! In a lattice many couples are equally good. A pull costs up to a thousandth more, by the number of its point, so that there
//! is one best; the sum is within a thousandth of the least.
//!
//! Lengths are in units of the cluster's size, and b is a unit vector.

use crate::math::{Real, Vec3};

/// Looks at the points at most; some ten are usual.
pub const COUPLES_ROUNDS: u32 = 40;
/// How much the costs of points differ.
pub const COUPLES_SPREAD: f64 = 1e-3;
/// det(a, b, c)/|a||b||c| below which three torques are one plane: all points lie on a line.
const COUPLES_PLANE: f64 = 1e-5;
/// The share of a newcomer in one of the three below which it is none.
const COUPLES_SHARE: f64 = 1e-6;
/// What a newcomer must gain beyond its cost, in roundings.
const COUPLES_GAIN: f64 = 256.0;

/// One pull of a unit at `head`, its opposite at `tail`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Couple {
    pub head: u32,
    pub tail: u32,
    /// 0 to 2 for x to z.
    pub axis: u32,
}

/// Three couples and how strong they are.
#[derive(Clone, Copy, Debug)]
pub struct Couples<R> {
    pub couples: [Couple; 3],
    /// Not negative.
    pub strengths: [R; 3],
    /// Torques of the couples.
    torques: [Vec3<R>; 3],
    costs: [R; 3],
    /// Whether nothing gains any more.
    pub done: bool,
}

/// The points that gain most along each axis.
#[derive(Clone, Copy, Debug)]
pub struct Extremes<R> {
    high: [R; 3],
    low: [R; 3],
    heads: [u32; 3],
    tails: [u32; 3],
}

/// What a pull at a point costs beyond 1: a number without pattern from its own.
#[inline(always)]
fn extra<R: Real>(point: u32, axis: u32) -> R {
    let bits = (3 * point + axis).wrapping_mul(2_654_435_769) >> 8;
    R::of(f64::from(bits)) * R::of(COUPLES_SPREAD / 16_777_216.0)
}

#[inline(always)]
pub fn component<R: Real>(v: Vec3<R>, axis: u32) -> R {
    [v.x, v.y, v.z][axis as usize]
}

impl<R: Real> Extremes<R> {
    #[inline(always)]
    pub fn none() -> Self {
        Self { high: [R::of(-1e30); 3], low: [R::of(1e30); 3], heads: [0; 3], tails: [0; 3] }
    }

    /// Looks at a point where the price is u = ω × r.
    #[inline(always)]
    pub fn look(&mut self, point: u32, u: Vec3<R>) {
        for axis in 0..3 {
            let (value, cost) = (component(u, axis), extra(point, axis));
            let k = axis as usize;
            if value - cost > self.high[k] {
                (self.high[k], self.heads[k]) = (value - cost, point);
            }
            if value + cost < self.low[k] {
                (self.low[k], self.tails[k]) = (value + cost, point);
            }
        }
    }

    /// The couple that gains most, and how much.
    #[inline(always)]
    pub fn best(&self) -> (Couple, R) {
        let gain = |k: usize| self.high[k] - self.low[k];
        let mut k = 0;
        for other in 1..3 {
            if gain(other) > gain(k) {
                k = other;
            }
        }
        (Couple { head: self.heads[k], tail: self.tails[k], axis: k as u32 }, gain(k))
    }
}

impl<R: Real> Couples<R> {
    #[inline(always)]
    pub fn none() -> Self {
        Self {
            couples: [Couple::default(); 3],
            strengths: [R::ZERO; 3],
            torques: [Vec3::ZERO; 3],
            costs: [R::ZERO; 3],
            done: false,
        }
    }

    /// The price ω that a round looks at the points with. The first three find couples that differ.
    #[inline(always)]
    pub fn price(&self, round: u32, torque: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.torques;
        match round {
            0 => torque,
            1 => across(a),
            2 => unit(a.cross(b)),
            _ => {
                let sum =
                    b.cross(c) * self.costs[0] + c.cross(a) * self.costs[1] + a.cross(b) * self.costs[2];
                sum / a.dot(b.cross(c))
            }
        }
    }

    /// Takes the best couple of a round in, `arm` = r_head − r_tail.
    #[inline(always)]
    pub fn enter(&mut self, round: u32, couple: Couple, gain: R, arm: Vec3<R>, torque: Vec3<R>) {
        let own = match couple.axis {
            0 => Vec3::new(R::ZERO, arm.z, -arm.y),
            1 => Vec3::new(-arm.z, R::ZERO, arm.x),
            _ => Vec3::new(arm.y, -arm.x, R::ZERO),
        };
        let two = R::of(2.0);
        let mut place = round as usize;
        if round > 2 {
            if gain <= two + R::of(COUPLES_GAIN) * R::EPSILON {
                self.done = true;
                return;
            }
            place = self.leaver(own);
        }
        self.couples[place] = couple;
        self.torques[place] = own;
        self.costs[place] = two + extra(couple.head, couple.axis) + extra(couple.tail, couple.axis);
        if round > 1 {
            self.balance(torque);
        }
    }

    /// Which of the three a newcomer of this torque drives to nothing first.
    #[inline(always)]
    fn leaver(&self, own: Vec3<R>) -> usize {
        // Some share is positive, as the couples' costs make up for what the newcomer gains; if rounding hides it, the first goes.
        let (mut place, mut strength, mut share) = (0, R::ONE, R::ZERO);
        for (k, own) in self.shares(own).into_iter().enumerate() {
            // strength/share without a division: the first has share 0 and loses to any.
            if own > R::of(COUPLES_SHARE) && self.strengths[k] * share < strength * own {
                (place, strength, share) = (k, self.strengths[k], own);
            }
        }
        place
    }

    /// How much of each of the three makes this torque.
    #[inline(always)]
    fn shares(&self, torque: Vec3<R>) -> [R; 3] {
        let [a, b, c] = self.torques;
        let scale = R::ONE / a.dot(b.cross(c));
        [torque.dot(b.cross(c)) * scale, torque.dot(c.cross(a)) * scale, torque.dot(a.cross(b)) * scale]
    }

    /// Finds the strengths; a couple that would be negative is turned round.
    #[inline(always)]
    fn balance(&mut self, torque: Vec3<R>) {
        let [a, b, c] = self.torques;
        let size = a.length() * b.length() * c.length();
        let spans_space = a.dot(b.cross(c)).abs() > R::of(COUPLES_PLANE) * size;
        if !spans_space {
            self.strengths = [R::ZERO; 3];
            self.done = true;
            return;
        }
        let first = self.shares(torque);
        // What rounding has left of the torque.
        let rest = self.shares(torque - a * first[0] - b * first[1] - c * first[2]);
        for k in 0..3 {
            self.strengths[k] = first[k] + rest[k];
            if self.strengths[k] < R::ZERO {
                self.strengths[k] = -self.strengths[k];
                self.torques[k] = -self.torques[k];
                let Couple { head, tail, axis } = self.couples[k];
                self.couples[k] = Couple { head: tail, tail: head, axis };
            }
        }
    }

    /// The pull at a point.
    #[inline(always)]
    pub fn pull(&self, point: u32) -> Vec3<R> {
        let mut sum = [R::ZERO; 3];
        for (couple, strength) in self.couples.iter().zip(self.strengths) {
            if couple.head == point {
                sum[couple.axis as usize] += strength;
            }
            if couple.tail == point {
                sum[couple.axis as usize] -= strength;
            }
        }
        Vec3::new(sum[0], sum[1], sum[2])
    }

    /// From units to what they stand for.
    #[inline(always)]
    pub fn scale(&mut self, unit: R) {
        for strength in &mut self.strengths {
            *strength *= unit;
        }
    }

    /// How much of the damping −γ (m v − c) leaves the least kinetic energy, between nothing and all of it.
    ///
    /// Schmedding 2012 takes all of it, which adds energy: c puts the spin of the whole onto six points. Here a body that only
    /// spins is left alone. `spin` is the torque to be made and `energy` Σ m v². Points on a line make none and are not damped.
    #[inline(always)]
    pub fn share(
        &self,
        spin: R,
        gamma: R,
        energy: R,
        velocity: impl Fn(u32) -> Vec3<R>,
        mass: impl Fn(u32) -> R,
    ) -> R {
        let [a, b, c] = self.strengths;
        if spin > R::ZERO && a + b + c == R::ZERO {
            return R::ZERO;
        }
        // Σ c·v and Σ c²/m over the ends.
        let (mut work, mut square) = (R::ZERO, R::ZERO);
        for (couple, strength) in self.couples.iter().zip(self.strengths) {
            for (point, amount) in [(couple.head, strength), (couple.tail, -strength)] {
                if strength > R::ZERO {
                    work += amount * component(velocity(point), couple.axis);
                    square += amount * component(self.pull(point), couple.axis) / mass(point);
                }
            }
        }
        let slope = energy - work;
        let curvature = gamma * (slope - work + square);
        if slope > R::ZERO && slope < curvature {
            slope / curvature
        } else {
            R::select(slope > R::ZERO, R::ONE, R::ZERO)
        }
    }
}

/// A unit vector, or zero.
#[inline(always)]
pub fn unit<R: Real>(v: Vec3<R>) -> Vec3<R> {
    let length = v.length();
    if length > R::ZERO { v / length } else { Vec3::ZERO }
}

/// A unit vector across v.
#[inline(always)]
fn across<R: Real>(v: Vec3<R>) -> Vec3<R> {
    let size = [v.x.abs(), v.y.abs(), v.z.abs()];
    if size[0] <= size[1] && size[0] <= size[2] {
        unit(Vec3::new(R::ZERO, v.z, -v.y))
    } else if size[1] <= size[2] {
        unit(Vec3::new(-v.z, R::ZERO, v.x))
    } else {
        unit(Vec3::new(v.y, -v.x, R::ZERO))
    }
}

/// The couples of a few points that make a torque of size 1.
#[inline(always)]
pub fn of_points<R: Real, const N: usize>(r: &[Vec3<R>; N], torque: Vec3<R>) -> Couples<R> {
    let mut couples = Couples::none();
    for round in 0..COUPLES_ROUNDS {
        let price = couples.price(round, torque);
        let mut extremes = Extremes::none();
        for (point, r) in r.iter().enumerate() {
            extremes.look(point as u32, price.cross(*r));
        }
        let (couple, gain) = extremes.best();
        let arm = r[couple.head as usize] - r[couple.tail as usize];
        couples.enter(round, couple, gain, arm, torque);
        if couples.done {
            break;
        }
    }
    couples
}
