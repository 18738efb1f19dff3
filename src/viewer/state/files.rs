//! What leaves the window: pictures, recordings and scenes.

use super::Viewer;
use crate::export::{Animation, ExportError, Image, write_png};
use crate::render::RenderError;
use crate::viewer::graphics::Graphics;
use crate::viewer::worker::Command;
use std::path::PathBuf;

/// What a recording becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// One animated PNG.
    Animation,
    /// A folder of PNG files.
    Frames,
}

/// A recording under way.
pub struct Recording {
    output: Output,
    pub frames: u32,
    /// Simulated time of the last frame [s].
    last: Option<f64>,
}

enum Output {
    Animation(Box<Animation>, PathBuf),
    Folder(PathBuf),
}

/// Least simulated time between two frames [s]; what moves faster than that on screen nobody sees.
const FRAME_INTERVAL: f64 = 1.0 / 30.0;
/// How long a frame is shown at most [s]: pauses and the time before a restart are not part of the motion.
const LONGEST_FRAME: f64 = 0.25;

impl Viewer {
    pub(super) fn save_picture(&mut self, image: &Image) {
        let path = self.free_name("", ".png");
        match write_png(&path, image) {
            Ok(()) => self.say(format!("picture saved as {}", path.display())),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// Writes what runs now as a scene file, with its state beside it.
    pub fn save_scene(&mut self) {
        self.worker.send(Command::Save(PathBuf::from(self.save_name.trim())));
    }

    /// Begins or ends a recording.
    pub fn toggle_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            return self.end_recording(recording);
        }
        let output = match self.record_as {
            Record::Animation => {
                let path = self.free_name("_animation", ".png");
                Animation::create(&path).map(|animation| Output::Animation(Box::new(animation), path))
            }
            Record::Frames => {
                let folder = self.free_name("_frames", "");
                let made = std::fs::create_dir_all(&folder).map_err(ExportError::io(&folder, "create"));
                made.map(|()| Output::Folder(folder))
            }
        };
        match output {
            Ok(output) => self.recording = Some(Recording { output, frames: 0, last: None }),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn end_recording(&mut self, recording: Recording) {
        let frames = recording.frames;
        let (ended, path) = match recording.output {
            Output::Animation(animation, path) => (animation.finish(), path),
            Output::Folder(folder) => (Ok(()), folder),
        };
        match ended {
            Ok(()) => self.say(format!("{frames} frames in {}", path.display())),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// A file name beside the others of this scene that nobody has yet.
    fn free_name(&self, what: &str, ending: &str) -> PathBuf {
        let name = self.session.as_ref().map_or("sinew", |session| session.name.as_str());
        let mut number = 1;
        loop {
            let path = PathBuf::from(format!("{name}{what}_{number:03}{ending}"));
            if !path.exists() {
                return path;
            }
            number += 1;
        }
    }

    pub(super) fn record(&mut self, graphics: &Graphics) -> Result<(), RenderError> {
        let Some(recording) = &self.recording else { return Ok(()) };
        let time = self.status.time;
        // Time runs backwards after a restart.
        let passed = recording
            .last
            .map_or(FRAME_INTERVAL, |last| if time < last { FRAME_INTERVAL } else { time - last });
        if passed < FRAME_INTERVAL - 1e-9 {
            return Ok(());
        }
        let Some(image) = self.canvas.image(graphics)? else { return Ok(()) };
        let Some(recording) = &mut self.recording else { return Ok(()) };
        let written = match &mut recording.output {
            Output::Animation(animation, _) => animation.add(&image, passed.min(LONGEST_FRAME)),
            Output::Folder(folder) => {
                write_png(folder.join(format!("frame_{:06}.png", recording.frames)), &image)
            }
        };
        recording.frames += 1;
        recording.last = Some(time);
        if let Err(error) = written {
            // What was recorded before is kept.
            if let Some(mut recording) = self.recording.take() {
                recording.frames -= 1;
                self.end_recording(recording);
            }
            self.error = Some(error.to_string());
        }
        Ok(())
    }

    pub fn take_screenshot(&mut self) {
        self.screenshot = true;
    }
}
