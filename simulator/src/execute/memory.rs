//! Loads, stores and atomics: addresses, checks, and the words moved.

use reconverge_isa::planted::Planted;
use reconverge_isa::{
    Annotations, BLOCK, CONSTANT_BASE, CONSTANT_SIZE, Effect, GLOBAL_BASE, GLOBAL_END, LOCAL_BASE,
    MAX_LANES, SHARED_BASE, Space, WINDOW_SIZE, WarpResult, WarpSource, Width,
};

use super::rows::{self, Span};
use super::{DynamicInstruction, Executed, Executor, LaneTrap, operands};
use crate::block::path::Lanes;
use crate::block::threads::Threads;
use crate::check::event::{Instruction, Seen};
use crate::check::{self};
use crate::execute::access::Access;
use crate::execute::atomic::{atomic, lane_value};
use crate::execute::lanes::lanes_of;
use crate::memory::bytes::SECTOR;
use crate::memory::device::{Global, GlobalPort};
use crate::memory::log::{Log, Owner};
use crate::memory::words::{read, store_row, write};
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};
use crate::run::fault::TrapKind;

impl Executor {
    /// Executes a memory instruction.
    pub(super) fn access_memory(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction: whole, pc, .. } = dynamic;
        // Sixteen bytes move as twice eight: all lanes' lower halves, then all upper ones. No two
        // lanes overlap in part, as all are aligned.
        let halves = 1 + u16::from(whole.width == Width::B128);
        let mut changed = false;
        for half in 0..halves {
            let part;
            let instruction = match halves {
                1 => whole,
                _ => {
                    part = whole.half(half);
                    &part
                }
            };
            let sources =
                operands::fetch(code, instruction, &threads.registers, lanes, &mut self.gathered);
            if half == 0 {
                self.access.locate(code, whole, &sources[0], lanes, mask);
                check_lanes(&self.access, code, whole, &sources[0], mask, port)?;
            } else {
                self.access.shift(8);
            }
            if port.is_checked {
                let dynamic = DynamicInstruction { instruction, ..dynamic };
                port.raise_access(&seen(dynamic, &self.access, &sources[1], threads));
            }
            let mut moving = Moving {
                instruction,
                sources: &sources,
                access: &self.access,
                result: &mut self.result,
            };
            let (deferred, moved) = moving.global(lanes, pc, port);
            changed |= moved;
            if self.access.global != mask {
                changed |= moving.windows(code, &mut threads.shared, &mut threads.local, port);
            }
            if instruction.effect != Effect::Store {
                let mask = mask & !deferred;
                let registers = &mut threads.registers;
                operands::write_back(code, instruction, registers, lanes, mask, &self.result);
            }
        }
        if halves == 2 {
            self.access.shift(-8);
        }
        Ok(Executed { access: Some(&self.access), changed })
    }

    /// Returns true if a load about to execute in the lanes of `mask` may touch memory that a
    /// pending atomic changes.
    #[cold]
    pub(crate) fn awaits(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        threads: &Threads,
        lanes: &Lanes,
        mask: u64,
        log: &Log,
    ) -> bool {
        let registers = &threads.registers;
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let address = |lane| lane_value(&sources[0], lane) as u32;
        log.has_atomic(lanes_of(mask).map(|lane| address(lane).wrapping_add(instruction.offset)))
    }
}

/// An access as the checker receives it.
pub(super) fn seen<'a>(
    dynamic: DynamicInstruction,
    access: &'a Access,
    stored: &'a WarpSource<'a>,
    threads: &'a Threads,
) -> Seen<'a> {
    let DynamicInstruction { instruction, pc, .. } = dynamic;
    let (op, Annotations { volatile, raw, .. }) = (instruction.op, instruction.annotations);
    let (block, size) = (threads.block, instruction.width.bytes());
    let register = match (instruction.effect, instruction.target, instruction.sources[1]) {
        (Effect::Store, _, Source::Register { index, .. }) => Some(index),
        (Effect::Load | Effect::Atomic, Target::Register { index, .. }, _) => Some(index),
        _ => None,
    };
    let instruction = Instruction { block, pc, op, volatile, raw, register, size };
    let Access { global, shared, local, addresses, warp, threads: ids, .. } = access;
    let lanes = check::event::Lanes { global: *global, shared: *shared, local: *local };
    Seen::new(instruction, lanes, addresses, *warp, ids, stored, &threads.shared)
}

