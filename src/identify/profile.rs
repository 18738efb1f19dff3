//! Measured and simulated indentation over the distance from the tip, for a picture.

use super::fit::{Fit, Problem};
use super::points::contacts;

/// One sample's curves: distance from where the tip touched [m] and displacement along its push [m].
pub struct Profile {
    pub name: String,
    pub measured: Vec<[f64; 2]>,
    pub simulated: Vec<[f64; 2]>,
}

/// Rings around the tip over which points are averaged.
const RINGS: usize = 24;

/// The profiles of all samples, on the side of the body that the tip touches.
pub fn profiles(problem: &Problem, fit: &Fit) -> Vec<Profile> {
    let body = &problem.body;
    let rest = body.skin.corners(&body.rest);
    let profile = |(sample, found): (&super::Sample, &super::fit::SampleFit)| {
        let footprint = &sample.footprint;
        let reach = 0.75 * body.diagonal();
        let mut rings = [[0.0; 3]; RINGS];
        for c in contacts(body, &body.moved(&found.state.u), &sample.points) {
            let [x, y, z] = rest[c.triangle as usize];
            let normal = (y - x).cross(z - x).normalize_or_zero();
            let away = footprint.off_axis(x * c.weights[0] + y * c.weights[1] + z * c.weights[2]);
            if normal.dot(footprint.direction) < -0.7 && away < reach {
                let ring = &mut rings[(away / reach * RINGS as f64) as usize];
                let simulated = body.skin.at(c.triangle, c.weights, &found.state.u).dot(footprint.direction);
                // The simulated point and what the scan says it misses along the push.
                let missed = c.distance * c.normal.dot(footprint.direction);
                ring[0] += 1.0;
                ring[1] += simulated;
                ring[2] += simulated + missed;
            }
        }
        let curve = |k: usize| {
            let filled = rings.iter().enumerate().filter(|(_, ring)| ring[0] > 0.0);
            filled.map(|(i, ring)| [(i as f64 + 0.5) * reach / RINGS as f64, ring[k] / ring[0]]).collect()
        };
        Profile { name: sample.name.clone(), measured: curve(2), simulated: curve(1) }
    };
    problem.samples.iter().zip(&fit.samples).map(profile).collect()
}
