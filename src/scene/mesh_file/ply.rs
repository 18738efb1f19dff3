//! Stanford PLY, text or binary, through ply-rs-bw.
//!
//! The crate returns errors and caps its preallocations, but it believes the header's counts: an element without
//! properties costs no bytes in a binary file, so a count of 10¹⁸ would fill memory from nothing. The header is
//! therefore read first, and a count that the rest of the file cannot hold is refused.

use glam::DVec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

use super::{add_polygon, check_count, malformed};
use crate::limits;
use crate::limits::excerpt;
use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};

pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, MeshError> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Skipped>::new().read_header(&mut reader).map_err(refused)?;
    let mut mesh = TriangleMesh::default();
    let mut texture = Vec::new();
    for element in header.elements.values() {
        check_element(element, &header, reader.get_ref().len() as u64)?;
        match element.name.as_str() {
            "vertex" => {
                for axis in ["x", "y", "z"] {
                    if !element.properties.contains_key(axis) {
                        return Err(malformed(None, format!("the vertices have no `{axis}`")));
                    }
                }
                let vertices: Vec<Vertex> =
                    Parser::new().read_payload_for_element(&mut reader, element, &header).map_err(refused)?;
                mesh.positions = vertices.iter().map(|v| DVec3::from_array(v.position)).collect();
                texture = vertices.iter().filter_map(|v| Some([v.texture[0]?, v.texture[1]?])).collect();
            }
            "face" => {
                if !["vertex_indices", "vertex_index"]
                    .iter()
                    .any(|name| element.properties.contains_key(*name))
                {
                    return Err(malformed(None, "the faces have no `vertex_indices`"));
                }
                let faces: Vec<Face> =
                    Parser::new().read_payload_for_element(&mut reader, element, &header).map_err(refused)?;
                for (i, face) in faces.iter().enumerate() {
                    let corners = face
                        .0
                        .as_ref()
                        .ok_or_else(|| malformed(None, format!("face {i} has a negative vertex index")))?;
                    add_polygon(&mut mesh, corners, None)?;
                }
            }
            _ => {
                Parser::<Skipped>::new()
                    .read_payload_for_element(&mut reader, element, &header)
                    .map_err(refused)?;
            }
        }
    }
    if !texture.is_empty()
        && texture.len() == mesh.positions.len()
        && texture.as_flattened().iter().all(|x| x.is_finite())
    {
        let pair = |v: u32| texture.get(v as usize).copied();
        // A vertex that does not exist is found, and named, when the mesh is checked.
        let corners = mesh.triangles.iter().map(|&[a, b, c]| Some([pair(a)?, pair(b)?, pair(c)?]));
        mesh.texture_coordinates = corners.collect();
    }
    Ok(mesh)
}

/// Refuses counts that are over the limit or that the remaining bytes cannot hold.
fn check_element(element: &ElementDef, header: &Header, remaining: u64) -> Result<(), MeshError> {
    let count = element.count as u64;
    let name = excerpt(&element.name);
    if element.properties.is_empty() {
        return Err(malformed(None, format!("the element `{name}` has no properties")));
    }
    match element.name.as_str() {
        "vertex" => check_count("vertices", count, limits::PARTICLES)?,
        "face" => check_count("faces", count, limits::TRIANGLES)?,
        _ => check_count("elements of one kind", count, limits::TRIANGLES)?,
    }
    let text = header.encoding == Encoding::Ascii;
    let bytes_each: u64 = element
        .properties
        .values()
        .map(|p| match &p.data_type {
            // In text a number takes a digit and a separator.
            PropertyType::Scalar(_) if text => 2,
            PropertyType::Scalar(s) => size(s),
            PropertyType::List(_, _) if text => {
                if element.name == "face" && p.name.starts_with("vertex_ind") { 8 } else { 2 }
            }
            // The corners of a face are at least three; other lists may be empty.
            PropertyType::List(n, s) if element.name == "face" && p.name.starts_with("vertex_ind") => {
                size(n) + 3 * size(s)
            }
            PropertyType::List(n, _) => size(n),
        })
        .sum();
    // The last line of a text may lack its line break.
    if count.saturating_mul(bytes_each) > remaining + 1 {
        return Err(malformed(
            None,
            format!("the header promises {count} of `{name}`, more than the file can hold"),
        ));
    }
    Ok(())
}

