//! Lines of a plane field, evenly apart.
//!
//!   dr/ds = B/|B|        by Runge and Kutta's classical rule
//!
//! A line begins where none is near, runs both ways, and ends at the border, in a null of the field, near another line or where it began
//! (Jobard and Lefer 1997). Only the two components within the plane count.

use glam::DVec2;

/// Steps of a line over the distance between lines.
const STEP: f64 = 0.15;
/// How near another line may come, of that distance.
const NEAR: f64 = 0.5;
/// Steps of a line in either direction, at most.
const MOST: usize = 4000;

/// Lines within a rectangle from the origin to `size`, about `apart` from each other.
pub fn lines(size: DVec2, apart: f64, field: impl Fn(DVec2) -> DVec2) -> Vec<Vec<DVec2>> {
    let mut drawn = Drawn::new(size, apart);
    let mut all = Vec::new();
    let counts = (size / apart).ceil().max(DVec2::ONE).as_uvec2();
    for j in 0..counts.y {
        for i in 0..counts.x {
            // Every second row begins half a step to the side.
            let shift = 0.25 + 0.5 * f64::from(j % 2);
            let seed = DVec2::new(f64::from(i) + shift, f64::from(j) + 0.5) * apart;
            if drawn.is_inside(seed) && !drawn.is_near(seed, apart) {
                let line = trace(seed, apart, &drawn, &field);
                if line.len() > 3 {
                    drawn.add(&line);
                    all.push(line);
                }
            }
        }
    }
    all
}

fn trace(seed: DVec2, apart: f64, drawn: &Drawn, field: &impl Fn(DVec2) -> DVec2) -> Vec<DVec2> {
    let h = STEP * apart;
    let along = |x: DVec2| field(x).normalize_or_zero();
    let mut halves = [1.0, -1.0].map(|sign| {
        let (mut x, mut line) = (seed, Vec::new());
        for n in 0..MOST {
            let k1 = along(x);
            let k2 = along(x + 0.5 * sign * h * k1);
            let k3 = along(x + 0.5 * sign * h * k2);
            let k4 = along(x + sign * h * k3);
            let step = (k1 + 2.0 * (k2 + k3) + k4) / 6.0;
            x += sign * h * step;
            let is_closed = n > 10 && x.distance(seed) < h;
            if step.length() < 0.5 || !drawn.is_inside(x) || drawn.is_near(x, NEAR * apart) {
                break;
            }
            line.push(x);
            if is_closed {
                return (line, true);
            }
        }
        (line, false)
    });
    let [(forward, is_closed), (backward, _)] = &mut halves;
    if *is_closed {
        backward.clear();
    }
    backward.reverse();
    let mut line = std::mem::take(backward);
    line.push(seed);
    line.append(forward);
    line
}

/// The points of all lines, by squares of a grid.
struct Drawn {
    size: DVec2,
    edge: f64,
    columns: usize,
    squares: Vec<Vec<DVec2>>,
}

impl Drawn {
    fn new(size: DVec2, edge: f64) -> Self {
        let [columns, rows] = (size / edge).to_array().map(|n| n.ceil() as usize + 1);
        Self { size, edge, columns, squares: vec![Vec::new(); columns * rows] }
    }

    fn is_inside(&self, x: DVec2) -> bool {
        x.cmpge(DVec2::ZERO).all() && x.cmple(self.size).all()
    }

    fn square(&self, x: DVec2) -> [usize; 2] {
        (x / self.edge).to_array().map(|n| n as usize)
    }

    fn is_near(&self, x: DVec2, distance: f64) -> bool {
        let [i, j] = self.square(x);
        let rows = self.squares.len() / self.columns;
        let columns = i.saturating_sub(1)..=(i + 1).min(self.columns - 1);
        let near = |square: &Vec<DVec2>| square.iter().any(|p| p.distance(x) < distance);
        (j.saturating_sub(1)..=(j + 1).min(rows - 1))
            .any(|j| columns.clone().any(|i| near(&self.squares[j * self.columns + i])))
    }

    fn add(&mut self, line: &[DVec2]) {
        for &x in line {
            let [i, j] = self.square(x);
            self.squares[j * self.columns + i].push(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_a_wire_are_circles() {
        let middle = DVec2::splat(0.5);
        let lines = lines(DVec2::ONE, 0.05, |x| (x - middle).perp());
        assert!(lines.len() > 5, "{}", lines.len());
        for line in lines {
            let radii = line.iter().map(|x| x.distance(middle));
            let (low, high) = radii.fold((f64::INFINITY, 0f64), |(low, high), r| (low.min(r), high.max(r)));
            assert!(high - low < 1e-4, "{low} to {high}");
        }
    }

    #[test]
    fn an_even_field_fills_the_plane_evenly() {
        let lines = lines(DVec2::new(2.0, 1.0), 0.1, |_| DVec2::X);
        assert!((8..=11).contains(&lines.len()), "{}", lines.len());
        let length: f64 = lines.iter().map(|line| line[0].distance(line[line.len() - 1])).sum();
        assert!(length > 0.9 * 2.0 * lines.len() as f64, "{length}");
    }
}
