//! Each kernel by itself: which one a step's time goes to.
//!
//! Times come from the executor's profile: timestamps around every pass where the device has them, the wall clock
//! otherwise. Passes by themselves overlap nothing and each has its own overhead, so that the sum exceeds a step's time.

use super::statistics::{median, percentile};
use super::work::Work;
use serde::Serialize;
use sinew::compute::Executor;
use std::time::{Duration, Instant};

const FEWEST: usize = 3;
/// More say no more: the median of fifty is as good as the machine is quiet.
const MOST: usize = 50;

/// The time of all passes of one kernel in a step.
#[derive(Debug, Serialize)]
pub struct KernelTime {
    pub kernel: &'static str,
    pub passes_per_step: u64,
    /// Milliseconds per step.
    pub median_ms: f64,
    pub p95_ms: f64,
}

/// Profiles the passes of a step, slowest kernel first.
pub fn profile(
    work: &Work,
    executor: &mut dyn Executor,
    budget: Duration,
) -> anyhow::Result<Vec<KernelTime>> {
    let mut names: Vec<&'static str> = Vec::new();
    for pass in &work.passes.list {
        if !names.contains(&pass.kernel.name) {
            names.push(pass.kernel.name);
        }
    }
    let place = |pass: usize| {
        let name = work.passes.list[pass].kernel.name;
        names.iter().position(|known| *known == name).expect("every pass's kernel has been noted")
    };
    let mut passes = vec![0; names.len()];
    for run in &work.step {
        run.passes.clone().for_each(|pass| passes[place(pass)] += u64::from(run.times));
    }
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    let start = Instant::now();
    for repetition in 0..MOST {
        if repetition >= FEWEST && start.elapsed() > budget {
            break;
        }
        let mut sums = vec![0.0; names.len()];
        for run in &work.step {
            let times = executor.profile(run.passes.clone())?;
            for (pass, time) in run.passes.clone().zip(times) {
                sums[place(pass)] += 1e3 * f64::from(run.times) * time.as_secs_f64();
            }
        }
        samples.iter_mut().zip(sums).for_each(|(samples, sum)| samples.push(sum));
    }
    let mut kernels: Vec<KernelTime> = names
        .iter()
        .zip(&samples)
        .zip(passes)
        .map(|((kernel, samples), passes_per_step)| KernelTime {
            kernel,
            passes_per_step,
            median_ms: median(samples),
            p95_ms: percentile(samples, 0.95),
        })
        .collect();
    kernels.sort_by(|a, b| b.median_ms.total_cmp(&a.median_ms));
    Ok(kernels)
}
