// What every joint of a net asks for in one Jacobi iteration, one thread per joint.
#import launch
#import world
#import net_joint
#import ldl

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> net_joints: array<vec2<u32>>;           // frames a, b
@group(0) @binding(3) var<storage, read> net_rest: array<vec4<f32>>;             // oₐ, o_b, C₀, α [rad/(N m)]; w the shares of the inertias
@group(0) @binding(4) var<storage, read> rod_rest: array<vec4<f32>>;             // …; inverse inertia [1/(kg m²)]
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(6) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep
@group(0) @binding(7) var<storage, read_write> net_work: array<vec4<f32>>;       // λ [N m s²]; torques on a and b [kg m²]

@compute @workgroup_size(64)
fn net_ask_bend(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let j = launch.first + launch_id(id);
    let ends = net_joints[j];
    let rest = net_rest[4u * j + 2u];
    let soft = net_rest[4u * j + 3u];
    let first = rest.w * rod_rest[4u * ends.x + 3u].xyz;
    let second = soft.w * rod_rest[4u * ends.y + 3u].xyz;
    let joint = net_joint(
        frames[2u * ends.x],
        frames[2u * ends.y],
        turns[ends.x].xyz,
        turns[ends.y].xyz,
        net_rest[4u * j],
        net_rest[4u * j + 1u],
    );
    let work = 3u * (launch.base + j);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_work[work].xyz; }
    let compliance = soft.xyz / (launch.dt * launch.dt);
    let system = strain_congruence(joint.first, first) + strain_congruence(joint.second, second) + strain_diagonal(compliance);
    let scale = vec3<f32>(system[0].x, system[1].y, system[2].z);
    let c = 2.0 * joint.relative.xyz - rest.xyz;
    let change = world.relaxation * ldl_solve(ldl_factor(system, scale), -c - compliance * lambda);
    net_work[work] = vec4<f32>(lambda + change, 0.0);
    net_work[work + 1u] = vec4<f32>(-(transpose(joint.first) * change), 0.0);
    net_work[work + 2u] = vec4<f32>(transpose(joint.second) * change, 0.0);
}
