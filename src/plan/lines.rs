//! What it costs to drive through a soft body, for all straight lines through it.
//!
//! A line has a direction ψ and an offset d to the left of the body's middle; along it G(s) = ∫ ΔE ds is kept. G of any line comes by cubics of
//! Catmull and Rom (1974) between the lines of a regular grid, around in ψ and across in d, and an edge costs G at its end less G at its beginning.

use glam::DVec2;
use std::f64::consts::TAU;

/// The lines of one body.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Lines {
    /// Of the body, robot and grid: tables of another are not to be used.
    pub fingerprint: u64,
    pub body: String,
    /// Of the body on the floor [m].
    pub middle: [f64; 2],
    /// Lines begin and end at this distance from the middle, and the outermost are that far aside [m].
    pub reach: f64,
    pub directions: u32,
    pub offsets: u32,
    /// G [J m] at equal steps along each line, direction by direction, offset by offset.
    pub costs: Vec<Vec<f64>>,
}

impl Lines {
    /// The line of a number: where it begins, and where it ends.
    pub fn line(&self, number: u32) -> [DVec2; 2] {
        let (direction, offset) = (number / self.offsets, number % self.offsets);
        let along = DVec2::from_angle(TAU * f64::from(direction) / f64::from(self.directions));
        let aside = along.perp() * self.offset(offset);
        let middle = DVec2::from(self.middle) + aside;
        [middle - along * self.reach, middle + along * self.reach]
    }

    fn offset(&self, number: u32) -> f64 {
        // The outermost lines just miss the body and cost nothing.
        self.reach * (2.0 * f64::from(number) / f64::from(self.offsets - 1) - 1.0)
    }

    /// ∫ ΔE ds of a straight way [J m].
    pub fn cost(&self, from: DVec2, to: DVec2) -> f64 {
        let length = from.distance(to);
        if length == 0.0 {
            return 0.0;
        }
        let along = (to - from) / length;
        let start = from - DVec2::from(self.middle);
        let aside = start.dot(along.perp());
        if aside.abs() >= self.reach {
            return 0.0;
        }
        let direction = along.to_angle().rem_euclid(TAU) / TAU * f64::from(self.directions);
        let offset = 0.5 * (aside / self.reach + 1.0) * f64::from(self.offsets - 1);
        let (first, last) = (start.dot(along), start.dot(along) + length);
        (self.until(direction, offset, last) - self.until(direction, offset, first)).max(0.0)
    }

    /// G of a line between those of the grid up to a distance from its middle.
    fn until(&self, direction: f64, offset: f64, along: f64) -> f64 {
        let (i, u) = split(direction);
        let (j, v) = split(offset);
        let (wi, wj) = (cubic(u), cubic(v));
        let mut sum = 0.0;
        for (a, wa) in (-1..3).zip(wi) {
            let direction = (i + a).rem_euclid(i64::from(self.directions));
            for (b, wb) in (-1..3).zip(wj) {
                // Beyond the outermost lines nothing is touched.
                if let Ok(offset) = u32::try_from(j + b)
                    && offset < self.offsets
                {
                    let number = direction as usize * self.offsets as usize + offset as usize;
                    sum += wa * wb * self.sampled(number, along);
                }
            }
        }
        sum
    }

    fn sampled(&self, number: usize, along: f64) -> f64 {
        let line = &self.costs[number];
        let at = (0.5 * (along / self.reach + 1.0)).clamp(0.0, 1.0) * (line.len() - 1) as f64;
        let k = (at as usize).min(line.len() - 2);
        line[k] + (line[k + 1] - line[k]) * (at - k as f64)
    }
}

fn split(x: f64) -> (i64, f64) {
    (x.floor() as i64, x - x.floor())
}

/// Catmull and Rom's weights of the four neighbours.
fn cubic(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        0.5 * (-t3 + 2.0 * t2 - t),
        0.5 * (3.0 * t3 - 5.0 * t2 + 2.0),
        0.5 * (-3.0 * t3 + 4.0 * t2 + t),
        0.5 * (t3 - t2),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// A round body whose energy falls off as a bell; ∫ along a line has a closed form but for erf, summed here.
    fn energy(x: DVec2) -> f64 {
        let q = (x - DVec2::new(2.0, 1.0)) * DVec2::new(1.0, 1.6);
        (-4.0 * q.length_squared()).exp()
    }

    fn integral(from: DVec2, to: DVec2) -> f64 {
        let n = 400;
        let sum: f64 = (0..n).map(|k| energy(from.lerp(to, (f64::from(k) + 0.5) / f64::from(n)))).sum();
        sum * from.distance(to) / f64::from(n)
    }

    #[test]
    fn edges_cost_what_their_integral_is() {
        let mut lines = Lines {
            fingerprint: 0,
            body: "bell".into(),
            middle: [2.0, 1.0],
            reach: 1.6,
            directions: 16,
            offsets: 15,
            costs: Vec::new(),
        };
        for number in 0..16 * 15 {
            let [from, to] = lines.line(number);
            lines.costs.push((0..=64).map(|k| integral(from, from.lerp(to, f64::from(k) / 64.0))).collect());
        }
        let mut random = Random(4);
        let mut errors: Vec<f64> = (0..200)
            .map(|_| {
                let mut place = || DVec2::new(4.0 * random.number(), 2.0 * random.number());
                let (a, b) = (place(), place());
                let exact = integral(a, b);
                (lines.cost(a, b) - exact).abs() / exact.max(0.02)
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        assert!(errors[100] < 0.05 && errors[180] < 0.2, "{} {}", errors[100], errors[180]);
        // Far away nothing is touched.
        assert_eq!(lines.cost(DVec2::new(0.0, 4.0), DVec2::new(4.0, 4.0)), 0.0);
    }
}
