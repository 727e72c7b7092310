//! Bodies of functions: their parameters as variables, the additions of a constructor in front and
//! at the end, and the calls they make.

use crate::check::declare::declarator::function_parts;
use crate::check::program::needed::contains;
use crate::check::state::Checker;
use crate::check::state::body::{Body, This};
use crate::check::state::functions::{MethodKind, Parameter, Pending};
use crate::check::state::options::Pass;
use crate::check::state::reports::Owner;
use crate::check::state::scopes::{Role, Storage, Symbol, Variable};
use crate::check::stmt::flow;
use crate::check::tree::{
    Expr, Function, FunctionId, LocalId, PlaceKind, Sides, Stmt, StmtKind, StructId, Type,
};
use crate::check::types::CType;
use crate::check::value::Lvalue;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax;
use crate::syntax::body::{BodyReader, Piece};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

impl Checker {
    /// Checks the body of a function; the function is missing when there is no sense in that.
    pub(crate) fn function_body(&mut self, pending: Pending, function: Option<usize>) {
        let aside = self.scopes.enter(&pending.context);
        let outer = self.body.take();
        let allowed = std::mem::take(&mut self.allowed);
        let named = self.scopes.replace_named(BTreeSet::new());
        let owner = self.reports.owner();
        self.body_inside(pending.definition, function);
        // The surroundings may be a body, with faults of its own.
        self.reports.belong_to(owner);
        let named = self.scopes.replace_named(named);
        if let Some(index) = function {
            self.functions.note_named(index, named);
        }
        self.allowed = allowed;
        self.body = outer;
        self.scopes.leave(aside);
    }

    /// The checked body of a `constexpr` function, which is checked now if it was not before.
    pub(crate) fn constexpr_body(&mut self, id: FunctionId) -> Option<Rc<Function>> {
        let index = self.functions.index_of(id)?;
        self.functions[index].is_constexpr.then(|| self.body_of(id))?
    }

    /// The checked body of a function, which is checked now if it was not before.
    pub(crate) fn body_of(&mut self, id: FunctionId) -> Option<Rc<Function>> {
        let index = self.functions.index_of(id)?;
        if self.functions[index].checked.is_none() {
            let pending = self.functions.take_body(index)?;
            let outer = self.reports.suspend();
            self.function_body(pending, Some(index));
            self.reports.resume(outer);
        }
        self.functions.evaluated(index)
    }

    fn body_inside(
        &mut self,
        mut definition: Arc<ast::FunctionDefinition>,
        function: Option<usize>,
    ) {
        // A template's body is read again for its next instance.
        let mut reader = match Arc::get_mut(&mut definition) {
            Some(own) => syntax::body::read(&mut own.body),
            None => syntax::body::read(&mut definition.body.clone()),
        };
        let definition = &definition;
        let errors = self.reports.errors();
        self.reports.belong_to(function.map(Owner::Function));
        let known = function.and_then(|index| Some((index, self.functions.get(index)?)));
        let Some((index, info)) = known else {
            let faults = reader.rest().map(|(_, _, faults)| faults).unwrap_or_default();
            return faults.into_iter().for_each(|fault| self.report(fault));
        };
        // The variable that is the result is found before anything is checked.
        let (statements, piece, faults) = match self.takes_result(info) {
            true => reader.rest(),
            false => reader.next(),
        }
        .unwrap_or_default();
        faults.into_iter().for_each(|fault| self.report(fault));
        let Some(info) = self.functions.get(index) else {
            return;
        };
        let (result, parameters) = (info.result.clone(), info.parameters.clone());
        let sides = self.sides_of_body(info.sides);
        let (reference, method) = (info.reference.clone(), info.method);
        let returned = match method.map(|method| method.kind) {
            Some(MethodKind::Constructor) => Some(CType::Void),
            _ => result,
        };
        let base = self.scopes.depth_of_blocks();
        let mut body = Body::new(index, sides, errors, base);
        (body.result, body.reference) = (returned.clone(), reference);
        body.deduced = self.functions.deduced.get(&index).cloned();
        self.body = Some(body);
        self.open_scope();
        let mut body = Vec::new();
        let kind = method.map(|method| method.kind);
        self.declare_hidden(index, definition, &statements);
        if self.functions.end() == Some(index) {
            self.end_objects(definition.span, &mut body);
        }
        if let (Some(method), Some(MethodKind::Destructor)) = (method, kind) {
            self.begin_destructor(method.owner, definition.span);
        }
        parameters.iter().for_each(|parameter| self.declare_parameter(parameter.as_ref()));
        self.poison_parameters(&definition.declarator, &parameters);
        if let Some(method) = method.filter(|method| method.kind == MethodKind::Constructor) {
            self.begin_constructor(method.owner, definition, &mut body);
        }
        self.statements_of_pieces(reader, statements, piece, &mut body);
        self.end_cleanups(0, closing_brace(definition.body.span), &mut body);
        self.finish_labels();
        self.finish_gotos(&mut body);
        if returned.is_some() && parameters.iter().all(Option::is_some) {
            self.explain_left_out(definition.span, errors);
        }
        if self.reports.errors() == errors {
            self.warn_of_passed(&body);
            self.warn_of_end(index, definition, returned.as_ref(), &body);
        } else {
            self.functions[index].is_faulty = true;
        }
        self.close_scope();
        self.finish_body(body);
    }

