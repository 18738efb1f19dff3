//! What can be known about every kernel without an adapter: it validates, its twin matches its shader, and its
//! pipeline builds.

use sinew::compute::{Data, Element, Gpu, GpuExecutor, Launch, Passes, Role, Tables, reflect};
use sinew::particles::World;
use std::collections::BTreeSet;
use std::path::Path;

fn shader_paths(folder: &Path, found: &mut BTreeSet<String>) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders"));
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            shader_paths(&path, found);
        } else {
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            found.insert(relative.to_str().unwrap().replace('\\', "/"));
        }
    }
}

#[test]
fn every_shader_file_is_a_kernel_and_every_kernel_has_its_twin_in_the_mirrored_folder() {
    let mut files = BTreeSet::new();
    shader_paths(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders")), &mut files);
    files.retain(|path| !path.starts_with("common/") && !path.starts_with("render/"));
    let kernels: BTreeSet<String> = sinew::kernels().map(|kernel| kernel.path.to_string()).collect();
    assert_eq!(files, kernels);
    for kernel in sinew::kernels() {
        let twin = format!("{}/src/{}.rs", env!("CARGO_MANIFEST_DIR"), kernel.path);
        assert!(Path::new(&twin).exists(), "{twin} is missing");
        assert!(kernel.path.ends_with(kernel.name), "{} is not named after its file", kernel.name);
    }
}

#[test]
fn every_shader_validates_without_optional_capabilities_and_matches_its_twin() {
    for kernel in sinew::kernels() {
        let reflected = reflect(kernel).unwrap_or_else(|error| panic!("{error}"));
        let storage = reflected.bindings.iter().filter(|b| b.members.is_empty()).count();
        assert!(storage <= 8, "{} binds {storage} storage buffers", kernel.name);
        assert!(reflected.workgroup_size <= 256, "{}", kernel.name);
    }
}

#[test]
fn every_pipeline_builds_on_the_noop_device() {
    for kernel in sinew::kernels() {
        let mut buffers = Tables::new();
        for binding in kernel.bindings {
            let (element, role, data) = match binding.element {
                "real" => (Element::Real, Role::State, Data::Reals(vec![0.0; 4])),
                "real2" => (Element::Real2, Role::State, Data::Reals(vec![0.0; 4])),
                "real4" => (Element::Real4, Role::State, Data::Reals(vec![0.0; 4])),
                "uint" => (Element::Uint, Role::State, Data::Uints(vec![0; 4])),
                "uint2" => (Element::Uint2, Role::State, Data::Uints(vec![0; 4])),
                "uint4" => (Element::Uint4, Role::State, Data::Uints(vec![0; 4])),
                _ => (Element::Real, Role::Uniform, Data::Reals(vec![0.0; 64])),
            };
            buffers.add(binding.name, element, role, data).unwrap();
        }
        let mut passes = Passes::new();
        passes.run(&buffers, kernel, Launch::over(1)).unwrap_or_else(|error| panic!("{error}"));
        GpuExecutor::new(&Gpu::noop(), &buffers, &passes).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The offsets of a uniform's members as Rust lays them out in f32.
macro_rules! offsets {
    ($type:ty: $($field:ident),*) => {
        vec![$((stringify!($field).to_string(), std::mem::offset_of!($type, $field) as u32)),*]
    };
}

#[test]
fn world_has_the_same_layout_in_rust_and_in_wgsl() {
    let expected =
        offsets!(World<f32>: gravity, wind, keep, relaxation, start, gust_amplitude, gust_frequency);
    let reflected = reflect(&sinew::particles::predict::KERNEL).unwrap();
    let world = reflected.bindings.iter().find(|b| b.name == "world").unwrap();
    assert_eq!(world.members, expected);
    assert!(size_of::<World<f32>>() <= world.size as usize);
}
