//! The check of a module: names, forms of instructions, and types of operands.
//!
//! It does not look at meaning. In a module that passes, each instruction has a row in the table, every name is declared, and
//! every operand has a type that its instruction takes.

use crate::form::{self, Form, Holds, Types};
use crate::scope::Scopes;
use crate::special::SPECIAL;
use crate::tree::{
    Block, Function, Instruction, Kind, Module, Name, Operand, OperandKind, Space, Statement, Type,
    Variable,
};
use crate::unsupported::{UNSUPPORTED, UNSUPPORTED_SPECIAL, UNSUPPORTED_WORDS};
use crate::{Constant, Span, SyntaxError, Text};

/// The newest version of PTX whose texts are read: 9 and whatever minor version.
pub const NEWEST_MAJOR: u32 = 9;
/// More faults than anyone reads in one go.
const MOST_FAULTS: usize = 100;

/// The meaning of a name.
#[derive(Clone, Debug)]
enum Symbol {
    Register(Type, u8),
    Variable,
    /// A texture, sampler or surface.
    Reference,
    Label,
    Table,
    Prototype,
    Function,
}

/// The faults of a module, in the order of the text.
pub fn check(module: &Module) -> Vec<SyntaxError> {
    let mut checker = Checker { scopes: Scopes::default(), faults: Vec::new() };
    checker.head(module);
    for variable in &module.variables {
        checker.declare_variable(variable);
    }
    for function in &module.functions {
        checker.scopes.declare(&function.name.text, None, Symbol::Function);
    }
    for (new, old) in &module.aliases {
        if !matches!(checker.scopes.find(&old.text), Some((Symbol::Function, _))) {
            checker.fault(old.span, format!("there is no function `{}`", old.text), "");
        }
        checker.scopes.declare(&new.text, None, Symbol::Function);
    }
    for function in &module.functions {
        checker.function(function);
    }
    checker.faults.sort_by_key(|fault| fault.span);
    checker.faults.truncate(MOST_FAULTS);
    checker.faults
}

struct Checker {
    scopes: Scopes<Symbol>,
    faults: Vec<SyntaxError>,
}

impl Checker {
    fn fault(&mut self, span: Span, message: impl Into<String>, help: &str) {
        if self.faults.len() < MOST_FAULTS * 2 {
            self.faults.push(SyntaxError::new(span, message).help(help));
        }
    }

    /// Version, target and size of addresses.
    fn head(&mut self, module: &Module) {
        let start = Span::new(0, 0);
        match module.version {
            None => self.fault(start, "the text has no `.version`", "begin with `.version 8.0`"),
            Some(version) if version.major > NEWEST_MAJOR => {
                let message = format!(
                    "PTX {}.{} is newer than what is read here, {NEWEST_MAJOR}.x",
                    version.major, version.minor
                );
                self.fault(version.span, message, "compile for an older version of PTX");
            }
            Some(_) => {}
        }
        if !module.target.iter().any(|word| word.text.starts_with("sm_")) {
            let span = module.target.first().map_or(start, |word| word.span);
            self.fault(span, "the text has no `.target sm_…`", "write `.target sm_75`");
        }
        let help = "compile for 64 bits: `-m64`, or `llc -march=nvptx64`";
        match module.address_size {
            Some(size) if size.bits == 64 => {}
            Some(size) => {
                let message = format!("addresses have 64 bits here, not {}", size.bits);
                self.fault(size.span, message, help);
            }
            // The directive exists since PTX 2.3.
            None if module.version.is_some_and(|it| (it.major, it.minor) < (2, 3)) => {}
            None => self.fault(start, "without `.address_size 64` addresses have 32 bits", help),
        }
    }

    fn function(&mut self, function: &Function) {
        self.scopes.open();
        for parameter in function.results.iter().chain(&function.parameters) {
            if parameter.space == Space::Register && parameter.ty.bits > 64 {
                let message = format!("`{}` is passed in a `.b128` register", parameter.name.text);
                self.fault(parameter.span, message, "pass two registers of 64 bits, or a `.param`");
            }
            if &*parameter.name.text != "_" {
                self.declare_variable(parameter);
            }
        }
        if let Some(body) = &function.body {
            self.block(body);
        }
        self.scopes.close();
    }

