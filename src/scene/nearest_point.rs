//! The point of a body nearest to a point in space: on a particle, a segment, a triangle or in a tetrahedron.

use glam::{DMat3, DVec3};

/// Elements in a leaf of the tree.
const LEAF: usize = 4;
/// Relative size below which an element is too flat to have coordinates of its own; then its sides are asked.
const FLAT: f64 = 1e-12;

/// A point that moves with up to four particles: x = Σ wₖ xₖ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialPoint {
    /// Unused places repeat the first.
    pub particles: [u32; 4],
    /// Add up to 1; those of unused places are 0.
    pub weights: [f64; 4],
}

impl MaterialPoint {
    /// A particle itself.
    pub fn particle(particle: u32) -> Self {
        Self { particles: [particle; 4], weights: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Where it is.
    pub fn position(&self, positions: &[DVec3]) -> DVec3 {
        self.particles.iter().zip(self.weights).map(|(&p, w)| positions[p as usize] * w).sum()
    }

    /// The same among particles that are counted from elsewhere.
    pub fn shifted(self, by: u32) -> Self {
        Self { particles: self.particles.map(|p| p + by), ..self }
    }
}

/// One to four particles and what is between them.
pub type Simplex = Vec<u32>;

/// Elements in a tree of boxes, halved at the median of the longest side.
pub struct PointFinder<'a> {
    positions: &'a [DVec3],
    elements: Vec<Simplex>,
    nodes: Vec<Node>,
}

struct Node {
    low: DVec3,
    high: DVec3,
    /// Of a leaf, the elements; of others (none) the children are the next node and this one.
    elements: std::ops::Range<usize>,
    second: usize,
}

impl<'a> PointFinder<'a> {
    /// There must be an element.
    pub fn new(positions: &'a [DVec3], elements: Vec<Simplex>) -> Self {
        let mut finder = Self { positions, elements, nodes: Vec::new() };
        let mut order: Vec<(DVec3, usize)> =
            (0..finder.elements.len()).map(|e| (finder.centre(e), e)).collect();
        finder.add(&mut order, 0);
        let elements = order.iter().map(|&(_, e)| std::mem::take(&mut finder.elements[e])).collect();
        finder.elements = elements;
        finder
    }

    fn centre(&self, element: usize) -> DVec3 {
        let corners = &self.elements[element];
        corners.iter().map(|&p| self.positions[p as usize]).sum::<DVec3>() / corners.len() as f64
    }

