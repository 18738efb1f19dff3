//! Anti-aliased drawing on an [`Image`]: rectangles, strokes and text.

use super::font;
use crate::export::Image;

pub(in crate::export) type Point = [f32; 2];

/// A rectangle in pixels, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::export) struct Rect {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl Rect {
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    pub fn grown(&self, by: f32) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    fn around(points: &[Point]) -> Self {
        let nothing = Self {
            left: f32::INFINITY,
            top: f32::INFINITY,
            right: f32::NEG_INFINITY,
            bottom: f32::NEG_INFINITY,
        };
        points.iter().fold(nothing, |rect, &[x, y]| Self {
            left: rect.left.min(x),
            top: rect.top.min(y),
            right: rect.right.max(x),
            bottom: rect.bottom.max(y),
        })
    }

    fn within(&self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub fn contains(&self, [x, y]: Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

/// Where text stands relative to its point.
#[derive(Debug, Clone, Copy)]
pub(in crate::export) enum Align {
    Left,
    Centre,
    Right,
}

/// Colours are sRGB with alpha, 0 to 255; blending is done on the sRGB values, as all 2D software does.
pub(in crate::export) struct Canvas<'a> {
    image: &'a mut Image,
}

impl<'a> Canvas<'a> {
    pub fn new(image: &'a mut Image) -> Self {
        Self { image }
    }

    pub fn bounds(&self) -> Rect {
        Rect { left: 0.0, top: 0.0, right: self.image.width as f32, bottom: self.image.height as f32 }
    }

    /// A filled rectangle with rounded corners; 0 makes them sharp.
    pub fn fill(&mut self, rect: Rect, corner: f32, colour: [u8; 4]) {
        let mut mask = Mask::new(self.bounds(), rect.grown(1.0));
        let centre = [0.5 * (rect.left + rect.right), 0.5 * (rect.top + rect.bottom)];
        let half = [0.5 * rect.width() - corner, 0.5 * rect.height() - corner];
        mask.cover(rect.grown(1.0), |[x, y]| {
            let dx = (x - centre[0]).abs() - half[0];
            let dy = (y - centre[1]).abs() - half[1];
            if corner == 0.0 {
                // Exact area, so that adjacent rectangles meet without a seam.
                return (0.5 - dx).clamp(0.0, 1.0) * (0.5 - dy).clamp(0.0, 1.0);
            }
            0.5 + corner - dx.max(0.0).hypot(dy.max(0.0)) - dx.max(dy).min(0.0)
        });
        self.blend(&mask, colour);
    }

    /// Round-ended lines, blended once: where they cross or join they do not get darker.
    pub fn stroke(
        &mut self,
        segments: impl IntoIterator<Item = [Point; 2]>,
        radius: f32,
        colour: [u8; 4],
        clip: Rect,
    ) {
        let reach = clip.grown(radius + 1.0);
        let visible: Vec<[Point; 2]> =
            segments.into_iter().filter_map(|segment| clipped(segment, reach)).collect();
        let touched = Rect::around(visible.as_flattened()).grown(radius + 1.0);
        let mut mask = Mask::new(self.bounds(), touched.within(clip));
        for [a, b] in visible {
            let near = Rect::around(&[a, b]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let length_squared = d[0] * d[0] + d[1] * d[1];
            mask.cover(near.grown(radius + 1.0), |[x, y]| {
                let p = [x - a[0], y - a[1]];
                let along = p[0] * d[0] + p[1] * d[1];
                let t = if length_squared > 0.0 { (along / length_squared).clamp(0.0, 1.0) } else { 0.0 };
                radius + 0.5 - (p[0] - t * d[0]).hypot(p[1] - t * d[1])
            });
        }
        self.blend(&mask, colour);
    }

    /// One line of text; `size` is the height of a capital in pixels, the point lies on the baseline.
    pub fn text(&mut self, at: Point, text: &str, size: f32, align: Align, colour: [u8; 4]) {
        let unit = size / font::CAP_ROWS;
        let line = font::layout(text);
        let shift = match align {
            Align::Left => 0.0,
            Align::Centre => 0.5 * line.width,
            Align::Right => line.width,
        };
        // Whole pixels keep the stems of equal letters equally sharp.
        let origin = [(at[0] - shift * unit).round(), at[1].round()];
        let place = |[x, y]: Point| [origin[0] + x * unit, origin[1] + y * unit];
        self.text_strokes(line, unit, place, colour);
    }

    /// Text that reads upwards, centred on the point, which lies on its baseline.
    pub fn text_upwards(&mut self, at: Point, text: &str, size: f32, colour: [u8; 4]) {
        let unit = size / font::CAP_ROWS;
        let line = font::layout(text);
        let origin = [at[0].round(), (at[1] + 0.5 * line.width * unit).round()];
        let place = |[x, y]: Point| [origin[0] + y * unit, origin[1] - x * unit];
        self.text_strokes(line, unit, place, colour);
    }

    fn text_strokes(
        &mut self,
        line: font::Layout,
        unit: f32,
        place: impl Fn(Point) -> Point,
        colour: [u8; 4],
    ) {
        let clip = self.bounds();
        let pen = font::PEN * unit;
        let strokes = line.strokes.into_iter().map(|s| s.map(&place));
        self.stroke(strokes, pen, colour, clip);
        let small = line.small_strokes.into_iter().map(|s| s.map(&place));
        // Not finer than text can be and stay dark.
        self.stroke(small, (1.15 * font::SMALL * pen).max(0.45), colour, clip);
    }

    fn blend(&mut self, mask: &Mask, colour: [u8; 4]) {
        let width = self.image.width as usize;
        for row in 0..mask.height {
            for column in 0..mask.width {
                let coverage = mask.values[row * mask.width + column];
                if coverage <= 0.0 {
                    continue;
                }
                let start = 4 * ((mask.top + row) * width + mask.left + column);
                let pixel: &mut [u8; 4] =
                    (&mut self.image.pixels[start..start + 4]).try_into().expect("a pixel has four bytes");
                blend_pixel(pixel, colour, coverage.min(1.0));
            }
        }
    }
}

/// `colour` over the pixel, straight alpha.
fn blend_pixel(pixel: &mut [u8; 4], colour: [u8; 4], coverage: f32) {
    let over = coverage * f32::from(colour[3]) / 255.0;
    let under = f32::from(pixel[3]) / 255.0 * (1.0 - over);
    let alpha = over + under;
    if alpha <= 0.0 {
        return;
    }
    for channel in 0..3 {
        let mixed = f32::from(colour[channel]) * over + f32::from(pixel[channel]) * under;
        pixel[channel] = (mixed / alpha).round() as u8;
    }
    pixel[3] = (alpha * 255.0).round() as u8;
}

/// How much of each pixel of a part of the image is covered.
struct Mask {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    values: Vec<f32>,
}

impl Mask {
    fn new(image: Rect, wanted: Rect) -> Self {
        let left = wanted.left.max(image.left).floor() as usize;
        let top = wanted.top.max(image.top).floor() as usize;
        let right = wanted.right.min(image.right).ceil() as usize;
        let bottom = wanted.bottom.min(image.bottom).ceil() as usize;
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        Self { left, top, width, height, values: vec![0.0; width * height] }
    }

    /// Raises the coverage of the pixels near a shape to what `coverage` says at their centres.
    fn cover(&mut self, near: Rect, coverage: impl Fn(Point) -> f32) {
        let (left, top) = (self.left as f32, self.top as f32);
        let columns = range(near.left - left, near.right - left, self.width);
        for row in range(near.top - top, near.bottom - top, self.height) {
            for column in columns.clone() {
                let centre = [left + column as f32 + 0.5, top + row as f32 + 0.5];
                let value = &mut self.values[row * self.width + column];
                *value = value.max(coverage(centre));
            }
        }
    }
}

fn range(from: f32, to: f32, count: usize) -> std::ops::Range<usize> {
    // `as` saturates, so negative and huge numbers are safe.
    (from.floor() as usize).min(count)..(to.ceil() as usize).min(count)
}

/// The part of a segment inside a rectangle (Liang and Barsky).
pub(super) fn clipped([a, b]: [Point; 2], rect: Rect) -> Option<[Point; 2]> {
    if !a.iter().chain(&b).all(|x| x.is_finite()) {
        return None;
    }
    let d = [b[0] - a[0], b[1] - a[1]];
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (step, room) in [
        (-d[0], a[0] - rect.left),
        (d[0], rect.right - a[0]),
        (-d[1], a[1] - rect.top),
        (d[1], rect.bottom - a[1]),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    let at = |t: f32| [a[0] + t * d[0], a[1] + t * d[1]];
    (enter <= leave).then(|| [at(enter), at(leave)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_segments_are_as_dark_as_one() {
        let draw = |segments: Vec<[Point; 2]>| {
            let mut image = Image::new(40, 20, [255; 4]);
            let mut canvas = Canvas::new(&mut image);
            let clip = canvas.bounds();
            canvas.stroke(segments, 1.0, [0, 0, 0, 128], clip);
            image
        };
        let one = draw(vec![[[5.0, 5.0], [35.0, 15.0]]]);
        let two = draw(vec![[[5.0, 5.0], [20.0, 10.0]], [[20.0, 10.0], [35.0, 15.0]]]);
        let pairs = one.pixels.iter().zip(&two.pixels);
        assert!(pairs.clone().all(|(a, b)| a.abs_diff(*b) <= 1));
    }

    #[test]
    fn nothing_is_drawn_outside_the_clip() {
        let mut image = Image::new(40, 40, [255; 4]);
        let clip = Rect { left: 10.0, top: 10.0, right: 30.0, bottom: 30.0 };
        let mut canvas = Canvas::new(&mut image);
        canvas.stroke([[[-1e30, 0.0], [1e9, 40.0]]], 3.0, [0, 0, 0, 255], clip);
        canvas.stroke([[[0.0, 0.0], [40.0, 40.0]]], 3.0, [0, 0, 0, 255], clip);
        assert_eq!(image.pixel(20, 20), [0, 0, 0, 255]);
        assert_eq!(image.pixel(8, 8), [255; 4]);
        assert_eq!(image.pixel(31, 31), [255; 4]);
    }
}
