//! What bonds resist while nothing breaks.

use crate::{assert_close, backends, scene, simulate};
use glam::{DMat3, DQuat, DVec3};
use sinew::bonds::elastic_energy;
use sinew::model::Model;
use sinew::model::frames::FrameState;
use sinew::{Options, Precision, Simulation};

/// A spruce cantilever: 1 m from the centre of the cells that are held, 50 × 50 mm; it bends in the LT plane.
fn cantilever(substeps: u32, across: f64, at: DVec3) -> String {
    format!(
        "format = 1\nsubsteps = {substeps}\n[[composite]]\nname = \"plank\"\nwood = \"spruce\"\nbreaks = \"no\"\n\
         box = {{ size = [1.0126582, 0.05, 0.05] }}\ncell = [0.0254, {across}, {across}]\nradial = [0, 0, 1]\n\
         position = [{}, {}, {}]\n[[composite.pin]]\nbox = {{ min = [{}, -100, -100], max = [{}, 100, 100] }}\n",
        at.x,
        at.y,
        at.z,
        at.x - 0.51,
        at.x - 0.49
    )
}

/// How far the end face has sunk [m].
fn sag(simulation: &mut Simulation, start: f64) -> f64 {
    let positions = simulation.body("plank").unwrap().positions().unwrap();
    let each = positions.len() / 40;
    let mean = |layer: usize| {
        positions[layer * each..(layer + 1) * each].iter().map(|x| x.y - start).sum::<f64>() / each as f64
    };
    -(1.5 * mean(39) - 0.5 * mean(38))
}

/// w L⁴/8EI + 6/5 w L²/2GA [m].
const SAG: f64 = 2.393e-4;

#[test]
fn a_spruce_cantilever_sags_as_timoshenko_says() {
    for (name, options) in backends() {
        let tolerance = if name == "cpu f64" { 0.01 } else { 0.02 };
        for (substeps, across, steps) in [(1, 0.0125, 8), (4, 0.0125, 10), (20, 0.025, 18)] {
            if substeps == 20 && name == "gpu" {
                // As many passes as a minute of a software device: an ignored test has it.
                continue;
            }
            let mut simulation = simulate(&cantilever(substeps, across, DVec3::ZERO), &options);
            simulation.advance(steps).unwrap();
            let found = sag(&mut simulation, 0.0);
            println!("{name}, {substeps} substeps: {:.5} mm, {}", 1e3 * found, found / SAG);
            assert_close(&format!("{name}, {substeps} substeps: sag"), found, SAG, tolerance);
        }
    }
}

#[test]
#[ignore = "takes a software device minutes"]
fn a_cantilever_sags_as_much_on_a_device_at_many_substeps() {
    let options = Options { backend: sinew::Backend::Gpu, ..Options::default() };
    let mut simulation = simulate(&cantilever(20, 0.0125, DVec3::ZERO), &options);
    simulation.advance(18).unwrap();
    assert_close("sag", sag(&mut simulation, 0.0), SAG, 0.02);
}

#[test]
fn a_cantilever_rests_where_it_has_come_to_rest() {
    for (at, most) in [(DVec3::ZERO, 3e-6), (DVec3::new(10.0, 10.0, 10.0), 3e-5)] {
        let mut simulation = simulate(&cantilever(1, 0.025, at), &Options::cpu(Precision::F32));
        simulation.advance(10).unwrap();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..20 {
            simulation.advance(1).unwrap();
            let now = sag(&mut simulation, at.y);
            (low, high) = (low.min(now), high.max(now));
        }
        println!("at {at}: sags {:.5} to {:.5} mm", 1e3 * low, 1e3 * high);
        assert!(high - low < most, "at {at}: the end moves by {:e} m", high - low);
    }
}

#[test]
fn what_holds_a_cantilever_carries_its_weight() {
    let mut simulation = simulate(&cantilever(1, 0.025, DVec3::ZERO), &Options::cpu(Precision::F64));
    simulation.advance(8).unwrap();
    let held = simulation.reactions().unwrap();
    let weight = 400.0 * 1.0126582 * 0.05 * 0.05 * 9.81;
    assert_eq!(held[0].name, "plank.pin1");
    assert_close("reaction", held[0].force.y, weight, 1e-3);
}

/// A block of 6 × 5 × 4 cells of edges 3, 2 and 1 cm.
const BLOCK: &str = "format = 1\ngravity = [0, 0, 0]\n[[composite]]\nname = \"block\"\nbox = { size = [0.18, 0.1, 0.04] }\n\
                     cell = [0.03, 0.02, 0.01]\nradial = [0, 1, 0]\nbreaks = \"no\"\n";
const COUNTS: [f64; 3] = [6.0, 5.0, 4.0];

