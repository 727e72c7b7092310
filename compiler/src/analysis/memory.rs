//! The targets of addresses, the contents of a thread's own variables, and the phases in which
//! shared memory is only read.

use super::sparse;
use crate::ir::{Access, Block, Function, Kind, Slot, Value};
use reconverge_isa::{Effect, Op, Space, Width};

/// The object that an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Not examined yet, or a constant: agrees with everything.
    Any,
    /// One of the windows.
    Window(Space),
    /// A local variable, at this offset if it is a constant one.
    Slot(Slot, Option<i32>),
    /// Anything.
    Unknown,
}

impl Origin {
    fn meet(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Any, origin) | (origin, Origin::Any) => origin,
            (one, other) if one == other => one,
            (Origin::Slot(one, _), Origin::Slot(other, _)) if one == other => {
                Origin::Slot(one, None)
            }
            _ => Origin::Unknown,
        }
    }
}

/// A load or store of a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotAccess {
    /// The instruction.
    pub at: Value,
    /// Its block and the position in it.
    pub place: (Block, u32),
    /// The address.
    pub address: Value,
    /// The stored value; `None` for a load.
    pub stored: Option<Value>,
    /// The offset in the variable, if it is constant.
    pub offset: Option<i32>,
    /// The number of bytes.
    pub width: Width,
}

impl SlotAccess {
    /// Returns true if both may touch one byte.
    pub fn overlaps(&self, other: &SlotAccess) -> bool {
        match (self.offset, other.offset) {
            (Some(one), Some(another)) => {
                let end = |start: i32, width: Width| i64::from(start) + i64::from(width.bytes());
                i64::from(one) < end(another, other.width)
                    && i64::from(another) < end(one, self.width)
            }
            _ => true,
        }
    }

    /// Returns true if they touch the same bytes when they overlap: accesses are aligned to their
    /// size.
    pub fn is_aligned_with(&self, other: &SlotAccess) -> bool {
        let same = self.width.bytes() == other.width.bytes();
        same && (self.offset.is_none() || other.offset.is_none() || self.offset == other.offset)
    }
}

/// The reads and writes of a local variable.
#[derive(Clone, Debug, Default)]
pub struct SlotUse {
    /// In the order of blocks.
    pub stores: Vec<SlotAccess>,
    /// In the order of blocks.
    pub loads: Vec<SlotAccess>,
    /// Its address is lost to the analysis: any thread may write it.
    pub escapes: bool,
}

/// The memory accesses of a function.
#[derive(Clone, Debug)]
pub struct Memory {
    /// By value.
    origin: Vec<Origin>,
    /// By slot.
    slots: Vec<SlotUse>,
    /// True if the address of any local variable escapes.
    escapes: bool,
    /// True if the kernel writes memory that other blocks see.
    writes_global: bool,
    /// By value: a load of shared memory that no write can happen beside.
    quiet: Vec<bool>,
    /// By value: a load of memory that no thread writes, if such loads are known.
    unwritten: Vec<bool>,
}

impl Memory {
    /// Follows the addresses of a function, and finds the quiet loads; linear.
    pub fn new(function: &Function) -> Memory {
        let mut memory = Memory::of_addresses(function);
        let writes = |value: Value| match function.kind(value).unguarded() {
            Kind::Store(access, address, _) => memory.may_be_shared(access.space, *address),
            Kind::Atomic(_, space, operands) => memory.may_be_shared(*space, operands[0]),
            Kind::Collective(op, _) => op.is_matrix_access() && op.row().effect == Effect::Store,
            _ => false,
        };
        // Asynchronous copies write shared memory at any time until a wait.
        let copies = |(_, value): (Block, Value)| matches!(function.kind(value), Kind::Collective(op, _) if op.row().effect == Effect::Copy);
        if !function.placed().any(copies) {
            memory.quiet = quiet_loads(function, writes);
        }
        memory
    }

    /// Follows the addresses of a function; linear. No load is taken for quiet.
    pub fn of_addresses(function: &Function) -> Memory {
        let origin = origins(function);
        let slots = vec![SlotUse::default(); function.slots.len()];
        let quiet = vec![false; function.values.len()];
        let unwritten = Vec::new();
        let mut memory =
            Memory { origin, slots, escapes: false, writes_global: false, quiet, unwritten };
        for block in function.existing_blocks() {
            for (at, &value) in function.instructions(block).iter().enumerate() {
                memory.note(function, value, block, at as u32);
            }
        }
        memory.escapes = memory.slots.iter().any(|slot| slot.escapes);
        memory
    }

