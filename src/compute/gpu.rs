//! Runs the passes on a device: recorded many at a time, with pipelines and bind groups made once.

use super::Executor;
use super::adapter::Gpu;
use super::buffers::{BufferId, Buffers, Data, Element, Role};
use super::compare::written;
use super::error::ComputeError;
use super::image::{Image, Side};
use super::image_plan::ImagePlan;
use super::kernel::Grain;
use super::passes::{Dispatch, LAUNCH_ROW, Launch, Pass, Passes, Run};
use super::pipeline::Pipeline;
use super::reflect::LAUNCH;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};
use wgpu::util::BufferInitDescriptor;

/// Bytes between two passes' `launch` uniforms: WebGPU's largest required alignment.
const LAUNCH_STRIDE: u64 = 256;
/// Some systems reset a device that is busy for two seconds; one submission stays far below.
const SUBMIT_SECONDS: f64 = 0.1;
/// Dispatches in the first submission, before anything has been measured.
const FIRST_SUBMIT: f64 = 256.0;

/// Rounds of loops after which Mesa's software driver ends an invocation's loops, without a word.
const SOFTWARE_WALK: u32 = 65_535;

/// `launch` as the shader sees it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct LaunchUniform {
    first: u32,
    count: u32,
    index: u32,
    flags: u32,
    base: u32,
    weight: f32,
    padding: [u32; 2],
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
            padding: [0; 2],
        }
    }
}

struct Recorded {
    pipeline: usize,
    /// The buffers the pass uses, and where.
    uses: Vec<(BufferId, Side)>,
    /// Those it writes.
    writes: Vec<(BufferId, Side)>,
    group: wgpu::BindGroup,
    offset: Option<u32>,
    groups: [u32; 2],
    dispatch: Option<Dispatch>,
}

/// The GPU backend. The state stays on the device; only `read` brings it back.
pub struct GpuExecutor {
    gpu: Gpu,
    names: Vec<String>,
    reals: Vec<bool>,
    lengths: Vec<usize>,
    buffers: Vec<wgpu::Buffer>,
    /// The images that some pass uses, by buffer.
    images: HashMap<BufferId, Image>,
    /// Buffers that others look at between steps.
    shown: BTreeSet<BufferId>,
    pipelines: Vec<Pipeline>,
    passes: Vec<Recorded>,
    staging: Option<wgpu::Buffer>,
    dispatches_per_submit: f64,
}

impl GpuExecutor {
    /// Uploads the buffers and builds every pipeline and bind group the passes need.
    ///
    /// Software adapters keep buffers in images, which they read several times faster.
    pub fn new(gpu: &Gpu, buffers: &Buffers, passes: &Passes) -> Result<Self, ComputeError> {
        Self::with_images(gpu, buffers, passes, gpu.report.is_software())
    }

