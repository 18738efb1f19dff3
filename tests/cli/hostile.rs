//! Files that mean harm, or that were not meant for the program: it neither obeys nor repeats them.

use crate::program::{Place, SCENE};

#[test]
fn escape_sequences_from_files_never_reach_the_terminal() {
    let place = Place::new();
    // Red letters, the title of the window, and letters that are written from right to left.
    for (name, hostile) in [("red", r"\u001b[31m"), ("title", r"\u001b]0;mine\u0007"), ("right", r"\u202e")] {
        let scene = format!(
            "format = 1\n[[cloth]]\nname = \"sheet\"\nmesh = \"{hostile}x.obj\"\n\"{hostile}\" = 1\n"
        );
        place.write(&format!("{name}.toml"), scene);
        place.write(
            &format!("{name}_mesh.toml"),
            format!("format = 1\n[[cloth]]\nmesh = \"{hostile}x.obj\"\n"),
        );
        for file in [name.to_string(), format!("{name}_mesh")] {
            let said = place.sinew(&format!("check {file}.toml")).err;
            assert!(said.contains(&format!("{file}.toml:")) && said.contains("\\u{"), "{said:?}");
            assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said:?}");
        }
    }
}

#[test]
fn errors_do_not_quote_the_lines_of_other_files() {
    let place = Place::new();
    place.write("secret", "1, 2\nroot:$6$salt$hash:19000\n");
    let said = place.fail("fit secret", &["secret: line 2:", "strain and load"]).err;
    assert!(!said.contains("hash"), "{said}");
    let header =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    place.write("secret.ply", format!("{header}end_header\n0 0 0\n1 0 hash\n0 1 0\n"));
    place.write("ply.toml", "format = 1\n[[cloth]]\nmesh = \"secret.ply\"\n");
    let said = place.fail("check ply.toml", &["ply.toml:3", "`secret.ply`", "line 9", "header"]).err;
    assert!(!said.contains("hash") && !said.contains("expected one of"), "{said}");
}

/// A turn of 10¹² degrees would be 10¹¹ records.
#[test]
fn motions_that_turn_for_ever_are_refused_before_memory_is_taken() {
    let place = Place::new();
    let scene = |rotation: &str, pins: usize| {
        let pin = |index: usize| {
            format!(
                "[[cloth.pin]]\nindices = [{index}]\nmotion = [{{ time = 0 }}, {{ time = 1, rotation = [{rotation}, 0, 0] }}]\n"
            )
        };
        let pins: String = (0..pins).map(pin).collect();
        format!("format = 1\n[[cloth]]\ngrid = {{ size = [1, 1], cells = [8, 8] }}\n{pins}")
    };
    place.write("turn.toml", scene("1e12", 1));
    place.fail("check turn.toml", &["turn.toml:6", "pin 1", "keyframe 2", "`rotation`", "records"]);
    place.write("all.toml", scene("1e6", 60));
    place.fail("check all.toml", &["motions of the scene", "the limit is 1048576"]);
    place.write("motor.toml", scene("1e6", 1));
    place.succeed("check motor.toml");
}

#[test]
fn check_looks_at_the_state_that_a_scene_starts_from() {
    let place = Place::new();
    place.succeed("run scene.toml --csv --backend cpu --seconds 0.1 --out single");
    place.succeed("run scene.toml --csv --backend cpu --precision f64 --seconds 0.1 --out double");
    let with = |state: &str, scene: &str| {
        scene.replacen("format = 1", &format!("format = 1\nstart_from = \"{state}\""), 1)
    };
    for folder in ["single", "double"] {
        place.write("begun.toml", with(&format!("{folder}/checkpoint.sinew"), SCENE));
        place.succeed("check begun.toml");
    }
    place.write("missing.toml", with("nowhere.sinew", SCENE));
    place.fail("check missing.toml", &["missing.toml:3", "`start_from`", "nowhere.sinew"]);
    place.write("foreign.toml", with("scene.toml", SCENE));
    place.fail("check foreign.toml", &["`start_from`", "scene.toml", "checkpoint"]);
    let other = SCENE.replace("cells = [8, 8]", "cells = [9, 8]");
    place.write("other.toml", with("single/checkpoint.sinew", &other));
    place.fail("check other.toml", &["`start_from`", "another scene"]);
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xe9.toml");
    std::fs::write(place.path("").join(name), SCENE).unwrap();
    for arguments in ["check", "run --csv --backend cpu --seconds 0.05 --out out"] {
        let output = place.command(arguments).arg(name).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The list says more than a state whose masses do not fit.
#[test]
fn a_changed_scene_is_refused_by_a_list_of_its_changes() {
    let place = Place::new();
    place.succeed("run scene.toml --csv --backend cpu --seconds 0.1");
    place.write("scene.toml", SCENE.replacen("[[cloth]]\n", "[[cloth]]\ndensity = 0.77\n", 1));
    let resume = "run scene.toml --backend cpu --seconds 0.2 --resume";
    place.fail(resume, &["has changed", "density", "→ 0.77", "--accept-changes"]);
}

/// What holds for its parts only when they are put together is told with the file, too; and nothing that can move is no mistake.
#[test]
fn what_is_wrong_with_the_whole_is_told_with_its_file() {
    let place = Place::new();
    let sheet = |turn: u32| {
        format!("[[cloth]]\ngrid = {{ size = [1, 1], cells = [4, 4] }}\nrotation = [{turn}, 0, 0]\n")
    };
    place.write("through.toml", format!("format = 1\n[contact]\n{}{}", sheet(0), sheet(40)));
    for command in ["check", "run"] {
        place.fail(&format!("{command} through.toml"), &["through.toml: ", "go through triangles"]);
    }
    let fixed = "format = 1\n[[cloth]]\ngrid = { size = [1, 1], cells = [24, 24] }\nmodel = \"green\"\nfabric = \"cotton\"\n\
        [[cloth.pin]]\nbox = { min = [-inf, -inf, -inf], max = [inf, inf, inf] }\n";
    place.write("fixed.toml", fixed);
    place.succeed("check fixed.toml");
    place.succeed("run fixed.toml --backend cpu --csv --seconds 0.05");
}
