//! Pictures: RGBA8 in sRGB, and their PNG files.

use std::{io::Write, path::Path};

use super::{AtomicFile, ExportError};

/// A picture in sRGB with straight alpha, row by row from the top, 4 bytes a pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, colour: [u8; 4]) -> Self {
        Self { width, height, pixels: colour.repeat(width as usize * height as usize) }
    }

    /// The colour at column `x`, row `y`, which have to lie inside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let start = 4 * (y as usize * self.width as usize + x as usize);
        let bytes = &self.pixels[start..start + 4];
        bytes.try_into().expect("a pixel has four bytes")
    }
}

/// The bytes of a PNG file.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, ExportError> {
    encode(image, false).map_err(|problem| ExportError::content(Path::new("PNG picture"), problem))
}

/// As [`encode_png`], with alpha even where all is opaque: frames of an animation have one kind of pixel.
pub(super) fn encode_rgba(image: &Image) -> Result<Vec<u8>, ExportError> {
    encode(image, true).map_err(|problem| ExportError::content(Path::new("PNG picture"), problem))
}

/// Writes a picture as a PNG file.
pub fn write_png(path: impl AsRef<Path>, image: &Image) -> Result<(), ExportError> {
    let path = path.as_ref();
    let bytes = encode(image, false).map_err(|problem| ExportError::content(path, problem))?;
    AtomicFile::write_with(path, |file| file.write_all(&bytes))
}

fn encode(image: &Image, keeps_alpha: bool) -> Result<Vec<u8>, String> {
    let &Image { width, height, .. } = image;
    let needed = 4 * u64::from(width) * u64::from(height);
    if needed == 0 {
        return Err(format!("a picture of {width} × {height} pixels is empty"));
    }
    if image.pixels.len() as u64 != needed {
        return Err(format!(
            "{} bytes for {width} × {height} RGBA pixels, which take {needed}",
            image.pixels.len()
        ));
    }
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    let is_opaque = !keeps_alpha && image.pixels.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let opaque: Vec<u8> = match is_opaque {
        true => image.pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        false => Vec::new(),
    };
    encoder.set_color(if is_opaque { ::png::ColorType::Rgb } else { ::png::ColorType::Rgba });
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_source_srgb(::png::SrgbRenderingIntent::Perceptual);
    // A third of the size of the fastest compression, for 0.1 s a megapixel; the best takes ten times as long for a tenth less.
    encoder.set_compression(::png::Compression::Balanced);
    let write = |encoder: ::png::Encoder<_>| {
        let mut writer = encoder.write_header()?;
        writer.write_image_data(if is_opaque { &opaque } else { &image.pixels })?;
        writer.finish()
    };
    write(encoder).map_err(|e: ::png::EncodingError| e.to_string())?;
    Ok(bytes)
}
