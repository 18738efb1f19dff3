//! Steps by the clock, one by one, or pass by pass, and what can be seen after them.

use super::load::summary;
use super::thread::State;
use super::{Event, Frame, Problem};
use crate::solver::Solver;
use crate::{Plausibility, Warning};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Time for which steps are done before a state is published.
const BATCH: Duration = Duration::from_millis(12);
/// Arrears that are made up for; more are forgotten [s].
const MOST_ARREARS: f64 = 0.05;
/// Time between two looks at energies and momenta.
const MEASURE_EVERY: Duration = Duration::from_millis(100);
/// How often a run is looked at that nobody measures.
const DOUBT_EVERY: Duration = Duration::from_millis(400);
/// Time between two looks at what holds the bodies.
const FORCES_EVERY: Duration = Duration::from_millis(200);
/// Time between two profiles of a substep.
const PROFILE_EVERY: Duration = Duration::from_millis(500);

impl State {
    /// Does the steps that are due, for a while.
    pub fn play(&mut self) {
        let begin = Instant::now();
        self.arrears += (begin - self.clock).as_secs_f64() * self.speed;
        self.clock = begin;
        let mut stepped = false;
        while let Some(running) = &self.running {
            let time_step = running.simulation.model().settings.time_step;
            if self.arrears < time_step || (stepped && begin.elapsed() > BATCH) {
                break;
            }
            self.arrears -= time_step;
            if let Err(error) = self.step() {
                self.stop(&error);
                break;
            }
            stepped = true;
        }
        self.arrears = self.arrears.min(MOST_ARREARS);
        if stepped {
            if let Err(problem) = self.look() {
                self.stop(&problem);
            }
            self.publish();
        }
    }

    pub fn step(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let begin = Instant::now();
        running.move_ball()?;
        if self.watch.looks_into_steps() {
            running.simulation.watched_step(self.watch.contacts)?;
        } else {
            running.simulation.step()?;
        }
        let seconds = begin.elapsed().as_secs_f64();
        running.remember()?;
        let fresh = if self.step_seconds == 0.0 { 1.0 } else { 0.1 };
        self.step_seconds += fresh * (seconds - self.step_seconds);
        Ok(())
    }

    /// Runs the passes that are left of a step under way.
    pub fn finish_step(&mut self) -> Result<(), Problem> {
        while self.running.as_ref().is_some_and(|running| running.pass.is_some()) {
            self.single_pass()?;
        }
        Ok(())
    }

    pub fn single_pass(&mut self) -> Result<(), Problem> {
        self.playing = false;
        let Some(running) = &mut self.running else { return Ok(()) };
        let (substep, pass) = running.pass.unwrap_or((0, 0));
        let solver: &Solver = running.simulation.solver();
        let (count, substeps, in_substep) =
            (solver.passes.list.len(), solver.substeps(), solver.substep().end);
        let name = solver.passes.list[pass].kernel.name;
        running.simulation.run_pass(pass)?;
        let next = match pass + 1 {
            next if next < in_substep => Some((substep, next)),
            _ if pass < in_substep && substep + 1 < substeps => Some((substep + 1, 0)),
            next if next < count => Some((substep, next)),
            _ => None,
        };
        running.pass = next;
        if next.is_none() {
            running.simulation.count_step()?;
        }
        self.tell(Event::Pass(format!("{name}, substep {}", substep + 1), pass, count));
        Ok(())
    }

    /// Reads energies and kernel times if somebody watches them.
    pub fn look(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let every = if self.watch.measures { MEASURE_EVERY } else { DOUBT_EVERY };
        if self.measured.elapsed() > every {
            let measures = running.simulation.measure()?;
            let time = running.simulation.time();
            // What a hand or a ball does to a body is no fault of the scene: doubts begin anew when it lets go.
            let warning = if running.is_handled() {
                running.plausibility = None;
                None
            } else {
                let fresh = || Plausibility::new(&mut running.simulation, true);
                let mut plausibility = running.plausibility.take().map_or_else(fresh, Ok)?;
                let warning = plausibility.look(&mut running.simulation, &measures)?.map(Warning::to_string);
                running.plausibility = Some(plausibility);
                warning
            };
            self.measured = Instant::now();
            if self.watch.measures {
                self.tell(Event::Measured(time, measures));
            }
            if let Some(warning) = warning {
                self.tell(Event::Warned(warning));
            }
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        if self.watch.profile && self.profiled.elapsed() > PROFILE_EVERY && running.pass.is_none() {
            let times = running.simulation.profile_step()?;
            self.profiled = Instant::now();
            self.tell(Event::Profiled(times));
        }
        Ok(())
    }

    pub fn publish(&mut self) {
        if let Err(problem) = self.try_publish() {
            self.stop(&problem);
        }
        (self.wake)();
    }

    fn try_publish(&mut self) -> Result<(), Problem> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.follow() {
            let summary = summary(&running.simulation);
            self.tell(Event::Cut(Box::new(summary)));
            self.redraw()?;
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        let presented = running.present(&self.renderer, &self.watch)?;
        let contacts = if self.watch.contacts { running.contacts()? } else { Vec::new() };
        let (picked, pull, past) = (running.probe()?, running.pull()?, running.history.span());
        let (known, since) = &mut self.forces;
        if !self.watch.forces {
            known.clear();
        } else if known.is_empty() || since.elapsed() > FORCES_EVERY {
            (*known, *since) = (running.forces()?, Instant::now());
        }
        let forces = known.clone();
        let (simulation, ball) = (&running.simulation, running.ball);
        let (time, steps, pins) = (simulation.time(), simulation.steps(), running.pins.len());
        let mut frame = self.frame.lock().unwrap_or_else(PoisonError::into_inner);
        let serial = frame.serial + 1;
        let step_seconds = self.step_seconds;
        *frame = Frame {
            serial,
            drawing: self.drawings,
            time,
            steps,
            step_seconds,
            presented,
            pins,
            contacts,
            ball,
            picked,
            pull,
            forces,
            past,
        };
        Ok(())
    }
}
