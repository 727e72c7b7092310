//! `regless`: no register file, but an operand staging unit with the registers of the regions that warps are in.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.5 (after Kloosterman et al.): the compiler cuts kernels into
//! regions (`reconverge_isa::region_rules`); a capacity manager (CM), which keeps a state machine for
//! each warp, decides which warps are eligible for scheduling. Before a region's first instruction
//! issues, its registers are loaded into the operand staging unit (OSU), "essentially a cache
//! consisting of eight banks". They are loaded from a backing store in global memory, which the L1
//! caches; affine values are compressed in transit (§3.5).
//!
//! Decisions where the source is open ([`spec/machine.md`] has more): a region that begins reserves
//! the entries of each bank that it holds at once, until it ends. A register that it no longer
//! holds stays until its entry is taken. A register that no thread needs, by `!last` and the
//! regions' erasures, leaves without being written back. Regions begin when their registers of long
//! latency have arrived, those of older warps first. A warp that is in a region, or would be if
//! there was room, keeps its staged registers from younger ones; one that waits for memory or
//! others does not. A warp that has waited for long goes before all others and takes the entries
//! that it needs, so that none waits forever.

mod state;

use crate::handles::{RegisterRow, WarpSlot};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use super::banks::{Banks, Layout};
use super::collectors::{Collectors, Place, Settings, Storage};
use super::live::Live;
use super::slot::{
    Build, Destination, Operands, PathAt, Properties, RegisterLimits, ResultRegisters, Shape,
    Transfer,
};
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistic::Declaration;
use crate::observe::statistics::Statistics;
use crate::program::regions::{RegionCapacity, Regions};
use state::{Bank, OfPath, Order, Reach, Register, State, Warp, is_affine};

const REGIONS: Declaration =
    Declaration::sum("staged_regions", "regions", "Regions that paths have begun (`regless`).");
const HITS: Declaration = Declaration::sum(
    "staging_hits",
    "registers",
    "Warp registers that a region preloads and that were staged when it was given room.",
);
const MISSES: Declaration = Declaration::sum(
    "staging_misses",
    "registers",
    "Warp registers that a region preloads and that are loaded from the backing store.",
);
const WRITE_BACKS: Declaration = Declaration::sum(
    "staging_write_backs",
    "registers",
    "Warp registers that left the operand staging unit and were written to the backing store.",
);
const ERASURES: Declaration = Declaration::sum(
    "staging_erasures",
    "registers",
    "Changed warp registers that left it and were not written, because no thread needed them.",
);
const COMPRESSED: Declaration = Declaration::sum(
    "staging_compressed",
    "registers",
    "Warp registers that were loaded from the backing store or written there as a base and a stride.",
);

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "regless",
    sentence: "an operand staging unit, into which the registers of a region are brought before it begins",
    options: &[
        ("entries", "registers of warps that the unit holds, 1 to 32768; default 512"),
        ("banks", "its banks, 1 to 64; default 8. `banked.banks` is without effect"),
        ("region", "registers that a region of the code may hold at once, 1 to 256; default 16"),
        (
            "compress",
            "whether affine registers are compressed in the backing store: `true` (default) or `false`",
        ),
        (
            "patience",
            "cycles after which a warp that waits for room goes before all others, 0 to 65536; default 4096",
        ),
    ],
    trials: &[
        &[("regless.entries", "32"), ("regless.region", "4"), ("banked.collectors", "1")],
        &[
            ("regless.entries", "12"),
            ("regless.banks", "1"),
            ("regless.region", "1"),
            ("regless.compress", "false"),
            ("regless.patience", "0"),
        ],
        &[
            ("regless.entries", "64"),
            ("banked.hazards", "release-on-read"),
            ("scheduler", "two-level"),
            ("two-level.variant", "active-pool"),
            ("two-level.pool", "1"),
        ],
    ],
    statistics: &[REGIONS, HITS, MISSES, WRITE_BACKS, ERASURES, COMPRESSED],
    build: &|table, shape| {
        let options: Options = options(table)?;
        for (key, value, (least, most)) in [
            ("banks", options.banks, (1, 64)),
            ("region", options.region, (1, 256)),
            ("patience", options.patience, (0, 65536)),
            ("entries", options.entries, (options.banks, 32768)),
        ] {
            check_range(key, value, least..=most)?;
        }
        let settings = Settings { banks: options.banks, ..Settings::shared(shape)? };
        let unit = Unit::new(options, settings.layout, shape);
        Ok(Box::new(Collectors::new(settings, shape, unit)))
    },
};

