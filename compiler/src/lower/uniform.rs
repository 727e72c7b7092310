//! Values in uniform registers, of which a warp has one where each thread has its own of the others.
//!
//! A virtual register becomes uniform if all its writes are operations of the uniform datapath
//! ([`may_be_uniform`]) in blocks that all threads of a warp enter together, and read nothing but uniform
//! registers, immediates, constants and special values that the warp shares. So threads that come together
//! have the same value, as they have written it equally often. Everything that qualifies is taken: to read a uniform
//! register costs nothing. Where there are too few of them, the allocation gives values back.
//!
//! The papers on these GPUs describe no choice (Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and
//! Modeling the Architecture of Modern GPU Cores", MICRO 2025); this one is ours.

use super::machine::{Class, Code, Inst, Item, MachineBlock, Operand, Reg};
use crate::analysis::convergence::Convergence;
use crate::analysis::{Condition, Flow, Scope};
use crate::ir::Function;
use reconverge_isa::planted::Planted;
use reconverge_isa::uniform_rules::may_be_uniform;
use reconverge_isa::{self as isa, Instruction};

/// Finds the virtual registers of a function's code that can be uniform, and gives them that class.
pub fn choose(code: &mut Code, function: &Function) {
    let flow = Flow::new(function);
    let convergence = Convergence::new(&flow, Condition::Always);
    let mut can = vec![true; code.classes.len()];
    let mut is_written = vec![false; code.classes.len()];
    for (_, tuple) in code.tuples() {
        tuple.iter().for_each(|reg| can[reg.index()] = false);
    }
    for block in &code.blocks {
        let together = is_together(&convergence, block);
        for item in &block.items {
            item.each_write(|reg| {
                is_written[reg.index()] = true;
                can[reg.index()] &= together && operates(item, reg);
            });
        }
    }
    for (index, can) in can.into_iter().enumerate() {
        if can && is_written[index] && code.classes[index] == Class::Word && !code.pinned[index] {
            code.classes[index] = Class::Uniform;
        }
    }
    settle(code);
}

/// Returns true if all threads of a warp that have not ended execute a block together.
fn is_together(convergence: &Convergence, block: &MachineBlock) -> bool {
    convergence.control(block.origin) >= Scope::Warp || Planted::UniformWhereParted.is_on()
}

/// Returns true if an item writes a register by an operation that the uniform datapath has.
fn operates(item: &Item, reg: Reg) -> bool {
    match item {
        Item::Inst(inst) => may_be_uniform(&shape(inst)),
        Item::Copies(copies, _) => {
            copies.iter().filter(|(dest, _)| *dest == reg).all(|(_, source)| {
                let inst = Inst::new(isa::Op::Mov, Some(reg), &[*source], Default::default());
                may_be_uniform(&shape(&inst))
            })
        }
    }
}

/// An instruction with its operands but for the registers' numbers.
fn shape(inst: &Inst) -> Instruction {
    let operand = |operand: Operand| match operand {
        Operand::None => isa::Operand::None,
        Operand::Reg(_) => isa::Operand::Reg(isa::Reg(0)),
        Operand::Pred(_, negated) => isa::Operand::Pred { predicate: isa::Pred(0), negated },
        Operand::Imm(bits) => isa::Operand::Imm(bits),
        Operand::Const(offset) => isa::Operand::Const(offset),
        Operand::Special(special) => isa::Operand::Special(special),
        Operand::Dequeue(queue, site) => isa::Operand::Dequeue { queue, site, negated: false },
    };
    Instruction {
        guard: inst.guard.map(|_| isa::Guard { predicate: isa::Pred(0), negated: false }),
        sources: inst.sources.map(operand),
        space: inst.space,
        width: inst.width,
        ..Instruction::new(inst.op)
    }
}

/// Makes registers of threads of some uniform ones, and of all that are computed from them.
pub fn give_back(code: &mut Code, registers: &[Reg]) {
    registers.iter().for_each(|reg| code.classes[reg.index()] = Class::Word);
    settle(code);
}

/// Takes back the uniform registers that are written from registers of threads, until there are none.
fn settle(code: &mut Code) {
    loop {
        let mut parted = Vec::new();
        for item in code.blocks.iter().flat_map(|block| &block.items) {
            let mut check = |dest: Reg, source: Operand| {
                let is_own = source.reg().is_some_and(|reg| code.class(reg) != Class::Uniform);
                if code.class(dest) == Class::Uniform && is_own {
                    parted.push(dest);
                }
            };
            match item {
                Item::Inst(inst) => {
                    let dest = inst.dest.into_iter();
                    dest.for_each(|dest| inst.sources.iter().for_each(|&it| check(dest, it)));
                }
                Item::Copies(copies, _) => {
                    copies.iter().for_each(|&(dest, source)| check(dest, source));
                }
            }
        }
        if parted.is_empty() {
            return;
        }
        parted.iter().for_each(|reg| code.classes[reg.index()] = Class::Word);
    }
}
