//! `sinew scan`: a virtual depth camera looks at a scene.

use super::scan_probe::{self, ProbeArgs};
use super::{BackendArgs, note, print, scene_argument};
use anyhow::{Context, ensure};
use clap::Args;
use serde::Serialize;
use sinew::Simulation;
use sinew::cloud::write_ply;
use sinew::export::{AtomicFile, Image, write_png};
use sinew::limits;
use sinew::scan::{DepthCamera, Sensor, Surfaces, around};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:
  sinew scan rabbit_on_steps --views 9 --out scans            nine views of the scene as it starts
  sinew scan body.toml --time 2 --noise 0.0003 --out scans    after two seconds, with 0.3 mm of noise
  sinew register scans/*.ply --out aligned                    and put together again
  sinew scan foam_probe --probe 0,0.15,0 --views 4 --out foam a probe pushes its solid: scans and a file for `sinew identify`

docs/acquisition.md tells what is in the files.")]
pub struct ScanArgs {
    /// A scene: a TOML file or the name of a built-in one.
    pub scene: OsString,
    /// The folder for view_00.ply and on, truth.json and views.png; it is made if it is missing.
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// How many views, on a ring around the scene.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub views: u32,
    /// Pixels of a view.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "320x240", value_parser = resolution)]
    pub resolution: [u32; 2],
    /// Standard deviation of the measured distances [m].
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, value_parser = noise)]
    pub noise: f64,
    /// Views are above and below the scene's middle in turns, by this angle [degrees].
    #[arg(long, value_name = "ANGLE", default_value_t = 20.0, value_parser = elevation)]
    elevation: f64,
    /// Another number gives other noise and other beams within the pixels.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Run the scene for so long before it is looked at [s].
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    time: f64,
    #[command(flatten)]
    pub probe: ProbeArgs,
    #[command(flatten)]
    backend: BackendArgs,
}

/// Pixels of a view along either side.
const MOST_PIXELS: u32 = 2048;

fn resolution(text: &str) -> Result<[u32; 2], String> {
    let parts: Option<Vec<u32>> = text.split('x').map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some(&[width, height])
            if (8..=MOST_PIXELS).contains(&width) && (8..=MOST_PIXELS).contains(&height) =>
        {
            Ok([width, height])
        }
        _ => Err(format!("must be two numbers from 8 to {MOST_PIXELS} with an x between, such as 320x240")),
    }
}

fn noise(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=1e3).contains(x)).ok_or_else(|| "must be within 0 to 1000 m".into())
}

fn elevation(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=90.0).contains(x)).ok_or_else(|| "must be within 0 to 90".into())
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=1e4).contains(x)).ok_or_else(|| "must be within 0 to 10,000 s".into())
}

/// What is known about scans that were made, and never about scans that were measured.
#[derive(Serialize)]
struct Truth {
    scene: String,
    /// [s]
    time: f64,
    seed: u64,
    /// [m]
    noise: f64,
    views: Vec<View>,
}

#[derive(Serialize)]
struct View {
    file: String,
    points: usize,
    /// From the sensor's frame to the world, by rows.
    pose: [[f64; 4]; 4],
}

pub fn scan(args: &ScanArgs) -> anyhow::Result<ExitCode> {
    if !args.probe.probe.is_empty() {
        scan_probe::write(args)?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = args.backend.options()?;
    let (scene, name) = scene_argument::load(&args.scene)?;
    let steps = (args.time / scene.scene().time_step).round();
    ensure!(
        steps <= limits::STEPS.min(f64::from(u32::MAX)),
        "--time {} takes more than {:e} steps; choose less",
        args.time,
        limits::STEPS
    );
    let mut simulation = Simulation::new(&scene, &options)?;
    simulation.advance(steps as u32)?;
    let time = simulation.time();
    let surfaces = simulation.snapshot(Surfaces::of_snapshot)?.with_context(|| {
        format!(
            "{name} has no surface to look at; rods and loose particles are not seen, sheets and solids are"
        )
    })?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("making the folder {}", args.out.display()))?;
    let mut views = Vec::new();
    let mut pictures = Vec::new();
    for (index, pose) in around(&surfaces, args.views, args.elevation, args.seed).into_iter().enumerate() {
        let seed = args.seed.wrapping_mul(1009).wrapping_add(index as u64);
        let sensor = Sensor { resolution: args.resolution, noise: args.noise, seed };
        let seen = DepthCamera { sensor, pose }.look(&surfaces);
        let file = format!("view_{index:02}.ply");
        if seen.cloud.points.is_empty() {
            note(format_args!("{file}: nothing was seen from there; no file is written"));
            continue;
        }
        let comments = [format!("view {index} of {name} at {time} s, in the sensor's frame [m]")];
        write_ply(args.out.join(&file), &seen.cloud, &comments)?;
        let pose = pose.matrix().transpose().to_cols_array_2d();
        print(format_args!("{file}: {} points", seen.cloud.points.len()))?;
        views.push(View { file, points: seen.cloud.points.len(), pose });
        pictures.push(seen.picture);
    }
    ensure!(!views.is_empty(), "no view saw anything; raise --resolution");
    write_pictures(&args.out, &pictures)?;
    let truth = Truth { scene: name, time, seed: args.seed, noise: args.noise, views };
    let text = serde_json::to_string_pretty(&truth)? + "\n";
    AtomicFile::write_with(args.out.join("truth.json"), |file| file.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes what was seen.
pub fn write_pictures(folder: &Path, pictures: &[Image]) -> anyhow::Result<()> {
    Ok(write_png(folder.join("views.png"), &sheet(pictures))?)
}

/// All pictures on one, row by row.
fn sheet(pictures: &[Image]) -> Image {
    let columns = (pictures.len() as f64).sqrt().ceil() as u32;
    let rows = (pictures.len() as u32).div_ceil(columns);
    let Image { width, height, .. } = pictures[0];
    let mut sheet = Image::new(columns * width, rows * height, pictures[0].pixel(0, 0));
    for (index, picture) in (0u32..).zip(pictures) {
        let (left, top) = (index % columns * width, index / columns * height);
        for y in 0..height {
            let to = 4 * ((top + y) * sheet.width + left) as usize;
            let from = 4 * (y * width) as usize;
            let row = &picture.pixels[from..from + 4 * width as usize];
            sheet.pixels[to..to + row.len()].copy_from_slice(row);
        }
    }
    sheet
}
