//! A device and a few analytic scenes for the renderer's tests.

use glam::{Mat4, Vec3};
use sinew::render::*;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// A device on whatever adapter there is; without one the test fails and says what to install.
pub fn device() -> (wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))
        .expect("no graphics adapter; on Debian and Ubuntu install mesa-vulkan-drivers");
    println!("adapter: {}", adapter.get_info().name);
    pollster::block_on(adapter.request_device(&Default::default())).expect("a device with default limits")
}

/// A geometry that owns its lists, and where its particles are.
#[derive(Default)]
pub struct Stage {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub lines: Vec<Line>,
    pub points: Vec<Point>,
    pub bodies: Vec<BodyLook>,
    pub colliders: Vec<Collider>,
    pub scalars: Vec<f32>,
}

impl Stage {
    pub fn geometry(&self) -> Geometry<'_> {
        Geometry {
            particle_count: self.positions.len() as u32,
            triangles: &self.triangles,
            lines: &self.lines,
            points: &self.points,
            bodies: &self.bodies,
            colliders: &self.colliders,
        }
    }

    /// Adds a sheet of cells × cells squares; `place` maps 0…1 squared to a position, front towards ∂u × ∂v.
    pub fn sheet(&mut self, cells: u32, colour: [f32; 3], place: impl Fn(f32, f32) -> Vec3) {
        let first = self.positions.len() as u32;
        let start = self.triangles.len();
        let step = 1.0 / cells as f32;
        for row in 0..=cells {
            for column in 0..=cells {
                self.positions.push(place(column as f32 * step, row as f32 * step));
            }
        }
        let stride = cells + 1;
        for row in 0..cells {
            for column in 0..cells {
                let a = first + row * stride + column;
                self.triangles.push([a, a + 1, a + stride]);
                self.triangles.push([a + 1, a + stride + 1, a + stride]);
            }
        }
        let triangles = start..self.triangles.len();
        self.bodies.push(BodyLook { triangles, colour, ..Default::default() });
    }

    pub fn ball(&mut self, centre: Vec3, radius: f32) {
        let shape = ColliderShape::Sphere { radius };
        self.colliders.push(Collider::new(shape, Mat4::from_translation(centre)));
    }

    pub fn bounds(&self) -> (Vec3, Vec3) {
        let low = self.positions.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
        let high = self.positions.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
        (low, high)
    }

    pub fn camera(&self) -> Camera {
        let (low, high) = self.bounds();
        Camera::framing(low, high, 16.0 / 9.0)
    }
}

/// A picture with its size.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

impl Picture {
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let start = 4 * (y * self.width + x) as usize;
        [self.rgba[start], self.rgba[start + 1], self.rgba[start + 2]]
    }

    /// The pixel that shows a point of the world.
    pub fn at(&self, camera: &Camera, point: Vec3) -> [u8; 3] {
        let [x, y] = camera.project(point, self.width, self.height).expect("in front of the camera");
        assert!(x >= 0.0 && y >= 0.0 && x < self.width as f32 && y < self.height as f32, "outside");
        self.pixel(x as u32, y as u32)
    }
}

/// The renderer with its device: one per test.
pub struct Studio {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub renderer: Renderer,
}

impl Studio {
    pub fn new() -> Self {
        let (device, queue) = device();
        let renderer = Renderer::new(&device, &queue, Offscreen::FORMAT);
        Self { device, queue, renderer }
    }

    pub fn buffer(&self, bytes: &[u8]) -> wgpu::Buffer {
        let label = Some("the solver's");
        // A scene without particles still has some buffer.
        let contents = if bytes.is_empty() { &[0; 16] } else { bytes };
        let usage = wgpu::BufferUsages::STORAGE;
        self.device.create_buffer_init(&BufferInitDescriptor { label, contents, usage })
    }

