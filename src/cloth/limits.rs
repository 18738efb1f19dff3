//! From a model's strain limits to their buffers and passes.
//!
//! `method` of the scene's `strain_limiting` chooses the correction, `solver` how those of all triangles come together:
//! Gauss–Seidel over colours, or Jacobi with shared masses; both over-relaxed. The order of the colours is turned round every other
//! iteration so that none is always last, or drawn for each (Thomaszewski 2010 draws that of the triangles; those of one colour do not
//! touch each other, so their order does not matter).

use super::limit_count::VISITS;
use super::limit_impulse::JACOBI;
use super::{
    edge_limit, limit_apply, limit_count, limit_gather, limit_impulse, limit_mark, limit_share, limit_split,
    limit_spread, limit_stress, limit_visit, strain_limit, strain_rate,
};
use crate::compute::{ComputeError, Data, Element, Extent, Kernel, Launch, Passes, Role, Tables};
use crate::integrate::cg_direction::TOTAL;
use crate::math::random::Random;
use crate::model::Model;
use crate::model::colouring::Colouring;
use crate::model::elements::Membrane;
use crate::primitives::list::{self, Source};
use crate::scene::{Limiter, SolverKind, StrainLimiting, StrainLimits};
use glam::DVec2;
use std::collections::BTreeMap;
use std::ops::Range;

/// The buffer of the iterations' counts.
pub const COUNTS: &str = "limit_counts";
/// The table of the triangles that an iteration visits.
const LIST: &str = "limit_visits";
/// A strain that both precisions hold and nothing reaches, for "not limited".
const UNLIMITED: f64 = 1e30;
/// ω of Gauss–Seidel, and of Jacobi, where the mean of projections has eigenvalues from 0 to 1: below 2 it is stable.
const OVER_RELAXATION: f64 = 1.8;

/// Sweeps, there and back, of the limit of the strain's rate. What is too fast is rare and alone, as where a contact has hit.
const RATE_SWEEPS: u32 = 2;

/// An edge of a sheet and how much longer it may become.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [u32; 2],
    /// [m].
    rest_length: f64,
    highest_strain: f64,
}

/// The strain limits of a model, ready to append their passes.
pub struct Limits {
    solver: SolverKind,
    settings: StrainLimiting,
    /// One range of triangles or edges per colour; none for Jacobi.
    ranges: Vec<Range<u32>>,
    /// Only where they are what is limited.
    edges: Vec<Edge>,
    /// One range of triangles per colour, if the rate of strain is limited too.
    rate_ranges: Vec<Range<u32>>,
    particle_count: u32,
    membrane_count: u32,
    /// How many fabrics count for themselves what they still correct.
    groups: u32,
}

impl Limits {
    /// The triangles of all sheets in the order that their limits want, and the limits if there are any.
    pub fn sort(model: &Model) -> Result<(Vec<Membrane>, Option<Self>), ComputeError> {
        let bodies: Vec<&[Membrane]> = model.elements.iter().map(|e| e.membranes.as_slice()).collect();
        let all: Vec<Membrane> = bodies.concat();
        if !model.has_strain_limits() {
            return Ok((all, None));
        }
        let mut limits = Self {
            solver: model.settings.solver,
            settings: model.settings.strain_limiting,
            ranges: Vec::new(),
            edges: Vec::new(),
            rate_ranges: Vec::new(),
            particle_count: model.particle_count() as u32,
            membrane_count: all.len() as u32,
            // The others change nothing once they have found nothing, however long they go on.
            groups: match model.settings.strain_limiting.method {
                Limiter::Impulses => model.fabrics.len() as u32,
                Limiter::Filter | Limiter::Edges => 1,
            },
        };
        let StrainLimiting { method, rate, .. } = limits.settings;
        if method == Limiter::Edges {
            let edges: Vec<Vec<Edge>> = bodies.iter().map(|list| edges(model, list)).collect();
            let edges: Vec<&[Edge]> = edges.iter().map(Vec::as_slice).collect();
            (limits.edges, limits.ranges) = by_colour(model, &edges, |edge| edge.ends)?;
        }
        let coloured = limits.solver == SolverKind::Coloured && method != Limiter::Edges;
        if !coloured && rate.is_infinite() {
            return Ok((all, Some(limits)));
        }
        let (sorted, ranges) = by_colour(model, &bodies, |membrane| membrane.particles)?;
        if rate.is_finite() {
            limits.rate_ranges = ranges.clone();
        }
        if coloured {
            limits.ranges = ranges;
        }
        Ok((sorted, Some(limits)))
    }

