//! Declarations: types, functions and variables.

use crate::check::declare::declarator::{ObjectType, direct_values, function_parts};
use crate::check::declare::function::Head;
use crate::check::declare::init::{Declared, Source};
use crate::check::declare::specifier::Specifiers;
use crate::check::state::Checker;
use crate::check::state::functions::Binding;
use crate::check::state::scopes::Symbol;
use crate::check::tree::Stmt;
use crate::check::types::{CType, QType};
use crate::check::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};

/// Words that the declaration of a variable may have.
const VARIABLE_WORDS: &[Word] = &[
    Word::Static,
    Word::Extern,
    Word::Register,
    Word::Inline,
    Word::Constexpr,
    Word::Device,
    Word::Constant,
    Word::Shared,
    Word::Managed,
];

impl Checker {
    /// A declaration outside functions.
    pub(crate) fn file_declaration(&mut self, declaration: &ast::Declaration) {
        let specifiers = self.specifiers(&declaration.specifiers);
        self.file_declarators(&specifiers, declaration);
    }

    /// The entities that a declaration outside functions declares; static members of structures
    /// too.
    pub(crate) fn file_declarators(
        &mut self,
        specifiers: &Specifiers,
        declaration: &ast::Declaration,
    ) {
        for declared in &declaration.declarators {
            if !self.type_or_function(specifiers, declared) {
                self.global_declaration(specifiers, declared);
            }
        }
    }

    /// A declaration inside a function.
    pub(crate) fn block_declaration(
        &mut self,
        declaration: &ast::Declaration,
        out: &mut Vec<Stmt>,
    ) {
        let specifiers = self.specifiers(&declaration.specifiers);
        for declared in &declaration.declarators {
            if !self.type_or_function(&specifiers, declared) {
                let (mark, begin) = (self.open_temporaries(), out.len());
                let statement = self.local_declaration(&specifiers, declared);
                let span = declared.declarator.span;
                out.extend(statement.map(|kind| Stmt { kind, span }));
                self.end_declaration(mark, begin, span, out);
            }
        }
    }

    /// Handles declarators that declare no variable; whether this is one.
    fn type_or_function(
        &mut self,
        specifiers: &Specifiers,
        declared: &ast::InitDeclarator,
    ) -> bool {
        let declarator = &declared.declarator;
        if let Some(width) = &declared.width {
            let message = "bit-fields are members of structures";
            self.report(Diagnostic::error(code::BAD_DECLARATION, width.span, message));
        }
        if specifiers.has(Word::Typedef) {
            let was = self.allowed.set_function_types(true);
            self.typedef(specifiers, declared);
            self.allowed.set_function_types(was);
            return true;
        }
        if let Some(parts) = function_parts(declarator) {
            self.declare_function(specifiers, declarator, &parts, Head::default());
            if self.body.is_some() {
                self.refuse_hiding(declarator);
            }
            return true;
        }
        false
    }

    /// Refuses a function that a block declares where its name has others too, which it would hide (C++17,
    /// [basic.scope.hiding]).
    fn refuse_hiding(&mut self, declarator: &ast::Declarator) {
        let symbol = declarator.name.as_ref().and_then(|name| self.symbol_of(name));
        let is_alone = match symbol {
            Some(Symbol::Functions(list)) => list.functions.len() + list.templates.len() == 1,
            symbol => matches!(symbol, None | Some(Symbol::Poisoned)),
        };
        if !is_alone {
            let message = "unsupported: the declaration of a function in a block, where its name has other meanings";
            let found = Diagnostic::error(code::UNSUPPORTED_CPP, declarator.name_span, message);
            self.report(found.help("declare it outside functions"));
        }
    }

    fn typedef(&mut self, specifiers: &Specifiers, declared: &ast::InitDeclarator) {
        self.refuse_storage(specifiers, "a typedef", &[Word::Typedef]);
        let declarator = &declared.declarator;
        let Some(name) = &declarator.name else {
            return;
        };
        let steps: Vec<&ast::Derived> = declarator.derived.iter().collect();
        let mut ty = specifiers.base.clone().and_then(|base| self.derive(base, &steps));
        if specifiers.layout != Default::default() || !declared.layout.is_empty() {
            let message = "unsupported: a typedef with an alignment of its own";
            let found = Diagnostic::error(code::UNSUPPORTED_C, declarator.name_span, message);
            self.report(found.help("align the structure, its members or the variables"));
            ty = None;
        }
        if let Some(QType { ty: CType::Struct(id), .. }) = ty {
            // An unnamed structure is known by its typedef.
            let info = &mut self.structs[id];
            if info.name.starts_with("unnamed ") {
                info.name = name.to_string();
            }
        }
        let symbol = ty.map_or(Symbol::Poisoned, Symbol::Type);
        self.declare(name, symbol, declarator.name_span);
    }

