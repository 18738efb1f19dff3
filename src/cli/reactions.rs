//! reactions.csv: force and torque of everything that holds bodies.

use super::plots::Table;
use sinew::Simulation;
use sinew::export::{Line, Plot};
use std::path::Path;

/// What holds, by name, in the order of the columns.
pub fn names(simulation: &mut Simulation) -> anyhow::Result<Vec<String>> {
    Ok(simulation.reactions()?.into_iter().map(|reaction| reaction.name).collect())
}

/// The columns: the time, and six of each.
pub fn columns(names: &[String]) -> Vec<String> {
    let parts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];
    let of = |name: &String| parts.map(|part| format!("{name} {part}"));
    std::iter::once("time".into()).chain(names.iter().flat_map(of)).collect()
}

pub fn row(simulation: &mut Simulation) -> anyhow::Result<Vec<f64>> {
    let mut row = vec![simulation.time()];
    for reaction in simulation.reactions()? {
        row.extend(reaction.force.to_array());
        row.extend(reaction.torque.to_array());
    }
    Ok(row)
}

/// Draws the sizes of all forces over time.
pub fn plot(table: &Path, names: &[String], to: &Path) -> anyhow::Result<()> {
    let table = Table::read(table)?;
    let mut plot = Plot::new("Forces of what holds", "time [s]", "force [N]");
    for (k, name) in names.iter().enumerate() {
        plot = plot.line(Line::new(name.as_str(), table.lengths(1 + 6 * k)));
    }
    plot.write(to)?;
    Ok(())
}
