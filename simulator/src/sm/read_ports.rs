//! The read ports of a register file without operand collectors, for instructions of fixed latency (`sm.dependences=control-bits`).
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.3. A scheduler's registers are in two banks, by their number. An
//! instruction reads in three cycles. It waits in the stage Allocate, and with it all behind it,
//! until the ports of both banks are free for its operands within the next three. The operand cache
//! has a value for each bank and operand position. A source with `!reuse` stays there; each read of a
//! bank by a position replaces or drops what is there, hit or not.

use crate::handles::{RegisterRow, WarpSlot};
use crate::program::decoded::Decoded;
use crate::program::operands::Source;

/// Banks of a scheduler's register file.
const BANKS: usize = 2;
/// The cycles in which an instruction can read its operands.
const WINDOW: u64 = 3;

/// A bank.
#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    /// The end of the reads that are reserved: a cycle, times the ports of the bank.
    taken: u64,
    /// By operand position: the register whose value the operand cache has.
    cached: [Option<RegisterRow>; 3],
}

/// A scheduler's ports.
#[derive(Clone, Debug, Default)]
struct Ports {
    banks: [Bank; BANKS],
    /// The cycle from which on an instruction can be in Allocate.
    free: u64,
}

/// The read ports of an SM.
#[derive(Clone, Debug)]
pub(super) struct ReadPorts {
    /// By scheduler.
    all: Vec<Ports>,
    /// Ports of a bank; 0 for as many as are needed.
    ports: u64,
}

impl ReadPorts {
    pub(super) fn new(schedulers: u32, ports: u32) -> ReadPorts {
        ReadPorts { all: vec![Ports::default(); schedulers as usize], ports: ports.into() }
    }

    /// An instruction of a warp that issues now reserves its reads. Returns the cycles that it waits
    /// for them.
    pub(super) fn reserve(&mut self, warp: WarpSlot, instruction: &Decoded, now: u64) -> u64 {
        let at = warp.index() % self.all.len();
        let Ports { banks, free } = &mut self.all[at];
        let mut reads = [0; BANKS];
        for (position, source) in instruction.sources.iter().enumerate() {
            let Source::Register { index, words } = *source else { continue };
            let keeps = instruction.reuse >> position & 1 != 0;
            for register in index..index + u16::from(words) {
                let at = usize::from(register) % BANKS;
                let cached = &mut banks[at].cached[position];
                reads[at] += u64::from(*cached != Some(warp.row(register)));
                *cached = keeps.then_some(warp.row(register));
            }
        }
        let first = now.max(*free);
        if self.ports == 0 {
            return 0;
        }
        // Reads of a bank are in order. Those before it end in time if it waits until they do.
        let window = WINDOW * self.ports;
        let needs = banks.iter().zip(reads).filter(|(_, reads)| *reads != 0);
        let starts = needs.map(|(bank, reads)| {
            let last = bank.taken + reads;
            last.saturating_sub(window).div_ceil(self.ports)
        });
        let start = starts.fold(first, u64::max);
        for (bank, reads) in banks.iter_mut().zip(reads) {
            if reads != 0 {
                bank.taken = bank.taken.max(start * self.ports) + reads;
            }
        }
        *free = start + 1;
        start - now
    }
}