    /// The object that a value points into, if it is an address.
    pub fn origin(&self, value: Value) -> Origin {
        self.origin[value.index()]
    }

    /// The reads and writes of a local variable.
    pub fn slot(&self, slot: Slot) -> &SlotUse {
        &self.slots[slot.0 as usize]
    }

    /// The local variables.
    pub fn slots(&self) -> &[SlotUse] {
        &self.slots
    }

    /// Returns true if barriers separate a load of shared memory from every write to it, before and
    /// after: all threads find the same in any order.
    pub fn is_quiet(&self, load: Value) -> bool {
        self.quiet[load.index()]
    }

    /// The memory that an access finally goes to.
    pub fn target(&self, space: Space, address: Value) -> Target {
        match (space, self.origin(address)) {
            (_, Origin::Slot(slot, _)) if !self.slot(slot).escapes => Target::Slot(slot),
            (Space::Local, _) | (_, Origin::Slot(..) | Origin::Window(Space::Local)) => Target::Own,
            (Space::Constant, _) | (_, Origin::Window(Space::Constant)) => Target::Constant,
            (Space::Shared, _) | (_, Origin::Window(Space::Shared)) => Target::Shared,
            (Space::Global, _) | (_, Origin::Window(Space::Global)) => {
                if self.writes_global {
                    Target::Global
                } else {
                    Target::Constant
                }
            }
            _ if self.escapes => Target::Own,
            // An address made of numbers could be one of the thread's own memory.
            (_, Origin::Any) => Target::Own,
            _ => Target::Global,
        }
    }

    /// Returns true if an access may go to shared memory.
    pub(super) fn may_be_shared(&self, space: Space, address: Value) -> bool {
        match (space, self.origin(address)) {
            (Space::Shared, _) | (_, Origin::Window(Space::Shared)) => true,
            (Space::Generic, origin) => matches!(origin, Origin::Any | Origin::Unknown),
            _ => false,
        }
    }

    /// Assumes the known facts about loads besides their addresses.
    pub(super) fn take(
        &mut self,
        function: &Function,
        is_quiet: impl Fn(Value) -> bool,
        is_unwritten: impl Fn(Value) -> bool,
    ) {
        self.unwritten = vec![false; function.values.len()];
        for (_, value) in function.placed() {
            self.quiet[value.index()] |= is_quiet(value);
            self.unwritten[value.index()] = is_unwritten(value);
        }
    }

    /// Returns true if a load is known to read memory that no thread writes while the kernel runs.
    pub fn is_unwritten(&self, load: Value) -> bool {
        self.unwritten.get(load.index()).copied().unwrap_or(false)
    }

    fn note(&mut self, function: &Function, value: Value, block: Block, position: u32) {
        match *function.kind(value) {
            Kind::Load(access, address) => {
                self.access(value, block, position, access, address, None)
            }
            Kind::Store(access, address, stored) => {
                self.escape(stored);
                self.access(value, block, position, access, address, Some(stored));
                self.write(access.space, address);
            }
            Kind::Atomic(_, space, ref operands) => {
                operands.iter().for_each(|&operand| self.escape(operand));
                self.write(space, operands[0]);
            }
            // A local variable with a guarded access is followed no further.
            Kind::Guarded(ref guarded) => {
                match guarded.access {
                    Kind::Store(access, address, _) => self.write(access.space, address),
                    Kind::Atomic(_, space, ref operands) => self.write(space, operands[0]),
                    _ => {}
                }
                guarded.access.each_operand(|operand| self.escape(operand));
                guarded.otherwise.into_iter().for_each(|operand| self.escape(operand));
            }
            ref kind => {
                let mut operands = Vec::new();
                kind.each_operand(|operand| operands.push(operand));
                let compares = |op: &Op| op.row().mnemonic.starts_with("setp.");
                if matches!(kind, Kind::Compute(op, _) if compares(op)) {
                    return;
                }
                for operand in operands {
                    let kept = match (self.origin(operand), self.origin(value)) {
                        (Origin::Slot(from, _), Origin::Slot(to, _)) => from == to,
                        _ => false,
                    };
                    if !kept {
                        self.escape(operand);
                    }
                }
            }
        }
    }

    fn escape(&mut self, value: Value) {
        if let Origin::Slot(slot, _) = self.origin(value) {
            self.slots[slot.0 as usize].escapes = true;
        }
    }

    fn access(
        &mut self,
        at: Value,
        block: Block,
        position: u32,
        access: Access,
        address: Value,
        stored: Option<Value>,
    ) {
        if let Origin::Slot(slot, offset) = self.origin(address) {
            let place = (block, position);
            let found = SlotAccess { at, place, address, stored, offset, width: access.width };
            let slot = &mut self.slots[slot.0 as usize];
            match stored {
                Some(_) => slot.stores.push(found),
                None => slot.loads.push(found),
            }
            slot.escapes |= access.volatile;
        }
    }

