//! What surrounds the edges inside of a mesh: the other corners of their tetrahedra, in a ring.
//!
//! At rest a ring goes around its edge once. A body that was crushed and grows again can come to rest with rings that go around
//! twice: every tetrahedron is upright then, none can leave without passing through its edge, and what keeps volumes keeps
//! that up, the better the closer ν is to ½. `ring_winding` finds rings that do not go around once and forward, and `tet_loosen` tells their
//! tetrahedra, and those that are folded, which hold their volume no more than a material of ν = 0.3 until the ring has slipped over its
//! edge and they have something of their shape again. (With no more than that to overcome, no tangle was seen to last.) A mesh that is
//! right is not touched.

use super::law::Acts;
use super::{LAWS, ring_winding, tet_loosen};
use crate::compute::{ComputeError, Launch, Passes, Role, Tables};
use crate::model::elements::Tet;

/// The six edges of a tetrahedron, and its other two corners in the order in which an upright one goes around the edge.
const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 2, 0], [2, 3, 0, 1]];

/// The buffers of a family of tetrahedra whose names end like this; the kernels' own names are those of the values.
const NAMES: [(&str, &str); 7] = [
    ("_ring_starts", "ring_starts"),
    ("_ring_particles", "ring_particles"),
    ("_ring_wounds", "ring_wounds"),
    ("_rings", "tet_rings"),
    ("_memories", "tet_memories"),
    ("_corners", "tet_corners"),
    ("_rest", "tet_rest"),
];

/// The rings of a list of tetrahedra.
#[derive(Debug, Default, PartialEq)]
pub struct Rings {
    /// Where each ring begins among the particles, and one end.
    pub starts: Vec<u32>,
    /// The two ends of the edge, then the corners around it.
    pub particles: Vec<u32>,
    /// The rings of each tetrahedron's edges, [`tet_loosen::NONE`] where there is none: two rows each.
    pub of_tets: Vec<[u32; 4]>,
}

/// One tetrahedron at one edge.
#[derive(Clone, Copy)]
struct Side {
    /// The edge, its lower particle first.
    edge: [u32; 2],
    from: u32,
    to: u32,
    /// 8 × tetrahedron + edge.
    slot: u32,
}

impl Rings {
    pub fn new(tets: &[Tet]) -> Self {
        let sides = tets.iter().zip(0..).flat_map(|(tet, t)| {
            EDGES.iter().zip(0..).map(move |(corners, e)| {
                let [a, b, from, to] = corners.map(|c| tet.particles[c]);
                let slot = 8 * t + e;
                if a < b {
                    Side { edge: [a, b], from, to, slot }
                } else {
                    Side { edge: [b, a], from: to, to: from, slot }
                }
            })
        });
        let mut sides: Vec<Side> = sides.collect();
        sides.sort_unstable_by_key(|side| (side.edge, side.from));
        let mut rings =
            Self { starts: vec![0], of_tets: vec![[tet_loosen::NONE; 4]; 2 * tets.len()], ..Self::default() };
        for around in sides.chunk_by(|a, b| a.edge == b.edge) {
            let Some(ring) = closed(around) else { continue };
            let number = rings.starts.len() as u32 - 1;
            rings.particles.extend(around[0].edge);
            rings.particles.extend(ring);
            rings.starts.push(rings.particles.len() as u32);
            for side in around {
                let [tet, edge] = [side.slot / 8, side.slot % 8].map(|x| x as usize);
                rings.of_tets[2 * tet + edge / 4][edge % 4] = number;
            }
        }
        rings
    }
}

/// The corners around an edge, if they close to one ring: edges of the surface have none.
fn closed(around: &[Side]) -> Option<Vec<u32>> {
    let first = around[0].from;
    let mut ring = Vec::with_capacity(around.len());
    let mut at = first;
    for step in 0..around.len() {
        if step > 0 && at == first {
            return None;
        }
        ring.push(at);
        at = around[around.binary_search_by_key(&at, |side| side.from).ok()?].to;
    }
    (at == first).then_some(ring)
}

/// Adds what the tetrahedra of a family need: their rings, and `…_memories` with a bit for what is loose.
pub fn add_buffers(buffers: &mut Tables, family: &str, tets: &[Tet]) -> Result<(), ComputeError> {
    let rings = Rings::new(tets);
    // One more than there are, because a bar of one cell has none.
    let count = rings.starts.len();
    let name = |end: &str| format!("{family}{end}");
    buffers.uints(&name("_memories"), Role::State, vec![0; tets.len()])?;
    buffers.uints(&name("_ring_starts"), Role::Model, rings.starts)?;
    buffers.uints(&name("_ring_particles"), Role::Model, [rings.particles, vec![0]].concat())?;
    buffers.uints(&name("_ring_wounds"), Role::Scratch, vec![0; count])?;
    buffers.uint4s(&name("_rings"), Role::Model, rings.of_tets)?;
    let columns = [name("_memories"), name("_rings")];
    let columns = columns.each_ref().map(String::as_str);
    buffers.gather(&name("_elements"), tets.len() as u32, &columns).map(drop)
}

/// Appends what finds rings that are wound wrong and tetrahedra that are loose, for every family that is there.
pub fn append(passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
    let own = LAWS.iter().filter_map(|law| match &law.acts {
        Acts::Constraint(constraint) => Some(constraint.prefix),
        Acts::Force { .. } => None,
    });
    for family in std::iter::once("tet").chain(own) {
        let names = NAMES.map(|(end, name)| (name, format!("{family}{end}")));
        let Some(wounds) = buffers.find(&names[2].1) else { continue };
        let tets = buffers.find(&names[4].1).expect("added with the rings");
        let renamed = names.each_ref().map(|(name, own)| (*name, own.as_str()));
        let rings = Launch::over(buffers.len(wounds) as u32 - 1);
        if rings.count > 0 {
            passes.run_as(buffers, &ring_winding::KERNEL, rings, &renamed[..3])?;
        }
        let tets = Launch::over(buffers.len(tets) as u32);
        passes.run_as(buffers, &tet_loosen::KERNEL, tets, &renamed[2..])?;
    }
    Ok(())
}
