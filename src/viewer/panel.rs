//! The panel at the side: run, change, look.

use super::edit;
use super::plots::number;
use super::state::{Record, SLOW_MOTION, Viewer};
use super::worker::{Command, Watch};
use crate::render::{Overlays, Quality, Theme};
use egui::{CollapsingHeader, RichText, Slider, SliderClamping, Ui};
use std::path::PathBuf;

/// Width in points.
pub const WIDTH: f32 = 340.0;

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    heading(viewer, ui);
    transport(viewer, ui);
    ui.separator();
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        viewer.filling = ui.clip_rect();
        if viewer.session.is_none() {
            ui.add_space(8.0);
            ui.weak("Choose a scene to begin.");
            return;
        }
        ui.spacing_mut().slider_width = 92.0;
        ui.spacing_mut().item_spacing.x = 5.0;
        let mut changed = false;
        let about = viewer.session.as_ref().map_or(String::new(), |session| session.about.clone());
        if !about.is_empty() {
            section(viewer, ui, "About", false, |_, ui| {
                ui.weak(about);
            });
        }
        section(viewer, ui, "Solver", true, |viewer, ui| changed |= edit::solver(viewer, ui));
        section(viewer, ui, "World", true, |viewer, ui| changed |= edit::world(viewer, ui));
        section(viewer, ui, "Body", true, |viewer, ui| changed |= edit::body(viewer, ui));
        if changed {
            viewer.apply_changes();
        }
        section(viewer, ui, "View", true, view);
        let curves = section(viewer, ui, "Energy", false, |viewer, ui| viewer.plots.show_energies(ui));
        let profile = section(viewer, ui, "Time", false, time);
        if (viewer.watch.measures, viewer.watch.profile) != (curves, profile) {
            viewer.set_watch(Watch { measures: curves, profile, ..viewer.watch });
        }
        section(viewer, ui, "Convergence", false, |viewer, ui| {
            ui.weak("The next substep, solved three ways from the present state.");
            if button(viewer, ui, "compare", "Compare the solvers", "Jacobi, accelerated Jacobi, coloured") {
                viewer.worker.send(Command::Compare);
            }
            viewer.plots.show_comparison(ui);
        });
        section(viewer, ui, "Files", false, files);
        section(viewer, ui, "Scene", false, counts);
    });
    viewer.filling = egui::Rect::EVERYTHING;
}

/// A part of the panel; returns whether it is open.
fn section(
    viewer: &mut Viewer,
    ui: &mut Ui,
    title: &str,
    open: bool,
    add: impl FnOnce(&mut Viewer, &mut Ui),
) -> bool {
    let header = CollapsingHeader::new(RichText::new(title).strong()).default_open(open);
    let shown = header.show_unindented(ui, |ui| add(viewer, ui));
    viewer.mark(title, shown.header_response.rect);
    shown.body_returned.is_some()
}

fn heading(viewer: &mut Viewer, ui: &mut Ui) {
    ui.add_space(6.0);
    let title = match &viewer.session {
        Some(session) if !session.scene.title.is_empty() => session.scene.title.clone(),
        Some(session) => session.name.clone(),
        None => "sinew".into(),
    };
    ui.horizontal(|ui| {
        ui.heading(title);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if button(viewer, ui, "help", "?", "keys and mouse (F1)") {
                viewer.show_help = !viewer.show_help;
            }
            if button(viewer, ui, "gallery", "Scenes", "the built-in scenes (G)") {
                viewer.show_gallery = !viewer.show_gallery;
            }
        });
    });
}

fn button(viewer: &mut Viewer, ui: &mut Ui, mark: &str, text: &str, hint: &str) -> bool {
    let response = ui.button(text).on_hover_text(hint);
    viewer.mark(mark, response.rect);
    response.clicked()
}

