//! Kernels, buffers, passes and the two backends that run them: nothing about physics.
//!
//! A step is a list of [`Pass`]es. A pass names a [`Kernel`], the buffers it touches and how many invocations
//! it wants; the list says nothing about where it runs. [`CpuExecutor`] calls each kernel's Rust twin,
//! [`GpuExecutor`] records each kernel's WGSL, and [`compare`] runs both in lock-step.

mod adapter;
mod buffers;
mod compare;
mod compose;
mod cpu;
mod error;
mod gpu;
mod image;
mod image_plan;
mod image_shader;
mod kernel;
mod passes;
mod pipeline;
mod reflect;

pub use adapter::{AdapterChoice, AdapterReport, Gpu, adapter_reports};
pub use buffers::{BufferId, Buffers, Data, Element, Role};
pub use compare::{Difference, compare_pass, compare_runs};
pub use compose::compose;
pub use cpu::{CpuExecutor, Order};
pub use error::ComputeError;
pub use gpu::GpuExecutor;
pub use kernel::{Access, Binding, Bound, Grain, Kernel, Shared};
pub use passes::{Dispatch, Launch, Pass, Passes, Run, dispatch};
pub use reflect::{Reflected, ReflectedBinding, reflect};

use std::time::Duration;

/// Runs a list of passes over a set of buffers.
pub trait Executor: Send {
    /// Runs ranges of the pass list in order, each as often as asked, and returns when all are done.
    fn execute(&mut self, runs: &[Run]) -> Result<(), ComputeError>;

    /// The contents of a buffer; f32 values widen without loss.
    fn read(&mut self, buffer: BufferId) -> Result<Data, ComputeError>;

    /// Replaces the contents of a buffer, which must keep its length.
    fn write(&mut self, buffer: BufferId, data: &Data) -> Result<(), ComputeError>;

    /// Runs one range once and returns the time of each of its passes.
    fn profile(&mut self, passes: std::ops::Range<usize>) -> Result<Vec<Duration>, ComputeError>;

    /// What runs the passes, for a user: an adapter's name, or the number of threads.
    fn describe(&self) -> String;

    /// The device and its buffers, when the state lives on one.
    fn gpu(&self) -> Option<&GpuExecutor> {
        None
    }

    /// The same, to have a buffer shown.
    fn gpu_mut(&mut self) -> Option<&mut GpuExecutor> {
        None
    }
}
