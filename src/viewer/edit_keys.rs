//! Sliders for bodies of any kind: the numbers that their table of the scene file has.
//!
//! A family that has no page of its own in the panel is changed through the text of its scene, so that a new family can
//! be changed in the window as soon as its keys can be read and written.

use super::edit::row;
use crate::scene::Scene;
use egui::{DragValue, Ui};

/// A key of a body's table and the line of the scene's text that has it.
#[derive(Debug, PartialEq)]
struct Number {
    line: usize,
    key: String,
    value: f64,
}

/// The numbers of the body of a name. Returns whether the scene changed.
pub fn body(ui: &mut Ui, scene: &mut Scene, name: &str) -> bool {
    // A scene that cannot be written, because a mesh in it was made in code, cannot be changed this way.
    let Ok(text) = scene.with_full_paths().to_toml() else { return false };
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

/// The plain numbers in a body's own table, without those of its pins.
fn numbers(text: &str, name: &str) -> Vec<Number> {
    let wanted = format!("name = \"{name}\"");
    let lines: Vec<&str> = text.lines().collect();
    let Some(named) = lines.iter().position(|line| *line == wanted) else { return Vec::new() };
    let is_header = |line: &&str| line.starts_with('[');
    let start = lines[..named].iter().rposition(is_header).map_or(0, |header| header + 1);
    let end = lines[named..].iter().position(is_header).map_or(lines.len(), |header| named + header);
    (start..end)
        .filter_map(|line| {
            let (key, value) = lines[line].split_once(" = ")?;
            Some(Number { line, key: key.to_owned(), value: value.parse().ok()? })
        })
        .collect()
}

fn replaced(text: &str, number: &Number, value: f64) -> String {
    let lines = text.lines().enumerate().map(|(index, line)| match index == number.line {
        true => format!("{} = {value:?}\n", number.key),
        false => format!("{line}\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "format = 1\n\n[[cloth]]\nname = \"a\"\ndensity = 0.3\n\n[[cloth]]\nname = \"b\"\n\
        grid = { size = [1, 1], cells = [4, 4] }\ndensity = 0.5\nfriction = 0.1\n\n[[cloth.pin]]\ncompliance = 0.1\n";

    #[test]
    fn numbers_are_those_of_one_body() {
        let found = numbers(TEXT, "b");
        let pairs: Vec<(&str, f64)> = found.iter().map(|n| (n.key.as_str(), n.value)).collect();
        assert_eq!(pairs, [("density", 0.5), ("friction", 0.1)]);
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
        let text = scene.to_toml().unwrap();
        let number = numbers(&text, "a").remove(0);
        scene = Scene::parse(&replaced(&text, &number, 0.7), "test", "").unwrap();
        assert_eq!(scene.cloth[0].density, 0.7);
    }
}
