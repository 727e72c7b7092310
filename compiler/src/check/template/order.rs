//! The more specialised one of two templates: of functions (C++17, [temp.func.order]), and of the
//! partial specialisations of a class template ([temp.class.order]).

use super::kind::{Kind, kind, names};
use crate::check::declare::declarator::function_parts;
use crate::check::state::templates::TemplateInfo;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};

/// Stands for a type or value of unknown form.
const UNKNOWN: &str = "?";

/// `const` and `volatile`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Qualifiers {
    constant: bool,
    volatile: bool,
}

impl Qualifiers {
    fn of(words: &[ast::Word]) -> Qualifiers {
        Qualifiers {
            constant: words.contains(&ast::Word::Const),
            volatile: words.contains(&ast::Word::Volatile),
        }
    }

    /// The qualifiers that others do not have; `None` if others have one that these have not.
    fn without(self, other: Qualifiers) -> Option<Qualifiers> {
        (other.constant <= self.constant && other.volatile <= self.volatile).then_some(Qualifiers {
            constant: self.constant && !other.constant,
            volatile: self.volatile && !other.volatile,
        })
    }
}

/// The step that makes a type out of another one.
#[derive(Clone, PartialEq, Eq)]
enum Step {
    Pointer(Qualifiers),
    /// To rvalues, if true.
    Reference(bool),
    /// With its bound.
    Array(Option<Form>),
}

/// A type as it is written, places left out.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// Pointers, references and arrays from the name outwards.
    steps: Vec<Step>,
    qualifiers: Qualifiers,
    /// The base type, and the arguments after it.
    base: String,
    arguments: Vec<Form>,
}

impl Form {
    fn of(specifiers: &ast::Specifiers, derived: &[ast::Derived]) -> Form {
        let step = |step: &ast::Derived| match &step.kind {
            ast::DerivedKind::Pointer(words) => Some(Step::Pointer(Qualifiers::of(words))),
            ast::DerivedKind::Array(bound) => {
                Some(Step::Array(bound.as_deref().map(Form::of_value)))
            }
            ast::DerivedKind::Reference => Some(Step::Reference(false)),
            ast::DerivedKind::RvalueReference => Some(Step::Reference(true)),
            _ => None,
        };
        let mut form = Form { steps: derived.iter().filter_map(step).collect(), ..Form::default() };
        for one in &specifiers.items {
            match &one.kind {
                ast::SpecifierKind::Word(ast::Word::Const) => form.qualifiers.constant = true,
                ast::SpecifierKind::Word(ast::Word::Volatile) => form.qualifiers.volatile = true,
                ast::SpecifierKind::Word(word) => form.base.push_str(word.text()),
                ast::SpecifierKind::Named(name) => form.base.push_str(name),
                ast::SpecifierKind::Template(name, arguments) => {
                    form.base.push_str(name);
                    form.arguments = arguments.iter().map(Form::of_argument).collect();
                }
                _ => form.base.push_str(UNKNOWN),
            }
        }
        form
    }

    /// The form of a function's parameter: it is copied, so that its own qualifiers do not matter,
    /// or a reference.
    fn of_parameter(parameter: &ast::Parameter) -> Form {
        use ast::DerivedKind::{Reference, RvalueReference};
        let derived = &parameter.declarator.derived;
        let refers =
            derived.first().is_some_and(|step| matches!(step.kind, Reference | RvalueReference));
        let mut form = Form::of(&parameter.specifiers, &derived[usize::from(refers)..]);
        if !refers && let Some(qualifiers) = form.outermost() {
            *qualifiers = Qualifiers::default();
        }
        form
    }

    fn of_argument(argument: &TemplateArgument) -> Form {
        match argument {
            TemplateArgument::Type(ty) => Form::of(&ty.specifiers, &ty.declarator.derived),
            TemplateArgument::Value(value) => Form::of_value(value),
        }
    }

    fn of_value(value: &ast::Expr) -> Form {
        let base = match &value.kind {
            ast::ExprKind::Name(name) => name.to_string(),
            ast::ExprKind::Int(value, _) => value.to_string(),
            ast::ExprKind::Bool(value) => u8::from(*value).to_string(),
            _ => UNKNOWN.to_owned(),
        };
        Form { base, ..Form::default() }
    }

    /// The qualifiers of the type itself; those of an array are its elements', and a reference has
    /// none.
    fn outermost(&mut self) -> Option<&mut Qualifiers> {
        for step in &mut self.steps {
            match step {
                Step::Pointer(qualifiers) => return Some(qualifiers),
                Step::Reference(_) => return None,
                Step::Array(_) => {}
            }
        }
        Some(&mut self.qualifiers)
    }

