//! Single kernels of rods, nets and magnets on contents that are arranged so that all elements store about as much: in a scene that moves by itself
//! most joints are hardly bent and most blocks of an elimination hardly filled, and one per cent of such a value is rounding
//! beside the largest.

use super::rigid::FIELDS;
use super::rods::{SOFT_RUBBER, net, rod};
use super::{Make, Stage, TOLERANCE, prepared};
use sinew::compute::{Data, Executor, Pass};

/// What an element of a buffer is given.
type Fill = fn(usize) -> [f64; 4];

/// Which passes are kept.
type Keep = fn(&Pass) -> bool;

pub fn arranged() -> Vec<Make> {
    let bent: [(&str, Fill); 3] = [("frames", turned), ("net_work", pushes), ("net_rows", pushes)];
    let mut all: Vec<Make> = Vec::new();
    let mut add = |name: &str, text: String, keep: Keep, fills: &[(&'static str, Fill)]| {
        let (name, fills) = (name.to_owned(), fills.to_vec());
        all.push(Box::new(move || arrange(name, &text, keep, fills)));
    };
    let of = |method: &str| net("", method, SOFT_RUBBER);
    add("bent net, coloured", of("coloured"), |pass| pass.kernel.name == "net_bend", &bent);
    add("bent net, Jacobi", of("jacobi"), |pass| pass.kernel.name == "net_ask_bend", &bent);
    // The first iteration begins with no multipliers.
    let twice = of("direct").replace("iterations = 1", "iterations = 2");
    let is_later = |pass: &Pass| pass.kernel.name.starts_with("net_measure") && pass.launch.index > 0;
    add("bent net, direct", twice, is_later, &bent);
    let system: [(&str, Fill); 2] = [("net_rows", row), ("net_factors", block)];
    add("full elimination", of("direct"), |pass| pass.kernel.name == "net_eliminate", &system);
    let rods = rod("", "jacobi", SOFT_RUBBER);
    add("turned rods", rods, |pass| pass.kernel.name == "gather_rods", &[("rod_work", pushes)]);
    add("free rods", free_rods(), |pass| pass.kernel.name == "solve_chain", &[("frames", turned)]);
    // Frames without a past, and with one.
    let spinning: [(&str, Fill); 2] = [("spins", spin), ("frame_pasts", past)];
    let is_second =
        |pass: &Pass| pass.kernel.name.starts_with("second_") && pass.kernel.name.ends_with("_frames");
    for (name, fills) in [("first spin", &spinning[..1]), ("spin", &spinning[..])] {
        add(name, free_rods().replace("format = 1", "format = 1\norder = 2"), is_second, fills);
    }
    // What pairs of magnets do to each other falls with the fourth power of how far apart they are.
    let loads: [(&str, Fill); 1] = [("magnet_loads", pushes)];
    add("loads of magnets", FIELDS.into(), |pass| pass.kernel.name == "chunk_loads", &loads);
    all
}

/// Short rods that nothing holds.
fn free_rods() -> String {
    let rod = |k: u32| {
        format!(
            r#"
[[rod]]
material = "rubber"
radius = 0.2
{SOFT_RUBBER}
from = [0, {k}, 0]
to = [2, {k}.5, 1]
segments = 4
"#
        )
    };
    format!("format = 1\nsubsteps = 1\n{}", (0..6).map(rod).collect::<String>())
}

/// Some passes on buffers that are filled.
fn arrange(name: String, text: &str, keep: Keep, fills: Vec<(&'static str, Fill)>) -> Stage {
    let (_, solver) = prepared(&name, text);
    let (buffers, mut passes) = (solver.buffers, solver.passes);
    passes.list.retain(keep);
    let fills = fills.into_iter().filter_map(|(name, fill)| Some((buffers.find(name)?, fill)));
    let fills: Vec<_> = fills.collect();
    let prepare = move |executor: &mut dyn Executor| {
        for &(id, fill) in &fills {
            let count = executor.read(id).unwrap().len() / 4;
            executor.write(id, &Data::Reals((0..count).flat_map(fill).collect())).unwrap();
        }
    };
    Stage { name, buffers, passes, before: Vec::new(), tolerance: TOLERANCE, prepare: Box::new(prepare) }
}

/// A number between a half and one, with either sign.
fn number(k: usize) -> f64 {
    let share = (k as f64 * 0.618_033_988_749_895).fract();
    (0.5 + 0.5 * share) * if (k % 7).is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn vector(k: usize, size: f64) -> [f64; 4] {
    [size * number(3 * k), size * number(3 * k + 1), size * number(3 * k + 2), 0.0]
}

/// Multipliers and pushes.
fn pushes(k: usize) -> [f64; 4] {
    vector(k, 0.2)
}

/// An orientation, turned by half a radian or more, and no rounding of it.
fn turned(k: usize) -> [f64; 4] {
    if k % 2 == 1 {
        return [0.0; 4];
    }
    let [x, y, z, _] = vector(k, 0.3);
    let length = (x * x + y * y + z * z + 1.0).sqrt();
    [x / length, y / length, z / length, 1.0 / length]
}

/// A row of a system: its diagonal block, larger than all others of the row together, and the right hand side.
fn row(k: usize) -> [f64; 4] {
    let mut column = vector(k, 1.0);
    if let axis @ 1..=3 = k % sinew::nets::ROW as usize {
        column[axis - 1] = 100.0;
        // Symmetric.
        let place = k / sinew::nets::ROW as usize;
        for other in (0..3).filter(|&other| other != axis - 1) {
            column[other] = number(5 * place + other + axis - 1);
        }
    }
    column
}

/// A block of the elimination.
fn block(k: usize) -> [f64; 4] {
    vector(k, 2.0)
}

/// How fast a frame turns.
fn spin(k: usize) -> [f64; 4] {
    vector(k, 1.0)
}

/// What a frame that turns steadily has of the last substep: its spin and the time step, the spin before, its turn.
fn past(k: usize) -> [f64; 4] {
    let step = 1.0 / 60.0;
    match k % 3 {
        0 => {
            let [x, y, z, _] = vector(k / 3, 0.9);
            [x, y, z, step]
        }
        1 => vector(k / 3, 0.8),
        _ => vector(k / 3, 0.9 * step),
    }
}
