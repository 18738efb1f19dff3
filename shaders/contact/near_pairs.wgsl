// Which particles are near which triangles, and which edges near which: one thread per element counts or writes its pairs.
#import launch
#import nearest

@group(0) @binding(0) var<uniform> launch: Launch;   // count: elements, index: bodies
@group(0) @binding(1) var<storage, read> contact_elements: array<vec4<u32>>;   // three corners, bits
@group(0) @binding(2) var<storage, read> contact_boxes: array<vec4<f32>>;      // lowest and highest corner [m], level by level
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;          // xyz [m], w = 1/mass [1/kg]
@group(0) @binding(4) var<storage, read> near_spans: array<f32>;               // reach within the list [m]
@group(0) @binding(5) var<storage, read> contact_rules: array<vec4<f32>>;      // friction, friction; negative: no contact; radius of an obstacle or less than 0
@group(0) @binding(6) var<storage, read_write> near_counts: array<u32>;        // pairs of each element
@group(0) @binding(7) var<storage, read> near_starts: array<u32>;              // where they begin
@group(0) @binding(8) var<storage, read_write> near: array<vec4<u32>>;         // four corners

const PAIRS_FILL: u32 = 1u;
const PAIRS_EDGES: u32 = 0x80000000u;
const PAIRS_TOUCHES: u32 = 0x40000000u;
const PAIRS_POINT: u32 = 0u;
const PAIRS_TRIANGLE: u32 = 2u;
const PAIRS_VERTICES: u32 = 2u;
const PAIRS_SIDES: u32 = 5u;
const PAIRS_BODY: u32 = 8u;
const PAIRS_CHILDREN: u32 = 8u;
const PAIRS_LEVELS: u32 = 12u;

var<private> pairs_sizes: array<u32, PAIRS_LEVELS>;
var<private> pairs_starts: array<u32, PAIRS_LEVELS>;
var<private> pairs_top: u32;
var<private> pairs_place: u32;
var<private> pairs_found: u32;

fn pairs_overlap(low: vec3<f32>, high: vec3<f32>, place: u32) -> bool {
    return all(low <= contact_boxes[place + 1u].xyz) && all(contact_boxes[place].xyz <= high);
}

// The next node in order: its parent's next one after the last child, or after the last of all. Level and node.
fn pairs_next(from_level: u32, from_node: u32) -> vec2<u32> {
    var level = from_level;
    var node = from_node;
    while level < pairs_top && (node % PAIRS_CHILDREN == 0u || node >= pairs_sizes[level]) {
        node = (node + PAIRS_CHILDREN - 1u) / PAIRS_CHILDREN;
        level += 1u;
    }
    return vec2<u32>(level, node);
}

// Lists four corners if they are near each other, share no particle, and one of them can move.
fn pairs_test(c: vec4<u32>, bits: u32) {
    let are_edges = (bits & PAIRS_EDGES) != 0u;
    var shared_corner = c.x == c.z || c.x == c.w;
    if are_edges { shared_corner = shared_corner || c.y == c.z || c.y == c.w; } else { shared_corner = shared_corner || c.x == c.y; }
    let x = positions[c.x];
    let y = positions[c.y];
    let z = positions[c.z];
    let w = positions[c.w];
    if shared_corner || (x.w == 0.0 && y.w == 0.0 && z.w == 0.0 && w.w == 0.0) { return; }
    let r = vec4<f32>(near_spans[c.x], near_spans[c.y], near_spans[c.z], near_spans[c.w]);
    let reach = select(r.x + max(max(r.y, r.z), r.w), max(r.x, r.y) + max(r.z, r.w), are_edges);
    let corners = array<vec3<f32>, 4>(x.xyz - w.xyz, y.xyz - w.xyz, z.xyz - w.xyz, vec3<f32>(0.0));
    let offset = nearest_of(corners, are_edges).offset;
    if !(dot(offset, offset) <= reach * reach) { return; }
    let place = pairs_place + pairs_found;
    if (launch.flags & PAIRS_FILL) != 0u && place < arrayLength(&near) {
        let touch = ((vec4<u32>(bits) >> vec4<u32>(0u, 1u, 2u, 3u)) & vec4<u32>(1u)) * PAIRS_TOUCHES;
        near[place] = c | touch | vec4<u32>(select(0u, PAIRS_EDGES, are_edges), 0u, 0u, 0u);
    }
    pairs_found += 1u;
}

