//! The look of a picture: theme, colouring, ground and the effort spent on it.

/// How a picture is lit and coloured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    pub theme: Theme,
    pub colouring: Colouring,
    /// Height of the ground along the camera's up [m], or none.
    pub ground: Option<f32>,
    /// Whether the ground carries a grid; its cells are powers of ten in metres.
    pub grid: bool,
    /// Multiplies all light; 1 is the theme's own exposure.
    pub exposure: f32,
    pub quality: Quality,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::Light,
            colouring: Colouring::Body,
            ground: Some(0.0),
            grid: true,
            exposure: 1.0,
            quality: Quality::Normal,
        }
    }
}

/// The studio around the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// Where colours come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Colouring {
    /// Each body its own colour.
    Body,
    /// A value per particle through the colour map, `low` violet and `high` yellow.
    Scalar { low: f32, high: f32 },
}

/// The effort spent on shadows and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// For what moves on a machine without a GPU: coarse shadows, hard edges.
    Draft,
    /// For the viewer and for frames of a film.
    Normal,
    /// For the one picture of a paper.
    Fine,
}

/// What a quality means in samples and pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Side of the key light's depth map [pixel].
    pub key_pixels: u32,
    /// Side of one sky direction's depth map [pixel].
    pub sky_pixels: u32,
    /// Directions the sky is sampled from; at most [`SKY_LIMIT`].
    pub sky_count: u32,
    /// Side of the texture with the floor's ambient light [pixel].
    pub ground_pixels: u32,
    /// Samples that look for what blocks the key light.
    pub blocker_taps: u32,
    /// Samples that measure how much of it is blocked.
    pub filter_taps: u32,
    /// Samples of a pixel that smooth edges: [`SMOOTH`] or one.
    pub samples: u32,
    /// Whether dense meshes, and the floor below them, are lit at fewer places than the pixels of the picture.
    pub vertex_light: bool,
    /// Whether meshes cast their shadows with fewer triangles than usual.
    pub coarse_shadows: bool,
    /// Pixels of the map with the floor's light then.
    pub ground_draft: [u32; 2],
}

/// Samples of a pixel with smooth edges; four is what every WebGPU device has.
pub(super) const SMOOTH: u32 = 4;
/// The length of `sky` in shaders/render/lights.wgsl.
pub(super) const SKY_LIMIT: u32 = 32;

impl Quality {
    pub(super) fn effort(self) -> Effort {
        match self {
            Quality::Draft => Effort {
                key_pixels: 1024,
                sky_pixels: 128,
                sky_count: 8,
                ground_pixels: 64,
                blocker_taps: 6,
                filter_taps: 8,
                samples: 1,
                vertex_light: true,
                coarse_shadows: true,
                ground_draft: [384, 256],
            },
            Quality::Normal => Effort {
                key_pixels: 2048,
                sky_pixels: 192,
                sky_count: 20,
                ground_pixels: 128,
                blocker_taps: 10,
                filter_taps: 20,
                samples: SMOOTH,
                vertex_light: false,
                coarse_shadows: false,
                ground_draft: [1, 1],
            },
            Quality::Fine => Effort {
                key_pixels: 4096,
                sky_pixels: 384,
                sky_count: 32,
                ground_pixels: 256,
                blocker_taps: 24,
                filter_taps: 72,
                samples: SMOOTH,
                vertex_light: false,
                coarse_shadows: false,
                ground_draft: [1, 1],
            },
        }
    }
}

impl Effort {
    /// Sky tiles along one side of the square atlas.
    pub fn sky_tiles(self) -> u32 {
        self.sky_count.isqrt() + u32::from(self.sky_count.isqrt().pow(2) < self.sky_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quality_stays_within_default_limits() {
        for quality in [Quality::Draft, Quality::Normal, Quality::Fine] {
            let effort = quality.effort();
            assert!(effort.sky_count <= SKY_LIMIT);
            assert!(effort.sky_tiles().pow(2) >= effort.sky_count);
            let side = wgpu::Limits::default().max_texture_dimension_2d;
            assert!(effort.key_pixels <= side && effort.sky_tiles() * effort.sky_pixels <= side);
        }
    }
}
