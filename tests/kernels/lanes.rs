//! Kernels in lanes against their scalar twins: every bit of every buffer.

use sinew::compute::{CpuExecutor, Data, Element, Executor, Kernel, Launch, Passes, Role, Run, Tables};
use sinew::constraints::distance::{self, MATERIALS, pack};
use sinew::constraints::distance_jacobi::{self};
use sinew::constraints::iterate::KEEP;
use sinew::math::Width;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::Solver;

const WIDTHS: [Width; 2] = [Width::Four, Width::Eight];

/// A small generator of the same numbers on every machine (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end)) as u32
    }

    /// An f32 in −1 … 1, so that all widths start from the same bits.
    fn real(&mut self) -> f64 {
        f64::from((self.next() >> 40) as f32 / (1u32 << 23) as f32 - 1.0)
    }
}

/// Zeros of either sign are told apart, which `==` does not.
fn bits(data: &Data) -> Vec<u64> {
    match data {
        Data::Reals(v) => v.iter().map(|x| x.to_bits()).collect(),
        Data::Uints(v) => v.iter().map(|&x| x.into()).collect(),
    }
}

/// The contents of all buffers after a run.
fn contents(buffers: &Tables, passes: &Passes, runs: &[Run], width: Width) -> Vec<(String, Vec<u64>)> {
    let mut cpu = CpuExecutor::<f32>::new(buffers, passes).with_width(width);
    cpu.execute(runs).unwrap();
    buffers.ids().map(|id| (buffers.name(id).to_string(), bits(&cpu.read(id).unwrap()))).collect()
}

fn assert_widths_agree(buffers: &Tables, passes: &Passes, runs: &[Run], what: &str) {
    let scalar = contents(buffers, passes, runs, Width::One);
    for width in WIDTHS {
        for ((name, expected), (_, found)) in scalar.iter().zip(contents(buffers, passes, runs, width)) {
            let different = expected.iter().zip(&found).position(|(a, b)| a != b);
            assert_eq!(different, None, "{what}, {width:?} lanes: `{name}` differs first at this scalar");
        }
    }
}

#[test]
fn every_kernel_in_lanes_is_compared() {
    let mut in_lanes: Vec<&str> =
        sinew::kernels().filter(|kernel| kernel.lanes_f32.is_some()).map(|kernel| kernel.name).collect();
    let particles = ["finish", "predict"];
    let frames = ["finish_frames", "predict_frames"];
    let links = ["distance", "distance_jacobi"];
    let rods = ["bend_twist", "gather_rods", "project_rods", "solve_chain", "stretch_shear", "walk_rods"];
    let solids = ["tet_change", "tet_position"];
    let multigrid = ["grid_smooth", "matrix_product"];
    let mut compared = [&particles[..], &frames, &links, &rods, &solids, &multigrid].concat();
    in_lanes.sort_unstable();
    compared.sort_unstable();
    assert_eq!(in_lanes, compared);
}

/// Particles that move, coincide or are fixed, materials with slack, and what a substep knows.
fn add_particles(random: &mut Random, buffers: &mut Tables, count: u32) {
    let mut positions: Vec<[f64; 4]> = Vec::new();
    let mut offsets: Vec<[f64; 4]> = Vec::new();
    for i in 0..count as usize {
        let fixed = i == 0 || random.below(5) == 0;
        let w = if fixed { 0.0 } else { 1.5 + random.real() };
        let mut x = [random.real(), random.real(), random.real(), w];
        let mut o = [random.real(), -0.0, random.real(), 3.0 * w].map(|c| c * 0.125);
        if i > 0 && random.below(6) == 0 {
            // In the same place as the one before: a link between them has no direction.
            x[..3].copy_from_slice(&positions[i - 1][..3]);
            o[..3].copy_from_slice(&offsets[i - 1][..3]);
        }
        positions.push(x);
        offsets.push(o);
    }
    let before = (0..count).map(|_| [random.real(), random.real(), random.real(), 0.0]).collect();
    buffers.real4s("positions", Role::State, positions).unwrap();
    buffers.real4s("offsets", Role::Scratch, offsets).unwrap();
    buffers.real4s("offsets_next", Role::Scratch, before).unwrap();
    let materials = (0..MATERIALS).flat_map(|_| [random.real(), random.real()]).map(|x| x * 1e-3).collect();
    buffers.add("distance_materials", Element::Real, Role::Uniform, Data::Reals(materials)).unwrap();
    let world = [[0.0, -9.81, 0.0, 0.0], [0.0; 4], [1.0, 1.25, 0.0, 0.0], [0.0; 4]];
    let world = Data::Reals(world.as_flattened()[..13].to_vec());
    buffers.add("world", Element::Real, Role::Uniform, world).unwrap();
}

