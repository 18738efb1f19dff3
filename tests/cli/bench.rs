//! `sinew bench` as a user runs it. The numbers are those of a busy test machine and nobody looks at them; what is
//! tested is that they are there.

use serde_json::Value;
use std::process::{Command, Output};

/// The smallest row of the cloth grids.
const ROW: &str = "cloth-grid/coloured-10x1/64";
/// Particles along its side and the links of that grid: along, across, diagonal and second neighbours.
const SIDE: u64 = 64;
const LINKS: u64 = 2 * SIDE * (SIDE - 1) + 2 * (SIDE - 1) * (SIDE - 1) + 2 * SIDE * (SIDE - 2);

fn bench(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.arg("bench").args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The message of a run that has to fail.
fn refusal(arguments: &[&str]) -> String {
    let output = bench(arguments);
    assert!(!output.status.success(), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty(), "nothing is measured first: {}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn both_backends_are_measured_and_written_to_a_table_and_to_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.json");
    let output = bench(&["--quick", "--kernels", "--filter", ROW, "--json", path.to_str().unwrap()]);
    let table = text(&output.stdout);
    assert!(output.status.success(), "{table}\n{}", text(&output.stderr));
    println!("{table}");

    for backend in ["cpu", "gpu"] {
        let row = table.lines().find(|line| line.contains(&format!("64² {LINKS:>11} {backend}")));
        assert!(row.is_some_and(|row| !row.contains("failed")), "no row for {backend}:\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 110), "too wide:\n{table}");
    assert!(table.contains("target  5 ns: "), "{table}");

    let report: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    let machine = &report["machine"];
    assert!(machine["threads"].as_u64().unwrap() > 0);
    assert!(machine["copy_gigabytes_per_second"].as_f64().unwrap() > 0.0);
    assert!(machine["adapter"]["name"].is_string() && machine["adapter"]["software"].is_boolean());
    assert!(machine["adapter"]["driver"].is_string() && machine["adapter"]["api"].is_string());
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["backend"].as_str().unwrap()).collect::<Vec<_>>(), ["cpu", "gpu"]);
    for row in rows {
        assert_eq!((row["items"].as_u64(), row["rounds"].as_u64()), (Some(LINKS), Some(10)));
        assert!(row["failed"].is_null());
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {row}"));
        let expected = 1e6 * number("median_ms") / (10 * LINKS) as f64;
        assert!((number("ns_per_item") / expected - 1.0).abs() < 1e-9);
        assert!(number("best_ms") <= number("median_ms") && number("median_ms") <= number("p95_ms"));
        for key in ["gigabytes_per_second", "copy_share", "energy_drift", "simulated_seconds", "repetitions"]
        {
            assert!(number(key).is_finite());
        }
        let kernels = row["kernels"].as_array().unwrap();
        // Once a substep.
        let is_expected = |kernel: &Value| kernel["kernel"] == "predict" && kernel["passes_per_step"] == 10;
        assert!(kernels.iter().any(is_expected));
    }
}

#[test]
fn a_filter_that_matches_nothing_is_answered_with_the_groups() {
    let message = refusal(&["--filter", "gas"]);
    assert!(message.contains("no row's name contains `gas`"), "{message}");
    for group in ["cloth-grid", "cloth-bending", "volume", "wind", "colliders", "pins", "primitives"] {
        assert!(message.contains(group), "{group} is missing: {message}");
    }
}

#[test]
fn a_missing_folder_is_reported_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere").join("bench.json");
    let message = refusal(&["--filter", ROW, "--json", path.to_str().unwrap()]);
    assert!(message.contains("bench.json: cannot create"), "{message}");
}

#[test]
fn an_unknown_adapter_is_an_error_that_names_the_known_ones() {
    let message = refusal(&["--filter", ROW, "--adapter", "no such adapter"]);
    assert!(message.contains("no adapter whose name contains `no such adapter`"), "{message}");
}

#[test]
fn the_list_says_why_the_sizes_were_chosen() {
    let output = bench(&["--list", "--filter", "primitives/sort"]);
    let list = text(&output.stdout);
    assert!(output.status.success());
    assert!(list.starts_with("primitives/sort: 65536, 1000000\n    "), "{list}");
    assert_eq!(list.lines().count(), 2, "{list}");
}
