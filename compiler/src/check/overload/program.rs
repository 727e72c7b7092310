//! Calls of the program's own functions: which of those with one name is meant, and the call.
//!
//! Among the functions that fit, the best one has parameters that fit at least as well as those of
//! every other, argument by argument, and one better. Then functions precede templates, and then
//! the more specialised template is chosen (C++17, [over.match]).

use crate::check::declare::reference::{binds_object, refers_to};
use crate::check::expr::bits::sequence;
use crate::check::expr::convert::{Fit, Purpose};
use crate::check::overload::associated::joined;
use crate::check::state::Checker;
use crate::check::state::body::This;
use crate::check::state::functions::describe;
use crate::check::state::functions::{Binding, CONSTRUCTOR, FunctionInfo, Parameter};
use crate::check::state::scopes::{Overloads, Symbol};
use crate::check::state::templates::Templates;
use crate::check::tree::{Expr, ExprKind, PlaceKind, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::cmp::Ordering;
use std::rc::Rc;

/// The quality of an argument's conversion to a parameter; less is better.
type Rank = u8;

const SAME: Rank = 0;
const QUALIFIED: Rank = 1;
const PROMOTED: Rank = 2;
const PROMOTED_FURTHER: Rank = 3;
const CONVERTED: Rank = 4;
/// A pointer as a truth value is the last of the conversions.
const TESTED: Rank = 5;
const BY_FUNCTION: Rank = 6;

/// The conversion of an argument to a parameter.
#[derive(Clone, Copy, Debug)]
struct Conversion {
    rank: Rank,
    /// For a parameter that is a reference.
    bound: Option<Bound>,
}

/// The binding of a reference to an argument.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// True if the reference has qualifiers that the argument lacks.
    qualifies: bool,
    /// For a value, or an object that is given up: true if the reference is one to rvalues.
    is_rvalue: Option<bool>,
}

impl Conversion {
    /// Compares two conversions of one argument, the better one first (C++17, [over.ics.rank]).
    fn order(&self, other: &Conversion) -> Ordering {
        let of_references = || {
            let (Some(one), Some(other)) = (self.bound, other.bound) else {
                return Ordering::Equal;
            };
            match (one.is_rvalue, other.is_rvalue) {
                (Some(one), Some(other)) if one != other => other.cmp(&one),
                _ => one.qualifies.cmp(&other.qualifies),
            }
        };
        self.rank.cmp(&other.rank).then_with(of_references)
    }
}

/// The mode of passing arguments to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    Call,
    /// As values of a list in braces, which may not be narrowed.
    List,
    /// As bytes, by a launch.
    Launch,
}

/// A call by a name, or of an operator, whose arguments have been checked: the input of overload
/// resolution.
pub(crate) struct Call<'a> {
    /// The function's name in messages.
    name: &'a Name,
    /// The functions and function templates that the name may mean.
    candidates: &'a Overloads,
    /// Template arguments that are written.
    explicit: Option<&'a [ast::TemplateArgument]>,
    /// The object of a call of a structure's function; without it, an operator of a structure takes the
    /// first operand.
    object: Option<Operand>,
    operands: Vec<Operand>,
    passing: Passing,
    /// The place of the name.
    place: Span,
    /// The whole call.
    span: Span,
}

impl<'a> Call<'a> {
    /// A call without an object and without written template arguments.
    pub fn new(
        name: &'a Name,
        candidates: &'a Overloads,
        operands: Vec<Operand>,
        place: Span,
        span: Span,
    ) -> Call<'a> {
        let passing = Passing::Call;
        Call { name, candidates, explicit: None, object: None, operands, passing, place, span }
    }

    /// The call of a constructor with values in parentheses or in braces.
    pub fn enclosed(self, enclosure: ast::Enclosure) -> Call<'a> {
        let passing = match enclosure {
            ast::Enclosure::Parentheses => Passing::Call,
            ast::Enclosure::Braces => Passing::List,
        };
        Call { passing, ..self }
    }

    /// The call on an object, if there is one.
    pub fn on(self, object: Option<Operand>) -> Call<'a> {
        Call { object, ..self }
    }

    /// The call with written template arguments, if there are any.
    pub fn with(self, explicit: Option<&'a [ast::TemplateArgument]>) -> Call<'a> {
        Call { explicit, ..self }
    }

    /// The only possible function. Arguments that do not fit are reported when they are converted.
    fn only(&self) -> Option<usize> {
        match (&self.candidates.functions[..], &self.candidates.templates[..], self.explicit) {
            ([only], [], None) => Some(*only),
            _ => None,
        }
    }
}

