//! Values that colours show, computed where the state lives: only their range goes to the host, for the legend.

use super::drawing::Maker;
use super::error::RenderError;
use super::held_elements::HeldElements;
use super::renderer::{Renderer, dispatch};
use super::stages::{Compute, compute_stage};
use super::strain_elements::StrainElements;
use super::stripes::Stripes;
use super::turned_rods::TurnedRods;
use crate::model::Model;
use crate::scene::ColourBy;
use crate::simulation::DeviceState;
use bytemuck::cast_slice;
use std::collections::HashMap;
use wgpu::BufferUsages as Usage;

/// The shaders that make values and stripes.
pub(super) struct ValueStages {
    pub stripe: Compute,
    speed: Compute,
    element: Compute,
    strain: Compute,
    held: Compute,
    tet: Compute,
    segment: Compute,
    joint: Compute,
    gather: Compute,
    turn: Compute,
    frame: Compute,
    error: Compute,
    range: Compute,
    carry: Compute,
}

impl ValueStages {
    pub fn new(device: &wgpu::Device) -> Self {
        let compute = |name| compute_stage(device, name);
        Self {
            stripe: compute("stripe"),
            speed: compute("value_speed"),
            element: compute("value_element"),
            strain: compute("value_strain"),
            held: compute("value_held"),
            tet: compute("value_tet"),
            segment: compute("value_segment"),
            joint: compute("value_joint"),
            gather: compute("value_gather"),
            turn: compute("value_turn"),
            frame: compute("value_frame"),
            error: compute("value_error"),
            range: compute("value_range"),
            carry: compute("value_carry"),
        }
    }
}

/// `Values` in shaders/render/values.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Values {
    particle_count: u32,
    element_count: u32,
    sheet_count: u32,
    mode: u32,
    held_counts: [u32; 4],
}

/// `Values::mode` of the largest strain.
const LARGEST: u32 = 3;

/// What is made of a state, and with what.
#[derive(Clone, Copy, PartialEq)]
enum Recipe {
    Speed,
    Strain {
        mode: u32,
    },
    /// Energies, stresses and stretch of elements; `mode` is that of `value_gather`.
    Held {
        mode: u32,
    },
    /// Bending and twist at joints.
    Joints {
        mode: u32,
    },
    Turns,
    Error,
}

impl Recipe {
    fn of(colour: ColourBy) -> Option<Self> {
        Some(match colour {
            ColourBy::Body => return None,
            ColourBy::Field("velocity") => Self::Speed,
            ColourBy::Field("weft") => Self::Strain { mode: 0 },
            ColourBy::Field("warp") => Self::Strain { mode: 1 },
            ColourBy::Field("shear") => Self::Strain { mode: 2 },
            ColourBy::Field("strain") => Self::Strain { mode: LARGEST },
            ColourBy::Field("energy") => Self::Held { mode: 0 },
            ColourBy::Field("stress") => Self::Held { mode: 1 },
            ColourBy::Field("stretch") => Self::Held { mode: 2 },
            ColourBy::Field("bend") => Self::Joints { mode: 1 },
            ColourBy::Field("twist") => Self::Joints { mode: 2 },
            ColourBy::Field("frame") => Self::Turns,
            ColourBy::Error => Self::Error,
            // The host knows all fields.
            ColourBy::Field(_) => return None,
        })
    }

    fn mode(self) -> u32 {
        match self {
            Self::Strain { mode } | Self::Held { mode } | Self::Joints { mode } => mode,
            Self::Speed | Self::Turns | Self::Error => 0,
        }
    }
}

/// What values are made with on the device.
pub(super) struct DeviceValues {
    values: wgpu::Buffer,
    /// Bits of the highest value and of −1 times the lowest.
    bounds: wgpu::Buffer,
    staging: wgpu::Buffer,
    carried: Option<wgpu::Buffer>,
    carried_count: u32,
    /// Each made when it is first asked for.
    strains: Option<StrainElements>,
    held: Option<HeldElements>,
    turned: Option<TurnedRods>,
    /// The state that the bind groups below are of, each made when its stage first runs.
    bound: Option<DeviceState>,
    groups: HashMap<&'static str, wgpu::BindGroup>,
}

