//! Equilibria by Newton's method, whether they are stable, and how they vibrate.
//!
//! A step solves (H + σ M) δ = −∇Π. Where H has negative eigenvalues, σ is raised until none are left, so that every step
//! goes downhill; M is the diagonal of what an unknown weighs, here the size of H's own diagonal. A step is cut to what the
//! linearisation bears and halved until Π falls.
//!
//! Torques have no energy: one that is fixed in the world, or follows its frame, does work that depends on the way there. They belong
//! to the slope, and their change with the state is skew and left out, so that steps converge by the angle between neighbouring frames
//! instead of quadratically. With them a step is halved while what is left pushes back along it by more than half of what drove it.

use super::envelope::Factors;
use super::numbering::Unknowns;
use super::system::System;
use glam::DVec3;
use std::time::Instant;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub iterations: u32,
    /// When to give up, whatever the iterations.
    pub deadline: Option<Instant>,
    /// Largest force that is left, relative to the largest that acts in a rod.
    pub tolerance: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { iterations: 20_000, deadline: None, tolerance: 1e-10 }
    }
}

/// A state of rest.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    pub system: System,
    pub iterations: u32,
    /// What is left of the forces, relative to the largest that acts.
    pub residual: f64,
    pub converged: bool,
    /// Directions in which the energy falls: 0 for a stable equilibrium.
    pub unstable_modes: usize,
}

/// Largest change of an orientation [rad] and, in rest lengths, of a position in one step.
const LONGEST_TURN: f64 = 0.2;
const LONGEST_MOVE: f64 = 1.0;
/// Least σ above 0, and how fast it is raised.
const LEAST_SHIFT: f64 = 1e-8;
const RAISE: f64 = 10.0;
/// How often a step is halved.
const HALVINGS: u32 = 40;
/// Π is known to about this share of the energies in it.
const ROUNDING: f64 = 1e-14;
/// A step of this size, in radians and in lengths of the system, is rounding: the state cannot be told any better.
const NOTHING: f64 = 1e-13;
/// So little of the forces, no longer falling for so many iterations, is rounding too: where a motion is neutral, steps along it never end.
const SMALL: f64 = 1e-8;
const STALLED: u32 = 10;

/// Goes downhill from the system's state to a state of rest.
pub fn equilibrium(system: &System, limits: &Limits) -> Equilibrium {
    let unknowns = Unknowns::new(system);
    let mut matrix = system.envelope(&unknowns);
    let mut state = system.clone();
    let mut shift = 0.0;
    let (mut least, mut since) = (f64::INFINITY, 0);
    let mut best = Equilibrium {
        system: state.clone(),
        iterations: 0,
        residual: f64::INFINITY,
        converged: false,
        unstable_modes: 0,
    };
    for iteration in 0..=limits.iterations {
        matrix.clear();
        let slope = state.derivatives(&unknowns, Some(&mut matrix));
        let diagonal: Vec<f64> = (0..unknowns.count).map(|row| matrix.diagonal(row).abs()).collect();
        let residual = residual(&state, &unknowns, &slope);
        let unstable = falling(&matrix, &diagonal);
        since = if residual < 0.5 * least { 0 } else { since + 1 };
        least = least.min(residual);
        best = Equilibrium {
            system: state.clone(),
            iterations: iteration,
            residual,
            converged: residual <= limits.tolerance || since >= STALLED && residual <= SMALL,
            unstable_modes: unstable,
        };
        // An unstable equilibrium is left only where something pushes.
        let is_late = limits.deadline.is_some_and(|deadline| Instant::now() > deadline);
        if best.converged || iteration == limits.iterations || is_late {
            break;
        }
        if unstable == 0 {
            shift = 0.0;
        } else if shift == 0.0 {
            shift = LEAST_SHIFT;
        }
        let plain = unstable == 0;
        let Some(step) = downhill(&matrix, &diagonal, &slope, &mut shift) else { break };
        let low = state.positions.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = state.positions.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let moved = largest(&unknowns.particles, &step) / (high - low).length();
        if plain && moved.max(largest(&unknowns.frames, &step)) <= NOTHING {
            best.converged = true;
            break;
        }
        let Some(next) = line_search(&state, &unknowns, &step, &slope) else { break };
        state = next;
    }
    best
}

/// Negative eigenvalues of the second derivatives, but for those that rounding makes of neutral motions.
fn falling(matrix: &super::envelope::Envelope, diagonal: &[f64]) -> usize {
    let count = matrix.clone().factor().map_or(0, |factors| factors.negative_count());
    if count == 0 {
        return 0;
    }
    let mut raised = matrix.clone();
    diagonal.iter().enumerate().for_each(|(row, d)| raised.add(row, row, NEUTRAL * d));
    raised.factor().map_or(count, |factors| factors.negative_count())
}

