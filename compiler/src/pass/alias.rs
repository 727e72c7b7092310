//! Alias analysis (Muchnick, "Advanced Compiler Design and Implementation", 1997, chapter 10): which accesses certainly
//! touch different bytes. Two do whose addresses are one value plus different constants, far enough apart, or that lie in
//! different local variables, or of which only one lies in a local variable whose address is never given away.
//!
//! An access beyond its variable is undefined, as in C++.

use crate::analysis::memory::{Memory, Origin};
use crate::ir::{Access, Block, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Space};

/// The memories among shared, global and local memory that may have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written(pub [bool; 3]);

impl Written {
    pub(crate) const ALL: Written = Written([true; 3]);

    /// The memory that a thread may see changed after an instruction. A volatile access and an
    /// atomic may have waited for another thread, whose writes are visible after it.
    pub(crate) fn by(kind: &Kind) -> Written {
        match kind.unguarded() {
            Kind::Load(access, _) if !access.volatile => Written::default(),
            Kind::Store(access, ..) if !access.volatile => Written::to(access.space),
            Kind::Atomic(_, space, _) => Written([true, true, false]).or(Written::to(*space)),
            Kind::Store(access, ..) => Written([true, true, false]).or(Written::to(access.space)),
            Kind::Load(..) => Written([true, true, false]),
            kind if kind.synchronises() => Written([true, true, false]),
            _ => Written::default(),
        }
    }

    /// The memories that a space is part of.
    pub(crate) fn to(space: Space) -> Written {
        match space {
            Space::Shared => Written([true, false, false]),
            Space::Global => Written([false, true, false]),
            Space::Local => Written([false, false, true]),
            Space::Constant => Written::default(),
            Space::Generic => Written::ALL,
        }
    }

    pub(crate) fn or(self, other: Written) -> Written {
        Written([0, 1, 2].map(|at| self.0[at] || other.0[at]))
    }

    /// Returns true if a load from a space may see the change.
    pub(crate) fn seen_by(self, space: Space) -> bool {
        let read = Written::to(space);
        (0..3).any(|at| self.0[at] && read.0[at])
    }
}

/// The writes of several instructions.
pub(crate) struct Writes {
    pub memories: Written,
    /// The instructions, if they are few.
    few: Option<Vec<Value>>,
}

impl Default for Writes {
    fn default() -> Writes {
        Writes { memories: Written::default(), few: Some(Vec::new()) }
    }
}

impl Writes {
    /// The number of writes that are distinguished.
    const FEW: usize = 64;

    /// Anything is written.
    pub(crate) fn unknown() -> Writes {
        Writes { memories: Written::ALL, few: None }
    }

    /// Adds an instruction, if it writes.
    pub(crate) fn add(&mut self, value: Value, written: Written) {
        if written == Written::default() {
            return;
        }
        self.memories = self.memories.or(written);
        self.few = self.few.take().filter(|few| few.len() < Writes::FEW);
        self.few.iter_mut().for_each(|few| few.push(value));
    }

    /// The writes of some blocks.
    pub(crate) fn of(function: &Function, blocks: &[Block]) -> Writes {
        let mut all = Writes::default();
        for &value in blocks.iter().flat_map(|&block| function.instructions(block)) {
            all.add(value, Written::by(function.kind(value)));
        }
        all
    }

    /// The number of instructions to examine.
    pub(crate) fn len(&self) -> usize {
        self.few.as_ref().map_or(0, Vec::len)
    }
}

/// The base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    /// The start of a window.
    Window(Space),
    /// A value, among them local variables' addresses.
    Value(Value),
}

/// The bytes that a load or store touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub base: Base,
    /// Bytes from the base to the first.
    pub offset: u32,
    /// The number of bytes.
    bytes: u32,
    /// The object that the address points into.
    origin: Origin,
}

/// The targets of the addresses of a function.
pub(crate) struct Alias {
    /// For functions with local variables.
    memory: Option<Memory>,
}

