//! What each law of tetrahedra holds: the stress is the slope of the energy, the stiffness that of the stress, and all are nothing at rest.

use super::Random;
use super::kernels::{REST, law, mat};
use glam::{DMat3, DVec3};
use sinew::math::{Mat3, Quat, Vec3, Vec4};
use sinew::model::elements::Tet;
use sinew::scene::SolidModel;
use sinew::solids::LAWS;
use sinew::solids::law::{Acts, Deformed, Held, TetLaw};
use sinew::solids::laws::Law;
use sinew::solids::rotation::{SMALLEST, extract};
use sinew::solids::tet_force::{At, Tangent};

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

/// What a force law says of its stiffness where a tetrahedron is.
fn stiffness(kind: &TetLaw, code: u32, f: DMat3, tangent: Tangent) -> At<f64> {
    let [a, b, c] = (kind.moduli)(&law(kind.model));
    let numbers = Law { moduli: Vec4::new(a, b, c, 1.0), kind: Vec4::new(f64::from(code), 0.0, 0.0, 0.0) };
    let rest = Tet::new([0, 1, 2, 3], REST, 0).rest_shape();
    let upright = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let (q, _) = extract(mat(f), rest.gradients(), SMALLEST, upright, 0);
    At::new(&numbers, &rest, mat(f), Vec4::new(q.x, q.y, q.z, q.w), tangent)
}

#[test]
fn stiffnesses_of_all_force_laws_are_the_slopes_of_their_stresses() {
    for kind in LAWS {
        let Acts::Force { code } = kind.acts else { continue };
        for (name, f) in shapes() {
            // Frames are frozen where a tetrahedron is far from rest; springs have one inside out.
            let has_frame = match kind.model {
                SolidModel::Corotational => ["crushed", "inside out"].contains(&name),
                SolidModel::Springs => name == "inside out",
                _ => false,
            };
            if has_frame {
                continue;
            }
            let here = stiffness(kind, code, f, Tangent::Whole);
            for k in 0..9 {
                let mut direction = [0.0; 9];
                direction[k] = 1.0;
                let direction = DMat3::from_cols_array(&direction);
                let found = entries(here.change(mat(direction)));
                let stress = |size: f64| entries(held(kind, f + direction * size).stress);
                let (after, before) = (stress(STEP), stress(-STEP));
                let scale = found.iter().map(|x| x.abs()).fold(0.0, f64::max);
                for (i, found) in found.into_iter().enumerate() {
                    let slope = (after[i] - before[i]) / (2.0 * STEP);
                    let wrong = (slope - found).abs();
                    assert!(wrong < 1e-6 * scale, "{:?}, {name}, {k}, {i}: {slope} {found}", kind.model);
                }
            }
        }
    }
}

/// Also pushed together and inside out; where the true one is positive it is the true one.
#[test]
fn the_stiffness_of_statics_is_never_negative() {
    let mut random = Random::new(11);
    for kind in LAWS {
        let Acts::Force { code } = kind.acts else { continue };
        for (name, f) in shapes() {
            let here = stiffness(kind, code, f, Tangent::Positive);
            for _ in 0..300 {
                let direction = DMat3::from_cols(random.vector(), random.vector(), random.vector());
                let change = entries(here.change(mat(direction)));
                let work: f64 = change.iter().zip(direction.to_cols_array()).map(|(p, d)| p * d).sum();
                assert!(
                    work > -1e-9 * direction.to_cols_array().iter().map(|d| 1e3 * d * d).sum::<f64>(),
                    "{:?}, {name}: {work}",
                    kind.model
                );
            }
        }
        if kind.model == SolidModel::Corotational {
            let pulled = DMat3::from_diagonal(DVec3::new(1.3, 1.1, 1.2));
            let [whole, positive] =
                [Tangent::Whole, Tangent::Positive].map(|of| stiffness(kind, code, pulled, of));
            let direction = mat(DMat3::from_cols(random.vector(), random.vector(), random.vector()));
            let [whole, positive] = [whole, positive].map(|at| entries(at.change(direction)));
            assert!(whole.iter().zip(positive).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
