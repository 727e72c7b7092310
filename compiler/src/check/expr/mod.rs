//! Expressions.

mod assign;
mod binary;
pub(crate) mod bits;
pub(crate) mod call;
mod cast;
mod conditional;
pub(crate) mod constant;
mod constexpr;
mod contract;
pub(crate) mod convert;
mod lambda;
mod launch;
mod literal;
mod member;
mod name;
pub(crate) mod narrow;
pub(crate) mod object;
mod unary;

pub(crate) use unary::is_temporary;

use crate::check::expr::constant::Const;
use crate::check::state::Checker;
use crate::check::state::scopes::Symbol;
use crate::check::tree::{Expr, ExprKind, Place, StructId};
use crate::check::types::{CType, Opaque, QType};
use crate::check::value::Operand;
use crate::check::value::Value;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// Checks an expression; `None` when a fault was reported.
    pub(crate) fn operand(&mut self, expr: &ast::Expr) -> Option<Operand> {
        use ast::ExprKind::*;
        let span = expr.span;
        match &expr.kind {
            Name(name) => self.name(name, span),
            This => self.this(span).map(Operand::from),
            Template(name, given) => match self.symbol_of(name) {
                Some(Symbol::VariableTemplate(index)) => {
                    let variable = self.instantiate_variable(index, given, span)?;
                    self.variable(&variable, span)
                }
                _ => self.function_as_value(name, span),
            },
            MemberTemplate(member, _) => match &member.kind {
                Member { name, .. } => self.function_as_value(name, span),
                _ => None,
            },
            Scoped(of, name) => {
                let id = self.scope_of(of)?;
                let path = format!("{}::{name}", self.structure(id).path);
                self.name(&path.into(), span)
            }
            Call(function, arguments) => self.call(function, arguments, span),
            Binary(op, a, b) => self.binary(*op, a, b, span),
            Assign(op, place, value) => self.assign(*op, place, value, span),
            Unary(op, inner) => self.unary(*op, inner, span),
            Member { base, name, name_span, arrow } => {
                self.member(base, name, *name_span, *arrow, span)
            }
            Index(base, index) => self.index(base, index, span),
            Conditional(..) => self.conditional_operand(expr),
            Comma(a, b) => self.comma(a, b, span),
            Cast(style, ty, inner) => self.explicit_cast(*style, ty, inner, span),
            _ => self.pure_value(expr).map(Operand::from),
        }
    }

    /// Checks an expression that is never a place.
    fn pure_value(&mut self, expr: &ast::Expr) -> Option<Value> {
        use ast::ExprKind::*;
        let span = expr.span;
        match &expr.kind {
            Construct(ty, values, enclosure) => self.construct(ty, values, *enclosure, span),
            Launch(kernel, configuration, arguments) => {
                self.launch(kernel, configuration, arguments, span)
            }
            SizeofExpr(inner) => self.sizeof_expression(inner, span),
            SizeofType(ty) => self.sizeof_type(ty, span),
            AlignofExpr(inner) => {
                let ty = self.type_of(inner)?;
                self.align_value(ty.ty(), span)
            }
            AlignofType(ty) => {
                let ty = self.type_name(ty)?;
                self.align_value(&ty.ty, span)
            }
            Lambda(tree) => self.lambda(tree, span),
            TypeProperty(property, ty) => self.type_property(*property, ty, span),
            List(_) => {
                let message = "unsupported: values in braces as an argument";
                self.fail(
                    Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                        .help("write the type in front: `type{...}`"),
                )
            }
            Literal(ty, init) => self.literal_of(ty, init, span),
            _ => self.literal(expr),
        }
    }

    /// `this`.
    fn this(&mut self, span: Span) -> Option<Value> {
        let Some(object) = self.this_object(span) else {
            let message = "`this` exists in functions of structures only";
            return self.fail(Diagnostic::error(code::UNDECLARED, span, message));
        };
        Some(self.address(object, span))
    }

    /// Checks an expression for its value.
    pub(crate) fn value(&mut self, expr: &ast::Expr) -> Option<Value> {
        let operand = self.operand(expr)?;
        Some(self.load(operand))
    }

    /// The value of an operand: a place is read, an array becomes a pointer.
    pub(crate) fn load(&mut self, operand: Operand) -> Value {
        let place = match operand {
            Operand::Value(value) => return value,
            Operand::Place(place) => place,
        };
        let span = place.place.span;
        if let CType::Array(element, _) = &place.ty.ty {
            let ty = QType::clone(element).pointer();
            self.keep_in_memory(&place.place);
            return Value::new(ExprKind::AddressOf(Box::new(place.place)), ty, span);
        }
        if let CType::Opaque(Opaque::Ostream) = place.ty.ty {
            // An operation on a stream is one on its address.
            return self.address(place, span);
        }
        if place.is_part() {
            let ty = place.ty.ty.clone();
            // Without a value a fault was reported.
            return self.load_part(place).unwrap_or_else(|| Value::int(0, ty, span));
        }
        let ty = place.ty.ty;
        match place.constant {
            Some(known) => Value::new(known.kind(), ty, span),
            None => Value::new(ExprKind::Load(place.place), ty, span),
        }
    }

    /// The variable that a place is a part of has its address taken.
    pub(crate) fn keep_in_memory(&mut self, place: &Place) {
        if let Some(body) = &mut self.body {
            body.keep_in_memory(place);
        }
    }

    /// Checks an expression that has to be constant: the program does not run its calls.
    pub(crate) fn constant_value(&mut self, expr: &ast::Expr) -> Option<Value> {
        let was = self.allowed.set_unevaluated(true);
        let value = self.value(expr);
        self.allowed.set_unevaluated(was);
        value
    }

    /// The value of an integer constant expression; reports if it is none.
    pub(crate) fn constant_integer(&mut self, expr: &ast::Expr, what: &str) -> Option<i64> {
        self.typed_constant(expr, what).map(|(_, known)| known)
    }

    /// An integer constant expression with its type and value; reports if it is none.
    pub(crate) fn typed_constant(&mut self, expr: &ast::Expr, what: &str) -> Option<(Value, i64)> {
        let value = self.constant_value(expr)?;
        if !value.ty.is_integer() {
            let spelled = self.spell(&value.ty);
            let message = format!("{what} has to be an integer, but this is of type `{spelled}`");
            return self.fail(Diagnostic::error(code::NOT_CONSTANT, expr.span, message));
        }
        match self.evaluate(&value.expr) {
            Some(Const::Int(known)) => Some((value, known)),
            _ => {
                let message = format!("{what} has to be a constant");
                self.fail(Diagnostic::error(code::NOT_CONSTANT, expr.span, message))
            }
        }
    }

    fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Operand> {
        let first = self.operand(a);
        if let Some(first) = &first
            && self.functions.has_operator(&"operator,".into())
            && (first.may_have_operators()
                || self.type_of(b).is_some_and(|second| second.may_have_operators()))
        {
            let operands = [first.clone(), self.operand(b)?];
            if let Some(made) = self.operator(",", &operands, span) {
                return made;
            }
            let [first, second] = operands.map(|operand| self.load(operand));
            let first = self.dropped(first)?;
            return Some(self.after(first, second, span));
        }
        // Objects of the first operand end after those of the second.
        let first = first.and_then(|first| {
            let first = self.load(first);
            self.dropped(first)
        });
        let second = self.value(b);
        Some(self.after(first?, second?, span))
    }

    /// A value after one that is dropped.
    fn after(&mut self, first: Value, second: Value, span: Span) -> Operand {
        let expr = Expr { span, ..self.made_after(first.expr, second.expr) };
        Value { expr, ..second }.into()
    }

    fn sizeof_expression(&mut self, inner: &ast::Expr, span: Span) -> Option<Value> {
        if let ast::ExprKind::String(text) = &inner.kind {
            return Some(Value::int(text.len() as i64 + 1, CType::SIZE, span));
        }
        let operand = self.type_of(inner)?;
        if let Operand::Place(place) = &operand {
            self.require_address(place, "`sizeof`", span)?;
        }
        let ty = operand.ty().clone();
        self.size_value(&ty, inner.span, span)
    }

    fn sizeof_type(&mut self, ty: &ast::TypeName, span: Span) -> Option<Value> {
        let ty = self.type_name(ty)?;
        self.size_value(&ty.ty, span, span)
    }

    /// An expression that is not run, for its type.
    pub(crate) fn type_of(&mut self, inner: &ast::Expr) -> Option<Operand> {
        let was = self.allowed.set_unevaluated(true);
        let operand = self.operand(inner);
        self.allowed.set_unevaluated(was);
        operand
    }

    fn align_value(&mut self, ty: &CType, span: Span) -> Option<Value> {
        if self.size_of(ty).is_none() {
            self.report_incomplete(ty, span, "the operand of `alignof`");
            return None;
        }
        Some(Value::int(self.align_of(ty) as i64, CType::SIZE, span))
    }

    /// `__is_class(type)` and its kin.
    fn type_property(
        &mut self,
        property: ast::Word,
        ty: &ast::TypeName,
        span: Span,
    ) -> Option<Value> {
        let ty = self.type_name(ty)?.ty;
        let is_union = |id: StructId| self.structure(id).is_union;
        let holds = match (property, &ty) {
            (ast::Word::IsClass, CType::Struct(id)) => !is_union(*id),
            (ast::Word::IsUnion, CType::Struct(id)) => is_union(*id),
            (ast::Word::IsTriviallyCopyable, ty) => self.is_trivially_copyable(ty),
            (ast::Word::IsTriviallyConstructible, ty) => !self.starts(ty),
            _ => false,
        };
        Some(Value::int(i64::from(holds), CType::Bool, span))
    }

    fn size_value(&mut self, ty: &CType, place: Span, span: Span) -> Option<Value> {
        let Some(size) = self.size_of(ty) else {
            self.report_incomplete(ty, place, "the operand of `sizeof`");
            return None;
        };
        self.note_size(ty);
        Some(Value::int(size as i64, CType::SIZE, span))
    }

    /// Remembers that the host counts on the layout of a structure, of which only a number is left.
    fn note_size(&mut self, ty: &CType) {
        match ty {
            CType::Array(element, _) => self.note_size(&element.ty),
            CType::Struct(id) if self.in_host_code() => {
                self.structs.note_size(*id);
            }
            _ => {}
        }
    }
}
