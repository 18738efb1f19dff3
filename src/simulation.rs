//! A scene that runs: the library's front door.

use crate::compute::{
    AdapterChoice, ComputeError, CpuExecutor, Data, Executor, Gpu, GpuExecutor, adapter_reports,
};
use crate::model::measure::{Measures, measure};
use crate::model::{Model, ModelError};
use crate::particles::watch;
use crate::scene::{Expect, Scene};
use crate::solver::Solver;
use glam::DVec3;

/// Where a simulation runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best hardware adapter, or the CPU where there is none: it is faster than a software adapter.
    #[default]
    Auto,
    Gpu,
    Cpu,
}

/// The arithmetic of the CPU backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// What devices compute in.
    #[default]
    F32,
    /// The reference.
    F64,
}

/// How to run a scene.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub backend: Backend,
    pub precision: Precision,
    pub adapter: AdapterChoice,
}

impl Options {
    /// The CPU backend in a precision.
    pub fn cpu(precision: Precision) -> Self {
        Self { backend: Backend::Cpu, precision, ..Self::default() }
    }

    /// The GPU backend on the best adapter.
    pub fn gpu() -> Self {
        Self { backend: Backend::Gpu, ..Self::default() }
    }
}

/// What can go wrong with a simulation.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error(
        "step {step} (t = {time:.4} s): body `{body}`, particle {particle} {what}; \
         try more substeps, a smaller time_step or softer materials"
    )]
    BlewUp { step: u64, time: f64, body: String, particle: u32, what: &'static str },
}

/// A running scene.
pub struct Simulation {
    model: Model,
    solver: Solver,
    executor: Box<dyn Executor>,
    steps: u64,
    expect: Option<Expect>,
    /// Why the CPU is used although a GPU was not ruled out.
    fallback: Option<String>,
}

impl Simulation {
    /// Prepares a scene and puts its state on a backend.
    pub fn new(scene: &Scene, options: &Options) -> Result<Self, SimulationError> {
        let model = Model::new(scene)?;
        let mut simulation = Self::from_model(model, options)?;
        simulation.expect = scene.expect.clone();
        Ok(simulation)
    }

    /// Puts a prepared model on a backend.
    pub fn from_model(model: Model, options: &Options) -> Result<Self, SimulationError> {
        let solver = Solver::new(&model)?;
        let (executor, fallback) = executor(&solver, options)?;
        Ok(Self { model, solver, executor, steps: 0, expect: None, fallback })
    }

    /// Advances by one step.
    pub fn step(&mut self) -> Result<(), SimulationError> {
        self.advance(1)
    }

    /// Advances by a number of steps without looking in between, then checks that nothing blew up.
    pub fn advance(&mut self, steps: u32) -> Result<(), SimulationError> {
        self.executor.execute(&self.solver.steps(steps))?;
        self.steps += u64::from(steps);
        self.check_watch()
    }

    fn check_watch(&mut self) -> Result<(), SimulationError> {
        let Some(report) = watch::Report::read(&self.executor.read(self.solver.watch)?) else {
            return Ok(());
        };
        let (particle, what) = match (report.lost, report.runaway) {
            (Some(lost), _) => (lost, "became non-finite"),
            (None, runaway) => (runaway.unwrap_or_default(), "ran away"),
        };
        let user = self.model.order.old_of_new.get(particle as usize).copied().unwrap_or_default();
        let body = self.model.body_of(particle);
        Err(SimulationError::BlewUp {
            step: self.steps,
            time: self.time(),
            body: body.map_or(String::new(), |body| body.name.clone()),
            particle: user - body.map_or(0, |body| body.particles.start),
            what,
        })
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.model.settings.time_step
    }

    /// Positions in the user's numbering [m].
    pub fn positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let x = self.model_positions()?;
        Ok(self.model.order.undo(&x))
    }

    /// Velocities in the user's numbering [m/s].
    pub fn velocities(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let v = self.model_velocities()?;
        Ok(self.model.order.undo(&v))
    }

    /// Positions in the model's numbering [m].
    pub fn model_positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        Ok(vectors(&self.executor.read(self.solver.positions)?))
    }

    /// Velocities in the model's numbering [m/s].
    pub fn model_velocities(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        Ok(vectors(&self.executor.read(self.solver.velocities)?))
    }

    /// The positions' buffer, if the state lives on this device: pictures are drawn straight from it.
    pub fn device_positions(&self, device: &wgpu::Device) -> Option<wgpu::Buffer> {
        let executor = self.executor.gpu()?;
        (executor.device().device == *device).then(|| executor.buffer(self.solver.positions).clone())
    }

    /// Energies, momenta and strains of the present state.
    pub fn measure(&mut self) -> Result<Measures, SimulationError> {
        let x = self.model_positions()?;
        let v = self.model_velocities()?;
        Ok(measure(&self.model, &x, &v))
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// What runs the passes.
    pub fn executor(&mut self) -> &mut dyn Executor {
        self.executor.as_mut()
    }

    /// What runs the passes, for a user.
    pub fn describe(&self) -> String {
        self.executor.describe()
    }

    /// Why the CPU is used although a GPU was not ruled out.
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// What the scene expects and the present state does not meet, a sentence each.
    pub fn unmet(&mut self) -> Result<Vec<String>, SimulationError> {
        let Some(expect) = self.expect.clone() else { return Ok(Vec::new()) };
        let x = self.model_positions()?;
        let measures = self.measure()?;
        Ok(crate::model::expectations::unmet(&self.model, &expect, &measures, &x))
    }
}

/// The xyz of a buffer of 4-vectors.
fn vectors(data: &Data) -> Vec<DVec3> {
    data.reals().chunks_exact(4).map(|c| DVec3::new(c[0], c[1], c[2])).collect()
}

/// The backend that the options ask for, and why it is the CPU if it need not have been.
pub fn executor(
    solver: &Solver,
    options: &Options,
) -> Result<(Box<dyn Executor>, Option<String>), ComputeError> {
    let cpu = || -> Box<dyn Executor> {
        match options.precision {
            Precision::F32 => Box::new(CpuExecutor::<f32>::new(&solver.buffers, &solver.passes)),
            Precision::F64 => Box::new(CpuExecutor::<f64>::new(&solver.buffers, &solver.passes)),
        }
    };
    // A device has no f64: asking for it is asking for the CPU.
    let backend = match (options.backend, options.precision) {
        (Backend::Auto, Precision::F64) => Backend::Cpu,
        (backend, _) => backend,
    };
    if backend == Backend::Cpu {
        return Ok((cpu(), None));
    }
    if backend == Backend::Auto
        && options.adapter.name.is_none()
        && let Some(best) = adapter_reports().first()
        && best.is_software()
    {
        let reason = format!("the only adapter, {}, is software, which is slower; --backend gpu uses it", best.info.name);
        return Ok((cpu(), Some(reason)));
    }
    match Gpu::open(&options.adapter) {
        Ok(gpu) => Ok((Box::new(GpuExecutor::new(&gpu, &solver.buffers, &solver.passes)?), None)),
        Err(ComputeError::NoAdapter(reason)) if backend == Backend::Auto && options.adapter.name.is_none() => {
            Ok((cpu(), Some(reason)))
        }
        Err(error) => Err(error),
    }
}
