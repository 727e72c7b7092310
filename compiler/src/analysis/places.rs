//! Addresses that are the same linear function of the thread's and the block's index at each
//! execution: a base, and a step for each index, modulo 2^32. The base and the steps are numbers,
//! because the analysis runs at a launch, where parameters and extents are known.

use crate::ir::{Function, Kind, Value};
use reconverge_isa::{GLOBAL_BASE, Op, SHARED_BASE, Space, Special};

/// A launch.
#[derive(Clone, Copy, Debug)]
pub struct Launched<'a> {
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// The bytes of the parameters.
    pub parameters: &'a [u8],
}

/// A linear function of the indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// Its value where all indices are 0.
    pub base: u32,
    /// The factors of `threadIdx.x`, `.y`, `.z`, `blockIdx.x`, `.y` and `.z`.
    pub steps: [u32; 6],
}

impl Linear {
    fn constant(base: u32) -> Linear {
        Linear { base, ..Linear::default() }
    }

    fn index(axis: usize) -> Linear {
        let mut linear = Linear::default();
        linear.steps[axis] = 1;
        linear
    }

    fn plus(self, other: Linear) -> Linear {
        let mut sum = Linear::constant(self.base.wrapping_add(other.base));
        for (axis, step) in sum.steps.iter_mut().enumerate() {
            *step = self.steps[axis].wrapping_add(other.steps[axis]);
        }
        sum
    }

    fn times(self, factor: u32) -> Linear {
        let steps = self.steps.map(|step| step.wrapping_mul(factor));
        Linear { base: self.base.wrapping_mul(factor), steps }
    }

    /// A product, one side of which is the same in all threads.
    fn product(self, other: Linear) -> Option<Linear> {
        match (self.steps, other.steps) {
            ([0, 0, 0, 0, 0, 0], _) => Some(other.times(self.base)),
            (_, [0, 0, 0, 0, 0, 0]) => Some(self.times(other.base)),
            _ => None,
        }
    }
}

/// The depth to which operands are followed.
const DEEPEST: u32 = 64;

/// Values of a function that are linear functions of the indices in a launch.
pub struct Places<'a> {
    function: &'a Function,
    launch: Launched<'a>,
    /// By value: the results so far.
    known: Vec<Option<Option<Linear>>>,
}

