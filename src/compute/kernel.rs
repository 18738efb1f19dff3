//! A kernel is a unit of three: WGSL source, Rust twin, and the declaration that joins them.

use super::passes::Launch;
use crate::math::lane::MOST;
use crate::math::{Lanes, Places, Real, Spread, Vec4, Width};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::AtomicU32;

/// What one invocation of a twin stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// One invocation of the shader; all of a pass may run at once because their writes are disjoint.
    Invocation,
    /// One workgroup of the shader, whose invocations share memory; workgroups may run at once.
    Workgroup,
    /// One invocation of the shader that walks along many elements: a few are worth a thread.
    Walk,
}

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Uniform,
    Read,
    Write,
    /// Integers changed by atomic operations whose result does not depend on their order.
    Atomic,
}

/// One buffer a kernel asks for, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub name: &'static str,
    pub access: Access,
    /// The twin's element: `real`, `real2`, `real4`, `uint`, `uint2`, `uint4` or a uniform struct.
    pub element: &'static str,
}

/// One pass's code: on the device and as its twin.
pub struct Kernel {
    /// The entry point, the file's name and the label in profiles.
    pub name: &'static str,
    /// The folder and name below `shaders/`.
    pub path: &'static str,
    pub source: &'static str,
    pub grain: Grain,
    pub bindings: &'static [Binding],
    pub twin_f32: fn(&Bound<'_, f32>, Range<u32>),
    pub twin_f64: fn(&Bound<'_, f64>, Range<u32>),
    /// The f32 twin, several invocations at once: the same bits, sooner.
    pub lanes_f32: Option<LaneTwin>,
    pub disjoint: Disjoint,
}

/// The promise that comes with a kernel: within a pass, no invocation of its twin writes an element that another one reads or
/// writes, but for atomic ones; so that invocations may run on several threads at once.
#[derive(Clone, Copy, Debug)]
pub struct Disjoint(());

impl Disjoint {
    /// # Safety
    ///
    /// The twins of the kernel that it is given to keep the promise.
    pub const unsafe fn promise() -> Self {
        Self(())
    }
}

/// Runs a range of invocations, at most so many at once.
pub type LaneTwin = fn(&Bound<'_, f32>, Range<u32>, Width);

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({})", self.name)
    }
}

/// The memory of one buffer on the CPU, seen by a pass that may run on several threads.
#[derive(Clone, Copy)]
pub struct RawBuffer {
    pub(super) start: *mut u8,
    pub(super) bytes: usize,
}

// SAFETY: a kernel's declaration promises that concurrent invocations write disjoint elements and read no
// element that another one writes; `Order` lets tests check the promise by running in other orders.
unsafe impl Send for RawBuffer {}
// SAFETY: as above.
unsafe impl Sync for RawBuffer {}

/// What a twin is given: the pass's parameters and its buffers in the order of the declaration.
pub struct Bound<'a, R> {
    pub launch: Launch<R>,
    pub(super) buffers: &'a [RawBuffer],
}

impl<R: Real> Bound<'_, R> {
    /// The elements of a buffer that the pass only reads.
    pub fn read<T: bytemuck::Pod>(&self, slot: usize) -> &[T] {
        let raw = self.buffers[slot];
        // SAFETY: the executor made `raw` from a live buffer of this element kind (checked when the pass was
        // added) and no invocation of this pass writes it.
        unsafe { std::slice::from_raw_parts(raw.start.cast(), raw.bytes / size_of::<T>()) }
    }

    /// The elements of a buffer that the pass writes.
    pub fn write<T: bytemuck::Pod>(&self, slot: usize) -> Shared<'_, T> {
        let raw = self.buffers[slot];
        Shared { start: raw.start.cast(), len: raw.bytes / size_of::<T>(), life: PhantomData }
    }

    /// The counters of a buffer that the pass changes atomically.
    pub fn atomic(&self, slot: usize) -> &[AtomicU32] {
        let raw = self.buffers[slot];
        // SAFETY: as in `read`; `AtomicU32` has the layout of `u32` and all access in this pass is atomic.
        unsafe { std::slice::from_raw_parts(raw.start.cast(), raw.bytes / size_of::<AtomicU32>()) }
    }
}

/// A slice that several threads write, each its own elements.
#[derive(Clone, Copy)]
pub struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    life: PhantomData<&'a [T]>,
}

impl<T: Copy> Shared<'_, T> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub fn get(&self, i: u32) -> T {
        assert!((i as usize) < self.len, "index {i} is outside a buffer of {} elements", self.len);
        // SAFETY: in range, and no other invocation writes this element (see `RawBuffer`).
        unsafe { *self.start.add(i as usize) }
    }

    #[inline(always)]
    pub fn set(&self, i: u32, value: T) {
        assert!((i as usize) < self.len, "index {i} is outside a buffer of {} elements", self.len);
        // SAFETY: in range, and no other invocation touches this element (see `RawBuffer`).
        unsafe { *self.start.add(i as usize) = value }
    }
}

