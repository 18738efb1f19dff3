//! `sinew bench`: how fast everything is, GPU and CPU side by side, and what a picture costs beside it.
//!
//! [`cases`] lists what is measured, one line each; [`work`] makes a case ready to run; [`measure`] times it;
//! [`traffic`] counts the bytes it must move; [`table`], [`report`] and [`targets`] say what came out.

/// Prints a line of the report. A reader that has seen enough (`| head`) ends the program quietly; a table that cannot
/// be shown does not stop the measurement, whose numbers may also go into a file.
macro_rules! say {
    ($($text:tt)*) => {
        if let Err(error) = $crate::cli::print(format_args!($($text)*)) {
            $crate::cli::note(format_args!("{error:#}"));
        }
    };
}

mod cases;
mod convergence;
mod hung;
mod kernels;
mod limits;
mod machine;
mod measure;
mod pictures;
mod report;
mod responses;
mod scenes;
mod statistics;
mod steel;
mod table;
mod targets;
mod touching;
mod traffic;
mod work;

use anyhow::{Context, bail};
use cases::{CASES, Case};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
pub use machine::Machine;
use measure::{Plan, measure, measure_host};
use pictures::Pictures;
use report::{Report, Row};
use sinew::Place;
use sinew::compute::{AdapterChoice, ComputeError, CpuExecutor, Executor, Gpu, GpuExecutor};
use sinew::export::AtomicFile;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
pub use traffic::bytes_by_pass;
use work::Work;

/// Time spent on the repetitions of one row.
const BUDGET: Duration = Duration::from_millis(1000);
const QUICK_BUDGET: Duration = Duration::from_millis(150);

#[derive(Args)]
pub struct BenchArgs {
    /// Measure only the rows whose name contains TEXT; `--list` shows the names.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Also write all numbers to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Spend less time on each row; the numbers are rougher.
    #[arg(long)]
    quick: bool,
    /// Also measure each kernel by itself.
    #[arg(long)]
    kernels: bool,
    /// What to measure.
    #[arg(long, value_enum, default_value_t)]
    backend: BackendName,
    /// Use the adapter whose name contains NAME (also: WGPU_ADAPTER_NAME, WGPU_BACKEND).
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Threads of the CPU backend [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Instead of speed, measure how many iterations rods of different stiffness need, and plot that to FILE (PNG).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["filter", "json", "kernels", "list"])]
    convergence: Option<PathBuf>,
    /// Print a table of its own instead of the rows.
    #[arg(long, value_enum, value_name = "TABLE", conflicts_with_all = ["filter", "json", "list", "kernels"])]
    table: Option<TableName>,
    /// List the rows and why their sizes were chosen, and measure nothing.
    #[arg(long)]
    list: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq)]
enum TableName {
    /// What strain limits cost against mesh size, by method; on a software adapter only with `--backend gpu`.
    Limits,
    /// What a steel cantilever asks of each method of rods.
    Steel,
    /// What a frame of a hung sheet costs at a stated strain and swing, against its resolution.
    Hung,
    /// What contact between bodies costs, and where.
    Contact,
    /// Other ways to respond to contact beside the one that scenes run with: what goes through what, momentum, time.
    Responses,
}

#[derive(ValueEnum, Clone, Copy, Default, PartialEq)]
enum BackendName {
    #[default]
    Both,
    Gpu,
    Cpu,
}

/// What a row ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Backend {
    Cpu,
    Gpu,
}

