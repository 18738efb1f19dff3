//! From TOML to [`Scene`]: keys, types and choices. Values are judged afterwards by [`Scene::validate`].

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::body::name_or_number;
use super::document::{Source, Table};
use super::{
    Bending, Camera, Cloth, ClothShape, Collider, ColliderShape, ColourBy, Corner, Edge, Expect,
    ExpectParticle, FORMAT, Gust, Keyframe, Masses, ParticleReference, Pin, Points, PointsShape,
    Range, Render, Scene, SceneError, SceneErrorKind, Selector, SolverKind, Tethers, Theme, Wind,
    limits,
};

type Result<T> = std::result::Result<T, SceneError>;

/// Overwrites each field with the value of the key of the same name, if the table has it.
macro_rules! overwrite {
    ($target:ident from $table:ident: $($method:ident { $($field:ident),+ $(,)? })+) => {
        $($(if let Some(value) = $table.$method(stringify!($field))? { $target.$field = value; })+)+
    };
}

const SCENE_KEYS: &[&str] = &[
    "format",
    "title",
    "gravity",
    "time_step",
    "substeps",
    "iterations",
    "solver",
    "relaxation",
    "chebyshev",
    "damping",
    "duration",
    "seed",
    "wind",
    "camera",
    "render",
    "cloth",
    "points",
    "collider",
    "expect",
];
const CLOTH_KEYS: &[&str] = &[
    "name",
    "grid",
    "disc",
    "mesh",
    "position",
    "rotation",
    "scale",
    "velocity",
    "density",
    "thickness",
    "colour",
    "stretch_stiffness",
    "compression_stiffness",
    "shear_stiffness",
    "bending",
    "bending_stiffness",
    "area_stiffness",
    "tethers",
    "drag",
    "lift",
    "friction",
    "pin",
];
const POINTS_KEYS: &[&str] = &[
    "name",
    "chain",
    "points",
    "mass",
    "masses",
    "links",
    "triangles",
    "tetrahedra",
    "compliance",
    "compression_compliance",
    "area_compliance",
    "volume_compliance",
    "position",
    "rotation",
    "scale",
    "velocity",
    "colour",
    "radius",
    "friction",
    "pin",
];
const COLLIDER_KEYS: &[&str] = &[
    "name", "plane", "sphere", "box", "capsule", "mesh", "position", "rotation", "friction",
    "colour", "motion", "pivot",
];
const PIN_KEYS: &[&str] = &[
    "corners",
    "edge",
    "indices",
    "box",
    "nearest",
    "compliance",
    "motion",
    "pivot",
    "release",
];
const EXPECT_KEYS: &[&str] = &[
    "at",
    "max_stretch",
    "energy",
    "kinetic_energy",
    "max_speed",
    "lowest",
    "highest",
    "particle",
];

/// Default cells of a mesh collider's distance field along its longest side.
const DEFAULT_RESOLUTION: u32 = 64;

pub(super) fn scene<'a>(source: Source<'a>, root: &'a DeTable<'a>, base: &Path) -> Result<Scene> {
    // A file of another version may have other keys: say so before complaining about them.
    let whole = Table::open(
        source,
        root,
        0..0,
        String::new(),
        &root
            .keys()
            .map(|k| k.get_ref().as_ref())
            .collect::<Vec<_>>(),
    )?;
    let format: u32 = whole
        .integer("format")?
        .ok_or_else(|| source.place(whole.missing(&format!("format = {FORMAT}")), &(0..0)))?;
    if format != FORMAT {
        let error = SceneError::value(
            "format",
            format_args!("is {format}; this version reads {FORMAT}"),
        );
        return Err(source.locate(error, root));
    }
    let table = Table::open(source, root, 0..0, String::new(), SCENE_KEYS)?;
    let mut scene = Scene::default();
    overwrite!(scene from table:
        vector { gravity }
        number { time_step, relaxation, chebyshev, damping, duration }
        integer { substeps, iterations, seed }
    );
    scene.title = table.string("title")?.unwrap_or_default().to_owned();
    if let Some(solver) = table.choice(
        "solver",
        &[
            ("coloured", SolverKind::Coloured),
            ("jacobi", SolverKind::Jacobi),
        ],
    )? {
        scene.solver = solver;
    }
    scene.wind = table
        .table("wind", &["velocity", "density", "gust"])?
        .map(wind)
        .transpose()?;
    if let Some(t) = table.table("camera", &["eye", "target", "up", "field_of_view", "orbit"])? {
        scene.camera = camera(&t)?;
    }
    if let Some(t) = table.table(
        "render",
        &[
            "size",
            "frames_per_second",
            "colour",
            "range",
            "ground",
            "theme",
        ],
    )? {
        scene.render = render(&t)?;
    }
    let bodies = |key: &'static str, limit, keys| {
        table.tables(key, limit, keys, move |i, name| subject(key, i, name))
    };
    scene.cloth = bodies("cloth", limits::BODIES, CLOTH_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| cloth(t, i, base))
        .collect::<Result<_>>()?;
    scene.points = bodies("points", limits::BODIES, POINTS_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| points(t, i))
        .collect::<Result<_>>()?;
    scene.collider = bodies("collider", limits::COLLIDERS, COLLIDER_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| collider(t, i, base))
        .collect::<Result<_>>()?;
    scene.expect = table
        .table("expect", EXPECT_KEYS)?
        .map(expect)
        .transpose()?;
    Ok(scene)
}

