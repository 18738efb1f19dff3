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
    encode(image).map_err(|problem| ExportError::content(Path::new("PNG picture"), problem))
}

/// Writes a picture as a PNG file.
pub fn write_png(path: impl AsRef<Path>, image: &Image) -> Result<(), ExportError> {
    let path = path.as_ref();
    let bytes = encode(image).map_err(|problem| ExportError::content(path, problem))?;
    AtomicFile::write_with(path, |file| file.write_all(&bytes))
}

fn encode(image: &Image) -> Result<Vec<u8>, String> {
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
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_source_srgb(::png::SrgbRenderingIntent::Perceptual);
    // Frames are written during a run: a little larger is better than much slower.
    encoder.set_compression(::png::Compression::Fast);
    let write = |encoder: ::png::Encoder<_>| {
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&image.pixels)?;
        writer.finish()
    };
    write(encoder).map_err(|e: ::png::EncodingError| e.to_string())?;
    Ok(bytes)
}
