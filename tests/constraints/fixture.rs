//! Random elements of every constraint, and what it takes to run one pass over them.

use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, Kernel, Launch, Passes, Role, Run, Tables};
use sinew::constraints::iterate::{JACOBI, KEEP};
use sinew::constraints::{area, attachment, dihedral, isometric, volume};
use sinew::math::{Vec3, Vec4};
use sinew::particles::World;
use std::sync::OnceLock;

/// Elements per pass.
pub const ELEMENTS: u32 = 1000;
/// Elements before the pass's first one: a pass is a part of its list.
pub const FIRST: u32 = 5;
/// Where the pass's corrections begin in Jacobi.
pub const BASE: u32 = 7;
/// What the slots hold before the pass: a power of two far below any correction, so that comparisons take no size from it.
pub const UNWRITTEN: f64 = 1.0 / (1u128 << 100) as f64;
/// Substep [s].
pub const DT: f64 = 1.0 / 480.0;

/// Random numbers by splitmix64: the same ones on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end)) as u32
    }

    /// In the cube [−size, size]³.
    pub fn point(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| self.between(-size, size))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Dihedral,
    Isometric,
    Area,
    Volume,
    Attachment,
}

pub const KINDS: [Kind; 5] = [Kind::Dihedral, Kind::Isometric, Kind::Area, Kind::Volume, Kind::Attachment];

impl Kind {
    pub fn kernel(self) -> &'static Kernel {
        match self {
            Self::Dihedral => &dihedral::KERNEL,
            Self::Isometric => &isometric::KERNEL,
            Self::Area => &area::KERNEL,
            Self::Volume => &volume::KERNEL,
            Self::Attachment => &attachment::KERNEL,
        }
    }

    /// Corners of an element.
    pub fn corners(self) -> usize {
        match self {
            Self::Area => 3,
            Self::Attachment => 1,
            _ => 4,
        }
    }

    pub fn lambdas(self) -> &'static str {
        match self {
            Self::Dihedral => "hinge_lambdas",
            Self::Isometric => "isometric_lambdas",
            Self::Area => "area_lambdas",
            Self::Volume => "volume_lambdas",
            Self::Attachment => "attachment_lambdas",
        }
    }

    /// A compliance that matters beside the masses: of the size of dt² Σ W |∇C|².
    fn compliance(self) -> f64 {
        match self {
            Self::Dihedral => 1.0,
            Self::Isometric => 1e-2,
            Self::Area => 5e-5,
            Self::Volume => 2e-8,
            Self::Attachment => 5e-3,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every element has particles of its own, as in one colour.
    Coloured,
    /// Elements share particles and leave their corrections in slots.
    Jacobi,
}

pub const MODES: [Mode; 2] = [Mode::Coloured, Mode::Jacobi];

/// What the random elements are like.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub mode: Mode,
    /// Some elements collapsed or inverted: few, because their large corrections set the scale of a comparison.
    pub spoiled: bool,
    /// Particles under way in the substep, some of them fixed; some elements rigid, some pins released.
    pub busy: bool,
    /// Factor of the compliances; 0 is rigid.
    pub compliance: f64,
    /// ω.
    pub relaxation: f64,
}

/// Elements of one kind and the buffers they live in.
pub struct Setup {
    pub kind: Kind,
    pub mode: Mode,
    pub buffers: Tables,
    /// The particles of each element of the list.
    pub particles: Vec<Vec<u32>>,
    /// Positions [m].
    pub points: Vec<[f64; 3]>,
    /// 1/mass [1/kg].
    pub weights: Vec<f64>,
    /// Rest value (θ₀, A₀, V₀) of each element and its compliance α.
    pub rest: Vec<[f64; 2]>,
    /// K of each isometric hinge.
    pub bending: Vec<[f64; 4]>,
    pub targets: Vec<[f64; 3]>,
}

/// The nearest f32, so that all precisions start from the same numbers.
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

pub fn vec3(p: [f64; 3]) -> Vec3<f64> {
    Vec3::of(p)
}

