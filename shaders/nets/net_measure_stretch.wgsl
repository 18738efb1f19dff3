// The row of every segment in Newton's system of a net, one thread per frame. src/nets/net_measure_stretch.rs has the equations.
#import launch
#import strain

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j
@group(0) @binding(2) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; …; inverse inertia
@group(0) @binding(3) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read> offsets: array<vec4<f32>>;              // xyz [m], w = solver's 1/mass
@group(0) @binding(6) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep
@group(0) @binding(7) var<storage, read_write> net_rows: array<vec4<f32>>;       // λ; the diagonal block; −C − α̃ λ; q; b

@compute @workgroup_size(64)
fn net_measure_stretch(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let ends = rod_segments[k].xy;
    if ends.x == ends.y { return; }
    let row = 11u * (k - launch.base);
    let xi = positions[ends.x];
    let xj = positions[ends.y];
    let rest = rod_rest[4u * k];
    let inverse_inertia = rod_rest[4u * k + 3u].xyz;
    let q = turn_apply(frames[2u * k], turns[k].xyz);
    let d = (xj.xyz - xi.xyz) + (offsets[ends.y].xyz - offsets[ends.x].xyz);
    let b = quat_rotate(quat_conjugate(q), d);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_rows[row].xyz; }
    let compliance = rest.yyz / (launch.dt * launch.dt);
    let block = strain_diagonal(compliance + vec3<f32>(xi.w + xj.w)) + strain_congruence(strain_cross(b), inverse_inertia);
    let c = b - vec3<f32>(0.0, 0.0, rest.x);
    net_rows[row] = vec4<f32>(lambda, 0.0);
    net_rows[row + 1u] = vec4<f32>(block[0], 0.0);
    net_rows[row + 2u] = vec4<f32>(block[1], 0.0);
    net_rows[row + 3u] = vec4<f32>(block[2], 0.0);
    net_rows[row + 4u] = vec4<f32>(-c - compliance * lambda, 0.0);
    net_rows[row + 5u] = q;
    net_rows[row + 6u] = vec4<f32>(b, 0.0);
}
