//! Scans of bumpy balls and heads, with the truth known.

use sinew::cloud::Cloud;
use sinew::glam::DVec3;
use sinew::math::random::Random;
use sinew::meshing::triangle_mesh::TriangleMesh;
use sinew::register::Motion;
use sinew::scan::{DepthCamera, Pose, Sensor, Surfaces};
use std::f64::consts::TAU;

/// A scan without normals and colours, and where it was taken from.
pub struct View {
    pub cloud: Cloud,
    pub pose: Motion,
}

impl View {
    /// From the frame of this view to that of another.
    pub fn motion_to(&self, other: &Self) -> Motion {
        other.pose.inverse().after(&self.pose)
    }
}

fn gaussian(random: &mut Random) -> f64 {
    let [u, v] = [1.0 - random.number(), random.number()];
    (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
}

fn anywhere(random: &mut Random) -> DVec3 {
    DVec3::new(gaussian(random), gaussian(random), gaussian(random))
}

pub fn surfaces(mesh: &TriangleMesh) -> Surfaces {
    Surfaces::of_mesh(mesh, [200; 3]).unwrap()
}

/// From a direction, the scanner rolled by any angle.
pub fn look(surfaces: &Surfaces, direction: DVec3, resolution: u32, noise: f64, seed: u64) -> View {
    let (middle, radius) = (surfaces.middle(), surfaces.radius());
    let roll = TAU * Random(seed).number();
    let pose = Pose::looking(middle + 4.0 * radius * direction.normalize(), middle, roll, radius);
    let sensor = Sensor { resolution: [resolution; 2], noise, seed };
    let mut cloud = DepthCamera { sensor, pose }.look(surfaces).cloud;
    (cloud.normals, cloud.colours) = (Vec::new(), Vec::new());
    View { cloud, pose: Motion { rotation: pose.rotation, translation: pose.eye } }
}

/// Two views of a body whose lines of sight are at an angle [degrees].
pub fn two(surfaces: &Surfaces, degrees: f64, resolution: u32, seed: u64) -> [View; 2] {
    let mut random = Random(seed);
    let first = anywhere(&mut random).normalize();
    let aside = first.cross(anywhere(&mut random)).normalize();
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let second = first * cosine + aside * sine;
    [look(surfaces, first, resolution, 0.0, 2 * seed), look(surfaces, second, resolution, 0.0, 2 * seed + 1)]
}

/// Noise in all directions [m].
pub fn add_noise(cloud: &mut Cloud, deviation: f64, seed: u64) {
    let mut random = Random(seed);
    cloud.points.iter_mut().for_each(|x| *x += deviation * anywhere(&mut random));
}

/// By how much a motion is wrong: [degrees], and of the centroid over the scan's diagonal.
pub fn error(found: &Motion, truth: &Motion, cloud: &Cloud) -> [f64; 2] {
    let centroid = cloud.centroid();
    let turn = found.inverse().after(truth).angle().to_degrees();
    [turn, found.point(centroid).distance(truth.point(centroid)) / cloud.diagonal()]
}
