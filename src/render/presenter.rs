//! Makes a drawing show the state of a simulation. A state on the picture's device stays there.

use super::RenderError;
use super::device_values::DeviceValues;
use super::drawing::Maker;
use super::film::FilmError;
use super::renderer::{Renderer, dispatch};
use super::scalars::{Legend, range_of, values};
use super::scene_drawing::SceneDrawing;
use super::stripes::Stripes;
use crate::Simulation;
use crate::scene::ColourBy;
use crate::simulation::DeviceState;
use glam::DVec3;

/// The buffers of a [`SceneDrawing`] and what fills them.
pub struct Presenter {
    stripes: Stripes,
    positions: wgpu::Buffer,
    scalars: wgpu::Buffer,
    stripe_points: Option<wgpu::Buffer>,
    /// The bind group of the stripes' shader and the state that it is of.
    stripe_group: Option<(DeviceState, wgpu::BindGroup)>,
    values: DeviceValues,
}

/// What is to be drawn.
#[derive(Default)]
pub struct Presented {
    /// The solver's own positions, instead of the drawing's.
    pub own: Option<wgpu::Buffer>,
    /// What colours show, if it is not the bodies.
    pub legend: Option<Legend>,
}

impl Presenter {
    pub fn new(renderer: &Renderer, drawing: &SceneDrawing) -> Result<Self, RenderError> {
        let stripes = drawing.stripes.clone();
        let make = Maker { device: renderer.device() };
        let points = stripes.device_points();
        let stripe_points = if points.is_empty() {
            None
        } else {
            Some(make.filled("stripes", bytemuck::cast_slice(&points), wgpu::BufferUsages::STORAGE)?)
        };
        Ok(Self {
            values: DeviceValues::new(renderer, &stripes)?,
            positions: drawing.positions.clone(),
            scalars: drawing.scalars.clone(),
            stripe_points,
            stripe_group: None,
            stripes,
        })
    }

    /// Fills the drawing's buffers with the present state.
    pub fn show(
        &mut self,
        renderer: &Renderer,
        simulation: &mut Simulation,
        colour: ColourBy,
        range: Option<[f64; 2]>,
    ) -> Result<Presented, FilmError> {
        let own = match simulation.device_state(renderer.device()) {
            Some(state) if self.stripe_points.is_none() => Some(state.drawn),
            Some(state) => {
                self.add_stripes(renderer, &state);
                None
            }
            None => {
                let positions = simulation.model_positions()?;
                self.upload(renderer, simulation, &positions)?;
                None
            }
        };
        Ok(Presented { own, legend: self.colour(renderer, simulation, colour, range)? })
    }

    /// As [`Presenter::show`], with the particles elsewhere [m], in the model's numbering.
    pub fn show_at(
        &mut self,
        renderer: &Renderer,
        simulation: &mut Simulation,
        positions: &[DVec3],
        colour: ColourBy,
        range: Option<[f64; 2]>,
    ) -> Result<Presented, FilmError> {
        self.upload(renderer, simulation, positions)?;
        Ok(Presented { own: None, legend: self.colour(renderer, simulation, colour, range)? })
    }

    fn upload(
        &self,
        renderer: &Renderer,
        simulation: &mut Simulation,
        positions: &[DVec3],
    ) -> Result<(), FilmError> {
        let packed = self.stripes.pack(positions, &simulation.frames()?);
        let queue = renderer.queue();
        queue.write_buffer(&self.positions, 0, bytemuck::cast_slice(&packed));
        // What is written waits in memory for the next submission; a hidden window makes none.
        queue.submit([]);
        Ok(())
    }

    /// The particles and the points beside rods, all on the device.
    fn add_stripes(&mut self, renderer: &Renderer, state: &DeviceState) {
        let (Some(points), Some(frames)) = (&self.stripe_points, &state.frames) else { return };
        let (device, stage) = (renderer.device(), &renderer.value_stages().stripe);
        let bind = || {
            stage.bind(device, |name| match name {
                "positions" => state.drawn.as_entire_binding(),
                "frames" => frames.as_entire_binding(),
                "stripe_points" => points.as_entire_binding(),
                "points" => self.positions.as_entire_binding(),
                other => unreachable!("the shader of stripes does not bind `{other}`"),
            })
        };
        let bound = self.stripe_group.take().filter(|(bound, _)| bound == state);
        let (_, group) = self.stripe_group.insert(bound.unwrap_or_else(|| (state.clone(), bind())));
        let count = self.stripes.point_count();
        let before = self.positions.size() - 16 * u64::from(count);
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&state.drawn, 0, &self.positions, 0, before);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        dispatch(&mut pass, stage, group, count);
        drop(pass);
        renderer.queue().submit([encoder.finish()]);
    }

    fn colour(
        &mut self,
        renderer: &Renderer,
        simulation: &mut Simulation,
        colour: ColourBy,
        asked: Option<[f64; 2]>,
    ) -> Result<Option<Legend>, FilmError> {
        if colour == ColourBy::Body {
            return Ok(None);
        }
        if let Some(state) = simulation.device_state(renderer.device()) {
            let model = simulation.model();
            let found = self.values.compute(renderer, model, &state, colour, asked, &self.scalars)?;
            if let Some(found) = found {
                return Ok(Legend::new(simulation, colour, found, asked));
            }
        }
        let values = values(simulation, colour)?;
        let found = range_of(&values);
        let mut values: Vec<f32> = values.into_iter().map(|x| x as f32).collect();
        self.stripes.extend(&mut values);
        let queue = renderer.queue();
        queue.write_buffer(&self.scalars, 0, bytemuck::cast_slice(&values));
        queue.submit([]);
        Ok(Legend::new(simulation, colour, found, asked))
    }
}
