//! From TOML to [`Scene`]: keys, types and choices. Values are judged afterwards by [`Scene::validate`].

mod bodies;
mod fabric;
mod nets;
mod rods;
mod solids;

use std::path::Path;

use toml::de::DeTable;

use super::document::{Source, Table, overwrite};
use super::{
    Camera, ColourBy, Expect, ExpectParticle, FORMAT, Gust, ParticleReference, Range, Render, Scene,
    SceneError, SceneErrorKind, SolverKind, Theme, Wind, limits,
};
use bodies::{CLOTH_KEYS, COLLIDER_KEYS, POINTS_KEYS, cloth, collider, points};
use nets::{NET_KEYS, net};
use rods::{ROD_KEYS, rod};
use solids::{SOLID_KEYS, solid};

type Result<T> = std::result::Result<T, SceneError>;

const SCENE_KEYS: &[&str] = &[
    "format",
    "title",
    "gravity",
    "time_step",
    "substeps",
    "raise_substeps",
    "frame_substeps",
    "iterations",
    "solver",
    "integrator",
    "conjugate_gradients",
    "strain_limiting",
    "relaxation",
    "chebyshev",
    "damping",
    "duration",
    "seed",
    "start_from",
    "wind",
    "camera",
    "render",
    "cloth",
    "points",
    "rod",
    "net",
    "solid",
    "collider",
    "expect",
];
const EXPECT_KEYS: &[&str] = &[
    "at",
    "max_stretch",
    "energy",
    "kinetic_energy",
    "momentum",
    "spin",
    "max_speed",
    "max_violation",
    "max_inverted",
    "max_switches",
    "max_compression",
    "lowest",
    "highest",
    "particle",
];

pub(super) fn scene<'a>(source: Source<'a>, root: &'a DeTable<'a>, base: &Path) -> Result<Scene> {
    // A file of another version may have other keys: say so before complaining about them.
    let whole = Table::open(
        source,
        root,
        0..0,
        String::new(),
        &root.keys().map(|k| k.get_ref().as_ref()).collect::<Vec<_>>(),
    )?;
    let format: u32 = whole
        .integer("format")?
        .ok_or_else(|| source.place(whole.missing(&format!("format = {FORMAT}")), &(0..0)))?;
    if format != FORMAT {
        let error = SceneError::value("format", format_args!("is {format}; this version reads {FORMAT}"));
        return Err(source.locate(error, root));
    }
    let table = Table::open(source, root, 0..0, String::new(), SCENE_KEYS)?;
    let mut scene = Scene::default();
    overwrite!(scene from table:
        vector { gravity }
        number { time_step, relaxation, chebyshev, damping, duration }
        integer { substeps, frame_substeps, iterations, seed }
        flag { raise_substeps }
    );
    scene.start_from = table.string("start_from")?.map(|file| base.join(file));
    scene.title = table.string("title")?.unwrap_or_default().to_owned();
    if let Some(solver) =
        table.choice("solver", &[("coloured", SolverKind::Coloured), ("jacobi", SolverKind::Jacobi)])?
    {
        scene.solver = solver;
    }
    if let Some(integrator) = table.choice("integrator", fabric::INTEGRATORS)? {
        scene.integrator = integrator;
    }
    if let Some(t) = table.table("conjugate_gradients", &["iterations", "tolerance"])? {
        let gradients = &mut scene.conjugate_gradients;
        overwrite!(gradients from t: integer { iterations } number { tolerance });
    }
    if let Some(t) = table.table("strain_limiting", fabric::LIMITING_KEYS)? {
        let limiting = &mut scene.strain_limiting;
        if let Some(method) = t.choice("method", fabric::LIMITERS)? {
            limiting.method = method;
        }
        if let Some(active_set) = t.choice("visit", fabric::VISITS)? {
            limiting.active_set = active_set;
        }
        overwrite!(limiting from t: integer { iterations } number { tolerance, rate });
    }
    scene.wind = table.table("wind", &["velocity", "density", "gust"])?.map(wind).transpose()?;
    if let Some(t) = table.table("camera", &["eye", "target", "up", "field_of_view", "orbit"])? {
        scene.camera = camera(&t)?;
    }
    if let Some(t) =
        table.table("render", &["size", "frames_per_second", "colour", "range", "ground", "theme"])?
    {
        scene.render = render(&t)?;
    }
    let bodies =
        |key: &'static str, limit, keys| table.tables(key, limit, keys, move |i, name| subject(key, i, name));
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
    scene.rod = bodies("rod", limits::BODIES, ROD_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| rod(t, i, base))
        .collect::<Result<_>>()?;
    scene.net = bodies("net", limits::BODIES, NET_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| net(t, i, base))
        .collect::<Result<_>>()?;
    scene.solid = bodies("solid", limits::BODIES, SOLID_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| solid(t, i, base))
        .collect::<Result<_>>()?;
    scene.collider = bodies("collider", limits::COLLIDERS, COLLIDER_KEYS)?
        .iter()
        .enumerate()
        .map(|(i, t)| collider(t, i, base))
        .collect::<Result<_>>()?;
    scene.expect = table.table("expect", EXPECT_KEYS)?.map(expect).transpose()?;
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
    let mut wind = Wind { velocity: t.need_vector("velocity")?, ..Wind::default() };
    overwrite!(wind from t: number { density });
    if let Some(t) = t.table("gust", &["amplitude", "period"])? {
        wind.gust = Some(Gust { amplitude: t.need_number("amplitude")?, period: t.need_number("period")? });
    }
    Ok(wind)
}

