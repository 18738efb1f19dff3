//! What the versions of Gmsh's `.msh` share: sections, names of physical groups, kinds of element.

use std::collections::HashMap;

use super::Raw;
use super::lines::{Line, Lines, Problem, too_many_groups};
use super::{gmsh_2, gmsh_4, split};
use crate::limits::{self, excerpt};

/// Physical groups a file may name.
const MOST_GROUPS: u64 = 1 << 16;

/// What has been read so far.
#[derive(Default)]
pub(super) struct Gmsh {
    pub raw: Raw,
    /// By dimension and tag.
    pub names: HashMap<(u64, u64), String>,
    /// Physical tags of the entities of version 4, by dimension and tag.
    pub entities: HashMap<(u64, i64), Vec<u64>>,
    /// Members of each physical group met so far, by dimension and tag.
    pub members: HashMap<(u64, u64), Vec<u32>>,
}

/// Reads an ASCII file of version 2.2 or 4.1.
pub(super) fn parse(text: &str) -> Result<Raw, Problem> {
    let mut lines = Lines::new(text, "");
    let mut gmsh = Gmsh::default();
    let version = header(&mut lines)?;
    let (mut nodes, mut elements) = (false, false);
    while let Some(line) = lines.next() {
        let section = section_name(&line)?;
        match section {
            "PhysicalNames" => physical_names(&mut lines, &mut gmsh)?,
            "Entities" if version == 4 => gmsh_4::entities(&mut lines, &mut gmsh)?,
            "Nodes" if nodes => return Err(line.problem("a second `$Nodes`", "join the sections")),
            "Nodes" => {
                nodes = true;
                if version == 4 {
                    gmsh_4::nodes(&mut lines, &mut gmsh)?
                } else {
                    gmsh_2::nodes(&mut lines, &mut gmsh)?
                }
            }
            "Elements" if !nodes => {
                return Err(line.problem("`$Elements` before `$Nodes`", "put the nodes first"));
            }
            "Elements" if elements => return Err(line.problem("a second `$Elements`", "join the sections")),
            "Elements" => {
                elements = true;
                if version == 4 {
                    gmsh_4::elements(&mut lines, &mut gmsh)?
                } else {
                    gmsh_2::elements(&mut lines, &mut gmsh)?
                }
            }
            other => {
                skip(&mut lines, other)?;
                continue;
            }
        }
        end(&mut lines, section)?;
    }
    if !elements {
        return Err(Problem::truncated(lines.number(), "`$Elements`"));
    }
    gmsh.add_groups();
    Ok(gmsh.raw)
}

/// 2 or 4.
fn header(lines: &mut Lines) -> Result<u32, Problem> {
    let mut line = lines.need("`$MeshFormat`")?;
    let cure = "give a Gmsh file (.msh) of version 2.2 or 4.1";
    while line.text != "$MeshFormat" {
        if !line.text.starts_with('$') {
            return Err(line.problem("the file does not begin with `$MeshFormat`", cure));
        }
        let comment = section_name(&line)?;
        skip(lines, comment)?;
        line = lines.need("`$MeshFormat`")?;
    }
    let mut line = lines.need("the version")?;
    let version = line.word("the version")?;
    let binary = line.uint("the file type")? != 0;
    if binary {
        let cure = "save it as ASCII (in Gmsh: Mesh.Binary = 0)";
        return Err(line.problem("the file is binary", cure));
    }
    let number = match version {
        "2" | "2.0" | "2.1" | "2.2" => 2,
        "4.1" => 4,
        other => {
            let problem = format!("version {} is not supported", excerpt(other));
            return Err(line.problem(problem, "save it as version 4.1 or 2.2 (in Gmsh: Mesh.MshFileVersion)"));
        }
    };
    end(lines, "MeshFormat")?;
    Ok(number)
}

fn section_name<'a>(line: &Line<'a>) -> Result<&'a str, Problem> {
    line.text.strip_prefix('$').filter(|name| !name.starts_with("End")).ok_or_else(|| {
        let problem = format!("`{}` stands where a section should begin", excerpt(line.text));
        line.problem(problem, "check the counts of the section before, or export the mesh again")
    })
}

