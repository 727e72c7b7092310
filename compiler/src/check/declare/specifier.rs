//! The words in front of declarators.

use crate::check::library::enumeration;
use crate::check::state::Checker;
use crate::check::state::scopes::{Symbol, Tag, TypeMeaning};
use crate::check::state::structs::Placing;
use crate::check::tree::{IntKind, StructId};
use crate::check::types::{CType, Opaque, QType};
use crate::check::value::Operand;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};

/// The specifiers of a declaration.
pub(crate) struct Specifiers {
    /// The type; `None` when that was reported.
    pub base: Option<QType>,
    /// True if the type is the initialiser's.
    pub is_auto: bool,
    /// True if it is a reference where `decltype` of the initialiser is: `decltype(auto)`.
    pub keeps_reference: bool,
    /// The words that are not part of the type.
    words: Vec<(Word, Span)>,
    /// The first value of `__launch_bounds__`.
    pub launch_bound: Option<u32>,
    /// The layout statements of the declaration.
    pub layout: Placing,
}

impl Specifiers {
    /// The place at which `word` is written.
    pub fn find(&self, word: Word) -> Option<Span> {
        self.words.iter().find(|(found, _)| *found == word).map(|(_, span)| *span)
    }

    pub fn has(&self, word: Word) -> bool {
        self.find(word).is_some()
    }
}

/// The number of times that each word of a built-in type's name is written.
#[derive(Default)]
struct TypeWords {
    base: Option<(Word, Span)>,
    signed: u32,
    unsigned: u32,
    short: u32,
    long: u32,
    span: Option<Span>,
    /// The second word of two that name a type each.
    clash: Option<Span>,
}

impl TypeWords {
    fn is_long_double(&self) -> bool {
        let is_double = self.base.is_some_and(|(word, _)| word == Word::Double);
        let others = self.signed + self.unsigned + self.short;
        is_double && self.long == 1 && others == 0 && self.clash.is_none()
    }

    fn add(&mut self, word: Word, span: Span) {
        self.span = Some(self.span.map_or(span, |first| first.to(span)));
        match word {
            Word::Signed => self.signed += 1,
            Word::Unsigned => self.unsigned += 1,
            Word::Short => self.short += 1,
            Word::Long => self.long += 1,
            _ if self.base.is_some() => self.clash = Some(span),
            _ => self.base = Some((word, span)),
        }
    }

    fn has_modifiers(&self) -> bool {
        self.signed + self.unsigned + self.short + self.long > 0
    }

    /// The type that the words name together.
    fn resolve(&self) -> Option<CType> {
        let sign_twice = self.signed + self.unsigned > 1;
        if self.clash.is_some() || sign_twice || self.short > 1 || self.long > 2 {
            return None;
        }
        let unsigned = self.unsigned > 0;
        let pick = |no: IntKind, yes: IntKind| CType::Int(if unsigned { yes } else { no });
        let base = self.base.map_or(Word::Int, |(word, _)| word);
        Some(match (base, self.short, self.long) {
            (Word::Int, 0, 0) => pick(IntKind::Int, IntKind::UInt),
            (Word::Int, 1, 0) => pick(IntKind::Short, IntKind::UShort),
            (Word::Int, 0, 1) => pick(IntKind::Long, IntKind::ULong),
            (Word::Int, 0, 2) => pick(IntKind::LongLong, IntKind::ULongLong),
            (Word::Char, 0, 0) if self.signed > 0 => CType::Int(IntKind::SChar),
            (Word::Char, 0, 0) => pick(IntKind::Char, IntKind::UChar),
            (_, _, _) if self.has_modifiers() => return None,
            (Word::Void, ..) => CType::Void,
            (Word::Bool, ..) => CType::Bool,
            (Word::Float, ..) => CType::Float,
            (Word::Double, ..) => CType::Double,
            _ => return None,
        })
    }
}

fn is_type_word(word: Word) -> bool {
    word <= Word::Auto
}

fn size_alias(name: &str) -> Option<CType> {
    use IntKind::*;
    Some(CType::Int(match name {
        "size_t" | "uint64_t" | "ulong" | "uintptr_t" | "uintmax_t" | "uint_least64_t"
        | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t" => ULong,
        "int_least64_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t" | "intmax_t"
        | "ssize_t" | "ptrdiff_t" | "intptr_t" | "int64_t" | "clock_t" | "time_t" => Long,
        "uint32_t" | "uint_least32_t" | "uint" => UInt,
        "int_least32_t" | "int32_t" => Int,
        "uint16_t" | "uint_least16_t" | "ushort" => UShort,
        "int16_t" | "int_least16_t" => Short,
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "uchar" => UChar,
        "int8_t" | "int_least8_t" | "int_fast8_t" => SChar,
        _ => return None,
    }))
}

