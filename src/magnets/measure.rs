//! What magnets amount to, in f64: their energy, and their field.

use super::field::{MU, dipole};
use super::induction::{Surroundings, solve};
use super::soft;
use super::sources::{self, Records};
use super::tree::{Node, tree_of};
use crate::math::Vec3;
use crate::model::Model;
use crate::model::frames::FrameState;
use crate::model::magnets::{FieldLaw, FieldSource, Magnet};
use crate::scene::{Follows, RigidSolid, SoftCell, VACUUM};
use glam::DVec3;

/// Magnets as they are at a moment.
pub struct Placed {
    magnets: Vec<PlacedMagnet>,
    soft: Vec<PlacedCell>,
}

/// A triangle or a tetrahedron as a dipole.
struct PlacedCell {
    place: DVec3,
    moment: DVec3,
    radius: f64,
}

impl PlacedCell {
    fn new(cell: &SoftCell, positions: &[DVec3]) -> Self {
        let is_sheet = cell.corners[3] == SoftCell::NO_CORNER;
        let corners = if is_sheet { &cell.corners[..3] } else { &cell.corners[..] };
        let at = |k: usize| positions[corners[k.min(corners.len() - 1)] as usize];
        let edges = [1, 2, 3].map(|k| Vec3::of((at(k) - at(0)).to_array()));
        let rest = soft::Rest {
            gradients: cell.gradients.map(|g| Vec3::of(g.to_array())),
            moment: Vec3::of(cell.moment.to_array()),
            stretches: cell.follows == Follows::Deformation,
        };
        let (m, _) = soft::moment(&rest, edges, is_sheet);
        let place = (0..corners.len()).map(at).sum::<DVec3>() / corners.len() as f64;
        Self { place, moment: DVec3::new(m.x, m.y, m.z), radius: cell.radius }
    }

    /// B at a point [T], not growing any more within its ball.
    fn field(&self, x: DVec3) -> DVec3 {
        let r = x - self.place;
        let r = r.normalize_or_zero() * r.length().max(self.radius);
        let [b, ..] = dipole(Vec3::of(self.moment.to_array()), Vec3::of(r.to_array()));
        DVec3::new(b.x, b.y, b.z)
    }
}

struct PlacedMagnet {
    centre: DVec3,
    /// In the world.
    nodes: Vec<Node>,
    /// The same body as a whole, if it has a closed form.
    whole: Option<Records>,
}

impl Placed {
    /// Magnets in the fields of the scene.
    pub fn new(model: &Model, positions: &[DVec3], frames: &FrameState, fields: &[Records]) -> Self {
        let place = |magnet: &Magnet| {
            let [a, b] = magnet.particles.map(|i| positions[i as usize]);
            let axes = frames.orientations[magnet.frame as usize];
            let turned = |node: Node| Node { arm: axes * node.arm, moment: axes * node.moment, ..node };
            let nodes = tree_of(magnet, model.settings.magnet_tolerance);
            let centre = 0.5 * (a + b);
            let whole = whole(model, magnet).map(|law| {
                sources::records(&FieldSource { position: centre, rotation: axes, ..FieldSource::still(law) })
            });
            PlacedMagnet { centre, nodes: nodes.into_iter().map(turned).collect(), whole }
        };
        let soft = model.soft_magnets.iter().map(|cell| PlacedCell::new(cell, positions)).collect();
        let mut own = Self { magnets: model.magnets.iter().map(place).collect(), soft };
        own.induce(model, frames, fields);
        own
    }

    /// Finds the moments of those that have none of their own.
    fn induce(&mut self, model: &Model, frames: &FrameState, fields: &[Records]) {
        let first = model.magnets.partition_point(|magnet| magnet.susceptible.is_none());
        let (given, found) = self.magnets.split_at_mut(first);
        let around = model.magnets[first..].iter().zip(found.iter()).map(|(magnet, placed)| {
            let at = |cell: &Node| {
                let x = placed.centre + cell.arm;
                let own = given.iter().map(|other| other.field(x, cell.radius)).sum::<DVec3>();
                (own + sources::field(fields, x)) / VACUUM
            };
            let axes = frames.orientations[magnet.frame as usize];
            Surroundings { centre: placed.centre, axes, fields: placed.cells().map(at).collect() }
        });
        let around: Vec<Surroundings> = around.collect();
        let mut moments = solve(&model.magnets[first..], &around).into_iter();
        for placed in found {
            for cell in placed.nodes.iter_mut().filter(|node| node.is_cell) {
                cell.moment = moments.next().unwrap_or_default();
            }
        }
    }

    /// B of all of them at a point [T]: of balls and boxes as such, of others by their cells.
    pub fn field(&self, x: DVec3) -> DVec3 {
        let own = |magnet: &PlacedMagnet| match magnet.whole {
            Some(records) => sources::field(&[records], x),
            None => magnet.field(x, 0.0),
        };
        self.magnets.iter().map(own).sum::<DVec3>()
            + self.soft.iter().map(|cell| cell.field(x)).sum::<DVec3>()
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
        let magnets = self.magnets.iter().map(|magnet| {
            let root = &magnet.nodes[0];
            let middle = magnet.centre + root.arm;
            [middle - root.radius, middle + root.radius]
        });
        magnets.chain(self.soft.iter().map(|cell| [cell.place - cell.radius, cell.place + cell.radius]))
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

/// −Σ m·B of the scene's fields, and of each pair once, with half the moments that fields have made [J]. Of cells nearer than their radii it is that
/// at this distance. Magnets that are segments of rods do not act on each other.
pub fn energy(model: &Model, positions: &[DVec3], frames: &FrameState, time: f64) -> f64 {
    let fields = sources::at(model, time);
    let Placed { magnets: placed, soft } = Placed::new(model, positions, frames, &fields);
    let is_given = |k: usize| model.magnets[k].susceptible.is_none();
    let mut energy = 0.0;
    for (i, (magnet, own)) in placed.iter().zip(&model.magnets).enumerate() {
        for cell in magnet.cells() {
            let x = magnet.centre + cell.arm;
            let mut at = sources::field(&fields, x);
            // Those whose moments are given come first.
            let others = if is_given(i) { i + 1..placed.len() } else { 0..i };
            for k in others.filter(|&k| is_given(k)) {
                if own.rigid.is_some() || model.magnets[k].rigid.is_some() {
                    at += placed[k].field(x, cell.radius);
                }
            }
            energy -= cell.moment.dot(at) * if is_given(i) { 1.0 } else { 0.5 };
        }
    }
    for cell in soft {
        let rigid = placed.iter().zip(&model.magnets).filter(|(_, own)| own.rigid.is_some());
        let at = rigid.map(|(magnet, _)| magnet.field(cell.place, cell.radius)).sum::<DVec3>();
        energy -= cell.moment.dot(at + sources::field(&fields, cell.place));
    }
    energy
}
