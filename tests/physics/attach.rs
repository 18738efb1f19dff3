//! Attachments and seams: equal and opposite, as stiff as they say, and gone when they let go.

use crate::common::*;
use glam::DVec3;
use sinew::Simulation;
use sinew::scene::Scene;

fn parse(text: &str) -> Scene {
    Scene::parse(&format!("format = 1\n{text}"), "attach.toml", "").unwrap_or_else(|error| panic!("{error}"))
}

fn run(simulation: &mut Simulation, seconds: f64) {
    while simulation.time() < seconds - 1e-9 {
        simulation.step().unwrap();
    }
}

/// A weight of 1 kg under a pinned particle.
const WEIGHT: &str = r#"
[[points]]
name = "hook"
points = [[0, 1, 0]]
mass = 1
[[points.pin]]
indices = [0]

[[points]]
name = "weight"
points = [[0, 0.5, 0]]
mass = 1

[[attach]]
a = { body = "weight" }
b = { body = "hook" }
compliance = 1e-3
damping = 60
"#;

#[test]
fn a_weight_sags_by_the_compliance_of_its_attachment_at_any_iterations() {
    for backend in backends() {
        for iterations in [1, 5, 40] {
            let scene = Scene { iterations, ..parse(WEIGHT) };
            let mut simulation = backend.simulate(&scene);
            run(&mut simulation, 1.0);
            let sag = 0.5 - simulation.positions().unwrap()[1].y;
            let name = format!("{}, {iterations} iterations", backend.name);
            assert!((sag / (1e-3 * G) - 1.0).abs() < 1e-3, "{name}: sags {sag} m");
        }
    }
}

/// Free bodies of every kind, tied one to the next: particle to triangle, to tetrahedron, to segment, and point to point.
const FLOTSAM: &str = r#"
gravity = [0, 0, 0]
substeps = 4
iterations = 3
integrator = "implicit"
conjugate_gradients = { tolerance = 1e-14 }

[[cloth]]
name = "sheet"
grid = { size = [0.4, 0.4], cells = [4, 4] }
velocity = [1, 0, 0.5]

[[cloth]]
name = "fabric"
model = "green"
grid = { size = [0.4, 0.4], cells = [4, 4] }
position = [0.41, 0, 0]

[[points]]
name = "balls"
points = [[0.03, 0.05, 0.01], [0.3, 0.1, 0]]
mass = 0.2
velocity = [0, 2, 0]

[[rod]]
name = "rope"
from = [0.2, 0.2, 0]
to = [0.2, 1.2, 0.1]
segments = 8

[[net]]
name = "net"
grid = { size = [0.4, 0.4], cells = [2, 2] }
position = [0, 1.5, 0]

[[solid]]
name = "jelly"
box = { size = [0.2, 0.2, 0.2], cells = [2, 2, 2] }
position = [0, 0.3, 0]
youngs_modulus = 1e5
velocity = [0, -1, 0]

[[attach]]
name = "touch"
a = { body = "balls" }
b = { body = "sheet" }

[[attach]]
name = "hem"
a = { body = "sheet", edge = "right" }
b = { body = "fabric", edge = "left" }
by = "order"
compliance = 1e-4
damping = 1

[[attach]]
name = "string"
a = { body = "rope", nearest = [0.2, 0.2, 0] }
b = { body = "sheet" }
length = 0

[[attach]]
name = "knot"
a = { body = "net", at = [0.1, 1.4, 0] }
b = { body = "rope", at = [0.2, 1.1, 0.1] }

[[attach]]
name = "spoon"
a = { body = "balls", indices = [0] }
b = { body = "jelly" }
"#;

#[test]
fn momentum_of_what_is_tied_together_is_kept_to_rounding() {
    for solver in ["coloured", "jacobi"] {
        let scene = parse(&FLOTSAM.replace("substeps = 4", &format!("substeps = 4\nsolver = \"{solver}\"")));
        for backend in backends() {
            let mut simulation = backend.simulate(&scene);
            let before = simulation.measure().unwrap();
            run(&mut simulation, 0.1);
            let after = simulation.measure().unwrap();
            let scale = before.momentum.length();
            let change = (after.momentum - before.momentum).length() / scale;
            let most = if backend.name == "cpu f64" { 1e-12 } else { 1e-5 };
            assert!(change < most, "{}, {solver}: momentum changes by {change:e}", backend.name);
        }
    }
}

/// A weight on a string of its own, held by something.
fn hanging(more: &str) -> Scene {
    let rigid = WEIGHT.replace("compliance = 1e-3\ndamping = 60\n", "");
    parse(&format!("{rigid}{more}"))
}