    fn declare_variable(&mut self, variable: &Variable) {
        let symbol = match variable.space {
            Space::Register => Symbol::Register(variable.ty, variable.vector),
            _ if variable.ty.kind == Kind::Reference => Symbol::Reference,
            _ => Symbol::Variable,
        };
        if variable.count.is_some() && variable.space != Space::Register {
            let help = "`<N>` counts registers; an array is written `name[N]`";
            self.fault(variable.span, "only registers are declared in numbers", help);
        }
        if variable.space == Space::Register && variable.ty.bits > 64 && variable.vector > 1 {
            let help = "a register has at most 128 bits";
            self.fault(variable.span, "a vector of `.b128` does not fit into a register", help);
        }
        // `.extern` variables may be declared again where they are defined.
        let again = !self.scopes.declare(&variable.name.text, variable.count, symbol);
        if again && !variable.linkage.external {
            let message = format!("`{}` is declared twice in a scope", variable.name.text);
            self.fault(variable.name.span, message, "give one of them another name");
        }
    }

    fn block(&mut self, block: &Block) {
        self.scopes.open();
        for statement in &block.statements {
            let (name, symbol) = match statement {
                Statement::Label(name) => (name, Symbol::Label),
                Statement::BranchTargets(name, _) => (name, Symbol::Table),
                Statement::CallPrototype { name, .. } | Statement::CallTargets(name, _) => {
                    (name, Symbol::Prototype)
                }
                _ => continue,
            };
            if !self.scopes.declare(&name.text, None, symbol) {
                let message = format!("`{}` is declared twice in a scope", name.text);
                self.fault(name.span, message, "give one of them another name");
            }
        }
        for statement in &block.statements {
            match statement {
                Statement::Variable(variable) => self.declare_variable(variable),
                Statement::Block(block) => self.block(block),
                Statement::Instruction(instruction) => self.instruction(instruction),
                Statement::BranchTargets(_, targets) => {
                    targets.iter().for_each(|target| self.label(&target.text, target.span));
                }
                _ => {}
            }
        }
        self.scopes.close();
    }

