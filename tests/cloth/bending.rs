//! Bending of finite-element sheets: the rigidity on a cylinder and that of a cantilever.

use crate::sheet::{FORCES, PLACES, Place, deform, equilateral, pin, run_to_last, scene, vectors};
use glam::DVec3;
use sinew::Simulation;
use sinew::model::Model;
use sinew::scene::{ClothShape, ConjugateGradients, Fabric, Integrator};
use sinew::solver::Solver;

/// A sheet of equilateral triangles rolled with radius 1 about an axis in its plane stores ½ B κ² per area, B = k_e/4,
/// whichever way it is rolled, and its forces do that work when the curvature grows: Σ f · ∂x/∂κ = −B κ per area.
#[test]
fn a_sheet_rolled_to_a_cylinder_stores_half_its_rigidity_per_area() {
    const B: f64 = 1e-4;
    const EDGE: f64 = 0.02;
    for axis in [0.0f64, 0.3, 1.1] {
        let mut scene = scene([1.0, 1.0], [1, 1], Fabric::default(), 1e-6);
        scene.cloth[0].shape = ClothShape::Triangles(equilateral([40, 40], EDGE));
        scene.cloth[0].bending_stiffness = B;
        let flat = Model::new(&scene).unwrap();
        let (along, across) =
            (DVec3::new(axis.cos(), axis.sin(), 0.0), DVec3::new(-axis.sin(), axis.cos(), 0.0));
        let mut rolled = flat.clone();
        deform(&mut rolled, |x| {
            let u = x.dot(across);
            along * x.dot(along) + across * u.sin() + DVec3::Z * (1.0 - u.cos())
        });
        let x = &rolled.particles.positions;
        let at = |p: u32| x[p as usize];
        let rest = |p: u32| flat.particles.positions[p as usize];
        // How a particle moves when the curvature grows.
        let motion = |p: u32| {
            let u = rest(p).dot(across);
            across * (u * u.cos() - u.sin()) + DVec3::Z * (u * u.sin() - (1.0 - u.cos()))
        };
        // A window of whole periods of the lattice, away from the boundary, which has no hinges.
        let (low, size) = (DVec3::new(0.1, 0.1, 0.0), DVec3::new(20.0, 20.0 * 0.75f64.sqrt(), 0.0) * EDGE);
        let folds = &flat.elements[0].folds;
        let inside: Vec<usize> = (0..folds.len())
            .filter(|&k| {
                let middle = 0.5 * (rest(folds[k].particles[2]) + rest(folds[k].particles[3])) - low;
                middle.cmpge(DVec3::ZERO).all() && middle.x < size.x && middle.y < size.y
            })
            .collect();
        let full = size.x * size.y * 4.0 * B;
        let energy: f64 = inside.iter().map(|&k| folds[k].energy(folds[k].particles.map(at))).sum();
        let coefficient = energy / (0.5 * full);
        println!("axis {axis}: {coefficient}");
        assert!((coefficient - 0.25).abs() < 1e-4 * 0.25, "axis {axis}: {coefficient}");

        let solver = Solver::new(&rolled).unwrap();
        for place in PLACES {
            let mut executor = place.executor(&solver);
            run_to_last(&solver, executor.as_mut(), &FORCES);
            let corners = vectors(&solver, executor.as_mut(), "corner_forces");
            let first = 3 * flat.elements[0].membranes.len();
            let work: f64 = inside
                .iter()
                .flat_map(|&k| (0..4).map(move |c| (4 * k + c, folds[k].particles[c])))
                .map(|(slot, particle)| corners[first + slot].dot(motion(particle)))
                .sum();
            let coefficient = -work / full;
            println!("axis {axis}, {place:?}: {coefficient}");
            assert!((coefficient - 0.25).abs() < 1e-4 * 0.25, "axis {axis}, {place:?}: {coefficient}");
        }
    }
}

