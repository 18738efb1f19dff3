//! The colliders of a model: from their description to buffers and passes.

use super::carry::{self, STILL};
use super::collide::{self, SIZE_BITS};
use crate::compute::{ComputeError, Data, Element, Launch, Passes, Role, Tables};
use crate::model::colliders::{Collider, Shape};
use glam::DQuat;

/// How a particle touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Distance to be kept from a collider's surface: half the body's thickness [m].
    pub radius: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
}

/// Adds what [`append_carry`] and [`append_collide`] need, with one surface per particle; nothing without colliders.
///
/// Tracks, the clock and the particles' own buffers are the model's.
pub fn add_buffers(
    buffers: &mut Tables,
    colliders: &[Collider],
    surfaces: &[Surface],
) -> Result<(), ComputeError> {
    if colliders.is_empty() {
        return Ok(());
    }
    let (mut records, mut shapes, mut rest, mut poses) = (vec![], vec![], vec![], vec![]);
    let mut values: Vec<f64> = Vec::new();
    for (number, collider) in colliders.iter().enumerate() {
        let error = |problem: String| ComputeError::Buffer {
            buffer: "colliders".into(),
            problem: format!("collider {number}: {problem}"),
        };
        let (kind, shape, sizes) = device_shape(&collider.shape).map_err(error)?;
        let first = u32::try_from(values.len()).map_err(|_| {
            error("all distance fields together exceed 2³² values; lower their resolutions".into())
        })?;
        if let Shape::Field(field) = &collider.shape {
            values.extend(field.values.iter().map(|&v| f64::from(v)));
        }
        let rotation = collider.rotation.normalize();
        if !(collider.position.is_finite() && rotation.is_finite()) {
            return Err(error("its position and rotation must be finite, the rotation not zero".into()));
        }
        if !(collider.friction >= 0.0 && collider.friction.is_finite()) {
            return Err(error(format!("friction {} must not be negative", collider.friction)));
        }
        records.push([kind, collider.track.unwrap_or(STILL), first, sizes]);
        shapes.extend([shape, [collider.friction, 0.0, 0.0, 0.0]]);
        let pose = [collider.position.extend(0.0).to_array(), rotation.to_array()];
        rest.extend(pose);
        poses.extend([pose[0], pose[1], [0.0; 4], DQuat::IDENTITY.to_array()]);
    }
    let moving = records.iter().any(|record| record[1] != STILL);
    buffers.uint4s("colliders", Role::Model, records)?;
    buffers.real4s("collider_shapes", Role::Model, shapes)?;
    buffers.real4s("collider_rest", Role::Model, rest)?;
    buffers.real4s("collider_poses", if moving { Role::Scratch } else { Role::Model }, poses)?;
    buffers.reals("field_values", Role::Model, values)?;
    let surfaces = surfaces.iter().flat_map(|s| [s.radius, s.friction]).collect();
    buffers.add("contact_surfaces", Element::Real2, Role::Model, Data::Reals(surfaces))?;
    Ok(())
}

/// A shape as the device knows it: kind, sizes and the packed numbers of nodes.
fn device_shape(shape: &Shape) -> Result<(u32, [f64; 4], u32), String> {
    let positive = |what: &str, size: f64| match size > 0.0 && size.is_finite() {
        true => Ok(size),
        false => Err(format!("{what} {size} m must be positive")),
    };
    Ok(match shape {
        Shape::Plane { normal, offset } => {
            let n = normal.try_normalize().ok_or("the plane's normal has no direction")?;
            if !offset.is_finite() {
                return Err(format!("the plane's offset {offset} m must be finite"));
            }
            (collide::PLANE, [n.x, n.y, n.z, *offset], 0)
        }
        // A ball is a capsule without length.
        Shape::Sphere { radius } => (collide::CAPSULE, [positive("radius", *radius)?, 0.0, 0.0, 0.0], 0),
        Shape::Box { half } => {
            for size in half.to_array() {
                positive("half edge", size)?;
            }
            (collide::BOX, [half.x, half.y, half.z, 0.0], 0)
        }
        Shape::Capsule { radius, half_length } => {
            if !(*half_length >= 0.0 && half_length.is_finite()) {
                return Err(format!("half length {half_length} m must not be negative"));
            }
            (collide::CAPSULE, [positive("radius", *radius)?, *half_length, 0.0, 0.0], 0)
        }
        Shape::Field(field) => {
            let most = (1 << SIZE_BITS) - 1;
            let [nx, ny, nz] = field.size;
            let count = field.size.iter().map(|&n| n as usize).product::<usize>();
            if field.size.iter().any(|n| !(2..=most).contains(n)) || field.values.len() != count {
                let given = field.values.len();
                return Err(format!(
                    "a field of {nx} × {ny} × {nz} nodes with {given} values; it needs 2 to {most} nodes a side \
                     and one value each"
                ));
            }
            if !(field.origin.is_finite() && field.values.iter().all(|v| v.is_finite())) {
                return Err("the field's origin and values must be finite".into());
            }
            let origin = field.origin;
            let sizes = nx | ny << SIZE_BITS | nz << (2 * SIZE_BITS);
            (collide::FIELD, [origin.x, origin.y, origin.z, positive("spacing", field.spacing)?], sizes)
        }
    })
}

