//! The coarse nets of a grid: which threads they keep, what their links measure, and how nodes follow those of coarser ones.

use glam::DVec3;

/// A direction of a net has at least so many lines.
const FEWEST_LINES: usize = 3;
/// Share by which a coarse link may be longer than its threads: rounding of positions must not look like a pull.
const SLACK: f64 = 1e-4;

/// What a node takes from the next coarser net: its nodes, each with a weight.
pub type Shares = Vec<(u32, f64)>;

/// A net whose nodes are particles of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    /// The particle of each node.
    pub particles: Vec<u32>,
    /// Of each node.
    pub masses: Vec<f64>,
    /// Of each node, from the next coarser net; none of the coarsest.
    pub shares: Vec<Shares>,
    /// Links in four colours: nodes and length [m].
    pub links: [Vec<([u32; 2], f64)>; 4],
}

/// The nets of a sheet, the finest first, and what each of its particles takes from that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nets {
    pub nets: Vec<Net>,
    pub shares: Vec<Shares>,
}

impl Nets {
    /// Of a grid of cells whose particles are numbered row by row, from their places at rest and their masses.
    pub fn new(cells: [u32; 2], places: &[DVec3], masses: &[f64]) -> Self {
        let grid = Grid { columns: cells[0] + 1, places };
        let mut found = Self::default();
        let mut lines = cells.map(|count| (0..=count).collect::<Vec<u32>>());
        let mut masses = masses.to_vec();
        loop {
            let coarse = [halved(&lines[0]), halved(&lines[1])];
            if coarse == lines {
                return found;
            }
            let shares = shares(&lines, &coarse);
            let mut net = grid.net(&coarse);
            for (shares, mass) in shares.iter().zip(&masses) {
                for &(node, weight) in shares {
                    net.masses[node as usize] += weight * mass;
                }
            }
            match found.nets.last_mut() {
                Some(finer) => finer.shares = shares,
                None => found.shares = shares,
            }
            masses.clone_from(&net.masses);
            found.nets.push(net);
            lines = coarse;
        }
    }
}

struct Grid<'a> {
    columns: u32,
    places: &'a [DVec3],
}

impl Grid<'_> {
    /// The net of these columns and rows, without masses and shares.
    fn net(&self, [columns, rows]: &[Vec<u32>; 2]) -> Net {
        let particle = |i: u32, j: u32| j * self.columns + i;
        let particles = rows.iter().flat_map(|&j| columns.iter().map(move |&i| particle(i, j)));
        let mut net = Net { particles: particles.collect(), ..Net::default() };
        net.masses = vec![0.0; net.particles.len()];
        net.shares = vec![Vec::new(); net.particles.len()];
        let node = |i: usize, j: usize| (j * columns.len() + i) as u32;
        for (j, &row) in rows.iter().enumerate() {
            for (i, ends) in columns.windows(2).enumerate() {
                let length = self.length((ends[0]..=ends[1]).map(|column| particle(column, row)));
                net.links[i % 2].push(([node(i, j), node(i + 1, j)], length));
            }
        }
        for (j, ends) in rows.windows(2).enumerate() {
            for (i, &column) in columns.iter().enumerate() {
                let length = self.length((ends[0]..=ends[1]).map(|row| particle(column, row)));
                net.links[2 + j % 2].push(([node(i, j), node(i, j + 1)], length));
            }
        }
        net
    }

    /// How far apart the ends of a thread through these particles may get [m].
    fn length(&self, thread: impl Iterator<Item = u32>) -> f64 {
        let places: Vec<DVec3> = thread.map(|particle| self.places[particle as usize]).collect();
        (1.0 + SLACK) * places.windows(2).map(|ends| ends[0].distance(ends[1])).sum::<f64>()
    }
}

/// Every second line and the last.
fn halved(lines: &[u32]) -> Vec<u32> {
    if lines.len() <= FEWEST_LINES {
        return lines.to_vec();
    }
    let mut kept: Vec<u32> = lines.iter().copied().step_by(2).collect();
    if lines.len().is_multiple_of(2) {
        kept.extend(lines.last());
    }
    kept
}

/// The weights of coarse nodes at fine ones, linear along both directions.
fn shares(fine: &[Vec<u32>; 2], coarse: &[Vec<u32>; 2]) -> Vec<Shares> {
    let along = [0, 1].map(|axis| fine[axis].iter().map(|&line| between(line, &coarse[axis])).collect());
    let [columns, rows]: [Vec<[(u32, f64); 2]>; 2] = along;
    let width = coarse[0].len() as u32;
    let nodes = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
    let shares = nodes.map(|(row, column)| {
        let pairs = row.iter().flat_map(|&(j, s)| column.iter().map(move |&(i, t)| (j * width + i, s * t)));
        // As the kernels have it, so that masses are of the same weights.
        let pairs = pairs.map(|(node, weight)| (node, f64::from(weight as f32)));
        pairs.filter(|(_, weight)| *weight > 0.0).collect()
    });
    shares.collect()
}

/// The lines on both sides of a line, with their weights.
fn between(line: u32, lines: &[u32]) -> [(u32, f64); 2] {
    let after = lines.partition_point(|&other| other <= line).clamp(1, lines.len() - 1);
    let [low, high] = [after - 1, after].map(|k| f64::from(lines[k]));
    let share = (f64::from(line) - low) / (high - low);
    [(after as u32 - 1, 1.0 - share), (after as u32, share)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat([nx, ny]: [u32; 2]) -> Vec<DVec3> {
        let row = |j: u32| (0..=nx).map(move |i| DVec3::new(f64::from(i), 0.0, 0.5 * f64::from(j)));
        (0..=ny).flat_map(row).collect()
    }

    #[test]
    fn nets_of_any_grid_keep_its_corners_its_lengths_and_its_mass() {
        for cells in [[1, 1], [2, 2], [3, 2], [4, 9], [63, 17], [16, 16]] {
            let places = flat(cells);
            let masses: Vec<f64> = (0..places.len()).map(|i| 1.0 + (i % 3) as f64).collect();
            let Nets { nets, shares } = Nets::new(cells, &places, &masses);
            assert_eq!(nets.is_empty(), cells.iter().all(|&count| count < FEWEST_LINES as u32), "{cells:?}");
            let mut finer = &shares;
            for net in &nets {
                let whole: f64 = net.masses.iter().sum();
                assert!((whole - masses.iter().sum::<f64>()).abs() < 1e-6 * whole, "{cells:?}");
                assert_eq!(net.particles[0], 0);
                assert_eq!(*net.particles.last().unwrap() as usize, places.len() - 1);
                for shares in finer {
                    assert!((shares.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-6);
                }
                for colour in &net.links {
                    let mut seen = std::collections::HashSet::new();
                    for &([a, b], length) in colour {
                        assert!(seen.insert(a) && seen.insert(b), "{cells:?}: two links of a colour meet");
                        let [x, y] = [a, b].map(|node| places[net.particles[node as usize] as usize]);
                        assert!((length / x.distance(y) - 1.0 - SLACK).abs() < 1e-12);
                    }
                }
                finer = &net.shares;
            }
        }
    }

    /// A node follows the coarse one that is the same particle, and only that.
    #[test]
    fn what_a_net_shares_with_a_finer_one_stays_in_place() {
        let cells = [9, 6];
        let Nets { nets, shares } = Nets::new(cells, &flat(cells), &vec![1.0; 70]);
        for (node, particle) in (0u32..).zip(&nets[0].particles) {
            assert_eq!(shares[*particle as usize], [(node, 1.0)]);
        }
    }
}
