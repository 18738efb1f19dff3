//! A scene that runs: the library's front door.

mod balance;
mod bodies;
mod cells;
mod digest;
mod drive;
mod epoch;
mod fields;
mod inspect;
mod interactive;
mod joins;
mod joints;
mod magnets;
mod place;
mod plausibility;
mod reactions;
mod rod_fields;
mod saving;
mod snapshot;
mod solid_fields;
mod touching;
mod transaction;

pub use balance::Imbalance;
pub use bodies::RunningBody;
pub use joins::JoinForce;
pub use magnets::Magnetism;
pub use place::Place;
pub use plausibility::{Plausibility, Warning};
pub use reactions::{Reaction, Support};

use crate::checkpoint::{CheckpointError, Led, State};
use crate::cloth::limits;
use crate::cloth::sheets::largest_violation;
use crate::compute::{AdapterChoice, ColumnId, ComputeError, Data, Executor};
use crate::contact::advice::settle_start;
use crate::contact::verify::Watcher;
use crate::integrate::MatrixReport;
use crate::integrate::setup::Iterations;
use crate::magnets::measure::energy as magnetic_energy;
use crate::math::Precision;
use crate::measure::expectations::interval;
use crate::measure::{Measures, measure};
use crate::model::rods::Rod;
use crate::model::{Model, ModelError};
use crate::particles::World;
use crate::rigid::measure::spin_energy;
use crate::rods::measure::FrameState;
use crate::scene::{Expect, Range, RodMethod, Scene, SolidModel, ToChecked};
use crate::solids::tet_turn;
use crate::solver::{Families, Solver};
use epoch::{Epoch, Handled, Setup};
use glam::{DQuat, DVec3};
use std::mem::offset_of;

/// Segments of a direct rod up to which f32 is good to 1 %, also of a stiff one.
const MOST_DIRECT_SEGMENTS: usize = 1000;

/// Where a simulation runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best hardware adapter, or the CPU where there is none: it is faster than a software adapter.
    #[default]
    Auto,
    Gpu,
    Cpu,
}

/// How to run a scene.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub backend: Backend,
    pub precision: Precision,
    pub adapter: AdapterChoice,
    /// The physics, in the order in which it acts.
    pub families: Families,
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
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("no body is called `{name}`; there are {known}")]
    NoBody { name: String, known: String },
    #[error("no pin and no collider is called `{name}`; there are {known}")]
    NothingToDrive { name: String, known: String },
    #[error(
        "`{name}` stands still; to be led by a program it needs a `motion` of two keyframes, such as [{{ time = 0 }}, {{ time = 1 }}]"
    )]
    Still { name: String },
    #[error("`{name}` cannot be led to a pose that is not finite, or whose rotation is no unit quaternion")]
    Pose { name: String },
    #[error("{given} velocities for a body of {count} particles; give each one, and finite ones")]
    Velocities { count: usize, given: usize },
    #[error("after step {step} (t = {time:.4} s): {source}")]
    Short { step: u64, time: f64, source: ComputeError },
    #[error("at the end of step {step} (t = {time:.4} s): {source}")]
    Cut { step: u64, time: f64, source: ModelError },
    #[error(
        "step {step} (t = {time:.4} s): body `{body}`, particle {particle} {what}; \
         try more substeps, a smaller time_step or softer materials"
    )]
    BlewUp { step: u64, time: f64, body: String, particle: u32, what: &'static str },
}

/// The buffers of a state on a device that pictures are made from.
#[derive(Clone, PartialEq)]
pub struct DeviceState {
    /// Positions, those of detailed surfaces last: `array<vec4<f32>>`, xyz [m].
    pub drawn: wgpu::Buffer,
    /// xyz [m/s].
    pub velocities: wgpu::Buffer,
    /// Two `vec4<f32>` for each frame of a rod: its orientation, and a small turn since in xyz.
    pub frames: Option<wgpu::Buffer>,
    /// The way that particles went in the last substep of a [`Simulation::watched_step`], before and after the last
    /// iteration: xyz [m].
    pub iterates: Option<[wgpu::Buffer; 2]>,
}