impl Checker {
    /// Reads specifiers.
    pub(crate) fn specifiers(&mut self, from: &ast::Specifiers) -> Specifiers {
        self.specifiers_of(from, true)
    }

    /// Reads specifiers that may do without a type, in front of a constructor.
    pub(crate) fn specifiers_of(&mut self, from: &ast::Specifiers, typed: bool) -> Specifiers {
        let mut words = Vec::new();
        let mut type_words = TypeWords::default();
        let mut named: Option<(Option<CType>, Span)> = None;
        let mut qualifiers = (false, false);
        let mut base_qualifiers = (false, false);
        let (mut launch_bound, mut layout) = (None, Placing::default());
        let mut failed = false;
        for specifier in &from.items {
            let span = specifier.span;
            let found = match &specifier.kind {
                ast::SpecifierKind::Word(Word::Const) => {
                    qualifiers.0 = true;
                    continue;
                }
                ast::SpecifierKind::Word(Word::Volatile) => {
                    qualifiers.1 = true;
                    continue;
                }
                ast::SpecifierKind::Word(word) if is_type_word(*word) => {
                    type_words.add(*word, span);
                    continue;
                }
                ast::SpecifierKind::Word(word) => {
                    words.push((*word, span));
                    continue;
                }
                ast::SpecifierKind::LaunchBounds(values) => {
                    launch_bound = self.launch_bounds(values);
                    continue;
                }
                ast::SpecifierKind::Layout(one) => {
                    match self.placing(std::slice::from_ref(one)) {
                        Some(found) => layout = layout.and(found),
                        None => failed = true,
                    }
                    continue;
                }
                ast::SpecifierKind::Named(name) => self.named_type(name, span),
                ast::SpecifierKind::Decltype(value) => self.declared_type(value),
                ast::SpecifierKind::Typeof(value) => self.typeof_value(value),
                ast::SpecifierKind::TypeofType(ty) => self.type_name(ty),
                ast::SpecifierKind::Template(name, given) => self.template_type(name, given, span),
                ast::SpecifierKind::Member(of, name) => self.member_type(of, name, span),
                ast::SpecifierKind::Struct(found) => self.struct_specifier(found),
                ast::SpecifierKind::Enum(found) => self.enum_specifier(found),
            };
            if let Some((_, first)) = &named {
                let message = "a declaration names one type, this is a second one";
                self.report(
                    Diagnostic::error(code::BAD_SPECIFIERS, span, message)
                        .secondary(*first, "the first one"),
                );
                failed = true;
                continue;
            }
            let found = found.filter(|ty| self.is_usable(&ty.ty, span));
            let found = found.map(|ty| {
                base_qualifiers = (ty.constant, ty.volatile);
                ty.ty
            });
            named = Some((found, span));
        }
        let base_word = type_words.base.map(|(word, _)| word);
        let keeps_reference = base_word == Some(Word::DecltypeAuto);
        let is_auto = keeps_reference || base_word == Some(Word::Auto);
        let ty = match named {
            _ if failed => None,
            Some((found, span)) => self.named_alone(found, span, &type_words),
            None if is_auto => Some(CType::INT),
            None if !typed && type_words.span.is_none() => None,
            None => self.type_of_words(&type_words, from.span),
        };
        let constant = qualifiers.0 || base_qualifiers.0;
        let base = ty.map(|ty| ty.plain().qualified(constant, qualifiers.1 || base_qualifiers.1));
        Specifiers { base, is_auto, keeps_reference, words, launch_bound, layout }
    }

    /// Returns true if an object can be declared with a type; an unknown structure cannot be used.
    fn is_usable(&mut self, ty: &CType, span: Span) -> bool {
        let mut inner = ty;
        while let CType::Pointer(to) | CType::Array(to, _) = inner {
            inner = &to.ty;
        }
        let CType::Struct(id) = inner else {
            return true;
        };
        let info = self.structure(*id);
        if !info.complete || !info.broken {
            return true;
        }
        let (name, is_sure) = (info.name.as_str().into(), !info.unsure);
        self.reports.note_poison(&name, span, is_sure);
        false
    }

