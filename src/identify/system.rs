//! Residuals of all samples and the equations that make them small.

use super::IdentifyError;
use super::body::Body;
use super::equilibrium::{Control, Equilibrium, Slopes, rest};
use super::fit::{Evaluation, MOST_POISSON, Minimum, Options, PoissonPrior, Problem, REFINEMENT, Sample};
use super::footprint::Footprint;
use super::law::Law;
use super::points::{Contact, Rims, contacts};
use super::refine::prolonged;
use super::statistics::{robust_deviation, solve};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// s, ν, the share of the finer mesh, and the scanner's shift and turn.
pub const UNKNOWNS: usize = 9;

type Failure = (Option<usize>, IdentifyError);

/// Where the fit is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unknowns {
    /// 1/E [1/Pa].
    pub compliance: f64,
    pub poisson: f64,
    /// How much of the difference to the finer mesh is added.
    pub share: f64,
    /// [m]
    pub shift: DVec3,
    /// Rotation vector [rad] about the middle of the body.
    pub turn: DVec3,
}

/// Change of the compliance in one step, as a factor.
const MOST_CHANGE: f64 = 20.0;

impl Unknowns {
    pub fn youngs_modulus(&self) -> f64 {
        1.0 / self.compliance
    }

    pub fn moduli(&self) -> [f64; 2] {
        [1.0 / self.compliance, self.poisson]
    }

    /// A part of a step on; the compliance's step is relative.
    pub fn moved(&self, step: &[f64; UNKNOWNS], length: f64) -> Self {
        let s = step.map(|x| x * length);
        Self {
            compliance: self.compliance * (1.0 + s[0]).clamp(1.0 / MOST_CHANGE, MOST_CHANGE),
            poisson: (self.poisson + s[1]).clamp(0.0, MOST_POISSON),
            share: self.share + s[2],
            shift: self.shift + DVec3::new(s[3], s[4], s[5]),
            turn: self.turn + DVec3::new(s[6], s[7], s[8]),
        }
    }
}

/// A sample at given moduli.
pub struct Place {
    pub state: Equilibrium,
    pub contacts: Vec<Contact>,
    /// The slopes of each contact's distance by all unknowns.
    rows: Vec<[f64; UNKNOWNS]>,
    /// The force's slopes, the difference to the measured one and its deviation, if the depth is imposed.
    force: Option<([f64; UNKNOWNS], f64, f64)>,
}

impl Place {
    pub fn rms(&self) -> f64 {
        let squares: f64 = self.contacts.iter().map(|c| c.distance * c.distance).sum();
        (squares / self.contacts.len().max(1) as f64).sqrt()
    }
}

/// The normal equations at a point, and parts of them.
pub struct Summary {
    pub matrix: [[f64; UNKNOWNS]; UNKNOWNS],
    /// The right-hand side.
    pub against: [f64; UNKNOWNS],
    /// Without what is known about ν before.
    pub without_prior: [[f64; UNKNOWNS]; UNKNOWNS],
    /// The sum of squares of the first derivatives of Q of each triangle's points together.
    pub scatter: [[f64; UNKNOWNS]; UNKNOWNS],
    /// For each sample the first derivative of Q by the logarithm of s, and the second.
    pub of_sample: Vec<[f64; 2]>,
}

impl Summary {
    /// Leaves an unknown as it is.
    pub fn hold(&mut self, unknown: usize) {
        self.matrix[unknown] = [0.0; UNKNOWNS];
        self.matrix.iter_mut().for_each(|row| row[unknown] = 0.0);
    }

    /// Standard deviations of the unknowns, and by how much what neighbouring points have in common makes them larger than independent points
    /// would (Liang, Zeger 1986): points on one triangle share what the model cannot follow.
    pub fn deviations(&self) -> Option<([f64; UNKNOWNS], [f64; UNKNOWNS])> {
        let (_, inverse) = solve(&self.matrix, &[0.0; UNKNOWNS])?;
        let plain: [f64; UNKNOWNS] = std::array::from_fn(|k| inverse[k][k].sqrt());
        let shared: [f64; UNKNOWNS] = std::array::from_fn(|k| {
            let row = inverse[k];
            let sum = |i: usize| -> f64 { (0..UNKNOWNS).map(|j| self.scatter[i][j] * row[j]).sum() };
            (0..UNKNOWNS).map(|i| row[i] * sum(i)).sum::<f64>().sqrt()
        });
        let factor = |k: usize| if plain[k] > 0.0 { (shared[k] / plain[k]).max(1.0) } else { 1.0 };
        let factors = std::array::from_fn(factor);
        Some((std::array::from_fn(|k| plain[k] * factor(k)), factors))
    }
}

