//! Members that are no whole objects: bit-fields, and members that are not aligned as their types are.
//!
//! Both become reads and writes of the integers, or bytes, that contain them, so that later stages
//! need not treat them specially. The bytes of a member count from the lowest, as on x86 and on the
//! device. A read or written integer holds bits of bit-fields only: other members, which other
//! threads may write, are left alone (C++17, [intro.memory]).

use crate::check::expr::contract::is_still_place;
use crate::check::expr::convert;
use crate::check::state::Checker;
use crate::check::state::structs::Bits;
use crate::check::tree::{BinaryOp, Expr, ExprKind, IntKind, Place, PlaceKind, StructId, Type};
use crate::check::types::placement::integer;
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use reconverge_isa::CacheHints;

/// An integer that is read or written with a member: where its lowest bit is in the bytes around.
struct Piece {
    place: Place,
    bytes: u64,
    /// Bits from the lowest of the first byte.
    at: u32,
}

impl Piece {
    /// The member's bits within the unit.
    fn mask(&self, bits: Bits) -> u128 {
        let own = match self.at.checked_sub(bits.shift) {
            Some(down) => low(bits.width) >> down,
            None => low(bits.width) << (bits.shift - self.at),
        };
        own & low(8 * self.bytes as u32)
    }
}

impl Lvalue {
    /// Returns true if reads and writes go through other objects.
    pub fn is_part(&self) -> bool {
        self.bits.is_some() || self.align.is_some()
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}

fn converted(value: Expr, ty: &Type) -> Expr {
    if value.ty == *ty {
        return value;
    }
    let span = value.span;
    Expr { kind: ExprKind::Convert(Box::new(value)), ty: ty.clone(), span }
}

fn constant(value: u64, ty: &Type, span: Span) -> Expr {
    let value = match ty {
        Type::Int(kind) => crate::check::expr::constant::wrap(*kind, value as i64),
        _ => value as i64,
    };
    Expr { kind: ExprKind::Int(value), ty: ty.clone(), span }
}

fn shifted(op: BinaryOp, value: Expr, count: u32) -> Expr {
    if count == 0 {
        return value;
    }
    let count = constant(count.into(), &Type::INT, value.span);
    binary(op, value, count)
}

pub(crate) fn sequence(first: Expr, second: Expr) -> Expr {
    let (ty, span) = (second.ty.clone(), second.span);
    Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
}

fn assignment(place: Place, value: Expr) -> Expr {
    let (ty, span) = (place.ty.clone(), value.span);
    Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span }
}

/// So many low bits.
fn low(width: u32) -> u128 {
    (1u128 << width) - 1
}

impl Checker {
    /// The type in which the bits of a member are put together.
    fn carrier(bits: Bits) -> (Type, u32) {
        match bits.shift + bits.width {
            ..=32 => (Type::UINT, 32),
            _ => (Type::SIZE, 64),
        }
    }

    /// The bits of a member: all of its own for a member that is only aligned to less than its
    /// type.
    fn bits_of(&mut self, place: &Lvalue, span: Span) -> Option<Bits> {
        if let Some(bits) = place.bits {
            return Some(bits);
        }
        let size = self.size_of(&place.ty.ty)?;
        if !place.ty.ty.is_scalar() {
            let message = format!(
                "unsupported: a `{}` that is aligned to less than its type, used as a whole",
                self.spell(&place.ty.ty)
            );
            return self.fail(
                Diagnostic::error(code::UNSUPPORTED_C, span, message)
                    .help("use its members one by one, or copy it with `memcpy`"),
            );
        }
        Some(Bits { bytes: size, shift: 0, width: 8 * size as u32 })
    }

