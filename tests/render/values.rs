//! What colours show, made on the device, is what the host makes of the same state.

use crate::easel::Easel;
use sinew::compute::{AdapterChoice, Gpu};
use sinew::scene::{ColourBy, Scene};
use sinew::{Place, Precision, Simulation};

/// Rods of both kinds, bent and twisted, a net, sheets of every law and blocks of every law, all pulled by gravity.
fn scene() -> Scene {
    let mut text = String::from("format = 1\ntime_step = 0.0005\nsubsteps = 1\niterations = 2\n");
    for (k, method) in ["corde", "direct"].into_iter().enumerate() {
        text += &format!(
            "[[rod]]\nname = \"{method}\"\nfrom = [0, 0, {k}]\nto = [0.6, 0, {k}]\nsegments = 12\nmaterial = \"rubber\"\n\
             radius = 0.008\nyoungs_modulus = 1e6\nmethod = \"{method}\"\nstart = \"clamped\"\nend = {{ hold = \
             \"clamped\", motion = [{{ time = 0 }}, {{ time = 0.06, offset = [-0.05, 0, 0], rotation = [90, 0, 0] }}] }}\n"
        );
    }
    text += "[[net]]\nname = \"net\"\ngrid = { size = [0.6, 0.6], cells = [2, 2], segments = 3 }\nposition = [0, 0, 3]\n\
             material = \"rope\"\nyoungs_modulus = 1e6\nstretch_modulus = 1e6\nradius = 0.01\nmethod = \"coloured\"\n\
             [[net.pin]]\nbox = { min = [-1, 0.25, 0], max = [1, 1, 9] }\n";
    for (k, law) in [
        "bending = \"dihedral\"\nstretch_stiffness = 50\narea_stiffness = 20",
        "bending = \"isometric\"\nstretch_stiffness = 50",
        "bending = \"distance\"\nstretch_stiffness = 50\nthickness = 0.002",
        "model = \"green\"\nfabric = \"jersey\"",
        "model = \"corotational\"\nfabric = \"jersey\"",
    ]
    .into_iter()
    .enumerate()
    {
        text += &format!(
            "[[cloth]]\nname = \"sheet {k}\"\n{law}\nbending_stiffness = 1e-3\ngrid = {{ size = [0.4, 0.3], cells = [5, 4] \
             }}\nposition = [{k}, 0, -1]\nrotation = [30, 0, 20]\n[[cloth.pin]]\ncorners = [\"top_left\"]\n"
        );
    }
    for (k, law) in
        ["linear", "corotational", "neo_hookean", "springs", "position", "strain"].into_iter().enumerate()
    {
        text += &format!(
            "[[solid]]\nname = \"{law}\"\nbox = {{ size = [0.3, 0.1, 0.1], cells = [4, 2, 2] }}\nposition = [{k}, 0, -2]\n\
             youngs_modulus = 2e4\npoisson_ratio = 0.3\nmodel = \"{law}\"\n[[solid.pin]]\n\
             box = {{ min = [{}, -1, -3], max = [{}, 1, -1] }}\n",
            k as f64 - 0.2,
            k as f64 - 0.13
        );
    }
    // What is inside out, of laws that then go by another.
    for (k, law) in ["springs", "strain"].into_iter().enumerate() {
        text += &format!(
            "[[solid]]\nname = \"mirrored {law}\"\nbox = {{ size = [0.3, 0.1, 0.1], cells = [4, 2, 2] }}\nposition = [{k}, 0, -4]\n\
             youngs_modulus = 2e4\npoisson_ratio = 0.3\nmodel = \"{law}\"\nstart = {{ stretch = [1.2, 0.9, -0.7] }}\n"
        );
    }
    // What is crushed, of a law that then holds it otherwise; soft, so that it stays so.
    text += "[[solid]]\nname = \"crushed\"\nbox = { size = [0.3, 0.1, 0.1], cells = [4, 2, 2] }\nposition = [2, 0, -4]\n\
             youngs_modulus = 20\npoisson_ratio = 0.3\nmodel = \"position\"\nstart = { stretch = [0.5, 0.6, 0.4] }\n";
    Scene::parse(&text, "test", "").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_value_is_the_same_from_device_and_host() {
    // Of a body's largest value. Strains are of a thousandth and more and of f32, whose rounding is 6e-8: a few of them in a
    // strain, and twice that in its square.
    const VALUE: f32 = 1e-3;
    // Of the largest value of all: the twist of a net that is not twisted is rounding.
    const NOTHING: f32 = 1e-9;
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let scene = scene();
    let mut on_device = Simulation::interactive(&scene, &Place::Device(Box::new(gpu.clone()))).unwrap();
    let mut on_host = Simulation::interactive(&scene, &Place::Cpu(Precision::F32)).unwrap();
    on_device.advance(120).unwrap();
    on_device.watched_step(false).unwrap();
    on_host.restore(on_device.state().unwrap()).unwrap();
    let mut device = Easel::new(gpu.clone(), &scene, &on_device);
    let mut host = Easel::new(gpu, &scene, &on_host);
    let bodies: Vec<(String, Vec<usize>)> = {
        let model = on_device.model();
        let numbers = |users: std::ops::Range<u32>| {
            users.map(|user| model.order.new_of_old[user as usize] as usize).collect()
        };
        model.bodies.iter().map(|body| (body.name.clone(), numbers(body.particles.clone()))).collect()
    };
    for (colour, fewest) in [
        (ColourBy::Field("velocity"), bodies.len()),
        (ColourBy::Field("strain"), bodies.len()),
        (ColourBy::Field("weft"), 2),
        (ColourBy::Field("warp"), 2),
        (ColourBy::Field("shear"), 2),
        (ColourBy::Field("energy"), bodies.len()),
        (ColourBy::Field("stress"), bodies.len()),
        (ColourBy::Field("stretch"), 3),
        (ColourBy::Field("bend"), 3),
        (ColourBy::Field("twist"), 2),
        (ColourBy::Field("frame"), 2),
        // Those that are solved by iterations.
        (ColourBy::Error, 7),
    ] {
        let (_, values, legend) = device.show(&mut on_device, colour);
        let (_, mut expected, mut legend_host) = host.show(&mut on_host, colour);
        if colour == ColourBy::Error {
            // They are of a step and not of a state: the host's answer is that to the device's two iterates.
            let errors = on_device.constraint_errors().unwrap();
            legend_host.range = [0.0, errors.iter().copied().fold(0.0, f64::max)];
            expected = errors.into_iter().map(|error| error as f32).collect();
        }
        let mut shown = 0;
        let nothing = expected.iter().map(|x| x.abs()).fold(0.0, f32::max) * NOTHING;
        for (name, particles) in &bodies {
            let largest = particles.iter().map(|&p| expected[p].abs()).fold(0.0, f32::max);
            if largest <= nothing {
                continue;
            }
            shown += 1;
            for &p in particles {
                let (a, b) = (values[p], expected[p]);
                assert!(
                    (a - b).abs() <= VALUE * largest,
                    "{colour:?} of `{name}`, particle {p}: {a} on the device and {b} on the host; the largest is {largest}"
                );
            }
        }
        assert!(shown >= fewest, "{colour:?}: {shown} bodies have values, not {fewest}");
        let span = legend_host.range[1] - legend_host.range[0];
        for (a, b) in legend.range.iter().zip(legend_host.range) {
            assert!((a - b).abs() <= f64::from(VALUE) * span, "{colour:?}: {legend:?} {legend_host:?}");
        }
    }
}
