//! Every kernel on the device against its twin, and proof that the comparison would notice an error in the shader.
//!
//! Small scenes of all families run on the CPU for a while, so that everything is under way. Then some passes of each kernel
//! run on the device too, from the same contents, and must agree with the twin. The same passes run with errors of one
//! per cent planted in the shader, one store at a time, and the comparison must notice each of them, even if only the
//! smaller half of the stored values had it: otherwise a few large values hide what is wrong with all others.

mod plants;
mod primitives;
mod stages;

use plants::Plant;
use sinew::compute::{
    AdapterChoice, ColumnId, CpuExecutor, Data, Difference, Executor, Gpu, GpuExecutor, Pass, Passes, Run,
    Tables, Transaction, compare_buffer, written,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::Instant;

/// Passes of a kernel that are looked at in one scene, at most.
const LOOKS: usize = 4;
/// Scenes in which an error is planted in vain before it is given up, if another component of the same store is noticed.
const TRIES: u32 = 2;
/// Buffers with rows of different things, and how many elements a row has.
const KINDS: &[(&str, usize)] = &[
    ("net_rows", 11),
    ("net_factors", 6),
    ("net_work", 3),
    ("rod_work", 16),
    ("corde_loads", 2),
    ("damp_motions", 4),
    ("histories", 3),
    ("pasts", 3),
    ("frame_pasts", 3),
    ("rigid_motions", 7),
    ("node_places", 2),
    ("induced_places", 2),
    ("soft_places", 3),
    ("magnet_loads", 3),
    ("chunk_sums", 3),
    ("magnet_sums", 2),
    ("field_sources", 5),
    ("touch_impulses", 2),
    ("contact_boxes", 2),
    ("joint_states", 4),
    ("anchor_states", 2),
    ("cluster_states", 4),
    ("member_pulls", 2),
    ("cell_poses", 3),
    ("cell_changes", 2),
    ("cell_touches", 11),
    ("cell_skins", 2),
    ("bond_blocks", 12),
    ("bond_cg_residuals", 2),
    ("bond_cg_changes", 2),
    ("bond_grid0_guess", 2),
    ("bond_grid0_values", 2),
];
/// Stores of what rounding left over: a hundredth of that is far below rounding itself.
const ROUNDING: [&str; 1] = ["frames[2u * k + 1u] ="];

/// Changes buffers as a user of the window would.
type Preparation = Box<dyn Fn(&mut dyn Executor)>;

/// What is run: passes over buffers, from the contents at hand.
struct Stage {
    name: String,
    buffers: Tables,
    passes: Passes,
    /// Run before anything is looked at.
    before: Vec<Run>,
    /// f32 rounding after one pass, relative to the size of the buffer's values.
    tolerance: f64,
    /// What a user does before that.
    prepare: Preparation,
}

/// What became of a planted error.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    /// No pass came to the store, or it stored zero.
    Unreached,
    /// The largest relative difference that it made, and where.
    Unnoticed(f64, String),
    Noticed,
}

struct Planted {
    plant: Plant,
    fate: Fate,
    /// Scenes that had it.
    tries: u32,
}

impl Planted {
    /// Whether it is worth planting once more.
    fn is_open(&self) -> bool {
        match self.fate {
            Fate::Noticed => false,
            Fate::Unreached => self.plant.wrong != "plant_w" || self.tries < TRIES,
            Fate::Unnoticed(..) => true,
        }
    }
}

/// All planted errors by the kernel's path, in the order of their stores.
type Field = BTreeMap<&'static str, Mutex<Vec<Planted>>>;

fn plant_all() -> Field {
    let plants = |kernel| {
        plants::plants(kernel).into_iter().map(|plant| Planted { plant, fate: Fate::Unreached, tries: 0 })
    };
    sinew::kernels().map(|kernel| (kernel.path, Mutex::new(plants(kernel).collect()))).collect()
}

#[test]
fn every_kernel_matches_its_twin_and_no_error_of_one_per_cent_goes_unnoticed() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| {
        panic!("{error}\nthis test compares with a device: install the package `mesa-vulkan-drivers`")
    });
    eprintln!("compared on {}", gpu.report.title());
    let field = plant_all();
    let parted = Mutex::new(Vec::new());
    let stages = Mutex::new(stages::all().into_iter().chain(primitives::all()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(make) = { stages.lock().unwrap().next() } {
                    let start = Instant::now();
                    let stage = make();
                    let (largest, count) = look(&gpu, &stage, &field, &parted);
                    let (name, seconds) = (&stage.name, start.elapsed().as_secs_f64());
                    eprintln!("{name}: {count} passes, largest difference {largest:.1e}, {seconds:.1} s");
                }
            });
        }
    });
    let parted = parted.into_inner().unwrap();
    let planted: Vec<Planted> =
        field.into_values().flat_map(|planted| planted.into_inner().unwrap()).collect();
    let missed: Vec<String> = planted.iter().filter_map(|error| missed(error, &planted)).collect();
    eprintln!("{} errors were planted", planted.len());
    assert!(
        parted.is_empty() && missed.is_empty(),
        "{} passes differ:\n{}\n{} of {} errors went unnoticed:\n{}",
        parted.len(),
        parted.join("\n"),
        missed.len(),
        planted.len(),
        missed.join("\n")
    );
}

