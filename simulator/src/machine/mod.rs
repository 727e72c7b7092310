//! The machine: the contents of a machine file.
//!
//! Times are cycles of the SM's clock and sizes are bytes by default; times of memory commands are
//! cycles of its own clock. In the shipped files every value has its source beside it.

pub(crate) mod clock;
pub(crate) mod dram;
mod energy;
mod fault;
mod ideal;
pub(crate) mod idealise;
pub(crate) mod load;
mod operations;
mod rules;
mod shape;
mod sources;
mod validate;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use reconverge_isa::{Kernel, Op, Unit};
use serde::Deserialize;

use crate::mechanisms::demands::Demands;

pub use dram::{BankHash, Dram, DramTiming};
pub(crate) use energy::LOCAL_CACHE_ACCESS;
pub use energy::{EnergyModel, EventEnergies, StatePowers};
pub use fault::MachineFault;
pub use ideal::Ideal;
pub use operations::OperationTiming;
pub use sources::Sources;

/// A machine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// The divergence scheme (slot).
    pub divergence: String,
    /// The permutation of lanes (slot).
    pub lane_permutation: String,
    /// The warp scheduler (slot).
    pub scheduler: String,
    /// The register file (slot).
    pub register_file: String,
    /// The lanes that pipes execute in each pass (slot).
    pub cycle_compression: String,
    /// The mechanism for values that are equal in all threads or grow evenly (slot).
    pub affine: String,
    /// The lines that are requested before a load needs them (slot).
    pub prefetcher: String,
    /// The cache that serves local memory before the L1 does (slot).
    pub local_cache: String,
    /// The sectors that a miss of the L1 data caches fetches (slot).
    pub granularity: String,
    /// The lines that the L1 data caches hold (slot).
    pub allocation: String,
    /// The SM that a block goes to (slot).
    pub block_scheduler: String,
    /// In which order channels of memory serve requests (slot).
    pub dram_scheduler: String,
    /// Streaming multiprocessors, 1 to 256.
    pub sms: u32,
    /// Frequency of the SM's clock in MHz, a whole number of kHz; times in the file count its
    /// cycles by default.
    pub clock_mhz: f64,
    /// A streaming multiprocessor.
    pub sm: SmConfig,
    /// The fetch of instructions by an SM.
    pub fetch: Fetch,
    /// The instruction cache of an SM.
    pub instruction_cache: InstructionCache,
    /// The scoreboard of a path.
    pub scoreboard: Scoreboard,
    /// Pipes of an SM by name.
    pub pipes: BTreeMap<String, Pipe>,
    /// The pipe and speed of each unit of the instruction set; one entry per unit.
    pub units: BTreeMap<String, UnitTiming>,
    /// The load/store unit of an SM.
    pub load_store: LoadStore,
    /// Barriers of a block.
    pub barrier: Barrier,
    /// Shared memory of an SM.
    pub shared: Shared,
    /// Constant memory as an SM sees it.
    pub constant: Constant,
    /// The first-level data cache of an SM.
    pub l1: L1,
    /// Between SMs and memory partitions, in each direction.
    pub interconnect: Interconnect,
    /// The second-level cache: a slice per partition.
    pub l2: L2,
    /// Memory: a channel per partition.
    pub dram: Dram,
    /// The parts that are ideal; none if left out.
    #[serde(default)]
    pub ideal: Ideal,
    /// The file's tables that are read apart.
    #[serde(skip)]
    pub tables: Tables,
    /// The demands of its mechanisms on the compiler, found once: each launch checks its kernel by them.
    #[serde(skip)]
    pub(crate) demands: Demands,
}

/// The file's tables that are read apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// The speed of single operations that differ from their unit.
    pub operations: BTreeMap<Op, OperationTiming>,
    /// Options of mechanisms, by mechanism: top-level tables of the file named like one.
    pub options: BTreeMap<String, toml::Table>,
    /// The costs of events and states, if energy is to be computed from counters.
    pub energy: Option<EnergyModel>,
    /// The costs of events, even if no energy is computed: the compiler may choose by them.
    pub event_energies: Option<EventEnergies>,
    /// The sources of the values, if the file states them for a program to read.
    pub sources: Option<Sources>,
}

