//! A drawing whose buffers are looked at instead of drawn.

use sinew::Simulation;
use sinew::compute::Gpu;
use sinew::render::{Legend, Offscreen, Overlays, Presenter, Renderer, SceneDrawing};
use sinew::scene::{ColourBy, Scene};

/// A drawing and what fills it.
pub struct Easel {
    gpu: Gpu,
    renderer: Renderer,
    drawing: SceneDrawing,
    presenter: Presenter,
}

impl Easel {
    pub fn new(gpu: Gpu, scene: &Scene, simulation: &Simulation) -> Self {
        let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
        let overlays = Overlays { frames: true, ..Overlays::default() };
        let drawing = SceneDrawing::new(&renderer, scene, simulation.model(), overlays, 1.0).unwrap();
        let presenter = Presenter::new(&renderer, &drawing).unwrap();
        Self { gpu, renderer, drawing, presenter }
    }

    /// Positions and values that are drawn, the legend, and whether the solver's own positions are drawn.
    pub fn show(&mut self, simulation: &mut Simulation, colour: ColourBy) -> (Vec<f32>, Vec<f32>, Legend) {
        let shown = self.presenter.show(&self.renderer, simulation, colour, None).unwrap();
        assert!(shown.own.is_none(), "a scene with stripes is drawn from a buffer that has them");
        let [positions, scalars] =
            [&self.drawing.positions, &self.drawing.scalars].map(|buffer| self.read(buffer));
        (positions, scalars, shown.legend.expect("a legend for values"))
    }

    fn read(&self, buffer: &wgpu::Buffer) -> Vec<f32> {
        let staging = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        self.gpu.queue.submit([encoder.finish()]);
        staging.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
        self.gpu.wait().unwrap();
        bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..).unwrap())
    }
}
