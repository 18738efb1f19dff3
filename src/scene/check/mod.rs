//! Is every value in its range? Nothing here reads a file or takes memory.

mod bodies;
mod fabric;
mod nets;
mod numbers;
mod rods;
mod solids;

use std::collections::HashMap;

use super::error::{SceneError, SceneErrorKind};
use super::read::subject;
use super::{Camera, Expect, Range, Render, Scene, SolverKind, Wind, limits};

pub(super) use bodies::{cloth, collider, particle_limit, points};
use bodies::{cloth_key, cloth_particles, points_key, points_particles};
pub(super) use nets::{net, net_key, net_particles};
use numbers::{corners, direction, finite, finite_vector, not_negative, positive, whole, within};
pub(super) use rods::{rod, rod_key, rod_particles};
pub(super) use solids::{solid, solid_key, solid_particles};

type Check = Result<(), SceneError>;

pub(super) fn scene(scene: &Scene) -> Check {
    finite_vector("gravity", scene.gravity, "m/s²")?;
    positive("time_step", scene.time_step, "s")?;
    whole("substeps", scene.substeps, 1, limits::SUBSTEPS)?;
    whole("frame_substeps", scene.frame_substeps, 1, limits::FRAME_SUBSTEPS)?;
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
    fabric::gradients(&scene.conjugate_gradients).map_err(|e| e.inside("conjugate_gradients"))?;
    fabric::limiting(&scene.strain_limiting).map_err(|e| e.inside("strain_limiting"))?;
    not_negative("damping", scene.damping, "1/s")?;
    not_negative("duration", scene.duration, "s")?;
    if scene.duration / scene.time_step > limits::STEPS {
        let steps = scene.duration / scene.time_step;
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            "duration",
            format_args!("is {steps:e} steps of `time_step`; the limit is {:e}", limits::STEPS),
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
        cloth(body).map_err(|e| e.inside_entry("cloth", i, &subject("cloth", i, Some(&body.name))))?;
    }
    for (i, body) in scene.points.iter().enumerate() {
        points(body).map_err(|e| e.inside_entry("points", i, &subject("points", i, Some(&body.name))))?;
    }
    for (i, body) in scene.rod.iter().enumerate() {
        rod(body).map_err(|e| e.inside_entry("rod", i, &subject("rod", i, Some(&body.name))))?;
    }
    for (i, body) in scene.net.iter().enumerate() {
        net(body).map_err(|e| e.inside_entry("net", i, &subject("net", i, Some(&body.name))))?;
    }
    for (i, body) in scene.solid.iter().enumerate() {
        solid(body).map_err(|e| e.inside_entry("solid", i, &subject("solid", i, Some(&body.name))))?;
    }
    for (i, body) in scene.collider.iter().enumerate() {
        collider(body)
            .map_err(|e| e.inside_entry("collider", i, &subject("collider", i, Some(&body.name))))?;
    }
    match &scene.expect {
        Some(e) => expect(e).map_err(|e| e.inside("expect")),
        None => Ok(()),
    }
}

