//! What is wrong with a rod is said where it stands.

use sinew::scene::Scene;

fn message(rod: &str) -> String {
    let text = format!("format = 1\n[[rod]]\n{rod}\n");
    Scene::parse(&text, "rod.toml", "").and_then(|s| s.validate()).expect_err(&text).to_string()
}

const LINE: &str = "from = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 10\n";

#[test]
fn bad_rods_are_refused_with_the_place_and_the_cure() {
    let line = |more: &str| message(&format!("{LINE}{more}"));
    for (found, expected) in [
        (line("radius = 0"), "`radius` is 0 m; it must be greater than 0"),
        (line("youngs_modulus = -1"), "`youngs_modulus` is -1 Pa"),
        (line("poisson_ratio = 0.7"), "`poisson_ratio` is 0.7; it must be greater than -1 and at most 0.5"),
        (line("material = \"robe\""), "did you mean"),
        (line("shear_modulus = 1e6\npoisson_ratio = 0.3"), "say the same thing"),
        (line("rest = \"straight\"\nrest_twist = 3"), "does not go with"),
        (line("start = { motion = [{ time = 1 }] }"), "this end is free"),
        (line("start = \"clamped\"\n[[rod.pin]]\nindices = [0]"), "already holds"),
        (line("end = { weight = -2 }"), "`weight` is -2 kg"),
        (line("copies = { count = [0, 1], steps = [[1,0,0],[0,0,1]] }"), "`count` is 0"),
        (message("from = [1, 1, 1]\nto = [1, 1, 1]\nsegments = 3"), "a rod needs a length"),
        (message("from = [0, 0, 0]\nto = [1, 1, 1]\nsegments = 0"), "`segments` is 0"),
        (message("points = [[0, 0, 0]]"), "a rod needs at least 2"),
        (message("points = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]"), "is where the point before it is"),
        (message("helix = { radius = 0.1, pitch = 0.1, turns = 0, segments = 9 }"), "different from 0"),
        (message("segments = 4"), "needs one of `from`, `points`, `spline`, `lines`, `helix`"),
        (
            message("spline = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]\nsegments = 9"),
            "is where the point before it is",
        ),
        (message("spline = [[0, 0, 0], [1, 0, 0]]"), "missing key `segments`"),
        (message("lines = \"nowhere.obj\""), "file `nowhere.obj`: cannot be read"),
        (message("lines = { file = \"nowhere.obj\", segments = 0 }"), "`segments` is 0"),
        (line("normal = [0, 0, 0]"), "which is no direction"),
        (line("normal = [-2, 0, 0]"), "is along the first segment"),
        (line("drag = -1"), "`drag` is -1"),
        (line("start = { release = 1 }"), "this end is free"),
        (line("start = { hold = \"pinned\", release = -1 }"), "`release` is -1 s"),
        (line("end = { hold = \"pinned\", force = [1, 0, 0] }"), "this one is held"),
        (line("end = { hold = \"clamped\", torque = [1, 0, 0] }"), "this one is held"),
        (
            line("[[rod.weight]]\nindices = [11]\nmass = 1"),
            "weight 1: `indices` names particle 11, but there are 11",
        ),
        (line("[[rod.weight]]\nindices = [1]"), "missing key `mass`"),
        (
            message("from = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 1\nstart = \"framed\"\nend = \"framed\""),
            "there is only one segment",
        ),
        (line("[[rod.pin]]\nindices = [11]"), "names particle 11, but there are 11"),
    ] {
        println!("{found}");
        assert!(found.contains(expected), "`{found}` does not say `{expected}`");
        assert!(found.starts_with("rod.toml:"), "{found}");
    }
}

/// Every key of a rod, written and read again.
#[test]
fn a_written_rod_reads_back_the_same() {
    let text = "format = 1\n[[rod]]\nname = \"a\"\nspline = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\nsegments = 12\n\
                normal = [0.0, 0.0, 1.0]\ndrag = 0.5\nstart = { hold = \"clamped\", release = 2.5 }\n\
                end = { weight = 0.1, force = [1, 2, 3], torque = [0, 0, -0.5] }\n\
                [[rod.weight]]\nindices = [3, 4]\nmass = 0.25\n\
                [[rod]]\nname = \"b\"\nlines = { file = \"strands.obj\", segments = 7 }\n\
                [[rod]]\nname = \"c\"\nlines = \"strands.obj\"\n\
                [[net]]\nring = { radius = 1, segments = 12 }\n[[net.weight]]\nnearest = [1, 0, 0]\nmass = 2\n\
                [[net.clamp]]\nindices = [0]\nrelease = 1.5\n";
    let folder = obj_folder("written", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    let scene = Scene::parse(text, "rod.toml", &folder).unwrap();
    let written = scene.to_toml().unwrap();
    assert_eq!(Scene::parse(&written, "written.toml", "").unwrap(), scene, "{written}");
    assert_eq!(scene.rod[0].end.torque.z, -0.5);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A folder with a file of lines, for one test.
fn obj_folder(test: &str, obj: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("sinew-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("strands.obj"), obj).unwrap();
    folder
}

/// A field of strands as programs export them: some as one line each, some edge by edge.
#[test]
fn the_line_strips_of_an_obj_are_rods() {
    let obj = "v 0 0 0\nv 0 1 0\nv 0 2 0\nv 1 0 0\nv 1 1 0\nv 1 3 0\nl 1 2 3\nl 5 6\nl 4 5\n";
    let folder = obj_folder("lines", obj);
    let file = folder.join("strands.obj");
    let shape = |segments| sinew::scene::RodShape::File { file: file.clone(), segments };
    let rod = |segments| sinew::scene::Rod { shape: shape(segments), ..sinew::scene::Rod::default() };
    let built = rod(None).build().unwrap();
    assert_eq!((built.positions.len(), built.frames.len(), built.nodes), (6, 4, 3));
    let fine = rod(Some(6)).build().unwrap();
    assert_eq!((fine.positions.len(), fine.nodes, fine.different), (14, 7, 2));
    // The second begins where the walk over its edges does, and has six equal segments of 0.5 m.
    assert!((fine.positions[7].distance(fine.positions[8]) - 0.5).abs() < 1e-12);
    std::fs::write(&file, format!("{obj}v 0 5 0\nl 3 7\n")).unwrap();
    let message = rod(None).build().unwrap_err().to_string();
    assert!(message.contains("first line has 4 points and line 2 has 3"), "{message}");
    std::fs::write(&file, format!("{obj}l 2 5\n")).unwrap();
    assert!(rod(None).build().unwrap_err().to_string().contains("a rod has no forks"));
    std::fs::remove_dir_all(&folder).unwrap();
}
