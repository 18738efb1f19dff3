//! Corners that are no particles: obstacles between a sheet's particles, and the surfaces of rigid bodies.

use glam::DVec3;
use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, compare_runs};
use sinew::contact::verify::point_triangle;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

fn scene(text: &str) -> Scene {
    Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn sheet(name: &str, cells: u32, [size, x, y]: [f64; 3]) -> String {
    format!(
        "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [{size}, {size}], cells = [{cells}, {cells}] }}\n\
         position = [{x}, {y}, 0]\nrotation = [90, 9, 0]\ndensity = 0.2\nstretch_stiffness = 900\nshear_stiffness = 60\n\
         bending = \"dihedral\"\nbending_stiffness = 1e-4\nthickness = 0.006\nfriction = 0.6\n"
    )
}

/// A sheet falls on a pole and another on the corner of a box, both smaller than the edges between particles.
fn held_between_particles(contact: &str) -> Scene {
    let top = format!("format = 1\nsubsteps = 12\niterations = 2\ndamping = 0.5\n{contact}\n");
    let pole = "[[collider]]\nname = \"pole\"\ncapsule = { radius = 0.008, length = 1 }\nposition = [0, 0.9, 0.02]\n\
                rotation = [90, 0, 0]\nfriction = 0.6\n";
    // A corner straight up: its height above the middle is √3/2 of the edge.
    let corner = "[[collider]]\nname = \"box\"\nbox = { size = [0.2, 0.2, 0.2] }\nposition = [1.02, 0.7267949, 0.03]\n\
                  rotation = [45, 0, 35.2643897]\nfriction = 0.6\n";
    scene(&format!(
        "{top}{}{}{pole}{corner}",
        sheet("over the pole", 5, [0.5, 0.0, 0.92]),
        sheet("over the corner", 5, [0.5, 1.0, 0.92])
    ))
}

/// The least distances of the sheets from the pole's axis and from the corner.
fn distances(x: &[DVec3], triangles: &[[u32; 3]]) -> [f64; 2] {
    let corner = DVec3::new(1.02, 0.9, 0.03);
    let mut least = [f64::INFINITY; 2];
    for triangle in triangles.iter().map(|t| t.map(|p| x[p as usize])) {
        for k in 0..200 {
            let on_axis = DVec3::new(0.0, 0.9, 0.02 - 0.5 + 0.005 * f64::from(k));
            least[0] = least[0].min(point_triangle(on_axis, triangle));
        }
        least[1] = least[1].min(point_triangle(corner, triangle));
    }
    least
}

#[test]
fn a_pole_and_a_corner_hold_a_sheet_between_its_particles() {
    for (contact, holds) in [("[contact]", true), ("", false)] {
        let scene = held_between_particles(contact);
        let mut simulation =
            Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
        let triangles = simulation.model().triangles.clone();
        let mut least = [f64::INFINITY; 2];
        for _ in 0..45 {
            simulation.step().unwrap();
            let found = distances(&simulation.model_positions().unwrap(), &triangles);
            least = [least[0].min(found[0]), least[1].min(found[1])];
        }
        let x = simulation.positions().unwrap();
        let highest = |range: std::ops::Range<usize>| x[range].iter().fold(f64::MIN, |most, x| most.max(x.y));
        let tops = [highest(0..36), highest(36..72)];
        println!("{contact:?}: pole {:.4} m, corner {:.4} m; highest {tops:.3?}", least[0], least[1]);
        // Half the sheet's half thickness is the guard's.
        let kept = least[0] > 0.008 + 0.0014 && least[1] > 0.0014;
        assert_eq!(kept, holds, "{contact:?}: {least:?}");
        if holds {
            assert!(tops[0] > 0.89 && tops[1] > 0.85, "fell off: {tops:?}");
        }
    }
}

fn boxes() -> Scene {
    let cube = |name: &str, [x, y, turn]: [f64; 3]| {
        format!(
            "[[rigid]]\nname = \"{name}\"\nbox = {{ size = [0.1, 0.1, 0.1] }}\nposition = [{x}, {y}, 0]\n\
             rotation = [0, {turn}, 0]\ndensity = 500\nfriction = 0.5\n"
        )
    };
    let floor =
        "[[collider]]\nname = \"floor\"\nplane = { normal = [0, 1, 0], offset = 0 }\nfriction = 0.5\n";
    scene(&format!(
        "format = 1\nsubsteps = 12\niterations = 2\ndamping = 0.5\n[contact]\n{floor}{}{}{}",
        cube("low", [0.0, 0.05, 0.0]),
        cube("high", [0.01, 0.152, 20.0]),
        sheet("cloth", 9, [0.3, 0.0, 0.215])
    ))
}

#[test]
fn a_box_rests_on_a_box_and_a_sheet_on_both() {
    let mut simulation =
        Simulation::new(&boxes(), &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..60 {
        simulation.step().unwrap();
    }
    let x = simulation.positions().unwrap();
    println!("low {:.4}, high {:.4}", x[100], x[101]);
    assert_eq!(x.len(), 102, "sheet first, then boxes");
    assert!((x[100] - DVec3::new(0.0, 0.05, 0.0)).length() < 1e-3, "{}", x[100]);
    assert!((x[101] - DVec3::new(0.01, 0.151, 0.0)).length() < 2e-3, "{}", x[101]);
    // The sheet lies on the upper box.
    let highest = x[..100].iter().fold(f64::MIN, |most, x| most.max(x.y));
    println!("the sheet's highest point is at {highest:.4} m");
    assert!((0.2..0.22).contains(&highest), "{highest}");
    // The hem of the sheet still swings; the boxes do not.
    let v = simulation.velocities().unwrap();
    println!("speeds {:.5} and {:.5} m/s", v[100].length(), v[101].length());
    assert!(v[100].length() < 0.01 && v[101].length() < 0.01, "{} {}", v[100], v[101]);
}

/// One pass of f32 arithmetic, relative to the largest of each component.
const TOLERANCE: f64 = 2e-5;

#[test]
fn all_passes_of_driven_corners_match_their_twins() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    for scene in [held_between_particles("[contact]"), boxes()] {
        let model = Model::new(&scene).unwrap_or_else(|error| panic!("{error}"));
        let solver = Solver::new(&model).unwrap();
        let mut buffers = solver.buffers.clone();
        let near = buffers.find_table("near").unwrap();
        let fresh = buffers.find_table("near_fresh").unwrap();
        for table in [near, fresh] {
            buffers.grow(table, 20_000);
        }
        let passes = &solver.passes;
        let mut start = CpuExecutor::<f32>::new(&buffers, passes);
        for _ in 0..20 {
            start.execute(&solver.step).unwrap();
        }
        let mut device = GpuExecutor::new(&gpu, &buffers, passes).unwrap();
        let mut twin = CpuExecutor::<f32>::new(&buffers, passes);
        for id in buffers.state() {
            let data = start.read(id).unwrap();
            device.write(id, &data).unwrap();
            twin.write(id, &data).unwrap();
        }
        let result = compare_runs(&buffers, passes, 2, [&mut device, &mut twin], TOLERANCE).unwrap();
        println!("{:.1e}", result.unwrap_or_else(|difference| panic!("{difference}")));
        let impulses = twin.read(buffers.find("touch_impulses").unwrap()).unwrap();
        let acting = impulses.reals().chunks_exact(8).filter(|c| c[3] > 0.0).count();
        println!("{acting} contacts act");
        assert!(acting > 3, "{acting} contacts were compared");
    }
}
