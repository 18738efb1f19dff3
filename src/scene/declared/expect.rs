//! The keys of what a run must come out as.

use super::super::keys::{Check, Declared, Keys, Variants, corners, of};
use super::super::{
    Expect, ExpectField, ExpectJoint, ExpectParticle, ExpectReaction, ExpectRigid, ParticleReference, Range,
    SceneError,
};
use crate::at;
use crate::limits;
use glam::DVec3;

impl Declared for Expect {
    fn declare(k: &mut Keys<Self>) {
        k.value("at", at!(at)).not_negative("s").default("`duration`").says("when");
        let most = |k: &mut Keys<Self>, name, lens, unit, says| {
            k.value(name, lens).not_negative(unit).default("none").says(says);
        };
        most(
            k,
            "max_stretch",
            at!(max_stretch),
            "",
            "largest strain of any distance link in tension, triangle or tetrahedron",
        );
        most(k, "max_speed", at!(max_speed), "m/s", "largest speed of any particle");
        most(
            k,
            "max_violation",
            at!(max_violation),
            "",
            "largest strain by which a triangle is beyond its limits, in every frame until then",
        );
        most(k, "max_inverted", at!(max_inverted), "", "most tetrahedra that may be inside out");
        most(
            k,
            "max_switches",
            at!(max_switches),
            "",
            "most times that inverted tetrahedra may have changed the stretch along which they are inverted, since the start",
        );
        most(
            k,
            "max_compression",
            at!(max_compression),
            "",
            "largest compression of any tetrahedron: 1 is flat, more is inside out",
        );
        most(
            k,
            "max_misalignment",
            at!(max_misalignment),
            "°",
            "largest angle between a segment of a rod or net and its frame",
        );
        most(
            k,
            "max_joint_angle",
            at!(max_joint_angle),
            "°",
            "largest angle between neighbouring frames of a rod or net, that at rest included",
        );
        most(k, "intersections", at!(intersections), "", "most edges that may go through triangles");
        most(
            k,
            "crossings",
            at!(crossings),
            "",
            "most pairs that may go through each other from one step to the next, since the start",
        );
        most(
            k,
            "linking",
            at!(linking),
            "",
            "most pairs of closed curves that may be linked otherwise than at the start",
        );
        most(
            k,
            "max_depth",
            at!(max_depth),
            "",
            "deepest penetration where bodies touch, as a share of the thickness",
        );
        most(
            k,
            "max_held",
            at!(max_held),
            "",
            "most times that contact may have held a particle back at its guard, since the start",
        );
        let range = |k: &mut Keys<Self>, name, lens, unit, says| {
            k.table(name, lens).unit(unit).default("any").says(says);
        };
        range(k, "energy", at!(energy), "J", "total mechanical energy");
        range(k, "kinetic_energy", at!(kinetic_energy), "J", "kinetic energy");
        range(k, "bend_energy", at!(bend_energy), "J", "bending energy of rods and nets");
        range(k, "twist_energy", at!(twist_energy), "J", "twist energy of rods and nets");
        range(k, "momentum", at!(momentum), "kg m/s", "length of the momentum");
        range(k, "spin", at!(spin), "kg m²/s", "length of the angular momentum about the centre of mass");
        range(k, "contacts", at!(contacts), "", "pairs of bodies' parts that carry a force");
        range(k, "contact_force", at!(contact_force), "N", "sum of the normal forces between bodies");
        range(k, "pieces", at!(pieces), "", "pieces that bodies of bonded cells have come to");
        range(k, "lowest", at!(lowest), "m", "lowest y of any particle");
        range(k, "highest", at!(highest), "m", "highest y of any particle");
        k.checking(ranges);
        k.list("particle", at!(particle), limits::EXPECTED_PARTICLES, "particle")
            .default("none")
            .says("particles that must be inside boxes");
        k.list("joint", at!(joint), limits::EXPECTED_PARTICLES, "joint")
            .default("none")
            .says("what joints must carry and where they must stand");
        k.list("reaction", at!(reaction), limits::EXPECTED_PARTICLES, "reaction")
            .default("none")
            .says("forces of pins, attachments and colliders that must be within limits");
        k.list("rigid", at!(rigid), limits::EXPECTED_PARTICLES, "rigid body")
            .default("none")
            .says("how rigid bodies must have turned, and what magnets and fields must do to them");
        k.list("field", at!(field), limits::EXPECTED_PARTICLES, "field")
            .default("none")
            .says("magnetic fields at points that must be within limits");
    }
}

