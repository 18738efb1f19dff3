//! What leaves the window: pictures, recordings and scenes.

use super::Viewer;
use crate::export::{Animation, ExportError, Image, Video, VideoOutcome, write_png};
use crate::render::RenderError;
use crate::scene::Checked;
use crate::viewer::Opened;
use crate::viewer::graphics::Graphics;
use crate::viewer::worker::Command;
use std::path::{Path, PathBuf};

/// What a recording becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// One animated PNG.
    Animation,
    /// A folder of PNG files.
    Frames,
    /// An MP4 file, made by ffmpeg of such a folder.
    Video,
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
    /// The frames, and the file that becomes of them.
    Video(PathBuf, PathBuf),
}

/// Least simulated time between two frames [s]; what moves faster than that on screen nobody sees.
const FRAME_INTERVAL: f64 = 1.0 / 30.0;
/// How long a frame is shown at most [s]: pauses and the time before a restart are not part of the motion.
const LONGEST_FRAME: f64 = 0.25;

/// The most of a scene file that is read for its opening comment [bytes].
const MOST_COMMENT: u64 = 8192;

/// The opening comment of a scene's file, or of a built-in scene.
pub(super) fn about(name: &str, file: Option<&Path>) -> String {
    use std::io::Read;
    let Some(file) = file else {
        return crate::scenes::find(name).map(|scene| crate::scenes::opening(scene.text)).unwrap_or_default();
    };
    let mut bytes = Vec::new();
    // Only a description is missing where it cannot be read.
    let read = std::fs::File::open(file).and_then(|file| file.take(MOST_COMMENT).read_to_end(&mut bytes));
    read.map(|_| crate::scenes::opening(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
}

impl Viewer {
    /// Opens a scene file; a mistake in it is shown.
    pub fn open_file(&mut self, path: &Path) {
        match Checked::load(path) {
            Ok(scene) => {
                let name =
                    path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
                self.open(Opened { name, scene, file: Some(path.to_owned()) });
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

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
            Record::Video => {
                let (folder, file) = (self.free_name("_video", "_frames"), self.free_name("_video", ".mp4"));
                let made = std::fs::create_dir_all(&folder).map_err(ExportError::io(&folder, "create"));
                made.map(|()| Output::Video(folder, file))
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
            Output::Video(folder, file) => match encode(&folder, &file) {
                // The frames are in the video now.
                Ok(None) => {
                    (std::fs::remove_dir_all(&folder).map_err(ExportError::io(&folder, "remove")), file)
                }
                Ok(Some(command)) => {
                    let folder = folder.display();
                    return self
                        .say(format!("ffmpeg is not installed: {frames} frames in {folder}; {command}"));
                }
                Err(error) => (Err(error), folder),
            },
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
            Output::Folder(folder) | Output::Video(folder, _) => {
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

/// Makes a video of a folder of frames. Without ffmpeg, returns the command that does.
fn encode(folder: &Path, file: &Path) -> Result<Option<String>, ExportError> {
    match Video::new(folder, "frame_", 1.0 / FRAME_INTERVAL, file).encode()? {
        VideoOutcome::Written { .. } => Ok(None),
        VideoOutcome::NotInstalled { command_line } => Ok(Some(command_line)),
    }
}
