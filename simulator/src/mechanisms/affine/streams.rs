//! Kernels with a second stream, which only a mechanism of the slot `affine` executes: their
//! checks, on behalf of decoding and launching.

use reconverge_isa::{Effect, Instruction, Kernel, Op, Queue};

/// Refuses a kernel with a second stream on a machine that has nothing to execute it; the error is a sentence.
pub(crate) fn check_kernel(kernel: &Kernel, is_executed: bool) -> Result<(), String> {
    if kernel.affine.is_some() && !is_executed {
        return Err("the kernel is compiled into two streams, of which the affine one needs an affine warp, and \
             the machine has `affine = \"none\"`; set `affine=decoupled`, or compile it as one stream"
            .to_string());
    }
    Ok(())
}

/// Checks an instruction of the first or the second stream: its use of the queues between the
/// streams, and, for the second, that the mechanism can execute it, by `check_second`.
pub(crate) fn check_instruction(
    kernel: &Kernel,
    instruction: &Instruction,
    is_second: bool,
    check_second: impl Fn(&Instruction) -> Result<(), String>,
) -> Result<(), String> {
    let row = instruction.op.row();
    if let Some((queue, _)) = instruction.dequeues() {
        let fits = match queue {
            Queue::Data | Queue::Address => instruction.is_memory(),
            Queue::Predicate => instruction.op == Op::MovPred || row.effect == Effect::Branch,
        };
        if !fits || instruction.guard.is_some() || is_second || kernel.affine.is_none() {
            return Err("nothing can be dequeued here".to_string());
        }
    }
    if is_second {
        return check_second(instruction);
    }
    match row.effect {
        Effect::Enqueue => Err(format!("`{}` stands outside of an affine stream", row.mnemonic)),
        _ => Ok(()),
    }
}