/// The counters that [`MECHANISM`] declares.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    regions: u64,
    hits: u64,
    misses: u64,
    write_backs: u64,
    erasures: u64,
    compressed: u64,
}

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    entries: u32,
    banks: u32,
    region: u32,
    compress: bool,
    patience: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { entries: 512, banks: 8, region: 16, compress: true, patience: 4096 }
    }
}

/// The operand staging unit with its capacity manager.
struct Unit {
    options: Options,
    layout: Layout,
    /// Entries of a bank.
    size: u32,
    is_serial: bool,
    /// All lanes of a warp.
    all_lanes: u64,
    regions: Arc<Regions>,
    banks: Vec<Bank>,
    warps: Vec<Option<Warp>>,
    live: Live,
    /// Paths that request room: warp and slot.
    requesting: Vec<(WarpSlot, u16)>,
    /// Cycles in which paths begin their regions.
    begins: BinaryHeap<Reverse<u64>>,
    transfers: VecDeque<Transfer>,
    /// By register of the result to be written: true if it is affine. Empty if that is unknown.
    affine: Vec<bool>,
    /// The cycle from which a path has waited long enough to go before others.
    retry: u64,
    /// A change that may end a wait: of paths that request room, or of instructions that need an
    /// entry.
    has_news: bool,
    needs_entry: bool,
    has_released: bool,
    started: u64,
    clock: u64,
    counts: Counts,
}

impl Unit {
    fn new(options: Options, layout: Layout, shape: &Shape) -> Unit {
        Unit {
            options,
            layout,
            size: options.entries / options.banks,
            is_serial: shape.is_serial,
            all_lanes: !0 >> (64 - shape.width.clamp(1, 64)),
            regions: Arc::default(),
            banks: (0..options.banks).map(|_| Bank::default()).collect(),
            warps: Vec::new(),
            live: Live::new(shape.is_serial),
            requesting: Vec::new(),
            begins: BinaryHeap::new(),
            transfers: VecDeque::new(),
            affine: Vec::new(),
            retry: u64::MAX,
            has_news: false,
            needs_entry: false,
            has_released: false,
            started: 0,
            clock: 0,
            counts: Counts::default(),
        }
    }

    /// The bank of a register, as [`Banks::bank`] has it.
    fn bank(&self, row: RegisterRow) -> usize {
        let place = match self.layout {
            Layout::Naive => usize::from(row.register),
            Layout::Swizzled => usize::from(row.register) + row.warp.index(),
        };
        place % self.banks.len()
    }

    fn warp(&self, warp: WarpSlot) -> Option<&Warp> {
        self.warps.get(warp.index())?.as_ref()
    }

    fn warp_mut(&mut self, warp: WarpSlot) -> Option<&mut Warp> {
        self.warps.get_mut(warp.index())?.as_mut()
    }

    fn register(&self, row: RegisterRow) -> Register {
        let of = self.warp(row.warp);
        let of = of.and_then(|warp| warp.registers.get(usize::from(row.register)));
        of.copied().unwrap_or_default()
    }

    fn path(&mut self, warp: WarpSlot, slot: u16) -> Option<&mut OfPath> {
        let slot = usize::from(slot);
        let paths = &mut self.warp_mut(warp)?.paths;
        if paths.len() <= slot {
            paths.resize(slot + 1, OfPath::default());
        }
        paths.get_mut(slot)
    }

