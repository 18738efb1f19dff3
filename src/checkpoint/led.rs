//! What a program leads: their number, u32, and for each its name, a text; the two times, f64; where it goes, a pose; the number of
//! its tracks, u32, and where each comes from, a pose. A pose is its offset and its rotation, seven f64.

use super::CheckpointError;
use super::file::{MOST_FOREIGN_BYTES, Source};
use crate::scene::Pose;
use glam::{DQuat, DVec3};

/// A pin, a clamp or a collider that a program leads: from pose to pose within a time, and then it stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Led {
    /// That of its reactions, or of the collider.
    pub name: String,
    /// When it sets out and arrives [s].
    pub span: [f64; 2],
    /// Where each of its tracks sets out.
    pub from: Vec<Pose>,
    pub to: Pose,
}

pub(super) fn encode(led: &[Led]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
    let reals = |bytes: &mut Vec<u8>, reals: &[f64]| reals.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    let pose = |bytes: &mut Vec<u8>, pose: &Pose| {
        reals(bytes, &pose.offset.to_array());
        reals(bytes, &pose.rotation.to_array());
    };
    number(&mut bytes, led.len());
    for led in led {
        number(&mut bytes, led.name.len());
        bytes.extend(led.name.as_bytes());
        reals(&mut bytes, &led.span);
        pose(&mut bytes, &led.to);
        number(&mut bytes, led.from.len());
        led.from.iter().for_each(|from| pose(&mut bytes, from));
    }
    bytes
}

pub(super) fn decode(source: &mut Source) -> Result<Vec<Led>, CheckpointError> {
    // No list is believed to be as long as it claims before its entries have been read.
    let mut all = Vec::new();
    for _ in 0..source.u32()? {
        let name = source.text(MOST_FOREIGN_BYTES)?;
        let span = [real(source)?, real(source)?];
        let to = pose(source)?;
        let mut from = Vec::new();
        for _ in 0..source.u32()? {
            from.push(pose(source)?);
        }
        all.push(Led { name, span, from, to });
    }
    Ok(all)
}

fn pose(source: &mut Source) -> Result<Pose, CheckpointError> {
    let mut reals = [0.0; 7];
    for value in &mut reals {
        *value = real(source)?;
    }
    Ok(Pose { offset: DVec3::from_slice(&reals), rotation: DQuat::from_slice(&reals[3..]) })
}

fn real(source: &mut Source) -> Result<f64, CheckpointError> {
    let value = f64::from_le_bytes(source.array()?);
    if value.is_finite() {
        Ok(value)
    } else {
        Err(source.damaged("something is led to a place that is not finite"))
    }
}
