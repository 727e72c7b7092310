//! Variables of compiled code in the checker's tree, which places them in memory.

use reconverge_compiler::check::tree::{
    self, Expr, ExprKind, Global, GlobalSpace, Init, IntKind, Type,
};
use reconverge_compiler::syntax::{FileId, Span};
use reconverge_isa::{CONSTANT_BASE, GLOBAL_BASE, Program, Variable};
use std::borrow::Cow;
use std::sync::Arc;

/// A program's tree with the variables of its replaced kernels that it lacks.
pub(crate) fn with_variables<'m>(
    module: &'m tree::Module,
    program: &Program,
) -> Cow<'m, tree::Module> {
    let is_new =
        |it: &&Variable| module.globals.iter().all(|own| (own.space, own.offset) != place(it));
    let mut new = program.variables.iter().filter(is_new).peekable();
    if new.peek().is_none() {
        return Cow::Borrowed(module);
    }
    let nowhere = Span::new(FileId(0), 0, 0);
    let mut with = module.clone();
    with.globals.extend(new.map(|it| global(it, nowhere)));
    Cow::Owned(with)
}

/// The memory of a variable, and its offset there.
fn place(variable: &Variable) -> (GlobalSpace, u32) {
    match variable.address.checked_sub(GLOBAL_BASE) {
        Some(offset) => (GlobalSpace::Device, offset),
        None => (GlobalSpace::Constant, variable.address.wrapping_sub(CONSTANT_BASE)),
    }
}

/// A variable as an array of bytes.
pub(super) fn global(variable: &Variable, span: Span) -> Global {
    let byte = Type::Int(IntKind::UChar);
    let store = |(at, &value): (usize, &u8)| {
        let kind = ExprKind::Int(value.into());
        (value != 0).then(|| (at as u64, Expr { kind, ty: byte.clone(), span }))
    };
    let (space, offset) = place(variable);
    Global {
        name: variable.name.clone(),
        ty: Type::Array(Arc::new(byte.clone()), variable.size),
        space,
        managed: false,
        offset,
        init: Init {
            zero: true,
            stores: variable.image.iter().enumerate().filter_map(store).collect(),
        },
        span,
    }
}
