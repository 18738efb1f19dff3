//! The manual is made from the declarations of keys.

use sinew::scene::{Scene, fill_manual};

const MANUAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scene-format.md");

/// `SINEW_WRITE_MANUAL=1 cargo test --test scene_files manual` makes its tables anew.
#[test]
fn the_manual_shows_every_key_as_it_is_declared() {
    let text = std::fs::read_to_string(MANUAL).unwrap();
    let (new, missing) = fill_manual(&text).unwrap();
    if std::env::var_os("SINEW_WRITE_MANUAL").is_some() {
        std::fs::write(MANUAL, &new).unwrap();
    } else if let Some((n, (old, new))) =
        text.lines().zip(new.lines()).enumerate().find(|(_, (old, new))| old != new)
    {
        panic!(
            "docs/scene-format.md:{}: stale; run `SINEW_WRITE_MANUAL=1 cargo test --test scene_files manual`\n  is     {old}\n  should {new}",
            n + 1
        );
    }
    assert!(missing.is_empty(), "no table of the manual shows {missing:?}");
}

#[test]
fn a_stale_or_wrong_mark_is_noticed() {
    let (new, missing) = fill_manual("<!-- keys: wind -->\n| stale |\n<!-- end -->\nprose\n").unwrap();
    assert!(new.contains("| `density` | kg/m³ | `1.225` | ≥ 0 | density of the air |"), "{new}");
    assert!(new.contains("| `gust.period` | s | required | > 0 | time from gust to gust |"), "{new}");
    assert!(new.ends_with("<!-- end -->\nprose\n") && !new.contains("stale"));
    assert!(missing.contains("rod.radius") && !missing.contains("wind.gust.period"));
    assert!(fill_manual("<!-- keys: wnd -->\n<!-- end -->\n").unwrap_err().contains("`wnd`"));
    assert!(fill_manual("<!-- keys: wind -->\n").unwrap_err().contains("no `<!-- end -->`"));
    let error = fill_manual("<!-- keys: rod.pin rod.weight -->\n<!-- end -->\n").unwrap_err();
    assert!(error.contains("other keys"), "{error}");
}

#[test]
fn the_examples_of_the_manual_are_valid() {
    let manual = std::fs::read_to_string(MANUAL).unwrap();
    let mut examples = manual.split("```toml\n").skip(1);
    let example = |text: Option<&str>| text.unwrap().split("```").next().unwrap().to_owned();
    let whole = example(examples.next());
    Scene::parse(&whole, "manual", "").unwrap();
    Scene::parse(&format!("{whole}{}", example(examples.next())), "manual", "").unwrap();
    assert_eq!(examples.next(), None);
}
