//! A triangle soup made as good as it gets: equal vertices welded, specks dropped, neighbours turned the same way.

use std::collections::HashMap;

use glam::DVec3;

use crate::meshing::triangle_mesh::TriangleMesh;

/// Vertices nearer than this share of the soup's size are one.
const WELD: f64 = 1e-7;

/// The surface that is to be filled.
#[derive(Debug, Clone)]
pub struct Soup {
    /// Corners, counter-clockwise seen from outside as far as one can tell.
    pub triangles: Vec<[DVec3; 3]>,
    /// The share of edges, by length, along which as many triangles run one way as the other: 1 for a closed surface.
    pub closed: f64,
    /// How many triangles were turned round.
    pub turned: usize,
    /// How many triangles had no area.
    pub dropped: usize,
    /// The box around the triangles [m].
    pub low: DVec3,
    pub high: DVec3,
}

/// An edge of a triangle.
#[derive(Clone, Copy)]
struct Side {
    /// Vertices in increasing order.
    key: [u32; 2],
    triangle: u32,
    /// Whether the triangle runs from `key[0]` to `key[1]`.
    forward: bool,
}

impl Soup {
    /// Nothing is left if no triangle has an area. Indices must be in range and coordinates finite.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let bounds = |points: &mut dyn Iterator<Item = DVec3>| {
            points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (low, high) = bounds(&mut mesh.positions.iter().copied());
        let (positions, numbers) = weld(&mesh.positions, (high - low).max_element());
        let mut triangles: Vec<[u32; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| numbers[v as usize])).collect();
        triangles.retain(|&t| has_area(t.map(|v| positions[v as usize])));
        let dropped = mesh.triangles.len() - triangles.len();
        let mut sides = sides(&triangles);
        let turned = turn(&mut triangles, &mut sides, &positions);
        let closed = closed_share(&sides, &positions);
        // Distances are rounded by the order of corners: each triangle starts at its lowest vertex, however it came.
        for triangle in &mut triangles {
            let [a, b, c] = *triangle;
            triangle.rotate_left(if a < b.min(c) {
                0
            } else if b < c {
                1
            } else {
                2
            });
        }
        let mut triangles: Vec<[DVec3; 3]> =
            triangles.iter().map(|t| t.map(|v| positions[v as usize])).collect();
        let (low, high) = bounds(&mut triangles.iter().flatten().copied());
        let middle = 0.5 * (low + high);
        let volume: f64 =
            triangles.iter().map(|t| t.map(|x| x - middle)).map(|[a, b, c]| a.dot(b.cross(c))).sum();
        if volume < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        Self { triangles, closed, turned, dropped, low, high }
    }

    /// Volume enclosed by the triangles, if they are closed [m³].
    pub fn volume(&self) -> f64 {
        let cone = |t: &[DVec3; 3]| {
            let [a, b, c] = t.map(|x| x - self.low);
            a.dot(b.cross(c)) / 6.0
        };
        self.triangles.iter().map(cone).sum()
    }
}

/// One vertex for all that lie in the same tiny cell, and which one each has become.
fn weld(positions: &[DVec3], size: f64) -> (Vec<DVec3>, Vec<u32>) {
    let cell = (WELD * size).max(f64::MIN_POSITIVE);
    let mut number_at: HashMap<[i64; 3], u32> = HashMap::with_capacity(positions.len());
    let mut welded = Vec::new();
    let mut numbers = Vec::with_capacity(positions.len());
    for &x in positions {
        // `as` saturates: far away, cells are larger than the numbers' own spacing anyway.
        let place = ((x - positions[0]) / cell).round().to_array().map(|c| c as i64);
        numbers.push(*number_at.entry(place).or_insert_with(|| {
            welded.push(x);
            welded.len() as u32 - 1
        }));
    }
    (welded, numbers)
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    let twice_area = (b - a).cross(c - a).length();
    twice_area > 1e-12 * longest && longest.is_finite()
}

/// All sides, those of the same edge next to each other.
fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in (0..).zip(triangles) {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            sides.push(Side { key: [from.min(to), from.max(to)], triangle, forward: from < to });
        }
    }
    sides.sort_unstable_by_key(|s| (s.key, s.triangle));
    sides
}

