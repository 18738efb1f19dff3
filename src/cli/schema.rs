//! `sinew schema`: a JSON schema of scene files, for editors.

use super::print;
use anyhow::Context;
use clap::Args;
use sinew::export::AtomicFile;
use sinew::scene::{Kinds, json_schema};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub struct SchemaArgs {
    /// Write to this file instead of the standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn schema(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let text = serde_json::to_string_pretty(&json_schema(&Kinds::standard()))?;
    match &args.out {
        None => print(text)?,
        Some(file) => AtomicFile::write_with(file, |out| writeln!(out, "{text}"))
            .with_context(|| format!("cannot write {}", file.display()))?,
    }
    Ok(ExitCode::SUCCESS)
}