impl Alias {
    /// Follows the addresses of a function; linear.
    pub(crate) fn new(function: &Function) -> Alias {
        Alias { memory: (!function.slots.is_empty()).then(|| Memory::of_addresses(function)) }
    }

    /// The bytes that an access at an address touches. `known_as` returns the replacement of a
    /// value.
    pub(crate) fn place(
        &self,
        function: &Function,
        access: Access,
        address: Value,
        known_as: impl FnMut(Value) -> Value,
    ) -> Place {
        let (base, offset) = split(function, address, known_as);
        let origin = self.memory.as_ref().map_or(Origin::Unknown, |memory| memory.origin(address));
        Place { base, offset, bytes: access.width.bytes(), origin }
    }

    /// Returns true if two accesses certainly touch different bytes while the values that their
    /// addresses are made of are the same: in one execution of a block, or if those values are
    /// defined outside of a loop.
    pub(crate) fn are_apart(&self, one: &Place, other: &Place) -> bool {
        one.is_apart_from(other) || self.are_different(one.origin, other.origin)
    }

    /// Returns true if any of several instructions may change a place in a window.
    pub(crate) fn may_change(
        &self,
        function: &Function,
        writes: &Writes,
        space: Space,
        to: &Place,
        mut known_as: impl FnMut(Value) -> Value,
    ) -> bool {
        let mut changes = |&write: &Value| {
            let kind = function.kind(write);
            Written::by(kind).seen_by(space)
                && match *kind.unguarded() {
                    Kind::Store(access, address, _) if !access.volatile => {
                        !self.are_apart(&self.place(function, access, address, &mut known_as), to)
                    }
                    _ => true,
                }
        };
        writes.memories.seen_by(space)
            && writes.few.as_ref().is_none_or(|few| few.iter().any(&mut changes))
    }

    /// Returns true if two origins have no byte in common.
    fn are_different(&self, one: Origin, other: Origin) -> bool {
        let is_kept = |slot| self.memory.as_ref().is_some_and(|memory| !memory.slot(slot).escapes);
        match (one, other) {
            (Origin::Slot(one, _), Origin::Slot(other, _)) => one != other,
            (Origin::Slot(..), Origin::Window(space))
            | (Origin::Window(space), Origin::Slot(..)) => space != Space::Local,
            (Origin::Slot(slot, _), Origin::Unknown) | (Origin::Unknown, Origin::Slot(slot, _)) => {
                is_kept(slot)
            }
            _ => false,
        }
    }
}

impl Place {
    /// Returns true if both have one base and no byte in common.
    fn is_apart_from(&self, other: &Place) -> bool {
        let apart = self.offset.wrapping_sub(other.offset);
        let same = self.base == other.base || Planted::BaseForgotten.is_on();
        same && apart >= other.bytes && apart.wrapping_neg() >= self.bytes
    }
}

/// The value and the constant that an address is the sum of.
fn addend(function: &Function, address: Value) -> Option<(Value, u32)> {
    match function.kind(address) {
        Kind::Compute(Op::Add, operands) => {
            Some((operands[0], function.constant(operands[1])? as u32))
        }
        Kind::Compute(Op::Add64, operands) => {
            let computed = || Some((operands[0], function.constant(operands[1])? as i64));
            let (base, offset) = function.offset_in_brackets(address).or_else(computed)?;
            Some((base, i32::try_from(offset).ok()? as u32))
        }
        _ => None,
    }
}

/// An address as a base and the constants that are added to it.
fn split(
    function: &Function,
    address: Value,
    mut known_as: impl FnMut(Value) -> Value,
) -> (Base, u32) {
    let (mut at, mut offset) = (known_as(address), 0u32);
    while let Some((base, bits)) = addend(function, at) {
        offset = offset.wrapping_add(bits);
        at = known_as(base);
    }
    match *function.kind(at) {
        Kind::Address(space, start) => (Base::Window(space), offset.wrapping_add(start)),
        _ => (Base::Value(at), offset),
    }
}
