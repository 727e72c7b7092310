//! The last step: assigned registers, jumps, reconvergence points, the line table.

use super::allocate::Allocation;
use super::annotate::Claims;
use super::copies::{self, Copy, Cycles};
use super::machine::{Class, Code, Copies, End, Inst, Item, Operand, Reg};
use crate::analysis::DominatorTree;
use crate::ir::{Function, Location, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{
    self as isa, Annotations, Dest, Effect, Guard, Hints, Instruction, Op, ValueClass,
};

/// Instructions with their origins.
pub type Lines = Vec<(Instruction, Origin)>;

/// The origin of an instruction: its place in the source and, if it is exactly one, its value in
/// the intermediate representation.
pub type Origin = (Location, Option<Value>);

/// Turns allocated code of a function into instructions. `claims` are the facts about the branches of its blocks. Also returns the number of instructions, weighted ten
/// times for each loop around them, and of those in loops. `None` if there are too few registers.
pub fn emit(
    code: &Code,
    allocation: &Allocation,
    function: &Function,
    claims: &Claims,
    cycles: Cycles,
) -> Option<(Lines, [u64; 2])> {
    let mut emitter =
        Emitter { code, allocation, function, bodies: Vec::new(), goes_to: Vec::new() };
    let bodies = code.blocks.iter().map(|block| emitter.body(&block.items, cycles));
    emitter.bodies = bodies.collect::<Option<_>>()?;
    emitter.goes_to = emitter.destinations();
    let post_dominators = DominatorTree::post_dominators(function);
    Some((emitter.lines(&post_dominators, claims), emitter.weight()))
}

struct Emitter<'a> {
    code: &'a Code,
    allocation: &'a Allocation,
    /// The origin of the code.
    function: &'a Function,
    /// The instructions of each block without its end.
    bodies: Vec<Lines>,
    /// For each block the one where a jump to it really ends: blocks that only jump are skipped.
    goes_to: Vec<usize>,
}

