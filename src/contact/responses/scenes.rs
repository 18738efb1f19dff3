//! Four scenes on which responses are compared.

use super::Response;
use super::displacements::Displacements;
use super::heap::{Heap, Outcome};
use super::impulses::Impulses;
use super::springs::Springs;
use super::volumetric::Volumetric;
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::time::Instant;

/// The step, a substep of a 60th of a second [s].
const STEP: f64 = 1.0 / 600.0;
/// How hard impulses push apart what is too near [N/m].
const STIFFNESS: f64 = 100.0;

/// What a response made of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub scene: &'static str,
    pub response: &'static str,
    pub outcome: Outcome,
    /// Of a step, the checks left out [ms].
    pub time: f64,
}

/// A response that is timed.
struct Timed<'a> {
    response: &'a mut dyn Response,
    seconds: f64,
}

impl Response for Timed<'_> {
    fn name(&self) -> &'static str {
        self.response.name()
    }

    fn respond(&mut self, heap: &Heap, v: &[DVec3], h: f64) -> Vec<DVec3> {
        let start = Instant::now();
        let v = self.response.respond(heap, v, h);
        self.seconds += start.elapsed().as_secs_f64();
        v
    }
}

/// Runs all responses on all scenes for so many steps.
pub fn compare(steps: u32) -> Vec<Row> {
    let scenes = [
        ("two rods", rods()),
        ("two sheets", sheets(2, 1.0, DVec3::ZERO)),
        ("two cubes", cubes()),
        ("five layers", sheets(5, 0.0, DVec3::Y * -9.81)),
    ];
    let mut rows = Vec::new();
    for (scene, heap) in scenes {
        let mut responses: Vec<Box<dyn Response>> = Vec::new();
        if let Ok(springs) = Springs::new(&heap, STEP) {
            responses.push(Box::new(springs));
        }
        responses.push(Box::new(Impulses { stiffness: STIFFNESS }));
        responses.push(Box::new(Displacements));
        responses.push(Box::new(Volumetric));
        for response in responses.iter_mut().filter(|response| heap.is_closed || response.takes_open()) {
            let mut timed = Timed { response: response.as_mut(), seconds: 0.0 };
            let outcome = heap.clone().run(&mut timed, STEP, steps);
            let time = 1e3 * timed.seconds / f64::from(steps);
            rows.push(Row { scene, response: timed.name(), outcome, time });
        }
    }
    rows
}

/// A rod that flies across another, at 2 m/s.
fn rods() -> Heap {
    let mut heap = Heap { radius: 0.005, friction: 0.3, ..Heap::default() };
    let segments: Vec<[u32; 2]> = (0..8).map(|k| [k, k + 1]).collect();
    let along = |direction: DVec3, at: DVec3| -> Vec<DVec3> {
        (0..=8).map(|k| at + direction * (0.025 * f64::from(k) - 0.1)).collect()
    };
    heap.add(&along(DVec3::X, DVec3::ZERO), DVec3::ZERO, 0.05, &[], &segments);
    let from = DVec3::new(0.012, 0.02, 0.007);
    heap.add(&along(DVec3::new(0.2, 0.05, 1.0).normalize(), from), DVec3::Y * -2.0, 0.05, &[], &segments);
    heap
}

/// Sheets above each other, each turned against the one below: two that fly at each other, or a stack on one that is held.
fn sheets(count: u32, speed: f64, gravity: DVec3) -> Heap {
    const CELLS: u32 = 5;
    let mut heap = Heap { radius: 0.001, friction: 0.3, gravity, ..Heap::default() };
    let row = CELLS + 1;
    let corner = |k: u32| [k, k + 1, k + row, k + row + 1];
    let cells = (0..CELLS * row).filter(|k| k % row < CELLS).map(corner);
    let triangles: Vec<[u32; 3]> = cells.flat_map(|[a, b, c, d]| [[a, c, b], [b, c, d]]).collect();
    for layer in 0..count {
        let turn = DQuat::from_rotation_y(0.3 * f64::from(layer));
        let height = DVec3::Y * (0.0031 * f64::from(layer));
        let place = |k: u32| {
            let [i, j] = [k % row, k / row].map(|n| 0.1 * (f64::from(n) / f64::from(CELLS) - 0.5));
            turn * DVec3::new(i, 0.0, j) + height
        };
        let x: Vec<DVec3> = (0..row * row).map(place).collect();
        let is_held = gravity != DVec3::ZERO && layer == 0;
        let mass = if is_held { f64::INFINITY } else { 0.002 };
        heap.add(&x, DVec3::Y * if layer == 0 { 0.0 } else { -speed }, mass, &triangles, &[]);
    }
    heap
}

/// A cube that flies at another one, at 1 m/s and turned.
fn cubes() -> Heap {
    const CELLS: u32 = 3;
    let mut heap = Heap { radius: 0.001, friction: 0.3, is_closed: true, ..Heap::default() };
    let (mut numbers, mut x, mut triangles) = (HashMap::new(), Vec::new(), Vec::new());
    for face in 0..6usize {
        let (axis, far) = (face / 2, (face % 2) as u32);
        for (i, j) in (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| (i, j))) {
            let mut vertex = |i: u32, j: u32| {
                let mut place = [0; 3];
                (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (far * CELLS, i, j);
                *numbers.entry(place).or_insert_with(|| {
                    let [a, b, c] = place.map(|n| 0.06 * (f64::from(n) / f64::from(CELLS) - 0.5));
                    x.push(DVec3::new(a, b, c));
                    x.len() as u32 - 1
                })
            };
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), vertex(i + 1, j + 1)];
            // Outwards on the far side, turned over on the near one.
            triangles.extend(if far == 1 { [[a, b, c], [b, d, c]] } else { [[a, c, b], [b, c, d]] });
        }
    }
    heap.add(&x, DVec3::ZERO, 0.1, &triangles, &[]);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.1, 0.4, 0.2);
    let above: Vec<DVec3> = x.iter().map(|x| turn * *x + DVec3::new(0.008, 0.078, 0.005)).collect();
    heap.add(&above, DVec3::Y * -1.0, 0.1, &triangles, &[]);
    heap
}
