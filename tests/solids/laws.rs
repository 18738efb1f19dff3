//! What each law of tetrahedra holds: the stress is the slope of the energy, and both are nothing at rest.

use super::Random;
use super::kernels::{REST, law, mat};
use glam::{DMat3, DVec3};
use sinew::math::{Mat3, Vec3};
use sinew::model::elements::Tet;
use sinew::solids::LAWS;
use sinew::solids::law::{Deformed, Held, TetLaw};

const STEP: f64 = 1e-6;

fn held(kind: &TetLaw, f: DMat3) -> Held<f64> {
    let material = law(kind.model);
    let at = Deformed {
        rest: Tet::new([0, 1, 2, 3], REST, 0).rest_shape(),
        f: mat(f),
        moduli: (kind.moduli)(&material),
        ignores_inversion: false,
    };
    (kind.held)(&at)
}

fn entries(m: Mat3<f64>) -> [f64; 9] {
    let column = |v: Vec3<f64>| [v.x, v.y, v.z];
    [column(m.x), column(m.y), column(m.z)].concat().try_into().expect("three columns of three")
}

/// Shapes near rest, far from it, crushed and inside out.
fn shapes() -> Vec<(&'static str, DMat3)> {
    let mut random = Random::new(5);
    let mut near =
        |size: f64| DMat3::from_cols_array_2d(&[0; 3].map(|_| (size * random.vector()).to_array()));
    let squeezed = |x: f64, y: f64, z: f64| DMat3::from_diagonal(DVec3::new(x, y, z));
    vec![
        ("near rest", DMat3::IDENTITY + near(1e-3)),
        ("stretched", squeezed(1.8, 0.7, 1.2) + near(0.1)),
        ("sheared", DMat3::IDENTITY + near(0.4)),
        ("crushed", squeezed(0.5, 0.6, 0.4) + near(0.05)),
        ("inside out", squeezed(0.9, 1.1, -0.7) + near(0.05)),
    ]
}

#[test]
fn stresses_of_all_laws_are_the_slopes_of_their_energies() {
    for kind in LAWS {
        for (name, f) in shapes() {
            let stress = entries(held(kind, f).stress);
            let scale = stress.iter().map(|x| x.abs()).fold(0.0, f64::max);
            for (k, stress) in stress.into_iter().enumerate() {
                let energy = |size: f64| {
                    let mut moved = f.to_cols_array();
                    moved[k] += size;
                    held(kind, DMat3::from_cols_array(&moved)).energy
                };
                let slope = (energy(STEP) - energy(-STEP)) / (2.0 * STEP);
                let wrong = (slope - stress).abs();
                // A law of 1 kPa near rest has energies of 1e-3 J/m³, to 1e-16 of it over the step.
                assert!(wrong < 1e-6 * scale + 1e-6, "{:?}, {name}, {k}: {slope} {stress}", kind.model);
            }
        }
    }
}

#[test]
fn nothing_is_held_at_rest() {
    for kind in LAWS {
        let rest = held(kind, DMat3::IDENTITY);
        let stress = entries(rest.stress).into_iter().map(f64::abs).fold(0.0, f64::max);
        assert!(rest.energy.abs() < 1e-12 && stress < 1e-9, "{:?}: {rest:?}", kind.model);
    }
}
