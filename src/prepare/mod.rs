//! From a scene to a model: every family makes its bodies ready, and they are put together one after the other.

mod assemble;
mod cuts;
mod explicit_step;
mod hanging;
mod loadings;
mod magnets;
mod parts;

use crate::cloth::hinges::{MeshEdges, dihedral_angle};
use crate::cloth::links::{self, LinkMaterials};
use crate::cloth::sheets;
use crate::constraints::distance::PARTICLE_BITS;
use crate::limits;
use crate::meshing::distance_field::DistanceField;
use crate::model::colliders::{Collider, Shape};
use crate::model::joins::Joins;
use crate::model::joints::Joints;
use crate::model::tracks::Tracks;
use crate::model::{Model, ModelError, Probe, Settings, Source};
use crate::rods::stable_step;
use crate::scene::{
    self, Bending, ClothModel, ColliderShape, Fabric, Integrator, Scene, SolidModel, StrainLimits, ToChecked,
    TriangleMesh, palette_colour,
};
use crate::{nets, rods, solids};
use assemble::assemble;
use hanging::Ties;

/// Steps of Newton's method in a substep of statics: bodies that turn are far from where the first step leads.
const STATIC_STEPS: u32 = 4;

/// Steps of Newton's method in a substep, where the scene does not say.
fn newton_steps(scene: &Scene) -> u32 {
    let bends = |solid: &scene::Solid| solid.model.has_forces() && solid.model != SolidModel::Linear;
    if scene.integrator == Integrator::Static && scene.solid.iter().any(bends) {
        return STATIC_STEPS;
    }
    scene.integrator.newton_steps()
}

/// A rest angle beyond which a sheet does not count as flat [rad].
const FLAT_ANGLE: f64 = 1e-3;

impl Model {
    /// Validates a scene and prepares it.
    pub fn new(scene: &impl ToChecked) -> Result<Self, ModelError> {
        model(Source::new(scene.to_checked()?.into_owned()))
    }
}

fn model(source: Source) -> Result<Model, ModelError> {
    let (scene, geometry) = (source.scene().scene(), source.scene().geometry());
    let mut materials = LinkMaterials::default();
    let mut fabrics = Vec::new();
    let mut solid_laws = Vec::new();
    let mut parts = Vec::new();
    for (cloth, shape) in scene.cloth.iter().zip(&geometry.cloth) {
        let elements = match cloth.model {
            ClothModel::Net => links::elements(cloth, shape, &mut materials),
            ClothModel::Green | ClothModel::Corotational => {
                let corotational = cloth.model == ClothModel::Corotational;
                let fabric = Fabric { corotational, ..cloth.fabric };
                sheets::elements(cloth, shape, fabric_index(&mut fabrics, &fabric))
            }
        };
        let elements = elements
            .map_err(|error| ModelError::Body { body: shape.name.clone(), problem: error.to_string() })?;
        if cloth.bending == Bending::Isometric {
            check_flat(&shape.name, &shape.mesh)?;
        }
        let colour = cloth.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_cloth(cloth, shape, colour, elements));
    }
    for (points, shape) in scene.points.iter().zip(&geometry.points) {
        let colour = points.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_points(points, shape, colour, &mut materials));
    }
    let first_rod = parts.len();
    for (rod, shape) in scene.rod.iter().zip(&geometry.rods) {
        let colour = rod.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_rod(rods::prepare::Part { rod, shape }, colour));
    }
    for (net, shape) in scene.net.iter().zip(&geometry.nets) {
        let colour = net.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_net(nets::prepare::Part { net, shape }, colour));
    }
    let first_solid = parts.len();
    for (solid, shape) in scene.solid.iter().zip(&geometry.solids) {
        let colour = solid.colour.unwrap_or_else(|| palette_colour(parts.len()));
        let law = solids::prepare::law_index(&mut solid_laws, solid);
        parts.push(parts::of_solid(solid, shape, colour, law));
    }
    let first_rigid = parts.len();
    for (rigid, shape) in scene.rigid.iter().zip(&geometry.rigid) {
        let colour = rigid.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_rigid(rigid, shape, colour));
    }
    let first_composite = parts.len();
    for (composite, shape) in scene.composite.iter().zip(&geometry.composites) {
        let colour = composite.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_composite(composite, shape, colour));
    }
    for shape in &geometry.other {
        let colour = shape.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(parts::of_other(shape, colour));
    }
    if parts.is_empty() {
        return Err(ModelError::Empty);
    }
    let limit = 1 << (32 - PARTICLE_BITS);
    if materials.list.len() > limit {
        return Err(ModelError::Materials { count: materials.list.len(), limit });
    }
    let mut settings = Settings {
        gravity: scene.gravity,
        time_step: scene.time_step,
        substeps: scene.substeps,
        frame_substeps: scene.frame_substeps,
        iterations: scene.iterations,
        order: scene.order,
        solver: scene.solver,
        integrator: scene.integrator,
        conjugate_gradients: scene.conjugate_gradients,
        preconditioner: scene.preconditioner,
        newton: scene.newton.unwrap_or(newton_steps(scene)),
        strain_limiting: scene.strain_limiting,
        relaxation: scene.relaxation,
        chebyshev: scene.chebyshev,
        damping: scene.damping,
        wind: scene.wind.clone(),
        contact: scene.contact.clone(),
        magnet_tolerance: scene.magnet_tolerance,
    };
    let ties = Ties::new(&parts, &geometry.joins, &geometry.joints, first_rigid);
    for (number, part) in parts.iter().enumerate() {
        let turns = scene.frame_substeps;
        let rods = part.rod.as_ref().and_then(|rod| rod.stable_substep(turns));
        let limit = rods.or_else(|| part.net.as_ref().and_then(|net| net.stable_substep(turns)));
        stable_step::check_step(&part.name, limit, scene.raise_substeps, &mut settings)?;
        if scene.raise_substeps {
            let (gravity, hanging) = (scene.gravity, || ties.on(number));
            let rods = part.rod.as_ref().and_then(|rod| rod.loaded_substep(&part.loads, hanging(), gravity));
            let nets = part.net.as_ref().and_then(|net| net.loaded_substep(&part.loads, hanging(), gravity));
            settings.raise(rods.or(nets));
        }
    }
    let mut model = assemble(parts, settings, materials, source.clone())?;
    model.fabrics = fabrics;
    model.solid_materials = solid_laws;
    model.add_skins(first_solid, &geometry.solids);
    model.add_rigid(first_rigid, &scene.rigid, &geometry.rigid);
    model.add_composites(first_composite, &scene.composite, &geometry.composites)?;
    explicit_step::check(&model)?;
    magnets::add(&mut model, scene, (&geometry.rigid, &geometry.magnetised), first_rod)?;
    model.colliders = colliders(scene, &geometry.surfaces, &mut model.tracks)?;
    if model.tracks.asked > limits::ALL_MOTION_RECORDS {
        return Err(ModelError::Motions { records: model.tracks.asked });
    }
    model.joins = Joins::new(&geometry.joins, &model.order.new_of_old, &model.movable());
    model.joints = Joints::new(&geometry.joints);
    model.loadings = loadings::of(&geometry.loads, &model);
    let particle = |body: &str, index: u32| {
        let body = model.bodies.iter().find(|known| known.name == body);
        let start = body.expect("scene validation resolves the names of bodies").particles.start;
        model.order.new_of_old[(start + index) as usize]
    };
    let wanted = scene.expect.iter().flat_map(|expect| &expect.particle).zip(&geometry.expected);
    let expected = wanted.map(|(wanted, &index)| particle(&wanted.body, index)).collect();
    let probes = scene.probe.iter().zip(&geometry.probes).enumerate();
    let probes = probes.map(|(i, (probe, &index))| Probe {
        name: if probe.name.is_empty() { format!("probe {}", i + 1) } else { probe.name.clone() },
        particle: particle(&probe.body, index),
    });
    (model.probes, model.expected) = (probes.collect(), expected);
    Ok(model)
}