    /// Changes the state of a register, and updates its bank. A register that no path holds and no
    /// thread needs is removed.
    fn change(&mut self, row: RegisterRow, change: impl FnOnce(&mut Register)) {
        let (bank, banks) = (self.bank(row), self.banks.len());
        let clock = self.clock;
        let Some(of) = self.warp_mut(row.warp) else { return };
        let Some(now) = of.registers.get_mut(usize::from(row.register)) else { return };
        let before = *now;
        change(now);
        let is_erased = now.is_dead && !now.is_held();
        if is_erased {
            *now = Register { is_dead: true, ..Register::default() };
        } else if now.is_free() && !before.is_free() {
            now.since = clock;
        }
        let after = *now;
        if after.pending == 0 {
            of.long.remove(row.register);
        }
        of.free.resize(banks, 0);
        let count = |was: bool, is: bool| i64::from(is) - i64::from(was);
        let add = |to: &mut u32, more: i64| *to = (i64::from(*to) + more).max(0) as u32;
        add(&mut of.free[bank], count(before.is_free(), after.is_free()));
        self.clock += 1;
        self.counts.erasures += u64::from(is_erased && before.is_here && before.is_dirty);
        let bank = &mut self.banks[bank];
        let order = |it: &Register| (it.is_dirty, it.since, row);
        if before.is_free() {
            bank.free.remove(&order(&before));
        }
        if after.is_free() {
            bank.free.insert(order(&after));
        }
        add(&mut bank.used, count(before.is_here, after.is_here));
        let beside = count(before.is_beside(), after.is_beside());
        add(&mut bank.beside, beside);
        let eases = beside < 0
            || after.is_free() && !before.is_free()
            || before.is_here && !after.is_here
            || before.pending != 0 && after.pending == 0;
        self.has_news |= eases;
        self.has_released |= eases && self.needs_entry;
    }

    /// The victim of a bank: among registers that no path holds, the first of warps that will not
    /// need it soon, or else the youngest one.
    fn victim(&self, bank: usize) -> Option<Order> {
        let busy = |warp: WarpSlot| {
            let warp = self.warp(warp)?;
            warp.is_busy(&self.regions).then_some(Reverse(warp.age))
        };
        let free = self.banks[bank].free.iter().copied();
        free.min_by_key(|&(dirty, since, row)| (busy(row.warp), dirty, since))
    }

    /// Gives a register an entry for an instruction, for which another one may have to leave.
    fn allocate(&mut self, row: RegisterRow, pc: u32) {
        let bank = self.bank(row);
        if self.banks[bank].used >= self.size
            && let Some((is_dirty, _, leaves)) = self.victim(bank)
        {
            let left = self.register(leaves);
            let is_compressed = left.is_affine && !left.is_partial && self.options.compress;
            if is_dirty {
                let RegisterRow { warp, register } = leaves;
                let kind = Transfer {
                    warp,
                    register,
                    pc,
                    is_store: true,
                    is_compressed,
                    ready: left.there + 1,
                };
                self.transfers.push_back(kind);
                self.counts.write_backs += 1;
                self.counts.compressed += u64::from(is_compressed);
            }
            self.change(leaves, |it| {
                it.is_here = false;
                if is_dirty {
                    it.is_compressed = is_compressed;
                }
                it.is_stored |= is_dirty;
                (it.is_dirty, it.is_partial) = (false, false);
            });
        }
        self.change(row, |it| (it.is_here, it.is_dead) = (true, false));
    }

    /// A path has its region no longer.
    fn leave(&mut self, warp: WarpSlot, slot: u16) {
        let Some(path) = self.path(warp, slot) else { return };
        let left = std::mem::take(path);
        match left.state {
            State::Out => return,
            State::Requests(_) => self.requesting.retain(|&path| path != (warp, slot)),
            State::Brings | State::In(_) => self.give(warp, left.region, false),
        }
        for register in left.held.iter() {
            self.change(warp.row(register), |it| it.regions = it.regions.saturating_sub(1));
        }
        self.has_news = true;
    }

    /// A region is given entries of each bank, or gives them back.
    fn give(&mut self, warp: WarpSlot, region: u32, more: bool) {
        let regions = self.regions.clone();
        for (place, &needs) in regions.needs(region).iter().enumerate() {
            let bank = self.bank(warp.row(place as u16));
            let given = &mut self.banks[bank].given;
            *given = if more { *given + needs } else { given.saturating_sub(needs) };
        }
    }

    /// Returns true if a region of a warp finds entries in each bank.
    fn has_room(&self, warp: WarpSlot, region: u32) -> bool {
        self.regions.needs(region).iter().enumerate().all(|(place, &needs)| {
            let bank = &self.banks[self.bank(warp.row(place as u16))];
            bank.given + bank.beside + needs <= self.size
        })
    }

    /// A path requests room for the region of an instruction.
    fn request(&mut self, warp: WarpSlot, slot: u16, pc: u32, region: u32, lanes: u64, now: u64) {
        if let Some(of) = self.path(warp, slot) {
            *of = OfPath { state: State::Requests(now), region, pc, lanes, ..OfPath::default() };
            self.requesting.push((warp, slot));
            self.has_news = true;
        }
    }

