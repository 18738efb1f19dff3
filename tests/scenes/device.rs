//! Every scene on the CPU to its end, and on a device, with the passes of hardware: short ones until they say what to expect, long
//! ones for a part. `cargo test --release --test scenes -- --ignored` runs all of them on a device to their ends, which takes
//! a GPU minutes and a software adapter hours.

use crate::{State, all_steps, expected_after, run, run_all, run_large, run_small, scenes};
use sinew::compute::Pass;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::{Cores, Solver};
use sinew::{Options, Precision};
use std::time::Instant;

/// A scene whose work until its expectations is less than this runs as far as that on the device. The unit is an element of a
/// pass; a software adapter on two cores does ten to thirty million a second, a GPU a thousand times as many.
const SHORT: f64 = 1.2e8;
/// What the others may cost; at least they do one step.
const PART: f64 = 2.5e7;
/// What beginning a pass costs, in elements.
const PASS: f64 = 1000.0;
/// Where the device stops before the expectations, particles are this near to where they are on the CPU: the root mean square
/// of the distances, relative to that of the ways they have gone. Each pass agrees to rounding; a hundredth is what folds and
/// contacts make of it, and a little more in the first step of `hammock`, in which everything has gone 3 mm.
const NEAR: f64 = 2e-2;
/// The same of the energy, relative to the largest that was there.
const SAME_ENERGY: f64 = 1e-3;

/// The work of a step, in elements.
fn work_of_step(scene: &Scene) -> f64 {
    let solver = Solver::with_cores(&Model::new(scene).unwrap(), Cores::Many).unwrap();
    let of_pass = |pass: &Pass| PASS + f64::from(pass.launch.count) + f64::from(pass.walk);
    let of_list = |list: &[Pass]| list.iter().map(of_pass).sum::<f64>();
    solver
        .step
        .iter()
        .map(|run| f64::from(run.times) * of_list(&solver.passes.list[run.passes.clone()]))
        .sum()
}

/// The steps that a scene does on the device here.
fn part(scene: &Scene) -> u64 {
    let (work, expected) = (work_of_step(scene), expected_after(scene));
    let short = work * expected as f64 <= SHORT;
    if short { expected } else { ((PART / work) as u64).clamp(1, expected) }
}

/// Runs a scene on both backends and returns what is wrong with it.
fn on_both(name: &str, scene: &Scene) -> Vec<String> {
    let (whole, part) = (all_steps(scene), part(scene));
    let start = Instant::now();
    let (mut wrong, states) = run(scene, &Options::cpu(Precision::F32), whole, &[0, part]);
    let on_cpu = start.elapsed().as_secs_f64();
    let [first, cpu] = &states[..] else { unreachable!("a run has a beginning and {part} steps") };
    let start = Instant::now();
    let (unmet, states) = run(scene, &Options::gpu(), part, &[part]);
    let on_device = start.elapsed().as_secs_f64();
    wrong.extend(unmet.into_iter().map(|line| format!("on the device: {line}")));
    let device = &states[0];
    let apart = device.distance(cpu) / cpu.distance(first).max(f64::MIN_POSITIVE);
    let energy = (device.energy - cpu.energy).abs() / first.largest_energy().max(cpu.largest_energy());
    let until = if part == expected_after(scene) { "as expected" } else { "near" };
    eprintln!(
        "{name}: {whole} steps in {on_cpu:.1} s; {part} on the device in {on_device:.1} s, {until}, {apart:.0e} of the way apart, energy {energy:.0e}"
    );
    if part < expected_after(scene) {
        if apart.is_nan() || apart > NEAR {
            wrong.push(format!("after {part} steps device and CPU are {apart:.1e} of the way apart"));
        }
        if energy.is_nan() || energy > SAME_ENERGY {
            wrong.push(format!("after {part} steps the energies differ by {energy:.1e}"));
        }
    }
    if !device.positions.iter().all(|x| x.is_finite()) {
        wrong.push(format!("after {part} steps on the device a position is not finite"));
    }
    wrong
}

impl State {
    /// Root mean square of the particles' distances [m].
    fn distance(&self, other: &Self) -> f64 {
        let squares = self.positions.iter().zip(&other.positions).map(|(a, b)| a.distance_squared(*b));
        (squares.sum::<f64>() / self.positions.len() as f64).sqrt()
    }

    fn largest_energy(&self) -> f64 {
        self.energy.abs().max(self.kinetic_energy)
    }
}

#[test]
fn every_small_scene_meets_its_expectations_on_both_backends() {
    run_small(on_both);
}

#[test]
fn every_large_scene_meets_its_expectations_on_both_backends() {
    run_large(on_both);
}

#[test]
#[ignore = "takes a GPU minutes and a software adapter hours"]
fn every_scene_meets_its_expectations_on_a_device_to_its_end() {
    let on_device = |name: &str, scene: &Scene| {
        let start = Instant::now();
        let (unmet, _) = run(scene, &Options::gpu(), all_steps(scene), &[]);
        eprintln!("{name}: {} s in {:.1} s", scene.duration, start.elapsed().as_secs_f64());
        unmet
    };
    let failures = run_all(scenes(), &on_device);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
