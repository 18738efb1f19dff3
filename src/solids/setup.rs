//! From a model's solids to their tables and passes.

use super::law::{Acts, law_of};
use super::{KERNELS, LAWS, laws, load, load_energy, rings, tet_change, tet_energy, tet_force, tet_turn};
use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role, Tables};
use crate::integrate::setup::{Forces, Law};
use crate::model::Model;
use crate::model::elements::Tet;
use crate::scene::{Integrator, SolidModel};
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
        for law in LAWS {
            if let Acts::Constraint(constraint) = &law.acts {
                constraint.add(law, model, step)?;
            }
        }
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
    let bodies = 0..model.elements.len();
    let tets: Vec<Tet> =
        bodies.flat_map(|body| model.tets_of(body, SolidModel::has_forces)).copied().collect();
    let mut laws = tets.iter().map(|tet| model.solid_materials[tet.material as usize].model);
    let turns = laws.any(|model| model != SolidModel::Linear);
    let solids = Solids { tet_count: tets.len() as u32, turns };
    if tets.is_empty() {
        return Ok(solids);
    }
    let buffers = &mut step.buffers;
    add_laws(model, buffers)?;
    buffers.uint4s("tet_corners", Role::Model, tets.iter().map(|tet| tet.particles).collect())?;
    let rest = tets.iter().flat_map(|tet| tet.rest(model.solid_materials[tet.material as usize].model));
    buffers.real4s("tet_rest", Role::Model, rest.collect())?;
    buffers.real4s("tet_turns", Role::State, vec![[0.0, 0.0, 0.0, 1.0]; tets.len()])?;
    buffers.gather("tet_elements", tets.len() as u32, &["tet_corners", "tet_rest", "tet_turns"])?;
    buffers.refer("tet_corners", 4, "particles")?;
    if turns {
        rings::add_buffers(buffers, "tet", &tets)?;
    }
    let corners = tets.iter().map(|tet| tet.particles);
    let is_turning = matches!(model.settings.integrator, Integrator::Midpoint | Integrator::Static);
    let kind = |tet: &Tet| match law_of(model.solid_materials[tet.material as usize].model).acts {
        Acts::Force { code } => Some(laws::factors_of(code, is_turning)),
        Acts::Constraint(_) => None,
    };
    let kinds = tets.iter().filter_map(kind).collect();
    let law = Law {
        force: &tet_force::KERNEL,
        change: &tet_change::KERNEL,
        energy: Some(&tet_energy::KERNEL),
        shape: turns.then_some(&tet_turn::KERNEL),
    };
    let forces = step.contributions::<Forces>();
    forces.add(law, corners, kinds);
    for body in 0..model.bodies.len() {
        forces.note_stable_substep(model, body, || super::measure::stable_substep(model, body));
    }
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

/// The uniform of all laws.
pub fn add_laws(model: &Model, buffers: &mut Tables) -> Result<(), ComputeError> {
    let values = Data::Reals(laws::values(&model.solid_materials));
    buffers.add("solid_laws", Element::Real, Role::Uniform, values).map(drop)
}

impl Tet {
    /// The gradients, each with one number more.
    pub(super) fn rows(&self, w: [f64; 3]) -> [[f64; 4]; 3] {
        [0, 1, 2].map(|row| {
            let g = self.gradients[row];
            [g.x, g.y, g.z, w[row]]
        })
    }

    /// g₁, V; g₂, law; g₃, 1 where what is drawn out is not flat: as `tet_force` and `tet_loosen` take it.
    pub fn rest(&self, model: SolidModel) -> [[f64; 4]; 3] {
        let knows_rubber = model == SolidModel::NeoHookean;
        self.rows([self.rest_volume, f64::from(self.material), f64::from(knows_rubber)])
    }
}
