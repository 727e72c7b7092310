//! The coalescer: from the addresses of an executed memory instruction to a request of the load/store unit.

use reconverge_isa::{Effect, LOCAL_BASE, SHARED_BASE, Space, Width};

use super::{LineKind, Load, LoadStoreUnit, MemRequest};
use crate::allocation::Requester;
use crate::block::Block;
use crate::decode::{Code, Decoded};
use crate::divergence::Capabilities;
use crate::execute::{Access, thread_value};
use crate::lanes::lanes_of;
use crate::local_cache::{self, LocalAccess, LocalCache, LocalVector};
use crate::machine::Machine;
use crate::memory::coalesce::{bank_passes, coalesce, coalesce_row, most_frequent};
use crate::prefetcher::LoadOfWarp;
use crate::sm::audit::covers;
use crate::sm::home_lines::HomeLines;
use crate::sm::residency::Candidate;
use crate::statistics::Statistics;

/// Where the physical addresses of local memory begin, above all of global memory.
const LOCAL_ARENAS: u64 = 1 << 40;

/// The coalescer of an SM, with the buffers that it needs.
pub(crate) struct Coalescer {
    /// Bytes of a line of the first level.
    line: u32,
    /// Banks of shared memory.
    banks: u32,
    /// The number of the SM's first hardware warp among those of all SMs.
    first_warp: u64,
    words: Vec<u32>,
    addresses: Vec<u64>,
    /// The SM's number.
    sm: u16,
    local_cache: Box<dyn LocalCache>,
}

/// The path whose memory instruction was executed.
pub(crate) struct Accessor<'a> {
    pub(in crate::sm) code: &'a Code,
    pub(in crate::sm) candidate: Candidate,
    pub(in crate::sm) scheme: Capabilities,
    pub(in crate::sm) pc: u32,
    pub(in crate::sm) instruction: &'a Decoded,
    pub(in crate::sm) access: &'a Access,
    pub(in crate::sm) block: &'a Block,
    /// Hardware warps by the block's warps.
    pub(in crate::sm) hardware: &'a [u16],
    pub(in crate::sm) home: &'a mut HomeLines,
}

impl Accessor<'_> {
    /// Global addresses by lane.
    fn global(&self) -> impl Iterator<Item = (usize, u64)> + Clone + use<'_> {
        let access = self.access;
        lanes_of(access.global).map(|lane| (lane, u64::from(access.addresses[lane])))
    }
}

impl Coalescer {
    pub(in crate::sm) fn new(machine: &Machine, sm: usize) -> Result<Coalescer, String> {
        let local = local_cache::find(&machine.local_cache)?;
        let options = machine.options(local.name);
        Ok(Coalescer {
            line: machine.l1.line,
            banks: machine.shared.banks,
            first_warp: sm as u64 * u64::from(machine.sm.warps),
            words: Vec::new(),
            addresses: Vec::new(),
            sm: sm as u16,
            local_cache: (local.build)(&options, machine.sm.warp_width)?,
        })
    }