    /// The integers that the bytes with a member's bits are read and written as.
    fn pieces(&self, place: &Place, bits: Bits, align: Option<u64>) -> Vec<Piece> {
        let whole = integer(bits.bytes).filter(|_| align.is_none_or(|align| align >= bits.bytes));
        let each = if whole.is_some() { bits.bytes } else { 1 };
        let piece = |at: u64| {
            let ty = integer(each).unwrap_or(Type::Int(IntKind::UChar));
            let kind = match &place.kind {
                PlaceKind::Field(base, offset) => PlaceKind::Field(base.clone(), offset + at),
                _ => PlaceKind::Field(Box::new(place.clone()), at),
            };
            let place =
                Place { kind, ty, volatile: place.volatile, cache: place.cache, span: place.span };
            Piece { place, bytes: each, at: 8 * at as u32 }
        };
        let (first, end) = (u64::from(bits.shift), u64::from(bits.shift + bits.width));
        (first / (8 * each)..end.div_ceil(8 * each)).map(|index| piece(index * each)).collect()
    }

    /// A variable of ours.
    pub(crate) fn temporary(&mut self, ty: Type, in_memory: bool, span: Span) -> Option<Place> {
        let Some(body) = &mut self.body else {
            let message = "unsupported: a value that needs a place, outside functions";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        };
        let id = body.add_local("(temporary)", ty.clone(), in_memory, span);
        Some(Place {
            kind: PlaceKind::Local(id),
            ty,
            volatile: false,
            cache: CacheHints::NONE,
            span,
        })
    }

    /// Makes a place safe to be named more than once. Returns the expression to evaluate before, if
    /// any.
    pub(crate) fn steady(&mut self, place: &mut Place) -> Option<Option<Expr>> {
        let span = place.span;
        if let PlaceKind::Field(base, _) = &mut place.kind {
            return self.steady(base);
        }
        if is_still_place(place) {
            return Some(None);
        }
        let root = place;
        let nothing = PlaceKind::Temporary(Box::new(constant(0, &Type::INT, span)));
        match std::mem::replace(&mut root.kind, nothing) {
            PlaceKind::Deref(pointer) => {
                let held = self.temporary(pointer.ty.clone(), false, span)?;
                let load = Expr { kind: ExprKind::Load(held.clone()), ty: held.ty.clone(), span };
                root.kind = PlaceKind::Deref(Box::new(load));
                Some(Some(assignment(held, *pointer)))
            }
            PlaceKind::Temporary(value) => {
                let held = self.temporary(value.ty.clone(), true, span)?;
                root.kind = held.kind.clone();
                Some(Some(assignment(held, *value)))
            }
            kind => {
                root.kind = kind;
                Some(None)
            }
        }
    }

    /// Reads a member of this kind.
    pub(crate) fn load_part(&mut self, place: Lvalue) -> Option<Value> {
        let span = place.place.span;
        let bits = self.bits_of(&place, span)?;
        let mut root = place.place.clone();
        let before = match self.pieces(&root, bits, place.align).len() {
            1 => None,
            _ => self.steady(&mut root)?,
        };
        let (ty, _) = Checker::carrier(bits);
        let mut all: Option<Expr> = None;
        for piece in self.pieces(&root, bits, place.align) {
            let read = Expr { ty: piece.place.ty.clone(), kind: ExprKind::Load(piece.place), span };
            let read = converted(read, &ty);
            let moved = match piece.at.checked_sub(bits.shift) {
                Some(up) => shifted(BinaryOp::Shl, read, up),
                None => shifted(BinaryOp::Shr, read, bits.shift - piece.at),
            };
            all = Some(match all {
                Some(all) => binary(BinaryOp::Or, all, moved),
                None => moved,
            });
        }
        let value = self.interpreted(all?, bits.width, &place.ty.ty)?;
        let expr = match before {
            Some(before) => sequence(before, value),
            None => value,
        };
        let ty = place.ty.ty;
        Some(Value { expr, ty, bits: place.bits.map(|bits| bits.width) })
    }

