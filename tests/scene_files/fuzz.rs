//! Hostile input: whatever the bytes, a scene or mesh is read or refused, without panic, hang or large memory.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use sinew::scene::mesh_file::{self, MeshFileKind};
use sinew::scene::{Cloth, ClothShape, Scene};

/// Longest time for one small file; the slowest takes a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

const SCENE: &str = r#"format = 1
title = "all keys"
gravity = [0, -9.81, 0]
time_step = 0.016
substeps = 10
iterations = 2
solver = "jacobi"
relaxation = 1.5
chebyshev = 0.9
damping = 0.1
duration = 5.0
seed = 7
[wind]
velocity = [4, 0, 0]
density = 1.225
gust = { amplitude = 0.4, period = 1.7 }
[camera]
eye = [0, 1, 3]
target = [0, 1, 0]
up = [0, 1, 0]
field_of_view = 40
orbit = 10
[render]
size = [64, 48]
frames_per_second = 30
colour = "strain"
range = [0, 0.1]
ground = -0.5
theme = "dark"
[[cloth]]
name = "flag"
grid = { size = [1.5, 1.0], cells = [6, 4] }
position = [0, 1, 0]
rotation = [10, 20, 30]
scale = 2.0
velocity = [0, 0, 1]
density = 0.2
thickness = 0.001
colour = [0.8, 0.2, 0.1]
stretch_stiffness = inf
compression_stiffness = 10
shear_stiffness = 100
bending = "distance"
bending_stiffness = 1e-4
area_stiffness = 3
tethers = { slack = 1.1, to = "every" }
coarse_links = true
drag = 1.0
lift = 0.5
friction = 0.3
[[cloth.pin]]
corners = ["top_left", "bottom_right"]
compliance = 0.01
motion = [ { time = 0, offset = [0, 0, 0] }, { time = 2, offset = [1, 0, 0], rotation = [0, 90, 0] } ]
pivot = [0, 0, 0]
release = 3.0
[[cloth]]
disc = { radius = 0.5, rings = 5 }
[[cloth.pin]]
edge = "rim"
[[cloth]]
mesh = "tetrahedron.obj"
[[cloth.pin]]
nearest = [0, 0, 0]
[[points]]
chain = { from = [0, 0, 0], to = [1, 0, 0], links = 20, mass = 1.0 }
compliance = 1e-6
compression_compliance = inf
[[points.pin]]
box = { min = [-1, -1, -1], max = [0.1, inf, 1] }
[[points]]
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
masses = [1, 2, 3, 4]
links = [[0, 1], [1, 2]]
triangles = [[0, 1, 2]]
tetrahedra = [[0, 1, 2, 3]]
area_compliance = 1e-3
volume_compliance = 1e-3
radius = 0.02
[[collider]]
plane = { normal = [0, 1, 0], offset = -2 }
[[collider]]
capsule = { radius = 0.1, length = 1 }
motion = [ { time = 0 } ]
[[collider]]
box = { size = [1, 1, 1] }
[[collider]]
mesh = { file = "tetrahedron.stl", scale = 2, resolution = 16 }
[expect]
at = 3.0
max_stretch = 0.05
energy = { min = -5, max = 5 }
kinetic_energy = { max = 2 }
max_speed = 10
lowest = { min = -0.01 }
highest = { max = 9 }
[[expect.particle]]
body = "flag"
index = 0
min = [-9, -9, -9]
max = [9, 9, 9]
"#;

/// Tokens that tend to break readers.
const TOKENS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e308",
    "1e-308",
    "1e999",
    "-0.0",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1000000000",
    "true",
    "\"\"",
    "[]",
    "{}",
    "[[]]",
    "[0]",
    "[0, 0, 0]",
    "{ time = 0 }",
    "\"top\"",
    "1979-05-27",
    "''",
    "=",
    "\n",
    "\u{0}",
    "é",
    "[[cloth]]",
    "#",
    "0x7fffffff",
    "format",
    "f 1 2 3",
    "v 0 0 0",
    "end_header",
    "element face 999999999",
];

