//! A [`Plot`] on its way to pixels: layout, grid, lines, labels and legend.

use super::{
    Line, Marks, Plot, Reference,
    axis::{Axis, Ticks},
    canvas::{self, Align, Canvas, Point, Rect},
    font,
};

const INK: [u8; 4] = [45, 48, 54, 255];
const FAINT_INK: [u8; 4] = [105, 110, 120, 255];
const PAPER: [u8; 4] = [255, 255, 255, 215];
const GRID: [u8; 4] = [229, 231, 235, 255];
const MINOR_GRID: [u8; 4] = [243, 244, 246, 255];

/// Okabe and Ito's colours, told apart by colour-blind readers too; their yellow is too pale for lines.
const PALETTE: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [60, 60, 60],
];

/// A plot on its way to pixels.
pub(super) struct Drawing<'a> {
    plot: &'a Plot,
    canvas: Canvas<'a>,
    axes: [Axis; 2],
    ticks: [Ticks; 2],
    /// Height of a capital letter; everything else is a multiple of it.
    size: f32,
    area: Rect,
}

struct PlacedReference<'a> {
    ends: [Point; 2],
    label: &'a str,
    label_at: Point,
}

impl<'a> Drawing<'a> {
    pub fn new(plot: &'a Plot, canvas: Canvas<'a>) -> Self {
        let bounds = canvas.bounds();
        let size = (bounds.width().min(1.6 * bounds.height()) / 88.0).max(5.0);
        let axes = plot.axes();
        // A label every eight (sideways) or five (upwards) letters.
        let ticks = [
            axes[0].ticks((bounds.width() / (11.0 * size)) as usize),
            axes[1].ticks((bounds.height() / (6.0 * size)) as usize),
        ];
        let labels = ticks[1].ticks.iter().filter_map(|t| t.label.as_deref());
        let widest = labels.map(|l| text_width(l, size)).fold(0.0, f32::max);
        let has_head = !plot.title.is_empty() || !ticks[1].factor.is_empty();
        let y_label_room = if plot.y_label.is_empty() { 1.4 } else { 4.0 };
        let x_label_room = if plot.x_label.is_empty() { 3.6 } else { 6.0 };
        let area = Rect {
            left: (widest + (y_label_room + 1.2) * size).round(),
            top: (if has_head { 5.0 } else { 2.0 } * size).round(),
            right: (bounds.right - 2.6 * size).round(),
            bottom: (bounds.bottom - x_label_room * size).round(),
        };
        Self { plot, canvas, axes, ticks, size, area }
    }

    pub fn draw(&mut self) {
        self.draw_grid();
        self.draw_labels();
        let plot = self.plot;
        let references = plot.references.iter();
        let references: Vec<PlacedReference> = references.filter_map(|r| self.place_reference(r)).collect();
        for reference in &references {
            self.draw_reference(reference);
        }
        for k in 0..self.plot.lines.len() {
            self.draw_line(k);
        }
        self.draw_frame();
        for reference in &references {
            self.draw_reference_label(reference);
        }
        self.draw_legend();
    }

    /// Pixel coordinates, kept within what f32 resolves well.
    fn place(&self, [x, y]: [f64; 2]) -> Option<Point> {
        const FAR: f64 = 1e5;
        let across = self.axes[0].place(x)? as f32;
        let up = self.axes[1].place(y)? as f32;
        let limited = |v: f32| f64::from(v).clamp(-FAR, FAR) as f32;
        Some([
            limited(self.area.left + across * self.area.width()),
            limited(self.area.bottom - up * self.area.height()),
        ])
    }

    fn x_of(&self, value: f64) -> Option<f32> {
        let place = self.axes[0].place(value)? as f32;
        Some((self.area.left + place * self.area.width()).round())
    }

    fn y_of(&self, value: f64) -> Option<f32> {
        let place = self.axes[1].place(value)? as f32;
        Some((self.area.bottom - place * self.area.height()).round())
    }

    fn hairline(&self) -> f32 {
        (self.size / 10.0).round().max(1.0)
    }

    fn draw_grid(&mut self) {
        let line = self.hairline();
        let Rect { left, top, right, bottom } = self.area;
        for is_major in [false, true] {
            let colour = if is_major { GRID } else { MINOR_GRID };
            let values = |ticks: &Ticks| -> Vec<f64> {
                let chosen = ticks.ticks.iter().filter(|t| t.label.is_some() == is_major);
                chosen.map(|t| t.value).collect()
            };
            for x in values(&self.ticks[0]) {
                if let Some(x) = self.x_of(x) {
                    let rect = Rect { left: x, top, right: x + line, bottom };
                    self.canvas.fill(rect, 0.0, colour);
                }
            }
            for y in values(&self.ticks[1]) {
                if let Some(y) = self.y_of(y) {
                    let rect = Rect { left, top: y, right, bottom: y + line };
                    self.canvas.fill(rect, 0.0, colour);
                }
            }
        }
    }

