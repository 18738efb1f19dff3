//! What the window shows and what its user has set, without the window itself.

use super::camera::{OrbitCamera, Side};
use super::canvas::{Canvas, Shown};
use super::gallery::Gallery;
use super::graphics::Graphics;
use super::pick::Picked;
use super::plots::Plots;
use super::watched_file::WatchedFile;
use super::worker::{Command, Event, Load, Loaded, Summary, Watch, Worker};
use super::{Opened, Request};
use crate::compute::Gpu;
use crate::export::{Image, write_png};
use crate::model::measure::Measures;
use crate::render::{Colouring, Look, Overlays, Quality, RenderError, Scalars, SceneDrawing, Theme};
use crate::scene::{ClothModel, ColourBy, Scene};
use crate::{Backend, Place, Precision};
use egui::Rect;
use glam::{DVec3, Vec2};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a note stays.
const NOTE: Duration = Duration::from_secs(5);
/// Simulated over real time in slow motion.
pub const SLOW_MOTION: f64 = 0.125;

/// What the mouse is doing to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gesture {
    None,
    /// Pressed; what is under the cursor is not known yet. Holds the drag so far, in points.
    Asked(Vec2),
    Orbit,
    Pan,
    /// Pulls in the plane through this point [m].
    Pull(DVec3),
}