fn counts(scene: &Scene) -> Check {
    let bodies =
        scene.cloth.len() + scene.points.len() + scene.rod.len() + scene.net.len() + scene.solid.len();
    if bodies == 0 {
        return Err(SceneError::new(
            SceneErrorKind::Key,
            "the scene has no bodies; add `[[cloth]]`, `[[points]]`, `[[rod]]`, `[[net]]` or `[[solid]]`",
        ));
    }
    for (key, count, limit) in
        [("cloth", bodies, limits::BODIES), ("collider", scene.collider.len(), limits::COLLIDERS)]
    {
        if count > limit {
            let what = if key == "cloth" { "bodies" } else { "colliders" };
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
    for (i, body) in scene.rod.iter().enumerate() {
        total = total.saturating_add(rod_particles(body));
        particle_limit(rod_key(&body.shape), total)
            .map_err(|e| e.inside_entry("rod", i, &subject("rod", i, Some(&body.name))))?;
    }
    for (i, body) in scene.net.iter().enumerate() {
        total = total.saturating_add(net_particles(body));
        particle_limit(net_key(&body.shape), total)
            .map_err(|e| e.inside_entry("net", i, &subject("net", i, Some(&body.name))))?;
    }
    for (i, body) in scene.solid.iter().enumerate() {
        total = total.saturating_add(solid_particles(&body.shape));
        particle_limit(solid_key(&body.shape), total)
            .map_err(|e| e.inside_entry("solid", i, &subject("solid", i, Some(&body.name))))?;
    }
    Ok(())
}

/// Every name is short, printable and unique.
fn names(scene: &Scene) -> Check {
    let cloth = scene.cloth.iter().enumerate().map(|(i, b)| ("cloth", i, b.label(i)));
    let points = scene.points.iter().enumerate().map(|(i, b)| ("points", i, b.label(i)));
    let rods = scene.rod.iter().enumerate().map(|(i, b)| ("rod", i, b.label(i)));
    let nets = scene.net.iter().enumerate().map(|(i, b)| ("net", i, b.label(i)));
    let solids = scene.solid.iter().enumerate().map(|(i, b)| ("solid", i, b.label(i)));
    let colliders = scene.collider.iter().enumerate().map(|(i, b)| ("collider", i, b.label(i)));
    let mut seen: HashMap<String, (&str, usize)> = HashMap::new();
    for (kind, i, name) in cloth.chain(points).chain(rods).chain(nets).chain(solids).chain(colliders) {
        let here = |e: SceneError| e.inside_entry(kind, i, &format!("{kind} {}", i + 1));
        if name.chars().count() > limits::NAME_LENGTH || name.chars().any(char::is_control) {
            let message = format!("must have at most {} printable characters", limits::NAME_LENGTH);
            return Err(here(SceneError::value("name", message)));
        }
        if let Some((kind, i)) = seen.get(&name) {
            let message =
                format!("is `{name}`, which is also the name of {kind} {}; names must differ", i + 1);
            return Err(here(SceneError::at(SceneErrorKind::Reference, "name", message)));
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
            return Err(SceneError::value("target", "is where `eye` is; the camera needs a direction"));
        }
        let view = (target - eye).normalize();
        /// Sine of the smallest useful angle between the view and `up`.
        const PARALLEL: f64 = 1e-6;
        if view.cross(camera.up.normalize()).length() < PARALLEL {
            return Err(SceneError::value("up", "points along the view; choose another direction"));
        }
    }
    let fov = camera.field_of_view;
    within("field_of_view", fov, fov > 0.0 && fov < 180.0, "greater than 0 and less than 180 degrees")?;
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
        return Err(SceneError::value("range", format_args!("is [{low}, {high}]; it must rise")));
    }
    finite("ground", render.ground.unwrap_or(0.0), "m")
}

fn expect(expect: &Expect) -> Check {
    not_negative("at", expect.at.unwrap_or(0.0), "s")?;
    not_negative("max_stretch", expect.max_stretch.unwrap_or(0.0), "")?;
    not_negative("max_speed", expect.max_speed.unwrap_or(0.0), "m/s")?;
    not_negative("max_violation", expect.max_violation.unwrap_or(0.0), "of strain")?;
    not_negative("max_inverted", expect.max_inverted.unwrap_or(0.0), "tetrahedra")?;
    not_negative("max_switches", expect.max_switches.unwrap_or(0.0), "times")?;
    not_negative("max_compression", expect.max_compression.unwrap_or(0.0), "")?;
    for (key, Range { min, max }) in [
        ("energy", expect.energy),
        ("kinetic_energy", expect.kinetic_energy),
        ("momentum", expect.momentum),
        ("spin", expect.spin),
        ("lowest", expect.lowest),
        ("highest", expect.highest),
    ] {
        if min > max || min.is_nan() || max.is_nan() {
            return Err(SceneError::value(key, format_args!("contains nothing: min is {min}, max is {max}")));
        }
    }
    if expect.particle.len() > limits::EXPECTED_PARTICLES {
        let message =
            format!("has {} entries; the limit is {}", expect.particle.len(), limits::EXPECTED_PARTICLES);
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
