//! Where a held body comes to rest under a push, by Newton's method, and how that depends on its moduli.
//!
//!   r(u) = f_int(u; λ, μ) − F p = 0        K ∂u/∂θ = −(λ_θ f_λ + μ_θ f_μ)
//!
//! p spreads a force of 1 N over the vertices under the tip. Where the tip's travel d is imposed, F is the multiplier of
//! p·u = d, the travel being the mean over the tip.

use super::IdentifyError;
use super::body::Body;
use super::law::{lame, lame_slopes};
use super::sparse::{Blocks, Indefinite, dot};
use glam::DVec3;

/// What the probe imposes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Control {
    /// Its force [N].
    Force(f64),
    /// Its travel since it touched [m].
    Depth(f64),
}

impl Control {
    fn part(self, share: f64) -> Self {
        match self {
            Self::Force(force) => Self::Force(share * force),
            Self::Depth(depth) => Self::Depth(share * depth),
        }
    }
}

/// A body at rest under a push.
#[derive(Clone)]
pub struct Equilibrium {
    /// Displacements of all vertices [m].
    pub u: Vec<DVec3>,
    /// The force of the tip [N].
    pub force: f64,
}

/// How an equilibrium changes with a parameter.
pub struct Slope {
    pub u: Vec<DVec3>,
    pub force: f64,
}

/// Residual over the size of the forces that cancel in it.
const CLOSE: f64 = 1e-11;
/// Residual of the linear systems over their right-hand sides.
const EXACT: f64 = 1e-12;
/// The same of Newton's early steps.
const ROUGH: f64 = 1e-4;
const MOST_STEPS: usize = 40;
const MOST_HALVINGS: usize = 12;
/// Parts into which a push is cut at most, as a power of two.
const MOST_CUTS: u32 = 6;

/// Finds the rest from a start, which may be far off; if that fails, from the unpushed body in growing parts of the push.
pub fn rest(
    body: &Body,
    moduli: [f64; 2],
    push: &[DVec3],
    control: Control,
    start: Option<&Equilibrium>,
) -> Result<Equilibrium, IdentifyError> {
    let zero = Equilibrium { u: vec![DVec3::ZERO; body.rest.len()], force: 0.0 };
    if let Some(found) = newton(body, moduli, push, control, start.unwrap_or(&zero).clone()) {
        return Ok(found);
    }
    for cuts in 1..=MOST_CUTS {
        let parts = 1 << cuts;
        let share = |part: u32| f64::from(part) / f64::from(parts);
        let grown = (1..=parts)
            .try_fold(zero.clone(), |from, part| newton(body, moduli, push, control.part(share(part)), from));
        if let Some(found) = grown {
            return Ok(found);
        }
    }
    Err(IdentifyError::NoRest)
}

