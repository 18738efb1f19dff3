//! What `sinew run` writes.

use anyhow::Context;
use clap::Args;
use sinew::Simulation;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::export::{Series, UsdaOptions, UsdaWriter, Video, VideoOutcome, VtuSeries, write_ply, write_png};
use sinew::model::measure::Measures;
use sinew::render::Film;
use sinew::scene::Scene;
use std::path::{Path, PathBuf};

/// What to write; PNG frames and a CSV of scalars when nothing is asked for.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// PNG frames, frames/frame_000000.png and on.
    #[arg(long)]
    png: bool,
    /// A video of the PNG frames, through ffmpeg.
    #[arg(long)]
    video: bool,
    /// Energies, momenta, strain and speed of each frame, scalars.csv.
    #[arg(long)]
    csv: bool,
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
const COLUMNS: [&str; 14] = [
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
];

fn row(time: f64, m: &Measures) -> [f64; 14] {
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
    ]
}

/// Files under way.
pub struct Outputs {
    folder: PathBuf,
    frames_per_second: f64,
    film: Option<Film>,
    video: bool,
    csv: Option<Series>,
    ply: bool,
    vtk: Option<VtuSeries>,
    usd: Option<UsdaWriter>,
}

impl Outputs {
    pub fn new(
        args: &OutputArgs,
        scene: &Scene,
        simulation: &mut Simulation,
        folder: &Path,
        resumed: bool,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<Self> {
        let default = !(args.png || args.video || args.csv || args.ply || args.vtk || args.usd);
        let png = args.png || args.video || default;
        let time = simulation.time();
        let path = |name: &str| folder.join(name);
        let film = match png.then(|| film(scene, simulation)).transpose() {
            Ok(film) => film,
            // Without a driver everything else is still written.
            Err(error) => {
                say(&format!("no pictures: {error:#}"));
                None
            }
        };
        if film.is_some() {
            make_folder(&path("frames"))?;
        }
        if args.ply {
            make_folder(&path("ply"))?;
        }
        let csv = (args.csv || default).then(|| match resumed && path("scalars.csv").exists() {
            true => Series::resume(path("scalars.csv"), &COLUMNS, time),
            false => Series::create(path("scalars.csv"), &COLUMNS),
        });
        let vtk = args.vtk.then(|| {
            make_folder(&path("vtk"))?;
            Ok::<_, anyhow::Error>(match resumed && path("vtk/frames.pvd").exists() {
                true => VtuSeries::resume(path("vtk/frames.pvd"), time)?,
                false => VtuSeries::create(path("vtk/frames.pvd"))?,
            })
        });
        let usd = args.usd.then(|| {
            let options = UsdaOptions { frames_per_second: scene.render.frames_per_second };
            match resumed {
                true => UsdaWriter::resume(path("scene.usda"), options, time),
                false => UsdaWriter::create(path("scene.usda"), options),
            }
        });
        Ok(Self {
            folder: folder.into(),
            frames_per_second: scene.render.frames_per_second,
            video: args.video && film.is_some(),
            film,
            csv: csv.transpose()?,
            ply: args.ply,
            vtk: vtk.transpose()?,
            usd: usd.transpose()?,
        })
    }

    /// Writes the present state as a frame.
    pub fn record(&mut self, simulation: &mut Simulation, frame: u64) -> anyhow::Result<()> {
        if let Some(csv) = &mut self.csv {
            csv.push(&row(simulation.time(), &simulation.measure()?))?;
        }
        if let Some(film) = &mut self.film {
            let image = film.draw(simulation)?;
            write_png(self.folder.join(format!("frames/frame_{frame:06}.png")), &image)?;
        }
        if self.ply || self.vtk.is_some() || self.usd.is_some() {
            self.record_geometry(simulation, frame)?;
        }
        Ok(())
    }

    fn record_geometry(&mut self, simulation: &mut Simulation, frame: u64) -> anyhow::Result<()> {
        simulation.snapshot(|snapshot| {
            if self.ply {
                write_ply(self.folder.join(format!("ply/frame_{frame:06}.ply")), snapshot)?;
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
    pub fn finish(self) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        if let Some(usd) = self.usd {
            usd.finish()?;
        }
        if self.video {
            let output = self.folder.join("video.mp4");
            let video = Video::new(self.folder.join("frames"), "frame_", self.frames_per_second, &output);
            lines.push(match video.encode()? {
                VideoOutcome::Written { frame_count } => {
                    format!("{frame_count} frames in {}", output.display())
                }
                VideoOutcome::NotInstalled { command_line } => {
                    format!("ffmpeg is not installed; with it, this makes the video:\n  {command_line}")
                }
            });
        }
        Ok(lines)
    }
}

fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("making the folder {}", path.display()))
}

/// A film on the simulation's own device, or on another one when it runs on the CPU.
fn film(scene: &Scene, simulation: &mut Simulation) -> anyhow::Result<Film> {
    let gpu = match simulation.executor().gpu() {
        Some(executor) => executor.device().clone(),
        None => Gpu::open(&AdapterChoice::default())?,
    };
    Ok(Film::new(&gpu, scene, simulation.model())?)
}
