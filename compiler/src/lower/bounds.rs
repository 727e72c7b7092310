//! `bounds` instructions: the object that an address was made from, for checks at run time.
//!
//! A pointer to an object begins as an opaque copy of the object's address. An access whose address
//! is computed from one such copy, by additions alone, belongs to that object. Addresses loaded
//! from memory, or made from several objects, belong to none.

use super::tree::Lowerer;
use crate::check::tree::{Place, PlaceKind, Type};
use crate::ir::{Kind, Value};
use reconverge_isa::Op;

/// The most operations that an address is followed back.
const MOST_STEPS: u32 = 256;

/// The origin of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The object that begins at this pointer, with its number of bytes.
    Object(Value, u64),
    /// The value that is being looked for, in a loop.
    Itself,
    /// A variable whose values are not known yet.
    Unknown,
    /// Something else.
    Other,
}

/// A `bounds` instruction before an access at an address, whose object is not known yet.
pub(super) struct Pending {
    instruction: Value,
    address: Value,
    size: u64,
}

impl Lowerer<'_> {
    /// The address of a place, of which a pointer is made.
    pub(super) fn object(&mut self, place: &Place, address: Value) -> Value {
        let bytes = place.ty.size(&self.module.structs);
        let is_object = match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Shared(_) | PlaceKind::Global(_) => true,
            // A last member with one element at most has all elements that the memory has room for.
            PlaceKind::Field(..) => matches!(place.ty, Type::Array(_, 2..)),
            // A row of a matrix is a part of it.
            PlaceKind::Deref(_) | PlaceKind::Temporary(_) => false,
        };
        if self.objects.is_none() || !is_object || bytes == 0 {
            return address;
        }
        let pointer = self.builder.opaque(address);
        if let Some(objects) = &mut self.objects {
            objects.insert(pointer, bytes);
        }
        pointer
    }

    /// States the object of an access of `size` bytes before it.
    pub(super) fn bound(&mut self, address: Value, size: u64) {
        if self.objects.is_none() {
            return;
        }
        match self.origin(address, &mut Vec::new(), &mut 0) {
            Origin::Object(start, bytes) if start != address => {
                let operands = self.operands(address, start, bytes, size);
                self.builder.collective(Op::Bounds, &operands);
            }
            Origin::Unknown => {
                // Holds for every address.
                let one = self.builder.word(1);
                let operands = [address, address, one];
                let instruction = self.builder.collective(Op::Bounds, &operands);
                self.pending.push(Pending { instruction, address, size });
            }
            Origin::Object(..) | Origin::Itself | Origin::Other => {}
        }
    }

    /// The kernel is whole: states the objects of accesses that were not known before.
    pub(super) fn settle_bounds(&mut self) {
        for Pending { instruction, address, size } in std::mem::take(&mut self.pending) {
            let address = self.builder.settled(address);
            let origin = self.origin(address, &mut Vec::new(), &mut 0);
            if let Origin::Object(start, bytes) = origin {
                let operands = self.operands(address, start, bytes, size);
                self.builder.set_operands(instruction, Op::Bounds, &operands);
            }
        }
    }

    fn operands(&mut self, address: Value, start: Value, bytes: u64, size: u64) -> [Value; 3] {
        // An access that is larger than its object fits nowhere in it.
        let count = (bytes + 1).saturating_sub(size);
        [address, start, self.builder.word(count as u32)]
    }

    /// The origin of an address; `outer` are the values of variables that are being examined.
    fn origin(&mut self, value: Value, outer: &mut Vec<Value>, steps: &mut u32) -> Origin {
        let value = self.builder.settled(value);
        if let Some((start, bytes)) = self.objects.as_ref().and_then(|it| it.get_key_value(&value))
        {
            return Origin::Object(*start, *bytes);
        }
        *steps += 1;
        if *steps > MOST_STEPS {
            return Origin::Other;
        }
        match self.builder.function().kind(value).clone() {
            Kind::Compute(Op::Add, operands) => {
                let [one, other] = [0, 1].map(|at| self.origin(operands[at], outer, steps));
                match (one, other) {
                    (origin, Origin::Other) | (Origin::Other, origin) => origin,
                    (Origin::Unknown, _) | (_, Origin::Unknown) => Origin::Unknown,
                    // The sum of two pointers is none.
                    _ => Origin::Other,
                }
            }
            Kind::Compute(Op::Sub, operands) => self.origin(operands[0], outer, steps),
            Kind::Phi(_) if outer.contains(&value) => Origin::Itself,
            Kind::Phi(incoming) if incoming.is_empty() => Origin::Unknown,
            Kind::Phi(incoming) => {
                outer.push(value);
                let mut origins = incoming.into_iter().map(|(_, it)| self.origin(it, outer, steps));
                let same = |one: Origin, other: Origin| match (one, other) {
                    (one, other) if one == other => one,
                    (Origin::Itself, origin) | (origin, Origin::Itself) => origin,
                    (Origin::Unknown, _) | (_, Origin::Unknown) => Origin::Unknown,
                    _ => Origin::Other,
                };
                let first = origins.next().unwrap_or(Origin::Other);
                let found = origins.by_ref().fold(first, same);
                drop(origins);
                outer.pop();
                found
            }
            _ => Origin::Other,
        }
    }
}
