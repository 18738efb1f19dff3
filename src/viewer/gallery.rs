//! The built-in scenes with thumbnails, drawn one by one in the background.

use super::Opened;
use super::state::Viewer;
use crate::render::{Offscreen, Overlays, Quality, Renderer, SceneDrawing};
use crate::scene::{ClothShape, PointsShape, Scene};
use crate::scenes::{BUILT_IN, BuiltIn};
use crate::{Place, Precision, Simulation};
use egui::{Color32, Context, Sense, Ui, Vec2};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Pixels of a thumbnail; shown at half that in points, so that it is sharp on most screens.
const SIZE: [u32; 2] = [416, 260];
/// Size of a thumbnail in the window, in points.
const SHOWN: Vec2 = Vec2::new(208.0, 130.0);
/// Cells along a side, or links, of a body in a thumbnail: more could not be seen.
const MOST_CELLS: u32 = 48;
/// How far a scene runs for its thumbnail [s], and how long that may take.
const MOMENT: f64 = 1.2;
const PATIENCE: Duration = Duration::from_millis(1500);

/// A picture of a built-in scene.
struct Thumbnail {
    name: &'static str,
    picture: Offscreen,
}

/// The scenes to choose from.
pub struct Gallery {
    drawn: Receiver<Thumbnail>,
    /// Pictures that egui does not know yet.
    fresh: Vec<Thumbnail>,
    pictures: Vec<(&'static str, egui::TextureId, Offscreen)>,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Gallery {
    /// Starts drawing. `wake` is called after every picture.
    pub fn start(renderer: Arc<Renderer>, wake: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (sender, drawn) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::Builder::new().name("thumbnails".into()).spawn(move || {
            for scene in BUILT_IN {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                // A scene that cannot be drawn goes without; opening it says why.
                if let Some(picture) = thumbnail(&renderer, scene, &stopped) {
                    let _ = sender.send(Thumbnail { name: scene.name, picture });
                    wake();
                }
            }
        })?;
        Ok(Self { drawn, fresh: Vec::new(), pictures: Vec::new(), stop, thread: Some(thread) })
    }

    pub fn listen(&mut self) {
        self.fresh.extend(self.drawn.try_iter());
    }

    /// Makes new pictures known to egui.
    pub fn register(&mut self, device: &wgpu::Device, painter: &mut egui_wgpu::Renderer) {
        for Thumbnail { name, picture } in self.fresh.drain(..) {
            let id = painter.register_native_texture(device, picture.view(), wgpu::FilterMode::Linear);
            self.pictures.push((name, id, picture));
        }
    }

    /// Pictures that are ready.
    pub fn picture_count(&self) -> usize {
        self.pictures.len()
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported by the thread itself.
            let _ = thread.join();
        }
    }
}

/// A scene after a moment, drawn small.
fn thumbnail(renderer: &Renderer, built_in: &BuiltIn, stop: &AtomicBool) -> Option<Offscreen> {
    let mut scene = Scene::parse(built_in.text, built_in.name, "").ok()?;
    coarsen(&mut scene);
    let mut simulation = Simulation::interactive(&scene, &Place::Cpu(Precision::F32)).ok()?;
    let begin = Instant::now();
    while simulation.time() < MOMENT.min(scene.duration) && begin.elapsed() < PATIENCE {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        simulation.step().ok()?;
    }
    let [width, height] = SIZE;
    let aspect = width as f32 / height as f32;
    let mut drawn =
        SceneDrawing::new(renderer, &scene, simulation.model(), Overlays::default(), aspect).ok()?;
    let packed = drawn.stripes.pack(&simulation.model_positions().ok()?, &simulation.frames().ok()?);
    drawn.upload_positions(renderer.queue(), &packed);
    drawn.set_time(renderer.queue(), simulation.time());
    drawn.look.quality = Quality::Draft;
    let picture = Offscreen::new(renderer, width, height).ok()?;
    let mut encoder = renderer.device().create_command_encoder(&Default::default());
    let (positions, camera, look) = (drawn.positions.clone(), drawn.camera, drawn.look);
    picture.draw(&mut encoder, renderer, &mut drawn.drawing, &positions, None, &camera, &look).ok()?;
    renderer.queue().submit([encoder.finish()]);
    Some(picture)
}

