//! Sheets that tear and a block that splits, with contact: a family outside of the library marks them, and the model is cut.
//!
//! Every body of the family is watched at two particles, and torn when these are further apart than a limit. It comes apart where x was
//! 0 at the start: cells beyond get particles of their own there.

use crate::scene::{backends, body_bits, far_sheet};
use sinew::compute::{
    Access, Binding, Bound, ComputeError, Data, Disjoint, Element, Grain, Kernel, Launch, Role,
};
use sinew::glam::DVec3;
use sinew::math::{Real, Vec4};
use sinew::model::Model;
use sinew::scene::{CellKind, Cloth, Copy, Cut, CutCell, Scene};
use sinew::solver::Families;
use sinew::step::{Columns, Family, Member, Stage, StageList, Step};
use sinew::{Options, Precision, Simulation};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// What the names of bodies begin with that can tear.
const NAME: &str = "torn";
/// The distance of its ends over that at the start at which a body tears: in the first step, as stiff sheets hardly stretch.
const STRETCH: f64 = 0.9999;
const STEPS: u32 = 12;

static MARK: Kernel = Kernel {
    name: "tear_mark",
    path: "tears/tear_mark",
    source: "#import launch
    @group(0) @binding(0) var<uniform> launch: Launch;
    @group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
    @group(0) @binding(2) var<storage, read> tear_ends: array<vec2<u32>>;
    @group(0) @binding(3) var<storage, read> tear_lengths: array<f32>;
    @group(0) @binding(4) var<storage, read_write> tear_marks: array<u32>;
    @group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;
    @compute @workgroup_size(64) fn tear_mark(@builtin(global_invocation_id) id: vec3<u32>) {
        let k = launch_id(id);
        if k >= launch.count || tear_marks[k] != 0u { return; }
        let ends = tear_ends[k];
        if length(positions[ends.y].xyz - positions[ends.x].xyz) > tear_lengths[k] {
            tear_marks[k] = 1u;
            atomicAdd(&status[launch.base], 1u);
        }
    }",
    grain: Grain::Invocation,
    bindings: &[
        Binding { name: "positions", access: Access::Read, element: "real4" },
        Binding { name: "tear_ends", access: Access::Read, element: "uint2" },
        Binding { name: "tear_lengths", access: Access::Read, element: "real" },
        Binding { name: "tear_marks", access: Access::Write, element: "uint" },
        Binding { name: "status", access: Access::Atomic, element: "uint" },
    ],
    twin_f32: mark::<f32>,
    twin_f64: mark::<f64>,
    lanes_f32: None,
    // SAFETY: each invocation writes its own mark.
    disjoint: unsafe { Disjoint::promise() },
};

fn mark<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (positions, ends) = (b.read::<Vec4<R>>(0), b.read::<[u32; 2]>(1));
    let (lengths, marks, status) = (b.read::<R>(2), b.write::<u32>(3), b.atomic(4));
    for k in range.filter(|&k| marks.get(k) == 0) {
        let [from, to] = ends[k as usize].map(|i| positions[i as usize].xyz());
        if (to - from).length() > lengths[k as usize] {
            marks.set(k, 1);
            status[b.launch.base as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
}

struct Tears;
static TEARS: Tears = Tears;

/// The bodies that can tear.
fn bodies(model: &Model) -> Vec<usize> {
    (0..model.bodies.len()).filter(|&k| model.bodies[k].name.starts_with(NAME)).collect()
}

impl Family for Tears {
    fn name(&self) -> &'static str {
        "tears"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        static KERNELS: &[&Kernel] = &[&MARK];
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let all = bodies(model);
        if all.is_empty() {
            return Ok(());
        }
        let x = |i: u32| model.particles.positions[i as usize];
        let ends = all.iter().map(|&body| {
            let own = model.bodies[body].particles.clone();
            let key = |i: &u32| (x(*i).x, x(*i).y, x(*i).z).into();
            let order = |a: &[f64; 3], b: &[f64; 3]| a.partial_cmp(b).unwrap();
            let first = own.clone().min_by(|a, b| order(&key(a), &key(b))).unwrap();
            let last = own.max_by(|a, b| order(&key(a), &key(b))).unwrap();
            [first, last]
        });
        let ends: Vec<[u32; 2]> = ends.collect();
        let lengths = ends.iter().map(|&[a, b]| STRETCH * x(a).distance(x(b))).collect();
        let count = all.len() as u32;
        let tables = &mut step.buffers;
        tables.add("tear_ends", Element::Uint2, Role::Model, Data::Uints(ends.concat()))?;
        tables.reals("tear_lengths", Role::Model, lengths)?;
        tables.uints("tear_marks", Role::State, vec![0; all.len()])?;
        tables.gather("tears", count, &["tear_ends", "tear_lengths", "tear_marks"])?;
        tables.refer("tear_ends", 2, "particles")?;
        let events = step.count_events()?;
        step.join(Marks { count, events });
        Ok(())
    }

    fn cut(&self, model: &Model, state: &mut dyn Columns) -> Result<Vec<Cut>, ComputeError> {
        let Some(marks) = state.column("tear_marks")? else { return Ok(Vec::new()) };
        let torn = bodies(model).into_iter().zip(marks.uints()).filter(|(_, mark)| **mark != 0);
        Ok(torn.map(|(body, _)| split(model, body)).filter(|cut| !cut.copies.is_empty()).collect())
    }
}

struct Marks {
    count: u32,
    events: u32,
}

impl Member for Marks {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::EndOfStep => list.run(&MARK, Launch { base: self.events, ..Launch::over(self.count) }),
            _ => Ok(()),
        }
    }
}

