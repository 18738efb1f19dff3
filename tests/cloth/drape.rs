//! Folds: the stiffer a disc in bending, the fewer and larger the folds in which it drapes.

use crate::sheet::scene;
use glam::{DVec2, DVec3};
use sinew::scene::{ClothShape, Collider, ColliderShape, Fabric, Integrator};
use sinew::{Options, Precision, Simulation};
use std::f64::consts::TAU;

const RINGS: u32 = 12;

/// The mean number of folds around the rim, each wave by its share of the energy, and the size of the folds relative to
/// the rim's mean radius, of a disc that has draped over a ball.
fn folds(bending_stiffness: f64) -> (f64, f64) {
    let fabric = Fabric {
        weft_modulus: 400.0,
        warp_modulus: 400.0,
        shear_modulus: 60.0,
        shear_viscosity: 0.06,
        bending_damping: 5e-3,
        ..Fabric::default()
    };
    let mut scene = scene([1.0, 1.0], [1, 1], fabric, 1.0 / 60.0);
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    scene.integrator = Integrator::Implicit;
    scene.substeps = 4;
    scene.damping = 1.0;
    scene.conjugate_gradients.iterations = 100;
    let cloth = &mut scene.cloth[0];
    cloth.shape = ClothShape::Disc { radius: 0.24, rings: RINGS };
    cloth.position = DVec3::new(0.0, 0.1, 0.0);
    cloth.rotation = DVec3::new(-90.0, 0.0, 0.0);
    cloth.thickness = 0.003;
    cloth.friction = 0.6;
    cloth.bending_stiffness = bending_stiffness;
    scene.collider = vec![Collider {
        shape: ColliderShape::Sphere { radius: 0.09 },
        friction: 0.6,
        ..Collider::default()
    }];
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
    simulation.advance(72).unwrap();
    let x = simulation.positions().unwrap();
    let rim: Vec<f64> =
        x[x.len() - 6 * RINGS as usize..].iter().map(|x| DVec2::new(x.x, x.z).length()).collect();
    let count = rim.len() as f64;
    let wave = |m: u32| {
        let sums = rim.iter().enumerate().map(|(i, r)| {
            let (sin, cos) = (TAU * f64::from(m) * i as f64 / count).sin_cos();
            DVec2::new(r * cos, r * sin)
        });
        2.0 * sums.sum::<DVec2>().length() / count
    };
    let mean = rim.iter().sum::<f64>() / count;
    // The first wave is the disc beside the ball's axis.
    let energies: Vec<(f64, f64)> = (2..=3 * RINGS / 2).map(|m| (f64::from(m), wave(m).powi(2))).collect();
    let total: f64 = energies.iter().map(|(_, e)| e).sum();
    (energies.iter().map(|(m, e)| m * e).sum::<f64>() / total, total.sqrt() / mean)
}

#[test]
fn a_stiffer_disc_drapes_in_fewer_folds() {
    let found = [3.2e-5, 2.56e-4, 2.048e-3].map(folds);
    println!("folds and their size: {found:.3?}");
    assert!(found.windows(2).all(|pair| pair[1].0 < 0.9 * pair[0].0), "{found:?}");
}
