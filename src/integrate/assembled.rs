//! The implicit solve by a matrix: its buffers and passes.
//!
//! Set-up in every substep: factors → blocks → of each level the inverses and the damping of its diagonal and the matrix of the next
//! level. Then conjugate gradients, with a V-cycle for a preconditioner: one step of damped block-Jacobi before and one after what the next level
//! does, and the inverse of the whole matrix where a body has come to a few nodes. The preconditioner is symmetric, as
//! conjugate gradients want it.

use super::hierarchy::{Level, Lists, Nodes, Transfer, levels};
use super::matrix::{Matrix, Stiff, build};
use super::rows::Rows;
use super::setup::COUNTS;
use super::{
    drift, drift_parts, galerkin, galerkin_rigid, grid_arms, grid_invert, grid_prolong, grid_restrict,
    grid_scale, grid_smooth, matrix_product, pcg_assemble, pcg_decide, pcg_direction, pcg_dot, pcg_prepare,
    pcg_start, pcg_step, pcg_sum, search_decide, search_sum, tail_invert, tail_solve,
};
use crate::compute::{ComputeError, Kernel, Launch, Passes, Role, Tables, Unread};
use crate::model::Model;
use crate::primitives::reduce::BLOCK;
use crate::scene::{ConjugateGradients, Preconditioner};
use std::ops::Range;

/// The matrix of a model and its levels.
pub struct Assembled {
    /// What the names of its buffers begin with.
    prefix: &'static str,
    gradients: ConjugateGradients,
    /// Whether the nodes of the first level are rigid motions.
    turns: bool,
    matrix: Matrix,
    levels: Vec<Level>,
    /// Rows of each body's scalar products: first and end, and the blocks of each body.
    dots: Vec<[u32; 2]>,
    groups: Vec<[u32; 2]>,
    row_groups: Vec<u32>,
    /// Damping of the mass of each block's body [1/s]; negative if it has a load.
    drags: Vec<f64>,
}

/// Damping of the mass of the body of a particle [1/s], or a negative number if it has a load.
fn drag(model: &Model, particle: u32) -> f64 {
    let Some(body) = model.bodies.iter().position(|body| body.particles.contains(&particle)) else {
        return -1.0;
    };
    if model.loads.iter().any(|(loaded, _)| model.bodies[body].particles.contains(loaded)) {
        return -1.0;
    }
    let law = model.solid_law(body).filter(|law| law.model.has_forces());
    law.map_or(0.0, |law| law.rayleigh[0])
}

/// What scalar products sum up, where each body's part of it is, and which body each row belongs to.
fn scalars(
    bodies: impl Iterator<Item = Range<u32>>,
    rows: usize,
) -> (Vec<[u32; 2]>, Vec<[u32; 2]>, Vec<u32>) {
    let (mut dots, mut groups) = (Vec::new(), Vec::new());
    let mut row_groups = vec![u32::MAX; rows];
    for (number, range) in (0u32..).zip(bodies) {
        let first = dots.len() as u32;
        row_groups[range.start as usize..range.end as usize].fill(number);
        let starts = range.clone().step_by(BLOCK as usize);
        dots.extend(starts.map(|start| [start, (start + BLOCK).min(range.end)]));
        groups.push([first, dots.len() as u32]);
    }
    (dots, groups, row_groups)
}

/// A buffer of a level.
pub(super) fn of(level: usize, name: &str) -> String {
    format!("grid{level}_{name}")
}

impl Assembled {
    pub fn new(model: &Model, families: &[Stiff], easy: &[usize]) -> Result<Self, ComputeError> {
        let (matrix, nodes, takes_part) = build(model, families, easy)?;
        let rows = nodes.groups.iter().map(|group| group.nodes.clone());
        let (dots, groups, row_groups) = scalars(rows, model.particle_count());
        let drags = dots.iter().map(|&[first, _]| drag(model, first)).collect();
        let mut levels = levels(matrix.rows.clone(), nodes, &takes_part);
        if model.settings.preconditioner == Preconditioner::Jacobi {
            levels.truncate(1);
            levels[0].next = None;
        }
        let gradients = model.settings.conjugate_gradients;
        Ok(Self { prefix: "", gradients, turns: false, matrix, levels, dots, groups, row_groups, drags })
    }

