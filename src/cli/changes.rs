//! What differs between the scene that a run was started with and the scene that is to continue it.

use toml::{Table, Value};

/// Differences that a message spells out.
const MOST: usize = 8;

/// Keys that change neither motion nor pictures.
const FREE: [&str; 3] = ["duration", "expect", "title"];

/// The keys whose values differ, as `key: old → new`.
pub fn list(before: &str, now: &str) -> Vec<String> {
    let (Ok(before), Ok(now)) = (before.parse::<Table>(), now.parse::<Table>()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    compare("", &Value::Table(without_free(before)), &Value::Table(without_free(now)), &mut found);
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if more > 0 {
        found.push(format!("and {more} more"));
    }
    found
}

fn without_free(mut table: Table) -> Table {
    table.retain(|key, _| !FREE.contains(&key));
    table
}

fn compare(place: &str, before: &Value, now: &Value, found: &mut Vec<String>) {
    match (before, now) {
        (Value::Table(before), Value::Table(now)) => {
            for key in before.keys().chain(now.keys().filter(|key| !before.contains_key(*key))) {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                match (before.get(key), now.get(key)) {
                    (Some(before), Some(now)) => compare(&place, before, now, found),
                    (before, now) => found.push(said(&place, before, now)),
                }
            }
        }
        // Bodies, pins and the like. Arrays of numbers are values.
        (Value::Array(before), Value::Array(now)) if is_list_of_tables(before) && is_list_of_tables(now) => {
            for index in 0..before.len().max(now.len()) {
                let name = before.get(index).or(now.get(index)).and_then(|item| item.get("name")?.as_str());
                let place = match name {
                    Some(name) => format!("{place} `{name}`"),
                    None => format!("{place} {}", index + 1),
                };
                match (before.get(index), now.get(index)) {
                    (Some(before), Some(now)) => compare(&place, before, now, found),
                    (None, _) => found.push(format!("{place} is new")),
                    (_, None) => found.push(format!("{place} is gone")),
                }
            }
        }
        _ if before == now => {}
        _ => found.push(said(place, Some(before), Some(now))),
    }
}

fn is_list_of_tables(list: &[Value]) -> bool {
    list.iter().all(Value::is_table)
}

fn said(place: &str, before: Option<&Value>, now: Option<&Value>) -> String {
    let [before, now] = [before, now].map(|value| value.map_or("default".into(), shown));
    format!("{place}: {before} → {now}")
}

/// A value as a message shows it: short, and without control characters.
fn shown(value: &Value) -> String {
    const MOST_CHARACTERS: usize = 60;
    let text = serde_json::to_string(value).unwrap_or_default();
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named_by_body_and_key() {
        let before = "substeps = 4\nduration = 1\n[[cloth]]\nname = \"sheet\"\ndensity = 0.1\n[[cloth.pin]]\ncorners = [\"top_left\"]\n";
        assert_eq!(list(before, &before.replace("duration = 1", "duration = 2")), [""; 0]);
        let now = before.replace("0.1", "0.2").replace("substeps = 4\n", "") + "[[cloth.pin]]\nrelease = 1\n";
        assert_eq!(
            list(before, &now),
            ["cloth `sheet`.density: 0.1 → 0.2", "cloth `sheet`.pin 2 is new", "substeps: 4 → default"]
        );
    }

    #[test]
    fn long_lists_are_cut() {
        let text = |value: u32| (0..20).map(|k| format!("k{k:02} = {value}\n")).collect::<String>();
        let found = list(&text(1), &text(2));
        assert_eq!(found.len(), MOST + 1);
        assert_eq!(found[MOST], "and 12 more");
    }
}
