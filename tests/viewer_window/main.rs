//! The window as a user meets it: opened on a display without a screen, driven by scripts, looked at in screenshots.
//!
//! Scripts wait for what they need (a scene, steps, everything obeyed) and never for a time, so that a loaded machine
//! makes them slow and not wrong.
#![cfg(feature = "viewer")]

mod display;
mod pictures;

use display::Display;
use pictures::{Picture, changed};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

/// One window at a time: several would only wait for each other's software driver.
static ALONE: Mutex<()> = Mutex::new(());

/// Seconds, many times what any of these takes on a slow machine.
const HANGS_AFTER: &str = "400";

/// A sheet that hangs by its upper corners, seen from the front.
const SHEET: &str = r#"format = 1
title = "Sheet"
damping = 0.5
[camera]
eye = [0, 1, 3]
target = [0, 1, 0]
[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [16, 16] }
position = [0, 1, 0]
[[cloth.pin]]
corners = ["top_left", "top_right"]
"#;

struct Played {
    output: Output,
    /// What the script printed.
    lines: Vec<Value>,
}

/// Waits for the scene and stops it where it starts: how many steps a machine has done by then is its own affair.
const AT_THE_START: &str = "wait loaded\nkey Space\nkey R\nwait settled\n";

/// Runs `sinew view` with a script in a folder of its own, as `play_with` does.
fn play(folder: &Path, arguments: &[&str], script: &str) -> Played {
    play_with(folder, arguments, script, &[])
}

/// Runs `sinew view` with a script in a folder of its own, on a display of its own.
fn play_with(folder: &Path, arguments: &[&str], script: &str, variables: &[(&str, &str)]) -> Played {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let display = Display::open();
    std::fs::write(folder.join("script"), format!("resize 760 440\n{script}\nquit\n")).unwrap();
    // A window that hangs ends as a failure and not as a test that never ends.
    let output = Command::new("timeout")
        .args([HANGS_AFTER, env!("CARGO_BIN_EXE_sinew"), "view"])
        .args(arguments)
        .args(["--script", "script"])
        .current_dir(folder)
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Played { output, lines }
}

impl Played {
    fn succeeded(self) -> Vec<Value> {
        let errors = String::from_utf8_lossy(&self.output.stderr);
        assert_eq!(self.output.status.code(), Some(0), "{errors}");
        self.lines
    }
}

/// A folder that holds one scene file.
fn folder_with(name: &str, scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), scene).unwrap();
    folder
}

fn picture(folder: &tempfile::TempDir, name: &str) -> Picture {
    Picture::load(&folder.path().join(name))
}