/// The samples with all that does not change during the fit.
pub struct System<'a> {
    problem: &'a Problem,
    options: &'a Options,
    pushes: Vec<Vec<DVec3>>,
    /// Points that are the body's, of each sample and of the scan without push.
    points: Vec<Vec<DVec3>>,
    undeformed: Vec<DVec3>,
    /// The body on a mesh twice as fine, once it is asked.
    fine: Option<(Body, Vec<[u32; 2]>)>,
    /// What that adds to displacements and force of each sample.
    finer: Vec<Equilibrium>,
    middle: DVec3,
    pub noise: f64,
    pub evaluations: Vec<Evaluation>,
    pub displacement: f64,
}

/// Huber: beyond so many deviations points pull no stronger.
const HUBER: f64 = 3.0;
/// Distance from sharp edges within which points are dropped, in deviations of their noise.
const RIM: f64 = 4.0;
/// Distance of points from the unpushed body beyond which they are not its own, over its size.
const NEAR: f64 = 0.3;
/// The least noise there can be, over the body's size.
const LEAST_NOISE: f64 = 1e-9;

impl<'a> System<'a> {
    pub fn new(problem: &'a Problem, options: &'a Options) -> Result<Self, Failure> {
        let body = &problem.body;
        if problem.samples.is_empty() {
            return Err((None, IdentifyError::NoSamples));
        }
        let still = vec![DVec3::ZERO; body.rest.len()];
        let near = NEAR * body.diagonal();
        let own =
            |points: &[DVec3], hidden: Option<(&Footprint, f64)>| -> Result<Vec<DVec3>, IdentifyError> {
                let found = contacts(body, &body.moved(&still), points);
                let nearest = found.iter().map(|c| c.distance.abs()).fold(f64::INFINITY, f64::min);
                let is_own = |c: &&Contact| {
                    let is_tip = hidden.is_some_and(|(footprint, radius)| {
                        footprint.off_axis(c.point) < radius && c.normal.dot(footprint.direction) < 0.0
                    });
                    c.distance.abs() <= near && !is_tip
                };
                let own: Vec<DVec3> = found.iter().filter(is_own).map(|c| c.point).collect();
                if own.is_empty() {
                    Err(IdentifyError::NoPoints { points: points.len(), nearest })
                } else {
                    Ok(own)
                }
            };
        let (mut pushes, mut points) = (Vec::new(), Vec::new());
        for (k, sample) in problem.samples.iter().enumerate() {
            let here = |error| (Some(k), error);
            pushes.push(sample.footprint.push(body).map_err(here)?);
            points.push(own(&sample.points, Some((&sample.footprint, sample.hidden))).map_err(here)?);
        }
        let undeformed = if problem.undeformed.is_empty() {
            Vec::new()
        } else {
            own(&problem.undeformed, None).map_err(|e| (None, e))?
        };
        let middle = body.rest.iter().sum::<DVec3>() / body.rest.len() as f64;
        Ok(Self {
            problem,
            options,
            pushes,
            points,
            undeformed,
            fine: None,
            finer: Vec::new(),
            middle,
            noise: f64::INFINITY,
            evaluations: Vec::new(),
            displacement: 0.0,
        })
    }

    /// E by the response to small pushes, unless the options say where to start.
    pub fn start(&self) -> Result<Unknowns, Failure> {
        let poisson = self.options.poisson.start();
        let [e, nu] = match self.options.start {
            Some(start) => start,
            None => [self.linear_modulus(poisson)?, poisson],
        };
        let nu = if let PoissonPrior::Fixed(nu) = self.options.poisson { nu } else { nu };
        Ok(Unknowns { compliance: 1.0 / e, poisson: nu, share: 0.0, shift: DVec3::ZERO, turn: DVec3::ZERO })
    }

