//! From a model's elements to the buffers and passes of the constraint solvers.

use super::distance::pack;
use super::iterate::{JACOBI, KEEP};
use super::slices::Slices;
use super::walked::WalkedLinks;
use super::{
    area, attachment, dihedral, distance, distance_jacobi, gather, isometric, step_jacobi, volume,
    walk_links, whole,
};
use crate::compute::{Buffers, ComputeError, Data, Element, Kernel, Launch, Pass, Passes, Role, Run};
use crate::model::Model;
use crate::model::colouring::{Colouring, ColouringStatistics};
use crate::model::elements::Elements;
use crate::scene::SolverKind;
use crate::solids::{rings, tet_position, tet_strain};
use crate::solver::Cores;
use std::ops::Range;

/// The two buffers each between which Jacobi iterations, and substeps of one, go back and forth.
const OFFSETS: [&str; 2] = ["offsets", "offsets_next"];
const POSITIONS: [&str; 2] = ["positions", "positions_next"];
const LAMBDAS: [&str; 2] = ["distance_lambdas", "distance_lambdas_next"];

/// One family of constraints as a solver sees it.
struct Family {
    name: &'static str,
    kernel: &'static Kernel,
    /// One range per colour; a single one for Jacobi.
    ranges: Vec<Range<u32>>,
    /// Where the family's part of `corrections` begins (Jacobi).
    base: u32,
    statistics: Option<ColouringStatistics>,
}

/// What `sinew check` prints of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyReport {
    pub name: &'static str,
    pub count: u32,
    /// Of the colouring, for the coloured solver.
    pub colours: Option<ColouringStatistics>,
}

/// The constraints of a model, ready to append their passes.
pub struct Constraints {
    families: Vec<Family>,
    /// Links that are not among the families.
    walked: Option<WalkedLinks>,
    solver: SolverKind,
    iterations: u32,
    chebyshev: f64,
    particle_count: u32,
    /// Whether Jacobi has corrections to gather besides those of links.
    gathers: bool,
    /// How many constraints share a particle's mass: all of its own for Jacobi, 1 otherwise.
    pub multiplicities: Vec<f64>,
}

/// A family's elements in the order of the solver.
struct Sorted<T> {
    elements: Vec<T>,
    ranges: Vec<Range<u32>>,
    statistics: Option<ColouringStatistics>,
}

/// Collects what every family adds.
struct Builder<'a> {
    model: &'a Model,
    buffers: &'a mut Buffers,
    movable: Vec<bool>,
    families: Vec<Family>,
    /// (particle, slot of `corrections`) of all families but links.
    corners: Vec<(u32, u32)>,
    multiplicities: Vec<f64>,
}

impl Constraints {
    /// Adds the buffers of all families.
    pub fn new(model: &Model, cores: Cores, buffers: &mut Buffers) -> Result<Self, ComputeError> {
        let walks = cores == Cores::Emulated && model.settings.solver == SolverKind::Coloured;
        let walked = if walks { WalkedLinks::new(model, buffers)? } else { None };
        let mut builder = Builder {
            model,
            buffers,
            movable: model.movable(),
            families: Vec::new(),
            corners: Vec::new(),
            multiplicities: vec![0.0; model.particle_count()],
        };
        builder.distance(walked.as_ref())?;
        builder.dihedral()?;
        builder.isometric()?;
        builder.area()?;
        builder.volume()?;
        builder.position_tets()?;
        builder.strain_tets()?;
        builder.attachment()?;
        let gathers = !builder.corners.is_empty();
        let jacobi = model.settings.solver == SolverKind::Jacobi;
        if jacobi {
            builder.gather()?;
        }
        let particle_count = model.particle_count() as u32;
        builder.buffers.real4s("corrections", Role::Scratch, vec![[0.0; 4]; builder.corners.len()])?;
        let multiplicities = match model.settings.solver {
            SolverKind::Jacobi => builder.multiplicities.iter().map(|n| n.max(1.0)).collect(),
            SolverKind::Coloured => vec![1.0; model.particle_count()],
        };
        Ok(Self {
            families: builder.families,
            walked,
            solver: model.settings.solver,
            iterations: model.settings.iterations,
            chebyshev: model.settings.chebyshev,
            particle_count,
            gathers,
            multiplicities,
        })
    }

