//! Many scans in any order: which of them show the same body, and where each belongs.
//!
//! Every two scans are registered. Groups, of one scan each at first, are merged where pairs between them imply the same motion of one
//! group relative to the other: chance does not agree with itself. The group with most agreement is merged first.

use super::motion::Motion;
use super::pair::{Pair, Scans, Verdict};
use super::relax;
use crate::cloud::Cloud;
use glam::DVec3;

/// Motions that two pairs imply are the same within this [degrees] and this [feature sizes].
const SAME_ANGLE: f64 = 12.0;
const SAME_DISTANCE: f64 = 3.0;
/// Pairs that agree, without one that is sure, before they are believed.
const BELIEVED: usize = 2;

/// Two scans and what was found out about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub scans: [usize; 2],
    pub pair: Pair,
    /// Whether the motion is the one by which both were placed.
    pub used: bool,
}

/// Scans of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// Each scan with the motion from its frame to that of the first one.
    pub scans: Vec<(usize, Motion)>,
    /// Root mean square distance between surfaces where scans overlap [m].
    pub rms: f64,
}

/// Sizes beyond this ratio are no sizes of one body: one scan is in other units.
const SIZES: f64 = 50.0;

/// Scans whose sizes differ so much that their units must.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizesDiffer {
    /// The smallest and the largest scan, with their diagonals.
    pub smallest: (usize, f64),
    pub largest: (usize, f64),
}

/// Tells scans in millimetres beside scans in metres.
pub fn check_sizes(clouds: &[Cloud]) -> Result<(), SizesDiffer> {
    let mut sizes: Vec<(usize, f64)> = clouds.iter().map(Cloud::diagonal).enumerate().collect();
    sizes.sort_by(|a, b| a.1.total_cmp(&b.1));
    match (sizes.first(), sizes.last()) {
        (Some(&smallest), Some(&largest)) if largest.1 > SIZES * smallest.1 => {
            Err(SizesDiffer { smallest, largest })
        }
        _ => Ok(()),
    }
}

/// What became of many scans.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    pub links: Vec<Link>,
    /// Those of most scans first. Each scan is in one of them, alone if it belongs to no other.
    pub objects: Vec<Object>,
}

/// Registers clouds that have passed [`Cloud::check_spread`]. `progress` hears how many of how many pairs are done.
pub fn register(clouds: &[Cloud], progress: &dyn Fn(usize, usize)) -> Registration {
    let mut scans = Scans::new(clouds);
    let count = clouds.len();
    let all = count * count.saturating_sub(1) / 2;
    let mut links = Vec::with_capacity(all);
    for i in 0..count {
        for j in i + 1..count {
            progress(links.len(), all);
            links.push(Link { scans: [i, j], pair: scans.pair([i, j]), used: false });
        }
    }
    let centres: Vec<DVec3> = clouds.iter().map(Cloud::centroid).collect();
    let mut groups: Vec<Vec<(usize, Motion)>> = (0..count).map(|scan| vec![(scan, Motion::NONE)]).collect();
    while let Some(bridge) = best_bridge(&groups, &links, &centres) {
        let other = groups.remove(bridge.groups[1]);
        groups[bridge.groups[0]]
            .extend(other.into_iter().map(|(scan, motion)| (scan, bridge.motion.after(&motion))));
    }
    let mut objects: Vec<Object> = groups.into_iter().map(|group| place(&mut scans, group, &links)).collect();
    // Stable: objects of as many scans stay in the order of their first ones.
    objects.sort_by_key(|object| std::cmp::Reverse(object.scans.len()));
    for link in &mut links {
        let [i, j] = link.scans;
        let of = |object: &Object, scan: usize| object.scans.iter().find(|s| s.0 == scan).map(|s| s.1);
        link.used = objects.iter().any(|object| match (of(object, i), of(object, j)) {
            (Some(a), Some(b)) => same(&b.inverse().after(&a), &link.pair, centres[i]),
            _ => false,
        });
    }
    progress(all, all);
    Registration { links, objects }
}