    fn draw_frame(&mut self) {
        let line = self.hairline();
        let Rect { left, top, right, bottom } = self.area;
        let axis = [INK[0], INK[1], INK[2], 170];
        let upright = Rect { left, top, right: left + line, bottom: bottom + line };
        let level = Rect { left: left + line, top: bottom, right, bottom: bottom + line };
        self.canvas.fill(upright, 0.0, axis);
        self.canvas.fill(level, 0.0, axis);
    }

    fn draw_labels(&mut self) {
        let (size, area) = (self.size, self.area);
        let [x_ticks, y_ticks] = self.ticks.clone();
        for tick in &x_ticks.ticks {
            if let (Some(x), Some(label)) = (self.x_of(tick.value), &tick.label) {
                let at = [x, area.bottom + 2.1 * size];
                self.canvas.text(at, label, size, Align::Centre, INK);
            }
        }
        for tick in &y_ticks.ticks {
            if let (Some(y), Some(label)) = (self.y_of(tick.value), &tick.label) {
                let at = [area.left - 0.9 * size, y + 0.5 * size];
                self.canvas.text(at, label, size, Align::Right, INK);
            }
        }
        let at = [area.left, area.top - 1.0 * size];
        self.canvas.text(at, &y_ticks.factor, size, Align::Left, FAINT_INK);
        let at = [area.right, area.bottom + 4.6 * size];
        self.canvas.text(at, &x_ticks.factor, size, Align::Right, FAINT_INK);

        let middle = [0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)];
        let at = [middle[0], area.bottom + 4.6 * size];
        self.canvas.text(at, &self.plot.x_label, 1.1 * size, Align::Centre, INK);
        let at = [2.4 * size, middle[1]];
        self.canvas.text_upwards(at, &self.plot.y_label, 1.1 * size, INK);
        let at = [middle[0], area.top - 1.7 * size];
        self.canvas.text(at, &self.plot.title, 1.4 * size, Align::Centre, INK);
    }

    /// Nothing if it lies outside the shown range.
    fn place_reference(&self, reference: &'a Reference) -> Option<PlacedReference<'a>> {
        let (size, area) = (self.size, self.area);
        let half = 0.5 * self.hairline();
        let placed = match reference {
            Reference::Horizontal { value, label } => {
                let y = self.y_of(*value)? + half;
                PlacedReference {
                    ends: [[area.left, y], [area.right, y]],
                    label,
                    label_at: [area.left + 1.2 * size, y - 0.8 * size],
                }
            }
            Reference::Vertical { value, label } => {
                let x = self.x_of(*value)? + half;
                PlacedReference {
                    ends: [[x, area.bottom], [x, area.top]],
                    label,
                    label_at: [x + 0.9 * size, area.top + 1.8 * size],
                }
            }
        };
        area.grown(1.0).contains(placed.ends[0]).then_some(placed)
    }

    fn draw_reference(&mut self, reference: &PlacedReference) {
        let (size, area) = (self.size, self.area);
        let segments = dashes(&[reference.ends], [0.9 * size, 0.6 * size], area);
        self.canvas.stroke(segments, 0.07 * size, FAINT_INK, area);
    }

    /// On top of the lines, on a little paper of its own.
    fn draw_reference_label(&mut self, reference: &PlacedReference) {
        let &PlacedReference { label, label_at: at, .. } = reference;
        if label.is_empty() {
            return;
        }
        let size = 0.95 * self.size;
        let around =
            Rect { left: at[0], top: at[1] - size, right: at[0] + text_width(label, size), bottom: at[1] };
        self.canvas.fill(around.grown(0.45 * size), 0.4 * size, PAPER);
        self.canvas.text(at, label, size, Align::Left, FAINT_INK);
    }

    fn colour(&self, k: usize) -> [u8; 4] {
        let [r, g, b] = self.plot.lines[k].colour.unwrap_or(PALETTE[k % PALETTE.len()]);
        [r, g, b, 255]
    }

    /// The straight pieces of a line, interrupted where a point has no place.
    fn segments(&self, line: &Line) -> Vec<[Point; 2]> {
        let pairs = line.points.windows(2);
        pairs.filter_map(|pair| Some([self.place(pair[0])?, self.place(pair[1])?])).collect()
    }

    fn draw_line(&mut self, k: usize) {
        let line = &self.plot.lines[k];
        let (colour, size) = (self.colour(k), self.size);
        let clip = self.area;
        if line.marks != Marks::DotsOnly {
            let mut segments = self.segments(line);
            if line.is_dashed {
                segments = dashes(&segments, [1.1 * size, 0.75 * size], clip);
            }
            self.canvas.stroke(segments, 0.11 * size, colour, clip);
        }
        if line.marks != Marks::LineOnly {
            let places: Vec<Point> = line.points.iter().filter_map(|&p| self.place(p)).collect();
            // Dots may reach over the axes, but only of points inside.
            let inside = places.into_iter().filter(|&p| clip.grown(0.5).contains(p));
            let dots = inside.map(|p| [p, p]);
            let clip = clip.grown(0.5 * size);
            self.canvas.stroke(dots, 0.34 * size, colour, clip);
        }
    }

    fn draw_legend(&mut self) {
        let size = self.size;
        let named: Vec<usize> =
            (0..self.plot.lines.len()).filter(|&k| !self.plot.lines[k].name.is_empty()).collect();
        if named.is_empty() {
            return;
        }
        let widths = named.iter().map(|&k| text_width(&self.plot.lines[k].name, size));
        let row = 1.9 * size;
        let width = widths.fold(0.0, f32::max) + 6.0 * size;
        let height = named.len() as f32 * row + 1.0 * size;
        let legend = self.quietest_corner(width, height);
        self.canvas.fill(legend.grown(self.hairline()), 0.5 * size, GRID);
        self.canvas.fill(legend, 0.5 * size, [255; 4]);
        for (n, &k) in named.iter().enumerate() {
            let y = legend.top + 0.5 * size + (n as f32 + 0.5) * row;
            let line = &self.plot.lines[k];
            let (colour, clip) = (self.colour(k), legend);
            let ends = [[legend.left + 1.1 * size, y], [legend.left + 3.9 * size, y]];
            if line.marks != Marks::DotsOnly {
                let sample =
                    if line.is_dashed { dashes(&[ends], [0.9 * size, 0.6 * size], clip) } else { vec![ends] };
                self.canvas.stroke(sample, 0.11 * size, colour, clip);
            }
            if line.marks != Marks::LineOnly {
                let middle = [0.5 * (ends[0][0] + ends[1][0]), y];
                self.canvas.stroke([[middle; 2]], 0.34 * size, colour, clip);
            }
            let at = [legend.left + 4.8 * size, y + 0.5 * size];
            self.canvas.text(at, &line.name, size, Align::Left, INK);
        }
    }

    /// The corner of the plot where a box hides the least of the lines.
    fn quietest_corner(&self, width: f32, height: f32) -> Rect {
        let gap = 1.2 * self.size;
        let area = self.area.grown(-gap);
        let samples: Vec<Point> = self
            .plot
            .lines
            .iter()
            .flat_map(|line| samples(&self.segments(line), self.size, self.area))
            .collect();
        let corners = [
            (area.right - width, area.top),
            (area.left, area.top),
            (area.right - width, area.bottom - height),
            (area.left, area.bottom - height),
        ];
        let rects = corners.map(|(left, top)| Rect { left, top, right: left + width, bottom: top + height });
        let hidden = |rect: &Rect| {
            let rect = rect.grown(0.5 * gap);
            samples.iter().filter(|&&p| rect.contains(p)).count()
        };
        let quietest = rects.into_iter().min_by_key(hidden);
        quietest.expect("a plot has four corners")
    }
}

