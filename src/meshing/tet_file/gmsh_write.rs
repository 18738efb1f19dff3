//! Gmsh files out. Groups become physical groups: of points for vertices, of volumes for tetrahedra.
//!
//! Numbers count from 1. Coordinates have the digits that give the same f64 back.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use glam::DVec3;

use super::quotable;
use crate::export::{AtomicFile, ExportError};
use crate::meshing::tet_mesh::TetMesh;

/// Gmsh's numbers for a point and a tetrahedron.
const POINT: u32 = 15;
const TET: u32 = 4;

pub(super) fn write_2(mesh: &TetMesh, path: &Path) -> Result<(), ExportError> {
    AtomicFile::write_with(path, |f| {
        writeln!(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat")?;
        names(f, mesh)?;
        writeln!(f, "$Nodes\n{}", mesh.vertices.len())?;
        for (i, x) in mesh.vertices.iter().enumerate() {
            writeln!(f, "{} {} {} {}", i + 1, x.x, x.y, x.z)?;
        }
        writeln!(f, "$EndNodes")?;
        // A vertex stands there once for each of its groups.
        let points = points(mesh);
        let tet_groups = memberships(mesh.tets.len(), mesh.groups.iter().map(|g| &g.tets));
        let vertex_count: usize = points.iter().map(Vec::len).sum();
        let tet_count: usize = tet_groups.iter().map(|groups| groups.len().max(1)).sum();
        if tet_count > mesh.tets.len() {
            return Err(io::Error::other(
                "a tetrahedron is in several groups, which version 2.2 cannot say; write version 4.1",
            ));
        }
        writeln!(f, "$Elements\n{}", vertex_count + tet_count)?;
        let mut number = 0;
        for (k, points) in points.iter().enumerate() {
            for v in points {
                number += 1;
                writeln!(f, "{number} {POINT} 2 {} {} {}", k + 1, number, v + 1)?;
            }
        }
        for (tet, groups) in mesh.tets.iter().zip(&tet_groups) {
            number += 1;
            let physical = groups.first().map_or(0, |k| k + 1);
            write!(f, "{number} {TET} 2 {physical} 1")?;
            corners(f, tet)?;
        }
        writeln!(f, "$EndElements")
    })
}

pub(super) fn write_4(mesh: &TetMesh, path: &Path) -> Result<(), ExportError> {
    AtomicFile::write_with(path, |f| {
        writeln!(f, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
        names(f, mesh)?;
        let vertex_groups = memberships(mesh.vertices.len(), points(mesh).iter());
        let named: Vec<usize> = (0..mesh.vertices.len()).filter(|&v| !vertex_groups[v].is_empty()).collect();
        // One volume for each combination of groups, so that each tetrahedron stands there once.
        let mut volumes: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for (tet, groups) in
            memberships(mesh.tets.len(), mesh.groups.iter().map(|g| &g.tets)).into_iter().enumerate()
        {
            volumes.entry(groups).or_default().push(tet);
        }
        let (low, high) = mesh.bounds();
        writeln!(f, "$Entities\n{} 0 0 {}", named.len(), volumes.len())?;
        for &v in &named {
            let x = mesh.vertices[v];
            write!(f, "{} {} {} {}", v + 1, x.x, x.y, x.z)?;
            tags(f, &vertex_groups[v])?;
            writeln!(f)?;
        }
        for (k, groups) in volumes.keys().enumerate() {
            write!(f, "{} {} {} {} {} {} {}", k + 1, low.x, low.y, low.z, high.x, high.y, high.z)?;
            tags(f, groups)?;
            writeln!(f, " 0")?;
        }
        writeln!(f, "$EndEntities")?;
        nodes_4(f, &mesh.vertices)?;
        let element_count = named.len() + mesh.tets.len();
        let block_count = named.len() + volumes.len();
        writeln!(f, "$Elements\n{block_count} {element_count} 1 {element_count}")?;
        let mut number = 0;
        for &v in &named {
            number += 1;
            writeln!(f, "0 {} {POINT} 1\n{number} {}", v + 1, v + 1)?;
        }
        for (k, tets) in volumes.values().enumerate() {
            writeln!(f, "3 {} {TET} {}", k + 1, tets.len())?;
            for &tet in tets {
                number += 1;
                write!(f, "{number}")?;
                corners(f, &mesh.tets[tet])?;
            }
        }
        writeln!(f, "$EndElements")
    })
}

fn nodes_4(f: &mut impl Write, vertices: &[DVec3]) -> io::Result<()> {
    let count = vertices.len();
    writeln!(f, "$Nodes\n1 {count} 1 {count}\n3 1 0 {count}")?;
    for number in 1..=count {
        writeln!(f, "{number}")?;
    }
    for x in vertices {
        writeln!(f, "{} {} {}", x.x, x.y, x.z)?;
    }
    writeln!(f, "$EndNodes")
}

fn corners(f: &mut impl Write, tet: &[u32; 4]) -> io::Result<()> {
    let [a, b, c, d] = tet.map(|v| v + 1);
    writeln!(f, " {a} {b} {c} {d}")
}

fn tags(f: &mut impl Write, groups: &[u32]) -> io::Result<()> {
    write!(f, " {}", groups.len())?;
    groups.iter().try_for_each(|k| write!(f, " {}", k + 1))
}

/// For each group the vertices that are not corners of its tetrahedra: those are named with them.
fn points(mesh: &TetMesh) -> Vec<Vec<u32>> {
    mesh.groups.iter().map(|g| mesh.loose_vertices(g)).collect()
}

/// The groups of each of `count` members, in increasing order.
fn memberships<'a>(count: usize, members: impl Iterator<Item = &'a Vec<u32>>) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); count];
    for (k, members) in (0..).zip(members) {
        members.iter().for_each(|&m| groups[m as usize].push(k));
    }
    groups
}

fn names(f: &mut impl Write, mesh: &TetMesh) -> io::Result<()> {
    let named: Vec<(u32, usize, &str)> = mesh
        .groups
        .iter()
        .enumerate()
        .flat_map(|(k, g)| {
            let loose = !mesh.loose_vertices(g).is_empty();
            let points = loose.then_some((0, k + 1, g.name.as_str()));
            let volumes = (!g.tets.is_empty()).then_some((3, k + 1, g.name.as_str()));
            points.into_iter().chain(volumes)
        })
        .collect();
    if named.is_empty() {
        return Ok(());
    }
    writeln!(f, "$PhysicalNames\n{}", named.len())?;
    for (dimension, tag, name) in named {
        writeln!(f, "{dimension} {tag} \"{}\"", quotable(name))?;
    }
    writeln!(f, "$EndPhysicalNames")
}
