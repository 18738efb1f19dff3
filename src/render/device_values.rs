//! Values that colours show, computed where the state lives: only their range goes to the host, for the legend.

use super::drawing::Maker;
use super::error::RenderError;
use super::renderer::{Renderer, dispatch};
use super::stages::{Compute, compute_stage};
use super::stripes::Stripes;
use crate::model::Model;
use crate::model::incidence::Incidence;
use crate::scene::ColourBy;
use crate::simulation::DeviceState;
use bytemuck::cast_slice;
use glam::DVec3;
use std::collections::HashMap;
use wgpu::BufferUsages as Usage;

/// The shaders that make values and stripes.
pub(super) struct ValueStages {
    pub stripe: Compute,
    speed: Compute,
    element: Compute,
    strain: Compute,
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
}

/// `Element` in shaders/render/value_element.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Element {
    particles: [u32; 4],
    rest: [[f32; 4]; 3],
}

/// A particle that an element does not have.
const NOBODY: u32 = u32::MAX;
/// `Values::mode` of the largest strain.
const LARGEST: u32 = 3;

/// What values are made with on the device.
pub(super) struct DeviceValues {
    values: wgpu::Buffer,
    /// Bits of the highest value and of −1 times the lowest.
    bounds: wgpu::Buffer,
    staging: wgpu::Buffer,
    carried: Option<wgpu::Buffer>,
    carried_count: u32,
    /// Made when strains are first asked for.
    elements: Option<Elements>,
    /// The state that the bind groups below are of, each made when its stage first runs.
    bound: Option<DeviceState>,
    groups: HashMap<&'static str, wgpu::BindGroup>,
}

struct Elements {
    elements: wgpu::Buffer,
    strains: wgpu::Buffer,
    starts: wgpu::Buffer,
    numbers: wgpu::Buffer,
    count: u32,
    sheet_count: u32,
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
            elements: None,
            bound: None,
            groups: HashMap::new(),
        })
    }

    /// Fills `scalars`, always the same buffer, with what a colouring shows. Returns the lowest and the highest value and
    /// zero, or the range that is asked for, which spares a reading back; nothing where the values are made on the host.
    pub fn compute(
        &mut self,
        renderer: &Renderer,
        model: &Model,
        state: &DeviceState,
        colour: ColourBy,
        asked: Option<[f64; 2]>,
        scalars: &wgpu::Buffer,
    ) -> Result<Option<[f64; 2]>, RenderError> {
        let mode = match colour {
            ColourBy::Velocity | ColourBy::Strain => LARGEST,
            ColourBy::Weft => 0,
            ColourBy::Warp => 1,
            ColourBy::Shear => 2,
            _ => return Ok(None),
        };
        let (device, queue, stages) = (renderer.device(), renderer.queue(), renderer.value_stages());
        if colour != ColourBy::Velocity && self.elements.is_none() {
            self.elements = Some(Elements::new(device, model)?);
        }
        let elements = self.elements.as_ref().filter(|_| colour != ColourBy::Velocity);
        let particle_count = model.particle_count() as u32;
        let values = Values {
            particle_count,
            element_count: elements.map_or(0, |elements| elements.count),
            sheet_count: elements.map_or(0, |elements| elements.sheet_count),
            mode,
        };
        queue.write_buffer(&self.values, 0, bytemuck::bytes_of(&values));
        if self.bound.as_ref() != Some(state) {
            self.groups.clear();
            self.bound = Some(state.clone());
        }
        let mut groups = std::mem::take(&mut self.groups);
        let resource = |name: &str| {
            let of_elements = |pick: fn(&Elements) -> &wgpu::Buffer| {
                pick(elements.expect("only stages of strains bind elements"))
            };
            let buffer = match name {
                "values" => &self.values,
                "positions" => &state.drawn,
                "velocities" => &state.velocities,
                "scalars" => scalars,
                "value_bounds" => &self.bounds,
                "carried" => {
                    self.carried.as_ref().expect("carried only where there is something to carry to")
                }
                "elements" => of_elements(|e| &e.elements),
                "element_strains" => of_elements(|e| &e.strains),
                "element_starts" => of_elements(|e| &e.starts),
                "element_numbers" => of_elements(|e| &e.numbers),
                other => unreachable!("no shader of values binds `{other}`"),
            };
            buffer.as_entire_binding()
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.bounds, 0, None);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let mut run = |name: &'static str, stage: &Compute, count: u32| {
            if count > 0 {
                let group = groups.entry(name).or_insert_with(|| stage.bind(device, resource));
                dispatch(&mut pass, stage, group, count);
            }
        };
        match elements {
            None => run("speed", &stages.speed, particle_count),
            Some(elements) => {
                run("element", &stages.element, elements.count);
                run("strain", &stages.strain, particle_count);
            }
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

impl Elements {
    /// Everything that has a strain, triangles of sheets first; the same as `model::measure::particle_strains` looks at.
    fn new(device: &wgpu::Device, model: &Model) -> Result<Self, RenderError> {
        let mut list = Vec::new();
        for membrane in model.elements.iter().flat_map(|elements| &elements.membranes) {
            let [a, b, c] = membrane.particles;
            let rest = membrane.inverse_rest.to_cols_array().map(|x| x as f32);
            list.push(Element { particles: [a, b, c, NOBODY], rest: [rest, [0.0; 4], [0.0; 4]] });
        }
        let sheet_count = list.len() as u32;
        let mut line = |[a, b]: [u32; 2], length: f64| {
            let rest = [[length as f32, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]];
            list.push(Element { particles: [a, b, NOBODY, NOBODY], rest });
        };
        for link in model.elements.iter().flat_map(|elements| &elements.links) {
            // What is slack on one side says nothing about the material.
            if model.materials[link.material as usize].iter().all(|&compliance| compliance >= 0.0) {
                line(link.ends, link.rest_length);
            }
        }
        for frame in model.rods.frames.iter().filter(|frame| !frame.is_wall()) {
            line(frame.particles, frame.rest_length);
        }
        for elements in &model.elements {
            for tet in [&elements.tets, &elements.position_tets, &elements.strain_tets].into_iter().flatten()
            {
                let row = |g: DVec3| g.as_vec3().extend(0.0).to_array();
                list.push(Element { particles: tet.particles, rest: tet.gradients.map(row) });
            }
        }
        let members = (0..).zip(&list).flat_map(|(number, element): (u32, &Element)| {
            element.particles.into_iter().filter(|p| *p != NOBODY).map(move |p| ([p], number))
        });
        let (corners, owners): (Vec<[u32; 1]>, Vec<u32>) = members.unzip();
        let incidence = Incidence::new(&corners, model.particle_count())
            .map_err(|error| RenderError::Buffer { what: "elements", reason: error.to_string() })?;
        let numbers: Vec<u32> = incidence.slots.iter().map(|slot| owners[*slot as usize]).collect();
        let make = Maker { device };
        Ok(Self {
            elements: make.filled("elements", cast_slice(&list), Usage::STORAGE)?,
            strains: make.empty("strains", 16 * list.len() as u64, Usage::STORAGE)?,
            starts: make.filled("elements", cast_slice(&incidence.starts), Usage::STORAGE)?,
            numbers: make.filled("elements", cast_slice(&numbers), Usage::STORAGE)?,
            count: list.len() as u32,
            sheet_count,
        })
    }
}
