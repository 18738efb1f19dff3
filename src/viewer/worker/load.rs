//! Making a scene ready, from its start or from the present state.

use super::running::{Running, renumbered};
use super::thread::State;
use super::{Event, Load, Loaded, Problem, Summary};
use crate::Simulation;
use crate::render::{Presenter, SceneDrawing};
use crate::scene::Scene;
use crate::viewer::camera::WIDE;
use std::time::Instant;

impl State {
    pub fn load(&mut self, load: Load) {
        // Gravity, wind and damping change without building anything.
        if load.keep
            && let Some(running) = &mut self.running
            && running.place.is_same(&load.place)
            && only_surroundings_differ(&running.scene, &load.scene)
        {
            match running.simulation.set_surroundings(&load.scene) {
                Ok(true) => {
                    running.scene = load.scene;
                    return;
                }
                Ok(false) => {}
                Err(error) => return self.stop(&Problem::from(error)),
            }
        }
        match self.build(load) {
            Ok(loaded) => self.tell(Event::Loaded(Box::new(loaded))),
            Err(problem) => self.tell(Event::Refused(problem.to_string())),
        }
    }

    fn build(&mut self, load: Load) -> Result<Loaded, Problem> {
        let checked = load.original.changed(load.scene.clone())?;
        let mut simulation = Simulation::interactive(&checked, &load.place)?;
        let start = simulation.state()?.clone();
        let (mut pins, mut probed) = (Vec::new(), None);
        let mut kept = false;
        if load.keep
            && let Some(old) = &mut self.running
        {
            kept = simulation.take_over(&mut old.simulation)?;
            if kept {
                pins = renumbered(&old.pins, &old.simulation, &simulation);
                let is_numbered_alike = old.simulation.model().order == simulation.model().order;
                probed = old.probed.filter(|_| is_numbered_alike);
            }
        }
        let drawing =
            SceneDrawing::new(&self.renderer, &load.scene, simulation.model(), load.overlays, WIDE)?;
        let presenter = Presenter::new(&self.renderer, &drawing)?;
        let summary = summary(&simulation);
        let (scene, place) = (load.scene, load.place);
        let drawn = (presenter, load.overlays);
        let mut running = Running::new(simulation, scene, place, drawn, start, pins);
        running.probed = probed;
        running.hold()?;
        // Nobody sees a drawing before it shows the present state.
        let presented = running.present(&self.renderer, &self.watch)?;
        self.running = Some(running);
        self.forces.0.clear();
        self.step_seconds = 0.0;
        self.arrears = 0.0;
        self.clock = Instant::now();
        Ok(Loaded { drawing: self.number(drawing, presented), kept, summary })
    }
}

/// Whether two scenes are the same but for what [`Simulation::set_surroundings`] changes.
fn only_surroundings_differ(old: &Scene, new: &Scene) -> bool {
    let with_surroundings = Scene {
        gravity: new.gravity,
        wind: new.wind.clone(),
        damping: new.damping,
        relaxation: new.relaxation,
        ..old.clone()
    };
    with_surroundings == *new
}

pub(super) fn summary(simulation: &Simulation) -> Summary {
    let (model, solver) = (simulation.model(), simulation.solver());
    let families = solver.families.iter();
    Summary {
        particles: model.particle_count(),
        constraints: model.constraint_count(),
        passes: solver.substep().len() * solver.substeps() as usize + solver.end_of_step().len(),
        families: families
            .map(|family| (family.name, family.count, family.colours.map(|c| c.colour_count)))
            .collect(),
        fields: simulation.fields().iter().map(|field| field.name).collect(),
        bytes: solver.buffers.bytes(),
        bodies: model.bodies.iter().map(|body| body.name.clone()).collect(),
        body_particles: model.bodies.iter().map(|body| body.particles.len() as u32).collect(),
        runs_on: simulation.describe(),
        advice: crate::model::advice::advice(model),
    }
}
