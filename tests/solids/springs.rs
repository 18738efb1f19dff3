//! Springs along edges: what moduli they have, and what their volumes hold.

use super::kernels::{REST, law, mat};
use super::{E, NU, Random, assert_close, backends, cuboid, scene, simulate};
use glam::{DMat3, DQuat, DVec3};
use sinew::math::{Mat3, Vec3};
use sinew::meshing::tet_mesh::TetMesh;
use sinew::model::Model;
use sinew::model::elements::Tet;
use sinew::scene::{
    ClusterDamping, Inversion, Solid, SolidDamping, SolidModel, SolidShape, SolidStart, Torque,
};
use sinew::solids::measure::{states, summary};
use sinew::solids::springs::Springs;
use sinew::{Options, Precision};

fn matrix(random: &mut Random, size: f64) -> DMat3 {
    DMat3::from_cols(random.vector(), random.vector(), random.vector()) * size
}

/// The whole stiffness is the derivative of the stress; the one for conjugate gradients takes energy to go anywhere; the
/// preconditioner's blocks are those of the latter.
#[test]
fn the_change_of_springs_is_the_derivative_of_their_stress() {
    let law = law(SolidModel::Springs);
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let rest = tet.rest_shape();
    let mut random = Random::new(5);
    for _ in 0..100 {
        let f = DMat3::IDENTITY + matrix(&mut random, 0.6);
        let d = matrix(&mut random, 1.0);
        let at = |t: f64, whole: bool| Springs::new(&rest, mat(f + d * t), law.springs(), whole);
        let exact = at(0.0, true).change(mat(d));
        let slope = (at(1e-5, true).stress() - at(-1e-5, true).stress()).scale(0.5e5);
        let off = (slope - exact).dot(slope - exact).sqrt();
        assert!(off < 1e-6 * exact.dot(exact).sqrt(), "{off}");
        let here = at(0.0, false);
        assert!(here.change(mat(d)).dot(mat(d)) >= 0.0);
        for g in rest.gradients() {
            let [diagonal, other] = here.block(g);
            let column = |v: Vec3<f64>| here.change(Mat3::new(v * g.x, v * g.y, v * g.z)).apply(g);
            let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| column(Vec3::of(v)));
            let size = diagonal.x + diagonal.y + diagonal.z;
            for (a, b) in [
                (x.x, diagonal.x),
                (y.y, diagonal.y),
                (z.z, diagonal.z),
                (x.y, other.x),
                (y.z, other.y),
                (z.x, other.z),
            ] {
                assert!((a - b).abs() < 1e-9 * size, "{a} and {b}");
            }
        }
    }
}

/// With edges in all directions alike, springs and volumes make a solid of the material's own moduli.
#[test]
fn springs_in_all_directions_obey_hookes_law() {
    let mut springs = law(SolidModel::Springs);
    springs.penalty.area = 0.0;
    let hooke = law(SolidModel::Linear);
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let size = 1e-4;
    for strain in [
        DMat3::from_diagonal(DVec3::X),
        DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::ZERO) * 0.5,
        DMat3::from_diagonal(DVec3::new(1.0, -0.3, -0.3)),
        DMat3::IDENTITY,
    ] {
        let mut random = Random::new(2);
        let mut mean = [0.0; 2];
        for _ in 0..40_000 {
            let q = DQuat::from_xyzw(random.signed(), random.signed(), random.signed(), random.signed());
            // Inside a ball, so that no rotation comes more often than another.
            if !(0.01..1.0).contains(&q.length_squared()) {
                continue;
            }
            let turn = DMat3::from_quat(q.normalize());
            let f = DMat3::IDENTITY + size * (turn * strain * turn.transpose());
            let corners = REST.map(|x| f * x);
            mean[0] += tet.state(&springs, corners).energy;
            mean[1] += tet.state(&hooke, corners).energy;
        }
        assert_close("energy over Hooke's", mean[0] / mean[1], 1.0, 0.01);
    }
}

