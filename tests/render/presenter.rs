//! What is made on the device for a picture is what the host would make of the same state.

use crate::easel::Easel;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::scene::{ColourBy, Scene};
use sinew::{Place, Precision, Simulation};

/// A rod that is bent and twisted, a fabric that hangs askew, a net of links and a soft block, all pulled by gravity.
const SCENE: &str = r#"format = 1
substeps = 4
solver = "jacobi"
[[rod]]
name = "rod"
from = [0, 1, 0]
to = [0.5, 1, 0]
segments = 12
material = "cable"
radius = 0.006
start = "clamped"
end = { hold = "clamped", motion = [{ time = 0 }, { time = 0.1, offset = [-0.05, 0, 0], rotation = [200, 0, 0] }] }
[[cloth]]
name = "fabric"
model = "green"
fabric = "jersey"
grid = { size = [0.4, 0.3], cells = [5, 4] }
position = [1, 1, 0]
rotation = [30, 0, 20]
[[cloth.pin]]
corners = ["top_left"]
[[cloth]]
name = "net"
grid = { size = [0.4, 0.3], cells = [5, 4] }
stretch_stiffness = 50
position = [2, 1, 0]
[[cloth.pin]]
corners = ["top_left"]
[[solid]]
name = "block"
box = { size = [0.3, 0.2, 0.2], cells = [3, 2, 2] }
position = [3, 1, 0]
youngs_modulus = 2e3
poisson_ratio = 0.3
[[solid.pin]]
box = { min = [2, 0, -1], max = [2.86, 2, 1] }
"#;

#[test]
fn values_and_stripes_are_the_same_from_device_and_host() {
    // Two backends after six steps: lengths of a metre to a few roundings, strains in per cent to those over a cell of 5 cm.
    const POSITION: f32 = 1e-5;
    const VALUE: f32 = 2e-2;
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let scene = Scene::parse(SCENE, "test", "").unwrap();
    let run = |place: &Place| {
        let mut simulation = Simulation::interactive(&scene, place).unwrap();
        simulation.advance(6).unwrap();
        simulation
    };
    let mut on_device = run(&Place::Device(Box::new(gpu.clone())));
    let mut on_host = run(&Place::Cpu(Precision::F32));
    let mut device = Easel::new(gpu.clone(), &scene, &on_device);
    let mut host = Easel::new(gpu, &scene, &on_host);
    for colour in [
        ColourBy::Field("velocity"),
        ColourBy::Field("strain"),
        ColourBy::Field("weft"),
        ColourBy::Field("warp"),
        ColourBy::Field("shear"),
    ] {
        let (x, values, legend) = device.show(&mut on_device, colour);
        let (x_host, values_host, legend_host) = host.show(&mut on_host, colour);
        assert!(x.len() > 4 * on_device.model().particle_count(), "there are no stripes");
        // The fourth component of a particle is its inverse mass, which nobody draws.
        let apart = |k: usize| k % 4 != 3 && (x[k] - x_host[k]).abs() > POSITION;
        assert_eq!((0..x.len()).find(|&k| apart(k)), None, "{colour:?}: a point is elsewhere");
        assert!(values_host.iter().any(|v| v.abs() > 10.0 * VALUE), "{colour:?}: nothing to compare");
        for (k, (a, b)) in values.iter().zip(&values_host).enumerate() {
            assert!((a - b).abs() < VALUE, "{colour:?}: value {k} is {a} on the device and {b} on the host");
        }
        for (a, b) in legend.range.iter().zip(legend_host.range) {
            assert!((a - b).abs() < f64::from(VALUE), "{colour:?}: {legend:?} {legend_host:?}");
        }
        assert_eq!((legend.title, legend.unit), (legend_host.title, legend_host.unit));
    }
}
