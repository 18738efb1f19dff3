//! What magnets amount to, in f64: their energy, and their field.

use super::field::{MU, dipole};
use super::sources::{self, Records};
use super::tree::{Node, tree};
use crate::math::Vec3;
use crate::model::Model;
use crate::model::frames::FrameState;
use crate::model::magnets::{FieldLaw, FieldSource, Magnet};
use crate::scene::{RigidSolid, VACUUM};
use glam::DVec3;

/// Magnets as they are at a moment.
pub struct Placed {
    magnets: Vec<PlacedMagnet>,
}

struct PlacedMagnet {
    centre: DVec3,
    /// In the world.
    nodes: Vec<Node>,
    /// The same body as a whole, if it has a closed form.
    whole: Option<Records>,
}

impl Placed {
    pub fn new(model: &Model, positions: &[DVec3], frames: &FrameState) -> Self {
        let place = |magnet: &Magnet| {
            let [a, b] = magnet.particles.map(|i| positions[i as usize]);
            let axes = frames.orientations[magnet.frame as usize];
            let turned = |node: Node| Node { arm: axes * node.arm, moment: axes * node.moment, ..node };
            let nodes = tree(&magnet.cells, model.settings.magnet_tolerance);
            let centre = 0.5 * (a + b);
            let whole = whole(model, magnet).map(|law| {
                sources::records(&FieldSource { position: centre, rotation: axes, ..FieldSource::still(law) })
            });
            PlacedMagnet { centre, nodes: nodes.into_iter().map(turned).collect(), whole }
        };
        Self { magnets: model.magnets.iter().map(place).collect() }
    }

    /// B of all of them at a point [T]: of balls and boxes as such, of others by their cells.
    pub fn field(&self, x: DVec3) -> DVec3 {
        let own = |magnet: &PlacedMagnet| match magnet.whole {
            Some(records) => sources::field(&[records], x),
            None => magnet.field(x, 0.0),
        };
        self.magnets.iter().map(own).sum()
    }
}

impl Placed {
    /// Whether a point is within a body, or near one of its cells.
    pub fn is_inside(&self, x: DVec3) -> bool {
        self.magnets.iter().any(|magnet| match magnet.whole {
            Some(records) => sources::is_inside(&[records], x),
            None => magnet.cells().any(|cell| x.distance(magnet.centre + cell.arm) < cell.radius),
        })
    }

    /// Boxes around all magnets [m].
    pub fn boxes(&self) -> impl Iterator<Item = [DVec3; 2]> {
        self.magnets.iter().map(|magnet| {
            let root = &magnet.nodes[0];
            let middle = magnet.centre + root.arm;
            [middle - root.radius, middle + root.radius]
        })
    }
}

/// A ball, or a box of several cells, as a whole.
fn whole(model: &Model, magnet: &Magnet) -> Option<FieldLaw> {
    let body = &model.rigid[magnet.rigid? as usize];
    let moment: DVec3 = magnet.cells.iter().map(|cell| cell.moment).sum();
    match body.solid? {
        RigidSolid::Capsule { radius, half_length: 0.0 } => Some(FieldLaw::Ball { moment, radius }),
        RigidSolid::Box { half } if magnet.cells.len() > 1 => {
            let remanence = moment * (VACUUM / (8.0 * half.element_product()));
            Some(FieldLaw::Bar { remanence, half })
        }
        _ => None,
    }
}

impl PlacedMagnet {
    /// B at a point [T], not growing any more nearer than `radius` and that of a cell.
    fn field(&self, x: DVec3, radius: f64) -> DVec3 {
        let (mut sum, mut n) = (DVec3::ZERO, 0);
        while let Some(node) = self.nodes.get(n) {
            let r = x - self.centre - node.arm;
            let distance = r.length();
            if !node.is_cell && distance < node.reach {
                n += 1;
                continue;
            }
            n = node.end as usize;
            let nearest = node.radius + radius;
            if node.is_cell && radius == 0.0 && distance < nearest {
                sum += node.moment * (2.0 * MU / nearest.powi(3));
            } else {
                let r = r.normalize_or_zero() * distance.max(nearest);
                let [b, ..] = dipole(Vec3::of(node.moment.to_array()), Vec3::of(r.to_array()));
                sum += DVec3::new(b.x, b.y, b.z);
            }
        }
        sum
    }

    fn cells(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.is_cell)
    }
}

/// −Σ m·B of the scene's fields, and of each pair once [J]. Of cells nearer than their radii it is that at this distance. Magnets that are segments of
/// rods do not act on each other.
pub fn energy(model: &Model, positions: &[DVec3], frames: &FrameState, time: f64) -> f64 {
    let fields = sources::at(model, time);
    let placed = Placed::new(model, positions, frames).magnets;
    let mut energy = 0.0;
    for (i, (magnet, own)) in placed.iter().zip(&model.magnets).enumerate() {
        for cell in magnet.cells() {
            let x = magnet.centre + cell.arm;
            energy -= cell.moment.dot(sources::field(&fields, x));
            for (other, theirs) in placed[i + 1..].iter().zip(&model.magnets[i + 1..]) {
                if own.rigid.is_some() || theirs.rigid.is_some() {
                    energy -= cell.moment.dot(other.field(x, cell.radius));
                }
            }
        }
    }
    energy
}
