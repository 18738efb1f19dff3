//! The best partner of each polynomial, exactly: a tree of the partners' invariants, in which a branch is passed over when even its
//! nearest corner is farther than the best score so far.

use super::polynomial::{Comparison, Polynomial};

const DIMENSIONS: usize = 6;
/// Polynomials in a leaf.
const LEAF: usize = 8;
/// By how much rounding may lift a bound above its score; scores of polynomials that are kept are rounded by less.
const ROUNDING: f64 = 1e-10;

/// Polynomials by their invariants (Bentley 1975).
pub struct Tree {
    /// Each with its number. The middle key of a branch parts it.
    keys: Vec<Key>,
    /// For the middle key of each branch: along which axis.
    axes: Vec<u8>,
}

type Key = ([f64; DIMENSIONS], u32);

/// The partner of a polynomial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    pub partner: u32,
    pub comparison: Comparison,
}

impl Tree {
    pub fn new(fits: &[Polynomial]) -> Self {
        let mut keys: Vec<Key> = (0..).zip(fits).map(|(i, fit)| (fit.invariants(), i)).collect();
        let mut axes = vec![0; keys.len()];
        part(&mut keys, &mut axes);
        Self { keys, axes }
    }

    /// The partner with the least score among the polynomials of the tree, the first one of several; nothing if there is none at all.
    pub fn best(&self, fits: &[Polynomial], fit: &Polynomial) -> Option<Match> {
        let mut search = Search { tree: self, fits, fit, key: fit.invariants(), best: None };
        search.visit(0, self.keys.len(), [0.0; DIMENSIONS]);
        search.best
    }
}

/// Sorts keys so that those before the middle one of each branch are lower along its axis.
fn part(keys: &mut [Key], axes: &mut [u8]) {
    if keys.len() <= LEAF {
        return;
    }
    let (axis, middle) = (widest(keys), keys.len() / 2);
    keys.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    axes[middle] = axis as u8;
    let (low, high) = keys.split_at_mut(middle);
    let (low_axes, high_axes) = axes.split_at_mut(middle);
    rayon::join(|| part(low, low_axes), || part(&mut high[1..], &mut high_axes[1..]));
}

/// The axis along which keys spread most, the first one of several.
fn widest(keys: &[Key]) -> usize {
    let spread = |axis: usize| {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) =
            keys.iter().fold(start, |(low, high), (key, _)| (low.min(key[axis]), high.max(key[axis])));
        high - low
    };
    (1..DIMENSIONS).fold(0, |best, axis| if spread(axis) > spread(best) { axis } else { best })
}

struct Search<'a> {
    tree: &'a Tree,
    fits: &'a [Polynomial],
    fit: &'a Polynomial,
    key: [f64; DIMENSIONS],
    best: Option<Match>,
}

impl Search<'_> {
    /// Looks at the branch of the keys from `first` to before `end`, whose box is `away` from the wanted key along each axis.
    fn visit(&mut self, first: usize, end: usize, away: [f64; DIMENSIONS]) {
        let tree = self.tree;
        if end - first <= LEAF {
            return (first..end).for_each(|place| self.consider(&tree.keys[place]));
        }
        let middle = first + (end - first) / 2;
        let axis = usize::from(tree.axes[middle]);
        let beyond = self.key[axis] - tree.keys[middle].0[axis];
        let (near, far) = if beyond < 0.0 {
            ((first, middle), (middle + 1, end))
        } else {
            ((middle + 1, end), (first, middle))
        };
        self.visit(near.0, near.1, away);
        self.consider(&tree.keys[middle]);
        let mut away = away;
        away[axis] = beyond;
        if away.iter().map(|d| d * d).sum::<f64>() <= self.limit() {
            self.visit(far.0, far.1, away);
        }
    }

    fn consider(&mut self, (key, partner): &Key) {
        let bound: f64 = key.iter().zip(&self.key).map(|(a, b)| (a - b) * (a - b)).sum();
        let limit = self.limit();
        if bound > limit {
            return;
        }
        if let Some(comparison) = self.fit.compare(&self.fits[*partner as usize], limit) {
            let better = self.best.is_none_or(|best| {
                comparison.score < best.comparison.score
                    || (comparison.score == best.comparison.score && *partner < best.partner)
            });
            if better {
                self.best = Some(Match { partner: *partner, comparison });
            }
        }
    }

    /// What is above this cannot be better.
    fn limit(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.comparison.score + ROUNDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;
    use glam::DMat3;

    #[test]
    fn the_search_finds_what_looking_at_all_partners_finds() {
        let mut random = Random(23);
        let mut fits = |count: usize| -> Vec<Polynomial> {
            (0..count)
                .map(|_| std::array::from_fn(|_| (2.0 * random.number() - 1.0).powi(3)))
                .map(|a| Polynomial::new(DMat3::IDENTITY, a))
                .collect()
        };
        let (from, mut to) = (fits(300), fits(2000));
        // Partners that are as good as each other: the first one is taken.
        to.extend_from_within(500..900);
        let tree = Tree::new(&to);
        for fit in &from {
            let mut best: Option<Match> = None;
            for (partner, other) in (0..).zip(&to) {
                let comparison = fit.compare(other, f64::INFINITY).unwrap();
                if best.is_none_or(|best| comparison.score < best.comparison.score) {
                    best = Some(Match { partner, comparison });
                }
            }
            assert_eq!(tree.best(&to, fit), best);
        }
        assert_eq!(Tree::new(&[]).best(&[], &from[0]), None);
    }
}