    /// Appends the iterations of one substep; `after_each` appends what follows every iteration, given its number and the
    /// buffer of the offsets. Returns the buffer that holds the result.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        mut after_each: impl FnMut(&mut Passes, u32, &'static str) -> Result<(), ComputeError>,
    ) -> Result<&'static str, ComputeError> {
        let mut weight = 1.0;
        let mut current = OFFSETS[0];
        for iteration in 0..self.iterations {
            let keep = if iteration + 1 < self.iterations { KEEP } else { 0 };
            weight = chebyshev_weight(self.chebyshev, iteration, weight);
            match self.solver {
                SolverKind::Coloured => self.sweep_colours(passes, buffers, iteration, keep)?,
                SolverKind::Jacobi => {
                    self.jacobi(passes, buffers, iteration, keep, weight)?;
                    current = OFFSETS[(iteration as usize + 1) % 2];
                }
            }
            after_each(passes, iteration, current)?;
        }
        Ok(current)
    }

    fn sweep_colours(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        index: u32,
        flags: u32,
    ) -> Result<(), ComputeError> {
        if let Some(walked) = &self.walked {
            walked.sweep(passes, buffers, index, flags)?;
        }
        for family in &self.families {
            for range in &family.ranges {
                let launch = Launch { index, flags, weight: 1.0, ..Launch::range(range) };
                passes.run(buffers, family.kernel, launch)?;
            }
        }
        Ok(())
    }

    fn jacobi(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        index: u32,
        keep: u32,
        weight: f64,
    ) -> Result<(), ComputeError> {
        let (from, to) = (index as usize % 2, (index as usize + 1) % 2);
        let (current, next) = (OFFSETS[from], OFFSETS[to]);
        for family in self.families.iter().filter(|family| !std::ptr::eq(family.kernel, &distance::KERNEL)) {
            let range = &family.ranges[0];
            let launch =
                Launch { index, flags: keep | JACOBI, base: family.base, weight, ..Launch::range(range) };
            passes.run_as(buffers, family.kernel, launch, &[("offsets", current)])?;
        }
        let launch = Launch { index, flags: keep, weight, ..Launch::over(self.particle_count) };
        let renamed = [
            ("offsets", current),
            ("offsets_next", next),
            ("distance_lambdas", LAMBDAS[from]),
            ("distance_lambdas_next", LAMBDAS[to]),
        ];
        passes.run_as(buffers, &distance_jacobi::KERNEL, launch, &renamed)?;
        match self.gathers {
            true => passes.run_as(buffers, &gather::KERNEL, launch, &[("offsets_next", next)]),
            false => Ok(()),
        }
    }

    /// Appends passes that do all substeps of a step at once, if there can be any, given those of one substep.
    pub fn append_whole(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        substep: &Range<usize>,
        substeps: u32,
    ) -> Result<Option<Run>, ComputeError> {
        if substeps < 2 || self.iterations != 1 {
            return Ok(None);
        }
        match &self.walked {
            Some(walked) if walked.is_closed() => {
                whole::append(passes, substep, &walk_links::KERNEL, |passes, _| {
                    walked.append_substeps(passes, buffers, substeps)
                })
            }
            None if self.solver == SolverKind::Jacobi => {
                whole::append(passes, substep, &distance_jacobi::KERNEL, |passes, ends| {
                    self.append_substeps(passes, buffers, ends, substeps)
                })
            }
            _ => Ok(None),
        }
    }

    /// Appends the substeps of a step of Jacobi.
    fn append_substeps(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        [begin, end]: &[Pass; 2],
        substeps: u32,
    ) -> Result<(), ComputeError> {
        let launch = Launch { weight: 1.0, ..Launch::over(self.particle_count) };
        let mut left = substeps;
        while left > 0 {
            // An odd number: with the last one's `finish`, positions end where they have begun.
            let count = if left % 2 == 0 { 1 } else { left };
            passes.list.push(begin.clone());
            for k in 0..count as usize {
                let [now, next] = [k % 2, (k + 1) % 2];
                let offsets = [("offsets", OFFSETS[now]), ("offsets_next", OFFSETS[next])];
                if k + 1 == count as usize {
                    passes.run_as(buffers, &distance_jacobi::KERNEL, launch, &offsets)?;
                } else {
                    let positions = [("positions", POSITIONS[now]), ("positions_next", POSITIONS[next])];
                    let renamed = [offsets, positions].concat();
                    passes.run_as(buffers, &step_jacobi::KERNEL, launch, &renamed)?;
                }
            }
            let finish = Launch { index: count - 1, ..end.launch };
            passes.run_as(buffers, end.kernel, finish, &[("offsets", OFFSETS[1])])?;
            left -= count;
        }
        Ok(())
    }

    /// Counts and colours of each family.
    pub fn report(&self) -> Vec<FamilyReport> {
        let walked = self.walked.iter().map(|walked| FamilyReport {
            name: "distance",
            count: walked.count,
            colours: None,
        });
        let families = self.families.iter().map(|family| FamilyReport {
            name: family.name,
            count: family.ranges.iter().map(|range| range.end - range.start).sum(),
            colours: family.statistics,
        });
        walked.chain(families).collect()
    }
}

