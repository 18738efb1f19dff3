//! Writing what is on screen as a scene: the file, and the state that it begins with.

use super::Problem;
use super::running::Running;
use crate::scene::{Keyframe, Pin, Scene, Selector};
use crate::viewer::edit;
use crate::{Place, Precision, Simulation};
use std::path::Path;

/// Ending of the state beside a scene file.
const STATE: &str = "state";

impl Running {
    /// Writes the scene as it runs, with the user's pins, and beside it its state, so that opening the file shows what is
    /// on screen now.
    pub fn save(&mut self, path: &Path) -> Result<(), Problem> {
        let mut scene = Scene { start_from: None, ..self.scene.clone() };
        self.add_pins(&mut scene);
        // Files hold f32 states: that is what both backends run by default.
        let mut copy = Simulation::interactive(&scene, &Place::Cpu(Precision::F32))?;
        if copy.take_over(&mut self.simulation)? {
            let state = path.with_extension(STATE);
            copy.save(&state)?;
            scene.start_from = Some(state);
        }
        edit::save_scene(&scene, path)
    }

    /// The user's pins as the scene's own: each holds its particle where it is now.
    fn add_pins(&self, scene: &mut Scene) {
        let model = self.simulation.model();
        for hold in &self.pins {
            let user = model.order.old_of_new[hold.particle as usize];
            let Some(body) = model.body_of(hold.particle) else { continue };
            let Some(pins) = scene.pins_mut(&body.name) else { continue };
            let offset = hold.target - model.particles.positions[hold.particle as usize];
            pins.push(Pin {
                selector: Selector::Indices(vec![user - body.particles.start]),
                motion: vec![Keyframe { offset, ..Keyframe::default() }],
                ..Pin::default()
            });
        }
    }
}
