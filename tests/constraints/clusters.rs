//! Shape matching: which motions clusters let be, what their pulls conserve, and what a compliance means.

use crate::fixture::{Random, gpu};
use glam::{DMat3, DQuat, DVec3};
use sinew::compute::{CpuExecutor, Data, Executor, GpuExecutor, Run, compare_pass};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// A block of uneven sides, so that clusters are longer in one direction than in another.
fn block(clusters: &str, more: &str) -> Scene {
    let text = format!(
        "format = 1\ngravity = [0, 0, 0]\nsubsteps = 1\n[[solid]]\nname = \"block\"\n\
         box = {{ size = [0.6, 0.3, 0.2], cells = [6, 3, 2] }}\nclusters = {{ {clusters} }}\n{more}"
    );
    Scene::parse(&text, "clusters.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

/// The pulls of every member after the positions of the rest shape were mapped, and the members.
fn pulls(clusters: &str, map: impl Fn(DVec3) -> DVec3) -> Vec<(u32, DVec3)> {
    let model = Model::new(&block(clusters, "")).unwrap();
    let solver = Solver::new(&model).unwrap();
    let mut cpu = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
    let find = |name: &str| solver.buffers.find(name).unwrap();
    let mut positions = cpu.read(find("positions")).unwrap().reals().to_vec();
    for p in positions.chunks_exact_mut(4) {
        let moved = map(DVec3::new(p[0], p[1], p[2]));
        p[..3].copy_from_slice(&moved.to_array());
    }
    cpu.write(find("positions"), &Data::Reals(positions)).unwrap();
    let index = solver.passes.list.iter().position(|pass| pass.kernel.name == "cluster_match").unwrap();
    // The second time from the rotation that the first has found, as while running.
    cpu.execute(&[Run { passes: index..index + 1, times: 2 }]).unwrap();
    let found = cpu.read(find("member_pulls")).unwrap();
    let members = cpu.read(find("cluster_members")).unwrap();
    let pull = |row: &[f64]| DVec3::new(row[0], row[1], row[2]);
    members.uints().iter().copied().zip(found.reals().chunks_exact(8).map(pull)).collect()
}

fn largest(pulls: &[(u32, DVec3)]) -> f64 {
    pulls.iter().map(|(_, pull)| pull.length()).fold(0.0, f64::max)
}

/// What a pull [m] or a relative momentum may be that is none: positions are rounded to f32 when they are stored.
const NONE: f64 = 1e-7;
const FREE: &str = "freedom = 1, keep_volume = \"no\"";

#[test]
fn clusters_let_the_motions_be_that_their_mode_describes() {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.3);
    let rigid = |x: DVec3| turn * x + DVec3::new(0.3, -0.1, 0.2);
    let shear =
        DMat3::from_cols(DVec3::new(1.3, 0.1, 0.0), DVec3::new(0.4, 0.8, -0.2), DVec3::new(0.0, 0.3, 1.1));
    let linear = |x: DVec3| rigid(shear * x);
    let bend = |x: DVec3| rigid(x + 0.8 * DVec3::new(x.y * x.z, x.x * x.x, x.x * x.y - 0.5 * x.z * x.z));
    for many in ["", ", radius = 0.15"] {
        for rotation in ["fit", "gradient"] {
            let rest = format!("rotation = \"{rotation}\"{many}");
            assert!(largest(&pulls(&rest, rigid)) < NONE);
            assert!(largest(&pulls(&rest, linear)) > 1e-3);
            let rest = format!("{FREE}, {rest}");
            assert!(largest(&pulls(&format!("mode = \"linear\", {rest}"), linear)) < NONE);
            assert!(largest(&pulls(&format!("mode = \"linear\", {rest}"), bend)) > 1e-3);
            assert!(largest(&pulls(&format!("mode = \"quadratic\", {rest}"), linear)) < NONE);
            assert!(largest(&pulls(&format!("mode = \"quadratic\", {rest}"), bend)) < NONE);
        }
    }
    // What keeps its volume gives way to shear alone.
    let kept = "mode = \"linear\", freedom = 1";
    assert!(largest(&pulls(kept, |x| 1.2 * x)) > 1e-2);
    assert!(largest(&pulls(kept, |x| DVec3::new(1.2 * x.x, x.y / 1.2, x.z))) < NONE);
}

/// Momentum and angular momentum of the pulls, relative to the sum of their sizes.
fn momenta(clusters: &str) -> [f64; 2] {
    let model = Model::new(&block(clusters, "")).unwrap();
    let jitter = |x: DVec3| {
        let key = (x * 1e3).round().to_array().map(|c| (c as i64 + 1000) as u64);
        let mut random = Random(key[0] << 40 | key[1] << 20 | key[2]);
        DVec3::new(1.5 * x.x + 0.4 * x.y, 0.8 * x.y, x.z) + DVec3::from(random.point(0.05))
    };
    let pulls = pulls(clusters, jitter);
    let mut counts = vec![0.0; model.particle_count()];
    pulls.iter().for_each(|&(p, _)| counts[p as usize] += 1.0);
    let (mut momentum, mut spin, mut sizes) = (DVec3::ZERO, DVec3::ZERO, [0.0; 2]);
    for (p, pull) in pulls {
        let m = model.particles.masses[p as usize] / counts[p as usize];
        let x = jitter(model.particles.positions[p as usize]);
        momentum += m * pull;
        spin += m * x.cross(pull);
        sizes[0] += m * pull.length();
        sizes[1] += m * x.cross(pull).length();
    }
    [momentum.length() / sizes[0], spin.length() / sizes[1]]
}

#[test]
fn pulls_have_no_momentum_and_those_to_the_nearest_rigid_motion_no_angular_momentum() {
    for clusters in [
        "",
        "radius = 0.15",
        "radius = 0.12, mode = \"linear\", freedom = 1, keep_volume = \"no\"",
        "radius = 0.2, mode = \"quadratic\"",
    ] {
        let [momentum, _] = momenta(clusters);
        assert!(momentum < 1e-13, "{clusters}: {momentum:.1e}");
    }
    for clusters in ["", "radius = 0.15", "mode = \"linear\", freedom = 1, keep_volume = \"no\""] {
        let [_, spin] = momenta(clusters);
        assert!(spin < NONE, "{clusters}: {spin:.1e}");
    }
    // The rotation of the deformation gradient turns a stretched and sheared block.
    let [_, spin] = momenta("rotation = \"gradient\"");
    eprintln!("angular momentum of the pull with the rotation of the gradient: {spin:.2e}");
    assert!(spin > 1e-3);
}

/// Flat, straight and single groups have a rotation, too.
#[test]
fn flat_and_straight_groups_keep_their_shape() {
    for points in ["[[0,0,0],[0.1,0,0],[0,0.1,0],[0.1,0.1,0]]", "[[0,0,0],[0.1,0,0],[0.3,0,0]]", "[[0,0,0]]"]
    {
        let text = format!(
            "format = 1\nduration = 1\n[[points]]\npoints = {points}\nmass = 0.1\nvelocity = [1, 2, 0.5]\nclusters = {{ }}\n"
        );
        let scene = Scene::parse(&text, "flat.toml", ".").unwrap();
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let before = simulation.positions().unwrap();
        for _ in 0..30 {
            simulation.step().unwrap();
        }
        let after = simulation.positions().unwrap();
        for (i, (a, x)) in before.iter().zip(&after).enumerate() {
            for (b, y) in before.iter().zip(&after).skip(i + 1) {
                assert!((a.distance(*b) - x.distance(*y)).abs() < 1e-5, "{points}");
            }
        }
    }
}

/// A block hung by its top sinks by the same, whatever the substeps and iterations.
#[test]
fn a_compliance_means_the_same_at_any_number_of_substeps_and_iterations() {
    let sag = |substeps: u32, iterations: u32| {
        let text = format!(
            "format = 1\nsubsteps = {substeps}\niterations = {iterations}\ndamping = 8\n[[solid]]\n\
             box = {{ size = [0.2, 0.4, 0.2], cells = [2, 4, 2] }}\nclusters = {{ radius = 0.21, compliance = 4e-3 }}\n\
             [[solid.pin]]\nbox = {{ min = [-1, 0.19, -1], max = [1, 1, 1] }}\n"
        );
        let scene = Scene::parse(&text, "hung.toml", ".").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
        for _ in 0..120 {
            simulation.step().unwrap();
        }
        let lowest = simulation.positions().unwrap().iter().map(|x| x.y).fold(0.0, f64::min);
        -0.2 - lowest
    };
    let truth = sag(40, 10);
    assert!(truth > 0.05, "{truth}");
    for (substeps, iterations) in [(4, 1), (4, 5), (4, 40), (20, 1), (160, 1)] {
        let found = sag(substeps, iterations);
        eprintln!("{substeps} substeps, {iterations} iterations: {found:.5} m of {truth:.5}");
        assert!((found / truth - 1.0).abs() < 0.01, "{substeps} x {iterations}: {found} {truth}");
    }
}

/// A rod of clusters that is bent beyond its limit stays bent; within it, it springs back.
#[test]
fn what_has_flowed_stays() {
    let length = |stretch: f64| {
        let clusters = "radius = 0.15, compliance = 1e-4, plastic = { limit = 0.1 }";
        let start = format!("start = {{ stretch = [{stretch}, 1, 1] }}\n");
        let mut scene = block(clusters, &start);
        scene.damping = 20.0;
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        for _ in 0..120 {
            simulation.step().unwrap();
        }
        let flow =
            simulation.family_measures().unwrap().iter().find(|m| m.name == "cluster_flow").unwrap().value;
        let x = simulation.positions().unwrap();
        let extent = |pick: fn(f64, f64) -> f64| x.iter().map(|x| x.x).reduce(pick).unwrap();
        (extent(f64::max) - extent(f64::min), flow)
    };
    let (elastic, none) = length(1.1);
    assert!((elastic - 0.6).abs() < 1e-3 && none == 0.0, "{elastic} {none}");
    let (plastic, flow) = length(1.6);
    assert!(plastic > 0.7 && flow > 0.1, "{plastic} {flow}");
}

#[test]
fn both_kernels_match_their_twins() {
    for clusters in [
        "radius = 0.15",
        "radius = 0.15, rotation = \"gradient\", compliance = 1e-3, plastic = { limit = 0.01, rate = 20 }",
        "radius = 0.2, mode = \"linear\", compliance = 1e-3",
        "radius = 0.25, mode = \"quadratic\"",
    ] {
        let mut scene = block(clusters, "start = { stretch = [1.3, 0.8, 1.1], twist = 40 }\n");
        scene.iterations = 3;
        let model = Model::new(&scene).unwrap();
        let solver = Solver::new(&model).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let mut device = GpuExecutor::new(gpu(), &solver.buffers, &solver.passes).unwrap();
        for index in solver.substep() {
            let both: [&mut dyn Executor; 2] = [&mut device, &mut cpu];
            let outcome = compare_pass(&solver.buffers, &solver.passes, index, both, 2e-5).unwrap();
            let largest = outcome.unwrap_or_else(|difference| panic!("{clusters}: {difference}"));
            eprintln!("{clusters}, {}: {largest:.1e}", solver.passes.list[index].kernel.name);
        }
    }
}

#[test]
fn bad_keys_are_refused_with_a_cure() {
    let refused = |clusters: &str, more: &str, words: &str| {
        let text = format!(
            "format = 1\n[[solid]]\nbox = {{ size = [1, 1, 1], cells = [2, 2, 2] }}\nclusters = {{ {clusters} }}\n{more}"
        );
        let error = Scene::parse(&text, "bad.toml", ".").unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("radius = 0.1, spacing = 0.2", "", "more than `radius`");
    refused("spacing = 0.2", "", "goes with `radius`");
    refused("freedom = 2", "", "from 0 to 1");
    refused("mode = \"quadratic\", plastic = { limit = 0.1 }", "", "goes with `mode");
    refused("", "youngs_modulus = 1e6\n", "goes with tetrahedra");
}