/// A streaming multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SmConfig {
    /// Lanes of a warp, 1 to 64.
    pub warp_width: u32,
    /// Warps that can be resident.
    pub warps: u32,
    /// Blocks that can be resident.
    pub blocks: u32,
    /// General 32-bit registers.
    pub registers: u32,
    /// Registers are allocated in multiples of this.
    pub register_granularity: u32,
    /// The unit whose registers are rounded up to the granularity; `warp` if left out.
    pub register_allocation: RegisterAllocation,
    /// A block's registers are allocated for a multiple of this many warps, 1 to 64; 1 if left out. With sub-cores, for a
    /// multiple of these too.
    pub register_warps: u32,
    /// The most general registers per thread, 1 to 255; 63 if left out. The compiler spills values
    /// that do not fit.
    pub max_registers: u32,
    /// Registers per thread that the compiler's scheduling and code motion fill, 1 to 255; 20 if left out.
    pub target_registers: u32,
    /// Shared memory.
    pub shared_memory: u32,
    /// A block's shared memory is allocated in multiples of this.
    pub shared_granularity: u32,
    /// Schedulers; hardware warp `w` belongs to scheduler `w` modulo this.
    pub schedulers: u32,
    /// The mechanism in the slot `pairing`; `nothing` if left out.
    pub pairing: String,
    /// True if code for the machine has guarded instructions in place of short arms of branches; false if left out.
    pub predication: bool,
    /// The check of an instruction's dependences at issue; `scoreboard` if left out.
    pub dependences: Dependences,
    /// The delivery of operands; `collectors` if left out.
    pub operand_delivery: OperandDelivery,
    /// With control bits: dependence counters of a warp, 1 to 6; 6 if left out, 0 for one of each register's results and
    /// one of its reads.
    pub dependence_counters: u32,
    /// With control bits and operands in a fixed time: uniform registers per warp, 0 to 63; 0 if left out.
    pub uniform_registers: u32,
    /// With operands in a fixed time: read ports of each of two register banks of a scheduler, 0 to 4; 1 if left out,
    /// 0 for as many as are needed.
    pub read_ports: u32,
    /// Sub-cores, a power of two of which `schedulers` is a multiple: parts with schedulers, a register file, pipes and a
    /// fetch of their own. Scheduler `s` belongs to sub-core `s` modulo this; 1 for an SM of one part.
    pub sub_cores: u32,
    /// From the launch of a kernel until a block can start, 0 to 1,048,576.
    pub launch_latency: u32,
}

/// The unit whose registers are rounded up to the granularity of allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegisterAllocation {
    /// A warp.
    Warp,
    /// A block, as on devices of compute capability 1.x (CUDA occupancy calculator).
    Block,
}

/// The fetch of instructions by an SM: one path of each sub-core per cycle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fetch {
    /// The most instructions of one fetch, 1 to 8; they are of one line of the cache.
    pub width: u32,
    /// From a fetch that hits until its first instruction can issue.
    pub latency: u32,
    /// Instructions that a path's buffer holds, 1 to 8.
    pub buffer: u32,
    /// The paths that fetch; `empty` if left out.
    pub policy: FetchPolicy,
    /// True if paths fetch instructions behind a branch before it issues; true if left out.
    pub past_branches: bool,
}

/// The paths that fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FetchPolicy {
    /// Those with an empty instruction buffer, as in GPGPU-Sim (`shader.cc`, `fetch`).
    Empty,
    /// Those with room in their instruction buffer, in turn (Aamodt, Fung, Rogers, §3.2).
    Room,
    /// The one that has issued last if it has room, otherwise the youngest with room (Huerta et al., MICRO 2025, §5.2).
    Greedy,
}

