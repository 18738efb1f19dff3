//! Compliant pins as constraints.

use super::attachment;
use super::projections::{Projection, Projections, count};
use crate::compute::{ComputeError, Kernel, Role};
use crate::model::Model;
use crate::scene::SolverKind;
use crate::step::{self, Step};
use std::collections::HashSet;
use std::ops::Range;

/// Compliant pins. The rigid ones come first in the list of pins and need no constraint.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&attachment::KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "attachments"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let pins = &model.pins;
        let first = pins.iter().take_while(|pin| pin.is_rigid()).count();
        if first == pins.len() {
            return Ok(());
        }
        let held = || pins[first..].iter().map(|pin| pin.particle);
        count(model, step, held());
        let all = step.contributions::<Projections>();
        let base = all.add_corners(held());
        all.kinds.push(Projection {
            name: "attachment",
            kernel: &attachment::KERNEL,
            ranges: layers(model, first),
            base,
            is_gathered: true,
            statistics: None,
        });
        step.buffers.real4s("attachment_lambdas", Role::Scratch, vec![[0.0; 4]; 2 * pins.len()]).map(drop)
    }
}

/// Ranges of compliant pins in which no particle occurs twice; one range for Jacobi.
fn layers(model: &Model, first: usize) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    let mut held = HashSet::new();
    for (k, pin) in model.pins.iter().enumerate().skip(first) {
        let again = !held.insert(pin.particle) && model.settings.solver == SolverKind::Coloured;
        match ranges.last_mut() {
            Some(range) if !again => range.end = k as u32 + 1,
            _ => {
                held = [pin.particle].into();
                ranges.push(k as u32..k as u32 + 1);
            }
        }
    }
    ranges
}
