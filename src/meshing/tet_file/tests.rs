use super::*;
use crate::meshing::tet_mesh::Group;
use std::fs;

/// A block with a foot, a hip and a corner.
fn grouped() -> TetMesh {
    let mut mesh = TetMesh::cuboid(DVec3::new(0.1, 0.2, 1.0 / 3.0), [2, 2, 3]);
    let foot: Vec<u32> = (0..9).collect();
    mesh.add_to_group("foot", foot, [0, 1, 2]);
    mesh.add_to_group("hip bone", [], 3..20);
    mesh.add_to_group("corner", [0, 35], []);
    mesh.check().unwrap();
    mesh
}

fn parse(text: &str) -> Result<TetMesh, TetFileError> {
    parse_gmsh(text, Faults::Refuse).map_err(|p| at(Path::new("a.msh"), p))
}

const TWO: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat
$PhysicalNames\n2\n2 7 \"floor\"\n3 1 \"meat\"\n$EndPhysicalNames
$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n10 1 1 1\n$EndNodes
$Elements\n4\n1 2 2 7 1 1 2 3\n2 4 2 1 1 1 2 3 4\n3 4 2 9 2 2 3 4 10\n4 15 2 8 1 10\n$EndElements\n";

const FOUR: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat
$PhysicalNames\n1\n3 1 \"meat\"\n$EndPhysicalNames
$Entities\n1 0 1 2\n3 1 1 1 1 8\n1 0 0 0 1 1 0 1 7 0\n1 0 0 0 1 1 1 2 1 5 0\n2 0 0 0 1 1 1 1 9 0\n$EndEntities
$Nodes\n2 5 1 10\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n3 1 0 2\n4\n10\n0 0 1\n1 1 1\n$EndNodes
$Elements\n4 4 1 4\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n3 2 4 1\n3 2 3 4 10\n0 3 15 1\n4 10\n$EndElements\n";

#[test]
fn both_versions_of_gmsh_are_read_with_their_groups() {
    let mesh = parse(TWO).unwrap();
    assert_eq!(mesh.tets, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(mesh.vertices[4], DVec3::ONE);
    assert_eq!(mesh.group("floor").unwrap().vertices, [0, 1, 2]);
    assert_eq!(mesh.group("meat").unwrap().tets, [0]);
    assert_eq!(mesh.group("volume 9").unwrap().tets, [1]);
    assert_eq!(mesh.group("point 8").unwrap().vertices, [4]);
    let four = parse(FOUR).unwrap();
    assert_eq!((&four.vertices, &four.tets), (&mesh.vertices, &mesh.tets));
    assert_eq!(four.group("surface 7").unwrap().vertices, [0, 1, 2]);
    assert_eq!(four.group("meat").unwrap().tets, [0]);
    assert_eq!(four.group("volume 5").unwrap().tets, [0]);
    assert_eq!(four.group("volume 9").unwrap().tets, [1]);
    assert_eq!(four.group("point 8").unwrap().vertices, [4]);
    assert_eq!(four.group("volume 9").unwrap().vertices, [1, 2, 3, 4]);
}

#[test]
fn what_is_written_comes_back_bit_for_bit_with_its_groups() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = grouped();
    for (kind, name) in
        [(TetFileKind::Gmsh2, "a.msh"), (TetFileKind::Gmsh4, "b.msh"), (TetFileKind::Tetgen, "c.ele")]
    {
        let path = folder.path().join(name);
        write(&mesh, &path, kind).unwrap();
        let back = read(&path, Faults::Refuse).unwrap();
        assert_eq!((&back.vertices, back.tets.len()), (&mesh.vertices, mesh.tets.len()), "{name}");
        for group in &mesh.groups {
            let found = back.group(&group.name).unwrap();
            assert_eq!(found.vertices, group.vertices, "{name}: {}", group.name);
            // Version 4.1 sorts tetrahedra by group; they are the same ones.
            let corners = |m: &TetMesh, g: &Group| {
                let mut tets: Vec<[u32; 4]> = g.tets.iter().map(|&t| m.tets[t as usize]).collect();
                tets.sort_unstable();
                tets
            };
            assert_eq!(corners(&back, found), corners(&mesh, group), "{name}: {}", group.name);
        }
    }
}

