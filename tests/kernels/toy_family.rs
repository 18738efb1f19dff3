//! A family that the library does not know: a kind of body with its table in scene files, a table of state, a kernel with its
//! twin, a measure and a colour, all declared here and in `toy_cool.wgsl`.

use glam::DVec3;
use sinew::compute::{
    AdapterChoice, ComputeError, CpuExecutor, Executor, Gpu, GpuExecutor, Kernel, Launch, Role, compare_pass,
};
use sinew::export::write_vtu;
use sinew::math::Real;
use sinew::model::Model;
use sinew::render::{Film, Offscreen, Overlays, Presenter, Renderer, SceneDrawing};
use sinew::scene::keys::{Declared, Keys, Lens};
use sinew::scene::{
    BodyTable, BuildContext, Checked, ColourBy, Kind, Kinds, OtherGeometry, Pin, Scene, SceneError,
    SceneGeometry,
};
use sinew::solver::{Cores, Families, Solver};
use sinew::step::{Columns, Family, Field, Measure, Member, Stage, StageList, Step, Values};
use sinew::{Options, Precision, Simulation, at};

/// Embers in a row, which cool.
#[derive(Debug, Clone, PartialEq, Default)]
struct Embers {
    name: String,
    from: DVec3,
    count: u32,
    temperature: f64,
    cooling: f64,
    pin: Vec<Pin>,
}

impl Declared for Embers {
    fn declare(k: &mut Keys<Self>) {
        k.value("name", at!(name)).says("what it is called");
        k.value("from", at!(from)).finite("m").required().says("the first");
        k.value("count", at!(count)).whole(2, 1000).required().says("how many, 0.1 m apart");
        k.value("temperature", at!(temperature)).positive("K").required().says("of the first at the start");
        k.value("cooling", at!(cooling)).positive("1/s").required().says("rate of all");
    }
}

impl BodyTable for Embers {
    const KIND: &'static str = "embers";
    const DOC: &'static str = "embers in a row, which cool";
    const NAME: Lens<Self, String> = at!(name);
    const PINS: Lens<Self, Vec<Pin>> = at!(pin);
    const COLOURS: &'static [&'static str] = &["temperature"];

    fn particle_count(&self) -> u64 {
        self.count.into()
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<(), SceneError> {
        let all = 0..self.count;
        let share = |i: u32| 1.0 - f64::from(i) / f64::from(self.count - 1);
        geometry.other.push(OtherGeometry {
            name: context.name.clone(),
            radius: 0.04,
            positions: all.clone().map(|i| self.from + DVec3::X * (0.1 * f64::from(i))).collect(),
            masses: vec![0.1; self.count as usize],
            given: vec![
                ("temperature", all.map(|i| self.temperature * share(i)).collect()),
                ("cooling", vec![self.cooling; self.count as usize]),
            ],
            ..OtherGeometry::default()
        });
        Ok(())
    }
}

sinew::external_kernel! {
    // SAFETY: an invocation touches the temperature of its own row and no other.
    unsafe "toy/cool", include_str!("toy_cool.wgsl") => cool per Invocation {
        read ember_cooling: real,       // [1/s]
        write temperature: real,        // above the surroundings [K]
    }
}

fn cool<R: Real>(b: &Bindings<R>, i: u32) {
    let t = b.temperature.get(i);
    b.temperature.set(i, t - b.launch.dt * b.ember_cooling[i as usize] * t);
}

struct Cooling;

static COOLING: Cooling = Cooling;
static KERNELS: &[&Kernel] = &[&KERNEL];
static EMBERS: Kind = Kind::of::<Embers>();

