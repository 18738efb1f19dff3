//! The solvers side by side: how fast each comes to the solution of the same substep.

use super::running::Running;
use crate::scene::{Scene, SolverKind};
use crate::{Place, Precision, Simulation, SimulationError};
use glam::DVec3;

/// Constraints times iterations of a curve, about a tenth of a second on one core.
const WORK: usize = 4_000_000;
const MOST_ITERATIONS: usize = 100;
const FEWEST_ITERATIONS: usize = 8;
/// Iterations of the solution that the others are compared with, over theirs.
const CONVERGED: u32 = 10;
/// Estimate of Jacobi's spectral radius where the scene has none.
const CHEBYSHEV: f64 = 0.95;

impl Running {
    /// Solves the next substep with Jacobi, accelerated Jacobi and coloured Gauss–Seidel. Each curve has the root mean
    /// square distance from the solution before the first and after each iteration [m]. In f64 on the CPU; the present state
    /// stays as it is.
    pub fn compare_solvers(&mut self) -> Result<Vec<(&'static str, Vec<f64>)>, SimulationError> {
        let constraints = self.simulation.model().constraint_count().max(1);
        let iterations = (WORK / constraints).clamp(FEWEST_ITERATIONS, MOST_ITERATIONS) as u32;
        let accelerated = if self.scene.chebyshev > 0.0 { self.scene.chebyshev } else { CHEBYSHEV };
        let mut solution = Vec::new();
        self.solve(SolverKind::Coloured, 0.0, CONVERGED * iterations, |iterate| solution = iterate)?;
        let solvers = [
            ("Jacobi", SolverKind::Jacobi, 0.0),
            ("accelerated", SolverKind::Jacobi, accelerated),
            ("coloured", SolverKind::Coloured, 0.0),
        ];
        let mut curves = Vec::new();
        for (name, solver, chebyshev) in solvers {
            let mut curve = Vec::new();
            self.solve(solver, chebyshev, iterations, |iterate| {
                curve.push(mean_distance(&iterate, &solution))
            })?;
            curves.push((name, curve));
        }
        Ok(curves)
    }

    /// Shows every iterate of the next substep, in the user's numbering, without relaxation.
    fn solve(
        &mut self,
        solver: SolverKind,
        chebyshev: f64,
        iterations: u32,
        mut visit: impl FnMut(Vec<DVec3>),
    ) -> Result<(), SimulationError> {
        let scene = &self.scene;
        let scene = Scene {
            start_from: None,
            time_step: scene.time_step / f64::from(scene.substeps),
            substeps: 1,
            relaxation: 1.0,
            solver,
            chebyshev,
            iterations,
            ..scene.clone()
        };
        let mut copy = Simulation::interactive(&scene, &Place::Cpu(Precision::F64))?;
        copy.take_over(&mut self.simulation)?;
        let order = copy.model().order.clone();
        copy.visit_iterates(|iterate| visit(order.undo(&iterate)))
    }
}

/// The root mean square of the distances between two lists of points [m].
fn mean_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len().max(1) as f64).sqrt()
}
