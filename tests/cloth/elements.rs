//! Finite-element sheets: forces against energies, answers on paper, conserved quantities, and both backends.

use crate::sheet::{PLACES, Place, crumple, deform, forces, forces_on, lively, parity, pin, scene};
use glam::DVec3;
use sinew::measure::measure;
use sinew::model::Model;
use sinew::scene::{Cloth, ClothModel, ClothShape, Fabric, Scene, TriangleMesh};
use sinew::{Options, Precision, Simulation};

/// A substep that every sheet of this file bears [s].
const DT: f64 = 2e-4;

fn energy(model: &Model, x: &[DVec3]) -> f64 {
    measure(model, x, &vec![DVec3::ZERO; x.len()], &model.particles.inverse_masses).elastic_energy
}

fn crumpled(fabric: Fabric) -> Model {
    let mut scene = scene([0.4, 0.3], [6, 5], fabric, DT);
    // Bending as strong as the membrane, so that an error in either shows.
    scene.cloth[0].bending_stiffness = 0.02;
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, crumple);
    model
}

#[test]
fn forces_are_minus_the_gradient_of_the_energy() {
    let model = crumpled(lively());
    let x = model.particles.positions.clone();
    const STEP: f64 = 1e-6;
    let slopes: Vec<DVec3> = (0..x.len())
        .map(|i| {
            let at = |way: DVec3| {
                let mut moved = x.clone();
                moved[i] += STEP * way;
                energy(&model, &moved)
            };
            DVec3::from_array(DVec3::AXES.map(|way| (at(way) - at(-way)) / (2.0 * STEP)))
        })
        .collect();
    let scale = slopes.iter().map(|f| f.length()).fold(0.0, f64::max);
    for place in PLACES {
        let found = forces_on(place, &model);
        let worst = found.iter().zip(&slopes).map(|(f, s)| (*f + *s).abs().max_element()).fold(0.0, f64::max);
        println!("{place:?}: forces differ by {:.1e} of the largest", worst / scale);
        assert!(worst < place.within(1e-6, 2e-3) * scale, "{place:?}: {worst}");
    }
}

#[test]
fn forces_of_a_sheet_sum_to_nothing_and_turn_nothing() {
    let model = crumpled(lively());
    let x = model.particles.positions.clone();
    let found = forces(model);
    let scale: f64 = found.iter().map(|f| f.length()).sum();
    assert!(found.iter().sum::<DVec3>().length() < 1e-13 * scale);
    assert!(x.iter().zip(&found).map(|(x, f)| x.cross(*f)).sum::<DVec3>().length() < 1e-13 * scale);
}

#[test]
fn a_sheet_moved_and_turned_as_a_whole_has_no_force() {
    let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -1.1, 2.0);
    let mut model = Model::new(&scene([0.4, 0.3], [6, 5], lively(), DT)).unwrap();
    deform(&mut model, |x| turn * x + DVec3::new(3.0, -2.0, 1.0));
    // Positions of this size keep 1e-16 of themselves, an edge of 6 cm 5e-15 of itself, times the modulus and a length.
    let single = 1e-5 * lively().weft_modulus * 0.4;
    for place in PLACES {
        let largest = forces_on(place, &model).iter().map(|f| f.length()).fold(0.0, f64::max);
        println!("{place:?}: largest force {largest:.1e} N");
        assert!(largest < place.within(1e-10, single), "{place:?}: {largest}");
    }
}

#[test]
fn viscosity_resists_stretching_but_not_turning() {
    let fabric =
        Fabric { dilation_viscosity: 2.0, shear_viscosity: 3.0, bending_damping: 0.1, ..Fabric::default() };
    let base = Model::new(&scene([0.4, 0.3], [3, 3], fabric, 1e-5)).unwrap();
    let mut turning = base.clone();
    let spin = DVec3::new(0.3, -0.5, 0.8);
    turning.particles.velocities = base.particles.positions.iter().map(|x| spin.cross(*x)).collect();
    let mut stretching = base.clone();
    let way = |x: &DVec3| DVec3::new(x.x, 0.0, 0.0);
    stretching.particles.velocities = base.particles.positions.iter().map(way).collect();
    assert!(forces(turning).iter().all(|f| f.length() < 1e-10));
    // λ + 2μ times the rate 1/s times the width of 0.3 m is what the right edge is held back with.
    let pull: f64 = base
        .particles
        .positions
        .iter()
        .zip(forces(stretching))
        .filter(|(x, _)| x.x > 0.19)
        .map(|(_, f)| f.x)
        .sum();
    assert!((pull + 8.0 * 0.3).abs() < 1e-9, "{pull}");
}

