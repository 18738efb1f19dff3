//! From a model's damped solids to their tables and passes.

use super::{CENTRE, COUPLES, POINT, PROJECTED, REDUCED, RIGID};
use super::{damp_apply, damp_couples, damp_edges, damp_gather, damp_global, damp_motion, damp_tets};
use crate::compute::{ComputeError, Kernel, Launch, Passes, Role, Tables};
use crate::meshing::tet_mesh;
use crate::model::Model;
use crate::model::incidence::Incidence;
use crate::scene::{ClusterDamping, SolidDamping, Torque};
use crate::step::{self, Member, Stage, StageList, Step};
use std::ops::Range;

/// Damping of solids by their velocities. Comes after the integrators of forces.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[
    &damp_apply::KERNEL,
    &damp_couples::KERNEL,
    &damp_edges::KERNEL,
    &damp_gather::KERNEL,
    &damp_global::KERNEL,
    &damp_motion::KERNEL,
    &damp_tets::KERNEL,
];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "damping"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let damping = Damping::new(model, &mut step.buffers)?;
        step.join(damping);
        Ok(())
    }
}

impl Member for Damping {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Integrate => self.append_schemes(list.passes, list.buffers),
            _ => Ok(()),
        }
    }
}

/// A damped body.
struct Body {
    damping: SolidDamping,
    particles: Range<u32>,
    /// Among `damp_corners`.
    tets: Range<u32>,
}

/// The damped solids of a model, ready to append their passes.
struct Damping {
    bodies: Vec<Body>,
    /// Substep [s].
    dt: f64,
}

impl Damping {
    /// Adds the buffers; none if no solid is damped by velocities.
    fn new(model: &Model, buffers: &mut Tables) -> Result<Self, ComputeError> {
        let mut corners = Vec::new();
        let mut bodies = Vec::new();
        for (damping, body) in model.solid_damping.iter().zip(&model.bodies) {
            let Some(damping) = damping.filter(SolidDamping::has_velocities) else { continue };
            let first = corners.len() as u32;
            let range = body.tetrahedra.start as usize..body.tetrahedra.end as usize;
            corners.extend_from_slice(&model.tetrahedra[range]);
            let tets = first..corners.len() as u32;
            bodies.push(Body { damping, particles: body.particles.clone(), tets });
        }
        let dt = model.settings.time_step / f64::from(model.settings.substeps);
        if bodies.is_empty() {
            return Ok(Self { bodies, dt });
        }
        let count = model.particle_count();
        let incidence = |name: &str, elements: &[[u32; 4]]| {
            Incidence::new(elements, count)
                .map_err(|error| ComputeError::Buffer { buffer: name.into(), problem: error.to_string() })
        };
        let around = incidence("damp_slots", &corners)?;
        buffers.reals("damp_masses", Role::Model, model.particles.masses.clone())?;
        buffers.real4s("damp_motions", Role::Scratch, vec![[0.0; 4]; 4 * bodies.len()])?;
        buffers.real4s("damp_changes", Role::Scratch, vec![[0.0; 4]; count])?;
        buffers.real4s("damp_impulses", Role::Scratch, vec![[0.0; 4]; 4 * corners.len()])?;
        buffers.uints("damp_starts", Role::Model, around.starts)?;
        buffers.uints("damp_slots", Role::Model, around.slots)?;
        let edges = tet_mesh::edges(&corners);
        let neighbours = Incidence::new(&edges, count).map_err(|error| ComputeError::Buffer {
            buffer: "damp_neighbours".into(),
            problem: error.to_string(),
        })?;
        // A slot is an end of an edge; the neighbour is at the other end.
        let ends = neighbours.slots.iter().map(|&slot| edges[slot as usize / 2][1 - slot as usize % 2]);
        buffers.uints("damp_neighbours", Role::Model, ends.collect())?;
        buffers.uints("damp_edge_starts", Role::Model, neighbours.starts)?;
        buffers.uint4s("damp_corners", Role::Model, corners)?;
        Ok(Self { bodies, dt })
    }

    /// Appends the schemes of every body in the order of Schmedding 2012, after the forces: point, spring, global, local.
    fn append_schemes(&self, passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
        for (slot, body) in self.bodies.iter().enumerate() {
            let particles = Launch { base: slot as u32, ..Launch::range(&body.particles) };
            let damping = &body.damping;
            if damping.point > 0.0 {
                let launch = Launch { flags: POINT, weight: damping.point, ..particles };
                passes.run(buffers, &damp_global::KERNEL, launch)?;
            }
            if let Some(spring) = damping.spring {
                let flags = if spring.projected { PROJECTED } else { 0 };
                for _ in 0..spring.sweeps {
                    let launch = Launch { flags, weight: spring.coefficient, ..particles };
                    passes.run(buffers, &damp_edges::KERNEL, launch)?;
                    passes.run(buffers, &damp_apply::KERNEL, particles)?;
                }
            }
            if let Some(global) = damping.global {
                self.global(passes, buffers, particles, global)?;
            }
            if let Some(local) = damping.local {
                let launch = Launch {
                    flags: flags_of(local.torque),
                    weight: local.share(self.dt),
                    ..Launch::range(&body.tets)
                };
                passes.run(buffers, &damp_tets::KERNEL, launch)?;
                passes.run(buffers, &damp_gather::KERNEL, particles)?;
            }
        }
        Ok(())
    }

    fn global(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        particles: Launch<f64>,
        global: ClusterDamping,
    ) -> Result<(), ComputeError> {
        let weight = global.share(self.dt);
        if global.torque == Torque::Edges {
            let launch = Launch { flags: PROJECTED | REDUCED, weight, ..particles };
            passes.run(buffers, &damp_edges::KERNEL, launch)?;
            return passes.run(buffers, &damp_apply::KERNEL, particles);
        }
        passes.run_groups(buffers, &damp_motion::KERNEL, particles, 1, &[])?;
        if global.torque == Torque::Couples {
            let launch = Launch { weight, ..particles };
            return passes.run_groups(buffers, &damp_couples::KERNEL, launch, 1, &[]);
        }
        let launch = Launch { flags: flags_of(global.torque), weight, ..particles };
        passes.run(buffers, &damp_global::KERNEL, launch)
    }
}

fn flags_of(torque: Torque) -> u32 {
    match torque {
        Torque::Lost | Torque::Edges => 0,
        Torque::Centre => CENTRE,
        Torque::Couples => COUPLES,
        Torque::Rigid => RIGID,
    }
}
