//! The keys of nets.

use super::super::keys::{Declared, End, Keys, Variants, of};
use super::super::{
    Clamps, JointStrain, Junctions, Net, NetMethod, NetRest, NetShape, SceneError, SceneErrorKind, Selector,
};
use super::pin::{pins, weights};
use super::{colour, friction, name, placement};
use crate::at;
use crate::limits;

/// Forks of forks: two branches each make a thousand times a thousand twigs.
const LEVELS: u32 = 20;

const METHODS: &[(&str, NetMethod)] = &[
    ("direct", NetMethod::Direct),
    ("coloured", NetMethod::Coloured),
    ("jacobi", NetMethod::Jacobi),
    ("corde", NetMethod::Corde),
];
const RESTS: &[(&str, NetRest)] = &[("shape", NetRest::Shape), ("straight", NetRest::Straight)];
const JUNCTIONS: &[(&str, Junctions)] =
    &[("hub", Junctions::Hub), ("pairs", Junctions::Pairs), ("shared", Junctions::Shared)];
const STRAINS: &[(&str, JointStrain)] =
    &[("relative", JointStrain::Relative), ("darboux", JointStrain::Darboux)];
const CLAMPS: &[(&str, Clamps)] = &[("wall", Clamps::Wall), ("frames", Clamps::Frames)];

impl Declared for Net {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        colour(k, at!(colour), "from a palette");
        k.flat(at!(material));
        k.choice("rest", at!(rest), RESTS)
            .says("the shape without load: as it starts, or straight where two segments meet; junctions keep their angles");
        k.choice("junctions", at!(junctions), JUNCTIONS)
            .says("where three or more segments meet: `\"hub\"`, a rigid knot to which each is fixed; `\"pairs\"`, an elastic joint between every two of them (Spillmann, Teschner 2009); `\"shared\"`, the same with the stiffness divided by the number of joints of a segment");
        k.choice("strain", at!(strain), STRAINS)
            .says("how joints between two segments measure bending: by the rotation from rest, or by the difference of Darboux vectors (Spillmann, Teschner 2009), which is softer the larger the rest angle");
        k.value("joint_stiffness", at!(joint_stiffness))
            .not_negative("")
            .slider(0.01, 10.0)
            .says("stiffness of junctions over that of the rods that meet there");
        k.checking(|net| {
            let wanted = "greater than 0; free joints are made by `joint NODE free` in a graph";
            let holds = net.joint_stiffness >= 1e-6;
            super::super::keys::within("joint_stiffness", net.joint_stiffness, holds, wanted)
        });
        k.choice("method", at!(method), METHODS)
            .panel()
            .says("`\"direct\"`: all constraints at once; `\"coloured\"`: one by one, in colours; `\"jacobi\"`: side by side; `\"corde\"`: explicit forces and torques, at small substeps");
        k.value("drag", at!(drag)).not_negative("").says("drag coefficient of the rods in the `[wind]`");
        friction(k, at!(friction));
        k.choice("clamps", at!(clamps), CLAMPS)
            .says("what `[[net.clamp]]` does to sections: `\"wall\"` fixes each segment by half of its length, `\"frames\"` holds the frames of the segments");
        weights(k, at!(weight));
        pins(k, at!(pin));
        k.list("clamp", at!(clamp), limits::PINS, "clamp")
            .default("none")
            .says("as pins, without `compliance`; they hold the sections too");
        k.checking(clamps);
    }
}

