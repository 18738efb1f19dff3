//! Tetrahedra from hexahedra, prisms and pyramids.
//!
//! A cell is coned from the corner that the mesh numbers lowest over the faces that do not have it, and a face of four corners is cut from
//! the lowest of its own. Neighbours therefore cut the face they share alike, without looking at each other (Dompierre,
//! Labbé, Vallet, Camarero 1999).

/// The faces of a cell by its corners, in Gmsh's order, anticlockwise from outside.
type Faces = &'static [&'static [usize]];

const HEXAHEDRON: Faces =
    &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];
const PRISM: Faces = &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
const PYRAMID: Faces = &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]];

/// The tetrahedra of a cell of 4, 5, 6 or 8 corners, upright if the cell is.
pub(super) fn tetrahedra(corners: &[u32]) -> Vec<[u32; 4]> {
    let faces = match *corners {
        [a, b, c, d] => return vec![[a, b, c, d]],
        [_, _, _, _, _] => PYRAMID,
        [_, _, _, _, _, _] => PRISM,
        _ => HEXAHEDRON,
    };
    let lowest = corners.iter().copied().min().unwrap_or_default();
    let mut tets = Vec::with_capacity(6);
    for face in faces {
        let mut face: Vec<u32> = face.iter().map(|&corner| corners[corner]).collect();
        if face.contains(&lowest) {
            continue;
        }
        let first = (0..face.len()).min_by_key(|&k| face[k]).unwrap_or_default();
        face.rotate_left(first);
        tets.extend(face[1..].windows(2).map(|pair| [lowest, face[0], pair[0], pair[1]]));
    }
    tets
}
