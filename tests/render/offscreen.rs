//! Pictures drawn on a real adapter, judged pixel by pixel.

use crate::scenes::*;
use glam::{Mat4, Vec3};
use sinew::render::*;

/// Brightness of a pixel, 0 to 255.
fn luma([r, g, b]: [u8; 3]) -> f32 {
    0.2126 * f32::from(r) + 0.7152 * f32::from(g) + 0.0722 * f32::from(b)
}

/// A quick look with nothing but the bodies on the backdrop.
fn bare() -> Look {
    Look { quality: Quality::Draft, ground: None, grid: false, ..Default::default() }
}

/// A level square of 1 m at a height of 0.5 m, facing up.
fn sheet(colour: [f32; 3]) -> Stage {
    let mut stage = Stage::default();
    stage.sheet(16, colour, |u, v| Vec3::new(u - 0.5, 0.5, 0.5 - v));
    stage
}

/// Camera from above at a slant, so that sheet and floor are both in sight.
fn slanted() -> Camera {
    Camera {
        eye: Vec3::new(0.0, 3.0, 4.0),
        target: Vec3::new(0.0, 0.2, 0.0),
        up: Vec3::Y,
        field_of_view: 0.6,
    }
}

#[test]
fn cloth_colour_appears_where_the_cloth_projects() {
    let studio = Studio::new();
    let camera = slanted();
    let picture = studio.picture(&sheet([0.8, 0.1, 0.1]), &camera, &bare(), [320, 180]);
    let [r, g, b] = picture.at(&camera, Vec3::new(0.0, 0.5, 0.0));
    assert!(r / 2 > g && r / 2 > b, "{r} {g} {b} is not red");
    let empty = studio.picture(&Stage::default(), &camera, &bare(), [320, 180]);
    let changed =
        (0..320 * 180).filter(|&i| picture.pixel(i % 320, i / 320) != empty.pixel(i % 320, i / 320));
    // One square metre, foreshortened, of a picture 3.0 m × 5.4 m wide at that distance.
    let share = changed.count() as f32 / (320.0 * 180.0);
    assert!((0.03..0.05).contains(&share), "{share} of the picture changed");
    assert_eq!(picture.pixel(2, 2), empty.pixel(2, 2), "the corner shows the backdrop");
}

#[test]
fn the_sheet_darkens_the_ground_beneath_it() {
    let studio = Studio::new();
    // From the side and below the sheet's height, so that the floor under it is in sight.
    let camera = Camera {
        eye: Vec3::new(0.0, 0.35, 5.0),
        target: Vec3::new(0.0, 0.2, 0.0),
        up: Vec3::Y,
        field_of_view: 0.6,
    };
    for theme in [Theme::Light, Theme::Dark] {
        let look = Look { theme, grid: false, quality: Quality::Draft, ..Default::default() };
        let mut stage = sheet(PALETTE[0]);
        let shaded = studio.picture(&stage, &camera, &look, [320, 180]);
        stage.triangles.clear();
        stage.bodies.clear();
        let open = studio.picture(&stage, &camera, &look, [320, 180]);
        let under = Vec3::new(0.3, 0.0, 0.0);
        let (dark, light) = (luma(shaded.at(&camera, under)), luma(open.at(&camera, under)));
        assert!(dark < 0.8 * light, "{theme:?}: {dark} under the sheet, {light} without it");
        // Far to the lit side nothing changes.
        let beside = Vec3::new(-1.3, 0.0, 1.0);
        let (a, b) = (luma(shaded.at(&camera, beside)), luma(open.at(&camera, beside)));
        assert!((a - b).abs() <= 4.0, "{theme:?}: {a} beside the sheet, {b} without it");
    }
}

#[test]
fn a_sheet_does_not_shade_itself() {
    let studio = Studio::new();
    let camera = slanted();
    for quality in [Quality::Draft, Quality::Normal, Quality::Fine] {
        let look = Look { quality, ..bare() };
        let picture = studio.picture(&sheet([0.5, 0.5, 0.5]), &camera, &look, [320, 180]);
        let lumas: Vec<f32> = (-4..=4)
            .flat_map(|x| (-4..=4).map(move |z| Vec3::new(0.1 * x as f32, 0.5, 0.1 * z as f32)))
            .map(|p| luma(picture.at(&camera, p)))
            .collect();
        let low = lumas.iter().copied().fold(f32::INFINITY, f32::min);
        let high = lumas.iter().copied().fold(0.0, f32::max);
        assert!(high - low < 12.0, "{quality:?}: an evenly lit sheet ranges from {low} to {high}");
    }
}