    fn write(&mut self, space: Space, address: Value) {
        let own = matches!(space, Space::Local | Space::Shared)
            || matches!(
                self.origin(address),
                Origin::Slot(..) | Origin::Window(Space::Local | Space::Shared)
            );
        self.writes_global |= !own;
    }
}

/// The memory that an access goes to, as far as it decides which threads see a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A local variable that only accesses known by name touch.
    Slot(Slot),
    /// Perhaps the thread's own memory: each finds something else.
    Own,
    /// Memory that no thread writes while the kernel runs.
    Constant,
    /// The block's memory.
    Shared,
    /// Memory that others may write at any time.
    Global,
}

fn origins(function: &Function) -> Vec<Origin> {
    // Going only down keeps the number of visits small.
    sparse::solve(function, Origin::Any, |origins, value| {
        origin(function, origins, value).meet(origins[value.index()])
    })
}

fn origin(function: &Function, origins: &[Origin], value: Value) -> Origin {
    let of = |value: Value| origins[value.index()];
    let constant = |value: Value| function.constant(value).map(|bits| bits as u32 as i32);
    match function.kind(value) {
        Kind::Constant(_) => Origin::Any,
        Kind::Address(space, _) => Origin::Window(*space),
        Kind::Slot(slot) => Origin::Slot(*slot, Some(0)),
        Kind::Parameter { global: true, .. } => Origin::Window(Space::Global),
        Kind::Phi(incoming) => {
            incoming.iter().map(|&(_, operand)| of(operand)).fold(Origin::Any, Origin::meet)
        }
        Kind::Compute(Op::Select, operands) => of(operands[1]).meet(of(operands[2])),
        Kind::Compute(Op::Mov, operands) => of(operands[0]),
        Kind::Compute(Op::Add, operands) => {
            let (one, other) = (of(operands[0]), of(operands[1]));
            match (one, other) {
                (Origin::Slot(slot, at), _) => moved(slot, at, constant(operands[1]), 1),
                (_, Origin::Slot(slot, at)) => moved(slot, at, constant(operands[0]), 1),
                (Origin::Window(_), Origin::Window(_)) => Origin::Unknown,
                (window @ Origin::Window(_), _) | (_, window @ Origin::Window(_)) => window,
                (Origin::Any, Origin::Any) => Origin::Any,
                _ => Origin::Unknown,
            }
        }
        Kind::Compute(Op::Sub, operands) => match (of(operands[0]), of(operands[1])) {
            (_, Origin::Slot(..) | Origin::Window(_)) => Origin::Unknown,
            (Origin::Slot(slot, at), _) => moved(slot, at, constant(operands[1]), -1),
            (origin, _) => origin,
        },
        _ => Origin::Unknown,
    }
}

fn moved(slot: Slot, at: Option<i32>, by: Option<i32>, sign: i32) -> Origin {
    let offset = at.zip(by).map(|(at, by)| at.wrapping_add(by.wrapping_mul(sign)));
    Origin::Slot(slot, offset)
}

