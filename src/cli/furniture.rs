//! The camera, the colliders and the texture coordinates of a scene, as a USDA file shows them.

use glam::{DMat4, DQuat, DVec3, Vec3};
use sinew::Simulation;
use sinew::export::{Furniture, StageCamera, StageObstacle, StageShape, StageTexture, linear_from_srgb};
use sinew::render::Camera;
use sinew::scene::{ClothGeometry, Collider, ColliderShape, Material, Scene, mesh_file};

/// Half the side of the square that stands for a plane [m].
const PLANE: f64 = 10.0;
/// sRGB of colliders without a colour.
const GREY: [f64; 3] = [0.6; 3];

/// Obstacles have a pose at each of these times [s].
pub fn of(scene: &Scene, simulation: &Simulation, times: &[f64]) -> Furniture {
    let positions = &simulation.model().particles.positions;
    let low = positions.iter().fold(Vec3::INFINITY, |low, x| low.min(x.as_vec3()));
    let high = positions.iter().fold(Vec3::NEG_INFINITY, |high, x| high.max(x.as_vec3()));
    let [width, height] = scene.render.size.map(f64::from);
    let aspect = width / height;
    let camera = Camera::of_scene(&scene.camera, low, high, aspect as f32);
    let [eye, target, up] = [camera.eye, camera.target, camera.up].map(|v| v.as_dvec3());
    let z = (eye - target).normalize_or(DVec3::Z);
    let x = up.cross(z).normalize_or(DVec3::X);
    let axes = [x, z.cross(x), z].map(|axis| axis.extend(0.0));
    let pose = DMat4::from_cols(axes[0], axes[1], axes[2], eye.extend(1.0)).to_cols_array_2d();
    let field_of_view = f64::from(camera.field_of_view);
    let obstacles = scene.collider.iter().enumerate();
    Furniture {
        camera: Some(StageCamera { pose, field_of_view, aspect }),
        obstacles: obstacles.filter_map(|(index, collider)| obstacle(collider, index, times)).collect(),
        textures: simulation.model().source.scene().geometry().cloth.iter().filter_map(texture).collect(),
    }
}

/// Where a picture lies on a sheet: along its texture coordinates if its file has any, otherwise as it was cut.
fn texture(cloth: &ClothGeometry) -> Option<StageTexture> {
    let mesh = &cloth.mesh;
    let corners: Vec<[f64; 2]> = match (&mesh.texture_coordinates, &cloth.material) {
        (Some(given), _) => given.concat(),
        (None, Material::Flat(flat)) => {
            mesh.triangles.iter().flatten().map(|&corner| flat[corner as usize].to_array()).collect()
        }
        (None, Material::Pattern(panels)) => {
            panels.iter().flatten().map(|corner| corner.to_array()).collect()
        }
        (None, Material::Curved(_)) => return None,
    };
    let along = |axis: usize| corners.iter().map(move |corner| corner[axis]);
    let low = [0, 1].map(|axis| along(axis).fold(f64::INFINITY, f64::min));
    let sizes = [0, 1].map(|axis| along(axis).fold(f64::NEG_INFINITY, f64::max) - low[axis]);
    // Coordinates of a file are meant as they are.
    let (low, scale) = match mesh.texture_coordinates {
        Some(_) => ([0.0; 2], 1.0),
        None => (low, sizes[0].max(sizes[1]).max(f64::MIN_POSITIVE).recip()),
    };
    let placed = |corner: &[f64; 2]| [0, 1].map(|axis| (scale * (corner[axis] - low[axis])) as f32);
    Some(StageTexture { body: cloth.name.clone(), corners: corners.iter().map(placed).collect() })
}

fn obstacle(collider: &Collider, index: usize, times: &[f64]) -> Option<StageObstacle> {
    let (shape, offset) = shape(&collider.shape)?;
    let pose = |time: f64| {
        let (rotation, position) = collider.frame_at(time);
        (time, (DMat4::from_rotation_translation(rotation, position) * offset).to_cols_array_2d())
    };
    Some(StageObstacle {
        name: collider.label(index),
        colour: collider.colour.unwrap_or(GREY).map(|c| linear_from_srgb(c as f32)),
        shape,
        poses: if collider.motion.is_empty() {
            vec![pose(0.0)]
        } else {
            times.iter().map(|&time| pose(time)).collect()
        },
    })
}

/// The shape, and where it lies in the collider's frame. A mesh file that is gone by now is left out.
fn shape(shape: &ColliderShape) -> Option<(StageShape, DMat4)> {
    let mesh = |mesh: &sinew::scene::TriangleMesh, scale: f64| StageShape::Mesh {
        points: mesh.positions.iter().map(|x| (scale * *x).as_vec3().to_array()).collect(),
        triangles: mesh.triangles.clone(),
    };
    let plain = |shape| Some((shape, DMat4::IDENTITY));
    match shape {
        ColliderShape::Plane { normal, offset } => {
            let normal = normal.try_normalize()?;
            let turn = DQuat::from_rotation_arc(DVec3::Y, normal);
            let corner = |x: f64, z: f64| [(PLANE * x) as f32, 0.0, (PLANE * z) as f32];
            let points = vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
            let square = StageShape::Mesh { points, triangles: vec![[0, 1, 2], [0, 2, 3]] };
            Some((square, DMat4::from_rotation_translation(turn, *offset * normal)))
        }
        ColliderShape::Sphere { radius } => plain(StageShape::Sphere { radius: *radius }),
        ColliderShape::Box { size } => plain(StageShape::Box { size: size.to_array() }),
        ColliderShape::Capsule { radius, length } => {
            plain(StageShape::Capsule { radius: *radius, length: *length })
        }
        ColliderShape::Mesh { file, scale, .. } => plain(mesh(&mesh_file::read(file).ok()?, *scale)),
        ColliderShape::Triangles { mesh: surface, .. } => plain(mesh(surface, 1.0)),
    }
}