/// The index of a fabric, which is added if it is new.
fn fabric_index(fabrics: &mut Vec<Fabric>, fabric: &Fabric) -> u32 {
    // A body with limits counts by its fabric what they still correct.
    let is_shared = fabric.limits == StrainLimits::NONE;
    let found = fabrics.iter().position(|known| is_shared && known == fabric);
    let index = found.unwrap_or_else(|| {
        fabrics.push(*fabric);
        fabrics.len() - 1
    });
    index as u32
}

/// Quadratic bending pulls towards a flat sheet, so the sheet must be flat.
fn check_flat(name: &str, mesh: &TriangleMesh) -> Result<(), ModelError> {
    let error = |problem: String| ModelError::Body { body: name.into(), problem };
    let edges = MeshEdges::new(&mesh.triangles, mesh.positions.len())
        .map_err(|problem| error(problem.to_string()))?;
    let curved = edges
        .hinges
        .iter()
        .find(|hinge| dihedral_angle(hinge.map(|v| mesh.positions[v as usize])).abs() > FLAT_ANGLE);
    match curved {
        Some(hinge) => Err(error(format!(
            "`bending = \"isometric\"` needs a sheet that is flat at rest, and edge {}-{} is not; use \"dihedral\"",
            hinge[2], hinge[3]
        ))),
        None => Ok(()),
    }
}

fn colliders(
    scene: &Scene,
    surfaces: &[Option<TriangleMesh>],
    tracks: &mut Tracks,
) -> Result<Vec<Collider>, ModelError> {
    let shapes = scene.collider.iter().zip(surfaces).enumerate();
    shapes
        .map(|(index, (collider, surface))| {
            let shape = match (&collider.shape, surface) {
                (ColliderShape::Plane { normal, offset }, _) => {
                    Shape::Plane { normal: normal.normalize(), offset: *offset }
                }
                (ColliderShape::Sphere { radius }, _) => Shape::Sphere { radius: *radius },
                (ColliderShape::Box { size }, _) => Shape::Box { half: *size * 0.5 },
                (ColliderShape::Capsule { radius, length }, _) => {
                    Shape::Capsule { radius: *radius, half_length: 0.5 * length }
                }
                (
                    ColliderShape::Mesh { resolution, .. } | ColliderShape::Triangles { resolution, .. },
                    Some(mesh),
                ) => Shape::Field(
                    DistanceField::bake(&mesh.positions, &mesh.triangles, *resolution).map_err(|error| {
                        ModelError::Collider { collider: collider.label(index), problem: error.to_string() }
                    })?,
                ),
                (ColliderShape::Mesh { .. } | ColliderShape::Triangles { .. }, None) => {
                    unreachable!("scene.build() reads the surface of every mesh collider")
                }
            };
            Ok(Collider {
                shape,
                position: collider.position,
                rotation: scene::motion::rotation(collider.rotation),
                friction: collider.friction,
                track: tracks.add(&collider.motion, collider.pivot()),
            })
        })
        .collect()
}
