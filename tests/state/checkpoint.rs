//! Run 2N steps = run N, save, load, run N, bit for bit; and a file that is not exactly right is refused.

use crate::scene::{HALF, SOLVERS, advance, assert_same, backends, bits, body_bits, far_sheet, scene, start};
use proptest::prelude::*;
use sinew::checkpoint::{CheckpointError, Fingerprint, State};
use sinew::scene::{Scene, SolverKind};
use sinew::{Options, Precision, Simulation, SimulationError};
use std::path::Path;
use std::sync::OnceLock;

#[test]
fn a_resumed_run_is_the_run_that_was_never_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.checkpoint");
    for (name, options) in backends() {
        for solver in SOLVERS {
            let what = format!("{name}, {solver:?}");
            let scene = scene(solver, 16);
            let mut unbroken = start(&scene, &options);
            advance(&mut unbroken, 2 * HALF);

            let mut first = start(&scene, &options);
            advance(&mut first, HALF);
            first.save(&path).unwrap();
            let saved = bits(&mut first);
            let mut second = start(&scene, &options);
            second.resume(&path).unwrap();
            assert_same(&format!("{what}, just resumed"), &saved, &bits(&mut second));
            assert_eq!((second.steps(), second.time()), (first.steps(), first.time()));
            advance(&mut second, HALF);
            assert_same(&what, &bits(&mut unbroken), &bits(&mut second));
            assert_eq!(second.time(), unbroken.time());

            // Also where the scratch is that of another moment.
            advance(&mut first, 2 * HALF);
            first.resume(&path).unwrap();
            advance(&mut first, HALF);
            assert_same(&format!("{what}, rewound"), &bits(&mut unbroken), &bits(&mut first));
        }
    }
}

/// What does nothing in the test scene is not tested by it.
#[test]
fn every_part_of_the_test_scene_takes_part() {
    for solver in SOLVERS {
        let run = |change: &dyn Fn(&mut Scene)| {
            let mut scene = scene(solver, 16);
            change(&mut scene);
            let mut simulation = start(&scene, &Options::cpu(Precision::F32));
            advance(&mut simulation, 2 * HALF);
            (body_bits(&mut simulation, "sheet"), body_bits(&mut simulation, "block"))
        };
        let all = run(&|_| {});
        assert_ne!(all.0, run(&|s| s.wind = None).0, "wind");
        assert_ne!(all.0, run(&|s| s.wind.as_mut().unwrap().gust = None).0, "gust");
        assert_ne!(all.0, run(&|s| s.cloth[0].tethers = None).0, "tethers");
        assert_ne!(all.0, run(&|s| s.cloth[0].area_stiffness = 0.0).0, "areas");
        assert_ne!(all.0, run(&|s| s.cloth[0].pin[1].motion.clear()).0, "a moving pin");
        assert_ne!(all.0, run(&|s| s.cloth[0].pin[1].release = None).0, "a late release");
        assert_ne!(all.0, run(&|s| s.cloth[0].pin[2].release = None).0, "an early release");
        assert_ne!(all.0, run(&|s| drop(s.cloth[0].pin.pop())).0, "a soft pin");
        assert_ne!(all.0, run(&|s| drop(s.collider.remove(1))).0, "a ball");
        assert_ne!(all.0, run(&|s| s.collider[2].motion.clear()).0, "a moving box");
        assert_ne!(all.1, run(&|s| drop(s.collider.remove(0))).1, "a floor");
        if solver == SolverKind::Jacobi {
            assert_ne!(all.0, run(&|s| s.chebyshev = 0.0).0, "acceleration");
        }
    }
}

#[test]
fn a_saved_run_goes_on_as_if_it_had_not_been_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("often.checkpoint");
    for (name, options) in backends() {
        let scene = scene(SolverKind::Coloured, 8);
        let [mut plain, mut saved] = [(), ()].map(|()| start(&scene, &options));
        for _ in 0..HALF {
            advance(&mut plain, 1);
            advance(&mut saved, 1);
            saved.save(&path).unwrap();
        }
        assert_same(name, &bits(&mut plain), &bits(&mut saved));
    }
}

/// One byte less would have been rounded, one step more would have been counted.
#[test]
fn the_same_state_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    for precision in [Precision::F32, Precision::F64] {
        let scene = scene(SolverKind::Jacobi, 8);
        let mut first = start(&scene, &Options::cpu(precision));
        advance(&mut first, 1);
        first.save(&a).unwrap();
        let mut second = start(&scene, &Options::cpu(precision));
        second.resume(&a).unwrap();
        second.save(&b).unwrap();
        assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
    }
}

