//! A lost device is an ordinary event: an error of its own kind, never a panic, and the last state survives.

use crate::scene::{HALF, advance, assert_same, bits, scene, start};
use sinew::compute::{ComputeError, GpuExecutor};
use sinew::scene::SolverKind;
use sinew::{Options, Simulation, SimulationError};

fn on_device() -> Simulation {
    start(&scene(SolverKind::Jacobi, 8), &Options::gpu())
}

fn lose(simulation: &mut Simulation) {
    simulation.executor().gpu().unwrap().device().device.destroy();
}

fn assert_lost<T>(what: &str, result: Result<T, SimulationError>) {
    match result {
        Err(SimulationError::Compute(ComputeError::DeviceLost(_))) => {}
        Err(error) => panic!("{what} on a lost device: {error:?}"),
        Ok(_) => panic!("{what} on a lost device gave a result"),
    }
}

/// Each call is made first on a freshly lost device: what the driver notices first depends on it.
#[test]
fn every_call_on_a_lost_device_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.checkpoint");
    let path = folder.path().join("late.checkpoint");
    on_device().save(&good).unwrap();
    type Call<'a> = (&'a str, Box<dyn Fn(&mut Simulation) -> Result<(), SimulationError> + 'a>);
    let calls: [Call; 9] = [
        ("step", Box::new(|s| s.step())),
        ("advance", Box::new(|s| s.advance(50))),
        ("positions", Box::new(|s| s.positions().map(drop))),
        ("velocities", Box::new(|s| s.velocities().map(drop))),
        ("measure", Box::new(|s| s.measure().map(drop))),
        ("save", Box::new(|s| s.save(&path))),
        ("resume", Box::new(|s| s.resume(&good))),
        (
            "write",
            Box::new(|s| {
                let id = s.solver().positions;
                let data = s.solver().buffers.initial(id).clone();
                Ok(s.executor().write(id, &data)?)
            }),
        ),
        (
            "profile",
            Box::new(|s| {
                let passes = s.solver().substep();
                Ok(s.executor().profile(passes).map(drop)?)
            }),
        ),
    ];
    for (what, call) in &calls {
        let mut simulation = on_device();
        simulation.step().unwrap();
        lose(&mut simulation);
        assert_lost(what, call(&mut simulation));
        // It stays lost, for every other call too.
        assert_lost("step", simulation.step());
        assert_lost("positions", simulation.positions());
    }
    assert!(!path.exists(), "a checkpoint without a state");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something was left behind");
}

/// In the middle of recording, submitting, waiting or reading, wherever the moment falls.
#[test]
fn a_device_lost_while_it_works_says_so() {
    for milliseconds in [0, 3, 10, 31] {
        let mut simulation = on_device();
        let device = simulation.executor().gpu().unwrap().device().device.clone();
        let culprit = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            device.destroy();
        });
        let outcome = (0..10_000).try_for_each(|_| {
            simulation.step()?;
            simulation.positions().map(drop)
        });
        culprit.join().unwrap();
        assert_lost("running", outcome);
    }
}

#[test]
fn building_on_a_lost_device_says_so() {
    let mut simulation = on_device();
    let gpu = simulation.executor().gpu().unwrap().device().clone();
    gpu.device.destroy();
    let solver = simulation.solver();
    let error = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).err().unwrap();
    assert!(matches!(error, ComputeError::DeviceLost(_)), "{error:?}");
}

#[test]
fn a_run_goes_on_from_the_last_state_after_the_device_was_lost() {
    let mut unbroken = on_device();
    advance(&mut unbroken, 2 * HALF);

    let mut first = on_device();
    assert!(first.last_state().is_none());
    advance(&mut first, HALF);
    first.state().unwrap();
    advance(&mut first, 1);
    lose(&mut first);
    assert_lost("step", first.step());
    assert_lost("state", first.state().map(drop));

    let state = first.last_state().expect("the state read before").clone();
    assert_eq!(state.steps(), u64::from(HALF));
    drop(first);
    let mut second = on_device();
    second.restore(&state).unwrap();
    assert_eq!(second.steps(), u64::from(HALF));
    advance(&mut second, HALF);
    assert_same("after a lost device", &bits(&mut unbroken), &bits(&mut second));

    // A device may stay away: the CPU takes the same state.
    let mut cpu = start(&scene(SolverKind::Jacobi, 8), &Options::cpu(sinew::Precision::F32));
    cpu.restore(&state).unwrap();
    cpu.step().unwrap();
}

#[test]
fn an_invalid_use_of_the_device_is_an_error_of_the_next_call_and_not_of_the_one_after() {
    let mut simulation = on_device();
    let device = simulation.executor().gpu().unwrap().device().device.clone();
    let _invalid = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("contradiction"),
        size: 16,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    match simulation.step() {
        Err(SimulationError::Compute(ComputeError::Device(text))) => {
            assert!(text.contains("contradiction"), "{text}")
        }
        other => panic!("{other:?}"),
    }
    simulation.step().unwrap();
}
