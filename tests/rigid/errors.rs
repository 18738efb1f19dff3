//! What is wrong with a rigid body, in a sentence.

use sinew::scene::Scene;

fn error(text: &str) -> String {
    let text = format!("format = 1\n[[rigid]]\nname = \"nut\"\n{text}\n");
    let base = std::env::temp_dir().join(format!("sinew-rigid-{}", std::process::id()));
    std::fs::create_dir_all(&base).unwrap();
    let obj = |name: &str, faces: &str| {
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
        std::fs::write(base.join(name), format!("{vertices}{faces}")).unwrap();
    };
    obj("open.obj", "f 1 3 2\nf 1 2 4\nf 1 4 3\n");
    obj("inside_out.obj", "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    let error = Scene::parse(&text, "scene.toml", &base).unwrap_err().to_string();
    std::fs::remove_dir_all(&base).unwrap();
    error
}

#[test]
fn joints_that_cannot_be_are_named_with_a_cure() {
    let bodies = "format = 1\nrigid = [{ name = \"arm\", sphere = { radius = 0.1 } }, { name = \"leg\", sphere = { radius = 0.1 }, position = [0, 1, 0] }]\n\
        points = [{ name = \"dust\", points = [[0, 0, 3]], mass = 1 }]\n[[joint]]\nname = \"knee\"\n";
    let cases = [
        ("a = \"arn\"", "a", "arm"),
        ("a = \"dust\"", "a", "attach"),
        ("a = \"arm\"\nb = \"arm\"", "b", "another one"),
        ("a = \"arm\"\nkind = \"hinge\"\nlimits = [20, 10]", "limits", "lower one"),
        ("a = \"arm\"\nkind = \"hinge\"\nlimits = [20, 30]", "limits", "starts"),
        ("a = \"arm\"\nkind = \"fixed\"\nlimits = [0, 30]", "limits", "leave"),
        ("a = \"arm\"\nat = [0, 1e5, 0]", "at", "at the start"),
        ("a = \"arm\"\nkind = \"hinge\"\naxis = [0, 0, 0]", "axis", "direction"),
        ("a = \"arm\"\nkind = \"universal\"\nsecond_axis = [0, 1, 1]", "second_axis", "across"),
        ("a = \"arm\"\nkind = \"distance\"", "to", "missing"),
        ("a = \"arm\"\nkind = \"distance\"\nb = \"leg\"\nlimits = [0, 0.5]", "limits", "1 m apart"),
        ("a = \"arm\"\nmotor = { speed = 1 }", "motor", "hinge"),
        ("a = \"arm\"\nkind = \"hinge\"\nmotor = {}", "motor", "speed"),
        ("a = \"arm\"\nkind = \"hinge\"\nstiffness = 1\nmotor = { speed = 1 }", "motor", "one of them"),
        ("a = \"arm\"\n[[expect.joint]]\njoint = \"ankle\"", "joint", "no joint"),
    ];
    for (text, subject, cure) in cases {
        let error = Scene::parse(&format!("{bodies}{text}\n"), "scene.toml", "").unwrap_err().to_string();
        println!("{error}");
        assert!(error.starts_with("scene.toml:"), "{error}");
        assert!(error.contains(subject) && error.contains(cure), "{text}\n{error}");
    }
}

#[test]
fn fields_that_cannot_be_are_named_with_a_cure() {
    let cases = [
        ("gradient = { rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }", "rows", "divergence of 3 T/m"),
        ("gradient = { rows = [[1, 2, 0], [0, -1, 0], [0, 0, 0]] }", "rows", "curl of [0, 0, -2] T/m"),
        ("gradient = { rows = [[1, 0, 0], [0, -1, 0]] }", "rows", "three"),
        ("loop = { radius = 0, current = 1 }", "radius", "greater than 0"),
        ("cylinder = { radius = 0.1, hole = 0.1, length = 1, remanence = 1 }", "hole", "nothing"),
        ("bar = { size = [1, 1, 1], remanence = [0, 12000, 0] }", "remanence", "gauss"),
        ("wire = { points = [[0, 0, 0]], current = 1 }", "points", "2 to"),
        ("wire = { points = [[0, 0, 0], [1, 0, 0], [1, 0, 0]], current = 1 }", "points", "2 and 3"),
        ("uniform = { field = [0, 0, 1] }\nloop = { radius = 1, current = 1 }", "loop", "one"),
        (
            "uniform = { field = [0, 0, 1] }\nkeyframes = [{ time = 1, factor = 1 }, { time = 0, factor = 1 }]",
            "time",
            "after",
        ),
    ];
    for (text, subject, cure) in cases {
        let text = format!(
            "format = 1\nrigid = [{{ sphere = {{ radius = 0.1 }} }}]\n[[field]]\nname = \"coil\"\n{text}\n"
        );
        let error = Scene::parse(&text, "scene.toml", "").unwrap_err().to_string();
        println!("{error}");
        assert!(error.starts_with("scene.toml:"), "{error}");
        assert!(error.contains(subject) && error.contains(cure), "{text}\n{error}");
    }
}

#[test]
fn errors_name_file_line_body_and_cure() {
    let cases = [
        ("sphere = { radius = 0.1 }\nmass = 0", "mass", "greater than 0"),
        ("sphere = { radius = 0.1 }\ndensity = -1", "density", "greater than 0"),
        ("sphere = { radius = 0.1 }\nrestitution = 1.5", "restitution", "from 0 to 1"),
        ("sphere = { radius = 0.1 }\ninertia = [1, 1, 3]", "inertia", "lower the largest"),
        ("sphere = { radius = 0.1 }\nremanence = [0, 0, 12000]", "remanence", "gauss"),
        ("sphere = { radius = 0.1 }\nremanence = [0, 0, 1]\nmoment = [0, 0, 1]", "moment", "one of them"),
        ("sphere = { radius = 0.1 }\nmoment = [0, 0, 1]\ncells = 4", "cells", "remanence"),
        ("box = { size = [1, 1, 1] }\nremanence = [0, 0, 1]\ncells = 100", "cells", "which 27 along"),
        ("sphere = { radius = 0.1 }\nsusceptibility = -2", "susceptibility", "a superconductor"),
        (
            "sphere = { radius = 0.1 }\nsusceptibility = 1\nremanence = [0, 0, 1]",
            "susceptibility",
            "leave one",
        ),
        ("box = { size = [1, 1, 1] }\nsusceptibility = 700\ncells = 1", "cells", "2 or more"),
        ("box = { size = [1, 1, 1] }\nsusceptibility = 700\ncells = 100", "cells", "which 16 along"),
        ("mesh = \"open.obj\"", "open.obj", "closed"),
        ("mesh = \"inside_out.obj\"", "inside_out.obj", "face"),
        ("sphere = { radius = 1e-9 }", "sphere", "at least"),
        ("radius = 1", "radius", "sphere"),
    ];
    for (text, subject, cure) in cases {
        let error = error(text);
        println!("{error}");
        assert!(error.starts_with("scene.toml:"), "{error}");
        assert!(error.contains("`nut`") || error.contains("nut"), "{error}");
        assert!(error.contains(subject) && error.contains(cure), "{text}\n{error}");
    }
}

#[test]
fn a_field_with_a_divergence_is_refused() {
    let text = "format = 1\n[magnetic_field]\ngradient = [1, 2, 0]\n[[rigid]]\nsphere = { radius = 0.1 }\n";
    let error = Scene::parse(text, "scene.toml", "").unwrap_err().to_string();
    println!("{error}");
    assert!(
        error.starts_with("scene.toml:3")
            && error.contains("divergence of 3 T/m")
            && error.contains("add up to 0"),
        "{error}"
    );
}