/// How messages name a body: ``cloth `flag` ``, or `cloth 1` if it has no name.
pub(super) fn subject(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} `{}`", super::error::excerpt(name)),
        _ => format!("{kind} {}", index + 1),
    }
}

fn wind(t: Table) -> Result<Wind> {
    let mut wind = Wind {
        velocity: t.need_vector("velocity")?,
        ..Wind::default()
    };
    overwrite!(wind from t: number { density });
    if let Some(t) = t.table("gust", &["amplitude", "period"])? {
        wind.gust = Some(Gust {
            amplitude: t.need_number("amplitude")?,
            period: t.need_number("period")?,
        });
    }
    Ok(wind)
}

fn camera(t: &Table) -> Result<Camera> {
    let mut camera = Camera {
        eye: t.vector("eye")?,
        target: t.vector("target")?,
        ..Camera::default()
    };
    overwrite!(camera from t: vector { up } number { field_of_view, orbit });
    Ok(camera)
}

fn render(t: &Table) -> Result<Render> {
    let mut render = Render {
        range: t.numbers("range")?,
        ..Render::default()
    };
    overwrite!(render from t: integers { size } number { frames_per_second } number_or_false { ground });
    let colours = [
        ("body", ColourBy::Body),
        ("velocity", ColourBy::Velocity),
        ("strain", ColourBy::Strain),
    ];
    if let Some(colour) = t.choice("colour", &colours)? {
        render.colour = colour;
    }
    if let Some(theme) = t.choice("theme", &[("light", Theme::Light), ("dark", Theme::Dark)])? {
        render.theme = theme;
    }
    Ok(render)
}

fn name(t: &Table, kind: &str, index: usize) -> Result<String> {
    Ok(name_or_number(
        t.string("name")?.unwrap_or_default(),
        kind,
        index,
    ))
}

fn cloth(t: &Table, index: usize, base: &Path) -> Result<Cloth> {
    let mut cloth = Cloth {
        name: name(t, "cloth", index)?,
        colour: t.numbers("colour")?,
        compression_stiffness: t.number("compression_stiffness")?,
        ..Cloth::default()
    };
    cloth.shape = match t.one_of(&["grid", "disc", "mesh"])? {
        "grid" => {
            let g = inner(t, "grid", &["size", "cells"])?;
            ClothShape::Grid {
                size: g.numbers("size")?.ok_or_else(|| g.missing("size"))?,
                cells: g.integers("cells")?.ok_or_else(|| g.missing("cells"))?,
            }
        }
        "disc" => {
            let d = inner(t, "disc", &["radius", "rings"])?;
            ClothShape::Disc {
                radius: d.need_number("radius")?,
                rings: d.need_integer("rings")?,
            }
        }
        _ if t.is_string("mesh") => ClothShape::Mesh {
            file: base.join(t.need_string("mesh")?),
            scale: 1.0,
        },
        _ => {
            let (file, scale, _) = mesh_file(&inner(t, "mesh", &["file", "scale"])?, base)?;
            ClothShape::Mesh { file, scale }
        }
    };
    overwrite!(cloth from t:
        vector { position, rotation, velocity }
        number {
            scale, density, thickness, stretch_stiffness, shear_stiffness, bending_stiffness, area_stiffness, drag, lift, friction
        }
    );
    let laws = [
        ("isometric", Bending::Isometric),
        ("dihedral", Bending::Dihedral),
        ("distance", Bending::Distance),
        ("none", Bending::None),
    ];
    if let Some(bending) = t.choice("bending", &laws)? {
        cloth.bending = bending;
    }
    if let Some(t) = t.table("tethers", &["slack"])? {
        let mut tethers = Tethers::default();
        overwrite!(tethers from t: number { slack });
        cloth.tethers = Some(tethers);
    }
    cloth.pin = pins(t)?;
    Ok(cloth)
}

