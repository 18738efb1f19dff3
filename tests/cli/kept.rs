//! What a run leaves alone, and how it ends early on request.

use crate::program::{Place, SCENE, wait};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_second_run_asks_before_it_replaces_the_first_and_leaves_other_files_alone() {
    let place = Place::new();
    place.succeed("run scene.toml --seconds 0.3 --backend cpu --csv --ply --vtk");
    let first = place.files("out/scene");
    place.write("out/scene/notes.txt", "mine");
    place.write("out/scene/ply/frame_mine.ply", "mine");
    place.write("out/scene/ply/frame_000001.ply.tmp-1234", "left by a killed run");
    place.write("out/scene/letter.tmp-1234", "mine");
    let checkpoint = place.read("out/scene/checkpoint.sinew");

    // Runs that cannot begin take nothing away.
    let second = "run scene.toml --seconds 0.1 --backend cpu --csv --ply";
    let words = ["out/scene already holds a run of `scene`", "--overwrite", "--resume", "--out out/scene-2"];
    place.fail(second, &words);
    place.fail("run scene.toml --overwrite --png --backend cpu --adapter nonsense", &["nonsense"]);
    place.fail("run scene.toml --csv --backend cpu --precision f64 --resume", &["--precision f32"]);
    assert_eq!(place.files("out/scene").len(), first.len() + 4);

    let ended = place.succeed(&format!("{second} --overwrite"));
    let note = format!("replacing an earlier run in out/scene, files removed: {}", first.len());
    assert!(ended.err.contains(&note), "{note}:\n{}", ended.err);
    let mut expected: Vec<String> = (0..=3).map(|i| format!("ply/frame_{i:06}.ply")).collect();
    let others = ["checkpoint.sinew", "scalars.csv", "notes.txt", "letter.tmp-1234", "ply/frame_mine.ply"];
    expected.extend(others.map(str::to_string));
    expected.sort();
    assert_eq!(place.files("out/scene"), expected);
    assert_ne!(place.read("out/scene/checkpoint.sinew"), checkpoint);
}

/// Pictures of somebody else that happen to have the names of a run's.
#[test]
fn files_that_the_manifest_does_not_list_are_never_replaced() {
    let place = Place::new();
    fs::create_dir_all(place.path("out/scene/ply")).unwrap();
    place.write("out/scene/ply/frame_000002.ply", "mine");
    let run = "run scene.toml --seconds 0.1 --backend cpu --ply";
    for arguments in [run.to_string(), format!("{run} --overwrite")] {
        place.fail(&arguments, &["ply/frame_000002.ply", "does not list", "--out"]);
    }
    assert_eq!(place.text("out/scene/ply/frame_000002.ply"), "mine");
    assert_eq!(place.files("out/scene"), ["ply/frame_000002.ply"]);

    // A manifest is text that anybody can edit: it cannot name files of others.
    place.write("precious.txt", "mine");
    place.succeed("run scene.toml --seconds 0.1 --backend cpu --csv --out other");
    let manifest = place.text("other/manifest.jsonl");
    place.write("other/manifest.jsonl", manifest + "\"../precious.txt\"\n");
    place.succeed("run scene.toml --seconds 0.1 --backend cpu --csv --out other --overwrite");
    assert_eq!(place.text("precious.txt"), "mine");
}

#[test]
fn the_manifest_lists_the_run_and_its_files() {
    let place = Place::new();
    place.succeed("run scene.toml --seconds 0.1 --backend cpu --csv --ply --substeps 3");
    let manifest = place.text("out/scene/manifest.jsonl");
    let mut lines = manifest.lines();
    let run: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!((run["scene"].as_str(), run["seconds"].as_f64()), (Some("scene"), Some(0.1)));
    assert!(run["toml"].as_str().unwrap().contains("substeps = 3"), "{run}");
    let mut files: Vec<String> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    files.sort();
    assert_eq!(files, place.files("out/scene"));
}

