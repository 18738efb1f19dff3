//! The constraint graph: which particles a solver's constraints join, and the colour class each is solved in.

use super::Model;
use super::colouring::Colouring;
use super::elements::Elements;
use crate::scene::SolverKind;

/// A line of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// By the model's numbers.
    pub ends: [u32; 2],
    /// Constraints of one class share no particle and are solved at once; Jacobi has only one.
    pub class: u32,
}

/// The constraints of one body as lines: links as they are, hinges from tip to tip, areas and volumes around.
pub fn constraint_graph(model: &Model, body: usize) -> Vec<GraphEdge> {
    let elements: &Elements = &model.elements[body];
    let mut graph = Graph { model, movable: model.movable(), edges: Vec::new() };
    graph.add(elements.links.iter().map(|link| link.ends), &[[0, 1]]);
    graph.add(elements.hinges.iter().map(|hinge| hinge.particles), &[[0, 1]]);
    graph.add(elements.isometric.iter().map(|hinge| hinge.particles), &[[0, 1]]);
    graph.add(elements.areas.iter().map(|area| area.particles), &[[0, 1], [1, 2], [2, 0]]);
    let around = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    graph.add(elements.volumes.iter().map(|volume| volume.particles), &around);
    graph.edges
}

struct Graph<'a> {
    model: &'a Model,
    movable: Vec<bool>,
    edges: Vec<GraphEdge>,
}

impl Graph<'_> {
    /// A family of constraints, with the pairs of corners that are drawn of each.
    fn add<const K: usize>(&mut self, corners: impl Iterator<Item = [u32; K]>, pairs: &[[usize; 2]]) {
        let corners: Vec<[u32; K]> = corners.collect();
        let mut classes = vec![0; corners.len()];
        // A family that cannot be coloured has not become a solver either; here it is shown in one class.
        if self.model.settings.solver == SolverKind::Coloured
            && let Ok(colouring) = Colouring::new(&corners, &self.movable)
        {
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
