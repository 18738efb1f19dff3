//! Sections of Gmsh's version 4.1.

use super::gmsh::{Gmsh, element_kind};
use super::lines::{Lines, Problem};
use crate::limits;

/// Physical tags that one entity may have.
const MOST_TAGS: u64 = 1 << 12;

/// Points, curves, surfaces and volumes with their physical tags.
pub(super) fn entities(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let mut line = lines.need("the numbers of entities")?;
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = line.uint("a number of entities")?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..lines.check_count("entities", count, limits::TETRAHEDRA, 8)? {
            let mut line = lines.need("an entity")?;
            let tag = line.int("the tag of an entity")?;
            // A point has coordinates, the others a box.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                line.real("a coordinate")?;
            }
            let tag_count = line.uint("the number of physical tags")?;
            if tag_count > MOST_TAGS {
                let problem = format!("{tag_count} physical tags; the limit is {MOST_TAGS}");
                return Err(line.problem(problem, "correct the number"));
            }
            let mut physical = Vec::new();
            for _ in 0..tag_count {
                // A negative tag turns the entity round, which does not matter for its members.
                physical.push(line.int("a physical tag")?.unsigned_abs());
            }
            if !physical.is_empty() {
                gmsh.entities.insert((dimension, tag), physical);
            }
        }
    }
    Ok(())
}

/// Blocks of numbers followed by as many coordinates.
pub(super) fn nodes(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let mut line = lines.need("the numbers of nodes")?;
    let [block_count, node_count] = [line.uint("the number of blocks")?, line.uint("the number of nodes")?];
    lines.check_count("blocks of nodes", block_count, limits::PARTICLES, 8)?;
    lines.check_count("nodes", node_count, limits::PARTICLES, 8)?;
    for _ in 0..block_count {
        let mut line = lines.need("a block of nodes")?;
        line.uint("the dimension of an entity")?;
        line.int("the tag of an entity")?;
        line.uint("whether nodes have parameters")?;
        let count = line.uint("the number of nodes")?;
        let left = node_count - (gmsh.raw.mesh.vertices.len() as u64).min(node_count);
        if count > left {
            let problem = format!("a block of {count} nodes, but only {left} of {node_count} are left");
            return Err(line.problem(problem, "correct the counts or export the mesh again"));
        }
        let count = lines.check_count("nodes", count, limits::PARTICLES, 8)?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(lines.need("the number of a node")?.uint("the number of a node")?);
        }
        for number in numbers {
            let mut line = lines.need("a node")?;
            let x = line.point()?;
            gmsh.raw.add_vertex(line.number, number, x)?;
        }
    }
    Ok(())
}

/// Blocks of elements of one entity and type.
pub(super) fn elements(lines: &mut Lines, gmsh: &mut Gmsh) -> Result<(), Problem> {
    let mut line = lines.need("the numbers of elements")?;
    let [block_count, element_count] =
        [line.uint("the number of blocks")?, line.uint("the number of elements")?];
    lines.check_count("blocks of elements", block_count, limits::TETRAHEDRA, 8)?;
    lines.check_count("elements", element_count, limits::TETRAHEDRA, 4)?;
    for _ in 0..block_count {
        let mut line = lines.need("a block of elements")?;
        let dimension = line.uint("the dimension of an entity")?;
        let entity = line.int("the tag of an entity")?;
        let kind = line.uint("the type of elements")?;
        let kind = element_kind(&line, kind)?;
        let count = line.uint("the number of elements")?;
        let physical = gmsh.entities.get(&(dimension, entity)).cloned().unwrap_or_default();
        for _ in 0..lines.check_count("elements", count, limits::TETRAHEDRA, 4)? {
            let mut line = lines.need("an element")?;
            let number = line.uint("the number of an element")?;
            gmsh.add_element(&mut line, number, kind, &physical)?;
        }
    }
    Ok(())
}