fn transport(viewer: &mut Viewer, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let playing = viewer.status.playing;
        if button(viewer, ui, "play", if playing { "Pause" } else { "Run" }, "Space") {
            viewer.play(!playing);
        }
        if button(viewer, ui, "step", "Step", "one step (.)") {
            viewer.step();
        }
        if button(viewer, ui, "pass", "Pass", "one pass of a step (,)") {
            viewer.single_pass();
        }
        if button(viewer, ui, "reset", "Reset", "start again (R)") {
            viewer.reset();
        }
    });
    edit::row(ui, "speed", |ui| {
        let mut speed = viewer.speed;
        let slider = Slider::new(&mut speed, 0.01..=4.0).logarithmic(true).suffix(" ×");
        let response = ui.add(slider);
        viewer.mark("speed", response.rect);
        if response.changed() {
            viewer.set_speed(speed);
        }
        if ui.selectable_label(viewer.speed == SLOW_MOTION, "slow").clicked() {
            viewer.set_speed(if viewer.speed == SLOW_MOTION { 1.0 } else { SLOW_MOTION });
        }
    });
    if let Some([first, last]) = viewer.past {
        edit::row(ui, "timeline", |ui| {
            let mut time = viewer.status.time;
            // What is shown may be later than the last moment that was kept, and it is neither clamped nor rounded unless it is dragged:
            // that would be a change, which pauses.
            let ends = first.min(time)..=last.max(time);
            let slider = Slider::new(&mut time, ends).clamping(SliderClamping::Edits);
            let response = ui
                .add(slider.custom_formatter(|time, _| format!("{time:.2} s")))
                .on_hover_text("the last seconds: drag to go back and forth, Run goes on from there");
            viewer.mark("timeline", response.rect);
            let by_hand = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
            if response.changed() && by_hand {
                viewer.scrub(time);
            }
        });
    }
    let status = viewer.status;
    let milliseconds = 1e3 * status.step_seconds;
    let frame = 1e3 * viewer.frame_seconds;
    ui.label(format!("{:.2} s    step {}", status.time, status.steps));
    ui.label(format!("{} ms/step    {} ms/frame", number(milliseconds), number(frame)));
}

fn view(viewer: &mut Viewer, ui: &mut Ui) {
    let mut watch = viewer.watch;
    for (k, colours) in viewer.colours().chunks(4).enumerate() {
        edit::row(ui, if k == 0 { "colour" } else { "" }, |ui| {
            for &(colour, name) in colours {
                let response = ui.selectable_value(&mut watch.colour, colour, name);
                viewer.mark(&format!("colour {name}"), response.rect);
            }
        });
    }
    let mut overlays = viewer.overlays;
    let Overlays { particles, wireframe, constraints, frames, hide_colliders, ball: _ } = &mut overlays;
    let (mut obstacles, mut axes) = (!*hide_colliders, viewer.axes);
    let boxes: [(&str, &mut bool); 8] = [
        ("wireframe", wireframe),
        ("particles", particles),
        ("constraints", constraints),
        ("frames", frames),
        ("contacts", &mut watch.contacts),
        ("obstacles", &mut obstacles),
        ("forces", &mut watch.forces),
        ("axes", &mut axes),
    ];
    for (k, boxes) in boxes.into_iter().collect::<Vec<_>>().chunks_mut(2).enumerate() {
        edit::row(ui, if k == 0 { "draw" } else { "" }, |ui| {
            for (name, on) in boxes {
                let response = ui.checkbox(on, *name);
                viewer.mark(&format!("draw {name}"), response.rect);
            }
        });
    }
    (*hide_colliders, viewer.axes) = (!obstacles, axes);
    if watch != viewer.watch {
        viewer.set_watch(watch);
    }
    if overlays != viewer.overlays {
        viewer.set_overlays(overlays);
    }
    edit::row(ui, "light", |ui| {
        ui.selectable_value(&mut viewer.theme, Theme::Light, "light");
        ui.selectable_value(&mut viewer.theme, Theme::Dark, "dark");
    });
    edit::row(ui, "quality", |ui| {
        for (quality, name) in
            [(Quality::Draft, "draft"), (Quality::Normal, "normal"), (Quality::Fine, "fine")]
        {
            ui.selectable_value(&mut viewer.quality, quality, name);
        }
    });
    edit::row(ui, "camera", |ui| {
        if let Some(camera) = &mut viewer.camera {
            ui.checkbox(&mut camera.orthographic, "orthographic");
        }
        if ui.button("frame").clicked() {
            viewer.frame_scene();
        }
    });
    edit::row(ui, "ball", |ui| {
        let slider = Slider::new(&mut viewer.ball_size, 0.01..=0.3).logarithmic(true);
        ui.add(slider)
            .on_hover_text("its radius over the size of the scene; Ctrl + left drag pushes with it");
    });
    if viewer.status.pins > 0 {
        edit::row(ui, "pins", |ui| {
            ui.label(viewer.status.pins.to_string());
            if ui.button("let all go").clicked() {
                viewer.worker.send(Command::Unpin);
            }
        });
    }
}

