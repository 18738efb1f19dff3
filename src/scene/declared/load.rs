//! The keys of loads.

use super::super::keys::{Check, Declared, Keys, of};
use super::super::{Gas, LoadKey, LoadKind, SceneError, Tendon, TendonPoint, TimedLoad};
use super::pin::{selector, selectors};
use crate::at;
use crate::limits;
use glam::DVec3;

impl Declared for TimedLoad {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name)).default("load and number, as `load 1`").says("unique over loads");
        k.value("body", at!(body)).required().says("name of the body");
        k.at_most_one_of(at!(selector), selectors, &[]);
        k.one_of(at!(kind), |v| {
            let doc = "a force";
            v.beside("force", doc, || LoadKind::Force(DVec3::ZERO), |k| {
                k.value("force", of!(LoadKind::Force))
                    .finite("N")
                    .required()
                    .says("a force in all, shared by the particles as they share its mass");
            });
            let doc = "a force per area";
            v.beside("traction", doc, || LoadKind::Traction(DVec3::ZERO), |k| {
                k.value("traction", of!(LoadKind::Traction))
                    .finite("Pa")
                    .required()
                    .says("a force per area of the surface at rest");
            });
            let doc = "a pressure";
            v.beside("pressure", doc, || LoadKind::Pressure(0.0), |k| {
                k.value("pressure", of!(LoadKind::Pressure))
                    .finite("Pa")
                    .required()
                    .says("from the inside, along the normals of the surface as it moves; of a gas above that of the surroundings, at the start");
            });
        });
        k.value("follow", at!(follow))
            .says("whether a force turns with the triangles or tetrahedra at its particles");
        k.inline_list("keyframes", at!(keyframes), limits::KEYFRAMES, "keyframe")
            .default("a constant 1")
            .says("factors over time, linear in between and constant before and after");
        k.value("file", at!(file))
            .default("none")
            .says("a CSV file of the same: time [s] and factor in each row, after a line of titles or without; relative to the scene file");
        k.maybe("gas", at!(gas)).default("none").says(
            "of a pressure: it follows from the volume, p V = const; factors then multiply the amount of gas",
        );
        k.checking(agreeing);
    }
}

fn agreeing(load: &TimedLoad) -> Check {
    let is_pressure = matches!(load.kind, LoadKind::Pressure(_));
    if load.follow && !matches!(load.kind, LoadKind::Force(_)) {
        return Err(SceneError::value(
            "follow",
            "is for a `force`; a `pressure` follows the surface by itself",
        ));
    }
    if load.gas.is_some() && !is_pressure {
        return Err(SceneError::value("gas", "is for a `pressure`; give one, which is that of the start"));
    }
    if let (Some(gas), LoadKind::Pressure(pressure)) = (load.gas, load.kind)
        && pressure + gas.ambient <= 0.0
    {
        let message =
            format!("is {pressure} Pa, less than nothing beside `gas.ambient` of {} Pa", gas.ambient);
        return Err(SceneError::value("pressure", message));
    }
    in_time(load.file.is_some(), &load.keyframes)
}

/// Times increase, and only one of two says them.
pub(super) fn in_time(has_file: bool, keyframes: &[LoadKey]) -> Check {
    if has_file && !keyframes.is_empty() {
        return Err(SceneError::value("file", "and `keyframes` both say when; leave one out"));
    }
    for (i, pair) in keyframes.windows(2).enumerate() {
        let [last, time] = [pair[0].time, pair[1].time];
        if last >= time {
            let error =
                SceneError::value("time", format!("is {time} s, not after {last} s of the keyframe before"));
            return Err(error.inside_entry("keyframes", i + 1, &format!("keyframe {}", i + 2)));
        }
    }
    Ok(())
}

impl Declared for Tendon {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name))
            .default("tendon and number, as `tendon 1`")
            .says("unique over loads and tendons");
        k.inline_list("through", at!(through), limits::TENDON_POINTS, "point")
            .required()
            .says("particles that the cable runs through, from the end at which it is pulled");
        k.value("tension", at!(tension)).not_negative("N").required().says("at the first of them");
        k.value("friction", at!(friction))
            .not_negative("")
            .says("Coulomb friction where the cable turns at a point: each takes exp(−friction · angle) of the tension");
        k.inline_list("keyframes", at!(keyframes), limits::KEYFRAMES, "keyframe")
            .default("a constant 1")
            .says("factors over time, linear in between and constant before and after");
        k.value("file", at!(file)).default("none").says("a CSV file of the same, as of a load");
        k.checking(|tendon| in_time(tendon.file.is_some(), &tendon.keyframes));
    }
}

impl Declared for TendonPoint {
    fn declare(k: &mut Keys<Self>) {
        k.value("body", at!(body)).required().says("name of the body");
        selector(k, at!(selector));
    }
}

impl Declared for LoadKey {
    fn declare(k: &mut Keys<Self>) {
        k.value("time", at!(time)).not_negative("s").required().says("when");
        k.value("factor", at!(factor)).finite("").required().says("by which the load is multiplied");
    }
}

impl Declared for Gas {
    fn declare(k: &mut Keys<Self>) {
        k.value("volume", at!(volume))
            .positive("m³")
            .default("that of the surface at the start")
            .says("in which the gas has the given pressure");
        k.value("ambient", at!(ambient)).not_negative("Pa").says("pressure of the surroundings");
        k.value("leak", at!(leak))
            .not_negative("m³/(s Pa)")
            .says("volume that leaves in a second for each pascal above the surroundings");
    }
}
