//! Solids made ready: tetrahedra with their rest shapes, and what they are made of.

use super::elasticity::Rest;
use super::springs::{Moduli, spring_modulus, volume_modulus};
use crate::math::Vec3;
use crate::meshing::tet_mesh::{TetMesh, volume};
use crate::model::elements::{Elements, Tet};
use crate::model::solids::SolidLaw;
use crate::scene::Solid;
use glam::{DMat3, DVec3};

impl SolidLaw {
    /// The moduli of a law of springs [Pa].
    pub fn springs(&self) -> Moduli<f64> {
        let lame = self.material.lame();
        Moduli {
            spring: spring_modulus(lame[1]),
            area: self.penalty.area,
            volume: self.penalty.volume.unwrap_or_else(|| volume_modulus(lame)),
        }
    }
}

/// The index of a solid's law, which is added if it is new.
pub(crate) fn law_index(laws: &mut Vec<SolidLaw>, solid: &Solid) -> u32 {
    let law = SolidLaw {
        material: solid.material,
        model: solid.model,
        inversion: solid.inversion,
        penalty: solid.penalty,
        rayleigh: [solid.damping.mass, solid.damping.stiffness],
    };
    let found = laws.iter().position(|known| *known == law);
    let index = found.unwrap_or_else(|| {
        laws.push(law);
        laws.len() - 1
    });
    index as u32
}

/// The tetrahedra of a solid, by the body's own particle numbers.
pub(crate) fn elements(rest: &TetMesh, material: u32) -> Elements {
    let tets = rest.tets.iter().enumerate().map(|(tet, &particles)| Tet {
        number: tet as u32,
        ..Tet::new(particles, rest.corners(tet), material)
    });
    Elements { tets: tets.collect(), ..Elements::default() }
}

impl Tet {
    /// A tetrahedron by its corners at rest, which enclose a volume.
    pub fn new(particles: [u32; 4], rest: [DVec3; 4], material: u32) -> Self {
        let [a, b, c, d] = rest;
        let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse().transpose();
        Self {
            particles,
            gradients: [inverse.x_axis, inverse.y_axis, inverse.z_axis],
            rest_volume: volume(rest),
            material,
            number: 0,
        }
    }

    /// The gradients of the barycentric coordinates of all corners [1/m].
    pub fn all_gradients(&self) -> [DVec3; 4] {
        let [b, c, d] = self.gradients;
        [-(b + c + d), b, c, d]
    }

    /// What the laws take of it.
    pub fn rest_shape(&self) -> Rest<f64> {
        Rest { g: self.gradients.map(|g| Vec3::of(g.to_array())), volume: self.rest_volume }
    }

    /// The deformation gradient F where its corners are.
    pub fn deformation(&self, [a, b, c, d]: [DVec3; 4]) -> DMat3 {
        let [gb, gc, gd] = self.gradients;
        DMat3::from_cols(b - a, c - a, d - a) * DMat3::from_cols(gb, gc, gd).transpose()
    }
}
