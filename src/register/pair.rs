//! Two scans: the motion from one to the other, at whichever scale tells it best, and how sure it is.

use super::icp::{self, Effort, Refined};
use super::level::Level;
use super::motion::{Motion, angle};
use super::search::Match;
use super::votes::{Peak, peaks};
use crate::cloud::Cloud;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Feature sizes over the smaller scan's diagonal. Large features stand out of more noise, small ones are more and more exact.
pub const LADDER: [f64; 3] = [0.03, 0.06, 0.09];
/// Sizes are rounded to powers of this, so that scans of nearly one size share their features.
const SIZE_STEP: f64 = 1.1;
/// A motion is told apart from chance if this many times more points vote for it than for any other.
const CLEAR: f64 = 3.0;
/// And at least so many.
const FEWEST_VOTES: usize = 20;
/// The way back must undo the way there within this [degrees] and this [h].
const BACK_ANGLE: f64 = 12.0;
const BACK_DISTANCE: f64 = 2.0;
/// Overlap that makes a motion sure to which all signs point, and one whose votes are not clear.
const SMALL_OVERLAP: f64 = 0.1;
const GOOD_OVERLAP: f64 = 0.25;
/// Overlap of a motion that is as good as the best, over that of the best.
const AS_GOOD: f64 = 0.9;

/// Whether two scans belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They do not, or nothing tells that they do.
    None,
    /// Two of three signs say so: votes are clear, the way back agrees, surfaces lie on each other within their noise.
    Unsure,
    /// All signs say so; or the last two, if the overlap is large.
    Sure,
}

/// What was found out about two scans.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    pub verdict: Verdict,
    /// From the first scan's frame to the second's, by rows.
    pub motion: Motion,
    /// Points that voted for the motion, and for the next best one.
    pub votes: usize,
    pub runner_up: usize,
    /// Pairs of points that are each other's best partners and lie on each other.
    pub mutual: usize,
    /// The angle between the motion there and back [degrees].
    pub way_back: f64,
    /// Of both scans, the share that has a partner in the other.
    pub overlap: f64,
    /// Whether the surfaces are no farther apart than their noise.
    pub fits: bool,
    /// Root mean square distance between the surfaces where they overlap [m].
    pub rms: f64,
    /// The same as the noise of the scans lets expect [m].
    pub expected_rms: f64,
    /// By how much the votes' motion was turned in the end [degrees].
    pub refined_by: f64,
    /// The feature size that decided [m].
    pub feature_size: f64,
    /// Motions that are as good as this one, itself counted: more than one if the body is symmetric.
    pub as_good: usize,
    pub milliseconds: Milliseconds,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Milliseconds {
    pub features: f64,
    pub partners: f64,
    pub votes: f64,
    pub refinement: f64,
}

/// Scans with their features, which are made when they are asked for first.
pub struct Scans<'a> {
    pub(super) clouds: &'a [Cloud],
    diagonals: Vec<f64>,
    levels: BTreeMap<(usize, u64), Arc<Level>>,
}

impl<'a> Scans<'a> {
    /// Of clouds that have passed [`Cloud::check_spread`].
    pub fn new(clouds: &'a [Cloud]) -> Self {
        let diagonals = clouds.iter().map(Cloud::diagonal).collect();
        Self { clouds, diagonals, levels: BTreeMap::new() }
    }

    /// A scan at a feature size [m].
    pub fn level(&mut self, scan: usize, size: f64) -> Arc<Level> {
        let make = || Arc::new(Level::new(&self.clouds[scan], size));
        self.levels.entry((scan, size.to_bits())).or_insert_with(make).clone()
    }

    /// The feature size of two scans at a rung of the ladder [m].
    fn size(&self, [a, b]: [usize; 2], rung: usize) -> f64 {
        let smaller = self.diagonals[a].min(self.diagonals[b]);
        let power = ((LADDER[0] * smaller).ln() / SIZE_STEP.ln()).round() as i32;
        SIZE_STEP.powi(power) * LADDER[rung] / LADDER[0]
    }