/// A function that takes the arguments.
#[derive(Clone, Debug)]
pub(crate) struct Viable {
    index: usize,
    conversions: Vec<Conversion>,
    /// For an instance of a template: which.
    template: Option<usize>,
}

impl Viable {
    /// Returns true if the arguments are of the parameters' types.
    pub fn is_exact(&self) -> bool {
        self.conversions.iter().all(|one| one.rank <= QUALIFIED)
    }

    /// Returns true if no argument is converted by a function or a constructor.
    pub fn is_standard(&self) -> bool {
        self.conversions.iter().all(|one| one.rank < BY_FUNCTION)
    }

    /// Returns true if this one is better than the other.
    fn is_better(&self, other: &Viable, templates: &Templates) -> bool {
        let pairs = self.conversions.iter().zip(&other.conversions);
        let orders: Vec<Ordering> = pairs.map(|(one, other)| one.order(other)).collect();
        if orders.contains(&Ordering::Greater) {
            return false;
        }
        if orders.contains(&Ordering::Less) {
            return true;
        }
        match (self.template, other.template) {
            (None, Some(_)) => true,
            (Some(a), Some(b)) => templates[a].is_more_special(&templates[b]),
            _ => false,
        }
    }
}

impl Checker {
    /// Checks expressions as operands.
    pub(crate) fn operands(&mut self, arguments: &[ast::Expr]) -> Option<Vec<Operand>> {
        let found: Vec<_> = arguments.iter().map(|argument| self.operand(argument)).collect();
        found.into_iter().collect()
    }

    /// A call of one of the functions of a name.
    pub(crate) fn call_overloaded(&mut self, call: Call) -> Option<Operand> {
        let index = self.resolve(&call)?;
        let Call { object, operands, passing, place, span, .. } = call;
        self.call_resolved(index, object, operands, passing, place, span)
    }

    /// A call of one of the functions of a name, of which it is known which fit.
    pub(crate) fn call_viable(&mut self, call: Call, viable: &[Viable]) -> Option<Operand> {
        let index = match call.only() {
            Some(only) => only,
            None => self.best(&call, viable)?,
        };
        let Call { object, operands, passing, place, span, .. } = call;
        self.call_resolved(index, object, operands, passing, place, span)
    }

    /// The function that a call means; reports if there is none.
    pub(crate) fn resolve(&mut self, call: &Call) -> Option<usize> {
        if let Some(only) = call.only() {
            return Some(only);
        }
        let viable = self.viable(call);
        self.best(call, &viable)
    }

    /// The function that a call means, of those that fit.
    fn best(&mut self, call: &Call, viable: &[Viable]) -> Option<usize> {
        let best = viable.iter().position(|one| {
            viable
                .iter()
                .all(|other| std::ptr::eq(one, other) || one.is_better(other, &self.templates))
        });
        match best {
            Some(best) => Some(viable[best].index),
            None if viable.is_empty() => self.report_no_match(call),
            None => {
                let (name, given) = (call.name, self.spell_operands(&call.operands));
                let message = format!("`{name}` called with ({given}) may mean several functions");
                let mut found = Diagnostic::error(code::AMBIGUOUS, call.place, message);
                for one in viable.iter().take(4) {
                    let info = &self.functions[one.index];
                    let text = format!("`{}` fits", self.signature(info));
                    found = found.secondary(info.span, text);
                }
                self.fail(found)
            }
        }
    }

