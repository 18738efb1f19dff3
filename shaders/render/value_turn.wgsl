// By how much the material frames of each rod are turned about their tangents, against the frame that is carried from its
// start without twist. The same as `frame_turns` in src/model/fields.rs; a thread walks along a rod.
#import frame

const TURN = 6.2831853;
const OPPOSITE = 1e-6;        // 1 + the cosine of tangents that have no shortest way from one to the other
const WALL = 1u;

@group(0) @binding(0) var<storage, read> frames: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> turned_rods: array<vec2<u32>>;     // their frames: first, and the end
@group(0) @binding(2) var<storage, read> frame_kinds: array<u32>;
@group(0) @binding(3) var<storage, read_write> frame_turns: array<f32>;     // [degrees]

// The shortest turn from one unit vector to another.
fn arc(a: vec3<f32>, b: vec3<f32>) -> vec4<f32> {
    let w = 1.0 + dot(a, b);
    let aside = normalize(select(cross(a, vec3(0.0, 1.0, 0.0)), cross(a, vec3(1.0, 0.0, 0.0)), abs(a.x) < 0.7));
    return select(vec4(aside, 0.0), normalize(vec4(cross(a, b), w)), w > OPPOSITE);
}

@compute @workgroup_size(64)
fn value_turn(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.y * groups.x * 64u + id.x;
    if i >= arrayLength(&turned_rods) { return; }
    var carried = vec4(0.0);
    var begun = false;
    var turn = 0.0;
    for (var k = turned_rods[i].x; k < turned_rods[i].y; k++) {
        if frame_kinds[k] == WALL { continue; }
        let q = frame_orientation(k);
        var free = q;
        if begun {
            let tangent = vec3(0.0, 0.0, 1.0);
            free = normalize(frame_product(arc(frame_turn(carried, tangent), frame_turn(q, tangent)), carried));
        }
        let across = frame_turn(frame_back(free), frame_turn(q, vec3(1.0, 0.0, 0.0)));
        let angle = atan2(across.y, across.x);
        turn = angle + TURN * round((turn - angle) / TURN);
        carried = free;
        begun = true;
        frame_turns[k] = degrees(turn);
    }
}
