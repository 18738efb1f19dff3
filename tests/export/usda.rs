//! The USDA file: balanced, complete, continued after a kill.

use std::{fs, path::Path};

use sinew::export::{BodyRange, Snapshot, UsdaOptions, UsdaWriter};

const OPTIONS: UsdaOptions = UsdaOptions { frames_per_second: 10.0 };
const NAME: &str = "a \"quoted\"\nname {with [brackets 🪢";

struct Scene {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    segments: Vec<[u32; 2]>,
}

impl Scene {
    fn new() -> Self {
        Self {
            positions: (0..9).map(|i| [i as f32, 1e-9, -0.5]).collect(),
            triangles: vec![[0, 1, 2], [1, 2, 3]],
            segments: vec![[4, 5], [5, 6]],
        }
    }

    fn with<R>(&self, time: f64, use_it: impl FnOnce(&Snapshot) -> R) -> R {
        let bodies = [
            BodyRange {
                name: NAME,
                particles: 0..4,
                triangles: 0..self.triangles.len(),
                ..Default::default()
            },
            BodyRange {
                name: NAME,
                particles: 4..7,
                segments: 0..self.segments.len(),
                radius: 0.25,
                ..Default::default()
            },
            BodyRange { name: "7 dust", particles: 7..9, ..Default::default() },
        ];
        use_it(&Snapshot {
            time,
            positions: &self.positions,
            triangles: &self.triangles,
            segments: &self.segments,
            bodies: &bodies,
            ..Default::default()
        })
    }
}

/// Brackets outside strings close in order; the text stays on the lines it should.
fn assert_balanced(text: &str) {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' if in_string => {
                characters.next();
            }
            '"' => in_string = !in_string,
            '\n' => assert!(!in_string, "a string runs over the line"),
            '(' | '[' | '{' if !in_string => open.push(c),
            ')' | ']' | '}' if !in_string => {
                let expected = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                assert_eq!(open.pop(), Some(expected));
            }
            _ => {}
        }
    }
    assert!(open.is_empty() && !in_string);
}

/// The sample lines of the `nth` attribute that starts with `name`.
fn samples<'a>(text: &'a str, name: &str, nth: usize) -> Vec<&'a str> {
    let start = text
        .match_indices(&format!(" {name}.timeSamples = {{\n"))
        .nth(nth)
        .unwrap_or_else(|| panic!("{name} number {nth}"))
        .0;
    let lines = text[start..].lines().skip(1);
    lines.take_while(|l| l.trim() != "}").collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    assert_balanced(&text);
    text
}

