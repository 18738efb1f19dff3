//! How the cells of a body become the faces or curves of a USD prim.

use std::collections::HashMap;

use crate::export::{BodyRange, Snapshot};

/// The USD schema that shows a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Kind {
    Mesh,
    Curves,
    Points,
}

impl Kind {
    /// The kinds that together show all cells of a body.
    pub fn of(body: &BodyRange) -> Vec<Self> {
        let mut kinds = Vec::new();
        if !body.triangles.is_empty() || !body.tetrahedra.is_empty() {
            kinds.push(Self::Mesh);
        }
        if !body.segments.is_empty() {
            kinds.push(Self::Curves);
        }
        if kinds.is_empty() {
            kinds.push(Self::Points);
        }
        kinds
    }
}

/// The topology of one prim, rebuilt only when the cells it came from change.
#[derive(Debug)]
pub(super) struct Topology {
    kind: Kind,
    /// What it was built from: particle range, and the cells flattened.
    source: Option<(std::ops::Range<usize>, Vec<u32>)>,
    /// Which particle each point of the prim is.
    pub particles: Vec<u32>,
    /// Mesh: three point indices a face. Curves: the number of points of each curve. Points: nothing.
    pub numbers: Vec<u32>,
    /// Whether it differs from what the spool holds.
    pub is_new: bool,
    /// The numbers that the spool held when it was resumed, until they have been compared.
    spooled: Option<Vec<u32>>,
}

impl Topology {
    /// `spooled` are the numbers of the last frame in the spool, if there is one.
    pub fn new(kind: Kind, spooled: Option<Vec<u32>>) -> Self {
        Self { kind, source: None, particles: Vec::new(), numbers: Vec::new(), is_new: true, spooled }
    }

    pub fn update(&mut self, body: &BodyRange, snapshot: &Snapshot) {
        let is_solid = body.triangles.is_empty();
        let cells: &[u32] = match self.kind {
            Kind::Mesh if is_solid => bytemuck::cast_slice(&snapshot.tetrahedra[body.tetrahedra.clone()]),
            Kind::Mesh => bytemuck::cast_slice(&snapshot.triangles[body.triangles.clone()]),
            Kind::Curves => bytemuck::cast_slice(&snapshot.segments[body.segments.clone()]),
            Kind::Points => &[],
        };
        if let Some((range, old)) = &self.source
            && *range == body.particles
            && old == cells
        {
            return;
        }
        (self.particles, self.numbers) = match self.kind {
            Kind::Mesh if is_solid => local_faces(body, &surface(cells.as_chunks().0)),
            Kind::Mesh => local_faces(body, cells),
            Kind::Curves => chains(cells.as_chunks().0),
            Kind::Points => (body.particles.clone().map(|i| i as u32).collect(), Vec::new()),
        };
        self.source = Some((body.particles.clone(), cells.to_vec()));
        self.is_new = self.spooled.take().is_none_or(|spooled| spooled != self.numbers);
    }
}

/// The points of a mesh and its faces in their numbering: the body's own particles in order, then foreign
/// ones its faces use (bodies may be sewn together).
fn local_faces(body: &BodyRange, faces: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let own = &body.particles;
    let mut particles: Vec<u32> = own.clone().map(|i| i as u32).collect();
    let mut foreign = HashMap::new();
    let local = faces
        .iter()
        .map(|&i| {
            if own.contains(&(i as usize)) {
                return i - own.start as u32;
            }
            *foreign.entry(i).or_insert_with(|| {
                particles.push(i);
                particles.len() as u32 - 1
            })
        })
        .collect();
    (particles, local)
}

/// The faces that belong to one tetrahedron only, seen counter-clockwise from outside.
fn surface(tetrahedra: &[[u32; 4]]) -> Vec<u32> {
    let faces = || tetrahedra.iter().flat_map(|&[a, b, c, d]| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]]);
    let key = |mut face: [u32; 3]| {
        face.sort_unstable();
        face
    };
    let mut owner_counts: HashMap<[u32; 3], u32> = HashMap::new();
    for face in faces() {
        *owner_counts.entry(key(face)).or_default() += 1;
    }
    faces().filter(|&face| owner_counts[&key(face)] == 1).flatten().collect()
}

