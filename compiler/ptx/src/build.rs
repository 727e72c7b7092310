//! Builds the tree for the grammar's rules.

use crate::constant::{self, Binary, Unary, not_constant};
use crate::tree::*;
use crate::{Constant, Span, SyntaxError, Text};
use lalrpop_util::ParseError;

/// An error as the generated parser passes it on.
type Refused<T> = ParseError<u32, T, SyntaxError>;

fn refused<T>(error: SyntaxError) -> Refused<T> {
    ParseError::User { error }
}

/// A part of a module.
pub enum Item {
    Version(Version),
    Target(Vec<Name>),
    AddressSize(AddressSize),
    File(File),
    Pragmas(Vec<Name>),
    Alias(Name, Name),
    Variables(Vec<Variable>),
    Function(Function),
    Nothing,
}

/// A word of a declaration between the space and the name.
pub enum Attribute {
    Align(u64),
    Vector(u8),
    Type(Type),
    Pointer,
    Space(Space),
    Named(Name),
    Unknown(Name),
}

/// A name that is declared, with what follows it.
pub struct Declarator {
    pub name: Name,
    pub count: Option<u64>,
    pub dimensions: Vec<Option<u64>>,
    pub initialiser: Option<Operand>,
}

pub fn module<T>(items: Vec<Item>) -> Result<Module, Refused<T>> {
    let mut module = Module::default();
    for item in items {
        match item {
            Item::Version(version) if module.version.is_some() => {
                let error = SyntaxError::new(version.span, "a second `.version`");
                return Err(refused(error.help("a text is one module: split it")));
            }
            Item::Version(version) => module.version = Some(version),
            Item::Target(words) => module.target.extend(words),
            Item::AddressSize(size) => module.address_size = Some(size),
            Item::File(file) => module.files.push(file),
            Item::Pragmas(strings) => module.pragmas.extend(strings),
            Item::Alias(new, old) => module.aliases.push((new, old)),
            Item::Variables(variables) => module.variables.extend(variables),
            Item::Function(function) => module.functions.push(function),
            Item::Nothing => {}
        }
    }
    Ok(module)
}

pub fn linkage(words: Vec<Linkage>) -> Linkage {
    words.into_iter().fold(Linkage::default(), |all, word| Linkage {
        external: all.external || word.external,
        visible: all.visible || word.visible,
        weak: all.weak || word.weak,
        common: all.common || word.common,
    })
}

/// A number that stands where a count, line or size is.
pub fn whole<T>(value: Constant, span: Span) -> Result<u64, Refused<T>> {
    let error = || refused(SyntaxError::new(span, "a whole number is expected here"));
    value.integer().ok_or_else(error)
}

/// The size of an array.
pub fn size<T>(size: Operand, span: Span) -> Result<u64, Refused<T>> {
    match constant::of(&size) {
        Some(value) => whole(value, span),
        None => Err(refused(SyntaxError::new(span, "the size of an array is a constant"))),
    }
}

pub fn word(text: &str, start: u32, end: u32) -> Name {
    Name { text: text.into(), span: Span::new(start, end) }
}

/// The attributes between space and name.
#[derive(Default)]
struct Attributes {
    align: Option<u64>,
    vector: u8,
    ty: Option<Type>,
    pointer: Option<Pointer>,
    managed: bool,
}

fn attributes(words: Vec<Attribute>) -> Result<Attributes, SyntaxError> {
    let mut found = Attributes { vector: 1, ..Attributes::default() };
    for word in words {
        match (word, &mut found.pointer) {
            (Attribute::Align(bytes), Some(pointer)) => pointer.align = Some(bytes),
            (Attribute::Align(bytes), None) => found.align = Some(bytes),
            (Attribute::Vector(count), _) => found.vector = count,
            (Attribute::Type(ty), _) => found.ty = Some(ty),
            (Attribute::Pointer, _) => {
                found.pointer = Some(Pointer { space: None, align: None });
            }
            (Attribute::Space(space), Some(pointer)) => pointer.space = Some(space),
            (Attribute::Space(_), None) => {}
            (Attribute::Named(name), _) => found.managed |= &*name.text == "managed",
            (Attribute::Unknown(name), _) => {
                let message = format!("`.{}` is no type of PTX", name.text);
                let help = "types are .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16, .f16x2, .bf16, .bf16x2, .f32, .f64 and .pred";
                return Err(SyntaxError::new(name.span, message).help(help));
            }
        }
    }
    Ok(found)
}

