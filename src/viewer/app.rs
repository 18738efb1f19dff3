//! The event loop: window, input, frames.

use super::gallery;
use super::graphics::{Graphics, Painting};
use super::script::{Ask, Progress, Script};
use super::state::Viewer;
use super::watched_file::POLL;
use super::worker::{Command, Worker};
use super::{Request, ViewerError, help, overlay, panel};
use crate::compute::ComputeError;
use crate::export::write_png;
use crate::render::Theme;
use egui::ViewportId;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

/// Size of a new window, in points.
const SIZE: [f64; 2] = [1360.0, 820.0];

/// Frames in a row within which a lost device is noticed.
const MOST_FAILURES: u32 = 200;
/// Time between two frames of a script.
const SCRIPT_FRAME: Duration = Duration::from_millis(10);

/// Somebody wants to be seen or heard.
struct Wake;

/// Runs until the window is closed.
pub fn run(mut request: Request) -> Result<(), ViewerError> {
    let script = request.script.as_deref().map(Script::load).transpose()?;
    let events = EventLoop::<Wake>::with_user_event().build().map_err(|error| {
        // winit puts its own file and line in front.
        let text = error.to_string();
        let reason = text.rsplit(": ").next().unwrap_or(&text).trim_end_matches('.');
        ViewerError::NoDisplay(reason.into())
    })?;
    let proxy = events.create_proxy();
    let mut app = App {
        opening: request.scene.take(),
        had_scene: false,
        request,
        script,
        proxy,
        open: None,
        outcome: Ok(()),
        wake_at: None,
    };
    app.had_scene = app.opening.is_some();
    events.run_app(&mut app).map_err(|error| ViewerError::Window(error.to_string()))?;
    // The window goes first, so that nobody waits for it while the last step ends.
    let App { open, outcome, .. } = app;
    if let Some(open) = open {
        open.graphics.window.set_visible(false);
        drop(open);
    }
    outcome
}

struct App {
    request: Request,
    opening: Option<super::Opened>,
    had_scene: bool,
    script: Option<Script>,
    proxy: EventLoopProxy<Wake>,
    open: Option<Open>,
    outcome: Result<(), ViewerError>,
    /// When egui wants the next frame.
    wake_at: Option<Instant>,
}

/// A window with all that is in it.
struct Open {
    viewer: Viewer,
    input: egui_winit::State,
    ctx: egui::Context,
    graphics: Graphics,
    /// Of the window.
    title: String,
    /// A file that the next frame is to be saved as.
    screenshot: Option<PathBuf>,
    printing: bool,
    minimised: bool,
    /// A size that a script has asked for and the window does not have yet.
    resizing: Option<PhysicalSize<u32>>,
    frames: u64,
    /// Frames in a row that could not be painted.
    failures: u32,
    /// Wall time of drawing a frame [s], smoothed.
    frame_seconds: f64,
}

impl App {
    fn waker(&self) -> impl Fn() + Send + use<> {
        let proxy = self.proxy.clone();
        move || {
            // After the event loop has ended nobody wakes up.
            let _ = proxy.send_event(Wake);
        }
    }

    fn worker(&self, graphics: &Graphics) -> Result<Worker, ViewerError> {
        Worker::start(graphics.renderer.clone(), self.waker())
            .map_err(|error| ViewerError::Window(error.to_string()))
    }

    fn create(&mut self, events: &ActiveEventLoop) -> Result<Open, ViewerError> {
        let attributes = Window::default_attributes()
            .with_title("sinew")
            .with_inner_size(LogicalSize::new(SIZE[0], SIZE[1]));
        let window = events.create_window(attributes);
        let window = Arc::new(window.map_err(|error| ViewerError::Window(error.to_string()))?);
        let graphics = Graphics::new(window, &self.request.adapter)?;
        let worker = self.worker(&graphics)?;
        let mut viewer = Viewer::new(&self.request, &graphics, worker);
        viewer.animated = self.script.is_none();
        viewer.show_gallery = !self.had_scene;
        if let Some(opened) = self.opening.take() {
            viewer.open(opened);
        }
        Ok(Open::new(viewer, graphics))
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: ViewerError) {
        self.outcome = Err(error);
        events.exit();
    }