/// The largest force or torque that is left, relative to the largest that an element exerts.
fn residual(state: &System, unknowns: &Unknowns, slope: &[f64]) -> f64 {
    let mut scale = [f64::MIN_POSITIVE; 2];
    for segment in &state.segments {
        let [force, torque] = state.segment_loads(segment);
        scale = [scale[0].max(force.length()), scale[1].max(torque.length())];
        scale[1] = scale[1].max(force.length() * segment.rest_length);
    }
    for joint in &state.joints {
        scale[1] = scale[1].max(state.joint_loads(joint)[0].length());
    }
    scale[1] = scale[1].max(state.torques.iter().map(|torque| torque.value.length()).fold(0.0, f64::max));
    scale[0] = scale[0].max(state.forces.iter().map(|f| f.length()).fold(0.0, f64::max));
    // Where there are torques and no forces, these would be measured against nothing.
    let shortest = state.segments.iter().map(|s| s.rest_length).fold(f64::INFINITY, f64::min);
    scale[0] = scale[0].max(scale[1] / shortest);
    (largest(&unknowns.particles, slope) / scale[0]).max(largest(&unknowns.frames, slope) / scale[1])
}

/// The largest entry of a vector at the places of some unknowns.
fn largest(places: &[Option<usize>], vector: &[f64]) -> f64 {
    let entries = places.iter().flatten().flat_map(|&place| &vector[place..place + 3]);
    entries.fold(0.0, |largest, entry| largest.max(entry.abs()))
}

/// −(H + σ diag)⁻¹ ∇Π with the least σ tried that makes the matrix positive.
fn downhill(
    matrix: &super::envelope::Envelope,
    diagonal: &[f64],
    slope: &[f64],
    shift: &mut f64,
) -> Option<Vec<f64>> {
    while *shift < 1e3 {
        let mut shifted = matrix.clone();
        diagonal.iter().enumerate().for_each(|(row, d)| shifted.add(row, row, *shift * d));
        match shifted.factor() {
            Some(factors) if factors.negative_count() == 0 => {
                let step: Vec<f64> = factors.solve(slope).into_iter().map(|x| -x).collect();
                // The next system may bear less.
                *shift /= RAISE * RAISE;
                return Some(step);
            }
            _ => *shift = (*shift * RAISE).max(LEAST_SHIFT),
        }
    }
    None
}

/// The state after the longest share of a step that lowers Π, or with torques does not overshoot; nothing if none does.
fn line_search(state: &System, unknowns: &Unknowns, step: &[f64], slope: &[f64]) -> Option<System> {
    let length = state.segments.iter().map(|s| s.rest_length).fold(f64::INFINITY, f64::min);
    let turn = largest(&unknowns.frames, step) / LONGEST_TURN;
    let moved = largest(&unknowns.particles, step) / (LONGEST_MOVE * length);
    let mut share = 1.0 / turn.max(moved).max(1.0);
    let start = state.energy();
    let scale: f64 = state.energies().iter().sum::<f64>()
        + state.forces.iter().zip(&state.positions).map(|(f, x)| f.dot(*x).abs()).sum::<f64>();
    let fall: f64 = step.iter().zip(slope).map(|(a, b)| a * b).sum();
    for _ in 0..HALVINGS {
        let next = state.moved(unknowns, step, share);
        if !state.torques.is_empty() {
            let slope = next.derivatives(unknowns, None);
            let left: f64 = step.iter().zip(&slope).map(|(a, b)| a * b).sum();
            if left <= 0.5 * fall.abs() || largest(&unknowns.frames, step) * share <= NOTHING {
                return Some(next);
            }
            share *= 0.5;
            continue;
        }
        let change = next.energy() - start;
        // Close to the end the change drowns in rounding, and Newton's step is right.
        if change <= 1e-4 * share * fall || change.abs() <= ROUNDING * scale {
            return Some(next);
        }
        share *= 0.5;
    }
    None
}

/// Negative eigenvalues of the second derivatives at a state, which need not be one of rest; nothing if one is exactly 0.
///
/// `margin`, a share of the diagonal, is added first: motions that change no energy at all then do not count as falling.
pub fn unstable_modes(system: &System, margin: f64) -> Option<usize> {
    let unknowns = Unknowns::new(system);
    let mut matrix = system.envelope(&unknowns);
    system.derivatives(&unknowns, Some(&mut matrix));
    for row in 0..unknowns.count {
        let raised = margin * matrix.diagonal(row).abs();
        matrix.add(row, row, raised);
    }
    Some(matrix.factor()?.negative_count())
}

/// Small motions about a state of rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibrations {
    /// Ways to move that nothing resists: a thread whose ends are tied spins about itself, a free body drifts.
    pub neutral: usize,
    /// The lowest angular frequency of the others [rad/s]; nothing if there are too many neutral ones.
    pub lowest: Option<f64>,
}