    /// Checks the statements of the first piece of a body, and of those that are still to be read.
    fn statements_of_pieces(
        &mut self,
        mut reader: BodyReader,
        mut statements: Vec<ast::Stmt>,
        mut piece: Piece,
        body: &mut Vec<Stmt>,
    ) {
        loop {
            if let Some(body) = &mut self.body {
                body.piece = piece;
            }
            for statement in std::mem::take(&mut statements) {
                self.statement(&statement, body);
            }
            let Some(next) = reader.next() else {
                return;
            };
            let faults;
            (statements, piece, faults) = next;
            faults.into_iter().for_each(|fault| self.report(fault));
        }
    }

    /// Warns of a function with a result that can end without `return`.
    fn warn_of_end(
        &mut self,
        index: usize,
        definition: &ast::FunctionDefinition,
        returned: Option<&CType>,
        body: &[Stmt],
    ) {
        let info = &self.functions[index];
        let returns = returned.is_some_and(|result| !result.is_void());
        if returns && !info.is_main() && flow::completes(body) {
            let end = closing_brace(definition.body.span);
            let message = format!("`{}` can end without returning a value", info.name);
            let found = Diagnostic::warning(code::MISSING_RETURN, end, message)
                .secondary(info.span, "declared here with a result");
            self.report(found);
        }
    }

    /// Reports a statement of the body that was left out without an error: a program that lacks it must not run.
    fn explain_left_out(&mut self, whole: Span, errors: usize) {
        let left_out = self.body.as_ref().and_then(|body| body.left_out);
        let Some(span) = left_out.filter(|_| self.reports.errors() == errors) else {
            return;
        };
        if !self.reports.of_reading().iter().any(|&fault| contains(whole, fault)) {
            let message = "the statement cannot be compiled, and the reason was lost";
            self.report(Diagnostic::error(code::INTERNAL, span, message));
        }
    }

    /// The sides that run a body: a pass for one side checks a function of both for that side.
    fn sides_of_body(&self, declared: Sides) -> Sides {
        match self.pass {
            Pass::Host if declared.host => Sides { device: false, ..declared },
            Pass::Device(_) if declared.device => Sides { host: false, ..declared },
            _ => declared,
        }
    }

    /// The parameters in front of those that are written: for the object that a function returns,
    /// and for its own object.
    fn declare_hidden(
        &mut self,
        index: usize,
        definition: &ast::FunctionDefinition,
        statements: &[ast::Stmt],
    ) {
        let info = &self.functions[index];
        let (span, method, result) = (definition.span, info.method, info.result.clone());
        let (makes, has_object) = (self.takes_result(info), info.takes_object());
        let is_constructor = method.is_some_and(|method| method.kind == MethodKind::Constructor);
        if let (true, false, Some(result)) = (makes, is_constructor, result) {
            self.add_local("(result)", &result.pointer_to(), span);
            if let Some(body) = &mut self.body {
                body.makes = true;
                body.named_result = flow::returned_variable(statements).cloned();
            }
        }
        let Some(method) = method.filter(|_| has_object || is_constructor) else {
            return;
        };
        let mut ty = CType::Struct(method.owner).plain();
        ty.constant = method.constant;
        let pointer = self.add_local("this", &ty.clone().pointer(), span);
        if let (Some(pointer), Some(body)) = (pointer, &mut self.body) {
            body.this = Some(This { pointer, ty });
        }
    }

    /// The members of an object that a destructor ends, which end after its body.
    fn begin_destructor(&mut self, owner: StructId, span: Span) {
        let Some(object) = self.this_object(span) else {
            return;
        };
        for field in self.structure(owner).fields.clone() {
            let ty = field.ty.ty.clone();
            let member = self.field(object.clone(), field, span);
            self.will_end(member.place, &ty);
        }
    }

