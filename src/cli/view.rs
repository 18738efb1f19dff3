//! `sinew view`: a window.

#[cfg(feature = "viewer")]
use super::BackendArgs;
use super::scene_argument;
use clap::Args;
use std::ffi::OsString;
#[cfg(feature = "viewer")]
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Default)]
pub struct ViewArgs {
    /// A scene file or the name of a built-in scene [default: choose from the gallery].
    scene: Option<OsString>,
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    backend: BackendArgs,
    #[cfg(feature = "viewer")]
    /// Play input from a file, for tests; src/viewer/script.rs describes it.
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
}

#[cfg(feature = "viewer")]
pub fn view(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    use sinew::viewer::{Opened, Request, open};
    let options = args.backend.options()?;
    let scene = args
        .scene
        .as_deref()
        .map(|argument| {
            let (scene, name) = scene_argument::load(argument)?;
            let path = PathBuf::from(argument);
            let file = path.is_file().then_some(path);
            Ok::<_, anyhow::Error>(Opened { name, scene, file })
        })
        .transpose()?;
    open(Request {
        scene,
        backend: options.backend,
        precision: options.precision,
        adapter: options.adapter,
        script: args.script.clone(),
    })?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(feature = "viewer"))]
pub fn view(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    let scene = args.scene.clone().unwrap_or("flag".into());
    scene_argument::load(&scene)?;
    let scene = scene.display();
    anyhow::bail!("this program was built without the viewer; `sinew run {scene} --png` draws frames")
}
