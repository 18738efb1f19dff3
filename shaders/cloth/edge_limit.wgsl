// Brings edges that are longer than their limit back, one thread per edge of one colour.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> limit_edges: array<vec2<u32>>;               // particles
@group(0) @binding(2) var<storage, read> limit_edge_rest: array<vec2<f32>>;           // length at rest [m], highest strain
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read_write> offsets: array<vec4<f32>>;             // xyz [m], w = solver's 1/mass
@group(0) @binding(5) var<storage, read_write> limit_violations: array<atomic<u32>>;  // by iteration

@compute @workgroup_size(64)
fn edge_limit(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = launch_id(id);
    if number >= launch.count { return; }
    if launch.index > 0u && atomicLoad(&limit_violations[launch.index - 1u]) == 0u { return; }
    let e = launch.first + number;
    let i = limit_edges[e];
    let rest = limit_edge_rest[e];
    let x = positions[i.x];
    let y = positions[i.y];
    let o = offsets[i.x];
    let p = offsets[i.y];
    let d = (y.xyz - x.xyz) + (p.xyz - o.xyz);
    let length = sqrt(dot(d, d));
    let beyond = length / rest.x - 1.0 - rest.y;
    let w = x.w + y.w;
    if !(beyond > launch.weight && w > 0.0) { return; }
    atomicAdd(&limit_violations[launch.index], 1u);
    let change = d * (beyond * rest.x / (length * w));
    if x.w > 0.0 { offsets[i.x] = vec4<f32>(o.xyz + change * x.w, o.w); }
    if y.w > 0.0 { offsets[i.y] = vec4<f32>(p.xyz - change * y.w, p.w); }
}
