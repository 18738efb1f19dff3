//! Pictures of a running scene, on the simulation's own device or on another.

use super::overlays::Overlays;
use super::presenter::Presenter;
use super::scalars::Legend;
use super::scene_drawing::SceneDrawing;
use super::{Offscreen, RenderError, Renderer};
use crate::compute::Gpu;
use crate::export::{Image, colour_bar};
use crate::scene::Scene;
use crate::{Simulation, SimulationError};

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// Draws a scene as it runs.
pub struct Film {
    gpu: Gpu,
    renderer: Renderer,
    scene: SceneDrawing,
    presenter: Presenter,
    /// What the drawing is of: [`Simulation::epoch`].
    epoch: u64,
    offscreen: Offscreen,
    source: Scene,
}

impl Film {
    /// Prepares to draw a scene in the size, theme and colours it asks for.
    pub fn new(gpu: &Gpu, scene: &Scene, simulation: &Simulation) -> Result<Self, FilmError> {
        let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
        let [width, height] = scene.render.size;
        let offscreen = Offscreen::new(&renderer, width, height)?;
        let aspect = width as f32 / height as f32;
        let drawing = SceneDrawing::new(&renderer, scene, simulation.model(), Overlays::default(), aspect)?;
        Ok(Self {
            presenter: Presenter::new(&renderer, &drawing)?,
            scene: drawing,
            epoch: simulation.epoch(),
            renderer,
            offscreen,
            source: scene.clone(),
            gpu: gpu.clone(),
        })
    }

    /// The picture of the present state.
    pub fn draw(&mut self, simulation: &mut Simulation) -> Result<Image, FilmError> {
        self.follow(simulation)?;
        let time = simulation.time();
        self.scene.set_time(&self.gpu.queue, time);
        let (colour, range) = (self.source.render.colour, self.source.render.range);
        let shown = self.presenter.show(&self.renderer, simulation, colour, range)?;
        if let Some(legend) = &shown.legend {
            self.scene.look.colouring = legend.colouring();
        }
        let camera = self.scene.camera.orbit((self.scene.orbit * time).to_radians() as f32);
        let positions = shown.own.as_ref().unwrap_or(&self.scene.positions);
        let pixels = self.offscreen.render_to_rgba(
            &self.renderer,
            &mut self.scene.drawing,
            positions,
            shown.legend.is_some().then_some(&self.scene.scalars),
            &camera,
            &self.scene.look,
        )?;
        let mut image = Image { width: self.offscreen.width(), height: self.offscreen.height(), pixels };
        if let Some(Legend { title, unit, range: [low, high] }) = shown.legend {
            colour_bar(&mut image, title, unit, low, high);
        }
        Ok(image)
    }
    /// Makes the drawing again if the model is another one now. The camera stays where it was.
    fn follow(&mut self, simulation: &Simulation) -> Result<(), FilmError> {
        if self.epoch != simulation.epoch() {
            let aspect = self.offscreen.width() as f32 / self.offscreen.height() as f32;
            let (model, overlays) = (simulation.model(), Overlays::default());
            let camera = self.scene.camera;
            self.scene = SceneDrawing::new(&self.renderer, &self.source, model, overlays, aspect)?;
            self.scene.camera = camera;
            self.presenter = Presenter::new(&self.renderer, &self.scene)?;
            self.epoch = simulation.epoch();
        }
        Ok(())
    }
}