    /// Of a matrix that somebody else assembles, whose nodes are rigid motions; its buffers have names of their own.
    pub fn of_motions(
        prefix: &'static str,
        rows: Rows,
        nodes: Nodes,
        takes_part: &[bool],
        gradients: ConjugateGradients,
    ) -> Self {
        let groups = nodes.groups.iter().map(|group| 2 * group.nodes.start..2 * group.nodes.end);
        let (dots, groups, row_groups) = scalars(groups, rows.count() as usize);
        let levels = levels(rows, nodes, takes_part);
        let (matrix, drags) = (Matrix::default(), Vec::new());
        Self { prefix, gradients, turns: true, matrix, levels, dots, groups, row_groups, drags }
    }

    /// How many bodies there are.
    pub fn group_count(&self) -> u32 {
        self.groups.len() as u32
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Appends a pass on this matrix's own buffers where it has such.
    pub fn run(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        kernel: &'static Kernel,
        launch: Launch<f64>,
        renamed: &[(&str, &str)],
    ) -> Result<(), ComputeError> {
        if self.prefix.is_empty() {
            return passes.run_as(buffers, kernel, launch, renamed);
        }
        let own = kernel.bindings.iter().map(|binding| {
            let given = renamed.iter().find(|(from, _)| *from == binding.name);
            let name = given.map_or(binding.name, |(_, to)| to);
            let own = self.named(name);
            (binding.name, if buffers.find(&own).is_some() { own } else { name.to_owned() })
        });
        let own: Vec<(&str, String)> = own.collect();
        let own: Vec<(&str, &str)> = own.iter().map(|(binding, name)| (*binding, name.as_str())).collect();
        passes.run_as(buffers, kernel, launch, &own)
    }

    /// Rows of each level.
    pub fn level_rows(&self) -> Vec<u32> {
        self.levels.iter().map(|level| level.rows.count()).collect()
    }

    pub fn add_buffers(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let matrix = &self.matrix;
        buffers.uints("block_starts", Role::Model, matrix.starts.clone())?;
        buffers.uints("block_entries", Role::Model, matrix.entries.clone())?;
        buffers.uint2s("block_places", Role::Model, matrix.places.clone())?;
        buffers.reals("dot_drags", Role::Model, self.drags.clone())?;
        buffers.real4s("drift_sums", Role::Scratch, vec![[0.0; 4]; self.dots.len()])?;
        buffers.uint2s("group_searches", Role::State, vec![[0; 2]; self.groups.len()])?;
        self.add_level_buffers(buffers)
    }

    /// Adds the scalars of the bodies and the levels.
    pub fn add_level_buffers(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        buffers.uint2s(&self.named("dot_blocks"), Role::Model, self.dots.clone())?;
        buffers.reals(&self.named("dot_parts"), Role::Scratch, vec![0.0; self.dots.len()])?;
        buffers.uint2s(&self.named("group_blocks"), Role::Model, self.groups.clone())?;
        buffers.real4s(&self.named("group_scalars"), Role::Scratch, vec![[0.0; 4]; self.groups.len()])?;
        buffers.uints(&self.named("row_groups"), Role::Model, self.row_groups.clone())?;
        for (number, level) in self.levels.iter().enumerate() {
            add_level(buffers, &|name| self.named(&of(number, name)), number, level)?;
        }
        Ok(())
    }

    /// Appends what makes the matrices of all levels of the factors, of particles whose displacements are in the buffer `places`.
    pub fn set_up(&self, passes: &mut Passes, buffers: &Tables, places: &str) -> Result<(), ComputeError> {
        let blocks = Launch::over(self.matrix.places.len() as u32);
        let (columns, values) = (of(0, "columns"), of(0, "values"));
        let renamed = [("columns", columns.as_str()), ("values", values.as_str())];
        passes.run_as(buffers, &pcg_assemble::KERNEL, blocks, &renamed)?;
        self.set_up_levels(passes, buffers, places)
    }

    /// Appends what makes everything else of the first level's matrix.
    pub fn set_up_levels(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        places: &str,
    ) -> Result<(), ComputeError> {
        for (number, level) in self.levels.iter().enumerate() {
            let rows = Launch::over(level.rows.count());
            let names = Names::new(number);
            if !level.is_whole() {
                let diagonal = ["diagonal_places", "values", "inverses"];
                self.run(passes, buffers, &grid_invert::KERNEL, rows, &names.pick(&diagonal))?;
                let smoother = ["slice_starts", "columns", "values", "inverses", "smoothers"];
                self.run(passes, buffers, &grid_scale::KERNEL, rows, &names.pick(&smoother))?;
            }
            if !level.tails.is_empty() {
                let tails = level.tails.len() as u32;
                let renamed = names.pick(&["slice_starts", "columns", "values", "tails", "tail_inverses"]);
                self.run(passes, buffers, &tail_invert::KERNEL, Launch::over(tails), &renamed)?;
            }
            if let Some(transfer) = &level.next {
                self.coarsen(passes, buffers, number, transfer, places)?;
            }
        }
        Ok(())
    }

    /// Appends the solution of the system for what the corners' forces are, from Δv = 0; `weight` of gravity is on the right side too.
    pub fn solve(&self, passes: &mut Passes, buffers: &Tables, weight: f64) -> Result<(), ComputeError> {
        let rows = Launch::over(self.levels[0].rows.count());
        passes.run(buffers, &pcg_prepare::KERNEL, Launch::over(1))?;
        let names = Names::new(0);
        let start = Launch { weight, ..rows };
        passes.run_as(buffers, &pcg_start::KERNEL, start, &names.pick(&["smoothers", "guess"]))?;
        self.iterate(passes, buffers, |_, _| Ok(()))
    }

    /// Appends conjugate gradients from a residual and its first step of block-Jacobi; `begin` is what comes after the first scalar product.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        begin: impl Fn(&mut Passes, &Tables) -> Result<(), ComputeError>,
    ) -> Result<(), ComputeError> {
        let rows = Launch::over(self.levels[0].rows.count());
        let names = Names::new(0);
        let weight = self.gradients.tolerance * self.gradients.tolerance;
        let first = passes.list.len();
        for index in 0..self.gradients.iterations {
            let rows = Launch { weight, index, ..rows };
            self.cycle(passes, buffers, 0)?;
            self.dot(passes, buffers, ["cg_residuals", "cg_preconditioned"], index, 0)?;
            if index == 0 {
                begin(passes, buffers)?;
            }
            let decide = Launch { weight, ..Launch::over(1) };
            self.run(passes, buffers, &pcg_decide::KERNEL, decide, &[])?;
            self.run(passes, buffers, &pcg_direction::KERNEL, rows, &[])?;
            let product = [("guess", "cg_directions"), ("right", "cg_residuals"), ("result", "cg_products")];
            let mut renamed = names.pick(&["slice_starts", "columns", "values"]);
            renamed.extend(product);
            self.run(passes, buffers, &matrix_product::KERNEL, rows, &renamed)?;
            self.dot(passes, buffers, ["cg_directions", "cg_products"], index, pcg_sum::CURVATURE)?;
            self.run(passes, buffers, &pcg_step::KERNEL, rows, &names.pick(&["smoothers", "guess"]))?;
        }
        if let Some(column) = buffers.find(&self.named(COUNTS)) {
            passes.note_unread(first, Unread { column, stride: 1, count: 1 });
        }
        Ok(())
    }

