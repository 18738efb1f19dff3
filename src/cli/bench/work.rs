//! A case made ready to run on either backend: buffers, passes, what one step of it is, and how to tell that the
//! result is sound.

use super::cases::Unit;
use super::traffic;
use glam::DVec3;
use sinew::compute::{ColumnId, Data, Element, Executor, Passes, Role, Run, Tables};
use sinew::identify::{self, Body, Control, Footprint, Law, Problem, Sample, fit as fit_moduli, push};
use sinew::measure::{Measures, measure};
use sinew::meshing::tet_mesh::TetMesh;
use sinew::meshing::{FillOptions, fill};
use sinew::model::Model;
use sinew::primitives::{reduce, scan, sort};
use sinew::scene::{Scene, TriangleMesh};
use sinew::solver::{Cores, Solver};

/// Speed beyond which a scene of the bench has blown up [m/s]: nothing in them falls further than a few metres.
const FASTEST: f64 = 1e3;
/// Relative error of a sum in f32 that is no fault: a few dozen roundings of 6e-8.
const SUM_TOLERANCE: f64 = 1e-5;

/// Relative error of a volume at any resolution of the bench.
const VOLUME_TOLERANCE: f64 = 0.1;

/// Something to measure.
pub struct Work {
    pub buffers: Tables,
    pub passes: Passes,
    /// One step.
    pub step: Vec<Run>,
    pub unit: Unit,
    /// Units of work in the scene or list.
    pub items: u64,
    /// How often a step visits every item: substeps times iterations.
    pub rounds: u64,
    /// Bytes that one step must move; see [`traffic`].
    pub bytes: u64,
    outcome: Outcome,
    /// What to run instead, for work that is the host's alone.
    pub host: Option<HostTask>,
    /// Whether every step begins with the state of the start, because its work would change with it.
    pub repeats_first_step: bool,
}

/// Work without passes.
pub type HostTask = Box<dyn Fn() -> anyhow::Result<()>>;

/// What comes out, and what is known about it.
enum Outcome {
    State(Box<State>),
    /// The first real of a buffer is this sum.
    Sum(ColumnId, f64),
    /// The last integer of a buffer is this total.
    Total(ColumnId, u32),
    /// A buffer's pairs are in the order of their keys.
    Sorted(ColumnId),
    /// The work tells by itself whether it is right.
    Checked,
}

struct State {
    model: Model,
    positions: ColumnId,
    velocities: ColumnId,
}

/// What a sound result tells besides.
#[derive(Default)]
pub struct Findings {
    /// Energy gained since the start, over the larger of what falling has set free and what motion and stretch have
    /// taken up; nothing for scenes that wind, moving pins or colliders feed or drain.
    pub energy_drift: Option<f64>,
}

/// A scene whose work is its constraints.
pub fn constraints(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Constraint, Model::constraint_count)
}

/// A scene whose work is its particles.
pub fn particles(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Particle, Model::particle_count)
}

/// A scene whose work is the segments of its rods, each with its joint.
pub fn segments(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Segment, |model| model.rods.frames.iter().filter(|frame| !frame.is_wall()).count())
}

/// A scene whose work is its triangles.
pub fn triangles(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Triangle, |model| model.triangles.len())
}

/// How far a sheet is stretched beyond the strain limits that it is brought back to.
const OVERSTRETCHED: f64 = 1.01;

/// A scene whose work is the iterations of its strain limits: a sheet that is beyond them everywhere, so that every
/// iteration has all of it to correct and none is the last before its number is reached.
pub fn limit_iterations(scene: Scene) -> anyhow::Result<Work> {
    let mut model = Model::new(&scene)?;
    model.particles.positions.iter_mut().for_each(|x| *x *= OVERSTRETCHED);
    let work = of_model(model, Unit::Triangle, |model| model.triangles.len())?;
    let rounds = work.rounds * u64::from(scene.strain_limiting.iterations);
    Ok(Work { rounds, repeats_first_step: true, ..work })
}

/// A scene whose work is its tetrahedra.
pub fn tetrahedra(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Tetrahedron, |model| model.tetrahedra.len())
}

/// A scene whose work is its pins.
pub fn pins(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Pin, |model| model.pins.len())
}

