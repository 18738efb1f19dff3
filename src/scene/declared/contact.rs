//! The keys of contact between bodies.

use super::super::keys::{Check, Declared, Keys};
use super::super::{Contact, ContactPair, ContactStart, SceneError};
use crate::at;
use crate::limits;

const STARTS: &[(&str, ContactStart)] =
    &[("refuse", ContactStart::Refuse), ("allow", ContactStart::Allow), ("separate", ContactStart::Separate)];

impl Declared for Contact {
    fn declare(k: &mut Keys<Self>) {
        k.value("self", at!(own)).says("whether bodies touch themselves");
        k.value("sweeps", at!(sweeps))
            .whole(1, limits::ITERATIONS)
            .says("iterations on the contacts in each iteration of the solver");
        k.choice("start", at!(start), STARTS).says(
            "bodies that go through each other at the start: `\"refuse\"` the scene; `\"allow\"`: what is caught has no contact with \
             the other side until it has come apart; `\"separate\"`: move bodies apart as wholes, by the shortest way found",
        );
        k.value("compression", at!(compression))
            .positive("Pa")
            .default("as hard as the iterations bear")
            .says("how hard surfaces are to press: under a pressure p they come nearer by p / `compression` of the thickness");
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
        k.value("compression", at!(compression))
            .positive("Pa")
            .default("that of `[contact]`")
            .says("how hard these surfaces are to press");
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