    fn frame(&mut self, events: &ActiveEventLoop) -> Result<(), ViewerError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.viewer.listen();
        open.update_title();
        let size = open.graphics.window.inner_size();
        let hidden = open.minimised || size.width == 0 || size.height == 0;
        let mut input = open.input.take_egui_input(&open.graphics.window);
        if let Some(script) = &mut self.script {
            // A pointer that rests where the window opens would move what the script points at.
            input.events.clear();
            self.wake_at = Instant::now().checked_add(SCRIPT_FRAME);
            let progress = Progress {
                steps: open.viewer.status.steps,
                loaded: !open.viewer.is_loading(),
                error: open.viewer.error.is_some(),
                echoed: open.viewer.is_echoed(),
                idle: !open.printing && open.screenshot.is_none() && !open.is_resizing(),
            };
            let ask = script.play(&progress, &open.viewer.controls, &mut input)?;
            if let Some(ask) = ask {
                open.answer(ask, events);
            }
        }
        open.print();
        if hidden {
            return Ok(());
        }
        // A lost device is noticed before anything is drawn with it.
        match open.graphics.gpu.check() {
            Ok(()) => {}
            Err(ComputeError::DeviceLost(reason)) => return self.recover(&reason),
            Err(error) => open.viewer.error = Some(error.to_string()),
        }
        let begin = Instant::now();
        let delay = open.show(input)?;
        open.count_frame(begin.elapsed());
        let delay = if self.script.is_some() { delay.min(SCRIPT_FRAME) } else { delay };
        self.wake_at = Instant::now().checked_add(delay);
        Ok(())
    }

    /// Opens a device anew after the old one was lost.
    fn recover(&mut self, reason: &str) -> Result<(), ViewerError> {
        let Some(Open { mut viewer, graphics, .. }) = self.open.take() else { return Ok(()) };
        // A window has one surface at a time.
        let window = graphics.window.clone();
        drop(graphics);
        let graphics = Graphics::new(window, &self.request.adapter)?;
        let worker = self.worker(&graphics)?;
        viewer.recover(&graphics, worker, &format!("the graphics device was lost ({reason})"));
        self.open = Some(Open::new(viewer, graphics));
        Ok(())
    }
}

impl Open {
    /// A new painter has none of egui's textures: a new context sends them all.
    fn new(viewer: Viewer, graphics: Graphics) -> Self {
        let ctx = egui::Context::default();
        let input = input_of(&ctx, &graphics);
        Self {
            viewer,
            input,
            ctx,
            graphics,
            title: String::new(),
            screenshot: None,
            printing: false,
            minimised: false,
            resizing: None,
            frames: 0,
            failures: 0,
            frame_seconds: 0.0,
        }
    }

    /// The window is called after its scene.
    fn update_title(&mut self) {
        let title = match &self.viewer.session {
            Some(session) => format!("{} – sinew", session.name),
            None => "sinew".into(),
        };
        if title != self.title {
            self.graphics.window.set_title(&title);
            self.title = title;
        }
    }

    /// Runs the user interface, draws the scene and paints both. Returns when the next frame is due.
    fn show(&mut self, input: egui::RawInput) -> Result<Duration, ViewerError> {
        let viewer = &mut self.viewer;
        let dark = viewer.theme == Theme::Dark;
        if !viewer.animated {
            self.ctx.all_styles_mut(|style| style.animation_time = 0.0);
        }
        self.ctx.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        let mut output = self.ctx.run_ui(input, |ui| {
            viewer.controls.clear();
            interface(viewer, ui);
        });
        self.input.handle_platform_output(&self.graphics.window, output.platform_output);
        let pixels_per_point = output.pixels_per_point;
        let jobs = self.ctx.tessellate(output.shapes, pixels_per_point);
        let painting = Painting { jobs: &jobs, textures: &output.textures_delta, pixels_per_point };
        let copies = self.screenshot.is_some();
        // Some calls fail and others panic where the device is lost while they work; the next frame finds out.
        let painted = catch_unwind(AssertUnwindSafe(|| {
            let good_for = viewer.draw(&mut self.graphics, pixels_per_point).unwrap_or_else(|error| {
                viewer.error = Some(error.to_string());
                Duration::MAX
            });
            self.graphics.paint(&painting, copies).map(|copy| (copy, good_for))
        }));
        output.textures_delta.clear();
        let (copy, good_for) = match painted {
            Ok(Ok(painted)) => painted,
            _ if self.failures < MOST_FAILURES => {
                self.failures += 1;
                return Ok(SCRIPT_FRAME);
            }
            Ok(Err(error)) => return Err(error.into()),
            Err(panic) => resume_unwind(panic),
        };
        self.failures = 0;
        if let (Some(image), Some(path)) = (copy, self.screenshot.take())
            && let Err(error) = write_png(&path, &image)
        {
            viewer.error = Some(error.to_string());
        }
        let root = output.viewport_output.get(&ViewportId::ROOT);
        Ok(root.map_or(good_for, |viewport| viewport.repaint_delay.min(good_for)))
    }

    /// Does what a script asks of the window.
    fn answer(&mut self, ask: Ask, events: &ActiveEventLoop) {
        match ask {
            Ask::Resize(0, 0) => self.minimised = true,
            Ask::Resize(width, height) => {
                self.minimised = false;
                let size = PhysicalSize::new(width, height);
                match self.graphics.window.request_inner_size(size) {
                    Some(size) => self.graphics.resize(size.width, size.height),
                    None => self.resizing = Some(size),
                }
            }
            Ask::Screenshot(path) => self.screenshot = Some(path),
            Ask::Copy(from, to) => {
                if let Err(error) = std::fs::copy(&from, &to) {
                    self.viewer.error = Some(format!("copying {}: {error}", from.display()));
                }
            }
            Ask::Save(file) => {
                self.viewer.save_name = file;
                self.viewer.save_scene();
            }
            Ask::LoseDevice => self.graphics.gpu.device.destroy(),
            Ask::Print => {
                self.printing = true;
                self.viewer.measures = None;
                self.viewer.worker.send(Command::Measure);
            }
            Ask::PrintStatus => println!("{}", serde_json::Value::Object(self.status())),
            Ask::Echo => self.viewer.ask_echo(),
            Ask::Quit => events.exit(),
        }
    }

