//! The order in which the constraints of a net are eliminated, and what that takes.
//!
//! Newton's system of a net has a 3 × 3 block for every constraint and for every two constraints that share a particle or a
//! frame. Eliminating a constraint couples all that it was coupled to; where a net is a tree, few new couplings arise and the
//! work grows with its size, and what loops add is their closing. Constraints of few couplings go first, many of them at a
//! time that are not coupled to each other (multiple minimum degree; Liu 1985), so that a long rod takes as many rounds as its
//! length has binary digits and not one for each segment. A net of many loops is divided first ([`super::dissection`]), and what
//! joins its parts goes last; the way with fewer products is taken.

use super::dissection::stages;
use crate::model::elimination::{Block, Column, Coupling, Elimination, Role};
use crate::model::nets::{Net, NetJoint};
use crate::model::rods::Frame;
use glam::DVec3;
use std::collections::HashMap;
use std::ops::Range;

/// Couplings beyond which a net is refused: about 200 MB.
pub const MOST_BLOCKS: usize = 1 << 21;
/// Products beyond which a net is refused: about a second of a core for every iteration.
pub const MOST_PRODUCTS: usize = 1 << 25;

/// Couplings beyond the least that a constraint of the same round may have. Two let the inside of a rod go along with its ends;
/// more costs products in nets with loops.
const SLACK: usize = 2;

/// The bodies of one constraint and its roles there.
type Shares = Vec<(u32, Role)>;

impl Elimination {
    /// Plans a net. `first` is the first of all nets' frames and `count` their number; `movable` and `positions` tell of particles.
    pub fn new(
        net: &Net,
        frames: &[Frame],
        joints: &[NetJoint],
        [first, count]: [u32; 2],
        movable: &[bool],
        positions: &[DVec3],
    ) -> Result<Self, String> {
        let mut shares: HashMap<u32, Shares> = HashMap::new();
        let (mut constraints, mut places) = (Vec::new(), Vec::new());
        let middle = |k: u32| {
            let [i, j] = frames[k as usize].particles.map(|p| positions[p as usize]);
            0.5 * (i + j)
        };
        let turns = |k: u32| frames[k as usize].turns();
        // Particles are told from frames by their parity.
        let mut share = |body: u32, is_particle: bool, constraint: u32, role: Role| {
            shares.entry(2 * body + u32::from(is_particle)).or_default().push((constraint, role));
        };
        for k in net.segments() {
            let place = k - first;
            constraints.push(place);
            places.push(middle(k));
            if turns(k) {
                share(k, false, place, Role::Segment);
            }
            for (p, role) in frames[k as usize].particles.into_iter().zip([Role::Start, Role::End]) {
                if movable[p as usize] {
                    share(p, true, place, role);
                }
            }
        }
        for j in net.joints.clone() {
            let constraint = count + j;
            constraints.push(constraint);
            let [a, b] = joints[j as usize].frames.map(middle);
            places.push(0.5 * (a + b));
            for (k, role) in joints[j as usize].frames.into_iter().zip([Role::First, Role::Second]) {
                if turns(k) {
                    share(k, false, constraint, role);
                }
            }
        }
        // Constraints by their place in this net from here on.
        let place_of: HashMap<u32, u32> = (0..).zip(&constraints).map(|(place, &c)| (c, place)).collect();
        let mut couplings: HashMap<[u32; 2], Coupling> = HashMap::new();
        for (body, members) in shares {
            // Before memory is taken for them.
            if couplings.len() + members.len() * members.len() / 2 > MOST_BLOCKS {
                return Err(too_much("couplings", MOST_BLOCKS));
            }
            for (i, &(a, role_a)) in members.iter().enumerate() {
                for &(b, role_b) in &members[i + 1..] {
                    let (a, b) = (place_of[&a], place_of[&b]);
                    couplings.insert([a, b], Coupling { body: body / 2, roles: [role_a, role_b] });
                }
            }
        }
        Order::least(&places, couplings.keys().copied())?.plan(&constraints, &couplings)
    }
}

fn too_much(what: &str, limit: usize) -> String {
    format!(
        "`method = \"direct\"` needs more than {limit} {what} for this net; use \"coloured\", or fewer loops or segments"
    )
}

/// What each of `count` constraints is coupled to.
fn neighbours(count: usize, edges: impl Iterator<Item = [u32; 2]>) -> Vec<Vec<u32>> {
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
    for [a, b] in edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    neighbours
}

