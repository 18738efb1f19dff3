//! What hangs on each body by attachments and joints, which substeps are chosen for.
//!
//! Without the body, those that were tied to it fall into groups. A group that is held by a pin or a joint to the world holds the
//! body, too; the others hang on it. If none is held, the heaviest counts as what the others pull at.

use super::parts::Part;
use crate::rods::loaded::Hanging;
use crate::scene::{ResolvedJoin, ResolvedJoint};

/// The bodies of a scene, and which of them are tied to each other.
pub(super) struct Ties {
    neighbours: Vec<Vec<usize>>,
    masses: Vec<f64>,
    is_held: Vec<bool>,
}

impl Ties {
    pub fn new(parts: &[Part], joins: &[ResolvedJoin], joints: &[ResolvedJoint], first_rigid: usize) -> Self {
        let mut ends = Vec::with_capacity(parts.len());
        let mut end = 0;
        for part in parts {
            end += part.positions.len() as u32;
            ends.push(end);
        }
        let part_of = |particle: u32| ends.partition_point(|&end| end <= particle);
        let mut ties = Self {
            neighbours: vec![Vec::new(); parts.len()],
            masses: parts.iter().map(|part| part.masses.iter().sum()).collect(),
            is_held: parts.iter().map(|part| !part.pins.is_empty()).collect(),
        };
        for pair in joins.iter().flat_map(|join| &join.pairs) {
            let [a, b] = pair.points.map(|point| part_of(point.particles[0]));
            ties.tie(a, b);
        }
        for joint in joints {
            match joint.bodies.map(|body| body.map(|rigid| first_rigid + rigid as usize)) {
                [Some(a), Some(b)] => ties.tie(a, b),
                [Some(only), None] | [None, Some(only)] => ties.is_held[only] = true,
                [None, None] => {}
            }
        }
        for neighbours in &mut ties.neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        ties
    }

    fn tie(&mut self, a: usize, b: usize) {
        if a != b {
            self.neighbours[a].push(b);
            self.neighbours[b].push(a);
        }
    }

    /// What hangs on a body and what holds it.
    pub fn on(&self, body: usize) -> Hanging {
        let mut hanging = Hanging::default();
        let mut heaviest = 0.0f64;
        let mut is_seen = vec![false; self.neighbours.len()];
        is_seen[body] = true;
        for &first in &self.neighbours[body] {
            let (mut mass, mut is_held, mut next) = (0.0, false, vec![first]);
            while let Some(at) = next.pop() {
                if !std::mem::replace(&mut is_seen[at], true) {
                    mass += self.masses[at];
                    is_held |= self.is_held[at];
                    next.extend(&self.neighbours[at]);
                }
            }
            if is_held {
                hanging.held += 1;
            } else {
                hanging.mass += mass;
                heaviest = heaviest.max(mass);
            }
        }
        if hanging.held == 0 && !self.is_held[body] {
            hanging.mass -= heaviest;
            hanging.held = usize::from(heaviest > 0.0);
        }
        hanging
    }
}

#[cfg(test)]
mod tests {
    use super::Ties;
    use crate::rods::loaded::Hanging;

    /// A chain of bodies with these masses.
    fn chain(masses: &[f64], held: &[usize]) -> Ties {
        let count = masses.len();
        let mut ties = Ties {
            neighbours: vec![Vec::new(); count],
            masses: masses.to_vec(),
            is_held: (0..count).map(|body| held.contains(&body)).collect(),
        };
        (1..count).for_each(|body| ties.tie(body - 1, body));
        ties
    }

    #[test]
    fn a_rope_carries_what_is_below_it_and_not_its_support() {
        // A crane of a tonne that stands, a rope, a hook and its load.
        let crane = chain(&[1000.0, 1.0, 5.0, 50.0], &[0]);
        assert_eq!(crane.on(1), Hanging { mass: 55.0, held: 1 });
        // A rope that is pinned itself.
        assert_eq!(chain(&[1.0, 5.0, 50.0], &[0]).on(0), Hanging { mass: 55.0, held: 0 });
        // Between two that are held, nothing hangs on it but its own weight.
        assert_eq!(chain(&[2.0, 1.0, 3.0], &[0, 2]).on(1), Hanging { mass: 0.0, held: 2 });
        // Two bodies in free flight pull with what the lighter one weighs.
        assert_eq!(chain(&[7.0, 1.0, 3.0], &[]).on(1), Hanging { mass: 3.0, held: 1 });
        assert_eq!(chain(&[1.0], &[]).on(0), Hanging::default());
    }
}
