//! From a scene to a drawing: what the window and PNG frames share.

use super::overlays::{AXIS_COLOURS, CLASS_COLOURS};
use super::stripes::Stripes;
use super::{
    BodyLook, Camera, Collider, ColliderShape, Drawing, Geometry, Line, Look, Material, Overlays, Point,
    RenderError, Renderer, Theme,
};
use crate::model::colliders::Shape;
use crate::model::graph::constraint_graph;
use crate::model::{Body, Model};
use crate::scene::{self, Scene};
use glam::{DVec3, Mat4, Vec3};

/// Half the side of the square that stands for a plane, over the size of the scene.
const PLANE_EXTENT: f32 = 4.0;
/// Radius of an edge or particle drawn over a sheet, over the size of the scene.
const OVERLAY_RADIUS: f32 = 4e-4;

/// How far a stripe's colour goes from its rod's towards white or, for light rods, black.
const STRIPE_CONTRAST: f64 = 0.65;

/// A scene on the picture's device, with the camera and the look it asks for.
pub struct SceneDrawing {
    pub drawing: Drawing,
    /// Where the scene wants to be seen from.
    pub camera: Camera,
    /// Turn about the camera's up [degrees/s].
    pub orbit: f64,
    pub look: Look,
    /// The box that frames the bodies and bounded colliders at the start, and the ground under them [m].
    pub bounds: [Vec3; 2],
    /// The colliders that are drawn.
    colliders: Vec<scene::Collider>,
    /// The number of the user's ball among the drawn colliders.
    ball: Option<usize>,
    /// What is drawn besides the particles.
    pub(super) stripes: Stripes,
    /// Positions, those of detailed surfaces and stripes included, and scalars; a [`super::Presenter`] fills them.
    pub positions: wgpu::Buffer,
    pub scalars: wgpu::Buffer,
}

impl SceneDrawing {
    /// Prepares to draw a scene in the theme it asks for; `aspect` is width over height.
    pub fn new(
        renderer: &Renderer,
        scene: &Scene,
        model: &Model,
        overlays: Overlays,
        aspect: f32,
    ) -> Result<Self, RenderError> {
        let (low, high) = bounds(scene, model);
        let size = (high - low).length().max(f32::MIN_POSITIVE);
        let ground = scene.ground_height();
        let shown: Vec<_> = scene
            .collider
            .iter()
            .zip(&model.colliders)
            .filter(|(collider, _)| !is_ground(collider, ground))
            .filter(|_| !overlays.hide_colliders)
            .collect();
        let mut colliders: Vec<Collider> =
            shown.iter().map(|(collider, built)| drawn_collider(collider, &built.shape, size)).collect();
        let ball = overlays.ball.then(|| {
            let pose = ball_pose(None, 0.5 * (low + high));
            colliders.push(Collider::new(ColliderShape::Sphere { radius: 1.0 }, pose));
            colliders.len() - 1
        });
        let stripes = Stripes::new(model, overlays.frames);
        let parts = Parts::new(model, &stripes, overlays, OVERLAY_RADIUS * size);
        let point_count = model.particle_count() + stripes.len();
        let drawing = renderer.prepare(&Geometry {
            particle_count: point_count as u32,
            triangles: &parts.triangles,
            lines: &parts.lines,
            points: &parts.points,
            bodies: &parts.bodies,
            colliders: &colliders,
        })?;
        let buffer = |label, bytes: usize| {
            renderer.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes as u64,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        };
        let drawn = Self {
            drawing,
            camera: Camera::of_scene(&scene.camera, low, high, aspect),
            orbit: scene.camera.orbit,
            look: Look {
                theme: match scene.render.theme {
                    scene::Theme::Light => Theme::Light,
                    scene::Theme::Dark => Theme::Dark,
                },
                ground: ground.map(|height| height as f32),
                ..Look::default()
            },
            bounds: [low, high],
            ball,
            colliders: shown.into_iter().map(|(collider, _)| collider.clone()).collect(),
            positions: buffer("drawn positions", 16 * point_count),
            scalars: buffer("drawn scalars", 4 * point_count),
            stripes,
        };
        let start = drawn.stripes.pack(&model.particles.positions, &model.first_frames());
        renderer.queue().write_buffer(&drawn.positions, 0, bytemuck::cast_slice(&start));
        Ok(drawn)
    }

    /// Moves the colliders to where they are at a time [s], for the next submit.
    pub fn set_time(&self, queue: &wgpu::Queue, time: f64) {
        for (index, collider) in self.colliders.iter().enumerate() {
            if !collider.motion.is_empty() {
                self.drawing.set_collider_pose(queue, index, pose(collider, time));
            }
        }
    }

    /// Puts the user's ball somewhere [m], or takes it away, for the next submit. Does nothing where it was not asked for.
    pub fn set_ball(&self, queue: &wgpu::Queue, ball: Option<(Vec3, f32)>) {
        if let Some(index) = self.ball {
            let [low, high] = self.bounds;
            self.drawing.set_collider_pose(queue, index, ball_pose(ball, 0.5 * (low + high)));
        }
    }
}