/// The instruction cache of an SM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InstructionCache {
    /// Capacity; 0 for a cache that always hits.
    pub size: u32,
    /// Line: a power of two, 32 to 256 bytes. A line larger than the L2's is requested in parts.
    pub line: u32,
    /// Lines of a set.
    pub ways: u32,
    /// The replacement policy (slot).
    pub replacement: String,
    /// Lines requested along with a missing one, which they follow; up to 64. By default 0, which
    /// is none.
    #[serde(rename = "prefetch")]
    pub lines_ahead: u32,
    /// Bytes of a kernel's code, from its beginning, that an SM requests when its first block
    /// arrives, as far as they fit in the cache. Up to 1048576; by default 0, which is none.
    #[serde(rename = "launch-prefetch")]
    pub launch_bytes: u32,
    /// Cycles from the request of a line, or of a part, to that of the next, up to 4096; 0 if left out.
    pub interval: u32,
    /// Capacity of a cache of each sub-core in front of this one; 0 for none, also if left out.
    pub l0_size: u32,
    /// Lines of a set of it; 4 if left out.
    pub l0_ways: u32,
    /// Cycles from a miss in it until the line has come from the SM's, 1 to 4096; 20 if left out.
    pub l0_latency: u32,
    /// Cycles from one line that the SM's gives a sub-core to the next, 1 to 4096; 1 if left out.
    pub l0_interval: u32,
    /// Lines of the stream buffer beside it, up to 32; 8 if left out.
    pub stream_buffer: u32,
    /// Bytes of an instruction in a line, and in memory: a power of two, 4 to 32. An encoded
    /// instruction of our instruction set has 16. The real machine's may be shorter, so its cache
    /// holds more of them.
    pub instruction_bytes: u32,
}

/// The scoreboard of a path.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scoreboard {
    /// In-flight results, from entry into the instruction buffer until they are written; 1 to 64,
    /// or 0 for no limit.
    pub entries: u32,
}

/// A kind of pipe.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Pipe {
    /// Instances of a sub-core, 1 to 16.
    pub count: u32,
    /// Lanes that it executes in a pass, 1 to 64.
    pub lanes: u32,
}

/// The pipe and speed of a unit of the instruction set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitTiming {
    /// The pipe that executes it.
    pub pipe: String,
    /// From the start of a pass until its results are written, 1 to 4096. For memory: until the
    /// load/store unit has the addresses. For control: from issue until the path's next instruction.
    pub latency: u32,
    /// From the start of a pass until the pipe can start another, 1 to 4096.
    pub initiation: u32,
    /// Passes of an instruction with 64-bit operands or results for each of one without, 1 to 16;
    /// 1 if left out.
    #[serde(default = "one")]
    pub wide: u32,
}

/// The load/store unit of an SM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LoadStore {
    /// Memory instructions that can wait in it, 1 to 1024.
    pub queue: u32,
    /// Line accesses of global and local memory, replays included, that it makes in a cycle, 1 to 16.
    pub lines_per_cycle: u32,
    /// Groups of ⌈warp width / this⌉ neighbouring lanes whose accesses it serves one after the other, each on its
    /// own: a power of two up to 64. 1 for whole warps, 2 for half warps.
    pub warp_parts: u32,
    /// Entries of the pending request table: loads and atomics of global and local memory that wait for lines, up to 4096;
    /// 0 for no limit, also if left out.
    pub pending_requests: u32,
    /// With operands in a fixed time: memory instructions that a sub-core holds before the unit takes them, 1 to 64; 5 if
    /// left out.
    pub sub_core_queue: u32,
    /// The same: cycles from the computation of an instruction's addresses in a sub-core to that of the next one's, 1 to
    /// 64; 4 if left out.
    pub sub_core_interval: u32,
    /// The same: cycles from one instruction that the unit takes, of any sub-core, to the next, 1 to 64; 2 if left out.
    pub interval: u32,
    /// The same: cycles from the issue of a load until its sub-core has its address, the same for all lanes, 3 to 64; 9
    /// if left out.
    pub sub_core_latency: u32,
    /// The same: cycles more for an address of each lane, up to 64; 2 if left out.
    pub address_latency: u32,
    /// The same: bytes a cycle between a sub-core's registers and the unit, 4 to 1024; 64 if left out.
    pub transfer: u32,
}

/// Barriers of a block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Barrier {
    /// The threads whose arrivals open a barrier.
    pub counts: BarrierCounts,
    /// Cycles from the end of the arrival that opens one until the waiting paths can issue, up to
    /// 4096; 0 for the control unit's latency, also if left out.
    pub latency: u32,
    /// Cycles that an arrival occupies the SM's barriers, up to 4096; 0 if they take any number at once, also if left out.
    pub interval: u32,
}

