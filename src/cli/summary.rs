//! What `sinew run` says at its end.

use super::print;
use sinew::export::si;
use sinew::{Simulation, Warning};
use std::path::Path;
use std::time::Duration;

/// What became of a run.
pub struct Summary<'a> {
    pub scene: &'a str,
    pub folder: &'a Path,
    /// Steps done by this run, which may have continued another.
    pub steps: u64,
    /// Time spent on them.
    pub solving: Duration,
    pub warnings: &'a [Warning],
    /// What the scene expects and did not get.
    pub unmet: &'a [String],
    pub is_interrupted: bool,
}

impl Summary<'_> {
    /// Prints lines for people.
    pub fn print(&self, simulation: &mut Simulation) -> anyhow::Result<()> {
        print(self.text(simulation)?)?;
        print(format_args!("output in {}", self.folder.display()))
    }

    /// Prints one JSON object.
    pub fn print_json(&self, simulation: &mut Simulation) -> anyhow::Result<()> {
        let m = simulation.measure()?;
        let value = serde_json::json!({
            "scene": self.scene,
            "folder": self.folder.display().to_string(),
            "backend": simulation.describe(),
            "time": simulation.time(),
            "steps": self.steps,
            "substeps": simulation.model().settings.substeps,
            "milliseconds_per_step": 1e3 * self.per_step(),
            "energy": m.energy(),
            "max_stretch": m.max_stretch,
            "max_speed": m.max_speed,
            "max_compression": m.max_compression,
            "inverted": m.inverted,
            "limit_violation": simulation.worst_violation(),
            "warnings": self.warnings,
            "matrix": simulation.matrix()?.map(|matrix| serde_json::json!({
                "rows": matrix.rows,
                "bytes": matrix.bytes,
                "residual": matrix.residual,
            })),
            "unmet": self.unmet,
            "interrupted": self.is_interrupted,
        });
        print(serde_json::to_string_pretty(&value)?)
    }

    /// [s].
    fn per_step(&self) -> f64 {
        self.solving.as_secs_f64() / self.steps.max(1) as f64
    }

    fn text(&self, simulation: &mut Simulation) -> anyhow::Result<String> {
        let measures = simulation.measure()?;
        let real_time = simulation.model().settings.time_step / self.per_step().max(f64::MIN_POSITIVE);
        let mut solids = match measures.inverted {
            0 => String::new(),
            1 => ", 1 inverted tetrahedron".into(),
            count => format!(", {count} inverted tetrahedra"),
        };
        if measures.max_compression > 0.0 {
            solids += &format!(", largest compression {:.2} %", 1e2 * measures.max_compression);
        }
        match measures.switches {
            0 => {}
            1 => solids += ", 1 change of the inverted axis",
            count => solids += &format!(", {count} changes of the inverted axis"),
        }
        let counts = [
            ("conjugate gradients", simulation.iterations()?),
            ("strain limits", simulation.limit_iterations()?),
            ("induced magnets", simulation.induction_iterations()?),
        ];
        let substeps = simulation.steps() as f64 * f64::from(simulation.model().settings.substeps);
        let counts =
            counts.into_iter().filter_map(|(name, counts)| Some((name, counts?))).map(|(name, counts)| {
                let mean = f64::from(counts.total) / substeps;
                format!("\n{name}: {mean:.2} iterations a substep, {} at most", counts.most)
            });
        let mut counts: String = counts.collect();
        if let Some(matrix) = simulation.matrix()? {
            let rows: Vec<String> = matrix.rows.iter().map(usize::to_string).collect();
            counts += &format!(
                "\nmatrix: {}, levels of {} rows; {:.1e} of the residual left in the last solve",
                si(matrix.bytes as f64, "B"),
                rows.join(", "),
                matrix.residual
            );
        }
        let beyond = simulation.worst_violation().map_or(String::new(), |violation| {
            format!("; largest strain beyond a limit in any frame {:.3} %", 1e2 * violation)
        });
        let steps = match self.steps {
            1 => "1 step".into(),
            count => format!("{count} steps"),
        };
        let speed = match self.steps {
            0 => String::new(),
            _ => format!(", {:.3} ms/step, {real_time:.1} x real time", 1e3 * self.per_step()),
        };
        Ok(format!(
            "{:.3} s simulated in {steps}{speed} on {}\n\
             energy {}, largest stretch {:.2} %, fastest particle {}{solids}{counts}{beyond}",
            simulation.time(),
            simulation.describe(),
            si(measures.energy(), "J"),
            1e2 * measures.max_stretch,
            si(measures.max_speed, "m/s"),
        ))
    }
}