/// The parts of a model that are drawn.
struct Parts {
    /// Of detailed surfaces where there are some, otherwise of the bodies themselves.
    triangles: Vec<[u32; 3]>,
    lines: Vec<Line>,
    points: Vec<Point>,
    bodies: Vec<BodyLook>,
}

impl Parts {
    fn new(model: &Model, stripes: &Stripes, overlays: Overlays, overlay_radius: f32) -> Self {
        let mut is_rod = vec![false; model.bodies.len()];
        model.rods.rods.iter().for_each(|rod| is_rod[rod.body as usize] = true);
        let mut net_of = vec![None; model.bodies.len()];
        model.nets.nets.iter().for_each(|net| {
            is_rod[net.body as usize] = true;
            net_of[net.body as usize] = Some(net);
        });
        let mut parts =
            Self { triangles: Vec::new(), lines: Vec::new(), points: Vec::new(), bodies: Vec::new() };
        for (index, body) in model.bodies.iter().enumerate() {
            let (first_line, first_point) = (parts.lines.len(), parts.points.len());
            let first_triangle = parts.triangles.len();
            parts.add_triangles(model, index);
            let is_sheet = body.radius == 0.0 && body.tetrahedra.is_empty();
            // A body with a surface shows that and not what is inside.
            if body.triangles.is_empty() {
                let radius = body.radius as f32;
                let segments = &model.segments[body.segments.start as usize..body.segments.end as usize];
                let thickness = if is_rod[index] { radius } else { 0.5 * radius };
                // Constraints of what is thin take its place.
                let has_constraints = is_rod[index] || !model.elements[index].links.is_empty();
                if !(overlays.constraints && has_constraints) {
                    parts.lines.extend(segments.iter().map(|&ends| Line { ends, radius: thickness }));
                }
                if let Some(net) = net_of[index] {
                    let first = (net.frames.start - model.nets.first_frame()) as usize;
                    for (line, radius) in parts.lines[first_line..].iter_mut().zip(&model.nets.radii[first..])
                    {
                        line.radius = *radius as f32;
                    }
                }
                let numbers = body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
                let has_skin = model.skins.of_body(index).is_some();
                if !is_rod[index] && !has_skin {
                    parts.points.extend(numbers.map(|particle| Point { particle, radius }));
                }
                let weights = model.rods.weights.iter().filter(|weight| weight.body as usize == index);
                parts.points.extend(
                    weights.map(|weight| Point { particle: weight.particle, radius: weight.radius() as f32 }),
                );
            }
            parts.bodies.push(BodyLook {
                triangles: first_triangle..parts.triangles.len(),
                lines: first_line..parts.lines.len(),
                points: first_point..parts.points.len(),
                colour: body.colour.map(|c| c as f32),
                material: if is_sheet { Material::Cloth } else { Material::Solid },
            });
            if !body.triangles.is_empty() {
                parts.overlay(model, body, overlays, overlay_radius);
            }
            parts.thin(stripe_colour(body.colour), stripes.lines[index].iter().copied());
            if overlays.constraints {
                let radius =
                    if body.triangles.is_empty() { 0.5 * body.radius as f32 } else { overlay_radius };
                parts.graph(model, index, radius);
            }
        }
        for (colour, lines) in AXIS_COLOURS.into_iter().zip(&stripes.axis_lines) {
            parts.thin(colour, lines.iter().copied());
        }
        parts
    }

    /// The triangles of a body by what is drawn: particles, and then the vertices of detailed surfaces.
    fn add_triangles(&mut self, model: &Model, index: usize) {
        let body = &model.bodies[index];
        match model.skins.of_body(index) {
            Some(skin) => {
                let first = model.particle_count() as u32;
                self.triangles.extend(skin.triangles.iter().map(|t| t.map(|v| first + v)));
            }
            None => {
                let range = body.triangles.start as usize..body.triangles.end as usize;
                self.triangles.extend(&model.triangles[range]);
            }
        }
    }

    /// Lines with a colour of their own.
    fn thin(&mut self, colour: [f32; 3], lines: impl Iterator<Item = Line>) {
        let first = self.lines.len();
        self.lines.extend(lines);
        let lines = first..self.lines.len();
        self.bodies.push(BodyLook { lines, colour, material: Material::Solid, ..BodyLook::default() });
    }

    /// The constraints of a body, class by class.
    fn graph(&mut self, model: &Model, body: usize, radius: f32) {
        let edges = constraint_graph(model, body);
        for class in edges.chunk_by(|a, b| a.class == b.class) {
            let colour = CLASS_COLOURS[class[0].class as usize % CLASS_COLOURS.len()];
            self.thin(colour, class.iter().map(|edge| Line { ends: edge.ends, radius }));
        }
    }