    /// As [`GpuExecutor::new`], with or without images of the buffers that long passes use. Results do not depend on
    /// it.
    pub fn with_images(
        gpu: &Gpu,
        buffers: &Buffers,
        passes: &Passes,
        images: bool,
    ) -> Result<Self, ComputeError> {
        if gpu.report.is_software()
            && let Some(pass) = passes.list.iter().find(|pass| pass.walk > SOFTWARE_WALK)
        {
            let kernel = pass.kernel.name.into();
            return Err(ComputeError::LongWalk { kernel, walk: pass.walk, most: SOFTWARE_WALK });
        }
        let device_buffers = upload(gpu, buffers, passes)?;
        let launches = upload_launches(gpu, passes)?;
        let plan = match images {
            true => ImagePlan::new(gpu, buffers, passes)?,
            false => ImagePlan::none(passes),
        };
        let mut device_images: HashMap<BufferId, Image> = HashMap::new();
        let mut pipelines: Vec<Pipeline> = Vec::new();
        let mut by_kernel: HashMap<(&'static str, &[bool]), usize> = HashMap::new();
        let mut recorded = Vec::with_capacity(passes.list.len());
        let mut groups: HashMap<(usize, Vec<BufferId>), wgpu::BindGroup> = HashMap::new();
        for (number, pass) in passes.list.iter().enumerate() {
            let images = plan.of(number);
            let index = match by_kernel.get(&(pass.kernel.path, images)) {
                Some(&index) => index,
                None => {
                    pipelines.push(Pipeline::new(gpu, pass.kernel, images)?);
                    by_kernel.insert((pass.kernel.path, images), pipelines.len() - 1);
                    pipelines.len() - 1
                }
            };
            let pipeline = &pipelines[index];
            let side = |image| if image { Side::Image } else { Side::Buffer };
            let uses: Vec<(BufferId, Side)> =
                pass.buffers.iter().zip(images).map(|(&id, &image)| (id, side(image))).collect();
            for &(id, _) in uses.iter().filter(|(_, side)| *side == Side::Image) {
                device_images.entry(id).or_insert_with(|| {
                    let (element, len) = match buffers.role(id) {
                        // A table of vectors.
                        Role::Uniform => (Element::Real4, buffers.initial(id).len() / 4),
                        _ => (buffers.element(id), buffers.len(id)),
                    };
                    Image::new(&gpu.device, buffers.name(id), element, len)
                });
            }
            let written: Vec<BufferId> = written(pass).collect();
            let group = groups
                .entry((index, pass.buffers.clone()))
                .or_insert_with(|| {
                    let bytes = size_of::<LaunchUniform>();
                    pipeline.bind(gpu, pass, &device_buffers, &device_images, &launches, bytes)
                })
                .clone();
            recorded.push(Recorded {
                pipeline: index,
                writes: uses.iter().copied().filter(|(id, _)| written.contains(id)).collect(),
                uses,
                group,
                offset: pipeline.launch_index.map(|_| number as u32 * LAUNCH_STRIDE as u32),
                groups: workgroups(pass, pipeline.workgroup_size),
                dispatch: pass.dispatch,
            });
        }
        gpu.check()?;
        Ok(Self {
            gpu: gpu.clone(),
            names: buffers.ids().map(|id| buffers.name(id).into()).collect(),
            reals: buffers.ids().map(|id| buffers.element(id).is_real()).collect(),
            lengths: buffers.ids().map(|id| buffers.initial(id).len()).collect(),
            buffers: device_buffers,
            images: device_images,
            shown: BTreeSet::new(),
            pipelines,
            passes: recorded,
            staging: None,
            dispatches_per_submit: FIRST_SUBMIT,
        })
    }

    /// The device this runs on.
    pub fn device(&self) -> &Gpu {
        &self.gpu
    }

    /// A buffer on the device, for drawing straight from it. From now on it is complete after every execution.
    pub fn buffer(&mut self, id: BufferId) -> &wgpu::Buffer {
        self.shown.insert(id);
        self.complete_buffers(&[id]);
        &self.buffers[id.0]
    }

    /// Keeps a copy of a buffer as it is now, on the device. A copy that there is already is overwritten.
    pub fn copy(&mut self, id: BufferId, into: &mut Option<wgpu::Buffer>) {
        self.complete_buffers(&[id]);
        let source = &self.buffers[id.0];
        let copy = into.get_or_insert_with(|| {
            self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("copy"),
                size: source.size(),
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_DST
                    | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(source, 0, copy, 0, source.size());
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// The vectors of such a copy.
    pub fn read_copy(&mut self, copy: &wgpu::Buffer) -> Result<Vec<[f32; 4]>, ComputeError> {
        let bytes = self.read_bytes(copy, copy.size() as usize)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    /// Submits copies of what kernels have written to images of buffers.
    fn complete_buffers(&mut self, ids: &[BufferId]) {
        let mut encoder = None;
        for id in ids {
            if let Some(image) = self.images.get_mut(id).filter(|image| image.is_behind(Side::Buffer)) {
                let encoder = encoder
                    .get_or_insert_with(|| self.gpu.device.create_command_encoder(&Default::default()));
                image.refresh(encoder, &self.buffers[id.0], Side::Buffer);
            }
        }
        if let Some(encoder) = encoder {
            self.gpu.queue.submit([encoder.finish()]);
        }
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>, index: usize, bound: &mut Option<usize>) {
        let recorded = &self.passes[index];
        if *bound != Some(recorded.pipeline) {
            pass.set_pipeline(&self.pipelines[recorded.pipeline].pipeline);
            *bound = Some(recorded.pipeline);
        }
        pass.set_bind_group(0, &recorded.group, recorded.offset.as_slice());
        match recorded.dispatch {
            Some(Dispatch { buffer, entry }) => {
                pass.dispatch_workgroups_indirect(&self.buffers[buffer.0], 16 * u64::from(entry));
            }
            None => pass.dispatch_workgroups(recorded.groups[0], recorded.groups[1], 1),
        }
    }

    /// Records the copies between buffers and images that a pass needs, then notes what it writes.
    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, index: usize) {
        for &(id, side) in &self.passes[index].uses {
            if let Some(image) = self.images.get_mut(&id) {
                image.refresh(encoder, &self.buffers[id.0], side);
            }
        }
        for &(id, side) in &self.passes[index].writes {
            if let Some(image) = self.images.get_mut(&id) {
                image.note_write(side);
            }
        }
    }

    /// Whether a pass needs copies.
    fn uses_what_is_behind(&self, index: usize) -> bool {
        let uses = &self.passes[index].uses;
        uses.iter().any(|&(id, side)| self.images.get(&id).is_some_and(|image| image.is_behind(side)))
    }

    /// Records passes and submits them: one compute pass as long as nothing has to be copied in between.
    fn submit(&mut self, indices: &[usize]) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut rest = indices;
        while !rest.is_empty() {
            let mut count = 0;
            while count < rest.len() && (count == 0 || !self.uses_what_is_behind(rest[count])) {
                self.prepare(&mut encoder, rest[count]);
                count += 1;
            }
            let mut pass = encoder.begin_compute_pass(&Default::default());
            let mut bound = None;
            for &index in &rest[..count] {
                self.record(&mut pass, index, &mut bound);
            }
            rest = &rest[count..];
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Submits passes, waits, and learns how many fit into one submission.
    fn submit_and_wait(&mut self, indices: &[usize]) -> Result<(), ComputeError> {
        let start = Instant::now();
        self.submit(indices);
        self.gpu.wait()?;
        let seconds = start.elapsed().as_secs_f64().max(1e-6);
        let fitting = indices.len() as f64 * SUBMIT_SECONDS / seconds;
        self.dispatches_per_submit = fitting.min(4.0 * self.dispatches_per_submit).max(1.0);
        Ok(())
    }

    fn profile_with_timestamps(&mut self, passes: Range<usize>) -> Result<Vec<Duration>, ComputeError> {
        const MOST_QUERIES: usize = 2048;
        let indices: Vec<usize> = passes.collect();
        let mut times = Vec::with_capacity(indices.len());
        for piece in indices.chunks(MOST_QUERIES / 2) {
            let count = 2 * piece.len() as u32;
            let device = self.gpu.device.clone();
            let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pass times"),
                ty: wgpu::QueryType::Timestamp,
                count,
            });
            let resolved = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("pass times"),
                size: 8 * u64::from(count),
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            let mut encoder = device.create_command_encoder(&Default::default());
            for (k, &index) in piece.iter().enumerate() {
                self.prepare(&mut encoder, index);
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: None,
                    timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                        query_set: &queries,
                        beginning_of_pass_write_index: Some(2 * k as u32),
                        end_of_pass_write_index: Some(2 * k as u32 + 1),
                    }),
                });
                self.record(&mut pass, index, &mut None);
            }
            encoder.resolve_query_set(&queries, 0..count, &resolved, 0);
            self.gpu.queue.submit([encoder.finish()]);
            let bytes = self.read_bytes(&resolved, 8 * count as usize)?;
            let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
            let period = f64::from(self.gpu.queue.get_timestamp_period());
            times.extend(
                ticks
                    .chunks_exact(2)
                    .map(|t| Duration::from_secs_f64(t[1].saturating_sub(t[0]) as f64 * period * 1e-9)),
            );
        }
        Ok(times)
    }

    fn read_bytes(&mut self, source: &wgpu::Buffer, bytes: usize) -> Result<Vec<u8>, ComputeError> {
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let size = bytes as u64;
        let staging = match self.staging.take() {
            Some(staging) if staging.size() >= size => staging,
            _ => self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read-back"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, size);
        self.gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, 0..size, move |result| {
            let _ = sender.send(result);
        });
        self.gpu.wait()?;
        let failed = |reason: String| ComputeError::Device(format!("reading back failed: {reason}"));
        receiver
            .recv()
            .map_err(|_| failed("the device did not answer".into()))?
            .map_err(|error| failed(error.to_string()))?;
        let copy = staging.get_mapped_range(0..size).map_err(|error| failed(error.to_string()))?.to_vec();
        staging.unmap();
        self.staging = Some(staging);
        Ok(copy)
    }
}

