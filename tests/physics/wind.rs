//! Wind on sheets: the law on paper, the kernels on either backend.

use glam::{DMat3, DVec3};
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Element, Executor, Gpu, GpuExecutor, Launch, Order, Passes, Role, Run,
    Tables, compare_pass,
};
use sinew::math::{Vec3, Vec4};
use sinew::particles::{World, finish, predict, wind};

const DENSITY: f64 = 1.2;
const DRAG: f64 = 1.1;
const LIFT: f64 = 0.6;
/// One pass of f32 arithmetic.
const TOLERANCE: f64 = 1e-5;

fn law(area: DVec3, v: DVec3) -> DVec3 {
    let [area, v] = [area, v].map(|a| Vec3::of(a.to_array()));
    let f = wind::force(area, v, DENSITY, [DRAG, LIFT]);
    DVec3::new(f.x, f.y, f.z)
}

#[test]
fn drag_is_along_the_stream_and_lift_across_it_at_every_angle() {
    const AREA: f64 = 0.3;
    const SPEED: f64 = 4.0;
    let pressure = 0.5 * DENSITY * SPEED * SPEED * AREA;
    for degrees in [0.0f64, 30.0, 45.0, 90.0, 120.0, 180.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let f = law(AREA * DVec3::new(cos, sin, 0.0), SPEED * DVec3::X);
        let expected = pressure * DVec3::new(DRAG * cos.abs(), LIFT * cos * sin, 0.0);
        assert!((f - expected).length() < 1e-12 * pressure, "{degrees}°: {f}, not {expected}");
        let other_side = law(-AREA * DVec3::new(cos, sin, 0.0), SPEED * DVec3::X);
        assert!((f - other_side).length() < 1e-12 * pressure, "{degrees}°: the sides differ");
    }
    assert_eq!(law(DVec3::ZERO, DVec3::X), DVec3::ZERO);
    assert_eq!(law(DVec3::X, DVec3::ZERO), DVec3::ZERO);
}

#[test]
fn the_force_turns_with_the_sheet_and_the_stream() {
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, -2.0, 2.0) / 3.0, 1.1);
    let (area, v) = (DVec3::new(0.2, 0.1, -0.4), DVec3::new(3.0, -1.0, 2.0));
    assert!((law(turn * area, turn * v) - turn * law(area, v)).length() < 1e-12);
}

/// A wavy sheet of n × n particles with masses of a third of their triangles' areas times `weight` [kg/m²].
struct Sheet {
    positions: Vec<[f64; 4]>,
    velocities: Vec<[f64; 4]>,
    triangles: Vec<[u32; 4]>,
    world: World<f64>,
    /// Substep [s].
    dt: f64,
}

impl Sheet {
    fn new(n: u32, size: f64, wave: f64, weight: f64) -> Self {
        let mut points = vec![];
        for k in 0..n * n {
            let [u, v] = [k % n, k / n].map(|c| size * f64::from(c) / f64::from(n - 1));
            points.push(DVec3::new(u, wave * (5.0 * u / size).sin() * (1.0 + v / size), v));
        }
        let mut triangles = vec![];
        for k in (0..n * n).filter(|k| k % n + 1 < n && k / n + 1 < n) {
            triangles.extend([[k, k + n, k + 1, 0], [k + 1, k + n, k + n + 1, 1]]);
        }
        let mut masses = vec![0.0; points.len()];
        for t in &triangles {
            let [a, b, c] = [0, 1, 2].map(|k| points[t[k] as usize]);
            let share = weight * (b - a).cross(c - a).length() / 6.0;
            t[..3].iter().for_each(|&p| masses[p as usize] += share);
        }
        let world = World { keep: 1.0, relaxation: 1.0, ..World::default() };
        let world = World { wind: Vec4::new(0.0, 0.0, 0.0, DENSITY), ..world };
        Self {
            velocities: vec![[0.0; 4]; points.len()],
            positions: points.iter().zip(&masses).map(|(x, m)| x.extend(1.0 / m).to_array()).collect(),
            triangles,
            world,
            dt: 1e-3,
        }
    }

