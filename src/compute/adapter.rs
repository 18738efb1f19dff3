//! Finding a graphics adapter and opening it.

use super::error::ComputeError;
use super::pipeline::Pipelines;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use wgpu::util::BufferInitDescriptor;

/// Which adapter to use.
#[derive(Clone, Debug, Default)]
pub struct AdapterChoice {
    /// A part of the adapter's name, in any case; the best available when absent.
    pub name: Option<String>,
}

/// What a user wants to know about an adapter.
#[derive(Clone, Debug)]
pub struct AdapterReport {
    pub info: wgpu::AdapterInfo,
    pub limits: wgpu::Limits,
    pub features: wgpu::Features,
}

impl AdapterReport {
    /// Whether the adapter is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Name, API and, for software adapters, a mark.
    pub fn title(&self) -> String {
        let mark = if self.is_software() { ", software" } else { "" };
        format!("{} ({}{mark})", self.info.name, self.info.backend)
    }
}

/// Faults reported by a device outside of any call, kept until somebody asks.
#[derive(Debug, Default)]
pub(super) struct Faults {
    lost: Option<String>,
    error: Option<ComputeErrorKind>,
}

#[derive(Debug)]
enum ComputeErrorKind {
    OutOfMemory(String),
    Other(String),
}

/// An open device.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub report: AdapterReport,
    pub(super) faults: Arc<Mutex<Faults>>,
    /// Shared by all that run on the device, so that a kernel is compiled once.
    pub(super) pipelines: Pipelines,
}

/// All adapters, the best first: hardware before software, discrete before integrated. wgpu's own environment variables
/// (`WGPU_BACKEND` and others) are honoured.
///
/// OpenGL is not asked unless `WGPU_BACKEND` does: it cannot read depth textures, so there are no pictures, and its
/// compilers reorder arithmetic enough to part from the twins.
async fn adapters() -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    let backends = descriptor.backends;
    usable(wgpu::Instance::new(descriptor).enumerate_adapters(backends).await)
}

/// The adapters that can compute, the best first.
fn usable(mut all: Vec<wgpu::Adapter>) -> Vec<wgpu::Adapter> {
    all.retain(|adapter| {
        adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
            && adapter.get_info().backend != wgpu::Backend::Noop
    });
    all.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    all
}

fn report(adapter: &wgpu::Adapter) -> AdapterReport {
    AdapterReport { info: adapter.get_info(), limits: adapter.limits(), features: adapter.features() }
}

/// The adapters of this machine, the best first. Blocks.
pub fn adapter_reports() -> Vec<AdapterReport> {
    pollster::block_on(request_adapter_reports())
}

/// As [`adapter_reports`], for whoever must not block.
pub async fn request_adapter_reports() -> Vec<AdapterReport> {
    adapters().await.iter().map(report).collect()
}

/// The first adapter, or the one whose name was asked for (also by `WGPU_ADAPTER_NAME`).
fn choose(adapters: &[wgpu::Adapter], choice: &AdapterChoice) -> Result<wgpu::Adapter, ComputeError> {
    let wanted = choice
        .name
        .clone()
        .or_else(|| std::env::var("WGPU_ADAPTER_NAME").ok())
        .filter(|name| !name.trim().is_empty());
    let names = || adapters.iter().map(|a| report(a).title()).collect::<Vec<_>>().join(", ");
    let found = match &wanted {
        Some(name) => {
            let wanted = name.to_lowercase();
            adapters
                .iter()
                .find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted))
                .ok_or_else(|| {
                    ComputeError::NoAdapter(if adapters.is_empty() {
                        format!("no adapter whose name contains `{name}`; this machine has none")
                    } else {
                        format!("no adapter whose name contains `{name}`; this machine has: {}", names())
                    })
                })?
        }
        None => adapters.first().ok_or_else(|| {
            ComputeError::NoAdapter(
                "no graphics adapter found; install a Vulkan driver (on Debian and Ubuntu the package \
                 `mesa-vulkan-drivers` runs on any CPU) or use `--backend cpu`"
                    .into(),
            )
        })?,
    };
    Ok(found.clone())
}

