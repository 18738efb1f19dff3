//! A tape that tears: a family outside of the library, whose triangles break and let the tape come apart.
//!
//! Each triangle is three springs. It breaks when one of them is too long, the sooner the more often it was strained: those
//! are listed by the device, so that the tape both grows lists and cuts. A broken triangle stops acting at once; at the end of the
//! step it is gone, and where triangles are left that meet in a particle only, each side has a particle of its own.

use sinew::compute::{
    Access, Binding, Bound, ComputeError, Data, Disjoint, Element, Extent, Grain, Kernel, Launch, Role,
};
use sinew::glam::DVec3;
use sinew::math::{Real, Vec3, Vec4};
use sinew::model::Model;
use sinew::primitives::list::{self, Source};
use sinew::scene::{CellKind, Copy, Cut, CutCell, Points, PointsShape, Scene};
use sinew::solver::Families;
use sinew::step::{Columns, Family, Member, Stage, StageList, Step};
use sinew::{Options, Simulation};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// The name that bodies of this family begin with.
const NAME: &str = "tape";
/// Stiffness of a spring [N/m].
const STIFFNESS: f64 = 60.0;
/// The strain beyond which a triangle is listed, and that at which a fresh one breaks.
const STRAINED: f64 = 0.01;
const STRONG: f64 = 0.5;

/// Declares a kernel whose shader stands here; `launch` is binding 0, and the rest is in the order given.
macro_rules! kernel {
    ($kernel:ident, $name:literal, [$($access:ident $binding:literal $element:literal),*], $source:literal, $twin:ident) => {
        static $kernel: Kernel = Kernel {
            name: $name,
            path: concat!("tape/", $name),
            source: concat!("#import launch\n@group(0) @binding(0) var<uniform> launch: Launch;\n", $source),
            grain: Grain::Invocation,
            bindings: &[$(Binding { name: $binding, access: Access::$access, element: $element }),*],
            twin_f32: $twin::<f32>,
            twin_f64: $twin::<f64>,
            lanes_f32: None,
            // SAFETY: each invocation writes its own particle or triangle; a triangle is in the list once.
            disjoint: unsafe { Disjoint::promise() },
        };
    };
}

kernel!(KICK, "tape_kick",
    [Read "positions" "real4", Read "tape_corners" "uint4", Read "tape_rest" "real4", Read "tape_broken" "uint",
     Read "tape_starts" "uint", Read "tape_slots" "uint", Write "velocities" "real4"],
    "@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
    @group(0) @binding(2) var<storage, read> tape_corners: array<vec4<u32>>;
    @group(0) @binding(3) var<storage, read> tape_rest: array<vec4<f32>>;
    @group(0) @binding(4) var<storage, read> tape_broken: array<u32>;
    @group(0) @binding(5) var<storage, read> tape_starts: array<u32>;
    @group(0) @binding(6) var<storage, read> tape_slots: array<u32>;
    @group(0) @binding(7) var<storage, read_write> velocities: array<vec4<f32>>;
    @compute @workgroup_size(64) fn tape_kick(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = launch_id(id);
        if i >= launch.count { return; }
        let x = positions[i];
        var force = vec3<f32>(0.0);
        for (var s = tape_starts[i]; s < tape_starts[i + 1u]; s++) {
            let t = tape_slots[s] / 3u;
            if tape_broken[t] != 0u { continue; }
            let here = tape_slots[s] % 3u;
            for (var k = 1u; k < 3u; k++) {
                let there = (here + k) % 3u;
                let edge = select(there, here, k == 1u);
                let d = positions[tape_corners[t][there]].xyz - x.xyz;
                let l = length(d);
                force += d * (launch.weight * (l - tape_rest[t][edge]) / l);
            }
        }
        velocities[i] += vec4<f32>(force * (launch.dt * x.w), 0.0);
    }", kick);

/// The spring from corner k to corner k + 1 is number k.
fn kick<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (positions, corners) = (b.read::<Vec4<R>>(0), b.read::<[u32; 4]>(1));
    let (rest, broken) = (b.read::<Vec4<R>>(2), b.read::<u32>(3));
    let (starts, slots, velocities) = (b.read::<u32>(4), b.read::<u32>(5), b.write::<Vec4<R>>(6));
    for i in range {
        let x = positions[i as usize];
        let mut force = Vec3::ZERO;
        for &slot in &slots[starts[i as usize] as usize..starts[i as usize + 1] as usize] {
            let (t, here) = (slot as usize / 3, slot as usize % 3);
            if broken[t] != 0 {
                continue;
            }
            for k in 1..3 {
                let there = (here + k) % 3;
                let edge = if k == 1 { here } else { there };
                let d = positions[corners[t][there] as usize].xyz() - x.xyz();
                let l = d.length();
                force += d * (b.launch.weight * (l - rest[t].to_array()[edge]) / l);
            }
        }
        let v = velocities.get(i);
        velocities.set(i, (v.xyz() + force * (b.launch.dt * x.w)).with_w(v.w));
    }
}

