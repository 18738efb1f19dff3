//! What goes through what: at the start, in a state, and between states.

use super::{Simulation, SimulationError};
use crate::compute::Data;
use crate::contact::tangles::{self, Marks};
use crate::contact::verify::{Shapes, Verifier, Watcher};
use crate::scene::{ContactStart, Expect};
use glam::DVec3;

impl Simulation {
    /// Positions in the model's numbering, and after them the corners of rigid bodies' surfaces, as
    /// [`Shapes::whole`] numbers them [m].
    pub fn surface_positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let (mut x, frames) = (self.model_positions()?, self.frames()?);
        let carried: Vec<DVec3> = self.epoch.model.skins.carried(&x, &frames).collect();
        x.extend(carried);
        Ok(x)
    }

    /// From now on compares the states after every step, and makes steps one by one.
    pub(super) fn watch_crossings(&mut self) -> Result<(), SimulationError> {
        self.watcher = Some(Watcher::new(Shapes::whole(&self.epoch.model)));
        self.look_for_crossings()
    }

    pub(super) fn look_for_crossings(&mut self) -> Result<(), SimulationError> {
        let Some(mut watcher) = self.watcher.take() else { return Ok(()) };
        let x = self.surface_positions()?;
        watcher.look(&x);
        self.watcher = Some(watcher);
        Ok(())
    }

    /// Gives contact back to what was caught at the start and has come apart.
    pub(super) fn release_tangles(&mut self) -> Result<(), SimulationError> {
        let allowed = self.epoch.model.settings.contact.as_ref().map(|contact| contact.start);
        let column = self.epoch.solver.buffers.find("contact_tangles");
        let Some(column) = column.filter(|_| allowed == Some(ContactStart::Allow)) else { return Ok(()) };
        let marks = self.executor.read(column)?;
        let mut marks: Vec<Marks> = marks.uints().chunks_exact(2).map(|mark| [mark[0], mark[1]]).collect();
        if tangles::left(&marks) == 0 {
            return Ok(());
        }
        let verifier = Verifier::new(Shapes::whole(&self.epoch.model));
        let x = self.surface_positions()?;
        if tangles::release(&verifier, &x, &mut marks) {
            self.executor.write(column, &Data::Uints(marks.concat()))?;
        }
        Ok(())
    }

    /// What a scene expects of its bodies' contact and the present state, or the states until then, do not meet.
    pub(super) fn unmet_touching(
        &mut self,
        expect: &Expect,
        unmet: &mut Vec<String>,
    ) -> Result<(), SimulationError> {
        if [expect.intersections, expect.max_depth, expect.crossings, expect.linking] == [None; 4] {
            return Ok(());
        }
        let x = self.surface_positions()?;
        let verifier = Verifier::new(Shapes::whole(&self.epoch.model));
        let found = verifier.look(&x);
        let crossings = self.watcher.as_ref().map_or(0, |watcher| watcher.report.crossings);
        let limits = [
            ("intersections", found.intersections as f64, expect.intersections),
            ("max_depth", found.max_depth, expect.max_depth),
            ("crossings", crossings as f64, expect.crossings),
            ("linking", verifier.unlinked(&x) as f64, expect.linking),
        ];
        let beyond = limits.into_iter().filter(|(_, value, limit)| limit.is_some_and(|limit| *value > limit));
        unmet.extend(beyond.map(|(name, value, limit)| {
            format!("{name} is {value:.6e}, expected at most {:e}", limit.unwrap_or_default())
        }));
        Ok(())
    }
}
