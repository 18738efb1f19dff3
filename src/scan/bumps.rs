//! Bodies on which registration is measured: balls with bumps and dents, stretched along their axes.

use crate::math::random::Random;
use crate::meshing::generate::icosphere;
use crate::meshing::triangle_mesh::TriangleMesh;
use glam::DVec3;

/// Of all heads: where the nose is, and how long the skull.
const SKULL: u64 = 4;

/// A bumpy ball of about radius 1, different for every seed; bumps are 7° to 26° wide and 4 to 20 % of the radius high or deep.
pub fn bumpy_ball(seed: u64, subdivisions: u32) -> TriangleMesh {
    let mut random = Random(seed);
    let bumps = Bumps::new(&mut random, 40, [0.04, 0.2], [0.12, 0.45]);
    let stretch = stretch(&mut random);
    ball(subdivisions, stretch, &[bumps])
}

/// A head of about radius 1: all heads have one skull, with bumps 17° to 40° wide and up to 15 % of the radius high. What tells
/// persons apart is 6° to 14° wide and 1.5 to 4 % high.
pub fn head(person: u64, subdivisions: u32) -> TriangleMesh {
    let mut random = Random(SKULL);
    let skull = Bumps::new(&mut random, 12, [0.05, 0.15], [0.3, 0.7]);
    let stretch = stretch(&mut random);
    let face = Bumps::new(&mut Random(1000 + person), 80, [0.015, 0.04], [0.1, 0.25]);
    ball(subdivisions, stretch, &[skull, face])
}

fn between(random: &mut Random, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * random.number()
}

fn stretch(random: &mut Random) -> DVec3 {
    let [x, y, z] = [(); 3].map(|()| between(random, [0.8, 1.25]));
    DVec3::new(x, y, z)
}

/// Gaussians on the unit sphere, up or down.
struct Bumps(Vec<Bump>);

struct Bump {
    centre: DVec3,
    height: f64,
    width: f64,
}

impl Bumps {
    fn new(random: &mut Random, count: usize, heights: [f64; 2], widths: [f64; 2]) -> Self {
        let mut direction = || loop {
            let v = 2.0 * random.vector() - 1.0;
            // Within the ball, so that all directions are alike.
            if (1e-3..1.0).contains(&v.length_squared()) {
                break v.normalize();
            }
        };
        let centres: Vec<DVec3> = (0..count).map(|_| direction()).collect();
        let bump = |centre| {
            let sign = if random.number() < 0.5 { -1.0 } else { 1.0 };
            Bump { centre, height: sign * between(random, heights), width: between(random, widths) }
        };
        Self(centres.into_iter().map(bump).collect())
    }

    fn height(&self, x: DVec3) -> f64 {
        let each =
            |bump: &Bump| bump.height * (-2.0 * (1.0 - x.dot(bump.centre)) / (bump.width * bump.width)).exp();
        self.0.iter().map(each).sum()
    }
}

fn ball(subdivisions: u32, stretch: DVec3, bumps: &[Bumps]) -> TriangleMesh {
    let mut mesh = icosphere(1.0, subdivisions);
    for x in &mut mesh.positions {
        let radius: f64 = 1.0 + bumps.iter().map(|bumps| bumps.height(*x)).sum::<f64>();
        *x = *x * radius * stretch;
    }
    mesh
}
