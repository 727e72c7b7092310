//! The requirements of CUDA and C on the functions through which a program is entered: kernels and
//! `main`.

use crate::check::declare::specifier::Specifiers;
use crate::check::state::Checker;
use crate::check::state::functions::Parameter;
use crate::check::tree::Sides;
use crate::check::types::CType;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Word;

/// The bytes that a kernel's parameters may take together.
const PARAMETER_BYTES: u64 = 4096;

impl Checker {
    pub(super) fn check_kernel(
        &mut self,
        specifiers: &Specifiers,
        name: &str,
        result: Option<&CType>,
        parameters: &[Option<Parameter>],
        span: Span,
    ) {
        if !specifiers.has(Word::Global) {
            return;
        }
        // Compilers of CUDA's first years took `__device__` beside it, and programs have it.
        if let Some(place) = specifiers.find(Word::Host) {
            let message = "`__global__` and `__host__` exclude each other";
            self.report(Diagnostic::error(code::BAD_DECLARATION, place, message));
        }
        if let Some(result) = result
            && !result.is_void()
        {
            let message = format!(
                "the kernel `{name}` returns `{}`, but kernels return `void`",
                self.spell(result)
            );
            self.report(Diagnostic::error(code::KERNEL_RETURN, span, message));
        }
        for parameter in parameters.iter().flatten() {
            if self.needs_destruction(&parameter.ty.ty) && !parameter.reference {
                let message = "unsupported: a kernel's parameter whose type has a destructor";
                self.report(
                    Diagnostic::error(code::UNSUPPORTED_CLASS, parameter.span, message)
                        .help("pass a pointer, or a structure without one"),
                );
            }
            if parameter.reference {
                let message = "a kernel's parameter cannot be a reference";
                self.report(Diagnostic::error(
                    code::UNSUPPORTED_REFERENCE,
                    parameter.span,
                    message,
                ));
            }
        }
        let sizes = parameters.iter().flatten().filter_map(|each| self.size_of(&each.ty.ty));
        let total = sizes.fold(0u64, |sum, size| sum.saturating_add(size));
        if total > PARAMETER_BYTES {
            let message = format!(
                "the parameters of `{name}` take {total} bytes, the limit is {PARAMETER_BYTES}"
            );
            self.report(Diagnostic::error(code::LIMIT_SIZE, span, message));
        }
    }

    pub(super) fn check_main(
        &mut self,
        sides: Sides,
        result: Option<&CType>,
        parameters: &[Option<Parameter>],
        span: Span,
    ) {
        let is_char_array = |ty: &CType| {
            let inner = ty.pointee().and_then(|to| to.ty.pointee());
            inner.is_some_and(|to| to.ty == CType::CHAR)
        };
        let fits = match parameters {
            [] => true,
            [Some(count), Some(values)] => {
                count.ty.ty == CType::INT && !count.reference && is_char_array(&values.ty.ty)
            }
            // A missing type was reported.
            parameters => parameters.len() == 2 && parameters.iter().any(Option::is_none),
        };
        let returns_int = result.is_none_or(|result| *result == CType::INT);
        if !fits || !returns_int || !sides.host || sides.device {
            let message =
                "`main` has to be a host function `int main()` or `int main(int, char **)`";
            self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
        }
    }
}
