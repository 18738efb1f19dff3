//! Magnets made of cells against closed forms and tables.

use crate::{assert_close, backends, scene, simulate};
use glam::DVec3;
use sinew::scene::{Rigid, RigidShape, Scene, TriangleMesh};
use sinew::{Options, Precision};
use std::f64::consts::TAU;

/// Force on the second of two bodies [N], and what the first gets beyond its opposite.
fn force(bodies: [Rigid; 2], tolerance: f64, options: &Options) -> (DVec3, DVec3) {
    let bodies = bodies.map(|body| Rigid { mass: Some(1.0), inertia: Some(DVec3::ONE), ..body });
    let scene = Scene {
        gravity: DVec3::ZERO,
        time_step: 1e-3,
        substeps: 1,
        magnet_tolerance: tolerance,
        ..scene(bodies.to_vec())
    };
    let mut simulation = simulate(&scene, options);
    simulation.advance(1).unwrap();
    let v = simulation.velocities().unwrap();
    (v[1] / 1e-3, (v[0] + v[1]) / 1e-3)
}

fn cube(y: f64, cells: u32) -> Rigid {
    Rigid {
        shape: RigidShape::Box { size: DVec3::splat(0.01) },
        position: DVec3::new(0.0, y, 0.0),
        remanence: Some(DVec3::Y),
        cells: Some(cells),
        ..Rigid::default()
    }
}

/// Two coaxial cubes of 1 cm and 1 T: sums over N³ dipoles.
#[test]
fn cubes_of_cells_attract_as_their_sums_say() {
    let table: [(f64, [f64; 5]); 5] = [
        (0.5, [31.2589, 30.9934, 29.5882, 28.3570, 25.7737]),
        (1.0, [25.9514, 24.0178, 22.4184, 21.4942, 20.4682]),
        (2.0, [18.3234, 15.9263, 15.0778, 14.8089, 14.6773]),
        (5.0, [7.5053, 6.6529, 6.5821, 6.5723, 6.5685]),
        (20.0, [0.4691, 0.4638, 0.4636, 0.4635, 0.4635]),
    ];
    for (gap, row) in table {
        for (cells, expected) in [1, 2, 3, 4, 8].into_iter().zip(row) {
            // The table has six digits, and four at the end.
            let digits = if gap > 10.0 { 2e-4 } else { 1e-5 };
            let pair = || [cube(0.0, cells), cube(0.01 + 1e-3 * gap, cells)];
            let (found, _) = force(pair(), 1e-12, &Options::cpu(Precision::F64));
            assert_close(&format!("{gap} mm, {cells}³"), -found.y, expected, digits);
            let (found, _) = force(pair(), 1e-12, &Options::cpu(Precision::F32));
            assert_close(&format!("{gap} mm, {cells}³ in f32"), -found.y, expected, 1e-4 + digits);
        }
    }
    let (found, _) = force([cube(0.0, 4), cube(0.012, 4)], 1e-12, &backends()[2].1);
    assert_close("2 mm, 4³ on the device", -found.y, 14.8089, 1e-4);
}

/// A ring, or a disc without a hole, around y, of the same area as the round one.
fn ring(radii: [f64; 2], height: f64) -> TriangleMesh {
    const SIDES: u32 = 64;
    let angle = TAU / f64::from(SIDES);
    // A polygon of this radius has the area of the circle.
    let wider = (angle / angle.sin()).sqrt();
    let mut mesh = TriangleMesh::default();
    for k in 0..SIDES {
        let (sin, cos) = (angle * f64::from(k)).sin_cos();
        for (radius, y) in [(1, 0.5), (1, -0.5), (0, -0.5), (0, 0.5)] {
            let r = radii[radius] * wider;
            mesh.positions.push(DVec3::new(r * sin, y * height, r * cos));
        }
        let (a, b) = (4 * k, 4 * ((k + 1) % SIDES));
        for side in 0..4 {
            let (c, d) = (side, (side + 1) % 4);
            mesh.triangles.push([a + c, a + d, b + c]);
            mesh.triangles.push([b + c, a + d, b + d]);
        }
    }
    mesh
}

fn round_magnet(radii: [f64; 2], remanence: f64, y: f64) -> Rigid {
    Rigid {
        shape: RigidShape::Triangles(ring(radii, 0.005)),
        position: DVec3::new(0.0, y, 0.0),
        remanence: Some(DVec3::Y * remanence),
        cells: Some((2e3 * radii[1]).round() as u32),
        ..Rigid::default()
    }
}

/// Coaxial rings of 10 and 20 mm, 1.2 T, and discs of 5 mm, 1 T, both 5 mm high, with cells of 1 mm. The hole of a disc is of 1 µm.
#[test]
fn coaxial_rings_and_discs_attract_as_closed_forms_say() {
    let rings = [(1.0, 127.79), (2.0, 93.950), (5.0, 45.282), (10.0, 17.869), (20.0, 5.2398), (30.0, 2.3414)];
    let discs = [(1.0, 11.242), (2.0, 7.6027), (5.0, 2.9121), (10.0, 0.81811)];
    let rings = rings.map(|(gap, newton)| ("rings", [0.01, 0.02], 1.2, gap, newton));
    let discs = discs.map(|(gap, newton)| ("discs", [1e-6, 0.005], 1.0, gap, newton));
    for (name, radii, remanence, gap, expected) in rings.into_iter().chain(discs) {
        let pair = [0.0, 0.005 + 1e-3 * gap].map(|y| round_magnet(radii, remanence, y));
        let (found, _) = force(pair, 1e-3, &Options::cpu(Precision::F32));
        println!("{name} at {gap} mm: {:.4} N, {:+.2} %", -found.y, 100.0 * (-found.y / expected - 1.0));
        assert_close(&format!("{name} at {gap} mm"), -found.y, expected, 1e-2);
    }
}

