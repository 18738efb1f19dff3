//! The constraint graph: which particles a solver's constraints join, and the colour class each is solved in.

use super::Model;
use super::colouring::Colouring;
use super::elements::Elements;
use crate::scene::{NetMethod, RodMethod, SolverKind};
use std::ops::Range;

/// A line of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// By the model's numbers.
    pub ends: [u32; 2],
    /// Constraints of one class share no particle and are solved at once; Jacobi has only one.
    pub class: u32,
}

/// The constraints of one body as lines: links and segments of rods as they are, hinges and joints of rods from tip to tip,
/// areas, volumes and elements around. What is solved at once is of one class. Sorted by class.
pub fn constraint_graph(model: &Model, body: usize) -> Vec<GraphEdge> {
    let elements: &Elements = &model.elements[body];
    let mut graph = Graph { model, movable: model.movable(), edges: Vec::new() };
    graph.add(elements.links.iter().map(|link| link.ends), &[[0, 1]]);
    graph.add(elements.hinges.iter().map(|hinge| hinge.particles), &[[0, 1]]);
    graph.add(elements.isometric.iter().map(|hinge| hinge.particles), &[[0, 1]]);
    graph.add(elements.areas.iter().map(|area| area.particles), &[[0, 1], [1, 2], [2, 0]]);
    let around = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    graph.add(elements.volumes.iter().map(|volume| volume.particles), &around);
    let tets = |forces: bool| model.tets_of(body, move |law| law.has_forces() == forces).iter();
    graph.add(tets(false).map(|tet| tet.particles), &around);
    graph.add_whole(tets(true).map(|tet| tet.particles), &around);
    graph.add_whole(elements.membranes.iter().map(|membrane| membrane.particles), &[[0, 1], [1, 2], [2, 0]]);
    graph.add_whole(elements.folds.iter().map(|fold| fold.particles), &[[0, 1]]);
    for rod in model.rods.rods.iter().filter(|rod| rod.body as usize == body) {
        // Every second at a time.
        let classes = if rod.method == RodMethod::Coloured { 2 } else { 1 };
        graph.add_frames(rod.frames.clone(), classes);
    }
    for net in model.nets.nets.iter().filter(|net| net.body as usize == body) {
        if net.method == NetMethod::Coloured {
            let frames = net.segments().map(|k| model.rods.frames[k as usize].particles);
            graph.add_coloured(frames.collect(), &[[0, 1]]);
        } else {
            graph.add_frames(net.segments(), 1);
        }
    }
    // Neighbours share edges.
    let mut edges = graph.edges;
    edges.iter_mut().for_each(|edge| edge.ends.sort_unstable());
    edges.sort_unstable_by_key(|edge| (edge.class, edge.ends));
    edges.dedup();
    edges
}

struct Graph<'a> {
    model: &'a Model,
    movable: Vec<bool>,
    edges: Vec<GraphEdge>,
}

impl Graph<'_> {
    /// A family of constraints, with the pairs of corners that are drawn of each.
    fn add<const K: usize>(&mut self, corners: impl Iterator<Item = [u32; K]>, pairs: &[[usize; 2]]) {
        if self.model.settings.solver == SolverKind::Coloured {
            self.add_coloured(corners.collect(), pairs);
        } else {
            self.add_whole(corners, pairs);
        }
    }

    /// A family that is not taken apart into classes.
    fn add_whole<const K: usize>(&mut self, corners: impl Iterator<Item = [u32; K]>, pairs: &[[usize; 2]]) {
        let edges = corners.flat_map(|corners| pairs.iter().map(move |&[i, j]| [corners[i], corners[j]]));
        self.edges.extend(edges.map(|ends| GraphEdge { ends, class: 0 }));
    }

    /// The segments of frames and the joints between them, class by class in turn.
    fn add_frames(&mut self, frames: Range<u32>, classes: u32) {
        let all = &self.model.rods.frames;
        for (k, frame) in frames.clone().map(|k| (k, &all[k as usize])) {
            let class = (k - frames.start) % classes;
            if !frame.is_wall() {
                self.edges.push(GraphEdge { ends: frame.particles, class });
            }
            if let Some(next) = all.get(k as usize + 1).filter(|_| frame.joint.is_some()) {
                self.edges.push(GraphEdge { ends: [frame.particles[0], next.particles[1]], class });
            }
        }
    }

    fn add_coloured<const K: usize>(&mut self, corners: Vec<[u32; K]>, pairs: &[[usize; 2]]) {
        let mut classes = vec![0; corners.len()];
        // A family that cannot be coloured has not become a solver either; here it is shown in one class.
        if let Ok(colouring) = Colouring::new(&corners, &self.movable) {
            for (class, range) in (0..).zip(&colouring.ranges) {
                for &element in &colouring.order[range.start as usize..range.end as usize] {
                    classes[element as usize] = class;
                }
            }
        }
        for (corners, class) in corners.iter().zip(classes) {
            self.edges
                .extend(pairs.iter().map(|&[i, j]| GraphEdge { ends: [corners[i], corners[j]], class }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    /// Segments and joints of a rod, every second at a time; and nothing of it in another body's graph.
    #[test]
    fn a_rod_has_segments_and_joints() {
        let text = "format = 1\n[[rod]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 4\nmethod = \"coloured\"\n\
            [[points]]\nchain = { from = [0, 1, 0], to = [1, 1, 0], links = 2, mass = 1 }\n";
        let model = Model::new(&Scene::parse(text, "test", "").unwrap()).unwrap();
        let rod = (0..2).find(|&body| model.elements[body].links.is_empty()).unwrap();
        let edges = constraint_graph(&model, rod);
        assert_eq!(edges.len(), 4 + 3, "{edges:?}");
        assert!([0, 1].iter().all(|class| edges.iter().any(|edge| edge.class == *class)));
        assert_eq!(constraint_graph(&model, 1 - rod).len(), 2);
    }

    #[test]
    fn links_of_a_class_share_no_particle() {
        let text =
            "format = 1\n[[points]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], links = 9, mass = 1 }\n";
        let model = Model::new(&Scene::parse(text, "test", "").unwrap()).unwrap();
        let edges = constraint_graph(&model, 0);
        assert_eq!(edges.len(), 9);
        for (k, a) in edges.iter().enumerate() {
            for b in edges[k + 1..].iter().filter(|b| b.class == a.class) {
                assert!(a.ends.iter().all(|end| !b.ends.contains(end)), "{a:?} and {b:?}");
            }
        }
    }
}