    /// Registers two scans.
    pub fn pair(&mut self, which: [usize; 2]) -> Pair {
        let mut times = Milliseconds::default();
        let mut best: Option<Attempt> = None;
        let start = Instant::now();
        let smallest = self.size(which, 0);
        let fine = which.map(|scan| self.level(scan, smallest));
        times.features += since(start);
        for rung in 0..LADDER.len() {
            let start = Instant::now();
            let size = self.size(which, rung);
            let levels = which.map(|scan| self.level(scan, size));
            times.features += since(start);
            let Some(attempt) = Attempt::new(levels, &fine, &mut times) else { continue };
            let rank = attempt.candidates[0].rank();
            if best.as_ref().is_none_or(|best| rank > best.candidates[0].rank()) {
                best = Some(attempt);
            }
            if rank.0 == Verdict::Sure {
                break;
            }
        }
        match best {
            Some(attempt) => attempt.finish(times),
            None => Pair::nothing(times),
        }
    }
}

fn since(start: Instant) -> f64 {
    1e3 * start.elapsed().as_secs_f64()
}

/// Two scans compared at one scale.
struct Attempt {
    levels: [Arc<Level>; 2],
    there: Vec<Option<Match>>,
    back: Vec<Option<Match>>,
    /// The motion that is believed most, first; the others are tried only while it is in doubt.
    candidates: Vec<Candidate>,
}

/// A motion, and what speaks for it.
struct Candidate {
    /// As voted.
    start: Motion,
    refined: Refined,
    votes: usize,
    /// Votes for the next best motion.
    runner_up: usize,
    /// Whether it is among the motions that the votes of either direction favour.
    returns: bool,
    way_back: f64,
    /// Whether the surfaces are no farther apart than their noise, at this scale and at the smallest.
    fits: bool,
    /// Whether another motion fits nearly as well.
    rivalled: bool,
}

impl Candidate {
    fn clearness(&self) -> f64 {
        self.votes as f64 / self.runner_up.max(1) as f64
    }

    fn is_clear(&self) -> bool {
        self.clearness() >= CLEAR && self.votes >= FEWEST_VOTES
    }

    fn verdict(&self) -> Verdict {
        let overlap = self.refined.overlap;
        match (self.is_clear(), self.returns, self.fits) {
            (true, true, true) if overlap >= SMALL_OVERLAP => Verdict::Sure,
            (false, true, true) if overlap >= GOOD_OVERLAP && !self.rivalled => Verdict::Sure,
            (true, true, _) | (true, _, true) | (_, true, true) => Verdict::Unsure,
            _ => Verdict::None,
        }
    }

    /// What decides between motions.
    fn rank(&self) -> (Verdict, bool, f64) {
        (self.verdict(), self.fits, if self.fits { self.refined.overlap } else { self.clearness() })
    }
}

