// The dipoles in the world that r stands for, for the cells of other bodies; one thread each.
#import induction
#import launch
#import quat

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_rest: array<vec4<f32>>;           // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(2) var<storage, read> induced_places: array<vec4<f32>>;         // [m], w = radius [m]; grid against world
@group(0) @binding(3) var<storage, read> induced_residuals: array<vec4<f32>>;      // r
@group(0) @binding(4) var<storage, read> induced_counts: array<u32>;               // done, iterations of this substep, of all, the most, unfinished
@group(0) @binding(5) var<storage, read_write> induced_sides: array<vec4<f32>>;    // [A m²]

@compute @workgroup_size(64)
fn induce_sides(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || induced_counts[0] != 0u { return; }
    let rest = induced_rest[INDUCTION_RECORDS * i];
    let side = quat_rotate(induced_places[INDUCTION_RECORDS * i + 1u], induced_residuals[i].xyz);
    induced_sides[i] = vec4<f32>(side * (rest.y * rest.z), 0.0);
}
