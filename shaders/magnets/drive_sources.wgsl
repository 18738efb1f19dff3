// Where the fields of a scene are in this substep, and how strong; one thread each.
#import launch
#import track
#import turn
#import world

const DRIVE_STILL: u32 = 0xffffffffu;
const DRIVE_REST: u32 = 6u;
const DRIVE_RECORDS: u32 = 5u;
const DRIVE_TAU: f32 = 6.283185307179586;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                       // substeps done
@group(0) @binding(3) var<storage, read> source_laws: array<vec4<u32>>;           // keys: first, end; track
@group(0) @binding(4) var<storage, read> source_keys: array<vec4<f32>>;           // time [s], factor
@group(0) @binding(5) var<storage, read> source_rest: array<vec4<f32>>;           // as at the start; then frequency [1/s], phase [rad]
@group(0) @binding(6) var<storage, read> tracks: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> track_keys: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> field_sources: array<vec4<f32>>;

@compute @workgroup_size(64)
fn drive_sources(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let law = source_laws[i];
    let time = world_time(world, clock[0], launch.dt);
    var k = 1.0;
    for (var n = law.x; n < law.y; n++) {
        let at = source_keys[n];
        if n == law.x || time >= at.x { k = at.y; }
        if n + 1u < law.y && time >= at.x {
            let next = source_keys[n + 1u];
            k = at.y + (next.y - at.y) * min((time - at.x) / (next.x - at.x), 1.0);
        }
    }
    let rest = DRIVE_REST * i;
    let wave = source_rest[rest + 5u];
    let turns = time * wave.x;
    let strength = k * cos(DRIVE_TAU * (turns - floor(turns)) + wave.y);
    var place = source_rest[rest];
    var axes = source_rest[rest + 1u];
    if law.z != DRIVE_STILL {
        place = vec4<f32>(track_point(law.z, time, place.xyz), place.w);
        axes = turn_product(track_pose(law.z, time).rotation, axes);
    }
    let start = DRIVE_RECORDS * i;
    field_sources[start] = place;
    field_sources[start + 1u] = axes;
    field_sources[start + 2u] = source_rest[rest + 2u];
    field_sources[start + 3u] = source_rest[rest + 3u];
    field_sources[start + 4u] = vec4<f32>(source_rest[rest + 4u].xyz, strength);
}
