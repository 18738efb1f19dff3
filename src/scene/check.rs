//! Is every value in its range? Nothing here reads a file or takes memory.

use std::collections::HashMap;

use glam::DVec3;

use super::error::{SceneError, SceneErrorKind};
use super::read::subject;
use super::{
    Bending, Camera, Cloth, ClothShape, Collider, ColliderShape, Expect, Keyframe, Masses, Pin,
    Points, PointsShape, Range, Render, Scene, Selector, SolverKind, Wind, limits,
};

type Check = Result<(), SceneError>;

pub(super) fn scene(scene: &Scene) -> Check {
    finite_vector("gravity", scene.gravity, "m/s²")?;
    positive("time_step", scene.time_step, "s")?;
    whole("substeps", scene.substeps, 1, limits::SUBSTEPS)?;
    whole("iterations", scene.iterations, 1, limits::ITERATIONS)?;
    within(
        "relaxation",
        scene.relaxation,
        scene.relaxation > 0.0 && scene.relaxation < 2.0,
        "greater than 0 and less than 2",
    )?;
    within(
        "chebyshev",
        scene.chebyshev,
        (0.0..1.0).contains(&scene.chebyshev),
        "at least 0 and less than 1",
    )?;
    if scene.chebyshev > 0.0 && scene.solver != SolverKind::Jacobi {
        return Err(SceneError::value(
            "chebyshev",
            "accelerates only `solver = \"jacobi\"`; set one of the two",
        ));
    }
    not_negative("damping", scene.damping, "1/s")?;
    not_negative("duration", scene.duration, "s")?;
    if scene.duration / scene.time_step > limits::STEPS {
        let steps = scene.duration / scene.time_step;
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            "duration",
            format_args!(
                "is {steps:e} steps of `time_step`; the limit is {:e}",
                limits::STEPS
            ),
        ));
    }
    if let Some(w) = &scene.wind {
        wind(w).map_err(|e| e.inside("wind"))?;
    }
    camera(&scene.camera).map_err(|e| e.inside("camera"))?;
    render(&scene.render).map_err(|e| e.inside("render"))?;
    counts(scene)?;
    names(scene)?;
    for (i, body) in scene.cloth.iter().enumerate() {
        cloth(body)
            .map_err(|e| e.inside_entry("cloth", i, &subject("cloth", i, Some(&body.name))))?;
    }
    for (i, body) in scene.points.iter().enumerate() {
        points(body)
            .map_err(|e| e.inside_entry("points", i, &subject("points", i, Some(&body.name))))?;
    }
    for (i, body) in scene.collider.iter().enumerate() {
        collider(body).map_err(|e| {
            e.inside_entry("collider", i, &subject("collider", i, Some(&body.name)))
        })?;
    }
    match &scene.expect {
        Some(e) => expect(e).map_err(|e| e.inside("expect")),
        None => Ok(()),
    }
}

/// Particles of a shape that needs no file, counted without making them.
pub(super) fn cloth_particles(shape: &ClothShape) -> Option<u64> {
    match *shape {
        ClothShape::Grid { cells, .. } => Some(
            cells
                .map(|n| u64::from(n) + 1)
                .into_iter()
                .fold(1, u64::saturating_mul),
        ),
        ClothShape::Disc { rings, .. } => {
            let k = u64::from(rings);
            Some((3 * k).saturating_mul(k + 1).saturating_add(1))
        }
        ClothShape::Mesh { .. } => None,
        ClothShape::Triangles(ref mesh) => Some(mesh.positions.len() as u64),
    }
}

pub(super) fn points_particles(shape: &PointsShape) -> u64 {
    match shape {
        PointsShape::Chain { links, .. } => u64::from(*links) + 1,
        PointsShape::List { points, .. } => points.len() as u64,
    }
}

pub(super) fn particle_limit(key: &'static str, total: u64) -> Check {
    if total > limits::PARTICLES {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            key,
            format_args!(
                "makes {total} particles; the limit of a scene is {}",
                limits::PARTICLES
            ),
        ));
    }
    Ok(())
}

