//! The JSON schema accepts what the reader accepts, and refuses misspelt keys, wrong types and values out of range.

use serde_json::{Value, json};
use sinew::scene::{Kinds, Scene, json_schema};

/// What is wrong with a value by the part of draft 7 that the schema uses.
fn fault(schema: &Value, value: &Value, at: &str) -> Option<String> {
    let all = |name: &str| schema[name].as_array().cloned().unwrap_or_default();
    let matching = |name: &str| all(name).iter().filter(|s| fault(s, value, at).is_none()).count();
    for (name, _) in schema.as_object()? {
        let known = [
            "type",
            "properties",
            "additionalProperties",
            "required",
            "allOf",
            "oneOf",
            "anyOf",
            "not",
            "enum",
            "const",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "items",
            "minItems",
            "maxItems",
            "pattern",
            "description",
            "default",
            "title",
            "$schema",
        ];
        assert!(known.contains(&name.as_str()), "this test does not know `{name}`");
    }
    let is_type = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    if schema["type"].as_str().is_some_and(|name| !is_type(name)) {
        return Some(format!("{at}: not of type {}", schema["type"]));
    }
    if schema.get("const").is_some_and(|c| c != value)
        || (!all("enum").is_empty() && !all("enum").contains(value))
    {
        return Some(format!("{at}: {value} is no choice"));
    }
    if let Some(x) = value.as_f64() {
        let end = |name: &str| schema[name].as_f64();
        if end("minimum").is_some_and(|e| x < e)
            || end("maximum").is_some_and(|e| x > e)
            || end("exclusiveMinimum").is_some_and(|e| x <= e)
            || end("exclusiveMaximum").is_some_and(|e| x >= e)
        {
            return Some(format!("{at}: {x} is out of range"));
        }
    }
    if let (Some(text), Some(_)) = (value.as_str(), schema["pattern"].as_str())
        && (!text.contains('/') || text.contains(|c: char| c.is_alphabetic() && c != 'e'))
    {
        return Some(format!("{at}: \"{text}\" is no quotient"));
    }
    if let Some(array) = value.as_array() {
        let length = array.len() as u64;
        if schema["minItems"].as_u64().is_some_and(|n| length < n)
            || schema["maxItems"].as_u64().is_some_and(|n| length > n)
        {
            return Some(format!("{at}: {length} entries"));
        }
        let inner =
            array.iter().enumerate().find_map(|(i, v)| fault(&schema["items"], v, &format!("{at}[{i}]")));
        if schema.get("items").is_some() && inner.is_some() {
            return inner;
        }
    }
    if let Some(table) = value.as_object() {
        for key in all("required") {
            if !table.contains_key(key.as_str().unwrap()) {
                return Some(format!("{at}: no {key}"));
            }
        }
        for (key, value) in table.iter().filter(|_| schema.get("properties").is_some()) {
            let Some(property) = schema["properties"].get(key) else {
                return Some(format!("{at}: unknown {key}"));
            };
            if let Some(fault) = fault(property, value, &format!("{at}.{key}")) {
                return Some(fault);
            }
        }
    }
    if let Some(fault) = all("allOf").iter().find_map(|s| fault(s, value, at)) {
        return Some(fault);
    }
    if schema.get("anyOf").is_some() && matching("anyOf") == 0 {
        return Some(format!("{at}: none of the forms"));
    }
    if schema.get("not").is_some_and(|s| fault(s, value, at).is_none()) {
        return Some(format!("{at}: what must not be"));
    }
    if schema.get("oneOf").is_some() && matching("oneOf") != 1 {
        return Some(format!("{at}: {} of the alternatives", matching("oneOf")));
    }
    None
}

/// As editors see a file: infinities are null.
fn as_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::Float(x) => json!(x),
        toml::Value::Array(list) => list.iter().map(as_json).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.iter().map(|(k, v)| (k.clone(), as_json(v))).collect())
        }
        toml::Value::Integer(i) => json!(i),
        toml::Value::Boolean(b) => json!(b),
        other => json!(other.as_str().unwrap_or_default()),
    }
}

pub fn fault_of(text: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(text).unwrap();
    fault(&json_schema(&Kinds::standard()), &as_json(&toml::Value::Table(table)), "")
}

#[test]
fn every_built_in_scene_fits_the_schema() {
    for built_in in sinew::scenes::BUILT_IN {
        assert_eq!(fault_of(built_in.text), None, "{}", built_in.name);
    }
}

#[test]
fn mistakes_do_not_fit() {
    let valid = "format = 1\ntime_step = \"1/60\"\n[[rod]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 8\nstart = \"clamped\"\n";
    assert_eq!(fault_of(valid), None);
    for (old, new) in [
        ("format = 1", "format = 2"),
        ("format = 1", ""),
        ("\"1/60\"", "\"soon\""),
        ("\"1/60\"", "0"),
        ("[[rod]]", "[[rods]]"),
        ("[[rod]]", "[rod]"),
        ("from", "form"),
        ("to = [1, 0, 0]\n", ""),
        ("segments = 8", "segments = 0"),
        ("segments = 8", "segments = 8.5"),
        ("segments = 8", "segments = 8\nhelix = { radius = 1, pitch = 1, turns = 1, segments = 9 }"),
        ("[1, 0, 0]", "[1, 0]"),
        ("\"clamped\"", "\"clmped\""),
        ("\"clamped\"", "{ hold = \"clamped\", wieght = 3 }"),
        ("start", "friction = -1\nstart"),
    ] {
        let text = valid.replacen(old, new, 1);
        assert!(fault_of(&text).is_some(), "the schema takes\n{text}");
        assert!(Scene::parse(&text, "test", "").is_err(), "the reader takes\n{text}");
    }
}

#[test]
fn a_side_of_an_attachment_has_at_most_one_way_to_say_where() {
    let text = |side: &str| {
        format!(
            "format = 1\n[[rod]]\nname = \"rope\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 8\n[[rod]]\nname = \"bar\"\n\
             from = [0, 1, 0]\nto = [1, 1, 0]\nsegments = 8\n[[attach]]\na = {{ body = \"rope\"{side} }}\nb = {{ body = \"bar\" }}\n"
        )
    };
    for side in [", indices = [0]", ", at = [0, 0, 0]"] {
        let text = text(side);
        assert_eq!(fault_of(&text), None, "{text}");
        Scene::parse(&text, "test", "").unwrap_or_else(|error| panic!("{error}"));
    }
    let both = ", indices = [0], box = { min = [0, 0, 0], max = [1, 1, 1] }";
    for side in [both, ", indices = [0], at = [0, 0, 0]"] {
        let text = text(side);
        assert!(fault_of(&text).is_some(), "the schema takes\n{text}");
        let read = Scene::parse(&text, "test", "").and_then(|scene| scene.validate().map(drop));
        assert!(read.is_err(), "the reader takes\n{text}");
    }
}

#[test]
fn keys_have_a_sentence_a_unit_and_a_default() {
    let schema = json_schema(&Kinds::standard());
    let density = &schema["properties"]["cloth"]["items"]["properties"]["density"];
    assert_eq!(density["description"], "mass per area [kg/m²]");
    assert_eq!(density["default"], 0.2);
    assert_eq!(density["anyOf"][0]["exclusiveMinimum"], 0.0);
    fn walk(schema: &Value, path: &str) {
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{key}");
            assert!(property["description"].as_str().is_some_and(|d| !d.is_empty()), "{path} says nothing");
            walk(property, &path);
            walk(&property["items"], &path);
            property["anyOf"].as_array().into_iter().flatten().for_each(|form| walk(form, &path));
        }
    }
    walk(&schema, "");
}
