// XPBD bending and twist, one thread per joint, every second joint.
#import launch
#import world
#import strain

const KEEP: u32 = 1u;     // a later pass reads the multipliers
const JOINT: u32 = 1u;    // the frame has a joint to the next

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_segments: array<vec4<u32>>;     // particles i, j; flags
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;         // …; C₀; α [rad/(N m)]; inverse inertia [1/(kg m²)]
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;           // unit quaternions, every second
@group(0) @binding(5) var<storage, read_write> turns: array<vec4<f32>>;      // xyz the turn of this substep
@group(0) @binding(6) var<storage, read_write> rod_work: array<vec4<f32>>;   // …, λ [N m s²], …

@compute @workgroup_size(64)
fn bend_twist(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + 2u * launch_id(id);
    if (rod_segments[k].z & JOINT) == 0u { return; }
    let ga = turns[k].xyz;
    let gb = turns[k + 1u].xyz;
    let relative = strain_relative(frames[2u * k], frames[2u * k + 2u], ga, gb);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = rod_work[16u * k + 1u].xyz; }
    let compliance = rod_rest[4u * k + 2u].xyz * (1.0 / (launch.dt * launch.dt));
    let first = rod_rest[4u * k + 3u].xyz;
    let second = rod_rest[4u * k + 7u].xyz;
    let weight = strain_joint_weight(relative, first, second);
    let diagonal = weight.diagonal + compliance;
    let c = 2.0 * relative.xyz - rod_rest[4u * k + 1u].xyz;
    let factor = ldl_factor_symmetric(LdlSymmetric(diagonal, weight.aside), diagonal);
    let change = world.relaxation * ldl_solve(factor, -c - compliance * lambda);
    if (launch.flags & KEEP) != 0u { rod_work[16u * k + 1u] = vec4<f32>(lambda + change, 0.0); }
    turns[k] = vec4<f32>(turn_compose(ga, -0.5 * first * strain_forth(relative, change)), 0.0);
    turns[k + 1u] = vec4<f32>(turn_compose(gb, 0.5 * second * strain_back(relative, change)), 0.0);
}