impl Family for Cooling {
    fn name(&self) -> &'static str {
        "embers"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let (Some(temperature), Some(cooling)) = (model.given("temperature"), model.given("cooling")) else {
            return Ok(());
        };
        let embers: Vec<u32> =
            (0..model.particle_count() as u32).filter(|&p| !temperature[p as usize].is_nan()).collect();
        let of_embers = |values: &[f64]| embers.iter().map(|&p| values[p as usize]).collect();
        let count = embers.len() as u32;
        step.buffers.reals("temperature", Role::State, of_embers(temperature))?;
        step.buffers.reals("ember_cooling", Role::Model, of_embers(cooling))?;
        step.buffers.uints("ember_particles", Role::Model, embers)?;
        step.buffers.refer("ember_particles", 1, "particles")?;
        step.buffers.gather("embers", count, &["temperature", "ember_cooling", "ember_particles"])?;
        step.join(Cool { count });
        Ok(())
    }

    fn fields(&self) -> &'static [Field] {
        &[Field { name: "temperature", title: "temperature", unit: "K", values: Values::Table("embers") }]
    }

    fn measure(
        &self,
        _: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        if let Some(temperature) = state.column("temperature")? {
            let hottest = temperature.reals().iter().copied().fold(0.0, f64::max);
            into.push(Measure { name: "hottest".into(), unit: "K", value: hottest });
        }
        Ok(())
    }
}

struct Cool {
    count: u32,
}

impl Member for Cool {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::After => list.run(&KERNEL, Launch::over(self.count)),
            _ => Ok(()),
        }
    }
}

const TEXT: &str = "format = 1\ntime_step = 0.01\nsubsteps = 4\n\
    [render]\nsize = [320, 180]\ncolour = \"temperature\"\n\
    [[cloth]]\ngrid = { size = [0.5, 0.5], cells = [4, 4] }\nposition = [0.4, 0.5, 0]\n\
    [[embers]]\nname = \"row\"\nfrom = [0, 1, 0]\ncount = 9\ntemperature = 600\ncooling = 8\n";

const STEPS: u32 = 20;

fn kinds() -> Kinds {
    Kinds::standard().with(&EMBERS)
}

fn scene() -> Checked {
    Checked::parse(TEXT, "toy.toml", "", &kinds()).unwrap()
}

fn options(options: Options) -> Options {
    Options { families: Families::standard().with(&COOLING), ..options }
}

/// T₀ (1 − c dt)ⁿ of the ember that was this share as hot as the first.
fn cooled(share: f64, substeps: u32) -> f64 {
    600.0 * share * (1.0f64 - 8.0 * 0.0025).powi(substeps as i32)
}

