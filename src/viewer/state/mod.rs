//! What the window shows and what its user has set, without the window itself.

mod files;
mod hear;
mod mouse;

use super::camera::{OrbitCamera, Side};
use super::canvas::{Canvas, Shown};
use super::gallery::Gallery;
use super::graphics::Graphics;
use super::pick::Picked;
use super::plots::Plots;
use super::undo::Undo;
use super::watched_file::WatchedFile;
use super::worker::{Command, Force, Load, Pull, Summary, Watch, Worker};
use super::{Opened, Request};
use crate::compute::Gpu;
use crate::contact::ball_push::Sphere;
use crate::measure::Measures;
use crate::render::{
    Colouring, Legend, Look, Overlays, Presented, Quality, RenderError, SceneDrawing, Theme,
};
use crate::scene::{Checked, ColourBy, RodEnd, Scene};
use crate::{Backend, Place, Precision};
use egui::Rect;
pub use files::Record;
use files::Recording;
use glam::DVec3;
use mouse::Gesture;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long a note stays.
const NOTE: Duration = Duration::from_secs(5);
/// Simulated over real time in slow motion.
pub const SLOW_MOTION: f64 = 0.125;

/// The scene that is open.
pub struct Session {
    pub name: String,
    /// As it runs.
    pub scene: Scene,
    /// As it is in the file.
    pub original: Checked,
    pub file: Option<WatchedFile>,
    /// What the file says of itself: its opening comment.
    pub about: String,
}

/// What the worker last said about the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Status {
    pub serial: u64,
    pub time: f64,
    pub steps: u64,
    pub step_seconds: f64,
    pub playing: bool,
    pub pins: usize,
}

/// Everything the user interface shows and changes.
pub struct Viewer {
    pub worker: Worker,
    gpu: Gpu,
    pub session: Option<Session>,
    /// A scene that has been asked for and is not there yet.
    loading: Option<Session>,
    pub backend: Backend,
    pub precision: Precision,
    pub summary: Summary,
    pub drawing: Option<SceneDrawing>,
    /// By which frames refer to the drawing.
    drawing_number: u64,
    /// What the worker has made the drawing show.
    pub presented: Presented,
    pub camera: Option<OrbitCamera>,
    pub canvas: Canvas,
    pub theme: Theme,
    pub quality: Quality,
    pub overlays: Overlays,
    /// Where particles touch something, and the way they are pushed.
    pub contacts: Vec<[DVec3; 2]>,
    pub ball: Option<Sphere>,
    pub pull: Option<Pull>,
    pub forces: Vec<Force>,
    /// The times between which the user can go back and forth [s].
    pub past: Option<[f64; 2]>,
    /// Whether axes and a scale are drawn.
    pub axes: bool,
    pub undo: Undo,
    /// Radius of the ball over the size of the scene.
    pub ball_size: f64,
    /// Kind of file that a recording becomes.
    pub record_as: Record,
    pub watch: Watch,
    pub status: Status,
    pub speed: f64,
    pub show_panel: bool,
    pub show_help: bool,
    pub show_gallery: bool,
    pub error: Option<String>,
    note: Option<(String, Instant)>,
    pub selected: usize,
    pub picked: Option<Picked>,
    pub pass: Option<(String, usize, usize)>,
    pub plots: Plots,
    pub gallery: Gallery,
    gesture: Gesture,
    pub recording: Option<Recording>,
    screenshot: bool,
    /// Controls by name, where they were last drawn and in which part of the window they can be seen, for scripts.
    pub controls: HashMap<String, [Rect; 2]>,
    /// The part of the window that is being filled.
    pub filling: Rect,
    /// Where the picture was last drawn, in points.
    pub picture: Rect,
    /// The answer to a script that wants to print.
    pub measures: Option<(f64, Measures)>,
    pub save_name: String,
    /// Echoes that were asked of the worker and have not come yet.
    echoes_due: u32,
    /// The device was lost; its user has not yet said where to go on.
    pub lost_device: bool,
    /// Wall time of drawing a frame [s].
    pub frame_seconds: f64,
    /// Whether overlays fade in and notes are shown for a while; what a script sees does not depend on the clock.
    pub animated: bool,
}

