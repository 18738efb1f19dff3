//! The watch over particles: what is not finite or too fast is found, on either backend and in any order.

use sinew::compute::{
    AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Order, Passes, Role, Run, STATUS, Tables,
};
use sinew::particles::watch::{self, Report};

const COUNT: usize = 5000;
const SPEED_LIMIT: f64 = 100.0;

/// What every backend reports about particles at rest with some numbers changed: (particle, component, value),
/// components 0 to 2 of the position, 4 to 6 of the velocity.
fn report(changes: &[(usize, usize, f64)]) -> Option<Report> {
    let mut values = [vec![[0.5, -2.0, 3.0, 1.0]; COUNT], vec![[1.0, 2.0, -3.0, f64::NAN]; COUNT]];
    for &(particle, component, value) in changes {
        values[component / 4][particle][component % 4] = value;
    }
    let mut buffers = Tables::new();
    let [positions, velocities] = values;
    buffers.real4s("positions", Role::State, positions).unwrap();
    buffers.real4s("velocities", Role::State, velocities).unwrap();
    let first = watch::reserve(&mut buffers).unwrap();
    let id = buffers.find(STATUS).unwrap();
    let mut passes = Passes::new();
    watch::append(&mut passes, &buffers, COUNT as u32, SPEED_LIMIT, first).unwrap();
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let executors: Vec<Box<dyn Executor>> = vec![
        Box::new(GpuExecutor::new(&gpu, &buffers, &passes).unwrap()),
        Box::new(CpuExecutor::<f32>::new(&buffers, &passes)),
        Box::new(CpuExecutor::<f32>::new(&buffers, &passes).with_order(Order::Backward)),
        Box::new(CpuExecutor::<f64>::new(&buffers, &passes)),
    ];
    let reports: Vec<_> = executors
        .into_iter()
        .map(|mut executor| {
            executor.execute(&[Run { passes: 0..1, times: 1 }]).unwrap();
            (executor.describe(), Report::read(&executor.read(id).unwrap(), first))
        })
        .collect();
    for (backend, other) in &reports {
        assert_eq!(*other, reports[0].1, "{backend} against {}", reports[0].0);
    }
    reports[0].1
}

#[test]
fn nothing_is_reported_while_all_particles_are_well() {
    assert_eq!(report(&[]), None);
    // Large, but somewhere; and just below the limit.
    assert_eq!(report(&[(7, 0, 1e38), (9, 4, 0.0), (9, 5, 60.0), (9, 6, 79.0)]), None);
}

#[test]
fn every_number_that_is_not_finite_is_found() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for component in [0, 1, 2, 4, 5, 6] {
            let found = report(&[(4321, component, value)]);
            let expected = Report { lost: Some(4321), runaway: None, lost_count: 1, runaway_count: 0 };
            assert_eq!(found, Some(expected), "component {component} is {value}");
        }
    }
}

#[test]
fn the_first_of_each_kind_is_named_and_all_are_counted() {
    let found = report(&[
        (4000, 1, f64::NAN),
        (70, 2, f64::INFINITY),
        (4999, 4, f64::NAN),
        (3000, 5, -101.0),
        (64, 6, 1e30),
    ]);
    let expected = Report { lost: Some(70), runaway: Some(64), lost_count: 3, runaway_count: 2 };
    assert_eq!(found, Some(expected));
}
