//! The placement of the members of structures: the rules of the System V ABI for x86-64 and of the
//! Itanium C++ ABI, with gcc's `packed`, `aligned` and `#pragma pack`.
//!
//! A bit-field goes to the next free bit, unless it would then lie in more units of its type's
//! alignment than its type takes; then it goes to the next such unit. Packed ones always go to the
//! next bit. A bit-field of width 0 closes its unit, packed or not. One without a name does not
//! affect the alignment of the structure.

use crate::check::state::structs::{Bits, FieldInfo, Placing, StructInfo};
use crate::check::tree::{Field, IntKind, Type};
use crate::check::types::{CType, QType};
use std::ops::Range;

impl StructInfo {
    /// Puts a member after the others, as its type requires.
    pub(crate) fn push(&mut self, name: &str, ty: QType, size: u64, align: u64) {
        self.put(name, ty, size, align, Placing::default());
    }

    /// Puts a member after the others.
    pub(crate) fn put(&mut self, name: &str, ty: QType, size: u64, natural: u64, how: Placing) {
        let align = how.align_of(natural);
        let offset = self.end_bits.div_ceil(8).next_multiple_of(align);
        self.add(name, ty, offset, None);
        self.end_at(offset.saturating_add(size).saturating_mul(8));
        self.align = self.align.max(align);
    }

    /// Puts a bit-field of `width` bits after the others; `size` and `natural` are those of its type.
    pub(crate) fn put_bits(
        &mut self,
        name: &str,
        ty: QType,
        size: u64,
        natural: u64,
        width: u32,
        how: Placing,
    ) {
        if width == 0 {
            if !self.is_union {
                self.end_at(self.end_bits.next_multiple_of(8 * natural));
            }
            return;
        }
        let (unit, last) = (8 * natural, u64::from(width) - 1);
        let spans = |start: u64| (start + last) / unit - start / unit + 1 > size / natural;
        let mut start = self.end_bits;
        if !how.packed && how.most.is_none() && spans(start) {
            start = start.next_multiple_of(unit);
        }
        self.end_at(start + u64::from(width));
        if name.is_empty() {
            return;
        }
        // Until all members are known, the place is that of the bit in the whole structure.
        let bits = Bits { bytes: 0, shift: 0, width };
        self.add(name, ty, start, Some(bits));
        // With `#pragma pack` gcc ignores `packed` for the alignment that a bit-field requires of
        // its structure.
        self.align =
            self.align.max(how.most.map_or(how.align_of(natural), |most| natural.min(most)));
    }

    fn add(&mut self, name: &str, ty: QType, offset: u64, bits: Option<Bits>) {
        self.fields.push(FieldInfo { name: name.to_owned(), ty, offset, bits, default: None });
    }

    /// The next member begins at this bit; the members of a union all begin at 0.
    fn end_at(&mut self, bits: u64) {
        self.size = self.size.max(bits.div_ceil(8));
        if !self.is_union {
            self.end_bits = bits;
        }
    }

    /// Rounds the size up when all members are known, and determines the bytes of bit-fields.
    pub(crate) fn finish(&mut self) {
        // An empty structure has one byte, as in C++.
        self.size = self.size.max(1).next_multiple_of(self.align.max(1));
        let mut at = 0;
        // The bits in front of the next bytes.
        let mut before = 0;
        while at < self.fields.len() {
            let Some(_) = self.fields[at].bits else {
                // The size of a member does not matter: a bit-field after it begins after it.
                at += 1;
                continue;
            };
            let range = |field: &FieldInfo| {
                let width = field.bits.map_or(0, |bits| u64::from(bits.width));
                (field.offset / 8, (field.offset + width).div_ceil(8))
            };
            // Bit-fields that have bytes in common are accessed with the same ones.
            let (first, mut last) = range(&self.fields[at]);
            let mut end = at + 1;
            while end < self.fields.len() && self.fields[end].bits.is_some() && !self.is_union {
                let (start, stop) = range(&self.fields[end]);
                if start >= last {
                    break;
                }
                last = last.max(stop);
                end += 1;
            }
            let next = match self.fields.get(end) {
                Some(next) if !self.is_union => match next.bits {
                    Some(_) => next.offset / 8,
                    None => next.offset,
                },
                _ => self.size,
            };
            let free =
                if self.is_union { 0..self.size } else { before.max(self.ends_before(at))..next };
            let (offset, bytes) = self.unit(first, last, free);
            for field in &mut self.fields[at..end] {
                let shift = (field.offset - 8 * offset) as u32;
                field.offset = offset;
                if let Some(bits) = &mut field.bits {
                    (bits.bytes, bits.shift) = (bytes, shift);
                }
            }
            before = offset + bytes;
            at = end;
        }
        self.complete = true;
    }

    /// The latest end of the last plain member in front of the bit-field at `at`, in bytes: the
    /// start of the bit-fields after it. 0 if there is no such member.
    fn ends_before(&self, at: usize) -> u64 {
        let before = self.fields[..at].iter().rev().find(|field| field.bits.is_none());
        before.map_or(0, |_| self.fields[at].offset / 8)
    }

    /// The bytes to access for `first..last`: the smallest integer that lies in `free`, or exactly
    /// these.
    fn unit(&self, first: u64, last: u64, free: Range<u64>) -> (u64, u64) {
        for bytes in [1, 2, 4, 8] {
            let start = first - first % bytes;
            let fits = start + bytes >= last && start >= free.start && start + bytes <= free.end;
            if fits && self.align >= bytes {
                return (start, bytes);
            }
        }
        (first, last - first)
    }

    /// The members in the form of the checked tree: bit-fields as the integers, or bytes, that
    /// contain them; members less aligned than their types as bytes. `align` returns the alignment
    /// of a type.
    pub(crate) fn lowered_fields(&self, measure: &dyn Fn(&CType) -> (u64, u64)) -> Vec<Field> {
        let mut found: Vec<Field> = Vec::new();
        for field in &self.fields {
            let ty = match field.bits {
                Some(bits) => {
                    if let Some(last) = found.last_mut()
                        && !self.is_union
                        && last.offset == field.offset
                    {
                        last.volatile |= field.ty.is_volatile();
                        continue;
                    }
                    let is_aligned = |size| self.align >= size && field.offset.is_multiple_of(size);
                    let whole = integer(bits.bytes).filter(|_| is_aligned(bits.bytes));
                    whole.unwrap_or_else(|| bytes(bits.bytes))
                }
                None => {
                    let (size, align) = measure(&field.ty.ty);
                    let is_aligned = self.align >= align && field.offset.is_multiple_of(align);
                    if is_aligned { field.ty.ty.lower() } else { bytes(size) }
                }
            };
            let (name, volatile) = (field.name.clone(), field.ty.is_volatile());
            found.push(Field { name, ty, offset: field.offset, volatile });
        }
        found
    }
}

/// The unsigned integer of this size in bytes.
pub(crate) fn integer(bytes: u64) -> Option<Type> {
    Some(Type::Int(match bytes {
        1 => IntKind::UChar,
        2 => IntKind::UShort,
        4 => IntKind::UInt,
        8 => IntKind::ULong,
        _ => return None,
    }))
}

fn bytes(count: u64) -> Type {
    Type::Int(IntKind::UChar).array_of(count)
}
