// XPBD distance constraint, one thread per link of one colour.
#import launch
#import world
#import distance_materials
#import distance_law

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<uniform> distance_materials: DistanceMaterials;
@group(0) @binding(3) var<storage, read> distance_ends: array<vec2<u32>>;        // i, j | material << 23
@group(0) @binding(4) var<storage, read> distance_rest: array<vec2<f32>>;        // L [m], shape factor g
@group(0) @binding(5) var<storage, read_write> distance_lambdas: array<f32>;     // λ [N s²]
@group(0) @binding(6) var<storage, read> positions: array<vec4<f32>>;            // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(7) var<storage, read_write> offsets: array<vec4<f32>>;        // xyz [m], w = solver's 1/mass

@compute @workgroup_size(64)
fn distance(@builtin(global_invocation_id) id: vec3<u32>) {
    if launch_id(id) >= launch.count { return; }
    let k = launch.first + launch_id(id);
    let ends = distance_ends[k];
    let i = ends.x;
    let j = ends.y & DISTANCE_PARTICLE;
    let xi = positions[i];
    let xj = positions[j];
    let oi = offsets[i];
    let oj = offsets[j];
    let d = (xj.xyz - xi.xyz) + (oj.xyz - oi.xyz);
    var lambda = 0.0;
    if launch.index > 0u { lambda = distance_lambdas[k]; }
    let rest = distance_rest[k];
    let compliances = rest.y * distance_compliances(ends.y);
    let dl = world.relaxation * distance_law(d, oi.w + oj.w, rest.x, compliances, lambda, 1.0 / (launch.dt * launch.dt));
    if launch.flags != 0u { distance_lambdas[k] = lambda + dl.w; }
    // Ends that cannot move are not written: links of one colour may share them.
    if xi.w > 0.0 { offsets[i] = vec4<f32>(oi.xyz - xi.w * dl.xyz, oi.w); }
    if xj.w > 0.0 { offsets[j] = vec4<f32>(oj.xyz + xj.w * dl.xyz, oj.w); }
}