    /// Displacements are û/E: one unknown, a straight line through the distances from the unpushed body.
    fn linear_modulus(&self, nu: f64) -> Result<f64, Failure> {
        let mut body = self.problem.body.clone();
        body.law = Law::Linear;
        let still = body.rest.clone();
        let (mut product, mut square, mut forces) = (0.0, 0.0, Vec::new());
        for (k, sample) in self.problem.samples.iter().enumerate() {
            let unit = Control::Force(1.0);
            let state = rest(&body, [1.0, nu], &self.pushes[k], unit, None).map_err(|e| (Some(k), e))?;
            if let Control::Depth(depth) = sample.control {
                let travel: f64 = super::sparse::dot(&self.pushes[k], &state.u);
                forces.push(sample.force * travel / depth);
                continue;
            }
            for contact in contacts(&body, &still, &self.points[k]) {
                let u = body.skin.at(contact.triangle, contact.weights, &state.u) * sample.force;
                let along = contact.normal.dot(u);
                product += along * contact.distance;
                square += along * along;
            }
        }
        let compliance = if forces.is_empty() {
            product / square
        } else {
            forces.len() as f64 / forces.iter().sum::<f64>()
        };
        if compliance > 0.0 && compliance.is_finite() {
            Ok(1.0 / compliance)
        } else {
            Err((None, IdentifyError::Rigid))
        }
    }

    /// All samples at given moduli.
    pub fn evaluate(&mut self, at: &Unknowns) -> Result<Vec<Place>, Failure> {
        self.evaluate_near(at, &[])
    }

    /// The same from places that are known.
    pub fn evaluate_near(&mut self, at: &Unknowns, near: &[Place]) -> Result<Vec<Place>, Failure> {
        let this = &*self;
        let places: Result<Vec<Place>, Failure> = (0..this.problem.samples.len())
            .into_par_iter()
            .map(|k| {
                let start = near.get(k).map(|place| &place.state);
                this.place(k, at, start).map_err(|cause| {
                    let [e, nu] = at.moduli();
                    (Some(k), IdentifyError::At { e, nu, cause: Box::new(cause) })
                })
            })
            .collect();
        let places = places?;
        let (mut squares, mut count) = (0.0, 0);
        for contact in places.iter().flat_map(|p| &p.contacts) {
            squares += contact.distance * contact.distance;
            count += 1;
        }
        let [youngs_modulus, poisson_ratio] = at.moduli();
        let rms = (squares / f64::from(count.max(1))).sqrt();
        self.evaluations.push(Evaluation { youngs_modulus, poisson_ratio, rms });
        Ok(places)
    }

    fn posed(&self, at: &Unknowns, points: &[DVec3]) -> Vec<DVec3> {
        let turn = DQuat::from_scaled_axis(at.turn);
        points.iter().map(|x| self.middle + at.shift + turn * (*x - self.middle)).collect()
    }

    fn place(&self, k: usize, at: &Unknowns, start: Option<&Equilibrium>) -> Result<Place, IdentifyError> {
        let (body, sample) = (&self.problem.body, &self.problem.samples[k]);
        let moduli = at.moduli();
        let state = rest(body, moduli, &self.pushes[k], sample.control, start)?;
        let slopes = Slopes::new(body, moduli, &self.pushes[k], sample.control, &state);
        let [by_s, by_nu] = slopes.both(body, moduli)?;
        let force = matches!(sample.control, Control::Depth(_)).then(|| {
            let more = self.finer.get(k).map_or(0.0, |finer| finer.force);
            let mut slopes = [0.0; UNKNOWNS];
            slopes[..3].copy_from_slice(&[by_s.force * at.compliance, by_nu.force, more]);
            (slopes, state.force + at.share * more - sample.force, self.options.force_error * sample.force)
        });
        let points = self.posed(at, &self.points[k]);
        // What the finer mesh adds is added on the finer mesh: between vertices the coarse one has no curvature.
        let (found, rows) = match (&self.fine, self.finer.get(k)) {
            (Some((fine, middles)), Some(finer)) => {
                let [u, by_s, by_nu] = [&state.u, &by_s.u, &by_nu.u].map(|field| prolonged(field, middles));
                let shown: Vec<DVec3> = u.iter().zip(&finer.u).map(|(u, d)| *u + *d * at.share).collect();
                let found = contacts(fine, &fine.moved(&shown), &points);
                let rows = self.rows(fine, &found, at.compliance, [&by_s, &by_nu], Some(&finer.u));
                (found, rows)
            }
            _ => {
                let found = contacts(body, &body.moved(&state.u), &points);
                let rows = self.rows(body, &found, at.compliance, [&by_s.u, &by_nu.u], None);
                (found, rows)
            }
        };
        Ok(Place { state, contacts: found, rows, force })
    }

