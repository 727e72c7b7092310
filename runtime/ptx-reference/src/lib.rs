//! The reference model of PTX: kernels run thread by thread, from the syntax tree.
//!
//! The model is the oracle of the compiler and the simulator. It shares no code with them: names
//! are resolved here, every instruction has its meaning here, and floating-point arithmetic is
//! done on bits ([`float`]). It has no warps of its own; threads of a warp meet only where an
//! instruction says so.
//!
//! # Choices where PTX leaves one
//! - Blocks run one after another in the order of their indices, threads in turns in the order of
//!   their numbers.
//! - Approximations (`.approx`, `.full`) are the functions of `libm`, rounded to the type;
//!   `rsqrt.approx` rounds the square root and its reciprocal.
//! - The addresses of a state space are its generic addresses, so `cvta` changes nothing.
//! - An access uses the low 32 bits of its address.
//! - Collectives without `.sync` gather the threads that wait at the same instruction once no
//!   thread of the block can go on.
//! - `%clock` counts the launch's instructions; `%smid` is 0, `%nsmid` 1.

#![deny(clippy::unwrap_used)]

mod block;
mod code;
mod collective;
mod control;
mod convert;
mod copy;
mod eighth;
pub mod float;
mod floating;
mod form;
pub mod inline;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod product;
mod resolve;
mod texture;
mod thread;
mod video;
mod wmma;

pub use code::Program;
pub use memory::{Argument, CONSTANT, GLOBAL, LOCAL, Memory, Print, SHARED, WINDOW};

use reconverge_ptx::Span;

/// The reason why a module is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place in the text.
    pub span: Span,
    /// The fault, in one line without a full stop.
    pub message: String,
}

/// The kind of reason why a launch ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapKind {
    /// A thread did something without a meaning.
    Fault,
    /// Threads wait for each other without end.
    Deadlock,
    /// The launch takes more instructions than its limit.
    Limit,
    /// The caller has asked the launch to stop.
    Interrupted,
}

/// The reason why a launch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Its kind.
    pub kind: TrapKind,
    /// The instruction, if there is one.
    pub span: Option<Span>,
    /// The block's index.
    pub block: [u32; 3],
    /// The thread's index in its block, if one thread is at fault.
    pub thread: Option<[u32; 3]>,
    /// The fault, in one line without a full stop.
    pub message: String,
}

/// A launch of a kernel.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The kernel's name.
    pub kernel: &'a str,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads per block along x, y and z.
    pub block: [u32; 3],
    /// Bytes of `.extern .shared` memory.
    pub dynamic_shared: u32,
    /// The parameters, each at its offset.
    pub parameters: &'a [u8],
    /// The most instructions that all threads together may execute.
    pub limit: u64,
    /// Asks the launch to stop; called once per turn of a thread.
    pub is_interrupted: &'a dyn Fn() -> bool,
}