/// The longest spring of a triangle, as a strain.
fn strain<R: Real>(positions: &[Vec4<R>], corners: [u32; 4], rest: Vec4<R>) -> R {
    let length = |k: usize| {
        let [from, to] = [corners[k], corners[(k + 1) % 3]].map(|i| positions[i as usize].xyz());
        (to - from).length() / rest.to_array()[k] - R::ONE
    };
    length(0).max(length(1)).max(length(2))
}

kernel!(COUNT, "tape_count",
    [Read "positions" "real4", Read "tape_corners" "uint4", Read "tape_rest" "real4", Read "tape_broken" "uint",
     Write "strained_counts" "uint"],
    "@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
    @group(0) @binding(2) var<storage, read> tape_corners: array<vec4<u32>>;
    @group(0) @binding(3) var<storage, read> tape_rest: array<vec4<f32>>;
    @group(0) @binding(4) var<storage, read> tape_broken: array<u32>;
    @group(0) @binding(5) var<storage, read_write> strained_counts: array<u32>;
    @compute @workgroup_size(64) fn tape_count(@builtin(global_invocation_id) id: vec3<u32>) {
        let t = launch_id(id);
        if t >= launch.count { return; }
        var most = -1.0;
        for (var k = 0u; k < 3u; k++) {
            let d = positions[tape_corners[t][(k + 1u) % 3u]].xyz - positions[tape_corners[t][k]].xyz;
            most = max(most, length(d) / tape_rest[t][k] - 1.0);
        }
        strained_counts[t] = select(0u, 1u, most > launch.weight && tape_broken[t] == 0u);
    }", count);

fn count<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (positions, corners) = (b.read::<Vec4<R>>(0), b.read::<[u32; 4]>(1));
    let (rest, broken, counts) = (b.read::<Vec4<R>>(2), b.read::<u32>(3), b.write::<u32>(4));
    for t in range {
        let k = t as usize;
        let strained = strain(positions, corners[k], rest[k]) > b.launch.weight && broken[k] == 0;
        counts.set(t, strained.into());
    }
}

kernel!(FILL, "tape_fill", [Read "strained_starts" "uint", Write "strained_triangles" "uint"],
    "@group(0) @binding(1) var<storage, read> strained_starts: array<u32>;
    @group(0) @binding(2) var<storage, read_write> strained_triangles: array<u32>;
    @compute @workgroup_size(64) fn tape_fill(@builtin(global_invocation_id) id: vec3<u32>) {
        let t = launch_id(id);
        if t >= launch.count { return; }
        let row = strained_starts[t];
        if row < strained_starts[t + 1u] && row < arrayLength(&strained_triangles) { strained_triangles[row] = t; }
    }", fill);

fn fill<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (starts, rows) = (b.read::<u32>(0), b.write::<u32>(1));
    for t in range {
        let row = starts[t as usize];
        if row < starts[t as usize + 1] && (row as usize) < rows.len() {
            rows.set(row, t);
        }
    }
}

