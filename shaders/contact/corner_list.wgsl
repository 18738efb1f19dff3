// The corners of near pairs with their particles, and how many each particle has, one thread per pair. Sums of integers do not
// depend on their order.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> near: array<vec4<u32>>;                    // four corners
@group(0) @binding(2) var<storage, read_write> corners: array<vec2<u32>>;           // particle, 4 pair + corner
@group(0) @binding(3) var<storage, read_write> corner_counts: array<atomic<u32>>;   // corners at each particle

const CORNER_PARTICLE: u32 = 0x3fffffffu;

@compute @workgroup_size(64)
fn corner_list(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let particles = near[k] & vec4<u32>(CORNER_PARTICLE);
    for (var c = 0u; c < 4u; c++) {
        corners[4u * k + c] = vec2<u32>(particles[c], 4u * k + c);
        atomicAdd(&corner_counts[particles[c]], 1u);
    }
}
