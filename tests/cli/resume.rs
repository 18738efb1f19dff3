//! Runs that end early: stopped, killed at any moment, or left without their device. Resuming must lose nothing.

use crate::program::{Place, wait};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_resumed_run_equals_one_that_never_stopped() {
    for (name, backend) in [
        ("single", "--backend cpu"),
        ("double", "--backend cpu --precision f64"),
        ("device", "--backend gpu"),
    ] {
        let place = Place::new();
        let run = format!("run scene.toml --csv --ply --vtk --usd --save-every 0.3 {backend}");
        place.succeed(&format!("{run} --seconds 1 --out {name}/whole"));
        // The checkpoint at 0.5 s is that of the end, which is between two others.
        place.succeed(&format!("{run} --seconds 0.5 --out {name}/parts"));
        let ended = place.succeed(&format!("{run} --seconds 1 --resume --out {name}/parts"));
        assert!(ended.err.contains("resumed at 0.500 s"), "{}", ended.err);

        let [whole, parts] = ["whole", "parts"].map(|part| format!("{name}/{part}"));
        assert_eq!(place.files(&whole), place.files(&parts));
        assert_same(&place, &whole, &parts);
    }
}

/// All files of the first folder are in the second, with the same bytes.
fn assert_same(place: &Place, whole: &str, resumed: &str) {
    for file in place.files(whole) {
        let [a, b] = [whole, resumed].map(|folder| place.read(&format!("{folder}/{file}")));
        assert!(a == b, "{resumed}/{file} differs from that of a run that never stopped");
    }
}

#[test]
fn resuming_at_the_end_changes_nothing() {
    let place = Place::new();
    place.succeed("run scene.toml --csv --ply --backend cpu --seconds 0.3");
    let before = place.files("out/scene");
    for seconds in ["0.3", "0.1"] {
        let ended =
            place.succeed(&format!("run scene.toml --ply --backend cpu --resume --seconds {seconds}"));
        assert!(ended.err.contains("nothing left to do") && ended.err.contains("--seconds"), "{}", ended.err);
    }
    assert_eq!(place.files("out/scene"), before);
}

#[test]
fn a_run_resumed_from_an_earlier_checkpoint_may_not_lose_frames_unasked() {
    let place = Place::new();
    place.succeed("run scene.toml --csv --ply --backend cpu --seconds 0.2");
    place.succeed("run scene.toml --csv --ply --vtk --backend cpu --seconds 0.5 --out long");
    let before = place.files("long");
    let resume = "run scene.toml --csv --ply --vtk --backend cpu --seconds 0.3 --out long \
                  --resume=out/scene/checkpoint.sinew";
    place.fail(resume, &["long holds a run", "is not its checkpoint", "--overwrite", "--out"]);
    assert_eq!(place.files("long"), before);
    place.succeed(&format!("{resume} --overwrite"));
    assert_eq!(place.files("long/ply").len(), 10);
    assert_eq!(place.files("long/vtk").len(), 11);
    assert_eq!(place.text("long/scalars.csv").lines().count(), 11);
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let place = Place::new();
    place.write("other.toml", crate::program::SCENE.replace("cells = [8, 8]", "cells = [9, 8]"));
    place.succeed("run scene.toml --csv --backend cpu --seconds 0.2 --out good");
    let good = place.read("good/checkpoint.sinew");
    place.write("short.sinew", &good[..good.len() / 2]);
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    place.write("flipped.sinew", &flipped);
    place.write("empty.sinew", "");
    let cases: [(&str, &[&str]); 7] = [
        ("scene.toml --resume=short.sinew", &["short.sinew", "damaged", "from its beginning"]),
        ("scene.toml --resume=flipped.sinew", &["flipped.sinew", "damaged", "checksum"]),
        ("scene.toml --resume=empty.sinew", &["empty.sinew", "empty"]),
        ("scene.toml --resume=good/checkpoint.sinew --precision f64", &["--precision f32"]),
        ("scene.toml --resume=good/checkpoint.sinew --substeps 5", &["has changed", "substeps: 4 → 5"]),
        ("other.toml --resume=good/checkpoint.sinew", &["has changed", "`sheet`.grid"]),
        ("other.toml --resume=good/checkpoint.sinew --accept-changes", &["another scene", "particles"]),
    ];
    for (arguments, words) in cases {
        place.fail(&format!("run {arguments} --csv --backend cpu --out new"), words);
    }
    assert_eq!(place.files("new"), [""; 0]);
}

