//! Moved scans, and one cloud of many.

use super::features::Features;
use super::motion::Motion;
use crate::cloud::Cloud;
use crate::cloud::PointGrid;
use glam::DVec3;
use rayon::prelude::*;

/// Feature size over diagonal at which normals are measured.
const NORMAL_SIZE: f64 = 0.03;
/// A point takes the normal of the surface within this [feature sizes].
const NORMAL_REACH: f64 = 3.0;

/// A scan in another frame.
pub fn moved(cloud: &Cloud, motion: &Motion) -> Cloud {
    Cloud {
        points: cloud.points.par_iter().map(|&x| motion.point(x)).collect(),
        normals: cloud.normals.par_iter().map(|&n| motion.rotation * n).collect(),
        colours: cloud.colours.clone(),
        viewpoint: motion.point(cloud.viewpoint),
    }
}

/// The scan with unit normals towards its scanner, its own if it has some. Points far from any surface are left out.
pub fn with_normals(cloud: &Cloud) -> Cloud {
    if !cloud.normals.is_empty() {
        return cloud.clone();
    }
    let features = Features::new(cloud, NORMAL_SIZE * cloud.diagonal());
    let grid = PointGrid::new(&features.points, features.size);
    let normal = |x: &DVec3| {
        let (nearest, _) = grid.nearest(*x, NORMAL_REACH * features.size)?;
        Some(features.normals[nearest as usize])
    };
    let normals: Vec<Option<DVec3>> = cloud.points.par_iter().map(normal).collect();
    let has = |i: &usize| normals[*i].is_some();
    let kept: Vec<usize> = (0..cloud.points.len()).filter(has).collect();
    Cloud {
        points: kept.iter().map(|&i| cloud.points[i]).collect(),
        normals: normals.into_iter().flatten().collect(),
        colours: kept.iter().filter_map(|&i| cloud.colours.get(i).copied()).collect(),
        viewpoint: cloud.viewpoint,
    }
}

/// All points of clouds in one frame; normals and colours if each has them.
pub fn merged(clouds: &[Cloud]) -> Cloud {
    let mut all = Cloud::default();
    for cloud in clouds {
        all.points.extend(&cloud.points);
        all.normals.extend(&cloud.normals);
        all.colours.extend(&cloud.colours);
    }
    if all.normals.len() < all.points.len() {
        all.normals.clear();
    }
    if all.colours.len() < all.points.len() {
        all.colours.clear();
    }
    all
}
