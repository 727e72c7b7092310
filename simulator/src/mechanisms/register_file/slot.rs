//! Slot `register-file`: how operands get from registers to pipes, and results back.
//!
//! An instruction enters when it issues and leaves for its pipe when it has all operands; between, it
//! participates in the third of the book's three loops (Aamodt, Fung, Rogers, §3.3). Values are computed
//! at issue: a register file keeps time only.

pub use super::operands::{
    Destination, MAX_OPERANDS, Operands, PathAt, Reader, ResultRegisters, Transfer,
};
use crate::handles::{RegisterRow, WarpSlot};
use crate::mechanisms::demands::ManagedLevels;
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::setup::Setup;
use crate::observe::statistics::Statistics;
use crate::program::regions::RegionCapacity;

/// Constructs a register file for a machine from its options.
pub type Build = &'static (dyn Fn(&Setup, &Shape) -> Result<Box<dyn RegisterFile>, String> + Sync);

/// The machine's properties that the register file of a sub-core depends on.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The options of `banked` (banks and collectors), for every register file.
    pub banked: toml::Table,
    /// True if a last read is that of all lanes of the warp, as under `Capabilities::is_serial` of
    /// the divergence scheme; otherwise it is of the lanes that read.
    pub is_serial: bool,
    /// Warp registers that there are: a register for each lane of a warp.
    pub registers: u64,
    /// Lanes of a warp.
    pub width: u32,
    /// Warps that it has registers for.
    pub warps: u32,
}

/// The entry for a register in a table by hardware warp and register; the table grows as far as it
/// has to.
pub(super) fn entry<T: Default>(warps: &mut Vec<Vec<T>>, row: RegisterRow) -> &mut T {
    let (warp, register) = (row.warp.index(), usize::from(row.register));
    if warps.len() <= warp {
        warps.resize_with(warp + 1, Vec::new);
    }
    let registers = &mut warps[warp];
    if registers.len() <= register {
        registers.resize_with(register + 1, T::default);
    }
    &mut registers[register]
}

/// The answer to an instruction that is ready to leave for its pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It has left.
    Left,
    /// Not before this cycle; [`u64::MAX`] if that is not known.
    NotBefore(u64),
}

/// The constant properties of a register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// It admits every instruction at any time: [`RegisterFile::admits`].
    pub admits_all: bool,
    /// Its levels for the compiler to fill. If a kernel states the registers there, its warps leave
    /// an active pool at the kernel's marks, and not when they wait for memory.
    pub levels: Option<ManagedLevels>,
    /// Its capacity, if it holds only the registers of the regions that paths are in.
    pub regions: Option<RegionCapacity>,
    /// Kernels must state the number of their long-lived registers.
    pub needs_lifetimes: bool,
    /// The most warp registers that one block can have, if there are fewer than in the machine
    /// file.
    pub capacity: Option<u64>,
    /// It keeps registers by warp: a path must not hold threads of several warps.
    pub by_warp: bool,
}

/// A register file of an SM. It sees hardware warps and registers: the reads
/// ([`RegisterFile::enter`], with last reads) and writes of each instruction, and events.
pub trait RegisterFile: Send {
    /// Its properties, constant from its construction on.
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// The kinds of events that it receives, constant from its construction on.
    fn events(&self) -> EventSet {
        EventSet::NONE
    }

    /// Receives an event of a kind in [`RegisterFile::events`].
    fn on_event(&mut self, _event: &Event, _effects: &mut Effects) {}

    /// Its decisions on the use of registers, if it can lack some; always or never.
    fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        None
    }

    /// Returns true if an instruction can enter now.
    fn has_room(&self) -> bool;

    /// Returns true if a warp's next instruction may issue now as far as the registers that its
    /// older ones are still to read are concerned (write after read).
    fn admits(&self, warp: WarpSlot) -> bool;

    /// An instruction that reads some registers, and later writes others, issues in cycle `now`;
    /// `token` names it. There is room for it. It reads from the next cycle on. Returns true if
    /// there is room for another one.
    fn enter(
        &mut self,
        token: u32,
        registers: &Operands,
        reader: Reader,
        result: Option<&ResultRegisters>,
        now: u64,
    ) -> bool;

    /// Everything that happens in a cycle: instructions that have all operands leave if `leave` lets
    /// them, the others read. The next cycle in which something can happen, [`u64::MAX`] for none that
    /// is known.
    fn step(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64;

    /// Instructions that could leave at a time that was not known ([`Leave::NotBefore`]) may do so now.
    fn wake(&mut self);

    /// A result is written in cycle `ready` or as soon after it as that is possible: the cycle in which it is. Cycles
    /// before `now` are over.
    fn write(&mut self, result: &Destination, ready: u64, now: u64) -> u64;

    /// Returns true if some instruction has not read all of its operands.
    fn is_reading(&self) -> bool;

    /// Returns true if it holds no instruction.
    fn is_empty(&self) -> bool;

    /// Adds its counters, from the beginning of the launch until a cycle, to the statistics of its SM.
    fn count(&self, statistics: &mut Statistics, cycle: u64);
}

/// The decisions of a register file that can lack registers. It belongs to a whole SM. When registers become free,
/// [`Effects::freed_registers`] of [`Event::CycleEnded`] notifies the paths that wait.
pub trait RegisterLimits {
    /// Returns true if a block of `_warps` warps with `_registers` registers each can start now.
    fn fits(&self, _warps: u64, _registers: u16) -> bool {
        true
    }

    /// Returns true if the next instruction of a path, which has that result, may issue now; then it issues.
    /// Otherwise the path waits.
    fn may_issue(&mut self, path: PathAt, result: Option<&ResultRegisters>, now: u64) -> bool;

    /// Returns true if a waiting path is known to be unable to issue in a cycle.
    fn holds_back(&self, _path: PathAt, _now: u64) -> bool {
        false
    }

    /// Returns true if the register file takes the issue slot of a path for an operation of its own, such as reading a
    /// metadata instruction. The path's next instruction issues later.
    fn takes_slot(&mut self, _path: PathAt) -> bool {
        false
    }

    /// The next cycle after which waiting paths may continue, [`u64::MAX`] for none that is known.
    fn next_event(&self) -> u64 {
        u64::MAX
    }
}

/// The counters that register files have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterCounts {
    /// Registers of warps read from banks.
    pub reads: u64,
    /// Registers of warps written to banks.
    pub writes: u64,
    /// Cycles that reads waited for their bank.
    pub conflicts: u64,
    /// Registers of warps read from a level before the banks.
    pub cache_reads: u64,
    /// Registers of warps written to a level before the banks.
    pub cache_writes: u64,
}

impl RegisterCounts {
    /// Adds them to the statistics of an SM.
    pub(crate) fn add_to(&self, statistics: &mut Statistics) {
        statistics.register_reads += self.reads;
        statistics.register_writes += self.writes;
        statistics.register_bank_conflicts += self.conflicts;
        statistics.register_cache_reads += self.cache_reads;
        statistics.register_cache_writes += self.cache_writes;
    }
}