pub fn declaration<T>(
    linkage: Linkage,
    space: Space,
    words: Vec<Attribute>,
    declarators: Vec<Declarator>,
    span: Span,
) -> Result<Vec<Variable>, Refused<T>> {
    let Attributes { align, vector, ty, pointer, managed } = attributes(words).map_err(refused)?;
    let Some(ty) = ty else {
        let error = SyntaxError::new(span, "the declaration has no type");
        return Err(refused(error.help("a type stands before the name: `.reg .b32 %r<5>;`")));
    };
    let variable = |Declarator { name, count, dimensions, initialiser }| Variable {
        linkage,
        space,
        align,
        vector,
        ty,
        name,
        count,
        dimensions,
        initialiser,
        pointer,
        managed,
        span,
    };
    Ok(declarators.into_iter().map(variable).collect())
}

pub fn parameter<T>(
    space: Space,
    words: Vec<Attribute>,
    declarator: Declarator,
    span: Span,
) -> Result<Variable, Refused<T>> {
    let linkage = Linkage::default();
    let mut found = declaration(linkage, space, words, vec![declarator], span)?;
    found.pop().ok_or_else(|| refused(SyntaxError::new(span, "a parameter is expected here")))
}

pub fn block<T>(statements: Vec<Vec<Statement>>, span: Span) -> Result<Block, Refused<T>> {
    let statements: Vec<Statement> = statements.into_iter().flatten().collect();
    let inner = statements.iter().filter_map(|statement| match statement {
        Statement::Block(block) => Some(block.depth + 1),
        _ => None,
    });
    let depth = inner.max().unwrap_or(0);
    if depth > MOST_BLOCKS {
        let message = format!("blocks are nested more than {MOST_BLOCKS} deep");
        return Err(refused(SyntaxError::new(span, message).help("take inner blocks out")));
    }
    Ok(Block { statements, depth, span })
}

pub fn inlined<T>(
    word: Name,
    function: Option<InlinedFunction>,
    at: Name,
    call: CallSite,
) -> Result<Inlined, Refused<T>> {
    let expected = |name: &Name, right: &str| match &*name.text == right {
        true => Ok(()),
        false => {
            let message = format!("`{}` where `{right}` is expected", name.text);
            Err(refused(SyntaxError::new(name.span, message)))
        }
    };
    if function.is_some() {
        expected(&word, "function_name")?;
    }
    expected(&at, "inlined_at")?;
    Ok(Inlined { function, at: call })
}

pub fn instruction(
    guard: Option<Guard>,
    mnemonic: Name,
    modifiers: Vec<Name>,
    mut operands: Vec<Operand>,
    span: Span,
) -> Instruction {
    if &*mnemonic.text != "call" {
        for operand in &mut operands {
            if let Some(value) = constant::of(operand) {
                operand.kind = OperandKind::Constant(value);
            }
        }
    }
    Instruction { guard, mnemonic, modifiers, operands, span }
}

pub fn name(text: Text, span: Span) -> Operand {
    let kind = match &*text {
        "_" => OperandKind::Sink,
        _ => OperandKind::Name(text),
    };
    Operand { kind, span }
}

fn constant_at(value: Constant, span: Span) -> Operand {
    Operand { kind: OperandKind::Constant(value), span }
}

fn is_destination(operand: &Operand) -> bool {
    matches!(operand.kind, OperandKind::Name(_) | OperandKind::Sink)
}

pub fn binary<T>(
    operator: Binary,
    left: Operand,
    right: Operand,
    span: Span,
) -> Result<Operand, Refused<T>> {
    if let (Some(a), Some(b)) = (constant::of(&left), constant::of(&right)) {
        let value = constant::binary(operator, a, b);
        let none = || {
            let error = SyntaxError::new(span, "this expression has no value");
            refused(error.help("a divisor is not 0, and floats are neither shifted nor masked"))
        };
        return value.map(|value| constant_at(value, span)).ok_or_else(none);
    }
    if operator == Binary::Or && is_destination(&left) && is_destination(&right) {
        let kind = OperandKind::Pair(Box::new(left), Box::new(right));
        return Ok(Operand { kind, span });
    }
    let offset = constant::of(&right).and_then(Constant::integer).map(|bits| bits as i64);
    let offset = match operator {
        Binary::Add => offset,
        Binary::Subtract => offset.map(i64::wrapping_neg),
        _ => None,
    };
    let kind = match (left.kind, offset) {
        (OperandKind::Name(name), Some(offset)) => OperandKind::Offset(name, offset),
        (OperandKind::Offset(name, before), Some(offset)) => {
            OperandKind::Offset(name, before.wrapping_add(offset))
        }
        (OperandKind::Generic(name, before), Some(offset)) => {
            OperandKind::Generic(name, before.wrapping_add(offset))
        }
        _ => return Err(refused(not_constant(span))),
    };
    Ok(Operand { kind, span })
}

