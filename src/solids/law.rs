//! What a law of tetrahedra is. Each is a file of this folder and a line in [`super::LAWS`].

use super::elasticity::{Frame, Rest};
use super::rotation::{self, SMALLEST};
use super::{LAWS, rings};
use crate::compute::{ComputeError, Kernel, Role};
use crate::constraints::projections::project;
use crate::math::{Mat3, Quat, Real, Vec3};
use crate::model::Model;
use crate::model::elements::Tet;
use crate::model::solids::SolidLaw;
use crate::scene::{SolidModel, SolverKind};
use crate::step::Step;

/// A law of tetrahedra: how it moves them, and what it holds.
pub struct TetLaw {
    /// How scenes name it.
    pub model: SolidModel,
    pub acts: Acts,
    /// Its moduli [Pa], as `energy` takes them.
    pub moduli: fn(&SolidLaw) -> [f64; 3],
    /// Energy and stress of a tetrahedron, for measures and colours.
    pub held: fn(&Deformed<f64>) -> Held<f64>,
    /// The same in WGSL, for colours on a device: the function's name. It stands in `common/tet_held.wgsl`, or above the bindings
    /// of the law's own shader.
    pub held_in_wgsl: &'static str,
}

/// How a law moves tetrahedra.
pub enum Acts {
    /// By forces, which `tet_force` knows by this code.
    Force { code: u32 },
    /// As a constraint with a kernel of its own.
    Constraint(Constraint),
}

/// A kind of constraint between the corners of a tetrahedron.
pub struct Constraint {
    pub name: &'static str,
    pub kernel: &'static Kernel,
    /// What the names of its columns begin with.
    pub prefix: &'static str,
    /// The three rows of its column `rest`.
    pub rest: fn(&Tet, &SolidLaw) -> [[f64; 4]; 3],
    /// Vectors of multipliers that an element keeps.
    pub multipliers: fn(SolverKind) -> usize,
}

/// A tetrahedron where it is.
#[derive(Clone, Copy, Debug)]
pub struct Deformed<R> {
    pub rest: Rest<R>,
    pub f: Mat3<R>,
    pub moduli: [R; 3],
    /// Whether an inverted one goes by a reflection.
    pub ignores_inversion: bool,
}

/// What a tetrahedron holds.
#[derive(Clone, Copy, Debug)]
pub struct Held<R> {
    /// Per volume at rest, above that at rest [J/m³].
    pub energy: R,
    /// The first Piola–Kirchhoff stress P [Pa].
    pub stress: Mat3<R>,
}

/// The law of a model.
pub fn law_of(model: SolidModel) -> &'static TetLaw {
    LAWS.iter().find(|law| law.model == model).expect("every model has a law; a test looks")
}

/// The number of a law in the list, by which shaders of colours know it.
pub fn number_of(model: SolidModel) -> u32 {
    LAWS.iter().position(|law| law.model == model).expect("every model has a law; a test looks") as u32
}

impl<R: Real> Deformed<R> {
    /// R of F: an inverted one along its smallest stretch, or a reflection.
    pub fn rotation(&self) -> Mat3<R> {
        let is_reflected = self.ignores_inversion && self.f.determinant() < R::ZERO;
        let side = if is_reflected { -R::ONE } else { R::ONE };
        rotation_of(self.f.scale(side)).scale(side)
    }

    /// Hooke's law in the frame of a rotation.
    pub fn hooke(&self, rotation: Mat3<R>, [lambda, mu]: [R; 2]) -> Held<R> {
        let frame = Frame { rotation, lambda, mu };
        Held { energy: frame.energy(self.f), stress: frame.stress(self.f) }
    }
}

/// The rotation of F, an inverted one along its smallest stretch.
pub fn rotation_of<R: Real>(f: Mat3<R>) -> Mat3<R> {
    let identity = Quat { x: R::ZERO, y: R::ZERO, z: R::ZERO, w: R::ONE };
    rotation::extract(f, [Vec3::ZERO; 4], SMALLEST, identity, 0).0.matrix()
}

