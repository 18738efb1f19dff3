//! Starts and steps that do not block, as a browser takes them.

use crate::scene::backends;
use crate::tape::{self, pull, tearing};
use sinew::Simulation;
use sinew::compute::Gpu;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

const STEPS: u32 = 12;

/// Looks for the result in turn with the device, and does nothing else.
fn driven<T>(gpu: Option<&Gpu>, future: impl Future<Output = T>) -> (T, u32) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for looks in 0..10_000_000 {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return (result, looks);
        }
        if let Some(gpu) = gpu {
            gpu.check().unwrap();
        }
        std::thread::yield_now();
    }
    panic!("it is never there");
}

/// In a run whose lists grow and whose body is cut.
#[test]
fn steps_that_do_not_block_have_the_same_bits() {
    for (name, options) in backends() {
        let mut blocking = Simulation::new(&tape::scene(), &tearing(&options)).unwrap();
        // The device that a simulation opens is its own: nobody else can look after it meanwhile, and on this side of the web
        // nobody has to.
        let mut free = driven(None, Simulation::prepare(&tape::scene(), &tearing(&options))).0.unwrap();
        pull(&mut blocking);
        pull(&mut free);
        blocking.advance(STEPS).unwrap();
        let gpu = free.executor().gpu().map(|executor| executor.device().clone());
        let (result, looks) = driven(gpu.as_ref(), free.advance_unblocked(STEPS));
        result.unwrap();
        assert!(gpu.is_none() || looks > 0, "{name}: nobody waited for the device");
        assert_eq!((free.steps(), free.epoch()), (blocking.steps(), blocking.epoch()), "{name}");
        assert!(free.epoch() > 0, "{name}: it is cut");
        assert!(free.state().unwrap() == blocking.state().unwrap(), "{name}");
    }
}
