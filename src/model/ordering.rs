//! Renumbering of particles, so that neighbours in the mesh are neighbours in memory.
//!
//! Two orders are tried: reverse Cuthill–McKee on the graph of links (Cuthill, McKee 1969; George 1971) and a
//! Hilbert curve through the initial positions (bit transposition of Skilling 2004). Which is better depends on the
//! body, so the mean |i − j| over the links decides.

use glam::DVec3;
use rayon::prelude::*;

use super::incidence::{ElementError, Incidence};

/// Bits per axis of the Hilbert curve: three axes fill a 64-bit key.
const HILBERT_BITS: u32 = 21;
/// Searches for an end of a component before numbering it; each costs one walk, and the gain fades quickly.
const PERIPHERY_SEARCHES: usize = 4;

/// A renumbering and its inverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permutation {
    pub new_of_old: Vec<u32>,
    pub old_of_new: Vec<u32>,
}

impl Permutation {
    pub fn identity(count: usize) -> Self {
        let same: Vec<u32> = (0..count as u32).collect();
        Self { new_of_old: same.clone(), old_of_new: same }
    }

    /// From the list of old indices in their new order, or nothing unless each index occurs exactly once.
    pub fn from_old_of_new(old_of_new: Vec<u32>) -> Option<Self> {
        const UNSET: u32 = u32::MAX;
        let mut new_of_old = vec![UNSET; old_of_new.len()];
        for (new, &old) in (0..).zip(&old_of_new) {
            let entry = new_of_old.get_mut(old as usize)?;
            if *entry != UNSET {
                return None;
            }
            *entry = new;
        }
        Some(Self { new_of_old, old_of_new })
    }

    pub fn len(&self) -> usize {
        self.old_of_new.len()
    }

    pub fn is_empty(&self) -> bool {
        self.old_of_new.is_empty()
    }

    pub fn inverse(&self) -> Self {
        Self { new_of_old: self.old_of_new.clone(), old_of_new: self.new_of_old.clone() }
    }

    /// Values in old numbering → values in new numbering.
    ///
    /// Panics if there is not one value per particle.
    pub fn apply<T: Copy>(&self, old: &[T]) -> Vec<T> {
        assert_eq!(old.len(), self.len(), "one value per renumbered particle");
        self.old_of_new.iter().map(|&i| old[i as usize]).collect()
    }

    /// Values in new numbering → values in old numbering: what users see.
    ///
    /// Panics if there is not one value per particle.
    pub fn undo<T: Copy>(&self, new: &[T]) -> Vec<T> {
        assert_eq!(new.len(), self.len(), "one value per renumbered particle");
        self.new_of_old.iter().map(|&i| new[i as usize]).collect()
    }

    /// Turns the particle indices of elements from old to new numbering.
    pub fn renumber<const K: usize>(&self, elements: &mut [[u32; K]]) {
        for p in elements.as_flattened_mut() {
            *p = self.new_of_old[*p as usize];
        }
    }
}

/// All pairs of particles within each element: the graph that [`reverse_cuthill_mckee`] and [`mean_span`] work on.
pub fn element_links<const K: usize>(elements: &[[u32; K]]) -> Vec<[u32; 2]> {
    let pairs = (0..K).flat_map(|i| (i + 1..K).map(move |j| (i, j)));
    elements.iter().flat_map(|e| pairs.clone().map(|(i, j)| [e[i], e[j]])).collect()
}

/// Mean |i − j| over the links after renumbering; 0 without links. Small is local.
pub fn mean_span(links: &[[u32; 2]], order: &Permutation) -> f64 {
    let total: u64 = links
        .iter()
        .map(|&[i, j]| order.new_of_old[i as usize].abs_diff(order.new_of_old[j as usize]))
        .map(u64::from)
        .sum();
    total as f64 / links.len().max(1) as f64
}

/// The most local of the given order, reverse Cuthill–McKee and the Hilbert curve; the earlier of equals.
pub fn most_local(positions: &[DVec3], links: &[[u32; 2]]) -> Result<Permutation, ElementError> {
    let rcm = reverse_cuthill_mckee(links, positions.len())?;
    let given = Permutation::identity(positions.len());
    let mut best = (mean_span(links, &given), given);
    for order in [rcm, hilbert(positions)] {
        let span = mean_span(links, &order);
        if span < best.0 {
            best = (span, order);
        }
    }
    Ok(best.1)
}

/// Numbers each connected component breadth first from one of its ends, low degree first, and reverses the whole.
pub fn reverse_cuthill_mckee(links: &[[u32; 2]], particle_count: usize) -> Result<Permutation, ElementError> {
    let mut walk = Walk {
        links,
        incidence: Incidence::new(links, particle_count)?,
        visited: vec![0; particle_count],
        stamp: 0,
        next_level: Vec::new(),
    };
    let mut done = vec![false; particle_count];
    let mut order = Vec::with_capacity(particle_count);
    let mut component = Vec::new();
    for seed in 0..particle_count as u32 {
        if done[seed as usize] {
            continue;
        }
        let mut depth = walk.breadth_first(seed, &mut component);
        for _ in 0..PERIPHERY_SEARCHES {
            // A particle of the last level is as far from the start as any: a better end if its own walk is longer.
            let end = *component.last().expect("a component holds its seed");
            let deeper = walk.breadth_first(end, &mut component);
            if deeper <= depth {
                break;
            }
            depth = deeper;
        }
        component.iter().for_each(|&p| done[p as usize] = true);
        order.extend_from_slice(&component);
    }
    order.reverse();
    Ok(Permutation::from_old_of_new(order).expect("each particle belongs to one component"))
}

