//! Runs the passes on a device: recorded many at a time, with pipelines and bind groups made once.

use super::adapter::Gpu;
use super::columns::{ColumnId, Data};
use super::error::ComputeError;
use super::kernel::{Grain, Kernel};
use super::passes::{LAUNCH_ROW, Pass, Passes, Run};
use super::pipeline::Pipeline;
use super::resolve::DISPATCH;
use super::tables::Tables;
use super::upload::{LAUNCH_STRIDE, device_bytes, upload, upload_launches};
use super::{Executor, Fetched};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Some systems reset a device that is busy for two seconds; one submission stays far below.
const SUBMIT_SECONDS: f64 = 0.1;
/// Dispatches in the first submission, before anything has been measured.
const FIRST_SUBMIT: f64 = 256.0;

/// Rounds of loops after which Mesa's software driver ends an invocation's loops, without a word.
const SOFTWARE_WALK: u32 = 65_535;

/// A pass with its pipeline and bindings.
struct Recorded {
    pipeline: Arc<Pipeline>,
    group: wgpu::BindGroup,
    /// Where its `launch` is.
    offset: Option<u32>,
    size: Size,
}

/// How many workgroups a pass has.
#[derive(Clone, Copy)]
enum Size {
    Known([u32; 2]),
    /// What the device has written at this byte of the launches.
    Counted(u64),
}

/// The GPU backend. The state stays on the device; only `read` brings it back.
pub struct GpuExecutor {
    pub(super) gpu: Gpu,
    names: Vec<String>,
    reals: Vec<bool>,
    lengths: Vec<usize>,
    state: Vec<ColumnId>,
    buffers: Vec<wgpu::Buffer>,
    list: Passes,
    passes: Vec<Recorded>,
    /// What the state was when it was kept, in the order of `state`.
    kept: Vec<wgpu::Buffer>,
    pub(super) staging: Arc<Mutex<Option<wgpu::Buffer>>>,
    dispatches_per_submit: f64,
    /// Dispatches that have been submitted since the last wait, and when the first was.
    pending: Option<(usize, Instant)>,
}

impl GpuExecutor {
    /// Uploads the buffers and builds every pipeline and bind group the passes need. Blocks until they are built.
    pub fn new(gpu: &Gpu, buffers: &Tables, passes: &Passes) -> Result<Self, ComputeError> {
        pollster::block_on(Self::prepare(gpu, buffers, passes))
    }

    /// As [`GpuExecutor::new`], for whoever must not block.
    pub async fn prepare(gpu: &Gpu, buffers: &Tables, passes: &Passes) -> Result<Self, ComputeError> {
        if gpu.report.is_software()
            && let Some(pass) = passes.list.iter().find(|pass| pass.walk > SOFTWARE_WALK)
        {
            let kernel = pass.kernel.name.into();
            return Err(ComputeError::LongWalk { kernel, walk: pass.walk, most: SOFTWARE_WALK });
        }
        let device_buffers = buffers.ids().map(|id| upload(gpu, buffers, passes, id));
        let device_buffers = device_buffers.collect::<Result<Vec<_>, _>>()?;
        let recorded = record_all(gpu, passes, &device_buffers).await?;
        gpu.check()?;
        Ok(Self {
            gpu: gpu.clone(),
            names: buffers.ids().map(|id| buffers.name(id).into()).collect(),
            reals: buffers.ids().map(|id| buffers.element(id).is_real()).collect(),
            lengths: buffers.ids().map(|id| buffers.initial(id).len()).collect(),
            state: buffers.state().collect(),
            buffers: device_buffers,
            list: passes.clone(),
            passes: recorded,
            kept: Vec::new(),
            staging: Arc::default(),
            dispatches_per_submit: FIRST_SUBMIT,
            pending: None,
        })
    }

    /// The device this runs on.
    pub fn device(&self) -> &Gpu {
        &self.gpu
    }

    /// A buffer on the device, for drawing straight from it.
    pub fn buffer(&self, id: ColumnId) -> &wgpu::Buffer {
        &self.buffers[id.0]
    }