fn upload(gpu: &Gpu, buffers: &Buffers, passes: &Passes) -> Result<Vec<wgpu::Buffer>, ComputeError> {
    let limit = gpu.device.limits().max_storage_buffer_binding_size;
    buffers
        .ids()
        .map(|id| {
            let bytes = 4 * buffers.initial(id).len() as u64;
            if bytes > limit {
                return Err(ComputeError::Buffer {
                    buffer: buffers.name(id).into(),
                    problem: format!(
                        "needs {} MiB and this adapter binds at most {} MiB; use a smaller scene or `--backend cpu`",
                        bytes >> 20,
                        limit >> 20
                    ),
                });
            }
            let mut contents = device_bytes(buffers.initial(id));
            // A binding may not be empty and a uniform is a multiple of 16 bytes.
            contents.resize(contents.len().max(16).next_multiple_of(16), 0);
            let dispatches = passes.list.iter().any(|p| p.dispatch.is_some_and(|d| d.buffer == id));
            let kind = match buffers.role(id) {
                Role::Uniform => wgpu::BufferUsages::UNIFORM,
                _ if dispatches => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT,
                _ => wgpu::BufferUsages::STORAGE,
            };
            gpu.create_buffer_init(&BufferInitDescriptor {
                label: Some(buffers.name(id)),
                contents: &contents,
                usage: kind | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            })
        })
        .collect()
}

