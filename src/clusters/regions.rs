//! Which particles make up each cluster of a body.

use glam::DVec3;
use std::collections::{HashMap, VecDeque};

/// What finds the particles around one.
enum Around {
    /// Those that share a cell with a particle: `neighbours[starts[p]..starts[p + 1]]`.
    Cells { starts: Vec<u32>, neighbours: Vec<u32> },
    /// Particles by the cube of the radius' size that they are in.
    Cubes(HashMap<[i64; 3], Vec<u32>>),
}

/// The members of every cluster, in ascending order. Clusters are laid around particles in the order of their numbers: one that is
/// not within `spacing` of an earlier centre becomes a centre itself. In a mesh, members are connected to their centre inside the
/// radius: the tip of an ear that touches the back does not belong to it. `Err` with the count as soon as there are more members than `most`.
pub(super) fn regions(
    places: &[DVec3],
    cells: &[[u32; 4]],
    [radius, spacing]: [f64; 2],
    most: usize,
) -> Result<Vec<Vec<u32>>, usize> {
    let around =
        if cells.is_empty() { Around::cubes(places, radius) } else { Around::cells(places.len(), cells) };
    let mut seen = vec![u32::MAX; places.len()];
    let mut is_covered = vec![false; places.len()];
    let mut regions: Vec<Vec<u32>> = Vec::new();
    let mut count = 0;
    for centre in 0..places.len() as u32 {
        if is_covered[centre as usize] {
            continue;
        }
        let mut members = around.within(places, centre, radius, &mut seen);
        members.sort_unstable();
        let from = places[centre as usize];
        for &p in &members {
            is_covered[p as usize] |= places[p as usize].distance(from) <= spacing;
        }
        count += members.len();
        if count > most {
            return Err(count);
        }
        regions.push(members);
    }
    Ok(regions)
}

impl Around {
    fn cells(count: usize, cells: &[[u32; 4]]) -> Self {
        let mut pairs: Vec<[u32; 2]> = cells
            .iter()
            .flat_map(|cell| cell.iter().flat_map(|&a| cell.iter().map(move |&b| [a, b])))
            .filter(|[a, b]| a != b)
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; count + 1];
        for [a, _] in &pairs {
            starts[*a as usize + 1] += 1;
        }
        for p in 0..count {
            starts[p + 1] += starts[p];
        }
        Self::Cells { starts, neighbours: pairs.into_iter().map(|[_, b]| b).collect() }
    }

    fn cubes(places: &[DVec3], radius: f64) -> Self {
        let mut cubes: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        for (p, &place) in places.iter().enumerate() {
            cubes.entry(cube(place, radius)).or_default().push(p as u32);
        }
        Self::Cubes(cubes)
    }

    /// The particles within the radius of one. `seen` remembers the last centre that has met a particle.
    fn within(&self, places: &[DVec3], centre: u32, radius: f64, seen: &mut [u32]) -> Vec<u32> {
        let from = places[centre as usize];
        let is_near = |p: u32| places[p as usize].distance(from) <= radius;
        match self {
            Self::Cells { starts, neighbours } => {
                let mut members = vec![centre];
                let mut queue = VecDeque::from([centre]);
                seen[centre as usize] = centre;
                while let Some(p) = queue.pop_front() {
                    let range = starts[p as usize] as usize..starts[p as usize + 1] as usize;
                    for &next in &neighbours[range] {
                        if seen[next as usize] != centre && is_near(next) {
                            seen[next as usize] = centre;
                            members.push(next);
                            queue.push_back(next);
                        }
                    }
                }
                members
            }
            Self::Cubes(cubes) => {
                let [x, y, z] = cube(from, radius);
                let near = (-1..=1).flat_map(|i| {
                    (-1..=1).flat_map(move |j| {
                        (-1..=1).map(move |k| [x.saturating_add(i), y.saturating_add(j), z.saturating_add(k)])
                    })
                });
                near.filter_map(|key| cubes.get(&key)).flatten().copied().filter(|&p| is_near(p)).collect()
            }
        }
    }
}

fn cube(place: DVec3, size: f64) -> [i64; 3] {
    (place / size).floor().to_array().map(|c| c as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_particle_is_in_a_cluster_and_clusters_are_within_their_radius() {
        let line = |n: u32| (0..n).map(|i| DVec3::X * f64::from(i)).collect::<Vec<_>>();
        let regions = regions(&line(10), &[], [2.0, 1.0], 1000).unwrap();
        assert_eq!(regions[0], [0, 1, 2]);
        assert_eq!(regions[1], [0, 1, 2, 3, 4]);
        let mut all: Vec<u32> = regions.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(super::regions(&line(10), &[], [2.0, 1.0], 3), Err(8));
    }

    /// Two tetrahedra side by side that share nothing are two clusters, however large the radius.
    #[test]
    fn what_is_not_connected_is_not_in_one_cluster() {
        let corner = |at: DVec3| [at, at + DVec3::X, at + DVec3::Y, at + DVec3::Z];
        let places = [corner(DVec3::ZERO), corner(DVec3::splat(0.1))].concat();
        let regions = regions(&places, &[[0, 1, 2, 3], [4, 5, 6, 7]], [10.0, 10.0], 100).unwrap();
        assert_eq!(regions, [vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
    }
}