#[test]
fn the_back_of_a_cloth_is_duller_than_its_front() {
    let studio = Studio::new();
    let camera = Camera {
        eye: Vec3::new(0.0, 0.5, 4.0),
        target: Vec3::new(0.0, 0.5, 0.0),
        up: Vec3::Y,
        field_of_view: 0.6,
    };
    let facing = |flip: f32| {
        let mut stage = Stage::default();
        stage.sheet(8, [0.6, 0.6, 0.6], |u, v| Vec3::new(flip * (u - 0.5), v, 0.0));
        luma(studio.picture(&stage, &camera, &bare(), [64, 64]).at(&camera, Vec3::new(0.1, 0.5, 0.0)))
    };
    let (front, back) = (facing(1.0), facing(-1.0));
    assert!(back < 0.97 * front && back > 0.5 * front, "front {front}, back {back}");
}

#[test]
fn nearer_things_hide_farther_ones() {
    let studio = Studio::new();
    let camera =
        Camera { eye: Vec3::new(0.0, 0.0, 5.0), target: Vec3::ZERO, up: Vec3::Y, field_of_view: 0.5 };
    let mut stage = Stage::default();
    stage.sheet(4, [0.9, 0.1, 0.1], |u, v| Vec3::new(u - 0.5, v - 0.5, 0.0));
    // A green ball in front on the left, a blue one behind on the right, both as points.
    for (k, x, z, colour) in [(0, -0.25, 0.3, [0.1, 0.8, 0.1]), (1, 0.25, -0.3, [0.1, 0.1, 0.9])] {
        stage.points.push(Point { particle: stage.positions.len() as u32, radius: 0.1 });
        stage.positions.push(Vec3::new(x, 0.0, z));
        stage.bodies.push(BodyLook { points: k..k + 1, colour, ..Default::default() });
    }
    let picture = studio.picture(&stage, &camera, &bare(), [200, 200]);
    let [r, g, _] = picture.at(&camera, Vec3::new(-0.25, 0.0, 0.4));
    assert!(g > r, "the front ball is hidden");
    let [r, g, b] = picture.at(&camera, Vec3::new(0.25, 0.0, 0.0));
    assert!(r > g && r > b, "the back ball shows through");
}

#[test]
fn thin_rods_are_drawn_along_their_whole_length() {
    let studio = Studio::new();
    let camera =
        Camera { eye: Vec3::new(0.0, 0.0, 5.0), target: Vec3::ZERO, up: Vec3::Y, field_of_view: 0.5 };
    let mut stage =
        Stage { positions: vec![Vec3::new(-1.0, -0.6, 0.0), Vec3::new(1.0, 0.6, 0.2)], ..Default::default() };
    stage.lines.push(Line { ends: [0, 1], radius: 0.02 });
    stage.bodies.push(BodyLook { lines: 0..1, colour: [0.05, 0.05, 0.4], ..Default::default() });
    let picture = studio.picture(&stage, &camera, &bare(), [320, 180]);
    for k in 1..20 {
        let p = stage.positions[0].lerp(stage.positions[1], k as f32 / 20.0);
        let [r, _, b] = picture.at(&camera, p);
        assert!(b > r && luma([r, 0, b]) < 100.0, "a gap at {p}: {r} {b}");
    }
}

#[test]
fn scalars_choose_the_colour_of_cloth_and_leave_colliders_alone() {
    let studio = Studio::new();
    let camera = slanted();
    let mut stage = sheet([0.8, 0.1, 0.1]);
    stage.ball(Vec3::new(0.9, 0.3, 0.0), 0.25);
    stage.scalars = stage.positions.iter().map(|p| p.x + 0.5).collect();
    let look = Look { colouring: Colouring::Scalar { low: 0.0, high: 1.0 }, ..bare() };
    let picture = studio.picture(&stage, &camera, &look, [320, 180]);
    let [r, g, b] = picture.at(&camera, Vec3::new(-0.45, 0.5, 0.0));
    assert!(b > g && r > g, "the low end is violet, not {r} {g} {b}");
    let [r, g, b] = picture.at(&camera, Vec3::new(0.45, 0.5, 0.0));
    assert!(r / 2 > b && g / 2 > b, "the high end is yellow, not {r} {g} {b}");
    let [r, g, b] = picture.at(&camera, Vec3::new(0.9, 0.5, 0.1));
    assert!(r.abs_diff(g) < 30 && g.abs_diff(b) < 30, "the collider is grey, not {r} {g} {b}");
}

