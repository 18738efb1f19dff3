//! `sinew cost`: what a frame of a scene takes at least on a device of a given bandwidth and launch time, from the bytes and the passes of
//! the frame.
//!
//! A pass takes its launch and the time that its bytes take, as `bench` counts them: what memory and launches cost, and nothing for arithmetic. A device with
//! ten operations a byte to spare comes near to it; a processor, or a software adapter, calculates in the laws of elements for longer than it reads, and takes two to
//! ten times as long. `--check` says what share of the time on this machine memory and launches explain. Passes that the scene does not need, such as iterations after
//! the last one and halvings of a step that is good, take their launch only; a few frames on the CPU tell how many those are.

use super::bench::{Machine, bytes_by_pass};
use super::{print, scene_argument};
use anyhow::ensure;
use clap::Args;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::solver::Solver;
use sinew::{Options, Place, Precision, Simulation};
use std::collections::HashMap;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

/// Kernels that are listed.
const LISTED: usize = 8;

#[derive(Args)]
pub struct CostArgs {
    /// A scene file, or the name of a built-in scene.
    scene: OsString,
    /// Bandwidth of the device's memory [GB/s].
    #[arg(long, value_name = "GB/S", default_value_t = 500.0)]
    bandwidth: f64,
    /// Time from one pass to the next [µs].
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 4.0)]
    launch: f64,
    /// Frames that are run on the CPU to see how many iterations a frame needs.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    frames: u32,
    /// Also say what share of a frame on this machine its own bandwidth and launch time explain.
    #[arg(long)]
    check: bool,
}

/// What a pass of the list takes in a frame.
#[derive(Clone, Copy)]
struct Share {
    /// How often it is launched.
    launches: f64,
    /// How often it does something.
    busy: f64,
    bytes: f64,
}

impl Share {
    /// Time in a frame [ms].
    fn milliseconds(&self, bandwidth: f64, launch: f64, idle: bool) -> f64 {
        let launches = if idle { self.launches } else { self.busy };
        1e-3 * launch * launches + 1e-6 * self.busy * self.bytes / bandwidth
    }
}