fn counts(scene: &Scene) -> Check {
    let bodies = scene.cloth.len() + scene.points.len();
    if bodies == 0 {
        return Err(SceneError::new(
            SceneErrorKind::Key,
            "the scene has no bodies; add `[[cloth]]` or `[[points]]`",
        ));
    }
    for (key, count, limit) in [
        ("cloth", bodies, limits::BODIES),
        ("collider", scene.collider.len(), limits::COLLIDERS),
    ] {
        if count > limit {
            let what = if key == "cloth" {
                "bodies"
            } else {
                "colliders"
            };
            return Err(SceneError::new(
                SceneErrorKind::Limit,
                format!("{count} {what}; the limit is {limit}"),
            ));
        }
    }
    let mut total = 0u64;
    for (i, body) in scene.cloth.iter().enumerate() {
        total = total.saturating_add(cloth_particles(&body.shape).unwrap_or(0));
        particle_limit(cloth_key(&body.shape), total)
            .map_err(|e| e.inside_entry("cloth", i, &subject("cloth", i, Some(&body.name))))?;
    }
    for (i, body) in scene.points.iter().enumerate() {
        total = total.saturating_add(points_particles(&body.shape));
        particle_limit(points_key(&body.shape), total)
            .map_err(|e| e.inside_entry("points", i, &subject("points", i, Some(&body.name))))?;
    }
    Ok(())
}

fn cloth_key(shape: &ClothShape) -> &'static str {
    match shape {
        ClothShape::Grid { .. } => "grid",
        ClothShape::Disc { .. } => "disc",
        ClothShape::Mesh { .. } | ClothShape::Triangles(_) => "mesh",
    }
}

fn points_key(shape: &PointsShape) -> &'static str {
    match shape {
        PointsShape::Chain { .. } => "chain",
        PointsShape::List { .. } => "points",
    }
}

/// Every name is short, printable and unique.
fn names(scene: &Scene) -> Check {
    let cloth = scene
        .cloth
        .iter()
        .enumerate()
        .map(|(i, b)| ("cloth", i, b.label(i)));
    let points = scene
        .points
        .iter()
        .enumerate()
        .map(|(i, b)| ("points", i, b.label(i)));
    let colliders = scene
        .collider
        .iter()
        .enumerate()
        .map(|(i, b)| ("collider", i, b.label(i)));
    let mut seen: HashMap<String, (&str, usize)> = HashMap::new();
    for (kind, i, name) in cloth.chain(points).chain(colliders) {
        let here = |e: SceneError| e.inside_entry(kind, i, &format!("{kind} {}", i + 1));
        if name.chars().count() > limits::NAME_LENGTH || name.chars().any(char::is_control) {
            let message = format!(
                "must have at most {} printable characters",
                limits::NAME_LENGTH
            );
            return Err(here(SceneError::value("name", message)));
        }
        if let Some((kind, i)) = seen.get(&name) {
            let message = format!(
                "is `{name}`, which is also the name of {kind} {}; names must differ",
                i + 1
            );
            return Err(here(SceneError::at(
                SceneErrorKind::Reference,
                "name",
                message,
            )));
        }
        seen.insert(name, (kind, i));
    }
    Ok(())
}

fn wind(wind: &Wind) -> Check {
    finite_vector("velocity", wind.velocity, "m/s")?;
    not_negative("density", wind.density, "kg/m³")?;
    match wind.gust {
        Some(gust) => not_negative("amplitude", gust.amplitude, "")
            .and_then(|()| positive("period", gust.period, "s"))
            .map_err(|e| e.inside("gust")),
        None => Ok(()),
    }
}

fn camera(camera: &Camera) -> Check {
    for (key, point) in [("eye", camera.eye), ("target", camera.target)] {
        finite_vector(key, point.unwrap_or_default(), "m")?;
    }
    direction("up", camera.up)?;
    if let (Some(eye), Some(target)) = (camera.eye, camera.target) {
        if eye == target {
            return Err(SceneError::value(
                "target",
                "is where `eye` is; the camera needs a direction",
            ));
        }
        let view = (target - eye).normalize();
        /// Sine of the smallest useful angle between the view and `up`.
        const PARALLEL: f64 = 1e-6;
        if view.cross(camera.up.normalize()).length() < PARALLEL {
            return Err(SceneError::value(
                "up",
                "points along the view; choose another direction",
            ));
        }
    }
    let fov = camera.field_of_view;
    within(
        "field_of_view",
        fov,
        fov > 0.0 && fov < 180.0,
        "greater than 0 and less than 180 degrees",
    )?;
    finite("orbit", camera.orbit, "degrees/s")
}

