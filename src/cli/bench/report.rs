//! The numbers as JSON. There is no date in it, so that two files differ only where something was measured or changed.

use super::Backend;
use super::cases::{Case, Unit};
use super::machine::Machine;
use super::measure::Measured;
use super::pictures::Pictures;
use super::work::Work;
use serde::Serialize;
use std::time::Duration;

/// The version of the JSON's layout.
const FORMAT: u32 = 1;

#[derive(Serialize)]
pub struct Report<'a> {
    format: u32,
    version: &'static str,
    /// Whether the program was built with debug assertions, which cost time.
    debug_assertions: bool,
    quick: bool,
    machine: &'a Machine,
    rows: Vec<Row>,
    /// What drawing costs.
    pictures: Option<Pictures>,
}

impl<'a> Report<'a> {
    pub fn new(machine: &'a Machine, quick: bool, rows: Vec<Row>, pictures: Option<Pictures>) -> Self {
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION"),
            debug_assertions: cfg!(debug_assertions),
            quick,
            machine,
            rows,
            pictures,
        }
    }
}

/// One case at one size on one backend.
#[derive(Serialize)]
pub struct Row {
    pub case: &'static str,
    pub size: u32,
    #[serde(skip)]
    pub size_label: String,
    pub backend: Backend,
    pub unit: Unit,
    pub items: u64,
    /// How often a step visits every item: substeps times iterations.
    pub rounds: u64,
    pub bytes_per_step: u64,
    /// Preparing the scene, once for both backends [s].
    pub setup_seconds: f64,
    /// Why there are no numbers.
    pub failed: Option<String>,
    #[serde(flatten)]
    pub measured: Option<Measured>,
    /// Bandwidth over that of a plain copy; above 1 where caches help.
    pub copy_share: Option<f64>,
}

impl Row {
    pub fn new(
        case: &'static Case,
        size: u32,
        work: &Work,
        setup: Duration,
        backend: Backend,
        outcome: anyhow::Result<Measured>,
        machine: &Machine,
    ) -> Self {
        let (measured, failed) = match outcome {
            Ok(measured) => (Some(measured), None),
            Err(error) => (None, Some(format!("{error:#}"))),
        };
        let copy = match backend {
            Backend::Cpu => Some(machine.copy_gigabytes_per_second),
            Backend::Gpu => machine.adapter_copy(),
        };
        let copy_share = measured.as_ref().zip(copy).map(|(m, copy)| m.gigabytes_per_second / copy);
        Self {
            case: case.name,
            size,
            size_label: case.size_label(size),
            backend,
            unit: work.unit,
            items: work.items,
            rounds: work.rounds,
            bytes_per_step: work.bytes,
            setup_seconds: setup.as_secs_f64(),
            failed,
            measured,
            copy_share,
        }
    }
}