    fn label(&mut self, name: &str, span: Span) {
        if !matches!(self.scopes.find(name), Some((Symbol::Label, _))) {
            self.fault(span, format!("there is no label `{name}` here"), "");
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        if let Some(guard) = &instruction.guard {
            self.predicate(&guard.predicate);
        }
        let Some(form) = form::find(instruction) else {
            return self.unknown(instruction);
        };
        let words = instruction.modifiers.iter().map(|word| &*word.text);
        let types = Types::of(words.clone());
        if form.operands.iter().any(|operand| operand.holds == Holds::Call) {
            return self.call(instruction);
        }
        let least = form.operands.iter().filter(|operand| !operand.optional).count();
        let count = instruction.operands.len();
        if count < least || count > form.operands.len() {
            let message = format!(
                "`{}` takes {}, but {} given",
                instruction.spelled(),
                number(form.operands.len()),
                is(count)
            );
            return self.fault(instruction.span, message, &help(form));
        }
        let lanes = form::lanes(words.clone());
        let layered = words.clone().any(form::is_layered);
        let has_all = count == form.operands.len();
        let written = form.operands.iter().filter(|operand| has_all || !operand.optional);
        for (given, wanted) in instruction.operands.iter().zip(written) {
            let asked = Asked { wanted: *wanted, types, lanes, layered };
            if let Err(message) = self.operand(given, asked) {
                self.fault(given.span, message, &help(form));
            }
        }
    }

    /// An instruction that has no row.
    fn unknown(&mut self, instruction: &Instruction) {
        let mnemonic = &*instruction.mnemonic.text;
        let patterns = form::patterns(mnemonic);
        let first = instruction.mnemonic.span;
        let last = instruction.modifiers.last().map_or(first, |word| word.span);
        let span = Span::new(first.start, last.end);
        let unsupported = UNSUPPORTED.iter().find(|(names, ..)| names.contains(&mnemonic));
        if let Some((_, reason, help)) = unsupported {
            let message = format!("`{mnemonic}` cannot be compiled: {reason}");
            return self.fault(span, message, help);
        }
        if patterns.is_empty() {
            let message = format!("`{mnemonic}` is no instruction that can be compiled");
            let help = "`reconverge list instructions --ptx` shows those that can";
            return self.fault(span, message, help);
        }
        let has = |word: &&str| instruction.modifiers.iter().any(|own| &*own.text == *word);
        let words = UNSUPPORTED_WORDS.iter().find(|(words, ..)| words.iter().any(has));
        if let Some((_, reason, help)) = words {
            let message = format!("`{}` cannot be compiled: {reason}", instruction.spelled());
            return self.fault(span, message, help);
        }
        let message = format!("there is no `{}` that can be compiled", instruction.spelled());
        let help = format!("the forms of `{mnemonic}` are {}", patterns.join(", "));
        self.fault(span, message, &help);
    }

    fn predicate(&mut self, name: &Name) {
        match self.scopes.find(&name.text) {
            Some((Symbol::Register(ty, 1), _)) if ty.kind == Kind::Predicate => {}
            Some(_) => {
                let message = format!("`{}` is no predicate", name.text);
                self.fault(name.span, message, "a guard is a register of type `.pred`");
            }
            None => self.undeclared(&name.text, name.span),
        }
    }

    fn undeclared(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is not declared");
        self.fault(span, message, "registers are declared by `.reg .b32 %r<5>;`");
    }

    /// The operands of a call: the called function; its signature is looked at where it is put in place.
    fn call(&mut self, instruction: &Instruction) {
        let mut names = Vec::new();
        for operand in &instruction.operands {
            match &operand.kind {
                OperandKind::Name(name) => names.push((name, operand.span)),
                OperandKind::List(items) => {
                    for item in items {
                        if let OperandKind::Name(name) = &item.kind {
                            names.push((name, item.span));
                        }
                    }
                }
                _ => {
                    let help = "a call is `call (results), function, (arguments);`";
                    self.fault(operand.span, "this is no operand of a call", help);
                }
            }
        }
        for (name, span) in names {
            if self.scopes.find(name).is_none() {
                let message = format!("`{name}` is not declared");
                self.fault(span, message, "a function is declared before it is called");
            }
        }
    }

    fn operand(&mut self, given: &Operand, asked: Asked) -> Result<(), String> {
        match (asked.wanted.holds, &given.kind) {
            (Holds::Label, OperandKind::Name(name)) => {
                self.label(name, given.span);
                Ok(())
            }
            (Holds::Label, _) => Err("a label is expected here".to_owned()),
            (Holds::Table, OperandKind::Name(name)) => match self.scopes.find(name) {
                Some((Symbol::Table, _)) => Ok(()),
                _ => Err(format!("there is no list of labels `{name}` here")),
            },
            (Holds::Table, _) => Err("a list of labels is expected here".to_owned()),
            (Holds::Address, OperandKind::Address(base)) => self.address(base),
            (Holds::Address, _) => Err("an address in brackets is expected here".to_owned()),
            (Holds::Texture(0), OperandKind::Address(base)) => self.texture_alone(base),
            (Holds::Texture(0), _) => {
                Err("a texture or surface, `[t]`, is expected here".to_owned())
            }
            (Holds::Texture(count), OperandKind::Texture(items)) => {
                self.texture(items, count, asked)
            }
            (Holds::Texture(_), _) => {
                Err("a texture with coordinates, `[t, {x}]`, is expected here".to_owned())
            }
            (Holds::Constant, OperandKind::Constant(Constant::Integer { .. })) => Ok(()),
            (Holds::Constant, _) => Err("a constant is expected here".to_owned()),
            (Holds::Size, _) => self.size(given, asked),
            (Holds::Move, _) => self.moved(given, asked),
            (_, OperandKind::Vector(items)) if asked.wanted.count == items.len() => {
                items.iter().try_for_each(|item| self.scalar(item, asked))
            }
            _ if asked.wanted.count > 1 => {
                Err(format!("{} values in braces are expected here", asked.wanted.count))
            }
            (_, OperandKind::Vector(items)) => match asked.lanes {
                Some(lanes) if asked.wanted.vector && lanes == items.len() => {
                    items.iter().try_for_each(|item| self.scalar(item, asked))
                }
                // Triton puts the only element in braces.
                None if asked.wanted.vector && items.len() == 1 => self.scalar(&items[0], asked),
                Some(lanes) if asked.wanted.vector => {
                    Err(format!("a vector of {lanes} is expected here"))
                }
                _ => Err("a vector is not expected here".to_owned()),
            },
            (_, OperandKind::Pair(first, second)) if asked.wanted.pair => {
                self.scalar(first, asked)?;
                self.second(second)
            }
            _ => self.scalar(given, asked),
        }
    }

    /// A word, or a predicate.
    fn size(&mut self, given: &Operand, asked: Asked) -> Result<(), String> {
        let is_predicate = match &given.kind {
            OperandKind::Not(_) => true,
            OperandKind::Name(name) => matches!(
                self.scopes.find(name),
                Some((Symbol::Register(ty, 1), _)) if ty.kind == Kind::Predicate
            ),
            _ => false,
        };
        let ty = if is_predicate { PREDICATE } else { WORD };
        let complement = is_predicate;
        let wanted = form::Operand { holds: Holds::Exactly(ty), complement, ..asked.wanted };
        self.scalar(given, Asked { wanted, ..asked })
    }

    /// The second destination, a predicate.
    fn second(&mut self, operand: &Operand) -> Result<(), String> {
        match &operand.kind {
            OperandKind::Sink => Ok(()),
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some((Symbol::Register(ty, 1), _)) if ty.kind == Kind::Predicate => Ok(()),
                Some(_) => Err(format!("`{name}` is no predicate")),
                None => Err(format!("`{name}` is not declared")),
            },
            _ => Err("a predicate is expected here".to_owned()),
        }
    }

