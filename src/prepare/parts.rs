//! The bodies of a scene, each by its own particle numbers.

use crate::cloth::links::{self, LinkMaterials};
use crate::model::elements::{Area, Elements, Link, SLACK, Volume};
use crate::scene::{
    Cloth, ClothGeometry, Composite, CompositeGeometry, OtherGeometry, Points, PointsGeometry, ResolvedPin,
    Rigid, RigidGeometry, Solid, SolidDamping, SolidGeometry,
};
use crate::{nets, rods, solids};
use glam::DVec3;

/// The contact radius of particles that nothing pushes away: deeper than any collider [m].
const NO_CONTACT: f64 = -1e12;

/// One body, by its own particle numbers.
pub(super) struct Part<'a> {
    pub name: String,
    pub colour: [f64; 3],
    pub radius: f64,
    pub contact_radius: f64,
    pub friction: f64,
    pub velocity: DVec3,
    /// About the centre of mass [rad/s].
    pub spin: DVec3,
    pub positions: Vec<DVec3>,
    pub masses: Vec<f64>,
    pub elements: Elements,
    pub triangles: Vec<[u32; 3]>,
    pub segments: Vec<[u32; 2]>,
    pub tetrahedra: Vec<[u32; 4]>,
    pub aerodynamics: [f64; 2],
    pub pins: Vec<ResolvedPin>,
    pub loads: Vec<(u32, DVec3)>,
    pub damping: Option<SolidDamping>,
    pub given: Vec<(&'static str, Vec<f64>)>,
    pub rod: Option<rods::prepare::Part<'a>>,
    pub net: Option<nets::prepare::Part<'a>>,
}

impl Part<'_> {
    /// How each particle moves at the start [m/s].
    pub fn velocities(&self) -> Vec<DVec3> {
        let mass: f64 = self.masses.iter().sum();
        let centre = self.positions.iter().zip(&self.masses).map(|(x, m)| *x * *m).sum::<DVec3>() / mass;
        self.positions.iter().map(|x| self.velocity + self.spin.cross(*x - centre)).collect()
    }
}

pub(super) fn of_cloth<'a>(
    cloth: &Cloth,
    shape: &ClothGeometry,
    colour: [f64; 3],
    elements: Elements,
) -> Part<'a> {
    Part {
        name: shape.name.clone(),
        colour,
        radius: 0.0,
        contact_radius: 0.5 * cloth.thickness,
        friction: cloth.friction,
        velocity: cloth.velocity,
        spin: cloth.spin,
        masses: links::masses(cloth, shape),
        positions: shape.mesh.positions.clone(),
        elements,
        triangles: shape.mesh.triangles.clone(),
        segments: Vec::new(),
        tetrahedra: Vec::new(),
        aerodynamics: [cloth.drag, cloth.lift],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        given: Vec::new(),
        rod: None,
        net: None,
    }
}

pub(super) fn of_points<'a>(
    points: &Points,
    shape: &PointsGeometry,
    colour: [f64; 3],
    materials: &mut LinkMaterials,
) -> Part<'a> {
    let slack = |compliance: f64| if compliance.is_finite() { compliance } else { SLACK };
    let material = materials.index([slack(points.compliance), slack(points.compression())]);
    let x = |particle: u32| shape.positions[particle as usize];
    let links = shape.links.iter().map(|&ends| Link {
        ends,
        rest_length: x(ends[0]).distance(x(ends[1])),
        factor: 1.0,
        material,
        rank: 0,
    });
    // A constraint without resistance is none.
    let (area, volume) = (points.area_compliance, points.volume_compliance);
    let areas = shape.triangles.iter().filter(|_| area.is_finite()).map(|&particles| {
        let [a, b, c] = particles.map(x);
        Area { particles, rest_area: 0.5 * (b - a).cross(c - a).length(), compliance: area }
    });
    let volumes = shape.tetrahedra.iter().filter(|_| volume.is_finite()).map(|&particles| {
        let [a, b, c, d] = particles.map(x);
        Volume { particles, rest_volume: (b - a).cross(c - a).dot(d - a) / 6.0, compliance: volume }
    });
    Part {
        name: shape.name.clone(),
        colour,
        radius: points.radius,
        contact_radius: points.radius,
        friction: points.friction,
        velocity: points.velocity,
        spin: points.spin,
        positions: shape.positions.clone(),
        masses: shape.masses.clone(),
        elements: Elements {
            links: links.collect(),
            areas: areas.collect(),
            volumes: volumes.collect(),
            ..Elements::default()
        },
        triangles: shape.triangles.clone(),
        segments: shape.links.clone(),
        tetrahedra: shape.tetrahedra.clone(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        given: Vec::new(),
        rod: None,
        net: None,
    }
}

