//! Contact: what touches what, and the shapes that bodies may not enter.

pub mod advice;
pub mod ball_push;
pub mod carry;
pub mod collide;
pub mod colliders;
pub mod corner_copy;
pub mod corner_list;
pub mod driven;
pub mod driven_carry;
pub mod driven_gather;
pub mod driven_hold;
pub mod driven_move;
pub mod driven_place;
pub mod driven_push;
pub mod driven_room;
pub mod driven_share;
pub mod driven_sum;
pub mod guard_hold;
pub mod guard_share;
pub mod near_bound;
pub mod near_fresh;
pub mod near_gate;
pub mod near_pairs;
pub mod near_reach;
pub mod near_refit;
pub mod near_start;
pub mod nearest;
pub mod responses;
pub mod separate;
pub mod series;
mod setup;
pub mod surfaces;
pub mod tangles;
pub mod touch;
pub mod touch_apply;
pub mod touch_keep;
pub mod touch_measure;
pub mod touch_push;
pub mod touch_recall;
pub mod touch_rule;
pub mod touch_share;
pub mod verify;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &ball_push::KERNEL,
    &carry::KERNEL,
    &collide::KERNEL,
    &corner_copy::KERNEL,
    &corner_list::KERNEL,
    &driven_carry::KERNEL,
    &driven_gather::KERNEL,
    &driven_hold::KERNEL,
    &driven_move::KERNEL,
    &driven_place::KERNEL,
    &driven_push::KERNEL,
    &driven_room::KERNEL,
    &driven_share::KERNEL,
    &driven_sum::KERNEL,
    &guard_hold::KERNEL,
    &guard_share::KERNEL,
    &near_bound::KERNEL,
    &near_fresh::KERNEL,
    &near_gate::KERNEL,
    &near_pairs::KERNEL,
    &near_reach::KERNEL,
    &near_refit::KERNEL,
    &near_start::KERNEL,
    &touch_apply::KERNEL,
    &touch_keep::KERNEL,
    &touch_measure::KERNEL,
    &touch_push::KERNEL,
    &touch_recall::KERNEL,
    &touch_rule::KERNEL,
    &touch_share::KERNEL,
];