kernel!(TIRE, "tape_tire", [Read "strained_triangles" "uint", Write "tape_fatigue" "uint"],
    "@group(0) @binding(1) var<storage, read> strained_triangles: array<u32>;
    @group(0) @binding(2) var<storage, read_write> tape_fatigue: array<u32>;
    @compute @workgroup_size(64) fn tape_tire(@builtin(global_invocation_id) id: vec3<u32>) {
        let row = launch_id(id);
        if row >= launch.count { return; }
        tape_fatigue[strained_triangles[row]] += 1u;
    }", tire);

fn tire<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (rows, fatigue) = (b.read::<u32>(0), b.write::<u32>(1));
    for row in range {
        let t = rows[row as usize];
        fatigue.set(t, fatigue.get(t) + 1);
    }
}

kernel!(MARK, "tape_mark",
    [Read "positions" "real4", Read "tape_corners" "uint4", Read "tape_rest" "real4", Read "tape_fatigue" "uint",
     Write "tape_broken" "uint", Atomic "status" "uint"],
    "@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
    @group(0) @binding(2) var<storage, read> tape_corners: array<vec4<u32>>;
    @group(0) @binding(3) var<storage, read> tape_rest: array<vec4<f32>>;
    @group(0) @binding(4) var<storage, read> tape_fatigue: array<u32>;
    @group(0) @binding(5) var<storage, read_write> tape_broken: array<u32>;
    @group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>>;
    @compute @workgroup_size(64) fn tape_mark(@builtin(global_invocation_id) id: vec3<u32>) {
        let t = launch_id(id);
        if t >= launch.count { return; }
        var most = -1.0;
        for (var k = 0u; k < 3u; k++) {
            let d = positions[tape_corners[t][(k + 1u) % 3u]].xyz - positions[tape_corners[t][k]].xyz;
            most = max(most, length(d) / tape_rest[t][k] - 1.0);
        }
        let limit = tape_rest[t].w * (1.0 - 0.001 * f32(min(tape_fatigue[t], 500u)));
        if most > limit && tape_broken[t] == 0u {
            tape_broken[t] = 1u;
            atomicAdd(&status[launch.base], 1u);
        }
    }", mark);

fn mark<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (positions, corners) = (b.read::<Vec4<R>>(0), b.read::<[u32; 4]>(1));
    let (rest, fatigue) = (b.read::<Vec4<R>>(2), b.read::<u32>(3));
    let (broken, status) = (b.write::<u32>(4), b.atomic(5));
    for t in range {
        let k = t as usize;
        let limit = rest[k].w * (R::ONE - R::of(0.001) * R::of(fatigue[k].min(500).into()));
        if strain(positions, corners[k], rest[k]) > limit && broken.get(t) == 0 {
            broken.set(t, 1);
            status[b.launch.base as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
}

static KERNELS: &[&Kernel] = &[&KICK, &COUNT, &FILL, &TIRE, &MARK];

/// The family, with room for so many strained triangles at first. It cuts, or lets the mark alone act.
pub struct Tape {
    pub capacity: u32,
    pub cuts: bool,
}

/// Body and own number of each triangle of the family.
fn triangles(model: &Model) -> Vec<(usize, u32)> {
    let tapes = model.bodies.iter().enumerate().filter(|(_, body)| body.name.starts_with(NAME));
    tapes.flat_map(|(k, body)| (0..body.triangles.len() as u32).map(move |t| (k, t))).collect()
}

impl Family for Tape {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let all = triangles(model);
        let count = all.len() as u32;
        if count == 0 {
            return Ok(());
        }
        let corners = all.iter().map(|&(body, t)| {
            let [a, b, c] = model.triangles[(model.bodies[body].triangles.start + t) as usize];
            [a, b, c, 0]
        });
        let corners: Vec<[u32; 4]> = corners.collect();
        let rest = corners.iter().map(|corners| {
            let x = [0, 1, 2].map(|k| model.particles.positions[corners[k] as usize]);
            let [ab, bc, ca] = [x[0].distance(x[1]), x[1].distance(x[2]), x[2].distance(x[0])];
            [ab, bc, ca, limit((x[0].x + x[1].x + x[2].x) / 3.0)]
        });
        let rest = rest.collect();
        let mut at = vec![Vec::new(); model.particle_count()];
        for (t, corners) in (0..).zip(&corners) {
            (0..3).for_each(|k| at[corners[k as usize] as usize].push(3 * t + k));
        }
        let mut starts = vec![0];
        starts.extend(at.iter().scan(0, |sum, slots| {
            *sum += slots.len() as u32;
            Some(*sum)
        }));
        let buffers = &mut step.buffers;
        buffers.uint4s("tape_corners", Role::Model, corners)?;
        buffers.real4s("tape_rest", Role::Model, rest)?;
        buffers.uints("tape_broken", Role::State, vec![0; count as usize])?;
        buffers.uints("tape_fatigue", Role::State, vec![0; count as usize])?;
        buffers.uints("tape_starts", Role::Model, starts)?;
        buffers.uints("tape_slots", Role::Model, at.concat())?;
        let columns = ["tape_corners", "tape_rest", "tape_broken", "tape_fatigue"];
        buffers.gather("tape_triangles", count, &columns)?;
        buffers.refer("tape_corners", 3, "particles")?;
        let source = Source::Elements(count);
        let strained = list::declare(buffers, "strained", source, self.capacity.min(count), count)?;
        buffers.zeros(strained, "strained_triangles", Element::Uint, Role::State, [1, 0])?;
        buffers.refer("strained_triangles", 1, "tape_triangles")?;
        let events = step.count_events()?;
        step.join(Triangles { count, particles: model.particle_count() as u32, events });
        Ok(())
    }

    fn cut(&self, model: &Model, state: &mut dyn Columns) -> Result<Vec<Cut>, ComputeError> {
        let Some(broken) = state.column("tape_broken")? else { return Ok(Vec::new()) };
        let mut gone = vec![Vec::new(); model.bodies.len()];
        for ((body, t), _) in triangles(model).into_iter().zip(broken.uints()).filter(|(_, mark)| **mark != 0)
        {
            gone[body].push(t);
        }
        let torn = gone.iter().enumerate().filter(|(_, gone)| self.cuts && !gone.is_empty());
        Ok(torn.map(|(body, gone)| torn_body(model, body, gone)).collect())
    }
}

/// The strain at which a fresh triangle at x [m] breaks. There are two weak places: one breaks in the fourth step, and the
/// other, tired by the waves in its piece, in about the twentieth.
fn limit(x: f64) -> f64 {
    match x {
        0.4..0.44 => 0.06,
        0.8..0.84 => 0.065,
        _ => STRONG,
    }
}

/// Takes triangles away and splits the particles in which others meet without an edge between them.
fn torn_body(model: &Model, index: usize, gone: &[u32]) -> Cut {
    let body = &model.bodies[index];
    let own = |i: u32| model.order.old_of_new[i as usize] - body.particles.start;
    let mut left: BTreeMap<u32, [u32; 3]> = (body.triangles.clone())
        .map(|t| (t - body.triangles.start, model.triangles[t as usize].map(own)))
        .filter(|(t, _)| !gone.contains(t))
        .collect();
    let mut cells: Vec<CutCell> = Vec::new();
    let removed = |&number: &u32| CutCell { kind: CellKind::Triangle, number, corners: Vec::new() };
    cells.extend(gone.iter().map(removed));
    let mut copies = Vec::new();
    let before = left.clone();
    for particle in 0..body.particles.len() as u32 {
        let mut fans = fans(&before, particle);
        let mut weight: usize = fans.iter().map(Vec::len).sum();
        for fan in fans.drain(1.min(fans.len())..) {
            let copy = body.particles.len() as u32 + copies.len() as u32;
            copies.push(Copy { of: particle, share: fan.len() as f64 / weight as f64 });
            weight -= fan.len();
            for t in fan {
                let corners = left.get_mut(&t).expect("fans are of triangles that are left");
                *corners = corners.map(|corner| if corner == particle { copy } else { corner });
            }
        }
    }
    let moved = left.iter().filter(|(t, corners)| before[t] != **corners);
    cells.extend(moved.map(|(&number, corners)| CutCell {
        kind: CellKind::Triangle,
        number,
        corners: corners.to_vec(),
    }));
    Cut { body: index as u32, copies, cells }
}

/// The triangles at a particle, in groups that hang together by edges.
fn fans(triangles: &BTreeMap<u32, [u32; 3]>, particle: u32) -> Vec<Vec<u32>> {
    let mut fans: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for (&t, corners) in triangles.iter().filter(|(_, corners)| corners.contains(&particle)) {
        let mut own =
            (vec![t], corners.iter().copied().filter(|&corner| corner != particle).collect::<Vec<_>>());
        let (met, others): (Vec<_>, _) =
            fans.into_iter().partition(|(_, rim)| own.1.iter().any(|corner| rim.contains(corner)));
        for (numbers, rim) in met {
            own.0.extend(numbers);
            own.1.extend(rim);
        }
        fans = others;
        fans.push(own);
    }
    fans.sort_by_key(|(numbers, _)| numbers.iter().min().copied());
    fans.into_iter().map(|(numbers, _)| numbers).collect()
}

struct Triangles {
    count: u32,
    particles: u32,
    events: u32,
}

impl Member for Triangles {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.count);
        match stage {
            Stage::Force => list.run(&KICK, Launch { weight: STIFFNESS, ..Launch::over(self.particles) }),
            Stage::After => {
                let count = (&COUNT, Launch { weight: STRAINED, ..all }, &[][..]);
                let source = Source::Elements(self.count);
                list::make(list.passes, list.buffers, "strained", source, count, (&FILL, all, &[]))?;
                let rows = list.buffers.find_table("strained").expect("declared above");
                list.passes.over(list.buffers, &TIRE, Launch::over(0), Extent::of(rows), &[])?;
                list.run(&MARK, Launch { base: self.events, ..all })
            }
            _ => Ok(()),
        }
    }
}

