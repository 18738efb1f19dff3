//! From attachments and seams to pairs of points.

use super::anchor::ResolvedAnchor;
use super::bodies::{label, subject};
use super::error::{SceneError, SceneErrorKind, hint};
use super::loading::Chosen;
use super::nearest_point::{MaterialPoint, PointFinder, Simplex};
use super::{Attach, AttachBy, AttachSide, ClothShape, Scene, SceneGeometry, Seam, Selector, select};
use crate::limits::{self, excerpt};
use crate::meshing::tet_mesh::Group;
use glam::DVec3;

/// An attachment or a seam with its points.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedJoin {
    pub name: String,
    pub pairs: Vec<ResolvedPair>,
    /// [m/N].
    pub compliance: f64,
    /// [N s/m].
    pub damping: f64,
    /// When it lets go [s].
    pub release: Option<f64>,
    /// [N].
    pub break_force: Option<f64>,
    /// From when to when its lengths shrink to nothing [s].
    pub closing: Option<[f64; 2]>,
}

/// Two points that are joined, by the scene's numbers of particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolvedPair {
    pub points: [MaterialPoint; 2],
    /// Distance that is kept [m].
    pub length: f64,
    /// If one of them is a point of a rigid body; its particle is the centre.
    pub anchor: Option<ResolvedAnchor>,
}

pub(super) type Result<T> = std::result::Result<T, SceneError>;

/// All attachments and seams of a scene.
pub(super) fn joins(scene: &Scene, geometry: &SceneGeometry) -> Result<Vec<ResolvedJoin>> {
    let bodies = Bodies::new(scene, geometry);
    let mut joins = Vec::new();
    let mut total = 0;
    for (i, attach) in scene.attach.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("attach", i, &subject("attach", i, Some(&attach.name)));
        let pairs = bodies.attach(attach).map_err(here)?;
        total += pairs.len();
        few(total).map_err(here)?;
        joins.push(ResolvedJoin {
            name: label(&attach.name, "attach", i),
            pairs,
            compliance: attach.compliance,
            damping: attach.damping,
            release: attach.release,
            break_force: attach.break_force,
            closing: None,
        });
    }
    for (i, seam) in scene.seam.iter().enumerate() {
        let here = |e: SceneError| e.inside_entry("seam", i, &subject("seam", i, Some(&seam.name)));
        let pairs = bodies.seam(seam).map_err(here)?;
        total += pairs.len();
        few(total).map_err(here)?;
        joins.push(ResolvedJoin {
            name: label(&seam.name, "seam", i),
            pairs,
            compliance: seam.compliance,
            damping: 0.0,
            release: None,
            break_force: seam.break_force,
            closing: Some([seam.begin, seam.begin + seam.duration]),
        });
    }
    Ok(joins)
}

fn few(pairs: usize) -> Result<()> {
    if pairs > limits::TIES {
        let message =
            format!("brings the scene to {pairs} pairs of joined points; the limit is {}", limits::TIES);
        return Err(SceneError::new(SceneErrorKind::Limit, message));
    }
    Ok(())
}

pub(super) fn refuse<T>(key: &'static str, message: impl std::fmt::Display) -> Result<T> {
    Err(SceneError::at(SceneErrorKind::Reference, key, message))
}

/// A body as joins see it.
pub(super) struct Joinable<'a> {
    name: &'a str,
    pub(super) positions: &'a [DVec3],
    /// The scene's number of its first particle.
    pub(super) start: u32,
    shape: Option<&'a ClothShape>,
    groups: &'a [Group],
}

pub(super) struct Bodies<'a> {
    pub(super) geometry: &'a SceneGeometry,
    list: Vec<Joinable<'a>>,
}

/// Points of a body, and where they start.
pub(super) struct Points<'a> {
    pub(super) body: &'a Joinable<'a>,
    pub(super) list: Vec<MaterialPoint>,
}

impl Points<'_> {
    pub(super) fn position(&self, point: usize) -> DVec3 {
        self.list[point].position(self.body.positions)
    }
}

