//! Constraints that a solver projects: what the families of physics contribute, in the order in which the solver takes it.

use crate::compute::{ComputeError, Kernel};
use crate::model::Model;
use crate::model::colouring::{Colouring, ColouringStatistics};
use crate::scene::SolverKind;
use crate::step::Step;
use std::ops::Range;

/// All kinds of constraints between particles, for `constraints` to solve.
#[derive(Default)]
pub struct Projections {
    pub(super) kinds: Vec<Projection>,
    /// (particle, slot of `corrections`) of all kinds but links.
    pub(super) corners: Vec<(u32, u32)>,
}

/// One kind of constraint as a solver sees it.
pub(super) struct Projection {
    pub name: &'static str,
    pub kernel: &'static Kernel,
    /// One range per colour; a single one for Jacobi.
    pub ranges: Vec<Range<u32>>,
    /// Where its part of `corrections` begins (Jacobi).
    pub base: u32,
    /// Whether Jacobi gathers its corrections from there; links have a pass of their own.
    pub is_gathered: bool,
    pub statistics: Option<ColouringStatistics>,
}

/// Elements in the order of the solver.
pub(super) struct Sorted<T> {
    pub elements: Vec<T>,
    pub ranges: Vec<Range<u32>>,
    pub statistics: Option<ColouringStatistics>,
}

/// Contributes one kind of constraint, all of whose elements have K particles, and returns the elements in the order of the
/// solver; nothing if there are none. `pick` knows those of each body. Jacobi gathers its corrections from slots, K for each element from `launch.base` on.
pub fn project<'m, T: Copy + 'm, const K: usize>(
    model: &'m Model,
    step: &mut Step<'_>,
    (name, kernel): (&'static str, &'static Kernel),
    pick: impl Fn(usize) -> &'m [T],
    particles: fn(&T) -> [u32; K],
) -> Result<Option<Vec<T>>, ComputeError> {
    let Some(sorted) = sort(model, step, name, pick, particles, |_| 0)? else { return Ok(None) };
    let Sorted { elements, ranges, statistics } = sorted;
    let all = step.contributions::<Projections>();
    let base = all.add_corners(elements.iter().flat_map(particles));
    all.kinds.push(Projection { name, kernel, ranges, base, is_gathered: true, statistics });
    Ok(Some(elements))
}

impl Projections {
    /// Adds slots for corrections of these particles and returns the first.
    pub(super) fn add_corners(&mut self, particles: impl Iterator<Item = u32>) -> u32 {
        let base = self.corners.len() as u32;
        self.corners.extend((base..).zip(particles).map(|(slot, particle)| (particle, slot)));
        base
    }
}

/// Counts constraints on particles, whose masses Jacobi splits among them.
pub(super) fn count(model: &Model, step: &mut Step<'_>, particles: impl Iterator<Item = u32>) {
    if model.settings.solver == SolverKind::Jacobi {
        particles.for_each(|particle| step.multiplicities[particle as usize] += 1.0);
    }
}

/// Sorts elements for the solver. Bodies are coloured one by one and their colours merged, so that a body's order does not
/// depend on the others. Elements of a higher rank come after those of lower ones.
pub(super) fn sort<'m, T: Copy + 'm, const K: usize>(
    model: &'m Model,
    step: &mut Step<'_>,
    name: &str,
    pick: impl Fn(usize) -> &'m [T],
    particles: fn(&T) -> [u32; K],
    rank: fn(&T) -> u32,
) -> Result<Option<Sorted<T>>, ComputeError> {
    let bodies: Vec<&[T]> = (0..model.elements.len()).map(pick).collect();
    if bodies.iter().all(|list| list.is_empty()) {
        return Ok(None);
    }
    count(model, step, bodies.iter().flat_map(|list| list.iter()).flat_map(particles));
    if model.settings.solver == SolverKind::Jacobi {
        let elements: Vec<T> = bodies.into_iter().flatten().copied().collect();
        let all = 0..elements.len() as u32;
        return Ok(Some(Sorted { elements, ranges: vec![all], statistics: None }));
    }
    let movable = model.movable();
    let colourings = bodies
        .iter()
        .map(|list| {
            let corners: Vec<[u32; K]> = list.iter().map(particles).collect();
            let ranks: Vec<u32> = list.iter().map(rank).collect();
            Colouring::by_rank(&corners, &ranks, &movable)
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| ComputeError::Buffer { buffer: name.into(), problem: error.to_string() })?;
    let mut elements = Vec::new();
    let mut ranges = Vec::new();
    for colour in 0..colourings.iter().map(|c| c.ranges.len()).max().unwrap_or(0) {
        let start = elements.len() as u32;
        for (list, colouring) in bodies.iter().zip(&colourings) {
            let range = colouring.ranges.get(colour).cloned().unwrap_or_default();
            let order = &colouring.order[range.start as usize..range.end as usize];
            elements.extend(order.iter().map(|&e| list[e as usize]));
        }
        ranges.push(start..elements.len() as u32);
    }
    let statistics = Some(Colouring { order: Vec::new(), ranges: ranges.clone() }.statistics());
    Ok(Some(Sorted { elements, ranges, statistics }))
}
