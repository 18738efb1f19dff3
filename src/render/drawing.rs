//! A geometry on the device, with everything a frame of it needs.

use super::coarse::reach;
use super::error::RenderError;
use super::geometry::{Geometry, Material, Run, albedo};
use super::look::Effort;
use super::stages::{Groups, LIGHT_BYTES, Stages};
use super::view::View;
use bytemuck::cast_slice;
use glam::Mat4;
use std::collections::BTreeSet;
use std::ops::Range;
use wgpu::{BufferUsages as Usage, TextureFormat, TextureUsages};

/// Device buffers made from a [`Geometry`]; [`super::Renderer::prepare`] makes it.
///
/// It holds one frame's camera and shadow maps, so each submit may draw it once.
pub struct Drawing {
    pub(super) particle_count: u32,
    pub(super) vertex_count: u32,
    pub(super) capsule_count: u32,
    /// Whether triangles are so many that a picture gains nothing by finer shadows than one value per vertex.
    pub(super) is_dense: bool,
    /// What is drawn of a dense surface in a draft.
    pub(super) lit_indices: Range<u32>,
    /// How many vertices are lit then: its own, and those of lines, points and colliders.
    pub(super) lit_count: u32,
    /// What casts shadows.
    pub(super) casters: Casters,
    /// Triangles of particles, and of colliders.
    pub(super) runs: Vec<Run>,
    pub(super) collider_runs: Vec<Run>,
    pub(super) buffers: Buffers,
    pub(super) maps: Option<Maps>,
    /// The bind groups and the solver's buffers they were made for.
    pub(super) bound: Option<Bound>,
}

pub(super) struct Buffers {
    pub view: wgpu::Buffer,
    pub lights: wgpu::Buffer,
    pub bounds: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    incident_starts: wgpu::Buffer,
    incident_edges: wgpu::Buffer,
    radii: wgpu::Buffer,
    pub vertices: wgpu::Buffer,
    pub normals: wgpu::Buffer,
    pub skies: wgpu::Buffer,
    pub colours: wgpu::Buffer,
    lit_vertices: wgpu::Buffer,
    vertex_bodies: wgpu::Buffer,
    bodies: wgpu::Buffer,
    capsules: wgpu::Buffer,
    collider_vertices: wgpu::Buffer,
    collider_normals: wgpu::Buffer,
    collider_poses: wgpu::Buffer,
    /// Stands in for buffers the caller does not have.
    nothing: wgpu::Buffer,
}

/// Ranges of indices of what casts shadows.
pub(super) struct Casters {
    pub colliders: Range<u32>,
    /// The same surface with fewer and fewer triangles, for depth maps that would not resolve the fine ones.
    pub meshes: [Range<u32>; 3],
}

impl Casters {
    /// For the key light's map.
    pub fn of_key(&self, effort: &Effort) -> [&Range<u32>; 2] {
        [&self.meshes[usize::from(effort.coarse_shadows)], &self.colliders]
    }

    /// For the sky's small maps.
    pub fn of_sky(&self, effort: &Effort) -> [&Range<u32>; 2] {
        [&self.meshes[1 + usize::from(effort.coarse_shadows)], &self.colliders]
    }
}

/// The depth maps and the floor's light at one quality.
pub(super) struct Maps {
    pub effort: Effort,
    pub key: wgpu::TextureView,
    pub sky: wgpu::TextureView,
    ground: wgpu::TextureView,
    ground_draft: wgpu::TextureView,
}

pub(super) struct Bound {
    positions: wgpu::Buffer,
    scalars: Option<wgpu::Buffer>,
    pub groups: Groups,
}

/// `Lights` in shaders/render/lights.wgsl: bounds, then the key light and each sky direction.
const LIGHTS_BYTES: u64 = LIGHTS_START + LIGHT_BYTES * (1 + super::look::SKY_LIMIT as u64);
/// The first light in it.
pub(super) const LIGHTS_START: u64 = 16;

/// Edges from a vertex of what is drawn in a draft to what it stands for.
const LIT_REACH: u32 = 1;
/// By how many edges the coarsest mesh is coarser than the coarse one.
const MORE_REACH: u32 = 2;
/// Triangles that are a few pixels large in a window.
const DENSE: usize = 50_000;

