//! The pipelines of a frame, and what each of them binds.

use super::look::SMOOTH;
use super::shader::Shader;
use wgpu::{CompareFunction, TextureFormat};

pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Where a vertex is, from the buffer `vertices`.
const PLACE: wgpu::VertexBufferLayout = wgpu::VertexBufferLayout {
    array_stride: 16,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x4],
};
/// `Light` in shaders/render/lights.wgsl.
pub(super) const LIGHT_BYTES: u64 = 5 * 16;

/// One pipeline with its shader.
pub(super) struct Stage<P> {
    shader: Shader,
    pub pipeline: P,
    /// None if the shader binds nothing.
    layout: Option<wgpu::BindGroupLayout>,
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
    /// The same, with the colours of dense meshes.
    pub sky_lit: Compute,
    pub ground_sky: Compute,
    pub ground_draft: Compute,
    smooth: Screen,
    hard: Screen,
    pub shadow_sampler: wgpu::Sampler,
    pub ground_sampler: wgpu::Sampler,
}

/// The pipelines that draw the picture itself, for one number of samples of a pixel.
pub(super) struct Screen {
    pub mesh: Draw,
    /// Meshes whose vertices are lit.
    pub lit_mesh: Draw,
    pub capsule: Draw,
    pub ground: Draw,
    /// With light from a map.
    pub ground_draft: Draw,
    pub backdrop: Draw,
}

/// What each stage binds.
pub(super) struct Groups {
    pub surface: wgpu::BindGroup,
    pub collider: wgpu::BindGroup,
    pub fit: wgpu::BindGroup,
    pub shadow_capsule: wgpu::BindGroup,
    pub sky: wgpu::BindGroup,
    pub sky_lit: wgpu::BindGroup,
    pub ground_sky: wgpu::BindGroup,
    pub ground_draft: wgpu::BindGroup,
    pub mesh: wgpu::BindGroup,
    pub lit_mesh: wgpu::BindGroup,
    pub capsule: wgpu::BindGroup,
    pub ground: wgpu::BindGroup,
    pub ground_draft_picture: wgpu::BindGroup,
    pub backdrop: wgpu::BindGroup,
}

impl Stages {
    pub fn new(device: &wgpu::Device, format: TextureFormat) -> Self {
        let compute = |name| compute_stage(device, name);
        let shadow = |name, corners: &[_]| {
            let form = Form { corners, ..Form::new(depth_state(CompareFunction::Less, true)) };
            draw_stage(device, name, form, 1, None)
        };
        let light = wgpu::VertexBufferLayout {
            array_stride: LIGHT_BYTES,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![1 => Float32x4, 2 => Float32x4, 3 => Float32x4],
        };
        Self {
            surface: compute("surface"),
            collider: compute("collider"),
            fit: compute("fit"),
            shadow_mesh: shadow("shadow_mesh", &[Some(PLACE), Some(light)]),
            shadow_capsule: shadow("shadow_capsule", &[]),
            sky: compute("sky"),
            sky_lit: compute_variant(device, "sky", &[("LIT", 1.0)]),
            ground_sky: compute("ground_sky"),
            ground_draft: compute("ground_draft"),
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
            shadow_capsule: self.shadow_capsule.bind(device, &resource),
            sky: self.sky.bind(device, &resource),
            sky_lit: self.sky_lit.bind(device, &resource),
            ground_sky: self.ground_sky.bind(device, &resource),
            ground_draft: self.ground_draft.bind(device, &resource),
            mesh: screen.mesh.bind(device, &resource),
            lit_mesh: screen.lit_mesh.bind(device, &resource),
            capsule: screen.capsule.bind(device, &resource),
            ground: screen.ground.bind(device, &resource),
            ground_draft_picture: screen.ground_draft.bind(device, &resource),
            backdrop: screen.backdrop.bind(device, &resource),
        }
    }
}

