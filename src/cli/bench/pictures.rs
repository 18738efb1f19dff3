//! What a picture costs next to a step of what it shows, on one device: the window draws from the solver's own buffer.

use super::measure::Plan;
use super::scenes::{Regime, grid};
use super::statistics::median;
use serde::Serialize;
use sinew::compute::Gpu;
use sinew::render::{Offscreen, Overlays, Quality, Renderer, SceneDrawing};
use sinew::scene::SolverKind;
use sinew::{Place, Simulation};
use std::time::Instant;

/// What `--filter` looks at.
pub const NAME: &str = "picture/cloth/256";
/// Particles along a side: the cloth that the project promises to draw faster than it moves.
const SIDE: u32 = 256;
/// Pixels: a window's share of a common screen.
const SIZE: [u32; 2] = [1280, 720];
/// The default of a scene.
const SUBSTEPS: Regime = Regime { substeps: 10, iterations: 1 };
/// Pictures that are timed at least.
const FEWEST: usize = 5;

/// Times of a step and a picture of the same cloth, one after the other.
#[derive(Serialize)]
pub struct Pictures {
    name: &'static str,
    pixels: [u32; 2],
    quality: &'static str,
    repetitions: usize,
    /// Medians [ms].
    pub step_ms: f64,
    pub picture_ms: f64,
}

impl Pictures {
    pub fn measure(gpu: &Gpu, plan: &Plan) -> anyhow::Result<Self> {
        let scene = grid(SIDE, SolverKind::Coloured, SUBSTEPS);
        let mut simulation = Simulation::interactive(&scene, &Place::Device(Box::new(gpu.clone())))?;
        let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
        let [width, height] = SIZE;
        let aspect = width as f32 / height as f32;
        let mut drawn =
            SceneDrawing::new(&renderer, &scene, simulation.model(), Overlays::default(), aspect)?;
        // What the window takes by itself.
        let quality = if gpu.report.is_software() { Quality::Draft } else { Quality::Normal };
        drawn.look.quality = quality;
        let offscreen = Offscreen::new(&renderer, width, height)?;
        let (mut steps, mut pictures) = (Vec::new(), Vec::new());
        let begin = Instant::now();
        while pictures.len() <= FEWEST || begin.elapsed() < plan.budget {
            let start = Instant::now();
            simulation.step()?;
            steps.push(1e3 * start.elapsed().as_secs_f64());
            let start = Instant::now();
            let state = simulation.device_state(&gpu.device);
            let state = state.ok_or_else(|| anyhow::anyhow!("the state is not on the device"))?;
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let (camera, look) = (drawn.camera, drawn.look);
            offscreen.draw(
                &mut encoder,
                &renderer,
                &mut drawn.drawing,
                &state.drawn,
                None,
                &camera,
                &look,
            )?;
            gpu.queue.submit([encoder.finish()]);
            gpu.wait()?;
            pictures.push(1e3 * start.elapsed().as_secs_f64());
        }
        // The first of each compiles shaders.
        let (step_ms, picture_ms) = (median(&steps[1..]), median(&pictures[1..]));
        let quality = if quality == Quality::Draft { "draft" } else { "normal" };
        let repetitions = pictures.len() - 1;
        Ok(Self { name: NAME, pixels: SIZE, quality, repetitions, step_ms, picture_ms })
    }

    pub fn print(&self) {
        let Self { pixels: [width, height], quality, repetitions, step_ms, picture_ms, .. } = self;
        println!("\n{NAME}");
        println!("  {repetitions} steps of {SIDE}² particles: {step_ms:.3} ms each");
        println!(
            "  {repetitions} pictures of {width} × {height}, {quality} quality: {picture_ms:.3} ms each"
        );
        let ratio = picture_ms / step_ms;
        let verdict = if ratio < 1.0 { "less" } else { "MORE" };
        println!("  drawing costs {verdict} than simulating: {:.0} %", 100.0 * ratio);
    }
}
