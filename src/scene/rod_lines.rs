//! The centre lines of rods: straight, through points, smooth, coiled, or from a file.

use super::RodShape;
use super::bodies::particle_limit;
use super::error::{SceneError, SceneErrorKind};
use super::net::{Graph, read_graph};
use glam::DVec3;

/// Pieces of a spline between two of its points, at least.
const PIECES: usize = 32;
/// Pieces of a spline for every segment, at least: what a chord is shorter than its arc then changes no segment by more than
/// a hundredth of what the segment is shorter than its own.
const PIECES_PER_SEGMENT: usize = 10;

/// The lines of a shape in its local frame, all of as many points; `total` particles have been made for other bodies and
/// `copies` are made of these.
pub(super) fn centre_lines(shape: &RodShape, total: u64, copies: u64) -> Result<Vec<Vec<DVec3>>, SceneError> {
    Ok(match shape {
        RodShape::Line { from, to, segments } => {
            vec![(0..=*segments).map(|i| from.lerp(*to, f64::from(i) / f64::from(*segments))).collect()]
        }
        RodShape::Polyline { points, segments: None } => vec![points.clone()],
        RodShape::Polyline { points, segments: Some(segments) } => vec![resampled(points, *segments)],
        RodShape::Spline { points, segments } => vec![resampled(&spline(points, *segments), *segments)],
        RodShape::Helix { radius, pitch, turns, segments } => {
            let point = |i: u32| {
                let s = f64::from(i) / f64::from(*segments);
                let (sin, cos) = (std::f64::consts::TAU * turns * s).sin_cos();
                DVec3::new(radius * cos, pitch * turns.abs() * s, -radius * sin)
            };
            vec![(0..=*segments).map(point).collect()]
        }
        RodShape::File { file, segments } => {
            let refuse = |problem: String| {
                let message = format!("file `{}`: {problem}", file.display());
                SceneError::at(SceneErrorKind::Mesh, "lines", message)
            };
            let lines = read_graph(file, 1).and_then(|graph| strips(&graph)).map_err(refuse)?;
            let points = segments.map_or(lines[0].len() as u64, |n| u64::from(n) + 1);
            let all = points.saturating_mul(lines.len() as u64).saturating_mul(copies);
            particle_limit("lines", total.saturating_add(all))?;
            match segments {
                Some(segments) => lines.iter().map(|line| resampled(line, *segments)).collect(),
                None => match lines.iter().position(|line| line.len() != lines[0].len()) {
                    Some(other) => {
                        let (first, second) = (lines[0].len(), lines[other].len());
                        return Err(refuse(format!(
                            "its first line has {first} points and line {} has {second}; give all the same number \
                             with `segments`",
                            other + 1
                        )));
                    }
                    None => lines,
                },
            }
        }
    })
}

