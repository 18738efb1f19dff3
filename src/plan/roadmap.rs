//! A probabilistic roadmap, and the cheapest way along it.

use super::room::Room;
use glam::DVec2;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How a roadmap is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Places, before those in the way of something are dropped.
    pub samples: u32,
    /// Ways from each place.
    pub neighbours: u32,
}

/// Places and straight ways between them. The first place is the start, the second the goal.
pub struct Roadmap {
    places: Vec<DVec2>,
    /// For each place its neighbours, the ways' lengths [m] and their costs [J m].
    ways: Vec<Vec<(u32, f64, f64)>>,
}

/// A way from start to goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    pub places: Vec<DVec2>,
    /// L [m].
    pub length: f64,
    /// Ĉ [J m].
    pub cost: f64,
}

impl Path {
    /// C.
    pub fn total(&self, trade_off: f64, length_unit: f64, cost_unit: f64) -> f64 {
        trade_off * self.cost / cost_unit + (1.0 - trade_off) * self.length / length_unit
    }
}

/// The radical inverse: evenly spread, whatever their number (Halton 1960).
fn halton(mut index: u32, base: u32) -> f64 {
    let (mut sum, mut share) = (0.0, 1.0);
    while index > 0 {
        share /= f64::from(base);
        sum += share * f64::from(index % base);
        index /= base;
    }
    sum
}

impl Roadmap {
    /// Places that a robot can be at, each joined to its nearest ones where it can drive straight; `cost` is of such a way and may depend on its
    /// direction.
    pub fn new(
        room: &Room,
        start: DVec2,
        goal: DVec2,
        sampling: Sampling,
        cost: &(dyn Fn(DVec2, DVec2) -> f64 + Sync),
    ) -> Self {
        let mut places = vec![start, goal];
        for index in 1..=sampling.samples {
            let place = room.low + (room.high - room.low) * DVec2::new(halton(index, 2), halton(index, 3));
            if room.hit(place).is_none() {
                places.push(place);
            }
        }
        let near = |from: usize| -> Vec<u32> {
            let mut others: Vec<u32> = (0..places.len() as u32).filter(|&k| k as usize != from).collect();
            let away = |k: u32| places[from].distance_squared(places[k as usize]);
            let count = (sampling.neighbours as usize).min(others.len());
            if count > 0 && count < others.len() {
                others.select_nth_unstable_by(count - 1, |a, b| away(*a).total_cmp(&away(*b)).then(a.cmp(b)));
                others.truncate(count);
            }
            others
        };
        let mut pairs: Vec<[u32; 2]> = (0..places.len())
            .into_par_iter()
            .flat_map_iter(|from| near(from).into_iter().map(move |to| [from as u32, to]))
            .flat_map_iter(|[a, b]| [[a, b], [b, a]])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let way = |&[from, to]: &[u32; 2]| {
            let (a, b) = (places[from as usize], places[to as usize]);
            room.is_free(a, b).then(|| (from, (to, a.distance(b), cost(a, b))))
        };
        let found: Vec<_> = pairs.par_iter().filter_map(way).collect();
        let mut ways = vec![Vec::new(); places.len()];
        found.into_iter().for_each(|(from, way)| ways[from as usize].push(way));
        Self { places, ways }
    }

    pub fn counts(&self) -> [usize; 2] {
        [self.places.len(), self.ways.iter().map(Vec::len).sum()]
    }