    pub(super) fn add_buffers(
        &self,
        model: &Model,
        membranes: &[Membrane],
        buffers: &mut Tables,
    ) -> Result<(), ComputeError> {
        let (jacobi, method) = (self.solver == SolverKind::Jacobi, self.settings.method);
        // The filter's Jacobi applies it to the mean of the corrections instead.
        let omega = if jacobi && method == Limiter::Filter { 1.0 } else { OVER_RELAXATION };
        let bound = |x: f64| x.clamp(-UNLIMITED, UNLIMITED);
        let limits = model.fabrics.iter().flat_map(|fabric| {
            let StrainLimits { weft, warp, shear } = fabric.limits;
            [[weft[1], warp[1], shear, omega].map(bound), [weft[0], warp[0], -shear, 0.0].map(bound)]
        });
        buffers.real4s("strain_limits", Role::Model, limits.collect())?;
        let if_used = |used: bool, count: u32| if used { count as usize } else { 1 };
        let gathered = jacobi && method != Limiter::Edges;
        let slots = vec![[0.0; 4]; if_used(gathered, 3 * self.membrane_count)];
        buffers.real4s("limit_corrections", Role::Scratch, slots)?;
        if method == Limiter::Filter {
            self.add_filter_buffers(buffers)?;
        }
        if method == Limiter::Edges {
            buffers.uint2s("limit_edges", Role::Model, self.edges.iter().map(|e| e.ends).collect())?;
            let rest = self.edges.iter().flat_map(|e| [e.rest_length, e.highest_strain.min(UNLIMITED)]);
            buffers.add("limit_edge_rest", Element::Real2, Role::Model, Data::Reals(rest.collect()))?;
        }
        if method == Limiter::Impulses {
            buffers.real4s("limit_impulses", Role::State, self.no_impulses(membranes))?;
            buffers.gather("membranes", self.membrane_count, &["limit_impulses"])?;
            // How many triangles share the busiest corner.
            buffers.renew("limit_impulses", 3)?;
        }
        // One more for the visits.
        let violations = (self.settings.iterations * self.groups + 1) as usize;
        buffers.uints("limit_violations", Role::Scratch, vec![0; violations])?;
        buffers.uints(COUNTS, Role::State, vec![0; 7]).map(drop)
    }

    fn add_filter_buffers(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let count = self.membrane_count;
        buffers.uints("limit_shares", Role::Scratch, vec![0; self.particle_count as usize])?;
        buffers.uints("limit_active", Role::Scratch, vec![0; count as usize])?;
        if self.solver == SolverKind::Jacobi {
            return Ok(());
        }
        buffers.uints("limit_all", Role::Model, (0..count).collect())?;
        if self.settings.active_set {
            let source = Source::Elements(count);
            let list = list::declare(buffers, LIST, source, count, count)?;
            buffers.zeros(list, "limit_list", Element::Uint, Role::Scratch, [1, 0])?;
        }
        Ok(())
    }

    /// The impulses of a start: none, and how many triangles share each one's busiest corner.
    fn no_impulses(&self, membranes: &[Membrane]) -> Vec<[f64; 4]> {
        let mut shares = vec![0.0f64; self.particle_count as usize];
        for particle in membranes.iter().flat_map(|m| m.particles) {
            shares[particle as usize] += 1.0;
        }
        let most = |m: &Membrane| m.particles.iter().map(|&p| shares[p as usize]).fold(1.0, f64::max);
        membranes.iter().map(|m| [0.0, 0.0, 0.0, most(m)]).collect()
    }

