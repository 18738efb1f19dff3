//! `sinew fit`: a fabric from measured curves.

use super::print;
use anyhow::Context;
use clap::Args;
use sinew::cloth::fit::{Curve, GRAM_FORCE_PER_CENTIMETRE, LIMIT_LOAD, load_per_modulus};
use sinew::export::{Line, Marks, Plot, Reference};
use std::path::PathBuf;
use std::process::ExitCode;

/// The largest curve worth reading [bytes].
const MOST_BYTES: u64 = 1 << 20;

#[derive(Args)]
pub struct FitArgs {
    /// A CSV file of strain and load per width.
    curve: PathBuf,
    /// Strains are in per cent.
    #[arg(long)]
    percent: bool,
    /// Loads are in gram-force per centimetre instead of newtons per metre.
    #[arg(long)]
    gram_force: bool,
    /// The load at which the fabric has reached its limit [N/m].
    #[arg(long, value_name = "LOAD", default_value_t = LIMIT_LOAD)]
    limit_load: f64,
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
    let strain_unit = if args.percent { 0.01 } else { 1.0 };
    let load_unit = if args.gram_force { GRAM_FORCE_PER_CENTIMETRE } else { 1.0 };
    let curve = Curve::read(&text, strain_unit, load_unit).with_context(|| name.to_string())?;
    let fit = curve.fit(args.limit_load).with_context(|| name.to_string())?;
    let [load, error] = [args.limit_load, fit.error];
    print(format_args!("# {name}: to {load:.1} N/m, root mean square error {error:.2} N/m"))?;
    print(format_args!("modulus = {:.1}  # N/m; weft_modulus or warp_modulus of a `fabric`", fit.modulus))?;
    print(format_args!("limit = {:.4}  # the highest strain of its `limits`", fit.limit))?;
    if let Some(png) = &args.png {
        let model = (0..=100).map(|k| fit.limit * f64::from(k) / 100.0);
        let mut model: Vec<[f64; 2]> =
            model.map(|strain| [100.0 * strain, fit.modulus * load_per_modulus(strain)]).collect();
        // The limit holds whatever the load.
        let highest = curve.points.iter().map(|p| p[1]).fold(0.0, f64::max);
        model.push([100.0 * fit.limit, highest]);
        let measured = curve.points.iter().map(|&[strain, load]| [100.0 * strain, load]).collect();
        Plot::new("Load over strain", "strain [%]", "load [N/m]")
            .line(Line::new("measured", measured).marks(Marks::LineAndDots))
            .line(Line::new("modulus and limit", model))
            .reference(Reference::Horizontal { value: args.limit_load, label: "load of the limit".into() })
            .write(png)?;
    }
    Ok(ExitCode::SUCCESS)
}
