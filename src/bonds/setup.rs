//! The tables and passes of bonded cells.

use super::bond_force::{BLOCK, BRITTLE, COMMIT, LAW, UPDATE};
use super::cell_pose::{FIRST, POSE};
use super::cell_touch::TOUCH;
use super::pattern::Pattern;
use super::{
    KERNELS, bond_decide, bond_force, bond_system, cell_begin, cell_move, cell_pose, cell_show, cell_system,
    cell_touch, measure,
};
use crate::compute::{ComputeError, Kernel, Launch, Passes, Role, Tables, Unread};
use crate::contact::colliders;
use crate::frames::{Drive, Frame, Frames, Release};
use crate::integrate::assembled::Assembled;
use crate::model::Model;
use crate::model::colliders::Collider;
use crate::model::composites::CellBody;
use crate::primitives::reduce;
use crate::step::{self, Columns, FamilyReport, Field, Measure, Member, Stage, StageList, Step, Values};
use glam::DVec3;

/// What the names of the buffers of the solver begin with.
const PREFIX: &str = "bond_";
/// Iterations of a solve beyond which a better answer is not worth their passes.
const MOST_ITERATIONS: u32 = 1000;
/// A resistance that nothing reaches [Pa].
const ENDLESS: f64 = 1e30;
/// Timoshenko's factor of a section that is one cell high.
const SINGLE_ROW: f64 = 5.0 / 6.0;

/// Bodies of bonded cells.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "bonds"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let Some(first) = model.composites.first() else { return Ok(()) };
        let rows = model.composites.iter().flat_map(frames);
        let start = step.contributions::<Frames>().add(rows);
        debug_assert_eq!(start, first.frames.start, "frames of rods, nets and rigid bodies come first");
        let pattern = Pattern::new(model);
        let (cells, bonds) = (pattern.cells.len() as u32, pattern.bonds.len() as u32);
        let buffers = &mut step.buffers;
        buffers.uint4s("cell_numbers", Role::Model, pattern.cells)?;
        buffers.gather("cells", cells, &["cell_numbers"])?;
        buffers.refer("cell_numbers", 1, "particles")?;
        buffers.real4s("cell_poses", Role::Scratch, vec![[0.0; 4]; (POSE * cells) as usize])?;
        buffers.real4s("cell_changes", Role::Scratch, vec![[0.0; 4]; 2 * cells as usize])?;
        buffers.uint2s("cell_starts", Role::Model, pattern.starts)?;
        buffers.uints("cell_bonds", Role::Model, pattern.list)?;
        buffers.real4s("cell_skins", Role::Model, model.composites.iter().flat_map(skin).collect())?;
        buffers.real4s("cell_touches", Role::Scratch, vec![[0.0; 4]; (TOUCH * cells) as usize])?;
        for name in ["damage", "utilisation"] {
            buffers.reals(name, Role::Scratch, vec![0.0; cells as usize])?;
        }
        buffers.gather("cells", cells, &["damage", "utilisation"])?;
        buffers.uint4s("bond_ends", Role::Model, pattern.bonds)?;
        buffers.uint2s("bond_places", Role::Model, pattern.places)?;
        buffers.real4s("bond_laws", Role::Model, model.composites.iter().flat_map(laws).collect())?;
        let strengths = model.composites.iter().flat_map(|body| body.strengths.iter().copied());
        buffers.reals("bond_strengths", Role::Model, strengths.collect())?;
        buffers.uint2s("bond_particles", Role::Model, pattern.particles)?;
        let open = model.composites.iter().flat_map(|body| &body.open);
        let states = open.flat_map(|&open| [[f64::from(u8::from(open)), 0.0, 0.0, 0.0]; 4]);
        buffers.real4s("bond_states", Role::State, states.collect())?;
        buffers.gather("bonds", bonds, &["bond_particles", "bond_states"])?;
        buffers.refer("bond_particles", 2, "particles")?;
        buffers.reals("bond_changes", Role::Scratch, vec![0.0; bonds as usize])?;
        buffers.reals("bond_change", Role::Scratch, vec![0.0; 1])?;
        buffers.uints("bond_counts", Role::State, vec![0; 5])?;
        buffers.real4s("bond_blocks", Role::Scratch, vec![[0.0; 4]; (BLOCK * bonds) as usize])?;
        for name in ["cg_changes", "cg_directions", "cg_products", "cg_residuals", "cg_preconditioned"] {
            buffers.real4s(&format!("{PREFIX}{name}"), Role::Scratch, vec![[0.0; 4]; 2 * cells as usize])?;
        }
        buffers.uints(&format!("{PREFIX}cg_counts"), Role::State, vec![0; 5])?;
        let mut gradients = model.settings.conjugate_gradients;
        gradients.iterations = gradients.iterations.min(MOST_ITERATIONS);
        let solver =
            Assembled::of_motions(PREFIX, pattern.rows, pattern.nodes, &pattern.takes_part, gradients);
        solver.add_level_buffers(buffers)?;
        let rounds = model.composites.iter().map(|body| body.rounds).max().unwrap_or(1);
        step.join(Bonds { cells, bonds, rounds, colliders: &model.colliders, solver });
        Ok(())
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn measure(
        &self,
        model: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        let Some(states) = state.column("bond_states")? else { return Ok(()) };
        let breakage = measure::Breakage::of(model, states.reals());
        let mut add = |name: &'static str, unit, value| into.push(Measure { name: name.into(), unit, value });
        add("fracture_energy", "J", breakage.energy);
        add("broken_area", "m²", breakage.area);
        add("pieces", "", breakage.pieces as f64);
        if let Some(counts) = state.column("bond_counts")? {
            let count =
                |place: u32| f64::from(counts.uints().get(place as usize).copied().unwrap_or_default());
            add("bond_rounds", "", count(bond_decide::ROUNDS));
            add("bond_rounds_ran_out", "", count(bond_decide::RAN_OUT));
        }
        Ok(())
    }
}

