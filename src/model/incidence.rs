//! Which elements touch a particle: a compressed (CSR) list per particle.
//!
//! A Jacobi pass runs one invocation per particle and walks that particle's slots, always in the same order, so
//! its sum of corrections is the same bit for bit in every run and needs no float atomics.

use thiserror::Error;

/// Elements whose particle indices cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ElementError {
    #[error(
        "element {element} uses particle {particle}, but there are only {particle_count} particles, numbered from 0; \
         correct the index or add the particle"
    )]
    OutOfRange { element: usize, particle: u32, particle_count: usize },
    #[error(
        "element {element} uses particle {particle} twice; remove the collapsed element or give it distinct particles"
    )]
    Repeated { element: usize, particle: u32 },
    #[error("triangles {first} and {second} have the same three vertices; remove one of them")]
    SameTriangle { first: usize, second: usize },
    #[error("{count} {what} do not fit 32-bit numbering; split the body or use a coarser mesh")]
    TooMany { what: &'static str, count: usize },
}

/// Checks that every index is below `particle_count` and that particles and element corners can be numbered in 32 bits.
pub fn check_elements<const K: usize>(
    elements: &[[u32; K]],
    particle_count: usize,
) -> Result<(), ElementError> {
    // u32::MAX itself stays free, for callers that mark "no particle" with it.
    const LIMIT: usize = u32::MAX as usize;
    if particle_count > LIMIT {
        return Err(ElementError::TooMany { what: "particles", count: particle_count });
    }
    let corner_count = elements.len().saturating_mul(K);
    if corner_count > LIMIT {
        return Err(ElementError::TooMany { what: "element corners", count: corner_count });
    }
    for (element, corners) in elements.iter().enumerate() {
        if let Some(&particle) = corners.iter().find(|&&p| p as usize >= particle_count) {
            return Err(ElementError::OutOfRange { element, particle, particle_count });
        }
    }
    Ok(())
}

/// The element corners that meet at each particle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incidence {
    /// Particle `p` owns `slots[starts[p]..starts[p + 1]]`; one entry more than there are particles.
    pub starts: Vec<u32>,
    /// `element * K + corner`, ascending within a particle.
    pub slots: Vec<u32>,
}

impl Incidence {
    /// Lists the corners at each particle by counting sort: two sweeps over the elements, no comparison.
    ///
    /// An element that names a particle twice is listed there twice, once for each corner.
    pub fn new<const K: usize>(elements: &[[u32; K]], particle_count: usize) -> Result<Self, ElementError> {
        check_elements(elements, particle_count)?;
        let corners = elements.as_flattened();
        let mut starts = vec![0u32; particle_count + 1];
        for &p in corners {
            starts[p as usize] += 1;
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        // `starts` now holds each list's end; filling from the back moves it down to the beginning.
        let mut slots = vec![0u32; corners.len()];
        for (slot, &p) in corners.iter().enumerate().rev() {
            let start = &mut starts[p as usize];
            *start -= 1;
            slots[*start as usize] = slot as u32;
        }
        Ok(Self { starts, slots })
    }

    /// The slots of one particle.
    pub fn of(&self, particle: u32) -> &[u32] {
        let p = particle as usize;
        &self.slots[self.starts[p] as usize..self.starts[p + 1] as usize]
    }

    /// How many corners meet at one particle.
    pub fn degree(&self, particle: u32) -> u32 {
        let p = particle as usize;
        self.starts[p + 1] - self.starts[p]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_lists_both_links_at_its_inner_particle() {
        let incidence = Incidence::new(&[[0, 1], [1, 2]], 4).unwrap();
        assert_eq!(incidence.starts, [0, 1, 3, 4, 4]);
        assert_eq!(incidence.slots, [0, 1, 2, 3]);
        assert_eq!(incidence.of(1), [1, 2]);
        assert_eq!(incidence.degree(3), 0);
    }

    #[test]
    fn no_elements_give_empty_lists() {
        let incidence = Incidence::new::<3>(&[], 2).unwrap();
        assert_eq!(incidence.starts, [0, 0, 0]);
        assert!(incidence.slots.is_empty());
        assert_eq!(Incidence::new::<3>(&[], 0).unwrap().starts, [0]);
    }

    #[test]
    fn an_index_beyond_the_particles_is_named() {
        let error = Incidence::new(&[[0, 1], [1, 7]], 3).unwrap_err();
        assert_eq!(error, ElementError::OutOfRange { element: 1, particle: 7, particle_count: 3 });
        assert!(error.to_string().contains("only 3 particles"));
    }

    proptest! {
        #[test]
        fn every_corner_is_listed_once_at_its_particle_in_ascending_order(
            elements in prop::collection::vec(prop::array::uniform4(0u32..20), 0..60)
        ) {
            let incidence = Incidence::new(&elements, 20).unwrap();
            for p in 0..20 {
                let expected: Vec<u32> =
                    (0..).zip(elements.as_flattened()).filter(|&(_, &q)| q == p).map(|(s, _)| s).collect();
                prop_assert_eq!(incidence.of(p), expected);
            }
        }
    }

    #[test]
    #[ignore = "prints a timing; meaningful only on a quiet machine"]
    fn ten_million_links_take_less_than_a_second() {
        let links: Vec<[u32; 2]> = (0..10_000_000).map(|i| [i, i + 1]).collect();
        let clock = std::time::Instant::now();
        let incidence = Incidence::new(&links, links.len() + 1).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        println!("incidence of {} links: {seconds:.3} s", links.len());
        assert_eq!(incidence.slots.len(), 2 * links.len());
        assert!(seconds < 1.0);
    }
}
