//! From loads to the particles and triangles that they act on.

use super::bodies::{label, subject};
use super::error::{SceneError, SceneErrorKind};
use super::join::Bodies;
use super::nearest_point::Simplex;
use super::{Gas, LoadKey, LoadKind, Scene, SceneGeometry, Selector, Tendon, TimedLoad};
use crate::limits;
use glam::DVec3;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// A load with what it acts on, by the scene's numbers of particles.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedLoad {
    pub name: String,
    pub keys: Vec<[f64; 2]>,
    /// In all [N], with its particles.
    pub force: DVec3,
    pub particles: Vec<LoadedParticle>,
    /// On these triangles [Pa].
    pub pressure: Option<(f64, Vec<[u32; 3]>)>,
    /// With its volume.
    pub gas: Option<(Gas, f64)>,
    pub tendon: Option<ResolvedTendon>,
}

/// A cable by the particles that it runs through.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedTendon {
    pub points: Vec<u32>,
    /// [N].
    pub tension: f64,
    pub friction: f64,
}

/// A particle of a load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedParticle {
    pub particle: u32,
    /// Its share of the force, if that is not by mass.
    pub share: Option<f64>,
    /// Neighbours with which the force turns, and the directions that they give it at the start.
    pub follows: Option<([u32; 2], [DVec3; 3])>,
}

type Result<T> = std::result::Result<T, SceneError>;

/// All loads of a scene.
pub(super) fn loads(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<ResolvedLoad>> {
    let bodies = Bodies::new(scene, geometry);
    let resolve = |(i, load): (usize, &TimedLoad)| {
        let resolved = resolved(load, label(&load.name, "load", i), &bodies);
        resolved.map_err(|e| e.inside_entry("load", i, &subject("load", i, Some(&load.name))))
    };
    let mut loads = scene.load.iter().enumerate().map(resolve).collect::<Result<Vec<_>>>()?;
    for (i, tendon) in scene.tendon.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("tendon", i, &subject("tendon", i, Some(&tendon.name)));
        let strung = strung(tendon, label(&tendon.name, "tendon", i), &bodies);
        loads.push(strung.map_err(here)?);
    }
    Ok(loads)
}

fn refuse<T>(key: &'static str, message: impl std::fmt::Display) -> Result<T> {
    Err(SceneError::at(SceneErrorKind::Reference, key, message))
}

fn resolved(load: &TimedLoad, name: String, bodies: &Bodies<'_>) -> Result<ResolvedLoad> {
    let chosen = bodies.chosen(&load.body, &load.selector)?;
    let mut of_load = ResolvedLoad {
        name,
        keys: keys(load.file.as_deref(), &load.keyframes)?,
        force: DVec3::ZERO,
        particles: Vec::new(),
        pressure: None,
        gas: None,
        tendon: None,
    };
    let plain =
        |&particle: &u32| LoadedParticle { particle: chosen.start + particle, share: None, follows: None };
    match load.kind {
        LoadKind::Force(force) => {
            of_load.force = force;
            of_load.particles = chosen.particles.iter().map(plain).collect();
            if load.follow {
                for (place, &particle) in chosen.particles.iter().enumerate() {
                    let follows = neighbours(particle, chosen.positions, &chosen.elements);
                    let Some(([a, b], axes)) = follows else {
                        let message = format!(
                            "has nothing to turn with at particle {particle}, where no triangle or tetrahedron meets; choose others, or a body of these"
                        );
                        return refuse("follow", message);
                    };
                    let ends = [chosen.start + a, chosen.start + b];
                    of_load.particles[place].follows = Some((ends, axes));
                }
            }
        }
        LoadKind::Traction(traction) => {
            of_load.force = traction;
            let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
            for triangle in surface(load, &chosen, "traction")? {
                let [a, b, c] = triangle.map(|p| chosen.positions[p as usize]);
                let third = (b - a).cross(c - a).length() / 6.0;
                triangle.into_iter().for_each(|p| *areas.entry(p).or_default() += third);
            }
            let part = |(p, area): (u32, f64)| LoadedParticle { share: Some(area), ..plain(&p) };
            of_load.particles = areas.into_iter().map(part).collect();
        }
        LoadKind::Pressure(pressure) => {
            let triangles = surface(load, &chosen, "pressure")?;
            if let Some(gas) = load.gas {
                of_load.gas = Some((gas, volume(&gas, &triangles, chosen.positions)?));
            }
            let numbered = triangles.into_iter().map(|t| t.map(|p| chosen.start + p));
            of_load.pressure = Some((pressure, numbered.collect()));
        }
    }
    Ok(of_load)
}

/// A cable with its points, in the order in which they are listed.
fn strung(tendon: &Tendon, name: String, bodies: &Bodies<'_>) -> Result<ResolvedLoad> {
    let mut points: Vec<u32> = Vec::new();
    for (i, point) in tendon.through.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("through", i, &format!("point {}", i + 1));
        points.extend(bodies.in_order(&point.body, &point.selector).map_err(here)?);
        if points.len() > limits::TENDON_POINTS {
            return refuse("through", format!("has more than {} particles", limits::TENDON_POINTS));
        }
    }
    points.dedup();
    if points.len() < 2 {
        return refuse("through", "needs at least two different particles");
    }
    Ok(ResolvedLoad {
        name,
        keys: keys(tendon.file.as_deref(), &tendon.keyframes)?,
        force: DVec3::ZERO,
        particles: Vec::new(),
        pressure: None,
        gas: None,
        tendon: Some(ResolvedTendon { points, tension: tendon.tension, friction: tendon.friction }),
    })
}

