//! A scene that is written and read again is the same scene.

use crate::schema::fault_of;
use sinew::scene::keys::describe::{Alternative, Description, Entry, Type};
use sinew::scene::keys::{End, Rule};
use sinew::scene::{Kinds, Scene, description};

/// Random scenes, made from the declarations of keys, so that a new key is among them.
struct Maker(u64);

impl Maker {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn number(&mut self, rule: &Rule) -> f64 {
        let part = (self.next(999) + 1) as f64 / 1000.0;
        let end = |end| match end {
            End::None => None,
            End::At(x) | End::Beyond(x) => Some(x),
        };
        let (low, high) = rule.ends();
        match (end(low), end(high).filter(|high| high.is_finite())) {
            (Some(low), Some(high)) => low + (high - low) * part,
            (Some(low), None) => low + 3.0 * part,
            _ => 2.0 * part - 1.0,
        }
    }

    fn value(&mut self, kind: &Type, rule: &Rule) -> String {
        match kind {
            Type::Number => format!("{:?}", self.number(rule)),
            Type::Whole => match rule.ends() {
                (End::At(low), _) => (low as u64 + self.next(3)).to_string(),
                _ => self.next(4).to_string(),
            },
            Type::Flag => (self.next(2) == 0).to_string(),
            Type::No => "false".into(),
            Type::Text => format!("\"{}\"", ["a \\\\ b", "ü", "\\\"q\\\"", "x"][self.next(4) as usize]),
            Type::Word(words) => format!("\"{}\"", words[self.next(words.len() as u64) as usize]),
            Type::Array(inner, length) => {
                let length = length.map_or_else(|| 1 + self.next(4), |n| n as u64);
                let entries: Vec<_> = (0..length).map(|_| self.value(inner, rule)).collect();
                format!("[{}]", entries.join(", "))
            }
            Type::Table(keys) => format!("{{ {} }}", self.entries(keys, &[]).join(", ")),
            Type::List(keys, _) => {
                let entries: Vec<_> =
                    (0..1 + self.next(2)).map(|_| self.entries(keys, &[]).join(", ")).collect();
                format!("[{{ {} }}]", entries.join(" }, { "))
            }
            Type::Either(kinds) => {
                let kind = &kinds[self.next(kinds.len() as u64) as usize];
                self.value(kind, rule)
            }
        }
    }

    /// Entries of a table: one of each group of alternatives, and some of the others.
    fn entries(&mut self, keys: &Description, without: &[&str]) -> Vec<String> {
        let mut chosen: Vec<&'static str> = Vec::new();
        for group in &keys.one_of {
            // Files are for other tests, and filling a shape takes long.
            let left_out =
                ["mesh", "surface", "lines", "graph", "group", "ball", "cylinder", "torus", "rabbit"];
            let possible: Vec<&Alternative> = group.iter().filter(|a| !left_out.contains(&a.key)).collect();
            let alternative = possible[self.next(possible.len() as u64) as usize];
            chosen.push(alternative.key);
            chosen.extend(&alternative.needs);
            chosen.extend(alternative.beside.iter().filter(|_| self.next(3) == 0));
        }
        let grouped = |name: &str| keys.one_of.iter().flatten().any(|alternative| alternative.has(name));
        let is_wanted = |maker: &mut Self, entry: &Entry| {
            chosen.contains(&entry.name) || entry.required || (!grouped(entry.name) && maker.next(8) == 0)
        };
        let mut lines = Vec::new();
        for entry in keys.entries.iter().filter(|entry| !without.contains(&entry.name)) {
            if is_wanted(self, entry) {
                lines.push(format!("{} = {}", entry.name, self.value(&entry.kind, &entry.rule)));
            }
        }
        lines
    }

    /// A scene with one body.
    fn scene(&mut self, file: &Description) -> String {
        let kinds = ["cloth", "points", "rod", "net", "solid", "rigid", "composite"];
        // Attachments name bodies, which a made scene has not; `errors` writes and reads some.
        let others =
            ["attach", "seam", "format", "start_from", "expect", "collider", "duration", "time_step"];
        let top = self.entries(file, &[&kinds[..], &others[..]].concat());
        let mut text = format!("format = 1\n{}\n", top.join("\n"));
        for kind in [kinds[self.next(7) as usize], "collider"] {
            let entry = file.entry(kind).expect("kinds are keys");
            let Type::List(keys, _) = &entry.kind else { panic!("kinds are lists") };
            // Cells of the default size would be millions in a body of metres.
            let (without, given): (&[&str], &str) = match kind {
                "composite" => (&["cell", "breaks"], "cell = [0.5, 0.6, 0.7]\nbreaks = \"no\"\n"),
                _ => (&[], ""),
            };
            text += &format!("[[{kind}]]\n{}\n{given}", self.entries(keys, without).join("\n"));
        }
        text
    }
}

#[test]
fn what_is_written_reads_back_as_the_same_scene() {
    let file = description(&Kinds::standard());
    let mut maker = Maker(7);
    let (mut valid, mut kinds) = (0, [0; 7]);
    for _ in 0..1500 {
        let text = maker.scene(&file);
        // Many of these fail a check of several keys together.
        let Ok(scene) = Scene::parse(&text, "made", "") else { continue };
        let written = scene.to_toml().unwrap();
        let again = Scene::parse(&written, "written", "");
        assert_eq!(again.as_ref(), Ok(&scene), "made from\n{text}\nwritten as\n{written}");
        assert_eq!(again.unwrap().to_toml().unwrap(), written);
        valid += 1;
        let counts = [
            scene.cloth.len(),
            scene.points.len(),
            scene.rod.len(),
            scene.net.len(),
            scene.solid.len(),
            scene.rigid.len(),
            scene.composite.len(),
        ];
        kinds.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    println!("{valid} scenes, {kinds:?} of each kind");
    assert!(valid > 100 && kinds.iter().all(|count| *count > 10), "only {valid}: {kinds:?}");
}

#[test]
fn every_built_in_scene_reads_back() {
    for built_in in sinew::scenes::BUILT_IN {
        let scene = Scene::parse(built_in.text, built_in.name, "").unwrap();
        let written = scene.to_toml().unwrap();
        assert_eq!(Scene::parse(&written, built_in.name, "").as_ref(), Ok(&scene), "{written}");
        assert_eq!(fault_of(&written), None, "{written}");
    }
}
