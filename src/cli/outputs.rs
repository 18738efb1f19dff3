//! What `sinew run` writes.

use super::folder::{self, PICTURES, PLY, VTU};
use super::plots::{self, Timing};
use anyhow::Context;
use clap::Args;
use sinew::Simulation;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::export::{Series, UsdaOptions, UsdaWriter, Video, VideoOutcome, VtuSeries, write_ply, write_png};
use sinew::model::measure::Measures;
use sinew::render::Film;
use sinew::scene::Scene;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to write; PNG frames and a CSV of scalars when nothing is asked for.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Output (PNG frames and a CSV when nothing is chosen)")]
pub struct OutputArgs {
    /// PNG frames, frames/frame_000000.png and on.
    #[arg(long)]
    png: bool,
    /// A video of the PNG frames, through ffmpeg.
    #[arg(long)]
    video: bool,
    /// Energies, momenta, strain, speed, inverted tetrahedra and more of each frame, scalars.csv.
    #[arg(long)]
    csv: bool,
    /// Plots of energies, energy.png (of rods by kind, rod_energy.png), of momenta, momentum.png and angular_momentum.png, and of time and
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

/// The columns of scalars.csv.
const COLUMNS: [&str; 31] = [
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
];

fn row(time: f64, m: &Measures, [gradients, limits]: [u32; 2]) -> [f64; 31] {
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
    ]
}

/// How and where a run is recorded.
pub struct Setup<'a> {
    pub folder: &'a Path,
    /// The frame rate that the steps allow, which may differ from the scene's [1/s].
    pub frames_per_second: f64,
    /// The frame at or before which a resumed run continues.
    pub resumed_after: Option<u64>,
    pub adapter: &'a AdapterChoice,
    pub say: &'a dyn Fn(&str),
}

/// Files under way.
pub struct Outputs {
    folder: PathBuf,
    frames_per_second: f64,
    film: Option<Film>,
    video: bool,
    csv: Option<Series>,
    timing: Option<(Series, Timing)>,
    ply: bool,
    vtk: Option<VtuSeries>,
    usd: Option<UsdaWriter>,
}

impl Outputs {
    /// Opens all files. What an earlier run left in the folder goes only when nothing else can fail.
    pub fn new(
        args: &OutputArgs,
        scene: &Scene,
        simulation: &mut Simulation,
        setup: &Setup,
    ) -> anyhow::Result<Self> {
        let asked = args.png || args.video || args.csv || args.plot || args.ply || args.vtk || args.usd;
        let png = args.png || args.video || !asked;
        let film = match png.then(|| film(scene, simulation, setup.adapter)).transpose() {
            // Who asked for nothing in particular gets everything that works here.
            Err(error) if !asked => {
                (setup.say)(&format!("no pictures: {error:#}"));
                None
            }
            film => film.context("no pictures can be drawn")?,
        };
        folder::make(setup.folder)?;
        let used = [(film.is_some(), PICTURES), (args.ply, PLY), (args.vtk, VTU)];
        for (_, kind) in used.iter().filter(|(used, _)| *used) {
            folder::make(&setup.folder.join(kind.folder))?;
        }
        let mut outputs = Self {
            folder: setup.folder.into(),
            frames_per_second: setup.frames_per_second,
            video: args.video && film.is_some(),
            film,
            csv: None,
            timing: None,
            ply: args.ply,
            vtk: None,
            usd: None,
        };
        let csv = args.csv || args.plot || !asked;
        match setup.resumed_after {
            None => outputs.begin(csv, args, setup)?,
            Some(frame) => outputs.resume(csv, args, setup, simulation.time(), frame)?,
        }
        if args.plot {
            let path = setup.folder.join(folder::TIMING);
            let table = match setup.resumed_after {
                None => Series::create(path, &plots::COLUMNS)?,
                Some(_) => Series::resume(path, &plots::COLUMNS, simulation.time())?,
            };
            outputs.timing = Some((table, Timing::new(simulation)?));
        }
        Ok(outputs)
    }

