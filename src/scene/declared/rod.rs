//! The keys of rods, and of what rods and nets are made of.

use super::super::document::Table;
use super::super::keys::describe::Type;
use super::super::keys::{Check, Declared, End, Keys, Rule, Variants, of, quoted};
use super::super::{
    AttachedWeight, Copies, Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodSection, RodShape,
    SceneError, SceneErrorKind, Selector,
};
use super::pin::{motion, pins, weights, written};
use super::{colour, friction, name, placement};
use crate::at;
use glam::DVec3;

type Result<T> = std::result::Result<T, SceneError>;

const METHODS: &[(&str, RodMethod)] = &[
    ("direct", RodMethod::Direct),
    ("coloured", RodMethod::Coloured),
    ("jacobi", RodMethod::Jacobi),
    ("corde", RodMethod::Corde),
];
const SECTIONS: &[(&str, RodSection)] = &[("round", RodSection::Round), ("printed", RodSection::Printed)];
const RESTS: &[(&str, RodRest)] = &[("shape", RodRest::Shape), ("straight", RodRest::Straight)];
const HOLDS: &[(&str, Hold)] =
    &[("free", Hold::Free), ("pinned", Hold::Pinned), ("clamped", Hold::Clamped), ("framed", Hold::Framed)];

impl Declared for Rod {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name));
        k.one_of(at!(shape), shapes);
        placement(k, [at!(position), at!(rotation), at!(velocity), at!(spin)], at!(scale));
        colour(k, at!(colour), "from a palette");
        k.flat(at!(material));
        rest(k);
        k.value("normal", at!(normal))
            .finite("")
            .default("any")
            .says("where the first axis of the first section points, as near as the section's plane allows, in the local frame: what `rest_curvature` refers to");
        k.checking(|rod| match rod.normal {
            Some(DVec3::ZERO) => Err(SceneError::value("normal", "is [0, 0, 0], which is no direction")),
            _ => Ok(()),
        });
        k.value("twist", at!(twist))
            .finite("degrees")
            .says("twist at the start from end to end, spread evenly, as a load");
        k.choice("method", at!(method), METHODS)
            .panel()
            .says("`\"direct\"`: all constraints of a rod at once; `\"coloured\"`: one by one, every second at a time; `\"jacobi\"`: side by side; `\"corde\"`: explicit forces and torques, at small substeps");
        k.short_table("start", at!(start), "hold")
            .default("free")
            .says("what holds the first point, and what hangs on it");
        k.short_table("end", at!(end), "hold").default("free").says("the same of the last point");
        k.table("copies", at!(copies)).default("one").says("rows of equal rods");
        k.value("drag", at!(drag)).not_negative("").says("drag coefficient in the `[wind]`, across the rod");
        friction(k, at!(friction));
        k.value("remanence", at!(remanence))
            .within(End::At(-3.0), End::At(3.0), "from -3 to 3 T: 1 T are 10,000 gauss")
            .unit("T")
            .default("none")
            .says("remanent flux density along the axes of its segments, the third of which is along the rod: a list of vectors, for pieces of equal length from its start to its end");
        weights(k, at!(weight));
        pins(k, at!(pin));
    }
}