    fn address(&mut self, base: &Operand) -> Result<(), String> {
        match &base.kind {
            OperandKind::Constant(_) => Ok(()),
            OperandKind::Name(name) | OperandKind::Offset(name, _) => {
                match self.scopes.find(name) {
                    Some((Symbol::Variable, _)) => Ok(()),
                    Some((Symbol::Register(ty, 1), _)) if is_address(*ty) => Ok(()),
                    Some((Symbol::Register(ty, _), _)) => {
                        Err(format!("`{name}` is `.{}`; an address has 32 or 64 bits", ty.name))
                    }
                    Some(_) => Err(format!("`{name}` is no address")),
                    None => Err(format!("`{name}` is not declared")),
                }
            }
            _ => Err("this is no address".to_owned()),
        }
    }

    /// A texture with its coordinates.
    fn texture(&mut self, items: &[Operand], count: usize, asked: Asked) -> Result<(), String> {
        let [texture, coordinates] = items else {
            let message =
                "a texture has its sampler in itself here: leave `.target texmode_independent` out";
            return Err(message.to_owned());
        };
        self.texture_alone(texture)?;
        let given = match &coordinates.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        if given.len() != count {
            let (plural, is) = if count == 1 { ("", "is") } else { ("s", "are") };
            return Err(format!("{count} coordinate{plural} {is} expected here"));
        }
        // Without a second type, the coordinates of a surface are words; so is a layer.
        let word = form::Operand { holds: Holds::Exactly(WORD), ..asked.wanted };
        let coordinate = match asked.types.second {
            Some(_) => form::Operand { holds: Holds::Second, ..asked.wanted },
            None => word,
        };
        given.iter().enumerate().try_for_each(|(at, item)| {
            let wanted = if at == 0 && asked.layered { word } else { coordinate };
            self.scalar(item, Asked { wanted, ..asked })
        })
    }

    /// A texture or surface.
    fn texture_alone(&mut self, texture: &Operand) -> Result<(), String> {
        match &texture.kind {
            OperandKind::Name(name) => match self.scopes.find(name) {
                // A program may have given a reference its memory.
                Some((Symbol::Reference | Symbol::Variable, _)) => Ok(()),
                Some((Symbol::Register(ty, 1), _)) if is_address(*ty) && ty.bits == 64 => Ok(()),
                Some(_) => Err(format!("`{name}` is no texture")),
                None => Err(format!("`{name}` is not declared")),
            },
            _ => Err("a texture is a register of 64 bits or a `.texref`".to_owned()),
        }
    }

