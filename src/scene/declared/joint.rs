//! Joints of rigid bodies.

use super::super::keys::{Check, Declared, Keys, Rule};
use super::super::{Joint, JointKind, Motor, SceneError};
use crate::at;

const KINDS: &[(&str, JointKind)] = &[
    ("ball", JointKind::Ball),
    ("hinge", JointKind::Hinge),
    ("slider", JointKind::Slider),
    ("universal", JointKind::Universal),
    ("fixed", JointKind::Fixed),
    ("distance", JointKind::Distance),
];

impl Declared for Joint {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name)).default("joint and number, as `joint 1`").says("unique over joints");
        k.choice("kind", at!(kind), KINDS).says(
            "what is left free: `\"ball\"`: rotations; `\"hinge\"`: that about `axis`; `\"slider\"`: the displacement along `axis`; \
             `\"universal\"`: rotations about `axis` of `b` and `second_axis` of `a`; `\"fixed\"`: nothing; `\"distance\"`: all but the \
             distance between `at` and `to`",
        );
        k.value("a", at!(a)).required().says("name of the rigid body that is held");
        k.value("b", at!(b)).default("the world").says("name of the rigid body that it is held by");
        k.value("at", at!(at))
            .finite("m")
            .default("the centre of mass of `a`")
            .says("where the joint is, in the world at the start");
        k.value("to", at!(to))
            .finite("m")
            .default("the centre of mass of `b`")
            .says("of a distance: its point on `b`");
        k.value("axis", at!(axis)).rule(Rule::Direction, "").says(
            "of a hinge or slider, of any length; of a ball joint, the axis whose angle `limits` bound",
        );
        k.value("second_axis", at!(second_axis))
            .rule(Rule::Direction, "")
            .default("some axis across `axis`")
            .says("of a universal joint");
        k.value("length", at!(length))
            .not_negative("m")
            .default("that of the start")
            .says("of a distance: what is kept");
        k.value("limits", at!(limits)).finite("degrees or m").default("none").says(
            "lowest and highest angle of a hinge or way of a slider, from the start; of a ball joint, of the angle of its axis; of a \
             distance, of its length: without a spring it is then slack in between",
        );
        k.value("stiffness", at!(stiffness))
            .not_negative("N·m/rad or N/m")
            .says("of a spring along what is free");
        k.value("damping", at!(damping))
            .not_negative("N·m·s/rad or N·s/m")
            .says("of a damper along what is free");
        k.value("rest", at!(rest))
            .finite("degrees or m")
            .default("0, of a distance `length`")
            .says("where the spring is at rest");
        k.maybe("motor", at!(motor)).default("none").says("drives a hinge or a slider");
        k.value("break_force", at!(break_force))
            .positive("N")
            .default("unlimited")
            .says("force at which it breaks");
        k.value("break_torque", at!(break_torque))
            .positive("N·m")
            .default("unlimited")
            .says("torque at which it breaks, without that of the force");
        k.checking(fits);
    }
}

impl Declared for Motor {
    fn declare(k: &mut Keys<Self>) {
        k.value("speed", at!(speed))
            .finite("rad/s or m/s")
            .default("none; with `target`, unlimited")
            .says("what it keeps, of `a` against `b`; with `target`, the fastest it goes");
        k.value("target", at!(target)).finite("degrees or m").default("none").says("where it goes and stays");
        k.value("force", at!(force))
            .finite("N·m or N")
            .default("unlimited")
            .says("the most it pushes with; alone, what it always pushes with");
        k.checking(|motor| {
            let (alone, negative) = (motor.speed.is_none() && motor.target.is_none(), |v: Option<f64>| {
                v.is_some_and(|v| v < 0.0)
            });
            if alone && motor.force.is_none() {
                return Err(SceneError::value("speed", "is missing; give `speed`, `target` or `force`"));
            }
            if !alone && negative(motor.force) {
                return Err(SceneError::value("force", "is a bound and must not be negative"));
            }
            if motor.target.is_some() && negative(motor.speed) {
                return Err(SceneError::value("speed", "is a bound with `target` and must not be negative"));
            }
            Ok(())
        });
    }
}

/// Keys that a kind of joint does not have are mistakes.
fn fits(joint: &Joint) -> Check {
    use JointKind::{Ball, Distance, Fixed, Hinge, Slider, Universal};
    let kind = joint.kind;
    let word = KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(word, _)| word);
    let spring = joint.stiffness > 0.0 || joint.damping > 0.0;
    for (key, given, kinds, cure) in [
        ("to", joint.to.is_some(), &[Distance][..], "use `at`"),
        ("length", joint.length.is_some(), &[Distance], "leave it out"),
        ("second_axis", joint.second_axis.is_some(), &[Universal], "leave it out"),
        ("limits", joint.limits.is_some(), &[Ball, Hinge, Slider, Distance], "leave them out"),
        ("stiffness", joint.stiffness > 0.0, &[Hinge, Slider, Distance], "leave it out"),
        ("damping", joint.damping > 0.0, &[Hinge, Slider, Distance], "leave it out"),
        ("rest", joint.rest.is_some(), &[Hinge, Slider, Distance], "leave it out"),
        ("motor", joint.motor.is_some(), &[Hinge, Slider], "use a hinge or a slider"),
    ] {
        if given && !kinds.contains(&kind) {
            debug_assert!(kind != Fixed || !kinds.contains(&Fixed));
            return Err(SceneError::value(key, format_args!("means nothing to a \"{word}\" joint; {cure}")));
        }
    }
    if spring && joint.motor.is_some() {
        return Err(SceneError::value(
            "motor",
            "is given together with a spring or damper; a joint has one of them",
        ));
    }
    if joint.rest.is_some() && joint.stiffness == 0.0 {
        return Err(SceneError::value("rest", "is that of a spring, and there is none; give `stiffness`"));
    }
    if let Some([low, high]) = joint.limits
        && low > high
    {
        return Err(SceneError::value(
            "limits",
            format_args!("are {low} to {high}: the first must be the lower one"),
        ));
    }
    if let Some([low, high]) = joint.limits
        && matches!(kind, Hinge | Slider)
        && (low > 0.0 || high < 0.0)
    {
        let message = format!(
            "are {low} to {high}, without 0, which is where the joint starts; turn or move the body there first"
        );
        return Err(SceneError::value("limits", message));
    }
    if let Some([low, _]) = joint.limits
        && kind == Ball
        && low != 0.0
    {
        return Err(SceneError::value("limits", "of a ball joint begin with 0, the angle at the start"));
    }
    Ok(())
}