/// The loads of shared memory in phases without writes to it. A phase starts at the entry or after
/// a barrier and ends at the next barriers.
///
/// Phases overlap, and there may be one for each block, so they are not followed one by one. First
/// the places are found from which a write is reached before a barrier. Then everything is found
/// that is reached before a barrier from a start among them.
pub(super) fn quiet_loads(function: &Function, writes: impl Fn(Value) -> bool) -> Vec<bool> {
    let is_barrier = |value: &Value| function.kind(*value).is_barrier();
    // By block: true if a write is reached from its start before a barrier.
    let mut noisy_ahead = vec![false; function.blocks.len()];
    let mut passes = vec![false; function.blocks.len()];
    let mut pending = Vec::new();
    for block in function.existing_blocks() {
        let values = function.instructions(block);
        let barrier = values.iter().position(is_barrier);
        passes[block.index()] = barrier.is_none();
        if values[..barrier.unwrap_or(values.len())].iter().any(|&value| writes(value)) {
            noisy_ahead[block.index()] = true;
            pending.push(block);
        }
    }
    let predecessors = function.predecessors();
    while let Some(block) = pending.pop() {
        for &from in &predecessors[block.index()] {
            let at = from.index();
            if passes[at] && !std::mem::replace(&mut noisy_ahead[at], true) {
                pending.push(from);
            }
        }
    }
    // By block: true if it is reached before a barrier from such a start.
    let mut noisy = vec![false; function.blocks.len()];
    let mut quiet = vec![false; function.values.len()];
    let reach = |block: Block, noisy: &mut Vec<bool>| {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut noisy[block.index()], true) && passes[block.index()] {
                pending.extend(function.successors(block));
            }
        }
    };
    let leads_to_noise =
        |block: Block| function.successors(block).any(|to| noisy_ahead[to.index()]);
    if noisy_ahead[Block::ENTRY.index()] {
        reach(Block::ENTRY, &mut noisy);
    }
    for block in function.existing_blocks() {
        let values = function.instructions(block);
        let last = values.iter().rposition(is_barrier);
        if let Some(last) = last
            && (values[last..].iter().any(|&value| writes(value)) || leads_to_noise(block))
        {
            function.successors(block).for_each(|to| reach(to, &mut noisy));
        }
    }
    for block in function.existing_blocks() {
        let parts = function.instructions(block).split_inclusive(is_barrier);
        for (number, part) in parts.enumerate() {
            let open = !part.last().is_some_and(is_barrier);
            let written = match number {
                0 => noisy[block.index()],
                _ => part.iter().any(|&value| writes(value)) || (open && leads_to_noise(block)),
            };
            let loads = part
                .iter()
                .filter(|&&value| matches!(function.kind(value).unguarded(), Kind::Load(..)));
            loads.for_each(|load| quiet[load.index()] = !written);
        }
    }
    quiet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::random::{Random, graph};
    use crate::ir::{Location, Operands, Type};

    /// A random graph with random accesses to shared memory, and barriers, in its blocks.
    fn program(random: &mut Random) -> Function {
        let mut function = graph(random, false);
        let access = Access { space: Space::Shared, width: Width::B32, ..Access::default() };
        let location = Location::default();
        let address = function.add(Kind::Address(Space::Shared, 0), Some(Type::B32), location);
        function.blocks[0].instructions.insert(0, address);
        let blocks: Vec<Block> = function.existing_blocks().collect();
        for block in blocks {
            for _ in 0..random.below(4) {
                let (kind, ty) = match random.below(8) {
                    0 => (Kind::Store(access, address, address), None),
                    1..4 => (Kind::Collective(Op::Barrier, Operands::default()), None),
                    _ => (Kind::Load(access, address), Some(Type::B32)),
                };
                let value = function.add(kind, ty, location);
                let instructions = &mut function.blocks[block.index()].instructions;
                instructions.insert(instructions.len() - 1, value);
            }
        }
        function
    }

    /// The values that a phase reaches from an instruction of a block.
    fn phase(function: &Function, block: Block, from: usize) -> Vec<Value> {
        let (mut seen, mut reached) = (Vec::new(), Vec::new());
        let mut pending = vec![(block, from)];
        while let Some((block, from)) = pending.pop() {
            let values = &function.instructions(block)[from..];
            let is_barrier = |value: &Value| function.kind(*value).is_barrier();
            let end = values.iter().position(is_barrier);
            reached.extend(&values[..end.unwrap_or(values.len())]);
            for to in function.successors(block).filter(|_| end.is_none()) {
                if !seen.contains(&to) {
                    seen.push(to);
                    pending.push((to, 0));
                }
            }
        }
        reached
    }

    #[test]
    fn quiet_are_the_loads_of_phases_without_writes() {
        let mut random = Random(11);
        let mut counts = [0; 2];
        for _ in 0..2000 {
            let function = program(&mut random);
            let mut quiet = vec![false; function.values.len()];
            let mut noisy = vec![false; function.values.len()];
            for block in function.existing_blocks() {
                for at in 0..function.instructions(block).len() {
                    let value = function.instructions(block)[at];
                    let start = match function.kind(value) {
                        kind if kind.is_barrier() => at + 1,
                        _ if block == Block::ENTRY && at == 0 => 0,
                        _ => continue,
                    };
                    let reached = phase(&function, block, start);
                    let written = reached
                        .iter()
                        .any(|&value| matches!(function.kind(value), Kind::Store(..)));
                    for value in reached {
                        quiet[value.index()] |= matches!(function.kind(value), Kind::Load(..));
                        noisy[value.index()] |= written;
                    }
                }
            }
            let memory = Memory::new(&function);
            for (_, value) in function.placed() {
                if matches!(function.kind(value), Kind::Load(..)) {
                    let expected = quiet[value.index()] && !noisy[value.index()];
                    assert_eq!(memory.is_quiet(value), expected, "{value} of {function}");
                    counts[usize::from(expected)] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }
}
