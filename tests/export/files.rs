//! PLY, VTU and PVD, read back with other readers where there are any.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use ply_rs_bw::{
    parser::Parser,
    ply::{DefaultElement, Ply, Property},
};
use sinew::export::{BodyRange, CellField, Field, Snapshot, Values, VtuSeries, write_ply, write_vtu};

const NAMES: [&str; 2] = ["flag \"of\" <hope> & \n\t\0glory", "🪢 rope ]]>"];

/// Two bodies: a triangle and a tetrahedron with a segment; particle 7 is loose.
struct Sample {
    positions: Vec<[f32; 3]>,
    velocities: Vec<[f32; 3]>,
    heat: Vec<f32>,
    stretch: Vec<f32>,
}

impl Sample {
    fn new() -> Self {
        let mut positions: Vec<[f32; 3]> = (0..8).map(|i| [i as f32, 0.5, -1.25]).collect();
        positions[2] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        Self {
            velocities: positions.iter().map(|p| [2.0 * p[0], 0.0, 1.0]).collect(),
            heat: (0..8).map(|i| 300.0 + i as f32).collect(),
            stretch: vec![1.5],
            positions,
        }
    }

    fn with<R>(&self, time: f64, use_it: impl FnOnce(&Snapshot) -> R) -> R {
        let point_fields = [
            Field { name: "heat & \"cold\"", values: Values::Scalars(&self.heat) },
            Field { name: "spin", values: Values::Vectors(&self.velocities) },
        ];
        let cell_fields = [CellField { name: "stretch", triangles: &self.stretch, ..Default::default() }];
        let bodies = [
            BodyRange {
                name: NAMES[0],
                particles: 0..3,
                triangles: 0..1,
                colour: [1.0, 0.0, 0.2],
                ..Default::default()
            },
            BodyRange {
                name: NAMES[1],
                particles: 3..8,
                segments: 0..1,
                tetrahedra: 0..1,
                ..Default::default()
            },
        ];
        use_it(&Snapshot {
            time,
            positions: &self.positions,
            velocities: &self.velocities,
            triangles: &[[0, 1, 2]],
            segments: &[[3, 4]],
            tetrahedra: &[[3, 4, 5, 6]],
            point_fields: &point_fields,
            cell_fields: &cell_fields,
            bodies: &bodies,
        })
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn read_ply(path: &Path) -> Ply<DefaultElement> {
    let mut file = std::io::BufReader::new(fs::File::open(path).unwrap());
    Parser::<DefaultElement>::new().read_ply(&mut file).unwrap()
}

fn float(element: &DefaultElement, name: &str) -> f32 {
    match element.get(name) {
        Some(Property::Float(value)) => *value,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn ply_reads_back_bit_for_bit() {
    let (folder, sample) = (folder(), Sample::new());
    let path = folder.path().join("frame.ply");
    sample.with(0.25, |s| write_ply(&path, s)).unwrap();
    let ply = read_ply(&path);
    let vertices = &ply.payload["vertex"];
    assert_eq!(vertices.len(), 8);
    for (i, vertex) in vertices.iter().enumerate() {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (found, expected) = (float(vertex, name), sample.positions[i][axis]);
            assert_eq!(found.to_bits(), expected.to_bits());
        }
        let expected = sample.velocities[i][0];
        assert_eq!(float(vertex, "vx").to_bits(), expected.to_bits());
        assert_eq!(float(vertex, "spin_x").to_bits(), expected.to_bits());
        assert_eq!(float(vertex, "heat____cold_"), sample.heat[i]);
    }
    assert!(matches!(vertices[0].get("red"), Some(Property::UChar(255))));
    assert!(matches!(vertices[7].get("body"), Some(Property::Int(1))));

    let face = &ply.payload["face"][0];
    assert!(matches!(face.get("vertex_indices"), Some(Property::ListInt(list)) if *list == [0, 1, 2]));
    assert_eq!(float(face, "stretch"), 1.5);
    let edge = &ply.payload["edge"][0];
    assert!(matches!(edge.get("vertex1"), Some(Property::Int(3))));
    assert!(matches!(edge.get("vertex2"), Some(Property::Int(4))));
    // Elements that readers refuse.
    assert!(!ply.payload.contains_key("tetrahedron"));
}

#[test]
fn an_empty_snapshot_is_a_valid_ply() {
    let folder = folder();
    let path = folder.path().join("empty.ply");
    write_ply(&path, &Snapshot::default()).unwrap();
    let ply = read_ply(&path);
    assert_eq!(ply.header.elements["vertex"].count, 0);
    assert_eq!(ply.header.elements["face"].count, 0);
}

/// Elements as (name, attributes), checked for balance; enough XML for what we write.
fn parse_xml(text: &str) -> Vec<(String, HashMap<String, String>)> {
    let mut open: Vec<String> = Vec::new();
    let mut elements = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains(['>', '&']), "stray character in text");
        rest = &rest[start + 1..];
        // No `>` may stand in an attribute: ours are escaped.
        let end = rest.find('>').expect("a tag is closed");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "tags are nested");
            continue;
        }
        let is_single = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut found = HashMap::new();
        while let Some((key, tail)) = attributes.trim_start().split_once("=\"") {
            let (value, tail) = tail.split_once('"').expect("a quoted value is closed");
            assert!(!value.contains('<') && !value.contains(char::is_control));
            for entity in value.split('&').skip(1) {
                let known = ["amp;", "lt;", "gt;", "quot;"];
                assert!(known.iter().any(|k| entity.starts_with(k)), "{value}");
            }
            let is_new = found.insert(key.to_owned(), value.to_owned()).is_none();
            assert!(is_new, "attribute {key} stands twice");
            attributes = tail;
        }
        assert!(attributes.trim().is_empty(), "leftover `{attributes}`");
        if !is_single {
            open.push(name.to_owned());
        }
        elements.push((name.to_owned(), found));
    }
    assert!(open.is_empty(), "open at the end: {open:?}");
    elements
}

