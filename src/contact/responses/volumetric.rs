//! Volumetric displacements: each particle that is inside another body is led towards its surface, all at once (Spillmann, Becker, Teschner 2007).
//!
//!   Sₖ = Σ hₖ of all contacts at k        cₖ = 1/(1 + Sₖ)        W = Σ cₖ hₖ mₖ        α = W/(cᵢ mᵢ + W)        fᵢ = mᵢ α dᵢ
//!   f'ₖ = ½ fₖ − ½ Σ hₖ f of all contacts at k        (f is here a force times h²)
//!
//! Momentum stays, as Σ f' = 0. Of a point alone over a triangle that collides with nothing only 2/7 of the depth is taken away, so that what is deep stays so for
//! several steps. Edges are not looked at. The way out is that to the nearest point of the surface.

use super::heap::Heap;
use super::{Pair, Response, weighted};
use glam::DVec3;

/// The response.
pub struct Volumetric;

/// A particle inside another body.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub point: u32,
    pub triangle: [u32; 3],
    /// Of the triangle's corners; their sum is 1.
    pub weights: [f64; 3],
    /// From the particle out to the surface [m].
    pub way: DVec3,
}

/// Displacements of all particles times their masses [kg m].
pub fn forces(contacts: &[Contact], masses: &[f64]) -> Vec<DVec3> {
    let each = |contact: &Contact| [0, 1, 2].map(|k| (contact.triangle[k] as usize, contact.weights[k]));
    let mut sums = vec![0.0; masses.len()];
    contacts.iter().flat_map(each).for_each(|(p, h)| sums[p] += h);
    let share = |p: usize| 1.0 / (1.0 + sums[p]);
    let raw: Vec<DVec3> = contacts
        .iter()
        .map(|contact| {
            let own = masses[contact.point as usize];
            if own.is_infinite() {
                return DVec3::ZERO;
            }
            let other: f64 =
                each(contact).map(|(p, h)| if h > 0.0 { share(p) * h * masses[p] } else { 0.0 }).iter().sum();
            let alpha =
                if other.is_infinite() { 1.0 } else { other / (share(contact.point as usize) * own + other) };
            contact.way * (own * alpha)
        })
        .collect();
    let mut all = vec![DVec3::ZERO; masses.len()];
    for (contact, force) in contacts.iter().zip(&raw) {
        // What is held takes no part in the correction.
        let is_held = each(contact).iter().all(|(p, _)| masses[*p].is_infinite());
        all[contact.point as usize] += *force * if is_held { 1.0 } else { 0.5 };
        each(contact).iter().for_each(|(p, h)| all[*p] -= *force * (0.5 * h));
    }
    all
}

/// The particles that are inside another body, with the way out.
fn contacts(heap: &Heap, x: &[DVec3]) -> Vec<Contact> {
    let mut found = Vec::new();
    for p in 0..x.len() as u32 {
        for body in (0..heap.body_count()).filter(|&body| body != heap.bodies[p as usize]) {
            let own = heap.triangles.iter().filter(|t| heap.bodies[t[0] as usize] == body);
            let mut nearest: Option<(f64, Contact)> = None;
            let mut winding = 0.0;
            for &[a, b, c] in own {
                let [u, v, w] = [a, b, c].map(|k| x[k as usize] - x[p as usize]);
                // The solid angle of a triangle (Van Oosterom, Strackee 1983).
                let [lu, lv, lw] = [u, v, w].map(DVec3::length);
                let below = lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv;
                winding += 2.0 * u.dot(v.cross(w)).atan2(below);
                let place = Pair { corners: [p, a, b, c], are_edges: false }.place(x);
                if nearest.is_none_or(|(distance, _)| place.distance < distance) {
                    let weights = [1, 2, 3].map(|k| -place.weights[k]);
                    // Out to the surface, and its thickness further.
                    let way = -place.normal * (place.distance + 2.0 * heap.radius);
                    nearest = Some((place.distance, Contact { point: p, triangle: [a, b, c], weights, way }));
                }
            }
            if winding.abs() > std::f64::consts::TAU {
                found.extend(nearest.map(|(_, contact)| contact));
            }
        }
    }
    found
}

impl Response for Volumetric {
    fn name(&self) -> &'static str {
        "volumetric"
    }

    fn takes_open(&self) -> bool {
        false
    }

    fn respond(&mut self, heap: &Heap, v: &[DVec3], h: f64) -> Vec<DVec3> {
        let wanted: Vec<DVec3> = heap.x.iter().zip(v).map(|(x, v)| *x + h * *v).collect();
        let contacts = contacts(heap, &wanted);
        let masses: Vec<f64> = heap.inverse_masses.iter().map(|w| 1.0 / w).collect();
        let mut v = v.to_vec();
        for (p, force) in forces(&contacts, &masses).into_iter().enumerate() {
            v[p] += force * (heap.inverse_masses[p] / h);
        }
        // Friction: up to μ times what was pushed, of the way along the surface.
        for contact in &contacts {
            let [a, b, c] = contact.triangle;
            let pair = Pair { corners: [contact.point, a, b, c], are_edges: false };
            let [i, j, k] = contact.weights;
            let weights = [1.0, -i, -j, -k];
            let normal = contact.way.normalize_or_zero();
            let slide = weighted(weights, pair.of(&v));
            let slide = slide - normal * normal.dot(slide);
            let mobility = super::mobility(weights, pair.of(&heap.inverse_masses));
            let most = heap.friction * contact.way.length() / h;
            if slide.length() > 0.0 && mobility > 0.0 {
                let impulse = -slide * ((most / slide.length()).min(1.0) / mobility);
                for (p, a) in pair.corners.into_iter().zip(weights) {
                    v[p as usize] += impulse * (a * heap.inverse_masses[p as usize]);
                }
            }
        }
        v
    }
}
