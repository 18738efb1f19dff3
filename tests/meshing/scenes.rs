//! Solids in scenes: from files, surfaces and shapes, pinned by group, with surfaces that follow.

use glam::DVec3;
use sinew::compute::{AdapterChoice, CpuExecutor, Gpu, GpuExecutor, compare_runs};
use sinew::meshing::tet_file::{TetFileKind, write};
use sinew::meshing::tet_mesh::TetMesh;
use sinew::meshing::{Shape, write_obj};
use sinew::model::Model;
use sinew::scene::{Scene, SolidShape};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};
use std::path::Path;

fn parse(text: &str, folder: &Path) -> Scene {
    Scene::parse(text, "test.toml", folder).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str, folder: &Path) -> String {
    match Scene::parse(text, "test.toml", folder) {
        Ok(scene) => scene.build().expect_err("it should be refused").to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_solid_may_be_a_file_with_groups_to_pin() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = TetMesh::cuboid(DVec3::ONE, [2; 3]);
    let bottom: Vec<u32> = (0..27).filter(|&v| mesh.vertices[v as usize].y < -0.4).collect();
    mesh.add_to_group("feet", bottom.clone(), []);
    write(&mesh, &folder.path().join("block.msh"), TetFileKind::Gmsh4).unwrap();
    let text = "format = 1\n[[solid]]\nmesh = \"block.msh\"\n[[solid.pin]]\ngroup = \"feet\"\n";
    let geometry = parse(text, folder.path()).build().unwrap();
    assert_eq!(geometry.solids[0].rest.tets, mesh.tets);
    assert_eq!(geometry.solids[0].pins[0].particles, bottom);
    assert!(geometry.solids[0].skin.is_none());
    let message = refusal(&text.replace("feet", "feets"), folder.path());
    assert!(message.contains("did you mean `feet`"), "{message}");
    let message = refusal(&text.replace("block.msh", "blocks.msh"), folder.path());
    assert!(message.contains("solid 1") && message.contains("blocks.msh: cannot be read"), "{message}");
}

#[test]
fn a_surface_and_every_shape_become_solids_with_skins() {
    let folder = tempfile::tempdir().unwrap();
    write_obj(&Shape::named("torus").unwrap().surface(8), &folder.path().join("ring.obj")).unwrap();
    // The ears of the rabbit are thin.
    for (shape, resolution) in [
        ("surface = \"ring.obj\"", 9),
        ("ball = { radius = 0.3 }", 9),
        ("cylinder = { radius = 0.2, height = 0.5 }", 9),
        ("torus = { major = 0.3, minor = 0.1 }", 9),
        ("rabbit = { height = 0.4 }", 24),
    ] {
        let text = format!("format = 1\n[[solid]]\n{shape}\nresolution = {resolution}\n");
        let scene = parse(&text, folder.path());
        let solid = scene.build().unwrap().solids.remove(0);
        let skin = solid.skin.expect("what is filled has a skin");
        assert_eq!(skin.embedding.far_outside, 0, "{shape}");
        let placed = skin.embedding.apply(&solid.positions);
        let (low, high) = solid.rest.bounds();
        let near = |x: &DVec3| x.cmpgt(low - 0.1).all() && x.cmplt(high + 0.1).all();
        assert!(placed.iter().all(near), "{shape}");
        // What is written reads back as the same.
        let again = parse(&scene.to_toml().unwrap(), folder.path());
        let same = match (&scene.solid[0].shape, &again.solid[0].shape) {
            (SolidShape::Surface { resolution: a, .. }, SolidShape::Surface { resolution: b, .. }) => a == b,
            (a, b) => a == b,
        };
        assert!(same, "{shape}");
    }
}

#[test]
fn mistakes_are_told_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(here.join("bad.msh"), "$MeshFormat\n9 0 8\n$EndMeshFormat\n").unwrap();
    for (shape, line, message) in [
        ("ball = { radius = -1 }", 3, "`radius`"),
        ("torus = { major = 0.1, minor = 0.2 }", 3, "greater than `minor`"),
        ("ball = { radius = 1 }\nresolution = 0", 4, "`resolution`"),
        ("ball = { radius = 1 }\nresolution = 5000", 4, "256"),
        ("box = { size = [1, 1, 1], cells = [1, 1, 1] }\nresolution = 5", 4, "goes with what is filled"),
        ("ball = { radius = 1 }\nrabbit = { height = 1 }", 4, "`rabbit`"),
        ("mesh = \"bad.msh\"", 3, "bad.msh:2: version 9 is not supported"),
        ("surface = \"flat.obj\"", 3, "encloses nothing"),
        ("surface = \"none.obj\"", 3, "none.obj"),
        ("surface = \"bad.msh\"", 3, "unknown kind of mesh file"),
    ] {
        let text = format!("format = 1\n[[solid]]\n{shape}\n");
        let found = refusal(&text, here);
        let place = format!("test.toml:{line}:");
        // What is found while building has no place in a file.
        let placed = found.starts_with(&place) || !found.starts_with("test.toml");
        assert!(placed && found.contains(message), "{shape}: {found}");
    }
}

/// Both backends move a skin alike, and it is where its tetrahedra are, also after a state is put back.
#[test]
fn a_skin_goes_where_its_body_goes() {
    let text = "format = 1\nsubsteps = 2\n[[solid]]\nball = { radius = 0.2 }\nresolution = 8\nvelocity = [1, 2, 0]\n";
    let scene = parse(text, Path::new("."));
    let model = Model::new(&scene).unwrap();
    let solver = Solver::new(&model).unwrap();
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    let compared = compare_runs(&solver.buffers, &solver.passes, 2, [&mut cpu, &mut device], 1e-5).unwrap();
    compared.unwrap_or_else(|difference| panic!("{difference}"));

    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
    let check = |simulation: &mut Simulation, when: &str| {
        let particles = simulation.model_positions().unwrap();
        let expected = model.skins.positions(&particles, &model.first_frames());
        let found = simulation.skin_positions().unwrap();
        assert_eq!(found.len(), expected.len());
        for (k, (x, y)) in found.iter().zip(&expected).enumerate() {
            // Positions are kept rounded to f32, with what that leaves out in a buffer of its own; the skin starts unrounded.
            assert!(x.distance(*y) < 2e-8, "{when}: vertex {k} is at {x}, not {y}");
        }
        found
    };
    let start = check(&mut simulation, "at the start");
    let state = simulation.state().unwrap().clone();
    simulation.advance(10).unwrap();
    let moved = check(&mut simulation, "after ten steps");
    assert!(moved[0].distance(start[0]) > 0.1);
    simulation.restore(&state).unwrap();
    assert_eq!(simulation.model().skins, model.skins);
    for (x, y) in check(&mut simulation, "put back").iter().zip(&start) {
        assert!(x.distance(*y) < 2e-8);
    }
    let (vertices, triangles) = (model.skins.len(), model.skins.parts[0].triangles.len());
    simulation
        .snapshot(|snapshot| {
            let skin = snapshot.bodies.last().unwrap();
            assert_eq!((skin.particles.len(), skin.triangles.len()), (vertices, triangles));
            assert!(skin.name.ends_with("surface"));
            assert_eq!(snapshot.positions.len(), model.particle_count() + vertices);
        })
        .unwrap();
}
