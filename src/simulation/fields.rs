//! What families show and measure of the present state.

use super::{Simulation, SimulationError};
use crate::compute::{ColumnId, ComputeError, Data, Element, Executor, Tables};
use crate::measure::fields::FIELDS;
use crate::model::Probe;
use crate::step::{Columns, Field, Measure, Shown, Values};

/// The columns of a simulation's state.
pub(super) struct Read<'a> {
    pub tables: &'a Tables,
    pub executor: &'a mut dyn Executor,
}

impl Columns for Read<'_> {
    fn column(&mut self, name: &str) -> Result<Option<Data>, ComputeError> {
        self.tables.find(name).map(|id| self.executor.read(id)).transpose()
    }
}

impl Simulation {
    /// What can be shown of the scene: of all families together, then what each declares.
    pub fn fields(&self) -> Vec<&'static Field> {
        let own = self.setup.families.list().iter().flat_map(|family| family.fields());
        let all = FIELDS.iter().chain(own);
        let is_there = |field: &&Field| match field.values {
            Values::Table(table) => self.epoch.solver.buffers.find_table(table).is_some(),
            Values::Computed(computed) => (computed.is_there)(&self.epoch.model),
        };
        all.filter(is_there).collect()
    }

    /// The values of a field at the particles, in the model's numbering; NaN where there is none.
    pub fn field(&mut self, field: &Field) -> Result<Vec<f64>, SimulationError> {
        let table = match field.values {
            Values::Table(table) => table,
            Values::Computed(computed) => {
                let (positions, velocities) = (self.model_positions()?, self.model_velocities()?);
                let orientations = &self.frames()?.orientations;
                let shown = Shown { positions: &positions, velocities: &velocities, orientations };
                return Ok((computed.values)(&self.epoch.model, &shown));
            }
        };
        let (tables, executor) = (&self.epoch.solver.buffers, &mut *self.executor);
        let (column, named) = place(tables, table, field.name)?;
        let values = executor.read(column)?;
        let Some((named, components)) = named else { return Ok(values.reals().to_vec()) };
        let (rows, width) = (executor.read(named)?, tables.element(named).width());
        let mut at_particles = vec![f64::NAN; self.epoch.model.particle_count()];
        for (row, &value) in rows.uints().chunks_exact(width).zip(values.reals()) {
            for &particle in &row[..components] {
                let largest = &mut at_particles[particle as usize];
                *largest = largest.max(value);
            }
        }
        Ok(at_particles)
    }

    /// What families measure besides [`Simulation::measure`], in their order.
    pub fn family_measures(&mut self) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = Vec::new();
        let mut state = Read { tables: &self.epoch.solver.buffers, executor: &mut *self.executor };
        for family in self.setup.families.list() {
            family.measure(&self.epoch.model, &mut state, &mut measures)?;
        }
        measures.extend(self.probes()?);
        Ok(measures)
    }

    /// Places and velocities of the scene's probes.
    fn probes(&mut self) -> Result<Vec<Measure>, SimulationError> {
        let probes = self.epoch.model.probes.clone();
        if probes.is_empty() {
            return Ok(Vec::new());
        }
        let (x, v) = (self.model_positions()?, self.model_velocities()?);
        let columns = |probe: &Probe| {
            let [x, v] = [&x, &v].map(|of| of[probe.particle as usize].to_array());
            let named = ["x", "y", "z"].into_iter().zip(x).map(|(axis, value)| (axis, "m", value));
            let moving = ["vx", "vy", "vz"].into_iter().zip(v).map(|(axis, value)| (axis, "m/s", value));
            let measure =
                |(axis, unit, value)| Measure { name: format!("{}.{axis}", probe.name).into(), unit, value };
            named.chain(moving).map(measure).collect::<Vec<_>>()
        };
        Ok(probes.iter().flat_map(columns).collect())
    }
}

/// The column of a field's values, and the one that names the particles of its rows with how many it names; none where rows are
/// particles.
type Placed = (ColumnId, Option<(ColumnId, usize)>);

fn place(tables: &Tables, table: &str, name: &str) -> Result<Placed, ComputeError> {
    let error = |problem: String| ComputeError::Table { table: table.into(), problem };
    let table = tables.find_table(table).ok_or_else(|| error("does not exist".into()))?;
    let is_value = |id: &ColumnId| {
        let column = tables.get(*id);
        column.table == Some(table) && column.element == Element::Real && column.per_row == 1
    };
    let column = tables.find(name).filter(is_value);
    let column = column.ok_or_else(|| error(format!("has no column `{name}` of one real a row")))?;
    let particles = tables.find_table("particles");
    if Some(table) == particles {
        return Ok((column, None));
    }
    let refers = |id: ColumnId| {
        let named = tables.get(id);
        let refers = named.refers.filter(|refers| Some(refers.table) == particles)?;
        (named.table == Some(table) && named.per_row == 1).then_some((id, refers.components as usize))
    };
    let named = tables.ids().find_map(refers);
    Ok((column, Some(named.ok_or_else(|| error("has no column that refers to particles".into()))?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ColourBy;
    use crate::solver::Families;

    /// The scene format is read without the families; its words are theirs.
    #[test]
    fn the_colours_of_scene_files_are_the_declared_fields() {
        let families = Families::standard();
        let own = families.list().iter().flat_map(|family| family.fields());
        let mut declared: Vec<&str> = FIELDS.iter().chain(own).map(|field| field.name).collect();
        let mut words: Vec<&str> = ColourBy::NAMES
            .iter()
            .filter_map(|(_, colour)| if let ColourBy::Field(name) = colour { Some(*name) } else { None })
            .collect();
        declared.sort_unstable();
        words.sort_unstable();
        assert_eq!(declared, words);
    }
}
