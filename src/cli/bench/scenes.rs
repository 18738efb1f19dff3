//! The scenes of the bench. They keep moving but stay where they are, so that a row measures the same work however
//! often it is repeated.

use glam::DVec3;
use sinew::meshing::generate::icosphere;
use sinew::scene::{
    Bending, Cloth, ClothModel, ClothShape, Collider, ColliderShape, ConjugateGradients, Contact, Copies,
    Edge, Field, FieldKind, Hold, Integrator, Keyframe, Limiter, Masses, Net, NetMethod, NetShape, Pin,
    Points, PointsShape, Preconditioner, Rigid, RigidShape, Rod, RodEnd, RodMaterial, RodMethod, RodShape,
    Scene, Selector, Solid, SolidModel, SolidShape, SolverKind, StrainLimiting, StrainLimits, TetheredTo,
    Tethers, TriangleMesh, Wind,
};

/// How a step is divided.
#[derive(Clone, Copy)]
pub struct Regime {
    pub substeps: u32,
    pub iterations: u32,
}

/// A step that symplectic integration of the finest sheet bears [s].
const FABRIC_STEP: f64 = 2e-5;
/// A step of ten substeps that explicit ropes bear [s].
const EXPLICIT_STEP: f64 = 1e-5;
/// Stiffness of second-neighbour links [N/m]: they resist folding, not stretching.
const LINK_BENDING: f64 = 10.0;
/// Compliance of a block's links [m/N] and volumes [m⁵/N]: soft enough to wobble.
const BLOCK_COMPLIANCE: f64 = 1e-5;

/// A square metre of cloth of n² particles with structural, shear and second-neighbour links, held by two edges:
/// it sags and swings like a hammock.
pub fn grid(n: u32, solver: SolverKind, regime: Regime) -> Scene {
    let hold = |edge| Pin { selector: Selector::Edge(edge), ..Pin::default() };
    let cloth = Cloth {
        shape: ClothShape::Grid { size: [1.0, 1.0], cells: [n - 1, n - 1] },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        bending: Bending::Distance,
        bending_stiffness: LINK_BENDING,
        pin: vec![hold(Edge::Left), hold(Edge::Right)],
        ..Cloth::default()
    };
    Scene {
        solver,
        substeps: regime.substeps,
        iterations: regime.iterations,
        cloth: vec![cloth],
        ..Scene::default()
    }
}

/// The hammock with another bending law.
pub fn bending(n: u32, bending: Bending, solver: SolverKind) -> Scene {
    let mut scene = grid(n, solver, Regime { substeps: 10, iterations: 1 });
    scene.cloth[0].bending = bending;
    scene.cloth[0].bending_stiffness = Cloth::default().bending_stiffness;
    scene
}

/// Ropes of a centimetre per segment that swing side by side. Explicit ones take a step that they bear.
pub fn rods(count: u32, segments: u32, method: RodMethod, regime: Regime) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X * (0.01 * f64::from(segments)), segments },
        material: RodMaterial::ROPE,
        method,
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        copies: Copies { count: [count, 1], steps: [DVec3::Z * 0.02, DVec3::X] },
        ..Rod::default()
    };
    let plain = Scene {
        substeps: regime.substeps,
        iterations: regime.iterations,
        rod: vec![rod],
        ..Scene::default()
    };
    if method == RodMethod::Corde {
        Scene { time_step: EXPLICIT_STEP, duration: EXPLICIT_STEP, ..plain }
    } else {
        plain
    }
}

/// A cube of a centimetre that does not go away.
fn cube(y: f64, cells: u32) -> Rigid {
    Rigid {
        shape: RigidShape::Box { size: DVec3::splat(0.01) },
        position: DVec3::Y * y,
        cells: Some(cells),
        pin: vec![Pin::default()],
        ..Rigid::default()
    }
}

/// Two magnetised cubes of n³ cells each, all of whose pairs count.
pub fn magnets(n: u32) -> Scene {
    let magnet = |y| Rigid { remanence: Some(DVec3::Y), ..cube(y, n) };
    Scene { magnet_tolerance: 1e-12, rigid: vec![magnet(0.0), magnet(0.015)], ..Scene::default() }
}

/// An iron cube of n³ cells in a field that turns.
pub fn iron(n: u32) -> Scene {
    let field = |axis: DVec3, phase: f64| Field {
        kind: FieldKind::Uniform { field: 0.01 * axis },
        frequency: 1.0,
        phase,
        ..Field::default()
    };
    Scene {
        rigid: vec![Rigid { susceptibility: Some(700.0), ..cube(0.0, n) }],
        field: vec![field(DVec3::X, 0.0), field(DVec3::Y, 90.0)],
        ..Scene::default()
    }
}

