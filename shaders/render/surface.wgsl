// Copies the solver's positions, made safe to draw, with smooth normals; and measures their bounds.
// A particle gathers the normals of its own triangles in a fixed order, so pictures repeat bit for bit.
#import view
#import bounds

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;           // xyz [m]
@group(0) @binding(2) var<storage, read> incident_starts: array<u32>;           // first entry of each particle, and the end
@group(0) @binding(3) var<storage, read> incident_edges: array<vec2<u32>>;      // the triangle's other two corners, in its winding
@group(0) @binding(4) var<storage, read> radii: array<f32>;                     // of the thickest line or point there [m]
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4<f32>>;      // xyz [m], w: 1 if drawable
@group(0) @binding(6) var<storage, read_write> normals: array<vec4<f32>>;       // xyz: unit or zero, w: radius [m]
@group(0) @binding(7) var<storage, read_write> bounds: array<atomic<u32>, 6>;

// A bad particle takes the place of a good neighbour: its triangles then shrink instead of spanning the picture.
fn safe_position(i: u32) -> vec4<f32> {
    let p = positions[i].xyz;
    if bounds_drawable(p) { return vec4(p, 1.0); }
    for (var s = incident_starts[i]; s < incident_starts[i + 1u]; s++) {
        let edge = incident_edges[s];
        let a = positions[edge.x].xyz;
        if bounds_drawable(a) { return vec4(a, 0.0); }
        let b = positions[edge.y].xyz;
        if bounds_drawable(b) { return vec4(b, 0.0); }
    }
    return vec4(view.focus.xyz, 0.0);
}

@compute @workgroup_size(64)
fn surface(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = id.y * groups.x * 64u + id.x;
    bounds_clear(lane);
    workgroupBarrier();
    if i < view.counts.x {
        let p = safe_position(i);
        var normal = vec3(0.0);
        for (var s = incident_starts[i]; s < incident_starts[i + 1u]; s++) {
            let edge = incident_edges[s];
            let area = cross(positions[edge.x].xyz - p.xyz, positions[edge.y].xyz - p.xyz);
            if bounds_drawable(area) { normal += area; }
        }
        let length = length(normal);
        vertices[i] = p;
        normals[i] = vec4(select(vec3(0.0), normal / length, length > 0.0), radii[i]);
        if p.w > 0.0 { bounds_include(p.xyz, radii[i]); }
    }
    workgroupBarrier();
    bounds_merge(lane);
}
