//! Magnetised rods: the hard-magnetic cantilever (Lum et al. 2016; Wang et al. 2020).
//!
//!   E I θ″ + M A B sin(φ − θ) = 0        Λ = M A B L²/(E I), φ the angle of B to the axis at rest

use crate::{backends, run, scene, tip};
use glam::DVec3;
use sinew::scene::{Field, FieldKind, Hold, Rigid, RigidShape, Rod, RodEnd, RodMaterial, RodShape, Scene};
use sinew::{Options, Precision, Simulation};
use std::f64::consts::PI;

const LENGTH: f64 = 0.1;
const RADIUS: f64 = 1e-3;
const MODULUS: f64 = 1e6;
const REMANENCE: f64 = 0.1;
/// E I [N m²], and M A [A m].
const STIFFNESS: f64 = MODULUS * PI / 4.0 * RADIUS * RADIUS * RADIUS * RADIUS;
const MOMENT: f64 = REMANENCE / (4e-7 * PI) * PI * RADIUS * RADIUS;

/// Along x, clamped at the origin, magnetised along itself.
fn cantilever(segments: u32) -> Rod {
    Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: LENGTH * DVec3::X, segments },
        material: RodMaterial {
            radius: RADIUS,
            youngs_modulus: MODULUS,
            stretch_modulus: Some(1e3 * MODULUS),
            density: 1000.0,
            ..RodMaterial::default()
        },
        remanence: vec![REMANENCE * DVec3::Z],
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        ..Rod::default()
    }
}

fn settled(rod: Rod, field: FieldKind, substeps: u32, options: &Options) -> Simulation {
    settled_after(4.0, 6.0, rod, field, substeps, options)
}

fn settled_after(
    seconds: f64,
    damping: f64,
    rod: Rod,
    field: FieldKind,
    substeps: u32,
    options: &Options,
) -> Simulation {
    let scene = Scene {
        gravity: DVec3::ZERO,
        substeps,
        damping,
        field: vec![Field { kind: field, ..Field::default() }],
        ..scene(rod)
    };
    run(&scene, options, seconds)
}

/// Λ, φ [degrees], and the tip over the length.
const TABLE: [(f64, f64, [f64; 2]); 5] = [
    (1.0, 90.0, [0.943567, 0.301721]),
    (5.0, 90.0, [0.612372, 0.713792]),
    (10.0, 90.0, [0.445004, 0.810609]),
    (3.0, 179.9, [0.653178, 0.663629]),
    (5.0, 179.9, [0.059784, 0.795217]),
];

fn bent(segments: u32, lambda: f64, angle: f64, options: &Options) -> DVec3 {
    let strength = lambda * STIFFNESS / (MOMENT * LENGTH * LENGTH);
    let (sin, cos) = angle.to_radians().sin_cos();
    let field = FieldKind::Uniform { field: strength * DVec3::new(cos, sin, 0.0) };
    // What buckles begins slowly.
    let (seconds, damping) = if angle > 90.0 { (16.0, 3.0) } else { (4.0, 6.0) };
    tip(&mut settled_after(seconds, damping, cantilever(segments), field, 10, options)) / LENGTH
}

#[test]
fn a_magnetised_cantilever_bends_as_the_elastica_says() {
    for (name, options) in backends() {
        for (lambda, angle, [x, y]) in TABLE {
            if name == "gpu" && (lambda, angle) != (5.0, 90.0) {
                continue;
            }
            let found = bent(50, lambda, angle, &options);
            println!("{name}, Λ = {lambda}, {angle}°: {found:.5}");
            // A hair beside the field that buckles: 0.1° move the tip by less than a part in a thousand.
            let error = (found - DVec3::new(x, y, 0.0)).length();
            assert!(error < 5e-3, "{name}, Λ = {lambda}, {angle}°: {found}, off by {error}");
        }
    }
}

