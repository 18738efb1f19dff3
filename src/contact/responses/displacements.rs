//! Displacements of pairs, one after the other, until none is too deep (Spillmann, Teschner 2008).
//!
//!   ξ = M₂/(M₁ + M₂)        M = Σ |a| m of a side        Δxₖ = n ξ ε aₖ on the first side, n (1 − ξ) ε aₖ on the second
//!
//! Of the depth ε of a pair alone this leaves 1 − φ, φ = ξ Σ a² of the first side + (1 − ξ) Σ a² of the second: half of it where two segments meet in their middles.
//! Linear momentum stays. Friction acts in every sweep with half the weight of the one before. The two sides of a pair are those of the start of the step.

use super::heap::Heap;
use super::{Pair, Response, weighted};
use glam::DVec3;

/// Sweeps in a step, and the depth that is left be, as a share of the radius.
const SWEEPS: u32 = 100;
const LEFT: f64 = 1e-3;

/// The response.
pub struct Displacements;

/// The displacements of the corners of a pair of depth ε along n, from its second side to its first.
pub fn apart(weights: [f64; 4], masses: [f64; 4], are_edges: bool, normal: DVec3, depth: f64) -> [DVec3; 4] {
    let first = if are_edges { 2 } else { 1 };
    let mass = |range: std::ops::Range<usize>| range.map(|k| weights[k].abs() * masses[k]).sum::<f64>();
    let [one, two] = [mass(0..first), mass(first..4)];
    // What is held has all the mass there is.
    let xi = if two.is_infinite() {
        1.0
    } else if one.is_infinite() {
        0.0
    } else {
        two / (one + two)
    };
    [0, 1, 2, 3].map(|k| normal * (depth * weights[k] * if k < first { xi } else { 1.0 - xi }))
}

impl Response for Displacements {
    fn name(&self) -> &'static str {
        "displacements"
    }

    fn respond(&mut self, heap: &Heap, v: &[DVec3], h: f64) -> Vec<DVec3> {
        let thickness = 2.0 * heap.radius;
        let wanted: Vec<DVec3> = heap.x.iter().zip(v).map(|(x, v)| *x + h * *v).collect();
        let pairs: Vec<(Pair, DVec3)> = heap
            .pairs(&heap.x, &wanted, 2.0 * thickness)
            .into_iter()
            .map(|pair| (pair, pair.place(&heap.x).normal))
            .collect();
        let mut x = wanted.clone();
        for sweep in 1..=SWEEPS {
            let mut deepest = 0.0f64;
            for (pair, side) in &pairs {
                let place = pair.place(&x);
                let is_through = place.normal.dot(*side) < 0.0;
                let (normal, depth) = if is_through {
                    (*side, thickness + place.distance)
                } else {
                    (place.normal, thickness - place.distance)
                };
                if depth <= LEFT * heap.radius {
                    continue;
                }
                deepest = deepest.max(depth);
                let masses = pair.of(&heap.inverse_masses).map(|w| 1.0 / w);
                let mut moves = apart(place.weights, masses, pair.are_edges, normal, depth);
                // What slides gives way by up to μ times the depth, and never turns around.
                let slide = weighted(place.weights, pair.of(v)) * h;
                let slide = slide - normal * normal.dot(slide);
                let most = heap.friction * depth * 0.5f64.powi(sweep as i32);
                if slide.length() > 0.0 {
                    let back = -slide.normalize();
                    let taken = most.min(slide.length());
                    let friction = apart(place.weights, masses, pair.are_edges, back, taken);
                    moves.iter_mut().zip(friction).for_each(|(a, b)| *a += b);
                }
                for (p, way) in pair.corners.into_iter().zip(moves) {
                    if heap.inverse_masses[p as usize] > 0.0 {
                        x[p as usize] += way;
                    }
                }
            }
            if deepest == 0.0 {
                break;
            }
        }
        x.iter().zip(&heap.x).map(|(to, from)| (*to - *from) / h).collect()
    }
}
