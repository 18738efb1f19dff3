//! A fabric from a measured curve of load over strain: one modulus up to a limit, and the limit.
//!
//! Measured curves rise slowly while crimp is pulled out of the threads and steeply once they are straight. The biphasic
//! model replaces this by a weak material and a hard limit: the limit is the strain at a given load, and the modulus
//! the least-squares fit of the law's own P = E l (l² − 1)/2, l = 1 + ε, to the part below it (Thomaszewski 2010,
//! sec. 3.3.3).
//!
//! Shear is measured by the angle φ by which the threads leave the right one while they keep their lengths. Then Green's shear is
//! E₁₂ = ½ sin φ, the work per area ½ G sin² φ, and the force per width, whose work per area is P dφ, P = ½ G sin 2φ; U₁₂ = sin(φ/2).

/// Newtons per metre of a gram-force per centimetre, the unit of the Kawabata evaluation system.
pub const GRAM_FORCE_PER_CENTIMETRE: f64 = 0.980665;
/// The load at which a fabric counts as straightened [N/m]: in the middle of the 100 to 200 gf/cm that are usual.
pub const LIMIT_LOAD: f64 = 150.0 * GRAM_FORCE_PER_CENTIMETRE;

/// Why a curve cannot be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    #[error("line {line}: these are not two numbers, strain and load; separate them by a comma")]
    Line { line: usize },
    #[error(
        "line {line}: strain {strain} does not exceed {before} of the line before; sort the curve and leave out unloading"
    )]
    Order { line: usize, strain: f64, before: f64 },
    #[error("{count} points with a strain and a load above 0; a fit needs at least 3")]
    Few { count: usize },
    #[error(
        "the curve ends at a load of {end:.1} N/m, below the {load:.1} N/m of the limit; measure further or choose a lower load"
    )]
    Short { end: f64, load: f64 },
    #[error("an angle of {degrees:.1}° between threads; a sheared fabric locks below 80°")]
    Angle { degrees: f64 },
    #[error("{count} points of the curve are below the limit; a fit needs at least 2: choose a higher load")]
    Steep { count: usize },
}

/// A measured curve: strain and load per width [N/m], rising.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub points: Vec<[f64; 2]>,
}

/// What a curve amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// E [N/m].
    pub modulus: f64,
    /// Largest strain, or angle [rad].
    pub limit: f64,
    /// Root mean square of the difference of loads below the limit [N/m].
    pub error: f64,
}

/// What a curve was measured along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Weft or warp: strain, and tension per width.
    Thread,
    /// The angle between them [rad], and shear force per width.
    Shear,
}

impl Along {
    /// P per modulus of what was measured.
    pub fn load_per_modulus(self, measured: f64) -> f64 {
        match self {
            Self::Thread => load_per_modulus(measured),
            Self::Shear => 0.5 * (2.0 * measured).sin(),
        }
    }

    /// What a fabric's limits call this.
    pub fn strain(self, measured: f64) -> f64 {
        match self {
            Self::Thread => measured,
            Self::Shear => (0.5 * measured).sin(),
        }
    }
}

/// The largest angle that a curve of shear may have [rad].
const STEEPEST: f64 = 80.0 / 180.0 * std::f64::consts::PI;

/// P per modulus of a strain.
pub fn load_per_modulus(strain: f64) -> f64 {
    let l = 1.0 + strain;
    0.5 * l * (l * l - 1.0)
}