fn shapes(v: &mut Variants<RodShape>) {
    let segments = "segments of equal length";
    v.beside("from", "a straight line in equal segments", RodShape::default, |k| {
        k.value("from", of!(RodShape::Line, from))
            .finite("m")
            .required()
            .says("first point of a straight line");
        k.value("to", of!(RodShape::Line, to)).finite("m").required().says("its last point");
        k.checking(|shape| match shape {
            RodShape::Line { from, to, .. } if from == to => {
                Err(SceneError::value("to", "is where `from` is; a rod needs a length"))
            }
            _ => Ok(()),
        });
        k.value("segments", of!(RodShape::Line, segments)).whole(1, u32::MAX).required().says(segments);
    })
    .sized("segments");
    let polyline = || RodShape::Polyline { points: Vec::new(), segments: None };
    v.beside(
        "points",
        "a line through points, one segment from point to point unless `segments` says otherwise",
        polyline,
        |k| {
            k.value("points", of!(RodShape::Polyline, points))
                .finite("m")
                .required()
                .says("points of a line");
            k.checking(|shape| match shape {
                RodShape::Polyline { points, .. } => through("points", points),
                _ => Ok(()),
            });
            k.value("segments", of!(RodShape::Polyline, segments)).whole(1, u32::MAX).says(segments);
        },
    )
    .refuse(&["to"], "goes with `from`; `points` has its own end");
    let spline = || RodShape::Spline { points: Vec::new(), segments: 1 };
    v.beside(
        "spline",
        "a smooth curve through points (centripetal Catmull–Rom), in equal segments",
        spline,
        |k| {
            k.value("spline", of!(RodShape::Spline, points))
                .finite("m")
                .required()
                .says("points of a smooth curve");
            k.checking(|shape| match shape {
                RodShape::Spline { points, .. } => through("spline", points),
                _ => Ok(()),
            });
            k.value("segments", of!(RodShape::Spline, segments)).whole(1, u32::MAX).required().says(segments);
        },
    )
    .refuse(&["to"], "goes with `from`; `spline` has its own end");
    let doc = "each line of a file is a rod: the line elements (`l 1 2 3`, or edge by edge) of an OBJ, or a graph as for nets; forks and loops are for nets";
    v.table(
        "lines",
        doc,
        || RodShape::File { file: Default::default(), segments: None },
        |k| {
            k.value("file", of!(RodShape::File, file)).required().says("relative to the scene file");
            k.value("segments", of!(RodShape::File, segments))
                .whole(1, u32::MAX)
                .default("one from point to point; all lines then have as many points")
                .says("segments of equal length in each line");
        },
    )
    .short("file")
    .refuse(&["to", "segments"], "does not go with `lines = { … }`, which has its own `segments`");
    let doc = "a helix about the local y axis, from (radius, 0, 0) upwards";
    let start = || RodShape::Helix { radius: 0.1, pitch: 0.02, turns: 5.0, segments: 100 };
    v.table("helix", doc, start, |k| {
        k.value("radius", of!(RodShape::Helix, radius))
            .positive("m")
            .required()
            .says("radius of the centre line");
        k.value("pitch", of!(RodShape::Helix, pitch)).finite("m").required().says("climb per turn");
        k.value("turns", of!(RodShape::Helix, turns))
            .finite("")
            .required()
            .says("negative turns are left-handed");
        k.checking(|shape| match shape {
            RodShape::Helix { turns: 0.0, .. } => {
                Err(SceneError::value("turns", "is 0; it must be different from 0"))
            }
            _ => Ok(()),
        });
        k.value("segments", of!(RodShape::Helix, segments))
            .whole(1, u32::MAX)
            .required()
            .says("number of segments");
    })
    .refuse(&["to", "segments"], "does not go with `helix = { … }`, which has its own `segments`");
}

/// Points that a line can lead through.
fn through(key: &'static str, points: &[DVec3]) -> Check {
    if points.len() < 2 {
        let message = format!("has {} entries; a rod needs at least 2", points.len());
        return Err(SceneError::value(key, message));
    }
    match points.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(i) => Err(SceneError::value(key, "is where the point before it is").index(i + 1)),
        None => Ok(()),
    }
}

