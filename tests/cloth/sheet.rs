//! Finite-element sheets for tests: a small scene, made into a model and put where the test wants it.
#![allow(dead_code, reason = "each test file uses a part")]

use glam::DVec3;
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Executor, Gpu, GpuExecutor, Order, Run, compare_runs,
};
use sinew::model::Model;
use sinew::scene::{Cloth, ClothModel, ClothShape, Fabric, Integrator, Pin, Scene, Selector, TriangleMesh};
use sinew::solver::Solver;
use sinew::{Options, Precision};
use std::sync::OnceLock;

/// Where a test computes: the reference and what people run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    F64,
    F32,
    Device,
}

pub const PLACES: [Place; 3] = [Place::F64, Place::F32, Place::Device];

impl Place {
    pub fn options(self) -> Options {
        match self {
            Self::F64 => Options::cpu(Precision::F64),
            Self::F32 => Options::cpu(Precision::F32),
            Self::Device => Options::gpu(),
        }
    }

    pub fn executor(self, solver: &Solver) -> Box<dyn Executor> {
        let (buffers, passes) = (&solver.buffers, &solver.passes);
        match self {
            Self::F64 => Box::new(CpuExecutor::<f64>::new(buffers, passes)),
            Self::F32 => Box::new(CpuExecutor::<f32>::new(buffers, passes)),
            Self::Device => Box::new(GpuExecutor::new(gpu(), buffers, passes).unwrap()),
        }
    }

    /// A tolerance by precision.
    pub fn within(self, double: f64, single: f64) -> f64 {
        if self == Self::F64 { double } else { single }
    }
}

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

/// The kernels that leave the forces of sheets at corners.
pub const FORCES: [&str; 2] = ["membrane", "fold"];

/// Runs the first substep of a model up to and with the last pass of these kernels.
pub fn run_to_last(solver: &Solver, executor: &mut dyn Executor, kernels: &[&str]) {
    let last = solver.passes.list.iter().rposition(|pass| kernels.contains(&pass.kernel.name)).unwrap();
    executor.execute(&[Run { passes: 0..last + 1, times: 1 }]).unwrap();
}

/// The vectors of a buffer.
pub fn vectors(solver: &Solver, executor: &mut dyn Executor, buffer: &str) -> Vec<DVec3> {
    let data: Data = executor.read(solver.buffers.find(buffer).unwrap()).unwrap();
    data.reals().chunks_exact(4).map(DVec3::from_slice).collect()
}

/// The sum of the forces at each particle's corners, in f64, by the model's numbers [N].
pub fn forces(model: Model) -> Vec<DVec3> {
    forces_on(Place::F64, &model)
}

/// As [`forces`], anywhere.
pub fn forces_on(place: Place, model: &Model) -> Vec<DVec3> {
    let solver = Solver::new(model).unwrap();
    let mut executor = place.executor(&solver);
    run_to_last(&solver, executor.as_mut(), &FORCES);
    gather(&solver, executor.as_mut())
}

/// What is at the corners, summed up by particle.
pub fn gather(solver: &Solver, executor: &mut dyn Executor) -> Vec<DVec3> {
    let uints = |name: &str| solver.buffers.initial(solver.buffers.find(name).unwrap()).uints().to_vec();
    let (starts, slots) = (uints("corner_starts"), uints("corner_slots"));
    let corners = vectors(solver, executor, "corner_forces");
    let corner = |slot: u32| corners[slot as usize];
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
