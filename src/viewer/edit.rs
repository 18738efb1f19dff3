//! Changing the scene while it runs.

use super::edit_keys;
use super::state::Viewer;
use crate::export::{AtomicFile, ExportError};
use crate::scene::{Scene, SolverKind, Wind};
use crate::{Backend, Simulation};
use egui::{DragValue, Slider, SliderClamping, Ui};
use glam::DVec3;
use std::path::Path;

/// Width of the names of controls, in points: a row of five buttons still fits beside them.
const LABEL: f32 = 92.0;

/// Backend, solver and steps. Returns whether the scene changed.
pub fn solver(viewer: &mut Viewer, ui: &mut Ui) -> bool {
    let mut changed = false;
    let before = viewer.backend;
    row(ui, "backend", |ui| {
        let gpu = ui.selectable_value(&mut viewer.backend, Backend::Gpu, "GPU");
        let cpu = ui.selectable_value(&mut viewer.backend, Backend::Cpu, "CPU");
        viewer.mark("GPU", gpu.rect);
        viewer.mark("CPU", cpu.rect);
    });
    changed |= viewer.backend != before;
    let Some(mut session) = viewer.session.take() else { return changed };
    let scene = &mut session.scene;
    row(ui, "solver", |ui| {
        for (kind, name) in [(SolverKind::Coloured, "coloured"), (SolverKind::Jacobi, "Jacobi")] {
            let response = ui.selectable_value(&mut scene.solver, kind, name);
            changed |= response.changed();
            viewer.mark(name, response.rect);
        }
    });
    if slide(viewer, ui, "substeps", Slider::new(&mut scene.substeps, 1..=100).logarithmic(true)) {
        (changed, scene.raise_substeps) = (true, false);
    }
    changed |= slide(viewer, ui, "iterations", Slider::new(&mut scene.iterations, 1..=50).logarithmic(true));
    changed |= slide(viewer, ui, "relaxation", Slider::new(&mut scene.relaxation, 0.1..=1.95));
    if scene.solver == SolverKind::Jacobi {
        changed |= slide(viewer, ui, "chebyshev", Slider::new(&mut scene.chebyshev, 0.0..=0.99));
    } else {
        // It belongs to Jacobi.
        scene.chebyshev = 0.0;
    }
    let mut milliseconds = 1e3 * scene.time_step;
    changed |= slide(
        viewer,
        ui,
        "time step",
        Slider::new(&mut milliseconds, 0.5..=50.0).logarithmic(true).suffix(" ms"),
    );
    if milliseconds != 1e3 * scene.time_step {
        scene.time_step = 1e-3 * milliseconds;
    }
    changed |= slide(viewer, ui, "damping", Slider::new(&mut scene.damping, 0.0..=5.0).suffix(" /s"));
    viewer.session = Some(session);
    changed
}

/// Gravity and wind. Returns whether the scene changed.
pub fn world(viewer: &mut Viewer, ui: &mut Ui) -> bool {
    let Some(mut session) = viewer.session.take() else { return false };
    let scene = &mut session.scene;
    let before = (scene.gravity, scene.wind.clone());
    row(ui, "gravity m/s²", |ui| {
        for axis in 0..3 {
            ui.add(DragValue::new(&mut scene.gravity[axis]).speed(0.1).max_decimals(2));
        }
    });
    row(ui, "", |ui| {
        let size = if scene.gravity == DVec3::ZERO { 9.81 } else { scene.gravity.length() };
        let directions =
            [("down", DVec3::NEG_Y), ("up", DVec3::Y), ("left", DVec3::NEG_X), ("right", DVec3::X)];
        for (name, direction) in directions {
            let response = ui.small_button(name);
            viewer.mark(&format!("gravity {name}"), response.rect);
            if response.clicked() {
                scene.gravity = size * direction;
            }
        }
        let response = ui.small_button("none");
        viewer.mark("gravity none", response.rect);
        if response.clicked() {
            scene.gravity = DVec3::ZERO;
        }
    });
    wind(viewer, ui, scene);
    let changed = (scene.gravity, scene.wind.clone()) != before;
    viewer.session = Some(session);
    changed
}