#[test]
fn a_lost_device_ends_in_a_sentence_and_the_run_can_be_resumed() {
    let place = Place::new();
    let run = "run scene.toml --csv --ply --usd --seconds 0.5 --save-every 0.1 --backend gpu";
    place.succeed(&format!("{run} --out whole"));
    place.fail(&format!("{run} --out early --lose-device-after 2"), &["device was lost", "--save-every"]);
    let lost = ["device was lost", "lost/checkpoint.sinew at 0.200 s", "--resume", "--backend cpu"];
    place.fail(&format!("{run} --out lost --lose-device-after 15"), &lost);
    // Pictures are drawn on the same device.
    place.fail(&format!("{run} --out drawn --png --lose-device-after 14"), &["device was lost", "--resume"]);

    // Elsewhere it goes on as well, if not to the bit.
    let elsewhere = "run scene.toml --csv --seconds 0.5 --backend cpu --out cpu";
    place.succeed(&format!("{elsewhere} --resume=lost/checkpoint.sinew"));
    place.succeed(&format!("{run} --out lost --resume"));
    assert_same(&place, "whole", "lost");
    assert_eq!(place.files("whole"), place.files("lost"));
}

/// How long after a sign of life the program is killed, at most.
const LATEST_KILL: Duration = Duration::from_millis(120);
/// On a busy machine fewer kills have to do.
const KILLING_TIME: Duration = Duration::from_secs(40);

#[test]
fn a_run_killed_at_any_moment_leaves_whole_files_and_can_be_resumed() {
    kill_often("--csv --ply --vtk --usd", 12);
}

/// Apart, because a device takes long to open.
#[test]
fn a_run_killed_while_it_draws_leaves_whole_pictures_and_can_be_resumed() {
    kill_often("--csv --png", 4);
}

fn kill_often(kinds: &str, most_kills: u32) {
    let place = Place::new();
    let run = format!("run scene.toml {kinds} --save-every 0.05 --backend cpu --threads 1");
    let start = Instant::now();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut kills = 0;
    while kills < most_kills && (kills < 3 || start.elapsed() < KILLING_TIME) {
        let resume =
            if place.path("out/scene/checkpoint.sinew").exists() { "--resume" } else { "--overwrite" };
        let mut command = place.command(&format!("{run} --seconds 10000 {resume}"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Preparing takes long and writes nothing: wait until something does. Mostly that is a checkpoint, so that the
        // run gets on; now and then it is killed before.
        let sign = if kills % 4 == 3 { "out/scene/scalars.csv" } else { "out/scene/checkpoint.sinew" };
        let now = || fs::read(place.path(sign)).unwrap_or_default();
        let before = now();
        while now() == before {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        std::thread::sleep(LATEST_KILL.mul_f64((random >> 40) as f64 / f64::from(1 << 24)));
        child.kill().unwrap();
        assert_eq!(wait(child, &run), None);
        kills += 1;
        check_whole(&place, kills);
    }
    let table = place.text("out/scene/scalars.csv");
    let reached = table.lines().rev().find_map(|row| row.split(',').next()?.parse::<f64>().ok()).unwrap();
    println!("killed {kills} times, reached {reached} s");

    let end = (60.0 * reached).round() / 60.0 + 0.1;
    place.succeed(&format!("{run} --seconds {end} --resume"));
    place.succeed(&format!("run scene.toml {kinds} --seconds {end} --backend cpu --out whole"));
    assert_eq!(place.files("whole"), place.files("out/scene"));
    assert_same(&place, "whole", "out/scene");
}

/// No file under a final name is half written.
fn check_whole(place: &Place, kill: u32) {
    for file in place.files("out/scene") {
        if file.contains(".tmp-") || file.ends_with(".spool") {
            continue;
        }
        let bytes = place.read(&format!("out/scene/{file}"));
        let whole = is_whole(place, &file, &bytes);
        assert!(whole.is_some(), "kill {kill}: {file} of {} bytes is not whole", bytes.len());
    }
}

fn is_whole(place: &Place, file: &str, bytes: &[u8]) -> Option<()> {
    match Path::new(file).extension().and_then(|e| e.to_str()) {
        Some("png") => png_is_whole(bytes),
        Some("ply") => ply_is_whole(bytes),
        Some("vtu") => vtu_is_whole(bytes),
        Some("pvd") => pvd_is_whole(place, bytes),
        Some("csv") => csv_is_whole(bytes),
        // Resuming reads it.
        Some("sinew") => Some(()),
        other => panic!("{file}: nobody expects {other:?}"),
    }
}

#[test]
fn a_file_that_is_cut_is_noticed() {
    let place = Place::new();
    place.succeed("run scene.toml --ply --vtk --png --backend cpu --seconds 0.05 --save-every 0");
    for file in place.files("out/scene") {
        let bytes = place.read(&format!("out/scene/{file}"));
        assert!(is_whole(&place, &file, &bytes).is_some(), "{file}");
        // Not the last byte: a text may do without its last line break.
        for length in [0, 1, bytes.len() / 2, bytes.len() - 2] {
            assert!(is_whole(&place, &file, &bytes[..length]).is_none(), "{file} cut to {length}");
        }
    }
}

fn png_is_whole(bytes: &[u8]) -> Option<()> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    reader.finish().ok()
}

/// A file of vertices of fixed size and triangles of 13 bytes.
fn ply_is_whole(bytes: &[u8]) -> Option<()> {
    let mark = b"end_header\n";
    let end = bytes.windows(mark.len()).position(|window| window == mark)? + mark.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let (mut size, mut count) = (0, 0);
    for line in header.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["element", _, number] => count = number.parse().ok()?,
            ["property", "list", "uchar", "int", _] => size += count * 13,
            ["property", "float" | "int", _] => size += count * 4,
            ["property", "uchar", _] => size += count,
            _ => {}
        }
    }
    (size > 0 && bytes.len() == end + size).then_some(())
}