/// The scene that is open.
pub struct Session {
    pub name: String,
    /// As it runs.
    pub scene: Scene,
    /// As it is in the file.
    pub original: Scene,
    pub file: Option<WatchedFile>,
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

/// Frames being written as PNG files.
pub struct Recording {
    pub folder: PathBuf,
    pub frames: u64,
    /// Steps at the last frame.
    steps: Option<u64>,
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
    device_positions: Option<wgpu::Buffer>,
    on_device: bool,
    pub camera: Option<OrbitCamera>,
    pub canvas: Canvas,
    pub theme: Theme,
    pub quality: Quality,
    pub overlays: Overlays,
    pub watch: Watch,
    pub scalars: Option<Scalars>,
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
    /// Controls by name, where they were last drawn, for scripts.
    pub controls: HashMap<String, Rect>,
    /// Where the picture was last drawn, in points.
    pub picture: Rect,
    /// The answer to a script that wants to print.
    pub measures: Option<(f64, Measures)>,
    pub save_name: String,
}

impl Viewer {
    pub fn new(request: &Request, graphics: &Graphics, worker: Worker, gallery: Gallery) -> Self {
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
            device_positions: None,
            on_device: false,
            camera: None,
            canvas: Canvas::default(),
            theme: Theme::Dark,
            quality: if software { Quality::Draft } else { Quality::Normal },
            overlays: Overlays::default(),
            watch: Watch { colour: ColourBy::Body, range: None, measures: false, profile: false },
            scalars: None,
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
            gallery,
            gesture: Gesture::None,
            recording: None,
            screenshot: false,
            controls: HashMap::new(),
            picture: Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::splat(1.0)),
            measures: None,
            save_name: String::new(),
        }
    }

    /// Opens a scene; the one before stays until the new one is ready.
    pub fn open(&mut self, opened: Opened) {
        let Opened { name, scene, file } = opened;
        let file = file.map(WatchedFile::new);
        self.watch.colour = scene.render.colour;
        self.watch.range = scene.render.range;
        self.worker.send(Command::Watch(self.watch));
        let session = Session { name, original: scene.clone(), scene, file };
        self.send_load(&session.scene, false);
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

    fn aspect(&self) -> f32 {
        self.picture.width().max(1.0) / self.picture.height().max(1.0)
    }

    fn send_load(&self, scene: &Scene, keep: bool) {
        let (scene, place, overlays) = (scene.clone(), self.place(), self.overlays);
        let load = Load { scene, place, keep, overlays, aspect: self.aspect() };
        self.worker.send(Command::Load(Box::new(load)));
    }

    /// Runs the scene as the user has changed it, from the present state.
    pub fn apply_changes(&mut self) {
        if let Some(session) = &self.session {
            self.send_load(&session.scene, true);
        }
    }

    /// Back to what the file says; the state stays.
    pub fn undo_changes(&mut self) {
        if let Some(session) = &mut self.session {
            session.scene = session.original.clone();
        }
        self.apply_changes();
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
        let mut colours =
            vec![(ColourBy::Body, "body"), (ColourBy::Velocity, "speed"), (ColourBy::Strain, "strain")];
        let Some(session) = &self.session else { return colours };
        if !session.scene.solid.is_empty() {
            colours.extend([(ColourBy::Stress, "stress"), (ColourBy::Energy, "energy")]);
        }
        if !(session.scene.rod.is_empty() && session.scene.net.is_empty()) {
            colours.extend([(ColourBy::Bend, "bend"), (ColourBy::Twist, "twist")]);
        }
        if session.scene.cloth.iter().any(|cloth| cloth.model != ClothModel::Net) {
            colours.extend([(ColourBy::Weft, "weft"), (ColourBy::Warp, "warp"), (ColourBy::Shear, "shear")]);
        }
        colours
    }

    pub fn set_watch(&mut self, watch: Watch) {
        self.watch = watch;
        self.worker.send(Command::Watch(watch));
    }

    pub fn frame_scene(&mut self) {
        let aspect = self.aspect();
        if let (Some(camera), Some(drawing)) = (&mut self.camera, &self.drawing) {
            camera.frame(drawing.bounds, aspect);
        }
    }

    pub fn look_from(&mut self, side: Side) {
        let aspect = self.aspect();
        if let (Some(camera), Some(drawing)) = (&mut self.camera, &self.drawing) {
            camera.look_from(side, drawing.bounds, aspect);
        }
    }

    pub fn take_screenshot(&mut self) {
        self.screenshot = true;
    }

    pub fn say(&mut self, note: impl Into<String>) {
        self.note = Some((note.into(), Instant::now()));
    }

    /// What was last said, for a while.
    pub fn note(&self) -> Option<&str> {
        self.note.as_ref().filter(|(_, since)| since.elapsed() < NOTE).map(|(note, _)| note.as_str())
    }

    pub fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Hears what the worker and the gallery have to say.
    pub fn listen(&mut self) {
        while let Ok(event) = self.worker.events.try_recv() {
            self.hear(event);
        }
        self.gallery.listen();
        self.take_frame();
    }

    /// Reads the file again if it was saved; returns whether it was.
    pub fn look_at_file(&mut self) -> bool {
        let file = self.session.as_mut().and_then(|session| session.file.as_mut());
        let Some(path) = file.and_then(|file| file.changed().then(|| file.path.clone())) else {
            return false;
        };
        self.reload(&path);
        true
    }

    fn reload(&mut self, path: &std::path::Path) {
        match Scene::load(path) {
            Ok(scene) => {
                self.error = None;
                if let Some(session) = &mut self.session {
                    session.original = scene.clone();
                    session.scene = scene.clone();
                }
                self.send_load(&scene, false);
                self.say("the file was saved: started again");
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Loaded(loaded) => {
                let Loaded { mut drawing, positions, kept, summary } = *loaded;
                let fresh = self.loading.take();
                if !kept {
                    self.plots.clear();
                    self.picked = None;
                    self.pass = None;
                }
                if let Some(session) = fresh {
                    self.theme = drawing.look.theme;
                    self.selected = 0;
                    self.save_name = format!("{}_changed.toml", session.name);
                    self.session = Some(session);
                    self.camera = None;
                }
                if self.camera.is_none() {
                    self.camera = Some(OrbitCamera::new(drawing.camera));
                }
                if let Some(old) = self.drawing.take().filter(|_| kept) {
                    (drawing.positions, drawing.scalars) = (old.positions, old.scalars);
                }
                self.device_positions = positions;
                self.drawing = Some(drawing);
                self.summary = summary;
                self.canvas.invalidate();
            }
            Event::Redrawn(mut drawing) => {
                if let Some(old) = self.drawing.take() {
                    // The same particles: what was uploaded is still to be seen.
                    (drawing.positions, drawing.scalars) = (old.positions, old.scalars);
                }
                self.drawing = Some(*drawing);
                self.canvas.invalidate();
            }
            Event::Refused(message) => {
                self.loading = None;
                self.error = Some(message);
            }
            Event::Stopped(message) => {
                self.status.playing = false;
                self.error = Some(message);
            }
            Event::Grabbed(picked) => self.grabbed(picked),
            Event::Measured(time, measures) => {
                self.plots.add(time, &measures);
                self.measures = Some((time, measures));
            }
            Event::Profiled(times) => self.plots.profile(times),
            Event::Residuals(residuals) => {
                let solver = self.session.as_ref().map(|session| session.scene.solver);
                self.plots.residuals(solver.unwrap_or_default(), residuals);
            }
            Event::Pass(name, index, count) => self.pass = Some((name, index, count)),
            Event::Note(note) => self.say(note),
        }
    }

    fn take_frame(&mut self) {
        let mut frame = self.worker.frame();
        if frame.serial == self.status.serial {
            return;
        }
        let Some(drawing) = &self.drawing else { return };
        let (positions, scalars) = (frame.positions.take(), frame.scalars.take());
        // A frame of another scene than the one drawn is on its way out.
        if positions.as_ref().is_some_and(|x| 16 * x.len() as u64 != drawing.positions.size()) {
            return;
        }
        self.status = Status {
            serial: frame.serial,
            time: frame.time,
            steps: frame.steps,
            step_seconds: frame.step_seconds,
            playing: frame.playing,
            pins: frame.pins,
        };
        self.on_device = frame.on_device;
        drop(frame);
        drawing.set_time(&self.gpu.queue, self.status.time);
        if let Some(positions) = positions {
            drawing.upload_positions(&self.gpu.queue, &positions);
        }
        self.scalars = scalars.filter(|scalars| 4 * scalars.values.len() as u64 == drawing.scalars.size());
        if let Some(scalars) = &self.scalars {
            drawing.upload_scalars(&self.gpu.queue, &scalars.values);
        }
    }

    /// Draws the scene into its texture, and takes the pictures that were asked for.
    pub fn draw(&mut self, graphics: &mut Graphics, pixels_per_point: f32) -> Result<(), RenderError> {
        let size = [self.picture.width(), self.picture.height()]
            .map(|side| ((side * pixels_per_point).round() as u32).clamp(1, 8192));
        self.canvas.fit(graphics, size)?;
        let (Some(drawing), Some(camera)) = (&mut self.drawing, &self.camera) else { return Ok(()) };
        let look = Look {
            theme: self.theme,
            quality: self.quality,
            colouring: self.scalars.as_ref().map_or(Colouring::Body, Scalars::colouring),
            ..drawing.look
        };
        let positions = self.device_positions.clone().filter(|_| self.on_device);
        let wanted = Shown {
            size,
            camera: camera.lens(),
            look,
            serial: self.status.serial,
            positions,
            has_scalars: self.scalars.is_some(),
        };
        self.canvas.draw(graphics, drawing, wanted)?;
        if std::mem::take(&mut self.screenshot)
            && let Some(image) = self.canvas.screenshot(graphics, drawing)?
        {
            self.save_picture(&image);
        }
        self.record(graphics)
    }

    fn save_picture(&mut self, image: &Image) {
        let name = self.session.as_ref().map_or("sinew", |session| session.name.as_str());
        let free = (1..).map(|k| PathBuf::from(format!("{name}_{k:03}.png"))).find(|path| !path.exists());
        let Some(path) = free else { return };
        match write_png(&path, image) {
            Ok(()) => self.say(format!("picture saved as {}", path.display())),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// Writes what runs now as a scene file.
    pub fn save_scene(&mut self) {
        let Some(session) = &self.session else { return };
        let path = PathBuf::from(self.save_name.trim());
        match super::edit::save_scene(&session.scene, &path) {
            Ok(()) => self.say(format!("scene saved as {}", path.display())),
            Err(problem) => self.error = Some(problem),
        }
    }

    /// Begins or ends writing a PNG file for every new state that is drawn.
    pub fn toggle_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            self.say(format!("{} frames in {}", recording.frames, recording.folder.display()));
            return;
        }
        let name = self.session.as_ref().map_or("sinew", |session| session.name.as_str());
        let folder =
            (1..).map(|k| PathBuf::from(format!("{name}_frames_{k:03}"))).find(|path| !path.exists());
        let Some(folder) = folder else { return };
        match std::fs::create_dir_all(&folder) {
            Ok(()) => self.recording = Some(Recording { folder, frames: 0, steps: None }),
            Err(error) => self.error = Some(format!("making the folder {}: {error}", folder.display())),
        }
    }

    fn record(&mut self, graphics: &Graphics) -> Result<(), RenderError> {
        let Some(recording) = &mut self.recording else { return Ok(()) };
        if recording.steps == Some(self.status.steps) {
            return Ok(());
        }
        recording.steps = Some(self.status.steps);
        if let Some(image) = self.canvas.image(graphics)? {
            let path = recording.folder.join(format!("frame_{:06}.png", recording.frames));
            recording.frames += 1;
            if let Err(error) = write_png(path, &image) {
                self.recording = None;
                self.error = Some(error.to_string());
            }
        }
        Ok(())
    }

    /// The part of the picture under a point of the window, 0 to 1 from the top left.
    fn inside(&self, at: egui::Pos2) -> Vec2 {
        let size = self.picture.size().max(egui::Vec2::splat(1.0));
        Vec2::new((at.x - self.picture.min.x) / size.x, (at.y - self.picture.min.y) / size.y)
    }

    fn ray(&self, at: egui::Pos2) -> Option<super::pick::Ray> {
        Some(self.camera?.ray(self.inside(at), self.aspect()))
    }

    /// What the mouse does to the picture.
    pub fn mouse(&mut self, response: &egui::Response, ctx: &egui::Context) {
        use egui::PointerButton::{Middle, Primary, Secondary};
        let delta = response.drag_delta();
        let delta = Vec2::new(delta.x, delta.y);
        let cursor = ctx.input(|input| input.pointer.latest_pos());
        let shift = ctx.input(|input| input.modifiers.shift);
        let pressed =
            |button| response.contains_pointer() && ctx.input(|input| input.pointer.button_pressed(button));
        if pressed(Primary) {
            let ray = cursor.and_then(|at| self.ray(at)).filter(|_| !shift);
            self.gesture = match ray {
                Some(ray) => {
                    self.worker.send(Command::Grab(ray));
                    Gesture::Asked(Vec2::ZERO)
                }
                None => Gesture::Orbit,
            };
        } else if pressed(Middle) || pressed(Secondary) {
            self.gesture = Gesture::Pan;
        }
        match self.gesture {
            Gesture::None => {}
            Gesture::Asked(so_far) => self.gesture = Gesture::Asked(so_far + delta),
            Gesture::Orbit => {
                if let Some(camera) = &mut self.camera {
                    camera.orbit(delta);
                }
            }
            Gesture::Pan => {
                let height = self.picture.height();
                if let Some(camera) = &mut self.camera {
                    camera.pan(delta, height);
                }
            }
            Gesture::Pull(_) => self.pull(cursor),
        }
        let down = ctx.input(|input| input.pointer.any_down());
        if !down && self.gesture != Gesture::None {
            if matches!(self.gesture, Gesture::Pull(_) | Gesture::Asked(_)) {
                self.worker.send(Command::Release);
            }
            self.gesture = Gesture::None;
        }
        let scroll = ctx.input(|input| input.smooth_scroll_delta.y);
        if response.contains_pointer()
            && scroll != 0.0
            && let Some(camera) = &mut self.camera
        {
            camera.zoom(scroll);
        }
    }

    fn pull(&mut self, cursor: Option<egui::Pos2>) {
        let Gesture::Pull(through) = self.gesture else { return };
        if let (Some(at), Some(camera)) = (cursor, self.camera)
            && let Some(ray) = self.ray(at)
        {
            self.worker.send(Command::Drag(camera.on_plane(&ray, through)));
        }
    }

    /// The answer to a press: pull what was hit, or turn the camera by what was dragged meanwhile.
    fn grabbed(&mut self, picked: Option<Picked>) {
        if let Some(picked) = &picked {
            self.selected = picked.body_index;
        }
        match (self.gesture, &picked) {
            (Gesture::Asked(_), Some(picked)) => self.gesture = Gesture::Pull(picked.point),
            (Gesture::Asked(drag), None) => {
                if let Some(camera) = &mut self.camera {
                    camera.orbit(drag);
                }
                self.gesture = Gesture::Orbit;
            }
            _ => {}
        }
        self.picked = picked;
    }

    /// Pins or unpins what is under the cursor.
    pub fn pin(&mut self, cursor: Option<egui::Pos2>) {
        if let Some(ray) = cursor.and_then(|at| self.ray(at)) {
            self.worker.send(Command::Pin(ray));
        }
    }

    /// Notes where a control is, for scripts.
    pub fn mark(&mut self, name: &str, rect: Rect) {
        self.controls.insert(name.into(), rect);
    }

    /// Goes on with another device after the old one was lost: from the start, on the CPU.
    pub fn recover(&mut self, graphics: &Graphics, worker: Worker, gallery: Gallery, reason: &str) {
        self.gpu = graphics.gpu.clone();
        self.worker = worker;
        self.gallery = gallery;
        self.backend = Backend::Cpu;
        (self.drawing, self.device_positions) = (None, None);
        (self.canvas, self.status) = (Canvas::default(), Status::default());
        self.set_watch(self.watch);
        self.set_speed(self.speed);
        if let Some(session) = &self.session {
            self.send_load(&session.scene, false);
        }
        self.error = Some(format!("{reason}; the scene has started again on the CPU"));
    }
}
