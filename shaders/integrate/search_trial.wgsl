// A trial of a search along a step of Newton's method, one thread per particle.
#import launch

@group(0) @binding(0) var<uniform> launch: Launch;
@group(0) @binding(1) var<storage, read> row_groups: array<u32>;               // body of each row, if any
@group(0) @binding(2) var<storage, read> group_searches: array<vec2<u32>>;     // whether the body's search has ended, halvings
@group(0) @binding(3) var<storage, read> cg_changes: array<vec4<f32>>;         // Δv, xyz [m/s]
@group(0) @binding(4) var<storage, read> newton_starts: array<vec4<f32>>;      // xyz [m]
@group(0) @binding(5) var<storage, read> newton_base: array<vec4<f32>>;        // where conjugate gradients have started, xyz [m]
@group(0) @binding(6) var<storage, read_write> offsets: array<vec4<f32>>;      // xyz [m], w = the solver's 1/mass
@group(0) @binding(7) var<storage, read_write> search_steps: array<vec4<f32>>; // o − s, xyz [m]; w = 1 while the body's search goes on

@compute @workgroup_size(64)
fn search_trial(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = launch_id(id);
    if i >= launch.count { return; }
    let group = row_groups[i];
    if group == 0xffffffffu { return; }
    if launch.index > 0u && group_searches[group].x != 0u {
        search_steps[i] = vec4<f32>(search_steps[i].xyz, 0.0);
        return;
    }
    let base = newton_base[i].xyz;
    let start = newton_starts[i].xyz;
    let solved = (launch.weight * launch.dt) * cg_changes[i].xyz;
    let step = ((base - start) + solved) * (1.0 / f32(1u << launch.index));
    var to = base + solved;
    if launch.index > 0u { to = start + step; }
    search_steps[i] = vec4<f32>(step, 1.0);
    offsets[i] = vec4<f32>(to, offsets[i].w);
}
