//! From an executed memory instruction to a request of the load/store unit.

use reconverge_isa::{Effect, SHARED_BASE, Space};

use super::{LineKind, Load, LoadId, MemRequest};
use crate::affine::LoadOfWarp;
use crate::decode::{Code, Decoded};
use crate::execute::{Access, lanes_of};
use crate::fault::Trap;
use crate::memory::coalesce::{bank_passes, coalesce, coalesce_row, most_frequent};
use crate::sm::audit::covers;
use crate::sm::{Candidate, Context, Sm};

/// Where the physical addresses of local memory begin, above all of global memory.
const LOCAL_ARENAS: u64 = 1 << 40;

impl Sm {
    /// What the memory instruction that was just executed asks the load/store unit for; and the load
    /// that it is, unless it is a store.
    pub(in crate::sm) fn memory_request(
        &mut self,
        candidate: Candidate,
        instruction: &Decoded,
        context: &mut Context,
    ) -> Result<(Box<MemRequest>, Option<LoadId>), Box<Trap>> {
        let access = &context.executor.access;
        let mut request = self.load_store.new_request();
        let warp = usize::from(candidate.slot.0) / self.slots_per_warp;
        request.warp = self.places[usize::from(candidate.place)].hardware.get(warp).copied();
        self.add_shared(&mut request, access, instruction);
        self.add_constant(&mut request, access);
        self.add_global(&mut request, access, instruction, context.code.shape.width);
        if context.code.verify {
            let global = lanes_of(access.global).map(|lane| u64::from(access.addresses[lane]));
            if !covers(&request.lines.accesses, self.line, global) {
                let block = &self.places[usize::from(candidate.place)].block;
                let (code, what) = (context.code, "does not ask for every line");
                return Err(block.contradiction(code, candidate.slot, what));
            }
        }
        if access.global != 0 && instruction.effect == Effect::Load && self.load_store.learns() {
            let place = &self.places[usize::from(candidate.place)];
            let load = LoadOfWarp {
                pc: context.executor.pc,
                hardware: place.hardware[warp],
                warp: place.block.number * u64::from(context.code.shape.warps()) + warp as u64,
            };
            let global = lanes_of(access.global).map(|lane| u64::from(access.addresses[lane]));
            self.load_store.learn(load, global, instruction.width.bytes());
        }
        if access.local != 0 {
            self.add_local(&mut request, access, instruction, candidate, context.code);
        }
        if self.wants_misses && instruction.effect == Effect::Load {
            self.add_lanes(&mut request, access, instruction, candidate, context.code);
        }
        let accesses = request.lines.accesses.len() as u64;
        if self.regroups && accesses != 0 {
            self.count_home(access, instruction, candidate, context);
        }
        self.statistics.memory_accesses += u64::from(accesses != 0);
        self.statistics.transactions += accesses;
        if instruction.effect != Effect::Store {
            let (writes, result) = (instruction.writes, instruction.result());
            let load = Load::new(candidate.place, candidate.slot.0, writes, result);
            request.load = Some(self.load_store.new_load(load, &request));
        }
        let load = request.load;
        if instruction.effect == Effect::Load && accesses != 0 {
            self.statistics.memory_loads += 1;
        }
        if instruction.queue.is_some() {
            self.take_early(&mut request, candidate, context.now);
        }
        Ok((request, load))
    }

    /// The lines that were asked for early and are held for the instruction that was just executed.
    #[cold]
    fn take_early(&mut self, request: &mut MemRequest, candidate: Candidate, now: u64) {
        let queues = &mut self.places[usize::from(candidate.place)].block.queues;
        let early = queues.as_mut().and_then(|queues| queues.early.take());
        if let (Some(early), Some(affine)) = (early, &mut self.affine) {
            request.held = affine.issue_early(early, now, &mut self.statistics);
        }
    }

    fn add_shared(&mut self, request: &mut MemRequest, access: &Access, instruction: &Decoded) {
        if access.shared == 0 {
            return;
        }
        let offsets = lanes_of(access.shared).map(|lane| access.addresses[lane] - SHARED_BASE);
        let size = instruction.width.bytes();
        // Lanes that want the same word get it together, unless they change it one by one.
        let together = instruction.effect != Effect::Atomic;
        request.shared_passes = bank_passes(offsets, size, self.banks, together, &mut self.words);
        self.statistics.shared_passes += u64::from(request.shared_passes);
        self.statistics.shared_bank_conflicts += u64::from(request.shared_passes - 1);
    }

