//! Inline PTX: the text of an `asm` statement of CUDA, with its operands.
//!
//! Operand `n` is the register `%n`. The grammar admits the name, and no declaration of a text can have it.

use crate::tree::{Block, Module, OperandKind, Space, Statement, Type, Variable};
use crate::{SyntaxError, check, parse};
use std::fmt::Write;

/// An operand of an `asm` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The name that the text may use: `x` of `[x] "=r"(value)` is `%[x]`.
    pub name: Option<String>,
    /// A register or a constant.
    pub holds: Holds,
}

/// The replacement of an operand in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A register.
    Register(Register),
    /// A number, inserted into the text.
    Constant(i64),
}

/// The register of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its type.
    pub ty: Type,
    /// The text reads the program's value.
    pub read: bool,
    /// The program reads the register after the text.
    pub written: bool,
}

/// An `asm` statement that has passed the check.
#[derive(Clone, Debug)]
pub struct Inline {
    /// A module with one function without parameters.
    pub module: Module,
    /// The registers of the operands, `%n` for operand `n`; none for constants.
    pub registers: Vec<Option<Register>>,
}

impl Inline {
    /// Parses and checks the text of an `asm` statement. In a text without operands one `%` suffices.
    ///
    /// # Errors
    /// The first fault. Its place counts from the start of the text with the operands' declarations.
    pub fn new(text: &str, operands: &[Operand], is_extended: bool) -> Result<Inline, SyntaxError> {
        let text = match is_extended {
            true => substituted(text, operands)?,
            false => text.to_owned(),
        };
        let registers: Vec<Option<Register>> = operands
            .iter()
            .map(|operand| match operand.holds {
                Holds::Register(register) => Some(register),
                Holds::Constant(_) => None,
            })
            .collect();
        let mut whole =
            String::from(".version 9.0\n.target sm_90\n.address_size 64\n.func asm()\n{\n");
        for (number, register) in registers.iter().enumerate() {
            if let Some(register) = register {
                let _ = writeln!(whole, ".reg .{} %{number};", register.ty.name);
            }
        }
        // A scope for the text, so that its declarations cannot collide with ours.
        let _ = write!(whole, "{{\n{text}\n}}\n}}\n");
        let module = parse(&whole)?;
        if let Some(fault) = check(&module).into_iter().next() {
            return Err(fault);
        }
        let ([function], []) = (module.functions.as_slice(), module.variables.as_slice()) else {
            return Err(SyntaxError::new(
                Default::default(),
                "the text closes a brace that it does not open",
            ));
        };
        if let Some(body) = &function.body {
            suits(body)?;
        }
        Ok(Inline { module, registers })
    }

    /// The statements.
    pub fn body(&self) -> Option<&Block> {
        self.module.functions.first().and_then(|function| function.body.as_ref())
    }
}

/// Special registers without a value in CUDA kernels.
const UNKNOWN: [&str; 1] = ["%total_smem_size"];

/// The declarations and instructions that an `asm` statement cannot have.
fn suits(block: &Block) -> Result<(), SyntaxError> {
    for statement in &block.statements {
        match statement {
            Statement::Block(block) => suits(block)?,
            Statement::Variable(Variable { space, span, .. }) if *space != Space::Register => {
                let message = format!("`.{}` variables are not declared in `asm`", space.name());
                let help = "declare the variable in the program, and pass its address";
                return Err(SyntaxError::new(*span, message).help(help));
            }
            Statement::Instruction(it) if ["call", "ret"].contains(&&*it.mnemonic.text) => {
                let message = format!("`{}` is not supported in `asm`", it.mnemonic.text);
                let help = "call functions, and return, in the program";
                return Err(SyntaxError::new(it.span, message).help(help));
            }
            Statement::Instruction(it) => {
                let named = it.operands.iter().find_map(|operand| match &operand.kind {
                    OperandKind::Name(name) if UNKNOWN.contains(&&**name) => Some((name, operand)),
                    _ => None,
                });
                if let Some((name, operand)) = named {
                    let message = format!("`{name}` is not supported in `asm`");
                    let help = "pass the size to the kernel as a parameter";
                    return Err(SyntaxError::new(operand.span, message).help(help));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Replaces the operands of a text by registers and constants.
fn substituted(text: &str, operands: &[Operand]) -> Result<String, SyntaxError> {
    let fault =
        |message: String, help: &str| SyntaxError::new(Default::default(), message).help(help);
    let put = |number: usize, shown: &str, out: &mut String| {
        match operands.get(number).map(|operand| operand.holds) {
            Some(Holds::Register(_)) => {
                let _ = write!(out, "%{number}");
            }
            Some(Holds::Constant(value)) => {
                let _ = write!(out, "{value}");
            }
            None => {
                let message = format!("there is no operand `{shown}`");
                return Err(fault(message, "operands count from `%0`, outputs first"));
            }
        }
        Ok(())
    };
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
        } else if digits > 0 {
            let number = rest[..digits].parse().unwrap_or(usize::MAX);
            put(number, &format!("%{}", &rest[..digits]), &mut out)?;
            rest = &rest[digits..];
        } else if let Some((name, after)) = rest.strip_prefix('[').and_then(|it| it.split_once(']'))
        {
            let number = operands.iter().position(|it| it.name.as_deref() == Some(name));
            put(number.unwrap_or(usize::MAX), &format!("%[{name}]"), &mut out)?;
            rest = after;
        } else {
            // Programs write `%laneid` as often as `%%laneid`, and compilers accept both.
            out.push('%');
        }
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operand(name: &str, holds: Holds) -> Operand {
        Operand { name: (!name.is_empty()).then(|| name.to_owned()), holds }
    }

    fn word() -> Holds {
        let ty = Type::find("b32").unwrap();
        Holds::Register(Register { ty, read: true, written: true })
    }

    #[test]
    fn texts_get_their_operands() {
        let operands = [operand("", word()), operand("n", Holds::Constant(-5))];
        let inline = |text| Inline::new(text, &operands, true);
        let made = substituted("add.s32 %0, %0, %[n]; mov.u32 %0, %%laneid;", &operands).unwrap();
        assert_eq!(made, "add.s32 %0, %0, -5; mov.u32 %0, %laneid;");
        inline("mov.u32 %0, %laneid;").unwrap();
        inline("{ .reg .pred p; setp.ne.s32 p, %0, %1;\n@p add.s32 %0, %0, 1; }").unwrap();
        for (text, message) in [
            ("add.s32 %0, %0, %2;", "there is no operand `%2`"),
            (
                "mov.u32 %0, %nothing;",
                "`%nothing` is neither declared nor a special register that can be read",
            ),
            ("mov.u32 %0, 5; } }", "`}` is unexpected here"),
            ("} } .func f() { {", "the text closes a brace that it does not open"),
            (".shared .b32 x;", "`.shared` variables are not declared in `asm`"),
            ("ret;", "`ret` is not supported in `asm`"),
            ("foo %0;", "`foo` is no instruction that can be compiled"),
        ] {
            assert_eq!(inline(text).unwrap_err().message, message, "{text}");
        }
        Inline::new("mov.u32 %r, %laneid;", &[], false).unwrap_err();
        Inline::new("{ .reg .u32 %r; mov.u32 %r, %laneid; }", &[], false).unwrap();
    }
}
