//! `probe.toml`: a body, a probe, and what was measured.

use super::body::{Body, Skin};
use super::equilibrium::Control;
use super::fit::{MOST_POISSON, Options, PoissonPrior, Problem, Sample};
use super::footprint::Footprint;
use super::law::Law;
use super::{IdentifyError, slips};
use crate::cloud::{self, CloudFileError};
use crate::limits;
use crate::scene::{Checked, SceneError, Solid};
use crate::scenes;
use glam::{DMat4, DVec3};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Samples of a file.
const MOST_SAMPLES: usize = 1000;
/// Tetrahedra of a body whose moduli are looked for: a mesh twice as fine has eight times as many.
const MOST_TETRAHEDRA: usize = 100_000;
/// Scans so much larger than the body are in another unit.
const OTHER_UNIT: f64 = 50.0;

/// A file that was refused.
#[derive(Debug, thiserror::Error)]
pub enum ProbeFileError {
    #[error("{}: {message}", file.display())]
    Malformed { file: PathBuf, message: String },
    #[error("{}: {key}: {message}", file.display())]
    Key { file: PathBuf, key: String, message: String },
    #[error("{}: {key}: {error}", file.display())]
    Scan { file: PathBuf, key: String, error: CloudFileError },
    #[error("{}: object.scene: {error}", file.display())]
    Scene { file: PathBuf, error: Box<SceneError> },
    #[error("{}: {key}: {error}", file.display())]
    Body { file: PathBuf, key: String, error: IdentifyError },
}

