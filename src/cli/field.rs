//! `sinew field`: the magnetic field of a scene at points, along lines, and in planes.

use super::{BackendArgs, print, scene_argument};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use sinew::export::{Image, Scale, VectorGrid, colour_bar_on, colour_map, draw_line, write_png, write_vti};
use sinew::glam;
use sinew::limits;
use sinew::magnets::lines::lines;
use sinew::{Magnetism, Simulation};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:
  sinew field compass --probe 0,0,0 --probe 0,0.1,0     B in tesla at two points
  sinew field coils.toml --line 0,-0.1,0 0,0.1,0        along a line, as CSV
  sinew field coils.toml --plane xy --out field.png     field lines, coloured by strength
  sinew field coils.toml --plane xy --out field.vti     the same plane for ParaView")]
pub struct FieldArgs {
    /// A scene: a TOML file or the name of a built-in one.
    scene: OsString,
    /// Print B at a point [m]; may be given several times.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    probe: Vec<DVec3>,
    /// Print B at points from one to another as CSV.
    #[arg(long, value_names = ["X,Y,Z", "X,Y,Z"], num_args = 2, value_parser = point, allow_hyphen_values = true)]
    line: Vec<DVec3>,
    /// How many points the line has.
    #[arg(long, value_name = "N", default_value_t = 101, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    points: u32,
    /// Draw a plane, or write it for ParaView, into the files of --out.
    #[arg(long, value_enum, requires = "out")]
    plane: Option<Plane>,
    /// The middle of the plane [default: that of what makes the field].
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    centre: Option<DVec3>,
    /// How wide the plane is [m] [default: four times what makes the field].
    #[arg(long, value_name = "LENGTH", value_parser = positive)]
    size: Option<f64>,
    /// Pixels or points of the plane.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1200x900", value_parser = resolution)]
    resolution: [u32; 2],
    /// A picture (.png) or VTK image (.vti) of the plane; may be given twice.
    #[arg(long, value_name = "FILE", requires = "plane")]
    out: Vec<PathBuf>,
    /// Run the scene for so long before [s].
    #[arg(long, value_name = "SECONDS", value_parser = super::run::seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    #[command(flatten)]
    backend: BackendArgs,
}

/// The two axes of a plane, to the right and up.
#[derive(ValueEnum, Clone, Copy)]
enum Plane {
    Xy,
    Xz,
    Zy,
}

impl Plane {
    fn axes(self) -> [DVec3; 2] {
        match self {
            Self::Xy => [DVec3::X, DVec3::Y],
            Self::Xz => [DVec3::X, DVec3::Z],
            Self::Zy => [DVec3::Z, DVec3::Y],
        }
    }
}

fn point(text: &str) -> Result<DVec3, String> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|c| c.abs() <= 1e6) => Ok(DVec3::new(x, y, z)),
        _ => Err("must be three numbers in metres with commas between, such as 0,0.1,-0.2".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x| (1e-9..=1e6).contains(x))
        .ok_or_else(|| "must be a length within 1e-9 to 1e6 m".into())
}

/// Pixels of a plane along either side.
const MOST_PIXELS: u32 = 4096;

fn resolution(text: &str) -> Result<[u32; 2], String> {
    let parts: Option<Vec<u32>> = text.split('x').map(|part| part.parse().ok()).collect();
    let range = 16..=MOST_PIXELS;
    match parts.as_deref() {
        Some(&[width, height]) if range.contains(&width) && range.contains(&height) => Ok([width, height]),
        _ => Err(format!("must be two numbers from 16 to {MOST_PIXELS} with an x between, such as 1200x900")),
    }
}

