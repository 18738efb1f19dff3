//! Every file in `scenes/` runs for its stated time, meets its own `[expect]` table, and is the same on both backends.

use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Pass, Run, compare_pass};
use sinew::model::Model;
use sinew::model::advice::advice;
use sinew::scene::Scene;
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// f32 rounding after one pass, relative to the size of the buffer's values.
const TOLERANCE: f64 = 1e-5;
/// The passes whose result is not compared here: elimination of a stiff rod or net magnifies rounding by the condition of the
/// system, for spring steel a million times, so that two right answers differ. What it computes is a correction whose
/// error the next iteration measures; `tests/rods` and `tests/nets` compare soft ones to rounding and both backends' steel with beam
/// theory.
const ILL_CONDITIONED: [&str; 2] = ["solve_chain", "net_eliminate"];
/// An explicit force is a stiffness times a strain, and a strain of a ten-thousandth, as in stiff rods, is right to a
/// thousandth when lengths are rounded in f32. `tests/rods` compares soft ones to rounding.
const STIFF: (&str, f64) = ("corde_segment", 1e-3);
/// Constraints above which less is compared.
const LARGE: usize = 100_000;
/// How often a pass over the same elements and buffers is compared: strain limits iterate hundreds of times a substep.
const MOST_REPETITIONS: u32 = 8;
/// Steps after which the backends are compared: things have begun to touch and to fold.
const STEPS_BEFORE: u32 = 24;
const STEPS_BEFORE_LARGE: u32 = 8;
/// Passes of a substep above which a scene counts as large here: strain limits that iterate hundreds of times.
const MANY_PASSES: usize = 500;

/// The scene files, by name.
fn scenes() -> Vec<(String, Scene)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    let load = |path: PathBuf| {
        let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), scene)
    };
    let scenes: Vec<_> = paths.into_iter().map(load).collect();
    assert!(scenes.len() >= 6, "{} scenes", scenes.len());
    scenes
}

/// Runs a scene as `sinew run --expect` does and returns what is not as expected.
fn run(scene: &Scene) -> Vec<String> {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32)).unwrap();
    let steps = |time: f64| (time / scene.time_step).round() as u64;
    let expect = scene.expect.as_ref().expect("a scene of ours says what to expect");
    let expect_at = steps(expect.at.unwrap_or(scene.duration));
    let last = steps(scene.duration);
    assert!(expect_at <= last, "the expectation comes after the end");
    let mut unmet = Vec::new();
    while simulation.steps() < last {
        simulation.step().unwrap_or_else(|error| panic!("{error}"));
        if simulation.steps() == expect_at {
            unmet = simulation.unmet().unwrap();
        }
    }
    unmet
}

fn is_large(scene: &Scene) -> bool {
    Model::new(scene).unwrap().constraint_count() > LARGE
}

fn run_all(scenes: impl IntoIterator<Item = (String, Scene)>) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, scene) in scenes {
        let start = Instant::now();
        let unmet = run(&scene);
        eprintln!("{name}: {} s in {:.1} s", scene.duration, start.elapsed().as_secs_f64());
        failures.extend(unmet.into_iter().map(|line| format!("{name}: {line}")));
    }
    failures
}

/// Each scene on one thread: the passes are so short that threads which share them mostly wait for each other.
#[test]
fn every_small_scene_runs_for_its_time_and_meets_its_expectations() {
    let small: Vec<_> = scenes().into_iter().filter(|(_, scene)| !is_large(scene)).collect();
    let queue = Mutex::new(small.into_iter());
    let run_queue = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run_all(std::iter::from_fn(|| queue.lock().unwrap().next())))
    };
    let failures = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..rayon::current_num_threads()).map(|_| scope.spawn(run_queue)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_large_scene_runs_for_its_time_and_meets_its_expectations() {
    let failures = run_all(scenes().into_iter().filter(|(_, scene)| is_large(scene)));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_expectation_that_is_not_met_is_noticed() {
    let (_, mut scene) = scenes().into_iter().find(|(name, _)| name == "soft_blocks").unwrap();
    scene.duration = 0.1;
    let expect = scene.expect.as_mut().unwrap();
    expect.at = None;
    expect.max_speed = Some(1e-3);
    let unmet = run(&scene);
    assert!(unmet.len() == 1 && unmet[0].starts_with("max_speed is "), "{unmet:?}");
}

#[test]
fn every_scene_is_the_same_on_both_backends_pass_by_pass() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("on {}", gpu.report.title());
    for (name, scene) in scenes() {
        let start = Instant::now();
        let model = Model::new(&scene).unwrap();
        let solver = Solver::new(&model).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
        let large = model.constraint_count() > LARGE || solver.passes.list.len() > MANY_PASSES;
        let (before, substeps) = if large { (STEPS_BEFORE_LARGE, 1) } else { (STEPS_BEFORE, 2) };
        // The comparison gives the device whatever the CPU has before each pass.
        cpu.execute(&solver.steps(before)).unwrap();
        let mut largest = 0.0f64;
        let mut compared = HashMap::new();
        for index in (0..substeps).flat_map(|_| 0..solver.passes.list.len()) {
            let Pass { kernel, launch, buffers, .. } = &solver.passes.list[index];
            let seen = compared
                .entry((kernel.name, [launch.first, launch.count, launch.flags, launch.base], buffers))
                .or_insert(0);
            *seen += 1;
            if *seen > MOST_REPETITIONS || ILL_CONDITIONED.contains(&kernel.name) {
                cpu.execute(&[Run { passes: index..index + 1, times: 1 }]).unwrap();
                continue;
            }
            let both: [&mut dyn Executor; 2] = [&mut cpu, &mut device];
            let tolerance = if kernel.name == STIFF.0 { STIFF.1 } else { TOLERANCE };
            let outcome = compare_pass(&solver.buffers, &solver.passes, index, both, tolerance).unwrap();
            largest = largest.max(outcome.unwrap_or_else(|difference| panic!("{name}: {difference}")));
        }
        eprintln!("{name}: largest difference {largest:.1e} in {:.1} s", start.elapsed().as_secs_f64());
    }
}

#[test]
fn no_scene_needs_advice() {
    for (name, scene) in scenes() {
        let lines = advice(&Model::new(&scene).unwrap());
        assert!(lines.is_empty(), "{name}: {}", lines.join("; "));
    }
}
