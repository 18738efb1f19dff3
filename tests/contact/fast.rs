//! Fast bodies against a sheet, in metres and in millimetres: nothing goes through anything.

use sinew::contact::verify::{Shapes, Watcher};
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

/// How fast bodies fly at the sheet [m/s], in metres.
const SPEED: f64 = 50.0;

/// A sheet that is held at its corners, and bodies that fly at it; all lengths and speeds times `scale`.
fn thrown(scale: f64, bodies: &str) -> String {
    let (size, half, thickness) = (0.3 * scale, 0.15 * scale, 0.004 * scale);
    let corner = |x: f64, z: f64| format!("{{ nearest = [{}, 0, {}] }}", x * half, z * half);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)];
    format!(
        "format = 1\nsubsteps = 10\ndamping = 0.5\ngravity = [0, {}, 0]\n[contact]\n[[cloth]]\nname = \"sheet\"\n\
         grid = {{ size = [{size}, {size}], cells = [10, 10] }}\nrotation = [90, 0, 0]\ndensity = 0.2\nthickness = {thickness}\n\
         pin = [{}]\n{bodies}",
        -9.81 * scale,
        corners.join(", ")
    )
}

fn ball(scale: f64) -> String {
    format!(
        "[[rigid]]\nname = \"ball\"\nsphere = {{ radius = {} }}\nposition = [{}, {}, 0]\nvelocity = [0, {}, 0]\ndensity = 20\n",
        0.03 * scale,
        0.01 * scale,
        0.2 * scale,
        -SPEED * scale
    )
}

fn rod(scale: f64) -> String {
    format!(
        "[[rod]]\nname = \"rod\"\nfrom = [{}, {}, {}]\nto = [{}, {}, 0]\nsegments = 6\nradius = {}\ndensity = 200\nyoungs_modulus = 1e6\n\
         velocity = [0, {}, 0]\n",
        -0.06 * scale,
        0.2 * scale,
        0.01 * scale,
        0.06 * scale,
        0.23 * scale,
        0.003 * scale,
        -SPEED * scale
    )
}

fn sheet(scale: f64) -> String {
    format!(
        "[[cloth]]\nname = \"thrown\"\ngrid = {{ size = [{0}, {0}], cells = [4, 4] }}\nposition = [0, {1}, {2}]\nrotation = [50, 20, 0]\n\
         density = 0.2\nthickness = {3}\nvelocity = [0, {4}, 0]\n",
        0.1 * scale,
        0.22 * scale,
        0.01 * scale,
        0.004 * scale,
        -SPEED * scale
    )
}

/// Eight steps, in which what goes through flies on for more than 6 m, times `scale`.
fn nothing_goes_through(scale: f64, text: &str) {
    let scene = Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut simulation =
        Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
    let mut watcher = Watcher::new(Shapes::whole(simulation.model()));
    for _ in 0..8 {
        watcher.look(&simulation.surface_positions().unwrap());
        simulation.step().unwrap_or_else(|error| panic!("{error}"));
    }
    println!("{}", watcher.report.summary());
    assert_eq!(watcher.report.problems(), Vec::<String>::new(), "{text}");
    let lowest = simulation.measure().unwrap().lowest;
    assert!(lowest > -0.5 * scale && lowest.is_finite(), "it has flown on to {lowest}");
}

#[test]
fn fast_bodies_do_not_go_through_a_sheet() {
    for body in [ball(1.0), rod(1.0), sheet(1.0)] {
        nothing_goes_through(1.0, &thrown(1.0, &body));
    }
}

#[test]
fn what_is_a_thousandth_as_large_does_not_go_through_either() {
    let scale = 1e-3;
    for body in [ball(scale), rod(scale), sheet(scale)] {
        nothing_goes_through(scale, &thrown(scale, &body));
    }
}

#[test]
fn either_of_two_bodies_may_come_first() {
    let turned = thrown(1.0, "");
    let (head, own) = turned.split_once("[[cloth]]").unwrap();
    nothing_goes_through(1.0, &format!("{head}{}[[cloth]]{own}", sheet(1.0)));
}
