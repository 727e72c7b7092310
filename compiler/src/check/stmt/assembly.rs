//! `asm` statements: inline PTX.
//!
//! Each operand is a variable of its own, which the statement's text names. Inputs are stored there before the statement, and
//! outputs are read from there after it. Registers that several statements of a function share are such variables too.

use crate::check::expr::convert;
use crate::check::state::Checker;
use crate::check::state::body::Body;
use crate::check::tree::{
    Assembly, Expr, ExprKind, IntKind, LocalId, Place, PlaceKind, Shared, Stmt, StmtKind, Type,
};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use reconverge_isa::CacheHints;
use reconverge_ptx::inline::{self, Fresh, Holds, Inline, Kept, Register};
use reconverge_ptx::tree::Type as PtxType;
use std::sync::Arc;

/// A constraint: its letter, the size of its operands, and their register.
struct Constraint {
    letter: char,
    bytes: u64,
    /// It accepts integers and pointers, not floating-point numbers.
    whole: bool,
    register: &'static str,
    ty: Type,
}

const CONSTRAINTS: &[Constraint] = &[
    Constraint {
        letter: 'h',
        bytes: 2,
        whole: true,
        register: "b16",
        ty: Type::Int(IntKind::UShort),
    },
    Constraint { letter: 'r', bytes: 4, whole: true, register: "b32", ty: Type::UINT },
    Constraint { letter: 'l', bytes: 8, whole: true, register: "b64", ty: Type::SIZE },
    Constraint { letter: 'f', bytes: 4, whole: false, register: "f32", ty: Type::Float },
    Constraint { letter: 'd', bytes: 8, whole: false, register: "f64", ty: Type::Double },
];

/// An output: its destination, and the variable that holds it.
struct Output {
    place: Lvalue,
    from: LocalId,
    ty: Type,
    span: Span,
}

/// The parts of a checked statement.
#[derive(Default)]
struct Parts {
    operands: Vec<inline::Operand>,
    locals: Vec<Option<LocalId>>,
    before: Vec<Stmt>,
    outputs: Vec<Output>,
}

impl Checker {
    /// An `asm` statement.
    pub(crate) fn assembly(&mut self, statement: &ast::Assembly, span: Span) -> Option<StmtKind> {
        if !self.in_device_code() {
            let message = "`asm` exists in device code only";
            let found = Diagnostic::error(code::ASM, span, message).help(
                "the text is PTX; put the function into `#ifdef __CUDA_ARCH__`, or write C++",
            );
            return self.fail(self.note_side(found));
        }
        let wrong = |at: Span, message: &str, help: &str| {
            Diagnostic::error(code::ASM, at, message.to_owned()).help(help.to_owned())
        };
        let Ok(text) = std::str::from_utf8(&statement.text) else {
            return self.fail(wrong(
                statement.place,
                "the text is not UTF-8",
                "write plain letters",
            ));
        };
        if let Some(more) = statement.sections.get(3).and_then(|section| section.first()) {
            let help = "outputs, inputs and what is clobbered follow three colons";
            return self.fail(wrong(more.span, "operands after a fourth colon", help));
        }
        let mut parts = Parts::default();
        let mut all = true;
        for (number, section) in statement.sections.iter().take(2).enumerate() {
            for operand in section {
                all &= self.assembly_operand(operand, number == 0, &mut parts).is_some();
            }
        }
        for clobbered in statement.sections.get(2).into_iter().flatten() {
            if clobbered.value.is_some() {
                let help = "outputs are first, inputs second, and names such as `\"memory\"` third";
                return self.fail(wrong(clobbered.span, "a value among what is clobbered", help));
            }
        }
        if !all {
            return None;
        }
        let Parts { operands, mut locals, mut before, outputs } = parts;
        let is_extended = !statement.sections.is_empty();
        let texts = &mut self.body.as_mut()?.assembly.texts;
        let text = match Inline::new(text, &operands, is_extended, texts) {
            Ok(text) => text,
            Err(fault) => {
                let found = Diagnostic::error(code::ASM, statement.place, fault.message);
                return self.fail(found.advice(&fault.help));
            }
        };
        for fresh in &text.fresh {
            before.extend(self.assembly_fresh(fresh, span)?);
        }
        for &kept in &text.kept {
            locals.push(Some(self.assembly_kept(kept, &mut before, span)?));
        }
        self.body.as_mut()?.assembly.spans.push(span);
        let kind = StmtKind::Assembly(Arc::new(Assembly { text, locals }));
        before.push(Stmt { kind, span });
        for output in outputs {
            let stored = self.assembly_output(output)?;
            before.push(stored);
        }
        Some(StmtKind::Block(before))
    }

