//! Wavefront OBJ: vertices, texture coordinates and faces; everything else is passed over.
//!
//! A reader of our own, because the numbering of the vertices must stay that of the file: pins name particles by
//! it. The tobj crate renumbers vertices by first use, drops the unused ones (which we report), keeps f32 only,
//! tells no line numbers, and overflows on huge relative texture indices in checked builds.

use glam::DVec3;

use super::{add_polygon, check_count, fan, malformed};
use crate::limits;
use crate::limits::excerpt;
use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshError> {
    let mut mesh = TriangleMesh::default();
    let mut coordinates: Vec<[f64; 2]> = Vec::new();
    let mut textures: Vec<[[f64; 2]; 3]> = Vec::new();
    let (mut corners, mut pairs): (Vec<u32>, Vec<[f64; 2]>) = (Vec::new(), Vec::new());
    for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
        let number = number + 1;
        // Comments and object names may be in any encoding.
        let line = String::from_utf8_lossy(line);
        if line.trim_end().ends_with('\\') {
            return Err(malformed(Some(number), "continued lines (`\\`) are not supported"));
        }
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                check_count("vertices", mesh.positions.len() as u64 + 1, limits::PARTICLES)?;
                let [x, y, z] = numbers(&mut words, number)?;
                mesh.positions.push(DVec3::new(x, y, z));
            }
            Some("vt") => {
                check_count("texture coordinates", coordinates.len() as u64 + 1, 4 * limits::PARTICLES)?;
                let [u] = numbers(&mut words, number)?;
                let v =
                    if words.clone().next().is_some() { numbers::<1>(&mut words, number)?[0] } else { 0.0 };
                coordinates.push([u, v]);
            }
            Some("f") => {
                corners.clear();
                pairs.clear();
                for word in words {
                    check_count(
                        "corners of one face",
                        corners.len() as u64 + 1,
                        limits::POLYGON_CORNERS as u64,
                    )?;
                    let mut parts = word.split('/');
                    let vertex = index(parts.next(), mesh.positions.len(), "vertex", number)?;
                    if let Some(part) = parts.next().filter(|p| !p.is_empty()) {
                        let texture = index(Some(part), coordinates.len(), "texture coordinate", number)?;
                        pairs.push(coordinates[texture as usize]);
                    }
                    corners.push(vertex);
                }
                add_polygon(&mut mesh, &corners, Some(number))?;
                if pairs.len() == corners.len() {
                    textures.extend(fan(&pairs));
                }
            }
            _ => {}
        }
    }
    // Some faces without would leave their threads without a direction.
    if !textures.is_empty() && textures.len() == mesh.triangles.len() {
        mesh.texture_coordinates = Some(textures);
    }
    Ok(mesh)
}

fn numbers<'a, const N: usize>(
    words: &mut impl Iterator<Item = &'a str>,
    line: usize,
) -> Result<[f64; N], MeshError> {
    let mut values = [0.0; N];
    for value in &mut values {
        let word = words.next().ok_or_else(|| malformed(Some(line), "a coordinate is missing"))?;
        *value =
            word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| {
                malformed(Some(line), format!("`{}` is not a finite number", excerpt(word)))
            })?;
    }
    Ok(values)
}

/// OBJ counts from 1, or backwards from the latest with negative numbers.
fn index(word: Option<&str>, count: usize, what: &str, line: usize) -> Result<u32, MeshError> {
    let word = word.unwrap_or_default();
    let number: i64 = word
        .parse()
        .map_err(|_| malformed(Some(line), format!("`{}` is not the number of a {what}", excerpt(word))))?;
    let index = if number < 0 { number.checked_add(count as i64) } else { number.checked_sub(1) };
    match index {
        Some(i) if (0..count as i64).contains(&i) => Ok(i as u32),
        _ => Err(malformed(Some(line), format!("there is no {what} {number}; {count} precede this line"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_become_fans_and_negative_indices_count_back() {
        let mesh = parse(b"v 0 0 0\nv 1 0 0\r\nv 1 1 0 # corner\nv 0 1 0\nf -4 -3 -2 -1\n").unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.texture_coordinates, None);
    }

    #[test]
    fn texture_coordinates_survive_along_seams_too() {
        let text =
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt .5 .5\nf 1/1 2/2 3/3\n";
        let whole = parse(format!("{text}f 1/1 3/3 4/4").as_bytes()).unwrap();
        assert_eq!(whole.texture_coordinates.unwrap()[1], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let seam = parse(format!("{text}f 1/1 3/5 4/4").as_bytes()).unwrap();
        assert_eq!(seam.texture_coordinates.unwrap()[1], [[0.0, 0.0], [0.5, 0.5], [0.0, 1.0]]);
        let partly = parse(format!("{text}f 1/1 3 4/4").as_bytes()).unwrap();
        assert_eq!(partly.texture_coordinates, None);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("v 0 0\n", "line 1: a coordinate is missing"),
            ("v 0 0 nan\n", "line 1: `nan` is not a finite number"),
            ("v 0 0 0\nf 1 1 2\n", "line 2: there is no vertex 2; 1 precede this line"),
            ("v 0 0 0\nf 0 1 1\n", "line 2: there is no vertex 0; 1 precede this line"),
            ("v 0 0 0\nf 1 1\n", "line 2: a face has 2 corners"),
            (
                "v 0 0 0\nf 1/9223372036854775807 1 1\n",
                "line 2: there is no texture coordinate 9223372036854775807; 0 precede this line",
            ),
            (
                "v 0 0 0\nf -9223372036854775808 1 1\n",
                "line 2: there is no vertex -9223372036854775808; 1 precede this line",
            ),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), message);
        }
    }
}