static TAPE: Tape = Tape { capacity: 1, cuts: true };
static ROOMY: Tape = Tape { capacity: u32::MAX, cuts: true };
static MARKED: Tape = Tape { capacity: 1, cuts: false };

/// With the family: as it is, with room for all rows at first, or without cuts.
pub fn tearing(options: &Options) -> Options {
    Options { families: Families::standard().with(&TAPE), ..options.clone() }
}

pub fn tearing_in_room(options: &Options) -> Options {
    Options { families: Families::standard().with(&ROOMY), ..options.clone() }
}

pub fn marking(options: &Options) -> Options {
    Options { families: Families::standard().with(&MARKED), ..options.clone() }
}

/// Cells along the tape, one across, each of two triangles.
pub const CELLS: u32 = 10;

/// A tape of 1 m by 10 cm without weight.
pub fn tape(name: &str, position: DVec3) -> Points {
    let across = |i: u32| [0.0, 0.1].map(|y| DVec3::new(0.1 * f64::from(i), y, 0.0));
    let cell = |i: u32| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]];
    Points {
        name: name.into(),
        shape: PointsShape::List {
            points: (0..=CELLS).flat_map(across).collect(),
            masses: sinew::scene::Masses::Each(0.01),
            links: vec![],
            triangles: (0..CELLS).flat_map(cell).collect(),
            tetrahedra: vec![],
        },
        area_compliance: f64::INFINITY,
        position,
        radius: 0.004,
        ..Points::default()
    }
}

pub fn scene() -> Scene {
    Scene {
        gravity: DVec3::ZERO,
        substeps: 4,
        iterations: 1,
        points: vec![tape("tape", DVec3::ZERO)],
        ..Scene::default()
    }
}

/// Begins with particles of the tape that move apart: v = rate (x − ½) + drift.
pub fn pull(simulation: &mut Simulation) {
    let (rate, drift) = (1.2, DVec3::new(0.0, 0.3, -0.2));
    let model = simulation.model();
    let body = model.bodies.iter().find(|body| body.name == NAME).expect("there is a tape");
    let own = body.particles.clone();
    let velocities = model.particles.positions.iter().enumerate().flat_map(|(i, x)| {
        let moves = own.contains(&model.order.old_of_new[i]);
        let v = DVec3::X * (rate * (x.x - 0.5)) + drift;
        if moves { [v.x, v.y, v.z, 0.0] } else { [0.0; 4] }
    });
    let (id, data) = (simulation.solver().velocities, Data::Reals(velocities.collect()));
    simulation.executor().write(id, &data).unwrap();
}