impl Curve {
    /// Reads lines of strain and load, in units of `strain_unit` and `load_unit` [N/m]. A first line of words is a
    /// heading, empty lines and those that begin with `#` are comments; the origin may be left out.
    pub fn read(text: &str, strain_unit: f64, load_unit: f64) -> Result<Self, FitError> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        let mut heading = true;
        let mut last = 0.0;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let numbers: Option<Vec<f64>> = line
                .split([',', ';', '\t', ' '])
                .filter(|word| !word.is_empty())
                .map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()))
                .collect();
            match numbers.as_deref() {
                Some(&[strain, load]) => {
                    let strain = strain * strain_unit;
                    if strain > 0.0 && load > 0.0 {
                        if strain <= last {
                            return Err(FitError::Order { line: number + 1, strain, before: last });
                        }
                        last = strain;
                        points.push([strain, load * load_unit]);
                    }
                }
                None if heading => {}
                _ => {
                    return Err(FitError::Line { line: number + 1 });
                }
            }
            heading = false;
        }
        if points.len() < 3 {
            return Err(FitError::Few { count: points.len() });
        }
        Ok(Self { points })
    }

    /// The biphasic parameters with the limit at a load [N/m], or where the curve ends.
    pub fn fit(&self, along: Along, limit_load: Option<f64>) -> Result<Fit, FitError> {
        let steepest = self.points.iter().map(|point| point[0]).fold(0.0, f64::max);
        if along == Along::Shear && steepest > STEEPEST {
            return Err(FitError::Angle { degrees: steepest.to_degrees() });
        }
        let limit = limit_load.map_or(Ok(steepest), |load| self.limit(load))?;
        let below: Vec<_> = self.points.iter().filter(|[strain, _]| *strain <= limit).collect();
        if below.len() < 2 {
            return Err(FitError::Steep { count: below.len() });
        }
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            below.iter().map(|[strain, load]| term(along.load_per_modulus(*strain), *load)).sum()
        };
        let modulus = sum(&|g, p| g * p) / sum(&|g, _| g * g);
        let error = (sum(&|g, p| (p - modulus * g).powi(2)) / below.len() as f64).sqrt();
        Ok(Fit { modulus, limit, error })
    }

    /// Where the curve reaches a load [N/m].
    fn limit(&self, limit_load: f64) -> Result<f64, FitError> {
        let mut before = [0.0, 0.0];
        for &[strain, load] in &self.points {
            if load >= limit_load {
                let share = (limit_load - before[1]) / (load - before[1]);
                return Ok(before[0] + share * (strain - before[0]));
            }
            before = [strain, load];
        }
        Err(FitError::Short { end: before[1], load: limit_load })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_the_law_itself_gives_its_modulus_back() {
        let lines: String = (1..=40)
            .map(|k| 0.005 * f64::from(k))
            .map(|strain| format!("{strain}, {}\n", 800.0 * load_per_modulus(strain)))
            .collect();
        let fit = Curve::read(&format!("strain,load\n0,0\n{lines}"), 1.0, 1.0).unwrap();
        let fit = fit.fit(Along::Thread, Some(100.0)).unwrap();
        assert!((fit.modulus - 800.0).abs() < 1e-9 && fit.error < 1e-9, "{fit:?}");
        assert!((800.0 * load_per_modulus(fit.limit) - 100.0).abs() < 0.05, "{fit:?}");
    }

    /// The shear force is the work of a picture frame by its angle: of Green's strain ½ G sin² φ an area.
    #[test]
    fn a_curve_of_shear_gives_its_modulus_back() {
        let work = |angle: f64| 0.5 * 60.0 * angle.sin().powi(2);
        let slope = |angle: f64| (work(angle + 1e-5) - work(angle - 1e-5)) / 2e-5;
        let lines: String = (1..=8).map(|k| format!("{k}, {}\n", slope(f64::from(k).to_radians()))).collect();
        let curve = Curve::read(&lines, 1f64.to_radians(), 1.0).unwrap();
        let fit = curve.fit(Along::Shear, None).unwrap();
        assert!((fit.modulus - 60.0).abs() < 1e-6 && fit.error < 1e-6, "{fit:?}");
        // Both threads keep their lengths: U² = C = [[1, sin φ], [sin φ, 1]].
        let shear = 8f64.to_radians().sin();
        let expected = 0.5 * ((1.0 + shear).sqrt() - (1.0 - shear).sqrt());
        assert!((Along::Shear.strain(fit.limit) - expected).abs() < 1e-12, "{fit:?}");
        let steep = Curve::read("10, 1\n50, 2\n85, 3\n", 1f64.to_radians(), 1.0).unwrap();
        assert!(matches!(steep.fit(Along::Shear, None), Err(FitError::Angle { .. })));
    }

    #[test]
    fn units_are_those_of_the_laboratory() {
        let text = "1 10\n2 30\n4 100\n5 220\n";
        let curve = Curve::read(text, 0.01, GRAM_FORCE_PER_CENTIMETRE).unwrap();
        let fit = curve.fit(Along::Thread, Some(LIMIT_LOAD)).unwrap();
        // From 100 to 220 gf/cm between 4 and 5 %: 150 is five twelfths of the way.
        assert!((fit.limit - (0.04 + 0.01 * 5.0 / 12.0)).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn curves_that_cannot_be_fitted_say_why() {
        let read = |text: &str| Curve::read(text, 1.0, 1.0);
        assert!(matches!(read("0.1, 2\n0.2; x\n"), Err(FitError::Line { line: 2 })));
        assert!(matches!(read("0.1, 2\n0.1, 3\n0.2, 4"), Err(FitError::Order { line: 2, .. })));
        assert_eq!(read("strain load\n0 0\n0.1 1\n"), Err(FitError::Few { count: 1 }));
        let curve = read("0.1 1\n0.2 2\n0.3 3").unwrap();
        assert!(matches!(curve.fit(Along::Thread, Some(10.0)), Err(FitError::Short { .. })));
        assert!(matches!(curve.fit(Along::Thread, Some(0.5)), Err(FitError::Steep { count: 0 })));
    }
}
