//! Micro-benchmarks of host code and of one substep on the CPU backend; `sinew bench` measures whole steps on both.
//!
//! A sheet of 128² particles is large enough to leave a core's cache and small enough for many repetitions.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sinew::compute::{CpuExecutor, Executor, Run};
use sinew::model::Model;
use sinew::model::colouring::Colouring;
use sinew::model::ordering::most_local;
use sinew::scene::{Bending, Cloth, ClothShape, Edge, Pin, Scene, Selector, SolverKind};
use sinew::scenes;
use sinew::solver::Solver;
use std::hint::black_box;

const SIDE: u32 = 128;

fn sheet(solver: SolverKind) -> Model {
    let cloth = Cloth {
        shape: ClothShape::Grid { size: [1.0, 1.0], cells: [SIDE - 1, SIDE - 1] },
        bending: Bending::Distance,
        bending_stiffness: 10.0,
        pin: vec![Pin { selector: Selector::Edge(Edge::Top), ..Pin::default() }],
        ..Cloth::default()
    };
    Model::new(&Scene { solver, cloth: vec![cloth], ..Scene::default() }).expect("the sheet is valid")
}

fn links(model: &Model) -> Vec<[u32; 2]> {
    model.elements.iter().flat_map(|elements| &elements.links).map(|link| link.ends).collect()
}

fn host(criterion: &mut Criterion) {
    let model = sheet(SolverKind::Coloured);
    let (links, movable) = (links(&model), model.movable());
    let mut group = criterion.benchmark_group("host");
    group.throughput(Throughput::Elements(links.len() as u64));
    group.bench_function("colouring", |bencher| {
        bencher.iter(|| Colouring::new(black_box(&links), black_box(&movable)));
    });
    group.bench_function("ordering", |bencher| {
        bencher.iter(|| most_local(black_box(&model.particles.positions), black_box(&links)));
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("scene parsing", |bencher| {
        let flag = scenes::find("flag").expect("the flag is built in");
        bencher.iter(|| Scene::parse(black_box(flag.text), "flag.toml", ""));
    });
    group.finish();
}

fn substep(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("substep on the CPU, f32");
    for (name, kind) in [("coloured", SolverKind::Coloured), ("jacobi", SolverKind::Jacobi)] {
        let model = sheet(kind);
        let solver = Solver::new(&model).expect("the sheet has all buffers");
        let substep = [Run { passes: solver.substep(), times: 1 }];
        group.throughput(Throughput::Elements(model.constraint_count() as u64));
        group.bench_function(name, |bencher| {
            // From the start each time: the sheet would go on falling, and slower or faster with it.
            bencher.iter_batched_ref(
                || CpuExecutor::<f32>::new(&solver.buffers, &solver.passes),
                |executor| executor.execute(black_box(&substep)),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = host, substep
}
criterion_main!(benches);
