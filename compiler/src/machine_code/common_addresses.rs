//! Accesses of one address by all active threads of a warp: `!common`.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.4 and Table 2: accesses with their address in a uniform register
//! are faster than those with one in a register of each thread. The mark states that the address could
//! be in one, wherever it is.

use super::assembly::Assembly;
use crate::analysis::convergence::Convergence;
use crate::analysis::{Condition, Flow, Scope};
use crate::ir::Value;
use reconverge_isa::{Effect, Instruction, Op, Operand};

/// Finds the accesses of a kernel's first stream whose address is proved uniform per warp, for every launch: true by
/// instruction. Nothing is proved in code with convergence barriers: its paths meet elsewhere.
pub(super) fn find(assembly: &Assembly) -> Vec<bool> {
    let code = assembly.kernel.main_code();
    if !code.iter().any(has_address) || code.iter().any(|it| it.op == Op::Bssy) {
        return vec![false; code.len()];
    }
    let flow = Flow::new(assembly.function);
    let convergence = Convergence::new(&flow, Condition::Always);
    let is_uniform = |access: Value| {
        let address = assembly.function.kind(access).address();
        address.is_some_and(|address| {
            let fact = convergence.used(access, address);
            fact.agreement(Condition::Always) >= Scope::Warp
        })
    };
    let value = |at: usize| assembly.values.get(at).copied().flatten();
    (0..code.len()).map(|at| has_address(&code[at]) && value(at).is_some_and(is_uniform)).collect()
}

/// Returns true if an instruction accesses an address in a register.
fn has_address(instruction: &Instruction) -> bool {
    let effect = instruction.op.row().effect;
    let accesses = matches!(effect, Effect::Load | Effect::Store | Effect::Atomic);
    accesses && matches!(instruction.sources[0], Operand::Reg(_))
}
