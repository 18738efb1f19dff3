//! Particles, links and cloth against what is known of them on paper, on both backends.

mod attach;
mod cloth;
mod common;
mod conflicts;
mod conservation;
mod links;
mod loads;
mod particles;
mod rails;
mod reactions;
mod scale;
mod second_order;
mod wind;
