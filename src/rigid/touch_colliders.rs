//! Rigid bodies against colliders: features against signed distances, Coulomb friction, restitution.
//!
//!   gap = d(c + o + R a) − ρ < 0:  a contact at r = R a − ρ n        (see [`super::touching`] for how they are solved)
//!
//! A feature is a point a of the body with a radius ρ: the centre of a ball, points along a capsule's axis, corners and middles
//! of edges and faces of a box, vertices of a mesh. d is the collider's signed distance. A box also asks for its own distance at
//! the corners of boxes and along the axes of capsules and balls, so that it lies on what is smaller than itself; what an edge
//! alone touches between these points is not seen.
//!
//! Restitution: where a body came faster than two substeps of gravity, its velocity along the normal becomes −e times that after the
//! substep ([`super::kick_bodies`]); what rests or leaves is left alone. A body never bounces higher than it fell: it leaves from
//! the surface with the speed of the substep's end, and loses up to g dt v of its energy per mass.

use super::motion::{BOX_SOLID, HEADER, KICK, Motion, OFFSET, RECORDS, TURN, swing};
use super::touching::{Contact, Contacts};
use crate::contact::carry::{self, POSE_RECORDS};
use crate::contact::collide::{self, BOX, CAPSULE, FIELD};
use crate::frames::turn;
use crate::math::{Quat, Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "rigid/touch_colliders" => touch_colliders per Invocation {
        uniform world: World,
        read colliders: uint4,          // kind, track, first value, sizes of the field
        read collider_shapes: real4,    // sizes by kind [m]; friction
        read collider_poses: real4,     // position [m]; rotation; way in the substep [m]; turn in the substep
        read field_values: real,        // signed distances [m]
        read rigid_bodies: uint4,       // particle, frame, first record of its parts, features
        read rigid_parts: real4,        // the solid; friction, restitution, bounding radius [m]; features: arm and radius [m]
        write rigid_motions: real4,
    }
}

/// Points along a capsule's axis at which a box is measured.
const ALONG: u32 = 5;
/// Speeds below this many substeps of gravity do not bounce.
const SLOW: f64 = 2.0;