/// The wind's strength along the direction it has, or along x where there is none.
fn wind(viewer: &mut Viewer, ui: &mut Ui, scene: &mut Scene) {
    // Nothing else feels it.
    if scene.cloth.is_empty() && scene.net.is_empty() && scene.rod.is_empty() {
        return;
    }
    let velocity = scene.wind.as_ref().map_or(DVec3::ZERO, |wind| wind.velocity);
    let mut strength = velocity.length();
    let direction = velocity.try_normalize().unwrap_or(DVec3::X);
    row(ui, "wind", |ui| {
        let response = ui.add(Slider::new(&mut strength, 0.0..=20.0).suffix(" m/s"));
        viewer.mark("wind", response.rect);
        if response.changed() {
            // A trace of wind keeps its direction.
            let velocity = direction * strength.max(1e-6);
            scene.wind = Some(Wind { velocity, ..scene.wind.clone().unwrap_or_default() });
        }
    });
    if let Some(wind) = &mut scene.wind {
        let mut degrees = wind.velocity.z.atan2(wind.velocity.x).to_degrees();
        row(ui, "towards", |ui| {
            if ui.add(Slider::new(&mut degrees, -180.0..=180.0).suffix("°")).changed() {
                let (sin, cos) = degrees.to_radians().sin_cos();
                wind.velocity = DVec3::new(cos, 0.0, sin) * wind.velocity.length();
            }
        });
    }
}

/// The material of the selected body, or all of the selected collider. Returns whether the scene changed.
pub fn body(viewer: &mut Viewer, ui: &mut Ui) -> bool {
    let Some(mut session) = viewer.session.take() else { return false };
    let scene = &mut session.scene;
    let mut names = viewer.summary.bodies.clone();
    let bodies = names.len();
    names.extend(scene.collider.iter().enumerate().map(|(index, collider)| collider.label(index)));
    viewer.selected = viewer.selected.min(names.len().saturating_sub(1));
    if names.len() > 1 {
        egui::ComboBox::from_id_salt("body").selected_text(&names[viewer.selected]).show_ui(ui, |ui| {
            for (k, name) in names.iter().enumerate() {
                ui.selectable_value(&mut viewer.selected, k, name);
            }
        });
    } else if let Some(name) = names.first() {
        ui.label(name);
    }
    let name = names.get(viewer.selected).map_or("", String::as_str);
    if viewer.selected >= bodies {
        let changed = edit_keys::all(ui, scene, name);
        viewer.session = Some(session);
        return changed;
    }
    let changed = edit_keys::panel(viewer, ui, scene, name);
    let all = egui::CollapsingHeader::new("all its numbers").id_salt("numbers").show(ui, |ui| {
        // The same as in its table of the scene file.
        edit_keys::all(ui, scene, name)
    });
    let changed = changed | all.body_returned.unwrap_or(false);
    viewer.session = Some(session);
    changed
}

/// A slider with its name before it; returns whether it was moved. Values outside its range stay until then.
fn slide(viewer: &mut Viewer, ui: &mut Ui, name: &str, slider: Slider) -> bool {
    row(ui, name, |ui| {
        let response = ui.add(slider.clamping(SliderClamping::Edits));
        viewer.mark(name, response.rect);
        response.changed()
    })
}

/// A control with its name before it.
pub fn row<R>(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(LABEL, 18.0), egui::Sense::hover());
        let (font, colour) = (egui::TextStyle::Body.resolve(ui.style()), ui.visuals().text_color());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, name, font, colour);
        add(ui)
    })
    .inner
}

/// Writes a scene as a file beside which its files are found by their relative paths.
pub fn save_scene(scene: &Scene, path: &Path) -> Result<(), super::worker::Problem> {
    let text = scene.with_paths_from(path.parent().unwrap_or(Path::new(""))).to_toml()?;
    Ok(AtomicFile::write_with(path, |file| std::io::Write::write_all(file, text.as_bytes()))?)
}

/// Writes the state as PLY or, by the file's ending, VTU.
pub fn export(simulation: &mut Simulation, path: &Path) -> Result<(), super::worker::Problem> {
    let is_vtu = path.extension().is_some_and(|extension| extension == "vtu");
    let written: Result<(), ExportError> = simulation.snapshot(|snapshot| match is_vtu {
        true => crate::export::write_vtu(path, snapshot),
        false => crate::export::write_ply(path, snapshot),
    })?;
    Ok(written?)
}
