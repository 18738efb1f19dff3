//! The keys of rigid bodies.

use super::super::keys::{Check, Declared, End, Keys, Variants, of};
use super::super::{Rigid, RigidPart, RigidShape, SceneError};
use super::pin::pins;
use super::{colour, friction, name};
use crate::at;
use crate::limits;
use glam::DVec3;

impl Declared for Rigid {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        k.value("position", at!(position)).finite("m").says("where the local origin goes");
        k.value("rotation", at!(rotation)).finite("degrees").says("about x, then y, then z (fixed axes)");
        k.value("velocity", at!(velocity)).finite("m/s").says("initial velocity of the centre of mass");
        k.value("spin", at!(spin))
            .finite("rad/s")
            .says("initial angular velocity, about the axes of the world");
        colour(k, at!(colour), "from a palette");
        k.value("density", at!(density)).positive("kg/m³").slider(10.0, 2e4).says("mass per volume");
        k.value("mass", at!(mass)).positive("kg").default("volume × `density`").says("of the body");
        k.value("inertia", at!(inertia))
            .positive("kg m²")
            .default("that of the shape")
            .says("moments of inertia about the local axes through the centre of mass");
        k.checking(triangle_rule);
        k.value("moment", at!(moment))
            .finite("A m²")
            .default("none")
            .says("magnetic moment, along the local axes, of one dipole at the centre of mass");
        k.value("remanence", at!(remanence))
            .within(End::At(-3.0), End::At(3.0), "from -3 to 3 T: 1 T are 10,000 gauss")
            .unit("T")
            .default("none")
            .says("remanent flux density, along the local axes, instead of `moment`: that is then remanence × volume/μ₀");
        k.value("susceptibility", at!(susceptibility))
            .within(End::At(-1.0), End::At(1e6), "from -1, a superconductor, to 1e6")
            .default("none")
            .says(
                "magnetisation over the field within, for what is a magnet in a field only: soft iron 700, mu-metal 20000, aluminium 2e-5, bismuth -1.7e-4",
            );
        k.checking(one_magnet);
        k.value("cells", at!(cells))
            .whole(1, 256)
            .default("1 for balls, 6 for others with `remanence` and 5 for those with `susceptibility`")
            .says("dipoles along the longest edge of a body with `remanence` or `susceptibility`");
        k.checking(|rigid| {
            match (rigid.cells, rigid.remanence.is_some() || rigid.susceptibility.is_some()) {
                (Some(_), false) => Err(SceneError::value(
                    "cells",
                    "is for a `remanence` or a `susceptibility`, which is spread over them",
                )),
                _ => Ok(()),
            }
        });
        friction(k, at!(friction));
        k.value("restitution", at!(restitution))
            .within(End::At(0.0), End::At(1.0), "from 0 to 1")
            .slider(0.0, 1.0)
            .says("speed after a bounce over the speed before it");
        pins(k, at!(pin));
    }
}

/// No distribution of mass has a moment that is larger than the sum of the others.
fn triangle_rule(rigid: &Rigid) -> Check {
    let Some(moments) = rigid.inertia else { return Ok(()) };
    let largest = moments.max_element();
    if largest > (moments.element_sum() - largest) * (1.0 + 1e-9) {
        let message = format!(
            "is {moments}, and no body has a moment of inertia larger than the other two together; lower the largest"
        );
        return Err(SceneError::value("inertia", message));
    }
    Ok(())
}

fn one_magnet(rigid: &Rigid) -> Check {
    let own = rigid.moment.map(|_| "moment").or(rigid.remanence.map(|_| "remanence"));
    match (rigid.moment, rigid.remanence, rigid.susceptibility, own) {
        (Some(_), Some(_), ..) => {
            Err(SceneError::value("moment", "is given together with `remanence`; give one of them"))
        }
        (_, _, Some(_), Some(own)) => Err(SceneError::value(
            "susceptibility",
            format!(
                "is for what a field alone magnetises, and this body has a `{own}`; leave one of them out"
            ),
        )),
        _ => Ok(()),
    }
}

impl Declared for RigidPart {
    fn declare(k: &mut Keys<Self>) {
        k.one_of(at!(shape), simple);
        k.value("position", at!(position)).finite("m").says("where its own origin is in the body's frame");
        k.value("rotation", at!(rotation)).finite("degrees").says("about x, then y, then z (fixed axes)");
    }
}

fn shapes(v: &mut Variants<RigidShape>) {
    simple(v);
    let parts = || RigidShape::Compound { parts: Vec::new() };
    v.beside("compound", "several solids in one, each with all of its mass where they overlap", parts, |k| {
        k.inline_list("compound", of!(RigidShape::Compound, parts), limits::RIGID_PARTS, "part")
            .required()
            .says("balls, boxes, capsules and hulls");
        k.checking(|shape| match shape {
            RigidShape::Compound { parts } if parts.is_empty() => {
                Err(SceneError::value("compound", "has no parts; give it at least one"))
            }
            _ => Ok(()),
        });
    });
    let mesh = || RigidShape::Mesh { file: Default::default(), scale: 1.0 };
    v.table("mesh", "a closed surface facing outwards", mesh, |k| {
        k.value("file", of!(RigidShape::Mesh, file)).required().says("relative to the scene file");
        k.value("scale", of!(RigidShape::Mesh, scale)).positive("").says("size factor of the file's units");
    })
    .short("file");
    v.in_code("mesh");
}

/// Shapes that a part of a compound may have too.
fn simple(v: &mut Variants<RigidShape>) {
    v.table("sphere", "a ball", RigidShape::default, |k| {
        k.value("radius", of!(RigidShape::Sphere, radius)).positive("m").required().says("of the ball");
    });
    v.table(
        "box",
        "a cuboid",
        || RigidShape::Box { size: DVec3::ONE },
        |k| {
            k.value("size", of!(RigidShape::Box, size)).positive("m").required().says("edge lengths");
        },
    );
    v.table(
        "capsule",
        "a capsule along y",
        || RigidShape::Capsule { radius: 0.1, length: 1.0 },
        |k| {
            k.value("radius", of!(RigidShape::Capsule, radius)).positive("m").required().says("of the caps");
            k.value("length", of!(RigidShape::Capsule, length))
                .positive("m")
                .required()
                .says("between the centres of the caps");
        },
    );
    let points = || RigidShape::Hull { points: Vec::new() };
    v.beside("hull", "the convex hull of points", points, |k| {
        k.value("hull", of!(RigidShape::Hull, points)).finite("m").required().says("points of a convex hull");
    });
}
