//! What a probe would do to a body of known moduli, so that everything can be tried without one.

use super::IdentifyError;
use super::body::Body;
use super::equilibrium::{Control, rest};
use super::footprint::Footprint;
use super::sparse::dot;
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;

/// A pushed body.
pub struct Pushed {
    /// What can be seen of it.
    pub skin: TriangleMesh,
    /// The travel of the tip [m].
    pub depth: f64,
}

/// The rest of a body of E and ν under a push, on a mesh twice as fine if asked, so that data are not made by what is to explain them.
pub fn push(
    body: &Body,
    mesh: &TetMesh,
    moduli: [f64; 2],
    footprint: &Footprint,
    force: f64,
    is_finer: bool,
) -> Result<Pushed, IdentifyError> {
    let finer;
    let body = if is_finer {
        finer = body.refined(mesh)?.0;
        &finer
    } else {
        body
    };
    let push = footprint.push(body)?;
    let found = rest(body, moduli, &push, Control::Force(force), None)?;
    let positions = body.skin.embedding.apply(&body.moved(&found.u));
    let skin = TriangleMesh { positions, triangles: body.skin.triangles.clone(), texture_coordinates: None };
    Ok(Pushed { skin, depth: dot(&push, &found.u) })
}
