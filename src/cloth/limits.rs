//! From a model's strain limits to their buffers and passes.
//!
//! The scene's `solver` chooses how the triangles' corrections come together: Gauss–Seidel over colours, whose order is
//! turned round every other iteration so that none is always last, or Jacobi with shared masses, over-relaxed.

use super::strain_limit::JACOBI;
use super::{limit_count, limit_gather, limit_mark, limit_share, strain_limit};
use crate::compute::{Buffers, ComputeError, Launch, Passes, Role};
use crate::model::Model;
use crate::model::colouring::Colouring;
use crate::model::elements::Membrane;
use crate::scene::{SolverKind, StrainLimiting, StrainLimits};
use std::ops::Range;

/// The buffer of the iterations' counts.
pub const COUNTS: &str = "limit_counts";
/// A strain that both precisions hold and nothing reaches, for "not limited".
const UNLIMITED: f64 = 1e30;
/// ω of Gauss–Seidel, and of Jacobi, where the mean of projections has eigenvalues from 0 to 1: below 2 it is stable.
const OVER_RELAXATION: f64 = 1.8;

/// The strain limits of a model, ready to append their passes.
pub struct Limits {
    solver: SolverKind,
    settings: StrainLimiting,
    /// One range of triangles per colour; none for Jacobi.
    ranges: Vec<Range<u32>>,
    particle_count: u32,
    membrane_count: u32,
}

impl Limits {
    /// The triangles of all sheets in the order that their limits want, and the limits if there are any.
    pub fn sort(model: &Model) -> Result<(Vec<Membrane>, Option<Self>), ComputeError> {
        let bodies: Vec<&Vec<Membrane>> = model.elements.iter().map(|e| &e.membranes).collect();
        let all: Vec<Membrane> = bodies.iter().flat_map(|list| list.iter().copied()).collect();
        if model.fabrics.iter().all(|fabric| fabric.limits == StrainLimits::NONE) {
            return Ok((all, None));
        }
        let mut limits = Self {
            solver: model.settings.solver,
            settings: model.settings.strain_limiting,
            ranges: Vec::new(),
            particle_count: model.particle_count() as u32,
            membrane_count: all.len() as u32,
        };
        if limits.solver == SolverKind::Jacobi {
            return Ok((all, Some(limits)));
        }
        let error = |problem: String| ComputeError::Buffer { buffer: "membrane_corners".into(), problem };
        let movable = model.movable();
        // Bodies are coloured one by one, so that a body's order does not depend on the others.
        let colourings = bodies
            .iter()
            .map(|list| Colouring::new(&list.iter().map(|m| m.particles).collect::<Vec<_>>(), &movable))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|problem| error(problem.to_string()))?;
        let mut sorted = Vec::with_capacity(all.len());
        for colour in 0..colourings.iter().map(|c| c.ranges.len()).max().unwrap_or(0) {
            let start = sorted.len() as u32;
            for (list, colouring) in bodies.iter().zip(&colourings) {
                let range = colouring.ranges.get(colour).cloned().unwrap_or_default();
                let order = &colouring.order[range.start as usize..range.end as usize];
                sorted.extend(order.iter().map(|&t| list[t as usize]));
            }
            limits.ranges.push(start..sorted.len() as u32);
        }
        Ok((sorted, Some(limits)))
    }

    pub(super) fn add_buffers(&self, model: &Model, buffers: &mut Buffers) -> Result<(), ComputeError> {
        // Jacobi's is applied to the mean.
        let omega = if self.solver == SolverKind::Jacobi { 1.0 } else { OVER_RELAXATION };
        let bound = |x: f64| x.clamp(-UNLIMITED, UNLIMITED);
        let limits = model.fabrics.iter().flat_map(|fabric| {
            let StrainLimits { weft, warp, shear } = fabric.limits;
            [[weft[1], warp[1], shear, omega].map(bound), [weft[0], warp[0], -shear, 0.0].map(bound)]
        });
        buffers.real4s("strain_limits", Role::Model, limits.collect())?;
        let jacobi = self.solver == SolverKind::Jacobi;
        let only_jacobi = |count: u32| if jacobi { count as usize } else { 1 };
        buffers.uints("limit_shares", Role::Scratch, vec![0; only_jacobi(self.particle_count)])?;
        buffers.uints("limit_active", Role::Scratch, vec![0; only_jacobi(self.membrane_count)])?;
        let slots = vec![[0.0; 4]; only_jacobi(3 * self.membrane_count)];
        buffers.real4s("limit_corrections", Role::Scratch, slots)?;
        buffers.uints("limit_violations", Role::Scratch, vec![0; self.settings.iterations as usize])?;
        buffers.uints(COUNTS, Role::State, vec![0; 4]).map(drop)
    }

    pub(super) fn append(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        let StrainLimiting { iterations, tolerance } = self.settings;
        let base = 3 * self.membrane_count;
        for index in 0..iterations {
            match self.solver {
                SolverKind::Coloured => {
                    let mut colours: Vec<_> = self.ranges.iter().collect();
                    if index % 2 == 1 {
                        colours.reverse();
                    }
                    for range in colours {
                        let launch = Launch { index, weight: tolerance, ..Launch::range(range) };
                        passes.run(buffers, &strain_limit::KERNEL, launch)?;
                    }
                }
                SolverKind::Jacobi => {
                    let triangles = Launch { index, weight: tolerance, ..Launch::over(self.membrane_count) };
                    let particles = Launch { index, base, ..Launch::over(self.particle_count) };
                    passes.run(buffers, &limit_mark::KERNEL, triangles)?;
                    passes.run(buffers, &limit_share::KERNEL, particles)?;
                    let launch = Launch { flags: JACOBI, ..triangles };
                    passes.run(buffers, &strain_limit::KERNEL, launch)?;
                    let launch = Launch { weight: OVER_RELAXATION, ..particles };
                    passes.run(buffers, &limit_gather::KERNEL, launch)?;
                }
            }
        }
        passes.run(buffers, &limit_count::KERNEL, Launch { index: iterations, ..Launch::over(1) })
    }
}
