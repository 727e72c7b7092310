//! Initialisers.

use crate::check::expr::bits::sequence;
use crate::check::expr::constant;
use crate::check::expr::convert::Purpose;
use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::state::functions::{Binding, CONSTRUCTOR, has_default};
use crate::check::state::structs::Bits;
use crate::check::state::templates::Argument;
use crate::check::tree::{Expr, ExprKind, Init, IntKind, Place, PlaceKind, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Enclosure, Name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The source of a variable's initial value.
pub(crate) enum Source<'a> {
    None,
    Initializer(&'a ast::Initializer),
    /// `x(values)`.
    Values(&'a [ast::Expr], Span),
    /// The value that `auto` was deduced from.
    Value(Box<Value>),
}

/// A variable as its declaration describes it.
pub(crate) struct Declared<'a> {
    pub name: &'a Name,
    pub span: Span,
    pub ty: QType,
    pub reference: bool,
    pub binding: Binding,
    pub source: Source<'a>,
    /// True if its value has to be a constant.
    pub is_constexpr: bool,
    /// True if no warning is given when it is never used.
    pub quiet: bool,
}

/// The values of a list, read from the front.
struct Cursor<'a> {
    elements: &'a [ast::InitializerElement],
    at: usize,
    /// The front element, if it has been checked but not used yet.
    pending: Option<Option<Operand>>,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<&'a ast::InitializerElement> {
        self.elements.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.pending = None;
    }
}

/// A part of the object that is being initialised.
struct Part {
    ty: CType,
    offset: u64,
    bits: Option<Bits>,
}

impl Part {
    fn whole(ty: &CType, offset: u64) -> Part {
        Part { ty: ty.clone(), offset, bits: None }
    }
}

/// The target of an initialisation.
struct Target<'a> {
    /// The variable's name.
    name: &'a str,
    /// The alignment of its type.
    align: u64,
    stores: Vec<(u64, Expr)>,
}

/// The shape of an aggregate.
enum Shape {
    Array(QType, Option<u64>),
    Struct(StructId),
}

fn shape(ty: &CType) -> Option<Shape> {
    match ty {
        CType::Array(element, length) => Some(Shape::Array(QType::clone(element), *length)),
        CType::Struct(id) => Some(Shape::Struct(*id)),
        _ => None,
    }
}

fn is_char_array(ty: &CType) -> bool {
    use IntKind::*;
    matches!(ty, CType::Array(element, _)
        if matches!(element.ty, CType::Int(Char | SChar | UChar)))
}

impl Checker {
    /// Checks an initialiser of which nothing can be said as a whole.
    pub(crate) fn check_source(&mut self, source: &Source<'_>) {
        match source {
            Source::None | Source::Value(_) => {}
            Source::Values(values, _) => {
                self.check_all(values);
            }
            Source::Initializer(init) => self.check_initializer(init),
        }
    }

    fn check_initializer(&mut self, init: &ast::Initializer) {
        match init {
            ast::Initializer::Expr(value) => {
                self.value(value);
            }
            ast::Initializer::List { elements, .. } => {
                elements.iter().for_each(|element| self.check_initializer(&element.value));
            }
        }
    }

    /// The initial value of a variable. That of a `constexpr` one is a constant, whose functions
    /// are not called at the variable.
    pub(super) fn variable_initialiser(&mut self, found: &Declared<'_>) -> Option<(QType, Init)> {
        let is_number = found.ty.ty.is_arithmetic() && !found.reference;
        if found.is_constexpr && is_number && !matches!(found.source, Source::Value(_)) {
            let known = self.silently(|this| {
                let was = this.allowed.set_unevaluated(true);
                let init = this.initialiser(&found.ty, &found.source, found.name, found.span);
                this.allowed.set_unevaluated(was);
                let (ty, init) = init?;
                match init.stores.as_slice() {
                    // A value without calls is checked like any other value.
                    [(0, value)] if constant::evaluate(value).is_none() => {
                        let kind = this.evaluate(value)?.kind();
                        Some((ty, single(Expr { kind, ..value.clone() })))
                    }
                    _ => None,
                }
            });
            if known.is_some() {
                return known;
            }
        }
        self.initialiser(&found.ty, &found.source, found.name, found.span)
    }

