//! The times of a memory instruction on a machine that delivers operands in a fixed time.
//!
//! The sources and their division into stages are those of `sm/delivery/memory.rs`.

use reconverge_isa::{Effect, Space};

use crate::machine::Machine;
use crate::program::decoded::Decoded;
use crate::program::operands::Source;

/// The cycles of a register of 32 bits in which all lanes' values pass, in one latency.
const INCLUDED: u32 = 2;

/// The times of a memory instruction, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryTimes {
    /// From issue until its sources are free, if nothing is in front of it.
    pub(crate) sources: u8,
    /// The cycles in which its sub-core reads its data; 0 for a load.
    pub(crate) data: u8,
    /// From the first part of its result to the last at least.
    pub(crate) transfer: u8,
    /// The cycles in which its result takes the way to registers; 0 if it takes none.
    pub(crate) cycles: u8,
    /// Its lanes have an address each.
    pub(crate) by_lane: bool,
    /// Its sources are free when its result is there.
    pub(crate) holds_sources: bool,
}

impl MemoryTimes {
    /// The times of an instruction on a machine; none of one that accesses no memory.
    pub(super) fn of(instruction: &Decoded, machine: &Machine) -> MemoryTimes {
        if !instruction.accesses_memory() {
            return MemoryTimes::default();
        }
        let timing = &machine.load_store;
        let by_lane = matches!(instruction.sources[0], Source::Register { .. });
        let is_load = instruction.effect == Effect::Load;
        let bytes = instruction.width.bytes().max(4) * machine.sm.warp_width;
        // Two cycles pass in any case, as with 32 bits of 32 lanes.
        let cycles = bytes.div_ceil(timing.transfer).max(INCLUDED);
        let more = cycles - INCLUDED;
        let is_shared = instruction.space == Space::Shared;
        let apart = |is: bool| if is && by_lane { timing.address_latency } else { 0 };
        let mut sources = timing.sub_core_latency + apart(!is_shared);
        if !is_load {
            sources += 1 + apart(true) + more;
        }
        let is_constant = instruction.space == Space::Constant;
        if is_constant {
            // From immediates too (Table 2: 10 cycles).
            sources += 1;
        }
        let transfer = match instruction.space {
            Space::Constant => 0,
            // It gives twice as many bits a cycle, in no fewer than two (Table 2: 23, 23 and 25 cycles).
            Space::Shared => bytes.div_ceil(2 * timing.transfer).max(INCLUDED) - 1,
            _ if is_load => more,
            _ => 0,
        };
        let narrow = |cycles: u32| u8::try_from(cycles).unwrap_or(u8::MAX);
        MemoryTimes {
            sources: narrow(sources),
            data: if is_load { 0 } else { narrow(cycles) },
            transfer: narrow(transfer),
            cycles: match instruction.space {
                Space::Constant => 0,
                Space::Shared => INCLUDED as u8,
                _ => narrow(cycles),
            },
            by_lane,
            holds_sources: is_constant && by_lane,
        }
    }
}
