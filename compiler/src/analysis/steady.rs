//! Loads of which more is known than the optimised code shows: they read a variable of the source,
//! which only accesses by its own name reach, or the memory of a `const __restrict__` parameter,
//! which no thread writes.
//!
//! Addresses name variables only until the passes have joined their sums, so this is found before the passes and carried by the
//! places of loads in the source. It is for warnings: generated code does not depend on it.

use super::memory::{Memory, quiet_loads};
use super::sparse;
use crate::ir::{Function, Kind, Location, Value};
use reconverge_isa::{Op, Space, Width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most variables of a kernel in shared memory that are distinguished: each takes a walk over
/// the kernel.
const MOST: usize = 256;

/// The location and the width of a load.
type Place = (Location, Width);

/// The loads of a kernel of which more is known.
#[derive(Clone, Debug, Default)]
pub struct Steady {
    /// Loads of shared variables that no thread writes between the barriers around the load.
    quiet: FxHashSet<Place>,
    /// Loads of memory that no thread writes while the kernel runs.
    unwritten: FxHashSet<Place>,
}

/// The object of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// Not examined yet, or a constant.
    Any,
    /// The shared variable of this number.
    Shared(usize),
    /// Memory that no thread writes.
    Unwritten,
    /// Anything.
    Unknown,
}

impl Base {
    fn meet(self, other: Base) -> Base {
        match (self, other) {
            (Base::Any, base) | (base, Base::Any) => base,
            (one, other) if one == other => one,
            _ => Base::Unknown,
        }
    }
}

/// The variables that addresses are of.
struct Variables<'a> {
    /// The start of each shared variable, ascending.
    starts: &'a [u32],
    /// The offsets of the parameters to memory that no thread writes.
    unwritten: &'a BTreeSet<u32>,
}

impl Variables<'_> {
    fn base(&self, function: &Function, bases: &[Base], value: Value) -> Base {
        let of = |value: Value| bases[value.index()];
        match function.kind(value) {
            Kind::Constant(_) => Base::Any,
            Kind::Address(Space::Shared, offset) => {
                match self.starts.partition_point(|start| start <= offset) {
                    0 => Base::Unknown,
                    after => Base::Shared(after - 1),
                }
            }
            Kind::Parameter { offset, global: true } if self.unwritten.contains(offset) => {
                Base::Unwritten
            }
            Kind::Phi(incoming) => {
                incoming.iter().map(|&(_, operand)| of(operand)).fold(Base::Any, Base::meet)
            }
            Kind::Compute(Op::Select, operands) => of(operands[1]).meet(of(operands[2])),
            Kind::Compute(Op::Mov, operands) => of(operands[0]),
            Kind::Compute(Op::Add, operands) => match (of(operands[0]), of(operands[1])) {
                (Base::Any, Base::Any) => Base::Any,
                (Base::Any | Base::Unknown, base) | (base, Base::Any | Base::Unknown) => base,
                _ => Base::Unknown,
            },
            Kind::Compute(Op::Sub, operands) => match (of(operands[0]), of(operands[1])) {
                (base, Base::Any | Base::Unknown) => base,
                _ => Base::Unknown,
            },
            _ => Base::Unknown,
        }
    }
}