    /// The edges and particles of a body that is drawn as a surface.
    fn overlay(&mut self, model: &Model, body: &Body, overlays: Overlays, radius: f32) {
        let triangles = &model.triangles[body.triangles.start as usize..body.triangles.end as usize];
        if overlays.wireframe {
            let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let mut edges: Vec<[u32; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
            edges.sort_unstable();
            edges.dedup();
            let lines = edges.into_iter().map(|ends| Line { ends, radius });
            self.thin(stripe_colour(body.colour), lines);
        }
        if overlays.particles {
            let first = self.points.len();
            let numbers = body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
            self.points.extend(numbers.map(|particle| Point { particle, radius: 3.0 * radius }));
            self.bodies.push(BodyLook {
                points: first..self.points.len(),
                colour: stripe_colour(body.colour),
                material: Material::Solid,
                ..BodyLook::default()
            });
        }
    }
}

/// Where the user's ball of radius 1 is drawn; one that is not there is too small to be seen.
fn ball_pose(ball: Option<(Vec3, f32)>, centre: Vec3) -> Mat4 {
    const NOWHERE: f32 = 1e-6;
    let (place, radius) = ball.unwrap_or((centre, NOWHERE));
    Mat4::from_scale_rotation_translation(Vec3::splat(radius), glam::Quat::IDENTITY, place)
}

/// The colour of a stripe on a body.
fn stripe_colour(colour: [f64; 3]) -> [f32; 3] {
    let light = colour.iter().sum::<f64>() / 3.0 > 0.55;
    let end = if light { 0.0 } else { 1.0 };
    colour.map(|c| (c + STRIPE_CONTRAST * (end - c)) as f32)
}

/// The box that the camera frames: bodies and bounded colliders at the start, and the ground under them.
fn bounds(scene: &Scene, model: &Model) -> (Vec3, Vec3) {
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    let mut include = |x: DVec3| {
        low = low.min(x);
        high = high.max(x);
    };
    model.particles.positions.iter().for_each(|&x| include(x));
    let frames = model.first_frames();
    for vertex in &model.skins.rigid {
        let arm = frames.orientations[vertex.frame as usize] * vertex.arm;
        include(model.particles.positions[vertex.particle as usize] + arm);
    }
    for (collider, built) in scene.collider.iter().zip(&model.colliders) {
        let reach = match &built.shape {
            Shape::Plane { .. } => continue,
            Shape::Sphere { radius } => *radius,
            Shape::Box { half } => half.length(),
            Shape::Capsule { radius, half_length } => radius + half_length,
            Shape::Field(field) => field.end().abs().max(field.origin.abs()).length(),
        };
        include(collider.position - reach);
        include(collider.position + reach);
    }
    if let Some(ground) = scene.ground_height() {
        // Cloth falls: the ground below the scene belongs to the picture, unless it is far away.
        if ground < low.y && low.y - ground < 2.0 * (high - low).length() {
            low.y = ground;
        }
    }
    (low.as_vec3(), high.as_vec3())
}

fn pose(collider: &scene::Collider, time: f64) -> Mat4 {
    let (rotation, position) = collider.frame_at(time);
    Mat4::from_rotation_translation(rotation.as_quat(), position.as_vec3())
}

/// Whether a collider is a floor at the height of the drawn ground, which then stands for it.
fn is_ground(collider: &scene::Collider, ground: Option<f64>) -> bool {
    const SAME: f64 = 1e-6;
    matches!((collider.level(), ground), (Some(level), Some(ground)) if (level - ground).abs() < SAME)
}

fn drawn_collider(collider: &scene::Collider, built: &Shape, scene_size: f32) -> Collider {
    let mut pose = pose(collider, 0.0);
    let shape = match built {
        Shape::Plane { normal, offset } => {
            // The drawn square lies in y = 0 of its own frame.
            let turn = glam::Quat::from_rotation_arc(Vec3::Y, normal.as_vec3().normalize());
            pose *= Mat4::from_rotation_translation(turn, (normal.normalize() * *offset).as_vec3());
            ColliderShape::Plane { half_size: PLANE_EXTENT * scene_size }
        }
        Shape::Sphere { radius } => ColliderShape::Sphere { radius: *radius as f32 },
        Shape::Box { half } => ColliderShape::Box { half: half.as_vec3() },
        Shape::Capsule { radius, half_length } => {
            ColliderShape::Capsule { half_length: *half_length as f32, radius: *radius as f32 }
        }
        Shape::Field(_) => match collider.surface() {
            Ok(Some(mesh)) => ColliderShape::Mesh {
                vertices: mesh.positions.iter().map(|x| x.as_vec3()).collect(),
                triangles: mesh.triangles,
            },
            // The model was built from this very file; if it has vanished since, a small ball marks the place.
            _ => ColliderShape::Sphere { radius: 0.01 * scene_size },
        },
    };
    let mut drawn = Collider::new(shape, pose);
    if let Some(colour) = collider.colour {
        drawn.colour = colour.map(|c| c as f32);
    }
    drawn
}
