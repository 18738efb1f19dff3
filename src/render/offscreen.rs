//! Pictures without a window, read back as bytes.

use super::camera::Camera;
use super::drawing::Drawing;
use super::error::RenderError;
use super::look::Look;
use super::renderer::{Canvas, Renderer};
use wgpu::TextureFormat;

/// A picture on the device that can be read back.
pub struct Offscreen {
    width: u32,
    height: u32,
    canvas: Canvas,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    read_back: wgpu::Buffer,
}

impl Offscreen {
    /// The format a renderer needs for pictures that are read back.
    pub const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

    /// Makes a picture of this size. The renderer must have been made for [`Self::FORMAT`].
    pub fn new(renderer: &Renderer, width: u32, height: u32) -> Result<Self, RenderError> {
        if renderer.format() != Self::FORMAT {
            let found = renderer.format();
            let reason = format!("the renderer draws {found:?}, but only {:?} is read back", Self::FORMAT);
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
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let read_back = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture read-back"),
            size: u64::from(row_bytes(width)) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&Default::default());
        Ok(Self { width, height, canvas, texture, view, read_back })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
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
        let (canvas, view) = (&self.canvas, &self.view);
        renderer.draw(&mut encoder, drawing, positions, scalars, camera, look, canvas, view)?;
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.read_back,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes(self.width)),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
        renderer.queue().submit([encoder.finish()]);
        self.read(renderer.device())
    }

    fn read(&self, device: &wgpu::Device) -> Result<Vec<u8>, RenderError> {
        let failed = |error: &dyn std::fmt::Display| RenderError::ReadBack(error.to_string());
        let (sender, receiver) = std::sync::mpsc::channel();
        self.read_back.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver waits below; if it is gone nobody wants the answer.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        let mapped = receiver.recv().map_err(|error| failed(&error))?;
        mapped.map_err(|error| failed(&error))?;
        let padded = self.read_back.get_mapped_range(..).map_err(|error| failed(&error))?;
        let width = 4 * self.width as usize;
        let mut pixels = Vec::with_capacity(width * self.height as usize);
        for row in padded.chunks_exact(row_bytes(self.width) as usize) {
            pixels.extend_from_slice(&row[..width]);
        }
        drop(padded);
        self.read_back.unmap();
        // Coverage went through alpha; the picture itself is opaque.
        pixels.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
        Ok(pixels)
    }
}

/// Bytes of a row in the read-back buffer, padded as copies from textures need it.
fn row_bytes(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
