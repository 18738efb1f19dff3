//! Everything that has a strain, on the device.

use super::drawing::Maker;
use super::error::RenderError;
use crate::model::Model;
use crate::model::incidence::Incidence;
use bytemuck::cast_slice;
use glam::DVec3;
use wgpu::BufferUsages as Usage;

/// A particle that an element does not have.
pub(super) const NOBODY: u32 = u32::MAX;

/// `Element` in shaders/render/value_element.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Element {
    particles: [u32; 4],
    rest: [[f32; 4]; 3],
}

pub(super) struct StrainElements {
    pub elements: wgpu::Buffer,
    pub strains: wgpu::Buffer,
    pub around: Around,
    pub count: u32,
    pub sheet_count: u32,
}

/// The elements at each particle, on the device: where each list begins, and their numbers.
pub(super) struct Around {
    pub starts: wgpu::Buffer,
    pub numbers: wgpu::Buffer,
}

impl Around {
    /// `members` has the particles of each element in turn; what is not a particle is skipped.
    pub fn new<'a>(
        device: &wgpu::Device,
        particle_count: usize,
        members: impl Iterator<Item = &'a [u32]>,
    ) -> Result<Self, RenderError> {
        let members = (0..).zip(members).flat_map(|(number, particles): (u32, &[u32])| {
            particles.iter().filter(|p| **p != NOBODY).map(move |p| ([*p], number))
        });
        let (corners, owners): (Vec<[u32; 1]>, Vec<u32>) = members.unzip();
        let incidence = Incidence::new(&corners, particle_count)
            .map_err(|error| RenderError::Buffer { what: "elements", reason: error.to_string() })?;
        let numbers: Vec<u32> = incidence.slots.iter().map(|slot| owners[*slot as usize]).collect();
        let make = Maker { device };
        Ok(Self {
            starts: make.filled("elements", cast_slice(&incidence.starts), Usage::STORAGE)?,
            numbers: make.filled("elements", cast_slice(&numbers), Usage::STORAGE)?,
        })
    }
}

impl StrainElements {
    /// Triangles of sheets first; the same as `measure::particle_strains` looks at.
    pub fn new(device: &wgpu::Device, model: &Model) -> Result<Self, RenderError> {
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
        for tet in model.elements.iter().flat_map(|elements| &elements.tets) {
            let row = |g: DVec3| g.as_vec3().extend(0.0).to_array();
            list.push(Element { particles: tet.particles, rest: tet.gradients.map(row) });
        }
        let members = list.iter().map(|element| &element.particles[..]);
        let make = Maker { device };
        Ok(Self {
            around: Around::new(device, model.particle_count(), members)?,
            elements: make.filled("elements", cast_slice(&list), Usage::STORAGE)?,
            strains: make.empty("strains", 16 * list.len() as u64, Usage::STORAGE)?,
            count: list.len() as u32,
            sheet_count,
        })
    }
}
