//! Binary little-endian PLY, one file per moment.
//!
//! Elements: `vertex` (position, velocity, colour and index of the body, point fields), `face` with the cell fields of
//! triangles, and `edge` where there are segments. A solid is its surface: tetrahedra and the fields of segments are in
//! VTU files, as many readers refuse other elements, and edges of more than two numbers. Cages that carry a detailed
//! surface have no faces. Non-finite values are kept: PLY stores raw floats.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::Path,
};

use super::{AtomicFile, ExportError, Snapshot, Values, colour::srgb_bytes_from_linear};

/// Writes a snapshot as a PLY file.
pub fn write_ply(path: impl AsRef<Path>, snapshot: &Snapshot) -> Result<(), ExportError> {
    snapshot.check()?;
    let faces = Faces::new(snapshot);
    AtomicFile::write_with(path, |file| {
        write_header(file, snapshot, &faces)?;
        write_vertices(file, snapshot)?;
        faces.write(file, snapshot.triangles)?;
        snapshot.segments.iter().flatten().try_for_each(|index| file.write_all(&index.to_le_bytes()))
    })
}

/// The triangles that are drawn, and the cell fields that have values on them.
struct Faces<'a> {
    shown: Vec<usize>,
    fields: Vec<(&'a str, &'a [f32])>,
}

impl<'a> Faces<'a> {
    fn new(snapshot: &Snapshot<'a>) -> Self {
        let cages = || snapshot.bodies.iter().filter(|body| body.is_guide);
        let is_shown = |&k: &usize| !cages().any(|body| body.triangles.contains(&k));
        let named = snapshot.cell_fields.iter().map(|f| (f.name, f.triangles));
        Self {
            shown: (0..snapshot.triangles.len()).filter(is_shown).collect(),
            fields: named.filter(|(_, values)| !values.is_empty()).collect(),
        }
    }

    fn write(&self, file: &mut impl Write, triangles: &[[u32; 3]]) -> io::Result<()> {
        for &k in &self.shown {
            file.write_all(&[3])?;
            triangles[k].iter().try_for_each(|index| file.write_all(&index.to_le_bytes()))?;
            self.fields.iter().try_for_each(|(_, values)| write_floats(file, &[values[k]]))?;
        }
        Ok(())
    }
}

fn write_header(file: &mut impl Write, snapshot: &Snapshot, faces: &Faces) -> io::Result<()> {
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
    writeln!(file, "element face {}", faces.shown.len())?;
    let mut names = Names::default();
    writeln!(file, "property list uchar int {}", names.take("vertex_indices"))?;
    for (name, _) in &faces.fields {
        writeln!(file, "property float {}", names.take(name))?;
    }
    if !snapshot.segments.is_empty() {
        writeln!(file, "element edge {}", snapshot.segments.len())?;
        writeln!(file, "property int vertex1\nproperty int vertex2")?;
    }
    writeln!(file, "end_header")
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