/// ω of Chebyshev acceleration for an estimated spectral radius ρ: 1, 2/(2 − ρ²), then 4/(4 − ρ² ω).
fn chebyshev_weight(rho: f64, iteration: u32, before: f64) -> f64 {
    match iteration {
        _ if rho == 0.0 => 1.0,
        0 => 1.0,
        1 => 2.0 / (2.0 - rho * rho),
        _ => 4.0 / (4.0 - rho * rho * before),
    }
}

impl Builder<'_> {
    /// Sorts a family for the solver and notes what it asks of each particle. Bodies are coloured one by one and
    /// their colours merged, so that a body's order does not depend on the others.
    fn sort<T: Copy, const K: usize>(
        &mut self,
        name: &str,
        pick: fn(&Elements) -> &Vec<T>,
        particles: fn(&T) -> [u32; K],
    ) -> Result<Option<Sorted<T>>, ComputeError> {
        self.sort_bodies(name, pick, particles, |_| true)
    }

    /// As [`Builder::sort`], of some bodies.
    fn sort_bodies<T: Copy, const K: usize>(
        &mut self,
        name: &str,
        pick: fn(&Elements) -> &Vec<T>,
        particles: fn(&T) -> [u32; K],
        choose: impl Fn(usize) -> bool,
    ) -> Result<Option<Sorted<T>>, ComputeError> {
        let bodies = self.model.elements.iter().enumerate().filter(|(body, _)| choose(*body));
        let bodies: Vec<&Vec<T>> = bodies.map(|(_, elements)| pick(elements)).collect();
        if bodies.iter().all(|list| list.is_empty()) {
            return Ok(None);
        }
        for element in bodies.iter().flat_map(|list| list.iter()) {
            for particle in particles(element) {
                self.multiplicities[particle as usize] += 1.0;
            }
        }
        if self.model.settings.solver == SolverKind::Jacobi {
            let elements: Vec<T> = bodies.into_iter().flatten().copied().collect();
            let all = 0..elements.len() as u32;
            return Ok(Some(Sorted { elements, ranges: vec![all], statistics: None }));
        }
        let colourings = bodies
            .iter()
            .map(|list| {
                let corners: Vec<[u32; K]> = list.iter().map(particles).collect();
                Colouring::new(&corners, &self.movable)
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

    /// Adds a family whose corrections Jacobi gathers from slots.
    fn push<T, const K: usize>(
        &mut self,
        name: &'static str,
        kernel: &'static Kernel,
        sorted: &Sorted<T>,
        particles: fn(&T) -> [u32; K],
    ) {
        let base = self.corners.len() as u32;
        let corners = sorted.elements.iter().flat_map(particles);
        self.corners.extend(corners.enumerate().map(|(slot, particle)| (particle, base + slot as u32)));
        self.families.push(Family {
            name,
            kernel,
            ranges: sorted.ranges.clone(),
            base,
            statistics: sorted.statistics,
        });
    }

    fn real2s(&mut self, name: &str, role: Role, data: Vec<[f64; 2]>) -> Result<(), ComputeError> {
        self.buffers.add(name, Element::Real2, role, Data::Reals(data.into_flattened())).map(drop)
    }

    /// All links but those that are walked.
    fn distance(&mut self, walked: Option<&WalkedLinks>) -> Result<(), ComputeError> {
        let sorted = self.sort_bodies(
            "distance_ends",
            |e| &e.links,
            |link| link.ends,
            |body| walked.is_none_or(|walked| !walked.bodies[body]),
        )?;
        let links = sorted.as_ref().map_or(&[][..], |sorted| &sorted.elements);
        let mut materials = self.model.materials.clone();
        materials.resize(distance::MATERIALS, [0.0; 2]);
        let materials = Data::Reals(materials.into_flattened());
        self.buffers.add("distance_materials", Element::Real, Role::Uniform, materials)?;
        if self.model.settings.solver == SolverKind::Jacobi {
            let slices =
                Slices::new(links, &self.model.materials, self.model.particle_count()).map_err(|error| {
                    ComputeError::Buffer { buffer: "distance_slots".into(), problem: error.to_string() }
                })?;
            let lambdas = vec![[0.0; 4]; slices.slots.len()];
            self.buffers.uints("distance_starts", Role::Model, slices.starts)?;
            self.buffers.uint4s("distance_slots", Role::Model, slices.slots)?;
            self.buffers.real4s("distance_rest", Role::Model, slices.rest)?;
            for name in LAMBDAS {
                self.buffers.real4s(name, Role::Scratch, lambdas.clone())?;
            }
        } else {
            let ends = links.iter().map(|link| [link.ends[0], pack(link.ends[1], link.material)]).collect();
            let rest = links.iter().map(|link| [link.rest_length, link.factor]).collect();
            self.buffers.uint2s("distance_ends", Role::Model, ends)?;
            self.buffers.reals("distance_lambdas", Role::Scratch, vec![0.0; links.len()])?;
            self.real2s("distance_rest", Role::Model, rest)?;
        }
        if let Some(Sorted { ranges, statistics, .. }) = sorted {
            self.families.push(Family {
                name: "distance",
                kernel: &distance::KERNEL,
                ranges,
                base: 0,
                statistics,
            });
        }
        Ok(())
    }

    fn dihedral(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("hinge_particles", |e| &e.hinges, |hinge| hinge.particles)? else {
            return Ok(());
        };
        let hinges = &sorted.elements;
        self.push("dihedral", &dihedral::KERNEL, &sorted, |hinge| hinge.particles);
        let particles = hinges.iter().map(|hinge| hinge.particles).collect();
        self.buffers.uint4s("hinge_particles", Role::Model, particles)?;
        let rest = hinges.iter().map(|hinge| [hinge.rest_angle, hinge.compliance]).collect();
        self.real2s("hinge_rest", Role::Model, rest)?;
        self.real2s("hinge_lambdas", Role::Scratch, vec![[0.0; 2]; hinges.len()])
    }

    fn isometric(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("isometric_particles", |e| &e.isometric, |hinge| hinge.particles)?
        else {
            return Ok(());
        };
        let hinges = &sorted.elements;
        self.push("isometric", &isometric::KERNEL, &sorted, |hinge| hinge.particles);
        let particles = hinges.iter().map(|hinge| hinge.particles).collect();
        self.buffers.uint4s("isometric_particles", Role::Model, particles)?;
        let weights = hinges.iter().map(|hinge| hinge.weights).collect();
        self.buffers.real4s("isometric_weights", Role::Model, weights)?;
        let rest = hinges.iter().map(|hinge| hinge.compliance).collect();
        self.buffers.reals("isometric_rest", Role::Model, rest)?;
        self.buffers.real4s("isometric_lambdas", Role::Scratch, vec![[0.0; 4]; 2 * hinges.len()]).map(drop)
    }

    fn area(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("area_particles", |e| &e.areas, |area| area.particles)? else {
            return Ok(());
        };
        let areas = &sorted.elements;
        self.push("area", &area::KERNEL, &sorted, |area| area.particles);
        let particles = areas.iter().map(|area| {
            let [a, b, c] = area.particles;
            [a, b, c, 0]
        });
        self.buffers.uint4s("area_particles", Role::Model, particles.collect())?;
        let rest = areas.iter().map(|area| [area.rest_area, area.compliance]).collect();
        self.real2s("area_rest", Role::Model, rest)?;
        self.real2s("area_lambdas", Role::Scratch, vec![[0.0; 2]; areas.len()])
    }

    fn volume(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("volume_particles", |e| &e.volumes, |volume| volume.particles)? else {
            return Ok(());
        };
        let volumes = &sorted.elements;
        self.push("volume", &volume::KERNEL, &sorted, |volume| volume.particles);
        let particles = volumes.iter().map(|volume| volume.particles).collect();
        self.buffers.uint4s("volume_particles", Role::Model, particles)?;
        let rest = volumes.iter().map(|volume| [volume.rest_volume, volume.compliance]).collect();
        self.real2s("volume_rest", Role::Model, rest)?;
        self.real2s("volume_lambdas", Role::Scratch, vec![[0.0; 2]; volumes.len()])
    }

    /// Compliant pins; the rigid ones come first in the list and need no constraint.
    fn position_tets(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("position_corners", |e| &e.position_tets, |tet| tet.particles)? else {
            return Ok(());
        };
        let tets = &sorted.elements;
        self.push("tet_position", &tet_position::KERNEL, &sorted, |tet| tet.particles);
        let model = self.model;
        let rest = tets.iter().flat_map(|tet| tet.position_rest(&model.solid_materials));
        self.buffers.real4s("position_rest", Role::Model, rest.collect())?;
        let corners = tets.iter().map(|tet| tet.particles).collect();
        self.buffers.uint4s("position_corners", Role::Model, corners)?;
        rings::add_buffers(self.buffers, "position", tets)?;
        // Columns of a matrix, and for Chebyshev's acceleration those of the one before.
        let columns = if self.model.settings.solver == SolverKind::Jacobi { 6 } else { 3 };
        self.buffers.real4s("position_lambdas", Role::Scratch, vec![[0.0; 4]; columns * tets.len()]).map(drop)
    }

    fn strain_tets(&mut self) -> Result<(), ComputeError> {
        let Some(sorted) = self.sort("strain_corners", |e| &e.strain_tets, |tet| tet.particles)? else {
            return Ok(());
        };
        let tets = &sorted.elements;
        self.push("tet_strain", &tet_strain::KERNEL, &sorted, |tet| tet.particles);
        let model = self.model;
        let rest = tets.iter().flat_map(|tet| tet.strain_rest(&model.solid_materials));
        self.buffers.real4s("strain_rest", Role::Model, rest.collect())?;
        let corners = tets.iter().map(|tet| tet.particles).collect();
        self.buffers.uint4s("strain_corners", Role::Model, corners)?;
        rings::add_buffers(self.buffers, "strain", tets)?;
        self.buffers.real4s("strain_lambdas", Role::Scratch, vec![[0.0; 4]; 4 * tets.len()]).map(drop)
    }

    fn attachment(&mut self) -> Result<(), ComputeError> {
        let pins = &self.model.pins;
        let first = pins.iter().take_while(|pin| pin.is_rigid()).count();
        if first == pins.len() {
            return Ok(());
        }
        let base = self.corners.len() as u32;
        for (slot, pin) in pins[first..].iter().enumerate() {
            self.corners.push((pin.particle, base + slot as u32));
            self.multiplicities[pin.particle as usize] += 1.0;
        }
        self.families.push(Family {
            name: "attachment",
            kernel: &attachment::KERNEL,
            ranges: self.pin_layers(first),
            base,
            statistics: None,
        });
        self.buffers.real4s("attachment_lambdas", Role::Scratch, vec![[0.0; 4]; 2 * pins.len()]).map(drop)
    }

    /// Ranges of compliant pins in which no particle occurs twice; one range for Jacobi.
    fn pin_layers(&self, first: usize) -> Vec<Range<u32>> {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        let mut held = std::collections::HashSet::new();
        for (k, pin) in self.model.pins.iter().enumerate().skip(first) {
            let again = !held.insert(pin.particle) && self.model.settings.solver == SolverKind::Coloured;
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

    /// The slots of `corrections` that each particle sums, in the order of families and elements.
    fn gather(&mut self) -> Result<(), ComputeError> {
        let count = self.model.particle_count();
        let mut starts = vec![0u32; count + 1];
        for (particle, _) in &self.corners {
            starts[*particle as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut slots = vec![0u32; self.corners.len()];
        for &(particle, slot) in &self.corners {
            slots[next[particle as usize] as usize] = slot;
            next[particle as usize] += 1;
        }
        self.buffers.uints("gather_starts", Role::Model, starts)?;
        self.buffers.uints("gather_slots", Role::Model, slots)?;
        self.buffers.real4s(OFFSETS[1], Role::Scratch, vec![[0.0; 4]; count])?;
        self.buffers.real4s(POSITIONS[1], Role::Scratch, vec![[0.0; 4]; count]).map(drop)
    }
}