    pub fn positions(&self, stage: &Stage) -> wgpu::Buffer {
        let padded: Vec<[f32; 4]> = stage.positions.iter().map(|p| p.extend(7.0).to_array()).collect();
        self.buffer(bytemuck::cast_slice(&padded))
    }

    pub fn picture(&self, stage: &Stage, camera: &Camera, look: &Look, size: [u32; 2]) -> Picture {
        let [width, height] = size;
        let mut drawing = self.renderer.prepare(&stage.geometry()).unwrap();
        let positions = self.positions(stage);
        let scalars = self.buffer(bytemuck::cast_slice(&stage.scalars));
        let scalars = (!stage.scalars.is_empty()).then_some(&scalars);
        let offscreen = Offscreen::new(&self.renderer, width, height).unwrap();
        let rgba = offscreen
            .render_to_rgba(&self.renderer, &mut drawing, &positions, scalars, camera, look)
            .unwrap();
        Picture { width, height, rgba }
    }
}

/// A flag in the wind: an analytic surface with folds.
pub fn waving_cloth(cells: u32) -> Stage {
    let mut stage = Stage::default();
    stage.sheet(cells, PALETTE[0], |u, v| {
        let x = 1.6 * (u - 0.5);
        let wave = 0.16 * u.sqrt() * (9.0 * u + 1.5 * v).sin() + 0.05 * u * (17.0 * u - 6.0 * v + 1.0).sin();
        Vec3::new(x, 0.35 + 1.1 * v - 0.06 * u * u, wave)
    });
    stage.scalars = stage.positions.iter().map(|p| p.z).collect();
    stage
}

/// A square cloth laid over a ball: snug on top, folded where it hangs.
pub fn draped_ball(cells: u32) -> Stage {
    let mut stage = Stage::default();
    let radius = 0.5;
    let centre = Vec3::new(0.0, radius, 0.0);
    stage.sheet(cells, PALETTE[1], |u, v| {
        let (x, z) = (2.0 * u - 1.0, 1.0 - 2.0 * v);
        let out = (x * x + z * z).sqrt().max(1e-6);
        let angle = z.atan2(x);
        let arc = out * 0.95;
        let skin = radius + 0.012;
        let quarter = 0.5 * std::f32::consts::PI * skin;
        let folds = (8.0 * angle).cos();
        let (r, y) = if arc < quarter {
            let around = arc / skin;
            (skin * around.sin(), centre.y + skin * around.cos())
        } else {
            (skin, centre.y - (arc - quarter))
        };
        let loose = (arc / quarter - 0.55).clamp(0.0, 2.0);
        let r = r + 0.10 * loose * loose + 0.13 * loose * loose * (1.0 + folds);
        // What reaches the floor spreads out on it instead of piling up.
        let floor = 0.012;
        let r = r + (floor - y).max(0.0);
        Vec3::new(r * x / out, y.max(floor), r * z / out)
    });
    stage.ball(centre, radius);
    stage.scalars = stage.positions.iter().map(|p| p.y).collect();
    stage
}

/// Balls on a helix joined by rods.
pub fn beaded_helix() -> Stage {
    let mut stage = Stage::default();
    let count = 60;
    for i in 0..count {
        let t = i as f32 / (count - 1) as f32;
        let angle = 14.0 * t;
        let r = 0.42 - 0.12 * t;
        stage.positions.push(Vec3::new(r * angle.cos(), 0.06 + 1.1 * t, r * angle.sin()));
        stage.points.push(Point { particle: i, radius: 0.042 });
        stage.scalars.push(t);
        if i > 0 {
            stage.lines.push(Line { ends: [i - 1, i], radius: 0.014 });
        }
    }
    let points = 0..stage.points.len();
    let lines = 0..stage.lines.len();
    stage.bodies.push(BodyLook { points, colour: PALETTE[2], ..Default::default() });
    stage.bodies.push(BodyLook { lines, colour: PALETTE[4], ..Default::default() });
    stage
}
