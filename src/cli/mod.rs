//! The command line: `sinew view`, `run`, `bench`, `cost`, `check`, `fit`, `mesh`, `field`, `scan`, `register`, `identify`, `reflect`, `plan`, `info`, `schema`.

mod bench;
mod changes;
mod check;
mod cost;
mod field;
mod fit;
mod folder;
mod furniture;
mod hash;
mod identify;
mod info;
mod interrupt;
mod manifest;
mod mesh;
mod outputs;
mod plan;
mod plots;
mod reactions;
mod reflect;
mod register;
mod route;
mod run;
mod scan;
mod scan_probe;
mod scene_argument;
mod schema;
mod statics;
mod summary;
mod view;

use anyhow::Context;
use clap::{Args, Parser, Subcommand, ValueEnum};
use sinew::compute::AdapterChoice;
use sinew::scene::{Checked, SolverKind};
use sinew::{Backend, Options, Precision};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Simulates cloth, ropes, nets and soft solids.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Scenes are TOML files; docs/scene-format.md describes \
    them. `sinew check` lists the built-in ones, which can be named instead of a file."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open a window on a scene, or on a gallery of scenes; also without any command.
    View(view::ViewArgs),
    /// Run a scene without a window and write what came out.
    Run(Box<run::RunArgs>),
    /// Measure speed, GPU and CPU side by side.
    Bench(bench::BenchArgs),
    /// Predict what a frame of a scene takes on a device of a given bandwidth and launch time.
    Cost(cost::CostArgs),
    /// Validate a scene without running it: counts, masses, colours, memory, step-size advice.
    Check(check::CheckArgs),
    /// Find a fabric's modulus and strain limit from a measured curve.
    Fit(fit::FitArgs),
    /// Find where a scene's rods come to rest: equilibrium, reactions, stability, slowest vibration.
    Statics(statics::StaticsArgs),
    /// Fill a surface with tetrahedra, or convert, repair and measure a tetrahedral mesh.
    Mesh(mesh::MeshArgs),
    /// Tell and draw the magnetic field of a scene.
    Field(field::FieldArgs),
    /// Look at a scene with a virtual depth camera and write point clouds.
    Scan(scan::ScanArgs),
    /// Put scans together: group them by body and move each to where it belongs.
    Register(register::RegisterArgs),
    /// Find Young's modulus and Poisson's ratio of a body from forces of a probe and scans.
    Identify(identify::IdentifyArgs),
    /// Find how a surface reflects light, from coloured scans of it.
    Reflect(reflect::ReflectArgs),
    /// Find a robot's path through soft bodies or around them, whichever is cheaper.
    Plan(route::RouteArgs),
    /// List adapters, their limits and features.
    Info(info::InfoArgs),
    /// Write a JSON schema of scene files, by which editors complete and check keys.
    Schema(schema::SchemaArgs),
}

/// Where to run.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Backend")]
struct BackendArgs {
    /// Where to run: the best GPU or, where there is only a software one, the CPU (auto), or one of them.
    #[arg(long, value_enum, default_value_t)]
    backend: BackendName,
    /// Use the adapter whose name contains NAME, also for pictures (or set WGPU_ADAPTER_NAME, WGPU_BACKEND).
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Arithmetic of the CPU backend.
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionName,
    /// Threads of the CPU backend [default: one per core]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum BackendName {
    #[default]
    Auto,
    Gpu,
    Cpu,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum PrecisionName {
    #[default]
    F32,
    F64,
}

impl BackendArgs {
    fn options(&self) -> anyhow::Result<Options> {
        if self.backend == BackendName::Gpu && self.precision == PrecisionName::F64 {
            anyhow::bail!("a GPU computes in f32; leave out `--precision f64` or use `--backend cpu`");
        }
        set_threads(self.threads)?;
        Ok(Options {
            backend: match self.backend {
                BackendName::Auto => Backend::Auto,
                BackendName::Gpu => Backend::Gpu,
                BackendName::Cpu => Backend::Cpu,
            },
            precision: match self.precision {
                PrecisionName::F32 => Precision::F32,
                PrecisionName::F64 => Precision::F64,
            },
            adapter: AdapterChoice { name: self.adapter.clone() },
            ..Options::default()
        })
    }
}

/// For all that runs on the CPU.
fn set_threads(threads: Option<u16>) -> anyhow::Result<()> {
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .context("setting the number of threads")?;
    }
    Ok(())
}

/// Settings of the scene that the command line may replace.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Scene settings")]
struct SceneArgs {
    /// Replace the scene's solver.
    #[arg(long, value_enum)]
    solver: Option<SolverName>,
    /// Replace the scene's substeps per step.
    #[arg(long, value_name = "N")]
    substeps: Option<u32>,
    /// Replace the scene's iterations per substep.
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq)]
enum SolverName {
    Coloured,
    Jacobi,
}

impl SceneArgs {
    /// The scene with these settings, validated again.
    fn apply(&self, checked: &mut Checked) -> anyhow::Result<()> {
        if self.solver.is_none() && self.substeps.is_none() && self.iterations.is_none() {
            return Ok(());
        }
        let mut scene = checked.scene().clone();
        if let Some(solver) = self.solver {
            scene.solver = match solver {
                SolverName::Coloured => SolverKind::Coloured,
                SolverName::Jacobi => SolverKind::Jacobi,
            };
            // Chebyshev acceleration belongs to Jacobi.
            if scene.solver == SolverKind::Coloured {
                scene.chebyshev = 0.0;
            }
        }
        if let Some(substeps) = self.substeps {
            (scene.substeps, scene.raise_substeps) = (substeps, false);
        }
        scene.iterations = self.iterations.unwrap_or(scene.iterations);
        *checked = checked.changed(scene).context("with the settings of the command line")?;
        Ok(())
    }
}

/// Prints a line of what was asked for. A reader that has seen enough (`| head`) ends the program quietly.
fn print(line: impl Display) -> anyhow::Result<()> {
    match writeln!(io::stdout().lock(), "{}", harmless(&line.to_string())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.context("cannot write to the standard output"),
    }
}

/// Tells the person at the terminal something. A closed stderr is ignored.
fn note(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", harmless(&line.to_string()));
}

/// A text without anything that a terminal obeys: names and words from files may hold escape sequences, and marks that
/// reverse the direction of writing. They are shown as `\u{1b}`.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_obeyed) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown.into()
}

/// `1 collider`, `2 colliders`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// An error and its causes as one sentence; many messages already end in their cause.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        text if text.contains(&cause) => text.into(),
        text => format!("{text}: {cause}"),
    })
}

pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_else(|| Command::View(view::ViewArgs::default()));
    let result = match command {
        Command::View(args) => view::view(&args),
        Command::Run(args) => run::run(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Cost(args) => cost::cost(&args),
        Command::Check(args) => check::check(&args),
        Command::Fit(args) => fit::fit(&args),
        Command::Statics(args) => statics::statics(&args),
        Command::Mesh(args) => mesh::mesh(&args),
        Command::Field(args) => field::field(&args),
        Command::Scan(args) => scan::scan(&args),
        Command::Register(args) => register::register(&args),
        Command::Identify(args) => identify::identify(&args),
        Command::Reflect(args) => reflect::reflect(&args),
        Command::Plan(args) => route::plan(&args),
        Command::Info(args) => info::info(&args),
        Command::Schema(args) => schema::schema(&args),
    };
    result.unwrap_or_else(|error| {
        note(format_args!("sinew: {}", sentence(&error)));
        ExitCode::FAILURE
    })
}
