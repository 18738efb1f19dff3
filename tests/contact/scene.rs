//! Small hand-made scenes of particles and colliders for the contact tests.

use glam::{DQuat, DVec3};
use sinew::compute::{
    AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Launch, Order, Passes, Role, Run, Tables,
};
use sinew::contact::colliders::{Surface, add_buffers, append_carry, append_collide};
use sinew::math::Vec4;
use sinew::model::colliders::{Collider, Shape};
use sinew::particles::{World, finish, predict};

pub const G: f64 = 9.81;

/// One moving point of mass 1 kg.
#[derive(Clone, Copy)]
pub struct Particle {
    pub x: DVec3,
    pub v: DVec3,
    pub inverse_mass: f64,
    pub surface: Surface,
}

impl Particle {
    pub fn at(x: DVec3) -> Self {
        let surface = Surface { radius: 0.0, friction: 0.5 };
        Self { x, v: DVec3::ZERO, inverse_mass: 1.0, surface }
    }
}

/// A pivot and keys: time, offset, rotation.
#[derive(Clone)]
pub struct Track {
    pub pivot: DVec3,
    pub keys: Vec<(f64, DVec3, DQuat)>,
}

pub struct Scene {
    pub particles: Vec<Particle>,
    pub colliders: Vec<Collider>,
    pub tracks: Vec<Track>,
    pub gravity: DVec3,
    pub dt: f64,
}

impl Scene {
    pub fn new(particles: Vec<Particle>, colliders: Vec<Collider>) -> Self {
        Self { particles, colliders, tracks: vec![], gravity: DVec3::new(0.0, -G, 0.0), dt: 1e-3 }
    }

    /// The buffers, and the passes carry (with tracks), predict, collide and finish.
    pub fn build(&self) -> (Tables, Passes) {
        let count = self.particles.len() as u32;
        let g = self.gravity;
        let world =
            World { gravity: Vec4::new(g.x, g.y, g.z, 0.0), keep: 1.0, relaxation: 1.0, ..World::default() };
        let mut buffers = Tables::new();
        let mut add = |name: &str, of: fn(&Particle) -> [f64; 4]| {
            buffers.real4s(name, Role::State, self.particles.iter().map(of).collect()).unwrap()
        };
        add("positions", |p| p.x.extend(p.inverse_mass).to_array());
        add("velocities", |p| p.v.extend(0.0).to_array());
        add("residuals", |_| [0.0, 0.0, 0.0, 1.0]);
        add("offsets", |_| [0.0; 4]);
        buffers
            .add(
                "world",
                sinew::compute::Element::Real,
                Role::Uniform,
                sinew::compute::Data::Reals(world.values()),
            )
            .unwrap();
        buffers.uints("clock", Role::State, vec![0]).unwrap();
        let (mut heads, mut keys) = (vec![], vec![]);
        for track in &self.tracks {
            heads.push([keys.len() as u32, track.keys.len() as u32]);
            keys.push(track.pivot.extend(0.0).to_array());
            for (time, offset, rotation) in &track.keys {
                keys.push([*time, offset.x, offset.y, offset.z]);
                keys.push(rotation.to_array());
            }
        }
        buffers.uint2s("tracks", Role::Model, heads).unwrap();
        buffers.real4s("track_keys", Role::Model, keys).unwrap();
        let surfaces: Vec<Surface> = self.particles.iter().map(|p| p.surface).collect();
        add_buffers(&mut buffers, &self.colliders, &surfaces).unwrap();
        let mut passes = Passes::with_dt(self.dt);
        append_carry(&mut passes, &buffers, &self.colliders).unwrap();
        passes.run(&buffers, &predict::KERNEL, Launch::over(count)).unwrap();
        append_collide(&mut passes, &buffers, &self.colliders, count, "offsets").unwrap();
        passes.run(&buffers, &finish::KERNEL, Launch::over(count)).unwrap();
        (buffers, passes)
    }

    /// Positions and velocities after `seconds`, on the GPU and on the CPU in both precisions.
    pub fn after(&self, seconds: f64) -> Vec<(String, Vec<DVec3>, Vec<DVec3>)> {
        let (buffers, passes) = self.build();
        let steps = (seconds / self.dt).round() as u32;
        executors(&buffers, &passes)
            .into_iter()
            .map(|mut executor| {
                executor.execute(&[Run { passes: 0..passes.list.len(), times: steps }]).unwrap();
                let [x, v] = ["positions", "velocities"].map(|name| vectors(&buffers, &mut *executor, name));
                (executor.describe(), x, v)
            })
            .collect()
    }
}

/// The adapter; without one the message says what to install.
pub fn gpu() -> Gpu {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    gpu
}

pub fn executors(buffers: &Tables, passes: &Passes) -> Vec<Box<dyn Executor>> {
    vec![
        Box::new(GpuExecutor::new(&gpu(), buffers, passes).unwrap()),
        Box::new(CpuExecutor::<f32>::new(buffers, passes)),
        Box::new(CpuExecutor::<f64>::new(buffers, passes).with_order(Order::Backward)),
    ]
}

pub fn vectors(buffers: &Tables, executor: &mut dyn Executor, name: &str) -> Vec<DVec3> {
    let data = executor.read(buffers.find(name).unwrap()).unwrap();
    data.reals().chunks_exact(4).map(|v| DVec3::new(v[0], v[1], v[2])).collect()
}

pub fn still(shape: Shape) -> Collider {
    Collider { shape, position: DVec3::ZERO, rotation: DQuat::IDENTITY, friction: 0.5, track: None }
}

/// A closed torus around y: ring radius, tube radius, sections along each.
pub fn torus(ring: f64, tube: f64, along: u32, around: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (vec![], vec![]);
    for i in 0..along {
        for j in 0..around {
            let [u, v] =
                [(i, along), (j, around)].map(|(k, n)| f64::from(k) / f64::from(n) * std::f64::consts::TAU);
            let r = ring + tube * v.cos();
            points.push(DVec3::new(r * u.cos(), tube * v.sin(), r * u.sin()));
            let at = |i: u32, j: u32| i % along * around + j % around;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    (points, triangles)
}

/// The signed distance to the round torus around y.
pub fn torus_distance(x: DVec3, ring: f64, tube: f64) -> f64 {
    (x.x.hypot(x.z) - ring).hypot(x.y) - tube
}

/// Random numbers with a fixed seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// Uniform within ±1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) as f64 / u64::MAX as f64 * 2.0 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}
