//! Proves the control bits of a kernel right: follows every path through the code, and finds each
//! instruction that could read or overwrite a register before an older one has written or read it.
//!
//! A result of fixed latency is there after its latency, and one of varying latency at any time. So
//! the proof holds for every latency that the machine may show. It shares no code with the pass
//! that chooses the bits ([`super::control_bits`]).
//!
//! The lanes of a warp that are elsewhere do not matter: they have registers of their own, and what
//! they add to the warp's counters only lets others wait longer.

use super::graph::Graph;
use super::registers::{POSITIONS, destination, reads};
use reconverge_isa::control_bits::COUNTERS;
use reconverge_isa::{
    CodeTarget, ControlBits, Effect, FixedLatencies, Instruction, Kernel, Operand,
};

/// Stands for a counter where an instruction of varying latency has none.
const UNCOUNTED: u8 = 1 << 7;
/// The stall count that `depbar.le` needs (MICRO 2025, §4).
const DEPBAR_STALL: u8 = 4;

/// The older instructions that may not be done with a register.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Register {
    /// Cycles until its result of fixed latency is written, and every instruction can read it.
    cycles: u8,
    /// The counters that fall when a result is written to it; a bit each, and [`UNCOUNTED`].
    writers: u8,
    /// The counters that fall when it has been read.
    readers: u8,
}

/// The worst that can be in flight before an instruction, over all paths to it.
#[derive(Clone)]
struct State {
    registers: Vec<Register>,
    /// By counter: cycles until an instruction sees that it has risen.
    unseen: [u8; COUNTERS as usize],
}

impl State {
    fn new() -> State {
        State { registers: vec![Register::default(); POSITIONS], unseen: [0; COUNTERS as usize] }
    }

    /// Adds what can be in flight on another path. Returns true if some of it is new.
    fn add(&mut self, other: &State) -> bool {
        let mut is_new = false;
        for (own, other) in self.registers.iter_mut().zip(&other.registers) {
            let both = Register {
                cycles: own.cycles.max(other.cycles),
                writers: own.writers | other.writers,
                readers: own.readers | other.readers,
            };
            is_new |= both != *own;
            *own = both;
        }
        for (own, other) in self.unseen.iter_mut().zip(other.unseen) {
            is_new |= other > *own;
            *own = other.max(*own);
        }
        is_new
    }

    /// Some counters are 0.
    fn counted_down(&mut self, counters: u8) {
        for register in &mut self.registers {
            register.writers &= !counters;
            register.readers &= !counters;
        }
    }

    fn time_passes(&mut self, cycles: u8) {
        for register in &mut self.registers {
            register.cycles = register.cycles.saturating_sub(cycles);
        }
        self.unseen.iter_mut().for_each(|left| *left = left.saturating_sub(cycles));
    }

    /// An instruction issues and waits; the error states the register that it finds too early.
    fn issue(
        &mut self,
        instruction: &Instruction,
        bits: ControlBits,
        latencies: &FixedLatencies,
    ) -> Result<(), String> {
        let mut zero: u8 = 0;
        for counter in bits.waits().chain(depbar(instruction)) {
            if self.unseen[usize::from(counter)] == 0 {
                zero |= 1 << counter;
            }
        }
        if instruction.has_counter() && bits.stall < DEPBAR_STALL {
            return Err(format!("`depbar.le` needs a stall of at least {DEPBAR_STALL}"));
        }
        self.counted_down(zero);
        let latency = latencies.latency(instruction);
        let written: Vec<usize> = destination(instruction).positions().collect();
        let read: Vec<usize> = reads(instruction).positions().collect();
        // It reads a forwarded result before others can.
        let forwarded = latencies.unforwarded - latencies.read_delay(instruction);
        for &at in &read {
            let register = self.registers[at].after(forwarded);
            register.check_read().map_err(|fault| format!("{} {fault}", name(at)))?;
        }
        for &at in &written {
            let register = self.registers[at].after(latencies.unforwarded);
            register.check_write(latency).map_err(|fault| format!("{} {fault}", name(at)))?;
        }
        let bit = |counter: Option<u8>| counter.map(|counter| 1 << counter);
        match latency {
            Some(latency) => {
                for at in written {
                    let register = &mut self.registers[at];
                    register.cycles = register.cycles.max(latency + latencies.unforwarded);
                }
            }
            None => {
                let (write, read_bit) = (bit(bits.write), bit(bits.read));
                for at in written {
                    self.registers[at].writers |= write.unwrap_or(UNCOUNTED);
                }
                for at in read {
                    self.registers[at].readers |= read_bit.or(write).unwrap_or(UNCOUNTED);
                }
                for counter in [bits.write, bits.read].into_iter().flatten() {
                    self.unseen[usize::from(counter)] = 2;
                }
            }
        }
        self.time_passes(bits.cycles());
        Ok(())
    }
}

