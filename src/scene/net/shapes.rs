//! The graphs of the built-in shapes.

use super::super::error::{SceneError, SceneErrorKind};
use super::graph::{Graph, GraphEdge};
use super::{NetShape, graph_file};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Turn from one fork of a tree to the next: branches of following forks then never lie over each other [degrees].
const GOLDEN_ANGLE: f64 = 137.507_764;
/// Centre to centre distance of rings that hang in one another, over their radius.
const MAIL_SPACING: f64 = 1.35;
/// Tilt of the rings of a mail out of its plane [rad].
const MAIL_TILT: f64 = 0.6;

/// The graph of a shape.
pub(super) fn graph(shape: &NetShape) -> Result<Graph, SceneError> {
    Ok(match shape {
        NetShape::Ring { radius, segments, .. } => {
            let mut graph = Graph::default();
            ring(&mut graph, *segments, |c, s| DVec3::new(radius * c, radius * s, 0.0));
            graph
        }
        NetShape::Grid { size, cells, segments } => grid(*size, *cells, *segments),
        NetShape::Web { radius, spokes, rings, segments } => web(*radius, *spokes, *rings, *segments),
        NetShape::Tree { length, levels, branches, angle, ratio, thinning, segments } => {
            let mut tree = Tree {
                graph: Graph::default(),
                branches: *branches,
                angle: angle.to_radians(),
                ratio: *ratio,
                thinning: *thinning,
                segments: *segments,
            };
            let root = tree.graph.node(DVec3::ZERO);
            tree.grow(root, DQuat::from_rotation_arc(DVec3::Z, DVec3::Y), *length, 1.0, *levels);
            tree.graph
        }
        NetShape::Truss { size, bays, segments } => truss(*size, *bays, *segments),
        NetShape::Globe { radius, meridians, segments } => globe(*radius, *meridians, *segments),
        NetShape::Mail { rings, radius, segments } => mail(*rings, *radius, *segments),
        NetShape::Graph(graph) => {
            graph.check().map_err(|problem| SceneError::at(SceneErrorKind::Mesh, "graph", problem))?;
            graph.clone()
        }
        NetShape::File { file, segments } => graph_file::read(file, *segments).map_err(|problem| {
            SceneError::at(
                SceneErrorKind::Mesh,
                "graph",
                format_args!("file `{}`: {problem}", file.display()),
            )
        })?,
    })
}

/// Points of a shape that needs no file, counted without making them.
pub(in crate::scene) fn point_count(shape: &NetShape) -> Option<u64> {
    let n = u64::from;
    let inside = |edges: u64, segments: u32| edges.saturating_mul(n(segments).saturating_sub(1));
    Some(match shape {
        NetShape::Ring { segments, .. } => n(*segments),
        NetShape::Grid { cells: [x, y], segments, .. } => {
            let (x, y) = (n(*x), n(*y));
            let edges = x.saturating_mul(y + 1).saturating_add(y.saturating_mul(x + 1));
            (x + 1).saturating_mul(y + 1).saturating_add(inside(edges, *segments))
        }
        NetShape::Web { spokes, rings, segments, .. } => {
            let knots = n(*spokes).saturating_mul(n(*rings));
            (knots + 1).saturating_add(inside(2 * knots, *segments))
        }
        NetShape::Tree { levels, branches, segments, .. } => {
            let (mut edges, mut level) = (1u64, 1u64);
            for _ in 0..*levels {
                level = level.saturating_mul(n(*branches));
                edges = edges.saturating_add(level);
                if edges > u64::from(u32::MAX) {
                    break;
                }
            }
            edges.saturating_add(1).saturating_add(inside(edges, *segments))
        }
        NetShape::Truss { size, bays, segments } => {
            let chords = if size[2] > 0.0 { 4 } else { 2 };
            let (knots, edges) = (chords * (n(*bays) + 1), 2 * chords * (2 * n(*bays) + 1));
            knots + inside(edges, *segments)
        }
        NetShape::Globe { meridians, segments, .. } => 2 + inside(n(*meridians), *segments),
        NetShape::Mail { rings: [x, y], segments, .. } => {
            n(*x).saturating_mul(n(*y)).saturating_mul(n(*segments))
        }
        NetShape::Graph(graph) => graph.point_count(),
        NetShape::File { .. } => return None,
    })
}

/// A closed polygon of points on the unit circle, placed.
fn ring(graph: &mut Graph, segments: u32, place: impl Fn(f64, f64) -> DVec3) {
    let first = graph.nodes.len() as u32;
    for i in 0..segments {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(segments)).sin_cos();
        graph.node(place(cos, sin));
        graph.edge([first + i, first + (i + 1) % segments], 1);
    }
}

fn grid(size: [f64; 2], [nx, ny]: [u32; 2], segments: u32) -> Graph {
    let mut graph = Graph::default();
    let at = |i: u32, n: u32, length: f64| length * (f64::from(i) / f64::from(n) - 0.5);
    for j in 0..=ny {
        for i in 0..=nx {
            let node = graph.node(DVec3::new(at(i, nx, size[0]), at(j, ny, size[1]), 0.0));
            if i > 0 {
                graph.edge([node - 1, node], segments);
            }
            if j > 0 {
                graph.edge([node - nx - 1, node], segments);
            }
        }
    }
    graph
}

