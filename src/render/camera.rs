//! The camera: where it stands, what it looks at, and how it frames a scene.

use super::RenderError;
use crate::scene;
use glam::{Mat4, Quat, Vec3, Vec4};

/// A pinhole camera that looks from `eye` to `target`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera stands [m].
    pub eye: Vec3,
    /// What it looks at [m]; also the centre of an orbit and of the ground's fade.
    pub target: Vec3,
    /// The world's up, not necessarily at right angles to the view. The ground and the sky follow it.
    pub up: Vec3,
    /// Vertical opening [rad].
    pub field_of_view: f32,
}

/// The near plane over the distance of the target. Depth is reversed and floating, so it can be this small.
const NEAR: f32 = 0.004;
/// A little air around a framed scene.
const MARGIN: f32 = 1.25;

impl Camera {
    /// A three-quarter view from slightly above that shows the whole box, y up; `aspect` is width over height.
    pub fn framing(low: Vec3, high: Vec3, aspect: f32) -> Self {
        Self::framing_from(low, high, Vec3::new(0.5, 0.42, 1.0), Vec3::Y, aspect)
    }

    /// Shows the whole box `low`…`high` [m], seen from the direction `from`.
    ///
    /// A box that is empty or not finite is framed as a metre around the origin.
    pub fn framing_from(low: Vec3, high: Vec3, from: Vec3, up: Vec3, aspect: f32) -> Self {
        let usable = low.is_finite() && high.is_finite() && low.cmple(high).all();
        let (low, high) = if usable { (low, high) } else { (Vec3::splat(-0.5), Vec3::splat(0.5)) };
        let field_of_view = 30f32.to_radians();
        let (target, half) = (0.5 * (low + high), 0.5 * (high - low));
        let from = from.try_normalize().unwrap_or(Vec3::Z);
        let camera = Self { eye: target + from, target, up, field_of_view };
        let [right, upward, _] = camera.axes();
        let slope = (0.5 * field_of_view).tan();
        // A corner is in the picture if it is no further from the axis than the cone is wide at its depth.
        let needed = |corner: Vec3| {
            let across = (corner.dot(right).abs() / aspect).max(corner.dot(upward).abs());
            MARGIN * across / slope + corner.dot(from)
        };
        let corners = (0..8)
            .map(|c| half * Vec3::from_array([0, 1, 2].map(|k| if c >> k & 1 == 0 { 1.0 } else { -1.0 })));
        let distance = corners.map(needed).fold(0.0, f32::max);
        let distance = if distance.is_finite() && distance > 0.0 { distance } else { 3.0 };
        Self { eye: target + distance * from, ..camera }
    }

    /// What a scene asks for; what it leaves open shows the whole box `low`…`high` [m].
    pub fn of_scene(wanted: &scene::Camera, low: Vec3, high: Vec3, aspect: f32) -> Self {
        let framed = Self::framing(low, high, aspect);
        let field_of_view = wanted.field_of_view.to_radians() as f32;
        let target = wanted.target.map_or(framed.target, |x| x.as_vec3());
        let eye = wanted.eye.map_or_else(
            || {
                // The framed distance is for the framed opening.
                let ratio = (0.5 * framed.field_of_view).tan() / (0.5 * field_of_view).tan();
                target + ratio * (framed.eye - framed.target)
            },
            |x| x.as_vec3(),
        );
        Self { eye, target, up: wanted.up.as_vec3(), field_of_view }
    }

    /// The same camera after a turn around its target about the world's up, counter-clockwise seen from above [rad].
    pub fn orbit(self, angle: f32) -> Self {
        let up = self.up.try_normalize().unwrap_or(Vec3::Y);
        let turn = Quat::from_axis_angle(up, angle);
        Self { eye: self.target + turn * (self.eye - self.target), ..self }
    }

    /// The same camera raised or lowered around its target [rad]; it stops short of straight up and down.
    pub fn tilt(self, angle: f32) -> Self {
        let up = self.up.try_normalize().unwrap_or(Vec3::Y);
        let arm = self.eye - self.target;
        let side = up.cross(arm).try_normalize().unwrap_or(up.any_orthonormal_vector());
        let height = arm.angle_between(up);
        let limit = 0.02;
        let wanted = (height - angle).clamp(limit, std::f32::consts::PI - limit);
        let turn = Quat::from_axis_angle(side, wanted - height);
        Self { eye: self.target + turn * arm, ..self }
    }

    /// The same camera at `factor` times its distance.
    pub fn dolly(self, factor: f32) -> Self {
        Self { eye: self.target + factor.max(1e-3) * (self.eye - self.target), ..self }
    }

