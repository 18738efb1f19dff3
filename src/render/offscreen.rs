//! Pictures without a window, read back as bytes.

use super::camera::Camera;
use super::drawing::Drawing;
use super::error::RenderError;
use super::look::Look;
use super::read_back::ReadBack;
use super::renderer::{Canvas, Renderer};
use wgpu::TextureFormat;

/// A picture on the device that can be read back.
pub struct Offscreen {
    width: u32,
    height: u32,
    canvas: Canvas,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    read_back: ReadBack,
}

impl Offscreen {
    /// The format a renderer needs for pictures that are read back.
    pub const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

    /// Makes a picture of this size. The renderer must have been made for [`Self::FORMAT`] or its twin that leaves
    /// the sRGB curve to the shaders, which user interfaces like to show.
    pub fn new(renderer: &Renderer, width: u32, height: u32) -> Result<Self, RenderError> {
        let format = renderer.format();
        if format.add_srgb_suffix() != Self::FORMAT {
            let reason = format!("the renderer draws {format:?}, but only {:?} is read back", Self::FORMAT);
            return Err(RenderError::ReadBack(reason));
        }
        let canvas = renderer.canvas(width, height)?;
        let device = renderer.device();
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let read_back = ReadBack::new(device, width, height);
        let view = texture.create_view(&Default::default());
        Ok(Self { width, height, canvas, texture, view, read_back })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The picture on the device, to be shown without reading it back.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Records a picture; see [`Renderer::draw`].
    #[expect(clippy::too_many_arguments, reason = "as `Renderer::draw`, which it forwards to")]
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &Renderer,
        drawing: &mut Drawing,
        positions: &wgpu::Buffer,
        scalars: Option<&wgpu::Buffer>,
        camera: &Camera,
        look: &Look,
    ) -> Result<(), RenderError> {
        renderer.draw(encoder, drawing, positions, scalars, camera, look, &self.canvas, &self.view)
    }

    /// Draws and returns the picture: RGBA, 8 bits each, sRGB, rows from the top. Alpha is always 255.
    pub fn render_to_rgba(
        &self,
        renderer: &Renderer,
        drawing: &mut Drawing,
        positions: &wgpu::Buffer,
        scalars: Option<&wgpu::Buffer>,
        camera: &Camera,
        look: &Look,
    ) -> Result<Vec<u8>, RenderError> {
        let label = Some("offscreen picture");
        let descriptor = wgpu::CommandEncoderDescriptor { label };
        let mut encoder = renderer.device().create_command_encoder(&descriptor);
        self.draw(&mut encoder, renderer, drawing, positions, scalars, camera, look)?;
        renderer.queue().submit([encoder.finish()]);
        self.read(renderer)
    }

    /// The picture last drawn: RGBA, 8 bits each, sRGB, rows from the top. Alpha is always 255.
    pub fn read(&self, renderer: &Renderer) -> Result<Vec<u8>, RenderError> {
        self.read_back.read(renderer.device(), renderer.queue(), &self.texture)
    }
}