impl Register {
    /// The same some cycles later, as far as results of fixed latency are concerned.
    fn after(self, cycles: u8) -> Register {
        Register { cycles: self.cycles.saturating_sub(cycles), ..self }
    }

    fn check_read(self) -> Result<(), String> {
        match self {
            Register { cycles: 1.., .. } => {
                Err(format!("is read {} before it is written", cycles(self.cycles)))
            }
            Register { writers: 0, .. } => Ok(()),
            _ => Err(format!("is read, and may not be written yet{}", of(self.writers))),
        }
    }

    fn check_write(self, latency: Option<u8>) -> Result<(), String> {
        // Results of varying latency are written after that of the instruction in front.
        let least = latency.unwrap_or(1);
        if self.cycles >= least && self.cycles != 0 {
            let late = cycles(self.cycles - least + 1);
            return Err(format!("is written {late} before an older result"));
        }
        if self.writers != 0 {
            let of = of(self.writers);
            return Err(format!("is written, and may not have its older result yet{of}"));
        }
        match self.readers {
            0 => Ok(()),
            readers => Err(format!("is written, and may not have been read yet{}", of(readers))),
        }
    }
}

fn cycles(count: u8) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} cycle{plural}")
}

/// The counters that would have to be awaited.
fn of(counters: u8) -> String {
    if counters & UNCOUNTED != 0 {
        return ": no counter says when".into();
    }
    let names = (0..COUNTERS).filter(|counter| counters >> counter & 1 != 0);
    let names: Vec<String> = names.map(|counter| format!("sb{counter}")).collect();
    format!(": it does not wait for {}", names.join(" and "))
}

/// The counter that is 0 after `depbar.le`, if one is: with another limit its order would count.
fn depbar(instruction: &Instruction) -> Option<u8> {
    let is_zero =
        instruction.op.row().effect == Effect::Depbar && instruction.sources[0] == Operand::Imm(0);
    is_zero.then_some(instruction.barrier)
}

/// A register's name, by its position.
fn name(at: usize) -> String {
    match at.checked_sub(super::registers::GENERAL) {
        None => format!("r{at}"),
        Some(predicate) => format!("p{predicate}"),
    }
}

/// Checks the control bits of a kernel for a machine, if that needs some. The error names the
/// first instruction, in the order of the code, that could find a register too early.
pub fn verify(kernel: &Kernel, target: &CodeTarget) -> Result<(), String> {
    match &target.control_bits {
        Some(target) => check(kernel, &target.latencies),
        None => Ok(()),
    }
}

/// The same for a machine with some dependences.
pub fn check(kernel: &Kernel, latencies: &FixedLatencies) -> Result<(), String> {
    let code = kernel.main_code();
    let graph = Graph::new(code);
    let mut starts: Vec<Option<State>> = vec![None; graph.len()];
    let mut pending: std::collections::BTreeSet<usize> = (0..graph.len().min(1)).collect();
    if let Some(entry) = starts.first_mut() {
        *entry = Some(State::new());
    }
    let mut faults: std::collections::BTreeMap<usize, String> = Default::default();
    while let Some(block) = pending.pop_first() {
        let Some(mut state) = starts[block].clone() else {
            continue;
        };
        for index in graph.instructions(block) {
            // A machine may leave convergence barriers out: no time passes with them.
            if code[index].has_barrier() {
                continue;
            }
            let bits = kernel.control_bits(index);
            if let Err(fault) = state.issue(&code[index], bits, latencies) {
                faults.entry(index).or_insert(fault);
                break;
            }
        }
        for &next in graph.successors(block) {
            let is_new = match &mut starts[next] {
                Some(known) => known.add(&state),
                start => {
                    *start = Some(state.clone());
                    true
                }
            };
            if is_new {
                pending.insert(next);
            }
        }
    }
    match faults.pop_first() {
        None => Ok(()),
        Some((index, fault)) => Err(format!("instruction {index}: {fault}")),
    }
}
