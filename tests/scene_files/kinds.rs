//! A kind of body that the library does not know: its table is declared, read, checked, built and written from here.

use glam::DVec3;
use sinew::at;
use sinew::model::Model;
use sinew::scene::keys::{Declared, Keys, Lens};
use sinew::scene::{
    BodyTable, BuildContext, Checked, Kind, Kinds, OtherGeometry, Pin, Scene, SceneError, SceneGeometry,
};
use sinew::{Options, Precision, Simulation};
use std::cell::Cell;

/// Balls in a row.
#[derive(Debug, Clone, PartialEq)]
struct Marbles {
    name: String,
    from: DVec3,
    count: u32,
    radius: f64,
    density: f64,
    pin: Vec<Pin>,
}

impl Default for Marbles {
    fn default() -> Self {
        let (from, pin) = (DVec3::ZERO, Vec::new());
        Self { name: String::new(), from, count: 1, radius: 0.01, density: 2500.0, pin }
    }
}

impl Declared for Marbles {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name)).says("what it is called");
        k.value("from", at!(from)).finite("m").required().says("centre of the first");
        k.value("count", at!(count)).whole(1, 1000).says("how many");
        k.value("radius", at!(radius)).positive("m").slider(0.001, 0.1).says("of each");
        k.value("density", at!(density)).positive("kg/m³").says("of glass by default");
    }
}

thread_local! {
    static BUILT: Cell<u32> = const { Cell::new(0) };
}

impl BodyTable for Marbles {
    const KIND: &'static str = "marbles";
    const DOC: &'static str = "balls in a row";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        self.count.into()
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        BUILT.set(BUILT.get() + 1);
        let volume = 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3);
        let centre = |i: u32| self.from + DVec3::X * (2.0 * self.radius * f64::from(i));
        geometry.other.push(OtherGeometry {
            name: context.name.clone(),
            radius: self.radius,
            friction: 0.2,
            positions: (0..self.count).map(centre).collect(),
            masses: vec![self.density * volume; self.count as usize],
            ..OtherGeometry::default()
        });
        Ok(())
    }
}

static MARBLES: Kind = Kind::of::<Marbles>();

const TEXT: &str = "format = 1\n[[marbles]]\nfrom = [0, 1, 0]\ncount = 3\n[[marbles]]\nname = \"big\"\nfrom = [0, 2, 0]\nradius = 0.05\n\
    [[collider]]\nplane = { normal = [0, 1, 0] }\n[expect]\n[[expect.particle]]\nbody = \"big\"\nindex = 0\nmin = [-1, 0, -1]\n";

fn parse(text: &str) -> Result<Checked, SceneError> {
    Checked::parse(text, "toy.toml", "", &Kinds::standard().with(&MARBLES))
}

#[test]
fn a_new_kind_of_body_is_read_checked_and_written() {
    let scene = parse(TEXT).unwrap().into_scene();
    let names: Vec<&str> = scene.bodies().map(|body| body.name()).collect();
    assert_eq!(names, ["marbles 1", "big"]);
    let kinds = Kinds::standard().with(&MARBLES);
    let written = scene.to_toml().unwrap();
    assert_eq!(Scene::parse_with(&written, "written", "", &kinds), Ok(scene), "{written}");
    assert!(Scene::parse(TEXT, "toy.toml", "").unwrap_err().to_string().contains("unknown key `marbles`"));
    for (line, message) in [
        ("count = 0", "toy.toml:4: marbles 1: `count` is 0; it must be from 1 to 1000"),
        ("cuont = 3", "toy.toml:4: marbles 1: unknown key `cuont`; did you mean `count`?"),
        ("radius = \"r\"", "toy.toml:4: marbles 1: `radius` must be a number, not the string \"r\""),
        ("radius = -1", "toy.toml:4: marbles `marbles 1`: `radius` is -1 m; it must be greater than 0"),
    ] {
        let error = parse(&TEXT.replace("count = 3", line)).unwrap_err().to_string();
        assert_eq!(
            error.replace("marbles `marbles 1`", "marbles 1"),
            message.replace("marbles `marbles 1`", "marbles 1")
        );
    }
    let schema = sinew::scene::json_schema(&kinds);
    assert_eq!(schema["properties"]["marbles"]["items"]["properties"]["count"]["description"], "how many");
}

#[test]
fn a_new_kind_of_body_falls_onto_the_floor() {
    let checked = parse(TEXT).unwrap();
    let mut simulation = Simulation::new(&checked, &Options::cpu(Precision::F64)).unwrap();
    for _ in 0..90 {
        simulation.step().unwrap();
    }
    let model = simulation.model();
    assert_eq!(model.bodies.iter().map(|body| body.particles.len()).collect::<Vec<_>>(), [3, 1]);
    let positions = simulation.positions().unwrap();
    let heights: Vec<f64> = positions.iter().map(|x| x.y).collect();
    assert!((heights[0] - 0.01).abs() < 1e-3 && (heights[3] - 0.05).abs() < 1e-3, "{heights:?}");
}

#[test]
fn geometry_is_made_once_per_load() {
    BUILT.set(0);
    let text = TEXT
        .replace("[[marbles]]\nname = \"big\"\nfrom = [0, 2, 0]\nradius = 0.05\n", "")
        .replace("\"big\"", "\"marbles 1\"");
    let checked = parse(&text).unwrap();
    Model::new(&checked).unwrap();
    let more = checked.changed(Scene { substeps: 30, ..checked.scene().clone() }).unwrap();
    Simulation::new(&more, &Options::cpu(Precision::F32)).unwrap();
    assert_eq!(BUILT.get(), 1);
    let error = checked.changed(Scene { substeps: 0, ..checked.scene().clone() }).unwrap_err();
    assert!(error.to_string().contains("`substeps` is 0"), "{error}");
    let mut other = checked.scene().clone();
    other.gravity = DVec3::ZERO;
    other.seed = 4;
    checked.changed(other).unwrap();
    assert_eq!(BUILT.get(), 2, "another seed may make another geometry");
}

/// Moving a slider of a material does not mesh the body again.
#[test]
fn a_solid_of_another_material_has_the_same_geometry() {
    let text = "format = 1\n[[solid]]\nball = { radius = 0.5 }\nresolution = 4\n";
    let checked = parse(text).unwrap();
    let mut soft = checked.scene().clone();
    soft.solid[0].material.youngs_modulus = 1e4;
    soft.solid[0].friction = 0.9;
    let changed = checked.changed(soft).unwrap();
    assert!(std::ptr::eq(checked.geometry(), changed.geometry()));
    let mut moved = checked.scene().clone();
    moved.solid[0].position.y = 1.0;
    let changed = checked.changed(moved).unwrap();
    assert!((changed.geometry().bounds().0.y - checked.geometry().bounds().0.y - 1.0).abs() < 1e-9);
}