/// What a file says, ready to be fitted.
pub struct ProbeFile {
    pub problem: Problem,
    pub options: Options,
    /// Names of samples that were left out because the tip slipped.
    pub slipped: Vec<String>,
    /// The name of the solid and of its scene.
    pub body: String,
    pub scene: String,
    /// Where each sample stands in the file, counted from 0.
    pub numbers: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    format: u32,
    object: Object,
    probe: Probe,
    #[serde(default)]
    scanner: Scanner,
    #[serde(default)]
    fit: FitKeys,
    sample: Vec<SampleKeys>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    scene: String,
    body: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Probe {
    radius: f64,
    #[serde(default)]
    control: ControlKey,
    hidden: Option<f64>,
    force_error: Option<f64>,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum ControlKey {
    #[default]
    Force,
    Depth,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Scanner {
    pose: Option<[[f64; 4]; 4]>,
    noise: Option<f64>,
    undeformed: Option<PathBuf>,
    shift: Option<f64>,
    turn: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct FitKeys {
    poisson: Option<PoissonKeys>,
    start: Option<Start>,
    refine: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoissonKeys {
    prior: Option<f64>,
    spread: Option<f64>,
    free: Option<bool>,
    fixed: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    youngs_modulus: f64,
    poisson_ratio: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleKeys {
    touch: [f64; 3],
    force: [f64; 3],
    depth: Option<f64>,
    scan: PathBuf,
}

/// Where a message belongs.
struct Reader<'a> {
    file: &'a Path,
}

impl Reader<'_> {
    fn key(&self, key: impl Into<String>, message: impl Into<String>) -> ProbeFileError {
        ProbeFileError::Key { file: self.file.to_owned(), key: key.into(), message: message.into() }
    }

    fn body(&self, key: impl Into<String>, error: IdentifyError) -> ProbeFileError {
        ProbeFileError::Body { file: self.file.to_owned(), key: key.into(), error }
    }

    fn positive(&self, key: &str, value: f64, what: &str) -> Result<f64, ProbeFileError> {
        if value > 0.0 && value.is_finite() {
            return Ok(value);
        }
        Err(self.key(key, format!("{value} is not above zero; give {what}")))
    }

    fn poisson(&self, key: &str, value: f64) -> Result<f64, ProbeFileError> {
        if (0.0..=MOST_POISSON).contains(&value) {
            return Ok(value);
        }
        let message = format!(
            "ν = {value} is not within 0 to {MOST_POISSON}: at 0.5 a body keeps its volume whatever the force"
        );
        Err(self.key(key, message))
    }
}

impl ProbeFile {
    /// Reads a file, its scene and its scans; their paths are relative to the file.
    pub fn read(file: &Path) -> Result<Self, ProbeFileError> {
        let reader = Reader { file };
        let malformed = |message: String| ProbeFileError::Malformed { file: file.to_owned(), message };
        let text: Text = limits::toml(file).map_err(malformed)?;
        if text.format != 1 {
            return Err(
                reader.key("format", format!("{} is not a known format; write `format = 1`", text.format))
            );
        }
        let base = file.parent().unwrap_or(Path::new(""));
        let (body, mesh, name) = reader.object(&text.object, base)?;
        let options = reader.options(&text)?;
        let points = |key: &str, scan: &Path| -> Result<Vec<DVec3>, ProbeFileError> {
            let cloud = cloud::read(&base.join(scan)).map_err(|error| ProbeFileError::Scan {
                file: file.to_owned(),
                key: key.into(),
                error,
            })?;
            let ratio = cloud.diagonal() / body.diagonal();
            if ratio > OTHER_UNIT {
                return Err(reader.key(
                    key,
                    format!(
                        "{} is {ratio:.0} times as large as the body; scale the scan to metres",
                        scan.display()
                    ),
                ));
            }
            let pose = text
                .scanner
                .pose
                .map_or(DMat4::IDENTITY, |rows| DMat4::from_cols_array_2d(&rows).transpose());
            Ok(cloud.points.iter().map(|x| pose.transform_point3(*x)).collect())
        };
        if text.sample.is_empty() || text.sample.len() > MOST_SAMPLES {
            return Err(reader
                .key("sample", format!("{} samples; 1 to {MOST_SAMPLES} are possible", text.sample.len())));
        }
        let radius = reader.positive("probe.radius", text.probe.radius, "the radius of the tip in metres")?;
        let hidden = text.probe.hidden.unwrap_or(1.5 * radius);
        let mut samples = Vec::new();
        for (k, keys) in text.sample.iter().enumerate() {
            let here = |key: &str| format!("sample {}: {key}", k + 1);
            let [touch, force] = [keys.touch, keys.force].map(DVec3::from);
            if !(touch.is_finite() && force.length() > 0.0 && force.is_finite()) {
                let message =
                    "a sample needs a finite `touch` and a force that is not zero, as it pushes the body";
                return Err(reader.key(here("force"), message));
            }
            if let Some(depth) = keys.depth {
                reader.positive(
                    &here("depth"),
                    depth,
                    "the travel of the tip since it touched, in metres",
                )?;
            }
            let control = match (text.probe.control, keys.depth) {
                (ControlKey::Force, _) => Control::Force(force.length()),
                (ControlKey::Depth, Some(depth)) => Control::Depth(depth),
                (ControlKey::Depth, None) => {
                    return Err(
                        reader.key(here("depth"), "it is missing, and `control = \"depth\"` needs it")
                    );
                }
            };
            let footprint =
                Footprint::new(&body, touch, force, radius).map_err(|e| reader.body(here("touch"), e))?;
            samples.push(Sample {
                name: keys.scan.display().to_string(),
                footprint,
                control,
                force: force.length(),
                depth: keys.depth,
                points: points(&here("scan"), &keys.scan)?,
                hidden,
            });
        }
        let undeformed = match &text.scanner.undeformed {
            Some(scan) => points("scanner.undeformed", scan)?,
            None => Vec::new(),
        };
        let left_out = slips(&samples);
        let slipped = left_out.iter().map(|&k| samples[k].name.clone()).collect();
        let numbers: Vec<usize> = (0..samples.len()).filter(|k| !left_out.contains(k)).collect();
        let mut number = 0..;
        samples.retain(|_| !number.next().is_some_and(|k| left_out.contains(&k)));
        let problem = Problem { body, mesh, samples, undeformed };
        Ok(Self { problem, options, slipped, body: name, scene: text.object.scene, numbers })
    }
}

impl Reader<'_> {
    fn object(
        &self,
        object: &Object,
        base: &Path,
    ) -> Result<(Body, crate::meshing::tet_mesh::TetMesh, String), ProbeFileError> {
        let path = base.join(&object.scene);
        let loaded = match scenes::find(&object.scene) {
            Some(built_in) if !path.is_file() => built_in.load(),
            _ => Checked::load(&path),
        };
        let scene = loaded
            .map_err(|error| ProbeFileError::Scene { file: self.file.to_owned(), error: Box::new(error) })?;
        let (body, mesh, name) = body_of_scene(&scene, object.body.as_deref()).map_err(|e| match e {
            NoBody::Key(message) => self.key("object.body", message),
            NoBody::Unfit(error) => self.body("object.scene", error),
        })?;
        Ok((body, mesh, name))
    }

    fn options(&self, text: &Text) -> Result<Options, ProbeFileError> {
        let default = Options::default();
        let poisson = match &text.fit.poisson {
            None => default.poisson,
            Some(PoissonKeys { prior, spread, free: None | Some(false), fixed: None }) => {
                PoissonPrior::Prior {
                    mean: self.poisson("fit.poisson.prior", prior.unwrap_or(0.3))?,
                    spread: self.positive(
                        "fit.poisson.spread",
                        spread.unwrap_or(0.1),
                        "a standard deviation",
                    )?,
                }
            }
            Some(PoissonKeys { prior: None, spread: None, free: Some(true), fixed: None }) => {
                PoissonPrior::Free
            }
            Some(PoissonKeys { prior: None, spread: None, free: None | Some(false), fixed: Some(nu) }) => {
                PoissonPrior::Fixed(self.poisson("fit.poisson.fixed", *nu)?)
            }
            Some(_) => {
                let message = "give one of { prior = 0.3, spread = 0.1 }, { free = true }, { fixed = 0.3 }";
                return Err(self.key("fit.poisson", message));
            }
        };
        let start = match &text.fit.start {
            None => None,
            Some(start) => Some([
                self.positive("fit.start.youngs_modulus", start.youngs_modulus, "a modulus in pascals")?,
                self.poisson("fit.start.poisson_ratio", start.poisson_ratio)?,
            ]),
        };
        let noise =
            text.scanner.noise.map(|noise| self.positive("scanner.noise", noise, "metres")).transpose()?;
        let force_error = text.probe.force_error.unwrap_or(default.force_error);
        let scanner = &text.scanner;
        let asks = scanner.undeformed.is_some() || scanner.shift.is_some() || scanner.turn.is_some();
        let pose = if asks {
            let shift = self.positive("scanner.shift", scanner.shift.unwrap_or(1e-3), "metres")?;
            let turn = self.positive("scanner.turn", scanner.turn.unwrap_or(0.5), "degrees")?;
            Some([shift, turn.to_radians()])
        } else {
            None
        };
        Ok(Options {
            poisson,
            start,
            noise,
            force_error: self.positive("probe.force_error", force_error, "a share of the force")?,
            pose,
            refine: text.fit.refine.unwrap_or(true),
        })
    }
}

/// Why a scene has no body to be measured.
#[derive(Debug)]
pub enum NoBody {
    Key(String),
    Unfit(IdentifyError),
}

/// The solid of a scene that has this name, or its only one: the body, its mesh and its name.
pub fn body_of_scene(
    scene: &Checked,
    name: Option<&str>,
) -> Result<(Body, crate::meshing::tet_mesh::TetMesh, String), NoBody> {
    let solids = &scene.geometry().solids;
    let index = match name {
        Some(name) => solids.iter().position(|solid| solid.name == name),
        None if solids.len() == 1 => Some(0),
        None => None,
    };
    let Some(index) = index else {
        let names: Vec<String> = solids.iter().map(|s| format!("`{}`", s.name)).collect();
        return Err(NoBody::Key(match names.as_slice() {
            [] => "the scene has no solid whose moduli could be found".into(),
            names => format!("name one of the scene's solids: {}", names.join(", ")),
        }));
    };
    let (geometry, solid): (_, &Solid) = (&solids[index], &scene.scene().solid[index]);
    let law = Law::of(solid.model).ok_or_else(|| {
        NoBody::Key(format!(
            "the moduli of `{}` depend on its mesh or its steps; use the model linear, corotational or neo_hookean",
            geometry.name
        ))
    })?;
    let count = geometry.rest.tets.len();
    if count > MOST_TETRAHEDRA {
        return Err(NoBody::Unfit(IdentifyError::TooLarge { count, limit: MOST_TETRAHEDRA }));
    }
    let mut is_held = vec![false; geometry.rest.vertices.len()];
    for pin in &geometry.pins {
        pin.particles.iter().for_each(|&v| is_held[v as usize] = true);
    }
    let skin = geometry
        .skin
        .as_ref()
        .map(|skin| Skin { triangles: skin.triangles.clone(), embedding: skin.embedding.clone() });
    let body = Body::new(law, &geometry.rest, is_held, skin).map_err(NoBody::Unfit)?;
    Ok((body, geometry.rest.clone(), geometry.name.clone()))
}
