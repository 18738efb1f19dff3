//! The order of the unknowns, on which the size of the matrix between its diagonal and the first entries of its rows depends.
//!
//! Rods and rings are best numbered along their length, as segments visit them; nets breadth first from one side (reverse
//! Cuthill–McKee); trees from their tips, every fork after all that grows from it, so that a row reaches back to its own branches and
//! not to those beside them. What takes the least work is taken.

use super::system::System;
use crate::model::ordering::{Permutation, reverse_cuthill_mckee};

/// The place of each particle's and frame's three unknowns.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    pub particles: Vec<Option<usize>>,
    pub frames: Vec<Option<usize>>,
    pub count: usize,
}

impl Unknowns {
    pub fn new(system: &System) -> Self {
        let mut bodies = Bodies::new(system);
        let candidates = [
            Some(Permutation::identity(bodies.count)),
            reverse_cuthill_mckee(&bodies.links, bodies.count).ok(),
            Permutation::from_old_of_new(bodies.tips_first()),
        ];
        let best = candidates.into_iter().flatten().min_by_key(|order| bodies.work(order));
        if let Some(order) = best {
            for place in bodies.particles.iter_mut().chain(&mut bodies.frames).flatten() {
                *place = order.new_of_old[*place] as usize;
            }
        }
        let unknown = |places: Vec<Option<usize>>| places.into_iter().map(|place| Some(3 * place?)).collect();
        Self { particles: unknown(bodies.particles), frames: unknown(bodies.frames), count: 3 * bodies.count }
    }
}

/// What may move, in the order in which segments and joints visit it, and what an element joins.
struct Bodies {
    particles: Vec<Option<usize>>,
    frames: Vec<Option<usize>>,
    count: usize,
    links: Vec<[u32; 2]>,
}

impl Bodies {
    fn new(system: &System) -> Self {
        let mut this = Self {
            particles: vec![None; system.positions.len()],
            frames: vec![None; system.orientations.len()],
            count: 0,
            links: Vec::new(),
        };
        let mut number = |free: bool, place: &mut Option<usize>| {
            if free && place.is_none() {
                *place = Some(this.count);
                this.count += 1;
            }
            *place
        };
        let mut elements = Vec::with_capacity(system.segments.len() + system.joints.len());
        for s in &system.segments {
            let [i, j] = s.particles;
            elements.push([
                number(system.free_particles[i], &mut this.particles[i]),
                number(system.free_frames[s.frame], &mut this.frames[s.frame]),
                number(system.free_particles[j], &mut this.particles[j]),
            ]);
        }
        // Knots of nets have no segment of their own.
        for [a, b] in system.joints.iter().map(|joint| joint.frames) {
            let a = number(system.free_frames[a], &mut this.frames[a]);
            elements.push([a, number(system.free_frames[b], &mut this.frames[b]), None]);
        }
        let pairs = elements.iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        this.links = pairs.filter_map(|[a, b]| Some([(*a)? as u32, (*b)? as u32])).collect();
        this
    }

    /// The squares of what rows reach back.
    fn work(&self, order: &Permutation) -> u64 {
        let mut reach = vec![0u64; self.count];
        for link in &self.links {
            let [a, b] = link.map(|old| order.new_of_old[old as usize]);
            let row = &mut reach[a.max(b) as usize];
            *row = (*row).max(u64::from(a.abs_diff(b)));
        }
        reach.into_iter().map(|reach| reach * reach).sum()
    }

    /// Everything after what hangs on it, seen from the first of each component: old numbers in the new order.
    fn tips_first(&self) -> Vec<u32> {
        let mut beside = vec![Vec::new(); self.count];
        for &[a, b] in &self.links {
            beside[a as usize].push(b);
            beside[b as usize].push(a);
        }
        let mut seen = vec![false; self.count];
        let mut order = Vec::with_capacity(self.count);
        for root in 0..self.count as u32 {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((body, next)) = path.last_mut() {
                match beside[*body as usize].get(*next) {
                    Some(&other) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[other as usize], true) {
                            path.push((other, 0));
                        }
                    }
                    None => {
                        order.push(*body);
                        path.pop();
                    }
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::scene::{Net, NetShape, Scene};

    /// What the factors of a net's matrix would hold.
    fn entries(shape: NetShape) -> (usize, usize) {
        let net = Net { shape, ..Net::default() };
        let system = System::of_model(&Model::new(&Scene { net: vec![net], ..Scene::default() }).unwrap());
        let unknowns = Unknowns::new(&system);
        let mut places: Vec<usize> =
            unknowns.particles.iter().chain(&unknowns.frames).flatten().copied().collect();
        places.sort_unstable();
        assert!(places.iter().enumerate().all(|(k, place)| *place == 3 * k), "every place once");
        (unknowns.count, system.envelope(&unknowns).entry_count())
    }

    /// A tree in proportion to its size and its levels, a net to its size and its width.
    #[test]
    fn matrices_of_trees_and_nets_stay_narrow() {
        let tree = |levels| NetShape::Tree {
            length: 1.0,
            levels,
            branches: 3,
            angle: 30.0,
            ratio: 0.7,
            thinning: 0.7,
            segments: 3,
        };
        for (shape, most) in [
            (tree(4), 300),
            (tree(5), 400),
            (NetShape::Grid { size: [1.0, 1.0], cells: [8, 8], segments: 4 }, 500),
            (NetShape::Ring { radius: 1.0, segments: 200, twist: 0.0 }, 30),
        ] {
            let (count, entries) = entries(shape);
            println!("{count} unknowns, {} entries a row", entries / count);
            assert!(entries < most * count, "{} entries a row", entries / count);
        }
    }
}
