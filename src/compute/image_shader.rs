//! Shaders for images: [`rewrite`] turns arrays of a kernel's shader into textures of the same names. See [`super::image`].

use super::image::ROW;
use super::kernel::Access;
use super::reflect::{Reflected, ReflectedBinding};

/// The format of an element's texel, its name and number in WGSL, and how to get the element out of what `textureLoad`
/// returns and into what `textureStore` takes.
pub(super) struct Texel {
    pub format: wgpu::TextureFormat,
    name: &'static str,
    scalar: &'static str,
    part: &'static str,
    filled: &'static str,
}

/// The texel of an element; uniforms have none.
pub(super) fn texel(element: &str) -> Option<Texel> {
    use wgpu::TextureFormat as Format;
    let (format, name, scalar, part, filled) = match element {
        "real" => (Format::R32Float, "r32float", "f32", ".x", ", 0, 0, 0"),
        "real2" => (Format::Rg32Float, "rg32float", "f32", ".xy", ", 0, 0"),
        "real4" => (Format::Rgba32Float, "rgba32float", "f32", "", ""),
        "uint" => (Format::R32Uint, "r32uint", "u32", ".x", ", 0, 0, 0"),
        "uint2" => (Format::Rg32Uint, "rg32uint", "u32", ".xy", ", 0, 0"),
        "uint4" => (Format::Rgba32Uint, "rgba32uint", "u32", "", ""),
        _ => return None,
    };
    Some(Texel { format, name, scalar, part, filled })
}

/// Whether a binding can be an image: no atomic, only whole elements are written, and nobody asks how long the array is.
pub(super) fn is_possible(reflected: &Reflected, binding: &ReflectedBinding) -> bool {
    let name = &binding.name;
    let whole = match binding.access {
        Access::Read => true,
        Access::Write => places(&reflected.source, name).all(|after| part_use(after) != Use::Part),
        Access::Uniform => is_table(reflected, binding),
        Access::Atomic => false,
    };
    whole && texel(element(binding)).is_some() && !reflected.source.contains(&format!("&{name}"))
}

/// Whether a uniform is nothing but an array of vectors, of which each invocation may want another.
fn is_table(reflected: &Reflected, binding: &ReflectedBinding) -> bool {
    let [(member, 0)] = binding.members.as_slice() else { return false };
    let (name, entry) = (&binding.name, format!(".{member}["));
    reflected.source.contains(&format!("{member}: array<vec4<f32>,"))
        && after_name(&reflected.source, name)
            .all(|after| after.starts_with(&entry) || after.starts_with(':'))
}

/// The element of an array; tables have vectors.
fn element(binding: &ReflectedBinding) -> &str {
    if binding.access == Access::Uniform { "real4" } else { &binding.element }
}

/// The layout of a binding that is an image.
pub(super) fn binding_type(binding: &ReflectedBinding) -> wgpu::BindingType {
    let texel = texel(element(binding)).expect("only arrays of elements with texels are images");
    wgpu::BindingType::StorageTexture {
        access: match binding.access {
            Access::Write => wgpu::StorageTextureAccess::ReadWrite,
            _ => wgpu::StorageTextureAccess::ReadOnly,
        },
        format: texel.format,
        view_dimension: wgpu::TextureViewDimension::D2,
    }
}

/// The shader with some of its arrays, all of them [`is_possible`], turned into textures of the same names.
pub(super) fn rewrite(reflected: &Reflected, chosen: impl Fn(&ReflectedBinding) -> bool) -> String {
    let arrays: Vec<Array> = reflected
        .bindings
        .iter()
        .filter(|binding| chosen(binding))
        .filter_map(|binding| Some(Array { binding, texel: texel(element(binding))? }))
        .collect();
    let mut text = String::with_capacity(2 * reflected.source.len());
    rewrite_part(&reflected.source, &arrays, &mut text);
    text.push_str(&format!(
        "\nfn image_place(index: u32) -> vec2<u32> {{ return vec2<u32>(index % {ROW}u, index / {ROW}u); }}\n"
    ));
    text
}

struct Array<'a> {
    binding: &'a ReflectedBinding,
    texel: Texel,
}