    /// Starts all tables and collections in a folder cleared of an earlier run.
    fn begin(&mut self, csv: bool, args: &OutputArgs, setup: &Setup) -> anyhow::Result<()> {
        let path = |name: &str| setup.folder.join(name);
        let removed = folder::clear(setup.folder)?;
        if removed > 0 {
            let folder = setup.folder.display();
            (setup.say)(&format!("replacing an earlier run in {folder}, files removed: {removed}"));
        }
        self.csv = csv.then(|| Series::create(path(folder::SCALARS), &COLUMNS)).transpose()?;
        self.vtk = args.vtk.then(|| VtuSeries::create(path(folder::COLLECTION))).transpose()?;
        let options = UsdaOptions { frames_per_second: self.frames_per_second };
        self.usd = args.usd.then(|| UsdaWriter::create(path(folder::USD), options)).transpose()?;
        Ok(())
    }

    /// Continues all tables and collections from a time and forgets what lies after it.
    fn resume(
        &mut self,
        csv: bool,
        args: &OutputArgs,
        setup: &Setup,
        time: f64,
        frame: u64,
    ) -> anyhow::Result<()> {
        let path = |name: &str| setup.folder.join(name);
        // First, because it is the one that may refuse.
        let options = UsdaOptions { frames_per_second: self.frames_per_second };
        self.usd = args.usd.then(|| UsdaWriter::resume(path(folder::USD), options, time)).transpose()?;
        self.csv = csv.then(|| Series::resume(path(folder::SCALARS), &COLUMNS, time)).transpose()?;
        self.vtk = args.vtk.then(|| VtuSeries::resume(path(folder::COLLECTION), time)).transpose()?;
        folder::remove_temporaries(setup.folder)?;
        // VTU files stay until the end: the collection on disk still lists them, and this run may be killed.
        let mut removed = 0;
        for (_, kind) in [(self.film.is_some(), PICTURES), (self.ply, PLY)].iter().filter(|(used, _)| *used) {
            removed += folder::clear_from(setup.folder, *kind, frame + 1)?;
        }
        if removed > 0 {
            (setup.say)(&format!("frames after the checkpoint, removed to be made again: {removed}"));
        }
        Ok(())
    }

    /// Writes the present state as a frame; `solving` is the time spent on it so far.
    pub fn record(
        &mut self,
        simulation: &mut Simulation,
        frame: u64,
        solving: Duration,
    ) -> anyhow::Result<()> {
        if let Some(csv) = &mut self.csv {
            let iterations = plots::iterations(simulation)?;
            csv.push(&row(simulation.time(), &simulation.measure()?, iterations))?;
        }
        if let Some((table, timing)) = &mut self.timing {
            timing.record(table, simulation, solving)?;
        }
        if let Some(film) = &mut self.film {
            let image = film.draw(simulation)?;
            write_png(self.folder.join(PICTURES.path(frame)), &image)?;
        }
        if self.ply || self.vtk.is_some() || self.usd.is_some() {
            self.record_geometry(simulation, frame)?;
        }
        Ok(())
    }

    fn record_geometry(&mut self, simulation: &mut Simulation, frame: u64) -> anyhow::Result<()> {
        simulation.snapshot(|snapshot| {
            if self.ply {
                write_ply(self.folder.join(PLY.path(frame)), snapshot)?;
            }
            if let Some(vtk) = &mut self.vtk {
                vtk.add(snapshot)?;
            }
            if let Some(usd) = &mut self.usd {
                usd.add(snapshot)?;
            }
            Ok(())
        })?
    }

    /// Completes the files that span all frames; returns what to tell the user.
    pub fn finish(self) -> anyhow::Result<Option<String>> {
        if let Some(usd) = self.usd {
            usd.finish()?;
        }
        if self.timing.is_some() {
            plots::write(&self.folder)?;
        }
        if let Some(vtk) = &self.vtk {
            folder::clear_from(&self.folder, VTU, vtk.frame_count() as u64)?;
        }
        if !self.video {
            return Ok(None);
        }
        let output = self.folder.join(folder::VIDEO);
        let pictures = self.folder.join(PICTURES.folder);
        let video = Video::new(pictures, "frame_", self.frames_per_second, &output);
        Ok(Some(match video.encode()? {
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
    Ok(Film::new(&gpu, scene, simulation.model())?)
}
