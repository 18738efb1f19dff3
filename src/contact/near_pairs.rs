//! Which particles are near which triangles, and which edges near which: the lists that contact works on.
//!
//! One invocation per element walks the tree in order for elements of higher number whose boxes overlap its own, and tests the
//! features that the two own: every vertex and every edge of a body is owned by one element, so that each pair is tested once. A pair
//! is near if its distance is at most the sum of the largest spans of both sides. Without [`FILL`] the invocation counts its
//! pairs; with it, it writes them where the scan of the counts says. Beyond the room for pairs nothing is written, and nothing lost: the counts
//! say how much room a repetition needs.
//!
//! A pair is four particles, as in [`super::nearest`]; the highest bit of the first says that it is of two edges, bit 30 of each
//! corner that a contact may be at that end of its edge.

use super::near_refit::CHILDREN;
use super::nearest::nearest;
use crate::compute::Shared;
use crate::math::{Real, Vec4};

/// The flag of the pass that writes pairs.
pub const FILL: u32 = 1;
/// The bit of a pair's first corner that says that it is of two edges.
pub const EDGES: u32 = 1 << 31;
/// The bit of a corner at which its edge may be touched.
pub const TOUCHES: u32 = 1 << 30;
/// The number of a pair's particle.
pub const PARTICLE: u32 = TOUCHES - 1;

/// Kinds of elements, the lowest two bits of the fourth word.
pub const POINT: u32 = 0;
pub const SEGMENT: u32 = 1;
pub const TRIANGLE: u32 = 2;
/// Where the bits of owned vertices, of owned edges and of the body begin.
pub const VERTICES: u32 = 2;
pub const SIDES: u32 = 5;
pub const BODY: u32 = 8;
/// Levels of a tree of all the elements that there can be.
const LEVELS: usize = 12;

crate::kernel! {
    "contact/near_pairs" => near_pairs per Invocation {
        read contact_elements: uint4,   // three corners, bits
        read contact_boxes: real4,      // lowest and highest corner [m], level by level
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read near_spans: real,          // reach within the list [m]
        read contact_rules: real4,      // friction of each pair of bodies, negative: none; radius of an obstacle or less than 0
        write near_counts: uint,        // pairs of each element
        read near_starts: uint,         // where they begin
        write near: uint4,              // four corners
    }
}

#[inline(always)]
fn near_pairs<R: Real>(b: &Bindings<R>, e: u32) {
    let fill = b.launch.flags & FILL != 0;
    let mut list =
        List { start: if fill { b.near_starts[e as usize] } else { 0 }, found: 0, fill, near: b.near };
    let (mut sizes, mut starts) = ([0u32; LEVELS], [0u32; LEVELS]);
    sizes[0] = b.launch.count;
    let mut top = 0;
    while sizes[top] > CHILDREN {
        sizes[top + 1] = sizes[top].div_ceil(CHILDREN);
        starts[top + 1] = starts[top] + sizes[top];
        top += 1;
    }
    let own = [b.contact_boxes[2 * e as usize], b.contact_boxes[2 * e as usize + 1]];
    // The next node in order: its parent's next one after the last child, or after the last of all.
    let next = |mut level: usize, mut node: u32| {
        while level < top && (node.is_multiple_of(CHILDREN) || node >= sizes[level]) {
            node = node.div_ceil(CHILDREN);
            level += 1;
        }
        (level, node)
    };
    let (mut level, mut node) = next(0, e + 1);
    while node < sizes[level] {
        let place = 2 * (starts[level] + node) as usize;
        if overlap(own, [b.contact_boxes[place], b.contact_boxes[place + 1]]) {
            if level > 0 {
                (level, node) = (level - 1, CHILDREN * node);
                continue;
            }
            compare(b, &mut list, e, node);
        }
        (level, node) = next(level, node + 1);
    }
    if !fill {
        b.near_counts.set(e, list.found);
    }
}

/// The pairs of one element.
struct List<'a> {
    start: u32,
    found: u32,
    fill: bool,
    near: Shared<'a, [u32; 4]>,
}