/// Appends the pass that moves the colliders, once per substep and before the first [`append_collide`]; nothing
/// if all stand still.
pub fn append_carry(
    passes: &mut Passes,
    buffers: &Tables,
    colliders: &[Collider],
) -> Result<(), ComputeError> {
    if colliders.iter().all(|collider| collider.track.is_none()) {
        return Ok(());
    }
    passes.run(buffers, &carry::KERNEL, Launch::over(colliders.len() as u32))
}

/// Appends the pass that puts particles out of the colliders; nothing without colliders.
///
/// It may run once after the constraints or after each of their iterations: corrections and friction add up.
/// `offsets` is the buffer that holds the iterate.
pub fn append_collide(
    passes: &mut Passes,
    buffers: &Tables,
    colliders: &[Collider],
    particle_count: u32,
    offsets: &str,
) -> Result<(), ComputeError> {
    if colliders.is_empty() {
        return Ok(());
    }
    passes.run_as(buffers, &collide::KERNEL, Launch::over(particle_count), &[("offsets", offsets)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::distance_field::DistanceField;
    use glam::DVec3;

    fn with(shape: Shape) -> Collider {
        Collider { shape, position: DVec3::ZERO, rotation: DQuat::IDENTITY, friction: 0.3, track: None }
    }

    fn problem(collider: Collider) -> String {
        add_buffers(&mut Tables::new(), &[collider], &[]).unwrap_err().to_string()
    }

    #[test]
    fn a_collider_that_has_no_inside_is_refused_by_number_and_reason() {
        let normal = DVec3::ZERO;
        let said = problem(with(Shape::Plane { normal, offset: 0.0 }));
        assert!(said.contains("collider 0") && said.contains("normal"), "{said}");
        let said = problem(with(Shape::Sphere { radius: f64::NAN }));
        assert!(said.contains("radius NaN m must be positive"), "{said}");
        let half = DVec3::new(1.0, 0.0, 1.0);
        assert!(problem(with(Shape::Box { half })).contains("half edge 0 m"));
        let field =
            DistanceField { origin: DVec3::ZERO, spacing: 0.1, size: [2, 2, 2], values: vec![1.0; 7] };
        assert!(problem(with(Shape::Field(field))).contains("7 values"));
        let sphere = Shape::Sphere { radius: 1.0 };
        assert!(problem(Collider { friction: -1.0, ..with(sphere.clone()) }).contains("friction -1"));
        let rotation = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert!(problem(Collider { rotation, ..with(sphere) }).contains("rotation"));
    }

    #[test]
    fn a_scene_without_colliders_has_no_buffers_and_no_passes() {
        let (mut buffers, mut passes) = (Tables::new(), Passes::new());
        add_buffers(&mut buffers, &[], &[Surface { radius: 0.0, friction: 0.0 }]).unwrap();
        append_carry(&mut passes, &buffers, &[]).unwrap();
        append_collide(&mut passes, &buffers, &[], 1, "offsets").unwrap();
        assert!(buffers.is_empty() && passes.list.is_empty());
    }
}
