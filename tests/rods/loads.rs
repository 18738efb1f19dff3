//! Heavy things on light ropes, at the substeps that are chosen for them.

use sinew::{Checked, Kinds, Options, Precision, Simulation};

/// Energy may rise by this share of what the fall can give.
const GAIN: f64 = 0.01;

/// Runs a scene for a while; the energy at the start, the most that there was, and the largest stretch at the end.
fn run(text: &str, options: &Options, steps: u32) -> [f64; 3] {
    let scene = Checked::parse(&format!("format = 1\n{text}"), "load.toml", "", &Kinds::standard()).unwrap();
    let mut simulation = Simulation::new(&scene, options).unwrap();
    let start = simulation.measure().unwrap().energy();
    let (mut most, mut stretch) = (start, 0.0);
    for _ in 0..steps {
        simulation.step().unwrap();
        let measures = simulation.measure().unwrap();
        most = most.max(measures.energy());
        stretch = measures.max_stretch;
    }
    [start, most, stretch]
}

fn rope(mass: f64, more: &str) -> String {
    format!(
        "[[rod]]\nname = \"rope\"\nfrom = [0, 2, 0]\nto = [1, 2, 0]\nsegments = 20\nstart = \"pinned\"\n{more}\n\
         [[rod.weight]]\nnearest = [1, 2, 0]\nmass = {mass}\n"
    )
}

const STEEL: &str = "material = \"steel_wire\"";

fn in_the_middle(mass: f64) -> String {
    rope(mass, "end = \"pinned\"").replace("nearest = [1, 2, 0]", "nearest = [0.5, 2, 0]")
}

fn net(mass: f64) -> String {
    format!(
        "[[net]]\nname = \"net\"\ngrid = {{ size = [1, 1], cells = [4, 4] }}\nposition = [0, 2, 0]\n\
         [[net.pin]]\nbox = {{ min = [-0.6, 2.4, -1], max = [-0.4, 3, 1] }}\n\
         [[net.pin]]\nbox = {{ min = [0.4, 2.4, -1], max = [0.6, 3, 1] }}\n\
         [[net.weight]]\nbox = {{ min = [-0.6, 1.4, -1], max = [0.6, 1.6, 1] }}\nmass = {}\n",
        mass / 5.0
    )
}

/// Whatever hangs on a rope, a wire or a net, at the default settings: the energy does not rise.
#[test]
fn heavy_loads_on_light_ropes_gain_no_energy() {
    let options = Options::cpu(Precision::F32);
    for mass in [5.0, 10.0, 100.0, 1000.0] {
        for (name, text) in [
            ("rope", rope(mass, "")),
            ("wire", rope(mass, STEEL)),
            ("middle", in_the_middle(mass)),
            ("net", net(mass)),
        ] {
            let [start, most, _] = run(&text, &options, 60);
            // What swings down by a metre or two.
            let fall = 9.81 * mass;
            assert!(most - start < GAIN * fall, "{name}, {mass} kg: from {start} to {most} J");
        }
    }
}

/// At rest the rope is as long as its material says.
#[test]
fn a_load_at_rest_stretches_its_rope_as_the_material_says() {
    let hung = |mass: f64| {
        let vertical = rope(mass, "radius = 0.005").replace("to = [1, 2, 0]", "to = [0, 1, 0]");
        format!("damping = 20\n{}", vertical.replace("nearest = [1, 2, 0]", "nearest = [0, 1, 0]"))
    };
    for mass in [5.0, 100.0] {
        let [.., stretch] = run(&hung(mass), &Options::cpu(Precision::F32), 60);
        let ea = sinew::scene::RodMaterial { radius: 0.005, ..Default::default() }.stretch_stiffness().z;
        let expected = 9.81 * mass / ea;
        assert!((stretch / expected - 1.0).abs() < 0.02, "{mass} kg: {stretch}, expected {expected}");
    }
}

/// What is attached to a rope counts as its load when substeps are chosen, be it soft or rigid: it hangs where the material lets it.
#[test]
fn an_attached_load_hangs_where_its_rope_lets_it() {
    const MASS: f64 = 30.0;
    let rope = "format = 1\ndamping = 5\n[[rod]]\nname = \"rope\"\nfrom = [0, 2, 0]\nto = [0, 1.5, 0]\nsegments = 20\n\
                radius = 0.005\nstart = \"pinned\"\n";
    let ea = sinew::scene::RodMaterial { radius: 0.005, ..Default::default() }.stretch_stiffness().z;
    for (name, load, height) in [
        (
            "ball",
            "[[rigid]]\nname = \"load\"\nsphere = { radius = 0.1 }\nmass = 30\nposition = [0, 1.4, 0]\n\
             [[attach]]\na = { body = \"rope\", nearest = [0, 1.5, 0] }\nb = { body = \"load\", at = [0, 1.5, 0] }\n",
            1.4,
        ),
        (
            "point",
            "[[points]]\nname = \"load\"\npoints = [[0, 1.5, 0]]\nmass = 30\n\
             [[attach]]\na = { body = \"rope\", nearest = [0, 1.5, 0] }\nb = { body = \"load\", nearest = [0, 1.5, 0] }\n",
            1.5,
        ),
    ] {
        let scene = Checked::parse(&format!("{rope}{load}"), "load.toml", "", &Kinds::standard()).unwrap();
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let start = simulation.measure().unwrap().energy();
        let mut most = start;
        for _ in 0..90 {
            simulation.step().unwrap();
            most = most.max(simulation.measure().unwrap().energy());
        }
        assert!(most - start < GAIN * 9.81 * MASS, "{name}: from {start} to {most} J");
        let sag = height - simulation.body("load").unwrap().positions().unwrap()[0].y;
        let expected = 0.5 * 9.81 * MASS / ea;
        // Within 0.2 % of the rope's length.
        assert!((sag - expected).abs() < 1e-3, "{name} sags by {sag} m, expected {expected}");
    }
}
