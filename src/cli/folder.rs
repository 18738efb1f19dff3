//! The output folder: one run lives in it, and a manifest lists the files of that run.
//!
//! A run from the beginning refuses a folder that holds one, unless it may overwrite it: frames of two runs side by
//! side look like one. Files that the manifest does not list are never removed or replaced.

use super::manifest::{Contents, Described, MANIFEST, Manifest};
use anyhow::{Context, bail};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub const CHECKPOINT: &str = "checkpoint.sinew";
pub const SCALARS: &str = "scalars.csv";
pub const TIMING: &str = "timing.csv";
pub const REACTIONS: &str = "reactions.csv";
pub const REACTION_PLOT: &str = "reactions.png";
pub const ENERGY_PLOT: &str = "energy.png";
pub const MOMENTUM_PLOT: &str = "momentum.png";
pub const ANGULAR_MOMENTUM_PLOT: &str = "angular_momentum.png";
pub const ROD_ENERGY_PLOT: &str = "rod_energy.png";
pub const JOINT_PLOT: &str = "joints.png";
pub const WORK_PLOT: &str = "work.png";
pub const USD: &str = "scene.usda";
pub const SPOOL: &str = "scene.usda.spool";
pub const VIDEO: &str = "video.mp4";
pub const COLLECTION: &str = "vtk/frames.pvd";

/// Files of a run that are not numbered.
const SINGLE: [&str; 15] = [
    REACTIONS,
    REACTION_PLOT,
    CHECKPOINT,
    VIDEO,
    USD,
    SPOOL,
    SCALARS,
    TIMING,
    ENERGY_PLOT,
    MOMENTUM_PLOT,
    ANGULAR_MOMENTUM_PLOT,
    ROD_ENERGY_PLOT,
    JOINT_PLOT,
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
const KINDS: [Numbered; 3] = [PICTURES, PLY, VTU];

impl Numbered {
    /// The path of a frame inside the output folder.
    pub fn path(&self, frame: u64) -> String {
        format!("{}/{}{frame:06}{}", self.folder, self.prefix, self.extension)
    }

    /// The number in a path of this kind.
    fn number(&self, path: &str) -> Option<u64> {
        let name = path.strip_prefix(self.folder)?.strip_prefix('/')?;
        let digits = name.strip_prefix(self.prefix)?.strip_suffix(self.extension)?;
        let plain = digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    }
}

/// The run in the way of another, if there is one.
pub fn refuse_second(folder: &Path, contents: &Contents) -> anyhow::Result<()> {
    let Some(run) = &contents.run else { return Ok(()) };
    let free = (2..).map(|n| {
        let mut name = folder.as_os_str().to_owned();
        name.push(format!("-{n}"));
        PathBuf::from(name)
    });
    let free = free.into_iter().find(|path| !path.exists()).unwrap_or_default();
    bail!(
        "{} already holds a run of `{}` ({} files); --overwrite replaces it, --resume continues it, --out {} keeps both",
        folder.display(),
        run.scene,
        contents.files.len(),
        free.display()
    )
}

/// An output folder in use by this run.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
}

impl Folder {
    /// Makes the folder and those above it, and takes it for this run.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        make(path)?;
        Ok(Self { path: path.into(), manifest: Manifest::open(path)? })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a run and returns how many files of an earlier one it has removed.
    pub fn begin(&mut self, run: &Described, overwrite: bool) -> anyhow::Result<usize> {
        if !overwrite {
            refuse_second(&self.path, self.manifest.contents())?;
        }
        self.refuse_foreign()?;
        self.remove_temporaries()?;
        // The checkpoint goes first: nobody should resume from it without its frames.
        let files: Vec<String> = self.manifest.contents().files.iter().cloned().collect();
        let (first, others): (Vec<_>, Vec<_>) = files.iter().partition(|name| *name == CHECKPOINT);
        let mut removed = 0;
        for name in first.into_iter().chain(others) {
            removed += usize::from(self.remove(name)?);
        }
        self.manifest.begin(run)?;
        Ok(removed)
    }

