//! `sinew plan`: a robot's path among soft bodies.

use super::{BackendArgs, print};
use anyhow::{Context, bail, ensure};
use clap::Args;
use glam::DVec2;
use indicatif::ProgressBar;
use sinew::export::{AtomicFile, Line, Marks, Plot, Series};
use sinew::glam;
use sinew::plan::{Lines, Path as Way, PlanFile};
use std::f64::consts::TAU;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  sinew plan room.toml --precompute costs                                       what soft bodies cost, along lines; minutes, once
  sinew plan room.toml --costs costs --from 0.6,1 --to 5,1 --png plan.png       through the curtain or around it
  sinew plan room.toml --costs costs --from 0.6,1 --to 5,1 --trade-off 0.9      a robot that rather drives farther

docs/acquisition.md tells what a room file holds.")]
pub struct RouteArgs {
    /// A file that names a scene, a robot and its soft bodies.
    room: PathBuf,
    /// Drive along lines through each soft body and write what that costs to this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["from", "to", "costs"])]
    precompute: Option<PathBuf>,
    /// The folder that --precompute has filled.
    #[arg(long, value_name = "FOLDER")]
    costs: Option<PathBuf>,
    /// Where the robot is, x and z [m].
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true, required_unless_present = "precompute")]
    from: Option<DVec2>,
    /// Where it wants to be.
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true, required_unless_present = "precompute")]
    to: Option<DVec2>,
    /// 0 takes the shortest path, near 1 one that touches nothing [default: the file's].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    trade_off: Option<f64>,
    /// Draw the floor and the path to this PNG file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Write the path to this CSV file.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    backend: BackendArgs,
}

fn place(text: &str) -> Result<DVec2, String> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some(&[x, z]) if x.abs() < 1e6 && z.abs() < 1e6 => Ok(DVec2::new(x, z)),
        _ => Err("must be two numbers in metres, such as 0.5,2".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (0.0..1.0).contains(x))
        .ok_or_else(|| "must be at least 0 and below 1".into())
}

