//! From a net as the user wrote it to points, segments, frames and joints in the world.

use super::super::bodies::particle_limit;
use super::super::error::{SceneError, SceneErrorKind};
use super::super::keys::Lens;
use super::super::motion::rotation;
use super::super::{Body, BodyTable, BuildContext, Pin, SceneGeometry, build, select};
use super::graph::{Graph, GraphJoint};
use super::shapes;
use super::{Clamps, Junctions, Net, NetGeometry, NetHub, NetMethod, NetPair, NetSegment, NetShape};
use crate::at;
use crate::limits;
use glam::{DMat3, DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Two tangents that are nearer to one line than this have no common normal.
const PARALLEL: f64 = 1e-6;

impl BodyTable for Net {
    const KIND: &'static str = "net";
    const DOC: &'static str = "rods that share points";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);

    fn particle_count(&self) -> u64 {
        shapes::point_count(&self.shape).unwrap_or(0)
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let name = context.name.clone();
        geometry.nets.push(NetGeometry { name, ..self.build_checked(context.total)? });
        Ok(())
    }
}

impl Net {
    /// Refuses more segments than can be solved, before memory is taken for them.
    fn check_size(&self, graph: &Graph, key: &'static str) -> Result<(), SceneError> {
        let count: u64 = graph.edges.iter().map(|edge| u64::from(edge.segments)).sum();
        let (limit, cure) = match self.method {
            NetMethod::Direct => {
                (limits::DIRECT_NET_SEGMENTS, " with `method = \"direct\"`; use \"coloured\", or fewer")
            }
            _ => (limits::NET_SEGMENTS, ""),
        };
        if count > limit {
            let message = format!("makes {count} segments; the limit is {limit}{cure}");
            return Err(SceneError::at(SceneErrorKind::Limit, key, message));
        }
        Ok(())
    }

    /// Refuses junctions of more joints than memory holds.
    fn check_joints(&self, lines: &Lines, graph: &Graph) -> Result<(), SceneError> {
        if self.junctions == Junctions::Hub {
            return Ok(());
        }
        let special: BTreeSet<u32> = graph.joints.iter().map(GraphJoint::node).collect();
        let usual = (0u32..).zip(&lines.at).filter(|(node, _)| !special.contains(node));
        let count: u64 = usual.map(|(_, at)| at.len() as u64).map(|n| n * n.saturating_sub(1) / 2).sum();
        if count > limits::NET_JOINTS {
            let limit = limits::NET_JOINTS;
            let message = format!(
                "joins segments by {count} pairs; the limit is {limit}: use \"hub\" where so many segments meet"
            );
            return Err(SceneError::at(SceneErrorKind::Limit, "junctions", message));
        }
        Ok(())
    }

    /// Validates the net and makes its geometry.
    pub fn build(&self) -> Result<NetGeometry, SceneError> {
        Body::check(self)?;
        self.build_checked(0)
    }

    /// `total` particles have been made for other bodies.
    fn build_checked(&self, total: u64) -> Result<NetGeometry, SceneError> {
        let key = self.shape_key();
        let graph = shapes::graph(&self.shape)?;
        particle_limit(key, total + graph.point_count())?;
        self.check_size(&graph, key)?;
        let mut lines = Lines::new(&graph, self);
        build::place(&mut lines.positions, self.scale, rotation(self.rotation), self.position, key)?;
        lines.orient();
        let short = |s: &NetSegment| s.ends.map(|p| lines.positions[p as usize]);
        if let Some(i) = lines.segments.iter().position(|s| short(s)[0].distance(short(s)[1]) == 0.0) {
            let message = format!("makes segment {i} of no length");
            return Err(SceneError::at(SceneErrorKind::Value, key, message));
        }
        lines.add_frames();
        if let NetShape::Ring { segments, twist, .. } = self.shape {
            for (i, segment) in lines.segments.iter_mut().enumerate() {
                segment.twist = twist.to_radians() * i as f64 / f64::from(segments);
            }
        }

        let mut pins = select::pins(&self.pin, &lines.positions, None, &[])?;
        let first_clamp = pins.len();
        pins.extend(select::pins_of("clamp", &self.clamp, &lines.positions, None, &[])?);
        let mut fixed = BTreeSet::new();
        for particle in pins.iter().filter(|pin| pin.is_rigid()).flat_map(|pin| &pin.particles) {
            if !fixed.insert(*particle) {
                let message = format!("fixes particle {particle}, which another pin or clamp already holds");
                return Err(SceneError::at(SceneErrorKind::Reference, "clamp", message));
            }
        }
        let clamps = (first_clamp as u32..).zip(&pins[first_clamp..]);
        let held: BTreeMap<u32, u32> =
            clamps.flat_map(|(i, clamp)| clamp.particles.iter().map(move |&node| (node, i))).collect();
        let mut walls = held;
        if self.clamps == Clamps::Frames {
            for (node, pin) in std::mem::take(&mut walls) {
                for &segment in &lines.at[node as usize] {
                    lines.segments[segment as usize].held = Some(pin);
                }
            }
        }
        self.check_joints(&lines, &graph)?;
        let (mut pairs, hubs) = lines.joints(&graph, &walls, self.junctions);
        if let NetShape::Ring { segments, twist, .. } = self.shape {
            // Twisted, then joined: the last segment meets the first, which stayed as it was.
            for pair in pairs.iter_mut().filter(|pair| pair.segments == [segments - 1, 0]) {
                pair.glue = twist.to_radians();
            }
        }
        let weights = select::weights(&self.weight, &lines.positions)?;
        let Lines { positions, segments, .. } = lines;
        let name = self.name.clone();
        Ok(NetGeometry { name, positions, segments, pairs, hubs, weights, pins, first_clamp })
    }
}

/// The segments of a graph's edges, and which of them meet at each point.
struct Lines {
    positions: Vec<DVec3>,
    segments: Vec<NetSegment>,
    /// The edge of each segment.
    edges: Vec<u32>,
    /// Segments at each point, in increasing order.
    at: Vec<Vec<u32>>,
    /// Chains of segments from junction to junction or round a loop.
    chains: Vec<Vec<u32>>,
}

impl Lines {
    fn new(graph: &Graph, net: &Net) -> Self {
        // The radii of a tree are shares of the trunk's.
        let unit = if matches!(net.shape, NetShape::Tree { .. }) { net.material.radius } else { 1.0 };
        let mut lines = Self {
            positions: graph.nodes.clone(),
            segments: Vec::new(),
            edges: Vec::new(),
            at: Vec::new(),
            chains: Vec::new(),
        };
        for (number, edge) in (0..).zip(&graph.edges) {
            let [from, to] = edge.ends.map(|node| graph.nodes[node as usize]);
            let radius = edge.radius.map_or(net.material.radius, |radius| unit * radius);
            let mut last = edge.ends[0];
            for i in 1..=edge.segments {
                let next = if i == edge.segments { edge.ends[1] } else { lines.positions.len() as u32 };
                if i < edge.segments {
                    lines.positions.push(from.lerp(to, f64::from(i) / f64::from(edge.segments)));
                }
                let frame = DQuat::IDENTITY;
                lines.segments.push(NetSegment { ends: [last, next], radius, frame, twist: 0.0, held: None });
                lines.edges.push(number);
                last = next;
            }
        }
        lines.at = vec![Vec::new(); lines.positions.len()];
        for (k, segment) in (0..).zip(&lines.segments) {
            segment.ends.iter().for_each(|&p| lines.at[p as usize].push(k));
        }
        lines
    }

    /// Walks from junction to junction and makes the segments of each chain point the same way.
    fn orient(&mut self) {
        let mut done = vec![false; self.segments.len()];
        let junctions = (0..self.at.len()).filter(|&p| self.at[p].len() != 2).map(|p| p as u32);
        // Then what is left are loops without a junction.
        let starts: Vec<u32> = junctions.chain(0..self.at.len() as u32).collect();
        for start in starts {
            for first in self.at[start as usize].clone() {
                let (mut point, mut segment) = (start, first);
                let mut chain = Vec::new();
                while !std::mem::replace(&mut done[segment as usize], true) {
                    let ends = &mut self.segments[segment as usize].ends;
                    if ends[0] != point {
                        ends.swap(0, 1);
                    }
                    point = ends[1];
                    chain.push(segment);
                    match self.at[point as usize][..] {
                        [a, b] => segment = if a == segment { b } else { a },
                        _ => break,
                    }
                }
                if !chain.is_empty() {
                    self.chains.push(chain);
                }
            }
        }
    }

    fn tangent(&self, segment: u32) -> DVec3 {
        let [a, b] = self.segments[segment as usize].ends.map(|p| self.positions[p as usize]);
        (b - a).normalize()
    }

    /// A direction across a chain's first segment: the normal of what meets where it begins, if that has one.
    fn across(&self, chain: &[u32]) -> DVec3 {
        let first = chain[0];
        let d3 = self.tangent(first);
        let start = self.segments[first as usize].ends[0];
        let end = self.segments[chain[chain.len() - 1] as usize].ends[1];
        let beside = self.at[start as usize].iter().chain(&self.at[end as usize]).chain(chain.iter().take(2));
        let normal = beside.map(|&other| d3.cross(self.tangent(other))).find(|n| n.length() > PARALLEL);
        let mut d1 = normal.map_or(d3.any_orthonormal_vector(), DVec3::normalize);
        // Of the two normals that with a positive sum of components, so that neighbours agree.
        if d1.element_sum() < 0.0 {
            d1 = -d1;
        }
        d1
    }

    /// Frames without twist: along a chain each is turned the shortest way onto its segment.
    fn add_frames(&mut self) {
        for chain in std::mem::take(&mut self.chains) {
            let (mut d3, d1) = (self.tangent(chain[0]), self.across(&chain));
            let mut frame = DQuat::from_mat3(&DMat3::from_cols(d1, d3.cross(d1), d3));
            for &segment in &chain {
                let next = self.tangent(segment);
                // A fold back onto itself has no shortest way; half a turn about d₁ is as good as any.
                let turn = if d3.dot(next) < -1.0 + 1e-12 {
                    DQuat::from_axis_angle(frame * DVec3::X, std::f64::consts::PI)
                } else {
                    DQuat::from_rotation_arc(d3, next)
                };
                frame = (turn * frame).normalize();
                d3 = next;
                self.segments[segment as usize].frame = frame;
            }
            self.chains.push(chain);
        }
    }

    fn joints(
        &self,
        graph: &Graph,
        held: &BTreeMap<u32, u32>,
        junctions: Junctions,
    ) -> (Vec<NetPair>, Vec<NetHub>) {
        let mut special: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
        for joint in &graph.joints {
            let named = special.entry(joint.node()).or_default();
            if let GraphJoint::Pair { edges, .. } = joint {
                named.push(*edges);
            }
        }
        let (mut pairs, mut hubs) = (Vec::new(), Vec::new());
        for (node, at) in (0u32..).zip(&self.at) {
            let valence = at.len() as u32;
            let mut join = |a: u32, b: u32| {
                // Along the chain: the first of the two is the one that ends here.
                let ends_here =
                    self.segments[b as usize].ends[1] == node && self.segments[a as usize].ends[1] != node;
                let segments = if ends_here { [b, a] } else { [a, b] };
                pairs.push(NetPair { segments, node, valence, glue: 0.0 });
            };
            if let Some(&pin) = held.get(&node) {
                hubs.push(NetHub { node, segments: at.clone(), held: Some(pin) });
            } else if let Some(named) = special.get(&node) {
                for edges in named {
                    let [a, b] =
                        edges.map(|edge| at.iter().copied().find(|&k| self.edges[k as usize] == edge));
                    if let (Some(a), Some(b)) = (a, b) {
                        join(a, b);
                    }
                }
            } else if valence > 2 && junctions == Junctions::Hub {
                hubs.push(NetHub { node, segments: at.clone(), held: None });
            } else {
                for (i, &a) in at.iter().enumerate() {
                    at[i + 1..].iter().for_each(|&b| join(a, b));
                }
            }
        }
        (pairs, hubs)
    }
}
