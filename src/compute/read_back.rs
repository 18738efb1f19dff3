//! What comes back from a device: the contents of buffers and the times of passes.

use super::error::ComputeError;
use super::gpu::GpuExecutor;
use std::ops::Range;
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

    pub(super) fn read_bytes(
        &mut self,
        source: &wgpu::Buffer,
        bytes: usize,
    ) -> Result<Vec<u8>, ComputeError> {
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