    /// The low bits of an unsigned integer as a value of a type.
    fn interpreted(&mut self, value: Expr, width: u32, ty: &CType) -> Option<Expr> {
        let (span, target) = (value.span, ty.lower());
        let wide = if value.ty == Type::SIZE { 64 } else { 32 };
        let signed = match ty {
            CType::Enum(of) => of.kind.signed() && !of.nonnegative,
            ty => ty.kind().is_some_and(IntKind::signed),
        };
        let cut = match (signed, wide - width) {
            (true, spare) => {
                let kind = if wide == 64 { IntKind::Long } else { IntKind::Int };
                let high = converted(shifted(BinaryOp::Shl, value, spare), &Type::Int(kind));
                shifted(BinaryOp::Shr, high, spare)
            }
            (false, 0) => value,
            (false, _) => {
                let mask = constant(low(width) as u64, &value.ty, span);
                binary(BinaryOp::And, value, mask)
            }
        };
        match ty {
            CType::Float | CType::Double => self.reinterpreted(cut, &target, span),
            _ => Some(converted(cut, &target)),
        }
    }

    /// The bits of a value as one of another type of the same size, through memory.
    fn reinterpreted(&mut self, value: Expr, ty: &Type, span: Span) -> Option<Expr> {
        let bytes = match ty {
            Type::Float => (Type::UINT, Type::Float),
            Type::Double => (Type::SIZE, Type::Double),
            other => (value.ty.clone(), other.clone()),
        };
        let from = if value.ty.is_floating() { value.ty.clone() } else { bytes.0 };
        let value = converted(value, &from);
        let held = self.temporary(from.clone(), true, span)?;
        let address =
            Expr { kind: ExprKind::AddressOf(Box::new(held.clone())), ty: from.pointer_to(), span };
        let address = converted(address, &ty.clone().pointer_to());
        let place = Place {
            kind: PlaceKind::Deref(Box::new(address)),
            ty: ty.clone(),
            volatile: false,
            cache: CacheHints::NONE,
            span,
        };
        let load = Expr { kind: ExprKind::Load(place), ty: ty.clone(), span };
        Some(sequence(assignment(held, value), load))
    }

    /// The bits of a value as an unsigned integer of the carrier's type.
    fn as_bits(&mut self, value: Value, carrier: &Type, span: Span) -> Option<Expr> {
        Some(match value.ty {
            CType::Float => converted(self.reinterpreted(value.expr, &Type::UINT, span)?, carrier),
            CType::Double => converted(self.reinterpreted(value.expr, &Type::SIZE, span)?, carrier),
            _ => converted(value.expr, carrier),
        })
    }

    /// Writes a member of this kind; the result is the value it holds then. The value has its type.
    pub(crate) fn store_part(&mut self, place: Lvalue, value: Value, span: Span) -> Option<Value> {
        let bits = self.bits_of(&place, span)?;
        let ty = place.ty.ty.clone();
        let (carrier, _) = Checker::carrier(bits);
        let bare = self.as_bits(value, &carrier, span)?;
        let stand_in = if carrier == Type::SIZE { CType::SIZE } else { CType::UINT };
        let (mut all, held) = self.hold(Value { expr: bare, ty: stand_in, bits: None })?;
        let held = self.load(held.into()).expr;
        let mut root = place.place.clone();
        if let Some(before) = self.steady(&mut root)? {
            all = sequence(all, before);
        }
        for piece in self.pieces(&root, bits, place.align) {
            let of_piece = low(8 * piece.bytes as u32);
            let mask = piece.mask(bits);
            let moved = match piece.at.checked_sub(bits.shift) {
                Some(down) => shifted(BinaryOp::Shr, held.clone(), down),
                None => shifted(BinaryOp::Shl, held.clone(), bits.shift - piece.at),
            };
            let ty = piece.place.ty.clone();
            // Below a word, arithmetic happens in words.
            let word = if piece.bytes == 8 { Type::SIZE } else { Type::UINT };
            let new = converted(converted(moved, &carrier), &word);
            let new = if mask == of_piece {
                new
            } else {
                let old = Expr { kind: ExprKind::Load(piece.place.clone()), ty: ty.clone(), span };
                let keep = constant((!mask & of_piece) as u64, &word, span);
                let old = binary(BinaryOp::And, converted(old, &word), keep);
                let new = binary(BinaryOp::And, new, constant(mask as u64, &word, span));
                binary(BinaryOp::Or, old, new)
            };
            all = sequence(all, assignment(piece.place, converted(new, &ty)));
        }
        let result = self.interpreted(held, bits.width, &ty)?;
        let expr = sequence(all, result);
        Some(Value { expr, ty, bits: place.bits.map(|bits| bits.width) })
    }