    /// What a memory instruction that was just executed asks the load/store unit for, with the load that it is unless it
    /// is a store; or what the coalescer did wrong, where that is checked.
    pub(in crate::sm) fn request(
        &mut self,
        accessor: &mut Accessor,
        lsu: &mut LoadStoreUnit,
        statistics: &mut Statistics,
    ) -> Result<Box<MemRequest>, &'static str> {
        let (access, instruction) = (accessor.access, accessor.instruction);
        let mut request = lsu.new_request();
        request.pc = accessor.pc;
        let warp = usize::from(accessor.candidate.slot.0) / accessor.scheme.slots_per_warp;
        request.warp = accessor.hardware.get(warp).copied();
        self.add_shared(&mut request, access, instruction, statistics);
        add_constant(&mut request, access);
        self.add_global(&mut request, accessor);
        if accessor.code.verify {
            let global = accessor.global().map(|(_, address)| address);
            if !covers(&request.lines.accesses, self.line, global) {
                return Err("does not ask for every line");
            }
        }
        if access.global != 0 && instruction.effect == Effect::Load && lsu.learns() {
            self.learn(accessor, lsu);
        }
        if access.local != 0 {
            self.add_local(&mut request, accessor);
        }
        if accessor.scheme.wants_misses && instruction.effect == Effect::Load {
            self.add_lanes(&mut request, accessor);
        }
        let accesses = request.lines.accesses.len() as u64;
        if accessor.scheme.regroups && accesses != 0 {
            self.count_home(accessor);
        }
        statistics.memory_accesses += u64::from(accesses != 0);
        statistics.transactions += accesses;
        if instruction.effect != Effect::Store {
            let (writes, result) = (instruction.writes, instruction.result());
            let Candidate { block, slot } = accessor.candidate;
            let load = Load::new(block, slot.0, writes, result);
            request.load = Some(lsu.start_load(load, &request));
        }
        if instruction.effect == Effect::Load && accesses != 0 {
            statistics.memory_loads += 1;
        }
        Ok(request)
    }

    /// Tells the prefetcher of a load from global memory.
    #[cold]
    fn learn(&mut self, accessor: &Accessor, lsu: &mut LoadStoreUnit) {
        let warp = usize::from(accessor.candidate.slot.0) / accessor.scheme.slots_per_warp;
        let warps = u64::from(accessor.code.shape.warps());
        let load = LoadOfWarp {
            pc: accessor.pc,
            hardware: accessor.hardware[warp],
            warp: accessor.block.number * warps + warp as u64,
        };
        self.addresses.clear();
        self.addresses.extend(accessor.global().map(|(_, address)| address));
        lsu.learn(load, &self.addresses, accessor.instruction.width.bytes());
    }

    fn add_shared(
        &mut self,
        request: &mut MemRequest,
        access: &Access,
        instruction: &Decoded,
        statistics: &mut Statistics,
    ) {
        if access.shared == 0 {
            return;
        }
        let offsets = lanes_of(access.shared).map(|lane| access.addresses[lane] - SHARED_BASE);
        let size = instruction.width.bytes();
        // Lanes that want the same word get it together, unless they change it one by one.
        let broadcasts = instruction.effect != Effect::Atomic;
        request.shared_passes = bank_passes(offsets, size, self.banks, broadcasts, &mut self.words);
        statistics.shared_passes += u64::from(request.shared_passes);
        statistics.shared_bank_conflicts += u64::from(request.shared_passes - 1);
    }

    fn add_global(&mut self, request: &mut MemRequest, accessor: &Accessor) {
        let (access, instruction) = (accessor.access, accessor.instruction);
        if access.global == 0 {
            return;
        }
        let size = instruction.width.bytes();
        let kind = match instruction.effect {
            Effect::Load => LineKind::Load,
            Effect::Store => LineKind::GlobalStore,
            _ => LineKind::Atomic { serial: 1 },
        };
        if access.consecutive {
            let bytes = 4 * accessor.code.shape.width;
            let first = u64::from(access.addresses[0]);
            return coalesce_row(first, bytes, self.line, kind, &mut request.lines);
        }
        let addresses = accessor.global().map(|(_, address)| address);
        coalesce(addresses.clone(), size, self.line, kind, &mut request.lines);
        if instruction.effect != Effect::Atomic {
            return;
        }
        let mask = !(u64::from(self.line) - 1);
        for line in &mut request.lines.accesses {
            self.addresses.clear();
            self.addresses.extend(addresses.clone().filter(|address| address & mask == line.line));
            line.kind = LineKind::Atomic { serial: most_frequent(&mut self.addresses) };
        }
    }

    /// Notes which lanes want each line.
    fn add_lanes(&self, request: &mut MemRequest, accessor: &Accessor) {
        let line = !(u64::from(self.line) - 1);
        request.lanes.resize(request.lines.accesses.len(), 0);
        let local = self.local_addresses(accessor, accessor.access.local);
        for (lane, address) in accessor.global().chain(local) {
            let mut accesses = request.lines.accesses.iter();
            let at = accesses.position(|access| access.line == address & line);
            if let Some(at) = at {
                request.lanes[at] |= 1 << lane;
            }
        }
    }

    /// Notes which lines the instruction wants for which warps.
    fn count_home(&self, accessor: &mut Accessor) {
        let line = !(u64::from(self.line) - 1);
        // Apart from the accessor, which the addresses borrow.
        let mut home = std::mem::take(accessor.home);
        let local = self.local_addresses(accessor, accessor.access.local);
        let lines = accessor.global().chain(local).map(|(lane, address)| (lane, address & line));
        let width = accessor.code.shape.width as usize;
        home.access(accessor.pc, accessor.access, width, lines);
        *accessor.home = home;
    }

    /// Where the words of local memory lie that some lanes access, by lane. It lies interleaved: the same
    /// word of a warp's threads side by side.
    fn local_addresses<'a>(
        &self,
        accessor: &'a Accessor,
        lanes: u64,
    ) -> impl Iterator<Item = (usize, u64)> + use<'a> {
        let (code, access) = (accessor.code, accessor.access);
        let width = u64::from(code.shape.width);
        let arena = (code.local_bytes as u64 * width).next_multiple_of(256);
        let first = self.first_warp;
        let hardware = accessor.hardware;
        let words = u64::from(accessor.instruction.width.bytes().div_ceil(4));
        lanes_of(lanes).flat_map(move |lane| {
            let thread = u64::from(access.threads[lane]);
            let warp = usize::try_from(thread / width).unwrap_or(0);
            let base = LOCAL_ARENAS + (first + u64::from(hardware[warp])) * arena;
            let word = u64::from(access.addresses[lane] - LOCAL_BASE) / 4;
            (word..word + words).map(move |word| (lane, base + (word * width + thread % width) * 4))
        })
    }

    /// Where a word of local memory lies in some lanes of a hardware warp.
    fn vector_addresses(
        &self,
        code: &Code,
        vector: &LocalVector,
    ) -> impl Iterator<Item = u64> + Clone + use<> {
        let width = u64::from(code.shape.width);
        let arena = (code.local_bytes as u64 * width).next_multiple_of(256);
        let base = LOCAL_ARENAS + (self.first_warp + u64::from(vector.warp)) * arena;
        let first = base + u64::from(vector.word) * width * 4;
        lanes_of(vector.lanes).map(move |lane| first + lane as u64 * 4)
    }

    /// Adds what the slot `local-cache` serves, and the lines of local memory.
    fn add_local(&mut self, request: &mut MemRequest, accessor: &Accessor) {
        let (access, instruction) = (accessor.access, accessor.instruction);
        debug_assert!(matches!(instruction.space, Space::Local | Space::Generic));
        let (code, registers) = (accessor.code, &accessor.block.threads.registers);
        let width = code.shape.width as usize;
        let value = |lane: usize| {
            let thread = usize::from(access.threads[lane]);
            let place = (thread / width, thread % width);
            let value =
                |from: &Decoded| u128::from(thread_value(code, registers, from.sources[1], place));
            match instruction.width {
                Width::B128 => value(&instruction.half(0)) | value(&instruction.half(1)) << 64,
                _ => value(instruction),
            }
        };
        let served = self.local_cache.access(&LocalAccess {
            requester: Requester { sm: self.sm, warp: request.warp, pc: accessor.pc },
            effect: instruction.effect,
            lanes: access.local,
            bytes: instruction.width.bytes(),
            addresses: &access.addresses,
            values: &value,
        });
        request.local = served.own;
        for vector in &served.evicted {
            let addresses = self.vector_addresses(code, vector);
            coalesce(addresses, 4, self.line, LineKind::LocalStore, &mut request.lines);
        }
        let addresses = self.local_addresses(accessor, served.first_level & access.local);
        let addresses = addresses.map(|(_, address)| address);
        let kind = match instruction.effect {
            Effect::Load => LineKind::Load,
            _ => LineKind::LocalStore,
        };
        coalesce(addresses, 4, self.line, kind, &mut request.lines);
    }
}

fn add_constant(request: &mut MemRequest, access: &Access) {
    if access.constant == 0 {
        return;
    }
    request.constants.extend(lanes_of(access.constant).map(|lane| access.addresses[lane] & !3));
    request.constants.sort_unstable();
    request.constants.dedup();
}

#[cfg(test)]
impl Coalescer {
    /// Has another local cache from now on.
    pub(in crate::sm) fn replace_local_cache(&mut self, local_cache: Box<dyn LocalCache>) {
        self.local_cache = local_cache;
    }
}
