//! Files that are whole or not there, snapshots that make sense or are refused.

use std::{fs, io::Write, path::Path};

use sinew::export::{
    AtomicFile, BodyRange, CellField, ExportError, Field, Image, Series, Snapshot, UsdaOptions, UsdaWriter,
    Values, VtuSeries, write_ply, write_png, write_vtu,
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_dropped_without_commit_leaves_the_old_one_and_no_trace() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(&vec![b'x'; 1 << 20]).unwrap();
    let temporary = format!("a.txt.tmp-{}", std::process::id());
    assert_eq!(names_in(folder.path()), ["a.txt", &temporary]);
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names_in(folder.path()), ["a.txt"]);
}

#[test]
fn a_committed_file_replaces_the_old_one() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    AtomicFile::write_with(&path, |f| f.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names_in(folder.path()), ["a.txt"]);
}

#[test]
fn an_error_while_writing_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let error = AtomicFile::write_with(&path, |f| {
        f.write_all(b"half")?;
        Err(std::io::Error::other("the disk is tired"))
    })
    .unwrap_err();
    assert!(error.to_string().contains("a.txt: cannot write: the disk is tired"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names_in(folder.path()), ["a.txt"]);
}

#[test]
fn every_writer_names_a_path_it_cannot_create() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    // A file in the place of a folder fails for root too.
    let at = |name: &str| file.join(name);
    let snapshot = Snapshot::default();
    let options = UsdaOptions { frames_per_second: 24.0 };
    let errors: Vec<(&str, ExportError)> = vec![
        ("a.ply", write_ply(at("a.ply"), &snapshot).unwrap_err()),
        ("a.vtu", write_vtu(at("a.vtu"), &snapshot).unwrap_err()),
        ("a_000000.vtu", VtuSeries::create(at("a.pvd")).unwrap().add(&snapshot).unwrap_err()),
        ("a.usda", UsdaWriter::create(at("a.usda"), options).unwrap_err()),
        ("a.csv", Series::create(at("a.csv"), &["time"]).unwrap_err()),
        ("a.png", write_png(at("a.png"), &Image::new(2, 2, [0; 4])).unwrap_err()),
    ];
    for (name, error) in errors {
        let text = error.to_string();
        assert!(text.contains(name) && text.contains("cannot create"), "{text}");
    }
}

#[test]
fn a_path_without_a_file_name_is_an_error() {
    assert!(AtomicFile::create("/").is_err());
    assert!(AtomicFile::create("").is_err());
}

#[test]
fn contradictory_snapshots_are_refused_with_their_reason() {
    let positions = [[0.0; 3]; 3];
    let base = Snapshot { time: 1.5, positions: &positions, ..Default::default() };
    let reversed =
        BodyRange { name: "b", particles: std::ops::Range { start: 2, end: 1 }, ..Default::default() };
    let too_many = [CellField { name: "s", segments: &[1.0], ..Default::default() }];
    let cases: Vec<(Snapshot, &str)> = vec![
        (Snapshot { velocities: &positions[..2], ..base }, "2 velocities for 3"),
        (Snapshot { triangles: &[[0, 1, 2], [0, 1, 3]], ..base }, "triangle 1 names particle 3 of 3"),
        (Snapshot { tetrahedra: &[[0, 1, 2, u32::MAX]], ..base }, "tetrahedron 0"),
        (Snapshot { bodies: std::slice::from_ref(&reversed), ..base }, "claims particles 2..1"),
        (
            Snapshot {
                point_fields: &[Field { name: "body", values: Values::Vectors(&[[0.0; 3]; 3]) }],
                ..base
            },
            "choose another",
        ),
        (Snapshot { cell_fields: &too_many, ..base }, "1 values for 0 segments"),
        (Snapshot { time: f64::NAN, ..base }, "not finite"),
    ];
    for (snapshot, expected) in cases {
        let text = snapshot.check().unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
    }
}
