//! Calls.

use crate::check::builtin::{Builtin, Side, TABLE};
use crate::check::expr::convert::{self, Purpose};
use crate::check::library::{hint, sides};
use crate::check::overload::program::{Call, Passing, Viable};
use crate::check::state::Checker;
use crate::check::state::functions::describe;
use crate::check::state::functions::has_default;
use crate::check::state::functions::{DefaultArgument, Parameter};
use crate::check::state::scopes::{Overloads, Symbol};
use crate::check::tree::{Expr, ExprKind, Sides, StructId};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::parts;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use reconverge_isa::wording::{counted, verb};
use std::rc::Rc;

impl Checker {
    pub(crate) fn call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let place = function.span;
        match &function.kind {
            ast::ExprKind::Name(name) => match arguments {
                [object] if self.gives_up(name) => self.given_up(object),
                [list] if self.is_extreme_of(name, list) => {
                    self.extreme_of(name, list, place, span)
                }
                _ => self.call_name(name, arguments, place, span),
            },
            ast::ExprKind::Template(name, given) => {
                let operands = self.operands(arguments);
                let list = self.templates_of(name, place)?;
                let object = self.implicit_object(&list, place);
                let (given, operands) = (Some(given.as_slice()), operands?);
                let list = self.with_associated(&list, name, &operands, place)?;
                self.call_overloaded(
                    Call::new(name, &list, operands, place, span).on(object).with(given),
                )
            }
            ast::ExprKind::Scoped(of, name) => {
                let operands = self.operands(arguments);
                let id = self.scope_of(of)?;
                let Some(list) = self.member_functions(id, name) else {
                    self.report_no_member(id, name, place);
                    return None;
                };
                let object = self.implicit_object(&list, place);
                self.call_overloaded(Call::new(name, &list, operands?, place, span).on(object))
            }
            ast::ExprKind::MemberTemplate(member, given) => {
                self.call_member_template(member, given, arguments, span)
            }
            ast::ExprKind::Member { base, name, arrow, .. } if &**name == "~" => {
                self.explicit_destruction(base, *arrow, span).map(Operand::from)
            }
            ast::ExprKind::Member { base, name, arrow, name_span } => {
                let object = self.member_base(base, name, *arrow, *name_span);
                self.call_member(object, function, arguments, span)
            }
            _ => {
                let callee = self.operand(function);
                let operands = self.operands(arguments);
                self.call_object(callee?, operands?, place, span)
            }
        }
    }

    /// `object.name<...>(arguments)`.
    fn call_member_template(
        &mut self,
        member: &ast::Expr,
        given: &[ast::TemplateArgument],
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let ast::ExprKind::Member { base, name, arrow, name_span } = &member.kind else {
            return None;
        };
        let place = *name_span;
        let object = self.member_base(base, name, *arrow, place);
        let operands = self.operands(arguments);
        let (object, operands) = (object?, operands?);
        let list = match *object.ty() {
            CType::Struct(id) => self.member_functions(id, name),
            _ => None,
        };
        let Some(list) = list else {
            let message = format!("`{name}` is no function of `{}`", self.spell(object.ty()));
            return self.fail(Diagnostic::error(code::NO_MEMBER, place, message));
        };
        self.call_overloaded(
            Call::new(name, &list, operands, place, span).on(Some(object)).with(Some(given)),
        )
    }

    /// `object.name(arguments)`.
    fn call_member(
        &mut self,
        object: Option<Operand>,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let ast::ExprKind::Member { base, name, arrow, name_span } = &function.kind else {
            return None;
        };
        let place = *name_span;
        if let Some(object) = &object
            && crate::check::library::stream::is_stream(object)
        {
            return self.stream_function(object.clone(), name, arguments, span);
        }
        let list = match object.as_ref().map(Operand::ty) {
            Some(CType::Struct(id)) => self.member_functions(*id, name),
            _ => None,
        };
        let operands = self.operands_for(arguments, list.as_deref());
        let (object, operands) = (object?, operands?);
        if let CType::Struct(id) = *object.ty()
            && self.find_member(id, name).is_none()
            && let Some(list) = self.member_functions(id, name)
        {
            let call = Call::new(name, &list, operands, place, span);
            return self.call_overloaded(call.on(Some(object)));
        }
        let callee = self.member_of(object, base.span, name, place, *arrow, place)?;
        self.call_object(callee, operands, place, span)
    }

    /// Checks arguments; a list in braces makes a value of the type that all functions with equally
    /// many parameters have there.
    fn operands_for(
        &mut self,
        arguments: &[ast::Expr],
        candidates: Option<&Overloads>,
    ) -> Option<Vec<Operand>> {
        let is_list = |one: &ast::Expr| matches!(one.kind, ast::ExprKind::List(_));
        let Some(candidates) = candidates.filter(|_| arguments.iter().any(is_list)) else {
            return self.operands(arguments);
        };
        let mut operands = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let ast::ExprKind::List(list) = &argument.kind else {
                operands.push(self.operand(argument)?);
                continue;
            };
            let fitting =
                candidates.functions.iter().map(|&index| &self.functions[index].parameters);
            let fitting = fitting.filter(|all| {
                all.len() >= arguments.len() && all[arguments.len()..].iter().all(has_default)
            });
            let mut types =
                fitting.filter_map(|all| all[index].as_ref().map(|one| one.ty.ty.clone()));
            let ty = types.next().filter(|first| types.all(|other| other == *first));
            match ty {
                Some(ty) => operands.push(self.returned(list, Some(&ty))?.into()),
                None => operands.push(self.operand(argument)?),
            }
        }
        Some(operands)
    }

    /// A call of a structure's own `()`.
    fn call_object(
        &mut self,
        callee: Operand,
        operands: Vec<Operand>,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        if let CType::Struct(id) = *callee.ty()
            && let Some(list) = self.member_functions(id, "operator()")
        {
            let name: Name = format!("{}::operator()", self.structure(id).name).into();
            return self
                .call_overloaded(Call::new(&name, &list, operands, place, span).on(Some(callee)));
        }
        let message = format!("a `{}` cannot be called", self.spell(callee.ty()));
        self.fail(Diagnostic::error(code::NOT_CALLABLE, place, message))
    }

    /// The object of the function being checked, if one of the called functions takes one.
    fn implicit_object(&mut self, list: &Overloads, span: Span) -> Option<Operand> {
        let wants = list.functions.iter().any(|&index| self.functions[index].takes_object())
            || list.templates.iter().any(|&index| self.templates[index].is_member());
        if !wants {
            return None;
        }
        self.this_object(span).map(Operand::from)
    }

    fn call_name(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        if self.is_own_member(name) {
            let callee = self.name(name, place);
            let operands = self.operands(arguments);
            return self.call_object(callee?, operands?, place, span);
        }
        if self.is_of_cuda(name) {
            self.check_release(name, place)?;
        }
        match self.symbol_of(name) {
            Some(Symbol::Functions(list)) => {
                let operands = self.operands_for(arguments, Some(&list))?;
                let list = self.with_associated(&list, name, &operands, place)?;
                self.call_functions(name, &list, operands, place, span)
            }
            Some(Symbol::Poisoned) => {
                self.note_poison(name, place);
                self.check_all(arguments);
                None
            }
            Some(Symbol::Variable(variable)) if matches!(variable.ty.ty, CType::Struct(_)) => {
                let callee = self.name(name, place);
                let operands = self.operands(arguments);
                self.call_object(callee?, operands?, place, span)
            }
            Some(_) => {
                self.check_all(arguments);
                let message = format!("`{name}` is not a function");
                let mut found = Diagnostic::error(code::NOT_CALLABLE, place, message);
                let entry = self.scopes.find(name);
                if let Some(span) = entry.and_then(|entry| entry.span) {
                    found = found.secondary(span, "declared here");
                }
                self.fail(found)
            }
            None => self.call_undeclared(name, arguments, place, span),
        }
    }

    /// Calls one of the functions of a name, or a built-in one of that name.
    fn call_functions(
        &mut self,
        name: &Name,
        list: &Overloads,
        operands: Vec<Operand>,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        let rows = builtin_rows(name.strip_prefix("::").unwrap_or(name));
        let object = self.implicit_object(list, place);
        let made = self.made_vector(name);
        let is_access = hint::is_access(name);
        if rows.is_empty() && made.is_none() && !is_access {
            return self.call_overloaded(Call::new(name, list, operands, place, span).on(object));
        }
        // The built-in functions of the name are overloads too.
        let call = Call::new(name, list, operands.clone(), place, span).on(object);
        let viable = self.viable(&call);
        let is_exact = viable.iter().any(Viable::is_exact);
        if is_access && viable.is_empty() {
            let values = operands.into_iter().map(|operand| self.load(operand)).collect();
            return self.hinted_access(name, values, span).map(Operand::from);
        }
        if let Some(id) = made
            && operands.len() == self.structure(id).fields.len()
            && !is_exact
        {
            let load = |operand| self.load(operand);
            let values = operands.into_iter().map(load).collect();
            return self.make_vector(name, id, values, span).map(Operand::from);
        }
        if !rows.is_empty()
            && crate::check::overload::builtin::are_plain(&rows)
            && !is_exact
            && (viable.is_empty() || operands.iter().all(|operand| operand.ty().is_arithmetic()))
        {
            let load = |operand| self.load(operand);
            let values = operands.into_iter().map(load).collect();
            let value = self.call_builtin_with(name, &rows, values, place, span);
            return value.map(Operand::from);
        }
        self.call_viable(call, &viable)
    }

    /// Calls a function that is not declared at the call: one of the library, or of an argument's
    /// namespace.
    fn call_undeclared(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        if self.may_be_beside(name) && !self.is_in_parentheses(place) {
            let operands = self.operands(arguments)?;
            let list = self.associated(name, &operands, place)?;
            return match *list == Overloads::default() {
                false => self.call_functions(name, &list, operands, place, span),
                true => self.call_library_with(name, arguments, operands, place, span),
            };
        }
        let name = &name.strip_prefix("::").map_or_else(|| name.clone(), Name::from);
        let name = &old_name(name);
        if self.check_side_of_nvcc(name, place).is_none() {
            self.check_all(arguments);
            return None;
        }
        if let Some(list) = self.library_text(name) {
            let operands = self.operands(arguments)?;
            let rows = builtin_rows(name);
            // Built-in functions of such a name take words.
            if !rows.is_empty() && operands.iter().all(|it| it.ty().is_arithmetic()) {
                let values = operands.into_iter().map(|it| self.load(it)).collect();
                let value = self.call_builtin_with(name, &rows, values, place, span);
                return value.map(Operand::from);
            }
            return self.call_overloaded(Call::new(name, &list, operands, place, span));
        }
        if is_predefined(name) || !builtin_rows(name).is_empty() {
            return self.call_predefined(name, arguments, place, span).map(Operand::from);
        }
        self.check_all(arguments);
        self.report_unknown(name, place, "the function ");
        None
    }

    /// Returns true if a function of this name may be found by the types of arguments: not if a
    /// built-in one of the name takes more than values.
    fn may_be_beside(&self, name: &Name) -> bool {
        let takes_values =
            || crate::check::overload::builtin::are_plain(&builtin_rows(&old_name(name)));
        let is_special = || &**name != "swap" && is_predefined(name);
        self.functions.has_inner(name) && !is_special() && takes_values()
    }

    /// Calls a function of the library with arguments that have been checked, and are `written` so.
    fn call_library_with(
        &mut self,
        name: &Name,
        written: &[ast::Expr],
        operands: Vec<Operand>,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        self.check_side_of_nvcc(name, place)?;
        if &**name == "swap" {
            return self.swap_operands(written, operands, span).map(Operand::from);
        }
        let name = &old_name(name);
        let rows = builtin_rows(name);
        let are_numbers = operands.iter().all(|it| it.ty().is_arithmetic());
        if let Some(list) = self.library_text(name)
            && (rows.is_empty() || !are_numbers)
        {
            return self.call_overloaded(Call::new(name, &list, operands, place, span));
        }
        if rows.is_empty() {
            self.report_unknown(name, place, "the function ");
            return None;
        }
        let values = operands.into_iter().map(|it| self.load(it)).collect();
        self.call_builtin_with(name, &rows, values, place, span).map(Operand::from)
    }

    /// Returns true if a function's name is not the program's own.
    fn is_of_cuda(&self, name: &Name) -> bool {
        match self.symbol_of(name) {
            Some(Symbol::Functions(list)) => {
                let functions = list.functions.iter().map(|&index| self.functions[index].span);
                let templates = list.templates.iter().map(|&index| self.templates[index].span);
                functions.chain(templates).all(|span| self.program.is_supplied(span.file))
            }
            symbol => symbol.is_none(),
        }
    }

    /// Returns true if this is `std::min({...})` or `std::max({...})`.
    fn is_extreme_of(&self, name: &str, list: &ast::Expr) -> bool {
        matches!(list.kind, ast::ExprKind::List(_))
            && ["min", "max", "::min", "::max"].contains(&name)
            && self.symbol_of(&name.into()).is_none()
    }

    /// The least or the largest of the elements of a list, which are all of one type.
    fn extreme_of(
        &mut self,
        name: &Name,
        list: &ast::Expr,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        let ast::ExprKind::List(list) = &list.kind else {
            return None;
        };
        let ast::Initializer::List { elements, .. } = &**list else {
            return None;
        };
        let name = &name.strip_prefix("::").map_or_else(|| name.clone(), Name::from);
        let operands = self.listed_operands(elements, "here")?;
        let mut values =
            operands.into_iter().map(|operand| self.load(operand)).collect::<Vec<_>>().into_iter();
        let Some(mut best) = values.next() else {
            let message = format!("`{name}` takes at least one value");
            return self.fail(Diagnostic::error(code::WRONG_ARGUMENTS, span, message));
        };
        for value in values {
            if value.ty != best.ty {
                let (one, other) = (self.spell(&best.ty), self.spell(&value.ty));
                let message = format!("the list has elements of the types `{one}` and `{other}`");
                return self.fail(Diagnostic::error(code::TYPE_MISMATCH, value.expr.span, message));
            }
            best =
                self.call_builtin_with(name, &builtin_rows(name), vec![best, value], place, span)?;
        }
        Some(best.into())
    }

    /// Returns true if a name means `std::move`.
    fn gives_up(&self, name: &Name) -> bool {
        &**name == "__move" || (&**name == "move" && self.symbol_of(name).is_none())
    }

    /// `std::move(object)`.
    fn given_up(&mut self, object: &ast::Expr) -> Option<Operand> {
        Some(match self.object_operand(object)? {
            Operand::Place(place) => Lvalue { expires: true, constant: None, ..place }.into(),
            value => value,
        })
    }

    /// The functions of a text in the language that a call of this name means.
    fn library_text(&self, name: &str) -> Option<Rc<Overloads>> {
        let meant = parts::library_function(name, self.in_device_code())?;
        match self.symbol_of(&meant.into()) {
            Some(Symbol::Functions(list)) => Some(list),
            _ => None,
        }
    }

    /// Checks arguments of which nothing can be said as a whole.
    pub(crate) fn check_all(&mut self, arguments: &[ast::Expr]) -> Option<Vec<Value>> {
        let values: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        values.into_iter().collect()
    }

    fn call_predefined(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        place: Span,
        span: Span,
    ) -> Option<Value> {
        if let Some(value) = float_constant(name) {
            return Some(value.at(span));
        }
        if let "nan" | "nanf" = &**name {
            return self.named_nan(name, arguments, span);
        }
        if &**name == "__assert" {
            return self.assertion(arguments, span);
        }
        if let Some(value) = self.allocation(name, arguments, span) {
            return value;
        }
        if &**name == "swap" {
            return self.swap(arguments, span);
        }
        if let Some(value) = self.hinted(name, arguments, span) {
            return value;
        }
        if let Some(id) = self.made_vector(name) {
            let values = self.check_all(arguments)?;
            return self.make_vector(name, id, values, span);
        }
        let rows = builtin_rows(name);
        if rows.is_empty() {
            self.check_all(arguments);
            self.report_unknown(name, place, "the function ");
            return None;
        }
        self.call_builtin(name, &rows, arguments, place, span)
    }

    /// C's NaN with a name, of which there is one only.
    fn named_nan(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Option<Value> {
        let [argument] = arguments else {
            self.check_all(arguments);
            return self.report_count(name, 1, 1, arguments.len(), span, None);
        };
        if !matches!(argument.kind, ast::ExprKind::String(_)) {
            let message = format!("`{name}` takes a string literal");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, argument.span, message));
        }
        let constant = if name == "nanf" { "__builtin_nanf" } else { "__builtin_nan" };
        float_constant(constant).map(|value| value.at(span))
    }

    /// The vector that the built-in function of this name makes.
    fn made_vector(&mut self, name: &str) -> Option<StructId> {
        self.vector_type(name.strip_prefix("make_")?)
    }

    fn make_vector(
        &mut self,
        name: &str,
        id: StructId,
        values: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        let count = self.structure(id).fields.len();
        if values.len() != count {
            return self.report_count(name, count, count, values.len(), span, None);
        }
        let parts: Vec<Expr> = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                let ty = self.structure(id).fields.get(index)?.ty.ty.clone();
                let why = Purpose::Argument(index + 1, name.to_owned(), None);
                Some(self.convert(value, &ty, &why)?.expr)
            })
            .collect::<Option<_>>()?;
        Some(Value::new(ExprKind::Construct(parts), CType::Struct(id), span))
    }

    /// Arguments converted to the types of the parameters; those of a launch are copied as they
    /// are.
    pub(crate) fn arguments(
        &mut self,
        name: &str,
        declared: Span,
        parameters: &[Option<Parameter>],
        operands: Vec<Operand>,
        span: Span,
        passing: Passing,
    ) -> Option<Vec<Expr>> {
        let left_out = parameters.get(operands.len()..).unwrap_or_default();
        let needed = parameters.iter().position(has_default).unwrap_or(parameters.len());
        if operands.len() > parameters.len() || operands.len() < needed {
            let (most, given) = (parameters.len(), operands.len());
            return self.report_count(name, needed, most, given, span, Some(declared));
        }
        let mut values = Vec::new();
        for (index, (operand, parameter)) in operands.into_iter().zip(parameters).enumerate() {
            let why = Purpose::Argument(index + 1, name.to_owned(), Some(declared));
            values.push(match parameter {
                None => Some(self.load(operand).expr),
                Some(parameter) => self.convert_argument(operand, parameter, passing, &why),
            });
        }
        values.extend(left_out.iter().map(|parameter| match &parameter.as_ref()?.default {
            DefaultArgument::Value(value) => Some(value.clone()),
            DefaultArgument::Missing | DefaultArgument::Faulty => None,
        }));
        values.into_iter().collect()
    }

    pub(crate) fn report_count<T>(
        &mut self,
        name: &str,
        least: usize,
        most: usize,
        given: usize,
        span: Span,
        declared: Option<Span>,
    ) -> Option<T> {
        let wanted = match (least, most) {
            _ if least == most => counted(most as u64, "argument"),
            _ => format!("{least} to {most} arguments"),
        };
        let are = verb(given as u64, "is", "are");
        let message = format!("`{name}` takes {wanted}, but {given} {are} given");
        let mut found = Diagnostic::error(code::WRONG_ARGUMENTS, span, message);
        if let Some(declared) = declared {
            found = found.secondary(declared, format!("`{name}` is declared here"));
        }
        self.fail(found)
    }

    /// Returns true if the code being checked runs on the device.
    pub(crate) fn in_device_code(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.sides.kernel || body.sides.device)
    }

    /// Returns true if the code being checked runs on the host.
    pub(crate) fn in_host_code(&self) -> bool {
        self.body.as_ref().is_none_or(|body| body.sides.host)
    }

    /// Points at the function that decides the side of the code.
    pub(crate) fn note_side(&self, found: Diagnostic) -> Diagnostic {
        let Some(body) = &self.body else {
            return found;
        };
        let info = &self.functions[body.function];
        found.secondary(info.span, format!("`{}` is {}", info.name, describe(body.sides)))
    }

    pub(crate) fn require_host_code(&mut self, name: &str, span: Span) -> Option<()> {
        let host = Sides { kernel: false, device: false, host: true };
        self.check_call_sides(name, host, None, span)
    }

    /// Reports a call from one side to the other.
    pub(crate) fn check_call_sides(
        &mut self,
        name: &str,
        callee: Sides,
        declared: Option<Span>,
        place: Span,
    ) -> Option<()> {
        let caller = self.body.as_ref().map_or_else(String::new, |body| {
            format!("{} `{}`", describe(body.sides), self.functions[body.function].name)
        });
        let (code, message, missing) = if self.allowed.is_unevaluated() {
            return Some(());
        } else if self.in_device_code() && !callee.device {
            let message = format!("{caller} calls `{name}`, which is a host function");
            (code::HOST_CALLED_FROM_DEVICE, message, "__device__")
        } else if self.in_host_code() && !callee.host && self.body.is_some() {
            let message = format!("{caller} calls `{name}`, which is a device function");
            (code::DEVICE_CALLED_FROM_HOST, message, "__host__")
        } else if self.body.is_none() && !callee.host {
            let message = format!("the initialiser calls `{name}`, which is a device function");
            (code::DEVICE_CALLED_FROM_HOST, message, "__host__")
        } else {
            return Some(());
        };
        let mut found = Diagnostic::error(code, place, message);
        found = self.note_side(found);
        found = match declared {
            Some(declared) => found
                .secondary(declared, format!("declared here, without `{missing}`"))
                .help(format!("declare `{name}` with `__host__ __device__` if both sides need it")),
            None if ["malloc", "free", "cudaMalloc", "cudaFree"].contains(&name) => {
                found.help("declare an array, or pass memory from the host")
            }
            None => found.advice(sides::instead(name).unwrap_or_default()),
        };
        self.fail(found)
    }

    /// Reports the use of a built-in on the wrong side.
    pub(crate) fn check_builtin_side(&mut self, name: &str, side: Side, place: Span) -> Option<()> {
        let sides = Sides { kernel: false, device: side != Side::Host, host: side != Side::Device };
        self.check_call_sides(name, sides, None, place)
    }

    /// `assert(condition)`: on the host a message and an end, on the device a fault at its line.
    fn assertion(&mut self, arguments: &[ast::Expr], span: Span) -> Option<Value> {
        let values = self.check_all(arguments)?;
        let [condition, text, file, line] = <[Value; 4]>::try_from(values).ok()?;
        let condition = self.condition(condition, "what is asserted")?;
        let failure = if self.in_device_code() {
            let arguments = [text, file, line].map(|value| value.expr).to_vec();
            Value::new(ExprKind::Builtin(Builtin::AssertFail, arguments), CType::Void, span)
        } else {
            self.host_failure(text, file, line, span)
        };
        let nothing = convert::cast(Value::int(0, CType::INT, span), &CType::Void);
        let failure = convert::cast(failure, &CType::Void);
        let sides = (Box::new(nothing.expr), Box::new(failure.expr));
        let kind = ExprKind::Conditional(Box::new(condition), sides.0, sides.1);
        Some(Value::new(kind, CType::Void, span))
    }

    fn host_failure(&mut self, text: Value, file: Value, line: Value, span: Span) -> Value {
        let stream = Value::new(
            ExprKind::Builtin(Builtin::Stderr, Vec::new()),
            CType::Void.pointer_to(),
            span,
        );
        let format = self.string(b"%s:%d: assertion `%s' failed.\n");
        let format = Value::new(ExprKind::String(format), CType::CHAR.pointer_to(), span);
        let arguments = [stream, format, file, line, text].map(|value| value.expr).to_vec();
        let say = Value::new(ExprKind::Builtin(Builtin::Fprintf, arguments), CType::INT, span);
        let end = Value::new(ExprKind::Builtin(Builtin::Abort, Vec::new()), CType::Void, span);
        let kind = ExprKind::Comma(Box::new(say.expr), Box::new(end.expr));
        Value::new(kind, CType::Void, span)
    }
}

