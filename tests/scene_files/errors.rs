//! Malformed scenes: the message names file, line, body and cure.

use glam::DVec3;
use sinew::meshing::generate;
use sinew::scene::{
    Cloth, ClothShape, Ground, Kinds, Pin, Points, Scene, SceneErrorKind, Selector, problems_of,
};
use std::path::Path;

/// A valid scene; each case replaces one line of it.
const VALID: &str = r#"format = 1
title = "Flag in the wind"
gravity = [0, -9.81, 0]
time_step = 0.01
substeps = 10
solver = "jacobi"
chebyshev = 0.5
[wind]
velocity = [4, 0, 0]
gust = { amplitude = 0.4, period = 1.7 }
[camera]
eye = [0, 1, 3]
target = [0, 1, 0]
[render]
size = [640, 480]
ground = false
[[cloth]]
name = "flag"
grid = { size = [1.5, 1.0], cells = [6, 4] }
density = 0.2
colour = [0.8, 0.2, 0.1]
stretch_stiffness = inf
bending = "dihedral"
tethers = { slack = 1.0 }
[[cloth.pin]]
edge = "left"
motion = [
  { time = 0 },
  { time = 2, offset = [1, 0, 0] },
]
[[points]]
name = "net"
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
mass = 0.1
links = [[0, 1], [1, 2]]
triangles = [[0, 1, 2]]
tetrahedra = [[0, 1, 2, 3]]
[[points.pin]]
indices = [0]
[[collider]]
name = "ball"
sphere = { radius = 0.3 }
position = [0, 0, 0]
[expect]
at = 3.0
energy = { min = 0, max = 5 }
[[expect.particle]]
body = "flag"
index = 0
min = [-1, -inf, -1]
max = [1, inf, 1]
"#;

