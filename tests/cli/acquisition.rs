//! Scans of scenes, and what is made of them.

use crate::program::Place;
use glam::DMat4;
use sinew::cloud;

/// A sheet over nothing, and a solid beside it.
const SCENE: &str = r#"
format = 1
gravity = [0, 0, 0]

[[solid]]
name = "rabbit"
rabbit = { height = 0.3 }
resolution = 12
colour = [0.8, 0.5, 0.3]
"#;

/// The truth's pose of a view.
fn pose(truth: &serde_json::Value, view: usize) -> DMat4 {
    let rows: [[f64; 4]; 4] = serde_json::from_value(truth["views"][view]["pose"].clone()).unwrap();
    DMat4::from_cols_array_2d(&rows).transpose()
}

#[test]
fn views_of_a_scene_agree_by_the_truth_beside_them() {
    let place = Place::new();
    place.write("body.toml", SCENE);
    place.succeed("scan body.toml --views 6 --resolution 96x80 --out scans --backend cpu");
    assert_eq!(
        place.files("scans"),
        [
            "truth.json",
            "view_00.ply",
            "view_01.ply",
            "view_02.ply",
            "view_03.ply",
            "view_04.ply",
            "view_05.ply",
            "views.png"
        ]
    );
    let truth: serde_json::Value = serde_json::from_str(&place.text("scans/truth.json")).unwrap();
    let clouds: Vec<_> = (0..6)
        .map(|view| {
            let cloud = cloud::read(&place.path(&format!("scans/view_{view:02}.ply"))).unwrap();
            assert_eq!(truth["views"][view]["points"], cloud.points.len());
            assert_eq!(cloud.colours[0], [204, 128, 77]);
            let pose = pose(&truth, view);
            cloud.points.iter().map(|&x| pose.transform_point3(x)).collect::<Vec<_>>()
        })
        .collect();
    // Opposite views see different sides, neighbours share part of theirs.
    let nearest = |x: glam::DVec3, cloud: &[glam::DVec3]| {
        cloud.iter().map(|y| x.distance(*y)).fold(f64::INFINITY, f64::min)
    };
    let shared = |a: usize, b: usize| {
        let near = clouds[a].iter().filter(|&&x| nearest(x, &clouds[b]) < 0.006).count();
        near as f64 / clouds[a].len() as f64
    };
    let [neighbour, opposite] = [shared(0, 1), shared(0, 3)];
    assert!(neighbour > 0.25 && opposite < neighbour, "{neighbour} {opposite}");
    // The same again, to the bit; other noise with another seed.
    place.succeed("scan body.toml --views 6 --resolution 96x80 --out again --backend cpu --threads 1");
    assert_eq!(place.read("scans/view_03.ply"), place.read("again/view_03.ply"));
    place.succeed("scan body.toml --views 6 --resolution 96x80 --out other --seed 2 --backend cpu");
    assert_ne!(place.read("scans/view_03.ply"), place.read("other/view_03.ply"));
}

#[test]
fn what_cannot_be_scanned_is_said() {
    let place = Place::new();
    place.write(
        "rope.toml",
        "format = 1\n[[rod]]\nname = \"rope\"\nfrom = [0, 1, 0]\nto = [1, 1, 0]\nsegments = 9\n",
    );
    place.fail("scan rope.toml --out scans --backend cpu", &["rope has no surface", "sheets and solids"]);
    assert!(place.files("scans").is_empty());
}

/// The views of a scan, registered in some order into a folder.
fn register(place: &Place, views: &[String], folder: &str, more: &str) {
    place.succeed(&format!("register {} --out {folder} {more}", views.join(" ")));
}