    fn add(&mut self, order: &mut [(DVec3, usize)], first: usize) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &(_, e) in &*order {
            for &p in &self.elements[e] {
                (low, high) = (low.min(self.positions[p as usize]), high.max(self.positions[p as usize]));
            }
        }
        let node = self.nodes.len();
        let is_leaf = order.len() <= LEAF;
        let elements = if is_leaf { first..first + order.len() } else { 0..0 };
        self.nodes.push(Node { low, high, elements, second: 0 });
        if is_leaf {
            return;
        }
        let side = (high - low).max_position();
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |a, b| a.0[side].total_cmp(&b.0[side]).then(a.1.cmp(&b.1)));
        let (left, right) = order.split_at_mut(half);
        self.add(left, first);
        self.nodes[node].second = self.nodes.len();
        self.add(right, first + half);
    }

    /// The nearest point of all elements, and how far away it is [m].
    pub fn nearest(&self, x: DVec3) -> (MaterialPoint, f64) {
        let mut best = (MaterialPoint::particle(self.elements[0][0]), f64::INFINITY);
        let mut pending = vec![0];
        while let Some(index) = pending.pop() {
            let node = &self.nodes[index];
            if x.distance(x.clamp(node.low, node.high)) >= best.1 {
                continue;
            }
            if !node.elements.is_empty() {
                for element in &self.elements[node.elements.clone()] {
                    let found = self.nearest_of(element, x);
                    if found.1 < best.1 {
                        best = found;
                    }
                }
                continue;
            }
            let bound = |n: usize| x.distance_squared(x.clamp(self.nodes[n].low, self.nodes[n].high));
            let (first, second) = (index + 1, node.second);
            // The nearer child is taken first.
            pending.extend(if bound(first) <= bound(second) { [second, first] } else { [first, second] });
        }
        best
    }

    /// The nearest point of one element: where its coordinates say, or on the sides that see the point.
    fn nearest_of(&self, corners: &[u32], x: DVec3) -> (MaterialPoint, f64) {
        let weights = self.coordinates(corners, x);
        let sides = |k: &usize| weights.as_ref().is_none_or(|weights| weights[*k] < 0.0);
        let outside: Vec<usize> = (0..corners.len()).filter(sides).collect();
        if let (Some(weights), []) = (&weights, outside.as_slice()) {
            let mut point = MaterialPoint { particles: [corners[0]; 4], weights: [0.0; 4] };
            point.particles[..corners.len()].copy_from_slice(corners);
            point.weights[..corners.len()].copy_from_slice(weights);
            return (point, point.position(self.positions).distance(x));
        }
        let side = |&k: &usize| {
            let others: Vec<u32> = (0..corners.len()).filter(|&c| c != k).map(|c| corners[c]).collect();
            self.nearest_of(&others, x)
        };
        let found = outside.iter().map(side).min_by(|a, b| a.1.total_cmp(&b.1));
        found.expect("a point that is not inside is outside of some side")
    }

    /// The barycentric coordinates of the foot of a point; nothing if the element is flat.
    fn coordinates(&self, corners: &[u32], x: DVec3) -> Option<Vec<f64>> {
        let origin = self.positions[corners[0] as usize];
        let edges: Vec<DVec3> = corners[1..].iter().map(|&p| self.positions[p as usize] - origin).collect();
        // (EᵀE) u = Eᵀ (x − origin), padded with unit rows.
        let entry = |r: usize, c: usize| match (edges.get(r), edges.get(c)) {
            (Some(a), Some(b)) => a.dot(*b),
            _ => f64::from(u8::from(r == c)),
        };
        let column = |c: usize| DVec3::new(entry(0, c), entry(1, c), entry(2, c));
        let gram = DMat3::from_cols(column(0), column(1), column(2));
        let size: f64 = edges.iter().map(|edge| edge.length_squared()).product();
        if edges.contains(&DVec3::ZERO) || gram.determinant() <= FLAT * size {
            return (corners.len() == 1).then(|| vec![1.0]);
        }
        let toward = |r: usize| edges.get(r).map_or(0.0, |edge| edge.dot(x - origin));
        let inner = gram.inverse() * DVec3::new(toward(0), toward(1), toward(2));
        let inner = &inner.to_array()[..edges.len()];
        Some(std::iter::once(1.0 - inner.iter().sum::<f64>()).chain(inner.iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_nearer_than_any_of_many_others() {
        let positions: Vec<DVec3> = (0..40)
            .map(|i| {
                let i = f64::from(i);
                DVec3::new((i * 1.7).sin(), (i * 2.9).cos(), (i * 0.7).sin())
            })
            .collect();
        let elements: Vec<Simplex> = (0..36u32).map(|i| (i..=i + i % 4).collect()).collect();
        let finder = PointFinder::new(&positions, elements.clone());
        for i in 0..30 {
            let x = DVec3::new(f64::from(i) * 0.1 - 1.5, (f64::from(i) * 0.77).sin(), 0.3);
            let (point, distance) = finder.nearest(x);
            assert!((point.position(&positions).distance(x) - distance).abs() < 1e-12);
            assert!((point.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(point.weights.iter().all(|w| *w >= 0.0));
            for element in &elements {
                for step in 0..200u32 {
                    let raw: Vec<f64> =
                        (0..element.len() as u32).map(|k| f64::from((step * (k + 3)) % 11)).collect();
                    let sum: f64 = raw.iter().sum::<f64>().max(1e-9);
                    let place: DVec3 =
                        element.iter().zip(raw).map(|(&p, w)| positions[p as usize] * (w / sum)).sum();
                    assert!(step == 0 || place.distance(x) >= distance - 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_point_inside_a_tetrahedron_has_its_coordinates() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let finder = PointFinder::new(&positions, vec![vec![0, 1, 2, 3]]);
        let (point, distance) = finder.nearest(DVec3::new(0.1, 0.2, 0.3));
        assert!(distance < 1e-15);
        for (found, wanted) in point.weights.iter().zip([0.4, 0.1, 0.2, 0.3]) {
            assert!((found - wanted).abs() < 1e-12);
        }
        let (point, distance) = finder.nearest(DVec3::new(0.25, -2.0, 0.25));
        assert_eq!((point.particles[..3].to_vec(), distance), (vec![0, 1, 3], 2.0));
    }

    #[test]
    fn flat_elements_are_asked_by_their_sides() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X];
        let finder = PointFinder::new(&positions, vec![vec![0, 1, 2], vec![1, 3]]);
        let (point, distance) = finder.nearest(DVec3::new(1.5, 1.0, 0.0));
        assert!((distance - 1.0).abs() < 1e-12 && (point.position(&positions).x - 1.5).abs() < 1e-12);
    }
}
