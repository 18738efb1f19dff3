//! The levels of multigrid, body by body, from the graph of the mesh alone.
//!
//! Aggregates are a node and its neighbours. A fine node moves with its own and its neighbours' aggregates: the aggregates' indicator is
//! smoothed once on the graph, weights below a tenth are dropped and the others sum to one, so that a translation of all coarse nodes is
//! one of all fine ones. Coarse nodes of sheets are translations; those of solids are rigid motions, with a second row for the
//! rotation. The matrix of each level is the Galerkin product, whose lists are made here and summed on the device.

use super::grid_restrict::ARM;
use super::rows::{Rows, SLICE};
use super::tail_invert::MOST_ROWS;
use std::ops::Range;

/// Share of a node's weight that goes to its neighbours' aggregates.
const SMOOTHING: f64 = 0.66;
/// Weights up to this are dropped.
const DROPPED: f64 = 0.1;
/// A level with more nodes than this share of the one before is not worth its passes.
const SHRINKING: f64 = 0.8;
/// Levels at most.
const MOST_LEVELS: usize = 12;
/// No aggregate.
const NONE: u32 = u32::MAX;

/// The blocks of a coarse matrix, each with its list.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Where each block's list begins, and one end.
    pub starts: Vec<u32>,
    /// Of translations: places of fine blocks. Of rigid motions: three numbers each, the place and the weights of its row and column.
    pub entries: Vec<u32>,
    /// Of translations: products of weights.
    pub weights: Vec<f64>,
    /// Of the block and of its transpose.
    pub places: Vec<[u32; 2]>,
}

/// Between a level and the next one.
#[derive(Clone, Debug, Default)]
pub struct Transfer {
    /// Where each fine row's weights begin, and one end.
    pub weight_starts: Vec<u32>,
    /// Coarse row of each weight, with [`ARM`] if a rotation comes with it.
    pub weight_rows: Vec<u32>,
    pub weights: Vec<f64>,
    /// Particles at the roots of the fine and the coarse node of each weight.
    pub arm_ends: Vec<[u32; 2]>,
    pub has_arms: bool,
    /// Where each coarse row's parts begin, and one end.
    pub part_starts: Vec<u32>,
    /// Fine row and weight.
    pub parts: Vec<[u32; 2]>,
    pub translations: Lists,
    pub rigid: Lists,
}

/// A matrix and how it is made smaller.
#[derive(Clone, Debug, Default)]
pub struct Level {
    pub rows: Rows,
    /// Bodies that are solved here as a whole: first row, rows, first number of the inverse, 0.
    pub tails: Vec<[u32; 4]>,
    pub next: Option<Transfer>,
}

impl Level {
    /// Place of each row's block on the diagonal.
    pub fn diagonal_places(&self) -> Vec<u32> {
        (0..self.rows.count()).map(|row| self.rows.place(row, row).unwrap_or(NONE)).collect()
    }

    /// Whether all of its rows are of bodies that are solved here as a whole, so that nothing is smoothed.
    pub fn is_whole(&self) -> bool {
        self.tails.iter().map(|tail| tail[1]).sum::<u32>() == self.rows.count()
    }

    /// Numbers of all inverses.
    pub fn tail_numbers(&self) -> usize {
        self.tails.iter().map(|tail| 9 * (tail[1] * tail[1]) as usize).sum()
    }
}

/// A body's part of a level.
#[derive(Clone, Debug)]
pub struct Group {
    pub nodes: Range<u32>,
    /// Whether its coarse nodes are rigid motions.
    pub rigid: bool,
    /// Whether it has coarser levels at all.
    pub coarsens: bool,
}

/// The nodes of a level.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// First row of each; a rigid motion has two.
    pub rows: Vec<u32>,
    /// Particle that stands for each.
    pub roots: Vec<u32>,
    /// Neighbours in the mesh; nothing for a node that does not take part.
    pub neighbours: Vec<Vec<u32>>,
    /// Those that are not in here have come to their end.
    pub groups: Vec<Group>,
    /// Whether nodes of rigid groups have rows of rotations on the first level already.
    pub turns: bool,
}

