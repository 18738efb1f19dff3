//! The pipelines of a frame, and what each of them binds.

use super::look::SMOOTH;
use super::shader::Shader;
use wgpu::{CompareFunction, TextureFormat};

pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// One pipeline with its shader.
pub(super) struct Stage<P> {
    shader: Shader,
    pub pipeline: P,
    layout: wgpu::BindGroupLayout,
}

pub(super) type Compute = Stage<wgpu::ComputePipeline>;
pub(super) type Draw = Stage<wgpu::RenderPipeline>;

/// Every pipeline of a frame, in the order they run.
pub(super) struct Stages {
    pub surface: Compute,
    pub collider: Compute,
    pub fit: Compute,
    pub shadow_mesh: Draw,
    pub shadow_capsule: Draw,
    pub sky: Compute,
    pub ground_sky: Compute,
    smooth: Screen,
    hard: Screen,
    pub shadow_sampler: wgpu::Sampler,
    pub ground_sampler: wgpu::Sampler,
}

/// The pipelines that draw the picture itself, for one number of samples of a pixel.
pub(super) struct Screen {
    pub mesh: Draw,
    pub capsule: Draw,
    pub ground: Draw,
    pub backdrop: Draw,
}

/// What each stage binds.
pub(super) struct Groups {
    pub surface: wgpu::BindGroup,
    pub collider: wgpu::BindGroup,
    pub fit: wgpu::BindGroup,
    pub shadow_mesh: wgpu::BindGroup,
    pub shadow_capsule: wgpu::BindGroup,
    pub sky: wgpu::BindGroup,
    pub ground_sky: wgpu::BindGroup,
    pub mesh: wgpu::BindGroup,
    pub capsule: wgpu::BindGroup,
    pub ground: wgpu::BindGroup,
    pub backdrop: wgpu::BindGroup,
}

impl Stages {
    pub fn new(device: &wgpu::Device, format: TextureFormat) -> Self {
        let compute = |name| compute_stage(device, name);
        let shadow = |name| {
            let strip = wgpu::PrimitiveState::default();
            draw_stage(device, name, strip, depth_state(CompareFunction::Less, true), 1, None)
        };
        Self {
            surface: compute("surface"),
            collider: compute("collider"),
            fit: compute("fit"),
            shadow_mesh: shadow("shadow_mesh"),
            shadow_capsule: shadow("shadow_capsule"),
            sky: compute("sky"),
            ground_sky: compute("ground_sky"),
            smooth: Screen::new(device, format, SMOOTH),
            hard: Screen::new(device, format, 1),
            shadow_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("shadow"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare: Some(CompareFunction::LessEqual),
                ..Default::default()
            }),
            ground_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("ground"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    /// What draws pictures with so many samples of a pixel.
    pub fn screen(&self, samples: u32) -> &Screen {
        if samples == 1 { &self.hard } else { &self.smooth }
    }

    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        samples: u32,
        resource: impl Fn(&str) -> wgpu::BindingResource<'a>,
    ) -> Groups {
        let screen = self.screen(samples);
        Groups {
            surface: self.surface.bind(device, &resource),
            collider: self.collider.bind(device, &resource),
            fit: self.fit.bind(device, &resource),
            shadow_mesh: self.shadow_mesh.bind(device, &resource),
            shadow_capsule: self.shadow_capsule.bind(device, &resource),
            sky: self.sky.bind(device, &resource),
            ground_sky: self.ground_sky.bind(device, &resource),
            mesh: screen.mesh.bind(device, &resource),
            capsule: screen.capsule.bind(device, &resource),
            ground: screen.ground.bind(device, &resource),
            backdrop: screen.backdrop.bind(device, &resource),
        }
    }
}

impl Screen {
    fn new(device: &wgpu::Device, format: TextureFormat, samples: u32) -> Self {
        let list = wgpu::PrimitiveState::default();
        let strip =
            wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() };
        // Seen from below the ground is not there, so that it hides nothing.
        let floor = wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..strip };
        let nearer = depth_state(CompareFunction::Greater, true);
        let behind = depth_state(CompareFunction::GreaterEqual, false);
        let draw = |name, primitive, depth| draw_stage(device, name, primitive, depth, samples, Some(format));
        Self {
            mesh: draw("mesh", list, nearer.clone()),
            capsule: draw("capsule", strip, nearer.clone()),
            ground: draw("ground", floor, nearer),
            backdrop: draw("backdrop", list, behind),
        }
    }
}

impl<P> Stage<P> {
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        resource: impl Fn(&str) -> wgpu::BindingResource<'a>,
    ) -> wgpu::BindGroup {
        self.shader.bind(device, &self.layout, resource)
    }
}

pub(super) fn compute_stage(device: &wgpu::Device, name: &'static str) -> Compute {
    let shader = Shader::new(device, name);
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module: &shader.module,
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    });
    let layout = pipeline.get_bind_group_layout(0);
    Stage { shader, pipeline, layout }
}

/// `target` is the colour format; without it only depth is written.
fn draw_stage(
    device: &wgpu::Device,
    name: &'static str,
    primitive: wgpu::PrimitiveState,
    depth: wgpu::DepthStencilState,
    samples: u32,
    target: Option<TextureFormat>,
) -> Draw {
    let shader = Shader::new(device, name);
    let targets = target.map(|format| Some(format.into()));
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(name),
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader.module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive,
        depth_stencil: Some(depth),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: targets.as_ref().map(|target| wgpu::FragmentState {
            module: &shader.module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: std::slice::from_ref(target),
        }),
        multiview_mask: None,
        cache: None,
    });
    let layout = pipeline.get_bind_group_layout(0);
    Stage { shader, pipeline, layout }
}

fn depth_state(compare: CompareFunction, write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    }
}
