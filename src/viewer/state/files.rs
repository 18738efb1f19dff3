//! What leaves the window: pictures, recordings and scenes.

use super::Viewer;
use crate::export::{Image, write_png};
use crate::render::RenderError;
use crate::viewer::graphics::Graphics;
use std::path::PathBuf;

/// Frames being written as PNG files.
pub struct Recording {
    pub folder: PathBuf,
    pub frames: u64,
    /// Steps at the last frame.
    steps: Option<u64>,
}

impl Viewer {
    pub(super) fn save_picture(&mut self, image: &Image) {
        let name = self.session.as_ref().map_or("sinew", |session| session.name.as_str());
        let free = (1..).map(|k| PathBuf::from(format!("{name}_{k:03}.png"))).find(|path| !path.exists());
        let Some(path) = free else { return };
        match write_png(&path, image) {
            Ok(()) => self.say(format!("picture saved as {}", path.display())),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// Writes what runs now as a scene file.
    pub fn save_scene(&mut self) {
        let Some(session) = &self.session else { return };
        let path = PathBuf::from(self.save_name.trim());
        match crate::viewer::edit::save_scene(&session.scene, &path) {
            Ok(()) => self.say(format!("scene saved as {}", path.display())),
            Err(problem) => self.error = Some(problem),
        }
    }

    /// Begins or ends writing a PNG file for every new state that is drawn.
    pub fn toggle_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            self.say(format!("{} frames in {}", recording.frames, recording.folder.display()));
            return;
        }
        let name = self.session.as_ref().map_or("sinew", |session| session.name.as_str());
        let folder =
            (1..).map(|k| PathBuf::from(format!("{name}_frames_{k:03}"))).find(|path| !path.exists());
        let Some(folder) = folder else { return };
        match std::fs::create_dir_all(&folder) {
            Ok(()) => self.recording = Some(Recording { folder, frames: 0, steps: None }),
            Err(error) => self.error = Some(format!("making the folder {}: {error}", folder.display())),
        }
    }

    pub(super) fn record(&mut self, graphics: &Graphics) -> Result<(), RenderError> {
        let Some(recording) = &mut self.recording else { return Ok(()) };
        if recording.steps == Some(self.status.steps) {
            return Ok(());
        }
        recording.steps = Some(self.status.steps);
        if let Some(image) = self.canvas.image(graphics)? {
            let path = recording.folder.join(format!("frame_{:06}.png", recording.frames));
            recording.frames += 1;
            if let Err(error) = write_png(path, &image) {
                self.recording = None;
                self.error = Some(error.to_string());
            }
        }
        Ok(())
    }

    pub fn take_screenshot(&mut self) {
        self.screenshot = true;
    }
}
