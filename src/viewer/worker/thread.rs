//! The thread itself: waits for the next step or command and obeys.

use super::running::Running;
use super::{Command, Event, Force, Frame, Numbered, Problem, Watch};
use crate::render::{Presented, Presenter, Renderer, SceneDrawing};
use crate::viewer::camera::WIDE;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// All that the thread knows.
pub(super) struct State {
    pub renderer: Arc<Renderer>,
    pub events: Sender<Event>,
    pub frame: Arc<Mutex<Frame>>,
    pub wake: Box<dyn Fn() + Send>,
    pub running: Option<Running>,
    pub playing: bool,
    pub speed: f64,
    pub watch: Watch,
    /// Number of the last drawing.
    pub drawings: u64,
    pub arrears: f64,
    pub clock: Instant,
    pub step_seconds: f64,
    pub measured: Instant,
    pub profiled: Instant,
    /// What holds the bodies, and when that was found.
    pub forces: (Vec<Force>, Instant),
}

impl State {
    pub fn new(
        renderer: Arc<Renderer>,
        events: Sender<Event>,
        frame: Arc<Mutex<Frame>>,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        Self {
            renderer,
            events,
            frame,
            wake,
            running: None,
            playing: true,
            speed: 1.0,
            watch: Watch::NOTHING,
            drawings: 0,
            arrears: 0.0,
            clock: Instant::now(),
            step_seconds: 0.0,
            measured: Instant::now(),
            profiled: Instant::now(),
            forces: (Vec::new(), Instant::now()),
        }
    }