fn newton(
    body: &Body,
    moduli: [f64; 2],
    push: &[DVec3],
    control: Control,
    mut at: Equilibrium,
) -> Option<Equilibrium> {
    let lame = lame(moduli[0], moduli[1]);
    let p = body.free(push);
    if let Control::Force(force) = control {
        at.force = force;
    }
    for step in 0..MOST_STEPS {
        let inner = body.free(&body.resistance(lame, &at.u));
        let r: Vec<DVec3> = inner.iter().zip(&p).map(|(f, p)| *f - *p * at.force).collect();
        let missing = match control {
            Control::Force(_) => 0.0,
            Control::Depth(depth) => depth - dot(push, &at.u),
        };
        let scale = dot(&inner, &inner).sqrt().max(at.force.abs() * dot(&p, &p).sqrt());
        let size = dot(&r, &r).sqrt();
        let depth = if let Control::Depth(depth) = control { depth } else { 0.0 };
        if !size.is_finite() {
            return None;
        }
        // A body that is not pushed is at rest.
        if size <= CLOSE * scale.max(f64::MIN_POSITIVE)
            && missing.abs() <= 1e-12 * depth.abs()
            && (step > 0 || scale > 0.0 || depth == 0.0)
        {
            return Some(at);
        }
        let matrix = body.stiffness(lame, &at.u);
        let tolerance = if scale > 0.0 { (ROUGH * size / scale).clamp(EXACT, ROUGH) } else { EXACT };
        let against: Vec<DVec3> = r.iter().map(|r| -*r).collect();
        let solved = matrix.solve(&against, tolerance, Indefinite::Stop);
        let (mut du, mut df) = (solved.x, 0.0);
        let mut is_indefinite = solved.is_indefinite;
        if let Control::Depth(_) = control {
            let by_force = matrix.solve(&p, EXACT, Indefinite::Stop);
            is_indefinite |= by_force.is_indefinite;
            df = (missing - dot(&p, &du)) / dot(&p, &by_force.x);
            du.iter_mut().zip(&by_force.x).for_each(|(du, x)| *du += *x * df);
        }
        // The travel has to come before its energy can fall.
        let must_move = missing.abs() > 1e-9 * depth.abs();
        let shift = body.spread(&du);
        let value = |u: &[DVec3]| {
            let work = if let Control::Force(force) = control { force * dot(push, u) } else { 0.0 };
            body.energy(lame, u) - work
        };
        let before = value(&at.u);
        let mut length = 1.0;
        let mut is_found = false;
        for _ in 0..MOST_HALVINGS {
            let u: Vec<DVec3> = at.u.iter().zip(&shift).map(|(u, s)| *u + *s * length).collect();
            let after = value(&u);
            // Near the end energies have no digits left; there Newton's steps need no guard.
            let is_better = after.is_finite() && (must_move || after <= before + 1e-13 * before.abs());
            let is_near = !is_indefinite && size <= 1e-5 * scale;
            if is_better || is_near {
                at = Equilibrium { u, force: at.force + length * df };
                is_found = true;
                break;
            }
            length *= 0.5;
        }
        if !is_found {
            return None;
        }
    }
    None
}

/// The slopes of an equilibrium by s = 1/E and by ν.
pub struct Slopes {
    matrix: Blocks,
    p: Vec<DVec3>,
    /// K⁻¹ p, if the travel is imposed.
    by_force: Option<Vec<DVec3>>,
    parts: [Vec<DVec3>; 2],
}

impl Slopes {
    pub fn new(body: &Body, moduli: [f64; 2], push: &[DVec3], control: Control, at: &Equilibrium) -> Self {
        let matrix = body.stiffness(lame(moduli[0], moduli[1]), &at.u);
        let p = body.free(push);
        let by_force = match control {
            Control::Force(_) => None,
            Control::Depth(_) => Some(matrix.solve(&p, EXACT, Indefinite::GoOn).x),
        };
        let parts = body.parts(&at.u).map(|part| body.free(&part));
        Self { matrix, p, by_force, parts }
    }

    /// By the compliance, then by ν.
    pub fn both(&self, body: &Body, [e, nu]: [f64; 2]) -> Result<[Slope; 2], IdentifyError> {
        let [by_s, by_nu] = lame_slopes(e, nu);
        Ok([self.by(body, by_s)?, self.by(body, by_nu)?])
    }

    fn by(&self, body: &Body, [lambda, mu]: [f64; 2]) -> Result<Slope, IdentifyError> {
        let mix = |(l, m): (&DVec3, &DVec3)| -(*l * lambda + *m * mu);
        let b: Vec<DVec3> = self.parts[0].iter().zip(&self.parts[1]).map(mix).collect();
        let solved = self.matrix.solve(&b, EXACT, Indefinite::GoOn);
        if !solved.is_solved {
            return Err(IdentifyError::Buckled);
        }
        let (mut x, mut force) = (solved.x, 0.0);
        if let Some(by_force) = &self.by_force {
            force = -dot(&self.p, &x) / dot(&self.p, by_force);
            x.iter_mut().zip(by_force).for_each(|(x, y)| *x += *y * force);
        }
        Ok(Slope { u: body.spread(&x), force })
    }

    /// How the resistance changes with the compliance and with ν where the body is, and the stiffness there: what an adjoint needs.
    #[cfg(test)]
    pub fn pieces(&self, [e, nu]: [f64; 2]) -> (&Blocks, [Vec<DVec3>; 2]) {
        let slopes = lame_slopes(e, nu).map(|[lambda, mu]| {
            self.parts[0].iter().zip(&self.parts[1]).map(|(l, m)| *l * lambda + *m * mu).collect()
        });
        (&self.matrix, slopes)
    }
}