/// The words of one instruction during a transfer between registers and memory.
struct Moving<'a> {
    instruction: &'a Decoded,
    sources: &'a [WarpSource<'a>; 3],
    access: &'a Access,
    result: &'a mut WarpResult,
}

impl Moving<'_> {
    /// Accesses global memory at once or in the log. Returns the lanes whose results arrive later,
    /// and true if memory changed.
    fn global(&mut self, lanes: &Lanes, pc: u32, port: &mut GlobalPort) -> (u64, bool) {
        let mask = self.access.global;
        if mask == 0 {
            return (0, false);
        }
        let row = self.access.consecutive.then_some(self.access.addresses[0]);
        let instruction = self.instruction;
        let (bytes, log) = match &mut port.global {
            _ if instruction.effect == Effect::Load => {
                self.load_global(port);
                return (0, false);
            }
            Global::Direct { bytes, .. } => (bytes, None),
            Global::Deferred { log, .. } => (&mut &mut [][..], Some(log)),
        };
        let Some(log) = log else {
            let offset = |address: u32| address.wrapping_sub(GLOBAL_BASE) as usize;
            let changed = match row {
                Some(address) => store_row(
                    &mut bytes[offset(address)..][..4 * self.sources[1].low.len()],
                    self.sources[1].low,
                ),
                None => {
                    let addresses = &self.access.addresses;
                    self.transfer(bytes, mask, |lane| offset(addresses[lane]))
                }
            };
            return (0, changed);
        };
        let [_, value, other] = self.sources;
        match row {
            Some(address) => log.store_row(address, value.low),
            None if instruction.effect == Effect::Store => {
                log.store_lanes(instruction.width, mask, &self.access.addresses, value);
            }
            None => {
                let place = log.place;
                let (instruction, lanes) = (*instruction, lanes.clone());
                let owner = Owner { place, pc, instruction, lanes, mask };
                log.atomic(owner, &self.access.addresses, [value, other]);
                return (mask, false);
            }
        }
        (0, false)
    }

    /// Loads from global memory.
    fn load_global(&mut self, port: &mut GlobalPort) {
        let (lanes, addresses) = (self.access.global, &self.access.addresses);
        let offset = |lane: usize| addresses[lane].wrapping_sub(GLOBAL_BASE) as usize;
        let width = self.instruction.width;
        let words = self.sources[0].low.len();
        if self.access.consecutive {
            let bytes = &port.bytes()[offset(0)..][..4 * words];
            load_row(bytes, &mut self.result.low[..words]);
        } else {
            load_lanes(port.bytes(), lanes, width, offset, self.result);
        }
        let Some(log) = port.log() else {
            return;
        };
        // Accesses are aligned, so that none crosses a line.
        if log.has_stored(lanes_of(lanes).map(|lane| addresses[lane])) {
            for lane in lanes_of(lanes) {
                let (low, high) = (self.result.low[lane], self.result.high[lane]);
                let old = u64::from(low) | u64::from(high) << 32;
                put(self.result, lane, log.load(addresses[lane], width, old));
            }
        }
    }

    /// Accesses shared, local and constant memory; whether that changed any.
    fn windows(
        &mut self,
        code: &Code,
        shared: &mut [u8],
        local: &mut [u8],
        port: &GlobalPort,
    ) -> bool {
        let access = self.access;
        let within = |lane: usize, base: u32| access.addresses[lane].wrapping_sub(base) as usize;
        let mut changed = false;
        if access.shared != 0 {
            changed |= self.transfer(shared, access.shared, |lane| within(lane, SHARED_BASE));
        }
        if access.local != 0 {
            changed |= self.transfer(local, access.local, |lane| {
                let apart = match Planted::LocalOverlaps.is_on() {
                    true => code.local_bytes.saturating_sub(8),
                    false => code.local_bytes,
                };
                usize::from(access.threads[lane]) * apart + within(lane, LOCAL_BASE)
            });
        }
        for lane in lanes_of(access.constant) {
            let offset = within(lane, CONSTANT_BASE);
            let value = read(port.constant(), offset, self.instruction.width);
            self.result.low[lane] = value as u32;
            self.result.high[lane] = (value >> 32) as u32;
        }
        changed
    }

    /// Moves the words of some lanes, in ascending order; whether that changed the memory.
    #[inline(always)]
    fn transfer(&mut self, bytes: &mut [u8], lanes: u64, offset: impl Fn(usize) -> usize) -> bool {
        let width = self.instruction.width;
        let sources = self.sources;
        let mut changed = false;
        match self.instruction.effect {
            Effect::Load => load_lanes(bytes, lanes, width, offset, self.result),
            Effect::Store => {
                for lane in lanes_of(lanes) {
                    let whole = Planted::WordForByte.is_on() && offset(lane) + 4 <= bytes.len();
                    let width = if whole && width.bytes() < 8 { Width::B32 } else { width };
                    changed |= write(bytes, offset(lane), width, lane_value(&sources[1], lane));
                }
            }
            _ => {
                for lane in lanes_of(lanes) {
                    let again = lane > 0 && lanes >> (lane - 1) & 1 != 0;
                    if Planted::AtomicLost.is_on() && again && offset(lane) == offset(lane - 1) {
                        put(self.result, lane, read(bytes, offset(lane), width));
                        continue;
                    }
                    let operands = [lane_value(&sources[1], lane), lane_value(&sources[2], lane)];
                    let op = self.instruction.op;
                    let (old, new) = atomic(op, bytes, offset(lane), width, operands);
                    changed |= new;
                    put(self.result, lane, old);
                }
            }
        }
        changed
    }
}

