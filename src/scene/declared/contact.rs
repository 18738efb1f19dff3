//! The keys of contact between bodies.

use super::super::keys::{Check, Declared, Keys};
use super::super::{Contact, ContactPair, SceneError};
use crate::at;
use crate::limits;

impl Declared for Contact {
    fn declare(k: &mut Keys<Self>) {
        k.value("self", at!(own)).says("whether bodies touch themselves");
        k.value("sweeps", at!(sweeps))
            .whole(1, limits::ITERATIONS)
            .says("iterations on the contacts in each iteration of the solver");
        k.list("pair", at!(pair), limits::BODIES, "pair")
            .default("none")
            .says("what differs between two bodies, or for one with itself");
    }
}

impl Declared for ContactPair {
    fn declare(k: &mut Keys<Self>) {
        k.value("first", at!(first)).required().says("name of a body");
        k.value("second", at!(second)).required().says("name of the other, or of the same");
        k.value("touch", at!(touch)).says("whether they touch at all");
        k.value("static_friction", at!(static_friction))
            .not_negative("")
            .default("geometric mean of the bodies' `friction`")
            .says("Coulomb friction coefficient up to which they stick");
        k.value("kinetic_friction", at!(kinetic_friction))
            .not_negative("")
            .default("the static one")
            .says("with which they slide");
        k.checking(kinetic);
    }
}

fn kinetic(pair: &ContactPair) -> Check {
    match (pair.static_friction, pair.kinetic_friction) {
        (Some(sticks), Some(slides)) if slides > sticks => {
            let message =
                format!("{slides} is more than the static one, {sticks}; things would start by themselves");
            Err(SceneError::value("kinetic_friction", message))
        }
        _ => Ok(()),
    }
}
