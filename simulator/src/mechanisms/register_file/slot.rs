//! Slot `register-file`: how operands get from registers to pipes, and results back.
//!
//! An instruction enters when it issues and leaves for its pipe when it has all operands; between, it
//! participates in the third of the book's three loops (Aamodt, Fung, Rogers, §3.3). Values are computed
//! at issue: a register file keeps time only.

use crate::program::regions::Regions;
use reconverge_isa::RegisterLevel;
use std::ops::Range;
use std::sync::Arc;

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

/// The position of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathAt {
    /// The hardware warp, the slot among those of the warp, and the lanes.
    pub warp: u16,
    /// The slot.
    pub slot: u16,
    /// The lanes.
    pub lanes: u64,
    /// The next instruction.
    pub pc: u32,
}

/// A register of a warp moves to the backing store or from it.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The hardware warp.
    pub warp: u16,
    /// The register.
    pub register: u16,
    /// The instruction that needs it, or evicts it.
    pub pc: u32,
    /// It is written.
    pub is_store: bool,
    /// It takes a base and a stride.
    pub is_compressed: bool,
    /// Not before this cycle.
    pub ready: u64,
}

/// The most registers that one instruction reads: three sources of two words; a store of four reads five.
pub const MAX_OPERANDS: usize = 6;

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

/// The reader of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// The hardware warp.
    pub warp: u16,
    /// The path's slot among those of the warp.
    pub slot: u16,
    /// The instruction goes to the load/store unit: until that has room it does not leave ([`Leave::NotBefore`]).
    pub is_memory: bool,
    /// The lanes of the warp that read.
    pub lanes: u64,
}

/// The registers that an instruction of a warp reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// The hardware warp.
    pub warp: u16,
    /// The lanes of the warp that read.
    pub lanes: u64,
    /// The path's slot among those of the warp.
    pub slot: u16,
    /// The instruction goes to the load/store unit: until that has room it does not leave ([`Leave::NotBefore`]).
    pub is_memory: bool,
    registers: [u16; MAX_OPERANDS],
    /// Their low bytes, the first one lowest.
    low_bytes: u64,
    count: u8,
    /// By place among the registers: this is the last read, by the compiler's mark.
    last: u8,
    /// By place: it is in the last result file, or in the operand register file.
    last_result: u8,
    operand: u8,
}

impl Operands {
    /// These registers in some lanes of a warp.
    pub fn of(self, warp: u16, lanes: u64) -> Operands {
        Operands { warp, lanes, ..self }
    }

    /// These registers, with their reader.
    #[inline]
    pub fn read_by(&self, Reader { warp, slot, is_memory, lanes }: Reader) -> Operands {
        Operands { warp, lanes, slot, is_memory, ..*self }
    }

    /// Adds a register, which is read for the last time or not, from a level; those beyond [`MAX_OPERANDS`] do not exist.
    pub fn push(&mut self, register: u16, is_last: bool, level: RegisterLevel) {
        if let Some(place) = self.registers.get_mut(usize::from(self.count)) {
            *place = register;
            self.low_bytes |= u64::from(register as u8) << (8 * self.count);
            self.last |= u8::from(is_last) << self.count;
            self.last_result |= u8::from(level == RegisterLevel::LastResult) << self.count;
            self.operand |= u8::from(matches!(level, RegisterLevel::Operand(_))) << self.count;
            self.count += 1;
        }
    }

    /// Takes a register out.
    pub fn remove(&mut self, register: u16) {
        let mut rest =
            Operands { slot: self.slot, ..Operands::default().of(self.warp, self.lanes) };
        for (place, &read) in self.registers().iter().enumerate() {
            if read != register {
                let bit = |of: u8| (of >> place & 1) << rest.count;
                rest.last |= bit(self.last);
                rest.last_result |= bit(self.last_result);
                rest.operand |= bit(self.operand);
                rest.registers[usize::from(rest.count)] = read;
                rest.low_bytes |= u64::from(read as u8) << (8 * rest.count);
                rest.count += 1;
            }
        }
        *self = rest;
    }

    /// Levels from which the register at a place is read before the main register file: the last
    /// result file, and the operand register file.
    pub fn levels(&self, place: usize) -> [bool; 2] {
        [self.last_result, self.operand].map(|of| of >> place & 1 != 0)
    }

