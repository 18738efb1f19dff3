// The law of a contact: a spring that keeps two surfaces their thickness apart, with dry friction.

const TOUCH_MARGIN: f32 = 0.1;       // share of the thickness at which a gap begins to take part
const TOUCH_RECOVERY: f32 = 30.0;    // thicknesses a second by which depth without load is taken back [1/s]

// The impulse that a contact begins a substep with: what its spring carries, and what friction held before as far as it still can.
fn touch_begin(plane: vec4<f32>, tilde: f32, held: vec3<f32>, static_mu: f32) -> vec4<f32> {
    let normal = max(-plane.w / tilde, 0.0);
    var tangential = held - plane.xyz * dot(plane.xyz, held);
    let size = length(tangential);
    let most = static_mu * normal;
    if size > most { tangential = tangential * (most / size); }
    return vec4<f32>(tangential, normal);
}

// The impulse after one more iteration: tangential in xyz, normal in w [kg m].
fn touch_project(before: vec4<f32>, plane: vec4<f32>, moved: vec3<f32>, weight: f32, tilde: f32, way_out: f32, mu: vec2<f32>) -> vec4<f32> {
    let n = plane.xyz;
    let along = dot(n, moved);
    let spring = -(plane.w + along + tilde * before.w) / (weight + tilde);
    let change = min(spring, (way_out - along) / weight);
    let normal = max(before.w + change, 0.0);
    var tangential = before.xyz - (moved - n * along) / weight;
    let size = length(tangential);
    if size > mu.x * normal { tangential = tangential * (mu.y * normal / size); }
    return vec4<f32>(tangential, normal);
}

// How far a contact takes part in a substep, from 0 for one that stays open to 1 for one that is closed or will be.
fn touch_part(gap: f32, along: f32, thickness: f32) -> f32 {
    let nearest = gap + min(along, 0.0);
    return clamp(1.0 - nearest / (TOUCH_MARGIN * thickness), 0.0, 1.0);
}