    pub fn run(mut self, commands: &Receiver<Command>) {
        loop {
            let wait = self.until_next_step();
            let received = match wait {
                Some(wait) => commands.recv_timeout(wait),
                None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(command) => {
                    let mut pending = vec![command];
                    pending.extend(commands.try_iter());
                    self.obey(pending);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.playing && self.running.is_some() {
                self.play();
            }
        }
    }

    /// How long nothing is to be done; `None` until the next command.
    fn until_next_step(&self) -> Option<Duration> {
        let running = self.running.as_ref().filter(|_| self.playing)?;
        let owed = self.arrears + self.clock.elapsed().as_secs_f64() * self.speed;
        let missing = (running.simulation.model().settings.time_step - owed) / self.speed;
        Some(Duration::try_from_secs_f64(missing.clamp(0.0, 1.0)).unwrap_or_default())
    }

    fn obey(&mut self, commands: Vec<Command>) {
        // Only the last of several loads and drags counts: a slider sends many.
        let last = |wanted: fn(&Command) -> bool| commands.iter().rposition(wanted);
        let last_load = last(|c| matches!(c, Command::Load(_)));
        let last_drag = last(|c| matches!(c, Command::Drag(_)));
        let last_scrub = last(|c| matches!(c, Command::Scrub(_)));
        let last_ball = last(|c| matches!(c, Command::Ball(_)));
        let mut keep = true;
        for (index, command) in commands.into_iter().enumerate() {
            let outdated = match &command {
                Command::Load(load) if last_load != Some(index) => {
                    keep &= load.keep;
                    true
                }
                Command::Drag(_) => last_drag != Some(index),
                Command::Ball(_) => last_ball != Some(index),
                Command::Scrub(_) => last_scrub != Some(index),
                _ => false,
            };
            if outdated {
                continue;
            }
            if let Err(problem) = self.command(command, keep) {
                self.stop(&problem);
            }
        }
        self.publish();
    }

    /// Gives a drawing the next number; from then on frames are of that one.
    pub fn number(&mut self, drawing: SceneDrawing, presented: Presented) -> Numbered {
        self.drawings += 1;
        Numbered { drawing, number: self.drawings, presented }
    }

    /// Makes the drawing of the present model.
    pub fn redraw(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let (renderer, scene, model) = (&self.renderer, &running.scene, running.simulation.model());
        let drawing = SceneDrawing::new(renderer, scene, model, running.overlays, WIDE)?;
        running.presenter = Presenter::new(renderer, &drawing)?;
        let presented = running.present(renderer, &self.watch)?;
        let drawing = self.number(drawing, presented);
        self.tell(Event::Redrawn(Box::new(drawing)));
        Ok(())
    }

    pub fn stop(&mut self, problem: &Problem) {
        self.playing = false;
        self.tell(Event::Stopped(problem.to_string()));
    }

    pub fn tell(&self, event: Event) {
        // The main thread may be gone; then nobody wants to know.
        let _ = self.events.send(event);
        (self.wake)();
    }

    fn command(&mut self, command: Command, keep: bool) -> Result<(), Problem> {
        match command {
            Command::Load(mut load) => {
                load.keep &= keep;
                self.load(*load);
                return Ok(());
            }
            Command::Play(playing) => {
                if playing {
                    // Pass by pass, which pauses.
                    self.finish_step()?;
                }
                self.playing = playing;
                self.arrears = 0.0;
                self.clock = Instant::now();
                return Ok(());
            }
            Command::Speed(speed) => {
                self.speed = speed.clamp(1e-3, 1e3);
                return Ok(());
            }
            Command::Watch(watch) => {
                self.watch = watch;
                return Ok(());
            }
            Command::Echo => {
                self.publish();
                self.tell(Event::Echo);
                return Ok(());
            }
            _ => {}
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        match command {
            Command::Step => {
                self.playing = false;
                if running.pass.is_some() {
                    self.finish_step()?
                } else {
                    self.step()?
                }
                self.look()?;
            }
            Command::Pass => self.single_pass()?,
            Command::Reset => {
                running.pass = None;
                running.plausibility = None;
                running.grip = None;
                running.pins.clear();
                running.history.clear();
                running.probed = None;
                running.aim_ball(None, false)?;
                running.simulation.restore(&running.start)?;
                running.hold()?;
                self.look()?;
            }
            Command::Scrub(time) => {
                self.playing = false;
                running.scrub(time)?;
            }
            Command::Overlays(overlays) => {
                running.overlays = overlays;
                self.redraw()?;
            }
            Command::Grab(ray) => {
                let picked = running.pick(&ray)?;
                if let Some(picked) = &picked {
                    running.grab(picked)?;
                }
                self.tell(Event::Grabbed(picked));
            }
            Command::Drag(target) => {
                if let Some(grip) = &mut running.grip {
                    grip.target = target;
                }
                running.hold()?;
            }
            Command::Release => {
                running.grip = None;
                running.hold()?;
            }
            Command::Pin(ray) => {
                let probed = running.probed;
                if let Some(picked) = running.pick(&ray)? {
                    if running.is_held_by_scene(picked.particle) {
                        self.tell(Event::Freed(picked.body, picked.number));
                    } else {
                        running.toggle_pin(&picked)?;
                    }
                }
                if let Some(running) = &mut self.running {
                    running.probed = probed;
                }
            }
            Command::Ball(target) => running.aim_ball(target, self.playing)?,
            Command::Compare => {
                let curves = running.compare_solvers()?;
                self.tell(Event::Compared(curves));
            }
            Command::Save(path) => match running.save(&path) {
                Ok(()) => self.tell(Event::Note(format!("scene saved as {}", path.display()))),
                Err(problem) => self.tell(Event::Refused(problem.to_string())),
            },
            Command::Unpin => {
                running.pins.clear();
                running.hold()?;
            }
            Command::Measure => {
                let measures = running.simulation.measure()?;
                let time = running.simulation.time();
                // What is told of the state is of the same moment.
                self.publish();
                self.tell(Event::Measured(time, measures));
            }
            Command::Export(path) => {
                crate::viewer::edit::export(&mut running.simulation, &path)?;
                self.tell(Event::Note(format!("wrote {}", path.display())));
            }
            Command::Load(_) | Command::Play(_) | Command::Speed(_) | Command::Watch(_) | Command::Echo => {}
        }
        Ok(())
    }
}
