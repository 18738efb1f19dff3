//! One USDA file with time-sampled points: the whole run as a scene for Blender, Houdini, usdview, …
//!
//! A body becomes a `Mesh` if it has triangles (or tetrahedra, then their surface), `BasisCurves` if it has
//! segments, both if it has both, and `Points` if it has no cells at all. Cells may appear and vanish within a
//! body, as cloth tears: the topology is then sampled too. Only what the bodies of the snapshot claim is
//! written; without bodies, everything is one body. Velocities are written where they are known, normals for meshes, and
//! [`Furniture`] around the bodies. A particle without a segment in a body of curves has no
//! place in a curve and is left out.
//!
//! USDA wants all samples of one attribute together, while a run produces all attributes of one sample
//! together. So samples are streamed to `name.usda.spool` in binary and put in order at the end. The
//! trade-off: memory stays at one frame, but the disk holds the run twice, and the USDA file appears only with
//! [`assemble`](UsdaWriter::assemble) or [`finish`](UsdaWriter::finish), whose cost grows with everything written so far.
//! The file under the final name is complete at every moment. As long as the spool is there, [`UsdaWriter::resume`]
//! continues a run that was killed or that is to go on; the file is then the same, to the byte, as that of a run without
//! a break.

mod assemble;
mod furniture;
mod spool;
mod text;
mod topology;

use std::path::{Path, PathBuf};

use super::{BodyRange, ExportError, Snapshot};
pub use furniture::{Furniture, StageCamera, StageObstacle, StageShape, StageTexture};
use spool::Spool;
use text::Names;
use topology::{Kind, Topology};

/// Settings of a USDA file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsdaOptions {
    /// Time codes per simulated second; the playback rate at which a second takes a second.
    pub frames_per_second: f64,
}

/// Streams snapshots and puts them together as one USDA file.
#[derive(Debug)]
pub struct UsdaWriter {
    path: PathBuf,
    options: UsdaOptions,
    furniture: Furniture,
    spool: Spool,
    /// Per prim, the topology of the last frame, to notice changes. Empty when unknown.
    topologies: Vec<Topology>,
}

/// What does not change about a prim.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct Prim {
    /// A valid and unique USD identifier.
    identifier: String,
    /// As the user wrote it.
    body_name: String,
    body_index: usize,
    kind: Kind,
    /// Linear RGB.
    colour: [f32; 3],
    /// Diameter of curves and points [m].
    width: f32,
    /// Shown by tools on request only: what drives another prim.
    is_guide: bool,
}

impl UsdaWriter {
    /// Starts a new file; an older one of that name stays until this one is assembled.
    pub fn create(path: impl AsRef<Path>, options: UsdaOptions) -> Result<Self, ExportError> {
        let path = path.as_ref();
        check_options(path, options)?;
        let spool = Spool::create(&spool_path(path))?;
        Ok(Self::with_spool(path, options, spool))
    }

    /// Continues the spool of a run that ended early, from `time` [s]: frames up to and at that time stay,
    /// later ones are dropped. Infinity keeps them all. Without a spool, starts a new file, unless there is one
    /// already: that one would lose its frames.
    pub fn resume(path: impl AsRef<Path>, options: UsdaOptions, time: f64) -> Result<Self, ExportError> {
        let path = path.as_ref();
        check_options(path, options)?;
        let spool_path = spool_path(path);
        if !spool_path.exists() {
            if path.exists() {
                return Err(ExportError::resume(
                    path,
                    "has lost its spool and cannot be continued; write to another folder or move it away",
                ));
            }
            return Self::create(path, options);
        }
        let spool = Spool::resume(&spool_path, time)?;
        Ok(Self::with_spool(path, options, spool))
    }

    fn with_spool(path: &Path, options: UsdaOptions, spool: Spool) -> Self {
        Self {
            path: path.to_owned(),
            options,
            furniture: Furniture::default(),
            spool,
            topologies: Vec::new(),
        }
    }

    /// With a camera and obstacles around the bodies.
    pub fn with_furniture(self, furniture: Furniture) -> Self {
        Self { furniture, ..self }
    }

    /// How many frames are in the spool.
    pub fn frame_count(&self) -> usize {
        self.spool.frames().len()
    }

    /// The time of the last frame [s].
    pub fn last_time(&self) -> Option<f64> {
        self.spool.frames().last().map(|frame| frame.time)
    }

    /// Adds a frame. Frames at or after its time are replaced.
    pub fn add(&mut self, snapshot: &Snapshot) -> Result<(), ExportError> {
        snapshot.check()?;
        if self.last_time().is_some_and(|last| snapshot.time <= last) {
            self.spool.keep_before(snapshot.time)?;
            self.topologies.clear();
        }
        let everything = [whole(snapshot)];
        let bodies = if snapshot.bodies.is_empty() { &everything } else { snapshot.bodies };
        if self.spool.frames().is_empty() {
            self.spool.begin(prims_of(bodies, snapshot))?;
        } else {
            self.check_same_bodies(bodies, snapshot)?;
        }
        self.update_topologies(bodies, snapshot)?;
        self.spool.append(snapshot, &mut self.topologies)
    }

