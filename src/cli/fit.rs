//! `sinew fit`: a fabric from measured curves.

use super::print;
use anyhow::Context;
use clap::Args;
use sinew::cloth::fit::{Along, Curve, GRAM_FORCE_PER_CENTIMETRE, LIMIT_LOAD};
use sinew::export::{Line, Marks, Plot, Reference};
use std::path::PathBuf;
use std::process::ExitCode;

/// The largest curve worth reading [bytes].
const MOST_BYTES: u64 = 1 << 20;

#[derive(Args)]
pub struct FitArgs {
    /// A CSV file of strain and load per width, or with --shear of angle and shear force per width.
    curve: PathBuf,
    /// The curve is one of shear: angles by which the threads leave the right angle, in degrees.
    #[arg(long, conflicts_with = "percent")]
    shear: bool,
    /// Strains are in per cent.
    #[arg(long)]
    percent: bool,
    /// Loads are in gram-force per centimetre instead of newtons per metre.
    #[arg(long)]
    gram_force: bool,
    /// The load at which the fabric has reached its limit [N/m] [default: 147.1; of shear where the curve ends].
    #[arg(long, value_name = "LOAD")]
    limit_load: Option<f64>,
    /// Draw curve and fit to this PNG file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

pub fn fit(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let name = args.curve.display();
    let found = std::fs::metadata(&args.curve).with_context(|| format!("reading {name}"))?;
    anyhow::ensure!(found.is_file(), "{name} is not a file; give a CSV of strain and load per width");
    let size = found.len();
    anyhow::ensure!(size <= MOST_BYTES, "{name} has {size} bytes; the limit is {MOST_BYTES}");
    let text = std::fs::read_to_string(&args.curve).with_context(|| format!("reading {name}"))?;
    let along = if args.shear { Along::Shear } else { Along::Thread };
    let strain_unit = match (along, args.percent) {
        (Along::Shear, _) => 1f64.to_radians(),
        (Along::Thread, true) => 0.01,
        (Along::Thread, false) => 1.0,
    };
    let load_unit = if args.gram_force { GRAM_FORCE_PER_CENTIMETRE } else { 1.0 };
    let curve = Curve::read(&text, strain_unit, load_unit).with_context(|| name.to_string())?;
    let limit_load = args.limit_load.or((along == Along::Thread).then_some(LIMIT_LOAD));
    let fit = curve.fit(along, limit_load).with_context(|| name.to_string())?;
    let highest = curve.points.iter().map(|p| p[1]).fold(0.0, f64::max);
    let load = limit_load.unwrap_or(highest);
    print(format_args!("# {name}: to {load:.1} N/m, root mean square error {:.2} N/m", fit.error))?;
    match along {
        Along::Thread => {
            print(format_args!(
                "modulus = {:.1}  # N/m; weft_modulus or warp_modulus of a `fabric`",
                fit.modulus
            ))?;
            print(format_args!("limit = {:.4}  # the highest strain of its `limits`", fit.limit))?;
        }
        Along::Shear => {
            print(format_args!("shear_modulus = {:.2}  # N/m", fit.modulus))?;
            let (shear, angle) = (along.strain(fit.limit), fit.limit.to_degrees());
            print(format_args!("shear = {shear:.4}  # of its `limits`: {angle:.1}° between threads"))?;
        }
    }
    if let Some(png) = &args.png {
        let (title, axis, unit) = match along {
            Along::Thread => ("Load over strain", "strain [%]", 100.0),
            Along::Shear => ("Load over angle", "angle [°]", 1f64.to_degrees()),
        };
        let model = (0..=100).map(|k| fit.limit * f64::from(k) / 100.0);
        let mut model: Vec<[f64; 2]> =
            model.map(|strain| [unit * strain, fit.modulus * along.load_per_modulus(strain)]).collect();
        // The limit holds whatever the load.
        model.push([unit * fit.limit, highest]);
        let measured = curve.points.iter().map(|&[strain, load]| [unit * strain, load]).collect();
        Plot::new(title, axis, "load [N/m]")
            .line(Line::new("measured", measured).marks(Marks::LineAndDots))
            .line(Line::new("modulus and limit", model))
            .reference(Reference::Horizontal { value: load, label: "load of the limit".into() })
            .write(png)?;
    }
    Ok(ExitCode::SUCCESS)
}
