//! The buffers of each family of constraints, its elements in the order in which the solver takes them.

use super::distance::pack;
use super::slices::Slices;
use super::walked::WalkedLinks;
use super::{area, attachment, dihedral, distance, isometric, volume};
use crate::compute::{Buffers, ComputeError, Data, Element, Kernel, Role};
use crate::model::Model;
use crate::model::colouring::{Colouring, ColouringStatistics};
use crate::model::elements::Elements;
use crate::scene::SolverKind;
use crate::solids::{rings, tet_position, tet_strain};
use std::ops::Range;

/// The two buffers each between which Jacobi iterations, and substeps of one, go back and forth.
pub const OFFSETS: [&str; 2] = ["offsets", "offsets_next"];
pub const POSITIONS: [&str; 2] = ["positions", "positions_next"];
pub const LAMBDAS: [&str; 2] = ["distance_lambdas", "distance_lambdas_next"];

/// One family of constraints as a solver sees it.
pub struct Family {
    pub name: &'static str,
    pub kernel: &'static Kernel,
    /// One range per colour; a single one for Jacobi.
    pub ranges: Vec<Range<u32>>,
    /// Where the family's part of `corrections` begins (Jacobi).
    pub base: u32,
    pub statistics: Option<ColouringStatistics>,
}

/// A family's elements in the order of the solver.
struct Sorted<T> {
    elements: Vec<T>,
    ranges: Vec<Range<u32>>,
    statistics: Option<ColouringStatistics>,
}

/// Collects what every family adds.
pub struct Builder<'a> {
    pub model: &'a Model,
    pub buffers: &'a mut Buffers,
    pub movable: Vec<bool>,
    pub families: Vec<Family>,
    /// (particle, slot of `corrections`) of all families but links.
    pub corners: Vec<(u32, u32)>,
    pub multiplicities: Vec<f64>,
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
    pub fn distance(&mut self, walked: Option<&WalkedLinks>) -> Result<(), ComputeError> {
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

    pub fn dihedral(&mut self) -> Result<(), ComputeError> {
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

    pub fn isometric(&mut self) -> Result<(), ComputeError> {
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

    pub fn area(&mut self) -> Result<(), ComputeError> {
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

    pub fn volume(&mut self) -> Result<(), ComputeError> {
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
    pub fn position_tets(&mut self) -> Result<(), ComputeError> {
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

    pub fn strain_tets(&mut self) -> Result<(), ComputeError> {
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

    pub fn attachment(&mut self) -> Result<(), ComputeError> {
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
    pub fn gather(&mut self) -> Result<(), ComputeError> {
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
