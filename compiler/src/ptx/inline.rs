//! Inline PTX in CUDA kernels: translates an `asm` statement into operations of the enclosing kernel.

use super::kernel::{self, AfterText, Kernel};
pub(crate) use super::layout::Shared;
use crate::ir::Value;
use crate::lower::ssa::{Builder, Variable};
use reconverge_ptx::inline::Inline;
use reconverge_ptx::tree::{Statement, Type};

/// Translates an `asm` statement at the builder's place. `operands` are the values of the operands, by number, none for constants;
/// `carry` is `CC.CF`, which one statement passes to the next. The result has the operands' values after the text.
///
/// # Errors
/// The fault, and the help.
pub(crate) fn translate<'b>(
    text: &Inline,
    builder: Builder<'b>,
    operands: &[Option<Value>],
    carry: Variable,
    shared: Shared,
) -> (Builder<'b>, AfterText) {
    kernel::inline(text, builder, operands, carry, shared)
}

impl Kernel<'_, '_> {
    /// Writes the operands to registers, translates the text, and reads the registers.
    pub fn statement_text(
        &mut self,
        text: &Inline,
        operands: &[Option<Value>],
    ) -> super::Result<Vec<Option<Value>>> {
        let mut variables: Vec<Option<(Variable, Type)>> = Vec::new();
        self.scopes.open();
        for (number, register) in text.registers.iter().enumerate() {
            variables.push(register.map(|register| {
                (self.operand_register(&format!("%{number}"), register.ty), register.ty)
            }));
        }
        for (variable, &value) in variables.iter().zip(operands) {
            let Some((variable, ty)) = *variable else {
                continue;
            };
            // An output starts as 0, in each iteration of a loop too.
            let value = match value {
                Some(value) => self.narrow(value, ty.bits),
                None => self.builder.zero(kernel::register_type(ty)),
            };
            self.builder.write(variable, value);
        }
        if let Some(body) = text.body() {
            // The function's own declarations are those of the operands, which exist already.
            for statement in &body.statements {
                if let Statement::Block(block) = statement {
                    self.block(block)?;
                }
            }
        }
        self.scopes.close();
        Ok(variables
            .into_iter()
            .map(|variable| variable.map(|(variable, _)| self.builder.read(variable)))
            .collect())
    }
}
