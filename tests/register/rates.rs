//! How often registration succeeds, over many bodies. `cargo test --release --test register -- --ignored --nocapture` prints the table
//! of docs/acquisition.md.

use crate::views::{View, add_noise, error, surfaces, two};
use sinew::register::{LADDER, Scans, Verdict};
use sinew::scan::bumpy_ball;
use std::time::Instant;

const PAIRS: u64 = 40;
/// Points of a scan are about 0.22 times the square of this.
const RESOLUTION: u32 = 160;
const FINE: u32 = 480;

/// What became of the pairs of a row.
#[derive(Default)]
struct Row {
    right: u64,
    sure: u64,
    sure_and_wrong: u64,
    turns: Vec<f64>,
    overlaps: Vec<f64>,
    seconds: f64,
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Registers pairs of views; `None` for the truth where they do not belong together.
fn run(make: impl Fn(u64) -> ([View; 2], bool)) -> Row {
    let mut row = Row::default();
    for seed in 1..=PAIRS {
        let ([a, b], belong) = make(seed);
        let truth = a.motion_to(&b);
        let clouds = [a.cloud, b.cloud];
        let start = Instant::now();
        let pair = Scans::new(&clouds).pair([0, 1]);
        row.seconds += start.elapsed().as_secs_f64();
        let [turn, shift] = error(&pair.motion, &truth, &clouds[0]);
        let right = belong && turn < 1.0 && shift < 0.01;
        row.right += u64::from(right);
        row.sure += u64::from(pair.verdict == Verdict::Sure);
        row.sure_and_wrong += u64::from(pair.verdict == Verdict::Sure && !right);
        row.turns.push(turn);
        row.overlaps.push(pair.overlap);
    }
    row
}

fn tell(name: &str, mut row: Row) -> Row {
    println!(
        "| {name} | {:.0} % | {} of {PAIRS} | {} of {PAIRS} | {} | {:.3}° | {:.2} s |",
        100.0 * median(&mut row.overlaps),
        row.right,
        row.sure,
        row.sure_and_wrong,
        median(&mut row.turns),
        row.seconds / PAIRS as f64
    );
    row
}

#[test]
#[ignore = "minutes"]
fn success_by_angle() {
    for (degrees, least) in [(35.0, 38), (60.0, 38), (90.0, 30)] {
        let row = run(|seed| (two(&surfaces(&bumpy_ball(seed, 5)), degrees, RESOLUTION, seed), true));
        let row = tell(&format!("{degrees}° apart"), row);
        assert!(row.right >= least && row.sure_and_wrong == 0);
    }
}

#[test]
#[ignore = "half an hour"]
fn success_by_noise() {
    for (noise, least) in [(0.1, 38), (0.25, 38), (0.5, 30), (1.0, 0)] {
        let row = run(|seed| {
            let degrees = if seed % 2 == 0 { 35.0 } else { 60.0 };
            let mut views = two(&surfaces(&bumpy_ball(seed, 5)), degrees, FINE, seed);
            let deviation = noise * LADDER[0] * views[0].cloud.diagonal();
            for (view, seed) in views.iter_mut().zip([2 * seed, 2 * seed + 1]) {
                add_noise(&mut view.cloud, deviation, seed);
            }
            (views, true)
        });
        let row = tell(&format!("noise of {noise} h₀"), row);
        assert!(row.right >= least);
    }
}

#[test]
#[ignore = "minutes"]
fn no_success_where_there_is_none() {
    let opposite = run(|seed| (two(&surfaces(&bumpy_ball(seed, 5)), 180.0, RESOLUTION, seed), false));
    assert_eq!(tell("opposite sides", opposite).sure, 0);
    let other = run(|seed| {
        let [a, _] = two(&surfaces(&bumpy_ball(seed, 5)), 35.0, RESOLUTION, seed);
        let [_, b] = two(&surfaces(&bumpy_ball(500 + seed, 5)), 35.0, RESOLUTION, seed);
        ([a, b], false)
    });
    assert_eq!(tell("two bodies", other).sure, 0);
}