    /// Continues a run.
    pub fn resume(&mut self, run: &Described) -> anyhow::Result<()> {
        self.refuse_foreign()?;
        self.remove_temporaries()?;
        self.manifest.describe(run)
    }

    /// The path of a file that is about to be written, listed from now on.
    pub fn claim(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path.join(name);
        if !self.manifest.contents().files.contains(name) && path.exists() {
            bail!(
                "{} is not of this run and is not replaced; move it away and --resume, or choose another folder with --out",
                path.display()
            );
        }
        self.manifest.list(name)?;
        Ok(path)
    }

    /// Makes a folder inside.
    pub fn make(&self, name: &str) -> anyhow::Result<()> {
        make(&self.path.join(name))
    }

    /// Removes the files of a kind from a number on and returns how many there were.
    pub fn remove_from(&mut self, kind: Numbered, first: u64) -> anyhow::Result<usize> {
        let files = self.manifest.contents().files.iter();
        let late = |name: &&String| kind.number(name).is_some_and(|number| number >= first);
        let names: Vec<String> = files.filter(late).cloned().collect();
        let mut removed = 0;
        for name in names {
            removed += usize::from(self.remove(&name)?);
        }
        Ok(removed)
    }

    /// Refuses files that look like those of a run and are not listed.
    fn refuse_foreign(&self) -> anyhow::Result<()> {
        let mut foreign: Vec<String> = Vec::new();
        for inner in ["", PICTURES.folder, PLY.folder, VTU.folder] {
            for name in list(&self.path.join(inner))? {
                let name = if inner.is_empty() { name } else { format!("{inner}/{name}") };
                if is_of_a_run(&name) && !self.manifest.contents().files.contains(&name) {
                    foreign.push(name);
                }
            }
        }
        foreign.sort();
        match &foreign[..] {
            [] => Ok(()),
            [first, rest @ ..] => bail!(
                "{} has {first}{}, which {MANIFEST} does not list: a run would replace what it has not written; \
                 move it away, or choose another folder with --out",
                self.path.display(),
                match rest.len() {
                    0 => String::new(),
                    1 => " and 1 more".into(),
                    count => format!(" and {count} more"),
                }
            ),
        }
    }

    /// Removes unfinished files of a run that was killed: `name.tmp-` and a process id.
    fn remove_temporaries(&self) -> anyhow::Result<()> {
        for inner in ["", PICTURES.folder, PLY.folder, VTU.folder] {
            for name in list(&self.path.join(inner))? {
                let name = if inner.is_empty() { name } else { format!("{inner}/{name}") };
                if let Some((whole, id)) = name.rsplit_once(".tmp-")
                    && id.parse::<u32>().is_ok()
                    && self.manifest.contents().files.contains(whole)
                {
                    self.remove(&name)?;
                }
            }
        }
        Ok(())
    }

    /// Removes a file and says whether it was there. Manifests are text that anybody can edit, so what they list is
    /// not trusted to be a path of a run.
    fn remove(&self, name: &str) -> anyhow::Result<bool> {
        let whole = name.rsplit_once(".tmp-").map_or(name, |(whole, _)| whole);
        let path = self.path.join(name);
        if !is_of_a_run(whole) || !path.is_file() {
            return Ok(false);
        }
        fs::remove_file(&path).with_context(|| {
            format!("cannot remove {} of an earlier run; choose another folder with --out", path.display())
        })?;
        Ok(true)
    }
}

/// Makes a folder and the folders above it.
fn make(path: &Path) -> anyhow::Result<()> {
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

/// Whether a run writes a file of this path inside its folder.
fn is_of_a_run(path: &str) -> bool {
    SINGLE.contains(&path) || KINDS.iter().any(|kind| kind.number(path).is_some())
}

/// The names in a folder that are UTF-8; those of a run are.
fn list(folder: &Path) -> anyhow::Result<Vec<String>> {
    let failed = || format!("cannot list the folder {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(failed),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.with_context(failed)?.file_name().into_string().ok());
    }
    Ok(names)
}