/// Magnetised ropes of a hundred segments above eight bars.
pub fn bars(segments: u32) -> Scene {
    let bar = |k: u32| Field {
        name: format!("bar {k}"),
        kind: FieldKind::Bar { size: DVec3::splat(0.05), remanence: DVec3::Y },
        position: DVec3::new(0.2 * f64::from(k), -2.0, 0.0),
        ..Field::default()
    };
    let mut scene = rods(segments / 100, 100, RodMethod::Coloured, Regime { substeps: 10, iterations: 1 });
    scene.rod[0].remanence = vec![0.01 * DVec3::Z];
    Scene { field: (0..8).map(bar).collect(), ..scene }
}

/// A climbing net of n × n meshes, two segments from knot to knot, that hangs from two of its sides and swings.
pub fn nets(n: u32, method: NetMethod) -> Scene {
    let side = |low: f64, high: f64| Pin {
        selector: Selector::Box {
            min: DVec3::new(low, f64::NEG_INFINITY, f64::NEG_INFINITY),
            max: DVec3::new(high, f64::INFINITY, f64::INFINITY),
        },
        ..Pin::default()
    };
    let net = Net {
        shape: NetShape::Grid { size: [2.0, 2.0], cells: [n, n], segments: 2 },
        rotation: DVec3::new(-90.0, 0.0, 0.0),
        method,
        pin: vec![side(-2.0, -0.999), side(0.999, 2.0)],
        ..Net::default()
    };
    let plain = Scene { net: vec![net], ..Scene::default() };
    if method == NetMethod::Corde {
        Scene { time_step: EXPLICIT_STEP, duration: EXPLICIT_STEP, ..plain }
    } else {
        plain
    }
}

/// The hammock as finite elements, one substep of 20 µs, which symplectic integration bears at every size of the bench, or of a three-hundredth of a second, solved until
/// the residual is a thousandth.
pub fn fabric(n: u32, integrator: Integrator) -> Scene {
    let mut scene = grid(n, SolverKind::Coloured, Regime { substeps: 1, iterations: 1 });
    let cloth = &mut scene.cloth[0];
    cloth.model = ClothModel::Green;
    cloth.bending = Bending::Dihedral;
    cloth.bending_stiffness = 1e-6;
    scene.integrator = integrator;
    scene.time_step = if integrator.solves() { 1.0 / 300.0 } else { FABRIC_STEP };
    scene.conjugate_gradients = ConjugateGradients { iterations: 100, tolerance: 1e-3 };
    scene
}

/// A sheet of a square metre of n² particles whose threads do not stretch, held by two corners, with coarse links and tethers.
pub fn coarse(n: u32, substeps: u32) -> Scene {
    let mut scene = grid(n, SolverKind::Coloured, Regime { substeps, iterations: 1 });
    let cloth = &mut scene.cloth[0];
    cloth.density = 0.2;
    (cloth.stretch_stiffness, cloth.shear_stiffness, cloth.bending_stiffness) = (f64::INFINITY, 1e7, 1e5);
    cloth.pin = vec![Pin { selector: Selector::Indices(vec![0, n - 1]), ..Pin::default() }];
    cloth.coarse_links = true;
    cloth.tethers = Some(Tethers { to: TetheredTo::Every, ..Tethers::default() });
    scene
}

/// A sheet of a square metre held by two corners, of 2,000 N/m, in steps of a frame, solved by multigrid until the residual is a
/// thousandth.
pub fn hung(n: u32) -> Scene {
    let mut scene = fabric(n, Integrator::Implicit);
    let cloth = &mut scene.cloth[0];
    cloth.density = 0.2;
    cloth.bending_stiffness = 1e-5;
    cloth.pin = vec![Pin { selector: Selector::Indices(vec![0, n - 1]), ..Pin::default() }];
    (cloth.fabric.weft_modulus, cloth.fabric.warp_modulus) = (2000.0, 2000.0);
    cloth.fabric.shear_modulus = 500.0;
    scene.time_step = 1.0 / 60.0;
    scene.preconditioner = Preconditioner::Multigrid;
    scene.conjugate_gradients = ConjugateGradients { iterations: 60, tolerance: 1e-3 };
    scene
}

