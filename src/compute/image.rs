//! Images of buffers, for software adapters: textures through which kernels read and write.
//!
//! Mesa's software driver assembles a vector loaded from a storage buffer lane by lane: 26 ns of a core for a `vec4`, where
//! a texel of a storage image takes 0.8 ns (and one of a sampled texture 2.1). Stores are 2.7 ns to a buffer and 4.7 ns to
//! an image, which copies between the two would eat up. Devices of silicon do not care, so they keep plain buffers. The
//! shader is written once, for buffers; [`super::image_shader`] makes the other one of it.
//!
//! A buffer and its image hold the same as long as nobody writes. Then one of them is behind, and is copied from the
//! other when a pass, the host or a picture asks for it.

use super::buffers::Element;
use super::image_shader::texel;

/// Texels per row. 8,192 rows, WebGPU's limit, then hold 33 million elements.
pub(super) const ROW: u32 = 4096;
const MOST_ROWS: u32 = 8192;

/// A buffer or its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Buffer,
    Image,
}

/// A buffer's contents as a texture.
pub(super) struct Image {
    texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    /// Elements.
    len: u32,
    element_bytes: u32,
    /// The one that was not written last.
    behind: Option<Side>,
}

impl Image {
    /// Whether a buffer of so many elements fits into an image.
    pub fn fits(len: usize) -> bool {
        len as u64 <= u64::from(ROW) * u64::from(MOST_ROWS)
    }

    /// An image that is behind its buffer.
    pub fn new(device: &wgpu::Device, name: &str, element: Element, len: usize) -> Self {
        let format = texel(element.name()).expect("every element has a texel").format;
        let len = len as u32;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some(name),
            size: wgpu::Extent3d {
                width: len.clamp(1, ROW),
                height: len.div_ceil(ROW).max(1),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        let element_bytes = 4 * element.width() as u32;
        Self { texture, view, len, element_bytes, behind: Some(Side::Image) }
    }

    /// Whether this side lacks what was written to the other.
    pub fn is_behind(&self, side: Side) -> bool {
        self.behind == Some(side)
    }

    /// Notes that something writes this side.
    pub fn note_write(&mut self, side: Side) {
        self.behind = Some(match side {
            Side::Buffer => Side::Image,
            Side::Image => Side::Buffer,
        });
    }

    /// Copies to this side if it is behind: full rows, then what is left.
    pub fn refresh(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer, side: Side) {
        if !self.is_behind(side) {
            return;
        }
        self.behind = None;
        let (full, left) = (self.len / ROW, self.len % ROW);
        for (row, width, height) in [(0, ROW, full), (full, left, 1)] {
            if width == 0 || height == 0 {
                continue;
            }
            let in_buffer = wgpu::TexelCopyBufferInfo {
                buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: u64::from(row) * u64::from(ROW * self.element_bytes),
                    bytes_per_row: (height > 1).then_some(ROW * self.element_bytes),
                    rows_per_image: None,
                },
            };
            let in_image = wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: row, z: 0 },
                aspect: wgpu::TextureAspect::All,
            };
            let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
            match side {
                Side::Image => encoder.copy_buffer_to_texture(in_buffer, in_image, size),
                Side::Buffer => encoder.copy_texture_to_buffer(in_image, in_buffer, size),
            }
        }
    }
}