    /// The initial value of a variable, and its type with the length that the value gives it.
    pub(crate) fn initialiser(
        &mut self,
        ty: &QType,
        source: &Source<'_>,
        name: &str,
        span: Span,
    ) -> Option<(QType, Init)> {
        match source {
            Source::None => {
                if matches!(ty.ty, CType::Array(_, None)) {
                    let message = format!("the length of the array `{name}` is not given");
                    return self.fail(Diagnostic::error(code::INCOMPLETE_TYPE, span, message));
                }
                let mut init = Init::default();
                self.default_stores(&ty.ty, 0, span, &mut init.stores)?;
                init.zero = !init.stores.is_empty();
                Some((ty.clone(), init))
            }
            Source::Value(value) => Some((ty.clone(), single(value.expr.clone()))),
            Source::Values(values, place) => self.direct(ty, values, name, *place),
            Source::Initializer(ast::Initializer::Expr(value)) => self.copied(ty, value, name),
            Source::Initializer(ast::Initializer::List { elements, span, .. }) => {
                self.listed(ty, elements, name, *span)
            }
        }
    }

    /// `x(values)`.
    fn direct(
        &mut self,
        ty: &QType,
        values: &[ast::Expr],
        name: &str,
        span: Span,
    ) -> Option<(QType, Init)> {
        if let CType::Struct(id) = ty.ty {
            if self.structure(id).constructed {
                let operands = self.operands(values)?;
                let value = self.construct_struct(id, operands, Enclosure::Parentheses, span)?;
                return Some((ty.clone(), single(value.expr)));
            }
            let mut operands = self.operands(values)?;
            if let [only] = operands.as_slice()
                && *only.ty() == ty.ty
                && let Some(only) = operands.pop()
            {
                let value = self.copied_object(only, span)?;
                return Some((ty.clone(), single(value.expr)));
            }
            if id != StructId(0) {
                let braced = format!("{name}{{...}}");
                let value = self.converted_aggregate(id, operands, span, &braced)?;
                return Some((ty.clone(), single(value.expr)));
            }
            let values: Vec<Value> = operands.into_iter().map(|one| self.load(one)).collect();
            let value = self.make_struct(id, values, span)?;
            return Some((ty.clone(), single(value.expr)));
        }
        match values {
            [value] => self.copied(ty, value, name),
            _ => {
                self.check_all(values);
                let message =
                    format!("`{name}` is initialised with {} values, but takes one", values.len());
                self.fail(Diagnostic::error(code::BAD_INITIALISER, span, message))
            }
        }
    }

    /// `x = value`.
    fn copied(&mut self, ty: &QType, value: &ast::Expr, name: &str) -> Option<(QType, Init)> {
        if let (CType::Array(..), ast::ExprKind::String(text)) = (&ty.ty, &value.kind)
            && is_char_array(&ty.ty)
        {
            let mut target = Target { name, align: self.align_of(&ty.ty), stores: Vec::new() };
            let length = self.string_array(&ty.ty, 0, text, value.span, &mut target)?;
            return Some((sized(ty, length), Init { zero: true, stores: target.stores }));
        }
        let given = self.operand(value)?;
        let given = match *given.ty() == ty.ty {
            true => self.copied_object(given, value.span)?,
            false => self.load(given),
        };
        if let CType::Array(..) = ty.ty {
            let message = format!("the array `{name}` cannot be initialised with a single value");
            return self.fail(
                Diagnostic::error(code::BAD_INITIALISER, value.span, message)
                    .help("list its elements in braces"),
            );
        }
        let why = Purpose::Initialise(name.to_owned());
        let given = self.convert_or_construct(given, &ty.ty, &why)?;
        Some((ty.clone(), single(given.expr)))
    }

