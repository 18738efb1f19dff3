//! Pictures of a running scene, on the simulation's own device or on another.

use super::overlays::Overlays;
use super::scalars::Scalars;
use super::scene_drawing::SceneDrawing;
use super::{Offscreen, RenderError, Renderer};
use crate::compute::Gpu;
use crate::export::{Image, colour_bar};
use crate::model::Model;
use crate::scene::{ColourBy, Scene};
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
    offscreen: Offscreen,
    colour: ColourBy,
    range: Option<[f64; 2]>,
}

impl Film {
    /// Prepares to draw a scene in the size, theme and colours it asks for.
    pub fn new(gpu: &Gpu, scene: &Scene, model: &Model) -> Result<Self, FilmError> {
        let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
        let [width, height] = scene.render.size;
        let offscreen = Offscreen::new(&renderer, width, height)?;
        let aspect = width as f32 / height as f32;
        Ok(Self {
            scene: SceneDrawing::new(&renderer, scene, model, Overlays::default(), aspect)?,
            renderer,
            offscreen,
            colour: scene.render.colour,
            range: scene.render.range,
            gpu: gpu.clone(),
        })
    }

    /// The picture of the present state.
    pub fn draw(&mut self, simulation: &mut Simulation) -> Result<Image, FilmError> {
        let time = simulation.time();
        self.scene.set_time(&self.gpu.queue, time);
        let mut scalars = Scalars::of(simulation, self.colour, self.range)?;
        if let Some(scalars) = &mut scalars {
            self.scene.stripes.extend(&mut scalars.values);
            self.scene.upload_scalars(&self.gpu.queue, &scalars.values);
            self.scene.look.colouring = scalars.colouring();
        }
        let camera = self.scene.camera.orbit((self.scene.orbit * time).to_radians() as f32);
        // Stripes are made on the host, so the particles go with them.
        let own = simulation.device_positions(&self.gpu.device).filter(|_| self.scene.stripes.is_empty());
        if own.is_none() {
            let packed = self.scene.stripes.pack(&simulation.model_positions()?, &simulation.frames()?);
            self.scene.upload_positions(&self.gpu.queue, &packed);
        }
        let positions = own.as_ref().unwrap_or(&self.scene.positions);
        let pixels = self.offscreen.render_to_rgba(
            &self.renderer,
            &mut self.scene.drawing,
            positions,
            scalars.is_some().then_some(&self.scene.scalars),
            &camera,
            &self.scene.look,
        )?;
        let mut image = Image { width: self.offscreen.width(), height: self.offscreen.height(), pixels };
        if let Some(Scalars { title, unit, range: [low, high], .. }) = scalars {
            colour_bar(&mut image, title, unit, low, high);
        }
        Ok(image)
    }
}