pub(super) fn of_rod(part: rods::prepare::Part<'_>, colour: [f64; 3]) -> Part<'_> {
    let radius = part.rod.material.radius;
    Part {
        name: part.shape.name.clone(),
        colour,
        radius,
        contact_radius: radius,
        friction: part.rod.friction,
        velocity: part.rod.velocity,
        spin: part.rod.spin,
        positions: part.shape.positions.clone(),
        masses: part.masses(),
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: part.segments(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: part.shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        given: Vec::new(),
        rod: Some(part),
        net: None,
    }
}

pub(super) fn of_net(part: nets::prepare::Part<'_>, colour: [f64; 3]) -> Part<'_> {
    let radius = part.net.material.radius;
    Part {
        name: part.shape.name.clone(),
        colour,
        radius,
        contact_radius: radius,
        friction: part.net.friction,
        velocity: part.net.velocity,
        spin: part.net.spin,
        positions: part.shape.positions.clone(),
        masses: part.masses(),
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: part.segments(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: part.shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        given: Vec::new(),
        rod: None,
        net: Some(part),
    }
}

pub(super) fn of_solid<'a>(solid: &Solid, shape: &SolidGeometry, colour: [f64; 3], law: u32) -> Part<'a> {
    // What clusters hold together has tetrahedra for its shape alone.
    let elements = match solid.clusters {
        Some(_) => Elements::default(),
        None => solids::prepare::elements(&shape.rest, law),
    };
    Part {
        name: shape.name.clone(),
        colour,
        radius: 0.0,
        contact_radius: 0.5 * solid.thickness,
        friction: solid.friction,
        velocity: solid.velocity,
        spin: solid.spin,
        positions: shape.positions.clone(),
        masses: shape.rest.masses(solid.material.density),
        elements,
        triangles: shape.surface.clone(),
        segments: Vec::new(),
        tetrahedra: shape.rest.tets.clone(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: shape.loads.clone(),
        damping: Some(solid.damping),
        given: Vec::new(),
        rod: None,
        net: None,
    }
}

/// The centre of mass. It touches nothing by itself: the body's own features do.
pub(super) fn of_rigid<'a>(rigid: &Rigid, shape: &RigidGeometry, colour: [f64; 3]) -> Part<'a> {
    Part {
        name: shape.name.clone(),
        colour,
        radius: shape.reach(),
        contact_radius: NO_CONTACT,
        friction: rigid.friction,
        velocity: rigid.velocity,
        spin: DVec3::ZERO,
        positions: shape.positions.clone(),
        masses: vec![shape.mass],
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: Vec::new(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: None,
        net: None,
        given: Vec::new(),
    }
}

pub(super) fn of_composite<'a>(
    composite: &Composite,
    shape: &CompositeGeometry,
    colour: [f64; 3],
) -> Part<'a> {
    let count = shape.positions.len();
    let mass = composite.properties().density * shape.cell.element_product();
    Part {
        name: shape.name.clone(),
        colour,
        radius: 0.5 * shape.cell.min_element(),
        contact_radius: NO_CONTACT,
        friction: 0.0,
        velocity: composite.velocity,
        spin: composite.spin,
        positions: shape.positions.clone(),
        masses: vec![mass; count],
        elements: Elements::default(),
        triangles: Vec::new(),
        segments: Vec::new(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        rod: None,
        net: None,
        given: Vec::new(),
    }
}

/// A body of a kind that the library does not know: particles and what is drawn. Its family adds the rest.
pub(super) fn of_other<'a>(shape: &OtherGeometry, colour: [f64; 3]) -> Part<'a> {
    Part {
        name: shape.name.clone(),
        colour,
        radius: shape.radius,
        contact_radius: shape.radius,
        friction: shape.friction,
        velocity: shape.velocity,
        spin: DVec3::ZERO,
        positions: shape.positions.clone(),
        masses: shape.masses.clone(),
        elements: Elements::default(),
        triangles: shape.triangles.clone(),
        segments: shape.segments.clone(),
        tetrahedra: Vec::new(),
        aerodynamics: [0.0; 2],
        pins: shape.pins.clone(),
        loads: Vec::new(),
        damping: None,
        given: shape.given.clone(),
        rod: None,
        net: None,
    }
}