/// Gives the cells beyond x = 0 particles of their own there.
fn split(model: &Model, index: usize) -> Cut {
    let body = &model.bodies[index];
    let own = |i: u32| model.order.old_of_new[i as usize] - body.particles.start;
    let x = |i: u32| model.particles.positions[i as usize].x;
    let (kind, cells): (_, Vec<Vec<u32>>) = if body.triangles.is_empty() {
        let range = body.segments.start as usize..body.segments.end as usize;
        (CellKind::Segment, model.segments[range].iter().map(|s| s.to_vec()).collect())
    } else if body.tetrahedra.is_empty() {
        let range = body.triangles.start as usize..body.triangles.end as usize;
        (CellKind::Triangle, model.triangles[range].iter().map(|t| t.to_vec()).collect())
    } else {
        let range = body.tetrahedra.start as usize..body.tetrahedra.end as usize;
        (CellKind::Tetrahedron, model.tetrahedra[range].iter().map(|t| t.to_vec()).collect())
    };
    let is_on_line = |i: u32| x(i).abs() < 1e-9;
    let is_beyond = |cell: &[u32]| cell.iter().map(|&i| x(i)).sum::<f64>() > 0.0;
    let both = |i: u32| {
        [true, false].iter().all(|side| cells.iter().any(|c| c.contains(&i) && is_beyond(c) == *side))
    };
    let mut copies = BTreeMap::new();
    for user in body.particles.clone() {
        let i = model.order.new_of_old[user as usize];
        if is_on_line(i) && both(i) {
            copies.insert(i, body.particles.len() as u32 + copies.len() as u32);
        }
    }
    let moved =
        (0..).zip(&cells).filter(|(_, cell)| is_beyond(cell) && cell.iter().any(|i| copies.contains_key(i)));
    let cells = moved.map(|(number, cell)| CutCell {
        kind,
        number,
        corners: cell.iter().map(|&i| copies.get(&i).copied().unwrap_or(own(i))).collect(),
    });
    let cells = cells.collect();
    let mut order: Vec<(u32, u32)> = copies.into_iter().map(|(of, copy)| (copy, own(of))).collect();
    order.sort_unstable();
    let copies = order.into_iter().map(|(_, of)| Copy { of, share: 0.5 }).collect();
    Cut { body: index as u32, copies, cells }
}

fn tearing(options: &Options) -> Options {
    Options { families: Families::standard().with(&TEARS), ..options.clone() }
}

/// Sheets of links and of finite elements, solids that are constraints and forces, and a net, all with contact, and without weight.
fn scene() -> Scene {
    let mut text = String::from(
        "format = 1\ngravity = [0, 0, 0]\nsubsteps = 4\niterations = 4\nintegrator = \"implicit\"\n[contact]\n",
    );
    for (k, model) in ["net", "green"].into_iter().enumerate() {
        let fabric = if model == "net" {
            "bending = \"distance\"\nstretch_stiffness = 20\n"
        } else {
            "fabric = \"jersey\"\n"
        };
        text += &format!(
            "[[cloth]]\nname = \"torn {model}\"\nmodel = \"{model}\"\n{fabric}grid = {{ size = [0.4, 0.2], cells = [4, 2] }}\n\
             position = [0, {k}, 0]\nthickness = 0.004\n"
        );
    }
    for (k, model) in ["position", "corotational"].into_iter().enumerate() {
        text += &format!(
            "[[solid]]\nname = \"torn {model}\"\nmodel = \"{model}\"\nyoungs_modulus = 1e4\nbox = {{ size = [0.4, 0.2, 0.2], cells = \
             [4, 2, 2] }}\nposition = [0, {k}, 3]\nthickness = 0.004\n"
        );
    }
    text += "[[net]]\nname = \"torn knots\"\ngrid = { size = [0.4, 0.2], cells = [4, 2], segments = 1 }\nposition = [0, 0, 6]\n\
             material = \"rope\"\nyoungs_modulus = 1e5\nradius = 0.004\n";
    Scene::parse(&text, "tears", "").unwrap_or_else(|error| panic!("{error}"))
}

