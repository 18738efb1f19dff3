//! Graphs from files: a plain list of nodes and edges, or the line elements of an OBJ.
//!
//!   node NAME X Y Z
//!   edge NAME NAME [segments N] [radius R]
//!   joint NAME free
//!   joint NAME NAME NAME
//!
//! One statement a line, `#` begins a comment, lengths in metres. A joint of three names is between the two edges that lead
//! from the first node to the others; edges at a node with such joints that none of them names are free there.

use super::super::mesh_file::referred;
use super::graph::{Graph, GraphEdge, GraphJoint};
use crate::limits;
use crate::limits::excerpt;
use glam::DVec3;
use std::collections::HashMap;
use std::path::Path;

type Result<T> = std::result::Result<T, String>;

/// Points of an OBJ that are nearer than this share of its size are one.
const WELD: f64 = 1e-7;

/// The graph of a file; edges without a number of segments get `segments`.
pub(in crate::scene) fn read(path: &Path, segments: u32) -> Result<Graph> {
    let bytes = referred(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let is_obj = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj"));
    let graph = if is_obj { lines_of_obj(&text, segments)? } else { words(&text, segments)? };
    graph.check()?;
    Ok(graph)
}

/// The graph that a text describes.
pub(super) fn words(text: &str, segments: u32) -> Result<Graph> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        reader.statement(&words, segments).map_err(|problem| format!("line {}: {problem}", number + 1))?;
    }
    Ok(reader.graph)
}

#[derive(Default)]
struct Reader<'a> {
    graph: Graph,
    names: HashMap<&'a str, u32>,
    /// The edge between two nodes.
    edges: HashMap<[u32; 2], u32>,
}