/// The check of an instruction's dependences at issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependences {
    /// A scoreboard has an entry for each register.
    Scoreboard,
    /// None: the compiler has stated them as control bits (Huerta et al., MICRO 2025, §4).
    ControlBits,
}

/// The delivery of operands from the register file to units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OperandDelivery {
    /// Operand collectors: an instruction waits in one until it has read all of its operands.
    Collectors,
    /// Instructions of fixed latency read in a fixed time after issue (Huerta et al., MICRO 2025, §5).
    FixedLatency,
}

/// The threads whose arrivals open a barrier of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BarrierCounts {
    /// All threads that have not ended, as on hardware from Volta on (PTX ISA, `bar.sync`,
    /// `sm_70`).
    Threads,
    /// Warps: a path that has arrived counts for the threads of its warp that cannot continue
    /// before it does, as on hardware before Volta (PTX ISA, `bar.sync`, `sm_6x` and below: the
    /// barrier is executed for each warp "as if all the threads in the warp have executed" it).
    /// Another path of a branch runs first.
    Warps,
}

/// Shared memory of an SM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shared {
    /// Banks of 4-byte words, a power of two up to 256.
    pub banks: u32,
    /// From a pass until its words are in registers.
    pub latency: u32,
    /// The mapping of words to banks.
    pub bank_mapping: BankMapping,
}

/// The mapping of shared memory's words to banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BankMapping {
    /// That of its number modulo the banks.
    Word,
    /// The bank of the physical lane of the thread that has the word's number in the block, modulo
    /// the banks: the slot `lane-permutation` is undone between lanes and banks. Equal to `word`
    /// without a permutation.
    Thread,
}

/// Constant memory as an SM sees it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Constant {
    /// From a pass (one address) until its word is in registers.
    pub latency: u32,
    /// Capacity of its cache; 0 for one that always hits. Parameters and literals are always there.
    pub size: u32,
    /// With operands in a fixed time: capacity of a cache of each sub-core for constant operands of instructions, and of one of
    /// the SM for loads of constants; 0 for none, also if left out.
    pub l0_size: u32,
    /// The same: cycles from a miss in the cache of a sub-core until its line is there, 1 to 4096; 79 if left out.
    pub l0_latency: u32,
    /// The same: cycles more for a load of constants that misses in that of the SM, up to 4096; 70 if left out.
    pub l1_latency: u32,
    /// The same: line of both caches, a power of two, 32 to 256; 64 if left out.
    pub l0_line: u32,
    /// Line: a power of two, 32 to 256. One that is longer than the second level's takes several requests.
    pub line: u32,
    /// Lines of a set.
    pub ways: u32,
    /// The replacement policy (slot).
    pub replacement: String,
}

/// The mapping of a line to its set, from its number, which is its address by its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetHash {
    /// The number modulo the sets.
    None,
    /// All groups of the number's bits as wide as a set's number are added without carry first, so
    /// that lines at a distance of a power of two do not all meet in one set (after González et al.,
    /// "Eliminating cache conflict misses through XOR-based placement functions", ICS 1997).
    Xor,
    /// First adds bits 6, 7, 8, 10 and 12 of the number to its low five bits without carry, as
    /// found on a Fermi, whose lines have 128 bytes (Nugteren et al., "A detailed GPU cache model
    /// based on reuse distance theory", HPCA 2014: 32 sets, or 64 of which bit 5 chooses the half).
    Fermi,
}

/// The contents of the L2 when a launch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetweenLaunches {
    /// Nothing: as if it were flushed before each launch.
    Flushed,
    /// The lines that earlier launches and copies of the host left: the caller of the launch passes
    /// in a [`SecondLevel`](crate::SecondLevel) for it.
    Kept,
}

