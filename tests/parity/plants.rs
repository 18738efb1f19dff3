//! Errors planted in shaders by rewriting their text: one for each place where a kernel stores a result.

use sinew::compute::{Access, Kernel, compose};

/// A kernel with an error in one of its stores.
pub struct Plant {
    /// The kernel with the error; its path is its own, so that it shares no pipeline with the right one.
    pub kernel: &'static Kernel,
    /// The kernel and the statement that stores.
    pub statement: String,
    /// What was done to the value: a function of [`WRONG`].
    pub wrong: &'static str,
}

/// What is done to a stored value: one hundredth more, one more of an integer, something instead of zero.
const WRONG: &str = "
fn plant_real(v: f32) -> f32 { return 1.01 * v; }
fn plant_one(v: f32) -> f32 { return v + 1.0; }
fn plant_x(v: vec2<f32>) -> vec2<f32> { return v * vec2<f32>(1.01, 1.0); }
fn plant_y(v: vec2<f32>) -> vec2<f32> { return v * vec2<f32>(1.0, 1.01); }
fn plant_xyz(v: vec4<f32>) -> vec4<f32> { return v * vec4<f32>(1.01, 1.01, 1.01, 1.0); }
fn plant_w(v: vec4<f32>) -> vec4<f32> { return v * vec4<f32>(1.0, 1.0, 1.0, 1.01); }
fn plant_zero(v: vec4<f32>) -> vec4<f32> { return v + vec4<f32>(1.0); }
fn plant_uint(v: u32) -> u32 { return v + 1u; }
fn plant_uint2(v: vec2<u32>) -> vec2<u32> { return v + vec2<u32>(1u); }
fn plant_uint4(v: vec4<u32>) -> vec4<u32> { return v + vec4<u32>(1u); }
";

/// All errors of a kernel.
pub fn plants(kernel: &'static Kernel) -> Vec<Plant> {
    let text = without_comments(&compose(kernel.name, kernel.source).unwrap());
    let mut plants = Vec::new();
    for binding in kernel.bindings.iter().filter(|b| matches!(b.access, Access::Write | Access::Atomic)) {
        let mut stores = plain_stores(&text, binding.name);
        stores.extend(atomic_stores(&text, binding.name));
        // What is only loaded must be declared as written all the same, if it is atomic.
        let is_loaded = text.contains(&format!("atomicLoad(&{}[", binding.name));
        assert!(is_loaded || !stores.is_empty(), "{}: no store to `{}` was found", kernel.path, binding.name);
        for store in stores {
            let value = &text[store.value.clone()];
            for wrong in errors(binding.element, value) {
                let planted = format!(
                    "{}{wrong}({value}){}{WRONG}",
                    &text[..store.value.start],
                    &text[store.value.end..]
                );
                let statement =
                    text[store.start..store.value.end].split_whitespace().collect::<Vec<_>>().join(" ");
                let number = plants.len();
                plants.push(Plant {
                    kernel: with_source(kernel, planted, number),
                    statement: format!("{}: {statement}", kernel.path),
                    wrong,
                });
            }
        }
    }
    plants
}

/// The functions of [`WRONG`] that spoil a value of an element. A `w` that is written as 0.0 is padding.
fn errors(element: &str, value: &str) -> Vec<&'static str> {
    let compact: String = value.split_whitespace().collect();
    match element {
        "real" if compact == "0.0" => vec!["plant_one"],
        "real" => vec!["plant_real"],
        "real2" => vec!["plant_x", "plant_y"],
        "real4" if ["vec4<f32>()", "vec4<f32>(0.0)"].contains(&compact.as_str()) => vec!["plant_zero"],
        "real4" if compact.starts_with("vec4<f32>(0.0,0.0,0.0,") => vec!["plant_zero"],
        "real4" if compact.ends_with(",0.0)") => vec!["plant_xyz"],
        "real4" => vec!["plant_xyz", "plant_w"],
        "uint" => vec!["plant_uint"],
        "uint2" => vec!["plant_uint2"],
        _ => vec!["plant_uint4"],
    }
}

fn with_source(kernel: &'static Kernel, source: String, number: usize) -> &'static Kernel {
    Box::leak(Box::new(Kernel {
        name: kernel.name,
        path: Box::leak(format!("{} planted {number}", kernel.path).into_boxed_str()),
        source: Box::leak(source.into_boxed_str()),
        grain: kernel.grain,
        bindings: kernel.bindings,
        lanes_f32: kernel.lanes_f32,
        twin_f32: kernel.twin_f32,
        twin_f64: kernel.twin_f64,
        disjoint: kernel.disjoint,
    }))
}

/// A statement that stores, and the expression that is stored, as ranges of the text.
#[derive(Debug)]
struct Store {
    start: usize,
    value: std::ops::Range<usize>,
}

/// `name[…] = value;`, also with `+=` and the like.
fn plain_stores(text: &str, name: &str) -> Vec<Store> {
    let mut stores = Vec::new();
    for (start, _) in text.match_indices(&format!("{name}[")) {
        if text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '&') {
            continue;
        }
        let after = closing(text, start + name.len());
        let Some(operator) = ["=", "+=", "-=", "*="].into_iter().find(|operator| {
            text[after..].trim_start().strip_prefix(operator).is_some_and(|rest| !rest.starts_with('='))
        }) else {
            continue;
        };
        let value = text.len() - text[after..].trim_start().len() + operator.len();
        stores.push(Store { start, value: value..value + text[value..].find(';').unwrap() });
    }
    stores
}

/// `atomicAdd(&name[…], value)` and the like.
fn atomic_stores(text: &str, name: &str) -> Vec<Store> {
    let mut stores = Vec::new();
    for (place, _) in text.match_indices(&format!("(&{name}[")) {
        let start = text[..place].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |before| before + 1);
        if &text[start..place] == "atomicLoad" {
            continue;
        }
        let value = closing(text, place + 2 + name.len()) + 1;
        stores.push(Store { start, value: value..closing(text, place) - 1 });
    }
    stores
}

/// Where the bracket that opens at a place has been closed.
fn closing(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (offset, c) in text[open..].char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset + c.len_utf8();
        }
    }
    panic!("a bracket is never closed: {}", &text[open..])
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned() + "\n";
    text.lines().map(code).collect()
}

#[test]
fn stores_are_found_and_loads_are_not() {
    let text = "let a = x[i]; x[i + y[2]] = a; if b { x[0] += f(a, 1); } xx[1] = 2; if x[1] == 3 { } atomicAdd(&x[i], g(2));";
    let found = |stores: Vec<Store>| -> Vec<String> {
        stores.iter().map(|s| format!("{}|{}", &text[s.start..s.value.end], &text[s.value.clone()])).collect()
    };
    assert_eq!(found(plain_stores(text, "x")), ["x[i + y[2]] = a| a", "x[0] += f(a, 1)| f(a, 1)"]);
    assert_eq!(found(atomic_stores(text, "x")), ["atomicAdd(&x[i], g(2)| g(2)"]);
}