impl<'a> Reader<'a> {
    fn statement(&mut self, words: &[&'a str], segments: u32) -> Result<()> {
        match words {
            [] => {}
            ["node", name, x, y, z] => {
                let position = DVec3::new(number(x)?, number(y)?, number(z)?);
                let index = self.graph.node(position);
                if self.names.insert(name, index).is_some() {
                    return Err(format!("a node `{}` was given before", excerpt(name)));
                }
            }
            ["edge", a, b, options @ ..] => {
                let ends = [self.find(a)?, self.find(b)?];
                let mut edge = GraphEdge { ends, segments, radius: None };
                for option in options.chunks(2) {
                    match option {
                        ["segments", count] => edge.segments = whole(count)?,
                        ["radius", radius] => edge.radius = Some(number(radius)?),
                        _ => {
                            return Err(format!(
                                "`{}` is neither `segments N` nor `radius R`",
                                excerpt(option[0])
                            ));
                        }
                    }
                }
                self.edges.insert(sorted(ends), self.graph.edges.len() as u32);
                self.graph.edges.push(edge);
            }
            ["joint", node, "free"] => {
                let node = self.find(node)?;
                self.graph.joints.push(GraphJoint::Free { node });
            }
            ["joint", node, a, b] => {
                let here = self.find(node)?;
                let mut edges = [0; 2];
                for (edge, end) in edges.iter_mut().zip([a, b]) {
                    *edge = *self.edges.get(&sorted([here, self.find(end)?])).ok_or_else(|| {
                        let (node, end) = (excerpt(node), excerpt(end));
                        format!(
                            "the joint at `{node}` is disconnected: no edge before this line leads to `{end}`"
                        )
                    })?;
                }
                self.graph.joints.push(GraphJoint::Pair { node: here, edges });
            }
            [word, ..] => {
                return Err(format!(
                    "`{}` begins no statement; write `node NAME X Y Z`, `edge NAME NAME [segments N] [radius R]`, \
                     `joint NAME free` or `joint NAME NAME NAME`",
                    excerpt(word)
                ));
            }
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Result<u32> {
        self.names.get(name).copied().ok_or_else(|| format!("no node `{}` before this line", excerpt(name)))
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn number(word: &str) -> Result<f64> {
    let finite = word.parse().ok().filter(|x: &f64| x.abs() <= limits::MAGNITUDE);
    finite.ok_or_else(|| format!("`{}` is not a finite number", excerpt(word)))
}

fn whole(word: &str) -> Result<u32> {
    word.parse().map_err(|_| format!("`{}` is not a whole number", excerpt(word)))
}

/// Vertices and line elements of an OBJ; vertices at one place become one node.
fn lines_of_obj(text: &str, segments: u32) -> Result<Graph> {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let here = |problem: String| format!("line {}: {problem}", place + 1);
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            Some("v") => {
                let mut coordinate = || number(words.next().unwrap_or_default()).map_err(here);
                vertices.push(DVec3::new(coordinate()?, coordinate()?, coordinate()?));
            }
            Some("l") => {
                let mut last = None;
                for word in words {
                    let vertex = obj_index(word, vertices.len()).map_err(here)?;
                    edges.extend(last.map(|last| [last, vertex]));
                    last = Some(vertex);
                }
            }
            _ => {}
        }
    }
    let (low, high) = vertices
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let cell = (WELD * (high - low).max_element()).max(f64::MIN_POSITIVE);
    let mut graph = Graph::default();
    let mut nodes: HashMap<[i64; 3], u32> = HashMap::new();
    let mut used = HashMap::new();
    let mut seen = std::collections::HashSet::new();
    for ends in edges {
        // Only what edges use becomes a node, in the order of use.
        let ends = ends.map(|vertex| {
            *used.entry(vertex).or_insert_with(|| {
                let x = vertices[vertex as usize];
                let key = ((x - low) / cell).round().to_array().map(|c| c as i64);
                *nodes.entry(key).or_insert_with(|| graph.node(x))
            })
        });
        if ends[0] != ends[1] && seen.insert(sorted(ends)) {
            graph.edge(ends, segments);
        }
    }
    if graph.edges.is_empty() {
        return Err("has no line elements (`l 1 2 …`)".into());
    }
    Ok(graph)
}

/// OBJ counts from 1, or backwards from the latest with negative numbers.
fn obj_index(word: &str, count: usize) -> Result<u32> {
    let vertex = word.split('/').next().unwrap_or_default();
    let number: i64 =
        vertex.parse().map_err(|_| format!("`{}` is not the number of a vertex", excerpt(word)))?;
    let index = if number < 0 { number.checked_add(count as i64) } else { number.checked_sub(1) };
    match index {
        Some(i) if (0..count as i64).contains(&i) => Ok(i as u32),
        _ => Err(format!("there is no vertex {number}; {count} precede this line")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_in_words_has_its_nodes_edges_and_joints() {
        let text = "node a 0 0 0 # left\nnode b 1 0 0\nnode c 2 0 0\nnode d 1 1 0\n\
                    edge a b segments 4 radius 0.01\nedge b c\nedge b d\njoint b a c\n";
        let graph = words(text, 7).unwrap();
        assert_eq!(graph.edges[0], GraphEdge { ends: [0, 1], segments: 4, radius: Some(0.01) });
        assert_eq!(graph.edges[1].segments, 7);
        assert_eq!(graph.joints, [GraphJoint::Pair { node: 1, edges: [0, 1] }]);
        graph.check().unwrap();
        assert_eq!(graph.point_count(), 4 + 3 + 6 + 6);
    }

    #[test]
    fn what_is_wrong_with_a_graph_is_said_with_its_line() {
        for (text, expected) in [
            ("node a 0 0\n", "line 1: `node` begins no statement"),
            ("node a 0 0 x\n", "line 1: `x` is not a finite number"),
            ("node a 0 0 0\nnode a 0 0 1\n", "line 2: a node `a` was given before"),
            ("node a 0 0 0\nedge a b\n", "line 2: no node `b` before this line"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b width 3\n", "line 3: `width` is neither"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b segments\n", "line 3: `segments` is neither"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b segments -3\n", "line 3: `-3` is not a whole number"),
            (
                "node a 0 0 0\nnode b 1 0 0\nnode c 2 0 0\nedge a b\njoint a b c\n",
                "the joint at `a` is disconnected",
            ),
        ] {
            let problem = words(text, 1).unwrap_err();
            assert!(problem.starts_with(expected) || problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn a_graph_that_makes_no_net_is_refused() {
        for (text, expected) in [
            ("", "has no edges"),
            ("node a 0 0 0\nnode b 0 0 0\nedge a b\n", "has no length"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b segments 0\n", "0 segments"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b radius -1\n", "radius of -1 m"),
            ("node a 0 0 0\nnode b 1 0 0\nnode c 2 0 0\nedge a b\n", "no edge ends at node 2"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b\nedge b a\n", "where another edge runs already"),
            ("node a 0 0 0\nnode b 1 0 0\nedge a b\njoint a free\n", "the joint at node 0 has one segment"),
        ] {
            let problem = words(text, 1).unwrap().check().unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn the_lines_of_an_obj_are_welded_where_they_meet() {
        let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\nl -2 -1\n";
        let graph = lines_of_obj(text, 2).unwrap();
        assert_eq!(graph.nodes.len(), 4);
        assert_eq!(graph.valences(), [1, 3, 1, 1]);
        assert!(lines_of_obj("v 0 0 0\nl 1 5\n", 1).unwrap_err().contains("there is no vertex 5"));
        assert!(lines_of_obj("v 0 0 0\n", 1).unwrap_err().contains("no line elements"));
    }
}
