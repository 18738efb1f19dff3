//! The keys of magnetic fields that a scene gives.

use super::super::keys::{Check, Declared, End, Keys, Variants, of};
use super::super::{Field, FieldKind, SceneError};
use super::load::in_time;
use super::pin::motion;
use crate::at;
use crate::limits;
use glam::DVec3;

impl Declared for Field {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name)).default("field and number, as `field 1`").says("unique over fields");
        k.one_of(at!(kind), kinds);
        k.value("position", at!(position)).finite("m").says("where the local origin goes");
        k.value("rotation", at!(rotation)).finite("degrees").says("about x, then y, then z (fixed axes)");
        k.inline_list("keyframes", at!(keyframes), limits::KEYFRAMES, "keyframe")
            .default("a constant 1")
            .says("factors of its strength over time, linear in between and constant before and after");
        k.value("frequency", at!(frequency))
            .not_negative("1/s")
            .says("its strength is multiplied by cos(2π · `frequency` · t + `phase`); two fields across each other, a quarter apart, rotate");
        k.value("phase", at!(phase)).finite("degrees").says("of that wave at the start");
        motion(k, at!(motion), at!(pivot), "`position`");
        k.checking(|field| in_time(false, &field.keyframes));
    }
}

/// More is no remanence of any material.
fn remanence() -> (End, End, &'static str) {
    (End::At(-3.0), End::At(3.0), "from -3 to 3 T: 1 T are 10,000 gauss")
}

fn kinds(v: &mut Variants<FieldKind>) {
    v.table("uniform", "the same field everywhere", FieldKind::default, |k| {
        k.value("field", of!(FieldKind::Uniform, field)).finite("T").required().says("flux density");
    });
    let gradient = || FieldKind::Gradient { field: DVec3::ZERO, rows: Vec::new() };
    v.table("gradient", "a field that changes evenly", gradient, |k| {
        k.value("field", of!(FieldKind::Gradient, field)).finite("T").says("flux density at the local origin");
        k.value("rows", of!(FieldKind::Gradient, rows)).finite("T/m").required().says(
            "[dBx/dx, dBx/dy, dBx/dz] and the same of By and Bz; symmetric, with a diagonal that adds up to 0",
        );
        k.checking(free_of_sources);
    });
    let ring = || FieldKind::Loop { radius: 0.1, current: 1.0, turns: 1.0 };
    v.table("loop", "a circular loop of thin wire around y", ring, |k| {
        k.value("radius", of!(FieldKind::Loop, radius)).positive("m").required().says("of the loop");
        k.value("current", of!(FieldKind::Loop, current))
            .finite("A")
            .required()
            .says("counterclockwise as seen from +y");
        k.value("turns", of!(FieldKind::Loop, turns)).positive("").says("of the wire");
    });
    let solenoid = || FieldKind::Solenoid { radius: 0.1, length: 0.1, current: 1.0, turns: 1.0 };
    v.table("solenoid", "a thin coil around y", solenoid, |k| {
        k.value("radius", of!(FieldKind::Solenoid, radius)).positive("m").required().says("of the coil");
        k.value("length", of!(FieldKind::Solenoid, length)).positive("m").required().says("along y");
        k.value("current", of!(FieldKind::Solenoid, current))
            .finite("A")
            .required()
            .says("counterclockwise as seen from +y");
        k.value("turns", of!(FieldKind::Solenoid, turns)).positive("").required().says("in all");
    });
    let pair = || FieldKind::Helmholtz { radius: 0.1, current: 1.0, turns: 1.0, spacing: None };
    v.table("helmholtz", "two equal loops around y, on either side of the local origin", pair, |k| {
        k.value("radius", of!(FieldKind::Helmholtz, radius)).positive("m").required().says("of the loops");
        k.value("current", of!(FieldKind::Helmholtz, current))
            .finite("A")
            .required()
            .says("counterclockwise as seen from +y");
        k.value("turns", of!(FieldKind::Helmholtz, turns)).positive("").says("of each");
        k.value("spacing", of!(FieldKind::Helmholtz, spacing))
            .positive("m")
            .default("`radius`")
            .says("from one to the other");
    });
    let wire = || FieldKind::Wire { points: Vec::new(), current: 1.0, closed: false };
    v.table("wire", "a thin wire from point to point", wire, |k| {
        k.value("points", of!(FieldKind::Wire, points)).finite("m").required().says("corners of the wire");
        k.value("current", of!(FieldKind::Wire, current)).finite("A").required().says("along the points");
        k.value("closed", of!(FieldKind::Wire, closed))
            .says("back to the first point; the field of an open wire is that of its pieces alone, which has a curl");
        k.checking(corners);
    });
    let bar = || FieldKind::Bar { size: DVec3::splat(0.01), remanence: DVec3::Y };
    v.table("bar", "a magnetised cuboid", bar, |k| {
        k.value("size", of!(FieldKind::Bar, size)).positive("m").required().says("edge lengths");
        let (low, high, wanted) = remanence();
        k.value("remanence", of!(FieldKind::Bar, remanence))
            .within(low, high, wanted)
            .unit("T")
            .required()
            .says("remanent flux density");
    });
    let cylinder = || FieldKind::Cylinder { radius: 0.01, hole: 0.0, length: 0.01, remanence: 1.0 };
    v.table("cylinder", "a cylinder or a ring around y, magnetised along y", cylinder, |k| {
        k.value("radius", of!(FieldKind::Cylinder, radius)).positive("m").required().says("outer radius");
        k.value("hole", of!(FieldKind::Cylinder, hole)).not_negative("m").says("radius of a hole");
        k.value("length", of!(FieldKind::Cylinder, length)).positive("m").required().says("along y");
        let (low, high, wanted) = remanence();
        k.value("remanence", of!(FieldKind::Cylinder, remanence))
            .within(low, high, wanted)
            .unit("T")
            .required()
            .says("remanent flux density along y");
        k.checking(hollow);
    });
    let ball = || FieldKind::Ball { radius: 0.01, remanence: DVec3::Y };
    v.table("ball", "a magnetised ball", ball, |k| {
        k.value("radius", of!(FieldKind::Ball, radius)).positive("m").required().says("of the ball");
        let (low, high, wanted) = remanence();
        k.value("remanence", of!(FieldKind::Ball, remanence))
            .within(low, high, wanted)
            .unit("T")
            .required()
            .says("remanent flux density");
    });
}