    /// Appends what keeps the momentum of free bodies; `weight` is what a drag is multiplied with, over dt.
    pub fn keep_momentum(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        weight: f64,
    ) -> Result<(), ComputeError> {
        let blocks = self.dots.len() as u32;
        let launch = Launch { weight, ..Launch::over(blocks) };
        passes.run_groups(buffers, &drift_parts::KERNEL, launch, blocks, &[])?;
        passes.run(buffers, &drift::KERNEL, Launch::over(self.levels[0].rows.count()))
    }

    /// Appends the sums over bodies of what a search asks, and whether it ends with this trial.
    pub fn decide(&self, passes: &mut Passes, buffers: &Tables, index: u32) -> Result<(), ComputeError> {
        let blocks = self.dots.len() as u32;
        passes.run_groups(buffers, &search_sum::KERNEL, Launch::over(blocks), blocks, &[])?;
        let groups = Launch { index, ..Launch::over(self.groups.len() as u32) };
        passes.run(buffers, &search_decide::KERNEL, groups)
    }

    /// Says of all passes from `first` on that nobody needs them when the searches of all bodies have ended.
    pub fn note_search(&self, passes: &mut Passes, buffers: &Tables, first: usize) {
        if let Some(column) = buffers.find("group_searches") {
            let count = self.groups.len() as u32;
            passes.note_unread(first, Unread { column, stride: 2, count });
        }
    }

