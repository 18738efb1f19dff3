//! What bonded cells store and how they spin, in f64.

use super::bond_force::{LAW, parting, pull};
use super::setup::laws;
use crate::math::Vec4;
use crate::model::Model;
use crate::model::frames::FrameState;
use glam::DVec3;

/// Kinetic energy of the cells' spins [J], and their angular momentum about their centres [kg m²/s].
pub fn spin_energy(model: &Model, frames: &FrameState) -> (f64, DVec3) {
    let (mut energy, mut momentum) = (0.0, DVec3::ZERO);
    for body in &model.composites {
        for frame in body.frames.clone() {
            let spin = frames.spins[frame as usize];
            energy += 0.5 * body.moment * spin.length_squared();
            momentum += body.moment * (frames.orientations[frame as usize] * spin);
        }
    }
    (energy, momentum)
}

/// ½ Σ t·(δ − δᵖ n) A/4 over the points of all bonds [J]. `states` are theirs; without any, all are whole.
pub fn elastic_energy(model: &Model, positions: &[DVec3], frames: &FrameState, states: &[f64]) -> f64 {
    let vector = |v: DVec3| Vec4::new(v.x, v.y, v.z, 0.0);
    let (mut energy, mut bond) = (0.0, 0);
    for body in &model.composites {
        let laws: Vec<Vec4<f64>> = laws(body).iter().map(|&[x, y, z, w]| Vec4::new(x, y, z, w)).collect();
        let pose = |cell: u32| {
            let q = frames.orientations[(body.frames.start + cell) as usize];
            let x = positions[(body.particles.start + cell) as usize];
            [vector(x), Vec4::ZERO, Vec4::new(q.x, q.y, q.z, q.w)]
        };
        for &([i, j], axis) in &body.bonds {
            let law = [0, 1, 2, 3, 4, 5].map(|k| laws[LAW as usize * axis + k]);
            let n = law[1].xyz() / law[1].w;
            for (k, gap) in parting(law, [pose(i), pose(j)]).gaps.into_iter().enumerate() {
                let state = states.get(4 * (4 * bond + k)..).and_then(|rest| rest.first_chunk::<4>());
                let [x, y, z, w] = state.copied().unwrap_or_default();
                let found = pull(law, 1.0, Vec4::new(x, y, z, w), gap, false);
                energy += 0.5 * law[0].w * found.traction.dot(gap - n * found.state.z);
            }
            bond += 1;
        }
    }
    energy
}

/// What has broken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakage {
    /// Spent by damage [J].
    pub energy: f64,
    /// Of faces, or quarters of them, through which nothing pulls any more [m²].
    pub area: f64,
    /// That hang together by more than pressure.
    pub pieces: usize,
}

impl Breakage {
    /// Of the states of all points.
    pub fn of(model: &Model, states: &[f64]) -> Self {
        let mut found = Self::default();
        let mut points = states.chunks_exact(16);
        for body in &model.composites {
            let mut groups = Groups::new(body.particles.len());
            for &([i, j], axis) in &body.bonds {
                let quarter = 0.25 * body.cell.element_product() / body.cell[axis];
                let Some(points) = points.next() else { break };
                let mut is_whole = false;
                for state in points.chunks_exact(4) {
                    found.energy += quarter * state[3];
                    // What was open from the start has cost nothing.
                    found.area += if state[0] < 1.0 || state[3] == 0.0 { 0.0 } else { quarter };
                    is_whole |= state[0] < 1.0;
                }
                if is_whole {
                    groups.join(i as usize, j as usize);
                }
            }
            found.pieces += groups.count();
        }
        found
    }
}

/// What hangs together: each member knows another one of its group, and the last of such a chain stands for it.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn count(&self) -> usize {
        self.0.iter().enumerate().filter(|(k, root)| k == *root).count()
    }
}
