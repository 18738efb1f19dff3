//! The passes of a frame.

use super::camera::Camera;
use super::device_values::ValueStages;
use super::drawing::{Buffers, Drawing, LIGHTS_START};
use super::error::RenderError;
use super::geometry::{Geometry, Run};
use super::look::{Look, SMOOTH};
use super::stages::{Compute, DEPTH, Draw, Groups, Stages};
use super::view::View;
use std::ops::Range;
use std::sync::OnceLock;
use wgpu::TextureFormat;

/// Threads of a group in the shaders that run once per vertex.
const GROUP: u32 = 64;
/// Threads along a side of a group in the shaders that fill a texture.
const TILE: u32 = 8;
/// Corners of the polygon that stands for a capsule in a depth map, as a fan.
const SHADOW_CAPSULE_CORNERS: u32 = 18;

/// Pipelines; made once per device and target format.
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    format: TextureFormat,
    stages: Stages,
    /// Made when values or stripes are first asked for.
    value_stages: OnceLock<ValueStages>,
}

/// What a picture is drawn into besides its target; made once per picture size.
pub struct Canvas {
    width: u32,
    height: u32,
    /// Colour and depth with several samples of a pixel, made when first drawn to.
    smooth: OnceLock<[wgpu::TextureView; 2]>,
    /// Depth with one sample of a pixel; its colour is the target's.
    hard: OnceLock<wgpu::TextureView>,
}

