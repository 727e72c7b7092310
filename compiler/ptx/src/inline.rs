//! Inline PTX: the text of an `asm` statement of CUDA, with its operands.
//!
//! Operand `n` is the register `%n`. The grammar admits the name, and no declaration of a text can have it.

mod texts;

pub use texts::{Fresh, Kept, MOST_REGISTERS, Texts};

use crate::barrier::CountedBarriers;
use crate::tree::{Block, Kind, Module, Space, Statement, Type, Variable};
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
    /// The registers of the operands, `%n` for operand `n`; none for constants. Those of [`Inline::kept`] follow.
    pub registers: Vec<Option<Register>>,
    /// Registers and addresses that the function's statements share and this one uses.
    pub kept: Vec<Kept>,
    /// Registers and variables that this statement declares for later ones too.
    pub fresh: Vec<Fresh>,
}

impl Inline {
    /// Parses and checks the text of an `asm` statement, which follows others of its function.
    /// In a text without operands one `%` suffices.
    ///
    /// # Errors
    /// The first fault. Its place counts from the start of the text with the operands' declarations.
    /// `texts` is as before.
    pub fn new(
        text: &str,
        operands: &[Operand],
        is_extended: bool,
        texts: &mut Texts,
    ) -> Result<Inline, SyntaxError> {
        let mut after = texts.clone();
        let made = Inline::after(text, operands, is_extended, &mut after)?;
        *texts = after;
        Ok(made)
    }

    fn after(
        text: &str,
        operands: &[Operand],
        is_extended: bool,
        texts: &mut Texts,
    ) -> Result<Inline, SyntaxError> {
        let text = match is_extended {
            true => substituted(text, operands, texts.statements())?,
            false => text.to_owned(),
        };
        let mut registers: Vec<Option<Register>> = operands
            .iter()
            .map(|operand| match operand.holds {
                Holds::Register(register) => Some(register),
                Holds::Constant(_) => None,
            })
            .collect();
        let split = texts.split(&text, registers.len())?;
        let (before, after) = texts::frame(&split.used, registers.len());
        let word = Type::find("b32");
        registers.extend(split.used.iter().map(|&(kept, ty)| {
            // A predicate is carried as a word.
            let ty = if ty.kind == Kind::Predicate { word? } else { ty };
            Some(Register { ty, read: true, written: matches!(kept, Kept::Register(_)) })
        }));
        let mut whole =
            String::from(".version 9.0\n.target sm_90\n.address_size 64\n.func asm()\n{\n");
        for (number, register) in registers.iter().enumerate() {
            if let Some(register) = register {
                let _ = writeln!(whole, ".reg .{} %{number};", register.ty.name);
            }
        }
        // A scope for the text, so that its declarations cannot collide with ours.
        let _ = write!(whole, "{{\n{before}{{\n{}\n}}\n{after}}}\n}}\n", split.text);
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
        let kept = split.used.into_iter().map(|(kept, _)| kept).collect();
        Ok(Inline { module, registers, kept, fresh: split.fresh })
    }

    /// The barriers with a count of threads.
    pub fn counted(&self) -> CountedBarriers {
        self.body().map(CountedBarriers::of).unwrap_or_default()
    }

    /// The statements.
    pub fn body(&self) -> Option<&Block> {
        self.module.functions.first().and_then(|function| function.body.as_ref())
    }
}

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
            _ => {}
        }
    }
    Ok(())
}

/// Replaces the operands of a text by registers and constants, and `%=` by the number of the statement.
fn substituted(text: &str, operands: &[Operand], statement: usize) -> Result<String, SyntaxError> {
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
        } else if let Some(after) = rest.strip_prefix('=') {
            let _ = write!(out, "{statement}");
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
        let inline = |text| Inline::new(text, &operands, true, &mut Texts::default());
        let made = substituted("L%=: add.s32 %0, %0, %[n]; mov.u32 %0, %%laneid;", &operands, 7);
        assert_eq!(made.unwrap(), "L7: add.s32 %0, %0, -5; mov.u32 %0, %laneid;");
        inline("mov.u32 %0, %laneid;").unwrap();
        inline("{ .reg .pred p; setp.ne.s32 p, %0, %1;\n@p add.s32 %0, %0, 1; }").unwrap();
        for (text, message) in [
            ("add.s32 %0, %0, %2;", "there is no operand `%2`"),
            (
                "mov.u32 %0, %nothing;",
                "`%nothing` is neither declared nor a special register that can be read",
            ),
            ("mov.u32 %0, 5; } }", "the text closes a brace that it does not open"),
            ("} } .func f() { {", "the text closes a brace that it does not open"),
            (".local .b32 x;", "`.local` variables are not declared in `asm`"),
            (".extern .shared .b32 x[];", "`x` has no size"),
            ("ret;", "`ret` is not supported in `asm`"),
            ("foo %0;", "`foo` is no instruction that can be compiled"),
        ] {
            assert_eq!(inline(text).unwrap_err().message, message, "{text}");
        }
        let plain = |text| Inline::new(text, &[], false, &mut Texts::default());
        plain("mov.u32 %r, %laneid;").unwrap_err();
        plain("{ .reg .u32 %r; mov.u32 %r, %laneid; }").unwrap();
    }

    #[test]
    fn statements_share_blocks_and_registers() {
        let mut texts = Texts::default();
        let operands = [operand("", word())];
        let mut inline = |text: &str| {
            let found = Inline::new(text, &operands, true, &mut texts);
            found.map(|it| (it.kept, it.fresh.len())).map_err(|fault| fault.message)
        };
        let register = Kept::Register;
        assert_eq!(inline("{ .reg .u32 a, r<3>; .reg .pred p;"), Ok((vec![], 5)));
        let both = "setp.eq.u32 p, %0, r2; @p { .reg .u32 a; mov.u32 a, 1; } mov.u32 a, %0;";
        assert!(inline(both).is_err());
        assert_eq!(
            inline("setp.eq.u32 p, %0, r2; { .reg .u32 a; mov.u32 a, 1; } @!p mov.u32 a, %0;"),
            Ok((vec![register(4), register(3), register(0)], 0))
        );
        // An inner block hides the name, until it is closed.
        assert_eq!(inline("{ .reg .f32 a; mov.f32 a, 0f00000000;"), Ok((vec![register(5)], 1)));
        assert_eq!(inline("} add.u32 a, a, %0; }"), Ok((vec![register(0)], 0)));
        assert_eq!(inline("mov.u32 a, 1;"), Err("`a` is not declared".to_owned()));
        assert_eq!(inline("}"), Err("the text closes a brace that it does not open".to_owned()));
        // A shared variable, and its address in 64 and 32 bits.
        assert_eq!(inline(".shared .align 8 .b8 s[12]; L:"), Ok((vec![], 1)));
        assert_eq!(
            inline("mov.u32 %0, s; st.shared.u32 [s+4], %0;"),
            Ok((vec![Kept::Address(0, 32), Kept::Address(0, 64)], 0))
        );
        let label = inline("bra L;");
        let message = "`L` is a label of an earlier `asm` statement, which only that one can use";
        assert_eq!(label, Err(message.to_owned()));
        assert!(inline("mov.u32 %0, s+4;").is_err());
        assert_eq!(texts.unclosed(), None);
    }
}
