//! Dirty triangle soups still give usable solids, and hopeless ones a sentence.

use super::{ball, damaged, flipped, torn};
use glam::DVec3;
use proptest::prelude::*;
use sinew::meshing::generate;
use sinew::meshing::{FillOptions, Filled, Inside, MeshingError, Shape, fill};
use sinew::scene::TriangleMesh;
use std::f64::consts::PI;

const BALL: f64 = 4.0 / 3.0 * PI * 0.125;

fn filled(surface: &TriangleMesh, resolution: u32) -> Filled {
    let options = FillOptions { resolution, ..FillOptions::default() };
    fill(surface, &options, &|_, _| {}).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_volume(filled: &Filled, volume: f64, tolerance: f64) {
    filled.mesh.check().unwrap();
    let error = filled.mesh.volume() / volume - 1.0;
    println!("{:?}, {:+.2} %", filled.report.inside, 100.0 * error);
    assert!(error.abs() < tolerance, "{error}\n{}", filled.report);
}

#[test]
fn half_of_the_patches_may_be_missing() {
    let filled = filled(&damaged(ball(0.5), 16, 5), 32);
    assert_eq!(filled.report.inside, Inside::Votes);
    assert_volume(&filled, BALL, 0.06);
}

#[test]
fn every_second_triangle_may_be_missing() {
    let filled = filled(&damaged(ball(0.5), 1, 5), 32);
    assert_eq!(filled.report.inside, Inside::Votes);
    assert_volume(&filled, BALL, 0.06);
}

#[test]
fn half_of_a_rabbit_is_still_a_rabbit() {
    let surface = Shape::named("rabbit").unwrap().surface(32);
    let volume = surface.signed_volume();
    assert_volume(&filled(&damaged(surface, 40, 5), 32), volume, 0.15);
}

#[test]
fn flipped_triangles_do_not_matter() {
    let whole = filled(&ball(0.5), 16);
    let filled = filled(&flipped(ball(0.5), 3), 16);
    assert_eq!(filled.report.triangles_turned, 5120_usize.div_ceil(3));
    assert_eq!(filled.mesh.tets, whole.mesh.tets);
    assert_eq!(filled.mesh.vertices, whole.mesh.vertices);
}

#[test]
fn holes_and_flipped_triangles_together_are_closed_smoothly() {
    let filled = filled(&flipped(damaged(ball(0.5), 4, 1), 5), 24);
    assert_volume(&filled, BALL, 0.05);
}

#[test]
fn torn_triangles_are_put_together() {
    assert_volume(&filled(&torn(&ball(0.5), 1e-9), 16), BALL, 0.03);
    let loose = filled(&torn(&ball(0.5), 0.004), 24);
    assert_eq!(loose.report.inside, Inside::Votes);
    assert_volume(&loose, BALL, 0.08);
}

#[test]
fn overlapping_parts_are_one_body() {
    let mut two = ball(0.5);
    let first = two.positions.len() as u32;
    let other = ball(0.5);
    two.positions.extend(other.positions.iter().map(|x| *x + DVec3::X * 0.5));
    two.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    // Two balls of radius r, a distance r apart, share 5/16 of one.
    assert_volume(&filled(&two, 40), BALL * (2.0 - 5.0 / 16.0), 0.03);
}

#[test]
fn a_hollow_stays_hollow() {
    let mut shell = ball(0.5);
    let first = shell.positions.len() as u32;
    let inner = ball(0.3);
    shell.positions.extend(&inner.positions);
    shell.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
    assert_volume(&filled(&shell, 40), BALL * (1.0 - 0.6f64.powi(3)), 0.03);
}

#[test]
fn an_open_cup_is_not_filled_up_when_it_is_thick() {
    // A torus has a hole that must stay.
    let ring = generate::torus(0.35, 0.15, [96, 48]);
    let volume = ring.signed_volume();
    assert_volume(&filled(&damaged(ring, 8, 2), 32), volume, 0.12);
}

#[test]
fn what_cannot_be_filled_is_told() {
    let fill_at = |surface: &TriangleMesh, resolution| {
        let options = FillOptions { resolution, ..FillOptions::default() };
        fill(surface, &options, &|_, _| {}).unwrap_err()
    };
    let nothing = TriangleMesh::default();
    assert_eq!(fill_at(&nothing, 8), MeshingError::Empty);
    let line = TriangleMesh {
        positions: vec![DVec3::ZERO, DVec3::X, DVec3::X * 2.0],
        triangles: vec![[0, 1, 2]],
        texture_coordinates: None,
    };
    assert_eq!(fill_at(&line, 8), MeshingError::Empty);
    let sheet = generate::grid([1.0, 1.0], [4, 4]);
    assert!(matches!(fill_at(&sheet, 8), MeshingError::NoInside | MeshingError::TooThin { .. }));
    assert_eq!(fill_at(&ball(0.5), 0), MeshingError::Resolution { resolution: 0 });
    assert_eq!(fill_at(&ball(0.5), 100_000), MeshingError::Resolution { resolution: 100_000 });
    assert!(matches!(fill_at(&ball(1e-14), 8), MeshingError::Size { .. }));
    let mut far = ball(0.5);
    far.positions[0] = DVec3::splat(f64::INFINITY);
    assert_eq!(fill_at(&far, 8), MeshingError::NotFinite { vertex: 0 });
    let mut bad = ball(0.5);
    bad.triangles[0][0] = 1 << 30;
    assert!(matches!(fill_at(&bad, 8), MeshingError::Vertex { .. }));
    // A block of 256³ cells would be 80 million tetrahedra.
    let block = Shape::named("box").unwrap().surface(8);
    assert!(matches!(fill_at(&block, 256), MeshingError::TooLarge { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Triangles thrown into space give a sound mesh or a sentence, never a panic.
    #[test]
    fn any_soup_gives_a_sound_mesh_or_a_sentence(
        points in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 3..40),
        corners in prop::collection::vec(prop::array::uniform3(0usize..40), 1..60),
        resolution in 1u32..8,
    ) {
        let count = points.len();
        let surface = TriangleMesh {
            positions: points.into_iter().map(DVec3::from_array).collect(),
            triangles: corners.into_iter().map(|t| t.map(|v| (v % count) as u32)).collect(),
            texture_coordinates: None,
        };
        for inside in [Inside::Auto, Inside::Votes, Inside::Winding] {
            let options = FillOptions { resolution, inside, ..FillOptions::default() };
            if let Ok(filled) = fill(&surface, &options, &|_, _| {}) {
                prop_assert!(filled.mesh.check().is_ok());
            }
        }
    }
}