#[test]
fn a_state_of_the_cpu_may_be_continued_on_a_device_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moved.checkpoint");
    let scene = scene(SolverKind::Coloured, 8);
    let [cpu, gpu] = [Options::cpu(Precision::F32), Options::gpu()];
    for [from, to] in [[&cpu, &gpu], [&gpu, &cpu]] {
        let mut first = start(&scene, from);
        advance(&mut first, HALF);
        first.save(&path).unwrap();
        let mut second = start(&scene, to);
        second.resume(&path).unwrap();
        assert_same("moved", &bits(&mut first), &bits(&mut second));
        advance(&mut second, 1);
    }
}

#[test]
fn the_other_precision_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("precise.checkpoint");
    let scene = scene(SolverKind::Coloured, 4);
    start(&scene, &Options::cpu(Precision::F64)).save(&path).unwrap();
    for options in [Options::cpu(Precision::F32), Options::gpu()] {
        let said = start(&scene, &options).resume(&path).unwrap_err().to_string();
        assert!(said.contains("precise.checkpoint"), "{said}");
        assert!(said.contains("in f64, and this one computes in f32"), "{said}");
        assert!(said.contains("`--precision f64` and `--backend cpu`"), "{said}");
    }
    start(&scene, &Options::cpu(Precision::F32)).save(&path).unwrap();
    let said = start(&scene, &Options::cpu(Precision::F64)).resume(&path).unwrap_err().to_string();
    assert!(said.contains("in f32, and this one computes in f64"), "{said}");
}

#[test]
fn a_checkpoint_of_another_scene_is_refused_and_the_difference_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.checkpoint");
    let ours = scene(SolverKind::Coloured, 4);
    let mut simulation = start(&ours, &Options::cpu(Precision::F32));
    simulation.save(&path).unwrap();
    let refused = |change: &dyn Fn(&mut Scene), hints: &[&str]| {
        let mut other = ours.clone();
        change(&mut other);
        let mut other = start(&other, &Options::cpu(Precision::F32));
        advance(&mut other, 1);
        let before = bits(&mut other);
        let error = other.resume(&path).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, SimulationError::Checkpoint(CheckpointError::OtherScene { .. })), "{said}");
        for hint in hints {
            assert!(said.contains(hint), "{hint} is not in: {said}");
        }
        assert!(said.contains("other.checkpoint") && said.len() < 1000, "{said}");
        assert_same("after a refusal", &before, &bits(&mut other));
        assert_eq!(other.steps(), 1);
    };
    refused(&|s| s.substeps = 7, &["`substeps`: 4 in the state, 7 in the scene"]);
    refused(&|s| s.time_step = 0.01, &["`time_step`", "0.01 s in the scene"]);
    refused(&|s| s.solver = SolverKind::Jacobi, &["`solver`: coloured in the state, jacobi in the scene"]);
    refused(
        &|s| s.cloth[0].name = "rag".into(),
        &["`sheet`, `block` in the state", "`rag`, `block` in the scene"],
    );
    refused(&|s| s.cloth.push(far_sheet()), &["`sheet`, `far`, `block` in the scene"]);
    refused(&|s| s.points.clear(), &["`sheet` in the scene"]);
    refused(&|s| s.cloth[0].density = 0.4, &["mass", "0.2 kg", "0.4 kg"]);
    refused(&|s| s.cloth[0].scale = 1.01, &["mass and place of `sheet`"]);
    refused(&|s| s.cloth[0].position.x = 0.5, &["place of `sheet`"]);
    refused(&|s| s.cloth[0].area_stiffness = 0.0, &["0 areas"]);
    refused(&|s| drop(s.cloth[0].pin.remove(0)), &["held"]);
    refused(&|s| *s = scene(SolverKind::Coloured, 5), &["25 (3 held)", "36 (3 held)"]);
}

/// Forces, stiffness and obstacles do not change what the numbers of a state mean.
#[test]
fn a_settled_state_may_be_continued_under_other_forces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settled.checkpoint");
    let mut scene = scene(SolverKind::Coloured, 4);
    start(&scene, &Options::cpu(Precision::F32)).save(&path).unwrap();
    scene.gravity.y = -1.6;
    scene.wind = None;
    scene.iterations = 9;
    scene.cloth[0].stretch_stiffness = 10.0;
    scene.collider.pop();
    let mut simulation = start(&scene, &Options::cpu(Precision::F32));
    simulation.resume(&path).unwrap();
    advance(&mut simulation, 1);
}