    /// The initial value of a member of this kind, as stores of the integers that contain it. If
    /// `object` is given, the earlier value is read from it; otherwise an earlier store is
    /// completed.
    pub(crate) fn initial_part(
        &mut self,
        place: &Lvalue,
        offset: u64,
        value: Value,
        object: bool,
        out: &mut Vec<(u64, Expr)>,
    ) -> Option<()> {
        let span = value.expr.span;
        let bits = self.bits_of(place, span)?;
        let (carrier, _) = Checker::carrier(bits);
        let mut bare = self.as_bits(value, &carrier, span)?;
        let pieces = self.pieces(&place.place, bits, place.align);
        let mut before = None;
        if pieces.len() > 1 && crate::check::expr::constant::evaluate(&bare).is_none() {
            let stand_in = if carrier == Type::SIZE { CType::SIZE } else { CType::UINT };
            let (set, held) = self.hold(Value { expr: bare, ty: stand_in, bits: None })?;
            bare = self.load(held.into()).expr;
            before = Some(set);
        }
        for piece in pieces {
            let of_piece = low(8 * piece.bytes as u32);
            let mask = piece.mask(bits);
            let at = offset + u64::from(piece.at / 8);
            let ty = piece.place.ty.clone();
            let word = if piece.bytes == 8 { Type::SIZE } else { Type::UINT };
            let moved = match piece.at.checked_sub(bits.shift) {
                Some(down) => shifted(BinaryOp::Shr, bare.clone(), down),
                None => shifted(BinaryOp::Shl, bare.clone(), bits.shift - piece.at),
            };
            let mut new = converted(moved, &word);
            if mask != of_piece {
                new = binary(BinaryOp::And, new, constant(mask as u64, &word, span));
                let keep = constant((!mask & of_piece) as u64, &word, span);
                let earlier = out.iter_mut().find(|(known, value)| *known == at && value.ty == ty);
                match earlier {
                    Some((_, earlier)) if !object => {
                        let old = converted(earlier.clone(), &word);
                        let old = binary(BinaryOp::And, old, keep);
                        *earlier = converted(binary(BinaryOp::Or, old, new), &ty);
                        continue;
                    }
                    _ if object => {
                        let load = ExprKind::Load(piece.place.clone());
                        let old = Expr { kind: load, ty: ty.clone(), span };
                        let old = binary(BinaryOp::And, converted(old, &word), keep);
                        new = binary(BinaryOp::Or, old, new);
                    }
                    _ => {}
                }
            }
            let new = converted(new, &ty);
            let new = match before.take() {
                Some(before) => sequence(before, new),
                None => new,
            };
            out.push((at, new));
        }
        Some(())
    }