fn size(scalar: &ScalarType) -> u64 {
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

/// The parser quotes the file and its own grammar; only the number of the line is of use.
fn refused(error: ParseError) -> MeshError {
    let text = error.to_string();
    let number = text.strip_prefix("Line ").and_then(|rest| rest.split(':').next()?.parse().ok());
    match number {
        Some(_) => malformed(number, "this is not what the header promises there"),
        None => malformed(
            None,
            "the file does not begin with a PLY header, or ends before all that its header promises",
        ),
    }
}

#[derive(Default)]
struct Vertex {
    position: [f64; 3],
    texture: [Option<f64>; 2],
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let value = match property {
            Property::Char(v) => v.into(),
            Property::UChar(v) => v.into(),
            Property::Short(v) => v.into(),
            Property::UShort(v) => v.into(),
            Property::Int(v) => v.into(),
            Property::UInt(v) => v.into(),
            Property::Float(v) => v.into(),
            Property::Double(v) => v,
            _ => return PropertyAccessResult::Ignored,
        };
        match name {
            "x" => self.position[0] = value,
            "y" => self.position[1] = value,
            "z" => self.position[2] = value,
            "u" | "s" | "texture_u" => self.texture[0] = Some(value),
            "v" | "t" | "texture_v" => self.texture[1] = Some(value),
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

/// Corners of a face, or nothing if one of them is negative.
struct Face(Option<Vec<u32>>);

impl PropertyAccess for Face {
    fn new() -> Self {
        Self(Some(Vec::new()))
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if name != "vertex_indices" && name != "vertex_index" {
            return PropertyAccessResult::Ignored;
        }
        self.0 = property.to_u32_list();
        PropertyAccessResult::Set
    }
}

struct Skipped;

impl PropertyAccess for Skipped {
    fn new() -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
        0 0 0 0 0\n1 0 0 1 0\n1 1 0 1 1\n0 1 0 0 1\n4 0 1 2 3\n";

    #[test]
    fn text_is_read_with_texture_coordinates_and_quads_are_split() {
        let mesh = parse(TEXT.as_bytes()).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.texture_coordinates.unwrap()[1], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    }

    #[test]
    fn both_byte_orders_are_read() {
        for (name, big) in [("binary_big_endian", true), ("binary_little_endian", false)] {
            let mut file = format!(
                "ply\nformat {name} 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n\
                 element face 1\nproperty list uchar uint vertex_index\nend_header\n"
            )
            .into_bytes();
            for x in [0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
                file.extend(if big { x.to_be_bytes() } else { x.to_le_bytes() });
            }
            file.push(3);
            for i in [0u32, 1, 2] {
                file.extend(if big { i.to_be_bytes() } else { i.to_le_bytes() });
            }
            let mesh = parse(&file).unwrap();
            assert_eq!((mesh.positions[1], mesh.triangles[0]), (DVec3::X, [0, 1, 2]));
            file.pop();
            assert!(parse(&file).is_err(), "a truncated file must be refused");
        }
    }

    #[test]
    fn promises_that_the_file_cannot_hold_are_refused() {
        let huge = TEXT.replace("element face 1", "element face 16000000");
        assert!(parse(huge.as_bytes()).unwrap_err().to_string().contains("more than the file can hold"));
        let over = TEXT.replace("element vertex 4", "element vertex 99999999999");
        assert!(matches!(parse(over.as_bytes()), Err(MeshError::TooLarge { .. })));
        let nothing = "ply\nformat binary_little_endian 1.0\nelement ghost 1000000000000000000\nend_header\n";
        assert!(parse(nothing.as_bytes()).unwrap_err().to_string().contains("no properties"));
    }

    #[test]
    fn negative_indices_are_refused() {
        let error = parse(TEXT.replace("4 0 1 2 3", "4 0 1 2 -3").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "face 0 has a negative vertex index");
    }
}
