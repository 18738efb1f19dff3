//! `sinew register`: scans that lie anyhow, put together.

use super::{counted, print, set_threads};
use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sinew::cloud::{Cloud, read_surface, write_ply};
use sinew::export::{AtomicFile, si};
use sinew::register::{
    Motion, Object, Pair, Registration, Scans, Verdict, check_sizes, merged, moved, register as register_all,
    with_normals,
};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:
  sinew register a.ply b.ply                                       the motion from a to b, and how sure it is
  sinew register scans/*.ply --out aligned --json report.json      many scans of one body or of several

Two scans that do not belong together are said not to, with exit status 1. docs/acquisition.md tells how it works.")]
pub struct RegisterArgs {
    /// Point clouds (.ply, .xyz, .txt, .csv), each in its scanner's frame, in any order.
    #[arg(required = true, num_args = 2..)]
    scans: Vec<PathBuf>,
    /// The folder for the moved scans, a cloud of each body (object-1.ply and on) and motions.json; it is made if it is missing.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write what was found out about every two scans to FILE.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Threads [default: one per core]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// Every two scans are compared.
const MOST_SCANS: usize = 200;

/// What `--json` holds.
#[derive(Serialize)]
struct Report<'a> {
    scans: Vec<String>,
    pairs: Vec<Compared<'a>>,
    objects: Vec<Placed<'a>>,
}

#[derive(Serialize)]
struct Compared<'a> {
    from: &'a str,
    to: &'a str,
    /// Whether both scans were placed by this motion.
    used: bool,
    #[serde(flatten)]
    pair: &'a Pair,
}

#[derive(Serialize)]
struct Placed<'a> {
    /// Root mean square distance between surfaces where scans overlap [m].
    rms: f64,
    scans: Vec<PlacedScan<'a>>,
}

#[derive(Serialize)]
struct PlacedScan<'a> {
    file: &'a str,
    /// From the scan's frame to that of the body's first scan, by rows.
    motion: Motion,
}

pub fn register(args: &RegisterArgs) -> anyhow::Result<ExitCode> {
    ensure!(
        args.scans.len() <= MOST_SCANS,
        "{} scans; the limit is {MOST_SCANS}, because every two are compared: register them in parts",
        args.scans.len()
    );
    set_threads(args.threads)?;
    let mut files = args.scans.clone();
    if files.len() > 2 {
        // So that the order in which they are named does not matter.
        files.sort();
        files.dedup();
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let clouds: Vec<Cloud> = files.iter().map(|file| read_surface(file)).collect::<Result<_, _>>()?;
    check_sizes(&clouds).map_err(|differ| {
        let [(small, smaller), (large, larger)] = [differ.smallest, differ.largest];
        anyhow::anyhow!(
            "scan `{}` is {} large and scan `{}` {}: one of them is not in metres; scale it",
            names[small],
            si(smaller, "m"),
            names[large],
            si(larger, "m")
        )
    })?;
    // A folder that cannot be written to is reported before the work, not after.
    if let Some(path) = &args.json {
        drop(AtomicFile::create(path)?);
    }
    if let [_, _] = &files[..]
        && args.out.is_none()
    {
        return two(args, &names, &clouds);
    }
    let stems = stems(&files)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    }
    let bar = progress_bar(args.quiet);
    let found = register_all(&clouds, &|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    tell(args, &names, &found)?;
    if let Some(path) = &args.json {
        write_json(path, &report(&names, &found))?;
    }
    if let Some(folder) = &args.out {
        write(folder, &stems, &clouds, &found)?;
        write_json(&folder.join("motions.json"), &placed(&names, &found))?;
    }
    let together = found.objects.iter().any(|object| object.scans.len() > 1);
    Ok(if together { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The motion from the first scan to the second.
fn two(args: &RegisterArgs, names: &[String], clouds: &[Cloud]) -> anyhow::Result<ExitCode> {
    let pair = Scans::new(clouds).pair([0, 1]);
    if let Some(path) = &args.json {
        write_json(
            path,
            &Compared { from: &names[0], to: &names[1], used: pair.verdict == Verdict::Sure, pair: &pair },
        )?;
    }
    if !args.quiet {
        print(verdict(&pair))?;
        if pair.verdict != Verdict::None {
            for row in pair.motion.rows() {
                print(row.map(|value| format!("{value:13.9}")).join(" "))?;
            }
        }
    }
    Ok(if pair.verdict == Verdict::None { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How sure a motion is, and why.
fn verdict(pair: &Pair) -> String {
    let votes = format!(
        "{} agree on a motion, {} on the next best; the way back differs by {:.1}°",
        counted(pair.votes, "point"),
        pair.runner_up,
        pair.way_back
    );
    let fit = format!("overlap {:.0} %, surfaces {} apart", 100.0 * pair.overlap, si(pair.rms, "m"));
    let symmetric = match pair.as_good {
        0 | 1 => String::new(),
        several => {
            format!("; {several} motions are as good as each other: the body looks alike from several sides")
        }
    };
    match pair.verdict {
        Verdict::Sure => format!("sure: {votes}; {fit}{symmetric}"),
        Verdict::Unsure => format!("unsure: {votes}; {fit}{symmetric}. A scan from between them would tell"),
        Verdict::None if pair.votes == 0 => {
            "none: the scans have too few points or no curved surface to compare".to_owned()
        }
        Verdict::None => format!("none: nothing tells that the scans belong together ({votes}){symmetric}"),
    }
}

/// File names without folder and ending, which the moved scans are called by.
fn stems(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut stems = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !seen.insert(stem.clone()) {
            bail!(
                "two scans are called `{stem}`; rename one, so that the moved scans have names of their own"
            );
        }
        stems.push(stem);
    }
    Ok(stems)
}

fn tell(args: &RegisterArgs, names: &[String], found: &Registration) -> anyhow::Result<()> {
    if args.quiet {
        return Ok(());
    }
    for (number, object) in (1..).zip(&found.objects) {
        if let [(scan, _)] = object.scans[..] {
            print(format_args!("{}: belongs to no other scan", names[scan]))?;
            continue;
        }
        print(format_args!(
            "object {number}: {}, surfaces {} apart",
            counted(object.scans.len(), "scan"),
            si(object.rms, "m")
        ))?;
        for &(scan, _) in &object.scans {
            let links: Vec<_> = found.links.iter().filter(|l| l.used && l.scans.contains(&scan)).collect();
            let sure = links.iter().filter(|link| link.pair.verdict == Verdict::Sure).count();
            let agree = counted(links.len(), "pair");
            print(format_args!("  {}: {agree} of it agree, {sure} of them sure", names[scan]))?;
        }
    }
    Ok(())
}

fn report<'a>(names: &'a [String], found: &'a Registration) -> Report<'a> {
    let compared = found.links.iter().map(|link| Compared {
        from: &names[link.scans[0]],
        to: &names[link.scans[1]],
        used: link.used,
        pair: &link.pair,
    });
    Report { scans: names.to_vec(), pairs: compared.collect(), objects: placed(names, found) }
}

fn placed<'a>(names: &'a [String], found: &Registration) -> Vec<Placed<'a>> {
    let of = |object: &Object| Placed {
        rms: object.rms,
        scans: object.scans.iter().map(|&(scan, motion)| PlacedScan { file: &names[scan], motion }).collect(),
    };
    found.objects.iter().map(of).collect()
}

/// The moved scans of each body of several, and one cloud of all of them.
fn write(folder: &Path, stems: &[String], clouds: &[Cloud], found: &Registration) -> anyhow::Result<()> {
    let several = found.objects.iter().filter(|object| object.scans.len() > 1);
    for (number, object) in (1..).zip(several) {
        let own = folder.join(format!("object-{number}"));
        std::fs::create_dir_all(&own).with_context(|| format!("making the folder {}", own.display()))?;
        let mut scans = Vec::new();
        for &(scan, ref motion) in &object.scans {
            let cloud = moved(&with_normals(&clouds[scan]), motion);
            let comment = format!("{} in the frame of {}", stems[scan], stems[object.scans[0].0]);
            write_ply(own.join(format!("{}.ply", stems[scan])), &cloud, &[comment])?;
            scans.push(cloud);
        }
        let comment =
            format!("{} in the frame of {}", counted(scans.len(), "scan"), stems[object.scans[0].0]);
        write_ply(folder.join(format!("object-{number}.ply")), &merged(&scans), &[comment])?;
    }
    Ok(())
}

fn write_json(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    Ok(AtomicFile::write_with(path, |file| file.write_all(text.as_bytes()))?)
}

/// Drawn on stderr, and only if that is a terminal.
fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {elapsed_precise} {pos} of {len} pairs compared")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(1).with_style(style)
}