/// A free sheet with strain limits, ten iterations of them a substep, for [`super::work::limit_iterations`].
pub fn limited(n: u32, method: Limiter, solver: SolverKind) -> Scene {
    let mut scene = fabric(n, Integrator::Symplectic);
    scene.solver = solver;
    scene.cloth[0].pin.clear();
    scene.cloth[0].fabric.limits = StrainLimits { weft: [-0.3, 0.0], warp: [-0.3, 0.0], shear: 0.3 };
    scene.strain_limiting =
        StrainLimiting { method, iterations: 10, tolerance: 1e-6, ..StrainLimiting::default() };
    scene
}

/// A cubic metre of soft rubber of n³ cells, five tetrahedra each, whose lowest layer is held. Forces take one substep of
/// 20 µs, constraints one of 2 ms.
pub fn solid(n: u32, model: SolidModel, solver: SolverKind, regime: Regime) -> Scene {
    let low =
        Selector::Box { min: DVec3::NEG_INFINITY, max: DVec3::new(f64::INFINITY, -0.499, f64::INFINITY) };
    let solid = Solid {
        shape: SolidShape::Box { size: DVec3::ONE, cells: [n; 3] },
        model,
        pin: vec![Pin { selector: low, ..Pin::default() }],
        ..Solid::default()
    };
    Scene {
        solid: vec![solid],
        solver,
        integrator: Integrator::Symplectic,
        time_step: if model.has_forces() { FABRIC_STEP } else { 2e-3 },
        substeps: regime.substeps,
        iterations: regime.iterations,
        ..Scene::default()
    }
}

/// The same by implicit steps of 10 ms, until the residual is a hundredth.
pub fn solid_implicit(n: u32) -> Scene {
    Scene {
        integrator: Integrator::Implicit,
        time_step: 0.01,
        conjugate_gradients: ConjugateGradients { iterations: 100, tolerance: 1e-2 },
        ..solid(n, SolidModel::Corotational, SolverKind::Coloured, Regime { substeps: 1, iterations: 1 })
    }
}

/// The same by multigrid, until the residual is a thousandth.
pub fn solid_multigrid(n: u32) -> Scene {
    Scene {
        preconditioner: Preconditioner::Multigrid,
        conjugate_gradients: ConjugateGradients { iterations: 60, tolerance: 1e-3 },
        ..solid_implicit(n)
    }
}

/// The hammock with contact, whose thickness is a quarter of its edges: it comes near itself nowhere.
pub fn untouched(n: u32) -> Scene {
    let mut scene = bending(n, Bending::Dihedral, SolverKind::Coloured);
    scene.cloth[0].thickness = 0.25 / f64::from(n);
    scene.contact = Some(Contact::default());
    scene
}

/// A free sheet of a square metre with contact that falls on a ball from just above it, folds and comes to lie on the floor around it.
pub fn on_ball(n: u32) -> Scene {
    let mut scene = untouched(n);
    scene.cloth[0].pin.clear();
    scene.cloth[0].position = DVec3::Y * 0.62;
    let ball = ColliderShape::Sphere { radius: 0.3 };
    let ball = Collider { shape: ball, position: DVec3::Y * 0.3, ..Collider::default() };
    scene.collider = vec![Collider::default(), ball];
    scene
}

/// A sheet held by one edge in the wind, without bending.
pub fn flag(n: u32) -> Scene {
    let mut scene = bending(n, Bending::None, SolverKind::Coloured);
    scene.cloth[0].rotation = DVec3::ZERO;
    scene.cloth[0].pin.truncate(1);
    scene.wind = Some(Wind { velocity: DVec3::new(4.0, 0.0, 1.0), ..Wind::default() });
    scene
}

