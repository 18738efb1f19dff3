//! The joins of a model: which points of bodies are tied together, in the order in which the solver takes them.

use crate::scene::{ResolvedJoin, merged};
use glam::DVec3;
use std::collections::HashMap;
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
}

impl Joins {
    /// Numbers the particles of a scene's joins by the model and colours the ties. Each gets the first colour that no earlier
    /// tie at its particles has, so that ties of bodies far away change nothing.
    pub fn new(joins: &[ResolvedJoin], number: &[u32], movable: &[bool]) -> Self {
        let mut coloured: Vec<Vec<Tie>> = Vec::new();
        let mut taken: HashMap<u32, Vec<bool>> = HashMap::new();
        for (join, resolved) in (0..).zip(joins) {
            for pair in &resolved.pairs {
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
        let mut end = 0;
        let colours = coloured.iter().map(|ties| {
            end += ties.len() as u32;
            end - ties.len() as u32..end
        });
        let colours = colours.collect();
        let join = |join: &ResolvedJoin| Join {
            name: join.name.clone(),
            compliance: join.compliance,
            damping: join.damping,
            release: join.release,
            break_force: join.break_force,
            closing: join.closing,
        };
        Self { joins: joins.iter().map(join).collect(), ties: coloured.concat(), colours }
    }

    /// The energy of each compliant tie that still holds, as far as lengths tell [J].
    pub fn energies<'a>(&'a self, positions: &'a [DVec3]) -> impl Iterator<Item = (&'a Tie, f64)> {
        self.ties.iter().filter_map(|tie| {
            let join = &self.joins[tie.join as usize];
            // Of what lets go, tears or closes the state of the moment is not known here.
            let lasts = join.release.is_none() && join.break_force.is_none() && join.closing.is_none();
            let apart = tie.span(positions).length() - tie.length;
            (lasts && join.compliance > 0.0).then(|| (tie, 0.5 * apart * apart / join.compliance))
        })
    }
}

impl Tie {
    /// p_b − p_a [m].
    pub fn span(&self, positions: &[DVec3]) -> DVec3 {
        self.corners.iter().map(|&(p, weight)| positions[p as usize] * weight).sum()
    }
}
