//! What a state belongs to: a state put into another scene would be nonsense that looks like a result.

use super::CheckpointError;
use crate::compute::{ColumnId, Element, Rows, Tables};
use crate::math::Precision;
use crate::model::elements::Elements;
use crate::model::{Body, Model};
use crate::scene::SolverKind;
use glam::DVec3;

/// Differences that a message spells out.
const MOST_DIFFERENCES: usize = 4;
/// Characters of a value in a message.
const MOST_CHARACTERS: usize = 80;

/// A buffer of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateBuffer {
    pub name: String,
    pub element: Element,
    /// The table whose rows these are; empty for a column that stands alone.
    pub table: String,
    /// Scalars, not elements; the most there can be if the device counts the rows.
    pub scalars: usize,
    /// Scalars of a row, where the device counts them: a state has any whole number of rows.
    pub counted: Option<usize>,
}

impl StateBuffer {
    fn new(tables: &Tables, id: ColumnId) -> Self {
        let column = tables.get(id);
        let table = column.table.map(|table| tables.get_table(table));
        let row = column.per_row as usize * column.element.width();
        let (scalars, counted) = match table.map(|table| table.rows) {
            Some(Rows::Counted { most, .. }) => ((most as usize).saturating_mul(row), Some(row)),
            _ => (column.start.len(), None),
        };
        Self {
            name: column.name.clone(),
            element: column.element,
            table: table.map_or(String::new(), |table| table.name.clone()),
            scalars,
            counted,
        }
    }

    /// Whether a state may have so many scalars of this.
    pub(super) fn holds(&self, scalars: u64) -> bool {
        match self.counted {
            None => scalars == self.scalars as u64,
            Some(row) => scalars <= self.scalars as u64 && scalars.is_multiple_of(row.max(1) as u64),
        }
    }
}

/// The arithmetic, model and buffers that a state belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub precision: Precision,
    /// What gives the numbers of a state their meaning, as (name, value): time step, substeps, solver, and each
    /// body's counts, mass, place and numbering. Stiffness, forces and obstacles may change between two runs.
    pub model: Vec<(String, String)>,
    pub buffers: Vec<StateBuffer>,
}

impl Fingerprint {
    pub fn new(model: &Model, buffers: &Tables, precision: Precision) -> Self {
        let settings = &model.settings;
        let solver = match settings.solver {
            SolverKind::Coloured => "coloured",
            SolverKind::Jacobi => "jacobi",
        };
        let names: Vec<String> = model.bodies.iter().map(|body| format!("`{}`", body.name)).collect();
        let mut entries = vec![
            ("bodies".to_string(), names.join(", ")),
            ("`time_step`".into(), format!("{} s", settings.time_step)),
            ("`substeps`".into(), settings.substeps.to_string()),
            ("`solver`".into(), solver.into()),
        ];
        for (body, elements) in model.bodies.iter().zip(&model.elements) {
            entries.extend(describe(model, body, elements));
        }
        if !model.rods.is_empty() {
            let mut crc = crc32fast::Hasher::new();
            let particles = model.rods.frames.iter().flat_map(|frame| frame.particles);
            particles.for_each(|i| crc.update(&i.to_le_bytes()));
            entries.push(("frames of rods".into(), format!("{:08x}", crc.finalize())));
        }
        let buffers = buffers.state().map(|id| StateBuffer::new(buffers, id));
        Self { precision, model: entries, buffers: buffers.collect() }
    }

    /// Refuses a state with another fingerprint, saying what differs. `origin` is where it comes from.
    pub fn check(&self, found: &Self, origin: &str) -> Result<(), CheckpointError> {
        if found.precision != self.precision {
            let (found, wanted) = (found.precision, self.precision);
            return Err(CheckpointError::Precision { origin: origin.into(), found, wanted });
        }
        let differences = self.differences(found);
        match differences.is_empty() {
            true => Ok(()),
            false => Err(CheckpointError::OtherScene { origin: origin.into(), differences }),
        }
    }

