//! A rope around something holds on one end against e^{μθ} times as much on the other (Euler, Eytelwein). Flexible ropes of no weight, with
//! masses at their ends that are pulled: 4 % below that ratio what slides comes to rest, 4 % above it goes faster and faster.

use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};
use std::f64::consts::PI;

const MU: f64 = 0.3;
/// Radius of the rope, its ends beside the turn [m], and the smaller pull [N].
const RADIUS: f64 = 0.002;
const TAIL: f64 = 0.1;
const PULL: f64 = 0.5;

struct Wound {
    angle: f64,
    radius: f64,
    segments: u32,
    /// What it is wound around is a rope, else a pole.
    is_rope: bool,
}

impl Wound {
    /// The rope begins at the left and goes over the top; each turn beside the last one.
    fn scene(&self, ratio: f64) -> String {
        let (around, count) = (self.radius + RADIUS, f64::from(self.segments));
        let length = 2.0 * TAIL + self.angle * around;
        // Poles touch its particles, ropes the middle of its segments.
        let out = if self.is_rope { around / (0.5 * length / count / around).cos() } else { around };
        let points = (0..=self.segments).map(|k| {
            let along = length * f64::from(k) / count - TAIL;
            let turned = (along / around).clamp(0.0, self.angle);
            let (sin, cos) = (PI - turned).sin_cos();
            let beside = along - turned * around;
            format!(
                "[{}, {}, {}]",
                out * cos + sin * beside,
                out * sin - cos * beside,
                2.4 * RADIUS * turned / (2.0 * PI)
            )
        });
        let points: Vec<String> = points.collect();
        let end = |angle: f64, force: f64| {
            let (sin, cos) = angle.sin_cos();
            format!("{{ weight = {}, force = [{}, {}, 0] }}", force.abs() / 9.81, force * sin, -force * cos)
        };
        let post = if self.is_rope {
            format!(
                "[[rod]]\nname = \"post\"\nfrom = [0, 0, -0.1]\nto = [0, 0, 0.1]\nsegments = 20\nmaterial = \"rope\"\nradius = {}\n\
                 friction = {MU}\npin = [{{ box = {{ min = [-1, -1, -1], max = [1, 1, 1] }} }}]\n",
                self.radius
            )
        } else {
            format!(
                "[[collider]]\nname = \"pole\"\ncapsule = {{ radius = {}, length = 0.4 }}\nrotation = [90, 0, 0]\nfriction = {MU}\n",
                self.radius
            )
        };
        format!(
            "format = 1\nsubsteps = 100\niterations = 2\ndamping = 0\ngravity = [0, 0, 0]\n[contact]\n[[rod]]\nname = \"rope\"\n\
             points = [{}]\nrest = \"straight\"\nmaterial = \"rope\"\nradius = {RADIUS}\nyoungs_modulus = 1e5\nstretch_modulus = 5e8\n\
             friction = {MU}\nstart = {}\nend = {}\n{post}",
            points.join(", "),
            end(PI, -PULL),
            end(PI - self.angle, ratio * PULL),
        )
    }

    /// The speed of the faster load after 0.2 s and after 0.4 s [m/s].
    fn speeds(&self, share: f64) -> [f64; 2] {
        let text = self.scene(share * (MU * self.angle).exp());
        let scene = Scene::parse(&text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
        let mut simulation =
            Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
        [12, 12].map(|steps| {
            simulation.advance(steps).unwrap();
            simulation.measure().unwrap().max_speed
        })
    }

    fn holds_up_to_the_ratio_of_euler(&self) {
        let [slow, fast] = [0.96, 1.04].map(|share| self.speeds(share));
        println!("{:.2} rad: {slow:.4?} m/s below the ratio, {fast:.4?} above", self.angle);
        assert!(slow[1] < slow[0], "speeds up below the ratio: {slow:?}");
        assert!(fast[1] > fast[0] + 0.01, "does not speed up above the ratio: {fast:?}");
    }
}

#[test]
fn a_rope_on_a_pole_holds_up_to_the_ratio_of_euler() {
    for (angle, segments) in [(0.5 * PI, 100), (PI, 60), (3.0 * PI, 110)] {
        Wound { angle, radius: 0.05, segments, is_rope: false }.holds_up_to_the_ratio_of_euler();
    }
}

#[test]
fn a_rope_on_a_rope_holds_up_to_the_ratio_of_euler() {
    Wound { angle: PI, radius: 0.02, segments: 60, is_rope: true }.holds_up_to_the_ratio_of_euler();
}
