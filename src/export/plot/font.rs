//! A small typeface of our own, drawn as pixels in `font.txt` and rendered as smooth strokes.
//!
//! Neighbouring pixels of a glyph are joined by round pen strokes, so one 5 × 7 design serves every size. Digits,
//! letters, punctuation, Greek and the signs of formulas; superscripts and subscripts are small shifted digits.
//! Anything else shows as an empty box.

use std::{collections::HashMap, sync::LazyLock};

/// Rows from the top of a capital to its foot, the height that sizes refer to.
pub(super) const CAP_ROWS: f32 = 6.0;
/// Rows of a glyph, two of them below the baseline.
const ROWS: usize = 9;
const GAP: f32 = 2.0;
const SPACE: f32 = 3.0;
/// Half the width of a stroke, in rows.
pub(super) const PEN: f32 = 0.5;
/// Size and stroke width of superscripts and subscripts.
pub(super) const SMALL: f32 = 0.65;
const SUPERSCRIPT_RISE: f32 = 3.4;
const SUBSCRIPT_RISE: f32 = -1.6;

/// A stroke from `[x, y]` to `[x, y]`, in rows; y grows downwards and is 0 at the baseline.
pub(super) type Stroke = [[f32; 2]; 2];

struct Glyph {
    /// From the first to the last column, pen centre to pen centre.
    width: f32,
    strokes: Vec<Stroke>,
}

static GLYPHS: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| parse(include_str!("font.txt")));

static BOX: LazyLock<Glyph> = LazyLock::new(|| {
    let corners = [[0.0, 0.0], [0.0, -6.0], [4.0, -6.0], [4.0, 0.0], [0.0, 0.0]];
    Glyph { width: 4.0, strokes: corners.windows(2).map(|w| [w[0], w[1]]).collect() }
});

/// A line of text starting at x = 0; everything in rows.
#[derive(Default)]
pub(super) struct Layout {
    pub strokes: Vec<Stroke>,
    /// Superscripts and subscripts, drawn with a finer pen.
    pub small_strokes: Vec<Stroke>,
    pub width: f32,
}

pub(super) fn layout(text: &str) -> Layout {
    let mut line = Layout::default();
    let mut pen_x = 0.0;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            pen_x += SPACE;
            line.width = pen_x;
            continue;
        }
        let (base, size, rise) = match (base_of_superscript(c), base_of_subscript(c)) {
            (Some(base), _) => (base, SMALL, SUPERSCRIPT_RISE),
            (_, Some(base)) => (base, SMALL, SUBSCRIPT_RISE),
            _ => (c, 1.0, 0.0),
        };
        let glyph = GLYPHS.get(&base).unwrap_or_else(|| &BOX);
        let strokes = if base == c { &mut line.strokes } else { &mut line.small_strokes };
        let place = |[x, y]: [f32; 2]| [pen_x + size * x, size * y - rise];
        strokes.extend(glyph.strokes.iter().map(|stroke| stroke.map(place)));
        line.width = pen_x + size * glyph.width;
        pen_x = line.width + size * GAP;
    }
    line
}

/// The number `10ⁿ` in superscript digits.
pub(super) fn power_of_ten(exponent: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => {
            char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).expect("superscript digits are characters")
        }
    };
    let exponent: String = exponent.to_string().chars().map(raised).collect();
    format!("10{exponent}")
}

fn base_of_superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10)?,
        '⁻' => '-',
        '⁺' => '+',
        'ⁿ' => 'n',
        _ => return None,
    })
}

fn base_of_subscript(c: char) -> Option<char> {
    let digit = (c as u32).checked_sub('₀' as u32)?;
    char::from_digit(digit, 10)
}

/// Blocks of a line of characters and the rows of their glyphs, separated by empty lines.
fn parse(text: &str) -> HashMap<char, Glyph> {
    let mut glyphs = HashMap::new();
    for block in text.split("\n\n") {
        let mut lines = block.lines();
        let names = lines.next().expect("a block of the font names its glyphs");
        let rows: Vec<Vec<&[u8]>> = lines.map(|line| line.split(' ').map(str::as_bytes).collect()).collect();
        assert_eq!(rows.len(), ROWS, "glyphs `{names}` have a wrong height");
        for (k, name) in names.split(' ').enumerate() {
            let pixels: Vec<&[u8]> = rows.iter().map(|row| row[k]).collect();
            let width = pixels[0].len();
            let is_straight = pixels.iter().all(|row| row.len() == width);
            assert!(is_straight, "glyph `{name}` has rows of different lengths");
            let glyph = Glyph { width: width as f32 - 1.0, strokes: strokes(&pixels) };
            let name = name.chars().next().expect("a glyph has a name");
            glyphs.insert(name, glyph);
        }
    }
    // Two characters for the same sign.
    let mu = Glyph { width: glyphs[&'μ'].width, strokes: glyphs[&'μ'].strokes.clone() };
    glyphs.insert('µ', mu);
    glyphs
}

/// Joins each pixel with its neighbours: straight ones always, diagonal ones unless a straight way exists.
fn strokes(pixels: &[&[u8]]) -> Vec<Stroke> {
    let width = pixels[0].len() as i32;
    let is_set = |x: i32, y: i32| {
        (0..width).contains(&x) && (0..ROWS as i32).contains(&y) && pixels[y as usize][x as usize] == b'#'
    };
    let point = |x: i32, y: i32| [x as f32, y as f32 - CAP_ROWS];
    let mut strokes = Vec::new();
    for y in 0..ROWS as i32 {
        for x in (0..width).filter(|&x| is_set(x, y)) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let is_detour = dx != 0 && dy != 0 && (is_set(x + dx, y) || is_set(x, y + dy));
                if is_set(x + dx, y + dy) && !is_detour {
                    strokes.push([point(x, y), point(x + dx, y + dy)]);
                }
            }
            let has_neighbour = (-1..=1)
                .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                .any(|(dx, dy)| (dx, dy) != (0, 0) && is_set(x + dx, y + dy));
            if !has_neighbour {
                strokes.push([point(x, y); 2]);
            }
        }
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_glyph() {
        for c in '!'..='~' {
            assert!(GLYPHS.contains_key(&c), "{c}");
        }
    }

    #[test]
    fn text_is_as_wide_as_its_strokes() {
        for text in ["10⁻³ µm", "E₀", "x²"] {
            let line = layout(text);
            let strokes = line.strokes.iter().chain(&line.small_strokes);
            let right = strokes.flatten().map(|p| p[0]).fold(0.0, f32::max);
            assert!((right - line.width).abs() < 1e-3, "{text}: {right}");
        }
    }

    #[test]
    fn powers_of_ten_are_written_with_raised_digits() {
        assert_eq!(power_of_ten(-12), "10⁻¹²");
        assert_eq!(power_of_ten(345), "10³⁴⁵");
    }
}
