//! The text of an `asm` statement, as the interpreter's code has it.

use super::collective::MOST_ARGUMENTS;
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::inline::Inline as Text;
use reconverge_ptx_reference::inline::Inline;

/// An `asm` statement of the code.
#[derive(Debug)]
pub struct Site {
    /// The text, or the reason why the reference model rejects it.
    pub text: Result<Inline, String>,
    /// The number of its operands that are registers.
    pub operands: usize,
    /// It has a barrier of the block.
    pub has_barrier: bool,
    /// Its barriers with a count of threads.
    pub counted: CountedBarriers,
}

/// Slots of a statement: the arguments of the built-in that it waits for, then its operands.
pub fn slots(operands: usize) -> usize {
    MOST_ARGUMENTS + operands
}

impl Site {
    /// A statement of the checked tree.
    pub fn new(text: &Text) -> Site {
        let inline = Inline::new(text).map_err(|refusal| refusal.message);
        Site {
            has_barrier: inline.as_ref().is_ok_and(Inline::has_barrier),
            text: inline,
            counted: text.counted(),
            operands: text.registers.iter().flatten().count(),
        }
    }
}