/// Waits until a run has written a checkpoint other than `before`.
fn await_checkpoint(place: &Place, before: &[u8]) {
    let start = Instant::now();
    while fs::read(place.path("out/scene/checkpoint.sinew")).unwrap_or_default() == before {
        assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn two_runs_at_once_in_one_folder_are_one_too_many() {
    let place = Place::new();
    let run = "run scene.toml --csv --backend cpu --save-every 0.1";
    let mut command = place.command(&format!("{run} --seconds 10000"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_checkpoint(&place, b"");
    for flag in ["--overwrite", "--resume"] {
        place.fail(&format!("{run} {flag}"), &["another run is writing to out/scene", "--out"]);
    }
    assert!(child.try_wait().unwrap().is_none(), "the first run was hurt");
    child.kill().unwrap();
    wait(child, run);
    // A killed run leaves no lock behind.
    place.succeed(&format!("{run} --seconds 0.2 --overwrite"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_completes_its_files_and_can_be_continued() {
    let place = Place::new();
    // Even without checkpoints in between.
    let run = "run scene.toml --csv --plot --usd --backend cpu --save-every 0";
    let mut command = place.command(&format!("{run} --seconds 10000"));
    let err = fs::File::create(place.path("err.txt")).unwrap();
    let child = command.stdout(Stdio::null()).stderr(err).spawn().unwrap();
    let start = Instant::now();
    let rows = || fs::read_to_string(place.path("out/scene/scalars.csv")).map_or(0, |t| t.lines().count());
    while rows() < 10 {
        assert!(start.elapsed() < Duration::from_secs(120), "no rows");
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(wait(child, run), Some(130));
    let said = place.text("err.txt");
    assert!(said.contains("stopped at ") && said.contains("of 10000.000 s"), "{said}");
    assert!(said.contains("the same command with --resume goes on"), "{said}");
    let files = place.files("out/scene");
    for file in ["checkpoint.sinew", "scene.usda", "energy.png"] {
        assert!(files.iter().any(|f| f == file), "no {file} in {files:?}");
    }
    let seconds = rows() as f64 / 30.0 + 0.2;
    place.succeed(&format!("{run} --resume --seconds {seconds}"));
    place.succeed(&format!("{run} --seconds {seconds} --out whole"));
    for file in ["scalars.csv", "scene.usda"] {
        let [a, b] = ["out/scene", "whole"].map(|folder| place.read(&format!("{folder}/{file}")));
        assert!(a == b, "{file} differs");
    }
}

/// A kill after the last checkpoint, or an ffmpeg that failed, leaves nothing to simulate and files to make.
#[test]
fn resuming_a_finished_run_makes_what_is_missing() {
    let place = Place::new();
    let made = ["scene.usda", "energy.png", "work.png"];
    place.succeed("run scene.toml --usd --plot --backend cpu --seconds 0.3");
    let before = made.map(|file| place.read(&format!("out/scene/{file}")));
    made.iter().for_each(|file| fs::remove_file(place.path(&format!("out/scene/{file}"))).unwrap());
    // What to write, and for how long, is known from the manifest.
    let ended = place.succeed("run scene.toml --backend cpu --resume");
    assert!(ended.err.contains("completing the files"), "{}", ended.err);
    assert_eq!(made.map(|file| place.read(&format!("out/scene/{file}"))), before);
}

#[test]
fn a_changed_scene_is_continued_only_if_that_is_wanted() {
    let place = Place::new();
    let run = "run scene.toml --csv --ply --backend cpu";
    place.succeed(&format!("{run} --seconds 0.2"));
    let before = place.files("out/scene");
    place.write(
        "scene.toml",
        SCENE.replace("radius = 0.3", "radius = 0.25").replace("[2, 0, 1]", "[3, 0, 1]"),
    );
    let resume = format!("{run} --seconds 0.3 --resume");
    place.fail(&resume, &["wind.velocity: [2", "→ [3", "collider", "0.3 → ", "0.25", "--accept-changes"]);
    assert_eq!(place.files("out/scene"), before);
    place.succeed(&format!("{resume} --accept-changes"));
    // From now on, that is the scene of the run.
    place.succeed(&format!("{run} --seconds 0.4 --resume"));

    // Another frame rate would number frames otherwise; frames that are there would be lost.
    place.write("scene.toml", SCENE.replace("size = [48, 32]", "size = [48, 32]\nframes_per_second = 10"));
    let frames = place.files("out/scene/ply");
    place.fail(
        &format!("{resume} --accept-changes --seconds 0.5").replace(" --seconds 0.3", ""),
        &["30 frames a second", "10"],
    );
    assert_eq!(place.files("out/scene/ply"), frames);
}
