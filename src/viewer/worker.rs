//! The thread that owns the simulation: takes commands between steps and publishes what can be seen.
//!
//! It keeps to the wall clock, times the speed the user chose; where the machine cannot keep up it runs as fast as it
//! can and forgets the arrears, so that a heavy scene is slow and not late.

use super::pick::{self, Picked, Ray};
use crate::compute::ComputeError;
use crate::constraints::grab::Hold;
use crate::export::ExportError;
use crate::model::measure::Measures;
use crate::render::{Overlays, RenderError, Renderer, Scalars, SceneDrawing, Stripes};
use crate::scene::{ColourBy, Scene};
use crate::solver::Solver;
use crate::{Place, Simulation, SimulationError};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time for which steps are done before a state is published.
const BATCH: Duration = Duration::from_millis(12);
/// Arrears that are made up for; more are forgotten [s].
const MOST_ARREARS: f64 = 0.05;
/// Time between two looks at energies and momenta.
const MEASURE_EVERY: Duration = Duration::from_millis(100);
/// Time between two profiles of a substep.
const PROFILE_EVERY: Duration = Duration::from_millis(500);
/// Radius of what a hand takes hold of, over the size of the body.
const HAND: f64 = 0.035;
/// Most particles in a hand.
const HAND_PARTICLES: usize = 64;
/// Distance, over the size of the body, at which a hand pulls with ten times the body's weight.
const HAND_REACH: f64 = 0.25;

/// What the main thread asks for.
pub enum Command {
    Load(Box<Load>),
    Play(bool),
    Step,
    /// Runs the next pass of the list and shows what it did.
    Pass,
    /// Back to the start, with nothing held.
    Reset,
    /// Simulated over real time.
    Speed(f64),
    Watch(Watch),
    Overlays(Overlays),
    Grab(Ray),
    /// Pulls what is held to a point [m].
    Drag(DVec3),
    Release,
    /// Pins the particle under the cursor where it is, or lets it go.
    Pin(Ray),
    Unpin,
    Measure,
    Residuals,
    Export(PathBuf),
}

/// A scene to run from now on.
pub struct Load {
    pub scene: Scene,
    pub place: Place,
    /// Whether to continue from the present state, if the bodies are the same.
    pub keep: bool,
    pub overlays: Overlays,
    /// Width over height of the picture.
    pub aspect: f32,
}

/// What is published besides positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    pub colour: ColourBy,
    pub range: Option<[f64; 2]>,
    pub measures: bool,
    pub profile: bool,
}

/// What the main thread is told.
pub enum Event {
    Loaded(Box<Loaded>),
    /// The drawing of the present scene with other overlays.
    Redrawn(Box<SceneDrawing>),
    /// A scene was refused; the one before stays.
    Refused(String),
    /// The simulation stopped.
    Stopped(String),
    /// The answer to a grab: where the body was met.
    Grabbed(Option<Picked>),
    Measured(f64, Measures),
    /// Times of the kernels of a substep [ms], in the order of the passes.
    Profiled(Vec<(&'static str, f64)>),
    /// Root mean square change of the offsets by each iteration [m].
    Residuals(Vec<f64>),
    /// The pass that ran, its number and how many there are.
    Pass(String, usize, usize),
    Note(String),
}

/// A scene that runs.
pub struct Loaded {
    pub drawing: SceneDrawing,
    /// The solver's own positions, if they live on the picture's device.
    pub positions: Option<wgpu::Buffer>,
    pub kept: bool,
    pub summary: Summary,
}

/// What a scene amounts to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub particles: usize,
    pub constraints: usize,
    pub passes: usize,
    /// Name, number of constraints and of colours of each family.
    pub families: Vec<(&'static str, u32, Option<usize>)>,
    pub bytes: u64,
    pub runs_on: String,
    pub advice: Vec<String>,
}

/// The state as it was last published.
#[derive(Default)]
pub struct Frame {
    pub serial: u64,
    /// [s].
    pub time: f64,
    pub steps: u64,
    /// Wall time of a step [s].
    pub step_seconds: f64,
    pub playing: bool,
    /// Whether the solver's own buffer on the picture's device holds what is to be seen.
    pub on_device: bool,
    /// Positions to upload, those of stripes included; taken by the main thread.
    pub positions: Option<Vec<[f32; 4]>>,
    pub scalars: Option<Scalars>,
    pub pins: usize,
}

/// The main thread's end of the line.
pub struct Worker {
    commands: Option<Sender<Command>>,
    pub events: Receiver<Event>,
    frame: Arc<Mutex<Frame>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. `wake` is called whenever something can be seen or heard.
    pub fn start(renderer: Arc<Renderer>, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (commands, received) = channel();
        let (events, sent) = channel();
        let frame = Arc::new(Mutex::new(Frame::default()));
        let state = State {
            renderer,
            events,
            frame: frame.clone(),
            wake: Box::new(wake),
            running: None,
            playing: true,
            speed: 1.0,
            watch: Watch { colour: ColourBy::Body, range: None, measures: false, profile: false },
            arrears: 0.0,
            clock: Instant::now(),
            step_seconds: 0.0,
            measured: Instant::now(),
            profiled: Instant::now(),
        };
        let thread =
            std::thread::Builder::new().name("simulation".into()).spawn(move || state.run(&received))?;
        Ok(Self { commands: Some(commands), events: sent, frame, thread: Some(thread) })
    }

    pub fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // A worker that is gone has already said why.
            let _ = commands.send(command);
        }
    }

