//! Proves an allocation right: follows the virtual register's value in each machine register
//! through the code, and checks that every read finds the right one.

use super::allocate::Allocation;
use super::machine::{Class, Code, Item, Operand, Reg};

/// The virtual registers whose value (or half of it) a machine register holds, sorted.
type Holds = Vec<(Reg, u8)>;
/// By machine register: general ones, then predicates.
type State = Vec<Holds>;

const GENERAL: usize = 256;
const ALL: usize = GENERAL + 16;

/// The first read of a register that does not hold the expected value.
pub fn check(code: &Code, allocation: &Allocation) -> Result<(), String> {
    let checker = Checker { code, allocation };
    let mut at_start: Vec<Option<State>> = vec![None; code.blocks.len()];
    at_start[0] = Some(vec![Holds::new(); ALL]);
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        let Some(mut state) = at_start[block].clone() else {
            continue;
        };
        for item in &code.blocks[block].items {
            // A value missing on one path is missing altogether, so faults found early are real.
            checker.step(&mut state, item)?;
        }
        if let Some(reg) = code.blocks[block].end.reads() {
            checker.reads(&state, reg)?;
        }
        for target in code.blocks[block].end.targets() {
            let changed = match &mut at_start[target] {
                Some(known) => join(known, &state),
                unknown => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if changed {
                pending.push(target);
            }
        }
    }
    Ok(())
}

/// Keeps the facts that both hold. Returns true if they are fewer than before.
fn join(known: &mut State, other: &State) -> bool {
    let mut changed = false;
    for (mine, theirs) in known.iter_mut().zip(other) {
        let before = mine.len();
        mine.retain(|held| theirs.contains(held));
        changed |= mine.len() != before;
    }
    changed
}

struct Checker<'a> {
    code: &'a Code,
    allocation: &'a Allocation,
}

impl Checker<'_> {
    /// The machine registers of a virtual one.
    fn units(&self, reg: Reg) -> std::ops::Range<usize> {
        let first = self.allocation.registers[reg.index()] as usize;
        match self.code.class(reg) {
            Class::Word | Class::Uniform => first..first + 1,
            Class::Pair => first..first + 2,
            Class::Predicate => GENERAL + first..GENERAL + first + 1,
        }
    }

    fn reads(&self, state: &State, reg: Reg) -> Result<(), String> {
        for (half, unit) in self.units(reg).enumerate() {
            if !state[unit].contains(&(reg, half as u8)) {
                return Err(format!("{reg:?} is not in register {unit} where it is read"));
            }
        }
        Ok(())
    }

    fn step(&self, state: &mut State, item: &Item) -> Result<(), String> {
        match item {
            Item::Inst(inst) => {
                let mut result = Ok(());
                item.each_read(|reg| {
                    if result.is_ok() {
                        result = self.reads(state, reg);
                    }
                });
                result?;
                item.each_write(|dest| self.write(state, dest, &[]));
                for tuple in inst.tuples() {
                    let units: Vec<usize> = tuple.iter().flat_map(|&reg| self.units(reg)).collect();
                    let (first, count) = (units[0], units.len());
                    if !units.iter().copied().eq(first..first + count) || first % count != 0 {
                        return Err(format!("{tuple:?} do not follow each other"));
                    }
                }
            }
            Item::Copies(copies, _) => {
                let mut values = Vec::new();
                for &(dest, source) in copies {
                    let mut held = Vec::new();
                    if let Some(reg) = source.reg() {
                        self.reads(state, reg)?;
                        // A complement is a new value.
                        if !matches!(source, Operand::Pred(_, true)) {
                            held = self.units(reg).map(|unit| state[unit].clone()).collect();
                        }
                    }
                    values.push((dest, held));
                }
                for (dest, held) in &values {
                    self.write(state, *dest, held);
                }
                for (number, (dest, _)) in values.iter().enumerate() {
                    let others = values[number + 1..].iter();
                    let overlap = |other: Reg| {
                        self.units(other).any(|unit| self.units(*dest).contains(&unit))
                    };
                    if others.clone().any(|(other, _)| overlap(*other)) {
                        return Err(format!("two copies at once write the register of {dest:?}"));
                    }
                }
            }
        }
        Ok(())
    }

    fn write(&self, state: &mut State, dest: Reg, held: &[Holds]) {
        for holds in state.iter_mut() {
            holds.retain(|&(reg, _)| reg != dest);
        }
        for (half, unit) in self.units(dest).enumerate() {
            let mut holds = held.get(half).cloned().unwrap_or_default();
            holds.retain(|&(reg, _)| reg != dest);
            holds.push((dest, half as u8));
            holds.sort();
            state[unit] = holds;
        }
    }
}