    /// Appends the limits, after contacts and constraints have left their result in `offsets`.
    pub(super) fn append_limits(
        &self,
        passes: &mut Passes,
        buffers: &mut Tables,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        let StrainLimiting { method, iterations, tolerance, active_set, .. } = self.settings;
        let renamed = [("offsets", offsets)];
        let triangles = Launch { weight: tolerance, ..Launch::over(self.membrane_count) };
        let particles = Launch { base: 3 * self.membrane_count, ..Launch::over(self.particle_count) };
        for index in 0..iterations {
            let (triangles, particles) = (Launch { index, ..triangles }, Launch { index, ..particles });
            match (method, self.solver) {
                (Limiter::Impulses, SolverKind::Coloured) => {
                    let triangles = Launch { base: self.groups, ..triangles };
                    self.append_colours(passes, buffers, &limit_impulse::KERNEL, triangles, &renamed)?;
                }
                (Limiter::Impulses, SolverKind::Jacobi) => {
                    let launch = Launch { flags: JACOBI, base: self.groups, ..triangles };
                    passes.run_as(buffers, &limit_impulse::KERNEL, launch, &renamed)?;
                    passes.run_as(buffers, &limit_apply::KERNEL, particles, &renamed)?;
                }
                (Limiter::Filter, SolverKind::Coloured) => {
                    let all = [renamed[0], ("limit_list", "limit_all")];
                    if !active_set || index == 0 {
                        self.append_colours(passes, buffers, &strain_limit::KERNEL, triangles, &all)?;
                    } else {
                        self.append_listed(passes, buffers, triangles, &renamed)?;
                    }
                    if active_set && index + 1 < iterations {
                        self.append_list(passes, buffers, triangles, particles)?;
                    }
                }
                (Limiter::Filter, SolverKind::Jacobi) => {
                    passes.run_as(buffers, &limit_mark::KERNEL, triangles, &renamed)?;
                    passes.run(buffers, &limit_share::KERNEL, particles)?;
                    passes.run_as(buffers, &limit_split::KERNEL, triangles, &renamed)?;
                    let launch = Launch { weight: OVER_RELAXATION, ..particles };
                    passes.run_as(buffers, &limit_gather::KERNEL, launch, &renamed)?;
                }
                (Limiter::Edges, _) => {
                    self.append_colours(passes, buffers, &edge_limit::KERNEL, triangles, &renamed)?;
                }
            }
        }
        if method == Limiter::Impulses {
            passes.run_as(buffers, &limit_stress::KERNEL, triangles, &renamed)?;
        }
        passes.run(
            buffers,
            &limit_count::KERNEL,
            Launch { index: iterations, base: self.groups, ..Launch::over(1) },
        )
    }

    /// Appends the limit of the strain's rate, after the substep's velocities are known.
    pub(super) fn append_rate(&self, passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
        for _ in 0..RATE_SWEEPS {
            // There and back again: the last colour of one sweep is the first of the next.
            for range in self.rate_ranges.iter().chain(self.rate_ranges.iter().rev()) {
                let launch = Launch { weight: self.settings.rate, ..Launch::range(range) };
                passes.run(buffers, &strain_rate::KERNEL, launch)?;
            }
        }
        Ok(())
    }

    /// Whether constraints and contacts come after the limits.
    pub(super) fn is_before_contacts(&self) -> bool {
        self.settings.before_contacts
    }

    /// The colours in the order of an iteration, with their numbers.
    fn colours(&self, iteration: u32) -> Vec<(u32, &Range<u32>)> {
        let mut colours: Vec<_> = (0..).zip(&self.ranges).collect();
        if self.settings.random_order {
            let mut random = Random(u64::from(iteration));
            for last in (1..colours.len()).rev() {
                // Uniform numbers are below 1.
                colours.swap(last, (random.number() * (last + 1) as f64) as usize);
            }
        } else if iteration % 2 == 1 {
            colours.reverse();
        }
        colours
    }

    /// One iteration of Gauss–Seidel over everything.
    fn append_colours(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        for (_, range) in self.colours(launch.index) {
            let Launch { first, count, .. } = Launch::<f64>::range(range);
            passes.run_as(buffers, kernel, Launch { first, count, ..launch }, renamed)?;
        }
        Ok(())
    }

