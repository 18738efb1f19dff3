//! Joints of rigid bodies with each other and with the world.

pub mod measure;
pub mod project_joints;
mod setup;

pub use setup::Family;

/// The body of a joint with the world.
pub const NOBODY: u32 = u32::MAX;

/// Vectors of `joint_rest` for each joint: the anchors on the base and on the moved body along their principal axes [m], w = kind, and the
/// law of the free coordinate; the joint's axes there, unit quaternions; inverse moments of inertia of the base, w = most force [N]; those of the moved body, w = most torque
/// [N m]; stiffness, damping, rest position; limits, bound of the motor, its speed.
pub const REST: u32 = 8;
/// Vectors of `joint_states` for each joint: λ of the rows and of the limit; the force on the moved body [N], w = the free coordinate
/// [rad or m]; the torque on it [N m], w = 1 when broken.
pub const STATE: u32 = 4;
/// The flag of the last iteration.
pub const LAST: u32 = 1;

/// What a joint leaves free: all rotations.
pub const BALL: u32 = 0;
/// The rotation about an axis.
pub const HINGE: u32 = 1;
/// The displacement along an axis.
pub const SLIDER: u32 = 2;
/// The rotations about an axis of either body.
pub const UNIVERSAL: u32 = 3;
/// Nothing.
pub const FIXED: u32 = 4;
/// All but a distance.
pub const DISTANCE: u32 = 5;

/// The free coordinate is free,
pub const FREE: u32 = 0;
/// is kept at its rest position,
pub const LOCKED: u32 = 1;
/// has a spring and a damper,
pub const SPRING: u32 = 2;
/// a motor that keeps a speed,
pub const SPEED: u32 = 3;
/// a motor that goes to a position,
pub const TARGET: u32 = 4;
/// or one that pushes with a constant force.
pub const CONSTANT: u32 = 5;
