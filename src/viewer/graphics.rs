//! Window surface, device and the painter of the user interface.

use super::ViewerError;
use crate::compute::{AdapterChoice, Gpu};
use crate::export::Image;
use crate::render::{ReadBack, RenderError, Renderer};
use std::sync::Arc;
use winit::window::Window;

/// Format of the scene's pictures: the shaders encode sRGB, as egui expects of textures.
pub const PICTURE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Everything on the device that outlives a scene.
pub struct Graphics {
    instance: wgpu::Instance,
    pub window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The surface has not taken its configuration yet.
    stale: bool,
    pub gpu: Gpu,
    pub renderer: Arc<Renderer>,
    pub painter: egui_wgpu::Renderer,
}

/// What egui wants painted.
pub struct Painting<'a> {
    pub jobs: &'a [egui::ClippedPrimitive],
    pub textures: &'a egui::TexturesDelta,
    pub pixels_per_point: f32,
}

impl Graphics {
    pub fn new(window: Arc<Window>, choice: &AdapterChoice) -> Result<Self, ViewerError> {
        let failed = |error: &dyn std::fmt::Display| ViewerError::Window(error.to_string());
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        // OpenGL is the last resort and needs a display of its own; see `compute::adapter`.
        descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window.clone()).map_err(|error| failed(&error))?;
        let (gpu, adapter) = pollster::block_on(Gpu::request_for(&instance, &surface, choice))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| failed(&"the adapter cannot draw to it"))?;
        // egui blends in the space of the display, so the surface must not convert.
        let formats = surface.get_capabilities(&adapter).formats;
        let plain = formats.iter().find(|format| !format.is_srgb());
        config.format = plain.copied().unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&gpu.device, &config);
        let painter = egui_wgpu::Renderer::new(&gpu.device, config.format, Default::default());
        let renderer = Arc::new(Renderer::new(&gpu.device, &gpu.queue, PICTURE));
        gpu.check()?;
        Ok(Self { instance, window, surface, config, stale: false, gpu, renderer, painter })
    }

    /// Follows the window's size. A size of zero, as of a minimised window, is left alone.
    pub fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 {
            let limit = self.gpu.device.limits().max_texture_dimension_2d;
            (self.config.width, self.config.height) = (width.min(limit), height.min(limit));
            self.configure();
        }
    }

    /// Gives the surface its configuration. It wants an idle device and refuses where a step begins meanwhile: then
    /// the next frame tries again.
    fn configure(&mut self) {
        let scope = self.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.surface.configure(&self.gpu.device, &self.config);
        self.stale = pollster::block_on(scope.pop()).is_some();
    }

    /// Physical pixels of the window.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The next picture of the window, or nothing if it cannot be shown now.
    fn acquire(&mut self) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.stale {
            self.configure();
        }
        if self.stale {
            return None;
        }
        match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => return Some(texture),
            Current::Timeout | Current::Occluded | Current::Validation => return None,
            Current::Outdated => {}
            Current::Lost => match self.instance.create_surface(self.window.clone()) {
                Ok(surface) => self.surface = surface,
                Err(_) => return None,
            },
        }
        self.configure();
        if self.stale {
            return None;
        }
        match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => Some(texture),
            _ => None,
        }
    }

    /// Paints the user interface into the window; returns a copy of what is shown if asked for.
    pub fn paint(&mut self, painting: &Painting, copy: bool) -> Result<Option<Image>, RenderError> {
        let (device, queue) = (self.gpu.device.clone(), self.gpu.queue.clone());
        for (id, deltas) in &painting.textures.set {
            for delta in deltas {
                self.painter.update_texture(&device, &queue, *id, delta);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: self.size(),
            pixels_per_point: painting.pixels_per_point,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let before = self.painter.update_buffers(&device, &queue, &mut encoder, painting.jobs, &screen);
        queue.submit(before.into_iter().chain([encoder.finish()]));
        let image = copy.then(|| self.paint_copy(painting, &screen)).transpose()?;
        if let Some(texture) = self.acquire() {
            let view = texture.texture.create_view(&Default::default());
            self.paint_into(&view, painting, &screen);
            self.window.pre_present_notify();
            queue.present(texture);
        }
        for id in &painting.textures.free {
            self.painter.free_texture(id);
        }
        Ok(image)
    }

    fn paint_into(
        &self,
        view: &wgpu::TextureView,
        painting: &Painting,
        screen: &egui_wgpu::ScreenDescriptor,
    ) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let colour = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("user interface"),
            color_attachments: &[Some(colour)],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), painting.jobs, screen);
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn paint_copy(
        &self,
        painting: &Painting,
        screen: &egui_wgpu::ScreenDescriptor,
    ) -> Result<Image, RenderError> {
        let [width, height] = screen.size_in_pixels;
        let texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("screenshot"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.config.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        self.paint_into(&texture.create_view(&Default::default()), painting, screen);
        let read_back = ReadBack::new(&self.gpu.device, width, height);
        let pixels = read_back.read(&self.gpu.device, &self.gpu.queue, &texture)?;
        Ok(Image { width, height, pixels })
    }
}
