//! Newton's method with a search along each step: its buffers and passes.
//!
//! Nothing is read back: all trials are in the list of passes, and those that nobody needs return at once. Bodies search for themselves, so that
//! a far one changes no bit.

use super::assembled::Assembled;
use super::setup::Forces;
use super::two_step::{PAST, SHARE};
use super::{AGAIN, ASSEMBLED, IMPLICIT, TWO_STEP, newton_start, search_merit, search_trial, two_step};
use crate::compute::{ComputeError, Launch, Passes, Role, Tables};
use crate::scene::Integrator;

/// Most halvings of a step.
const HALVINGS: u32 = 5;

/// How a substep is solved by an assembled matrix.
pub struct Newton {
    pub assembled: Assembled,
    /// Steps of a substep.
    steps: u32,
    /// Whether steps are searched along; without, they are taken as they are.
    searches: bool,
    integrator: Integrator,
}

impl Newton {
    pub fn new(assembled: Assembled, integrator: Integrator, steps: u32) -> Self {
        Self { assembled, steps, searches: searches(integrator, steps), integrator }
    }

    /// Adds the buffers of a model of so many particles and corners.
    pub fn add_buffers(
        &self,
        buffers: &mut Tables,
        particles: u32,
        corners: u32,
    ) -> Result<(), ComputeError> {
        self.assembled.add_buffers(buffers)?;
        let vectors = |value: [f64; 4], count: u32| vec![value; count as usize];
        let mass = super::setup::mass_share(self.integrator);
        buffers.real4s("inertial", Role::Scratch, vectors([0.0, 0.0, 0.0, mass], particles))?;
        for name in ["newton_starts", "newton_ends", "search_steps"] {
            buffers.real4s(name, Role::Scratch, vectors([0.0; 4], particles))?;
        }
        if self.searches {
            buffers.reals("corner_energies", Role::Scratch, vec![0.0; corners as usize])?;
            buffers.reals("merits", Role::Scratch, vec![0.0; particles as usize])?;
        }
        if self.integrator == Integrator::Bdf2 {
            buffers.real4s("histories", Role::State, vectors([0.0; 4], PAST * particles))?;
            buffers.gather("particles", particles, &["histories"])?;
        }
        Ok(())
    }

    /// Appends a substep; `share` is τ over dt.
    pub fn append(
        &self,
        forces: &Forces,
        passes: &mut Passes,
        buffers: &Tables,
        share: f64,
        flags: u32,
    ) -> Result<(), ComputeError> {
        let rows = Launch::over(forces.particle_count());
        let mut flags = flags | IMPLICIT | ASSEMBLED;
        // A change of velocity moves offsets by τ²/dt, in the middle of a substep by τ.
        let mut moves = if self.integrator == Integrator::Midpoint { share } else { share * share };
        if self.integrator == Integrator::Bdf2 {
            passes.run(buffers, &two_step::KERNEL, rows)?;
            flags |= TWO_STEP;
            moves = SHARE * SHARE;
        }
        let weight = if self.integrator == Integrator::Static { 1.0 } else { 0.0 };
        for step in 0..self.steps {
            let again = if step > 0 { AGAIN } else { 0 };
            passes.run(buffers, &newton_start::KERNEL, Launch { flags: again, ..rows })?;
            forces.evaluate(passes, buffers, flags | again, share)?;
            let places = if step > 0 { "newton_starts" } else { "residuals" };
            self.assembled.set_up(passes, buffers, places)?;
            self.assembled.solve(passes, buffers, weight)?;
            self.search(forces, passes, buffers, step, [share, moves])?;
        }
        if self.integrator != Integrator::Static {
            self.assembled.keep_momentum(passes, buffers, moves)?;
        }
        if self.integrator == Integrator::Bdf2 {
            // What has been solved, for `two_step_finish` to see what comes after.
            passes.run(buffers, &newton_start::KERNEL, Launch { flags: AGAIN, ..rows })?;
        }
        Ok(())
    }

    /// Appends the way from the start of a step to its end, or to where the incremental potential is lower.
    fn search(
        &self,
        forces: &Forces,
        passes: &mut Passes,
        buffers: &Tables,
        step: u32,
        [share, moves]: [f64; 2],
    ) -> Result<(), ComputeError> {
        let rows = Launch::over(forces.particle_count());
        let base = if step > 0 { "newton_starts" } else { "inertial" };
        let flags = if self.integrator == Integrator::Static { search_merit::WEIGHS } else { 0 };
        let mut halved = passes.list.len();
        for index in 0..=HALVINGS {
            let trial = Launch { index, weight: moves, ..rows };
            passes.run_as(buffers, &search_trial::KERNEL, trial, &[("newton_base", base)])?;
            if index == HALVINGS || !self.searches {
                break;
            }
            forces.energies(passes, buffers)?;
            passes.run(buffers, &search_merit::KERNEL, Launch { weight: share, flags, ..rows })?;
            self.assembled.decide(passes, buffers, index)?;
            if index == 0 {
                halved = passes.list.len();
            }
        }
        if self.searches {
            self.assembled.note_search(passes, buffers, halved);
        }
        Ok(())
    }
}

/// Whether an integrator with so many steps of Newton's method searches along them.
pub fn searches(integrator: Integrator, steps: u32) -> bool {
    integrator == Integrator::Bdf2 || steps > 1
}