/// The corners of an element, random but well shaped: a simplex jittered by a third of its edge.
fn simplex(kind: Kind, random: &mut Random) -> Vec<[f64; 3]> {
    let centre = random.point(1.0);
    let corners: &[[f64; 3]] = match kind {
        Kind::Dihedral | Kind::Isometric => {
            &[[0.0, 0.1, 0.0], [0.0, -0.1, 0.02], [-0.06, 0.0, 0.0], [0.06, 0.0, 0.0]]
        }
        Kind::Area => &[[0.0, 0.0, 0.0], [0.12, 0.0, 0.0], [0.06, 0.1, 0.0]],
        Kind::Volume => &[[0.0, 0.0, 0.0], [0.12, 0.0, 0.0], [0.06, 0.1, 0.0], [0.06, 0.03, 0.1]],
        Kind::Attachment => &[[0.0; 3]],
    };
    corners
        .iter()
        .map(|corner| {
            let jitter = random.point(0.03);
            [0, 1, 2].map(|d| single(centre[d] + corner[d] + jitter[d]))
        })
        .collect()
}

/// Spoils an element: a point, a line, a sliver of any thickness, a fold onto itself, an inversion.
fn spoil(corners: &mut [[f64; 3]], way: u32, random: &mut Random) {
    let (first, last) = (corners[0], corners.len() - 1);
    match way {
        0 => corners.fill(first),
        1 => {
            for (t, corner) in corners.iter_mut().enumerate() {
                *corner = [first[0] + 0.0625 * t as f64, first[1], first[2]];
            }
        }
        2 => {
            let thickness = 10f64.powf(random.between(-7.0, -2.0));
            for (t, corner) in corners.iter_mut().enumerate() {
                let noise = random.point(thickness);
                *corner = [0, 1, 2].map(|d| single(first[d] + 0.03 * (d + 1) as f64 * t as f64 + noise[d]));
            }
        }
        3 if last > 0 => corners[1] = corners[0],
        4 if last > 0 => corners.swap(0, last),
        _ => {}
    }
}

impl Setup {
    pub fn new(kind: Kind, choice: Choice, seed: u64) -> Self {
        let mut random = Random(seed);
        let (mut points, mut particles, mut still) = (Vec::new(), Vec::new(), Vec::new());
        for element in 0..FIRST + ELEMENTS {
            let mut corners = simplex(kind, &mut random);
            if choice.spoiled && element.is_multiple_of(10) {
                spoil(&mut corners, element / 10 % 5, &mut random);
            }
            let start = points.len() as u32;
            points.extend(corners);
            // Every other spoiled element has no offsets: it is spoiled exactly.
            still.resize(points.len(), element.is_multiple_of(20));
            particles.push((start..points.len() as u32).collect::<Vec<u32>>());
        }
        if choice.mode == Mode::Jacobi {
            // Chains of ten elements, each with a corner of the one before.
            for e in (1..particles.len()).filter(|e| !e.is_multiple_of(10)) {
                let shared = particles[e - 1][kind.corners() - 1];
                let (to, from) = (points[shared as usize], points[particles[e][0] as usize]);
                for &i in &particles[e][1..] {
                    let point = points[i as usize];
                    points[i as usize] = [0, 1, 2].map(|d| single(point[d] + to[d] - from[d]));
                }
                particles[e][0] = shared;
            }
        }
        let weights: Vec<f64> = points
            .iter()
            .map(|_| {
                let fixed = choice.busy && random.below(20) == 0;
                if fixed { 0.0 } else { single(random.between(100.0, 1000.0)) }
            })
            .collect();
        let mut setup = Self {
            kind,
            mode: choice.mode,
            buffers: Tables::new(),
            rest: Vec::new(),
            bending: Vec::new(),
            targets: Vec::new(),
            particles,
            points,
            weights,
        };
        setup.choose_rest(&mut random, choice);
        setup.add_buffers(&mut random, choice, &still);
        setup
    }

    fn choose_rest(&mut self, random: &mut Random, choice: Choice) {
        for e in 0..self.particles.len() {
            let rigid = choice.busy && e % 3 == 0;
            let alpha = if rigid { 0.0 } else { self.kind.compliance() * random.between(0.2, 2.0) };
            let value = match self.kind {
                Kind::Dihedral => dihedral::wrap(self.value(e, &self.points) + random.between(-1.0, 1.0)),
                Kind::Area => random.between(0.004, 0.008),
                Kind::Volume => random.between(1e-4, 3e-4),
                Kind::Isometric | Kind::Attachment => 0.0,
            };
            self.rest.push([single(value), single(choice.compliance * alpha)]);
            // Fractions of 1024 sum to zero exactly.
            let k = [(); 3].map(|()| (1024.0 * random.between(-2.0, 2.0)).round() / 1024.0);
            self.bending.push([k[0], k[1], k[2], -(k[0] + k[1] + k[2])]);
            let jitter = random.point(0.05);
            let point = self.points[self.particles[e][0] as usize];
            self.targets.push([0, 1, 2].map(|d| single(point[d] + jitter[d])));
        }
    }

