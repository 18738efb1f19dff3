//! The values of solids.

use super::super::error::{SceneError, SceneErrorKind};
use super::super::{Solid, SolidDamping, SolidShape, Torque, limits};
use super::Check;
use super::bodies::{particle_limit, pins, placement, selector};
use super::numbers::{colour, finite, finite_vector, not_negative, positive, whole, within};
use crate::meshing::{MOST_CELLS, Shape};

pub(in crate::scene) fn solid(body: &Solid) -> Check {
    if let SolidShape::Box { size, cells } = body.shape {
        let check = || {
            for (i, (width, count)) in size.to_array().into_iter().zip(cells).enumerate() {
                positive("size", width, "m").map_err(|e| e.index(i))?;
                whole("cells", count, 1, u32::MAX).map_err(|e| e.index(i))?;
            }
            Ok(())
        };
        check().map_err(|e: SceneError| e.inside("box"))?;
    }
    match &body.shape {
        SolidShape::Filled { shape, resolution } => {
            measures(shape).map_err(|e| e.inside(solid_key(&body.shape)))?;
            whole("resolution", *resolution, 1, MOST_CELLS)?;
        }
        SolidShape::Surface { resolution, .. } => whole("resolution", *resolution, 1, MOST_CELLS)?,
        _ => {}
    }
    solid_limits(body)?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    finite_vector("stretch", body.start.stretch, "").map_err(|e| e.inside("start"))?;
    finite("twist", body.start.twist, "degrees").map_err(|e| e.inside("start"))?;
    colour(body.colour)?;
    positive("youngs_modulus", body.material.youngs_modulus, "Pa")?;
    positive("density", body.material.density, "kg/m³")?;
    let ratio = body.material.poisson_ratio;
    within(
        "poisson_ratio",
        ratio,
        (0.0..0.5).contains(&ratio),
        "at least 0 and below 0.5; at 0.5 nothing could change its volume (0.49 is rubber)",
    )?;
    not_negative("area", body.penalty.area, "Pa")
        .and_then(|()| not_negative("volume", body.penalty.volume.unwrap_or_default(), "Pa"))
        .map_err(|e| e.inside("penalty"))?;
    let damping = &body.damping;
    velocity_damping(damping).map_err(|e| e.inside("damping"))?;
    not_negative("thickness", body.thickness, "m")?;
    not_negative("friction", body.friction, "")?;
    for (i, load) in body.load.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("load", i, &format!("load {}", i + 1));
        selector(&load.selector).and_then(|()| finite_vector("force", load.force, "N")).map_err(here)?;
    }
    pins(&body.pin)
}

fn velocity_damping(damping: &SolidDamping) -> Check {
    not_negative("mass", damping.mass, "1/s")?;
    not_negative("stiffness", damping.stiffness, "s")?;
    not_negative("point", damping.point, "kg/s")?;
    if let Some(spring) = damping.spring {
        not_negative("coefficient", spring.coefficient, "kg/s")
            .and_then(|()| whole("sweeps", spring.sweeps, 1, limits::DAMPING_SWEEPS))
            .map_err(|e| e.inside("spring"))?;
    }
    for (key, cluster) in [("global", damping.global), ("local", damping.local)] {
        let rate = cluster.unwrap_or_default().rate;
        within("rate", rate, rate >= 0.0, "0 or more; `inf` stops everything in one substep")
            .map_err(|e| e.inside(key))?;
    }
    if damping.local.is_some_and(|local| local.torque == Torque::Edges) {
        return Err(
            SceneError::value("torque", "is \"edges\", which goes with `global` damping").inside("local")
        );
    }
    Ok(())
}

fn solid_limits(body: &Solid) -> Check {
    particle_limit(solid_key(&body.shape), solid_particles(&body.shape))?;
    let tets = match &body.shape {
        SolidShape::Box { cells, .. } => {
            cells.map(u64::from).into_iter().fold(limits::TETS_PER_CELL, u64::saturating_mul)
        }
        SolidShape::Tets(mesh) => mesh.tets.len() as u64,
        // Counted where they are read or made.
        SolidShape::File { .. } | SolidShape::Surface { .. } | SolidShape::Filled { .. } => 0,
    };
    if tets > limits::TETRAHEDRA {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            solid_key(&body.shape),
            format_args!("makes {tets} tetrahedra; the limit is {}", limits::TETRAHEDRA),
        ));
    }
    Ok(())
}

/// Particles of a shape that needs no file, counted without making them.
pub(in crate::scene) fn solid_particles(shape: &SolidShape) -> u64 {
    match shape {
        SolidShape::Box { cells, .. } => {
            cells.map(|n| u64::from(n) + 1).into_iter().fold(1, u64::saturating_mul)
        }
        SolidShape::Tets(mesh) => mesh.vertices.len() as u64,
        SolidShape::File { .. } | SolidShape::Surface { .. } | SolidShape::Filled { .. } => 0,
    }
}

pub(in crate::scene) fn solid_key(shape: &SolidShape) -> &'static str {
    match shape {
        SolidShape::Box { .. } => "box",
        SolidShape::Tets(_) | SolidShape::File { .. } => "mesh",
        SolidShape::Surface { .. } => "surface",
        SolidShape::Filled { shape, .. } => shape.name(),
    }
}

fn measures(shape: &Shape) -> Check {
    match *shape {
        Shape::Box { size } => size.to_array().into_iter().try_for_each(|width| positive("size", width, "m")),
        Shape::Ball { radius } => positive("radius", radius, "m"),
        Shape::Cylinder { radius, height } => {
            positive("radius", radius, "m")?;
            positive("height", height, "m")
        }
        Shape::Torus { major, minor } => {
            positive("minor", minor, "m")?;
            within(
                "major",
                major,
                major > minor && major.is_finite(),
                "greater than `minor`, or the hole closes",
            )
        }
        Shape::Rabbit { height } => positive("height", height, "m"),
    }
}