    fn differences(&self, found: &Self) -> Vec<String> {
        let find = |entries: &[(String, String)], name: &str| {
            entries.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
        };
        let said = |name: &str, theirs: Option<String>, ours: Option<String>| {
            let [theirs, ours] = [theirs, ours].map(|v| shorten(v.as_deref().unwrap_or("nothing")));
            format!("{}: {theirs} in the state, {ours} in the scene", shorten(name))
        };
        let mut differences = Vec::new();
        for (name, ours) in &self.model {
            let theirs = find(&found.model, name);
            if theirs.as_ref() != Some(ours) {
                differences.push(said(name, theirs, Some(ours.clone())));
            }
        }
        for (name, theirs) in &found.model {
            if find(&self.model, name).is_none() {
                differences.push(said(name, Some(theirs.clone()), None));
            }
        }
        if differences.is_empty() && found.buffers != self.buffers {
            // Same scene, other buffers: another version of the program.
            let list = |buffers: &[StateBuffer]| {
                let each = buffers.iter().map(|b| format!("{}[{}]", b.name, b.scalars / b.element.width()));
                each.collect::<Vec<_>>().join(", ")
            };
            differences.push(said("the buffers", Some(list(&found.buffers)), Some(list(&self.buffers))));
        }
        let more = differences.len().saturating_sub(MOST_DIFFERENCES);
        differences.truncate(MOST_DIFFERENCES);
        if more > 0 {
            differences.push(format!("and {more} more"));
        }
        differences
    }
}

/// A text as a message shows it. Control characters of a foreign file are not sent to a terminal.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_CHARACTERS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace(char::is_control, "?")
}

/// A body's entries.
fn describe(model: &Model, body: &Body, elements: &Elements) -> [(String, String); 3] {
    // A body's particles have the same range in both numberings.
    let range = body.particles.start as usize..body.particles.end as usize;
    let particles = &model.particles;
    let name = |what: &str| format!("{what} of `{}`", body.name);
    let held = particles.inverse_masses[range.clone()].iter().filter(|&&w| w == 0.0).count();
    let counts = format!(
        "{} ({held} held), {} links, {} hinges, {} areas, {} volumes",
        range.len(),
        elements.links.len(),
        elements.hinges.len() + elements.isometric.len(),
        elements.areas.len(),
        elements.volumes.len()
    );
    let mass: f64 = particles.masses[range.clone()].iter().sum();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &x in &particles.positions[range.clone()] {
        (low, high) = (low.min(x), high.max(x));
    }
    let size = low.abs().max(high.abs()).max_element();
    let corner = |x: DVec3| x.to_array().map(|c| rounded(c, size)).map(|c| c.to_string()).join(", ");
    let mut crc = crc32fast::Hasher::new();
    let mut number = |i: u32| crc.update(&(i - body.particles.start).to_le_bytes());
    model.order.old_of_new[range.clone()].iter().for_each(|&old| number(old));
    elements.links.iter().flat_map(|e| e.ends).for_each(&mut number);
    elements.hinges.iter().flat_map(|e| e.particles).for_each(&mut number);
    elements.isometric.iter().flat_map(|e| e.particles).for_each(&mut number);
    elements.areas.iter().flat_map(|e| e.particles).for_each(&mut number);
    elements.volumes.iter().flat_map(|e| e.particles).for_each(&mut number);
    particles.inverse_masses[range].iter().for_each(|&w| crc.update(&[u8::from(w == 0.0)]));
    [
        (name("particles and constraints"), counts),
        (
            name("mass and place"),
            format!("{} kg, ({}) to ({}) m", rounded(mass, mass), corner(low), corner(high)),
        ),
        (name("numbers"), format!("{:08x}", crc.finalize())),
    ]
}

/// A number to six digits of `size`: another machine's sine may differ in the last bit, and the scene is the same.
fn rounded(x: f64, size: f64) -> f64 {
    let noise = 1e-6 * size;
    if x.abs() < noise { 0.0 } else { format!("{x:.5e}").parse().unwrap_or(x) }
}