fn render(render: &Render) -> Check {
    for (i, pixels) in render.size.into_iter().enumerate() {
        whole("size", pixels, 1, limits::PIXELS).map_err(|e| e.index(i))?;
    }
    positive("frames_per_second", render.frames_per_second, "1/s")?;
    if let Some([low, high]) = render.range
        && !(low.is_finite() && high.is_finite() && low < high)
    {
        return Err(SceneError::value(
            "range",
            format_args!("is [{low}, {high}]; it must rise"),
        ));
    }
    finite("ground", render.ground.unwrap_or(0.0), "m")
}

pub(super) fn cloth(body: &Cloth) -> Check {
    match body.shape {
        ClothShape::Grid { size, cells } => {
            let check = || {
                for (i, (length, n)) in size.into_iter().zip(cells).enumerate() {
                    positive("size", length, "m").map_err(|e| e.index(i))?;
                    if n == 0 {
                        return Err(SceneError::value(
                            "cells",
                            "is 0; a grid needs at least one cell each way",
                        )
                        .index(i));
                    }
                }
                Ok(())
            };
            check().map_err(|e| e.inside("grid"))?;
        }
        ClothShape::Disc { radius, rings } => positive("radius", radius, "m")
            .and_then(|()| whole("rings", rings, 1, u32::MAX))
            .map_err(|e| e.inside("disc"))?,
        ClothShape::Mesh { scale, .. } => {
            positive("scale", scale, "").map_err(|e| e.inside("mesh"))?
        }
        ClothShape::Triangles(_) => {}
    }
    particle_limit(
        cloth_key(&body.shape),
        cloth_particles(&body.shape).unwrap_or(0),
    )?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    positive("density", body.density, "kg/m²")?;
    not_negative("thickness", body.thickness, "m")?;
    colour(body.colour)?;
    stiffness("stretch_stiffness", body.stretch_stiffness)?;
    stiffness("compression_stiffness", body.compression())?;
    stiffness("shear_stiffness", body.shear_stiffness)?;
    stiffness("area_stiffness", body.area_stiffness)?;
    let unit = if body.bending == Bending::Distance {
        "N/m"
    } else {
        "N·m"
    };
    not_negative("bending_stiffness", body.bending_stiffness, unit)?;
    if let Some(tethers) = body.tethers {
        let slack = tethers.slack;
        within(
            "slack",
            slack,
            slack >= 1.0 && slack.is_finite(),
            "at least 1 (the sheet's own length)",
        )
        .map_err(|e| e.inside("tethers"))?;
        if body.pin.is_empty() {
            return Err(SceneError::at(
                SceneErrorKind::Reference,
                "tethers",
                "lead to the pins, but there are none; add `[[cloth.pin]]`",
            ));
        }
    }
    not_negative("drag", body.drag, "")?;
    not_negative("lift", body.lift, "")?;
    not_negative("friction", body.friction, "")?;
    pins(&body.pin)
}

pub(super) fn points(body: &Points) -> Check {
    match &body.shape {
        PointsShape::Chain {
            from,
            to,
            links,
            mass,
        } => {
            let check = || {
                finite_vector("from", *from, "m")?;
                finite_vector("to", *to, "m")?;
                if from == to {
                    return Err(SceneError::value(
                        "to",
                        "is where `from` is; a chain needs a length",
                    ));
                }
                whole("links", *links, 1, u32::MAX)?;
                positive("mass", *mass, "kg")
            };
            check().map_err(|e| e.inside("chain"))?;
        }
        PointsShape::List { points, masses, .. } => {
            if points.is_empty() {
                return Err(SceneError::value("points", "is empty"));
            }
            for (i, point) in points.iter().enumerate() {
                finite_vector("points", *point, "m").map_err(|e| e.index(i))?;
            }
            match masses {
                Masses::Each(mass) => positive("mass", *mass, "kg")?,
                Masses::List(masses) => {
                    if masses.len() != points.len() {
                        let message =
                            format!("has {} entries for {} points", masses.len(), points.len());
                        return Err(SceneError::value("masses", message));
                    }
                    for (i, mass) in masses.iter().enumerate() {
                        positive("masses", *mass, "kg").map_err(|e| e.index(i))?;
                    }
                }
            }
        }
    }
    particle_limit(points_key(&body.shape), points_particles(&body.shape))?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    colour(body.colour)?;
    positive("radius", body.radius, "m")?;
    compliance("compliance", body.compliance, "m/N")?;
    compliance("compression_compliance", body.compression(), "m/N")?;
    compliance("area_compliance", body.area_compliance, "m³/N")?;
    compliance("volume_compliance", body.volume_compliance, "m⁵/N")?;
    not_negative("friction", body.friction, "")?;
    pins(&body.pin)
}

