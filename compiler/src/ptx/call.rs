//! Calls: the called function's code in their place, and the functions that every device has.

use super::kernel::{Inlined, Ins, Kernel, Place, Symbol};
use super::operand::{B32, B64};
use super::{Refused, Result};
use crate::ir::{self, Access, Value};
use crate::lower::print::{KINDS_PER_WORD, Printed};
use reconverge_isa::{CONSTANT_BASE, GLOBAL_BASE, Op, Space, Width};
use reconverge_ptx::tree::{self, Operand, OperandKind, Variable};

/// The deepest nesting of calls.
const MOST_CALLS: usize = 64;

/// The parts of a call.
pub struct Call<'a> {
    /// The function.
    pub name: &'a str,
    /// The places of its results.
    pub results: &'a [Operand],
    /// Its arguments.
    pub arguments: &'a [Operand],
}

impl Kernel<'_, '_> {
    /// `call`.
    pub fn call(&mut self, ins: Ins) -> Result<()> {
        let call = parts(ins)?;
        if let Some(&function) = self.context.functions.get(call.name) {
            return self.inline(ins, &call, function);
        }
        if self.library(ins, &call)?.is_some() {
            return Ok(());
        }
        match call.name {
            "vprintf" => self.print(ins, &call),
            "__assertfail" => {
                let text = self.argument(ins, &call, 0)?;
                let text = self.builder.compute(Op::Low, &[text]);
                self.builder.collective(Op::Trap, &[text]);
                Ok(())
            }
            name if self.context.declared.contains(name) => {
                let message = format!("the function `{name}` has no body in this text");
                let help = "link the module that has it before PTX is made (libdevice: `clang --cuda-path=…`, `llvm-link`)";
                Err(Refused::new(ins.it.span, message).help(help))
            }
            name => {
                let message = format!("`{name}` is called through a register or a table");
                Err(Refused::new(ins.it.span, message)
                    .help("indirect calls are not supported: call functions by their names"))
            }
        }
    }

    fn inline(&mut self, ins: Ins, call: &Call, function: &tree::Function) -> Result<()> {
        let name = &function.name.text;
        if self.inlined.iter().any(|running| running.name == *name) {
            let message = format!("`{name}` calls itself");
            let help = "code is put in the place of calls, so recursion is not supported: write it as a loop";
            return Err(Refused::new(ins.it.span, message).help(help));
        }
        if self.inlined.len() > MOST_CALLS {
            let message = format!("calls are nested more than {MOST_CALLS} deep");
            return Err(Refused::new(ins.it.span, message));
        }
        let counts = (call.results.len(), call.arguments.len());
        if counts != (function.results.len(), function.parameters.len()) {
            let message = format!(
                "`{name}` has {} parameters and {} results; the call passes {} and takes {}",
                function.parameters.len(),
                function.results.len(),
                counts.1,
                counts.0
            );
            return Err(Refused::new(ins.it.span, message));
        }
        let mut own = Vec::new();
        for (variable, operand) in function.parameters.iter().zip(call.arguments) {
            own.push((variable, self.passed(variable, operand)?));
        }
        for (variable, operand) in function.results.iter().zip(call.results) {
            own.push((variable, self.returned(variable, operand)));
        }
        let first = self.registers();
        let scopes = self.scopes.set_aside();
        self.scopes.open();
        for (variable, passed) in own {
            match passed {
                Passed::Place(place) => {
                    let symbol = Symbol::Place(place);
                    self.scopes.declare(&variable.name.text, None, symbol);
                }
                Passed::Fresh => self.declare(variable)?,
                Passed::Value(value) => {
                    self.declare(variable)?;
                    self.write(&named(variable), value, variable.ty)?;
                }
            }
        }
        let after = self.builder.block();
        self.inlined.push(Inlined { name: name.clone(), after: Some(after) });
        let location = self.save_location();
        if let Some(body) = &function.body {
            self.block(body)?;
        }
        self.builder.jump(after);
        self.builder.enter_sealed(after);
        self.restore_location(location);
        self.inlined.pop();
        let mut values = Vec::new();
        for variable in function.results.iter().filter(|it| it.space == tree::Space::Register) {
            values.push(self.value(&named(variable), variable.ty)?);
        }
        self.forget_registers(first);
        self.scopes.restore(scopes);
        let registers = function.results.iter().zip(call.results);
        let registers = registers.filter(|(variable, _)| variable.space == tree::Space::Register);
        for ((variable, operand), value) in registers.zip(values) {
            self.write(operand, value, variable.ty)?;
        }
        Ok(())
    }

