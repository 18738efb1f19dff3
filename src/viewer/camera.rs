//! The camera as the mouse moves it.

use super::pick::Ray;
use crate::render::Camera;
use glam::{DVec3, Vec2, Vec3};

/// Turn per dragged point [rad].
const TURN: f32 = 0.008;
/// Opening of the lens that stands for an orthographic view [rad]: at a scene's edge its rays are 0.3° off.
const LONG_LENS: f32 = 0.012;

/// Width over height of the pictures that scenes are composed for.
pub const WIDE: f32 = 1.5;

/// An orbiting camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// As a wide picture needs it.
    lens: Camera,
    /// How much further away it stands in a narrower picture, which would cut off the sides.
    back: f32,
    pub orthographic: bool,
}

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Front,
    Right,
    Top,
}

impl OrbitCamera {
    pub fn new(lens: Camera) -> Self {
        Self { lens, back: 1.0, orthographic: false }
    }

    /// Tells the width over height of the picture.
    pub fn set_aspect(&mut self, aspect: f32) {
        self.back = (WIDE / aspect.max(0.1)).max(1.0);
    }

    /// What the renderer sees through.
    pub fn lens(&self) -> Camera {
        if !self.orthographic {
            return self.lens.dolly(self.back);
        }
        let ratio = (0.5 * self.lens.field_of_view).tan() / (0.5 * LONG_LENS).tan();
        Camera { field_of_view: LONG_LENS, ..self.lens }.dolly(ratio * self.back)
    }

    /// Turns around the target by a drag in points.
    pub fn orbit(&mut self, drag: Vec2) {
        self.lens = self.lens.orbit(-TURN * drag.x).tilt(TURN * drag.y);
    }

    /// Moves along the picture by a drag in points, of a picture this high.
    pub fn pan(&mut self, drag: Vec2, height: f32) {
        let [right, up, _] = self.lens.axes();
        let distance = self.back * self.lens.distance();
        let scale = 2.0 * (0.5 * self.lens.field_of_view).tan() * distance / height.max(1.0);
        let shift = (up * drag.y - right * drag.x) * scale;
        self.lens.eye += shift;
        self.lens.target += shift;
    }

    /// Comes nearer for positive scroll, in points.
    pub fn zoom(&mut self, scroll: f32) {
        self.lens = self.lens.dolly((-0.002 * scroll).exp());
    }

    /// Shows all of a box from where the camera stands.
    pub fn frame(&mut self, bounds: [Vec3; 2]) {
        self.frame_from(bounds, self.lens.eye - self.lens.target);
    }

    /// Shows all of a box from one side, orthographically.
    pub fn look_from(&mut self, side: Side, bounds: [Vec3; 2]) {
        // Slightly off the pole, so that up stays up.
        let from = match side {
            Side::Front => Vec3::Z,
            Side::Right => Vec3::X,
            Side::Top => Vec3::new(0.0, 1.0, 1e-3),
        };
        self.orthographic = true;
        self.frame_from(bounds, from);
    }

    fn frame_from(&mut self, [low, high]: [Vec3; 2], from: Vec3) {
        let framed = Camera::framing_from(low, high, from, self.lens.up, WIDE);
        let opening = self.lens.field_of_view;
        let ratio = (0.5 * framed.field_of_view).tan() / (0.5 * opening).tan();
        self.lens = Camera { field_of_view: opening, ..framed.dolly(ratio) };
    }

    /// The ray through a point of the picture, 0 to 1 from the top left.
    pub fn ray(&self, at: Vec2, aspect: f32) -> Ray {
        let lens = self.lens();
        let [right, up, forward] = lens.axes().map(|axis| axis.as_dvec3());
        let slope = f64::from((0.5 * lens.field_of_view).tan());
        let (x, y) = (f64::from(2.0 * at.x - 1.0), f64::from(1.0 - 2.0 * at.y));
        let direction = forward + slope * (right * (x * f64::from(aspect)) + up * y);
        Ray { origin: lens.eye.as_dvec3(), direction: direction.normalize() }
    }

    /// Where a ray meets the plane through a point that faces the camera [m].
    pub fn on_plane(&self, ray: &Ray, through: DVec3) -> DVec3 {
        let normal = self.lens().axes()[2].as_dvec3();
        let t = (through - ray.origin).dot(normal) / ray.direction.dot(normal);
        ray.origin + t * ray.direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> OrbitCamera {
        OrbitCamera::new(Camera::framing(Vec3::splat(-1.0), Vec3::ONE, 1.5))
    }

    #[test]
    fn the_ray_through_a_points_picture_passes_the_point() {
        for orthographic in [false, true] {
            let camera = OrbitCamera { orthographic, ..camera() };
            let point = Vec3::new(0.4, -0.3, 0.2);
            let [x, y] = camera.lens().project(point, 600, 400).unwrap();
            let ray = camera.ray(Vec2::new(x / 600.0, y / 400.0), 1.5);
            let away = (point.as_dvec3() - ray.origin).cross(ray.direction).length();
            assert!(away < 1e-3, "{away} m");
            let on_plane = camera.on_plane(&ray, point.as_dvec3());
            assert!(on_plane.distance(point.as_dvec3()) < 1e-3);
        }
    }

    #[test]
    fn an_orthographic_view_shows_the_target_plane_in_the_same_size() {
        let flat = OrbitCamera { orthographic: true, ..camera() };
        let [_, up, _] = camera().lens().axes();
        let height = |camera: &OrbitCamera| {
            let at = |x: Vec3| camera.lens().project(x, 600, 400).unwrap()[1];
            at(Vec3::ZERO) - at(0.5 * up)
        };
        assert!((height(&flat) / height(&camera()) - 1.0).abs() < 1e-2);
    }

    #[test]
    fn a_narrow_picture_shows_the_width_of_a_wide_one() {
        let mut camera = camera();
        let [right, ..] = camera.lens().axes();
        let at = |camera: &OrbitCamera, width| camera.lens().project(0.5 * right, width, 400).unwrap()[0];
        let wide = at(&camera, 600) / 600.0;
        camera.set_aspect(0.75);
        assert!((at(&camera, 300) / 300.0 - wide).abs() < 2e-2);
    }

    #[test]
    fn a_pan_keeps_what_is_dragged_under_the_cursor() {
        let mut camera = camera();
        let at = |camera: &OrbitCamera| Vec2::from(camera.lens().project(Vec3::ZERO, 600, 400).unwrap());
        let before = at(&camera);
        camera.pan(Vec2::new(30.0, -20.0), 400.0);
        assert!((at(&camera) - before - Vec2::new(30.0, -20.0)).length() < 0.5);
    }
}
