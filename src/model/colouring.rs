//! Graph colouring: elements that share no movable particle may be projected at the same time.
//!
//! First fit in the given order, then balancing. First fit uses at most Σ (dₚ − 1) + 1 colours for an element whose
//! movable particles p meet dₚ elements each; for grid cloth it comes close to the largest degree, which is the
//! least possible. A colour is a dispatch, so few and evenly filled colours are what the device wants.
//!
//! A particle that cannot move is only read, so sharing it is no conflict: a thousand links on one pin are one
//! colour. A thousand links on one *movable* particle need a thousand colours, and the solver should prefer Jacobi
//! there; [`Colouring::statistics`] shows it.

use std::collections::HashMap;
use std::ops::Range;

use super::incidence::{ElementError, check_elements};

/// How many under-full colours balancing tries for one element; bounds its cost when there are thousands of colours.
const BALANCE_PROBES: usize = 64;
/// Balancing repeats while elements still move, but each sweep gains less than the one before.
const BALANCE_SWEEPS: usize = 4;
const WORD_BITS: u32 = u64::BITS;

/// Elements sorted colour by colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// Element indices, colour by colour, in the original order within a colour.
    pub order: Vec<u32>,
    /// The part of `order` that each colour owns; never empty.
    pub ranges: Vec<Range<u32>>,
}

/// What a colouring costs: `sinew check` prints it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColouringStatistics {
    pub colour_count: usize,
    /// Elements in the smallest colour.
    pub smallest: u32,
    /// Elements in the largest colour.
    pub largest: u32,
    /// smallest / largest: 1 is even. 1 also if there are no elements.
    pub balance: f64,
}

impl Colouring {
    /// Colours `elements` so that no two of one colour share a particle for which `movable` is true.
    ///
    /// `movable` has one entry per particle. The result depends on nothing but the arguments. Memory is linear in
    /// the number of element corners, whatever the number of colours.
    pub fn new<const K: usize>(elements: &[[u32; K]], movable: &[bool]) -> Result<Self, ElementError> {
        check_elements(elements, movable.len())?;
        let mut used = UsedColours::new(movable.len());
        let mut colours = first_fit(elements, movable, &mut used);
        let mut sizes = vec![0u32; colours.iter().max().map_or(0, |&c| c as usize + 1)];
        for &c in &colours {
            sizes[c as usize] += 1;
        }
        balance(elements, movable, &mut used, &mut colours, &mut sizes);
        Ok(Self::sorted(&colours, &sizes))
    }

    /// As [`Colouring::new`] for the elements of each rank by themselves, those of the lowest rank first.
    pub fn by_rank<const K: usize>(
        elements: &[[u32; K]],
        ranks: &[u32],
        movable: &[bool],
    ) -> Result<Self, ElementError> {
        let mut found = Self { order: Vec::new(), ranges: Vec::new() };
        let mut present = ranks.to_vec();
        present.sort_unstable();
        present.dedup();
        for rank in present {
            let own: Vec<u32> = (0..elements.len() as u32).filter(|&e| ranks[e as usize] == rank).collect();
            let list: Vec<[u32; K]> = own.iter().map(|&e| elements[e as usize]).collect();
            let Self { order, ranges } = Self::new(&list, movable)?;
            let before = found.order.len() as u32;
            found.order.extend(order.into_iter().map(|e| own[e as usize]));
            found.ranges.extend(ranges.into_iter().map(|range| before + range.start..before + range.end));
        }
        Ok(found)
    }

    /// Counting sort of the elements by colour, which keeps their order within a colour.
    fn sorted(colours: &[u32], sizes: &[u32]) -> Self {
        let mut end = 0;
        let ranges: Vec<Range<u32>> = sizes
            .iter()
            .map(|&size| {
                end += size;
                end - size..end
            })
            .collect();
        let mut next: Vec<u32> = ranges.iter().map(|r| r.start).collect();
        let mut order = vec![0u32; colours.len()];
        for (element, &c) in colours.iter().enumerate() {
            order[next[c as usize] as usize] = element as u32;
            next[c as usize] += 1;
        }
        Self { order, ranges }
    }