/// The appended arrays by name (the last of a name wins), after checking every offset and byte count.
fn parse_vtu(bytes: &[u8]) -> (HashMap<String, Vec<u8>>, HashMap<String, String>) {
    let opening = b"<AppendedData encoding=\"raw\">\n_";
    let closing = b"\n</AppendedData>\n</VTKFile>\n";
    let find = |needle: &[u8]| bytes.windows(needle.len()).position(|w| w == needle);
    let data_start = find(opening).expect("appended data") + opening.len();
    assert!(bytes.ends_with(closing));
    let data = &bytes[data_start..bytes.len() - closing.len()];

    let header = std::str::from_utf8(&bytes[..data_start - 1]).unwrap();
    let whole = format!("{header}</AppendedData></VTKFile>");
    let elements = parse_xml(&whole);
    let mut arrays = HashMap::new();
    let mut expected_offset = 0;
    for (name, attributes) in &elements {
        if name == "DataArray" {
            let offset: usize = attributes["offset"].parse().unwrap();
            assert_eq!(offset, expected_offset, "arrays follow each other");
            let count = u64::from_le_bytes(data[offset..offset + 8].try_into().unwrap());
            let end = offset + 8 + count as usize;
            arrays.insert(attributes["Name"].clone(), data[offset + 8..end].to_vec());
            expected_offset = end;
        }
    }
    assert_eq!(expected_offset, data.len(), "no bytes are left over");
    let piece = elements.into_iter().find(|(name, _)| name == "Piece");
    (arrays, piece.unwrap().1)
}

fn int64s(bytes: &[u8]) -> Vec<i64> {
    let words = bytes.chunks_exact(8);
    words.map(|w| i64::from_le_bytes(w.try_into().unwrap())).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.chunks_exact(4);
    words.map(|w| f32::from_le_bytes(w.try_into().unwrap())).collect()
}

#[test]
fn vtu_holds_every_array_where_its_header_says() {
    let (folder, sample) = (folder(), Sample::new());
    let path = folder.path().join("frame.vtu");
    sample.with(0.25, |s| write_vtu(&path, s)).unwrap();
    let (arrays, piece) = parse_vtu(&fs::read(&path).unwrap());
    assert_eq!(piece["NumberOfPoints"], "8");
    assert_eq!(piece["NumberOfCells"], "4");
    assert_eq!(arrays["TimeValue"], 0.25_f64.to_le_bytes());
    let names = String::from_utf8(arrays["body_names"].clone()).unwrap();
    assert_eq!(names.lines().count(), 2);
    assert!(
        !fs::read(&path).unwrap().windows(6).any(|w| w == b"String"),
        "meshio cannot read arrays of strings"
    );
    // Triangle, line, tetrahedron, and particle 7 that nothing else shows.
    let connectivity = int64s(&arrays["connectivity"]);
    assert_eq!(connectivity, [0, 1, 2, 3, 4, 3, 4, 5, 6, 7]);
    assert_eq!(int64s(&arrays["offsets"]), [3, 5, 9, 10]);
    assert_eq!(arrays["types"], [5, 3, 10, 1]);
    let cell_bodies: Vec<u8> = arrays["body"].chunks(4).map(|w| w[0]).collect();
    assert_eq!(cell_bodies, [0, 1, 1, 1]);
    let stretch = floats(&arrays["stretch"]);
    assert_eq!(stretch[0], 1.5);
    assert!(stretch[1..].iter().all(|v| v.is_nan()) && stretch.len() == 4);
    assert_eq!(floats(&arrays["heat &amp; &quot;cold&quot;"]), sample.heat);
    let bits: Vec<u32> = floats(&arrays["Points"]).iter().map(|v| v.to_bits()).collect();
    let expected: Vec<u32> = sample.positions.iter().flatten().map(|v| v.to_bits()).collect();
    assert_eq!(bits, expected);
}