    fn add_constant(&mut self, request: &mut MemRequest, access: &Access) {
        if access.constant == 0 {
            return;
        }
        request.constants.extend(lanes_of(access.constant).map(|lane| access.addresses[lane] & !3));
        request.constants.sort_unstable();
        request.constants.dedup();
    }

    fn add_global(
        &mut self,
        request: &mut MemRequest,
        access: &Access,
        instruction: &Decoded,
        width: u32,
    ) {
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
            let bytes = 4 * width;
            let first = u64::from(access.addresses[0]);
            return coalesce_row(first, bytes, self.line, kind, &mut request.lines);
        }
        let addresses = lanes_of(access.global).map(|lane| u64::from(access.addresses[lane]));
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
    fn add_lanes(
        &self,
        request: &mut MemRequest,
        access: &Access,
        instruction: &Decoded,
        candidate: Candidate,
        code: &Code,
    ) {
        let line = !(u64::from(self.line) - 1);
        request.lanes.resize(request.lines.accesses.len(), 0);
        let global = lanes_of(access.global).map(|lane| (lane, u64::from(access.addresses[lane])));
        let local = self.local_addresses(access, instruction, candidate, code);
        for (lane, address) in global.chain(local) {
            let mut accesses = request.lines.accesses.iter();
            let at = accesses.position(|access| access.line == address & line);
            if let Some(at) = at {
                request.lanes[at] |= 1 << lane;
            }
        }
    }

    /// Notes which lines the instruction that was just executed wants for which warps.
    fn count_home(
        &mut self,
        access: &Access,
        instruction: &Decoded,
        candidate: Candidate,
        context: &Context,
    ) {
        let line = !(u64::from(self.line) - 1);
        let global = lanes_of(access.global).map(|lane| (lane, u64::from(access.addresses[lane])));
        // Apart from the core, which `local` borrows.
        let place = usize::from(candidate.place);
        let mut home = std::mem::take(&mut self.places[place].home);
        let local = self.local_addresses(access, instruction, candidate, context.code);
        let lines = global.chain(local).map(|(lane, address)| (lane, address & line));
        let width = context.code.shape.width as usize;
        home.access(context.executor.pc, access, width, lines);
        self.places[place].home = home;
    }

    /// Where the words of local memory lie that lanes access, by lane. It lies interleaved: the same
    /// word of a warp's threads side by side.
    fn local_addresses<'a>(
        &'a self,
        access: &'a Access,
        instruction: &Decoded,
        candidate: Candidate,
        code: &Code,
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        let width = u64::from(code.shape.width);
        let arena = (code.local_bytes as u64 * width).next_multiple_of(256);
        let first = self.index as u64 * self.warp_used.len() as u64;
        let hardware = &self.places[usize::from(candidate.place)].hardware;
        let words = u64::from(instruction.width.bytes().div_ceil(4));
        lanes_of(access.local).flat_map(move |lane| {
            let thread = u64::from(access.threads[lane]);
            let warp = usize::try_from(thread / width).unwrap_or(0);
            let base = LOCAL_ARENAS + (first + u64::from(hardware[warp])) * arena;
            let word = u64::from(access.addresses[lane] - reconverge_isa::LOCAL_BASE) / 4;
            (word..word + words).map(move |word| (lane, base + (word * width + thread % width) * 4))
        })
    }

    /// Adds the lines of local memory.
    fn add_local(
        &mut self,
        request: &mut MemRequest,
        access: &Access,
        instruction: &Decoded,
        candidate: Candidate,
        code: &Code,
    ) {
        debug_assert!(matches!(instruction.space, Space::Local | Space::Generic));
        let addresses = self.local_addresses(access, instruction, candidate, code);
        let addresses = addresses.map(|(_, address)| address);
        let kind = match instruction.effect {
            Effect::Load => LineKind::Load,
            _ => LineKind::LocalStore,
        };
        coalesce(addresses, 4, self.line, kind, &mut request.lines);
    }
}