/// A lattice of five tetrahedra to a cell has edges along the axes and along diagonals of faces only. Its stiffnesses are those of a
/// cubic crystal: C₁₁ = 10/3 μ + b, C₁₂ = C₄₄ = 5/6 μ (+ b), where Hooke has λ + 2μ, λ and μ.
#[test]
fn springs_of_a_lattice_have_the_moduli_of_a_cubic_crystal() {
    let solid = Solid { model: SolidModel::Springs, ..Solid::default() };
    let model = Model::new(&scene(solid)).unwrap();
    let [lambda, mu] = model.solid_materials[0].material.lame();
    let b = lambda - mu;
    let (c11, c12, c44) = (10.0 / 3.0 * mu + b, 5.0 / 6.0 * mu + b, 5.0 / 6.0 * mu);
    let size = 1e-5;
    for (what, strain, expected) in [
        ("C11", DMat3::from_diagonal(DVec3::X), 0.5 * c11),
        ("C11 + C12", DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)), c11 + c12),
        ("C44", DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::ZERO), 2.0 * c44),
    ] {
        let moved: Vec<DVec3> = model.particles.positions.iter().map(|x| *x + size * (strain * *x)).collect();
        let energy: f64 = states(&model, 0, &moved).map(|(_, state)| state.energy).sum();
        assert_close(what, energy / (size * size), expected, 1e-3);
    }
}

/// A bar of springs pulled along its lattice is stiffer than its material says, on every backend by the same.
#[test]
fn a_pulled_bar_of_springs_is_as_stiff_as_its_lattice() {
    let mut found = Vec::new();
    for (name, options) in backends() {
        let solid = Solid {
            shape: cuboid([1.0, 0.2, 0.2], [10, 2, 2]),
            model: SolidModel::Springs,
            load: vec![
                super::statics::load(0, 0.5, DVec3::X * 0.8),
                super::statics::load(0, -0.5, -DVec3::X * 0.8),
            ],
            ..Solid::default()
        };
        let (rest, now) = super::statics::solved(&solid, &options, 5);
        let side = |at: f64| super::statics::face(&rest, &now, 0, at, 0);
        let stiffness = 0.8 / 0.04 / (side(0.5) - side(-0.5));
        println!("{name}: a bar of springs has E = {stiffness:.0} Pa of {E}");
        found.push(stiffness);
    }
    assert!(found[0] > 1.02 * E && found[0] < 1.3 * E, "{found:?}, ν = {NU}");
    assert_close("f32", found[1], found[0], 1e-3);
    assert_close("device", found[2], found[0], 1e-3);
}

/// Springs do not see that a tetrahedron is inside out; its volume does, and the rotation that a folded one goes by.
#[test]
fn volume_or_rotation_turn_an_inverted_tetrahedron_of_springs_back() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.25, 0.25, 0.2)];
    let mesh = TetMesh { vertices: corners.to_vec(), tets: vec![[0, 1, 2, 3]], ..TetMesh::default() };
    for (inversion, volume, left) in [
        (Inversion::Ignore, Some(0.0), 1),
        (Inversion::Ignore, None, 0),
        (Inversion::Travel, Some(0.0), 0),
        (Inversion::Travel, None, 0),
    ] {
        let local = ClusterDamping { rate: 200.0, torque: Torque::Rigid };
        let mut solid = Solid {
            shape: SolidShape::Tets(mesh.clone()),
            model: SolidModel::Springs,
            inversion,
            start: SolidStart { stretch: DVec3::new(1.0, 1.0, -1.0), ..SolidStart::default() },
            damping: SolidDamping { local: Some(local), ..SolidDamping::default() },
            ..Solid::default()
        };
        solid.penalty.volume = volume;
        let scene = super::explicit(solid);
        let mut simulation = simulate(&scene, &Options::cpu(Precision::F64));
        simulation.advance(5000).unwrap();
        let x = simulation.model_positions().unwrap();
        assert_eq!(summary(simulation.model(), &x).inverted, left, "{inversion:?}, {volume:?}");
    }
}