/// All levels, of which the first is given, with what each body has of it.
pub fn levels(rows: Rows, mut nodes: Nodes, takes_part: &[bool]) -> Vec<Level> {
    let mut levels = vec![Level { rows, ..Level::default() }];
    let mut takes_part = takes_part.to_vec();
    while levels.len() <= MOST_LEVELS {
        // Particles have no rotations.
        let is_first = levels.len() == 1 && !nodes.turns;
        let level = levels.last_mut().expect("there is a first one");
        let (mut aggregates, mut roots, mut groups) = (vec![NONE; nodes.rows.len()], Vec::new(), Vec::new());
        let mut numbers = 0;
        for group in &nodes.groups {
            let first = nodes.rows[group.nodes.start as usize];
            let rows_each = if group.rigid && !is_first { 2 } else { 1 };
            let count = rows_each * group.nodes.len() as u32;
            if count <= MOST_ROWS {
                level.tails.push([first, count, numbers, 0]);
                numbers += 9 * count * count;
                continue;
            }
            if !group.coarsens {
                continue;
            }
            let start = roots.len() as u32;
            aggregate(&nodes, &takes_part, group.nodes.clone(), &mut aggregates, &mut roots);
            let made = roots.len() as u32 - start;
            // A body of which nothing can move has no coarser one.
            if made == 0 || f64::from(made) > SHRINKING * group.nodes.len() as f64 {
                roots.truncate(start as usize);
                aggregates[group.nodes.start as usize..group.nodes.end as usize].fill(NONE);
                continue;
            }
            groups.push(Group { nodes: start..start + made, ..group.clone() });
        }
        if groups.is_empty() || levels.len() == MOST_LEVELS {
            break;
        }
        let coarse = coarse_nodes(&nodes, &aggregates, &roots, groups);
        let weights = weights(&nodes, &aggregates);
        let level = levels.last_mut().expect("there is a first one");
        let (transfer, rows) = transfer(level, &nodes, &coarse, &weights, is_first);
        level.next = Some(transfer);
        levels.push(Level { rows, ..Level::default() });
        takes_part = vec![true; coarse.rows.len()];
        nodes = coarse;
    }
    levels
}

/// Aggregates of a range of nodes, with their roots.
fn aggregate(
    nodes: &Nodes,
    takes_part: &[bool],
    range: Range<u32>,
    aggregates: &mut [u32],
    roots: &mut Vec<u32>,
) {
    let neighbours = |i: u32| nodes.neighbours[i as usize].iter().copied();
    for i in range.clone().filter(|&i| takes_part[i as usize]) {
        if aggregates[i as usize] == NONE && neighbours(i).all(|j| aggregates[j as usize] == NONE) {
            let number = roots.len() as u32;
            aggregates[i as usize] = number;
            neighbours(i).for_each(|j| aggregates[j as usize] = number);
            roots.push(i);
        }
    }
    // The others go to the aggregate that they have most neighbours in, the first one of several.
    let mut late = Vec::new();
    for i in range.clone().filter(|&i| takes_part[i as usize] && aggregates[i as usize] == NONE) {
        let mut near: Vec<u32> =
            neighbours(i).map(|j| aggregates[j as usize]).filter(|&a| a != NONE).collect();
        near.sort_unstable();
        let most = near.chunk_by(|a, b| a == b).rev().max_by_key(|chunk| chunk.len());
        if let Some(chunk) = most {
            late.push((i, chunk[0]));
        }
    }
    for (i, number) in late {
        aggregates[i as usize] = number;
    }
    for i in range.filter(|&i| takes_part[i as usize]) {
        if aggregates[i as usize] == NONE {
            aggregates[i as usize] = roots.len() as u32;
            roots.push(i);
        }
    }
}