impl Screen {
    fn new(device: &wgpu::Device, format: TextureFormat, samples: u32) -> Self {
        let strip =
            wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() };
        // Seen from below the ground is not there, so that it hides nothing.
        let floor = wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..strip };
        let nearer = depth_state(CompareFunction::Greater, true);
        let behind = depth_state(CompareFunction::GreaterEqual, false);
        let draw = |name, form| draw_stage(device, name, form, samples, Some(format));
        let each = |attributes| {
            let step_mode = wgpu::VertexStepMode::Vertex;
            Some(wgpu::VertexBufferLayout { array_stride: 16, step_mode, attributes })
        };
        let [first, second] = [[1u32], [2]].map(|[location]| {
            let format = wgpu::VertexFormat::Float32x4;
            [wgpu::VertexAttribute { format, offset: 0, shader_location: location }]
        });
        let both = wgpu::vertex_attr_array![1 => Unorm16x4, 2 => Unorm16x4];
        let (normal, sky, colours) = (each(&first), each(&second), each(&both));
        let place = Some(PLACE);
        let solid = Form::new(nearer);
        Self {
            mesh: draw("mesh", Form { corners: &[place.clone(), normal, sky], ..solid.clone() }),
            lit_mesh: draw("lit_mesh", Form { corners: &[place, colours], ..solid.clone() }),
            capsule: draw("capsule", Form { primitive: strip, ..solid.clone() }),
            ground: draw("ground", Form { primitive: floor, ..solid.clone() }),
            ground_draft: draw("ground", Form { primitive: floor, constants: &[("DRAFT", 1.0)], ..solid }),
            backdrop: draw("backdrop", Form::new(behind)),
        }
    }
}

impl<P> Stage<P> {
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        resource: impl Fn(&str) -> wgpu::BindingResource<'a>,
    ) -> wgpu::BindGroup {
        let layout = self.layout.as_ref().expect("a stage that binds nothing is not bound");
        self.shader.bind(device, layout, resource)
    }
}

pub(super) fn compute_stage(device: &wgpu::Device, name: &'static str) -> Compute {
    compute_variant(device, name, &[])
}

/// The shader with other values for its `override` constants.
fn compute_variant(device: &wgpu::Device, name: &'static str, constants: &[(&str, f64)]) -> Compute {
    let shader = Shader::new(device, name);
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: None,
        module: &shader.module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    });
    let layout = shader.binds_something().then(|| pipeline.get_bind_group_layout(0));
    Stage { shader, pipeline, layout }
}

/// What is drawn in one way: triangles of what, behind what.
#[derive(Clone)]
struct Form<'a> {
    primitive: wgpu::PrimitiveState,
    depth: wgpu::DepthStencilState,
    /// The buffers that corners come from.
    corners: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Values for the shader's `override` constants.
    constants: &'a [(&'a str, f64)],
}

impl Form<'_> {
    /// A list of triangles that needs no buffers.
    fn new(depth: wgpu::DepthStencilState) -> Self {
        Self { primitive: Default::default(), depth, corners: &[], constants: &[] }
    }
}

/// `target` is the colour format; without it only depth is written.
fn draw_stage(
    device: &wgpu::Device,
    name: &'static str,
    Form { primitive, depth, corners, constants }: Form,
    samples: u32,
    target: Option<TextureFormat>,
) -> Draw {
    let shader = Shader::new(device, name);
    let targets = target.map(|format| Some(format.into()));
    let compilation_options = wgpu::PipelineCompilationOptions { constants, ..Default::default() };
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(name),
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader.module,
            entry_point: None,
            compilation_options: compilation_options.clone(),
            buffers: corners,
        },
        primitive,
        depth_stencil: Some(depth),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: targets.as_ref().map(|target| wgpu::FragmentState {
            module: &shader.module,
            entry_point: None,
            compilation_options,
            targets: std::slice::from_ref(target),
        }),
        multiview_mask: None,
        cache: None,
    });
    let layout = shader.binds_something().then(|| pipeline.get_bind_group_layout(0));
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
