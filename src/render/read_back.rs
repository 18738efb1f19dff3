//! Bytes of a picture from the device.

use super::error::RenderError;
use wgpu::TextureFormat;

/// Room in host memory for pictures of one size.
pub struct ReadBack {
    width: u32,
    height: u32,
    buffer: wgpu::Buffer,
}

impl ReadBack {
    pub fn new(device: &wgpu::Device, width: u32, height: u32) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture read-back"),
            size: u64::from(row_bytes(width)) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Self { width, height, buffer }
    }

    /// The contents of a texture of this size and 8 bits a channel: RGBA, rows from the top, alpha always 255.
    pub fn read(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        texture: &wgpu::Texture,
    ) -> Result<Vec<u8>, RenderError> {
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes(self.width)),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        queue.submit([encoder.finish()]);
        let failed = |error: &dyn std::fmt::Display| RenderError::ReadBack(error.to_string());
        let (sender, receiver) = std::sync::mpsc::channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver waits below; if it is gone nobody wants the answer.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        let mapped = receiver.recv().map_err(|error| failed(&error))?;
        mapped.map_err(|error| failed(&error))?;
        let padded = self.buffer.get_mapped_range(..).map_err(|error| failed(&error))?;
        let width = 4 * self.width as usize;
        let mut pixels = Vec::with_capacity(width * self.height as usize);
        for row in padded.chunks_exact(row_bytes(self.width) as usize) {
            pixels.extend_from_slice(&row[..width]);
        }
        drop(padded);
        self.buffer.unmap();
        let blue_first = texture.format().remove_srgb_suffix() == TextureFormat::Bgra8Unorm;
        for pixel in pixels.chunks_exact_mut(4) {
            if blue_first {
                pixel.swap(0, 2);
            }
            // Coverage went through alpha; the picture itself is opaque.
            pixel[3] = 255;
        }
        Ok(pixels)
    }
}

/// Bytes of a row in the read-back buffer, padded as copies from textures need it.
fn row_bytes(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
