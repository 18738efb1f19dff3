//! Scenes that cannot be: every one gets an answer, and none takes the memory it asks for.

use glam::DVec3;
use sinew::meshing::tet_mesh::TetMesh;
use sinew::model::Model;
use sinew::scene::{Scene, Solid, SolidShape};

fn refused(solid: &str) -> String {
    let text = format!("format = 1\n[[solid]]\nname = \"body\"\n{solid}\n");
    match Scene::parse(&text, "test.toml", "") {
        Ok(_) => panic!("accepted: {solid}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn bad_solids_are_refused_with_line_and_cure() {
    let block = "box = { size = [1, 1, 1], cells = [2, 2, 2] }\n";
    for (text, line, words) in [
        (format!("{block}poisson_ratio = 0.5"), 5, "below 0.5"),
        (format!("{block}poisson_ratio = -0.1"), 5, "at least 0"),
        (format!("{block}youngs_modulus = 0"), 5, "greater than 0"),
        (format!("{block}density = -1"), 5, "greater than 0"),
        (format!("{block}model = \"neohookean\""), 5, "neo_hookean"),
        (format!("{block}model = \"linear\"\ninversion = \"travel\""), 6, "corotational"),
        (format!("{block}damping = {{ local = {{ rate = 1, torque = \"edges\" }} }}"), 5, "torque"),
        (format!("{block}damping = {{ global = {{ rate = -1 }} }}"), 5, "0 or more"),
        (format!("{block}[[solid.pin]]\ngroup = \"lid\""), 6, "named groups"),
        (format!("{block}[[solid.load]]\nindices = [99]\nforce = [0, 1, 0]"), 6, "27"),
        ("box = { size = [1, 1, 1], cells = [0, 2, 2] }".into(), 4, "cells"),
        ("box = { size = [1, -1, 1], cells = [2, 2, 2] }".into(), 4, "greater than 0"),
        ("box = { size = [1, 1, 1], cells = [1000, 1000, 1000] }".into(), 4, "limit"),
        ("box = { size = [1, 1, 1], cells = [4294967295, 4294967295, 4294967295] }".into(), 4, "limit"),
        ("box = { size = [1, 1, 1], cells = [100, 100, 100] }".into(), 4, "tetrahedra"),
        (String::new(), 2, "box"),
    ] {
        let message = refused(&text);
        assert!(message.contains(&format!("test.toml:{line}")), "{text}\n{message}");
        assert!(message.contains(words), "{text}\n{message}");
    }
}

#[test]
fn meshes_that_are_no_solids_are_refused() {
    let good = TetMesh::cuboid(DVec3::ONE, [1; 3]);
    let refused = |change: fn(&mut TetMesh)| {
        let mut mesh = good.clone();
        change(&mut mesh);
        let solid = Solid { shape: SolidShape::Tets(mesh), ..Solid::default() };
        let scene = Scene { solid: vec![solid], ..Scene::default() };
        Model::new(&scene).map(drop).unwrap_err().to_string()
    };
    assert!(refused(|m| m.tets[0].swap(0, 1)).contains("negative volume"));
    assert!(refused(|m| m.vertices[7] = m.vertices[3]).contains("no volume"));
    assert!(refused(|m| m.vertices.push(DVec3::ZERO)).contains("belongs to no tetrahedron"));
    assert!(refused(|m| m.tets[0][0] = 1000).contains("1000"));
    assert!(refused(|m| m.tets.clear()).contains("no tetrahedra"));
}

/// A step beyond the limit of explicit integration is refused with the number of substeps that it takes.
#[test]
fn an_unstable_step_is_refused_with_the_substeps_needed() {
    let text = "format = 1\ntime_step = 0.1\nsubsteps = 1\nintegrator = \"symplectic\"\n[[solid]]\n\
                box = { size = [1, 1, 1], cells = [4, 4, 4] }\n";
    let scene = Scene::parse(text, "test.toml", "").unwrap();
    let message = Model::new(&scene).map(drop).unwrap_err().to_string();
    assert!(message.contains("13.69") && message.contains("substeps = 9"), "{message}");
}

/// What is written is read back.
#[test]
fn a_solid_survives_the_way_through_its_file() {
    let text = "format = 1\nintegrator = \"static\"\n[[solid]]\nname = \"a\"\nbox = { size = [1, 2, 3], cells = [1, 2, 3] }\n\
                model = \"corotational\"\ninversion = \"smallest\"\nstart = { stretch = [1, 0, 1], twist = 30, scatter = \"box\" }\n\
                damping = { mass = 1, stiffness = 0.1, point = 2, spring = { coefficient = 3, sweeps = 4, projected = \"no\" }, \
                global = { rate = 5, torque = \"edges\" }, local = { rate = inf, torque = \"centre\" } }\n\
                [[solid.pin]]\nindices = [0]\n[[solid.load]]\nnearest = [1, 1, 1]\nforce = [1, 2, 3]\n";
    let scene = Scene::parse(text, "test.toml", "").unwrap_or_else(|error| panic!("{error}"));
    let written = scene.to_toml().unwrap();
    let again = Scene::parse(&written, "again.toml", "").unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, scene);
}
