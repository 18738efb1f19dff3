//! What colliders do to cells: half a bond at every point of a cell that is inside one, and Coulomb friction.
//!
//!   f = k ⟨−gap⟩ n − min(k, μ k ⟨−gap⟩/|u|) u        over corners and the middles of edges and faces
//!
//! u is the way of the substep along the surface relative to the collider: what sticks creeps, by as little as k allows. Such contact is part of the
//! matrix, as bonds are: a plank's weight reaches the few cells on which it rests within the substep. Points are springs of wood on
//! something hard, so they sink in by the stress over E/(h/2).

use super::cell_pose::POSE;
use crate::contact::carry::{POSE_RECORDS, swing};
use crate::contact::collide::distance;
use crate::math::{Mat3, Quat, Real, Vec3};

/// Vectors of what touches a cell: force [N], torque [N m], columns of the stiffnesses tt [N/m], tr [N] and rr [N m].
pub const TOUCH: u32 = 11;
/// Vectors of what a body's cells are like: half edges [m] and k [N/m]; friction, half the diagonal [m].
pub const SKIN: u32 = 2;
/// Points of a cell: −1, 0 or 1 along each axis; the middle one is the centre and touches nothing.
pub const POINTS: u32 = 27;
const CENTRE: u32 = 13;

crate::kernel! {
    "bonds/cell_touch" => cell_touch per Invocation {
        read colliders: uint4,          // kind, track, first value, sizes of the field
        read collider_shapes: real4,    // sizes by kind [m]; friction
        read collider_poses: real4,     // position [m]; rotation; way in the substep [m]; turn in the substep
        read field_values: real,        // signed distances [m]
        read cell_numbers: uint4,       // particle, frame, body
        read cell_skins: real4,         // two per body
        read cell_poses: real4,         // three per cell
        write cell_touches: real4,      // eleven per cell
    }
}

#[inline(always)]
fn cell_touch<R: Real>(b: &Bindings<R>, id: u32) {
    let [.., body, _] = b.cell_numbers[id as usize];
    let (half, surface) = (b.cell_skins[(SKIN * body) as usize], b.cell_skins[(SKIN * body) as usize + 1]);
    let pose = |k: u32| b.cell_poses[(POSE * id + k) as usize];
    let (offset, axes) = (pose(1).xyz(), Quat::from_vec4(pose(2)));
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    let (mut tt, mut tr, mut rr) = (Mat3::ZERO, Mat3::ZERO, Mat3::ZERO);
    for (k, &[kind, _, value, sizes]) in b.colliders.iter().enumerate() {
        let place = &b.collider_poses[k * POSE_RECORDS as usize..];
        let shape = b.collider_shapes[2 * k];
        let mu = (surface.x * b.collider_shapes[2 * k + 1].x).sqrt();
        let rotation = Quat::from_vec4(place[1]);
        let back = rotation.conjugate();
        let relative = pose(0).xyz() - place[0].xyz();
        let values = (&b.field_values[value as usize..], sizes);
        let way = back.rotate(offset);
        if distance(kind, shape, [back.rotate(relative), way], values, surface.y).0 > surface.y {
            continue;
        }
        for n in 0..POINTS {
            let side = |k: u32| R::of(f64::from(k % 3) - 1.0);
            let arm = axes.rotate(half.xyz().scaled(Vec3::new(side(n), side(n / 3), side(n / 9))));
            let (gap, local) = distance(kind, shape, [back.rotate(relative + arm), way], values, R::ZERO);
            // Also false where the distance is not a number.
            let is_inside = gap < R::ZERO;
            if n == CENTRE || !is_inside {
                continue;
            }
            let normal = rotation.rotate(local);
            let push = -gap * half.w;
            let carried = place[2].xyz() + swing(place[3], relative + offset + arm);
            let slip = offset - carried;
            let slip = slip - normal * normal.dot(slip);
            let length = slip.length();
            let grip = R::select(length * half.w > mu * push, mu * push / length, half.w);
            let pull = normal * push - slip * grip;
            force += pull;
            torque += arm.cross(pull);
            let across = half.w - grip;
            let column = |c: R| normal * (c * across);
            let uniform = Mat3::diagonal(Vec3::new(grip, grip, grip));
            let c = uniform + Mat3::new(column(normal.x), column(normal.y), column(normal.z));
            // θ × a = X θ.
            let x = Mat3::cross(-arm);
            let cx = c * x;
            tt = tt + c;
            tr = tr + cx;
            rr = rr + x.transposed_times(cx);
        }
    }
    let rows = [force, torque, tt.x, tt.y, tt.z, tr.x, tr.y, tr.z, rr.x, rr.y, rr.z];
    for (k, row) in (0u32..).zip(rows) {
        b.cell_touches.set(TOUCH * id + k, row.with_w(R::ZERO));
    }
}
