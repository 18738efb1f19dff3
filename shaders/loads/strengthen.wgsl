// How strong each load is in this substep, one thread per load. src/loads/strengthen.rs has the equations.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                      // substeps done
@group(0) @binding(3) var<storage, read> load_laws: array<vec4<u32>>;            // keys: first, end; parts of the volume: first, end
@group(0) @binding(4) var<storage, read> load_numbers: array<vec4<f32>>;         // s₀, p_a [Pa], c [m³/(s Pa)], first volume [m³]; 1 for a gas
@group(0) @binding(5) var<storage, read> load_keys: array<vec2<f32>>;            // time [s], k
@group(0) @binding(6) var<storage, read> volume_parts: array<f32>;               // [m³]
@group(0) @binding(7) var<storage, read_write> gas_amounts: array<f32>;          // N [J]
@group(0) @binding(8) var<storage, read_write> strengths: array<f32>;            // s, or p [Pa]

@compute @workgroup_size(64)
fn strengthen(@builtin(global_invocation_id) id: vec3<u32>) {
    let load = launch_id(id);
    if load >= launch.count { return; }
    let ranges = load_laws[load];
    let law = load_numbers[2u * load];
    let more = load_numbers[2u * load + 1u];
    let time = world_time(world, clock[0], launch.dt);
    var k = 1.0;
    for (var i = ranges.x; i < ranges.y; i++) {
        let key = load_keys[i];
        if i == ranges.x || time >= key.x { k = key.y; }
        if i + 1u < ranges.y && time >= key.x {
            let next = load_keys[i + 1u];
            let share = min((time - key.x) / (next.x - key.x), 1.0);
            k = key.y + (next.y - key.y) * share;
        }
    }
    var strength = law.x * k;
    if more.x != 0.0 {
        var volume = 0.0;
        for (var part = ranges.z; part < ranges.w; part++) { volume += volume_parts[part]; }
        let amount = gas_amounts[load];
        let inside = k * amount / max(volume, law.w * 1e-3);
        strength = inside - law.y;
        let lost = launch.dt * law.z * inside * strength;
        gas_amounts[load] = max(amount - lost, 0.0);
    }
    strengths[load] = strength;
}
