//! Kernels that read images of buffers, and kernels that read the buffers, against their twins.

use sinew::compute::{AdapterChoice, CpuExecutor, Data, Executor, Gpu, GpuExecutor, compare_runs};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::Solver;

/// f32 rounding of one pass, relative to the largest value of the buffer.
const TOLERANCE: f64 = 1e-5;

const BODIES: &str = "[wind]\nvelocity = [1.0, 0.0, 2.0]\n[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [70, 61] }\n\
    bending = \"distance\"\nbending_stiffness = 5.0\n\
    stretch_stiffness = 30.0\n[[cloth.pin]]\ncorners = [\"top_left\", \"top_right\"]\n\
    [[cloth]]\ndisc = { radius = 0.5, rings = 24 }\nposition = [0.0, 1.0, 1.0]\n[[cloth.pin]]\nindices = [0, 7]\n\
    [[collider]]\nname = \"floor\"\nplane = { normal = [0, 1, 0] }\nposition = [0.0, -0.45, 0.0]\n";

/// Enough of them that the passes over every second segment are long.
const RODS: &str = "[[rod]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 60\nmethod = \"coloured\"\nstart = { hold = \"clamped\" }\n\
    copies = { count = [40, 1], steps = [[0, 0, 0.02], [1, 0, 0]] }\n\
    [[rod]]\nfrom = [0, 1, 0]\nto = [1, 1, 0]\nsegments = 60\nmethod = \"jacobi\"\nstart = { hold = \"clamped\" }\n\
    copies = { count = [20, 1], steps = [[0, 0, 0.02], [1, 0, 0]] }\n";

fn solver(settings: &str) -> Solver {
    solver_of(settings, BODIES)
}

fn solver_of(settings: &str, bodies: &str) -> Solver {
    let text = format!("format = 1\n{settings}\n{bodies}");
    let scene = Scene::parse(&text, "images.toml", "").unwrap_or_else(|error| panic!("{error}"));
    Solver::new(&Model::new(&scene).unwrap()).unwrap()
}

const SETTINGS: [&str; 3] = [
    "solver = \"coloured\"\nsubsteps = 2\niterations = 2",
    "solver = \"jacobi\"\nsubsteps = 2\niterations = 1",
    "solver = \"jacobi\"\nsubsteps = 1\niterations = 4\nchebyshev = 0.9",
];

#[test]
fn every_pass_agrees_with_its_twin_with_and_without_images() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    for settings in SETTINGS {
        let solver = solver(settings);
        for images in [false, true] {
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
            // A sheet at rest has multipliers of rounding size, which nobody can compare: let it stretch first.
            cpu.execute(&solver.steps(20)).unwrap();
            let mut device = GpuExecutor::with_images(&gpu, &solver.buffers, &solver.passes, images).unwrap();
            let both: [&mut dyn Executor; 2] = [&mut cpu, &mut device];
            let worst = compare_runs(&solver.buffers, &solver.passes, 1, both, TOLERANCE).unwrap();
            println!("{settings:?}, images {images}: {worst:?}");
            if let Err(difference) = worst {
                panic!("{settings}, images {images}: {difference}");
            }
        }
    }
}

/// The same arithmetic on the same numbers: an image that was not refreshed would show within a substep.
#[test]
fn runs_with_images_have_the_bits_of_runs_without() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut solvers: Vec<(&str, Solver)> = SETTINGS.iter().map(|&s| (s, solver(s))).collect();
    let settings = "substeps = 2\niterations = 2";
    solvers.push((settings, solver_of(settings, RODS)));
    for (settings, solver) in solvers {
        let run = |images| {
            let mut device = GpuExecutor::with_images(&gpu, &solver.buffers, &solver.passes, images).unwrap();
            device.execute(&solver.steps(3)).unwrap();
            // Also after the host has changed what a kernel reads as an image.
            let velocities = device.read(solver.velocities).unwrap();
            device.write(solver.positions, &positions_from(&velocities)).unwrap();
            device.execute(&solver.steps(2)).unwrap();
            [solver.positions, solver.velocities].map(|id| device.read(id).unwrap())
        };
        assert!(run(false) == run(true), "{settings}");
    }
}

/// Contents for `positions` that differ from what is there.
fn positions_from(velocities: &Data) -> Data {
    let values = velocities.reals().chunks_exact(4).flat_map(|v| [v[0], v[1], v[2], 50.0]).collect();
    Data::Reals(values)
}
