//! Pictures of a running scene, on the simulation's own device or on another.

use super::Drawing;
use super::stripes::Stripes;
use super::{
    BodyLook, Camera, Collider, ColliderShape, Colouring, Geometry, Line, Look, Material, Offscreen, Point,
    RenderError, Renderer, Theme,
};
use crate::compute::Gpu;
use crate::contact::colliders::Shape;
use crate::export::{Image, colour_bar};
use crate::model::Model;
use crate::model::measure::particle_strains;
use crate::model::rod_measure::{RodEnergies, particle_energies};
use crate::model::sheets::mode_strains;
use crate::scene::{self, ColourBy, Scene};
use crate::{Simulation, SimulationError};
use glam::{DVec3, Mat4, Vec3};

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// Half the side of the square that stands for a plane, over the size of the scene.
const PLANE_EXTENT: f32 = 4.0;

/// What colours mean.
struct Legend {
    title: &'static str,
    unit: &'static str,
    range: [f64; 2],
}

/// Draws a scene as it runs.
pub struct Film {
    gpu: Gpu,
    renderer: Renderer,
    drawing: Drawing,
    offscreen: Offscreen,
    camera: Camera,
    orbit: f64,
    look: Look,
    colour: ColourBy,
    range: Option<[f64; 2]>,
    /// The colliders that are drawn.
    colliders: Vec<scene::Collider>,
    stripes: Stripes,
    /// Positions and scalars on the picture's device, for states that live elsewhere.
    positions: wgpu::Buffer,
    scalars: wgpu::Buffer,
}

impl Film {
    /// Prepares to draw a scene in the size, theme and colours it asks for.
    pub fn new(gpu: &Gpu, scene: &Scene, model: &Model) -> Result<Self, FilmError> {
        let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
        let [width, height] = scene.render.size;
        let offscreen = Offscreen::new(&renderer, width, height)?;
        let (low, high) = bounds(scene, model);
        let size = (high - low).length().max(f32::MIN_POSITIVE);
        let shown: Vec<_> = scene
            .collider
            .iter()
            .zip(&model.colliders)
            .filter(|(collider, built)| !is_ground(collider, &built.shape, scene.render.ground))
            .collect();
        let colliders: Vec<Collider> =
            shown.iter().map(|(collider, built)| drawn_collider(collider, &built.shape, size)).collect();
        let stripes = Stripes::new(model);
        let parts = Parts::new(model, &stripes);
        let particle_count = model.particle_count() + stripes.len();
        let drawing = renderer.prepare(&Geometry {
            particle_count: particle_count as u32,
            triangles: &model.triangles,
            lines: &parts.lines,
            points: &parts.points,
            bodies: &parts.bodies,
            colliders: &colliders,
        })?;
        let buffer = |label, bytes: usize| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Ok(Self {
            renderer,
            drawing,
            offscreen,
            camera: camera(&scene.camera, low, high, width as f32 / height as f32),
            orbit: scene.camera.orbit,
            look: Look {
                theme: match scene.render.theme {
                    scene::Theme::Light => Theme::Light,
                    scene::Theme::Dark => Theme::Dark,
                },
                ground: scene.render.ground.map(|height| height as f32),
                ..Look::default()
            },
            colour: scene.render.colour,
            range: scene.render.range,
            colliders: shown.into_iter().map(|(collider, _)| collider.clone()).collect(),
            positions: buffer("drawn positions", 16 * particle_count),
            scalars: buffer("drawn scalars", 4 * particle_count),
            stripes,
            gpu: gpu.clone(),
        })
    }

