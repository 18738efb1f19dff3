//! What the tetrahedra of all solids are made of: the uniform `solid_laws`. Twin of `shaders/common/solid_laws.wgsl`.

use super::law::{Acts, TetLaw, law_of};
use super::springs::{Moduli, SPRINGS_OF_SHEAR};
use super::tet_loosen::LOOSE_LAMBDA;
use crate::integrate::factors::Kind;
use crate::limits;
use crate::math::{Quat, Real, Vec4};
use crate::model::solids::SolidLaw;
use crate::scene::Inversion;

/// Codes of the models; from [`NEO_HOOKEAN`] on they go by F alone.
pub const LINEAR: u32 = 0;
pub const COROTATIONAL: u32 = 1;
pub const NEO_HOOKEAN: u32 = 2;
pub const SPRINGS: u32 = 3;

/// The factors of a tetrahedron's stiffness, by its model's code: what is more than a frame has blocks, and the co-rotational law is that where its
/// rotation turns with the motion.
#[inline(always)]
pub fn factors_of(model: u32, is_turning: bool) -> Kind {
    if model == LINEAR || (model == COROTATIONAL && !is_turning) { Kind::Frame } else { Kind::Tetrahedron }
}

/// The code of a reflection in place of a rotation; the others are those of [`super::rotation`].
pub const IGNORE: u32 = 4;

/// The law of one material.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Law<R> {
    /// λ, μ [Pa], α of the neo-Hookean law, or the moduli of springs' volume, edges and areas [Pa]; density [kg/m³].
    pub moduli: Vec4<R>,
    /// Model, inversion, then Rayleigh's damping: of the mass [1/s], of the stiffness [s].
    pub kind: Vec4<R>,
}

impl<R: Real> Law<R> {
    #[inline(always)]
    pub fn model(&self) -> u32 {
        self.kind.x.to_f64() as u32
    }

    /// Of a law of springs [Pa].
    #[inline(always)]
    pub fn springs(&self) -> Moduli<R> {
        Moduli { volume: self.moduli.x, spring: self.moduli.y, area: self.moduli.z }
    }

    #[inline(always)]
    pub fn inversion(&self) -> u32 {
        self.kind.y.to_f64() as u32
    }

    /// The law of a tetrahedron, with less of λ if its turn says that it is loose.
    #[inline(always)]
    pub fn of_turn(&self, turn: Vec4<R>) -> Self {
        if !is_loose(turn) || self.model() == LINEAR {
            return *self;
        }
        let mut loose = *self;
        let most = match self.model() {
            // λ + 5/6 μ over 4/3 μ; b is λ − μ, and s 5/2 μ.
            NEO_HOOKEAN => 0.75 * LOOSE_LAMBDA + 0.625,
            SPRINGS => (LOOSE_LAMBDA - 1.0) / SPRINGS_OF_SHEAR,
            _ => LOOSE_LAMBDA,
        };
        loose.moduli.x = self.moduli.x.min(R::of(most) * self.moduli.y);
        if self.model() == NEO_HOOKEAN {
            loose.moduli.z = R::ONE + R::of(0.75) * self.moduli.y / loose.moduli.x;
        }
        loose
    }
}

/// Whether a tetrahedron is loose: the quaternion of its rotation has the length 2 then.
#[inline(always)]
pub fn is_loose<R: Real>(turn: Vec4<R>) -> bool {
    turn.xyz().dot(turn.xyz()) + turn.w * turn.w > R::of(2.0)
}

/// The quaternion of a tetrahedron's rotation.
#[inline(always)]
pub fn rotation_of_turn<R: Real>(turn: Vec4<R>) -> Quat<R> {
    let size = if is_loose(turn) { R::of(0.5) } else { R::ONE };
    Quat { x: turn.x * size, y: turn.y * size, z: turn.z * size, w: turn.w * size }
}

/// The turn of a rotation and of who is loose.
#[inline(always)]
pub fn turn_of_rotation<R: Real>(q: Quat<R>, is_loose: bool) -> Vec4<R> {
    let size = if is_loose { R::of(2.0) } else { R::ONE };
    Vec4::new(q.x * size, q.y * size, q.z * size, q.w * size)
}

/// All laws of a scene.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SolidLaws<R> {
    pub laws: [Law<R>; limits::MATERIALS],
}

// SAFETY: `repr(C)`, values of one plain type only, no padding.
unsafe impl<R: bytemuck::Zeroable> bytemuck::Zeroable for SolidLaws<R> {}
// SAFETY: as above.
unsafe impl<R: bytemuck::Pod> bytemuck::Pod for SolidLaws<R> {}

/// The numbers of the uniform, in order.
pub fn values(laws: &[SolidLaw]) -> Vec<f64> {
    let mut values: Vec<f64> = laws.iter().flat_map(law_values).collect();
    values.resize(limits::MATERIALS * 8, 0.0);
    values
}

fn law_values(law: &SolidLaw) -> [f64; 8] {
    let [lambda, mu] = law.material.lame();
    let (model, [a, b, c]) = match law_of(law.model) {
        TetLaw { acts: Acts::Force { code }, moduli, .. } => (*code, moduli(law)),
        // Nobody asks for it.
        TetLaw { acts: Acts::Constraint(_), .. } => (COROTATIONAL, [lambda, mu, 1.0]),
    };
    let inversion = match law.inversion {
        Inversion::Travel => super::rotation::TRAVEL,
        Inversion::Forgetful => super::rotation::FORGETFUL,
        Inversion::Smallest => super::rotation::SMALLEST,
        Inversion::Largest => super::rotation::LARGEST,
        Inversion::Ignore => IGNORE,
    };
    let [mass, stiffness] = law.rayleigh;
    [a, b, c, law.material.density, f64::from(model), f64::from(inversion), mass, stiffness]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_have_the_same_size_in_rust_and_in_wgsl() {
        let reflected = crate::compute::reflect(&crate::solids::tet_turn::KERNEL).unwrap();
        let laws = reflected.bindings.iter().find(|b| b.name == "solid_laws").unwrap();
        assert_eq!(laws.element, "SolidLaws");
        assert_eq!(laws.size as usize, size_of::<SolidLaws<f32>>());
    }
}