fn run_once(kernel: &'static Kernel, buffers: &Tables, launch: Launch<f64>, what: &str) {
    let mut passes = Passes::with_dt(0.001);
    passes.run(buffers, kernel, launch).unwrap();
    assert_widths_agree(buffers, &passes, &[Run { passes: 0..1, times: 1 }], what);
}

/// Links of one colour: no two share a particle that moves, but several share particle 0, which is fixed.
#[test]
fn distance_in_lanes_has_the_bits_of_its_twin() {
    let mut random = Random(7);
    for count in [1, 3, 4, 7, 8, 9, 61, 3000] {
        let mut buffers = Tables::new();
        add_particles(&mut random, &mut buffers, 2 * count + 2);
        let ends: Vec<[u32; 2]> = (0..count)
            .map(|k| {
                let material = random.below(MATERIALS as u32);
                let first = if random.below(8) == 0 { 0 } else { 2 * k + 1 };
                [first, pack(2 * k + 2, material)]
            })
            .collect();
        let rest: Vec<f64> = (0..2 * count).map(|_| random.real().abs()).collect();
        let lambdas = (0..count).map(|_| random.real()).collect();
        buffers.uint2s("distance_ends", Role::Model, ends).unwrap();
        buffers.add("distance_rest", Element::Real2, Role::Model, Data::Reals(rest)).unwrap();
        buffers.reals("distance_lambdas", Role::Scratch, lambdas).unwrap();
        for (first, index, flags) in [(0, 0, 0), (0, 0, KEEP), (0, 3, KEEP), (1, 3, KEEP), (3, 3, 0)] {
            if first >= count {
                continue;
            }
            let range = first..count;
            let launch = Launch { index, flags, weight: 1.0, ..Launch::range(&range) };
            run_once(
                &distance::KERNEL,
                &buffers,
                launch,
                &format!("{range:?}, iteration {index}, flags {flags}"),
            );
        }
    }
}

#[test]
fn distance_jacobi_in_lanes_has_the_bits_of_its_twin() {
    let mut random = Random(11);
    for count in [1, 5, 8, 13, 64, 67, 3001u32] {
        let mut buffers = Tables::new();
        add_particles(&mut random, &mut buffers, count);
        let mut starts = vec![0];
        for _ in 0..count.div_ceil(8) {
            starts.push(starts[starts.len() - 1] + 8 * random.below(4));
        }
        let cells = starts[starts.len() - 1];
        // Also links to the particle itself and to its double.
        let slots = (0..cells).map(|_| [(); 4].map(|()| random.below(count))).collect();
        let mut four = || [random.real(), random.real(), random.real(), random.real()];
        // Negative compliances are slack.
        let rest = (0..cells)
            .flat_map(|_| [four().map(f64::abs), four().map(|c| 1e-3 * c), four().map(|c| 1e-3 * c)])
            .collect();
        let lambdas = (0..cells).map(|_| four()).collect();
        let lambdas_before = (0..cells).map(|_| four()).collect();
        buffers.uints("distance_starts", Role::Model, starts).unwrap();
        buffers.uint4s("distance_slots", Role::Model, slots).unwrap();
        buffers.real4s("distance_rest", Role::Model, rest).unwrap();
        buffers.real4s("distance_lambdas", Role::Scratch, lambdas).unwrap();
        buffers.real4s("distance_lambdas_next", Role::Scratch, lambdas_before).unwrap();
        for (index, flags, weight) in
            [(0, 0, 1.0), (0, KEEP, 1.0), (1, KEEP, 1.5), (2, KEEP, 1.25), (3, 0, 1.0)]
        {
            let launch = Launch { index, flags, weight, ..Launch::over(count) };
            let what = format!("{count} particles, iteration {index}, flags {flags}, weight {weight}");
            run_once(&distance_jacobi::KERNEL, &buffers, launch, &what);
        }
    }
}