    /// Keeps a copy of a buffer as it is now, on the device. A copy that there is already is overwritten.
    pub fn copy(&self, id: ColumnId, into: &mut Option<wgpu::Buffer>) {
        let source = &self.buffers[id.0];
        let copy = into.get_or_insert_with(|| self.copy_target(source.size()));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(source, 0, copy, 0, source.size());
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn copy_target(&self, size: u64) -> wgpu::Buffer {
        self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// The contents of a buffer as they are now, once the device has got there. Does not block: on the web the browser drives
    /// the device, and elsewhere [`Gpu::wait`] or [`Gpu::check`] do.
    pub fn fetch(&self, buffer: ColumnId) -> impl Future<Output = Result<Data, ComputeError>> + use<> {
        let is_real = self.reals[buffer.0];
        let bytes = self.fetch_bytes(&self.buffers[buffer.0], 4 * self.lengths[buffer.0]);
        async move {
            let bytes = bytes.await?;
            Ok(if is_real {
                let values: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
                Data::Reals(values.into_iter().map(f64::from).collect())
            } else {
                Data::Uints(bytemuck::pod_collect_to_vec(&bytes))
            })
        }
    }

    /// The vectors of such a copy. Blocks.
    pub fn read_copy(&mut self, copy: &wgpu::Buffer) -> Result<Vec<[f32; 4]>, ComputeError> {
        let bytes = self.read_bytes(copy, copy.size() as usize)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    pub(super) fn record<'a>(
        &'a self,
        pass: &mut wgpu::ComputePass<'_>,
        index: usize,
        bound: &mut Option<&'a Arc<Pipeline>>,
    ) {
        let recorded = &self.passes[index];
        if !bound.is_some_and(|bound| Arc::ptr_eq(bound, &recorded.pipeline)) {
            pass.set_pipeline(&recorded.pipeline.pipeline);
            *bound = Some(&recorded.pipeline);
        }
        pass.set_bind_group(0, &recorded.group, recorded.offset.as_slice());
        match (recorded.size, self.list.launches) {
            (Size::Known([x, y]), _) => pass.dispatch_workgroups(x, y, 1),
            (Size::Counted(byte), Some(launches)) => {
                pass.dispatch_workgroups_indirect(&self.buffers[launches.0], byte);
            }
            (Size::Counted(_), None) => unreachable!("a pass has a slot only if there are launches"),
        }
    }

    /// Submits passes and notes how many, for the next wait.
    fn submit_piece(&mut self, indices: &[usize]) {
        let (count, start) = self.pending.unwrap_or((0, Instant::now()));
        self.pending = Some((count + indices.len(), start));
        if !indices.is_empty() {
            self.submit_passes(indices);
        }
    }

    /// Records passes as one compute pass and submits them.
    fn submit_passes(&self, indices: &[usize]) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let mut bound = None;
        for &index in indices {
            self.record(&mut pass, index, &mut bound);
        }
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
    }
}

/// The places in the list of the passes to run, in order.
fn indices(runs: &[Run]) -> impl Iterator<Item = usize> + '_ {
    runs.iter().flat_map(|run| (0..run.times).flat_map(|_| run.passes.clone()))
}