    /// The picture of the present state.
    pub fn draw(&mut self, simulation: &mut Simulation) -> Result<Image, FilmError> {
        let time = simulation.time();
        for (index, collider) in self.colliders.iter().enumerate() {
            if !collider.motion.is_empty() {
                self.drawing.set_collider_pose(&self.gpu.queue, index, pose(collider, time));
            }
        }
        let legend = self.colour_scalars(simulation)?;
        let camera = self.camera.orbit((self.orbit * time).to_radians() as f32);
        // Stripes are made on the host, so the particles go with them.
        let own = simulation.device_positions(&self.gpu.device).filter(|_| self.stripes.is_empty());
        if own.is_none() {
            let mut x = simulation.model_positions()?;
            let frames = simulation.frames()?;
            x.extend(self.stripes.positions(&x, &frames).collect::<Vec<_>>());
            let packed: Vec<[f32; 4]> = x.iter().map(|x| x.as_vec3().extend(0.0).to_array()).collect();
            self.gpu.queue.write_buffer(&self.positions, 0, bytemuck::cast_slice(&packed));
        }
        let positions = own.as_ref().unwrap_or(&self.positions);
        let scalars = legend.is_some().then_some(&self.scalars);
        let pixels = self.offscreen.render_to_rgba(
            &self.renderer,
            &mut self.drawing,
            positions,
            scalars,
            &camera,
            &self.look,
        )?;
        let mut image = Image { width: self.offscreen.width(), height: self.offscreen.height(), pixels };
        if let Some(Legend { title, unit, range: [low, high] }) = legend {
            colour_bar(&mut image, title, unit, low, high);
        }
        Ok(image)
    }

    /// Uploads what colours show; nothing if they show the body.
    fn colour_scalars(&mut self, simulation: &mut Simulation) -> Result<Option<Legend>, FilmError> {
        let (title, unit, mut values) = match self.colour {
            ColourBy::Body => return Ok(None),
            ColourBy::Velocity => {
                let v = simulation.model_velocities()?;
                ("speed", "m/s", v.iter().map(|v| v.length()).collect::<Vec<_>>())
            }
            ColourBy::Strain => {
                let x = simulation.model_positions()?;
                let strains = particle_strains(simulation.model(), &x);
                ("strain", "%", strains.into_iter().map(|s| 100.0 * s).collect())
            }
            ColourBy::Weft => ("weft", "%", mode(simulation, 0)?),
            ColourBy::Warp => ("warp", "%", mode(simulation, 1)?),
            ColourBy::Shear => ("shear", "%", mode(simulation, 2)?),
            ColourBy::Bend => ("bending", "J/m", rod_energies(simulation, |e| e.bend)?),
            ColourBy::Twist => ("twist", "J/m", rod_energies(simulation, |e| e.twist)?),
        };
        self.stripes.extend(&mut values);
        let scale = if unit == "%" { 100.0 } else { 1.0 };
        let [low, high] = self.range.map_or_else(
            // Strains of one mode have signs.
            || [values.iter().copied().fold(0.0, f64::min), values.iter().copied().fold(0.0, f64::max)],
            |range| range.map(|x| scale * x),
        );
        let high = if high > low { high } else { low + 1.0 };
        let packed: Vec<f32> = values.iter().map(|&x| x as f32).collect();
        self.gpu.queue.write_buffer(&self.scalars, 0, bytemuck::cast_slice(&packed));
        self.look.colouring = Colouring::Scalar { low: low as f32, high: high as f32 };
        Ok(Some(Legend { title, unit, range: [low, high] }))
    }
}

/// Energy per length of rods at each particle [J/m].
fn rod_energies(simulation: &mut Simulation, pick: fn(&RodEnergies) -> f64) -> Result<Vec<f64>, FilmError> {
    let (x, frames) = (simulation.model_positions()?, simulation.frames()?);
    Ok(particle_energies(simulation.model(), &x, &frames.orientations, pick))
}

/// How far a stripe's colour goes from its rod's towards white or, for light rods, black.
const STRIPE_CONTRAST: f64 = 0.65;

/// The colour of a stripe on a body.
fn stripe_colour(colour: [f64; 3]) -> [f32; 3] {
    let light = colour.iter().sum::<f64>() / 3.0 > 0.55;
    let end = if light { 0.0 } else { 1.0 };
    colour.map(|c| (c + STRIPE_CONTRAST * (end - c)) as f32)
}

