//! Solids of point clouds.

use crate::views::look;
use sinew::cloud::Cloud;
use sinew::glam::DVec3;
use sinew::math::random::Random;
use sinew::meshing::generate::icosphere;
use sinew::meshing::triangle_mesh::TriangleMesh;
use sinew::meshing::{FillOptions, Inside, Quality, Wall, WallError, fill, patches};
use sinew::scan::Surfaces;
use std::f64::consts::PI;

const CELLS: u32 = 32;

/// Half a ball of radius ½ on a wall, seen a little from the side.
fn half_ball() -> Cloud {
    let mut mesh = icosphere(0.5, 5);
    let first = mesh.positions.len() as u32;
    mesh.positions
        .extend([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0)));
    mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    let mesh = TriangleMesh { texture_coordinates: None, ..mesh };
    let surfaces = Surfaces::of_mesh(&mesh, [200; 3]).unwrap();
    look(&surfaces, DVec3::new(0.2, 0.1, 1.0), 200, 0.0, 3).cloud
}

/// Punches round holes until so much of what stands before the wall is gone.
fn punch(cloud: &mut Cloud, wall: &Wall, share: f64) {
    let mut random = Random(8);
    let stands = |cloud: &Cloud| cloud.points.iter().filter(|x| wall.height(**x) > 0.02).count();
    let all = stands(cloud) as f64;
    while (stands(cloud) as f64) > (1.0 - share) * all {
        let chosen = cloud.points[(random.number() * cloud.points.len() as f64) as usize];
        if wall.height(chosen) > 0.02 {
            cloud.points.retain(|x| x.distance(chosen) > 0.08);
        }
    }
}

#[test]
fn half_a_ball_on_a_wall_has_its_volume_in_spite_of_holes() {
    let whole = half_ball();
    let wall = Wall::of(&whole).unwrap();
    assert!(wall.height(whole.viewpoint) > 0.0);
    for (missing, tolerance) in [(0.0, 0.02), (0.3, 0.04), (0.6, 0.08)] {
        let mut cloud = whole.clone();
        punch(&mut cloud, &wall, missing);
        let wall = Wall::of(&cloud).unwrap();
        let options = FillOptions { resolution: CELLS, ..FillOptions::default() };
        let mut filled = fill(&wall.body(&cloud, CELLS).unwrap(), &options, &|_, _| {}).unwrap();
        wall.name_back(&mut filled.mesh, filled.report.cell);
        let quality = Quality::of(&filled.mesh);
        let volume = quality.volume / (2.0 / 3.0 * PI * 0.125) - 1.0;
        println!("{missing}: volume {volume:+.4}, worst radius ratio {}", quality.worst_radius_ratio);
        assert!(volume.abs() < tolerance, "{missing}: {volume}");
        assert!(quality.worst_radius_ratio >= 0.2);
        // About the cells of a disc, whose vertices lie on the wall.
        let back = filled.mesh.group("back").unwrap().vertices.len() as f64;
        let disc = PI * 0.25 / filled.report.cell.powi(2);
        assert!((0.7..1.6).contains(&(back / disc)), "{back} of {disc}");
    }
}

#[test]
fn a_scan_without_a_wall_or_without_a_body_is_refused() {
    let ball = Surfaces::of_mesh(&icosphere(0.5, 4), [200; 3]).unwrap();
    let cloud = look(&ball, DVec3::Z, 80, 0.0, 1).cloud;
    assert!(matches!(Wall::of(&cloud), Err(WallError::NoWall { .. })), "{:?}", Wall::of(&cloud));
    let flat = Cloud {
        points: (0..900).map(|k| DVec3::new((k % 30) as f64, (k / 30) as f64, 40.0)).collect(),
        ..Cloud::default()
    };
    assert!(matches!(Wall::of(&flat).unwrap().body(&flat, 8), Err(WallError::NoBody { .. })));
}

fn ball(normals: bool) -> Cloud {
    let points = icosphere(0.5, 5).positions;
    let normals = if normals { points.iter().map(|x| x.normalize()).collect() } else { Vec::new() };
    Cloud { points, normals, ..Cloud::default() }
}

#[test]
fn the_triangles_of_a_ball_of_points_cover_it_once() {
    for normals in [true, false] {
        let mesh = patches(&ball(normals), 16);
        assert!((mesh.area() / PI - 1.0).abs() < 0.1, "{}", mesh.area());
        let out = |t: usize| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).dot(a) > 0.0
        };
        assert!(!normals || (0..mesh.triangles.len()).all(out));
    }
}

#[test]
fn a_ball_of_points_is_filled() {
    for (normals, inside) in [(true, Inside::Winding), (false, Inside::Votes)] {
        let options = FillOptions { resolution: 12, inside, ..FillOptions::default() };
        let filled = fill(&patches(&ball(normals), 12), &options, &|_, _| {}).unwrap();
        let volume = Quality::of(&filled.mesh).volume / (PI / 6.0) - 1.0;
        println!("normals {normals}: volume {volume:+.4}");
        assert!(volume.abs() < 0.03, "{volume}");
    }
}
