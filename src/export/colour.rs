//! Numbers as colours: a colour map, its legend, and the sRGB transfer curve.

use super::{
    Image,
    plot::{Align, Axis, Canvas, Rect, Scale},
};

/// Colour of `t` from 0 (dark violet) over blue and green to 1 (yellow), in sRGB, 0 to 1.
///
/// Lightness rises linearly and equal steps of `t` look about equally large, so the map adds no edges of its
/// own and survives a grey printer. It is a curve in OKLab (Ottosson 2020): L linear, a and b polynomials
/// fitted for high chroma within the sRGB gamut and steps that vary by a fifth at most. Values outside 0 to 1
/// take the colour of the nearer end; NaN is grey.
pub fn colour_map(t: f32) -> [f32; 3] {
    if t.is_nan() {
        return [0.5; 3];
    }
    let t = t.clamp(0.0, 1.0);
    let [l, a, b] = oklab(t);
    linear_from_oklab([l, a, b]).map(srgb_from_linear)
}

fn oklab(t: f32) -> [f32; 3] {
    const A: [f32; 5] = [0.0846, 0.0556, -1.643, 2.0744, -0.6434];
    const B: [f32; 5] = [-0.0658, -0.6396, 1.2832, 0.254, -0.6689];
    let polynomial = |c: [f32; 5]| c.iter().rev().fold(0.0, |sum, c| sum * t + c);
    [0.27 + 0.65 * t, polynomial(A), polynomial(B)]
}

/// Björn Ottosson, "A perceptual color space for image processing", 2020.
fn linear_from_oklab([l, a, b]: [f32; 3]) -> [f32; 3] {
    let long = (l + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let medium = (l - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (l - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * long - 3.307_711_6 * medium + 0.230_969_93 * short,
        -1.268_438 * long + 2.609_757_4 * medium - 0.341_319_4 * short,
        -0.004_196_086_3 * long - 0.703_418_6 * medium + 1.707_614_7 * short,
    ]
}

/// Encodes a linear intensity as sRGB, both 0 to 1.
pub fn srgb_from_linear(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

/// Decodes an sRGB value to a linear intensity, both 0 to 1.
pub fn linear_from_srgb(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

pub(super) fn srgb_bytes_from_linear(colour: [f32; 3]) -> [u8; 3] {
    colour.map(|c| (srgb_from_linear(c) * 255.0).round() as u8)
}

/// Draws the legend of [`colour_map`] at the bottom of a picture: title, bar and labels from `lo` to `hi`.
///
/// It stands on a translucent panel, so it can be read on any background. Its size follows the picture's.
pub fn colour_bar(image: &mut Image, title: &str, unit: &str, lo: f64, hi: f64) {
    colour_bar_on(image, Scale::Linear, [title, unit], [lo, hi]);
}

/// Draws a line through points, in pixels from the top left; each of its pieces has a colour.
pub fn draw_line(image: &mut Image, points: &[[f32; 2]], colours: &[[u8; 4]], width: f32) {
    let mut canvas = Canvas::new(image);
    let all = canvas.bounds();
    for (pair, &colour) in points.windows(2).zip(colours) {
        canvas.stroke([[pair[0], pair[1]]], 0.5 * width, colour, all);
    }
}

/// As [`colour_bar`], also for a logarithmic scale; `words` are title and unit.
pub fn colour_bar_on(image: &mut Image, scale: Scale, [title, unit]: [&str; 2], [lo, hi]: [f64; 2]) {
    const INK: [u8; 4] = [45, 48, 54, 255];
    const PANEL: [u8; 4] = [255, 255, 255, 215];
    const LABEL_COUNT: usize = 5;
    let mut canvas = Canvas::new(image);
    let bounds = canvas.bounds();
    let size = (bounds.width().min(1.6 * bounds.height()) / 100.0).max(5.0);
    let middle = (0.5 * bounds.width()).round();
    let panel = Rect {
        left: middle - (23.0 * size).round(),
        top: bounds.bottom - (10.0 * size).round(),
        right: middle + (23.0 * size).round(),
        bottom: bounds.bottom - (1.5 * size).round(),
    };
    canvas.fill(panel, 0.8 * size, PANEL);

    let heading = match (title.is_empty(), unit.is_empty()) {
        (_, true) => title.to_owned(),
        (true, false) => format!("[{unit}]"),
        (false, false) => format!("{title} [{unit}]"),
    };
    // Exactly from `lo` to `hi`, unless they are no range at all.
    let axis = Axis::new(scale, [lo, hi]);
    let ticks = axis.ticks(LABEL_COUNT);
    let heading = if ticks.factor.is_empty() { heading } else { format!("{heading} {}", ticks.factor) };
    let at = [middle, panel.top + 2.2 * size];
    canvas.text(at, &heading, 1.1 * size, Align::Centre, INK);

    let bar = Rect {
        left: panel.left + (3.0 * size).round(),
        top: (panel.top + 3.4 * size).round(),
        right: panel.right - (3.0 * size).round(),
        bottom: (panel.top + 5.0 * size).round(),
    };
    let column_count = bar.width() as usize;
    for column in 0..column_count {
        let t = (column as f32 + 0.5) / column_count as f32;
        let [r, g, b] = colour_map(t).map(|c| (c * 255.0).round() as u8);
        let left = bar.left + column as f32;
        let strip = Rect { left, right: left + 1.0, ..bar };
        canvas.fill(strip, 0.0, [r, g, b, 255]);
    }
    let hairline = (size / 10.0).round().max(1.0);
    for tick in &ticks.ticks {
        let (Some(place), Some(label)) = (axis.place(tick.value), &tick.label) else {
            continue;
        };
        let x = (bar.left + place as f32 * bar.width()).round();
        let mark = Rect {
            left: x - 0.5 * hairline,
            top: bar.bottom,
            right: x + 0.5 * hairline,
            bottom: bar.bottom + 0.5 * size,
        };
        canvas.fill(mark, 0.0, INK);
        let at = [x, bar.bottom + 2.2 * size];
        canvas.text(at, label, size, Align::Centre, INK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(count: usize) -> Vec<f32> {
        let point = |k: usize| oklab(k as f32 / count as f32);
        let distance = |p: [f32; 3], q: [f32; 3]| {
            let squares = (0..3).map(|i| (p[i] - q[i]).powi(2));
            squares.sum::<f32>().sqrt()
        };
        (0..count).map(|k| distance(point(k), point(k + 1))).collect()
    }

    #[test]
    fn equal_steps_look_equally_large() {
        let steps = steps(64);
        let largest = steps.iter().copied().fold(0.0, f32::max);
        let smallest = steps.iter().copied().fold(f32::INFINITY, f32::min);
        assert!(largest < 1.22 * smallest, "{smallest} to {largest}");
    }

    #[test]
    fn the_map_stays_inside_the_gamut() {
        for k in 0..=256 {
            let colour = linear_from_oklab(oklab(k as f32 / 256.0));
            assert!(colour.iter().all(|c| (0.0..=1.0).contains(c)), "{colour:?}");
        }
    }

    #[test]
    fn values_off_the_map_take_the_end_colours() {
        assert_eq!(colour_map(-3.0), colour_map(0.0));
        assert_eq!(colour_map(f32::INFINITY), colour_map(1.0));
        assert_eq!(colour_map(f32::NAN), [0.5; 3]);
    }

    #[test]
    fn srgb_and_linear_are_inverse() {
        for k in 0..=255 {
            let value = k as f32 / 255.0;
            assert!((srgb_from_linear(linear_from_srgb(value)) - value).abs() < 1e-6);
        }
    }
}