    /// Admits regions that wait for room, in order: late ones first, then those of the oldest warps. Ends at the first one that
    /// finds no room.
    fn admit(&mut self, now: u64) {
        let patience = u64::from(self.options.patience);
        let regions = self.regions.clone();
        let mut order = Vec::new();
        for &(warp, slot) in &self.requesting {
            let Some(of) = self.warp(warp) else { continue };
            let Some(path) = of.paths.get(usize::from(slot)) else { continue };
            let State::Requests(since) = path.state else { continue };
            if !regions.get(path.region).accesses.meets(&of.long) {
                let is_late = now - since > patience;
                let key = if is_late { (0, since) } else { (1, of.age) };
                order.push((key, warp, slot, path.region, since));
            }
        }
        if order.is_empty() {
            return;
        }
        order.sort_unstable();
        let reach = self.reach();
        for ((rank, _), warp, slot, region, since) in order {
            if rank != 0 && !self.reaches(&reach, warp, region) {
                self.retry = self.retry.min(since + patience + 1);
                continue;
            }
            if !self.has_room(warp, region) {
                break;
            }
            self.requesting.retain(|&path| path != (warp, slot));
            self.begin(warp, slot, region, now);
        }
    }

    /// Sums the registers that regions may displace: those that no path holds, of warps that do not need them soon or of
    /// younger warps.
    fn reach(&self) -> Reach {
        let mut warps: Vec<&Warp> = self.warps.iter().flatten().collect();
        let mut free = vec![0; self.banks.len()];
        let add = |sums: &mut [u32], warp: &Warp| {
            sums.iter_mut().zip(&warp.free).for_each(|(sum, count)| *sum += count);
        };
        let idle = warps.extract_if(.., |warp| !warp.is_busy(&self.regions));
        idle.for_each(|warp| add(&mut free, warp));
        warps.sort_unstable_by_key(|warp| Reverse(warp.age));
        let mut reach = Reach { ages: Vec::with_capacity(warps.len()), free: Vec::new() };
        reach.free.reserve(warps.len() * free.len());
        for warp in warps {
            add(&mut free, warp);
            reach.ages.push(warp.age);
            reach.free.extend_from_slice(&free);
        }
        reach
    }

    /// Returns true if a region of a warp fits into entries that are empty, or that hold registers of warps which do not
    /// need them soon or are younger.
    fn reaches(&self, reach: &Reach, warp: WarpSlot, region: u32) -> bool {
        let age = self.warp(warp).map_or(0, |warp| warp.age);
        let at = reach.ages.partition_point(|&other| other > age);
        if at == reach.ages.len() {
            return true;
        }
        let free = &reach.free[at * self.banks.len()..];
        self.regions.needs(region).iter().enumerate().all(|(place, &needs)| {
            let bank = self.bank(warp.row(place as u16));
            self.size.saturating_sub(self.banks[bank].used) + free[bank] >= needs
        })
    }

    /// A path begins its region: preloaded registers are held, and loaded.
    fn begin(&mut self, warp: WarpSlot, slot: u16, region: u32, now: u64) {
        let Some(&mut OfPath { pc, lanes, .. }) = self.path(warp, slot) else { return };
        let regions = self.regions.clone();
        let held = regions.held_at(pc);
        self.counts.regions += 1;
        self.give(warp, region, true);
        if let Some(region) = regions.begins(pc) {
            let mut over = Vec::new();
            let erased = region.erasures.iter();
            erased.for_each(|register| self.live.erase(warp, register, lanes, |it| over.push(it)));
            over.into_iter()
                .for_each(|register| self.change(warp.row(register), |it| it.is_dead = true));
        }
        held.iter().for_each(|register| self.change(warp.row(register), |it| it.regions += 1));
        let mut waits = false;
        for register in held.iter() {
            let it = self.register(warp.row(register));
            if !it.is_here {
                self.allocate(warp.row(register), pc);
            }
            let is_missing = it.is_stored && (!it.is_here || it.is_partial) && !it.is_loading;
            if is_missing {
                let is_compressed = it.is_compressed;
                self.transfers.push_back(Transfer {
                    warp,
                    register,
                    pc,
                    is_store: false,
                    is_compressed,
                    ready: now + 1,
                });
                self.change(warp.row(register), |it| it.is_loading = true);
                self.counts.misses += 1;
                self.counts.compressed += u64::from(is_compressed);
            } else {
                self.counts.hits += u64::from(it.is_here);
            }
            waits |= is_missing || it.is_loading;
        }
        let state = if waits { State::Brings } else { State::In(now + 1) };
        if let Some(path) = self.path(warp, slot) {
            (path.state, path.held, path.ready) = (state, held, now + 1);
        }
        if !waits {
            self.begins.push(Reverse(now + 1));
        }
    }

