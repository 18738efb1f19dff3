// H of dipoles, for cells that fields magnetise. src/magnets/induction.rs has the equations.

const INDUCTION_RECORDS: u32 = 2u;
const INDUCTION_SPHERE: f32 = 12.566371;    // 4π

// At x from a dipole [A/m]. Nearer than `nearest` it fades.
fn induction_dipole(x: vec3<f32>, nearest: f32, moment: vec3<f32>) -> vec3<f32> {
    let size = length(x);
    if size == 0.0 { return vec3<f32>(0.0); }
    let n = x / size;
    let distance = max(size, nearest);
    let share = size / distance;
    let strength = share * share / (INDUCTION_SPHERE * distance * distance * distance);
    return (n * (3.0 * dot(moment, n)) - moment) * strength;
}
