//! Finds values that nothing depends on. Compiled kernels omit a load or division with such a
//! value, and then it faults nowhere. The interpreter searches only when one is about to fault.

use super::assembly_text;
use super::bytecode::{Code, Inst, Op};
use super::collective::MOST_ARGUMENTS;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction's use of slots.
enum Use {
    /// It makes the value of `a` from these and does nothing else.
    Value(Vec<u16>),
    /// It acts, or decides the next instruction, by these.
    Effect(Vec<u16>),
    /// It returns this one.
    Return(u16),
}

/// Returns true if nothing depends on the result of an instruction. `place` is the instruction,
/// after the return addresses of its callers, outermost first.
pub fn is_unused(code: &Code, place: &[u32]) -> bool {
    let Some((&pc, callers)) = place.split_last() else {
        return false;
    };
    let value_of = |pc: u32| code.instructions.get(pc as usize).map(|inst| inst.a);
    if is_volatile(code, pc) {
        return false;
    }
    // A kernel returns nothing; each caller depends on the result of its call or does not.
    let mut returned = false;
    for after in callers.iter().copied().chain([pc + 1]) {
        let Some(slot) = value_of(after - 1) else {
            return false;
        };
        returned = depends(code, after, slot, returned);
    }
    !returned
}

/// Returns true if a result depends on the value of a slot, from an instruction on. Values derived
/// from it are followed on all paths to the end of the function.
fn depends(code: &Code, from: u32, slot: u16, returned: bool) -> bool {
    let mut carriers: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
    carriers.insert(from, BTreeSet::from([slot]));
    let mut left = vec![from];
    while let Some(pc) = left.pop() {
        let (Some(inst), Some(mut carry)) =
            (code.instructions.get(pc as usize), carriers.get(&pc).cloned())
        else {
            return true;
        };
        let reads = |slots: &[u16]| slots.iter().any(|slot| carry.contains(slot));
        match uses(code, inst, pc) {
            Use::Value(slots) if reads(&slots) => {
                carry.insert(inst.a);
            }
            Use::Value(_) => {
                carry.remove(&inst.a);
            }
            Use::Effect(slots) if reads(&slots) => return true,
            Use::Effect(_) => {}
            Use::Return(slot) if returned && carry.contains(&slot) => return true,
            Use::Return(_) => continue,
        }
        if carry.is_empty() {
            continue;
        }
        for next in successors(code, inst, pc) {
            let known = carriers.entry(next).or_default();
            let before = known.len();
            known.extend(&carry);
            if known.len() != before {
                left.push(next);
            }
        }
    }
    false
}

/// Returns true if an instruction accesses volatile memory.
fn is_volatile(code: &Code, pc: u32) -> bool {
    let before = pc.checked_sub(1).and_then(|at| code.instructions.get(at as usize));
    before.is_some_and(|inst| inst.op == Op::TakeTurns)
}

fn uses(code: &Code, inst: &Inst, pc: u32) -> Use {
    use Op as O;
    let Inst { op, a, b, c, x, .. } = *inst;
    let from = |count: usize| (a..).take(count).collect();
    match op {
        O::Load8S
        | O::Load8U
        | O::Load16S
        | O::Load16U
        | O::Load32S
        | O::Load32U
        | O::Load64
        | O::LoadPtr
            if is_volatile(code, pc) =>
        {
            Use::Effect(vec![b])
        }
        O::LoadX8S
        | O::LoadX8U
        | O::LoadX16S
        | O::LoadX16U
        | O::LoadX32S
        | O::LoadX32U
        | O::LoadX64
        | O::LoadXPtr
            if is_volatile(code, pc) =>
        {
            Use::Effect(vec![b, c])
        }
        O::Const | O::Special | O::Enter => Use::Value(Vec::new()),
        O::Move
        | O::NegI32
        | O::NegU32
        | O::Neg64
        | O::Not64
        | O::NotU32
        | O::NegF32
        | O::NegF64
        | O::Ext8S
        | O::Ext8U
        | O::Ext16S
        | O::Ext16U
        | O::Ext32S
        | O::Ext32U
        | O::SToF32
        | O::UToF32
        | O::SToF64
        | O::UToF64
        | O::F32ToF64
        | O::F64ToF32
        | O::F32ToInt
        | O::F64ToInt
        | O::Load8S
        | O::Load8U
        | O::Load16S
        | O::Load16U
        | O::Load32S
        | O::Load32U
        | O::Load64
        | O::LoadPtr => Use::Value(vec![b]),
        O::Pure => Use::Value(vec![b, c, x as u16]),
        O::Store8 | O::Store16 | O::Store32 | O::Store64 | O::Copy => Use::Effect(vec![a, b]),
        O::StoreX8 | O::StoreX16 | O::StoreX32 | O::StoreX64 => Use::Effect(vec![a, b, c]),
        O::Clear | O::Aligned | O::Switch | O::SwitchPaths => Use::Effect(vec![a]),
        O::Atomic => Use::Effect(vec![b, c, x as u16]),
        O::Call => {
            let function = code.functions.get(x as usize);
            Use::Effect(from(function.map_or(0, |function| function.parameters as usize)))
        }
        O::Library => {
            let call = code.library.get(x as usize);
            Use::Effect(from(call.map_or(0, |call| call.arguments.len())))
        }
        O::Assembly => {
            let operands = code.assemblies.get(x as usize).map_or(0, |site| site.operands);
            Use::Effect(from(assembly_text::slots(operands)))
        }
        O::Collective | O::Launch => Use::Effect(from(MOST_ARGUMENTS)),
        O::Return => Use::Return(a),
        O::ReturnVoid => Use::Return(u16::MAX),
        O::Jump | O::TakeTurns | O::Diverge | O::FallThrough | O::Reconverge => {
            Use::Effect(Vec::new())
        }
        op if op.is_jump() => Use::Effect(vec![a, b]),
        _ => Use::Value(vec![b, c]),
    }
}

fn successors(code: &Code, inst: &Inst, pc: u32) -> Vec<u32> {
    match inst.op {
        Op::Jump => vec![inst.x],
        Op::Switch | Op::SwitchPaths => {
            let Some(table) = code.switches.get(inst.x as usize) else {
                return vec![pc + 1];
            };
            table.cases.iter().map(|&(_, target)| target).chain([table.otherwise]).collect()
        }
        op if op.is_jump() => vec![inst.x, pc + 1],
        _ => vec![pc + 1],
    }
}
