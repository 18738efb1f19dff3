//! What a scene builds: places, materials, pins and motion.

use glam::{DVec2, DVec3};
use sinew::meshing::generate;
use sinew::scene::{
    Bending, Cloth, ClothShape, Collider, ColliderShape, Corner, Edge, Keyframe, LinkKind, Material, Pin,
    Scene, Selector, TriangleMesh, Wind, motion,
};

const TOLERANCE: f64 = 1e-12;

fn close(a: DVec3, b: DVec3) -> bool {
    a.distance(b) < TOLERANCE
}

#[test]
fn a_rotation_turns_about_x_then_y_then_z() {
    // About x, y goes to z; then about y, z goes to x; then about z, x goes to y.
    assert!(close(motion::rotation(DVec3::new(90.0, 0.0, 0.0)) * DVec3::Y, DVec3::Z));
    assert!(close(motion::rotation(DVec3::new(90.0, 90.0, 0.0)) * DVec3::Y, DVec3::X));
    assert!(close(motion::rotation(DVec3::new(90.0, 90.0, 90.0)) * DVec3::Y, DVec3::Y));
}

#[test]
fn a_body_is_scaled_then_turned_then_moved() {
    let cloth = Cloth {
        shape: ClothShape::Grid { size: [2.0, 1.0], cells: [2, 1] },
        position: DVec3::new(0.0, 1.0, 0.0),
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        scale: 0.5,
        ..Cloth::default()
    };
    let built = cloth.build().unwrap();
    assert!(close(built.mesh.positions[0], DVec3::new(-0.5, 1.0, 0.25)));
    assert_eq!(
        built.material,
        Material::Flat(generate::grid([1.0, 0.5], [2, 1]).positions.iter().map(|x| x.truncate()).collect())
    );
}

#[test]
fn corners_and_edges_are_where_their_names_say() {
    let cloth = |selector| Cloth {
        shape: ClothShape::Grid { size: [1.0, 1.0], cells: [3, 2] },
        pin: vec![Pin { selector, ..Pin::default() }],
        ..Cloth::default()
    };
    let selected = |selector| {
        let built = cloth(selector).build().unwrap();
        built.pins[0].particles.iter().map(|p| built.mesh.positions[*p as usize]).collect::<Vec<_>>()
    };
    for (corner, x, y) in [
        (Corner::TopLeft, -0.5, 0.5),
        (Corner::TopRight, 0.5, 0.5),
        (Corner::BottomLeft, -0.5, -0.5),
        (Corner::BottomRight, 0.5, -0.5),
    ] {
        assert_eq!(selected(Selector::Corners(vec![corner])), [DVec3::new(x, y, 0.0)]);
    }
    assert!(selected(Selector::Edge(Edge::Top)).iter().all(|x| x.y == 0.5));
    assert!(selected(Selector::Edge(Edge::Bottom)).iter().all(|x| x.y == -0.5));
    assert!(selected(Selector::Edge(Edge::Left)).iter().all(|x| x.x == -0.5));
    assert!(selected(Selector::Edge(Edge::Right)).iter().all(|x| x.x == 0.5));
    assert_eq!(selected(Selector::Edge(Edge::Top)).len(), 4);
    assert_eq!(selected(Selector::Edge(Edge::Right)).len(), 3);
    let half = Selector::Box { min: DVec3::new(0.0, f64::NEG_INFINITY, -1.0), max: DVec3::INFINITY };
    assert_eq!(selected(half).len(), 6);
    assert_eq!(selected(Selector::Nearest(DVec3::new(9.0, -9.0, 0.0))), [DVec3::new(0.5, -0.5, 0.0)]);
}

