//! String literals of device code. Kernels cannot read host memory, so that a literal of a function
//! that the device runs is a variable in global memory, as nvcc has it; one of a function of both
//! sides is a variable that the host may read too. Only the host reads the format of `printf` and
//! the message of `assert`, so these stay among its literals.

use crate::check::builtin::Builtin;
use crate::check::expr::constant::{self, Const};
use crate::check::program::renumber::{self, Numbers};
use crate::check::state::Checker;
use crate::check::state::variables::GlobalInfo;
use crate::check::tree::{
    Expr, ExprKind, Global, GlobalId, GlobalSpace, Init, IntKind, Place, PlaceKind, Sides, Stmt,
    StringId, Type,
};
use crate::syntax::source::Span;
use reconverge_isa::{CONSTANT_BASE, CacheHints, GLOBAL_BASE};

const CHAR: Type = Type::Int(IntKind::Char);

impl Checker {
    /// Puts the literals of a body into device memory, if the device runs it.
    pub(super) fn place_strings(&mut self, statements: &mut [Stmt], sides: Sides) {
        if sides.kernel || sides.device {
            let mut literals = Literals { checker: self, both: sides.host };
            renumber::in_statements(statements, &mut literals);
        }
    }

    /// The variable that holds a literal; `both`: the host may read it too.
    fn device_string(&mut self, text: StringId, both: bool, span: Span) -> GlobalId {
        if let Some(known) = self.literals.in_device(text, both) {
            return known;
        }
        let bytes = self.literals.text(text).to_vec();
        let size = bytes.len() as u64 + 1;
        let store = |(at, byte): (usize, u8)| {
            let kind = ExprKind::Int(i64::from(byte as i8));
            (at as u64, Expr { kind, ty: CHAR, span })
        };
        let offset = self.place_global(GlobalSpace::Device, size, span);
        let global = Global {
            name: format!("\"{}\"", bytes.escape_ascii()),
            ty: CHAR.array_of(size),
            space: GlobalSpace::Device,
            managed: both,
            offset,
            init: Init { zero: true, stores: bytes.into_iter().enumerate().map(store).collect() },
            span,
        };
        let info = GlobalInfo { defined: true, first_use: None, placed: true };
        let id = self.variables.add(global, info);
        self.literals.put_in_device(text, both, id);
        id
    }

    /// The address in device memory of an initialiser of a device variable: of a literal, of a
    /// device variable or a part of one.
    pub(super) fn device_address(&mut self, value: &Expr) -> Option<u32> {
        match &value.kind {
            ExprKind::String(text) => {
                let id = self.device_string(*text, false, value.span);
                self.device_variable(id)
            }
            ExprKind::AddressOf(place) => self.device_place(place),
            ExprKind::Convert(inner) if matches!(value.ty, Type::Pointer(_)) => {
                matches!(inner.ty, Type::Pointer(_)).then(|| self.device_address(inner))?
            }
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                let Const::Int(elements) = constant::evaluate(index)? else {
                    return None;
                };
                let bytes = elements.wrapping_mul(*stride as i64) as u32;
                let start = self.device_address(pointer)?;
                Some(if *negative { start.wrapping_sub(bytes) } else { start.wrapping_add(bytes) })
            }
            _ => None,
        }
    }

    fn device_place(&mut self, place: &Place) -> Option<u32> {
        match &place.kind {
            PlaceKind::Global(id) => self.device_variable(*id),
            PlaceKind::Field(base, offset) => {
                Some(self.device_place(base)?.wrapping_add(*offset as u32))
            }
            PlaceKind::Deref(pointer) => self.device_address(pointer),
            _ => None,
        }
    }

    fn device_variable(&self, id: GlobalId) -> Option<u32> {
        // The place of a variable that is defined further below is not known yet.
        self.variables.info(id).filter(|info| info.placed)?;
        let global = self.variables.get(id)?;
        match global.space {
            GlobalSpace::Host => None,
            GlobalSpace::Device => Some(GLOBAL_BASE + global.offset),
            GlobalSpace::Constant => Some(CONSTANT_BASE + global.offset),
        }
    }
}

/// Replaces literals by the addresses of their variables.
struct Literals<'a> {
    checker: &'a mut Checker,
    both: bool,
}

impl Numbers for Literals<'_> {
    fn expr(&mut self, value: &mut Expr) -> bool {
        match &mut value.kind {
            ExprKind::String(text) => {
                let id = self.checker.device_string(*text, self.both, value.span);
                if let Some(global) = self.checker.variables.get(id) {
                    let (kind, ty) = (PlaceKind::Global(id), global.ty.clone());
                    let place = Place {
                        kind,
                        ty,
                        volatile: false,
                        cache: CacheHints::NONE,
                        span: value.span,
                    };
                    value.kind = ExprKind::AddressOf(Box::new(place));
                }
                false
            }
            ExprKind::Builtin(Builtin::AssertFail, _) => false,
            ExprKind::Builtin(Builtin::Printf, arguments) => {
                let behind = arguments.get_mut(1..).unwrap_or_default();
                renumber::in_exprs(behind, self);
                false
            }
            _ => true,
        }
    }
}
