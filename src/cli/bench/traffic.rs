//! How many bytes a list of passes must move, counted from the buffers bound to each pass.
//!
//! The least that any machine has to move if no pass remembers anything of the one before:
//!
//! - An element counts once per pass if the shader only reads or only writes the buffer, twice if it does both,
//!   whether or not a branch skips it. What the shader does is read from its WGSL.
//! - A list that the pass runs over, with up to four elements a call, counts for the calls of the pass: a colour's
//!   part of the constraints.
//! - Anything else is reached through indices: it counts as many elements as the widest of those lists names,
//!   but no element twice. One colour of links reaches two particles a link, at most all of them.
//! - Where a pass walks lists by their `…starts`, or has no list of indices, all of a buffer counts.
//! - Where each invocation walks along many elements, all particles count, and of other buffers the share of its walks in all
//!   that are listed.
//!
//! Caches make a real machine faster than this and scattered access makes it slower: 64 bytes come for every 16.

use sinew::compute::{Access, Binding, ComputeError, Grain, Kernel, Pass, Passes, Tables, reflect};
use std::collections::HashMap;

/// Elements of a list per call, at most.
const MOST_PER_CALL: usize = 4;

/// The bytes of each pass of a list.
pub fn bytes_by_pass(buffers: &Tables, passes: &Passes) -> Result<Vec<u64>, ComputeError> {
    // Passes with the same kernel and buffers run over parts of the same list.
    let mut lengths: HashMap<_, usize> = HashMap::new();
    for pass in &passes.list {
        let length = lengths.entry((pass.kernel.path, &pass.buffers)).or_default();
        *length = (*length).max((pass.launch.first + pass.launch.count) as usize);
    }
    let mut accesses: HashMap<&str, Vec<u64>> = HashMap::new();
    let mut bytes = Vec::with_capacity(passes.list.len());
    for pass in &passes.list {
        let length = lengths[&(pass.kernel.path, &pass.buffers)];
        if !accesses.contains_key(pass.kernel.path) {
            accesses.insert(pass.kernel.path, accesses_by_binding(pass.kernel)?);
        }
        bytes.push(pass_bytes(buffers, pass, length, &accesses[pass.kernel.path]));
    }
    Ok(bytes)
}

fn pass_bytes(buffers: &Tables, pass: &Pass, length: usize, accesses: &[u64]) -> u64 {
    let count = pass.launch.count as usize;
    if pass.kernel.grain == Grain::Walk {
        let particles = buffers.find("positions").map_or(0, |id| buffers.len(id));
        let touched = |id| match buffers.len(id) {
            all if all == particles => all,
            all => (all * count).div_ceil(length.max(1)),
        };
        let bytes = pass.buffers.iter().zip(accesses);
        return bytes.map(|(&id, n)| n * (touched(id) * 4 * buffers.element(id).width()) as u64).sum();
    }
    let per_call = |id| (1..=MOST_PER_CALL).find(|k| k * length == buffers.len(id));
    let is_integer = |id| !buffers.element(id).is_real();
    let walks = pass.kernel.bindings.iter().any(|binding| binding.name.ends_with("starts"));
    let indices = pass.buffers.iter().filter(|&&id| is_integer(id) && per_call(id).is_some());
    let indices = indices.map(|&id| buffers.element(id).width()).max().filter(|_| !walks);
    pass.buffers
        .iter()
        .zip(accesses)
        .map(|(&id, accesses)| {
            let all = buffers.len(id);
            let touched = match (per_call(id), indices) {
                (Some(k), _) => k * count,
                (None, Some(width)) => all.min(width * count),
                (None, None) => all,
            };
            accesses * (touched * 4 * buffers.element(id).width()) as u64
        })
        .sum()
}

/// How often a call touches an element of each binding: 1 to read or to write, 2 for both, 0 for a uniform, which
/// is a handful of numbers.
fn accesses_by_binding(kernel: &Kernel) -> Result<Vec<u64>, ComputeError> {
    let shader_error = |message: String| ComputeError::Shader { kernel: kernel.name.into(), message };
    let source = reflect(kernel)?.source;
    let module = naga::front::wgsl::parse_str(&source).map_err(|error| shader_error(error.to_string()))?;
    let info =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
            .validate(&module)
            .map_err(|error| shader_error(error.to_string()))?;
    let uses = info.get_entry_point(0);
    let accesses = |name: &str| {
        let found = module.global_variables.iter().find(|(_, global)| global.name.as_deref() == Some(name));
        found.map_or(0, |(handle, _)| {
            let both = naga::valid::GlobalUse::READ | naga::valid::GlobalUse::WRITE;
            u64::from((uses[handle] & both).bits().count_ones())
        })
    };
    let of = |binding: &Binding| match binding.access {
        Access::Uniform => 0,
        Access::Read | Access::Write | Access::Atomic => accesses(binding.name),
    };
    Ok(kernel.bindings.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::scenes::{self, Regime};
    use sinew::model::Model;
    use sinew::scene::SolverKind;
    use sinew::solver::Solver;

    const ONCE: Regime = Regime { substeps: 1, iterations: 1 };

    fn bytes(solver: SolverKind, kernel: &str) -> (u64, Model, Solver) {
        let model = Model::new(&scenes::grid(20, solver, ONCE)).unwrap();
        let solver = Solver::new(&model).unwrap();
        let each = bytes_by_pass(&solver.buffers, &solver.passes).unwrap();
        let named = solver.passes.list.iter().zip(each).filter(|(pass, _)| pass.kernel.name == kernel);
        (named.map(|(_, bytes)| bytes).sum(), model, solver)
    }

    /// Positions and residuals are read, velocities read and written, offsets only written: 80 bytes a particle.
    #[test]
    fn predict_moves_five_vectors_a_particle() {
        let (found, model, _) = bytes(SolverKind::Coloured, "predict");
        assert_eq!(found, 5 * 16 * model.particle_count() as u64);
    }

    /// Once for a buffer that is read and twice for one that changes.
    fn times(binding: &Binding) -> u64 {
        match binding.access {
            Access::Uniform => 0,
            Access::Read => 1,
            Access::Write | Access::Atomic => 2,
        }
    }

    /// A colour of n links reaches 2 n particles, or all there are.
    #[test]
    fn a_colour_of_links_counts_its_own_links_and_the_particles_they_reach() {
        let (found, model, solver) = bytes(SolverKind::Coloured, "distance");
        let particles = model.particle_count() as u64;
        let expected = |pass: &Pass| {
            let links = u64::from(pass.launch.count);
            let bound = pass.kernel.bindings.iter().zip(&pass.buffers);
            let bytes = bound.map(|(binding, &id)| {
                let own = binding.name.starts_with("distance_");
                let reached = if own { links } else { particles.min(2 * links) };
                times(binding) * reached * 4 * solver.buffers.element(id).width() as u64
            });
            bytes.sum::<u64>()
        };
        let colours = solver.passes.list.iter().filter(|pass| pass.kernel.name == "distance");
        assert_eq!(found, colours.map(expected).sum::<u64>());
    }

    #[test]
    fn a_gathered_iteration_counts_every_list_in_full() {
        let (found, _, solver) = bytes(SolverKind::Jacobi, "distance_jacobi");
        let passes = solver.passes.list.iter().filter(|pass| pass.kernel.name == "distance_jacobi");
        let bound = passes.flat_map(|pass| pass.kernel.bindings.iter().zip(&pass.buffers));
        let bytes = bound.map(|(binding, &id)| times(binding) * 4 * solver.buffers.initial(id).len() as u64);
        assert_eq!(found, bytes.sum::<u64>());
    }
}
