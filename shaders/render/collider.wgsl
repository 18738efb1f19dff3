// Puts the vertices of the colliders into the world, behind those of the particles.
#import view
#import bounds

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> collider_vertices: array<vec4<f32>>;    // xyz in the collider's frame [m], w: its index
@group(0) @binding(2) var<storage, read> collider_normals: array<vec4<f32>>;     // xyz: unit, w: 1 if it casts shadows
@group(0) @binding(3) var<storage, read> collider_poses: array<mat4x4<f32>>;     // world from collider
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> normals: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> bounds: array<atomic<u32>, 6>;

@compute @workgroup_size(64)
fn collider(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = id.y * groups.x * 64u + id.x;
    bounds_clear(lane);
    workgroupBarrier();
    if i < view.counts.y - view.counts.x {
        let vertex = collider_vertices[i];
        let normal = collider_normals[i];
        let pose = collider_poses[u32(vertex.w)];
        let p = (pose * vec4(vertex.xyz, 1.0)).xyz;
        let good = bounds_drawable(p);
        vertices[view.counts.x + i] = vec4(select(view.focus.xyz, p, good), select(0.0, 1.0, good));
        normals[view.counts.x + i] = vec4((pose * vec4(normal.xyz, 0.0)).xyz, 0.0);
        if good && normal.w > 0.0 { bounds_include(p, 0.0); }
    }
    workgroupBarrier();
    bounds_merge(lane);
}
