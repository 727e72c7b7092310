//! Bodies of functions: their parameters as variables, what a constructor adds in front and at the end,
//! and the calls they make.

use crate::check::declare::declarator::function_parts;
use crate::check::state::Checker;
use crate::check::state::body::{Body, This};
use crate::check::state::functions::{Method, MethodKind, Parameter, Pending};
use crate::check::state::options::Pass;
use crate::check::state::reports::Owner;
use crate::check::state::scopes::{Role, Storage, Symbol, Variable};
use crate::check::tree::{
    Expr, Function, FunctionId, LocalId, PlaceKind, Sides, Stmt, StmtKind, StructId,
};
use crate::check::types::CType;
use crate::check::value::Lvalue;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

impl Checker {
    /// Checks the body of a function; the function is missing when there is no sense in that.
    pub(crate) fn function_body(&mut self, pending: &Pending, function: Option<usize>) {
        let aside = self.scopes.enter(&pending.context);
        let outer = self.body.take();
        let allowed = std::mem::take(&mut self.allowed);
        self.body_inside(&pending.definition, function);
        self.allowed = allowed;
        self.body = outer;
        self.scopes.leave(aside);
    }

    /// The checked body of a `constexpr` function, which is checked now if it was not before.
    pub(crate) fn constexpr_body(&mut self, id: FunctionId) -> Option<Rc<Function>> {
        let index = self.functions.index_of(id)?;
        if !self.functions[index].is_constexpr {
            return None;
        }
        if self.functions[index].checked.is_none() {
            let pending = self.functions.take_body(index)?;
            let outer = self.reports.suspend();
            self.function_body(&pending, Some(index));
            self.reports.resume(outer);
        }
        self.functions.evaluated(index)
    }

    fn body_inside(&mut self, definition: &Arc<ast::FunctionDefinition>, function: Option<usize>) {
        let (statements, faults) = definition.body.parse();
        let errors = self.reports.errors();
        self.reports.belong_to(function.map(Owner::Function));
        faults.into_iter().for_each(|fault| self.report(fault));
        let Some(index) = function else {
            return;
        };
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
        let mut body = Body::new(index, sides, definition.clone(), errors, base);
        (body.result, body.reference) = (returned.clone(), reference);
        self.body = Some(body);
        self.open_scope();
        let mut body = Vec::new();
        let kind = method.map(|method| method.kind);
        if let (Some(method), Some(MethodKind::Plain | MethodKind::Destructor)) = (method, kind) {
            self.declare_this(method, definition.span);
        }
        if self.functions[index].is_main() {
            self.begin_main();
        }
        if let (Some(method), Some(MethodKind::Destructor)) = (method, kind) {
            self.begin_destructor(method.owner, definition.span);
        }
        parameters.iter().for_each(|parameter| self.declare_parameter(parameter.as_ref()));
        self.poison_parameters(&definition.declarator, &parameters);
        if let Some(method) = method.filter(|method| method.kind == MethodKind::Constructor) {
            self.begin_constructor(method.owner, definition, &mut body);
        }
        statements.iter().for_each(|statement| self.statement(statement, &mut body));
        self.end_cleanups(0, closing_brace(definition.body.span), &mut body);
        self.finish_labels();
        self.finish_gotos(&mut body);
        self.close_scope();
        self.end_constructor(closing_brace(definition.body.span), &mut body);
        let returns = returned.is_some_and(|result| !result.is_void());
        let is_main = self.functions[index].is_main();
        if returns
            && self.reports.errors() == errors
            && !is_main
            && crate::check::stmt::flow::completes(&body)
        {
            let end = closing_brace(definition.body.span);
            let name = &self.functions[index].name;
            let message = format!("`{name}` can end without returning a value");
            let found = Diagnostic::warning(code::MISSING_RETURN, end, message)
                .secondary(self.functions[index].span, "declared here with a result");
            self.report(found);
        }
        self.finish_body(body);
    }

    /// The sides that run a body: a pass that is about one side checks what a function of both does there.
    fn sides_of_body(&self, declared: Sides) -> Sides {
        match self.pass {
            Pass::Host if declared.host => Sides { device: false, ..declared },
            Pass::Device(_) if declared.device => Sides { host: false, ..declared },
            _ => declared,
        }
    }

    /// The first parameter of a function that belongs to a structure.
    fn declare_this(&mut self, method: Method, span: Span) {
        let mut target = CType::Struct(method.owner).plain();
        target.constant = method.constant;
        let pointer = target.clone().pointer();
        let local = self.add_local("this", &pointer, span);
        if let (Some(local), Some(body)) = (local, &mut self.body) {
            body.this = Some(This::Pointer(local, target));
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

    /// What a constructor does in front of its body: the object, and its members.
    fn begin_constructor(
        &mut self,
        owner: StructId,
        definition: &ast::FunctionDefinition,
        out: &mut Vec<Stmt>,
    ) {
        let ty = CType::Struct(owner);
        let span = definition.declarator.name_span;
        let Some(local) = self.add_local("*this", &ty, span) else {
            return;
        };
        let object = Lvalue::new(PlaceKind::Local(local), ty.plain(), span);
        let init = self.member_initialisers(owner, &definition.initializers, &object, span);
        out.push(Stmt { kind: StmtKind::Declare(local, init), span });
        if let Some(body) = &mut self.body {
            body.this = Some(This::Object(local, owner));
        }
    }

    /// What a constructor returns: the object.
    pub(crate) fn constructed(&mut self, span: Span) -> Option<Expr> {
        let Some(This::Object(local, owner)) = self.body.as_ref()?.this.clone() else {
            return None;
        };
        let place = Lvalue::new(PlaceKind::Local(local), CType::Struct(owner).plain(), span);
        Some(self.load(place.into()).expr)
    }

    fn end_constructor(&mut self, span: Span, out: &mut Vec<Stmt>) {
        if let Some(object) = self.constructed(span) {
            out.push(Stmt { kind: StmtKind::Return(Some(object)), span });
        }
    }

    /// Parameters whose types were reported stand for nothing.
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
        let ty = if parameter.reference {
            parameter.ty.clone().pointer()
        } else {
            parameter.ty.ty.clone()
        };
        let name = parameter.name.clone();
        let id = self.add_local(name.as_deref().unwrap_or("(unnamed)"), &ty, parameter.span);
        let is_kernel = self.body.as_ref().is_some_and(|body| body.sides.kernel);
        if let Some(id) = id
            && !parameter.reference
            && !is_kernel
        {
            let place = Lvalue::new(PlaceKind::Local(id), parameter.ty.clone(), parameter.span);
            self.will_end(place.place, &parameter.ty.ty);
        }
        let (Some(id), Some(name)) = (id, name) else {
            return;
        };
        let variable = Variable {
            name: name.clone(),
            ty: parameter.ty.clone(),
            storage: Storage::Local(id),
            reference: parameter.reference,
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
        let Some(body) = self.body.take() else {
            return;
        };
        if self.concerns(body.function) {
            self.place_strings(&mut statements, body.sides);
        }
        let info = &mut self.functions[body.function];
        if info.parameters.iter().any(Option::is_none) {
            // The numbers of its variables are those of other parameters; it cannot be run.
            return;
        }
        info.checked = Some(Function {
            name: info.name.to_string(),
            sides: info.sides,
            parameters: info.parameters.len() as u32 + u32::from(info.takes_object()),
            result: info.result.as_ref().map_or(crate::check::tree::Type::Void, CType::lower),
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