impl Emitter<'_> {
    fn number(&self, reg: Reg) -> u8 {
        self.allocation.registers[reg.index()]
    }

    fn dest(&self, reg: Reg) -> Dest {
        match self.code.class(reg) {
            Class::Predicate => Dest::Pred(isa::Pred(self.number(reg))),
            _ => Dest::Reg(isa::Reg(self.number(reg))),
        }
    }

    fn operand(&self, operand: Operand) -> isa::Operand {
        match operand {
            Operand::None => isa::Operand::None,
            Operand::Reg(reg) => isa::Operand::Reg(isa::Reg(self.number(reg))),
            Operand::Pred(reg, negated) => {
                isa::Operand::Pred { predicate: isa::Pred(self.number(reg)), negated }
            }
            Operand::Imm(bits) => isa::Operand::Imm(bits),
            Operand::Const(offset) => isa::Operand::Const(offset),
            Operand::Special(special) => isa::Operand::Special(special),
            Operand::Dequeue(queue, site) => isa::Operand::Dequeue { queue, site, negated: false },
        }
    }

    fn body(&self, items: &[Item], cycles: Cycles) -> Option<Lines> {
        let mut lines = Lines::new();
        for item in items {
            match item {
                Item::Inst(inst) => {
                    lines.push((self.instruction(inst), (inst.location, inst.value)))
                }
                Item::Copies(copies, location) => {
                    let copies = self.copies(copies);
                    let moves = copies::sequence(copies, cycles)?.into_iter();
                    lines.extend(moves.map(|instruction| (instruction, (*location, None))));
                }
            }
        }
        Some(lines)
    }

    fn copies(&self, copies: &Copies) -> Vec<Copy> {
        let copy = |&(dest, source): &(Reg, Operand)| Copy {
            dest: self.dest(dest),
            source: self.operand(source),
            wide: self.code.class(dest) == Class::Pair,
        };
        copies.iter().map(copy).collect()
    }

    fn guard(&self, reg: Reg, negated: bool) -> Guard {
        Guard { predicate: isa::Pred(self.number(reg)), negated }
    }

    /// The hints of a value's instruction that a machine instruction can have.
    fn hints(&self, value: Option<Value>, effect: Effect) -> Hints {
        let hints = value.map_or(Hints::NONE, |value| self.function.instruction(value).hints);
        match effect {
            Effect::Load => hints,
            _ => hints.of_any_instruction(),
        }
    }

    fn instruction(&self, inst: &Inst) -> Instruction {
        let class = if inst.dest.is_some() { inst.class } else { ValueClass::Unknown };
        Instruction {
            hints: self.hints(inst.value, inst.op.row().effect),
            annotations: Annotations {
                class,
                volatile: inst.volatile,
                raw: inst.raw,
                cache: inst.cache,
                ..Annotations::default()
            },
            guard: inst.guard.map(|(reg, negated)| self.guard(reg, negated)),
            dest: inst.dest.map_or(Dest::None, |reg| self.dest(reg)),
            sources: inst.sources.map(|source| self.operand(source)),
            space: inst.space,
            width: inst.width,
            offset: inst.offset,
            pair_address: inst.pair_address,
            site: inst.site,
            ..Instruction::new(inst.op)
        }
    }

    /// For each block the final destination of a jump to it: after blocks that only jump. A block
    /// in an endless loop of such stays where it is.
    fn destinations(&self) -> Vec<usize> {
        let passes_on = |at: usize| match self.code.blocks[at].end {
            End::Jump(target) if self.bodies[at].is_empty() => Some(target),
            _ => None,
        };
        let mut found: Vec<Option<usize>> = vec![None; self.code.blocks.len()];
        // The walk that visited each block.
        let mut visited = vec![usize::MAX; found.len()];
        for start in 0..found.len() {
            let (mut path, mut at) = (Vec::new(), start);
            let end = loop {
                match (found[at], passes_on(at)) {
                    (Some(end), _) => break Some(end),
                    (None, None) => break Some(at),
                    (None, Some(_)) if visited[at] == start => break None,
                    (None, Some(target)) => {
                        visited[at] = start;
                        path.push(at);
                        at = target;
                    }
                }
            };
            path.into_iter().for_each(|at| found[at] = Some(end.unwrap_or(at)));
        }
        found.into_iter().enumerate().map(|(at, end)| end.unwrap_or(at)).collect()
    }

    /// The blocks that are emitted, in order: the entry, and the targets of jumps.
    fn kept(&self) -> Vec<usize> {
        let mut kept = vec![false; self.code.blocks.len()];
        let mut pending = vec![self.goes_to[0]];
        while let Some(at) = pending.pop() {
            if !std::mem::replace(&mut kept[at], true) {
                let targets = self.code.blocks[at].end.targets();
                pending.extend(targets.map(|target| self.goes_to[target]));
            }
        }
        let mut kept: Vec<usize> = (0..kept.len()).filter(|&at| kept[at]).collect();
        // The kernel starts with its first instruction.
        let entry = kept.iter().position(|&at| at == self.goes_to[0]).unwrap_or(0);
        kept[..=entry].rotate_right(1);
        kept
    }

    fn lines(&self, post_dominators: &DominatorTree, claims: &Claims) -> Lines {
        let order = self.kept();
        let mut start = vec![0u32; self.code.blocks.len()];
        let mut lines = Lines::new();
        let mut branches = Vec::new();
        for (number, &at) in order.iter().enumerate() {
            start[at] = lines.len() as u32;
            lines.extend(self.bodies[at].iter().copied());
            self.end(at, order.get(number + 1).copied(), &mut lines, &mut branches);
        }
        let mut position = std::collections::BTreeMap::new();
        for (at, block) in self.code.blocks.iter().enumerate() {
            position.insert(block.origin, at);
        }
        for (index, target, from) in branches {
            let (instruction, _) = &mut lines[index];
            instruction.target = start[target];
            if instruction.is_conditional() {
                let reconvergence = post_dominators.parent(self.code.blocks[from].origin);
                let reconvergence = match reconvergence {
                    Some(at) if Planted::LateReconvergence.is_on() => post_dominators.parent(at),
                    at => at,
                };
                let reconvergence = reconvergence.and_then(|block| position.get(&block));
                let (uniform, taint) = claims.branch(self.code.blocks[from].origin);
                instruction.annotations.reconverge =
                    reconvergence.map(|&at| start[self.goes_to[at]]);
                instruction.annotations.uniform = uniform;
                instruction.annotations.taint = taint;
            }
        }
        lines
    }

    /// The number of instructions, weighted ten times for each loop around; and of those in loops.
    fn weight(&self) -> [u64; 2] {
        let mut weight = [0u64; 2];
        for at in self.kept() {
            let block = &self.code.blocks[at];
            let own = 10u64.pow(block.depth.min(6)) * (self.bodies[at].len() as u64 + 1);
            weight[0] = weight[0].saturating_add(own);
            if block.depth != 0 {
                weight[1] = weight[1].saturating_add(own);
            }
        }
        weight
    }

    /// Emits the end of a block; notes (index, target block, block) of each jump.
    fn end(
        &self,
        at: usize,
        next: Option<usize>,
        lines: &mut Lines,
        branches: &mut Vec<(usize, usize, usize)>,
    ) {
        let block = &self.code.blocks[at];
        let mut jump = |instruction: Instruction, target: usize| {
            branches.push((lines.len(), target, at));
            lines.push((instruction, (block.end_location, None)));
        };
        let always = Instruction::new(Op::Branch);
        // The branch that is taken where the block's condition, or its complement, holds.
        let hints = self.hints(self.function.terminator(block.origin), Effect::Branch);
        let when = |holds: bool| match block.end {
            End::Branch(condition, negated, ..) => {
                let guard = Some(self.guard(condition, negated == holds));
                Instruction { guard, hints, ..always }
            }
            End::Dequeue(site, ..) => {
                let (queue, negated) = (isa::Queue::Predicate, !holds);
                let source = isa::Operand::Dequeue { queue, site, negated };
                let sources = [source, isa::Operand::None, isa::Operand::None];
                Instruction { sources, hints, ..always }
            }
            _ => always,
        };
        match block.end {
            End::Exit => {
                lines.push((Instruction::new(Op::Exit), (block.end_location, None)));
            }
            End::Jump(target) => {
                let target = self.goes_to[target];
                if next != Some(target) {
                    jump(always, target);
                }
            }
            End::Branch(.., then, otherwise) | End::Dequeue(_, then, otherwise) => {
                let (then, otherwise) = (self.goes_to[then], self.goes_to[otherwise]);
                // An enqueued value has to be dequeued.
                let needless = then == otherwise && !matches!(block.end, End::Dequeue(..));
                if needless {
                    if next != Some(then) {
                        jump(always, then);
                    }
                } else if next == Some(then) {
                    jump(when(Planted::WrongPolarity.is_on()), otherwise);
                } else {
                    jump(when(true), then);
                    if next != Some(otherwise) {
                        jump(always, otherwise);
                    }
                }
            }
        }
    }
}
