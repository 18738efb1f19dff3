//! Curves of energy and momentum, times of kernels, residuals of iterations.

use crate::measure::Measures;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, pos2};
use std::collections::VecDeque;

/// Moments that are kept.
const HISTORY: usize = 400;
/// Profiles that are kept.
const PROFILES: usize = 80;
const HEIGHT: f32 = 120.0;
/// Height of a number at a chart's edge.
const LABEL: f32 = 11.0;

/// Colours of curves that tell apart on both themes.
const COLOURS: [Color32; 8] = [
    Color32::from_rgb(225, 110, 80),
    Color32::from_rgb(86, 156, 214),
    Color32::from_rgb(226, 176, 72),
    Color32::from_rgb(96, 178, 140),
    Color32::from_rgb(170, 130, 200),
    Color32::from_rgb(150, 160, 80),
    Color32::from_rgb(220, 140, 175),
    Color32::from_rgb(140, 130, 120),
];

/// Numbers over time.
#[derive(Default)]
pub struct Plots {
    moments: VecDeque<[f64; 6]>, // time, kinetic, gravity, elastic, total, |momentum|
    profiles: VecDeque<Vec<(&'static str, f64)>>,
    /// Distance from the solution by iteration, solver by solver.
    compared: Vec<(&'static str, Vec<f64>)>,
}

impl Plots {
    pub fn clear(&mut self) {
        self.moments.clear();
        self.profiles.clear();
    }

    pub fn add(&mut self, time: f64, m: &Measures) {
        if self.moments.back().is_some_and(|last| last[0] > time) {
            self.moments.clear();
        }
        let momentum = m.momentum.length();
        let row = [time, m.kinetic_energy, m.gravity_energy, m.elastic_energy, m.energy(), momentum];
        self.moments.push_back(row);
        if self.moments.len() > HISTORY {
            self.moments.pop_front();
        }
    }

    pub fn profile(&mut self, times: Vec<(&'static str, f64)>) {
        self.profiles.push_back(times);
        if self.profiles.len() > PROFILES {
            self.profiles.pop_front();
        }
    }

    pub fn compare(&mut self, curves: Vec<(&'static str, Vec<f64>)>) {
        self.compared = curves;
    }

    pub fn show_energies(&self, ui: &mut Ui) {
        // Energies are up to a constant, so that curves start at zero.
        let names = ["kinetic", "gravity", "elastic", "total"];
        let first = self.moments.front().copied().unwrap_or_default();
        let curves: Vec<(&str, Vec<[f64; 2]>)> = names
            .iter()
            .enumerate()
            .map(|(k, name)| {
                let zero = if matches!(k, 1 | 3) { first[k + 1] } else { 0.0 };
                (*name, self.moments.iter().map(|m| [m[0], m[k + 1] - zero]).collect())
            })
            .collect();
        chart(ui, "energy since the start", "J", "s", &curves);
        let momentum = self.moments.iter().map(|m| [m[0], m[5]]).collect();
        chart(ui, "momentum", "kg m/s", "s", &[("|p|", momentum)]);
    }

    /// Times of kernels, stacked, the newest at the right.
    pub fn show_profile(&self, ui: &mut Ui) {
        let mut names: Vec<&'static str> = Vec::new();
        for (name, _) in self.profiles.iter().flatten() {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let totals = self.profiles.iter().map(|p| p.iter().map(|(_, ms)| ms).sum::<f64>());
        let most = totals.fold(0.0, f64::max).max(1e-6);
        let area = frame(ui, &format!("ms per step, by kernel (to {})", number(most)));
        let width = area.width() / PROFILES as f32;
        let painter = ui.painter();
        for (column, profile) in self.profiles.iter().rev().enumerate() {
            let right = area.right() - column as f32 * width;
            let mut base = area.bottom();
            for (k, name) in names.iter().enumerate() {
                let time = profile.iter().find(|(other, _)| other == name).map_or(0.0, |(_, ms)| *ms);
                let height = area.height() * (time / most) as f32;
                let bar = Rect::from_min_max(pos2(right - width, base - height), pos2(right, base));
                painter.rect_filled(bar, 0.0, COLOURS[k % COLOURS.len()]);
                base -= height;
            }
        }
        let last = self.profiles.back();
        ui.horizontal_wrapped(|ui| {
            for (k, name) in names.iter().enumerate() {
                let time =
                    last.and_then(|p| p.iter().find(|(other, _)| other == name)).map_or(0.0, |(_, ms)| *ms);
                ui.colored_label(COLOURS[k % COLOURS.len()], format!("{name} {}", number(time)));
            }
        });
    }

    /// How far each solver is from the solution, on a logarithmic scale.
    pub fn show_comparison(&self, ui: &mut Ui) {
        let curves: Vec<(&str, Vec<[f64; 2]>)> = self
            .compared
            .iter()
            .map(|(name, values)| {
                let points = values.iter().enumerate().filter(|(_, v)| **v > 0.0);
                (*name, points.map(|(k, v)| [k as f64, v.log10()]).collect())
            })
            .collect();
        chart(ui, "log₁₀ of the distance from the solution", "m", "iterations", &curves);
    }
}

/// Room for a chart with its title above.
fn frame(ui: &mut Ui, title: &str) -> Rect {
    ui.label(egui::RichText::new(title).small());
    let (area, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), HEIGHT), Sense::hover());
    ui.painter().rect_filled(area, 3.0, ui.visuals().extreme_bg_color);
    area.shrink2(Vec2::new(2.0, 4.0))
}

/// Curves in one picture, with the range of both axes written at its edges.
fn chart(ui: &mut Ui, title: &str, unit: &str, along: &str, curves: &[(&str, Vec<[f64; 2]>)]) {
    let area = frame(ui, &format!("{title} [{unit}]"));
    let points =
        || curves.iter().flat_map(|(_, points)| points).filter(|p| p[0].is_finite() && p[1].is_finite());
    let range = |axis: usize| {
        let (low, high) = points()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[axis]), high.max(p[axis])));
        if high > low { (low, high) } else { (low - 0.5, low + 0.5) }
    };
    if points().next().is_none() {
        return;
    }
    let ((left, right), (low, high)) = (range(0), range(1));
    // Curves stay clear of the numbers at the edges.
    let inner = area.shrink2(Vec2::new(0.0, LABEL));
    let place = |p: &[f64; 2]| -> Pos2 {
        let x = ((p[0] - left) / (right - left)) as f32;
        let y = ((p[1] - low) / (high - low)) as f32;
        pos2(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())
    };
    let painter = ui.painter();
    for (k, (_, points)) in curves.iter().enumerate() {
        let line: Vec<Pos2> = points.iter().filter(|p| p[1].is_finite()).map(place).collect();
        painter.add(Shape::line(line, Stroke::new(1.5, COLOURS[k % COLOURS.len()])));
    }
    let (font, weak) = (FontId::proportional(10.0), ui.visuals().weak_text_color());
    painter.text(area.left_top(), Align2::LEFT_TOP, number(high), font.clone(), weak);
    painter.text(area.left_bottom(), Align2::LEFT_BOTTOM, number(low), font.clone(), weak);
    let span = format!("{} to {} {along}", number(left), number(right));
    painter.text(area.right_bottom(), Align2::RIGHT_BOTTOM, span, font, weak);
    ui.horizontal_wrapped(|ui| {
        for (k, (name, points)) in curves.iter().enumerate() {
            let last = points.last().map_or(String::new(), |p| format!(" {}", number(p[1])));
            ui.colored_label(COLOURS[k % COLOURS.len()], format!("{name}{last}"));
        }
    });
}

/// A number in three digits.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{x:.2e}")
    } else {
        let digits = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
        format!("{x:.digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 1.0, 12.345, 1234.5, 0.012345, -3.0, 1e-7, 2e9].map(number);
        assert_eq!(shown, ["0", "1.00", "12.3", "1234", "0.0123", "-3.00", "1.00e-7", "2.00e9"]);
    }
}
