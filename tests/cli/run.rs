//! `sinew run` in the hands of a stranger: mistakes, what it prints, and what it leaves in a folder.

use crate::program::{Place, SCENE, wait};
use std::fs;
use std::process::Stdio;

#[test]
fn mistakes_end_in_one_sentence_that_names_the_cure() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    place.write("empty.toml", "");
    place.write("junk.toml", (0..=255).rev().collect::<Vec<u8>>());
    place.write("broken.toml", "format = = 1\n");
    place.write("typo.toml", SCENE.replace("rotation", "rotatoin"));
    place.write("file", "not a folder");
    place.write("dull.toml", SCENE.split("[expect]").next().unwrap());
    place.write("text.sinew", "hello");
    let cases: &[(&str, &[&str])] = &[
        ("run nonsense", &["`nonsense`", "neither a file nor a built-in scene", "flag"]),
        ("run curtan", &["did you mean `curtain`?"]),
        ("run missing.toml", &["missing.toml", "No such file"]),
        ("run folder", &["folder", "not a file"]),
        ("run empty.toml", &["empty.toml:1", "missing key `format"]),
        ("run junk.toml", &["junk.toml:1", "not UTF-8"]),
        ("run broken.toml", &["broken.toml:1", "="]),
        ("run typo.toml", &["typo.toml:16", "`rotatoin`", "did you mean `rotation`?"]),
        ("run scene.toml --backend cpu --csv --out file", &["file", "choose another folder with --out"]),
        ("run scene.toml --backend cpu --csv --out file/deeper", &["file/deeper", "--out"]),
        ("run scene.toml --backend cpu --csv --out /proc/x", &["/proc/x", "--out"]),
        ("run scene.toml --seconds 1e300", &["--seconds 1e300", "choose less"]),
        ("run scene.toml --substeps 0", &["command line", "`substeps` is 0", "from 1 to"]),
        ("run scene.toml --iterations 4000000000", &["`iterations` is 4000000000", "from 1 to"]),
        ("run scene.toml --precision f64 --backend gpu", &["--precision f64", "--backend cpu"]),
        ("run scene.toml --adapter nonsense", &["no adapter whose name contains `nonsense`"]),
        ("run scene.toml --backend cpu --png --adapter nonsense", &["no pictures", "`nonsense`"]),
        ("run scene.toml --backend cpu --resume", &["out/scene/checkpoint.sinew", "without --resume"]),
        ("run scene.toml --backend cpu --resume=gone", &["no checkpoint gone", "--resume=FILE"]),
        ("run scene.toml --backend cpu --resume=folder", &["folder", "a checkpoint is a file"]),
        ("run scene.toml --backend cpu --resume=text.sinew", &["text.sinew", "something else"]),
        ("run dull.toml --expect", &["--expect", "no [expect] table"]),
        ("run scene.toml --expect --seconds 0.1", &["--expect", "0.500 s", "leave out --seconds"]),
    ];
    for (arguments, words) in cases {
        place.fail(arguments, words);
    }
    // Nothing began, so nothing was made.
    assert!(!place.path("out").exists());
}

#[test]
fn mistaken_flags_are_usage_errors_that_name_the_flag() {
    let place = Place::new();
    let cases = [
        ("run", "<SCENE>"),
        ("run scene.toml --bogus", "--bogus"),
        ("run scene.toml --seconds 0", "--seconds"),
        ("run scene.toml --seconds -1", "must be a positive number of seconds"),
        ("run scene.toml --seconds nan", "--seconds"),
        ("run scene.toml --seconds inf", "--seconds"),
        ("run scene.toml --save-every -1", "--save-every"),
        ("run scene.toml --threads 0", "--threads"),
        ("run scene.toml --backend quantum", "possible values: auto, gpu, cpu"),
        ("run scene.toml --substeps many", "--substeps"),
        ("check --compare", "<SCENE>"),
        ("check scene.toml --steps 3", "--compare"),
        ("check scene.toml --compare --steps 4000000000", "--steps"),
        ("check scene.toml --compare --tolerance nan", "--tolerance"),
    ];
    for (arguments, word) in cases {
        let ended = place.sinew(arguments);
        assert_eq!(ended.code, Some(2), "sinew {arguments}:\n{}", ended.err);
        assert!(ended.err.contains(word), "sinew {arguments}: `{word}` is not in\n{}", ended.err);
        assert_eq!(ended.out, "", "sinew {arguments}");
    }
}

