//! Changing the scene while it runs.

use super::edit_keys;
use super::state::Viewer;
use crate::export::{AtomicFile, ExportError};
use crate::scene::{
    Bending, Cloth, ClothModel, Net, NetMethod, Points, Rod, RodMaterial, RodMethod, Scene, SolverKind, Wind,
};
use crate::{Backend, Simulation};
use egui::{DragValue, Slider, SliderClamping, Ui};
use glam::DVec3;
use std::path::Path;

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
    changed |= slide(viewer, ui, "substeps", Slider::new(&mut scene.substeps, 1..=100).logarithmic(true));
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

/// The material of the selected body. Returns whether the scene changed.
pub fn body(viewer: &mut Viewer, ui: &mut Ui) -> bool {
    let Some(mut session) = viewer.session.take() else { return false };
    let scene = &mut session.scene;
    let names = viewer.summary.bodies.clone();
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
    let changed = if let Some(cloth) = scene.cloth.iter_mut().find(|cloth| cloth.name == name) {
        cloth_material(viewer, ui, cloth)
    } else if let Some(points) = scene.points.iter_mut().find(|points| points.name == name) {
        points_material(viewer, ui, points)
    } else if let Some(rod) = scene.rod.iter_mut().find(|rod| rod.name == name) {
        rod_material(viewer, ui, rod)
    } else if let Some(net) = scene.net.iter_mut().find(|net| net.name == name) {
        net_material(viewer, ui, net)
    } else {
        let changed = edit_keys::body(ui, scene, name);
        viewer.session = Some(session);
        return changed;
    };
    let all = egui::CollapsingHeader::new("all its numbers").id_salt("numbers").show(ui, |ui| {
        // The same as in its table of the scene file.
        edit_keys::body(ui, scene, name)
    });
    let changed = changed | all.body_returned.unwrap_or(false);
    viewer.session = Some(session);
    changed
}

fn cloth_material(viewer: &mut Viewer, ui: &mut Ui, cloth: &mut Cloth) -> bool {
    let before = cloth.clone();
    let is_net = cloth.model == ClothModel::Net;
    if is_net {
        slide(viewer, ui, "stretch", stiffness(&mut cloth.stretch_stiffness, 1.0..=1e5).suffix(" N/m"));
        slide(viewer, ui, "shear", stiffness(&mut cloth.shear_stiffness, 0.1..=1e4).suffix(" N/m"));
    } else {
        let fabric = &mut cloth.fabric;
        slide(viewer, ui, "weft", stiffness(&mut fabric.weft_modulus, 1.0..=1e5).suffix(" N/m"));
        slide(viewer, ui, "warp", stiffness(&mut fabric.warp_modulus, 1.0..=1e5).suffix(" N/m"));
        slide(viewer, ui, "shear", stiffness(&mut fabric.shear_modulus, 0.1..=1e4).suffix(" N/m"));
    }
    let unit = if cloth.bending == Bending::Distance { " N/m" } else { " N m" };
    slide(viewer, ui, "bending", stiffness(&mut cloth.bending_stiffness, 1e-7..=1.0).suffix(unit));
    slide(
        viewer,
        ui,
        "density",
        Slider::new(&mut cloth.density, 0.02..=2.0).logarithmic(true).suffix(" kg/m²"),
    );
    slide(viewer, ui, "drag", Slider::new(&mut cloth.drag, 0.0..=3.0));
    slide(viewer, ui, "lift", Slider::new(&mut cloth.lift, 0.0..=1.5));
    slide(viewer, ui, "friction", Slider::new(&mut cloth.friction, 0.0..=1.5));
    row(ui, "law", |ui| {
        for (law, name, for_fabrics) in [
            (Bending::Dihedral, "angle", true),
            (Bending::Isometric, "quadratic", false),
            (Bending::Distance, "links", false),
            (Bending::None, "none", true),
        ] {
            if !is_net && !for_fabrics {
                continue;
            }
            ui.selectable_value(&mut cloth.bending, law, name);
        }
    });
    *cloth != before
}

