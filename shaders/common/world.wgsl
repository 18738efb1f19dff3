// What is the same everywhere during a step.

struct World {
    gravity: vec4<f32>,      // xyz [m/s²]
    wind: vec4<f32>,         // xyz velocity [m/s], w air density [kg/m³]
    keep: f32,               // share of the velocity that damping leaves after a substep
    relaxation: f32,         // ω of the constraint solver
    start: f32,              // time at clock 0 [s]
    gust_amplitude: f32,     // share of the wind's velocity
    gust_frequency: f32,     // [rad/s]
}

// The time at the end of substep number `clock` of `dt` seconds [s].
fn world_time(world: World, clock: u32, dt: f32) -> f32 {
    return world.start + f32(clock + 1u) * dt;
}
