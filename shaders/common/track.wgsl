// Keyframed motion: a track moves points rigidly, linearly between keys and at rest outside them.
// The kernel binds `tracks` (first record, number of keys) and `track_keys`, whose records are the pivot,
// then for each key (time [s], offset [m]) and the rotation about the pivot as a quaternion.
#import quat

// Where the track has carried `anchor` at a time.
fn track_point(track: u32, time: f32, anchor: vec3<f32>) -> vec3<f32> {
    let pivot = track_keys[tracks[track].x].xyz;
    let pose = track_pose(track, time);
    return pivot + pose.offset + quat_rotate(pose.rotation, anchor - pivot);
}

struct TrackPose {
    offset: vec3<f32>,
    rotation: vec4<f32>,
}

fn track_pose(track: u32, time: f32) -> TrackPose {
    let first = tracks[track].x + 1u;
    let count = tracks[track].y;
    var k = 0u;
    while k + 1u < count && track_keys[first + 2u * (k + 1u)].x <= time {
        k++;
    }
    let n = min(k + 1u, count - 1u);
    let a = track_keys[first + 2u * k];
    let b = track_keys[first + 2u * n];
    let span = b.x - a.x;
    let t = select(0.0, clamp((time - a.x) / span, 0.0, 1.0), span > 0.0);
    let rotation = quat_blend(track_keys[first + 2u * k + 1u], track_keys[first + 2u * n + 1u], t);
    return TrackPose(a.yzw + t * (b.yzw - a.yzw), rotation);
}
