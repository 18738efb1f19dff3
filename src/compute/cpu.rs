//! Runs the passes through the kernels' twins, over plain vectors, on all cores.

use super::columns::Data;
use super::error::ComputeError;
use super::kernel::{Bound, Grain, Kernel, RawBuffer};
use super::passes::{Launch, Pass, Passes, Run};
use super::resolve::{COUNT, FIRST, SLOT};
use super::tables::Tables;
use super::{ColumnId, Executor};
use crate::math::lane::MOST;
use crate::math::{Real, Width};
use rayon::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

/// In which order a pass's calls run. Results do not depend on it: that is what a kernel promises, and what a
/// test finds out by asking for another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// On all threads.
    Parallel,
    /// On one thread, first to last.
    Forward,
    /// On one thread, last to first.
    Backward,
}

/// Calls per piece of a parallel pass: small enough to balance a colour of a small cloth, large enough to amortise the
/// hand-over. A pass of one piece stays on its thread.
const CALLS_PER_PIECE: u32 = 1024;
/// A workgroup is worth many calls.
const GROUPS_PER_PIECE: u32 = 8;

/// A scalar in which every kernel has a twin.
pub trait Precision: Real {
    /// Runs a range of a kernel's calls, at most `width` at once.
    fn run(kernel: &Kernel, bound: &Bound<'_, Self>, calls: Range<u32>, width: Width);
}

impl Precision for f32 {
    #[inline]
    fn run(kernel: &Kernel, bound: &Bound<'_, f32>, calls: Range<u32>, width: Width) {
        match kernel.lanes_f32 {
            Some(lanes) if width > Width::One => lanes(bound, calls, width),
            _ => (kernel.twin_f32)(bound, calls),
        }
    }
}

impl Precision for f64 {
    #[inline]
    fn run(kernel: &Kernel, bound: &Bound<'_, f64>, calls: Range<u32>, _: Width) {
        (kernel.twin_f64)(bound, calls);
    }
}

#[derive(Clone)]
enum Memory<R> {
    Reals(Vec<R>),
    Uints(Vec<u32>),
}

/// The CPU backend, in f32 (the device's arithmetic) or f64 (the reference).
pub struct CpuExecutor<R> {
    memory: Vec<Memory<R>>,
    passes: Vec<Pass>,
    /// The slots of passes over counted rows.
    launches: Option<ColumnId>,
    state: Vec<ColumnId>,
    /// What the state was when it was kept, in the order of `state`.
    kept: Vec<Memory<R>>,
    order: Order,
    width: Width,
}

impl<R: Precision> CpuExecutor<R> {
    pub fn new(buffers: &Tables, passes: &Passes) -> Self {
        let memory = buffers.ids().map(|id| memory_of(buffers.initial(id))).collect();
        Self {
            memory,
            passes: passes.list.clone(),
            launches: passes.launches,
            state: buffers.state().collect(),
            kept: Vec::new(),
            order: Order::Parallel,
            width: Width::widest(),
        }
    }

    /// The same backend with another order of calls.
    pub fn with_order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// The same backend with at most so many calls at once: [`Width::One`] is the plain twin. Results do not depend on
    /// it either.
    pub fn with_width(mut self, width: Width) -> Self {
        self.width = width;
        self
    }

    /// Whether nobody reads what a pass would write.
    fn is_unread(&self, index: usize) -> bool {
        self.passes[index].unread.is_some_and(|unread| match &self.memory[unread.column.0] {
            Memory::Uints(numbers) => unread.holds(numbers),
            Memory::Reals(_) => false,
        })
    }

    fn run_pass(&mut self, index: usize) {
        let pass = &self.passes[index];
        let raw: Vec<RawBuffer> = pass.buffers.iter().map(|id| raw(&mut self.memory[id.0])).collect();
        let (mut launch, mut calls) = (launch_of(pass), pass.calls);
        if let Some(extent) = pass.extent {
            let slot = extent.slot.expect("lists with passes over counted rows are linked");
            [launch.first, launch.count] = self.slot(slot);
            calls = extent.calls(launch.count);
        }
        let bound: Bound<'_, R> = Bound { launch, buffers: &raw };
        run_calls(pass.kernel, &bound, calls, self.order, self.width);
    }

