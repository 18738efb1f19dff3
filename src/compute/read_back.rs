//! What comes back from a device: the contents of buffers and the times of passes.

use super::error::ComputeError;
use super::gpu::GpuExecutor;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

impl GpuExecutor {
    pub(super) fn profile_with_timestamps(
        &mut self,
        passes: Range<usize>,
    ) -> Result<Vec<Duration>, ComputeError> {
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

    /// Blocks until the device has got there.
    pub(super) fn read_bytes(&self, source: &wgpu::Buffer, bytes: usize) -> Result<Vec<u8>, ComputeError> {
        let fetched = self.fetch_bytes(source, bytes);
        self.gpu.wait()?;
        pollster::block_on(fetched)
    }

    /// Begins to copy the first bytes of a buffer to the host.
    pub(super) fn fetch_bytes(
        &self,
        source: &wgpu::Buffer,
        bytes: usize,
    ) -> impl Future<Output = Result<Vec<u8>, ComputeError>> + use<> {
        let size = bytes as u64;
        let started = (bytes > 0).then(|| self.begin_copy(source, size));
        let kept = self.staging.clone();
        async move {
            let Some((staging, mapped)) = started else { return Ok(Vec::new()) };
            let failed = |reason: String| ComputeError::Device(format!("reading back failed: {reason}"));
            mapped.await.map_err(failed)?;
            let copy = staging.get_mapped_range(0..size).map_err(|error| failed(error.to_string()))?.to_vec();
            staging.unmap();
            *lock(&kept) = Some(staging);
            Ok(copy)
        }
    }

    /// Submits a copy to memory that the host can read; the future tells when it is there.
    fn begin_copy(&self, source: &wgpu::Buffer, size: u64) -> (wgpu::Buffer, Answer) {
        let kept = lock(&self.staging).take().filter(|staging| staging.size() >= size);
        let staging = kept.unwrap_or_else(|| {
            self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read-back"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, size);
        self.gpu.queue.submit([encoder.finish()]);
        let answer = Answer::default();
        let asked = Asked(answer.clone());
        staging.map_async(wgpu::MapMode::Read, 0..size, move |result| {
            asked.give(result.map_err(|error| error.to_string()));
        });
        (staging, answer)
    }
}

type Mapped = Result<(), String>;

/// What a callback of the device will say.
#[derive(Clone, Default)]
struct Answer(Arc<Mutex<(Option<Mapped>, Option<Waker>)>>);

impl Future for Answer {
    type Output = Mapped;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Mapped> {
        let mut slot = lock(&self.0);
        match slot.0.take() {
            Some(result) => Poll::Ready(result),
            None => {
                slot.1 = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

/// The callback's end of an [`Answer`].
struct Asked(Answer);

impl Asked {
    fn give(&self, result: Mapped) {
        let waker = {
            let mut slot = lock(&self.0.0);
            slot.0 = Some(result);
            slot.1.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Asked {
    /// A lost device may drop the callback without calling it.
    fn drop(&mut self) {
        if Arc::strong_count(&self.0.0) > 1 && lock(&self.0.0).0.is_none() {
            self.give(Err("the device did not answer".into()));
        }
    }
}

/// Plain values stay whole also if somebody panics.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