    /// `x = {...}`.
    fn listed(
        &mut self,
        ty: &QType,
        elements: &[ast::InitializerElement],
        name: &str,
        span: Span,
    ) -> Option<(QType, Init)> {
        if let CType::Struct(id) = ty.ty
            && self.structure(id).constructed
        {
            let value = self.constructed_by_list(id, elements, span)?;
            return Some((ty.clone(), single(value.expr)));
        }
        let mut target = Target { name, align: self.align_of(&ty.ty), stores: Vec::new() };
        let length = self.braced(&ty.ty, 0, elements, span, &mut target)?;
        let ty = sized(ty, length);
        // A scalar in braces is a scalar; an empty list is zero.
        let zero = shape(&ty.ty).is_some() || target.stores.is_empty();
        Some((ty, Init { zero, stores: target.stores }))
    }

    /// An object that a constructor makes of the values of a list.
    pub(crate) fn constructed_by_list(
        &mut self,
        id: StructId,
        elements: &[ast::InitializerElement],
        span: Span,
    ) -> Option<Value> {
        if let Some(made) = self.constructed_of_elements(id, elements, span) {
            return made;
        }
        let operands = self.listed_operands(elements, "for a constructor")?;
        self.construct_struct(id, operands, Enclosure::Braces, span)
    }

    /// An object of a structure that has a constructor for the elements of a list, if they are of the type it takes
    /// (C++17, [over.match.list]): they make an array, to which its `std::initializer_list` points.
    pub(crate) fn constructed_of_elements(
        &mut self,
        id: StructId,
        elements: &[ast::InitializerElement],
        span: Span,
    ) -> Option<Option<Value>> {
        let (list, element) = self.list_constructor(id)?;
        let fits = !elements.is_empty() && {
            let mut elements = elements.iter();
            elements.all(|one| one.designators.is_empty() && self.is_element(&one.value, &element))
        };
        fits.then(|| self.of_elements(id, list, element, elements, span))
    }

    /// The list that a constructor of a structure takes, and the type of its elements.
    fn list_constructor(&self, id: StructId) -> Option<(StructId, CType)> {
        let constructors = self.member_functions(id, CONSTRUCTOR)?;
        constructors.functions.iter().find_map(|&index| {
            let (first, rest) = self.functions[index].parameters.split_first()?;
            let CType::Struct(list) = first.as_ref()?.ty.ty else {
                return None;
            };
            let (template, arguments) = self.structure(list).made_of.as_ref()?;
            let is_list = &*self.templates[*template].name == "initializer_list"
                && self.program.is_supplied(self.templates[*template].span.file)
                && rest.iter().all(has_default);
            match arguments.first() {
                Some(Argument::Type(element)) if is_list => Some((list, element.ty.clone())),
                _ => None,
            }
        })
    }

    fn is_element(&mut self, value: &ast::Initializer, element: &CType) -> bool {
        match (value, element) {
            (ast::Initializer::List { .. }, CType::Struct(_)) => true,
            (ast::Initializer::List { elements, .. }, _) => elements.len() <= 1,
            (ast::Initializer::Expr(value), _) => {
                let given = self.silently(|this| this.type_of(value));
                given.is_some_and(|given| self.converts(&given, element))
            }
        }
    }

    fn of_elements(
        &mut self,
        id: StructId,
        list: StructId,
        element: CType,
        elements: &[ast::InitializerElement],
        span: Span,
    ) -> Option<Value> {
        let count = elements.len() as u64;
        let array = CType::Array(Arc::new(element.clone().plain()), Some(count));
        let source = ast::Initializer::List { elements: elements.to_vec(), span, depth: 1 };
        let init =
            self.initialiser(&array.clone().plain(), &Source::Initializer(&source), "", span)?.1;
        let array = self.made(array, span, |this, object| {
            let mut made = this.stores_into(object, init.stores).into_iter().rev();
            let last = made.next()?;
            Some(void(made.fold(last, |behind, one| sequence(one, behind))))
        })?;
        let (set, object) = self.materialise(array)?;
        let first = self.load(object.into());
        let first = Value { expr: sequence(set, first.expr), ..first };
        let count = Value::int(count as i64, CType::SIZE, span);
        let operands = vec![Operand::Value(first), Operand::Value(count)];
        let list = self.construct_struct(list, operands, Enclosure::Parentheses, span)?;
        self.construct_struct(id, vec![Operand::Value(list)], Enclosure::Parentheses, span)
    }

