//! Impulses: those that stop and push apart what is near, then those of continuous tests until nothing is hit any more, then rigid zones.
//!
//!   stop    p = −u / Σ aₖ² wₖ        u = n · Σ aₖ vₖ < 0        vₖ += aₖ wₖ p n
//!   repel   p = min(h k d, m (0.1 d/h − u))        d: what is missing of the thickness, m = 1/Σ aₖ² wₖ
//!   friction takes up to μ times the change of the normal speed from the tangential one
//!
//! Perfectly inelastic. Bridson, Fedkiw, Anderson 2002; continuous tests as Provot 1997: four points are coplanar at the roots of a cubic.

use super::heap::Heap;
use super::{Pair, Response, mobility, weighted};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// Rounds of continuous tests before what is left becomes rigid, and rounds of that.
const ROUNDS: u32 = 30;
const ZONES: u32 = 10;
/// The share of the missing thickness that is won back in a step.
const WON: f64 = 0.1;
/// Halvings by which a root is closed in; its earlier end counts.
const HALVINGS: u32 = 50;
/// Distance that counts as a hit, as a share of the pair's size.
const HIT: f64 = 1e-6;

/// The response, and the stiffness of what pushes apart [N/m].
pub struct Impulses {
    pub stiffness: f64,
}

/// The impulse that stops a pair [N s]; 0 for one that parts.
pub fn stop(weights: [f64; 4], inverse_masses: [f64; 4], v: [DVec3; 4], normal: DVec3) -> f64 {
    let (speed, mobility) = (normal.dot(weighted(weights, v)), mobility(weights, inverse_masses));
    if speed < 0.0 && mobility > 0.0 { -speed / mobility } else { 0.0 }
}

/// The impulse that pushes a pair apart that is too near by `missing` [N s].
pub fn repel(missing: f64, speed: f64, mobility: f64, stiffness: f64, h: f64) -> f64 {
    let wanted = WON * missing / h;
    if missing <= 0.0 || speed >= wanted || mobility <= 0.0 {
        return 0.0;
    }
    (h * stiffness * missing).min((wanted - speed) / mobility)
}

/// The coefficients of six times the volume of four points that move by `way`, over the time from 0 to 1.
fn cubic(x: [DVec3; 4], way: [DVec3; 4]) -> [f64; 4] {
    let [a, b, c] = [1, 2, 3].map(|k| x[k] - x[0]);
    let [u, v, w] = [1, 2, 3].map(|k| way[k] - way[0]);
    [
        a.cross(b).dot(c),
        (u.cross(b) + a.cross(v)).dot(c) + a.cross(b).dot(w),
        u.cross(v).dot(c) + (u.cross(b) + a.cross(v)).dot(w),
        u.cross(v).dot(w),
    ]
}

/// Roots of a cubic within [0, 1] in order, each from below.
fn roots(k: [f64; 4]) -> Vec<f64> {
    let value = |t: f64| ((k[3] * t + k[2]) * t + k[1]) * t + k[0];
    let mut ends = vec![0.0];
    let (a, b, c) = (3.0 * k[3], 2.0 * k[2], k[1]);
    let square = b * b - 4.0 * a * c;
    if square >= 0.0 {
        let q = -0.5 * (b + square.sqrt().copysign(b));
        let mut turning = [q / a, c / q];
        turning.sort_by(f64::total_cmp);
        ends.extend(turning.into_iter().filter(|t| *t > 0.0 && *t < 1.0));
    }
    ends.push(1.0);
    let mut found = Vec::new();
    for pair in ends.windows(2) {
        let [mut low, mut high] = [pair[0], pair[1]];
        let sign = value(low);
        if sign == 0.0 {
            found.push(low);
        } else if sign * value(high) < 0.0 {
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if sign * value(middle) > 0.0 { low = middle } else { high = middle }
            }
            found.push(low);
        }
    }
    found.push(1.0);
    found
}

/// When the two sides of a pair first meet on their straight ways, from 0 to 1.
pub fn first_hit(pair: &Pair, x: &[DVec3], way: &[DVec3]) -> Option<f64> {
    let (here, ways) = (pair.of(x), pair.of(way));
    let size =
        here.iter().zip(ways).map(|(x, way)| (*x - here[0]).length() + way.length()).fold(0.0, f64::max);
    let four = Pair { corners: [0, 1, 2, 3], are_edges: pair.are_edges };
    let at = |t: f64| [0, 1, 2, 3].map(|k| here[k] + ways[k] * t);
    roots(cubic(here, ways)).into_iter().find(|&t| four.place(&at(t)).distance <= HIT * size)
}

impl Impulses {
    /// Pushes a pair by an impulse and lets friction act on what it changed.
    fn push(heap: &Heap, pair: &Pair, weights: [f64; 4], impulse: DVec3, v: &mut [DVec3]) {
        for (p, a) in pair.corners.into_iter().zip(weights) {
            v[p as usize] += impulse * (a * heap.inverse_masses[p as usize]);
        }
    }

