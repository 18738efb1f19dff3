//! Pictures to look at: `cargo test --test render_gallery -- --ignored` writes them below `target/gallery`.

use crate::scenes::*;
use glam::{Mat4, Vec3};
use sinew::render::*;
use std::time::Instant;

const SIZE: [u32; 2] = [1280, 720];

fn write(name: &str, picture: &Picture) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/gallery");
    std::fs::create_dir_all(folder).unwrap();
    let file = std::fs::File::create(format!("{folder}/{name}.png")).unwrap();
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&picture.rgba).unwrap();
}

/// The waving cloth, the draped ball and a group of solids together.
fn still_life() -> Stage {
    let mut stage = draped_ball(96);
    let boxed = ColliderShape::Box { half: Vec3::new(0.22, 0.3, 0.22) };
    let pose = Mat4::from_rotation_translation(glam::Quat::from_rotation_y(0.5), Vec3::new(1.25, 0.3, 0.1));
    stage.colliders.push(Collider::new(boxed, pose));
    let capsule = ColliderShape::Capsule { half_length: 0.3, radius: 0.1 };
    let lying = glam::Quat::from_rotation_y(0.3) * glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let pose = Mat4::from_rotation_translation(lying, Vec3::new(0.9, 0.1, 0.9));
    stage.colliders.push(Collider { colour: PALETTE[2], ..Collider::new(capsule, pose) });
    stage.sheet(64, PALETTE[0], |u, v| {
        let fold = 0.05 * (14.0 * u + 2.0 * v).sin() * (1.2 - v);
        Vec3::new(-1.9 + 1.1 * u, 0.25 + 1.1 * v, -0.7 + 0.5 * u + fold)
    });
    let front = stage.positions.len() as u32;
    for i in 0..24u32 {
        let t = i as f32 / 23.0;
        let place =
            Vec3::new(-1.5 + 1.3 * t, 0.03 + 0.12 * (t * 9.0).sin().abs(), 1.2 + 0.15 * (t * 6.0).sin());
        stage.positions.push(place);
        if i > 0 {
            stage.lines.push(Line { ends: [front + i - 1, front + i], radius: 0.02 });
        }
    }
    let lines = 0..stage.lines.len();
    stage.bodies.push(BodyLook { lines, colour: PALETTE[4], ..Default::default() });
    stage.scalars.clear();
    stage
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn the_gallery_is_written() {
    let studio = Studio::new();
    let light = Look::default();
    let dark = Look { theme: Theme::Dark, ..light };
    let height = Colouring::Scalar { low: -0.2, high: 0.2 };
    let share = Colouring::Scalar { low: 0.0, high: 1.0 };
    let scenes = [
        ("cloth", waving_cloth(64), light),
        ("cloth_dark", waving_cloth(64), dark),
        ("cloth_scalar", waving_cloth(64), Look { colouring: height, ..light }),
        ("ball", draped_ball(96), light),
        ("ball_dark", draped_ball(96), dark),
        ("ball_scalar", draped_ball(96), Look { colouring: share, ..dark }),
        ("helix", beaded_helix(), light),
        ("helix_scalar", beaded_helix(), Look { colouring: share, ..dark }),
        ("still_life", still_life(), Look { quality: Quality::Fine, ..light }),
        ("still_life_dark", still_life(), Look { quality: Quality::Fine, ..dark }),
        ("still_life_draft", still_life(), Look { quality: Quality::Draft, ..light }),
    ];
    for (name, stage, look) in &scenes {
        write(name, &studio.picture(stage, &stage.camera(), look, SIZE));
    }
    for k in 0..3 {
        let stage = waving_cloth(64);
        let camera = stage.camera().orbit(2.0 * k as f32 + 1.0);
        write(&format!("orbit_{k}"), &studio.picture(&stage, &camera, &light, [640, 360]));
    }
}

#[test]
#[ignore = "measures time, which depends on the machine"]
fn frame_times_are_printed() {
    let studio = Studio::new();
    for (name, stage) in [
        ("cloth 64 × 64", waving_cloth(64)),
        ("cloth 256 × 256", waving_cloth(256)),
        ("helix", beaded_helix()),
    ] {
        for quality in [Quality::Draft, Quality::Normal, Quality::Fine] {
            let look = Look { quality, ..Default::default() };
            let mut drawing = studio.renderer.prepare(&stage.geometry()).unwrap();
            let positions = studio.positions(&stage);
            let offscreen = Offscreen::new(&studio.renderer, SIZE[0], SIZE[1]).unwrap();
            let (mut times, mut cpu): (Vec<f64>, Vec<f64>) = Default::default();
            for _ in 0..4 {
                let start = Instant::now();
                let busy = cpu_seconds();
                offscreen
                    .render_to_rgba(&studio.renderer, &mut drawing, &positions, None, &stage.camera(), &look)
                    .unwrap();
                times.push(start.elapsed().as_secs_f64() * 1e3);
                cpu.push((cpu_seconds() - busy) * 1e3);
            }
            println!("{name}, {quality:?}: {times:.0?} ms, of the processors {cpu:.0?} ms");
        }
    }
}

/// Processor time of all threads so far [s]; unlike the wall clock it does not count other programs.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