/// The first-level data cache of an SM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct L1 {
    /// Capacity; 0 for no cache (coalescing and pending misses remain).
    pub size: u32,
    /// The sizes that shared memory can take of this capacity, ascending up to `sm.shared-memory`,
    /// in whole ways; the rest is the cache's. A launch takes the least that holds the shared
    /// memory of all blocks that fit. Empty where shared memory is a memory of its own.
    pub carve_outs: Vec<u32>,
    /// Line: a power of two, 32 to 256; also the unit of coalescing.
    pub line: u32,
    /// Bytes that a miss fetches at least, aligned to itself: a power of two, 32 to a line.
    pub sector: u32,
    /// Lines of a set.
    pub ways: u32,
    /// From the lookup of a hit until the words are in registers.
    pub latency: u32,
    /// Lines that can be outstanding.
    pub mshrs: u32,
    /// Instructions that can wait for one outstanding line.
    pub mshr_merges: u32,
    /// The replacement policy (slot).
    pub replacement: String,
    /// The mapping of a line to its set.
    pub hash: SetHash,
}

/// Between SMs and memory partitions, in each direction.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Interconnect {
    /// Frequency of its clock in MHz; its other times count its cycles.
    pub clock_mhz: f64,
    /// From the last byte sent to arrival, at least one cycle of the SMs. SMs and partitions run
    /// that long independently of each other.
    pub latency: u32,
    /// Bytes that a port moves in a cycle.
    pub bytes_per_cycle: u32,
    /// Bytes of a packet beside its data.
    pub header: u32,
    /// Packets that can wait at a source.
    pub queue: u32,
    /// Packets that can wait at a sink for each source: the credits of the source.
    pub credits: u32,
}

/// The second-level cache: a slice per partition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct L2 {
    /// Frequency of the clock of the slices in MHz; the slices' times count its cycles.
    pub clock_mhz: f64,
    /// Partitions: slices of the cache, and channels of memory, 1 to 256.
    pub partitions: u32,
    /// Consecutive bytes in one partition: a power of two, at least a line.
    pub interleave: u32,
    /// Capacity of all slices together; 0 for no cache: every request goes to memory, where atomics are performed.
    pub size: u32,
    /// Line: a power of two, not smaller than the first level's, up to 256.
    pub line: u32,
    /// Bytes that a miss fetches at least, aligned to itself: a power of two, 32 to a line.
    pub sector: u32,
    /// Lines of a set.
    pub ways: u32,
    /// From the lookup of a hit until the reply can leave.
    pub latency: u32,
    /// Replies that a slice can have, from their lookup until they leave, 1 to 4096; 32 if left
    /// out. While it has them all it examines no request, so `latency` and this bound its replies
    /// per cycle.
    pub replies: u32,
    /// Lines that a slice can have outstanding.
    pub mshrs: u32,
    /// Requests that can wait for one outstanding line.
    pub mshr_merges: u32,
    /// Cycles that one atomic operation on one address occupies a slice.
    pub atomic_cycles: u32,
    /// Cycles that the result of an atomic takes longer than a read that hits, up to 4096; 0 if left out.
    pub atomic_latency: u32,
    /// Cycles that a write to the line of the write before it occupies a slice, 1 to 4096; 1 if left out.
    pub rewrite_cycles: u32,
    /// The sectors that a miss of a slice fetches (slot).
    pub granularity: String,
    /// The lines that a slice holds (slot).
    pub allocation: String,
    /// The replacement policy (slot).
    pub replacement: String,
    /// The mapping of a line to its set.
    pub hash: SetHash,
    /// Its contents when a launch begins; nothing (`flushed`) if left out.
    pub between_launches: BetweenLaunches,
}

/// A unit's place and speed with the pipe as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedUnit {
    pub(crate) pipe: usize,
    pub(crate) latency: u64,
    pub(crate) initiation: u64,
    /// Lanes that the pipe executes in a pass.
    pub(crate) lanes: u32,
    /// Passes that a warp takes: with narrow, and with wide operands.
    pub(crate) passes: [u64; 2],
}

fn one() -> u32 {
    1
}

impl SmConfig {
    /// The number of warps whose registers are allocated for a block of `warps` warps.
    pub(crate) fn warps_with_registers(&self, warps: u64) -> u64 {
        warps.next_multiple_of(self.sub_cores.into()).next_multiple_of(self.register_warps.into())
    }

