//! Rotations of every kind of matrix, on both backends.

use super::Random;
use glam::{DMat3, DQuat, DVec3};
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Element, Executor, Gpu, GpuExecutor, Launch, Passes, Role, Run, Tables,
};
use sinew::math::{Mat3, Quat, Vec3};
use sinew::model::solids::SolidLaw;
use sinew::scene::{Inversion, SolidMaterial, SolidModel, SpringPenalty};
use sinew::solids::{laws, rotation, tet_turn};

/// Matrices that somebody might hand over: any stretches of any sign from nothing to far beyond any use, turned any way,
/// and special ones.
fn matrices(count: usize) -> Vec<DMat3> {
    let mut random = Random::new(7);
    let turn = |random: &mut Random| {
        DMat3::from_quat(
            DQuat::from_xyzw(random.signed(), random.signed(), random.signed(), random.signed()).normalize(),
        )
    };
    let mut list = vec![
        DMat3::ZERO,
        DMat3::IDENTITY,
        -DMat3::IDENTITY,
        DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)),
        DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)),
        DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
        DMat3::from_diagonal(DVec3::new(-1.0, -1.0, 1.0)),
        DMat3::from_diagonal(DVec3::new(1e-20, 1e-20, 1e-20)),
        DMat3::from_diagonal(DVec3::new(1e15, 1e-15, 0.0)),
        DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE),
        DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::Z),
        DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
    ];
    while list.len() < count {
        let kind = list.len() % 8;
        let mut stretch = DVec3::new(random.signed(), random.signed(), random.signed());
        match kind {
            0 => stretch = stretch.abs() + 0.1,
            1 => stretch *= 2.0,
            2 => stretch.z = 0.0,
            3 => stretch = DVec3::new(stretch.x, 0.0, 0.0),
            4 => stretch = stretch.map(|s| s.signum() * 10f64.powf(6.0 * s)),
            5 => stretch = DVec3::new(1.0, 1.0 + 1e-6 * stretch.x, -1.0 + 1e-6 * stretch.y),
            6 => stretch *= 1e-5,
            _ => stretch = DVec3::splat(stretch.x),
        }
        list.push(turn(&mut random) * DMat3::from_diagonal(stretch) * turn(&mut random));
    }
    list
}