pub fn cost(args: &CostArgs) -> anyhow::Result<ExitCode> {
    for (name, value) in [("--bandwidth", args.bandwidth), ("--launch", args.launch)] {
        ensure!(value.is_finite() && value > 0.0, "{name} is {value}; it must be a number greater than 0");
    }
    let (scene, name) = scene_argument::load(&args.scene)?;
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32))?;
    let milliseconds = frame_time(&mut simulation, args.frames)?;
    let shares = shares(&mut simulation, None)?;
    let solver = simulation.solver();
    let sum = |of: fn(&Share) -> f64| shares.iter().map(of).sum::<f64>();
    let (launches, bytes) = (sum(|s| s.launches), sum(|s| s.busy * s.bytes));
    print(format_args!(
        "{name}: {launches:.0} passes a frame, {:.0} of them with something to do, and {:.2} MB",
        sum(|s| s.busy),
        1e-6 * bytes
    ))?;
    let times = |bandwidth: f64, launch: f64, idle: bool| -> Vec<f64> {
        shares.iter().map(|share| share.milliseconds(bandwidth, launch, idle)).collect()
    };
    let predicted = times(args.bandwidth, args.launch, true);
    print(format_args!(
        "at {} GB/s and {} µs a pass: at least {:.2} ms a frame, {:.2} of launches and {:.2} of bytes; arithmetic is not counted",
        args.bandwidth,
        args.launch,
        predicted.iter().sum::<f64>(),
        1e-3 * args.launch * launches,
        1e-6 * bytes / args.bandwidth
    ))?;
    print_kernels(solver, &shares, &predicted)?;
    if args.check {
        let machine = Machine::survey(None, true);
        let (bandwidth, launch) = (machine.copy_gigabytes_per_second, Machine::host_pass()?);
        let predicted: f64 = times(bandwidth, launch, false).iter().sum();
        compare("CPU", [bandwidth, launch], [predicted, milliseconds])?;
        check_adapter(args, &scene)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The same for the adapter, if there is one.
fn check_adapter(args: &CostArgs, scene: &sinew::scene::Checked) -> anyhow::Result<()> {
    let Ok(gpu) = Gpu::open(&AdapterChoice::default()) else {
        return print("no adapter to compare with");
    };
    let machine = Machine::survey(Some(&gpu), true);
    let launch = machine.adapter.as_ref().and_then(|adapter| adapter.empty_pass_microseconds);
    let (Some(bandwidth), Some(launch)) = (machine.adapter_copy(), launch) else { return Ok(()) };
    let mut simulation = Simulation::new(scene, &Options::gpu())?;
    let milliseconds = frame_time(&mut simulation, args.frames)?;
    let cores = Place::Device(Box::new(gpu)).cores();
    let shares =
        shares(&mut simulation, Some(Solver::with_cores(&sinew::model::Model::new(scene)?, cores)?))?;
    let predicted: f64 = shares.iter().map(|share| share.milliseconds(bandwidth, launch, true)).sum();
    compare(&simulation.describe(), [bandwidth, launch], [predicted, milliseconds])
}

fn compare(place: &str, [bandwidth, launch]: [f64; 2], [predicted, taken]: [f64; 2]) -> anyhow::Result<()> {
    print(format_args!(
        "{place}: at {bandwidth:.1} GB/s and {launch:.2} µs a pass memory and launches take {predicted:.2} ms, which explains {:.0} % of the {taken:.2} ms of a frame; the rest is arithmetic",
        1e2 * predicted / taken
    ))
}

/// Mean time of a frame [ms], the first left out.
fn frame_time(simulation: &mut Simulation, frames: u32) -> anyhow::Result<f64> {
    simulation.step()?;
    let start = Instant::now();
    simulation.advance(frames)?;
    Ok(1e3 * start.elapsed().as_secs_f64() / f64::from(frames))
}

/// What each pass of a frame takes; of `solver` if another than the simulation's is given.
fn shares(simulation: &mut Simulation, solver: Option<Solver>) -> anyhow::Result<Vec<Share>> {
    let iterations = simulation.iterations()?.unwrap_or_default();
    let settings = &simulation.model().settings;
    let solves = simulation.steps() as f64 * f64::from(settings.substeps * settings.newton);
    let share = f64::from(iterations.total) / (solves * f64::from(settings.conjugate_gradients.iterations));
    let solver = solver.as_ref().unwrap_or_else(|| simulation.solver());
    let gradients = sinew::integrate::setup::Iterations::of_gradients(&solver.buffers);
    let bytes = bytes_by_pass(&solver.buffers, &solver.passes)?;
    let mut shares: Vec<Share> =
        bytes.iter().map(|&bytes| Share { launches: 0.0, busy: 0.0, bytes: bytes as f64 }).collect();
    for run in &solver.step {
        for pass in run.passes.clone() {
            let needed = match solver.passes.list[pass].unread {
                Some(unread) if Some(unread.column) == gradients => share.min(1.0),
                Some(_) => 0.0,
                None => 1.0,
            };
            shares[pass].launches += f64::from(run.times);
            shares[pass].busy += needed * f64::from(run.times);
        }
    }
    Ok(shares)
}

/// The kernels that take longest.
fn print_kernels(solver: &Solver, shares: &[Share], times: &[f64]) -> anyhow::Result<()> {
    let mut kernels: HashMap<&str, [f64; 3]> = HashMap::new();
    for ((pass, share), time) in solver.passes.list.iter().zip(shares).zip(times) {
        let sums = kernels.entry(pass.kernel.name).or_default();
        *sums = [sums[0] + share.launches, sums[1] + share.busy * share.bytes, sums[2] + time];
    }
    let mut kernels: Vec<_> = kernels.into_iter().filter(|(_, sums)| sums[0] > 0.0).collect();
    kernels.sort_by(|a, b| b.1[2].total_cmp(&a.1[2]).then(a.0.cmp(b.0)));
    print(format_args!("  {:<20} {:>8} {:>10} {:>10}", "kernel", "passes", "MB", "ms"))?;
    for (name, [launches, bytes, time]) in kernels.iter().take(LISTED) {
        print(format_args!("  {name:<20} {launches:>8.0} {:>10.3} {time:>10.3}", 1e-6 * bytes))?;
    }
    let rest: f64 = kernels.iter().skip(LISTED).map(|(_, sums)| sums[2]).sum();
    if kernels.len() > LISTED {
        print(format_args!(
            "  {:<20} {:>8} {:>10} {rest:>10.3}",
            format!("{} others", kernels.len() - LISTED),
            "",
            ""
        ))?;
    }
    Ok(())
}
