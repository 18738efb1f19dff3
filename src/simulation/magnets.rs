//! The magnetic field of a running scene.

use super::{Simulation, SimulationError};
use crate::magnets::measure::Placed;
use crate::magnets::sources::{self, Records};
use crate::measure::expectations::interval;
use crate::scene::Expect;
use glam::DVec3;

/// The field of all magnets, coils and wires of a scene at a moment.
pub struct Magnetism {
    magnets: Placed,
    fields: Vec<Records>,
}

impl Magnetism {
    /// B at a point [T]. Of magnets that are balls or boxes it is that of the uniformly magnetised body, also within it; of others that of their
    /// cells.
    pub fn field(&self, x: DVec3) -> DVec3 {
        self.magnets.field(x) + sources::field(&self.fields, x)
    }

    /// Whether a point is within a magnet.
    pub fn is_inside(&self, x: DVec3) -> bool {
        self.magnets.is_inside(x) || sources::is_inside(&self.fields, x)
    }

    /// A box around all magnets and what makes fields [m].
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let boxes = self.magnets.boxes().chain(self.fields.iter().filter_map(sources::bounds));
        boxes.reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
    }
}

impl Simulation {
    /// The magnetic field of the scene as it is now.
    pub fn magnetism(&mut self) -> Result<Magnetism, SimulationError> {
        let (positions, frames) = (self.model_positions()?, self.frames()?);
        let model = &self.epoch.model;
        let fields = sources::at(model, self.time());
        Ok(Magnetism { magnets: Placed::new(model, &positions, &frames, &fields), fields })
    }

    /// Force [N] and torque about the centre [N m] of all magnets and fields on each rigid body, in the order of the scene, as of the beginning of the
    /// last substep.
    pub fn magnetic_loads(&mut self) -> Result<Vec<[DVec3; 2]>, SimulationError> {
        let mut loads = vec![[DVec3::ZERO; 2]; self.epoch.model.rigid.len()];
        if let Some(sums) = self.epoch.solver.buffers.find("magnet_sums") {
            let sums = self.executor.read(sums)?;
            let sum = |row: usize| DVec3::from_slice(&sums.reals()[4 * row..]);
            for (k, magnet) in self.epoch.model.magnets.iter().enumerate() {
                if let Some(load) = magnet.rigid.and_then(|body| loads.get_mut(body as usize)) {
                    *load = [sum(2 * k), sum(2 * k + 1)];
                }
            }
        }
        Ok(loads)
    }

    /// What is expected of rigid bodies and is not so, a sentence each.
    pub(super) fn unmet_bodies(&mut self, expect: &Expect) -> Result<Vec<String>, SimulationError> {
        let mut unmet = Vec::new();
        if expect.rigid.is_empty() {
            return Ok(unmet);
        }
        let (loads, frames) = (self.magnetic_loads()?, self.frames()?);
        let model = &self.epoch.model;
        for wanted in &expect.rigid {
            let is_wanted = |body: u32| model.bodies[body as usize].name == wanted.body;
            let Some(k) = model.rigid.iter().position(|body| is_wanted(body.body)) else { continue };
            let body = &model.rigid[k];
            let turned = frames.orientations[body.frame as usize] * body.orientation.conjugate();
            let angle = 2.0 * turned.xyz().length().atan2(turned.w.abs()).to_degrees();
            for (what, value, range) in [
                ("turn", angle, wanted.turned),
                ("magnetic force", loads[k][0].length(), wanted.force),
                ("magnetic torque", loads[k][1].length(), wanted.torque),
            ] {
                if !range.contains(value) {
                    let wanted = interval(range);
                    unmet.push(format!(
                        "{what} of `{}` is {value:.6e}, expected {wanted}",
                        model.bodies[body.body as usize].name
                    ));
                }
            }
        }
        Ok(unmet)
    }

    /// What is expected of the magnetic field and is not so, a sentence each.
    pub(super) fn unmet_fields(&mut self, expect: &Expect) -> Result<Vec<String>, SimulationError> {
        if expect.field.is_empty() {
            return Ok(Vec::new());
        }
        let magnetism = self.magnetism()?;
        let outside = expect.field.iter().filter_map(|wanted| {
            let b = magnetism.field(wanted.at);
            let is_met = b.cmpge(wanted.min).all() && b.cmple(wanted.max).all();
            (!is_met).then(|| {
                let [min, max] = [wanted.min, wanted.max];
                format!(
                    "the magnetic field at {} is ({:.5e}, {:.5e}, {:.5e}) T, expected between {min} and {max}",
                    wanted.at, b.x, b.y, b.z
                )
            })
        });
        Ok(outside.collect())
    }
}