    fn count_frame(&mut self, took: Duration) {
        self.frames += 1;
        let fresh = if self.frames == 1 { 1.0 } else { 0.1 };
        self.frame_seconds += fresh * (took.as_secs_f64() - self.frame_seconds);
        self.viewer.frame_seconds = self.frame_seconds;
    }

    /// Whether a script's wish for another size is still under way.
    fn is_resizing(&mut self) -> bool {
        let [width, height] = self.graphics.size();
        self.resizing = self.resizing.filter(|size| *size != PhysicalSize::new(width, height));
        self.resizing.is_some()
    }

    /// What a script may know without asking the simulation.
    fn status(&self) -> serde_json::Map<String, serde_json::Value> {
        let viewer = &self.viewer;
        let status = serde_json::json!({
            "scene": viewer.session.as_ref().map(|session| session.name.clone()),
            "steps": viewer.status.steps,
            "step_seconds": viewer.status.step_seconds,
            "frames": self.frames,
            "frame_seconds": self.frame_seconds,
            "pixels_per_point": self.ctx.pixels_per_point(),
            "playing": viewer.status.playing,
            "runs_on": viewer.summary.runs_on,
            "particles": viewer.summary.particles,
            "picked": viewer.picked.as_ref().map(|picked| picked.position.to_array()),
            "pins": viewer.status.pins,
            "error": viewer.error,
            "note": viewer.last_note(),
        });
        match status {
            serde_json::Value::Object(map) => map,
            _ => serde_json::Map::new(),
        }
    }

    /// The line that a script has asked for, once it is known.
    fn print(&mut self) {
        if !self.printing {
            return;
        }
        let Some((time, m)) = self.viewer.measures else { return };
        self.printing = false;
        let mut line = self.status();
        let measures = [
            ("time", time),
            ("kinetic_energy", m.kinetic_energy),
            ("max_speed", m.max_speed),
            ("lowest", m.lowest),
            ("highest", m.highest),
        ];
        line.extend(measures.map(|(name, value)| (name.to_owned(), value.into())));
        println!("{}", serde_json::Value::Object(line));
    }
}

/// Where egui gets its input from.
fn input_of(ctx: &egui::Context, graphics: &Graphics) -> egui_winit::State {
    let window = &graphics.window;
    let side = graphics.gpu.device.limits().max_texture_dimension_2d as usize;
    let scale = Some(window.scale_factor() as f32);
    egui_winit::State::new(ctx.clone(), ViewportId::ROOT, window, scale, window.theme(), Some(side))
}

/// Panel, picture and what lies over it.
fn interface(viewer: &mut Viewer, ui: &mut egui::Ui) {
    let ctx = ui.ctx().clone();
    help::keys(viewer, &ctx);
    if viewer.show_panel {
        egui::Panel::right("panel").exact_size(panel::WIDTH).show(ui, |ui| panel::show(viewer, ui));
    }
    egui::CentralPanel::no_frame().show(ui, |ui| {
        viewer.picture = ui.max_rect();
        let aspect = viewer.aspect();
        if let Some(camera) = &mut viewer.camera {
            camera.set_aspect(aspect);
        }
        let response = ui.allocate_rect(viewer.picture, egui::Sense::click_and_drag());
        if let Some(texture) = viewer.canvas.texture().filter(|_| viewer.drawing.is_some()) {
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, viewer.picture, whole, egui::Color32::WHITE);
        } else {
            ui.painter().rect_filled(viewer.picture, 0.0, ui.visuals().faint_bg_color);
        }
        viewer.mouse(&response, &ctx);
    });
    gallery::take_dropped(viewer, &ctx);
    overlay::show(viewer, &ctx);
    gallery::show(viewer, &ctx);
    help::show(viewer, &ctx);
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match self.create(events) {
            Ok(open) => {
                open.graphics.window.request_redraw();
                self.open = Some(open);
            }
            Err(error) => self.fail(events, error),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, _: Wake) {
        if let Some(open) = &self.open {
            open.graphics.window.request_redraw();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        if open.input.on_window_event(&open.graphics.window, &event).repaint {
            open.graphics.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => {
                open.graphics.resize(size.width, size.height);
                open.graphics.window.request_redraw();
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.frame(events) {
                    self.fail(events, error);
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(open) = &mut self.open else { return };
        let now = Instant::now();
        let due = self.wake_at.is_some_and(|at| at <= now);
        if open.viewer.look_at_file() || due {
            self.wake_at = None;
            open.graphics.window.request_redraw();
        }
        let next = self.wake_at.unwrap_or(now + POLL).min(now + POLL);
        let watches = open.viewer.session.as_ref().is_some_and(|session| session.file.is_some());
        events.set_control_flow(match watches || self.wake_at.is_some() {
            true => ControlFlow::WaitUntil(next),
            false => ControlFlow::Wait,
        });
    }
}
