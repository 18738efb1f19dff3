//! What can be seen in screenshots.

use std::path::Path;

/// Points of the window's width that the panel takes, and a little more.
const PANEL: u32 = 350;

/// A screenshot of the window, RGB.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn load(path: &Path) -> Self {
        let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
        decoder.set_transformations(png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let pixels = bytes[..info.buffer_size()].chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        Self { width: info.width, height: info.height, pixels }
    }

    /// The pixels of the scene's picture, without the panel at its right.
    fn scene(&self) -> impl Iterator<Item = [u8; 3]> {
        let shown = move |index: &usize| (*index as u32 % self.width) < self.width.saturating_sub(PANEL);
        (0..self.pixels.len()).filter(shown).map(|index| self.pixels[index])
    }

    /// The part of the scene's picture that has colour: bodies do; ground, sky and colliders are grey.
    pub fn coloured(&self) -> f64 {
        let has_colour = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) > 18;
        let (count, coloured) = self
            .scene()
            .fold((0, 0), |(count, coloured), pixel| (count + 1, coloured + usize::from(has_colour(pixel))));
        coloured as f64 / f64::from(count.max(1))
    }

    /// The part of the scene's picture that is bright, as sky and ground of thumbnails are on a dark page.
    pub fn bright(&self) -> f64 {
        let (count, bright) = self.scene().fold((0, 0), |(count, bright), [r, g, b]| {
            (count + 1, bright + usize::from(r.min(g).min(b) > 120))
        });
        bright as f64 / f64::from(count.max(1))
    }

    /// Pixels of the scene's picture that are red as an error's banner is.
    pub fn banner(&self) -> usize {
        let is_red = |[r, g, b]: &[u8; 3]| r.abs_diff(150) < 6 && g.abs_diff(40) < 6 && b.abs_diff(36) < 6;
        self.scene().filter(is_red).count()
    }
}

/// How many pixels of the scene's picture differ visibly between two screenshots.
pub fn changed(a: &Picture, b: &Picture) -> usize {
    let differs = |p: [u8; 3], q: [u8; 3]| p.iter().zip(q).any(|(a, b)| a.abs_diff(b) > 24);
    a.scene().zip(b.scene()).filter(|(p, q)| differs(*p, *q)).count()
}
