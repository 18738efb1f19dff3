//! Whole scenes with contact between bodies, checked by the verifier after every step.

use sinew::contact::touch::STIFFNESS;
use sinew::contact::verify::{Report, Shapes, Watcher};
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

fn scene(text: &str) -> Scene {
    Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn rope(name: &str, [from, to]: [&str; 2], more: &str) -> String {
    format!(
        "[[rod]]\nname = \"{name}\"\nfrom = {from}\nto = {to}\nsegments = 20\nmaterial = \"rope\"\nradius = 0.01\n\
         friction = 0.5\n{more}\n"
    )
}

/// A rope falls across another that is held at both ends.
fn crossed_ropes(contact: &str) -> Scene {
    let held = rope("held", ["[0, 1, -0.3]", "[0, 1, 0.3]"], "start = \"pinned\"\nend = \"pinned\"");
    let falling = rope("falling", ["[-0.3, 1.05, 0.01]", "[0.3, 1.05, -0.01]"], "");
    scene(&format!("format = 1\nsubsteps = 30\niterations = 2\ndamping = 0.3\n{contact}\n{held}\n{falling}"))
}

/// A sheet that hangs by one edge above the floor and folds on itself there.
fn folding_sheet() -> Scene {
    scene(
        "format = 1\nsubsteps = 12\ndamping = 0.5\n[contact]\n[[cloth]]\nname = \"cloth\"\n\
         grid = { size = [0.3, 0.5], cells = [9, 15] }\nposition = [0, 0.28, 0]\nrotation = [4, 0, 0]\ndensity = 0.15\n\
         stretch_stiffness = 800\nshear_stiffness = 40\nbending = \"dihedral\"\nbending_stiffness = 1e-5\n\
         thickness = 0.006\nfriction = 0.3\n[[collider]]\nname = \"floor\"\n\
         plane = { normal = [0, 1, 0], offset = 0 }\nfriction = 0.3\n",
    )
}

fn watched(scene: &Scene, precision: Precision, steps: u32) -> (Report, Simulation) {
    let mut simulation =
        Simulation::new(scene, &Options::cpu(precision)).unwrap_or_else(|error| panic!("{error}"));
    let mut watcher = Watcher::new(Shapes::of(simulation.model()));
    for _ in 0..steps {
        watcher.look(&simulation.model_positions().unwrap());
        simulation.step().unwrap();
    }
    println!("{}", watcher.report.summary());
    (watcher.report, simulation)
}

#[test]
fn a_rope_that_falls_on_a_rope_stays_on_it() {
    for precision in [Precision::F32, Precision::F64] {
        let (report, mut simulation) = watched(&crossed_ropes("[contact]"), precision, 40);
        assert_eq!(report.problems(), Vec::<String>::new());
        assert!(report.max_depth > 0.0 && report.max_depth < 0.5, "{}", report.max_depth);
        let middle = simulation.positions().unwrap()[21 + 10];
        assert!(middle.y > 0.9, "the middle of the falling rope is at {middle}");
    }
    let (report, _) = watched(&crossed_ropes(""), Precision::F32, 40);
    assert!(report.crossings > 0, "without contact it falls through");
}

/// Sheets that lie on each other, each turned against the one below, on a floor.
fn stack(layers: u32) -> Scene {
    let sheet = |k: u32| {
        format!(
            "[[cloth]]\nname = \"{k}\"\ngrid = {{ size = [0.06, 0.06], cells = [3, 3] }}\nposition = [0, {}, 0]\n\
             rotation = [90, {}, 0]\ndensity = 0.15\nthickness = 0.001\nfriction = 0.5\nbending = \"dihedral\"\n\
             bending_stiffness = 1e-5\n",
            0.0005 + 0.001 * f64::from(k),
            13 * k
        )
    };
    let floor = "[[collider]]\nplane = { normal = [0, 1, 0], offset = 0 }\nfriction = 0.5\n";
    let sheets: String = (0..layers).map(sheet).collect();
    scene(&format!("format = 1\nsubsteps = 10\ndamping = 1\n[contact]\n{floor}{sheets}"))
}

/// A stack sinks as its springs say, 4 N g dt²/κ under N layers, and comes to rest: no iteration is needed to carry what is at rest.
#[test]
fn layers_rest_on_each_other_as_their_springs_carry_them() {
    const LAYERS: u32 = 6;
    let (report, mut simulation) = watched(&stack(LAYERS), Precision::F32, 40);
    assert_eq!(report.problems(), Vec::<String>::new());
    let x = simulation.positions().unwrap();
    let height = |k: usize| x[16 * k..16 * (k + 1)].iter().map(|x| x.y).sum::<f64>() / 16.0;
    let unit = 4.0 * 9.81 / 600.0f64.powi(2) / (STIFFNESS * 6.0);
    for k in 1..LAYERS as usize {
        let (gap, above) = (height(k) - height(k - 1), (LAYERS as usize - k) as f64);
        println!("gap {k}: {gap:.6} m, its spring says {:.6}", 0.001 - above * unit);
        assert!((gap - 0.001 + above * unit).abs() < 2e-5, "gap {k} is {gap}");
    }
    let speed = simulation.measure().unwrap().max_speed;
    assert!(speed < 5e-3, "still moves at {speed} m/s");
    assert!(report.max_depth < 0.1, "{}", report.max_depth);
}

/// A sheet on one that is held, both as soft as the scene says, comes nearer to it by the pressure under it.
#[test]
fn soft_surfaces_give_way_by_the_pressure_on_them() {
    let text = |compression: f64| {
        let sheet = |[size, height, turn]: [f64; 3], cells: u32, more: &str| {
            format!(
                "[[cloth]]\ngrid = {{ size = [{size}, {size}], cells = [{cells}, {cells}] }}\nposition = [0, {height}, 0]\n\
                 rotation = [90, {turn}, 0]\ndensity = 0.15\nthickness = 0.001\nbending = \"dihedral\"\nbending_stiffness = 1e-4\n{more}"
            )
        };
        let held = "pin = [{ box = { min = [-1, -1, -1], max = [1, 1, 1] } }]\n";
        let both = sheet([0.12, 0.0, 0.0], 14, held) + &sheet([0.06, 0.001, 13.0], 7, "");
        format!("format = 1\nsubsteps = 10\ndamping = 5\n[contact]\ncompression = {compression}\n{both}")
    };
    for compression in [15.0, 40.0] {
        let (report, mut simulation) = watched(&scene(&text(compression)), Precision::F32, 40);
        assert_eq!(report.problems(), Vec::<String>::new());
        let x = simulation.positions().unwrap();
        let gap = x[225..].iter().map(|x| x.y).sum::<f64>() / 64.0;
        let expected = 0.001 * (1.0 - 0.15 * 9.81 / compression);
        println!("gap {gap:.6} m of {expected:.6}");
        assert!((gap / expected - 1.0).abs() < 0.02, "the gap is {gap}, not {expected}");
    }
}

#[test]
fn a_sheet_that_folds_never_goes_through_itself() {
    let (report, mut simulation) = watched(&folding_sheet(), Precision::F32, 70);
    assert_eq!(report.problems(), Vec::<String>::new());
    assert!(report.max_depth > 0.0 && report.max_depth < 0.51, "{}", report.max_depth);
    let highest = simulation.measure().unwrap().highest;
    assert!(highest < 0.4, "it has not folded: its highest point is {highest}");
}

#[test]
fn bodies_that_start_in_each_other_are_refused_with_the_place() {
    let text = "format = 1\n[contact]\n[[cloth]]\nname = \"a\"\ngrid = { size = [1, 1], cells = [3, 3] }\n[[cloth]]\nname = \"b\"\n\
                grid = { size = [1, 1], cells = [3, 3] }\nrotation = [90, 0, 0]\n";
    let said = Simulation::new(&scene(text), &Options::cpu(Precision::F32)).err().unwrap().to_string();
    assert!(
        said.contains("at the start") && said.contains("of `a`") && said.contains("touch = false"),
        "{said}"
    );
    let apart = format!("{text}[[contact.pair]]\nfirst = \"a\"\nsecond = \"b\"\ntouch = false\n");
    assert!(Simulation::new(&scene(&apart), &Options::cpu(Precision::F32)).is_ok());
    let unknown = Scene::parse(&apart.replace("second = \"b\"", "second = \"c\""), "x.toml", ".")
        .unwrap_err()
        .to_string();
    assert!(unknown.contains("is `c`, which is no body"), "{unknown}");
}
