// XPBD bending and twist of a net, one thread per joint of one colour.
#import launch
#import world
#import net_joint
#import ldl

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> net_joints: array<vec2<u32>>;           // frames a, b
@group(0) @binding(3) var<storage, read> net_rest: array<vec4<f32>>;             // oₐ, o_b, C₀, α [rad/(N m)]
@group(0) @binding(4) var<storage, read> rod_rest: array<vec4<f32>>;             // …; inverse inertia [1/(kg m²)]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(6) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(7) var<storage, read_write> net_work: array<vec4<f32>>;       // λ [N m s²], …

@compute @workgroup_size(64)
fn net_bend(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let j = launch.first + launch_id(id);
    let ends = net_joints[j];
    let ga = turns[ends.x].xyz;
    let gb = turns[ends.y].xyz;
    let first = rod_rest[4u * ends.x + 3u].xyz;
    let second = rod_rest[4u * ends.y + 3u].xyz;
    let joint = net_joint(frames[2u * ends.x], frames[2u * ends.y], ga, gb, net_rest[4u * j], net_rest[4u * j + 1u]);
    let work = 3u * (launch.base + j);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_work[work].xyz; }
    let compliance = net_rest[4u * j + 3u].xyz / (launch.dt * launch.dt);
    let system = strain_congruence(joint.first, first) + strain_congruence(joint.second, second) + strain_diagonal(compliance);
    let scale = vec3<f32>(system[0].x, system[1].y, system[2].z);
    let c = 2.0 * joint.relative.xyz - net_rest[4u * j + 2u].xyz;
    let change = world.relaxation * ldl_solve(ldl_factor(system, scale), -c - compliance * lambda);
    if (launch.flags & KEEP) != 0u { net_work[work] = vec4<f32>(lambda + change, 0.0); }
    // Held knots may have two joints of one colour.
    if first.x > 0.0 {
        turns[ends.x] = vec4<f32>(turn_compose(ga, -0.5 * first * (transpose(joint.first) * change)), 0.0);
    }
    if second.x > 0.0 {
        turns[ends.y] = vec4<f32>(turn_compose(gb, 0.5 * second * (transpose(joint.second) * change)), 0.0);
    }
}