/// A scene whose work is pairs: of cells of different magnets, of cells that one field magnetises, and of segments with the scene's fields.
pub fn magnet_pairs(scene: Scene) -> anyhow::Result<Work> {
    of_scene(scene, Unit::Pair, |model| {
        let cells = |rigid: bool| {
            let magnets = model.magnets.iter().filter(move |magnet| magnet.rigid.is_some() == rigid);
            magnets.map(|magnet| magnet.cells.len())
        };
        let (rigid, segments) = (cells(true).product::<usize>(), cells(false).sum::<usize>());
        match segments {
            0 if cells(true).count() == 1 => rigid * rigid,
            0 => rigid,
            _ => segments * model.field_sources.len(),
        }
    })
}

fn of_scene(scene: Scene, unit: Unit, items: fn(&Model) -> usize) -> anyhow::Result<Work> {
    of_model(Model::new(&scene)?, unit, items)
}

fn of_model(model: Model, unit: Unit, items: fn(&Model) -> usize) -> anyhow::Result<Work> {
    let solver = Solver::new(&model)?;
    let step = solver.steps(1);
    let items = items(&model) as u64;
    let rounds = u64::from(model.settings.substeps) * u64::from(model.settings.iterations);
    let state = State { model, positions: solver.positions, velocities: solver.velocities };
    Work::new(solver.buffers, solver.passes, step, unit, items, rounds, Outcome::State(Box::new(state)))
}

/// Moduli from a scan of a pushed cube of n³ cells.
pub fn identify(n: u32) -> anyhow::Result<Work> {
    let mut mesh = TetMesh::cuboid(DVec3::splat(0.15), [n; 3]);
    mesh.vertices.iter_mut().for_each(|x| x.y += 0.075);
    let is_held = mesh.vertices.iter().map(|x| x.y < 1e-9).collect();
    let body = Body::new(Law::Corotational, &mesh, is_held, None)?;
    let (touch, force, truth) = (DVec3::new(0.0, 0.15, 0.0), 50.0, [1e5, 0.3]);
    let footprint = Footprint::new(&body, touch, DVec3::NEG_Y, 0.03)?;
    let pushed = push(&body, &mesh, truth, &footprint, force, false)?;
    // The middles of the triangles are points enough: 1,536 at 16³ cells on the top and the sides.
    let points = (0..pushed.skin.triangles.len()).map(|t| pushed.skin.corners(t).iter().sum::<DVec3>() / 3.0);
    let points = points.filter(|x| x.y > 0.01).collect();
    let (name, control) = (String::new(), Control::Force(force));
    let sample = Sample { name, footprint, control, force, depth: None, points, hidden: 0.0 };
    let tets = mesh.tets.len() as u64;
    let problem = Problem { body, mesh, samples: vec![sample], undeformed: Vec::new() };
    let task = move || {
        let options = identify::Options { refine: false, ..identify::Options::default() };
        let [e, _] = fit_moduli(&problem, &options).map_err(|(_, error)| error)?.youngs_modulus;
        anyhow::ensure!((e / truth[0] - 1.0).abs() < 1e-3, "E is {e}");
        Ok(())
    };
    let work = Work::new(Tables::new(), Passes::new(), vec![], Unit::Tetrahedron, tets, 1, Outcome::Checked)?;
    Ok(Work { host: Some(Box::new(task)), ..work })
}

/// A closed surface filled with tetrahedra, n cells along its longest side.
pub fn fill_surface(surface: TriangleMesh, n: u32) -> anyhow::Result<Work> {
    let options = FillOptions { resolution: n, ..FillOptions::default() };
    let tets = fill(&surface, &options, &|_, _| {})?.mesh.tets.len() as u64;
    let task = move || {
        let error = fill(&surface, &options, &|_, _| {})?.report.volume_error;
        anyhow::ensure!(error.abs() < VOLUME_TOLERANCE, "the volume is off by {error}");
        Ok(())
    };
    let work = Work::new(Tables::new(), Passes::new(), vec![], Unit::Tetrahedron, tets, 1, Outcome::Checked)?;
    Ok(Work { host: Some(Box::new(task)), ..work })
}