/// A running scene.
pub struct Simulation {
    epoch: Epoch,
    executor: Box<dyn Executor>,
    setup: Setup,
    handled: Handled,
    steps: u64,
    /// The state last read: all that remains of a run whose device is lost.
    last: Option<State>,
    expect: Option<Expect>,
    /// The worst violation of strain limits seen so far; nothing where nobody asks for it or no fabric has any.
    worst_violation: Option<f64>,
    /// Compares the state after each step with the one before, where somebody expects that nothing goes through anything.
    watcher: Option<Watcher>,
    /// Why the CPU is used although a GPU was not ruled out.
    fallback: Option<String>,
    inspected: inspect::Inspected,
    /// What a program leads, one entry for each name.
    led: Vec<Led>,
    /// What weighs the forces of pins and colliders, once somebody has asked for them.
    scale: Option<reactions::Scale>,
}

impl Simulation {
    /// Prepares a scene and puts its state on a backend. Blocks until it is there.
    pub fn new(scene: &impl ToChecked, options: &Options) -> Result<Self, SimulationError> {
        pollster::block_on(Self::prepare(scene, options))
    }

    /// As [`Simulation::new`], for whoever must not block. Blocks where the scene has a `start_from`.
    pub async fn prepare(scene: &impl ToChecked, options: &Options) -> Result<Self, SimulationError> {
        let scene = scene.to_checked().map_err(ModelError::from)?;
        let mut model = Model::new(&*scene)?;
        settle_start(&mut model)?;
        let mut simulation = Self::prepare_model(model, options).await?;
        simulation.expect = scene.expect.clone();
        if scene.expect.as_ref().is_some_and(|expect| expect.max_violation.is_some()) {
            simulation.watch_limits();
        }
        simulation.begin(&scene)?;
        if scene.expect.as_ref().is_some_and(|expect| expect.crossings.is_some()) {
            simulation.watch_crossings()?;
        }
        Ok(simulation)
    }

    /// Puts a prepared model on a backend. Blocks until it is there.
    pub fn from_model(model: Model, options: &Options) -> Result<Self, SimulationError> {
        pollster::block_on(Self::prepare_model(model, options))
    }

    async fn prepare_model(model: Model, options: &Options) -> Result<Self, SimulationError> {
        let (place, fallback) = Place::choose(options).await?;
        let setup = Setup { place, families: options.families.clone(), is_interactive: false };
        Ok(Self { fallback, ..Self::begin_on(setup, model).await? })
    }

    async fn begin_on(setup: Setup, model: Model) -> Result<Self, SimulationError> {
        let (epoch, executor) = setup.prepare(0, model).await?;
        Ok(Self {
            epoch,
            executor,
            setup,
            handled: Handled::default(),
            steps: 0,
            last: None,
            expect: None,
            worst_violation: None,
            watcher: None,
            fallback: None,
            inspected: Default::default(),
            led: Vec::new(),
            scale: None,
        })
    }

    /// Puts the state that a scene begins with, if it names one.
    fn begin(&mut self, scene: &Scene) -> Result<(), SimulationError> {
        scene.start_from.as_ref().map_or(Ok(()), |file| self.resume(file))
    }

    /// Looks at where steps have led: whether anything blew up, how far strains are beyond their limits, and what broke.
    fn look(&mut self, status: &Data) -> Result<(), SimulationError> {
        self.check_alarms(status)?;
        if let Some(worst) = self.worst_violation {
            let x = self.model_positions()?;
            self.worst_violation = Some(worst.max(largest_violation(&self.epoch.model, &x)));
        }
        self.cut(status)?;
        self.release_tangles()?;
        self.look_for_crossings()
    }