/// Loads the values of some lanes.
#[inline(always)]
pub(super) fn load_lanes(
    bytes: &[u8],
    lanes: u64,
    width: Width,
    offset: impl Fn(usize) -> usize,
    result: &mut WarpResult,
) {
    // A loop for each width: which it is, is decided once.
    macro_rules! load {
        ($width:expr) => {
            for lane in lanes_of(lanes) {
                put(result, lane, read(bytes, offset(lane), $width));
            }
        };
    }
    match width {
        Width::U8 => load!(Width::U8),
        Width::S8 => load!(Width::S8),
        Width::U16 => load!(Width::U16),
        Width::S16 => load!(Width::S16),
        Width::B32 => {
            for lane in lanes_of(lanes) {
                result.low[lane] = read(bytes, offset(lane), Width::B32) as u32;
            }
        }
        Width::B64 | Width::B128 => load!(Width::B64),
    }
}

#[inline(always)]
fn put(result: &mut WarpResult, lane: usize, value: u64) {
    result.low[lane] = value as u32;
    result.high[lane] = (value >> 32) as u32;
}

impl Access {
    /// The lanes that access memory.
    pub(crate) fn lanes(&self) -> u64 {
        self.global | self.shared | self.local | self.constant
    }

    /// The lanes among `lanes` that access the same line of `bytes` bytes as the first of them;
    /// with the line's address, and the sectors that they touch. `lanes` has at least one lane and
    /// none beyond the 32nd, all of which access global memory.
    #[inline]
    pub(crate) fn first_line(&self, code: &Code, bytes: u32, lanes: u32) -> (u32, u32, u8) {
        let Some(addresses) = self.addresses.first_chunk() else { return (lanes, 0, 0) };
        let line = self.addresses[lanes.trailing_zeros() as usize % BLOCK] & !(bytes - 1);
        let (found, sectors) = rows::within_line(code.vectors, addresses, line, bytes, lanes);
        (found, line, rows::sectors_of_line(sectors, line, bytes))
    }

    /// The touched sectors of the line of `bytes` bytes that contains all accesses.
    #[inline]
    pub(crate) fn sectors_of_line(&self, code: &Code, bytes: u32) -> u8 {
        let Span { low, high, .. } = self.span;
        let sector = |address: u32| 1 << (address / SECTOR % 32);
        if low / SECTOR == high / SECTOR {
            return rows::sectors_of_line(sector(low), low & !(bytes - 1), bytes);
        }
        if let Ok(lanes) = u32::try_from(self.global) {
            return self.first_line(code, bytes, lanes).2;
        }
        let sectors = lanes_of(self.global).map(|lane| sector(self.addresses[lane]));
        let sectors = sectors.fold(0, |all, sector| all | sector);
        rows::sectors_of_line(sectors, low & !(bytes - 1), bytes)
    }

