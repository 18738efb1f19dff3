//! Tables of scalars that grow while a run goes and are continued after it stopped.

use std::{fs, io::Write};

use sinew::export::Series;

const COLUMNS: [&str; 3] = ["time [s]", "energy, \"total\" [J]", "α\nβ"];
const HEADER: &str = "time [s],\"energy, \"\"total\"\" [J]\",α β\n";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn rows_are_on_disk_as_soon_as_they_are_pushed() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    let mut series = Series::create(&path, &COLUMNS).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), HEADER);
    series.push(&[0.0, 1.0 / 3.0, 1e-20]).unwrap();
    series.push(&[0.1, f64::NAN, f64::NEG_INFINITY]).unwrap();
    let rows = "0,0.3333333333333333,1e-20\n0.1,NaN,-inf\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{HEADER}{rows}"));
}

#[test]
fn a_row_of_the_wrong_length_is_an_error_and_not_written() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    let mut series = Series::create(&path, &COLUMNS).unwrap();
    let error = series.push(&[0.0]).unwrap_err().to_string();
    assert!(error.contains("1 values for 3 columns"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), HEADER);
    assert!(Series::create(&path, &[]).is_err());
}

#[test]
fn a_resumed_table_drops_later_rows_and_half_lines() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    let mut series = Series::create(&path, &COLUMNS).unwrap();
    for k in 0..5 {
        series.push(&[0.1 * f64::from(k), 1.0, 2.0]).unwrap();
    }
    drop(series);
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"0.5,1").unwrap();

    let mut series = Series::resume(&path, &COLUMNS, 0.2).unwrap();
    series.push(&[0.25, 3.0, 4.0]).unwrap();
    let expected = format!("{HEADER}0,1,2\n0.1,1,2\n0.2,1,2\n0.25,3,4\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_table_with_other_columns_is_not_continued() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    fs::write(&path, "time,x\n0,1\n").unwrap();
    let error = Series::resume(&path, &COLUMNS, 1.0).unwrap_err();
    assert!(error.to_string().contains("other columns"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "time,x\n0,1\n");
}

#[test]
fn resuming_without_a_table_starts_one() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    Series::resume(&path, &COLUMNS, 1.0).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), HEADER);
}