fn points_material(viewer: &mut Viewer, ui: &mut Ui, points: &mut Points) -> bool {
    let before = points.clone();
    slide(viewer, ui, "compliance", softness(&mut points.compliance).suffix(" m/N"));
    if points.area_compliance.is_finite() {
        slide(viewer, ui, "area", softness(&mut points.area_compliance).suffix(" m³/N"));
    }
    if points.volume_compliance.is_finite() {
        slide(viewer, ui, "volume", softness(&mut points.volume_compliance).suffix(" m⁵/N"));
    }
    slide(viewer, ui, "friction", Slider::new(&mut points.friction, 0.0..=1.5));
    *points != before
}

fn rod_material(viewer: &mut Viewer, ui: &mut Ui, rod: &mut Rod) -> bool {
    let before = rod.clone();
    elasticity(viewer, ui, &mut rod.material);
    slide(viewer, ui, "friction", Slider::new(&mut rod.friction, 0.0..=1.5));
    row(ui, "method", |ui| {
        for (method, name) in [
            (RodMethod::Direct, "direct"),
            (RodMethod::Coloured, "coloured"),
            (RodMethod::Jacobi, "Jacobi"),
            (RodMethod::Corde, "CoRdE"),
        ] {
            ui.selectable_value(&mut rod.method, method, name);
        }
    });
    *rod != before
}

fn net_material(viewer: &mut Viewer, ui: &mut Ui, net: &mut Net) -> bool {
    let before = net.clone();
    elasticity(viewer, ui, &mut net.material);
    slide(viewer, ui, "joints", Slider::new(&mut net.joint_stiffness, 0.01..=10.0).logarithmic(true));
    slide(viewer, ui, "friction", Slider::new(&mut net.friction, 0.0..=1.5));
    row(ui, "method", |ui| {
        for (method, name) in [
            (NetMethod::Direct, "direct"),
            (NetMethod::Coloured, "coloured"),
            (NetMethod::Jacobi, "Jacobi"),
            (NetMethod::Corde, "CoRdE"),
        ] {
            ui.selectable_value(&mut net.method, method, name);
        }
    });
    *net != before
}

/// What rods and nets are made of.
fn elasticity(viewer: &mut Viewer, ui: &mut Ui, material: &mut RodMaterial) {
    slide(viewer, ui, "Young", stiffness(&mut material.youngs_modulus, 1e5..=1e12).suffix(" Pa"));
    match &mut material.shear_modulus {
        Some(modulus) => slide(viewer, ui, "shear", stiffness(modulus, 1e5..=1e12).suffix(" Pa")),
        None => slide(viewer, ui, "Poisson", Slider::new(&mut material.poisson_ratio, 0.0..=0.49)),
    };
    slide(
        viewer,
        ui,
        "density",
        Slider::new(&mut material.density, 100.0..=2e4).logarithmic(true).suffix(" kg/m³"),
    );
}

fn stiffness(value: &mut f64, range: std::ops::RangeInclusive<f64>) -> Slider<'_> {
    Slider::new(value, range).logarithmic(true)
}

fn softness(value: &mut f64) -> Slider<'_> {
    Slider::new(value, 0.0..=0.1).logarithmic(true).smallest_positive(1e-9)
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
        let (rect, _) = ui.allocate_exact_size(egui::vec2(80.0, 18.0), egui::Sense::hover());
        let (font, colour) = (egui::TextStyle::Body.resolve(ui.style()), ui.visuals().text_color());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, name, font, colour);
        add(ui)
    })
    .inner
}

/// Writes a scene as a file that may lie anywhere.
pub fn save_scene(scene: &Scene, path: &Path) -> Result<(), super::worker::Problem> {
    let text = scene.with_full_paths().to_toml()?;
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
