// What an element leaves of its stiffness, and the 3×3 blocks made of it. src/integrate/factors.rs has the layouts.
// Wants a buffer `corner_blocks`.

const FACTORS_SHIFT: u32 = 6u;
const FACTORS_TRIANGLE: u32 = 0u;
const FACTORS_FOLD: u32 = 1u;
const FACTORS_FRAME: u32 = 2u;

fn factors_dyad(y: vec3<f32>, n: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(n.x * y, n.y * y, n.z * y);
}

fn factors_diagonal(s: f32) -> mat3x3<f32> {
    return mat3x3<f32>(s, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, s);
}

// The block of corners i and j, neither of them the origin, of an element with so many others.
fn factors_stored(place: u32, corners: u32, i: u32, j: u32) -> mat3x3<f32> {
    let low = min(i, j);
    let high = max(i, j);
    var before = 5u * (low - 1u);
    if corners == 3u && low == 2u { before = 8u; }
    if corners == 3u && low == 3u { before = 13u; }
    let first = place + before;
    if low == high {
        let d = corner_blocks[first].xyz;
        let o = corner_blocks[first + 1u].xyz;
        return mat3x3<f32>(d.x, o.x, o.z, o.x, d.y, o.y, o.z, o.y, d.z);
    }
    let column = first + 2u + 3u * (high - low - 1u);
    let block = mat3x3<f32>(corner_blocks[column].xyz, corner_blocks[column + 1u].xyz, corner_blocks[column + 2u].xyz);
    if i < j { return block; }
    return transpose(block);
}

fn factors_dense(place: u32, corners: u32, a: u32, b: u32) -> mat3x3<f32> {
    var sum = mat3x3<f32>();
    for (var i = 1u; i <= corners; i++) {
        for (var j = 1u; j <= corners; j++) {
            if (a == 0u || a == i) && (b == 0u || b == j) {
                let block = factors_stored(place, corners, i, j);
                if (a == 0u) == (b == 0u) { sum += block; } else { sum -= block; }
            }
        }
    }
    return sum;
}

// The gradient of a corner of three vectors, of which `origin` is minus their sum.
fn factors_gradient(place: u32, corner: u32, origin: u32) -> vec3<f32> {
    if corner == origin {
        return -(corner_blocks[place].xyz + corner_blocks[place + 1u].xyz + corner_blocks[place + 2u].xyz);
    }
    return corner_blocks[place + corner - select(0u, 1u, corner > origin)].xyz;
}

// The block of an entry.
fn factors_block(entry: u32) -> mat3x3<f32> {
    let place = entry >> FACTORS_SHIFT;
    let kind = (entry >> 4u) & 3u;
    let a = (entry >> 2u) & 3u;
    let b = entry & 3u;
    if kind == FACTORS_TRIANGLE { return factors_dense(place, 2u, a, b); }
    if kind == FACTORS_FOLD {
        let k = corner_blocks[place].w;
        return factors_dyad(k * factors_gradient(place, a, 2u), factors_gradient(place, b, 2u));
    }
    if kind == FACTORS_FRAME {
        let v = factors_gradient(place, a, 0u);
        let w = factors_gradient(place, b, 0u);
        let lambda = corner_blocks[place].w;
        let mu = corner_blocks[place + 1u].w;
        let own = mu * dot(v, w) + select(0.0, corner_blocks[place + 2u].w, a == b);
        return factors_dyad(lambda * v, w) + factors_dyad(mu * w, v) + factors_diagonal(own);
    }
    return factors_dense(place, 3u, a, b) + factors_diagonal(select(0.0, corner_blocks[place].w, a == b));
}
