//! Coarse links of position-based sheets: a fine sheet keeps its length in five substeps, a slack one is left alone.

use crate::sheet::{PLACES, Place, deform, parity, pin};
use glam::DVec3;
use sinew::compute::Run;
use sinew::model::Model;
use sinew::scene::{Bending, Cloth, ClothShape, Scene, TetheredTo, Tethers};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// A sheet of 1 m whose threads do not stretch.
fn sheet(cells: [u32; 2], substeps: u32) -> Scene {
    Scene {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: 1.0 / 60.0,
        substeps,
        iterations: 1,
        cloth: vec![Cloth {
            shape: ClothShape::Grid { size: [1.0, 1.0], cells },
            stretch_stiffness: f64::INFINITY,
            shear_stiffness: 1e7,
            bending: Bending::Distance,
            bending_stiffness: 1e5,
            density: 0.2,
            coarse_links: true,
            ..Cloth::default()
        }],
        ..Scene::default()
    }
}

/// The sheet held by two corners.
fn hung(cells: u32, substeps: u32) -> Scene {
    let mut scene = sheet([cells; 2], substeps);
    scene.cloth[0].pin = vec![pin(vec![0, cells])];
    scene.cloth[0].tethers = Some(Tethers { to: TetheredTo::Every, ..Tethers::default() });
    scene
}

/// The mean of |length/rest − 1| of all threads: after a second, and the largest after any frame.
fn strains(scene: &Scene, cells: usize) -> [f64; 2] {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
    let rest = simulation.positions().unwrap();
    let row = cells + 1;
    let along = (0..row * row).filter(|i| i % row < cells).map(|i| [i, i + 1]);
    let across = (0..row * cells).map(|i| [i, i + row]);
    let threads: Vec<[usize; 2]> = along.chain(across).collect();
    let (mut last, mut worst) = (0.0, 0.0f64);
    for _ in 0..60 {
        simulation.step().unwrap();
        let x = simulation.positions().unwrap();
        let strain =
            threads.iter().map(|&[i, j]| (x[i].distance(x[j]) / rest[i].distance(rest[j]) - 1.0).abs());
        last = strain.sum::<f64>() / threads.len() as f64;
        worst = worst.max(last);
    }
    [last, worst]
}

/// Without them 64² particles are 6 % too long at five substeps, and 19 % in the worst frame.
#[test]
fn a_fine_sheet_keeps_its_length_in_five_substeps() {
    for cells in [63, 64, 127] {
        let [last, worst] = strains(&hung(cells, 5), cells as usize);
        println!("{}²: {:.3} %, worst frame {:.3} %", cells + 1, 1e2 * last, 1e2 * worst);
        assert!(last < 7e-3 && worst < 1.5e-2, "{cells} cells: {last}, {worst}");
    }
}

/// Whether coarse links change a bit of the offsets that the first substep has predicted.
fn are_moved(place: Place, model: &Model) -> bool {
    let solver = Solver::new(model).unwrap();
    let mut executor = place.executor(&solver);
    let list = &solver.passes.list;
    let first = list.iter().position(|pass| pass.kernel.name == "coarse_carry").unwrap();
    let last = list.iter().position(|pass| pass.kernel.name == "coarse_move").unwrap();
    let offsets = solver.buffers.find("offsets").unwrap();
    let [before, after] = [0..first, first..last + 1].map(|passes| {
        executor.execute(&[Run { passes, times: 1 }]).unwrap();
        executor.read(offsets).unwrap().reals().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    });
    before != after
}

#[test]
fn a_sheet_that_is_nowhere_too_long_moves_by_no_bit() {
    let flat = |x: DVec3| x;
    // Pleats along one direction, and a sheet pushed together: no way along the threads is longer than at rest.
    let pleated = |x: DVec3| DVec3::new(0.6 * x.x, x.y, 0.79 * (40.0 * x.x).cos().acos() / 40.0);
    let pushed = |x: DVec3| DVec3::new(0.8 * x.x, 0.9 * x.y, 0.01 * (31.0 * x.x + 17.0 * x.y).sin());
    let longer = |x: DVec3| DVec3::new(1.01 * x.x, x.y, x.z);
    type Change = fn(DVec3) -> DVec3;
    let changes: [(&str, Change, bool); 4] = [
        ("flat", flat, false),
        ("pleated", pleated, false),
        ("pushed", pushed, false),
        ("long", longer, true),
    ];
    let mut scene = sheet([21, 34], 1);
    // All of it falls, and turns a little: rounding must not look like a pull.
    scene.cloth[0].velocity = DVec3::new(0.3, -0.2, 0.5);
    scene.cloth[0].rotation = DVec3::new(10.0, 20.0, 30.0);
    scene.cloth[0].position = DVec3::new(3.0, 2.0, -1.0);
    for place in PLACES {
        for (name, change, moved) in changes {
            let mut model = Model::new(&scene).unwrap();
            let turn = glam::DQuat::from_euler(glam::EulerRot::ZYX, 0.5, 0.3, 0.2);
            let rest = sheet([21, 34], 1);
            let flat = Model::new(&rest).unwrap().particles.positions;
            for (x, flat) in model.particles.positions.iter_mut().zip(flat) {
                *x = DVec3::new(3.0, 2.0, -1.0) + turn * change(flat);
            }
            assert_eq!(are_moved(place, &model), moved, "{place:?}: a {name} sheet");
        }
    }
}

#[test]
fn a_free_sheet_keeps_its_momentum() {
    let mut scene = sheet([21, 34], 5);
    scene.gravity = DVec3::ZERO;
    for place in PLACES {
        let mut model = Model::new(&scene).unwrap();
        let velocity = |x: DVec3| DVec3::new(3.0 * (7.0 * x.y).sin(), 2.0 * x.x, 4.0 * x.x - 2.0 + 9.0 * x.y);
        model.particles.velocities = model.particles.positions.iter().map(|x| velocity(*x)).collect();
        let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
        let before = simulation.measure().unwrap().momentum;
        simulation.advance(12).unwrap();
        let after = simulation.measure().unwrap();
        let off = (after.momentum - before).length() / (0.2 * after.max_speed);
        println!("{place:?}: {off:.1e} of the momentum of the whole sheet at its largest speed");
        assert!(off < place.within(1e-12, 1e-6), "{place:?}: {off}");
    }
}

#[test]
fn two_sheets_do_not_know_of_each_other() {
    let alone = hung(20, 2);
    let mut both = alone.clone();
    let mut far = hung(9, 2).cloth.remove(0);
    far.name = "far".into();
    far.position = DVec3::new(50.0, 0.0, 0.0);
    both.cloth.insert(0, far);
    let state = |scene: &Scene| {
        let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
        simulation.advance(6).unwrap();
        simulation.positions().unwrap()
    };
    assert!(state(&both)[100..] == state(&alone));
}

#[test]
fn both_backends_agree_after_every_pass() {
    let mut scene = hung(17, 2);
    scene.cloth[0].pin.push(pin(vec![100]));
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, |x| DVec3::new(1.03 * x.x, 1.02 * x.y, 0.01 * (9.0 * x.x).sin()));
    let largest = parity(&model, 2, 1e-5);
    println!("largest relative difference {largest:.1e}");
}
