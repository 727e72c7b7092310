//! From the checked tree to a program image.
//!
//! A [`Session`] compiles a program kernel by kernel: [`tree`] makes SSA of a kernel, the
//! [passes](crate::pass) improve it, and [`stream`] makes machine code of it: [`select`] chooses
//! instructions, [`allocate`] assigns registers and [`emit`] lays everything out. On request, and
//! if it pays, [`decouple`](crate::decouple) splits the kernel into two streams before.

pub(crate) mod allocate;
mod annotate;
mod assumed;
mod bounds;
pub(crate) mod builtin;
mod cast;
mod check;
pub(crate) mod collective;
pub(crate) mod convert;
mod copies;
mod divide;
mod edges;
mod emit;
mod error;
mod expr;
mod fuse;
mod interval;
mod label;
mod layout;
mod library;
mod localities;
mod machine;
mod options;
mod order;
mod place;
pub mod print;
pub(crate) mod rounding;
mod select;
mod session;
mod shortcuts;
mod simd;
mod spill;
pub(crate) mod ssa;
mod stmt;
mod stream;
mod tree;
mod uniform;
mod walk;

pub use allocate::{FEWEST_REGISTERS, Spill};
pub use error::{LowerError, LowerErrorKind, Result};
pub use layout::{dynamic_shared, local_variable, shared_variable};
pub use options::{Dump, LineOfKernel, Lowered, Options};
pub use session::{Form, Session, Step, Watch};
pub use ssa::{Outcome, Unset};

use crate::check::tree::Module;
use crate::syntax::source::SourceMap;

/// Compiles all kernels of a program. A caller that needs the steps makes a [`Session`] itself.
///
/// # Errors
/// One for each kernel that cannot be compiled, and for variables that do not fit.
pub fn lower(
    module: &Module,
    sources: &SourceMap,
    options: &Options,
) -> std::result::Result<Lowered, Vec<LowerError>> {
    Session::new(options, &mut |_| {}).lower(module, sources)
}
