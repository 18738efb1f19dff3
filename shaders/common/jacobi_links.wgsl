// What the links of a particle ask of it. src/constraints/jacobi_links.rs says how they are stored. The kernel binds `world`,
// `distance_starts`, `distance_slots`, `distance_rest`, `positions` and `offsets` and has jacobi_lambdas and jacobi_keep.
#import distance_law

const JACOBI_SLICE: u32 = 8u;      // particles whose cells are stored together

// −n Δλ and Δλ of the link in a slot, as the particle at xi + oi sees it. `rest` is L, α stretched and α compressed, `rates`
// 1/dt² and the relaxation.
fn jacobi_slot(j: u32, xi: vec4<f32>, oi: vec4<f32>, rest: vec3<f32>, lambda: f32, rates: vec2<f32>) -> vec4<f32> {
    let oj = offsets[j];
    let d = (positions[j].xyz - xi.xyz) + (oj.xyz - oi.xyz);
    let dl = rates.y * distance_law(d, oi.w + oj.w, rest.x, rest.yz, lambda, rates.x);
    return vec4<f32>(-dl.xyz, dl.w);
}

// −Σ n Δλ over the links of particle i.
fn jacobi_sum(i: u32, xi: vec4<f32>, oi: vec4<f32>) -> vec3<f32> {
    // Read here once: software adapters fetch what they read in a loop again for each lane.
    let rates = vec2<f32>(1.0 / (launch.dt * launch.dt), world.relaxation);
    var sum = vec3<f32>(0.0);
    let slice = i / JACOBI_SLICE;
    let end = distance_starts[slice + 1u];
    for (var row = distance_starts[slice]; row < end; row += JACOBI_SLICE) {
        let cell = row + i % JACOBI_SLICE;
        let slots = distance_slots[cell];
        let lengths = distance_rest[3u * cell];
        let stretched = distance_rest[3u * cell + 1u];
        let compressed = distance_rest[3u * cell + 2u];
        let lambdas = jacobi_lambdas(cell);
        let a = jacobi_slot(slots.x, xi, oi, vec3<f32>(lengths.x, stretched.x, compressed.x), lambdas.x, rates);
        let b = jacobi_slot(slots.y, xi, oi, vec3<f32>(lengths.y, stretched.y, compressed.y), lambdas.y, rates);
        let c = jacobi_slot(slots.z, xi, oi, vec3<f32>(lengths.z, stretched.z, compressed.z), lambdas.z, rates);
        let d = jacobi_slot(slots.w, xi, oi, vec3<f32>(lengths.w, stretched.w, compressed.w), lambdas.w, rates);
        sum = (((sum + a.xyz) + b.xyz) + c.xyz) + d.xyz;
        jacobi_keep(cell, lambdas + vec4<f32>(a.w, b.w, c.w, d.w));
    }
    return sum;
}
