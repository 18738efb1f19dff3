// The field of a uniformly magnetised cuboid. src/magnets/field/bar.rs says how.
#import angle
#import dipole

const BAR_QUARTER: f32 = 0.07957747154594767;    // 1/4π
const BAR_FAR: f32 = 36.0;        // how many half diagonals away it is a few dipoles, squared
const BAR_LEAST: f32 = 1e-14;     // the least U² + V² over the square of the size

// Of the four edges along W: Σ s ln(r + W), its derivatives along U and V, and Σ s/r.
fn bar_edges(half: vec3<f32>, at: vec3<f32>, tiny: f32) -> vec4<f32> {
    var ratio = 1.0;
    var sums = vec3<f32>(0.0);
    let high = at.z + half.z;
    let low = at.z - half.z;
    for (var i = 0u; i < 4u; i++) {
        let su = select(1.0, -1.0, (i & 2u) != 0u);
        let sv = select(1.0, -1.0, (i & 1u) != 0u);
        let u = at.x + su * half.x;
        let v = at.y + sv * half.y;
        let s = su * sv;
        let q = max(u * u + v * v, tiny);
        let rh = sqrt(q + high * high);
        let rl = sqrt(q + low * low);
        let above = rh + high;
        var below = rl + low;
        if low < 0.0 { below = q / (rl - low); }
        let quotient = above / below;
        ratio *= select(1.0 / quotient, quotient, s > 0.0);
        let difference = s * (1.0 / (rh * above) - 1.0 / (rl * below));
        sums += vec3<f32>(u * difference, v * difference, s * (1.0 / rh - 1.0 / rl));
    }
    return vec4<f32>(log(ratio), sums);
}

fn bar_angle(u: f32, vw: f32, r: f32) -> f32 {
    return angle_atan2(select(vw, -vw, u < 0.0), abs(u) * r);
}

// −Σ s atan(VW/(U r)) for x, y and z as U.
fn bar_faces(half: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    var sums = vec3<f32>(0.0);
    for (var i = 0u; i < 8u; i++) {
        let signs = vec3<f32>(
            select(1.0, -1.0, (i & 4u) != 0u),
            select(1.0, -1.0, (i & 2u) != 0u),
            select(1.0, -1.0, (i & 1u) != 0u),
        );
        let p = at + signs * half;
        let r = length(p);
        let s = signs.x * signs.y * signs.z;
        sums -= s * vec3<f32>(
            bar_angle(p.x, p.y * p.z, r),
            bar_angle(p.y, p.x * p.z, r),
            bar_angle(p.z, p.x * p.y, r),
        );
    }
    return sums;
}

// Dipoles at the points of Gauss's quadrature.
fn bar_distant(half: vec3<f32>, remanence: vec3<f32>, x: vec3<f32>) -> Field {
    let volume = 8.0 * half.x * half.y * half.z;
    let moment = remanence * (volume * (BAR_QUARTER / DIPOLE_MU));
    var points = array<vec2<f32>, 3>(
        vec2<f32>(-0.7745966692414834, 5.0 / 18.0),
        vec2<f32>(0.0, 4.0 / 9.0),
        vec2<f32>(0.7745966692414834, 5.0 / 18.0),
    );
    let zero = vec3<f32>(0.0);
    var sum = Field(zero, zero, zero, zero);
    for (var i = 0u; i < 27u; i++) {
        let px = points[i / 9u];
        let py = points[i / 3u % 3u];
        let pz = points[i % 3u];
        let part = dipole_field(moment * (px.y * py.y * pz.y), x - half * vec3<f32>(px.x, py.x, pz.x));
        sum = Field(sum.b + part.b, sum.x + part.x, sum.y + part.y, sum.z + part.z);
    }
    return sum;
}

// A symmetric matrix by its rows (xx, xy, xz), (yy, yz, zz) times a vector.
fn bar_times(a: vec3<f32>, b: vec3<f32>, j: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(a, j), a.y * j.x + b.x * j.y + b.y * j.z, a.z * j.x + b.y * j.y + b.z * j.z);
}

// B and its derivatives at x from the middle.
fn bar_field(half: vec3<f32>, remanence: vec3<f32>, x: vec3<f32>) -> Field {
    let square = dot(half, half);
    if dot(x, x) > BAR_FAR * square {
        return bar_distant(half, remanence, x);
    }
    let mirror = select(vec3<f32>(1.0), vec3<f32>(-1.0), x < vec3<f32>(0.0));
    let at = abs(x);
    let j = remanence * mirror;
    let tiny = square * BAR_LEAST;
    let ex = bar_edges(half.yzx, at.yzx, tiny) * BAR_QUARTER;
    let ey = bar_edges(half.xzy, at.xzy, tiny) * BAR_QUARTER;
    let ez = bar_edges(half, at, tiny) * BAR_QUARTER;
    let t = bar_faces(half, at) * BAR_QUARTER;
    let xxx = -ez.z - ey.z;
    let yyy = -ez.y - ex.z;
    let zzz = -ey.y - ex.y;
    var b = bar_times(vec3<f32>(t.x, ez.x, ey.x), vec3<f32>(t.y, ex.x, t.z), j);
    if all(at < half) { b += j; }
    return Field(
        b * mirror,
        bar_times(vec3<f32>(xxx, ez.y, ey.y), vec3<f32>(ez.z, ex.w, ey.z), j) * mirror * mirror.x,
        bar_times(vec3<f32>(ez.y, ez.z, ex.w), vec3<f32>(yyy, ex.y, ex.z), j) * mirror * mirror.y,
        bar_times(vec3<f32>(ey.y, ex.w, ey.z), vec3<f32>(ex.y, ex.z, zzz), j) * mirror * mirror.z,
    );
}