/// An irregular mesh of a rectangle: inner vertices pushed about.
fn irregular(size: [f64; 2], cells: [u32; 2]) -> TriangleMesh {
    let mut mesh = sinew::meshing::generate::grid(size, cells);
    for (k, x) in mesh.positions.iter_mut().enumerate() {
        let inner = x.x.abs() < 0.499 * size[0] && x.y.abs() < 0.499 * size[1];
        if inner {
            let k = k as f64;
            *x += 0.2 * size[0] / f64::from(cells[0]) * DVec3::new((1.7 * k).sin(), (2.9 * k).cos(), 0.0);
        }
    }
    mesh
}

/// Force per width P = E l (l² − 1)/2 of a sheet stretched by l along its weft.
#[test]
fn a_stretched_patch_pulls_as_on_paper_on_any_mesh() {
    const E: f64 = 300.0;
    let [length, width] = [0.4, 0.3];
    for (stretch, expected) in [(1.05, 0.0538125), (1.1, 0.1155), (1.2, 0.264), (0.9, -0.0855)] {
        let mut scene = scene([length, width], [6, 5], Fabric { weft_modulus: E, ..Fabric::default() }, DT);
        scene.cloth[0].shape = ClothShape::Triangles(irregular([length, width], [6, 5]));
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, |x| DVec3::new(stretch * x.x, x.y, x.z));
        let x = model.particles.positions.clone();
        for place in PLACES {
            let mut pull = 0.0;
            for (x, f) in x.iter().zip(forces_on(place, &model)) {
                if x.x > 0.499 * stretch * length {
                    pull -= f.x;
                } else if x.x > -0.499 * stretch * length && x.y.abs() < 0.499 * width {
                    assert!(f.length() < place.within(1e-12, 1e-5) * E, "an inner particle is pulled by {f}");
                }
            }
            let error = (pull / width - expected * E).abs() / E;
            println!("{place:?}: force per width at {stretch} is {error:.1e} E off");
            assert!(error < place.within(1e-9, 1e-5), "{stretch}: {}", pull / width);
        }
    }
}

/// F = [[1, g], [0, 1]] makes S₁₂ = G g and S₂₂ = a₂₂ g²/2: the upper edge is pulled by F S e₂ per width, the right one
/// by F S e₁.
#[test]
fn a_sheared_patch_pulls_as_on_paper() {
    const G: f64 = 75.0;
    const WARP: f64 = 300.0;
    let ([length, width], cells) = ([0.4, 0.3], [8, 6]);
    let mut scene = scene([length, width], cells, Fabric::default(), DT);
    scene.cloth[0].shape = ClothShape::Triangles(irregular([length, width], cells));
    let rest = Model::new(&scene).unwrap();
    for g in [0.02, 0.2, -0.3] {
        let mut model = rest.clone();
        deform(&mut model, |x| DVec3::new(x.x + g * x.y, x.y, x.z));
        let (s12, s22) = (G * g, 0.5 * WARP * g * g);
        for place in PLACES {
            let found = forces_on(place, &model);
            let sum = |edge: fn(&DVec3) -> bool| -> DVec3 {
                let x = rest.particles.positions.iter().zip(&found);
                x.filter(|(x, _)| edge(x)).map(|(_, f)| -*f).sum()
            };
            // Without the corners, which belong to two edges: five of six and seven of eight cells.
            let upper = sum(|x| x.y > 0.149 && x.x.abs() < 0.199) / (length * 7.0 / 8.0);
            let right = sum(|x| x.x > 0.199 && x.y.abs() < 0.149) / (width * 5.0 / 6.0);
            let errors = [upper - DVec3::new(s12 + g * s22, s22, 0.0), right - DVec3::new(g * s12, s12, 0.0)];
            let worst = errors.map(DVec3::length).into_iter().fold(0.0, f64::max) / WARP;
            println!("{place:?}: forces per width of a shear of {g} are {worst:.1e} E off");
            assert!(worst < 1e-6, "{place:?}, {g}: {errors:?}");
        }
    }
}

