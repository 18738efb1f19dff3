//! The matrices of multigrid as they are on a backend.

use glam::{DMat3, DVec3};
use sinew::compute::{Data, Executor, Run};
use sinew::integrate::grid_restrict::ARM;
use sinew::integrate::rows::{SLICE, first_value};
use sinew::solver::Solver;

/// A level's matrix as it is on a backend: the blocks of each row.
pub struct Blocks(pub Vec<Vec<(u32, DMat3)>>);

impl Blocks {
    pub fn read(solver: &Solver, executor: &mut dyn Executor, level: usize) -> Self {
        let initial = |name: &str| {
            let id = solver.buffers.find(&format!("grid{level}_{name}")).unwrap();
            solver.buffers.initial(id).uints().to_vec()
        };
        let (slices, columns) = (initial("slices"), initial("columns"));
        let rows = initial("diagonals").len() as u32;
        let values = executor.read(solver.buffers.find(&format!("grid{level}_values")).unwrap()).unwrap();
        let block = |place: u32| {
            let v: Vec<f64> =
                (0..9).map(|c| values.reals()[first_value(place) + c * SLICE as usize]).collect();
            DMat3::from_cols_slice(&v).transpose()
        };
        let row = |row: u32| {
            let slice = (row / SLICE) as usize;
            let places = (slices[slice]..slices[slice + 1]).map(|k| SLICE * k + row % SLICE);
            places.map(|place| (columns[place as usize], block(place))).collect()
        };
        Self((0..rows).map(row).collect())
    }

    pub fn times(&self, x: &[DVec3]) -> Vec<DVec3> {
        self.0
            .iter()
            .map(|row| row.iter().map(|(column, block)| *block * x[*column as usize]).sum())
            .collect()
    }

    pub fn is_symmetric(&self) -> bool {
        self.0.iter().enumerate().all(|(i, row)| {
            row.iter().all(|(j, block)| {
                let own = |list: &[(u32, DMat3)], to: usize| -> DMat3 {
                    list.iter().filter(|(k, _)| *k as usize == to).fold(DMat3::ZERO, |sum, (_, m)| sum + *m)
                };
                *block == DMat3::ZERO || own(row, *j as usize) == own(&self.0[*j as usize], i).transpose()
            })
        })
    }
}

pub fn noise(count: usize, seed: f64) -> Vec<DVec3> {
    let wave = |k: usize, seed: f64| (seed * (k as f64 + 1.0)).sin();
    (0..count).map(|k| DVec3::new(wave(k, seed), wave(k, 2.1 * seed), wave(k, 3.3 * seed))).collect()
}

/// Runs all that comes before the last pass of a kernel, and the pass.
pub fn run_with(solver: &Solver, executor: &mut dyn Executor, kernel: &str) {
    let last = solver.passes.list.iter().rposition(|pass| pass.kernel.name == kernel).unwrap();
    executor.execute(&[Run { passes: 0..last + 1, times: 1 }]).unwrap();
}

pub fn relative(found: &[DVec3], expected: &[DVec3]) -> f64 {
    let scale = expected.iter().map(|x| x.length()).fold(0.0, f64::max);
    found.iter().zip(expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / scale
}

/// What the unknowns of a level's next one do to its own: W x, with the arms of rigid motions.
pub fn moved(solver: &Solver, executor: &mut dyn Executor, level: usize, x: &[DVec3]) -> Vec<DVec3> {
    let weights = Weights::read(solver, executor, level);
    let row = |i: usize| {
        weights.of(i).map(|k| {
            let (to, arm, w) = weights.at(k);
            let turned = if arm { x[to + 1].cross(weights.arms[k]) } else { DVec3::ZERO };
            w * (x[to] + turned)
        })
    };
    (0..weights.starts.len() - 1).map(|i| row(i).sum()).collect()
}

/// Wᵀ A W x.
pub fn galerkin(
    solver: &Solver,
    executor: &mut dyn Executor,
    fine: &Blocks,
    level: usize,
    x: &[DVec3],
) -> Vec<DVec3> {
    let forces = fine.times(&moved(solver, executor, level, x));
    let weights = Weights::read(solver, executor, level);
    let mut sums = vec![DVec3::ZERO; x.len()];
    for (i, force) in forces.into_iter().enumerate() {
        for k in weights.of(i) {
            let (to, arm, w) = weights.at(k);
            sums[to] += w * force;
            if arm {
                sums[to + 1] += w * weights.arms[k].cross(force);
            }
        }
    }
    sums
}

struct Weights {
    starts: Vec<u32>,
    rows: Vec<u32>,
    weights: Vec<f64>,
    arms: Vec<DVec3>,
}

impl Weights {
    fn read(solver: &Solver, executor: &mut dyn Executor, level: usize) -> Self {
        let mut read = |name: &str| -> Data {
            executor.read(solver.buffers.find(&format!("grid{level}_{name}")).unwrap()).unwrap()
        };
        let arms = read("arms").reals().chunks_exact(4).map(DVec3::from_slice).collect();
        Self {
            starts: read("weight_starts").uints().to_vec(),
            rows: read("weight_rows").uints().to_vec(),
            weights: read("weights").reals().to_vec(),
            arms,
        }
    }

    fn of(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The coarse row, whether it has an arm, and the weight.
    fn at(&self, k: usize) -> (usize, bool, f64) {
        ((self.rows[k] & !ARM) as usize, self.rows[k] & ARM != 0, self.weights[k])
    }
}
