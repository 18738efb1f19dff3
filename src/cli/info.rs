//! `sinew info`: what this machine has.

use super::print;
use clap::Args;
use sinew::compute::{AdapterReport, adapter_reports};
use std::process::ExitCode;

#[derive(Args)]
pub struct InfoArgs {
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub fn info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let reports = adapter_reports();
    if args.json {
        let adapters: Vec<_> = reports.iter().map(as_json).collect();
        let value = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "threads": rayon::current_num_threads(),
            "adapters": adapters,
        });
        print(serde_json::to_string_pretty(&value)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(format_args!("sinew {}", env!("CARGO_PKG_VERSION")))?;
    print(format_args!("CPU backend: {} threads, f32 and f64", rayon::current_num_threads()))?;
    if reports.is_empty() {
        print(format_args!("GPU backend: no adapter found"))?;
        print(format_args!(
            "  On Debian and Ubuntu `apt-get install mesa-vulkan-drivers` brings a software one for any CPU."
        ))?;
    }
    for (number, report) in reports.iter().enumerate() {
        print_adapter(number, report)?;
    }
    if let Some(best) = reports.first() {
        let choice = if best.is_software() {
            "the CPU backend: it is faster than a software adapter"
        } else {
            &best.info.name
        };
        print(format_args!("`--backend auto` uses {choice}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_adapter(number: usize, report: &AdapterReport) -> anyhow::Result<()> {
    let (info, limits) = (&report.info, &report.limits);
    print(format_args!("adapter {number}: {}", report.title()))?;
    print(format_args!("  kind      {:?}", info.device_type))?;
    print(format_args!("  driver    {} {}", info.driver, info.driver_info))?;
    print(format_args!(
        "  limits    {} MiB a buffer, {} MiB a binding, {} storage buffers a stage",
        limits.max_buffer_size >> 20,
        limits.max_storage_buffer_binding_size >> 20,
        limits.max_storage_buffers_per_shader_stage
    ))?;
    print(format_args!(
        "            {} invocations and {} KiB shared a workgroup, {} workgroups a dimension",
        limits.max_compute_invocations_per_workgroup,
        limits.max_compute_workgroup_storage_size >> 10,
        limits.max_compute_workgroups_per_dimension
    ))?;
    let timing = if report.features.contains(wgpu::Features::TIMESTAMP_QUERY) {
        "timestamp queries"
    } else {
        "wall clock"
    };
    print(format_args!("  timing    {timing}"))?;
    let features: Vec<&str> = report.features.iter_names().map(|(name, _)| name).collect();
    print(format_args!("  features  {}", features.join(" ")))
}

fn as_json(report: &AdapterReport) -> serde_json::Value {
    let (info, limits) = (&report.info, &report.limits);
    serde_json::json!({
        "name": info.name,
        "api": info.backend.to_string(),
        "kind": format!("{:?}", info.device_type),
        "software": report.is_software(),
        "driver": format!("{} {}", info.driver, info.driver_info),
        "max_buffer_bytes": limits.max_buffer_size,
        "max_binding_bytes": limits.max_storage_buffer_binding_size,
        "max_storage_buffers": limits.max_storage_buffers_per_shader_stage,
        "max_invocations_per_workgroup": limits.max_compute_invocations_per_workgroup,
        "max_shared_bytes_per_workgroup": limits.max_compute_workgroup_storage_size,
        "features": report.features.iter_names().map(|(name, _)| name).collect::<Vec<_>>(),
    })
}