    /// The passes wind, push, predict and finish.
    fn build(&self) -> (Tables, Passes) {
        let count = self.positions.len() as u32;
        let mut buffers = Tables::new();
        buffers.real4s("positions", Role::State, self.positions.clone()).unwrap();
        buffers.real4s("velocities", Role::State, self.velocities.clone()).unwrap();
        buffers.real4s("residuals", Role::State, vec![[0.0, 0.0, 0.0, 1.0]; count as usize]).unwrap();
        buffers.real4s("offsets", Role::Scratch, vec![[0.0; 4]; count as usize]).unwrap();
        buffers.add("world", Element::Real, Role::Uniform, Data::Reals(self.world.values())).unwrap();
        buffers.uints("clock", Role::State, vec![0]).unwrap();
        wind::add_buffers(&mut buffers, count, &self.triangles, &[[DRAG, LIFT]; 2]).unwrap();
        let mut passes = Passes::with_dt(self.dt);
        wind::append(&mut passes, &buffers, count).unwrap();
        passes.run(&buffers, &predict::KERNEL, Launch::over(count)).unwrap();
        passes.run(&buffers, &finish::KERNEL, Launch::over(count)).unwrap();
        (buffers, passes)
    }

    /// A buffer after `steps` substeps, on the GPU and on the CPU in both precisions.
    fn after(&self, steps: u32, name: &str) -> Vec<(String, Vec<DVec3>)> {
        let (buffers, passes) = self.build();
        let executors: Vec<Box<dyn Executor>> = vec![
            Box::new(GpuExecutor::new(&gpu(), &buffers, &passes).unwrap()),
            Box::new(CpuExecutor::<f32>::new(&buffers, &passes)),
            Box::new(CpuExecutor::<f64>::new(&buffers, &passes).with_order(Order::Backward)),
        ];
        executors
            .into_iter()
            .map(|mut executor| {
                executor.execute(&[Run { passes: 0..passes.list.len(), times: steps }]).unwrap();
                let data = executor.read(buffers.find(name).unwrap()).unwrap();
                let vectors = data.reals().chunks_exact(4).map(|v| DVec3::new(v[0], v[1], v[2])).collect();
                (executor.describe(), vectors)
            })
            .collect()
    }

    fn moving_at(mut self, v: DVec3) -> Self {
        self.velocities.fill(v.extend(0.0).to_array());
        self
    }

    fn in_wind(mut self, w: DVec3) -> Self {
        self.world.wind = Vec4::new(w.x, w.y, w.z, DENSITY);
        self
    }
}

fn gpu() -> Gpu {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    gpu
}

#[test]
fn wind_and_push_match_their_twins_in_gusts() {
    let mut sheet = Sheet::new(40, 1.0, 0.1, 0.2).in_wind(DVec3::new(6.0, 2.0, -3.0));
    sheet.world.gust_amplitude = 0.7;
    sheet.world.gust_frequency = 900.0;
    for (k, v) in sheet.velocities.iter_mut().enumerate() {
        let s = k as f64;
        *v = [(1.3 * s).sin(), (2.7 * s).cos(), (0.9 * s).sin(), 0.0];
    }
    let (buffers, passes) = sheet.build();
    let mut device = GpuExecutor::new(&gpu(), &buffers, &passes).unwrap();
    let mut twin = CpuExecutor::<f32>::new(&buffers, &passes);
    let mut largest = 0.0f64;
    for _ in 0..12 {
        for index in 0..passes.list.len() {
            let result = compare_pass(&buffers, &passes, index, [&mut device, &mut twin], TOLERANCE).unwrap();
            largest = largest.max(result.unwrap_or_else(|difference| panic!("{difference}")));
        }
    }
    println!("{largest:.1e}");
}

#[test]
fn a_sheet_moving_with_the_wind_feels_nothing() {
    let w = DVec3::new(3.0, -1.0, 2.0);
    for (backend, forces) in Sheet::new(5, 1.0, 0.1, 0.2).in_wind(w).moving_at(w).after(1, "forces") {
        assert!(forces.iter().all(|&f| f.length() < 1e-10), "{backend}");
    }
}

#[test]
fn only_the_difference_of_wind_and_sheet_counts() {
    let (w, common) = (DVec3::new(5.0, -2.0, 1.0), DVec3::new(-7.0, 3.0, 4.0));
    let sheet = || Sheet::new(6, 1.0, 0.1, 0.2);
    let at_rest = sheet().in_wind(w).after(1, "forces");
    for others in [sheet().in_wind(w + common).moving_at(common), sheet().moving_at(-w)] {
        for ((backend, a), (_, b)) in at_rest.iter().zip(others.after(1, "forces")) {
            let largest = a.iter().map(|f| f.length()).fold(0.0, f64::max);
            assert!(largest > 0.1, "{backend}: {largest} N");
            let apart = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(apart < 1e-5 * largest, "{backend}: {apart} of {largest} N");
        }
    }
}