/// Energy of the block when its centres go by a map and its cells turn [J].
fn energy(model: &Model, map: DMat3, turn: DQuat) -> f64 {
    let body = &model.composites[0];
    let positions: Vec<DVec3> = model.particles.positions.iter().map(|x| map * *x).collect();
    let frames = FrameState {
        orientations: vec![turn * body.axes; positions.len()],
        spins: vec![DVec3::ZERO; positions.len()],
    };
    elastic_energy(model, &positions, &frames, &[])
}

#[test]
fn a_block_has_the_six_moduli_of_its_wood() {
    let model = Model::new(&scene(BLOCK)).unwrap();
    let volume = 0.18 * 0.1 * 0.04;
    // The bonds of an axis stand for all layers of cells along it but one.
    let part = |axis: usize| volume * (COUNTS[axis] - 1.0) / COUNTS[axis];
    let strain = 1e-5;
    for (axis, young) in [10e9, 0.78e9, 0.43e9].into_iter().enumerate() {
        let mut map = DMat3::IDENTITY;
        map.col_mut(axis)[axis] += strain;
        let found = 2.0 * energy(&model, map, DQuat::IDENTITY) / (strain * strain * part(axis));
        assert_close("E", found, young, 1e-6);
    }
    for ([a, b], shear) in [([0, 1], 0.64e9), ([0, 2], 0.61e9), ([1, 2], 0.03e9)] {
        let mut map = DMat3::IDENTITY;
        map.col_mut(b)[a] += strain;
        // Cells turn by half of the shear: ½ G γ² comes in equal parts from the faces of either axis.
        let axis = DVec3::AXES[a].cross(DVec3::AXES[b]);
        let turn = DQuat::from_axis_angle(axis, -0.5 * strain);
        let found = energy(&model, map, turn) / (0.25 * strain * strain * (part(a) + part(b)));
        assert_close("G", found, shear, 1e-4);
    }
}

#[test]
fn turning_a_block_costs_nothing_and_changes_nothing() {
    let model = Model::new(&scene(BLOCK)).unwrap();
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -1.9, 2.4);
    let stretch = DMat3::from_diagonal(DVec3::new(1.001, 1.0, 0.999));
    let bent = energy(&model, stretch, DQuat::IDENTITY);
    let rotation = DMat3::from_quat(turn);
    assert!(energy(&model, rotation, turn) < 1e-20 * bent.max(1.0) + 1e-12 * bent);
    assert_close("energy", energy(&model, rotation * stretch, turn), bent, 1e-9);
}

#[test]
fn a_free_block_keeps_its_momentum() {
    let text = format!("{BLOCK}velocity = [0.3, -0.2, 0.5]\nspin = [2, 1, 3]\nrotation = [10, 20, 30]\n");
    // As well as the system is solved.
    let exact = text.replace(
        "format = 1\n",
        "format = 1\nconjugate_gradients = { tolerance = 1e-15, iterations = 200 }\n",
    );
    for (name, options) in backends() {
        let text = if name == "cpu f64" { &exact } else { &text };
        let mut simulation = simulate(text, &options);
        let start = simulation.measure().unwrap();
        simulation.advance(20).unwrap();
        let end = simulation.measure().unwrap();
        let lost = (end.momentum - start.momentum).length() / start.momentum.length();
        let turned = (end.spin - start.spin).length() / start.spin.length();
        println!("{name}: momentum {lost:.1e}, angular momentum {turned:.1e}");
        // In f32 every cell rounds the sum of its bonds' forces, which are a million times what moves it.
        let tolerance = if name == "cpu f64" { 1e-12 } else { 5e-3 };
        assert!(lost < tolerance, "{name}: {lost:e} of the momentum lost");
        assert!(turned < 0.1, "{name}: {turned:e} of the angular momentum lost");
    }
}

#[test]
fn cells_follow_a_pin_that_moves_and_turns() {
    let pin = "[[composite.pin]]\nbox = { min = [-0.1, -1, -1], max = [-0.06, 1, 1] }\npivot = [0, 0, 0]\n\
               motion = [{ time = 0 }, { time = 0.2, offset = [0, 0.1, 0], rotation = [0, 0, 40] }]\n";
    let mut simulation = simulate(&format!("{BLOCK}{pin}"), &Options::cpu(Precision::F64));
    let before = simulation.body("block").unwrap().positions().unwrap();
    simulation.advance(40).unwrap();
    let after = simulation.body("block").unwrap().positions().unwrap();
    let turn = DQuat::from_rotation_z(40f64.to_radians());
    for (x, y) in before.iter().zip(&after) {
        let wanted = turn * *x + DVec3::new(0.0, 0.1, 0.0);
        assert!(y.distance(wanted) < 1e-5, "{x} went to {y} and not to {wanted}");
    }
}