#[test]
fn the_error_falls_with_the_square_of_the_segments() {
    let error = |segments: u32| {
        let found = bent(segments, 5.0, 90.0, &Options::cpu(Precision::F64));
        (found.y - 0.713792).abs()
    };
    let (coarse, fine) = (error(10), error(20));
    println!("{coarse:.2e} at 10 segments, {fine:.2e} at 20");
    let order = (coarse / fine).log2();
    assert!((1.7..2.3).contains(&order), "order {order}");
}

/// B = G (y, x, 0): a force MAG along y and a couple MAG x give MAG L⁴/3EI at the tip; the couple alone 5/8 of that.
#[test]
fn a_gradient_pushes_and_does_not_only_turn() {
    let bending = 0.02;
    let gradient = 3.0 * STIFFNESS * bending * LENGTH / (MOMENT * LENGTH.powi(4));
    let rows = vec![gradient * DVec3::Y, gradient * DVec3::X, DVec3::ZERO];
    for (name, options) in backends() {
        let field = FieldKind::Gradient { field: DVec3::ZERO, rows: rows.clone() };
        let found = tip(&mut settled(cantilever(50), field, 10, &options)).y / LENGTH;
        let error = found / bending - 1.0;
        println!("{name}: {found:.6}, off by {:.3} %", 100.0 * error);
        assert!(error.abs() < 5e-3, "{name}: {found}");
    }
}

/// Across the axis, in a field across both: it twists by M A B L²/2GJ.
#[test]
fn a_rod_magnetised_across_twists() {
    let twist = 0.3;
    let shear = MODULUS / (2.0 * 1.5);
    let torsion = shear * PI / 2.0 * RADIUS.powi(4);
    let strength = 2.0 * twist * torsion / (MOMENT * LENGTH * LENGTH);
    let material = RodMaterial { poisson_ratio: 0.5, ..cantilever(50).material };
    let rod =
        Rod { remanence: vec![REMANENCE * DVec3::X], normal: Some(DVec3::Y), material, ..cantilever(50) };
    for (name, options) in backends() {
        let field = FieldKind::Uniform { field: strength * DVec3::Z };
        let mut simulation = settled(rod.clone(), field, 20, &options);
        let frames = simulation.frames().unwrap();
        let last = frames.orientations[frames.orientations.len() - 1] * DVec3::X;
        let found = last.z.atan2(last.y).abs();
        println!("{name}: {found:.4}");
        // Less by the share of the field that the twisted moments no longer see, cos θ.
        assert!((found / twist - 1.0).abs() < 0.05, "{name}: {found}");
    }
}

/// What a magnet does to a rod, the rod does to the magnet.
#[test]
fn rods_push_back() {
    let rod = Rod { start: RodEnd::default(), ..cantilever(10) };
    let magnet = Rigid {
        shape: RigidShape::Sphere { radius: 0.01 },
        position: DVec3::new(0.08, 0.03, 0.01),
        remanence: Some(DVec3::new(0.3, 0.8, 0.4)),
        ..Rigid::default()
    };
    let scene = Scene { gravity: DVec3::ZERO, time_step: 1e-3, rigid: vec![magnet], ..scene(rod) };
    for ((name, options), tolerance) in backends().into_iter().zip([1e-11, 1e-5, 1e-5]) {
        let mut simulation = run(&scene, &options, 0.02);
        let measures = simulation.measure().unwrap();
        let mass = 0.0042;
        let moved = (2.0 * measures.kinetic_energy * mass).sqrt();
        assert!(moved > 1e-6, "{name}: {moved}");
        println!(
            "{name}: {:.1e}, {:.1e}",
            measures.momentum.length() / moved,
            measures.spin.length() / moved / LENGTH
        );
        assert!(measures.momentum.length() < tolerance * moved, "{name}: {}", measures.momentum);
        // The stiffness of rods keeps angular momentum to first order in the substep only: 9e-6 here, a tenth of that at ten times the substeps.
        assert!(measures.spin.length() < 3e-5 * moved * LENGTH, "{name}: {}", measures.spin);
    }
}
