//! A sheet whose elements all store about as much, so that an error in the smaller half of them is seen: stretched, bent to a bowl and expanding,
//! in its first substep.

use super::sheets::{VISCOUS, sheet};
use super::{Stage, TOLERANCE, prepared};
use glam::DVec3;
use sinew::compute::{Data, Executor};
use sinew::solver::Solver;

pub fn stretched() -> Stage {
    let text = sheet("integrator = \"bdf2\"\npreconditioner = \"jacobi\"\ntime_step = 0.001", VISCOUS)
        .replace("irregular = 0.2\n", "")
        .replace("[[cloth.pin]]\ncorners = [\"top_left\", \"top_right\"]\n", "");
    let (model, solver) = prepared("stretched", &text);
    let Solver { positions, velocities, buffers, passes, .. } = solver;
    let x = model.particles.positions.clone();
    let middle = x.iter().sum::<DVec3>() / x.len() as f64;
    let [a, b, c] = model.elements[0].membranes[0].particles.map(|p| x[p as usize]);
    let normal = (b - a).cross(c - a).normalize();
    let prepare = move |executor: &mut dyn Executor| {
        let bent = |x: &DVec3, stretch: f64, curvature: f64| {
            let arm = *x - middle;
            stretch * arm + normal * (0.5 * curvature * arm.length_squared())
        };
        for (id, [stretch, curvature]) in [(positions, [0.1, 0.5]), (velocities, [2.0, 2.0])] {
            let Data::Reals(mut values) = executor.read(id).unwrap() else { unreachable!() };
            for (place, x) in values.chunks_exact_mut(4).zip(&x) {
                let change = bent(x, stretch, curvature).to_array();
                place.iter_mut().zip(change).for_each(|(value, change)| *value += change);
            }
            executor.write(id, &Data::Reals(values)).unwrap();
        }
    };
    let name = "stretched".into();
    Stage { name, buffers, passes, before: Vec::new(), tolerance: TOLERANCE, prepare: Box::new(prepare) }
}
