//! What holds the bodies: forces and torques of pins, clamps, attachments and colliders.
//!
//! A pin is a particle of infinite mass, and nothing in a step says what pulls at it. So it is weighed: a substep that goes on from the
//! present state is run once more on the host, in f64, in which everything that is held is very heavy instead of immovable. How far it is moved,
//!
//!   F = M Δo/dt²        τ = J 2 Δg/dt²
//!
//! is the sum of all that acts on it, of whatever family, and the pin does the opposite: R = m (a − g) − F. With M a million times the mass of
//! the scene, nothing else notices. Colliders are weighed by the way that their pass moves particles. The run itself is not touched.

use super::{Simulation, SimulationError, vectors};
use crate::bonds;
use crate::compute::{ColumnId, ComputeError, CpuExecutor, Data, Executor, Order, Run, Transaction};
use crate::contact::carry::POSE_RECORDS;
use crate::contact::collide;
use crate::frames::turn;
use crate::math::{Quat, Vec3, Vec4};
use crate::model::Model;
use crate::particles::finish;
use crate::rods;
use crate::scene::{ExpectReaction, Integrator, Preconditioner};
use crate::solver::{Cores, Families, Solver, Stage};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// How much heavier than the whole scene something held is made.
const HEAVY: f64 = 1e6;
/// Pins of one body that are told apart; of a body with more, such as a head of hair, they are summed.
const PINS: usize = 16;

/// Copies the state of a simulation to a solver on the host, column by column; those that the simulation does not have are as at the start.
pub(super) fn take_state(
    solver: &mut Solver,
    host: &mut CpuExecutor<f64>,
    of: &mut Simulation,
) -> Result<(), ComputeError> {
    let (tables, executor) = (&of.epoch.solver.buffers, of.executor.as_mut());
    let own = &solver.buffers;
    let contents = own.state().map(|id| match tables.find(own.name(id)) {
        Some(theirs) => tables.read_live(executor, theirs),
        None => Ok(own.initial(id).clone()),
    });
    let contents = contents.collect::<Result<Vec<Data>, ComputeError>>()?;
    solver.buffers.write_live(host, &contents)?;
    let world = executor.read(of.epoch.solver.world)?;
    host.write(solver.world, &world)
}

/// What holds a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Pins, clamps and held frames.
    Pin,
    /// An attachment or a seam.
    Attachment,
    Collider,
}

/// What something that holds bodies does to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// `body.pin1` for the first pin of a body, in the order of the scene (a rod's start comes before its end); the name of an
    /// attachment, seam or collider.
    pub name: String,
    pub support: Support,
    /// On what it holds; of an attachment, on its `b` [N].
    pub force: DVec3,
    /// About `at` [N m]; of attachments 0.
    pub torque: DVec3,
    /// The middle of what a pin holds, the place of a collider [m].
    pub at: DVec3,
}

impl Simulation {
    /// Forces and torques of all pins, attachments, seams and colliders, in this order.
    ///
    /// ```
    /// use sinew::{Checked, Kinds, Options, Precision, Simulation};
    ///
    /// let text = r#"
    ///     format = 1
    ///     points = [
    ///         { name = "weight", points = [[0, 1, 0], [0, 0, 0]], mass = 2, links = [[0, 1]], pin = [{ indices = [0] }] },
    ///     ]
    /// "#;
    /// let scene = Checked::parse(text, "weight.toml", "", &Kinds::standard())?;
    /// let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64))?;
    /// simulation.step()?;
    /// let hook = &simulation.reactions()?[0];
    /// assert_eq!(hook.name, "weight.pin1");
    /// assert!((hook.force.y - 4.0 * 9.81).abs() < 1e-2, "the hook carries both particles");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Costs a substep in f64 on the host, with a copy of the state.
    pub fn reactions(&mut self) -> Result<Vec<Reaction>, SimulationError> {
        let known = self.scale.take().filter(|scale| scale.epoch == self.epoch.number);
        let mut scale = match known {
            Some(scale) => scale,
            None => Scale::new(self.epoch.number, &self.epoch.model, &self.setup.families)?,
        };
        let [held, colliders] = scale.weigh(self)?;
        self.scale = Some(scale);
        let joins = self.joins()?.into_iter().map(|join| Reaction {
            name: join.name,
            support: Support::Attachment,
            force: join.force,
            torque: DVec3::ZERO,
            at: DVec3::ZERO,
        });
        Ok(held.into_iter().chain(joins).chain(colliders).collect())
    }
}

