//! The thread that owns the simulation: takes commands between steps and publishes what can be seen.
//!
//! It keeps to the wall clock, times the speed the user chose; where the machine cannot keep up it runs as fast as it
//! can and forgets the arrears, so that a heavy scene is slow and not late.

mod compare;
mod history;
mod load;
mod running;
mod save;
mod steps;
mod thread;

use super::pick::{Picked, Ray};
use crate::compute::ComputeError;
use crate::contact::ball_push::Sphere;
use crate::export::ExportError;
use crate::measure::Measures;
use crate::render::{FilmError, Overlays, Presented, RenderError, Renderer, SceneDrawing};
use crate::scene::{Checked, ColourBy, Scene, SceneError};
use crate::{Place, SimulationError};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thread::State;

/// What the main thread asks for.
pub enum Command {
    Load(Box<Load>),
    Play(bool),
    Step,
    /// Runs the next pass of the list and shows what it did.
    Pass,
    /// Back to the start, with nothing held.
    Reset,
    /// Back or forth to the moment of the last seconds that is nearest to a time [s].
    Scrub(f64),
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
    Export(PathBuf),
    /// Answers when all commands before it have been obeyed and can be seen.
    Echo,
    /// Where the user's ball is to be.
    Ball(Option<Sphere>),
    /// Compares the solvers from the present state on.
    Compare,
    /// Writes the scene as it runs, and its state.
    Save(PathBuf),
}

/// A scene to run from now on.
pub struct Load {
    pub scene: Scene,
    /// As it is in the file; where the scene has the same geometry, that is not made again.
    pub original: Checked,
    pub place: Place,
    /// Whether to continue from the present state, if the bodies are the same.
    pub keep: bool,
    pub overlays: Overlays,
}

/// What is published besides positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    pub colour: ColourBy,
    pub range: Option<[f64; 2]>,
    pub measures: bool,
    pub profile: bool,
    pub contacts: bool,
    /// Forces of what holds the bodies.
    pub forces: bool,
}

impl Watch {
    /// Nothing but positions.
    pub const NOTHING: Self = Self {
        colour: ColourBy::Body,
        range: None,
        measures: false,
        profile: false,
        contacts: false,
        forces: false,
    };

    /// Whether steps have to be looked into.
    pub fn looks_into_steps(&self) -> bool {
        self.contacts || self.colour == ColourBy::Error
    }
}

/// What the main thread is told.
pub enum Event {
    Loaded(Box<Loaded>),
    /// The drawing of the present scene with other overlays.
    Redrawn(Box<Numbered>),
    /// The model is another one now, because something was cut.
    Cut(Box<Summary>),
    /// A scene was refused; the one before stays.
    Refused(String),
    /// The simulation stopped.
    Stopped(String),
    /// The simulation goes on, and is not believable.
    Warned(String),
    /// The answer to a grab: where the body was met.
    Grabbed(Option<Picked>),
    Measured(f64, Measures),
    /// Times of the kernels of a substep [ms], in the order of the passes.
    Profiled(Vec<(&'static str, f64)>),
    /// The pass that ran, its number and how many there are.
    Pass(String, usize, usize),
    Note(String),
    Echo,
    /// How far each solver is from the solution after each iteration [m].
    Compared(Vec<(&'static str, Vec<f64>)>),
    /// The user lets go of a particle that the scene itself holds: body and number in it.
    Freed(String, u32),
}

/// A drawing and its number, by which frames refer to it.
pub struct Numbered {
    pub drawing: SceneDrawing,
    pub number: u64,
    /// The state it shows at first.
    pub presented: Presented,
}

/// A scene that runs.
pub struct Loaded {
    pub drawing: Numbered,
    pub kept: bool,
    pub summary: Summary,
}

/// What a scene amounts to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub particles: usize,
    pub constraints: usize,
    pub passes: usize,
    /// What colours can show, by the names of the fields.
    pub fields: Vec<&'static str>,
    /// Name, number of constraints and of colours of each family.
    pub families: Vec<(&'static str, u32, Option<usize>)>,
    /// Of the solver's buffers.
    pub bytes: u64,
    /// Names, in the model's order.
    pub bodies: Vec<String>,
    /// Particles of each body.
    pub body_particles: Vec<u32>,
    pub runs_on: String,
    pub advice: Vec<String>,
}

/// The state as it was last published.
#[derive(Default)]
pub struct Frame {
    pub serial: u64,
    /// The drawing that shows it.
    pub drawing: u64,
    /// [s].
    pub time: f64,
    pub steps: u64,
    /// Wall time of a step [s].
    pub step_seconds: f64,
    pub presented: Presented,
    pub pins: usize,
    /// Where particles touch something, and the way they are pushed [unit vector].
    pub contacts: Vec<[DVec3; 2]>,
    pub ball: Option<Sphere>,
    /// The numbers of what was last clicked, as they are now.
    pub picked: Option<Picked>,
    pub pull: Option<Pull>,
    pub forces: Vec<Force>,
    /// The times between which the user can go back and forth [s].
    pub past: Option<[f64; 2]>,
}

/// What a hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// Where it holds the body [m].
    pub from: DVec3,
    /// Where the cursor is [m].
    pub to: DVec3,
    /// [N].
    pub force: f64,
}

/// What something that holds bodies does to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// [m].
    pub at: DVec3,
    /// [N].
    pub force: DVec3,
    pub name: String,
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
        let state = State::new(renderer, events, frame.clone(), Box::new(wake));
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

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Scene(#[from] SceneError),
}

impl From<FilmError> for Problem {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Render(error) => error.into(),
            FilmError::Simulation(error) => error.into(),
        }
    }
}

impl From<ComputeError> for Problem {
    fn from(error: ComputeError) -> Self {
        Self::Simulation(error.into())
    }
}