/// One change to a file.
#[derive(Debug, Clone)]
enum Mutation {
    Flip { at: prop::sample::Index, bit: u8 },
    Truncate { at: prop::sample::Index },
    Insert { at: prop::sample::Index, token: &'static str },
    Replace { at: prop::sample::Index, token: &'static str },
    Swap { a: prop::sample::Index, b: prop::sample::Index },
    Repeat { at: prop::sample::Index, times: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let token = || prop::sample::select(TOKENS);
    prop_oneof![
        2 => (at(), 0u8..8).prop_map(|(at, bit)| Mutation::Flip { at, bit }),
        1 => at().prop_map(|at| Mutation::Truncate { at }),
        1 => (at(), token()).prop_map(|(at, token)| Mutation::Insert { at, token }),
        5 => (at(), token()).prop_map(|(at, token)| Mutation::Replace { at, token }),
        2 => (at(), at()).prop_map(|(a, b)| Mutation::Swap { a, b }),
        1 => (at(), 2usize..40).prop_map(|(at, times)| Mutation::Repeat { at, times }),
    ]
}

/// Ranges of the words of a file: runs without space, comma or bracket.
fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_gap = |b: u8| b.is_ascii_whitespace() || b",[]{}=/".contains(&b);
    let mut words = Vec::new();
    let mut start = None;
    for (i, &b) in bytes.iter().chain(b"\n").enumerate() {
        match (start, is_gap(b)) {
            (None, false) => start = Some(i),
            (Some(s), true) => {
                words.push(s..i);
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation) {
    if bytes.is_empty() {
        return;
    }
    let words = words(bytes);
    match mutation {
        Mutation::Flip { at, bit } => {
            let i = at.index(bytes.len());
            bytes[i] ^= 1 << bit;
        }
        Mutation::Truncate { at } => bytes.truncate(at.index(bytes.len())),
        Mutation::Insert { at, token } => {
            let i = at.index(bytes.len());
            bytes.splice(i..i, token.bytes());
        }
        Mutation::Replace { at, token } if !words.is_empty() => {
            bytes.splice(words[at.index(words.len())].clone(), token.bytes());
        }
        Mutation::Swap { a, b } if !words.is_empty() => {
            let (a, b) = (words[a.index(words.len())].clone(), words[b.index(words.len())].clone());
            let word = bytes[b].to_vec();
            bytes.splice(a, word);
        }
        Mutation::Repeat { at, times } => {
            let i = at.index(bytes.len());
            let line: Vec<u8> =
                bytes[i..].split_inclusive(|b| *b == b'\n').next().unwrap_or_default().repeat(*times);
            bytes.splice(i..i, line);
        }
        Mutation::Replace { .. } | Mutation::Swap { .. } => {}
    }
}

fn read_scene(text: &str) {
    let start = Instant::now();
    if let Err(error) = Scene::parse(text, "fuzz.toml", "scenes/meshes") {
        let message = error.to_string();
        assert!(message.starts_with("fuzz.toml:"), "no place: {message}");
        assert!(message.len() < 1000 && !message.contains('\n'), "unreadable: {message}");
    }
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
}

fn read_mesh(bytes: &[u8], kind: MeshFileKind) {
    let start = Instant::now();
    match mesh_file::parse(bytes, kind) {
        Ok(mesh) => {
            mesh.check().expect("a mesh that was read has been checked");
            let sheet = Cloth { shape: ClothShape::Triangles(mesh), ..Cloth::default() };
            if let Ok(built) = sheet.build() {
                built.links(sinew::scene::Bending::Distance);
                (0..built.mesh.triangles.len()).for_each(|t| assert!(built.rest_triangle(t)[1].is_finite()));
            }
        }
        Err(error) => assert!(error.to_string().len() < 1000, "unreadable: {error}"),
    }
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
}

fn binary_ply() -> Vec<u8> {
    let mut file = b"ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
        .to_vec();
    for p in [[0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        p.iter().for_each(|x| file.extend(x.to_le_bytes()));
        file.push(255);
    }
    for t in [[0i32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        file.push(3);
        t.iter().for_each(|i| file.extend(i.to_le_bytes()));
    }
    file
}

fn binary_stl() -> Vec<u8> {
    let mut file = vec![b' '; 80];
    file.extend(2u32.to_le_bytes());
    for t in [[0f32, 0., 0., 1., 0., 0., 1., 1., 0.], [0., 0., 0., 1., 1., 0., 0., 1., 0.]] {
        file.extend([0; 12]);
        t.iter().for_each(|x| file.extend(x.to_le_bytes()));
        file.extend([0; 2]);
    }
    file
}

fn samples() -> Vec<(Vec<u8>, MeshFileKind)> {
    let file = |name: &str| {
        std::fs::read(Path::new("scenes/meshes").join(name)).expect("the sample meshes are in the repository")
    };
    let textured =
        b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1/1 2/2/1 3/3/1 4/4/1\n"
            .to_vec();
    vec![
        (file("tetrahedron.obj"), MeshFileKind::Obj),
        (textured, MeshFileKind::Obj),
        (file("tetrahedron.ply"), MeshFileKind::Ply),
        (binary_ply(), MeshFileKind::Ply),
        (file("tetrahedron.stl"), MeshFileKind::Stl),
        (binary_stl(), MeshFileKind::Stl),
    ]
}

#[test]
fn the_files_that_are_mutated_are_valid() {
    Scene::parse(SCENE, "fuzz.toml", "scenes/meshes").unwrap();
    for (bytes, kind) in samples() {
        mesh_file::parse(&bytes, kind).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_scene_is_read_or_refused(mutations in prop::collection::vec(mutation(), 1..4)) {
        let mut bytes = SCENE.as_bytes().to_vec();
        mutations.iter().for_each(|m| mutate(&mut bytes, m));
        read_scene(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_mutated_mesh_is_read_or_refused(sample in 0usize..6, mutations in prop::collection::vec(mutation(), 1..4)) {
        let (mut bytes, kind) = samples().swap_remove(sample);
        mutations.iter().for_each(|m| mutate(&mut bytes, m));
        read_mesh(&bytes, kind);
    }

    #[test]
    fn arbitrary_bytes_are_refused_politely(bytes in prop::collection::vec(any::<u8>(), 0..300), header in 0usize..4) {
        let headers: [&[u8]; 4] = [b"", b"ply\nformat binary_little_endian 1.0\n", b"solid ", b"format = 1\n"];
        let bytes = [headers[header], &bytes].concat();
        for kind in [MeshFileKind::Obj, MeshFileKind::Ply, MeshFileKind::Stl] {
            read_mesh(&bytes, kind);
        }
        read_scene(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_number_of_a_scene_survives_every_hostile_token() {
    let words = words(SCENE.as_bytes());
    let is_number = |w: &std::ops::Range<usize>| SCENE[w.clone()].parse::<f64>().is_ok();
    for word in words.into_iter().filter(is_number) {
        for token in ["nan", "inf", "-inf", "-1", "0", "1e308", "-1e308", "1e-308", "4294967295", "\"x\""] {
            let mut text = SCENE.to_owned();
            text.replace_range(word.clone(), token);
            read_scene(&text);
        }
    }
}

#[test]
fn every_file_of_the_corpus_is_refused() {
    let mut count = 0;
    for entry in std::fs::read_dir("tests/corpus").unwrap() {
        let path = entry.unwrap().path();
        let start = Instant::now();
        let message = if path.extension().is_some_and(|e| e == "toml") {
            Scene::load(&path).expect_err(&format!("{} was accepted", path.display())).to_string()
        } else {
            let sheet =
                Cloth { shape: ClothShape::Mesh { file: path.clone(), scale: 1.0 }, ..Cloth::default() };
            // An open surface is a fine sheet; it is in the corpus as a collider.
            if path.ends_with("open.obj") {
                continue;
            }
            sheet.build().expect_err(&format!("{} was accepted", path.display())).to_string()
        };
        assert!(message.contains(&path.display().to_string()), "{message}");
        assert!(message.len() < 1000, "{message}");
        assert!(start.elapsed() < PATIENCE, "{} took {:?}", path.display(), start.elapsed());
        count += 1;
    }
    assert!(count > 30, "only {count} files in the corpus");
}