#[test]
fn every_command_has_a_help_text() {
    let place = Place::new();
    for command in ["view", "run", "bench", "check", "info"] {
        let help = place.succeed(&format!("{command} --help")).out;
        assert!(help.contains(&format!("Usage: sinew {command}")), "{help}");
    }
    let help = place.succeed("run --help").out;
    let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Replace the run that the output folder holds"), "{help}");
    assert!(!help.contains("lose-device"), "{help}");
}

#[test]
fn what_families_measure_is_in_the_table_of_scalars() {
    let place = Place::new();
    let sheet = "grid = { size = [0.3, 0.3], cells = [3, 3] }\nthickness = 0.01\n";
    let sheets =
        format!("[[cloth]]\n{sheet}[[cloth]]\n{sheet}position = [0.05, 0.02, 0]\nvelocity = [0, -2, 0]\n");
    let scene = format!("format = 1\nduration = 0.1\n{sheets}");
    place.write("apart.toml", &scene);
    place.write("together.toml", scene.replace("format = 1", "format = 1\ncontact = {}"));
    for (name, measured) in [("apart", false), ("together", true)] {
        place.succeed(&format!("run {name}.toml --csv --out {name} --backend cpu"));
        let table = place.text(&format!("{name}/scalars.csv"));
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines[0].ends_with(
                ",rod_joint_degrees,contacts,contact_force,largest_contact_force,depth,held_back,lists_made"
            ),
            measured,
            "{}",
            lines[0]
        );
        assert!(
            lines.iter().all(|line| line.matches(',').count() == lines[0].matches(',').count()),
            "{table}"
        );
    }
}

#[test]
fn a_scene_that_blows_up_is_stopped_with_body_time_and_advice() {
    let place = Place::new();
    // The wind is checked for being finite, not for being believable.
    place.write("storm.toml", SCENE.replace("velocity = [2, 0, 1]", "velocity = [1e9, 2e9, 1e9]"));
    for backend in ["cpu", "gpu"] {
        let run = format!("run storm.toml --csv --usd --save-every 0.02 --out {backend} --backend {backend}");
        let ended = place.fail(&run, &["body `sheet`", "particle", "t = ", "more substeps"]);
        assert_eq!(ended.out, "");
        // What was recorded before is there, and no checkpoint of nonsense.
        assert_eq!(place.files(backend), ["scalars.csv", "scene.usda", "scene.usda.spool"]);
        assert!(!place.text(&format!("{backend}/scalars.csv")).contains("NaN"));
    }
}

#[test]
fn quiet_is_quiet_and_otherwise_a_summary_is_printed() {
    let place = Place::new();
    let run = "run scene.toml --csv --backend cpu --seconds 0.2 --threads 1";
    let quiet = place.succeed(&format!("{run} --quiet"));
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let ended = place.succeed(&format!("{run} --overwrite"));
    for word in ["0.200 s simulated in 12 steps", "ms/step", "energy", "stretch", "output in out/scene"] {
        assert!(ended.out.contains(word), "`{word}` is not in\n{}", ended.out);
    }
    assert!(ended.err.contains("scene: 81 particles"), "{}", ended.err);
    // The progress bar is for terminals.
    assert!(!ended.err.contains(['\r', '\u{1b}', '█']), "{:?}", ended.err);
}

/// A sheet of triangles whose solver is given too little to do.
#[test]
fn plots_show_energy_and_work_and_a_solver_that_ran_out_is_named() {
    let place = Place::new();
    place.write(
        "sheet.toml",
        "format = 1\nduration = 0.1\nconjugate_gradients = { iterations = 2 }\n[[cloth]]\nmodel = \"green\"\n\
         grid = { size = [1, 1], cells = [8, 8] }\nfabric = { limits = { weft = [-0.9, 0.02] } }\n\
         [[cloth.pin]]\ncorners = [\"top_left\"]\n",
    );
    let ended = place.succeed("run sheet.toml --plot --backend cpu --save-every 0 --out out");
    assert!(
        ended.err.contains(
            "warning: body `cloth 1` at 0.100 s: conjugate gradients ran out of their 2 iterations"
        ),
        "{}",
        ended.err
    );
    assert_eq!(
        place.files("out"),
        ["angular_momentum.png", "energy.png", "momentum.png", "scalars.csv", "timing.csv", "work.png"]
    );
    let timing = place.text("out/timing.csv");
    assert!(timing.starts_with("time,milliseconds_per_step,cg_iterations_per_substep"), "{timing}");
    let last: Vec<f64> = timing.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert!(last[1] > 0.0 && last[2] == 2.0, "{last:?}");
}

