//! The keys of every table of a scene file. `docs/scene-format.md` and the schema are made from these.

mod attach;
mod cloth;
mod clusters;
mod collider;
mod composite;
mod contact;
mod expect;
mod fabric;
mod field;
mod given_field;
mod joint;
mod load;
mod magnetise;
mod net;
mod pin;
mod points;
mod probe;
mod rigid;
mod rod;
mod scene;
mod solid;
mod view;

use super::keys::{End, Keys, Lens};
use glam::DVec3;

/// Where a body is and how it starts.
fn placement<T: 'static>(
    k: &mut Keys<T>,
    [position, rotation, velocity, spin]: [Lens<T, DVec3>; 4],
    scale: Lens<T, f64>,
) {
    k.value("position", position).finite("m").says("where the local origin goes");
    k.value("rotation", rotation).finite("degrees").says("about x, then y, then z (fixed axes)");
    k.value("scale", scale).positive("").says("size factor of the shape, at rest too");
    k.value("velocity", velocity).finite("m/s").says("initial velocity");
    k.value("spin", spin)
        .finite("rad/s")
        .says("initial angular velocity about the centre of mass and the axes of the world");
}

fn colour<T: 'static>(k: &mut Keys<T>, lens: Lens<T, Option<[f64; 3]>>, default: &'static str) {
    k.value("colour", lens)
        .within(End::At(0.0), End::At(1.0), "from 0 to 1")
        .default(default)
        .says("sRGB: red, green and blue");
}

fn friction<T: 'static>(k: &mut Keys<T>, lens: Lens<T, f64>) {
    k.value("friction", lens).not_negative("").slider(0.0, 1.5).says("Coulomb friction coefficient");
}

fn name<T: 'static>(k: &mut Keys<T>, lens: Lens<T, String>) {
    k.value("name", lens)
        .default("kind and number, as `rod 1`")
        .says("unique over all bodies and colliders; at most 64 printable characters");
}