#[test]
fn a_state_that_blew_up_does_not_replace_the_last_good_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.checkpoint");
    for (name, options) in backends() {
        let mut simulation = start(&scene(SolverKind::Coloured, 4), &options);
        advance(&mut simulation, 1);
        simulation.save(&path).unwrap();
        let good = std::fs::read(&path).unwrap();
        let id = simulation.solver().velocities;
        let mut velocities = simulation.executor().read(id).unwrap();
        if let sinew::compute::Data::Reals(v) = &mut velocities {
            v[40] = f64::NAN;
        }
        simulation.executor().write(id, &velocities).unwrap();
        assert!(matches!(simulation.step(), Err(SimulationError::BlewUp { .. })), "{name}");
        assert!(matches!(simulation.save(&path), Err(SimulationError::BlewUp { .. })), "{name}");
        assert!(std::fs::read(&path).unwrap() == good, "{name}");
        // And the run goes on from there: the alarm belongs to the state that is gone.
        simulation.resume(&path).unwrap();
        assert_eq!(simulation.steps(), 1);
        advance(&mut simulation, 1);
    }
}

/// A small checkpoint and what it belongs to.
fn specimen() -> &'static (Vec<u8>, Fingerprint) {
    static SPECIMEN: OnceLock<(Vec<u8>, Fingerprint)> = OnceLock::new();
    SPECIMEN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("specimen");
        let mut simulation = start(&scene(SolverKind::Coloured, 3), &Options::cpu(Precision::F32));
        advance(&mut simulation, 1);
        simulation.save(&path).unwrap();
        (std::fs::read(&path).unwrap(), simulation.fingerprint())
    })
}

/// Reads bytes as a checkpoint.
fn load(bytes: &[u8]) -> Result<State, CheckpointError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let loaded = State::load(file.path(), &specimen().1);
    if let Err(error) = &loaded {
        let (said, path) = (error.to_string(), file.path().display().to_string());
        assert!(said.starts_with(&path) && said.contains(';'), "no file or no cure: {said}");
        assert!(said.len() < 1500 && !said.contains(char::is_control), "{said}");
    }
    loaded
}