/// The particles of all curves, one curve after the other, and the length of each.
///
/// USD curves are lists of consecutive points, so the segments are joined into chains that end where a
/// particle has not exactly two segments. A closed loop repeats its first particle at the end.
fn chains(segments: &[[u32; 2]]) -> (Vec<u32>, Vec<u32>) {
    let mut incident: HashMap<u32, Vec<usize>> = HashMap::new();
    for (k, segment) in segments.iter().enumerate() {
        for &end in segment {
            incident.entry(end).or_default().push(k);
        }
    }
    let is_end = |particle: u32| incident[&particle].len() != 2;
    let mut used = vec![false; segments.len()];
    let (mut particles, mut lengths) = (Vec::new(), Vec::new());
    let mut walk = |first: u32, mut k: usize, used: &mut [bool]| {
        let length_before = particles.len();
        particles.push(first);
        let mut here = first;
        loop {
            used[k] = true;
            let [a, b] = segments[k];
            here = if a == here { b } else { a };
            particles.push(here);
            let next = incident[&here].iter().find(|&&next| !used[next]);
            match next {
                Some(&next) if !is_end(here) => k = next,
                _ => break,
            }
        }
        lengths.push((particles.len() - length_before) as u32);
    };
    // In the order of the segments, so that a rod written from start to end stays that way.
    for k in 0..segments.len() {
        for end in segments[k] {
            if !used[k] && is_end(end) {
                walk(end, k, &mut used);
            }
        }
    }
    // What is left has no ends: loops.
    for k in 0..segments.len() {
        if !used[k] {
            walk(segments[k][0], k, &mut used);
        }
    }
    (particles, lengths)
}

/// Normals of the points of a mesh: those of the triangles around each, by area; zero where there are none.
pub(super) fn normals(points: &[[f32; 3]], faces: &[u32]) -> Vec<[f32; 3]> {
    let point = |i: u32| points.get(i as usize).map_or(glam::Vec3::ZERO, |&p| p.into());
    let mut sums = vec![glam::Vec3::ZERO; points.len()];
    for face in faces.as_chunks::<3>().0 {
        let [a, b, c] = face.map(point);
        let area = (b - a).cross(c - a);
        for &i in face {
            if let Some(sum) = sums.get_mut(i as usize) {
                *sum += area;
            }
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or_zero().to_array()).collect()
}

/// The box around the finite coordinates; the origin if there are none.
pub(super) fn extent(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for point in points {
        for axis in 0..3 {
            if point[axis].is_finite() {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
    }
    let or_zero = |x: f32| if x.is_finite() { x } else { 0.0 };
    [low.map(or_zero), high.map(or_zero)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rod_is_one_chain_in_its_own_order() {
        assert_eq!(chains(&[[3, 4], [4, 5], [5, 6]]), (vec![3, 4, 5, 6], vec![4]));
    }

    #[test]
    fn a_broken_rod_is_two_chains() {
        assert_eq!(chains(&[[0, 1], [2, 3]]), (vec![0, 1, 2, 3], vec![2, 2]));
    }

    #[test]
    fn a_loop_is_closed_by_repeating_its_first_particle() {
        assert_eq!(chains(&[[0, 1], [1, 2], [2, 0]]), (vec![0, 1, 2, 0], vec![4]));
    }

    #[test]
    fn chains_end_at_a_junction() {
        let (particles, lengths) = chains(&[[0, 1], [1, 2], [1, 3]]);
        assert_eq!(lengths, [2, 2, 2]);
        assert_eq!(particles, [0, 1, 1, 2, 1, 3]);
    }

    #[test]
    fn a_segment_from_a_particle_to_itself_does_no_harm() {
        assert_eq!(chains(&[[7, 7]]), (vec![7, 7], vec![2]));
    }

    #[test]
    fn normals_of_a_flat_mesh_all_point_up() {
        let points = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [9.0, 9.0, 9.0]];
        let [up, none] = [[0.0, 1.0, 0.0], [0.0; 3]];
        assert_eq!(normals(&points, &[0, 1, 2]), [up, up, up, none]);
    }

    #[test]
    fn two_tetrahedra_sharing_a_face_have_six_outer_faces() {
        let faces = surface(&[[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(faces.len(), 18);
        assert!(!faces.chunks(3).any(|f| {
            let mut f = f.to_vec();
            f.sort_unstable();
            f == [1, 2, 3]
        }));
    }
}