    pub fn frame(&self) -> MutexGuard<'_, Frame> {
        self.frame.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // It ends after the step it is in; a panic there has been reported by the thread itself.
            let _ = thread.join();
        }
    }
}

/// What a hand holds: where each particle is relative to the point that the cursor took.
struct Grip {
    particles: Vec<(u32, DVec3)>,
    target: DVec3,
    compliance: f64,
}

struct Running {
    simulation: Simulation,
    scene: Scene,
    place: Place,
    stripes: Stripes,
    start: crate::checkpoint::State,
    grip: Option<Grip>,
    pins: Vec<Hold>,
    /// The next pass to run alone; `None` at the beginning of a step.
    pass: Option<(u32, usize)>,
    aspect: f32,
}

struct State {
    renderer: Arc<Renderer>,
    events: Sender<Event>,
    frame: Arc<Mutex<Frame>>,
    wake: Box<dyn Fn() + Send>,
    running: Option<Running>,
    playing: bool,
    speed: f64,
    watch: Watch,
    arrears: f64,
    clock: Instant,
    step_seconds: f64,
    measured: Instant,
    profiled: Instant,
}

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Export(#[from] ExportError),
}

impl From<ComputeError> for Problem {
    fn from(error: ComputeError) -> Self {
        Self::Simulation(error.into())
    }
}