fn pins(pins: &[Pin]) -> Check {
    if pins.len() > limits::PINS {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            "pin",
            format_args!("has {} entries; the limit is {}", pins.len(), limits::PINS),
        ));
    }
    for (i, pin) in pins.iter().enumerate() {
        let check = || {
            if let Selector::Box { min, max } = pin.selector {
                corners(min, max).map_err(|e| e.inside("box"))?;
            }
            if let Selector::Nearest(point) = pin.selector {
                finite_vector("nearest", point, "m")?;
            }
            not_negative("compliance", pin.compliance, "m/N")?;
            motion(&pin.motion)?;
            finite_vector("pivot", pin.pivot.unwrap_or_default(), "m")?;
            not_negative("release", pin.release.unwrap_or(0.0), "s")
        };
        check().map_err(|e| e.inside_entry("pin", i, &format!("pin {}", i + 1)))?;
    }
    Ok(())
}

fn motion(keyframes: &[Keyframe]) -> Check {
    if keyframes.len() > limits::KEYFRAMES {
        let message = format!(
            "has {} entries; the limit is {}",
            keyframes.len(),
            limits::KEYFRAMES
        );
        return Err(SceneError::at(SceneErrorKind::Limit, "motion", message));
    }
    let mut last = None;
    for (i, keyframe) in keyframes.iter().enumerate() {
        let check = || {
            not_negative("time", keyframe.time, "s")?;
            if let Some(last) = last.filter(|last| *last >= keyframe.time) {
                let message = format!(
                    "is {} s, not after {last} s of the keyframe before",
                    keyframe.time
                );
                return Err(SceneError::value("time", message));
            }
            finite_vector("offset", keyframe.offset, "m")?;
            finite_vector("rotation", keyframe.rotation, "degrees")
        };
        check().map_err(|e| e.inside_entry("motion", i, &format!("keyframe {}", i + 1)))?;
        last = Some(keyframe.time);
    }
    Ok(())
}

pub(super) fn collider(body: &Collider) -> Check {
    match &body.shape {
        ColliderShape::Plane { normal, offset } => direction("normal", *normal)
            .and_then(|()| finite("offset", *offset, "m"))
            .map_err(|e| e.inside("plane"))?,
        ColliderShape::Sphere { radius } => {
            positive("radius", *radius, "m").map_err(|e| e.inside("sphere"))?
        }
        ColliderShape::Box { size } => {
            for (i, length) in size.to_array().into_iter().enumerate() {
                positive("size", length, "m").map_err(|e| e.index(i).inside("box"))?;
            }
        }
        ColliderShape::Capsule { radius, length } => positive("radius", *radius, "m")
            .and_then(|()| positive("length", *length, "m"))
            .map_err(|e| e.inside("capsule"))?,
        ColliderShape::Mesh {
            scale, resolution, ..
        } => positive("scale", *scale, "")
            .and_then(|()| whole("resolution", *resolution, 4, limits::RESOLUTION))
            .map_err(|e| e.inside("mesh"))?,
        ColliderShape::Triangles { resolution, .. } => {
            whole("resolution", *resolution, 4, limits::RESOLUTION)?
        }
    }
    finite_vector("position", body.position, "m")?;
    finite_vector("rotation", body.rotation, "degrees")?;
    not_negative("friction", body.friction, "")?;
    colour(body.colour)?;
    motion(&body.motion)?;
    finite_vector("pivot", body.pivot.unwrap_or_default(), "m")
}

