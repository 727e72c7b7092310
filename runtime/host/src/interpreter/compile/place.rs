//! Lvalues: where an object is, loads and stores.

use super::builder::{Builder, Home};
use super::effects::writes_variable;
use crate::interpreter::bytecode::{Op, Slot};
use crate::interpreter::kind::Kind;
use reconverge_compiler::check::tree::{Expr, ExprKind, Place, PlaceKind, Type};

/// The location of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// In a slot.
    Slot(Slot),
    /// At `base + offset`.
    Memory { base: Slot, offset: u32 },
    /// At `base + index * stride + offset`.
    Indexed { base: Slot, index: Slot, stride: u32, offset: u32 },
}

impl Location {
    fn at(self, further: u32) -> Location {
        match self {
            Location::Slot(slot) => Location::Slot(slot),
            Location::Memory { base, offset } => {
                Location::Memory { base, offset: offset.wrapping_add(further) }
            }
            Location::Indexed { base, index, stride, offset } => {
                Location::Indexed { base, index, stride, offset: offset.wrapping_add(further) }
            }
        }
    }
}

impl Builder<'_> {
    /// Evaluates a place that is going to be accessed.
    pub(super) fn location(&mut self, place: &Place) -> Location {
        let location = self.location_of(place);
        self.take_turns(place);
        location
    }

    /// Precedes an access to volatile memory that other threads see: they first run up to it.
    /// Programs from before `__syncwarp` rely on the lanes of a warp performing each access
    /// together.
    pub(super) fn take_turns(&mut self, place: &Place) {
        let mut root = place;
        while let PlaceKind::Field(base, _) = &root.kind {
            root = base;
        }
        let own = matches!(root.kind, PlaceKind::Local(_) | PlaceKind::Temporary(_));
        if place.volatile && !own {
            self.emit(Op::TakeTurns, 0, 0, 0, 0, 0);
        }
    }

    fn location_of(&mut self, place: &Place) -> Location {
        let outer = std::mem::replace(&mut self.span, place.span);
        let location = match &place.kind {
            PlaceKind::Local(id) => match self.home(*id) {
                Home::Slot(slot) => Location::Slot(slot),
                Home::Memory(offset) => Location::Memory { base: self.frame(), offset },
            },
            PlaceKind::Global(id) => {
                let at = self.statics.globals[id.0 as usize];
                self.fixed(at as u64)
            }
            PlaceKind::Shared(id) => {
                let base = self.shared_address(id.0);
                Location::Memory { base, offset: 0 }
            }
            PlaceKind::Deref(pointer) => self.target_of(pointer),
            PlaceKind::Field(base, offset) => self.location_of(base).at(*offset as u32),
            PlaceKind::Temporary(value) => {
                let base = self.value(value);
                Location::Memory { base, offset: 0 }
            }
        };
        self.span = outer;
        location
    }

    fn fixed(&mut self, address: u64) -> Location {
        let base = self.constant(address);
        Location::Memory { base, offset: 0 }
    }

    /// The target of a pointer.
    fn target_of(&mut self, pointer: &Expr) -> Location {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.location(place),
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                self.element(pointer, index, *stride as u32, *negative)
            }
            ExprKind::Convert(inner) if matches!(inner.ty, Type::Pointer(_)) => {
                self.target_of(inner)
            }
            _ => Location::Memory { base: self.value(pointer), offset: 0 },
        }
    }

    /// The target of `pointer + index`.
    pub(super) fn element(
        &mut self,
        pointer: &Expr,
        index: &Expr,
        stride: u32,
        negative: bool,
    ) -> Location {
        let start = self.target_of(pointer);
        if let ExprKind::Int(constant) = index.kind {
            let distance = (constant as u32).wrapping_mul(stride);
            let distance = if negative { distance.wrapping_neg() } else { distance };
            return start.at(distance);
        }
        let (mut base, offset) = match start {
            Location::Memory { base, offset } => (base, offset),
            other => (self.address(other, None), 0),
        };
        if self.is_variable(base) && writes_variable(index) {
            base = self.saved(base);
        }
        let index = self.value(index);
        if negative {
            let target = self.temporary();
            self.emit(Op::AddressBack, target, base, index, stride, 0);
            return Location::Memory { base: target, offset };
        }
        Location::Indexed { base, index, stride, offset }
    }

    /// A copy of a slot in a temporary.
    pub(super) fn saved(&mut self, slot: Slot) -> Slot {
        let copy = self.temporary();
        self.move_to(copy, slot);
        copy
    }

    /// The address of a place.
    pub(super) fn address(&mut self, location: Location, want: Option<Slot>) -> Slot {
        match location {
            // The checker puts objects with an address into memory.
            Location::Slot(slot) => slot,
            Location::Memory { base, offset: 0 } => base,
            Location::Memory { base, offset } => {
                let zero = self.constant(0);
                let target = self.target(want);
                self.emit(Op::Address, target, base, zero, 0, offset);
                target
            }
            Location::Indexed { base, index, stride, offset } => {
                let target = self.target(want);
                self.emit(Op::Address, target, base, index, stride, offset);
                target
            }
        }
    }

    /// The value of an object; of a structure, its address.
    pub(super) fn load(&mut self, location: Location, ty: &Type, want: Option<Slot>) -> Slot {
        if !ty.is_scalar() {
            return self.address(location, want);
        }
        let (plain, indexed) = load_ops(Kind::of(ty));
        match location {
            Location::Slot(slot) => slot,
            Location::Memory { base, offset } => {
                let target = self.target(want);
                self.emit(plain, target, base, 0, 0, offset);
                target
            }
            Location::Indexed { base, index, stride, offset } => {
                let target = self.target(want);
                self.emit(indexed, target, base, index, stride, offset);
                target
            }
        }
    }

    /// In front of an access to all of an object: the vectors in it have to be aligned, as they are accessed as a whole.
    pub(super) fn check_vector(&mut self, address: Slot, ty: &Type, writes: bool) {
        if let Some(vector) = ty.vector(&self.module.structs) {
            let (align, name) = (vector.align as u32, vector.name.clone());
            let number = self.vector(&name);
            self.emit(Op::Aligned, address, 0, u16::from(writes), align, number);
        }
    }

    /// Stores a value; for a structure, copies the bytes at the address `value`.
    pub(super) fn store(&mut self, location: Location, ty: &Type, value: Slot) {
        if !ty.is_scalar() {
            let mark = self.mark();
            let to = self.address(location, None);
            let size = self.size(ty);
            self.check_vector(to, ty, true);
            self.emit(Op::Copy, to, value, 0, size, 0);
            return self.release(mark);
        }
        let (plain, indexed) = store_ops(Kind::of(ty));
        match location {
            Location::Slot(slot) => self.move_to(slot, value),
            Location::Memory { base, offset } => self.emit(plain, value, base, 0, 0, offset),
            Location::Indexed { base, index, stride, offset } => {
                self.emit(indexed, value, base, index, stride, offset)
            }
        }
    }
}

fn load_ops(kind: Kind) -> (Op, Op) {
    match kind {
        Kind::Bool | Kind::U8 => (Op::Load8U, Op::LoadX8U),
        Kind::I8 => (Op::Load8S, Op::LoadX8S),
        Kind::I16 => (Op::Load16S, Op::LoadX16S),
        Kind::U16 => (Op::Load16U, Op::LoadX16U),
        Kind::I32 => (Op::Load32S, Op::LoadX32S),
        Kind::U32 | Kind::F32 => (Op::Load32U, Op::LoadX32U),
        Kind::I64 | Kind::U64 | Kind::F64 => (Op::Load64, Op::LoadX64),
        Kind::Pointer => (Op::LoadPtr, Op::LoadXPtr),
    }
}

fn store_ops(kind: Kind) -> (Op, Op) {
    match kind {
        Kind::Bool | Kind::U8 | Kind::I8 => (Op::Store8, Op::StoreX8),
        Kind::I16 | Kind::U16 => (Op::Store16, Op::StoreX16),
        Kind::I32 | Kind::U32 | Kind::F32 => (Op::Store32, Op::StoreX32),
        Kind::I64 | Kind::U64 | Kind::F64 | Kind::Pointer => (Op::Store64, Op::StoreX64),
    }
}