impl Array<'_> {
    fn declaration(&self) -> String {
        let access = if self.binding.access == Access::Write { "read_write" } else { "read" };
        format!("var {}: texture_storage_2d<{}, {access}>", self.binding.name, self.texel.name)
    }

    /// The element at an index, both in rewritten WGSL.
    fn load(&self, index: &str) -> String {
        format!("textureLoad({}, image_place(u32({index}))){}", self.binding.name, self.texel.part)
    }

    fn store(&self, index: &str, value: &str) -> String {
        let Texel { scalar, filled, .. } = &self.texel;
        let name = &self.binding.name;
        format!("textureStore({name}, image_place(u32({index})), vec4<{scalar}>({value}{filled}))")
    }
}

/// What becomes of an element of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Read,
    /// Assigned, after an arithmetic operation or none. Begins so many bytes after the bracket.
    Whole {
        operator: Option<char>,
        value: usize,
    },
    /// A component is assigned.
    Part,
}

/// The use of an element whose index closes right before.
fn part_use(after: &str) -> Use {
    let start = after.len() - after.trim_start().len();
    let rest = &after[start..];
    let mut next = rest.chars();
    match (next.next(), next.next()) {
        (Some('='), Some('=')) => Use::Read,
        (Some('='), _) => Use::Whole { operator: None, value: start + 1 },
        (Some(operator @ ('+' | '-' | '*' | '/' | '%' | '|' | '&' | '^')), Some('=')) => {
            Use::Whole { operator: Some(operator), value: start + 2 }
        }
        (Some('.'), _) => {
            let after_name = rest[1..].trim_start_matches(is_name);
            if part_use(after_name) == Use::Read { Use::Read } else { Use::Part }
        }
        _ => Use::Read,
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What follows each mention of a name, comments apart.
fn after_name<'a>(source: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    source.match_indices(name).filter_map(move |(place, _)| {
        let (before, after) = (&source[..place], &source[place + name.len()..]);
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        let is_whole = !before.ends_with(is_name) && !after.starts_with(is_name);
        (is_whole && !line.contains("//")).then_some(after)
    })
}

/// What follows each index of an array.
fn places<'a>(source: &'a str, array: &'a str) -> impl Iterator<Item = &'a str> {
    let indexed = after_name(source, array).filter(|after| after.starts_with('['));
    indexed.map(|after| &after[closing(after) + 1..])
}

fn rewrite_part(source: &str, arrays: &[Array], text: &mut String) {
    let rewritten = |part: &str| {
        let mut text = String::new();
        rewrite_part(part, arrays, &mut text);
        text
    };
    let mut rest = source;
    while let Some(start) = rest.find(is_name) {
        let end = start + rest[start..].find(|c| !is_name(c)).unwrap_or(rest.len() - start);
        let (name, after) = (&rest[start..end], &rest[end..]);
        text.push_str(&rest[..start]);
        rest = after;
        let Some(array) = arrays.iter().find(|array| array.binding.name == name) else {
            text.push_str(name);
            continue;
        };
        let after = match array.binding.members.first() {
            Some((member, _)) => after.strip_prefix('.').and_then(|a| a.strip_prefix(member.as_str())),
            None => None,
        }
        .unwrap_or(after);
        if after.starts_with('[') {
            let close = closing(after);
            let index = rewritten(&after[1..close]);
            rest = &after[close + 1..];
            match part_use(rest) {
                Use::Whole { operator, value } => {
                    let end = rest.find(';').unwrap_or(rest.len());
                    let mut value = rewritten(&rest[value..end]);
                    if let Some(operator) = operator {
                        value = format!("{} {operator} ({value})", array.load(&index));
                    }
                    text.push_str(&array.store(&index, &value));
                    rest = &rest[end..];
                }
                Use::Read | Use::Part => text.push_str(&array.load(&index)),
            }
        } else if let Some(declaration) =
            DECLARATIONS.iter().find(|d| text.ends_with(*d) && after.starts_with(": "))
        {
            text.truncate(text.len() - declaration.len());
            text.push_str(&array.declaration());
            rest = &after[after.find(';').unwrap_or(after.len())..];
        } else {
            text.push_str(name);
        }
    }
    text.push_str(rest);
}

