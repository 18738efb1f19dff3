//! Where a simulation runs.

use super::{Backend, Options, Precision};
use crate::compute::{ComputeError, CpuExecutor, Executor, Gpu, GpuExecutor, request_adapter_reports};
use crate::solver::{Cores, Solver};

/// A device, or the CPU.
#[derive(Clone)]
pub enum Place {
    /// On an open device, so that pictures can be drawn there from the state itself.
    Device(Box<Gpu>),
    Cpu(Precision),
}

impl Place {
    /// Where the options ask to run, and why it is the CPU if it need not have been.
    pub async fn choose(options: &Options) -> Result<(Self, Option<String>), ComputeError> {
        let cpu = Self::Cpu(options.precision);
        // A device has no f64: asking for it is asking for the CPU.
        let backend = match (options.backend, options.precision) {
            (Backend::Auto, Precision::F64) => Backend::Cpu,
            (backend, _) => backend,
        };
        if backend == Backend::Cpu {
            return Ok((cpu, None));
        }
        if backend == Backend::Auto
            && options.adapter.name.is_none()
            && let Some(best) = request_adapter_reports().await.first()
            && best.is_software()
        {
            let reason = format!(
                "the only adapter, {}, is software, which is slower; --backend gpu uses it",
                best.info.name
            );
            return Ok((cpu, Some(reason)));
        }
        match Gpu::request(&options.adapter).await {
            Ok(gpu) => Ok((Self::Device(Box::new(gpu)), None)),
            Err(ComputeError::NoAdapter(reason))
                if backend == Backend::Auto && options.adapter.name.is_none() =>
            {
                Ok((cpu, Some(reason)))
            }
            Err(error) => Err(error),
        }
    }

    /// What passes should be made for here.
    pub fn cores(&self) -> Cores {
        match self {
            Self::Device(_) => Cores::Many,
            Self::Cpu(_) => Cores::Few,
        }
    }

    /// The arithmetic: a device has f32 only.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Device(_) => Precision::F32,
            Self::Cpu(precision) => *precision,
        }
    }

    /// Puts a solver's buffers here.
    pub async fn executor(&self, solver: &Solver) -> Result<Box<dyn Executor>, ComputeError> {
        Ok(match self {
            Self::Device(gpu) => Box::new(GpuExecutor::prepare(gpu, &solver.buffers, &solver.passes).await?),
            Self::Cpu(Precision::F32) => Box::new(CpuExecutor::<f32>::new(&solver.buffers, &solver.passes)),
            Self::Cpu(Precision::F64) => Box::new(CpuExecutor::<f64>::new(&solver.buffers, &solver.passes)),
        })
    }

    /// Whether both are the same device, or the CPU in the same precision.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Device(a), Self::Device(b)) => a.device == b.device,
            (Self::Cpu(a), Self::Cpu(b)) => a == b,
            _ => false,
        }
    }
}
