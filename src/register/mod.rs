//! From scans that lie anyhow to scans in one frame, without a guess to start from.

mod dense;
mod features;
mod group;
mod icp;
mod level;
mod merge;
mod motion;
mod pair;
mod polynomial;
mod relax;
mod search;
mod votes;

pub use group::{Link, Object, Registration, SizesDiffer, check_sizes, register};
pub use level::Level;
pub use merge::{merged, moved, with_normals};
pub use motion::Motion;
pub use pair::{LADDER, Milliseconds, Pair, Scans, Verdict};
pub use search::Match;