    /// Returns true if a path's instruction may issue in a cycle.
    fn is_in(&self, path: PathAt, now: u64) -> bool {
        let Some(of) = self.warp(path.warp) else { return true };
        let Some(region) = self.regions.at(path.pc) else { return true };
        of.paths.get(usize::from(path.slot)).is_some_and(|it| {
            it.region == region && matches!(it.state, State::In(from) if from <= now)
        })
    }

    /// The old values of some registers of a warp are no longer needed.
    fn end(&mut self, warp: WarpSlot, registers: Vec<u16>) {
        registers
            .into_iter()
            .for_each(|register| self.change(warp.row(register), |it| it.is_dead = true));
    }
}

impl Unit {
    /// Records which registers of a result hold affine values.
    fn compare(&mut self, result: &Destination, values: &[u32], alive: u64) {
        self.affine.clear();
        // Threads that end in this instruction write nothing.
        if alive & !result.lanes != 0 {
            return;
        }
        let lanes = values.len() / usize::from(result.words.max(1));
        for row in values.chunks(lanes.max(1)) {
            self.affine.push(is_affine(row, result.lanes));
        }
    }

    /// A warp with `registers` registers arrives.
    fn start(&mut self, warp: WarpSlot, registers: u16) {
        self.live.start(warp, registers);
        let at = warp.index();
        if self.warps.len() <= at {
            self.warps.resize_with(at + 1, || None);
        }
        let registers = vec![Register::default(); registers.into()];
        self.warps[at] = Some(Warp { age: self.started, registers, ..Warp::default() });
        self.started += 1;
    }

    /// The registers of a warp are free.
    fn release(&mut self, warp: WarpSlot, registers: u16) {
        let paths = self.warp(warp).map_or(0, |warp| warp.paths.len());
        (0..paths).for_each(|slot| self.leave(warp, slot as u16));
        // Nothing of it is in flight, except requests of a region whose path has met another one.
        for register in 0..registers {
            self.change(warp.row(register), |it| {
                *it = Register { is_dead: true, ..Register::default() }
            });
        }
        if let Some(left) = self.warps.get_mut(warp.index()) {
            *left = None;
        }
        self.has_news = true;
    }

    /// A path arrives at an instruction.
    fn arrive(&mut self, path: PathAt, now: u64) {
        let PathAt { warp, slot, .. } = path;
        let region = self.regions.at(path.pc);
        let Some(of) = self.path(warp, slot) else { return };
        let again = path.pc < of.pc || path.pc == of.pc && of.has_issued;
        if of.state != State::Out && region == Some(of.region) && !again {
            (of.has_issued, of.pc) = (of.has_issued && path.pc == of.pc, path.pc);
            return;
        }
        self.leave(warp, slot);
        if let Some(region) = region {
            self.request(warp, slot, path.pc, region, path.lanes, now);
        }
    }

    /// Returns true if the banks have entries for some registers of a warp, counting those that no path holds.
    fn has_entries(&mut self, row: RegisterRow, words: u8) -> bool {
        let RegisterRow { warp, register } = row;
        let mut needed = [0u32; 64];
        for register in register..register + u16::from(words) {
            if self.warp(warp).is_some() && !self.register(warp.row(register)).is_here {
                needed[self.bank(warp.row(register)) % 64] += 1;
            }
        }
        let has_entries = self.banks.iter().zip(needed).all(|(bank, needed)| {
            needed == 0 || self.size.saturating_sub(bank.used) + bank.free.len() as u32 >= needed
        });
        self.needs_entry |= !has_entries;
        has_entries
    }