impl<'a> Bodies<'a> {
    pub(super) fn new(scene: &'a Scene, geometry: &'a SceneGeometry) -> Self {
        let shapes = scene.cloth.iter().map(|cloth| (Some(&cloth.shape), &[][..]));
        let between = geometry.points.len() + geometry.rods.len() + geometry.nets.len();
        let plain = std::iter::repeat_n((None, &[][..]), between);
        let solids = geometry.solids.iter().map(|solid| (None, solid.rest.groups.as_slice()));
        let rigid = geometry.rigid.iter().map(|_| ()).chain(geometry.composites.iter().map(|_| ()));
        let others = rigid.chain(geometry.other.iter().map(|_| ()));
        let others = others.map(|()| (None, &[][..]));
        let mut start = 0;
        let shapes = shapes.chain(plain).chain(solids).chain(others);
        let list = geometry.bodies().zip(shapes).map(|((name, positions), (shape, groups))| {
            start += positions.len() as u32;
            Joinable { name, positions, start: start - positions.len() as u32, shape, groups }
        });
        Self { geometry, list: list.collect() }
    }

    pub(super) fn find(&self, side: &AttachSide) -> Result<(usize, &Joinable<'a>)> {
        match self.list.iter().enumerate().find(|(_, body)| body.name == side.body) {
            Some(found) => Ok(found),
            None => {
                let hint = hint(&side.body, self.list.iter().map(|body| body.name));
                refuse("body", format!("is \"{}\", and no body has that name{hint}", excerpt(&side.body)))
            }
        }
    }

    /// What a body consists of.
    pub(super) fn elements(&self, index: usize) -> Vec<Simplex> {
        let g = self.geometry;
        let mut index = index;
        let mut next = |count: usize| {
            let found = (index < count).then_some(index);
            index = index.wrapping_sub(count);
            found
        };
        let [cloth, points, rod, net, solid, rigid, composite, other] = [
            g.cloth.len(),
            g.points.len(),
            g.rods.len(),
            g.nets.len(),
            g.solids.len(),
            g.rigid.len(),
            g.composites.len(),
            g.other.len(),
        ]
        .map(&mut next);
        let mut elements: Vec<Simplex> = Vec::new();
        if let Some(cloth) = cloth {
            elements.extend(g.cloth[cloth].mesh.triangles.iter().map(|t| t.to_vec()));
        } else if let Some(points) = points {
            let body = &g.points[points];
            elements.extend((0..body.positions.len() as u32).map(|p| vec![p]));
            elements.extend(body.links.iter().map(|l| l.to_vec()));
            elements.extend(body.triangles.iter().map(|t| t.to_vec()));
            elements.extend(body.tetrahedra.iter().map(|t| t.to_vec()));
        } else if let Some(rod) = rod {
            let body = &g.rods[rod];
            let all = 0..body.positions.len() as u32;
            let segments = all.filter(|i| i % body.nodes != body.nodes - 1);
            elements.extend(segments.map(|i| vec![i, i + 1]));
        } else if let Some(net) = net {
            elements.extend(g.nets[net].segments.iter().map(|s| s.ends.to_vec()));
        } else if let Some(solid) = solid {
            elements.extend(g.solids[solid].rest.tets.iter().map(|t| t.to_vec()));
        } else if rigid.is_some() {
            elements.push(vec![0]);
        } else if let Some(composite) = composite {
            elements.extend((0..g.composites[composite].positions.len() as u32).map(|p| vec![p]));
        } else if let Some(other) = other {
            let body = &g.other[other];
            elements.extend((0..body.positions.len() as u32).map(|p| vec![p]));
            elements.extend(body.segments.iter().map(|s| s.to_vec()));
            elements.extend(body.triangles.iter().map(|t| t.to_vec()));
        }
        elements
    }

    /// Particles of a body in the order in which they are selected, by the scene's numbers.
    pub(super) fn in_order(&self, body: &str, selector: &Selector) -> Result<Vec<u32>> {
        let side = AttachSide { body: body.into(), selector: selector.clone(), at: None };
        let (_, body) = self.find(&side)?;
        let particles = select::select(selector, body.positions, body.shape, body.groups)?;
        Ok(particles.into_iter().map(|p| body.start + p).collect())
    }

