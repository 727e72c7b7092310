//! What is known of device memory: where it was allocated, and what the host has written.

use reconverge_compiler::check::tree::Type;
use reconverge_compiler::syntax::Span;
use std::ops::Range;

/// An allocation of device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Its addresses.
    pub range: Range<u32>,
    /// The call that has made it; none for variables.
    pub span: Option<Span>,
    /// What the pointer points to that the call was given, if that is known.
    pub element: Option<Type>,
}

/// A call of CUDA's library, which may make an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CudaCall {
    /// Where.
    pub span: Span,
    /// What the pointer points to that it is given the address of, if that is known.
    pub element: Option<Type>,
    /// What the program calls that pointer, if it has a name.
    pub name: Option<String>,
}

/// What the host did to device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostWrite {
    /// It was written, or is fresh.
    Set {
        /// Addresses.
        range: Range<u32>,
        /// Whether it holds something now.
        written: bool,
    },
    /// It was copied within device memory.
    Copied {
        /// Where to.
        to: u32,
        /// Where from.
        from: u32,
        /// Bytes.
        length: u32,
    },
}
