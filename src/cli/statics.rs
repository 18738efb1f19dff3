//! `sinew statics`: where the rods and nets of a scene come to rest, and what holds them there.

use super::{print, scene_argument};
use anyhow::Context;
use clap::Args;
use glam::DVec3;
use sinew::export::AtomicFile;
use sinew::model::Model;
use sinew::model::nets::Net;
use sinew::rods::statics::{
    Buckling, Equilibrium, Followed, Limits, MOST_LOAD, MOST_LOAD_STEPS, Passed, System, buckling, follow,
    last_key, vibrations,
};
use sinew::scene::Scene;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct StaticsArgs {
    /// A scene file or the name of a built-in scene.
    scene: OsString,
    /// Where the motion of pins and clamps has come at S seconds; it is followed from its start in steps [default: its end].
    #[arg(long, value_name = "S", value_parser = super::run::seconds)]
    at: Option<f64>,
    /// Also find the factor of all forces, gravity among them, at which the state buckles, and how it does.
    #[arg(long)]
    buckling: bool,
    /// Write the particles at rest to FILE as CSV: body, particle, x, y, z [m]; with --buckling also the mode, its largest
    /// displacement 1.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Raise all forces, gravity among them, and torques from nothing in N equal steps, from one state of rest to the next.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LOAD_STEPS)))]
    load_steps: u32,
    /// Write the states of rest on the way to FILE as CSV: the factor of the loads, the time of the motion, the energies, and where
    /// the probes of the scene and the ends of its rods are.
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Most iterations of Newton's method for one state [default: no limit but the time].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterations: Option<u32>,
    /// Give up after S seconds of computing.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    patience: u32,
}

