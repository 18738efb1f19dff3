//! The numbers of the element under the cursor.

use super::plots::number;
use crate::model::Model;
use glam::DVec3;

/// What a ray met, by the model's lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    Triangle(usize),
    Segment(usize),
}

/// Names of the element's numbers and the numbers with their units.
pub fn numbers(
    model: &Model,
    positions: &[DVec3],
    body: usize,
    element: Element,
) -> Vec<(&'static str, String)> {
    match element {
        Element::Triangle(index) => triangle(model, positions, body, index),
        Element::Segment(index) => segment(model, positions, body, index),
    }
}

fn triangle(model: &Model, positions: &[DVec3], body: usize, index: usize) -> Vec<(&'static str, String)> {
    let corners = model.triangles[index];
    let x = |p: u32| positions[p as usize];
    let [a, b, c] = corners.map(x);
    let area = 0.5 * (b - a).cross(c - a).length();
    let first = model.bodies[body].triangles.start as usize;
    let mut rows =
        vec![("triangle", index.saturating_sub(first).to_string()), ("area", format!("{} m²", number(area)))];
    let has = |particles: &[u32]| corners.iter().all(|corner| particles.contains(corner));
    let elements = &model.elements[body];
    if let Some(membrane) = elements.membranes.iter().find(|membrane| has(&membrane.particles)) {
        let strains = membrane.strains(membrane.particles.map(x)).map(|s| number(100.0 * s));
        rows.push(("weft, warp, shear", format!("{} %", strains.join(", "))));
    }
    if let Some(tet) = elements.tets.iter().find(|tet| has(&tet.particles)) {
        let state = tet.state(&model.solid_materials[tet.material as usize], tet.particles.map(x));
        rows.push(("tetrahedron", tet.number.to_string()));
        rows.push(("stretches", state.stretches.map(number).join(", ")));
        rows.push(("von Mises", format!("{} Pa", number(state.von_mises))));
    }
    rows
}

fn segment(model: &Model, positions: &[DVec3], body: usize, index: usize) -> Vec<(&'static str, String)> {
    let ends = model.segments[index];
    let [a, b] = ends.map(|p| positions[p as usize]);
    let length = a.distance(b);
    let first = model.bodies[body].segments.start as usize;
    let mut rows = vec![
        ("segment", index.saturating_sub(first).to_string()),
        ("length", format!("{} m", number(length))),
    ];
    let is_this = |other: &[u32; 2]| *other == ends || *other == [ends[1], ends[0]];
    let of_rod = model.rods.frames.iter().find(|frame| is_this(&frame.particles));
    let of_link = model.elements[body].links.iter().find(|link| is_this(&link.ends));
    let rest = of_rod.map(|frame| frame.rest_length).or(of_link.map(|link| link.rest_length));
    if let Some(rest) = rest {
        rows.push(("stretch", format!("{} %", number(100.0 * (length / rest - 1.0)))));
    }
    rows
}
