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
    let nowhere = Span::new(FileId(0), 0, 0);
    let all = program.variables.iter().map(|it| global(it, nowhere));
    let is_known = |it: &Global| {
        module.globals.iter().any(|own| (own.space, own.offset) == (it.space, it.offset))
    };
    let new: Vec<Global> = all.filter(|it| !is_known(it)).collect();
    if new.is_empty() {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    module.globals.extend(new);
    Cow::Owned(module)
}

/// A variable as an array of bytes.
pub(super) fn global(variable: &Variable, span: Span) -> Global {
    let byte = Type::Int(IntKind::UChar);
    let store = |(at, &value): (usize, &u8)| {
        let kind = ExprKind::Int(value.into());
        (value != 0).then(|| (at as u64, Expr { kind, ty: byte.clone(), span }))
    };
    let (space, base) = match variable.address >= GLOBAL_BASE {
        true => (GlobalSpace::Device, GLOBAL_BASE),
        false => (GlobalSpace::Constant, CONSTANT_BASE),
    };
    Global {
        name: variable.name.clone(),
        ty: Type::Array(Arc::new(byte.clone()), variable.size),
        space,
        managed: false,
        offset: variable.address.wrapping_sub(base),
        init: Init {
            zero: true,
            stores: variable.image.iter().enumerate().filter_map(store).collect(),
        },
        span,
    }
}