impl Shared<'_, Vec4<f32>> {
    /// The elements at the lanes' places.
    #[inline(always)]
    pub fn gather<L: Lanes>(&self, places: &Places) -> Vec4<L> {
        places.assert_within(self.len);
        // SAFETY: all places are within, and no other invocation writes these elements (see `RawBuffer`).
        L::vectors(|lane| unsafe { &*self.start.add(places.lane(lane) as usize) })
    }

    /// Replaces the elements at the lanes' places where the mask says so; those places must differ.
    #[inline(always)]
    pub fn scatter<L: Lanes>(&self, places: &Places, values: Vec4<L>, mask: L::Mask) {
        places.assert_within(self.len);
        // SAFETY: all places are within.
        let place = |lane: usize| unsafe { self.start.add(places.lane(lane) as usize) };
        if L::all(mask) {
            // SAFETY: no other invocation touches these elements (see `RawBuffer`).
            unsafe { L::set_vectors(values, place) };
            return;
        }
        let mut copies = [Vec4::ZERO; MOST];
        let start = copies.as_mut_ptr();
        // SAFETY: a lane is below `MOST`.
        unsafe { L::set_vectors(values, |lane| start.add(lane)) };
        let bits = L::bits(mask);
        for (lane, value) in copies.into_iter().enumerate().take(L::COUNT) {
            if bits >> lane & 1 != 0 {
                // SAFETY: no other invocation touches these elements (see `RawBuffer`).
                unsafe { *place(lane) = value };
            }
        }
    }

    /// The elements where the lanes are.
    #[inline(always)]
    pub fn load_spread<L: Lanes>(&self, spread: &Spread) -> Vec4<L> {
        match spread {
            Spread::Even { first, step } => self.load_vectors(*first, *step),
            Spread::Each(places) => self.gather(places),
        }
    }

    /// Replaces the elements where the lanes are; the mask is looked at where those are not even.
    #[inline(always)]
    pub fn store_spread<L: Lanes>(&self, spread: &Spread, values: Vec4<L>, mask: L::Mask) {
        match spread {
            Spread::Even { first, step } => self.store_vectors(*first, *step, values),
            Spread::Each(places) => self.scatter(places, values, mask),
        }
    }

    /// Every `step`-th element, one per lane, from `first` on.
    #[inline(always)]
    pub fn load_vectors<L: Lanes>(&self, first: u32, step: u32) -> Vec4<L> {
        let start = self.vectors::<L>(first, step);
        // SAFETY: in range, and no other invocation writes these elements (see `RawBuffer`).
        L::vectors(|lane| unsafe { &*start.add(lane * step as usize) })
    }

    /// Replaces every `step`-th element, one per lane, from `first` on.
    #[inline(always)]
    pub fn store_vectors<L: Lanes>(&self, first: u32, step: u32, values: Vec4<L>) {
        let start = self.vectors::<L>(first, step);
        // SAFETY: in range, and no other invocation touches these elements (see `RawBuffer`).
        unsafe { L::set_vectors(values, |lane| start.add(lane * step as usize)) }
    }

    /// Where a block's lanes begin, all of them in range.
    #[inline(always)]
    fn vectors<L: Lanes>(&self, first: u32, step: u32) -> *mut Vec4<f32> {
        let end = first as usize + (L::COUNT - 1) * step as usize;
        assert!(end < self.len, "lanes {first} to {end} are outside a buffer of {} elements", self.len);
        // SAFETY: in range.
        unsafe { self.start.add(first as usize) }
    }
}

impl Shared<'_, f32> {
    /// One element per lane, from `first` on.
    #[inline(always)]
    pub fn load<L: Lanes>(&self, first: u32) -> L {
        L::load(self.block::<L>(first))
    }

    /// Replaces one element per lane, from `first` on.
    #[inline(always)]
    pub fn store<L: Lanes>(&self, first: u32, values: L) {
        values.store(self.block::<L>(first));
    }

    /// The elements of a block's own lanes.
    #[inline(always)]
    #[expect(
        clippy::mut_from_ref,
        reason = "the elements belong to the block alone, as `RawBuffer` promises"
    )]
    fn block<L: Lanes>(&self, first: u32) -> &mut [f32] {
        let first = first as usize;
        assert!(
            self.len >= L::COUNT && first <= self.len - L::COUNT,
            "lanes from {first} are outside a buffer"
        );
        // SAFETY: in range, and no other invocation touches these elements (see `RawBuffer`).
        unsafe { std::slice::from_raw_parts_mut(self.start.add(first), L::COUNT) }
    }
}

