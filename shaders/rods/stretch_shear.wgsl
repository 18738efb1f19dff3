// XPBD stretch and shear, one thread per segment, every second segment.
#import launch
#import world
#import strain

const KEEP: u32 = 1u;    // a later pass reads the multipliers

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j; flags
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; …; inverse inertia
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read_write> turns: array<vec4<f32>>;          // xyz the turn of this substep
@group(0) @binding(8) var<storage, read_write> rod_work: array<vec4<f32>>;       // λ [N s²], …

@compute @workgroup_size(64)
fn stretch_shear(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + 2u * launch_id(id);
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
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = rod_work[16u * k].xyz; }
    let compliance = rest.yyz * (1.0 / (launch.dt * launch.dt));
    let crossed = strain_crossed(b, inverse_inertia);
    let diagonal = crossed.diagonal + compliance + vec3<f32>(xi.w + xj.w);
    let c = b - vec3<f32>(0.0, 0.0, rest.x);
    let factor = ldl_factor_symmetric(LdlSymmetric(diagonal, crossed.aside), diagonal);
    let change = world.relaxation * ldl_solve(factor, -c - compliance * lambda);
    if (launch.flags & KEEP) != 0u { rod_work[16u * k] = vec4<f32>(lambda + change, 0.0); }
    let push = quat_rotate(rotation, change);
    offsets[ends.x] = vec4<f32>(oi.xyz - xi.w * push, oi.w);
    offsets[ends.y] = vec4<f32>(oj.xyz + xj.w * push, oj.w);
    turns[k] = vec4<f32>(turn_compose(g, 0.5 * inverse_inertia * cross(change, b)), 0.0);
}
