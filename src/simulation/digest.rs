//! A number that stands for a state: two states with the same one are equal to the bit.
//!
//! FNV-1a in 64 bits (Fowler, Noll, Vo 1991), taken a word of 64 bits at a time instead of a byte: only equality matters here.

use super::{Simulation, SimulationError};
use glam::DVec3;

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

#[derive(Clone, Copy)]
struct Digest(u64);

impl Digest {
    fn word(&mut self, word: u64) {
        // Multiplication carries upwards only; the rotation lets high bits reach low ones.
        self.0 = (self.0 ^ word).wrapping_mul(PRIME).rotate_left(29);
    }

    /// A list and its length, so that values cannot pass from one list to the next unnoticed.
    fn list(&mut self, values: impl ExactSizeIterator<Item = [f64; 4]>) {
        self.word(values.len() as u64);
        values.flatten().for_each(|value| self.word(value.to_bits()));
    }
}

fn padded(v: &DVec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}

impl Simulation {
    /// A hash of the bits of all positions and velocities in the user's numbering, and of the orientations and spins of all
    /// frames.
    pub fn digest(&mut self) -> Result<u64, SimulationError> {
        let mut digest = Digest(OFFSET_BASIS);
        digest.list(self.positions()?.iter().map(padded));
        digest.list(self.velocities()?.iter().map(padded));
        let frames = self.frames()?;
        digest.list(frames.orientations.iter().map(|q| q.to_array()));
        digest.list(frames.spins.iter().map(padded));
        Ok(digest.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lists: &[&[[f64; 4]]]) -> u64 {
        let mut digest = Digest(OFFSET_BASIS);
        lists.iter().for_each(|list| digest.list(list.iter().copied()));
        digest.0
    }

    #[test]
    fn every_bit_place_and_length_counts() {
        let (a, b) = ([1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0]);
        let next = [1.0f64.next_up(), 2.0, 3.0, 0.0];
        let minus = [1.0, 2.0, 3.0, -0.0];
        let all = [of(&[&[a, b]]), of(&[&[b, a]]), of(&[&[a], &[b]]), of(&[&[next, b]]), of(&[&[minus, b]])];
        for (i, first) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(first), "{all:x?}");
        }
        assert_eq!(of(&[&[a, b]]), of(&[&[a, b]]));
    }
}
