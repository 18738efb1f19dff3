//! Stanford PLY: the vertices, with normals and colours where the file has them. Faces are ignored.

use super::{Cloud, CloudError};
use crate::export::{AtomicFile, ExportError};
use crate::limits::{self, excerpt};
use glam::DVec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{Encoding, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType};
use std::io::Write;
use std::path::Path;

pub(super) fn parse(bytes: &[u8]) -> Result<Cloud, CloudError> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Vertex>::new().read_header(&mut reader).map_err(refused)?;
    for element in header.elements.values() {
        let count = element.count as u64;
        let name = excerpt(&element.name);
        if element.properties.is_empty() {
            return Err(malformed(format!("the element `{name}` has no properties")));
        }
        if count > limits::TRIANGLES {
            return Err(CloudError::TooLarge { count, limit: limits::PARTICLES });
        }
        // In text, a number takes a digit and a separator.
        let text = header.encoding == Encoding::Ascii;
        let least: u64 = element.properties.values().map(|p| if text { 2 } else { size(&p.data_type) }).sum();
        // The last line of a text may lack its line break.
        if count.saturating_mul(least) > reader.get_ref().len() as u64 + 1 {
            return Err(malformed(format!(
                "the header promises {count} of `{name}`, more than the file can hold"
            )));
        }
        let vertices = Parser::<Vertex>::new()
            .read_payload_for_element(&mut reader, element, &header)
            .map_err(refused)?;
        if element.name == "vertex" {
            if count > limits::PARTICLES {
                return Err(CloudError::TooLarge { count, limit: limits::PARTICLES });
            }
            if let Some(axis) = ["x", "y", "z"].iter().find(|axis| !element.properties.contains_key(**axis)) {
                return Err(malformed(format!("the points have no `{axis}`")));
            }
            let has = |names: [&str; 3]| names.iter().all(|name| element.properties.contains_key(*name));
            return Ok(Cloud {
                points: vertices.iter().map(|v| v.position).collect(),
                normals: match has(["nx", "ny", "nz"]) {
                    true => vertices.iter().map(|v| v.normal.normalize_or_zero()).collect(),
                    false => Vec::new(),
                },
                colours: match has(["red", "green", "blue"]) {
                    true => vertices.iter().map(|v| v.colour).collect(),
                    false => Vec::new(),
                },
                viewpoint: DVec3::ZERO,
            });
        }
    }
    Err(CloudError::Empty)
}

/// Whether the beginning of a file tells of anything but points; also if it is no PLY file.
pub(super) fn has_faces(bytes: &[u8]) -> bool {
    match Parser::<Vertex>::new().read_header(&mut Reader::new(bytes)) {
        Ok(header) => header.elements.values().any(|element| element.name != "vertex" && element.count > 0),
        Err(_) => true,
    }
}

/// Writes a cloud as binary PLY; coordinates in f32, as scanners have them.
pub fn write_ply(path: impl AsRef<Path>, cloud: &Cloud, comments: &[String]) -> Result<(), ExportError> {
    AtomicFile::write_with(path, |file| {
        writeln!(file, "ply\nformat binary_little_endian 1.0")?;
        for comment in comments {
            writeln!(file, "comment {}", comment.replace(char::is_control, " "))?;
        }
        writeln!(file, "element vertex {}", cloud.points.len())?;
        writeln!(file, "property float x\nproperty float y\nproperty float z")?;
        if !cloud.normals.is_empty() {
            writeln!(file, "property float nx\nproperty float ny\nproperty float nz")?;
        }
        if !cloud.colours.is_empty() {
            writeln!(file, "property uchar red\nproperty uchar green\nproperty uchar blue")?;
        }
        writeln!(file, "end_header")?;
        let floats = |file: &mut AtomicFile, v: DVec3| {
            v.to_array().iter().try_for_each(|&c| file.write_all(&(c as f32).to_le_bytes()))
        };
        for (i, &x) in cloud.points.iter().enumerate() {
            floats(file, x)?;
            if let Some(&normal) = cloud.normals.get(i) {
                floats(file, normal)?;
            }
            if let Some(colour) = cloud.colours.get(i) {
                file.write_all(colour)?;
            }
        }
        Ok(())
    })
}

fn malformed(message: String) -> CloudError {
    CloudError::Malformed { line: None, message }
}

fn refused(error: ParseError) -> CloudError {
    let text = error.to_string().replace(['\n', '\t'], " ");
    malformed(text.chars().take(200).collect())
}

/// The fewest bytes that a property takes in a binary file.
fn size(kind: &PropertyType) -> u64 {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = kind;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

#[derive(Default)]
struct Vertex {
    position: DVec3,
    normal: DVec3,
    colour: [u8; 3],
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        // Colours are bytes, or reals from 0 to 1.
        let (value, byte): (f64, u8) = match property {
            Property::Char(v) => (v.into(), v.clamp(0, i8::MAX) as u8),
            Property::UChar(v) => (v.into(), v),
            Property::Short(v) => (v.into(), v.clamp(0, 255) as u8),
            Property::UShort(v) => (v.into(), v.min(255) as u8),
            Property::Int(v) => (v.into(), v.clamp(0, 255) as u8),
            Property::UInt(v) => (v.into(), v.min(255) as u8),
            Property::Float(v) => (v.into(), (255.0 * v).round() as u8),
            Property::Double(v) => (v, (255.0 * v).round() as u8),
            _ => return PropertyAccessResult::Ignored,
        };
        match name {
            "x" => self.position.x = value,
            "y" => self.position.y = value,
            "z" => self.position.z = value,
            "nx" => self.normal.x = value,
            "ny" => self.normal.y = value,
            "nz" => self.normal.z = value,
            "red" => self.colour[0] = byte,
            "green" => self.colour[1] = byte,
            "blue" => self.colour[2] = byte,
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let cloud = Cloud {
            points: vec![DVec3::new(0.5, -2.0, 3.25), DVec3::new(1e-3f32.into(), 0.0, 1.0)],
            normals: vec![DVec3::X, -DVec3::Z],
            colours: vec![[1, 2, 3], [250, 128, 0]],
            viewpoint: DVec3::ZERO,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cloud.ply");
        write_ply(&path, &cloud, &["two\npoints".into()]).unwrap();
        assert_eq!(super::super::read(&path).unwrap(), cloud);
    }

    #[test]
    fn a_billion_promised_points_and_missing_coordinates_are_refused() {
        let text = "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n0\n";
        assert!(matches!(parse(text.as_bytes()), Err(CloudError::TooLarge { .. })));
        let text = "ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nend_header\n0\n";
        assert!(parse(text.as_bytes()).unwrap_err().to_string().contains("promises 1000000"));
        let text =
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 1\n";
        assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), "the points have no `z`");
    }
}
