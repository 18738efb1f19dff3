//! What passes and columns are on a device: the bytes of `launch`, and buffers.

use super::adapter::Gpu;
use super::columns::{ColumnId, Data, Role};
use super::error::ComputeError;
use super::passes::{Launch, Passes};
use super::reflect::LAUNCH;
use super::tables::Tables;
use wgpu::util::BufferInitDescriptor;

/// Bytes between two passes' `launch` uniforms: WebGPU's largest required alignment.
pub(super) const LAUNCH_STRIDE: u64 = 256;

/// `launch` as the shader sees it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct LaunchUniform {
    first: u32,
    count: u32,
    index: u32,
    flags: u32,
    base: u32,
    weight: f32,
    dt: f32,
    padding: u32,
}

impl From<Launch<f64>> for LaunchUniform {
    fn from(launch: Launch<f64>) -> Self {
        Self {
            first: launch.first,
            count: launch.count,
            index: launch.index,
            flags: launch.flags,
            base: launch.base,
            weight: launch.weight as f32,
            dt: launch.dt as f32,
            padding: 0,
        }
    }
}

impl LaunchUniform {
    pub fn words(self) -> [u32; 8] {
        bytemuck::cast(self)
    }
}

/// The bytes of a column as the device holds them.
pub(super) fn device_bytes(data: &Data) -> Vec<u8> {
    match data {
        Data::Reals(v) => v.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
        Data::Uints(v) => bytemuck::cast_slice(v).to_vec(),
    }
}

/// A column's buffer, with what the column holds at the start.
pub(super) fn upload(
    gpu: &Gpu,
    tables: &Tables,
    passes: &Passes,
    id: ColumnId,
) -> Result<wgpu::Buffer, ComputeError> {
    let limit = gpu.device.limits().max_storage_buffer_binding_size;
    let bytes = 4 * tables.initial(id).len() as u64;
    if bytes > limit {
        return Err(ComputeError::Buffer {
            buffer: tables.name(id).into(),
            problem: format!(
                "needs {} MiB and this adapter binds at most {} MiB; use a smaller scene or `--backend cpu`",
                bytes >> 20,
                limit >> 20
            ),
        });
    }
    let mut contents = device_bytes(tables.initial(id));
    // A binding may not be empty and a uniform is a multiple of 16 bytes.
    contents.resize(contents.len().max(16).next_multiple_of(16), 0);
    let kind = match tables.role(id) {
        Role::Uniform => wgpu::BufferUsages::UNIFORM,
        _ if passes.launches == Some(id) => {
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::INDIRECT
        }
        _ => wgpu::BufferUsages::STORAGE,
    };
    gpu.create_buffer_init(&BufferInitDescriptor {
        label: Some(tables.name(id)),
        contents: &contents,
        usage: kind | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
    })
}

/// The `launch` of every pass.
pub(super) fn upload_launches(gpu: &Gpu, passes: &Passes) -> Result<wgpu::Buffer, ComputeError> {
    let mut contents = vec![0u8; passes.list.len().max(1) * LAUNCH_STRIDE as usize];
    for (pass, place) in passes.list.iter().zip(contents.chunks_exact_mut(LAUNCH_STRIDE as usize)) {
        let uniform = LaunchUniform::from(pass.launch);
        place[..size_of::<LaunchUniform>()].copy_from_slice(bytemuck::bytes_of(&uniform));
    }
    gpu.create_buffer_init(&BufferInitDescriptor {
        label: Some(LAUNCH),
        contents: &contents,
        usage: wgpu::BufferUsages::UNIFORM,
    })
}
