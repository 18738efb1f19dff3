// Couples that undo a torque with the least force. See `src/solids/damping/couples.rs`.

const COUPLES_ROUNDS: u32 = 40u;
const COUPLES_SPREAD: f32 = 1e-3;          // how much the costs of points differ
const COUPLES_PLANE: f32 = 1e-5;           // det(a, b, c)/|a||b||c| where three torques are one plane
const COUPLES_GAIN: f32 = 3.0517578e-5;    // 256 roundings
const COUPLES_SHARE: f32 = 1e-6;

// A pull along each axis at a head, its opposite at a tail: three of them.
struct Couples {
    torques: mat3x3<f32>,
    strengths: vec3<f32>,
    costs: vec3<f32>,
    heads: vec3<u32>,
    tails: vec3<u32>,
    axes: vec3<u32>,
    done: u32,
}

// The points that gain most along each axis.
struct CouplesExtremes {
    high: vec3<f32>,
    low: vec3<f32>,
    heads: vec3<u32>,
    tails: vec3<u32>,
}

// What a pull at a point costs beyond 1.
fn couples_extra(point: u32, axis: u32) -> f32 {
    return f32(((3u * point + axis) * 2654435769u) >> 8u) * (COUPLES_SPREAD / 16777216.0);
}

fn couples_nobody() -> CouplesExtremes {
    return CouplesExtremes(vec3<f32>(-1e30), vec3<f32>(1e30), vec3<u32>(0u), vec3<u32>(0u));
}

// Looks at a point where the price is u = ω × r.
fn couples_look(before: CouplesExtremes, point: u32, u: vec3<f32>) -> CouplesExtremes {
    let cost = vec3<f32>(couples_extra(point, 0u), couples_extra(point, 1u), couples_extra(point, 2u));
    return couples_join(before, CouplesExtremes(u - cost, u + cost, vec3<u32>(point), vec3<u32>(point)));
}

// The better of two; of equals the one with the lower number.
fn couples_join(a: CouplesExtremes, b: CouplesExtremes) -> CouplesExtremes {
    let higher = (b.high > a.high) | ((b.high == a.high) & (b.heads < a.heads));
    let lower = (b.low < a.low) | ((b.low == a.low) & (b.tails < a.tails));
    return CouplesExtremes(
        select(a.high, b.high, higher),
        select(a.low, b.low, lower),
        select(a.heads, b.heads, higher),
        select(a.tails, b.tails, lower),
    );
}

// The axis whose couple gains most.
fn couples_best(e: CouplesExtremes) -> u32 {
    let gain = e.high - e.low;
    var k = 0u;
    if gain.y > gain.x { k = 1u; }
    if gain.z > gain[k] { k = 2u; }
    return k;
}

fn couples_unit(v: vec3<f32>) -> vec3<f32> {
    let size = length(v);
    if size > 0.0 { return v / size; }
    return vec3<f32>(0.0);
}

// A unit vector across v.
fn couples_across(v: vec3<f32>) -> vec3<f32> {
    let size = abs(v);
    if size.x <= size.y && size.x <= size.z { return couples_unit(vec3<f32>(0.0, v.z, -v.y)); }
    if size.y <= size.z { return couples_unit(vec3<f32>(-v.z, 0.0, v.x)); }
    return couples_unit(vec3<f32>(v.y, -v.x, 0.0));
}

// The price ω that a round looks at the points with.
fn couples_price(c: Couples, round: u32, torque: vec3<f32>) -> vec3<f32> {
    let t = c.torques;
    if round == 0u { return torque; }
    if round == 1u { return couples_across(t[0]); }
    if round == 2u { return couples_unit(cross(t[0], t[1])); }
    let sum = c.costs.x * cross(t[1], t[2]) + c.costs.y * cross(t[2], t[0]) + c.costs.z * cross(t[0], t[1]);
    return sum / dot(t[0], cross(t[1], t[2]));
}

// How much of each of the three makes this torque.
fn couples_shares(t: mat3x3<f32>, torque: vec3<f32>) -> vec3<f32> {
    let scale = 1.0 / dot(t[0], cross(t[1], t[2]));
    return scale * vec3<f32>(
        dot(torque, cross(t[1], t[2])),
        dot(torque, cross(t[2], t[0])),
        dot(torque, cross(t[0], t[1])),
    );
}

// Finds the strengths; a couple that would be negative is turned round.
fn couples_balance(before: Couples, torque: vec3<f32>) -> Couples {
    var c = before;
    let t = c.torques;
    let size = length(t[0]) * length(t[1]) * length(t[2]);
    if !(abs(dot(t[0], cross(t[1], t[2]))) > COUPLES_PLANE * size) {
        c.strengths = vec3<f32>(0.0);
        c.done = 1u;
        return c;
    }
    let first = couples_shares(t, torque);
    let strengths = first + couples_shares(t, torque - t * first);
    let turned = strengths < vec3<f32>(0.0);
    c.strengths = abs(strengths);
    let sign = select(vec3<f32>(1.0), vec3<f32>(-1.0), turned);
    c.torques = mat3x3<f32>(sign.x * t[0], sign.y * t[1], sign.z * t[2]);
    let heads = c.heads;
    c.heads = select(heads, c.tails, turned);
    c.tails = select(c.tails, heads, turned);
    return c;
}

// Takes the best couple of a round in, `arm` = r_head − r_tail.
fn couples_enter(
    before: Couples, round: u32, e: CouplesExtremes, axis: u32, arm: vec3<f32>, torque: vec3<f32>,
) -> Couples {
    var c = before;
    var own = vec3<f32>(arm.y, -arm.x, 0.0);
    if axis == 0u { own = vec3<f32>(0.0, arm.z, -arm.y); }
    if axis == 1u { own = vec3<f32>(-arm.z, 0.0, arm.x); }
    var place = round;
    if round > 2u {
        if e.high[axis] - e.low[axis] <= 2.0 + COUPLES_GAIN {
            c.done = 1u;
            return c;
        }
        // The one that the newcomer drives to nothing first.
        let shares = couples_shares(c.torques, own);
        place = 0u;
        var strength = 1.0;
        var share = 0.0;
        for (var k = 0u; k < 3u; k++) {
            if shares[k] > COUPLES_SHARE && c.strengths[k] * share < strength * shares[k] {
                place = k;
                strength = c.strengths[k];
                share = shares[k];
            }
        }
    }
    c.torques[place] = own;
    c.heads[place] = e.heads[axis];
    c.tails[place] = e.tails[axis];
    c.axes[place] = axis;
    c.costs[place] = 2.0 + couples_extra(e.heads[axis], axis) + couples_extra(e.tails[axis], axis);
    if round > 1u { return couples_balance(c, torque); }
    return c;
}

// The pull at a point.
fn couples_pull(c: Couples, point: u32) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var k = 0u; k < 3u; k++) {
        if c.heads[k] == point { sum[c.axes[k]] += c.strengths[k]; }
        if c.tails[k] == point { sum[c.axes[k]] -= c.strengths[k]; }
    }
    return sum;
}

// The share of the damping −γ (m v − c) that leaves the least kinetic energy, from Σ m v², Σ c·v and Σ c²/m.
fn couples_share(gamma: f32, energy: f32, work: f32, square: f32) -> f32 {
    let slope = energy - work;
    let curvature = gamma * (slope - work + square);
    if slope > 0.0 && slope < curvature { return slope / curvature; }
    return select(0.0, 1.0, slope > 0.0);
}
