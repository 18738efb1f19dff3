//! TetGen's `.node` and `.ele`.
//!
//! Nodes count from 0 or from 1, as the first node tells. A boundary marker k ≠ 0 becomes the vertex group `marker k`, the first
//! attribute of an element the group `region k`. TetGen has no names and one marker per node; our own files therefore give
//! every group an attribute that is 1 for its members, and name the attributes in a comment, `# groups: "foot" "hip"`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use super::lines::{Line, Lines, Problem, too_many_groups};
use super::{Raw, quotable};
use crate::export::{AtomicFile, ExportError};
use crate::limits;
use crate::meshing::tet_mesh::{Group, TetMesh};

const NAMES: &str = "# groups: ";
/// Attributes of a node or an element.
const MOST_ATTRIBUTES: u64 = 1 << 10;

pub(super) fn nodes(text: &str) -> Result<Raw, Problem> {
    let mut raw = Raw::default();
    let names = group_names(text);
    let mut lines = Lines::new(text, "#");
    let mut line = lines.need("the number of nodes")?;
    let count = line.uint("the number of nodes")?;
    let dimension = line.uint("the dimension")?;
    if dimension != 3 {
        return Err(line.problem(format!("nodes of dimension {dimension}"), "give nodes in space: 3"));
    }
    let attribute_count = attributes(&mut line)?;
    let markers = optional_uint(&mut line, "the number of markers")? != 0;
    let mut named = vec![Vec::new(); names.len()];
    let mut marked = BTreeMap::new();
    for _ in 0..lines.check_count("nodes", count, limits::PARTICLES, 8)? {
        let mut line = lines.need("a node")?;
        let number = line.uint("the number of a node")?;
        let x = line.point()?;
        let vertex = raw.mesh.vertices.len() as u32;
        raw.add_vertex(line.number, number, x)?;
        for k in 0..attribute_count {
            let value = line.real("an attribute")?;
            if let Some(members) = named.get_mut(k).filter(|_| value == 1.0) {
                members.push(vertex);
            }
        }
        let marker = if markers { line.int("a boundary marker")? } else { 0 };
        if marker != 0 {
            add_member(&mut marked, marker, vertex, line.number)?;
        }
    }
    for (name, vertices) in names.iter().zip(named) {
        raw.mesh.add_to_group(name, vertices, []);
    }
    for (marker, vertices) in marked {
        raw.mesh.add_to_group(&format!("marker {marker}"), vertices, []);
    }
    Ok(raw)
}

pub(super) fn elements(text: &str, raw: &mut Raw) -> Result<(), Problem> {
    let names = group_names(text);
    let mut lines = Lines::new(text, "#");
    let mut line = lines.need("the number of tetrahedra")?;
    let count = line.uint("the number of tetrahedra")?;
    let corner_count = line.uint("the nodes of a tetrahedron")?;
    if corner_count != 4 {
        let problem = format!("tetrahedra of {corner_count} nodes");
        return Err(line.problem(problem, "give tetrahedra of four nodes (TetGen without -o2)"));
    }
    let attribute_count = attributes(&mut line)?;
    let mut named = vec![Vec::new(); names.len()];
    let mut regions = BTreeMap::new();
    for _ in 0..lines.check_count("tetrahedra", count, limits::TETRAHEDRA, 10)? {
        let mut line = lines.need("a tetrahedron")?;
        let number = line.uint("the number of a tetrahedron")?;
        let mut corners = [0; 4];
        for corner in &mut corners {
            let node = line.uint("the number of a node")?;
            *corner = raw.vertex(line.number, node)?;
        }
        let tet = raw.mesh.tets.len() as u32;
        raw.add_tet(line.number, number, corners);
        for k in 0..attribute_count {
            let value = line.real("an attribute")?;
            if let Some(members) = named.get_mut(k).filter(|_| value == 1.0) {
                members.push(tet);
            } else if k == 0 && names.is_empty() {
                // Regions are whole numbers; others are cut.
                add_member(&mut regions, value as i64, tet, line.number)?;
            }
        }
    }
    for (name, tets) in names.iter().zip(named) {
        raw.mesh.add_to_group(name, [], tets);
    }
    for (region, tets) in regions {
        raw.mesh.add_to_group(&format!("region {region}"), [], tets);
    }
    Ok(())
}

fn attributes(line: &mut Line) -> Result<usize, Problem> {
    let count = optional_uint(line, "the number of attributes")?;
    if count > MOST_ATTRIBUTES {
        let problem = format!("{count} attributes; the limit is {MOST_ATTRIBUTES}");
        return Err(line.problem(problem, "correct the number"));
    }
    Ok(count as usize)
}

fn optional_uint(line: &mut Line, what: &str) -> Result<u64, Problem> {
    if line.words().clone().next().is_none() { Ok(0) } else { line.uint(what) }
}

/// Members of the groups that markers or regions make.
type Members = BTreeMap<i64, Vec<u32>>;

fn add_member(groups: &mut Members, tag: i64, member: u32, line: usize) -> Result<(), Problem> {
    if groups.len() >= limits::GROUPS && !groups.contains_key(&tag) {
        return Err(too_many_groups(line));
    }
    groups.entry(tag).or_default().push(member);
    Ok(())
}

/// The names in our own comment, which stands in the first line.
fn group_names(text: &str) -> Vec<&str> {
    let first = text.lines().next().unwrap_or_default();
    let quoted = first.strip_prefix(NAMES).unwrap_or_default();
    quoted.split('"').skip(1).step_by(2).take(limits::GROUPS).collect()
}

pub(super) fn write(mesh: &TetMesh, [node, ele]: &[PathBuf; 2]) -> Result<(), ExportError> {
    AtomicFile::write_with(node, |f| {
        let groups: Vec<&Group> = mesh.groups.iter().filter(|g| !g.vertices.is_empty()).collect();
        header(f, &groups)?;
        writeln!(f, "{} 3 {} 0", mesh.vertices.len(), groups.len())?;
        for (i, x) in (0..).zip(&mesh.vertices) {
            write!(f, "{} {} {} {}", i + 1, x.x, x.y, x.z)?;
            flags(f, groups.iter().map(|g| &g.vertices), i)?;
        }
        Ok(())
    })?;
    AtomicFile::write_with(ele, |f| {
        let groups: Vec<&Group> = mesh.groups.iter().filter(|g| !g.tets.is_empty()).collect();
        header(f, &groups)?;
        writeln!(f, "{} 4 {}", mesh.tets.len(), groups.len())?;
        for (i, tet) in (0..).zip(&mesh.tets) {
            let [a, b, c, d] = tet.map(|v| v + 1);
            write!(f, "{} {a} {b} {c} {d}", i + 1)?;
            flags(f, groups.iter().map(|g| &g.tets), i)?;
        }
        Ok(())
    })
}

fn header(f: &mut impl Write, groups: &[&Group]) -> std::io::Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = groups.iter().map(|g| format!("\"{}\"", quotable(&g.name))).collect();
    writeln!(f, "{NAMES}{}", names.join(" "))
}

fn flags<'a>(
    f: &mut impl Write,
    lists: impl Iterator<Item = &'a Vec<u32>>,
    member: u32,
) -> std::io::Result<()> {
    for list in lists {
        write!(f, " {}", u32::from(list.binary_search(&member).is_ok()))?;
    }
    writeln!(f)
}