    /// The variable of a register or shared variable that a text declares; a register becomes 0.
    fn assembly_fresh(&mut self, fresh: &Fresh, span: Span) -> Option<Option<Stmt>> {
        match fresh {
            Fresh::Register(register) => {
                let ty = match register.bits {
                    64 => CType::SIZE,
                    _ => CType::UINT,
                };
                let local = self.assembly_local(ty.lower(), span)?;
                self.body.as_mut()?.assembly.registers.push(local);
                Some(Some(stored_in(local, Value::int(0, ty, span).expr, span)))
            }
            Fresh::Shared(name, bytes) => {
                let ty = Type::Array(Arc::new(Type::Int(IntKind::UChar)), *bytes);
                let name = name.to_string();
                let id = self.variables.add_shared(Shared { name, ty, dynamic: false, span });
                self.body.as_mut()?.assembly.shared.push(id);
                Some(None)
            }
        }
    }

    /// The variable of a register or address that the function's statements share.
    fn assembly_kept(&mut self, kept: Kept, before: &mut Vec<Stmt>, span: Span) -> Option<LocalId> {
        let statements = &self.body.as_ref()?.assembly;
        let (number, bits) = match kept {
            Kept::Register(number) => return statements.registers.get(number as usize).copied(),
            Kept::Address(number, bits) => (number, bits),
        };
        let id = *statements.shared.get(number as usize)?;
        let ty = self.variables.shared(id)?.ty.clone();
        let place = Place {
            kind: PlaceKind::Shared(id),
            ty,
            volatile: false,
            cache: CacheHints::NONE,
            span,
        };
        let pointer = CType::Void.plain().pointer();
        let address = Value::new(ExprKind::AddressOf(Box::new(place)), pointer, span);
        let wide = convert::cast(address, &CType::SIZE);
        let ty = if bits == 32 { CType::UINT } else { CType::SIZE };
        let local = self.assembly_local(ty.lower(), span)?;
        before.push(stored_in(local, convert::cast(wide, &ty).expr, span));
        Some(local)
    }

    /// Reports a block that a function's statements leave open.
    pub(crate) fn check_statements_closed(&mut self, body: &Body) {
        let unclosed = body.assembly.texts.unclosed();
        let Some(&span) = unclosed.and_then(|statement| body.assembly.spans.get(statement)) else {
            return;
        };
        let message = "no `asm` statement of the function closes the block that this one opens";
        let found = Diagnostic::error(code::ASM, span, message.to_owned());
        self.report(found.help("write `asm(\"}\");` below, in the same function"));
    }

    fn assembly_operand(
        &mut self,
        operand: &ast::AssemblyOperand,
        is_output: bool,
        parts: &mut Parts,
    ) -> Option<()> {
        let span = operand.span;
        let text = String::from_utf8_lossy(&operand.constraint).into_owned();
        let wrong = |message: String, help: &str| {
            Diagnostic::error(code::ASM, span, message).help(help.to_owned())
        };
        let Some(value) = &operand.value else {
            let message = "an operand without a value".to_owned();
            return self.fail(wrong(message, "an operand is a constraint and a value: `\"r\"(n)`"));
        };
        let letters = text.trim_start_matches(['=', '+', '&']);
        let marks = &text[..text.len() - letters.len()];
        let reads = !is_output || marks.contains('+');
        if is_output != marks.contains(['=', '+']) {
            let message = match is_output {
                true => format!("the output `{text}` has neither `=` nor `+`"),
                false => format!("the input `{text}` is marked as an output"),
            };
            return self
                .fail(wrong(message, "outputs are `\"=r\"`, or `\"+r\"` if the text reads them"));
        }
        let name = operand.name.as_ref().map(ToString::to_string);
        if letters == "n" && !is_output {
            let known = self.constant_integer(value, "the operand of `n`")?;
            parts.operands.push(inline::Operand { name, holds: Holds::Constant(known) });
            parts.locals.push(None);
            return Some(());
        }
        // `0` is the register of that output.
        if let (false, Ok(number)) = (is_output, letters.parse::<usize>()) {
            return self.matching_operand(number, name, value, span, parts);
        }
        let known = CONSTRAINTS.iter().find(|known| letters.chars().eq([known.letter]));
        let Some(known) = known else {
            let (message, help) = unknown_constraint(&text, letters);
            return self.fail(wrong(message, help));
        };
        let local = self.assembly_local(known.ty.clone(), span)?;
        if is_output {
            let found = self.operand(value)?;
            let mut place = self.require_writable(found, "an output of `asm`", value.span)?;
            self.suits(&place.ty.ty.clone(), known, &text, span)?;
            if let Some(steady) = self.steady(&mut place.place)? {
                parts.before.push(Stmt { kind: StmtKind::Expr(steady), span });
            }
            if reads {
                let old = self.load(place.clone().into());
                let stored = self.store_operand(old, known.ty.clone(), local, span)?;
                parts.before.push(stored);
            }
            parts.outputs.push(Output { place, from: local, ty: known.ty.clone(), span });
        } else {
            let value = self.value(value)?;
            self.suits(&value.ty.clone(), known, &text, span)?;
            let stored = self.store_operand(value, known.ty.clone(), local, span)?;
            parts.before.push(stored);
        }
        let ty = PtxType::find(known.register)?;
        let register = Register { ty, read: reads, written: is_output };
        parts.operands.push(inline::Operand { name, holds: Holds::Register(register) });
        parts.locals.push(Some(local));
        Some(())
    }

