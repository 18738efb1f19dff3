//! Every scene that comes with the program can be seen as it starts.

use crate::scenes::Studio;
use sinew::model::Model;
use sinew::render::{Offscreen, Overlays, Quality, SceneDrawing};
use sinew::scene::Scene;
use sinew::scenes::BUILT_IN;

/// Pixels of a thumbnail in the gallery.
const SIZE: [u32; 2] = [208, 130];
/// Part of a picture that bodies have to take up.
const SEEN: f64 = 0.002;

#[test]
fn every_built_in_scene_shows_its_bodies() {
    let studio = Studio::new();
    let [width, height] = SIZE;
    let offscreen = Offscreen::new(&studio.renderer, width, height).unwrap();
    // The largest takes as long as all others together.
    for built_in in BUILT_IN.iter().filter(|scene| scene.name != "million") {
        let scene = Scene::parse(built_in.text, built_in.name, "").unwrap();
        let mut model = Model::new(&scene).unwrap();
        // What is a body has another colour in the second picture; ground, sky and obstacles have not.
        let [red, blue] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(|colour| {
            model.bodies.iter_mut().for_each(|body| body.colour = colour);
            let aspect = width as f32 / height as f32;
            let mut drawn =
                SceneDrawing::new(&studio.renderer, &scene, &model, Overlays::default(), aspect).unwrap();
            drawn.look.quality = Quality::Draft;
            let (camera, look) = (drawn.camera, drawn.look);
            offscreen
                .render_to_rgba(&studio.renderer, &mut drawn.drawing, &drawn.positions, None, &camera, &look)
                .unwrap()
        });
        let differ = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 30);
        let seen = red.chunks(4).zip(blue.chunks(4)).filter(differ).count();
        let share = seen as f64 / f64::from(width * height);
        println!("{}: {:.2} %", built_in.name, 100.0 * share);
        assert!(share > SEEN, "{}: bodies take up {:.2} % of the picture", built_in.name, 100.0 * share);
    }
}
