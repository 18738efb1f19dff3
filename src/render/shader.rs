//! Shaders joined from their snippets, and bind groups made by the names written in WGSL.

use crate::solids::law::held_wgsl;
use naga::valid;

/// A shader of shaders/render with its snippets and what it binds.
pub(super) struct Shader {
    pub name: &'static str,
    pub module: wgpu::ShaderModule,
    /// Binding number and name of every global the entry points use.
    bindings: Vec<(u32, String)>,
}

macro_rules! sources {
    ($folder:literal: $($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../shaders/", $folder, "/", $name, ".wgsl")))),*]
    };
}

const SOURCES: [(&str, &str); 39] = sources!["render":
    "backdrop",
    "bounds",
    "capsule",
    "collider",
    "colour_map",
    "fabric",
    "fit",
    "frame",
    "ground",
    "ground_draft",
    "ground_light",
    "ground_plane",
    "ground_sky",
    "key_shadow",
    "lights",
    "lit_mesh",
    "mesh",
    "shading",
    "shadow_capsule",
    "shadow_mesh",
    "sky",
    "sky_visibility",
    "stripe",
    "surface",
    "value_carry",
    "value_element",
    "value_error",
    "value_frame",
    "value_gather",
    "value_held",
    "value_joint",
    "value_range",
    "value_segment",
    "value_speed",
    "value_strain",
    "value_tet",
    "value_turn",
    "values",
    "view",
];

/// The text of a shader or of a snippet, which may be one that solvers use.
fn source(name: &str) -> &'static str {
    let found = SOURCES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    let found = found.or_else(|| crate::compute::snippet(name));
    found.unwrap_or_else(|| panic!("shaders/render/{name}.wgsl is not listed in SOURCES"))
}

/// The shader's text followed by the text of each imported snippet, once.
///
/// The imports follow so that messages about the shader keep its own line numbers.
fn compose(name: &str) -> String {
    let mut wanted = vec![name.to_owned()];
    let mut text = String::new();
    let mut done = 0;
    while done < wanted.len() {
        for line in source(&wanted[done]).lines() {
            match line.strip_prefix("#import ") {
                Some(import) => {
                    if !wanted.iter().any(|known| known == import.trim()) {
                        wanted.push(import.trim().to_owned());
                    }
                    text.push('\n');
                }
                None => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        done += 1;
    }
    if wanted.iter().any(|name| name == "tet_held") {
        text.push_str(&held_wgsl());
    }
    text
}

/// Parses and validates with no optional capability: what WebGPU itself promises is all that is used.
fn validate(name: &str, text: &str) -> (naga::Module, valid::ModuleInfo) {
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("shaders/render/{name}.wgsl: {}", error.emit_to_string(text)));
    let flags = valid::ValidationFlags::all();
    let mut validator = valid::Validator::new(flags, valid::Capabilities::empty());
    let info = validator
        .validate(&module)
        .unwrap_or_else(|error| panic!("shaders/render/{name}.wgsl: {}", error.emit_to_string(text)));
    (module, info)
}

impl Shader {
    pub fn new(device: &wgpu::Device, name: &'static str) -> Self {
        let text = compose(name);
        let (module, info) = validate(name, &text);
        let used = |handle: naga::Handle<naga::GlobalVariable>| {
            (0..module.entry_points.len()).any(|entry| !info.get_entry_point(entry)[handle].is_empty())
        };
        let globals = module.global_variables.iter().filter(|(handle, _)| used(*handle));
        let bindings =
            globals.filter_map(|(_, global)| Some((global.binding?.binding, global.name.clone()?))).collect();
        let descriptor =
            wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(text.into()) };
        Self { name, module: device.create_shader_module(descriptor), bindings }
    }

    pub fn binds_something(&self) -> bool {
        !self.bindings.is_empty()
    }

    /// Binds what the shader names; `resource` knows every name that occurs in shaders/render.
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        resource: impl Fn(&str) -> wgpu::BindingResource<'a>,
    ) -> wgpu::BindGroup {
        let bindings = self.bindings.iter();
        let entries: Vec<_> = bindings
            .map(|(binding, name)| wgpu::BindGroupEntry { binding: *binding, resource: resource(name) })
            .collect();
        let label = Some(self.name);
        device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries })
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::View;
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn every_shader_validates_with_no_optional_capabilities() {
        for (name, text) in SOURCES {
            if text.contains("@compute") || text.contains("@vertex") {
                let (module, _) = validate(name, &compose(name));
                assert!(!module.entry_points.is_empty(), "{name} has no entry point");
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/render");
        let files = std::fs::read_dir(folder).unwrap();
        assert_eq!(files.count(), SOURCES.len());
    }

    #[test]
    fn an_import_is_appended_once_and_keeps_line_numbers() {
        let text = compose("mesh");
        assert_eq!(text.matches("struct View {").count(), 1);
        let line = |text: &str| text.lines().position(|line| line.starts_with("fn vertex("));
        assert_eq!(line(&text), line(source("mesh")));
    }

    #[test]
    fn view_has_the_same_layout_in_rust_and_in_wgsl() {
        let (module, _) = validate("mesh", &compose("mesh"));
        let (_, view) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some("View")).unwrap();
        let naga::TypeInner::Struct { members, span } = &view.inner else { panic!("View is a struct") };
        macro_rules! offsets {
            ($($field:ident),* $(,)?) => { vec![$((stringify!($field), offset_of!(View, $field))),*] };
        }
        let expected = offsets![
            clip_from_world,
            eye,
            right,
            upward,
            forward,
            up,
            focus,
            key_direction,
            key_colour,
            sky_colour,
            bounce_colour,
            backdrop_low,
            backdrop_high,
            ground_colour,
            grid_colour,
            scalar_range,
            counts,
            sampling,
            maps,
        ];
        let found: Vec<_> = members.iter().map(|m| (m.name.as_deref().unwrap(), m.offset as usize)).collect();
        assert_eq!(found, expected);
        assert_eq!(*span as usize, size_of::<View>());
    }
}
