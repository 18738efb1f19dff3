//! Long-range tethers: how far a vertex of a sheet can ever get from the nearest pin.
//!
//! A cloth that hangs from pins may not become longer than the path through its threads (Kim, Chentanez, Müller 2012). The
//! path is measured along edges (Dijkstra 1959) and so never shorter than the true distance on the sheet: a tether
//! may be a little slack, but it cannot hold back what the cloth would allow. On a mesh of right triangles the excess is
//! up to 8 % where the diagonals lead and up to 41 % across them. A grid is flat and convex, and its tethers are as long as the straight way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use crate::model::incidence::{ElementError, Incidence};

/// The nearest pin of one free vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tether {
    pub vertex: u32,
    pub pin: u32,
    /// Length of the shortest path along edges [m].
    pub length: f64,
}

/// One tether for each free vertex that a path connects to a pin, in ascending order of the vertex.
///
/// Pins of equal distance: the one whose path is found first, in an order that only the arguments decide. Edges of
/// non-finite length are no path.
pub fn tethers(positions: &[DVec3], edges: &[[u32; 2]], pins: &[u32]) -> Result<Vec<Tether>, ElementError> {
    let incidence = Incidence::new(edges, positions.len())?;
    let mut nearest: Vec<Option<(f64, u32)>> = vec![None; positions.len()];
    // Lengths are not negative, and then the bits of a float sort as the float does.
    let mut front = BinaryHeap::new();
    for (element, &pin) in pins.iter().enumerate() {
        let entry = nearest.get_mut(pin as usize).ok_or(ElementError::OutOfRange {
            element,
            particle: pin,
            particle_count: positions.len(),
        })?;
        *entry = Some((0.0, pin));
        front.push(Reverse((0u64, pin)));
    }
    while let Some(Reverse((bits, vertex))) = front.pop() {
        let (length, pin) = nearest[vertex as usize].expect("a queued vertex has been reached");
        if f64::from_bits(bits) > length {
            continue; // a shorter path was found after this entry was queued
        }
        for &slot in incidence.of(vertex) {
            let other = edges[slot as usize / 2][1 - slot as usize % 2];
            let along = length + positions[vertex as usize].distance(positions[other as usize]);
            let known = nearest[other as usize].map_or(f64::INFINITY, |(l, _)| l);
            if along < known {
                nearest[other as usize] = Some((along, pin));
                front.push(Reverse((along.to_bits(), other)));
            }
        }
    }
    let mut is_pin = vec![false; positions.len()];
    pins.iter().for_each(|&p| is_pin[p as usize] = true);
    Ok((0..)
        .zip(nearest)
        .filter(|&(vertex, _)| !is_pin[vertex as usize])
        .filter_map(|(vertex, found)| found.map(|(length, pin)| Tether { vertex, pin, length }))
        .collect())
}

/// Pins by groups that edges between pinned vertices join, each in ascending order, in the order of their first.
pub fn groups(edges: &[[u32; 2]], vertices: usize, pins: &[u32]) -> Result<Vec<Vec<u32>>, ElementError> {
    let incidence = Incidence::new(edges, vertices)?;
    let mut waiting = vec![false; vertices];
    pins.iter().for_each(|&pin| waiting[pin as usize] = true);
    let mut sorted = pins.to_vec();
    sorted.sort_unstable();
    let mut groups = Vec::new();
    for first in sorted {
        if !std::mem::take(&mut waiting[first as usize]) {
            continue;
        }
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&pin) = group.get(next) {
            next += 1;
            for &slot in incidence.of(pin) {
                let other = edges[slot as usize / 2][1 - slot as usize % 2];
                if std::mem::take(&mut waiting[other as usize]) {
                    group.push(other);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_measures_its_own_length_and_not_the_straight_line() {
        let positions =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 9.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let found = tethers(&positions, &[[0, 1], [1, 2], [3, 2]], &[0]).unwrap();
        let expected =
            [(1, 1.0), (2, 2.0), (3, 3.0)].map(|(vertex, length)| Tether { vertex, pin: 0, length });
        assert_eq!(found, expected); // vertex 4 is not connected and has no tether
    }

    #[test]
    fn each_vertex_belongs_to_its_nearest_pin() {
        let positions: Vec<DVec3> = (0..11).map(|i| DVec3::X * f64::from(i)).collect();
        let edges: Vec<[u32; 2]> = (0..10).map(|i| [i + 1, i]).collect();
        for t in tethers(&positions, &edges, &[0, 9, 9]).unwrap() {
            let pin = if t.vertex < 5 { 0 } else { 9 };
            assert_eq!((t.pin, t.length), (pin, f64::from(t.vertex.abs_diff(pin))));
        }
    }

    #[test]
    fn pins_are_of_one_group_where_edges_lead_from_one_to_the_next() {
        let edges = [[0, 1], [1, 2], [2, 3], [4, 3], [5, 4], [6, 7]];
        let found = groups(&edges, 8, &[5, 1, 0, 7, 4, 1]).unwrap();
        assert_eq!(found, [vec![0, 1], vec![4, 5], vec![7]]);
        assert!(groups(&edges, 8, &[]).unwrap().is_empty());
    }

    #[test]
    fn bad_pins_are_named_and_no_pins_give_no_tethers() {
        let positions = [DVec3::ZERO, DVec3::NAN];
        assert!(tethers(&positions, &[], &[2]).is_err());
        assert!(tethers(&positions, &[[0, 1]], &[]).unwrap().is_empty());
        assert!(tethers(&positions, &[[0, 1]], &[0]).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn lengths_agree_with_relaxing_all_edges_until_nothing_changes(
            places in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 20),
            edges in prop::collection::vec(prop::array::uniform2(0u32..20), 0..60),
            pins in prop::collection::vec(0u32..20, 1..4),
        ) {
            let positions: Vec<DVec3> = places.into_iter().map(DVec3::from).collect();
            let mut length = [f64::INFINITY; 20];
            pins.iter().for_each(|&p| length[p as usize] = 0.0);
            for _ in 0..20 {
                for &[i, j] in edges.iter().chain(&edges) {
                    let (i, j) = (i as usize, j as usize);
                    let edge = positions[i].distance(positions[j]);
                    length[j] = length[j].min(length[i] + edge);
                    length[i] = length[i].min(length[j] + edge);
                }
            }
            let found = tethers(&positions, &edges, &pins).unwrap();
            let reachable = (0..20u32).filter(|v| !pins.contains(v) && length[*v as usize].is_finite());
            prop_assert_eq!(found.iter().map(|t| t.vertex).collect::<Vec<_>>(), reachable.collect::<Vec<_>>());
            for t in found {
                prop_assert!((t.length - length[t.vertex as usize]).abs() < 1e-12);
            }
        }
    }
}
