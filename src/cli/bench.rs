//! `sinew bench`.
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub struct BenchArgs {}

pub fn bench(_: &BenchArgs) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
