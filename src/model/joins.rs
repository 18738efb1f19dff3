//! The joins of a model: which points of bodies are tied together, in the order in which the solver takes them.

use super::rigid::RigidBody;
use crate::scene::{ResolvedJoin, merged};
use glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Two points that are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// Which join it belongs to.
    pub join: u32,
    /// Its particles by the model's numbers, each once, and their weights in p_b − p_a.
    pub corners: Vec<(u32, f64)>,
    /// Distance that is kept [m].
    pub length: f64,
}

/// A point of a soft body that a rigid one holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Which join it belongs to.
    pub join: u32,
    /// Row of the model's rigid bodies.
    pub rigid: u32,
    /// From the centre of mass along the principal axes [m].
    pub arm: DVec3,
    /// The soft point's particles by the model's numbers, and their weights, which add up to 1.
    pub corners: Vec<(u32, f64)>,
    /// Distance that is kept [m].
    pub length: f64,
    /// Whether the rigid body is the join's `b`.
    pub is_b: bool,
    /// The next anchor of the same body.
    pub next: Option<u32>,
}

/// An attachment or a seam.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub name: String,
    /// [m/N].
    pub compliance: f64,
    /// [N s/m].
    pub damping: f64,
    /// When it lets go [s].
    pub release: Option<f64>,
    /// [N].
    pub break_force: Option<f64>,
    /// From when to when its lengths shrink to nothing [s].
    pub closing: Option<[f64; 2]>,
}

/// All joins of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joins {
    pub joins: Vec<Join>,
    /// Colour after colour.
    pub ties: Vec<Tie>,
    /// Ties that have no particle in common that can move.
    pub colours: Vec<Range<u32>>,
    /// The first of each body, colour after colour, then all others.
    pub anchors: Vec<Anchor>,
    /// The first anchors of bodies that hold no particle in common that can move.
    pub anchor_colours: Vec<Range<u32>>,
}

impl Joins {
    /// Numbers the particles of a scene's joins by the model and colours the ties. Each gets the first colour that no earlier
    /// tie at its particles has, so that ties of bodies far away change nothing.
    pub fn new(joins: &[ResolvedJoin], number: &[u32], movable: &[bool]) -> Self {
        let mut coloured: Vec<Vec<Tie>> = Vec::new();
        let mut taken: HashMap<u32, Vec<bool>> = HashMap::new();
        for (join, resolved) in (0..).zip(joins) {
            for pair in resolved.pairs.iter().filter(|pair| pair.anchor.is_none()) {
                let corners: Vec<(u32, f64)> =
                    merged(pair).into_iter().map(|(old, weight)| (number[old as usize], weight)).collect();
                let moving = || corners.iter().filter(|(p, _)| movable[*p as usize]);
                let is_free = |colour: &usize| {
                    let has = |(p, _): &(u32, f64)| taken.get(p).and_then(|t| t.get(*colour)) == Some(&true);
                    !moving().any(has)
                };
                let colour = (0..).find(is_free).expect("there are colours enough");
                for (particle, _) in moving() {
                    let colours = taken.entry(*particle).or_default();
                    colours.resize(colours.len().max(colour + 1), false);
                    colours[colour] = true;
                }
                coloured.resize(coloured.len().max(colour + 1), Vec::new());
                coloured[colour].push(Tie { join, corners, length: pair.length });
            }
        }
        let colours = ranges(coloured.iter().map(Vec::len));
        let (anchors, anchor_colours) = anchors(joins, number, movable);
        let join = |join: &ResolvedJoin| Join {
            name: join.name.clone(),
            compliance: join.compliance,
            damping: join.damping,
            release: join.release,
            break_force: join.break_force,
            closing: join.closing,
        };
        let joins = joins.iter().map(join).collect();
        Self { joins, ties: coloured.concat(), colours, anchors, anchor_colours }
    }