/// The sum of n reals.
pub fn sum(n: u32) -> anyhow::Result<Work> {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    let values: Vec<f64> = (0..n).map(|i| f64::from(scatter(i)) / f64::from(u32::MAX)).collect();
    let expected = values.iter().sum();
    buffers.reals("values", Role::Model, values)?;
    reduce::sum(&mut passes, &mut buffers, "values", n, "result")?;
    of_list(buffers, passes, n, |id| Outcome::Sum(id, expected))
}

/// The prefix sums of n integers.
pub fn scan(n: u32) -> anyhow::Result<Work> {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    let counts: Vec<u32> = (0..n).map(|i| scatter(i) >> 24).collect();
    let total = counts.iter().sum();
    buffers.uints("counts", Role::Model, counts)?;
    scan::exclusive(&mut passes, &mut buffers, "counts", n, "result")?;
    of_list(buffers, passes, n, |id| Outcome::Total(id, total))
}

/// n pairs sorted by keys of 32 bits.
pub fn sort(n: u32) -> anyhow::Result<Work> {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    let pairs: Vec<u32> = (0..n).flat_map(|i| [scatter(i), i]).collect();
    buffers.add("pairs", Element::Uint2, Role::Model, Data::Uints(pairs))?;
    sort::pairs(&mut passes, &mut buffers, "pairs", n, u32::BITS, "result")?;
    of_list(buffers, passes, n, Outcome::Sorted)
}

/// Integers without visible order: the multiplier is odd, so that every integer comes once (Knuth 1998, 6.4).
fn scatter(i: u32) -> u32 {
    i.wrapping_mul(2_654_435_769)
}

fn of_list(
    buffers: Tables,
    passes: Passes,
    n: u32,
    outcome: impl FnOnce(ColumnId) -> Outcome,
) -> anyhow::Result<Work> {
    let result = buffers.find("result").expect("a primitive provides its result");
    let step = vec![Run { passes: 0..passes.list.len(), times: 1 }];
    Work::new(buffers, passes, step, Unit::Element, n.into(), 1, outcome(result))
}

impl Work {
    fn new(
        buffers: Tables,
        passes: Passes,
        step: Vec<Run>,
        unit: Unit,
        items: u64,
        rounds: u64,
        outcome: Outcome,
    ) -> anyhow::Result<Self> {
        let each = traffic::bytes_by_pass(&buffers, &passes)?;
        let bytes =
            step.iter().map(|run| u64::from(run.times) * each[run.passes.clone()].iter().sum::<u64>());
        let bytes = bytes.sum();
        Ok(Self {
            buffers,
            passes,
            step,
            unit,
            items,
            rounds,
            bytes,
            outcome,
            host: None,
            repeats_first_step: false,
        })
    }

    /// The same work with the passes that a machine of other cores wants.
    pub fn for_cores(&self, cores: Cores) -> anyhow::Result<Self> {
        let Outcome::State(state) = &self.outcome else { anyhow::bail!("only scenes have other passes") };
        let solver = Solver::with_cores(&state.model, cores)?;
        let (step, model) = (solver.steps(1), state.model.clone());
        let state = State { model, positions: solver.positions, velocities: solver.velocities };
        let outcome = Outcome::State(Box::new(state));
        let work =
            Self::new(solver.buffers, solver.passes, step, self.unit, self.items, self.rounds, outcome)?;
        Ok(Self { repeats_first_step: self.repeats_first_step, ..work })
    }

    /// Whether it is a scene.
    pub fn is_scene(&self) -> bool {
        matches!(self.outcome, Outcome::State(_))
    }

    /// Puts back the state of the start, if every step begins with it.
    pub fn restart(&self, executor: &mut dyn Executor) -> anyhow::Result<()> {
        for id in self.buffers.state().filter(|_| self.repeats_first_step) {
            executor.write(id, self.buffers.initial(id))?;
        }
        Ok(())
    }

    /// Simulated time of a step [s], if it simulates anything.
    pub fn time_step(&self) -> Option<f64> {
        match &self.outcome {
            Outcome::State(state) => Some(state.model.settings.time_step),
            _ => None,
        }
    }