fn time(viewer: &mut Viewer, ui: &mut Ui) {
    let time_step = viewer.session.as_ref().map_or(0.0, |session| session.scene.time_step);
    let step = viewer.status.step_seconds;
    if step > 0.0 {
        ui.label(format!("a step of {} ms takes {} ms", number(1e3 * time_step), number(1e3 * step)));
        ui.label(format!("{} × real time on {}", number(time_step / step), viewer.summary.runs_on));
    }
    viewer.plots.show_profile(ui);
}

fn files(viewer: &mut Viewer, ui: &mut Ui) {
    let watched = viewer.session.as_ref().and_then(|session| session.file.as_ref());
    if let Some(file) = watched {
        ui.weak(format!("watching {}: saving it starts again", file.path.display()));
    }
    let is_changed =
        viewer.session.as_ref().is_some_and(|session| session.scene != *session.original.scene());
    ui.horizontal(|ui| {
        let can_undo = !viewer.undo.is_empty();
        ui.add_enabled_ui(can_undo, |ui| {
            if button(viewer, ui, "undo", "Undo", "the last change (U)") {
                viewer.undo();
            }
        });
        ui.add_enabled_ui(is_changed, |ui| {
            if button(viewer, ui, "undo all", "Undo all", "back to the file's values") {
                viewer.undo_all();
            }
        });
    });
    ui.horizontal(|ui| {
        ui.add(egui::TextEdit::singleline(&mut viewer.save_name).desired_width(170.0));
        if button(viewer, ui, "save scene", "Save scene", "a TOML file of what runs now") {
            viewer.save_scene();
        }
    });
    ui.horizontal(|ui| {
        if ui.button("Picture").on_hover_text("PNG (P)").clicked() {
            viewer.take_screenshot();
        }
        let recording = viewer.recording.is_some();
        let response = ui.selectable_label(recording, "Record").on_hover_text("begin or end (V)");
        viewer.mark("record", response.rect);
        if response.clicked() {
            viewer.toggle_recording();
        }
        ui.add_enabled_ui(!recording, |ui| {
            ui.selectable_value(&mut viewer.record_as, Record::Animation, "animation");
            ui.selectable_value(&mut viewer.record_as, Record::Frames, "frames");
            ui.selectable_value(&mut viewer.record_as, Record::Video, "MP4").on_hover_text("through ffmpeg");
        });
    });
    ui.horizontal(|ui| {
        for ending in ["ply", "vtu"] {
            if button(viewer, ui, ending, &format!("State as {}", ending.to_uppercase()), "the present state")
            {
                let name = viewer.session.as_ref().map_or("sinew", |session| session.name.as_str());
                let path = PathBuf::from(format!("{name}_{:06}.{ending}", viewer.status.steps));
                viewer.worker.send(Command::Export(path));
            }
        }
    });
}

fn counts(viewer: &mut Viewer, ui: &mut Ui) {
    let summary = &viewer.summary;
    egui::Grid::new("counts").num_columns(2).spacing([16.0, 3.0]).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.weak(name);
            ui.label(value);
            ui.end_row();
        };
        row("runs on", summary.runs_on.clone());
        row("particles", summary.particles.to_string());
        row("constraints", summary.constraints.to_string());
        for (name, count, colours) in &summary.families {
            let colours = colours.map_or(String::new(), |n| format!(", {n} colours"));
            row(&format!("  {name}"), format!("{count}{colours}"));
        }
        row("passes per step", summary.passes.to_string());
        row("memory", format!("{} MB for the solver", number(summary.bytes as f64 / 1e6)));
        if let Some(bytes) = viewer.device_memory() {
            row("", format!("{} MB on the device", number(bytes as f64 / 1e6)));
        }
    });
    for line in &summary.advice {
        ui.weak(line);
    }
}
