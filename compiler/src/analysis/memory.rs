//! Where addresses point, what a thread finds in its own variables, and when shared memory is
//! only read.

use super::sparse;
use crate::ir::{Access, Block, Function, Kind, Slot, Value};
use reconverge_isa::{Op, Space, Width};

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Not looked at yet, or a constant: agrees with everything.
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
    /// What is stored; `None` for a load.
    pub stored: Option<Value>,
    /// Where in the variable, if that is constant.
    pub offset: Option<i32>,
    /// How many bytes.
    pub width: Width,
}

impl SlotAccess {
    /// Whether both may touch one byte.
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

    /// Whether, when they overlap, they touch the same bytes: accesses are aligned to their size.
    pub fn is_aligned_with(&self, other: &SlotAccess) -> bool {
        let same = self.width.bytes() == other.width.bytes();
        same && (self.offset.is_none() || other.offset.is_none() || self.offset == other.offset)
    }
}

/// What reads and writes a local variable.
#[derive(Clone, Debug, Default)]
pub struct SlotUse {
    /// In the order of blocks.
    pub stores: Vec<SlotAccess>,
    /// In the order of blocks.
    pub loads: Vec<SlotAccess>,
    /// Its address goes where it cannot be followed: anybody may write it.
    pub escapes: bool,
}

/// The memory accesses of a function.
#[derive(Clone, Debug)]
pub struct Memory {
    /// By value.
    origin: Vec<Origin>,
    /// By slot.
    slots: Vec<SlotUse>,
    /// Whether the address of any local variable escapes.
    escapes: bool,
    /// Whether the kernel writes memory that other blocks see.
    writes_global: bool,
    /// By value: a load of shared memory that no write can happen beside.
    quiet: Vec<bool>,
}

impl Memory {
    /// Follows the addresses of a function; linear.
    pub fn new(function: &Function) -> Memory {
        let origin = origins(function);
        let slots = vec![SlotUse::default(); function.slots.len()];
        let quiet = vec![false; function.values.len()];
        let mut memory = Memory { origin, slots, escapes: false, writes_global: false, quiet };
        for block in function.existing_blocks() {
            for (at, &value) in function.instructions(block).iter().enumerate() {
                memory.note(function, value, (block, at as u32));
            }
        }
        memory.escapes = memory.slots.iter().any(|slot| slot.escapes);
        memory.quiet = quiet_loads(function, &memory);
        memory
    }

    /// What a value points into, if it is an address.
    pub fn origin(&self, value: Value) -> Origin {
        self.origin[value.index()]
    }

    /// What reads and writes a local variable.
    pub fn slot(&self, slot: Slot) -> &SlotUse {
        &self.slots[slot.0 as usize]
    }

    /// The local variables.
    pub fn slots(&self) -> &[SlotUse] {
        &self.slots
    }

    /// Whether a load of shared memory is separated by barriers from every write to it, before and
    /// after: whichever thread comes first, all find the same.
    pub fn is_quiet(&self, load: Value) -> bool {
        self.quiet[load.index()]
    }

    /// Which memory an access finally goes to.
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

    fn note(&mut self, function: &Function, value: Value, place: (Block, u32)) {
        match *function.kind(value) {
            Kind::Load(access, address) => self.access(value, place, access, address, None),
            Kind::Store(access, address, stored) => {
                self.escape(stored);
                self.access(value, place, access, address, Some(stored));
                self.write(access.space, address);
            }
            Kind::Atomic(_, space, ref operands) => {
                operands.iter().for_each(|&operand| self.escape(operand));
                self.write(space, operands[0]);
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
        place: (Block, u32),
        access: Access,
        address: Value,
        stored: Option<Value>,
    ) {
        if let Origin::Slot(slot, offset) = self.origin(address) {
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

/// The memory that an access goes to, as far as it matters who sees which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A local variable that only accesses known by name touch.
    Slot(Slot),
    /// Perhaps the thread's own memory: each finds something else.
    Own,
    /// Memory that nobody writes while the kernel runs.
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

/// The loads of shared memory in phases without writes to it. A phase starts at the entry or
/// behind a barrier and goes on to the next barriers.
fn quiet_loads(function: &Function, memory: &Memory) -> Vec<bool> {
    let mut quiet = vec![false; function.values.len()];
    let mut noisy = vec![false; function.values.len()];
    let mut seen = vec![u32::MAX; function.blocks.len()];
    let mut starts = vec![(Block::ENTRY, 0)];
    for block in function.existing_blocks() {
        for (at, &value) in function.instructions(block).iter().enumerate() {
            if function.kind(value).is_barrier() {
                starts.push((block, at + 1));
            }
        }
    }
    for (phase, start) in starts.into_iter().enumerate() {
        let (loads, written) = phase_of(function, memory, start, phase as u32, &mut seen);
        for load in loads {
            quiet[load.index()] = true;
            noisy[load.index()] |= written;
        }
    }
    quiet.iter().zip(noisy).map(|(&quiet, noisy)| quiet && !noisy).collect()
}

fn phase_of(
    function: &Function,
    memory: &Memory,
    start: (Block, usize),
    phase: u32,
    seen: &mut [u32],
) -> (Vec<Value>, bool) {
    let (mut loads, mut written) = (Vec::new(), false);
    let mut pending = vec![start];
    while let Some((block, from)) = pending.pop() {
        let mut ends = false;
        for &value in &function.instructions(block)[from..] {
            match function.kind(value) {
                kind if kind.is_barrier() => {
                    ends = true;
                    break;
                }
                Kind::Load(..) => loads.push(value),
                Kind::Store(access, address, _) => {
                    written |= may_be_shared(memory, access.space, *address)
                }
                Kind::Atomic(_, space, operands) => {
                    written |= may_be_shared(memory, *space, operands[0])
                }
                _ => {}
            }
        }
        if !ends {
            for to in function.successors(block) {
                if seen[to.index()] != phase {
                    seen[to.index()] = phase;
                    pending.push((to, 0));
                }
            }
        }
    }
    (loads, written)
}

fn may_be_shared(memory: &Memory, space: Space, address: Value) -> bool {
    match (space, memory.origin(address)) {
        (Space::Shared, _) | (_, Origin::Window(Space::Shared)) => true,
        (Space::Generic, origin) => matches!(origin, Origin::Any | Origin::Unknown),
        _ => false,
    }
}