/// The lines of a graph that has no forks and no loops, in the order of their first nodes.
fn strips(graph: &Graph) -> Result<Vec<Vec<DVec3>>, String> {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
    for [a, b] in graph.edges.iter().map(|edge| edge.ends) {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    if let Some(node) = neighbours.iter().position(|all| all.len() > 2) {
        let (x, count) = (graph.nodes[node], neighbours[node].len());
        return Err(format!("{count} lines meet at {x}, and a rod has no forks; make it a [[net]]"));
    }
    let mut seen = vec![false; graph.nodes.len()];
    let mut lines = Vec::new();
    for start in (0..graph.nodes.len()).filter(|&node| neighbours[node].len() == 1) {
        if seen[start] {
            continue;
        }
        let mut line = Vec::new();
        let mut next = Some(start);
        while let Some(node) = next {
            seen[node] = true;
            line.push(graph.nodes[node]);
            next = neighbours[node].iter().map(|&n| n as usize).find(|&n| !seen[n]);
        }
        lines.push(line);
    }
    match seen.iter().position(|seen| !seen) {
        Some(node) => {
            let x = graph.nodes[node];
            Err(format!("the line through {x} is closed, and a rod has two ends; make it a [[net]]"))
        }
        None => Ok(lines),
    }
}

/// Points on a smooth curve through the given ones: the centripetal curve of Catmull and Rom, which neither overshoots nor
/// loops between points that lie close (Yuksel, Schaefer, Keyser 2011). Beyond its ends it goes on as it came.
fn spline(points: &[DVec3], segments: u32) -> Vec<DVec3> {
    let spans = points.len() - 1;
    let pieces = PIECES.max((PIECES_PER_SEGMENT * segments as usize).div_ceil(spans));
    let mut curve = vec![points[0]];
    for i in 0..spans {
        let before = if i > 0 { points[i - 1] } else { 2.0 * points[0] - points[1] };
        let after = if i + 2 <= spans { points[i + 2] } else { 2.0 * points[spans] - points[spans - 1] };
        let knots = [before, points[i], points[i + 1], after];
        let piece = |k: usize| catmull_rom(&knots, k as f64 / pieces as f64);
        curve.extend((1..pieces).map(piece));
        curve.push(points[i + 1]);
    }
    curve
}

/// Between the second and the third of four points, s from 0 to 1 (Barry and Goldman 1988).
fn catmull_rom([a, b, c, d]: &[DVec3; 4], s: f64) -> DVec3 {
    let t1 = a.distance(*b).sqrt();
    let t2 = t1 + b.distance(*c).sqrt();
    let t3 = t2 + c.distance(*d).sqrt();
    let t = t1 + s * (t2 - t1);
    let between = |p: DVec3, q: DVec3, from: f64, to: f64| p.lerp(q, (t - from) / (to - from));
    let (ab, bc, cd) = (between(*a, *b, 0.0, t1), between(*b, *c, t1, t2), between(*c, *d, t2, t3));
    between(between(ab, bc, 0.0, t2), between(bc, cd, t1, t3), t1, t2)
}

/// Points at equal distances along a polyline.
fn resampled(points: &[DVec3], segments: u32) -> Vec<DVec3> {
    let mut along = vec![0.0];
    for pair in points.windows(2) {
        along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
    }
    let total = along[along.len() - 1];
    let mut piece = 0;
    (0..=segments)
        .map(|i| {
            let s = total * f64::from(i) / f64::from(segments);
            while piece + 2 < points.len() && along[piece + 1] < s {
                piece += 1;
            }
            let t = (s - along[piece]) / (along[piece + 1] - along[piece]);
            points[piece].lerp(points[piece + 1], t.clamp(0.0, 1.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a circle make an arc whose segments are equal and stay on it.
    #[test]
    fn a_spline_through_a_circle_stays_near_it_in_equal_segments() {
        let at = |angle: f64| DVec3::new(angle.cos(), angle.sin(), 0.0);
        let points: Vec<DVec3> = (0..=12).map(|i| at(0.4 * f64::from(i))).collect();
        let shape = RodShape::Spline { points: points.clone(), segments: 90 };
        let line = centre_lines(&shape, 0, 1).unwrap().remove(0);
        assert_eq!((line[0], line[90]), (points[0], points[12]));
        let lengths: Vec<f64> = line.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let mean = lengths.iter().sum::<f64>() / 90.0;
        assert!(lengths.iter().all(|l| (l / mean - 1.0).abs() < 2e-3), "{lengths:?}");
        // The first and last span are rounded off by what goes on straight.
        for x in &line[8..83] {
            assert!((x.length() - 1.0).abs() < 2e-3, "{x}");
        }
        // Through all of its points.
        for point in &points {
            let nearest = line.iter().map(|x| x.distance(*point)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.6 * mean, "{point}");
        }
    }

    /// Two far points beside two near ones: a uniform curve would loop there.
    #[test]
    fn a_spline_does_not_turn_back_between_near_points() {
        let points = [0.0, 1.0, 1.02, 2.0].map(|x| DVec3::new(x, 0.0, 0.0)).to_vec();
        let line = centre_lines(&RodShape::Spline { points, segments: 50 }, 0, 1).unwrap().remove(0);
        assert!(line.windows(2).all(|pair| pair[1].x > pair[0].x), "{line:?}");
    }

    #[test]
    fn the_lines_of_a_graph_are_its_strips_and_nothing_else() {
        let mut graph = Graph::default();
        for i in 0..7 {
            graph.node(DVec3::new(f64::from(i), 0.0, 0.0));
        }
        graph.edge([1, 0], 1);
        graph.edge([1, 2], 1);
        graph.edge([4, 3], 1);
        assert_eq!(
            strips(&graph).unwrap_err(),
            "the line through [5, 0, 0] is closed, and a rod has two ends; make it a [[net]]"
        );
        graph.nodes.truncate(5);
        let lines = strips(&graph).unwrap();
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(lines[0][0], DVec3::ZERO);
        graph.edge([1, 3], 1);
        assert!(strips(&graph).unwrap_err().contains("3 lines meet"));
    }
}
