// Where each collider is at the end of the substep and how it got there, one thread per collider.
#import launch
#import world
#import track

const CARRY_STILL: u32 = 0xffffffffu;

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> clock: array<u32>;                     // substeps done
@group(0) @binding(3) var<storage, read> colliders: array<vec4<u32>>;           // kind, track
@group(0) @binding(4) var<storage, read> collider_rest: array<vec4<f32>>;       // position [m]; rotation
@group(0) @binding(5) var<storage, read> tracks: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> track_keys: array<vec4<f32>>;
// Position [m]; rotation; way in the substep [m]; turn in the substep.
@group(0) @binding(7) var<storage, read_write> collider_poses: array<vec4<f32>>;

// v − q̄ v q: how far a turn has brought the point that is now at v, in full digits also for a small turn.
fn carry_swing(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return q.w * t - cross(q.xyz, t);
}

// The rotation b followed by a.
fn carry_product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

@compute @workgroup_size(64)
fn carry(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = launch_id(id);
    if k >= launch.count { return; }
    let track = colliders[k].y;
    var position = collider_rest[2u * k];
    var rotation = collider_rest[2u * k + 1u];
    var way = vec4<f32>(0.0);
    var turn = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    if track != CARRY_STILL {
        let time = world_time(world, clock[0], launch.dt);
        let before = track_pose(track, time - launch.dt);
        let after = track_pose(track, time);
        let pivot = track_keys[tracks[track].x].xyz;
        let arm = quat_rotate(after.rotation, position.xyz - pivot);
        position = vec4<f32>(pivot + after.offset + arm, 0.0);
        rotation = carry_product(after.rotation, rotation);
        turn = carry_product(after.rotation, quat_conjugate(before.rotation));
        way = vec4<f32>((after.offset - before.offset) + carry_swing(turn, arm), 0.0);
    }
    collider_poses[4u * k] = position;
    collider_poses[4u * k + 1u] = rotation;
    collider_poses[4u * k + 2u] = way;
    collider_poses[4u * k + 3u] = turn;
}
