//! Links in the order of walks: a walk goes from particle to particle, with the last thirteen at hand, and projects the links
//! between them that span one to five or eight of its steps. See [`super::link_window`].
//!
//! A walk stands for the links of a strip, or of the seam between two strips (see [`crate::model::strips`]): first all
//! strips are walked side by side, then all seams. Eight walks are stored abreast: a round of each, and then the next
//! round, so that neighbouring invocations load neighbouring memory.

use crate::model::Model;
use crate::model::elements::{Link, LinkMaterial};
use crate::model::incidence::ElementError;
use crate::model::strips::Strips;
use glam::DVec3;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Steps of a walk that a link may span. Across strips that are four particles wide, these are all links of a grid.
pub const SPANS: [usize; 6] = [1, 2, 3, 4, 5, 8];
/// Particles at hand.
pub const HELD: usize = 13;
/// The ages at which the ends of links are when these are projected: the new end's and the old one's, by span.
pub const AGES: [[usize; 2]; SPANS.len()] = [[10, 11], [2, 4], [9, 12], [3, 7], [1, 6], [0, 8]];
/// Vectors of what links are at rest, a cell.
pub const REST: usize = 5;

/// Where in these a link's length (0), compliance stretched (1) and compressed (2) are: the vector and its component.
pub const fn rest_place(span: usize, what: usize) -> [usize; 2] {
    match (span, what) {
        (0..4, _) => [what, span],
        (_, 2) => [4, span - 4],
        _ => [3, 2 * what + span - 4],
    }
}

/// Walks stored abreast.
pub const ABREAST: usize = 8;
/// The rest length of a link that is not there [m].
pub const NO_LINK: f64 = -1.0;
/// A round that comes to no particle.
pub const NOBODY: u32 = u32::MAX;

/// What a step of a walk comes to: a particle, and its links with earlier ones, by span. As stored, the links whose turn it is
/// in that step.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    pub particle: u32,
    pub links: [Option<u32>; SPANS.len()],
}

/// Walks side by side: those of strips, or those of seams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Which of [`LinkWalks::walks`].
    pub first: u32,
    pub count: u32,
    /// Rounds of the longest walk, and particles at most that belong to one.
    pub rounds: u32,
    pub own: u32,
}

/// All walks of a model.
#[derive(Debug, Default)]
pub struct LinkWalks {
    /// First cell, rounds, first of its own particles in `nodes`, how many.
    pub walks: Vec<[u32; 4]>,
    /// The particle that the walk comes to, of each cell; then the particles that belong to each walk, abreast like cells.
    pub nodes: Vec<u32>,
    /// Per cell: lengths at rest [m], compliances stretched and compressed [m/N], as [`rest_place`] says.
    pub rests: Vec<[f64; 4]>,
    pub strips: Side,
    pub seams: Side,
    /// Whether every particle belongs to a walk of each side, and no walk touches one that belongs to another of its side.
    pub is_closed: bool,
    /// Whether each body was chosen.
    pub bodies: Vec<bool>,
}

/// One walk before it is stored.
pub struct Walk {
    pub rounds: Vec<Round>,
    /// The particles that belong to it.
    pub own: Vec<u32>,
}

impl LinkWalks {
    /// The walks of bodies that are chosen, given their links and the walks of their strips and seams. Each body's are what they
    /// would be without the others.
    pub fn new(model: &Model, choose: impl Fn(&[Link], [&[Walk]; 2]) -> bool) -> Result<Self, ElementError> {
        let movable = model.movable();
        let mut all = Self { is_closed: true, ..Self::default() };
        let (mut strips, mut seams) = (Vec::new(), Vec::new());
        let mut links: Vec<&Link> = Vec::new();
        for (body, elements) in model.bodies.iter().zip(&model.elements) {
            let ends: Vec<[u32; 2]> = elements.links.iter().map(|link| link.ends).collect();
            // A body's particles are renumbered among themselves.
            let range = body.particles.clone();
            let parts = Strips::new(range, &model.particles.positions, &ends, &movable)?;
            let walk = |own: Vec<u32>, within: &[u32]| {
                let numbered: Vec<(u32, [u32; 2])> =
                    within.iter().map(|&k| (links.len() as u32 + k, ends[k as usize])).collect();
                let at = |p: u32| model.particles.positions[p as usize];
                Walk { rounds: delayed(&shortest_rounds(&numbered, at)), own }
            };
            let none = Vec::new();
            let across = parts.across.iter().chain(std::iter::repeat(&none));
            let strip: Vec<(Vec<u32>, &Vec<u32>)> =
                parts.strips().map(<[u32]>::to_vec).zip(&parts.inside).collect();
            let seam: Vec<(Vec<u32>, &Vec<u32>)> = parts.seams().zip(across).collect();
            let walks = |side: Vec<(Vec<u32>, &Vec<u32>)>| -> Vec<Walk> {
                side.into_par_iter().map(|(own, within)| walk(own, within)).collect()
            };
            let [mut strip, mut seam] = [strip, seam].map(walks);
            let is_chosen = elements.links.is_empty() || choose(&elements.links, [&strip, &seam]);
            all.bodies.push(is_chosen);
            all.is_closed &= is_chosen && parts.is_closed;
            if is_chosen {
                strips.append(&mut strip);
                seams.append(&mut seam);
            }
            links.extend(&elements.links);
        }
        all.strips = all.store_rounds(&strips, &links, &model.materials)?;
        all.seams = all.store_rounds(&seams, &links, &model.materials)?;
        all.store_own(&strips, 0);
        all.store_own(&seams, strips.len());
        Ok(all)
    }

