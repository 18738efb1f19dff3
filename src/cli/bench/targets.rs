//! How the numbers compare with what they should be. Nothing fails here: a busy machine misses every target.

use super::Backend;
use super::machine::Machine;
use super::report::Row;
use super::statistics::growth_exponent;
use super::table::name;

/// The cases with targets.
const GROUP: &str = "cloth-grid/";
/// Per constraint and iteration, f32 on two threads [ns].
const CPU_TARGET: f64 = 5.0;
const CPU_TARGET_THREADS: usize = 2;
/// The same on a software adapter [ns]. A hardware one has no target: they differ too much.
const SOFTWARE_TARGET: f64 = 12.0;
/// Time per constraint at the largest size over that at the smallest that still counts as flat.
const FLAT: f64 = 1.25;

/// One case on one backend, from small to large.
struct Series<'a> {
    case: &'static str,
    backend: Backend,
    rows: Vec<&'a Row>,
}

pub fn print(rows: &[Row], machine: &Machine) {
    let series = series(rows);
    let cloth: Vec<&Series> = series.iter().filter(|s| s.case.starts_with(GROUP)).collect();
    if !cloth.is_empty() {
        say!(
            "\ntargets, per constraint and iteration, of the slowest size; the CPU's is for {CPU_TARGET_THREADS} \
             threads, here {}",
            machine.threads
        );
        cloth.iter().for_each(|series| print_target(series, machine));
    }
    let growing: Vec<(&Series, f64)> = series.iter().filter_map(|s| Some((s, s.exponent()?))).collect();
    if !growing.is_empty() {
        say!("\ngrowth: time of a step as a power of the items");
        for (series, exponent) in growing {
            say!("  {:<34} {:<4} {exponent:>5.2}", series.case, name(series.backend));
        }
    }
}

fn series(rows: &[Row]) -> Vec<Series<'_>> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|row| row.measured.is_some()) {
        match all.iter_mut().find(|s| s.case == row.case && s.backend == row.backend) {
            Some(series) => series.rows.push(row),
            None => all.push(Series { case: row.case, backend: row.backend, rows: vec![row] }),
        }
    }
    all
}

impl Series<'_> {
    fn ns(&self) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().filter_map(|row| row.measured.as_ref()).map(|measured| measured.ns_per_item)
    }

    fn exponent(&self) -> Option<f64> {
        let times =
            self.rows.iter().filter_map(|row| Some((row.items as f64, row.measured.as_ref()?.median_ms)));
        growth_exponent(&times.collect::<Vec<_>>())
    }
}

fn print_target(series: &Series, machine: &Machine) {
    let software = machine.adapter.as_ref().is_some_and(|adapter| adapter.software);
    let target = match series.backend {
        Backend::Cpu => CPU_TARGET,
        Backend::Gpu if software => SOFTWARE_TARGET,
        Backend::Gpu => return,
    };
    let ns: Vec<f64> = series.ns().collect();
    let slowest = ns.iter().copied().fold(0.0, f64::max);
    let mut line = format!(
        "  {:<25} {:<4} {slowest:>7.2} ns, target {target:>2} ns: {}",
        series.case,
        name(series.backend),
        verdict(slowest <= target)
    );
    if let ([first, .., last], [small, .., large]) = (series.rows.as_slice(), ns.as_slice()) {
        let (sizes, ratio) = (format!("{}/{}", last.size_label, first.size_label), large / small);
        line += &format!("; {sizes} {ratio:.2}, flat up to {FLAT}: {}", verdict(ratio <= FLAT));
    }
    say!("{line}");
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "not met" }
}
