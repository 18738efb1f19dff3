//! `sinew reflect`: how a scanned surface reflects light.

use super::{counted, print};
use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Deserialize;
use sinew::cloud::{Cloud, read_surface, write_ply};
use sinew::export::AtomicFile;
use sinew::glam::{DMat4, DVec3};
use sinew::limits;
use sinew::reflect::{Lit, Reflectance, best_exponent, from_linear, reflectance, samples};
use sinew::register::{Motion, moved, with_normals};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Example:
  sinew reflect views.toml --out coloured.ply --csv shares.csv

docs/acquisition.md tells what is in views.toml.")]
pub struct ReflectArgs {
    /// A TOML file that names coloured scans, their motions and the lamp.
    views: PathBuf,
    /// Write the points to FILE (.ply), coloured as they are without highlights.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the shares of each point to FILE.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Points lie so far apart, over the diagonal of the first scan, unless the file tells.
const SPACING: f64 = 0.01;
/// Where no view comes nearer to the highlight, the specular share is a guess.
const FAINT: f64 = 0.05;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Views {
    format: u32,
    /// What `sinew register` wrote; without it, scans are in one frame and tell where their scanners stood.
    motions: Option<PathBuf>,
    /// Where the lamp is, in the scanner's frame [m].
    #[serde(default)]
    lamp: [f64; 3],
    /// Of the lamp: what a white surface sends back that faces it.
    #[serde(default = "one")]
    intensity: f64,
    exponent: Option<f64>,
    /// Between points [m].
    spacing: Option<f64>,
    view: Vec<View>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct View {
    scan: PathBuf,
    /// Where its scanner stood, in the common frame [m], if there are no motions.
    scanner: Option<[f64; 3]>,
}

fn one() -> f64 {
    1.0
}

/// A body of motions.json.
#[derive(Deserialize)]
struct Body {
    scans: Vec<Placed>,
}

#[derive(Deserialize)]
struct Placed {
    file: PathBuf,
    motion: [[f64; 4]; 4],
}

pub fn reflect(args: &ReflectArgs) -> anyhow::Result<ExitCode> {
    let views = load(&args.views)?;
    let folder = args.views.parent().unwrap_or(Path::new(""));
    let bodies: Vec<Body> = match &views.motions {
        Some(file) => {
            let file = folder.join(file);
            let text =
                std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            serde_json::from_str(&text)
                .with_context(|| format!("{} is not what `sinew register` writes", file.display()))?
        }
        None => Vec::new(),
    };
    let lit: Vec<Lit> =
        views.view.iter().map(|view| light(&views, view, folder, &bodies)).collect::<Result<_, _>>()?;
    let spacing = views.spacing.unwrap_or_else(|| SPACING * lit[0].cloud.diagonal());
    let (surface, mut shown) = samples(&lit, spacing);
    let scale = 1.0 / views.intensity;
    shown.iter_mut().flatten().for_each(|sample| sample.intensity = sample.intensity.map(|i| scale * i));
    let exponent = views.exponent.unwrap_or_else(|| best_exponent(&shown));
    let found: Vec<Option<Reflectance>> =
        shown.iter().map(|samples| reflectance(samples, exponent)).collect();
    let known = found.iter().flatten().count();
    ensure!(
        known > 0,
        "{}: no point is lit at more than a grazing angle; is `lamp` right?",
        args.views.display()
    );
    let shiny: Vec<f64> =
        found.iter().flatten().filter(|f| f.highlight >= FAINT).map(|f| f.specular).collect();
    print(format_args!(
        "{}, {known} of them lit; exponent {exponent}; specular share {:.3} where a highlight was seen ({})",
        counted(surface.points.len(), "point"),
        shiny.iter().sum::<f64>() / shiny.len().max(1) as f64,
        counted(shiny.len(), "point")
    ))?;
    write(args, &surface, &found, exponent)?;
    Ok(ExitCode::SUCCESS)
}

fn load(path: &Path) -> anyhow::Result<Views> {
    let name = path.display();
    let views: Views = limits::toml(path).map_err(|problem| anyhow::anyhow!("{name}: {problem}"))?;
    ensure!(views.format == 1, "{name}: `format` must be 1");
    ensure!(!views.view.is_empty(), "{name} names no scan; add a `[[view]]` for each");
    ensure!(
        views.intensity > 0.0 && views.intensity.is_finite(),
        "{name}: `intensity` must be positive; it is what a white surface sends back that faces the lamp"
    );
    ensure!(
        views.exponent.is_none_or(|n| (0.1..=1e4).contains(&n)),
        "{name}: `exponent` must be within 0.1 to 10,000"
    );
    ensure!(
        views.spacing.is_none_or(|s| (1e-9..=1e6).contains(&s)),
        "{name}: `spacing` must be within 1e-9 to 1e6 m"
    );
    Ok(views)
}

/// A scan in the common frame, with its lamp.
fn light(views: &Views, view: &View, folder: &Path, bodies: &[Body]) -> anyhow::Result<Lit> {
    let file = folder.join(&view.scan);
    let mut cloud = read_surface(&file)?;
    let name = file.display();
    ensure!(!cloud.colours.is_empty(), "scan `{name}` has no colours; reflectance needs them at every point");
    let lamp = DVec3::from(views.lamp);
    ensure!(lamp.is_finite(), "`lamp` must be finite");
    if views.motions.is_none() {
        cloud.viewpoint = view
            .scanner
            .map(DVec3::from)
            .with_context(|| format!("scan `{name}`: without `motions`, tell where its `scanner` stood"))?;
        let cloud = with_normals(&cloud);
        return Ok(Lit { lamp: cloud.viewpoint + lamp, cloud });
    }
    let placed = bodies
        .iter()
        .flat_map(|body| &body.scans)
        .find(|scan| scan.file.file_name() == view.scan.file_name());
    let Some(placed) = placed else {
        bail!("scan `{name}` is not in `motions`; register it with the others")
    };
    let matrix = DMat4::from_cols_array_2d(&placed.motion).transpose();
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    ensure!((scale - 1.0).abs().max_element() < 1e-6, "the motion of scan `{name}` is not rigid");
    let motion = Motion { rotation, translation };
    Ok(Lit { cloud: moved(&with_normals(&cloud), &motion), lamp: motion.point(lamp) })
}

fn write(
    args: &ReflectArgs,
    surface: &Cloud,
    found: &[Option<Reflectance>],
    exponent: f64,
) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        let mut lit = Cloud::default();
        for (i, found) in found.iter().enumerate() {
            let Some(found) = found else { continue };
            lit.points.push(surface.points[i]);
            lit.normals.push(surface.normals[i]);
            lit.colours.push(found.diffuse.map(from_linear));
        }
        write_ply(path, &lit, &[format!("diffuse shares as sRGB; exponent {exponent}")])?;
    }
    if let Some(path) = &args.csv {
        AtomicFile::write_with(path, |file| {
            writeln!(file, "x,y,z,diffuse_red,diffuse_green,diffuse_blue,specular,highlight,views")?;
            for (x, found) in surface.points.iter().zip(found) {
                let Some(found) = found else { continue };
                let [r, g, b] = found.diffuse;
                let (specular, highlight) = (found.specular, found.highlight);
                writeln!(
                    file,
                    "{},{},{},{r},{g},{b},{specular},{highlight},{}",
                    x.x, x.y, x.z, found.samples
                )?;
            }
            Ok(())
        })?;
    }
    Ok(())
}
