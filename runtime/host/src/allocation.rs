//! Records about device memory: its allocations, and the host's writes.

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
    /// The target type of the pointer that the call was given, if known.
    pub element: Option<Type>,
}

/// A call of CUDA's library, which may make an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CudaCall {
    /// The place of the call.
    pub span: Span,
    /// The target type of the pointer whose address the call was given, if known.
    pub element: Option<Type>,
    /// The pointer's name in the program, if it has one.
    pub name: Option<String>,
}

/// An action of the host on device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostWrite {
    /// It was written, or is fresh.
    Set {
        /// Addresses.
        range: Range<u32>,
        /// True if it holds values now.
        written: bool,
    },
    /// It was copied within device memory.
    Copied {
        /// The target address.
        to: u32,
        /// The source address.
        from: u32,
        /// Bytes.
        length: u32,
    },
}
