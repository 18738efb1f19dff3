//! Closed shapes come out with their volume, smooth, and well shaped.

use glam::{DQuat, DVec3};
use sinew::meshing::fit::WORST;
use sinew::meshing::{FillOptions, Inside, Quality, Shape, fill};

fn options(resolution: u32) -> FillOptions {
    FillOptions { resolution, ..FillOptions::default() }
}

#[test]
fn the_volume_of_closed_shapes_is_right_within_two_per_cent_at_64_cells() {
    for name in ["box", "turned box", "ball", "cylinder", "torus", "rabbit"] {
        // A box of three lengths; as long in every direction it would be a million tetrahedra.
        let block = Shape::Box { size: DVec3::new(1.0, 0.25, 0.2) };
        let shape = if name.ends_with("box") { block } else { Shape::named(name).unwrap() };
        let mut surface = shape.surface(64);
        if name.starts_with("turned") {
            // Every edge and face across the lattice.
            let turn = DQuat::from_scaled_axis(DVec3::new(0.5, 0.4, 0.3));
            surface.positions.iter_mut().for_each(|x| *x = turn * *x);
        }
        let filled = fill(&surface, &options(64), &|_, _| {}).unwrap();
        let report = &filled.report;
        println!("{name}\n{report}");
        assert_eq!(report.inside, Inside::Winding);
        assert!(report.volume_error.abs() < 0.02, "{name}: {}", report.volume_error);
        assert!((report.volume_wanted / surface.signed_volume() - 1.0).abs() < 1e-9);
        if let Some(volume) = shape.volume() {
            assert!((filled.mesh.volume() / volume - 1.0).abs() < 0.02, "{name}");
        }
        assert!(report.quality.worst_radius_ratio >= WORST - 1e-12, "{name}");
        // Root mean square, in cells. Tetrahedra with two faces on the boundary cannot be laid flat without becoming slivers.
        assert!(report.distance < 0.15, "{name}: the boundary is {} cells off", report.distance);
    }
}

#[test]
fn coarse_meshes_are_whole_too() {
    for name in ["ball", "cylinder", "torus", "rabbit"] {
        for resolution in [6, 16] {
            let surface = Shape::named(name).unwrap().surface(resolution);
            let filled = fill(&surface, &options(resolution), &|_, _| {}).unwrap();
            filled.mesh.check().unwrap();
            let report = filled.report;
            println!(
                "{name} {resolution}: {:+.2} % volume, worst {:.3}",
                100.0 * report.volume_error,
                report.quality.worst_radius_ratio
            );
            assert!(report.quality.worst_radius_ratio >= WORST - 1e-12, "{name} {resolution}");
            assert!(report.volume_error.abs() < 0.3, "{name} {resolution}: {}", report.volume_error);
        }
    }
}

/// Vertices go to the edges and corners: without, 3.6 % of the volume would be lost at 8 cells.
#[test]
fn the_surface_of_a_box_gives_a_box() {
    let size = DVec3::new(0.4, 0.3, 0.2);
    for (resolution, error) in [(8, 0.01), (24, 0.003)] {
        let surface = Shape::Box { size }.surface(resolution);
        let filled = fill(&surface, &options(resolution), &|_, _| {}).unwrap();
        let report = &filled.report;
        assert!(report.volume_error.abs() < error, "{report}");
        // Each of the eight corners is a vertex.
        for b in 0..8u32 {
            let sign = |bit: u32| if b & bit == 0 { -0.5 } else { 0.5 };
            let corner = size * DVec3::new(sign(1), sign(2), sign(4));
            let off = filled.mesh.vertices.iter().map(|x| x.distance(corner)).fold(f64::INFINITY, f64::min);
            assert!(
                off < 0.1 * report.cell,
                "corner {b}: the nearest vertex is {:.2} cells off",
                off / report.cell
            );
        }
    }
}

#[test]
fn a_millimetre_and_a_kilometre_give_the_same_mesh() {
    let at = |radius: f64| {
        let surface = Shape::Torus { major: 0.7 * radius, minor: 0.3 * radius }.surface(12);
        fill(&surface, &options(12), &|_, _| {}).unwrap().mesh
    };
    let (small, large) = (at(1.0 / 1024.0), at(1024.0));
    assert_eq!(small.tets, large.tets);
    for (x, y) in small.vertices.iter().zip(&large.vertices) {
        assert!((*x * 1024.0 * 1024.0).distance(*y) < 1e-9 * 1024.0);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let surface = Shape::named("rabbit").unwrap().surface(16);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fill(&surface, &options(16), &|_, _| {}).unwrap().mesh)
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn quality_is_told_in_words_and_numbers() {
    let mesh = Shape::named("box").unwrap().fill(&options(4), &|_, _| {}).unwrap();
    let quality = Quality::of(&mesh);
    assert_eq!(quality.dihedral_histogram.iter().sum::<u64>(), 6 * 320);
    // One regular tetrahedron and four corners of a cube in each cell: six angles of 70.5°, twelve of 54.7°, twelve of 90°.
    assert_eq!(quality.dihedral_histogram[7], 64 * 6);
    assert_eq!(quality.dihedral_histogram[5], 64 * 12);
    assert_eq!(quality.dihedral_histogram[8] + quality.dihedral_histogram[9], 64 * 12);
    let text = quality.to_string();
    assert!(text.contains("320 tetrahedra") && text.contains(" 70° to  80°       384 ###"), "{text}");
}
