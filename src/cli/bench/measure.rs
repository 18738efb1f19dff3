//! Times one row: warm-up, then steps one by one until the budget is spent.

use super::kernels::{self, KernelTime};
use super::statistics::{median, percentile};
use super::work::{HostTask, Work};
use serde::Serialize;
use sinew::compute::Executor;
use std::time::{Duration, Instant};

/// Steps that are timed at least.
const FEWEST: usize = 3;
/// A row that is slow is cut short after this many budgets, with fewer steps than [`FEWEST`] if it must be.
const LONGEST: u32 = 8;
/// The warm-up takes this part of the budget, and at least one step: caches fill, pages are touched, a software
/// driver finishes compiling and the device backend learns how much fits into a submission.
const WARM_UP: f64 = 0.2;

/// How to measure.
pub struct Plan {
    pub budget: Duration,
    /// Also each kernel by itself.
    pub kernels: bool,
}

/// What came out.
#[derive(Debug, Serialize)]
pub struct Measured {
    pub repetitions: usize,
    /// Milliseconds per step.
    pub median_ms: f64,
    pub p95_ms: f64,
    /// The fastest step: what the machine can do when nothing else happens on it.
    pub best_ms: f64,
    pub steps_per_second: f64,
    /// Time of a step over items, substeps and iterations; all passes included.
    pub ns_per_item: f64,
    pub gigabytes_per_second: f64,
    /// Energy gained from the start to the end of the measurement, over the larger of what falling has set free and
    /// what motion and stretch have taken up. Links that few iterations leave stretched count with what a material of
    /// their stiffness would store.
    pub energy_drift: Option<f64>,
    /// How long that was, for a scene [s].
    pub simulated_seconds: Option<f64>,
    pub kernels: Vec<KernelTime>,
}

pub fn measure(work: &Work, executor: &mut dyn Executor, plan: &Plan) -> anyhow::Result<Measured> {
    let mut steps = 0;
    let times = times(plan, || {
        steps += 1;
        work.restart(executor)?;
        let start = Instant::now();
        executor.execute(&work.step)?;
        Ok(start.elapsed())
    })?;
    let findings = work.check(executor)?;
    // After the check: profiling repeats passes out of their order, which is no step of any scene.
    let kernels = if plan.kernels { kernels::profile(work, executor, plan.budget)? } else { Vec::new() };

    Ok(Measured {
        energy_drift: findings.energy_drift,
        simulated_seconds: work.time_step().map(|dt| dt * f64::from(steps)),
        kernels,
        ..summary(work, &times)
    })
}

/// Times work that has no passes.
pub fn measure_host(work: &Work, task: &HostTask, plan: &Plan) -> anyhow::Result<Measured> {
    let task = || {
        let start = Instant::now();
        task()?;
        Ok(start.elapsed())
    };
    Ok(summary(work, &times(plan, task)?))
}

/// How long each step took, after a warm-up [ms].
fn times(plan: &Plan, mut step: impl FnMut() -> anyhow::Result<Duration>) -> anyhow::Result<Vec<f64>> {
    let start = Instant::now();
    step()?;
    while start.elapsed() < plan.budget.mul_f64(WARM_UP) {
        step()?;
    }
    let mut times = Vec::new();
    let start = Instant::now();
    while times.is_empty()
        || start.elapsed() < plan.budget
        || times.len() < FEWEST && start.elapsed() < LONGEST * plan.budget
    {
        times.push(1e3 * step()?.as_secs_f64());
    }
    Ok(times)
}

fn summary(work: &Work, times: &[f64]) -> Measured {
    let median_ms = median(times);
    Measured {
        repetitions: times.len(),
        median_ms,
        p95_ms: percentile(times, 0.95),
        best_ms: percentile(times, 0.0),
        steps_per_second: 1e3 / median_ms,
        ns_per_item: 1e6 * median_ms / (work.items * work.rounds) as f64,
        gigabytes_per_second: 1e-6 * work.bytes as f64 / median_ms,
        energy_drift: None,
        simulated_seconds: None,
        kernels: Vec::new(),
    }
}