    /// A parameter of a called function: the caller's own variable, or a value.
    fn passed(&mut self, variable: &Variable, operand: &Operand) -> Result<Passed> {
        if let (tree::Space::Parameter, Some(place)) = (variable.space, self.place_of(operand)) {
            return Ok(Passed::Place(place));
        }
        Ok(Passed::Value(self.value(operand, variable.ty)?))
    }

    /// A result of a called function.
    fn returned(&mut self, variable: &Variable, operand: &Operand) -> Passed {
        match (variable.space, self.place_of(operand)) {
            (tree::Space::Parameter, Some(place)) => Passed::Place(place),
            _ => Passed::Fresh,
        }
    }

    /// The place of an operand that is a variable in memory.
    fn place_of(&self, operand: &Operand) -> Option<Place> {
        match &operand.kind {
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some((&Symbol::Place(place), _)) => Some(place),
                _ => None,
            },
            _ => None,
        }
    }

    /// Remembers what is stored at the start of a variable, for calls that need its value at compile time.
    pub fn remember_argument(&mut self, address: &Operand, value: Value) {
        let OperandKind::Address(base) = &address.kind else {
            return;
        };
        let (OperandKind::Name(name) | OperandKind::Offset(name, 0)) = &base.kind else {
            return;
        };
        if let Some((&Symbol::Place(Place::Slot(slot)), _)) = self.scopes.find(name) {
            match self.guard {
                None => self.arguments.insert(slot, value),
                Some(_) => self.arguments.remove(&slot),
            };
        }
    }

    /// An argument of 64 bits of a function that every device has.
    fn argument(&mut self, ins: Ins, call: &Call, index: usize) -> Result<Value> {
        let value = self.any_argument(ins, call, index)?;
        match self.builder.function().ty(value) {
            ir::Type::B64 => Ok(value),
            _ => Err(ins.refused("takes an argument of 64 bits")),
        }
    }

    /// An argument of a function that every device has.
    pub fn any_argument(&mut self, ins: Ins, call: &Call, index: usize) -> Result<Value> {
        let operand = call.arguments.get(index);
        let operand = operand.ok_or_else(|| ins.refused("has too few arguments"))?;
        match self.place_of(operand) {
            Some(Place::Slot(slot)) => {
                let known = self.arguments.get(&slot).copied();
                known.ok_or_else(|| Refused::new(operand.span, "the argument has not been stored"))
            }
            _ => self.value(operand, B64),
        }
    }

    /// `vprintf`: the address of its format, and that of its values.
    fn print(&mut self, ins: Ins, call: &Call) -> Result<()> {
        let format = self.argument(ins, call, 0)?;
        let values = self.argument(ins, call, 1)?;
        let text = self.text_at(format).ok_or_else(|| {
            Refused::new(ins.it.span, "the format of `vprintf` is not a constant text")
                .help("print with a format that is written in the call")
        })?;
        let kinds = conversions(&text);
        let address = self.builder.compute(Op::Low, &[format]);
        self.emit(address);
        let count = self.builder.word(kinds.len() as u32);
        self.emit(count);
        for group in kinds.chunks(KINDS_PER_WORD) {
            let codes = group.iter().rev().fold(0, |word, &kind| word << 4 | shown(kind) as u32);
            let codes = self.builder.word(codes);
            self.emit(codes);
        }
        let mut offset = 0u32;
        let start = self.builder.compute(Op::Low, &[values]);
        for kind in kinds {
            let bytes = if kind == Conversion::Int || kind == Conversion::Unsigned { 4 } else { 8 };
            offset = offset.next_multiple_of(bytes);
            let width = if bytes == 8 { Width::B64 } else { Width::B32 };
            let access = Access { space: Space::Generic, width, ..Access::default() };
            let by = self.builder.word(offset);
            let at = self.builder.compute(Op::Add, &[start, by]);
            let value = self.builder.load(access, at);
            offset += bytes;
            if bytes == 4 {
                self.emit(value);
                continue;
            }
            let low = self.builder.compute(Op::Low, &[value]);
            self.emit(low);
            if kind != Conversion::Pointer {
                let high = self.builder.compute(Op::High, &[value]);
                self.emit(high);
            }
        }
        match call.results.first() {
            Some(result) => self.give(result, count),
            None => Ok(()),
        }
    }

    /// Stores the result of a function that every device has.
    pub fn give(&mut self, result: &Operand, value: Value) -> Result<()> {
        let wide = self.builder.function().ty(value) == ir::Type::B64;
        match self.place_of(result) {
            Some(place) => {
                if let Some(address) = self.place(place, 0) {
                    let width = if wide { Width::B64 } else { Width::B32 };
                    let access = Access { space: Space::Local, width, ..Access::default() };
                    self.builder.store(access, address, value);
                }
                Ok(())
            }
            None => self.write(result, value, if wide { B64 } else { B32 }),
        }
    }

    fn emit(&mut self, word: Value) {
        self.builder.collective(Op::Emit, &[word]);
    }

    /// The text at an address that is known.
    fn text_at(&self, address: Value) -> Option<Vec<u8>> {
        let function = self.builder.function();
        let word = match function.kind(self.uncopied(address)) {
            ir::Kind::Compute(Op::Zext32, operands) => operands[0],
            _ => return None,
        };
        let (base, offset) = match *function.kind(word) {
            ir::Kind::Address(Space::Global, offset) => (GLOBAL_BASE, offset),
            ir::Kind::Address(Space::Constant, offset) => (CONSTANT_BASE, offset),
            _ => return None,
        };
        let address = base.checked_add(offset)?;
        let variable = self.context.variables.iter().find(|variable| {
            (variable.address..variable.address + variable.size).contains(&address)
        })?;
        let rest = variable.image.get((address - variable.address) as usize..)?;
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        Some(rest[..end].to_vec())
    }
}