    /// What is chosen of a body for a load.
    pub(super) fn chosen(&self, body: &str, selector: &Selector) -> Result<Chosen<'a>> {
        let side = AttachSide { body: body.into(), selector: selector.clone(), at: None };
        let (index, body) = self.find(&side)?;
        let mut particles = select::select(selector, body.positions, body.shape, body.groups)?;
        particles.sort_unstable();
        particles.dedup();
        let g = self.geometry;
        let cloth = g.cloth.iter().map(|b| b.mesh.triangles.as_slice());
        let points = g.points.iter().map(|b| b.triangles.as_slice());
        let none = std::iter::repeat_n(&[][..], g.rods.len() + g.nets.len());
        let solids = g.solids.iter().map(|b| b.surface.as_slice());
        let rigid = std::iter::repeat_n(&[][..], g.rigid.len() + g.composites.len());
        let others = g.other.iter().map(|b| b.triangles.as_slice());
        let mut surfaces = cloth.chain(points).chain(none).chain(solids).chain(rigid).chain(others);
        let triangles = surfaces.nth(index).unwrap_or(&[]);
        let (start, positions) = (body.start, body.positions);
        Ok(Chosen { start, positions, particles, triangles, elements: self.elements(index) })
    }

    /// The points of a side that are named one by one.
    pub(super) fn points(&self, side: &AttachSide) -> Result<Points<'_>> {
        let (index, body) = self.find(side)?;
        if let Some(at) = side.at {
            let finder = PointFinder::new(body.positions, self.elements(index));
            return Ok(Points { body, list: vec![finder.nearest(at).0] });
        }
        let particles = select::select(&side.selector, body.positions, body.shape, body.groups)?;
        Ok(Points { body, list: particles.into_iter().map(MaterialPoint::particle).collect() })
    }

    fn attach(&self, attach: &Attach) -> Result<Vec<ResolvedPair>> {
        let mut pairs = match self.anchors(attach)? {
            Some(pairs) => pairs,
            None => self.ties(attach)?,
        };
        let nearest = pairs.iter().map(|pair| pair.length).fold(f64::INFINITY, f64::min);
        pairs.retain(|pair| attach.within.is_none_or(|most| pair.length <= most));
        if pairs.is_empty() {
            let message =
                format!("finds nothing: the nearest points start {nearest} m apart; allow at least that");
            return refuse("within", message);
        }
        if let Some(length) = attach.length {
            pairs.iter_mut().for_each(|pair| pair.length = length);
        }
        let degenerate = pairs.iter().find(|pair| merged(pair).is_empty());
        if let Some(pair) = degenerate {
            let (_, body) = self.find(&attach.a)?;
            let particle = pair.points[0].particles[0] - body.start;
            return refuse("b", format!("joins particle {particle} to itself"));
        }
        Ok(pairs)
    }

    /// Between bodies that are not rigid.
    fn ties(&self, attach: &Attach) -> Result<Vec<ResolvedPair>> {
        let a = self.points(&attach.a).map_err(|e| e.inside("a"))?;
        match attach.by {
            AttachBy::Order => {
                let b = self.points(&attach.b).map_err(|e| e.inside("b"))?;
                let (ours, theirs) = (a.list.len(), b.list.len());
                if ours != theirs {
                    let message =
                        format!("joins {ours} points with {theirs}; select as many, or use \"nearest\"");
                    return refuse("by", message);
                }
                Ok(pairs(&a, &b, (0..ours).map(|i| (a.list[i], b.list[i]))))
            }
            AttachBy::Nearest => self.nearest(attach, &a),
        }
    }

    fn nearest(&self, attach: &Attach, a: &Points<'_>) -> Result<Vec<ResolvedPair>> {
        let whole = attach.b.selector == Selector::ALL && attach.b.at.is_none();
        if whole && attach.a.body == attach.b.body {
            let message =
                "is the same body as `a`, whose nearest points are its own; select particles in `b`";
            return refuse("b", message);
        }
        if attach.b.at.is_some() {
            let b = self.points(&attach.b).map_err(|e| e.inside("b"))?;
            return Ok(pairs(a, &b, a.list.iter().map(|&point| (point, b.list[0]))));
        }
        let (index, body) = self.find(&attach.b).map_err(|e| e.inside("b"))?;
        let elements = if whole {
            self.elements(index)
        } else {
            let particles = select::select(&attach.b.selector, body.positions, body.shape, body.groups);
            particles.map_err(|e| e.inside("b"))?.into_iter().map(|p| vec![p]).collect()
        };
        let finder = PointFinder::new(body.positions, elements);
        let found = (0..a.list.len()).map(|i| (a.list[i], finder.nearest(a.position(i)).0));
        Ok(pairs(a, &Points { body, list: Vec::new() }, found))
    }

    fn seam(&self, seam: &Seam) -> Result<Vec<ResolvedPair>> {
        for (key, side) in [("a", &seam.a), ("b", &seam.b)] {
            if side.at.is_some() {
                let error = SceneError::value("at", "is one point; a seam joins rows of particles");
                return Err(error.inside(key));
            }
        }
        let a = self.points(&seam.a).map_err(|e| e.inside("a"))?;
        let mut b = self.points(&seam.b).map_err(|e| e.inside("b"))?;
        if a.list.len() < 2 || b.list.len() < 2 {
            let (ours, theirs) = (a.list.len(), b.list.len());
            return refuse(
                "a",
                format!("and `b` are {ours} and {theirs} particles; a seam needs at least two of each"),
            );
        }
        let ends = |row: &Points<'_>| [row.position(0), row.position(row.list.len() - 1)];
        let ([a0, a1], [b0, b1]) = (ends(&a), ends(&b));
        let crossed = a0.distance(b0) + a1.distance(b1) > a0.distance(b1) + a1.distance(b0);
        if seam.reverse.unwrap_or(crossed) {
            b.list.reverse();
        }
        let stitches: Vec<_> = match a.list.len() >= b.list.len() {
            true => shares(&a).into_iter().zip(&a.list).map(|(s, &point)| (point, along(&b, s))).collect(),
            false => shares(&b).into_iter().zip(&b.list).map(|(s, &point)| (along(&a, s), point)).collect(),
        };
        // Edges may share a particle, as at the tip of a dart.
        let pairs = pairs(&a, &b, stitches.into_iter());
        let pairs: Vec<_> = pairs.into_iter().filter(|pair| !merged(pair).is_empty()).collect();
        if pairs.is_empty() {
            return refuse("b", "is the same row of particles as `a`");
        }
        Ok(pairs)
    }
}

