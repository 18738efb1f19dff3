//! The last seconds of a run, to which its user can go back.

use crate::checkpoint::State;
use std::collections::VecDeque;

/// Simulated time that is kept at most [s].
const SECONDS: f64 = 10.0;
/// Simulated time between two moments [s], if a state is small.
const INTERVAL: f64 = 1.0 / 30.0;
/// A state of this size is copied thirty times a second; larger ones less often.
const SMALL: usize = 4 << 20;
/// Memory for all moments.
const BYTES: usize = 256 << 20;
/// As many states have to fit into it at least, or none is kept.
const FEWEST: usize = 4;

/// States of the past, the oldest first.
#[derive(Default)]
pub struct History {
    /// With their times [s].
    moments: VecDeque<(f64, State)>,
}

impl History {
    /// Whether a state at this time would be kept. What came after it in an earlier run of the same time is forgotten.
    pub fn wants(&mut self, time: f64, bytes: usize) -> bool {
        while self.moments.back().is_some_and(|(last, _)| *last > time) {
            self.moments.pop_back();
        }
        let interval = INTERVAL * (bytes as f64 / SMALL as f64).max(1.0);
        let is_due = self.moments.back().is_none_or(|(last, _)| time - last >= interval - 1e-9);
        is_due && FEWEST * bytes <= BYTES
    }

    pub fn keep(&mut self, time: f64, state: State) {
        let most = (BYTES / state.bytes().max(1)).max(1);
        self.moments.push_back((time, state));
        while self.moments.len() > most
            || self.moments.front().is_some_and(|(first, _)| time - first > SECONDS)
        {
            self.moments.pop_front();
        }
    }

    /// The moment nearest to a time.
    pub fn nearest(&self, time: f64) -> Option<&State> {
        let nearest = self.moments.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
        nearest.map(|(_, state)| state)
    }

    /// The times between which there is something to go back to [s].
    pub fn span(&self) -> Option<[f64; 2]> {
        let (first, last) = (self.moments.front()?.0, self.moments.back()?.0);
        (last > first).then_some([first, last])
    }

    pub fn clear(&mut self) {
        self.moments.clear();
    }
}
