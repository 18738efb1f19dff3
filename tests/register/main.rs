//! Scans put together, against the truth.

mod rates;
mod reflect;
mod views;
mod volumes;

use sinew::cloud::Cloud;
use sinew::glam::{DQuat, DVec3};
use sinew::math::random::Random;
use sinew::register::{Level, Match, Motion, Registration, Scans, Verdict, moved, register};
use sinew::scan::{bumpy_ball, head};
use views::{View, error, look, surfaces, two};

fn with_normals(seed: u64) -> Cloud {
    let mesh = bumpy_ball(seed, 5);
    let mut normals = vec![DVec3::ZERO; mesh.positions.len()];
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = mesh.corners(t);
        corners.iter().for_each(|&v| normals[v as usize] += (b - a).cross(c - a));
    }
    normals.iter_mut().for_each(|n| *n = n.normalize());
    Cloud { points: mesh.positions, normals, ..Cloud::default() }
}

fn far() -> Motion {
    Motion {
        rotation: DQuat::from_axis_angle(DVec3::new(1.0, -2.0, 0.7).normalize(), 2.4),
        translation: DVec3::new(0.3, 2.0, -1.0),
    }
}

/// Features so small that no two points are made one: both copies have the same points then.
#[test]
fn the_points_of_a_moved_copy_find_themselves() {
    let cloud = with_normals(1);
    assert!(cloud.points.len() >= 10_000);
    let copy = moved(&cloud, &far());
    let size = 0.014 * cloud.diagonal();
    let [from, to] = [&cloud, &copy].map(|cloud| Level::new(cloud, size));
    let partners = to.partners(&from.features);
    let right = |(x, partner): (&DVec3, &Option<Match>)| {
        partner.is_some_and(|m| to.features.points[m.partner as usize].distance(far().point(*x)) < 1e-3)
    };
    let count = from.features.points.iter().zip(&partners).filter(|pair| right(*pair)).count();
    assert!(count as f64 >= 0.999 * partners.len() as f64, "{count} of {}", partners.len());
}

#[test]
fn a_moved_copy_is_moved_back() {
    let cloud = with_normals(2);
    let clouds = [cloud.clone(), moved(&cloud, &far())];
    let pair = Scans::new(&clouds).pair([0, 1]);
    let [turn, shift] = error(&pair.motion, &far(), &cloud);
    assert!(pair.verdict == Verdict::Sure && turn < 0.01 && shift < 1e-4, "{turn}° {shift} {pair:?}");
}

#[test]
fn views_35_and_60_degrees_apart_are_put_together() {
    for (degrees, seed) in [(35.0, 1), (60.0, 2), (60.0, 3)] {
        let [a, b] = two(&surfaces(&bumpy_ball(seed, 5)), degrees, 110, seed);
        let truth = a.motion_to(&b);
        let clouds = [a.cloud, b.cloud];
        let pair = Scans::new(&clouds).pair([0, 1]);
        let [turn, shift] = error(&pair.motion, &truth, &clouds[0]);
        assert!(pair.verdict == Verdict::Sure && turn < 0.05 && shift < 5e-4, "{turn}° {shift} {pair:?}");
    }
}

#[test]
fn opposite_sides_and_other_bodies_are_never_sure() {
    let [a, b] = two(&surfaces(&bumpy_ball(4, 5)), 180.0, 90, 4);
    let [c, _] = two(&surfaces(&bumpy_ball(5, 5)), 35.0, 90, 5);
    let clouds = [a.cloud, b.cloud, c.cloud];
    let mut scans = Scans::new(&clouds);
    for which in [[0, 1], [0, 2], [1, 2]] {
        let pair = scans.pair(which);
        assert!(pair.verdict != Verdict::Sure && !pair.fits, "{which:?} {pair:?}");
    }
}

/// Three views of each of three heads, which differ by small bumps, in no order.
fn heads() -> Vec<(usize, View)> {
    let views = (0..3).flat_map(|person: u64| {
        let surfaces = surfaces(&head(person, 5));
        (0..3).map(move |view: u32| {
            let (sine, cosine) = (f64::from(view) * 0.8 + person as f64).sin_cos();
            let direction = DVec3::new(sine, if view == 1 { -0.36 } else { 0.36 }, cosine);
            (person as usize, look(&surfaces, direction, 120, 0.001, 10 * person + u64::from(view)))
        })
    });
    let mut views: Vec<_> = views.collect();
    let mut random = Random(6);
    for i in (1..views.len()).rev() {
        views.swap(i, (random.number() * (i + 1) as f64) as usize);
    }
    views
}

fn motions(found: &Registration) -> Vec<Vec<(usize, Motion)>> {
    found.objects.iter().map(|object| object.scans.clone()).collect()
}

#[test]
fn views_of_three_heads_are_sorted_and_placed() {
    let (persons, views): (Vec<usize>, Vec<View>) = heads().into_iter().unzip();
    let clouds: Vec<Cloud> = views.iter().map(|view| view.cloud.clone()).collect();
    let found = register(&clouds, &|_, _| {});
    assert_eq!(found.objects.len(), 3);
    for object in &found.objects {
        let (first, _) = object.scans[0];
        assert_eq!(object.scans.len(), 3);
        for &(scan, motion) in &object.scans {
            assert_eq!(persons[scan], persons[first]);
            let [turn, shift] = error(&motion, &views[scan].motion_to(&views[first]), &clouds[scan]);
            assert!(turn < 0.2 && shift < 2e-3, "{turn}° {shift}");
        }
    }
    // Points that speak for a motion: of pairs of one head, and of pairs whose surfaces do not fit.
    let weigh = |same: bool| {
        let of = found.links.iter().filter(|l| (persons[l.scans[0]] == persons[l.scans[1]]) == same);
        of.filter(|link| link.pair.fits).map(|link| link.pair.mutual).collect::<Vec<_>>()
    };
    let (right, wrong) = (weigh(true), weigh(false));
    let least = right.iter().min().unwrap();
    assert!(right.len() >= 6 && wrong.iter().all(|w| 10 * w <= *least), "{right:?} {wrong:?}");

    // The number of threads changes no bit.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(motions(&found), motions(&pool.install(|| register(&clouds, &|_, _| {}))));
}

#[test]
fn a_ball_looks_alike_from_all_sides() {
    let ball = surfaces(&sinew::meshing::generate::icosphere(1.0, 5));
    let [a, b] = two(&ball, 40.0, 80, 1);
    let clouds = [a.cloud, b.cloud];
    let pair = Scans::new(&clouds).pair([0, 1]);
    assert!(pair.verdict != Verdict::Sure, "{pair:?}");
}
