// The turn of a frame since its quaternion: at the first of its steps what rounding kept, then that of the substep so far.
// The kernel binds `launch`, `frames` and `turns`.

fn frame_turn(k: u32) -> vec3<f32> {
    if launch.index == 0u { return frames[2u * k + 1u].xyz; }
    return turns[k].xyz;
}