    /// The energy of each compliant tie that still holds, as far as lengths tell [J].
    pub fn energies<'a>(&'a self, positions: &'a [DVec3]) -> impl Iterator<Item = (&'a Tie, f64)> {
        self.ties.iter().filter_map(|tie| {
            let apart = tie.span(positions).length() - tie.length;
            self.joins[tie.join as usize].energy(apart).map(|energy| (tie, energy))
        })
    }

    /// The same of all anchors.
    pub fn anchor_energy(&self, rigid: &[RigidBody], positions: &[DVec3], orientations: &[DQuat]) -> f64 {
        let energy = |anchor: &Anchor| {
            let body = &rigid[anchor.rigid as usize];
            let held: DVec3 = anchor.corners.iter().map(|&(p, s)| positions[p as usize] * s).sum();
            let point = positions[body.particle as usize] + orientations[body.frame as usize] * anchor.arm;
            self.joins[anchor.join as usize].energy(held.distance(point) - anchor.length)
        };
        self.anchors.iter().filter_map(energy).sum()
    }
}

impl Join {
    /// Of a compliant tie that lasts, by how much longer it is than it should be [J].
    fn energy(&self, apart: f64) -> Option<f64> {
        // Of what lets go, tears or closes the state of the moment is not known here.
        let lasts = self.release.is_none() && self.break_force.is_none() && self.closing.is_none();
        (lasts && self.compliance > 0.0).then(|| 0.5 * apart * apart / self.compliance)
    }
}

/// Where each of so many begins and ends.
fn ranges(counts: impl Iterator<Item = usize>) -> Vec<Range<u32>> {
    let mut end = 0;
    let range = |count: usize| {
        end += count as u32;
        end - count as u32..end
    };
    counts.map(range).collect()
}

/// The anchors body by body, and the colours of the bodies: each has the first in which no other holds one of its particles.
fn anchors(joins: &[ResolvedJoin], number: &[u32], movable: &[bool]) -> (Vec<Anchor>, Vec<Range<u32>>) {
    let mut bodies: Vec<Vec<Anchor>> = Vec::new();
    for (join, resolved) in (0..).zip(joins) {
        for (pair, anchor) in resolved.pairs.iter().filter_map(|pair| Some((pair, pair.anchor?))) {
            let held = pair.points[usize::from(!anchor.is_b)];
            let corners = held.particles.iter().zip(held.weights).filter(|(_, weight)| *weight != 0.0);
            let anchor = Anchor {
                join,
                rigid: anchor.rigid,
                arm: anchor.arm,
                corners: corners.map(|(&p, weight)| (number[p as usize], weight)).collect(),
                length: pair.length,
                is_b: anchor.is_b,
                next: None,
            };
            match bodies.iter_mut().find(|body| body[0].rigid == anchor.rigid) {
                Some(body) => body.push(anchor),
                None => bodies.push(vec![anchor]),
            }
        }
    }
    let moving = |body: &[Anchor]| -> Vec<u32> {
        let all = body.iter().flat_map(|anchor| &anchor.corners).map(|corner| corner.0);
        all.filter(|&p| movable[p as usize]).collect()
    };
    let mut coloured: Vec<(HashSet<u32>, Vec<Vec<Anchor>>)> = Vec::new();
    for body in bodies {
        let own = moving(&body);
        match coloured.iter_mut().find(|(taken, _)| !own.iter().any(|p| taken.contains(p))) {
            Some((taken, list)) => {
                taken.extend(own);
                list.push(body);
            }
            None => coloured.push((own.into_iter().collect(), vec![body])),
        }
    }
    let colours = ranges(coloured.iter().map(|(_, bodies)| bodies.len()));
    let bodies: Vec<Vec<Anchor>> = coloured.into_iter().flat_map(|(_, bodies)| bodies).collect();
    let mut firsts = Vec::new();
    let mut others = Vec::new();
    for mut body in bodies.iter().cloned() {
        let second = bodies.len() + others.len();
        let last = body.len() - 1;
        for (k, anchor) in body.iter_mut().enumerate() {
            anchor.next = (k < last).then_some((second + k) as u32);
        }
        firsts.push(body.remove(0));
        others.append(&mut body);
    }
    firsts.append(&mut others);
    (firsts, colours)
}

impl Tie {
    /// p_b − p_a [m].
    pub fn span(&self, positions: &[DVec3]) -> DVec3 {
        self.corners.iter().map(|&(p, weight)| positions[p as usize] * weight).sum()
    }
}
