//! `sinew check --hash`: a hash of the state in which each scene ends, to see whether a change of the program changed any bit.

use super::{PrecisionName, SceneArgs, note, print, scene_argument};
use anyhow::{Context, bail};
use sinew::compute::AdapterChoice;
use sinew::scene::Checked;
use sinew::{Backend, Options, Precision, Simulation, scenes};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is hashed and where it runs.
pub struct Request<'a> {
    /// Scene files or names of built-in scenes; none means all built-in ones, or all of the file.
    pub scenes: &'a [String],
    /// A file of earlier lines.
    pub against: Option<&'a Path>,
    /// The longest simulated time [s].
    pub seconds: Option<f64>,
    pub device: bool,
    pub adapter: Option<&'a str>,
    pub precision: Option<PrecisionName>,
    pub settings: &'a SceneArgs,
}

/// A run and, if it was recorded, its hash.
#[derive(Clone, Debug, PartialEq)]
struct Job {
    scene: String,
    seconds: f64,
    /// `f32` or `f64` on the CPU, or `gpu`.
    place: String,
    recorded: Option<u64>,
}

impl Job {
    fn line(&self, hash: u64) -> String {
        format!("{} {} {} {hash:016x}", self.scene, self.seconds, self.place)
    }

    /// Reads a line as [`Job::line`] writes it.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [scene, seconds, place @ ("f32" | "f64" | "gpu"), hash] = words[..] else { return None };
        let seconds = seconds.parse().ok().filter(|&s: &f64| s > 0.0 && s.is_finite())?;
        let recorded = Some(u64::from_str_radix(hash, 16).ok()?);
        Some(Self { scene: scene.into(), seconds, place: place.into(), recorded })
    }

    /// The hash of the state in which the run ends.
    fn run(&self, scene: &Checked, adapter: Option<&str>) -> anyhow::Result<u64> {
        let options = match self.place.as_str() {
            "f64" => Options::cpu(Precision::F64),
            "f32" => Options::cpu(Precision::F32),
            _ => Options {
                backend: Backend::Gpu,
                adapter: AdapterChoice { name: adapter.map(Into::into) },
                ..Options::default()
            },
        };
        let mut simulation = Simulation::new(scene, &options)?;
        let steps = (self.seconds / scene.time_step).round().max(1.0) as u64;
        while simulation.steps() < steps {
            simulation.step()?;
        }
        Ok(simulation.digest()?)
    }
}

/// Prints a line for each scene and precision; with recorded lines, only those that differ, and fails if any does.
pub fn hash(request: &Request) -> anyhow::Result<ExitCode> {
    let jobs = match request.against {
        Some(file) => recorded_jobs(request, file)?,
        None => new_jobs(request)?,
    };
    let hashes = run_all(&jobs, request)?;
    let Some(file) = request.against else { return Ok(ExitCode::SUCCESS) };
    let differ = jobs.iter().zip(&hashes).filter(|(job, hash)| job.recorded != Some(**hash)).count();
    match differ {
        0 => print(format_args!("all {} states are those of {}, to the bit", jobs.len(), file.display()))?,
        _ => bail!("{differ} of {} states differ from those of {}", jobs.len(), file.display()),
    }
    Ok(ExitCode::SUCCESS)
}

fn places(request: &Request) -> Vec<&'static str> {
    match (request.device, request.precision) {
        (true, _) => vec!["gpu"],
        (false, Some(PrecisionName::F32)) => vec!["f32"],
        (false, Some(PrecisionName::F64)) => vec!["f64"],
        (false, None) => vec!["f32", "f64"],
    }
}

fn new_jobs(request: &Request) -> anyhow::Result<Vec<Job>> {
    let mut names = request.scenes.to_vec();
    if names.is_empty() {
        names.extend(scenes::BUILT_IN.iter().map(|scene| scene.name.to_owned()));
    }
    let mut jobs = Vec::new();
    for scene in names {
        let duration = scene_argument::load(scene.as_ref())?.0.duration;
        let seconds = request.seconds.map_or(duration, |limit| limit.min(duration));
        let job = |place: &str| Job { scene: scene.clone(), seconds, place: place.into(), recorded: None };
        jobs.extend(places(request).into_iter().map(job));
    }
    Ok(jobs)
}

fn recorded_jobs(request: &Request, file: &Path) -> anyhow::Result<Vec<Job>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut jobs = Vec::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let job = Job::read(line).with_context(|| {
            format!(
                "{}:{}: not a line of hashes: it should read `scene seconds f32|f64|gpu hash`, as \
                 `sinew check --hash` prints it",
                file.display(),
                number + 1
            )
        })?;
        jobs.push(job);
    }
    let (wanted, limit) = (request.scenes, request.seconds.unwrap_or(f64::INFINITY));
    if let Some(missing) = wanted.iter().find(|name| jobs.iter().all(|job| job.scene != **name)) {
        bail!("{} has no line for `{missing}`", file.display());
    }
    let places = places(request);
    jobs.retain(|job| {
        (wanted.is_empty() || wanted.contains(&job.scene))
            && job.seconds <= limit
            && places.contains(&job.place.as_str())
    });
    if jobs.is_empty() {
        bail!("{} has no line of at most {limit} s on {}", file.display(), places.join(" or "));
    }
    Ok(jobs)
}

/// Runs all jobs, one on each core: the passes of most scenes are too short to be shared by threads. Prints as they end, in
/// their order.
fn run_all(jobs: &[Job], request: &Request) -> anyhow::Result<Vec<u64>> {
    let next = AtomicUsize::new(0);
    let ended = Mutex::new((vec![None; jobs.len()], 0));
    let work = || -> anyhow::Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { return Ok(()) };
            let outcome = pool.install(|| -> anyhow::Result<u64> {
                let (mut scene, _) = scene_argument::load(job.scene.as_ref())?;
                request.settings.apply(&mut scene)?;
                job.run(&scene, request.adapter).with_context(|| format!("{} on {}", job.scene, job.place))
            });
            if outcome.is_err() {
                next.store(jobs.len(), Ordering::Relaxed);
            }
            let hash = outcome?;
            let mut ended = ended.lock().expect("no worker panics while it prints");
            let (hashes, printed) = &mut *ended;
            hashes[index] = Some(hash);
            while let Some(Some(hash)) = hashes.get(*printed) {
                report(&jobs[*printed], *hash)?;
                *printed += 1;
            }
        }
    };
    // A software device has all cores already.
    let workers = if request.device { 1 } else { rayon::current_num_threads() };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("workers return their errors"))
    })?;
    let (hashes, _) = ended.into_inner().expect("no worker panics while it prints");
    Ok(hashes.into_iter().flatten().collect())
}

fn report(job: &Job, hash: u64) -> anyhow::Result<()> {
    match job.recorded {
        None => print(job.line(hash)),
        Some(recorded) if recorded == hash => {
            note(format_args!("{} {} {}: the same", job.scene, job.seconds, job.place));
            Ok(())
        }
        Some(recorded) => print(format_args!("{} (recorded: {recorded:016x})", job.line(hash))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        let job = Job { scene: "flag".into(), seconds: 0.25, place: "f64".into(), recorded: Some(0xabc) };
        assert_eq!(Job::read(&job.line(0xabc)), Some(job));
        for wrong in
            ["", "flag", "flag 1 f32", "flag 1 f16 0", "flag x f32 0", "flag -1 f32 0", "flag 1 f32 z"]
        {
            assert_eq!(Job::read(wrong), None, "{wrong}");
        }
    }
}