    pub fn statistics(&self) -> ColouringStatistics {
        let smallest = self.ranges.iter().map(|r| r.end - r.start).min();
        let largest = self.ranges.iter().map(|r| r.end - r.start).max();
        let (smallest, largest) = (smallest.unwrap_or(0), largest.unwrap_or(0));
        ColouringStatistics {
            colour_count: self.ranges.len(),
            smallest,
            largest,
            balance: if largest == 0 { 1.0 } else { f64::from(smallest) / f64::from(largest) },
        }
    }
}

/// The set of colours taken at each particle, 64 to a word.
///
/// Almost every particle needs only the first word. Further words live in one map, so that a leaf of a star whose
/// only link has colour 9,999 pays for one word and not for 157. The map is only looked up, never iterated, so
/// its random seed cannot reach the result.
struct UsedColours {
    first: Vec<u64>,
    further: HashMap<(u32, u32), u64>,
    /// Words below this one are full at the particle: first fit starts its search here.
    full_words: Vec<u32>,
}

impl UsedColours {
    fn new(particle_count: usize) -> Self {
        Self { first: vec![0; particle_count], further: HashMap::new(), full_words: vec![0; particle_count] }
    }

    fn word(&self, particle: u32, word: u32) -> u64 {
        if word == 0 {
            self.first[particle as usize]
        } else {
            self.further.get(&(particle, word)).copied().unwrap_or(0)
        }
    }

    fn word_mut(&mut self, particle: u32, word: u32) -> &mut u64 {
        if word == 0 {
            &mut self.first[particle as usize]
        } else {
            self.further.entry((particle, word)).or_insert(0)
        }
    }

    fn contains(&self, particle: u32, colour: u32) -> bool {
        self.word(particle, colour / WORD_BITS) >> (colour % WORD_BITS) & 1 == 1
    }

    fn insert(&mut self, particle: u32, colour: u32) {
        *self.word_mut(particle, colour / WORD_BITS) |= 1 << (colour % WORD_BITS);
        let mut full = self.full_words[particle as usize];
        while self.word(particle, full) == u64::MAX {
            full += 1;
        }
        self.full_words[particle as usize] = full;
    }
}

fn movable_corners<'a, const K: usize>(
    element: &'a [u32; K],
    movable: &'a [bool],
) -> impl Iterator<Item = u32> + Clone + 'a {
    element.iter().copied().filter(|&p| movable[p as usize])
}

/// Gives each element in turn the lowest colour that is free at all its movable particles.
fn first_fit<const K: usize>(elements: &[[u32; K]], movable: &[bool], used: &mut UsedColours) -> Vec<u32> {
    elements
        .iter()
        .map(|element| {
            let corners = movable_corners(element, movable);
            let mut word = corners.clone().map(|p| used.full_words[p as usize]).max().unwrap_or(0);
            let colour = loop {
                let taken = corners.clone().fold(0, |bits, p| bits | used.word(p, word));
                if taken != u64::MAX {
                    break word * WORD_BITS + taken.trailing_ones();
                }
                word += 1;
            };
            corners.for_each(|p| used.insert(p, colour));
            colour
        })
        .collect()
}

