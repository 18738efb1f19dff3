//! `sinew run --plot`: the energies, the momenta and the solver's work over time, from the tables of the run.

use super::folder::{
    ANGULAR_MOMENTUM_PLOT, ENERGY_PLOT, JOINT_PLOT, MOMENTUM_PLOT, ROD_ENERGY_PLOT, SCALARS, TIMING,
    WORK_PLOT,
};
use anyhow::Context;
use sinew::Simulation;
use sinew::export::{Line, Plot, Series};
use std::path::Path;
use std::time::Duration;

/// The columns of timing.csv.
pub const COLUMNS: [&str; 4] =
    ["time", "milliseconds_per_step", "cg_iterations_per_substep", "limit_iterations_per_substep"];

/// Counts the work between two frames.
#[derive(Default)]
pub struct Timing {
    solving: Duration,
    steps: u64,
    iterations: [u32; 2],
}

impl Timing {
    /// Begins at the present state.
    pub fn new(simulation: &mut Simulation) -> anyhow::Result<Self> {
        Ok(Self { solving: Duration::ZERO, steps: simulation.steps(), iterations: iterations(simulation)? })
    }

    /// Appends what was done since the last frame; `solving` is the time spent so far.
    pub fn record(
        &mut self,
        table: &mut Series,
        simulation: &mut Simulation,
        solving: Duration,
    ) -> anyhow::Result<()> {
        let now = iterations(simulation)?;
        let steps = simulation.steps() - self.steps;
        if steps > 0 {
            let substeps = steps as f64 * f64::from(simulation.model().settings.substeps);
            let per_substep = [0, 1].map(|k| f64::from(now[k].wrapping_sub(self.iterations[k])) / substeps);
            let milliseconds = 1e3 * (solving - self.solving).as_secs_f64() / steps as f64;
            table.push(&[simulation.time(), milliseconds, per_substep[0], per_substep[1]])?;
        }
        *self = Self { solving, steps: simulation.steps(), iterations: now };
        Ok(())
    }
}

/// Iterations of conjugate gradients and strain limits so far.
pub fn iterations(simulation: &mut Simulation) -> anyhow::Result<[u32; 2]> {
    let gradients = simulation.iterations()?.unwrap_or_default();
    let limits = simulation.limit_iterations()?.unwrap_or_default();
    Ok([gradients.total, limits.total])
}

/// Draws the plots of a run.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let scalars = Table::read(&folder.join(SCALARS))?;
    let energies = ["kinetic_energy", "gravity_energy", "load_energy", "elastic_energy"];
    let mut plot = Plot::new("Energy", "time [s]", "energy [J]");
    let mut total: Vec<[f64; 2]> = Vec::new();
    for name in energies {
        let points = scalars.column(name)?;
        total.resize(points.len(), [0.0; 2]);
        total.iter_mut().zip(&points).for_each(|(sum, [t, e])| *sum = [*t, sum[1] + e]);
        // Few scenes have loads.
        if name != "load_energy" || points.iter().any(|p| p[1] != 0.0) {
            plot = plot.line(Line::new(name.trim_end_matches("_energy"), points));
        }
    }
    plot.line(Line::new("total", total).dashed()).write(folder.join(ENERGY_PLOT))?;

    for (file, title, columns, unit) in [
        (MOMENTUM_PLOT, "Momentum", &[("momentum", "")][..], "momentum [kg m/s]"),
        (
            ANGULAR_MOMENTUM_PLOT,
            "Angular momentum",
            &[("angular_momentum", " about the origin"), ("spin", " about the centre")],
            "angular momentum [J s]",
        ),
    ] {
        let mut plot = Plot::new(title, "time [s]", unit);
        for (column, place) in columns {
            for axis in ["x", "y", "z"] {
                let points = scalars.column(&format!("{column}_{axis}"))?;
                let line = Line::new(format!("{axis}{place}"), points);
                plot = plot.line(if *column == "spin" { line.dashed() } else { line });
            }
        }
        plot.write(folder.join(file))?;
    }

    let mut plot = Plot::new("Energy of rods", "time [s]", "energy [J]");
    let mut stored = false;
    for name in ["stretch", "shear", "bend", "twist"] {
        let points = scalars.column(&format!("rod_{name}_energy"))?;
        stored |= points.iter().any(|p| p[1] > 0.0);
        plot = plot.line(Line::new(name, points));
    }
    let axes = ["rod_bend_energy_1", "rod_bend_energy_2"];
    let axes: Vec<_> = axes.into_iter().map(|name| scalars.column(name)).collect::<anyhow::Result<_>>()?;
    // A rod that bends in one plane has nothing to split.
    if axes.iter().all(|points| points.iter().any(|p| p[1] > 0.0)) {
        for (name, points) in ["bend about axis 1", "bend about axis 2"].into_iter().zip(axes) {
            plot = plot.line(Line::new(name, points).dashed());
        }
    }
    if stored {
        plot.write(folder.join(ROD_ENERGY_PLOT))?;
    }

    let mut plot = Plot::new("Forces of joints", "time [s]", "force [N]");
    let forces: Vec<&String> = scalars.names.iter().filter(|name| name.ends_with(" force")).collect();
    for name in &forces {
        plot = plot.line(Line::new(name.trim_end_matches(" force"), scalars.column(name)?));
    }
    if !forces.is_empty() {
        plot.write(folder.join(JOINT_PLOT))?;
    }

    let timing = Table::read(&folder.join(TIMING))?;
    let mut plot = Plot::new("Work", "time [s]", "per step or substep").log_y();
    for (column, name) in COLUMNS[1..].iter().zip(["ms a step", "CG iterations", "limit iterations"]) {
        let points = timing.column(column)?;
        if points.iter().any(|p| p[1] > 0.0) {
            plot = plot.line(Line::new(name, points));
        }
    }
    plot.write(folder.join(WORK_PLOT))?;
    Ok(())
}

/// A table of numbers that this program has written.
pub(super) struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
        let mut lines = text.lines();
        let names = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let row = |line: &str| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>();
        let rows = lines.map(row).collect::<Result<_, _>>().with_context(|| format!("reading {name}"))?;
        Ok(Self { names, rows })
    }

    /// A column over time.
    fn column(&self, name: &str) -> anyhow::Result<Vec<[f64; 2]>> {
        let place = self.names.iter().position(|n| n == name);
        let place = place.with_context(|| format!("the table has no column `{name}`"))?;
        Ok(self.rows.iter().filter_map(|row| Some([*row.first()?, *row.get(place)?])).collect())
    }

    /// The length of the vectors whose components begin in a column, over time.
    pub(super) fn lengths(&self, place: usize) -> Vec<[f64; 2]> {
        let length = |row: &Vec<f64>| {
            let vector = row.get(place..place + 3)?;
            Some([*row.first()?, vector.iter().map(|c| c * c).sum::<f64>().sqrt()])
        };
        self.rows.iter().filter_map(length).collect()
    }
}