/// The line of [`VALID`] that a case replaces (from 1), its replacement, and what the message must be after
/// `test.toml:`. A replacement may have several lines; the line in the message is that of the mistake.
const CASES: &[(usize, &str, &str)] = &[
    (1, "", "1: missing key `format = 1`"),
    (1, "format = 2", "1: `format` is 2; this version reads 1"),
    (1, "format = \"1\"", "1: `format` must be a whole number, not the string \"1\""),
    (2, "titel = \"x\"", "2: unknown key `titel`; did you mean `title`?"),
    (2, "title = 3", "2: `title` must be a string, not the number 3"),
    (2, "[[rods]]", "2: unknown key `rods`"),
    (3, "gravity = [0, -9.81]", "3: `gravity` must be an array of 3 numbers, not an array of 2"),
    (3, "gravity = [0, nan, 0]", "3: `gravity` is NaN m/s²; it must be finite and at most 1e12 in size"),
    (3, "gravity = -9.81", "3: `gravity` must be an array of 3 numbers, not the number -9.81"),
    (3, "gravity = [0, \"down\", 0]", "3: `gravity` must be a number, not the string \"down\""),
    (4, "time_step = 0", "4: `time_step` is 0 s; it must be greater than 0"),
    (4, "time_step = 1e999", "4: `time_step` is a number too large to represent"),
    (4, "time_step = inf", "4: `time_step` is inf s; it must be finite and at most 1e12 in size"),
    (4, "duration = 1e11", "4: `duration` is 6e12 steps of `time_step`; the limit is 1e9"),
    (4, "relaxation = 2", "4: `relaxation` is 2; it must be greater than 0 and less than 2"),
    (5, "substeps = 0", "5: `substeps` is 0; it must be from 1 to 10000"),
    (5, "substeps = -3", "5: `substeps` is -3, which is out of range"),
    (5, "substeps = 2.5", "5: `substeps` must be a whole number, not the number 2.5"),
    (5, "substeps = 99999999999999999999", "5: `substeps` is 99999999999999999999, which is out of range"),
    (6, "solver = \"jacoby\"", "6: `solver` cannot be \"jacoby\"; did you mean `jacobi`?"),
    (6, "solver = \"coloured\"", "7: `chebyshev` accelerates only `solver = \"jacobi\"`; set one of the two"),
    (6, "solver = \"magic\"", "6: `solver` cannot be \"magic\"; choose from `coloured`, `jacobi`"),
    (7, "chebyshev = 1", "7: `chebyshev` is 1; it must be at least 0 and less than 1"),
    (7, "chebyshev = = 1", "7: extra `=`, expected nothing"),
    (9, "velocty = [4, 0, 0]", "9: wind: unknown key `velocty`; did you mean `velocity`?"),
    (9, "density = 1", "8: wind: missing key `velocity`"),
    (
        10,
        "gust = { amplitude = 0.4, period = 0 }",
        "10: wind: gust: `period` is 0 s; it must be greater than 0",
    ),
    (10, "gust = 3", "10: wind: `gust` must be a table, not the number 3"),
    (12, "eye = [0, 1, 0]", "13: camera: `target` is where `eye` is; the camera needs a direction"),
    (12, "eye = [0, 9, 0]", "11: camera: `up` points along the view; choose another direction"),
    (
        12,
        "field_of_view = 180",
        "12: camera: `field_of_view` is 180; it must be greater than 0 and less than 180 degrees",
    ),
    (15, "size = [640, 100000]", "15: render: `size` is 100000; it must be from 1 to 8192"),
    (15, "range = [2, 1]", "15: render: `range` is [2, 1]; it must rise"),
    (16, "ground = true", "16: render: `ground` must be a number or `false`, not `true`"),
    (17, "[cloth]", "17: `cloth` must be an array of tables (`[[cloth]]`), not a table"),
    (
        18,
        "name = \"ball\"",
        "41: collider 1: `name` is `ball`, which is also the name of cloth 1; names must differ",
    ),
    (18, "name = \"a\\nb\"", "18: cloth 1: `name` must have at most 64 printable characters"),
    (19, "", "17: cloth `flag`: needs one of `grid`, `disc`, `cushion`, `sphere`, `mesh`"),
    (19, "grid = { size = [1, 1] }", "19: cloth `flag`: grid: missing key `cells`"),
    (
        19,
        "grid = { size = [1, 1], cells = [6, 0] }",
        "19: cloth `flag`: grid: `cells` is 0; a grid needs at least one cell each way",
    ),
    (
        19,
        "grid = { size = [1, -1], cells = [6, 4] }",
        "19: cloth `flag`: grid: `size` is -1 m; it must be greater than 0",
    ),
    (
        19,
        "grid = { size = [1, 1], cells = [1000000, 1000000] }",
        "19: cloth `flag`: `grid` makes 1000002000001 particles; the limit of a scene is 8388608",
    ),
    (
        19,
        "grid = { size = [1, 1], cells = [4294967295, 4294967295] }",
        "19: cloth `flag`: `grid` makes 18446744073709551615 particles; the limit of a scene is 8388608",
    ),
    (
        19,
        "grid = { size = [1, 1], cells = [6, 4] }\ndisc = { radius = 1, rings = 4 }",
        "20: cloth `flag`: has both `grid` and `disc`; choose one of `grid`, `disc`, `cushion`, `sphere`, `mesh`",
    ),
    (19, "disc = { radius = 1, rings = 4000000000 }", "19: cloth `flag`: `disc` makes"),
    (19, "disc = { radius = 1, rings = 4 }", "26: cloth `flag`: pin 1: `edge` of a disc is \"rim\""),
    (
        19,
        "mesh = \"missing.obj\"",
        "19: cloth `flag`: `mesh` file `tests/corpus/missing.obj`: cannot be read:",
    ),
    (
        19,
        "mesh = \"scene.doc\"",
        "19: cloth `flag`: `mesh` file `tests/corpus/scene.doc`: unknown kind of mesh file; use .obj, .ply or .stl",
    ),
    (19, "mesh = { scale = 2 }", "19: cloth `flag`: mesh: missing key `file`"),
    (20, "densty = 0.2", "20: cloth `flag`: unknown key `densty`; did you mean `density`?"),
    (20, "density = -0.2", "20: cloth `flag`: `density` is -0.2 kg/m²; it must be greater than 0"),
    (20, "density = 0.2\ndensity = 0.3", "21: duplicate key `density`"),
    (20, "density = 1e-300", "20: cloth `flag`: `density` is 1e-300 kg/m²; it must be at least 1e-18"),
    (20, "thickness = -1", "20: cloth `flag`: `thickness` is -1 m; it must be 0 or more"),
    (
        20,
        "position = [0, 1e7, 0]",
        "19: cloth `flag`: `grid` puts particle 0 at [-0.75, 9999999.5, 0]; coordinates end at 1e6 m",
    ),
    (21, "colour = [0.8, 0.2, 1.1]", "21: cloth `flag`: `colour` is 1.1; it must be from 0 to 1"),
    (
        22,
        "stretch_stiffness = nan",
        "22: cloth `flag`: `stretch_stiffness` is NaN N/m; it must be 0 or more; `inf` is rigid",
    ),
    (
        22,
        "bending_stiffness = inf",
        "22: cloth `flag`: `bending_stiffness` is inf N·m; it must be finite and at most 1e12 in size",
    ),
    (
        23,
        "bending = \"dihedrel\"",
        "23: cloth `flag`: `bending` cannot be \"dihedrel\"; did you mean `dihedral`?",
    ),
    (
        24,
        "tethers = { slack = 0.5 }",
        "24: cloth `flag`: tethers: `slack` is 0.5; it must be at least 1 (the sheet's own length)",
    ),
    (
        24,
        "tethers = { to = \"all\" }",
        "24: cloth `flag`: tethers: `to` cannot be \"all\"; choose from `nearest`, `every`",
    ),
    (
        19,
        "disc = { radius = 1, rings = 4 }\ncoarse_links = true",
        "20: cloth `flag`: `coarse_links` goes with `grid`, whose threads it follows; leave it out and take more substeps, or `tethers`",
    ),
    (26, "edge = \"lefft\"", "26: cloth `flag`: pin 1: `edge` cannot be \"lefft\"; did you mean `left`?"),
    (
        26,
        "edge = \"rim\"",
        "26: cloth `flag`: pin 1: `edge` of a grid is \"top\", \"bottom\", \"left\" or \"right\"",
    ),
    (
        26,
        "corners = [\"top_left\", \"topright\"]",
        "26: cloth `flag`: pin 1: `corners` cannot be \"topright\"; did you mean `top_right`?",
    ),
    (26, "corners = []", "26: cloth `flag`: pin 1: `corners` selects no particle"),
    (
        26,
        "indices = [0, 35]",
        "26: cloth `flag`: pin 1: `indices` names particle 35, but there are 35 (counted from 0)",
    ),
    (
        26,
        "box = { min = [5, 5, 5], max = [6, 6, 6] }",
        "26: cloth `flag`: pin 1: `box` contains no particle; the body starts within [-0.75, -0.5, 0] to [0.75, 0.5, 0]",
    ),
    (
        26,
        "box = { min = [0, 0, 0], max = [1, -1, 1] }",
        "26: cloth `flag`: pin 1: box: `max` is -1 along y, below min 0",
    ),
    (
        26,
        "nearest = [0, 0]",
        "26: cloth `flag`: pin 1: `nearest` must be an array of 3 numbers, not an array of 2",
    ),
    (26, "", "25: cloth `flag`: pin 1: needs one of `corners`, `edge`, `indices`, `box`, `group`, `nearest`"),
    (
        26,
        "edge = \"left\"\n[[cloth.pin]]\ncorners = [\"top_left\"]",
        "27: cloth `flag`: pin 2: holds particle 28, which pin 1 already fixes",
    ),
    (26, "edge = \"left\"\nrelease = -1", "27: cloth `flag`: pin 1: `release` is -1 s; it must be 0 or more"),
    (
        28,
        "  { time = 2 },",
        "29: cloth `flag`: pin 1: keyframe 2: `time` is 2 s, not after 2 s of the keyframe before",
    ),
    (28, "  { tme = 0 },", "28: cloth `flag`: pin 1: keyframe 1: unknown key `tme`; did you mean `time`?"),
    (
        29,
        "  { time = 2, ofset = [1, 0, 0] },",
        "29: cloth `flag`: pin 1: keyframe 2: unknown key `ofset`; did you mean `offset`?",
    ),
    (
        33,
        "chain = { from = [0, 0, 0], to = [1, 0, 0], links = 3, mass = 1 }",
        "34: points `net`: `mass` goes with `points`",
    ),
    (33, "points = []", "33: points `net`: `points` is empty"),
    (
        33,
        "points = [[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]",
        "33: points `net`: `points` must be an array of 3 numbers, not an array of 2",
    ),
    (
        33,
        "points = [\n[0, 0, 0],\n[1, 0, 0],\n[0, inf, 0],\n[0, 0, 1]]",
        "36: points `net`: `points` is inf m",
    ),
    (
        33,
        "points = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "35: points `net`: `links` [0, 1] has no length",
    ),
    (
        33,
        "points = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 1]]",
        "36: points `net`: `triangles` [0, 1, 2] has no area",
    ),
    (
        33,
        "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
        "37: points `net`: `tetrahedra` [0, 1, 2, 3] has no volume",
    ),
    (34, "", "31: points `net`: needs one of `mass`, `masses`"),
    (34, "masses = [1, 2, 3]", "34: points `net`: `masses` has 3 entries for 4 points"),
    (34, "mass = 0", "34: points `net`: `mass` is 0 kg; it must be greater than 0"),
    (
        35,
        "links = [[0, 1], [1, 4]]",
        "35: points `net`: `links` [1, 4] names particle 4, but there are 4 (counted from 0)",
    ),
    (35, "links = [[0, 1], [1, 1]]", "35: points `net`: `links` [1, 1] names a particle twice"),
    (
        39,
        "edge = \"top\"",
        "39: points `net`: pin 1: `edge` needs a grid or a disc; use `indices`, `box` or `nearest`",
    ),
    (
        42,
        "sphere = { radius = 0 }",
        "42: collider `ball`: sphere: `radius` is 0 m; it must be greater than 0",
    ),
    (
        42,
        "plane = { normal = [0, 0, 0] }",
        "42: collider `ball`: plane: `normal` has no length; it must be a direction",
    ),
    (42, "ball = 1", "42: collider `ball`: unknown key `ball`"),
    (
        42,
        "mesh = \"open.obj\"",
        "42: collider `ball`: `mesh` file `tests/corpus/open.obj`: the surface is open at the edge between vertices 1 and 2; a collider must be closed",
    ),
    (
        43,
        "position = \"here\"",
        "43: collider `ball`: `position` must be an array of 3 numbers, not the string \"here\"",
    ),
    (45, "at = -1", "45: expect: `at` is -1 s; it must be 0 or more"),
    (46, "energy = { min = 5, max = 0 }", "46: expect: `energy` contains nothing: min is 5, max is 0"),
    (46, "energie = 1", "46: expect: unknown key `energie`; did you mean `energy`?"),
    (
        48,
        "body = \"flg\"",
        "48: expect: particle 1: `body` is \"flg\", and no body has that name; did you mean `flag`?",
    ),
    (48, "body = \"ball\"", "48: expect: particle 1: `body` is \"ball\", and no body has that name"),
    (49, "index = 35", "49: expect: particle 1: `index` is 35, but `flag` has 35 particles (counted from 0)"),
    (51, "max = [-2, 0, 0]", "51: expect: particle 1: `max` is -2 along x, below min -1"),
];

