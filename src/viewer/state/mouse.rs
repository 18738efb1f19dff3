//! What the mouse does to the picture.

use super::Viewer;
use crate::contact::ball_push::Sphere;
use crate::viewer::pick::{Picked, Ray};
use crate::viewer::worker::Command;
use glam::{DVec3, Vec2};

/// What the mouse is doing to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture {
    None,
    /// Pressed; what is under the cursor is not known yet. Holds the drag so far, in points.
    Asked(Vec2),
    Orbit,
    Pan,
    /// Pulls in the plane through this point [m].
    Pull(DVec3),
    /// Pushes with the ball, in the plane through this point [m].
    Push(DVec3),
}

impl Viewer {
    /// The part of the picture under a point of the window, 0 to 1 from the top left.
    fn inside(&self, at: egui::Pos2) -> Vec2 {
        let size = self.picture.size().max(egui::Vec2::splat(1.0));
        Vec2::new((at.x - self.picture.min.x) / size.x, (at.y - self.picture.min.y) / size.y)
    }

    fn ray(&self, at: egui::Pos2) -> Option<Ray> {
        Some(self.camera?.ray(self.inside(at), self.aspect()))
    }

    /// What the mouse does to the picture.
    pub fn mouse(&mut self, response: &egui::Response, ctx: &egui::Context) {
        use egui::PointerButton::{Middle, Primary, Secondary};
        let delta = response.drag_delta();
        let delta = Vec2::new(delta.x, delta.y);
        let cursor = ctx.input(|input| input.pointer.latest_pos());
        let shift = ctx.input(|input| input.modifiers.shift);
        let pressed =
            |button| response.contains_pointer() && ctx.input(|input| input.pointer.button_pressed(button));
        let command = ctx.input(|input| input.modifiers.command);
        if pressed(Primary) && command {
            let through = self.camera.map_or(DVec3::ZERO, |camera| camera.lens().target.as_dvec3());
            self.gesture = Gesture::Push(self.picked.as_ref().map_or(through, |picked| picked.point));
        } else if pressed(Primary) {
            let ray = cursor.and_then(|at| self.ray(at)).filter(|_| !shift);
            self.gesture = match ray {
                Some(ray) => {
                    self.worker.send(Command::Grab(ray));
                    Gesture::Asked(Vec2::ZERO)
                }
                None => Gesture::Orbit,
            };
        } else if pressed(Middle) || pressed(Secondary) {
            self.gesture = Gesture::Pan;
        }
        match self.gesture {
            Gesture::None => {}
            Gesture::Asked(so_far) => self.gesture = Gesture::Asked(so_far + delta),
            Gesture::Orbit => {
                if let Some(camera) = &mut self.camera {
                    camera.orbit(delta);
                }
            }
            Gesture::Pan => {
                let height = self.picture.height();
                if let Some(camera) = &mut self.camera {
                    camera.pan(delta, height);
                }
            }
            Gesture::Pull(_) => self.pull(cursor),
            Gesture::Push(_) => self.push(cursor),
        }
        let down = ctx.input(|input| input.pointer.any_down());
        if !down && self.gesture != Gesture::None {
            match self.gesture {
                Gesture::Pull(_) | Gesture::Asked(_) => self.worker.send(Command::Release),
                Gesture::Push(_) => self.worker.send(Command::Ball(None)),
                Gesture::None | Gesture::Orbit | Gesture::Pan => {}
            }
            self.gesture = Gesture::None;
        }
        let scroll = ctx.input(|input| input.smooth_scroll_delta.y);
        if response.contains_pointer()
            && scroll != 0.0
            && let Some(camera) = &mut self.camera
        {
            match &mut self.gesture {
                // Nearer or further, a hundredth of the distance a notch.
                Gesture::Push(through) => {
                    let lens = camera.lens();
                    *through += lens.axes()[2].as_dvec3() * f64::from(2e-4 * scroll * lens.distance());
                }
                _ => camera.zoom(scroll),
            }
        }
    }

    /// Moves the ball to the cursor.
    fn push(&mut self, cursor: Option<egui::Pos2>) {
        let Gesture::Push(through) = self.gesture else { return };
        if let (Some(at), Some(camera), Some(drawing)) = (cursor, self.camera, &self.drawing)
            && let Some(ray) = self.ray(at)
        {
            let [low, high] = drawing.bounds;
            let radius = self.ball_size * f64::from((high - low).length());
            let centre = camera.on_plane(&ray, through);
            self.worker.send(Command::Ball(Some(Sphere { centre, radius })));
        }
    }

    fn pull(&mut self, cursor: Option<egui::Pos2>) {
        let Gesture::Pull(through) = self.gesture else { return };
        if let (Some(at), Some(camera)) = (cursor, self.camera)
            && let Some(ray) = self.ray(at)
        {
            self.worker.send(Command::Drag(camera.on_plane(&ray, through)));
        }
    }

    /// The answer to a press: pull what was hit, or turn the camera by what was dragged meanwhile.
    pub(super) fn grabbed(&mut self, picked: Option<Picked>) {
        if let Some(picked) = &picked {
            self.selected = picked.body_index;
        }
        match (self.gesture, &picked) {
            (Gesture::Asked(_), Some(picked)) => self.gesture = Gesture::Pull(picked.point),
            (Gesture::Asked(drag), None) => {
                if let Some(camera) = &mut self.camera {
                    camera.orbit(drag);
                }
                self.gesture = Gesture::Orbit;
            }
            _ => {}
        }
        // Its numbers come with the next state, and with each after it.
        self.picked = picked;
    }

    /// Pins or unpins what is under the cursor.
    pub fn pin(&mut self, cursor: Option<egui::Pos2>) {
        if let Some(ray) = cursor.and_then(|at| self.ray(at)) {
            self.worker.send(Command::Pin(ray));
        }
    }
}
