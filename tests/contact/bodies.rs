//! Contact between bodies: lists against all pairs, kernels against their twins, and nothing that goes through anything.

use glam::DVec3;
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Executor, Gpu, GpuExecutor, Launch, Order, Passes, Role, Rows, Run,
    Tables, Transaction, compare_runs,
};
use sinew::contact::driven::Driven;
use sinew::contact::near_pairs::{EDGES, PARTICLE};
use sinew::contact::surfaces::{Surfaces, elements, skins};
use sinew::contact::verify::{Shapes, Verifier};
use sinew::math::Vec4;
use sinew::particles::{World, finish, predict};
use std::collections::BTreeSet;

/// Numbers in [−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// Triangles, segments and points without any forces but contact, each a body of its own.
#[derive(Clone, Default)]
struct Soup {
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    segments: Vec<[u32; 2]>,
    points: Vec<u32>,
    bodies: Vec<u32>,
    radius: f64,
    dt: f64,
    capacity: u32,
    friction: f64,
}

impl Soup {
    /// `count` of each kind that fly towards the middle, nowhere nearer than their thickness at the start.
    fn new(seed: u64, count: usize, size: f64, speed: f64) -> Self {
        let mut random = Random(seed);
        let mut soup = Self { radius: 0.01 * size, dt: 1e-3, friction: 0.4, ..Self::default() };
        while soup.triangles.len() + soup.segments.len() + soup.points.len() < 3 * count {
            let kind = 1 + (soup.triangles.len() + soup.segments.len() + soup.points.len()) % 3;
            let mut more = soup.clone();
            let centre = 2.0 * size * random.vector();
            let v = speed * (0.3 * random.vector() - centre / (2.0 * size));
            let first = more.x.len() as u32;
            let body = more.bodies.last().map_or(0, |b| b + 1);
            for _ in 0..kind {
                let x = centre + 0.5 * size * random.vector();
                more.x.push(x.as_vec3().as_dvec3());
                more.v.push(v + 0.2 * speed * random.vector());
                more.bodies.push(body);
            }
            match kind {
                1 => more.points.push(first),
                2 => more.segments.push([first, first + 1]),
                _ => more.triangles.push([first, first + 1, first + 2]),
            }
            let findings = Verifier::new(more.shapes(&more.x)).look(&more.x);
            if findings.intersections == 0 && findings.max_depth <= 0.0 {
                soup = more;
            }
        }
        soup
    }

    fn shapes(&self, start: &[DVec3]) -> Shapes {
        let count = self.bodies.last().map_or(0, |b| b + 1);
        Shapes {
            triangles: self.triangles.clone(),
            segments: self.segments.clone(),
            points: self.points.clone(),
            radii: vec![self.radius; self.x.len()],
            start: start.to_vec(),
            bodies: self.bodies.iter().map(|&b| [b, 0]).collect(),
            names: (0..count).map(|b| b.to_string()).collect(),
            first_triangles: vec![0; count as usize],
            ..Shapes::default()
        }
    }

    fn surfaces(&self) -> Surfaces {
        let body_count = self.bodies.last().map_or(0, |b| b + 1);
        let elements = elements(&self.triangles, &self.segments, &self.points, |p| self.bodies[p as usize]);
        Surfaces {
            skins: skins(&elements, &self.x),
            tangles: vec![[0; 2]; self.x.len()],
            areas: vec![0.0; self.x.len()],
            elements,
            rest: self.x.iter().map(|x| x.extend(self.radius).to_array()).collect(),
            bodies: self.bodies.clone(),
            body_count,
            stiffness: 30.0,
            driven: Driven::default(),
            rules: vec![[self.friction, self.friction, -1.0, 0.0]; (body_count * body_count) as usize],
            sweeps: 3,
            capacity: self.capacity,
        }
    }

