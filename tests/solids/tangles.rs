//! Rings around edges: how often they go around, and who is loosened for it.

use super::{Random, cuboid, scene};
use glam::{DMat3, DVec3};
use sinew::compute::{
    AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Launch, Passes, Role, Run, Tables,
};
use sinew::math::{Real, Vec3};
use sinew::model::Model;
use sinew::model::elements::Tet;
use sinew::scene::{Integrator, Scene, Solid, SolidModel, SolidStart};
use sinew::solids::ring_winding::{self, winding};
use sinew::solids::rings::Rings;
use sinew::solids::tet_loosen::{LOOSE, NONE};
use sinew::solver::Solver;

/// The winding number by the sum of angles, as one would write it on paper.
fn by_angles(a: DVec3, b: DVec3, ring: &[DVec3]) -> f64 {
    let u = (b - a).normalize();
    let flat = |x: DVec3| (x - a) - u * u.dot(x - a);
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    let angles = sides.map(|(p, q)| u.dot(flat(*p).cross(flat(*q))).atan2(flat(*p).dot(flat(*q))));
    angles.sum::<f64>() / std::f64::consts::TAU
}

fn found<R: Real>(a: DVec3, b: DVec3, ring: &[DVec3]) -> (i32, bool) {
    let of = |x: &DVec3| Vec3::<R>::of(x.to_array());
    winding(of(&a), of(&b), ring.iter().map(of))
}

#[test]
fn the_winding_of_a_ring_is_the_sum_of_its_angles() {
    let mut random = Random::new(3);
    let mut seen = std::collections::BTreeSet::new();
    for k in 0..20_000 {
        let [a, b] = [random.vector(), random.vector()];
        let ring: Vec<DVec3> = (0..3 + k % 8).map(|_| random.vector()).collect();
        let exact = by_angles(a, b, &ring);
        assert!((exact - exact.round()).abs() < 1e-9);
        assert_eq!(found::<f64>(a, b, &ring).0, exact.round() as i32, "ring {k}");
        seen.insert(exact.round() as i32);
        // In f32 a side that passes by the edge closer than rounding may be on either side of it.
        let u = (b - a).normalize();
        let flat = |x: &DVec3| (*x - a) - u * u.dot(*x - a);
        let is_clear = ring.iter().zip(ring.iter().cycle().skip(1)).all(|(p, q)| {
            let (p, q) = (flat(p), flat(q));
            p.cross(q).length() > 1e-4 && p.length() > 1e-3
        });
        if is_clear {
            assert_eq!(found::<f32>(a, b, &ring).0, exact.round() as i32, "ring {k} in f32");
        }
    }
    assert!((-2..=2).all(|turns| seen.contains(&turns)), "{seen:?}");
    // An edge of no length has nothing around it.
    assert_eq!(found::<f32>(DVec3::X, DVec3::X, &[DVec3::Y, DVec3::Z, DVec3::ZERO]).0, 0);
}

/// Of the 540 edges of the reference block those inside have rings, which all go around once; a shear leaves them, a mirror turns them.
#[test]
fn edges_inside_of_a_block_have_rings() {
    let model = Model::new(&scene(Solid::default())).unwrap();
    let tets: Vec<Tet> = model.elements[0].tets.clone();
    let rings = Rings::new(&tets);
    let count = rings.starts.len() - 1;
    // On each of the six sides 40 edges along the axes and 16 diagonals; the block's own twelve edges belong to two sides.
    assert_eq!(count, 540 - (6 * (40 + 16) - 12 * 4));
    // A ring has as many tetrahedra as corners, and each of them knows it.
    let known = rings.of_tets.as_flattened().iter().filter(|ring| **ring != NONE).count();
    assert_eq!(known, rings.particles.len() - 2 * count);
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(2.0, 1.5, 0.0), DVec3::new(0.3, -1.0, 0.4));
    for (f, turns) in
        [(DMat3::IDENTITY, 1), (shear, 1), (DMat3::from_diagonal(DVec3::new(1.0, -2.0, 1.0)), -1)]
    {
        for ring in rings.starts.windows(2) {
            let x: Vec<DVec3> = rings.particles[ring[0] as usize..ring[1] as usize]
                .iter()
                .map(|&p| f * model.particles.positions[p as usize])
                .collect();
            assert_eq!(found::<f32>(x[0], x[1], &x[2..]), (turns, turns < 0));
        }
    }
    // All edges of a single cell are on its surface.
    let cell = Model::new(&scene(Solid { shape: cuboid([1.0; 3], [1; 3]), ..Solid::default() })).unwrap();
    assert!(Rings::new(&cell.elements[0].tets).particles.is_empty());
}

