//! Binary little-endian PLY, one file per moment.
//!
//! Elements: `vertex` (position, velocity, colour and index of the body, point fields), `face`, `edge` and
//! `tetrahedron`, the latter three with the cell fields that exist on them. `tetrahedron` is not one of the
//! customary elements; readers skip what they do not know, as the header tells them how.
//! Non-finite values are kept: PLY stores raw floats.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::Path,
};

use super::{AtomicFile, CellField, ExportError, Snapshot, Values, colour::srgb_bytes_from_linear};

/// Writes a snapshot as a PLY file.
pub fn write_ply(path: impl AsRef<Path>, snapshot: &Snapshot) -> Result<(), ExportError> {
    snapshot.check()?;
    AtomicFile::write_with(path, |file| {
        let cells = Cells::new(snapshot);
        write_header(file, snapshot, &cells)?;
        write_vertices(file, snapshot)?;
        write_lists(file, snapshot.triangles, &cells.triangle_fields)?;
        write_edges(file, snapshot.segments, &cells.segment_fields)?;
        write_lists(file, snapshot.tetrahedra, &cells.tetrahedron_fields)
    })
}

/// The cell fields that have values on each kind of cell.
struct Cells<'a> {
    triangle_fields: Vec<(&'a str, &'a [f32])>,
    segment_fields: Vec<(&'a str, &'a [f32])>,
    tetrahedron_fields: Vec<(&'a str, &'a [f32])>,
}

impl<'a> Cells<'a> {
    fn new(snapshot: &Snapshot<'a>) -> Self {
        let fields = snapshot.cell_fields;
        let pick = |values: fn(&CellField<'a>) -> &'a [f32]| {
            let named = fields.iter().map(|f| (f.name, values(f)));
            named.filter(|(_, v)| !v.is_empty()).collect()
        };
        Self {
            triangle_fields: pick(|f| f.triangles),
            segment_fields: pick(|f| f.segments),
            tetrahedron_fields: pick(|f| f.tetrahedra),
        }
    }
}

fn write_header(file: &mut impl Write, snapshot: &Snapshot, cells: &Cells) -> io::Result<()> {
    write!(file, "ply\nformat binary_little_endian 1.0\n")?;
    writeln!(file, "comment time {} s", snapshot.time)?;
    for (id, body) in snapshot.bodies.iter().enumerate() {
        writeln!(file, "comment body {id} {}", one_line(body.name))?;
    }

    writeln!(file, "element vertex {}", snapshot.positions.len())?;
    let mut names = Names::default();
    for name in ["x", "y", "z"] {
        writeln!(file, "property float {}", names.take(name))?;
    }
    if !snapshot.velocities.is_empty() {
        for name in ["vx", "vy", "vz"] {
            writeln!(file, "property float {}", names.take(name))?;
        }
    }
    if !snapshot.bodies.is_empty() {
        for name in ["red", "green", "blue"] {
            writeln!(file, "property uchar {}", names.take(name))?;
        }
        writeln!(file, "property int {}", names.take("body"))?;
    }
    for field in snapshot.point_fields {
        match field.values {
            Values::Scalars(_) => writeln!(file, "property float {}", names.take(field.name))?,
            Values::Vectors(_) => {
                for axis in ["x", "y", "z"] {
                    let name = names.take(&format!("{}_{axis}", field.name));
                    writeln!(file, "property float {name}")?;
                }
            }
        }
    }

    // `face` is written even when empty: many readers insist on it.
    writeln!(file, "element face {}", snapshot.triangles.len())?;
    write_list_properties(file, &cells.triangle_fields)?;
    if !snapshot.segments.is_empty() {
        writeln!(file, "element edge {}", snapshot.segments.len())?;
        let mut names = Names::default();
        for name in ["vertex1", "vertex2"] {
            writeln!(file, "property int {}", names.take(name))?;
        }
        for (name, _) in &cells.segment_fields {
            writeln!(file, "property float {}", names.take(name))?;
        }
    }
    if !snapshot.tetrahedra.is_empty() {
        writeln!(file, "element tetrahedron {}", snapshot.tetrahedra.len())?;
        write_list_properties(file, &cells.tetrahedron_fields)?;
    }
    writeln!(file, "end_header")
}

fn write_list_properties(file: &mut impl Write, fields: &[(&str, &[f32])]) -> io::Result<()> {
    let mut names = Names::default();
    writeln!(file, "property list uchar int {}", names.take("vertex_indices"))?;
    for (name, _) in fields {
        writeln!(file, "property float {}", names.take(name))?;
    }
    Ok(())
}

fn write_vertices(file: &mut impl Write, snapshot: &Snapshot) -> io::Result<()> {
    let body_ids = snapshot.body_ids(snapshot.positions.len(), |b| b.particles.clone());
    for (i, position) in snapshot.positions.iter().enumerate() {
        write_floats(file, position)?;
        if let Some(velocity) = snapshot.velocities.get(i) {
            write_floats(file, velocity)?;
        }
        if !snapshot.bodies.is_empty() {
            let id = body_ids[i];
            let colour = match usize::try_from(id) {
                Ok(body) => snapshot.bodies[body].colour,
                Err(_) => [0.5; 3],
            };
            file.write_all(&srgb_bytes_from_linear(colour))?;
            file.write_all(&id.to_le_bytes())?;
        }
        for field in snapshot.point_fields {
            match field.values {
                Values::Scalars(v) => write_floats(file, &[v[i]])?,
                Values::Vectors(v) => write_floats(file, &v[i])?,
            }
        }
    }
    Ok(())
}

fn write_lists<const N: usize>(
    file: &mut impl Write,
    cells: &[[u32; N]],
    fields: &[(&str, &[f32])],
) -> io::Result<()> {
    for (k, cell) in cells.iter().enumerate() {
        file.write_all(&[N as u8])?;
        write_cell(file, cell, fields, k)?;
    }
    Ok(())
}

fn write_edges(file: &mut impl Write, segments: &[[u32; 2]], fields: &[(&str, &[f32])]) -> io::Result<()> {
    for (k, segment) in segments.iter().enumerate() {
        write_cell(file, segment, fields, k)?;
    }
    Ok(())
}

fn write_cell(file: &mut impl Write, cell: &[u32], fields: &[(&str, &[f32])], k: usize) -> io::Result<()> {
    for index in cell {
        file.write_all(&index.to_le_bytes())?;
    }
    for (_, values) in fields {
        write_floats(file, &[values[k]])?;
    }
    Ok(())
}

fn write_floats(file: &mut impl Write, values: &[f32]) -> io::Result<()> {
    for value in values {
        file.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Property names of one element: a PLY header is split at white space and knows no quotes.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn take(&mut self, wanted: &str) -> String {
        let plain: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let numbered = (2..).map(|n| format!("{plain}_{n}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !self.0.contains(name))
            .expect("an endless list of names has a free one");
        self.0.insert(name.clone());
        name
    }
}

/// A header line ends at the first control character, whatever it is.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
