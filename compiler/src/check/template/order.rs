//! Which of two function templates is more specialised (C++17, [temp.func.order]).

use super::kind::{Kind, kind, names};
use crate::check::declare::declarator::function_parts;
use crate::check::state::templates::TemplateInfo;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};

/// A type as it is written, places left out.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// Pointers and arrays from the name outwards; references say nothing here.
    steps: Vec<&'static str>,
    constant: bool,
    /// What stands for the type, and the arguments after it.
    base: String,
    arguments: Vec<Form>,
}

impl Form {
    pub(super) fn of(specifiers: &ast::Specifiers, derived: &[ast::Derived]) -> Form {
        let step = |step: &ast::Derived| match &step.kind {
            ast::DerivedKind::Pointer(_) => Some("*"),
            ast::DerivedKind::Array(_) => Some("[]"),
            _ => None,
        };
        let mut form = Form {
            steps: derived.iter().filter_map(step).collect(),
            constant: false,
            base: String::new(),
            arguments: Vec::new(),
        };
        for one in &specifiers.items {
            match &one.kind {
                ast::SpecifierKind::Word(ast::Word::Const) => form.constant = true,
                ast::SpecifierKind::Word(word) => form.base.push_str(word.text()),
                ast::SpecifierKind::Named(name) => form.base.push_str(name),
                ast::SpecifierKind::Template(name, arguments) => {
                    form.base.push_str(name);
                    form.arguments = arguments.iter().map(Form::of_argument).collect();
                }
                _ => form.base.push('?'),
            }
        }
        form
    }

    pub(super) fn of_argument(argument: &TemplateArgument) -> Form {
        match argument {
            TemplateArgument::Type(ty) => Form::of(&ty.specifiers, &ty.declarator.derived),
            TemplateArgument::Value(value) => {
                let base = match &value.kind {
                    ast::ExprKind::Name(name) => name.to_string(),
                    ast::ExprKind::Int(value, _) => value.to_string(),
                    _ => "?".to_owned(),
                };
                Form { steps: Vec::new(), constant: false, base, arguments: Vec::new() }
            }
        }
    }

    /// Whether another form is one of this, with its parameters standing for parts of the other.
    pub(super) fn takes(
        &self,
        names: &[Option<Name>],
        other: &Form,
        found: &mut [Option<Form>],
    ) -> bool {
        let parameter = names.iter().position(|name| name.as_deref() == Some(self.base.as_str()));
        let Some(at) = parameter else {
            return self.steps == other.steps
                && self.base == other.base
                && self.constant == other.constant
                && self.arguments.len() == other.arguments.len()
                && self
                    .arguments
                    .iter()
                    .zip(&other.arguments)
                    .all(|(one, two)| one.takes(names, two, found));
        };
        let Some(steps) = other.steps.strip_prefix(self.steps.as_slice()) else {
            return false;
        };
        if self.constant && !other.constant {
            return false;
        }
        let constant = other.constant && !self.constant;
        let rest = Form { steps: steps.to_vec(), constant, ..other.clone() };
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
    /// Whether this function template says more of its parameters than the other: the other could
    /// take what this one takes, whatever that is, but not the other way round (C++17,
    /// [temp.func.order]).
    pub fn is_more_special(&self, other: &TemplateInfo) -> bool {
        other.covers(self) && !self.covers(other)
    }

    /// Whether the parameters of the other's function have the form of this one's.
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
            let form = Form::of(&two.specifiers, &two.declarator.derived);
            Form::of(&one.specifiers, &one.declarator.derived).takes(&names, &form, &mut found)
        })
    }
}
