//! Keyframed motion as the device sees it.

use crate::limits;
use crate::scene::{Keyframe, motion};
use glam::DVec3;

/// Scalars per record.
const WIDTH: usize = 4;

/// All tracks of a model: (first record, number of keys) each, and the records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    pub tracks: Vec<[u32; 2]>,
    pub keys: Vec<[f64; WIDTH]>,
    /// How many records all motions ask for. Where these are more than a scene may have, the motions are not stored, and
    /// the model is refused.
    pub asked: u64,
}

impl Tracks {
    /// Adds a track and returns its index, or nothing if nothing moves.
    pub fn add(&mut self, keyframes: &[Keyframe], pivot: DVec3) -> Option<u32> {
        let (first, last) = (keyframes.first()?, keyframes.last()?);
        self.asked = self.asked.saturating_add(motion::records(keyframes));
        if self.asked > limits::ALL_MOTION_RECORDS {
            return None;
        }
        let start = self.keys.len() as u32;
        self.keys.push([pivot.x, pivot.y, pivot.z, 0.0]);
        self.push_key(keyframes, first.time);
        for pair in keyframes.windows(2) {
            let pieces = motion::pieces([&pair[0], &pair[1]]);
            for piece in 1..=pieces {
                let s = piece as f64 / pieces as f64;
                let time = if piece == pieces {
                    pair[1].time
                } else {
                    pair[0].time + s * (pair[1].time - pair[0].time)
                };
                self.push_key(keyframes, time);
            }
        }
        debug_assert!(last.time >= first.time, "validated scenes have increasing times");
        let count = (self.keys.len() as u32 - start - 1) / 2;
        self.tracks.push([start, count]);
        Some(self.tracks.len() as u32 - 1)
    }

    fn push_key(&mut self, keyframes: &[Keyframe], time: f64) {
        let pose = motion::pose_at(keyframes, time);
        self.keys.push([time, pose.offset.x, pose.offset.y, pose.offset.z]);
        self.keys.push(pose.rotation.to_array());
    }
}