impl Gpu {
    /// Opens the best adapter, or the one whose name was asked for (also by `WGPU_ADAPTER_NAME`). Blocks until it is open.
    pub fn open(choice: &AdapterChoice) -> Result<Self, ComputeError> {
        pollster::block_on(Self::request(choice))
    }

    /// As [`Gpu::open`], for whoever must not block.
    pub async fn request(choice: &AdapterChoice) -> Result<Self, ComputeError> {
        Self::from_adapter(&choose(&adapters().await, choice)?).await
    }

    /// Opens the best adapter that can show pictures on a surface, or the one whose name was asked for. The adapter
    /// knows what the surface can do.
    pub async fn request_for(
        instance: &wgpu::Instance,
        surface: &wgpu::Surface<'_>,
        choice: &AdapterChoice,
    ) -> Result<(Self, wgpu::Adapter), ComputeError> {
        let all = instance.enumerate_adapters(wgpu::Backends::all()).await;
        let adapters: Vec<_> =
            usable(all).into_iter().filter(|adapter| adapter.is_surface_supported(surface)).collect();
        let adapter = choose(&adapters, choice)?;
        Ok((Self::from_adapter(&adapter).await?, adapter))
    }

    async fn from_adapter(adapter: &wgpu::Adapter) -> Result<Self, ComputeError> {
        let report = report(adapter);
        // WebGPU's default limits, except that buffers may be as large as the adapter allows.
        let limits = wgpu::Limits {
            max_buffer_size: report.limits.max_buffer_size,
            max_storage_buffer_binding_size: report.limits.max_storage_buffer_binding_size,
            ..wgpu::Limits::default()
        };
        let optional = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_features: report.features & optional,
            required_limits: limits,
            ..Default::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened
            .map_err(|error| ComputeError::NoDevice { adapter: report.title(), reason: error.to_string() })?;
        Ok(Self::from_device(device, queue, report))
    }

    /// wgpu's `noop` device: validates layouts, limits and workgroup sizes, computes nothing.
    pub fn noop() -> Self {
        let (device, queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let report = AdapterReport {
            info: device.adapter_info(),
            limits: device.limits(),
            features: device.features(),
        };
        Self::from_device(device, queue, report)
    }

    fn from_device(device: wgpu::Device, queue: wgpu::Queue, report: AdapterReport) -> Self {
        let faults = Arc::new(Mutex::new(Faults::default()));
        let seen = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            let text = if message.is_empty() { format!("{reason:?}") } else { message };
            lock(&seen).lost.get_or_insert(text);
        });
        let seen = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(&seen, &error)));
        Self { device, queue, report, faults, pipelines: Pipelines::default() }
    }

    /// The fault reported since the last call, if any. A lost device stays lost.
    pub fn check(&self) -> Result<(), ComputeError> {
        // A lost device says so only when polled; calls on it are ignored without a word.
        self.poll(wgpu::PollType::Poll).map(drop)
    }

    /// Blocks until the device has done all submitted work.
    pub fn wait(&self) -> Result<(), ComputeError> {
        self.poll(wgpu::PollType::wait_indefinitely()).map(drop)
    }

    fn poll(&self, poll: wgpu::PollType) -> Result<wgpu::PollStatus, ComputeError> {
        let polled = caught(|| self.device.poll(poll));
        self.fault()?;
        polled
    }

    fn fault(&self) -> Result<(), ComputeError> {
        let mut faults = lock(&self.faults);
        if let Some(reason) = &faults.lost {
            return Err(ComputeError::DeviceLost(reason.clone()));
        }
        match faults.error.take() {
            Some(ComputeErrorKind::OutOfMemory(message)) => Err(ComputeError::OutOfMemory(message)),
            Some(ComputeErrorKind::Other(message)) => Err(ComputeError::Device(message)),
            None => Ok(()),
        }
    }

    /// A buffer with contents, a multiple of 4 bytes and not empty. wgpu's own `create_buffer_init` panics if the
    /// device is lost or out of memory.
    pub fn create_buffer_init(
        &self,
        descriptor: &BufferInitDescriptor<'_>,
    ) -> Result<wgpu::Buffer, ComputeError> {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: descriptor.label,
            size: descriptor.contents.len() as u64,
            usage: descriptor.usage,
            mapped_at_creation: true,
        });
        match buffer.get_mapped_range_mut(..) {
            Ok(mut mapped) => mapped.copy_from_slice(descriptor.contents),
            Err(error) => {
                // What kept the buffer from being made says more than that it is not there.
                self.check()?;
                return Err(ComputeError::Buffer {
                    buffer: descriptor.label.unwrap_or_default().into(),
                    problem: error.to_string(),
                });
            }
        }
        buffer.unmap();
        Ok(buffer)
    }
}

