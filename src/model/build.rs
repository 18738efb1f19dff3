//! From a scene to a model.

use super::cloth::{self, LinkMaterials};
use super::corde;
use super::elements::{Area, Elements, Fold, Hinge, IsometricHinge, Link, Membrane, Pin, SLACK, Tet, Volume};
use super::nets::{self, Nets};
use super::ordering::{Permutation, element_links, most_local};
use super::rods::{self, Rods};
use super::skins::Skins;
use super::tracks::Tracks;
use super::{Body, Model, ModelError, Particles, Settings, explicit_step, sheets, solids};
use crate::constraints::distance::PARTICLE_BITS;
use crate::meshing::distance_field::DistanceField;
use crate::model::colliders::{Collider, Shape};
use crate::scene::{
    self, Bending, Checked, ClothModel, ColliderShape, Fabric, OtherGeometry, Points, PointsGeometry,
    ResolvedPin, Scene, Solid, SolidDamping, SolidGeometry, TriangleMesh, palette_colour,
};
use glam::DVec3;

/// A rest angle beyond which a sheet does not count as flat [rad].
const FLAT_ANGLE: f64 = 1e-3;

/// One body, by its own particle numbers.
struct Part<'a> {
    name: String,
    colour: [f64; 3],
    radius: f64,
    contact_radius: f64,
    friction: f64,
    velocity: DVec3,
    positions: Vec<DVec3>,
    masses: Vec<f64>,
    elements: Elements,
    triangles: Vec<[u32; 3]>,
    segments: Vec<[u32; 2]>,
    tetrahedra: Vec<[u32; 4]>,
    aerodynamics: [f64; 2],
    pins: Vec<ResolvedPin>,
    loads: Vec<(u32, DVec3)>,
    damping: Option<SolidDamping>,
    rod: Option<rods::Part<'a>>,
    net: Option<nets::Part<'a>>,
}

