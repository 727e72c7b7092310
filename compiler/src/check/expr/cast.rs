//! Conversions that the program writes, and values made of a type's name.

use crate::check::declare::reference::refers_to;
use crate::check::expr::bits::sequence;
use crate::check::expr::convert::{self, Purpose};
use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::state::structs::FieldInfo;
use crate::check::tree::{Expr, ExprKind, Place, PlaceKind, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Enclosure;
use reconverge_isa::CacheHints;
use reconverge_isa::wording::{counted, verb};

/// Returns true if a cast of this style converts between the types.
fn allowed(style: ast::CastStyle, from: &CType, to: &CType) -> bool {
    use ast::CastStyle;
    let is_address = |ty: &CType| ty.is_pointer() || *ty == CType::Null;
    let fits = match (from, to) {
        (_, CType::Void) => return matches!(style, CastStyle::C | CastStyle::Static),
        (a, b) if a.is_arithmetic() && b.is_arithmetic() => {
            return style != CastStyle::Const && (style != CastStyle::Reinterpret || a == b);
        }
        (a, CType::Bool) if is_address(a) => return style != CastStyle::Const,
        (a, b) if is_address(a) && b.is_pointer() => true,
        (a, b) if is_address(a) => b.is_integer(),
        (a, b) if b.is_pointer() => a.is_integer(),
        (a, b) => return a == b,
    };
    let unqualified = |ty: &CType| ty.pointee().map(|to| to.ty.clone());
    let (from_to, to_to) = (unqualified(from), unqualified(to));
    fits && match style {
        CastStyle::C => true,
        CastStyle::Static => {
            let through_void = from_to.as_ref().is_some_and(CType::is_void)
                || to_to.as_ref().is_some_and(CType::is_void);
            *from == CType::Null || (to.is_pointer() && (through_void || from_to == to_to))
        }
        CastStyle::Reinterpret => *from != CType::Null || to.is_integer(),
        CastStyle::Const => from_to == to_to,
    }
}

impl Checker {
    pub(super) fn explicit_cast(
        &mut self,
        style: ast::CastStyle,
        ty: &ast::TypeName,
        inner: &ast::Expr,
        span: Span,
    ) -> Option<Operand> {
        let to = self.type_name(ty);
        if let Some(QType { ty: CType::Reference(to, is_rvalue), .. }) = to {
            return self.cast_to_reference(style, &to, is_rvalue, inner);
        }
        let value = self.value(inner);
        self.cast_to(style, value?, to?.ty, span).map(Operand::from)
    }

    /// `static_cast<T &&>(object)`: the object itself, perhaps with more qualifiers.
    fn cast_to_reference(
        &mut self,
        style: ast::CastStyle,
        to: &QType,
        is_rvalue: bool,
        inner: &ast::Expr,
    ) -> Option<Operand> {
        let operand = self.object_operand(inner)?;
        let is_plain = matches!(style, ast::CastStyle::C | ast::CastStyle::Static);
        match operand {
            Operand::Place(place)
                if is_plain
                    && refers_to(to, &place.ty).is_some()
                    && !place.is_part()
                    && (is_rvalue || !place.expires || to.is_constant()) =>
            {
                let constant = place.constant.filter(|_| !is_rvalue);
                let expires = is_rvalue;
                Some(Lvalue { ty: to.clone(), expires, constant, ..place }.into())
            }
            operand => {
                let from = self.spell(operand.ty());
                let target = self.spell(&to.clone().reference(is_rvalue).ty);
                let message = format!("unsupported: a cast of `{from}` to `{target}`");
                self.fail(
                    Diagnostic::error(code::UNSUPPORTED_REFERENCE, inner.span, message)
                        .help("cast its address to a pointer"),
                )
            }
        }
    }

    fn cast_to(
        &mut self,
        style: ast::CastStyle,
        value: Value,
        to: CType,
        span: Span,
    ) -> Option<Value> {
        let value = match (&value.ty, &to) {
            (CType::Struct(_), to) if to.is_scalar() => {
                self.converted_by_function(&value, Some(to), true).unwrap_or(value)
            }
            _ => value,
        };
        if let CType::Struct(id) = to
            && matches!(style, ast::CastStyle::C | ast::CastStyle::Static)
        {
            let made = match value.ty == to {
                true => None,
                false => self.converted_by_constructor(&value, id, true),
            };
            let mut value = match made {
                Some(made) => made,
                None => self.convert_or_construct(value, &to, &Purpose::Plain)?,
            };
            value.expr.span = span;
            return Some(value);
        }
        // A constant 0 becomes a pointer by any cast.
        let is_null = to.is_pointer() && self.fit(&value, &to).is_some();
        if !allowed(style, &value.ty, &to) && !is_null {
            let (from, to) = (self.spell(&value.ty), self.spell(&to));
            let name = match style {
                ast::CastStyle::C => "a cast",
                ast::CastStyle::Static => "`static_cast`",
                ast::CastStyle::Reinterpret => "`reinterpret_cast`",
                ast::CastStyle::Const => "`const_cast`",
            };
            let message = format!("{name} does not convert a `{from}` to `{to}`");
            return self.fail(Diagnostic::error(code::BAD_CAST, span, message));
        }
        let mut value = convert::cast(value, &to);
        if let ExprKind::String(_) = value.expr.kind {
            // The pointer is no literal any more.
            let ty = value.expr.ty.clone();
            value.expr = Expr { kind: ExprKind::Convert(Box::new(value.expr)), ty, span };
        }
        value.expr.span = span;
        Some(value)
    }

    /// `type(values)`.
    pub(super) fn construct(
        &mut self,
        specifiers: &ast::Specifiers,
        values: &[ast::Expr],
        enclosure: Enclosure,
        span: Span,
    ) -> Option<Value> {
        let found = self.specifiers(specifiers);
        if let (Enclosure::Braces, Some(CType::Struct(id))) =
            (enclosure, found.base.as_ref().map(|base| &base.ty))
            && self.structure(*id).constructed
        {
            let element = |value: &ast::Expr| ast::InitializerElement {
                designators: Vec::new(),
                value: ast::Initializer::Expr(value.clone()),
            };
            let elements: Vec<_> = values.iter().map(element).collect();
            if let Some(made) = self.constructed_of_elements(*id, &elements, span) {
                return made;
            }
        }
        let given = self.operands(values);
        let ty = found.base?.ty;
        if matches!(ty, CType::Reference(..)) {
            let message =
                format!("unsupported: a value made of the reference `{}`", self.spell(&ty));
            let found = Diagnostic::error(code::UNSUPPORTED_REFERENCE, span, message);
            return self.fail(found.help("write `static_cast`"));
        }
        self.construct_type(ty, given?, enclosure, span)
    }

    /// `(type){values}`.
    pub(super) fn literal_of(
        &mut self,
        ty: &ast::TypeName,
        init: &ast::Initializer,
        span: Span,
    ) -> Option<Value> {
        let ty = self.type_name(ty);
        let ast::Initializer::List { elements, span: list, .. } = init else {
            return None;
        };
        let made = self.value_of_parts(ty.as_ref().map(|ty| &ty.ty), elements, *list);
        if let Some(made) = made {
            return made;
        }
        let mut values = Vec::new();
        for element in elements {
            match &element.value {
                ast::Initializer::Expr(value) if element.designators.is_empty() => {
                    values.push(value.clone());
                }
                other => {
                    return self.refuse_literal("with nested lists or designators", other.span());
                }
            }
        }
        let given = self.operands(&values);
        let ty = ty?.ty;
        if let CType::Array(..) = ty {
            return self.refuse_literal("of an array", span);
        }
        self.construct_type(ty, given?, Enclosure::Braces, span)
    }

    fn refuse_literal<T>(&mut self, what: &str, span: Span) -> Option<T> {
        let message = format!("unsupported: a compound literal {what}");
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_C, span, message)
                .help("declare a variable with this initialiser and use that"),
        )
    }

    fn construct_type(
        &mut self,
        ty: CType,
        given: Vec<Operand>,
        enclosure: Enclosure,
        span: Span,
    ) -> Option<Value> {
        if let CType::Struct(id) = ty {
            return self.made_struct(id, given, enclosure, span);
        }
        let values: Vec<Value> = given.into_iter().map(|operand| self.load(operand)).collect();
        let mut values = values;
        match (values.pop(), values.len()) {
            (Some(value), 0) if enclosure == Enclosure::Braces && ty.is_arithmetic() => {
                // An enumeration is made from the values of its integer type.
                let held = match ty.kind() {
                    Some(kind) if value.ty != ty => CType::Int(kind),
                    _ => ty.clone(),
                };
                let made = self.convert_listed(value, &held, &Purpose::Plain)?;
                let made = convert::cast(made, &ty);
                Some(Value { expr: Expr { span, ..made.expr }, ..made })
            }
            (Some(value), 0) => self.cast_to(ast::CastStyle::C, value, ty, span),
            (None, _) if ty.is_scalar() => {
                let zero = Value::int(0, CType::INT, span);
                Some(convert::cast(zero, &ty))
            }
            (None, _) if ty.is_void() => {
                let zero = Value::int(0, CType::INT, span);
                Some(convert::cast(zero, &ty))
            }
            _ => {
                let message = format!("a `{}` is made of one value", self.spell(&ty));
                self.fail(Diagnostic::error(code::BAD_CAST, span, message))
            }
        }
    }

    /// A structure made by a constructor, or of values for its members.
    pub(crate) fn made_struct(
        &mut self,
        id: StructId,
        given: Vec<Operand>,
        enclosure: Enclosure,
        span: Span,
    ) -> Option<Value> {
        let ty = CType::Struct(id);
        if self.structure(id).constructed {
            return self.construct_struct(id, given, enclosure, span);
        }
        if given.is_empty() && self.starts(&ty) && id != StructId(0) {
            // Zeroes, then the values of the members' initialisers.
            let zero = self.make_struct(id, Vec::new(), span)?;
            let mut stores = Vec::new();
            self.default_stores(&ty, 0, span, &mut stores)?;
            return self.with_stores(zero, stores, span);
        }
        if let [only] = given.as_slice()
            && *only.ty() == ty
        {
            return self.copied_object(only.clone(), span);
        }
        if enclosure == Enclosure::Parentheses && !given.is_empty() && id != StructId(0) {
            let braced = format!("{}{{...}}", self.spell(&ty));
            return self.converted_aggregate(id, given, span, &braced);
        }
        let mut values = Vec::new();
        for operand in given {
            values.push(self.copied_object(operand, span)?);
        }
        if enclosure == Enclosure::Braces {
            values = self.listed_members(id, values)?;
        }
        self.make_struct(id, values, span)
    }

    /// An object of a structure without constructors, from values in parentheses: an object of another structure
    /// converts, values of members are refused (C++17, [dcl.init]; C++20 accepts them). The help shows `braced`.
    pub(crate) fn converted_aggregate(
        &mut self,
        id: StructId,
        mut given: Vec<Operand>,
        span: Span,
        braced: &str,
    ) -> Option<Value> {
        let ty = CType::Struct(id);
        if let (Some(only), true) = (given.pop(), given.is_empty())
            && matches!(only.ty(), CType::Struct(_))
        {
            let value = self.load(only);
            return self.convert_or_construct(value, &ty, &Purpose::Plain);
        }
        let spelled = self.spell(&ty);
        let message = format!("`{spelled}` has no constructor");
        self.fail(
            Diagnostic::error(code::BAD_INITIALISER, span, message)
                .help(format!("list the members in braces: `{braced}`")),
        )
    }

    /// A structure in which some members are replaced.
    fn with_stores(&mut self, value: Value, stores: Vec<(u64, Expr)>, span: Span) -> Option<Value> {
        self.made(value.ty.clone(), span, |this, object| {
            let whole = this.make_at(object, value.expr);
            let mut all = this.stores_into(object, stores);
            let last = all.pop().unwrap_or_else(|| whole.clone());
            all.insert(0, whole);
            Some(all.into_iter().rev().fold(void(last), |rest, first| sequence(first, rest)))
        })
    }

    /// A structure of values for its members; members without one are zero, or 1 in a `dim3`.
    pub(crate) fn make_struct(
        &mut self,
        id: StructId,
        mut values: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        let ty = CType::Struct(id);
        if values.len() == 1 && values[0].ty == ty {
            return values.pop();
        }
        self.object_size(&ty, span, "the value")?;
        let info = self.structure(id);
        let name = info.name.clone();
        let fields = info.fields.clone();
        if info.is_union || fields.iter().any(|field| matches!(field.ty.ty, CType::Array(..))) {
            let message = format!("unsupported: a value of type `{name}` made in an expression");
            return self.fail(
                Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                    .help("declare a variable with an initialiser and use that"),
            );
        }
        if values.len() > fields.len() {
            let message = format!(
                "`{name}` has {}, but {} {} given",
                counted(fields.len() as u64, "member"),
                counted(values.len() as u64, "value"),
                verb(values.len() as u64, "is", "are")
            );
            return self.fail(Diagnostic::error(code::WRONG_ARGUMENTS, span, message));
        }
        let is_part = |field: &FieldInfo| {
            field.bits.is_some() || {
                let align = self.align_of(&field.ty.ty);
                align > self.align_of(&ty) || !field.offset.is_multiple_of(align.max(1))
            }
        };
        if fields.iter().any(is_part) {
            return self.made_of_parts(id, values, span);
        }
        let missing = i64::from(id == StructId(0));
        let mut values = values.into_iter();
        let mut parts = Vec::new();
        for field in &fields {
            let why = Purpose::Initialise(field.name.clone());
            let part = match values.next() {
                Some(value) => self.convert_or_construct(value, &field.ty.ty, &why),
                None => self.filler(&field.ty.ty, missing, span),
            };
            parts.push(part);
        }
        let parts: Vec<Expr> =
            parts.into_iter().map(|part| Some(part?.expr)).collect::<Option<_>>()?;
        if parts.iter().any(|part| self.makes_object(part)) {
            let offsets = fields.iter().map(|field| field.offset);
            let stores = offsets.zip(parts).collect();
            return self.made(ty, span, |this, object| {
                let all = this.stores_into(object, stores);
                all.into_iter().rev().map(void).reduce(|rest, first| sequence(first, rest))
            });
        }
        Some(Value::new(ExprKind::Construct(parts), ty, span))
    }

    /// The value of a member that is not given.
    fn filler(&mut self, ty: &CType, value: i64, span: Span) -> Option<Value> {
        if let CType::Struct(id) = ty {
            return self.made_struct(*id, Vec::new(), Enclosure::Parentheses, span);
        }
        Some(convert::cast(Value::int(value, CType::INT, span), ty))
    }

    /// Converts as C does, and an integer to a `dim3` as CUDA does.
    pub(crate) fn convert_or_construct(
        &mut self,
        value: Value,
        to: &CType,
        why: &Purpose,
    ) -> Option<Value> {
        let dim3 = CType::Struct(StructId(0));
        if *to == dim3 && value.ty.is_arithmetic() {
            let span = value.expr.span;
            return self.make_struct(StructId(0), vec![value], span);
        }
        if *to == dim3 && self.is_uint3(&value.ty) {
            return self.relabel(value, dim3);
        }
        if self.is_uint3(to) && value.ty == dim3 {
            return self.relabel(value, to.clone());
        }
        if let CType::Struct(id) = *to
            && value.ty != *to
            && let Some(made) = self.converted_by_constructor(&value, id, false)
        {
            return Some(made);
        }
        self.convert(value, to, why)
    }

    pub(crate) fn is_uint3(&self, ty: &CType) -> bool {
        matches!(ty, CType::Struct(id) if self.structs.vector("uint3") == Some(*id))
    }

    /// `dim3` and `uint3` have the same members and convert into each other.
    fn relabel(&mut self, value: Value, to: CType) -> Option<Value> {
        let span = value.expr.span;
        if let ExprKind::Construct(parts) = value.expr.kind {
            return Some(Value::new(ExprKind::Construct(parts), to, span));
        }
        let (set, place) = self.hold(value)?;
        let part = |index: u64| {
            let kind = PlaceKind::Field(Box::new(place.place.clone()), index * 4);
            let field = Place {
                kind,
                ty: CType::UINT.lower(),
                volatile: false,
                cache: CacheHints::NONE,
                span,
            };
            Expr { kind: ExprKind::Load(field), ty: CType::UINT.lower(), span }
        };
        let made = Value::new(ExprKind::Construct((0..3).map(part).collect()), to.clone(), span);
        let kind = ExprKind::Comma(Box::new(set), Box::new(made.expr));
        Some(Value::new(kind, to, span))
    }
}