    /// Returns true if all accesses are in one line of global memory with `line` bytes.
    #[inline]
    pub(crate) fn is_in_line(&self, line: u32) -> bool {
        self.shared | self.local | self.constant == 0 && self.span.is_within(line)
    }

    /// Records the addresses of a memory instruction in the lanes of `mask`, not empty, from its
    /// address registers.
    #[inline(always)]
    pub(super) fn locate(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        bases: &WarpSource,
        lanes: &Lanes,
        mask: u64,
    ) {
        let width = code.shape.width as usize;
        for (address, base) in self.addresses.iter_mut().zip(bases.low) {
            *address = base.wrapping_add(instruction.offset);
        }
        self.beyond = match bases.high.is_empty() {
            true => 0,
            false => lanes_of(mask).fold(0, |beyond, lane| {
                let address = wide_address(instruction, bases, lane);
                beyond | u64::from(address >> 32 != 0) << lane
            }),
        };
        self.span = self.extent(mask);
        self.classify(instruction.space, mask);
        self.note_consecutive(instruction, width);
        self.warp = match lanes {
            Lanes::Warp { warp, .. } => Some(*warp),
            Lanes::Mixed(_) => None,
        };
        let named = if self.warp.is_none() { mask } else { self.local };
        for lane in lanes_of(named) {
            let thread = lanes.thread(lane, width);
            self.threads[lane] = thread.map_or(0, |thread| thread.0);
        }
    }

    /// Notes whether all lanes of a warp of `width` access global memory, each the word after that of the lane before.
    #[inline(always)]
    pub(super) fn note_consecutive(&mut self, instruction: &Decoded, width: usize) {
        if Planted::EndsAreConsecutive.is_on() {
            let (first, last) = (self.addresses[0], self.addresses[width - 1]);
            self.span.consecutive = last == first.wrapping_add(4 * (width as u32 - 1));
        }
        self.consecutive = self.span.consecutive
            && instruction.width == Width::B32
            && instruction.effect != Effect::Atomic
            && self.global == u64::MAX >> (MAX_LANES - width);
    }

    /// Adds bytes to all addresses.
    pub(super) fn shift(&mut self, bytes: i32) {
        for address in &mut self.addresses {
            *address = address.wrapping_add_signed(bytes);
        }
        self.span.low = self.span.low.wrapping_add_signed(bytes);
        self.span.high = self.span.high.wrapping_add_signed(bytes);
    }

    /// Sorts the lanes of `mask` by the space that they access.
    #[inline]
    pub(super) fn classify(&mut self, space: Space, mask: u64) {
        (self.global, self.shared, self.local, self.constant) = (0, 0, 0, 0);
        match space {
            Space::Global => self.global = mask,
            Space::Shared => self.shared = mask,
            Space::Local => self.local = mask,
            Space::Constant => self.constant = mask,
            Space::Generic => match self.span.space() {
                Some(Space::Global) => self.global = mask,
                Some(Space::Shared) => self.shared = mask,
                _ => self.classify_each(mask),
            },
        }
    }

    /// Sorts lanes by the space in which their generic addresses are.
    fn classify_each(&mut self, mask: u64) {
        for lane in lanes_of(mask) {
            let address = self.addresses[lane];
            let within = |base, size| address.wrapping_sub(base) < size;
            let class = if within(SHARED_BASE, WINDOW_SIZE) {
                &mut self.shared
            } else if within(LOCAL_BASE, WINDOW_SIZE) {
                &mut self.local
            } else if within(CONSTANT_BASE, CONSTANT_SIZE) {
                &mut self.constant
            } else {
                &mut self.global
            };
            *class |= 1 << lane;
        }
    }

    /// The common extent of the addresses of some lanes, at least one.
    fn extent(&self, lanes: u64) -> Span {
        let lowest = lanes.trailing_zeros() as usize % MAX_LANES;
        let mut span = Span { low: u32::MAX, high: 0, bits: 0, consecutive: true };
        for lane in lanes_of(lanes) {
            let address = self.addresses[lane];
            span.low = span.low.min(address);
            span.high = span.high.max(address);
            span.bits |= address;
            let step = 4 * (lane - lowest) as u32;
            span.consecutive &= address == self.addresses[lowest].wrapping_add(step);
        }
        span
    }
}