    /// Where a point appears, in pixels from the top left corner, or nothing if it lies behind the camera.
    pub fn project(&self, point: Vec3, width: u32, height: u32) -> Option<[f32; 2]> {
        let clip = self.clip_from_world(width as f32 / height as f32) * point.extend(1.0);
        (clip.w > 0.0).then(|| {
            let ndc = clip.truncate() / clip.w;
            [(0.5 + 0.5 * ndc.x) * width as f32, (0.5 - 0.5 * ndc.y) * height as f32]
        })
    }

    /// From world to clip space with reversed depth: 1 at the near plane, 0 infinitely far.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let [right, up, forward] = self.axes();
        let f = 1.0 / (0.5 * self.field_of_view).tan();
        let near = NEAR * self.distance();
        // x and y scaled, z constant, w the distance along the view: depth is near / distance.
        let (x, y) = (right * (f / aspect), up * f);
        let from_eye = Mat4::from_cols(
            Vec4::new(x.x, y.x, 0.0, forward.x),
            Vec4::new(x.y, y.y, 0.0, forward.y),
            Vec4::new(x.z, y.z, 0.0, forward.z),
            Vec4::new(0.0, 0.0, near, 0.0),
        );
        from_eye * Mat4::from_translation(-self.eye)
    }

    /// Distance from the eye to the target [m].
    pub fn distance(&self) -> f32 {
        self.eye.distance(self.target)
    }

    /// Right, up and forward, orthonormal.
    pub fn axes(&self) -> [Vec3; 3] {
        let forward = (self.target - self.eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(self.up).try_normalize();
        let right = right.unwrap_or(forward.any_orthonormal_vector());
        [right, right.cross(forward), forward]
    }

    pub(super) fn check(&self) -> Result<(), RenderError> {
        let finite = self.eye.is_finite() && self.target.is_finite() && self.up.is_finite();
        if !finite || !self.field_of_view.is_finite() {
            return Err(RenderError::Camera("eye, target, up and field of view must be finite"));
        }
        if self.distance() == 0.0 {
            return Err(RenderError::Camera("eye and target are the same point"));
        }
        if self.up.length_squared() == 0.0 {
            return Err(RenderError::Camera("up has no direction"));
        }
        if !(self.field_of_view > 0.0 && self.field_of_view < std::f32::consts::PI) {
            return Err(RenderError::Camera("the field of view must lie between 0 and π"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_box_lies_inside_the_picture() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -2.0), Vec3::new(3.0, 1.0, 0.5));
        for angle in [0.0f32, 1.0, 2.5, 4.0] {
            let from = Vec3::new(angle.cos(), 0.4, angle.sin());
            let camera = Camera::framing_from(low, high, from, Vec3::Y, 640.0 / 480.0);
            for corner in 0..8 {
                let pick = |k: usize| {
                    if corner >> k & 1 == 0 { low[k] } else { high[k] }
                };
                let [x, y] = camera.project(Vec3::new(pick(0), pick(1), pick(2)), 640, 480).unwrap();
                assert!((0.0..640.0).contains(&x) && (0.0..480.0).contains(&y), "{x} {y}");
            }
        }
    }

    #[test]
    fn depth_falls_from_one_at_the_near_plane_to_zero_far_away() {
        let camera = Camera::framing(Vec3::splat(-1.0), Vec3::ONE, 1.5);
        let forward = (camera.target - camera.eye).normalize();
        let depth = |d: f32| {
            let clip = camera.clip_from_world(1.5) * (camera.eye + forward * d).extend(1.0);
            clip.z / clip.w
        };
        assert!((depth(NEAR * camera.distance()) - 1.0).abs() < 1e-3);
        assert!(depth(1.0) > depth(2.0) && depth(1e6) < 1e-6);
    }

    #[test]
    fn a_full_orbit_comes_back_and_keeps_the_distance() {
        let camera = Camera::framing(Vec3::splat(-1.0), Vec3::ONE, 1.5);
        let turned = camera.orbit(std::f32::consts::TAU);
        assert!(turned.eye.distance(camera.eye) < 1e-4 * camera.distance());
        let tilted = camera.tilt(10.0);
        assert!((tilted.distance() / camera.distance() - 1.0).abs() < 1e-4);
        assert!(tilted.check().is_ok());
    }

    #[test]
    fn a_blind_camera_is_refused() {
        let camera = Camera::framing(Vec3::splat(-1.0), Vec3::ONE, 1.5);
        assert!(Camera { eye: camera.target, ..camera }.check().is_err());
        assert!(Camera { eye: Vec3::NAN, ..camera }.check().is_err());
        assert!(Camera { up: Vec3::ZERO, ..camera }.check().is_err());
        assert!(Camera { field_of_view: 4.0, ..camera }.check().is_err());
    }

    #[test]
    fn an_unusable_box_is_framed_as_a_metre_around_the_origin() {
        let camera = Camera::framing(Vec3::INFINITY, Vec3::NEG_INFINITY, 1.5);
        assert_eq!(camera.target, Vec3::ZERO);
        assert!(camera.check().is_ok());
    }
}