impl Viewer {
    pub fn new(request: &Request, graphics: &Graphics, worker: Worker) -> Self {
        let software = graphics.gpu.report.is_software();
        let backend = match (request.backend, request.precision) {
            (Backend::Auto, Precision::F64) => Backend::Cpu,
            // A software adapter is slower than the CPU backend.
            (Backend::Auto, _) => {
                if software {
                    Backend::Cpu
                } else {
                    Backend::Gpu
                }
            }
            (backend, _) => backend,
        };
        Self {
            worker,
            gpu: graphics.gpu.clone(),
            session: None,
            loading: None,
            backend,
            precision: request.precision,
            summary: Summary::default(),
            drawing: None,
            drawing_number: 0,
            presented: Presented::default(),
            camera: None,
            canvas: Canvas::default(),
            theme: Theme::Dark,
            quality: if software { Quality::Draft } else { Quality::Normal },
            overlays: Overlays { ball: true, ..Overlays::default() },
            contacts: Vec::new(),
            ball: None,
            pull: None,
            forces: Vec::new(),
            past: None,
            axes: true,
            undo: Undo::default(),
            ball_size: 0.06,
            record_as: Record::Animation,
            watch: Watch::NOTHING,
            status: Status::default(),
            speed: 1.0,
            show_panel: true,
            show_help: false,
            show_gallery: request.scene.is_none(),
            error: None,
            note: None,
            selected: 0,
            picked: None,
            pass: None,
            plots: Plots::default(),
            gallery: Gallery::default(),
            gesture: Gesture::None,
            recording: None,
            screenshot: false,
            controls: HashMap::new(),
            filling: Rect::EVERYTHING,
            picture: Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::splat(1.0)),
            measures: None,
            save_name: String::new(),
            echoes_due: 0,
            lost_device: false,
            frame_seconds: 0.0,
            animated: true,
        }
    }

    /// Opens a scene; the one before stays until the new one is ready.
    pub fn open(&mut self, opened: Opened) {
        let Opened { name, scene, file } = opened;
        let about = files::about(&name, file.as_deref());
        let file = file.map(WatchedFile::new);
        self.watch.colour = scene.render.colour;
        self.watch.range = scene.render.range;
        self.worker.send(Command::Watch(self.watch));
        let session = Session { name, scene: scene.scene().clone(), original: scene, file, about };
        self.send_load(&session, false);
        self.loading = Some(session);
        self.show_gallery = false;
        self.error = None;
        self.play(true);
    }

    fn place(&self) -> Place {
        match self.backend {
            Backend::Cpu => Place::Cpu(self.precision),
            Backend::Gpu | Backend::Auto => Place::Device(Box::new(self.gpu.clone())),
        }
    }

    /// Width over height of the picture.
    pub fn aspect(&self) -> f32 {
        self.picture.width().max(1.0) / self.picture.height().max(1.0)
    }

    fn send_load(&self, session: &Session, keep: bool) {
        let (scene, original) = (session.scene.clone(), session.original.clone());
        let (place, overlays) = (self.place(), self.overlays);
        let load = Load { scene, original, place, keep, overlays };
        self.worker.send(Command::Load(Box::new(load)));
    }

    /// Runs the scene as the user has changed it, from the present state.
    pub fn apply_changes(&mut self) {
        if let Some(session) = &self.session {
            self.undo.change(&session.scene);
            self.send_load(session, true);
        }
    }

    /// Lets go of a particle that the scene holds, by changing the scene.
    pub(super) fn free_pin(&mut self, body: &str, number: u32) {
        let Some(session) = &mut self.session else { return };
        if let Some(pins) = session.scene.pins_mut(body) {
            pins.iter_mut()
                .filter(|pin| !pin.except.contains(&number))
                .for_each(|pin| pin.except.push(number));
        }
        let rod = session.scene.rod.iter_mut().find(|rod| rod.name == body);
        let nodes = self.summary.bodies.iter().zip(&self.summary.body_particles);
        let last = nodes.filter(|(name, _)| *name == body).map(|(_, count)| count.saturating_sub(1)).next();
        if let Some(rod) = rod {
            if number == 0 {
                rod.start = RodEnd { weight: rod.start.weight, ..RodEnd::default() };
            } else if Some(number) == last {
                rod.end = RodEnd { weight: rod.end.weight, ..RodEnd::default() };
            }
        }
        self.apply_changes();
        self.say(format!("particle {number} of {body} is free"));
        // Who waits for an echo waits for this change too.
        if self.echoes_due > 0 {
            self.ask_echo();
        }
    }

    /// Takes the last change back; the state stays.
    pub fn undo(&mut self) {
        let (Some(session), Some(earlier)) = (&mut self.session, self.undo.back()) else {
            return self.say("there is no change to take back");
        };
        session.scene = earlier;
        self.apply_changes();
    }

    /// Back to what the file says, as one change; the state stays.
    pub fn undo_all(&mut self) {
        if let Some(session) = &mut self.session {
            session.scene = session.original.scene().clone();
        }
        self.apply_changes();
    }

    /// Pauses at the moment of the last seconds that is nearest to a time.
    pub fn scrub(&mut self, time: f64) {
        self.status.playing = false;
        self.pass = None;
        self.worker.send(Command::Scrub(time));
    }

    pub fn play(&mut self, playing: bool) {
        self.status.playing = playing;
        self.pass = None;
        self.worker.send(Command::Play(playing));
    }

    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
        self.worker.send(Command::Speed(speed));
    }

    pub fn step(&mut self) {
        self.status.playing = false;
        self.pass = None;
        self.worker.send(Command::Step);
    }

    pub fn single_pass(&mut self) {
        self.status.playing = false;
        self.worker.send(Command::Pass);
    }

    pub fn reset(&mut self) {
        self.pass = None;
        self.picked = None;
        self.plots.clear();
        self.error = None;
        self.worker.send(Command::Reset);
    }

    pub fn set_overlays(&mut self, overlays: Overlays) {
        self.overlays = overlays;
        self.worker.send(Command::Overlays(overlays));
    }

    /// What colours can show of the scene, with the names of the buttons.
    pub fn colours(&self) -> Vec<(ColourBy, &'static str)> {
        let mut colours = vec![(ColourBy::Body, "body")];
        colours.extend(self.summary.fields.iter().map(|&name| (ColourBy::Field(name), name)));
        colours.push((ColourBy::Error, "error"));
        colours
    }

    pub fn set_watch(&mut self, watch: Watch) {
        self.watch = watch;
        self.worker.send(Command::Watch(watch));
    }

    pub fn frame_scene(&mut self) {
        if let (Some(camera), Some(drawing)) = (&mut self.camera, &self.drawing) {
            camera.frame(drawing.bounds);
        }
    }

    pub fn look_from(&mut self, side: Side) {
        if let (Some(camera), Some(drawing)) = (&mut self.camera, &self.drawing) {
            camera.look_from(side, drawing.bounds);
        }
    }

    pub fn say(&mut self, note: impl Into<String>) {
        self.note = Some((note.into(), Instant::now()));
    }

    /// What was last said, for a while.
    pub fn note(&self) -> Option<&str> {
        let is_fresh = |since: &Instant| self.animated && since.elapsed() < NOTE;
        self.note.as_ref().filter(|(_, since)| is_fresh(since)).map(|(note, _)| note.as_str())
    }

    /// What was last said, however long ago.
    pub fn last_note(&self) -> Option<&str> {
        self.note.as_ref().map(|(note, _)| note.as_str())
    }

    pub fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Draws the scene into its texture, and takes the pictures that were asked for. Returns how long this will do at most.
    pub fn draw(&mut self, graphics: &mut Graphics, pixels_per_point: f32) -> Result<Duration, RenderError> {
        let size = [self.picture.width(), self.picture.height()]
            .map(|side| ((side * pixels_per_point).round() as u32).clamp(1, 8192));
        self.canvas.fit(graphics, size)?;
        let (Some(drawing), Some(camera)) = (&mut self.drawing, &self.camera) else {
            return Ok(Duration::MAX);
        };
        let look = Look {
            theme: self.theme,
            quality: self.quality,
            colouring: self.presented.legend.as_ref().map_or(Colouring::Body, Legend::colouring),
            ..drawing.look
        };
        let mut wanted = Shown {
            size,
            camera: camera.lens(),
            look,
            serial: self.status.serial,
            positions: self.presented.own.clone(),
            has_scalars: self.presented.legend.is_some(),
        };
        let is_still = self.animated && !self.status.playing;
        let refined = if is_still { self.canvas.refine(&mut wanted) } else { None };
        self.canvas.draw(graphics, drawing, wanted)?;
        if std::mem::take(&mut self.screenshot)
            && let Some(image) = self.canvas.screenshot(graphics, drawing)?
        {
            self.save_picture(&image);
        }
        self.record(graphics)?;
        Ok(refined.unwrap_or(Duration::MAX))
    }

    /// Notes where a control is, for scripts.
    pub fn mark(&mut self, name: &str, rect: Rect) {
        self.controls.insert(name.into(), [rect, self.filling]);
    }

    /// Bytes that this program has on the picture's device, if the driver tells.
    pub fn device_memory(&self) -> Option<u64> {
        let report = self.gpu.device.generate_allocator_report()?;
        Some(report.total_allocated_bytes)
    }

    /// Asks to be told when the worker has obeyed all that was sent before.
    pub fn ask_echo(&mut self) {
        self.echoes_due += 1;
        self.worker.send(Command::Echo);
    }

    /// Whether everything sent to the worker before [`Viewer::ask_echo`] has been obeyed.
    pub fn is_echoed(&self) -> bool {
        self.echoes_due == 0
    }

    /// Goes on with another device after the old one was lost. What was on it is gone: the user chooses where the scene
    /// starts again.
    pub fn recover(&mut self, graphics: &Graphics, worker: Worker, reason: &str) {
        self.gpu = graphics.gpu.clone();
        self.worker = worker;
        self.gallery = Gallery::default();
        (self.drawing, self.presented) = (None, Presented::default());
        (self.canvas, self.status) = (Canvas::default(), Status::default());
        self.picked = None;
        self.set_watch(self.watch);
        self.set_speed(self.speed);
        // The old worker answers no more.
        if std::mem::take(&mut self.echoes_due) > 0 {
            self.ask_echo();
        }
        self.lost_device = self.session.is_some();
        self.error = Some(format!("{reason}; the scene can start again"));
    }

    /// Starts the scene again after its device was lost.
    pub fn restart_on(&mut self, backend: Backend) {
        self.backend = backend;
        (self.lost_device, self.error) = (false, None);
        if let Some(session) = self.session.take() {
            self.send_load(&session, false);
            self.loading = Some(session);
        }
        self.play(true);
    }
}