impl Declared for RodMaterial {
    fn declare(k: &mut Keys<Self>) {
        let presets = RodMaterial::PRESETS.iter().map(|(name, _)| *name).collect();
        k.base(base);
        k.odd("material", Type::Word(presets), read_preset, |m| {
            preset(m).filter(|p| *p != "rope").map(quoted)
        })
        .default("`\"rope\"`")
        .says("a preset for the keys below; the `printed` ones are of Spillmann's table 3.2");
        k.value("radius", at!(radius))
            .positive("m")
            .default("preset")
            .says("radius of the round, solid section; also for contact and drawing");
        k.value("density", at!(density))
            .positive("kg/m³")
            .default("preset")
            .slider(100.0, 2e4)
            .says("mass per volume");
        k.value("youngs_modulus", at!(youngs_modulus))
            .positive("Pa")
            .default("preset")
            .slider(1e5, 1e12)
            .says("E: bending stiffness E π r⁴/4, stretch stiffness E π r²");
        k.value("shear_modulus", at!(shear_modulus))
            .positive("Pa")
            .default("preset, or E/(2 (1 + ν))")
            .slider(1e5, 1e12)
            .says("G: twist stiffness G π r⁴/2; excludes `poisson_ratio`");
        k.value("poisson_ratio", at!(poisson_ratio))
            .within(End::Beyond(-1.0), End::At(0.5), "greater than -1 and at most 0.5")
            .default("preset")
            .slider(0.0, 0.49)
            .says("ν, of which G follows");
        k.value("stretch_modulus", at!(stretch_modulus))
            .positive("Pa")
            .default("preset, or E")
            .says("E of stretch alone: ropes resist a pull far more than bending");
        k.value("shear_stiffness", at!(shear_stiffness))
            .positive("N")
            .default("0.89 G π r²")
            .says("κ, what keeps the frames along the rod");
        k.choice("section", at!(section), SECTIONS)
            .says("`\"printed\"` puts r² for r⁴ in the formulas of bending, twist and inertia, as printed in Spillmann 2008: his materials need it");
        k.value("bending_stiffness", at!(bending_stiffness))
            .positive("N m²")
            .default("E π r⁴/4 twice")
            .says("EI about the section's first and second axis, of sections that are not round: `[E w h³/12, E h w³/12]` of a strip of width w along the first axis and height h");
        k.value("twist_stiffness", at!(twist_stiffness))
            .positive("N m²")
            .default("G π r⁴/2")
            .says("GJ of sections that are not round; `G w h³/3` of a thin strip");
        k.value("frame_inertia", at!(frame_inertia))
            .positive("")
            .default("m l²/4, if that is more than the section's")
            .says("α: the frames' inertia against bending is α times that of the section");
        k.value("stretch_friction", at!(stretch_friction))
            .not_negative("kg m/s")
            .says("internal friction of stretch, for `method = \"corde\"`");
        k.value("bend_friction", at!(bend_friction))
            .not_negative("kg m³/s")
            .says("internal friction of bending and twist, for `method = \"corde\"`");
    }
}

/// The preset, without what the table itself replaces.
fn read_preset(t: &Table, key: &str, material: &mut RodMaterial) -> Result<()> {
    *material = t.choice(key, &RodMaterial::PRESETS)?.unwrap_or_default();
    if t.has("shear_modulus") {
        t.refuse(&["poisson_ratio"], "and `shear_modulus` say the same thing; give one of them")?;
    }
    // A preset's moduli of stretch and shear belong to its modulus of bending, and that of shear to its Poisson ratio.
    if t.has("youngs_modulus") {
        material.stretch_modulus = None;
    }
    if t.has("youngs_modulus") || t.has("poisson_ratio") {
        material.shear_modulus = None;
    }
    Ok(())
}

/// The preset that a material is written as: its own, or one with the Poisson ratio that `shear_modulus` leaves no key for.
fn preset(material: &RodMaterial) -> Option<&'static str> {
    let same = |preset: &RodMaterial| match material.shear_modulus {
        Some(_) => preset.poisson_ratio == material.poisson_ratio,
        None => false,
    };
    let exact = RodMaterial::PRESETS.iter().find(|(_, preset)| preset == material);
    exact.or_else(|| RodMaterial::PRESETS.iter().find(|(_, preset)| same(preset))).map(|(name, _)| *name)
}

/// What a reader has before the numbers of a written material: its preset, from which `youngs_modulus` takes the other moduli.
fn base(material: &RodMaterial) -> RodMaterial {
    if RodMaterial::PRESETS.iter().any(|(_, preset)| preset == material) {
        return *material;
    }
    let named =
        preset(material).and_then(|name| RodMaterial::PRESETS.iter().find(|(known, _)| *known == name));
    let preset = named.map_or(RodMaterial::default(), |(_, preset)| *preset);
    let poisson_ratio =
        if material.shear_modulus.is_some() { material.poisson_ratio } else { preset.poisson_ratio };
    // No number equals NaN: the modulus is always written.
    RodMaterial {
        youngs_modulus: f64::NAN,
        stretch_modulus: None,
        shear_modulus: None,
        poisson_ratio,
        ..preset
    }
}