/// The triangles with all three corners among what is chosen.
fn surface(load: &TimedLoad, chosen: &Chosen<'_>, key: &'static str) -> Result<Vec<[u32; 3]>> {
    let found: Vec<[u32; 3]> = match load.selector == Selector::ALL {
        true => chosen.triangles.to_vec(),
        false => {
            let own: HashSet<u32> = chosen.particles.iter().copied().collect();
            chosen.triangles.iter().copied().filter(|t| t.iter().all(|p| own.contains(p))).collect()
        }
    };
    if found.is_empty() {
        return refuse(key, format!("acts on triangles, and `{}` has none there", load.body));
    }
    Ok(found)
}

/// The volume in which a gas has its pressure.
fn volume(gas: &Gas, triangles: &[[u32; 3]], positions: &[DVec3]) -> Result<f64> {
    let mut sides: HashSet<[u32; 2]> = HashSet::new();
    for t in triangles {
        sides.extend((0..3).map(|k| [t[k], t[(k + 1) % 3]]));
    }
    if let Some([a, b]) = sides.iter().find(|[a, b]| !sides.contains(&[*b, *a])).copied() {
        let message = format!(
            "needs a closed surface, all of whose triangles turn the same way; the edge from particle {a} to {b} is open"
        );
        return refuse("gas", message);
    }
    let o = positions[triangles[0][0] as usize];
    let arm = |p: u32| positions[p as usize] - o;
    let now: f64 = triangles.iter().map(|&[a, b, c]| arm(a).dot(arm(b).cross(arm(c))) / 6.0).sum();
    match gas.volume {
        Some(volume) => Ok(volume),
        None if now > 0.0 => Ok(now),
        None => {
            let message = "starts without a volume, or inside out; say in which `volume` it has its pressure";
            Err(SceneError::value("volume", message).inside("gas"))
        }
    }
}

/// Two neighbours of a particle that span a plane with it as well as any do, and the axes that they give.
fn neighbours(particle: u32, x: &[DVec3], elements: &[Simplex]) -> Option<([u32; 2], [DVec3; 3])> {
    let own = elements.iter().filter(|element| element.contains(&particle));
    let mut others: Vec<u32> = own.flatten().copied().filter(|&p| p != particle).collect();
    others.sort_unstable();
    others.dedup();
    let arm = |p: u32| x[p as usize] - x[particle as usize];
    let mut best: Option<(f64, [u32; 2])> = None;
    for (k, &a) in others.iter().enumerate() {
        for &b in &others[k + 1..] {
            let sine = arm(a).normalize_or_zero().cross(arm(b).normalize_or_zero()).length();
            if best.is_none_or(|(most, _)| sine > most) {
                best = Some((sine, [a, b]));
            }
        }
    }
    let (_, [a, b]) = best.filter(|(sine, _)| *sine > 1e-3)?;
    let first = arm(a).normalize();
    let third = arm(a).cross(arm(b)).normalize();
    Some(([a, b], [first, third.cross(first), third]))
}

fn keys(file: Option<&Path>, keyframes: &[LoadKey]) -> Result<Vec<[f64; 2]>> {
    match file {
        Some(file) => read_keys(file).map_err(|problem| {
            SceneError::at(SceneErrorKind::File, "file", format_args!("`{}`: {problem}", file.display()))
        }),
        None => Ok(keyframes.iter().map(|key| [key.time, key.factor]).collect()),
    }
}

/// Rows of time and factor. The first may be titles.
fn read_keys(file: &Path) -> std::result::Result<Vec<[f64; 2]>, String> {
    let bytes = limits::bounded(file, limits::SCENE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
    let mut keys: Vec<[f64; 2]> = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        if row.trim().is_empty() {
            continue;
        }
        let cells: Vec<Option<f64>> =
            row.split([',', ';', '\t']).map(|cell| cell.trim().parse().ok()).collect();
        match cells[..] {
            [Some(time), Some(factor)] => {
                let fits = |x: f64| x.abs() <= limits::MAGNITUDE;
                if !(fits(time) && fits(factor) && time >= 0.0) {
                    return Err(format!("line {line}: a time from 0 s on and a factor, both at most 1e12"));
                }
                if keys.last().is_some_and(|last| last[0] >= time) {
                    return Err(format!("line {line}: {time} s is not after the row before"));
                }
                keys.push([time, factor]);
            }
            _ if line == 1 => {}
            _ => return Err(format!("line {line}: two numbers are wanted, a time [s] and a factor")),
        }
        if keys.len() > limits::KEYFRAMES {
            return Err(format!("has more than {} rows", limits::KEYFRAMES));
        }
    }
    if keys.is_empty() {
        return Err("has no row of a time [s] and a factor".into());
    }
    Ok(keys)
}

/// Particles of a body and what meets there.
pub(super) struct Chosen<'a> {
    /// The scene's number of the body's first particle.
    pub start: u32,
    pub positions: &'a [DVec3],
    /// By the body's numbers.
    pub particles: Vec<u32>,
    pub triangles: &'a [[u32; 3]],
    pub elements: Vec<Simplex>,
}
