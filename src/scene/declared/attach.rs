//! Attachments and seams.

use super::super::keys::{Check, Declared, Keys, Lens};
use super::super::{Attach, AttachBy, AttachSide, SceneError, Seam, Selector};
use super::pin::selectors;
use crate::at;

const BY: &[(&str, AttachBy)] = &[("nearest", AttachBy::Nearest), ("order", AttachBy::Order)];

impl Declared for Attach {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name), "attach and number, as `attach 1`");
        k.table("a", at!(a)).required().says("what is attached");
        k.table("b", at!(b)).required().says("what it is attached to; may be the same body");
        k.choice("by", at!(by), BY).says(
            "`\"nearest\"`: each particle of `a` with the nearest of those selected in `b`, or with the nearest point of the \
             whole body `b`: on a segment, on a triangle or in a tetrahedron; `\"order\"`: the first with the first, and so on",
        );
        k.value("within", at!(within))
            .not_negative("m")
            .default("any distance")
            .says("only what starts at most this far apart");
        k.value("length", at!(length))
            .not_negative("m")
            .default("the distance at the start")
            .says("distance that is kept; 0 pulls the two points together");
        k.value("compliance", at!(compliance)).not_negative("m/N").says("0 is rigid, more is a spring");
        k.value("damping", at!(damping))
            .not_negative("N·s/m")
            .says("force against the speed with which the spring changes its length");
        k.value("release", at!(release)).not_negative("s").default("never").says("when it lets go");
        k.value("break_force", at!(break_force))
            .positive("N")
            .default("unlimited")
            .says("force between two points at which they part for good");
        k.checking(spring);
    }
}

fn spring(attach: &Attach) -> Check {
    if attach.damping > 0.0 && attach.compliance == 0.0 {
        let message = "damps a spring, and this attachment is rigid; give it a `compliance`";
        return Err(SceneError::value("damping", message));
    }
    Ok(())
}

impl Declared for AttachSide {
    fn declare(k: &mut Keys<Self>) {
        k.value("body", at!(body)).required().says("name of the body");
        k.at_most_one_of(at!(selector), selectors, &["at"]);
        k.value("at", at!(at))
            .finite("m")
            .default("none")
            .says("instead of particles, the point of the body that starts nearest to this one");
        k.checking(|side| match side.at.is_some() && side.selector != Selector::ALL {
            true => Err(SceneError::value("at", "is a point of its own; select particles, or give `at`")),
            false => Ok(()),
        });
    }
}

impl Declared for Seam {
    fn declare(k: &mut Keys<Self>) {
        name(k, at!(name), "seam and number, as `seam 1`");
        k.table("a", at!(a))
            .required()
            .says("an edge: its particles in the order in which they are selected");
        k.table("b", at!(b)).required().says("the edge that it is sewn to; may be of the same body");
        k.value("reverse", at!(reverse))
            .default("whichever way is shorter")
            .says("whether `b` is sewn from its last particle on");
        k.value("begin", at!(begin)).not_negative("s").says("when it begins to close");
        k.value("duration", at!(duration)).not_negative("s").says("how long it takes to close");
        k.value("compliance", at!(compliance)).not_negative("m/N").says("of each stitch; 0 is rigid");
        k.value("break_force", at!(break_force))
            .positive("N")
            .default("unlimited")
            .says("force on a stitch at which it tears");
    }
}

fn name<T: 'static>(k: &mut Keys<T>, lens: Lens<T, String>, default: &'static str) {
    k.value("name", lens).default(default).says("unique over attachments and seams");
}