pub fn bench(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.convergence {
        convergence::plot(path)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(table) = args.table {
        set_threads(args)?;
        match table {
            TableName::Limits => print_limits(args)?,
            TableName::Steel => steel::print_table(args.quick)?,
            TableName::Hung => hung::print_table(args.quick)?,
            TableName::Contact => touching::print_table(args.quick)?,
            TableName::Responses => responses::print_table(args.quick),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(args.filter.as_deref())?;
    if args.list {
        table::print_list(&chosen);
        if wants_pictures(args) {
            println!("{}: a picture next to a step, on the GPU", pictures::NAME);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.json {
        // A bench takes minutes: a folder that cannot be written to is reported before, not after.
        drop(AtomicFile::create(path)?);
    }
    set_threads(args)?;
    let gpu = open_gpu(args)?;
    let machine = Machine::survey(gpu.as_ref(), args.quick);
    table::print_machine(&machine);

    let rows = run(args, &chosen, &machine, gpu.as_ref())?;
    let pictures = match &gpu {
        Some(gpu) if wants_pictures(args) => Some(Pictures::measure(gpu, &plan(args))?),
        _ => None,
    };
    if let Some(pictures) = &pictures {
        pictures.print();
    }
    table::print_legend();
    targets::print(&rows, &machine);
    let failed = rows.iter().any(|row| row.failed.is_some());
    if let Some(path) = &args.json {
        let report = Report::new(&machine, args.quick, rows, pictures);
        let text = serde_json::to_string_pretty(&report)? + "\n";
        AtomicFile::write_with(path, |file| std::io::Write::write_all(file, text.as_bytes()))?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn plan(args: &BenchArgs) -> Plan {
    Plan { budget: if args.quick { QUICK_BUDGET } else { BUDGET }, kernels: args.kernels }
}

fn wants_pictures(args: &BenchArgs) -> bool {
    pictures::NAME.contains(&args.filter.as_deref().unwrap_or_default().to_lowercase())
}

fn set_threads(args: &BenchArgs) -> anyhow::Result<()> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .context("setting the number of threads")?;
    }
    Ok(())
}

fn print_limits(args: &BenchArgs) -> anyhow::Result<()> {
    let gpu = open_gpu(args)?;
    // It takes minutes there, and nobody would run cloth on one.
    let gpu = gpu.filter(|gpu| args.backend == BackendName::Gpu || !gpu.report.is_software());
    for backend in backends(args, gpu.as_ref()) {
        limits::print_table(backend, args.adapter.as_deref(), args.quick)?;
    }
    limits::print_legend();
    Ok(())
}

/// A case and those of its sizes that were asked for.
type Chosen = (&'static Case, Vec<u32>);

fn choose(filter: Option<&str>) -> anyhow::Result<Vec<Chosen>> {
    let wanted = filter.unwrap_or_default().to_lowercase();
    let sizes = |case: &'static Case| {
        let sizes = case.sizes.list.iter().copied().filter(|&size| case.row_name(size).contains(&wanted));
        (case, sizes.collect::<Vec<_>>())
    };
    let chosen: Vec<Chosen> = CASES.iter().map(sizes).filter(|(_, sizes)| !sizes.is_empty()).collect();
    if chosen.is_empty() && !pictures::NAME.contains(&wanted) {
        let mut groups: Vec<&str> = CASES.iter().map(Case::group).collect();
        groups.dedup();
        groups.push("picture");
        bail!(
            "--filter: no row's name contains `{}`; there are the groups {} (`--list` shows every row)",
            filter.unwrap_or_default(),
            groups.join(", ")
        );
    }
    Ok(chosen)
}

/// The adapter, unless it was not asked for or, by default, there is none.
fn open_gpu(args: &BenchArgs) -> anyhow::Result<Option<Gpu>> {
    if args.backend == BackendName::Cpu {
        return Ok(None);
    }
    match Gpu::open(&AdapterChoice { name: args.adapter.clone() }) {
        Ok(gpu) => Ok(Some(gpu)),
        Err(ComputeError::NoAdapter(reason))
            if args.backend == BackendName::Both && args.adapter.is_none() =>
        {
            eprintln!("measuring the CPU backend only: {reason}");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// What was asked for and is there.
fn backends(args: &BenchArgs, gpu: Option<&Gpu>) -> Vec<Backend> {
    let cpu = (args.backend != BackendName::Gpu).then_some(Backend::Cpu);
    cpu.into_iter().chain(gpu.map(|_| Backend::Gpu)).collect()
}

fn run(
    args: &BenchArgs,
    chosen: &[Chosen],
    machine: &Machine,
    gpu: Option<&Gpu>,
) -> anyhow::Result<Vec<Row>> {
    let plan = plan(args);
    let backends = backends(args, gpu);
    let progress = progress_bar(chosen.iter().map(|(_, sizes)| sizes.len() * backends.len()).sum());
    let mut rows = Vec::new();
    for (case, sizes) in chosen {
        let first = rows.len();
        for &size in sizes {
            progress.set_message(case.row_name(size));
            let start = Instant::now();
            let work = (case.build)(size).with_context(|| format!("preparing {}", case.row_name(size)))?;
            let setup = start.elapsed();
            for &backend in &backends {
                let device = gpu.filter(|_| backend == Backend::Gpu && work.is_scene());
                let cores = device.map(|gpu| Place::Device(Box::new(gpu.clone())).cores());
                let rearranged = cores.map(|cores| work.for_cores(cores)).transpose()?;
                let work = rearranged.as_ref().unwrap_or(&work);
                let outcome = match &work.host {
                    // The host's work is the same whatever else runs.
                    Some(_) if backend == Backend::Gpu => {
                        progress.inc(1);
                        continue;
                    }
                    Some(task) => measure_host(work, task, &plan),
                    None => executor(work, backend, gpu)
                        .and_then(|mut executor| measure(work, executor.as_mut(), &plan)),
                };
                rows.push(Row::new(case, size, work, setup, backend, outcome, machine));
                progress.inc(1);
            }
        }
        progress.suspend(|| table::print_case(case, &rows[first..]));
    }
    progress.finish_and_clear();
    Ok(rows)
}

fn executor(work: &Work, backend: Backend, gpu: Option<&Gpu>) -> anyhow::Result<Box<dyn Executor>> {
    Ok(match (backend, gpu) {
        (Backend::Gpu, Some(gpu)) => Box::new(GpuExecutor::new(gpu, &work.buffers, &work.passes)?),
        _ => Box::new(CpuExecutor::<f32>::new(&work.buffers, &work.passes)),
    })
}

/// Drawn on stderr, and only if that is a terminal.
fn progress_bar(rows: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(rows as u64).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row is found by any part of its name, so no two rows may share one.
    #[test]
    fn every_row_has_its_own_name() {
        let mut names: Vec<String> =
            CASES.iter().flat_map(|case| case.sizes.list.iter().map(|&size| case.row_name(size))).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_filter_may_name_a_group_a_case_or_one_row() {
        let count =
            |filter| choose(Some(filter)).unwrap().iter().map(|(_, sizes)| sizes.len()).sum::<usize>();
        assert_eq!(count("cloth-grid/"), 16);
        assert_eq!(count("cloth-grid/Jacobi-1x20"), 4);
        assert_eq!(count("cloth-grid/jacobi-1x20/512"), 1);
        let message = choose(Some("gas")).unwrap_err().to_string();
        assert!(message.contains("cloth-grid, cloth-bending"), "{message}");
    }
}