#[inline(always)]
fn touch_colliders<R: Real>(b: &Bindings<R>, id: u32) {
    let [_, _, first, count] = b.rigid_bodies[id as usize];
    let record = RECORDS * id;
    let motion = Motion::new([0, 1, 2, 3, 4].map(|k| b.rigid_motions.get(record + k)));
    let (solid, surface) = (b.rigid_parts[first as usize], b.rigid_parts[first as usize + 1]);
    let mut contacts = Contacts::none();
    for (k, &[kind, _, value, sizes]) in b.colliders.iter().enumerate() {
        let pose = &b.collider_poses[k * POSE_RECORDS as usize..];
        let shape = b.collider_shapes[2 * k];
        let mu = (surface.x * b.collider_shapes[2 * k + 1].x).sqrt();
        let rotation = Quat::from_vec4(pose[1]);
        let back = rotation.conjugate();
        let relative = motion.x.xyz() - pose[0].xyz();
        let values = &b.field_values[value as usize..];
        if kind != FIELD {
            let centre = [back.rotate(relative), back.rotate(motion.offset)];
            if collide::distance(kind, shape, centre, (values, sizes), R::ZERO).0 > surface.z {
                continue;
            }
        }
        let mut touch = |normal: Vec3<R>, arm: Vec3<R>, gap: R| {
            let carried = pose[2].xyz() + carry::swing(pose[3], relative + motion.offset + arm);
            let way = motion.way(motion.after.conjugate().rotate(arm)) - carried;
            contacts.add(Contact { normal, arm, gap, way, friction: mu, push: R::ZERO, grip: Vec3::ZERO });
        };
        for feature in &b.rigid_parts[(first + HEADER) as usize..][..count as usize] {
            let (arm, radius) = (feature.xyz(), feature.w);
            let place = [back.rotate(relative + motion.before.rotate(arm)), back.rotate(motion.way(arm))];
            let (distance, local) = collide::distance(kind, shape, place, (values, sizes), radius);
            let gap = distance - radius;
            // Also false where the distance is not a number.
            if gap < R::ZERO {
                let normal = rotation.rotate(local);
                touch(normal, motion.after.rotate(arm) - normal * radius, gap);
            }
        }
        if solid.w != R::of(BOX_SOLID) || (kind != BOX && kind != CAPSULE) {
            continue;
        }
        let points = if kind == BOX { 8 } else { ALONG };
        for j in 0..points {
            let (point, radius) = collider_point(kind, shape.xyz(), j);
            // From the body's centre along its axes: at the start of the substep, and how far that changes.
            let p = motion.before.conjugate().rotate(rotation.rotate(point) - relative);
            let shifted = p - motion.before.conjugate().rotate(motion.offset);
            let s = (shifted - p) + swing(-motion.turn, shifted);
            let (distance, local) = collide::cuboid(p, s, solid.xyz());
            let gap = distance - radius;
            if gap < R::ZERO {
                let arm = motion.after.rotate((p + s) - local * distance);
                touch(-motion.after.rotate(local), arm, gap);
            }
        }
    }
    if contacts.count == 0 {
        return;
    }
    let [moved, turned] = contacts.solve(&motion);
    let half = motion.after.conjugate().rotate(turned) * R::of(0.5);
    let end = turn::compose(motion.turn, half);
    b.rigid_motions.set(record + OFFSET, (motion.offset + moved).with_w(R::ZERO));
    b.rigid_motions.set(record + TURN, end.with_w(R::ZERO));
    let dt = b.launch.dt;
    let slow = R::of(SLOW) * b.world.gravity.xyz().length() * dt * dt;
    if surface.y > R::ZERO && bounce(&mut contacts, [moved, turned], surface.y, slow) {
        let [moved, turned] = contacts.solve(&motion);
        let kick = [moved, motion.after.conjugate().rotate(turned)];
        for (k, change) in [KICK, KICK + 1].into_iter().zip(kick) {
            let before = b.rigid_motions.get(record + k).xyz();
            b.rigid_motions.set(record + k, (before + change / dt).with_w(R::ZERO));
        }
    }
}

/// A point of a collider, and the radius around it [m].
#[inline(always)]
fn collider_point<R: Real>(kind: u32, size: Vec3<R>, j: u32) -> (Vec3<R>, R) {
    if kind == BOX {
        let side = |bit: u32| R::select(j >> bit & 1 == 1, R::ONE, -R::ONE);
        return (Vec3::new(side(0) * size.x, side(1) * size.y, side(2) * size.z), R::ZERO);
    }
    let share = R::of(2.0) * R::of(f64::from(j)) / R::of(f64::from(ALONG - 1)) - R::ONE;
    (Vec3::new(R::ZERO, share * size.y, R::ZERO), size.x)
}

/// Turns solved contacts into those of a bounce: the gaps become what is missing of the speed after it, in displacements of a
/// substep. Whether there is any.
#[inline(always)]
fn bounce<R: Real>(contacts: &mut Contacts<R>, [moved, turned]: [Vec3<R>; 2], e: R, slow: R) -> bool {
    let mut any = false;
    for contact in &mut contacts.list[..contacts.count] {
        let approach = contact.normal.dot(contact.way);
        contact.way += moved + turned.cross(contact.arm);
        let hits = contact.push > R::ZERO && approach < -slow;
        // What does not bounce is left alone, also by friction.
        contact.gap = R::select(hits, contact.normal.dot(contact.way) + e * approach, R::ONE);
        contact.friction = R::select(hits, contact.friction, R::ZERO);
        contact.push = R::ZERO;
        contact.grip = Vec3::ZERO;
        any = any || hits;
    }
    any
}
