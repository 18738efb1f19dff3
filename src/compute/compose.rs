//! Joins a kernel's WGSL with the shared snippets it imports.

use super::error::ComputeError;

macro_rules! common {
    ($($name:literal),* $(,)?) => {
        &[ $( ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/common/", $name, ".wgsl"))) ),* ]
    };
}

/// The snippets of `shaders/common`, by the name after `#import`.
const COMMON: &[(&str, &str)] = common![
    "air",
    "angle",
    "bar",
    "block3",
    "bond",
    "coil",
    "collider",
    "corners",
    "couples",
    "deformation",
    "dipole",
    "distance_law",
    "distance_materials",
    "elasticity",
    "factors",
    "field",
    "frame_turn",
    "green",
    "gyration",
    "hinge",
    "induction",
    "iterate",
    "jacobi_links",
    "launch",
    "ldl",
    "limited",
    "nearest",
    "net_joint",
    "quat",
    "reduce",
    "reduce_tree",
    "rigid",
    "ring_period",
    "rotation",
    "rows",
    "rows_load",
    "rows_store",
    "rows_times",
    "second_order",
    "sheet_law",
    "soft",
    "solid_laws",
    "spin",
    "springs",
    "strain",
    "stretch",
    "tet_deformed",
    "tet_held",
    "times",
    "touch",
    "touching",
    "track",
    "turn",
    "twist",
    "walk",
    "world",
];

/// The text of a snippet.
pub fn snippet(name: &str) -> Option<&'static str> {
    COMMON.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

const IMPORT: &str = "#import ";

/// A kernel's text followed by each snippet it imports, once, and theirs.
///
/// The kernel's own text stays first, so that an error in it is reported at its true line.
pub fn compose(kernel: &str, source: &str) -> Result<String, ComputeError> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut text = strip(source, &mut wanted);
    let mut next = 0;
    while next < wanted.len() {
        let name = wanted[next];
        let Some(snippet) = snippet(name) else {
            return Err(ComputeError::Shader {
                kernel: kernel.into(),
                message: format!("`#import {name}`: there is no shaders/common/{name}.wgsl"),
            });
        };
        text.push('\n');
        text.push_str(&strip(snippet, &mut wanted));
        next += 1;
    }
    Ok(text)
}

/// The text with its import lines turned into comments and their names added to `wanted`.
fn strip<'a>(source: &'a str, wanted: &mut Vec<&'a str>) -> String {
    let mut text = String::with_capacity(source.len());
    for line in source.lines() {
        if let Some(name) = line.strip_prefix(IMPORT) {
            let name = name.trim();
            if !wanted.contains(&name) {
                wanted.push(name);
            }
            text.push_str("// ");
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_snippet_is_added_once_and_lines_stay_put() {
        let text = compose("k", "#import launch\n#import launch\nfn k() {}\n").unwrap();
        assert_eq!(text.matches("struct Launch").count(), 1);
        assert_eq!(text.lines().nth(2), Some("fn k() {}"));
    }

    #[test]
    fn an_unknown_snippet_is_named() {
        let error = compose("k", "#import nothing\n").unwrap_err().to_string();
        assert!(error.contains("`k`") && error.contains("nothing"), "{error}");
    }

    #[test]
    fn every_file_in_shaders_common_can_be_imported() {
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/common")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(COMMON.iter().any(|(known, _)| *known == name), "{name} is not in COMMON");
        }
    }
}
