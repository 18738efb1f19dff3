//! The passes of links that are walked. See [`super::link_walks`].

use super::link_walks::{ABREAST, LinkWalks, REST, Side, Walk};
use super::{step_links, walk_links};
use crate::compute::{Buffers, ComputeError, Data, Element, Launch, Pass, Passes, Role};
use crate::model::Model;
use crate::model::elements::Link;
use std::collections::HashMap;

/// Rounds of all loops of one invocation at most: software adapters end loops that go on for much longer.
const MOST_ROUNDS: u32 = 60_000;
/// Vectors that a buffer holds at most: WebGPU's 128 MiB.
const MOST_VECTORS: usize = 128 << 20 >> 4;
/// What a pass costs to begin, and a link of a coloured one; measured on Mesa's software driver [ns].
const PASS: u64 = 50_000;
const LINK: u64 = 15;
/// What a round of as many walks as are stored abreast costs, on one core [ns].
const ROUND: u64 = 200;

/// Links that are walked rather than coloured.
pub struct WalkedLinks {
    strips: Side,
    seams: Side,
    is_closed: bool,
    /// Whether the links of each body are.
    pub bodies: Vec<bool>,
    /// Links.
    pub count: u32,
}

impl WalkedLinks {
    /// Adds the buffers of the links of all bodies of which walks are faster than colours. A body's choice does not depend on
    /// the others, unless the walks of all together are more than a buffer holds: then none is walked.
    pub fn new(model: &Model, buffers: &mut Buffers) -> Result<Option<Self>, ComputeError> {
        if model.elements.iter().all(|elements| elements.links.is_empty()) {
            return Ok(None);
        }
        let walks = LinkWalks::new(model, is_faster).map_err(|error| ComputeError::Buffer {
            buffer: "link_walks".into(),
            problem: error.to_string(),
        })?;
        let LinkWalks { strips, seams, is_closed, bodies, .. } = walks;
        let links = model.elements.iter().zip(&bodies).filter(|(_, is_walked)| **is_walked);
        let count = links.map(|(elements, _)| elements.links.len() as u32).sum();
        if count == 0 || walks.rests.len() > MOST_VECTORS {
            return Ok(None);
        }
        let cells = walks.rests.len() / REST;
        buffers.real4s("link_lambdas", Role::Scratch, vec![[0.0; 4]; cells])?;
        let far = Data::Reals(vec![0.0; 2 * cells]);
        buffers.add("link_lambdas_far", Element::Real2, Role::Scratch, far)?;
        buffers.uint4s("link_walks", Role::Model, walks.walks)?;
        buffers.uints("link_nodes", Role::Model, walks.nodes)?;
        buffers.real4s("link_rests", Role::Model, walks.rests)?;
        Ok(Some(Self { strips, seams, is_closed, bodies, count }))
    }

    /// Strips, then seams. Always in this order: what the last side has corrected is what a substep ends with, and errors that
    /// change sides from substep to substep would be velocities.
    fn sides(&self) -> impl Iterator<Item = &Side> {
        [&self.strips, &self.seams].into_iter().filter(|side| side.rounds > 0)
    }

    /// Appends an iteration. Where there are no seams, the pass of the one before does this one, too.
    pub fn sweep(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        index: u32,
        flags: u32,
    ) -> Result<(), ComputeError> {
        for side in self.sides() {
            let goes_on = |pass: &Pass| {
                let Launch { first, index: before, base, .. } = pass.launch;
                std::ptr::eq(pass.kernel, &walk_links::KERNEL)
                    && (first, before + base) == (side.first, index)
                    && pass.walk + side.rounds <= MOST_ROUNDS
            };
            match passes.list.last_mut().filter(|pass| goes_on(pass)) {
                Some(pass) => {
                    pass.launch.base += 1;
                    pass.launch.flags = flags;
                    pass.walk += side.rounds;
                }
                None => {
                    let launch = Launch { index, flags, base: 1, ..side.launch() };
                    passes.run(buffers, &walk_links::KERNEL, launch)?;
                    passes.note_walk(side.rounds);
                }
            }
        }
        Ok(())
    }

    /// Whether substeps can be joined: no walk touches what belongs to another.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Appends several substeps.
    pub fn append_substeps(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        count: u32,
    ) -> Result<(), ComputeError> {
        let sides: Vec<&Side> = self.sides().collect();
        for k in 0..count {
            for (number, side) in sides.iter().enumerate() {
                let (is_first, is_last) = (number == 0, number + 1 == sides.len());
                let mut flags = 0;
                if is_first && k == 0 {
                    flags |= step_links::START;
                }
                if is_last {
                    flags |= if k + 1 < count { step_links::GO_ON } else { step_links::END };
                }
                let launch = Launch { flags, ..side.launch() };
                passes.run(buffers, &step_links::KERNEL, launch)?;
                passes.note_walk(side.rounds + 2 * side.own);
            }
        }
        Ok(())
    }
}

impl Side {
    fn launch(&self) -> Launch<f64> {
        Launch::range(&(self.first..self.first + self.count))
    }
}

/// Whether a body's walks are faster than its colours on two cores, and short enough.
fn is_faster(links: &[Link], [strips, seams]: [&[Walk]; 2]) -> bool {
    let mut degrees: HashMap<u32, u64> = HashMap::new();
    links.iter().flat_map(|link| link.ends).for_each(|end| *degrees.entry(end).or_default() += 1);
    // There are at least as many colours as links at one particle.
    let colours = degrees.into_values().max().unwrap_or(0);
    let rounds = |walks: &[Walk]| walks.iter().map(|walk| walk.rounds.len()).max().unwrap_or(0) as u64;
    let time = |walks: &[Walk]| {
        let groups = (walks.len() as u64).div_ceil(ABREAST as u64);
        PASS + rounds(walks) * ROUND * groups / groups.clamp(1, 2)
    };
    let fits = |walks: &[Walk]| {
        walks.iter().all(|walk| walk.rounds.len() + 2 * walk.own.len() <= MOST_ROUNDS as usize)
    };
    let coloured = colours * PASS + links.len() as u64 * LINK;
    fits(strips) && fits(seams) && time(strips) + time(seams) < coloured
}
