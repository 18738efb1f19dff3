//! What `sinew run` writes.

use super::folder::{
    ANGULAR_MOMENTUM_PLOT, CHECKPOINT, COLLECTION, ENERGY_PLOT, Folder, JOINT_PLOT, MOMENTUM_PLOT, PICTURES,
    PLY, REACTION_PLOT, REACTIONS, ROD_ENERGY_PLOT, SCALARS, SPOOL, TIMING, USD, VIDEO, VTU, WORK_PLOT,
};
use super::furniture;
use super::manifest::Described;
use super::plots::{self, Timing};
use super::reactions;
use anyhow::Context;
use clap::Args;
use serde::{Deserialize, Serialize};
use sinew::Simulation;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::export::{Series, UsdaOptions, UsdaWriter, Video, VideoOutcome, VtuSeries, write_ply, write_png};
use sinew::measure::Measures;
use sinew::render::Film;
use sinew::scene::Scene;
use std::path::Path;
use std::time::Duration;

/// What to write; PNG frames and a CSV of scalars when nothing is asked for.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[command(next_help_heading = "Output (PNG frames and a CSV when nothing is chosen)")]
pub struct OutputArgs {
    /// PNG frames, frames/frame_000000.png and on.
    #[arg(long)]
    png: bool,
    /// A video of the PNG frames, through ffmpeg.
    #[arg(long)]
    video: bool,
    /// Energies, momenta, strain, speed, inverted tetrahedra and more of each frame, and the motion of probes, scalars.csv.
    #[arg(long)]
    csv: bool,
    /// Force and torque of every pin, attachment, seam and collider in each frame, reactions.csv, and with --plot the sizes of the
    /// forces, reactions.png.
    #[arg(long)]
    reactions: bool,
    /// Plots of energies, energy.png (of rods by kind, rod_energy.png), of the forces of joints, joints.png, of momenta, momentum.png and angular_momentum.png, and of time and
    /// iterations of the solver, work.png, whose numbers are in timing.csv.
    #[arg(long)]
    plot: bool,
    /// A PLY file per frame, ply/frame_000000.ply and on.
    #[arg(long)]
    ply: bool,
    /// A VTU file per frame and a PVD for ParaView.
    #[arg(long)]
    vtk: bool,
    /// One USDA file with all frames, for Blender and Houdini.
    #[arg(long)]
    usd: bool,
}

impl OutputArgs {
    /// Whether anything is chosen.
    pub fn asked(&self) -> bool {
        *self != Self::default()
    }
}

/// The columns of scalars.csv.
const COLUMNS: [&str; 35] = [
    "time",
    "kinetic_energy",
    "gravity_energy",
    "elastic_energy",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
    "max_speed",
    "max_stretch",
    "lowest",
    "highest",
    "rod_stretch_energy",
    "rod_shear_energy",
    "rod_bend_energy",
    "rod_twist_energy",
    "limit_violation",
    "cg_iterations",
    "limit_iterations",
    "inverted",
    "max_compression",
    "switches",
    "load_energy",
    "centre_x",
    "centre_y",
    "centre_z",
    "spin_x",
    "spin_y",
    "spin_z",
    "rod_bend_energy_1",
    "rod_bend_energy_2",
    "rod_misalignment_degrees",
    "rod_joint_degrees",
];

fn row(time: f64, m: &Measures, [gradients, limits]: [u32; 2]) -> [f64; 35] {
    let (p, l) = (m.momentum, m.angular_momentum);
    [
        time,
        m.kinetic_energy,
        m.gravity_energy,
        m.elastic_energy,
        p.x,
        p.y,
        p.z,
        l.x,
        l.y,
        l.z,
        m.max_speed,
        m.max_stretch,
        m.lowest,
        m.highest,
        m.rods.stretch,
        m.rods.shear,
        m.rods.bend,
        m.rods.twist,
        m.limit_violation,
        f64::from(gradients),
        f64::from(limits),
        f64::from(m.inverted),
        m.max_compression,
        m.switches as f64,
        m.load_energy,
        m.centre.x,
        m.centre.y,
        m.centre.z,
        m.spin.x,
        m.spin.y,
        m.spin.z,
        m.rods.bend_axes[0],
        m.rods.bend_axes[1],
        m.rod_angles.misalignment.to_degrees(),
        m.rod_angles.joint.to_degrees(),
    ]
}