#[test]
fn scans_are_put_together_whatever_their_order() {
    let place = Place::new();
    place.write("body.toml", SCENE);
    place.succeed("scan body.toml --views 8 --resolution 140x140 --elevation 10 --out scans --backend cpu");
    let mut views: Vec<String> = (0..8).map(|view| format!("scans/view_{view:02}.ply")).collect();
    register(&place, &views, "aligned", "--json report.json");
    let truth: serde_json::Value = serde_json::from_str(&place.text("scans/truth.json")).unwrap();
    let objects: serde_json::Value = serde_json::from_str(&place.text("aligned/motions.json")).unwrap();
    let placed = objects[0]["scans"].as_array().unwrap();
    assert_eq!(placed.len(), 8, "all views are of one body");
    let back = pose(&truth, 0).inverse();
    for (view, scan) in placed.iter().enumerate() {
        assert_eq!(scan["file"], views[view]);
        let rows: [[f64; 4]; 4] = serde_json::from_value(scan["motion"].clone()).unwrap();
        let found = DMat4::from_cols_array_2d(&rows).transpose();
        let expected = back * pose(&truth, view);
        let off = (found - expected).to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(off < 5e-3, "view {view} is off by {off}");
    }
    let all = cloud::read(&place.path("aligned/object-1.ply")).unwrap();
    let parts = views.iter().map(|view| cloud::read(&place.path(view)).unwrap().points.len());
    assert_eq!(all.points.len(), parts.sum::<usize>());
    assert!(!all.normals.is_empty() && !all.colours.is_empty());
    assert!(place.path("aligned/object-1/view_07.ply").exists());
    let report: serde_json::Value = serde_json::from_str(&place.text("report.json")).unwrap();
    assert_eq!(report["pairs"].as_array().unwrap().len(), 28);
    // Another order and another number of threads: the same bytes.
    views.reverse();
    register(&place, &views, "again", "--threads 1 --quiet");
    assert_eq!(place.read("aligned/motions.json"), place.read("again/motions.json"));
    assert_eq!(place.read("aligned/object-1.ply"), place.read("again/object-1.ply"));
    // Two files print a matrix; two that have nothing in common are said to.
    let said = place.succeed("register scans/view_00.ply scans/view_01.ply").out;
    assert!(said.starts_with("sure: ") && said.lines().count() == 5, "{said}");
}

#[test]
fn what_cannot_be_registered_is_said() {
    let place = Place::new();
    let surface = |scale: f64| -> String {
        let point = |k: i32| {
            let [x, y] = [f64::from(k % 30), f64::from(k / 30)];
            let z = (0.7 * x).sin() + (0.5 * y + 0.1 * x).cos();
            format!("{} {} {}\n", scale * x, scale * y, scale * (40.0 + z))
        };
        (0..900).map(point).collect()
    };
    place.write("good.xyz", surface(0.01));
    place.write("millimetres.xyz", surface(10.0));
    place.write("one.xyz", "1 2 3\n");
    place.write("line.xyz", (0..50).map(|k| format!("{k} {} 7\n", 2 * k)).collect::<String>());
    place.write("nan.xyz", "1 2 3\nnan 2 3\n4 5 6\n");
    place.write("empty.xyz", "# nothing\n");
    place.write(
        "billion.ply",
        "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n0\n",
    );
    place.write("normal.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\nend_header\n0 0 1 0 0 0\n");
    for (file, words) in [
        ("one.xyz", ["one.xyz", "one place"]),
        ("line.xyz", ["line.xyz", "on a line"]),
        ("nan.xyz", ["nan.xyz", "point 1 is not finite"]),
        ("empty.xyz", ["empty.xyz", "no points"]),
        ("billion.ply", ["billion.ply", "1000000000 points"]),
        ("normal.ply", ["normal.ply", "normal 0 has no length"]),
        ("missing.ply", ["missing.ply", "cannot be read"]),
        ("millimetres.xyz", ["millimetres.xyz", "not in metres"]),
    ] {
        place.fail(&format!("register good.xyz {file} --json report.json"), &words);
        assert!(!place.path("report.json").exists(), "{file}");
    }
    place.write("plane.xyz", (0..900).map(|k| format!("{} {} 3\n", k % 30, k / 30)).collect::<String>());
    let ended = place.sinew("register plane.xyz plane.xyz");
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    assert!(ended.out.starts_with("none: "), "{}", ended.out);
}

