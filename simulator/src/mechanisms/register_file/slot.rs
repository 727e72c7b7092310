//! Slot `register-file`: how operands get from registers to pipes, and results back.
//!
//! An instruction enters when it issues and leaves for its pipe when it has all operands; between, it
//! participates in the third of the book's three loops (Aamodt, Fung, Rogers, §3.3). Values are computed
//! at issue: a register file keeps time only.

pub use super::operands::{
    Destination, MAX_OPERANDS, Operands, PathAt, Reader, ResultRegisters, Transfer,
};
use crate::mechanisms::event::{Effects, Event, EventSet};
use reconverge_isa::RegisterLevel;

/// Constructs a register file for a machine from its options.
pub type Build = fn(&toml::Table, &Shape) -> Result<Box<dyn RegisterFile>, String>;

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

/// The levels of a register file in front of its main part, for the compiler to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagedLevels {
    /// True if there is a last result file.
    pub last_result: bool,
    /// Entries of the operand register file, of each thread.
    pub operand_entries: u8,
}

impl ManagedLevels {
    /// Returns true if there is such a level, with that entry and those for `words` words.
    pub(crate) fn has(self, level: RegisterLevel, words: u8) -> bool {
        match level {
            RegisterLevel::Main => true,
            RegisterLevel::LastResult => self.last_result,
            RegisterLevel::Operand(entry) => entry.saturating_add(words) <= self.operand_entries,
        }
    }
}

/// The size of a register file that holds registers of regions only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagingUnit {
    /// Registers that a region of the code may hold at once.
    pub region_registers: u32,
    /// Banks.
    pub banks: u32,
    /// Registers of warps that each bank holds.
    pub bank_entries: u32,
}

/// The entry for a register in a table by hardware warp and register; the table grows as far as it
/// has to.
pub(super) fn entry<T: Default>(warps: &mut Vec<Vec<T>>, warp: u16, register: u16) -> &mut T {
    let (warp, register) = (usize::from(warp), usize::from(register));
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
    /// Its staging unit, if it holds only the registers of the regions that paths are in.
    pub staging: Option<StagingUnit>,
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
    fn admits(&self, warp: u16) -> bool;

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

    /// The mechanism's counters from the beginning of the launch until a cycle.
    fn counts(&self, cycle: u64) -> RegisterCounts;
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

    /// Returns true if a metadata instruction takes the issue slot of a path, whose next instruction issues later.
    fn takes_slot(&mut self, _path: PathAt) -> bool {
        false
    }

    /// The next cycle after which waiting paths may continue, [`u64::MAX`] for none that is known.
    fn next_event(&self) -> u64 {
        u64::MAX
    }
}

/// The counters of a register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterCounts {
    /// Registers of warps read from banks.
    pub reads: u64,
    /// Registers of warps written to banks.
    pub writes: u64,
    /// Reads that had to wait a cycle because their bank was taken.
    pub conflicts: u64,
    /// Registers of warps read from a level before the banks.
    pub cache_reads: u64,
    /// Registers of warps written to a level before the banks.
    pub cache_writes: u64,
    /// Registers of warps that went from there to banks, among `writes`.
    pub write_backs: u64,
    /// Registers of warps that left that level and were no longer needed.
    pub write_backs_saved: u64,
    /// Registers of warps read from a last result file, among `cache_reads`.
    pub last_result_reads: u64,
    /// Registers of warps written to one, among `cache_writes`.
    pub last_result_writes: u64,
    /// Registers that were given a physical one, in register files that rename.
    pub renames: u64,
    /// Bits of the tables with the physical registers.
    pub table_bits: u64,
    /// Reads of compressed registers, among `reads`.
    pub compressed_reads: u64,
    /// Writes of compressed registers, among `writes`.
    pub compressed_writes: u64,
    /// Compressed registers that were read to be written in full.
    pub expansions: u64,
    /// Bytes of registers that reads did not have to access.
    pub read_bytes_saved: u64,
    /// Bytes of registers that writes did not have to access.
    pub write_bytes_saved: u64,
    /// Chunks of banks times cycles in which they held nothing, in register files with chunks.
    pub gated_cycles: u64,
    /// Values by number of reads: none, one, two, more. Only if values are followed.
    pub values: [u64; 4],
    /// Live warp registers times cycles. Only if values are followed.
    pub live_cycles: u64,
    /// The most warp registers that were live at one time. Only if values are followed.
    pub most_live: u64,
    /// Warp registers times cycles in which they were awake, in register files that put them to sleep.
    pub awake_cycles: u64,
    /// Warp registers times cycles in which they were drowsy.
    pub drowsy_cycles: u64,
    /// Warp registers times cycles in which they were off.
    pub off_cycles: u64,
    /// Regions that paths have begun, in register files that stage registers, like the following
    /// counts.
    pub staged_regions: u64,
    /// Registers of warps that regions preload and that were staged already.
    pub staging_hits: u64,
    /// Registers of warps that regions preload and that are loaded from the backing store.
    pub staging_misses: u64,
    /// Registers of warps that were written to the backing store.
    pub staging_write_backs: u64,
    /// Registers that would have been, but that no thread needed.
    pub staging_erasures: u64,
    /// Registers that were loaded or written compressed.
    pub staging_compressed: u64,
}

impl RegisterCounts {
    /// Adds the counts of another register file of the SM. The maxima of live registers need not
    /// occur at one time, so their sum is a bound.
    pub(crate) fn add(&mut self, other: &RegisterCounts) {
        let RegisterCounts { values, .. } = other;
        for (sum, count) in self.values.iter_mut().zip(values) {
            *sum += count;
        }
        self.reads += other.reads;
        self.writes += other.writes;
        self.conflicts += other.conflicts;
        self.cache_reads += other.cache_reads;
        self.cache_writes += other.cache_writes;
        self.write_backs += other.write_backs;
        self.write_backs_saved += other.write_backs_saved;
        self.last_result_reads += other.last_result_reads;
        self.last_result_writes += other.last_result_writes;
        self.renames += other.renames;
        self.table_bits += other.table_bits;
        self.compressed_reads += other.compressed_reads;
        self.compressed_writes += other.compressed_writes;
        self.expansions += other.expansions;
        self.read_bytes_saved += other.read_bytes_saved;
        self.write_bytes_saved += other.write_bytes_saved;
        self.gated_cycles += other.gated_cycles;
        self.live_cycles += other.live_cycles;
        self.most_live += other.most_live;
        self.awake_cycles += other.awake_cycles;
        self.drowsy_cycles += other.drowsy_cycles;
        self.off_cycles += other.off_cycles;
        self.staged_regions += other.staged_regions;
        self.staging_hits += other.staging_hits;
        self.staging_misses += other.staging_misses;
        self.staging_write_backs += other.staging_write_backs;
        self.staging_erasures += other.staging_erasures;
        self.staging_compressed += other.staging_compressed;
    }
}