fn points(t: &Table, index: usize) -> Result<Points> {
    let mut points = Points {
        name: name(t, "points", index)?,
        colour: t.numbers("colour")?,
        compression_compliance: t.number("compression_compliance")?,
        ..Points::default()
    };
    points.shape = match t.one_of(&["chain", "points"])? {
        "chain" => {
            t.refuse(
                &["mass", "masses", "links", "triangles", "tetrahedra"],
                "goes with `points`; `chain = { … }` has its own `links` and `mass`",
            )?;
            let c = inner(t, "chain", &["from", "to", "links", "mass"])?;
            PointsShape::Chain {
                from: c.need_vector("from")?,
                to: c.need_vector("to")?,
                links: c.need_integer("links")?,
                mass: c.need_number("mass")?,
            }
        }
        _ => PointsShape::List {
            points: t.vector_list("points")?.unwrap_or_default(),
            masses: match t.one_of(&["mass", "masses"])? {
                "mass" => Masses::Each(t.need_number("mass")?),
                _ => Masses::List(t.number_list("masses")?.unwrap_or_default()),
            },
            links: t.tuple_list("links")?.unwrap_or_default(),
            triangles: t.tuple_list("triangles")?.unwrap_or_default(),
            tetrahedra: t.tuple_list("tetrahedra")?.unwrap_or_default(),
        },
    };
    overwrite!(points from t:
        vector { position, rotation, velocity }
        number { scale, radius, compliance, area_compliance, volume_compliance, friction }
    );
    points.pin = pins(t)?;
    Ok(points)
}

fn pins(t: &Table) -> Result<Vec<Pin>> {
    let tables = t.tables("pin", limits::PINS, PIN_KEYS, |i, _| {
        format!("pin {}", i + 1)
    })?;
    tables.iter().map(pin).collect()
}

fn pin(t: &Table) -> Result<Pin> {
    let corners = [
        ("top_left", Corner::TopLeft),
        ("top_right", Corner::TopRight),
        ("bottom_left", Corner::BottomLeft),
        ("bottom_right", Corner::BottomRight),
    ];
    let edges = [
        ("top", Edge::Top),
        ("bottom", Edge::Bottom),
        ("left", Edge::Left),
        ("right", Edge::Right),
        ("rim", Edge::Rim),
    ];
    let key = t.one_of(&["corners", "edge", "indices", "box", "nearest"])?;
    let selector = match key {
        "corners" => t.choice_list(key, &corners)?.map(Selector::Corners),
        "edge" => t.choice(key, &edges)?.map(Selector::Edge),
        "indices" => t.integer_list(key)?.map(Selector::Indices),
        "box" => {
            let b = inner(t, key, &["min", "max"])?;
            Some(Selector::Box {
                min: b.need_vector("min")?,
                max: b.need_vector("max")?,
            })
        }
        _ => t.vector(key)?.map(Selector::Nearest),
    };
    let mut pin = Pin {
        selector: selector.ok_or_else(|| t.missing(key))?,
        motion: motion(t)?,
        pivot: t.vector("pivot")?,
        release: t.number("release")?,
        ..Pin::default()
    };
    overwrite!(pin from t: number { compliance });
    Ok(pin)
}

fn motion(t: &Table) -> Result<Vec<Keyframe>> {
    let keys = ["time", "offset", "rotation"];
    let tables = t.tables("motion", limits::KEYFRAMES, &keys, |i, _| {
        format!("keyframe {}", i + 1)
    })?;
    if tables.is_empty() {
        t.refuse(&["motion"], "needs at least one keyframe")?;
    }
    let keyframe = |t: &Table| {
        let mut keyframe = Keyframe {
            time: t.need_number("time")?,
            ..Keyframe::default()
        };
        overwrite!(keyframe from t: vector { offset, rotation });
        Ok(keyframe)
    };
    tables.iter().map(keyframe).collect()
}

