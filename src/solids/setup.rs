//! From a model's solids to their buffers and passes.

use super::{laws, load, rings, tet_change, tet_force, tet_turn};
use crate::compute::{Buffers, ComputeError, Data, Element, Launch, Passes, Role};
use crate::integrate::setup::Forces;
use crate::model::Model;
use crate::model::elements::Tet;
use crate::model::solids::SolidLaw;
use crate::scene::SolidModel;

/// The solids of a model whose tetrahedra are forces, ready to append what comes before the forces.
pub struct Solids {
    tet_count: u32,
    /// Whether any tetrahedron has a rotation of its own, or may come loose.
    turns: bool,
}

impl Solids {
    /// Adds the buffers and forces of all solids; none if there are none.
    pub fn new(model: &Model, buffers: &mut Buffers, forces: &mut Forces) -> Result<Self, ComputeError> {
        let tets: Vec<Tet> = model.elements.iter().flat_map(|e| &e.tets).copied().collect();
        let turns = tets
            .iter()
            .map(|tet| model.solid_materials[tet.material as usize].model)
            .any(|model| model != SolidModel::Linear);
        if !model.loads.is_empty() {
            let loads = model.loads.iter().map(|(_, force)| [force.x, force.y, force.z, 0.0]);
            buffers.real4s("load_forces", Role::Model, loads.collect())?;
            forces.add(&load::KERNEL, &load::KERNEL, model.loads.iter().map(|&(particle, _)| [particle]));
        }
        let solids = Self { tet_count: tets.len() as u32, turns };
        if tets.is_empty() {
            return Ok(solids);
        }
        add_laws(model, buffers)?;
        buffers.uint4s("tet_corners", Role::Model, tets.iter().map(|tet| tet.particles).collect())?;
        buffers.real4s("tet_rest", Role::Model, tets.iter().flat_map(|tet| tet.rest()).collect())?;
        buffers.real4s("tet_turns", Role::State, vec![[0.0, 0.0, 0.0, 1.0]; tets.len()])?;
        if turns {
            rings::add_buffers(buffers, "tet", &tets)?;
        }
        forces.add(&tet_force::KERNEL, &tet_change::KERNEL, tets.iter().map(|tet| tet.particles));
        Ok(solids)
    }

    /// Appends what the forces need first: what is tangled, and the rotations.
    pub fn append_before(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        rings::append(passes, buffers)?;
        if !self.turns {
            return Ok(());
        }
        passes.run(buffers, &tet_turn::KERNEL, Launch::over(self.tet_count))
    }
}

/// The uniform of all laws.
pub fn add_laws(model: &Model, buffers: &mut Buffers) -> Result<(), ComputeError> {
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
