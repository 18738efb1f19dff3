//! How the numbers compare with what they should be. Nothing fails here: a busy machine misses every target.

use super::Backend;
use super::machine::Machine;
use super::report::Row;
use super::statistics::growth_exponent;
use super::table::name;

/// The threads that targets of the CPU are for.
const THREADS: usize = 2;
/// Time per item at the largest size over that at the smallest that still counts as flat.
const FLAT: f64 = 1.25;

/// What a case should not exceed on the CPU. Devices have no targets: they differ too much.
struct Target {
    /// A case, or with a slash at the end a group of them.
    case: &'static str,
    /// The sizes it is for; all if empty.
    sizes: &'static [u32],
    /// Of the median on the CPU, f32 on two threads.
    most: f64,
    of: Quantity,
    /// Whether time per item should also be the same at every size.
    flat: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    /// Nanoseconds per item, substep and iteration.
    Item,
    /// Milliseconds per step, which for rods is a frame.
    Step,
}

const TARGETS: &[Target] = &[
    Target { case: "cloth-grid/", sizes: &[], most: 5.0, of: Quantity::Item, flat: true },
    Target {
        case: "solid/xpbd-coloured-1x20",
        sizes: &[13, 27],
        most: 30.0,
        of: Quantity::Item,
        flat: false,
    },
    Target { case: "solid/implicit", sizes: &[6], most: 1.0, of: Quantity::Step, flat: false },
    Target { case: "contact/sheet-on-a-ball", sizes: &[64], most: 10.0, of: Quantity::Step, flat: false },
    Target { case: "contact/sheet-on-a-ball", sizes: &[128], most: 40.0, of: Quantity::Step, flat: false },
    Target { case: "magnets/pairs", sizes: &[], most: 1.5, of: Quantity::Item, flat: false },
    Target { case: "magnets/bars", sizes: &[], most: 150.0, of: Quantity::Item, flat: false },
    Target { case: "rods-of-100/coloured", sizes: &[100], most: 15.0, of: Quantity::Item, flat: false },
    Target { case: "rods-of-100/coloured-1x20", sizes: &[100], most: 15.0, of: Quantity::Item, flat: false },
    Target { case: "rods-of-100/coloured", sizes: &[100], most: 5.0, of: Quantity::Step, flat: false },
];

/// One case on one backend, from small to large.
struct Series<'a> {
    case: &'static str,
    backend: Backend,
    rows: Vec<&'a Row>,
}

pub fn print(rows: &[Row], machine: &Machine) {
    let series = series(rows);
    let lines: Vec<String> =
        TARGETS.iter().flat_map(|target| series.iter().filter_map(|series| target.line(series))).collect();
    if !lines.is_empty() {
        say!(
            "\ntargets, of the slowest size; ns per item and iteration, ms per step; for {THREADS} threads, here {}",
            machine.threads
        );
        lines.iter().for_each(|line| say!("  {line}"));
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
    fn exponent(&self) -> Option<f64> {
        let times =
            self.rows.iter().filter_map(|row| Some((row.items as f64, row.measured.as_ref()?.median_ms)));
        growth_exponent(&times.collect::<Vec<_>>())
    }
}

impl Target {
    fn is_for(&self, case: &str) -> bool {
        if self.case.ends_with('/') { case.starts_with(self.case) } else { case == self.case }
    }

    /// How a series compares with the target, if that is for it.
    fn line(&self, series: &Series) -> Option<String> {
        if series.backend != Backend::Cpu || !self.is_for(series.case) {
            return None;
        }
        let rows = series.rows.iter().filter(|row| self.sizes.is_empty() || self.sizes.contains(&row.size));
        let (labels, values): (Vec<&str>, Vec<f64>) = rows
            .filter_map(|row| {
                let measured = row.measured.as_ref()?;
                let value = match self.of {
                    Quantity::Item => measured.ns_per_item,
                    Quantity::Step => measured.median_ms,
                };
                Some((row.size_label.as_str(), value))
            })
            .unzip();
        let slowest = values.iter().copied().reduce(f64::max)?;
        let unit = if self.of == Quantity::Item { "ns" } else { "ms" };
        let sizes = if self.sizes.is_empty() { String::new() } else { labels.join(", ") };
        let mut line = format!(
            "{:<25} {:<9} {:<4} {slowest:>7.2} {unit}, target {:>2} {unit}: {}",
            series.case,
            sizes,
            name(series.backend),
            self.most,
            verdict(slowest <= self.most)
        );
        if let (true, [first, .., last], [small, .., large]) =
            (self.flat, labels.as_slice(), values.as_slice())
        {
            let ratio = large / small;
            line += &format!("; {last}/{first} {ratio:.2}, flat up to {FLAT}: {}", verdict(ratio <= FLAT));
        }
        Some(line)
    }
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "not met" }
}

#[cfg(test)]
mod tests {
    use super::super::cases::CASES;
    use super::*;

    /// A target for what is no longer measured would be forgotten.
    #[test]
    fn every_target_is_for_rows_that_exist() {
        for target in TARGETS {
            let cases: Vec<_> = CASES.iter().filter(|case| target.is_for(case.name)).collect();
            assert!(!cases.is_empty(), "{}", target.case);
            for case in cases {
                assert!(target.sizes.iter().all(|size| case.sizes.list.contains(size)), "{}", case.name);
            }
        }
    }
}