/// What is only stretched and twisted, however far, is not loosened; what is mirrored is, on all backends.
#[test]
fn only_what_is_wrong_comes_loose() {
    let twisted = SolidStart { stretch: DVec3::new(3.0, 0.7, 0.7), twist: 200.0, scatter: false };
    let mirrored = SolidStart { stretch: DVec3::new(1.0, 1.0, -1.0), ..SolidStart::default() };
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    for (start, share) in [(twisted, 0), (mirrored, 1)] {
        let laws = [SolidModel::NeoHookean, SolidModel::Position, SolidModel::Strain];
        let solid = laws.map(|model| Solid {
            shape: cuboid([1.0, 0.25, 0.25], [8, 2, 2]),
            model,
            start,
            ..Solid::default()
        });
        let scene = Scene { solid: solid.into(), integrator: Integrator::Implicit, ..Scene::default() };
        let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
        for executor in [&mut cpu as &mut dyn Executor, &mut device] {
            executor.execute(&[Run { passes: solver.substep(), times: 1 }]).unwrap();
            for name in ["tet_memories", "position_memories", "strain_memories"] {
                let memories = executor.read(solver.buffers.find(name).unwrap()).unwrap();
                let loose = memories.uints().iter().filter(|memory| **memory & LOOSE != 0).count();
                assert_eq!(loose, share * memories.uints().len(), "{name}");
            }
        }
    }
}

/// Regular polygons around an edge and stars that go around it twice, forward and backward, and one side that goes back.
#[test]
fn both_backends_count_how_often_a_ring_goes_around() {
    let ring = |corners: usize, turns: f64| -> Vec<DVec3> {
        let angle = |k: usize| std::f64::consts::TAU * turns * k as f64 / corners as f64 + 0.1;
        (0..corners).map(|k| DVec3::new(angle(k).cos(), angle(k).sin(), 0.2 * k as f64)).collect()
    };
    let mut hesitant = ring(6, 1.0);
    hesitant.swap(2, 3);
    let rings = [
        (ring(3, 1.0), 0),
        (ring(7, 1.0), 0),
        (ring(5, 2.0), 1),
        (ring(7, 3.0), 1),
        (ring(4, -1.0), 1),
        (hesitant, 1),
    ];
    let (mut starts, mut particles, mut positions) = (vec![0], Vec::new(), Vec::new());
    for (ring, _) in &rings {
        for x in [DVec3::ZERO, DVec3::Z].iter().chain(ring) {
            particles.push(positions.len() as u32);
            positions.push([x.x, x.y, x.z, 1.0]);
        }
        starts.push(particles.len() as u32);
    }
    let mut buffers = Tables::new();
    buffers.uints("clock", Role::State, vec![0]).unwrap();
    buffers.uints("ring_starts", Role::Model, starts).unwrap();
    buffers.uints("ring_particles", Role::Model, particles).unwrap();
    buffers.real4s("positions", Role::State, positions).unwrap();
    let wounds = buffers.uints("ring_wounds", Role::State, vec![7; rings.len()]).unwrap();
    let mut passes = Passes::new();
    passes.run(&buffers, &ring_winding::KERNEL, Launch::over(rings.len() as u32)).unwrap();
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut device = GpuExecutor::new(&gpu, &buffers, &passes).unwrap();
    let expected: Vec<u32> = rings.iter().map(|(_, wound)| *wound).collect();
    for executor in [&mut CpuExecutor::<f32>::new(&buffers, &passes) as &mut dyn Executor, &mut device] {
        executor.execute(&[Run { passes: 0..1, times: 1 }]).unwrap();
        assert_eq!(executor.read(wounds).unwrap().uints(), expected, "{}", executor.describe());
    }
}