/// Declares a kernel of the library: its shader below `shaders/`, its buffers and its twin, the function named after the shader's
/// entry point.
///
/// Makes `Bindings`, what the twin sees, with one field per buffer, and `KERNEL`. After `lanes` stands a function
/// generic over [`Lanes`] that does what the twin does for `L::COUNT` invocations, with the same bits. The promise of
/// [`Disjoint`] is made with every declaration; tests run kernels in other orders.
macro_rules! kernel {
    ($path:literal => $($rest:tt)*) => {
        $crate::external_kernel! {
            unsafe $path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $path, ".wgsl")) => $($rest)*
        }
    };
}
pub(crate) use kernel;

/// Declares a kernel outside the library: `unsafe`, then a name for it, the text of its shader and what [`Disjoint`] promises about
/// the twin.
///
/// ```text
/// sinew::external_kernel! {
///     // SAFETY: an invocation writes the temperature of its own row and reads no other.
///     unsafe "embers/cool", include_str!("cool.wgsl") => cool per Invocation {
///         write temperature: real,
///     }
/// }
/// ```
#[macro_export]
macro_rules! external_kernel {
    (
        unsafe $path:literal, $source:expr => $twin:ident $(, lanes $lanes:ident,)? per $grain:ident {
            $( $access:ident $name:ident : $element:ident ),* $(,)?
        }
    ) => {
        /// The buffers of one pass as the twin sees them; the names are the shader's.
        pub struct Bindings<'a, R: $crate::math::Real> {
            pub launch: $crate::compute::Launch<R>,
            $( pub $name: $crate::external_kernel!(@field 'a $access $element), )*
        }

        impl<'a, R: $crate::math::Real> Bindings<'a, R> {
            #[allow(unused_assignments, reason = "the counter's last value is not read")]
            fn bind(bound: &'a $crate::compute::Bound<'a, R>) -> Self {
                let mut slot = 0;
                $(
                    let $name = $crate::external_kernel!(@bind bound slot $access);
                    slot += 1;
                )*
                Self { launch: bound.launch, $( $name, )* }
            }
        }

        fn twin<R: $crate::math::Real>(
            bound: &$crate::compute::Bound<'_, R>,
            range: std::ops::Range<u32>,
        ) {
            let bindings = Bindings::<R>::bind(bound);
            for id in range {
                $twin(&bindings, id);
            }
        }

        pub static KERNEL: $crate::compute::Kernel = $crate::compute::Kernel {
            name: stringify!($twin),
            path: $path,
            source: $source,
            grain: $crate::compute::Grain::$grain,
            bindings: &[ $(
                $crate::compute::Binding {
                    name: stringify!($name),
                    access: $crate::external_kernel!(@access $access),
                    element: stringify!($element),
                },
            )* ],
            twin_f32: twin::<f32>,
            twin_f64: twin::<f64>,
            lanes_f32: $crate::external_kernel!(@lanes $twin $($lanes)?),
            // SAFETY: whoever declares the kernel promises it, by the `unsafe` of the declaration.
            disjoint: unsafe { $crate::compute::Disjoint::promise() },
        };
    };

    (@lanes $twin:ident) => { None };
    (@lanes $twin:ident $lanes:ident) => {{
        struct Blocks<'a>(Bindings<'a, f32>);
        impl $crate::math::lane::Blocks for Blocks<'_> {
            #[inline(always)]
            fn block<L: $crate::math::Lanes>(&self, first: u32) {
                $lanes::<L>(&self.0, first);
            }
            #[inline(always)]
            fn single(&self, id: u32) {
                $twin(&self.0, id);
            }
        }
        fn run(
            bound: &$crate::compute::Bound<'_, f32>,
            range: std::ops::Range<u32>,
            width: $crate::math::Width,
        ) {
            $crate::math::lane::run(&Blocks(Bindings::bind(bound)), range, width);
        }
        Some(run)
    }};

    (@access uniform) => { $crate::compute::Access::Uniform };
    (@access read) => { $crate::compute::Access::Read };
    (@access write) => { $crate::compute::Access::Write };
    (@access atomic) => { $crate::compute::Access::Atomic };

    (@bind $bound:ident $slot:ident uniform) => { &$bound.read($slot)[0] };
    (@bind $bound:ident $slot:ident read) => { $bound.read($slot) };
    (@bind $bound:ident $slot:ident write) => { $bound.write($slot) };
    (@bind $bound:ident $slot:ident atomic) => { $bound.atomic($slot) };

    (@field $life:lifetime uniform $element:ident) => { &$life $element<R> };
    (@field $life:lifetime read $element:ident) => { &$life [$crate::external_kernel!(@element $element)] };
    (@field $life:lifetime write $element:ident) => {
        $crate::compute::Shared<$life, $crate::external_kernel!(@element $element)>
    };
    (@field $life:lifetime atomic $element:ident) => { &$life [std::sync::atomic::AtomicU32] };

    (@element real) => { R };
    (@element real2) => { [R; 2] };
    (@element real4) => { $crate::math::Vec4<R> };
    (@element uint) => { u32 };
    (@element uint2) => { [u32; 2] };
    (@element uint4) => { [u32; 4] };
}
