//! The values of rods.

use super::super::error::{SceneError, SceneErrorKind};
use super::super::{AttachedWeight, Hold, Rod, RodEnd, RodMaterial, RodRest, RodShape};
use super::Check;
use super::bodies::{motion, particle_limit, pins, placement, selector};
use super::numbers::{colour, finite, finite_vector, not_negative, positive, whole, within};
use glam::DVec3;

pub(in crate::scene) fn rod(body: &Rod) -> Check {
    shape(&body.shape)?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    colour(body.colour)?;
    material(&body.material)?;
    if let RodRest::Curved(curvature) = body.rest {
        finite_vector("rest_curvature", curvature, "1/m")?;
    }
    if let Some(normal) = body.normal {
        finite_vector("normal", normal, "")?;
        if normal == DVec3::ZERO {
            return Err(SceneError::value("normal", "is [0, 0, 0], which is no direction"));
        }
    }
    finite("twist", body.twist, "degrees")?;
    for (i, count) in body.copies.count.into_iter().enumerate() {
        whole("count", count, 1, u32::MAX).map_err(|e| e.index(i).inside("copies"))?;
    }
    for step in body.copies.steps {
        finite_vector("steps", step, "m").map_err(|e| e.inside("copies"))?;
    }
    particle_limit(rod_key(&body.shape), rod_particles(body))?;
    for (key, rod_end) in [("start", &body.start), ("end", &body.end)] {
        end(rod_end).map_err(|e| e.inside(key))?;
    }
    not_negative("drag", body.drag, "")?;
    not_negative("friction", body.friction, "")?;
    weights(&body.weight)?;
    pins(&body.pin)
}

/// What hangs on a rod or net.
pub(super) fn weights(weights: &[AttachedWeight]) -> Check {
    for (i, weight) in weights.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("weight", i, &format!("weight {}", i + 1));
        selector(&weight.selector).and_then(|()| positive("mass", weight.mass, "kg")).map_err(here)?;
    }
    Ok(())
}

/// What a rod is made of.
pub(super) fn material(material: &RodMaterial) -> Check {
    positive("radius", material.radius, "m")?;
    positive("density", material.density, "kg/m³")?;
    positive("youngs_modulus", material.youngs_modulus, "Pa")?;
    positive("stretch_modulus", material.stretch_modulus.unwrap_or(1.0), "Pa")?;
    positive("shear_modulus", material.shear_modulus.unwrap_or(1.0), "Pa")?;
    positive("shear_stiffness", material.shear_stiffness.unwrap_or(1.0), "N")?;
    positive("frame_inertia", material.frame_inertia.unwrap_or(1.0), "")?;
    not_negative("stretch_friction", material.stretch_friction, "kg m/s")?;
    not_negative("bend_friction", material.bend_friction, "kg m³/s")?;
    let ratio = material.poisson_ratio;
    within("poisson_ratio", ratio, ratio > -1.0 && ratio <= 0.5, "greater than -1 and at most 0.5")
}

fn shape(shape: &RodShape) -> Check {
    match shape {
        RodShape::Line { from, to, segments } => {
            finite_vector("from", *from, "m")?;
            finite_vector("to", *to, "m")?;
            if from == to {
                return Err(SceneError::value("to", "is where `from` is; a rod needs a length"));
            }
            whole("segments", *segments, 1, u32::MAX)
        }
        RodShape::Polyline { points, segments } => {
            through("points", points)?;
            whole("segments", segments.unwrap_or(1), 1, u32::MAX)
        }
        RodShape::Spline { points, segments } => {
            through("spline", points)?;
            whole("segments", *segments, 1, u32::MAX)
        }
        RodShape::File { segments, .. } => {
            whole("segments", segments.unwrap_or(1), 1, u32::MAX).map_err(|e| e.inside("lines"))
        }
        RodShape::Helix { radius, pitch, turns, segments } => {
            let check = || {
                positive("radius", *radius, "m")?;
                finite("pitch", *pitch, "m")?;
                finite("turns", *turns, "")?;
                within("turns", turns, *turns != 0.0, "different from 0")?;
                whole("segments", *segments, 1, u32::MAX)
            };
            check().map_err(|e| e.inside("helix"))
        }
    }
}

/// Points that a line can lead through.
fn through(key: &'static str, points: &[DVec3]) -> Check {
    if points.len() < 2 {
        return Err(SceneError::value(
            key,
            format_args!("has {} entries; a rod needs at least 2", points.len()),
        ));
    }
    for (i, point) in points.iter().enumerate() {
        finite_vector(key, *point, "m").map_err(|e| e.index(i))?;
        if i > 0 && points[i - 1] == *point {
            return Err(SceneError::value(key, "is where the point before it is").index(i));
        }
    }
    Ok(())
}

fn end(end: &RodEnd) -> Check {
    not_negative("weight", end.weight, "kg")?;
    finite_vector("force", end.force, "N")?;
    finite_vector("torque", end.torque, "N m")?;
    not_negative("release", end.release.unwrap_or(0.0), "s")?;
    let refuse =
        |key: &'static str, message: &str| Err(SceneError::at(SceneErrorKind::Reference, key, message));
    if end.force != DVec3::ZERO && end.hold != Hold::Free {
        return refuse("force", "pulls at an end that is free, but this one is held; move it with `motion`");
    }
    if end.torque != DVec3::ZERO && !matches!(end.hold, Hold::Free | Hold::Pinned) {
        return refuse(
            "torque",
            "turns an end that is free or pinned, but this one is held; turn it with `motion`",
        );
    }
    if end.hold == Hold::Free && end.release.is_some() {
        return refuse(
            "release",
            "lets go what is held, but this end is free; add `hold = \"pinned\"` or `\"clamped\"`",
        );
    }
    motion(&end.motion)?;
    finite_vector("pivot", end.pivot.unwrap_or_default(), "m")?;
    if end.hold == Hold::Free && !end.motion.is_empty() {
        return Err(SceneError::at(
            SceneErrorKind::Reference,
            "motion",
            "moves what is held, but this end is free; add `hold = \"pinned\"` or `\"clamped\"`",
        ));
    }
    Ok(())
}

/// Particles of all copies, counted without making them.
pub(in crate::scene) fn rod_particles(rod: &Rod) -> u64 {
    let segments = match &rod.shape {
        RodShape::Line { segments, .. } | RodShape::Helix { segments, .. } => u64::from(*segments),
        RodShape::Polyline { points, segments } => {
            segments.map_or(points.len().saturating_sub(1) as u64, u64::from)
        }
        RodShape::Spline { segments, .. } => u64::from(*segments),
        // Counted when the file has been read.
        RodShape::File { .. } => return 0,
    };
    (segments + 1).saturating_mul(rod.copies.total())
}

pub(in crate::scene) fn rod_key(shape: &RodShape) -> &'static str {
    match shape {
        RodShape::Line { .. } => "segments",
        RodShape::Polyline { .. } => "points",
        RodShape::Spline { .. } => "spline",
        RodShape::File { .. } => "lines",
        RodShape::Helix { .. } => "helix",
    }
}
