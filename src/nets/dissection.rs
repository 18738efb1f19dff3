//! Divides a net so that its halves can be eliminated before what joins them: nested dissection (George 1973).
//!
//! Constraints on one side of a plane know those on the other only through the few that the plane cuts off. Eliminated last, these are
//! coupled to each other alone; by least degree alone, in a net of many loops, they grow into fronts that meet at odd angles.

use glam::DVec3;

/// Constraints below which it does not pay to divide further.
const WHOLE: usize = 60;
/// Where a plane may cut: shares of the constraints on its first side.
const CUTS: [f64; 5] = [0.4, 0.45, 0.5, 0.55, 0.6];
/// The least share of the constraints that either side must keep.
const LEAST_SHARE: f64 = 0.3;

/// The constraints in the order of their stages: those within the parts, then what joins two parts, then what joins two of these. `places` are
/// where they are, `neighbours` what each is coupled to.
pub fn stages(places: &[DVec3], neighbours: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut division =
        Division { places, neighbours, sides: vec![NOWHERE; places.len()], stages: Vec::new() };
    division.divide((0..places.len() as u32).collect());
    division.stages
}

const NOWHERE: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;

struct Division<'a> {
    places: &'a [DVec3],
    neighbours: &'a [Vec<u32>],
    /// On which side of the present plane each constraint is; nowhere outside of the present part.
    sides: Vec<u8>,
    stages: Vec<Vec<u32>>,
}

/// A part in three.
struct Cut {
    separator: Vec<u32>,
    halves: [Vec<u32>; 2],
}

impl Division<'_> {
    /// Puts a part into its stages and returns the number of these.
    fn divide(&mut self, part: Vec<u32>) -> usize {
        let cut = if part.len() < WHOLE { None } else { self.best_cut(&part) };
        let (stage, members) = match cut {
            None => (0, part),
            Some(Cut { separator, halves }) => {
                let [first, second] = halves.map(|half| self.divide(half));
                (first.max(second), separator)
            }
        };
        if self.stages.len() <= stage {
            self.stages.resize_with(stage + 1, Vec::new);
        }
        self.stages[stage].extend(members);
        stage + 1
    }

    /// The cut with the fewest constraints to separate.
    fn best_cut(&mut self, part: &[u32]) -> Option<Cut> {
        let mut best: Option<Cut> = None;
        for axis in 0..3 {
            let places = self.places;
            let height = |n: u32| places[n as usize][axis];
            let mut heights: Vec<f64> = part.iter().map(|&n| height(n)).collect();
            heights.sort_unstable_by(f64::total_cmp);
            for share in CUTS {
                let plane = heights[(share * heights.len() as f64) as usize];
                for inclusive in [false, true] {
                    let below = |n: u32| height(n) < plane || (inclusive && height(n) == plane);
                    let limit = best.as_ref().map_or(usize::MAX, |cut| cut.separator.len());
                    best = self.cut(part, below, limit).or(best);
                }
            }
        }
        best
    }

    /// The cut along a plane, if it is fair and separates by fewer than `limit` constraints.
    fn cut(&mut self, part: &[u32], below: impl Fn(u32) -> bool, limit: usize) -> Option<Cut> {
        part.iter().for_each(|&n| self.sides[n as usize] = if below(n) { FIRST } else { SECOND });
        let (sides, neighbours) = (&self.sides, self.neighbours);
        let on = |side: u8| part.iter().copied().filter(move |&n| sides[n as usize] == side);
        let touching = |side: u8| {
            let other = FIRST + SECOND - side;
            let touches = |n: &u32| neighbours[*n as usize].iter().any(|&m| sides[m as usize] == other);
            on(side).filter(touches).collect::<Vec<u32>>()
        };
        let [first, second] = [touching(FIRST), touching(SECOND)];
        let separator = if first.len() <= second.len() { first } else { second };
        let is_apart: std::collections::HashSet<u32> = separator.iter().copied().collect();
        let half = |side: u8| on(side).filter(|n| !is_apart.contains(n)).collect::<Vec<u32>>();
        let halves = [half(FIRST), half(SECOND)];
        let least = LEAST_SHARE * part.len() as f64;
        let is_fair = halves.iter().all(|half| half.len() as f64 >= least);
        part.iter().for_each(|&n| self.sides[n as usize] = NOWHERE);
        (is_fair && separator.len() < limit).then_some(Cut { separator, halves })
    }
}
