//! A cloud with about one point per cell: the mean of the points in each.

use super::Cloud;
use glam::{DVec3, I64Vec3};

/// The mean of the points in each cell of a lattice, in the order of the cells; likewise of normals and of colours.
pub fn thin(cloud: &Cloud, cell: f64) -> Cloud {
    let low = cloud.bounds().0;
    let mut places: Vec<([i64; 3], u32)> = (0..)
        .zip(&cloud.points)
        .map(|(i, &x)| {
            let place: I64Vec3 = ((x - low) / cell).floor().as_i64vec3();
            (place.to_array(), i)
        })
        .collect();
    places.sort_unstable();
    let mut thinned = Cloud { viewpoint: cloud.viewpoint, ..Cloud::default() };
    for group in places.chunk_by(|a, b| a.0 == b.0) {
        let members = || group.iter().map(|&(_, i)| i as usize);
        // Points in one cell are summed relative to one of them, so that far clouds lose no digits.
        let first = cloud.points[group[0].1 as usize];
        let sum: DVec3 = members().map(|i| cloud.points[i] - first).sum();
        thinned.points.push(first + sum / group.len() as f64);
        if !cloud.normals.is_empty() {
            let sum: DVec3 = members().map(|i| cloud.normals[i]).sum();
            thinned.normals.push(sum.try_normalize().unwrap_or(cloud.normals[group[0].1 as usize]));
        }
        if !cloud.colours.is_empty() {
            let mean = |channel: usize| {
                let sum: usize = members().map(|i| usize::from(cloud.colours[i][channel])).sum();
                (sum / group.len()) as u8
            };
            thinned.colours.push([mean(0), mean(1), mean(2)]);
        }
    }
    thinned
}
