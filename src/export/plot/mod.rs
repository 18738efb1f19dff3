//! Line plots as pictures: energies over time, fits, convergence curves.

mod axis;
mod canvas;
mod drawing;
mod font;

use std::path::Path;

use drawing::Drawing;

use super::{ExportError, Image, write_png};
pub(super) use axis::Axis;
pub use axis::Scale;
pub(super) use canvas::{Align, Canvas, Rect};

/// A line plot.
///
/// ```
/// use sinew::export::{Line, Plot, Reference};
/// let decay = (0..100).map(|i| f64::from(i) / 20.0).map(|t| [t, (-t).exp()]);
/// let plot = Plot::new("Decay", "time [s]", "energy [J]")
///     .line(Line::new("total", decay.collect()))
///     .reference(Reference::Horizontal { value: 0.1, label: "10 %".into() });
/// assert_eq!(plot.render().width, plot.width);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub x_scale: Scale,
    pub y_scale: Scale,
    /// The shown range; from the lines and references if absent.
    pub x_range: Option<[f64; 2]>,
    pub y_range: Option<[f64; 2]>,
    pub lines: Vec<Line>,
    pub references: Vec<Reference>,
    /// Pixels; text and lines grow with the picture.
    pub width: u32,
    pub height: u32,
}

/// One series of points. A non-finite point interrupts the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// In the legend, unless empty.
    pub name: String,
    pub points: Vec<[f64; 2]>,
    /// sRGB; from the palette if absent.
    pub colour: Option<[u8; 3]>,
    pub is_dashed: bool,
    pub marks: Marks,
}

/// How the points of a [`Line`] are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    #[default]
    LineOnly,
    LineAndDots,
    DotsOnly,
}

/// A dashed line across the plot at a value worth comparing with.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    Horizontal { value: f64, label: String },
    Vertical { value: f64, label: String },
}

impl Line {
    pub fn new(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, colour: None, is_dashed: false, marks: Marks::LineOnly }
    }

    pub fn dashed(mut self) -> Self {
        self.is_dashed = true;
        self
    }

    pub fn marks(mut self, marks: Marks) -> Self {
        self.marks = marks;
        self
    }

    pub fn colour(mut self, colour: [u8; 3]) -> Self {
        self.colour = Some(colour);
        self
    }
}

impl Plot {
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            x_range: None,
            y_range: None,
            lines: Vec::new(),
            references: Vec::new(),
            width: 960,
            height: 600,
        }
    }

    pub fn line(mut self, line: Line) -> Self {
        self.lines.push(line);
        self
    }

    pub fn reference(mut self, reference: Reference) -> Self {
        self.references.push(reference);
        self
    }

    pub fn log_x(mut self) -> Self {
        self.x_scale = Scale::Log;
        self
    }

    pub fn log_y(mut self) -> Self {
        self.y_scale = Scale::Log;
        self
    }

    /// Draws the plot. Sizes outside 160 × 120 to 8192 × 8192 pixels are brought inside.
    pub fn render(&self) -> Image {
        let width = self.width.clamp(160, 8192);
        let height = self.height.clamp(120, 8192);
        let mut image = Image::new(width, height, [255; 4]);
        Drawing::new(self, Canvas::new(&mut image)).draw();
        image
    }

    /// Draws the plot to a PNG file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        write_png(path, &self.render())
    }

    fn axes(&self) -> [Axis; 2] {
        const Y_MARGIN: f64 = 0.05;
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let vertical = self.references.iter().filter_map(|r| match r {
            Reference::Vertical { value, .. } => Some(*value),
            Reference::Horizontal { .. } => None,
        });
        let horizontal = self.references.iter().filter_map(|r| match r {
            Reference::Horizontal { value, .. } => Some(*value),
            Reference::Vertical { .. } => None,
        });
        // Isolated marks at the rim would be cut in half.
        let has_marks = self.lines.iter().any(|l| l.marks != Marks::LineOnly);
        let x_margin = if has_marks { 0.03 } else { 0.0 };
        let x = match self.x_range {
            Some(range) => Axis::new(self.x_scale, range),
            None => Axis::around(self.x_scale, points().map(|p| p[0]).chain(vertical), x_margin),
        };
        let y = match self.y_range {
            Some(range) => Axis::new(self.y_scale, range),
            None => Axis::around(self.y_scale, points().map(|p| p[1]).chain(horizontal), Y_MARGIN),
        };
        [x, y]
    }
}
