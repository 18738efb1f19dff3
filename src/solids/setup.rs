//! From a model's solids to their tables and passes.

use super::{
    KERNELS, laws, load, load_energy, rings, tet_change, tet_energy, tet_force, tet_position, tet_strain,
    tet_turn,
};
use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role, Tables};
use crate::constraints::projections::project;
use crate::integrate::factors::Kind;
use crate::integrate::setup::{Forces, Law};
use crate::model::Model;
use crate::model::elements::Tet;
use crate::model::solids::SolidLaw;
use crate::scene::{SolidModel, SolverKind};
use crate::step::{self, Member, Stage, StageList, Step};

/// Soft solids: tetrahedra that are forces, and tetrahedra that are constraints.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "solids"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        add_position_tets(model, step)?;
        add_strain_tets(model, step)?;
        let solids = add_forces(model, step)?;
        step.join(solids);
        Ok(())
    }
}

/// Adds the tables of tetrahedra that are forces, and the loads on solids.
fn add_forces(model: &Model, step: &mut Step<'_>) -> Result<Solids, ComputeError> {
    if !model.loads.is_empty() {
        let loads = model.loads.iter().map(|(_, force)| [force.x, force.y, force.z, 0.0]);
        step.buffers.real4s("load_forces", Role::Model, loads.collect())?;
        let loaded = model.loads.iter().map(|&(particle, _)| [particle]);
        step.buffers.uints("loaded", Role::Model, loaded.clone().flatten().collect())?;
        let law = Law {
            force: &load::KERNEL,
            change: &load::KERNEL,
            energy: Some(&load_energy::KERNEL),
            shape: None,
        };
        step.contributions::<Forces>().add(law, loaded, Vec::new());
    }
    let tets: Vec<Tet> = model.elements.iter().flat_map(|e| &e.tets).copied().collect();
    let mut laws = tets.iter().map(|tet| model.solid_materials[tet.material as usize].model);
    let turns = laws.any(|model| model != SolidModel::Linear);
    let solids = Solids { tet_count: tets.len() as u32, turns };
    if tets.is_empty() {
        return Ok(solids);
    }
    let buffers = &mut step.buffers;
    add_laws(model, buffers)?;
    buffers.uint4s("tet_corners", Role::Model, tets.iter().map(|tet| tet.particles).collect())?;
    buffers.real4s("tet_rest", Role::Model, tets.iter().flat_map(|tet| tet.rest()).collect())?;
    buffers.real4s("tet_turns", Role::State, vec![[0.0, 0.0, 0.0, 1.0]; tets.len()])?;
    buffers.gather("tet_elements", tets.len() as u32, &["tet_corners", "tet_rest", "tet_turns"])?;
    buffers.refer("tet_corners", 4, "particles")?;
    if turns {
        rings::add_buffers(buffers, "tet", &tets)?;
    }
    let corners = tets.iter().map(|tet| tet.particles);
    let kind = |tet: &Tet| match model.solid_materials[tet.material as usize].model {
        SolidModel::NeoHookean | SolidModel::Springs => Kind::Tetrahedron,
        _ => Kind::Frame,
    };
    let kinds = tets.iter().map(kind).collect();
    let law = Law {
        force: &tet_force::KERNEL,
        change: &tet_change::KERNEL,
        energy: Some(&tet_energy::KERNEL),
        shape: turns.then_some(&tet_turn::KERNEL),
    };
    step.contributions::<Forces>().add(law, corners, kinds);
    Ok(solids)
}

/// The solids of a model, ready to append what comes before their forces and constraints.
struct Solids {
    tet_count: u32,
    /// Whether any tetrahedron has a rotation of its own, or may come loose.
    turns: bool,
}

impl Member for Solids {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        if stage != Stage::Integrate {
            return Ok(());
        }
        rings::append(list.passes, list.buffers)?;
        if !self.turns {
            return Ok(());
        }
        list.run(&tet_turn::KERNEL, Launch::over(self.tet_count))
    }
}

fn add_position_tets(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("tet_position", &tet_position::KERNEL);
    let Some(tets) = project(model, step, kind, |e| &e.position_tets, |tet| tet.particles)? else {
        return Ok(());
    };
    let buffers = &mut step.buffers;
    let rest = tets.iter().flat_map(|tet| tet.position_rest(&model.solid_materials));
    buffers.real4s("position_rest", Role::Model, rest.collect())?;
    let corners = tets.iter().map(|tet| tet.particles).collect();
    buffers.uint4s("position_corners", Role::Model, corners)?;
    buffers.gather("position_elements", tets.len() as u32, &["position_corners", "position_rest"])?;
    buffers.refer("position_corners", 4, "particles")?;
    rings::add_buffers(buffers, "position", &tets)?;
    // Columns of a matrix, and for Chebyshev's acceleration those of the one before.
    let columns = if model.settings.solver == SolverKind::Jacobi { 6 } else { 3 };
    buffers.real4s("position_lambdas", Role::Scratch, vec![[0.0; 4]; columns * tets.len()]).map(drop)
}

fn add_strain_tets(model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
    let kind = ("tet_strain", &tet_strain::KERNEL);
    let Some(tets) = project(model, step, kind, |e| &e.strain_tets, |tet| tet.particles)? else {
        return Ok(());
    };
    let buffers = &mut step.buffers;
    let rest = tets.iter().flat_map(|tet| tet.strain_rest(&model.solid_materials));
    buffers.real4s("strain_rest", Role::Model, rest.collect())?;
    let corners = tets.iter().map(|tet| tet.particles).collect();
    buffers.uint4s("strain_corners", Role::Model, corners)?;
    buffers.gather("strain_elements", tets.len() as u32, &["strain_corners", "strain_rest"])?;
    buffers.refer("strain_corners", 4, "particles")?;
    rings::add_buffers(buffers, "strain", &tets)?;
    buffers.real4s("strain_lambdas", Role::Scratch, vec![[0.0; 4]; 4 * tets.len()]).map(drop)
}

/// The uniform of all laws.
pub fn add_laws(model: &Model, buffers: &mut Tables) -> Result<(), ComputeError> {
    let values = Data::Reals(laws::values(&model.solid_materials));
    buffers.add("solid_laws", Element::Real, Role::Uniform, values).map(drop)
}

impl Tet {
    fn rows(&self, w: [f64; 3]) -> [[f64; 4]; 3] {
        [0, 1, 2].map(|row| {
            let g = self.gradients[row];
            [g.x, g.y, g.z, w[row]]
        })
    }

    /// g₁, V; g₂, law; g₃, 0: as `tet_force` takes it.
    pub fn rest(&self) -> [[f64; 4]; 3] {
        self.rows([self.rest_volume, f64::from(self.material), 0.0])
    }

    /// g₁, λ V; g₂, μ V; g₃, 0: as `tet_position` takes it, whose λ is λ + μ of Lamé's.
    pub fn position_rest(&self, laws: &[SolidLaw]) -> [[f64; 4]; 3] {
        let [lambda, mu] = laws[self.material as usize].material.lame();
        self.rows([(lambda + mu) * self.rest_volume, mu * self.rest_volume, 0.0])
    }

    /// g₁, 1/(μ V); g₂, 1/(λ V), negative for none; g₃, 0: as `tet_strain` takes it.
    pub fn strain_rest(&self, laws: &[SolidLaw]) -> [[f64; 4]; 3] {
        let [lambda, mu] = laws[self.material as usize].material.lame();
        let volume = if lambda > 0.0 { 1.0 / (lambda * self.rest_volume) } else { -1.0 };
        self.rows([1.0 / (mu * self.rest_volume), volume, 0.0])
    }
}
