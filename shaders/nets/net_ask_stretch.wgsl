// What every segment of a net asks for in one Jacobi iteration, one thread per frame.
#import launch
#import world
#import strain
#import ldl

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> rod_segments: array<vec4<u32>>;         // particles i, j
@group(0) @binding(3) var<storage, read> rod_rest: array<vec4<f32>>;             // l [m], α of shear, stretch [m/N]; …; inverse inertia
@group(0) @binding(4) var<storage, read> net_shares: array<vec4<f32>>;           // constraints that share particles i, j and the frame
@group(0) @binding(5) var<storage, read> frames: array<vec4<f32>>;               // unit quaternions, every second
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read> offsets: array<vec4<f32>>;              // xyz [m], w = solver's 1/mass
@group(0) @binding(8) var<storage, read> turns: array<vec4<f32>>;                // xyz the turn of this substep
@group(0) @binding(9) var<storage, read_write> net_work: array<vec4<f32>>;       // λ [N s²]; push [kg m]; torque [kg m²]

@compute @workgroup_size(64)
fn net_ask_stretch(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let ends = rod_segments[k].xy;
    if ends.x == ends.y { return; }
    let place = k - launch.base;
    let work = 3u * place;
    let xi = positions[ends.x];
    let xj = positions[ends.y];
    let rest = rod_rest[4u * k];
    let shares = net_shares[place];
    let inverse_inertia = shares.z * rod_rest[4u * k + 3u].xyz;
    let rotation = turn_apply(frames[2u * k], turns[k].xyz);
    let d = (xj.xyz - xi.xyz) + (offsets[ends.y].xyz - offsets[ends.x].xyz);
    let b = quat_rotate(quat_conjugate(rotation), d);
    var lambda = vec3<f32>(0.0);
    if launch.index > 0u { lambda = net_work[work].xyz; }
    let compliance = rest.yyz / (launch.dt * launch.dt);
    let weight = xi.w * shares.x + xj.w * shares.y;
    let system = strain_diagonal(compliance + vec3<f32>(weight)) + strain_congruence(strain_cross(b), inverse_inertia);
    let scale = vec3<f32>(system[0].x, system[1].y, system[2].z);
    let c = b - vec3<f32>(0.0, 0.0, rest.x);
    let change = world.relaxation * ldl_solve(ldl_factor(system, scale), -c - compliance * lambda);
    net_work[work] = vec4<f32>(lambda + change, 0.0);
    net_work[work + 1u] = vec4<f32>(quat_rotate(rotation, change), 0.0);
    net_work[work + 2u] = vec4<f32>(cross(change, b), 0.0);
}