impl Drawing {
    pub(super) fn new(device: &wgpu::Device, geometry: &Geometry) -> Result<Self, RenderError> {
        geometry.check()?;
        let first = geometry.particle_count;
        let mut bodies = geometry.body_table();
        let runs = geometry.triangle_runs();
        let mut collider_runs = Vec::new();
        let mut indices: Vec<u32> = geometry.triangles.as_flattened().to_vec();
        let mut collider_vertices: Vec<[f32; 4]> = Vec::new();
        let mut collider_normals: Vec<[f32; 4]> = Vec::new();
        let mut shadow_end = indices.len() as u32;

        // Planes come last: the indices of what casts shadows are then one range.
        let (casting, flat): (Vec<_>, Vec<_>) =
            geometry.colliders.iter().enumerate().partition(|(_, collider)| collider.casts_shadow());
        for (index, collider) in casting.into_iter().chain(flat) {
            let mesh = collider.mesh(index)?;
            let base = first + collider_vertices.len() as u32;
            let start = indices.len() as u32;
            let casts = if collider.casts_shadow() { 1.0 } else { 0.0 };
            collider_vertices.extend(mesh.vertices.iter().map(|v| v.extend(index as f32).to_array()));
            collider_normals.extend(mesh.normals.iter().map(|n| n.extend(casts).to_array()));
            indices.extend(mesh.triangles.as_flattened().iter().map(|i| base + i));
            let end = indices.len() as u32;
            collider_runs.push(Run { indices: start..end, body: bodies.len() as u32 });
            bodies.push(albedo(collider.colour, Material::Solid));
            if collider.casts_shadow() {
                shadow_end = end;
            }
        }
        collider_runs.retain(|run| !run.indices.is_empty());
        let is_dense = geometry.triangles.len() >= DENSE;
        let vertex_bodies = if is_dense { geometry.vertex_bodies(&runs) } else { Vec::new() };
        let fine = 0..geometry.triangles.as_flattened().len() as u32;
        let mut thinned = |reach: u32| {
            let start = indices.len() as u32;
            runs.iter().for_each(|run| indices.extend(geometry.thinned(run, reach).as_flattened()));
            start..indices.len() as u32
        };
        let [mut coarse_mesh, mut coarsest] = [fine.clone(), fine.clone()];
        if let Some(reach) = reach(first as usize) {
            [coarse_mesh, coarsest] = [thinned(reach), thinned(reach + MORE_REACH)];
        }
        let lit_indices = if is_dense { thinned(LIT_REACH) } else { 0..0 };
        let casters = Casters { colliders: fine.end..shadow_end, meshes: [fine, coarse_mesh, coarsest] };

        let vertex_count = first + collider_vertices.len() as u32;
        let capsules = geometry.capsules();
        let lit = indices[lit_indices.start as usize..lit_indices.end as usize].iter().copied();
        let lit = lit.chain(capsules.iter().flat_map(|&[a, b, ..]| [a, b])).chain(first..vertex_count);
        let lit_vertices: BTreeSet<u32> = lit.filter(|_| is_dense).collect();
        let lit_vertices: Vec<u32> = lit_vertices.into_iter().collect();
        let (incident_starts, incident_edges) = geometry.incidence();
        let poses: Vec<Mat4> = geometry.colliders.iter().map(|collider| collider.pose).collect();
        let make = Maker { device };
        let each = |bytes: u64| bytes * u64::from(vertex_count);
        let buffers = Buffers {
            view: make.empty("view", size_of::<View>() as u64, Usage::UNIFORM)?,
            lights: make.empty("lights", LIGHTS_BYTES, Usage::STORAGE | Usage::UNIFORM | Usage::VERTEX)?,
            bounds: make.empty("bounds", 24, Usage::STORAGE)?,
            indices: make.filled("indices", cast_slice(&indices), Usage::INDEX)?,
            incident_starts: make.filled("triangles", cast_slice(&incident_starts), Usage::STORAGE)?,
            incident_edges: make.filled("triangles", cast_slice(&incident_edges), Usage::STORAGE)?,
            radii: make.filled("particles", cast_slice(&geometry.radii()), Usage::STORAGE)?,
            vertices: make.empty("particles", each(16), Usage::STORAGE | Usage::VERTEX)?,
            normals: make.empty("particles", each(16), Usage::STORAGE | Usage::VERTEX)?,
            skies: make.empty("particles", each(16), Usage::STORAGE | Usage::VERTEX)?,
            colours: make.empty(
                "particles",
                16 * vertex_bodies.len() as u64,
                Usage::STORAGE | Usage::VERTEX,
            )?,
            lit_vertices: make.filled("particles", cast_slice(&lit_vertices), Usage::STORAGE)?,
            vertex_bodies: make.filled("particles", cast_slice(&vertex_bodies), Usage::STORAGE)?,
            bodies: make.filled("bodies", cast_slice(&bodies), Usage::STORAGE)?,
            capsules: make.filled("lines and points", cast_slice(&capsules), Usage::STORAGE)?,
            collider_vertices: make.filled("colliders", cast_slice(&collider_vertices), Usage::STORAGE)?,
            collider_normals: make.filled("colliders", cast_slice(&collider_normals), Usage::STORAGE)?,
            collider_poses: make.filled("colliders", cast_slice(&poses), Usage::STORAGE)?,
            nothing: make.empty("nothing", 16, Usage::STORAGE)?,
        };
        Ok(Self {
            particle_count: geometry.particle_count,
            vertex_count,
            capsule_count: capsules.len() as u32,
            is_dense,
            lit_indices,
            lit_count: lit_vertices.len() as u32,
            casters,
            runs,
            collider_runs,
            buffers,
            maps: None,
            bound: None,
        })
    }

