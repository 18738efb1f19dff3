//! A kernel built for a device, and bound to the buffers of a pass.

use super::adapter::Gpu;
use super::buffers::BufferId;
use super::error::ComputeError;
use super::image::Image;
use super::image_shader;
use super::kernel::{Access, Kernel};
use super::passes::Pass;
use super::reflect::{LAUNCH, ReflectedBinding, reflect};
use std::collections::HashMap;

/// A kernel built for a device.
pub(super) struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    pub workgroup_size: u32,
    /// The WGSL binding number of each declared buffer.
    indices: Vec<u32>,
    pub launch_index: Option<u32>,
    /// Which of the declared buffers are images.
    images: Vec<bool>,
}

impl Pipeline {
    /// Builds a kernel; of its declared buffers some are `images`.
    pub fn new(gpu: &Gpu, kernel: &'static Kernel, images: &[bool]) -> Result<Self, ComputeError> {
        let reflected = reflect(kernel)?;
        let is_image = |binding: &ReflectedBinding| {
            kernel.bindings.iter().zip(images).any(|(b, &image)| image && b.name == binding.name)
        };
        let source = match images.contains(&true) {
            true => image_shader::rewrite(&reflected, is_image),
            false => reflected.source.clone(),
        };
        let entries: Vec<wgpu::BindGroupLayoutEntry> = reflected
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.index,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: match binding.access {
                    _ if is_image(binding) => image_shader::binding_type(binding),
                    access => wgpu::BindingType::Buffer {
                        ty: match access {
                            Access::Uniform => wgpu::BufferBindingType::Uniform,
                            access => wgpu::BufferBindingType::Storage { read_only: access == Access::Read },
                        },
                        has_dynamic_offset: binding.name == LAUNCH,
                        min_binding_size: None,
                    },
                },
                count: None,
            })
            .collect();
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(kernel.name),
            entries: &entries,
        });
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(kernel.name),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(kernel.name),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel.name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(kernel.name),
            // Kernels set workgroup memory before they read it.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        if let Some(error) = pollster::block_on(scope.pop()) {
            // Objects of a lost device are invalid too; that is not the shader's fault.
            gpu.check()?;
            return Err(ComputeError::Shader { kernel: kernel.name.into(), message: error.to_string() });
        }
        let find = |name: &str| reflected.bindings.iter().find(|b| b.name == name);
        let declared = || {
            let found = kernel.bindings.iter().map(|b| find(b.name));
            found.map(|b| b.expect("reflect() checks that every declared binding exists"))
        };
        Ok(Self {
            pipeline,
            layout,
            workgroup_size: reflected.workgroup_size,
            indices: declared().map(|b| b.index).collect(),
            launch_index: find(LAUNCH).map(|b| b.index),
            images: images.to_vec(),
        })
    }

    /// Binds the buffers of a pass, or their images. Each pass takes its `launch_bytes` of `launches` by a dynamic offset.
    pub fn bind(
        &self,
        gpu: &Gpu,
        pass: &Pass,
        buffers: &[wgpu::Buffer],
        images: &HashMap<BufferId, Image>,
        launches: &wgpu::Buffer,
        launch_bytes: usize,
    ) -> wgpu::BindGroup {
        let declared = self.indices.iter().zip(&self.images).zip(&pass.buffers);
        let mut entries: Vec<wgpu::BindGroupEntry> = declared
            .map(|((&binding, image), id)| wgpu::BindGroupEntry {
                binding,
                resource: match image {
                    true => wgpu::BindingResource::TextureView(&images[id].view),
                    false => buffers[id.0].as_entire_binding(),
                },
            })
            .collect();
        if let Some(binding) = self.launch_index {
            entries.push(wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: launches,
                    offset: 0,
                    size: std::num::NonZeroU64::new(launch_bytes as u64),
                }),
            });
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(pass.kernel.name),
            layout: &self.layout,
            entries: &entries,
        })
    }
}
