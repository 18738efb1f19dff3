//! A kernel built for a device, and bound to the buffers of a pass.

use super::adapter::Gpu;
use super::error::ComputeError;
use super::kernel::{Access, Kernel};
use super::passes::Pass;
use super::reflect::{LAUNCH, reflect};
use super::upload::LaunchUniform;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The kernels that a device has been asked for, by address.
pub(super) type Pipelines = Arc<Mutex<HashMap<usize, Arc<Pipeline>>>>;

impl Gpu {
    /// A kernel for this device, built when it is first asked for.
    pub(super) async fn pipeline(&self, kernel: &'static Kernel) -> Result<Arc<Pipeline>, ComputeError> {
        let key = std::ptr::from_ref(kernel) as usize;
        let known = || self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = known().get(&key) {
            return Ok(pipeline.clone());
        }
        let built = Arc::new(Pipeline::build(self, kernel).await?);
        // Somebody else may have built it meanwhile.
        Ok(known().entry(key).or_insert(built).clone())
    }

    /// Kernels that have been built for this device.
    pub fn pipeline_count(&self) -> usize {
        self.pipelines.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// A kernel built for a device.
pub(super) struct Pipeline {
    pub pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    pub workgroup_size: u32,
    /// The WGSL binding number of each declared buffer.
    indices: Vec<u32>,
    pub launch_index: Option<u32>,
}

impl Pipeline {
    async fn build(gpu: &Gpu, kernel: &'static Kernel) -> Result<Self, ComputeError> {
        let reflected = reflect(kernel)?;
        let entries: Vec<wgpu::BindGroupLayoutEntry> = reflected
            .bindings
            .iter()
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding: binding.index,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match binding.access {
                        Access::Uniform => wgpu::BufferBindingType::Uniform,
                        access => wgpu::BufferBindingType::Storage { read_only: access == Access::Read },
                    },
                    has_dynamic_offset: binding.name == LAUNCH,
                    min_binding_size: None,
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
            source: wgpu::ShaderSource::Wgsl(reflected.source.as_str().into()),
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
        if let Some(error) = scope.pop().await {
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
        })
    }

    /// Binds the buffers of a pass. Each pass finds its `launch` in `launches` by a dynamic offset.
    pub fn bind(
        &self,
        gpu: &Gpu,
        pass: &Pass,
        buffers: &[wgpu::Buffer],
        launches: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let declared = self.indices.iter().zip(&pass.buffers);
        let mut entries: Vec<wgpu::BindGroupEntry> = declared
            .map(|(&binding, id)| wgpu::BindGroupEntry {
                binding,
                resource: buffers[id.0].as_entire_binding(),
            })
            .collect();
        if let Some(binding) = self.launch_index {
            entries.push(wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: launches,
                    offset: 0,
                    size: std::num::NonZeroU64::new(size_of::<LaunchUniform>() as u64),
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