    /// A value of a structure from a list, if parts of the list are lists or designated, and no
    /// constructor takes them.
    pub(crate) fn value_of_parts(
        &mut self,
        ty: Option<&CType>,
        elements: &[ast::InitializerElement],
        span: Span,
    ) -> Option<Option<Value>> {
        let is_plain = |one: &ast::InitializerElement| {
            one.designators.is_empty() && matches!(one.value, ast::Initializer::Expr(_))
        };
        let Some(CType::Struct(id)) = ty else { return None };
        let is_aggregate = !self.structure(*id).constructed && *id != StructId(0);
        if !is_aggregate || elements.iter().all(is_plain) {
            return None;
        }
        let ty = CType::Struct(*id);
        let init = self.listed(&ty.clone().plain(), elements, "(value)", span);
        let stores = init.map(|(_, init)| init.stores);
        Some(stores.and_then(|stores| {
            self.made(ty, span, |this, object| {
                let mut made = this.stores_into(object, stores).into_iter().rev();
                let last = made.next()?;
                Some(void(made.fold(last, |behind, one| sequence(one, behind))))
            })
        }))
    }

    /// The elements of a list where each has to be a plain expression.
    pub(crate) fn listed_operands(
        &mut self,
        elements: &[ast::InitializerElement],
        place: &str,
    ) -> Option<Vec<Operand>> {
        let mut operands = Vec::new();
        for element in elements {
            operands.push(match &element.value {
                ast::Initializer::Expr(value) if element.designators.is_empty() => {
                    self.operand(value)
                }
                other => {
                    let message = format!("unsupported: nested lists and designators {place}");
                    self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, other.span(), message))
                }
            });
        }
        operands.into_iter().collect()
    }

    /// An object initialised by a list of its own; the length that the list gives an array.
    fn braced(
        &mut self,
        ty: &CType,
        offset: u64,
        elements: &[ast::InitializerElement],
        span: Span,
        target: &mut Target<'_>,
    ) -> Option<u64> {
        let mut cursor = Cursor { elements, at: 0, pending: None };
        if let [ast::InitializerElement { designators, value: ast::Initializer::Expr(only) }] =
            elements
            && let ast::ExprKind::String(text) = &only.kind
            && designators.is_empty()
            && is_char_array(ty)
        {
            return self.string_array(ty, offset, text, only.span, target);
        }
        let Some(shape) = shape(ty) else {
            return self.braced_scalar(ty, offset, &mut cursor, span, target);
        };
        let length = self.aggregate(&shape, offset, &mut cursor, Some(span), target)?;
        if let Some(excess) = cursor.peek() {
            let message = format!("the list has more elements than `{}` takes", self.spell(ty));
            return self.fail(Diagnostic::error(
                code::BAD_INITIALISER,
                excess.value.span(),
                message,
            ));
        }
        Some(length)
    }

    fn braced_scalar(
        &mut self,
        ty: &CType,
        offset: u64,
        cursor: &mut Cursor<'_>,
        span: Span,
        target: &mut Target<'_>,
    ) -> Option<u64> {
        let Some(first) = cursor.peek() else {
            return Some(0);
        };
        if cursor.elements.len() > 1 || !first.designators.is_empty() {
            let message = format!("`{}` takes one value, not a list", self.spell(ty));
            return self.fail(Diagnostic::error(code::BAD_INITIALISER, span, message));
        }
        self.child(&Part::whole(ty, offset), cursor, target)?;
        Some(1)
    }

    /// Initialises the parts of an aggregate in order. Returns the number of parts that it got.
    /// Without `braces` of its own it takes from the list around it only as many values as it
    /// needs.
    fn aggregate(
        &mut self,
        shape: &Shape,
        offset: u64,
        cursor: &mut Cursor<'_>,
        braces: Option<Span>,
        target: &mut Target<'_>,
    ) -> Option<u64> {
        let span = braces.or_else(|| cursor.peek().map(|element| element.value.span()))?;
        let mut index = 0;
        let mut length = 0;
        let mut whole = Some(());
        // The parts that the list names.
        let mut named = BTreeSet::new();
        while let Some(element) = cursor.peek() {
            if !element.designators.is_empty() {
                if braces.is_none() {
                    break;
                }
                match self.designated(shape, offset, cursor, &named, target) {
                    Some(at) => index = at,
                    None => {
                        cursor.advance();
                        whole = None;
                        continue;
                    }
                }
            } else {
                let Some(part) = self.part(shape, index) else {
                    break;
                };
                let part = Part { offset: offset + part.offset, ..part };
                if self.child(&part, cursor, target).is_none() {
                    whole = None;
                }
            }
            named.insert(index);
            index += 1;
            length = length.max(index);
        }
        whole?;
        self.unnamed_parts(shape, offset, length, &named, span, target)?;
        Some(length)
    }

    /// Starts the parts of an aggregate that its list does not name with the values of their types
    /// and members.
    fn unnamed_parts(
        &mut self,
        shape: &Shape,
        offset: u64,
        length: u64,
        named: &BTreeSet<u64>,
        span: Span,
        target: &mut Target<'_>,
    ) -> Option<()> {
        match shape {
            Shape::Array(element, bound) => {
                let bound = bound.unwrap_or(length);
                if !self.starts(&element.ty) {
                    return Some(());
                }
                let size = self.size_of(&element.ty)?;
                self.check_constructed_elements(bound, span)?;
                for index in (0..bound).filter(|index| !named.contains(index)) {
                    let at = offset + index * size;
                    self.default_stores(&element.ty, at, span, &mut target.stores)?;
                }
            }
            Shape::Struct(id) if self.structure(*id).is_union && !named.is_empty() => {}
            Shape::Struct(id) => {
                let left_out = |index: usize| !named.contains(&(index as u64));
                self.default_members(*id, left_out, offset, span, &mut target.stores)?;
            }
        }
        Some(())
    }

    /// The type and place of a part that is initialised in order.
    fn part(&self, shape: &Shape, index: u64) -> Option<Part> {
        match shape {
            Shape::Array(element, length) => {
                let inside = length.is_none_or(|length| index < length);
                let size = self.size_of(&element.ty)?;
                inside.then(|| Part::whole(&element.ty, index.saturating_mul(size)))
            }
            Shape::Struct(id) => {
                let info = self.structure(*id);
                let field = info.fields.get(index as usize)?;
                let inside = !info.is_union || index == 0;
                let part = Part::whole(&field.ty.ty, field.offset);
                inside.then_some(Part { bits: field.bits, ..part })
            }
        }
    }

    /// Initialises one part with the front of the list.
    fn child(
        &mut self,
        part: &Part,
        cursor: &mut Cursor<'_>,
        target: &mut Target<'_>,
    ) -> Option<()> {
        let (ty, offset) = (&part.ty, part.offset);
        let element = cursor.peek()?;
        let value = match &element.value {
            ast::Initializer::List { elements, span, .. } => {
                cursor.advance();
                if let CType::Struct(id) = *ty
                    && self.structure(id).constructed
                {
                    let made = self.constructed_by_list(id, elements, *span)?;
                    target.stores.push((offset, made.expr));
                    return Some(());
                }
                if let ([only], true) = (elements.as_slice(), ty.is_scalar()) {
                    // A value in braces of its own.
                    let mut inner =
                        Cursor { elements: std::slice::from_ref(only), at: 0, pending: None };
                    if only.designators.is_empty() {
                        return self.child(part, &mut inner, target);
                    }
                }
                return self.braced(ty, offset, elements, *span, target).map(|_| ());
            }
            ast::Initializer::Expr(value) => value,
        };
        if let (true, ast::ExprKind::String(text)) = (is_char_array(ty), &value.kind) {
            cursor.advance();
            return self.string_array(ty, offset, text, value.span, target).map(|_| ());
        }
        let operand = match cursor.pending.take() {
            Some(operand) => operand,
            None => self.operand(value),
        };
        let Some(operand) = operand else {
            cursor.advance();
            return None;
        };
        let fits_whole = *operand.ty() == *ty
            || (*ty == CType::Struct(StructId(0)) && operand.ty().is_arithmetic())
            || matches!(*ty, CType::Struct(id) if self.structure(id).constructed);
        if let (false, Some(shape)) = (fits_whole, shape(ty)) {
            cursor.pending = Some(Some(operand));
            let before = cursor.at;
            let done = self.aggregate(&shape, offset, cursor, None, target).map(|_| ());
            // Without this step a part that takes nothing would be tried forever.
            if cursor.at == before {
                cursor.advance();
            }
            return done;
        }
        cursor.advance();
        let value = match operand.ty() == ty {
            true => self.copied_object(operand, value.span)?,
            false => self.load(operand),
        };
        let why = Purpose::Initialise(target.name.to_owned());
        let value = self.convert_listed(value, ty, &why)?;
        self.store_initial(part, value, target)
    }

    /// Stores the value of a part.
    fn store_initial(&mut self, part: &Part, value: Value, target: &mut Target<'_>) -> Option<()> {
        let offset = part.offset;
        let known = match offset {
            0 => target.align,
            _ => target.align.min(1 << offset.trailing_zeros()),
        };
        let wanted = part.bits.map_or_else(|| self.align_of(&part.ty), |bits| bits.bytes);
        if part.bits.is_none() && known >= wanted {
            target.stores.push((offset, value.expr));
            return Some(());
        }
        // Nothing is read of the place.
        let null = Value::int(0, CType::INT, value.expr.span);
        let place = Lvalue::deref(null.expr, part.ty.clone().plain(), value.expr.span);
        let align = (known < wanted).then_some(known);
        let place = Lvalue { bits: part.bits, align, ..place };
        self.initial_part(&place, offset, value, false, &mut target.stores)
    }

    /// Initialises the part that designators name; its index.
    fn designated(
        &mut self,
        shape: &Shape,
        offset: u64,
        cursor: &mut Cursor<'_>,
        named: &BTreeSet<u64>,
        target: &mut Target<'_>,
    ) -> Option<u64> {
        let element = cursor.peek()?;
        let (first, rest) = element.designators.split_first()?;
        let (index, mut part) = self.designator(shape, first)?;
        part.offset += offset;
        if !rest.is_empty() && !named.contains(&index) {
            // The part around the designated one.
            self.default_stores(&part.ty, part.offset, element.value.span(), &mut target.stores)?;
        }
        for designator in rest {
            let Some(inner) = self::shape(&part.ty) else {
                return self.report_designator(&part.ty, designator);
            };
            let (_, next) = self.designator(&inner, designator)?;
            part = Part { offset: part.offset + next.offset, ..next };
        }
        self.child(&part, cursor, target)?;
        Some(index)
    }

    fn report_designator<T>(&mut self, ty: &CType, designator: &ast::Designator) -> Option<T> {
        let span = match designator {
            ast::Designator::Member(_, span) => *span,
            ast::Designator::Index(index) => index.span,
        };
        let message = format!("`{}` has no parts that could be designated so", self.spell(ty));
        self.fail(Diagnostic::error(code::BAD_INITIALISER, span, message))
    }

    /// The index, type and place of a designated part.
    fn designator(&mut self, shape: &Shape, designator: &ast::Designator) -> Option<(u64, Part)> {
        match (shape, designator) {
            (Shape::Struct(id), ast::Designator::Member(name, span)) => {
                let Some(found) = self.find_member(*id, name) else {
                    self.report_no_member(*id, name, *span);
                    return None;
                };
                let fields = &self.structure(*id).fields;
                // The members of an unnamed member count as its place in the order.
                let index = fields.iter().rposition(|field| field.offset <= found.offset)?;
                let index = fields.iter().position(|field| field.name == **name).unwrap_or(index);
                let part = Part::whole(&found.ty.ty, found.offset);
                Some((index as u64, Part { bits: found.bits, ..part }))
            }
            (Shape::Array(element, length), ast::Designator::Index(value)) => {
                let index = self.constant_integer(value, "a designator")?;
                let limit = length.unwrap_or(crate::check::state::structs::SIZE_LIMIT);
                let size = self.size_of(&element.ty)?;
                match u64::try_from(index) {
                    Ok(index) if index < limit => {
                        Some((index, Part::whole(&element.ty, index.saturating_mul(size))))
                    }
                    _ => {
                        let message = format!("the array has no element {index}");
                        self.fail(Diagnostic::error(code::BAD_INITIALISER, value.span, message))
                    }
                }
            }
            (Shape::Struct(id), designator) => {
                self.report_designator(&CType::Struct(*id), designator)
            }
            (Shape::Array(element, length), designator) => {
                let ty = CType::Array(Arc::new(element.clone()), *length);
                self.report_designator(&ty, designator)
            }
        }
    }

    /// An array of characters initialised by a string; the string's length with its end.
    fn string_array(
        &mut self,
        ty: &CType,
        offset: u64,
        text: &[u8],
        span: Span,
        target: &mut Target<'_>,
    ) -> Option<u64> {
        let CType::Array(element, length) = ty else {
            return None;
        };
        let needed = text.len() as u64 + 1;
        if let Some(length) = length.filter(|length| *length < needed) {
            let message = format!(
                "the string takes {needed} characters with its end, the array has {length}"
            );
            return self.fail(Diagnostic::error(code::BAD_INITIALISER, span, message));
        }
        let CType::Int(kind) = element.ty else {
            return None;
        };
        for (index, &byte) in text.iter().enumerate() {
            let value = crate::check::expr::constant::wrap(kind, i64::from(byte));
            let value = Value::int(value, element.ty.clone(), span);
            target.stores.push((offset + index as u64, value.expr));
        }
        Some(needed)
    }
}

