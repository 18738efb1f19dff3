//! The named buffers of a simulation and what they hold at the start.

use super::error::ComputeError;
use std::collections::HashMap;

/// A buffer's place in [`Buffers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub usize);

/// What one element of a buffer is. A buffer holds one kind of thing, never a mixed struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Real,
    Real2,
    Real4,
    Uint,
    Uint2,
    Uint4,
}

impl Element {
    /// The name in kernel declarations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Real2 => "real2",
            Self::Real4 => "real4",
            Self::Uint => "uint",
            Self::Uint2 => "uint2",
            Self::Uint4 => "uint4",
        }
    }

    /// Scalars per element.
    pub fn width(self) -> usize {
        match self {
            Self::Real | Self::Uint => 1,
            Self::Real2 | Self::Uint2 => 2,
            Self::Real4 | Self::Uint4 => 4,
        }
    }

    pub fn is_real(self) -> bool {
        matches!(self, Self::Real | Self::Real2 | Self::Real4)
    }
}

/// The contents of a buffer, scalar by scalar, on the host. Reals are f64 here, whatever the backend computes in.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Reals(Vec<f64>),
    Uints(Vec<u32>),
}

impl Data {
    pub fn len(&self) -> usize {
        match self {
            Self::Reals(v) => v.len(),
            Self::Uints(v) => v.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The reals; empty for a buffer of integers.
    pub fn reals(&self) -> &[f64] {
        match self {
            Self::Reals(v) => v,
            Self::Uints(_) => &[],
        }
    }

    /// The integers; empty for a buffer of reals.
    pub fn uints(&self) -> &[u32] {
        match self {
            Self::Uints(v) => v,
            Self::Reals(_) => &[],
        }
    }
}

/// What a buffer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Part of the model: never changes while running.
    Model,
    /// Part of the state: saved in checkpoints.
    State,
    /// Written before it is read in every step: neither saved nor restored.
    Scratch,
    /// A struct of parameters that the host may change between steps, bound as a uniform.
    Uniform,
}

#[derive(Clone, Debug)]
pub(super) struct Spec {
    pub name: String,
    pub element: Element,
    pub role: Role,
    pub data: Data,
}

/// The buffers of a simulation, by name.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    pub(super) specs: Vec<Spec>,
    by_name: HashMap<String, BufferId>,
}

impl Buffers {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a buffer with its first contents; a name may be used once.
    pub fn add(
        &mut self,
        name: &str,
        element: Element,
        role: Role,
        data: Data,
    ) -> Result<BufferId, ComputeError> {
        let error = |problem: String| ComputeError::Buffer { buffer: name.into(), problem };
        if matches!(data, Data::Reals(_)) != element.is_real() {
            return Err(error(format!("is declared `{}` but given the other scalar kind", element.name())));
        }
        if !data.len().is_multiple_of(element.width()) {
            return Err(error(format!("{} scalars do not divide into `{}`", data.len(), element.name())));
        }
        let id = BufferId(self.specs.len());
        if self.by_name.insert(name.into(), id).is_some() {
            return Err(error("is added twice".into()));
        }
        self.specs.push(Spec { name: name.into(), element, role, data });
        Ok(id)
    }

    pub fn reals(&mut self, name: &str, role: Role, data: Vec<f64>) -> Result<BufferId, ComputeError> {
        self.add(name, Element::Real, role, Data::Reals(data))
    }

    pub fn real4s(&mut self, name: &str, role: Role, data: Vec<[f64; 4]>) -> Result<BufferId, ComputeError> {
        self.add(name, Element::Real4, role, Data::Reals(data.into_flattened()))
    }

    pub fn uints(&mut self, name: &str, role: Role, data: Vec<u32>) -> Result<BufferId, ComputeError> {
        self.add(name, Element::Uint, role, Data::Uints(data))
    }

    pub fn uint2s(&mut self, name: &str, role: Role, data: Vec<[u32; 2]>) -> Result<BufferId, ComputeError> {
        self.add(name, Element::Uint2, role, Data::Uints(data.into_flattened()))
    }

    pub fn uint4s(&mut self, name: &str, role: Role, data: Vec<[u32; 4]>) -> Result<BufferId, ComputeError> {
        self.add(name, Element::Uint4, role, Data::Uints(data.into_flattened()))
    }

    pub fn find(&self, name: &str) -> Option<BufferId> {
        self.by_name.get(name).copied()
    }

    pub fn ids(&self) -> impl Iterator<Item = BufferId> + use<> {
        (0..self.specs.len()).map(BufferId)
    }

    pub fn name(&self, id: BufferId) -> &str {
        &self.specs[id.0].name
    }

    pub fn element(&self, id: BufferId) -> Element {
        self.specs[id.0].element
    }

    pub fn role(&self, id: BufferId) -> Role {
        self.specs[id.0].role
    }

    /// The contents the buffer was added with.
    pub fn initial(&self, id: BufferId) -> &Data {
        &self.specs[id.0].data
    }

    /// Elements in the buffer.
    pub fn len(&self, id: BufferId) -> usize {
        self.specs[id.0].data.len() / self.element(id).width()
    }

    pub fn is_empty(&self) -> bool {
        self.specs.is_empty()
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.specs.iter().map(|spec| 4 * spec.data.len() as u64).sum()
    }

    /// The buffers whose contents make up a checkpoint, in order.
    pub fn state(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.ids().filter(|&id| self.role(id) == Role::State)
    }
}