impl Steady {
    /// Finds the loads of a kernel as it is lowered. `starts` has the offsets at which shared variables start, ascending,
    /// `unwritten` those of the parameters that are `const __restrict__` pointers.
    pub fn new(function: &Function, starts: &[u32], unwritten: &BTreeSet<u32>) -> Steady {
        let variables = Variables { starts, unwritten };
        let bases = sparse::solve(function, Base::Any, |bases, value| {
            variables.base(function, bases, value).meet(bases[value.index()])
        });
        let memory = Memory::new(function);
        let mut found: FxHashMap<Place, [bool; 2]> = FxHashMap::default();
        let mut note = |load: Value, quiet: bool, unwritten: bool| {
            if let Kind::Load(access, _) = function.kind(load) {
                let place = (function.instruction(load).location, access.width);
                let known = found.entry(place).or_insert([true; 2]);
                *known = [known[0] && quiet, known[1] && unwritten];
            }
        };
        let base = |value: Value| bases[value.index()];
        let mut read = BTreeSet::new();
        for (_, value) in function.placed() {
            let Kind::Load(access, address) = function.kind(value) else {
                continue;
            };
            match base(*address) {
                Base::Shared(number) => {
                    read.insert(number);
                }
                Base::Unwritten => note(value, false, !access.volatile),
                _ => note(value, false, false),
            }
        }
        for (count, &number) in read.iter().enumerate() {
            let may_be = |space: Space, address: Value| {
                memory.may_be_shared(space, address)
                    && !matches!(base(address), Base::Shared(other) if other != number)
            };
            let writes = |value: Value| match function.kind(value).unguarded() {
                Kind::Store(access, address, _) => may_be(access.space, *address),
                Kind::Atomic(_, space, operands) => may_be(*space, operands[0]),
                _ => false,
            };
            let quiet = (count < MOST).then(|| quiet_loads(function, writes));
            for (_, value) in function.placed() {
                if let Kind::Load(_, address) = function.kind(value)
                    && base(*address) == Base::Shared(number)
                {
                    note(value, quiet.as_ref().is_some_and(|quiet| quiet[value.index()]), false);
                }
            }
        }
        let those = |which: usize| {
            found.iter().filter(|(_, known)| known[which]).map(|(place, _)| *place).collect()
        };
        Steady { quiet: those(0), unwritten: those(1) }
    }

    /// Returns true if barriers separate a load of shared memory from every write to its variable.
    pub fn is_quiet(&self, function: &Function, load: Value) -> bool {
        has(&self.quiet, function, load)
    }

    /// Returns true if no thread writes the memory that a load reads.
    pub fn is_unwritten(&self, function: &Function, load: Value) -> bool {
        has(&self.unwritten, function, load)
    }
}

fn has(places: &FxHashSet<Place>, function: &Function, load: Value) -> bool {
    match function.kind(load) {
        Kind::Load(access, _) => {
            places.contains(&(function.instruction(load).location, access.width))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    /// The lines of the loads that are quiet, and of those that are unwritten.
    fn known(body: &str) -> (Vec<u32>, Vec<u32>) {
        let text = format!(
            "kernel k {{\n  param \"p\" 0 8\n  param \"q\" 8 8\n  shared 64\nb0:\n{body}  return\n}}\n"
        );
        let function = parse(&text).unwrap().functions.remove(0);
        let steady = Steady::new(&function, &[0, 32], &BTreeSet::from([0]));
        let loads = || function.placed().map(|(_, value)| value);
        let line = |value: &Value| function.instruction(*value).location.line;
        let lines = |which: &dyn Fn(Value) -> bool| {
            loads().filter(|&value| which(value)).map(|value| line(&value)).collect()
        };
        (
            lines(&|value| steady.is_quiet(&function, value)),
            lines(&|value| steady.is_unwritten(&function, value)),
        )
    }

    #[test]
    fn stores_to_another_variable_do_not_matter() {
        let start = "  %0 = address.shared 0 !1:1\n  %1 = address.shared 32 !1:1\n  %2 = special tid.x !1:1\n  \
                     %3 = add.i32 %0, %2 !1:1\n";
        let loads = "  %4 = ld.shared.b32 %1 !5:1\n  %5 = ld.shared.b32 %0 !6:1\n";
        let to_first = "  st.shared.b32 %3, %2 !7:1\n";
        assert_eq!(known(&format!("{start}{loads}{to_first}")).0, [5]);
        assert_eq!(known(&format!("{start}{loads}  bar.sync !8:1\n{to_first}")).0, [5, 6]);
        // A write through an unknown address may be to either.
        let to_any = "  %6 = ld.shared.b32 %3 !9:1\n  st.shared.b32 %6, %2 !7:1\n";
        assert_eq!(known(&format!("{start}{loads}{to_any}")).0, []);
    }

    #[test]
    fn what_a_parameter_promises_is_unwritten() {
        let body = "  %0 = param.global 0 !1:1\n  %1 = param.global 8 !1:1\n  %2 = special tid.x !1:1\n  \
                    %3 = add.i32 %0, %2 !1:1\n  %4 = ld.global.b32 %3 !5:1\n  %5 = ld.global.b32 %1 !6:1\n  \
                    st.global.b32 %1, %2 !7:1\n";
        assert_eq!(known(body).1, [5]);
    }
}
