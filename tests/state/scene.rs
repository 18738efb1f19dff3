//! A scene with everything that has a memory, the three backends, and states as bits.

use glam::DVec3;
use sinew::compute::Data;
use sinew::scene::{
    Bending, Cloth, ClothShape, Collider, ColliderShape, Corner, Edge, Gust, Keyframe, Masses, Pin, Points,
    PointsShape, Scene, Selector, SolverKind, Tethers, Wind,
};
use sinew::{Options, Precision, Simulation};

pub const SOLVERS: [SolverKind; 2] = [SolverKind::Coloured, SolverKind::Jacobi];

/// Steps to the middle of a run. The scene's pins let go on both sides of it.
pub const HALF: u32 = 4;

/// All backends by name.
pub fn backends() -> [(&'static str, Options); 3] {
    [
        ("CPU f32", Options::cpu(Precision::F32)),
        ("CPU f64", Options::cpu(Precision::F64)),
        ("GPU", Options::gpu()),
    ]
}

/// Puts a scene on a backend. Without an adapter the test fails: what did not run proves nothing.
pub fn start(scene: &Scene, options: &Options) -> Simulation {
    Simulation::new(scene, options).unwrap_or_else(|error| {
        panic!("{error}\nthis test needs a device: install the package `mesa-vulkan-drivers`")
    })
}

pub fn advance(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}

/// A sheet with tethers, a corner that moves and lets go, one that is held softly, and every kind of constraint.
pub fn sheet(cells: u32) -> Cloth {
    let swing = vec![
        Keyframe::default(),
        Keyframe { time: 0.1, offset: DVec3::new(0.1, 0.05, -0.1), rotation: DVec3::new(0.0, 40.0, 10.0) },
    ];
    Cloth {
        name: "sheet".into(),
        shape: ClothShape::Grid { size: [1.0, 1.0], cells: [cells, cells] },
        position: DVec3::new(0.0, 1.0, 0.0),
        rotation: DVec3::new(-80.0, 7.0, 0.0),
        velocity: DVec3::new(0.3, 0.0, -0.2),
        bending: Bending::Dihedral,
        area_stiffness: 10.0,
        tethers: Some(Tethers::default()),
        pin: vec![
            Pin { selector: Selector::Corners(vec![Corner::TopLeft]), ..Pin::default() },
            Pin {
                selector: Selector::Corners(vec![Corner::TopRight]),
                motion: swing,
                release: Some(6.5 / 60.0),
                ..Pin::default()
            },
            Pin {
                selector: Selector::Corners(vec![Corner::BottomLeft]),
                release: Some(2.5 / 60.0),
                ..Pin::default()
            },
            Pin {
                selector: Selector::Corners(vec![Corner::BottomRight]),
                compliance: 1e-3,
                ..Pin::default()
            },
        ],
        ..Cloth::default()
    }
}

/// A tetrahedron that falls.
pub fn block() -> Points {
    Points {
        name: "block".into(),
        shape: PointsShape::List {
            points: vec![DVec3::ZERO, DVec3::X * 0.2, DVec3::Y * 0.2, DVec3::Z * 0.2],
            masses: Masses::Each(0.1),
            links: vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
            triangles: vec![],
            tetrahedra: vec![[0, 1, 2, 3]],
        },
        position: DVec3::new(0.3, 0.02, 0.3),
        ..Points::default()
    }
}

/// The sheet and the block in a gusty wind, on a floor, hit by a turning box and touched by a ball.
pub fn scene(solver: SolverKind, cells: u32) -> Scene {
    let path = vec![
        Keyframe::default(),
        Keyframe { time: 0.2, offset: DVec3::new(0.0, 0.3, 0.1), rotation: DVec3::new(90.0, 0.0, 45.0) },
    ];
    Scene {
        substeps: 4,
        iterations: 3,
        solver,
        relaxation: if solver == SolverKind::Jacobi { 1.2 } else { 1.0 },
        chebyshev: if solver == SolverKind::Jacobi { 0.8 } else { 0.0 },
        damping: 0.1,
        wind: Some(Wind {
            velocity: DVec3::new(1.0, 0.5, 3.0),
            gust: Some(Gust { amplitude: 0.5, period: 0.1 }),
            ..Wind::default()
        }),
        cloth: vec![sheet(cells)],
        points: vec![block()],
        collider: vec![
            Collider { name: "floor".into(), ..Collider::default() },
            Collider {
                name: "ball".into(),
                shape: ColliderShape::Sphere { radius: 0.2 },
                position: DVec3::new(0.1, 0.81, 0.0),
                ..Collider::default()
            },
            Collider {
                name: "box".into(),
                shape: ColliderShape::Box { size: DVec3::new(0.3, 0.2, 0.2) },
                position: DVec3::new(-0.2, 0.88, 0.1),
                motion: path,
                ..Collider::default()
            },
        ],
        ..Scene::default()
    }
}

/// A second sheet 100 m away, of another material, resolution and bending, that hangs by an edge.
pub fn far_sheet() -> Cloth {
    Cloth {
        name: "far".into(),
        shape: ClothShape::Grid { size: [0.7, 0.9], cells: [9, 13] },
        position: DVec3::new(100.0, 3.0, -20.0),
        stretch_stiffness: 321.0,
        shear_stiffness: 12.0,
        bending: Bending::Isometric,
        thickness: 0.02,
        drag: 2.0,
        pin: vec![Pin { selector: Selector::Edge(Edge::Top), compliance: 1e-4, ..Pin::default() }],
        ..Cloth::default()
    }
}

/// A moving obstacle 100 m away.
pub fn far_collider() -> Collider {
    Collider {
        name: "far ball".into(),
        shape: ColliderShape::Sphere { radius: 0.5 },
        position: DVec3::new(100.0, 2.5, -20.0),
        motion: vec![
            Keyframe::default(),
            Keyframe { time: 1.0, offset: DVec3::X, rotation: DVec3::new(0.0, 0.0, 90.0) },
        ],
        ..Collider::default()
    }
}

/// The bits of every buffer of the state, by name.
pub fn bits(simulation: &mut Simulation) -> Vec<(String, Vec<u64>)> {
    let ids: Vec<_> = simulation.solver().buffers.state().collect();
    ids.into_iter()
        .map(|id| {
            let name = simulation.solver().buffers.name(id).to_string();
            let values = match simulation.executor().read(id).unwrap() {
                Data::Reals(v) => v.into_iter().map(f64::to_bits).collect(),
                Data::Uints(v) => v.into_iter().map(u64::from).collect(),
            };
            (name, values)
        })
        .collect()
}

/// The bits of a body's positions and velocities, in the user's numbering.
pub fn body_bits(simulation: &mut Simulation, name: &str) -> Vec<u64> {
    let body = simulation.model().bodies.iter().find(|body| body.name == name).unwrap();
    let range = body.particles.start as usize..body.particles.end as usize;
    let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
    let both = x[range.clone()].iter().chain(&v[range]);
    both.flat_map(|p| p.to_array()).map(f64::to_bits).collect()
}

/// Compares two states and says where they part.
pub fn assert_same(what: &str, a: &[(String, Vec<u64>)], b: &[(String, Vec<u64>)]) {
    assert_eq!(a.len(), b.len());
    for ((name, left), (other, right)) in a.iter().zip(b) {
        assert_eq!((name, left.len()), (other, right.len()));
        if let Some(i) = (0..left.len()).find(|&i| left[i] != right[i]) {
            let [l, r] = [left[i], right[i]].map(f64::from_bits);
            panic!("{what}: `{name}` differs first at scalar {i}: {l:e} and {r:e}");
        }
    }
}
