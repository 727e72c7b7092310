//! Lowers lvalues, and reads and writes of them.

use super::error::{LowerError, LowerErrorKind, Result};
use super::layout::Leaf;
use super::ssa::Variable;
use super::tree::{Lowerer, register};
use crate::check::tree::{GlobalSpace, Place, PlaceKind, Type};
use crate::ir::{Access, Value};
use crate::syntax::source::Span;
use reconverge_isa::{CacheHints, Op, Space, Width};

/// The location of an object.
#[derive(Clone)]
pub(super) enum Where {
    /// In these variables, one for each leaf.
    Registers(Vec<Variable>, Vec<Leaf>),
    /// At an address.
    Memory { address: Value, space: Space, mode: Mode },
    /// Nowhere: the leaves of a value.
    Values(Vec<Value>, Vec<Leaf>),
}

/// How an object in memory is accessed.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode {
    /// No access is removed, repeated or reordered among volatile ones.
    pub volatile: bool,
    /// The hints of each access.
    pub cache: CacheHints,
}

impl Lowerer<'_> {
    pub fn place(&mut self, place: &Place) -> Result<Where> {
        let mut found = match &place.kind {
            PlaceKind::Local(local) => self.local(*local)?,
            PlaceKind::Global(global) => {
                let data = &self.module.globals[global.0 as usize];
                let space = match data.space {
                    GlobalSpace::Device => Space::Global,
                    GlobalSpace::Constant => Space::Constant,
                    GlobalSpace::Host => {
                        let message = format!("`{}` is a variable of the host", data.name);
                        return Err(LowerError::unsupported(place.span, message));
                    }
                };
                let address = self.builder.address(space, data.offset);
                Where::Memory { address, space, mode: Mode::default() }
            }
            PlaceKind::Shared(shared) => {
                let Some(&offset) = self.shared.offsets.get(shared) else {
                    let message = "a shared variable has no address";
                    return Err(LowerError::new(LowerErrorKind::Internal, place.span, message));
                };
                let address = self.builder.address(Space::Shared, offset);
                Where::Memory { address, space: Space::Shared, mode: Mode::default() }
            }
            PlaceKind::Deref(pointer) => {
                let address = self.scalar(pointer)?;
                Where::Memory { address, space: Space::Generic, mode: Mode::default() }
            }
            PlaceKind::Field(base, offset) => {
                let base = self.place(base)?;
                self.part(base, *offset, &place.ty, place.span)?
            }
            PlaceKind::Temporary(value) => {
                let leaves = self.leaves(&value.ty, value.span)?;
                Where::Values(self.values(value)?, leaves)
            }
        };
        if let Where::Memory { mode, .. } = &mut found {
            mode.volatile |= place.volatile;
            if place.cache != CacheHints::NONE {
                mode.cache = place.cache;
            }
        }
        Ok(found)
    }

    /// The part of an object that starts at an offset and has a type.
    pub fn part(&mut self, base: Where, offset: u64, ty: &Type, span: Span) -> Result<Where> {
        let end = offset + ty.size(&self.module.structs);
        let inside = |leaf: &Leaf| leaf.offset >= offset && leaf.offset < end;
        let cut = |leaves: &[Leaf]| -> Vec<Leaf> {
            let found = leaves.iter().filter(|leaf| inside(leaf)).cloned();
            found.map(|leaf| Leaf { offset: leaf.offset - offset, ..leaf }).collect()
        };
        fn chosen<T: Copy>(items: &[T], leaves: &[Leaf], inside: impl Fn(&Leaf) -> bool) -> Vec<T> {
            let both = items.iter().zip(leaves);
            both.filter(|(_, leaf)| inside(leaf)).map(|(&item, _)| item).collect()
        }
        let (found, parts) = match base {
            Where::Memory { address, space, mode } => {
                let address = self.offset(address, offset);
                return Ok(Where::Memory { address, space, mode });
            }
            Where::Registers(variables, leaves) => {
                let parts = cut(&leaves);
                (Where::Registers(chosen(&variables, &leaves, inside), parts.clone()), parts)
            }
            Where::Values(values, leaves) => {
                let parts = cut(&leaves);
                (Where::Values(chosen(&values, &leaves, inside), parts.clone()), parts)
            }
        };
        let wanted = self.leaves(ty, span)?;
        let same = |(one, other): (&Leaf, &Leaf)| {
            one.offset == other.offset && register(&one.ty) == register(&other.ty)
        };
        if parts.len() != wanted.len() || !parts.iter().zip(&wanted).all(same) {
            let message = "reading a structure's value as other members than it was written as";
            return Err(LowerError::unsupported(span, message));
        }
        Ok(found)
    }

    /// An address some bytes further.
    pub fn offset(&mut self, address: Value, bytes: u64) -> Value {
        let bytes = self.builder.word(bytes as u32);
        self.builder.compute(Op::Add, &[address, bytes])
    }

    /// Reads all leaves of an object.
    pub fn load_values(&mut self, place: &Where, ty: &Type, span: Span) -> Result<Vec<Value>> {
        match place {
            Where::Registers(variables, _) => {
                let is_whole = matches!(ty, Type::Struct(_));
                let mut read = |variable| match is_whole {
                    true => self.builder.read_part(variable),
                    false => self.builder.read(variable),
                };
                Ok(variables.iter().map(|&variable| read(variable)).collect())
            }
            Where::Values(values, _) if self.all_zeroes && ty.is_scalar() => {
                // A member of an object without a name is read here.
                let name = self.text(span);
                let declared = self.location(span);
                let read = |&value: &Value| {
                    let ty = self.builder.function().ty(value);
                    let part = self.builder.named_variable(ty, name.clone(), declared);
                    self.builder.write(part, value);
                    self.builder.read(part)
                };
                Ok(values.iter().map(read).collect())
            }
            Where::Values(values, _) => Ok(values.clone()),
            &Where::Memory { address, space, mode } => {
                let mut leaves = self.leaves(ty, span)?;
                // Its members may have no value; a check of the run follows them.
                if self.all_zeroes && matches!(ty, Type::Struct(_)) {
                    leaves.iter_mut().for_each(|leaf| leaf.raw = true);
                }
                self.bound(address, ty.size(&self.module.structs));
                let mut values = Vec::with_capacity(leaves.len());
                for leaf in &leaves {
                    let at = self.offset(address, leaf.offset);
                    values.push(self.load_scalar(at, space, mode, leaf));
                }
                Ok(values)
            }
        }
    }

    /// Writes all leaves of an object.
    pub fn store_values(
        &mut self,
        place: &Where,
        ty: &Type,
        values: Vec<Value>,
        span: Span,
    ) -> Result<()> {
        match place {
            Where::Registers(variables, _) => {
                for (&variable, value) in variables.iter().zip(values) {
                    self.builder.write(variable, value);
                }
                Ok(())
            }
            Where::Values(..) => {
                Err(LowerError::unsupported(span, "assignment to a value that is no object"))
            }
            &Where::Memory { address, space, mode } => {
                self.bound(address, ty.size(&self.module.structs));
                for (leaf, value) in self.leaves(ty, span)?.iter().zip(values) {
                    let at = self.offset(address, leaf.offset);
                    self.store_leaf(at, space, mode, leaf, value);
                }
                Ok(())
            }
        }
    }

    /// Reads a scalar from memory. For a pointer the low word is read: the high one is zero.
    fn load_scalar(&mut self, address: Value, space: Space, mode: Mode, leaf: &Leaf) -> Value {
        let ty = &leaf.ty;
        let width = match ty {
            Type::Bool => Width::U8,
            Type::Pointer(_) => Width::B32,
            other => self.width(other),
        };
        let volatile = mode.volatile || leaf.volatile;
        let (raw, part) = (leaf.raw, leaf.part);
        let access = Access { space, width, volatile, raw, part, cache: mode.cache };
        let value = self.builder.load(access, address);
        match ty {
            Type::Bool => self.is_not_zero(value, &Type::INT),
            _ => value,
        }
    }

    /// Writes a scalar to memory that may be in any window.
    pub fn store_scalar(&mut self, address: Value, ty: &Type, value: Value) {
        let leaf = Leaf { offset: 0, ty: ty.clone(), raw: false, part: None, volatile: false };
        self.store_leaf(address, Space::Generic, Mode::default(), &leaf, value);
    }

    /// Writes a part of an object to memory; of a pointer all eight bytes.
    pub fn store_leaf(
        &mut self,
        address: Value,
        space: Space,
        mode: Mode,
        leaf: &Leaf,
        value: Value,
    ) {
        let value = match leaf.ty {
            Type::Bool => self.builder.truth_as_word(value),
            Type::Pointer(_) => self.builder.compute(Op::Zext32, &[value]),
            _ => value,
        };
        let width = self.width(&leaf.ty);
        let volatile = mode.volatile || leaf.volatile;
        let part = leaf.part;
        let access = Access { space, width, volatile, raw: false, part, cache: mode.cache };
        self.builder.store(access, address, value);
    }

    fn width(&self, ty: &Type) -> Width {
        match (ty.size(&self.module.structs), ty.is_signed()) {
            (1, true) => Width::S8,
            (1, false) => Width::U8,
            (2, true) => Width::S16,
            (2, false) => Width::U16,
            (8, _) => Width::B64,
            _ => Width::B32,
        }
    }
}