    /// The registers in the order of the instruction's sources.
    pub fn registers(&self) -> &[u16] {
        &self.registers[..usize::from(self.count)]
    }

    /// Their low bytes, the first one lowest.
    #[inline]
    pub(crate) fn low_bytes(&self) -> u64 {
        self.low_bytes
    }

    /// The register at a place, one of them.
    #[inline]
    pub fn register(&self, place: usize) -> u16 {
        self.registers[place]
    }

    /// Returns true if the register at a place is read for the last time before it is written again
    /// or the warp ends: the annotation `!last`. If paths of a warp run in turns, that holds for
    /// the lanes of the instruction's path only.
    pub fn is_last(&self, place: usize) -> bool {
        self.last >> place & 1 != 0
    }
}

/// The registers that an instruction writes, of no warp in particular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultRegisters {
    /// The first register.
    pub register: u16,
    /// The number of registers, from the first one on.
    pub words: u8,
    /// The level that they are written to; and whether they are written to the main register file too, if that is another.
    pub level: RegisterLevel,
    /// Too.
    pub and_main: bool,
    /// They come from memory outside the SM, or from a unit with a long latency.
    pub is_long: bool,
}

impl ResultRegisters {
    /// This result in some lanes of a warp.
    pub fn of(self, warp: u16, lanes: u64) -> Destination {
        let ResultRegisters { register, words, level, and_main, is_long } = self;
        Destination { warp, register, words, lanes, level, and_main, is_long }
    }
}

/// The registers that an instruction of a warp writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Destination {
    /// The hardware warp.
    pub warp: u16,
    /// The first register.
    pub register: u16,
    /// The number of registers, from the first one on.
    pub words: u8,
    /// The lanes of the warp that write.
    pub lanes: u64,
    /// See [`ResultRegisters`].
    pub level: RegisterLevel,
    /// See there.
    pub and_main: bool,
    /// See there.
    pub is_long: bool,
}

impl Destination {
    /// The registers.
    pub fn registers(&self) -> Range<u16> {
        self.register..self.register + u16::from(self.words)
    }
}

/// The answer to an instruction that is ready to leave for its pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It has left.
    Left,
    /// Not before this cycle; [`u64::MAX`] if that is not known.
    NotBefore(u64),
}

/// A register file of an SM. It sees hardware warps and registers: the reads
/// ([`RegisterFile::enter`], with last reads) and writes of each instruction, and the active warps.
pub trait RegisterFile: Send {
    /// Returns true if an instruction can enter now.
    fn has_room(&self) -> bool;

    /// Returns true if a warp's next instruction may issue now as far as the registers that its
    /// older ones are still to read are concerned (write after read).
    fn admits(&self, warp: u16) -> bool;

    /// Returns true if it admits every instruction at any time.
    fn admits_all(&self) -> bool {
        false
    }

    /// Returns true if a lack of registers may keep instructions from issuing:
    /// [`RegisterFile::can_write`] and the methods that go with it.
    fn throttles(&self) -> bool {
        false
    }

    /// Returns true if an instruction of a warp may issue that will write `_words` registers from
    /// one on.
    fn can_write(&mut self, _warp: u16, _register: u16, _words: u8) -> bool {
        true
    }

    /// Returns true if registers have become free since the last call, for which instructions may
    /// have waited until this cycle.
    fn take_released(&mut self, _now: u64) -> bool {
        false
    }

    /// Returns true if a block of `_warps` warps with `_registers` registers each can start now.
    fn fits(&self, _warps: u64, _registers: u16) -> bool {
        true
    }

    /// The number of instructions whose last reads one metadata instruction marks, which takes an
    /// issue slot; 0 if operands have bits for them.
    fn metadata(&self) -> u32 {
        0
    }

    /// The most warp registers that one block can have, if there are fewer than in the machine
    /// file.
    fn capacity(&self) -> Option<u64> {
        None
    }

    /// Its levels for the compiler to fill. If a kernel states the registers there, its warps leave
    /// an active pool at the kernel's marks, and not when they wait for memory.
    fn levels(&self) -> Option<ManagedLevels> {
        None
    }

    /// Its staging unit, if it holds only the registers of the regions that paths are in.
    fn staging(&self) -> Option<StagingUnit> {
        None
    }

    /// Returns true if kernels must state the number of their long-lived registers.
    fn wants_lifetimes(&self) -> bool {
        false
    }