/// A cube of n³ cells, six tetrahedra each, whose edges are links and whose lowest layer is held.
pub fn block(n: u32, solver: SolverKind) -> Scene {
    let row = n + 1;
    let index = |[i, j, k]: [u32; 3]| (k * row + j) * row + i;
    let corners = || (0..row.pow(3)).map(|c| [c % row, c / row % row, c / row / row]);
    let inside = |[i, j, k]: [u32; 3]| i < row && j < row && k < row;
    let points: Vec<DVec3> = corners().map(|c| DVec3::from(c.map(f64::from)) / f64::from(n)).collect();
    let steps = (1..8).map(|bits| [bits & 1, bits >> 1 & 1, bits >> 2 & 1]);
    let plus = |[i, j, k]: [u32; 3], [a, b, c]: [u32; 3]| [i + a, j + b, k + c];
    let links = corners()
        .flat_map(|from| steps.clone().map(move |step| (from, plus(from, step))))
        .filter(|&(_, to)| inside(to))
        .map(|(from, to)| [index(from), index(to)])
        .collect();
    // Kuhn's six: along the axes in every order, from one corner of the cell to the opposite one.
    const X: [u32; 3] = [1, 0, 0];
    const Y: [u32; 3] = [0, 1, 0];
    const Z: [u32; 3] = [0, 0, 1];
    let ways = [[X, Y, Z], [Y, Z, X], [Z, X, Y], [Y, X, Z], [X, Z, Y], [Z, Y, X]];
    let tetrahedra = corners()
        .filter(|&corner| inside(plus(corner, [1, 1, 1])))
        .flat_map(|a| {
            ways.iter().enumerate().map(move |(number, way)| {
                let b = plus(a, way[0]);
                let (c, d) = (plus(b, way[1]), plus(a, [1, 1, 1]));
                // Odd orders are mirror images.
                if number < 3 { [a, b, c, d] } else { [a, c, b, d] }
            })
        })
        .map(|corners| corners.map(index))
        .collect();
    let mass = 100.0 / points.len() as f64; // a tenth of water's, all together [kg]
    let lowest =
        Selector::Box { min: DVec3::NEG_INFINITY, max: DVec3::new(f64::INFINITY, 0.0, f64::INFINITY) };
    let block = Points {
        shape: PointsShape::List { points, masses: Masses::Each(mass), links, triangles: vec![], tetrahedra },
        compliance: BLOCK_COMPLIANCE,
        volume_compliance: BLOCK_COMPLIANCE,
        pin: vec![Pin { selector: lowest, ..Pin::default() }],
        ..Points::default()
    };
    Scene { solver, points: vec![block], ..Scene::default() }
}

/// A flat cloud of n particles in a square of one metre, at a height [m].
fn cloud(n: u32, height: f64) -> Points {
    let row = f64::from(n).sqrt().ceil() as u32;
    let place = |i: u32| f64::from(i) / f64::from(row) - 0.5;
    let points = (0..n).map(|i| DVec3::new(place(i % row), height, place(i / row))).collect();
    Points {
        shape: PointsShape::List {
            points,
            masses: Masses::Each(1e-6),
            links: vec![],
            triangles: vec![],
            tetrahedra: vec![],
        },
        radius: 0.001,
        ..Points::default()
    }
}

fn scene_of(points: Points, collider: Vec<Collider>) -> Scene {
    Scene { points: vec![points], collider, ..Scene::default() }
}

/// Particles that slide over a ball, a box and a capsule and come to rest on a floor.
pub fn cloud_on_shapes(n: u32) -> Scene {
    let at = |x: f64, shape| Collider { shape, position: DVec3::new(x, 0.1, 0.0), ..Collider::default() };
    let colliders = vec![
        Collider::default(),
        at(-0.3, ColliderShape::Sphere { radius: 0.15 }),
        at(0.0, ColliderShape::Box { size: DVec3::splat(0.2) }),
        at(0.3, ColliderShape::Capsule { radius: 0.1, length: 0.3 }),
    ];
    scene_of(cloud(n, 0.3), colliders)
}

/// Particles that slide over a ball of triangles, seen through its distance field, onto a floor.
pub fn cloud_on_mesh(n: u32) -> Scene {
    let shape = ColliderShape::Triangles { mesh: icosphere(0.3, 3), resolution: 64 };
    scene_of(cloud(n, 0.35), vec![Collider::default(), Collider { shape, ..Collider::default() }])
}

/// Particles that each hang on a spring from a point that turns, a turn a second for an hour.
pub fn cloud_on_springs(n: u32) -> Scene {
    const HOUR: f64 = 3600.0;
    let mut points = cloud(n, 0.0);
    let turned = Keyframe { time: HOUR, rotation: DVec3::new(0.0, 360.0 * HOUR, 0.0), ..Keyframe::default() };
    points.pin = vec![Pin {
        selector: Selector::Box { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY },
        compliance: 1.0,
        motion: vec![Keyframe::default(), turned],
        ..Pin::default()
    }];
    scene_of(points, vec![])
}

/// A ball of which every second patch is missing.
pub fn rags() -> TriangleMesh {
    let mut ball = icosphere(0.5, 5);
    const PATCH: usize = 64;
    ball.triangles = ball.triangles.chunks(PATCH).step_by(2).flatten().copied().collect();
    ball
}
