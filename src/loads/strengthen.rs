//! How strong each load is in this substep: its value, by its keys over time, and the pressure of a gas by its volume.
//!
//!   s = s₀ k(t)                                  k is linear between keys and constant outside of them
//!   p = k(t) N / V − p_a                         of a gas of amount N = p V [J] in surroundings of pressure p_a
//!   N ← N − dt c (p + p_a) p                     what leaks: a volume c p a second, of the pressure inside
//!
//! At constant temperature (Boyle). A volume that has vanished counts as a thousandth of the first one, so that the pressure stays finite.

use crate::math::Real;
use crate::particles::World;

/// Vectors of `load_numbers` for each load.
pub const NUMBERS: u32 = 2;
/// The least share of the first volume that a gas is taken to have.
const LEAST: f64 = 1e-3;

crate::kernel! {
    "loads/strengthen" => strengthen per Invocation {
        uniform world: World,
        read clock: uint,               // substeps done
        read load_laws: uint4,          // keys: first, end; parts of the volume: first, end
        read load_numbers: real4,       // s₀, p_a [Pa], c [m³/(s Pa)], first volume [m³]; 1 for a gas
        read load_keys: real2,          // time [s], k
        read volume_parts: real,        // [m³]
        write gas_amounts: real,        // N [J]
        write strengths: real,          // s, or p [Pa]
    }
}

#[inline(always)]
fn strengthen<R: Real>(b: &Bindings<R>, load: u32) {
    let [first_key, end_key, first_part, end_part] = b.load_laws[load as usize];
    let (law, more) =
        (b.load_numbers[(NUMBERS * load) as usize], b.load_numbers[(NUMBERS * load) as usize + 1]);
    let time = b.world.time(b.clock[0], b.launch.dt);
    let mut k = R::ONE;
    for i in first_key..end_key {
        let [at, factor] = b.load_keys[i as usize];
        if i == first_key || time >= at {
            k = factor;
        }
        if i + 1 < end_key && time >= at {
            let [next, to] = b.load_keys[i as usize + 1];
            let share = ((time - at) / (next - at)).min(R::ONE);
            k = factor + (to - factor) * share;
        }
    }
    let mut strength = law.x * k;
    if more.x != R::ZERO {
        let mut volume = R::ZERO;
        for part in first_part..end_part {
            volume += b.volume_parts[part as usize];
        }
        let amount = b.gas_amounts.get(load);
        let inside = k * amount / volume.max(law.w * R::of(LEAST));
        strength = inside - law.y;
        let lost = b.launch.dt * law.z * inside * strength;
        b.gas_amounts.set(load, (amount - lost).max(R::ZERO));
    }
    b.strengths.set(load, strength);
}
