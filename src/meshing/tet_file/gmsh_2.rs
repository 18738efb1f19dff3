//! Sections of Gmsh's version 2.2.

use super::gmsh::{Gmsh, element_kind};
use super::lines::{Lines, Problem};
use crate::limits;

/// number x y z
pub(super) fn nodes(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let count = lines.need("the number of nodes")?.uint("the number of nodes")?;
    for _ in 0..lines.check_count("nodes", count, limits::PARTICLES, 8)? {
        let mut line = lines.need("a node")?;
        let number = line.uint("the number of a node")?;
        let x = line.point()?;
        gmsh.raw.add_vertex(line.number, number, x)?;
    }
    Ok(())
}

/// number, kind, number of tags, tags (the first is the physical group), nodes
pub(super) fn elements(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let count = lines.need("the number of elements")?.uint("the number of elements")?;
    for _ in 0..lines.check_count("elements", count, limits::TETRAHEDRA, 8)? {
        let mut line = lines.need("an element")?;
        let number = line.uint("the number of an element")?;
        let kind = line.uint("the type of an element")?;
        let kind = element_kind(&line, kind)?;
        let tag_count = line.uint("the number of tags")?;
        let mut physical = 0;
        for k in 0..tag_count {
            // A partition's ghost tags are negative.
            let tag = line.int("a tag")?;
            if k == 0 {
                physical = u64::try_from(tag).map_err(|_| {
                    line.problem(format!("physical tag {tag} is negative"), "make it positive")
                })?;
            }
        }
        gmsh.add_element(&mut line, number, kind, &[physical])?;
    }
    Ok(())
}