#[test]
fn the_particles_share_the_force_on_their_triangles() {
    let w = DVec3::new(5.0, -2.0, 1.0);
    let sheet = Sheet::new(6, 1.0, 0.1, 0.2).in_wind(w);
    let at = |p: u32| DVec3::from_slice(&sheet.positions[p as usize]);
    let total: DVec3 =
        sheet.triangles.iter().map(|&[a, b, c, _]| law(0.5 * (at(b) - at(a)).cross(at(c) - at(a)), w)).sum();
    for (backend, forces) in sheet.after(1, "forces") {
        let sum: DVec3 = forces.iter().sum();
        assert!((sum - total).length() < 1e-5 * total.length(), "{backend}: {sum}, not {total}");
    }
}

#[test]
fn a_plate_falling_broadside_reaches_its_terminal_velocity() {
    const WEIGHT: f64 = 0.3;
    let mut sheet = Sheet::new(2, 0.5, 0.0, WEIGHT);
    sheet.world.gravity = Vec4::new(0.0, -9.81, 0.0, 0.0);
    // m g = ½ ρ C_d A v², per area.
    let terminal = (2.0 * WEIGHT * 9.81 / (DENSITY * DRAG)).sqrt();
    for (backend, velocities) in sheet.after(3000, "velocities") {
        for v in velocities {
            println!("{backend}: {v} of {terminal}");
            assert!((v.y / -terminal - 1.0).abs() < 0.01, "{backend}: {v}, not {terminal}");
            assert!(v.x.abs().max(v.z.abs()) < 1e-3 * terminal, "{backend}: {v}");
        }
    }
}

/// Damping leaves `keep` of the velocity and all of the drag: (1 − keep) v/dt + ½ ρ C_d v²/μ = g, μ the mass per area.
#[test]
fn damping_slows_a_falling_plate_and_does_not_weaken_its_drag() {
    const WEIGHT: f64 = 0.3;
    for damping in [0.5, 5.0, 50.0] {
        let mut sheet = Sheet::new(2, 0.5, 0.0, WEIGHT);
        sheet.dt = 1.0 / 240.0;
        sheet.world.gravity = Vec4::new(0.0, -9.81, 0.0, 0.0);
        sheet.world.keep = (-damping * sheet.dt).exp();
        let (rate, drag) = ((1.0 - sheet.world.keep) / sheet.dt, 0.5 * DENSITY * DRAG / WEIGHT);
        let terminal = ((rate * rate + 4.0 * drag * 9.81).sqrt() - rate) / (2.0 * drag);
        for (backend, velocities) in sheet.after(3000, "velocities") {
            for v in velocities {
                assert!(
                    (v.y / -terminal - 1.0).abs() < 1e-5,
                    "damping {damping}, {backend}: {v}, not {terminal}"
                );
            }
        }
    }
}

/// A gram per square metre in a storm at 60 substeps a second: explicit drag would change the velocity by
/// three hundred times the wind's.
#[test]
fn wind_never_overshoots_on_light_cloth() {
    let w = DVec3::new(0.0, 30.0, 0.0);
    let mut sheet = Sheet::new(6, 1.0, 0.05, 0.001).in_wind(w);
    sheet.dt = 1.0 / 60.0;
    for steps in [1, 2, 3, 30] {
        for (backend, velocities) in sheet.after(steps, "velocities") {
            for v in velocities {
                assert!((w - v).length() <= w.length() * 1.0001, "{steps} steps, {backend}: {v} in wind {w}");
            }
        }
    }
}

#[test]
fn triangles_with_unknown_particles_or_materials_are_refused() {
    let said = |triangle: [u32; 4]| {
        wind::add_buffers(&mut Tables::new(), 3, &[triangle], &[[1.0, 0.0]]).unwrap_err().to_string()
    };
    assert!(said([0, 1, 3, 0]).contains("particle 3"), "{}", said([0, 1, 3, 0]));
    assert!(said([0, 1, 2, 1]).contains("material 1"), "{}", said([0, 1, 2, 1]));
}
