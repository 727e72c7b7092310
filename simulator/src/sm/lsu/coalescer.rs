//! The coalescer: from the addresses of an executed memory instruction to a request of the load/store unit.

use crate::handles::WarpSlot;
use reconverge_isa::{
    BLOCK, Effect, LOCAL_BASE, MATRIX_ROWS, MAX_LANES, MatrixMove, SHARED_BASE, Space,
};

use super::LoadStoreUnit;
use crate::block::Block;
use crate::execute::access::Access;
use crate::execute::lanes::{count_lanes, lanes_of};
use crate::machine::{BankMapping, Ideal, Machine};
use crate::mechanisms::divergence::slot::Capabilities;
use crate::mechanisms::local_cache::{LANES, LocalCache};
use crate::mechanisms::prefetcher::slot::LoadOfWarp;
use crate::mechanisms::register_file::Transfer;
use crate::memory::bytes::SECTOR;
use crate::memory::coalesce::{
    Banks, LineAccess, LineKind, Lines, LocalLine, Passes, bank_passes, coalesce, coalesce_row,
    most_frequent,
};
use crate::memory::packet::{LOCAL_ARENAS, REGISTER_ARENAS};
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::sm::audit::covers;
use crate::sm::home_accesses::{Accessing, Cost, HomeAccesses};
use crate::sm::lsu::loads::Load;
use crate::sm::lsu::request::MemRequest;
use crate::sm::residency::Candidate;

/// Bytes of a base and a stride.
const COMPRESSED: u64 = 8;

/// The number of lines that are searched one by one; a pass over all lanes takes as long as about
/// four lanes by themselves.
const FEW_LINES: usize = 8;

/// The coalescer of an SM, with the buffers that it needs.
pub(crate) struct Coalescer {
    /// Bytes of a line of the first level.
    line: u32,
    /// Banks of shared memory, and where words lie in them.
    banks: u32,
    bank_mapping: BankMapping,
    /// The parts that are ideal.
    ideal: Ideal,
    /// Groups of physical lanes that are served one after the other, and how many lanes each has.
    parts: usize,
    part_lanes: usize,
    /// For the current request: the lanes of each group, and the start of its line accesses.
    groups: Vec<(u64, usize)>,
    /// The number of the SM's first hardware warp among those of all SMs.
    first_warp: u64,
    words: Vec<u32>,
    addresses: Vec<u64>,
    /// Words of vectors of local memory, and the lanes that access them.
    vectors: Vec<([u32; LANES], u32)>,
}

/// The path whose memory instruction was executed.
pub(crate) struct Accessor<'a> {
    pub(crate) code: &'a Code,
    pub(crate) candidate: Candidate,
    pub(crate) scheme: Capabilities,
    pub(crate) pc: u32,
    pub(crate) instruction: &'a Decoded,
    pub(crate) access: &'a Access,
    pub(crate) block: &'a Block,
    /// Hardware warps by the block's warps.
    pub(crate) hardware: &'a [WarpSlot],
    pub(crate) home: &'a mut HomeAccesses,
}

impl Accessor<'_> {
    /// Global addresses by lane.
    fn global(&self) -> impl Iterator<Item = (usize, u64)> + Clone + use<'_> {
        self.global_of(!0)
    }

    /// The global accesses of some lanes.
    fn global_of(&self, lanes: u64) -> impl Iterator<Item = (usize, u64)> + Clone + use<'_> {
        let access = self.access;
        lanes_of(access.global & lanes).map(|lane| (lane, u64::from(access.addresses[lane])))
    }
}

