//! The values of nets.

use super::super::error::{SceneError, SceneErrorKind};
use super::super::net::point_count;
use super::super::{Net, NetShape, Selector};
use super::Check;
use super::bodies::{particle_limit, pins, placement};
use super::numbers::{colour, finite, not_negative, positive, whole, within};
use super::rods::{material, weights};

/// Forks of forks: two branches each make a thousand times a thousand twigs.
const LEVELS: u32 = 20;

pub(in crate::scene) fn net(body: &Net) -> Check {
    let key = net_key(&body.shape);
    shape(&body.shape).map_err(|e| e.inside(key))?;
    particle_limit(key, point_count(&body.shape).unwrap_or(0))?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    colour(body.colour)?;
    material(&body.material)?;
    not_negative("joint_stiffness", body.joint_stiffness, "")?;
    within(
        "joint_stiffness",
        body.joint_stiffness,
        body.joint_stiffness >= 1e-6,
        "greater than 0; free joints are made by `joint NODE free` in a graph",
    )?;
    not_negative("drag", body.drag, "")?;
    not_negative("friction", body.friction, "")?;
    weights(&body.weight)?;
    pins(&body.pin)?;
    pins(&body.clamp)?;
    for (i, clamp) in body.clamp.iter().enumerate() {
        let refuse = |key: &'static str, message: &str| {
            let error = SceneError::at(SceneErrorKind::Value, key, message);
            Err(error.inside_entry("clamp", i, &format!("clamp {}", i + 1)))
        };
        if clamp.compliance != 0.0 {
            return refuse("compliance", "is for pins; a clamp is rigid");
        }
        if let Selector::Corners(_) | Selector::Edge(_) = clamp.selector {
            return refuse("corners", "are those of a cloth; use `indices`, `box` or `nearest`");
        }
    }
    Ok(())
}

fn shape(shape: &NetShape) -> Check {
    let two = |key: &'static str, counts: &[u32; 2]| -> Check {
        for (i, n) in counts.iter().enumerate() {
            whole(key, *n, 1, u32::MAX).map_err(|e| e.index(i))?;
        }
        Ok(())
    };
    match shape {
        NetShape::Ring { radius, segments, twist } => {
            positive("radius", *radius, "m")?;
            finite("twist", *twist, "degrees")?;
            whole("segments", *segments, 3, u32::MAX)
        }
        NetShape::Grid { size, cells, segments } => {
            for (i, length) in size.iter().enumerate() {
                positive("size", *length, "m").map_err(|e| e.index(i))?;
            }
            two("cells", cells)?;
            whole("segments", *segments, 1, u32::MAX)
        }
        NetShape::Web { radius, spokes, rings, segments } => {
            positive("radius", *radius, "m")?;
            whole("spokes", *spokes, 3, u32::MAX)?;
            whole("rings", *rings, 1, u32::MAX)?;
            whole("segments", *segments, 1, u32::MAX)
        }
        NetShape::Tree { length, levels, branches, angle, ratio, thinning, segments } => {
            positive("length", *length, "m")?;
            whole("levels", *levels, 0, LEVELS)?;
            whole("branches", *branches, 1, u32::MAX)?;
            within("angle", angle, (0.0..180.0).contains(angle), "at least 0 and less than 180 degrees")?;
            positive("ratio", *ratio, "")?;
            positive("thinning", *thinning, "")?;
            whole("segments", *segments, 1, u32::MAX)
        }
        NetShape::Truss { size, bays, segments } => {
            positive("size", size[0], "m").map_err(|e| e.index(0))?;
            positive("size", size[1], "m").map_err(|e| e.index(1))?;
            not_negative("size", size[2], "m").map_err(|e| e.index(2))?;
            whole("bays", *bays, 1, u32::MAX)?;
            whole("segments", *segments, 1, u32::MAX)
        }
        NetShape::Globe { radius, meridians, segments } => {
            positive("radius", *radius, "m")?;
            whole("meridians", *meridians, 2, u32::MAX)?;
            whole("segments", *segments, 2, u32::MAX)
        }
        NetShape::Mail { rings, radius, segments } => {
            two("rings", rings)?;
            positive("radius", *radius, "m")?;
            whole("segments", *segments, 3, u32::MAX)
        }
        NetShape::Graph(_) => Ok(()),
        NetShape::File { segments, .. } => whole("segments", *segments, 1, u32::MAX),
    }
}

pub(in crate::scene) fn net_particles(net: &Net) -> u64 {
    point_count(&net.shape).unwrap_or(0)
}

pub(in crate::scene) fn net_key(shape: &NetShape) -> &'static str {
    match shape {
        NetShape::Ring { .. } => "ring",
        NetShape::Grid { .. } => "grid",
        NetShape::Web { .. } => "web",
        NetShape::Tree { .. } => "tree",
        NetShape::Truss { .. } => "truss",
        NetShape::Globe { .. } => "globe",
        NetShape::Mail { .. } => "mail",
        NetShape::Graph(_) | NetShape::File { .. } => "graph",
    }
}