#[test]
fn an_empty_snapshot_is_a_valid_vtu() {
    let folder = folder();
    let path = folder.path().join("empty.vtu");
    write_vtu(&path, &Snapshot::default()).unwrap();
    let (arrays, piece) = parse_vtu(&fs::read(&path).unwrap());
    assert_eq!(piece["NumberOfPoints"], "0");
    assert!(arrays["connectivity"].is_empty());
}

fn collection(path: &Path) -> Vec<(f64, String)> {
    let text = fs::read_to_string(path).unwrap();
    parse_xml(&text)
        .into_iter()
        .filter(|(name, _)| name == "DataSet")
        .map(|(_, a)| (a["timestep"].parse().unwrap(), a["file"].clone()))
        .collect()
}

#[test]
fn the_collection_is_complete_after_each_frame() {
    let (folder, sample) = (folder(), Sample::new());
    let path = folder.path().join("a & b.pvd");
    let mut series = VtuSeries::create(&path).unwrap();
    for k in 0..3 {
        let time = 0.1 * f64::from(k);
        let frame = sample.with(time, |s| series.add(s)).unwrap();
        assert!(frame.exists());
        let listed = collection(&path);
        assert_eq!(listed.len(), k as usize + 1);
        let last = listed.last().unwrap();
        assert_eq!(last.0, time);
        assert_eq!(last.1, format!("a &amp; b_00000{k}.vtu"));
    }
}

#[test]
fn a_resumed_collection_keeps_what_precedes_the_resumed_time() {
    let (folder, sample) = (folder(), Sample::new());
    let path = folder.path().join("run.pvd");
    let mut series = VtuSeries::create(&path).unwrap();
    for time in [0.0, 0.1, 0.2, 0.30000000000000004] {
        sample.with(time, |s| series.add(s)).unwrap();
    }
    drop(series);
    let mut series = VtuSeries::resume(&path, 0.1).unwrap();
    assert_eq!((series.frame_count(), series.last_time()), (2, Some(0.1)));
    sample.with(0.15, |s| series.add(s)).unwrap();
    let names: Vec<(f64, String)> =
        [0.0, 0.1, 0.15].into_iter().enumerate().map(|(k, t)| (t, format!("run_00000{k}.vtu"))).collect();
    assert_eq!(collection(&path), names);
}

#[test]
fn a_frame_written_again_replaces_itself() {
    let (folder, sample) = (folder(), Sample::new());
    let path = folder.path().join("run.pvd");
    let mut series = VtuSeries::create(&path).unwrap();
    for time in [0.0, 0.1, 0.1] {
        sample.with(time, |s| series.add(s)).unwrap();
    }
    assert_eq!(collection(&path).len(), 2);
}

#[test]
fn a_foreign_file_is_not_continued_as_a_collection() {
    let folder = folder();
    let path = folder.path().join("run.pvd");
    for text in ["hello", "<Collection>\n<DataSet timestep=\"x\" file=\"a\"/>"] {
        fs::write(&path, text).unwrap();
        let error = VtuSeries::resume(&path, 1.0).unwrap_err().to_string();
        assert!(error.contains("run.pvd") && error.contains("move"), "{error}");
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(VtuSeries::resume(&path, 1.0).unwrap().frame_count(), 0);
}

/// The test starts itself as the process to be killed; this variable tells the two apart.
const VICTIM_FOLDER: &str = "SINEW_EXPORT_VICTIM_FOLDER";

#[test]
fn a_killed_process_leaves_only_whole_files() {
    let sample = Sample::new();
    if let Some(folder) = std::env::var_os(VICTIM_FOLDER) {
        let mut series = VtuSeries::create(Path::new(&folder).join("run.pvd")).unwrap();
        // Longer than it will live, but not for ever, should nobody be left to kill it.
        for frame in 0..5000 {
            sample.with(f64::from(frame), |s| series.add(s)).unwrap();
        }
        return;
    }
    for delay in [60, 75, 90, 105] {
        let folder = folder();
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "files::a_killed_process_leaves_only_whole_files"])
            .env(VICTIM_FOLDER, folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let path = folder.path().join("run.pvd");
        while !path.exists() {
            assert!(victim.try_wait().unwrap().is_none(), "the victim runs");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(delay));
        victim.kill().unwrap();
        victim.wait().unwrap();
        let frames = collection(&path);
        assert!(!frames.is_empty());
        for (_, name) in frames {
            parse_vtu(&fs::read(folder.path().join(name)).unwrap());
        }
    }
}