    /// The first element and the number of elements in a slot.
    fn slot(&self, slot: u32) -> [u32; 2] {
        let launches = self.launches.expect("lists with passes over counted rows are linked");
        match &self.memory[launches.0] {
            Memory::Uints(words) => [FIRST, COUNT].map(|word| words[(slot * SLOT + word) as usize]),
            Memory::Reals(_) => unreachable!("slots are integers"),
        }
    }

    /// How many passes from the first on are divided into the same number of parts.
    fn divided_alike(&self, passes: &[usize]) -> usize {
        let parts = |index: usize| self.passes[index].parts.as_ref().map(|ends| ends.len());
        let first = passes.first().and_then(|&index| parts(index));
        passes.iter().take_while(|&&index| first.is_some() && parts(index) == first).count()
    }

    /// Takes each part of the model through several divided passes while a core has it in its cache, all parts at once.
    fn run_parts(&mut self, passes: &[usize]) {
        let all: Vec<RawBuffer> = self.memory.iter_mut().map(raw).collect();
        let passes: Vec<&Pass> = passes.iter().map(|&index| &self.passes[index]).collect();
        let buffers: Vec<Vec<RawBuffer>> =
            passes.iter().map(|pass| pass.buffers.iter().map(|id| all[id.0]).collect()).collect();
        let bound: Vec<(&Pass, &[u32], Bound<'_, R>)> = passes
            .iter()
            .zip(&buffers)
            .filter_map(|(pass, buffers)| {
                Some((*pass, pass.parts.as_deref()?, Bound { launch: launch_of(pass), buffers }))
            })
            .collect();
        let count = bound.first().map_or(0, |(_, ends, _)| ends.len());
        let width = self.width;
        let run = |part: usize, backward: bool| {
            for (pass, ends, bound) in &bound {
                let calls = if part > 0 { ends[part - 1] } else { 0 }..ends[part];
                match backward {
                    false => R::run(pass.kernel, bound, calls, width),
                    true => calls.rev().for_each(|id| R::run(pass.kernel, bound, id..id + 1, width)),
                }
            }
        };
        match self.order {
            Order::Backward => (0..count).rev().for_each(|part| run(part, true)),
            Order::Forward | Order::Parallel => {
                (0..count).into_par_iter().with_max_len(1).for_each(|part| run(part, false));
            }
        }
    }
}

/// A pass's parameters in the precision of the backend.
fn launch_of<R: Real>(pass: &Pass) -> Launch<R> {
    let launch = pass.launch;
    Launch {
        first: launch.first,
        count: launch.count,
        index: launch.index,
        flags: launch.flags,
        base: launch.base,
        weight: R::of(launch.weight),
        dt: R::of(launch.dt),
    }
}

fn run_calls<R: Precision>(
    kernel: &'static Kernel,
    bound: &Bound<'_, R>,
    calls: u32,
    order: Order,
    width: Width,
) {
    let piece = match kernel.grain {
        Grain::Invocation => CALLS_PER_PIECE,
        Grain::Workgroup => GROUPS_PER_PIECE,
        Grain::Walk => MOST as u32,
    };
    match order {
        Order::Backward => (0..calls).rev().for_each(|id| R::run(kernel, bound, id..id + 1, width)),
        Order::Parallel if calls > piece => {
            (0..calls.div_ceil(piece)).into_par_iter().for_each(|p| {
                R::run(kernel, bound, p * piece..((p + 1) * piece).min(calls), width);
            });
        }
        Order::Parallel | Order::Forward => R::run(kernel, bound, 0..calls, width),
    }
}

fn memory_of<R: Real>(data: &Data) -> Memory<R> {
    match data {
        Data::Reals(v) => Memory::Reals(v.iter().map(|&x| R::of(x)).collect()),
        Data::Uints(v) => Memory::Uints(v.clone()),
    }
}

fn raw<R: Real>(memory: &mut Memory<R>) -> RawBuffer {
    let bytes: &mut [u8] = match memory {
        Memory::Reals(v) => bytemuck::cast_slice_mut(v),
        Memory::Uints(v) => bytemuck::cast_slice_mut(v),
    };
    RawBuffer { start: bytes.as_mut_ptr(), bytes: bytes.len() }
}

impl<R: Precision> Executor for CpuExecutor<R> {
    /// Runs everything at once: there is nothing to wait for.
    fn submit(&mut self, runs: &[Run]) -> Result<(), ComputeError> {
        // On a thread of the pool, a pass wakes the others without going to sleep itself.
        rayon::scope(|_| {
            let passes = runs.iter().flat_map(|run| (0..run.times).flat_map(|_| run.passes.clone()));
            let passes: Vec<usize> = passes.collect();
            let mut rest = passes.as_slice();
            while let Some(&index) = rest.first() {
                let together = self.divided_alike(rest);
                if together > 1 && self.order != Order::Forward {
                    self.run_parts(&rest[..together]);
                    rest = &rest[together..];
                } else {
                    // A pass that is asked for by itself runs, so that it can be compared with a device's.
                    if passes.len() == 1 || !self.is_unread(index) {
                        self.run_pass(index);
                    }
                    rest = &rest[1..];
                }
            }
        });
        Ok(())
    }