    /// The part of a constructor in front of its body: it makes the members, or another constructor
    /// makes the object.
    fn begin_constructor(
        &mut self,
        owner: StructId,
        definition: &ast::FunctionDefinition,
        out: &mut Vec<Stmt>,
    ) {
        let span = definition.declarator.name_span;
        let Some(object) = self.this_object(span) else {
            return;
        };
        let made = self.member_initialisers(owner, &definition.initializers, &object, span);
        let statement = |value: Expr| Stmt { span: value.span, kind: StmtKind::Expr(value) };
        out.extend(made.into_iter().map(statement));
    }

    /// Parameters whose types were reported have no meaning.
    fn poison_parameters(&mut self, declarator: &ast::Declarator, found: &[Option<Parameter>]) {
        let Some(parts) = function_parts(declarator) else {
            return;
        };
        for (parameter, found) in parts.parameters.iter().zip(found) {
            if let (None, Some(name)) = (found, &parameter.declarator.name) {
                self.scopes.set(name.clone(), Symbol::Poisoned, None);
            }
        }
    }

    fn declare_parameter(&mut self, parameter: Option<&Parameter>) {
        let Some(parameter) = parameter else {
            return;
        };
        let is_kernel = self.body.as_ref().is_some_and(|body| body.sides.kernel);
        let by_address =
            parameter.reference || (!is_kernel && self.is_passed_by_address(&parameter.ty.ty));
        let ty = match by_address {
            true => parameter.ty.clone().pointer(),
            false => parameter.ty.ty.clone(),
        };
        let name = parameter.name.clone();
        let id = self.add_local(name.as_deref().unwrap_or("(unnamed)"), &ty, parameter.span);
        if let Some(id) = id
            && by_address
            && !parameter.reference
        {
            let place = Lvalue::new(PlaceKind::Local(id), ty.plain(), parameter.span);
            let pointer = self.load(place.into());
            let place = Lvalue::deref(pointer.expr, parameter.ty.clone(), parameter.span);
            self.will_end(place.place, &parameter.ty.ty);
        }
        if let (Some(id), Some(body)) = (id, &mut self.body)
            && !by_address
            && parameter.ty.is_volatile()
        {
            body.make_volatile(id);
        }
        let (Some(id), Some(name)) = (id, name) else {
            return;
        };
        let variable = Variable {
            name: name.clone(),
            ty: parameter.ty.clone(),
            storage: Storage::Local(id),
            reference: by_address,
            is_rvalue: false,
            constant: None,
            span: parameter.span,
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: Role::Parameter,
        };
        self.declare(&name, Symbol::Variable(Rc::new(variable)), parameter.span);
    }

    /// A new variable of the function being checked.
    pub(crate) fn add_local(&mut self, name: &str, ty: &CType, span: Span) -> Option<LocalId> {
        let ty = ty.lower();
        let in_memory = !ty.is_scalar();
        Some(self.body.as_mut()?.add_local(name, ty, in_memory, span))
    }

    fn finish_body(&mut self, mut statements: Vec<crate::check::tree::Stmt>) {
        let Some(mut body) = self.body.take() else {
            return;
        };
        self.check_statements_closed(&body);
        if self.concerns(body.function) {
            self.place_strings(&mut statements, body.sides);
        }
        let hidden = self.hidden_parameters(&self.functions[body.function]);
        let makes = self.takes_result(&self.functions[body.function]);
        if let Some(deduced) = body.deduced.take() {
            self.functions.deduced.insert(body.function, deduced);
        }
        let info = &mut self.functions[body.function];
        if info.parameters.iter().any(Option::is_none) {
            // The numbers of its variables are those of other parameters; it cannot be run.
            return;
        }
        info.checked = Some(Function {
            name: info.name.to_string(),
            sides: info.sides,
            parameters: (info.parameters.len() + hidden) as u32,
            result: match &info.result {
                Some(result) if !makes => result.lower(),
                _ => Type::Void,
            },
            unwritten: info.unwritten(),
            unrolled: std::mem::take(&mut body.unrolled),
            locals: body.into_locals(),
            body: statements,
            launch_bound: info.launch_bound,
            span: info.span,
        });
    }

    /// Remembers a call; the number of the called function.
    pub(crate) fn note_call(&mut self, index: usize, span: Span) -> Option<FunctionId> {
        self.functions.get(index)?;
        let id = self.functions.number(index);
        if !self.allowed.is_unevaluated() {
            let caller = self.body.as_ref().map(|body| body.function);
            self.functions.note_call(caller, index, span);
        }
        Some(id)
    }
}

/// The last character of a body.
fn closing_brace(body: Span) -> Span {
    Span::new(body.file, body.end.saturating_sub(1), body.end)
}
