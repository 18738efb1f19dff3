//! Reads a kernel's bindings and workgroup size from its validated WGSL: nothing about a shader is written twice.

use super::compose::compose;
use super::error::ComputeError;
use super::kernel::{Access, Kernel};
use naga::{AddressSpace, ScalarKind, StorageAccess, TypeInner, VectorSize};

/// The uniform that every kernel may read its pass's parameters from.
pub(super) const LAUNCH: &str = "launch";

/// A global variable of a shader.
#[derive(Clone, Debug, PartialEq)]
pub struct ReflectedBinding {
    pub name: String,
    pub index: u32,
    pub access: Access,
    /// The element's name as in kernel declarations, or the struct's name for a uniform.
    pub element: String,
    /// Bytes of one element, or of the struct.
    pub size: u32,
    /// Offsets of a uniform struct's members, by name.
    pub members: Vec<(String, u32)>,
}

/// What a kernel's WGSL says about itself.
#[derive(Clone, Debug)]
pub struct Reflected {
    pub source: String,
    pub workgroup_size: u32,
    pub bindings: Vec<ReflectedBinding>,
}

/// Composes, parses and validates a kernel's shader with no optional capabilities, and checks it against the
/// twin's declaration.
pub fn reflect(kernel: &Kernel) -> Result<Reflected, ComputeError> {
    let shader_error = |message: String| ComputeError::Shader { kernel: kernel.name.into(), message };
    let source = compose(kernel.name, kernel.source)?;
    let path = format!("shaders/{}.wgsl", kernel.path);
    let module = naga::front::wgsl::parse_str(&source)
        .map_err(|error| shader_error(error.emit_to_string_with_path(&source, &path)))?;
    naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
        .validate(&module)
        .map_err(|error| shader_error(error.emit_to_string_with_path(&source, &path)))?;

    let [entry] = module.entry_points.as_slice() else {
        return Err(shader_error(format!("{path} must have exactly one entry point")));
    };
    if entry.name != kernel.name || entry.stage != naga::ShaderStage::Compute {
        return Err(shader_error(format!(
            "{path}: the entry point must be the compute function `{}`, found `{}`",
            kernel.name, entry.name
        )));
    }
    let [workgroup_size, 1, 1] = entry.workgroup_size else {
        return Err(shader_error(format!("{path}: the workgroup must be one-dimensional")));
    };

    let mut bindings = Vec::new();
    for (_, global) in module.global_variables.iter() {
        if let Some(place) = &global.binding {
            bindings.push(reflect_binding(kernel, &module, global, place.group, place.binding)?);
        }
    }
    check_against_twin(kernel, &bindings)?;
    Ok(Reflected { source, workgroup_size, bindings })
}

fn reflect_binding(
    kernel: &Kernel,
    module: &naga::Module,
    global: &naga::GlobalVariable,
    group: u32,
    index: u32,
) -> Result<ReflectedBinding, ComputeError> {
    let name = global.name.clone().unwrap_or_default();
    let error = |problem: &str| ComputeError::Binding {
        kernel: kernel.name.into(),
        binding: name.clone(),
        problem: problem.into(),
    };
    if group != 0 {
        return Err(error("must be in group 0"));
    }
    let ty = &module.types[global.ty];
    match (global.space, &ty.inner) {
        (AddressSpace::Uniform, TypeInner::Struct { members, span }) => Ok(ReflectedBinding {
            name,
            index,
            access: Access::Uniform,
            element: ty.name.clone().unwrap_or_default(),
            size: *span,
            members: members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect(),
        }),
        (AddressSpace::Storage { access }, TypeInner::Array { base, stride, .. }) => {
            let (element, atomic) = element_name(&module.types[*base].inner)
                .ok_or_else(|| error("must be an array of u32, f32 or their vectors of 2 or 4"))?;
            let access = match (atomic, access.contains(StorageAccess::STORE)) {
                (true, _) => Access::Atomic,
                (false, true) => Access::Write,
                (false, false) => Access::Read,
            };
            Ok(ReflectedBinding {
                name,
                index,
                access,
                element: element.into(),
                size: *stride,
                members: vec![],
            })
        }
        _ => Err(error("must be a storage array or a uniform struct")),
    }
}

/// The declaration's name for a WGSL element type, and whether it is atomic.
fn element_name(inner: &TypeInner) -> Option<(&'static str, bool)> {
    match *inner {
        TypeInner::Atomic(scalar) if scalar.kind == ScalarKind::Uint => Some(("uint", true)),
        TypeInner::Scalar(scalar) => match scalar.kind {
            ScalarKind::Float => Some(("real", false)),
            ScalarKind::Uint => Some(("uint", false)),
            _ => None,
        },
        TypeInner::Vector { size, scalar } => match (size, scalar.kind) {
            (VectorSize::Bi, ScalarKind::Float) => Some(("real2", false)),
            (VectorSize::Quad, ScalarKind::Float) => Some(("real4", false)),
            (VectorSize::Bi, ScalarKind::Uint) => Some(("uint2", false)),
            (VectorSize::Quad, ScalarKind::Uint) => Some(("uint4", false)),
            _ => None,
        },
        _ => None,
    }
}

fn check_against_twin(kernel: &Kernel, shader: &[ReflectedBinding]) -> Result<(), ComputeError> {
    let error = |binding: &str, problem: String| ComputeError::Binding {
        kernel: kernel.name.into(),
        binding: binding.into(),
        problem,
    };
    for declared in kernel.bindings {
        let Some(found) = shader.iter().find(|b| b.name == declared.name) else {
            return Err(error(declared.name, "the twin declares it but the shader does not".into()));
        };
        if found.access != declared.access || found.element != declared.element {
            return Err(error(
                declared.name,
                format!(
                    "the twin declares {:?} of `{}`, the shader {:?} of `{}`",
                    declared.access, declared.element, found.access, found.element
                ),
            ));
        }
    }
    for found in shader {
        if found.name != LAUNCH && !kernel.bindings.iter().any(|b| b.name == found.name) {
            return Err(error(&found.name, "the shader has it but the twin does not declare it".into()));
        }
    }
    Ok(())
}