#[test]
fn points_are_filled_and_what_cannot_be_is_said() {
    let place = Place::new();
    // Along a spiral from pole to pole, evenly.
    let ball = (0..3000).map(|k| {
        let y = 1.0 - (2.0 * f64::from(k) + 1.0) / 3000.0;
        let (sine, cosine) = (2.399963 * f64::from(k)).sin_cos();
        let out = (1.0 - y * y).sqrt();
        format!("{} {} {}\n", 0.5 * out * cosine, 0.5 * y, 0.5 * out * sine)
    });
    place.write("ball.xyz", ball.collect::<String>());
    place.succeed("mesh ball.xyz --resolution 10 --out ball.msh --json ball.json");
    let report: serde_json::Value = serde_json::from_str(&place.text("ball.json")).unwrap();
    let volume = report["quality"]["volume"].as_f64().unwrap() / (std::f64::consts::PI / 6.0);
    assert!((volume - 1.0).abs() < 0.05, "{volume}");
    assert_eq!(report["filled"]["inside"], "votes");
    place.write("plane.xyz", (0..900).map(|k| format!("{} {} 3\n", k % 30, k / 30)).collect::<String>());
    place.write("line.xyz", (0..50).map(|k| format!("{k} {} 7\n", 2 * k)).collect::<String>());
    place.fail("mesh plane.xyz --back plane --out no.msh", &["plane.xyz", "nothing stands out of the wall"]);
    place.fail("mesh ball.xyz --back plane --out no.msh", &["ball.xyz", "no wall is seen"]);
    place.fail("mesh line.xyz --out no.msh", &["line.xyz", "on a line"]);
    assert!(!place.path("no.msh").exists());
}

#[test]
fn colours_tell_what_is_diffuse_and_missing_ones_are_said() {
    let place = Place::new();
    place.write("body.toml", SCENE);
    place.succeed("scan body.toml --views 3 --resolution 60x60 --out scans --backend cpu");
    let truth: serde_json::Value = serde_json::from_str(&place.text("scans/truth.json")).unwrap();
    let scans: Vec<_> = (0..3)
        .map(|view| {
            serde_json::json!({ "file": format!("view_{view:02}.ply"), "motion": truth["views"][view]["pose"] })
        })
        .collect();
    place.write("motions.json", serde_json::json!([{ "rms": 0.0, "scans": scans }]).to_string());
    let view = |name: &str| format!("[[view]]\nscan = \"{name}\"\n");
    let all: String = (0..3).map(|k| view(&format!("scans/view_{k:02}.ply"))).collect();
    let head = "format = 1\nmotions = \"motions.json\"\n";
    place.write("views.toml", format!("{head}{all}"));
    place.succeed("reflect views.toml --out coloured.ply --csv shares.csv");
    assert!(cloud::read(&place.path("coloured.ply")).unwrap().colours.len() > 300);
    assert!(place.text("shares.csv").lines().count() > 300);
    place.write("bare.xyz", (0..900).map(|k| format!("{} {} 3\n", k % 30, k / 30)).collect::<String>());
    for (text, words) in [
        (format!("{head}{}", view("bare.xyz")), ["bare.xyz", "has no colours"]),
        (format!("format = 1\n{all}"), ["view_00.ply", "where its `scanner` stood"]),
        (format!("{head}{all}lampe = 1\n"), ["views.toml", "lampe"]),
        ("format = 1\nview = []\n".into(), ["views.toml", "names no scan"]),
    ] {
        place.write("bad.toml", text.replace("views.toml", "bad.toml"));
        place.fail(
            "reflect bad.toml",
            &words.map(|word| if word == "views.toml" { "bad.toml" } else { word }),
        );
    }
}
