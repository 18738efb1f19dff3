//! A graph: nodes in space and straight edges between them.

use glam::DVec3;

/// What a net is made from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Positions [m].
    pub nodes: Vec<DVec3>,
    pub edges: Vec<GraphEdge>,
    /// Nodes whose joints are not the usual ones.
    pub joints: Vec<GraphJoint>,
}

/// A straight rod between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphEdge {
    pub ends: [u32; 2],
    /// Segments that it is divided into.
    pub segments: u32,
    /// Its own radius [m].
    pub radius: Option<f64>,
}

/// What joins the edges at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphJoint {
    /// Nothing but the point that they share, as in a ball joint.
    Free { node: u32 },
    /// An elastic joint between two of the edges; edges that no such joint names are free.
    Pair {
        node: u32,
        /// Indices of edges.
        edges: [u32; 2],
    },
}

impl GraphJoint {
    pub fn node(&self) -> u32 {
        match self {
            Self::Free { node } | Self::Pair { node, .. } => *node,
        }
    }
}

impl Graph {
    /// Adds a node; its index.
    pub fn node(&mut self, position: DVec3) -> u32 {
        self.nodes.push(position);
        self.nodes.len() as u32 - 1
    }

    pub fn edge(&mut self, ends: [u32; 2], segments: u32) {
        self.edges.push(GraphEdge { ends, segments, radius: None });
    }

    /// Points of the net, those inside edges included.
    pub fn point_count(&self) -> u64 {
        let inside = self.edges.iter().map(|edge| u64::from(edge.segments.saturating_sub(1)));
        inside.fold(self.nodes.len() as u64, u64::saturating_add)
    }

    /// How many edges end at each node.
    pub fn valences(&self) -> Vec<u32> {
        let mut valences = vec![0; self.nodes.len()];
        self.edges.iter().flat_map(|edge| edge.ends).for_each(|node| valences[node as usize] += 1);
        valences
    }

    /// What makes the graph unfit for a net: indices, edges without length, nodes without edge, joints that join nothing.
    pub fn check(&self) -> Result<(), String> {
        let count = self.nodes.len();
        if self.edges.is_empty() {
            return Err("has no edges".into());
        }
        let mut known = std::collections::HashSet::new();
        for (i, edge) in self.edges.iter().enumerate() {
            let [a, b] = edge.ends;
            if let Some(node) = edge.ends.iter().find(|n| **n as usize >= count) {
                return Err(format!("edge {i} ends at node {node}, but there are {count} (counted from 0)"));
            }
            if a == b || self.nodes[a as usize] == self.nodes[b as usize] {
                return Err(format!("edge {i}, from node {a} to node {b}, has no length"));
            }
            if edge.segments == 0 {
                return Err(format!("edge {i} has 0 segments; it needs at least 1"));
            }
            if let Some(radius) = edge.radius.filter(|r| !(*r > 0.0 && r.is_finite())) {
                return Err(format!("edge {i} has a radius of {radius} m; it must be greater than 0"));
            }
            if !known.insert([a.min(b), a.max(b)]) {
                return Err(format!(
                    "edge {i} runs from node {a} to node {b}, where another edge runs already"
                ));
            }
        }
        let valences = self.valences();
        if let Some(node) = valences.iter().position(|valence| *valence == 0) {
            return Err(format!("no edge ends at node {node}; join or remove it"));
        }
        for joint in &self.joints {
            let node = joint.node();
            match valences.get(node as usize) {
                None => {
                    return Err(format!("a joint is at node {node}, but there are {count} (counted from 0)"));
                }
                Some(1) => {
                    return Err(format!(
                        "the joint at node {node} has one segment; a joint needs at least two"
                    ));
                }
                Some(_) => {}
            }
            if let GraphJoint::Pair { edges: [a, b], .. } = *joint {
                let ends_here =
                    |e: u32| self.edges.get(e as usize).is_some_and(|edge| edge.ends.contains(&node));
                if let Some(edge) = [a, b].into_iter().find(|e| !ends_here(*e)) {
                    return Err(format!(
                        "the joint at node {node} is disconnected: edge {edge} does not end there"
                    ));
                }
                if a == b {
                    return Err(format!("the joint at node {node} joins edge {a} to itself"));
                }
            }
        }
        Ok(())
    }
}
