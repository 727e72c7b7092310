//! Functions that the library is given: the comparison of `qsort` and `bsearch`, the kernel of
//! `cudaFuncSetCacheConfig` and its kin.
//!
//! General pointers to functions are not supported; the name of a function is, in these places.

use crate::check::state::Checker;
use crate::check::state::functions::Parameter;
use crate::check::state::scopes::Symbol;
use crate::check::tree::ExprKind;
use crate::check::types::CType;
use crate::check::value::Value;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;

/// The name that an argument consists of, perhaps with `&` before it.
fn name_of(argument: &ast::Expr) -> Option<&Name> {
    match &argument.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Unary(ast::UnaryOp::AddressOf, inner) => name_of(inner),
        _ => None,
    }
}

fn is_element(parameter: &Option<Parameter>) -> bool {
    let wanted = CType::Void.constant().pointer();
    parameter.as_ref().is_none_or(|one| !one.reference && one.ty.ty == wanted)
}

impl Checker {
    /// An argument that is the name of a comparison.
    pub(crate) fn comparison(
        &mut self,
        library: &str,
        index: usize,
        argument: &ast::Expr,
    ) -> Option<Value> {
        let name = name_of(argument);
        match name.and_then(|name| self.symbol_of(name)) {
            Some(Symbol::Functions(list)) if list.functions.len() == 1 => {
                self.comparing_function(library, list.functions[0], argument.span)
            }
            Some(Symbol::Poisoned) => {
                self.note_poison(name?, argument.span);
                None
            }
            _ => {
                let message = format!(
                    "argument {} of `{library}` is the name of a function of this program",
                    index + 1
                );
                let found =
                    Diagnostic::error(code::UNSUPPORTED_FUNCTION_POINTER, argument.span, message);
                self.fail(found.help("other pointers to functions are not supported"))
            }
        }
    }

    fn comparing_function(&mut self, library: &str, function: usize, span: Span) -> Option<Value> {
        let info = self.functions.get(function)?;
        let (name, declared) = (info.name.to_string(), info.span);
        let fits = info.parameters.len() == 2
            && info.parameters.iter().all(is_element)
            && info.result.as_ref().is_none_or(|result| *result == CType::INT)
            && info.sides.host;
        if !fits {
            let message = format!("`{name}` is not a comparison that `{library}` can call");
            let found = Diagnostic::error(code::TYPE_MISMATCH, span, message)
                .secondary(declared, "declared here")
                .help(format!("declare it `int {name}(const void *a, const void *b)`"));
            return self.fail(found);
        }
        let id = self.note_call(function, span)?;
        Some(Value::new(ExprKind::Function(id), CType::Void.pointer_to(), span))
    }

    /// An argument that is the name of a kernel.
    pub(crate) fn kernel_name(
        &mut self,
        library: &str,
        index: usize,
        argument: &ast::Expr,
    ) -> Option<Value> {
        let span = argument.span;
        if let ast::ExprKind::Template(name, given) = &argument.kind
            && let Some(Symbol::Functions(list)) = self.symbol_of(name)
            && let [template] = list.templates[..]
        {
            let arguments = self.template_arguments(template, given, span)?;
            let made = self.instantiate_function(template, arguments, span)?;
            if self.functions[made].sides.kernel {
                let id = self.note_call(made, span)?;
                return Some(Value::new(ExprKind::Function(id), CType::Void.pointer_to(), span));
            }
        }
        let name = name_of(argument);
        match name.and_then(|name| self.symbol_of(name)) {
            Some(Symbol::Functions(list))
                if list.functions.len() == 1 && self.functions[list.functions[0]].sides.kernel =>
            {
                let id = self.note_call(list.functions[0], span)?;
                Some(Value::new(ExprKind::Function(id), CType::Void.pointer_to(), span))
            }
            Some(Symbol::Poisoned) => {
                self.note_poison(name?, argument.span);
                None
            }
            _ => {
                let message =
                    format!("argument {} of `{library}` is the name of a kernel", index + 1);
                self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message))
            }
        }
    }
}
