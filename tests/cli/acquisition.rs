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