/// Polls a device. wgpu panics where the driver reports the loss while it is waited for.
fn caught(
    poll: impl FnOnce() -> Result<wgpu::PollStatus, wgpu::PollError>,
) -> Result<wgpu::PollStatus, ComputeError> {
    match catch_unwind(AssertUnwindSafe(poll)) {
        Ok(polled) => polled.map_err(|error| ComputeError::Device(error.to_string())),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(ComputeError::DeviceLost(text.unwrap_or("the driver gave up").into()))
        }
    }
}

/// Keeps an error that nobody has asked for.
fn note(faults: &Mutex<Faults>, error: &wgpu::Error) {
    let kind = match error {
        wgpu::Error::OutOfMemory { .. } => ComputeErrorKind::OutOfMemory(error.to_string()),
        _ => ComputeErrorKind::Other(error.to_string()),
    };
    lock(faults).error.get_or_insert(kind);
}

/// The faults, also after a panic elsewhere: they are plain values.
fn lock(faults: &Mutex<Faults>) -> std::sync::MutexGuard<'_, Faults> {
    faults.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noop(limits: wgpu::Limits) -> Gpu {
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let (device, queue) = wgpu::Device::noop(&descriptor);
        Gpu::from_device(device, queue, Gpu::noop().report)
    }

    fn storage(gpu: &Gpu, size: u64) -> wgpu::Buffer {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("large"),
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    }

    #[test]
    fn memory_that_a_device_does_not_have_is_an_error_of_that_kind_and_told_once() {
        let gpu = noop(wgpu::Limits::default());
        note(&gpu.faults, &wgpu::Error::OutOfMemory { source: "4 GiB".into() });
        let error = gpu.check().unwrap_err();
        assert!(matches!(error, ComputeError::OutOfMemory(_)), "{error:?}");
        gpu.check().unwrap();
    }

    #[test]
    fn an_invalid_call_is_an_error_that_names_the_buffer() {
        let gpu = noop(wgpu::Limits::default());
        storage(&gpu, u64::MAX);
        let error = gpu.wait().unwrap_err();
        assert!(matches!(error, ComputeError::Device(_)) && error.to_string().contains("large"), "{error}");
        gpu.wait().unwrap();
    }

    #[test]
    fn a_buffer_that_cannot_be_made_is_an_error_that_says_why() {
        let gpu = noop(wgpu::Limits { max_buffer_size: 16, ..wgpu::Limits::default() });
        let make = || {
            let descriptor = BufferInitDescriptor {
                label: Some("large"),
                contents: &[0; 32],
                usage: wgpu::BufferUsages::STORAGE,
            };
            gpu.create_buffer_init(&descriptor).unwrap_err()
        };
        let error = make();
        assert!(matches!(error, ComputeError::Device(_)) && error.to_string().contains("large"), "{error}");
        gpu.device.destroy();
        let error = make();
        assert!(matches!(error, ComputeError::DeviceLost(_)), "{error:?}");
    }

    #[test]
    fn a_driver_that_gives_up_while_it_is_waited_for_is_a_lost_device() {
        let error = caught(|| panic!("Error in Device::poll: the parent device is lost")).unwrap_err();
        assert!(matches!(&error, ComputeError::DeviceLost(text) if text.contains("parent")), "{error:?}");
        assert!(caught(|| Ok(wgpu::PollStatus::QueueEmpty)).is_ok());
    }
}