    /// From now on looks at strain limits after every [`Simulation::advance`], where a fabric has any. Costs a copy of the
    /// positions from the device each time.
    pub fn watch_limits(&mut self) {
        if self.worst_violation.is_none() && self.epoch.model.has_strain_limits() {
            self.worst_violation = Some(0.0);
        }
    }

    /// The largest strain by which any triangle was beyond its limits at the end of any [`Simulation::advance`] since
    /// [`Simulation::watch_limits`]; nothing without either.
    pub fn worst_violation(&self) -> Option<f64> {
        self.worst_violation
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.epoch.model.settings.time_step
    }

    /// Positions in the user's numbering [m].
    pub fn positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let x = self.model_positions()?;
        Ok(self.epoch.model.order.undo(&x))
    }

    /// Velocities in the user's numbering [m/s].
    pub fn velocities(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let v = self.model_velocities()?;
        Ok(self.epoch.model.order.undo(&v))
    }

    /// Positions in the model's numbering [m].
    pub fn model_positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        Ok(vectors(&self.executor.read(self.epoch.solver.positions)?))
    }

    /// Velocities in the model's numbering [m/s].
    pub fn model_velocities(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        Ok(vectors(&self.executor.read(self.epoch.solver.velocities)?))
    }

    /// The state's buffers, if it lives on this device: pictures are drawn straight from them.
    pub fn device_state(&self, device: &wgpu::Device) -> Option<DeviceState> {
        let executor = self.executor.gpu().filter(|executor| executor.device().device == *device)?;
        let buffer = |id| executor.buffer(id).clone();
        Some(DeviceState {
            drawn: buffer(self.epoch.solver.drawn.unwrap_or(self.epoch.solver.positions)),
            velocities: buffer(self.epoch.solver.velocities),
            frames: self.epoch.solver.buffers.find("frames").map(buffer),
            iterates: self.inspected.iterates(),
        })
    }

    /// Vertices of the detailed surfaces, in the order of [`crate::model::skins::Skins`] [m].
    pub fn skin_positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let Some(drawn) = self.epoch.solver.drawn else { return Ok(Vec::new()) };
        let all = vectors(&self.executor.read(drawn)?);
        Ok(all[self.epoch.model.particle_count()..].to_vec())
    }

    /// Iterations of the implicit integrators so far; nothing where none is used.
    pub fn iterations(&mut self) -> Result<Option<Iterations>, SimulationError> {
        self.read_iterations(Iterations::of_gradients(&self.epoch.solver.buffers))
    }

    /// The matrix of the implicit integrators, its levels and how far its last solve came; nothing where none is put together.
    pub fn matrix(&mut self) -> Result<Option<MatrixReport>, SimulationError> {
        let Some(scalars) = MatrixReport::scalars(&self.epoch.solver.buffers) else { return Ok(None) };
        let scalars = self.executor.read(scalars)?;
        Ok(Some(MatrixReport::new(&self.epoch.solver.buffers, &scalars)))
    }

    /// Iterations of the strain limits so far; nothing where there are none.
    pub fn limit_iterations(&mut self) -> Result<Option<Iterations>, SimulationError> {
        self.read_iterations(self.epoch.solver.buffers.find(limits::COUNTS))
    }

    /// Iterations on what fields magnetise so far; nothing where there is nothing of that kind.
    pub fn induction_iterations(&mut self) -> Result<Option<Iterations>, SimulationError> {
        self.read_iterations(self.epoch.solver.buffers.find(crate::magnets::INDUCTION_COUNTS))
    }

    /// Triangles that the strain limits have visited so far, in all iterations.
    pub fn limit_visits(&mut self) -> Result<u64, SimulationError> {
        let Some(buffer) = self.epoch.solver.buffers.find(limits::COUNTS) else { return Ok(0) };
        let counts = self.executor.read(buffer)?;
        let settings = &self.epoch.model.settings;
        let substeps = self.steps * u64::from(settings.substeps);
        Ok(limits::visits(&self.epoch.model, &counts, substeps))
    }

    /// Solvers that ran out of iterations.
    pub fn warnings(&mut self) -> Result<Vec<Warning>, SimulationError> {
        let settings = &self.epoch.model.settings;
        let (gradients, limiting) = (settings.conjugate_gradients, settings.strain_limiting);
        let (time, substeps) = (self.time(), self.steps * u64::from(settings.substeps));
        let mut warnings = Vec::new();
        if let Some(count) = self.iterations()?.map(|i| i.unfinished).filter(|&count| count > 0) {
            warnings.push(Warning {
                time,
                bodies: self.bodies_with(|model, body| {
                    !model.elements[body].membranes.is_empty()
                        || !model.tets_of(body, SolidModel::has_forces).is_empty()
                }),
                problem: format!(
                    "conjugate gradients ran out of their {} iterations in {count} of {substeps} substeps, and bodies were \
                     softer than they should be",
                    gradients.iterations
                ),
                cure: "raise `iterations` in `solver = { … }` or `substeps`".into(),
            });
        }
        if let Some(count) = self.limit_iterations()?.map(|i| i.unfinished).filter(|&count| count > 0) {
            warnings.push(Warning {
                time,
                bodies: self.bodies_with(|model, body| !model.elements[body].membranes.is_empty()),
                problem: format!(
                    "strain limits ran out of their {} iterations in {count} of {substeps} substeps, and some triangle was \
                     more than {} of strain beyond them",
                    limiting.iterations, limiting.tolerance
                ),
                cure: "raise `strain_limiting.iterations` or `substeps`".into(),
            });
        }
        warnings.extend(self.long_rods());
        Ok(warnings)
    }

    /// Direct rods of more segments than f32 bears.
    fn long_rods(&self) -> Option<Warning> {
        let model = &self.epoch.model;
        let is_long = |rod: &&Rod| rod.method == RodMethod::Direct && rod.frames.len() > MOST_DIRECT_SEGMENTS;
        let is_exact = self.setup.place.precision() == Precision::F64;
        let long: Vec<&Rod> = model.rods.rods.iter().filter(is_long).filter(|_| !is_exact).collect();
        let longest = long.iter().map(|rod| rod.frames.len()).max()?;
        let mut bodies: Vec<String> =
            long.iter().map(|rod| model.bodies[rod.body as usize].name.clone()).collect();
        bodies.dedup();
        Some(Warning {
            time: self.time(),
            bodies,
            problem: format!(
                "`method = \"direct\"` with {longest} segments in one rod is beyond what f32 solves to 1 % (some 1,000 of a stiff rod)"
            ),
            cure: "use fewer segments, or `--precision f64`, which is right to 0.03 % with 3,000".into(),
        })
    }

    /// Names of the bodies whose elements are of a kind.
    fn bodies_with(&self, kind: impl Fn(&Model, usize) -> bool) -> Vec<String> {
        let model = &self.epoch.model;
        let bodies = model.bodies.iter().enumerate();
        bodies.filter(|(k, _)| kind(model, *k)).map(|(_, body)| body.name.clone()).collect()
    }

    fn read_iterations(&mut self, buffer: Option<ColumnId>) -> Result<Option<Iterations>, SimulationError> {
        let Some(buffer) = buffer else { return Ok(None) };
        Ok(Some(Iterations::read(&self.executor.read(buffer)?)))
    }

    /// Energies, momenta and strains of the present state.
    pub fn measure(&mut self) -> Result<Measures, SimulationError> {
        let positions = self.executor.read(self.epoch.solver.positions)?;
        // Pins that have let go have their mass back, so the masses are those of the state.
        let inverse_masses: Vec<f64> = positions.reals().chunks_exact(4).map(|c| c[3]).collect();
        let (v, frames, x) = (self.model_velocities()?, self.frames()?, vectors(&positions));
        let mut measures = measure(&self.epoch.model, &x, &v, &inverse_masses);
        measures.add_rods(&self.epoch.model, &x, &frames);
        measures.add_spins(spin_energy(&self.epoch.model, &frames));
        self.add_cells(&mut measures, &x, &frames)?;
        measures.magnetic_energy = magnetic_energy(&self.epoch.model, &x, &frames, self.time());
        measures.switches = self.switches()?;
        measures.elastic_energy += self.joints()?.iter().map(|joint| joint.energy).sum::<f64>();
        let model = &self.epoch.model;
        measures.elastic_energy += model.joins.anchor_energy(&model.rigid, &x, &frames.orientations);
        Ok(measures)
    }

    /// How often inverted tetrahedra have changed the stretch along which they are inverted, since the start.
    fn switches(&mut self) -> Result<u64, SimulationError> {
        let Some(memories) = self.epoch.solver.buffers.find("tet_memories") else { return Ok(0) };
        Ok(tet_turn::switches(self.executor.read(memories)?.uints()))
    }

    /// Orientations and spins of the rods' frames, in the model's order; empty without rods.
    pub fn frames(&mut self) -> Result<FrameState, SimulationError> {
        let buffers = &self.epoch.solver.buffers;
        let [Some(frames), Some(spins)] = ["frames", "spins"].map(|name| buffers.find(name)) else {
            return Ok(FrameState::default());
        };
        let frames = self.executor.read(frames)?;
        let orientations = frames.reals().chunks_exact(8).map(|pair| {
            let turn = DQuat::from_xyzw(pair[4], pair[5], pair[6], 1.0);
            (DQuat::from_slice(pair) * turn).normalize()
        });
        Ok(FrameState { orientations: orientations.collect(), spins: vectors(&self.executor.read(spins)?) })
    }

    pub fn model(&self) -> &Model {
        &self.epoch.model
    }

    pub fn solver(&self) -> &Solver {
        &self.epoch.solver
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
        let mut measures = self.measure()?;
        measures.limit_violation = measures.limit_violation.max(self.worst_violation.unwrap_or(0.0));
        let mut unmet = crate::measure::expectations::unmet(&self.epoch.model, &expect, &measures, &x);
        self.unmet_reactions(&expect.reaction, &mut unmet)?;
        self.unmet_touching(&expect, &mut unmet)?;
        let at_most = |limit: Option<f64>| Range { max: limit.unwrap_or(f64::INFINITY), ..Range::ALL };
        let measured = [
            ("held_back", "max_held", at_most(expect.max_held)),
            ("contacts", "contacts", expect.contacts),
            ("contact_force", "contact_force", expect.contact_force),
            ("pieces", "pieces", expect.pieces),
        ];
        unmet.extend(self.unmet_measures(&measured)?);
        unmet.extend(self.unmet_joints(&expect)?);
        unmet.extend(self.unmet_bodies(&expect)?);
        unmet.extend(self.unmet_fields(&expect)?);
        Ok(unmet)
    }

    /// What families measure outside of ranges: the measure's name, the key's, and the range. A measure that the scene has not is 0.
    fn unmet_measures(&mut self, wanted: &[(&str, &str, Range)]) -> Result<Vec<String>, SimulationError> {
        if wanted.iter().all(|(_, _, range)| *range == Range::ALL) {
            return Ok(Vec::new());
        }
        let measures = self.family_measures()?;
        let value =
            |name: &str| measures.iter().find(|found| found.name == name).map_or(0.0, |found| found.value);
        let unmet = wanted
            .iter()
            .filter(|(name, _, range)| !range.contains(value(name)))
            .map(|(name, key, range)| format!("{key} is {:.6e}, expected {}", value(name), interval(*range)));
        Ok(unmet.collect())
    }
}

/// The place of `start` among the values of `world`.
const WORLD_START: usize = offset_of!(World<f64>, start) / size_of::<f64>();

/// The xyz of a buffer of 4-vectors.
fn vectors(data: &Data) -> Vec<DVec3> {
    data.reals().chunks_exact(4).map(|c| DVec3::new(c[0], c[1], c[2])).collect()
}