fn parse(text: &str) -> Result<Scene, sinew::scene::SceneError> {
    Scene::parse(text, "test.toml", "tests/corpus")
}

#[test]
fn the_scene_that_the_cases_break_is_valid() {
    let scene = parse(VALID).unwrap();
    assert_eq!(scene.cloth[0].stretch_stiffness, f64::INFINITY);
    assert_eq!(scene.cloth[0].pin[0].motion[1].offset, DVec3::X);
    assert_eq!((scene.render.ground, scene.ground_height()), (Ground::Hidden, None));
    let geometry = scene.build().unwrap();
    assert_eq!(geometry.particle_count(), 35 + 4);
    assert_eq!(geometry.cloth[0].pins[0].particles, [0, 7, 14, 21, 28]);
}

#[test]
fn every_mistake_is_reported_at_its_own_line_with_a_cure() {
    let mut failures = Vec::new();
    for (line, replacement, message) in CASES {
        let text: Vec<&str> =
            (1..).zip(VALID.lines()).map(|(n, text)| if n == *line { replacement } else { text }).collect();
        match parse(&text.join("\n")) {
            Ok(_) => failures.push(format!("line {line} `{replacement}` was accepted")),
            Err(error) => {
                let found = error.to_string();
                if !found.starts_with(&format!("test.toml:{message}")) {
                    failures.push(format!(
                        "line {line} `{replacement}`\n  wanted test.toml:{message}\n  found  {found}"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), CASES.len(), failures.join("\n"));
}

/// Every case has one mistake; what is found beside it would be a consequence, and puzzle.
#[test]
fn one_mistake_is_reported_once() {
    let mut failures = Vec::new();
    for (line, replacement, _) in CASES {
        let text: Vec<&str> =
            (1..).zip(VALID.lines()).map(|(n, text)| if n == *line { replacement } else { text }).collect();
        let found = problems_of(
            &text.join("\n"),
            Path::new("test.toml"),
            Path::new("tests/corpus"),
            &Kinds::standard(),
        );
        if found.len() != 1 {
            failures.push(format!("line {line} `{replacement}`: {found:#?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn several_mistakes_are_reported_at_once_from_top_to_bottom() {
    let text = "format = 1
substps = 10
time_step = \"1/0\"
[[cloth]]
name = \"sheet\"
grid = { size = [1, 1], cells = [4, 4] }
densty = 0.15
thickness = -0.001
[[collider]]
sphere = { radius = -0.3 }
[camera]
up = [0, 0, 0]
[expect]
max_strech = 3
";
    let found = problems_of(text, Path::new("test.toml"), Path::new(""), &Kinds::standard());
    let lines: Vec<usize> =
        found.iter().map(|error| error.place.as_ref().unwrap().position.unwrap().0).collect();
    assert_eq!(lines, [2, 3, 7, 8, 10, 12, 14], "{found:#?}");
    assert!(
        problems_of(VALID, Path::new("test.toml"), Path::new("tests/corpus"), &Kinds::standard()).is_empty()
    );
}

#[test]
fn an_error_knows_its_column() {
    let error =
        parse("format = 1\n[[cloth]]\ngrid = { size = [1, 1], cells = [2, 2] }\ndensity = -1").unwrap_err();
    let place = error.place.unwrap();
    assert_eq!((place.position, error.kind), (Some((4, 11)), SceneErrorKind::Value));
}

#[test]
fn a_syntax_error_has_a_line() {
    let error = parse("format = 1\ntitle = \"open\n").unwrap_err();
    assert_eq!(error.kind, SceneErrorKind::Syntax);
    assert!(error.to_string().starts_with("test.toml:2: "), "{error}");
}

#[test]
fn a_scene_without_bodies_is_refused() {
    let error = parse("format = 1\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "test.toml:1: the scene has no bodies; add `[[cloth]]`, `[[points]]`, `[[rod]]`, `[[net]]`, `[[solid]]`, `[[rigid]]` or `[[composite]]`"
    );
}

#[test]
fn a_scene_made_in_code_is_validated_and_named_without_a_file() {
    let mut scene = Scene {
        cloth: vec![Cloth { shape: ClothShape::Triangles(generate::icosphere(1.0, 1)), ..Cloth::default() }],
        points: vec![Points {
            pin: vec![Pin { selector: Selector::Nearest(DVec3::ZERO), ..Pin::default() }],
            ..Points::default()
        }],
        ..Scene::default()
    };
    let geometry = scene.build().unwrap();
    assert_eq!((geometry.cloth[0].name.as_str(), geometry.points[0].name.as_str()), ("cloth 1", "points 1"));
    assert!((geometry.points[0].masses.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    scene.points[0].pin[0].compliance = -1.0;
    let error = scene.validate().unwrap_err();
    assert_eq!(error.to_string(), "points 1: pin 1: `compliance` is -1 m/N; it must be 0 or more");
}

#[test]
fn counts_beyond_the_limits_are_refused() {
    let body = "[[points]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], links = 1, mass = 1 }\n";
    let error = parse(&format!("format = 1\n{}", body.repeat(513))).unwrap_err();
    assert_eq!(error.to_string(), "test.toml:2: `points` has 513 entries; the limit is 512");
    let half = "[[cloth]]\ngrid = { size = [1, 1], cells = [2500, 2000] }\n";
    let error = parse(&format!("format = 1\n{}", half.repeat(2))).unwrap_err();
    assert_eq!(error.kind, SceneErrorKind::Limit);
    assert!(
        error.to_string().starts_with("test.toml:5: cloth `cloth 2`: `grid` makes 10009002 particles"),
        "{error}"
    );
    let error = parse(&format!("format = 1\n# {}", "x".repeat(1 << 20))).unwrap_err();
    assert_eq!(error.kind, SceneErrorKind::Limit);
}

/// Each of these once took gigabytes before it was refused, or was killed for them.
#[test]
fn what_would_take_too_much_memory_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let star: String = (0..20_000).map(|k| format!("node n{k} 1 {k} 0\nedge c n{k}\n")).collect();
    std::fs::write(folder.path().join("star.graph"), format!("node c 0 0 0\n{star}")).unwrap();
    let line = "node a 0 0 0\nnode b 1 0 0\nedge a b segments 8000000\n";
    std::fs::write(folder.path().join("line.graph"), line).unwrap();
    std::fs::copy("scenes/meshes/handle.obj", folder.path().join("body.obj")).unwrap();
    let net = |graph: &str| {
        format!(
            "[[net]]\nname = \"net\"\njunctions = \"pairs\"\nradius = 0.001\nyoungs_modulus = 1e6\ndensity = 1000\ngraph = {{ file = \"{graph}\" }}\n"
        )
    };
    let colliders = "[[collider]]\nmesh = { file = \"body.obj\", resolution = 256 }\n".repeat(256);
    for (text, wanted) in [
        (net("star.graph"), "net `net`: `junctions` joins segments by 199990000 pairs; the limit is 2097152"),
        (net("line.graph"), "net `net`: `graph` makes 8000000 segments; the limit is 1048576"),
        (
            format!("[[points]]\npoints = [[0, 9, 0]]\nmass = 1\n{colliders}"),
            "brings the distance fields of the colliders to",
        ),
    ] {
        let error = Scene::parse(&format!("format = 1\n{text}"), "big.toml", folder.path()).unwrap_err();
        assert_eq!(error.kind, SceneErrorKind::Limit);
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn files_that_are_no_scenes_are_refused_with_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.toml");
    let error = Scene::load(&missing).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}: cannot be read", missing.display())), "{error}");
    assert!(Scene::load(folder.path()).unwrap_err().to_string().ends_with("not a file"));
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"format = 1\n\xff\xfe").unwrap();
    let error = Scene::load(&binary).unwrap_err();
    assert_eq!(error.to_string(), format!("{}:2: the file is not UTF-8 text", binary.display()));
    let large = folder.path().join("large.toml");
    std::fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    assert!(Scene::load(&large).unwrap_err().to_string().contains("the limit is 1048576"));
    let mesh = folder.path().join("large.obj");
    std::fs::File::create(&mesh).unwrap().set_len(1 << 40).unwrap();
    assert!(sinew::scene::mesh_file::read(&mesh).unwrap_err().to_string().contains("the limit is 67108864"));
}