struct Walk<'a> {
    links: &'a [[u32; 2]],
    incidence: Incidence,
    /// The stamp of the last walk that came by, so that nothing is cleared between walks.
    visited: Vec<u32>,
    stamp: u32,
    next_level: Vec<u32>,
}

impl Walk<'_> {
    /// Fills `order` with the component of `start` in Cuthill–McKee order; returns the number of levels.
    ///
    /// The last particle is of least degree in its parent's group of the last level.
    fn breadth_first(&mut self, start: u32, order: &mut Vec<u32>) -> usize {
        // At most PERIPHERY_SEARCHES + 1 walks per component; the stamp may wrap after 800 million components,
        // when every earlier component is finished and never looked at again.
        self.stamp = self.stamp.wrapping_add(1).max(1);
        order.clear();
        order.push(start);
        self.visited[start as usize] = self.stamp;
        let (mut begin, mut depth) = (0, 0);
        while begin < order.len() {
            depth += 1;
            let end = order.len();
            for i in begin..end {
                self.next_level.clear();
                for &slot in self.incidence.of(order[i]) {
                    // The other end of a link: slot 2e ↔ slot 2e + 1.
                    let q = self.links[slot as usize / 2][1 - slot as usize % 2];
                    if self.visited[q as usize] != self.stamp {
                        self.visited[q as usize] = self.stamp;
                        self.next_level.push(q);
                    }
                }
                self.next_level.sort_unstable_by_key(|&q| (self.incidence.degree(q), q));
                order.extend_from_slice(&self.next_level);
            }
            begin = end;
        }
        depth
    }
}

/// Orders particles along a Hilbert curve through their bounding cube; particles in one cell keep their order.
///
/// Non-finite coordinates count as the lowest corner.
pub fn hilbert(positions: &[DVec3]) -> Permutation {
    let finite = || positions.iter().filter(|x| x.is_finite());
    let low = finite().copied().reduce(DVec3::min).unwrap_or_default();
    let high = finite().copied().reduce(DVec3::max).unwrap_or_default();
    let extent = (high - low).max_element();
    let cells = f64::from((1u32 << HILBERT_BITS) - 1);
    let scale = if extent > 0.0 { cells / extent } else { 0.0 };
    let mut keys: Vec<(u64, u32)> = positions
        .par_iter()
        .enumerate()
        .map(|(i, &x)| {
            // `as` saturates and turns NaN into 0, so this is total.
            let cell = ((x - low) * scale).to_array().map(|c| (c as u32).min(cells as u32));
            (hilbert_key(cell), i as u32)
        })
        .collect();
    keys.par_sort_unstable();
    let order = keys.into_iter().map(|(_, i)| i).collect();
    Permutation::from_old_of_new(order).expect("sorting keeps every index")
}

