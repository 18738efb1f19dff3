//! A scan at one scale, ready to be compared with others.

use super::features::Features;
use super::search::{Match, Tree};
use crate::cloud::Cloud;
use crate::cloud::PointGrid;
use rayon::prelude::*;

/// The features of a scan and what is searched in them.
pub struct Level {
    pub features: Features,
    /// The points of the features.
    pub grid: PointGrid,
    tree: Tree,
}

impl Level {
    /// At a feature size [m].
    pub fn new(cloud: &Cloud, size: f64) -> Self {
        let features = Features::new(cloud, size);
        let grid = PointGrid::new(&features.points, 0.5 * size);
        let tree = Tree::new(&features.fits);
        Self { features, grid, tree }
    }

    /// The best partner in this scan of each point of another.
    pub fn partners(&self, of: &Features) -> Vec<Option<Match>> {
        of.fits.par_iter().map(|fit| self.tree.best(&self.features.fits, fit)).collect()
    }
}
