//! Puts copies that happen at once in an order, on assigned registers.

use reconverge_isa::planted::Planted;
use reconverge_isa::{Dest, Instruction, Op, Operand, Pred, REGISTERS, Reg};

/// A copy of a word or pair (to an even register), or of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The destination.
    pub dest: Dest,
    /// The source.
    pub source: Operand,
    /// A pair.
    pub wide: bool,
}

/// A register, general or predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    General(u8),
    Predicate(u8),
}

impl Copy {
    fn units(register: Option<Unit>, wide: bool) -> impl Iterator<Item = Unit> {
        let second = match register {
            Some(Unit::General(number)) if wide => Some(Unit::General(number + 1)),
            _ => None,
        };
        register.into_iter().chain(second)
    }

    fn writes(&self) -> impl Iterator<Item = Unit> + use<> {
        let register = match self.dest {
            Dest::Reg(Reg(number)) => Some(Unit::General(number)),
            Dest::Pred(Pred(number)) => Some(Unit::Predicate(number)),
            Dest::None => None,
        };
        Copy::units(register, self.wide)
    }

    fn reads(&self) -> impl Iterator<Item = Unit> + use<> {
        let register = match self.source {
            Operand::Reg(Reg(number)) => Some(Unit::General(number)),
            Operand::Pred { predicate: Pred(number), .. } => Some(Unit::Predicate(number)),
            _ => None,
        };
        Copy::units(register, self.wide)
    }

    fn does_nothing(&self) -> bool {
        match (self.dest, self.source) {
            (Dest::Reg(dest), Operand::Reg(source)) => dest == source,
            (Dest::Pred(dest), Operand::Pred { predicate, negated }) => {
                dest == predicate && !negated
            }
            _ => false,
        }
    }

    fn instruction(&self) -> Instruction {
        let op = match self.dest {
            Dest::Pred(_) => Op::MovPred,
            _ if self.wide => Op::Mov64,
            _ => Op::Mov,
        };
        let mut instruction = Instruction::new(op);
        instruction.dest = self.dest;
        instruction.sources[0] = self.source;
        instruction
    }
}

/// The treatment of cycles, in which each copy waits for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycles {
    /// By exchanging two registers with exclusive ors: no register is needed beside.
    Exchange,
    /// Through registers from this even number on, which nothing else uses: the affine warp's
    /// registers hold no numbers, and the exclusive or of two tuples is none.
    Through(u32),
}

/// The instructions that have the effect of all copies at once; `None` if there are too few
/// registers for that.
pub fn sequence(mut copies: Vec<Copy>, cycles: Cycles) -> Option<Vec<Instruction>> {
    let mut instructions = Vec::new();
    loop {
        copies.retain(|copy| !copy.does_nothing());
        if copies.is_empty() {
            return Some(instructions);
        }
        let free = (0..copies.len()).find(|&at| {
            if Planted::CopiesInOrder.is_on() {
                return true;
            }
            let others = copies.iter().enumerate().filter(|&(other, _)| other != at);
            let mut read = others.flat_map(|(_, other)| other.reads());
            !read.any(|unit| copies[at].writes().any(|written| written == unit))
        });
        if let Some(at) = free {
            instructions.push(copies.remove(at).instruction());
        } else if let Cycles::Through(first) = cycles
            && let Some(at) = waiting(&copies, first)
        {
            instructions.push(step_aside(&mut copies, at, first)?);
        } else if copies.iter().any(|copy| copy.wide) {
            // A cycle through half a pair cannot be turned; one through words can.
            copies = copies.into_iter().flat_map(halves).collect();
        } else {
            turn(&mut copies, &mut instructions);
        }
    }
}

/// The number of the general register that is read.
fn source(copy: &Copy) -> Option<u32> {
    match copy.source {
        Operand::Reg(Reg(number)) => Some(number.into()),
        _ => None,
    }
}

/// A copy that still reads the destination of another one, a pair if there is one.
fn waiting(copies: &[Copy], first: u32) -> Option<usize> {
    let waits = |copy: &&Copy| source(copy).is_some_and(|number| number < first);
    let at = |wide: bool| copies.iter().position(|copy| waits(&copy) && copy.wide == wide);
    at(true).or_else(|| at(false))
}

/// Moves a copy's source into a register of no other copy.
fn step_aside(copies: &mut [Copy], at: usize, first: u32) -> Option<Instruction> {
    let is_free = |number: &u32| !copies.iter().any(|copy| source(copy) == Some(*number));
    let number = (first..REGISTERS as u32 - 1).step_by(2).find(is_free)?;
    let aside = Reg(number as u8);
    let copy = &mut copies[at];
    let instruction = Copy { dest: Dest::Reg(aside), ..*copy }.instruction();
    copy.source = Operand::Reg(aside);
    Some(instruction)
}

fn halves(copy: Copy) -> Vec<Copy> {
    match (copy.dest, copy.source) {
        (Dest::Reg(Reg(dest)), Operand::Reg(Reg(source))) if copy.wide => (0..2)
            .map(|half| Copy {
                dest: Dest::Reg(Reg(dest + half)),
                source: Operand::Reg(Reg(source + half)),
                wide: false,
            })
            .collect(),
        _ => vec![copy],
    }
}