#[test]
fn a_run_becomes_one_stage_with_a_sample_per_frame() {
    let (folder, scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    for k in 0..3 {
        scene.with(0.1 * f64::from(k), |s| writer.add(s)).unwrap();
    }
    assert!(!path.exists(), "nothing under the final name yet");
    writer.finish().unwrap();
    let text = read(&path);
    assert!(text.starts_with("#usda 1.0\n"));
    for word in [
        "metersPerUnit = 1\n",
        "upAxis = \"Y\"",
        "timeCodesPerSecond = 10\n",
        "startTimeCode = 0\n",
        "endTimeCode = 2\n",
        "def Mesh \"a__quoted__name__with__brackets__\"",
        "def BasisCurves \"a__quoted__name__with__brackets___2\"",
        "def Points \"_7_dust\"",
        "faceVertexIndices = [0, 1, 2, 1, 2, 3]\n",
        "faceVertexCounts = [3, 3]\n",
        "curveVertexCounts = [3]\n",
        "widths = [0.5]",
        "string name = \"a \\\"quoted\\\"\\nname {with [brackets 🪢\"",
    ] {
        assert!(text.contains(word), "`{word}` in\n{text}");
    }
    for (prim, point_count) in [4, 3, 2].into_iter().enumerate() {
        let lines = samples(&text, "points", prim);
        assert_eq!(lines.len(), 3);
        for (code, line) in lines.iter().enumerate() {
            assert!(line.trim_start().starts_with(&format!("{code}: [")));
            assert_eq!(line.matches('(').count(), point_count);
        }
        assert_eq!(samples(&text, "extent", prim).len(), 3);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no spool left");
}

#[test]
fn torn_cloth_has_topology_samples_where_it_changes() {
    let (folder, mut scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    for k in 0..4 {
        if k == 2 {
            scene.triangles.pop();
            scene.segments.pop();
        }
        scene.with(0.1 * f64::from(k), |s| writer.add(s)).unwrap();
    }
    writer.finish().unwrap();
    let text = read(&path);
    let found: Vec<&str> = samples(&text, "faceVertexIndices", 0).iter().map(|l| l.trim()).collect();
    assert_eq!(found, ["0: [0, 1, 2, 1, 2, 3],", "2: [0, 1, 2],"]);
    let found: Vec<&str> = samples(&text, "curveVertexCounts", 0).iter().map(|l| l.trim()).collect();
    assert_eq!(found, ["0: [3],", "2: [2],"]);
}

#[test]
fn a_body_torn_to_its_last_triangle_stays_a_mesh() {
    let (folder, mut scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    scene.with(0.0, |s| writer.add(s)).unwrap();
    scene.triangles.clear();
    scene.with(0.1, |s| writer.add(s)).unwrap();
    writer.finish().unwrap();
    assert!(read(&path).contains("1: [],"));
}

#[test]
fn faces_may_use_particles_of_another_body() {
    let folder = folder();
    let path = folder.path().join("run.usda");
    let positions: Vec<[f32; 3]> = (0..5).map(|i| [i as f32, 0.0, 0.0]).collect();
    let bodies = [BodyRange { name: "patch", particles: 3..5, triangles: 0..1, ..Default::default() }];
    let snapshot =
        Snapshot { positions: &positions, triangles: &[[4, 1, 3]], bodies: &bodies, ..Default::default() };
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    writer.add(&snapshot).unwrap();
    writer.finish().unwrap();
    let text = read(&path);
    assert!(text.contains("faceVertexIndices = [1, 2, 0]"), "{text}");
    assert!(text.contains("0: [(3, 0, 0), (4, 0, 0), (1, 0, 0)]"), "{text}");
}

#[test]
fn without_bodies_everything_is_one_body() {
    let folder = folder();
    let path = folder.path().join("run.usda");
    let snapshot = Snapshot {
        positions: &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        tetrahedra: &[[0, 1, 2, 3]],
        segments: &[[0, 1]],
        ..Default::default()
    };
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    writer.add(&snapshot).unwrap();
    writer.finish().unwrap();
    let text = read(&path);
    assert!(text.contains("def Mesh \"body\""));
    assert!(text.contains("def BasisCurves \"body_curves\""));
    assert!(text.contains("faceVertexCounts = [3, 3, 3, 3]"));
}

#[test]
fn empty_runs_and_empty_snapshots_are_valid_stages() {
    let folder = folder();
    let path = folder.path().join("run.usda");
    UsdaWriter::create(&path, OPTIONS).unwrap().finish().unwrap();
    assert!(read(&path).contains("endTimeCode = 0"));
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    writer.add(&Snapshot::default()).unwrap();
    writer.finish().unwrap();
    assert!(read(&path).contains("0: [],"));
}

#[test]
fn non_finite_positions_are_valid_tokens_and_extents_stay_finite() {
    let (folder, mut scene) = (folder(), Scene::new());
    scene.positions[0] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    scene.with(0.0, |s| writer.add(s)).unwrap();
    writer.finish().unwrap();
    let text = read(&path);
    assert!(text.contains("0: [(nan, inf, -inf), "));
    assert!(!samples(&text, "extent", 0)[0].contains(['n', 'i']));
}

#[test]
fn a_killed_run_leaves_the_old_file_and_can_be_continued() {
    let (folder, scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    fs::write(&path, "old").unwrap();
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    for k in 0..5 {
        scene.with(0.1 * f64::from(k), |s| writer.add(s)).unwrap();
    }
    drop(writer);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");

    // A kill in the middle of a write: the last frame is cut short.
    let spool = folder.path().join("run.usda.spool");
    let length = fs::metadata(&spool).unwrap().len();
    let file = fs::OpenOptions::new().write(true).open(&spool).unwrap();
    file.set_len(length - 5).unwrap();
    let kept = UsdaWriter::resume(&path, OPTIONS, f64::INFINITY).unwrap();
    assert_eq!(kept.frame_count(), 4);
    drop(kept);

    let mut writer = UsdaWriter::resume(&path, OPTIONS, 0.1).unwrap();
    assert_eq!((writer.frame_count(), writer.last_time()), (2, Some(0.1)));
    scene.with(0.25, |s| writer.add(s)).unwrap();
    writer.finish().unwrap();
    let text = read(&path);
    let codes: Vec<&str> =
        samples(&text, "points", 0).iter().map(|l| l.trim().split(':').next().unwrap()).collect();
    assert_eq!(codes, ["0", "1", "2.5"]);
}

#[test]
fn a_continued_run_equals_one_that_never_stopped() {
    let (folder, mut scene) = (folder(), Scene::new());
    let one = folder.path().join("one.usda");
    let two = folder.path().join("two.usda");
    let mut whole = UsdaWriter::create(&one, OPTIONS).unwrap();
    let mut halves = UsdaWriter::create(&two, OPTIONS).unwrap();
    for k in 0..6 {
        scene.positions[k][1] += 0.125;
        if k == 3 {
            drop(halves);
            halves = UsdaWriter::resume(&two, OPTIONS, 0.25).unwrap();
        }
        for writer in [&mut whole, &mut halves] {
            scene.with(0.1 * k as f64, |s| writer.add(s)).unwrap();
        }
    }
    whole.finish().unwrap();
    halves.finish().unwrap();
    let (one, two) = (read(&one), read(&two));
    // The continued one repeats its topology; the points are the same.
    for prim in 0..3 {
        assert_eq!(samples(&one, "points", prim), samples(&two, "points", prim));
    }
}

#[test]
fn a_finished_file_is_not_overwritten_by_a_resumed_run() {
    let (folder, scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    scene.with(0.0, |s| writer.add(s)).unwrap();
    writer.finish().unwrap();
    let error = UsdaWriter::resume(&path, OPTIONS, 0.0).unwrap_err();
    assert!(error.to_string().contains("another folder"), "{error}");
}

#[test]
fn a_hostile_spool_is_refused_without_harm() {
    let folder = folder();
    let path = folder.path().join("run.usda");
    let spool = folder.path().join("run.usda.spool");
    fs::write(&spool, "no spool").unwrap();
    let error = UsdaWriter::resume(&path, OPTIONS, 0.0).unwrap_err();
    assert!(error.to_string().contains("remove it"), "{error}");
    // A record that claims more bytes than there are is no reason to allocate them.
    let mut bytes = b"sinew usda spool 2\n".to_vec();
    bytes.extend(u64::MAX.to_le_bytes());
    bytes.extend([0; 40]);
    fs::write(&spool, bytes).unwrap();
    let writer = UsdaWriter::resume(&path, OPTIONS, 0.0).unwrap();
    assert_eq!(writer.frame_count(), 0);
}

#[test]
fn other_bodies_in_a_later_frame_are_an_error() {
    let (folder, scene) = (folder(), Scene::new());
    let path = folder.path().join("run.usda");
    let mut writer = UsdaWriter::create(&path, OPTIONS).unwrap();
    scene.with(0.0, |s| writer.add(s)).unwrap();
    let fewer =
        |s: &Snapshot, writer: &mut UsdaWriter| writer.add(&Snapshot { bodies: &s.bodies[..2], ..*s });
    let error = scene.with(0.1, |s| fewer(s, &mut writer)).unwrap_err();
    assert!(error.to_string().contains("`7 dust`"), "{error}");
    assert_eq!(writer.frame_count(), 1);
}
