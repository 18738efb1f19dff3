//! The keys of probes.

use super::super::Probe;
use super::super::keys::{Declared, Keys};
use super::expect::particle;
use crate::at;

impl Declared for Probe {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name))
            .default("probe and number, as `probe 1`")
            .says("unique over probes; its columns of `scalars.csv` are `name.x` to `name.z` [m] and `name.vx` to `name.vz` [m/s]");
        k.value("body", at!(body)).required().says("name of the body");
        k.one_of(at!(particle), particle);
    }
}