impl Simulation {
    /// Adds a sentence for each expected force that is not there.
    pub(super) fn unmet_reactions(
        &mut self,
        expected: &[ExpectReaction],
        unmet: &mut Vec<String>,
    ) -> Result<(), SimulationError> {
        if expected.is_empty() {
            return Ok(());
        }
        let all = self.reactions()?;
        for wanted in expected {
            let Some(found) = all.iter().find(|reaction| reaction.name == wanted.of) else {
                let names: Vec<&str> = all.iter().map(|reaction| reaction.name.as_str()).collect();
                unmet.push(format!(
                    "nothing that holds is called `{}`; there are: {}",
                    wanted.of,
                    names.join(", ")
                ));
                continue;
            };
            let f = found.force;
            if !(f.cmpge(wanted.min).all() && f.cmple(wanted.max).all()) {
                unmet.push(format!(
                    "`{}` holds with ({:.4}, {:.4}, {:.4}) N, expected between {} and {}",
                    wanted.of, f.x, f.y, f.z, wanted.min, wanted.max
                ));
            }
        }
        Ok(())
    }
}

/// Particles, by the model's numbers, that one pin holds.
pub(super) struct Held {
    pub name: String,
    pub particles: Vec<u32>,
}

/// A solver on the host that weighs.
pub(super) struct Scale {
    epoch: u64,
    solver: Solver,
    executor: CpuExecutor<f64>,
    held: Vec<Held>,
    /// Of something that is held [kg].
    mass: f64,
}

/// A weighed substep.
struct Weighed {
    /// Where pins and clamps alone would lead, and what came out: ways of particles and turns of frames.
    ways: [Vec<DVec3>; 2],
    turns: [Vec<DVec3>; 2],
    /// Those that were made heavy.
    heavy: Vec<u32>,
    heavy_frames: Vec<u32>,
    /// What colliders did to each particle: its number, the way that it was pushed [m].
    pushes: Vec<(u32, DVec3)>,
}

impl Scale {
    fn new(epoch: u64, model: &Model, families: &Families) -> Result<Self, ComputeError> {
        let mut model = model.clone();
        // What is heavy must be an unknown like all others, and be found to many digits.
        let settings = &mut model.settings;
        (settings.preconditioner, settings.newton, settings.order) = (Preconditioner::Jacobi, 1, 1);
        // Bonded cells weigh what holds them too, a million times what it holds.
        settings.conjugate_gradients.tolerance = if model.composites.is_empty() { 1e-9 } else { 1e-13 };
        settings.conjugate_gradients.iterations = 10_000;
        if matches!(settings.integrator, Integrator::Bdf2 | Integrator::Static) {
            settings.integrator = Integrator::Implicit;
        }
        let solver = Solver::with_families(&model, families, Cores::Few)?;
        // One after the other: constraints of one colour may share what is held.
        let executor = CpuExecutor::new(&solver.buffers, &solver.passes).with_order(Order::Forward);
        let mass = HEAVY * model.particles.masses.iter().sum::<f64>();
        Ok(Self { epoch, executor, held: held(&model), mass, solver })
    }

    /// The reactions of pins, and of colliders.
    fn weigh(&mut self, of: &mut Simulation) -> Result<[Vec<Reaction>; 2], SimulationError> {
        let model = &of.epoch.model;
        if self.held.is_empty() && model.colliders.is_empty() {
            return Ok([Vec::new(), Vec::new()]);
        }
        take_state(&mut self.solver, &mut self.executor, of)?;
        let mut transaction = Transaction::begin(&mut self.executor, &self.solver.buffers)?;
        let weighed = loop {
            let weighed = self.substep(&of.epoch.model)?;
            if transaction.end(&mut self.executor, &mut self.solver.buffers)?.is_some() {
                break weighed;
            }
        };
        Ok([self.pins(&of.epoch.model, &weighed)?, self.colliders(&of.epoch.model, &weighed)?])
    }