    fn wait(&mut self) -> Result<(), ComputeError> {
        Ok(())
    }

    fn keep(&mut self) -> Result<(), ComputeError> {
        self.kept = self.state.iter().map(|id| self.memory[id.0].clone()).collect();
        Ok(())
    }

    fn revert(&mut self) -> Result<(), ComputeError> {
        for (id, kept) in self.state.iter().zip(&self.kept) {
            match (&mut self.memory[id.0], kept) {
                (Memory::Reals(now), Memory::Reals(kept)) => now[..kept.len()].copy_from_slice(kept),
                (Memory::Uints(now), Memory::Uints(kept)) => now[..kept.len()].copy_from_slice(kept),
                _ => unreachable!("a column keeps its kind"),
            }
        }
        Ok(())
    }

    fn grow(&mut self, tables: &Tables) -> Result<(), ComputeError> {
        for (memory, id) in self.memory.iter_mut().zip(tables.ids()) {
            let scalars = tables.initial(id).len();
            match memory {
                Memory::Reals(v) => v.resize(scalars, R::ZERO),
                Memory::Uints(v) => v.resize(scalars, 0),
            }
        }
        Ok(())
    }

    fn read(&mut self, buffer: ColumnId) -> Result<Data, ComputeError> {
        Ok(match &self.memory[buffer.0] {
            Memory::Reals(v) => Data::Reals(v.iter().map(|x| x.to_f64()).collect()),
            Memory::Uints(v) => Data::Uints(v.clone()),
        })
    }

    fn write(&mut self, buffer: ColumnId, data: &Data) -> Result<(), ComputeError> {
        let new = memory_of::<R>(data);
        let fits = match (&self.memory[buffer.0], &new) {
            (Memory::Reals(old), Memory::Reals(new)) => old.len() == new.len(),
            (Memory::Uints(old), Memory::Uints(new)) => old.len() == new.len(),
            _ => false,
        };
        if !fits {
            return Err(ComputeError::Buffer {
                buffer: format!("#{}", buffer.0),
                problem: "the new contents have another length or kind".into(),
            });
        }
        self.memory[buffer.0] = new;
        Ok(())
    }

    fn profile(&mut self, passes: Range<usize>) -> Result<Vec<Duration>, ComputeError> {
        Ok(passes
            .map(|index| {
                let start = Instant::now();
                if !self.is_unread(index) {
                    self.run_pass(index);
                }
                start.elapsed()
            })
            .collect())
    }

    fn describe(&self) -> String {
        let threads = rayon::current_num_threads();
        format!("CPU, {} thread{}, {}", threads, if threads == 1 { "" } else { "s" }, R::NAME)
    }
}
