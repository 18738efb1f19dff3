//! Kernels, buffers, passes and the two backends that run them: nothing about physics.
//!
//! A step is a list of [`Pass`]es. A pass names a [`Kernel`], the buffers it touches and how many invocations
//! it wants; the list says nothing about where it runs. [`CpuExecutor`] calls each kernel's Rust twin,
//! [`GpuExecutor`] records each kernel's WGSL, and [`compare`] runs both in lock-step.

mod adapter;
mod carry;
mod columns;
mod compare;
mod compose;
mod cpu;
mod error;
mod gpu;
mod kernel;
mod live;
mod passes;
mod pipeline;
mod read_back;
mod reflect;
pub mod resolve;
mod slots;
mod tables;
mod transaction;
mod upload;

pub use adapter::{AdapterChoice, AdapterReport, Gpu, adapter_reports, request_adapter_reports};
pub use carry::Carry;
pub use columns::{Column, ColumnId, Data, Element, Refers, Role};
pub use compare::{Difference, compare_buffer, compare_pass, compare_runs, written};
pub use compose::{compose, snippet};
pub use cpu::{CpuExecutor, Order};
pub use error::ComputeError;
pub use gpu::GpuExecutor;
pub(crate) use kernel::kernel;
pub use kernel::{Access, Binding, Bound, Disjoint, Grain, Kernel, Shared};
pub use passes::{Launch, Pass, Passes, Run, Unread};
pub use reflect::{Reflected, ReflectedBinding, reflect};
pub use slots::Extent;
pub use tables::{At, Rows, STATUS, Table, TableId, Tables, Wanted};
pub use transaction::Transaction;

use std::pin::Pin;
use std::time::Duration;

/// The kernels of this layer.
pub static KERNELS: &[&Kernel] = &[&resolve::KERNEL];

/// The contents of a column, when they are there.
pub type Fetched = Pin<Box<dyn Future<Output = Result<Data, ComputeError>>>>;

/// Runs a list of passes over a set of buffers.
///
/// Blocks where it says so and nowhere else. A device is opened by [`Gpu::request`], an executor built by [`GpuExecutor::prepare`]
/// and a buffer read by [`GpuExecutor::fetch`] without blocking, so that a browser can run the same code.
pub trait Executor: Send {
    /// Begins to run ranges of the pass list in order, each as often as asked. Does not wait for a device.
    fn submit(&mut self, runs: &[Run]) -> Result<(), ComputeError>;

    /// Blocks until all that was submitted is done.
    fn wait(&mut self) -> Result<(), ComputeError>;

    /// Submits and blocks until it is done.
    fn execute(&mut self, runs: &[Run]) -> Result<(), ComputeError> {
        self.submit(runs)?;
        self.wait()
    }

    /// Copies the state, where it is.
    fn keep(&mut self) -> Result<(), ComputeError>;

    /// Puts back the state that was last kept.
    fn revert(&mut self) -> Result<(), ComputeError>;

    /// Makes room for the capacities of these tables, which are those of the executor or larger. Contents stay.
    fn grow(&mut self, tables: &Tables) -> Result<(), ComputeError>;

    /// The contents of a buffer; f32 values widen without loss. Blocks until a device has got there.
    fn read(&mut self, buffer: ColumnId) -> Result<Data, ComputeError>;

    /// The same for whoever must not block: it is there once a device has got there, which [`Gpu::check`] looks for where no browser
    /// does.
    fn fetch(&mut self, buffer: ColumnId) -> Fetched {
        Box::pin(std::future::ready(self.read(buffer)))
    }

    /// Replaces the contents of a buffer, which must keep its length.
    fn write(&mut self, buffer: ColumnId, data: &Data) -> Result<(), ComputeError>;

    /// Runs one range once and returns the time of each of its passes. Blocks.
    fn profile(&mut self, passes: std::ops::Range<usize>) -> Result<Vec<Duration>, ComputeError>;

    /// What runs the passes, for a user: an adapter's name, or the number of threads.
    fn describe(&self) -> String;

    /// The device and its buffers, when the state lives on one.
    fn gpu(&self) -> Option<&GpuExecutor> {
        None
    }

    /// The same, to read copies of buffers.
    fn gpu_mut(&mut self) -> Option<&mut GpuExecutor> {
        None
    }
}