/// How F differs from rest, each without the others' rounding.
#[derive(Clone, Copy, Debug)]
pub struct Growth<R> {
    /// J − 1.
    pub volume: R,
    /// |F − 1|².
    pub squares: R,
    /// J − 1 without its part of first order.
    pub minors: R,
    /// F:F − 3.
    pub size: R,
}

impl<R: Real> Growth<R> {
    pub fn of(f: Mat3<R>) -> Self {
        let g = f - Mat3::IDENTITY;
        let c = g.cofactors();
        let trace = g.x.x + g.y.y + g.z.z;
        let minors = c.x.x + c.y.y + c.z.z + g.x.dot(c.x);
        let squares = g.dot(g);
        Self { volume: trace + minors, squares, minors, size: trace + trace + squares }
    }
}

/// What the device is told of a tetrahedron to colour it: the law's number, whether it ignores inversion, its moduli.
pub fn told(law: &SolidLaw) -> (u32, bool, [f64; 3]) {
    (number_of(law.model), law.ignores_inversion(), (law_of(law.model).moduli)(law))
}

/// WGSL of `tet_held(law, at)`: what any law of the list holds.
pub fn held_wgsl() -> String {
    let mut text = String::from("fn tet_held(law: u32, at: TetDeformed) -> TetHeld {\n    switch law {\n");
    for (number, law) in LAWS.iter().enumerate() {
        text.push_str(&format!("        case {number}u {{ return {}(at); }}\n", law.held_in_wgsl));
    }
    text.push_str("        default { return TetHeld(0.0, mat3x3<f32>()); }\n    }\n}\n");
    for law in LAWS {
        if let Acts::Constraint(constraint) = &law.acts {
            let lines = above_bindings(constraint.kernel.source).lines();
            // What they need is imported with `tet_held`.
            lines.filter(|line| !line.starts_with("#import")).for_each(|line| {
                text.push_str(line);
                text.push('\n');
            });
        }
    }
    text
}

/// What stands above a shader's bindings.
fn above_bindings(source: &str) -> &str {
    &source[..source.find("@group").unwrap_or(source.len())]
}

impl Constraint {
    /// Adds its tables, and itself to what the solver projects; nothing if no body has the law.
    pub(super) fn add(&self, law: &TetLaw, model: &Model, step: &mut Step<'_>) -> Result<(), ComputeError> {
        let own = |body: usize| model.tets_of(body, |other| other == law.model);
        let Some(tets) = project(model, step, (self.name, self.kernel), own, |tet| tet.particles)? else {
            return Ok(());
        };
        let tables = &mut step.buffers;
        let column = |name: &str| format!("{}_{name}", self.prefix);
        let rest =
            tets.iter().flat_map(|tet| (self.rest)(tet, &model.solid_materials[tet.material as usize]));
        tables.real4s(&column("rest"), Role::Model, rest.collect())?;
        let corners = tets.iter().map(|tet| tet.particles).collect();
        tables.uint4s(&column("corners"), Role::Model, corners)?;
        tables.gather(&column("elements"), tets.len() as u32, &[&column("corners"), &column("rest")])?;
        tables.refer(&column("corners"), 4, "particles")?;
        rings::add_buffers(tables, self.prefix, &tets)?;
        let vectors = (self.multipliers)(model.settings.solver);
        tables.real4s(&column("lambdas"), Role::Scratch, vec![[0.0; 4]; vectors * tets.len()]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_that_a_scene_names_has_one_law() {
        for (name, model) in SolidModel::NAMES {
            assert_eq!(LAWS.iter().filter(|law| law.model == model).count(), 1, "{name}");
            let is_force = matches!(law_of(model).acts, Acts::Force { .. });
            assert_eq!(is_force, model.has_forces(), "{name}");
        }
    }
}
