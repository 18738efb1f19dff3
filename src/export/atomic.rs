//! A file that appears under its final name only when it is complete.
//!
//! Bytes go to `name.ext.tmp-PID` in the same folder (a rename is atomic only within one file system); commit
//! flushes, syncs and renames. A killed process leaves at most the temporary file, and whatever had the final
//! name before stays untouched. Two writers of one path in one process share a temporary name: do not do that.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::ExportError;

/// A file being written under a temporary name; dropped without [`commit`](Self::commit), it is removed.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    /// `None` once committed or given up: Windows renames and removes closed files only.
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Opens the temporary file next to `path`. The folder has to exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let Some(name) = path.file_name() else {
            return Err(ExportError::content(&path, "is not the name of a file"));
        };
        let mut temporary_name = name.to_owned();
        temporary_name.push(format!(".tmp-{}", std::process::id()));
        let temporary = path.with_file_name(temporary_name);
        // Truncates: a leftover of the same name is from a killed process that had our id.
        let file = File::create(&temporary).map_err(ExportError::io(&path, "create"))?;
        Ok(Self { path, temporary, file: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    /// Writes a whole file: create, `fill`, commit. On any error the previous file stays.
    pub fn write_with(
        path: impl AsRef<Path>,
        fill: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let mut file = Self::create(path)?;
        fill(&mut file).map_err(ExportError::io(&file.path, "write"))?;
        file.commit()
    }

    /// Where the bytes are until the commit, for another program to fill.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary
    }

    /// Makes the file appear under its final name, replacing what was there.
    pub fn commit(mut self) -> Result<(), ExportError> {
        let result = self.publish();
        if result.is_err() {
            // Best effort: the first error is the one worth reporting.
            let _ = fs::remove_file(&self.temporary);
        }
        result
    }

    fn publish(&mut self) -> Result<(), ExportError> {
        let buffered = self.file.take().expect("an uncommitted file is open");
        let file = buffered.into_inner().map_err(|e| ExportError::io(&self.path, "write")(e.into_error()))?;
        file.sync_all().map_err(ExportError::io(&self.path, "sync"))?;
        drop(file);
        fs::rename(&self.temporary, &self.path)
            .map_err(ExportError::io(&self.path, "rename the finished file to its final name"))?;
        sync_folder(&self.path);
        Ok(())
    }
}

/// Makes the rename itself survive a power cut. Not every file system can; the file is whole either way.
fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open().flush()
    }
}

impl AtomicFile {
    fn open(&mut self) -> &mut BufWriter<File> {
        self.file.as_mut().expect("an uncommitted file is open")
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(buffered) = self.file.take() {
            // Without `into_parts` the buffer would be written out first, for nothing.
            drop(buffered.into_parts());
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