    fn add_buffers(&mut self, random: &mut Random, choice: Choice, still: &[bool]) {
        let elements = self.particles.len();
        let mut b = Tables::new();
        let world = World { keep: 1.0, relaxation: choice.relaxation, ..World::default() };
        b.reals("world", Role::Uniform, world.values()).unwrap();
        let with_w = |p: [f64; 3], w: f64| [p[0], p[1], p[2], w];
        let positions = self.points.iter().zip(&self.weights).map(|(&p, &w)| with_w(p, w)).collect();
        b.real4s("positions", Role::State, positions).unwrap();
        let offsets = self.weights.iter().zip(still).map(|(&w, &still)| {
            let way = if choice.busy && !still { 0.01 } else { 0.0 };
            let multiplicity = if choice.mode == Mode::Jacobi { 1 + random.below(6) } else { 1 };
            with_w(random.point(way).map(single), f64::from(multiplicity) * w)
        });
        b.real4s("offsets", Role::Scratch, offsets.collect()).unwrap();
        let slots = BASE as usize + self.kind.corners() * ELEMENTS as usize;
        b.real4s("corrections", Role::Scratch, vec![[UNWRITTEN; 4]; slots]).unwrap();

        let corners = |e: usize| -> [u32; 4] {
            let mut indices = [0; 4];
            indices[..self.kind.corners()].copy_from_slice(&self.particles[e]);
            indices
        };
        let all: Vec<[u32; 4]> = (0..elements).map(corners).collect();
        let flat = |values: &[[f64; 2]]| values.iter().flatten().copied().collect();
        let scalar_lambdas = |size: f64, random: &mut Random| -> Vec<f64> {
            (0..2 * elements).map(|_| single(size * random.between(-1.0, 1.0))).collect()
        };
        let vector_lambdas = |size: f64, random: &mut Random| -> Vec<[f64; 4]> {
            (0..2 * elements).map(|_| with_w(random.point(size).map(single), 0.0)).collect()
        };
        let real2 = sinew::compute::Element::Real2;
        let reals = sinew::compute::Data::Reals;
        match self.kind {
            Kind::Dihedral | Kind::Area | Kind::Volume => {
                let (name, lambda) = match self.kind {
                    Kind::Dihedral => ("hinge", 1e-6),
                    Kind::Area => ("area", 1e-4),
                    _ => ("volume", 1e-2),
                };
                b.uint4s(&format!("{name}_particles"), Role::Model, all).unwrap();
                b.add(&format!("{name}_rest"), real2, Role::Model, reals(flat(&self.rest))).unwrap();
                let lambdas = reals(scalar_lambdas(lambda, random));
                b.add(self.kind.lambdas(), real2, Role::Scratch, lambdas).unwrap();
            }
            Kind::Isometric => {
                b.uint4s("isometric_particles", Role::Model, all).unwrap();
                b.real4s("isometric_weights", Role::Model, self.bending.clone()).unwrap();
                let alphas = self.rest.iter().map(|rest| rest[1]).collect();
                b.reals("isometric_rest", Role::Model, alphas).unwrap();
                b.real4s(self.kind.lambdas(), Role::Scratch, vector_lambdas(1e-5, random)).unwrap();
            }
            Kind::Attachment => {
                let pins = all.iter().map(|pin| [pin[0], pin[1], pin[2], 0b111]).collect();
                b.uint4s("pins", Role::Model, pins).unwrap();
                let rest = self.rest.iter().flat_map(|rest| [[0.0; 4], [1.0, rest[1], 0.0, 0.0]]).collect();
                b.real4s("pin_rest", Role::Model, rest).unwrap();
                let targets = self.targets.iter().enumerate().map(|(k, &p)| {
                    let released = choice.busy && k % 7 == 0;
                    with_w(p, if released { 0.0 } else { 1.0 })
                });
                b.real4s("pin_targets", Role::Scratch, targets.collect()).unwrap();
                b.real4s(self.kind.lambdas(), Role::Scratch, vector_lambdas(1e-5, random)).unwrap();
            }
        }
        self.buffers = b;
    }

