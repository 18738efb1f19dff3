// What the constraint kernels share: the step of a multiplier, and where its correction goes.
// The kernel binds `launch`, `offsets` and `corrections`. src/constraints/iterate.rs has the equations.

const ITERATE_KEEP: u32 = 1u;     // a later pass reads the multipliers
const ITERATE_JACOBI: u32 = 2u;   // each corner's correction goes to a slot of its own

// 1/(Σ Wᵢ |∇ᵢC|² + α̃), or nothing where no corner can move.
fn iterate_gain(weighted_square: f32, tilde: f32) -> f32 {
    let movable = weighted_square > 0.0;
    return select(0.0, 1.0 / select(1.0, weighted_square + tilde, movable), movable);
}

// Whether λ' = mix(λ₋, λ + Δλ, launch.weight) and λ are to be stored.
fn iterate_keeps() -> bool {
    return (launch.flags & ITERATE_KEEP) != 0u;
}

// Moves particle `i`, a corner of some element, by its correction, or in Jacobi leaves that in the corner's slot.
fn iterate_apply(slot: u32, i: u32, offset: vec4<f32>, correction: vec3<f32>) {
    if (launch.flags & ITERATE_JACOBI) != 0u {
        corrections[launch.base + slot] = vec4<f32>(correction, 0.0);
    } else {
        offsets[i] = vec4<f32>(offset.xyz + correction, offset.w);
    }
}
