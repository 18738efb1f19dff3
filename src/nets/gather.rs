//! Which constraints ask something of which particle or frame.

use super::{OPPOSITE, WORK};
use crate::model::Model;
use crate::model::nets::{Net, NetJoint, Nets};
use std::ops::Range;

/// The bodies that constraints move, net by net, and where each finds what they ask of it.
pub(super) struct Gather {
    /// (frame, 0) or (particle, 1).
    pub bodies: Vec<[u32; 2]>,
    pub starts: Vec<u32>,
    pub slots: Vec<u32>,
    /// Constraints at each frame of the nets.
    pub shares: Vec<u32>,
    /// Segments at each particle of the model.
    valences: Vec<u32>,
    /// Where the bodies of each net begin, and the end.
    nets: Vec<u32>,
    /// The body of each of these.
    owners: Vec<u32>,
}

impl Gather {
    pub fn new(model: &Model, joints: &[NetJoint]) -> Self {
        let nets: &Nets = &model.nets;
        let (first, count) = (nets.first_frame(), nets.radii.len() as u32);
        let at = |constraint: u32, side: u32| WORK * constraint + 1 + side;
        let mut of_frame: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
        let mut of_particle: Vec<Vec<u32>> = vec![Vec::new(); model.particle_count()];
        for (place, frame) in (0..).zip(&model.rods.frames[first as usize..]) {
            if !frame.is_wall() {
                of_frame[place as usize].push(at(place, 1));
                let [i, j] = frame.particles;
                of_particle[i as usize].push(at(place, 0) | OPPOSITE);
                of_particle[j as usize].push(at(place, 0));
            }
        }
        for (j, joint) in (0..).zip(joints) {
            for (side, k) in (0..).zip(joint.frames) {
                of_frame[(k - first) as usize].push(at(count + j, side));
            }
        }
        let mut gather = Self {
            bodies: Vec::new(),
            starts: vec![0],
            slots: Vec::new(),
            shares: of_frame.iter().map(|slots| slots.len() as u32).collect(),
            valences: of_particle.iter().map(|slots| slots.len() as u32).collect(),
            nets: vec![0],
            owners: nets.nets.iter().map(|net| net.body).collect(),
        };
        for net in &nets.nets {
            for k in net.frames.clone() {
                gather.add([k, 0], &of_frame[(k - first) as usize]);
            }
            // A net's particles are numbered as its body's.
            for p in model.bodies[net.body as usize].particles.clone() {
                gather.add([p, 1], &of_particle[p as usize]);
            }
            gather.nets.push(gather.bodies.len() as u32);
        }
        gather
    }

    fn add(&mut self, body: [u32; 2], slots: &[u32]) {
        self.bodies.push(body);
        self.slots.extend_from_slice(slots);
        self.starts.push(self.slots.len() as u32);
    }

    pub fn particle_share(&self, particle: u32) -> f64 {
        f64::from(self.valences[particle as usize])
    }

    /// The bodies of consecutive nets.
    pub fn of(&self, nets: &[Net]) -> Range<u32> {
        let place = |net: &Net| self.owners.iter().position(|&body| body == net.body).unwrap_or(0);
        match (nets.first(), nets.last()) {
            (Some(first), Some(last)) => self.nets[place(first)]..self.nets[place(last) + 1],
            _ => 0..0,
        }
    }
}
