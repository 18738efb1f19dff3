//! Finite-element sheets for tests: a small scene, made into a model and put where the test wants it.
#![allow(dead_code, reason = "each test file uses a part")]

use glam::DVec3;
use sinew::compute::{AdapterChoice, CpuExecutor, Gpu, GpuExecutor, Order, Run, compare_runs};
use sinew::model::Model;
use sinew::scene::{Cloth, ClothModel, ClothShape, Fabric, Integrator, Pin, Scene, Selector, TriangleMesh};
use sinew::solver::Solver;
use sinew::{Options, Simulation};
use std::sync::OnceLock;

/// One sheet without gravity.
pub fn scene(size: [f64; 2], cells: [u32; 2], fabric: Fabric, dt: f64) -> Scene {
    Scene {
        gravity: DVec3::ZERO,
        time_step: dt,
        substeps: 1,
        integrator: Integrator::Symplectic,
        cloth: vec![Cloth {
            shape: ClothShape::Grid { size, cells },
            model: ClothModel::Green,
            fabric,
            bending_stiffness: 1e-4,
            ..Cloth::default()
        }],
        ..Scene::default()
    }
}

pub fn pin(particles: Vec<u32>) -> Pin {
    Pin { selector: Selector::Indices(particles), ..Pin::default() }
}

/// A fabric in which every term of the law acts.
pub fn lively() -> Fabric {
    Fabric {
        weft_modulus: 400.0,
        warp_modulus: 250.0,
        shear_modulus: 90.0,
        poisson_ratio: 0.3,
        ..Fabric::default()
    }
}

/// Equilateral triangles of a given edge, columns and rows of them.
pub fn equilateral([nx, ny]: [u32; 2], edge: f64) -> TriangleMesh {
    let at = |i: u32, j: u32| {
        let shift = 0.5 * f64::from(j % 2);
        DVec3::new((f64::from(i) + shift) * edge, f64::from(j) * 0.75f64.sqrt() * edge, 0.0)
    };
    let positions = (0..=ny).flat_map(|j| (0..=nx).map(move |i| at(i, j))).collect();
    let mut triangles = Vec::new();
    for (j, i) in (0..ny).flat_map(|j| (0..nx).map(move |i| (j, i))) {
        let row = nx + 1;
        let [a, b, c, d] = [j * row + i, j * row + i + 1, (j + 1) * row + i, (j + 1) * row + i + 1];
        if j % 2 == 1 {
            triangles.extend([[a, b, d], [a, d, c]]);
        } else {
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    TriangleMesh { positions, triangles, texture_coordinates: None }
}

/// Moves every particle of a model.
pub fn deform(model: &mut Model, place: impl Fn(DVec3) -> DVec3) {
    model.particles.positions.iter_mut().for_each(|x| *x = place(*x));
}

/// A smooth but irregular deformation: strains of a fifth, folds of a third of a radian.
pub fn crumple(x: DVec3) -> DVec3 {
    let wave = DVec3::new(
        0.02 * (31.0 * x.y + 7.0 * x.x).sin(),
        0.02 * (23.0 * x.x - 5.0 * x.y).cos(),
        0.03 * (17.0 * x.x).sin() * (19.0 * x.y + 1.0).cos(),
    );
    DVec3::new(1.08 * x.x + 0.1 * x.y, 0.97 * x.y, 0.0) + wave
}

/// Runs the first substep of a model up to and with the last pass of a kernel, in f64, and returns a buffer.
pub fn after_pass(model: Model, kernel: &str, buffer: &str) -> Vec<f64> {
    let mut simulation = Simulation::from_model(model, &Options::cpu(sinew::Precision::F64)).unwrap();
    let last = simulation.solver().passes.list.iter().rposition(|pass| pass.kernel.name == kernel).unwrap();
    simulation.executor().execute(&[Run { passes: 0..last + 1, times: 1 }]).unwrap();
    let id = simulation.solver().buffers.find(buffer).unwrap();
    simulation.executor().read(id).unwrap().reals().to_vec()
}

/// The sum of the forces at each particle's corners, by the model's numbers [N].
pub fn forces(model: Model) -> Vec<DVec3> {
    let solver = Solver::new(&model).unwrap();
    let uints = |name: &str| solver.buffers.initial(solver.buffers.find(name).unwrap()).uints().to_vec();
    let (starts, slots) = (uints("corner_starts"), uints("corner_slots"));
    let corners = after_pass(model, "fold", "corner_forces");
    let corner = |slot: u32| DVec3::from_slice(&corners[4 * slot as usize..]);
    starts
        .windows(2)
        .map(|range| slots[range[0] as usize..range[1] as usize].iter().map(|&slot| corner(slot)).sum())
        .collect()
}

/// The device the comparisons run on. Without one they fail: a comparison that did not happen proves nothing.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| {
            panic!("{error}\nthis test compares with a device: install the package `mesa-vulkan-drivers`")
        });
        eprintln!("compared on {}", gpu.report.title());
        gpu
    })
}

/// Compares both backends after every pass of some substeps; the largest relative difference.
pub fn parity(model: &Model, substeps: u32, tolerance: f64) -> f64 {
    let solver = Solver::new(model).unwrap();
    let mut device = GpuExecutor::new(gpu(), &solver.buffers, &solver.passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_order(Order::Backward);
    compare_runs(&solver.buffers, &solver.passes, substeps, [&mut cpu, &mut device], tolerance)
        .unwrap()
        .unwrap_or_else(|difference| panic!("{difference}"))
}