/// The address of a lane's access, if its base is a pair of registers.
fn wide_address(instruction: &Decoded, bases: &WarpSource, lane: usize) -> u64 {
    lane_value(bases, lane).wrapping_add(instruction.offset as i32 as u64)
}

/// Checks all lanes; the lowest one whose access is illegal traps.
#[inline]
pub(super) fn check_lanes(
    access: &Access,
    code: &Code,
    instruction: &Decoded,
    bases: &WarpSource,
    mask: u64,
    port: &mut GlobalPort,
) -> Result<(), LaneTrap> {
    let size = instruction.width.bytes();
    let is_store = instruction.effect != Effect::Load;
    let fits = |lanes: u64, port: &mut GlobalPort| {
        let Span { low, high, bits, .. } =
            if lanes == mask { access.span } else { access.extent(lanes) };
        let end = u64::from(high) + u64::from(size);
        let inside = |base: u32, limit: usize| low >= base && end <= u64::from(base) + limit as u64;
        bits & (size - 1) == 0
            && if lanes == access.global {
                port.check(low, end)
            } else if lanes == access.shared {
                inside(SHARED_BASE, code.shared_bytes)
            } else if lanes == access.local {
                inside(LOCAL_BASE, code.local_bytes)
            } else {
                !is_store && inside(CONSTANT_BASE, port.constant().len())
            }
    };
    let classes = [access.global, access.shared, access.local, access.constant];
    if access.beyond == 0 && classes.iter().all(|&lanes| lanes == 0 || fits(lanes, port)) {
        return Ok(());
    }
    for lane in lanes_of(mask) {
        if access.beyond >> lane & 1 != 0 {
            let address = wide_address(instruction, bases, lane);
            let write = instruction.effect != Effect::Load;
            return Err(LaneTrap { lane, kind: TrapKind::WideAddress { address, write } });
        }
        if let Some(kind) = check_lane(access, code, instruction, lane, port) {
            return Err(LaneTrap { lane, kind });
        }
    }
    // The lanes are in several allocations, each in one.
    Ok(())
}

/// The fault of one lane's access, if there is one.
#[cold]
fn check_lane(
    access: &Access,
    code: &Code,
    instruction: &Decoded,
    lane: usize,
    port: &mut GlobalPort,
) -> Option<TrapKind> {
    let address = access.addresses[lane];
    let size = instruction.width.bytes();
    let write = instruction.effect != Effect::Load;
    let end = u64::from(address) + u64::from(size);
    let has = |lanes: u64| lanes >> lane & 1 != 0;
    let (space, base, limit) = if has(access.shared) {
        (Space::Shared, SHARED_BASE, code.shared_bytes)
    } else if has(access.local) {
        (Space::Local, LOCAL_BASE, code.local_bytes)
    } else if has(access.constant) {
        (Space::Constant, CONSTANT_BASE, port.constant().len())
    } else {
        (Space::Global, GLOBAL_BASE, 0)
    };
    if space == Space::Global && address >= GLOBAL_END {
        return Some(TrapKind::HostPointer { address, write });
    }
    if space == Space::Constant && write {
        return Some(TrapKind::WriteToConstant { address });
    }
    // Sixteen bytes are words that the program accesses one by one: the first that is outside counts.
    let size = if instruction.width == Width::B128 { 4 } else { size };
    for start in (u64::from(address)..end).step_by(size as usize) {
        let (address, end) = (start as u32, start + u64::from(size));
        let inside = match space {
            Space::Global => port.check(address, end),
            _ => address >= base && end <= u64::from(base) + limit as u64,
        };
        if !inside {
            return Some(TrapKind::OutOfBounds {
                address,
                size,
                write,
                space,
                limit: limit as u32,
                nearest: (space == Space::Global).then(|| port.nearest(address)).flatten(),
            });
        }
    }
    let size = instruction.width.bytes();
    let misaligned = address & (size - 1) != 0;
    misaligned.then_some(TrapKind::Misaligned { address, size, write })
}

/// Loads consecutive words.
#[inline]
pub(super) fn load_row(bytes: &[u8], row: &mut [u32]) {
    for (word, bytes) in row.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}
