//! Files of point clouds, told apart by the ends of their names.

use super::{Cloud, CloudError, ply, text};
use crate::limits;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file that was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("scan `{}`: {error}", file.display())]
pub struct CloudFileError {
    pub file: PathBuf,
    #[source]
    pub error: CloudError,
}

/// Reads a cloud; it has passed [`Cloud::check`].
pub fn read(path: &Path) -> Result<Cloud, CloudFileError> {
    load(path).map_err(|error| CloudFileError { file: path.to_owned(), error })
}

/// Reads the scan of a surface; it has passed [`Cloud::check_spread`].
pub fn read_surface(path: &Path) -> Result<Cloud, CloudFileError> {
    let cloud = read(path)?;
    match cloud.check_spread() {
        Ok(()) => Ok(cloud),
        Err(error) => Err(CloudFileError { file: path.to_owned(), error }),
    }
}

/// Whether a file is one of points alone; one that cannot be read is not.
pub fn is_cloud(path: &Path) -> bool {
    /// No header is longer [bytes].
    const HEADER: u64 = 1 << 16;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "xyz" | "txt" | "csv" => true,
        "ply" if path.is_file() => {
            let mut bytes = Vec::new();
            let read = File::open(path).and_then(|file| file.take(HEADER).read_to_end(&mut bytes));
            read.is_ok() && !ply::has_faces(&bytes)
        }
        _ => false,
    }
}

fn load(path: &Path) -> Result<Cloud, CloudError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let parse = match extension.to_ascii_lowercase().as_str() {
        "ply" => ply::parse,
        "xyz" | "txt" | "csv" => text::parse,
        _ => return Err(CloudError::UnknownKind),
    };
    let bytes = limits::bounded(path, limits::TET_MESH_BYTES).map_err(CloudError::Unreadable)?;
    let cloud = parse(&bytes)?;
    cloud.check()?;
    Ok(cloud)
}