#[test]
fn turning_the_threads_by_a_right_angle_and_swapping_their_moduli_changes_nothing() {
    let fabric = lively();
    let swapped = Fabric {
        weft_modulus: fabric.warp_modulus,
        warp_modulus: fabric.weft_modulus,
        poisson_ratio: fabric.poisson_ratio * fabric.weft_modulus / fabric.warp_modulus,
        ..fabric
    };
    let make = |place: Place, fabric: Fabric, turned: bool| {
        let mut mesh = irregular([0.4, 0.3], [4, 3]);
        // The weft follows the first texture coordinate.
        let texture = |x: &DVec3| if turned { [x.y, -x.x] } else { [x.x, x.y] };
        let corners = mesh.triangles.iter().map(|t| t.map(|v| texture(&mesh.positions[v as usize])));
        mesh.texture_coordinates = Some(corners.collect());
        let mut scene = scene([0.4, 0.3], [4, 3], fabric, DT);
        scene.cloth[0].shape = ClothShape::Triangles(mesh);
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, crumple);
        forces_on(place, &model)
    };
    for place in PLACES {
        let (plain, other) = (make(place, fabric, false), make(place, swapped, true));
        let scale = plain.iter().map(|f| f.length()).fold(0.0, f64::max);
        let worst = plain.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{place:?}: {:.1e} apart", worst / scale);
        assert!(worst < place.within(1e-12, 1e-6) * scale, "{place:?}: {worst} of {scale}");
    }
}

/// Elongation of a strip of 1 m that hangs from its upper edge: 8.046 mm (8.175 mm in linear theory).
#[test]
fn a_hanging_strip_elongates_by_eight_millimetres() {
    let mut scene = scene([0.1, 1.0], [2, 20], Fabric::default(), 4e-4);
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    scene.damping = 15.0;
    scene.cloth[0].density = 0.5;
    scene.cloth[0].pin = vec![pin((60..63).collect())];
    for options in [Options::cpu(Precision::F64), Options::cpu(Precision::F32), Options::gpu()] {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        simulation.advance(2000).unwrap();
        let lowest = simulation.measure().unwrap().lowest;
        let elongation = 1e3 * (-0.5 - lowest);
        println!("{}: {elongation:.4} mm", simulation.describe());
        assert!((elongation - 8.046).abs() < 0.01 * 8.046, "{elongation} mm");
    }
}

fn tumbling(fabric: Fabric) -> Model {
    let mut model = crumpled(fabric);
    let x = &model.particles.positions;
    model.particles.velocities =
        x.iter().map(|x| DVec3::new(0.2, 0.1, -0.3) + DVec3::new(2.0, -1.0, 3.0).cross(*x)).collect();
    model
}

#[test]
fn a_free_sheet_keeps_its_momenta() {
    let fabric = Fabric { shear_viscosity: 0.02, bending_damping: 1e-4, ..lively() };
    let mut simulation = Simulation::from_model(tumbling(fabric), &Options::cpu(Precision::F64)).unwrap();
    // The first step adds to the positions what f32 cannot hold of them.
    simulation.advance(1).unwrap();
    let before = simulation.measure().unwrap();
    simulation.advance(500).unwrap();
    let after = simulation.measure().unwrap();
    let drift = (after.momentum - before.momentum).length() / before.momentum.length();
    assert!(drift < 1e-12, "{drift:e}");
    // Positions and momenta are those of one moment in symplectic Euler, so this one is kept to rounding too.
    let size = before.angular_momentum.length();
    let drift = (after.angular_momentum - before.angular_momentum).length() / size;
    assert!(drift < 1e-11, "{drift:e}");
}

/// Symplectic Euler: the energy swings, and its mean stays.
#[test]
fn energy_does_not_drift_over_ten_thousand_steps() {
    let mut scene = scene([0.4, 0.3], [4, 3], lively(), 1e-4);
    scene.cloth[0].bending_stiffness = 1e-3;
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, |x| DVec3::new(1.03 * x.x, x.y, 0.02 * (9.0 * x.x).sin()));
    for place in PLACES {
        let mut simulation = Simulation::from_model(model.clone(), &place.options()).unwrap();
        let mut energies = Vec::new();
        for _ in 0..400 {
            simulation.advance(25).unwrap();
            energies.push(simulation.measure().unwrap().energy());
        }
        let mean = |range: &[f64]| range.iter().sum::<f64>() / range.len() as f64;
        let (first, last) = (mean(&energies[..80]), mean(&energies[320..]));
        println!("{place:?}: energy {first:.6e} J to {last:.6e} J: drift {:.1e}", last / first - 1.0);
        assert!((last / first - 1.0).abs() < 5e-3, "{place:?}: {first} to {last}");
    }
}

