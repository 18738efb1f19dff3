// What every segment and joint asks for in one Jacobi iteration, one thread per frame.
#import launch
#import world
#import strain

const KEEP: u32 = 1u;              // a later pass reads the multipliers
const JOINT: u32 = 1u;             // the frame has a joint to the next
const PARTICLE_SHARES: f32 = 2.0;  // segments that share a particle
const FRAME_SHARES: f32 = 3.0;     // constraints that share a frame

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j; flags
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l, α of shear, stretch; C₀; α of the joint; inverse inertia
@group(0) @binding(4) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> offsets: array<vec4<f32>>;              // xyz [m], w = solver's 1/mass
@group(0) @binding(7) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep
@group(0) @binding(8) var<storage, read_write> rod_work: array<vec4<f32>>;       // λ of segment and joint; then what they ask for

fn solved(m: LdlSymmetric, more: vec3<f32>, right: vec3<f32>) -> vec3<f32> {
    let diagonal = m.diagonal + more;
    return world.relaxation * ldl_solve(ldl_factor_symmetric(LdlSymmetric(diagonal, m.aside), diagonal), right);
}

@compute @workgroup_size(64)
fn project_rods(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let w = 16u * k;
    var stretch_lambda = vec3<f32>(0.0);
    var bend_lambda = vec3<f32>(0.0);
    if launch.index > 0u {
        stretch_lambda = rod_work[w].xyz;
        bend_lambda = rod_work[w + 1u].xyz;
    }
    let per_dt2 = 1.0 / (launch.dt * launch.dt);
    let record = rod_segments[k];
    let has_joint = (record.z & JOINT) != 0u;
    let next = select(k, k + 1u, has_joint);
    let xi = positions[record.x];
    let xj = positions[record.y];
    let d = (xj.xyz - xi.xyz) + (offsets[record.y].xyz - offsets[record.x].xyz);
    let g = turns[k].xyz;
    let q = frames[2u * k];
    let rotation = turn_apply(q, g);
    let b = quat_rotate(quat_conjugate(rotation), d);
    let lengths = rod_rest[4u * k];
    let here = FRAME_SHARES * rod_rest[4u * k + 3u].xyz;
    var compliance = lengths.yyz * per_dt2;
    let change = solved(
        strain_crossed(b, here),
        compliance + vec3<f32>(PARTICLE_SHARES * (xi.w + xj.w)),
        -(b - vec3<f32>(0.0, 0.0, lengths.x)) - compliance * stretch_lambda,
    );
    let relative = strain_relative(q, frames[2u * next], g, turns[next].xyz);
    compliance = rod_rest[4u * k + 2u].xyz * per_dt2;
    let there = FRAME_SHARES * rod_rest[4u * next + 3u].xyz;
    let twist = select(0.0, 1.0, has_joint) * solved(
        strain_joint_weight(relative, here, there),
        compliance,
        -(2.0 * relative.xyz - rod_rest[4u * k + 1u].xyz) - compliance * bend_lambda,
    );
    if (launch.flags & KEEP) != 0u {
        rod_work[w] = vec4<f32>(stretch_lambda + change, 0.0);
        rod_work[w + 1u] = vec4<f32>(bend_lambda + twist, 0.0);
    }
    rod_work[w + 2u] = vec4<f32>(quat_rotate(rotation, change), 0.0);
    rod_work[w + 3u] = vec4<f32>(cross(change, b) - strain_forth(relative, twist), 0.0);
    rod_work[w + 4u] = vec4<f32>(strain_back(relative, twist), 0.0);
}