/// A mode is neutral if so small a share of the stiffness of its own unknowns is left of it: rounding.
const NEUTRAL: f64 = 1e-15;
/// Neutral modes that are looked for.
const MOST_NEUTRAL: usize = 24;

/// The slowest of the small motions about a state of rest; nothing if it is unstable.
pub fn vibrations(system: &System) -> Option<Vibrations> {
    let unknowns = Unknowns::new(system);
    let mut matrix = system.envelope(&unknowns);
    system.derivatives(&unknowns, Some(&mut matrix));
    let diagonal: Vec<f64> = (0..unknowns.count).map(|row| matrix.diagonal(row)).collect();
    let stable = |factors: &Factors| factors.negative_count() == 0;
    // Rounding may leave a neutral mode without a pivot or with a negative one.
    let factors = matrix.clone().factor().filter(stable).or_else(|| {
        let mut raised = matrix;
        diagonal.iter().enumerate().for_each(|(row, d)| raised.add(row, row, NEUTRAL * d.abs()));
        raised.factor().filter(stable)
    })?;
    let mass = masses(system, &unknowns);
    let mut neutral: Vec<Vec<f64>> = Vec::new();
    while neutral.len() < MOST_NEUTRAL.min(unknowns.count) {
        let (square, mode) = lowest_mode(&factors, &mass, &neutral);
        let own: f64 = mode.iter().zip(&diagonal).map(|(x, d)| x * x * d).sum();
        if square > 10.0 * NEUTRAL * own {
            return Some(Vibrations { neutral: neutral.len(), lowest: Some(square.sqrt()) });
        }
        neutral.push(mode);
    }
    Some(Vibrations { neutral: neutral.len(), lowest: None })
}

/// What each unknown weighs [kg, kg m²].
fn masses(system: &System, unknowns: &Unknowns) -> Vec<f64> {
    let mut mass = vec![0.0; unknowns.count];
    for (place, m) in unknowns.particles.iter().zip(&system.masses) {
        if let Some(place) = place {
            mass[*place..place + 3].fill(*m);
        }
    }
    for (place, inertia) in unknowns.frames.iter().zip(&system.inertias) {
        if let Some(place) = place {
            mass[*place..place + 3].copy_from_slice(&inertia.to_array());
        }
    }
    mass
}

/// How the particles move in the mode that a state resists least, the largest displacement 1.
pub(super) fn lowest_displacements(system: &System) -> Option<Vec<DVec3>> {
    let unknowns = Unknowns::new(system);
    let mut matrix = system.envelope(&unknowns);
    system.derivatives(&unknowns, Some(&mut matrix));
    let (_, mode) = lowest_mode(&matrix.factor()?, &masses(system, &unknowns), &[]);
    let moved = |place: &Option<usize>| place.map_or(DVec3::ZERO, |place| DVec3::from_slice(&mode[place..]));
    let moves: Vec<DVec3> = unknowns.particles.iter().map(moved).collect();
    let size = moves.iter().map(|x| x.length()).fold(f64::MIN_POSITIVE, f64::max);
    Some(moves.into_iter().map(|x| x / size).collect())
}

/// ω² and x, with x·Mx = 1, of the lowest mode of K x = ω² M x that is perpendicular to those known: inverse iteration.
fn lowest_mode(factors: &Factors, mass: &[f64], known: &[Vec<f64>]) -> (f64, Vec<f64>) {
    let weigh = |x: &[f64], y: &[f64]| x.iter().zip(y).zip(mass).map(|((x, y), m)| x * y * m).sum::<f64>();
    let clear = |x: &mut Vec<f64>| {
        for mode in known {
            let share = weigh(x, mode);
            x.iter_mut().zip(mode).for_each(|(x, y)| *x -= share * y);
        }
    };
    // A direction that no mode is likely to be perpendicular to.
    let mut x: Vec<f64> = (0..mass.len()).map(|n| 1.0 + 0.1 * (n as f64).sin()).collect();
    let mut square = 0.0;
    for _ in 0..INVERSE_ITERATIONS {
        clear(&mut x);
        let weighted: Vec<f64> = x.iter().zip(mass).map(|(x, m)| x * m).collect();
        let mut next = factors.solve(&weighted);
        // What rounding left of the known ones has been blown up: once more.
        clear(&mut next);
        clear(&mut next);
        let above = weigh(&next, &x);
        let below = weigh(&next, &next);
        let before = square;
        square = above / below;
        let size = below.sqrt();
        x = next.iter().map(|y| y / size).collect();
        if (square - before).abs() <= 1e-13 * square {
            break;
        }
    }
    (square, x)
}

/// Iterations for the lowest mode, which the next one is at least a few per cent away from.
const INVERSE_ITERATIONS: u32 = 500;