    fn named_alone(
        &mut self,
        found: Option<CType>,
        span: Span,
        words: &TypeWords,
    ) -> Option<CType> {
        if let Some(second) = words.span {
            let message = "a declaration names one type, this is a second one";
            return self.fail(
                Diagnostic::error(code::BAD_SPECIFIERS, second, message)
                    .secondary(span, "the other one"),
            );
        }
        found
    }

    fn type_of_words(&mut self, words: &TypeWords, span: Span) -> Option<CType> {
        let Some(place) = words.span else {
            let message = "the declaration does not name a type";
            return self.fail(Diagnostic::error(code::BAD_SPECIFIERS, span, message));
        };
        let found = words.resolve();
        if found.is_none() && words.is_long_double() {
            let message = "unsupported: `long double`";
            let found = Diagnostic::error(code::UNSUPPORTED_C, place, message);
            self.report(found.help("write `double`, which device code has too"));
        } else if found.is_none() {
            let message = "these words do not name a type together";
            self.report(Diagnostic::error(code::BAD_SPECIFIERS, place, message));
        }
        found
    }

    /// The type called `name`.
    fn named_type(&mut self, name: &Name, span: Span) -> Option<QType> {
        match self.type_meaning(name) {
            Some(TypeMeaning::Type(ty))
                if ty.ty.is_function() && !self.allowed.function_types() =>
            {
                return self.refuse_function_pointer(span);
            }
            Some(TypeMeaning::Type(ty)) => return Some(ty),
            Some(TypeMeaning::Tag(Tag::Struct(id))) => return Some(CType::Struct(id).plain()),
            Some(TypeMeaning::Tag(Tag::Enum(of))) => return Some(CType::Enum(of).plain()),
            Some(TypeMeaning::Tag(Tag::Poisoned)) => {
                self.note_poison(name, span);
                return None;
            }
            Some(TypeMeaning::Template(index)) => {
                // With defaults for all parameters, `a<>` may be meant; `a` alone is no type.
                let message = format!("the template `{name}` lacks its arguments");
                let declared = self.templates[index].span;
                return self.fail(
                    Diagnostic::error(code::UNKNOWN_TYPE, span, message)
                        .secondary(declared, "declared here")
                        .help(format!("write them: `{name}<...>`")),
                );
            }
            None => {}
        }
        let plain = name.strip_prefix("::").unwrap_or(name);
        if let Some(found) = self.builtin_type(plain) {
            return Some(found.plain());
        }
        if crate::check::library::known::is_unsupported(name) {
            let message = format!("unsupported: the type `{name}`");
            let found = Diagnostic::error(code::UNSUPPORTED_FUNCTION, span, message);
            return self.fail(found.advice(crate::syntax::advice(name)));
        }
        let message = format!("`{name}` is not the name of a type");
        self.fail(Diagnostic::error(code::UNKNOWN_TYPE, span, message))
    }

    /// `typeof(value)`: the type, independently of the name of the object.
    fn typeof_value(&mut self, value: &ast::Expr) -> Option<QType> {
        Some(match self.type_of(value)? {
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty.plain(),
        })
    }

    /// `decltype(value)`.
    fn declared_type(&mut self, value: &ast::Expr) -> Option<QType> {
        let operand = self.type_of(value)?;
        let is_reference = self.is_reference_type(value, &operand)?;
        Some(match operand {
            Operand::Place(place) if is_reference => {
                let is_rvalue = match &value.kind {
                    ast::ExprKind::Name(name) => self.is_rvalue_reference(name),
                    _ => place.expires,
                };
                place.ty.reference(is_rvalue)
            }
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty.plain(),
        })
    }

    /// Returns true if a name is that of a variable declared as an rvalue reference.
    fn is_rvalue_reference(&self, name: &Name) -> bool {
        match self.symbol_of(name) {
            Some(Symbol::Variable(variable)) => variable.is_rvalue,
            _ => false,
        }
    }

    /// Returns true if `decltype` of an expression without parentheses is a reference. For a name
    /// it is the declared type, for a place a reference (C++17, [dcl.type.simple]).
    pub(crate) fn is_reference_type(
        &mut self,
        value: &ast::Expr,
        operand: &Operand,
    ) -> Option<bool> {
        use ast::ExprKind;
        if let Operand::Value(_) = operand {
            // It may denote the value of an object that it names.
            if self.names_object(value) {
                let message = "unsupported: `decltype` of an expression of this kind";
                return self.fail(
                    Diagnostic::error(code::UNSUPPORTED_CPP, value.span, message)
                        .help("write the type"),
                );
            }
            return Some(false);
        }
        Some(match &value.kind {
            ExprKind::Name(name) => match self.symbol_of(name) {
                Some(Symbol::Variable(variable)) => variable.reference,
                _ => false,
            },
            ExprKind::Member { .. } | ExprKind::Scoped(..) => false,
            _ => true,
        })
    }

