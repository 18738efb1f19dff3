//! Strips of a body: its particles in an order in which no link reaches far, cut into pieces at least twice as long.
//!
//! A link then lies in one strip or joins two neighbours, and what joins different neighbours has no particle in common:
//! strips can be worked on side by side, and after them the seams between them. Far links with an end that never moves,
//! as of tethers, count as their other end's.

use super::incidence::ElementError;
use super::ordering::reverse_cuthill_mckee;
use glam::DVec3;
use std::ops::Range;

/// Strips of a body at most: more would not keep more cores busy, only leave more seams.
pub const MOST: usize = 128;

/// The particles of one body, in strips.
#[derive(Clone, Debug, PartialEq)]
pub struct Strips {
    /// The body's particles in order, by the model's numbers.
    pub particles: Vec<u32>,
    /// The links of each strip and of each seam behind a strip, as indices.
    pub inside: Vec<Vec<u32>>,
    pub across: Vec<Vec<u32>>,
    /// Whether every link has both ends in its strip, or in the two halves beside its seam.
    pub is_closed: bool,
}

impl Strips {
    /// Divides the particles `range` of the model.
    pub fn new(
        range: Range<u32>,
        positions: &[DVec3],
        links: &[[u32; 2]],
        movable: &[bool],
    ) -> Result<Self, ElementError> {
        let local: Vec<[u32; 2]> = links.iter().map(|ends| ends.map(|end| end - range.start)).collect();
        let may_move = |end: u32| movable[(end + range.start) as usize];
        let positions = &positions[range.start as usize..range.end as usize];
        let moving: Vec<[u32; 2]> =
            local.iter().copied().filter(|ends| ends.iter().all(|&end| may_move(end))).collect();
        let (order, rank) = orders(positions, &local)?
            .into_iter()
            .map(|order| {
                let rank = ranks(&order);
                (reach(&moving, &rank), order, rank)
            })
            .min_by_key(|(reach, ..)| *reach)
            .map(|(_, order, rank)| (order, rank))
            .unwrap_or_default();
        let [whole, moving] = [reach(&local, &rank), reach(&moving, &rank)];
        let reach = if whole <= 2 * moving { whole } else { moving }.max(1);
        let count = (order.len() / (2 * reach)).clamp(1, MOST);
        let mut strips = Self {
            particles: order.iter().map(|&p| p + range.start).collect(),
            inside: vec![Vec::new(); count],
            across: vec![Vec::new(); count - 1],
            is_closed: true,
        };
        for (k, ends) in (0..).zip(&local) {
            let ranks = ends.map(|end| rank[end as usize] as usize);
            let (low, high) = (ranks[0].min(ranks[1]), ranks[0].max(ranks[1]));
            let is_far = high - low > reach;
            // A far link is its moving end's; if none moves it does nothing anywhere.
            let home = if may_move(ends[0]) { ranks[0] } else { ranks[1] };
            let [first, last] =
                if is_far { [home; 2] } else { [low, high] }.map(|rank| strips.strip_of(rank));
            strips.is_closed &= !is_far;
            match first == last {
                true => strips.inside[first].push(k),
                false => strips.across[first].push(k),
            }
        }
        Ok(strips)
    }

    /// The particles of each strip.
    pub fn strips(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.inside.len()).map(|strip| &self.particles[self.start(strip)..self.start(strip + 1)])
    }

    /// The halves of strips beside each seam, and last what has no seam beside it.
    pub fn seams(&self) -> impl Iterator<Item = Vec<u32>> {
        let count = self.inside.len();
        let middle = |strip: usize| self.start(strip).midpoint(self.start(strip + 1));
        let seams = (1..count).map(move |strip| self.particles[middle(strip - 1)..middle(strip)].to_vec());
        let ends = [&self.particles[..middle(0)], &self.particles[middle(count - 1)..]];
        seams.chain([ends.concat()])
    }

    fn start(&self, strip: usize) -> usize {
        self.particles.len() * strip / self.inside.len()
    }

    fn strip_of(&self, rank: usize) -> usize {
        ((rank + 1) * self.inside.len()).div_ceil(self.particles.len()) - 1
    }
}

/// Orders to choose from: as given, along each axis, and breadth first.
fn orders(positions: &[DVec3], links: &[[u32; 2]]) -> Result<Vec<Vec<u32>>, ElementError> {
    let given: Vec<u32> = (0..positions.len() as u32).collect();
    let along = |axis: usize| {
        let mut order = given.clone();
        order.sort_by(|&a, &b| positions[a as usize][axis].total_cmp(&positions[b as usize][axis]));
        order
    };
    let breadth_first = reverse_cuthill_mckee(links, positions.len())?.old_of_new;
    Ok(vec![along(0), along(1), along(2), breadth_first, given])
}

fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    (0..).zip(order).for_each(|(rank, &particle)| ranks[particle as usize] = rank);
    ranks
}

/// How far the longest link reaches in an order.
fn reach(links: &[[u32; 2]], ranks: &[u32]) -> usize {
    let span = |ends: &[u32; 2]| ranks[ends[0] as usize].abs_diff(ranks[ends[1] as usize]) as usize;
    links.iter().map(span).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of w × h particles, row by row, with links to neighbours, across, and to the next but one.
    fn grid(w: u32, h: u32) -> (Vec<DVec3>, Vec<[u32; 2]>) {
        let number = |x: u32, y: u32| y * w + x;
        let mut links = Vec::new();
        for (y, x) in (0..h).flat_map(|y| (0..w).map(move |x| (y, x))) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if x + dx < w && y + dy < h {
                    links.push([number(x, y), number(x + dx, y + dy)]);
                }
            }
        }
        let positions = (0..w * h).map(|i| DVec3::new((i % w).into(), (i / w).into(), 0.0)).collect();
        (positions, links)
    }

    /// Every link in one strip or seam, and nothing that may move in two of either.
    fn check(strips: &Strips, links: &[[u32; 2]], movable: &[bool]) {
        let count: usize = strips.inside.iter().chain(&strips.across).map(Vec::len).sum();
        assert_eq!(count, links.len());
        for side in [&strips.inside, &strips.across] {
            let mut owner = vec![None; movable.len()];
            for (number, list) in side.iter().enumerate() {
                for end in list.iter().flat_map(|&k| links[k as usize]).filter(|&end| movable[end as usize]) {
                    assert_eq!(*owner[end as usize].get_or_insert(number), number);
                }
            }
        }
    }

    #[test]
    fn a_grid_is_cut_across_its_short_side() {
        let (positions, links) = grid(40, 12);
        let strips = Strips::new(0..480, &positions, &links, &[true; 480]).unwrap();
        // Columns of 12, links that reach two of them, and strips of four.
        assert_eq!(strips.inside.len(), 10);
        assert!(strips.is_closed);
        check(&strips, &links, &[true; 480]);
        for side in [strips.strips().map(<[u32]>::to_vec).collect::<Vec<_>>(), strips.seams().collect()] {
            let mut all = side.concat();
            all.sort_unstable();
            assert_eq!(all, (0..480).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn strips_and_seams_own_what_their_links_join() {
        let (positions, links) = grid(30, 9);
        let strips = Strips::new(0..270, &positions, &links, &[true; 270]).unwrap();
        let own = strips.strips().map(<[u32]>::to_vec).zip(&strips.inside);
        let own = own.chain(strips.seams().zip(&strips.across));
        for (own, within) in own {
            assert!(within.iter().flat_map(|&k| links[k as usize]).all(|end| own.contains(&end)));
        }
    }

    #[test]
    fn far_links_to_what_never_moves_do_not_widen_strips() {
        let (positions, mut links) = grid(40, 12);
        links.extend((1..480).map(|i| [0, i]));
        let mut movable = vec![true; 480];
        movable[0] = false;
        let strips = Strips::new(0..480, &positions, &links, &movable).unwrap();
        assert_eq!(strips.inside.len(), 10);
        assert!(!strips.is_closed);
        check(&strips, &links, &movable);
        let wide = Strips::new(0..480, &positions, &links, &[true; 480]).unwrap();
        assert_eq!(wide.inside.len(), 1);
    }

    #[test]
    fn particles_without_links_and_no_particles_have_strips_too() {
        let strips = Strips::new(5..8, &[DVec3::ZERO; 8], &[], &[true; 8]).unwrap();
        assert_eq!(strips.particles, [5, 6, 7]);
        assert!(strips.across.iter().all(Vec::is_empty));
        let none = Strips::new(5..5, &[DVec3::ZERO; 8], &[], &[true; 8]).unwrap();
        assert_eq!((none.strips().count(), none.seams().count()), (1, 1));
        let (positions, links) = grid(40, 12);
        let even = Strips::new(0..480, &positions, &links, &[true; 480]).unwrap();
        assert!(even.seams().all(|own| own.len() == 48));
    }
}