    /// An operand with a type.
    fn scalar(&mut self, given: &Operand, asked: Asked) -> Result<(), String> {
        let Asked { wanted, types, .. } = asked;
        let Some(ty) = types.operand(wanted.holds) else {
            return Ok(());
        };
        match &given.kind {
            OperandKind::Sink if wanted.destination || wanted.vector => Ok(()),
            OperandKind::Constant(constant) if !wanted.destination => fits(*constant, ty),
            OperandKind::Not(name) if wanted.complement && ty.kind == Kind::Predicate => {
                self.register(name, ty, wanted.wider)
            }
            OperandKind::Name(name) => match is_special(name) && !wanted.destination {
                true if ty.bits > 64 => Err(format!("`{name}` has fewer bits than `.{}`", ty.name)),
                true => Ok(()),
                false => self.register(name, ty, wanted.wider),
            },
            OperandKind::Part(name, part) if wanted.has_selector(part) => {
                self.register(name, ty, wanted.wider)
            }
            OperandKind::Part(name, part) => self.part(name, part, ty, asked),
            OperandKind::Minus(inner) if wanted.negated => self.scalar(
                inner,
                Asked { wanted: form::Operand { negated: false, ..wanted }, ..asked },
            ),
            _ => Err(format!("a register{} is expected here", or_constant(wanted.destination))),
        }
    }

    /// `%tid.x`, or an element of a vector register.
    fn part(&self, name: &str, part: &str, ty: Type, asked: Asked) -> Result<(), String> {
        if is_special(name) {
            return match asked.wanted.destination {
                true => Err(format!("`{name}` cannot be written")),
                false => Ok(()),
            };
        }
        let place = element(part);
        match self.scopes.find(name) {
            Some((Symbol::Register(own, count), _)) if place.is_some_and(|at| at < *count) => {
                agree(name, *own, ty, asked.wanted.wider)
            }
            Some(_) => Err(format!("`{name}` has no part `.{part}`")),
            None => Err(undeclared(name)),
        }
    }

    fn register(&self, name: &Text, ty: Type, wider: bool) -> Result<(), String> {
        match self.scopes.find(name) {
            Some((Symbol::Register(own, 1), _)) => agree(name, *own, ty, wider),
            Some((Symbol::Register(..), _)) => Err(format!("`{name}` is a vector")),
            Some(_) => Err(format!("`{name}` is no register")),
            None => Err(undeclared(name)),
        }
    }

    /// An operand of `mov`.
    fn moved(&mut self, given: &Operand, asked: Asked) -> Result<(), String> {
        let Some(ty) = asked.types.first else {
            return Ok(());
        };
        let typed =
            Asked { wanted: form::Operand { holds: Holds::First, ..asked.wanted }, ..asked };
        match &given.kind {
            OperandKind::Vector(items) => {
                let count = items.len() as u32;
                let name = format!("b{}", u32::from(ty.bits).checked_div(count).unwrap_or(0));
                // `.b128` has two parts, the others two or four.
                let fits = count == 2 || count == 4 && ty.bits <= 64;
                let Some(element) = Type::find(&name).filter(|_| fits) else {
                    return Err(format!("`.{}` has no {count} parts", ty.name));
                };
                let types = Types { first: Some(element), second: None };
                items.iter().try_for_each(|item| self.scalar(item, Asked { types, ..typed }))
            }
            OperandKind::Name(name) | OperandKind::Offset(name, _)
                if !asked.wanted.destination && !is_special(name) =>
            {
                match self.scopes.find(name) {
                    Some((Symbol::Variable | Symbol::Reference, _)) if is_address(ty) => Ok(()),
                    Some((Symbol::Variable | Symbol::Reference, _)) => {
                        Err(format!("`.{}` holds no address", ty.name))
                    }
                    Some((Symbol::Function, _)) => Err(format!(
                        "the address of the function `{name}` has no meaning here, as indirect calls have none"
                    )),
                    _ => self.scalar(given, typed),
                }
            }
            _ => self.scalar(given, typed),
        }
    }
}

