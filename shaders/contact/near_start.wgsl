// Where each corner is as a list is made, and how far it may go while that list holds; one thread per corner.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;               // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(2) var<storage, read> contact_reaches: array<vec2<f32>>;         // reach [m], b [m]
@group(0) @binding(3) var<storage, read> contact_skins: array<f32>;                 // largest skin [m]
@group(0) @binding(4) var<storage, read_write> near_made: array<vec4<f32>>;         // xyz [m], w = B [m]
@group(0) @binding(5) var<storage, read_write> near_spans: array<f32>;              // reach within the list [m]
@group(0) @binding(6) var<storage, read_write> corner_counts: array<u32>;           // cleared

const START_SUBSTEPS: f32 = 4.0;        // budgets that a list is to last for
const START_ROUNDING: f32 = 1.0001;     // spans are larger by this, so that rounding excludes nobody

@compute @workgroup_size(64)
fn near_start(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let reach = contact_reaches[i];
    let skin = min(START_SUBSTEPS * reach.y, contact_skins[i]);
    near_made[i] = vec4<f32>(positions[i].xyz, reach.y + skin);
    near_spans[i] = select(START_ROUNDING * (reach.x + skin), -1.0, reach.x < 0.0);
    corner_counts[i] = 0u;
}