/// The buffers and the pass that find rotations of unit tetrahedra whose corners are where F leads.
fn turning(matrices: &[DMat3], inversion: Inversion) -> (Tables, Passes) {
    let mut buffers = Tables::new();
    let law = SolidLaw {
        material: SolidMaterial::default(),
        model: SolidModel::Corotational,
        inversion,
        penalty: SpringPenalty::default(),
        rayleigh: [0.0; 2],
    };
    let values = Data::Reals(laws::values(&[law]));
    buffers.add("solid_laws", Element::Real, Role::Uniform, values).unwrap();
    let corners = (0..matrices.len() as u32).map(|t| [4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3]);
    buffers.uint4s("tet_corners", Role::Model, corners.collect()).unwrap();
    let rest = [[1.0, 0.0, 0.0, 1.0 / 6.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    buffers.real4s("tet_rest", Role::Model, rest.repeat(matrices.len())).unwrap();
    let count = 4 * matrices.len();
    buffers.real4s("positions", Role::State, corners_of(matrices)).unwrap();
    buffers.real4s("residuals", Role::State, vec![[0.0; 4]; count]).unwrap();
    buffers.real4s("tet_turns", Role::State, vec![[0.0, 0.0, 0.0, 1.0]; matrices.len()]).unwrap();
    buffers.uints("tet_memories", Role::State, vec![0; matrices.len()]).unwrap();
    let mut passes = Passes::new();
    passes.run(&buffers, &tet_turn::KERNEL, Launch::over(matrices.len() as u32)).unwrap();
    (buffers, passes)
}

fn corners_of(matrices: &[DMat3]) -> Vec<[f64; 4]> {
    let corner = |v: DVec3| [v.x, v.y, v.z, 1.0];
    matrices.iter().flat_map(|m| [DVec3::ZERO, m.x_axis, m.y_axis, m.z_axis].map(corner)).collect()
}

/// The rotations that an executor finds.
fn turns<E: Executor>(matrices: &[DMat3], make: impl Fn(&Tables, &Passes) -> E) -> Vec<DQuat> {
    let (buffers, passes) = turning(matrices, Inversion::Travel);
    let mut executor = make(&buffers, &passes);
    executor.execute(&[Run { passes: 0..1, times: 1 }]).unwrap();
    let found = executor.read(buffers.find("tet_turns").unwrap()).unwrap();
    found.reals().chunks(4).map(|q| DQuat::from_xyzw(q[0], q[1], q[2], q[3])).collect()
}

/// Rotations are proper and finite, and RᵀF is as symmetric as the arithmetic allows.
fn check(name: &str, matrices: &[DMat3], turns: &[DQuat], tolerance: f64, least: f64) {
    let mut worst: f64 = 0.0;
    for (f, q) in matrices.iter().zip(turns) {
        assert!(q.is_finite() && (q.length() - 1.0).abs() < tolerance, "{name}: {q} of {f}");
        let size = f.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        // What has less than two directions, or is beyond the range of f32's squares, leaves the rotation open.
        let singular = {
            let c = f.transpose() * *f;
            let minors = (c.x_axis.x * c.y_axis.y - c.x_axis.y * c.x_axis.y)
                + (c.y_axis.y * c.z_axis.z - c.y_axis.z * c.y_axis.z)
                + (c.x_axis.x * c.z_axis.z - c.x_axis.z * c.x_axis.z);
            minors.max(0.0).sqrt()
        };
        if singular <= (3.0 * least).max(1e-7) * size * size.max(1.0) || size > 1e15 {
            continue;
        }
        let b = DMat3::from_quat(*q).transpose() * *f;
        let skew = (b - b.transpose()).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt() / size;
        worst = worst.max(skew);
        assert!(skew < tolerance, "{name}: RᵀF of {f} is off by {skew:e}");
    }
    println!("{name}: {} matrices, largest asymmetry {worst:.1e}", matrices.len());
}

#[test]
fn a_million_matrices_get_proper_rotations_on_both_backends() {
    let matrices = matrices(1_000_000);
    let cpu = turns(&matrices, CpuExecutor::<f32>::new);
    // f32: ten roundings; twice that where two stretches are opposite, which leaves the rotation open to a last step.
    check("cpu f32", &matrices, &cpu, 2e-6, 1e-4);
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let device = turns(&matrices, |buffers, passes| GpuExecutor::new(&gpu, buffers, passes).unwrap());
    check("gpu", &matrices, &device, 2e-6, 1e-4);
}

#[test]
fn rotations_are_exact_in_f64() {
    let matrices = matrices(100_000);
    let found = turns(&matrices, CpuExecutor::<f64>::new);
    check("cpu f64", &matrices, &found, 1e-12, 1e-9);
}

fn mat(m: DMat3) -> Mat3<f64> {
    let [x, y, z] = m.to_cols_array_2d().map(Vec3::of);
    Mat3::new(x, y, z)
}

/// The closed form σ/|g·p| chooses as Schmedding's (2012) (6.5), which moves vertices of S x⁰ along p to their opposite faces.
#[test]
fn least_travel_in_closed_form_is_that_of_schmedding_2012() {
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < 10_000 {
        let x: [DVec3; 4] = std::array::from_fn(|_| random.vector());
        let shape = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        if shape.determinant() < 0.05 {
            continue;
        }
        let g = shape.inverse().transpose();
        let gradients = [-(g.x_axis + g.y_axis + g.z_axis), g.x_axis, g.y_axis, g.z_axis];
        let p = DMat3::from_quat(
            DQuat::from_xyzw(random.signed(), random.signed(), random.signed(), random.signed()).normalize(),
        );
        let mut sigma = [0; 3].map(|_| 0.05 + random.signed().abs());
        sigma.sort_by(|a, b| b.total_cmp(a));
        let s = p * DMat3::from_diagonal(DVec3::from(sigma)) * p.transpose();
        let stretched = x.map(|x| s * x);
        let mut travels = Vec::new();
        for c in 0..4 {
            let others: Vec<DVec3> = (0..4).filter(|&o| o != c).map(|o| stretched[o]).collect();
            let normal = (others[1] - others[0]).cross(others[2] - others[0]);
            for (j, direction) in [p.x_axis, p.y_axis, p.z_axis].into_iter().enumerate() {
                let way = (others[0] - stretched[c]).dot(normal) / direction.dot(normal);
                let closed = sigma[j] / gradients[c].dot(direction).abs();
                assert!((way.abs() - closed).abs() <= 1e-8 * closed, "{way} and {closed}");
                travels.push((way.abs(), j, c as u32 + 1));
            }
        }
        travels.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The rule takes the first of what is equal to a thousandth.
        if travels[1].0 - travels[0].0 < 2e-3 * travels[0].0 {
            continue;
        }
        let columns = [p.x_axis, p.y_axis, p.z_axis].map(|v| Vec3::of(v.to_array()));
        let found = rotation::least_travel(sigma, &columns, gradients.map(|g| Vec3::of(g.to_array())), 0);
        assert_eq!(found, (travels[0].1, travels[0].2));
        checked += 1;
    }
}

/// A thin tetrahedron inverted along its height is turned back along its height by least travel, and along its most
/// compressed side by the smallest stretch.
#[test]
fn a_thin_inverted_tetrahedron_is_seen_as_what_it_is() {
    let f = DMat3::from_diagonal(DVec3::new(0.9, 1.0, -1.0));
    let identity = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    for (height, strategy, negative) in
        [(0.2, rotation::TRAVEL, 2), (0.2, rotation::SMALLEST, 0), (1.0, rotation::TRAVEL, 0)]
    {
        let apex = DVec3::new(0.25, 0.25, height);
        let g = DMat3::from_cols(DVec3::X, DVec3::Y, apex).inverse().transpose();
        let gradients =
            [-(g.x_axis + g.y_axis + g.z_axis), g.x_axis, g.y_axis, g.z_axis].map(|g| Vec3::of(g.to_array()));
        let (q, memory) = rotation::extract(mat(f), gradients, strategy, identity, 0);
        let b = DMat3::from_quat(DQuat::from_xyzw(q.x, q.y, q.z, q.w)).transpose() * f;
        let signs = [b.x_axis.x, b.y_axis.y, b.z_axis.z];
        for (axis, stretch) in signs.into_iter().enumerate() {
            assert_eq!(stretch < 0.0, axis == negative, "height {height}: {signs:?}");
        }
        assert_eq!(memory != 0, strategy == rotation::TRAVEL);
    }
}

/// How often tetrahedra have switched after each of some states.
fn switches<E: Executor>(
    states: &[DMat3],
    inversion: Inversion,
    make: impl Fn(&Tables, &Passes) -> E,
) -> Vec<u64> {
    let (buffers, passes) = turning(&states[..1], inversion);
    let mut executor = make(&buffers, &passes);
    let id = |name: &str| buffers.find(name).unwrap();
    states
        .iter()
        .map(|state| {
            executor.write(id("positions"), &Data::Reals(corners_of(&[*state]).concat())).unwrap();
            executor.execute(&[Run { passes: 0..1, times: 1 }]).unwrap();
            tet_turn::switches(executor.read(id("tet_memories")).unwrap().uints())
        })
        .collect()
}

/// A tetrahedron that is inverted along one axis and then along another has switched; staying so, turning slowly or coming
/// through the flat state has not.
#[test]
fn switches_are_counted_where_the_choice_changes() {
    let diagonal = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
    let turned = DMat3::from_rotation_x(0.3) * diagonal(0.5, 1.1, -0.9);
    let states = [
        diagonal(1.2, 1.1, 0.1),
        diagonal(1.2, 1.1, -0.1), // through the flat state: inverted along z
        diagonal(1.2, 1.1, -0.9),
        diagonal(0.5, 1.1, -0.9), // now the smallest is x
        turned,
        diagonal(1.2, 1.1, -0.9), // and z again
        diagonal(1.2, 1.1, 0.1),
    ];
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let device = |buffers: &Tables, passes: &Passes| GpuExecutor::new(&gpu, buffers, passes).unwrap();
    // One that ignores inversion has no choice to change.
    for (inversion, expected) in [(Inversion::Smallest, [0, 0, 0, 1, 1, 2, 2]), (Inversion::Ignore, [0; 7])] {
        assert_eq!(switches(&states, inversion, CpuExecutor::<f64>::new), expected, "{inversion:?}");
        assert_eq!(switches(&states, inversion, CpuExecutor::<f32>::new), expected, "{inversion:?}");
        assert_eq!(switches(&states, inversion, device), expected, "{inversion:?}");
    }
}
