//! Products of matrices, `mma.sync`: an instruction of the machine, or several where a shape is larger than those of the
//! machine.
//!
//! Larger shapes of `.f64` are made of 8 × 8 × 4. An `m8n8k4` with sums of `.f32` is two instructions, each for half of them.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::matrix::items;
use super::operand::{B32, F64};
use crate::ir::{Type, Value};
use reconverge_isa::Op;

/// The types of elements, as modifiers spell them.
const ELEMENTS: [&str; 13] =
    ["f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8", "u4", "s4", "b1", "e4m3", "e5m2"];

/// The values of the operands `a`, `b` and `c`.
pub(super) struct Factors {
    pub a: Vec<Value>,
    pub b: Vec<Value>,
    pub c: Vec<Value>,
}

impl Kernel<'_, '_> {
    /// A product of matrices, and a sum.
    pub fn multiply(&mut self, ins: Ins) -> Result<()> {
        let words = || ins.it.modifiers.iter().map(|word| &*word.text);
        let elements: Vec<&str> = words().filter(|word| ELEMENTS.contains(word)).collect();
        let shape = words().find(|word| word.starts_with('m') && word.contains("n8k"));
        let (Some(shape), &[result, a, b, _]) = (shape, elements.as_slice()) else {
            return Err(ins.refused("names no shape and types of matrices"));
        };
        let ty = if result == "f64" { F64 } else { B32 };
        let mut values = |at: usize| {
            let each = items(ins.operand(at)?).iter();
            each.map(|item| self.value(item, ty)).collect::<Result<Vec<Value>>>()
        };
        let factors = Factors { a: values(1)?, b: values(2)?, c: values(3)? };
        let name = format!("mma.{shape}.{result}.{a}.{b}");
        let found = match result {
            "f64" => self.multiply_doubles(ins, &factors)?,
            _ if shape == "m8n8k4" => {
                let layouts: Vec<&str> = words().filter(|&it| it == "row" || it == "col").collect();
                let name = format!("{name}.{}", layouts.join("."));
                match result {
                    "f16" => self.matrix_product(ins, &name, &factors)?,
                    _ => {
                        let mut found = Vec::new();
                        let (low, high) = factors.c.split_at(factors.c.len() / 2);
                        for (half, c) in [("low", low), ("high", high)] {
                            let (a, b) = (factors.a.clone(), factors.b.clone());
                            let part = Factors { a, b, c: c.to_vec() };
                            found.extend(self.matrix_product(
                                ins,
                                &format!("{name}.{half}"),
                                &part,
                            )?);
                        }
                        found
                    }
                }
            }
            _ => {
                let variant = match ins.one_of(&["satfinite", "xor", "and"]) {
                    Some("satfinite") => ".sat",
                    Some("xor") => ".xor",
                    Some(_) => ".and",
                    None => "",
                };
                self.matrix_product(ins, &format!("{name}{variant}"), &factors)?
            }
        };
        for (item, value) in items(ins.operand(0)?).iter().zip(found) {
            self.write(item, value, ty)?;
        }
        Ok(())
    }

    /// The upper and the lower rows by themselves, four columns of `a` after another.
    fn multiply_doubles(&mut self, ins: Ins, Factors { a, b, c }: &Factors) -> Result<Vec<Value>> {
        let halves = c.len() / 2;
        let mut found = Vec::new();
        for (half, sums) in c.chunks(2).enumerate() {
            let mut sums = sums.to_vec();
            for (&a, &b) in a.iter().skip(half).step_by(halves).zip(b) {
                let part = Factors { a: vec![a], b: vec![b], c: sums };
                sums = self.matrix_product(ins, "mma.m8n8k4.f64.f64.f64", &part)?;
            }
            found.extend(sums);
        }
        Ok(found)
    }

    /// One instruction: the values of its result.
    pub(super) fn matrix_product(
        &mut self,
        ins: Ins,
        name: &str,
        factors: &Factors,
    ) -> Result<Vec<Value>> {
        let op = Op::from_mnemonic(name).filter(|op| op.is_product());
        let Some(op) = op else {
            return Err(ins.refused("has no instruction of the machine"));
        };
        let operands = [&factors.a, &factors.b, &factors.c].map(|it| self.builder.wide(it));
        let whole = self.builder.collective(op, &operands);
        let ty = if name.contains("f64") { Type::B64 } else { Type::B32 };
        let words = ty.words() as u8;
        let places = (0..factors.c.len() as u8).map(|at| at * words);
        Ok(places.map(|at| self.builder.part_of(whole, at, ty)).collect())
    }
}