    fn near(&self, heap: &Heap, v: &mut [DVec3], h: f64) {
        let thickness = 2.0 * heap.radius;
        for pair in heap.pairs(&heap.x, &heap.x, thickness) {
            let place = pair.place(&heap.x);
            let missing = thickness - place.distance;
            if missing <= 0.0 {
                continue;
            }
            let inverse = pair.of(&heap.inverse_masses);
            let mobility = mobility(place.weights, inverse);
            let tangential = |v: DVec3| v - place.normal * place.normal.dot(v);
            let stopping = stop(place.weights, inverse, pair.of(v), place.normal);
            Self::push(heap, &pair, place.weights, place.normal * stopping, v);
            let speed = place.normal.dot(weighted(place.weights, pair.of(v)));
            let more = repel(missing, speed, mobility, self.stiffness, h);
            Self::push(heap, &pair, place.weights, place.normal * more, v);
            let slide = tangential(weighted(place.weights, pair.of(v)));
            let most = heap.friction * (stopping + more) * mobility;
            if slide.length() > 0.0 && mobility > 0.0 {
                let taken = slide * (most / slide.length()).min(1.0);
                Self::push(heap, &pair, place.weights, -taken / mobility, v);
            }
        }
    }

    /// The pairs that meet within a step, with when.
    fn hits(heap: &Heap, v: &[DVec3], h: f64) -> Vec<(Pair, f64)> {
        let way: Vec<DVec3> = v.iter().map(|v| h * *v).collect();
        let there: Vec<DVec3> = heap.x.iter().zip(&way).map(|(x, way)| *x + *way).collect();
        let pairs = heap.pairs(&heap.x, &there, HIT * heap.radius).into_iter();
        pairs.filter_map(|pair| Some((pair, first_hit(&pair, &heap.x, &way)?))).collect()
    }

    /// One round: all hits are stopped at once, and each particle gets the mean of its changes.
    fn stop_hits(heap: &Heap, hits: &[(Pair, f64)], v: &mut [DVec3], h: f64) {
        let mut sums = vec![(DVec3::ZERO, 0.0); v.len()];
        for (pair, time) in hits {
            let at: Vec<DVec3> =
                pair.of(&heap.x).iter().zip(pair.of(v)).map(|(x, v)| *x + v * (h * time)).collect();
            let four = Pair { corners: [0, 1, 2, 3], are_edges: pair.are_edges };
            // The side on which they are is that of the start; where they meet, the nearest points have no direction left.
            let (before, weights) = (pair.place(&heap.x), four.place(&at).weights);
            let [a, b, c, d] = [at[0], at[1], at[2], at[3]];
            let across = if pair.are_edges { (b - a).cross(d - c) } else { (c - b).cross(d - b) };
            let across = across.normalize_or(before.normal);
            let normal = if across.dot(before.normal) < 0.0 { -across } else { across };
            let impulse = stop(weights, pair.of(&heap.inverse_masses), pair.of(v), normal);
            for (p, a) in pair.corners.into_iter().zip(weights) {
                let (sum, count) = &mut sums[p as usize];
                *sum += normal * (impulse * a * heap.inverse_masses[p as usize]);
                *count += f64::from(impulse > 0.0);
            }
        }
        for (v, (sum, count)) in v.iter_mut().zip(sums).filter(|(_, (_, count))| *count > 0.0) {
            *v += sum / count;
        }
    }
}

/// The velocities of a body that is stiff for a moment: linear and angular momentum stay (Provot 1997; Harmon et al. 2008).
pub fn stiffen(members: &[usize], x: &[DVec3], inverse_masses: &[f64], v: &mut [DVec3]) {
    if members.iter().any(|&p| inverse_masses[p] == 0.0) {
        members.iter().for_each(|&p| v[p] = DVec3::ZERO);
        return;
    }
    let mass: f64 = members.iter().map(|&p| 1.0 / inverse_masses[p]).sum();
    let mean = |of: &[DVec3]| members.iter().map(|&p| of[p] / inverse_masses[p]).sum::<DVec3>() / mass;
    let (centre, way) = (mean(x), mean(v));
    let (mut spin, mut inertia) = (DVec3::ZERO, DMat3::ZERO);
    for &p in members {
        let (r, m) = (x[p] - centre, 1.0 / inverse_masses[p]);
        spin += m * r.cross(v[p] - way);
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        inertia += (DMat3::IDENTITY * r.length_squared() - outer) * m;
    }
    let size = inertia.col(0).x + inertia.col(1).y + inertia.col(2).z;
    // Along a line there is nothing that turns.
    let omega =
        if size > 0.0 { (inertia + DMat3::IDENTITY * (1e-12 * size)).inverse() * spin } else { DVec3::ZERO };
    members.iter().for_each(|&p| v[p] = way + omega.cross(x[p] - centre));
}

impl Response for Impulses {
    fn name(&self) -> &'static str {
        "impulses"
    }

    fn respond(&mut self, heap: &Heap, v: &[DVec3], h: f64) -> Vec<DVec3> {
        let mut v = v.to_vec();
        self.near(heap, &mut v, h);
        for _ in 0..ROUNDS {
            let hits = Self::hits(heap, &v, h);
            if hits.is_empty() {
                return v;
            }
            Self::stop_hits(heap, &hits, &mut v, h);
        }
        let mut zones: Vec<u32> = (0..v.len() as u32).collect();
        for _ in 0..ZONES {
            let hits = Self::hits(heap, &v, h);
            if hits.is_empty() {
                return v;
            }
            for (pair, _) in hits {
                let own = pair.of(&zones);
                let least = own.into_iter().min().unwrap_or_default();
                zones.iter_mut().filter(|zone| own.contains(zone)).for_each(|zone| *zone = least);
            }
            let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            zones.iter().enumerate().for_each(|(p, &zone)| members.entry(zone).or_default().push(p));
            for members in members.values().filter(|members| members.len() > 1) {
                stiffen(members, &heap.x, &heap.inverse_masses, &mut v);
            }
        }
        v
    }
}
