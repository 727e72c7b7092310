//! A kernel between the emission of its instructions and its end: the subject of the passes over machine code.

use crate::ir::{Function, Value};
use reconverge_isa::{Instruction, Kernel};

/// The machine code of a kernel, with its origin.
#[derive(Debug)]
pub struct Assembly<'a> {
    /// The function that the code was made from.
    pub function: &'a Function,
    /// The kernel: all its streams, the affine one last.
    pub kernel: Kernel,
    /// By instruction: its value in the function, if it is exactly one. Empty for a kernel of two streams.
    pub values: Vec<Option<Value>>,
}

impl Assembly<'_> {
    /// The instructions that are not the affine stream's.
    pub fn main_code(&mut self) -> &mut [Instruction] {
        let end = self.kernel.main_code().len();
        &mut self.kernel.code[..end]
    }
}