/// Turns triangles so that neighbours across an edge of two agree; of each connected piece, what is the lesser part
/// by area is turned. A piece that agrees with itself, such as the wall of a hollow, is left alone.
fn turn(triangles: &mut [[u32; 3]], sides: &mut [Side], positions: &[DVec3]) -> usize {
    // Neighbours, and whether they disagree.
    let mut links: Vec<Vec<(u32, bool)>> = vec![Vec::new(); triangles.len()];
    for pair in sides.chunk_by(|a, b| a.key == b.key) {
        if let [a, b] = pair {
            let disagree = a.forward == b.forward;
            links[a.triangle as usize].push((b.triangle, disagree));
            links[b.triangle as usize].push((a.triangle, disagree));
        }
    }
    let area = |t: [u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        (b - a).cross(c - a).length()
    };
    // Nothing, or whether it is turned relative to the first of its piece.
    let mut state: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut flip = vec![false; triangles.len()];
    let mut piece: Vec<u32> = Vec::new();
    for first in 0..triangles.len() {
        if state[first].is_some() {
            continue;
        }
        state[first] = Some(false);
        piece.clear();
        piece.push(first as u32);
        let mut next = 0;
        while let Some(&t) = piece.get(next) {
            next += 1;
            let mine = state[t as usize] == Some(true);
            for &(neighbour, disagree) in &links[t as usize] {
                if state[neighbour as usize].is_none() {
                    state[neighbour as usize] = Some(mine != disagree);
                    piece.push(neighbour);
                }
            }
        }
        let mut areas = [0.0; 2];
        for &t in &piece {
            areas[usize::from(state[t as usize] == Some(true))] += area(triangles[t as usize]);
        }
        let lesser = areas[1] <= areas[0];
        piece.iter().for_each(|&t| flip[t as usize] = state[t as usize] == Some(lesser));
    }
    for (t, triangle) in triangles.iter_mut().enumerate() {
        if flip[t] {
            triangle.swap(1, 2);
        }
    }
    sides.iter_mut().for_each(|s| s.forward ^= flip[s.triangle as usize]);
    flip.iter().filter(|&&f| f).count()
}

fn closed_share(sides: &[Side], positions: &[DVec3]) -> f64 {
    let (mut closed, mut all) = (0.0, 0.0);
    for group in sides.chunk_by(|a, b| a.key == b.key) {
        let [a, b] = group[0].key.map(|v| positions[v as usize]);
        let balance: i32 = group.iter().map(|s| if s.forward { 1 } else { -1 }).sum();
        all += a.distance(b);
        closed += if balance == 0 { a.distance(b) } else { 0.0 };
    }
    if all > 0.0 { closed / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate::{icosphere, torus};

    #[test]
    fn flipped_triangles_of_a_closed_surface_are_turned_back() {
        let mut mesh = torus(0.3, 0.1, [24, 12]);
        let volume = mesh.signed_volume();
        for t in (0..mesh.triangles.len()).step_by(3) {
            mesh.triangles[t].swap(0, 1);
        }
        let soup = Soup::new(&mesh);
        assert_eq!((soup.closed, soup.turned), (1.0, mesh.triangles.len() / 3));
        assert!((soup.volume() / volume - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_inside_out_surface_is_turned_and_a_hollow_stays_hollow() {
        let mut ball = icosphere(1.0, 2);
        ball.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let inner = icosphere(0.5, 2);
        let [outside, hollow] = [-ball.signed_volume(), inner.signed_volume()];
        let first = ball.positions.len() as u32;
        ball.positions.extend(&inner.positions);
        ball.triangles.extend(inner.triangles.iter().map(|t| t.map(|v| v + first)));
        let soup = Soup::new(&ball);
        assert!((soup.volume() - (outside - hollow)).abs() < 1e-12);
    }

    #[test]
    fn triangles_that_share_no_vertex_are_welded_and_specks_are_dropped() {
        let ball = icosphere(1.0, 1);
        let mut mesh = TriangleMesh::default();
        for t in 0..ball.triangles.len() {
            let first = mesh.positions.len() as u32;
            // As after a round trip through f32.
            mesh.positions.extend(ball.corners(t).map(|x| x.as_vec3().as_dvec3()));
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh.triangles.push([0, 1, 1]);
        let soup = Soup::new(&mesh);
        assert_eq!((soup.closed, soup.dropped), (1.0, 1));
        assert!((soup.volume() - ball.signed_volume()).abs() < 1e-6);
    }

    #[test]
    fn a_missing_half_shows() {
        let mut ball = icosphere(1.0, 3);
        ball.triangles.truncate(ball.triangles.len() / 2);
        assert!((0.5..0.99).contains(&Soup::new(&ball).closed));
        ball.triangles = ball.triangles.into_iter().step_by(4).collect();
        assert!(Soup::new(&ball).closed < 0.3);
    }
}