#[test]
fn a_tetrahedron_in_two_groups_needs_version_4() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = grouped();
    mesh.add_to_group("all", [], 0..mesh.tets.len() as u32);
    let path = folder.path().join("a.msh");
    let error = write(&mesh, &path, TetFileKind::Gmsh2).unwrap_err().to_string();
    assert!(error.contains("write version 4.1"), "{error}");
    assert!(!path.exists());
    write(&mesh, &path, TetFileKind::Gmsh4).unwrap();
    assert_eq!(read(&path, Faults::Refuse).unwrap().group("all").unwrap().tets.len(), mesh.tets.len());
}

#[test]
fn tetgen_counts_from_0_or_1_and_has_markers_and_regions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.1.node");
    for base in [0, 1] {
        let n = |k: u32| k + base;
        let nodes = format!(
            "# made by hand\n4 3 1 1\n{} 0 0 0 0.5 1\n{} 1 0 0 0 1\n{} 0 1 0 0 0\n\n{} 0 0 1 0 -2 # top\n",
            n(0),
            n(1),
            n(2),
            n(3)
        );
        fs::write(&path, nodes).unwrap();
        let ele = format!("1 4 1\n{} {} {} {} {} 3\n", n(0), n(0), n(1), n(2), n(3));
        fs::write(path.with_extension("ele"), ele).unwrap();
        let mesh = read(&path, Faults::Refuse).unwrap();
        assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
        assert_eq!(mesh.group("marker 1").unwrap().vertices, [0, 1]);
        assert_eq!(mesh.group("marker -2").unwrap().vertices, [3]);
        assert_eq!(mesh.group("region 3").unwrap().tets, [0]);
    }
    fs::write(path.with_extension("ele"), "1 10\n").unwrap();
    let error = read(&path, Faults::Refuse).unwrap_err();
    assert!(error.to_string().contains("a.1.ele:1: tetrahedra of 10 nodes; "), "{error}");
}

/// Every message names the file, the line and a cure.
#[test]
fn hostile_files_are_refused_with_line_and_cure() {
    for (from, to, line, message) in [
        ("$Nodes\n5\n", "$Nodes\n1000000000\n", 10, "promises 1000000000 nodes; the limit is"),
        ("$Nodes\n5\n", "$Nodes\n80000\n", 10, "promises 80000 nodes, but the file has only"),
        ("$Elements\n4\n", "$Elements\n999999999999\n", 18, "promises 999999999999 elements"),
        ("$Elements\n4\n", "$Elements\n-4\n", 18, "`-4` is not the number of elements"),
        ("$Elements\n4\n", "$Elements\n3\n", 22, "stands where `$EndElements` should"),
        ("$Elements\n4\n", "$Elements\n5\n", 23, "`$EndElements` is not the number of an element"),
        ("1 2 3 4\n", "1 2 3 -4\n", 20, "`-4` is not the number of a node"),
        ("1 2 3 4\n", "1 2 3 44\n", 20, "node 44 does not exist"),
        ("1 2 3 4\n", "1 2 3 3\n", 20, "tetrahedron 2 names a node twice"),
        ("1 2 3 4\n", "1 3 2 4\n", 20, "tetrahedron 2 is inverted"),
        ("3 4 2 9 2 2 3 4 10\n", "3 4 2 9 2 1 2 3 4\n", 15, "node 10 belongs to no tetrahedron"),
        ("10 1 1 1", "10 1 nan 1", 15, "the y-coordinate is not finite"),
        ("10 1 1 1", "10 1 1", 15, "the z-coordinate is missing"),
        ("10 1 1 1", "1 1 1 1", 15, "node 1 was already given in line 11"),
        ("10 1 1 1", "10 1e300 1 1", 21, "has no volume"),
        ("10 1 1 1", "10 0.2 0.3 0.5", 21, "has no volume"),
        ("2.2 0 8", "2.2 1 8", 2, "the file is binary"),
        ("2.2 0 8", "3 0 8", 2, "version 3 is not supported"),
        ("3 4 2 9", "3 11 2 9", 21, "of higher order"),
        ("3 4 2 9", "3 5 2 9", 21, "the number of a node is missing"),
        ("3 4 2 9", "3 4 2 -9", 21, "physical tag -9 is negative"),
        ("3 4 2 9", "3 4 18446744073709551615 9", 21, "a tag is missing"),
        ("\"floor\"", "floor", 6, "the name of a physical group"),
    ] {
        let text = TWO.replace(from, to);
        assert_ne!(text, TWO, "{from:?}");
        let error = parse(&text).unwrap_err();
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("a.msh:{line}: ")) && shown.contains(message), "{shown}");
        assert!(shown.contains("; ") && !error.cure.is_empty(), "{shown}");
    }
    for (from, to) in [
        ("2 1 0 3\n", "2 1 0 1000000000\n"),
        ("2 5 1 10", "1000000000 5 1 10"),
        ("4 4 1 4", "4 1000000000000 1 4"),
        ("3 1 4 1\n", "3 1 4 1000000000\n"),
        ("1 0 1 2\n", "1 0 1 1000000000\n"),
    ] {
        let text = FOUR.replace(from, to);
        assert_ne!(text, FOUR);
        assert!(parse(&text).unwrap_err().problem.contains("1000000000"), "{from}");
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    for text in [TWO, FOUR] {
        let last = text.find("$EndElements").unwrap() + "$EndElement".len();
        for length in 0..=last {
            let error = parse(&text[..length]).unwrap_err();
            assert!(error.line.is_some() || length == 0, "{error}");
        }
    }
}

