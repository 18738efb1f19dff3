//! The surface of a body follows its tetrahedra, on both backends.

use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Element, Executor, Gpu, GpuExecutor, Launch, Passes, Role, Run, Tables,
    compare_runs,
};
use sinew::meshing::{Embedding, FillOptions, Shape};
use sinew::solids::skin;

/// One pass of f32: four products and three sums.
const TOLERANCE: f64 = 1e-6;

#[test]
fn skin_matches_its_twin_and_the_truth() {
    let shape = Shape::named("torus").unwrap();
    let surface = shape.surface(24);
    let options = FillOptions { resolution: 10, ..FillOptions::default() };
    let mesh = shape.fill(&options, &|_, _| {}).unwrap();
    let embedding = Embedding::new(&mesh, &surface.positions);
    assert_eq!(embedding.far_outside, 0);
    // A twist, which no affine map is.
    let twisted: Vec<glam::DVec3> =
        mesh.vertices.iter().map(|&x| glam::DQuat::from_rotation_y(x.y * 4.0) * x).collect();
    let expected = embedding.apply(&twisted);

    let mut buffers = Tables::new();
    let count = embedding.corners.len() as u32;
    let corners = embedding.corners.iter().flatten().copied().collect();
    let weights = embedding.weights.iter().flatten().copied().collect();
    let positions = twisted.iter().flat_map(|x| [x.x, x.y, x.z, 1.0]).collect();
    buffers.add("skin_corners", Element::Uint4, Role::Model, Data::Uints(corners)).unwrap();
    buffers.add("skin_weights", Element::Real4, Role::Model, Data::Reals(weights)).unwrap();
    buffers.add("positions", Element::Real4, Role::State, Data::Reals(positions)).unwrap();
    let base = twisted.len() as u32;
    let empty = Data::Reals(vec![0.0; 4 * (base + count) as usize]);
    let result = buffers.add("skin_positions", Element::Real4, Role::Scratch, empty).unwrap();
    let mut passes = Passes::new();
    passes.run(&buffers, &skin::KERNEL, Launch { base, ..Launch::over(base + count) }).unwrap();

    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut device = GpuExecutor::new(&gpu, &buffers, &passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&buffers, &passes);
    let difference = compare_runs(&buffers, &passes, 1, [&mut cpu, &mut device], TOLERANCE).unwrap();
    println!("largest difference {:.1e}", difference.unwrap_or_else(|difference| panic!("{difference}")));
    let mut truth = CpuExecutor::<f64>::new(&buffers, &passes);
    truth.execute(&[Run { passes: 0..1, times: 1 }]).unwrap();
    for (found, expected) in
        truth.read(result).unwrap().reals().chunks_exact(4).zip(twisted.into_iter().chain(expected))
    {
        assert!(glam::DVec3::new(found[0], found[1], found[2]).distance(expected) < 1e-14);
    }
}
