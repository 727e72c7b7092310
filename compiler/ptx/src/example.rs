//! Instructions of every form, for tests.

use crate::form::{self, Form, Holds, Types};
use crate::tree::{TYPES, Type};
use std::fmt::Write;

/// Registers of each type that examples use, `%s32_0` to `%s32_7`.
const REGISTERS: usize = 8;

/// Declarations of the registers that [`instruction`] names, and of `%address`.
pub fn declarations() -> String {
    let mut text = String::from(".reg .b64 %address;\n");
    for ty in TYPES.iter().filter(|ty| ty.bits != 0) {
        let _ = writeln!(text, ".reg .{0} %{0}_<{REGISTERS}>;", ty.name);
    }
    text
}

/// An instruction of a form with these modifiers, without its semicolon; `None` of calls and branches. Operand `n` is register
/// `n` of its type; optional operands are left out.
pub fn instruction(form: &Form, modifiers: &[&str]) -> Option<String> {
    let pattern = form.row.pattern;
    let end = pattern.find(['.', '[', '(']).unwrap_or(pattern.len());
    let mut text = pattern[..end].to_owned();
    modifiers.iter().for_each(|word| {
        let _ = write!(text, ".{word}");
    });
    let types = Types::of(modifiers.iter().copied());
    let lanes = form::lanes(modifiers.iter().copied()).unwrap_or(1);
    let written = form.operands.iter().filter(|operand| !operand.optional);
    for (at, operand) in written.enumerate() {
        let register = |ty: Type, lane: usize| format!("%{}_{}", ty.name, (at + lane) % REGISTERS);
        let shown = match operand.holds {
            Holds::Label | Holds::Table | Holds::Call => return None,
            Holds::Address => "[%address]".to_owned(),
            Holds::Texture(0) => "[%address]".to_owned(),
            Holds::Texture(count) => {
                let word = Type::find("u32")?;
                let second = types.second.unwrap_or(word);
                let layered = modifiers.iter().any(|word| form::is_layered(word));
                let ty = |lane| if layered && lane == 0 { word } else { second };
                let each: Vec<String> = (0..count).map(|lane| register(ty(lane), lane)).collect();
                format!("[%address, {{{}}}]", each.join(", "))
            }
            Holds::Constant if operand.name == "#bytes" => "16".to_owned(),
            Holds::Constant => "0x96".to_owned(),
            Holds::Move => register(types.first?, 0),
            holds => {
                let ty = types.operand(holds)?;
                let lanes = if operand.count > 0 { operand.count } else { lanes };
                match lanes > 1 && (operand.vector || operand.count > 0) {
                    true => {
                        let each: Vec<String> = (0..lanes).map(|lane| register(ty, lane)).collect();
                        format!("{{{}}}", each.join(", "))
                    }
                    false if operand.pair => {
                        format!("{}|%pred_{}", register(ty, 0), (at + 5) % REGISTERS)
                    }
                    // The number of a barrier.
                    false
                        if pattern.starts_with("bar")
                            && ty.name == "u32"
                            && !operand.destination =>
                    {
                        "0".to_owned()
                    }
                    false => register(ty, 0),
                }
            }
        };
        let _ = write!(text, "{} {shown}", if at == 0 { "" } else { "," });
    }
    Some(text)
}