/// Pairs by the scene's numbers, as far apart as they start.
fn pairs(
    a: &Points<'_>,
    b: &Points<'_>,
    points: impl Iterator<Item = (MaterialPoint, MaterialPoint)>,
) -> Vec<ResolvedPair> {
    let pair = |(first, second): (MaterialPoint, MaterialPoint)| ResolvedPair {
        length: first.position(a.body.positions).distance(second.position(b.body.positions)),
        points: [first.shifted(a.body.start), second.shifted(b.body.start)],
        anchor: None,
    };
    points.map(pair).collect()
}

/// How far along the row each particle is, from 0 to 1.
fn shares(row: &Points<'_>) -> Vec<f64> {
    let mut length = 0.0;
    let mut shares = vec![0.0];
    for i in 1..row.list.len() {
        length += row.position(i).distance(row.position(i - 1));
        shares.push(length);
    }
    if length > 0.0 {
        shares.iter_mut().for_each(|share| *share /= length);
    }
    shares
}

/// The point of a row at a share of its length.
fn along(row: &Points<'_>, share: f64) -> MaterialPoint {
    let shares = shares(row);
    let next = shares.iter().position(|s| *s >= share).unwrap_or(shares.len() - 1).max(1);
    let (from, to) = (shares[next - 1], shares[next]);
    let t = if to > from { ((share - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
    let [first, second] = [row.list[next - 1], row.list[next]].map(|point| point.particles[0]);
    // What rounding leaves of a particle that is met exactly would be an element more for the colours.
    match t {
        t if t < 1e-9 => MaterialPoint::particle(first),
        t if t > 1.0 - 1e-9 => MaterialPoint::particle(second),
        t => MaterialPoint { particles: [first, second, first, first], weights: [1.0 - t, t, 0.0, 0.0] },
    }
}

/// The particles of a pair with their weights in p_b − p_a, each once; none if the two points are one.
pub fn merged(pair: &ResolvedPair) -> Vec<(u32, f64)> {
    let mut sum: Vec<(u32, f64)> = Vec::new();
    for (point, sign) in pair.points.iter().zip([-1.0, 1.0]) {
        for (&particle, &weight) in point.particles.iter().zip(&point.weights) {
            match sum.iter_mut().find(|(known, _)| *known == particle) {
                Some((_, known)) => *known += sign * weight,
                None => sum.push((particle, sign * weight)),
            }
        }
    }
    sum.retain(|(_, weight)| weight.abs() > 1e-12);
    sum
}