/// CUDA's present name for an earlier one. A program's own function of the name hides it.
fn old_name(name: &Name) -> Name {
    match &**name {
        "any" => "__any".into(),
        "all" => "__all".into(),
        _ => name.clone(),
    }
}

/// Returns true if a call of the name may mean more than a function of the table.
fn is_predefined(name: &str) -> bool {
    let vector = name.strip_prefix("make_").is_some_and(crate::check::types::layout::is_vector);
    name.starts_with("__") || ["swap", "nan", "nanf"].contains(&name) || vector
}

/// The built-in functions of a name.
fn builtin_rows(name: &str) -> Vec<&'static crate::check::builtin::Row> {
    TABLE.iter().filter(|row| row.names.contains(&name)).collect()
}

/// A constant that the headers spell as a call.
struct FloatConstant(f64, CType);

impl FloatConstant {
    fn at(self, span: Span) -> Value {
        Value::new(ExprKind::Float(self.0), self.1, span)
    }
}

fn float_constant(name: &str) -> Option<FloatConstant> {
    let nan = f64::from_bits(0x7FFF_FFFF_FFFF_FFFF);
    Some(match name {
        "__builtin_inff" => FloatConstant(f64::INFINITY, CType::Float),
        "__builtin_inf" => FloatConstant(f64::INFINITY, CType::Double),
        "__builtin_nanf" => FloatConstant(nan, CType::Float),
        "__builtin_nan" => FloatConstant(nan, CType::Double),
        _ => return None,
    })
}