/// The requirements of an operand.
#[derive(Clone, Copy)]
struct Asked {
    wanted: form::Operand,
    types: Types,
    /// Registers in braces that the modifiers ask for.
    lanes: Option<usize>,
    /// The first coordinate is a layer.
    layered: bool,
}

/// A word.
const WORD: Type = Type { kind: Kind::Unsigned, bits: 32, name: "u32" };

/// A predicate.
const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 1, name: "pred" };

/// The number of an element, by its letter.
pub fn element(part: &str) -> Option<u8> {
    Some(match part {
        "x" | "r" => 0,
        "y" | "g" => 1,
        "z" | "b" => 2,
        "w" | "a" => 3,
        _ => return None,
    })
}

fn is_special(name: &str) -> bool {
    SPECIAL.iter().any(|(special, _)| *special == name)
}

/// The fault of a name that nothing declares.
fn undeclared(name: &str) -> String {
    let family = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let known = |names: &[&str]| names.contains(&name) || names.contains(&family);
    if let Some((_, since)) = UNSUPPORTED_SPECIAL.iter().find(|(names, _)| known(names)) {
        return format!("`{name}` is a special register {since}, and cannot be read here");
    }
    match name.starts_with('%') {
        true => format!("`{name}` is neither declared nor a special register that can be read"),
        false => format!("`{name}` is not declared"),
    }
}

fn is_address(ty: Type) -> bool {
    let integer = matches!(ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed);
    integer && matches!(ty.bits, 32 | 64)
}

/// Checks that a register of a type can hold what an instruction of another one reads or writes.
fn agree(name: &str, own: Type, ty: Type, wider: bool) -> Result<(), String> {
    let integer = |ty: Type| matches!(ty.kind, Kind::Unsigned | Kind::Signed);
    let float = |ty: Type| matches!(ty.kind, Kind::Float | Kind::Brain);
    let size = match wider {
        // No value is extended to 128 bits.
        true => own.bits == ty.bits || own.bits > ty.bits && own.bits <= 64,
        false => own.bits == ty.bits,
    };
    let predicates = (own.kind == Kind::Predicate) == (ty.kind == Kind::Predicate);
    let mixed = integer(own) && float(ty) || float(own) && integer(ty);
    match size && predicates && (!mixed || own.bits != ty.bits) {
        true => Ok(()),
        false => Err(format!("`{name}` is `.{}` where `.{}` is expected", own.name, ty.name)),
    }
}

/// Checks that a constant can be an operand of a type.
fn fits(constant: Constant, ty: Type) -> Result<(), String> {
    let right = match (constant, ty.kind) {
        _ if ty.bits > 64 => false,
        // Compilers write -1 for a predicate that holds.
        (Constant::Integer { bits, .. }, Kind::Predicate) => bits < 2 || bits == u64::MAX,
        (Constant::Integer { .. }, kind) => kind != Kind::Float,
        (Constant::Single(_), Kind::Float | Kind::Bits) => ty.bits >= 32,
        (Constant::Double(_), Kind::Float) => ty.bits >= 32,
        (Constant::Double(_), Kind::Bits) => ty.bits == 64,
        _ => false,
    };
    let kind = match constant {
        Constant::Integer { .. } => "an integer",
        _ => "a floating-point number",
    };
    match right {
        true => Ok(()),
        false => Err(format!("{kind} where `.{}` is expected", ty.name)),
    }
}

fn or_constant(destination: bool) -> &'static str {
    if destination { "" } else { " or a constant" }
}

fn number(count: usize) -> String {
    match count {
        0 => "no operands".to_owned(),
        1 => "1 operand".to_owned(),
        _ => format!("{count} operands"),
    }
}

fn is(count: usize) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

/// How the form is written.
fn help(form: &Form) -> String {
    let names: Vec<&str> = form.operands.iter().map(|operand| operand.name).collect();
    format!("the form is `{} {};`", form.row.pattern, names.join(", "))
}
