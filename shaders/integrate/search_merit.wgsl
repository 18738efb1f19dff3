// How the incremental potential of a particle differs between the start of a search and its trial, one thread per particle.
#import launch
#import world

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<uniform> world: World;
@group(0) @binding(2) var<storage, read> corner_starts: array<u32>;           // where each particle's slots begin, and one end
@group(0) @binding(3) var<storage, read> corner_slots: array<u32>;            // places in `corner_energies`
@group(0) @binding(4) var<storage, read> corner_energies: array<f32>;         // ΔU [J]
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;         // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(6) var<storage, read> inertial: array<vec4<f32>>;          // ô, xyz [m]; w = share of the mass
@group(0) @binding(7) var<storage, read> newton_starts: array<vec4<f32>>;     // s, xyz [m]
@group(0) @binding(8) var<storage, read> search_steps: array<vec4<f32>>;      // o − s, xyz [m]; w = 1 while the body's search goes on
@group(0) @binding(9) var<storage, read_write> merits: array<f32>;            // ΔΦ [kg m²]

const WEIGHS: u32 = 1u;

@compute @workgroup_size(64)
fn search_merit(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count || search_steps[i].w == 0.0 { return; }
    let w = positions[i].w;
    let tau = launch.weight * launch.dt;
    var elastic = 0.0;
    for (var s = corner_starts[i]; s < corner_starts[i + 1u]; s++) {
        elastic += corner_energies[corner_slots[s]];
    }
    var merit = tau * tau * elastic;
    if w > 0.0 && corner_starts[i + 1u] > corner_starts[i] {
        let step = search_steps[i].xyz;
        let lever = (newton_starts[i].xyz - inertial[i].xyz) + 0.5 * step;
        merit += inertial[i].w / w * dot(step, lever);
        if (launch.flags & WEIGHS) != 0u { merit -= tau * tau / w * dot(step, world.gravity.xyz); }
    }
    merits[i] = merit;
}
