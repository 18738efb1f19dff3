//! The keys of obstacles.

use super::super::keys::{Declared, Keys, Rule, Variants, of};
use super::super::{Collider, ColliderShape};
use super::pin::motion;
use super::{colour, friction, name};
use crate::at;
use crate::limits;
use glam::DVec3;

/// Default cells of a mesh collider's distance field along its longest side.
const RESOLUTION: u32 = 64;

impl Declared for Collider {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        k.value("position", at!(position)).finite("m").says("where the local origin goes");
        k.value("rotation", at!(rotation)).finite("degrees").says("about x, then y, then z (fixed axes)");
        friction(k, at!(friction));
        colour(k, at!(colour), "grey");
        motion(k, at!(motion), at!(pivot), "`position`");
    }
}

fn shapes(v: &mut Variants<ColliderShape>) {
    v.table("plane", "the half-space below", ColliderShape::default, |k| {
        k.value("normal", of!(ColliderShape::Plane, normal))
            .rule(Rule::Direction, "")
            .required()
            .says("outward direction, of any length");
        k.value("offset", of!(ColliderShape::Plane, offset))
            .finite("m")
            .says("distance from the local origin along the normal");
    });
    v.table(
        "sphere",
        "a ball",
        || ColliderShape::Sphere { radius: 0.3 },
        |k| {
            k.value("radius", of!(ColliderShape::Sphere, radius))
                .positive("m")
                .required()
                .says("of the ball");
        },
    );
    v.table(
        "box",
        "a cuboid",
        || ColliderShape::Box { size: DVec3::ONE },
        |k| {
            k.value("size", of!(ColliderShape::Box, size)).positive("m").required().says("edge lengths");
        },
    );
    v.table(
        "capsule",
        "a capsule along y",
        || ColliderShape::Capsule { radius: 0.1, length: 1.0 },
        |k| {
            k.value("radius", of!(ColliderShape::Capsule, radius))
                .positive("m")
                .required()
                .says("of the caps");
            k.value("length", of!(ColliderShape::Capsule, length))
                .positive("m")
                .required()
                .says("between the centres of the caps");
        },
    );
    let mesh = || ColliderShape::Mesh { file: Default::default(), scale: 1.0, resolution: RESOLUTION };
    v.table("mesh", "a closed surface facing outwards", mesh, |k| {
        k.value("file", of!(ColliderShape::Mesh, file)).required().says("relative to the scene file");
        k.value("scale", of!(ColliderShape::Mesh, scale))
            .positive("")
            .says("size factor of the file's units");
        k.value("resolution", of!(ColliderShape::Mesh, resolution))
            .whole(4, limits::RESOLUTION)
            .says("cells of its distance field along the longest side");
    })
    .short("file");
    v.in_code("mesh");
}