fn single(value: Expr) -> Init {
    Init { zero: false, stores: vec![(0, value)] }
}

/// The type with a length, if it lacks one.
fn sized(ty: &QType, length: u64) -> QType {
    match &ty.ty {
        // An empty list makes an array of one zero rather than of nothing.
        CType::Array(element, None) => {
            QType { ty: CType::Array(element.clone(), Some(length.max(1))), ..*ty }
        }
        _ => ty.clone(),
    }
}

/// Returns true if an expression can be computed before the program starts: constants and addresses
/// of variables of static storage.
pub(crate) fn is_static(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => true,
        ExprKind::AddressOf(place) => is_static_place(place),
        ExprKind::Convert(inner) | ExprKind::Unary(_, inner) => is_static(inner),
        ExprKind::PointerAdd { pointer, index, .. } => is_static(pointer) && is_static(index),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            is_static(a) && is_static(b)
        }
        ExprKind::Conditional(c, a, b) => is_static(c) && is_static(a) && is_static(b),
        ExprKind::Construct(parts) => parts.iter().all(is_static),
        _ => false,
    }
}

fn is_static_place(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Global(_) => true,
        PlaceKind::Field(base, _) => is_static_place(base),
        PlaceKind::Deref(pointer) => is_static(pointer),
        _ => false,
    }
}