const DECLARATIONS: [&str; 3] = ["var<storage, read> ", "var<storage, read_write> ", "var<uniform> "];

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (place, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return place,
            ']' => depth -= 1,
            _ => {}
        }
    }
    // The shader has been parsed: its brackets match.
    text.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::reflect;

    fn reflected(source: &str) -> Reflected {
        let bindings = [
            ("ends", "uint2", Access::Read),
            ("xs", "real4", Access::Read),
            ("ys", "real4", Access::Write),
            ("zs", "real", Access::Write),
        ]
        .map(|(name, element, access)| ReflectedBinding {
            name: name.into(),
            index: 0,
            access,
            element: element.into(),
            size: 16,
            members: vec![],
        });
        Reflected { source: source.into(), workgroup_size: 64, bindings: bindings.into() }
    }

    #[test]
    fn nested_reads_declarations_and_arrays_that_stay_are_told_apart() {
        let source = "@group(0) @binding(0) var<storage, read> xs: array<vec4<f32>>;  // [m]\n\
                      ys[k] = xs[ends[k].y].w + maxs[1] + ys[k];";
        let text = rewrite(&reflected(source), |binding| binding.access == Access::Read);
        assert!(
            text.starts_with(
                "@group(0) @binding(0) var xs: texture_storage_2d<rgba32float, read>;  // [m]\n\
             ys[k] = textureLoad(xs, image_place(u32(textureLoad(ends, image_place(u32(k))).xy.y))).w \
             + maxs[1] + ys[k];"
            ),
            "{text}"
        );
    }

    #[test]
    fn assignments_become_stores() {
        let source = "var<storage, read_write> ys: array<vec4<f32>>; if ys[i].x == 0.0 { ys[i] = ys[i + 1u]; } zs[k] += zs[0];";
        let text = rewrite(&reflected(source), |binding| binding.access == Access::Write);
        assert!(
            text.starts_with(
                "var ys: texture_storage_2d<rgba32float, read_write>; \
                 if textureLoad(ys, image_place(u32(i))).x == 0.0 { \
                 textureStore(ys, image_place(u32(i)), vec4<f32>( textureLoad(ys, image_place(u32(i + 1u))))); } \
                 textureStore(zs, image_place(u32(k)), vec4<f32>(textureLoad(zs, image_place(u32(k))).x \
                 + ( textureLoad(zs, image_place(u32(0))).x), 0, 0, 0));"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_uniform_that_is_a_table_becomes_an_image() {
        let table = |source: &str| {
            let binding = ReflectedBinding {
                name: "table".into(),
                index: 0,
                access: Access::Uniform,
                element: "Table".into(),
                size: 64,
                members: vec![("rows".into(), 0)],
            };
            Reflected { source: source.into(), workgroup_size: 64, bindings: vec![binding] }
        };
        let head = "struct Table { rows: array<vec4<f32>, 4> }  // `table`\nvar<uniform> table: Table;";
        let reflected = table(&format!("{head} let a = table.rows[k >> 1u].x;"));
        assert!(is_possible(&reflected, &reflected.bindings[0]));
        let text = rewrite(&reflected, |_| true);
        let end = "var table: texture_storage_2d<rgba32float, read>; let a = textureLoad(table, image_place(u32(k >> 1u))).x;";
        assert!(text.contains(end), "{text}");
        let whole = table(&format!("{head} let all = table;"));
        assert!(!is_possible(&whole, &whole.bindings[0]));
    }

    #[test]
    fn an_array_of_which_parts_are_written_or_that_is_measured_stays() {
        let possible = |source: &str, name: &str| {
            let reflected = reflected(source);
            is_possible(&reflected, reflected.bindings.iter().find(|b| b.name == name).unwrap())
        };
        assert!(possible("ys[i] = xs[i]; let a = ys[i].x;", "ys"));
        assert!(!possible("ys[i].w = 1.0;", "ys"));
        assert!(!possible("ys[xs[i].w].xyz += v;", "ys"));
        assert!(possible("days[i].w = 1.0; if ys[i].w == 1.0 {}", "ys"));
        assert!(!possible("let n = arrayLength(&xs);", "xs"));
    }

    #[test]
    fn every_kernel_validates_with_images() {
        for kernel in crate::kernels() {
            let reflected = reflect(kernel).unwrap();
            let text = rewrite(&reflected, |binding| is_possible(&reflected, binding));
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&text)));
            naga::valid::Validator::new(
                naga::valid::ValidationFlags::all(),
                naga::valid::Capabilities::empty(),
            )
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}: {}", kernel.name, error.emit_to_string(&text)));
            let left = text.matches("<storage, read>").count();
            assert_eq!(left, text.matches("arrayLength(").count(), "{}", kernel.name);
        }
    }
}
