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
use reconverge_isa::control_bits::{COUNTERS, DEPBAR_STALL};
use reconverge_isa::{
    CodeTarget, ControlBits, FixedLatencies, InOrder, Instruction, Kernel, Operand,
};

/// Stands for a counter where an instruction of varying latency has none.
const UNCOUNTED: u8 = 1 << 7;

/// The older instructions that may not be done with a register.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Register {
    /// Cycles until its result of fixed latency is written, and every instruction can read it.
    cycles: u8,
    /// The counters that fall when a result is written to it; a bit each, and [`UNCOUNTED`].
    writers: u8,
    /// The counters that fall when it has been read.
    readers: u8,
    /// By counter of either: how often it has certainly risen since the last of these instructions.
    younger: [u8; COUNTERS as usize],
}

/// The kinds of the producers that may be in flight on a counter.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kinds {
    #[default]
    Nothing,
    /// They end in the order of their issue.
    InOrder(InOrder),
    Any,
}

impl Kinds {
    fn of(kind: Option<InOrder>) -> Kinds {
        kind.map_or(Kinds::Any, Kinds::InOrder)
    }

    fn and(self, other: Kinds) -> Kinds {
        match (self, other) {
            (Kinds::Nothing, one) | (one, Kinds::Nothing) => one,
            (one, other) if one == other => one,
            _ => Kinds::Any,
        }
    }
}

/// The worst that can be in flight before an instruction, over all paths to it.
#[derive(Clone)]
struct State {
    registers: Vec<Register>,
    /// By counter: cycles until an instruction sees that it has risen.
    unseen: [u8; COUNTERS as usize],
    /// By counter: the instructions in flight on it.
    kinds: [Kinds; COUNTERS as usize],
}

impl State {
    fn new() -> State {
        State {
            registers: vec![Register::default(); POSITIONS],
            unseen: [0; COUNTERS as usize],
            kinds: [Kinds::Nothing; COUNTERS as usize],
        }
    }

    /// Adds what can be in flight on another path. Returns true if some of it is new.
    fn add(&mut self, other: &State) -> bool {
        let mut is_new = false;
        for (own, other) in self.registers.iter_mut().zip(&other.registers) {
            let both = own.or(other);
            is_new |= both != *own;
            *own = both;
        }
        for (own, other) in self.unseen.iter_mut().zip(other.unseen) {
            is_new |= other > *own;
            *own = other.max(*own);
        }
        for (own, other) in self.kinds.iter_mut().zip(other.kinds) {
            is_new |= own.and(other) != *own;
            *own = own.and(other);
        }
        is_new
    }

    /// A counter is no higher than a limit: with 0 all have ended, and otherwise those before as many
    /// younger ones, if they end in order.
    fn counted_down(&mut self, counter: u8, limit: u8) {
        let at = usize::from(counter);
        if self.unseen[at] != 0 || limit != 0 && self.kinds[at] == Kinds::Any {
            return;
        }
        for register in &mut self.registers {
            if register.younger[at] >= limit {
                register.writers &= !(1 << counter);
                register.readers &= !(1 << counter);
                register.younger[at] = 0;
            }
        }
        if limit == 0 {
            self.kinds[at] = Kinds::Nothing;
        }
    }

    /// An instruction raises a counter, which falls when it has ended.
    fn raise(&mut self, counter: u8, kind: Option<InOrder>, is_certain: bool) {
        let at = usize::from(counter);
        self.unseen[at] = 2;
        self.kinds[at] = self.kinds[at].and(Kinds::of(kind));
        for register in &mut self.registers {
            if (register.writers | register.readers) >> counter & 1 != 0 {
                register.younger[at] = register.younger[at].saturating_add(is_certain.into());
            }
        }
    }

