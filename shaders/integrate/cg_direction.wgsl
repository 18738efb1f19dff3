// The next direction of conjugate gradients, or zero at their end, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> cg_old: array<f32>;                      // r·z before
@group(0) @binding(2) var<storage, read> cg_new: array<f32>;                      // r·z now
@group(0) @binding(3) var<storage, read> cg_first: array<f32>;                    // r·z at the start
@group(0) @binding(4) var<storage, read> cg_preconditioned: array<vec4<f32>>;     // z, xyz [m/s]
@group(0) @binding(5) var<storage, read_write> cg_directions: array<vec4<f32>>;   // p, xyz [m/s]
@group(0) @binding(6) var<storage, read_write> cg_counts: array<u32>;             // done, iterations of this substep, of all, the most

@compute @workgroup_size(64)
fn cg_direction(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let running = cg_new[0] > launch.weight * cg_first[0];
    if i == 0u && cg_counts[0] == 0u {
        cg_counts[0] = select(1u, 0u, running);
        cg_counts[1] += 1u;
        cg_counts[2] += 1u;
        cg_counts[3] = max(cg_counts[3], cg_counts[1]);
    }
    if running {
        let beta = cg_new[0] / cg_old[0];
        cg_directions[i] = vec4<f32>(cg_preconditioned[i].xyz + beta * cg_directions[i].xyz, 0.0);
    } else {
        cg_directions[i] = vec4<f32>(0.0);
    }
}
