//! Spillmann & Teschner's (2009) reference model, and what it says about rods with frames.

use super::assert_close;
use glam::DVec3;
use sinew::nets::reference::{ReferenceRod, place};

/// The rod of Spillmann & Teschner's comparison: 10 m along z, with its section law.
fn rod(segments: usize) -> ReferenceRod {
    ReferenceRod {
        line_density: 0.408_407,
        // Its bending inertia is counted once, by the points; that of its twist is Spillmann & Teschner's.
        inertia: [1.021e-5, 0.204_204],
        stretch: 3.141_593e5,
        bending: DVec3::new(78.539_8, 78.539_8, 628.318_5),
        ..ReferenceRod::line(DVec3::ZERO, 10.0 * DVec3::Z, segments)
    }
}

#[test]
fn the_forces_of_the_reference_are_the_differences_of_its_energy() {
    let mut rod = rod(5);
    rod.gravity = DVec3::new(0.3, -0.2, 9.81);
    for (i, g) in rod.state.iter_mut().enumerate() {
        *g += 0.3 * (1.0 + 1.7 * i as f64).sin();
    }
    let forces = rod.forces();
    for (i, force) in forces.iter().enumerate() {
        let step = 1e-5;
        let moved = |size: f64| {
            let mut moved = rod.clone();
            moved.state[i] += size;
            let e = moved.energies();
            e.total() - e.kinetic
        };
        let slope = (moved(-step) - moved(step)) / (2.0 * step);
        assert!((force - slope).abs() < 1e-5 * (1.0 + slope.abs()), "coordinate {i}: {force} and {slope}");
    }
}

/// It swings for several seconds without gaining or losing, and as the point masses do: the chain's and the rigid rod's
/// periods, 5.276 s and 5.180 s, enclose it.
#[test]
fn the_reference_swings_with_the_energy_it_was_given() {
    let mut rod = rod(10);
    // Along +z, with gravity that way: the frames of a rod along −z have no meaning.
    rod.gravity = DVec3::new(0.0, 0.0, 9.81);
    rod.hold_point(0);
    rod.hold_roll(0);
    for i in 0..=10 {
        let s = i as f64;
        rod.state[place(i)] = s * 0.1f64.sin();
        rod.state[place(i) + 2] = s * 0.1f64.cos();
    }
    let start = rod.energies().total();
    let (dt, mut crossings) = (2e-4, Vec::new());
    let mut last = rod.point(10).x;
    for step in 0..50_000u32 {
        assert!(rod.step(dt));
        let x = rod.point(10).x;
        if last < 0.0 && x >= 0.0 {
            crossings.push(f64::from(step) * dt - dt * x / (x - last));
        }
        last = x;
    }
    let end = rod.energies();
    let swing = 0.408_407 * 9.81 * 50.0 * (1.0 - 0.1f64.cos());
    let drift = (end.total() - start) / swing;
    println!("crossings {crossings:?}, drift {drift:.1e} of what swings");
    assert!(drift.abs() < 1e-3, "{drift}");
    assert_close("period", (crossings[0] - 0.0) * 4.0 / 3.0, 5.2395, 0.003);
}

/// A straight rod whose ends are held and turned against each other [rad].
fn twisted(segments: usize, turn: f64) -> ReferenceRod {
    let mut rod = rod(segments);
    // The end segments keep their direction and may stretch.
    rod.hold_point(0);
    rod.hold_point(segments);
    for i in [1, segments - 1] {
        rod.held[place(i)..place(i) + 2].fill(true);
    }
    for i in 0..segments {
        rod.state[place(i) + 3] = turn * i as f64 / (segments - 1) as f64;
    }
    rod.hold_roll(0);
    rod.hold_roll(segments - 1);
    rod
}

