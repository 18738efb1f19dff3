//! Two runs agree bit for bit, whatever the number of threads and whatever else is in the scene.

use crate::scene::{
    HALF, SOLVERS, advance, assert_same, backends, bits, body_bits, far_collider, far_sheet, scene, start,
};
use sinew::scene::Scene;
use sinew::{Options, Precision};

#[test]
fn two_runs_agree_to_the_bit_on_every_backend() {
    for (name, options) in backends() {
        for solver in SOLVERS {
            let scene = scene(solver, 16);
            let [a, b] = [(), ()].map(|()| {
                let mut simulation = start(&scene, &options);
                advance(&mut simulation, HALF);
                bits(&mut simulation)
            });
            assert_same(&format!("{name}, {solver:?}"), &a, &b);
            let mut moved = start(&scene, &options);
            assert_ne!(bits(&mut moved), a, "{name}, {solver:?}: nothing has moved");
        }
    }
}

/// Steps one by one and many at once are the same passes.
#[test]
fn steps_at_once_are_the_same_as_steps_one_by_one() {
    for (name, options) in backends() {
        let scene = scene(SOLVERS[0], 12);
        let mut one_by_one = start(&scene, &options);
        advance(&mut one_by_one, HALF);
        let mut at_once = start(&scene, &options);
        at_once.advance(HALF).unwrap();
        assert_same(name, &bits(&mut one_by_one), &bits(&mut at_once));
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for solver in SOLVERS {
        // Enough particles that a pass is cut into three pieces.
        let scene = scene(solver, 95);
        for precision in [Precision::F32, Precision::F64] {
            let mut simulation = start(&scene, &Options::cpu(precision));
            let beginning = simulation.state().unwrap().clone();
            let mut run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                simulation.restore(&beginning).unwrap();
                pool.install(|| advance(&mut simulation, 2));
                bits(&mut simulation)
            };
            let one = run(1);
            for threads in [2, 3, 8] {
                assert_same(&format!("{solver:?}, {precision:?}, {threads} threads"), &one, &run(threads));
            }
        }
    }
}

/// Runs a scene alone and with company that is far away, and compares its own bodies.
fn assert_undisturbed(change: impl Fn(&mut Scene), what: &str) {
    for (name, options) in backends() {
        for solver in SOLVERS {
            let alone = scene(solver, 12);
            let mut together = alone.clone();
            change(&mut together);
            let [mut a, mut b] = [&alone, &together].map(|scene| start(scene, &options));
            advance(&mut a, 2 * HALF);
            advance(&mut b, 2 * HALF);
            for body in ["sheet", "block"] {
                let (left, right) = (body_bits(&mut a, body), body_bits(&mut b, body));
                let differing = left.iter().zip(&right).filter(|(l, r)| l != r).count();
                let all = left.len();
                assert_eq!(
                    differing, 0,
                    "{name}, {solver:?}, {what}: {differing} of {all} scalars of `{body}` differ"
                );
            }
        }
    }
}

#[test]
fn a_far_body_changes_nothing() {
    assert_undisturbed(|scene| scene.cloth.push(far_sheet()), "a far sheet");
}

#[test]
fn a_far_body_that_comes_first_changes_nothing() {
    assert_undisturbed(|scene| scene.cloth.insert(0, far_sheet()), "a far sheet before");
}

#[test]
fn a_far_body_with_its_own_collider_changes_nothing() {
    let change = |scene: &mut Scene| {
        scene.cloth.push(far_sheet());
        scene.collider.push(far_collider());
    };
    assert_undisturbed(change, "a far sheet and a far ball");
}

/// Families of constraints that only the other body has must not leave a trace either, not even the sign of a zero.
#[test]
fn a_far_body_changes_nothing_for_a_body_of_links_alone() {
    for (name, options) in backends() {
        for solver in SOLVERS {
            let mut alone = scene(solver, 2);
            alone.cloth.clear();
            alone.points = vec![sinew::scene::Points { name: "chain".into(), ..Default::default() }];
            alone.collider.clear();
            alone.wind = None;
            let mut together = alone.clone();
            together.cloth.push(far_sheet());
            together.collider.push(far_collider());
            let [mut a, mut b] = [&alone, &together].map(|scene| start(scene, &options));
            advance(&mut a, HALF);
            advance(&mut b, HALF);
            assert_eq!(body_bits(&mut a, "chain"), body_bits(&mut b, "chain"), "{name}, {solver:?}");
        }
    }
}