fn camera(t: &Table) -> Result<Camera> {
    let mut camera = Camera { eye: t.vector("eye")?, target: t.vector("target")?, ..Camera::default() };
    overwrite!(camera from t: vector { up } number { field_of_view, orbit });
    Ok(camera)
}

fn render(t: &Table) -> Result<Render> {
    let mut render = Render { range: t.numbers("range")?, ..Render::default() };
    overwrite!(render from t: integers { size } number { frames_per_second } number_or_false { ground });
    let colours = [
        ("body", ColourBy::Body),
        ("velocity", ColourBy::Velocity),
        ("strain", ColourBy::Strain),
        ("stretch", ColourBy::Stretch),
        ("bend", ColourBy::Bend),
        ("twist", ColourBy::Twist),
        ("weft", ColourBy::Weft),
        ("warp", ColourBy::Warp),
        ("shear", ColourBy::Shear),
        ("stress", ColourBy::Stress),
        ("energy", ColourBy::Energy),
        ("error", ColourBy::Error),
        ("frame", ColourBy::Frame),
    ];
    if let Some(colour) = t.choice("colour", &colours)? {
        render.colour = colour;
    }
    if let Some(theme) = t.choice("theme", &[("light", Theme::Light), ("dark", Theme::Dark)])? {
        render.theme = theme;
    }
    Ok(render)
}

fn expect(t: Table) -> Result<Expect> {
    let mut expect = Expect {
        at: t.number("at")?,
        max_stretch: t.number("max_stretch")?,
        energy: range(&t, "energy")?,
        kinetic_energy: range(&t, "kinetic_energy")?,
        momentum: range(&t, "momentum")?,
        spin: range(&t, "spin")?,
        max_speed: t.number("max_speed")?,
        max_violation: t.number("max_violation")?,
        max_inverted: t.number("max_inverted")?,
        max_switches: t.number("max_switches")?,
        max_compression: t.number("max_compression")?,
        lowest: range(&t, "lowest")?,
        highest: range(&t, "highest")?,
        particle: Vec::new(),
    };
    let keys = ["body", "index", "nearest", "min", "max"];
    for t in t.tables("particle", limits::EXPECTED_PARTICLES, &keys, |i, _| format!("particle {}", i + 1))? {
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

/// The text of a scene file, if it is a file of bearable size.
pub(super) fn file(path: &Path) -> Result<String> {
    let bytes = super::mesh_file::bounded(path, limits::SCENE_BYTES).map_err(|message| {
        let mut error = SceneError::new(SceneErrorKind::File, message);
        error.place = Some(Box::new(super::Place { file: path.to_owned(), position: None }));
        error
    })?;
    String::from_utf8(bytes).map_err(|e| {
        let text = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]).into_owned();
        let source = Source { text: &text, file: path };
        let error = SceneError::new(SceneErrorKind::Syntax, "the file is not UTF-8 text");
        source.place(error, &(text.len()..text.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANUAL: &str = include_str!("../../../docs/scene-format.md");

    #[test]
    fn every_key_is_in_the_manual() {
        for key in [
            SCENE_KEYS,
            CLOTH_KEYS,
            fabric::FABRIC_KEYS,
            POINTS_KEYS,
            NET_KEYS,
            SOLID_KEYS,
            COLLIDER_KEYS,
            bodies::PIN_KEYS,
            EXPECT_KEYS,
        ]
        .concat()
        {
            let named = [format!("`{key}`"), format!("`{key} ="), format!("[{key}]"), format!(".{key}]")];
            assert!(named.iter().any(|n| MANUAL.contains(n)), "`{key}`");
        }
    }

    #[test]
    fn the_examples_of_the_manual_are_valid() {
        let mut examples = MANUAL.split("```toml\n").skip(1);
        let example = |text: Option<&str>| text.unwrap().split("```").next().unwrap().to_owned();
        let whole = example(examples.next());
        Scene::parse(&whole, "manual", "").unwrap();
        Scene::parse(&format!("{whole}{}", example(examples.next())), "manual", "").unwrap();
        assert_eq!(examples.next(), None);
    }
}