    /// The type of a declared variable, before its initialiser completes it; a name whose type was
    /// reported has no meaning.
    pub(super) fn describe_variable<'a>(
        &mut self,
        specifiers: &Specifiers,
        declared: &'a ast::InitDeclarator,
    ) -> Option<Declared<'a>> {
        let declarator = &declared.declarator;
        self.refuse_storage(specifiers, "a variable", VARIABLE_WORDS);
        let Some(name) = &declarator.name else {
            let message = "the declaration lacks a name";
            return self.fail(Diagnostic::error(code::BAD_DECLARATOR, declarator.span, message));
        };
        let base = specifiers.base.clone();
        let found = base.and_then(|base| self.object(base, declarator, &format!("`{name}`")));
        let source = match (&declared.init, direct_values(declarator)) {
            (Some(init), _) => Source::Initializer(init),
            (None, Some((values, span))) => Source::Values(values, span),
            (None, None) => Source::None,
        };
        let mut found = match found {
            Some(found) => found,
            None => {
                self.poison_declared(name);
                self.check_source(&source);
                return None;
            }
        };
        let mut source = source;
        if specifiers.is_auto
            && self.complete_auto(specifiers, declarator, &mut found, &mut source).is_none()
        {
            self.poison_declared(name);
            return None;
        }
        let is_constexpr = specifiers.has(Word::Constexpr);
        if is_constexpr && !found.reference {
            found.ty = found.ty.qualified(true, false);
        }
        Some(Declared {
            name,
            span: declarator.name_span,
            ty: found.ty,
            reference: found.reference,
            binding: found.binding,
            source,
            is_constexpr,
            quiet: specifiers.has(Word::MaybeUnused),
        })
    }

    /// Gives a variable that is `auto` the type of its initialiser.
    fn complete_auto(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ast::Declarator,
        found: &mut ObjectType,
        source: &mut Source<'_>,
    ) -> Option<()> {
        if specifiers.keeps_reference {
            found.reference = self.keeps_reference(source, declarator)?;
        }
        let (constant, volatile) = (found.ty.constant, found.ty.volatile);
        if !found.reference {
            let (value, rest) = self.deduce_auto(source, declarator.name_span)?;
            found.ty = rest.plain().qualified(constant, volatile);
            if specifiers.keeps_reference
                && let Some(Operand::Place(place)) = self.initial(source)
            {
                found.ty = place.ty;
            }
            *source = Source::Value(Box::new(value));
            return Some(());
        }
        let expr = match (&*source, direct_values(declarator)) {
            (Source::Initializer(ast::Initializer::Expr(expr)), _) => expr,
            (_, Some(([expr], _))) => expr,
            _ => return None,
        };
        let operand = self.operand(expr)?;
        let lives = matches!(&operand, Operand::Place(place) if !place.expires);
        if lives && !constant && !volatile {
            // `auto &&` of an object that stays is `auto &` (C++17, [dcl.type.auto.deduct]).
            found.binding = Binding::Objects;
        }
        found.ty = match &operand {
            Operand::Place(place) => place.ty.clone().qualified(constant, volatile),
            Operand::Value(value) => value.ty.clone().plain().qualified(constant, volatile),
        };
        Some(())
    }

    /// The result of `decltype(auto)` for a variable: true if it is a reference.
    fn keeps_reference(
        &mut self,
        source: &Source<'_>,
        declarator: &ast::Declarator,
    ) -> Option<bool> {
        let message = match source {
            Source::Initializer(ast::Initializer::Expr(value)) if declarator.derived.is_empty() => {
                let found = self.type_of(value).and_then(|operand| {
                    let gives_up = matches!(&operand, Operand::Place(place) if place.expires);
                    let is_place = matches!(operand, Operand::Place(_));
                    let is_reference = self.is_reference_type(value, &operand)?;
                    let in_parentheses = match is_place && !is_reference {
                        true => self.stands_in_parentheses(value),
                        false => Some(false),
                    };
                    let refused = gives_up || in_parentheses.is_none();
                    Some((is_reference || in_parentheses == Some(true), refused))
                });
                match found {
                    Some((is_reference, false)) => return Some(is_reference),
                    Some(_) => {
                        "unsupported: `decltype(auto)` of a value that is given up, of a macro, or of a name outside functions"
                    }
                    None => {
                        self.poison_declared(declarator.name.as_ref()?);
                        return None;
                    }
                }
            }
            _ => "`decltype(auto)` takes its type from the value behind `=`",
        };
        self.poison_declared(declarator.name.as_ref()?);
        let found = Diagnostic::error(code::UNSUPPORTED_CPP, declarator.name_span, message);
        self.fail(found.help("write the type, or `auto &`"))
    }

    /// Returns true if a part of the body being checked is known to be in parentheses.
    pub(crate) fn is_in_parentheses(&self, part: Span) -> bool {
        self.body.as_ref().is_some_and(|body| body.piece.is_in_parentheses(part) == Some(true))
    }

    /// Returns true if a value of the body being checked is in parentheses; `None` if that is not
    /// known.
    pub(super) fn stands_in_parentheses(&self, value: &ast::Expr) -> Option<bool> {
        self.body.as_ref()?.piece.is_in_parentheses(value.span)
    }

    /// The initialiser of a variable, for its type.
    fn initial(&mut self, source: &Source<'_>) -> Option<Operand> {
        match source {
            Source::Initializer(ast::Initializer::Expr(value)) => self.type_of(value),
            _ => None,
        }
    }

    pub(super) fn poison_declared(&mut self, name: &Name) {
        self.scopes.set(name.clone(), Symbol::Poisoned, None);
    }

    /// The type that `auto` stands for, and the value that it is deduced from.
    fn deduce_auto(&mut self, source: &Source<'_>, span: Span) -> Option<(Value, CType)> {
        let expr = match source {
            Source::Initializer(ast::Initializer::Expr(expr)) => Some(expr),
            Source::Values([expr], _) => Some(expr),
            _ => None,
        };
        let Some(expr) = expr else {
            let message = "`auto` takes its type from an initialiser, but there is none";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, span, message));
        };
        let operand = self.operand(expr)?;
        let value = match operand.ty() {
            CType::Struct(_) => self.copied_object(operand, expr.span)?,
            _ => self.load(operand),
        };
        if value.ty.is_void() {
            let message = "the initialiser has no value";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, expr.span, message));
        }
        let ty = value.ty.clone();
        Some((value, ty))
    }
}
