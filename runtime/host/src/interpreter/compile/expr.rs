//! Expressions.
//!
//! A requested target is only written as the last step of an evaluation: it may be a variable that
//! the expression reads. The value of a structure is its address.

use super::builder::Builder;
use super::effects::{place_has_effects, place_writes_variable, writes_variable};
use super::place::Location;
use crate::interpreter::arithmetic::f32_constant;
use crate::interpreter::bytecode::{Op, Slot};
use crate::interpreter::kind::Kind;
use reconverge_compiler::check::tree::{
    Axis, BinaryOp, Expr, ExprKind, Place, PlaceKind, Special, Type,
};

impl Builder<'_> {
    /// The slot with an expression's value: a variable's own, a constant's or a new temporary.
    pub(super) fn value(&mut self, expr: &Expr) -> Slot {
        self.expr(expr, None)
    }

    /// Evaluates into a slot.
    pub(super) fn value_into(&mut self, expr: &Expr, target: Slot) {
        let mark = self.mark();
        let value = self.expr(expr, Some(target));
        self.move_to(target, value);
        self.release(mark);
    }

    /// Evaluates for the effects only.
    pub(super) fn discard(&mut self, expr: &Expr) {
        let mark = self.mark();
        match &expr.kind {
            ExprKind::Convert(operand) => self.discard(operand),
            ExprKind::Comma(first, second) => {
                self.discard(first);
                self.discard(second);
            }
            ExprKind::Increment { place, negative, stride, .. } => {
                let outer = std::mem::replace(&mut self.span, expr.span);
                self.increment(place, *negative, false, *stride, None);
                self.span = outer;
            }
            _ => {
                self.value(expr);
            }
        }
        self.release(mark);
    }

    /// Two operands from left to right.
    pub(super) fn operands(&mut self, left: &Expr, right: &Expr) -> (Slot, Slot) {
        let mut first = self.value(left);
        if self.is_variable(first) && writes_variable(right) {
            first = self.saved(first);
        }
        (first, self.value(right))
    }

    /// See [`value`](Self::value); uses `want` when a new slot is needed.
    pub(super) fn expr(&mut self, expr: &Expr, want: Option<Slot>) -> Slot {
        let outer = std::mem::replace(&mut self.span, expr.span);
        // The result takes the first temporary, independently of its operands' temporaries.
        let mark = self.mark();
        let target = self.target(want);
        self.release(mark);
        let slot = self.expr_kind(expr, want);
        if slot == target && want.is_none() {
            self.release(mark);
            self.temporary();
        }
        self.span = outer;
        slot
    }

    fn expr_kind(&mut self, expr: &Expr, want: Option<Slot>) -> Slot {
        match &expr.kind {
            ExprKind::Int(value) => self.constant(*value as u64),
            ExprKind::Float(value) if expr.ty == Type::Float => self.constant(f32_constant(*value)),
            ExprKind::Float(value) => self.constant(value.to_bits()),
            ExprKind::String(id) => self.constant(self.statics.strings[id.0 as usize] as u64),
            ExprKind::Function(id) => self.constant(id.0 as u64),
            ExprKind::Special(special) => self.special(*special, want),
            ExprKind::Assume(_) => self.constant(0),
            ExprKind::Load(place) => {
                let (mark, location) = (self.mark(), self.location(place));
                if !place.ty.is_scalar() {
                    let address = self.address_since(mark, location, want);
                    self.check_vector(address, &place.ty, false);
                    return address;
                }
                self.release(mark);
                self.load(location, &place.ty, want)
            }
            ExprKind::AddressOf(place) => {
                let (mark, location) = (self.mark(), self.location(place));
                self.address_since(mark, location, want)
            }
            ExprKind::Unary(op, operand) => {
                let mark = self.mark();
                let value = self.value(operand);
                self.release(mark);
                let target = self.target(want);
                self.unary(*op, Kind::of(&operand.ty), target, value);
                target
            }
            ExprKind::Binary(op, left, right) => {
                let mark = self.mark();
                let (a, b) = self.operands(left, right);
                self.release(mark);
                let target = self.target(want);
                self.binary(*op, Kind::of(&left.ty), target, a, b);
                target
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.truth_value(expr, want),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no, want),
            ExprKind::Convert(operand) => self.conversion(operand, &expr.ty, want),
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                let mark = self.mark();
                let location = self.element(pointer, index, *stride as u32, *negative);
                self.address_since(mark, location, want)
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let mark = self.mark();
                let (a, b) = self.operands(left, right);
                self.release(mark);
                let target = self.target(want);
                let stride = (*stride).min(u32::MAX as u64) as u32;
                self.emit(Op::Difference, target, a, b, stride, 0);
                target
            }
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp { op, place, value, common } => {
                self.assign_op(*op, place, value, Kind::of(common))
            }
            ExprKind::AssignPointerAdd { place, index, stride, negative } => {
                self.assign_pointer_add(place, index, *stride as u32, *negative)
            }
            ExprKind::Increment { place, negative, postfix, stride } => {
                self.increment(place, *negative, *postfix, *stride, want)
            }
            ExprKind::Comma(first, second) => {
                self.discard(first);
                self.expr(second, want)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, &expr.ty),
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, want),
            ExprKind::Construct(values) => self.construct(values, &expr.ty, want),
            ExprKind::Launch(launch) => self.launch(launch, expr.span),
        }
    }

    /// The address of a location whose temporaries were made since `mark`. They may be given up
    /// if an instruction reads them, but not if one of them is the address itself.
    fn address_since(&mut self, mark: u32, location: Location, want: Option<Slot>) -> Slot {
        if !matches!(location, Location::Memory { offset: 0, .. }) {
            self.release(mark);
        }
        self.address(location, want)
    }

    fn special(&mut self, special: Special, want: Option<Slot>) -> Slot {
        let axis = |axis| match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let number = match special {
            Special::ThreadIdx(a) => axis(a),
            Special::BlockIdx(a) => 3 + axis(a),
            Special::BlockDim(a) => 6 + axis(a),
            Special::GridDim(a) => 9 + axis(a),
            Special::WarpSize => 12,
        };
        let target = self.target(want);
        self.emit(Op::Special, target, 0, 0, number, 0);
        target
    }

    fn truth_value(&mut self, expr: &Expr, want: Option<Slot>) -> Slot {
        let (no, end) = (self.label(), self.label());
        self.branch(expr, no, false);
        let (one, zero) = (self.constant(1), self.constant(0));
        let target = self.target(want);
        self.move_to(target, one);
        self.jump(end);
        self.place_label(no);
        self.move_to(target, zero);
        self.place_label(end);
        target
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr, want: Option<Slot>) -> Slot {
        let (other, end) = (self.label(), self.label());
        self.branch(condition, other, false);
        if yes.ty == Type::Void {
            self.discard(yes);
            self.jump(end);
            self.place_label(other);
            self.discard(no);
            self.place_label(end);
            return self.constant(0);
        }
        let target = self.target(want);
        self.value_into(yes, target);
        self.jump(end);
        self.place_label(other);
        self.value_into(no, target);
        self.place_label(end);
        target
    }

    fn conversion(&mut self, operand: &Expr, to: &Type, want: Option<Slot>) -> Slot {
        if *to == Type::Void {
            self.discard(operand);
            return self.constant(0);
        }
        let mark = self.mark();
        let (from, to) = (Kind::of(&operand.ty), Kind::of(to));
        if from == to || (!from.is_float() && !to.is_float() && to != Kind::Bool && from.fits(to)) {
            return self.expr(operand, want);
        }
        let value = self.value(operand);
        self.release(mark);
        self.convert(value, from, to, want)
    }

    /// Stores a scalar or copies a structure; the value is the result.
    fn assign(&mut self, place: &Place, value: &Expr) -> Slot {
        if let Some(slot) = self.variable_slot(place) {
            self.value_into(value, slot);
            return slot;
        }
        let mut from = self.value(value);
        if !place.ty.is_scalar() && place_has_effects(place) {
            from = self.copied(from, &place.ty);
        } else if self.is_variable(from) && place_writes_variable(place) {
            from = self.saved(from);
        }
        let mark = self.mark();
        let to = self.location(place);
        self.store(to, &place.ty, from);
        if !place.ty.is_scalar() {
            return from;
        }
        self.release(mark);
        from
    }

    /// The slot of a place that is one.
    fn variable_slot(&mut self, place: &Place) -> Option<Slot> {
        let PlaceKind::Local(_) = place.kind else {
            return None;
        };
        match self.location(place) {
            Location::Slot(slot) => Some(slot),
            _ => None,
        }
    }

    /// A copy of a structure in the frame's memory.
    pub(super) fn copied(&mut self, from: Slot, ty: &Type) -> Slot {
        let location = Location::Memory { base: self.frame(), offset: self.allocate_memory(ty) };
        self.store(location, ty, from);
        self.address(location, None)
    }

    fn assign_op(&mut self, op: BinaryOp, place: &Place, value: &Expr, common: Kind) -> Slot {
        let mut right = self.value(value);
        if self.is_variable(right) && place_writes_variable(place) {
            right = self.saved(right);
        }
        let kind = Kind::of(&place.ty);
        let location = self.location(place);
        let old = self.load(location, &place.ty, None);
        if let (Location::Slot(slot), true) = (location, kind == common) {
            self.binary(op, kind, slot, old, right);
            return slot;
        }
        let left = self.convert(old, kind, common, None);
        let result = self.temporary();
        self.binary(op, common, result, left, right);
        let new = self.convert(result, common, kind, None);
        self.take_turns(place);
        self.store(location, &place.ty, new);
        new
    }

    fn assign_pointer_add(
        &mut self,
        place: &Place,
        index: &Expr,
        stride: u32,
        negative: bool,
    ) -> Slot {
        let mut index = self.value(index);
        if self.is_variable(index) && place_writes_variable(place) {
            index = self.saved(index);
        }
        let location = self.location(place);
        let old = self.load(location, &place.ty, None);
        let target = match location {
            Location::Slot(slot) => slot,
            _ => self.temporary(),
        };
        let op = if negative { Op::AddressBack } else { Op::Address };
        self.emit(op, target, old, index, stride, 0);
        self.take_turns(place);
        self.store(location, &place.ty, target);
        target
    }

    fn increment(
        &mut self,
        place: &Place,
        negative: bool,
        postfix: bool,
        stride: u64,
        want: Option<Slot>,
    ) -> Slot {
        let kind = Kind::of(&place.ty);
        let location = self.location(place);
        let mut old = self.load(location, &place.ty, None);
        let step = self.constant(match kind {
            Kind::F32 => 1.0f32.to_bits() as u64,
            Kind::F64 => 1.0f64.to_bits(),
            Kind::Pointer => stride as u32 as u64,
            _ => 1,
        });
        let op = if negative { BinaryOp::Sub } else { BinaryOp::Add };
        let Location::Slot(slot) = location else {
            let new = self.temporary();
            self.binary(op, kind, new, old, step);
            self.take_turns(place);
            self.store(location, &place.ty, new);
            return if postfix { old } else { new };
        };
        if postfix {
            let copy = self.target(want.filter(|&target| target != slot));
            self.move_to(copy, slot);
            old = copy;
        }
        self.binary(op, kind, slot, slot, step);
        if postfix { old } else { slot }
    }
}
