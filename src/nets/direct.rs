//! The buffers and passes of nets that are solved at once.

use super::products::{self, Piece};
use super::setup::{frames_of, joints_of};
use super::{
    BLOCK, ROW, net_answer, net_couple, net_eliminate, net_gather, net_measure_bend, net_measure_stretch,
};
use crate::compute::{ComputeError, Launch, Passes, Role, Tables};
use crate::model::Model;
use crate::model::elimination::{Elimination, Role as Part};
use crate::scene::NetMethod;
use std::ops::Range;

/// The nets that are solved at once, ready to append their passes.
pub struct Direct {
    /// The first of all nets' frames, and their number.
    first_frame: u32,
    frame_count: u32,
    frames: Range<u32>,
    joints: Range<u32>,
    bodies: Range<u32>,
    blocks: u32,
    nets: u32,
    /// What one pass eliminates, and the most turns that a thread takes in one.
    pieces: Vec<Piece>,
    turns: u32,
}

/// Turns of a loop that a thread may take in one pass. Mesa's software driver ends every loop of a thread that has taken 65,535
/// in all, without a word; and a pass that takes long is nothing that a system likes.
const MOST_TURNS: u64 = 30_000;

/// Divides the rounds of all nets into pieces in which no thread takes too many turns, unless a single round does. Also the most
/// turns in a piece.
fn pieces(plans: &[Elimination]) -> (Vec<Range<u32>>, u64) {
    let length = |range: &Range<u32>| u64::from(range.end - range.start);
    let turns = |plan: &Elimination, round: usize| {
        let Some(columns) = plan.rounds.get(round) else { return 0 };
        let own = &plan.columns[columns.start as usize..columns.end as usize];
        let start = own.first().map_or(0, |column| column.blocks.start) as usize;
        let end = own.last().map_or(0, |column| column.blocks.end) as usize;
        // A thread takes every so manieth; at worst it gets the longest each time.
        let lanes = net_eliminate::LANES as usize;
        let of =
            |count: usize, longest: Option<u64>| count.div_ceil(lanes) as u64 * (2 + longest.unwrap_or(0));
        let columns = own.iter().map(|column| length(&column.products) + length(&column.blocks)).max();
        let blocks = plan.blocks[start..end].iter().map(|block| length(&block.products)).max();
        1 + of(own.len(), columns) + of(end - start, blocks)
    };
    let count = plans.iter().map(|plan| plan.rounds.len()).max().unwrap_or(0);
    let (mut pieces, mut start, mut sum, mut most) = (Vec::new(), 0, 0, 0);
    for round in 0..count {
        let more = plans.iter().map(|plan| turns(plan, round)).max().unwrap_or(0);
        if round > start && sum + more > MOST_TURNS {
            pieces.push(start as u32..round as u32);
            (start, sum) = (round, 0);
        }
        sum += more;
        most = most.max(sum);
    }
    pieces.push(start as u32..count as u32);
    (pieces, most)
}

