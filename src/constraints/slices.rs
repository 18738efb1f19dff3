//! The links of each particle in slices, so that neighbouring invocations load neighbouring memory.
//!
//! Particles come in slices of [`SLICE`], the most lanes of the CPU backend. A cell holds four slots (link ends) of one
//! particle, the width of a load; cells of a slice are stored row by row, one cell per particle, as many rows as its
//! busiest particle needs. Empty slots point at their own particle with nothing to do: a link without length.

use super::distance::pack;
use crate::model::elements::Link;
use crate::model::incidence::{ElementError, Incidence};

/// Particles per slice.
pub const SLICE: u32 = crate::math::lane::MOST as u32;

/// Slots per cell.
const CELL: usize = 4;

/// Cells of four slots.
pub struct Slices {
    /// Where each slice's cells begin, and one end.
    pub starts: Vec<u32>,
    /// Per cell: the other ends and their links' materials, packed.
    pub slots: Vec<[u32; CELL]>,
    /// Per cell: rest lengths L [m], then shape factors g.
    pub rest: Vec<[f64; CELL]>,
}

impl Slices {
    pub fn new(links: &[Link], particle_count: usize) -> Result<Self, ElementError> {
        let ends: Vec<[u32; 2]> = links.iter().map(|link| link.ends).collect();
        let incidence = Incidence::new(&ends, particle_count)?;
        let too_many = || ElementError::TooMany { what: "link ends", count: 2 * links.len() };
        let last = (particle_count as u32).saturating_sub(1);
        let mut slices = Self { starts: vec![0], slots: Vec::new(), rest: Vec::new() };
        for first in (0..particle_count as u32).step_by(SLICE as usize) {
            let particles = first..first + SLICE;
            let of = |p: u32| if p <= last { incidence.of(p) } else { &[] };
            let rows = particles.clone().map(|p| of(p).len().div_ceil(CELL)).max().unwrap_or(0);
            for row in 0..rows {
                for p in particles.clone() {
                    let mut slots = [pack(p.min(last), 0); CELL];
                    let (mut lengths, mut factors) = ([0.0; CELL], [0.0; CELL]);
                    for (s, &end) in of(p).iter().skip(CELL * row).take(CELL).enumerate() {
                        let link = &links[end as usize / 2];
                        slots[s] = pack(link.ends[1 - end as usize % 2], link.material);
                        (lengths[s], factors[s]) = (link.rest_length, link.factor);
                    }
                    slices.slots.push(slots);
                    slices.rest.extend([lengths, factors]);
                }
            }
            slices.starts.push(u32::try_from(slices.rest.len()).map_err(|_| too_many())? / 2);
        }
        Ok(slices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::distance::unpack;

    fn link(ends: [u32; 2]) -> Link {
        Link { ends, rest_length: 1.0, factor: 2.0, material: 3 }
    }

    #[test]
    fn a_star_has_as_many_rows_as_its_centre_needs_and_its_empty_slots_point_home() {
        let links: Vec<Link> = (1..10).map(|leaf| link([0, leaf])).collect();
        let slices = Slices::new(&links, 10).unwrap();
        assert_eq!(slices.starts, [0, 24, 32]);
        let others: Vec<u32> =
            [0, 8, 16].iter().flat_map(|&cell| slices.slots[cell]).map(|w| unpack(w).0).collect();
        assert_eq!(others, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0]);
        assert_eq!(slices.slots[1], [pack(0, 3), pack(1, 0), pack(1, 0), pack(1, 0)]);
        assert_eq!(slices.rest[2..4], [[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]]);
        assert!(slices.slots.iter().flatten().all(|&word| unpack(word).0 < 10));
    }

    #[test]
    fn no_links_make_no_cells() {
        assert_eq!(Slices::new(&[], 9).unwrap().starts, [0, 0, 0]);
        assert_eq!(Slices::new(&[], 0).unwrap().starts, [0]);
    }
}