/// A cantilever of 3 cm: between 1.490 mm (wide) and 1.677 mm (narrow) of small-deflection theory.
#[test]
fn a_cantilever_sags_as_its_bending_rigidity_says() {
    const ROWS: u32 = 18;
    // Rows 0 and 1 are clamped. The hinges of row 1 stand for half a row on either side, so the free length is half a row more.
    let edge = 0.03 / (f64::from(ROWS) - 0.5) / 0.75f64.sqrt();
    let mut scene = scene([1.0, 1.0], [1, 1], Fabric::default(), 1e-3);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.damping = 40.0;
    scene.integrator = Integrator::Implicit;
    scene.conjugate_gradients = ConjugateGradients { iterations: 200, tolerance: 1e-4 };
    let cloth = &mut scene.cloth[0];
    cloth.shape = ClothShape::Triangles(equilateral([6, ROWS], edge));
    cloth.density = 0.15;
    cloth.bending_stiffness = 1e-4;
    cloth.pin = vec![pin((0..14).collect())];
    for place in [Place::F32, Place::Device] {
        let mut simulation = Simulation::new(&scene, &place.options()).unwrap();
        simulation.advance(200).unwrap();
        let x = simulation.positions().unwrap();
        let tip = -1e3 * x.iter().rev().take(7).map(|x| x.z).sum::<f64>() / 7.0;
        let (speed, counts) = (simulation.measure().unwrap().max_speed, simulation.iterations().unwrap());
        println!("{place:?}: tip {tip:.3} mm, speed {speed:.1e}, {counts:?}");
        assert!((1.45..1.75).contains(&tip), "{tip} mm");
    }
}

/// Angle below the horizontal of the line from the clamp to the tip of a heavy strip of length 1 and rigidity 1 under the weight
/// `w`: θ'' = w (1 − s) cos θ with θ(0) = 0, θ'(1) = 0, by shooting.
fn elastica_angle(w: f64) -> f64 {
    const STEPS: u32 = 2000;
    let h = 1.0 / f64::from(STEPS);
    let shoot = |start: f64| {
        let (mut angle, mut slope, mut reach, mut drop) = (0.0f64, start, 0.0, 0.0);
        for k in 0..STEPS {
            // Midpoint rule.
            let s = f64::from(k) * h;
            let (middle, rate) = (angle + 0.5 * h * slope, slope - 0.5 * h * w * (1.0 - s) * angle.cos());
            reach += h * middle.cos();
            drop += h * middle.sin();
            slope -= h * w * (1.0 - s - 0.5 * h) * middle.cos();
            angle += h * rate;
        }
        (slope, drop.atan2(reach))
    };
    let (mut low, mut high) = (0.0, w);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 < 0.0 { low = middle } else { high = middle }
    }
    shoot(low).1.to_degrees()
}

/// Peirce's test of 1930: a strip hangs over by the length at which its tip is 41.5° down; its rigidity is then its weight times the
/// length cubed over eight.
#[test]
fn peirces_strip_hangs_as_its_rigidity_says() {
    /// Of the angle. With Poisson's ratio −1/3 narrow strips hang lower than wide ones.
    const TOLERANCE: f64 = 0.03;
    const LENGTH: f64 = 0.1;
    const DENSITY: f64 = 0.2;
    let expected = elastica_angle(8.0);
    assert!((expected - 41.5).abs() < 0.1, "{expected}");
    for (along, across, warp) in [(16u32, 4u32, false), (16, 4, true), (16, 16, false), (24, 6, false)] {
        let spacing = LENGTH / (f64::from(along) - 0.5);
        let cells = if warp { [across, along] } else { [along, across] };
        let mut scene = scene(cells.map(|n| f64::from(n) * spacing), cells, Fabric::default(), 0.01);
        scene.gravity = DVec3::new(0.0, 0.0, -9.81);
        scene.damping = 10.0;
        scene.integrator = Integrator::Implicit;
        scene.conjugate_gradients = ConjugateGradients { iterations: 400, tolerance: 1e-4 };
        let cloth = &mut scene.cloth[0];
        cloth.density = DENSITY;
        cloth.bending_stiffness = DENSITY * 9.81 * LENGTH.powi(3) / 8.0;
        let columns = cells[0] + 1;
        let place = |particle: u32| if warp { particle / columns } else { particle % columns };
        let count = columns * (cells[1] + 1);
        cloth.pin = vec![pin((0..count).filter(|&p| place(p) < 2).collect())];
        let mut simulation = Simulation::new(&scene, &Place::F32.options()).unwrap();
        let start = simulation.positions().unwrap();
        simulation.advance(250).unwrap();
        let x = simulation.positions().unwrap();
        let tips: Vec<usize> = (0..count).filter(|&p| place(p) == along).map(|p| p as usize).collect();
        let mean =
            |x: &[DVec3], f: fn(DVec3) -> f64| tips.iter().map(|&p| f(x[p])).sum::<f64>() / tips.len() as f64;
        let axis: fn(DVec3) -> f64 = if warp { |x| x.y } else { |x| x.x };
        let reach = mean(&x, axis) - (mean(&start, axis) - LENGTH);
        let angle = (-mean(&x, |x| x.z)).atan2(reach).to_degrees();
        let speed = simulation.measure().unwrap().max_speed;
        println!("{along} × {across}, warp {warp}: {angle:.2}° of {expected:.2}°, {speed:.1e} m/s");
        assert!(
            (angle / expected - 1.0).abs() < TOLERANCE,
            "{along} × {across}, warp {warp}: {angle}° of {expected}°"
        );
    }
}