    fn build(&self) -> (Tables, Passes) {
        let surfaces = self.surfaces();
        let world = World {
            keep: 1.0,
            relaxation: 1.0,
            gravity: Vec4::new(0.0, -9.81, 0.0, 0.0),
            ..World::default()
        };
        let mut buffers = Tables::new();
        buffers.table("particles", Rows::Fixed(self.x.len() as u32)).unwrap();
        let real4s = |list: &[DVec3], w: f64| list.iter().map(|x| x.extend(w).to_array()).collect::<Vec<_>>();
        let zeros = vec![DVec3::ZERO; self.x.len()];
        buffers.real4s("positions", Role::State, real4s(&self.x, 1.0)).unwrap();
        buffers.real4s("velocities", Role::State, real4s(&self.v, 0.0)).unwrap();
        buffers.real4s("residuals", Role::State, real4s(&zeros, 1.0)).unwrap();
        buffers.real4s("offsets", Role::Scratch, real4s(&zeros, 0.0)).unwrap();
        let values = Data::Reals(world.values());
        buffers.add("world", sinew::compute::Element::Real, Role::Uniform, values).unwrap();
        buffers.uints("clock", Role::State, vec![0]).unwrap();
        surfaces.add_tables(&mut buffers).unwrap();
        let mut passes = Passes::with_dt(self.dt);
        let launch = Launch::over(self.x.len() as u32);
        passes.run(&buffers, &predict::KERNEL, launch).unwrap();
        surfaces.detect(&mut passes, &mut buffers, "offsets").unwrap();
        for iteration in 0..2 {
            surfaces.project(&mut passes, &buffers, iteration, "offsets", |_, _| Ok(())).unwrap();
        }
        surfaces.guard(&mut passes, &buffers, "offsets").unwrap();
        passes.run(&buffers, &finish::KERNEL, launch).unwrap();
        surfaces.end_of_step(&mut passes, &buffers).unwrap();
        passes.link(&mut buffers).unwrap();
        (buffers, passes)
    }
}

fn read(buffers: &Tables, executor: &mut dyn Executor, name: &str) -> Data {
    executor.read(buffers.find(name).unwrap()).unwrap()
}

fn positions(buffers: &Tables, executor: &mut dyn Executor) -> Vec<DVec3> {
    let data = read(buffers, executor, "positions");
    data.reals().chunks_exact(4).map(|c| DVec3::new(c[0], c[1], c[2])).collect()
}

/// One substep, repeated with more room if some list was too short.
fn step(buffers: &mut Tables, passes: &Passes, executor: &mut dyn Executor) {
    steps(buffers, passes, executor, 1);
}

/// Some substeps and the end of a step.
fn steps(buffers: &mut Tables, passes: &Passes, executor: &mut dyn Executor, times: u32) {
    let mut transaction = Transaction::begin(executor, buffers).unwrap();
    let last = passes.list.len() - 1;
    loop {
        executor
            .execute(&[Run { passes: 0..last, times }, Run { passes: last..last + 1, times: 1 }])
            .unwrap();
        if transaction.end(executor, buffers).unwrap().is_some() {
            return;
        }
    }
}

/// The pairs of the list, each side's particles in order.
fn listed(
    buffers: &Tables,
    executor: &mut dyn Executor,
    elements: usize,
) -> Vec<(bool, BTreeSet<u32>, BTreeSet<u32>)> {
    let count = read(buffers, executor, "near_starts").uints()[elements] as usize;
    let near = read(buffers, executor, "near");
    let pairs = near.uints().chunks_exact(4).take(count);
    pairs
        .map(|pair| {
            let (edges, split) = (pair[0] & EDGES != 0, if pair[0] & EDGES != 0 { 2 } else { 1 });
            let side = |range: &[u32]| range.iter().map(|p| p & PARTICLE).collect::<BTreeSet<u32>>();
            let (a, b) = (side(&pair[..split]), side(&pair[split..]));
            if edges && b < a { (edges, b, a) } else { (edges, a, b) }
        })
        .collect()
}

