//! Pins, clamps and colliders that a program leads.

use crate::scene::backends;
use sinew::glam::{DQuat, DVec3};
use sinew::scene::Pose;
use sinew::{Checked, Kinds, Options, Precision, Simulation, SimulationError};

const SCENE: &str = r#"
    format = 1
    substeps = 10
    [[rod]]
    name = "arm"
    from = [0, 1, 0]
    to = [0.5, 1, 0]
    segments = 10
    radius = 0.01
    youngs_modulus = 1e9
    start = { hold = "clamped", motion = [{ time = 0 }, { time = 9 }] }
    [[points]]
    name = "dust"
    points = [[2, 1, 0], [3, 1, 0]]
    mass = 0.1
    pin = [{ indices = [0] }]
    [[collider]]
    name = "table"
    box = { size = [1, 0.1, 1] }
    position = [3, 0.9, 0]
    motion = [{ time = 0, offset = [0, -0.1, 0] }, { time = 1, offset = [0, -0.1, 0] }]
"#;

fn start(options: &Options) -> Simulation {
    let scene = Checked::parse(SCENE, "driven.toml", "", &Kinds::standard()).unwrap();
    Simulation::new(&scene, options).unwrap()
}

fn pose(y: f64, degrees: f64) -> Pose {
    Pose { offset: DVec3::new(0.0, y, 0.0), rotation: DQuat::from_rotation_y(degrees.to_radians()) }
}

/// Raises the clamp and turns it; lifts the table with what lies on it.
fn drive(simulation: &mut Simulation, steps: std::ops::RangeInclusive<u32>) {
    for step in steps {
        let s = f64::from(step) / 60.0;
        simulation.drive("arm.pin1", pose(0.3 * s, 90.0 * s)).unwrap();
        simulation.drive("table", pose(-0.1 + 0.5 * s, 0.0)).unwrap();
        simulation.step().unwrap();
    }
}

#[test]
fn what_a_program_leads_is_where_it_was_led() {
    for (name, options) in backends() {
        let mut simulation = start(&options);
        drive(&mut simulation, 1..=60);
        let arm = simulation.body("arm").unwrap().positions().unwrap();
        assert!(arm[0].distance(DVec3::new(0.0, 1.3, 0.0)) < 1e-5, "{name}: the clamp is at {}", arm[0]);
        // A quarter turn about y takes x to −z; the arm follows and sags.
        let along = arm[1] - arm[0];
        assert!(along.z < -0.9 * along.length(), "{name}: the arm points along {along}");
        // The top of the table is at 1.35 m, and a grain has a radius of 1 cm.
        let dust = simulation.body("dust").unwrap().positions().unwrap();
        assert!((dust[1].y - 1.36).abs() < 1e-3, "{name}: the table carries the grain to {}", dust[1]);
        // It stays where it was left.
        simulation.advance(30).unwrap();
        let later = simulation.body("arm").unwrap().positions().unwrap();
        assert!(later[0].distance(arm[0]) < 1e-5, "{name}: the clamp has moved to {}", later[0]);
    }
}

#[test]
fn a_checkpoint_knows_where_things_were_led() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("led.checkpoint");
    let options = Options::cpu(Precision::F32);
    let mut unbroken = start(&options);
    drive(&mut unbroken, 1..=40);
    let mut first = start(&options);
    drive(&mut first, 1..=20);
    first.save(&path).unwrap();
    let mut second = start(&options);
    second.resume(&path).unwrap();
    drive(&mut second, 21..=40);
    assert_eq!(second.digest().unwrap(), unbroken.digest().unwrap());
}

#[test]
fn what_cannot_be_led_is_refused_with_the_cure() {
    let mut simulation = start(&Options::cpu(Precision::F32));
    let mut refuse = |name: &str, pose: Pose, words: &[&str]| {
        let error: SimulationError = simulation.drive(name, pose).unwrap_err();
        let text = error.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    refuse("tabel", pose(0.0, 0.0), &["`tabel`", "`table`", "`arm.pin1`", "`dust.pin1`"]);
    refuse("dust.pin1", pose(0.0, 0.0), &["`dust.pin1` stands still", "motion"]);
    refuse("table", pose(f64::NAN, 0.0), &["`table`", "not finite"]);
    let stretched = Pose { offset: DVec3::ZERO, rotation: DQuat::IDENTITY * 2.0 };
    refuse("table", stretched, &["unit quaternion"]);
}
