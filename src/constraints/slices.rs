//! The links of each particle in slices, so that neighbouring invocations load neighbouring memory.
//!
//! Particles come in slices of [`SLICE`], the most lanes of the CPU backend. A cell holds four slots (link ends) of one
//! particle, the width of a load; cells of a slice are stored row by row, one cell per particle, as many rows as its
//! busiest particle needs. Empty slots point at their own particle with nothing to do: a link without length.

use crate::model::elements::{Link, LinkMaterial};
use crate::model::incidence::{ElementError, Incidence};

/// Particles per slice.
pub const SLICE: u32 = crate::math::lane::MOST as u32;

/// Slots per cell.
const CELL: usize = 4;
/// Vectors of [`Slices::rest`] per cell.
pub const REST: usize = 3;

/// Cells of four slots.
pub struct Slices {
    /// Where each slice's cells begin, and one end.
    pub starts: Vec<u32>,
    /// Per cell: the other ends.
    pub slots: Vec<[u32; CELL]>,
    /// Per cell: rest lengths L [m], then compliances of stretched and of compressed links [m/N].
    pub rest: Vec<[f64; CELL]>,
}

impl Slices {
    pub fn new(
        links: &[Link],
        materials: &[LinkMaterial],
        particle_count: usize,
    ) -> Result<Self, ElementError> {
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
                    let mut slots = [p.min(last); CELL];
                    let mut rest = [[0.0; CELL]; REST];
                    for (s, &end) in of(p).iter().skip(CELL * row).take(CELL).enumerate() {
                        let link = &links[end as usize / 2];
                        slots[s] = link.ends[1 - end as usize % 2];
                        [rest[0][s], rest[1][s], rest[2][s]] = link.rest(materials);
                    }
                    slices.slots.push(slots);
                    slices.rest.extend(rest);
                }
            }
            slices.starts.push(u32::try_from(slices.rest.len()).map_err(|_| too_many())? / REST as u32);
        }
        Ok(slices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::elements::SLACK;

    const MATERIALS: [LinkMaterial; 1] = [[5.0, SLACK]];

    fn link(ends: [u32; 2]) -> Link {
        Link { ends, rest_length: 1.0, factor: 2.0, material: 0, rank: 0 }
    }

    #[test]
    fn a_star_has_as_many_rows_as_its_centre_needs_and_its_empty_slots_point_home() {
        let links: Vec<Link> = (1..10).map(|leaf| link([0, leaf])).collect();
        let slices = Slices::new(&links, &MATERIALS, 10).unwrap();
        assert_eq!(slices.starts, [0, 24, 32]);
        let others: Vec<u32> = [0, 8, 16].iter().flat_map(|&cell| slices.slots[cell]).collect();
        assert_eq!(others, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0]);
        assert_eq!(slices.slots[1], [0, 1, 1, 1]);
        assert_eq!(slices.rest[3..6], [[1.0, 0.0, 0.0, 0.0], [10.0, 0.0, 0.0, 0.0], [-2.0, 0.0, 0.0, 0.0]]);
        assert!(slices.slots.iter().flatten().all(|&other| other < 10));
    }

    #[test]
    fn no_links_make_no_cells() {
        assert_eq!(Slices::new(&[], &[], 9).unwrap().starts, [0, 0, 0]);
        assert_eq!(Slices::new(&[], &[], 0).unwrap().starts, [0]);
    }
}
