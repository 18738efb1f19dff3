//! VTU (VTK XML unstructured grid), one file per moment, appended raw binary.
//!
//! Cells come in the order triangles, lines, tetrahedra, then one vertex for every particle that no cell
//! uses, so that loose particles are visible. Point data: `velocity`, `body` and the point fields; cell
//! data: `body` and the cell fields (NaN where a field does not exist). Field data: `TimeValue` and `body_names`, the
//! bytes of one line a body. Non-finite values are kept: the arrays are raw.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::Path,
};

use super::{
    AtomicFile, ExportError, Snapshot, Values,
    snapshot::{BODY, VELOCITY},
};

/// VTK's numbers for its cell kinds.
mod cell_type {
    pub const VERTEX: u8 = 1;
    pub const LINE: u8 = 3;
    pub const TRIANGLE: u8 = 5;
    pub const TETRAHEDRON: u8 = 10;
}

/// Writes a snapshot as a VTU file.
pub fn write_vtu(path: impl AsRef<Path>, snapshot: &Snapshot) -> Result<(), ExportError> {
    snapshot.check()?;
    let loose = loose_particles(snapshot);
    let document = Document::new(snapshot, &loose);
    AtomicFile::write_with(path, |file| document.write(file))
}

/// Particles that no cell uses.
fn loose_particles(snapshot: &Snapshot) -> Vec<u32> {
    let mut used = vec![false; snapshot.positions.len()];
    let triangles = snapshot.triangles.iter().flatten();
    let segments = snapshot.segments.iter().flatten();
    let tetrahedra = snapshot.tetrahedra.iter().flatten();
    for &i in triangles.chain(segments).chain(tetrahedra) {
        used[i as usize] = true;
    }
    (0..used.len() as u32).filter(|&i| !used[i as usize]).collect()
}

/// The header with its offsets, and the arrays in the order of those offsets.
struct Document {
    header: String,
    arrays: Vec<Vec<u8>>,
    next_offset: usize,
}

impl Document {
    fn new(snapshot: &Snapshot, loose: &[u32]) -> Self {
        let mut document = Self { header: String::new(), arrays: Vec::new(), next_offset: 0 };
        document.describe(snapshot, loose);
        document
    }

    fn describe(&mut self, snapshot: &Snapshot, loose: &[u32]) {
        let point_count = snapshot.positions.len();
        let cell_count =
            snapshot.triangles.len() + snapshot.segments.len() + snapshot.tetrahedra.len() + loose.len();

        self.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        self.line(
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">",
        );
        self.line("<UnstructuredGrid>");
        self.line("<FieldData>");
        let time = Array::new("Float64", "TimeValue").tuples(1);
        self.array(time, le_bytes([snapshot.time], f64::to_le_bytes));
        self.body_names(snapshot);
        self.line("</FieldData>");
        self.line(&format!("<Piece NumberOfPoints=\"{point_count}\" NumberOfCells=\"{cell_count}\">"));

        self.line("<PointData>");
        if !snapshot.velocities.is_empty() {
            self.vectors(VELOCITY, snapshot.velocities);
        }
        if !snapshot.bodies.is_empty() {
            let ids = snapshot.body_ids(point_count, |b| b.particles.clone());
            self.array(Array::new("Int32", BODY), le_bytes(ids, i32::to_le_bytes));
        }
        for field in snapshot.point_fields {
            match field.values {
                Values::Scalars(v) => self.scalars(field.name, v.iter().copied()),
                Values::Vectors(v) => self.vectors(field.name, v),
            }
        }
        self.line("</PointData>");

        self.line("<CellData>");
        self.cell_data(snapshot, loose);
        self.line("</CellData>");

        self.line("<Points>");
        self.vectors("Points", snapshot.positions);
        self.line("</Points>");

        self.line("<Cells>");
        self.cells(snapshot, loose);
        self.line("</Cells>");
        self.line("</Piece>");
        self.line("</UnstructuredGrid>");
    }

    /// As bytes of UTF-8, a line each: not all readers know arrays of strings.
    fn body_names(&mut self, snapshot: &Snapshot) {
        if snapshot.bodies.is_empty() {
            return;
        }
        let line = |name: &str| name.replace(['\n', '\r'], " ") + "\n";
        let names: String = snapshot.bodies.iter().map(|body| line(body.name)).collect();
        let array = Array::new("UInt8", "body_names").tuples(names.len());
        self.array(array, names.into_bytes());
    }

