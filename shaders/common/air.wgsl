// The wind at a time.
#import world

const AIR_TURN: f32 = 6.283185307;

// The sine by its series: a device's own may be wrong in the fourth digit.
fn air_sine(angle: f32) -> f32 {
    let turns = angle / AIR_TURN;
    let r = turns - round(turns);
    // sin(π − x) = sin x brings the rest of a turn to a quarter of one, where seven digits need six terms.
    let x = AIR_TURN * select(r, sign(r) * 0.5 - r, abs(r) > 0.25);
    let s = x * x;
    return x * (1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 + s * (-1.0 / 5040.0 + s * (1.0 / 362880.0 - s / 39916800.0)))));
}

fn air_velocity(world: World, time: f32) -> vec3<f32> {
    return world.wind.xyz * (1.0 + world.gust_amplitude * air_sine(world.gust_frequency * time));
}