#[test]
fn near_pairs_are_those_of_all_pairs() {
    for seed in 0..4 {
        let soup = Soup::new(seed, 30, 0.1, 60.0);
        let (mut buffers, passes) = soup.build();
        let mut executor = CpuExecutor::<f64>::new(&buffers, &passes);
        step(&mut buffers, &passes, &mut executor);
        let list =
            listed(&buffers, &mut executor, soup.triangles.len() + soup.segments.len() + soup.points.len());
        let found: BTreeSet<_> = list.iter().cloned().collect();
        assert_eq!(found.len(), list.len(), "soup {seed}: a pair is listed twice");
        let spans = read(&buffers, &mut executor, "near_spans");
        let reach = |list: &[u32]| list.iter().map(|&p| spans.reals()[p as usize]).fold(0.0, f64::max);
        let x = |p: u32| soup.x[p as usize];
        let mut sides: Vec<[u32; 2]> =
            soup.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        sides.extend(&soup.segments);
        let mut expected = BTreeSet::new();
        for p in 0..soup.x.len() as u32 {
            for t in soup.triangles.iter().filter(|t| !t.contains(&p)) {
                if sinew::contact::verify::point_triangle(x(p), t.map(x)) <= reach(&[p]) + reach(t) {
                    expected.insert((false, BTreeSet::from([p]), BTreeSet::from(*t)));
                }
            }
        }
        let alone: Vec<[u32; 2]> = soup.points.iter().map(|&p| [p, p]).collect();
        let segments: Vec<[u32; 2]> = soup.segments.iter().chain(&alone).copied().collect();
        let mut insert = |p: [u32; 2], q: [u32; 2]| {
            let apart = p.iter().all(|end| !q.contains(end));
            if apart && sinew::contact::verify::segment_segment(p.map(x), q.map(x)) <= reach(&p) + reach(&q) {
                let (a, b) = (BTreeSet::from(p), BTreeSet::from(q));
                expected.insert(if b < a { (true, b, a) } else { (true, a, b) });
            }
        };
        for (k, &p) in sides.iter().enumerate() {
            sides[k + 1..].iter().for_each(|&q| insert(p, q));
        }
        for (k, &p) in alone.iter().enumerate() {
            segments.iter().filter(|q| q[0] != q[1]).for_each(|&q| insert(p, q));
            alone[k + 1..].iter().for_each(|&q| insert(p, q));
        }
        assert!(expected.len() > 100, "soup {seed}: {} pairs", expected.len());
        assert_eq!(found, expected, "soup {seed}");
    }
}

/// In f32 and f64, in metres and in millimetres, slow and at 50 m/s.
#[test]
fn soups_that_are_thrown_together_never_cross() {
    let mut touched = 0;
    for seed in 0..12 {
        let (size, speed) = ([0.1, 1e-3, 1.0][seed as usize % 3], [2.0, 50.0][seed as usize / 3 % 2]);
        let soup = Soup { dt: 1e-3, ..Soup::new(100 + seed, 12, size, speed * size) };
        let (mut buffers, passes) = soup.build();
        let mut executor: Box<dyn Executor> = match seed % 4 {
            0 => Box::new(CpuExecutor::<f64>::new(&buffers, &passes)),
            _ => Box::new(CpuExecutor::<f32>::new(&buffers, &passes)),
        };
        let verifier = Verifier::new(soup.shapes(&soup.x));
        let mut before = soup.x.clone();
        for number in 0..150 {
            step(&mut buffers, &passes, executor.as_mut());
            let after = positions(&buffers, executor.as_mut());
            assert!(after.iter().all(|x| x.is_finite()), "soup {seed}, substep {number}");
            let (crossings, places) = verifier.crossings(&before, &after);
            let found = verifier.look(&after);
            assert_eq!((crossings, found.intersections), (0, 0), "soup {seed}, substep {number}: {places:?}");
            assert!(found.max_depth < 0.51, "soup {seed}, substep {number}: depth {}", found.max_depth);
            touched += usize::from(found.max_depth > 0.0);
            before = after;
        }
    }
    assert!(touched > 200, "only {touched} states with contact");
}

fn final_state(soup: &Soup, order: Order, steps: u32) -> Vec<Data> {
    let (mut buffers, passes) = soup.build();
    let mut executor = CpuExecutor::<f32>::new(&buffers, &passes).with_order(order);
    for _ in 0..steps {
        step(&mut buffers, &passes, &mut executor);
    }
    ["positions", "velocities", "contact_counts"].map(|name| read(&buffers, &mut executor, name)).to_vec()
}