fn gpu() -> Gpu {
    Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn its_colour_is_a_word_of_scene_files() {
    let scene = scene().into_scene();
    assert_eq!(scene.render.colour, ColourBy::Field("temperature"));
    let written = scene.to_toml().unwrap();
    assert_eq!(Scene::parse_with(&written, "written", "", &kinds()), Ok(scene), "{written}");
    let error = Checked::parse(&TEXT.replace("\"temp", "\"tmep"), "toy.toml", "", &kinds()).unwrap_err();
    assert!(error.to_string().contains("did you mean `temperature`?"), "{error}");
    let without = Scene::parse("format = 1\n[render]\ncolour = \"temperature\"\n", "toy.toml", "");
    assert!(without.unwrap_err().to_string().contains("`colour` cannot be \"temperature\""));
    let words = sinew::json_schema(&kinds())["properties"]["render"]["properties"]["colour"].to_string();
    assert!(words.contains("\"temperature\"") && words.contains("\"velocity\""), "{words}");
}

#[test]
fn its_state_follows_the_law_on_every_backend() {
    for (options, tolerance) in [
        (options(Options::cpu(Precision::F64)), 1e-12),
        (options(Options::cpu(Precision::F32)), 1e-5),
        (options(Options::gpu()), 1e-5),
    ] {
        let mut simulation = Simulation::new(&scene(), &options).unwrap();
        let field = *simulation.fields().last().unwrap();
        assert_eq!((field.name, field.unit), ("temperature", "K"));
        simulation.advance(STEPS / 2).unwrap();
        let saved = simulation.state().unwrap().clone();
        simulation.advance(1).unwrap();
        simulation.restore(&saved).unwrap();
        simulation.advance(STEPS / 2).unwrap();
        let values = simulation.field(field).unwrap();
        let values = simulation.model().order.undo(&values);
        let (cloth, embers) = values.split_at(25);
        assert!(cloth.iter().all(|value| value.is_nan()), "{cloth:?}");
        for (i, value) in embers.iter().enumerate() {
            let expected = cooled(1.0 - i as f64 / 8.0, 4 * STEPS);
            assert!((value - expected).abs() <= tolerance * 600.0, "{i}: {value}, not {expected}");
        }
        let measures = simulation.family_measures().unwrap();
        assert_eq!(
            measures.iter().map(|measure| (&*measure.name, measure.unit)).collect::<Vec<_>>(),
            [("hottest", "K")]
        );
        assert!((measures[0].value - cooled(1.0, 4 * STEPS)).abs() <= tolerance * 600.0);
    }
}

#[test]
fn its_kernel_equals_its_twin() {
    let model = Model::new(&scene()).unwrap();
    let families = Families::standard().with(&COOLING);
    let solver = Solver::with_families(&model, &families, Cores::Many).unwrap();
    let (buffers, passes) = (&solver.buffers, &solver.passes);
    let cooling = passes.list.iter().position(|pass| pass.kernel.name == "cool").unwrap();
    let mut device = GpuExecutor::new(&gpu(), buffers, passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(buffers, passes);
    for _ in 0..30 {
        let executors: [&mut dyn Executor; 2] = [&mut device, &mut cpu];
        compare_pass(buffers, passes, cooling, executors, 1e-6).unwrap().unwrap();
    }
    let heat = buffers.find("temperature").unwrap();
    let hottest = device.read(heat).unwrap().reals()[0];
    assert!((hottest - cooled(1.0, 30)).abs() < 1e-2, "{hottest}");
}

#[test]
fn its_colour_has_a_legend_and_shows() {
    let (scene, gpu) = (scene(), gpu());
    let mut simulation = Simulation::new(&scene, &options(Options::cpu(Precision::F32))).unwrap();
    simulation.advance(2).unwrap();
    let renderer = Renderer::new(&gpu.device, &gpu.queue, Offscreen::FORMAT);
    let drawing = SceneDrawing::new(&renderer, &scene, simulation.model(), Overlays::default(), 1.0).unwrap();
    let mut presenter = Presenter::new(&renderer, &drawing).unwrap();
    let shown = presenter.show(&renderer, &mut simulation, scene.render.colour, None).unwrap();
    let legend = shown.legend.unwrap();
    assert_eq!((legend.title, legend.unit), ("temperature", "K"));
    assert!(legend.range[0] == 0.0 && (legend.range[1] - cooled(1.0, 8)).abs() < 0.01, "{legend:?}");
    let picture = |simulation: &mut Simulation, colour: ColourBy| {
        let mut scene = scene.scene().clone();
        scene.render.colour = colour;
        Film::new(&gpu, &scene, simulation).unwrap().draw(simulation).unwrap()
    };
    let hot = picture(&mut simulation, scene.render.colour);
    let plain = picture(&mut simulation, ColourBy::Body);
    let differ = hot.pixels.chunks(4).zip(plain.pixels.chunks(4)).filter(|(a, b)| a != b).count();
    assert!(differ > 500, "{differ} pixels differ");
}

#[test]
fn its_field_is_in_exported_files() {
    let mut simulation = Simulation::new(&scene(), &options(Options::cpu(Precision::F32))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy.vtu");
    simulation.snapshot(|snapshot| write_vtu(&path, snapshot)).unwrap().unwrap();
    let file = std::fs::read(path).unwrap();
    assert!(String::from_utf8_lossy(&file).contains("Name=\"temperature\""));
}