/// Exchanges destination and source of one copy; others find their sources in the other place.
fn turn(copies: &mut Vec<Copy>, instructions: &mut Vec<Instruction>) {
    // Copies of constants are free as soon as their destination is not read, so one that reads
    // a register is among those that wait for each other.
    let at = copies.iter().position(|copy| copy.reads().next().is_some()).unwrap_or(0);
    let copy = copies.remove(at);
    match (copy.dest, copy.source) {
        (Dest::Reg(a), Operand::Reg(b)) => {
            for (dest, other) in [(a, b), (b, a), (a, b)] {
                let mut xor = Instruction::new(Op::Xor);
                xor.dest = Dest::Reg(dest);
                xor.sources = [Operand::Reg(dest), Operand::Reg(other), Operand::None];
                instructions.push(xor);
            }
            for other in copies.iter_mut() {
                if Planted::ExchangeUnnoticed.is_on() {
                    break;
                }
                match other.source {
                    Operand::Reg(reg) if reg == a => other.source = Operand::Reg(b),
                    Operand::Reg(reg) if reg == b => other.source = Operand::Reg(a),
                    _ => {}
                }
            }
        }
        (Dest::Pred(a), Operand::Pred { predicate: b, negated }) => {
            let read = |predicate: Pred, negated: bool| Operand::Pred { predicate, negated };
            if a != b {
                for (dest, other) in [(a, b), (b, a), (a, b)] {
                    let mut xor = Instruction::new(Op::XorPred);
                    xor.dest = Dest::Pred(dest);
                    xor.sources = [read(dest, false), read(other, false), Operand::None];
                    instructions.push(xor);
                }
                for other in copies.iter_mut() {
                    match other.source {
                        Operand::Pred { predicate, negated } if predicate == a => {
                            other.source = read(b, negated);
                        }
                        Operand::Pred { predicate, negated } if predicate == b => {
                            other.source = read(a, negated);
                        }
                        _ => {}
                    }
                }
            }
            if negated {
                let source = read(a, true);
                // Other readers need the value before the complement.
                for other in copies.iter_mut() {
                    if let Operand::Pred { predicate, negated } = &mut other.source
                        && *predicate == a
                    {
                        *negated = !*negated;
                    }
                }
                instructions.push(Copy { dest: copy.dest, source, wide: false }.instruction());
            }
        }
        _ => instructions.push(copy.instruction()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executes word copies on registers that hold their own numbers.
    fn result(instructions: &[Instruction]) -> Vec<u32> {
        let mut registers: Vec<u32> = (0..8).collect();
        for instruction in instructions {
            let read = |operand: Operand| match operand {
                Operand::Reg(Reg(number)) => registers[number as usize],
                Operand::Imm(bits) => bits,
                _ => 0,
            };
            let (a, b) = (read(instruction.sources[0]), read(instruction.sources[1]));
            let Dest::Reg(Reg(dest)) = instruction.dest else { continue };
            let dest = dest as usize;
            match instruction.op {
                Op::Xor => registers[dest] = a ^ b,
                Op::Mov64 => {
                    let Operand::Reg(Reg(source)) = instruction.sources[0] else { continue };
                    registers[dest + 1] = registers[source as usize + 1];
                    registers[dest] = a;
                }
                _ => registers[dest] = a,
            }
        }
        registers
    }

    fn exchanged(copies: Vec<Copy>) -> Vec<Instruction> {
        sequence(copies, Cycles::Exchange).unwrap()
    }

    fn copy(dest: u8, source: u8, wide: bool) -> Copy {
        Copy { dest: Dest::Reg(Reg(dest)), source: Operand::Reg(Reg(source)), wide }
    }

    #[test]
    fn chains_need_no_exchange() {
        let found = exchanged(vec![copy(1, 0, false), copy(2, 1, false)]);
        assert_eq!(found.len(), 2);
        assert_eq!(result(&found)[..3], [0, 0, 1]);
    }

    #[test]
    fn cycles_of_words_and_pairs_turn() {
        let three = vec![copy(0, 1, false), copy(1, 2, false), copy(2, 0, false)];
        assert_eq!(result(&exchanged(three))[..3], [1, 2, 0]);
        let mixed = vec![copy(0, 2, true), copy(2, 1, false), copy(3, 0, false)];
        assert_eq!(result(&exchanged(mixed))[..4], [2, 3, 1, 0]);
        let constant = Copy { dest: Dest::Reg(Reg(1)), source: Operand::Imm(9), wide: false };
        assert_eq!(result(&exchanged(vec![constant, copy(0, 1, false)]))[..2], [1, 9]);
    }

    #[test]
    fn tuples_are_moved_only() {
        for copies in [
            vec![copy(0, 1, false), copy(1, 2, false), copy(2, 0, false)],
            vec![copy(0, 2, true), copy(2, 1, false), copy(3, 0, false)],
            vec![copy(0, 2, true), copy(2, 0, true), copy(4, 5, false), copy(5, 4, false)],
        ] {
            let found = sequence(copies.clone(), Cycles::Through(6)).unwrap();
            assert!(found.iter().all(|instruction| instruction.op != Op::Xor));
            assert_eq!(result(&found)[..6], result(&exchanged(copies))[..6]);
        }
        let two = vec![copy(0, 1, false), copy(1, 0, false)];
        assert_eq!(sequence(two, Cycles::Through(254)), None);
    }
}