/// Fewer cells and links where nobody would see them.
fn coarsen(scene: &mut Scene) {
    scene.expect = None;
    for cloth in &mut scene.cloth {
        match &mut cloth.shape {
            ClothShape::Grid { cells, .. } => {
                let most = cells[0].max(cells[1]);
                if most > MOST_CELLS {
                    *cells = cells.map(|n| (n * MOST_CELLS / most).max(1));
                }
            }
            ClothShape::Disc { rings, .. } => *rings = (*rings).min(MOST_CELLS / 2),
            ClothShape::Mesh { .. } | ClothShape::Triangles(_) => {}
        }
    }
    for points in &mut scene.points {
        if let PointsShape::Chain { links, .. } = &mut points.shape {
            *links = (*links).min(2 * MOST_CELLS);
        }
    }
}

/// The gallery over the picture; a click opens a scene.
pub fn show(viewer: &mut Viewer, ctx: &Context) {
    if !viewer.show_gallery {
        return;
    }
    let mut chosen: Option<&'static BuiltIn> = None;
    let area = viewer.picture.shrink(28.0);
    let columns = ((area.width() / (SHOWN.x + 26.0)) as usize).clamp(1, 4);
    let rows = BUILT_IN.len().div_ceil(columns);
    let mut open = true;
    egui::Window::new("Scenes")
        .anchor(egui::Align2::CENTER_CENTER, viewer.picture.center() - ctx.content_rect().center())
        .collapsible(false)
        .resizable(false)
        .open(&mut open)
        .min_height((area.height() - 60.0).min(rows as f32 * (SHOWN.y + 78.0) + 40.0))
        .show(ctx, |ui| {
            ui.label("Cloth, chains and soft bodies, solved on the GPU or the CPU. Pick one and pull it with the mouse.");
            ui.add_space(6.0);
            egui::ScrollArea::vertical().max_height((area.height() - 90.0).max(120.0)).show(ui, |ui| {
                egui::Grid::new("scenes").num_columns(columns).spacing([14.0, 14.0]).show(ui, |ui| {
                    for (k, scene) in BUILT_IN.iter().enumerate() {
                        if card(viewer, ui, scene) {
                            chosen = Some(scene);
                        }
                        if (k + 1) % columns == 0 {
                            ui.end_row();
                        }
                    }
                });
            });
        });
    if !open {
        viewer.show_gallery = false;
    }
    if let Some(built_in) = chosen {
        match Scene::parse(built_in.text, format!("{}.toml (built in)", built_in.name), "") {
            Ok(scene) => viewer.open(Opened { name: built_in.name.into(), scene, file: None }),
            Err(error) => viewer.error = Some(error.to_string()),
        }
    }
}

/// One scene: picture, name and what it shows. Returns whether it was clicked.
fn card(viewer: &mut Viewer, ui: &mut Ui, scene: &BuiltIn) -> bool {
    let height = SHOWN.y + 64.0;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(SHOWN.x, height), Sense::click());
    viewer.mark(&format!("scene {}", scene.name), rect);
    let visuals = ui.style().interact(&response);
    let (fill, stroke) = (ui.visuals().extreme_bg_color, visuals.bg_stroke);
    ui.painter().rect(rect, 6.0, fill, stroke, egui::StrokeKind::Outside);
    let picture = egui::Rect::from_min_size(rect.min, SHOWN);
    // Edges of the picture carry coverage in alpha: black behind them keeps their colour.
    ui.painter().rect_filled(picture, 4.0, Color32::BLACK);
    match viewer.gallery.pictures.iter().find(|(name, ..)| *name == scene.name) {
        Some((_, id, _)) => {
            egui::Image::from_texture((*id, SHOWN)).corner_radius(4.0).paint_at(ui, picture);
        }
        None => {
            let at = egui::Rect::from_center_size(picture.center(), Vec2::splat(22.0));
            egui::Spinner::new().paint_at(ui, at);
        }
    }
    let text = egui::Rect::from_min_max(picture.left_bottom(), rect.max).shrink2(Vec2::new(8.0, 5.0));
    let layout = egui::Layout::top_down(egui::Align::Min);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(text).layout(layout));
    inner.shrink_clip_rect(text);
    inner.style_mut().interaction.selectable_labels = false;
    inner.strong(scene.name.replace('_', " "));
    inner.label(egui::RichText::new(scene.summary()).small());
    response.clicked()
}
