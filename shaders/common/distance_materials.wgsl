// How links are packed, and what they are made of.

const DISTANCE_PARTICLE: u32 = 0x7fffffu;   // bits of a particle's index; those above are the material's
const DISTANCE_SHIFT: u32 = 23u;

// The compliances of all materials.
struct DistanceMaterials {
    compliances: array<vec4<f32>, 256>,   // of two: α/g stretched, compressed [m/N]; negative: slack
}

// α/g of a packed slot's material. The kernel binds `distance_materials`.
fn distance_compliances(packed: u32) -> vec2<f32> {
    let material = packed >> DISTANCE_SHIFT;
    let two = distance_materials.compliances[material >> 1u];
    return select(two.xy, two.zw, (material & 1u) != 0u);
}