/// What is in either of two sorted lists, but for two members.
fn united(a: &[u32], b: &[u32], without: [u32; 2]) -> Vec<u32> {
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) | (None, Some(&x)) => x,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            all.push(next);
        }
    }
    all
}

/// Who is eliminated when, and what it is coupled to then.
struct Order {
    /// Places in the order of elimination.
    sequence: Vec<u32>,
    rounds: Vec<Range<u32>>,
    /// Of each place, what is eliminated later.
    later: Vec<Vec<u32>>,
}

impl Order {
    /// The better of the order by degree alone and that which divides the net first.
    fn least(places: &[DVec3], edges: impl Iterator<Item = [u32; 2]>) -> Result<Self, String> {
        let neighbours = neighbours(places.len(), edges);
        let stages = stages(places, &neighbours);
        let divided = (stages.len() > 1).then(|| Self::new(neighbours.clone(), &stages));
        let whole = Self::new(neighbours, &[(0..places.len() as u32).collect()]);
        match (whole, divided) {
            (Ok(whole), Some(Ok(divided))) => {
                Ok(if divided.product_count() < whole.product_count() { divided } else { whole })
            }
            (Err(_), Some(Ok(divided))) => Ok(divided),
            (whole, _) => whole,
        }
    }

    /// Pairs of blocks that are multiplied.
    fn product_count(&self) -> usize {
        self.later.iter().map(|list| list.len() * (list.len() + 1) / 2).sum()
    }

    /// By degree within each stage.
    fn new(mut neighbours: Vec<Vec<u32>>, stages: &[Vec<u32>]) -> Result<Self, String> {
        let count = neighbours.len();
        let mut order = Self { sequence: Vec::new(), rounds: Vec::new(), later: vec![Vec::new(); count] };
        let mut blocks = 0;
        let mut touched = vec![usize::MAX; count];
        for stage in stages {
            let mut left = stage.clone();
            while !left.is_empty() {
                let degree = |place: u32| neighbours[place as usize].len();
                let least = left.iter().map(|&place| degree(place)).min().unwrap_or(0);
                // Strictly the least alone, a rod would be eaten up from its two ends, one constraint at a time.
                let bearable = least + SLACK;
                let start = order.sequence.len();
                let round = order.rounds.len();
                for &place in left.iter().filter(|&&place| degree(place) <= bearable) {
                    if touched[place as usize] != round {
                        neighbours[place as usize].iter().for_each(|&n| touched[n as usize] = round);
                        order.sequence.push(place);
                    }
                }
                for &place in &order.sequence[start..] {
                    let list = std::mem::take(&mut neighbours[place as usize]);
                    blocks += list.len();
                    if blocks > MOST_BLOCKS {
                        return Err(too_much("couplings", MOST_BLOCKS));
                    }
                    for &n in &list {
                        let own = &neighbours[n as usize];
                        neighbours[n as usize] = united(own, &list, [n, place]);
                    }
                    order.later[place as usize] = list;
                    touched[place as usize] = round;
                }
                order.rounds.push(start as u32..order.sequence.len() as u32);
                let gone: std::collections::HashSet<u32> = order.sequence[start..].iter().copied().collect();
                left.retain(|place| !gone.contains(place));
            }
        }
        Ok(order)
    }