impl Coalescer {
    pub(crate) fn new(machine: &Machine, sm: usize) -> Coalescer {
        Coalescer {
            line: machine.l1.line,
            banks: machine.shared.banks,
            bank_mapping: machine.shared.bank_mapping,
            ideal: machine.ideal,
            parts: machine.load_store.warp_parts as usize,
            part_lanes: machine.sm.warp_width.div_ceil(machine.load_store.warp_parts) as usize,
            groups: Vec::new(),
            first_warp: sm as u64 * u64::from(machine.sm.warps),
            words: Vec::new(),
            addresses: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// The request of a memory instruction that was just executed, with its load unless it is a
    /// store; or the coalescer's error, if that is checked.
    pub(crate) fn request(
        &mut self,
        accessor: &mut Accessor,
        lsu: &mut LoadStoreUnit,
        statistics: &mut Statistics,
    ) -> Result<Box<MemRequest>, &'static str> {
        let (access, instruction) = (accessor.access, accessor.instruction);
        let mut request = lsu.new_request();
        request.pc = accessor.pc;
        request.hints = instruction.hints;
        let warp = accessor.scheme.warp_of(usize::from(accessor.candidate.slot.0));
        request.warp = accessor.hardware.get(warp).copied();
        self.groups.clear();
        match instruction.effect {
            Effect::Copy => self.add_copies(&mut request, accessor, statistics),
            _ if instruction.op.is_matrix_access() => {
                self.add_matrices(&mut request, accessor, statistics);
            }
            _ => self.add_shared(&mut request, accessor, statistics),
        }
        add_constant(&mut request, access);
        self.add_global(&mut request, accessor, statistics);
        // Ideal coalescing leaves out lines.
        if accessor.code.verify && !self.ideal.coalescing {
            let global = accessor.global().map(|(_, address)| address);
            if !covers(&request.lines.accesses, self.line, global) {
                return Err("does not ask for every line");
            }
        }
        let is_load = matches!(instruction.effect, Effect::Load | Effect::Copy);
        if access.global != 0 && is_load && lsu.learns() {
            self.learn(accessor, lsu);
        }
        if access.local != 0 {
            self.add_local(&mut request, accessor, lsu.local_cache(), statistics);
        }
        if accessor.scheme.receives_misses && instruction.effect == Effect::Load {
            self.add_lanes(&mut request, accessor);
        }
        let accesses = request.lines.accesses.len() as u64;
        if accessor.scheme.regroups {
            self.count_home(accessor);
        }
        statistics.memory_accesses += u64::from(accesses != 0);
        statistics.transactions += accesses;
        let sectors =
            request.lines.accesses.iter().map(|line| u64::from(line.sectors.count_ones()));
        statistics.transaction_sectors += sectors.sum::<u64>();
        if instruction.effect != Effect::Store {
            let (writes, result) = (instruction.resolves(), instruction.result().copied());
            let Candidate { block, slot } = accessor.candidate;
            let mut load = Load::new(block, slot, writes, result, loading_lanes(accessor));
            (load.transfer, load.cycles) = (instruction.memory.transfer, instruction.memory.cycles);
            load.is_ordered = instruction.memory.is_ordered;
            load.is_copy = instruction.effect == Effect::Copy;
            request.load = Some(lsu.start_load(load, &request));
        }
        if instruction.effect == Effect::Load && accesses != 0 {
            statistics.memory_loads += 1;
        }
        Ok(request)
    }

    /// The request of a register that moves between the register file and its backing store.
    ///
    /// A warp's part of that has a row of all lanes for each register, in whole sectors, and then a base and a stride for each, side by side.
    pub(crate) fn transfer(
        &self,
        code: &Code,
        transfer: &Transfer,
        lsu: &mut LoadStoreUnit,
    ) -> Box<MemRequest> {
        let &Transfer { warp, register, pc, is_store, is_compressed, ready } = transfer;
        let registers = code.registers as u64;
        let row = (4 * u64::from(code.shape.width)).next_multiple_of(u64::from(SECTOR));
        let rows = (registers * row).next_multiple_of(256);
        let arena = rows + (registers * COMPRESSED).next_multiple_of(256);
        let base = REGISTER_ARENAS + (self.first_warp + u64::from(warp.0)) * arena;
        let register_number = u64::from(register);
        let (address, bytes) = match is_compressed {
            true => (base + rows + register_number * COMPRESSED, COMPRESSED),
            false => (base + register_number * row, row),
        };
        let mut request = lsu.new_request();
        (request.warp, request.pc, request.ready) = (Some(warp), pc, ready);
        let kind = if is_store { LineKind::LocalStore } else { LineKind::Load };
        coalesce_row(address, bytes as u32, self.line, kind, &mut request.lines);
        if !is_store {
            request.load = Some(lsu.start_load(Load::of_register(warp.row(register)), &request));
        }
        request
    }

    /// Tells the prefetcher of a load from global memory.
    #[cold]
    fn learn(&mut self, accessor: &Accessor, lsu: &mut LoadStoreUnit) {
        let warp = accessor.scheme.warp_of(usize::from(accessor.candidate.slot.0));
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

    /// The lanes of a group, as the access numbers them: by place in its warp, or physical ones.
    #[inline]
    fn group(&self, accessor: &Accessor, group: usize) -> u64 {
        if self.parts == 1 {
            return !0;
        }
        let map = accessor.block.paths.lane_map();
        let lanes = ((1 << self.part_lanes) - 1) << (group * self.part_lanes) & map.full();
        match accessor.access.warp {
            Some(warp) => map.logical(usize::from(warp), lanes),
            None => lanes,
        }
    }

    fn add_shared(
        &mut self,
        request: &mut MemRequest,
        accessor: &Accessor,
        statistics: &mut Statistics,
    ) {
        let (access, instruction) = (accessor.access, accessor.instruction);
        if access.shared == 0 {
            return;
        }
        let size = instruction.width.bytes();
        // Lanes that access the same word get it together, unless they change it one by one.
        let together = instruction.effect != Effect::Atomic;
        let (banks, words) = (self.banks, &mut std::mem::take(&mut self.words));
        let map = accessor.block.paths.lane_map();
        let width = accessor.code.shape.width;
        let by_thread = self.bank_mapping == BankMapping::Thread && !map.is_identity();
        // Words that lie closer together than there are banks have a bank each.
        let is_free_of_conflicts = together && !by_thread && access.span.words(size) <= banks;
        let mut passes = Passes::default();
        for group in 0..self.parts {
            let lanes = access.shared & self.group(accessor, group);
            if is_free_of_conflicts {
                passes += Passes::one_if(lanes != 0);
                continue;
            }
            let lanes = lanes_of(lanes);
            let offsets = lanes.map(|lane| access.addresses[lane] - SHARED_BASE);
            let lane = |word: u32| map.lane((word / width) as usize, (word % width) as usize);
            let bank = |word| if by_thread { lane(word) as u32 % banks } else { word % banks };
            let banks = Banks { count: banks, of: bank };
            passes += bank_passes(offsets, size, banks, together, words);
        }
        self.words = std::mem::take(words);
        self.pass(request, passes, statistics);
    }

    /// A request takes passes of shared memory.
    fn pass(&self, request: &mut MemRequest, passes: Passes, statistics: &mut Statistics) {
        let all = if self.ideal.banks { passes.needed } else { passes.all };
        request.shared_passes = all;
        statistics.shared_passes += u64::from(all);
        statistics.shared_bank_conflicts += u64::from(all - passes.needed);
    }

    /// The passes in which copies write shared memory. They are part of the request, as if the bytes arrived when it is served.
    fn add_copies(
        &mut self,
        request: &mut MemRequest,
        accessor: &Accessor,
        statistics: &mut Statistics,
    ) {
        let count = self.banks;
        let offsets = accessor.block.threads.copies.current().map(|lane| lane.offset);
        let banks = Banks { count, of: |word| word % count };
        let size = accessor.instruction.width.bytes();
        let passes = bank_passes(offsets, size, banks, true, &mut self.words);
        self.pass(request, passes, statistics);
    }

    /// The passes of rows of matrices: each matrix is accessed by itself, and its rows together.
    fn add_matrices(
        &mut self,
        request: &mut MemRequest,
        accessor: &Accessor,
        statistics: &mut Statistics,
    ) {
        let (access, count) = (accessor.access, self.banks);
        let size = accessor.instruction.width.bytes();
        let mut passes = Passes::default();
        let mut rest = access.shared;
        while rest != 0 {
            let lanes = lanes_of(rest).take(MATRIX_ROWS).fold(0, |all, lane| all | 1 << lane);
            rest &= !lanes;
            let offsets = lanes_of(lanes).map(|lane| access.addresses[lane] - SHARED_BASE);
            let banks = Banks { count, of: |word| word % count };
            passes += bank_passes(offsets, size, banks, true, &mut self.words);
        }
        self.pass(request, passes, statistics);
    }

    fn add_global(
        &mut self,
        request: &mut MemRequest,
        accessor: &Accessor,
        statistics: &mut Statistics,
    ) {
        let (access, instruction) = (accessor.access, accessor.instruction);
        if access.global == 0 {
            return;
        }
        let size = instruction.width.bytes();
        let kind = match instruction.effect {
            Effect::Load | Effect::Copy => LineKind::Load,
            Effect::Store => LineKind::GlobalStore,
            _ => LineKind::Atomic { serial: 1 },
        };
        if access.consecutive && self.parts == 1 {
            let bytes = 4 * accessor.code.shape.width;
            let first = u64::from(access.addresses[0]);
            return coalesce_row(first, bytes, self.line, kind, &mut request.lines);
        }
        if kind == LineKind::Load && self.parts == 1 && access.is_in_line(self.line) {
            let line = u64::from(access.span.low & !(self.line - 1));
            let sectors = access.sectors_of_line(accessor.code, self.line);
            let lanes = count_lanes(access.global) as u8;
            return request.lines.accesses.push(LineAccess { line, sectors, lanes, kind });
        }
        for group in 0..self.parts {
            let mut lanes = self.group(accessor, group);
            let first = request.lines.accesses.len();
            self.groups.push((lanes, first));
            if kind == LineKind::Load && !self.ideal.coalescing {
                lanes = coalesce_few(accessor, lanes, self.line, &mut request.lines);
                if lanes & access.global == 0 {
                    continue;
                }
            }
            let mut addresses = accessor.global_of(lanes).map(|(_, address)| address);
            coalesce(addresses.clone(), size, self.line, kind, &mut request.lines);
            if instruction.effect != Effect::Atomic {
                if self.ideal.coalescing {
                    let phase =
                        addresses.next().unwrap_or(0) % u64::from(self.line) / u64::from(size);
                    request.lines.coalesce_ideally(first, size, self.line, phase);
                }
                continue;
            }
            if self.ideal.atomics {
                continue;
            }
            let mask = !(u64::from(self.line) - 1);
            for line in &mut request.lines.accesses[first..] {
                self.addresses.clear();
                let of_line = addresses.clone().filter(|address| address & mask == line.line);
                self.addresses.extend(of_line);
                let serial = most_frequent(&mut self.addresses);
                statistics.atomic_conflicts += u64::from(serial.saturating_sub(1));
                line.kind = LineKind::Atomic { serial };
            }
        }
    }

    /// Records the lanes that need each line.
    fn add_lanes(&self, request: &mut MemRequest, accessor: &Accessor) {
        let line = !(u64::from(self.line) - 1);
        request.lanes.resize(request.lines.accesses.len(), 0);
        let local = self.local_addresses(accessor, accessor.access.local);
        for (lane, address) in accessor.global().chain(local) {
            // The accesses of a lane's group, which follow those of the groups before; without
            // groups, all.
            let mine = self.groups.iter().filter(|(lanes, _)| lanes >> lane & 1 != 0);
            let firsts = mine.map(|&(_, first)| first).chain(self.groups.is_empty().then_some(0));
            let accesses = &request.lines.accesses;
            let at = firsts.into_iter().find_map(|first| {
                let at = accesses[first..].iter().position(|it| it.line == address & line)?;
                Some(first + at)
            });
            if let Some(at) = at {
                request.lanes[at] |= 1 << lane;
            }
        }
    }

    /// Records the lines and words that the instruction accesses for each warp.
    fn count_home(&self, accessor: &mut Accessor) {
        let line = !(u64::from(self.line) - 1);
        let (pc, access, part) = (accessor.pc, accessor.access, self.part_lanes);
        // Apart from the accessor, which the addresses borrow.
        let mut home = std::mem::take(accessor.home);
        let warp = accessor.code.shape.width as usize;
        let lanes = access.global | access.local;
        if lanes != 0 {
            let local = self.local_addresses(accessor, access.local);
            let addresses = accessor.global().chain(local);
            let lines = addresses.map(|(lane, address)| (lane, address & line));
            home.lines.access(pc, Accessing { access, lanes, warp, part }, Cost::Lines, lines);
        }
        if access.shared != 0 {
            let lanes = access.shared;
            let words = accessor.instruction.width.bytes().div_ceil(4);
            let words = lanes_of(lanes).flat_map(|lane| {
                let first = (access.addresses[lane] - SHARED_BASE) / 4;
                (first..first + words).map(move |word| (lane, u64::from(word)))
            });
            let together = accessor.instruction.effect != Effect::Atomic;
            let cost = Cost::Banks { banks: self.banks, together };
            home.words.access(pc, Accessing { access, lanes, warp, part }, cost, words);
        }
        *accessor.home = home;
    }

    /// The places of local memory's words that some lanes access, by lane. It is interleaved: the
    /// same word of a warp's threads side by side.
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
            let base = LOCAL_ARENAS + (first + u64::from(hardware[warp].0)) * arena;
            let word = u64::from(access.addresses[lane] - LOCAL_BASE) / 4;
            (word..word + words).map(move |word| (lane, base + (word * width + thread % width) * 4))
        })
    }

    /// Adds the lines of local memory, and the transactions for the slot `local-cache`.
    fn add_local(
        &mut self,
        request: &mut MemRequest,
        accessor: &Accessor,
        cache: Option<&dyn LocalCache>,
        statistics: &mut Statistics,
    ) {
        let (access, instruction) = (accessor.access, accessor.instruction);
        debug_assert!(matches!(instruction.space, Space::Local | Space::Generic));
        let kind = match instruction.effect {
            Effect::Load => LineKind::Load,
            _ => LineKind::LocalStore,
        };
        let before = request.lines.accesses.len();
        request.lines.begin_transactions();
        for group in 0..self.parts {
            let lanes = self.group(accessor, group);
            let first = request.lines.accesses.len();
            self.groups.push((lanes, first));
            let lanes = access.local & lanes;
            let addresses = self.local_addresses(accessor, lanes).map(|(_, address)| address);
            coalesce(addresses, 4, self.line, kind, &mut request.lines);
            if let Some(cache) = cache {
                self.add_transactions(
                    &mut request.lines,
                    first,
                    accessor,
                    lanes,
                    cache.part_lanes(),
                    statistics,
                );
            }
        }
        let count = (request.lines.accesses.len() - before) as u64;
        let counter = match kind {
            LineKind::Load => &mut statistics.local_loads,
            _ => &mut statistics.local_stores,
        };
        *counter += count;
    }

    /// Adds the words that some lanes load or store in each line of local memory, from the access
    /// `first` on. Memory already has the words that a store writes.
    fn add_transactions(
        &mut self,
        lines: &mut Lines,
        first: usize,
        accessor: &Accessor,
        lanes: u64,
        part_lanes: u32,
        statistics: &mut Statistics,
    ) {
        let (code, access, width) =
            (accessor.code, accessor.access, accessor.instruction.width.bytes());
        let accesses = &lines.accesses[first..];
        self.vectors.clear();
        self.vectors.resize(accesses.len(), ([0; LANES], 0));
        let local = &accessor.block.threads.local;
        let words = width.div_ceil(4) as usize;
        let mut at = 0;
        for (index, (lane, address)) in self.local_addresses(accessor, lanes).enumerate() {
            let line = address & !(u64::from(self.line) - 1);
            if accesses[at].line != line {
                at = accesses.iter().position(|access| access.line == line).unwrap_or(at);
            }
            let word = (access.addresses[lane] - LOCAL_BASE) as usize / 4 + index % words;
            let from = usize::from(access.threads[lane]) * code.local_bytes + 4 * word;
            let place = (address - line) as usize / 4;
            let (vector, lanes) = &mut self.vectors[at];
            vector[place] = local
                .get(from..)
                .and_then(|bytes| bytes.first_chunk())
                .map_or(0, |word| u32::from_le_bytes(*word));
            *lanes |= 1 << place;
        }
        let is_load = accessor.instruction.effect == Effect::Load;
        let keeps = width >= 4 && accessor.instruction.effect != Effect::Atomic;
        for (vector, lanes) in &self.vectors {
            let line = LocalLine::new(keeps.then_some(*vector), *lanes, part_lanes);
            line.transaction.count(is_load, statistics);
            lines.push_transaction(line);
        }
    }
}

