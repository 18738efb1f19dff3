// The solve begins with the magnetisation that the substep before has left; one thread a cell.
#import induction
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> induced_rest: array<vec4<f32>>;               // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
@group(0) @binding(2) var<storage, read> magnetisations: array<vec4<f32>>;             // along the grid [A/m]
@group(0) @binding(3) var<storage, read_write> induced_residuals: array<vec4<f32>>;    // r

@compute @workgroup_size(64)
fn induce_guess(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let scale = induced_rest[INDUCTION_RECORDS * i].z;
    induced_residuals[i] = vec4<f32>(magnetisations[i].xyz / scale, 0.0);
}