fn pairs_points(points: vec4<u32>, triangle: vec4<u32>) {
    if (triangle.w & 3u) != PAIRS_TRIANGLE { return; }
    for (var k = 0u; k < 3u; k++) {
        if ((points.w >> (PAIRS_VERTICES + k)) & 1u) != 0u { pairs_test(vec4<u32>(points[k], triangle.xyz), 0u); }
    }
}

// Tests the features of two elements.
fn pairs_compare(e: u32, f: u32) {
    let p = contact_elements[e];
    let q = contact_elements[f];
    let rule = contact_rules[(p.w >> PAIRS_BODY) * launch.index + (q.w >> PAIRS_BODY)];
    if rule.x < 0.0 { return; }
    pairs_points(p, q);
    pairs_points(q, p);
    let kinds = vec2<u32>(p.w & 3u, q.w & 3u);
    let both = kinds.x == PAIRS_TRIANGLE && kinds.y == PAIRS_TRIANGLE;
    if any(kinds == vec2<u32>(PAIRS_POINT)) && any(kinds == vec2<u32>(PAIRS_TRIANGLE)) { return; }
    for (var i = 0u; i < 3u; i++) {
        if ((p.w >> (PAIRS_SIDES + i)) & 1u) == 0u { continue; }
        for (var j = 0u; j < 3u; j++) {
            if ((q.w >> (PAIRS_SIDES + j)) & 1u) == 0u { continue; }
            let i1 = (i + 1u) % 3u;
            let j1 = (j + 1u) % 3u;
            let owned = vec4<u32>(p.w >> (PAIRS_VERTICES + i), p.w >> (PAIRS_VERTICES + i1),
                q.w >> (PAIRS_VERTICES + j), q.w >> (PAIRS_VERTICES + j1)) & vec4<u32>(1u);
            var touched = select(owned.x | (owned.y << 1u) | (owned.z << 2u) | (owned.w << 3u), 0u, both);
            // Obstacles come last, and particles touch them by themselves.
            if rule.z >= 0.0 { touched &= 12u; }
            pairs_test(vec4<u32>(p[i], p[i1], q[j], q[j1]), PAIRS_EDGES | touched);
        }
    }
}

@compute @workgroup_size(64)
fn near_pairs(@builtin(global_invocation_id) id: vec3<u32>) {
    let e = launch_id(id);
    if e >= launch.count { return; }
    let fill = (launch.flags & PAIRS_FILL) != 0u;
    pairs_place = 0u;
    if fill { pairs_place = near_starts[e]; }
    pairs_found = 0u;
    pairs_top = 0u;
    pairs_sizes[0] = launch.count;
    pairs_starts[0] = 0u;
    while pairs_sizes[pairs_top] > PAIRS_CHILDREN {
        let size = pairs_sizes[pairs_top];
        pairs_sizes[pairs_top + 1u] = (size + PAIRS_CHILDREN - 1u) / PAIRS_CHILDREN;
        pairs_starts[pairs_top + 1u] = pairs_starts[pairs_top] + size;
        pairs_top += 1u;
    }
    let low = contact_boxes[2u * e].xyz;
    let high = contact_boxes[2u * e + 1u].xyz;
    var at = pairs_next(0u, e + 1u);
    while at.y < pairs_sizes[at.x] {
        if pairs_overlap(low, high, 2u * (pairs_starts[at.x] + at.y)) {
            if at.x > 0u {
                at = vec2<u32>(at.x - 1u, PAIRS_CHILDREN * at.y);
                continue;
            }
            pairs_compare(e, at.y);
        }
        at = pairs_next(at.x, at.y + 1u);
    }
    if !fill { near_counts[e] = pairs_found; }
}
