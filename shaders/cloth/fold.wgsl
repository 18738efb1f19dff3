// Bending forces at the corners of a hinge, one thread per hinge.
#import launch
#import hinge
#import times

const FOLD_IMPLICIT: u32 = 1u;
const FOLD_ASSEMBLED: u32 = 8u;   // factors of the matrix

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> fold_corners: array<vec4<u32>>;          // x₁, x₂ opposite, x₃, x₄ on the edge
@group(0) @binding(2) var<storage, read> fold_rest: array<vec4<f32>>;             // c [N m], sin θ₀/2, d [N m s]
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;             // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> residuals: array<vec4<f32>>;             // xyz [m]
@group(0) @binding(5) var<storage, read> offsets: array<vec4<f32>>;               // xyz [m]
@group(0) @binding(6) var<storage, read_write> corner_forces: array<vec4<f32>>;   // xyz [N]
@group(0) @binding(7) var<storage, read_write> corner_blocks: array<vec4<f32>>;   // xx, yy, zz; xy, yz, zx [kg]

@compute @workgroup_size(64)
fn fold(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let i = fold_corners[k];
    let rest = fold_rest[k];
    let x3 = positions[i.z].xyz;
    let r1 = residuals[i.x].xyz;
    let r2 = residuals[i.y].xyz;
    let r3 = residuals[i.z].xyz;
    let r4 = residuals[i.w].xyz;
    let hinge = hinge_of(
        (positions[i.w].xyz - x3) + (r4 - r3),
        (positions[i.x].xyz - x3) + (r1 - r3),
        (positions[i.y].xyz - x3) + (r2 - r3),
    );
    let w3 = offsets[i.z].xyz - r3;
    let w1 = offsets[i.x].xyz - r1;
    let w2 = offsets[i.y].xyz - r2;
    let w4 = offsets[i.w].xyz - r4;
    let theta_dot = (dot(hinge.g1, w1 - w3) + dot(hinge.g2, w2 - w3) + dot(hinge.g4, w4 - w3)) / launch.dt;
    let half_angle = hinge_half_angle(hinge);
    var moment = rest.x * (half_angle.x - rest.y) + rest.z * theta_dot;
    let slot = launch.base + 4u * k;
    if (launch.flags & FOLD_IMPLICIT) != 0u {
        let tau = launch.weight * launch.dt;
        let stiff = 0.5 * rest.x * half_angle.y;
        moment += times_reach() * stiff * theta_dot;
        let stiffness = tau * (tau * stiff + times_damping_share() * rest.z);
        if (launch.flags & FOLD_ASSEMBLED) != 0u {
            let place = launch.index + 3u * k;
            corner_blocks[place] = vec4<f32>(hinge.g1, stiffness);
            corner_blocks[place + 1u] = vec4<f32>(hinge.g2, 0.0);
            corner_blocks[place + 2u] = vec4<f32>(hinge.g4, 0.0);
        } else {
            fold_store(2u * slot, hinge.g1, stiffness);
            fold_store(2u * slot + 2u, hinge.g2, stiffness);
            fold_store(2u * slot + 4u, hinge.g3, stiffness);
            fold_store(2u * slot + 6u, hinge.g4, stiffness);
        }
    }
    corner_forces[slot] = vec4<f32>(-moment * hinge.g1, 0.0);
    corner_forces[slot + 1u] = vec4<f32>(-moment * hinge.g2, 0.0);
    corner_forces[slot + 2u] = vec4<f32>(-moment * hinge.g3, 0.0);
    corner_forces[slot + 3u] = vec4<f32>(-moment * hinge.g4, 0.0);
}

fn fold_store(slot: u32, g: vec3<f32>, stiffness: f32) {
    corner_blocks[slot] = vec4<f32>(stiffness * g * g, 0.0);
    corner_blocks[slot + 1u] = vec4<f32>(stiffness * g * g.yzx, 0.0);
}
