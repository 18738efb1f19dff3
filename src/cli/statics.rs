//! `sinew statics`: where the rods and nets of a scene come to rest, and what holds them there.

use super::{print, scene_argument};
use anyhow::Context;
use clap::Args;
use glam::DVec3;
use sinew::export::AtomicFile;
use sinew::model::Model;
use sinew::model::nets::Net;
use sinew::rods::statics::{Equilibrium, Limits, System, equilibrium, vibrations};
use sinew::scene::Scene;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub struct StaticsArgs {
    /// A scene file or the name of a built-in scene.
    scene: String,
    /// Write the particles at rest to FILE as CSV: body, particle, x, y, z [m].
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Most iterations of Newton's method.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: u32,
}

pub fn statics(args: &StaticsArgs) -> anyhow::Result<ExitCode> {
    let (loaded, name) = scene_argument::load(&args.scene)?;
    // Statics knows no time.
    let scene = loaded.changed(Scene { raise_substeps: true, ..loaded.scene().clone() })?;
    let model = Model::new(&scene)?;
    anyhow::ensure!(!model.rods.is_empty(), "{name} has no rods or nets; statics is about those");
    let turned = model.rods.rods.iter().find(|rod| rod.loads.iter().any(|load| load.place.is_some()));
    if let Some(rod) = turned {
        let body = &model.bodies[rod.body as usize].name;
        anyhow::bail!(
            "the `torque` at an end of `{body}` is fixed in the world and has no energy, which statics minimises; turn the end by \
             a clamp with `motion` instead, or let it come to rest with `sinew run`"
        );
    }
    let system = System::of_model(&model);
    if let Some(body) = falling(&model, &system) {
        anyhow::bail!(
            "nothing holds `{body}`, and statics knows no colliders: it falls for ever; clamp or pin it, or set `gravity = [0, 0, 0]`"
        );
    }
    let limits = Limits { iterations: args.iterations, ..Limits::default() };
    let found = equilibrium(&system, &limits);
    report(&name, &model, &found)?;
    if let Some(path) = &args.csv {
        write_csv(path, &model, &found.system).with_context(|| path.display().to_string())?;
    }
    Ok(if found.converged { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The name of a body that gravity acts on and nothing holds.
fn falling<'a>(model: &'a Model, system: &System) -> Option<&'a str> {
    if model.settings.gravity == DVec3::ZERO {
        return None;
    }
    let rods = model.rods.rods.iter().map(|rod| rod.body);
    let mut bodies = rods.chain(model.nets.nets.iter().map(|net| net.body));
    let held = |user: u32| !system.free_particles[model.order.new_of_old[user as usize] as usize];
    let free = bodies.find(|&body| !model.bodies[body as usize].particles.clone().any(held))?;
    Some(&model.bodies[free as usize].name)
}

/// Held points of a net that are told of one by one.
const MOST_HELD: usize = 8;

fn report(name: &str, model: &Model, found: &Equilibrium) -> anyhow::Result<()> {
    let verdict = match (found.converged, found.unstable_modes) {
        (false, _) => "not at rest yet; try more --iterations".into(),
        (true, 0) => "a stable state of rest".into(),
        (true, modes) => format!("a state of rest that falls in {modes} directions: it buckles"),
    };
    print(format_args!(
        "{name}: {verdict}, {} iterations, {:.1e} of the forces are left",
        found.iterations, found.residual
    ))?;
    let [stretch, shear, bend, twist] = found.system.energies();
    print(format_args!(
        "  energy [J]: stretch {stretch:.6e}, shear {shear:.6e}, bend {bend:.6e}, twist {twist:.6e}; with the loads {:.6e}",
        found.system.energy()
    ))?;
    if let Some(motion) = vibrations(&found.system) {
        if motion.neutral > 0 {
            let ways = if motion.neutral == 1 { "way" } else { "ways" };
            print(format_args!("  {} {ways} to move that nothing resists", motion.neutral))?;
        }
        if let Some(frequency) = motion.lowest {
            print(format_args!("  slowest vibration: {:.6} s", std::f64::consts::TAU / frequency))?;
        }
    }
    for rod in &model.rods.rods {
        let frames = &model.rods.frames[rod.frames.start as usize..rod.frames.end as usize];
        let body = &model.bodies[rod.body as usize].name;
        for (what, frame, particle) in [
            ("start", rod.frames.start, frames[0].particles[0]),
            ("end", rod.frames.end - 1, frames[frames.len() - 1].particles[1]),
        ] {
            let x = found.system.positions[particle as usize];
            let mut line = format!("  `{body}` {what} at ({:.6}, {:.6}, {:.6}) m", x.x, x.y, x.z);
            if !found.system.free_particles[particle as usize] {
                let force = -found.system.reaction_force(particle as usize);
                line += &format!(", held by ({:.4e}, {:.4e}, {:.4e}) N", force.x, force.y, force.z);
            }
            if !found.system.free_frames[frame as usize] {
                let q = found.system.orientations[frame as usize];
                let torque = -(q * found.system.reaction_torque(frame as usize));
                line += &format!(" and ({:.4e}, {:.4e}, {:.4e}) N m", torque.x, torque.y, torque.z);
            }
            print(line)?;
        }
    }
    for net in &model.nets.nets {
        report_net(model, &found.system, net)?;
    }
    match (model.colliders.is_empty(), model.settings.wind.is_none()) {
        (true, true) => Ok(()),
        (false, true) => print("  colliders are left out"),
        (true, false) => print("  the wind is left out"),
        (false, false) => print("  colliders and the wind are left out"),
    }
}

/// The lowest point of a net, and what holds it where.
fn report_net(model: &Model, system: &System, net: &Net) -> anyhow::Result<()> {
    let body = &model.bodies[net.body as usize];
    let points: Vec<(usize, usize)> = body
        .particles
        .clone()
        .map(|user| model.order.new_of_old[user as usize] as usize)
        .enumerate()
        .collect();
    let height = |&(_, particle): &(usize, usize)| system.positions[particle].y;
    if let Some(&(i, particle)) = points.iter().min_by(|a, b| height(a).total_cmp(&height(b))) {
        let x = system.positions[particle];
        print(format_args!(
            "  `{}` lowest at ({:.6}, {:.6}, {:.6}) m, particle {i}",
            body.name, x.x, x.y, x.z
        ))?;
    }
    let held: Vec<_> = points.into_iter().filter(|&(_, particle)| !system.free_particles[particle]).collect();
    for &(i, particle) in held.iter().take(MOST_HELD) {
        let force = -system.reaction_force(particle);
        let mut line = format!(
            "  `{}` particle {i} held by ({:.4e}, {:.4e}, {:.4e}) N",
            body.name, force.x, force.y, force.z
        );
        // Knots and frames that are held at this point.
        let frames = net.frames.clone().map(|k| k as usize).filter(|&k| {
            !system.free_frames[k] && model.rods.frames[k].particles.contains(&(particle as u32))
        });
        let torques: Vec<DVec3> =
            frames.map(|k| -(system.orientations[k] * system.reaction_torque(k))).collect();
        if !torques.is_empty() {
            let sum: DVec3 = torques.into_iter().sum();
            line += &format!(" and ({:.4e}, {:.4e}, {:.4e}) N m", sum.x, sum.y, sum.z);
        }
        print(line)?;
    }
    if held.len() > MOST_HELD {
        print(format_args!("  … and {} more points of `{}`", held.len() - MOST_HELD, body.name))?;
    }
    Ok(())
}

fn write_csv(path: &std::path::Path, model: &Model, system: &System) -> anyhow::Result<()> {
    let positions = model.order.undo(&system.positions);
    AtomicFile::write_with(path, |file| {
        writeln!(file, "body,particle,x,y,z")?;
        for body in &model.bodies {
            for (i, user) in body.particles.clone().enumerate() {
                let x = positions[user as usize];
                writeln!(file, "{},{i},{:e},{:e},{:e}", body.name, x.x, x.y, x.z)?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