    /// The cheapest way, if there is any (A*; Hart, Nilsson, Raphael 1968). What is left costs no less than its length.
    pub fn path(&self, trade_off: f64, length_unit: f64, cost_unit: f64) -> Option<Path> {
        let [by_length, by_cost] = [(1.0 - trade_off) / length_unit, trade_off / cost_unit];
        let left = |k: u32| by_length * self.places[k as usize].distance(self.places[1]);
        let mut best = vec![f64::INFINITY; self.places.len()];
        let mut before = vec![u32::MAX; self.places.len()];
        let mut open = BinaryHeap::new();
        best[0] = 0.0;
        open.push(Reverse((Ordered(left(0)), 0u32)));
        while let Some(Reverse((bound, place))) = open.pop() {
            if place == 1 {
                break;
            }
            if bound.0 > best[place as usize] + left(place) {
                continue;
            }
            for &(to, length, cost) in &self.ways[place as usize] {
                let total = best[place as usize] + by_length * length + by_cost * cost;
                if total < best[to as usize] {
                    best[to as usize] = total;
                    before[to as usize] = place;
                    open.push(Reverse((Ordered(total + left(to)), to)));
                }
            }
        }
        best[1].is_finite().then(|| {
            let mut numbers = vec![1u32];
            while let Some(&last) = numbers.last()
                && last != 0
            {
                numbers.push(before[last as usize]);
            }
            numbers.reverse();
            let (mut length, mut cost) = (0.0, 0.0);
            for pair in numbers.windows(2) {
                let way = self.ways[pair[0] as usize].iter().find(|way| way.0 == pair[1]);
                let (_, l, c) = way.copied().unwrap_or_default();
                (length, cost) = (length + l, cost + c);
            }
            Path { places: numbers.iter().map(|&k| self.places[k as usize]).collect(), length, cost }
        })
    }
}

/// Numbers that are never NaN, in order.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::room::Obstacle;
    use super::*;

    /// A wall across the room with a soft door in its middle and an open end.
    fn room() -> Room {
        let wall = |from: f64, to: f64| Obstacle {
            name: "wall".into(),
            outline: vec![DVec2::new(2.0, from), DVec2::new(2.0, to)],
            radius: 0.05,
        };
        Room {
            low: DVec2::ZERO,
            high: DVec2::new(4.0, 4.0),
            obstacles: vec![wall(0.0, 0.5), wall(1.5, 3.0)],
            radius: 0.2,
        }
    }

    /// Driving through the door costs 0.7 J m per metre within 0.3 m of the wall.
    fn door(a: DVec2, b: DVec2) -> f64 {
        let n = 200;
        let within = |k: i32| {
            let x = a.lerp(b, (f64::from(k) + 0.5) / f64::from(n));
            (x.x - 2.0).abs() < 0.3 && x.y < 1.5
        };
        0.7 * a.distance(b) * (0..n).filter(|&k| within(k)).count() as f64 / f64::from(n)
    }

    #[test]
    fn the_door_is_used_up_to_the_trade_off_at_which_the_detour_is_as_cheap() {
        let (start, goal) = (DVec2::new(0.5, 1.0), DVec2::new(3.5, 1.0));
        let sampling = Sampling { samples: 600, neighbours: 12 };
        let map = Roadmap::new(&room(), start, goal, sampling, &door);
        let through =
            |path: &Path| path.places.windows(2).any(|w| (w[0].x < 2.0) != (w[1].x < 2.0) && w[0].y < 1.6);
        let at = |trade_off: f64| map.path(trade_off, 3.0, 1.0).unwrap();
        let (door, detour) = (at(0.0), at(0.999));
        assert!(through(&door) && door.length < 3.3 && !through(&detour) && detour.cost == 0.0);
        // The switch by bisection, and where the costs of the two paths beside it are equal.
        let (mut low, mut high) = (0.0, 0.999);
        while high - low > 1e-12 {
            let middle = 0.5 * (low + high);
            if through(&at(middle)) { low = middle } else { high = middle }
        }
        let (a, b) = (at(low), at(high));
        let gain = (b.length - a.length) / 3.0;
        let analytic = gain / (gain + a.cost - b.cost);
        assert!((analytic - low).abs() < 1e-9, "{analytic} {low}");
    }

    #[test]
    fn rooms_without_a_way_have_no_path() {
        let mut room = room();
        room.obstacles[1].outline[1].y = 4.0;
        room.obstacles[0].outline[1].y = 1.5;
        let sampling = Sampling { samples: 200, neighbours: 8 };
        let map = Roadmap::new(&room, DVec2::splat(0.5), DVec2::new(3.5, 0.5), sampling, &|_, _| 0.0);
        assert_eq!(map.path(0.5, 1.0, 1.0), None);
    }
}
