//! The keys of shape matching.

use super::super::keys::{Declared, End, Keys};
use super::super::{ClusterMode, ClusterRotation, Clusters, Plastic, SceneError};
use crate::at;

const YES: &[(&str, bool)] = &[("no", false), ("yes", true)];

impl Declared for Clusters {
    fn declare(k: &mut Keys<Self>) {
        k.choice("mode", at!(mode), &ClusterMode::NAMES)
            .says("how a cluster may deform: `\"rigid\"`, `\"linear\"` (stretch and shear) or `\"quadratic\"` (bending and twist too)");
        k.value("radius", at!(radius))
            .positive("m")
            .default("one cluster of all particles")
            .says("particles within it of a cluster's centre are its members; in a mesh they must also be connected there");
        k.value("spacing", at!(spacing)).positive("m").default("`radius`/2").says(
            "between the centres of clusters, at most `radius`: the more they overlap, the stiffer the body",
        );
        k.checking(|c| match (c.radius, c.spacing) {
            (None, Some(_)) => Err(SceneError::value("spacing", "goes with `radius`: give both, or none for one cluster")),
            (Some(radius), Some(spacing)) if spacing > radius => {
                let message = format!("is {spacing} m, more than `radius` = {radius} m: particles in between would be in no cluster");
                Err(SceneError::value("spacing", message))
            }
            _ => Ok(()),
        });
        k.value("compliance", at!(compliance))
            .compliance("s²")
            .slider(0.0, 1e-2)
            .says("distance of a particle from where its cluster wants it, per acceleration; 0 is as stiff as the iterations make it");
        k.value("freedom", at!(freedom))
            .within(End::At(0.0), End::At(1.0), "from 0 to 1")
            .slider(0.0, 1.0)
            .says("share of a `\"linear\"` or `\"quadratic\"` cluster's own deformation in where it pulls its members; 0 is rigid, 1 resists nothing that the mode describes");
        k.choice("keep_volume", at!(keep_volume), YES)
            .says("whether such a deformation is scaled to the volume at rest");
        k.choice("rotation", at!(rotation), &ClusterRotation::NAMES)
            .says("`\"fit\"`: of the rigid motion nearest to the members, which keeps angular momentum; `\"gradient\"`: of the deformation gradient, to compare");
        k.maybe("plastic", at!(plastic)).default("none").says("lets the rest shapes of clusters flow");
        k.checking(|c| match (c.mode, c.plastic) {
            (ClusterMode::Quadratic, Some(_)) => {
                Err(SceneError::value("plastic", "goes with `mode = \"rigid\"` or `\"linear\"`"))
            }
            _ => Ok(()),
        });
    }
}

impl Declared for Plastic {
    fn declare(k: &mut Keys<Self>) {
        k.value("limit", at!(limit))
            .positive("")
            .slider(1e-3, 1.0)
            .says("size of the deviatoric strain that is still elastic");
        k.value("rate", at!(rate))
            .unit("1/s")
            .within(End::Beyond(0.0), End::None, "above 0; `inf` flows at once")
            .says("share of what is beyond the limit that flows per time");
        k.value("most", at!(most))
            .positive("")
            .slider(0.01, 5.0)
            .says("the most that a rest shape changes, as the size of its strain");
    }
}
