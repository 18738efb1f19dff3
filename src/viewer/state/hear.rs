//! What the worker and the watched file have to say.

use super::{Status, Viewer};
use crate::scene::Checked;
use crate::viewer::camera::OrbitCamera;
use crate::viewer::worker::{Event, Loaded, Numbered};

impl Viewer {
    /// Hears what the worker and the gallery have to say.
    pub fn listen(&mut self) {
        while let Ok(event) = self.worker.events.try_recv() {
            self.hear(event);
        }
        self.take_frame();
    }

    /// Reads the file again if it was saved; returns whether it was.
    pub fn look_at_file(&mut self) -> bool {
        let file = self.session.as_mut().and_then(|session| session.file.as_mut());
        let Some(path) = file.and_then(|file| file.changed().then(|| file.path.clone())) else {
            return false;
        };
        self.reload(&path);
        true
    }

    fn reload(&mut self, path: &std::path::Path) {
        match Checked::load(path) {
            Ok(original) => {
                self.error = None;
                if let Some(mut session) = self.session.take() {
                    session.scene = original.scene().clone();
                    session.original = original;
                    self.send_load(&session, false);
                    self.undo.begin(&session.scene);
                    self.session = Some(session);
                }
                self.say("the file was saved: started again");
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Loaded(loaded) => {
                let Loaded { drawing: numbered, kept, summary } = *loaded;
                let drawing = &numbered.drawing;
                let fresh = self.loading.take();
                if !kept {
                    self.plots.clear();
                    self.picked = None;
                    self.pass = None;
                }
                if let Some(session) = fresh {
                    self.theme = drawing.look.theme;
                    self.selected = 0;
                    self.save_name = format!("{}_changed.toml", session.name);
                    self.undo.begin(&session.scene);
                    self.session = Some(session);
                    self.camera = None;
                }
                if self.camera.is_none() {
                    self.camera = Some(OrbitCamera::new(drawing.camera));
                }
                self.summary = summary;
                self.take_drawing(numbered);
            }
            Event::Redrawn(numbered) => self.take_drawing(*numbered),
            Event::Cut(summary) => self.summary = *summary,
            Event::Refused(message) => {
                self.loading = None;
                self.error = Some(message);
            }
            Event::Stopped(message) => {
                self.status.playing = false;
                self.error = Some(message);
            }
            Event::Warned(message) => {
                self.error.get_or_insert(format!("warning: {message}"));
            }
            Event::Grabbed(picked) => self.grabbed(picked),
            Event::Measured(time, measures) => {
                self.plots.add(time, &measures);
                self.measures = Some((time, measures));
            }
            Event::Profiled(times) => self.plots.profile(times),
            Event::Compared(curves) => self.plots.compare(curves),
            Event::Freed(body, number) => self.free_pin(&body, number),
            Event::Pass(name, index, count) => self.pass = Some((name, index, count)),
            Event::Note(note) => self.say(note),
            Event::Echo => self.echoes_due = self.echoes_due.saturating_sub(1),
        }
    }

    fn take_frame(&mut self) {
        let mut frame = self.worker.frame();
        if frame.serial == self.status.serial {
            return;
        }
        // A frame of another drawing is on its way out, or the drawing is on its way in.
        let Some(drawing) = self.drawing.as_ref().filter(|_| frame.drawing == self.drawing_number) else {
            return;
        };
        self.status = Status {
            serial: frame.serial,
            time: frame.time,
            steps: frame.steps,
            step_seconds: frame.step_seconds,
            playing: self.status.playing,
            pins: frame.pins,
        };
        self.contacts = std::mem::take(&mut frame.contacts);
        self.ball = frame.ball;
        self.picked = frame.picked.take();
        self.pull = frame.pull;
        self.forces = std::mem::take(&mut frame.forces);
        self.past = frame.past;
        self.presented = std::mem::take(&mut frame.presented);
        drop(frame);
        drawing.set_time(&self.gpu.queue, self.status.time);
        let ball = self.ball.map(|ball| (ball.centre.as_vec3(), ball.radius as f32));
        drawing.set_ball(&self.gpu.queue, ball);
    }

    fn take_drawing(&mut self, Numbered { drawing, number, presented }: Numbered) {
        self.drawing = Some(drawing);
        self.drawing_number = number;
        self.presented = presented;
        self.canvas.invalidate();
    }
}
