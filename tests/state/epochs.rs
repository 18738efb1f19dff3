//! A body that breaks in two: the model is cut at the end of the step, and everything follows.

use crate::scene::{backends, body_bits, far_sheet};
use crate::tape::{self, CELLS, marking, pull, tape, tearing, tearing_in_room};
use sinew::compute::{AdapterChoice, Data, Gpu};
use sinew::export::{Snapshot, UsdaOptions, UsdaWriter, write_ply, write_vtu};
use sinew::glam::DVec3;
use sinew::model::Model;
use sinew::render::Film;
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

/// Steps in which the tape breaks at both of its weak places, and comes apart.
const STEPS: u32 = 30;
const PARTICLES: usize = 2 * (CELLS as usize + 1);

fn start(scene: &Scene, options: &Options) -> Simulation {
    let mut simulation = Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"));
    pull(&mut simulation);
    simulation
}

/// Goes on until the next cut.
fn until_cut(simulation: &mut Simulation) {
    let epoch = simulation.epoch();
    for _ in 0..STEPS {
        simulation.step().unwrap();
        if simulation.epoch() != epoch {
            return;
        }
    }
    panic!("nothing breaks in {STEPS} steps");
}

/// For each particle the smallest number of those that it hangs together with, by the user's numbers.
fn pieces(model: &Model) -> Vec<u32> {
    let mut piece: Vec<u32> = (0..model.particle_count() as u32).collect();
    let triangles: Vec<_> =
        model.triangles.iter().map(|t| t.map(|i| model.order.old_of_new[i as usize] as usize)).collect();
    for _ in 0..model.particle_count() {
        for corners in &triangles {
            let least = corners.iter().map(|&i| piece[i]).min().unwrap();
            corners.iter().for_each(|&i| piece[i] = least);
        }
    }
    piece
}

/// Momentum of each piece, by its least particle [kg m/s].
fn momenta(simulation: &mut Simulation) -> Vec<(u32, DVec3)> {
    let v = simulation.velocities().unwrap();
    let model = simulation.model();
    let masses = model.order.undo(&model.particles.masses);
    let pieces = pieces(model);
    let mut least = pieces.clone();
    least.sort_unstable();
    least.dedup();
    let momentum = |piece: u32| {
        let own = (0..v.len()).filter(|&i| pieces[i] == piece);
        own.map(|i| v[i] * masses[i]).sum()
    };
    least.into_iter().map(|piece| (piece, momentum(piece))).collect()
}

fn column(simulation: &mut Simulation, name: &str) -> Data {
    let id = simulation.solver().buffers.find(name).unwrap_or_else(|| panic!("{name}"));
    let (tables, executor) = (simulation.solver().buffers.clone(), simulation.executor());
    tables.read_live(executor, id).unwrap()
}

#[test]
fn a_tape_breaks_twice_and_its_pieces_come_apart() {
    for (name, options) in backends() {
        let mut simulation = start(&tape::scene(), &tearing(&options));
        simulation.advance(STEPS).unwrap();
        let model = simulation.model();
        assert_eq!(simulation.epoch(), 2, "{name}");
        assert_eq!(model.journal().len(), 2, "{name}");
        assert_eq!(model.particle_count(), PARTICLES + 2, "{name}: a copy for each cut");
        assert_eq!(model.triangles.len() as u32, 2 * CELLS - 2, "{name}");
        let mut pieces = pieces(model);
        pieces.sort_unstable();
        pieces.dedup();
        assert_eq!(pieces.len(), 3, "{name}");
        let origins: Vec<u32> = model.journal().iter().map(|cut| cut.copies[0].of).collect();
        let x = simulation.positions().unwrap();
        for (copy, of) in (PARTICLES..).zip(origins) {
            assert!(x[copy].distance(x[of as usize]) > 2e-3, "{name}: particle {of} and its copy");
        }
    }
}

