//! Single particles against answers known on paper: fall, damping, pins and wind.

use crate::common::*;
use glam::DVec3;
use sinew::scene::{
    Bending, Cloth, ClothShape, Edge, Keyframe, Masses, Pin, Points, PointsShape, Scene, Selector, Wind,
    motion,
};

/// A particle that nothing holds, thrown.
fn particle(position: DVec3, velocity: DVec3, pin: Vec<Pin>) -> Points {
    Points {
        shape: PointsShape::List {
            points: vec![position],
            masses: Masses::Each(0.1),
            links: vec![],
            triangles: vec![],
            tetrahedra: vec![],
        },
        velocity,
        pin,
        ..Default::default()
    }
}

/// Roundings in n substeps of free fall, relative to the result: a few for the inputs g and dt, and one per substep
/// of a velocity that grows evenly. Adding the same g dt again and again rounds the same way throughout a binade, so
/// these do not cancel: in the worst case they add up to n/2 for the velocity and n/3 for the position.
fn fall_roundings(n: f64) -> f64 {
    4.0 + n / 2.0
}

#[test]
fn a_falling_particle_is_exact_to_the_integrator_at_any_distance_and_substep() {
    for backend in backends() {
        for (rate, substeps, origin) in [(240, 4, 0.0), (9600, 160, 0.0), (9600, 160, 100.0)] {
            let start = DVec3::new(origin, origin + 1.0, -origin);
            let scene = Scene {
                time_step: 1.0 / 60.0,
                substeps,
                points: vec![particle(start, DVec3::ZERO, vec![])],
                ..Default::default()
            };
            let mut simulation = backend.simulate(&scene);
            simulation.advance(30).unwrap();
            let n = f64::from(substeps) * 30.0;
            let dt = 1.0 / f64::from(rate);
            let fallen = G * dt * dt * n * (n + 1.0) / 2.0;
            // What the position itself can hold: half an ulp.
            let resolution = backend.rounding * (origin + 1.0);
            let relative = fall_roundings(n) * backend.rounding;
            let name = format!("{}, {rate} substeps/s, {origin} m away", backend.name);
            let x = simulation.positions().unwrap()[0];
            assert_near(start.y - x.y, fallen, relative * fallen + resolution, &format!("{name}: fall"));
            assert_near(x.x, start.x, 0.0, &format!("{name}: sideways"));
            let v = simulation.velocities().unwrap()[0];
            let speed = G * dt * n;
            assert_near(-v.y, speed, relative * speed, &format!("{name}: speed"));
        }
    }
}