    /// Moves a collider, counted as in [`Geometry::colliders`], for the next submit. A pose that is not finite is ignored.
    pub fn set_collider_pose(&self, queue: &wgpu::Queue, index: usize, pose: Mat4) {
        let start = index as u64 * size_of::<Mat4>() as u64;
        if pose.is_finite() && start + size_of::<Mat4>() as u64 <= self.buffers.collider_poses.size() {
            queue.write_buffer(&self.buffers.collider_poses, start, bytemuck::bytes_of(&pose));
        }
    }

    /// Makes maps and bind groups if the quality or the solver's buffers changed since the last frame.
    pub(super) fn bind(
        &mut self,
        device: &wgpu::Device,
        stages: &Stages,
        effort: Effort,
        positions: &wgpu::Buffer,
        scalars: Option<&wgpu::Buffer>,
    ) -> Result<(), RenderError> {
        self.check_buffer("positions", positions, 16)?;
        if let Some(scalars) = scalars {
            self.check_buffer("scalars", scalars, 4)?;
        }
        if self.maps.as_ref().is_none_or(|maps| maps.effort != effort) {
            self.maps = Some(Maps::new(device, effort));
            self.bound = None;
        }
        let same = |bound: &Bound| bound.positions == *positions && bound.scalars.as_ref() == scalars;
        if self.bound.as_ref().is_some_and(same) {
            return Ok(());
        }
        let (buffers, maps) = (&self.buffers, self.maps.as_ref().expect("maps were made above"));
        let nothing = &buffers.nothing;
        let given = if self.particle_count == 0 { nothing } else { positions };
        let resource = |name: &str| match name {
            "positions" => given.as_entire_binding(),
            "scalars" => scalars.unwrap_or(nothing).as_entire_binding(),
            "view" => buffers.view.as_entire_binding(),
            "lights" => buffers.lights.as_entire_binding(),
            "bounds" => buffers.bounds.as_entire_binding(),
            "incident_starts" => buffers.incident_starts.as_entire_binding(),
            "incident_edges" => buffers.incident_edges.as_entire_binding(),
            "radii" => buffers.radii.as_entire_binding(),
            "vertices" => buffers.vertices.as_entire_binding(),
            "normals" => buffers.normals.as_entire_binding(),
            "skies" => buffers.skies.as_entire_binding(),
            "colours" => buffers.colours.as_entire_binding(),
            "lit_vertices" => buffers.lit_vertices.as_entire_binding(),
            "vertex_bodies" => buffers.vertex_bodies.as_entire_binding(),
            "bodies" => buffers.bodies.as_entire_binding(),
            "capsules" => buffers.capsules.as_entire_binding(),
            "collider_vertices" => buffers.collider_vertices.as_entire_binding(),
            "collider_normals" => buffers.collider_normals.as_entire_binding(),
            "collider_poses" => buffers.collider_poses.as_entire_binding(),
            "key_map" => wgpu::BindingResource::TextureView(&maps.key),
            "sky_map" => wgpu::BindingResource::TextureView(&maps.sky),
            "ground_light" | "ground_light_map" => wgpu::BindingResource::TextureView(&maps.ground),
            "ground_draft_light" | "ground_draft_map" => {
                wgpu::BindingResource::TextureView(&maps.ground_draft)
            }
            "shadow_sampler" => wgpu::BindingResource::Sampler(&stages.shadow_sampler),
            "ground_sampler" => wgpu::BindingResource::Sampler(&stages.ground_sampler),
            other => unreachable!("no shader of shaders/render binds `{other}`"),
        };
        let groups = stages.bind(device, effort.samples, resource);
        self.bound = Some(Bound { positions: positions.clone(), scalars: scalars.cloned(), groups });
        Ok(())
    }

