//! What attachments and seams carry.

use super::{Simulation, SimulationError};
use crate::attach::anchor::STATE;
use crate::compute::Data;
use glam::DVec3;

/// What one attachment or seam carries at the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinForce {
    pub name: String,
    /// Sum of the forces on its `b` [N]; those on its `a` are opposite.
    pub force: DVec3,
    /// The largest force of one tie [N].
    pub largest: f64,
    /// Pairs of points that it joins.
    pub ties: u32,
    /// How many of them have torn.
    pub torn: u32,
}

impl Simulation {
    /// The forces of attachments, then of seams, in the last substep.
    ///
    /// ```
    /// use sinew::{Checked, Kinds, Options, Precision, Simulation};
    ///
    /// let text = r#"
    ///     format = 1
    ///     points = [
    ///         { name = "hook", points = [[0, 1, 0]], mass = 1, pin = [{ indices = [0] }] },
    ///         { name = "weight", points = [[0, 0, 0]], mass = 2 },
    ///     ]
    ///     attach = [{ name = "string", a = { body = "weight" }, b = { body = "hook" } }]
    /// "#;
    /// let scene = Checked::parse(text, "weight.toml", "", &Kinds::standard())?;
    /// let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64))?;
    /// simulation.step()?;
    /// let string = &simulation.joins()?[0];
    /// assert!((string.force.y + 2.0 * 9.81).abs() < 1e-9, "the hook carries the weight");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn joins(&mut self) -> Result<Vec<JoinForce>, SimulationError> {
        let ties = self.reals("tie_forces")?;
        let states = self.reals("anchor_states")?;
        let joins = &self.epoch.model.joins;
        let empty = |name: &String| JoinForce {
            name: name.clone(),
            force: DVec3::ZERO,
            largest: 0.0,
            ties: 0,
            torn: 0,
        };
        let mut forces: Vec<JoinForce> = joins.joins.iter().map(|join| empty(&join.name)).collect();
        let ties = joins.ties.iter().map(|tie| tie.join).zip(ties.chunks_exact(4));
        let anchors = joins.anchors.iter().map(|anchor| anchor.join);
        let anchors = anchors.zip(states.chunks_exact(4 * STATE as usize).map(|row| &row[4..]));
        for (join, row) in ties.chain(anchors) {
            let sum = &mut forces[join as usize];
            let force = DVec3::from_slice(row);
            sum.ties += 1;
            if row[3] == 0.0 {
                sum.force += force;
                sum.largest = sum.largest.max(force.length());
            } else {
                sum.torn += 1;
            }
        }
        Ok(forces)
    }

    /// The contents of a column; nothing if there is none of that name.
    fn reals(&mut self, name: &str) -> Result<Vec<f64>, SimulationError> {
        let Some(id) = self.epoch.solver.buffers.find(name) else { return Ok(Vec::new()) };
        match self.executor.read(id)? {
            Data::Reals(values) => Ok(values),
            Data::Uints(_) => Ok(Vec::new()),
        }
    }
}