pub(super) fn model(checked: &Checked) -> Result<Model, ModelError> {
    let (scene, geometry) = (checked.scene(), checked.geometry());
    let mut materials = LinkMaterials::default();
    let mut fabrics = Vec::new();
    let mut solid_laws = Vec::new();
    let mut parts = Vec::new();
    for (cloth, shape) in scene.cloth.iter().zip(&geometry.cloth) {
        let elements = match cloth.model {
            ClothModel::Net => cloth::elements(cloth, shape, &mut materials),
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
        parts.push(Part {
            name: shape.name.clone(),
            colour: cloth.colour.unwrap_or_else(|| palette_colour(parts.len())),
            radius: 0.0,
            contact_radius: 0.5 * cloth.thickness,
            friction: cloth.friction,
            velocity: cloth.velocity,
            masses: cloth::masses(cloth, shape),
            positions: shape.mesh.positions.clone(),
            elements,
            triangles: shape.mesh.triangles.clone(),
            segments: Vec::new(),
            tetrahedra: Vec::new(),
            aerodynamics: [cloth.drag, cloth.lift],
            pins: shape.pins.clone(),
            loads: Vec::new(),
            damping: None,
            rod: None,
            net: None,
        });
    }
    for (points, shape) in scene.points.iter().zip(&geometry.points) {
        let colour = points.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(points_part(points, shape, colour, &mut materials));
    }
    for (rod, shape) in scene.rod.iter().zip(&geometry.rods) {
        let colour = rod.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(rod_part(rods::Part { rod, shape }, colour));
    }
    for (net, shape) in scene.net.iter().zip(&geometry.nets) {
        let colour = net.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(net_part(nets::Part { net, shape }, colour));
    }
    let first_solid = parts.len();
    for (solid, shape) in scene.solid.iter().zip(&geometry.solids) {
        let colour = solid.colour.unwrap_or_else(|| palette_colour(parts.len()));
        let law = solids::law_index(&mut solid_laws, solid);
        parts.push(solid_part(solid, shape, colour, law));
    }
    for shape in &geometry.other {
        let colour = shape.colour.unwrap_or_else(|| palette_colour(parts.len()));
        parts.push(other_part(shape, colour));
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
        solver: scene.solver,
        integrator: scene.integrator,
        conjugate_gradients: scene.conjugate_gradients,
        preconditioner: scene.preconditioner,
        strain_limiting: scene.strain_limiting,
        relaxation: scene.relaxation,
        chebyshev: scene.chebyshev,
        damping: scene.damping,
        wind: scene.wind.clone(),
        contact: scene.contact.clone(),
    };
    for part in &parts {
        let turns = scene.frame_substeps;
        let rods = part.rod.as_ref().and_then(|rod| rod.stable_substep(turns));
        let limit = rods.or_else(|| part.net.as_ref().and_then(|net| net.stable_substep(turns)));
        corde::check_step(&part.name, limit, scene.raise_substeps, &mut settings)?;
    }
    let mut model = assemble(parts, settings, materials)?;
    model.fabrics = fabrics;
    model.solid_materials = solid_laws;
    model.add_skins(first_solid, &geometry.solids);
    explicit_step::check(&model)?;
    model.colliders = colliders(scene, &geometry.surfaces, &mut model.tracks)?;
    let expected = scene.expect.iter().flat_map(|expect| &expect.particle).zip(&geometry.expected);
    model.expected = expected
        .map(|(particle, &index)| {
            let body = model.bodies.iter().find(|body| body.name == particle.body);
            let start = body.expect("scene validation resolves the names of expectations").particles.start;
            model.order.new_of_old[(start + index) as usize]
        })
        .collect();
    Ok(model)
}

/// The index of a fabric, which is added if it is new.
fn fabric_index(fabrics: &mut Vec<Fabric>, fabric: &Fabric) -> u32 {
    let found = fabrics.iter().position(|known| known == fabric);
    let index = found.unwrap_or_else(|| {
        fabrics.push(*fabric);
        fabrics.len() - 1
    });
    index as u32
}

/// Quadratic bending pulls towards a flat sheet, so the sheet must be flat.
fn check_flat(name: &str, mesh: &TriangleMesh) -> Result<(), ModelError> {
    let error = |problem: String| ModelError::Body { body: name.into(), problem };
    let edges = super::hinges::MeshEdges::new(&mesh.triangles, mesh.positions.len())
        .map_err(|problem| error(problem.to_string()))?;
    let curved = edges.hinges.iter().find(|hinge| {
        super::hinges::dihedral_angle(hinge.map(|v| mesh.positions[v as usize])).abs() > FLAT_ANGLE
    });
    match curved {
        Some(hinge) => Err(error(format!(
            "`bending = \"isometric\"` needs a sheet that is flat at rest, and edge {}-{} is not; use \"dihedral\"",
            hinge[2], hinge[3]
        ))),
        None => Ok(()),
    }
}

fn points_part<'a>(
    points: &Points,
    shape: &PointsGeometry,
    colour: [f64; 3],
    materials: &mut LinkMaterials,
) -> Part<'a> {
    let slack = |compliance: f64| if compliance.is_finite() { compliance } else { SLACK };
    let material = materials.index([slack(points.compliance), slack(points.compression())]);
    let x = |particle: u32| shape.positions[particle as usize];
    let links = shape.links.iter().map(|&ends| Link {
        ends,
        rest_length: x(ends[0]).distance(x(ends[1])),
        factor: 1.0,
        material,
    });
    // A constraint without resistance is none.
    let (area, volume) = (points.area_compliance, points.volume_compliance);
    let areas = shape.triangles.iter().filter(|_| area.is_finite()).map(|&particles| {
        let [a, b, c] = particles.map(x);
        Area { particles, rest_area: 0.5 * (b - a).cross(c - a).length(), compliance: area }
    });
    let volumes = shape.tetrahedra.iter().filter(|_| volume.is_finite()).map(|&particles| {
        let [a, b, c, d] = particles.map(x);
        Volume { particles, rest_volume: (b - a).cross(c - a).dot(d - a) / 6.0, compliance: volume }
    });
    Part {
        name: shape.name.clone(),
        colour,
        radius: points.radius,
        contact_radius: points.radius,
        friction: points.friction,
        velocity: points.velocity,
        positions: shape.positions.clone(),
        masses: shape.masses.clone(),
        elements: Elements {
            links: links.collect(),
            areas: areas.collect(),
            volumes: volumes.collect(),
            ..Elements::default()
        },
        triangles: shape.triangles.clone(),
        segments: shape.links.clone(),
        tetrahedra: shape.tetrahedra.clone(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: None,
        net: None,
    }
}