    /// Appends a scalar product of each body.
    fn dot(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        [left, right]: [&str; 2],
        index: u32,
        flags: u32,
    ) -> Result<(), ComputeError> {
        let blocks = Launch::over(self.dots.len() as u32);
        let renamed = [("left", left), ("right", right)];
        self.run(passes, buffers, &pcg_dot::KERNEL, blocks, &renamed)?;
        let groups = Launch { index, flags, ..Launch::over(self.groups.len() as u32) };
        self.run(passes, buffers, &pcg_sum::KERNEL, groups, &[])
    }

    /// Appends a V-cycle from a level on: `result` of `right`, from the step of block-Jacobi in `guess`.
    fn cycle(&self, passes: &mut Passes, buffers: &Tables, number: usize) -> Result<(), ComputeError> {
        let level = &self.levels[number];
        let rows = Launch::over(level.rows.count());
        let names = Names::new(number);
        let system = ["slice_starts", "columns", "values", "right", "guess", "result"];
        if level.next.is_some() {
            let launch = Launch { flags: matrix_product::REMAINDER, ..rows };
            self.run(passes, buffers, &matrix_product::KERNEL, launch, &names.pick(&system))?;
            let coarse = Names::new(number + 1);
            let mut renamed = names.pick(&["part_starts", "parts", "weights", "arms"]);
            renamed.push(("fine", names.get("result")));
            renamed.extend(coarse.pick(&["smoothers", "right", "guess"]));
            let coarse_rows = Launch::over(self.levels[number + 1].rows.count());
            self.run(passes, buffers, &grid_restrict::KERNEL, coarse_rows, &renamed)?;
            self.cycle(passes, buffers, number + 1)?;
            let mut renamed = names.pick(&["weight_starts", "weight_rows", "weights", "arms", "guess"]);
            renamed.push(("coarse", coarse.get("result")));
            self.run(passes, buffers, &grid_prolong::KERNEL, rows, &renamed)?;
        }
        if !level.is_whole() {
            let mut renamed = names.pick(&system);
            renamed.extend(names.pick(&["smoothers"]));
            self.run(passes, buffers, &grid_smooth::KERNEL, rows, &renamed)?;
        }
        let tails = Launch::over(level.tails.len() as u32);
        let renamed = names.pick(&["tails", "tail_inverses", "right", "result"]);
        if level.tails.is_empty() {
            return Ok(());
        }
        self.run(passes, buffers, &tail_solve::KERNEL, tails, &renamed)
    }

    /// Appends what makes the matrix of the next level.
    fn coarsen(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        number: usize,
        transfer: &Transfer,
        places: &str,
    ) -> Result<(), ComputeError> {
        let (fine, values) = (of(number, "values"), of(number + 1, "values"));
        let (weights, arms) = (of(number, "weights"), of(number, "arms"));
        if transfer.has_arms {
            let ends = of(number, "arm_ends");
            let renamed = [("arm_ends", ends.as_str()), ("arms", arms.as_str()), ("residuals", places)];
            self.run(
                passes,
                buffers,
                &grid_arms::KERNEL,
                Launch::over(transfer.weights.len() as u32),
                &renamed,
            )?;
        }
        let common = [("fine_values", fine.as_str()), ("values", values.as_str())];
        for (kind, lists) in [("translations", &transfer.translations), ("rigid", &transfer.rigid)] {
            let names =
                ["starts", "entries", "places", "weights"].map(|name| of(number, &format!("{kind}_{name}")));
            let mut renamed = vec![
                ("block_starts", names[0].as_str()),
                ("block_entries", names[1].as_str()),
                ("block_places", names[2].as_str()),
            ];
            renamed.extend(common);
            let launch = Launch::over(lists.places.len() as u32);
            if kind == "rigid" {
                renamed.extend([("weights", weights.as_str()), ("arms", arms.as_str())]);
                let flags = if number > 0 || self.turns { galerkin_rigid::RIGID } else { 0 };
                if launch.count > 0 {
                    self.run(passes, buffers, &galerkin_rigid::KERNEL, Launch { flags, ..launch }, &renamed)?;
                }
            } else if launch.count > 0 {
                renamed.push(("block_weights", names[3].as_str()));
                self.run(passes, buffers, &galerkin::KERNEL, launch, &renamed)?;
            }
        }
        Ok(())
    }
}

