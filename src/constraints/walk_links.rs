//! Iterations on the links of strips or seams, a walk each; two at once where the next pass would begin with the same. See
//! [`super::link_window`].

use super::iterate::KEEP;
use super::link_window::{Applied, Ground, Lambdas, Nothing};
use crate::math::{Real, Vec4};
use crate::particles::World;

crate::kernel! {
    "constraints/walk_links" => walk_links per Walk {
        uniform world: World,
        read link_walks: uint4,     // first cell, rounds
        read link_nodes: uint,      // the particle of each cell
        read link_rests: real4,     // L [m], α stretched and compressed [m/N] of each span
        write link_lambdas: real4,  // λ of spans 1 to 4 [N s²]
        write link_lambdas_far: real2, // and of 5 and 8
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
    }
}

/// `launch.first` is the first walk, `launch.base` the number of iterations, from number `launch.index` on.
#[inline(always)]
fn walk_links<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, rounds, ..] = b.link_walks[(b.launch.first + id) as usize];
    let ground = Ground { world: *b.world, nodes: b.link_nodes, rests: b.link_rests, offsets: b.offsets };
    for k in 0..b.launch.base {
        let keeps = b.launch.flags & KEEP != 0 || k + 1 < b.launch.base;
        let position = |particle: u32| b.positions[particle as usize];
        ground.walk([first, rounds], position, &Kept { b, starts: b.launch.index + k == 0, keeps });
    }
}

struct Kept<'a, R: Real> {
    b: &'a Bindings<'a, R>,
    starts: bool,
    keeps: bool,
}

impl<R: Real> Applied<R> for Kept<'_, R> {
    #[inline(always)]
    fn of(&self, cell: u32) -> Lambdas<R> {
        if self.starts {
            return Nothing.of(cell);
        }
        let [a, b, c, d] = self.b.link_lambdas.get(cell).to_array();
        let [e, f] = self.b.link_lambdas_far.get(cell);
        [a, b, c, d, e, f]
    }
    #[inline(always)]
    fn keep(&self, cell: u32, [a, b, c, d, e, f]: Lambdas<R>) {
        if self.keeps {
            self.b.link_lambdas.set(cell, Vec4::from_array([a, b, c, d]));
            self.b.link_lambdas_far.set(cell, [e, f]);
        }
    }
}
