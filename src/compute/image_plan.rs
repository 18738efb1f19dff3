//! Which bindings of which passes are images, on devices that have them.

use super::adapter::Gpu;
use super::buffers::{BufferId, Buffers};
use super::error::ComputeError;
use super::image::Image;
use super::image_shader::is_possible;
use super::kernel::{Access, Grain, Kernel};
use super::passes::{Pass, Passes};
use super::reflect::{ReflectedBinding, reflect};
use std::collections::HashMap;

/// Calls with the rounds of their loops, and elements of a buffer that is written, below which buffers are as good: making images costs more.
const LONG: u32 = 1024;

/// What a device must allow for kernels to read and write images of any element.
pub(super) const IMAGES: wgpu::Features = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;

/// Which of the declared buffers are images, for every pass.
pub(super) struct ImagePlan {
    passes: Vec<Vec<bool>>,
}

impl ImagePlan {
    /// Buffers everywhere.
    pub fn none(passes: &Passes) -> Self {
        let none = |pass: &Pass| vec![false; pass.buffers.len()];
        Self { passes: passes.list.iter().map(none).collect() }
    }

    /// Images of what long passes use. A buffer that is written lives in its image only if all that write it can do so
    /// there: else it would travel back and forth.
    pub fn new(gpu: &Gpu, buffers: &Buffers, passes: &Passes) -> Result<Self, ComputeError> {
        let mut possible: HashMap<&'static str, Vec<bool>> = HashMap::new();
        for pass in &passes.list {
            if !possible.contains_key(pass.kernel.path) {
                possible.insert(pass.kernel.path, possible_images(gpu, pass.kernel)?);
            }
        }
        let mut used = vec![false; buffers.ids().count()];
        let (mut written, mut held) = (used.clone(), used.clone());
        for pass in &passes.list {
            for (id, access, possible) in bound(pass, &possible[pass.kernel.path]) {
                used[id.0] |= is_long(pass);
                if matches!(access, Access::Write | Access::Atomic) {
                    written[id.0] |= access == Access::Write;
                    held[id.0] |= !possible;
                }
            }
            if let Some(dispatch) = pass.dispatch {
                held[dispatch.buffer.0] = true;
            }
        }
        for id in buffers.ids() {
            let long = buffers.len(id) >= LONG as usize && Image::fits(buffers.len(id));
            written[id.0] &= used[id.0] && !held[id.0] && long;
        }
        let chosen = |pass: &Pass| {
            let choose = |(id, access, possible): (BufferId, Access, bool)| {
                let reads = matches!(access, Access::Read | Access::Uniform);
                possible && (written[id.0] || reads && is_long(pass) && Image::fits(buffers.len(id)))
            };
            bound(pass, &possible[pass.kernel.path]).map(choose).collect()
        };
        Ok(Self { passes: passes.list.iter().map(chosen).collect() })
    }

    /// Which of a pass's declared buffers are images.
    pub fn of(&self, pass: usize) -> &[bool] {
        &self.passes[pass]
    }
}

/// Whether a pass is worth images.
fn is_long(pass: &Pass) -> bool {
    u64::from(pass.calls) * u64::from(pass.walk.max(1)) >= u64::from(LONG)
}

fn bound<'a>(pass: &'a Pass, possible: &'a [bool]) -> impl Iterator<Item = (BufferId, Access, bool)> + 'a {
    let declared = pass.kernel.bindings.iter().zip(possible);
    pass.buffers.iter().zip(declared).map(|(&id, (binding, &possible))| (id, binding.access, possible))
}

/// Which of a kernel's declared buffers can be images on a device.
fn possible_images(gpu: &Gpu, kernel: &Kernel) -> Result<Vec<bool>, ComputeError> {
    let reflected = reflect(kernel)?;
    let fits = gpu.device.features().contains(IMAGES)
        && kernel.bindings.len() <= gpu.device.limits().max_storage_textures_per_shader_stage as usize;
    let is_image = |name: &str| {
        let binding = reflected.bindings.iter().find(|binding| binding.name == name);
        // Invocations of a workgroup see what others have written to buffers; of images nobody promises it.
        let alone = |b: &ReflectedBinding| b.access != Access::Write || kernel.grain != Grain::Workgroup;
        fits && binding.is_some_and(|b| is_possible(&reflected, b) && alone(b))
    };
    Ok(kernel.bindings.iter().map(|binding| is_image(binding.name)).collect())
}