    /// The candidates that take the arguments.
    pub(crate) fn viable(&mut self, call: &Call) -> Vec<Viable> {
        let (object, operands) = (call.object.as_ref(), call.operands.as_slice());
        let mut viable = Vec::new();
        if call.explicit.is_none() {
            for &index in &call.candidates.functions {
                if let Some(conversions) = self.conversions(index, object, operands) {
                    viable.push(Viable { index, conversions, template: None });
                }
            }
        }
        for &template in &call.candidates.templates {
            let info = &self.templates[template];
            // The first operand of an operator that belongs to a structure is its object.
            let is_operator = info.is_member() && info.name.starts_with("operator");
            let skipped = usize::from(is_operator && object.is_none());
            let given = operands.get(skipped..).unwrap_or_default();
            let attempt = |this: &mut Checker| {
                let place = this.templates[template].span;
                this.instance_for(template, call.explicit, given, place)
            };
            // The only candidate is the only possible function, and the reason is reported later.
            let instance = match call.candidates {
                Overloads { functions, templates }
                    if functions.is_empty() && templates.len() == 1 =>
                {
                    self.silently(attempt)
                }
                _ => self.tried(attempt),
            };
            if let Some(index) = instance
                && let Some(conversions) = self.conversions(index, object, operands)
            {
                viable.push(Viable { index, conversions, template: Some(template) });
            }
        }
        viable
    }

    /// The conversion of each argument; `None`: one does not fit.
    fn conversions(
        &self,
        index: usize,
        object: Option<&Operand>,
        operands: &[Operand],
    ) -> Option<Vec<Conversion>> {
        let info = self.functions.get(index)?;
        let mut found = Vec::new();
        let mut operands = operands;
        if info.takes_object() {
            let object = match object {
                Some(object) => object,
                None => {
                    let (first, rest) = operands.split_first()?;
                    operands = rest;
                    first
                }
            };
            let method = info.method?;
            let constant = matches!(object, Operand::Place(place) if place.ty.constant);
            if *object.ty() != CType::Struct(method.owner) || (constant && !method.constant) {
                return None;
            }
            let qualifies = method.constant && !constant;
            found
                .push(Conversion { rank: SAME, bound: Some(Bound { qualifies, is_rvalue: None }) });
        }
        let needed = info.parameters.iter().position(crate::check::state::functions::has_default);
        let needed = needed.unwrap_or(info.parameters.len());
        if operands.len() > info.parameters.len() || operands.len() < needed {
            return None;
        }
        for (operand, parameter) in operands.iter().zip(&info.parameters) {
            found.push(match parameter {
                Some(parameter) => self.conversion(operand, parameter)?,
                None => Conversion { rank: SAME, bound: None },
            });
        }
        Some(found)
    }

    /// The conversion of an argument to a parameter, if there is one.
    fn conversion(&self, operand: &Operand, parameter: &Parameter) -> Option<Conversion> {
        let to = &parameter.ty;
        if !parameter.reference {
            return Some(Conversion { rank: self.rank_of_value(operand, &to.ty)?, bound: None });
        }
        if let Some(place) = self.object_of(operand).filter(|place| !place.is_part()) {
            let refers = refers_to(to, &place.ty);
            if refers.is_some() && !binds_object(to, parameter.binding, place.expires) {
                return None;
            }
            match refers {
                Some(is_alike) => {
                    let is_rvalue = place.expires.then_some(parameter.binding != Binding::Objects);
                    let bound = Some(Bound { qualifies: !is_alike, is_rvalue });
                    return Some(Conversion { rank: SAME, bound });
                }
                None if place.ty.ty == to.ty => return None,
                None => {}
            }
        }
        if parameter.binding == Binding::Objects && !to.is_constant() {
            return None;
        }
        // An operand that needs a conversion becomes a value.
        let is_rvalue = Some(parameter.binding != Binding::Objects);
        let bound = Some(Bound { qualifies: to.is_constant(), is_rvalue });
        Some(Conversion { rank: self.rank_of_value(operand, &to.ty)?, bound })
    }

    /// Returns true if an argument becomes a value of a type without a cast.
    pub(crate) fn converts(&self, operand: &Operand, to: &CType) -> bool {
        self.rank_of_value(operand, to).is_some()
    }