const BODIES: usize = 5;

/// Begins with bodies that are drawn apart along x and drift.
fn start(scene: &Scene, options: &Options) -> Simulation {
    let mut simulation = Simulation::new(scene, &tearing(options)).unwrap_or_else(|error| panic!("{error}"));
    let model = simulation.model();
    let own: Vec<bool> = (0..model.particle_count() as u32)
        .map(|i| model.body_of(i).is_some_and(|body| body.name.starts_with(NAME)))
        .collect();
    let particles = model.particles.positions.iter().zip(&model.particles.velocities);
    let velocities = particles.zip(own).flat_map(|((x, given), is_torn)| {
        let v = if is_torn { DVec3::new(2.0 * x.x, 0.05, -0.1) } else { *given };
        [v.x, v.y, v.z, 0.0]
    });
    let (id, data) = (simulation.solver().velocities, Data::Reals(velocities.collect()));
    simulation.executor().write(id, &data).unwrap();
    simulation
}

/// How many pieces each body has, by its triangles and tetrahedra.
fn pieces(model: &Model) -> Vec<usize> {
    let mut piece: Vec<u32> = (0..model.particle_count() as u32).collect();
    let triangles = model.triangles.iter().map(|t| t.to_vec());
    let segments = model.segments.iter().map(|s| s.to_vec());
    let tetrahedra = model.tetrahedra.iter().map(|t| t.to_vec());
    let cells: Vec<Vec<u32>> = triangles.chain(tetrahedra).chain(segments).collect();
    for _ in 0..model.particle_count() {
        for cell in &cells {
            let least = cell.iter().map(|&i| piece[i as usize]).min().unwrap();
            cell.iter().for_each(|&i| piece[i as usize] = least);
        }
    }
    let count = |body: &sinew::model::Body| {
        let mut own: Vec<u32> = (body.particles.clone())
            .map(|user| piece[model.order.new_of_old[user as usize] as usize])
            .collect();
        own.sort_unstable();
        own.dedup();
        own.len()
    };
    model.bodies.iter().map(count).collect()
}

/// Elements that join the two sides of the tear: what a sheet must not have any more.
fn across(model: &Model) -> usize {
    let side = |i: u32, cells: &[Vec<u32>]| {
        let x = |i: u32| model.particles.positions[i as usize].x;
        let own = cells.iter().find(|cell| cell.contains(&i)).unwrap();
        own.iter().map(|&i| x(i)).sum::<f64>() > 0.0
    };
    let triangles: Vec<Vec<u32>> = model.triangles.iter().map(|t| t.to_vec()).collect();
    let links = model.elements.iter().flat_map(|e| &e.links);
    links.filter(|link| side(link.ends[0], &triangles) != side(link.ends[1], &triangles)).count()
}

#[test]
fn sheets_tear_and_blocks_split_with_contact() {
    for (name, options) in backends() {
        let mut simulation = start(&scene(), &options);
        assert_eq!(pieces(simulation.model()), [1; BODIES], "{name}");
        let before = simulation.model().elements[0].links.len();
        simulation.advance(STEPS).unwrap();
        let model = simulation.model();
        assert_eq!(pieces(model), [2; BODIES], "{name}");
        assert_eq!(across(model), 0, "{name}: links across the tear");
        assert!(model.elements[0].links.len() > before / 2, "{name}");
        assert_eq!(model.journal().len(), BODIES, "{name}");
        let x = simulation.positions().unwrap();
        let model = simulation.model();
        for cut in model.journal() {
            let body = &model.bodies[cut.body as usize];
            let first = body.particles.len() - cut.copies.len();
            for (k, copy) in cut.copies.iter().enumerate() {
                let [copy, of] =
                    [(first + k) as u32, copy.of].map(|own| x[(body.particles.start + own) as usize]);
                // Blocks are soft, and what they hold drives their halves apart.
                let apart = copy.x - of.x;
                assert!(apart > 1e-4 || body.tetrahedra.is_empty(), "{name}, `{}`: {apart} m", body.name);
                assert!(copy.distance(of) < 1.0, "{name}, `{}`: {copy} and {of}", body.name);
            }
        }
    }
}