/// The bytes of a buffer as the device holds them.
fn device_bytes(data: &Data) -> Vec<u8> {
    match data {
        Data::Reals(v) => v.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
        Data::Uints(v) => bytemuck::cast_slice(v).to_vec(),
    }
}

fn upload_launches(gpu: &Gpu, passes: &Passes) -> Result<wgpu::Buffer, ComputeError> {
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

/// The dispatch size: rows of at most `LAUNCH_ROW` invocations.
fn workgroups(pass: &Pass, workgroup_size: u32) -> [u32; 2] {
    let groups = match pass.kernel.grain {
        Grain::Invocation | Grain::Walk => pass.calls.div_ceil(workgroup_size),
        Grain::Workgroup => pass.calls,
    };
    let per_row = LAUNCH_ROW / workgroup_size;
    [groups.min(per_row), groups.div_ceil(per_row)]
}

impl Executor for GpuExecutor {
    fn execute(&mut self, runs: &[Run]) -> Result<(), ComputeError> {
        let all = runs.iter().flat_map(|run| (0..run.times).flat_map(|_| run.passes.clone()));
        let mut pending: Vec<usize> = Vec::new();
        for index in all {
            pending.push(index);
            if pending.len() as f64 >= self.dispatches_per_submit {
                self.submit_and_wait(&pending)?;
                pending.clear();
            }
        }
        if !pending.is_empty() {
            self.submit_and_wait(&pending)?;
        }
        let shown: Vec<BufferId> = self.shown.iter().copied().collect();
        self.complete_buffers(&shown);
        self.gpu.check()
    }

    fn read(&mut self, buffer: BufferId) -> Result<Data, ComputeError> {
        self.complete_buffers(&[buffer]);
        let source = self.buffers[buffer.0].clone();
        let bytes = self.read_bytes(&source, 4 * self.lengths[buffer.0])?;
        Ok(if self.reals[buffer.0] {
            let values: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
            Data::Reals(values.into_iter().map(f64::from).collect())
        } else {
            Data::Uints(bytemuck::pod_collect_to_vec(&bytes))
        })
    }

    fn write(&mut self, buffer: BufferId, data: &Data) -> Result<(), ComputeError> {
        if data.len() != self.lengths[buffer.0] || matches!(data, Data::Reals(_)) != self.reals[buffer.0] {
            return Err(ComputeError::Buffer {
                buffer: self.names[buffer.0].clone(),
                problem: "the new contents have another length or kind".into(),
            });
        }
        self.gpu.queue.write_buffer(&self.buffers[buffer.0], 0, &device_bytes(data));
        if let Some(image) = self.images.get_mut(&buffer) {
            image.note_write(Side::Buffer);
        }
        self.gpu.check()
    }

    fn profile(&mut self, passes: Range<usize>) -> Result<Vec<Duration>, ComputeError> {
        if self.gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return self.profile_with_timestamps(passes);
        }
        let mut times = Vec::with_capacity(passes.len());
        for index in passes {
            let start = Instant::now();
            self.submit(&[index]);
            self.gpu.wait()?;
            times.push(start.elapsed());
        }
        Ok(times)
    }

    fn describe(&self) -> String {
        self.gpu.report.title()
    }

    fn gpu(&self) -> Option<&GpuExecutor> {
        Some(self)
    }

    fn gpu_mut(&mut self) -> Option<&mut GpuExecutor> {
        Some(self)
    }
}