/// What rounding leaves of numbers that a user wrote.
const ROUNDING: f64 = 1e-9;

fn free_of_sources(kind: &FieldKind) -> Check {
    let FieldKind::Gradient { rows, .. } = kind else { return Ok(()) };
    let [x, y, z] = rows[..] else {
        let message = format!("has {} rows, and a gradient has three, of Bx, By and Bz", rows.len());
        return Err(SceneError::value("rows", message));
    };
    let least = ROUNDING * rows.iter().map(|row| row.abs().max_element()).fold(0.0, f64::max);
    let divergence = x.x + y.y + z.z;
    if divergence.abs() > least {
        let message = format!(
            "has a divergence of {divergence} T/m, and no magnetic field has one; let dBx/dx, dBy/dy and dBz/dz add up to 0"
        );
        return Err(SceneError::value("rows", message));
    }
    let curl = DVec3::new(z.y - y.z, x.z - z.x, y.x - x.y);
    if curl.length() > least {
        let [a, b, c] = curl.to_array();
        let message = format!(
            "has a curl of [{a}, {b}, {c}] T/m, and without currents there is none; let dBx/dy be dBy/dx, and so on"
        );
        return Err(SceneError::value("rows", message));
    }
    Ok(())
}

fn corners(kind: &FieldKind) -> Check {
    let FieldKind::Wire { points, closed, .. } = kind else { return Ok(()) };
    let least = if *closed { 3 } else { 2 };
    if points.len() < least || points.len() > limits::WIRE_POINTS {
        let message = format!("has {}, and this wire needs {least} to {}", points.len(), limits::WIRE_POINTS);
        return Err(SceneError::value("points", message));
    }
    match points.windows(2).position(|pair| pair[0] == pair[1]) {
        Some(k) => Err(SceneError::value(
            "points",
            format!("has the same point twice, as numbers {} and {}; leave one out", k + 1, k + 2),
        )),
        None => Ok(()),
    }
}

fn hollow(kind: &FieldKind) -> Check {
    match kind {
        FieldKind::Cylinder { radius, hole, .. } if hole >= radius => {
            let message = format!("is {hole} m, which leaves nothing of a cylinder of {radius} m");
            Err(SceneError::value("hole", message))
        }
        _ => Ok(()),
    }
}
