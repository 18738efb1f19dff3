//! Every scene in the README and in docs/ runs, and is believed.

use crate::program::Place;
use std::fs;
use std::path::Path;

/// Blocks of TOML that are whole scenes, by the file they are in and their number.
fn scenes() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md")];
    files.extend(fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    files.retain(|path| path.extension().is_some_and(|e| e == "md"));
    files.sort();
    let mut scenes = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        for (number, block) in blocks.filter(|block| block.starts_with("format = ")).enumerate() {
            let stem = path.file_stem().unwrap().to_string_lossy();
            scenes.push((format!("{stem}_{number}"), block.to_owned()));
        }
    }
    scenes
}

#[test]
fn scenes_in_the_documentation_run() {
    let place = Place::new();
    let scenes = scenes();
    assert!(scenes.len() >= 5, "{} scenes", scenes.len());
    for (name, text) in scenes {
        place.write(&format!("{name}.toml"), text);
        let run = format!("run {name}.toml --seconds 0.5 --csv --backend cpu --save-every 0 --strict --json");
        let summary: serde_json::Value = serde_json::from_str(&place.succeed(&run).out).unwrap();
        let stretch = summary["max_stretch"].as_f64().unwrap();
        println!("{name}: stretch {stretch:.3}");
        assert!(stretch < MOST_STRETCH, "{name} stretches by {stretch}");
    }
}

/// Where a scene of the documentation stretches further, a reader asks what is wrong.
const MOST_STRETCH: f64 = 0.2;