    /// The registers below a number live long, by the kernel's record.
    fn tell_lifetimes(&mut self, _long_lived: u32) {}

    /// The regions of the code of the launch.
    fn learn(&mut self, _regions: &Arc<Regions>) {}

    /// A path has arrived at an instruction, and continues as soon as it may.
    fn stands(&mut self, _path: PathAt, _now: u64) {}

    /// A path of a slot of a warp waits for others, or is no more.
    fn departs(&mut self, _warp: u16, _slot: u16) {}

    /// Returns true if a path's instruction may issue now as far as its region is concerned; then
    /// it issues. Otherwise the path waits.
    fn may_issue(&mut self, _path: PathAt, _now: u64) -> bool {
        true
    }

    /// Returns true if it will in a cycle, as far as is known.
    fn is_staged(&self, _path: PathAt, _now: u64) -> bool {
        true
    }

    /// A requested register of a warp has arrived, in cycle `ready`; cycles before `now` are over.
    fn staged(&mut self, _warp: u16, _register: u16, _ready: u64, _now: u64) {}

    /// The next register to go between it and its backing store; cycles before `now` are over.
    fn take_transfer(&mut self, _now: u64) -> Option<Transfer> {
        None
    }

    /// The next cycle after which waiting paths may continue, [`u64::MAX`] for none.
    fn wakes(&self) -> u64 {
        u64::MAX
    }

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

    /// Returns true if it receives the values of results: [`RegisterFile::values`].
    fn wants_values(&self) -> bool {
        false
    }

    /// A result is about to be written: the words of its registers by lane, one register after the
    /// other, and the lanes of the warp whose threads have not ended. Not called for another
    /// mechanism's own warp.
    fn values(&mut self, _result: &Destination, _values: &[u32], _alive: u64) {}

    /// A result is written in cycle `ready` or as soon after it as that is possible: the cycle in which it is. Cycles
    /// before `now` are over.
    fn write(&mut self, result: &Destination, ready: u64, now: u64) -> u64;

    /// A result replaces the registers' contents, but another mechanism of the SM keeps it: it is
    /// not written here.
    fn bypassed(&mut self, _result: &Destination, _now: u64) {}

    /// A warp with `_registers` registers starts.
    fn starts(&mut self, _warp: u16, _registers: u16, _now: u64) {}

    /// The block of a warp with `_registers` registers has ended: they are free.
    fn leaves(&mut self, _warp: u16, _registers: u16, _now: u64) {}

    /// A warp becomes active, or inactive. Under a scheduler with an active pool it is active while one of its paths
    /// is in the pool; otherwise from the start of its block to the block's end.
    fn set_active(&mut self, _warp: u16, _active: bool, _now: u64) {}

    /// All threads of a warp have ended: only its issued instructions still need its registers'
    /// contents.
    fn ended(&mut self, _warp: u16, _now: u64) {}

    /// Returns true if it knows where the registers of a path are that holds threads of several
    /// warps.
    fn follows_threads(&self) -> bool {
        true
    }

    /// Returns true if some instruction has not read all of its operands.
    fn is_reading(&self) -> bool;

    /// Returns true if it holds no instruction.
    fn is_empty(&self) -> bool;

    /// The mechanism's counters from the beginning of the launch until a cycle.
    fn counts(&self, cycle: u64) -> RegisterCounts;
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
    /// Bytes of registers that reads, and writes, did not have to access.
    pub read_bytes_saved: u64,
    /// Writes.
    pub write_bytes_saved: u64,
    /// Chunks of banks times cycles in which they held nothing, in register files with chunks.
    pub gated_cycles: u64,
    /// Values by number of reads: none, one, two, more. Only if values are followed.
    pub values: [u64; 4],
    /// Live warp registers times cycles, and the most that were live at one time. Only if values
    /// are followed.
    pub live_cycles: u64,
    /// The most.
    pub most_live: u64,
    /// Warp registers times cycles, by state (awake, drowsy, off), in register files that put them
    /// to sleep.
    pub awake_cycles: u64,
    /// Drowsy.
    pub drowsy_cycles: u64,
    /// Off.
    pub off_cycles: u64,
    /// Regions that paths have begun, in register files that stage registers, like the following
    /// counts.
    pub staged_regions: u64,
    /// Registers of warps that regions preload: those that were staged already, and those loaded
    /// from the backing store.
    pub staging_hits: u64,
    /// Came.
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