impl Direct {
    /// Adds the buffers; nothing if no net uses the method. `bodies` are what the nets move.
    pub fn new(
        model: &Model,
        buffers: &mut Tables,
        bodies: Range<u32>,
    ) -> Result<Option<Self>, ComputeError> {
        let nets = &model.nets;
        let direct = nets.of_method(NetMethod::Direct);
        if direct.is_empty() {
            return Ok(None);
        }
        let plans = &nets.eliminations;
        let (pieces, turns) = pieces(plans);
        let (pieces, starts) = products::add(plans, pieces, buffers)?;
        let (mut systems, mut rounds, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        let (mut blocks, mut couplings) = (Vec::new(), Vec::new());
        for (plan, starts) in plans.iter().zip(&starts) {
            let (first_column, first_block) = (columns.len() as u32, blocks.len() as u32);
            let first_round = rounds.len() as u32;
            rounds.extend(plan.rounds.iter().map(|round| {
                let own = &plan.columns[round.start as usize..round.end as usize];
                let start = own.first().map_or(0, |column| column.blocks.start);
                let end = own.last().map_or(0, |column| column.blocks.end);
                [first_column + round.start, first_column + round.end, first_block + start, first_block + end]
            }));
            systems.push([first_round, rounds.len() as u32]);
            columns.extend(plan.columns.iter().zip(&starts.columns).map(|(column, &start)| {
                let end = start + column.products.len() as u32;
                [column.constraint, first_block + column.blocks.start, start, end]
            }));
            blocks.extend(plan.blocks.iter().zip(&starts.blocks).map(|(block, &start)| {
                [block.row, block.column, start, start + block.products.len() as u32]
            }));
            couplings.extend(plan.blocks.iter().map(|block| match block.coupling {
                None => [0; 4],
                Some(coupling) => {
                    let kind = match coupling.roles[0] {
                        Part::Start | Part::End => net_couple::PARTICLE,
                        Part::Segment | Part::First | Part::Second => net_couple::FRAME,
                    };
                    [kind, coupling.body, coupling.roles[0] as u32, coupling.roles[1] as u32]
                }
            }));
        }
        let (frames, joints) = (frames_of(direct), joints_of(direct));
        let this = Self {
            first_frame: nets.first_frame(),
            frame_count: nets.radii.len() as u32,
            frames,
            joints,
            bodies,
            blocks: blocks.len() as u32,
            nets: systems.len() as u32,
            pieces,
            turns: turns.try_into().unwrap_or(u32::MAX),
        };
        columns.push([0, blocks.len() as u32, 0, 0]);
        buffers.uint2s("net_systems", Role::Model, systems)?;
        buffers.uint4s("net_rounds", Role::Model, rounds)?;
        buffers.uint4s("net_columns", Role::Model, columns)?;
        let factors = BLOCK as usize * blocks.len().max(1);
        buffers.uint4s("net_blocks", Role::Model, blocks)?;
        buffers.uint4s("net_couplings", Role::Model, couplings)?;
        buffers.real4s("net_factors", Role::Scratch, vec![[0.0; 4]; factors])?;
        let rows = nets.radii.len() + nets.joints.len();
        buffers.real4s("net_rows", Role::Scratch, vec![[0.0; 4]; ROW as usize * rows])?;
        Ok(Some(this))
    }

    /// Appends one iteration on the particles' offsets in the buffer `offsets`.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        iteration: u32,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        let renamed = [("offsets", offsets)];
        let launch =
            |range: &Range<u32>, base: u32| Launch { index: iteration, base, ..Launch::range(range) };
        let (first, count) = (self.first_frame, self.frame_count);
        passes.run_as(buffers, &net_measure_stretch::KERNEL, launch(&self.frames, first), &renamed)?;
        passes.run(buffers, &net_measure_bend::KERNEL, launch(&self.joints, count))?;
        passes.run(buffers, &net_couple::KERNEL, Launch::over(self.blocks))?;
        let piece = |rounds: &Range<u32>, flags: u32| Launch {
            base: rounds.start,
            index: rounds.end,
            flags,
            ..Launch::over(self.nets)
        };
        for Piece { rounds, buffer } in &self.pieces {
            let renamed = [("net_products", buffer.as_str())];
            passes.run_groups(buffers, &net_eliminate::KERNEL, piece(rounds, 0), self.nets, &renamed)?;
            passes.note_walk(self.turns);
        }
        for Piece { rounds, buffer } in self.pieces.iter().rev() {
            let (back, renamed) = (piece(rounds, net_eliminate::BACK), [("net_products", buffer.as_str())]);
            passes.run_groups(buffers, &net_eliminate::KERNEL, back, self.nets, &renamed)?;
        }
        let segments = self.frames.start - first..self.frames.end - first;
        let joints = self.joints.start + count..self.joints.end + count;
        passes.run(buffers, &net_answer::KERNEL, launch(&segments, 0))?;
        passes.run(buffers, &net_answer::KERNEL, Launch { flags: 1, ..launch(&joints, 0) })?;
        passes.run_as(buffers, &net_gather::KERNEL, launch(&self.bodies, 0), &renamed)
    }
}