pub fn field(args: &FieldArgs) -> anyhow::Result<ExitCode> {
    let options = args.backend.options()?;
    let (scene, name) = scene_argument::load(&args.scene)?;
    let time = args.time.unwrap_or(0.0);
    let steps = (time / scene.scene().time_step).round();
    ensure!(
        steps <= limits::STEPS.min(f64::from(u32::MAX)),
        "--time {time} takes more than {:e} steps; choose less",
        limits::STEPS
    );
    if args.probe.is_empty() && args.line.is_empty() && args.plane.is_none() {
        bail!("say where: --probe, --line or --plane");
    }
    let mut simulation = Simulation::new(&scene, &options)?;
    simulation.advance(steps as u32)?;
    let magnetism = simulation.magnetism()?;
    for &x in &args.probe {
        let b = magnetism.field(x);
        print(format_args!(
            "{} {} {}: B = [{:.9e}, {:.9e}, {:.9e}] T, |B| = {:.9e} T",
            x.x,
            x.y,
            x.z,
            b.x,
            b.y,
            b.z,
            b.length()
        ))?;
    }
    if let [from, to] = args.line[..] {
        print("distance [m],x [m],y [m],z [m],Bx [T],By [T],Bz [T],|B| [T]")?;
        for k in 0..args.points {
            let s = f64::from(k) / f64::from(args.points - 1);
            let x = from.lerp(to, s);
            let b = magnetism.field(x);
            print(format_args!(
                "{},{},{},{},{:e},{:e},{:e},{:e}",
                s * from.distance(to),
                x.x,
                x.y,
                x.z,
                b.x,
                b.y,
                b.z,
                b.length()
            ))?;
        }
    }
    if let Some(plane) = args.plane {
        let window = Window::new(plane, args, &magnetism)
            .with_context(|| format!("{name} has nothing that makes a field; give --centre and --size"))?;
        for file in &args.out {
            match file.extension().and_then(|ending| ending.to_str()) {
                Some("png") => write_png(file, &window.picture(&magnetism))?,
                Some("vti") => window.write(file, &magnetism)?,
                _ => bail!("--out {}: the name must end in .png or .vti", file.display()),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A rectangle in the world, in pixels.
struct Window {
    across: DVec3,
    up: DVec3,
    /// The pixel at the lower left [m].
    corner: DVec3,
    /// Of a pixel [m].
    step: f64,
    width: u32,
    height: u32,
}

const BACKGROUND: [u8; 4] = [22, 24, 30, 255];
const MAGNET: [u8; 4] = [86, 90, 100, 255];
/// Lines along the shorter side.
const LINES: f64 = 30.0;

impl Window {
    fn new(plane: Plane, args: &FieldArgs, magnetism: &Magnetism) -> Option<Self> {
        let bounds = magnetism.bounds();
        let [across, up] = plane.axes();
        let [width, height] = args.resolution;
        let centre = args.centre.or(bounds.map(|[low, high]| 0.5 * (low + high)))?;
        let size = args.size.or_else(|| {
            let [low, high] = bounds?;
            let size = (high - low).max_element();
            Some(if size > 0.0 { 4.0 * size } else { 1.0 })
        })?;
        let step = size / f64::from(width);
        let half = 0.5 * step * (across * f64::from(width - 1) + up * f64::from(height - 1));
        Some(Self { across, up, corner: centre - half, step, width, height })
    }

    fn place(&self, at: DVec2) -> DVec3 {
        self.corner + self.step * (self.across * at.x + self.up * at.y)
    }

    fn picture(&self, magnetism: &Magnetism) -> Image {
        let mut image = Image::new(self.width, self.height, BACKGROUND);
        let rows = image.pixels.par_chunks_mut(4 * self.width as usize).zip(0..self.height);
        rows.for_each(|(row, j)| {
            for (i, pixel) in (0..self.width).zip(row.chunks_exact_mut(4)) {
                let at = DVec2::new(f64::from(i), f64::from(self.height - 1 - j));
                if magnetism.is_inside(self.place(at)) {
                    pixel.copy_from_slice(&MAGNET);
                }
            }
        });
        let size = DVec2::new(f64::from(self.width - 1), f64::from(self.height - 1));
        let apart = size.min_element() / LINES;
        let within = |at: DVec2| {
            let b = magnetism.field(self.place(at));
            DVec2::new(b.dot(self.across), b.dot(self.up))
        };
        let all = lines(size, apart, within);
        let strengths: Vec<Vec<f64>> = all
            .iter()
            .map(|line| line.iter().map(|&at| magnetism.field(self.place(at)).length()).collect())
            .collect();
        let mut sorted: Vec<f64> = strengths.iter().flatten().copied().filter(|b| *b > 0.0).collect();
        sorted.sort_by(f64::total_cmp);
        // A few points next to wires and corners are not to use up the colours.
        let share = |s: f64| sorted.get(((sorted.len() as f64 - 1.0) * s) as usize).copied();
        let (Some(low), Some(high)) = (share(0.02), share(0.98)) else { return image };
        let high = if high > low { high } else { 2.0 * low };
        let colour = |b: f64| {
            let t = (b / low).ln() / (high / low).ln();
            let [r, g, b] = colour_map(t as f32).map(|c| (c * 255.0).round() as u8);
            [r, g, b, 255]
        };
        let thick = (0.0025 * size.max_element()) as f32;
        for (line, strengths) in all.iter().zip(&strengths) {
            let pixel = |at: &DVec2| [at.x as f32 + 0.5, (size.y - at.y) as f32 + 0.5];
            let points: Vec<[f32; 2]> = line.iter().map(pixel).collect();
            let colours: Vec<[u8; 4]> = strengths.iter().map(|&b| colour(b)).collect();
            draw_line(&mut image, &points, &colours, thick);
        }
        colour_bar_on(&mut image, Scale::Log, ["flux density", "T"], [low, high]);
        image
    }

    fn write(&self, file: &PathBuf, magnetism: &Magnetism) -> anyhow::Result<()> {
        let axes = [self.across, self.up];
        // x runs fastest in the file: where up is before across there, the plane is turned.
        let counts = DVec3::AXES.map(|axis| match axes.iter().position(|own| *own == axis) {
            Some(0) => self.width,
            Some(_) => self.height,
            None => 1,
        });
        let total: u32 = counts.iter().product();
        let vectors: Vec<DVec3> = (0..total)
            .into_par_iter()
            .map(|n| {
                let [i, j, k] = [n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]];
                let x = self.corner + self.step * DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                magnetism.field(x)
            })
            .collect();
        let spacing = DVec3::splat(self.step);
        let grid = VectorGrid { name: "B", counts, origin: self.corner, spacing, vectors: &vectors };
        Ok(write_vti(file, &grid)?)
    }
}
