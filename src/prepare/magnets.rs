//! What is magnetic in a scene.

use crate::limits;
use crate::model::magnets::{FieldLaw, FieldSource, Magnet, MagnetCell};
use crate::model::{Model, ModelError};
use crate::scene::motion::rotation;
use crate::scene::{Field, FieldKind, RigidGeometry, Scene, SoftCell, VACUUM};
use glam::DVec3;
use std::f64::consts::PI;

/// Adds the magnets and fields of a scene to its model, in which rods are the bodies from `first_rod` on.
pub(super) fn add(
    model: &mut Model,
    scene: &Scene,
    (rigid, soft): (&[RigidGeometry], &[SoftCell]),
    first_rod: usize,
) -> Result<(), ModelError> {
    let bodies = (0..).zip(&model.rigid).zip(rigid).filter(|(_, shape)| !shape.cells.is_empty());
    model.magnets = bodies
        .map(|((number, body), shape)| Magnet {
            particles: [body.particle; 2],
            frame: body.frame,
            rigid: Some(number),
            cells: shape.cells.iter().map(cell).collect(),
            susceptible: shape.susceptible.clone(),
        })
        .collect();
    model.magnets.extend(segments(model, scene, first_rod));
    let cells: usize = model.magnets.iter().map(|magnet| magnet.cells.len()).sum();
    if cells > limits::ALL_MAGNET_CELLS {
        return Err(ModelError::MagnetCells { cells, limit: limits::ALL_MAGNET_CELLS });
    }
    model.magnets.sort_by_key(|magnet| magnet.susceptible.is_some());
    let cells = model.magnets.iter().filter(|magnet| magnet.susceptible.is_some());
    let cells: usize = cells.map(|magnet| magnet.cells.len()).sum();
    if cells > limits::SUSCEPTIBLE_CELLS {
        return Err(ModelError::SusceptibleCells { cells, limit: limits::SUSCEPTIBLE_CELLS });
    }
    let rigid = model.magnets.iter().filter(|magnet| magnet.rigid.is_some()).count();
    if soft.len() * rigid > limits::SOFT_PAIRS {
        return Err(ModelError::SoftPairs { cells: soft.len(), magnets: rigid, limit: limits::SOFT_PAIRS });
    }
    let number = |old: u32| match old {
        SoftCell::NO_CORNER => old,
        old => model.order.new_of_old[old as usize],
    };
    model.soft_magnets =
        soft.iter().map(|cell| SoftCell { corners: cell.corners.map(number), ..*cell }).collect();
    if let Some(field) = scene.magnetic_field {
        let law = FieldLaw::Affine {
            uniform: field.uniform,
            gradient: field.gradient,
            cross: field.cross_gradient,
        };
        model.field_sources.push(FieldSource::still(law));
    }
    for field in &scene.field {
        add_field(model, field);
    }
    Ok(())
}

fn cell(cell: &crate::scene::MagnetCell) -> MagnetCell {
    MagnetCell { arm: cell.arm, moment: cell.moment, edge: cell.edge, radius: cell.radius }
}

/// A dipole for each segment of a magnetised rod.
fn segments(model: &Model, scene: &Scene, first_rod: usize) -> Vec<Magnet> {
    let mut magnets = Vec::new();
    for rod in &model.rods.rods {
        let given = &scene.rod[rod.body as usize - first_rod];
        let pieces = given.remanence.len();
        if pieces == 0 {
            continue;
        }
        let frames = rod.frames.start..rod.frames.end;
        let frames = frames.filter(|&k| !model.rods.frames[k as usize].is_wall());
        let count = frames.clone().count();
        for (i, k) in frames.enumerate() {
            let frame = &model.rods.frames[k as usize];
            let piece = (2 * i + 1) * pieces / (2 * count);
            let volume = PI * given.material.radius.powi(2) * frame.rest_length;
            let moment = given.remanence[piece] * (volume / VACUUM);
            let radius = (0.75 * volume / PI).cbrt();
            magnets.push(Magnet {
                particles: frame.particles,
                frame: k,
                rigid: None,
                cells: vec![MagnetCell { arm: DVec3::ZERO, moment, edge: 2.0 * radius, radius }],
                susceptible: None,
            });
        }
    }
    magnets
}

fn add_field(model: &mut Model, field: &Field) {
    let track = model.tracks.add(&field.motion, field.pivot.unwrap_or(field.position));
    let turned = rotation(field.rotation);
    for (place, law) in laws(&field.kind) {
        model.field_sources.push(FieldSource {
            position: field.position + turned * place,
            rotation: turned,
            keys: field.keyframes.iter().map(|key| [key.time, key.factor]).collect(),
            frequency: field.frequency,
            phase: field.phase.to_radians(),
            track,
            ..FieldSource::still(law)
        });
    }
}

/// Of what a field is made, and where that is in its frame.
fn laws(kind: &FieldKind) -> Vec<(DVec3, FieldLaw)> {
    let here = |law| vec![(DVec3::ZERO, law)];
    let sheet = |current: f64, radius: f64, length: f64| FieldLaw::Sheet {
        current,
        radius,
        half_length: 0.5 * length,
    };
    match *kind {
        FieldKind::Uniform { field } => {
            here(FieldLaw::Affine { uniform: field, gradient: DVec3::ZERO, cross: DVec3::ZERO })
        }
        FieldKind::Gradient { field, ref rows } => here(FieldLaw::Affine {
            uniform: field,
            gradient: DVec3::new(rows[0].x, rows[1].y, rows[2].z),
            cross: DVec3::new(rows[1].z, rows[0].z, rows[0].y),
        }),
        FieldKind::Loop { radius, current, turns } => {
            here(FieldLaw::Loop { current: current * turns, radius })
        }
        FieldKind::Solenoid { radius, length, current, turns } => {
            here(sheet(current * turns / length, radius, length))
        }
        FieldKind::Helmholtz { radius, current, turns, spacing } => {
            let half = 0.5 * spacing.unwrap_or(radius);
            let law = FieldLaw::Loop { current: current * turns, radius };
            vec![(DVec3::Y * half, law), (DVec3::NEG_Y * half, law)]
        }
        FieldKind::Wire { ref points, current, closed } => {
            let closing = closed.then(|| [points[points.len() - 1], points[0]]);
            let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing);
            pairs.map(|[from, to]| (from, FieldLaw::Wire { current, way: to - from })).collect()
        }
        FieldKind::Bar { size, remanence } => here(FieldLaw::Bar { remanence, half: 0.5 * size }),
        FieldKind::Cylinder { radius, hole, length, remanence } => {
            // The surface of a magnetised cylinder is a sheet of the current M.
            let current = remanence / VACUUM;
            let mut all = here(sheet(current, radius, length));
            if hole > 0.0 {
                all.extend(here(sheet(-current, hole, length)));
            }
            all
        }
        FieldKind::Ball { radius, remanence } => {
            let volume = 4.0 / 3.0 * PI * radius.powi(3);
            here(FieldLaw::Ball { moment: remanence * (volume / VACUUM), radius })
        }
    }
}
