//! No room of the library imports another that imports it, by whatever way round.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// For each room, the rooms that it imports, and a file that does so.
type Imports = BTreeMap<String, BTreeMap<String, PathBuf>>;

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Without comments: a link of the documentation is no import.
fn code(text: &str) -> String {
    let before_comment = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(before_comment).collect::<Vec<_>>().join("\n")
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The first words of the paths that follow `crate::`, groups in braces included.
fn names_after_crate(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, root) in code.match_indices("crate::") {
        let rest = &code[at + root.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(word(rest).to_owned());
            continue;
        };
        let (mut depth, mut begins) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && !c.is_whitespace() => {
                    names.insert(word(&group[at..]).to_owned());
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// What `lib.rs` gives another name: items of the front door, and macros.
fn other_names(sources: &[(String, PathBuf, String)]) -> BTreeMap<String, String> {
    let mut rooms = BTreeMap::new();
    for (room, _, code) in sources {
        for (at, found) in code.match_indices("macro_rules! ") {
            rooms.insert(word(&code[at + found.len()..]).to_owned(), room.clone());
        }
    }
    let (_, _, front) = sources.iter().find(|(room, ..)| room == "lib").unwrap();
    for (at, found) in front.match_indices("pub use ") {
        let path = front[at + found.len()..].split(';').next().unwrap();
        for item in path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|item| !item.is_empty()) {
            rooms.entry(item.to_owned()).or_insert_with(|| word(path).to_owned());
        }
    }
    rooms
}

fn imports(sources: &[(String, PathBuf, String)]) -> Imports {
    let rooms: BTreeSet<&String> = sources.iter().map(|(room, ..)| room).collect();
    let other_names = other_names(sources);
    let mut imports = Imports::new();
    for (room, file, code) in sources.iter().filter(|(room, ..)| room != "lib") {
        for name in names_after_crate(code) {
            let of = if rooms.contains(&name) { Some(&name) } else { other_names.get(&name) };
            let of = of.unwrap_or_else(|| panic!("{}: which room is `crate::{name}`?", file.display()));
            if of != room {
                imports.entry(room.clone()).or_default().entry(of.clone()).or_insert_with(|| file.clone());
            }
        }
    }
    imports
}

/// The shortest way along imports from one room to another.
fn way(imports: &Imports, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_owned()]];
    let mut seen = BTreeSet::from([from.to_owned()]);
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in imports.get(way.last().unwrap()).into_iter().flat_map(BTreeMap::keys) {
                let extended = [way.clone(), vec![next.clone()]].concat();
                if next == to {
                    return Some(extended);
                }
                if seen.insert(next.clone()) {
                    longer.push(extended);
                }
            }
        }
        ways = longer;
    }
    None
}

/// The imports that close a circle, with the way back; where there are several, those of the shortest circles.
fn circles(imports: &Imports) -> Vec<String> {
    let mut found = Vec::new();
    for (room, others) in imports {
        for (other, file) in others {
            if let Some(back) = way(imports, other, room) {
                let back = back.windows(2).map(|pair| {
                    let file = &imports[&pair[0]][&pair[1]];
                    format!("{} imports {} ({})", pair[0], pair[1], file.display())
                });
                let back: Vec<String> = back.collect();
                let circle = format!("{room} imports {other} ({}), and {}", file.display(), back.join(", "));
                found.push((back.len(), circle));
            }
        }
    }
    let shortest = found.iter().map(|(length, _)| *length).min();
    found.into_iter().filter(|(length, _)| Some(*length) == shortest).map(|(_, circle)| circle).collect()
}

fn sources() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    let source = |file: PathBuf| {
        let within = file.strip_prefix(&root).unwrap().to_owned();
        let room = within.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let text = code(&fs::read_to_string(&file).unwrap());
        (room, within, text)
    };
    // The program is another crate, which imports the library by its name.
    files.into_iter().map(source).filter(|(room, ..)| room != "cli" && room != "main").collect()
}

#[test]
fn no_two_rooms_import_each_other() {
    let imports = imports(&sources());
    assert!(imports.len() > 15 && imports["solver"].contains_key("rods"), "{imports:?}");
    let circles = circles(&imports);
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn a_circle_of_imports_is_found_however_it_is_written() {
    let file = |room: &str, text: &str| (room.to_owned(), PathBuf::from(format!("{room}.rs")), code(text));
    let sources = [
        file("lib", "pub use viewer::{\n    Window,\n};"),
        file("scene", "use crate::{\n    math::{Vec3, Mat3},\n    viewer,\n};"),
        file("math", "// use crate::scene\nlet x = crate::shout!();"),
        file("shop", "macro_rules! shout { () => { crate::Window }; }"),
        file("viewer", "use crate::math::Vec3;"),
    ];
    let imports = imports(&sources);
    let found = circles(&imports);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].starts_with("math imports shop (math.rs), and shop imports viewer (shop.rs)"),
        "{found:?}"
    );
    assert!(!found.iter().any(|circle| circle.starts_with("scene")), "{found:?}");
}