/// The buffers of a level by the names of the kernels' bindings.
struct Names(Vec<(&'static str, String)>);

impl Names {
    fn new(level: usize) -> Self {
        let own = [
            ("slice_starts", "slices"),
            ("columns", "columns"),
            ("values", "values"),
            ("diagonal_places", "diagonals"),
            ("inverses", "inverses"),
            ("smoothers", "smoothers"),
            ("guess", "guess"),
            ("tails", "tails"),
            ("tail_inverses", "tail_inverses"),
            ("part_starts", "part_starts"),
            ("parts", "parts"),
            ("weight_starts", "weight_starts"),
            ("weight_rows", "weight_rows"),
            ("weights", "weights"),
            ("arms", "arms"),
        ];
        let mut names: Vec<_> = own.into_iter().map(|(binding, name)| (binding, of(level, name))).collect();
        if level == 0 {
            names.push(("right", "cg_residuals".into()));
            names.push(("result", "cg_preconditioned".into()));
        } else {
            names.push(("right", of(level, "right")));
            names.push(("result", of(level, "result")));
        }
        Self(names)
    }

    fn get(&self, binding: &str) -> &str {
        &self.0.iter().find(|(name, _)| *name == binding).expect("a level has it").1
    }

    fn pick<'a>(&'a self, bindings: &[&'static str]) -> Vec<(&'static str, &'a str)> {
        bindings.iter().map(|&binding| (binding, self.get(binding))).collect()
    }
}

fn add_level(
    buffers: &mut Tables,
    name: &dyn Fn(&str) -> String,
    number: usize,
    level: &Level,
) -> Result<(), ComputeError> {
    let rows = level.rows.count() as usize;
    buffers.uints(&name("slices"), Role::Model, level.rows.starts.clone())?;
    buffers.uints(&name("columns"), Role::Model, level.rows.columns.clone())?;
    buffers.reals(&name("values"), Role::Scratch, vec![0.0; 9 * level.rows.padded_count()])?;
    buffers.uints(&name("diagonals"), Role::Model, level.diagonal_places())?;
    for kind in ["inverses", "smoothers"] {
        buffers.real4s(&name(kind), Role::Scratch, vec![[0.0; 4]; 2 * rows])?;
    }
    let vectors: &[&str] = if number == 0 { &["guess"] } else { &["guess", "right", "result"] };
    for kind in vectors {
        buffers.real4s(&name(kind), Role::Scratch, vec![[0.0; 4]; rows])?;
    }
    if !level.tails.is_empty() {
        buffers.uint4s(&name("tails"), Role::Model, level.tails.clone())?;
        buffers.reals(&name("tail_inverses"), Role::Scratch, vec![0.0; level.tail_numbers()])?;
    }
    let Some(transfer) = &level.next else { return Ok(()) };
    buffers.uints(&name("weight_starts"), Role::Model, transfer.weight_starts.clone())?;
    buffers.uints(&name("weight_rows"), Role::Model, transfer.weight_rows.clone())?;
    buffers.reals(&name("weights"), Role::Model, transfer.weights.clone())?;
    buffers.uints(&name("part_starts"), Role::Model, transfer.part_starts.clone())?;
    buffers.uint2s(&name("parts"), Role::Model, transfer.parts.clone())?;
    let arms = if transfer.has_arms { transfer.weights.len() } else { 1 };
    buffers.real4s(&name("arms"), Role::Scratch, vec![[0.0; 4]; arms])?;
    if transfer.has_arms {
        buffers.uint2s(&name("arm_ends"), Role::Model, transfer.arm_ends.clone())?;
    }
    for (kind, lists) in [("translations", &transfer.translations), ("rigid", &transfer.rigid)] {
        add_lists(buffers, &name(kind), lists)?;
    }
    Ok(())
}

fn add_lists(buffers: &mut Tables, name: &str, lists: &Lists) -> Result<(), ComputeError> {
    if lists.places.is_empty() {
        return Ok(());
    }
    buffers.uints(&format!("{name}_starts"), Role::Model, lists.starts.clone())?;
    buffers.uints(&format!("{name}_entries"), Role::Model, lists.entries.clone())?;
    buffers.uint2s(&format!("{name}_places"), Role::Model, lists.places.clone())?;
    if !lists.weights.is_empty() {
        buffers.reals(&format!("{name}_weights"), Role::Model, lists.weights.clone())?;
    }
    Ok(())
}
