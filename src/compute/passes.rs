//! The list of passes: what runs in which order, on either backend.

use super::error::ComputeError;
use super::kernel::{Access, Kernel};
use super::slots::Extent;
use super::tables::TableId;
use super::{ColumnId, Tables};
use crate::math::Real;
use std::ops::Range;
use std::sync::Arc;

/// The parameters of one pass, the uniform `launch` of every kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Launch<R> {
    /// The first element, for kernels that run over a range of a list.
    pub first: u32,
    /// The number of elements, one invocation each.
    pub count: u32,
    /// Which repetition this is: the iteration of a solver, the digit of a sort.
    pub index: u32,
    /// Bits whose meaning belongs to the kernel.
    pub flags: u32,
    /// Where the pass's part of a shared output begins.
    pub base: u32,
    /// A number whose meaning belongs to the kernel.
    pub weight: R,
    /// The time that the pass advances [s]; set from [`Passes::dt`] when it is added.
    pub dt: R,
}

impl<R> Launch<R> {
    /// One invocation for each of `count` elements.
    pub fn over(count: u32) -> Self
    where
        R: Real,
    {
        Self { first: 0, count, index: 0, flags: 0, base: 0, weight: R::ZERO, dt: R::ZERO }
    }

    /// One invocation for each element of a range.
    pub fn range(range: &Range<u32>) -> Self
    where
        R: Real,
    {
        Self { first: range.start, count: range.end - range.start, ..Self::over(0) }
    }
}

/// One entry of the list.
#[derive(Clone, Debug)]
pub struct Pass {
    pub kernel: &'static Kernel,
    pub launch: Launch<f64>,
    /// Twin calls: invocations or workgroups, by the kernel's grain.
    pub calls: u32,
    /// The buffers in the order of the kernel's declaration.
    pub buffers: Vec<ColumnId>,
    /// The rows that it takes, where the device counts them; `launch.count` and `calls` are then for as many as fit.
    pub extent: Option<Extent>,
    /// The table whose rows are counted once this pass has run.
    pub(super) resolves: Option<TableId>,
    /// Rounds of all loops of one invocation together, where a scene makes them long.
    pub walk: u32,
    /// Where the calls of each part of the model end, if the pass has been divided.
    pub parts: Option<Arc<[u32]>>,
    pub unread: Option<Unread>,
}

/// When nobody reads what a pass writes: once all of `count` whole numbers, each `stride` after the one before, are other than 0.
///
/// The CPU backend leaves such a pass out among others. A device, which the host does not ask inside a step, runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    pub column: ColumnId,
    pub stride: u32,
    pub count: u32,
}

impl Unread {
    /// Whether the numbers of the column say so.
    pub fn holds(&self, numbers: &[u32]) -> bool {
        numbers.iter().step_by(self.stride as usize).take(self.count as usize).all(|&number| number != 0)
    }
}

/// Invocations per row of a dispatch; the twin of `LAUNCH_ROW` in shaders/common/launch.wgsl.
pub(super) const LAUNCH_ROW: u32 = 0x20_0000;

/// A part of the list and how often to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub passes: Range<usize>,
    pub times: u32,
}

/// A list of passes under construction.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    pub list: Vec<Pass>,
    /// The time that passes added from now on advance [s]: the substep of their level.
    pub dt: f64,
    /// The slots of passes over counted rows, once the list is linked.
    pub(super) launches: Option<ColumnId>,
}

impl Passes {
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty list whose passes advance by `dt` [s].
    pub fn with_dt(dt: f64) -> Self {
        Self { dt, ..Self::default() }
    }

    /// Appends a kernel with one call per element; every binding is the buffer of that name.
    pub fn run(
        &mut self,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
    ) -> Result<(), ComputeError> {
        self.run_as(buffers, kernel, launch, &[])
    }

    /// As [`Passes::run`], with some bindings given buffers of other names: `(binding, buffer)`.
    pub fn run_as(
        &mut self,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        self.push(buffers, kernel, launch, launch.count, renamed)
    }

    /// Appends a kernel whose twin stands for a workgroup.
    pub fn run_groups(
        &mut self,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        groups: u32,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        self.push(buffers, kernel, launch, groups, renamed)
    }

    /// Says how many rounds the loops of one invocation of the last pass take together: software adapters refuse what
    /// they would not finish.
    pub fn note_walk(&mut self, rounds: u32) {
        if let Some(pass) = self.list.last_mut() {
            pass.walk = rounds;
        }
    }

    /// Promises that the calls of a pass keep to parts of the model: no call touches an element that calls of another
    /// part write, in this pass or in any other that is divided. `ends` has an entry per part.
    pub fn divide(&mut self, pass: usize, ends: impl IntoIterator<Item = u32>) {
        if let Some(pass) = self.list.get_mut(pass) {
            let ends: Arc<[u32]> = ends.into_iter().collect();
            debug_assert!(
                ends.is_sorted() && ends.last() == Some(&pass.calls),
                "{:?}: {ends:?}",
                pass.kernel
            );
            pass.parts = Some(ends);
        }
    }

    /// Says of all passes from `first` on when nobody reads what they write.
    pub fn note_unread(&mut self, first: usize, unread: Unread) {
        self.list.iter_mut().skip(first).for_each(|pass| pass.unread = Some(unread));
    }

    pub(super) fn push(
        &mut self,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        calls: u32,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        if calls == 0 {
            return Ok(());
        }
        let error = |binding: &str, problem: String| ComputeError::Binding {
            kernel: kernel.name.into(),
            binding: binding.into(),
            problem,
        };
        if let Some((binding, _)) =
            renamed.iter().find(|(binding, _)| !kernel.bindings.iter().any(|b| b.name == *binding))
        {
            return Err(error(binding, "the kernel has no such binding".into()));
        }
        let mut ids: Vec<ColumnId> = Vec::with_capacity(kernel.bindings.len());
        for binding in kernel.bindings {
            let name =
                renamed.iter().find(|(from, _)| *from == binding.name).map_or(binding.name, |(_, to)| to);
            let id = buffers.find(name).ok_or_else(|| {
                error(binding.name, format!("needs a buffer `{name}`, which does not exist"))
            })?;
            let element = buffers.element(id).name();
            if binding.access != Access::Uniform && binding.element != element {
                return Err(error(
                    binding.name,
                    format!("wants elements of `{}`, buffer `{name}` holds `{element}`", binding.element),
                ));
            }
            if let Some(other) = ids.iter().position(|&other| other == id) {
                let shared = [binding, &kernel.bindings[other]];
                if shared.iter().any(|b| matches!(b.access, Access::Write | Access::Atomic)) {
                    return Err(error(
                        binding.name,
                        format!(
                            "buffer `{name}` is also bound to `{}` and one of them writes",
                            shared[1].name
                        ),
                    ));
                }
            }
            ids.push(id);
        }
        let launch = Launch { dt: self.dt, ..launch };
        self.list.push(Pass {
            kernel,
            launch,
            calls,
            buffers: ids,
            extent: None,
            resolves: None,
            walk: 0,
            parts: None,
            unread: None,
        });
        Ok(())
    }
}
