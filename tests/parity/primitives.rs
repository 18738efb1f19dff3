//! Reductions, prefix sums and sorting, which no scene of today runs in full.

use crate::Stage;
use crate::stages::Make;
use sinew::compute::{Data, Element, Passes, Role, Tables};
use sinew::primitives::{reduce, scan, sort};

/// Several blocks, the last of them not full.
const COUNT: u32 = 10_000;

pub fn all() -> Vec<Make> {
    vec![Box::new(primitives)]
}

fn primitives() -> Stage {
    let (mut buffers, mut passes) = (Tables::new(), Passes::new());
    let value = |i: u32| f64::from(((f64::from(i) * 0.7).sin() + 1.5) as f32);
    for name in ["a", "b"] {
        buffers.reals(name, Role::State, (0..COUNT).map(value).collect()).unwrap();
    }
    let vectors =
        |shift: u32| (0..COUNT).map(|i| [value(i + shift), value(2 * i), value(3 * i), 0.0]).collect();
    buffers.real4s("u", Role::State, vectors(0)).unwrap();
    buffers.real4s("v", Role::State, vectors(7)).unwrap();
    reduce::sum(&mut passes, &mut buffers, "a", COUNT, "sum").unwrap();
    reduce::max(&mut passes, &mut buffers, "a", COUNT, "largest").unwrap();
    reduce::dot(&mut passes, &mut buffers, ["u", "v"], COUNT, "product").unwrap();
    buffers.uints("counts", Role::State, (0..COUNT).map(|i| i % 7).collect()).unwrap();
    scan::exclusive(&mut passes, &mut buffers, "counts", COUNT, "starts").unwrap();
    // The total after a full block is stored by a line of its own.
    scan::exclusive(&mut passes, &mut buffers, "counts", scan::BLOCK, "starts_of_block").unwrap();
    let pairs = (0..COUNT).flat_map(|i| [i.wrapping_mul(2_654_435_761), i]).collect();
    buffers.add("pairs", Element::Uint2, Role::State, Data::Uints(pairs)).unwrap();
    sort::pairs(&mut passes, &mut buffers, "pairs", COUNT, 32, "order").unwrap();
    Stage {
        name: "primitives".into(),
        buffers,
        passes,
        before: Vec::new(),
        tolerance: 1e-5,
        prepare: Box::new(|_| {}),
    }
}