/// A grid whose rim lies on a cylinder of curvature 1, whichever way it is rolled, comes to rest with ½ B κ² per area inside.
#[test]
fn a_grid_at_rest_has_its_rigidity_in_every_direction() {
    /// The rim, where every particle lies on the cylinder, is stiffer, for the width of a cell or two.
    const TOLERANCE: f64 = 0.03;
    const CELLS: u32 = 32;
    let mut scene = scene([1.0, 1.0], [CELLS, CELLS], Fabric::default(), 1e-6);
    scene.cloth[0].bending_stiffness = 1.0;
    let model = Model::new(&scene).unwrap();
    let x = &model.particles.positions;
    let margin = 0.5 - 2.5 / f64::from(CELLS);
    let held: Vec<bool> = x.iter().map(|x| x.x.abs().max(x.y.abs()) > margin).collect();
    // θ of a nearly flat sheet, linear in the heights, from the energy's own stiffness: E = ½ (k/4) θ².
    let rows: Vec<([usize; 4], [f64; 4], f64)> = model.elements[0]
        .folds
        .iter()
        .map(|fold| {
            let corners = fold.particles.map(|p| p as usize);
            let theta = [0, 1, 2, 3].map(|c| {
                let mut raised = corners.map(|p| x[p]);
                raised[c].z += 1e-7;
                sinew::cloth::hinges::dihedral_angle(raised) / 1e-7
            });
            let mut bent = corners.map(|p| x[p]);
            bent[0].z += 1e-3;
            let angle = sinew::cloth::hinges::dihedral_angle(bent);
            (corners, theta, 2.0 * fold.energy(bent) / (angle * angle))
        })
        .collect();
    for direction in [0.0f64, 22.5, 45.0, 90.0, 135.0] {
        let across = DVec3::new(direction.to_radians().cos(), direction.to_radians().sin(), 0.0);
        let mut heights: Vec<f64> = x.iter().map(|x| 0.5 * x.dot(across).powi(2)).collect();
        let slope = |heights: &[f64]| {
            let mut slope = vec![0.0; heights.len()];
            for (corners, theta, k) in &rows {
                let angle: f64 = (0..4).map(|c| theta[c] * heights[corners[c]]).sum();
                (0..4).for_each(|c| slope[corners[c]] += k * angle * theta[c]);
            }
            slope.iter_mut().zip(&held).for_each(|(s, &held)| *s *= f64::from(u8::from(!held)));
            slope
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // Conjugate gradients.
        let mut left: Vec<f64> = slope(&heights).iter().map(|s| -s).collect();
        let mut step = left.clone();
        let (mut square, first) = (dot(&left, &left), dot(&left, &left));
        for _ in 0..20_000 {
            if square <= 1e-18 * first {
                break;
            }
            let changed = slope(&step);
            let share = square / dot(&step, &changed);
            heights.iter_mut().zip(&step).for_each(|(h, s)| *h += share * s);
            left.iter_mut().zip(&changed).for_each(|(l, c)| *l -= share * c);
            let next = dot(&left, &left);
            step.iter_mut().zip(&left).for_each(|(s, l)| *s = l + next / square * *s);
            square = next;
        }
        let inside = rows.iter().filter(|(corners, ..)| {
            let middle = 0.5 * (x[corners[2]] + x[corners[3]]) + DVec3::splat(1e-9);
            middle.x.abs().max(middle.y.abs()) < 0.25
        });
        let energy: f64 = inside
            .map(|(corners, theta, k)| {
                0.5 * k * (0..4).map(|c| theta[c] * heights[corners[c]]).sum::<f64>().powi(2)
            })
            .sum();
        let rigidity = energy / (0.5 * 0.25);
        println!("{direction}°: {rigidity:.4}");
        assert!((rigidity - 1.0).abs() < TOLERANCE, "{direction}°: {rigidity}");
    }
}
