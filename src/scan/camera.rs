//! A pinhole camera that measures distances.

use super::Surfaces;
use crate::cloud::Cloud;
use crate::export::Image;
use crate::math::random::Random;
use glam::{DMat3, DMat4, DQuat, DVec3};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// What a sensor is like, wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensor {
    /// Pixels along x and y.
    pub resolution: [u32; 2],
    /// Standard deviation of the distance along a beam [m].
    pub noise: f64,
    /// Each has its own noise, and its own place of the beam within a pixel.
    pub seed: u64,
}

/// Where a sensor stands: it looks along z, x is to its right and y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub rotation: DQuat,
    /// [m]
    pub eye: DVec3,
    /// Half of the width of the picture at distance 1.
    pub half_width: f64,
}

/// A sensor at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthCamera {
    pub sensor: Sensor,
    pub pose: Pose,
}

/// A scan in the sensor's frame, and a picture of what it shows.
pub struct Seen {
    pub cloud: Cloud,
    pub picture: Image,
}

/// Distance of the sensor over the radius of what it looks at: bodies fill the picture and are seen with some perspective.
const DISTANCE: f64 = 4.0;
/// Free room at the edge of the picture.
const MARGIN: f64 = 1.05;
/// A beam that grazes a surface at less than this sine comes back too weak.
const GRAZING: f64 = 0.1;
/// Behind everything.
const BACKGROUND: [u8; 4] = [24, 27, 32, 255];

/// Sensors on a ring around what they look at, at so many degrees above and below in turns, rolled a little, so that the frames of
/// two scans have nothing in common.
pub fn around(surfaces: &Surfaces, views: u32, elevation: f64, seed: u64) -> Vec<Pose> {
    let mut random = Random(seed ^ 0x5eed_0fca_3e7a_0000);
    let (middle, distance) = (surfaces.middle(), DISTANCE * surfaces.radius());
    let pose = |view: u32| {
        let angle = TAU * f64::from(view) / f64::from(views.max(1));
        let height = if view.is_multiple_of(2) { elevation } else { -elevation }.to_radians();
        let from = DVec3::new(height.cos() * angle.sin(), height.sin(), height.cos() * angle.cos());
        let roll = TAU * random.number();
        Pose::looking(middle + distance * from, middle, roll, surfaces.radius())
    };
    (0..views).map(pose).collect()
}

impl Pose {
    /// From `eye` towards the middle of a ball that the picture holds, turned by `roll` around the line of sight.
    pub fn looking(eye: DVec3, middle: DVec3, roll: f64, radius: f64) -> Self {
        let z = (middle - eye).normalize_or(DVec3::Z);
        let x = z.any_orthonormal_vector();
        let x = DQuat::from_axis_angle(z, roll) * x;
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z));
        let distance = eye.distance(middle).max(1.01 * radius);
        let half_width = MARGIN * radius / (distance * distance - radius * radius).sqrt();
        Self { rotation, eye, half_width }
    }

    /// From the sensor's frame to the world.
    pub fn matrix(&self) -> DMat4 {
        DMat4::from_rotation_translation(self.rotation, self.eye)
    }
}

impl DepthCamera {
    pub fn look(&self, surfaces: &Surfaces) -> Seen {
        let Self { sensor, pose } = self;
        let [width, height] = sensor.resolution;
        let beam = |pixel: u32| {
            let mut random =
                Random(sensor.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (u64::from(pixel) << 20));
            // The first numbers of neighbouring seeds are alike.
            random.number();
            let [x, y] = [pixel % width, pixel / width].map(|k| f64::from(k) + random.number());
            let [x, y] = [x - 0.5 * f64::from(width), y - 0.5 * f64::from(height)];
            let per_pixel = 2.0 * pose.half_width / f64::from(width.min(height));
            let direction = DVec3::new(x * per_pixel, y * per_pixel, 1.0).normalize();
            let hit = surfaces.cast(pose.eye, pose.rotation * direction)?;
            let normal = pose.rotation.inverse() * hit.normal;
            let facing = normal.dot(direction).abs();
            if facing < GRAZING {
                return None;
            }
            let distance = hit.at + sensor.noise * random.normal();
            let normal = if normal.dot(direction) > 0.0 { -normal } else { normal };
            Some((direction * distance, normal, hit.colour, facing))
        };
        let beams: Vec<_> = (0..width * height).into_par_iter().map(beam).collect();
        let mut picture = Image::new(width, height, BACKGROUND);
        let mut cloud = Cloud::default();
        for (pixel, beam) in beams.into_iter().enumerate() {
            let Some((point, normal, colour, facing)) = beam else { continue };
            cloud.points.push(point);
            cloud.normals.push(normal);
            cloud.colours.push(colour);
            let shaded = colour.map(|c| (f64::from(c) * (0.25 + 0.75 * facing)) as u8);
            picture.pixels[4 * pixel..4 * pixel + 3].copy_from_slice(&shaded);
        }
        Seen { cloud, picture }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate::icosphere;

    fn camera(noise: f64, seed: u64, eye: DVec3) -> DepthCamera {
        let sensor = Sensor { resolution: [60, 50], noise, seed };
        DepthCamera { sensor, pose: Pose::looking(eye, DVec3::new(1.0, 2.0, 3.0), 0.7, 0.5) }
    }

    fn ball() -> Surfaces {
        let mut ball = icosphere(0.5, 5);
        ball.positions.iter_mut().for_each(|x| *x += DVec3::new(1.0, 2.0, 3.0));
        Surfaces::of_mesh(&ball, [200, 100, 50]).unwrap()
    }

    #[test]
    fn points_in_the_sensors_frame_lie_on_the_surface_by_the_pose() {
        let camera = camera(0.0, 1, DVec3::new(3.0, 2.5, 2.0));
        let seen = camera.look(&ball());
        assert!(seen.cloud.points.len() > 1000, "{}", seen.cloud.points.len());
        for (&point, &normal) in seen.cloud.points.iter().zip(&seen.cloud.normals) {
            let world = camera.pose.matrix().transform_point3(point);
            let radius = world.distance(DVec3::new(1.0, 2.0, 3.0));
            assert!((0.499..0.50001).contains(&radius), "{radius}");
            assert!(point.z > 0.0 && normal.dot(point) < 0.0, "the near side is seen, from outside");
        }
    }

    #[test]
    fn noise_has_its_deviation_and_is_the_same_for_the_same_seed() {
        let eye = DVec3::new(1.0, 2.0, 6.0);
        let distances = |noise, seed| -> Vec<f64> {
            camera(noise, seed, eye).look(&ball()).cloud.points.iter().map(|x| x.length()).collect()
        };
        let (clean, noisy) = (distances(0.0, 3), distances(0.01, 3));
        let squares: f64 = clean.iter().zip(&noisy).map(|(a, b)| (a - b) * (a - b)).sum();
        let deviation = (squares / clean.len() as f64).sqrt();
        assert!((deviation / 0.01 - 1.0).abs() < 0.06, "{deviation}");
        assert_eq!(noisy, distances(0.01, 3));
        assert_ne!(noisy, distances(0.01, 4));
    }
}
