//! `sinew mesh`: tetrahedra for a surface, and what they are worth.

use super::print;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sinew::cloud::{is_cloud, read_surface};
use sinew::export::AtomicFile;
use sinew::meshing::tet_file::{self, Faults, TetFileKind};
use sinew::meshing::tet_mesh::TetMesh;
use sinew::meshing::{
    self, FillOptions, FillReport, Inside, Keep, MOST_CELLS, MeshingError, Quality, Shape, Stage, Wall,
};
use sinew::scene::{TriangleMesh, mesh_file};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:
  sinew mesh armadillo.obj --resolution 32 --out body.msh    fill a surface, also a broken one
  sinew mesh rabbit --resolution 24 --out rabbit.msh         a built-in shape
  sinew mesh aligned/object-1.ply --out bust.msh             fill a cloud of points
  sinew mesh balloon.ply --back plane --out balloon.msh      what one scan shows before a wall
  sinew mesh part.msh --out part.node                        convert Gmsh to TetGen
  sinew mesh part.msh --repair --out clean.msh               turn inverted tetrahedra, drop unused nodes

docs/meshing.md tells how it works and what the report means.")]
pub struct MeshArgs {
    /// A surface (.obj, .ply, .stl), points (.ply, .xyz, .txt, .csv), a shape (box, ball, cylinder, torus, rabbit), or tetrahedra
    /// (.msh, .node, .ele).
    input: String,
    /// Where to write the tetrahedra: Gmsh (.msh) or TetGen (.node or .ele, both are written).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Cells of the lattice along the longest side.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=MOST_CELLS as i64))]
    resolution: u32,
    /// How to tell inside from outside.
    #[arg(long, value_enum, default_value_t)]
    inside: InsideName,
    /// What closes the back of one scan: the plane in which most of its points lie, such as a wall or a table. The vertices there
    /// become the group `back`.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["size", "inside"])]
    back: Option<BackName>,
    /// The share of a tetrahedron that must be inside for it to stay.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    fill: f64,
    /// Rounds of smoothing that keep the volume.
    #[arg(long, value_name = "N", default_value_t = FillOptions::default().smoothing, value_parser = clap::value_parser!(u32).range(0..=MOST_ROUNDS))]
    smoothing: u32,
    /// Rounds of laying the boundary against the surface; 0 keeps the smoothed lattice.
    #[arg(long, value_name = "N", default_value_t = FillOptions::default().fitting, value_parser = clap::value_parser!(u32).range(0..=MOST_ROUNDS))]
    fitting: u32,
    /// Keep all parts, not only the largest.
    #[arg(long)]
    all_parts: bool,
    /// Scale surface or shape so that its longest side has this length [m].
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    size: Option<f64>,
    /// Put right what can be put right in a file of tetrahedra.
    #[arg(long)]
    repair: bool,
    /// The version of Gmsh's format to write.
    #[arg(long, value_enum, default_value_t)]
    msh: MshVersion,
    /// Also write the surface to this OBJ file, scaled: that of a shape, or the outside of the tetrahedra.
    #[arg(long, value_name = "FILE")]
    surface: Option<PathBuf>,
    /// Also write the report to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// Rounds of smoothing or fitting.
const MOST_ROUNDS: i64 = 1000;

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum InsideName {
    /// Winding number where the surface is mostly connected, otherwise votes.
    #[default]
    Auto,
    /// Generalised winding number.
    Winding,
    /// Votes of lines in 13 directions, for soups with most of the surface missing.
    Votes,
}

#[derive(ValueEnum, Clone, Copy, PartialEq)]
enum BackName {
    Plane,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum MshVersion {
    #[default]
    #[value(name = "4.1")]
    Four,
    #[value(name = "2.2")]
    Two,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| "must be within 0 to 1".into())
}

fn length(text: &str) -> Result<f64, String> {
    let usable = |x: &f64| (1e-6..=1e6).contains(x);
    text.parse().ok().filter(usable).ok_or_else(|| "must be within 1e-6 to 1e6 metres".into())
}

/// What the JSON file holds.
#[derive(Serialize)]
struct Report<'a> {
    input: &'a str,
    /// How the mesh came about, if a surface was filled; it contains the quality then.
    filled: Option<&'a FillReport>,
    quality: &'a Quality,
    /// Named groups with their numbers of vertices and tetrahedra.
    groups: Vec<(&'a str, usize, usize)>,
}

pub fn mesh(args: &MeshArgs) -> anyhow::Result<ExitCode> {
    if let Some(out) = &args.out
        && TetFileKind::of(out).is_none()
    {
        bail!("--out: `{}` is neither .msh nor .node nor .ele", out.display());
    }
    // Filling may take minutes: a folder that cannot be written to is reported before, not after.
    for path in [&args.out, &args.json, &args.surface].into_iter().flatten() {
        drop(AtomicFile::create(path)?);
    }
    let (mesh, filled, surface) = make(args)?;
    let quality = filled.as_ref().map_or_else(|| Quality::of(&mesh), |report| report.quality.clone());
    if !args.quiet {
        match &filled {
            Some(report) => print(report)?,
            None => print(&quality)?,
        }
        for group in &mesh.groups {
            let [vertices, tets] = [group.vertices.len(), group.tets.len()];
            print(format_args!("group `{}`: {vertices} vertices, {tets} tetrahedra", group.name))?;
        }
    }
    if let Some(out) = &args.out {
        let kind = match TetFileKind::of(out) {
            Some(TetFileKind::Tetgen) => TetFileKind::Tetgen,
            _ if args.msh == MshVersion::Two => TetFileKind::Gmsh2,
            _ => TetFileKind::Gmsh4,
        };
        tet_file::write(&mesh, out, kind)?;
    }
    if let Some(path) = &args.surface {
        let outside = || TriangleMesh {
            positions: mesh.vertices.clone(),
            triangles: mesh.surface(),
            texture_coordinates: None,
        };
        meshing::write_obj(&surface.unwrap_or_else(outside), path)?;
    }
    if let Some(path) = &args.json {
        let groups = mesh.groups.iter().map(|g| (g.name.as_str(), g.vertices.len(), g.tets.len())).collect();
        let report = Report { input: &args.input, filled: filled.as_ref(), quality: &quality, groups };
        let text = serde_json::to_string_pretty(&report)? + "\n";
        AtomicFile::write_with(path, |file| file.write_all(text.as_bytes()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The tetrahedra, how they came about, and the surface they fill, if there is one.
fn make(args: &MeshArgs) -> anyhow::Result<(TetMesh, Option<FillReport>, Option<TriangleMesh>)> {
    let path = Path::new(&args.input);
    if TetFileKind::of(path).is_some() {
        let faults = if args.repair { Faults::Repair } else { Faults::Refuse };
        let mut mesh = tet_file::read(path, faults)?;
        let (low, high) = mesh.bounds();
        scale(&mut mesh.vertices, (high - low).max_element(), args.size);
        return Ok((mesh, None, None));
    }
    let options = FillOptions {
        resolution: args.resolution,
        inside: match args.inside {
            InsideName::Auto => Inside::Auto,
            InsideName::Winding => Inside::Winding,
            InsideName::Votes => Inside::Votes,
        },
        fill: args.fill,
        smoothing: args.smoothing,
        fitting: args.fitting,
        keep: if args.all_parts { Keep::All } else { Keep::Largest },
        ..FillOptions::default()
    };
    if args.back.is_some() || is_cloud(path) {
        return of_cloud(args, path, options);
    }
    // A file wins over a shape of the same name.
    let shape = if path.exists() { None } else { Shape::named(&args.input) };
    let mut surface = match (&shape, path.extension()) {
        (Some(shape), _) => shape.surface(args.resolution),
        (None, Some(_)) => mesh_file::read_soup(path)?,
        (None, None) => {
            let names = Shape::NAMES.join(", ");
            bail!("`{}` is neither a file of a known kind nor one of the shapes {names}", args.input)
        }
    };
    let longest = extent(&surface.positions);
    scale(&mut surface.positions, longest, args.size);
    if let Some(Shape::Box { size }) = shape {
        let mut mesh = Shape::Box { size }.fill(&options, &|_, _| {})?;
        scale(&mut mesh.vertices, longest, args.size);
        return Ok((mesh, None, Some(surface)));
    }
    let bar = progress_bar(args.quiet);
    let filled = meshing::fill(&surface, &options, &|stage, part| show(&bar, stage, part));
    bar.finish_and_clear();
    let filled = filled.map_err(|error| advise(error, args)).with_context(|| args.input.clone())?;
    Ok((filled.mesh, Some(filled.report), Some(surface)))
}

/// A solid of points: what they enclose, or what stands before a wall.
fn of_cloud(
    args: &MeshArgs,
    path: &Path,
    mut options: FillOptions,
) -> anyhow::Result<(TetMesh, Option<FillReport>, Option<TriangleMesh>)> {
    let mut cloud = read_surface(path)?;
    let longest = extent(&cloud.points);
    scale(&mut cloud.points, longest, args.size);
    let named = || format!("scan `{}`", args.input);
    let wall = args.back.map(|_| Wall::of(&cloud)).transpose().with_context(named)?;
    let surface = match &wall {
        Some(wall) => wall.body(&cloud, args.resolution).with_context(named)?,
        None => meshing::patches(&cloud, args.resolution),
    };
    if wall.is_none() && options.inside == Inside::Auto {
        // Without normals nothing tells which side of a point is out.
        options.inside = if cloud.normals.is_empty() { Inside::Votes } else { Inside::Winding };
    }
    let bar = progress_bar(args.quiet);
    let filled = meshing::fill(&surface, &options, &|stage, part| show(&bar, stage, part));
    bar.finish_and_clear();
    let mut filled = filled.map_err(|error| advise(error, args)).with_context(named)?;
    if let Some(wall) = &wall {
        wall.name_back(&mut filled.mesh, filled.report.cell);
    }
    // The triangles of points are no surface to show.
    Ok((filled.mesh, Some(filled.report), wall.map(|_| surface)))
}

/// What the command line can do about it.
fn advise(error: MeshingError, args: &MeshArgs) -> anyhow::Error {
    let advice = match error {
        MeshingError::NoInside if args.inside != InsideName::Votes => {
            " (`--inside votes` closes larger holes)"
        }
        MeshingError::TooThin { .. } => " (`--resolution`), or lower `--fill`",
        _ => "",
    };
    anyhow::anyhow!("{error}{advice}")
}

fn extent(positions: &[glam::DVec3]) -> f64 {
    let low = positions.iter().copied().fold(glam::DVec3::INFINITY, glam::DVec3::min);
    let high = positions.iter().copied().fold(glam::DVec3::NEG_INFINITY, glam::DVec3::max);
    (high - low).max_element()
}

fn scale(positions: &mut [glam::DVec3], longest: f64, size: Option<f64>) {
    if let Some(size) = size.filter(|_| longest > 0.0) {
        positions.iter_mut().for_each(|x| *x *= size / longest);
    }
}

const PARTS: f64 = 100.0;

/// Drawn on stderr, and only if that is a terminal.
fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {elapsed_precise} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(Stage::ALL.len() as u64 * PARTS as u64).with_style(style)
}

fn show(bar: &ProgressBar, stage: Stage, part: f64) {
    let index = Stage::ALL.iter().position(|s| *s == stage).unwrap_or(0);
    bar.set_message(stage.name());
    bar.set_position(((index as f64 + part) * PARTS) as u64);
}