/// One substep moves it by a hundredth of what f32 can tell apart at 100 m: the residuals must add up.
#[test]
fn slow_motion_far_from_the_origin_is_not_lost() {
    for backend in backends() {
        let (start, velocity) = (DVec3::new(100.0, -100.0, 100.0), DVec3::new(1e-3, 1e-3, -1e-3));
        let scene = Scene {
            gravity: DVec3::ZERO,
            substeps: 160,
            points: vec![particle(start, velocity, vec![])],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(30).unwrap();
        let moved = simulation.positions().unwrap()[0] - start;
        // Half an ulp of the position, and one rounding of the step per substep.
        let tolerance = backend.rounding * (128.0 + 4800.0 * 0.5e-3);
        for axis in 0..3 {
            assert_near(moved[axis], 0.5 * velocity[axis], tolerance, backend.name);
        }
    }
}

#[test]
fn damping_decays_a_velocity_exponentially() {
    /// Each of n substeps multiplies by a rounded factor and divides offsets by dt: at most 3 roundings a substep.
    const ROUNDINGS_PER_SUBSTEP: f64 = 3.0;
    for backend in backends() {
        let velocity = DVec3::new(3.0, -1.0, 0.5);
        let scene = Scene {
            gravity: DVec3::ZERO,
            damping: 1.7,
            points: vec![particle(DVec3::ZERO, velocity, vec![])],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(60).unwrap();
        let expected = velocity * (-1.7f64).exp();
        let error = simulation.velocities().unwrap()[0].distance(expected) / expected.length();
        assert_below(error, ROUNDINGS_PER_SUBSTEP * 600.0 * backend.rounding, backend.name);
    }
}

#[test]
fn a_keyframed_pin_follows_its_track() {
    /// Blending of rotations between records of 10° is off by at most 0.00123°, here on an arm of 0.25 m.
    const BLEND: f64 = 0.25 * 0.00123 * std::f64::consts::PI / 180.0;
    /// A point on a track is a handful of f32 operations on numbers of the size of the positions.
    const TRACK_ROUNDINGS: f64 = 8.0;
    let keyframes = vec![
        Keyframe { time: 0.0, ..Default::default() },
        Keyframe { time: 0.3, offset: DVec3::new(0.5, -0.25, 0.0), ..Default::default() },
        Keyframe { time: 0.7, offset: DVec3::new(0.5, 1.0, 0.125), rotation: DVec3::new(0.0, 0.0, 135.0) },
    ];
    let pivot = DVec3::new(0.25, 1.0, 0.0);
    let start = DVec3::new(0.0, 1.0, 0.0);
    for backend in backends() {
        let pin = Pin { motion: keyframes.clone(), pivot: Some(pivot), ..hold(vec![0]) };
        let scene = Scene { points: vec![particle(start, DVec3::ZERO, vec![pin])], ..Default::default() };
        let mut simulation = backend.simulate(&scene);
        let mut furthest = |steps, blend: f64| {
            let mut worst = 0.0f64;
            for _ in 0..steps {
                simulation.step().unwrap();
                let expected = motion::pose_at(&keyframes, simulation.time()).apply(start, pivot);
                worst = worst.max(simulation.positions().unwrap()[0].distance(expected));
            }
            assert_below(worst, blend + TRACK_ROUNDINGS * 2.0 * backend.rounding, backend.name);
        };
        furthest(18, 0.0);
        furthest(32, BLEND);
    }
}

#[test]
fn a_released_pin_falls_freely_from_then_on() {
    /// The pin carries its particle with 2 m/s, so that an error of 1/600 s in the release would be 3 mm.
    const CARRIED: f64 = 2.0;
    for backend in backends() {
        let track = vec![
            Keyframe { time: 0.0, ..Default::default() },
            Keyframe { time: 1.0, offset: DVec3::X * CARRIED, ..Default::default() },
        ];
        // Half a substep before the end of one: rounding does not decide which substep is the first free one.
        let (held, dt) = (120.0, 1.0 / 600.0);
        let pin = Pin { motion: track, release: Some((held + 0.5) * dt), ..hold(vec![0]) };
        let scene = Scene { points: vec![particle(DVec3::Y, DVec3::ZERO, vec![pin])], ..Default::default() };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(12).unwrap();
        assert_eq!(simulation.positions().unwrap()[0].y, 1.0, "{}: held", backend.name);
        simulation.advance(18).unwrap();
        let n = 300.0 - held;
        let x = simulation.positions().unwrap()[0];
        let fallen = G * dt * dt * n * (n + 1.0) / 2.0;
        let tolerance = fall_roundings(n) * backend.rounding * fallen + backend.rounding;
        assert_near(1.0 - x.y, fallen, tolerance, &format!("{}: fall", backend.name));
        // The last held substep gives the velocity: a difference of two points on the track, over dt.
        let thrown = 2.0 * backend.rounding / dt * n * dt;
        assert_near(x.x, CARRIED * 0.5, thrown, &format!("{}: carried on", backend.name));
    }
}

#[test]
fn a_released_end_takes_part_in_its_links_as_the_mass_it_is() {
    // A light particle held beside a heavy one, 10 % apart from rest when let go: in the first free substep a
    // solver that still took it for fixed would move it by the ratio of masses, 100 times too far.
    for (backend, solver, name) in backends_and_solvers() {
        let light = 0.01;
        let mut body = linked(vec![DVec3::ZERO, DVec3::X], 1.0, 0.0, vec![[0, 1]], vec![]);
        let PointsShape::List { masses, .. } = &mut body.shape else { unreachable!() };
        *masses = Masses::List(vec![light, 1.0]);
        let pull = vec![
            Keyframe { time: 0.0, ..Default::default() },
            Keyframe { time: 0.01, offset: DVec3::X * 0.1, ..Default::default() },
        ];
        body.pin = vec![
            Pin { release: Some(0.0205), ..hold(vec![0]) },
            Pin { release: Some(0.0205), motion: pull, ..hold(vec![1]) },
        ];
        let scene = Scene {
            gravity: DVec3::ZERO,
            time_step: 0.001,
            substeps: 1,
            iterations: 4,
            solver,
            points: vec![body],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(21).unwrap();
        let x = simulation.positions().unwrap();
        // Jacobi's relaxation is plain here: one constraint per particle, so one iteration closes the link.
        let centre = (light * x[0] + x[1]).x / (1.0 + light);
        assert_near(x[0].distance(x[1]), 1.0, 8.0 * backend.rounding, &format!("{name}: length"));
        assert_near(centre, 1.1 / (1.0 + light), 8.0 * backend.rounding, &format!("{name}: centre of mass"));
    }
}

#[test]
fn a_compliant_pin_sags_by_compliance_times_weight() {
    /// After settling for many time constants only rounding is left; the sag is a difference of two positions of
    /// 1 m and is itself 2 mm.
    const TOLERANCE: f64 = 0.001;
    let (compliance, weight) = (2e-3, 0.1 * G);
    for (backend, solver, name) in backends_and_solvers() {
        let pin = Pin { compliance, ..hold(vec![0]) };
        let scene = Scene {
            damping: 60.0,
            solver,
            iterations: 2,
            points: vec![particle(DVec3::Y, DVec3::ZERO, vec![pin])],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(60).unwrap();
        let sag = 1.0 - simulation.positions().unwrap()[0].y;
        assert_close(sag, compliance * weight, TOLERANCE, &name);
    }
}

/// A strip of 0.5 m by 0.1 m held along its top edge.
fn banner(density: f64, drag: f64, lift: f64) -> Cloth {
    Cloth {
        shape: ClothShape::Grid { size: [0.1, 0.5], cells: [2, 10] },
        density,
        drag,
        lift,
        bending: Bending::None,
        pin: vec![Pin { selector: Selector::Edge(Edge::Top), ..Default::default() }],
        ..Default::default()
    }
}

/// Every piece of a sheet that hangs straight in a steady wind carries the same load, so it stays straight, at the
/// angle ψ from the vertical where weight and air balance across it:
///   σ g sin ψ = ½ ρ v² cos ψ (C_d cos ψ + C_l sin² ψ).
#[test]
fn a_banner_hangs_in_the_wind_at_the_angle_where_weight_and_air_balance() {
    /// The sheet stretches by less than 0.1 % and its lowest row carries half a row's load: 1 % of the angle.
    const TOLERANCE: f64 = 0.01;
    let (density, speed, drag, lift) = (0.2, 2.0, 1.0, 0.5);
    let imbalance = |psi: f64| {
        let air = 0.5 * 1.225 * speed * speed * psi.cos() * (drag * psi.cos() + lift * psi.sin().powi(2));
        density * G * psi.sin() - air
    };
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if imbalance(middle) < 0.0 { low = middle } else { high = middle }
    }
    for (backend, solver, name) in backends_and_solvers() {
        let scene = Scene {
            solver,
            iterations: 4,
            damping: 8.0,
            wind: Some(Wind { velocity: DVec3::Z * speed, ..Default::default() }),
            cloth: vec![banner(density, drag, lift)],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(120).unwrap();
        let x = simulation.positions().unwrap();
        let (top, tip) = (x[31], x[1]);
        let angle = (tip.z - top.z).atan2(top.y - tip.y);
        assert_close(angle, low, TOLERANCE, &name);
    }
}

#[test]
fn without_gravity_a_flag_settles_downwind() {
    /// Weather-vaning slows as the sheet aligns; after 2 s at 6 m/s it is within 5 % of its length.
    const TOLERANCE: f64 = 0.05;
    for (backend, solver, name) in backends_and_solvers() {
        let scene = Scene {
            gravity: DVec3::ZERO,
            solver,
            iterations: 4,
            damping: 4.0,
            wind: Some(Wind { velocity: DVec3::Z * 6.0, ..Default::default() }),
            cloth: vec![banner(0.1, 1.0, 0.5)],
            ..Default::default()
        };
        let mut simulation = backend.simulate(&scene);
        simulation.advance(120).unwrap();
        let x = simulation.positions().unwrap();
        let along = (x[1].z - x[31].z) / 0.5;
        assert_near(along, 1.0, TOLERANCE, &format!("{name}: downwind share of the length"));
    }
}