    /// The slopes of distances to the skin of a body, by fields of its vertices.
    fn rows(
        &self,
        body: &Body,
        found: &[Contact],
        compliance: f64,
        [by_s, by_nu]: [&[DVec3]; 2],
        by_share: Option<&Vec<DVec3>>,
    ) -> Vec<[f64; UNKNOWNS]> {
        let row = |c: &Contact| {
            let along = |field: &[DVec3]| -c.normal.dot(body.skin.at(c.triangle, c.weights, field));
            self.row([along(by_s) * compliance, along(by_nu), by_share.map_or(0.0, |field| along(field))], c)
        };
        found.par_iter().map(row).collect()
    }

    /// The slopes of a distance, those by the pose added.
    fn row(&self, [s, nu, share]: [f64; 3], c: &Contact) -> [f64; UNKNOWNS] {
        let arm = (c.point - self.middle).cross(c.normal);
        let n = c.normal;
        [s, nu, share, n.x, n.y, n.z, arm.x, arm.y, arm.z]
    }

    fn unpushed(&self, at: &Unknowns) -> Vec<Contact> {
        if self.options.pose.is_none() {
            return Vec::new();
        }
        contacts(&self.problem.body, &self.problem.body.rest, &self.posed(at, &self.undeformed))
    }

    /// The noise by the distances that are left.
    pub fn judge_noise(&mut self, places: &[Place]) {
        let distances = places.iter().flat_map(|p| &p.contacts).map(|c| c.distance);
        let least = LEAST_NOISE * self.problem.body.diagonal();
        self.noise = self.options.noise.unwrap_or_else(|| robust_deviation(distances)).max(least);
    }

    /// A sample's state with the share of the finer mesh, at the vertices of the coarse one.
    pub fn shown(&self, sample: usize, at: &Unknowns, place: &Place) -> Equilibrium {
        let mut state = place.state.clone();
        if let Some(finer) = self.finer.get(sample) {
            state.u.iter_mut().zip(&finer.u).for_each(|(u, d)| *u += *d * at.share);
            state.force += finer.force * at.share;
        }
        state
    }

    /// Drops points so near to a sharp edge that noise may have put them on its other side; tells whether there were any.
    pub fn drop_rims(&mut self, places: &[Place]) -> bool {
        let (rims, margin) = (Rims::new(&self.problem.body), RIM * self.noise);
        let mut is_dropped = false;
        for (points, place) in self.points.iter_mut().zip(places) {
            let mut near = place.contacts.iter().map(|c| rims.is_near(c, margin));
            let before = points.len();
            points.retain(|_| !near.next().unwrap_or(false));
            is_dropped |= points.len() < before;
        }
        is_dropped
    }

    /// Q.
    pub fn objective(&self, at: &Unknowns, places: &[Place]) -> f64 {
        let rho = |c: &Contact| {
            let x = (c.distance / self.noise).abs();
            if x <= HUBER { x * x } else { HUBER * (2.0 * x - HUBER) }
        };
        let points: f64 = places.iter().flat_map(|p| &p.contacts).map(rho).sum();
        let unpushed: f64 = self.unpushed(at).iter().map(rho).sum();
        let force = |p: &Place| p.force.map_or(0.0, |(_, off, deviation)| (off / deviation).powi(2));
        let forces: f64 = places.iter().map(force).sum();
        let known: f64 = self.known(at).iter().map(|(_, off, spread)| (off / spread).powi(2)).sum();
        points + unpushed + forces + known
    }

    /// What is known before the data: number of the unknown, how far it is off, and its deviation.
    fn known(&self, at: &Unknowns) -> Vec<(usize, f64, f64)> {
        let mut known = Vec::new();
        if let PoissonPrior::Prior { mean, spread } = self.options.poisson {
            known.push((1, at.poisson - mean, spread));
        }
        if !self.finer.is_empty() {
            known.push((2, at.share - REFINEMENT[0], REFINEMENT[1]));
        }
        if let Some([shift, turn]) = self.options.pose {
            let off = at.shift.to_array().map(|x| (x, shift)).into_iter();
            let off = off.chain(at.turn.to_array().map(|x| (x, turn)));
            known.extend((3..).zip(off).map(|(k, (off, spread))| (k, off, spread)));
        }
        known
    }