/// The lanes that get values. All lanes get words of matrices, those without an address too.
fn loading_lanes(accessor: &Accessor) -> u64 {
    let access = accessor.access;
    match MatrixMove::of(accessor.instruction.op) {
        None => access.lanes(),
        Some(moved) => {
            let warps = count_lanes(access.shared) as usize / moved.rows();
            u64::MAX >> (MAX_LANES - (warps * BLOCK).clamp(1, MAX_LANES))
        }
    }
}

/// The lines, up to [`FEW_LINES`], that a load by some lanes touches: one after the other for all lanes at once, each the line of the
/// first lane that is left. The lanes that are left then.
fn coalesce_few(accessor: &Accessor, lanes: u64, line: u32, out: &mut Lines) -> u64 {
    let Ok(mut rest) = u32::try_from(accessor.access.global & lanes) else {
        return lanes;
    };
    let first = out.accesses.len();
    for _ in 0..FEW_LINES {
        if rest == 0 {
            break;
        }
        let (found, base, sectors) = accessor.access.first_line(accessor.code, line, rest);
        let (line, lanes) = (u64::from(base), found.count_ones() as u8);
        out.accesses.push(LineAccess { line, sectors, lanes, kind: LineKind::Load });
        rest &= !found;
    }
    out.lose_last(first);
    u64::from(rest)
}

fn add_constant(request: &mut MemRequest, access: &Access) {
    if access.constant == 0 {
        return;
    }
    request.constants.extend(lanes_of(access.constant).map(|lane| access.addresses[lane] & !3));
    request.constants.sort_unstable();
    request.constants.dedup();
}