impl Declared for ExpectRigid {
    fn declare(k: &mut Keys<Self>) {
        k.value("body", at!(body)).required().says("name of the rigid body");
        k.table("turned", at!(turned)).unit("degrees").default("any").says("angle from how it started");
        k.table("force", at!(force)).unit("N").default("any").says("length of the magnetic force on it");
        k.table("torque", at!(torque))
            .unit("N·m")
            .default("any")
            .says("length of the magnetic torque about its centre");
        k.checking(|body| {
            let ranges = [("turned", body.turned), ("force", body.force), ("torque", body.torque)];
            ranges.into_iter().try_for_each(|(key, range)| not_empty(key, range))
        });
    }
}

impl Declared for ExpectField {
    fn declare(k: &mut Keys<Self>) {
        k.value("at", at!(at)).finite("m").required().says("where");
        k.value("min", at!(min)).unit("T").default("unlimited").says("lowest components of B; may be `inf`");
        k.value("max", at!(max)).unit("T").default("unlimited").says("highest components of B");
        k.checking(|field| corners(field.min, field.max));
    }
}

fn ranges(expect: &Expect) -> Check {
    for (key, Range { min, max }) in [
        ("energy", expect.energy),
        ("kinetic_energy", expect.kinetic_energy),
        ("bend_energy", expect.bend_energy),
        ("twist_energy", expect.twist_energy),
        ("momentum", expect.momentum),
        ("spin", expect.spin),
        ("contacts", expect.contacts),
        ("contact_force", expect.contact_force),
        ("pieces", expect.pieces),
        ("lowest", expect.lowest),
        ("highest", expect.highest),
    ] {
        not_empty(key, Range { min, max })?;
    }
    Ok(())
}

fn not_empty(key: &'static str, Range { min, max }: Range) -> Check {
    if min > max || min.is_nan() || max.is_nan() {
        return Err(SceneError::value(key, format_args!("contains nothing: min is {min}, max is {max}")));
    }
    Ok(())
}

impl Declared for ExpectJoint {
    fn declare(k: &mut Keys<Self>) {
        k.value("joint", at!(joint)).required().says("name of the joint");
        k.table("force", at!(force)).unit("N").default("any").says("length of the force that it carries");
        k.table("torque", at!(torque)).unit("N·m").default("any").says("length of its torque");
        k.table("position", at!(position))
            .unit("degrees or m")
            .default("any")
            .says("angle of a hinge or ball joint, way of a slider, distance");
        k.value("broken", at!(broken)).default("either").says("whether it must have broken");
        k.checking(|joint| {
            let ranges = [("force", joint.force), ("torque", joint.torque), ("position", joint.position)];
            ranges.into_iter().try_for_each(|(key, range)| not_empty(key, range))
        });
    }
}

impl Declared for Range {
    fn declare(k: &mut Keys<Self>) {
        k.value("min", at!(min)).default("none").says("smallest value allowed");
        k.value("max", at!(max)).default("none").says("largest value allowed");
    }
}

impl Declared for ExpectReaction {
    fn declare(k: &mut Keys<Self>) {
        k.value("of", at!(of)).required().says(
            "`\"body.pin1\"` for the first pin of a body, or the name of an attachment, seam or collider",
        );
        k.value("min", at!(min))
            .unit("N")
            .default("unlimited")
            .says("lowest components of the force; may be `inf`");
        k.value("max", at!(max)).unit("N").default("unlimited").says("highest components of the force");
        k.checking(|reaction| corners(reaction.min, reaction.max));
    }
}

impl Declared for ExpectParticle {
    fn declare(k: &mut Keys<Self>) {
        k.value("body", at!(body)).required().says("name of the body");
        k.one_of(at!(particle), particle);
        k.value("min", at!(min))
            .unit("m")
            .default("unlimited")
            .says("lowest corner of the box; components may be `inf`");
        k.value("max", at!(max)).unit("m").default("unlimited").says("highest corner of the box");
        k.checking(|particle| corners(particle.min, particle.max));
    }
}

/// The ways to name one particle.
pub(super) fn particle(v: &mut Variants<ParticleReference>) {
    v.beside(
        "index",
        "the particle by number",
        || ParticleReference::Index(0),
        |k| {
            k.value("index", of!(ParticleReference::Index)).required().says("the particle by number");
        },
    );
    let nearest = || ParticleReference::Nearest(DVec3::ZERO);
    v.beside("nearest", "the particle that starts nearest", nearest, |k| {
        k.value("nearest", of!(ParticleReference::Nearest))
            .finite("m")
            .required()
            .says("the particle that starts nearest to this point");
    });
}
