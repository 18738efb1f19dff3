// The preconditioner of each particle: the inverse of its own block of κ M + τ² K + τ D, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> corner_starts: array<u32>;            // where each particle's slots begin, and one end
@group(0) @binding(2) var<storage, read> corner_slots: array<u32>;             // corners
@group(0) @binding(3) var<storage, read> corner_blocks: array<vec4<f32>>;     // xx, yy, zz; xy, yz, zx [kg], two per corner
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(5) var<storage, read_write> cg_blocks: array<vec4<f32>>;   // xx, yy, zz; xy, yz, zx [1/kg], two per particle
@group(0) @binding(6) var<storage, read_write> cg_counts: array<u32>;         // done, iterations of this substep, of all, the most, unfinished

@compute @workgroup_size(64)
fn cg_block(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    if i == 0u {
        cg_counts[4] += select(0u, 1u, cg_counts[0] == 0u && cg_counts[1] > 0u);
        cg_counts[0] = 0u;
        cg_counts[1] = 0u;
    }
    let w = positions[i].w;
    var diagonal = vec3<f32>(0.0);
    var off = vec3<f32>(0.0);
    if w > 0.0 {
        diagonal = vec3<f32>(launch.weight / w);
        for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
            let slot = 2u * corner_slots[s];
            diagonal += corner_blocks[slot].xyz;
            off += corner_blocks[slot + 1u].xyz;
        }
        // The adjugate over the determinant.
        let a = diagonal.yzx * diagonal.zxy - off.yzx * off.yzx;
        let b = off.yzx * off.zxy - off * diagonal.zxy;
        let determinant = diagonal.x * a.x + off.x * b.x + off.z * b.z;
        diagonal = a / determinant;
        off = b / determinant;
    }
    cg_blocks[2u * i] = vec4<f32>(diagonal, 0.0);
    cg_blocks[2u * i + 1u] = vec4<f32>(off, 0.0);
}