/// Moves elements from colours above the mean size to colours below it, where no neighbour forbids it.
///
/// Never empties a colour, for only colours above the mean give elements away; so the count stays as it is. Such a
/// colour never receives any, so nobody asks whether it became free, and `used` need not forget it.
fn balance<const K: usize>(
    elements: &[[u32; K]],
    movable: &[bool],
    used: &mut UsedColours,
    colours: &mut [u32],
    sizes: &mut [u32],
) {
    if sizes.len() < 2 {
        return;
    }
    let target = elements.len().div_ceil(sizes.len()) as u32;
    for _ in 0..BALANCE_SWEEPS {
        let mut under_full: Vec<u32> =
            (0..sizes.len() as u32).filter(|&c| sizes[c as usize] < target).collect();
        let mut moved = false;
        let mut probe = 0;
        for (element, colour) in elements.iter().zip(colours.iter_mut()) {
            if sizes[*colour as usize] <= target {
                continue;
            }
            for _ in 0..under_full.len().min(BALANCE_PROBES) {
                // Starting where the last search stopped fills the under-full colours in turn.
                probe = (probe + 1) % under_full.len();
                let new = under_full[probe];
                if movable_corners(element, movable).any(|p| used.contains(p, new)) {
                    continue;
                }
                for p in movable_corners(element, movable) {
                    used.insert(p, new);
                }
                sizes[*colour as usize] -= 1;
                sizes[new as usize] += 1;
                *colour = new;
                moved = true;
                if sizes[new as usize] == target {
                    under_full.swap_remove(probe);
                }
                break;
            }
        }
        if !moved {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::time::Instant;

    fn assert_valid<const K: usize>(elements: &[[u32; K]], movable: &[bool], colouring: &Colouring) {
        let mut seen = vec![false; elements.len()];
        let mut next = 0;
        for range in &colouring.ranges {
            assert_eq!(range.start, next);
            assert!(range.end > range.start, "an empty colour");
            next = range.end;
            let members = &colouring.order[range.start as usize..range.end as usize];
            assert!(members.is_sorted(), "the order within a colour changed");
            let mut taken = HashSet::new();
            for &e in members {
                assert!(!std::mem::replace(&mut seen[e as usize], true));
                let own: HashSet<u32> = movable_corners(&elements[e as usize], movable).collect();
                for p in own {
                    assert!(taken.insert(p), "two elements of one colour share {p}");
                }
            }
        }
        assert_eq!(next as usize, elements.len());
        assert!(seen.iter().all(|&s| s));
    }

    /// Structural, shear and bend links of a square sheet, cell by cell: 12 links at an inner particle.
    fn grid_links(n: u32) -> Vec<[u32; 2]> {
        let mut links = Vec::new();
        for (y, x) in (0..n).flat_map(|y| (0..n).map(move |x| (y, x))) {
            let neighbours = [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)];
            for (dx, dy) in neighbours {
                if x + dx < n && y + dy < n {
                    links.push([y * n + x, (y + dy) * n + x + dx]);
                }
            }
            if x + 1 < n && y + 1 < n {
                links.push([y * n + x + 1, (y + 1) * n + x]);
            }
        }
        links
    }

    #[test]
    fn ranks_come_one_after_the_other() {
        let elements = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]];
        let found = Colouring::by_rank(&elements, &[2, 0, 2, 0, 2], &[true; 5]).unwrap();
        assert_eq!(found.order[..2], [1, 3]);
        assert_eq!(found.ranges.iter().map(|range| range.len()).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!(Colouring::by_rank(&elements, &[0; 5], &[true; 5]), Colouring::new(&elements, &[true; 5]));
    }

    #[test]
    fn no_elements_need_no_colour() {
        let colouring = Colouring::new::<2>(&[], &[true; 3]).unwrap();
        assert!(colouring.order.is_empty() && colouring.ranges.is_empty());
        assert_eq!(colouring.statistics().balance, 1.0);
    }

    #[test]
    fn pinned_particles_do_not_conflict() {
        let links: Vec<[u32; 2]> = (1..=1000).map(|leaf| [0, leaf]).collect();
        let mut movable = vec![true; 1001];
        movable[0] = false;
        let colouring = Colouring::new(&links, &movable).unwrap();
        assert_valid(&links, &movable, &colouring);
        assert_eq!(colouring.statistics().colour_count, 1);
    }

    /// 200,000 links on one particle: the map keeps it near linear, where dense sets would take 2.5 GB.
    #[test]
    fn a_star_needs_one_colour_per_link_and_stays_cheap() {
        for count in [10_000, 200_000] {
            let links: Vec<[u32; 2]> = (1..=count).map(|leaf| [leaf, 0]).collect();
            let movable = vec![true; count as usize + 1];
            let clock = Instant::now();
            let colouring = Colouring::new(&links, &movable).unwrap();
            println!("star of {count}: {:.3} s", clock.elapsed().as_secs_f64());
            assert_eq!(colouring.statistics().colour_count, count as usize);
            assert_valid(&links, &movable, &colouring);
        }
    }

    /// A complete graph of 2m particles needs 2m − 1 colours; first fit uses the next power of two less one.
    #[test]
    fn a_complete_graph_needs_as_many_colours_as_its_degree_and_at_most_twice_that() {
        let n = 150u32;
        let links: Vec<[u32; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
        let movable = vec![true; n as usize];
        let colouring = Colouring::new(&links, &movable).unwrap();
        assert_valid(&links, &movable, &colouring);
        let count = colouring.statistics().colour_count;
        assert!((149..=2 * 149).contains(&count), "{count}");
    }

    #[test]
    fn grid_cloth_needs_little_more_than_its_degree_and_is_even() {
        let links = grid_links(100);
        let movable = vec![true; 100 * 100];
        let colouring = Colouring::new(&links, &movable).unwrap();
        assert_valid(&links, &movable, &colouring);
        let statistics = colouring.statistics();
        println!("{statistics:?}");
        assert!((12..=14).contains(&statistics.colour_count));
        assert!(statistics.balance > 0.5);
    }

    /// First fit puts 3/4 of these elements into the first colour, though any split is legal.
    #[test]
    fn balancing_evens_out_what_first_fit_piles_up() {
        let mut elements: Vec<[u32; 2]> = (0..300).map(|i| [2 * i, 2 * i + 1]).collect();
        elements.extend((0..100).map(|i| [2 * i + 1, 2 * i + 2]));
        let movable = vec![true; 600];
        let colouring = Colouring::new(&elements, &movable).unwrap();
        assert_valid(&elements, &movable, &colouring);
        let statistics = colouring.statistics();
        assert_eq!(statistics.colour_count, 2);
        assert_eq!((statistics.smallest, statistics.largest), (200, 200));
    }

    #[test]
    fn an_index_beyond_the_particles_is_an_error() {
        assert!(Colouring::new(&[[0, 5]], &[true; 3]).is_err());
    }

    fn hypergraph<const K: usize>() -> impl Strategy<Value = (Vec<[u32; K]>, Vec<bool>)> {
        (2usize..60).prop_flat_map(|n| {
            let corner = 0..n as u32;
            let element = prop::collection::vec(corner, K).prop_map(|v| v.try_into().unwrap());
            (prop::collection::vec(element, 0..400), prop::collection::vec(prop::bool::weighted(0.8), n))
        })
    }

    proptest! {
        #[test]
        fn no_colour_holds_two_links_of_one_particle((elements, movable) in hypergraph::<2>()) {
            assert_valid(&elements, &movable, &Colouring::new(&elements, &movable).unwrap());
        }

        #[test]
        fn no_colour_holds_two_triangles_of_one_particle((elements, movable) in hypergraph::<3>()) {
            assert_valid(&elements, &movable, &Colouring::new(&elements, &movable).unwrap());
        }

        #[test]
        fn no_colour_holds_two_tetrahedra_of_one_particle((elements, movable) in hypergraph::<4>()) {
            let colouring = Colouring::new(&elements, &movable).unwrap();
            assert_valid(&elements, &movable, &colouring);
            prop_assert_eq!(&colouring, &Colouring::new(&elements, &movable).unwrap());
        }
    }

    #[test]
    #[ignore = "prints a timing; meaningful only on a quiet machine"]
    fn a_sheet_of_1_6_million_links_is_coloured_within_1_5_seconds() {
        let n = 518;
        let links = grid_links(n);
        let movable = vec![true; (n * n) as usize];
        let clock = Instant::now();
        let colouring = Colouring::new(&links, &movable).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        println!("{} links: {seconds:.3} s, {:?}", links.len(), colouring.statistics());
        assert!(seconds < 1.5);
    }
}
