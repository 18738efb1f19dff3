//! A JSON schema (draft 7) of scene files: editors complete and check keys by it.

use super::describe::{Alternative, Description, Entry, Type};
use super::rule::{End, Rule};
use serde_json::{Map, Value, json};

/// The schema of files with these keys.
pub fn schema(file: &Description) -> Value {
    let mut schema = table(file);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("A scene of sinew");
    schema
}

fn table(description: &Description) -> Value {
    let properties: Map<String, Value> =
        description.entries.iter().map(|e| (e.name.to_owned(), property(e))).collect();
    let required: Vec<_> = description.entries.iter().filter(|e| e.required).map(|e| e.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let groups = description.one_of.iter().map(|group| one_of(group));
    let optional = description.at_most_one.iter().map(|keys| at_most_one(keys));
    let groups: Vec<Value> = groups.chain(optional).collect();
    if !groups.is_empty() {
        schema["allOf"] = json!(groups);
    }
    schema
}

/// Exactly one of some keys, with those that it needs.
fn one_of(group: &[Alternative]) -> Value {
    let alternatives = group.iter().map(|alternative| {
        let keys: Vec<_> =
            std::iter::once(alternative.key).chain(alternative.needs.iter().copied()).collect();
        json!({ "required": keys })
    });
    json!({ "oneOf": alternatives.collect::<Vec<_>>() })
}

/// One of some keys, or none.
fn at_most_one(keys: &[&str]) -> Value {
    let each: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
    json!({ "oneOf": [{ "oneOf": each }, { "not": { "anyOf": each } }] })
}

fn property(entry: &Entry) -> Value {
    let mut schema = value(&entry.kind, &entry.rule);
    let unit = if entry.unit.is_empty() { String::new() } else { format!(" [{}]", entry.unit) };
    schema["description"] = json!(format!("{}{unit}", entry.doc));
    let default = entry.default.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(default) = default {
        schema["default"] = default;
    }
    schema
}

fn value(kind: &Type, rule: &Rule) -> Value {
    match kind {
        Type::Number => number(rule),
        Type::Whole => with_ends(json!({ "type": "integer" }), rule),
        Type::Flag => json!({ "type": "boolean" }),
        Type::No => json!({ "const": false }),
        Type::Text => json!({ "type": "string" }),
        Type::Word(words) => json!({ "type": "string", "enum": words }),
        Type::Array(inner, length) => {
            let mut schema = json!({ "type": "array", "items": value(inner, rule) });
            if let Some(length) = length {
                (schema["minItems"], schema["maxItems"]) = (json!(length), json!(length));
            }
            schema
        }
        Type::Table(description) => table(description),
        Type::List(description, limit) => {
            json!({ "type": "array", "items": table(description), "maxItems": limit })
        }
        Type::Either(kinds) => {
            json!({ "anyOf": kinds.iter().map(|kind| value(kind, rule)).collect::<Vec<_>>() })
        }
    }
}

/// A number, or the quotient of two as a string. JSON has no infinity: editors turn `inf` into null.
fn number(rule: &Rule) -> Value {
    let quotient = json!({ "type": "string", "pattern": r"^\s*[-+0-9.eE_]+\s*/\s*[-+0-9.eE_]+\s*$" });
    let mut kinds = vec![with_ends(json!({ "type": "number" }), rule), quotient];
    if rule.allows_infinity() {
        kinds.push(json!({ "type": "null" }));
    }
    json!({ "anyOf": kinds })
}

fn with_ends(mut schema: Value, rule: &Rule) -> Value {
    let (low, high) = rule.ends();
    match low {
        End::At(x) => schema["minimum"] = json!(x),
        End::Beyond(x) => schema["exclusiveMinimum"] = json!(x),
        End::None => {}
    }
    match high {
        End::At(x) => schema["maximum"] = json!(x),
        End::Beyond(x) if x.is_finite() => schema["exclusiveMaximum"] = json!(x),
        End::Beyond(_) | End::None => {}
    }
    schema
}