    fn store_rounds(
        &mut self,
        walks: &[Walk],
        links: &[&Link],
        materials: &[LinkMaterial],
    ) -> Result<Side, ElementError> {
        let first = self.walks.len() as u32;
        for group in walks.chunks(ABREAST) {
            let start = self.nodes.len();
            let cells = start + ABREAST * longest(group, |walk| walk.rounds.len());
            // Own particles follow, fewer than there are cells or links.
            if u32::try_from(REST * cells).is_err() {
                return Err(ElementError::TooMany { what: "rounds of walks", count: cells });
            }
            self.nodes.resize(cells, NOBODY);
            self.rests.resize(REST * cells, [NO_LINK; 4]);
            for (lane, walk) in group.iter().enumerate() {
                self.walks.push([(start + lane) as u32, walk.rounds.len() as u32, 0, 0]);
                for (t, round) in walk.rounds.iter().enumerate() {
                    let cell = start + ABREAST * t + lane;
                    self.nodes[cell] = round.particle;
                    for (span, &link) in round.links.iter().enumerate() {
                        let Some(link) = link.map(|k| links[k as usize]) else { continue };
                        for (what, value) in link.rest(materials).into_iter().enumerate() {
                            let [vector, component] = rest_place(span, what);
                            self.rests[REST * cell + vector][component] = value;
                        }
                    }
                }
            }
        }
        let rounds = longest(walks, |walk| walk.rounds.len()) as u32;
        Ok(Side {
            first,
            count: walks.len() as u32,
            rounds,
            own: longest(walks, |walk| walk.own.len()) as u32,
        })
    }

    fn store_own(&mut self, walks: &[Walk], first: usize) {
        for (group, entries) in walks.chunks(ABREAST).zip(self.walks[first..].chunks_mut(ABREAST)) {
            let start = self.nodes.len();
            self.nodes.resize(start + ABREAST * longest(group, |walk| walk.own.len()), NOBODY);
            for (lane, (walk, entry)) in group.iter().zip(entries).enumerate() {
                (entry[2], entry[3]) = ((start + lane) as u32, walk.own.len() as u32);
                for (t, &particle) in walk.own.iter().enumerate() {
                    self.nodes[start + ABREAST * t + lane] = particle;
                }
            }
        }
    }
}

fn longest(walks: &[Walk], length: fn(&Walk) -> usize) -> usize {
    walks.iter().map(length).max().unwrap_or(0)
}

/// A link that no round has yet.
#[derive(Clone, Copy)]
struct Open {
    number: u32,
    /// The other end's place among the particles of the walk.
    other: u32,
}

/// Links that have no round yet, by the places of their ends in a list of particles.
struct Unwalked {
    particles: Vec<u32>,
    open: Vec<Vec<Open>>,
    rounds: Vec<Round>,
    held: [u32; HELD],
}

/// The fewest rounds of walks along each axis and of one without a direction.
fn shortest_rounds(links: &[(u32, [u32; 2])], position: impl Fn(u32) -> DVec3) -> Vec<Round> {
    let mut best = rounds(links, Some(&|p| position(p).x));
    // Who is come to only once cannot be come to less often.
    let visits_all_once = |rounds: &[Round]| {
        let mut particles: Vec<u32> = rounds.iter().map(|round| round.particle).collect();
        particles.sort_unstable();
        particles.windows(2).all(|pair| pair[0] != pair[1])
    };
    let others: [Option<&dyn Fn(u32) -> f64>; 3] = [Some(&|p| position(p).y), Some(&|p| position(p).z), None];
    for order in others {
        if visits_all_once(&best) {
            break;
        }
        let other = rounds(links, order);
        if other.len() < best.len() {
            best = other;
        }
    }
    best
}