pub fn plan(args: &RouteArgs) -> anyhow::Result<ExitCode> {
    let options = args.backend.options()?;
    let file = PlanFile::read(&args.room)?;
    if let Some(folder) = &args.precompute {
        return precompute(&file, folder, &options);
    }
    let name = args.room.display();
    let (Some(from), Some(to)) = (args.from, args.to) else { bail!("--from and --to say what to plan") };
    let tables: Vec<Lines> = match &args.costs {
        Some(folder) => {
            (0..file.soft.len()).map(|k| file.table(k, &table(folder, k))).collect::<Result<_, _>>()?
        }
        None if file.soft.is_empty() => Vec::new(),
        None => bail!(
            "{name}: its soft bodies need --costs FOLDER; `sinew plan {name} --precompute FOLDER` fills one"
        ),
    };
    let begin = Instant::now();
    let map = file.roadmap(from, to, &tables).map_err(|message| anyhow::anyhow!("{name}: {message}"))?;
    let made = begin.elapsed();
    let trade_off = args.trade_off.unwrap_or(file.trade_off);
    let unit = from.distance(to);
    ensure!(unit > 0.0, "{name}: the robot is at its goal");
    let begin = Instant::now();
    let path = map.path(trade_off, unit, file.cost_unit).with_context(|| {
        format!("{name}: there is no way from {from} to {to}; raise `samples`, or something blocks it")
    })?;
    let asked = begin.elapsed();
    let [places, ways] = map.counts();
    print(format_args!(
        "{:.3} m, {:.3} J m through soft bodies, cost {:.4} (trade-off {trade_off}, units {unit:.3} m and {} J m)",
        path.length,
        path.cost,
        path.total(trade_off, unit, file.cost_unit),
        file.cost_unit
    ))?;
    print(format_args!(
        "{places} places and {ways} ways in {:.0} ms, the path in {:.1} ms",
        1e3 * made.as_secs_f64(),
        1e3 * asked.as_secs_f64()
    ))?;
    // The other extreme, to compare with.
    let other = map.path(if path.cost > 0.0 { 0.999_999 } else { 0.0 }, unit, file.cost_unit);
    if let Some(other) = other.as_ref().filter(|other| **other != path) {
        let gain = (other.length - path.length) / unit;
        let switch = gain / (gain + (path.cost - other.cost) / file.cost_unit);
        let word = if path.cost > 0.0 { "the least touching" } else { "the shortest" };
        print(format_args!(
            "{word}: {:.3} m, {:.3} J m; as good at a trade-off of {switch:.4}",
            other.length, other.cost
        ))?;
    }
    if let Some(csv) = &args.csv {
        write_csv(csv, &path, &tables)?;
    }
    if let Some(png) = &args.png {
        picture(&file, &path, other.as_ref()).write(png)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of a soft body by its place in the file: names may hold anything.
fn table(folder: &Path, body: usize) -> PathBuf {
    folder.join(format!("lines_{body:02}.json"))
}

fn precompute(file: &PlanFile, folder: &Path, options: &sinew::Options) -> anyhow::Result<ExitCode> {
    ensure!(!file.soft.is_empty(), "the room names no soft bodies; there is nothing to measure");
    std::fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    for (k, lines) in file.soft.iter().enumerate() {
        let bar = ProgressBar::new(u64::from(lines.directions * lines.offsets));
        let found = file.measure(k, options, &|line| bar.set_position(line.into()))?;
        bar.finish_and_clear();
        let text = serde_json::to_string(&found)? + "\n";
        AtomicFile::write_with(table(folder, k), |file| file.write_all(text.as_bytes()))?;
        let most = found.costs.iter().filter_map(|line| line.last()).copied().fold(0.0, f64::max);
        print(format_args!("{}: {} lines, the dearest {most:.3} J m", found.body, found.costs.len()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_csv(file: &Path, path: &Way, tables: &[Lines]) -> anyhow::Result<()> {
    let mut series = Series::create(file, &["distance", "x", "z", "cost"])?;
    let (mut distance, mut cost) = (0.0, 0.0);
    for (k, place) in path.places.iter().enumerate() {
        if k > 0 {
            distance += path.places[k - 1].distance(*place);
            cost += tables.iter().map(|lines| lines.cost(path.places[k - 1], *place)).sum::<f64>();
        }
        series.push(&[distance, place.x, place.y, cost])?;
    }
    Ok(())
}

fn picture(file: &PlanFile, path: &Way, other: Option<&Way>) -> Plot {
    let mut plot = Plot::new(format!("{:.2} m, {:.2} J m", path.length, path.cost), "x [m]", "z [m]");
    let room = &file.room;
    let size = room.high - room.low;
    (plot.width, plot.height) = (960, (140.0 + 800.0 * size.y / size.x).clamp(300.0, 1600.0) as u32);
    (plot.x_range, plot.y_range) = (Some([room.low.x, room.high.x]), Some([room.low.y, room.high.y]));
    let ring = |middle: DVec2, radius: f64| -> Vec<[f64; 2]> {
        (0..=48)
            .map(|k| (middle + radius * DVec2::from_angle(TAU * f64::from(k) / 48.0)).to_array())
            .collect()
    };
    const WALL: [u8; 3] = [60, 60, 66];
    for obstacle in &room.obstacles {
        let mut outline: Vec<[f64; 2]> = Vec::new();
        if obstacle.radius > 0.0 {
            for corner in &obstacle.outline {
                outline.extend(ring(*corner, obstacle.radius));
                outline.push([f64::NAN; 2]);
            }
        }
        outline.extend(obstacle.outline.iter().chain(obstacle.outline.first()).map(|x| x.to_array()));
        plot = plot.line(Line::new("", outline).colour(WALL));
    }
    for lines in &file.soft {
        let reach = ring(lines.middle.into(), lines.reach - 1.2 * room.radius);
        plot = plot.line(Line::new(lines.body.clone(), reach).colour([60, 140, 90]).dashed());
    }
    let points = |way: &Way| way.places.iter().map(|x| x.to_array()).collect::<Vec<_>>();
    if let Some(other) = other {
        plot = plot.line(Line::new("the other way", points(other)).colour([170, 170, 180]).dashed());
    }
    let start = path.places.first().map_or([0.0; 2], |x| x.to_array());
    plot.line(Line::new("path", points(path)).marks(Marks::LineAndDots).colour([31, 90, 200]))
        .line(Line::new("robot", ring(start.into(), room.radius)).colour([200, 80, 40]))
}