    fn cell_data(&mut self, snapshot: &Snapshot, loose: &[u32]) {
        if !snapshot.bodies.is_empty() {
            let mut ids = snapshot.body_ids(snapshot.triangles.len(), |b| b.triangles.clone());
            ids.extend(snapshot.body_ids(snapshot.segments.len(), |b| b.segments.clone()));
            ids.extend(snapshot.body_ids(snapshot.tetrahedra.len(), |b| b.tetrahedra.clone()));
            let of_particle = snapshot.body_ids(snapshot.positions.len(), |b| b.particles.clone());
            ids.extend(loose.iter().map(|&i| of_particle[i as usize]));
            self.array(Array::new("Int32", BODY), le_bytes(ids, i32::to_le_bytes));
        }
        for field in snapshot.cell_fields {
            let triangles = or_nan(field.triangles, snapshot.triangles.len());
            let segments = or_nan(field.segments, snapshot.segments.len());
            let tetrahedra = or_nan(field.tetrahedra, snapshot.tetrahedra.len());
            let vertices = or_nan(&[], loose.len());
            let values = triangles.chain(segments).chain(tetrahedra).chain(vertices);
            self.scalars(field.name, values);
        }
    }

    fn cells(&mut self, snapshot: &Snapshot, loose: &[u32]) {
        let triangles = snapshot.triangles.iter().flatten();
        let segments = snapshot.segments.iter().flatten();
        let tetrahedra = snapshot.tetrahedra.iter().flatten();
        let connectivity = triangles.chain(segments).chain(tetrahedra).chain(loose);
        let connectivity = connectivity.map(|&i| i64::from(i));
        self.array(Array::new("Int64", "connectivity"), le_bytes(connectivity, i64::to_le_bytes));

        let kinds = [
            (cell_type::TRIANGLE, 3, snapshot.triangles.len()),
            (cell_type::LINE, 2, snapshot.segments.len()),
            (cell_type::TETRAHEDRON, 4, snapshot.tetrahedra.len()),
            (cell_type::VERTEX, 1, loose.len()),
        ];
        let sizes = kinds.iter().flat_map(|&(_, size, count)| std::iter::repeat_n(size, count));
        let ends = sizes.scan(0_i64, |end, size| {
            *end += size;
            Some(*end)
        });
        self.array(Array::new("Int64", "offsets"), le_bytes(ends, i64::to_le_bytes));
        let types = kinds.iter().flat_map(|&(kind, _, count)| std::iter::repeat_n(kind, count)).collect();
        self.array(Array::new("UInt8", "types"), types);
    }

    fn scalars(&mut self, name: &str, values: impl IntoIterator<Item = f32>) {
        self.array(Array::new("Float32", name), le_bytes(values, f32::to_le_bytes));
    }

    fn vectors(&mut self, name: &str, values: &[[f32; 3]]) {
        self.array(
            Array::new("Float32", name).components(3),
            le_bytes(values.iter().flatten().copied(), f32::to_le_bytes),
        );
    }

    fn array(&mut self, array: Array, bytes: Vec<u8>) {
        let Array { scalar, name, attributes } = array;
        let (name, offset) = (escape_attribute(name), self.next_offset);
        self.line(&format!(
            "<DataArray type=\"{scalar}\" Name=\"{name}\"{attributes} format=\"appended\" \
             offset=\"{offset}\"/>"
        ));
        self.next_offset += size_of::<u64>() + bytes.len();
        self.arrays.push(bytes);
    }

    fn line(&mut self, text: &str) {
        self.header.push_str(text);
        self.header.push('\n');
    }

    fn write(&self, file: &mut impl Write) -> io::Result<()> {
        file.write_all(self.header.as_bytes())?;
        // The underscore marks where offset 0 is.
        file.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
        for bytes in &self.arrays {
            file.write_all(&(bytes.len() as u64).to_le_bytes())?;
            file.write_all(bytes)?;
        }
        file.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }
}

/// What a `DataArray` element says about its values.
struct Array<'a> {
    scalar: &'static str,
    name: &'a str,
    attributes: String,
}

impl<'a> Array<'a> {
    fn new(scalar: &'static str, name: &'a str) -> Self {
        Self { scalar, name, attributes: String::new() }
    }

    fn components(mut self, count: usize) -> Self {
        let _ = write!(self.attributes, " NumberOfComponents=\"{count}\"");
        self
    }

    fn tuples(mut self, count: usize) -> Self {
        let _ = write!(self.attributes, " NumberOfTuples=\"{count}\"");
        self
    }
}

fn le_bytes<T, const N: usize>(values: impl IntoIterator<Item = T>, to_bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    values.into_iter().flat_map(to_bytes).collect()
}

fn or_nan(values: &[f32], count: usize) -> impl Iterator<Item = f32> {
    let missing = if values.is_empty() { count } else { 0 };
    let values = values.iter().copied();
    values.chain(std::iter::repeat_n(f32::NAN, missing))
}

/// Text for a double-quoted XML attribute. Control characters become spaces: XML 1.0 cannot hold most of them.
pub(super) fn escape_attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // These two are no characters in XML, though Rust's `char` has them.
            '\u{FFFE}' | '\u{FFFF}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