    /// A register that was loaded arrives.
    fn load(&mut self, row: RegisterRow, ready: u64, banks: &mut Banks) {
        let RegisterRow { warp, register } = row;
        if !self.register(row).is_loading {
            return;
        }
        let cycle = banks.write(row, ready);
        self.change(row, |it| {
            it.is_loading = false;
            it.there = it.there.max(cycle);
            // It has the missing lanes now; the backing store no longer has the value that was
            // written here meanwhile.
            it.is_partial = false;
            it.is_stored &= !it.is_dirty;
        });
        let slots = self.warp(warp).map_or(0, |warp| warp.paths.len());
        for slot in 0..slots as u16 {
            let Some(path) = self.path(warp, slot) else { continue };
            if path.state != State::Brings || !path.held.has(register) {
                continue;
            }
            path.ready = path.ready.max(cycle + 1);
            let (held, from) = (path.held, path.ready);
            if held.iter().all(|register| !self.register(warp.row(register)).is_loading) {
                self.begins.push(Reverse(from));
                if let Some(path) = self.path(warp, slot) {
                    path.state = State::In(from);
                }
            }
        }
    }

    /// The transfers of the cycle; registers that leave are read from their banks.
    fn take_transfers(&mut self, banks: &mut Banks, effects: &mut Effects) {
        for mut transfer in self.transfers.drain(..) {
            if transfer.is_store {
                // It is read from its bank, once it has arrived.
                let Transfer { warp, register, ready, .. } = transfer;
                transfer.ready = banks.expand(warp.row(register), ready.max(banks.now())) + 1;
            }
            effects.transfers.push(transfer);
        }
    }

    /// Returns true if registers have become free, or regions begin in the next cycle, since the last call.
    fn take_released(&mut self, now: u64) -> bool {
        if self.retry <= now {
            (self.retry, self.has_news) = (u64::MAX, true);
        }
        if std::mem::take(&mut self.has_news) {
            self.admit(now);
        }
        while self.begins.peek().is_some_and(|Reverse(cycle)| *cycle <= now + 1) {
            self.begins.pop();
            self.has_released = true;
        }
        if self.has_released {
            self.needs_entry = false;
        }
        std::mem::take(&mut self.has_released)
    }
}

impl Storage for Unit {
    fn locate(&self, _operands: &Operands, _place: usize, _now: u64) -> Place {
        Place::Bank
    }

    fn issued(&mut self, operands: &Operands, result: Option<&Destination>, _now: u64) {
        let (warp, slot) = (operands.warp, operands.slot);
        let Some(&mut OfPath { pc, state, .. }) = self.path(warp, slot) else { return };
        for &register in operands.registers() {
            self.change(warp.row(register), |it| it.reads += 1);
        }
        for register in result.into_iter().flat_map(Destination::registers) {
            let it = self.register(warp.row(register));
            let lanes = result.map_or(0, |result| result.lanes);
            if !it.is_here {
                self.allocate(warp.row(register), pc);
            }
            // If paths take turns, no thread needs the values that the entry lacks; otherwise the
            // region has loaded them.
            let is_whole = self.is_serial || lanes == self.all_lanes;
            let is_partial = it.is_stored && !is_whole && (!it.is_here || it.is_partial);
            self.change(warp.row(register), |it| {
                (it.is_dirty, it.is_dead, it.is_affine) = (true, false, false);
                (it.is_partial, it.is_stored) = (is_partial, is_partial);
                it.pending |= lanes;
            });
            if result.is_some_and(|result| result.is_long && lanes != 0)
                && let Some(warp) = self.warp_mut(warp)
            {
                warp.long.insert(register);
            }
        }
        // A register that the instruction writes as well is needed again.
        let (mut read, mut over) = (*operands, Vec::new());
        result.into_iter().flat_map(Destination::registers).for_each(|it| read.remove(it));
        self.live.read(&read, |register| over.push(register));
        if let Some(result) = result {
            self.live.write(result, |_| {});
        }
        self.end(warp, over);
        if matches!(state, State::In(_)) {
            let evicted = self.regions.evicts(pc);
            let mut held = Vec::new();
            if let Some(path) = self.path(warp, slot) {
                for register in result.into_iter().flat_map(Destination::registers) {
                    if path.held.insert(register) {
                        held.push(register);
                    }
                }
            }
            held.into_iter()
                .for_each(|register| self.change(warp.row(register), |it| it.regions += 1));
            for register in evicted.iter() {
                if self.path(warp, slot).is_some_and(|path| path.held.remove(register)) {
                    self.change(warp.row(register), |it| it.regions = it.regions.saturating_sub(1));
                }
            }
        }
    }

