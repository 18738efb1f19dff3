//! Ctrl-C, and the signals that ask a program to end: a run stops after its step and completes its files.

use super::note;
use anyhow::Context;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// What shells report for a program ended by Ctrl-C.
const STATUS: u8 = 130;

/// From now on the first signal is remembered; the second ends the program at once.
pub fn listen() -> anyhow::Result<()> {
    let handle = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS.into());
        }
        note("\nstopping after this step; a second Ctrl-C stops at once");
    };
    ctrlc::set_handler(handle).context("listening for Ctrl-C")
}

/// Whether a signal has come.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// The exit code of a run that was stopped.
pub fn code() -> ExitCode {
    ExitCode::from(STATUS)
}
