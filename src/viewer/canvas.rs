//! The scene's picture inside the window.

use super::graphics::Graphics;
use crate::export::Image;
use crate::render::{Camera, Look, Offscreen, Quality, RenderError, SceneDrawing};
use std::time::{Duration, Instant};

/// How long a picture stays as it is before it is drawn again with more care.
const REST: Duration = Duration::from_millis(400);

/// A texture that shows the scene; drawn again only when something in it has changed.
#[derive(Default)]
pub struct Canvas {
    offscreen: Option<Offscreen>,
    texture: Option<egui::TextureId>,
    /// What the texture shows.
    shown: Option<Shown>,
    /// When something in it last changed.
    changed: Option<Instant>,
}

/// All that decides what a picture looks like, besides the drawing itself.
#[derive(Clone, PartialEq)]
pub struct Shown {
    pub size: [u32; 2],
    pub camera: Camera,
    pub look: Look,
    /// Number of the published state.
    pub serial: u64,
    /// Whether the solver's own buffer is drawn.
    pub positions: Option<wgpu::Buffer>,
    pub has_scalars: bool,
}

impl Canvas {
    /// Forgets what is shown, so that the next picture is drawn anew.
    pub fn invalidate(&mut self) {
        self.shown = None;
    }

    /// The texture as egui knows it.
    pub fn texture(&self) -> Option<egui::TextureId> {
        self.texture
    }

    /// Makes a texture of this size, keeping its number.
    pub fn fit(&mut self, graphics: &mut Graphics, [width, height]: [u32; 2]) -> Result<(), RenderError> {
        let fits = |offscreen: &Offscreen| [offscreen.width(), offscreen.height()] == [width, height];
        if self.offscreen.as_ref().is_some_and(fits) {
            return Ok(());
        }
        let offscreen = Offscreen::new(&graphics.renderer, width, height)?;
        let (device, filter) = (&graphics.gpu.device, wgpu::FilterMode::Linear);
        match self.texture {
            Some(id) => {
                graphics.painter.update_egui_texture_from_wgpu_texture(device, offscreen.view(), filter, id)
            }
            None => {
                let id = graphics.painter.register_native_texture(device, offscreen.view(), filter);
                self.texture = Some(id);
            }
        }
        self.offscreen = Some(offscreen);
        self.shown = None;
        Ok(())
    }

    /// Replaces a draft that has been still for a while by a careful picture. Returns when to ask again.
    pub fn refine(&self, wanted: &mut Shown) -> Option<Duration> {
        if wanted.look.quality != Quality::Draft {
            return None;
        }
        let (Some(shown), Some(changed)) = (&self.shown, self.changed) else { return Some(REST) };
        let mut careful = wanted.clone();
        careful.look.quality = Quality::Normal;
        let is_careful = *shown == careful;
        let left = REST.saturating_sub(changed.elapsed());
        if is_careful || (*shown == *wanted && left.is_zero()) {
            *wanted = careful;
            return None;
        }
        Some(if *shown == *wanted { left } else { REST })
    }

    /// Draws the scene if anything has changed.
    pub fn draw(
        &mut self,
        graphics: &Graphics,
        scene: &mut SceneDrawing,
        wanted: Shown,
    ) -> Result<bool, RenderError> {
        let Some(offscreen) = &self.offscreen else { return Ok(false) };
        if self.shown.as_ref() == Some(&wanted) {
            return Ok(false);
        }
        let mut encoder = graphics.gpu.device.create_command_encoder(&Default::default());
        let positions = wanted.positions.as_ref().unwrap_or(&scene.positions);
        let scalars = wanted.has_scalars.then_some(&scene.scalars);
        let (camera, look) = (&wanted.camera, &wanted.look);
        offscreen.draw(
            &mut encoder,
            &graphics.renderer,
            &mut scene.drawing,
            positions,
            scalars,
            camera,
            look,
        )?;
        graphics.gpu.queue.submit([encoder.finish()]);
        self.shown = Some(wanted);
        self.changed = Some(Instant::now());
        Ok(true)
    }

    /// The picture that is shown, drawn again in the best quality.
    pub fn screenshot(
        &mut self,
        graphics: &Graphics,
        scene: &mut SceneDrawing,
    ) -> Result<Option<Image>, RenderError> {
        let Some(mut wanted) = self.shown.clone() else { return Ok(None) };
        wanted.look.quality = Quality::Fine;
        self.draw(graphics, scene, wanted)?;
        self.shown = None;
        self.image(graphics)
    }

    /// The picture that is shown.
    pub fn image(&self, graphics: &Graphics) -> Result<Option<Image>, RenderError> {
        let Some(offscreen) = &self.offscreen else { return Ok(None) };
        let pixels = offscreen.read(&graphics.renderer)?;
        Ok(Some(Image { width: offscreen.width(), height: offscreen.height(), pixels }))
    }
}
