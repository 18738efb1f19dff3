//! `sinew view`.

use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub struct ViewArgs {
    /// A scene file or the name of a built-in scene.
    scene: Option<String>,
}

pub fn view(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    let scene = args.scene.as_deref().unwrap_or("flag");
    anyhow::bail!("the window arrives with the viewer; until then `sinew run {scene} --png` draws frames")
}