    /// The parameters of one iteration over the elements after the first few.
    pub fn launch(&self, iteration: u32, weight: f64) -> Launch<f64> {
        let jacobi = if self.mode == Mode::Jacobi { JACOBI } else { 0 };
        let base = if self.mode == Mode::Jacobi { BASE } else { 0 };
        Launch {
            index: iteration,
            flags: KEEP | jacobi,
            base,
            weight,
            ..Launch::range(&(FIRST..FIRST + ELEMENTS))
        }
    }

    /// A list of one pass.
    pub fn pass(&self, launch: Launch<f64>) -> Passes {
        let mut passes = Passes::with_dt(DT);
        passes.run(&self.buffers, self.kind.kernel(), launch).unwrap();
        passes
    }

    /// Reads a buffer's reals.
    pub fn read(&self, executor: &mut dyn Executor, name: &str) -> Vec<f64> {
        let id = self.buffers.find(name).unwrap();
        executor.read(id).unwrap().reals().to_vec()
    }

    /// The corrections of each of the pass's elements, from offsets that began at zero or from the slots.
    pub fn corrections(&self, executor: &mut dyn Executor) -> Vec<Vec<Vec3<f64>>> {
        let (name, k) = match self.mode {
            Mode::Coloured => ("offsets", 0),
            Mode::Jacobi => ("corrections", self.kind.corners()),
        };
        let values = self.read(executor, name);
        let at = |i: usize| Vec3::new(values[4 * i], values[4 * i + 1], values[4 * i + 2]);
        (0..ELEMENTS as usize)
            .map(|e| {
                let particles = &self.particles[FIRST as usize + e];
                let place =
                    |(c, &i): (usize, &u32)| if k == 0 { i as usize } else { BASE as usize + k * e + c };
                particles.iter().enumerate().map(place).map(at).collect()
            })
            .collect()
    }

    /// An element's corners somewhere.
    pub fn corners(&self, element: usize, points: &[[f64; 3]]) -> Vec<Vec3<f64>> {
        self.particles[element].iter().map(|&i| vec3(points[i as usize])).collect()
    }

    /// θ, A or V of an element.
    pub fn value(&self, element: usize, points: &[[f64; 3]]) -> f64 {
        value_and_gradients(self.kind, &self.corners(element, points)).0
    }

    /// C of an element as a vector; scalar constraints use the first component.
    pub fn constraint(&self, element: usize, points: &[[f64; 3]]) -> Vec3<f64> {
        let x = self.corners(element, points);
        let rest = self.rest[element][0];
        match self.kind {
            Kind::Dihedral => Vec3::new(dihedral::wrap(self.value(element, points) - rest), 0.0, 0.0),
            Kind::Area | Kind::Volume => Vec3::new(self.value(element, points) - rest, 0.0, 0.0),
            Kind::Isometric => {
                let [k1, k2, k3, k4] = self.bending[element];
                isometric::curvature(Vec4::new(k1, k2, k3, k4), x[3] - x[2], x[0] - x[2], x[1] - x[2])
            }
            Kind::Attachment => x[0] - vec3(self.targets[element]),
        }
    }
}

/// θ, A or V and its gradients by the law under test, in f64.
pub fn value_and_gradients(kind: Kind, x: &[Vec3<f64>]) -> (f64, Vec<Vec3<f64>>) {
    match kind {
        Kind::Dihedral => {
            let (theta, gradients) = dihedral::fold(x[3] - x[2], x[0] - x[2], x[1] - x[2]);
            (theta, gradients.to_vec())
        }
        Kind::Area => {
            let (area, gradients) = area::area_of(x[1] - x[0], x[2] - x[0]);
            (area, gradients.to_vec())
        }
        Kind::Volume => {
            let (volume, gradients) = volume::volume_of(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
            (volume, gradients.to_vec())
        }
        Kind::Isometric | Kind::Attachment => (0.0, Vec::new()),
    }
}

/// The device the comparisons run on. Without one they fail: a comparison that did not happen proves nothing.
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| {
            panic!("{error}\nthis test compares with a device: install the package `mesa-vulkan-drivers`")
        });
        eprintln!("compared on {}", gpu.report.title());
        gpu
    })
}

/// Runs a whole list once.
pub fn run(executor: &mut dyn Executor, passes: &Passes) {
    executor.execute(&[Run { passes: 0..passes.list.len(), times: 1 }]).unwrap();
}

/// The f32 twins.
pub fn twin(setup: &Setup, passes: &Passes) -> CpuExecutor<f32> {
    CpuExecutor::new(&setup.buffers, passes)
}
