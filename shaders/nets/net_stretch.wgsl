// XPBD stretch and shear of a net, one thread per segment of one colour.
#import launch
#import world
#import strain
#import ldl

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> net_order: array<u32>;                  // frames by colour
@group(0) @binding(3) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j
@group(0) @binding(4) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; …; inverse inertia
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(9) var<storage, read_write> net_work: array<vec4<f32>>;       // λ [N s²], …

@compute @workgroup_size(64)
fn net_stretch(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = net_order[launch.first + launch_id(id)];
    let ends = rod_segments[k].xy;
    let xi = positions[ends.x];
    let xj = positions[ends.y];
    let oi = offsets[ends.x];
    let oj = offsets[ends.y];
    let rest = rod_rest[4u * k];
    let inverse_inertia = rod_rest[4u * k + 3u].xyz;
    let g = turns[k].xyz;
    let rotation = turn_apply(frames[2u * k], g);
    let d = (xj.xyz - xi.xyz) + (oj.xyz - oi.xyz);
    let b = quat_rotate(quat_conjugate(rotation), d);
    let work = 3u * (k - launch.base);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_work[work].xyz; }
    let compliance = rest.yyz / (launch.dt * launch.dt);
    let system = strain_diagonal(compliance + vec3<f32>(xi.w + xj.w)) + strain_congruence(strain_cross(b), inverse_inertia);
    let scale = vec3<f32>(system[0].x, system[1].y, system[2].z);
    let c = b - vec3<f32>(0.0, 0.0, rest.x);
    let change = world.relaxation * ldl_solve(ldl_factor(system, scale), -c - compliance * lambda);
    if (launch.flags & KEEP) != 0u { net_work[work] = vec4<f32>(lambda + change, 0.0); }
    let push = quat_rotate(rotation, change);
    // Held particles may have two segments of one colour.
    if xi.w > 0.0 { offsets[ends.x] = vec4<f32>(oi.xyz - xi.w * push, oi.w); }
    if xj.w > 0.0 { offsets[ends.y] = vec4<f32>(oj.xyz + xj.w * push, oj.w); }
    turns[k] = vec4<f32>(turn_compose(g, 0.5 * inverse_inertia * cross(change, b)), 0.0);
}
