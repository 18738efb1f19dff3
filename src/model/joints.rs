//! The joints of a model, in the order in which the solver takes them.

use crate::scene::ResolvedJoint;
use std::ops::Range;

/// All joints of a model. Their bodies are rows of the model's rigid bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joints {
    /// Colour after colour.
    pub list: Vec<ResolvedJoint>,
    /// Which of the scene's joints each is.
    pub numbers: Vec<usize>,
    /// Joints that have no body in common.
    pub colours: Vec<Range<u32>>,
}

impl Joints {
    /// Colours a scene's joints; each gets the first colour that none of its bodies has, so that those of bodies far away change nothing.
    pub fn new(joints: &[ResolvedJoint]) -> Self {
        let mut coloured: Vec<Vec<usize>> = Vec::new();
        for (number, joint) in joints.iter().enumerate() {
            let own: Vec<u32> = joint.bodies.into_iter().flatten().collect();
            let touches =
                |&other: &usize| joints[other].bodies.iter().flatten().any(|body| own.contains(body));
            match coloured.iter_mut().find(|colour| !colour.iter().any(touches)) {
                Some(colour) => colour.push(number),
                None => coloured.push(vec![number]),
            }
        }
        let mut end = 0;
        let colours = coloured.iter().map(|joints| {
            end += joints.len() as u32;
            end - joints.len() as u32..end
        });
        let colours = colours.collect();
        let numbers = coloured.concat();
        Self { list: numbers.iter().map(|&k| joints[k].clone()).collect(), numbers, colours }
    }
}
