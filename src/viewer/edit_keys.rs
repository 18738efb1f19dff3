//! Sliders for bodies of any kind: the numbers that their table of the scene file has.
//!
//! A family that has no page of its own in the panel is changed through the text of its scene, so that a new family can
//! be changed in the window as soon as its keys can be read and written.

use super::edit::row;
use crate::scene::Scene;
use egui::{DragValue, Ui};
use std::ops::Range;

/// A number of a body's table and its place in the scene's text.
#[derive(Debug, PartialEq)]
struct Number {
    /// Its key, with those of the tables and the numbers of the lists that it is in: `fabric.limits.weft[1]`.
    key: String,
    place: Range<usize>,
    value: f64,
}

/// Numbers of one key beyond which it is a list of data and not a setting.
const MOST: usize = 12;

/// The numbers of the body of a name. Returns whether the scene changed.
pub fn body(ui: &mut Ui, scene: &mut Scene, name: &str) -> bool {
    // A scene that cannot be written, because a mesh in it was made in code, cannot be changed this way.
    let Ok(text) = scene.with_full_paths().to_whole_toml() else { return false };
    let mut changed = None;
    for number in numbers(&text, name) {
        let mut value = number.value;
        let speed = (0.01 * value.abs()).max(1e-9);
        row(ui, &number.key, |ui| ui.add(DragValue::new(&mut value).speed(speed).max_decimals(9)));
        if value != number.value {
            changed = Some((number, value));
        }
    }
    let Some((number, value)) = changed else { return false };
    // What the format refuses is not taken over: a drag ends at the border.
    match Scene::parse(&replaced(&text, &number, value), "scene", "") {
        Ok(new) => {
            *scene = new;
            true
        }
        Err(_) => false,
    }
}

/// The numbers in a body's own table, without those of its pins.
fn numbers(text: &str, name: &str) -> Vec<Number> {
    let wanted = format!("name = \"{name}\"");
    let (mut of_body, mut is_wanted, mut start) = (Vec::new(), false, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            if is_wanted {
                break;
            }
            of_body.clear();
        }
        is_wanted |= line.trim_end() == wanted;
        if let Some((key, _)) = line.split_once(" = ") {
            let mut of_key = Vec::new();
            scan(text, &mut (start + key.len() + 3), key.to_owned(), &mut of_key);
            of_body.extend(Some(of_key).filter(|found| found.len() <= MOST).into_iter().flatten());
        }
        start += line.len();
    }
    if is_wanted { of_body } else { Vec::new() }
}

/// Finds the numbers of the value that begins at a place of the text, which it moves behind the value.
fn scan(text: &str, at: &mut usize, key: String, found: &mut Vec<Number>) {
    let skip = |at: &mut usize, stop: fn(char) -> bool| {
        *at += text[*at..].find(stop).unwrap_or(text.len() - *at);
    };
    let is_separator = |c: char| c == ' ' || c == ',';
    match text[*at..].chars().next() {
        Some(open @ ('{' | '[')) => {
            *at += 1;
            for index in 0.. {
                skip(at, |c| c != ' ' && c != ',');
                if text[*at..].starts_with(['}', ']', '\n']) || *at >= text.len() {
                    *at = (*at + 1).min(text.len());
                    return;
                }
                let inner = if open == '[' {
                    format!("{key}[{index}]")
                } else {
                    let start = *at;
                    skip(at, |c| c == ' ');
                    let inner = format!("{key}.{}", &text[start..*at]);
                    *at = (*at + " = ".len()).min(text.len());
                    inner
                };
                scan(text, at, inner, found);
            }
        }
        Some('"') => {
            let mut is_escaped = false;
            let end = text[*at + 1..].find(|c| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            *at = end.map_or(text.len(), |end| *at + end + 2);
        }
        _ => {
            let start = *at;
            *at +=
                text[start..].find(|c| is_separator(c) || "]}\n".contains(c)).unwrap_or(text.len() - start);
            if let Ok(value) = text[start..*at].parse() {
                found.push(Number { key, place: start..*at, value });
            }
        }
    }
}

/// The text with another number in its place. A whole number stays one.
fn replaced(text: &str, number: &Number, value: f64) -> String {
    let old = &text[number.place.clone()];
    let new = if old.parse::<i64>().is_ok() { format!("{value:.0}") } else { format!("{value:?}") };
    format!("{}{new}{}", &text[..number.place.start], &text[number.place.end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ClothShape;

    const TEXT: &str = "format = 1\n\n[[cloth]]\nname = \"a\"\ndensity = 0.3\n\n[[cloth]]\nname = \"b\"\n\
        grid = { size = [1, 1], cells = [4, 4] }\ndensity = 0.5\nfriction = 0.1\n\n[[cloth.pin]]\ncompliance = 0.1\n";

    #[test]
    fn numbers_are_those_of_one_body() {
        let found = numbers(TEXT, "b");
        let pairs: Vec<(&str, f64)> = found.iter().map(|n| (n.key.as_str(), n.value)).collect();
        let grid =
            [("grid.size[0]", 1.0), ("grid.size[1]", 1.0), ("grid.cells[0]", 4.0), ("grid.cells[1]", 4.0)];
        assert_eq!(pairs[..4], grid);
        assert_eq!(pairs[4..], [("density", 0.5), ("friction", 0.1)]);
        assert!(numbers(TEXT, "c").is_empty());
    }

    #[test]
    fn a_changed_number_is_read_back() {
        let mut scene = Scene::parse(
            "format = 1\n[[cloth]]\nname = \"a\"\ngrid = { size = [1, 1], cells = [4, 4] }\ndensity = 0.3\n",
            "test",
            "",
        )
        .unwrap();
        for (key, value) in [("density", 0.7), ("friction", 0.2), ("grid.cells[1]", 6.2)] {
            let text = scene.to_whole_toml().unwrap();
            let number = numbers(&text, "a").into_iter().find(|number| number.key == key).unwrap();
            scene = Scene::parse(&replaced(&text, &number, value), "test", "").unwrap();
        }
        assert_eq!((scene.cloth[0].density, scene.cloth[0].friction), (0.7, 0.2));
        assert_eq!(scene.cloth[0].shape, ClothShape::Grid { size: [1.0, 1.0], cells: [4, 6] });
    }

    /// Otherwise a body of such a scene could not be changed.
    #[test]
    fn the_whole_text_of_every_built_in_scene_reads_back() {
        for built_in in crate::scenes::BUILT_IN {
            let scene = Scene::parse(built_in.text, built_in.name, "").unwrap();
            let text = scene.to_whole_toml().unwrap();
            let again = Scene::parse(&text, built_in.name, "");
            assert_eq!(again.as_ref(), Ok(&scene), "{}", built_in.name);
            for name in scene.cloth.iter().map(|cloth| &cloth.name) {
                assert!(
                    numbers(&text, name).iter().any(|number| number.key == "density"),
                    "{}",
                    built_in.name
                );
            }
        }
    }

    #[test]
    fn strings_and_long_lists_are_passed_over() {
        let text = "[[solid]]\nname = \"s\"\ndamping = { name = \"a \\\" = { 3\", a = [1, [2.5, -3e-2]], b = true }\n\
            points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]\nmass = 2";
        let found = numbers(text, "s");
        let pairs: Vec<(&str, f64)> = found.iter().map(|n| (n.key.as_str(), n.value)).collect();
        let nested = [("damping.a[0]", 1.0), ("damping.a[1][0]", 2.5), ("damping.a[1][1]", -0.03)];
        assert_eq!(pairs[..3], nested);
        assert_eq!(pairs[3..], [("mass", 2.0)]);
    }
}