pub fn statics(args: &StaticsArgs) -> anyhow::Result<ExitCode> {
    let (loaded, name) = scene_argument::load(&args.scene)?;
    // Statics knows no time.
    let scene = loaded.changed(Scene { raise_substeps: true, ..loaded.scene().clone() })?;
    let model = Model::new(&scene)?;
    anyhow::ensure!(!model.rods.is_empty(), "{name} has no rods or nets; statics is about those");
    let system = System::of_model(&model);
    if let Some(body) = falling(&model, &system) {
        anyhow::bail!(
            "nothing holds `{body}`, and statics knows no colliders: it falls for ever; clamp or pin it, or set `gravity = [0, 0, 0]`"
        );
    }
    let limits = Limits {
        iterations: args.iterations.unwrap_or(u32::MAX - 1),
        deadline: Some(Instant::now() + Duration::from_secs(args.patience.into())),
        ..Limits::default()
    };
    let time = args.at.unwrap_or_else(|| last_key(&model));
    let mut path = Vec::new();
    let followed = follow(&model, time, args.load_steps, &limits, &mut |passed| {
        if args.path.is_some() {
            path.push(path_row(&model, &passed));
        }
    });
    let found = &followed.found;
    if let Some(file) = &args.path {
        write_path(file, &model, &path).with_context(|| file.display().to_string())?;
    }
    report(&name, &model, &followed, time)?;
    let mut mode = None;
    if args.buckling {
        let has_forces = found.system.forces.iter().any(|force| *force != DVec3::ZERO);
        let has_loads = has_forces || !found.system.torques.is_empty();
        anyhow::ensure!(has_loads, "no force acts in {name}: there is nothing to raise until it buckles");
        let buckling = buckling(&found.system, &limits);
        report_buckling(&buckling)?;
        if let Buckling::At { mode: shape, .. } = buckling {
            mode = Some(shape);
        }
    }
    if let Some(path) = &args.csv {
        write_csv(path, &model, &found.system, mode.as_deref())
            .with_context(|| path.display().to_string())?;
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

fn report(name: &str, model: &Model, followed: &Followed, time: f64) -> anyhow::Result<()> {
    let found = &followed.found;
    let verdict = match (found.converged, found.unstable_modes) {
        (false, _) => "not at rest yet; try more --patience or --iterations".into(),
        (true, 0) => "a stable state of rest".into(),
        (true, modes) => format!("a state of rest that falls in {modes} directions: it buckles"),
    };
    print(format_args!(
        "{name}: {verdict}, {} iterations, {:.1e} of the forces are left",
        found.iterations, found.residual
    ))?;
    if time > 0.0 {
        print(format_args!(
            "  with pins and clamps as their motion has them at {time} s, in {} steps",
            followed.steps + 1
        ))?;
        if let Some(buckled) = followed.buckled {
            print(format_args!("  it lost its stability on the way, at {buckled:.4} s at the latest"))?;
        }
    }
    let [stretch, shear, bend, twist] = found.system.energies();
    print(format_args!(
        "  energy [J]: stretch {stretch:.6e}, shear {shear:.6e}, bend {bend:.6e}, twist {twist:.6e}; with the {} {:.6e}",
        if found.system.torques.is_empty() {
            "loads"
        } else {
            "forces, but not the torques, which have none,"
        },
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

fn report_buckling(buckling: &Buckling) -> anyhow::Result<()> {
    match buckling {
        Buckling::At { factor, .. } => print(format_args!("  buckles at {factor:.6} times its forces")),
        Buckling::Never => print(format_args!("  does not buckle up to {MOST_LOAD} times its forces")),
        Buckling::Unloaded => print("  no buckling load: the state is unstable without any force"),
        Buckling::Lost(factor) => print(format_args!(
            "  no buckling load: no state of rest was found under {factor} times its forces"
        )),
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

/// What a file of the path tells of particles: the probes of the scene and the ends of its rods.
fn watched(model: &Model) -> Vec<(String, usize)> {
    let probes = model.probes.iter().map(|probe| (probe.name.clone(), probe.particle as usize));
    let ends = model.rods.rods.iter().flat_map(|rod| {
        let frames = &model.rods.frames[rod.frames.start as usize..rod.frames.end as usize];
        let body = &model.bodies[rod.body as usize].name;
        [("start", frames[0].particles[0]), ("end", frames[frames.len() - 1].particles[1])]
            .map(|(what, particle)| (format!("{body} {what}"), particle as usize))
    });
    probes.chain(ends).collect()
}

/// A row of the file of the path.
fn path_row(model: &Model, passed: &Passed<'_>) -> String {
    let system = &passed.found.system;
    let [stretch, shear, bend, twist] = system.energies();
    let Equilibrium { residual, unstable_modes, .. } = passed.found;
    let mut row = format!(
        "{},{},{residual:e},{unstable_modes},{stretch:e},{shear:e},{bend:e},{twist:e}",
        passed.load, passed.time
    );
    for (_, particle) in watched(model) {
        let x = system.positions[particle];
        row += &format!(",{:e},{:e},{:e}", x.x, x.y, x.z);
    }
    row
}

fn write_path(path: &std::path::Path, model: &Model, rows: &[String]) -> anyhow::Result<()> {
    AtomicFile::write_with(path, |file| {
        write!(file, "load,time,residual,unstable_modes,stretch,shear,bend,twist")?;
        for (name, _) in watched(model) {
            // Names are words of the scene and may have commas.
            let name = name.replace([',', '"', '\n'], "_");
            write!(file, ",{name} x,{name} y,{name} z")?;
        }
        writeln!(file)?;
        rows.iter().try_for_each(|row| writeln!(file, "{row}"))?;
        Ok(())
    })?;
    Ok(())
}

fn write_csv(
    path: &std::path::Path,
    model: &Model,
    system: &System,
    mode: Option<&[DVec3]>,
) -> anyhow::Result<()> {
    let positions = model.order.undo(&system.positions);
    let mode = mode.map(|mode| model.order.undo(mode));
    AtomicFile::write_with(path, |file| {
        writeln!(file, "body,particle,x,y,z{}", if mode.is_some() { ",mode_x,mode_y,mode_z" } else { "" })?;
        for body in &model.bodies {
            for (i, user) in body.particles.clone().enumerate() {
                let x = positions[user as usize];
                write!(file, "{},{i},{:e},{:e},{:e}", body.name, x.x, x.y, x.z)?;
                if let Some(mode) = &mode {
                    let x = mode[user as usize];
                    write!(file, ",{:e},{:e},{:e}", x.x, x.y, x.z)?;
                }
                writeln!(file)?;
            }
        }
        Ok(())
    })?;
    Ok(())
}