/// The distance of a cell along the Hilbert curve, Skilling 2004: undo the curve's turns from the coarsest bit
/// down, Gray-decode, and interleave the bits of the three axes.
fn hilbert_key(mut x: [u32; 3]) -> u64 {
    let top = 1 << (HILBERT_BITS - 1);
    let mut bit = top;
    while bit > 1 {
        let below = bit - 1;
        for i in 0..3 {
            if x[i] & bit != 0 {
                x[0] ^= below;
            } else {
                let swap = (x[0] ^ x[i]) & below;
                x[0] ^= swap;
                x[i] ^= swap;
            }
        }
        bit >>= 1;
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    let mut flip = 0;
    let mut bit = top;
    while bit > 1 {
        if x[2] & bit != 0 {
            flip ^= bit - 1;
        }
        bit >>= 1;
    }
    (0..HILBERT_BITS)
        .rev()
        .fold(0, |key, b| x.iter().fold(key, |key, &c| key << 1 | u64::from((c ^ flip) >> b & 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A deterministic shuffle: multiplication by a unit modulo n.
    fn shuffled(n: u32) -> Permutation {
        let step = (n / 2 + 1..).find(|&s| gcd(s, n) == 1).unwrap();
        let order = (0..n).map(|i| (u64::from(i) * u64::from(step) * 7919 % u64::from(n)) as u32);
        Permutation::from_old_of_new(order.collect()).expect("7919 and the step are units")
    }

    fn gcd(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    fn shuffled_grid(n: u32) -> (Vec<DVec3>, Vec<[u32; 2]>) {
        let shuffle = shuffled(n * n);
        let place = |i: u32| DVec3::new(f64::from(i % n), f64::from(i / n), 0.0);
        let positions = shuffle.apply(&(0..n * n).map(place).collect::<Vec<_>>());
        let mut links: Vec<[u32; 2]> = (0..n * n)
            .flat_map(|i| {
                let right = (i % n + 1 < n).then_some([i, i + 1]);
                let down = (i / n + 1 < n).then_some([i, i + n]);
                [right, down].into_iter().flatten()
            })
            .collect();
        shuffle.renumber(&mut links);
        (positions, links)
    }

    fn assert_bijection(order: &Permutation, count: usize) {
        assert_eq!((order.new_of_old.len(), order.len()), (count, count));
        for old in 0..count {
            assert_eq!(order.old_of_new[order.new_of_old[old] as usize], old as u32);
        }
    }

    fn bandwidth(links: &[[u32; 2]], order: &Permutation) -> u32 {
        let new = |i: u32| order.new_of_old[i as usize];
        let spans = links.iter().map(|&[i, j]| new(i).abs_diff(new(j)));
        spans.max().unwrap_or(0)
    }

    #[test]
    fn both_orders_restore_the_locality_of_a_shuffled_grid() {
        let n = 60;
        let (positions, links) = shuffled_grid(n);
        let given = Permutation::identity(positions.len());
        let rcm = reverse_cuthill_mckee(&links, positions.len()).unwrap();
        let curve = hilbert(&positions);
        assert_bijection(&rcm, positions.len());
        assert_bijection(&curve, positions.len());
        let spans = [&given, &rcm, &curve].map(|o| mean_span(&links, o));
        println!("mean span given, rcm, hilbert: {spans:?}");
        // Row by row a grid spans (1 + n) / 2 in the mean; numbering by diagonals is a little worse.
        assert!(spans[0] > 500.0 && spans[1] < 60.0 && spans[2] < 60.0);
        assert!(bandwidth(&links, &rcm) <= n + 1);
        let best = mean_span(&links, &most_local(&positions, &links).unwrap());
        assert_eq!(best, spans[1].min(spans[2]));
    }

    #[test]
    fn a_shuffled_chain_becomes_a_chain_again() {
        let shuffle = shuffled(1000);
        let mut links: Vec<[u32; 2]> = (0..999).map(|i| [i, i + 1]).collect();
        shuffle.renumber(&mut links);
        let order = reverse_cuthill_mckee(&links, 1000).unwrap();
        assert_eq!(bandwidth(&links, &order), 1);
    }

    #[test]
    fn an_order_that_is_already_best_is_kept() {
        let links: Vec<[u32; 2]> = (0..99).map(|i| [i, i + 1]).collect();
        let positions: Vec<DVec3> = (0..100).map(|i| DVec3::X * f64::from(i)).collect();
        let order = most_local(&positions, &links).unwrap();
        assert_eq!(order, Permutation::identity(100));
    }

    /// Consecutive cells of the curve are neighbours: that is what a Morton curve lacks.
    #[test]
    fn the_hilbert_curve_never_jumps() {
        let n = 8u32;
        let shift = HILBERT_BITS - 3;
        let mut cells: Vec<(u64, [u32; 3])> = (0..n * n * n)
            .map(|i| [i % n, i / n % n, i / n / n])
            .map(|c| (hilbert_key(c.map(|v| v << shift)) >> (3 * shift), c))
            .collect();
        cells.sort_unstable();
        for (i, pair) in cells.windows(2).enumerate() {
            assert_eq!(pair[0].0, i as u64);
            let step: u32 = (0..3).map(|a| pair[0].1[a].abs_diff(pair[1].1[a])).sum();
            assert_eq!(step, 1);
        }
    }

    #[test]
    fn degenerate_positions_keep_a_bijection() {
        let same = vec![DVec3::new(3.0, -2.0, 1.0); 50];
        assert_eq!(hilbert(&same), Permutation::identity(50));
        assert!(hilbert(&[]).is_empty());
        let mut bad = vec![DVec3::NAN, DVec3::INFINITY, DVec3::NEG_INFINITY];
        bad.extend([DVec3::MAX, DVec3::MIN, DVec3::ZERO]);
        assert_bijection(&hilbert(&bad), 6);
    }

    #[test]
    fn a_list_that_is_no_permutation_is_refused() {
        assert!(Permutation::from_old_of_new(vec![0, 0]).is_none());
        assert!(Permutation::from_old_of_new(vec![0, 2]).is_none());
    }

    #[test]
    fn a_triangle_has_three_links() {
        assert_eq!(element_links(&[[4, 5, 6]]), [[4, 5], [4, 6], [5, 6]]);
    }

    proptest! {
        #[test]
        fn any_graph_gives_a_bijection_that_undoes_itself(
            links in prop::collection::vec(prop::array::uniform2(0u32..40), 0..100)
        ) {
            let order = reverse_cuthill_mckee(&links, 40).unwrap();
            assert_bijection(&order, 40);
            assert_bijection(&order.inverse(), 40);
            let values: Vec<u32> = (100..140).collect();
            prop_assert_eq!(order.undo(&order.apply(&values)), values.clone());
            prop_assert_eq!(order.inverse().apply(&order.apply(&values)), values);
        }
    }
}
