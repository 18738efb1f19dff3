//! What the numbers were measured on, and how fast it copies.

use super::statistics::median;
use rayon::prelude::*;
use serde::Serialize;
use sinew::compute::{ComputeError, CpuExecutor, Executor, Gpu, GpuExecutor, Passes, Role, Run, Tables};
use sinew::primitives::reduce;
use std::hint::black_box;
use std::time::Instant;

/// Size of the array that is copied: far beyond any cache.
const COPY_BYTES: usize = 256 << 20;
/// The same in a hurry: beyond most.
const QUICK_COPY_BYTES: usize = 64 << 20;
/// The best of these counts: everything else that happens on a machine only makes a copy slower.
const COPIES: usize = 6;
/// Passes that are timed together to find what one costs, and how often.
const EMPTY_PASSES: u32 = 200;
const EMPTY_RUNS: usize = 5;

#[derive(Debug, Serialize)]
pub struct Machine {
    /// The processor's name, where the system tells.
    pub cpu: Option<String>,
    /// Threads of the CPU backend.
    pub threads: usize,
    /// Programs that were running over the last minute, before anything was measured, where the system tells.
    pub load_average: Option<f64>,
    /// Bytes read and written per second by a copy on all threads [GB/s].
    pub copy_gigabytes_per_second: f64,
    pub adapter: Option<Adapter>,
}

#[derive(Debug, Serialize)]
pub struct Adapter {
    pub name: String,
    pub driver: String,
    pub api: String,
    pub software: bool,
    /// How `--kernels` measures.
    pub timing: &'static str,
    /// The same for a copy between two buffers of the device, if it has room for them.
    pub copy_gigabytes_per_second: Option<f64>,
    /// What a pass costs that has next to nothing to do and waits for the one before [µs]: no step is faster than its
    /// passes times this.
    pub empty_pass_microseconds: Option<f64>,
}

impl Machine {
    /// Looks at the machine and measures its copy bandwidth.
    pub fn survey(gpu: Option<&Gpu>, quick: bool) -> Self {
        let bytes = if quick { QUICK_COPY_BYTES } else { COPY_BYTES };
        Self {
            cpu: cpu_name(),
            threads: rayon::current_num_threads(),
            load_average: load_average(),
            copy_gigabytes_per_second: host_copy(bytes),
            adapter: gpu.map(|gpu| Adapter::survey(gpu, bytes)),
        }
    }

    /// What a pass costs on the CPU that has next to nothing to do [µs].
    pub fn host_pass() -> Result<f64, ComputeError> {
        empty_pass(|buffers, passes| Ok(Box::new(CpuExecutor::<f32>::new(buffers, passes))))
    }

    /// The bandwidth that a GPU row is compared with: of its own memory. A software adapter's is the machine's.
    pub fn adapter_copy(&self) -> Option<f64> {
        let adapter = self.adapter.as_ref()?;
        if adapter.software {
            Some(self.copy_gigabytes_per_second)
        } else {
            adapter.copy_gigabytes_per_second
        }
    }
}

impl Adapter {
    fn survey(gpu: &Gpu, bytes: usize) -> Self {
        let info = &gpu.report.info;
        let stamps = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Self {
            name: info.name.clone(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().into(),
            api: info.backend.to_string(),
            software: gpu.report.is_software(),
            timing: if stamps { "timestamp queries" } else { "wall clock" },
            copy_gigabytes_per_second: device_copy(gpu, bytes),
            empty_pass_microseconds: empty_pass(|buffers, passes| {
                Ok(Box::new(GpuExecutor::new(gpu, buffers, passes)?))
            })
            .ok(),
        }
    }
}

fn cpu_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

fn load_average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The best of several copies [GB/s], read and write both counted.
fn best_copy(bytes: usize, mut copy: impl FnMut() -> bool) -> Option<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..COPIES {
        let start = Instant::now();
        if !copy() {
            return None;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    Some(2e-9 * bytes as f64 / best)
}

fn host_copy(bytes: usize) -> f64 {
    let source = vec![1u8; bytes];
    let mut target = vec![0u8; bytes];
    // One piece a thread: a large copy may bypass the caches, many small ones do not.
    let piece = bytes.div_ceil(rayon::current_num_threads());
    let copied = best_copy(bytes, || {
        let pieces = target.par_chunks_mut(piece).zip(source.par_chunks(piece));
        pieces.for_each(|(target, source)| target.copy_from_slice(source));
        black_box(&mut target);
        true
    });
    copied.expect("a copy on the host does not fail")
}

fn device_copy(gpu: &Gpu, bytes: usize) -> Option<f64> {
    let bytes = (bytes as u64).min(gpu.device.limits().max_buffer_size) / 4 * 4;
    let buffer = |label| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (source, target) = (buffer("copy source"), buffer("copy target"));
    best_copy(bytes as usize, || {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&source, 0, &target, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        gpu.wait().is_ok()
    })
}

/// The median over some runs of a pass that adds up a single number [µs].
fn empty_pass(
    executor: impl FnOnce(&Tables, &Passes) -> Result<Box<dyn Executor>, ComputeError>,
) -> Result<f64, ComputeError> {
    let mut buffers = Tables::new();
    buffers.reals("values", Role::Model, vec![1.0])?;
    let mut passes = Passes::new();
    reduce::sum(&mut passes, &mut buffers, "values", 1, "total")?;
    let mut executor = executor(&buffers, &passes)?;
    let count = passes.list.len() as u32 * EMPTY_PASSES;
    let run = [Run { passes: 0..passes.list.len(), times: EMPTY_PASSES }];
    executor.execute(&run)?;
    let mut times = Vec::new();
    for _ in 0..EMPTY_RUNS {
        let start = Instant::now();
        executor.execute(&run)?;
        times.push(1e6 * start.elapsed().as_secs_f64() / f64::from(count));
    }
    Ok(median(&times))
}
