//! The tables of each kind of constraint, its elements in the order in which the solver takes them.

use super::distance::{self, pack};
use super::projections::{Projection, Projections, Sorted, project, sort};
use super::slices::Slices;
use super::{area, dihedral, isometric, volume};
use crate::compute::{ComputeError, Data, Element, Role, Tables};
use crate::model::Model;
use crate::scene::SolverKind;
use crate::step::Step;

/// The two buffers each between which Jacobi iterations alternate.
pub const OFFSETS: [&str; 2] = ["offsets", "offsets_next"];
pub const LAMBDAS: [&str; 2] = ["distance_lambdas", "distance_lambdas_next"];

/// Adds the tables of all kinds of this folder.
pub fn add(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    add_distance(model, step)?;
    add_dihedral(model, step)?;
    add_isometric(model, step)?;
    add_area(model, step)?;
    add_volume(model, step)
}

fn add_distance(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let sorted = sort(
        model,
        step,
        "distance",
        |body| &model.elements[body].links,
        |link| link.ends,
        |link| link.rank,
    )?;
    let links = sorted.as_ref().map_or(&[][..], |sorted| &sorted.elements);
    let buffers = &mut step.buffers;
    let mut materials = model.materials.clone();
    materials.resize(distance::MATERIALS, [0.0; 2]);
    let materials = Data::Reals(materials.into_flattened());
    buffers.add("distance_materials", Element::Real, Role::Uniform, materials)?;
    if model.settings.solver == SolverKind::Jacobi {
        let slices = Slices::new(links, &model.materials, model.particle_count()).map_err(|error| {
            ComputeError::Buffer { buffer: "distance_slots".into(), problem: error.to_string() }
        })?;
        let lambdas = vec![[0.0; 4]; slices.slots.len()];
        buffers.uints("distance_starts", Role::Model, slices.starts)?;
        buffers.uint4s("distance_slots", Role::Model, slices.slots)?;
        buffers.real4s("distance_rest", Role::Model, slices.rest)?;
        for name in LAMBDAS {
            buffers.real4s(name, Role::Scratch, lambdas.clone())?;
        }
    } else {
        let ends = links.iter().map(|link| [link.ends[0], pack(link.ends[1], link.material)]).collect();
        let rest = links.iter().map(|link| [link.rest_length, link.factor]).collect();
        buffers.uint2s("distance_ends", Role::Model, ends)?;
        buffers.reals("distance_lambdas", Role::Scratch, vec![0.0; links.len()])?;
        real2s(buffers, "distance_rest", Role::Model, rest)?;
        buffers.gather("links", links.len() as u32, &["distance_ends", "distance_lambdas"])?;
    }
    if let Some(Sorted { ranges, statistics, .. }) = sorted {
        step.contributions::<Projections>().kinds.push(Projection {
            name: "distance",
            kernel: &distance::KERNEL,
            ranges,
            base: 0,
            is_gathered: false,
            statistics,
        });
    }
    Ok(())
}

fn add_dihedral(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("dihedral", &dihedral::KERNEL);
    let Some(hinges) =
        project(model, step, kind, |body| &model.elements[body].hinges, |hinge| hinge.particles)?
    else {
        return Ok(());
    };
    let particles = hinges.iter().map(|hinge| hinge.particles).collect();
    step.buffers.uint4s("hinge_particles", Role::Model, particles)?;
    let rest = hinges.iter().map(|hinge| [hinge.rest_angle, hinge.compliance]).collect();
    real2s(&mut step.buffers, "hinge_rest", Role::Model, rest)?;
    real2s(&mut step.buffers, "hinge_lambdas", Role::Scratch, vec![[0.0; 2]; hinges.len()])
}

fn add_isometric(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("isometric", &isometric::KERNEL);
    let Some(hinges) =
        project(model, step, kind, |body| &model.elements[body].isometric, |hinge| hinge.particles)?
    else {
        return Ok(());
    };
    let buffers = &mut step.buffers;
    let particles = hinges.iter().map(|hinge| hinge.particles).collect();
    buffers.uint4s("isometric_particles", Role::Model, particles)?;
    let weights = hinges.iter().map(|hinge| hinge.weights).collect();
    buffers.real4s("isometric_weights", Role::Model, weights)?;
    let rest = hinges.iter().map(|hinge| hinge.compliance).collect();
    buffers.reals("isometric_rest", Role::Model, rest)?;
    buffers.real4s("isometric_lambdas", Role::Scratch, vec![[0.0; 4]; 2 * hinges.len()]).map(drop)
}

fn add_area(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("area", &area::KERNEL);
    let Some(areas) = project(model, step, kind, |body| &model.elements[body].areas, |area| area.particles)?
    else {
        return Ok(());
    };
    let particles = areas.iter().map(|area| {
        let [a, b, c] = area.particles;
        [a, b, c, 0]
    });
    step.buffers.uint4s("area_particles", Role::Model, particles.collect())?;
    let rest = areas.iter().map(|area| [area.rest_area, area.compliance]).collect();
    real2s(&mut step.buffers, "area_rest", Role::Model, rest)?;
    real2s(&mut step.buffers, "area_lambdas", Role::Scratch, vec![[0.0; 2]; areas.len()])
}

fn add_volume(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("volume", &volume::KERNEL);
    let Some(volumes) =
        project(model, step, kind, |body| &model.elements[body].volumes, |volume| volume.particles)?
    else {
        return Ok(());
    };
    let particles = volumes.iter().map(|volume| volume.particles).collect();
    step.buffers.uint4s("volume_particles", Role::Model, particles)?;
    let rest = volumes.iter().map(|volume| [volume.rest_volume, volume.compliance]).collect();
    real2s(&mut step.buffers, "volume_rest", Role::Model, rest)?;
    real2s(&mut step.buffers, "volume_lambdas", Role::Scratch, vec![[0.0; 2]; volumes.len()])
}

fn real2s(buffers: &mut Tables, name: &str, role: Role, data: Vec<[f64; 2]>) -> Result<(), ComputeError> {
    buffers.add(name, Element::Real2, role, Data::Reals(data.into_flattened())).map(drop)
}