fn rod_part(part: rods::Part<'_>, colour: [f64; 3]) -> Part<'_> {
    let radius = part.rod.material.radius;
    Part {
        name: part.shape.name.clone(),
        colour,
        radius,
        contact_radius: radius,
        friction: part.rod.friction,
        velocity: part.rod.velocity,
        positions: part.shape.positions.clone(),
        masses: part.masses(),
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: part.segments(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: part.shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: Some(part),
        net: None,
    }
}

fn net_part(part: nets::Part<'_>, colour: [f64; 3]) -> Part<'_> {
    let radius = part.net.material.radius;
    Part {
        name: part.shape.name.clone(),
        colour,
        radius,
        contact_radius: radius,
        friction: part.net.friction,
        velocity: part.net.velocity,
        positions: part.shape.positions.clone(),
        masses: part.masses(),
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: part.segments(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: part.shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: None,
        net: Some(part),
    }
}

fn solid_part<'a>(solid: &Solid, shape: &SolidGeometry, colour: [f64; 3], law: u32) -> Part<'a> {
    Part {
        name: shape.name.clone(),
        colour,
        radius: 0.0,
        contact_radius: 0.5 * solid.thickness,
        friction: solid.friction,
        velocity: solid.velocity,
        positions: shape.positions.clone(),
        masses: shape.rest.masses(solid.material.density),
        elements: solids::elements(solid, &shape.rest, law),
        triangles: shape.surface.clone(),
        segments: Vec::new(),
        tetrahedra: shape.rest.tets.clone(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: shape.loads.clone(),
        damping: Some(solid.damping),
        rod: None,
        net: None,
    }
}

/// A body of a kind that the library does not know: particles and what is drawn. Its family adds the rest.
fn other_part<'a>(shape: &OtherGeometry, colour: [f64; 3]) -> Part<'a> {
    Part {
        name: shape.name.clone(),
        colour,
        radius: shape.radius,
        contact_radius: shape.radius,
        friction: shape.friction,
        velocity: shape.velocity,
        positions: shape.positions.clone(),
        masses: shape.masses.clone(),
        elements: Elements::default(),
        triangles: shape.triangles.clone(),
        segments: shape.segments.clone(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: None,
        net: None,
    }
}

/// Puts the bodies together, each with its particles renumbered for locality.
fn assemble(parts: Vec<Part<'_>>, settings: Settings, materials: LinkMaterials) -> Result<Model, ModelError> {
    let mut model = Model {
        settings,
        bodies: Vec::new(),
        order: Permutation::identity(0),
        particles: Particles::default(),
        elements: Vec::new(),
        materials: materials.list,
        fabrics: Vec::new(),
        solid_materials: Vec::new(),
        pins: Vec::new(),
        tracks: Tracks::default(),
        loads: Vec::new(),
        solid_damping: Vec::new(),
        triangles: Vec::new(),
        aerodynamics: Vec::new(),
        segments: Vec::new(),
        tetrahedra: Vec::new(),
        skins: Skins::default(),
        rods: Rods::default(),
        nets: Nets::default(),
        colliders: Vec::new(),
        expected: Vec::new(),
    };
    let mut old_of_new = Vec::new();
    for part in parts {
        add_part(&mut model, &mut old_of_new, part)?;
    }
    model.rods.sort();
    model.nets.attach(&mut model.rods);
    let movable = model.movable();
    model.nets.plan(&model.rods, &movable, &model.particles.positions).map_err(|(body, problem)| {
        ModelError::Body { body: model.bodies[body as usize].name.clone(), problem }
    })?;
    let mut layers = std::collections::HashMap::new();
    model.pins.sort_by_cached_key(|pin| {
        // Pins of one particle go into different layers, which the coloured solver runs one after the other.
        let layer = layers.entry(pin.particle).and_modify(|layer| *layer += 1).or_insert(0);
        (!pin.is_rigid(), *layer)
    });
    model.order =
        Permutation::from_old_of_new(old_of_new).expect("bodies are permuted within their own ranges");
    Ok(model)
}

fn add_part(model: &mut Model, old_of_new: &mut Vec<u32>, part: Part<'_>) -> Result<(), ModelError> {
    let order = local_order(&part)
        .map_err(|error| ModelError::Body { body: part.name.clone(), problem: error.to_string() })?;
    let base = model.particles.positions.len() as u32;
    let number = |old: u32| base + order.new_of_old[old as usize];
    old_of_new.extend(order.old_of_new.iter().map(|old| base + old));

    let count = part.positions.len();
    let particles = &mut model.particles;
    particles.positions.extend(order.apply(&part.positions));
    particles.velocities.resize(particles.positions.len(), part.velocity);
    let masses = order.apply(&part.masses);
    particles.inverse_masses.extend(masses.iter().map(|m| 1.0 / m));
    particles.masses.extend(masses);
    particles.radii.resize(particles.positions.len(), part.contact_radius);
    particles.friction.resize(particles.positions.len(), part.friction);

    for pin in &part.pins {
        let track = model.tracks.add(&pin.motion, pin.pivot);
        for &old in &pin.particles {
            let particle = number(old);
            let inverse_mass = particles.inverse_masses[particle as usize];
            if pin.compliance == 0.0 {
                particles.inverse_masses[particle as usize] = 0.0;
                particles.velocities[particle as usize] = DVec3::ZERO;
            }
            // A pin that stands still for ever is a particle of infinite mass and nothing else.
            if pin.compliance > 0.0 || track.is_some() || pin.release.is_some() {
                model.pins.push(Pin {
                    particle,
                    anchor: part.positions[old as usize],
                    inverse_mass,
                    track,
                    release: pin.release.unwrap_or(f64::INFINITY),
                    compliance: pin.compliance,
                });
            }
        }
    }

    if let Some(rod) = &part.rod {
        let dt = model.settings.substep();
        let body = model.bodies.len() as u32;
        model.rods.add(rod, body, base, dt, &mut model.tracks);
        model.rods.hang(body, base, &rod.shape.weights);
    }
    if let Some(net) = &part.net {
        let dt = model.settings.substep();
        let body = model.bodies.len() as u32;
        model.nets.add(net, body, base, dt, &mut model.tracks);
        model.rods.hang(body, base, &net.shape.weights);
        model.particles.radii.truncate(base as usize);
        model.particles.radii.extend(net.radii());
    }
    let range = |list_length: usize, added: usize| list_length as u32..(list_length + added) as u32;
    model.bodies.push(Body {
        name: part.name,
        particles: base..base + count as u32,
        triangles: range(model.triangles.len(), part.triangles.len()),
        segments: range(model.segments.len(), part.segments.len()),
        tetrahedra: range(model.tetrahedra.len(), part.tetrahedra.len()),
        colour: part.colour,
        radius: part.radius,
    });
    model.aerodynamics.push(part.aerodynamics);
    model.triangles.extend(part.triangles.iter().map(|t| t.map(number)));
    model.solid_damping.push(part.damping);
    model.loads.extend(part.loads.iter().map(|&(vertex, force)| (number(vertex), force)));
    model.segments.extend(part.segments.iter().map(|s| s.map(number)));
    model.tetrahedra.extend(part.tetrahedra.iter().map(|t| t.map(number)));
    model.elements.push(renumber(part.elements, number));
    Ok(())
}

fn local_order(part: &Part<'_>) -> Result<Permutation, super::incidence::ElementError> {
    // The points of a rod come in the order of the chain already, and its kernels count on that; those of a net in the
    // order of its edges.
    if part.rod.is_some() || part.net.is_some() {
        return Ok(Permutation::identity(part.positions.len()));
    }
    let elements = &part.elements;
    let mut graph: Vec<[u32; 2]> = elements.links.iter().map(|link| link.ends).collect();
    graph.extend(element_links(&elements.volumes.iter().map(|v| v.particles).collect::<Vec<_>>()));
    graph.extend(element_links(&part.triangles));
    if elements.volumes.is_empty() {
        graph.extend(element_links(&part.tetrahedra));
    }
    most_local(&part.positions, &graph)
}

fn renumber(elements: Elements, number: impl Fn(u32) -> u32) -> Elements {
    let Elements {
        links,
        hinges,
        isometric,
        areas,
        volumes,
        membranes,
        folds,
        tets,
        position_tets,
        strain_tets,
    } = elements;
    let renumber_tets =
        |tets: Vec<Tet>| tets.into_iter().map(|e| Tet { particles: e.particles.map(&number), ..e }).collect();
    let mut elements = Elements {
        links: links
            .into_iter()
            .map(|e| {
                let [a, b] = e.ends.map(&number);
                Link { ends: [a.min(b), a.max(b)], ..e }
            })
            .collect(),
        hinges: hinges.into_iter().map(|e| Hinge { particles: e.particles.map(&number), ..e }).collect(),
        isometric: isometric
            .into_iter()
            .map(|e| IsometricHinge { particles: e.particles.map(&number), ..e })
            .collect(),
        areas: areas.into_iter().map(|e| Area { particles: e.particles.map(&number), ..e }).collect(),
        volumes: volumes.into_iter().map(|e| Volume { particles: e.particles.map(&number), ..e }).collect(),
        membranes: membranes
            .into_iter()
            .map(|e| Membrane { particles: e.particles.map(&number), ..e })
            .collect(),
        folds: folds.into_iter().map(|e| Fold { particles: e.particles.map(&number), ..e }).collect(),
        tets: renumber_tets(tets),
        position_tets: renumber_tets(position_tets),
        strain_tets: renumber_tets(strain_tets),
    };
    elements.sort();
    elements
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
