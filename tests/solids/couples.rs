//! The linear program behind `torque = "couples"`: three couples that make a torque with the least force.

use super::damping::{random_field, spinning};
use super::{Random, cuboid, scene};
use glam::{DMat3, DVec3};
use sinew::math::Vec3;
use sinew::model::Model;
use sinew::scene::Solid;
use sinew::solids::damping::couples::{COUPLES_SPREAD, of_points, unit};

fn vector(random: &mut Random) -> Vec3<f64> {
    Vec3::of(random.vector().to_array())
}

/// The least cost of all triples of couples that make the torque.
fn least_of_all(r: &[Vec3<f64>], torque: Vec3<f64>) -> f64 {
    let mut columns = Vec::new();
    for (i, a) in r.iter().enumerate() {
        for b in &r[..i] {
            let arm = *a - *b;
            columns.push(Vec3::new(0.0, arm.z, -arm.y));
            columns.push(Vec3::new(-arm.z, 0.0, arm.x));
            columns.push(Vec3::new(arm.y, -arm.x, 0.0));
        }
    }
    let mut least = f64::INFINITY;
    for i in 0..columns.len() {
        for j in 0..i {
            for k in 0..j {
                let (a, b, c) = (columns[i], columns[j], columns[k]);
                let determinant = a.dot(b.cross(c));
                if determinant.abs() < 1e-9 {
                    continue;
                }
                let parts = [b.cross(c), c.cross(a), a.cross(b)].map(|n| (torque.dot(n) / determinant).abs());
                least = least.min(2.0 * parts.iter().sum::<f64>());
            }
        }
    }
    least
}

#[test]
fn couples_make_the_torque_with_the_least_force() {
    let mut random = Random::new(5);
    let mut rounds_left = 0;
    for case in 0..300 {
        // Every third set is a lattice, where many couples are equally good.
        let r: [Vec3<f64>; 6] = std::array::from_fn(|k| match case % 3 {
            0 => Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64),
            _ => vector(&mut random),
        });
        let torque = unit(vector(&mut random));
        let couples = of_points(&r, torque);
        rounds_left += usize::from(!couples.done);
        let mut made = Vec3::ZERO;
        let mut cost = 0.0;
        for (point, r) in r.iter().enumerate() {
            let pull = couples.pull(point as u32);
            made += r.cross(pull);
            cost += pull.x.abs() + pull.y.abs() + pull.z.abs();
        }
        assert!((made - torque).length() < 1e-12, "case {case}: {made:?} for {torque:?}");
        let least = least_of_all(&r, torque);
        assert!(
            cost >= least * (1.0 - 1e-9) && cost <= least * (1.0 + COUPLES_SPREAD),
            "case {case}: {cost}, least {least}"
        );
    }
    assert_eq!(rounds_left, 0);
}

#[test]
fn points_on_a_line_have_no_couples() {
    let r: [Vec3<f64>; 4] = std::array::from_fn(|k| Vec3::new(1.0, 2.0, 3.0) * k as f64);
    let couples = of_points(&r, Vec3::new(1.0, 0.0, 0.0));
    assert_eq!(couples.strengths, [0.0; 3]);
}
/// The linear program's pulls sum to less than what any other scheme adds to plain damping in order to keep the spin. Taken whole,
/// as in Schmedding 2012, they make a spinning body faster.
#[test]
fn couples_need_the_least_force_of_all_schemes() {
    let model =
        Model::new(&scene(Solid { shape: cuboid([1.0, 0.8, 0.6], [4; 3]), ..Solid::default() })).unwrap();
    let m = &model.particles.masses;
    let mass: f64 = m.iter().sum();
    let mean = |v: &[DVec3]| v.iter().zip(m).map(|(v, m)| *m * *v).sum::<DVec3>() / mass;
    let mut random = Random::new(8);
    let x: Vec<DVec3> = model.particles.positions.iter().map(|x| *x + 0.02 * random.vector()).collect();
    let centre = mean(&x);
    let r: [DVec3; 125] = std::array::from_fn(|i| x[i] - centre);
    for start in [random_field(&model), spinning(&model)] {
        let drift = mean(&start);
        let v: Vec<DVec3> = start.iter().map(|v| *v - drift).collect();
        let spin: DVec3 = (0..125).map(|i| m[i] * r[i].cross(v[i])).sum();
        let points = r.map(|r| Vec3::of(r.to_array()));
        let couples = of_points(&points, Vec3::of((spin / spin.length()).to_array()));
        let pull = |i: usize| {
            let c = couples.pull(i as u32);
            DVec3::new(c.x, c.y, c.z) * spin.length()
        };
        let made: DVec3 = (0..125).map(|i| r[i].cross(pull(i))).sum();
        assert!((made - spin).length() < 1e-12 * spin.length(), "{made} of {spin}");
        assert!((0..125).map(pull).sum::<DVec3>().length() < 1e-12 * spin.length());
        let sum = |c: &dyn Fn(usize) -> DVec3| (0..125).map(|i| c(i).abs().element_sum()).sum::<f64>();
        let least = sum(&pull);
        // What is left of v by the others; plain damping leaves nothing of it.
        let inertia: DMat3 = (0..125)
            .map(|i| m[i] * (DMat3::from_diagonal(DVec3::splat(r[i].length_squared())) - outer(r[i])))
            .sum();
        let omega = inertia.inverse() * spin;
        let radial: Vec<DVec3> = (0..125).map(|i| v[i].project_onto(r[i])).collect();
        let left = mean(&radial);
        let rigid = sum(&|i| m[i] * omega.cross(r[i]));
        let centred = sum(&|i| m[i] * (v[i] - radial[i] + left));
        println!("Σ|c|: couples {least:.3}, rigid {rigid:.3}, centre {centred:.3} kg m/s");
        assert!(least < rigid && least < centred);
        let energy =
            |v: &dyn Fn(usize) -> DVec3| (0..125).map(|i| 0.5 * m[i] * v(i).length_squared()).sum::<f64>();
        if start == spinning(&model) {
            let (before, whole) = (energy(&|i| v[i]), energy(&|i| pull(i) / m[i]));
            println!("a spin of {before:.2} J becomes {whole:.2} J by the whole of the couples");
            assert!(whole > 2.0 * before);
        }
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}