#[test]
fn each_piece_keeps_its_momentum_and_the_whole_keeps_its_own() {
    let mut simulation = start(&tape::scene(), &tearing(&Options::cpu(Precision::F64)));
    let total = |momenta: &[(u32, DVec3)]| momenta.iter().map(|(_, p)| *p).sum::<DVec3>();
    let [(_, before)] = momenta(&mut simulation)[..] else { panic!("one piece at first") };
    let mut pieces = 1;
    for _ in 0..2 {
        until_cut(&mut simulation);
        let cut = momenta(&mut simulation);
        pieces += 1;
        assert_eq!(cut.len(), pieces);
        assert!((total(&cut) - before).length() < 1e-12, "{} and {before}", total(&cut));
        simulation.step().unwrap();
        if simulation.epoch() == pieces as u64 - 1 {
            for ((_, then), (_, now)) in cut.iter().zip(momenta(&mut simulation)) {
                assert!((*then - now).length() < 1e-12, "{then} and {now}");
            }
        }
    }
    let measured = simulation.measure().unwrap().momentum;
    assert!((measured - before).length() < 1e-12, "{measured} and {before}");
}

/// Until a cut is felt, the run in which a broken triangle only stops acting is the same, to the bit.
#[test]
fn a_cut_carries_every_row_to_the_bit() {
    for (name, options) in backends() {
        let mut cut = start(&tape::scene(), &tearing(&options));
        let mut marked = start(&tape::scene(), &marking(&options));
        until_cut(&mut cut);
        marked.advance(cut.steps() as u32).unwrap();
        assert_eq!((marked.epoch(), cut.epoch()), (0, 1), "{name}");
        let gone = column(&mut marked, "tape_broken").uints().iter().position(|&mark| mark != 0).unwrap();
        let [after, before] =
            [&mut cut, &mut marked].map(|s| [s.positions().unwrap(), s.velocities().unwrap()]);
        let of = cut.model().journal()[0].copies[0].of as usize;
        for (after, before) in after.iter().zip(&before) {
            assert_eq!(after[..PARTICLES], before[..], "{name}");
            assert_eq!(after[PARTICLES], before[of], "{name}: the copy");
        }
        let without = |mut list: Vec<u32>| {
            list.remove(gone);
            list
        };
        let fatigue = without(column(&mut marked, "tape_fatigue").uints().to_vec());
        assert!(fatigue.iter().any(|&count| count > 0), "{name}");
        assert_eq!(column(&mut cut, "tape_fatigue").uints(), fatigue, "{name}");
        // The list has lost the triangle that is gone, and the others have moved up.
        let strained: Vec<u32> = (column(&mut marked, "strained_triangles").uints().iter())
            .filter(|&&t| t as usize != gone)
            .map(|&t| if t as usize > gone { t - 1 } else { t })
            .collect();
        assert!(strained.len() > 4, "{name}");
        assert_eq!(column(&mut cut, "strained_triangles").uints(), strained, "{name}");

        // A substep later only those next to the tear are another matter, and so on.
        cut.step().unwrap();
        marked.step().unwrap();
        assert_eq!(cut.epoch(), 1, "{name}: the second break comes later");
        let (tear, substeps) = (of as u32 / 2, cut.model().settings.substeps);
        let [after, before] = [&mut cut, &mut marked].map(|s| s.velocities().unwrap());
        let far = |i: &usize| (*i as u32 / 2).abs_diff(tear) > substeps;
        assert!((0..PARTICLES).filter(far).count() >= 2);
        for i in (0..PARTICLES).filter(far) {
            assert_eq!(after[i], before[i], "{name}: particle {i}");
        }
        assert_ne!(after[of], before[of], "{name}: the tear is felt");
    }
}

