//! Files of tetrahedra that nobody should trust, and `sinew mesh` from end to end.

use glam::DVec3;
use proptest::prelude::*;
use sinew::meshing::tet_file::{Faults, TetFileKind, read, write};
use sinew::meshing::tet_mesh::TetMesh;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn sinew(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

#[test]
fn a_surface_becomes_a_mesh_becomes_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |arguments: &[&str]| {
        let output = sinew(here, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        text(&output)
    };
    run(&["mesh", "torus", "--resolution", "12", "--out", "a.msh", "--surface", "a.obj", "--quiet"]);
    let report =
        run(&["mesh", "a.obj", "--resolution", "12", "--out", "b.msh", "--msh", "2.2", "--json", "b.json"]);
    assert!(report.contains("dihedral angles") && report.contains("winding number"), "{report}");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(here.join("b.json")).unwrap()).unwrap();
    assert_eq!(json["quality"]["dihedral_histogram"].as_array().unwrap().len(), 18);
    assert!(json["filled"]["volume_error"].as_f64().unwrap().abs() < 0.1);
    let [a, b] = ["a.msh", "b.msh"].map(|name| read(&here.join(name), Faults::Refuse).unwrap());
    assert_eq!(a, b);
    run(&["mesh", "b.msh", "--out", "c.ele"]);
    assert_eq!(read(&here.join("c.node"), Faults::Refuse).unwrap(), a);
    run(&["mesh", "c.node", "--size", "3", "--out", "d.msh"]);
    let (low, high) = read(&here.join("d.msh"), Faults::Refuse).unwrap().bounds();
    assert!(((high - low).max_element() - 3.0).abs() < 1e-9);
    let leftovers = fs::read_dir(here)
        .unwrap()
        .filter(|f| f.as_ref().unwrap().file_name().to_string_lossy().contains("tmp"));
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn mistakes_on_the_command_line_are_told_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    fs::write(folder.path().join("huge.msh"), "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000000\n")
        .unwrap();
    for (arguments, message) in [
        (vec!["mesh", "teapot"], "neither a file of a known kind nor one of the shapes box, ball"),
        (vec!["mesh", "ball", "--out", "a.vtk"], "neither .msh nor .node nor .ele"),
        (vec!["mesh", "ball", "--out", "none/a.msh"], "none/a.msh: cannot create"),
        (vec!["mesh", "missing.obj"], "missing.obj"),
        (vec!["mesh", "missing.msh"], "missing.msh: cannot be read"),
        (vec!["mesh", "huge.msh"], "huge.msh:5: promises 1000000000 nodes; the limit is"),
        (vec!["mesh", "flat.obj"], "flat.obj"),
        (vec!["mesh", "ball", "--resolution", "100000"], "256"),
        (vec!["mesh", "ball", "--fill", "2"], "within 0 to 1"),
    ] {
        let output = sinew(folder.path(), &arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let text = text(&output);
        assert!(text.contains(message) && !text.contains("panicked"), "{arguments:?}: {text}");
    }
}

#[test]
fn an_inverted_tetrahedron_is_refused_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.msh");
    let mut mesh = TetMesh::cuboid(DVec3::ONE, [2; 3]);
    mesh.tets[7].swap(0, 1);
    write(&mesh, &path, TetFileKind::Gmsh2).unwrap();
    let refused = sinew(folder.path(), &["mesh", "a.msh"]);
    assert!(!refused.status.success());
    assert!(text(&refused).contains("tetrahedron 8 is inverted"), "{}", text(&refused));
    assert!(text(&refused).contains("--repair"));
    let repaired = sinew(folder.path(), &["mesh", "a.msh", "--repair", "--out", "b.msh"]);
    assert!(repaired.status.success(), "{}", text(&repaired));
    let mesh = read(&folder.path().join("b.msh"), Faults::Refuse).unwrap();
    assert!((mesh.volume() - 1.0).abs() < 1e-12);
}

fn written(kind: TetFileKind) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = TetMesh::cuboid(DVec3::ONE, [1, 2, 1]);
    mesh.add_to_group("left", [0, 1], [2]);
    let path = folder.path().join("a.msh");
    write(&mesh, &path, kind).unwrap();
    fs::read_to_string(path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A good file with words replaced, lines dropped or bytes broken is read or refused, never a panic or a hang.
    #[test]
    fn broken_files_are_read_or_refused(
        version in 0usize..2,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..10), 1..4),
        repair in any::<bool>(),
    ) {
        let mut text = written([TetFileKind::Gmsh2, TetFileKind::Gmsh4][version]);
        for (place, edit) in edits {
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
            if words.is_empty() { break; }
            let at = place.index(words.len());
            match edit {
                0 => { words.remove(at); }
                1 => words[at] = "-1 ",
                2 => words[at] = "1000000000\n",
                3 => words[at] = "18446744073709551615 ",
                4 => words[at] = "nan ",
                5 => words[at] = "\u{fffd}",
                6 => words.truncate(at),
                7 => words.insert(at, "0 "),
                8 => words[at] = "1e308 ",
                _ => words.swap(0, at),
            }
            text = words.concat();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.msh");
        fs::write(&path, text).unwrap();
        match read(&path, if repair { Faults::Repair } else { Faults::Refuse }) {
            Ok(mesh) => prop_assert!(mesh.check().is_ok()),
            Err(error) => prop_assert!(!error.cure.is_empty() && error.to_string().contains("a.msh")),
        }
    }
}