#[test]
fn a_reader_that_leaves_early_hurts_nobody() {
    let place = Place::new();
    for arguments in ["check", "check flag", "info", "run scene.toml --csv --backend cpu --seconds 0.1"] {
        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(wait(child, arguments), Some(0), "sinew {arguments} into a closed pipe");
    }
    assert_eq!(place.text("out/scene/scalars.csv").lines().count(), 5);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_standard_output_is_an_error() {
    let place = Place::new();
    for arguments in ["check", "info"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.command(arguments).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(err.contains("sinew: cannot write to the standard output: No space left"), "{err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[test]
fn a_run_writes_all_that_is_asked_for_completely() {
    let place = Place::new();
    place.succeed("run scene.toml --seconds 0.1 --backend cpu --png --csv --ply --vtk --usd --out all");
    let frames = |form: fn(u32) -> String| (0..=3).map(form).collect::<Vec<_>>();
    let mut expected = vec!["checkpoint.sinew".to_string()];
    expected.extend(frames(|i| format!("frames/frame_{i:06}.png")));
    expected.extend(frames(|i| format!("ply/frame_{i:06}.ply")));
    expected.extend(["scalars.csv", "scene.usda", "scene.usda.spool", "vtk/frames.pvd"].map(String::from));
    expected.extend(frames(|i| format!("vtk/frames_{i:06}.vtu")));
    assert_eq!(place.files("all"), expected);
    let picture = place.read("all/frames/frame_000003.png");
    let reader = png::Decoder::new(std::io::Cursor::new(picture)).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (48, 32));
    let table = place.text("all/scalars.csv");
    assert!(table.starts_with("time,kinetic_energy,"), "{table}");
    assert_eq!(table.lines().count(), 5, "{table}");
    // Without a choice there are pictures and the table.
    place.succeed("run scene.toml --seconds 0.01 --backend cpu --out default --save-every 0");
    assert_eq!(place.files("default"), ["frames/frame_000000.png", "scalars.csv"]);
}

/// 30 frames a second cannot be had of steps of 0.02 s; what is written must play at the right speed all the same.
#[test]
fn frames_keep_the_rate_that_the_steps_allow() {
    let place = Place::new();
    place.write("slow.toml", SCENE.replace("substeps = 4", "substeps = 4\ntime_step = 0.02"));
    let ended = place.succeed("run slow.toml --seconds 0.2 --backend cpu --usd --csv");
    assert!(ended.err.contains("25.0000 frames a second instead of 30"), "{}", ended.err);
    let usd = place.text("out/slow/scene.usda");
    assert!(usd.contains("framesPerSecond = 25\n") && usd.contains("endTimeCode = 5\n"), "{}", &usd[..300]);
    assert_eq!(place.text("out/slow/scalars.csv").lines().count(), 1 + 6);
}

#[test]
fn unmet_expectations_fail_and_are_named() {
    let place = Place::new();
    place.write("strict.toml", SCENE.replace("max_speed = 20", "max_speed = 1e-3\nlowest = { min = 5 }"));
    let ended = place.succeed("run scene.toml --expect --csv --backend cpu");
    assert!(ended.out.contains("all expectations are met"), "{}", ended.out);
    let ended = place.sinew("run strict.toml --expect --csv --backend cpu --seconds 0.5");
    assert_eq!(ended.code, Some(1));
    assert!(!ended.out.contains("expectations are met"), "{}", ended.out);
    for word in ["max_speed is ", "expected at most 1e-3", "lowest is ", "expected at least 5e0"] {
        assert!(ended.err.contains(word), "`{word}` is not in\n{}", ended.err);
    }
    // A run resumed at that moment checks too; one resumed later cannot.
    let again = place.sinew("run strict.toml --expect --csv --backend cpu --resume --seconds 0.6");
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("max_speed is "), "{}", again.err);
    let later = "run strict.toml --expect --csv --backend cpu --resume --seconds 0.7";
    place.fail(later, &["--expect", "0.500 s", "run without --resume"]);
}

/// A mirrored block, seen while it comes back: what tables, the summary and expectations say of it.
#[test]
fn the_state_of_a_solid_can_be_read_and_expected() {
    let place = Place::new();
    let scene = |expect: &str| {
        format!(
            "format = 1\nduration = 0.1\ntime_step = 0.001\nsubsteps = 2\nintegrator = \"symplectic\"\ngravity = [0, 0, 0]\n\
             [[solid]]\nbox = {{ size = [1, 1, 1], cells = [2, 2, 2] }}\nstart = {{ stretch = [1, 1, -0.9] }}\n\
             [[solid.load]]\nbox = {{ min = [0.4, -inf, -inf], max = [inf, inf, inf] }}\nforce = [1000, 0, 0]\n\
             [expect]\n{expect}\n"
        )
    };
    // Ten steps of 1,000 N on 1,000 kg.
    place.write(
        "block.toml",
        scene("at = 0.01\nmomentum = { min = 9.9, max = 10.1 }\nspin = { max = 50 }\nmax_switches = 5000"),
    );
    let ended = place.succeed("run block.toml --csv --expect --backend cpu --save-every 0 --out out");
    assert!(ended.out.contains("largest compression"), "{}", ended.out);
    let table = place.text("out/scalars.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let value = |row: usize, name: &str| -> f64 {
        let column = rows[0].iter().position(|n| *n == name).unwrap_or_else(|| panic!("no column `{name}`"));
        rows[row][column].parse().unwrap()
    };
    assert!((value(1, "max_compression") - 1.9).abs() < 1e-6 && value(1, "inverted") == 40.0, "{table}");
    let last = rows.len() - 1;
    let way = value(last, "centre_x") - value(1, "centre_x");
    assert!(way > 0.0 && value(last, "load_energy") != 0.0 && value(last, "switches") >= 0.0, "{table}");
    assert!(value(last, "spin_x").is_finite(), "{table}");

    place.write("crushed.toml", scene("at = 0.001\nmax_compression = 0.5"));
    place.fail(
        "run crushed.toml --csv --expect --backend cpu --save-every 0 --out crushed",
        &["max_compression is 1.", "expected at most 5e-1"],
    );
}

/// Two steps do not bend a soft beam to its balance, sixty do.
#[test]
fn statics_says_when_it_has_found_no_balance() {
    let place = Place::new();
    let scene = "format = 1\nintegrator = \"static\"\nnewton = 1\nsubsteps = 1\n[[solid]]\nname = \"beam\"\n\
                 box = { size = [1, 0.1, 0.1], cells = [10, 1, 1] }\nyoungs_modulus = 1e5\n\
                 [[solid.pin]]\nbox = { min = [-1, -1, -1], max = [-0.499, 1, 1] }\n";
    place.write("beam.toml", scene);
    place.fail(
        "run beam.toml --backend cpu --precision f64 --seconds 0.02 --out short",
        &["has not found a balance of forces", "`beam`", "let it run longer"],
    );
    place.write("beam.toml", scene.replace("newton = 1\n", ""));
    place.succeed("run beam.toml --backend cpu --precision f64 --seconds 0.5 --out long");
}

#[test]
fn probes_are_columns_of_the_csv() {
    let place = Place::new();
    let scene = "format = 1\nduration = 0.5\n[[points]]\nname = \"ball\"\npoints = [[0, 3, 0], [1, 2, 0]]\nmass = 1\n\
                 [[probe]]\nname = \"right\"\nbody = \"ball\"\nnearest = [0.9, 2, 0]\n\
                 [[probe]]\nbody = \"ball\"\nindex = 0\n";
    place.write("fall.toml", scene);
    place.succeed("run fall.toml --backend cpu --precision f64 --csv --out out");
    let text = place.text("out/scalars.csv");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let last: Vec<f64> = lines.last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    let value = |name: &str| {
        last[names.iter().position(|known| *known == name).unwrap_or_else(|| panic!("no {name}"))]
    };
    assert_eq!((value("right.x"), value("probe 2.x")), (1.0, 0.0));
    assert!((value("right.vy") + 9.81 * 0.5).abs() < 1e-6, "{}", value("right.vy"));
    assert!((value("probe 2.y") - value("right.y") - 1.0).abs() < 1e-9);
    place.write("fall.toml", scene.replace("index = 0", "index = 2"));
    place.fail(
        "run fall.toml --backend cpu --out other",
        &["fall.toml", "`index` is 2", "`ball` has 2 particles"],
    );
    place.write("fall.toml", scene.replace("body = \"ball\"", "body = \"bal\""));
    place.fail("check fall.toml", &["`body` is \"bal\"", "did you mean `ball`"]);
}

#[test]
fn steps_of_second_order_are_refused_where_there_are_none() {
    let place = Place::new();
    for (more, what) in [
        ("[[collider]]\nplane = { normal = [0, 1, 0] }\n", "`[[collider]]`"),
        ("[[solid]]\nbox = { size = [1, 1, 1], cells = [1, 1, 1] }\n", "`integrator = \"bdf2\"`"),
        ("[contact]\n", "`[contact]`"),
    ] {
        let scene = format!("format = 1\norder = 2\n[[points]]\npoints = [[0, 3, 0]]\nmass = 1\n{more}");
        place.write("two.toml", scene);
        place.fail("check two.toml", &["two.toml:2", "`order` is 2", what]);
    }
}