/// What the tree leaves out is no more than was asked for, however two bodies lie.
#[test]
fn trees_err_by_less_than_their_tolerance() {
    let mut state = 7u64;
    let mut unit = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut worst = 0f64;
    for pose in 0..100 {
        let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_| size * (2.0 * unit() - 1.0)));
        let direction = vector(1.0).normalize();
        let bar = |body: Rigid, size: DVec3| Rigid { shape: RigidShape::Box { size }, ..body };
        let one = Rigid { rotation: vector(180.0), remanence: Some(vector(1.0)), ..cube(0.0, 8) };
        let other = Rigid {
            rotation: vector(180.0),
            position: direction * (0.018 + 3e-4 * f64::from(pose)),
            remanence: Some(vector(1.0)),
            ..cube(0.0, 8)
        };
        let other = bar(other, DVec3::new(0.01, 0.007, 0.005));
        let exact = force([one.clone(), other.clone()], 1e-12, &Options::cpu(Precision::F64)).0;
        let found = force([one, other], 1e-2, &Options::cpu(Precision::F64)).0;
        worst = worst.max((found - exact).length() / exact.length());
    }
    println!("worst of 100: {worst:.1e} with a tolerance of 1e-2");
    assert!(worst < 1e-2, "{worst}");
    assert!(worst > 1e-6, "the tree must have been used: {worst}");
}

/// Whatever the tree does: equal and opposite to the bit.
#[test]
fn cells_push_back_to_the_bit() {
    let one = Rigid { rotation: DVec3::new(10.0, 20.0, 30.0), ..cube(0.0, 6) };
    let other = Rigid {
        rotation: DVec3::new(-40.0, 5.0, 70.0),
        position: DVec3::new(0.004, 0.017, 0.003),
        ..cube(0.0, 4)
    };
    for (name, options) in backends() {
        let (force, left) = force([one.clone(), other.clone()], 1e-2, &options);
        assert!(force.length() > 0.1, "{name}: {force}");
        assert_eq!(left, DVec3::ZERO, "{name}");
    }
}

/// Balls of 5 mm, 0.5 g and 1.19 T hold each other with 3.688 N.
#[test]
fn touching_balls_hold_each_other() {
    let ball = |y: f64| Rigid {
        shape: RigidShape::Sphere { radius: 2.5e-3 },
        position: DVec3::new(0.0, y, 0.0),
        remanence: Some(1.19 * DVec3::Y),
        ..Rigid::default()
    };
    for (name, options) in backends() {
        let (force, _) = force([ball(0.0), ball(0.005)], 1e-3, &options);
        assert_close(name, -force.y, 3.688, 5e-4);
    }
}

/// Bars of many cells that fly past each other keep their momenta and energy.
#[test]
fn magnets_of_cells_keep_their_momenta_and_energy() {
    let bar = |k: u32| Rigid {
        shape: RigidShape::Box { size: DVec3::new(0.004, 0.008, 0.004) },
        position: DVec3::new(f64::from(k % 2), f64::from(k / 2), 0.25 * f64::from(k)) / 64.0,
        rotation: DVec3::new(50.0, 70.0, 110.0) * f64::from(k),
        remanence: Some(DVec3::Y),
        cells: Some(4),
        density: 7500.0,
        ..Rigid::default()
    };
    let bodies: Vec<Rigid> = (0..4).map(bar).collect();
    let mass = 7500.0 * 1.28e-7;
    let scene = Scene {
        gravity: DVec3::ZERO,
        time_step: 1e-3,
        substeps: 50,
        magnet_tolerance: 1e-12,
        ..scene(bodies)
    };
    for ((name, options), tolerance) in backends().into_iter().zip([1e-12, 1e-5, 1e-5]) {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap();
        simulation.advance(6).unwrap();
        let end = simulation.measure().unwrap();
        let speed = (end.kinetic_energy / mass).sqrt();
        println!(
            "{name}: {:.2e} J, {:.1e}, {:.1e}, energy {:+.1e}",
            end.kinetic_energy,
            end.momentum.length() / (mass * speed),
            end.spin.length() / (mass * speed * 0.02),
            (end.energy() - start.energy()) / end.kinetic_energy
        );
        assert!(end.kinetic_energy > 1e-7, "{name}: they must move");
        assert!(end.momentum.length() < tolerance * mass * speed, "{name}: {}", end.momentum);
        assert!(end.spin.length() < tolerance * mass * speed * 0.05, "{name}: {}", end.spin);
        assert!((end.energy() - start.energy()).abs() < 0.01 * end.kinetic_energy, "{name}: energy");
    }
}