    fn is_open(&self, unknown: usize) -> bool {
        match unknown {
            0 => true,
            1 => !matches!(self.options.poisson, PoissonPrior::Fixed(_)),
            2 => !self.finer.is_empty(),
            _ => self.options.pose.is_some(),
        }
    }

    pub fn normal_equations(&self, at: &Unknowns, places: &[Place]) -> Summary {
        let mut matrix = [[0.0; UNKNOWNS]; UNKNOWNS];
        let mut against = [0.0; UNKNOWNS];
        let mut of_sample = Vec::new();
        let mut scatter = [[0.0; UNKNOWNS]; UNKNOWNS];
        let mut add = |row: &[f64; UNKNOWNS], off: f64, weight: f64| {
            for i in (0..UNKNOWNS).filter(|&i| self.is_open(i)) {
                against[i] -= weight * row[i] * off;
                for j in (0..UNKNOWNS).filter(|&j| self.is_open(j)) {
                    matrix[i][j] += weight * row[i] * row[j];
                }
            }
        };
        let weight = |off: f64| (HUBER * self.noise / off.abs()).min(1.0) / (self.noise * self.noise);
        for place in places {
            let mut own = [0.0; 2];
            let mut add_own = |row: &[f64; UNKNOWNS], off: f64, weight: f64| {
                add(row, off, weight);
                own[0] += weight * row[0] * off;
                own[1] += weight * row[0] * row[0];
            };
            let mut together: BTreeMap<u32, [f64; UNKNOWNS]> = BTreeMap::new();
            for (c, row) in place.contacts.iter().zip(&place.rows) {
                let weight = weight(c.distance);
                add_own(row, c.distance, weight);
                let sum = together.entry(c.triangle).or_default();
                sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * c.distance * x);
            }
            for g in together.values() {
                for i in (0..UNKNOWNS).filter(|&i| self.is_open(i)) {
                    (0..UNKNOWNS).filter(|&j| self.is_open(j)).for_each(|j| scatter[i][j] += g[i] * g[j]);
                }
            }
            if let Some((row, off, deviation)) = &place.force {
                add_own(row, *off, 1.0 / (deviation * deviation));
            }
            of_sample.push(own);
        }
        for c in self.unpushed(at) {
            add(&self.row([0.0; 3], &c), c.distance, weight(c.distance));
        }
        let mut without_prior = matrix;
        for (unknown, off, spread) in self.known(at) {
            let weight = 1.0 / (spread * spread);
            matrix[unknown][unknown] += weight;
            against[unknown] -= weight * off;
            scatter[unknown][unknown] += weight;
            if unknown != 1 {
                without_prior[unknown][unknown] += weight;
            }
        }
        Summary { matrix, against, without_prior, scatter, of_sample }
    }

    /// Finds what a mesh twice as fine would add at a minimum; tells the change of the largest displacement, as a share of it.
    pub fn refine(&mut self, found: &Minimum) -> Result<f64, Failure> {
        let (body, middles) = self.problem.body.refined(&self.problem.mesh).map_err(|e| (None, e))?;
        let moduli = found.at.moduli();
        let finer = |k: usize| {
            let (sample, place): (&Sample, &Place) = (&self.problem.samples[k], &found.places[k]);
            let push = sample.footprint.push(&body)?;
            let start = Equilibrium { u: prolonged(&place.state.u, &middles), force: place.state.force };
            let fine = rest(&body, moduli, &push, sample.control, Some(&start))?;
            let u = fine.u.iter().zip(&start.u).map(|(fine, coarse)| *fine - *coarse).collect();
            Ok(Equilibrium { u, force: fine.force - place.state.force })
        };
        let all = (0..self.problem.samples.len()).into_par_iter();
        let all: Result<Vec<_>, Failure> = all.map(|k| finer(k).map_err(|e| (Some(k), e))).collect();
        self.finer = all?;
        self.fine = Some((body, middles));
        let most = |field: &[DVec3]| field.iter().map(|u| u.length()).fold(0.0, f64::max);
        let changes =
            self.finer.iter().zip(&found.places).map(|(d, place)| most(&d.u) / most(&place.state.u));
        Ok(changes.fold(0.0, f64::max))
    }
}