#[test]
fn an_attachment_carries_the_weight_until_it_is_released_or_torn() {
    let backend = truth();
    let mut simulation = backend.simulate(&hanging("release = 0.5"));
    run(&mut simulation, 0.5);
    let carried = simulation.joins().unwrap();
    assert_eq!((carried[0].name.as_str(), carried[0].ties, carried[0].torn), ("attach 1", 1, 0));
    assert!(
        (carried[0].force - DVec3::Y * -G).length() < 1e-9,
        "pulls at the hook with {}",
        carried[0].force
    );
    run(&mut simulation, 1.0);
    // What falls for half a second, less one substep for the moment of the release.
    let fallen = 0.5 - simulation.positions().unwrap()[1].y;
    assert!((fallen - 0.5 * G * 0.25).abs() < 0.01, "fell {fallen} m");
    assert_eq!(simulation.joins().unwrap()[0].force, DVec3::ZERO);

    for (most, torn) in [(9.9, 0), (9.7, 1)] {
        let mut simulation = backend.simulate(&hanging(&format!("break_force = {most}")));
        run(&mut simulation, 0.5);
        assert_eq!(simulation.joins().unwrap()[0].torn, torn, "at {most} N");
        let fallen = 0.5 - simulation.positions().unwrap()[1].y;
        assert!((fallen > 1.0) == (torn == 1), "fell {fallen} m at {most} N");
    }
}

/// Two weights that spin about each other on a rigid attachment keep their distance. Of their spin they lose ω² dt a second, as on any
/// position-based link: ends that move straight for a substep are put back along the new direction.
#[test]
fn what_spins_on_an_attachment_keeps_its_length_and_loses_spin_as_on_a_link() {
    let text = r#"
gravity = [0, 0, 0]
substeps = 20
[[points]]
name = "left"
points = [[-0.5, 0, 0]]
mass = 1
velocity = [0, -1, 0]
[[points]]
name = "right"
points = [[0.5, 0, 0]]
mass = 2
velocity = [0, 0.5, 0]
[[attach]]
a = { body = "left" }
b = { body = "right" }
"#;
    for backend in backends() {
        let mut simulation = backend.simulate(&parse(text));
        let before = simulation.measure().unwrap();
        run(&mut simulation, 2.0);
        let (x, after) = (simulation.positions().unwrap(), simulation.measure().unwrap());
        assert!((x[0].distance(x[1]) - 1.0).abs() < 1e-4, "{}: {}", backend.name, x[0].distance(x[1]));
        let lost = (after.spin - before.spin).length() / before.spin.length();
        let expected = 1.5 * 1.5 * 2.0 / 1200.0;
        assert!((lost / expected - 1.0).abs() < 0.05, "{}: {lost:e} of the spin", backend.name);
    }
}

/// Two sheets of different cells, a hand apart.
const PANELS: &str = r#"
gravity = [0, 0, 0]
iterations = 4
[[cloth]]
name = "left"
grid = { size = [0.3, 0.3], cells = [6, 6] }
[[cloth]]
name = "right"
grid = { size = [0.3, 0.3], cells = [4, 4] }
position = [0.4, 0, 0]
[[seam]]
name = "side"
a = { body = "left", edge = "right" }
b = { body = "right", edge = "left" }
duration = 0.5
"#;

#[test]
fn a_seam_closes_over_its_time_and_stays_closed() {
    let mut simulation = truth().simulate(&parse(PANELS));
    let gap = |simulation: &mut Simulation| {
        let x = simulation.positions().unwrap();
        // Corners at the bottom and at the top.
        let (bottom, top) = ((x[6], x[49]), (x[48], x[49 + 20]));
        bottom.0.distance(bottom.1).max(top.0.distance(top.1))
    };
    assert!((gap(&mut simulation) - 0.1).abs() < 1e-6);
    run(&mut simulation, 0.25);
    let half = gap(&mut simulation);
    assert!((half - 0.05).abs() < 2e-3, "{half} m half-way");
    run(&mut simulation, 0.8);
    let closed = gap(&mut simulation);
    assert!(closed < 1e-6, "{closed} m apart when closed");
    assert_eq!(simulation.joins().unwrap()[0].ties, 7, "one stitch for each particle of the finer edge");
}

#[test]
fn attachments_of_a_far_body_change_no_bit() {
    let company = r#"
[[cloth]]
name = "far"
grid = { size = [0.4, 0.4], cells = [3, 3] }
position = [50, 0, 0]
[[points]]
name = "far hook"
points = [[50.3, 0, 0], [50, 0.3, 0]]
mass = 0.1
[[attach]]
a = { body = "far", edge = "right" }
b = { body = "far hook" }
"#;
    // Without implicit bodies, whose conjugate gradients share their scalars.
    let alone = FLOTSAM
        .replace("integrator = \"implicit\"\nconjugate_gradients = { tolerance = 1e-14 }\n", "")
        .replace("model = \"green\"\n", "");
    let cut = alone.find("[[solid]]").unwrap()..alone.find("[[attach]]").unwrap();
    let alone = alone.replace(&alone[cut], "");
    let alone = &alone[..alone.rfind("[[attach]]").unwrap()];
    let state = |text: &str| {
        let [f32, ..] = backends();
        let mut simulation = f32.simulate(&parse(text));
        run(&mut simulation, 0.2);
        let names: Vec<String> = simulation.model().bodies.iter().map(|body| body.name.clone()).collect();
        let ranges: Vec<_> = simulation.model().bodies.iter().map(|body| body.particles.clone()).collect();
        let x = simulation.positions().unwrap();
        let own = names.iter().zip(ranges).filter(|(name, _)| !name.starts_with("far"));
        own.flat_map(|(_, range)| x[range.start as usize..range.end as usize].to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(state(alone), state(&format!("{alone}{company}")));
}