/// Why an error went unnoticed and should not have.
fn missed(error: &Planted, all: &[Planted]) -> Option<String> {
    let Plant { statement, wrong, .. } = &error.plant;
    let is_rounding = ROUNDING.iter().any(|place| statement.contains(place));
    // A component that is zero wherever another one of the same store was noticed is padding.
    let is_padding = || all.iter().any(|e| e.plant.statement == *statement && e.fate == Fate::Noticed);
    match &error.fate {
        Fate::Noticed => None,
        Fate::Unreached if is_padding() => None,
        Fate::Unreached => Some(format!("never reached, {wrong}: {statement}")),
        Fate::Unnoticed(..) if is_rounding => None,
        Fate::Unnoticed(relative, at) => Some(format!("{relative:.1e} in {at}, {wrong}: {statement}")),
    }
}

/// Compares some passes of each kernel, with and without errors. Returns the largest difference without, and how many
/// passes were compared.
fn look(gpu: &Gpu, stage: &Stage, field: &Field, parted: &Mutex<Vec<String>>) -> (f64, usize) {
    let passes = &stage.passes;
    let buffers = &with_room(stage);
    let mut cpu = CpuExecutor::<f32>::new(buffers, passes);
    (stage.prepare)(&mut cpu);
    cpu.execute(&stage.before).unwrap();
    let looked = choose(passes);
    let mut devices: HashMap<&str, (GpuExecutor, Vec<usize>)> = HashMap::new();
    let (mut largest, mut count) = (0.0f64, 0);
    for (index, pass) in passes.list.iter().enumerate() {
        let run = [Run { passes: index..index + 1, times: 1 }];
        let places = &looked[pass.kernel.path];
        let Some(place) = places.iter().position(|&other| other == index) else {
            cpu.execute(&run).unwrap();
            continue;
        };
        // Passes over rows that the device counts find in the launches how many there are.
        let launches =
            buffers.find("launches").filter(|id| pass.extent.is_some() && !pass.buffers.contains(id));
        let given = pass.buffers.iter().copied().chain(launches);
        let inputs: Vec<(ColumnId, Data)> = given.map(|id| (id, cpu.read(id).unwrap())).collect();
        cpu.execute(&run).unwrap();
        let mut planted = field[pass.kernel.path].lock().unwrap();
        let (device, open) = devices.entry(pass.kernel.path).or_insert_with(|| {
            let open: Vec<usize> = (0..planted.len()).filter(|&number| planted[number].is_open()).collect();
            open.iter().for_each(|&number| planted[number].tries += 1);
            let of = |&index: &usize| {
                let pass: &Pass = &passes.list[index];
                let wrong = open.iter().map(|&k| {
                    let mut wrong = pass.clone();
                    wrong.kernel = planted[k].plant.kernel;
                    wrong
                });
                [pass.clone()].into_iter().chain(wrong).collect::<Vec<_>>()
            };
            let mut variants = passes.clone();
            variants.list = places.iter().flat_map(of).collect();
            (GpuExecutor::new(gpu, buffers, &variants).unwrap(), open)
        });
        let variants = 1 + open.len();
        // What lies beyond the rows in use means nothing.
        let live: HashMap<ColumnId, usize> =
            written(pass).map(|id| (id, buffers.read_live(&mut cpu, id).unwrap().len())).collect();
        let mut outputs = |variant: usize| -> Vec<(ColumnId, Data)> {
            inputs.iter().for_each(|(id, data)| device.write(*id, data).unwrap());
            let first = place * variants + variant;
            device.execute(&[Run { passes: first..first + 1, times: 1 }]).unwrap();
            written(pass).map(|id| (id, device.read(id).unwrap().first(live[&id]))).collect()
        };
        let positions = buffers.find("positions").map(|id| cpu.read(id).unwrap());
        let mut difference = |id: ColumnId, found: &Data| -> Result<f64, Difference> {
            let before =
                &inputs.iter().find(|(input, _)| *input == id).expect("a pass is given what it writes").1;
            let [before, after] = [before.clone(), cpu.read(id).unwrap()].map(|data| data.first(live[&id]));
            let mut largest = 0.0f64;
            for [after, found] in kinds(buffers, id, [&before, &after, found]) {
                let contents = [&after, &found];
                let tolerance = stage.tolerance;
                let part =
                    compare_buffer(buffers, passes, index, id, contents, positions.as_ref(), tolerance)?;
                largest = largest.max(part);
            }
            Ok(largest)
        };
        let right = outputs(0);
        for (id, found) in &right {
            match difference(*id, found) {
                Ok(relative) => largest = largest.max(relative),
                Err(difference) => parted.lock().unwrap().push(format!("{}: {difference}", stage.name)),
            }
        }
        count += 1;
        for (variant, &number) in open.iter().enumerate() {
            let error = &mut planted[number];
            if error.fate == Fate::Noticed {
                continue;
            }
            for ((id, right), (_, wrong)) in right.iter().zip(outputs(1 + variant)) {
                let Some(small) = smaller_half(buffers.element(*id).width(), right, &wrong) else { continue };
                error.fate = match (difference(*id, &small), &error.fate) {
                    (Err(_), _) => Fate::Noticed,
                    (Ok(relative), Fate::Unnoticed(best, _)) if relative <= *best => error.fate.clone(),
                    (Ok(relative), _) => {
                        Fate::Unnoticed(relative, format!("{} `{}`", stage.name, buffers.name(*id)))
                    }
                };
                if error.fate == Fate::Noticed {
                    break;
                }
            }
        }
    }
    (largest, count)
}