    /// An instruction of varying latency issues.
    fn start(&mut self, instruction: &Instruction, bits: ControlBits) {
        let ControlBits { write, read, .. } = bits;
        let is_certain = InOrder::is_certain(instruction);
        if let Some(write) = write {
            self.raise(write, InOrder::of_result(instruction), is_certain);
        }
        // A counter that is named twice rises once, until the result is written.
        if let Some(read) = read.filter(|read| write != Some(*read)) {
            self.raise(read, InOrder::of_reads(instruction, &bits), is_certain);
        }
        let bit = |counter: Option<u8>| counter.map(|counter| 1 << counter);
        for at in destination(instruction).positions() {
            self.registers[at].writers |= bit(write).unwrap_or(UNCOUNTED);
            write.into_iter().for_each(|it| self.registers[at].younger[usize::from(it)] = 0);
        }
        for at in reads(instruction).positions() {
            let counter = read.or(write);
            self.registers[at].readers |= bit(counter).unwrap_or(UNCOUNTED);
            counter.into_iter().for_each(|it| self.registers[at].younger[usize::from(it)] = 0);
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
        if instruction.has_counter() && bits.stall < DEPBAR_STALL {
            return Err(format!("`depbar.le` needs a stall of at least {DEPBAR_STALL}"));
        }
        bits.waits().for_each(|counter| self.counted_down(counter, 0));
        if let Some((counter, limit)) = depbar(instruction) {
            self.counted_down(counter, limit);
        }
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
        match latency {
            Some(latency) => {
                for at in written {
                    let register = &mut self.registers[at];
                    register.cycles = register.cycles.max(latency + latencies.unforwarded);
                }
            }
            None => self.start(instruction, bits),
        }
        self.time_passes(bits.cycles());
        Ok(())
    }
}

impl Register {
    /// Adds the instructions in flight on another path.
    fn or(&self, other: &Register) -> Register {
        let (one, two) = (self.writers | self.readers, other.writers | other.readers);
        let mut younger = self.younger;
        for (counter, (own, other)) in younger.iter_mut().zip(other.younger).enumerate() {
            match (one >> counter & 1 != 0, two >> counter & 1 != 0) {
                (true, true) => *own = other.min(*own),
                (false, true) => *own = other,
                _ => {}
            }
        }
        Register {
            cycles: self.cycles.max(other.cycles),
            writers: self.writers | other.writers,
            readers: self.readers | other.readers,
            younger,
        }
    }

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

/// The counter of `depbar.le`, and its limit.
fn depbar(instruction: &Instruction) -> Option<(u8, u8)> {
    let limit = match instruction.sources[0] {
        Operand::Imm(limit) => u8::try_from(limit).ok(),
        _ => None,
    };
    limit.filter(|_| instruction.has_counter()).map(|limit| (instruction.barrier, limit))
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

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::{Unit, text};

    fn checked(code: &str) -> Result<(), String> {
        let program = text::parse(code).unwrap_or_else(|errors| panic!("{}\n{code}", errors[0]));
        let latencies = FixedLatencies::new(|row| match row.unit {
            Unit::Integer => Some(4),
            Unit::Control => Some(1),
            _ => None,
        });
        check(&program.kernels[0], &latencies)
    }

    #[test]
    fn a_limit_leaves_as_many_younger_ones() {
        let code = |second: &str, limit: u32, read: &str| {
            format!(
                "ld.shared.b32 r1, [r0] !stall 1 !wr 0\n {second} !wr 0 !stall 2\n \
                 depbar.le sb0, {limit} !stall 4\n add.i32 r4, {read}, r0 !stall 1\n exit !wait 0"
            )
        };
        let fault = "is read, and may not be written yet: it does not wait for sb0";
        for (second, limit, read, is_right) in [
            ("ld.shared.b32 r2, [r0+4]", 1, "r1", true),
            ("ld.shared.b32 r2, [r0+4]", 2, "r1", false),
            ("ld.shared.b32 r2, [r0+4]", 1, "r2", false),
            ("ld.shared.b32 r2, [r0+4]", 0, "r2", true),
            // It may not issue, or overtake.
            ("@p0 ld.shared.b32 r2, [r0+4]", 1, "r1", false),
            ("ld.shared.b64 r2:3, [r0+8]", 1, "r1", false),
            ("ld.global.b32 r2, [r0+4]", 1, "r1", false),
        ] {
            let found = checked(&code(second, limit, read));
            assert_eq!(found.is_ok(), is_right, "{second}, {limit}: {found:?}");
            assert!(found.is_ok() || found.is_err_and(|it| it.contains(fault)));
        }
    }

    #[test]
    fn a_limit_holds_on_the_path_with_the_fewest_younger_ones() {
        let code = |other: &str| {
            format!(
                "ld.shared.b32 r1, [r0] !stall 2 !wr 0\n @p0 bra L !reconverge M\n \
                 ld.shared.b32 r2, [r0+4] !stall 2 !wr 0\n bra M\n L: {other}\n \
                 M: depbar.le sb0, 1 !stall 4\n add.i32 r4, r1, r0 !stall 1\n exit !wait 0"
            )
        };
        assert_eq!(checked(&code("ld.shared.b32 r3, [r0+8] !stall 2 !wr 0")), Ok(()));
        assert!(checked(&code("mov.b32 r3, 1 !stall 4")).is_err());
    }

    #[test]
    fn reads_end_in_order_too() {
        let code = |second: &str, written: &str| {
            format!(
                "st.global.b32 [r0], r1 !stall 1 !rd 0\n {second} !stall 2 !rd 0\n \
                 depbar.le sb0, 1 !stall 4\n mov.b32 {written}, 1 !stall 4\n exit"
            )
        };
        assert_eq!(checked(&code("st.global.b32 [r0+4], r2", "r1")), Ok(()));
        for (second, written) in [
            ("st.global.b32 [r0+4], r2", "r2"),
            ("st.shared.b32 [r0+4], r2", "r1"),
            ("st.global.b32 [r3], r2 !common", "r1"),
        ] {
            assert!(checked(&code(second, written)).is_err(), "{second}, {written}");
        }
    }
}