pub fn unary<T>(operator: Unary, value: Operand, span: Span) -> Result<Operand, Refused<T>> {
    if let Some(known) = constant::of(&value) {
        let found = constant::unary(operator, known);
        let none = || refused(not_constant(span));
        return found.map(|value| constant_at(value, span)).ok_or_else(none);
    }
    let kind = match (operator, value.kind) {
        (Unary::Not, OperandKind::Name(name)) => OperandKind::Not(name),
        (Unary::Minus, kind @ (OperandKind::Name(_) | OperandKind::Part(..))) => {
            OperandKind::Minus(Box::new(Operand { kind, span: value.span }))
        }
        _ => return Err(refused(not_constant(span))),
    };
    Ok(Operand { kind, span })
}

pub fn cast<T>(ty: Type, value: Operand, span: Span) -> Result<Operand, Refused<T>> {
    let operator = match (ty.kind, ty.bits) {
        (Kind::Signed, 64) => Unary::Signed,
        (Kind::Unsigned, 64) => Unary::Unsigned,
        _ => {
            let message = format!("a constant is not cast to `.{}`", ty.name);
            return Err(refused(SyntaxError::new(span, message).help("write `.s64` or `.u64`")));
        }
    };
    match constant::of(&value) {
        Some(_) => unary(operator, value, span),
        None => Err(refused(not_constant(span))),
    }
}

pub fn conditional<T>(
    condition: Operand,
    then: Operand,
    otherwise: Operand,
    span: Span,
) -> Result<Operand, Refused<T>> {
    let values = [&condition, &then, &otherwise].map(constant::of);
    let [Some(condition), Some(then), Some(otherwise)] = values else {
        return Err(refused(not_constant(span)));
    };
    let holds = constant::unary(Unary::Not, condition).and_then(Constant::integer) == Some(0);
    Ok(constant_at(if holds { then } else { otherwise }, span))
}

pub fn generic<T>(name: Name, value: Operand, span: Span) -> Result<Operand, Refused<T>> {
    let kind = match (&*name.text, value.kind) {
        ("generic", OperandKind::Name(variable)) => OperandKind::Generic(variable, 0),
        ("generic", OperandKind::Offset(variable, bytes)) => OperandKind::Generic(variable, bytes),
        _ => {
            let error = SyntaxError::new(span, "only `generic(variable)` is written like a call");
            return Err(refused(error));
        }
    };
    Ok(Operand { kind, span })
}

/// How deep `{}` are nested in an operand.
fn depth(operand: &Operand) -> u32 {
    let most = |items: &[Operand]| items.iter().map(depth).max().unwrap_or(0);
    match &operand.kind {
        OperandKind::Vector(items) => most(items) + 1,
        OperandKind::List(items) | OperandKind::Texture(items) => most(items) + 1,
        OperandKind::Address(inner) | OperandKind::Mask(_, inner) => depth(inner) + 1,
        _ => 0,
    }
}

fn bounded<T>(kind: OperandKind, span: Span) -> Result<Operand, Refused<T>> {
    let operand = Operand { kind, span };
    if depth(&operand) > MOST_BRACES {
        let message = format!("brackets are nested more than {MOST_BRACES} deep");
        return Err(refused(SyntaxError::new(span, message)));
    }
    Ok(operand)
}

pub fn list<T>(mut items: Vec<Operand>, span: Span) -> Result<Operand, Refused<T>> {
    // `((5))` is the constant again, however often.
    for item in &mut items {
        if let Some(value) = constant::of(item) {
            item.kind = OperandKind::Constant(value);
        }
    }
    bounded(OperandKind::List(items), span)
}

pub fn vector<T>(items: Vec<Operand>, span: Span) -> Result<Operand, Refused<T>> {
    match list(items, span)?.kind {
        OperandKind::List(items) => bounded(OperandKind::Vector(items), span),
        kind => Ok(Operand { kind, span }),
    }
}

pub fn address<T>(mut items: Vec<Operand>, span: Span) -> Result<Operand, Refused<T>> {
    if items.len() > 1 {
        return bounded(OperandKind::Texture(items), span);
    }
    let Some(base) = items.pop() else {
        return Err(refused(SyntaxError::new(span, "the address is empty")));
    };
    let base = match constant::of(&base) {
        Some(value) => constant_at(value, base.span),
        None => base,
    };
    match base.kind {
        OperandKind::Name(_) | OperandKind::Offset(..) | OperandKind::Constant(_) => {
            Ok(Operand { kind: OperandKind::Address(Box::new(base)), span })
        }
        _ => {
            let error = SyntaxError::new(base.span, "this is no address");
            Err(refused(error.help(
                "an address is a register or variable, with or without a number: `[%rd1+4]`",
            )))
        }
    }
}