/// Builds, or takes from the device, what every pass needs.
async fn record_all(
    gpu: &Gpu,
    passes: &Passes,
    buffers: &[wgpu::Buffer],
) -> Result<Vec<Recorded>, ComputeError> {
    let uniforms = upload_launches(gpu, passes)?;
    let mut groups: HashMap<(*const Kernel, bool, &[ColumnId]), wgpu::BindGroup> = HashMap::new();
    let mut recorded = Vec::with_capacity(passes.list.len());
    for (number, pass) in passes.list.iter().enumerate() {
        let pipeline = gpu.pipeline(pass.kernel).await?;
        // Passes over counted rows have their `launch` where the device can write it.
        let (launches, slot, size) = match pass.extent {
            None => (&uniforms, number as u64, Size::Known(workgroups(pass, pipeline.workgroup_size))),
            Some(extent) => {
                let (Some(launches), Some(slot)) = (passes.launches, extent.slot) else {
                    let problem = "goes over counted rows in a list that is not linked".into();
                    return Err(ComputeError::Shader { kernel: pass.kernel.name.into(), message: problem });
                };
                let byte = u64::from(slot) * LAUNCH_STRIDE + 4 * u64::from(DISPATCH);
                (&buffers[launches.0], u64::from(slot), Size::Counted(byte))
            }
        };
        let group = groups
            .entry((std::ptr::from_ref(pass.kernel), pass.extent.is_some(), &pass.buffers))
            .or_insert_with(|| pipeline.bind(gpu, pass, buffers, launches))
            .clone();
        let offset = pipeline.launch_index.map(|_| (slot * LAUNCH_STRIDE) as u32);
        recorded.push(Recorded { pipeline, group, offset, size });
    }
    Ok(recorded)
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
    /// In pieces of one submission each. Whoever submits much waits in between, as `execute` does.
    fn submit(&mut self, runs: &[Run]) -> Result<(), ComputeError> {
        let all: Vec<usize> = indices(runs).collect();
        for piece in all.chunks(self.dispatches_per_submit as usize) {
            self.submit_piece(piece);
        }
        Ok(())
    }

    fn execute(&mut self, runs: &[Run]) -> Result<(), ComputeError> {
        let mut piece: Vec<usize> = Vec::new();
        for index in indices(runs) {
            piece.push(index);
            if piece.len() as f64 >= self.dispatches_per_submit {
                self.submit_piece(&piece);
                self.wait()?;
                piece.clear();
            }
        }
        self.submit_piece(&piece);
        self.wait()
    }

    /// Also learns how many dispatches fit into one submission.
    fn wait(&mut self) -> Result<(), ComputeError> {
        self.gpu.wait()?;
        if let Some((count, start)) = self.pending.take().filter(|(count, _)| *count > 0) {
            let seconds = start.elapsed().as_secs_f64().max(1e-6);
            let fitting = count as f64 * SUBMIT_SECONDS / seconds;
            self.dispatches_per_submit = fitting.min(4.0 * self.dispatches_per_submit).max(1.0);
        }
        self.gpu.check()
    }

    fn read(&mut self, buffer: ColumnId) -> Result<Data, ComputeError> {
        let contents = self.fetch(buffer);
        self.gpu.wait()?;
        pollster::block_on(contents)
    }

    fn fetch(&mut self, buffer: ColumnId) -> Fetched {
        Box::pin(GpuExecutor::fetch(self, buffer))
    }

    fn write(&mut self, buffer: ColumnId, data: &Data) -> Result<(), ComputeError> {
        if data.len() != self.lengths[buffer.0] || matches!(data, Data::Reals(_)) != self.reals[buffer.0] {
            return Err(ComputeError::Buffer {
                buffer: self.names[buffer.0].clone(),
                problem: "the new contents have another length or kind".into(),
            });
        }
        self.gpu.queue.write_buffer(&self.buffers[buffer.0], 0, &device_bytes(data));
        self.gpu.check()
    }

    fn keep(&mut self) -> Result<(), ComputeError> {
        let sources: Vec<&wgpu::Buffer> = self.state.iter().map(|id| &self.buffers[id.0]).collect();
        let fits = |(copy, source): (&wgpu::Buffer, &&wgpu::Buffer)| copy.size() == source.size();
        if self.kept.len() != sources.len() || !self.kept.iter().zip(&sources).all(fits) {
            self.kept = sources.iter().map(|source| self.copy_target(source.size())).collect();
        }
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for (source, copy) in sources.iter().zip(&self.kept) {
            encoder.copy_buffer_to_buffer(source, 0, copy, 0, copy.size());
        }
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    fn revert(&mut self) -> Result<(), ComputeError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for (id, copy) in self.state.iter().zip(&self.kept) {
            encoder.copy_buffer_to_buffer(copy, 0, &self.buffers[id.0], 0, copy.size());
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.check()
    }

    fn grow(&mut self, tables: &Tables) -> Result<(), ComputeError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut larger = self.buffers.clone();
        for id in tables.ids().filter(|&id| tables.initial(id).len() != self.lengths[id.0]) {
            let old = &self.buffers[id.0];
            larger[id.0] = upload(&self.gpu, tables, &self.list, id)?;
            // The old length may have been filled up to 16 bytes: with what nothing has written.
            encoder.copy_buffer_to_buffer(old, 0, &larger[id.0], 0, 4 * self.lengths[id.0] as u64);
        }
        // All pipelines are there: nothing is waited for.
        let recorded = pollster::block_on(record_all(&self.gpu, &self.list, &larger))?;
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.check()?;
        self.lengths = tables.ids().map(|id| tables.initial(id).len()).collect();
        (self.buffers, self.passes) = (larger, recorded);
        Ok(())
    }

    fn profile(&mut self, passes: Range<usize>) -> Result<Vec<Duration>, ComputeError> {
        if self.gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return self.profile_with_timestamps(passes);
        }
        let mut times = Vec::with_capacity(passes.len());
        for index in passes {
            let start = Instant::now();
            self.submit_passes(&[index]);
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
