// The row of every joint in Newton's system of a net, one thread per joint.
#import launch
#import net_joint

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> net_joints: array<vec2<u32>>;           // frames a, b
@group(0) @binding(2) var<storage, read> net_rest: array<vec4<f32>>;             // oₐ, o_b, C₀, α [rad/(N m)]
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // …; inverse inertia [1/(kg m²)]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(5) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep
@group(0) @binding(6) var<storage, read_write> net_rows: array<vec4<f32>>;       // λ; the diagonal block; −C − α̃ λ; −∂C/∂φₐ; ∂C/∂φ_b

fn store(at: u32, m: mat3x3<f32>) {
    net_rows[at] = vec4<f32>(m[0], 0.0);
    net_rows[at + 1u] = vec4<f32>(m[1], 0.0);
    net_rows[at + 2u] = vec4<f32>(m[2], 0.0);
}

@compute @workgroup_size(64)
fn net_measure_bend(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let j = launch.first + launch_id(id);
    let ends = net_joints[j];
    let first = rod_rest[4u * ends.x + 3u].xyz;
    let second = rod_rest[4u * ends.y + 3u].xyz;
    let joint = net_joint(
        frames[2u * ends.x],
        frames[2u * ends.y],
        turns[ends.x].xyz,
        turns[ends.y].xyz,
        net_rest[4u * j],
        net_rest[4u * j + 1u],
    );
    let row = 11u * (launch.base + j);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_rows[row].xyz; }
    let compliance = net_rest[4u * j + 3u].xyz / (launch.dt * launch.dt);
    let c = 2.0 * joint.relative.xyz - net_rest[4u * j + 2u].xyz;
    net_rows[row] = vec4<f32>(lambda, 0.0);
    store(row + 1u, strain_congruence(joint.first, first) + strain_congruence(joint.second, second) + strain_diagonal(compliance));
    net_rows[row + 4u] = vec4<f32>(-c - compliance * lambda, 0.0);
    store(row + 5u, joint.first);
    store(row + 8u, joint.second);
}
