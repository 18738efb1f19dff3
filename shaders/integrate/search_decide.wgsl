// Whether a body's search has ended, one thread per body.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> group_blocks: array<vec2<u32>>;               // blocks of each body: first, end
@group(0) @binding(2) var<storage, read> dot_parts: array<f32>;                        // ΔΦ [kg m²], one per block
@group(0) @binding(3) var<storage, read_write> group_searches: array<vec2<u32>>;       // whether the body's search has ended, halvings

@compute @workgroup_size(64)
fn search_decide(@builtin(global_invocation_id) id: vec3<u32>) {
    let group = launch_id(id);
    if group >= launch.count { return; }
    let search = group_searches[group];
    if launch.index > 0u && search.x != 0u { return; }
    var sum = 0.0;
    for (var k = group_blocks[group].x; k < group_blocks[group].y; k++) { sum += dot_parts[k]; }
    let is_lower = sum <= 0.0;
    group_searches[group] = vec2<u32>(select(0u, 1u, is_lower), search.y + select(1u, 0u, is_lower));
}