    /// Returns true if an expression names an object in C++, though it may denote its value here.
    fn names_object(&mut self, value: &ast::Expr) -> bool {
        use ast::{ExprKind, UnaryOp};
        match &value.kind {
            ExprKind::Assign(..)
            | ExprKind::String(_)
            | ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, _) => true,
            ExprKind::Conditional(_, a, b) => self.names_object(a) && self.names_object(b),
            ExprKind::Comma(_, last) => self.names_object(last),
            _ => matches!(self.type_of(value), Some(Operand::Place(_))),
        }
    }

    /// The meaning of a type's name; `a::b` also when `a` is another name of a structure.
    pub(crate) fn type_meaning(&self, name: &Name) -> Option<TypeMeaning> {
        if let Some(found) = self.scopes.find_type(name) {
            return Some(found);
        }
        let path = self.path_through_type(name)?;
        self.scopes.find_type(&path)
    }

    /// `a::b` as a whole name, when `a` is a type: a parameter of a template, a typedef, or itself
    /// a member of one.
    pub(crate) fn path_through_type(&self, name: &str) -> Option<String> {
        let (owner, last) = name.rsplit_once("::")?;
        let id = match self.type_meaning(&owner.into())? {
            TypeMeaning::Type(QType { ty: CType::Struct(id), .. })
            | TypeMeaning::Tag(Tag::Struct(id)) => id,
            _ => return None,
        };
        Some(format!("{}::{last}", self.structure(id).path))
    }

    /// A class template, or one of another name of a type, with its arguments.
    fn template_type(
        &mut self,
        name: &Name,
        given: &[ast::TemplateArgument],
        span: Span,
    ) -> Option<QType> {
        match self.type_meaning(name) {
            Some(TypeMeaning::Template(index)) => self.instantiate_type(index, given, span),
            Some(TypeMeaning::Tag(Tag::Poisoned)) => {
                self.note_poison(name, span);
                None
            }
            // Inside a class template its name with arguments is looked up outside.
            Some(TypeMeaning::Type(QType { ty: CType::Struct(id), .. })) => {
                let Some((index, _)) = self.structure(id).made_of else {
                    return self.report_no_arguments(name, span);
                };
                self.instantiate_type(index, given, span)
            }
            Some(_) => self.report_no_arguments(name, span),
            None => {
                let message = format!("`{name}` is not the name of a template");
                self.fail(Diagnostic::error(code::UNKNOWN_TYPE, span, message))
            }
        }
    }

    fn report_no_arguments<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let message = format!("`{name}` is no template, but has template arguments");
        self.fail(Diagnostic::error(code::UNKNOWN_TYPE, span, message))
    }

    /// `typename a<int>::type`
    fn member_type(&mut self, of: &ast::Specifier, name: &Name, span: Span) -> Option<QType> {
        let id = self.scope_of(of)?;
        let path: Name = format!("{}::{name}", self.structure(id).path).into();
        self.named_type(&path, span)
    }

    /// The structure in front of `::`.
    pub(crate) fn scope_of(&mut self, of: &ast::Specifier) -> Option<StructId> {
        let items = vec![of.clone()];
        let found = self.specifiers(&ast::Specifiers { items, span: of.span });
        match found.base?.ty {
            CType::Struct(id) => Some(id),
            ty => {
                let message = format!("`{}` has no members", self.spell(&ty));
                self.fail(Diagnostic::error(code::NO_MEMBER, of.span, message))
            }
        }
    }

    fn builtin_type(&mut self, name: &str) -> Option<CType> {
        if let Some(found) = size_alias(name).or_else(|| enumeration::named(name)) {
            return Some(found);
        }
        match name {
            "dim3" => Some(CType::Struct(StructId(0))),
            "FILE" => Some(CType::Opaque(Opaque::File)),
            "ostream" => Some(CType::Opaque(Opaque::Ostream)),
            "cudaEvent_t" => Some(CType::Opaque(Opaque::Event).pointer_to()),
            "cudaStream_t" => Some(CType::Opaque(Opaque::Stream).pointer_to()),
            _ => self.supplied_structure(name).map(CType::Struct),
        }
    }

    fn struct_specifier(&mut self, found: &ast::StructSpecifier) -> Option<QType> {
        if let (Some(tag), Some(given)) = (&found.tag, &found.arguments) {
            return self.template_type(tag, given, found.span);
        }
        if found.members.is_some()
            && let Some(id) = self.type_defined_before(found.span)
        {
            if let Some(tag) = &found.tag {
                self.scopes.set_tag(tag.clone(), Tag::Struct(id), Some(found.span));
            }
            return Some(CType::Struct(id).plain());
        }
        let layout = self.placing(&found.layout);
        let id = match &found.tag {
            None => {
                let number = self.structs.len();
                let kind = if found.is_union { "union" } else { "struct" };
                self.announce_struct(format!("unnamed {kind} {number}"), found.is_union)
            }
            Some(tag) => self.tagged_struct(found, tag)?,
        };
        if self.structs[id].span.is_none() {
            self.structs[id].span = Some(found.span);
        }
        if let Some(members) = &found.members {
            self.structs[id].span = Some(found.span);
            self.structs[id].tag = found.tag.clone();
            self.note_type_defined(found.span, id);
            let mut context = self.scopes.context_here();
            if self.body.is_some() {
                context = context.in_local_structure(members.iter().flat_map(ast::Item::names));
            }
            self.define_struct(id, members, layout, context);
        }
        Some(CType::Struct(id).plain())
    }

    /// The structure that `struct tag` means, a new one if need be.
    fn tagged_struct(&mut self, found: &ast::StructSpecifier, tag: &Name) -> Option<StructId> {
        let defines = found.members.is_some();
        let earlier = if defines {
            self.scopes.find_own_tag(tag).map(|entry| entry.meaning)
        } else {
            self.scopes.find_tag(tag)
        };
        match earlier {
            Some(Tag::Poisoned) => {
                self.note_poison(tag, found.span);
                None
            }
            Some(Tag::Struct(id)) if defines && self.structure(id).complete => {
                let earlier = self.structure(id).span;
                self.report_redefinition(tag, found.span, earlier);
                None
            }
            Some(Tag::Struct(id)) => Some(id),
            Some(Tag::Enum(..)) => {
                let message = format!("`{tag}` is an enumeration");
                self.fail(Diagnostic::error(code::CONFLICTING, found.span, message))
            }
            None => {
                if !defines && let Some(id) = self.vector_or_dim3(tag) {
                    return Some(id);
                }
                let id = self.announce_struct(tag.to_string(), found.is_union);
                if self.body.is_some() {
                    // Other functions, and other instances of this one, may have structures of this name.
                    let path = &mut self.structure_mut(id).path;
                    *path = format!("{path} (local {})", id.0).into();
                }
                self.scopes.set_tag(tag.clone(), Tag::Struct(id), Some(found.span));
                Some(id)
            }
        }
    }

    fn vector_or_dim3(&mut self, tag: &str) -> Option<StructId> {
        if tag == "dim3" { Some(StructId(0)) } else { self.supplied_structure(tag) }
    }

    fn launch_bounds(&mut self, values: &[ast::Expr]) -> Option<u32> {
        let mut bounds = Vec::new();
        for value in values {
            bounds.push(self.constant_integer(value, "a launch bound")?);
        }
        let (first, span) = (*bounds.first()?, values.first()?.span);
        match u32::try_from(first) {
            Ok(bound) if bound > 0 => Some(bound),
            _ => {
                let message = format!("a block cannot have {first} threads");
                self.fail(Diagnostic::error(code::BAD_DECLARATION, span, message))
            }
        }
    }

    /// The value of `__align__(n)`.
    pub(crate) fn alignment(&mut self, values: &[ast::Expr]) -> Option<u64> {
        let value = values.first()?;
        let bytes = self.constant_integer(value, "an alignment")?;
        match u64::try_from(bytes) {
            Ok(bytes) if bytes.is_power_of_two() && bytes <= 256 => Some(bytes),
            _ => {
                let message =
                    format!("{bytes} is not an alignment: it has to be a power of two up to 256");
                self.fail(Diagnostic::error(code::BAD_DECLARATION, value.span, message))
            }
        }
    }

    /// Reports words that do not fit the declaration.
    pub(crate) fn refuse_storage(&mut self, found: &Specifiers, what: &str, allowed: &[Word]) {
        for &(word, span) in &found.words {
            if [Word::Restrict, Word::MaybeUnused].contains(&word) || allowed.contains(&word) {
                continue;
            }
            let message = format!("`{}` does not fit {what}", word.text());
            self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
        }
    }
}
