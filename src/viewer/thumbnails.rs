//! Pictures of the built-in scenes, drawn by scripts/thumbnails.sh, so that the gallery is there at once.

use egui::ColorImage;

macro_rules! thumbnails {
    ($($name:literal),* $(,)?) => {
        &[ $( ($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/thumbnails/", $name, ".png"))) ),* ]
    };
}

/// Scenes with a picture; a scene without one is shown by its name.
static THUMBNAILS: &[(&str, &[u8])] = thumbnails![
    "bonsai",
    "chain_curtain",
    "chain_mail",
    "climbing_net",
    "cloth_on_sphere",
    "curled_wire",
    "curtain",
    "drape",
    "fabrics",
    "flag",
    "hair",
    "helix_spring",
    "hundred_thousand",
    "limits_bar",
    "limits_disc",
    "limits_series",
    "limits_slide",
    "limits_swing",
    "long_hair",
    "million",
    "rabbit_on_steps",
    "ribbons",
    "rope_swing",
    "skirt",
    "soft_blocks",
    "solid_cantilever",
    "solid_recovery",
    "spheroid",
    "steel_cantilever",
    "stiff_and_soft",
    "three_methods",
    "tree_wind",
    "truss",
    "twisted_bar",
    "twisted_cable",
    "wound_spiral",
    "zajac_ring",
];

/// The picture of a scene, if there is one.
pub fn find(name: &str) -> Option<ColorImage> {
    let (_, bytes) = THUMBNAILS.iter().find(|(other, _)| *other == name)?;
    decode(bytes)
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
    use crate::scenes;

    #[test]
    fn every_thumbnail_is_a_picture_of_a_scene() {
        for (name, _) in THUMBNAILS {
            assert!(scenes::find(name).is_some(), "{name} is no scene");
            let image = find(name).unwrap_or_else(|| panic!("scripts/thumbnails.sh {name} draws it anew"));
            assert_eq!(image.size, [416, 260], "{name}");
        }
    }
}
