//! What the links of a particle ask of it, all at once. Twin of `shaders/common/jacobi_links.wgsl`.
//!
//! Both ends of a link keep their own copy of its λ and compute the same Δλ from the same numbers, so nobody waits for anybody
//! and momentum is conserved. The denominator of Δλ uses masses split among a particle's n constraints (W = n w, kept in
//! `offsets.w`), the correction the true mass: the same as averaging the corrections of split particles, stable for
//! relaxation below 2 (Tonge et al. 2012).

use super::distance::project;
use super::slices::{REST, SLICE};
use crate::math::{Lanes, Places, Real, Vec3, Vec4};
use crate::particles::World;

/// What a particle sees of its links and neighbours.
pub struct Neighbourhood<'a, R> {
    pub world: &'a World<R>,
    pub dt: R, // substep [s]
    pub starts: &'a [u32],
    pub slots: &'a [[u32; 4]],
    pub rest: &'a [Vec4<R>],
    pub positions: &'a [Vec4<R>],
    pub offsets: &'a [Vec4<R>],
}

/// The λ of links, four of a cell at a time.
pub trait Multipliers<L> {
    fn of(&self, cell: u32) -> Vec4<L>;
    fn keep(&self, cell: u32, next: Vec4<L>);
}

impl<R: Real> Neighbourhood<'_, R> {
    /// −Σ n Δλ over the links of particle i.
    #[inline(always)]
    pub fn sum(&self, i: u32, multipliers: &impl Multipliers<R>) -> Vec3<R> {
        let (xi, oi) = (self.positions[i as usize], self.offsets[i as usize]);
        let mut sum = Vec3::ZERO;
        for cell in self.cells(i) {
            let slots = self.slots[cell as usize];
            let [lengths, stretched, compressed] =
                [0, 1, 2].map(|k| self.rest[REST * cell as usize + k].to_array());
            let mut lambda = multipliers.of(cell).to_array();
            for s in 0..4 {
                let (xj, oj) = (self.positions[slots[s] as usize], self.offsets[slots[s] as usize]);
                let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
                let alphas = [stretched[s], compressed[s]];
                let (push, dl) = project(d, oi.w + oj.w, lengths[s], alphas, lambda[s], self.dt);
                sum -= push * self.world.relaxation;
                lambda[s] += dl * self.world.relaxation;
            }
            multipliers.keep(cell, Vec4::from_array(lambda));
        }
        sum
    }
}

impl<R> Neighbourhood<'_, R> {
    /// The cells of four slots that belong to a particle.
    #[inline(always)]
    fn cells(&self, i: u32) -> impl Iterator<Item = u32> {
        let (slice, lane) = ((i / SLICE) as usize, i % SLICE);
        (self.starts[slice]..self.starts[slice + 1]).step_by(SLICE as usize).map(move |cell| cell + lane)
    }
}

impl Neighbourhood<'_, f32> {
    /// x and o of several particles, from i on.
    #[inline(always)]
    pub fn own<L: Lanes>(&self, i: u32) -> [Vec4<L>; 2] {
        let own = Places::new::<L>(self.positions.len().min(self.offsets.len()), |lane| i + lane as u32);
        [L::gather(self.positions, &own), L::gather(self.offsets, &own)]
    }

    /// As [`Neighbourhood::sum`], line by line, for several neighbouring particles of a slice.
    #[inline(always)]
    pub fn sum_lanes<L: Lanes>(
        &self,
        i: u32,
        [xi, oi]: [Vec4<L>; 2],
        multipliers: &impl Multipliers<L>,
    ) -> Vec3<L> {
        let (dt, relaxation) = (L::splat(self.dt), L::splat(self.world.relaxation));
        let mut sum = Vec3::ZERO;
        for cell in self.cells(i) {
            let block = cell as usize..cell as usize + L::COUNT;
            let rest = &self.rest[REST * block.start..REST * block.end];
            let slots = &self.slots[block];
            let lengths = L::vectors(|lane| &rest[REST * lane]).to_array();
            let stretched = L::vectors(|lane| &rest[REST * lane + 1]).to_array();
            let compressed = L::vectors(|lane| &rest[REST * lane + 2]).to_array();
            let mut lambda = multipliers.of(cell).to_array();
            for s in 0..4 {
                let j = Places::new::<L>(self.positions.len(), |lane| slots[lane][s]);
                let (xj, oj): (Vec4<L>, Vec4<L>) =
                    (L::gather(self.positions, &j), L::gather(self.offsets, &j));
                let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
                let alphas = [stretched[s], compressed[s]];
                let (push, dl) = project(d, oi.w + oj.w, lengths[s], alphas, lambda[s], dt);
                sum -= push * relaxation;
                lambda[s] = lambda[s] + dl * relaxation;
            }
            multipliers.keep(cell, Vec4::from_array(lambda));
        }
        sum
    }
}
