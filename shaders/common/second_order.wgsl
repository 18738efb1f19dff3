// Steps of second order. See `src/particles/second_order.rs`.

const SECOND_SHARE: f32 = 0.6666667;     // γ over dt
const SECOND_SUDDEN: f32 = 0.25;         // the square of the part of a way by which it may change in a substep

// Where inertia leads, of the velocity v that what acts has made of v_n, of v_n and v_{n−1}, and of the last way.
fn second_lead(v: vec3<f32>, now: vec3<f32>, before: vec3<f32>, way: vec3<f32>, dt: f32) -> vec3<f32> {
    let mean = now + (now - before) * (1.0 / 3.0);
    return way * (1.0 / 3.0) + (mean + (v - now) * SECOND_SHARE) * (SECOND_SHARE * dt);
}

struct SecondPast {
    now: vec4<f32>,       // v_n and dt, 0 without a past
    before: vec4<f32>,    // v_{n−1}
    way: vec4<f32>,       // of the last substep
}

// The past at the end of a substep, whose velocity comes first in it.
fn second_finished(first_order: vec3<f32>, past: SecondPast, dt: f32) -> SecondPast {
    let way = first_order * dt;
    let before = past.way.xyz;
    let is_new = past.now.w != dt;
    let change = way - before;
    let has_jumped = !is_new && dot(change, change) > SECOND_SUDDEN * max(dot(way, way), dot(before, before));
    var v = (way - before * (1.0 / 3.0)) / (SECOND_SHARE * dt);
    if is_new || has_jumped { v = first_order; }
    return SecondPast(vec4<f32>(v, select(dt, 0.0, has_jumped)), vec4<f32>(past.now.xyz, 0.0), vec4<f32>(way, 0.0));
}