impl State {
    fn run(mut self, commands: &Receiver<Command>) {
        loop {
            let wait = self.until_next_step();
            let received = match wait {
                Some(wait) => commands.recv_timeout(wait),
                None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(command) => {
                    let mut pending = vec![command];
                    pending.extend(commands.try_iter());
                    self.obey(pending);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.playing && self.running.is_some() {
                self.play();
            }
        }
    }

    /// How long nothing is to be done; `None` until the next command.
    fn until_next_step(&self) -> Option<Duration> {
        let running = self.running.as_ref().filter(|_| self.playing)?;
        let owed = self.arrears + self.clock.elapsed().as_secs_f64() * self.speed;
        let missing = (running.simulation.model().settings.time_step - owed) / self.speed;
        Some(Duration::try_from_secs_f64(missing.clamp(0.0, 1.0)).unwrap_or_default())
    }

    fn obey(&mut self, commands: Vec<Command>) {
        // Only the last of several loads and drags counts: a slider sends many.
        let last = |wanted: fn(&Command) -> bool| commands.iter().rposition(wanted);
        let last_load = last(|c| matches!(c, Command::Load(_)));
        let last_drag = last(|c| matches!(c, Command::Drag(_)));
        let mut keep = true;
        for (index, command) in commands.into_iter().enumerate() {
            let outdated = match &command {
                Command::Load(load) if last_load != Some(index) => {
                    keep &= load.keep;
                    true
                }
                Command::Drag(_) => last_drag != Some(index),
                _ => false,
            };
            if outdated {
                continue;
            }
            if let Err(problem) = self.command(command, keep) {
                self.stop(&problem);
            }
        }
        self.publish();
    }

    fn stop(&mut self, problem: &Problem) {
        self.playing = false;
        self.tell(Event::Stopped(problem.to_string()));
    }

    fn tell(&self, event: Event) {
        // The main thread may be gone; then nobody wants to know.
        let _ = self.events.send(event);
        (self.wake)();
    }

    fn command(&mut self, command: Command, keep: bool) -> Result<(), Problem> {
        match command {
            Command::Load(mut load) => {
                load.keep &= keep;
                self.load(*load);
                return Ok(());
            }
            Command::Play(playing) => {
                self.playing = playing;
                self.arrears = 0.0;
                self.clock = Instant::now();
                if playing {
                    self.finish_step()?;
                }
                return Ok(());
            }
            Command::Speed(speed) => {
                self.speed = speed.clamp(1e-3, 1e3);
                return Ok(());
            }
            Command::Watch(watch) => {
                self.watch = watch;
                return Ok(());
            }
            _ => {}
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        match command {
            Command::Step => {
                self.playing = false;
                if running.pass.is_some() {
                    self.finish_step()?
                } else {
                    self.step()?
                }
                self.look()?;
            }
            Command::Pass => self.single_pass()?,
            Command::Reset => {
                running.pass = None;
                running.grip = None;
                running.pins.clear();
                running.simulation.restore(&running.start)?;
                running.hold()?;
                self.look()?;
            }
            Command::Overlays(overlays) => {
                let (scene, model) = (&running.scene, running.simulation.model());
                let drawing = SceneDrawing::new(&self.renderer, scene, model, overlays, running.aspect)?;
                self.tell(Event::Redrawn(Box::new(drawing)));
            }
            Command::Grab(ray) => {
                let picked = running.pick(&ray)?;
                if let Some(picked) = &picked {
                    running.grab(picked)?;
                }
                self.tell(Event::Grabbed(picked));
            }
            Command::Drag(target) => {
                if let Some(grip) = &mut running.grip {
                    grip.target = target;
                }
                running.hold()?;
            }
            Command::Release => {
                running.grip = None;
                running.hold()?;
            }
            Command::Pin(ray) => {
                if let Some(picked) = running.pick(&ray)? {
                    running.toggle_pin(&picked)?;
                }
            }
            Command::Unpin => {
                running.pins.clear();
                running.hold()?;
            }
            Command::Measure => {
                let measures = running.simulation.measure()?;
                let time = running.simulation.time();
                self.tell(Event::Measured(time, measures));
            }
            Command::Residuals => {
                let residuals = running.residuals()?;
                self.look()?;
                self.tell(Event::Residuals(residuals));
            }
            Command::Export(path) => {
                super::edit::export(&mut running.simulation, &path)?;
                self.tell(Event::Note(format!("wrote {}", path.display())));
            }
            Command::Load(_) | Command::Play(_) | Command::Speed(_) | Command::Watch(_) => {}
        }
        Ok(())
    }

    fn load(&mut self, load: Load) {
        // Gravity, wind and damping change without building anything.
        if load.keep
            && let Some(running) = &mut self.running
            && running.place.is_same(&load.place)
            && only_surroundings_differ(&running.scene, &load.scene)
        {
            match running.simulation.set_surroundings(&load.scene) {
                Ok(true) => {
                    running.scene = load.scene;
                    return;
                }
                Ok(false) => {}
                Err(error) => return self.stop(&Problem::from(error)),
            }
        }
        match self.build(load) {
            Ok(loaded) => self.tell(Event::Loaded(Box::new(loaded))),
            Err(problem) => self.tell(Event::Refused(problem.to_string())),
        }
    }

    fn build(&mut self, load: Load) -> Result<Loaded, Problem> {
        let mut simulation = Simulation::interactive(&load.scene, &load.place)?;
        let start = simulation.state()?.clone();
        let mut pins = Vec::new();
        let mut kept = false;
        if load.keep
            && let Some(old) = &mut self.running
        {
            kept = simulation.take_over(&mut old.simulation)?;
            if kept {
                pins = renumbered(&old.pins, &old.simulation, &simulation);
            }
        }
        let aspect = load.aspect;
        let drawing =
            SceneDrawing::new(&self.renderer, &load.scene, simulation.model(), load.overlays, aspect)?;
        let stripes = drawing.stripes.clone();
        // Stripes are made on the host, so the particles go with them.
        let positions = simulation.device_positions(self.renderer.device()).filter(|_| stripes.is_empty());
        let loaded = Loaded { drawing, positions, kept, summary: summary(&simulation) };
        let (scene, place) = (load.scene, load.place);
        let mut running =
            Running { simulation, scene, place, stripes, start, grip: None, pins, pass: None, aspect };
        running.hold()?;
        self.running = Some(running);
        self.step_seconds = 0.0;
        self.arrears = 0.0;
        self.clock = Instant::now();
        Ok(loaded)
    }

    /// Does the steps that are due, for a while.
    fn play(&mut self) {
        let begin = Instant::now();
        self.arrears += (begin - self.clock).as_secs_f64() * self.speed;
        self.clock = begin;
        let mut stepped = false;
        while let Some(running) = &self.running {
            let time_step = running.simulation.model().settings.time_step;
            if self.arrears < time_step || (stepped && begin.elapsed() > BATCH) {
                break;
            }
            self.arrears -= time_step;
            if let Err(error) = self.step() {
                self.stop(&error);
                break;
            }
            stepped = true;
        }
        self.arrears = self.arrears.min(MOST_ARREARS);
        if stepped {
            if let Err(problem) = self.look() {
                self.stop(&problem);
            }
            self.publish();
        }
    }

    fn step(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let begin = Instant::now();
        running.simulation.step()?;
        let seconds = begin.elapsed().as_secs_f64();
        let fresh = if self.step_seconds == 0.0 { 1.0 } else { 0.1 };
        self.step_seconds += fresh * (seconds - self.step_seconds);
        Ok(())
    }

    /// Runs the passes that are left of a step under way.
    fn finish_step(&mut self) -> Result<(), Problem> {
        while self.running.as_ref().is_some_and(|running| running.pass.is_some()) {
            self.single_pass()?;
        }
        Ok(())
    }

    fn single_pass(&mut self) -> Result<(), Problem> {
        self.playing = false;
        let Some(running) = &mut self.running else { return Ok(()) };
        let (substep, pass) = running.pass.unwrap_or((0, 0));
        let solver: &Solver = running.simulation.solver();
        let (count, substeps, in_substep) = (solver.passes.list.len(), solver.substeps, solver.substep.end);
        let name = solver.passes.list[pass].kernel.name;
        running.simulation.run_pass(pass)?;
        let next = match pass + 1 {
            next if next < in_substep => Some((substep, next)),
            _ if pass < in_substep && substep + 1 < substeps => Some((substep + 1, 0)),
            next if next < count => Some((substep, next)),
            _ => None,
        };
        running.pass = next;
        if next.is_none() {
            running.simulation.count_step()?;
        }
        self.tell(Event::Pass(format!("{name}, substep {}", substep + 1), pass, count));
        Ok(())
    }

    /// Reads energies and kernel times if somebody watches them.
    fn look(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if self.watch.measures && self.measured.elapsed() > MEASURE_EVERY {
            let measures = running.simulation.measure()?;
            let time = running.simulation.time();
            self.measured = Instant::now();
            self.tell(Event::Measured(time, measures));
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        if self.watch.profile && self.profiled.elapsed() > PROFILE_EVERY && running.pass.is_none() {
            let times = running.simulation.profile_step()?;
            self.profiled = Instant::now();
            self.tell(Event::Profiled(times));
        }
        Ok(())
    }

    fn publish(&mut self) {
        if let Err(problem) = self.try_publish() {
            self.stop(&problem);
        }
        (self.wake)();
    }

    fn try_publish(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let simulation = &mut running.simulation;
        // Within a step the device holds positions and offsets apart; their sum goes through the host.
        let done = running.pass.map(|(_, next)| next).filter(|next| *next > 0);
        let on_device = done.is_none()
            && running.stripes.is_empty()
            && simulation.device_positions(self.renderer.device()).is_some();
        let positions = match (on_device, done) {
            (true, _) => None,
            (false, Some(next)) => Some(simulation.positions_after(next - 1)?),
            (false, None) => Some(simulation.model_positions()?),
        };
        let positions = match positions {
            Some(positions) => Some(running.stripes.pack(&positions, &simulation.frames()?)),
            None => None,
        };
        let mut scalars = Scalars::of(simulation, self.watch.colour, self.watch.range)?;
        if let Some(scalars) = &mut scalars {
            running.stripes.extend(&mut scalars.values);
        }
        let (time, steps, pins) = (simulation.time(), simulation.steps(), running.pins.len());
        let mut frame = self.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let serial = frame.serial + 1;
        let (step_seconds, playing) = (self.step_seconds, self.playing);
        *frame = Frame { serial, time, steps, step_seconds, playing, on_device, positions, scalars, pins };
        Ok(())
    }
}

impl Running {
    fn pick(&mut self, ray: &Ray) -> Result<Option<Picked>, SimulationError> {
        let x = self.simulation.model_positions()?;
        let v = self.simulation.model_velocities()?;
        let model = self.simulation.model();
        Ok(pick::hit(model, &x, ray).and_then(|hit| pick::describe(model, &x, &v, hit)))
    }

    /// Takes hold of what is near a point.
    fn grab(&mut self, picked: &Picked) -> Result<(), SimulationError> {
        let x = self.simulation.model_positions()?;
        let model = self.simulation.model();
        let body = &model.bodies[picked.body_index];
        let numbers = || body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
        let (low, high) = numbers().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), i| {
            (low.min(x[i as usize]), high.max(x[i as usize]))
        });
        let size = (high - low).length().max(f64::MIN_POSITIVE);
        let mut near: Vec<(u32, DVec3)> = numbers()
            .map(|i| (i, x[i as usize] - picked.point))
            .filter(|(i, away)| *i == picked.particle || away.length() < HAND * size)
            .collect();
        near.sort_by(|a, b| a.1.length().total_cmp(&b.1.length()));
        near.truncate(HAND_PARTICLES);
        let mass: f64 = numbers().map(|i| model.particles.masses[i as usize]).sum();
        let stiffness = 10.0 * mass * 9.81 / (HAND_REACH * size);
        let compliance = near.len() as f64 / stiffness;
        self.grip = Some(Grip { particles: near, target: picked.point, compliance });
        self.hold()
    }

    fn toggle_pin(&mut self, picked: &Picked) -> Result<(), SimulationError> {
        let pins = self.pins.len();
        self.pins.retain(|pin| pin.particle != picked.particle);
        if self.pins.len() == pins {
            self.pins.push(Hold { particle: picked.particle, target: picked.position, compliance: 0.0 });
        }
        self.hold()
    }

    /// Tells the solver what the user holds: pins first, they stay where they are.
    fn hold(&mut self) -> Result<(), SimulationError> {
        let mut holds = self.pins.clone();
        if let Some(grip) = &self.grip {
            holds.extend(grip.particles.iter().map(|&(particle, away)| Hold {
                particle,
                target: grip.target + away,
                compliance: grip.compliance,
            }));
        }
        self.simulation.hold(&holds)
    }

    fn residuals(&mut self) -> Result<Vec<f64>, SimulationError> {
        self.pass = None;
        self.simulation.iteration_residuals()
    }
}

/// Pins in the numbering of another simulation of the same bodies.
fn renumbered(pins: &[Hold], from: &Simulation, to: &Simulation) -> Vec<Hold> {
    let (from, to) = (&from.model().order, &to.model().order);
    let number = |particle: u32| to.new_of_old[from.old_of_new[particle as usize] as usize];
    pins.iter().map(|pin| Hold { particle: number(pin.particle), ..*pin }).collect()
}

/// Whether two scenes are the same but for what [`Simulation::set_surroundings`] changes.
fn only_surroundings_differ(old: &Scene, new: &Scene) -> bool {
    let with_surroundings = Scene {
        gravity: new.gravity,
        wind: new.wind.clone(),
        damping: new.damping,
        relaxation: new.relaxation,
        ..old.clone()
    };
    with_surroundings == *new
}

fn summary(simulation: &Simulation) -> Summary {
    let (model, solver) = (simulation.model(), simulation.solver());
    let families = solver.families.iter();
    Summary {
        particles: model.particle_count(),
        constraints: model.constraint_count(),
        passes: solver.substep.len() * solver.substeps as usize + solver.finish.len(),
        families: families
            .map(|family| (family.name, family.count, family.colours.map(|c| c.colour_count)))
            .collect(),
        bytes: solver.buffers.bytes(),
        runs_on: simulation.describe(),
        advice: crate::model::advice::advice(model),
    }
}