impl<'a> Places<'a> {
    /// An analysis without results yet.
    pub fn new(function: &'a Function, launch: Launched<'a>) -> Places<'a> {
        Places { function, launch, known: vec![None; function.values.len()] }
    }

    /// The address of a load, store or atomic.
    pub fn address(&mut self, access: Value) -> Option<Linear> {
        self.function.kind(access).address().and_then(|address| self.linear(address, 0))
    }

    /// The lowest word of a value.
    fn linear(&mut self, value: Value, depth: u32) -> Option<Linear> {
        if let Some(known) = self.known.get(value.index())? {
            return *known;
        }
        let found = if depth < DEEPEST { self.compute(value, depth + 1) } else { None };
        self.known[value.index()] = Some(found);
        found
    }

    fn compute(&mut self, value: Value, depth: u32) -> Option<Linear> {
        match self.function.kind(value) {
            Kind::Constant(bits) => Some(Linear::constant(*bits as u32)),
            Kind::Address(Space::Global, offset) => {
                Some(Linear::constant(GLOBAL_BASE.wrapping_add(*offset)))
            }
            Kind::Address(Space::Shared, offset) => {
                Some(Linear::constant(SHARED_BASE.wrapping_add(*offset)))
            }
            Kind::Parameter { offset, .. } => {
                let word = self.launch.parameters.get(*offset as usize..)?.first_chunk()?;
                Some(Linear::constant(u32::from_le_bytes(*word)))
            }
            Kind::Special(special) => self.special(*special),
            Kind::Compute(op, operands) => {
                let operands: Vec<Value> = operands.iter().copied().collect();
                let mut of = |at: usize| self.linear(*operands.get(at)?, depth);
                match op {
                    Op::Mov | Op::Mov64 | Op::Low | Op::Pack => of(0),
                    Op::Add | Op::Add64 => Some(of(0)?.plus(of(1)?)),
                    Op::Sub | Op::Sub64 => Some(of(0)?.plus(of(1)?.times(u32::MAX))),
                    Op::Mul | Op::Mul64 => of(0)?.product(of(1)?),
                    Op::Mad | Op::Mad64 => Some(of(0)?.product(of(1)?)?.plus(of(2)?)),
                    Op::Shl | Op::Shl64 => {
                        let amount = of(1).filter(|amount| amount.steps == [0; 6])?.base;
                        Some(of(0)?.times(1u32.checked_shl(amount).unwrap_or(0)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn special(&self, special: Special) -> Option<Linear> {
        let Launched { grid, block, .. } = self.launch;
        Some(match special {
            Special::TidX => Linear::index(0),
            Special::TidY => Linear::index(1),
            Special::TidZ => Linear::index(2),
            Special::CtaidX => Linear::index(3),
            Special::CtaidY => Linear::index(4),
            Special::CtaidZ => Linear::index(5),
            Special::NtidX => Linear::constant(block[0]),
            Special::NtidY => Linear::constant(block[1]),
            Special::NtidZ => Linear::constant(block[2]),
            Special::NctaidX => Linear::constant(grid[0]),
            Special::NctaidY => Linear::constant(grid[1]),
            Special::NctaidZ => Linear::constant(grid[2]),
            _ => return None,
        })
    }
}

/// The parameter that the address of an access starts from: where it lies among the parameters. None if there is not
/// exactly one.
pub fn parameter(function: &Function, access: Value) -> Option<u32> {
    let mut found = None;
    let mut seen = vec![false; function.values.len()];
    let mut pending = vec![function.kind(access).address()?];
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        match function.kind(value) {
            Kind::Parameter { offset, global: true } => match found {
                Some(other) if other != *offset => return None,
                _ => found = Some(*offset),
            },
            Kind::Phi(incoming) => pending.extend(incoming.iter().map(|&(_, value)| value)),
            Kind::Compute(Op::Add | Op::Mad | Op::Mov | Op::Select | Op::Sub, operands) => {
                pending.extend(operands.iter().copied());
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
    fn an_address_is_evaluated_at_a_launch() {
        let text = "kernel k {\n  param \"out\" 0 8\n  param \"h\" 8 4\nb0:\n  %0 = special tid.x\n  \
                    %1 = param.global 0\n  %2 = param.b32 8\n  %3 = const.b32 2\n  %4 = special ctaid.x\n  \
                    %5 = special ntid.x\n  %6 = mad.i32 %4, %5, %0\n  %7 = mul.i32 %6, %2\n  %8 = shl.b32 %7, %3\n  \
                    %9 = add.i32 %1, %8\n  %10 = load.global.b32 %9\n  %11 = add.i32 %10, %9\n  st.global.b32 %11, %10\n  \
                    return\n}";
        let text = text.replace("load.", "ld.");
        let function = parse(&text).unwrap().functions.remove(0);
        let mut parameters = vec![0; 12];
        parameters[..4].copy_from_slice(&0x1000_0000u32.to_le_bytes());
        parameters[8..].copy_from_slice(&3u32.to_le_bytes());
        let launch = Launched { grid: [5, 1, 1], block: [64, 1, 1], parameters: &parameters };
        let mut places = Places::new(&function, launch);
        let accesses: Vec<Value> = function
            .placed()
            .map(|(_, value)| value)
            .filter(|&value| function.kind(value).address().is_some())
            .collect();
        let [load, store] = accesses[..] else { panic!("{accesses:?}") };
        let expected = Linear { base: 0x1000_0000, steps: [12, 0, 0, 768, 0, 0] };
        assert_eq!(places.address(load), Some(expected));
        assert_eq!(places.address(store), None);
        assert_eq!(parameter(&function, load), Some(0));
    }
}