    fn run(&mut self, passes: Range<usize>) -> Result<(), ComputeError> {
        self.executor.execute(&[Run { passes, times: 1 }])
    }

    /// Runs a substep up to the point where ways become positions.
    fn substep(&mut self, model: &Model) -> Result<Weighed, ComputeError> {
        let predicted = self.solver.section(Stage::Predict).end;
        self.run(0..predicted)?;
        let ends = self.solver.section(Stage::Guard).start;
        let way = self.solver.buffers.find("offsets").expect("particles have ways");
        let before = vectors(&self.executor.read(way)?);
        let heavy = self.make_heavy(way)?;
        let frames = self.make_frames_heavy(model)?;
        let turned = self.turns()?;
        let (mut pushes, mut done) = (Vec::new(), predicted);
        for pass in predicted..ends {
            if self.solver.passes.list[pass].kernel.name != collide::KERNEL.name {
                continue;
            }
            self.run(done..pass)?;
            let offsets = self.bound(pass, "offsets");
            let (x, y) = (self.executor.read(offsets)?, pass..pass + 1);
            self.run(y)?;
            self.note_pushes(offsets, &x, &heavy, &mut pushes)?;
            done = pass + 1;
        }
        self.run(done..ends)?;
        self.note_cells(model, &mut pushes)?;
        let last = self.solver.section(Stage::Finish);
        let found =
            last.clone().find(|&pass| self.solver.passes.list[pass].kernel.name == finish::KERNEL.name);
        let offsets = found.map_or(way, |pass| self.bound(pass, "offsets"));
        let after = vectors(&self.executor.read(offsets)?);
        Ok(Weighed {
            ways: [before, after],
            turns: [turned, self.turns()?],
            heavy,
            heavy_frames: frames,
            pushes,
        })
    }

    /// The column that a pass has bound to a name.
    fn bound(&self, pass: usize, name: &str) -> ColumnId {
        let pass = &self.solver.passes.list[pass];
        let place = pass.kernel.bindings.iter().position(|binding| binding.name == name);
        pass.buffers[place.expect("the kernel has this binding")]
    }

    fn turns(&mut self) -> Result<Vec<DVec3>, ComputeError> {
        let Some(id) = self.solver.buffers.find("turns") else { return Ok(Vec::new()) };
        Ok(vectors(&self.executor.read(id)?))
    }

    /// Makes all held particles heavy, and says which they are.
    fn make_heavy(&mut self, way: ColumnId) -> Result<Vec<u32>, ComputeError> {
        let residuals = self.solver.buffers.find("residuals").expect("particles have residuals");
        let shares = self.executor.read(residuals)?;
        let (x, o) = (self.executor.read(self.solver.positions)?, self.executor.read(way)?);
        let (Data::Reals(mut x), Data::Reals(mut o)) = (x, o) else { return Ok(Vec::new()) };
        let w = 1.0 / self.mass;
        let heavy: Vec<u32> = (0..x.len() / 4).filter(|&i| x[4 * i + 3] == 0.0).map(|i| i as u32).collect();
        for &i in &heavy {
            let weight = 4 * i as usize + 3;
            (x[weight], o[weight]) = (w, w * shares.reals()[weight]);
        }
        self.executor.write(self.solver.positions, &Data::Reals(x))?;
        self.executor.write(way, &Data::Reals(o))?;
        Ok(heavy)
    }

    /// The same with frames of rods and nets.
    fn make_frames_heavy(&mut self, model: &Model) -> Result<Vec<u32>, ComputeError> {
        let Some(id) = self.solver.buffers.find("frame_inertia") else { return Ok(Vec::new()) };
        let Data::Reals(mut inertia) = self.executor.read(id)? else { return Ok(Vec::new()) };
        let count = model.rods.frames.len();
        let heavy: Vec<u32> = (0..count).filter(|&k| inertia[4 * k] == 0.0).map(|k| k as u32).collect();
        for &k in &heavy {
            inertia[4 * k as usize..][..3].fill(1.0 / self.mass);
        }
        self.executor.write(id, &Data::Reals(inertia))?;
        // Rods and nets have a copy beside their other numbers.
        let Some(id) = self.solver.buffers.find("rod_rest") else { return Ok(heavy) };
        let Data::Reals(mut rest) = self.executor.read(id)? else { return Ok(heavy) };
        for &k in &heavy {
            rest[4 * (rods::REST * k + 3) as usize..][..3].fill(1.0 / self.mass);
        }
        self.executor.write(id, &Data::Reals(rest))?;
        Ok(heavy)
    }