#[test]
fn irregular_sheets_move_only_inside_and_turn_no_triangle_over() {
    let shapes =
        [ClothShape::Grid { size: [2.0, 1.0], cells: [40, 20] }, ClothShape::Disc { radius: 1.0, rings: 16 }];
    for shape in shapes {
        let even = Cloth { shape, ..Cloth::default() };
        let uneven = Cloth { irregular: 0.3, ..even.clone() };
        let [even, uneven] = [even, uneven].map(|cloth| cloth.build().unwrap().mesh);
        let area = |mesh: &TriangleMesh, t: usize| {
            let [a, b, c] = mesh.triangles[t].map(|v| mesh.positions[v as usize]);
            0.5 * (b - a).cross(c - a).z
        };
        let [before, after] =
            [&even, &uneven].map(|mesh| (0..mesh.triangles.len()).map(|t| area(mesh, t)).sum::<f64>());
        assert!((after / before - 1.0).abs() < 1e-12, "the border has moved: {before} and {after} m²");
        for t in 0..even.triangles.len() {
            let share = area(&uneven, t) / area(&even, t);
            assert!(share > 0.05, "triangle {t} has {share} of its area left");
        }
        let moved = even.positions.iter().zip(&uneven.positions).filter(|(a, b)| a != b).count();
        assert!(moved > even.positions.len() * 3 / 4, "{moved} of {} have moved", even.positions.len());
    }
    let error = Cloth { irregular: 0.5, ..Cloth::default() }.build().unwrap_err().to_string();
    assert!(error.contains("irregular") && error.contains("0.3"), "{error}");
}

#[test]
fn the_rim_of_a_disc_is_its_last_ring() {
    let cloth = Cloth {
        shape: ClothShape::Disc { radius: 2.0, rings: 5 },
        pin: vec![Pin { selector: Selector::Edge(Edge::Rim), ..Pin::default() }],
        ..Cloth::default()
    };
    let built = cloth.build().unwrap();
    assert_eq!(built.pins[0].particles.len(), 30);
    let on_rim = |x: &DVec3| (x.length() - 2.0).abs() < TOLERANCE;
    assert_eq!(built.mesh.positions.iter().filter(|x| on_rim(x)).count(), 30);
    assert!(built.pins[0].particles.iter().all(|p| on_rim(&built.mesh.positions[*p as usize])));
}

#[test]
fn a_curved_triangle_keeps_its_shape_and_its_weft_follows_the_texture() {
    let mut mesh = generate::icosphere(1.0, 1);
    // The first texture coordinate grows along y, so the weft must too.
    let pair = |v: u32| [mesh.positions[v as usize].y, mesh.positions[v as usize].x];
    mesh.texture_coordinates = Some(mesh.triangles.iter().map(|t| t.map(pair)).collect());
    for texture in [mesh.texture_coordinates.take(), None] {
        let mesh = TriangleMesh { texture_coordinates: texture, ..mesh.clone() };
        let along = if mesh.texture_coordinates.is_some() { DVec3::Y } else { DVec3::X };
        let built = Cloth { shape: ClothShape::Triangles(mesh), ..Cloth::default() }.build().unwrap();
        for t in 0..built.mesh.triangles.len() {
            let [a, b, c] = built.mesh.corners(t);
            let [p, q, r] = built.rest_triangle(t);
            for (space, flat) in [((a, b), (p, q)), ((b, c), (q, r)), ((c, a), (r, p))] {
                assert!((space.0.distance(space.1) - flat.0.distance(flat.1)).abs() < TOLERANCE);
            }
            assert!(DVec2::perp_dot(q - p, r - p) > 0.0);
            // Moving along the weft in the plane must raise the coordinate it follows: the flat coordinates of
            // the in-plane part of `along` point along +x.
            let normal = (b - a).cross(c - a).normalize();
            let in_plane = (along - normal * along.dot(normal)).normalize();
            let matrix = glam::DMat2::from_cols(q - p, r - p);
            let dual = matrix.inverse();
            let gradient = DVec2::new((b - a).dot(in_plane), (c - a).dot(in_plane));
            assert!((dual.transpose() * gradient - DVec2::X).length() < 1e-9);
        }
    }
}

