// Finds particles that are not finite or too fast, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;     // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;    // xyz [m/s]
// From `launch.base`: first lost, first runaway, number lost, number of runaways.
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

const WATCH_EXPONENT: u32 = 0x7f800000u;

// Comparisons may be compiled as if nothing were infinite; the bits of the exponent cannot.
fn watch_finite(v: vec3<f32>) -> bool {
    let exponents = bitcast<vec3<u32>>(v) & vec3<u32>(WATCH_EXPONENT);
    return all(exponents != vec3<u32>(WATCH_EXPONENT));
}

@compute @workgroup_size(64)
fn watch(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let v = velocities[i].xyz;
    if !(watch_finite(positions[i].xyz) && watch_finite(v)) {
        atomicMin(&status[launch.base], i);
        atomicAdd(&status[launch.base + 2u], 1u);
    } else if length(v) > launch.weight {
        atomicMin(&status[launch.base + 1u], i);
        atomicAdd(&status[launch.base + 3u], 1u);
    }
}