    /// Looks at what an executor has computed: what it tells, or what is wrong with it.
    pub fn check(&self, executor: &mut dyn Executor) -> anyhow::Result<Findings> {
        match &self.outcome {
            Outcome::State(state) => return state.check(executor),
            Outcome::Checked => {}
            Outcome::Sum(buffer, expected) => {
                let found = executor.read(*buffer)?.reals()[0];
                let close = (found - expected).abs() <= SUM_TOLERANCE * expected.abs();
                anyhow::ensure!(close, "the sum is {found}, not {expected}");
            }
            Outcome::Total(buffer, expected) => {
                let found = executor.read(*buffer)?.uints().last().copied();
                anyhow::ensure!(found == Some(*expected), "the total is {found:?}, not {expected}");
            }
            Outcome::Sorted(buffer) => {
                let data = executor.read(*buffer)?;
                let pairs = data.uints().as_chunks::<2>().0;
                // No key comes twice, and each tells its value.
                let sorted = pairs.is_sorted_by(|[before, _], [after, _]| before < after);
                let whole = pairs.iter().all(|&[key, value]| scatter(value) == key);
                anyhow::ensure!(sorted && whole, "the pairs are not those given, in the order of their keys");
            }
        }
        Ok(Findings::default())
    }
}

impl State {
    fn check(&self, executor: &mut dyn Executor) -> anyhow::Result<Findings> {
        let mut read = |buffer| Ok::<_, anyhow::Error>(vectors(&executor.read(buffer)?));
        let (positions, velocities) = (read(self.positions)?, read(self.velocities)?);
        let finite = positions.iter().all(|x| x.is_finite());
        anyhow::ensure!(finite, "positions became non-finite");
        let slow = velocities.iter().all(|v| v.length() <= FASTEST);
        anyhow::ensure!(slow, "particles ran away, faster than {FASTEST} m/s");
        let model = &self.model;
        let closed = model.settings.wind.is_none() && model.pins.is_empty() && model.colliders.is_empty();
        // The energy of rods is in their frames, which are not looked at here.
        let closed = closed && model.rods.is_empty();
        // Strain limits take energy away, by design.
        let closed = closed && !model.has_strain_limits();
        if !closed {
            return Ok(Findings::default());
        }
        // No pin lets go in a closed scene: the masses stay.
        let particles = &model.particles;
        let start = measure(model, &particles.positions, &particles.velocities, &particles.inverse_masses);
        let end = measure(model, &positions, &velocities, &particles.inverse_masses);
        let released = start.gravity_energy - end.gravity_energy;
        let held = |m: &Measures| m.kinetic_energy + m.elastic_energy;
        let scale = released.abs().max((held(&end) - held(&start)).abs());
        let energy_drift = (scale > 0.0).then(|| (end.energy() - start.energy()) / scale);
        Ok(Findings { energy_drift })
    }
}

fn vectors(data: &Data) -> Vec<DVec3> {
    data.reals().chunks_exact(4).map(|c| DVec3::new(c[0], c[1], c[2])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::scenes;
    use sinew::compute::CpuExecutor;

    /// A row of wrong results is marked as failed, whatever its speed.
    #[test]
    fn what_was_not_computed_is_not_sound() {
        for work in [sum(5_000), scan(5_000), sort(5_000)].map(Result::unwrap) {
            let mut executor = CpuExecutor::<f32>::new(&work.buffers, &work.passes);
            assert!(work.check(&mut executor).is_err());
            executor.execute(&work.step).unwrap();
            work.check(&mut executor).unwrap();
        }
    }

    #[test]
    fn a_scene_that_blew_up_is_not_sound() {
        let work = particles(scenes::cloud_on_shapes(100)).unwrap();
        let mut executor = CpuExecutor::<f32>::new(&work.buffers, &work.passes);
        executor.execute(&work.step).unwrap();
        work.check(&mut executor).unwrap();
        let positions = work.buffers.find("positions").unwrap();
        let Data::Reals(mut values) = executor.read(positions).unwrap() else {
            unreachable!("they are reals")
        };
        values[4] = f64::NAN;
        executor.write(positions, &Data::Reals(values)).unwrap();
        assert!(work.check(&mut executor).is_err_and(|error| error.to_string().contains("non-finite")));
    }
}
