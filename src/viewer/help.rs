//! The keys, and the overlay that lists them.

use super::camera::Side;
use super::state::{SLOW_MOTION, Viewer};
use crate::render::{Overlays, Theme};
use egui::{Context, Key, Modifiers};

/// What a key or a gesture does, for the help overlay.
pub const KEYS: &[(&str, &str)] = &[
    ("Space", "run or pause"),
    (".", "one step"),
    (",", "one pass of a step"),
    ("R", "start again"),
    ("S", "slow motion"),
    ("left drag", "pull what is under the cursor, or turn the camera"),
    ("Shift + left drag", "turn the camera"),
    ("Ctrl + left drag", "push with a ball; the wheel moves it nearer or further"),
    ("right or middle drag", "move the camera"),
    ("wheel", "zoom"),
    ("N", "pin or let go of what is under the cursor"),
    ("F", "frame the scene"),
    ("O", "orthographic view"),
    ("1  2  3", "from the front, the right, the top"),
    ("C", "next colour mode"),
    ("W", "wireframe"),
    ("L", "light or dark"),
    ("P", "save a picture"),
    ("V", "begin or end a recording"),
    ("U  Ctrl + Z", "undo the last change"),
    ("G", "gallery"),
    ("H", "hide the panel"),
    ("?  F1", "this help"),
];

fn is_key(event: &egui::Event) -> bool {
    matches!(event, egui::Event::Key { pressed: true, .. })
}

/// Does what the keys say that were pressed in this frame.
pub fn keys(viewer: &mut Viewer, ctx: &Context) {
    if ctx.input(|input| input.pointer.any_pressed() || input.events.iter().any(is_key)) {
        viewer.undo.press();
    }
    if ctx.text_edit_focused() {
        return;
    }
    // Taken away from the controls: a button that was just clicked would take the space bar for another click.
    let pressed = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::Space) {
        viewer.play(!viewer.status.playing);
    }
    if pressed(Key::Period) {
        viewer.step();
    }
    if pressed(Key::Comma) {
        viewer.single_pass();
    }
    if pressed(Key::R) {
        viewer.reset();
    }
    if pressed(Key::S) {
        viewer.set_speed(if viewer.speed == 1.0 { SLOW_MOTION } else { 1.0 });
    }
    if pressed(Key::F) {
        viewer.frame_scene();
    }
    if pressed(Key::O)
        && let Some(camera) = &mut viewer.camera
    {
        camera.orthographic = !camera.orthographic;
    }
    for (key, side) in [(Key::Num1, Side::Front), (Key::Num2, Side::Right), (Key::Num3, Side::Top)] {
        if pressed(key) {
            viewer.look_from(side);
        }
    }
    if pressed(Key::N) {
        viewer.pin(ctx.input(|input| input.pointer.latest_pos()));
    }
    if pressed(Key::C) {
        let colours = viewer.colours();
        let shown = colours.iter().position(|(colour, _)| *colour == viewer.watch.colour).unwrap_or(0);
        let (colour, _) = colours[(shown + 1) % colours.len()];
        viewer.set_watch(super::worker::Watch { colour, ..viewer.watch });
    }
    if pressed(Key::W) {
        let wireframe = !viewer.overlays.wireframe;
        viewer.set_overlays(Overlays { wireframe, ..viewer.overlays });
    }
    if pressed(Key::L) {
        viewer.theme = if viewer.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
    }
    if pressed(Key::P) {
        viewer.take_screenshot();
    }
    if pressed(Key::V) {
        viewer.toggle_recording();
    }
    if pressed(Key::U) {
        viewer.undo();
    }
    if ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z)) {
        viewer.undo();
    }
    if pressed(Key::G) {
        viewer.show_gallery = !viewer.show_gallery;
    }
    if pressed(Key::H) {
        viewer.show_panel = !viewer.show_panel;
    }
    if pressed(Key::Questionmark) || pressed(Key::F1) {
        viewer.show_help = !viewer.show_help;
    }
    if pressed(Key::Escape) {
        (viewer.show_help, viewer.show_gallery) = (false, viewer.session.is_none());
    }
}

/// Lists the keys over the picture.
pub fn show(viewer: &mut Viewer, ctx: &Context) {
    if !viewer.show_help {
        return;
    }
    let mut open = true;
    egui::Window::new("Keys and mouse")
        .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .collapsible(false)
        .resizable(false)
        .open(&mut open)
        .show(ctx, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([24.0, 5.0]).show(ui, |ui| {
                for (key, what) in KEYS {
                    ui.strong(*key);
                    ui.label(*what);
                    ui.end_row();
                }
            });
        });
    viewer.show_help = open;
}
