//! Every file in `scenes/` runs for its stated time, meets its own `[expect]` table, and is the same on both backends.

mod conditioned;
mod device;
mod passes;

use glam::DVec3;
use sinew::model::Model;
use sinew::model::advice::advice;
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};
use std::path::PathBuf;
use std::sync::Mutex;

/// Constraints above which less is compared.
const LARGE: usize = 100_000;

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

/// A state on the way of a run.
struct State {
    positions: Vec<DVec3>,
    energy: f64,
    kinetic_energy: f64,
}

impl State {
    fn of(simulation: &mut Simulation) -> Self {
        let measures = simulation.measure().unwrap();
        Self {
            positions: simulation.positions().unwrap(),
            energy: measures.energy(),
            kinetic_energy: measures.kinetic_energy,
        }
    }
}

/// Runs a scene as `sinew run --expect` does, for a number of steps. Returns what is not as expected and the states after
/// the steps in `looks`.
fn run(scene: &Scene, options: &Options, last: u64, looks: &[u64]) -> (Vec<String>, Vec<State>) {
    let mut simulation = Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"));
    let (mut unmet, mut states) = (Vec::new(), Vec::new());
    loop {
        let steps = simulation.steps();
        if looks.contains(&steps) {
            states.push(State::of(&mut simulation));
        }
        if steps == expected_after(scene) {
            unmet = simulation.unmet().unwrap();
        }
        if steps >= last {
            return (unmet, states);
        }
        simulation.step().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn steps(scene: &Scene, time: f64) -> u64 {
    (time / scene.time_step).round() as u64
}

/// The steps of the whole scene.
fn all_steps(scene: &Scene) -> u64 {
    steps(scene, scene.duration)
}

/// The steps after which the scene says what to expect.
fn expected_after(scene: &Scene) -> u64 {
    let expect = scene.expect.as_ref().expect("a scene of ours says what to expect");
    let expected = steps(scene, expect.at.unwrap_or(scene.duration));
    assert!(expected <= all_steps(scene), "the expectation comes after the end");
    expected
}

fn is_large(scene: &Scene) -> bool {
    Model::new(scene).unwrap().constraint_count() > LARGE
}

/// Each scene on one thread: the passes are so short that threads which share them mostly wait for each other.
fn run_small(act: impl Fn(&str, &Scene) -> Vec<String> + Sync) {
    let small: Vec<_> = scenes().into_iter().filter(|(_, scene)| !is_large(scene)).collect();
    let queue = Mutex::new(small.into_iter());
    let run_queue = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| run_all(std::iter::from_fn(|| queue.lock().unwrap().next()), &act))
    };
    let failures = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..rayon::current_num_threads()).map(|_| scope.spawn(run_queue)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run_large(act: impl Fn(&str, &Scene) -> Vec<String>) {
    let failures = run_all(scenes().into_iter().filter(|(_, scene)| is_large(scene)), &act);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn run_all(
    scenes: impl IntoIterator<Item = (String, Scene)>,
    act: &impl Fn(&str, &Scene) -> Vec<String>,
) -> Vec<String> {
    scenes
        .into_iter()
        .flat_map(|(name, scene)| {
            act(&name, &scene).into_iter().map(move |line| format!("{name}: {line}")).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn an_expectation_that_is_not_met_is_noticed() {
    let (_, mut scene) = scenes().into_iter().find(|(name, _)| name == "soft_blocks").unwrap();
    scene.duration = 0.1;
    let expect = scene.expect.as_mut().unwrap();
    expect.at = None;
    expect.max_speed = Some(1e-3);
    let (unmet, _) = run(&scene, &Options::cpu(Precision::F32), all_steps(&scene), &[]);
    assert!(unmet.len() == 1 && unmet[0].starts_with("max_speed is "), "{unmet:?}");
}

#[test]
fn no_scene_needs_advice() {
    for (name, scene) in scenes() {
        let lines = advice(&Model::new(&scene).unwrap());
        assert!(lines.is_empty(), "{name}: {}", lines.join("; "));
    }
}
