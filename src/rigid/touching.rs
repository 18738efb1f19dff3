//! Contacts of one rigid body with what does not move, solved together.
//!
//!   0 ≤ λ ⊥ gap + n·(Δ + θ × r) ≥ 0        |λₜ| ≤ μ λ        Δ = w Σ (λ n + λₜ)        θ = I⁻¹ Σ r × (λ n + λₜ)
//!
//! by projected Gauss–Seidel from λ = 0. λₜ opposes the displacement of the substep along the surface; within the cone that
//! vanishes. Multipliers are not kept from substep to substep: with positions as unknowns that makes stacks explode.

use super::motion::Motion;
use crate::math::{Real, Vec3};

/// Contacts of one body at a time. A box in a corner has eight, and of more the deepest say where it goes.
pub const MOST: usize = 16;
/// Visits of each contact.
const SWEEPS: u32 = 8;

/// A place where a body touches.
#[derive(Clone, Copy)]
pub struct Contact<R> {
    /// Unit vector towards the body.
    pub normal: Vec3<R>,
    /// From the centre of mass [m].
    pub arm: Vec3<R>,
    /// Distance along the normal at the end of the substep, negative inside [m].
    pub gap: R,
    /// Displacement of the substep relative to what is touched [m].
    pub way: Vec3<R>,
    /// Friction coefficient.
    pub friction: R,
    /// λ [kg m].
    pub push: R,
    /// λₜ [kg m].
    pub grip: Vec3<R>,
}

/// The contacts of a body.
pub struct Contacts<R> {
    pub list: [Contact<R>; MOST],
    pub count: usize,
}

impl<R: Real> Contacts<R> {
    #[inline(always)]
    pub fn none() -> Self {
        let none = Contact {
            normal: Vec3::ZERO,
            arm: Vec3::ZERO,
            gap: R::ZERO,
            way: Vec3::ZERO,
            friction: R::ZERO,
            push: R::ZERO,
            grip: Vec3::ZERO,
        };
        Self { list: [none; MOST], count: 0 }
    }

    /// Adds a contact; where there is no room, instead of the shallowest if that is shallower.
    #[inline(always)]
    pub fn add(&mut self, contact: Contact<R>) {
        if self.count < MOST {
            self.list[self.count] = contact;
            self.count += 1;
            return;
        }
        let mut shallowest = 0;
        for k in 1..MOST {
            if self.list[k].gap > self.list[shallowest].gap {
                shallowest = k;
            }
        }
        if contact.gap < self.list[shallowest].gap {
            self.list[shallowest] = contact;
        }
    }

    /// Δ [m] and θ [rad].
    #[inline(always)]
    pub fn solve(&mut self, body: &Motion<R>) -> [Vec3<R>; 2] {
        let w = body.x.w;
        let (mut moved, mut turned) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..SWEEPS {
            for contact in &mut self.list[..self.count] {
                let (n, r) = (contact.normal, contact.arm);
                let lever = r.cross(n);
                let response = body.inverse_inertia(lever);
                let weight = w + lever.dot(response);
                if weight > R::ZERO {
                    let gap = contact.gap + n.dot(moved) + lever.dot(turned);
                    let push = (contact.push - gap / weight).max(R::ZERO);
                    let change = push - contact.push;
                    contact.push = push;
                    moved += n * (w * change);
                    turned += response * change;
                }
                let way = contact.way + moved + turned.cross(r);
                let along = way - n * n.dot(way);
                let slip = along.length();
                if slip > R::ZERO {
                    let direction = along / slip;
                    let lever = r.cross(direction);
                    let weight = w + lever.dot(body.inverse_inertia(lever));
                    if weight > R::ZERO {
                        let wanted = contact.grip - direction * (slip / weight);
                        let (most, length) = (contact.friction * contact.push, wanted.length());
                        let grip = wanted * R::select(length > most, most / length, R::ONE);
                        let change = grip - contact.grip;
                        contact.grip = grip;
                        moved += change * w;
                        turned += body.inverse_inertia(r.cross(change));
                    }
                }
            }
        }
        [moved, turned]
    }
}