impl Attempt {
    fn new(levels: [Arc<Level>; 2], fine: &[Arc<Level>; 2], times: &mut Milliseconds) -> Option<Self> {
        let [a, b] = [&levels[0], &levels[1]];
        let start = Instant::now();
        let (there, back) = (b.partners(&a.features), a.partners(&b.features));
        times.partners += since(start);
        let start = Instant::now();
        let forward = peaks(&a.features, &b.features, &there);
        let backward: Vec<Peak> = peaks(&b.features, &a.features, &back)
            .into_iter()
            .map(|peak| Peak { motion: peak.motion.inverse(), ..peak })
            .collect();
        times.votes += since(start);
        let start = Instant::now();
        let (centroid, size) = (a.features.centroid, b.features.size);
        let same =
            |x: &Motion, y: &Motion| x.agrees(y, centroid, BACK_ANGLE.to_radians(), BACK_DISTANCE * size);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (lists, rank) in [([&forward, &backward], 0), ([&backward, &forward], 0)]
            .into_iter()
            .chain((1..forward.len()).map(|rank| ([&forward, &backward], rank)))
            .chain((1..backward.len()).map(|rank| ([&backward, &forward], rank)))
        {
            let [own, other] = lists;
            let Some(peak) = own.get(rank) else { continue };
            if candidates.iter().any(|known| same(&known.start, &peak.motion)) {
                continue;
            }
            let best_other = own.get(usize::from(rank == 0)).map_or(0, |other| other.votes);
            let returned = other.iter().find(|other| same(&other.motion, &peak.motion));
            let compared = returned.or(other.first());
            let refined = icp::refine(a, b, &peak.motion, Effort::LITTLE);
            let fits =
                refined.fits() && icp::refine(&fine[0], &fine[1], &refined.motion, Effort::LITTLE).fits();
            candidates.push(Candidate {
                start: peak.motion,
                refined,
                votes: peak.votes,
                runner_up: best_other,
                returns: returned.is_some(),
                way_back: compared
                    .map_or(180.0, |other| angle(other.motion.rotation, peak.motion.rotation).to_degrees()),
                fits,
                rivalled: false,
            });
            if candidates[0].is_clear() && candidates[0].verdict() == Verdict::Sure {
                break;
            }
        }
        let overlaps: Vec<f64> =
            candidates.iter().map(|c| if c.fits { c.refined.overlap } else { 0.0 }).collect();
        for (i, candidate) in candidates.iter_mut().enumerate() {
            let rival = |(k, overlap): (usize, &f64)| k != i && *overlap >= AS_GOOD * overlaps[i];
            candidate.rivalled = candidate.fits && overlaps.iter().enumerate().any(rival);
        }
        // Stable: of motions that are as good the one with more votes stays first.
        candidates.sort_by(|x, y| y.rank().partial_cmp(&x.rank()).unwrap_or(Ordering::Equal));
        times.refinement += since(start);
        (!candidates.is_empty()).then_some(Self { levels, there, back, candidates })
    }

    /// Pairs of points that are each other's best partners and lie on each other.
    fn mutual(&self, motion: &Motion) -> usize {
        let [from, to] = [&self.levels[0].features, &self.levels[1].features];
        let counts = |(x, m): &(usize, &Option<Match>)| {
            m.is_some_and(|m| {
                let y = m.partner as usize;
                let returns = self.back[y].is_some_and(|back| back.partner as usize == *x);
                returns && motion.point(from.surface[*x]).distance(to.surface[y]) <= to.size
            })
        };
        self.there.iter().enumerate().filter(counts).count()
    }

    fn finish(self, mut times: Milliseconds) -> Pair {
        let start = Instant::now();
        let [from, to] = [&*self.levels[0], &*self.levels[1]];
        let best = &self.candidates[0];
        let refined = icp::refine(from, to, &best.refined.motion, Effort::ALL);
        let as_good =
            |other: &&Candidate| other.fits && other.refined.overlap >= AS_GOOD * best.refined.overlap;
        times.refinement += since(start);
        Pair {
            verdict: best.verdict(),
            motion: refined.motion,
            votes: best.votes,
            runner_up: best.runner_up,
            mutual: self.mutual(&refined.motion),
            way_back: best.way_back,
            overlap: refined.overlap,
            fits: best.fits,
            rms: refined.rms,
            expected_rms: refined.expected,
            refined_by: angle(refined.motion.rotation, best.start.rotation).to_degrees(),
            feature_size: to.features.size,
            as_good: self.candidates.iter().filter(as_good).count().max(1),
            milliseconds: times,
        }
    }
}

impl Pair {
    /// Of scans that have nothing to compare.
    fn nothing(milliseconds: Milliseconds) -> Self {
        Self {
            verdict: Verdict::None,
            motion: Motion::NONE,
            votes: 0,
            runner_up: 0,
            mutual: 0,
            way_back: 0.0,
            overlap: 0.0,
            fits: false,
            rms: 0.0,
            expected_rms: 0.0,
            refined_by: 0.0,
            feature_size: 0.0,
            as_good: 0,
            milliseconds,
        }
    }
}
