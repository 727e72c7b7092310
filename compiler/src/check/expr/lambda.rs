//! Lambdas: an object of a structure of its own, whose members are the captures and whose function
//! is its body (C++17, [expr.prim.lambda]).
//!
//! The body sees the names around it, but of the variables of the function around only those that
//! are captured, which are members of the object; a capture by reference is a member that holds the
//! address.

use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::state::scopes::{Role, Scope, Storage, Symbol, Variable};
use crate::check::state::structs::Placing;
use crate::check::tree::{Sides, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A capture of a lambda, with its initial value.
struct Captured {
    name: Name,
    by_reference: bool,
    operand: Operand,
    span: Span,
}

impl Captured {
    /// The type inside the lambda, without references.
    fn ty(&self, mutable: bool) -> QType {
        let ty = match &self.operand {
            Operand::Place(place) if self.by_reference => return place.ty.clone(),
            Operand::Place(place) => place.ty.ty.clone(),
            Operand::Value(value) => value.ty.clone(),
        };
        ty.plain().qualified(!mutable, false)
    }
}

impl Checker {
    /// `[captures](parameters) {...}`
    pub(crate) fn lambda(&mut self, tree: &Arc<ast::Lambda>, span: Span) -> Option<Value> {
        if tree.of_this {
            let message = "unsupported: a lambda that captures `this`";
            return self.fail(
                Diagnostic::error(code::UNSUPPORTED_LAMBDA, span, message)
                    .help("capture the members that it needs: `[&member = member]`"),
            );
        }
        let captured = self.captures(tree, span)?;
        let id = match self.type_defined_before(span) {
            Some(id) => id,
            None => self.lambda_type(tree, &captured, span)?,
        };
        self.lambda_object(id, captured, span)
    }

    /// The captures of a lambda, in order.
    fn captures(&mut self, tree: &ast::Lambda, span: Span) -> Option<Vec<Captured>> {
        let mut all = Vec::new();
        let mut seen = BTreeSet::new();
        for one in &tree.captures {
            let operand = match &one.value {
                Some(value) => self.operand(value)?,
                None => self.capturable(&one.name, one.span)?,
            };
            if !seen.insert(one.name.clone()) {
                let message = format!("`{}` is captured twice", one.name);
                return self.fail(Diagnostic::error(code::REDEFINED, one.span, message));
            }
            let (name, by_reference) = (one.name.clone(), one.by_reference);
            all.push(Captured { name, by_reference, operand, span: one.span });
        }
        if let Some(by_reference) = tree.default {
            for name in &tree.names {
                let is_needed = match self.scopes.find_in_blocks(name).map(|found| &found.meaning) {
                    Some(Symbol::Variable(variable)) => {
                        let is_known = variable.constant.is_some() && !variable.reference;
                        variable.uses.set(variable.uses.get() + 1);
                        variable.is_of_call() && !is_known
                    }
                    _ => false,
                };
                if is_needed && seen.insert(name.clone()) {
                    let operand = self.name(name, span)?;
                    all.push(Captured { name: name.clone(), by_reference, operand, span });
                }
            }
        }
        if let Some(one) =
            all.iter().find(|one| one.by_reference && matches!(one.operand, Operand::Value(_)))
        {
            let message = format!("`{}` is captured by reference, but is no object", one.name);
            let span = one.span;
            return self.fail(Diagnostic::error(code::UNSUPPORTED_LAMBDA, span, message));
        }
        Some(all)
    }

    /// A variable that a lambda lists.
    fn capturable(&mut self, name: &Name, span: Span) -> Option<Operand> {
        let found = self.scopes.find_in_blocks(name).map(|found| found.meaning.clone());
        match found {
            Some(Symbol::Variable(variable)) if variable.is_of_call() => self.name(name, span),
            _ => {
                let message = format!(
                    "`{name}` is no variable of the function around, which a lambda could capture"
                );
                self.fail(Diagnostic::error(code::UNSUPPORTED_LAMBDA, span, message))
            }
        }
    }

    /// The structure of a lambda's object.
    fn lambda_type(
        &mut self,
        tree: &Arc<ast::Lambda>,
        captured: &[Captured],
        span: Span,
    ) -> Option<StructId> {
        let mutable = !tree.definition.constant;
        let number = self.structs.len();
        let id = self.announce_struct(format!("lambda {number}"), false);
        self.structure_mut(id).span = Some(span);
        self.note_type_defined(span, id);
        // The members' types go by names that no program can write.
        let mut types = Scope::default();
        let mut inside = Scope::default();
        let mut members = Vec::new();
        for (index, one) in captured.iter().enumerate() {
            let ty = one.ty(mutable);
            let held = match one.by_reference {
                true => ty.clone().pointer().plain(),
                false => ty.ty.clone().plain(),
            };
            let named: Name = format!("(type {index})").into();
            types.bind(named.clone(), Symbol::Type(held));
            members.push(member(named, one.name.clone(), one.span));
            let variable = Variable {
                name: one.name.clone(),
                ty,
                storage: Storage::Captured(index, one.by_reference),
                reference: false,
                is_rvalue: false,
                constant: None,
                span: one.span,
                uses: Cell::new(1),
                sets: Cell::new(0),
                role: Role::Quiet,
            };
            inside.bind(one.name.clone(), Symbol::Variable(Rc::new(variable)));
        }
        let definition = match self.sides_of_lambda(tree) {
            Some(sides) => Arc::new(with_sides(&tree.definition, sides)),
            None => tree.definition.clone(),
        };
        let function = ast::Item::Function(definition);
        members.push(match tree.parameters.is_empty() {
            true => function,
            false => ast::Item::Template(Arc::new(ast::Template {
                parameters: tree.parameters.clone(),
                item: function,
                span,
            })),
        });
        let context = self.scopes.context_here().with(types).in_lambda(inside);
        let aside = self.scopes.enter(&context);
        let owner = std::mem::take(&mut self.body);
        self.define_struct(id, &members, Some(Placing::default()), context);
        self.body = owner;
        self.scopes.leave(aside);
        (!self.structure(id).broken && !self.structure(id).faulty).then_some(id)
    }

    /// The sides of a lambda that does not state them: those of the function around.
    fn sides_of_lambda(&self, tree: &ast::Lambda) -> Option<Sides> {
        let says = tree
            .definition
            .specifiers
            .items
            .iter()
            .any(|one| matches!(one.kind, ast::SpecifierKind::Word(Word::Device | Word::Host)));
        let sides = self.body.as_ref()?.sides;
        (!says && (sides.device || sides.kernel)).then_some(sides)
    }

    /// The object of a lambda.
    fn lambda_object(
        &mut self,
        id: StructId,
        captured: Vec<Captured>,
        span: Span,
    ) -> Option<Value> {
        if captured.is_empty() {
            return self.make_struct(id, Vec::new(), span);
        }
        self.made(CType::Struct(id), span, |this, object| {
            let whole = Lvalue::new(object.kind.clone(), CType::Struct(id).plain(), span);
            let fields = this.structure(id).fields.clone();
            let mut all = Vec::new();
            for (one, field) in captured.into_iter().zip(fields) {
                let is_array = matches!(field.ty.ty, CType::Array(..));
                let to = this.field(whole.clone(), field, span);
                let value = match (one.operand, one.by_reference) {
                    (Operand::Place(place), true) => this.address(place, span).expr,
                    (Operand::Place(place), false) if is_array => {
                        let kind = crate::check::tree::ExprKind::Load(place.place.clone());
                        crate::check::tree::Expr { kind, ty: place.place.ty.clone(), span }
                    }
                    (operand, _) => this.copied_object(operand, span)?.expr,
                };
                all.push(this.make_at(&to.place, value));
            }
            let last = all.pop()?;
            let rest = all.into_iter().rev();
            Some(void(rest.fold(last, |behind, one| super::bits::sequence(one, behind))))
        })
    }

    /// A variable that is captured, in the lambda.
    pub(super) fn captured(
        &mut self,
        variable: &Variable,
        index: usize,
        by_reference: bool,
        span: Span,
    ) -> Option<Operand> {
        let object = self.this_object(span)?;
        let CType::Struct(id) = object.ty.ty else {
            return None;
        };
        let field = self.structure(id).fields.get(index)?.clone();
        let place = self.field(object, field, span);
        if !by_reference {
            return Some(place.into());
        }
        let address = self.load(place.into());
        Some(Lvalue::deref(address.expr, variable.ty.clone(), span).into())
    }

    /// A variable of the function around, in a lambda that does not capture it or in a function of a structure.
    pub(super) fn uncaptured(&mut self, variable: &Variable, span: Span) -> Option<Operand> {
        if let Some(known) = variable.constant {
            return Some(Value::new(known.kind(), variable.ty.ty.clone(), span).into());
        }
        if self.allowed.is_unevaluated() {
            let null = Value::int(0, CType::INT, span);
            return Some(Lvalue::deref(null.expr, variable.ty.clone(), span).into());
        }
        let name = &variable.name;
        if matches!(variable.storage, Storage::OfFunctionAround) {
            let message = format!("`{name}` is a variable of the function around this structure");
            return self.fail(
                Diagnostic::error(code::UNDECLARED, span, message)
                    .secondary(variable.span, "declared here")
                    .help("hand it over as an argument, or keep it in a member"),
            );
        }
        let message = format!("the lambda uses `{name}`, but does not capture it");
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_LAMBDA, span, message)
                .secondary(variable.span, "declared here")
                .help(format!("write `&{name}` or `{name}` in its brackets")),
        )
    }
}

/// A member of a type that has a name.
fn member(ty: Name, name: Name, span: Span) -> ast::Item {
    let specifier = ast::Specifier { kind: ast::SpecifierKind::Named(ty), span };
    ast::Item::Declaration(ast::Declaration {
        specifiers: ast::Specifiers { items: vec![specifier], span },
        declarators: vec![ast::InitDeclarator {
            declarator: ast::Declarator {
                name: Some(name),
                name_span: span,
                arguments: None,
                derived: Vec::new(),
                span,
            },
            layout: Vec::new(),
            init: None,
            width: None,
        }],
        constant: false,
        span,
    })
}

/// A function for certain sides.
fn with_sides(definition: &ast::FunctionDefinition, sides: Sides) -> ast::FunctionDefinition {
    let mut definition = definition.clone();
    let span = definition.specifiers.span;
    let words =
        [(sides.device || sides.kernel, Word::Device), (sides.host, Word::Host)].into_iter();
    let words = words.filter_map(|(runs, word)| runs.then_some(word));
    let specifiers =
        words.map(|word| ast::Specifier { kind: ast::SpecifierKind::Word(word), span });
    definition.specifiers.items.splice(0..0, specifiers);
    definition
}