fn expect(expect: &Expect) -> Check {
    not_negative("at", expect.at.unwrap_or(0.0), "s")?;
    not_negative("max_stretch", expect.max_stretch.unwrap_or(0.0), "")?;
    not_negative("max_speed", expect.max_speed.unwrap_or(0.0), "m/s")?;
    for (key, Range { min, max }) in [
        ("energy", expect.energy),
        ("kinetic_energy", expect.kinetic_energy),
        ("lowest", expect.lowest),
        ("highest", expect.highest),
    ] {
        // Also refuses NaN.
        if !(min <= max) {
            return Err(SceneError::value(
                key,
                format_args!("contains nothing: min is {min}, max is {max}"),
            ));
        }
    }
    if expect.particle.len() > limits::EXPECTED_PARTICLES {
        let message = format!(
            "has {} entries; the limit is {}",
            expect.particle.len(),
            limits::EXPECTED_PARTICLES
        );
        return Err(SceneError::at(SceneErrorKind::Limit, "particle", message));
    }
    for (i, particle) in expect.particle.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("particle", i, &format!("particle {}", i + 1));
        if let super::ParticleReference::Nearest(point) = particle.particle {
            finite_vector("nearest", point, "m").map_err(here)?;
        }
        corners(particle.min, particle.max).map_err(here)?;
    }
    Ok(())
}

fn placement(position: DVec3, rotation: DVec3, scale: f64, velocity: DVec3) -> Check {
    finite_vector("position", position, "m")?;
    finite_vector("rotation", rotation, "degrees")?;
    positive("scale", scale, "")?;
    finite_vector("velocity", velocity, "m/s")
}

fn colour(colour: Option<[f64; 3]>) -> Check {
    for (i, part) in colour.into_iter().flatten().enumerate() {
        within("colour", part, (0.0..=1.0).contains(&part), "from 0 to 1")
            .map_err(|e| e.index(i))?;
    }
    Ok(())
}

/// Corners of a box, of which infinite components do not limit.
fn corners(min: DVec3, max: DVec3) -> Check {
    for i in 0..3 {
        if min[i].is_nan() {
            return Err(SceneError::value("min", "is not a number").index(i));
        }
        // Also refuses NaN.
        if !(min[i] <= max[i]) {
            let message = format!(
                "is {} along {}, below min {}",
                max[i],
                ["x", "y", "z"][i],
                min[i]
            );
            return Err(SceneError::value("max", message).index(i));
        }
    }
    Ok(())
}

fn direction(key: &'static str, v: DVec3) -> Check {
    finite_vector(key, v, "")?;
    // Normalising must neither divide by zero nor underflow.
    if v.try_normalize().is_none() {
        return Err(SceneError::value(
            key,
            "has no length; it must be a direction",
        ));
    }
    Ok(())
}

fn finite_vector(key: &'static str, v: DVec3, unit: &str) -> Check {
    for (i, x) in v.to_array().into_iter().enumerate() {
        finite(key, x, unit).map_err(|e| e.index(i))?;
    }
    Ok(())
}

fn finite(key: &'static str, x: f64, unit: &str) -> Check {
    let limit = limits::MAGNITUDE;
    within(
        key,
        with_unit(x, unit),
        x.abs() <= limit,
        &format!("finite and at most {limit:e} in size"),
    )
}

fn positive(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x > 0.0, "greater than 0")?;
    within(
        key,
        with_unit(x, unit),
        x >= limits::SMALLEST,
        &format!("at least {:e}", limits::SMALLEST),
    )?;
    finite(key, x, unit)
}

fn not_negative(key: &'static str, x: f64, unit: &str) -> Check {
    within(key, with_unit(x, unit), x >= 0.0, "0 or more")?;
    finite(key, x, unit)
}

/// Infinite is allowed: inextensible.
fn stiffness(key: &'static str, x: f64) -> Check {
    within(
        key,
        with_unit(x, "N/m"),
        x >= 0.0,
        "0 or more; `inf` is rigid",
    )
}

/// Infinite is allowed: no resistance at all.
fn compliance(key: &'static str, x: f64, unit: &str) -> Check {
    within(
        key,
        with_unit(x, unit),
        x >= 0.0,
        "0 (rigid) or more; `inf` does not resist",
    )
}

fn whole(key: &'static str, n: u32, least: u32, most: u32) -> Check {
    within(
        key,
        n,
        (least..=most).contains(&n),
        &format!("from {least} to {most}"),
    )
}

fn within(key: &'static str, x: impl std::fmt::Display, holds: bool, wanted: &str) -> Check {
    if holds {
        return Ok(());
    }
    Err(SceneError::value(
        key,
        format_args!("is {x}; it must be {wanted}"),
    ))
}

fn with_unit(x: f64, unit: &str) -> String {
    // Very large or small numbers would be written out in full otherwise.
    let number = if x != 0.0 && x.is_finite() && !(1e-6..1e9).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        format!("{x}")
    };
    if unit.is_empty() {
        number
    } else {
        format!("{number} {unit}")
    }
}