/// What colours show of cells.
static FIELDS: &[Field] = &[
    Field { name: "damage", title: "damage", unit: "%", values: Values::Table("cells") },
    Field { name: "utilisation", title: "stress over strength", unit: "%", values: Values::Table("cells") },
];

/// The frames of a body's cells.
fn frames(body: &CellBody) -> impl Iterator<Item = Frame> + '_ {
    let inverse = DVec3::splat(body.moment.recip());
    let mut held = body.held.iter().peekable();
    (0u32..).zip(body.particles.clone()).map(move |(cell, particle)| {
        let own = held.next_if(|held| held.cell == cell);
        let release = own.and_then(|own| own.release);
        Frame {
            particles: [particle; 2],
            orientation: body.axes,
            inverse_inertia: if own.is_some() { DVec3::ZERO } else { inverse },
            gyroscopic: 0.0,
            spin: if own.is_some() { DVec3::ZERO } else { body.spin },
            release: release.map(|time| Release { time, inverse_inertia: inverse }),
            drive: own.and_then(|own| Some(Drive { track: own.track?, rest: body.axes })),
        }
    })
}

/// How a body's cells meet colliders: the stiffness of half a cell across its softest axis is shared by the nine points of a face.
fn skin(body: &CellBody) -> [[f64; 4]; 2] {
    let edge = body.cell.element_product().cbrt();
    let stiffness = 2.0 * body.wood.youngs_modulus.min_element() * edge / 9.0;
    [(0.5 * body.cell).extend(stiffness).to_array(), [body.friction, 0.5 * body.cell.length(), 0.0, 0.0]]
}

/// The laws of a body's bonds along each of its three axes.
pub fn laws(body: &CellBody) -> Vec<[f64; 4]> {
    let mut rows = Vec::with_capacity(3 * LAW as usize);
    let wood = &body.wood;
    let shear = |a: usize, b: usize| wood.shear_modulus[a.min(b) + a.max(b) - 1];
    for axis in 0..3 {
        let length = body.cell[axis];
        let across = [(axis + 1) % 3, (axis + 2) % 3];
        let mut stiffness = DVec3::ZERO;
        stiffness[axis] = wood.youngs_modulus[axis] / length;
        for other in across {
            let factor = if body.rows[other] > 1 { 2.0 } else { SINGLE_ROW };
            stiffness[other] = factor * shear(axis, other) / length;
        }
        let unit = |axis: usize| DVec3::from_array([0, 1, 2].map(|k| f64::from(u8::from(k == axis))));
        let area = body.cell[across[0]] * body.cell[across[1]];
        let [u, v] = across.map(|other| unit(other) * (body.cell[other] / 12f64.sqrt()));
        rows.push(stiffness.extend(0.25 * area).to_array());
        rows.push((unit(axis) * length).extend(length).to_array());
        rows.extend([u, v].map(|way| way.extend(0.0).to_array()));
        rows.extend(strength_rows(body, axis, stiffness));
    }
    rows
}

