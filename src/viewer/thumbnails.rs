//! Pictures of the built-in scenes, decoded for the gallery.

use egui::ColorImage;

use crate::scenes;

/// The picture of a built-in scene.
pub fn find(name: &str) -> Option<ColorImage> {
    decode(scenes::find(name)?.thumbnail)
}

fn decode(bytes: &[u8]) -> Option<ColorImage> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let size = [info.width as usize, info.height as usize];
    match info.color_type {
        png::ColorType::Rgb => Some(ColorImage::from_rgb(size, &pixels[..info.buffer_size()])),
        png::ColorType::Rgba => Some(ColorImage::from_rgba_unmultiplied(size, &pixels[..info.buffer_size()])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_picture() {
        for scene in scenes::BUILT_IN {
            let image = decode(scene.thumbnail)
                .unwrap_or_else(|| panic!("scripts/thumbnails.sh {} draws it anew", scene.name));
            assert_eq!(image.size, [416, 260], "{}", scene.name);
        }
    }
}
