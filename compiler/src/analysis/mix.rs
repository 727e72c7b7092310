//! The instruction mix of a function: how many instructions of each kind it has.

use crate::ir::{Function, Kind, Value};
use reconverge_isa::Op;
use reconverge_isa::table::Unit;

/// Static counts. Leaves and phis, which need not become instructions, are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mix {
    /// Operations on integers and truth values, conversions, selections, votes and shuffles.
    pub integer: usize,
    /// Sums, products and shifts that compute the address of an access.
    pub address: usize,
    /// Operations of the floating-point and special function units.
    pub float: usize,
    /// Loads, stores and atomics.
    pub memory: usize,
    /// Branches, jumps, returns and barriers.
    pub control: usize,
}

impl Mix {
    /// Counts the instructions of a function.
    pub fn of(function: &Function) -> Mix {
        let addresses = addresses(function);
        let mut mix = Mix::default();
        for (_, value) in function.placed() {
            match function.kind(value).unguarded() {
                Kind::Compute(op, _) => match op.row().unit {
                    Unit::Integer | Unit::IntegerMultiply | Unit::IntegerDivide
                        if addresses[value.index()] =>
                    {
                        mix.address += 1;
                    }
                    Unit::Integer | Unit::IntegerMultiply | Unit::IntegerDivide => mix.integer += 1,
                    _ => mix.float += 1,
                },
                Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..) => mix.memory += 1,
                Kind::Jump(_) | Kind::Branch(..) | Kind::Return => mix.control += 1,
                Kind::Collective(op, _) if op.row().unit == Unit::Control => mix.control += 1,
                Kind::Collective(op, _) if op.is_product() => mix.float += 1,
                Kind::Collective(op, _) if op.row().unit == Unit::Memory => mix.memory += 1,
                Kind::Matched(..) => mix.control += 1,
                Kind::Enqueue(..) => mix.integer += 1,
                Kind::Collective(..) => mix.integer += 1,
                _ => {}
            }
        }
        mix
    }

    /// All counts with their names.
    pub fn counts(&self) -> [(&'static str, usize); 5] {
        [
            ("integer", self.integer),
            ("address", self.address),
            ("float", self.float),
            ("memory", self.memory),
            ("control", self.control),
        ]
    }
}

/// For each value whether an address is made of it by sums, products and shifts, also in an earlier
/// iteration of a loop.
fn addresses(function: &Function) -> Vec<bool> {
    let mut found = vec![false; function.values.len()];
    let mut pending: Vec<Value> = Vec::new();
    for (_, value) in function.placed() {
        pending.extend(function.kind(value).address());
    }
    while let Some(value) = pending.pop() {
        use Op::{Add, Add64, Low, Mad, Mul, Mul64, Sext32, Shl, Shl64, Sub, Sub64, Zext32};
        match function.kind(value) {
            // An address that steps from round to round is made in the loop.
            Kind::Phi(incoming) if !std::mem::replace(&mut found[value.index()], true) => {
                pending.extend(incoming.iter().map(|&(_, operand)| operand));
            }
            Kind::Compute(
                Add | Add64 | Low | Mad | Mul | Mul64 | Sext32 | Shl | Shl64 | Sub | Sub64 | Zext32,
                operands,
            ) if !std::mem::replace(&mut found[value.index()], true) => {
                pending.extend(operands.iter());
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn what_an_address_steps_by_is_address_work() {
        let text = "kernel k {\nb0:\n %0 = param.global 0\n %1 = const.b32 4\n jump b1\nb1:\n \
                    %2 = phi.b32 b0 %0, b1 %3\n %4 = ld.global.b32 %2\n %3 = add.i32 %2, %1\n \
                    %5 = setp.eq.i32 %4, %1\n branch %5, b1, b2\nb2:\n return\n}";
        let mix = Mix::of(&parse(text).unwrap().functions[0]);
        assert_eq!(mix, Mix { integer: 1, address: 1, float: 0, memory: 1, control: 3 });
    }

    #[test]
    fn what_an_address_is_made_of_is_apart() {
        let text = "kernel k {\nb0:\n %0 = special tid.x\n %1 = mul.i32 %0, %0\n \
                    %2 = add.i32 %1, %0\n %3 = ld.global.b32 %2\n %4 = add.f32 %3, %3\n \
                    %5 = add.i32 %4, %0\n st.global.b32 %2, %5\n bar.sync\n return\n}";
        let mix = Mix::of(&parse(text).unwrap().functions[0]);
        assert_eq!(mix, Mix { integer: 1, address: 2, float: 1, memory: 2, control: 2 });
    }
}