/// How a variable of a called function begins.
enum Passed {
    /// As a variable of the caller.
    Place(Place),
    /// Without a value.
    Fresh,
    /// With a value.
    Value(Value),
}

/// An operand that names a variable.
fn named(variable: &Variable) -> Operand {
    Operand { kind: OperandKind::Name(variable.name.text.clone()), span: variable.name.span }
}

fn parts(ins: Ins<'_>) -> Result<Call<'_>> {
    let mut operands = ins.it.operands.as_slice();
    let results = match operands.first().map(|operand| &operand.kind) {
        Some(OperandKind::List(items)) => {
            operands = &operands[1..];
            items.as_slice()
        }
        _ => &[],
    };
    let name = match operands.first().map(|operand| &operand.kind) {
        Some(OperandKind::Name(name)) => &**name,
        _ => return Err(ins.refused("names no function")),
    };
    operands = &operands[1..];
    let arguments = match operands.first().map(|operand| &operand.kind) {
        Some(OperandKind::List(items)) => items.as_slice(),
        _ => &[],
    };
    Ok(Call { name, results, arguments })
}

/// The argument of a conversion in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    Int,
    Unsigned,
    Long,
    Double,
    Pointer,
}

fn shown(conversion: Conversion) -> Printed {
    match conversion {
        Conversion::Int => Printed::Int,
        Conversion::Unsigned => Printed::Unsigned,
        Conversion::Long => Printed::Long,
        Conversion::Double => Printed::Double,
        Conversion::Pointer => Printed::Pointer,
    }
}

/// The arguments of the conversions in a format, in order.
fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let mut long = false;
        for byte in bytes.by_ref() {
            match byte {
                b'*' => found.push(Conversion::Int),
                b'l' | b'z' | b'j' | b't' => long = true,
                b'h' | b'L' | b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9' => {}
                b'%' => break,
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                    found.push(match (long, byte) {
                        (true, _) => Conversion::Long,
                        (_, b'd' | b'i' | b'c') => Conversion::Int,
                        _ => Conversion::Unsigned,
                    });
                    break;
                }
                b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                    found.push(Conversion::Double);
                    break;
                }
                b'p' | b's' => {
                    found.push(Conversion::Pointer);
                    break;
                }
                _ => break,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_is_passed() {
        use Conversion::*;
        assert_eq!(
            conversions(b"%d %5.2f%%\n%-*lld|%s%c%x"),
            [Int, Double, Int, Long, Pointer, Int, Unsigned]
        );
    }
}
