// Bounds of everything drawn, found with integer atomics: the order of arrival cannot change the result.
// The importing file declares `bounds`: the maxima of x y z and of −x −y −z as sortable integers, cleared to zero.

var<workgroup> bounds_local: array<atomic<u32>, 6>;

// Beyond this a square or a cross product leaves the range of f32.
const BOUNDS_LIMIT = 1e15;

fn bounds_drawable(p: vec3<f32>) -> bool {
    return all(abs(p) < vec3(BOUNDS_LIMIT));     // false for NaN as well
}

// Grows with x, and is above zero for every finite x.
fn bounds_key(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

fn bounds_clear(lane: u32) {
    if lane < 6u { atomicStore(&bounds_local[lane], 0u); }
}

fn bounds_include(p: vec3<f32>, radius: f32) {
    for (var k = 0u; k < 3u; k++) {
        atomicMax(&bounds_local[k], bounds_key(p[k] + radius));
        atomicMax(&bounds_local[k + 3u], bounds_key(radius - p[k]));
    }
}

fn bounds_merge(lane: u32) {
    if lane < 6u { atomicMax(&bounds[lane], atomicLoad(&bounds_local[lane])); }
}
