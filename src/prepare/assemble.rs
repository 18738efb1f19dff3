//! Puts bodies together to a model.

use super::parts::Part;
use crate::cloth::links::LinkMaterials;
use crate::model::elements::{Area, Elements, Fold, Hinge, IsometricHinge, Link, Membrane, Pin, Tet, Volume};
use crate::model::incidence::ElementError;
use crate::model::joins::Joins;
use crate::model::joints::Joints;
use crate::model::nets::Nets;
use crate::model::ordering::{Permutation, element_links, most_local};
use crate::model::rods::Rods;
use crate::model::skins::Skins;
use crate::model::tracks::Tracks;
use crate::model::{Body, Given, Model, ModelError, Particles, Settings, Source};
use glam::DVec3;

/// Puts the bodies together, each with its particles renumbered for locality.
pub(super) fn assemble(
    parts: Vec<Part<'_>>,
    settings: Settings,
    materials: LinkMaterials,
    source: Source,
) -> Result<Model, ModelError> {
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
        rigid: Vec::new(),
        composites: Vec::new(),
        magnets: Vec::new(),
        soft_magnets: Vec::new(),
        field_sources: Vec::new(),
        colliders: Vec::new(),
        given: Vec::new(),
        joins: Joins::default(),
        joints: Joints::default(),
        loadings: Vec::new(),
        expected: Vec::new(),
        probes: Vec::new(),
        source,
    };
    let mut old_of_new = Vec::new();
    for part in parts {
        add_part(&mut model, &mut old_of_new, part)?;
    }
    let count = model.particle_count();
    model.given.iter_mut().for_each(|given| given.values.resize(count, f64::NAN));
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
    particles.velocities.extend(order.apply(&part.velocities()));
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
            if pin.is_rigid() {
                particles.inverse_masses[particle as usize] = 0.0;
                particles.velocities[particle as usize] = DVec3::ZERO;
            }
            // A pin that stands still for ever is a particle of infinite mass and nothing else.
            if !pin.is_rigid() || track.is_some() || pin.release.is_some() {
                model.pins.push(Pin {
                    particle,
                    anchor: part.positions[old as usize],
                    inverse_mass,
                    track,
                    release: pin.release.unwrap_or(f64::INFINITY),
                    compliance: pin.compliance,
                    axes: pin.axes.bits(),
                });
            }
        }
    }

    let first_frames = [model.rods.frames.len(), model.nets.frames.len()];
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
    let (of_rods, of_nets) =
        (&mut model.rods.frames[first_frames[0]..], &mut model.nets.frames[first_frames[1]..]);
    for frame in of_rods.iter_mut().chain(of_nets).filter(|frame| frame.inverse_inertia.x > 0.0) {
        frame.spin = frame.orientation.inverse() * part.spin;
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
    for (name, values) in part.given {
        let known = model.given.iter().position(|given| given.name == name);
        let place = known.unwrap_or_else(|| {
            model.given.push(Given { name, values: Vec::new() });
            model.given.len() - 1
        });
        let given = &mut model.given[place].values;
        given.resize(base as usize, f64::NAN);
        given.extend(order.apply(&values));
    }
    model.aerodynamics.push(part.aerodynamics);
    model.triangles.extend(part.triangles.iter().map(|t| t.map(number)));
    model.solid_damping.push(part.damping);
    model.loads.extend(part.loads.iter().map(|&(vertex, force)| (number(vertex), force)));
    model.segments.extend(part.segments.iter().map(|s| s.map(number)));
    model.tetrahedra.extend(part.tetrahedra.iter().map(|t| t.map(number)));
    model.elements.push(renumber(part.elements, number));
    Ok(())
}

fn local_order(part: &Part<'_>) -> Result<Permutation, ElementError> {
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
    let Elements { links, hinges, isometric, areas, volumes, membranes, folds, tets } = elements;
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
        tets: tets.into_iter().map(|e| Tet { particles: e.particles.map(&number), ..e }).collect(),
    };
    elements.sort();
    elements
}