#[test]
fn motion_is_linear_between_keyframes_and_held_outside() {
    let keyframe = |time, x, degrees| Keyframe {
        time,
        offset: DVec3::new(x, 0.0, 0.0),
        rotation: DVec3::new(0.0, 0.0, degrees),
    };
    let frames = [keyframe(1.0, 0.0, 0.0), keyframe(3.0, 2.0, 720.0)];
    let at = |time| motion::pose_at(&frames, time).apply(DVec3::X, DVec3::ZERO);
    assert!(close(at(0.0), DVec3::X));
    assert!(close(at(1.25), DVec3::new(0.25, 1.0, 0.0)));
    assert!(close(at(1.5), DVec3::new(-0.5, 0.0, 0.0)));
    assert!(close(at(9.0), DVec3::new(3.0, 0.0, 0.0)));
    assert!(close(motion::pose_at(&[], 5.0).apply(DVec3::Y, DVec3::X), DVec3::Y));
}

#[test]
fn a_collider_turns_about_its_own_place_unless_told_otherwise() {
    let mut collider = Collider {
        shape: ColliderShape::Box { size: DVec3::ONE },
        position: DVec3::X,
        motion: vec![Keyframe { time: 0.0, offset: DVec3::ZERO, rotation: DVec3::new(0.0, 0.0, 90.0) }],
        ..Collider::default()
    };
    assert!(close(collider.frame_at(0.0).1, DVec3::X));
    assert!(close(collider.frame_at(0.0).0 * DVec3::X, DVec3::Y));
    collider.pivot = Some(DVec3::ZERO);
    assert!(close(collider.frame_at(0.0).1, DVec3::Y));
}

#[test]
fn a_pin_lets_go_at_its_time_and_turns_about_its_centroid() {
    let cloth = Cloth {
        pin: vec![Pin {
            selector: Selector::Edge(Edge::Left),
            release: Some(2.0),
            motion: vec![Keyframe { time: 0.0, offset: DVec3::ZERO, rotation: DVec3::new(0.0, 0.0, 180.0) }],
            ..Pin::default()
        }],
        ..Cloth::default()
    };
    let built = cloth.build().unwrap();
    let pin = &built.pins[0];
    assert!(close(pin.pivot, DVec3::new(-0.5, 0.0, 0.0)));
    assert!(close(pin.position_at(DVec3::new(-0.5, 0.5, 0.0), 1.0), DVec3::new(-0.5, -0.5, 0.0)));
    assert!(pin.holds_at(1.9) && !pin.holds_at(2.0));
}

#[test]
fn a_gust_oscillates_about_the_wind() {
    let wind = Wind {
        velocity: DVec3::X,
        gust: Some(sinew::scene::Gust { amplitude: 0.5, period: 4.0 }),
        ..Wind::default()
    };
    assert!(close(wind.velocity_at(0.0), DVec3::X));
    assert!(close(wind.velocity_at(1.0), DVec3::X * 1.5));
    assert!(close(wind.velocity_at(3.0), DVec3::X * 0.5));
}

#[test]
fn bend_links_exist_only_for_distance_bending() {
    let built = Cloth::default().build().unwrap();
    let bends = |law| built.links(law).iter().filter(|l| l.kind == LinkKind::Bend).count();
    assert_eq!(bends(Bending::Dihedral), 0);
    assert_eq!(bends(Bending::Distance), 2 * 19 * 21);
}

#[test]
fn mesh_files_of_all_kinds_give_the_same_solid() {
    let text = |file: &str| {
        format!(
            "format = 1\n[[cloth]]\nmesh = {{ file = \"{file}\", scale = 0.5 }}\n\
             [[collider]]\nmesh = {{ file = \"{file}\", resolution = 16 }}\n"
        )
    };
    for file in ["tetrahedron.obj", "tetrahedron.ply", "tetrahedron.stl"] {
        let scene = Scene::parse(&text(file), "test.toml", "scenes/meshes").unwrap();
        let geometry = scene.build().unwrap();
        assert!((geometry.cloth[0].mesh.signed_volume() * 8.0 - 1.0 / 6.0).abs() < 1e-6, "{file}");
        assert!((geometry.surfaces[0].as_ref().unwrap().signed_volume() - 1.0 / 6.0).abs() < 1e-6, "{file}");
    }
}