/// Strains of sheets in one mode at each particle [%].
fn mode(simulation: &mut Simulation, mode: usize) -> Result<Vec<f64>, FilmError> {
    let x = simulation.model_positions()?;
    let strains = mode_strains(simulation.model(), &x);
    Ok(strains.into_iter().map(|s| 100.0 * s[mode]).collect())
}

/// The parts of a model that are drawn besides its triangles.
struct Parts {
    lines: Vec<Line>,
    points: Vec<Point>,
    bodies: Vec<BodyLook>,
}

impl Parts {
    fn new(model: &Model, stripes: &Stripes) -> Self {
        let mut is_rod = vec![false; model.bodies.len()];
        model.rods.rods.iter().for_each(|rod| is_rod[rod.body as usize] = true);
        let mut parts = Self { lines: Vec::new(), points: Vec::new(), bodies: Vec::new() };
        for (index, body) in model.bodies.iter().enumerate() {
            let (first_line, first_point) = (parts.lines.len(), parts.points.len());
            let is_sheet = body.radius == 0.0;
            // A body with a surface shows that and not what is inside.
            if body.triangles.is_empty() {
                let radius = body.radius as f32;
                let segments = &model.segments[body.segments.start as usize..body.segments.end as usize];
                let thickness = if is_rod[index] { radius } else { 0.5 * radius };
                parts.lines.extend(segments.iter().map(|&ends| Line { ends, radius: thickness }));
                let numbers = body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
                if !is_rod[index] {
                    parts.points.extend(numbers.map(|particle| Point { particle, radius }));
                }
                let weights = model.rods.weights.iter().filter(|weight| weight.body as usize == index);
                parts.points.extend(
                    weights.map(|weight| Point { particle: weight.particle, radius: weight.radius() as f32 }),
                );
            }
            parts.bodies.push(BodyLook {
                triangles: body.triangles.start as usize..body.triangles.end as usize,
                lines: first_line..parts.lines.len(),
                points: first_point..parts.points.len(),
                colour: body.colour.map(|c| c as f32),
                material: if is_sheet { Material::Cloth } else { Material::Solid },
            });
            let first_stripe = parts.lines.len();
            parts.lines.extend(&stripes.lines[index]);
            parts.bodies.push(BodyLook {
                lines: first_stripe..parts.lines.len(),
                colour: stripe_colour(body.colour),
                material: Material::Solid,
                ..BodyLook::default()
            });
        }
        parts
    }
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
    if let Some(ground) = scene.render.ground {
        // Cloth falls: the ground below the scene belongs to the picture, unless it is far away.
        if ground < low.y && low.y - ground < 2.0 * (high - low).length() {
            low.y = ground;
        }
    }
    (low.as_vec3(), high.as_vec3())
}

fn camera(wanted: &scene::Camera, low: Vec3, high: Vec3, aspect: f32) -> Camera {
    let framed = Camera::framing(low, high, aspect);
    let field_of_view = wanted.field_of_view.to_radians() as f32;
    let target = wanted.target.map_or(framed.target, |x| x.as_vec3());
    let eye = wanted.eye.map_or_else(
        || {
            // The framed distance is for the framed opening.
            let ratio = (0.5 * framed.field_of_view).tan() / (0.5 * field_of_view).tan();
            target + ratio * (framed.eye - framed.target)
        },
        |x| x.as_vec3(),
    );
    Camera { eye, target, up: wanted.up.as_vec3(), field_of_view }
}

fn pose(collider: &scene::Collider, time: f64) -> Mat4 {
    let (rotation, position) = collider.frame_at(time);
    Mat4::from_rotation_translation(rotation.as_quat(), position.as_vec3())
}

/// Whether a collider is a floor at the height of the drawn ground, which then stands for it.
fn is_ground(collider: &scene::Collider, built: &Shape, ground: Option<f64>) -> bool {
    let (Shape::Plane { normal, offset }, Some(ground)) = (built, ground) else { return false };
    let (rotation, position) = collider.frame_at(0.0);
    let up = rotation * normal.normalize();
    collider.motion.is_empty() && up.y > 1.0 - 1e-9 && (position.y + offset - ground).abs() < 1e-6
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
