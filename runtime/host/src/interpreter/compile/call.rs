//! Calls of functions and built-ins, launches, and structures made of values.

use super::builder::Builder;
use super::effects::writes_variable;
use super::place::Location;
use crate::device::parameter_offsets;
use crate::interpreter::atomic;
use crate::interpreter::bytecode::{ArgumentClass, LaunchSite, LibraryCall, Op, Slot};
use crate::interpreter::collective;
use crate::interpreter::kind::Kind;
use crate::interpreter::math;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::{
    Expr, ExprKind, FunctionId, Launch, Place, PlaceKind, Type,
};
use reconverge_compiler::syntax::source::Span;

impl Builder<'_> {
    /// The result, or the address of a structure that is the result, replaces the first argument.
    pub(super) fn call(&mut self, function: FunctionId, arguments: &[Expr], result: &Type) -> Slot {
        let first = self.temporary();
        let mark = self.mark();
        for (index, argument) in arguments.iter().enumerate() {
            let target = if index == 0 { first } else { self.temporary() };
            self.argument(argument, target);
        }
        let structure = matches!(result, Type::Struct(_)).then(|| {
            let target = if arguments.is_empty() { first } else { self.temporary() };
            self.fresh_object(result, target)
        });
        self.emit(Op::Call, first, 0, 0, function.0, 0);
        self.release(mark);
        // The callee copied its result there and left the address alone, but not in `first`.
        if let Some(location) = structure {
            let address = self.address(location, Some(first));
            self.move_to(first, address);
        }
        first
    }

    /// Evaluates an argument; a structure is copied, so that later arguments cannot change it.
    fn argument(&mut self, argument: &Expr, target: Slot) {
        if argument.ty.is_scalar() {
            return self.value_into(argument, target);
        }
        let mark = self.mark();
        let value = self.value(argument);
        let copy = self.copied(value, &argument.ty);
        self.move_to(target, copy);
        self.release(mark);
    }

    fn fresh_object(&mut self, ty: &Type, target: Slot) -> Location {
        let location = Location::Memory { base: self.frame(), offset: self.allocate_memory(ty) };
        let address = self.address(location, Some(target));
        self.move_to(target, address);
        location
    }

    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        want: Option<Slot>,
    ) -> Slot {
        if collective::meets(builtin) {
            return self.meet(builtin, arguments);
        }
        if let Some((own, stored)) = builtin.results() {
            return self.several(own, stored, arguments, want);
        }
        if let Some((round, kind)) = math::rounded_first(builtin) {
            let whole = self.builtin(round, arguments, None);
            return self.convert(whole, kind, Kind::I64, want);
        }
        let op = if atomic::shape(builtin).is_some() {
            Op::Atomic
        } else if math::is_pure(builtin) {
            Op::Pure
        } else {
            return self.library(builtin, arguments);
        };
        let mark = self.mark();
        let [b, c, x] = self.three(arguments);
        self.release(mark);
        let target = self.target(want);
        self.emit(op, target, b, c, x as u32, builtin as u32);
        target
    }

    /// A function with several results: operands, and pointers to where all but its own go.
    fn several(
        &mut self,
        own: Option<Builtin>,
        stored: &[Builtin],
        arguments: &[Expr],
        want: Option<Slot>,
    ) -> Slot {
        let target = self.target(want);
        let mark = self.mark();
        let slots: Vec<Slot> = arguments
            .iter()
            .map(|argument| {
                let slot = self.temporary();
                self.argument(argument, slot);
                slot
            })
            .collect();
        let zero = self.constant(0);
        let (operands, places) = slots.split_at(slots.len() - stored.len());
        let operand = |at: usize| operands.get(at).copied().unwrap_or(zero);
        let [b, c, x] = [0, 1, 2].map(operand);
        let value = self.temporary();
        for ((&builtin, &base), argument) in
            stored.iter().zip(places).zip(&arguments[operands.len()..])
        {
            self.emit(Op::Pure, value, b, c, x as u32, builtin as u32);
            if let Type::Pointer(to) = &argument.ty {
                self.store(Location::Memory { base, offset: 0 }, to, value);
            }
        }
        if let Some(own) = own {
            self.emit(Op::Pure, value, b, c, x as u32, own as u32);
            self.move_to(target, value);
        }
        self.release(mark);
        target
    }

    /// Up to three operands from left to right; missing ones are zero.
    fn three(&mut self, arguments: &[Expr]) -> [Slot; 3] {
        let zero = self.constant(0);
        let mut slots = [zero; 3];
        for (index, (argument, slot)) in arguments.iter().zip(&mut slots).enumerate() {
            *slot = self.value(argument);
            let later = &arguments[index + 1..];
            if self.is_variable(*slot) && later.iter().any(writes_variable) {
                *slot = self.saved(*slot);
            }
        }
        slots
    }

    /// Evaluates arguments one after the other, the first where the result will be; only that
    /// place is kept.
    fn in_a_row(&mut self, arguments: &[Expr]) -> Slot {
        let first = self.temporary();
        let mark = self.mark();
        for (index, argument) in arguments.iter().enumerate() {
            let target = if index == 0 { first } else { self.temporary() };
            self.argument(argument, target);
        }
        self.release(mark);
        first
    }

    fn meet(&mut self, builtin: Builtin, arguments: &[Expr]) -> Slot {
        let first = self.temporary();
        let mark = self.mark();
        for (index, argument) in arguments.iter().enumerate() {
            let target = if index == 0 { first } else { self.temporary() };
            self.argument(argument, target);
        }
        self.emit(Op::Collective, first, 0, 0, 0, builtin as u32);
        if builtin == Builtin::MatchAll {
            // The third argument receives true if all lanes match.
            let (truth, zero) = (self.temporary(), self.constant(0));
            self.emit(Op::Ne, truth, first, zero, 0, 0);
            self.store(Location::Memory { base: first + 2, offset: 0 }, &Type::INT, truth);
        }
        self.release(mark);
        first
    }

    /// The name of the pointer whose address is given: a variable, or a member of one.
    fn pointer_name(&self, argument: &Expr) -> Option<String> {
        let mut inner = argument;
        while let ExprKind::Convert(from) = &inner.kind {
            inner = from;
        }
        match &inner.kind {
            ExprKind::AddressOf(place) => self.place_name(place),
            _ => None,
        }
    }

    fn place_name(&self, place: &Place) -> Option<String> {
        match &place.kind {
            PlaceKind::Local(id) => Some(self.function?.local(*id).name.to_string()),
            PlaceKind::Global(id) => Some(self.module.globals.get(id.0 as usize)?.name.to_string()),
            PlaceKind::Field(base, offset) => {
                let Type::Struct(id) = &base.ty else { return None };
                let fields = &self.module.structs.get(id.0 as usize)?.fields;
                let field = fields.iter().find(|field| field.offset == *offset)?;
                Some(format!("{}.{}", self.place_name(base)?, field.name))
            }
            _ => None,
        }
    }

    fn library(&mut self, builtin: Builtin, arguments: &[Expr]) -> Slot {
        let first = self.in_a_row(arguments);
        let element = arguments.first().and_then(element);
        let pointer = arguments.first().and_then(|argument| self.pointer_name(argument));
        let arguments = arguments.iter().map(|a| class(&a.ty)).collect();
        self.code.library.push(LibraryCall {
            builtin,
            arguments,
            element,
            pointer,
            span: self.span,
        });
        let number = self.code.library.len() as u32 - 1;
        self.emit(Op::Library, first, 0, 0, number, 0);
        first
    }

    pub(super) fn launch(&mut self, launch: &Launch, span: Span) -> Slot {
        let mark = self.mark();
        let operands = [&launch.grid, &launch.block, &launch.shared, &launch.stream];
        let mut first = None;
        for operand in operands.into_iter().chain(&launch.arguments) {
            let target = self.temporary();
            first.get_or_insert(target);
            self.argument(operand, target);
        }
        let (offsets, size) = parameter_offsets(self.module, launch.kernel);
        let arguments = offsets.iter().zip(&launch.arguments);
        let arguments = arguments
            .map(|(&at, argument)| (at, self.size(&argument.ty), !argument.ty.is_scalar()))
            .collect();
        self.code.launches.push(LaunchSite { kernel: launch.kernel, arguments, size, span });
        let number = self.code.launches.len() as u32 - 1;
        self.emit(Op::Launch, first.unwrap_or(0), 0, 0, number, 0);
        self.release(mark);
        self.constant(0)
    }

    /// A structure in the frame's memory with one value per field.
    pub(super) fn construct(&mut self, values: &[Expr], ty: &Type, want: Option<Slot>) -> Slot {
        let offset = self.allocate_memory(ty);
        let base = self.frame();
        if values.is_empty() {
            let size = self.size(ty);
            self.emit(Op::Clear, base, 0, 0, size, offset);
        }
        if let Type::Struct(id) = ty {
            let fields = &self.module.structs[id.0 as usize].fields;
            for (field, value) in fields.iter().zip(values) {
                let mark = self.mark();
                let slot = self.value(value);
                let offset = offset.wrapping_add(field.offset as u32);
                self.store(Location::Memory { base, offset }, &field.ty, slot);
                self.release(mark);
            }
        }
        self.address(Location::Memory { base, offset }, want)
    }
}

fn class(ty: &Type) -> ArgumentClass {
    match Kind::of(ty) {
        Kind::F32 => ArgumentClass::Float,
        Kind::F64 => ArgumentClass::Double,
        Kind::I64 | Kind::U64 => ArgumentClass::Long,
        Kind::Pointer => ArgumentClass::Pointer,
        _ => ArgumentClass::Int,
    }
}

/// The target type of the pointer whose address is given, without conversions.
fn element(argument: &Expr) -> Option<Type> {
    let mut inner = argument;
    while let ExprKind::Convert(from) = &inner.kind {
        inner = from;
    }
    match &inner.ty {
        Type::Pointer(pointer) => match &**pointer {
            Type::Pointer(element) if **element != Type::Void => Some((**element).clone()),
            _ => None,
        },
        _ => None,
    }
}