/// 1/f and f_c, and 1/λ_f, of the bonds along an axis. What would be more brittle than it may be has less strength instead, and keeps its energy.
fn strength_rows(body: &CellBody, axis: usize, stiffness: DVec3) -> [[f64; 4]; 2] {
    let wood = &body.wood;
    let mut rows = [[0.0, 0.0, 0.0, ENDLESS], [0.0; 4]];
    if !body.breaks {
        return rows;
    }
    let is_fibre = axis == 0;
    let [fibres, opening, sliding] = wood.fracture_energy;
    for k in 0..3 {
        let (strength, energy) = match (k == axis, is_fibre) {
            (true, true) => (wood.tension_strength[0], fibres),
            (true, false) => (wood.tension_strength[1], opening),
            // Fibres are not sheared off before what is between them gives way.
            (false, true) => continue,
            (false, false) => (wood.shear_strength[if k == 0 { 0 } else { 1 }], sliding),
        };
        let strength = strength.min((2.0 * energy * stiffness[k] / BRITTLE).sqrt());
        rows[0][k] = strength.recip();
        rows[1][k] = strength * strength / (2.0 * energy * stiffness[k]);
    }
    rows[0][3] = wood.compression_strength[if is_fibre { 0 } else { 1 }];
    rows
}

/// The bonds of a model, ready to append their passes.
struct Bonds<'m> {
    cells: u32,
    bonds: u32,
    /// Most rounds of a substep.
    rounds: u32,
    colliders: &'m [Collider],
    solver: Assembled,
}

impl Bonds<'_> {
    fn run(
        &self,
        list: &mut StageList<'_>,
        kernel: &'static Kernel,
        launch: Launch<f64>,
    ) -> Result<(), ComputeError> {
        self.pass(list.passes, list.buffers, kernel, launch)
    }

    /// A pass in which `values`, `guess` and `smoothers` are those of the first level.
    fn pass(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
    ) -> Result<(), ComputeError> {
        let first = ["values", "guess", "smoothers"].map(|name| (name, format!("grid0_{name}")));
        let named: Vec<(&str, &str)> = first
            .iter()
            .filter(|(name, _)| kernel.bindings.iter().any(|binding| binding.name == *name))
            .map(|(name, of)| (*name, of.as_str()))
            .collect();
        self.solver.run(passes, buffers, kernel, launch, &named)
    }

    /// A visit of all bonds where the cells are now, after which the largest change is known.
    fn visit(&self, list: &mut StageList<'_>, pose: u32, force: u32) -> Result<(), ComputeError> {
        self.run(list, &cell_pose::KERNEL, Launch { flags: pose, ..Launch::over(self.cells) })?;
        self.run(list, &bond_force::KERNEL, Launch { flags: force, ..Launch::over(self.bonds) })?;
        if !self.colliders.is_empty() {
            self.run(list, &cell_touch::KERNEL, Launch::over(self.cells))?;
        }
        reduce::max(list.passes, list.buffers, "bond_changes", self.bonds, "bond_change")
    }

    fn substep(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let (cells, bonds) = (Launch::over(self.cells), Launch::over(self.bonds));
        colliders::append_carry(list.passes, list.buffers, self.colliders)?;
        for round in 0..self.rounds {
            let first = list.passes.list.len();
            if round == 0 {
                self.run(
                    list,
                    &bond_decide::KERNEL,
                    Launch { flags: bond_decide::FIRST, ..Launch::over(1) },
                )?;
                self.visit(list, FIRST, 0)?;
            } else {
                self.visit(list, 0, UPDATE)?;
                self.run(list, &bond_decide::KERNEL, Launch::over(1))?;
                self.note(list, first);
            }
            let first = list.passes.list.len();
            self.run(list, &bond_system::KERNEL, bonds)?;
            self.run(list, &cell_system::KERNEL, cells)?;
            self.solver.set_up_levels(list.passes, list.buffers, "residuals")?;
            self.run(list, &cell_begin::KERNEL, Launch::over(2 * self.cells))?;
            self.note(list, first);
            self.solver.iterate(list.passes, list.buffers, |_, _| Ok(()))?;
            let last = list.passes.list.len();
            self.run(list, &cell_move::KERNEL, cells)?;
            self.note(list, last);
        }
        self.visit(list, 0, UPDATE | COMMIT)?;
        self.run(list, &bond_decide::KERNEL, Launch { flags: bond_decide::AFTER, ..Launch::over(1) })
    }

    /// Says of all passes from `first` on that nobody needs them when the substep is done.
    fn note(&self, list: &mut StageList<'_>, first: usize) {
        if let Some(column) = list.buffers.find("bond_counts") {
            list.passes.note_unread(first, Unread { column, stride: 1, count: 1 });
        }
    }
}

impl Member for Bonds<'_> {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Integrate => self.substep(list),
            Stage::Draw => self.run(list, &cell_show::KERNEL, Launch::over(self.cells)),
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "bonds", count: self.bonds, colours: None }]
    }
}