    /// An input in the register of an output.
    fn matching_operand(
        &mut self,
        number: usize,
        name: Option<String>,
        value: &ast::Expr,
        span: Span,
        parts: &mut Parts,
    ) -> Option<()> {
        let own = parts.locals.get(number).copied().flatten();
        let output = parts.outputs.iter().find(|output| Some(output.from) == own);
        let Some((local, ty)) = output.map(|output| (output.from, output.ty.clone())) else {
            let message = format!("there is no output {number}");
            let found = Diagnostic::error(code::ASM, span, message);
            return self.fail(found.help("a number in an input is that of an output"));
        };
        let value = self.value(value)?;
        let stored = self.store_operand(value, ty.clone(), local, span)?;
        parts.before.push(stored);
        let Holds::Register(register) = &mut parts.operands[number].holds else {
            return None;
        };
        register.read = true;
        // The text may name the register by the input's number too.
        let same = Register { written: false, ..*register };
        let copy = self.assembly_local(ty.clone(), span)?;
        let kind = ExprKind::Load(variable(local, ty.clone(), span));
        parts.before.push(stored_in(copy, Expr { kind, ty, span }, span));
        parts.operands.push(inline::Operand { name, holds: Holds::Register(same) });
        parts.locals.push(Some(copy));
        Some(())
    }

    /// A variable for an operand.
    fn assembly_local(&mut self, ty: Type, span: Span) -> Option<LocalId> {
        match self.temporary(ty, false, span)?.kind {
            PlaceKind::Local(local) => Some(local),
            _ => None,
        }
    }

    /// Checks that a value has the size and kind that a constraint is for.
    fn suits(&mut self, ty: &CType, known: &Constraint, text: &str, span: Span) -> Option<()> {
        let whole = ty.is_integer() || ty.is_pointer();
        let floating = matches!(ty, CType::Float | CType::Double);
        let size = if whole || floating { self.size_of(ty)? } else { 0 };
        if size == known.bytes && whole == known.whole {
            return Some(());
        }
        let message = format!("a `{}` does not suit the constraint `{text}`", self.spell(ty));
        let found = Diagnostic::error(code::ASM, span, message);
        self.fail(found.help(
            "`h` is for integers of 16 bits, `r` of 32, `l` of 64 and pointers, `f` for float, `d` for double: convert the value",
        ))
    }

    /// Stores a value in the variable of an operand.
    fn store_operand(
        &mut self,
        value: Value,
        ty: Type,
        local: LocalId,
        span: Span,
    ) -> Option<Stmt> {
        let value = convert::cast(value, &c_type(&ty)?).expr;
        Some(stored_in(local, value, span))
    }

    /// Stores the value of an operand's variable after the text.
    fn assembly_output(&mut self, output: Output) -> Option<Stmt> {
        let Output { place, from, ty, span } = output;
        let own = c_type(&ty)?;
        let value = Value::new(ExprKind::Load(variable(from, ty, span)), own, span);
        let value = convert::cast(value, &place.ty.ty);
        let stored = self.plain_assign(place, value, span)?;
        Some(Stmt { kind: StmtKind::Expr(stored.expr), span })
    }
}

/// The error about a constraint that is not supported.
fn unknown_constraint(text: &str, letters: &str) -> (String, &'static str) {
    match letters {
        "q" => (
            format!("the constraint `{text}` is for values of 128 bits, and there is no such type"),
            "pass the two halves by `l`, and put them together by `mov.b128`",
        ),
        "C" => (
            format!("the constraint `{text}` is for strings, which are not supported"),
            "write the string into the text",
        ),
        _ => (
            format!("there is no constraint `{text}`"),
            "`r`, `l`, `h`, `f`, `d` and, for constants, `n` are known",
        ),
    }
}

/// The type of an operand's variable in C.
fn c_type(ty: &Type) -> Option<CType> {
    Some(match ty {
        Type::Float => CType::Float,
        Type::Double => CType::Double,
        Type::Int(kind) => CType::Int(*kind),
        _ => return None,
    })
}

/// A variable of an operand, as a place.
fn variable(local: LocalId, ty: Type, span: Span) -> Place {
    Place { kind: PlaceKind::Local(local), ty, volatile: false, cache: CacheHints::NONE, span }
}

/// A statement that stores a value in a variable.
fn stored_in(local: LocalId, value: Expr, span: Span) -> Stmt {
    let ty = value.ty.clone();
    let place = variable(local, ty.clone(), span);
    let kind = ExprKind::Assign(Box::new(place), Box::new(value));
    Stmt { kind: StmtKind::Expr(Expr { kind, ty, span }), span }
}