/// The shape without load: a word, or curvatures.
fn rest(k: &mut Keys<Rod>) {
    let words = RESTS.iter().map(|(word, _)| *word).collect();
    k.odd("rest", Type::Word(words), read_rest, |rod| {
        (rod.rest == RodRest::Straight).then(|| quoted("straight"))
    })
    .default("`\"shape\"`")
    .says("the shape without load: as it starts, or straight");
    let curvature = |rod: &Rod| match rod.rest {
        RodRest::Curved(rest) => written(&[rest.x, rest.y]),
        _ => None,
    };
    k.odd("rest_curvature", Type::Array(Box::new(Type::Number), Some(2)), |_, _, _| Ok(()), curvature)
        .unit("1/m")
        .default("none")
        .says("instead of `rest`: curvature about the section's two axes, the same everywhere");
    let twist = |rod: &Rod| match rod.rest {
        RodRest::Curved(rest) => written(&rest.z),
        _ => None,
    };
    k.odd("rest_twist", Type::Number, |_, _, _| Ok(()), twist)
        .unit("1/m")
        .default("none")
        .says("twist at rest, with or without `rest_curvature`");
    k.checking(|rod| match rod.rest {
        RodRest::Curved(rest) => ["rest_curvature", "rest_curvature", "rest_twist"]
            .into_iter()
            .zip(rest.to_array())
            .try_for_each(|(key, x)| Rule::Finite.number(key, x, "1/m")),
        _ => Ok(()),
    });
}

fn read_rest(t: &Table, key: &str, rod: &mut Rod) -> Result<()> {
    let word = t.choice(key, RESTS)?;
    let (bend, twist) = (t.numbers::<2>("rest_curvature")?, t.number("rest_twist")?);
    if bend.is_none() && twist.is_none() {
        rod.rest = word.unwrap_or_default();
        return Ok(());
    }
    t.refuse(&["rest"], "does not go with `rest_curvature` and `rest_twist`, which say it all")?;
    let [first, second] = bend.unwrap_or_default();
    rod.rest = RodRest::Curved(DVec3::new(first, second, twist.unwrap_or_default()));
    Ok(())
}

impl Declared for RodEnd {
    fn declare(k: &mut Keys<Self>) {
        k.choice("hold", at!(hold), HOLDS)
            .says("`\"pinned\"`: the point is held, as in a ball joint; `\"clamped\"`: the section too, as in a wall; `\"framed\"`: the point and the frame of the segment there, which makes the rod half a segment shorter");
        k.value("weight", at!(weight)).not_negative("kg").says("mass attached to the end");
        k.value("force", at!(force)).finite("N").says("a constant force on a free end, in the world");
        k.value("torque", at!(torque)).finite("N m").says(
            "a constant torque on the section of a free or pinned end, fixed in the world; a frame that it would turn by more than 0.05 rad a substep is made that much heavier",
        );
        k.value("torque_follows", at!(torque_follows))
            .says("whether `torque`, which says where it points at the start, turns with the section");
        k.value("release", at!(release))
            .not_negative("s")
            .default("never")
            .says("when a held end is let go, section and all");
        k.checking(loads);
        motion(k, at!(motion), at!(pivot), "the end itself");
        k.checking(|end| match end.hold == Hold::Free && !end.motion.is_empty() {
            true => refuse(
                "motion",
                "moves what is held, but this end is free; add `hold = \"pinned\"` or `\"clamped\"`",
            ),
            false => Ok(()),
        });
    }
}

fn refuse(key: &'static str, message: &str) -> Check {
    Err(SceneError::at(SceneErrorKind::Reference, key, message))
}

fn loads(end: &RodEnd) -> Check {
    if end.force != DVec3::ZERO && end.hold != Hold::Free {
        return refuse("force", "pulls at an end that is free, but this one is held; move it with `motion`");
    }
    if end.torque != DVec3::ZERO && !matches!(end.hold, Hold::Free | Hold::Pinned) {
        return refuse(
            "torque",
            "turns an end that is free or pinned, but this one is held; turn it with `motion`",
        );
    }
    if end.torque_follows && end.torque == DVec3::ZERO {
        return refuse("torque_follows", "is about `torque`, which is missing");
    }
    if end.hold == Hold::Free && end.release.is_some() {
        return refuse(
            "release",
            "lets go what is held, but this end is free; add `hold = \"pinned\"` or `\"clamped\"`",
        );
    }
    Ok(())
}

impl Declared for Copies {
    fn declare(k: &mut Keys<Self>) {
        k.value("count", at!(count))
            .whole(1, u32::MAX)
            .required()
            .says("rods along the first and the second step");
        k.value("steps", at!(steps))
            .finite("m")
            .required()
            .says("from rod to rod along the two directions, in the world");
    }
}

impl Default for AttachedWeight {
    fn default() -> Self {
        Self { selector: Selector::default(), mass: 0.0 }
    }
}