    /// A structure with such members, made of values for its members; the others are zero.
    pub(crate) fn made_of_parts(
        &mut self,
        id: StructId,
        values: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        let ty = CType::Struct(id);
        let held = self.temporary(ty.lower(), true, span)?;
        let whole = Lvalue::new(held.kind.clone(), ty.clone().plain(), span);
        let mut all = Vec::new();
        for field in self.lower_struct(id).fields {
            let zero = |ty: &Type, at: u64| {
                let kind = PlaceKind::Field(Box::new(held.clone()), at);
                let place =
                    Place { kind, ty: ty.clone(), volatile: false, cache: CacheHints::NONE, span };
                let kind = match ty.is_floating() {
                    true => ExprKind::Float(0.0),
                    false => ExprKind::Int(0),
                };
                assignment(place, Expr { kind, ty: ty.clone(), span })
            };
            match &field.ty {
                Type::Array(element, count) if element.is_scalar() => {
                    let size = element.size(&[]);
                    all.extend(
                        (0..u64::from(*count)).map(|at| zero(element, field.offset + at * size)),
                    );
                }
                scalar if scalar.is_scalar() => all.push(zero(scalar, field.offset)),
                _ => {
                    let name = self.structure(id).name.clone();
                    let message =
                        format!("unsupported: a value of type `{name}` made in an expression");
                    return self.fail(
                        Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                            .help("declare a variable with an initialiser and use that"),
                    );
                }
            }
        }
        for (field, value) in self.structure(id).fields.clone().into_iter().zip(values) {
            let why = convert::Purpose::Initialise(field.name.clone());
            let value = self.convert_or_construct(value, &field.ty.ty, &why)?;
            let place = self.field(whole.clone(), field, span);
            all.push(match place.is_part() {
                true => self.store_part(place, value, span)?.expr,
                false => assignment(place.place, value.expr),
            });
        }
        let load = Expr { kind: ExprKind::Load(held), ty: ty.lower(), span };
        let expr = all.into_iter().rev().fold(load, |rest, first| sequence(first, rest));
        Some(Value { expr, ty, bits: None })
    }

    /// A value that participates in arithmetic: one of a bit-field as an `int`, if that holds all that the
    /// bit-field can, or as an `unsigned int` (C++17, [conv.prom]).
    pub(crate) fn arithmetic(&mut self, value: Value) -> Value {
        let Some(width) = value.bits else {
            return value;
        };
        let signed = value.ty.kind().is_some_and(IntKind::signed);
        let to = match width {
            ..32 => CType::INT,
            32 if signed => CType::INT,
            32 => CType::UINT,
            _ => value.ty.clone(),
        };
        convert::cast(value, &to)
    }

    /// Reports a member without an address where one is needed.
    pub(crate) fn require_address(&mut self, place: &Lvalue, what: &str, span: Span) -> Option<()> {
        if place.bits.is_some() {
            let message = format!("{what} needs an address, which a bit-field has not");
            return self.fail(Diagnostic::error(code::NOT_ASSIGNABLE, span, message));
        }
        Some(())
    }

    /// A member of an object.
    pub(crate) fn field(
        &mut self,
        base: Lvalue,
        found: crate::check::state::structs::FieldInfo,
        span: Span,
    ) -> Lvalue {
        let known = base.align.unwrap_or_else(|| self.align_of(&base.ty.ty)).max(1);
        let offset = found.offset;
        let align = if offset == 0 { known } else { known.min(1 << offset.trailing_zeros()) };
        let wanted = match found.bits {
            Some(bits) => bits.bytes,
            None => self.align_of(&found.ty.ty),
        };
        let ty: QType = found.ty.qualified(base.ty.constant, base.ty.volatile);
        let volatile = ty.volatile || base.place.volatile;
        // A member of a part is a part of the whole, whose bytes have no other names.
        let kind = match base.place.kind {
            PlaceKind::Field(outer, at) if base.align.is_some() => {
                PlaceKind::Field(outer, at + offset)
            }
            kind => PlaceKind::Field(Box::new(Place { kind, ..base.place }), offset),
        };
        let place = Place { ty: ty.ty.lower(), kind, volatile, cache: CacheHints::NONE, span };
        let is_part = base.align.is_some() || align < wanted;
        let expires = base.expires;
        Lvalue {
            place,
            ty,
            constant: None,
            bits: found.bits,
            expires,
            align: is_part.then_some(align),
        }
    }
}