#[test]
fn a_run_that_breaks_does_not_depend_on_capacity_or_on_how_many_steps_are_asked_for() {
    for (name, options) in backends() {
        let mut small = start(&tape::scene(), &tearing(&options));
        let mut roomy = start(&tape::scene(), &tearing_in_room(&options));
        let strained = small.solver().buffers.find_table("strained").unwrap();
        let room = |simulation: &Simulation| simulation.solver().buffers.capacity(strained);
        assert_eq!([room(&small), room(&roomy)], [1, 2 * CELLS], "{name}");
        small.advance(STEPS).unwrap();
        (0..STEPS).for_each(|_| roomy.step().unwrap());
        assert!(room(&small) > 1, "{name}: the list has grown");
        assert_eq!(small.state().unwrap(), roomy.state().unwrap(), "{name}");
    }
}

#[test]
fn far_bodies_change_nothing_in_a_run_that_breaks() {
    let near = tape::scene();
    let mut both = near.clone();
    both.cloth.push(far_sheet());
    both.points.push(tape("tape that stays whole", DVec3::Z * 50.0));
    for (name, options) in backends() {
        let [near, both] = [&near, &both].map(|scene| {
            let mut simulation = start(scene, &tearing(&options));
            simulation.advance(STEPS).unwrap();
            assert_eq!(simulation.epoch(), 2, "{name}");
            body_bits(&mut simulation, "tape")
        });
        assert!(near == both, "{name}");
    }
}

#[test]
fn saved_and_resumed_at_every_step_a_run_that_grows_and_cuts_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.checkpoint");
    for (name, options) in backends() {
        let options = tearing(&options);
        let mut whole = start(&tape::scene(), &options);
        let mut states = vec![whole.state().unwrap().clone()];
        for _ in 0..STEPS {
            whole.step().unwrap();
            states.push(whole.state().unwrap().clone());
        }
        assert_eq!(states[STEPS as usize].journal().len(), 2, "{name}: it is cut");
        for (step, state) in states.iter().enumerate() {
            state.save(&path).unwrap();
            let mut resumed = Simulation::new(&tape::scene(), &options).unwrap();
            resumed.resume(&path).unwrap();
            assert!(resumed.state().unwrap() == state, "{name}, resumed at {step}");
            if let Some(next) = states.get(step + 1) {
                resumed.step().unwrap();
                assert!(resumed.state().unwrap() == next, "{name}, a step after {step}");
            }
        }
        // Back to the beginning, before anything was cut.
        let epoch = whole.epoch();
        whole.restore(&states[0]).unwrap();
        assert_eq!((whole.model().particle_count(), whole.epoch()), (PARTICLES, epoch + 1), "{name}");
        whole.advance(STEPS).unwrap();
        assert!(whole.state().unwrap() == &states[STEPS as usize], "{name}, again");
    }
}

#[test]
fn a_checkpoint_of_a_body_that_was_cut_is_refused_by_another_scene() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.checkpoint");
    let options = tearing(&Options::cpu(Precision::F32));
    let mut torn = start(&tape::scene(), &options);
    until_cut(&mut torn);
    torn.save(&path).unwrap();
    let mut other = tape::scene();
    other.cloth.push(far_sheet());
    let mut simulation = Simulation::new(&other, &options).unwrap();
    let error = simulation.resume(&path).unwrap_err().to_string();
    assert!(error.contains("of another scene"), "{error}");
    assert_eq!(simulation.epoch(), 0, "nothing has changed");
    // Without the family nothing would hold the pieces together.
    let mut plain = Simulation::new(&tape::scene(), &Options::cpu(Precision::F32)).unwrap();
    let error = plain.resume(&path).unwrap_err().to_string();
    assert!(error.contains("of another scene"), "{error}");
    plain.step().unwrap();
}