/// The first scan of a group stays where it is; all are relaxed together.
fn place(scans: &mut Scans, mut group: Vec<(usize, Motion)>, links: &[Link]) -> Object {
    group.sort_by_key(|(scan, _)| *scan);
    let back = group[0].1.inverse();
    group.iter_mut().for_each(|(_, motion)| *motion = back.after(motion));
    if group.len() < 2 {
        return Object { scans: group, rms: 0.0 };
    }
    let within = |link: &&Link| link.scans.iter().all(|scan| group.iter().any(|member| member.0 == *scan));
    let mut sizes: Vec<f64> = links
        .iter()
        .filter(within)
        .filter(|l| l.pair.verdict == Verdict::Sure)
        .map(|l| l.pair.feature_size)
        .collect();
    sizes.sort_by(f64::total_cmp);
    let size =
        sizes.get(sizes.len() / 2).copied().unwrap_or_else(|| 0.03 * scans.clouds[group[0].0].diagonal());
    let levels: Vec<_> = group.iter().map(|(scan, _)| scans.level(*scan, size)).collect();
    let mut motions: Vec<Motion> = group.iter().map(|member| member.1).collect();
    let rms = relax::relax(&levels, &mut motions);
    Object { scans: group.iter().zip(motions).map(|(member, motion)| (member.0, motion)).collect(), rms }
}

fn same(implied: &Motion, pair: &Pair, centre: DVec3) -> bool {
    // Another body of like shape is not this one.
    pair.fits
        && implied.agrees(&pair.motion, centre, SAME_ANGLE.to_radians(), SAME_DISTANCE * pair.feature_size)
}

/// Two groups that belong together.
struct Bridge {
    groups: [usize; 2],
    /// From the frame of the second group to that of the first.
    motion: Motion,
    weight: usize,
}

/// The bridge on which most points agree, the first one of several.
fn best_bridge(groups: &[Vec<(usize, Motion)>], links: &[Link], centres: &[DVec3]) -> Option<Bridge> {
    let mut best: Option<Bridge> = None;
    for a in 0..groups.len() {
        for b in a + 1..groups.len() {
            if let Some((motion, weight)) = bridge(&groups[a], &groups[b], links, centres)
                && best.as_ref().is_none_or(|best| weight > best.weight)
            {
                best = Some(Bridge { groups: [a, b], motion, weight });
            }
        }
    }
    best
}

/// The motion from the frame of group `b` to that of `a` on which the pairs between them agree, with the points that say so.
fn bridge(
    a: &[(usize, Motion)],
    b: &[(usize, Motion)],
    links: &[Link],
    centres: &[DVec3],
) -> Option<(Motion, usize)> {
    // Pairs from a scan of b to one of a, whichever of them came first.
    let mut between = Vec::new();
    for (scan_a, place_a) in a {
        for (scan_b, place_b) in b {
            let wanted = [*scan_a.min(scan_b), *scan_a.max(scan_b)];
            if let Some(link) = links.iter().find(|link| link.scans == wanted) {
                let to_a = if scan_b < scan_a { link.pair.motion } else { link.pair.motion.inverse() };
                between.push((link, *place_a, *place_b, place_a.after(&to_a).after(&place_b.inverse())));
            }
        }
    }
    let agreeing = |motion: &Motion| {
        let agrees = |(link, place_a, place_b, _): &&(&Link, Motion, Motion, Motion)| {
            // What the motion of the groups says about these two scans.
            let to_a = place_a.inverse().after(motion).after(place_b);
            let [first, _] = link.scans;
            let implied = if a.iter().any(|(scan, _)| *scan == first) { to_a.inverse() } else { to_a };
            same(&implied, &link.pair, centres[first])
        };
        between.iter().filter(agrees).map(|(link, ..)| *link).collect::<Vec<_>>()
    };
    let weigh = |links: &[&Link]| links.iter().map(|link| link.pair.mutual).sum::<usize>();
    let (mut best, mut most) = (None, 0);
    for (_, _, _, motion) in &between {
        let agreeing = agreeing(motion);
        let weight = weigh(&agreeing);
        let sure = agreeing.iter().any(|link| link.pair.verdict == Verdict::Sure);
        if weight > most && (sure || agreeing.len() >= BELIEVED) {
            // A sure pair that says otherwise must be outweighed.
            let against = |link: &&&Link| {
                link.pair.verdict == Verdict::Sure
                    && !agreeing.iter().any(|other| std::ptr::eq(*other, **link))
            };
            let all: Vec<&Link> = between.iter().map(|(link, ..)| *link).collect();
            let contrary: Vec<&Link> = all.iter().filter(against).copied().collect();
            if weight > weigh(&contrary) {
                (best, most) = (Some(*motion), weight);
            }
        }
    }
    best.map(|motion| (motion, most))
}