fn clamps(net: &Net) -> Result<(), SceneError> {
    for (i, clamp) in net.clamp.iter().enumerate() {
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

fn shapes(v: &mut Variants<NetShape>) {
    let knots = "segments from knot to knot";
    let doc = "a polygon about the local z axis";
    v.table(
        "ring",
        doc,
        || NetShape::Ring { radius: 1.0, segments: 48, twist: 0.0 },
        |k| {
            k.value("radius", of!(NetShape::Ring, radius)).positive("m").required().says("of the corners");
            k.value("segments", of!(NetShape::Ring, segments)).whole(3, u32::MAX).required().says("corners");
            k.value("twist", of!(NetShape::Ring, twist))
                .finite("degrees")
                .says("twist that was put in before the ends were joined");
        },
    );
    let doc = "a rectangular net in the local x–y plane, centred";
    v.table(
        "grid",
        doc,
        || NetShape::Grid { size: [2.0, 1.0], cells: [8, 4], segments: 1 },
        |k| {
            k.value("size", of!(NetShape::Grid, size)).positive("m").required().says("width and height");
            k.value("cells", of!(NetShape::Grid, cells))
                .whole(1, u32::MAX)
                .required()
                .says("meshes along both");
            k.value("segments", of!(NetShape::Grid, segments)).whole(1, u32::MAX).says(knots);
        },
    );
    let doc = "a radial net in the x–y plane, with a star in the middle";
    let web = || NetShape::Web { radius: 1.0, spokes: 8, rings: 3, segments: 1 };
    v.table("web", doc, web, |k| {
        k.value("radius", of!(NetShape::Web, radius)).positive("m").required().says("of the outermost ring");
        k.value("spokes", of!(NetShape::Web, spokes))
            .whole(3, u32::MAX)
            .required()
            .says("rods from the centre");
        k.value("rings", of!(NetShape::Web, rings))
            .whole(1, u32::MAX)
            .required()
            .says("rings; the last is the rim");
        k.value("segments", of!(NetShape::Web, segments)).whole(1, u32::MAX).says(knots);
    });
    let doc = "from the origin upwards; every branch ends in a fork";
    let tree = || NetShape::Tree {
        length: 1.0,
        levels: 4,
        branches: 2,
        angle: 30.0,
        ratio: 0.75,
        thinning: 0.7,
        segments: 4,
    };
    v.table("tree", doc, tree, |k| {
        k.value("length", of!(NetShape::Tree, length)).positive("m").required().says("of the trunk");
        k.value("levels", of!(NetShape::Tree, levels))
            .whole(0, LEVELS)
            .required()
            .says("times that branches branch");
        k.value("branches", of!(NetShape::Tree, branches)).whole(1, u32::MAX).says("branches at each fork");
        k.value("angle", of!(NetShape::Tree, angle))
            .unit("degrees")
            .within(End::At(0.0), End::Beyond(180.0), "at least 0 and less than 180 degrees")
            .says("between a branch and what it grows from");
        k.value("ratio", of!(NetShape::Tree, ratio))
            .positive("")
            .says("length of a branch over that of what it grows from");
        k.value("thinning", of!(NetShape::Tree, thinning)).positive("").says("its radius likewise");
        k.value("segments", of!(NetShape::Tree, segments))
            .whole(1, u32::MAX)
            .says("segments of every branch");
    });
    let doc = "a lattice girder along x with posts and diagonals: four chords, or two if the depth is 0";
    v.table(
        "truss",
        doc,
        || NetShape::Truss { size: [6.0, 0.6, 0.6], bays: 10, segments: 1 },
        |k| {
            k.value("size", of!(NetShape::Truss, size))
                .not_negative("m")
                .required()
                .says("length, height and depth");
            k.checking(|shape| match shape {
                NetShape::Truss { size, .. } => (0..2).try_for_each(|i| {
                    super::super::keys::positive("size", size[i], "m").map_err(|e| e.index(i))
                }),
                _ => Ok(()),
            });
            k.value("bays", of!(NetShape::Truss, bays))
                .whole(1, u32::MAX)
                .required()
                .says("cells along the length");
            k.value("segments", of!(NetShape::Truss, segments))
                .whole(1, u32::MAX)
                .says("segments of every bar");
        },
    );
    let doc = "rods from pole to pole of a ball, poles on y";
    v.table(
        "globe",
        doc,
        || NetShape::Globe { radius: 1.0, meridians: 4, segments: 24 },
        |k| {
            k.value("radius", of!(NetShape::Globe, radius)).positive("m").required().says("of the ball");
            k.value("meridians", of!(NetShape::Globe, meridians))
                .whole(2, u32::MAX)
                .required()
                .says("rods between the poles");
            k.value("segments", of!(NetShape::Globe, segments))
                .whole(2, u32::MAX)
                .required()
                .says("segments of each");
        },
    );
    let doc = "rows of rings in the x–y plane, each through its neighbours";
    v.table(
        "mail",
        doc,
        || NetShape::Mail { rings: [9, 9], radius: 0.05, segments: 16 },
        |k| {
            k.value("rings", of!(NetShape::Mail, rings))
                .whole(1, u32::MAX)
                .required()
                .says("rings along x and y");
            k.value("radius", of!(NetShape::Mail, radius)).positive("m").required().says("of a ring");
            k.value("segments", of!(NetShape::Mail, segments))
                .whole(3, u32::MAX)
                .required()
                .says("corners of a ring");
        },
    );
    let doc = "nodes and edges from a file, see below";
    v.table(
        "graph",
        doc,
        || NetShape::File { file: Default::default(), segments: 1 },
        |k| {
            k.value("file", of!(NetShape::File, file)).required().says("relative to the scene file");
            k.value("segments", of!(NetShape::File, segments))
                .whole(1, u32::MAX)
                .says("segments of edges that name none");
        },
    )
    .short("file");
    v.in_code("graph");
}