    fn rank_of_value(&self, operand: &Operand, to: &CType) -> Option<Rank> {
        let stand_in;
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Place(place) => {
                let ty = match &place.ty.ty {
                    CType::Array(element, _) => QType::clone(element).pointer(),
                    ty => ty.clone(),
                };
                let kind = match place.constant {
                    Some(known) => known.kind(),
                    None => ExprKind::Int(1),
                };
                stand_in = Value::new(kind, ty, place.place.span);
                &stand_in
            }
        };
        if value.ty == *to {
            return Some(SAME);
        }
        match self.fit(value, to) {
            // `nullptr` becomes `bool` by direct initialisation alone (C++17, [conv.bool]).
            Some(_) if value.ty == CType::Null && *to == CType::Bool => None,
            Some(Fit::Exact) => Some(QUALIFIED),
            Some(Fit::Promotion) => Some(PROMOTED),
            Some(Fit::FurtherPromotion) => Some(PROMOTED_FURTHER),
            Some(Fit::Conversion) if *to == CType::Bool && !value.ty.is_arithmetic() => {
                Some(TESTED)
            }
            Some(Fit::Conversion) => Some(CONVERTED),
            None => self.may_convert(value, to).then_some(BY_FUNCTION),
        }
    }

    /// Returns true if a function of a structure may convert the value.
    fn may_convert(&self, value: &Value, to: &CType) -> bool {
        if let CType::Struct(id) = value.ty
            && let Some(list) = self.member_functions(id, crate::syntax::CONVERSION)
        {
            let fits = |index: &usize| {
                let info = &self.functions[*index];
                let ty = info.value_type().filter(|_| !info.is_explicit).cloned();
                ty.is_some_and(|ty| {
                    self.fit(&Value { expr: value.expr.clone(), ty, bits: None }, to).is_some()
                })
            };
            return list.functions.iter().any(fits);
        }
        match to {
            CType::Struct(StructId(0)) => value.ty.is_arithmetic() || self.is_uint3(&value.ty),
            CType::Struct(_) if self.is_uint3(to) => value.ty == CType::Struct(StructId(0)),
            CType::Struct(id) if self.structure(*id).constructed => {
                let Some(list) = self.member_functions(*id, CONSTRUCTOR) else {
                    return false;
                };
                list.functions.iter().any(|&index| {
                    if self.functions[index].is_explicit {
                        return false;
                    }
                    let parameters = &self.functions[index].parameters;
                    let rest = parameters.iter().skip(1);
                    let first = parameters.first().and_then(Option::as_ref);
                    first.is_some_and(|first| self.fit(value, &first.ty.ty).is_some())
                        && rest.clone().all(crate::check::state::functions::has_default)
                })
            }
            _ => false,
        }
    }

    fn report_no_match<T>(&mut self, call: &Call) -> Option<T> {
        let Call { name, candidates, explicit, ref operands, place, .. } = *call;
        // For a single template the reason can be reported.
        let errors = self.reports.errors();
        if let ([], [only]) = (&candidates.functions[..], &candidates.templates[..])
            && self.instance_for(*only, explicit, operands, place).is_none()
            && self.reports.errors() > errors
        {
            return None;
        }
        let given = self.spell_operands(operands);
        let message = format!("no `{name}` takes ({given})");
        let mut found = Diagnostic::error(code::NO_MATCHING_CALL, place, message);
        for &index in candidates.functions.iter().take(4) {
            let info = &self.functions[index];
            found = found.secondary(info.span, format!("`{}` does not fit", self.signature(info)));
        }
        for &index in candidates.templates.iter().take(4) {
            let span = self.templates[index].span;
            found = found.secondary(span, "this template cannot be made to fit");
        }
        self.fail(found)
    }

    fn spell_operands(&self, operands: &[Operand]) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.spell(operand.ty())).collect();
        texts.join(", ")
    }

    /// A function with the types of its parameters.
    pub(crate) fn signature(&self, info: &FunctionInfo) -> String {
        let text = |parameter: &Option<Parameter>| match parameter {
            Some(parameter) => {
                let mark = if parameter.reference { " &" } else { "" };
                format!("{}{mark}", self.spell_qualified(&parameter.ty))
            }
            None => "...".to_owned(),
        };
        let texts: Vec<String> = info.parameters.iter().map(text).collect();
        format!("{}({})", info.name, texts.join(", "))
    }

    fn report_kernel_called<T>(&mut self, name: &str, declared: Span, place: Span) -> Option<T> {
        let message = format!("the kernel `{name}` is called like a function");
        self.fail(
            Diagnostic::error(code::KERNEL_CALLED, place, message)
                .secondary(declared, "declared `__global__` here")
                .help(format!("launch it: `{name}<<<blocks, threads>>>(...)`")),
        )
    }

    /// A call of a function, with the places of its name and of the whole; without an object, an operator of a
    /// structure takes the first operand.
    pub(crate) fn call_resolved(
        &mut self,
        index: usize,
        object: Option<Operand>,
        mut operands: Vec<Operand>,
        passing: Passing,
        place: Span,
        span: Span,
    ) -> Option<Operand> {
        let info = self.functions.get(index)?;
        let (name, declared, sides) = (info.name.to_string(), info.span, info.sides);
        if sides.kernel {
            return self.report_kernel_called(&name, declared, place);
        }
        let (parameters, result) = (info.parameters.clone(), info.result.clone());
        let (reference, makes) = (info.reference.clone(), self.takes_result(info));
        let expires = info.gives_up;
        let this = match info.method.filter(|_| info.takes_object()) {
            None => None,
            Some(method) => {
                let object = match object {
                    Some(object) => Some(object),
                    None if operands.is_empty() => None,
                    None => Some(operands.remove(0)),
                };
                let Some(object) = object else {
                    let message = format!("`{name}` is called without an object");
                    return self.fail(
                        Diagnostic::error(code::NOT_CALLABLE, place, message)
                            .secondary(declared, "declared here, not `static`"),
                    );
                };
                Some(self.object_address(object, &name, method.constant, declared, place)?)
            }
        };
        let values = self.arguments(&name, declared, &parameters, operands, span, passing);
        self.check_call_sides(&name, sides, Some(declared), place)?;
        let id = self.note_call(index, place)?;
        let (values, result) = (values?, result?);
        if makes {
            let made = self.made(result, span, |this_, object| {
                let object = this_.address_of_place(object, span);
                let values = std::iter::once(object).chain(this).chain(values).collect();
                Some(Value::new(ExprKind::Call(id, values), CType::Void, span).expr)
            });
            return made.map(Operand::from);
        }
        let values: Vec<Expr> = this.into_iter().chain(values).collect();
        let value = Value::new(ExprKind::Call(id, values), result, span);
        Some(match reference {
            Some(to) => {
                let place = Lvalue::deref(value.expr, to, span);
                Lvalue { expires, ..place }.into()
            }
            None => value.into(),
        })
    }

    /// The address of the object that a function of a structure is called with.
    fn object_address(
        &mut self,
        object: Operand,
        name: &str,
        constant: bool,
        declared: Span,
        place: Span,
    ) -> Option<Expr> {
        let span = object.span();
        let (set, object) = match object {
            Operand::Place(object) if !crate::check::expr::is_temporary(&object.place) => {
                (None, object)
            }
            other => {
                let value = self.load(other);
                let (set, object) = self.materialise(value)?;
                (Some(set), object)
            }
        };
        if object.ty.constant && !constant {
            let message = format!("`{name}` may change its object, which is constant here");
            return self.fail(
                Diagnostic::error(code::TYPE_MISMATCH, place, message)
                    .secondary(declared, "declared here, without `const` behind the parameters"),
            );
        }
        let address = self.address(object, span);
        Some(match set {
            Some(set) => {
                let kind = ExprKind::Comma(Box::new(set), Box::new(address.expr));
                Value::new(kind, address.ty, span).expr
            }
            None => address.expr,
        })
    }

    /// The object of the function being checked.
    pub(crate) fn this_object(&mut self, span: Span) -> Option<Lvalue> {
        let This { pointer, ty } = self.body.as_ref()?.this.clone()?;
        let whole = ty.clone().pointer();
        let place = Lvalue::new(PlaceKind::Local(pointer), whole.plain(), span);
        let pointer = self.load(place.into());
        Some(Lvalue::deref(pointer.expr, ty, span))
    }

    /// The structure whose function is being checked.
    pub(crate) fn this_struct(&self) -> Option<StructId> {
        match self.body.as_ref()?.this.as_ref()?.ty.ty {
            CType::Struct(id) => Some(id),
            _ => None,
        }
    }

    /// The functions of a structure with a name.
    pub(crate) fn member_functions(&self, id: StructId, name: &str) -> Option<Rc<Overloads>> {
        self.functions_of(&format!("{}::{name}", self.structure(id).path))
    }

    /// The functions of a whole name.
    pub(crate) fn functions_of(&self, name: &str) -> Option<Rc<Overloads>> {
        match &self.scopes.find_whole(name)?.meaning {
            Symbol::Functions(list) => Some(list.clone()),
            _ => None,
        }
    }

    /// The meaning of an operator for structures and enumerations: `None` if none of the operands
    /// is one, or the operator is the built-in one.
    pub(crate) fn operator(
        &mut self,
        text: &str,
        operands: &[Operand],
        span: Span,
    ) -> Option<Option<Operand>> {
        if !operands.iter().any(Operand::may_have_operators) {
            return None;
        }
        let name: Name = format!("operator{text}").into();
        if !self.functions.has_operator(&name) {
            return None;
        }
        let Some(mut list) = self.associated(&name, operands, span) else {
            return Some(None);
        };
        if let Some(CType::Struct(id)) = operands.first().map(Operand::ty)
            && let Some(own) = self.member_functions(*id, &name)
        {
            list = joined(&list, &own);
        }
        match self.symbol_of(&name) {
            Some(Symbol::Functions(found))
                if found.functions.iter().all(|&index| self.functions[index].method.is_none()) =>
            {
                list = joined(&list, &found);
            }
            Some(Symbol::Poisoned) => {
                self.note_poison(&name, span);
                return Some(None);
            }
            _ => {}
        }
        let call = Call::new(&name, &list, operands.to_vec(), span, span);
        let viable = self.viable(&call);
        if viable.is_empty() {
            return None;
        }
        let built_in = self.built_in_ranks(text, operands);
        let has_structure = operands.iter().any(|it| matches!(it.ty(), CType::Struct(_)));
        match built_in.map(|ranks| self.against_built_in(&ranks, operands, &viable)) {
            Some(Some(false)) => None,
            Some(None) if !has_structure => {
                let given = self.spell_operands(operands);
                let message = format!(
                    "`{text}` applied to ({given}) may mean a function or the built-in one"
                );
                let at = self.functions[viable[0].index].span;
                let found = Diagnostic::error(code::AMBIGUOUS, span, message);
                Some(self.fail(found.secondary(at, "this function fits")))
            }
            // Where a structure could be converted as well, compilers warn and take the function.
            _ => Some(self.call_viable(call, &viable)),
        }
    }

    /// The ranks of the operands for the built-in operator; `None` if there is none for an enumeration
    /// (C++17, [over.built]), or for a structure that no function converts to a number.
    fn built_in_ranks(&self, text: &str, operands: &[Operand]) -> Option<Vec<Rank>> {
        let is_comparison = ["==", "!=", "<", ">", "<=", ">="].contains(&text);
        let changes = ["++", "--"].contains(&text) || (text.ends_with('=') && !is_comparison);
        let first = operands.first()?.ty();
        let is_structure = |ty: &CType| matches!(ty, CType::Struct(_));
        if changes && (first.is_enumeration() || is_structure(first)) {
            return None;
        }
        let is_of_numbers = operands.len() == 2 || !["&", "*"].contains(&text);
        let is_of_objects = ["()", "[]", "->", ","].contains(&text) || !is_of_numbers;
        if is_of_objects && operands.iter().any(|operand| is_structure(operand.ty())) {
            return None;
        }
        let alike = operands.iter().all(|operand| operand.ty() == first) && !is_structure(first);
        if is_comparison && alike {
            return Some(vec![SAME; operands.len()]);
        }
        let tests = ["&&", "||", "!"].contains(&text);
        let rank = |(index, operand): (usize, &Operand)| match operand.ty() {
            ty if ty.is_scoped_enumeration() => None,
            CType::Struct(id) => self.converts_to_number(*id).then_some(BY_FUNCTION),
            CType::Enum(_) if tests => Some(CONVERTED),
            CType::Enum(_) => Some(PROMOTED),
            // The object that an assignment changes is passed without conversion.
            ty if changes && index == 0 || !ty.is_arithmetic() => Some(SAME),
            CType::Bool if tests => Some(SAME),
            _ if tests => Some(CONVERTED),
            ty if ty.promoted() == *ty => Some(SAME),
            _ => Some(PROMOTED),
        };
        operands.iter().enumerate().map(rank).collect()
    }

    /// Returns true if a structure has one implicit conversion, which is to a number.
    fn converts_to_number(&self, id: StructId) -> bool {
        let Some(list) = self.member_functions(id, crate::syntax::CONVERSION) else {
            return false;
        };
        let [only] = list.functions[..] else {
            return false;
        };
        let info = &self.functions[only];
        !info.is_explicit && info.value_type().is_some_and(CType::is_arithmetic)
    }

    /// Returns true if a function is better than the built-in operator, false if it is worse;
    /// `None`: neither is better.
    fn against_built_in(
        &self,
        ranks: &[Rank],
        operands: &[Operand],
        viable: &[Viable],
    ) -> Option<bool> {
        // A function with the parameters of the built-in operator hides it (C++17, [over.match.oper]).
        let hides = |one: &Viable| {
            let parameters = &self.functions[one.index].parameters;
            let is_same = |(operand, parameter): (&Operand, &Option<Parameter>)| {
                let parameter = parameter.as_ref();
                parameter.is_some_and(|one| !one.reference && one.ty.ty == *operand.ty())
            };
            one.template.is_none() && operands.iter().zip(parameters).all(is_same)
        };
        let pairs = |one: &Viable| -> Vec<Ordering> {
            let ranks = one.conversions.iter().map(|own| own.rank).zip(ranks);
            ranks.map(|(own, built)| own.cmp(built)).collect()
        };
        let worse = |one: &Viable| pairs(one).contains(&Ordering::Greater);
        let better = |one: &Viable| pairs(one).contains(&Ordering::Less);
        if viable.iter().any(|one| hides(one) || better(one) && !worse(one)) {
            return Some(true);
        }
        // Between equal ones, the built-in operator is preferred to a template.
        let loses = |one: &Viable| !better(one) && (worse(one) || one.template.is_some());
        viable.iter().all(loses).then_some(false)
    }

    /// A value in place of a number or pointer: a structure is converted by its function.
    pub(crate) fn scalar(&mut self, value: Value) -> Value {
        match value.ty {
            CType::Struct(_) => self.converted_by_function(&value, None, false).unwrap_or(value),
            _ => value,
        }
    }

    /// The kind of a function with its name, for people.
    pub(crate) fn describe_function(&self, index: usize) -> String {
        let info = &self.functions[index];
        format!("{} `{}`", describe(info.sides), info.name)
    }

    /// The form in which a parameter gets an argument: its value, or for a reference its address.
    pub(crate) fn convert_argument(
        &mut self,
        operand: Operand,
        parameter: &Parameter,
        passing: Passing,
        why: &Purpose,
    ) -> Option<Expr> {
        if parameter.reference {
            return self.bind(&parameter.ty, parameter.binding, operand, why);
        }
        let span = operand.span();
        let value = match *operand.ty() == parameter.ty.ty {
            true => self.copied_object(operand, span)?,
            false => self.load(operand),
        };
        let value = match passing {
            Passing::List => self.convert_listed(value, &parameter.ty.ty, why)?,
            _ => self.convert_or_construct(value, &parameter.ty.ty, why)?,
        };
        if passing == Passing::Launch || !self.is_passed_by_address(&value.ty) {
            return Some(value.expr);
        }
        // The function ends the object.
        let (set, object) = self.hold(value)?;
        let address = self.address_of_place(&object.place, span);
        Some(sequence(set, address))
    }
}