impl List<'_> {
    #[inline(always)]
    fn put(&mut self, pair: [u32; 4]) {
        let place = self.start + self.found;
        if self.fill && (place as usize) < self.near.len() {
            self.near.set(place, pair);
        }
        self.found += 1;
    }
}

#[inline(always)]
fn overlap<R: Real>(a: [Vec4<R>; 2], b: [Vec4<R>; 2]) -> bool {
    a[0].x <= b[1].x
        && a[0].y <= b[1].y
        && a[0].z <= b[1].z
        && b[0].x <= a[1].x
        && b[0].y <= a[1].y
        && b[0].z <= a[1].z
}

/// Tests the features of two elements.
fn compare<R: Real>(b: &Bindings<R>, list: &mut List<'_>, e: u32, f: u32) {
    let [p, q] = [e, f].map(|k| b.contact_elements[k as usize]);
    let [body, other] = [p, q].map(|element| element[3] >> BODY);
    // As many rows of rules as there are bodies.
    let rule = b.contact_rules[(body * b.launch.index + other) as usize];
    if rule.x < R::ZERO {
        return;
    }
    for (points, triangle) in [(p, q), (q, p)] {
        for corner in (0..3).filter(|_| triangle[3] & 3 == TRIANGLE) {
            if points[3] >> (VERTICES + corner) & 1 != 0 {
                test(b, list, [points[corner as usize], triangle[0], triangle[1], triangle[2]], 0);
            }
        }
    }
    // A contact at the end of an edge is that of a vertex; those of two triangles are left to points and faces.
    let both = p[3] & 3 == TRIANGLE && q[3] & 3 == TRIANGLE;
    // A point has no edge of its own but against segments and points.
    if p[3] & 3 == POINT && q[3] & 3 == TRIANGLE || q[3] & 3 == POINT && p[3] & 3 == TRIANGLE {
        return;
    }
    for i in (0..3u32).filter(|i| p[3] >> (SIDES + i) & 1 != 0) {
        for j in (0..3u32).filter(|j| q[3] >> (SIDES + j) & 1 != 0) {
            let [a, c] = [i, j];
            let ends = [a, (a + 1) % 3, c, (c + 1) % 3];
            let corners =
                [p[ends[0] as usize], p[ends[1] as usize], q[ends[2] as usize], q[ends[3] as usize]];
            let owned =
                |element: [u32; 4], end: u32| u32::from(!both && element[3] >> (VERTICES + end) & 1 != 0);
            let bits = [owned(p, ends[0]), owned(p, ends[1]), owned(q, ends[2]), owned(q, ends[3])];
            // Obstacles come last, and particles touch them by themselves.
            let from = if rule.z >= R::ZERO { 2 } else { 0 };
            let touched = (from..4).fold(0, |all, k| all | bits[k] << k);
            test(b, list, corners, EDGES | touched);
        }
    }
}

/// Lists four corners if they are near each other, share no particle, and one of them can move.
#[inline(always)]
fn test<R: Real>(b: &Bindings<R>, list: &mut List<'_>, corners: [u32; 4], bits: u32) {
    let are_edges = bits & EDGES != 0;
    let [c0, c1, c2, c3] = corners;
    let shared = c0 == c2 || c0 == c3 || if are_edges { c1 == c2 || c1 == c3 } else { c0 == c1 };
    let x = corners.map(|p| b.positions[p as usize]);
    if shared || x.iter().all(|x| x.w == R::ZERO) {
        return;
    }
    let [r0, r1, r2, r3] = corners.map(|p| b.near_spans[p as usize]);
    let reach = if are_edges { r0.max(r1) + r2.max(r3) } else { r0 + r1.max(r2).max(r3) };
    let vector = nearest(x.map(|corner| corner.xyz() - x[3].xyz()), are_edges).vector;
    if vector.dot(vector) <= reach * reach {
        let touch = |k: u32| (bits >> k & 1) * TOUCHES;
        let kind = if are_edges { EDGES } else { 0 };
        list.put([c0 | kind | touch(0), c1 | touch(1), c2 | touch(2), c3 | touch(3)]);
    }
}
