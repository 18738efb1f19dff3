//! A body on which registration is measured: a ball with bumps and dents, stretched along its axes, different for every seed.

use crate::math::random::Random;
use crate::meshing::generate::icosphere;
use crate::meshing::triangle_mesh::TriangleMesh;
use glam::DVec3;

const BUMPS: usize = 40;

/// A bumpy ball of about radius 1; bumps are 7° to 26° wide and 4 to 20 % of the radius high or deep.
pub fn bumpy_ball(seed: u64, subdivisions: u32) -> TriangleMesh {
    let mut random = Random(seed);
    let mut between = move |low: f64, high: f64| low + (high - low) * random.number();
    let mut direction = || loop {
        let v = DVec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0));
        // Within the ball, so that all directions are alike.
        if (1e-3..1.0).contains(&v.length_squared()) {
            break v.normalize();
        }
    };
    let centres: Vec<DVec3> = (0..BUMPS).map(|_| direction()).collect();
    let bumps: Vec<(DVec3, f64, f64)> = centres
        .into_iter()
        .map(|centre| {
            let sign = if between(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
            (centre, sign * between(0.04, 0.2), between(0.12, 0.45))
        })
        .collect();
    let stretch = DVec3::new(between(0.8, 1.25), between(0.8, 1.25), between(0.8, 1.25));
    let mut mesh = icosphere(1.0, subdivisions);
    for x in &mut mesh.positions {
        let height = |&(centre, height, width): &(DVec3, f64, f64)| {
            height * (-2.0 * (1.0 - x.dot(centre)) / (width * width)).exp()
        };
        let radius: f64 = 1.0 + bumps.iter().map(height).sum::<f64>();
        *x = *x * radius * stretch;
    }
    mesh
}