/// The nodes that aggregates become, neighbours if any of theirs are.
fn coarse_nodes(nodes: &Nodes, aggregates: &[u32], roots: &[u32], groups: Vec<Group>) -> Nodes {
    let mut neighbours = vec![Vec::new(); roots.len()];
    for (i, own) in aggregates.iter().enumerate().filter(|(_, own)| **own != NONE) {
        let others = nodes.neighbours[i].iter().map(|&j| aggregates[j as usize]);
        neighbours[*own as usize].extend(others.filter(|other| other != own));
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut rows = Vec::with_capacity(roots.len());
    let mut next = 0;
    for group in &groups {
        if group.rigid {
            // The two rows of a node are of one slice.
            next += next % 2;
        }
        for _ in group.nodes.clone() {
            rows.push(next);
            next += if group.rigid { 2 } else { 1 };
        }
    }
    let roots = roots.iter().map(|&i| nodes.roots[i as usize]).collect();
    Nodes { rows, roots, neighbours, groups, turns: true }
}

/// The aggregates that each node moves with, and how much.
fn weights(nodes: &Nodes, aggregates: &[u32]) -> Vec<Vec<(u32, f64)>> {
    let of = |(i, &own): (usize, &u32)| {
        if own == NONE {
            return Vec::new();
        }
        let near = &nodes.neighbours[i];
        let mut found = vec![(own, if near.is_empty() { 1.0 } else { 1.0 - SMOOTHING })];
        found.extend(near.iter().map(|&j| (aggregates[j as usize], SMOOTHING / near.len() as f64)));
        found.sort_by_key(|(aggregate, _)| *aggregate);
        let sums = found.chunk_by(|a, b| a.0 == b.0).map(|chunk| {
            let sum: f64 = chunk.iter().map(|(_, weight)| weight).sum();
            (chunk[0].0, sum)
        });
        let kept: Vec<(u32, f64)> = sums.filter(|(_, weight)| *weight > DROPPED).collect();
        let all: f64 = kept.iter().map(|(_, weight)| weight).sum();
        kept.into_iter().map(|(aggregate, weight)| (aggregate, weight / all)).collect()
    };
    aggregates.iter().enumerate().map(of).collect()
}

/// What is between a level and the next one, and the pattern of that.
fn transfer(
    level: &Level,
    nodes: &Nodes,
    coarse: &Nodes,
    weights: &[Vec<(u32, f64)>],
    is_first: bool,
) -> (Transfer, Rows) {
    let mut rigid = vec![false; coarse.rows.len()];
    for group in coarse.groups.iter().filter(|group| group.rigid) {
        rigid[group.nodes.start as usize..group.nodes.end as usize].fill(true);
    }
    let row_count = level.rows.count() as usize;
    let mut node_of_row = vec![NONE; row_count];
    for (node, &row) in (0u32..).zip(&nodes.rows) {
        node_of_row[row as usize] = node;
    }
    let mut t = Transfer { weight_starts: vec![0], has_arms: rigid.contains(&true), ..Transfer::default() };
    for row in 0..row_count {
        // The row after that of a rigid motion is its rotation.
        let is_rotation = node_of_row[row] == NONE;
        let node = if is_rotation { node_of_row[row.saturating_sub(1)] } else { node_of_row[row] };
        let has_row = node != NONE && (!is_rotation || !is_first);
        for &(to, weight) in weights.get(node as usize).into_iter().flatten().filter(|_| has_row) {
            let target = coarse.rows[to as usize];
            let rigid = rigid[to as usize];
            if is_rotation && !rigid {
                continue;
            }
            t.weight_rows.push(if is_rotation {
                target + 1
            } else if rigid {
                target | ARM
            } else {
                target
            });
            t.weights.push(weight);
            t.arm_ends.push([nodes.roots[node as usize], coarse.roots[to as usize]]);
        }
        t.weight_starts.push(t.weights.len() as u32);
    }
    let coarse_rows = coarse.rows.last().map_or(0, |&row| row + 1 + u32::from(rigid.last() == Some(&true)));
    let mut parts = vec![Vec::new(); coarse_rows as usize];
    let mut supports = vec![Vec::new(); coarse.rows.len()];
    for (row, &node) in node_of_row.iter().enumerate() {
        for weight in t.weight_starts[row]..t.weight_starts[row + 1] {
            let target = t.weight_rows[weight as usize];
            let place = (target & !ARM) as usize;
            parts[place].push([row as u32, weight]);
            if target & ARM != 0 {
                parts[place + 1].push([row as u32 | ARM, weight]);
            }
        }
        for (weight, (to, _)) in
            (t.weight_starts[row]..).zip(weights.get(node as usize).into_iter().flatten())
        {
            supports[*to as usize].push((node, weight));
        }
    }
    t.part_starts = vec![0];
    for list in parts {
        t.parts.extend(list);
        t.part_starts.push(t.parts.len() as u32);
    }

    // Of each coarse node, what is on and above the diagonal.
    let mut above = Vec::with_capacity(coarse.rows.len());
    for (node, support) in (0u32..).zip(&supports) {
        let mut found: Vec<(u32, [u32; 3])> = Vec::new();
        for &(i, weight) in support {
            for (column, place) in level.rows.of(nodes.rows[i as usize]) {
                let j = node_of_row[column as usize];
                let others = weights.get(j as usize).into_iter().flatten();
                for (other, &(to, _)) in (t.weight_starts[column as usize]..).zip(others) {
                    if to >= node {
                        found.push((to, [place, weight, other]));
                    }
                }
            }
        }
        found.sort_by_key(|(to, _)| *to);
        above.push(found);
    }
    let rows = coarse_pattern(coarse, &rigid, &above, coarse_rows);
    for (node, found) in (0u32..).zip(above) {
        let row = coarse.rows[node as usize];
        for chunk in found.chunk_by(|a, b| a.0 == b.0) {
            let column = coarse.rows[chunk[0].0 as usize];
            let place = |a: u32, b: u32| rows.place(a, b).expect("the pattern has all pairs");
            let is_rigid = rigid[node as usize];
            let lists = if is_rigid { &mut t.rigid } else { &mut t.translations };
            lists.places.push([place(row, column), place(column, row)]);
            for &(_, [place, left, right]) in chunk {
                lists.entries.push(place);
                if is_rigid {
                    lists.entries.extend([left, right]);
                } else {
                    lists.weights.push(t.weights[left as usize] * t.weights[right as usize]);
                }
            }
            let count = lists.entries.len() / if is_rigid { 3 } else { 1 };
            lists.starts.push(count as u32);
        }
    }
    for lists in [&mut t.translations, &mut t.rigid] {
        lists.starts.insert(0, 0);
    }
    (t, rows)
}

/// The rows of coarse nodes, from the pairs on and above the diagonal.
fn coarse_pattern(coarse: &Nodes, rigid: &[bool], above: &[Vec<(u32, [u32; 3])>], count: u32) -> Rows {
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); coarse.rows.len()];
    for (node, found) in (0u32..).zip(above) {
        for chunk in found.chunk_by(|a, b| a.0 == b.0) {
            let other = chunk[0].0;
            near[node as usize].push(other);
            if other != node {
                near[other as usize].push(node);
            }
        }
    }
    let mut rows = vec![Vec::new(); count as usize];
    for (node, mut near) in near.into_iter().enumerate() {
        near.sort_unstable();
        let columns: Vec<u32> = near
            .into_iter()
            .flat_map(|other| {
                let row = coarse.rows[other as usize];
                row..row + if rigid[other as usize] { 2 } else { 1 }
            })
            .collect();
        let row = coarse.rows[node] as usize;
        debug_assert!(!rigid[node] || row % SLICE as usize + 1 < SLICE as usize);
        if rigid[node] {
            rows[row + 1].clone_from(&columns);
        }
        rows[row] = columns;
    }
    Rows::new(&rows)
}
