//! The passes of every scene on a device in lock-step with their twins.

use crate::conditioned::{Answers, ILL_CONDITIONED};
use crate::{LARGE, scenes};
use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Pass, Run, compare_pass};
use sinew::model::Model;
use sinew::solver::{Cores, Solver};
use std::collections::HashMap;
use std::time::Instant;

/// f32 rounding after one pass, relative to the size of the buffer's values.
const TOLERANCE: f64 = 1e-5;
/// An explicit force is a stiffness times a strain, and a strain of a ten-thousandth, as in stiff rods, is right to a
/// thousandth when lengths are rounded in f32. `tests/rods` compares soft ones to rounding.
const STIFF: (&str, f64) = ("corde_segment", 1e-3);
/// Pulls of clusters that are at rest are differences of positions, and rounding like them; `tests/parity` compares strong ones.
const CLUSTERS: (&str, f64) = ("cluster_match", 1e-3);
/// How often a pass over the same elements and buffers is compared: strain limits iterate hundreds of times a substep.
const MOST_REPETITIONS: u32 = 8;
/// Steps after which the backends are compared: things have begun to touch and to fold.
const STEPS_BEFORE: u32 = 24;
const STEPS_BEFORE_LARGE: u32 = 8;
/// Passes of a substep above which a scene counts as large here: strain limits that iterate hundreds of times.
const MANY_PASSES: usize = 500;

#[test]
fn every_scene_is_the_same_on_both_backends_pass_by_pass() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("on {}", gpu.report.title());
    for (name, scene) in scenes() {
        let start = Instant::now();
        let model = Model::new(&scene).unwrap();
        let solver = Solver::with_cores(&model, Cores::Many).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
        let large = model.constraint_count() > LARGE || solver.passes.list.len() > MANY_PASSES;
        let (before, substeps) = if large { (STEPS_BEFORE_LARGE, 1) } else { (STEPS_BEFORE, 2) };
        // The comparison gives the device whatever the CPU has before each pass.
        cpu.execute(&solver.steps(before)).unwrap();
        let mut largest = 0.0f64;
        let (mut answers, mut solved) = (None, 0.0f64);
        let mut compared = HashMap::new();
        for index in (0..substeps).flat_map(|_| 0..solver.passes.list.len()) {
            let Pass { kernel, launch, buffers, .. } = &solver.passes.list[index];
            let seen = compared
                .entry((kernel.name, [launch.first, launch.count, launch.flags, launch.base], buffers))
                .or_insert(0);
            *seen += 1;
            if *seen > MOST_REPETITIONS {
                cpu.execute(&[Run { passes: index..index + 1, times: 1 }]).unwrap();
                continue;
            }
            if ILL_CONDITIONED.contains(&kernel.name) {
                let answers = answers.get_or_insert_with(|| Answers::new(&solver));
                let outcome = answers.compare(&solver, index, &mut cpu, &mut device);
                solved = solved.max(outcome.unwrap_or_else(|difference| panic!("{name}: {difference}")));
                continue;
            }
            let both: [&mut dyn Executor; 2] = [&mut cpu, &mut device];
            let special = [STIFF, CLUSTERS].into_iter().find(|(name, _)| *name == kernel.name);
            let tolerance = special.map_or(TOLERANCE, |(_, tolerance)| tolerance);
            let outcome = compare_pass(&solver.buffers, &solver.passes, index, both, tolerance).unwrap();
            largest = largest.max(outcome.unwrap_or_else(|difference| panic!("{name}: {difference}")));
        }
        let seconds = start.elapsed().as_secs_f64();
        eprintln!(
            "{name}: largest difference {largest:.1e}, {solved:.2} of what solvers may, in {seconds:.1} s"
        );
    }
}