#[test]
fn a_moved_collider_is_drawn_where_it_went() {
    let studio = Studio::new();
    let camera = slanted();
    let mut stage = Stage::default();
    stage.colliders.push(Collider {
        colour: [0.8, 0.1, 0.1],
        ..Collider::new(ColliderShape::Box { half: Vec3::splat(0.3) }, Mat4::IDENTITY)
    });
    let mut drawing = studio.renderer.prepare(&stage.geometry()).unwrap();
    let positions = studio.positions(&stage);
    let offscreen = Offscreen::new(&studio.renderer, 320, 180).unwrap();
    let mut red_at = |pose: Mat4| {
        drawing.set_collider_pose(&studio.queue, 0, pose);
        let rgba =
            offscreen.render_to_rgba(&studio.renderer, &mut drawing, &positions, None, &camera, &bare());
        let picture = Picture { width: 320, height: 180, rgba: rgba.unwrap() };
        [-0.8, 0.8].map(|x| {
            let [r, g, _] = picture.at(&camera, Vec3::new(x, 0.0, 0.0));
            r / 2 > g
        })
    };
    assert_eq!(red_at(Mat4::from_translation(Vec3::new(-0.8, 0.0, 0.0))), [true, false]);
    assert_eq!(red_at(Mat4::from_translation(Vec3::new(0.8, 0.0, 0.0))), [false, true]);
}

#[test]
fn drawing_twice_gives_the_same_bytes() {
    let studio = Studio::new();
    let mut stage = draped_ball(24);
    stage.points.push(Point { particle: 3, radius: 0.05 });
    let look = Look { quality: Quality::Draft, ..Default::default() };
    let camera = stage.camera();
    let first = studio.picture(&stage, &camera, &look, [200, 120]);
    let second = studio.picture(&stage, &camera, &look, [200, 120]);
    assert!(first.rgba == second.rgba);
    assert!(first.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255));
}

#[test]
fn a_millimetre_scene_looks_like_a_metre_scene() {
    let studio = Studio::new();
    let look = Look { grid: false, quality: Quality::Draft, ..Default::default() };
    let at_scale = |scale: f32| {
        let mut stage = sheet(PALETTE[1]);
        stage.positions.iter_mut().for_each(|p| *p *= scale);
        let camera = slanted();
        let camera = Camera { eye: scale * camera.eye, target: scale * camera.target, ..camera };
        studio.picture(&stage, &camera, &look, [160, 90])
    };
    let (metre, millimetre) = (at_scale(1.0), at_scale(1e-3));
    let off = metre.rgba.iter().zip(&millimetre.rgba).filter(|(a, b)| a.abs_diff(**b) > 24).count();
    // The size of a shadow map changes in steps, so edges may move by a texel.
    assert!(off < metre.rgba.len() / 50, "{off} of {} bytes differ", metre.rgba.len());
}

#[test]
fn odd_sizes_and_a_single_pixel_work() {
    let studio = Studio::new();
    let stage = sheet(PALETTE[0]);
    for size in [[1, 1], [3, 7], [65, 1], [101, 53]] {
        let picture = studio.picture(&stage, &slanted(), &bare(), size);
        assert_eq!(picture.rgba.len() as u32, 4 * size[0] * size[1]);
    }
    assert!(matches!(Offscreen::new(&studio.renderer, 0, 4), Err(RenderError::Size { .. })));
    assert!(matches!(Offscreen::new(&studio.renderer, 1 << 20, 4), Err(RenderError::Size { .. })));
}

