//! A scene file that is read again when it is saved.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the file. Asking for a time stamp costs microseconds and works on every file system.
pub const POLL: Duration = Duration::from_millis(250);

/// A file and when it was last changed.
pub struct WatchedFile {
    pub path: PathBuf,
    stamp: Option<(SystemTime, u64)>,
    looked: Instant,
}

impl WatchedFile {
    pub fn new(path: PathBuf) -> Self {
        let stamp = stamp(&path);
        Self { path, stamp, looked: Instant::now() }
    }

    /// Whether the file has changed since the last call. A file that is missing, as while an editor replaces it, has not.
    pub fn changed(&mut self) -> bool {
        if self.looked.elapsed() < POLL {
            return false;
        }
        self.looked = Instant::now();
        let now = stamp(&self.path);
        let changed = now.is_some() && now != self.stamp;
        if changed {
            self.stamp = now;
        }
        changed
    }
}

fn stamp(path: &std::path::Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
