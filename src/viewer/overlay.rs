//! What lies over the picture: legend, numbers of the picked particle, messages.

use super::marks;
use super::plots::number;
use super::state::Viewer;
use crate::Backend;
use crate::export::{colour_map, si};
use egui::{Align2, Color32, Context, FontId, Frame, Rect, Ui, Vec2, pos2};

/// Steps of the legend's colour bar.
const BAR_STEPS: usize = 64;

fn plate(ctx: &Context) -> Frame {
    let style = ctx.global_style();
    Frame::popup(&style).fill(style.visuals.window_fill.gamma_multiply(0.9))
}

/// All overlays, in the order in which they matter least to most.
pub fn show(viewer: &mut Viewer, ctx: &Context) {
    let picture = viewer.picture;
    marks::show(viewer, ctx);
    legend(viewer, ctx);
    numbers(viewer, ctx);
    if let Some((name, index, count)) = &viewer.pass {
        let text = format!("after pass {} of {count}: {name}", index + 1);
        bar(ctx, "pass", picture.center_top() + Vec2::new(0.0, 12.0), Align2::CENTER_TOP, |ui| {
            ui.label(text);
        });
    }
    let note = match (&viewer.recording, viewer.is_loading()) {
        (Some(recording), _) => Some(format!("recording: {} frames", recording.frames)),
        (None, true) => Some("preparing the scene …".into()),
        (None, false) => viewer.note().map(str::to_owned),
    };
    if let Some(note) = note {
        bar(ctx, "note", picture.center_bottom() - Vec2::new(0.0, 14.0), Align2::CENTER_BOTTOM, |ui| {
            ui.label(note);
        });
    }
    error(viewer, ctx);
}

fn bar(ctx: &Context, id: &str, at: egui::Pos2, pivot: Align2, add: impl FnOnce(&mut Ui)) {
    egui::Area::new(egui::Id::unique(id)).fixed_pos(at).pivot(pivot).show(ctx, |ui| {
        plate(ctx).show(ui, |ui| {
            // A bar is as wide as what it says.
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            add(ui);
        });
    });
}

fn error(viewer: &mut Viewer, ctx: &Context) {
    let Some(message) = viewer.error.clone() else { return };
    let at = viewer.picture.center_top() + Vec2::new(0.0, 14.0);
    let width = (viewer.picture.width() - 60.0).clamp(120.0, 640.0);
    egui::Area::new(egui::Id::unique("error")).fixed_pos(at).pivot(Align2::CENTER_TOP).show(ctx, |ui| {
        let red = Color32::from_rgb(150, 40, 36);
        plate(ctx).fill(red).show(ui, |ui| {
            ui.set_max_width(width);
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_max_width(width - 60.0);
                    ui.label(egui::RichText::new(message).color(Color32::WHITE));
                });
                if ui.button("close").clicked() {
                    viewer.error = None;
                }
            });
            if viewer.lost_device {
                ui.horizontal(|ui| restart(viewer, ui));
            }
        });
    });
}

/// Where to go on after a device was lost.
fn restart(viewer: &mut Viewer, ui: &mut Ui) {
    for (backend, name) in [(Backend::Cpu, "CPU"), (Backend::Gpu, "GPU")] {
        let response = ui.button(format!("start again on the {name}"));
        viewer.mark(&format!("restart {name}"), response.rect);
        if response.clicked() {
            viewer.restart_on(backend);
        }
    }
}

/// The colour map with title, unit and the values at its ends.
fn legend(viewer: &Viewer, ctx: &Context) {
    let Some(legend) = &viewer.presented.legend else { return };
    let at = viewer.picture.right_bottom() - Vec2::new(14.0, 14.0);
    bar(ctx, "legend", at, Align2::RIGHT_BOTTOM, |ui| {
        ui.label(legend.title.to_string());
        let (area, _) = ui.allocate_exact_size(Vec2::new(180.0, 12.0), egui::Sense::hover());
        let step = area.width() / BAR_STEPS as f32;
        for k in 0..BAR_STEPS {
            let [r, g, b] =
                colour_map((k as f32 + 0.5) / BAR_STEPS as f32).map(|c| (255.0 * c).round() as u8);
            let left = area.left() + k as f32 * step;
            let piece = Rect::from_min_max(pos2(left, area.top()), pos2(left + step + 0.5, area.bottom()));
            ui.painter().rect_filled(piece, 0.0, Color32::from_rgb(r, g, b));
        }
        let (ends, _) = ui.allocate_exact_size(Vec2::new(180.0, 12.0), egui::Sense::hover());
        let (font, colour) = (FontId::proportional(11.0), ui.visuals().text_color());
        let [low, high] = legend.range;
        let text = |at, align, value| {
            ui.painter().text(at, align, si(value, legend.unit), font.clone(), colour);
        };
        text(ends.left_top(), Align2::LEFT_TOP, low);
        text(ends.center_top(), Align2::CENTER_TOP, 0.5 * (low + high));
        text(ends.right_top(), Align2::RIGHT_TOP, high);
    });
}

/// The numbers of the particle that was last clicked, as they are now.
fn numbers(viewer: &Viewer, ctx: &Context) {
    let Some(picked) = &viewer.picked else { return };
    let at = viewer.picture.left_bottom() + Vec2::new(14.0, -14.0);
    let vector = |v: glam::DVec3| format!("{}, {}, {}", number(v.x), number(v.y), number(v.z));
    bar(ctx, "numbers", at, Align2::LEFT_BOTTOM, |ui| {
        egui::Grid::new("picked").num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
            let mut row = |name: &str, value: String| {
                ui.weak(name);
                ui.label(value);
                ui.end_row();
            };
            row("particle", format!("{} of {}", picked.number, picked.body));
            row("position", format!("{} m", vector(picked.position)));
            row("velocity", format!("{} m/s", vector(picked.velocity)));
            row("speed", format!("{} m/s", number(picked.velocity.length())));
            row("mass", format!("{} kg", number(picked.mass)));
            row("strain", format!("{} %", number(100.0 * picked.strain)));
            for (name, value) in &picked.element {
                row(name, value.clone());
            }
        });
    });
}