    /// One iteration of Gauss–Seidel over what is listed.
    fn append_listed(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        let list = buffers.find_table(LIST).expect("declared with the filter's buffers");
        for (_, range) in self.colours(launch.index).into_iter().filter(|(_, range)| !range.is_empty()) {
            // The list is in the order of all triangles, which is that of their colours.
            let colour = Extent::part(list, range.start, range.end);
            passes.over(buffers, &strain_limit::KERNEL, launch, colour, renamed)?;
        }
        Ok(())
    }

    /// Lists what the next iteration visits.
    fn append_list(
        &self,
        passes: &mut Passes,
        buffers: &mut Tables,
        triangles: Launch<f64>,
        particles: Launch<f64>,
    ) -> Result<(), ComputeError> {
        passes.run(buffers, &limit_share::KERNEL, particles)?;
        let launch = Launch { base: self.settings.iterations, ..triangles };
        let (count, fill) =
            ((&limit_spread::KERNEL, launch, &[][..]), (&limit_visit::KERNEL, launch, &[][..]));
        list::make(passes, buffers, LIST, Source::Elements(self.membrane_count), count, fill)
    }
}

/// Elements of several bodies colour by colour. Bodies are coloured one by one, so that a body's order does not depend on
/// the others.
fn by_colour<T: Copy, const K: usize>(
    model: &Model,
    bodies: &[&[T]],
    particles: impl Fn(&T) -> [u32; K],
) -> Result<(Vec<T>, Vec<Range<u32>>), ComputeError> {
    let error = |problem: String| ComputeError::Buffer { buffer: "membrane_corners".into(), problem };
    let movable = model.movable();
    let colourings = bodies
        .iter()
        .map(|list| Colouring::new(&list.iter().map(&particles).collect::<Vec<_>>(), &movable))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|problem| error(problem.to_string()))?;
    let (mut sorted, mut ranges) = (Vec::new(), Vec::new());
    for colour in 0..colourings.iter().map(|c| c.ranges.len()).max().unwrap_or(0) {
        let start = sorted.len() as u32;
        for (list, colouring) in bodies.iter().zip(&colourings) {
            let range = colouring.ranges.get(colour).cloned().unwrap_or_default();
            let order = &colouring.order[range.start as usize..range.end as usize];
            sorted.extend(order.iter().map(|&element| list[element as usize]));
        }
        ranges.push(start..sorted.len() as u32);
    }
    Ok((sorted, ranges))
}

/// The edges of a sheet, each once, with the smaller limit of weft and warp in tension.
fn edges(model: &Model, membranes: &[Membrane]) -> Vec<Edge> {
    let mut found = BTreeMap::new();
    for membrane in membranes {
        let StrainLimits { weft, warp, .. } = model.fabrics[membrane.fabric as usize].limits;
        let rest = membrane.inverse_rest.inverse();
        let corners = [DVec2::ZERO, rest.x_axis, rest.y_axis];
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let mut ends = [membrane.particles[a], membrane.particles[b]];
            ends.sort_unstable();
            let (rest_length, highest_strain) = (corners[a].distance(corners[b]), weft[1].min(warp[1]));
            found.entry(ends).or_insert(Edge { ends, rest_length, highest_strain });
        }
    }
    found.into_values().collect()
}

/// Triangles visited in so many substeps, from the counts.
pub fn visits(model: &Model, counts: &Data, substeps: u64) -> u64 {
    let count = |place: usize| u64::from(counts.uints().get(place).copied().unwrap_or_default());
    let triangles = model.elements.iter().map(|e| e.membranes.len() as u64).sum::<u64>();
    // The first iteration visits all; so do the others unless they have a list.
    let StrainLimiting { method, active_set, .. } = model.settings.strain_limiting;
    let listed = active_set && method == Limiter::Filter && model.settings.solver == SolverKind::Coloured;
    let later = if listed { count(VISITS) + (count(VISITS + 1) << 32) } else { count(TOTAL) * triangles };
    substeps * triangles + later
}