    fn check_buffer(&self, what: &'static str, buffer: &wgpu::Buffer, each: u64) -> Result<(), RenderError> {
        let (found, count) = (buffer.size(), self.particle_count);
        let needed = each * u64::from(count);
        if found < needed {
            return Err(RenderError::BufferSize { what, found, count, needed });
        }
        if count > 0 && !buffer.usage().contains(Usage::STORAGE) {
            return Err(RenderError::BufferUsage { what });
        }
        Ok(())
    }
}

impl Maps {
    fn new(device: &wgpu::Device, effort: Effort) -> Self {
        let view = |label, [width, height]: [u32; 2], format, usage| {
            let descriptor = wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            };
            device.create_texture(&descriptor).create_view(&Default::default())
        };
        let depth = TextureFormat::Depth32Float;
        let drawn = TextureUsages::RENDER_ATTACHMENT;
        let light = TextureFormat::Rgba16Float;
        let sky_side = effort.sky_tiles() * effort.sky_pixels;
        Self {
            effort,
            key: view("key map", [effort.key_pixels; 2], depth, drawn),
            sky: view("sky map", [sky_side; 2], depth, drawn),
            ground: view("ground light", [effort.ground_pixels; 2], light, TextureUsages::STORAGE_BINDING),
            ground_draft: view("draft", effort.ground_draft, light, TextureUsages::STORAGE_BINDING),
        }
    }
}

pub(super) struct Maker<'a> {
    pub device: &'a wgpu::Device,
}

impl Maker<'_> {
    /// An empty list still needs a buffer to bind; the largest element of a shader's array is a matrix.
    const SMALLEST: u64 = 64;

    pub fn empty(&self, label: &'static str, size: u64, usage: Usage) -> Result<wgpu::Buffer, RenderError> {
        self.check(label, size)?;
        let size = size.max(Self::SMALLEST);
        let usage = usage | Usage::COPY_DST;
        let descriptor =
            wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        Ok(self.device.create_buffer(&descriptor))
    }

    pub fn filled(
        &self,
        label: &'static str,
        bytes: &[u8],
        usage: Usage,
    ) -> Result<wgpu::Buffer, RenderError> {
        self.check(label, bytes.len() as u64)?;
        if (bytes.len() as u64) < Self::SMALLEST {
            let mut contents = bytes.to_vec();
            contents.resize(Self::SMALLEST as usize, 0);
            return self.init(label, &contents, usage);
        }
        self.init(label, bytes, usage)
    }

    /// wgpu's own `create_buffer_init` panics if the device is lost or out of memory.
    fn init(&self, label: &'static str, contents: &[u8], usage: Usage) -> Result<wgpu::Buffer, RenderError> {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: contents.len() as u64,
            usage: usage | Usage::COPY_DST,
            mapped_at_creation: true,
        });
        let mapped = buffer.get_mapped_range_mut(..);
        mapped
            .map_err(|error| RenderError::Buffer { what: label, reason: error.to_string() })?
            .copy_from_slice(contents);
        buffer.unmap();
        Ok(buffer)
    }

    fn check(&self, what: &'static str, needed: u64) -> Result<(), RenderError> {
        let limits = self.device.limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if needed > limit { Err(RenderError::TooLarge { what, needed, limit }) } else { Ok(()) }
    }
}
