//! `sinew identify`: the moduli of a body from forces and scans.

use super::{note, print};
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use serde_json::json;
use sinew::export::{AtomicFile, Line, Marks, Plot, si};
use sinew::identify::{Fit, IdentifyError, ProbeFile, Verdict, descend, fit, places, profiles, verdict};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(after_help = "Examples:
  sinew scan foam_probe --probe 0,0.15,0 --force 20,35,50 --noise 0.0005 --out foam   scans of a pushed body, for trying
  sinew identify foam/probe.toml --png fit.png                                        E and ν, and how well they fit

docs/acquisition.md tells what a probe file holds and what the answers mean.")]
pub struct IdentifyArgs {
    /// A file that names a scene with the body, the probe, and its samples: forces and scans.
    probe: PathBuf,
    /// How to find the moduli.
    #[arg(long, value_enum, default_value_t)]
    method: Method,
    /// Draw measured and simulated indentations to this PNG file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write all numbers to this JSON file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum Method {
    /// Gauss and Newton: few evaluations.
    #[default]
    GaussNewton,
    /// Along gradients of differences: the same answer after many more evaluations.
    Descent,
}

pub fn identify(args: &IdentifyArgs) -> anyhow::Result<ExitCode> {
    let file = ProbeFile::read(&args.probe)?;
    let ProbeFile { problem, options, .. } = &file;
    for name in &file.slipped {
        note(format_args!(
            "{name}: left out, the tip slipped: its force does not yet grow with the depth as later"
        ));
    }
    let begin = Instant::now();
    let found = match args.method {
        Method::GaussNewton => fit(problem, options),
        Method::Descent => descend(problem, options),
    };
    let found = found.map_err(|(sample, error)| placed(&args.probe, &file, sample, error))?;
    let time = begin.elapsed();
    let judged = verdict(problem, options, &found);
    report(&file, &found, &judged, time)?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&numbers(&file, &found, &judged))? + "\n";
        AtomicFile::write_with(path, |file| file.write_all(text.as_bytes()))?;
    }
    if let Some(path) = &args.png {
        picture(&file, &found).write(path)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// An error with its place in the file.
fn placed(path: &Path, file: &ProbeFile, sample: Option<usize>, error: IdentifyError) -> anyhow::Error {
    match sample {
        Some(k) => {
            let (number, scan) = (file.numbers[k] + 1, &file.problem.samples[k].name);
            anyhow!("{}: sample {number} ({scan}): {error}", path.display())
        }
        None => anyhow!("{}: {error}", path.display()),
    }
}

fn report(file: &ProbeFile, found: &Fit, judged: &Verdict, time: Duration) -> anyhow::Result<()> {
    let problem = &file.problem;
    print(format_args!(
        "# {} of {}: {}, {} tetrahedra, {} evaluations in {:.2} s",
        file.body,
        file.scene,
        super::counted(problem.samples.len(), "sample"),
        problem.body.tets.len(),
        found.evaluations.len(),
        time.as_secs_f64()
    ))?;
    let places = places(&problem.samples);
    let many = places.iter().max().is_some_and(|most| *most > 0);
    for (k, (sample, own)) in problem.samples.iter().zip(&found.samples).enumerate() {
        let place = if many { format!(", place {}", places[k] + 1) } else { String::new() };
        let left_out = if own.left_out > 0 { format!(", {} left out", own.left_out) } else { String::new() };
        print(format_args!(
            "{}: {:.1} N{place}: E = {}, {} points{left_out}, off by {}",
            sample.name,
            sample.force,
            bar(own.youngs_modulus),
            own.points,
            si(own.rms, "m")
        ))?;
    }
    print(format_args!("E = {}", bar(found.youngs_modulus)))?;
    let [nu, deviation] = found.poisson_ratio;
    print(format_args!("ν = {nu:.3} ± {deviation:.3}"))?;
    if let Some(mesh) = &found.mesh {
        print(format_args!(
            "by the mesh as it is: E = {}, ν = {:.3}",
            si(mesh.youngs_modulus, "Pa"),
            mesh.poisson_ratio
        ))?;
    }
    let [shift, turn] = found.pose;
    if shift.length() > 0.0 || turn.length() > 0.0 {
        print(format_args!(
            "the scanner stood {} and {:.2}° beside where it was said to",
            si(shift.length(), "m"),
            turn.length().to_degrees()
        ))?;
    }
    for words in &judged.words {
        note(format_args!("note: {words}"));
    }
    print("\n# for the solid of a scene")?;
    print(format_args!(
        "youngs_modulus = {:.4e}  # Pa, ± {:.1e}",
        found.youngs_modulus[0], found.youngs_modulus[1]
    ))?;
    print(format_args!("poisson_ratio = {nu:.3}  # ± {deviation:.3}"))
}

/// A modulus with its standard deviation.
fn bar([value, deviation]: [f64; 2]) -> String {
    format!("{} ± {:.1} %", si(value, "Pa"), 100.0 * deviation / value)
}

fn numbers(file: &ProbeFile, found: &Fit, judged: &Verdict) -> serde_json::Value {
    // Infinite deviations, of what cannot be seen, are null in JSON.
    let samples = file.problem.samples.iter().zip(&found.samples).map(|(sample, own)| {
        json!({
            "scan": sample.name,
            "force": sample.force,
            "youngs_modulus": own.youngs_modulus[0],
            "deviation": own.youngs_modulus[1],
            "rms": own.rms,
            "points": own.points,
            "left_out": own.left_out,
        })
    });
    json!({
        "body": file.body,
        "scene": file.scene,
        "youngs_modulus": { "value": found.youngs_modulus[0], "deviation": found.youngs_modulus[1] },
        "poisson_ratio": {
            "value": found.poisson_ratio[0],
            "deviation": found.poisson_ratio[1],
            "deviation_by_data_alone": found.poisson_by_data,
        },
        "noise": found.noise,
        "is_converged": found.is_converged,
        "samples": samples.collect::<Vec<_>>(),
        "slipped": file.slipped,
        "evaluations": found.evaluations,
        "mesh_alone": found.mesh,
        "scanner": { "shift": found.pose[0].to_array(), "turn": found.pose[1].to_array() },
        "verdict": judged,
    })
}

/// Curves in one picture that can be told apart.
const MOST_CURVES: usize = 6;

fn picture(file: &ProbeFile, found: &Fit) -> Plot {
    let [e, deviation] = found.youngs_modulus;
    let [nu, nu_deviation] = found.poisson_ratio;
    let title =
        format!("E = {} ± {:.1} %, ν = {nu:.2} ± {nu_deviation:.2}", si(e, "Pa"), 100.0 * deviation / e);
    let mut plot = Plot::new(title, "distance from the tip [mm]", "indentation [mm]");
    let millimetres = |points: &[[f64; 2]]| points.iter().map(|p| p.map(|x| 1e3 * x)).collect::<Vec<_>>();
    let all = profiles(&file.problem, found);
    let step = all.len().div_ceil(MOST_CURVES).max(1);
    const COLOURS: [[u8; 3]; MOST_CURVES] =
        [[31, 119, 180], [214, 90, 30], [44, 140, 60], [150, 80, 170], [180, 140, 20], [90, 90, 90]];
    for (profile, colour) in all.iter().step_by(step).zip(COLOURS) {
        let force = file.problem.samples.iter().find(|s| s.name == profile.name).map_or(0.0, |s| s.force);
        plot = plot
            .line(
                Line::new(format!("{force:.0} N, scanned"), millimetres(&profile.measured))
                    .marks(Marks::DotsOnly)
                    .colour(colour),
            )
            .line(Line::new("simulated", millimetres(&profile.simulated)).colour(colour));
    }
    plot
}