/// How and where a run is recorded.
pub struct Setup<'a> {
    pub folder: &'a Path,
    pub described: &'a Described,
    /// An earlier run in the folder may be replaced.
    pub overwrite: bool,
    /// The simulation is at a checkpoint, and files are continued from there.
    pub resumed: bool,
    /// The number of the last frame.
    pub last_frame: u64,
    pub adapter: &'a AdapterChoice,
    pub say: &'a dyn Fn(&str),
}

/// Files under way.
pub struct Outputs {
    folder: Folder,
    frames_per_second: f64,
    film: Option<Film>,
    video: bool,
    csv: Option<Series>,
    /// With what holds, by name.
    reactions: Option<(Series, Vec<String>)>,
    timing: Option<(Series, Timing)>,
    ply: bool,
    vtk: Option<VtuSeries>,
    usd: Option<UsdaWriter>,
}

impl Outputs {
    /// Opens all files. What an earlier run left in the folder goes only when nothing else can fail.
    pub fn new(scene: &Scene, simulation: &mut Simulation, setup: &Setup) -> anyhow::Result<Self> {
        let (args, asked) = (setup.described.outputs, setup.described.outputs.asked());
        let png = args.png || args.video || !asked;
        let film = match png.then(|| film(scene, simulation, setup.adapter)).transpose() {
            // Who asked for nothing in particular gets everything that works here.
            Err(error) if !asked => {
                (setup.say)(&format!("no pictures: {error:#}"));
                None
            }
            film => film.context("no pictures can be drawn")?,
        };
        let mut folder = Folder::open(setup.folder)?;
        if setup.resumed {
            folder.resume(setup.described)?;
        } else {
            let removed = folder.begin(setup.described, setup.overwrite)?;
            if removed > 0 {
                let folder = setup.folder.display();
                (setup.say)(&format!("replacing an earlier run in {folder}, files removed: {removed}"));
            }
        }
        let used = [(film.is_some(), PICTURES), (args.ply, PLY), (args.vtk, VTU)];
        for (_, kind) in used.iter().filter(|(used, _)| *used) {
            folder.make(kind.folder)?;
        }
        let mut outputs = Self {
            folder,
            frames_per_second: setup.described.frames_per_second,
            video: args.video && film.is_some(),
            film,
            csv: None,
            reactions: None,
            timing: None,
            ply: args.ply,
            vtk: None,
            usd: None,
        };
        let measures = simulation.family_measures()?;
        let mut columns = COLUMNS.to_vec();
        columns.extend(measures.iter().map(|measure| &*measure.name));
        outputs.open_series(args, asked, &columns, setup.resumed.then(|| simulation.time()))?;
        if args.reactions {
            let names = reactions::names(simulation)?;
            let columns = reactions::columns(&names);
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            let resumed = setup.resumed.then(|| simulation.time());
            outputs.reactions = Some((outputs.table(REACTIONS, &columns, resumed)?, names));
        }
        let rate = outputs.frames_per_second;
        outputs.usd = outputs.usd.map(|usd| {
            let times: Vec<f64> = (0..=setup.last_frame).map(|frame| frame as f64 / rate).collect();
            usd.with_furniture(furniture::of(scene, simulation, &times))
        });
        if args.plot {
            let table = outputs.table(TIMING, &plots::COLUMNS, setup.resumed.then(|| simulation.time()))?;
            outputs.timing = Some((table, Timing::new(simulation)?));
        }
        Ok(outputs)
    }

    /// Opens all tables and collections; those of a resumed run forget what lies after its time.
    fn open_series(
        &mut self,
        args: OutputArgs,
        asked: bool,
        columns: &[&str],
        resumed: Option<f64>,
    ) -> anyhow::Result<()> {
        if args.usd {
            // First, because it is the one that may refuse.
            let options = UsdaOptions { frames_per_second: self.frames_per_second };
            self.folder.claim(SPOOL)?;
            let path = self.folder.claim(USD)?;
            self.usd = Some(match resumed {
                Some(time) => UsdaWriter::resume(path, options, time)?,
                None => UsdaWriter::create(path, options)?,
            });
        }
        if args.csv || args.plot || !asked {
            self.csv = Some(self.table(SCALARS, columns, resumed)?);
        }
        if args.vtk {
            let path = self.folder.claim(COLLECTION)?;
            self.vtk = Some(match resumed {
                Some(time) => VtuSeries::resume(path, time)?,
                None => VtuSeries::create(path)?,
            });
        }
        Ok(())
    }

    fn table(&mut self, name: &str, columns: &[&str], resumed: Option<f64>) -> anyhow::Result<Series> {
        let path = self.folder.claim(name)?;
        Ok(match resumed {
            Some(time) => Series::resume(path, columns, time)?,
            None => Series::create(path, columns)?,
        })
    }

