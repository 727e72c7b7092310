//! The instructions that the affine warp can execute.

use reconverge_isa::{Effect, Instruction, Op, Space, Unit, Width};

/// Checks that the affine warp can execute an instruction; the error is a sentence.
pub(super) fn check(instruction: &Instruction) -> Result<(), String> {
    let row = instruction.op.row();
    let integer = matches!(row.unit, Unit::Integer | Unit::IntegerMultiply | Unit::IntegerDivide);
    let can = match row.effect {
        Effect::Compute | Effect::Divide => integer,
        Effect::Load => instruction.space == Space::Constant && instruction.width != Width::B128,
        Effect::Barrier => instruction.op == Op::Barrier && instruction.site.is_some(),
        Effect::Enqueue => instruction.site.is_some(),
        Effect::Branch | Effect::Exit => true,
        _ => false,
    };
    if !can || (instruction.guard.is_some() && row.effect != Effect::Branch) {
        return Err(format!("the affine warp cannot execute `{}`", row.mnemonic));
    }
    Ok(())
}
