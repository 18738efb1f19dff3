//! `sinew statics`: where the rods of a scene come to rest, and what holds them there.

use super::{print, scene_argument};
use anyhow::Context;
use clap::Args;
use sinew::export::AtomicFile;
use sinew::model::Model;
use sinew::rods::statics::{Equilibrium, Limits, System, equilibrium, lowest_frequency};
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
    let (mut scene, name) = scene_argument::load(&args.scene)?;
    // Statics knows no time.
    scene.raise_substeps = true;
    let model = Model::new(&scene)?;
    anyhow::ensure!(!model.rods.is_empty(), "{name} has no rods; statics is about rods");
    let turned = model.rods.rods.iter().find(|rod| rod.loads.iter().any(|load| load.place.is_some()));
    if let Some(rod) = turned {
        let body = &model.bodies[rod.body as usize].name;
        anyhow::bail!(
            "the `torque` at an end of `{body}` is fixed in the world and has no energy, which statics minimises; turn the end by \
             a clamp with `motion` instead, or let it come to rest with `sinew run`"
        );
    }
    let limits = Limits { iterations: args.iterations, ..Limits::default() };
    let found = equilibrium(&System::of_model(&model), &limits);
    report(&name, &model, &found)?;
    if let Some(path) = &args.csv {
        write_csv(path, &model, &found.system).with_context(|| path.display().to_string())?;
    }
    Ok(if found.converged { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

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
    if let Some(frequency) = lowest_frequency(&found.system) {
        print(format_args!("  slowest vibration: {:.6} s", std::f64::consts::TAU / frequency))?;
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
