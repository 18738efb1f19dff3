//! Every point votes for the motion that takes it to its partner; right partners agree, wrong ones do not.
//!
//! Motions are counted in cells of the rotation's quaternion and of the image of the scan's centroid: turning about the centroid keeps
//! the votes of one motion together. The fullest cells are moved to the mean of the votes around them, so that it does not matter
//! where the cells' walls are.

use super::features::Features;
use super::motion::{Motion, horn};
use super::search::Match;
use glam::{DMat3, DQuat, DVec3, DVec4};

/// Edge of a cell in the three components of the quaternion.
const TURN_CELL: f64 = 0.1;
/// Cells from which peaks are looked for.
const STARTS: usize = 64;
const SHIFTS: usize = 3;
/// Votes within this angle, and within this distance [h], belong to a peak.
const PEAK_ANGLE: f64 = 12.0;
const PEAK_DISTANCE: f64 = 2.0;
/// Peaks farther apart than either of these are two.
const APART_ANGLE: f64 = 20.0;
const APART_DISTANCE: f64 = 3.0;
/// Peaks that are kept.
const KEPT: usize = 4;

/// Motions on which votes agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Peak {
    pub motion: Motion,
    /// How many points voted for it.
    pub votes: usize,
}

struct Vote {
    /// With w ≥ 0.
    turn: DVec4,
    /// Where the centroid goes [m].
    image: DVec3,
    point: u32,
}

/// The peaks with most votes, each in a region of its own.
pub fn peaks(from: &Features, to: &Features, matches: &[Option<Match>]) -> Vec<Peak> {
    let votes: Vec<Vote> =
        (0..).zip(matches).filter_map(|(point, m)| Some(vote(from, to, point, m.as_ref()?))).collect();
    let mut found: Vec<(DVec4, DVec3, Vec<u32>)> =
        starts(&votes, to.size).into_iter().filter_map(|start| shift(&votes, start, to.size)).collect();
    // Stable: of peaks with as many votes the one of the fuller cell is first.
    found.sort_by_key(|(_, _, members)| std::cmp::Reverse(members.len()));
    let mut kept: Vec<(DVec4, DVec3, Vec<u32>)> = Vec::new();
    for peak in found {
        let apart = |other: &(DVec4, DVec3, Vec<u32>)| {
            peak.0.dot(other.0).abs() < half_cosine(APART_ANGLE)
                || peak.1.distance(other.1) > APART_DISTANCE * to.size
        };
        if kept.len() < KEPT && kept.iter().all(apart) {
            kept.push(peak);
        }
    }
    let peak = |(turn, image, members): (DVec4, DVec3, Vec<u32>)| {
        let voters: Vec<u32> = members.iter().map(|&m| votes[m as usize].point).collect();
        let pairs: Vec<_> = voters
            .iter()
            .filter_map(|&i| {
                let partner = matches[i as usize]?.partner;
                Some((from.surface[i as usize], to.surface[partner as usize]))
            })
            .collect();
        let mean = Motion::taking(DQuat::from_vec4(turn), from.centroid, image);
        // Voters in one place say nothing about the turn; their mean does.
        let fitted = horn(&pairs)
            .filter(|m| m.agrees(&mean, from.centroid, PEAK_ANGLE.to_radians(), PEAK_DISTANCE * to.size));
        Peak { motion: fitted.unwrap_or(mean), votes: voters.len() }
    };
    kept.into_iter().map(peak).collect()
}

fn half_cosine(degrees: f64) -> f64 {
    (0.5 * degrees.to_radians()).cos()
}

fn vote(from: &Features, to: &Features, point: u32, m: &Match) -> Vote {
    let (i, j) = (point as usize, m.partner as usize);
    let (x, y) = (&from.fits[i], &to.fits[j]);
    let turn = y.frame * DMat3::from_rotation_z(-m.comparison.angle) * x.frame.transpose();
    let turn = DQuat::from_mat3(&turn).normalize();
    let image = to.surface[j] + turn * (from.centroid - from.surface[i]);
    let turn = DVec4::from(turn);
    Vote { turn: if turn.w < 0.0 { -turn } else { turn }, image, point }
}

/// Mean turn and image of the fullest cells.
fn starts(votes: &[Vote], size: f64) -> Vec<(DVec4, DVec3)> {
    let mut cells: Vec<([i64; 6], u32)> = (0..)
        .zip(votes)
        .map(|(k, vote)| {
            let [a, b] = [(vote.turn.truncate() / TURN_CELL).floor(), (vote.image / size).floor()];
            (std::array::from_fn(|i| if i < 3 { a[i] as i64 } else { b[i - 3] as i64 }), k)
        })
        .collect();
    cells.sort_unstable();
    let mut groups: Vec<&[([i64; 6], u32)]> = cells.chunk_by(|a, b| a.0 == b.0).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.truncate(STARTS);
    groups
        .into_iter()
        .map(|group| mean(votes, votes[group[0].1 as usize].turn, group.iter().map(|m| m.1)))
        .collect()
}

/// Turns are added up on the side of `near`: a quaternion and its negative are one turn.
fn mean(votes: &[Vote], near: DVec4, members: impl Iterator<Item = u32>) -> (DVec4, DVec3) {
    let (mut turn, mut image, mut count) = (DVec4::ZERO, DVec3::ZERO, 0.0);
    for member in members {
        let vote = &votes[member as usize];
        turn += if vote.turn.dot(near) < 0.0 { -vote.turn } else { vote.turn };
        image += vote.image;
        count += 1.0;
    }
    (turn.try_normalize().unwrap_or(near), image / count)
}

/// Moves a start to the mean of the votes around it, some times; with the votes around it in the end.
fn shift(
    votes: &[Vote],
    (mut turn, mut image): (DVec4, DVec3),
    size: f64,
) -> Option<(DVec4, DVec3, Vec<u32>)> {
    let (cosine, distance) = (half_cosine(PEAK_ANGLE), PEAK_DISTANCE * size);
    let around = |turn: DVec4, image: DVec3| -> Vec<u32> {
        let near = |vote: &Vote| {
            vote.turn.dot(turn).abs() > cosine && vote.image.distance_squared(image) < distance * distance
        };
        (0..).zip(votes).filter(|(_, vote)| near(vote)).map(|(k, _)| k).collect()
    };
    for _ in 0..SHIFTS {
        let members = around(turn, image);
        if members.len() < 2 {
            return None;
        }
        (turn, image) = mean(votes, turn, members.iter().copied());
    }
    let members = around(turn, image);
    (members.len() >= 2).then_some((turn, image, members))
}