#[test]
fn momentum_is_kept_by_cuts_with_contact() {
    for (name, options, tolerance) in [
        ("f64", Options::cpu(Precision::F64), 1e-12),
        ("f32", Options::cpu(Precision::F32), 1e-6),
        ("GPU", Options::gpu(), 1e-6),
    ] {
        let mut simulation = start(&scene(), &options);
        let before = simulation.measure().unwrap().momentum;
        let mass: f64 = simulation.model().particles.masses.iter().sum();
        // Where halves come together again later, the guard takes momentum from them.
        simulation.step().unwrap();
        let now: f64 = simulation.model().particles.masses.iter().sum();
        assert!((mass - now).abs() < 1e-12 * mass, "{name}: {mass} and {now} kg");
        let after = simulation.measure().unwrap().momentum;
        let wrong = (after - before).length() / before.length();
        assert!(wrong < tolerance, "{name}: {before} has become {after}");
        assert_eq!(pieces(simulation.model()), [2; BODIES], "{name}");
    }
}

#[test]
fn saved_and_resumed_a_run_that_tears_with_contact_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tears.checkpoint");
    for (name, options) in backends() {
        let mut whole = start(&scene(), &options);
        let mut states = vec![whole.state().unwrap().clone()];
        for _ in 0..STEPS {
            whole.step().unwrap();
            states.push(whole.state().unwrap().clone());
        }
        for step in (0..STEPS as usize).step_by(3) {
            states[step].save(&path).unwrap();
            let mut resumed = Simulation::new(&scene(), &tearing(&options)).unwrap();
            resumed.resume(&path).unwrap();
            assert!(resumed.state().unwrap() == &states[step], "{name}, resumed at {step}");
            resumed.step().unwrap();
            assert!(resumed.state().unwrap() == &states[step + 1], "{name}, a step after {step}");
        }
    }
}

#[test]
fn far_bodies_and_the_number_of_steps_asked_for_change_nothing_in_a_run_that_tears() {
    let near = scene();
    let mut both = near.clone();
    both.cloth.push(Cloth { name: "far".into(), position: DVec3::new(0.0, 50.0, 0.0), ..far_sheet() });
    let options = Options::cpu(Precision::F32);
    let mut at_once = start(&near, &options);
    at_once.advance(STEPS).unwrap();
    let mut one_by_one = start(&both, &options);
    (0..STEPS).for_each(|_| one_by_one.step().unwrap());
    for body in ["torn net", "torn position"] {
        assert!(body_bits(&mut at_once, body) == body_bits(&mut one_by_one, body), "{body}");
    }
}

/// Two blocks, the upper one of which friction brings to rest on the lower one, with and without a sheet that tears far away.
#[test]
fn contacts_of_others_keep_their_memory_when_a_body_is_cut() {
    let block = |name: &str, rest: &str| {
        format!(
            "[[solid]]\nname = \"{name}\"\nmodel = \"position\"\nyoungs_modulus = 1e5\nbox = {{ size = [0.2, 0.1, 0.2], cells = \
             [2, 1, 2] }}\nthickness = 0.004\nfriction = 0.6\n{rest}\n"
        )
    };
    let blocks = [
        "format = 1\nsubsteps = 4\niterations = 8\n[contact]\n".to_owned(),
        block("upper", "position = [0.02, 0.1039, 5]\nvelocity = [0.1, 0, 0]"),
        block(
            "lower",
            "position = [0, 0, 5]\n[[solid.pin]]\nbox = { min = [-1, -0.2, 4], max = [1, -0.04, 6] }",
        ),
    ]
    .concat();
    let sheet = "[[cloth]]\nname = \"torn sheet\"\ngrid = { size = [0.4, 0.2], cells = [4, 2] }\nstretch_stiffness = 20\nthickness = 0.004\n";
    let parse = |text: &str| Scene::parse(text, "blocks", "").unwrap_or_else(|error| panic!("{error}"));
    for (name, options) in backends() {
        let mut alone = start(&parse(&blocks), &options);
        let mut beside = start(&parse(&format!("{blocks}{sheet}")), &options);
        alone.advance(STEPS).unwrap();
        beside.advance(STEPS).unwrap();
        assert_eq!((alone.epoch(), beside.epoch()), (0, 1), "{name}");
        let memories = |simulation: &mut Simulation| {
            let tables = simulation.solver().buffers.clone();
            let column = tables.find("touch_memories").unwrap();
            let held = tables.read_live(simulation.executor(), column).unwrap();
            held.reals().chunks(4).filter(|memory| memory.iter().any(|x| *x != 0.0)).count()
        };
        assert!(memories(&mut alone) > 0, "{name}: friction holds");
        for body in ["upper", "lower"] {
            assert!(body_bits(&mut alone, body) == body_bits(&mut beside, body), "{name}, {body}");
        }
    }
}
