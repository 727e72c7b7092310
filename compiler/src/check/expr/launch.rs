//! Kernel launches.

use crate::check::expr::convert;
use crate::check::overload::program::{Call, Passing};
use crate::check::state::Checker;
use crate::check::state::scopes::Symbol;
use crate::check::tree::{Expr, ExprKind, Launch, StructId};
use crate::check::types::CType;
use crate::check::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use reconverge_isa::wording::{counted, verb};

impl Checker {
    pub(crate) fn launch(
        &mut self,
        kernel: &ast::Expr,
        configuration: &[ast::Expr],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Value> {
        if self.in_device_code() && !self.allowed.is_unevaluated() {
            self.check_all(configuration);
            self.check_all(arguments);
            let message = "unsupported: dynamic parallelism (a launch from device code)";
            let found = Diagnostic::error(code::LAUNCH_FROM_DEVICE, span, message)
                .help("launch it from the host, or call a `__device__` function in a loop");
            return self.fail(self.note_side(found));
        }
        let configuration = self.configuration(configuration, span);
        let operands = self.operands(arguments);
        let index = self.kernel(kernel, operands.as_deref())?;
        let info = self.functions.get(index)?;
        let (name, declared) = (info.name.to_string(), info.span);
        let parameters = info.parameters.clone();
        let arguments =
            self.arguments(&name, declared, &parameters, operands?, span, Passing::Launch);
        let id = self.note_call(index, kernel.span)?;
        let [grid, block, shared, stream] = configuration?;
        let launch = Launch { kernel: id, grid, block, shared, stream, arguments: arguments? };
        Some(Value::new(ExprKind::Launch(Box::new(launch)), CType::Void, span))
    }

    /// The function that is launched.
    fn kernel(&mut self, kernel: &ast::Expr, operands: Option<&[Operand]>) -> Option<usize> {
        let (name, explicit) = match &kernel.kind {
            ast::ExprKind::Name(name) => (name, None),
            ast::ExprKind::Template(name, given) => (name, Some(given.as_slice())),
            _ => {
                self.operand(kernel)?;
                let message = "only the name of a kernel can be launched";
                let found = Diagnostic::error(code::LAUNCH_NOT_KERNEL, kernel.span, message);
                return self.fail(found);
            }
        };
        let span = self.scopes.find(name).and_then(|entry| entry.span);
        let list = match self.symbol_of(name) {
            Some(Symbol::Poisoned) => {
                self.note_poison(name, kernel.span);
                return None;
            }
            Some(Symbol::Functions(list)) => list,
            Some(_) => return self.report_no_kernel(name, span, kernel.span),
            None => {
                self.report_unknown(name, kernel.span, "the kernel ");
                return None;
            }
        };
        let call = Call::new(name, &list, operands?.to_vec(), kernel.span, kernel.span);
        let chosen = self.resolve(&call.with(explicit))?;
        if self.functions.get(chosen)?.sides.kernel {
            return Some(chosen);
        }
        self.report_no_kernel(name, span, kernel.span)
    }

    fn report_no_kernel<T>(
        &mut self,
        name: &str,
        declared: Option<Span>,
        place: Span,
    ) -> Option<T> {
        let message = format!("`{name}` is launched, but it is not a kernel");
        let mut found = Diagnostic::error(code::LAUNCH_NOT_KERNEL, place, message);
        if let Some(span) = declared {
            found = found.secondary(span, "declared here, without `__global__`");
        }
        self.fail(found)
    }

    /// Grid, block, bytes of shared memory and stream.
    fn configuration(&mut self, values: &[ast::Expr], span: Span) -> Option<[Expr; 4]> {
        if !(2..=4).contains(&values.len()) {
            self.check_all(values);
            let message = format!(
                "a launch takes a grid, a block and perhaps the bytes of shared memory and a \
                 stream, but {} {} given",
                counted(values.len() as u64, "value"),
                verb(values.len() as u64, "is", "are")
            );
            return self.fail(Diagnostic::error(code::BAD_LAUNCH, span, message));
        }
        let given: Vec<Option<Value>> = values.iter().map(|value| self.value(value)).collect();
        let mut given = given.into_iter();
        let grid = given.next()?.and_then(|value| self.dimensions(value, "grid"));
        let block = given.next()?.and_then(|value| self.dimensions(value, "block"));
        let shared = match given.next() {
            None => Some(Value::int(0, CType::SIZE, span).expr),
            Some(value) => value.and_then(|value| self.shared_bytes(value)),
        };
        let stream = match given.next() {
            None => Some(Value::int(0, CType::SIZE, span).expr),
            Some(value) => value.and_then(|value| self.stream(value)),
        };
        Some([grid?, block?, shared?, stream?])
    }

    fn stream(&mut self, value: Value) -> Option<Expr> {
        let span = value.expr.span;
        if value.ty == CType::Null || matches!(value.expr.kind, ExprKind::Int(0)) {
            return Some(Value::int(0, CType::SIZE, span).expr);
        }
        if value.ty.is_pointer() {
            return Some(value.expr);
        }
        let message = format!("a stream is a `cudaStream_t`, not a `{}`", self.spell(&value.ty));
        self.fail(Diagnostic::error(code::BAD_LAUNCH, span, message))
    }

    fn dimensions(&mut self, value: Value, what: &str) -> Option<Expr> {
        let is_size = |ty: &CType| ty.is_arithmetic() || matches!(ty, CType::Struct(_));
        let ty = value.ty.clone();
        let span = value.expr.span;
        let dim3 = CType::Struct(StructId(0));
        if is_size(&ty) && (self.is_dimensions(&ty) || ty.is_arithmetic()) {
            let value = self.convert_or_construct(value, &dim3, &convert::Purpose::Plain)?;
            return Some(value.expr);
        }
        let message = format!("the {what} is an integer or a `dim3`, not a `{}`", self.spell(&ty));
        self.fail(Diagnostic::error(code::BAD_LAUNCH, span, message))
    }

    fn is_dimensions(&self, ty: &CType) -> bool {
        let CType::Struct(id) = ty else {
            return false;
        };
        *id == StructId(0) || self.structs.vector("uint3") == Some(*id)
    }

    fn shared_bytes(&mut self, value: Value) -> Option<Expr> {
        if value.ty.is_integer() {
            return Some(convert::cast(value, &CType::SIZE).expr);
        }
        let message =
            format!("the bytes of shared memory are an integer, not a `{}`", self.spell(&value.ty));
        self.fail(Diagnostic::error(code::BAD_LAUNCH, value.expr.span, message))
    }
}