/// Gives damaged bytes a checksum that fits: what a mistaken writer or an ill-meaning one would do.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len();
    if length >= 28 {
        bytes[16..24].copy_from_slice(&(length as u64).to_le_bytes());
        let sum = crc32fast::hash(&bytes[..length - 4]);
        bytes[length - 4..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

#[test]
fn the_specimen_itself_is_read() {
    assert_eq!(load(&specimen().0).unwrap().steps(), 1);
    assert_eq!(sealed(specimen().0.clone()), specimen().0);
}

#[test]
fn every_kind_of_damage_has_its_own_message() {
    let good = &specimen().0;
    let said = |bytes: &[u8]| load(bytes).unwrap_err().to_string();
    assert!(said(&[]).contains("the file is empty"));
    assert!(said(b"format = 1\n[[cloth]]\n").contains("the file is something else"));
    assert!(said(&good[..5]).contains("it ends after 5 bytes"));
    assert!(said(&good[..40]).contains("it ends after 40 bytes"));
    let (most, all) = (good.len() - 1, good.len());
    assert!(said(&good[..most]).contains(&format!("it has {most} bytes where it claims {all}")));
    assert!(said(&[good.as_slice(), &[0]].concat()).contains(&format!("claims {all}")));
    let with = |place: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[place..place + bytes.len()].copy_from_slice(bytes);
        changed
    };
    assert!(said(&with(8, &1u32.to_le_bytes())).contains("format 1 and this program reads format 4"));
    assert!(said(&with(8, &7u32.to_le_bytes())).contains("format 7 and this program reads format 4"));
    assert!(said(&with(all / 2, &[!good[all / 2]])).contains("checksum"));
    assert!(said(&sealed(with(12, &3u32.to_le_bytes()))).contains("its reals have 3 bytes"));
    assert!(said(&sealed(with(24, &u64::MAX.to_le_bytes()))).contains("18446744073709551615 steps"));
    assert!(said(&sealed(with(32, &f64::NAN.to_le_bytes()))).contains("from NaN s"));
    for huge in [u32::MAX, 1 << 31, all as u32] {
        assert!(said(&sealed(with(48, &huge.to_le_bytes()))).contains("damaged"), "the cuts");
        assert!(said(&sealed(with(52, &huge.to_le_bytes()))).contains("damaged"), "what is led");
        let text = said(&sealed(with(56, &huge.to_le_bytes())));
        assert!(text.contains(&format!("a text of {huge} bytes")), "{text}");
        assert!(said(&sealed(with(40, &huge.to_le_bytes()))).contains("damaged"));
        assert!(said(&sealed(with(44, &huge.to_le_bytes()))).contains(&format!("buffers: {huge}")));
    }
    assert!(said(&sealed(with(40, &0u32.to_le_bytes()))).contains("another scene"));
}

#[test]
fn a_buffer_that_claims_to_be_huge_is_refused_before_memory_is_taken() {
    let good = &specimen().0;
    let place = good.windows(9).position(|w| w == b"positions").unwrap() + 9 + 4 + "real4".len();
    for claim in [u64::MAX, u64::MAX / 4, 1 << 40, 0] {
        let mut changed = good.clone();
        changed[place..place + 8].copy_from_slice(&claim.to_le_bytes());
        let said = load(&sealed(changed)).unwrap_err().to_string();
        assert!(said.contains(&format!("`positions` of {claim} scalars")), "{said}");
    }
}

#[test]
fn what_is_no_file_is_refused() {
    let expected = &specimen().1;
    let folder = tempfile::tempdir().unwrap();
    let refuse = |path: &Path| State::load(path, expected).unwrap_err().to_string();
    assert!(refuse(folder.path()).contains("this is a folder or a device"));
    let said = refuse(&folder.path().join("missing"));
    assert!(said.contains("missing: cannot open the checkpoint"), "{said}");
    #[cfg(unix)]
    assert!(refuse(Path::new("/dev/zero")).contains("this is a folder or a device"));
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_run_alive() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation: Simulation = start(&scene(SolverKind::Coloured, 3), &Options::cpu(Precision::F32));
    let said = simulation.save(folder.path().join("no/such/folder")).unwrap_err().to_string();
    assert!(said.contains("no/such/folder") && said.contains("cannot create"), "{said}");
    advance(&mut simulation, 1);
}

/// One way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Append(Vec<u8>),
    Replace(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<prop::sample::Index>;
    let bytes = || prop::collection::vec(any::<u8>(), 1..20);
    prop_oneof![
        (place(), 0..8u8).prop_map(|(i, bit)| Damage::Flip(i, bit)),
        place().prop_map(Damage::Cut),
        bytes().prop_map(Damage::Append),
        (place(), bytes()).prop_map(|(i, b)| Damage::Replace(i, b)),
        (place(), 1..20u8).prop_map(|(i, n)| Damage::Remove(i, n)),
        (place(), bytes()).prop_map(|(i, b)| Damage::Insert(i, b)),
    ]
}

fn damaged(damages: &[Damage], within: usize) -> Vec<u8> {
    let mut bytes = specimen().0.clone();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let at = |i: &prop::sample::Index, length: usize| i.index(length.min(within));
        match damage {
            Damage::Flip(i, bit) => {
                let i = at(i, bytes.len());
                bytes[i] ^= 1 << bit;
            }
            Damage::Cut(i) => bytes.truncate(i.index(bytes.len())),
            Damage::Append(more) => bytes.extend(more),
            Damage::Replace(i, new) => {
                let i = at(i, bytes.len());
                for (old, new) in bytes[i..].iter_mut().zip(new) {
                    *old = *new;
                }
            }
            Damage::Remove(i, count) => {
                let i = at(i, bytes.len());
                let end = (i + usize::from(*count)).min(bytes.len());
                bytes.drain(i..end);
            }
            Damage::Insert(i, new) => {
                let i = at(i, bytes.len());
                bytes.splice(i..i, new.iter().copied());
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_damaged_checkpoint_is_refused(damages in prop::collection::vec(damage(), 1..4)) {
        let bytes = damaged(&damages, usize::MAX);
        prop_assume!(bytes != specimen().0);
        prop_assert!(load(&bytes).is_err());
    }

    /// With a fitting checksum damage may go unnoticed, but it never ends in a panic or in memory taken for nothing,
    /// and a state that is accepted can be run.
    #[test]
    fn a_forged_checkpoint_is_refused_or_runs(damages in prop::collection::vec(damage(), 1..4), early: bool) {
        let bytes = sealed(damaged(&damages, if early { 700 } else { usize::MAX }));
        if let Ok(state) = load(&bytes) {
            let mut simulation = start(&scene(SolverKind::Coloured, 3), &Options::cpu(Precision::F32));
            simulation.restore(&state).unwrap();
            match simulation.step() {
                Ok(()) | Err(SimulationError::BlewUp { .. }) => {}
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
