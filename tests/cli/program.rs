//! The program under test, run in a folder of its own.

use std::fs;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A call that takes longer hangs. Generous: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(240);

/// Cloth, pins, colliders and wind, small and quick; drawn in few pixels.
pub const SCENE: &str = r#"
format = 1
duration = 1.0
substeps = 4

[wind]
velocity = [2, 0, 1]

[render]
size = [48, 32]

[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [8, 8] }
position = [0, 1.2, 0]
rotation = [-60, 0, 0]

[[cloth.pin]]
corners = ["top_left", "top_right"]

[[cloth.pin]]
corners = ["bottom_left"]
compliance = 1e-3
release = 0.4

[[collider]]
sphere = { radius = 0.3 }
position = [0, 0.7, 0]

[expect]
at = 0.5
max_speed = 20
"#;

/// A folder with scenes in it, removed at the end.
pub struct Place {
    folder: tempfile::TempDir,
}

/// What became of a call.
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Place {
    /// A folder with [`SCENE`] as `scene.toml`.
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        place.write("scene.toml", SCENE);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// All files below a folder but the manifest of a run, sorted, relative to it; none if it is missing.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let top = self.path(folder);
        let mut files: Vec<String> = walk(&top)
            .into_iter()
            .map(|path| path.strip_prefix(&top).unwrap().to_string_lossy().replace('\\', "/"))
            .filter(|path| !path.ends_with("manifest.jsonl"))
            .collect();
        files.sort();
        files
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(self.folder.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Runs the program with arguments separated by spaces and waits for it.
    pub fn sinew(&self, arguments: &str) -> Ended {
        let [mut out, mut err] = [tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap()];
        let mut command = self.command(arguments);
        command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
        let code = wait(command.spawn().unwrap(), arguments);
        let [out, err] = [&mut out, &mut err].map(|file| {
            let mut text = String::new();
            file.rewind().unwrap();
            file.read_to_string(&mut text).unwrap();
            text
        });
        for sign in ["panicked", "stack backtrace", "RUST_BACKTRACE"] {
            assert!(!err.contains(sign), "sinew {arguments}:\n{err}");
        }
        Ended { code, out, err }
    }

    /// Runs the program, which has to succeed.
    pub fn succeed(&self, arguments: &str) -> Ended {
        let ended = self.sinew(arguments);
        assert_eq!(ended.code, Some(0), "sinew {arguments}:\n{}{}", ended.out, ended.err);
        ended
    }

    /// Runs the program, which has to fail with one sentence that has these words in it.
    pub fn fail(&self, arguments: &str, words: &[&str]) -> Ended {
        let ended = self.sinew(arguments);
        let Ended { code, err, .. } = &ended;
        assert_eq!(*code, Some(1), "sinew {arguments}:\n{err}");
        let said: Vec<&str> = err.lines().filter(|line| line.starts_with("sinew: ")).collect();
        assert_eq!(said.len(), 1, "sinew {arguments}:\n{err}");
        assert!(
            err.ends_with(&format!("{}\n", said[0])),
            "sinew {arguments} goes on after its error:\n{err}"
        );
        for word in words {
            assert!(said[0].contains(word), "sinew {arguments}: `{word}` is not in\n{}", said[0]);
        }
        ended
    }
}

/// Waits for the end of a process, but not for ever; returns its exit code, if it was not killed.
pub fn wait(mut child: Child, what: &str) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("sinew {what} does not end");
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
