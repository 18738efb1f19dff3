//! The fields of a scene as records, and what they amount to at a point and a time, in f64.

use super::field::{self, AFFINE, BALL, BAR, LOOP, RECORDS, SHEET, WIRE};
use crate::frames::turn;
use crate::math::{Vec3, Vec4};
use crate::model::Model;
use crate::model::magnets::{FieldLaw, FieldSource};
use crate::particles::track::Tracks;
use glam::{DQuat, DVec2, DVec3, DVec4};
use std::f64::consts::TAU;

/// A source as the kernels read it.
pub type Records = [Vec4<f64>; RECORDS];

/// As at the start, with all of its strength.
pub fn records(source: &FieldSource) -> Records {
    let (kind, own) = match source.law {
        FieldLaw::Affine { uniform, gradient, cross } => {
            (AFFINE, [uniform.extend(0.0), gradient.extend(0.0), cross.extend(0.0)])
        }
        FieldLaw::Ball { moment, radius } => (BALL, [moment.extend(radius), nothing(), nothing()]),
        FieldLaw::Loop { current, radius } => (LOOP, [axial(current, radius, 0.0), nothing(), nothing()]),
        FieldLaw::Sheet { current, radius, half_length } => {
            (SHEET, [axial(current, radius, half_length), nothing(), nothing()])
        }
        FieldLaw::Wire { current, way } => (WIRE, [way.extend(current), nothing(), nothing()]),
        FieldLaw::Bar { remanence, half } => (BAR, [remanence.extend(0.0), half.extend(0.0), nothing()]),
    };
    let [p, q, s] = own.map(|v| Vec4::from_array(v.to_array()));
    let place = source.position.extend(kind).to_array();
    let axes = source.rotation.to_array();
    [Vec4::from_array(place), Vec4::from_array(axes), p, q, s.xyz().with_w(1.0)]
}

fn nothing() -> DVec4 {
    DVec4::ZERO
}

fn axial(current: f64, radius: f64, half_length: f64) -> DVec4 {
    DVec4::new(current, radius, half_length, 0.0)
}

/// All fields of a scene at a time [s].
pub fn at(model: &Model, time: f64) -> Vec<Records> {
    let keys: Vec<Vec4<f64>> = model.tracks.keys.iter().map(|&key| Vec4::from_array(key)).collect();
    let tracks = Tracks { tracks: &model.tracks.tracks, keys: &keys };
    let driven = |source: &FieldSource| {
        let mut own = records(source);
        if let Some(track) = source.track {
            own[0] = tracks.point(track, time, own[0].xyz()).with_w(own[0].w);
            let turned = tracks.pose(track, time).rotation;
            own[1] = turn::product(Vec4::new(turned.x, turned.y, turned.z, turned.w), own[1]);
        }
        own[4].w = factor(&source.keys, time) * (TAU * source.frequency * time + source.phase).cos();
        own
    };
    model.field_sources.iter().map(driven).collect()
}

fn factor(keys: &[[f64; 2]], time: f64) -> f64 {
    let next = keys.partition_point(|key| key[0] <= time);
    match (next.checked_sub(1).map(|k| keys[k]), keys.get(next)) {
        (None, None) => 1.0,
        (Some([_, k]), None) | (None, Some(&[_, k])) => k,
        (Some([t, k]), Some(&[u, l])) => k + (l - k) * (time - t) / (u - t),
    }
}

/// B of all of them at a point [T].
pub fn field(sources: &[Records], x: DVec3) -> DVec3 {
    let x = Vec3::of(x.to_array());
    sources.iter().fold(DVec3::ZERO, |sum, &source| {
        let [b, _] = field::act(source, x, Vec3::ZERO);
        sum + DVec3::new(b.x, b.y, b.z)
    })
}

/// A point of the world along the axes of a source.
fn local(source: &Records, x: DVec3) -> DVec3 {
    let [place, axes, ..] = source.map(|v| DVec4::from_array(v.to_array()));
    DQuat::from_vec4(axes).conjugate() * (x - place.truncate())
}

/// Whether a point is within a source that is a magnet or a coil. A hole is a coil with a negative current.
pub fn is_inside(sources: &[Records], x: DVec3) -> bool {
    let layers = sources.iter().map(|source| {
        let (kind, [p, q]) = (source[0].w, [source[2], source[3]]);
        let x = local(source, x);
        let within = match kind {
            BALL => x.length() < p.w,
            BAR => x.abs().cmplt(DVec3::new(q.x, q.y, q.z)).all(),
            SHEET => x.y.abs() < p.z && DVec2::new(x.x, x.z).length() < p.y,
            _ => false,
        };
        if !within {
            0
        } else if kind == SHEET && p.x < 0.0 {
            -1
        } else {
            1
        }
    });
    layers.sum::<i32>() > 0
}

/// The box around what makes a field, if that is anywhere [m].
pub fn bounds(source: &Records) -> Option<[DVec3; 2]> {
    let [place, _, p, q, _] = source.map(|v| DVec4::from_array(v.to_array()));
    let around = |radius: f64| [place.truncate() - radius, place.truncate() + radius];
    match source[0].w {
        BALL => Some(around(p.w)),
        BAR => Some(around(q.truncate().length())),
        LOOP => Some(around(p.y)),
        SHEET => Some(around(p.y.hypot(p.z))),
        WIRE => Some(around(p.truncate().length())),
        _ => None,
    }
}
