//! Rigid motions, and the one that fits two sets of points best.

use crate::math::eigen;
use glam::{DMat4, DQuat, DVec3};
use serde::Serialize;

/// x ↦ R x + t
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "[[f64; 4]; 4]")]
pub struct Motion {
    pub rotation: DQuat,
    /// [m]
    pub translation: DVec3,
}

impl From<Motion> for [[f64; 4]; 4] {
    fn from(motion: Motion) -> Self {
        motion.rows()
    }
}

impl Motion {
    pub const NONE: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// The motion that turns by `rotation` and takes `from` to `to`.
    pub fn taking(rotation: DQuat, from: DVec3, to: DVec3) -> Self {
        Self { rotation, translation: to - rotation * from }
    }

    pub fn point(&self, x: DVec3) -> DVec3 {
        self.rotation * x + self.translation
    }

    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// First `first`, then this one.
    pub fn after(&self, first: &Self) -> Self {
        Self {
            rotation: (self.rotation * first.rotation).normalize(),
            translation: self.point(first.translation),
        }
    }

    /// By what angle it turns [rad].
    pub fn angle(&self) -> f64 {
        angle(self.rotation, DQuat::IDENTITY)
    }

    /// Whether two motions turn alike within `angle` [rad] and take `x` to places within `distance` [m].
    pub fn agrees(&self, other: &Self, x: DVec3, angle: f64, distance: f64) -> bool {
        self::angle(self.rotation, other.rotation) <= angle
            && self.point(x).distance(other.point(x)) <= distance
    }

    /// The homogeneous matrix, by rows.
    pub fn rows(&self) -> [[f64; 4]; 4] {
        DMat4::from_rotation_translation(self.rotation, self.translation).transpose().to_cols_array_2d()
    }
}

/// The angle between two rotations [rad]; precise also where it is small.
pub fn angle(a: DQuat, b: DQuat) -> f64 {
    let between = a.conjugate() * b;
    2.0 * between.xyz().length().atan2(between.w.abs())
}

/// The motion that takes points to their partners with the least squares of what is left (Horn 1987). Nothing for fewer than three
/// pairs, or if they leave a turn free.
pub fn horn(pairs: &[(DVec3, DVec3)]) -> Option<Motion> {
    if pairs.len() < 3 {
        return None;
    }
    let count = pairs.len() as f64;
    let [from, to] = [
        pairs.iter().map(|pair| pair.0).sum::<DVec3>() / count,
        pairs.iter().map(|pair| pair.1).sum::<DVec3>() / count,
    ];
    let mut s = [[0.0; 3]; 3];
    for &(x, y) in pairs {
        let [x, y] = [x - from, y - to].map(|d| d.to_array());
        for (row, x) in s.iter_mut().zip(x) {
            row.iter_mut().zip(y).for_each(|(sum, y)| *sum += x * y);
        }
    }
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = s;
    let values = eigen::symmetric([
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
    ]);
    let (largest, [w, x, y, z]) = values[3];
    // Of points on a line, every turn around it is as good.
    if largest - values[2].0 <= 1e-9 * largest.abs() {
        return None;
    }
    Some(Motion::taking(DQuat::from_xyzw(x, y, z, w).normalize(), from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn the_motion_of_moved_points_is_found() {
        let mut random = Random(5);
        let motion = Motion {
            rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 2.9),
            translation: DVec3::new(3.0, -1.0, 0.5),
        };
        let pairs: Vec<_> = (0..30).map(|_| random.vector()).map(|x| (x, motion.point(x))).collect();
        let found = horn(&pairs).unwrap();
        assert!(found.agrees(&motion, DVec3::ONE, 1e-12, 1e-12), "{found:?}");
        assert!(found.after(&motion.inverse()).angle() < 1e-12);
        let line: Vec<_> = (0..9).map(|k| DVec3::X * f64::from(k)).map(|x| (x, motion.point(x))).collect();
        assert_eq!(horn(&line), None);
    }
}