#[test]
fn both_backends_agree_after_every_pass() {
    let fabric =
        Fabric { shear_viscosity: 0.02, dilation_viscosity: 0.01, bending_damping: 1e-4, ..lively() };
    let mut model = tumbling(fabric);
    model.settings.gravity = DVec3::new(0.0, -9.81, 0.0);
    let largest = parity(&model, 3, 1e-5);
    println!("largest relative difference {largest:.1e}");
}

#[test]
fn a_pinned_corner_moves_with_its_pin_and_pulls_the_sheet_along() {
    let mut scene = scene([0.2, 0.2], [4, 4], Fabric::default(), 2e-4);
    scene.cloth[0].pin = vec![pin(vec![20, 24])];
    scene.cloth[0].pin[0].motion = vec![
        sinew::scene::Keyframe::default(),
        sinew::scene::Keyframe { time: 0.2, offset: DVec3::new(0.0, 0.0, 0.3), ..Default::default() },
    ];
    scene.damping = 2.0;
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
    simulation.advance(1500).unwrap();
    let x = simulation.positions().unwrap();
    assert!((x[20] - DVec3::new(-0.1, 0.1, 0.3)).length() < 1e-5);
    assert!(x.iter().map(|x| x.z).sum::<f64>() / x.len() as f64 > 0.15);
}

fn parse(text: &str) -> Result<Scene, String> {
    let whole = format!(
        "format = 1\nsubsteps = 200\n[[cloth]]\ngrid = {{ size = [1, 1], cells = [4, 4] }}\n{text}\n"
    );
    Scene::parse(&whole, "test.toml", "").map_err(|e| e.to_string())
}

#[test]
fn a_fabric_is_read_by_numbers_or_by_name() {
    let scene = parse("model = \"green\"\nfabric = \"denim\"\ndensity = 0.5").unwrap();
    let Cloth { model, fabric, density, bending_stiffness, .. } = &scene.cloth[0];
    assert_eq!((*model, fabric.weft_modulus, *density), (ClothModel::Green, 4000.0, 0.5));
    assert_eq!(*bending_stiffness, 8e-5);
    let scene = parse("model = \"green\"\nfabric = { preset = \"silk\", shear_modulus = 55 }").unwrap();
    assert_eq!((scene.cloth[0].fabric.shear_modulus, scene.cloth[0].fabric.weft_modulus), (55.0, 700.0));
    assert_eq!(scene.cloth[0].density, 0.06);
}

#[test]
fn fabrics_that_cannot_be_are_refused_with_their_key() {
    for (text, words) in [
        ("fabric = \"silk\"", "`fabric`"),
        ("model = \"green\"\nstretch_stiffness = 3", "`stretch_stiffness`"),
        ("model = \"green\"\nfabric = \"sillk\"", "did you mean"),
        ("model = \"green\"\nfabric = { weft_modulus = -1 }", "`weft_modulus` is -1 N/m"),
        ("model = \"green\"\nfabric = { shear_modulus = 0 }", "`shear_modulus` is 0 N/m"),
        (
            "model = \"green\"\nfabric = { weft_modulus = 400, warp_modulus = 100, poisson_ratio = 0.5 }",
            "0.500",
        ),
        ("model = \"green\"\nfabric = { shear_viscosity = -0.1 }", "`shear_viscosity`"),
        ("model = \"green\"\nbending = \"isometric\"", "`bending`"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn a_step_beyond_the_limit_is_refused_and_the_substeps_it_names_suffice() {
    let mut scene = scene([0.5, 0.5], [20, 20], Fabric::default(), 1.0 / 60.0);
    scene.substeps = 2;
    let error = Model::new(&scene).unwrap_err().to_string();
    let substeps = error.split("substeps = ").nth(1).unwrap().split('`').next().unwrap();
    println!("{error}");
    scene.substeps = substeps.parse().unwrap();
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, |x| DVec3::new(1.03 * x.x, 1.03 * x.y, 0.01 * (20.0 * x.x).sin()));
    let energy_before = energy(&model, &model.particles.positions);
    let mut simulation = Simulation::from_model(model, &Options::cpu(Precision::F32)).unwrap();
    simulation.advance(120).unwrap();
    // Near the limit the energy of the fastest waves swings by 1/(1 − ω²dt²/4), about 2; unstable ones grow without end.
    let ratio = simulation.measure().unwrap().energy() / energy_before;
    println!("energy after 5,640 substeps over that before: {ratio:.3}");
    assert!(ratio < 1.5, "{ratio}");
}