fn end(lines: &mut Lines, section: &str) -> Result<(), Problem> {
    let line = lines.need(&format!("`$End{section}`"))?;
    if line.text.strip_prefix("$End") == Some(section) {
        return Ok(());
    }
    let problem = format!("`{}` stands where `$End{section}` should", excerpt(line.text));
    Err(line.problem(problem, "correct the count at the start of the section"))
}

fn skip(lines: &mut Lines, section: &str) -> Result<(), Problem> {
    loop {
        let line = lines.need(&format!("`$End{}`", excerpt(section)))?;
        if line.text.strip_prefix("$End") == Some(section) {
            return Ok(());
        }
    }
}

fn physical_names(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let count = lines.need("the number of physical names")?.uint("the number of physical names")?;
    // dimension, tag, "x"
    for _ in 0..lines.check_count("physical names", count, MOST_GROUPS, 6)? {
        let mut line = lines.need("a physical name")?;
        let dimension = line.uint("a dimension")?;
        let tag = line.uint("a physical tag")?;
        let name =
            line.text.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(name, _)| name);
        let name = name.filter(|n| !n.is_empty() && n.len() <= 4 * limits::NAME_LENGTH).ok_or_else(|| {
            line.problem("the name of a physical group is missing or too long", "write it in quotation marks")
        })?;
        gmsh.names.insert((dimension, tag), name.to_owned());
    }
    Ok(())
}

/// The dimension and the number of nodes of a kind of element.
pub(super) fn element_kind(line: &Line, kind: u64) -> Result<(u64, usize), Problem> {
    let first_order = "save elements of first order (in Gmsh: Mesh.ElementOrder = 1)";
    match kind {
        15 => Ok((0, 1)),
        1 => Ok((1, 2)),
        2 => Ok((2, 3)),
        3 => Ok((2, 4)),
        4 => Ok((3, 4)),
        5 => Ok((3, 8)),
        6 => Ok((3, 6)),
        7 => Ok((3, 5)),
        8..=14 | 16..=21 | 23 | 26 | 29 => {
            Err(line.problem(format!("element type {kind} is of higher order"), first_order))
        }
        other => Err(line.problem(format!("element type {other} is unknown"), first_order)),
    }
}

impl Gmsh {
    /// Reads the nodes of an element and adds it to its physical groups. `number` is the file's own.
    pub fn add_element(
        &mut self,
        line: &mut Line,
        number: u64,
        (dimension, node_count): (u64, usize),
        physical: &[u64],
    ) -> Result<(), Problem> {
        let mut corners = [0; 8];
        for corner in corners.iter_mut().take(node_count) {
            let node = line.uint("the number of a node")?;
            *corner = self.raw.vertex(line.number, node)?;
        }
        let first = self.raw.mesh.tets.len() as u32;
        if dimension == 3 {
            for tet in split::tetrahedra(&corners[..node_count]) {
                self.raw.add_tet(line.number, number, tet);
            }
            if self.raw.mesh.tets.len() as u64 > limits::TETRAHEDRA {
                let problem = format!("split into tetrahedra, these are more than {}", limits::TETRAHEDRA);
                return Err(line.problem(problem, "make the mesh coarser"));
            }
        }
        for &tag in physical.iter().filter(|&&tag| tag != 0) {
            if self.members.len() >= limits::GROUPS && !self.members.contains_key(&(dimension, tag)) {
                return Err(too_many_groups(line.number));
            }
            let members = self.members.entry((dimension, tag)).or_default();
            if dimension == 3 {
                members.extend(first..self.raw.mesh.tets.len() as u32);
            } else {
                members.extend(&corners[..node_count]);
            }
        }
        Ok(())
    }

    fn add_groups(&mut self) {
        let mut keys: Vec<(u64, u64)> = self.members.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            let (dimension, tag) = key;
            let kind = ["point", "curve", "surface", "volume"][dimension.min(3) as usize];
            let name = self.names.get(&key).cloned().unwrap_or_else(|| format!("{kind} {tag}"));
            let members = self.members.remove(&key).unwrap_or_default();
            let mesh = &mut self.raw.mesh;
            if dimension == 3 {
                mesh.add_to_group(&name, [], members);
            } else {
                mesh.add_to_group(&name, members, []);
            }
        }
    }
}
