//! What a model's bodies are made of, as far as touching goes.

use crate::contact::driven::SKIN;
use crate::model::Model;
use glam::DVec3;

/// Triangles, segments and points of bodies, by the model's numbers of particles; corners of rigid bodies come after them.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    pub triangles: Vec<[u32; 3]>,
    pub segments: Vec<[u32; 2]>,
    /// Particles without any of these.
    pub points: Vec<u32>,
    /// Half the thickness at each particle [m].
    pub radii: Vec<f64>,
    /// Positions at the start [m].
    pub start: Vec<DVec3>,
    /// The body of each particle, and its number there as the user counts.
    pub bodies: Vec<[u32; 2]>,
    pub names: Vec<String>,
    /// Where the triangles of each body begin.
    pub first_triangles: Vec<u32>,
    /// Pairs of bodies that do not touch, the smaller number first; a body with itself too.
    pub excluded: Vec<[u32; 2]>,
    /// Closed curves: particles in order.
    pub curves: Vec<Vec<u32>>,
}

impl Shapes {
    /// The surfaces of sheets and solids, the segments of rods and nets, and what has neither as points.
    pub fn of(model: &Model) -> Self {
        let mut shapes = Self {
            triangles: model.triangles.clone(),
            radii: model.particles.radii.clone(),
            start: model.particles.positions.clone(),
            bodies: vec![[0; 2]; model.particle_count()],
            ..Self::default()
        };
        for (number, body) in (0..).zip(&model.bodies) {
            for user in body.particles.clone() {
                let particle = model.order.new_of_old[user as usize];
                shapes.bodies[particle as usize] = [number, user - body.particles.start];
            }
            let segments = &model.segments[body.segments.start as usize..body.segments.end as usize];
            if body.triangles.is_empty() {
                shapes.segments.extend(segments);
            }
            let is_rigid = model.rigid.iter().any(|rigid| rigid.body == number);
            if body.triangles.is_empty() && segments.is_empty() && !is_rigid {
                shapes
                    .points
                    .extend(body.particles.clone().map(|user| model.order.new_of_old[user as usize]));
            }
            shapes.curves.extend(closed_curve(segments));
            shapes.names.push(body.name.clone());
            shapes.first_triangles.push(body.triangles.start);
        }
        shapes.exclude(model);
        shapes
    }

    /// With the surfaces of rigid bodies, whose corners follow the particles as in [`crate::model::skins::Skins::carried`].
    pub fn whole(model: &Model) -> Self {
        let mut shapes = Self::of(model);
        let (particles, before) = (shapes.start.len() as u32, model.skins.embedding.corners.len() as u32);
        for skin in &model.skins.parts {
            let Some(rigid) = model.rigid.iter().find(|rigid| rigid.body == skin.body) else { continue };
            let vertices = (skin.vertices.start - before) as usize..(skin.vertices.end - before) as usize;
            let arms = || model.skins.rigid[vertices.clone()].iter().map(|vertex| vertex.arm);
            let extent = arms().fold(DVec3::ZERO, |most, arm| most.max(arm.abs())).min_element();
            let centre = model.particles.positions[rigid.particle as usize];
            for (number, arm) in (0..).zip(arms()) {
                shapes.start.push(centre + rigid.orientation * arm);
                shapes.radii.push(SKIN * extent);
                shapes.bodies.push([rigid.body, number]);
            }
            shapes.first_triangles[rigid.body as usize] = shapes.triangles.len() as u32;
            let corner = |v: u32| particles + v - before;
            shapes.triangles.extend(skin.triangles.iter().map(|t| t.map(corner)));
            shapes.excluded.push([rigid.body; 2]);
        }
        shapes
    }

    /// Leaves out what the scene lets pass through each other.
    fn exclude(&mut self, model: &Model) {
        let Some(contact) = &model.settings.contact else { return };
        let count = model.bodies.len() as u32;
        let pairs = (0..count).flat_map(|a| (a..count).map(move |b| [a, b]));
        let touch = |[a, b]: [u32; 2]| {
            let names = [a, b].map(|k| &model.bodies[k as usize].name);
            let named =
                contact.pair.iter().rev().find(|pair| {
                    [&pair.first, &pair.second] == names || [&pair.second, &pair.first] == names
                });
            named.map_or(a != b || contact.own, |pair| pair.touch)
        };
        self.excluded = pairs.filter(|&pair| !touch(pair)).collect();
    }

    /// Whether two things can touch: they share no particle and their bodies are not excluded.
    pub fn meet(&self, first: &[u32], second: &[u32]) -> bool {
        let [a, b] = [first[0], second[0]].map(|p| self.bodies[p as usize][0]);
        first.iter().all(|p| !second.contains(p)) && !self.excluded.contains(&[a.min(b), a.max(b)])
    }

    pub fn same_body(&self, a: u32, b: u32) -> bool {
        self.bodies[a as usize][0] == self.bodies[b as usize][0]
    }

    pub fn name_point(&self, p: u32) -> String {
        let [body, number] = self.bodies[p as usize];
        format!("particle {number} of `{}`", self.names[body as usize])
    }

    pub fn name_edge(&self, edge: [u32; 2]) -> String {
        let [[body, a], [_, b]] = edge.map(|p| self.bodies[p as usize]);
        format!("edge {a}-{b} of `{}`", self.names[body as usize])
    }

    pub fn name_triangle(&self, triangle: u32) -> String {
        let body = self.bodies[self.triangles[triangle as usize][0] as usize][0] as usize;
        format!("triangle {} of `{}`", triangle - self.first_triangles[body], self.names[body])
    }
}

/// The particles along segments that form one ring, if they do.
fn closed_curve(segments: &[[u32; 2]]) -> Option<Vec<u32>> {
    let (first, last) = (segments.first()?, segments.last()?);
    let is_chain = segments.windows(2).all(|pair| pair[0][1] == pair[1][0]);
    (segments.len() > 2 && is_chain && last[1] == first[0]).then(|| segments.iter().map(|s| s[0]).collect())
}
