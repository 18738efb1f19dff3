//! Passes that solve a system of equations on two backends.
//!
//! Elimination magnifies rounding by the condition of the system, for a rod of spring steel a million times, so that two right
//! answers differ by more than rounding. Stiff anchors and joints divide by dt² what rounding leaves of the distance of two points that
//! lie together: a nanometre is millinewtons. How much they may is measured: the same pass in f64 from the same contents is the
//! answer, and the f32 twin's distance from it is what rounding makes of it here. The same arithmetic in the same precision
//! on a device ends as far from it.

use sinew::compute::{ColumnId, CpuExecutor, Data, Executor, Run, written};
use sinew::solver::Solver;
use std::collections::BTreeMap;

/// The passes that are compared so.
pub const ILL_CONDITIONED: [&str; 4] = ["solve_chain", "net_eliminate", "anchor", "project_joints"];
/// How many times as far as the f32 twin a device may be from the answer: both distances are sums of roundings that may cancel. The
/// most is 3.7, of one kind of rows of the ropes of `tent`.
const FARTHER: f64 = 4.0;
/// What is nearer than this, relative to the values, is near enough whatever the twin does.
const TOLERANCE: f64 = 1e-5;
/// Offsets and turns are added to positions and unit quaternions, so they need no digits below those of such.
const DISPLACED_SHARE: f64 = 1e-2;

/// The twin in f64, kept from pass to pass.
pub struct Answers(CpuExecutor<f64>);

/// How a kind of values came out.
struct Distances {
    squares: f64,
    twin: f64,
    device: f64,
    count: usize,
}

impl Answers {
    pub fn new(solver: &Solver) -> Self {
        Self(CpuExecutor::new(&solver.buffers, &solver.passes))
    }

    /// Runs a pass on both backends from the first one's contents. Returns the largest distance of the device from the answer,
    /// relative to what is allowed, or what is farther.
    pub fn compare(
        &mut self,
        solver: &Solver,
        index: usize,
        twin: &mut dyn Executor,
        device: &mut dyn Executor,
    ) -> Result<f64, String> {
        let (pass, run) = (&solver.passes.list[index], [Run { passes: index..index + 1, times: 1 }]);
        for &id in &pass.buffers {
            let contents = twin.read(id).unwrap();
            device.write(id, &contents).unwrap();
            self.0.write(id, &contents).unwrap();
        }
        twin.execute(&run).unwrap();
        device.execute(&run).unwrap();
        self.0.execute(&run).unwrap();
        let size = largest(&twin.read(solver.positions).unwrap());
        let mut worst = 0.0f64;
        for id in written(pass) {
            let name = solver.buffers.name(id);
            let least = match name {
                "offsets" | "offsets_next" => DISPLACED_SHARE * size,
                "turns" => DISPLACED_SHARE,
                _ => f64::MIN_POSITIVE,
            };
            let read = |executor: &mut dyn Executor| executor.read(id).unwrap();
            let contents = [read(&mut self.0), read(&mut *twin), read(&mut *device)];
            let kinds = kinds(solver, id, &mut *twin);
            for (kind, d) in distances(&contents, &kinds) {
                let of = |squares: f64| (squares / d.count as f64).sqrt();
                let allowed = (FARTHER * of(d.twin)).max(TOLERANCE * of(d.squares).max(least));
                let share = of(d.device) / allowed;
                if share.is_nan() || share > 1.0 {
                    return Err(format!(
                        "pass {index} `{}`, `{name}` of kind {kind}: the device is {:.1e} from the answer, the twin {:.1e}; values of {:.1e}",
                        pass.kernel.name,
                        of(d.device),
                        of(d.twin),
                        of(d.squares)
                    ));
                }
                worst = worst.max(share);
            }
        }
        Ok(worst)
    }
}

fn largest(data: &Data) -> f64 {
    data.reals().chunks_exact(4).flat_map(|x| &x[..3]).fold(0.0, |most, x| most.max(x.abs()))
}

/// The kind of each element of a buffer: multipliers and matrices that lie in one buffer have sizes of their own.
fn kinds(solver: &Solver, id: ColumnId, executor: &mut dyn Executor) -> Vec<usize> {
    let count = solver.buffers.initial(id).len() / 4;
    match solver.buffers.name(id) {
        "net_rows" => (0..count).map(|k| k % sinew::nets::ROW as usize).collect(),
        "anchor_states" => (0..count).map(|k| k % sinew::attach::anchor::STATE as usize).collect(),
        "joint_states" => (0..count).map(|k| k % sinew::joints::STATE as usize).collect(),
        "net_factors" => (0..count).map(|k| k % sinew::nets::BLOCK as usize).collect(),
        "rod_work" => {
            let vectors = sinew::rods::WORK as usize;
            let rods = executor.read(solver.buffers.find("rods").unwrap()).unwrap();
            let mut kinds = vec![0; count];
            // Of each run, vector by vector of all its rods.
            for rod in rods.uints().chunks_exact(4) {
                let [first, frames, _, side] = [0, 1, 2, 3].map(|k| rod[k] as usize);
                (0..frames * vectors).for_each(|k| kinds[vectors * first + k] = k / side % vectors);
            }
            kinds
        }
        _ => vec![0; count],
    }
}

/// Sums of squares for each kind: of the answer, and of what the twin and the device are away from it.
fn distances([answer, twin, device]: &[Data; 3], kinds: &[usize]) -> BTreeMap<usize, Distances> {
    let mut all = BTreeMap::new();
    for (k, kind) in kinds.iter().enumerate() {
        let d = all.entry(*kind).or_insert(Distances { squares: 0.0, twin: 0.0, device: 0.0, count: 0 });
        d.count += 1;
        for place in 4 * k..4 * k + 4 {
            let exact = answer.reals()[place];
            d.squares += exact * exact;
            d.twin += (twin.reals()[place] - exact).powi(2);
            d.device += (device.reals()[place] - exact).powi(2);
        }
    }
    all
}