    /// Writes the present state as a frame; `solving` is the time spent on it so far.
    pub fn record(
        &mut self,
        simulation: &mut Simulation,
        measures: &Measures,
        frame: u64,
        solving: Duration,
    ) -> anyhow::Result<()> {
        if let Some(csv) = &mut self.csv {
            let iterations = plots::iterations(simulation)?;
            let mut row = row(simulation.time(), measures, iterations).to_vec();
            row.extend(simulation.family_measures()?.iter().map(|measure| measure.value));
            csv.push(&row)?;
        }
        if let Some((table, _)) = &mut self.reactions {
            table.push(&reactions::row(simulation)?)?;
        }
        if let Some((table, timing)) = &mut self.timing {
            timing.record(table, simulation, solving)?;
        }
        if let Some(film) = &mut self.film {
            let image = film.draw(simulation)?;
            write_png(self.folder.claim(&PICTURES.path(frame))?, &image)?;
        }
        if self.ply || self.vtk.is_some() || self.usd.is_some() {
            self.record_geometry(simulation, frame)?;
        }
        Ok(())
    }

    fn record_geometry(&mut self, simulation: &mut Simulation, frame: u64) -> anyhow::Result<()> {
        simulation.snapshot(|snapshot| {
            if self.ply {
                write_ply(self.folder.claim(&PLY.path(frame))?, snapshot)?;
            }
            if let Some(vtk) = &mut self.vtk {
                self.folder.claim(&VTU.path(vtk.frame_count() as u64))?;
                vtk.add(snapshot)?;
            }
            if let Some(usd) = &mut self.usd {
                usd.add(snapshot)?;
            }
            Ok(())
        })?
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, simulation: &mut Simulation) -> anyhow::Result<()> {
        let path = self.folder.claim(CHECKPOINT)?;
        Ok(simulation.save(path)?)
    }

    /// Completes the files that span all frames; returns what to tell the user. Frames after the last one are of an
    /// earlier attempt that went further.
    pub fn finish(mut self, last_frame: u64) -> anyhow::Result<Option<String>> {
        if let Some(usd) = &mut self.usd {
            usd.assemble()?;
        }
        if self.timing.is_some() {
            let plots =
                [ENERGY_PLOT, MOMENTUM_PLOT, ANGULAR_MOMENTUM_PLOT, ROD_ENERGY_PLOT, JOINT_PLOT, WORK_PLOT];
            plots.into_iter().try_for_each(|name| self.folder.claim(name).map(drop))?;
            plots::write(self.folder.path())?;
            if let Some((_, names)) = &self.reactions {
                let path = self.folder.claim(REACTION_PLOT)?;
                reactions::plot(&self.folder.path().join(REACTIONS), names, &path)?;
            }
        }
        for (used, kind) in [(self.film.is_some(), PICTURES), (self.ply, PLY)] {
            if used {
                self.folder.remove_from(kind, last_frame + 1)?;
            }
        }
        if let Some(vtk) = &self.vtk {
            self.folder.remove_from(VTU, vtk.frame_count() as u64)?;
        }
        if !self.video {
            return Ok(None);
        }
        let output = self.folder.claim(VIDEO)?;
        let pictures = self.folder.path().join(PICTURES.folder);
        let video = Video::new(pictures, "frame_", self.frames_per_second, &output);
        Ok(Some(match video.encode().context("--resume tries the video again")? {
            VideoOutcome::Written { frame_count } => format!("{frame_count} frames in {}", output.display()),
            VideoOutcome::NotInstalled { command_line } => {
                format!("ffmpeg is not installed; with it, this makes the video:\n  {command_line}")
            }
        }))
    }

    /// Makes what there is of the files that span all frames, after a run that failed. It can still be resumed.
    pub fn salvage(&mut self) -> anyhow::Result<()> {
        match &mut self.usd {
            Some(usd) if usd.frame_count() > 0 => Ok(usd.assemble()?),
            _ => Ok(()),
        }
    }
}

/// A film on the simulation's own device, or on another one when it runs on the CPU.
fn film(scene: &Scene, simulation: &mut Simulation, adapter: &AdapterChoice) -> anyhow::Result<Film> {
    let gpu = match simulation.executor().gpu() {
        Some(executor) => executor.device().clone(),
        None => Gpu::open(adapter)?,
    };
    Ok(Film::new(&gpu, scene, simulation)?)
}
