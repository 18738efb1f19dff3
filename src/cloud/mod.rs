//! Point clouds: what a range scanner sees of a surface.
//!
//! A scan is in its sensor's frame, with the scanner at the origin, unless its file says where the scanner stood.

mod file;
mod grid;
mod ply;
mod text;
mod thin;

pub use file::{CloudFileError, is_cloud, read, read_surface};
pub use grid::PointGrid;
pub use ply::write_ply;
pub use thin::thin;

use glam::{DMat3, DVec3};

/// Points of a surface, each with its colour if there are any.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cloud {
    /// [m]
    pub points: Vec<DVec3>,
    /// Unit normals, one per point, or none.
    pub normals: Vec<DVec3>,
    /// sRGB, one per point, or none.
    pub colours: Vec<[u8; 3]>,
    /// Where the scanner stood [m].
    pub viewpoint: DVec3,
}

/// Why a cloud was refused. Points are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CloudError {
    /// The file cannot be read at all.
    #[error("{0}")]
    Unreadable(String),
    #[error("unknown kind of point cloud; use .ply, .xyz, .txt or .csv")]
    UnknownKind,
    #[error("{count} points; the limit is {limit}: thin the scan first")]
    TooLarge { count: u64, limit: u64 },
    #[error("{}{message}", .line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    Malformed { line: Option<usize>, message: String },
    #[error("it has no points; give a scan of a surface")]
    Empty,
    #[error("point {point} is not finite; remove it, most scanners write such points where they saw nothing")]
    NotFinite { point: usize },
    #[error("point {point} is {distance:.1e} m from the scanner; scale the scan to metres")]
    TooFar { point: usize, distance: f64 },
    #[error("normal {point} has no length; remove the normals or correct it")]
    NoNormal { point: usize },
    #[error("all of its {count} points are at one place; give a scan of a surface")]
    OnePlace { count: usize },
    #[error("its {count} points lie on a line, which can turn around itself; give a scan of a surface")]
    OnLine { count: usize },
}

/// Coordinates beyond this are no metres [m].
const FARTHEST: f64 = 1e9;
/// Squared width of a cloud over its squared length below which it is a line.
const LINE: f64 = 1e-12;

impl Cloud {
    /// Checks what any use of a cloud needs: points, all finite, normals with a length.
    pub fn check(&self) -> Result<(), CloudError> {
        if self.points.is_empty() {
            return Err(CloudError::Empty);
        }
        if let Some(point) = self.points.iter().position(|x| !x.is_finite()) {
            return Err(CloudError::NotFinite { point });
        }
        if let Some(point) = self.points.iter().position(|x| x.length() > FARTHEST) {
            return Err(CloudError::TooFar { point, distance: self.points[point].length() });
        }
        match self.normals.iter().position(|n| !(n.length() > 0.5 && n.is_finite())) {
            Some(point) => Err(CloudError::NoNormal { point }),
            None => Ok(()),
        }
    }

    /// Checks that the points spread over a surface: not one place, not one line.
    pub fn check_spread(&self) -> Result<(), CloudError> {
        self.check()?;
        let count = self.points.len();
        let covariance = covariance(&self.points);
        let trace = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
        if trace <= 1e-24 * self.centroid().length_squared().max(f64::MIN_POSITIVE) {
            return Err(CloudError::OnePlace { count });
        }
        // The sum of the products of two eigenvalues each; of a line it vanishes.
        let square = covariance * covariance;
        let products = 0.5 * (trace * trace - (square.x_axis.x + square.y_axis.y + square.z_axis.z));
        if products <= LINE * trace * trace {
            return Err(CloudError::OnLine { count });
        }
        Ok(())
    }

    pub fn centroid(&self) -> DVec3 {
        self.points.iter().sum::<DVec3>() / self.points.len().max(1) as f64
    }

    /// Opposite corners of the box around the points.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.points.iter().fold(start, |(low, high), &x| (low.min(x), high.max(x)))
    }

    /// The diagonal of the box around the points [m].
    pub fn diagonal(&self) -> f64 {
        let (low, high) = self.bounds();
        if self.points.is_empty() { 0.0 } else { low.distance(high) }
    }
}

/// Mean products of the coordinates relative to the centroid [m²].
fn covariance(points: &[DVec3]) -> DMat3 {
    let count = points.len().max(1) as f64;
    let centroid = points.iter().sum::<DVec3>() / count;
    let sum = points.iter().fold(DMat3::ZERO, |sum, &x| {
        let d = x - centroid;
        sum + DMat3::from_cols(d * d.x, d * d.y, d * d.z)
    });
    sum * (1.0 / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(points: impl IntoIterator<Item = [f64; 3]>) -> Cloud {
        Cloud { points: points.into_iter().map(DVec3::from).collect(), ..Cloud::default() }
    }

    #[test]
    fn clouds_that_are_no_surface_are_refused() {
        let line = |k: i32| [3.0 + f64::from(k), 5.0 - 2.0 * f64::from(k), f64::from(k)];
        assert_eq!(cloud([]).check_spread(), Err(CloudError::Empty));
        assert_eq!(cloud([[1.0, 2.0, 3.0]]).check_spread(), Err(CloudError::OnePlace { count: 1 }));
        assert_eq!(cloud([[1.0, 2.0, 3.0]; 9]).check_spread(), Err(CloudError::OnePlace { count: 9 }));
        assert_eq!(cloud((0..40).map(line)).check_spread(), Err(CloudError::OnLine { count: 40 }));
        let nan = cloud([[0.0; 3], [f64::NAN, 0.0, 0.0]]);
        assert_eq!(nan.check(), Err(CloudError::NotFinite { point: 1 }));
        let surface = cloud((0..40).map(|k| [f64::from(k % 7), f64::from(k / 7), 2.0]));
        assert_eq!(surface.check_spread(), Ok(()));
    }
}