/// Orders links into rounds: first along an order of all particles, if one is given, then to whichever has most links with those
/// at hand.
fn rounds(links: &[(u32, [u32; 2])], order: Option<&dyn Fn(u32) -> f64>) -> Vec<Round> {
    let mut particles: Vec<u32> = links.iter().flat_map(|(_, ends)| *ends).collect();
    particles.sort_unstable();
    particles.dedup();
    if let Some(order) = order {
        particles.sort_by(|&a, &b| order(a).total_cmp(&order(b)));
    }
    let place: HashMap<u32, u32> = particles.iter().copied().zip(0..).collect();
    let mut open: Vec<Vec<Open>> = vec![Vec::new(); particles.len()];
    for &(number, ends) in links {
        let [a, b] = ends.map(|end| place[&end]);
        open[a as usize].push(Open { number, other: b });
        open[b as usize].push(Open { number, other: a });
    }
    let mut unwalked = Unwalked { particles, open, rounds: Vec::new(), held: [NOBODY; HELD] };
    if order.is_some() {
        (0..unwalked.open.len() as u32).for_each(|next| unwalked.come_to(next));
    }
    unwalked.walk_on();
    unwalked.rounds
}

impl Unwalked {
    /// Goes on to a particle, or to nobody.
    fn come_to(&mut self, next: u32) {
        let mut found = [None; SPANS.len()];
        if next != NOBODY {
            for (slot, span) in found.iter_mut().zip(SPANS) {
                let other = self.held[span - 1];
                let links = &mut self.open[next as usize];
                let Some(at) = links.iter().position(|link| link.other == other) else { continue };
                let link = links.remove(at);
                self.open[other as usize].retain(|end| end.number != link.number);
                *slot = Some(link.number);
            }
        }
        let particle = self.particles.get(next as usize).copied().unwrap_or(NOBODY);
        self.rounds.push(Round { particle, links: found });
        self.held.rotate_right(1);
        self.held[0] = next;
    }

    /// Goes on until no link is left.
    fn walk_on(&mut self) {
        let mut first_open = 0;
        loop {
            while self.open.get(first_open).is_some_and(|links| links.is_empty()) {
                first_open += 1;
            }
            if first_open == self.open.len() {
                return;
            }
            // Whoever is still at hand has to be left before it can be come to again, and only from somebody all of whose
            // neighbours have been left the next step is sure to find a link.
            let is_held = |p: &u32| self.held.contains(p);
            let is_apart = |p: &u32| {
                let links = &self.open[*p as usize];
                !links.is_empty() && !is_held(p) && !links.iter().any(|link| is_held(&link.other))
            };
            let elsewhere = || (first_open as u32..self.open.len() as u32).find(is_apart);
            let next = self.best().or_else(elsewhere).unwrap_or(NOBODY);
            self.come_to(next);
        }
    }

    /// Whoever has most links with those at hand, among those the one with the oldest link, then the one that leaves fewest
    /// behind, then the first.
    fn best(&self) -> Option<u32> {
        // A particle, how many links it has with them, and the span of the longest.
        let mut candidates: Vec<(u32, usize, usize)> = Vec::new();
        for (span, other) in SPANS.map(|span| (span, self.held[span - 1])) {
            if other == NOBODY {
                continue;
            }
            for link in self.open[other as usize].iter().filter(|link| !self.held.contains(&link.other)) {
                match candidates.iter_mut().find(|(particle, ..)| *particle == link.other) {
                    Some((_, count, longest)) => (*count, *longest) = (*count + 1, span),
                    None => candidates.push((link.other, 1, span)),
                }
            }
        }
        let key = |&(particle, count, longest): &(u32, usize, usize)| {
            (Reverse(count), Reverse(longest), self.open[particle as usize].len() - count, particle)
        };
        candidates.iter().min_by_key(|candidate| key(candidate)).map(|&(particle, ..)| particle)
    }
}