impl Renderer {
    /// `format` is that of the pictures: any colour format that can be drawn to and resolved. If it does not encode
    /// sRGB by itself, the shaders do.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, format: TextureFormat) -> Self {
        let stages = Stages::new(device, format);
        Self { device: device.clone(), queue: queue.clone(), format, stages, value_stages: OnceLock::new() }
    }

    pub(super) fn value_stages(&self) -> &ValueStages {
        self.value_stages.get_or_init(|| ValueStages::new(&self.device))
    }

    pub fn format(&self) -> TextureFormat {
        self.format
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Makes the device buffers of a geometry.
    pub fn prepare(&self, geometry: &Geometry) -> Result<Drawing, RenderError> {
        Drawing::new(&self.device, geometry)
    }

    /// Makes what a picture of this size is drawn into.
    pub fn canvas(&self, width: u32, height: u32) -> Result<Canvas, RenderError> {
        let limit = self.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::Size { width, height, limit });
        }
        Ok(Canvas { width, height, smooth: OnceLock::new(), hard: OnceLock::new() })
    }

    /// A part of a canvas.
    fn layer(&self, canvas: &Canvas, format: TextureFormat, samples: u32) -> wgpu::TextureView {
        let descriptor = wgpu::TextureDescriptor {
            label: Some("canvas"),
            size: wgpu::Extent3d { width: canvas.width, height: canvas.height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        };
        self.device.create_texture(&descriptor).create_view(&Default::default())
    }

    /// Records a picture into `target`, which has the renderer's format and the canvas's size.
    ///
    /// `positions` is the solver's own buffer, `array<vec4<f32>>` with xyz in metres and w ignored; `scalars` is an
    /// `array<f32>` per particle, needed to colour by scalar. Each submit may draw a drawing once, because its camera
    /// is written when the commands are submitted.
    #[expect(
        clippy::too_many_arguments,
        reason = "a picture needs all of these, and a struct of them would only rename the call"
    )]
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        drawing: &mut Drawing,
        positions: &wgpu::Buffer,
        scalars: Option<&wgpu::Buffer>,
        camera: &Camera,
        look: &Look,
        canvas: &Canvas,
        target: &wgpu::TextureView,
    ) -> Result<(), RenderError> {
        camera.check()?;
        let effort = look.quality.effort();
        drawing.bind(&self.device, &self.stages, effort, positions, scalars)?;
        let counts = [drawing.particle_count, drawing.vertex_count, drawing.capsule_count];
        let encode = !self.format.is_srgb();
        let size = [canvas.width, canvas.height];
        let view = View::new(camera, look, size, counts, scalars.is_some(), encode);
        self.queue.write_buffer(&drawing.buffers.view, 0, bytemuck::bytes_of(&view));

        let has_ground = view.ground_colour.w > 0.0;
        self.measure(encoder, drawing);
        self.draw_shadows(encoder, drawing);
        self.gather_light(encoder, drawing, has_ground);
        self.draw_picture(encoder, drawing, canvas, target, effort.samples, has_ground);
        Ok(())
    }

    /// Positions made safe, normals, bounds, and lights that fit them.
    fn measure(&self, encoder: &mut wgpu::CommandEncoder, drawing: &Drawing) {
        let groups = drawing.groups();
        encoder.clear_buffer(&drawing.buffers.bounds, 0, None);
        let mut pass = encoder.begin_compute_pass(&compute_pass("measure"));
        let collider_vertices = drawing.vertex_count - drawing.particle_count;
        dispatch(&mut pass, &self.stages.surface, &groups.surface, drawing.particle_count);
        dispatch(&mut pass, &self.stages.collider, &groups.collider, collider_vertices);
        dispatch(&mut pass, &self.stages.fit, &groups.fit, 1);
    }

    /// Depth from the sky directions, side by side in one texture, and from the key light.
    fn draw_shadows(&self, encoder: &mut wgpu::CommandEncoder, drawing: &Drawing) {
        let groups = drawing.groups();
        let maps = drawing.maps.as_ref().expect("maps are made with the bind groups");
        let casters = |pass: &mut wgpu::RenderPass, light: u32, meshes: [&Range<u32>; 2]| {
            pass.set_pipeline(&self.stages.shadow_mesh.pipeline);
            pass.set_vertex_buffer(0, drawing.buffers.vertices.slice(..));
            pass.set_vertex_buffer(1, drawing.buffers.lights.slice(LIGHTS_START..));
            for indices in meshes.into_iter().filter(|indices| !indices.is_empty()) {
                pass.draw_indexed(indices.clone(), 0, light..light + 1);
            }
            let count = drawing.capsule_count;
            // Instance numbers hold light and capsule together; beyond 2³² the last lights go without.
            let Some(end) = (light + 1).checked_mul(count).filter(|_| count > 0) else {
                return;
            };
            pass.set_pipeline(&self.stages.shadow_capsule.pipeline);
            pass.set_bind_group(0, &groups.shadow_capsule, &[]);
            pass.draw(0..SHADOW_CAPSULE_CORNERS, end - count..end);
        };

        let mut pass = encoder.begin_render_pass(&depth_pass("sky maps", &maps.sky));
        pass.set_index_buffer(drawing.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
        let side = maps.effort.sky_pixels as f32;
        for k in 0..maps.effort.sky_count {
            let (column, row) = (k % maps.effort.sky_tiles(), k / maps.effort.sky_tiles());
            pass.set_viewport(column as f32 * side, row as f32 * side, side, side, 0.0, 1.0);
            casters(&mut pass, k + 1, drawing.casters.of_sky(&maps.effort));
        }
        drop(pass);

        let mut pass = encoder.begin_render_pass(&depth_pass("key map", &maps.key));
        pass.set_index_buffer(drawing.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
        casters(&mut pass, 0, drawing.casters.of_key(&maps.effort));
    }

    /// Light of the sky on every vertex and on the floor; for drafts also what would else be found in every pixel.
    fn gather_light(&self, encoder: &mut wgpu::CommandEncoder, drawing: &Drawing, has_ground: bool) {
        let groups = drawing.groups();
        let maps = drawing.maps.as_ref().expect("maps are made with the bind groups");
        let mut pass = encoder.begin_compute_pass(&compute_pass("sky"));
        if drawing.is_lit() {
            dispatch(&mut pass, &self.stages.sky_lit, &groups.sky_lit, drawing.lit_count);
        } else {
            dispatch(&mut pass, &self.stages.sky, &groups.sky, drawing.vertex_count);
        }
        let mut fill = |stage: &Compute, group, size: [u32; 2]| {
            let [columns, rows] = size.map(|pixels| pixels.div_ceil(TILE));
            pass.set_pipeline(&stage.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(columns, rows, 1);
        };
        if has_ground {
            fill(&self.stages.ground_sky, &groups.ground_sky, [maps.effort.ground_pixels; 2]);
        }
        if has_ground && drawing.is_lit() {
            fill(&self.stages.ground_draft, &groups.ground_draft, maps.effort.ground_draft);
        }
    }

    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        drawing: &Drawing,
        canvas: &Canvas,
        target: &wgpu::TextureView,
        samples: u32,
        has_ground: bool,
    ) {
        let (groups, screen) = (drawing.groups(), self.stages.screen(samples));
        let (view, resolve_target, depth, store) = if samples == 1 {
            let depth = canvas.hard.get_or_init(|| self.layer(canvas, DEPTH, 1));
            (target, None, depth, wgpu::StoreOp::Store)
        } else {
            let make = || [self.format, DEPTH].map(|format| self.layer(canvas, format, SMOOTH));
            let [colour, depth] = canvas.smooth.get_or_init(make);
            (colour, Some(target), depth, wgpu::StoreOp::Discard)
        };
        let load = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let ops = wgpu::Operations { load, store };
        let colour = wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(colour)],
            depth_stencil_attachment: Some(depth_attachment(depth, 0.0, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        pass.set_index_buffer(drawing.buffers.indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut meshes = |stage: &Draw, group, buffers: &[&wgpu::Buffer], runs: &[Run]| {
            pass.set_pipeline(&stage.pipeline);
            pass.set_bind_group(0, group, &[]);
            for (slot, buffer) in (0..).zip(buffers) {
                pass.set_vertex_buffer(slot, buffer.slice(..));
            }
            for run in runs {
                pass.draw_indexed(run.indices.clone(), 0, run.body..run.body + 1);
            }
        };
        let Buffers { vertices, normals, skies, colours, .. } = &drawing.buffers;
        if drawing.is_lit() {
            let run = Run { indices: drawing.lit_indices.clone(), body: 0 };
            meshes(&screen.lit_mesh, &groups.lit_mesh, &[vertices, colours], &[run]);
        } else {
            meshes(&screen.mesh, &groups.mesh, &[vertices, normals, skies], &drawing.runs);
        }
        meshes(&screen.mesh, &groups.mesh, &[vertices, normals, skies], &drawing.collider_runs);
        let mut quads = |stage: &Draw, group, corners, instances| {
            pass.set_pipeline(&stage.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..corners, 0..instances);
        };
        if drawing.capsule_count > 0 {
            quads(&screen.capsule, &groups.capsule, 4, drawing.capsule_count);
        }
        if has_ground && drawing.is_lit() {
            quads(&screen.ground_draft, &groups.ground_draft_picture, 4, 1);
        } else if has_ground {
            quads(&screen.ground, &groups.ground, 4, 1);
        }
        // Last, so that only what nothing covers is computed.
        quads(&screen.backdrop, &groups.backdrop, 3, 1);
    }
}

impl Drawing {
    fn groups(&self) -> &Groups {
        &self.bound.as_ref().expect("`bind` runs before the passes are recorded").groups
    }

    /// Whether meshes are lit at their vertices, and the floor through a map: what is dense throws no thin shadows.
    fn is_lit(&self) -> bool {
        self.is_dense && self.maps.as_ref().is_some_and(|maps| maps.effort.vertex_light)
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}

fn depth_pass<'a>(label: &'a str, view: &'a wgpu::TextureView) -> wgpu::RenderPassDescriptor<'a> {
    wgpu::RenderPassDescriptor {
        label: Some(label),
        depth_stencil_attachment: Some(depth_attachment(view, 1.0, wgpu::StoreOp::Store)),
        ..Default::default()
    }
}

fn compute_pass(label: &str) -> wgpu::ComputePassDescriptor<'_> {
    wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None }
}

/// One thread per item, in two dimensions where one is too short.
pub(super) fn dispatch(pass: &mut wgpu::ComputePass, stage: &Compute, group: &wgpu::BindGroup, count: u32) {
    const LONGEST: u32 = 65_535; // groups along one dimension that every device takes
    if count == 0 {
        return;
    }
    let groups = count.div_ceil(GROUP);
    let rows = groups.div_ceil(LONGEST);
    pass.set_pipeline(&stage.pipeline);
    pass.set_bind_group(0, group, &[]);
    pass.dispatch_workgroups(groups.min(LONGEST), rows, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Line, Point};
    use glam::Vec3;

    /// wgpu panics on any validation error, so making and recording is the test; no adapter is needed.
    #[test]
    fn pipelines_build_and_a_frame_records_within_default_limits() {
        let (device, queue) = wgpu::Device::noop(&Default::default());
        for format in
            [TextureFormat::Rgba8UnormSrgb, TextureFormat::Bgra8UnormSrgb, TextureFormat::Bgra8Unorm]
        {
            let renderer = Renderer::new(&device, &queue, format);
            let geometry = Geometry {
                particle_count: 3,
                triangles: &[[0, 1, 2]],
                lines: &[Line { ends: [0, 1], radius: 0.1 }],
                points: &[Point { particle: 2, radius: 0.1 }],
                ..Default::default()
            };
            let mut drawing = renderer.prepare(&geometry).unwrap();
            let canvas = renderer.canvas(16, 9).unwrap();
            let target = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: 16, height: 9, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            let target = target.create_view(&Default::default());
            let positions = device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 48,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            });
            let camera = Camera::framing(-Vec3::ONE, Vec3::ONE, 16.0 / 9.0);
            let mut encoder = device.create_command_encoder(&Default::default());
            renderer
                .draw(
                    &mut encoder,
                    &mut drawing,
                    &positions,
                    None,
                    &camera,
                    &Look::default(),
                    &canvas,
                    &target,
                )
                .unwrap();
            queue.submit([encoder.finish()]);
        }
    }
}