#[test]
fn results_depend_neither_on_the_order_of_calls_nor_on_the_room_at_first() {
    let soup = Soup::new(7, 30, 0.1, 2.0);
    let plain = final_state(&soup, Order::Parallel, 60);
    for order in [Order::Forward, Order::Backward] {
        assert!(final_state(&soup, order, 60) == plain, "{order:?}");
    }
    let small = Soup { capacity: 1, ..soup.clone() };
    assert!(final_state(&small, Order::Parallel, 60) == plain, "room for one pair");
}

/// A list lasts until something has used up its part of the skin, and whoever looks at results cannot tell.
#[test]
fn lists_that_last_have_the_bits_of_lists_made_in_every_substep() {
    for (seed, speed) in [(7, 2.0), (8, 0.2)] {
        let soup = Soup::new(seed, 30, 0.1, speed);
        let run = |times: u32| {
            let (mut buffers, passes) = soup.build();
            let mut executor = CpuExecutor::<f32>::new(&buffers, &passes);
            for _ in 0..120 / times {
                steps(&mut buffers, &passes, &mut executor, times);
            }
            ["positions", "velocities", "contact_counts"].map(|name| read(&buffers, &mut executor, name))
        };
        let (always, rarely) = (run(1), run(20));
        assert!(always[..2] == rarely[..2], "soup {seed}");
        let made = [&always, &rarely].map(|state| state[2].uints()[1]);
        println!("lists made in 120 substeps: {made:?}");
        assert_eq!(made[0], 120);
        assert!(made[1] < 100, "{} lists in 120 substeps", made[1]);
    }
}

#[test]
fn a_far_body_changes_no_bit_of_the_others() {
    let soup = Soup::new(9, 20, 0.1, 2.0);
    let plain = final_state(&soup, Order::Parallel, 60);
    let mut more = soup.clone();
    let first = more.x.len() as u32;
    more.x.extend([DVec3::new(9.0, 0.0, 0.0), DVec3::new(9.0, 1.0, 0.0), DVec3::new(9.0, 0.0, 1.0)]);
    more.v.extend([DVec3::ZERO; 3]);
    more.bodies.extend([more.bodies.last().unwrap() + 1; 3]);
    more.triangles.push([first, first + 1, first + 2]);
    let with = final_state(&more, Order::Parallel, 60);
    for (a, b) in plain.iter().zip(&with).take(2) {
        assert!(a.reals() == &b.reals()[..a.len()]);
    }
}

/// One pass of f32 arithmetic, relative to the largest of each component.
const TOLERANCE: f64 = 2e-5;

#[test]
fn all_passes_of_contact_match_their_twins() {
    let soup = Soup::new(5, 40, 0.1, 20.0);
    let soup = Soup { capacity: 20_000, ..soup };
    let (mut buffers, passes) = soup.build();
    // On the CPU until much touches.
    let mut start = CpuExecutor::<f32>::new(&buffers, &passes);
    for _ in 0..12 {
        step(&mut buffers, &passes, &mut start);
    }
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    let mut device = GpuExecutor::new(&gpu, &buffers, &passes).unwrap();
    for id in buffers.state() {
        device.write(id, &start.read(id).unwrap()).unwrap();
    }
    let mut twin = CpuExecutor::<f32>::new(&buffers, &passes);
    let result = compare_runs(&buffers, &passes, 4, [&mut device, &mut twin], TOLERANCE).unwrap();
    println!("{:.1e}", result.unwrap_or_else(|difference| panic!("{difference}")));
    let pairs = read(&buffers, &mut twin, "near_starts").uints().last().copied().unwrap();
    let pushes = read(&buffers, &mut twin, "touch_impulses");
    let acting = pushes.reals().chunks_exact(8).filter(|c| c[3] > 0.0).count();
    println!("{pairs} pairs, {acting} act");
    assert!(acting > 10, "{acting} contacts were compared");
}