fn web(radius: f64, spokes: u32, rings: u32, segments: u32) -> Graph {
    let mut graph = Graph::default();
    let centre = graph.node(DVec3::ZERO);
    let number = |ring: u32, spoke: u32| 1 + ring * spokes + spoke % spokes;
    for ring in 0..rings {
        let r = radius * f64::from(ring + 1) / f64::from(rings);
        for spoke in 0..spokes {
            let (sin, cos) = (TAU * f64::from(spoke) / f64::from(spokes)).sin_cos();
            let node = graph.node(DVec3::new(r * cos, r * sin, 0.0));
            graph.edge([if ring == 0 { centre } else { number(ring - 1, spoke) }, node], segments);
        }
    }
    for ring in 0..rings {
        for spoke in 0..spokes {
            graph.edge([number(ring, spoke), number(ring, spoke + 1)], segments);
        }
    }
    graph
}

struct Tree {
    graph: Graph,
    branches: u32,
    angle: f64,
    ratio: f64,
    thinning: f64,
    segments: u32,
}

impl Tree {
    /// Grows a branch along z of `turn`, and what grows from it. `radius` is a share of the trunk's for now.
    fn grow(&mut self, from: u32, turn: DQuat, length: f64, radius: f64, levels: u32) {
        let end = self.graph.nodes[from as usize] + turn * (length * DVec3::Z);
        let node = self.graph.node(end);
        let edge = GraphEdge { ends: [from, node], segments: self.segments, radius: Some(radius) };
        self.graph.edges.push(edge);
        if levels == 0 {
            return;
        }
        for branch in 0..self.branches {
            let about = TAU * f64::from(branch) / f64::from(self.branches)
                + f64::from(levels) * GOLDEN_ANGLE.to_radians();
            let turn = turn * DQuat::from_rotation_z(about) * DQuat::from_rotation_x(self.angle);
            self.grow(node, turn, length * self.ratio, radius * self.thinning, levels - 1);
        }
    }
}

fn truss([length, height, depth]: [f64; 3], bays: u32, segments: u32) -> Graph {
    let mut graph = Graph::default();
    // Around the section: bottom front, top front, and if there is a depth, top back, bottom back.
    let corners: &[[f64; 2]] = if depth > 0.0 {
        &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    } else {
        &[[0.0, 0.0], [1.0, 0.0]]
    };
    let n = corners.len() as u32;
    let sides = if n == 2 { 1 } else { n };
    for bay in 0..=bays {
        let x = length * f64::from(bay) / f64::from(bays);
        for [up, back] in corners {
            graph.node(DVec3::new(x, height * up, -depth * back));
        }
        let first = bay * n;
        for side in 0..sides {
            graph.edge([first + side, first + (side + 1) % n], segments);
        }
        if bay > 0 {
            for corner in 0..n {
                graph.edge([first - n + corner, first + corner], segments);
            }
            for side in 0..sides {
                // Diagonals lean to and fro from bay to bay.
                let (a, b) = (side, (side + 1) % n);
                let (a, b) = if (bay + side) % 2 == 0 { (a, b) } else { (b, a) };
                graph.edge([first - n + a, first + b], segments);
            }
        }
    }
    graph
}

fn globe(radius: f64, meridians: u32, segments: u32) -> Graph {
    let mut graph = Graph::default();
    let poles = [graph.node(radius * DVec3::Y), graph.node(-radius * DVec3::Y)];
    for meridian in 0..meridians {
        let (sin, cos) = (TAU * f64::from(meridian) / f64::from(meridians)).sin_cos();
        let mut last = poles[0];
        for i in 1..segments {
            let (across, up) = (PI * f64::from(i) / f64::from(segments)).sin_cos();
            let node = graph.node(radius * DVec3::new(across * cos, up, across * sin));
            graph.edge([last, node], 1);
            last = node;
        }
        graph.edge([last, poles[1]], 1);
    }
    graph
}

/// Each ring passes through its neighbours: those of a row lean to one side, those of the next to the other.
fn mail([nx, ny]: [u32; 2], radius: f64, segments: u32) -> Graph {
    let mut graph = Graph::default();
    let centred = |i: u32, n: u32| (f64::from(i) - 0.5 * f64::from(n - 1)) * MAIL_SPACING * radius;
    for j in 0..ny {
        for i in 0..nx {
            let lean = if (i + j) % 2 == 0 { MAIL_TILT } else { -MAIL_TILT };
            let turn = DQuat::from_rotation_x(lean) * DQuat::from_rotation_y(lean);
            let centre = DVec3::new(centred(i, nx), centred(j, ny), 0.0);
            ring(&mut graph, segments, |c, s| centre + turn * DVec3::new(radius * c, radius * s, 0.0));
        }
    }
    graph
}