    /// Notes how colliders have pushed particles. What is held does not give way to them.
    fn note_pushes(
        &mut self,
        offsets: ColumnId,
        before: &Data,
        heavy: &[u32],
        pushes: &mut Vec<(u32, DVec3)>,
    ) -> Result<(), ComputeError> {
        let Data::Reals(mut after) = self.executor.read(offsets)? else { return Ok(()) };
        let before = before.reals();
        for &i in heavy {
            let row = 4 * i as usize..4 * i as usize + 3;
            after[row.clone()].copy_from_slice(&before[row]);
        }
        for (i, (old, new)) in before.chunks_exact(4).zip(after.chunks_exact(4)).enumerate() {
            let push = DVec3::from_slice(new) - DVec3::from_slice(old);
            if push != DVec3::ZERO {
                pushes.push((i as u32, push));
            }
        }
        self.executor.write(offsets, &Data::Reals(after))
    }

    /// The same of bonded cells, which colliders push with forces: as if those had moved the particles.
    fn note_cells(&mut self, model: &Model, pushes: &mut Vec<(u32, DVec3)>) -> Result<(), ComputeError> {
        let touches = self.column("cell_touches")?;
        let particles = model.composites.iter().flat_map(|body| body.particles.clone());
        let dt = model.settings.substep();
        for (particle, touch) in particles.zip(touches.chunks_exact(bonds::cell_touch::TOUCH as usize)) {
            let force = DVec3::new(touch[0].x, touch[0].y, touch[0].z);
            if force != DVec3::ZERO {
                pushes.push((particle, force * (dt * dt / model.particles.masses[particle as usize])));
            }
        }
        Ok(())
    }

    fn column(&mut self, name: &str) -> Result<Vec<Vec4<f64>>, ComputeError> {
        let Some(id) = self.solver.buffers.find(name) else { return Ok(Vec::new()) };
        let rows = self.executor.read(id)?;
        Ok(rows.reals().chunks_exact(4).map(|c| Vec4::new(c[0], c[1], c[2], c[3])).collect())
    }

    fn pins(&mut self, model: &Model, weighed: &Weighed) -> Result<Vec<Reaction>, ComputeError> {
        let dt = model.settings.substep();
        let positions = vectors(&self.executor.read(self.solver.positions)?);
        let velocities = vectors(&self.executor.read(self.solver.velocities)?);
        let residuals = self.column("residuals")?;
        let mut forces = vec![DVec3::ZERO; positions.len()];
        for &i in &weighed.heavy {
            let i = i as usize;
            let [pinned, moved] = [weighed.ways[0][i], weighed.ways[1][i]];
            let r = residuals[i];
            let speed = (pinned - DVec3::new(r.x, r.y, r.z)) / dt;
            let acceleration = (speed - velocities[i]) / dt - model.settings.gravity;
            forces[i] = model.particles.masses[i] * acceleration - self.mass * (moved - pinned) / (dt * dt);
        }
        // What loads do to held particles came before these were heavy.
        let acting = self.column("acting")?;
        for &i in weighed.heavy.iter().filter(|_| !acting.is_empty()) {
            let load = acting[i as usize];
            forces[i as usize] -= DVec3::new(load.x, load.y, load.z);
        }
        let targets = self.column("pin_targets")?;
        // What holds along some axes rigidly is a constraint, whose force is not kept.
        for (pin, target) in model.pins.iter().zip(targets).filter(|(pin, _)| pin.compliance > 0.0) {
            let i = pin.particle as usize;
            let way = DVec3::new(target.x, target.y, target.z) - (positions[i] + weighed.ways[1][i]);
            let way = way * pin.held_axes();
            forces[i] += way * (target.w / pin.compliance);
        }
        let mut reactions: Vec<Reaction> = Vec::new();
        for held in &self.held {
            let count = held.particles.len().max(1) as f64;
            let at = held.particles.iter().map(|&i| positions[i as usize]).sum::<DVec3>() / count;
            let mut sum = Reaction {
                name: held.name.clone(),
                support: Support::Pin,
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
                at,
            };
            for &i in &held.particles {
                let force = forces[i as usize];
                sum.force += force;
                sum.torque += (positions[i as usize] - at).cross(force);
            }
            reactions.push(sum);
        }
        let frames = self.column("frames")?;
        for &k in &weighed.heavy_frames {
            let k = k as usize;
            let of = |v: DVec3| Vec3::new(v.x, v.y, v.z);
            let change = turn::compose(-of(weighed.turns[0][k]), of(weighed.turns[1][k]));
            let change = DVec3::new(change.x, change.y, change.z);
            let q = frames[2 * k];
            let torque = DQuat::from_xyzw(q.x, q.y, q.z, q.w) * change * (2.0 * self.mass / (dt * dt));
            let ends = model.rods.frames[k].particles;
            let own = self.held.iter().position(|held| ends.iter().any(|end| held.particles.contains(end)));
            if let Some(place) = own {
                reactions[place].torque -= torque;
            }
        }
        Ok(reactions)
    }