/// The tables with room for all rows that a stage wants to count, so that nothing has to be repeated.
fn with_room(stage: &Stage) -> Tables {
    let mut buffers = stage.buffers.clone();
    if !buffers.can_be_short() {
        return buffers;
    }
    let mut cpu = CpuExecutor::<f32>::new(&buffers, &stage.passes);
    (stage.prepare)(&mut cpu);
    let mut transaction = Transaction::begin(&mut cpu, &buffers).unwrap();
    loop {
        cpu.execute(&stage.before).unwrap();
        cpu.execute(&[Run { passes: 0..stage.passes.list.len(), times: 1 }]).unwrap();
        if transaction.end(&mut cpu, &mut buffers).unwrap().is_some() {
            return buffers;
        }
    }
}

/// What a pass has left on two backends, apart for each kind of element, and only where it has changed anything: what others
/// have written to the same buffer sets no scale.
fn kinds(buffers: &Tables, id: ColumnId, [before, after, found]: [&Data; 3]) -> Vec<[Data; 2]> {
    let width = buffers.element(id).width();
    let (Data::Reals(before), Data::Reals(after), Data::Reals(found)) = (before, after, found) else {
        return vec![[after.clone(), found.clone()]];
    };
    let count = KINDS.iter().find(|(name, _)| *name == buffers.name(id)).map_or(1, |(_, count)| *count);
    let element = |values: &[f64], k: usize| values[k * width..][..width].to_vec();
    let of_kind = |kind: usize| {
        let all = (kind..after.len() / width).step_by(count);
        let changed: Vec<usize> = all
            .filter(|&k| element(after, k) != element(before, k) || element(found, k) != element(before, k))
            .collect();
        [after, found].map(|values| Data::Reals(changed.iter().flat_map(|&k| element(values, k)).collect()))
    };
    (0..count).map(of_kind).collect()
}

/// The passes of each kernel that are looked at: different ones, as far as possible apart.
fn choose(passes: &Passes) -> HashMap<&'static str, Vec<usize>> {
    let mut all: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, pass) in passes.list.iter().enumerate() {
        all.entry(pass.kernel.path).or_default().push(index);
    }
    let spread = |list: Vec<usize>| match list.len() {
        count if count <= LOOKS => list,
        count => (0..LOOKS).map(|k| list[k * (count - 1) / (LOOKS - 1)]).collect(),
    };
    all.into_iter().map(|(path, list)| (path, spread(list))).collect()
}

/// The right contents with the wrong ones where they differ least: in half of the elements, or in the only one. Nothing if they
/// do not differ.
fn smaller_half(width: usize, right: &Data, wrong: &Data) -> Option<Data> {
    match (right, wrong) {
        (Data::Reals(right), Data::Reals(wrong)) => {
            let change = |k: usize| {
                let [a, b] = [right, wrong].map(|values| &values[k * width..][..width]);
                let size = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                if a.iter().chain(b).all(|x| x.is_finite()) { size } else { f64::INFINITY }
            };
            let mut changed: Vec<usize> = (0..right.len() / width).filter(|&k| change(k) > 0.0).collect();
            changed.sort_by(|&a, &b| change(a).total_cmp(&change(b)));
            changed.truncate(changed.len().div_ceil(2));
            let mut mixed = right.clone();
            for &k in &changed {
                mixed[k * width..][..width].copy_from_slice(&wrong[k * width..][..width]);
            }
            (!changed.is_empty()).then_some(Data::Reals(mixed))
        }
        _ => (right != wrong).then(|| wrong.clone()),
    }
}