    fn plan(
        mut self,
        constraints: &[u32],
        couplings: &HashMap<[u32; 2], Coupling>,
    ) -> Result<Elimination, String> {
        if self.product_count() > MOST_PRODUCTS {
            return Err(too_much("products", MOST_PRODUCTS));
        }
        let mut turn_of = vec![0u32; constraints.len()];
        (0..).zip(&self.sequence).for_each(|(turn, &place)| turn_of[place as usize] = turn);
        self.later.iter_mut().for_each(|list| list.sort_unstable_by_key(|&place| turn_of[place as usize]));
        let mut plan = Elimination { rounds: self.rounds, ..Elimination::default() };
        let mut number: HashMap<[u32; 2], u32> = HashMap::new();
        for &column in &self.sequence {
            let start = plan.blocks.len() as u32;
            for &row in &self.later[column as usize] {
                number.insert([row, column], plan.blocks.len() as u32);
                let coupling = couplings.get(&[row, column]).copied().or_else(|| {
                    let turned = couplings.get(&[column, row])?;
                    Some(Coupling { roles: [turned.roles[1], turned.roles[0]], ..*turned })
                });
                plan.blocks.push(Block {
                    row: constraints[row as usize],
                    column: constraints[column as usize],
                    coupling,
                    products: 0..0,
                });
            }
            plan.columns.push(Column {
                constraint: constraints[column as usize],
                blocks: start..plan.blocks.len() as u32,
                products: 0..0,
            });
        }
        // What every elimination does to the blocks of later columns, sorted by those.
        let mut of_diagonal: Vec<Vec<[u32; 2]>> = vec![Vec::new(); plan.columns.len()];
        let mut of_block: Vec<Vec<[u32; 2]>> = vec![Vec::new(); plan.blocks.len()];
        for &column in &self.sequence {
            let list = &self.later[column as usize];
            for (n, &j) in list.iter().enumerate() {
                let second = number[&[j, column]];
                of_diagonal[turn_of[j as usize] as usize].push([second, second]);
                for &i in &list[n + 1..] {
                    of_block[number[&[i, j]] as usize].push([number[&[i, column]], second]);
                }
            }
        }
        let mut place = |own: Vec<[u32; 2]>| {
            let start = plan.products.len() as u32;
            plan.products.extend(own);
            start..plan.products.len() as u32
        };
        for (column, own) in plan.columns.iter_mut().zip(of_diagonal) {
            column.products = place(own);
        }
        for (block, own) in plan.blocks.iter_mut().zip(of_block) {
            block.products = place(own);
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(count: usize, edges: &[[u32; 2]]) -> Order {
        Order::new(neighbours(count, edges.iter().copied()), &[(0..count as u32).collect()]).unwrap()
    }

    fn order(count: usize, edges: &[[u32; 2]]) -> (usize, usize) {
        let order = whole(count, edges);
        assert_eq!(order.sequence.len(), count);
        (order.rounds.len(), order.later.iter().map(Vec::len).sum())
    }

    /// The meshes of a net: chains of three from knot to knot, and all that meet at a knot coupled. Divided, it takes fewer products, and
    /// every constraint has its turn.
    #[test]
    fn a_net_is_divided_before_it_is_eliminated() {
        let n = 30u32;
        let (mut places, mut edges) = (Vec::new(), Vec::new());
        let mut knots: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
            for [dx, dy] in [[1, 0], [0, 1]].into_iter().filter(|d| x + d[0] < n && y + d[1] < n) {
                let first = places.len() as u32;
                for share in [0.25, 0.5, 0.75] {
                    let along = |from: u32, step: u32| f64::from(from) + share * f64::from(step);
                    places.push(DVec3::new(along(x, dx), along(y, dy), 0.0));
                }
                edges.extend([[first, first + 1], [first + 1, first + 2]]);
                knots.entry([x, y]).or_default().push(first);
                knots.entry([x + dx, y + dy]).or_default().push(first + 2);
            }
        }
        for ends in knots.values() {
            edges.extend(
                ends.iter().flat_map(|&a| ends.iter().filter(move |&&b| a < b).map(move |&b| [a, b])),
            );
        }
        let plain = whole(places.len(), &edges);
        let divided = Order::least(&places, edges.iter().copied()).unwrap();
        let mut turns = divided.sequence.clone();
        turns.sort_unstable();
        assert!(turns.into_iter().eq(0..places.len() as u32));
        let [before, after] = [&plain, &divided].map(Order::product_count);
        println!(
            "{before} products, {after} divided; {} rounds, {}",
            plain.rounds.len(),
            divided.rounds.len()
        );
        assert!(after < before, "{after} products instead of {before}");
    }

    /// A chain of constraints each of which is coupled to the next two, as those of a rod.
    #[test]
    fn a_rod_takes_few_rounds_and_few_blocks() {
        for n in [100u32, 1000, 10_000] {
            let edges: Vec<[u32; 2]> =
                (0..n).flat_map(|i| [[i, i + 1], [i, i + 2]]).filter(|e| e[1] < n).collect();
            let (rounds, blocks) = order(n as usize, &edges);
            println!("{n}: {rounds} rounds, {:.2} blocks a constraint", blocks as f64 / f64::from(n));
            assert!(rounds < 4 * n.ilog2() as usize, "{rounds} rounds");
            assert!(blocks < 5 * n as usize, "{blocks} blocks");
        }
    }

    #[test]
    fn nothing_is_coupled_to_what_is_gone() {
        let edges = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]];
        let order = whole(4, &edges);
        let turn = |place: u32| order.sequence.iter().position(|&other| other == place);
        for (place, list) in (0..).zip(&order.later) {
            assert!(list.iter().all(|&later| turn(later) > turn(place)));
        }
    }
}