const SCENES: [&str; 3] = [
    "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [50, 41] }\nbending = \"distance\"\nbending_stiffness = 5.0\n\
     tethers = { slack = 1.0 }\n[[cloth.pin]]\ncorners = [\"top_left\", \"top_right\"]\n",
    "[[cloth]]\ndisc = { radius = 0.5, rings = 20 }\ncompression_stiffness = 10.0\n[[cloth.pin]]\nindices = [0, 7]\n",
    "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [60, 60] }\nbending = \"isometric\"\nbending_stiffness = 1e-3\n\
     [[cloth.pin]]\ncorners = [\"top_left\"]\nrelease = 0.03\n[[collider]]\nname = \"floor\"\nplane = { normal = [0, 1, 0] }\n\
     position = [0.0, -0.55, 0.0]\n",
];

#[test]
fn simulations_have_the_same_bits_in_all_widths_and_on_any_number_of_threads() {
    for (number, bodies) in SCENES.iter().enumerate() {
        for settings in [
            "solver = \"coloured\"\nsubsteps = 4\niterations = 1",
            "solver = \"coloured\"\nsubsteps = 1\niterations = 5\nrelaxation = 1.2",
            "solver = \"jacobi\"\nsubsteps = 4\niterations = 1",
            "solver = \"jacobi\"\nsubsteps = 1\niterations = 6\nchebyshev = 0.9",
        ] {
            let text = format!("format = 1\n{settings}\n{bodies}");
            assert_same_bits(&text, &format!("scene {number}, {settings}"));
        }
    }
}

/// A sheet and a solid, of several levels each.
#[test]
fn multigrid_has_the_same_bits_in_all_widths_and_on_any_number_of_threads() {
    let text = "format = 1\nsubsteps = 1\npreconditioner = \"multigrid\"\nconjugate_gradients = { iterations = 3 }\n\
        [[cloth]]\nmodel = \"green\"\ngrid = { size = [1.0, 1.0], cells = [45, 37] }\n\
        [[cloth.pin]]\ncorners = [\"top_left\", \"top_right\"]\n\
        [[solid]]\nbox = { size = [1.0, 0.5, 0.5], cells = [10, 5, 5] }\nposition = [0.0, 2.0, 0.0]\n";
    assert_same_bits(text, "multigrid");
}

/// Four steps in all widths and on several numbers of threads.
fn assert_same_bits(text: &str, what: &str) {
    let scene = Scene::parse(text, "lanes.toml", "").unwrap_or_else(|error| panic!("{error}"));
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    let run = |width, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| contents(&solver.buffers, &solver.passes, &solver.steps(4), width))
    };
    let expected = run(Width::One, 1);
    for (width, threads) in
        [(Width::One, 2), (Width::Four, 1), (Width::Eight, 1), (Width::Eight, 2), (Width::Eight, 4)]
    {
        for ((name, a), (_, b)) in expected.iter().zip(&run(width, threads)) {
            let different = a.iter().zip(b).position(|(a, b)| a != b);
            assert_eq!(
                different, None,
                "{what}, {width:?} lanes, {threads} threads: `{name}` differs first at this scalar"
            );
        }
    }
}