fn collider(t: &Table, index: usize, base: &Path) -> Result<Collider> {
    let mut collider = Collider {
        name: name(t, "collider", index)?,
        colour: t.numbers("colour")?,
        motion: motion(t)?,
        pivot: t.vector("pivot")?,
        ..Collider::default()
    };
    collider.shape = match t.one_of(&["plane", "sphere", "box", "capsule", "mesh"])? {
        "plane" => {
            let p = inner(t, "plane", &["normal", "offset"])?;
            ColliderShape::Plane {
                normal: p.need_vector("normal")?,
                offset: p.number("offset")?.unwrap_or(0.0),
            }
        }
        "sphere" => ColliderShape::Sphere {
            radius: inner(t, "sphere", &["radius"])?.need_number("radius")?,
        },
        "box" => ColliderShape::Box {
            size: inner(t, "box", &["size"])?.need_vector("size")?,
        },
        "capsule" => {
            let c = inner(t, "capsule", &["radius", "length"])?;
            ColliderShape::Capsule {
                radius: c.need_number("radius")?,
                length: c.need_number("length")?,
            }
        }
        _ if t.is_string("mesh") => ColliderShape::Mesh {
            file: base.join(t.need_string("mesh")?),
            scale: 1.0,
            resolution: DEFAULT_RESOLUTION,
        },
        _ => {
            let (file, scale, resolution) =
                mesh_file(&inner(t, "mesh", &["file", "scale", "resolution"])?, base)?;
            ColliderShape::Mesh {
                file,
                scale,
                resolution,
            }
        }
    };
    overwrite!(collider from t: vector { position, rotation } number { friction });
    Ok(collider)
}

fn mesh_file(t: &Table, base: &Path) -> Result<(PathBuf, f64, u32)> {
    Ok((
        base.join(t.need_string("file")?),
        t.number("scale")?.unwrap_or(1.0),
        t.integer("resolution")?.unwrap_or(DEFAULT_RESOLUTION),
    ))
}

fn expect(t: Table) -> Result<Expect> {
    let mut expect = Expect {
        at: t.number("at")?,
        max_stretch: t.number("max_stretch")?,
        energy: range(&t, "energy")?,
        kinetic_energy: range(&t, "kinetic_energy")?,
        max_speed: t.number("max_speed")?,
        lowest: range(&t, "lowest")?,
        highest: range(&t, "highest")?,
        particle: Vec::new(),
    };
    let keys = ["body", "index", "nearest", "min", "max"];
    for t in t.tables("particle", limits::EXPECTED_PARTICLES, &keys, |i, _| {
        format!("particle {}", i + 1)
    })? {
        let mut particle = ExpectParticle {
            body: t.need_string("body")?.to_owned(),
            particle: match t.one_of(&["index", "nearest"])? {
                "index" => ParticleReference::Index(t.need_integer("index")?),
                _ => ParticleReference::Nearest(t.need_vector("nearest")?),
            },
            ..ExpectParticle::default()
        };
        overwrite!(particle from t: vector { min, max });
        expect.particle.push(particle);
    }
    Ok(expect)
}

fn range(t: &Table, key: &str) -> Result<Range> {
    let mut range = Range::ALL;
    if let Some(t) = t.table(key, &["min", "max"])? {
        overwrite!(range from t: number { min, max });
    }
    Ok(range)
}

fn inner<'a>(t: &Table<'a>, key: &'static str, keys: &[&str]) -> Result<Table<'a>> {
    t.table(key, keys)?.ok_or_else(|| t.missing(key))
}

/// The text of a scene file, if it is a file of bearable size.
pub(super) fn file(path: &Path) -> Result<String> {
    let bytes = super::mesh_file::bounded(path, limits::SCENE_BYTES).map_err(|message| {
        let mut error = SceneError::new(SceneErrorKind::File, message);
        error.place = Some(Box::new(super::Place {
            file: path.to_owned(),
            position: None,
        }));
        error
    })?;
    String::from_utf8(bytes).map_err(|e| {
        let text =
            String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]).into_owned();
        let source = Source {
            text: &text,
            file: path,
        };
        let error = SceneError::new(SceneErrorKind::Syntax, "the file is not UTF-8 text");
        source.place(error, &(text.len()..text.len()))
    })
}