    fn has_read(&mut self, operands: &Operands, _banks: &mut Banks) {
        for &register in operands.registers() {
            self.change(operands.warp.row(register), |it| it.reads = it.reads.saturating_sub(1));
        }
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        let affine = std::mem::take(&mut self.affine);
        let cycle = banks.write_all(result, ready);
        for (at, register) in result.registers().enumerate() {
            let is_affine = affine.get(at).copied().unwrap_or(false);
            self.change(result.warp.row(register), |it| {
                it.pending &= !result.lanes;
                it.is_affine = is_affine;
                it.there = it.there.max(cycle);
            });
        }
        self.affine = affine;
        self.affine.clear();
        cycle
    }

    fn properties(&self) -> Properties {
        let capacity = RegionCapacity {
            region_registers: self.options.region,
            banks: self.options.banks,
            bank_entries: self.size,
            unit: "the operand staging unit",
            settings: "`regless.entries` or `regless.banks`",
        };
        Properties { regions: Some(capacity), by_warp: true, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        let values = if self.options.compress { EventSet::WRITING } else { EventSet::NONE };
        EventSet::CODE_LOADED
            .and(EventSet::WARP_ARRIVED)
            .and(EventSet::THREADS_ENDED)
            .and(EventSet::WARP_RELEASED)
            .and(EventSet::PATH_ARRIVED)
            .and(EventSet::PATH_STOPPED)
            .and(EventSet::REGISTER_LOADED)
            .and(EventSet::CYCLE_ENDED)
            .and(values)
    }

    fn on_event(&mut self, event: &Event, banks: &mut Banks, effects: &mut Effects) {
        match *event {
            Event::CodeLoaded { regions: Some(regions), .. } => self.regions = regions.clone(),
            Event::WarpArrived { warp, registers, .. } => self.start(warp, registers),
            Event::ThreadsEnded { warp, .. } => {
                let mut over = Vec::new();
                self.live.end(warp, |register| over.push(register));
                self.end(warp, over);
            }
            Event::WarpReleased { warp, registers, .. } => self.release(warp, registers),
            Event::PathArrived { path, now } => self.arrive(path, now),
            Event::PathStopped { warp, slot } => self.leave(warp, slot),
            Event::Writing { result, values, alive } => self.compare(result, values, alive),
            Event::RegisterLoaded { warp, register, ready, .. } => {
                self.load(warp.row(register), ready, banks);
            }
            Event::CycleEnded { now } => {
                effects.freed_registers |= self.take_released(now);
                self.take_transfers(banks, effects);
            }
            _ => {}
        }
    }

    fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        Some(self)
    }

    fn count(&self, statistics: &mut Statistics, _cycle: u64) {
        let own = &mut statistics.mechanisms;
        own.add(&REGIONS, self.counts.regions);
        own.add(&HITS, self.counts.hits);
        own.add(&MISSES, self.counts.misses);
        own.add(&WRITE_BACKS, self.counts.write_backs);
        own.add(&ERASURES, self.counts.erasures);
        own.add(&COMPRESSED, self.counts.compressed);
    }
}

impl RegisterLimits for Unit {
    fn may_issue(&mut self, path: PathAt, result: Option<&ResultRegisters>, now: u64) -> bool {
        if let Some(&ResultRegisters { register, words, .. }) = result
            && !self.has_entries(path.warp.row(register), words)
        {
            return false;
        }
        if self.is_in(path, now) {
            if let Some(of) = self.path(path.warp, path.slot) {
                (of.pc, of.has_issued) = (path.pc, true);
            }
            return true;
        }
        if let Some(of) = self.path(path.warp, path.slot)
            && (of.state == State::Out || Some(of.region) != self.regions.at(path.pc))
        {
            self.arrive(path, now);
        }
        false
    }

    fn holds_back(&self, path: PathAt, now: u64) -> bool {
        !self.is_in(path, now)
    }

    fn next_event(&self) -> u64 {
        // Waiting paths are notified in the cycle before.
        let begins = self.begins.peek().map_or(u64::MAX, |Reverse(cycle)| cycle.saturating_sub(1));
        begins.min(self.retry)
    }
}