/// Rounds as they are stored: each link where both its ends have the right ages, and rounds that come to nobody until all
/// have been left.
fn delayed(rounds: &[Round]) -> Vec<Round> {
    if rounds.is_empty() {
        return Vec::new();
    }
    let count = (rounds.len() + HELD).next_multiple_of(HELD);
    let mut delayed = vec![Round { particle: NOBODY, links: [None; SPANS.len()] }; count];
    for (t, round) in rounds.iter().enumerate() {
        delayed[t].particle = round.particle;
        for (span, (&link, [age, _])) in round.links.iter().zip(AGES).enumerate() {
            delayed[t + age].links[span] = link;
        }
    }
    delayed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Goes through stored rounds: each link once, with both ends at hand at the ages of its span, and nobody at hand twice.
    fn check(links: &[(u32, [u32; 2])], rounds: &[Round]) {
        let mut left: HashMap<u32, [u32; 2]> = links.iter().copied().collect();
        let particle = |t: usize, age: usize| t.checked_sub(age).map_or(NOBODY, |t| rounds[t].particle);
        for (t, round) in rounds.iter().enumerate() {
            let held: Vec<u32> = (0..HELD).map(|age| particle(t, age)).filter(|&p| p != NOBODY).collect();
            assert!((1..held.len()).all(|k| !held[..k].contains(&held[k])), "{held:?}");
            for (link, [new, old]) in round.links.iter().zip(AGES).filter_map(|(l, ages)| Some(((*l)?, ages)))
            {
                let mut ends = left.remove(&link).unwrap();
                let mut found = [particle(t, new), particle(t, old)];
                ends.sort_unstable();
                found.sort_unstable();
                assert_eq!(ends, found);
            }
        }
        assert!(left.is_empty());
        assert_eq!(rounds.len() % HELD, 0);
        assert!(rounds.iter().rev().take(HELD).all(|round| round.particle == NOBODY));
    }

    #[test]
    fn ages_are_a_span_apart_and_no_two_the_same() {
        assert!(AGES.iter().zip(SPANS).all(|([new, old], span)| new + span == *old && *old < HELD));
        let mut ages = AGES.concat();
        ages.sort_unstable();
        assert!((1..ages.len()).all(|k| ages[k - 1] < ages[k]));
    }

    #[test]
    fn every_number_at_rest_has_its_own_place() {
        let mut places: Vec<[usize; 2]> =
            (0..SPANS.len()).flat_map(|span| [0, 1, 2].map(|what| rest_place(span, what))).collect();
        assert!(places.iter().all(|&[vector, component]| vector < REST && component < 4));
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 3 * SPANS.len());
    }

    /// A strip of a grid, four particles wide: column by column, each of them is visited once.
    #[test]
    fn a_strip_of_four_rows_is_visited_once() {
        let number = |x: u32, y: u32| 64 * y + x;
        let mut links = Vec::new();
        for (x, y) in (0..64).flat_map(|x| (0..4).map(move |y| (x, y))) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if x + dx < 64 && y + dy < 4 {
                    links.push((links.len() as u32, [number(x, y), number(x + dx, y + dy)]));
                }
            }
            if x > 0 && y + 1 < 4 {
                links.push((links.len() as u32, [number(x, y), number(x - 1, y + 1)]));
            }
        }
        let walk = rounds(&links, Some(&|p| f64::from(p % 64)));
        assert_eq!(walk.len(), 256);
        check(&links, &delayed(&walk));
        let greedy = rounds(&links, None);
        assert!(greedy.len() < 600, "{}", greedy.len());
        check(&links, &delayed(&greedy));
    }

    #[test]
    fn links_between_the_same_particles_wait_for_each_other() {
        let links = [(0, [3, 7]), (1, [7, 3]), (2, [3, 7])];
        check(&links, &delayed(&rounds(&links, None)));
        assert!(delayed(&rounds(&[], None)).is_empty());
    }

    proptest! {
        #[test]
        fn any_links_are_walked(
            pairs in proptest::collection::vec((0..40u32, 0..40u32), 0..200),
            ordered in any::<bool>(),
        ) {
            let pairs = pairs.into_iter().filter(|(a, b)| a != b);
            let links: Vec<(u32, [u32; 2])> = (0..).zip(pairs.map(|(a, b)| [a, b])).collect();
            let order: &dyn Fn(u32) -> f64 = &|p| f64::from(p * 17 % 40);
            let walk = delayed(&rounds(&links, ordered.then_some(order)));
            if !links.is_empty() {
                check(&links, &walk);
            }
        }
    }
}