fn text_width(text: &str, size: f32) -> f32 {
    font::layout(text).width * size / font::CAP_ROWS
}

/// Cuts lines into dashes of `on` pixels with gaps of `off`; the pattern runs on over the corners.
fn dashes(segments: &[[Point; 2]], [on, off]: [f32; 2], clip: Rect) -> Vec<[Point; 2]> {
    let period = on + off;
    let mut pieces = Vec::new();
    let mut travelled = 0.0;
    for &[a, b] in segments {
        let length = distance(a, b);
        if let Some([from, to]) = canvas::clipped([a, b], clip.grown(period))
            && length > 0.0
        {
            let (start, end) = (distance(a, from), distance(a, to));
            let at = |s: f32| {
                let t = s / length;
                [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
            };
            let mut dash = start - (travelled + start) % period;
            while dash < end {
                let piece = [dash.max(start), (dash + on).min(end)];
                if piece[0] < piece[1] {
                    pieces.push(piece.map(at));
                }
                dash += period;
            }
        }
        travelled = (travelled + length) % period;
    }
    pieces
}

/// Points along the visible parts of lines, at most `spacing` apart.
fn samples(segments: &[[Point; 2]], spacing: f32, clip: Rect) -> Vec<Point> {
    let visible = segments.iter().filter_map(|&s| canvas::clipped(s, clip));
    visible
        .flat_map(|[a, b]| {
            let count = (distance(a, b) / spacing).ceil().max(1.0) as usize;
            (0..count).map(move |k| {
                let t = k as f32 / count as f32;
                [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
            })
        })
        .collect()
}

fn distance(a: Point, b: Point) -> f32 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}