/// Changing a scene is another epoch of it, and keeps what was cut.
#[test]
fn a_scene_changed_after_a_cut_and_changed_back_equals_one_that_was_never_touched() {
    for (name, options) in backends() {
        let options = tearing(&options);
        let mut untouched = start(&tape::scene(), &options);
        until_cut(&mut untouched);
        let changed = |simulation: &mut Simulation, mass: f64| {
            let mut scene = tape::scene();
            if let sinew::scene::PointsShape::List { masses, .. } = &mut scene.points[0].shape {
                *masses = sinew::scene::Masses::Each(mass);
            }
            let mut next = Simulation::new(&scene, &options).unwrap();
            assert!(next.take_over(simulation).unwrap());
            next
        };
        let mut heavy = changed(&mut untouched, 0.02);
        assert_eq!((heavy.epoch(), heavy.model().particle_count()), (2, PARTICLES + 1), "{name}");
        let mass: f64 = heavy.model().particles.masses.iter().sum();
        assert!((mass - 0.02 * PARTICLES as f64).abs() < 1e-12, "{name}: {mass}");
        let mut touched = changed(&mut heavy, 0.01);
        assert_eq!(touched.epoch(), 3);
        let left = STEPS - untouched.steps() as u32;
        untouched.advance(left).unwrap();
        touched.advance(left).unwrap();
        assert!(untouched.state().unwrap() == touched.state().unwrap(), "{name}");
    }
}

#[test]
fn files_follow_a_body_that_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = start(&tape::scene(), &tearing(&Options::cpu(Precision::F32)));
    let mut usd =
        UsdaWriter::create(folder.path().join("tape.usda"), UsdaOptions { frames_per_second: 60.0 }).unwrap();
    let mut look = |simulation: &mut Simulation| {
        let write = |snapshot: &Snapshot| {
            let [ply, vtu] = ["tape.ply", "tape.vtu"].map(|name| folder.path().join(name));
            write_ply(&ply, snapshot).unwrap();
            write_vtu(&vtu, snapshot).unwrap();
            usd.add(snapshot).unwrap();
            let read = |path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            (read(ply), read(vtu))
        };
        simulation.snapshot(write).unwrap()
    };
    let (ply, vtu) = look(&mut simulation);
    assert!(ply.contains("element vertex 22\n") && ply.contains("element face 20\n"), "{ply:.300}");
    assert!(vtu.contains("NumberOfPoints=\"22\" NumberOfCells=\"20\""), "{vtu:.300}");
    until_cut(&mut simulation);
    let (ply, vtu) = look(&mut simulation);
    assert!(ply.contains("element vertex 23\n") && ply.contains("element face 19\n"), "{ply:.300}");
    assert!(vtu.contains("NumberOfPoints=\"23\" NumberOfCells=\"19\""), "{vtu:.300}");
    usd.finish().unwrap();
    let usd = std::fs::read_to_string(folder.path().join("tape.usda")).unwrap();
    assert_eq!(usd.matches("faceVertexCounts").count(), 1, "one list, with a sample for each topology");
    assert!(usd.contains("faceVertexCounts.timeSamples"), "{usd:.800}");
}

#[test]
fn pictures_follow_a_body_that_is_cut() {
    let mut scene = tape::scene();
    scene.render.size = [160, 90];
    scene.render.ground = sinew::scene::Ground::Hidden;
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    for (name, options) in backends() {
        let mut simulation = start(&scene, &tearing(&options));
        // On the simulation's own device pictures are drawn from its buffers.
        let gpu = simulation.executor().gpu().map_or(gpu.clone(), |executor| executor.device().clone());
        let mut film = Film::new(&gpu, &scene, &simulation).unwrap();
        let whole = film.draw(&mut simulation).unwrap();
        simulation.advance(STEPS).unwrap();
        let torn = film.draw(&mut simulation).unwrap();
        assert_ne!(whole.pixels, torn.pixels, "{name}");
        let fresh = Film::new(&gpu, &scene, &simulation).unwrap().draw(&mut simulation).unwrap();
        assert!(torn.pixels == fresh.pixels, "{name}: as one that was made for the pieces");
        if let Ok(folder) = std::env::var("SINEW_KEEP_PICTURES") {
            for (when, image) in [("whole", &whole), ("torn", &torn)] {
                let path = std::path::Path::new(&folder).join(format!("tape_{when}_{name}.png"));
                sinew::export::write_png(path, image).unwrap();
            }
        }
    }
}
