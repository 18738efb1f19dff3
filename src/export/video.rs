//! Numbered PNG frames into a video, by ffmpeg if it is installed.
//!
//! H.264, 4:2:0, BT.709: what every player and browser shows with the right colours. ffmpeg writes to a
//! temporary name that is renamed when it succeeds.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{AtomicFile, ExportError};

/// What to make a video of.
#[derive(Debug, Clone)]
pub struct Video {
    /// Holds `prefix` + number + `.png`, the numbers zero-padded to one width and without gaps.
    pub folder: PathBuf,
    pub prefix: String,
    pub frames_per_second: f64,
    /// An `.mp4` file.
    pub output: PathBuf,
    /// Name or path of the program, normally `ffmpeg`.
    pub program: OsString,
}

/// What became of a [`Video`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VideoOutcome {
    /// The video is complete.
    Written { frame_count: usize },
    /// ffmpeg is not installed; this command line makes the video.
    NotInstalled { command_line: String },
}

/// How many lines of ffmpeg's complaint are worth showing.
const LAST_LINE_COUNT: usize = 8;

impl Video {
    pub fn new(
        folder: impl Into<PathBuf>,
        prefix: impl Into<String>,
        frames_per_second: f64,
        output: impl Into<PathBuf>,
    ) -> Self {
        Self {
            folder: folder.into(),
            prefix: prefix.into(),
            frames_per_second,
            output: output.into(),
            program: "ffmpeg".into(),
        }
    }

    /// Makes the video, or says how.
    pub fn encode(&self) -> Result<VideoOutcome, ExportError> {
        if !(self.frames_per_second.is_finite() && self.frames_per_second > 0.0) {
            return Err(ExportError::content(
                &self.output,
                format!("{} frames per second", self.frames_per_second),
            ));
        }
        let frames = Frames::find(&self.folder, &self.prefix)?;
        let output = AtomicFile::create(&self.output)?;
        let arguments = self.arguments(&frames, output.temporary_path())?;
        let run = Command::new(&self.program).args(&arguments).stdin(Stdio::null()).output();
        let run = match run {
            Ok(run) => run,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let arguments = self.arguments(&frames, &self.output)?;
                return Ok(VideoOutcome::NotInstalled {
                    command_line: command_line(&self.program, &arguments),
                });
            }
            Err(e) => return Err(ExportError::io(Path::new(&self.program), "run")(e)),
        };
        if !run.status.success() {
            let text = String::from_utf8_lossy(&run.stderr);
            let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
            let first = lines.len().saturating_sub(LAST_LINE_COUNT);
            return Err(ExportError::Ffmpeg {
                path: self.output.clone(),
                status: run.status.to_string(),
                last_lines: lines[first..].join("\n"),
            });
        }
        output.commit()?;
        Ok(VideoOutcome::Written { frame_count: frames.count })
    }

    fn arguments(&self, frames: &Frames, output: &Path) -> Result<Vec<OsString>, ExportError> {
        // Absolute, because ffmpeg takes a leading `-` for an option and `a:b` for a protocol.
        let absolute = |path: &Path| std::path::absolute(path).map_err(ExportError::io(path, "resolve"));
        let mut pattern = percent_escaped(absolute(&self.folder)?.as_os_str());
        pattern.push(std::path::MAIN_SEPARATOR_STR);
        pattern.push(percent_escaped(OsStr::new(&self.prefix)));
        pattern.push(format!("%0{}d.png", frames.digit_count));

        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        add(&["-nostdin", "-hide_banner", "-v", "error", "-y"]);
        // A damaged frame is an error; by default ffmpeg leaves it out and reports success.
        add(&["-xerror"]);
        add(&["-framerate", &self.frames_per_second.to_string()]);
        add(&["-start_number", &frames.first.to_string(), "-i"]);
        arguments.push(pattern);
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        // 4:2:0 needs even sizes; a lost row of pixels is less visible than an added black one.
        add(&[
            "-vf",
            "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        ]);
        add(&["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]);
        add(&["-colorspace", "bt709", "-color_primaries", "bt709"]);
        add(&["-color_trc", "bt709", "-movflags", "+faststart"]);
        // The temporary name has no extension to guess the format from.
        add(&["-f", "mp4"]);
        arguments.push(absolute(output)?.into_os_string());
        Ok(arguments)
    }
}

/// The numbered frames of a folder.
struct Frames {
    first: u64,
    count: usize,
    digit_count: usize,
}

impl Frames {
    /// ffmpeg stops quietly at the first gap, so gaps are found here.
    fn find(folder: &Path, prefix: &str) -> Result<Self, ExportError> {
        let mut numbers: Vec<(u64, usize)> = Vec::new();
        let entries = fs::read_dir(folder).map_err(ExportError::io(folder, "list"))?;
        for entry in entries {
            let entry = entry.map_err(ExportError::io(folder, "list"))?;
            let name = entry.file_name();
            if let Some(digits) = name.to_str().and_then(|name| frame_digits(name, prefix))
                && let Ok(number) = digits.parse()
            {
                numbers.push((number, digits.len()));
            }
        }
        numbers.sort_unstable();
        let Some(&(first, digit_count)) = numbers.first() else {
            return Err(ExportError::content(
                folder,
                format!("holds no frames called `{prefix}` + number + `.png`"),
            ));
        };
        for (expected, &(number, digits)) in (first..).zip(&numbers) {
            if number != expected {
                return Err(ExportError::content(
                    folder,
                    format!("frame `{prefix}{expected:0digit_count$}.png` is missing or double"),
                ));
            }
            // `%06d` also matches longer numbers, as long as nothing was padded to fit them.
            if digits != digit_count.max(number.to_string().len()) {
                return Err(ExportError::content(
                    folder,
                    format!("frame number {number} is padded to another width than {first}"),
                ));
            }
        }
        Ok(Self { first, count: numbers.len(), digit_count })
    }
}

fn frame_digits<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let digits = name.strip_prefix(prefix)?.strip_suffix(".png")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(digits)
}

/// `%` starts a pattern in an input name, wherever it stands.
fn percent_escaped(text: &OsStr) -> OsString {
    match text.to_str() {
        Some(text) => text.replace('%', "%%").into(),
        // Not UTF-8: passed as it is, as there is no portable way to edit it.
        None => text.to_owned(),
    }
}

/// The command as one would type it in a POSIX shell.
fn command_line(program: &OsStr, arguments: &[OsString]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(OsString::as_os_str));
    let quoted: Vec<String> = words.map(|w| shell_quoted(&w.to_string_lossy())).collect();
    quoted.join(" ")
}

fn shell_quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