    /// Returns true if the form leaves its meaning open: a member of a parameter, or a value that
    /// is computed from one.
    fn is_open(&self, names: &[Option<Name>]) -> bool {
        let of_parameter = |(first, _)| names.iter().any(|name| name.as_deref() == Some(first));
        self.base.contains(UNKNOWN)
            || self.base.split_once("::").is_some_and(of_parameter)
            || self.arguments.iter().any(|argument| argument.is_open(names))
    }

    /// Returns true if another form matches this one, with its parameters standing for parts of the
    /// other.
    fn takes(&self, names: &[Option<Name>], other: &Form, found: &mut [Option<Form>]) -> bool {
        if self.steps.len() > other.steps.len() {
            return false;
        }
        let (steps, rest) = other.steps.split_at(self.steps.len());
        let are_taken = self.steps.iter().zip(steps).all(|pair| match pair {
            (Step::Array(Some(one)), Step::Array(Some(two))) => one.takes(names, two, found),
            (one, two) => one == two,
        });
        let parameter = names.iter().position(|name| name.as_deref() == Some(self.base.as_str()));
        let Some(at) = parameter else {
            return are_taken
                && rest.is_empty()
                && self.base == other.base
                && self.qualifiers == other.qualifiers
                && self.arguments.len() == other.arguments.len()
                && self
                    .arguments
                    .iter()
                    .zip(&other.arguments)
                    .all(|(one, two)| one.takes(names, two, found));
        };
        let mut rest = Form { steps: rest.to_vec(), ..other.clone() };
        match rest.outermost() {
            Some(outermost) => match outermost.without(self.qualifiers) {
                Some(left) if are_taken => *outermost = left,
                _ => return false,
            },
            None if self.qualifiers == Qualifiers::default() && are_taken => {}
            None => return false,
        }
        match &found[at] {
            Some(known) => *known == rest,
            None => {
                found[at] = Some(rest);
                true
            }
        }
    }
}

impl TemplateInfo {
    /// Returns true if this function template is more specialised than the other: the other could
    /// take all arguments of this one, but not the reverse (C++17, [temp.func.order]).
    pub fn is_more_special(&self, other: &TemplateInfo) -> bool {
        other.covers(self) && !self.covers(other)
    }

    /// Returns true if the parameters of the other's function have the form of this one's.
    pub(super) fn covers(&self, other: &TemplateInfo) -> bool {
        let (Kind::Function(one), Kind::Function(two)) =
            (kind(&self.tree.item), kind(&other.tree.item))
        else {
            return false;
        };
        let (Some(one), Some(two)) = (function_parts(one), function_parts(two)) else {
            return false;
        };
        let names = names(&self.tree);
        let mut found = vec![None; names.len()];
        one.parameters.iter().zip(two.parameters).all(|(one, two)| {
            Form::of_parameter(one).takes(&names, &Form::of_parameter(two), &mut found)
        })
    }
}

/// The forms of the arguments that a partial specialisation is for.
pub(super) struct Forms {
    names: Vec<Option<Name>>,
    /// Each with whether it depends on no parameter.
    forms: Vec<(Form, bool)>,
    is_defined: bool,
}

impl Forms {
    /// The forms of `length` arguments, of which `known` gives those that depend on no parameter;
    /// unwritten ones are defaults.
    pub(super) fn new(
        tree: &ast::Template,
        patterns: &[TemplateArgument],
        known: Vec<bool>,
        length: usize,
    ) -> Forms {
        let mut forms: Vec<_> = patterns.iter().map(Form::of_argument).zip(known).collect();
        forms.resize(length, (Form { base: UNKNOWN.to_owned(), ..Form::default() }, true));
        let is_defined = matches!(kind(&tree.item), Kind::Struct(found) if found.members.is_some());
        Forms { names: names(tree), forms, is_defined }
    }

    /// Returns true if this one of two partial specialisations for the same arguments is for fewer
    /// others; or defines an entity that the other only declares.
    pub(super) fn is_more_special(&self, other: &Forms) -> bool {
        let is_declared = self.is_defined
            && !other.is_defined
            && self.covers(other, false)
            && other.covers(self, false);
        is_declared || other.covers(self, true) && !self.covers(other, true)
    }

    /// Returns true if the other's arguments have the form of this one's; where both depend on no
    /// parameter they are the same. If `open` is true, nothing has a form whose meaning is open.
    fn covers(&self, other: &Forms, open: bool) -> bool {
        let mut found = vec![None; self.names.len()];
        self.forms.iter().zip(&other.forms).all(|((one, known), (two, also_known))| {
            (*known && *also_known)
                || !(open && one.is_open(&self.names)) && one.takes(&self.names, two, &mut found)
        })
    }
}