impl DeviceValues {
    pub fn new(renderer: &Renderer, stripes: &Stripes) -> Result<Self, RenderError> {
        let make = Maker { device: renderer.device() };
        let carried = stripes.carried();
        Ok(Self {
            values: make.empty("values", size_of::<Values>() as u64, Usage::UNIFORM)?,
            bounds: make.empty("range of values", 8, Usage::STORAGE | Usage::COPY_SRC)?,
            staging: make.empty("range of values", 8, Usage::MAP_READ)?,
            carried_count: carried.len() as u32,
            carried: if carried.is_empty() {
                None
            } else {
                Some(make.filled("carried values", cast_slice(&carried), Usage::STORAGE)?)
            },
            strains: None,
            held: None,
            turned: None,
            bound: None,
            groups: HashMap::new(),
        })
    }

    /// Fills `scalars`, always the same buffer, with what a colouring shows. Returns the lowest and the highest value and
    /// zero, or the range that is asked for, which spares a reading back; nothing where there is nothing to make values of.
    pub fn compute(
        &mut self,
        renderer: &Renderer,
        model: &Model,
        state: &DeviceState,
        colour: ColourBy,
        asked: Option<[f64; 2]>,
        scalars: &wgpu::Buffer,
    ) -> Result<Option<[f64; 2]>, RenderError> {
        let Some(recipe) = Recipe::of(colour) else { return Ok(None) };
        if recipe == Recipe::Error && state.iterates.is_none() {
            return Ok(None);
        }
        let (device, queue, stages) = (renderer.device(), renderer.queue(), renderer.value_stages());
        self.prepare(device, model, recipe)?;
        let particle_count = model.particle_count() as u32;
        let counts = self.held.as_ref().map_or([0; 4], |held| held.counts);
        let [held_count, tet_count, segment_count, joint_count] = counts;
        let values = Values {
            particle_count,
            element_count: self.strains.as_ref().map_or(0, |strains| strains.count),
            sheet_count: self.strains.as_ref().map_or(0, |strains| strains.sheet_count),
            mode: recipe.mode(),
            held_counts: counts,
        };
        queue.write_buffer(&self.values, 0, bytemuck::bytes_of(&values));
        if self.bound.as_ref() != Some(state) {
            self.groups.clear();
            self.bound = Some(state.clone());
        }
        let mut groups = std::mem::take(&mut self.groups);
        let resource = |name: &str| self.resource(recipe, state, scalars, name).as_entire_binding();
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.bounds, 0, None);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let mut run = |name: &'static str, stage: &Compute, count: u32| {
            if count > 0 {
                let group = groups.entry(name).or_insert_with(|| stage.bind(device, resource));
                dispatch(&mut pass, stage, group, count);
            }
        };
        match recipe {
            Recipe::Speed => run("speed", &stages.speed, particle_count),
            Recipe::Strain { .. } => {
                run("element", &stages.element, values.element_count);
                run("strain", &stages.strain, particle_count);
            }
            Recipe::Held { .. } => {
                run("held", &stages.held, held_count);
                run("tet", &stages.tet, tet_count);
                run("segment", &stages.segment, segment_count);
                run("joint", &stages.joint, joint_count);
                run("gather", &stages.gather, particle_count);
            }
            Recipe::Joints { .. } => {
                run("joint", &stages.joint, joint_count);
                run("gather joints", &stages.gather, particle_count);
            }
            Recipe::Turns => {
                run("turn", &stages.turn, self.turned.as_ref().map_or(0, |turned| turned.rod_count));
                run("frame", &stages.frame, particle_count);
            }
            Recipe::Error => run("error", &stages.error, particle_count),
        }
        if asked.is_none() {
            run("range", &stages.range, particle_count);
        }
        run("carry", &stages.carry, self.carried_count);
        drop(pass);
        self.groups = groups;
        if asked.is_some() {
            queue.submit([encoder.finish()]);
            return Ok(asked);
        }
        encoder.copy_buffer_to_buffer(&self.bounds, 0, &self.staging, 0, 8);
        queue.submit([encoder.finish()]);
        let [high, low] = self.read_bounds(device)?.map(|bits| f64::from(f32::from_bits(bits)));
        Ok(Some([-low, high]))
    }

    /// Makes the lists that a recipe needs and that are not there yet.
    fn prepare(&mut self, device: &wgpu::Device, model: &Model, recipe: Recipe) -> Result<(), RenderError> {
        match recipe {
            Recipe::Strain { .. } if self.strains.is_none() => {
                self.strains = Some(StrainElements::new(device, model)?);
            }
            Recipe::Held { .. } | Recipe::Joints { .. } if self.held.is_none() => {
                self.held = Some(HeldElements::new(device, model)?);
            }
            Recipe::Turns if self.turned.is_none() => {
                self.turned = Some(TurnedRods::new(device, model)?);
            }
            _ => (),
        }
        Ok(())
    }

    /// The buffer that a shader of values knows by this name.
    fn resource<'a>(
        &'a self,
        recipe: Recipe,
        state: &'a DeviceState,
        scalars: &'a wgpu::Buffer,
        name: &str,
    ) -> &'a wgpu::Buffer {
        let strains = || self.strains.as_ref().expect("made before strains are");
        let held = || self.held.as_ref().expect("made before what is held is");
        let turned = || self.turned.as_ref().expect("made before turns are");
        let around = || match recipe {
            Recipe::Held { .. } => &held().around,
            Recipe::Joints { .. } => &held().joints_around,
            _ => &strains().around,
        };
        let iterates = || state.iterates.as_ref().expect("errors are made of two iterates");
        match name {
            "values" => &self.values,
            "positions" => &state.drawn,
            "velocities" => &state.velocities,
            "frames" => state.frames.as_ref().expect("only rods have segments and joints"),
            "scalars" => scalars,
            "value_bounds" => &self.bounds,
            "carried" => self.carried.as_ref().expect("carried only where there is something to carry to"),
            "elements" => &strains().elements,
            "element_strains" => &strains().strains,
            "element_starts" => &around().starts,
            "element_numbers" => &around().numbers,
            "gathered" if matches!(recipe, Recipe::Joints { .. }) => &held().joint_values,
            "gathered" | "element_values" => &held().values,
            "joint_values" => &held().joint_values,
            "inverse_masses" => &held().inverse_masses,
            "held" => &held().held,
            "held_tets" => &held().tets,
            "segments" => &held().segments,
            "joints" => &held().joints,
            "turned_rods" => &turned().rods,
            "frame_kinds" => &turned().kinds,
            "frame_turns" => &turned().turns,
            "last_frames" => &turned().last_frames,
            "offsets_before" => &iterates()[0],
            "offsets_after" => &iterates()[1],
            other => unreachable!("no shader of values binds `{other}`"),
        }
    }

    fn read_bounds(&self, device: &wgpu::Device) -> Result<[u32; 2], RenderError> {
        let failed = |error: &dyn std::fmt::Display| RenderError::ReadBack(error.to_string());
        let (sender, receiver) = std::sync::mpsc::channel();
        self.staging.map_async(wgpu::MapMode::Read, 0..8, move |result| {
            // The receiver waits below; if it is gone nobody wants the answer.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        let mapped = self.staging.get_mapped_range(0..8).map_err(|error| failed(&error))?;
        let bounds = bytemuck::pod_read_unaligned(&mapped);
        drop(mapped);
        self.staging.unmap();
        Ok(bounds)
    }
}
