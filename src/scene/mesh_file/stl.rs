//! STL, text or binary, through stl_io.
//!
//! The crate reads triangle by triangle, reserves nothing on a header's word and returns errors. It tells text
//! from binary by a leading `solid `, which many binary files have too; their length gives those away.

use std::collections::HashMap;
use std::io::Cursor;

use glam::DVec3;

use super::{check_count, malformed};
use crate::limits;
use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};

const HEADER_BYTES: usize = 84;
const TRIANGLE_BYTES: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshError> {
    let refused = |e: std::io::Error| malformed(None, e.to_string().chars().take(200).collect::<String>());
    let promised = bytes.get(80..HEADER_BYTES).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let holds = bytes.len().saturating_sub(HEADER_BYTES) / TRIANGLE_BYTES;
    let is_binary =
        promised.is_some_and(|n| n as usize == holds && bytes.len() == HEADER_BYTES + holds * TRIANGLE_BYTES);
    if !is_binary && !bytes.starts_with(b"solid ") {
        return Err(malformed(
            None,
            format!(
                "neither text (`solid …`) nor binary: the header promises {} triangles, the file holds {holds}",
                promised.unwrap_or(0)
            ),
        ));
    }
    let mut mesh = TriangleMesh::default();
    let mut welded: HashMap<[u32; 3], u32> = HashMap::new();
    let mut add = |triangle: stl_io::Triangle| {
        check_count("triangles", mesh.triangles.len() as u64 + 1, limits::TRIANGLES)?;
        let mut corners = [0; 3];
        for (corner, vertex) in corners.iter_mut().zip(triangle.vertices) {
            // Adding zero makes −0 and 0 one vertex.
            let [x, y, z] = vertex.0.map(|x| x + 0.0);
            let next = mesh.positions.len() as u32;
            *corner = *welded.entry([x, y, z].map(f32::to_bits)).or_insert(next);
            if *corner == next {
                check_count("vertices", u64::from(next) + 1, limits::PARTICLES)?;
                mesh.positions.push(DVec3::new(x.into(), y.into(), z.into()));
            }
        }
        mesh.triangles.push(corners);
        Ok(())
    };
    if is_binary {
        // Hide a misleading `solid ` from the crate's own guess: the 80 bytes of title mean nothing.
        let mut titled = bytes.to_vec();
        titled[..80].fill(0);
        let mut cursor = Cursor::new(titled);
        for triangle in stl_io::create_stl_reader(&mut cursor).map_err(refused)? {
            add(triangle.map_err(refused)?)?;
        }
    } else {
        let mut cursor = Cursor::new(bytes);
        for triangle in stl_io::create_stl_reader(&mut cursor).map_err(refused)? {
            add(triangle.map_err(refused)?)?;
        }
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(title: &[u8], triangles: &[[f32; 9]]) -> Vec<u8> {
        let mut file = title.to_vec();
        file.resize(80, b' ');
        file.extend((triangles.len() as u32).to_le_bytes());
        for t in triangles {
            file.extend([0; 12]);
            t.iter().for_each(|x| file.extend(x.to_le_bytes()));
            file.extend([0; 2]);
        }
        file
    }

    const SQUARE: [[f32; 9]; 2] =
        [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0], [-0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, -0.0]];

    #[test]
    fn equal_vertices_are_welded_even_in_a_binary_file_that_starts_with_solid() {
        for title in [b"made by hand".as_slice(), b"solid rock"] {
            let mesh = parse(&binary(title, &SQUARE)).unwrap();
            assert_eq!(mesh.positions.len(), 4);
            assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        }
    }

    #[test]
    fn text_is_read() {
        let text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
        assert_eq!(parse(text.as_bytes()).unwrap().triangles, [[0, 1, 2]]);
        let error = parse(text.replace("vertex 1 0 0", "vertex 1 nan 0").as_bytes()).unwrap_err();
        assert!(error.to_string().contains("finite"), "{error}");
    }

    #[test]
    fn a_count_that_does_not_match_the_length_is_refused() {
        let mut file = binary(b"", &SQUARE);
        file[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = parse(&file).unwrap_err();
        assert!(error.to_string().contains("promises 4294967295 triangles, the file holds 2"), "{error}");
    }
}
