// Conjugate gradients from Δv = 0, one thread per particle.
#import launch
#import world
#import block3

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> corner_starts: array<u32>;                    // where each particle's slots begin, and one end
@group(0) @binding(3) var<storage, read> corner_slots: array<u32>;                     // places in `corner_forces`
@group(0) @binding(4) var<storage, read> corner_forces: array<vec4<f32>>;             // xyz [N]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;                 // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> cg_blocks: array<vec4<f32>>;                 // xx, yy, zz; xy, yz, zx [1/kg], two per particle
@group(0) @binding(7) var<storage, read_write> cg_residuals: array<vec4<f32>>;        // xyz [N s]
@group(0) @binding(8) var<storage, read_write> cg_preconditioned: array<vec4<f32>>;   // xyz [m/s]
@group(0) @binding(9) var<storage, read_write> cg_directions: array<vec4<f32>>;       // xyz [m/s]

@compute @workgroup_size(64)
fn cg_start(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    var force = vec3<f32>(0.0);
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        force += corner_forces[corner_slots[s]].xyz;
    }
    let w = positions[i].w;
    if launch.weight > 0.0 && w > 0.0 { force += (launch.weight / w) * world.gravity.xyz; }
    let r = launch.dt * force;
    let z = vec4<f32>(block3_multiply(cg_blocks[2u * i].xyz, cg_blocks[2u * i + 1u].xyz, r), 0.0);
    cg_residuals[i] = vec4<f32>(r, 0.0);
    cg_preconditioned[i] = z;
    cg_directions[i] = z;
}
