//! Images of buffers, for software adapters: what a kernel only reads, it reads from a texture.
//!
//! Mesa's software driver assembles a vector loaded from a storage buffer lane by lane, about 13 ns for a `vec4`; a
//! texel comes through its sampling code in 1.2 ns. Devices of silicon do not care, so they keep plain buffers. The
//! shader is written once, for buffers: [`rewrite`] turns its read-only arrays into textures of the same name. The
//! buffer stays the truth; its [`Image`] is copied from it when a pass is about to read it and something has written
//! since.

use super::kernel::Access;
use super::reflect::{Reflected, ReflectedBinding};

/// Texels per row. 8,192 rows, WebGPU's limit, then hold 33 million elements.
const ROW: u32 = 4096;
const MOST_ROWS: u32 = 8192;

/// The format and WGSL type of an element's texel, and how to get the element out of what `textureLoad` returns.
fn texel(element: &str) -> Option<(wgpu::TextureFormat, &'static str, &'static str)> {
    Some(match element {
        "real" => (wgpu::TextureFormat::R32Float, "f32", ".x"),
        "real2" => (wgpu::TextureFormat::Rg32Float, "f32", ".xy"),
        "real4" => (wgpu::TextureFormat::Rgba32Float, "f32", ""),
        "uint" => (wgpu::TextureFormat::R32Uint, "u32", ".x"),
        "uint2" => (wgpu::TextureFormat::Rg32Uint, "u32", ".xy"),
        "uint4" => (wgpu::TextureFormat::Rgba32Uint, "u32", ""),
        _ => return None,
    })
}

/// Whether a binding can read an image: it only reads, and never asks how long the array is.
pub(super) fn is_readable(reflected: &Reflected, binding: &ReflectedBinding) -> bool {
    binding.access == Access::Read
        && texel(&binding.element).is_some()
        && !reflected.source.contains(&format!("&{})", binding.name))
}

/// The layout of a binding that reads an image.
pub(super) fn binding_type(binding: &ReflectedBinding) -> wgpu::BindingType {
    let sample_type = match binding.element.starts_with("real") {
        true => wgpu::TextureSampleType::Float { filterable: false },
        false => wgpu::TextureSampleType::Uint,
    };
    wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

/// The shader with the arrays that [`is_readable`] says turned into textures of the same names.
pub(super) fn rewrite(reflected: &Reflected) -> String {
    let arrays: Vec<&ReflectedBinding> =
        reflected.bindings.iter().filter(|binding| is_readable(reflected, binding)).collect();
    let mut text = String::with_capacity(2 * reflected.source.len());
    rewrite_part(&reflected.source, &arrays, &mut text);
    text.push_str(&format!(
        "\nfn image_place(index: u32) -> vec2<u32> {{ return vec2<u32>(index % {ROW}u, index / {ROW}u); }}\n"
    ));
    text
}

fn rewrite_part(source: &str, arrays: &[&ReflectedBinding], text: &mut String) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = source;
    while let Some(start) = rest.find(is_name) {
        let end = start + rest[start..].find(|c| !is_name(c)).unwrap_or(rest.len() - start);
        let (name, after) = (&rest[start..end], &rest[end..]);
        text.push_str(&rest[..start]);
        rest = after;
        let known = arrays.iter().find(|array| array.name == name);
        let Some((array, (_, scalar, part))) = known.and_then(|a| texel(&a.element).map(|t| (a, t))) else {
            text.push_str(name);
            continue;
        };
        if after.starts_with('[') {
            let close = closing(after);
            text.push_str(&format!("textureLoad({name}, image_place(u32("));
            rewrite_part(&after[1..close], arrays, text);
            text.push_str(&format!(")), 0){part}"));
            rest = &after[close + 1..];
        } else if text.ends_with(DECLARATION) && after.starts_with(": array<") {
            text.truncate(text.len() - DECLARATION.len());
            text.push_str(&format!("var {}: texture_2d<{scalar}>", array.name));
            rest = &after[after.find(';').unwrap_or(after.len())..];
        } else {
            text.push_str(name);
        }
    }
    text.push_str(rest);
}

const DECLARATION: &str = "var<storage, read> ";

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (place, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return place,
            ']' => depth -= 1,
            _ => {}
        }
    }
    // The shader has been parsed: its brackets match.
    text.len() - 1
}

/// A buffer's copy as a texture.
pub(super) struct Image {
    texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    /// Elements.
    len: u32,
    element_bytes: u32,
    /// Something has written the buffer since the last copy.
    pub stale: bool,
}

impl Image {
    /// Whether a buffer of so many elements fits into an image.
    pub fn fits(len: usize) -> bool {
        len as u64 <= u64::from(ROW) * u64::from(MOST_ROWS)
    }

    pub fn new(device: &wgpu::Device, name: &str, element: super::Element, len: usize) -> Self {
        let (format, ..) = texel(element.name()).expect("every element has a texel");
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
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        Self { texture, view, len, element_bytes: 4 * element.width() as u32, stale: true }
    }

    /// Copies the buffer: its full rows, then what is left.
    pub fn refresh(&mut self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer) {
        self.stale = false;
        let (full, left) = (self.len / ROW, self.len % ROW);
        for (row, width, height) in [(0, ROW, full), (full, left, 1)] {
            if width == 0 || height == 0 {
                continue;
            }
            encoder.copy_buffer_to_texture(
                wgpu::TexelCopyBufferInfo {
                    buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: u64::from(row) * u64::from(ROW * self.element_bytes),
                        bytes_per_row: (height > 1).then_some(ROW * self.element_bytes),
                        rows_per_image: None,
                    },
                },
                wgpu::TexelCopyTextureInfo {
                    texture: &self.texture,
                    mip_level: 0,
                    origin: wgpu::Origin3d { x: 0, y: row, z: 0 },
                    aspect: wgpu::TextureAspect::All,
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::reflect;

    #[test]
    fn nested_reads_declarations_and_written_arrays_are_told_apart() {
        let bindings =
            [("ends", "uint2", Access::Read), ("xs", "real4", Access::Read), ("ys", "real4", Access::Write)]
                .map(|(name, element, access)| ReflectedBinding {
                    name: name.into(),
                    index: 0,
                    access,
                    element: element.into(),
                    size: 16,
                    members: vec![],
                });
        let source = "@group(0) @binding(0) var<storage, read> xs: array<vec4<f32>>;  // [m]\n\
                      ys[k] = xs[ends[k].y].w + maxs[1] + ys[k];";
        let reflected = Reflected { source: source.into(), workgroup_size: 64, bindings: bindings.into() };
        let text = rewrite(&reflected);
        assert!(
            text.starts_with(
                "@group(0) @binding(0) var xs: texture_2d<f32>;  // [m]\n\
             ys[k] = textureLoad(xs, image_place(u32(textureLoad(ends, image_place(u32(k)), 0).xy.y)), 0).w \
             + maxs[1] + ys[k];"
            ),
            "{text}"
        );
    }

    #[test]
    fn every_kernel_validates_with_images() {
        for kernel in crate::kernels() {
            let text = rewrite(&reflect(kernel).unwrap());
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&text)));
            naga::valid::Validator::new(
                naga::valid::ValidationFlags::all(),
                naga::valid::Capabilities::empty(),
            )
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&text)));
            let left = text.matches("<storage, read>").count();
            assert_eq!(left, text.matches("arrayLength(").count(), "{}", kernel.name);
        }
    }
}
