//! Producers on which a dependence counter falls in the order of their issue, so that its value tells which of them have
//! ended: for these `depbar.le` has a use with a limit above 0.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4: the instruction is for producers "that perform their write-back
//! in order", and for reads of sources (its Figure 2). The paper names loads with `STRONG.SM` as an
//! example and has no list; this one is ours, and every machine with control bits has to keep it.

use crate::control_bits::ControlBits;
use crate::instruction::{Instruction, Operand, Space, Width};
use crate::table::{Effect, Op};

/// A kind of producers that a warp issues and that end in the order of their issue. Producers of different kinds may overtake
/// each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder {
    /// It is of reads of sources; otherwise of results.
    reads: bool,
    op: Op,
    space: Space,
    width: Width,
    /// All threads have one address.
    common: bool,
}

impl InOrder {
    /// The kind of an instruction's result: loads from shared memory, which has no misses, by width.
    pub fn of_result(instruction: &Instruction) -> Option<InOrder> {
        let effect = instruction.op.row().effect;
        let is_ordered = effect == Effect::Load && instruction.space == Space::Shared;
        is_ordered.then(|| InOrder::of(instruction, false, false))
    }

    /// The kind of the reads of an instruction's sources: memory instructions, whose addresses a warp
    /// computes in order. Loads of constants may keep their sources until they have missed.
    pub fn of_reads(instruction: &Instruction, bits: &ControlBits) -> Option<InOrder> {
        let effect = instruction.op.row().effect;
        let is_ordered = matches!(effect, Effect::Load | Effect::Store | Effect::Atomic)
            && instruction.space != Space::Constant;
        let is_one = bits.common || !matches!(instruction.sources[0], Operand::Reg(_));
        is_ordered.then(|| InOrder::of(instruction, true, is_one))
    }

    fn of(instruction: &Instruction, reads: bool, common: bool) -> InOrder {
        let Instruction { op, space, width, .. } = *instruction;
        InOrder { reads, op, space, width, common }
    }

    /// Returns true if an instruction certainly raises its counters: one with a guard that no thread
    /// passes does not.
    pub fn is_certain(instruction: &Instruction) -> bool {
        instruction.guard.is_none()
    }
}