    /// The registers that are allocated for a block of `warps` warps whose threads have
    /// `registers` each.
    pub(crate) fn block_registers(&self, warps: u64, registers: u32) -> u64 {
        let (warps, granularity) = (self.warps_with_registers(warps), self.register_granularity);
        let of_warp = u64::from(registers) * u64::from(self.warp_width);
        match self.register_allocation {
            RegisterAllocation::Warp => warps * of_warp.next_multiple_of(granularity.into()),
            RegisterAllocation::Block => (warps * of_warp).next_multiple_of(granularity.into()),
        }
    }

    /// Registers of warps: one for each lane of a warp.
    pub(crate) fn warp_registers(&self) -> u64 {
        u64::from(self.registers / self.warp_width)
    }
}

impl Machine {
    /// The options of a mechanism; empty when the file has none.
    pub(crate) fn options(&self, mechanism: &str) -> &toml::Table {
        static NONE: LazyLock<toml::Table> = LazyLock::new(toml::Table::new);
        self.tables.options.get(mechanism).unwrap_or(&NONE)
    }

    /// The speed of single operations that differ from their unit.
    pub fn operations(&self) -> &BTreeMap<Op, OperationTiming> {
        &self.tables.operations
    }

    /// The registers of a thread of a kernel: those that are not uniform, if the machine keeps uniform ones apart.
    pub fn registers_of(&self, kernel: &Kernel) -> u32 {
        let is_fixed = self.sm.operand_delivery == OperandDelivery::FixedLatency;
        match is_fixed && self.sm.uniform_registers != 0 {
            true => kernel.first_uniform(),
            false => kernel.registers,
        }
    }

    /// The index of an operation in [`Machine::resolved_units`], if it takes a time of its own.
    pub(crate) fn timing(&self, op: Op) -> Option<u8> {
        let index = self.operations().keys().position(|known| *known == op)?;
        Some((Unit::ALL.len() + index) as u8)
    }

    /// The same of an operation's other pipe, if it has one.
    pub(crate) fn other_timing(&self, op: Op) -> Option<u8> {
        let mut with_two = self.operations().iter().filter(|(_, timing)| timing.or.is_some());
        let index = with_two.position(|(known, _)| *known == op)?;
        Some((Unit::ALL.len() + self.operations().len() + index) as u8)
    }

    /// Every unit's timing, in the order of [`Unit::ALL`], then those of [`Machine::operations`], then those of their other
    /// pipes.
    pub(crate) fn resolved_units(&self) -> Vec<ResolvedUnit> {
        let mut all = self.units_alone();
        let mut others = Vec::new();
        for (op, timing) in self.operations() {
            let unit = Unit::ALL.iter().find(|(known, _)| *known == op.row().unit);
            let unit = unit.and_then(|(_, key)| self.units.get(*key));
            let pipe = timing.pipe.as_ref().or(unit.map(|unit| &unit.pipe));
            let wide = unit.map_or(1, |unit| unit.wide);
            let in_pipe = |pipe: &str| self.resolved(pipe, timing.latency, timing.initiation, wide);
            all.push(in_pipe(pipe.map_or("", String::as_str)));
            others.extend(timing.or.as_deref().map(in_pipe));
        }
        all.extend(others);
        all
    }

    fn units_alone(&self) -> Vec<ResolvedUnit> {
        let unit = |key: &str| match self.units.get(key) {
            Some(unit) => self.resolved(&unit.pipe, unit.latency, unit.initiation, unit.wide),
            // The operations of `tensor` have times of their own.
            None => self.resolved("", 1, 1, 1),
        };
        Unit::ALL.iter().map(|(_, key)| unit(key)).collect()
    }

    fn resolved(&self, pipe: &str, latency: u32, initiation: u32, wide: u32) -> ResolvedUnit {
        let lanes = self.pipes.get(pipe).map_or(1, |pipe| pipe.lanes);
        let passes = u64::from(self.sm.warp_width.div_ceil(lanes));
        ResolvedUnit {
            pipe: self.pipes.keys().position(|known| known == pipe).unwrap_or(0),
            latency: u64::from(latency),
            initiation: u64::from(initiation),
            lanes,
            passes: [passes, passes * u64::from(wide)],
        }
    }
}
