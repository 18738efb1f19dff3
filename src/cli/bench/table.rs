//! The numbers as a table of at most 110 columns, case by case as they come in.

use super::cases::Case;
use super::machine::Machine;
use super::measure::Measured;
use super::report::Row;
use super::{Backend, Chosen};

/// Running programs per thread beyond which times mean little.
const BUSY: f64 = 0.5;

pub fn print_list(chosen: &[Chosen]) {
    for (case, sizes) in chosen {
        let sizes: Vec<String> = sizes.iter().map(|&size| case.size_label(size)).collect();
        say!("{}: {}", case.name, sizes.join(", "));
        say!("    {}", case.sizes.why);
    }
}

pub fn print_machine(machine: &Machine) {
    say!("sinew {}", env!("CARGO_PKG_VERSION"));
    if cfg!(debug_assertions) {
        say!("built with debug assertions; `cargo run --release` is what people should compare");
    }
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    say!(
        "cpu: {cpu}, {} threads, f32; copies {:.1} GB/s",
        machine.threads,
        machine.copy_gigabytes_per_second
    );
    if let Some(load) = machine.load_average.filter(|&load| load > BUSY * machine.threads as f64) {
        say!("     busy with other things (load average {load:.1}): times are too long");
    }
    if let Some(adapter) = &machine.adapter {
        let mark = if adapter.software { ", software" } else { "" };
        let copy =
            adapter.copy_gigabytes_per_second.map_or(String::new(), |gb| format!("; copies {gb:.1} GB/s"));
        say!("gpu: {} ({}{mark}), {}{copy}", adapter.name, adapter.api, adapter.driver);
        let pass = adapter.empty_pass_microseconds;
        let pass = pass.map_or(String::new(), |time| format!("; an empty pass takes {time:.1} µs"));
        say!("     kernels by {}{pass}", adapter.timing);
    }
}

pub fn print_case(case: &Case, rows: &[Row]) {
    let unit = rows.first().map_or("", |row| row.unit.name());
    say!("\n{}", case.name);
    say!(
        "  {:>7} {:>11} {:<7} {:>5} {:>9} {:>9} {:>9} {:>13} {:>7} {:>8} {:>8}",
        "size",
        format!("{unit}s"),
        "backend",
        "steps",
        "ms/step",
        "p95",
        "best",
        format!("ns/{unit}"),
        "GB/s",
        "of copy",
        "drift"
    );
    for row in rows {
        let start = format!("  {:>7} {:>11} {:<7} ", row.size_label, row.items, name(row.backend));
        match (&row.measured, &row.failed) {
            (Some(measured), _) => print_measured(&start, measured, row.copy_share),
            (None, failed) => {
                say!("{start}failed: {}", failed.as_deref().unwrap_or("for an unknown reason"))
            }
        }
    }
}

fn print_measured(start: &str, measured: &Measured, copy_share: Option<f64>) {
    say!(
        "{start}{:>5} {:>9.3} {:>9.3} {:>9.3} {:>13.2} {:>7.2} {:>8} {:>8}",
        measured.repetitions,
        measured.median_ms,
        measured.p95_ms,
        measured.best_ms,
        measured.ns_per_item,
        measured.gigabytes_per_second,
        copy_share.map_or(String::new(), percent),
        measured.energy_drift.map_or(String::new(), percent),
    );
    for kernel in &measured.kernels {
        say!(
            "  {:>22} × {:<7} {:>9.3} {:>9.3}",
            kernel.kernel,
            kernel.passes_per_step,
            kernel.median_ms,
            kernel.p95_ms
        );
    }
}

pub fn print_legend() {
    say!(
        "\n\
         ms/step: median, 95th percentile and best. ns: per item, substep and iteration, all passes included.\n\
         GB/s: what the passes must move. Per pass, each element of a bound buffer that the pass can reach counts\n\
         once if it is read or written and twice if both. Of copy: the share of a plain copy's bandwidth, above\n\
         100 % where caches help. Drift: energy gained, over the larger of what falling has set free and what\n\
         motion and stretch have taken up; towards 100 % where few iterations leave links stretched."
    );
}

fn percent(fraction: f64) -> String {
    format!("{:.0} %", 100.0 * fraction)
}

pub fn name(backend: Backend) -> &'static str {
    match backend {
        Backend::Cpu => "cpu",
        Backend::Gpu => "gpu",
    }
}