#[test]
fn what_can_be_repaired_is_repaired_on_demand() {
    let text = TWO.replace("1 2 3 4\n", "1 3 2 4\n").replace("$Nodes\n5\n", "$Nodes\n6\n5 9 9 9\n");
    assert!(parse(&text).is_err());
    let mesh = parse_gmsh(&text, Faults::Repair).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tets.len()), (5, 2));
    assert_eq!(mesh.group("floor").unwrap().vertices, [0, 1, 2]);
    let flat = TWO.replace("10 1 1 1", "10 0.2 0.3 0.5");
    let mesh = parse_gmsh(&flat, Faults::Repair).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tets.len()), (4, 1));
    assert!(mesh.group("volume 9").is_none() && mesh.group("point 8").is_none());
}

/// A hexahedron, a prism on its side, a pyramid on its top and a tetrahedron: all volume is there, and every face inside is shared by two.
#[test]
fn hexahedra_prisms_and_pyramids_are_split_so_that_neighbours_agree() {
    // The cube's corners in an order that makes every diagonal matter.
    let nodes = "7 0 0 0\n3 1 0 0\n11 1 1 0\n2 0 1 0\n5 0 0 1\n8 1 0 1\n1 1 1 1\n9 0 1 1\n4 2 0 0\n6 2 0 1\n10 0.5 0.5 2\n12 3 3 3\n";
    let elements =
        "1 5 2 1 1 7 3 11 2 5 8 1 9\n2 6 2 2 1 3 4 11 8 6 1\n3 7 2 3 1 5 8 1 9 10\n4 4 2 3 1 8 6 1 12\n";
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n{nodes}$EndNodes\n$Elements\n4\n{elements}$EndElements\n"
    );
    for order in 0..12 {
        // Whichever corner comes first.
        let mut lines: Vec<&str> = nodes.lines().collect();
        lines.rotate_left(order);
        let text = text.replace(nodes, &(lines.join("\n") + "\n"));
        let mesh = parse(&text).unwrap();
        assert_eq!(mesh.tets.len(), 6 + 3 + 2 + 1);
        let volume: f64 = (0..mesh.tets.len()).map(|t| volume(mesh.corners(t))).sum();
        // The last is (1 0 1), (2 0 1), (1 1 1), (3 3 3).
        assert!((volume - (1.0 + 0.5 + 1.0 / 3.0 + 2.0 / 6.0)).abs() < 1e-12, "{volume}");
        let mut faces = std::collections::HashMap::<[u32; 3], u32>::new();
        for [a, b, c, d] in &mesh.tets {
            for mut face in [[*a, *b, *c], [*a, *b, *d], [*a, *c, *d], [*b, *c, *d]] {
                face.sort_unstable();
                *faces.entry(face).or_default() += 1;
            }
        }
        // Inside are 6, 2 and 1 faces of cells, and between cells 2 + 2 triangles of quadrilaterals and the one under the tetrahedron.
        let shared = faces.values().filter(|&&count| count == 2).count();
        assert_eq!((shared, faces.len()), (14, 48 - 14));
        assert_eq!(mesh.group("volume 1").unwrap().tets.len(), 6);
    }
}