/// The appended blocks, each after its length, fill the space up to the closing tags.
fn vtu_is_whole(bytes: &[u8]) -> Option<()> {
    let mark = b"<AppendedData encoding=\"raw\">";
    let start = bytes.windows(mark.len()).position(|window| window == mark)? + mark.len();
    let mut rest = &bytes[start..];
    rest = &rest[rest.iter().position(|&b| b == b'_')? + 1..];
    let blocks = String::from_utf8_lossy(&bytes[..start]).matches("format=\"appended\"").count();
    for _ in 0..blocks {
        let (length, after) = rest.split_first_chunk::<8>()?;
        rest = after.get(u64::from_le_bytes(*length) as usize..)?;
    }
    let tail = std::str::from_utf8(rest).ok()?;
    (blocks > 5 && tail.split_whitespace().eq(["</AppendedData>", "</VTKFile>"])).then_some(())
}

/// Begins, ends, and lists files that exist, in the order of time.
fn pvd_is_whole(place: &Place, bytes: &[u8]) -> Option<()> {
    let text = std::str::from_utf8(bytes).ok()?;
    let inner = text.strip_prefix("<?xml ")?.strip_suffix("</Collection>\n</VTKFile>\n")?;
    let value = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("{name}=\""))?;
        Some(rest.split_once('"')?.0.to_string())
    };
    let mut last = -1.0;
    for line in inner.lines().filter(|line| line.contains("<DataSet")) {
        let time: f64 = value(line, "timestep")?.parse().ok()?;
        let exists = place.path("out/scene/vtk").join(value(line, "file")?).is_file();
        if time <= last || !exists || !line.ends_with("/>") {
            return None;
        }
        last = time;
    }
    (last >= 0.0).then_some(())
}

/// Every line that ends has all its columns; the last may have been cut, which resuming mends.
fn csv_is_whole(bytes: &[u8]) -> Option<()> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (lines, _) = text.rsplit_once('\n')?;
    let columns = |line: &str| line.split(',').count();
    lines.lines().all(|line| columns(line) == columns(lines.lines().next().unwrap())).then_some(())
}
