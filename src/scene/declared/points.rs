//! The keys of particles with explicit links.

use super::super::keys::{Check, Declared, Keys, Variants, of};
use super::super::{Masses, Points, PointsShape, SceneError};
use super::pin::pins;
use super::{colour, friction, name, placement};
use crate::at;

impl Declared for Points {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        colour(k, at!(colour), "from a palette");
        k.value("radius", at!(radius)).positive("m").says("of a particle, for contact and drawing");
        k.value("compliance", at!(compliance))
            .compliance("m/N")
            .slider(0.0, 0.1)
            .says("of every link, C = l − l₀; 0 is rigid");
        k.value("compression_compliance", at!(compression_compliance))
            .compliance("m/N")
            .default("`compliance`")
            .says("of every link in compression; `inf` makes a rope");
        k.value("area_compliance", at!(area_compliance))
            .compliance("m³/N")
            .slider(0.0, 0.1)
            .says("of every triangle, C = A − A₀");
        k.value("volume_compliance", at!(volume_compliance))
            .compliance("m⁵/N")
            .slider(0.0, 0.1)
            .says("of every tetrahedron, C = V − V₀");
        k.maybe("clusters", at!(clusters))
            .default("none")
            .says("shape matching: the particles keep their places relative to each other ([clusters.md](clusters.md))");
        friction(k, at!(friction));
        pins(k, at!(pin));
    }
}

fn shapes(v: &mut Variants<PointsShape>) {
    v.table("chain", "equal links on a straight line", PointsShape::default, |k| {
        k.value("from", of!(PointsShape::Chain, from)).finite("m").required().says("first particle");
        k.value("to", of!(PointsShape::Chain, to)).finite("m").required().says("last particle");
        k.checking(|shape| match shape {
            PointsShape::Chain { from, to, .. } if from == to => {
                Err(SceneError::value("to", "is where `from` is; a chain needs a length"))
            }
            _ => Ok(()),
        });
        k.value("links", of!(PointsShape::Chain, links))
            .whole(1, u32::MAX)
            .required()
            .says("number of links");
        k.value("mass", of!(PointsShape::Chain, mass))
            .positive("kg")
            .required()
            .says("of the whole chain, shared equally by the particles");
    })
    .refuse(
        &["mass", "masses", "links", "triangles", "tetrahedra"],
        "goes with `points`; `chain = { … }` has its own `links` and `mass`",
    );
    let list = || PointsShape::List {
        points: Vec::new(),
        masses: Masses::Each(1.0),
        links: Vec::new(),
        triangles: Vec::new(),
        tetrahedra: Vec::new(),
    };
    v.beside("points", "particles one by one, with `mass` or `masses`", list, |k| {
        k.value("points", of!(PointsShape::List, points))
            .finite("m")
            .required()
            .says("positions of the particles");
        k.checking(|shape| match shape {
            PointsShape::List { points, .. } if points.is_empty() => {
                Err(SceneError::value("points", "is empty"))
            }
            _ => Ok(()),
        });
        k.one_of(of!(PointsShape::List, masses), |v| {
            v.beside(
                "mass",
                "the same for every particle",
                || Masses::Each(1.0),
                |k| {
                    k.value("mass", of!(Masses::Each)).positive("kg").required().says("of every particle");
                },
            );
            v.beside(
                "masses",
                "one for each particle",
                || Masses::List(Vec::new()),
                |k| {
                    k.value("masses", of!(Masses::List))
                        .positive("kg")
                        .required()
                        .says("one for each particle");
                },
            );
        });
        k.checking(as_many);
        k.value("links", of!(PointsShape::List, links)).says("pairs that keep their distance");
        k.value("triangles", of!(PointsShape::List, triangles)).says("triples that keep their area");
        k.value("tetrahedra", of!(PointsShape::List, tetrahedra)).says("quadruples that keep their volume");
    });
}

fn as_many(shape: &PointsShape) -> Check {
    match shape {
        PointsShape::List { points, masses: Masses::List(masses), .. } if masses.len() != points.len() => {
            let message = format!("has {} entries for {} points", masses.len(), points.len());
            Err(SceneError::value("masses", message))
        }
        _ => Ok(()),
    }
}
