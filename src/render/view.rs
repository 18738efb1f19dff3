//! The uniform that tells the shaders about camera, look and counts: the twin of shaders/render/view.wgsl.

use super::camera::Camera;
use super::look::{Colouring, Look, Theme};
use glam::{Mat4, UVec4, Vec3, Vec4};

#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct View {
    pub clip_from_world: Mat4,
    pub eye: Vec4,
    pub right: Vec4,
    pub upward: Vec4,
    pub forward: Vec4,
    pub up: Vec4,
    pub focus: Vec4,
    pub key_direction: Vec4,
    pub key_colour: Vec4,
    pub sky_colour: Vec4,
    pub bounce_colour: Vec4,
    pub backdrop_low: Vec4,
    pub backdrop_high: Vec4,
    pub ground_colour: Vec4,
    pub grid_colour: Vec4,
    pub scalar_range: Vec4,
    pub counts: UVec4,
    pub sampling: UVec4,
    pub maps: UVec4,
}

/// The light and the floor of a theme; colours are linear.
struct Studio {
    key: Vec3,
    sky: Vec3,
    floor: Vec3,
    grid: Vec3,
    grid_strength: f32,
    backdrop_low: Vec3,
    backdrop_high: Vec3,
}

/// Towards the key light in a frame whose y is up: high, from the left front.
const KEY_DIRECTION: Vec3 = Vec3::new(-0.62, 0.80, 0.50);
/// Tangent of the key light's angular radius: a soft box, not the sun.
const KEY_SOFTNESS: f32 = 0.09;

impl Studio {
    fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self {
                key: Vec3::new(1.10, 1.05, 0.98),
                sky: Vec3::new(0.47, 0.50, 0.54),
                floor: Vec3::new(0.64, 0.635, 0.625),
                grid: Vec3::splat(0.22),
                grid_strength: 0.42,
                backdrop_low: Vec3::new(0.86, 0.865, 0.87),
                backdrop_high: Vec3::new(0.56, 0.60, 0.65),
            },
            Theme::Dark => Self {
                key: Vec3::new(1.30, 1.22, 1.11),
                sky: Vec3::new(0.33, 0.37, 0.43),
                floor: Vec3::new(0.036, 0.038, 0.042),
                grid: Vec3::new(0.12, 0.125, 0.135),
                grid_strength: 0.6,
                backdrop_low: Vec3::new(0.034, 0.037, 0.042),
                backdrop_high: Vec3::new(0.010, 0.011, 0.014),
            },
        }
    }
}

/// The viewing distance that ground and grid are scaled by [m]. A very long lens, which stands for an orthographic
/// view, is far away from what it shows; there the distance of an ordinary lens with the same picture counts.
fn reach(camera: &Camera) -> f32 {
    const LONG: f32 = 0.07; // half the opening of a long lens [rad]
    let ordinary = (0.5 * camera.field_of_view).tan() / LONG.tan();
    camera.distance() * ordinary.min(1.0)
}

impl View {
    /// Everything that follows from camera, look and size; `counts` are particles, vertices and capsules.
    pub fn new(
        camera: &Camera,
        look: &Look,
        [width, height]: [u32; 2],
        [particles, vertices, capsules]: [u32; 3],
        has_scalars: bool,
        encode_srgb: bool,
    ) -> Self {
        let aspect = width as f32 / height as f32;
        let [right, upward, forward] = camera.axes();
        let half_height = (0.5 * camera.field_of_view).tan();
        let up = camera.up.normalize();
        let studio = Studio::of(look.theme);
        let exposure = if look.exposure.is_finite() { look.exposure.max(0.0) } else { 1.0 };
        let key_direction = (glam::Quat::from_rotation_arc(Vec3::Y, up) * KEY_DIRECTION).normalize();
        let ground = look.ground.filter(|height| height.is_finite());
        let bounce = if ground.is_some() {
            studio.floor * (studio.key * up.dot(key_direction) + studio.sky) * 0.75
        } else {
            0.35 * studio.sky
        };
        let scalar_range = match look.colouring {
            Colouring::Scalar { low, high } if has_scalars => {
                // A constant field is drawn in the map's lowest colour rather than divided by zero.
                let scale = 1.0 / (high - low);
                Vec4::new(low, if scale.is_finite() { scale } else { 0.0 }, 1.0, 0.0)
            }
            _ => Vec4::ZERO,
        };
        let effort = look.quality.effort();
        let light = |colour: Vec3| (colour * exposure).extend(0.0);
        Self {
            clip_from_world: camera.clip_from_world(aspect),
            eye: camera.eye.extend(0.0),
            right: (right * half_height * aspect).extend(width as f32),
            upward: (upward * half_height).extend(height as f32),
            forward: forward.extend(2.0 * half_height / height as f32),
            up: up.extend(ground.unwrap_or(0.0)),
            focus: camera.target.extend(reach(camera)),
            key_direction: key_direction.extend(KEY_SOFTNESS),
            key_colour: light(studio.key),
            sky_colour: light(studio.sky),
            bounce_colour: light(bounce),
            backdrop_low: light(studio.backdrop_low),
            backdrop_high: light(studio.backdrop_high),
            ground_colour: studio.floor.extend(if ground.is_some() { 1.0 } else { 0.0 }),
            grid_colour: studio.grid.extend(if look.grid { studio.grid_strength } else { 0.0 }),
            scalar_range,
            counts: UVec4::new(particles, vertices, capsules, effort.sky_count),
            sampling: UVec4::new(
                effort.blocker_taps,
                effort.filter_taps,
                u32::from(encode_srgb),
                effort.samples,
            ),
            maps: UVec4::new(effort.key_pixels, effort.sky_pixels, effort.sky_tiles(), 0),
        }
    }
}