    fn colliders(&mut self, model: &Model, weighed: &Weighed) -> Result<Vec<Reaction>, ComputeError> {
        let dt = model.settings.substep();
        let names = model.source.scene().collider.iter().map(|collider| collider.name.clone());
        let poses = self.column("collider_poses")?;
        let at = |k: usize| poses[k * POSE_RECORDS as usize];
        let mut reactions: Vec<Reaction> = (names.enumerate().take(model.colliders.len()))
            .map(|(k, name)| Reaction {
                name,
                support: Support::Collider,
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
                at: DVec3::new(at(k).x, at(k).y, at(k).z),
            })
            .collect();
        if weighed.pushes.is_empty() {
            return Ok(reactions);
        }
        let find = |name: &str| self.solver.buffers.find(name).expect("there are colliders");
        let [records, shapes, values] = ["colliders", "collider_shapes", "field_values"].map(find);
        let records = self.executor.read(records)?;
        let shapes = self.executor.read(shapes)?;
        let values = self.executor.read(values)?;
        let positions = vectors(&self.executor.read(self.solver.positions)?);
        for &(i, push) in &weighed.pushes {
            let (x, way) = (positions[i as usize], weighed.ways[1][i as usize]);
            // The one that is nearest has done it: where several overlap they share a particle, which is rare.
            let distance = |k: usize| {
                let record = &records.uints()[4 * k..];
                let shape = &shapes.reals()[8 * k..];
                let shape = Vec4::new(shape[0], shape[1], shape[2], shape[3]);
                let rotation = Quat::from_vec4(poses[k * POSE_RECORDS as usize + 1]).conjugate();
                let turned = |v: DVec3| rotation.rotate(Vec3::new(v.x, v.y, v.z));
                let (p, s) = (turned(x - reactions[k].at), turned(way));
                let values = &values.reals()[record[2] as usize..];
                collide::distance(record[0], shape, [p, s], (values, record[3]), f64::INFINITY).0
            };
            let nearest = (0..reactions.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            let Some(nearest) = nearest else { continue };
            let force = push * (model.particles.masses[i as usize] / (dt * dt));
            let reaction = &mut reactions[nearest];
            reaction.force += force;
            reaction.torque += (x + way - reaction.at).cross(force);
        }
        Ok(reactions)
    }
}

/// The pins of all bodies; those of a body with very many as one.
pub(super) fn held(model: &Model) -> Vec<Held> {
    let mut all = Vec::new();
    for (body, pins) in model.bodies.iter().zip(model.source.scene().geometry().pins()) {
        let number = |&particle: &u32| model.order.new_of_old[(body.particles.start + particle) as usize];
        let lists = pins.iter().map(|pin| pin.particles.iter().map(number).collect::<Vec<u32>>());
        if pins.len() > PINS {
            all.push(Held { name: format!("{}.pins", body.name), particles: lists.flatten().collect() });
        } else {
            all.extend(
                (1..)
                    .zip(lists)
                    .map(|(k, particles)| Held { name: format!("{}.pin{k}", body.name), particles }),
            );
        }
    }
    all
}
