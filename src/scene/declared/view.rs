//! The keys of the camera and of pictures.

use super::super::document::Table;
use super::super::keys::describe::Type;
use super::super::keys::{Check, Declared, End, Keys, Rule, real};
use super::super::{Camera, ColourBy, Ground, Render, SceneError, Theme};
use crate::at;
use crate::limits;

const THEMES: &[(&str, Theme)] = &[("light", Theme::Light), ("dark", Theme::Dark)];

impl Declared for Camera {
    fn declare(k: &mut Keys<Self>) {
        k.value("eye", at!(eye)).finite("m").default("frames the scene").says("where the eye is");
        k.value("target", at!(target)).finite("m").default("frames the scene").says("what it looks at");
        k.value("up", at!(up)).rule(Rule::Direction, "").says("which way is up");
        k.checking(view);
        k.value("field_of_view", at!(field_of_view))
            .unit("degrees")
            .within(End::Beyond(0.0), End::Beyond(180.0), "greater than 0 and less than 180 degrees")
            .says("vertical angle of view");
        k.value("orbit", at!(orbit)).finite("degrees/s").says("turn about `up` through the target");
    }
}

fn view(camera: &Camera) -> Check {
    let (Some(eye), Some(target)) = (camera.eye, camera.target) else { return Ok(()) };
    if eye == target {
        return Err(SceneError::value("target", "is where `eye` is; the camera needs a direction"));
    }
    /// Sine of the smallest useful angle between the view and `up`.
    const PARALLEL: f64 = 1e-6;
    if (target - eye).normalize().cross(camera.up.normalize()).length() < PARALLEL {
        return Err(SceneError::value("up", "points along the view; choose another direction"));
    }
    Ok(())
}

impl Declared for Render {
    fn declare(k: &mut Keys<Self>) {
        k.value("size", at!(size)).whole(1, limits::PIXELS).says("width and height in pixels");
        k.value("frames_per_second", at!(frames_per_second))
            .positive("1/s")
            .says("frames per second of simulated time");
        let words = ColourBy::NAMES.iter().map(|(word, _)| *word).collect();
        k.odd("colour", Type::Word(words), read_colour, write_colour)
            .default("`\"body\"`")
            .says("what colours show: `\"body\"`, `\"velocity\"`, `\"strain\"` (largest of any kind and sign); of `model = \"green\"` sheets `\"weft\"`, `\"warp\"` or `\"shear\"`; of rods `\"stretch\"`, `\"bend\"` or `\"twist\"` energy, or `\"frame\"`, the turn of the material frames; of composites `\"damage\"`, or `\"utilisation\"`, stress over strength; `\"stress\"` (of solids von Mises), `\"energy\"` (elastic, over mass), `\"error\"` (what the last iteration of a step still corrected)");
        k.value("range", at!(range))
            .unit("m/s, 1, J/m, degrees, Pa, J/kg or m")
            .default("that of the frame")
            .says("ends of the colour scale");
        k.checking(|render| match render.range {
            Some([low, high]) if !(low.is_finite() && high.is_finite() && low < high) => {
                Err(SceneError::value("range", format_args!("is [{low}, {high}]; it must rise")))
            }
            _ => Ok(()),
        });
        k.odd("ground", Type::Either(vec![Type::Number, Type::No]), read_ground, write_ground)
            .rule(Rule::Finite, "m")
            .default("where a level plane is")
            .says("height of the drawn ground, or `false`. By default the ground is drawn at the highest level plane among the colliders, and is solid; a height of its own is drawn only");
        k.checking(|render| match render.ground {
            Ground::At(height) => Rule::Finite.number("ground", height, "m"),
            Ground::Solid | Ground::Hidden => Ok(()),
        });
        k.choice("theme", at!(theme), THEMES).says("background and ground");
    }
}

fn read_colour(t: &Table, key: &str, render: &mut Render) -> Result<(), SceneError> {
    let others = t.colours().iter().map(|&name| (name, ColourBy::Field(name)));
    let choices: Vec<(&str, ColourBy)> = ColourBy::NAMES.iter().copied().chain(others).collect();
    if let Some(colour) = t.choice(key, &choices)? {
        render.colour = colour;
    }
    Ok(())
}

fn write_colour(render: &Render) -> Option<String> {
    let known = ColourBy::NAMES.iter().find(|(_, colour)| *colour == render.colour).map(|(word, _)| *word);
    let word = if let ColourBy::Field(name) = render.colour { Some(name) } else { known };
    word.filter(|_| render.colour != ColourBy::default()).map(|word| format!("\"{word}\""))
}

fn read_ground(t: &Table, key: &str, render: &mut Render) -> Result<(), SceneError> {
    if let Some(ground) = t.number_or_false(key)? {
        render.ground = ground.map_or(Ground::Hidden, Ground::At);
    }
    Ok(())
}

fn write_ground(render: &Render) -> Option<String> {
    match render.ground {
        Ground::Solid => None,
        Ground::At(height) => Some(real(height)),
        Ground::Hidden => Some("false".to_owned()),
    }
}
