//! The output folder: one run lives in it.
//!
//! A run from the beginning first removes what an earlier run left there, because frames of two runs side by side look
//! like one. A resumed run removes only what lies after its checkpoint and is made again. Files with other names are
//! never touched.

use anyhow::Context;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub const CHECKPOINT: &str = "checkpoint.sinew";
pub const SCALARS: &str = "scalars.csv";
pub const TIMING: &str = "timing.csv";
pub const ENERGY_PLOT: &str = "energy.png";
pub const MOMENTUM_PLOT: &str = "momentum.png";
pub const ANGULAR_MOMENTUM_PLOT: &str = "angular_momentum.png";
pub const ROD_ENERGY_PLOT: &str = "rod_energy.png";
pub const WORK_PLOT: &str = "work.png";
pub const USD: &str = "scene.usda";
pub const VIDEO: &str = "video.mp4";
pub const COLLECTION: &str = "vtk/frames.pvd";

/// Files of a run that are not numbered. The checkpoint goes first: without its frames nobody should resume from it.
const SINGLE: [&str; 12] = [
    CHECKPOINT,
    VIDEO,
    USD,
    "scene.usda.spool",
    SCALARS,
    TIMING,
    ENERGY_PLOT,
    MOMENTUM_PLOT,
    ANGULAR_MOMENTUM_PLOT,
    ROD_ENERGY_PLOT,
    WORK_PLOT,
    COLLECTION,
];

/// A kind of numbered file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    pub folder: &'static str,
    prefix: &'static str,
    extension: &'static str,
}

pub const PICTURES: Numbered = Numbered { folder: "frames", prefix: "frame_", extension: ".png" };
pub const PLY: Numbered = Numbered { folder: "ply", prefix: "frame_", extension: ".ply" };
pub const VTU: Numbered = Numbered { folder: "vtk", prefix: "frames_", extension: ".vtu" };

impl Numbered {
    /// The path of a frame inside the output folder.
    pub fn path(&self, frame: u64) -> PathBuf {
        Path::new(self.folder).join(format!("{}{frame:06}{}", self.prefix, self.extension))
    }

    /// The number in a name of this kind.
    fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(self.prefix)?.strip_suffix(self.extension)?;
        let plain = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    }

    /// The files of this kind whose number is at least `first`.
    fn from(&self, folder: &Path, first: u64) -> anyhow::Result<Vec<PathBuf>> {
        let is_ours = |name: &OsStr| name.to_str().and_then(|n| self.number(n)).is_some_and(|n| n >= first);
        Ok(list(&folder.join(self.folder))?
            .into_iter()
            .filter(|p| p.file_name().is_some_and(is_ours))
            .collect())
    }
}

/// Makes a folder and the folders above it.
pub fn make(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            anyhow::anyhow!(
                "{} is a file or lies below one; choose another folder with --out",
                path.display()
            )
        }
        _ => anyhow::anyhow!("cannot make the folder {}: {error}; choose another with --out", path.display()),
    })
}

/// Removes an earlier run and returns how many files it had.
pub fn clear(folder: &Path) -> anyhow::Result<usize> {
    remove_temporaries(folder)?;
    let mut count = 0;
    for path in SINGLE.map(|name| folder.join(name)) {
        if path.is_file() {
            remove(&path)?;
            count += 1;
        }
    }
    for kind in [PICTURES, PLY, VTU] {
        count += clear_from(folder, kind, 0)?;
    }
    Ok(count)
}

/// Removes the files of a kind from a number on and returns how many there were.
pub fn clear_from(folder: &Path, kind: Numbered, first: u64) -> anyhow::Result<usize> {
    let stale = kind.from(folder, first)?;
    stale.iter().try_for_each(|path| remove(path))?;
    Ok(stale.len())
}

/// Removes unfinished files of a run that was killed: `name.tmp-` and a process id.
pub fn remove_temporaries(folder: &Path) -> anyhow::Result<()> {
    for inner in ["", PICTURES.folder, PLY.folder, VTU.folder] {
        for path in list(&folder.join(inner))? {
            let name = path.file_name().and_then(OsStr::to_str);
            if let Some((name, id)) = name.and_then(|name| name.rsplit_once(".tmp-"))
                && id.parse::<u32>().is_ok()
                && is_of_a_run(&Path::new(inner).join(name))
            {
                remove(&path)?;
            }
        }
    }
    Ok(())
}

/// Whether a run writes a file of this path inside its folder.
fn is_of_a_run(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let numbered = [PICTURES, PLY, VTU].into_iter();
    SINGLE.iter().any(|single| Path::new(single) == path)
        || numbered
            .filter(|kind| path.parent() == Some(Path::new(kind.folder)))
            .any(|kind| kind.number(name).is_some())
}

fn list(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("cannot list the folder {}", folder.display());
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry.with_context(failed)?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(failed),
    }
}

fn remove(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| {
        format!("cannot remove {} of an earlier run; choose another folder with --out", path.display())
    })
}