    /// Writes the USDA file from the frames so far; more may follow.
    pub fn assemble(&mut self) -> Result<(), ExportError> {
        assemble::write(&self.path, self.options, &self.furniture, &mut self.spool)
    }

    /// Writes the USDA file and removes the spool.
    pub fn finish(mut self) -> Result<(), ExportError> {
        self.assemble()?;
        self.spool.remove()
    }

    fn update_topologies(&mut self, bodies: &[BodyRange], snapshot: &Snapshot) -> Result<(), ExportError> {
        if self.topologies.len() != self.spool.prims().len() {
            let kinds: Vec<Kind> = self.spool.prims().iter().map(|p| p.kind).collect();
            self.topologies.clear();
            for (index, kind) in kinds.into_iter().enumerate() {
                self.topologies.push(Topology::new(kind, self.spool.last_topology(index)?));
            }
        }
        for (topology, prim) in self.topologies.iter_mut().zip(self.spool.prims()) {
            topology.update(&bodies[prim.body_index], snapshot);
        }
        Ok(())
    }

    /// USD can sample points and topology, but not the list of prims.
    fn check_same_bodies(&self, bodies: &[BodyRange], snapshot: &Snapshot) -> Result<(), ExportError> {
        let now = prims_of(bodies, snapshot);
        let before = self.spool.prims();
        let has_body = |prim: &Prim, list: &[Prim]| {
            let same = |p: &Prim| (p.body_index, &p.body_name) == (prim.body_index, &prim.body_name);
            list.iter().any(same)
        };
        let has_kind = |prim: &Prim| {
            let same = |p: &Prim| (p.body_index, p.kind) == (prim.body_index, prim.kind);
            // A body that lost its last cell is still the mesh or the curves it was.
            prim.kind == Kind::Points || before.iter().any(same)
        };
        let odd = now
            .iter()
            .find(|p| !has_body(p, before) || !has_kind(p))
            .or_else(|| before.iter().find(|p| !has_body(p, &now)));
        match odd {
            None => Ok(()),
            Some(prim) => Err(ExportError::Snapshot {
                time: snapshot.time,
                problem: format!(
                    "body `{}` appeared, vanished or changed its kind since the first frame of {}; \
                     a USDA file has the same bodies throughout",
                    prim.body_name,
                    self.path.display()
                ),
            }),
        }
    }
}

fn check_options(path: &Path, options: UsdaOptions) -> Result<(), ExportError> {
    let rate = options.frames_per_second;
    if rate.is_finite() && rate > 0.0 {
        Ok(())
    } else {
        Err(ExportError::content(path, format!("{rate} frames per second")))
    }
}

fn spool_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".spool");
    path.with_file_name(name)
}

fn whole<'a>(snapshot: &Snapshot) -> BodyRange<'a> {
    BodyRange {
        name: "body",
        particles: 0..snapshot.positions.len(),
        triangles: 0..snapshot.triangles.len(),
        segments: 0..snapshot.segments.len(),
        tetrahedra: 0..snapshot.tetrahedra.len(),
        colour: [0.5; 3],
        radius: 0.0,
        is_guide: false,
    }
}

fn prims_of(bodies: &[BodyRange], snapshot: &Snapshot) -> Vec<Prim> {
    let mut names = Names::default();
    let mut prims = Vec::new();
    for (body_index, body) in bodies.iter().enumerate() {
        let kinds = Kind::of(body);
        let width = width_of(body, snapshot);
        for (k, &kind) in kinds.iter().enumerate() {
            let identifier =
                if k == 0 { names.take(body.name) } else { names.take(&format!("{}_curves", body.name)) };
            prims.push(Prim {
                identifier,
                body_name: body.name.to_owned(),
                body_index,
                kind,
                // Not every reader takes the tokens for non-finite numbers in a colour.
                colour: body.colour.map(|c| if c.is_finite() { c } else { 0.0 }),
                width,
                is_guide: body.is_guide,
            });
        }
    }
    prims
}

/// Without a radius, a width that is visible at the size of the body.
fn width_of(body: &BodyRange, snapshot: &Snapshot) -> f32 {
    const SHARE_OF_SIZE: f32 = 0.01;
    if body.radius.is_finite() && body.radius > 0.0 {
        return 2.0 * body.radius;
    }
    let [low, high] = topology::extent(&snapshot.positions[body.particles.clone()]);
    let size = (0..3).map(|a| high[a] - low[a]).fold(0.0, f32::max);
    if size > 0.0 && size.is_finite() { SHARE_OF_SIZE * size } else { SHARE_OF_SIZE }
}