#[test]
fn an_empty_scene_shows_ground_and_backdrop() {
    let studio = Studio::new();
    for theme in [Theme::Light, Theme::Dark] {
        let look = Look { theme, quality: Quality::Draft, ..Default::default() };
        let picture = studio.picture(&Stage::default(), &slanted(), &look, [64, 36]);
        let mean = (0..64).map(|x| luma(picture.pixel(x, 20))).sum::<f32>() / 64.0;
        let expected = if theme == Theme::Light { 150.0..250.0 } else { 20.0..110.0 };
        assert!(expected.contains(&mean), "{theme:?}: {mean}");
    }
}

#[test]
fn bad_positions_are_contained() {
    let studio = Studio::new();
    let camera = slanted();
    let look = Look { quality: Quality::Draft, ..Default::default() };
    let mut stage = sheet([0.8, 0.1, 0.1]);
    stage.points.push(Point { particle: 3, radius: 0.05 });
    stage.lines.push(Line { ends: [3, 40], radius: 0.01 });
    let good = studio.picture(&stage, &camera, &look, [160, 90]);
    stage.positions[3] = Vec3::NAN;
    stage.positions[20] = Vec3::INFINITY;
    stage.positions[40] = Vec3::new(1e30, 0.0, f32::NEG_INFINITY);
    let bad = studio.picture(&stage, &camera, &look, [160, 90]);
    let changed = good.rgba.iter().zip(&bad.rgba).filter(|(a, b)| a.abs_diff(**b) > 24).count();
    assert!(
        changed < good.rgba.len() / 100,
        "three bad particles changed {changed} bytes of {}",
        good.rgba.len()
    );

    stage.positions.fill(Vec3::NAN);
    let nothing = studio.picture(&stage, &camera, &look, [160, 90]);
    let [r, g, _] = nothing.at(&camera, Vec3::new(0.0, 0.5, 0.0));
    assert!(r / 2 < g, "nothing is left to draw in red");
}

#[test]
fn a_buffer_that_does_not_fit_is_refused() {
    let studio = Studio::new();
    let stage = sheet(PALETTE[0]);
    let mut drawing = studio.renderer.prepare(&stage.geometry()).unwrap();
    let offscreen = Offscreen::new(&studio.renderer, 8, 8).unwrap();
    let short = studio.buffer(&[0; 32]);
    let mut refused = |positions: &wgpu::Buffer, camera: &Camera| {
        let look = Look::default();
        let result = offscreen.render_to_rgba(&studio.renderer, &mut drawing, positions, None, camera, &look);
        result.unwrap_err().to_string()
    };
    let message = refused(&short, &slanted());
    assert_eq!(
        message,
        "the buffer of positions holds 32 bytes, the drawing has 289 particles and needs 4624"
    );
    let positions = studio.positions(&stage);
    let blind = Camera { eye: slanted().target, ..slanted() };
    assert_eq!(refused(&positions, &blind), "the camera cannot see: eye and target are the same point");
}

/// Surfaces often have a format that does not encode; the picture must look the same.
#[test]
fn a_plain_format_is_encoded_by_the_shader() {
    let studio = Studio::new();
    let stage = sheet(PALETTE[0]);
    let expected = studio.picture(&stage, &slanted(), &bare(), [64, 64]);
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let renderer = Renderer::new(&studio.device, &studio.queue, format);
    let mut drawing = renderer.prepare(&stage.geometry()).unwrap();
    let canvas = renderer.canvas(64, 64).unwrap();
    let size = wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 };
    let texture = studio.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let read_back = studio.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4 * 64 * 64,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let positions = studio.positions(&stage);
    let view = texture.create_view(&Default::default());
    let mut encoder = studio.device.create_command_encoder(&Default::default());
    renderer.draw(&mut encoder, &mut drawing, &positions, None, &slanted(), &bare(), &canvas, &view).unwrap();
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
    let target = wgpu::TexelCopyBufferInfo { buffer: &read_back, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, size);
    studio.queue.submit([encoder.finish()]);
    read_back.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    studio.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let rgba = read_back.get_mapped_range(..).unwrap().to_vec();
    let picture = Picture { width: 64, height: 64, rgba };
    for (x, y) in [(1, 1), (32, 32), (30, 60)] {
        let (a, b) = (picture.pixel(x, y), expected.pixel(x, y));
        assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2), "{a:?} is not {b:?}");
    }
}