/// Twisted by 3π/2 and buckled, at rest: stretch 1.194 J, bending 2.400 J, twist 706.53 J, 31.4 mm out of line. Rods with
/// frames come to the same as what holds their frames to the line stiffens.
#[test]
fn the_reference_buckles_to_the_energies_of_rods_with_frames() {
    let (segments, turn) = (50, 1.5 * std::f64::consts::PI);
    let mut rod = twisted(segments, turn);
    let before = rod.energies();
    assert_close("twist before", before.twist, 711.33, 1e-3);
    // Straight it stays straight.
    let mut straight = rod.clone();
    straight.relax(1e-7, 20).unwrap();
    assert!((0..=segments).all(|i| straight.point(i).truncate().length() < 1e-9));
    for i in 2..segments - 1 {
        let s = std::f64::consts::PI * i as f64 / segments as f64;
        rod.state[place(i)] += 0.01 * s.sin();
    }
    let steps = rod.relax(1e-6, 400).expect("an equilibrium");
    let e = rod.energies();
    let bow = (0..=segments).map(|i| rod.point(i).truncate().length()).fold(0.0, f64::max);
    println!("{steps} steps: {e:?}, {:.2} mm", 1e3 * bow);
    assert_close("stretch", e.stretch, 1.194, 0.01);
    assert_close("bending", e.bend, 2.400, 0.01);
    assert_close("twist", e.twist, 706.53, 0.01);
    assert_close("bow", bow, 0.0314, 0.01);
}

/// (PL³/3K₁₁)(1 − 1/n)(1 − 1/2n), what rods with frames come to as shear stiffens.
#[test]
fn the_reference_bends_as_a_cantilever_with_its_first_segment_held() {
    for segments in [10usize, 20, 40] {
        let mut rod = ReferenceRod {
            stretch: 1e4,
            bending: DVec3::new(2.0, 2.0, 1.0),
            ..ReferenceRod::line(DVec3::ZERO, DVec3::Z, segments)
        };
        rod.hold_point(0);
        rod.hold_roll(0);
        rod.held[place(1)..place(1) + 2].fill(true);
        let (load, n) = (1e-4, segments as f64);
        rod.loads[place(segments)] = load;
        rod.relax(1e-9, 100).expect("an equilibrium");
        let expected = load / 6.0 * (1.0 - 1.0 / n) * (1.0 - 0.5 / n);
        let sag = rod.point(segments).x;
        println!("n = {segments}: {sag:.6e} m of {expected:.6e}");
        assert_close("sag", sag, expected, 1e-4);
    }
}

/// Greenhill's twist, 8.98682 K₁₁/K₃₃, where rods with frames and as many segments have it.
#[test]
fn the_reference_buckles_at_the_twist_of_rods_with_frames() {
    for (segments, with_frames) in [(20usize, 1.1383), (50, 1.1256)] {
        let is_stable = |turn: f64| twisted(segments, turn).is_stable();
        let (mut low, mut high) = (0.9, 1.4);
        assert!(is_stable(low) && !is_stable(high));
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            if is_stable(middle) { low = middle } else { high = middle }
        }
        println!("n = {segments}: {low:.4} rad, with frames {with_frames}");
        assert_close("critical twist", low, with_frames, 0.01);
    }
}

/// The slowest swing of the hanging rod, with the section's inertia times α: what rods with frames count twice is part of it.
#[test]
fn the_reference_swings_with_the_periods_of_rods_with_frames() {
    for (factor, with_frames) in [(1.0, 5.2620), (0.1, 5.2419), (0.01, 5.2398), (0.001, 5.2396)] {
        let segments = 40;
        let mut rod = rod(segments);
        rod.inertia[0] = 0.102_102 * factor;
        rod.gravity = DVec3::new(0.0, 0.0, 9.81);
        rod.hold_point(0);
        rod.hold_roll(0);
        rod.relax(1e-8, 100).expect("an equilibrium");
        let period = rod.slowest_period().expect("it hangs");
        println!("α = {factor}: {period:.5} s, with frames {with_frames}");
        assert_close("period", period, with_frames, 1e-3);
    }
}