fn number(line: &Value, key: &str) -> f64 {
    line[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {line}"))
}

#[test]
fn the_gallery_opens_scenes_that_draw_something() {
    let folder = tempfile::tempdir().unwrap();
    let mut script = String::from("wait settled\nscreenshot gallery.png\n");
    // One of each kind, from the list's beginning to its end.
    let names = ["bonsai", "cloth_on_sphere", "rope_swing", "soft_blocks", "zajac_ring"];
    for name in names {
        // Stopped before it runs: one picture is enough.
        script += &format!("click scene {name}\nkey Space\nwait settled\n");
        script += &format!("screenshot {name}.png\nprint\nkey G\n");
    }
    let lines = play(folder.path(), &[], &script).succeeded();
    assert_eq!(lines.len(), names.len());
    // A page without its pictures has less than a hundredth: its letters.
    let bright = picture(&folder, "gallery.png").bright();
    assert!(bright > 0.05, "the gallery shows no pictures: {bright}");
    for (name, line) in names.into_iter().zip(&lines) {
        assert_eq!(line["scene"], name);
        assert_eq!(line["error"], Value::Null, "{line}");
        let share = picture(&folder, &format!("{name}.png")).coloured();
        assert!(share > 0.004, "{name}: {:.2} % of the picture has colour", 100.0 * share);
    }
}

#[test]
fn pause_stops_motion_and_a_pull_moves_the_sheet() {
    let folder = folder_with("sheet.toml", SHEET);
    let script = "wait loaded\nwait steps 20\nkey Space\nwait settled\nprint\nscreenshot a.png\n\
        wait frames 6\nprint\nscreenshot b.png\nkey Space\n\
        drag 215 240 90 45\nwait steps 40\nkey Space\nwait settled\nprint\nscreenshot c.png\nrelease\n\
        wait settled\nkey N\nwait settled\nprint\nkey R\nwait settled\nprint";
    let lines = play(folder.path(), &["sheet.toml"], script).succeeded();
    let [paused, still, pulled, pinned, reset] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(paused["playing"], false);
    assert_eq!(number(paused, "time"), number(still, "time"));
    assert_eq!(paused["kinetic_energy"], still["kinetic_energy"]);
    assert_eq!(changed(&picture(&folder, "a.png"), &picture(&folder, "b.png")), 0);
    assert!(pulled["picked"].is_array(), "nothing was taken hold of: {pulled}");
    assert!(number(pulled, "steps") > number(still, "steps"));
    assert!(changed(&picture(&folder, "b.png"), &picture(&folder, "c.png")) > 1000);
    assert!(number(pinned, "pins") <= 1.0);
    assert_eq!(number(reset, "steps"), 0.0);
}

#[test]
fn sliders_and_buttons_change_the_result() {
    // A sheet that is upright to the bit would stay upright on its pins.
    let tilted = SHEET.replace("position = [0, 1, 0]", "position = [0, 1, 0]\nrotation = [20, 0, 0]");
    let folder = folder_with("sheet.toml", &tilted);
    let script = "wait loaded\nwait steps 30\nprint\n\
        click gravity up\nwait steps 60\nprint\n\
        drag wind 60 0\nwait settled\nrelease\nwait steps 30\nprint\n\
        click Jacobi\nwait settled\nclick colour velocity\nwait settled\nprint\nscreenshot changed.png\n\
        key U\nwait settled\nprint";
    let lines = play(folder.path(), &["sheet.toml"], script).succeeded();
    let [hanging, risen, blown, jacobi, undone] = &lines[..] else { panic!("{lines:?}") };
    assert!(number(risen, "highest") > number(hanging, "highest") + 0.2, "gravity did not turn: {risen}");
    assert!(number(blown, "max_speed") > 0.0);
    for line in [jacobi, undone] {
        assert_eq!(line["error"], Value::Null, "{line}");
        assert!(number(line, "steps") >= number(blown, "steps"), "the state was not kept: {line}");
    }
}

#[test]
fn saving_the_file_starts_it_again_and_a_mistake_is_shown_with_its_line() {
    let folder = folder_with("scene.toml", SHEET);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("finer.toml", &SHEET.replace("[16, 16]", "[20, 20]"));
    write("broken.toml", &SHEET.replace("position", "positon"));
    let script = "wait loaded\nwait steps 5\nprint\n\
        copy broken.toml scene.toml\nwait error\nwait settled\nscreenshot error.png\nprint\n\
        copy finer.toml scene.toml\nwait no error\nwait settled\nprint";
    let lines = play(folder.path(), &["scene.toml"], script).succeeded();
    let [first, broken, finer] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(number(first, "particles"), 289.0);
    let error = broken["error"].as_str().unwrap();
    assert!(error.contains("scene.toml:10") && error.contains("positon"), "{error}");
    assert!(picture(&folder, "error.png").banner() > 1000, "no banner is to be seen");
    assert_eq!(number(broken, "particles"), 289.0, "the last good scene stays");
    assert_eq!(finer["error"], Value::Null);
    assert_eq!(number(finer, "particles"), 441.0);
}

#[test]
fn resizing_minimising_and_a_lost_device_are_survived() {
    let folder = folder_with("sheet.toml", SHEET);
    let script = "wait loaded\nwait steps 3\nresize 300 200\nwait frames 3\nresize 0 0\nwait frames 5\n\
        resize 760 440\nwait frames 3\nprint\nlose device\nwait error\nwait settled\nscreenshot lost.png\n\
        click restart CPU\nwait loaded\nwait steps 3\nwait settled\nprint\nscreenshot recovered.png";
    let lines = play(folder.path(), &["sheet.toml", "--backend", "gpu"], script).succeeded();
    let [before, after] = &lines[..] else { panic!("{lines:?}") };
    assert!(!before["runs_on"].as_str().unwrap().starts_with("CPU"), "{before}");
    assert_eq!(before["error"], Value::Null);
    assert!(picture(&folder, "lost.png").banner() > 1000, "nothing tells that the device was lost");
    assert!(after["runs_on"].as_str().unwrap().starts_with("CPU"), "{after}");
    assert_eq!(after["error"], Value::Null);
    assert!(picture(&folder, "recovered.png").coloured() > 0.02);
}

/// The scene's own pins let go, the user's hold, and the saved scene shows what was on screen.
#[test]
fn a_saved_scene_shows_what_was_on_screen() {
    let folder = folder_with("sheet.toml", SHEET);
    // The upper left corner, which the scene holds, and the lower right one.
    let script = "move 147 157\nwait settled\nkey N\nwait settled\nprint\n\
        move 273 283\nwait settled\nkey N\nwait settled\nprint\n\
        key Space\nwait steps 30\nkey Space\nwait settled\nprint\nscreenshot before.png\n\
        save saved.toml\nwait settled\nprint";
    let lines = play(folder.path(), &["sheet.toml"], &format!("{AT_THE_START}{script}")).succeeded();
    let [freed, pinned, fallen, saved] = &lines[..] else { panic!("{lines:?}") };
    assert!(freed["note"].as_str().is_some_and(|note| note.contains("is free")), "{freed}");
    assert_eq!(number(pinned, "pins"), 1.0, "{pinned}");
    assert_eq!(saved["error"], Value::Null, "{saved}");
    let again = "print\nscreenshot after.png\nkey Space\nwait steps 10\nprint";
    let lines = play(folder.path(), &["saved.toml"], &format!("{AT_THE_START}{again}")).succeeded();
    let [opened, later] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(number(opened, "time"), number(fallen, "time"));
    assert!((number(opened, "lowest") - number(fallen, "lowest")).abs() < 1e-5, "{opened} {fallen}");
    // Edges in the picture may differ by a rounding, not more.
    assert!(changed(&picture(&folder, "before.png"), &picture(&folder, "after.png")) < 200);
    assert_eq!(later["error"], Value::Null, "{later}");
    let text = std::fs::read_to_string(folder.path().join("saved.toml")).unwrap();
    for wanted in ["start_from = ", "except = [272]", "indices = [16]"] {
        assert!(text.contains(wanted), "no `{wanted}` in {text}");
    }
}

/// Everything that can be drawn for those who look into the solver, one after the other.
#[test]
fn colours_and_overlays_change_the_picture() {
    let scene = format!("{SHEET}[[collider]]\nsphere = {{ radius = 0.3 }}\nposition = [0, 0.7, 0.1]\n");
    let folder = folder_with("sheet.toml", &scene);
    // Step by step: how far a sheet that runs has come depends on the machine, and so does what overlays cover.
    let steps = "key Period\nwait settled\n".repeat(20);
    let mut script = format!("{AT_THE_START}{steps}screenshot plain.png\n");
    let colours = ["velocity", "strain", "stress", "energy"];
    for name in colours {
        script += &format!("click colour {name}\nwait settled\nscreenshot {name}.png\n");
    }
    script += "click colour body\nwait settled\n";
    let overlays = ["wireframe", "particles", "constraints", "obstacles"];
    for name in overlays {
        script += &format!(
            "click draw {name}\nwait settled\nscreenshot {name}.png\nclick draw {name}\nwait settled\n"
        );
    }
    // Contacts and errors are of the next step.
    script += "click draw contacts\nwait settled\nkey Period\nwait settled\nscreenshot contacts.png\n\
        click draw contacts\nclick colour error\nwait settled\nkey Period\nwait settled\nscreenshot error.png\nprint";
    let lines = play(folder.path(), &["sheet.toml"], &script).succeeded();
    assert_eq!(lines[0]["error"], Value::Null, "{}", lines[0]);
    let plain = picture(&folder, "plain.png");
    for name in colours.into_iter().chain(overlays).chain(["contacts", "error"]) {
        let pixels = changed(&plain, &picture(&folder, &format!("{name}.png")));
        println!("{name} changed {pixels} pixels");
        assert!(pixels > 100, "{name} changed {pixels} pixels");
    }
}

/// A step taken apart can be gone on from, the camera has its views, and the state can be taken away.
#[test]
fn views_passes_and_exports_work() {
    // From the side, the ground is what shows: the sheet is seen along its plane.
    let folder = folder_with("sheet.toml", &format!("{SHEET}[render]\nground = 0\n"));
    let script = "screenshot start.png\nkey 2\nwait settled\nscreenshot side.png\nkey O\nwait settled\n\
        screenshot lens.png\nkey F\nkey Comma\nkey Comma\nwait settled\nprint\n\
        key S\nkey Space\nwait steps 3\nkey Space\nwait settled\nprint\n\
        click Files\nclick ply\nwait settled\nclick vtu\nwait settled\nprint";
    let lines = play(folder.path(), &["sheet.toml"], &format!("{AT_THE_START}{script}")).succeeded();
    let [within, after, exported] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(number(within, "steps"), 0.0, "a pass is no step");
    assert!(number(after, "steps") >= 3.0, "nothing runs after single passes: {after}");
    assert_eq!(exported["error"], Value::Null);
    for (a, b) in [("start.png", "side.png"), ("side.png", "lens.png")] {
        let pixels = changed(&picture(&folder, a), &picture(&folder, b));
        assert!(pixels > 1000, "{a} and {b} differ in {pixels} pixels");
    }
    let steps = number(after, "steps") as u64;
    for ending in ["ply", "vtu"] {
        let file = folder.path().join(format!("sheet_{steps:06}.{ending}"));
        assert!(std::fs::metadata(&file).is_ok_and(|file| file.len() > 1000), "{}", file.display());
    }
}

/// What was clicked is followed while the sheet sags, and the timeline goes back to how it was.
#[test]
fn a_probe_follows_and_the_timeline_goes_back() {
    let folder = folder_with("sheet.toml", SHEET);
    let steps = "key Period\nwait settled\nprint\n".repeat(20);
    let script = format!(
        "{AT_THE_START}click 215 240\nwait settled\nprint\nscreenshot probe.png\n{steps}\
         drag timeline -30 0\nrelease\nwait settled\nprint\nkey Space\nwait steps 3\nkey Space\nwait settled\nprint\n\
         click draw axes\nwait settled\nscreenshot no_axes.png\nclick draw forces\nwait settled\nscreenshot forces.png"
    );
    let lines = play(folder.path(), &["sheet.toml"], &script).succeeded();
    let [passed @ .., back, on] = &lines[..] else { panic!("{lines:?}") };
    let [clicked, .., last] = passed else { panic!("{lines:?}") };
    assert!(clicked["picked"].is_array() && clicked["picked"] != last["picked"], "{clicked} {last}");
    assert!(number(back, "time") < number(last, "time") - 0.05, "{last} {back}");
    // There, everything is as it was when the sheet passed.
    let then = passed.iter().find(|line| line["steps"] == back["steps"]).unwrap_or_else(|| panic!("{back}"));
    for key in ["time", "picked", "lowest", "kinetic_energy"] {
        assert_eq!(back[key], then[key], "{key}: {then} {back}");
    }
    assert!(number(on, "time") > number(back, "time"), "{back} {on}");
    assert_eq!(on["error"], Value::Null, "{on}");
    let pixels = changed(&picture(&folder, "no_axes.png"), &picture(&folder, "forces.png"));
    assert!(pixels > 100, "forces changed {pixels} pixels");
}

/// The ball pushes the sheet away, a recording is a file that plays, and the solvers can be compared meanwhile.
#[test]
fn a_ball_pushes_and_a_recording_plays() {
    let folder = folder_with("sheet.toml", SHEET);
    let steps = "key Period\nwait settled\n".repeat(8);
    let script = format!(
        "{AT_THE_START}{steps}print\nkey R\nwait settled\nhold Ctrl\ndrag 210 190 0 40\n{steps}print\n\
         release\nhold nothing\nwait settled\nkey V\nwait settled\nkey Space\nwait steps 30\nkey V\nwait settled\nprint"
    );
    let lines = play(folder.path(), &["sheet.toml"], &script).succeeded();
    let [alone, pushed, after] = &lines[..] else { panic!("{lines:?}") };
    // The ball holds the middle of the sheet, which sags by itself, and pushes it away.
    let of = |key: &str| [number(alone, key), number(pushed, key)];
    let ([sagging, held], [slow, fast]) = (of("lowest"), of("max_speed"));
    assert!(held > sagging + 0.01 && fast > 2.0 * slow, "{alone} {pushed}");
    assert_eq!(after["error"], Value::Null, "{after}");
    let file = std::fs::File::open(folder.path().join("sheet_animation_001.png")).unwrap();
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let frames = reader.info().animation_control().expect("the file is animated").num_frames;
    assert!(frames >= 3, "{frames} frames");
}

/// A step of this sheet takes many times as long as a frame; the window goes on drawing and answers meanwhile. Both slow
/// down together on a busy machine.
#[test]
fn the_window_answers_while_a_step_is_under_way() {
    let heavy =
        SHEET.replace("[16, 16]", "[120, 120]").replace("damping", "substeps = 40\niterations = 8\ndamping");
    let folder = folder_with("heavy.toml", &heavy);
    let script = "wait loaded\nwait steps 1\nscreenshot plain.png\nprint status\nkey F1\nwait frames 2\n\
        screenshot help.png\nwait steps 1\nprint status";
    let lines = play(folder.path(), &["heavy.toml", "--backend", "cpu"], script).succeeded();
    let [first, second] = &lines[..] else { panic!("{lines:?}") };
    let (step, frame) = (number(second, "step_seconds"), number(second, "frame_seconds"));
    assert!(step > 0.1, "a step of {step} s does not test anything");
    let [frames, steps] = ["frames", "steps"].map(|key| number(second, key) - number(first, key));
    assert!(frames > 4.0 * steps, "{frames} frames in {steps} steps of {step} s; a frame takes {frame} s");
    let pixels = changed(&picture(&folder, "plain.png"), &picture(&folder, "help.png"));
    assert!(pixels > 1000, "the help changed {pixels} pixels");
}

/// Sizes are in points: a screen of twice the density shows the same window with twice the pixels.
#[test]
fn a_dense_screen_shows_the_same_with_more_pixels() {
    let folder = folder_with("sheet.toml", SHEET);
    let script = "resize 1200 800\nwait loaded\nwait steps 2\nkey Space\nkey H\nwait settled\nprint status\n\
        screenshot dense.png";
    let variables = [("WINIT_X11_SCALE_FACTOR", "2")];
    let lines = play_with(folder.path(), &["sheet.toml"], script, &variables).succeeded();
    assert_eq!(number(&lines[0], "pixels_per_point"), 2.0);
    let dense = picture(&folder, "dense.png");
    assert_eq!([dense.width, dense.height], [1200, 800]);
    assert!(dense.coloured() > 0.05);
}

#[test]
fn without_a_display_it_says_so_and_names_run() {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["view", "flag"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("no display") && said.contains("sinew run"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
}
