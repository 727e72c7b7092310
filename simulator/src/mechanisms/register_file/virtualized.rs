//! `virtualized`: a register of a warp takes a physical one from when it is written to its last read, so that there can be fewer.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.3 (after Tarjan and Skadron, and Jeon et al.). A warp starts
//! without registers. When an instruction issues (which is also when it is decoded here), a
//! register that it writes gets a physical one unless it has one. The last read, marked `!last`,
//! releases it; under divergence, in the lanes for which the mark holds. Registers below a
//! threshold, which the compiler may determine, are not renamed. Blocks arrive as if the whole file
//! was available. When physical registers run out, warps wait.
//!
//! Decisions where the source is open: the warps that wait. A block leaves the registers free that
//! older ones may still need: for the oldest all that it can have, so that it ends, and the next
//! one becomes the oldest; for others the most that ended blocks had. Subarrays are filled from the
//! first on, and one in which no register is in use is gated. A renamed register is accessed in the
//! bank in which it would be without renaming.

use crate::handles::{RegisterRow, WarpSlot};
use std::collections::{BTreeSet, VecDeque};

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::followed::InUse;
use super::live::Live;
use super::slot::{
    Build, Destination, Operands, PathAt, Properties, RegisterLimits, ResultRegisters, Shape,
};
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistic::Declaration;
use crate::observe::statistics::Statistics;

const RENAMES: Declaration = Declaration::sum(
    "renames",
    "registers",
    "Warp registers that were given a physical register when an instruction that writes them issued (`virtualized`).",
);
const TABLE_BITS: Declaration = Declaration::max(
    "rename_table_bits",
    "bits",
    "Bits of an SM's table of physical registers: a number for each register of each hardware warp that is renamed.",
);

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "virtualized",
    sentence: "`banked` with fewer physical registers, which are taken at a write and given back after the last read",
    options: &[
        ("physical", "percent of the SM's registers that there are, 1 to 100; default 50"),
        (
            "threshold",
            "registers below this number are not renamed, 0 to 256, or `compiler`: those that the kernel says live long; default 0",
        ),
        (
            "metadata",
            "instructions that a metadata instruction says the last reads of, 0 to 64; default 0: bits in operands do",
        ),
        (
            "subarrays",
            "parts of the file that are gated while nothing in them is in use, 1 to 64; default 8",
        ),
    ],
    trials: &[
        &[("virtualized.physical", "34"), ("virtualized.threshold", "2"), ("banked.banks", "1")],
        &[
            ("virtualized.physical", "100"),
            ("virtualized.threshold", "compiler"),
            ("virtualized.subarrays", "1"),
            ("banked.hazards", "release-on-read"),
        ],
        &[
            ("virtualized.physical", "60"),
            ("virtualized.metadata", "3"),
            ("scheduler", "two-level"),
            ("two-level.variant", "active-pool"),
            ("two-level.pool", "1"),
        ],
    ],
    statistics: &[RENAMES, TABLE_BITS],
    build: &|table, shape| {
        let options: Options = options(table)?;
        for (key, value, (least, most)) in [
            ("physical", options.physical, (1, 100)),
            ("threshold", options.threshold.number(), (0, 256)),
            ("metadata", options.metadata, (0, 64)),
            ("subarrays", options.subarrays, (1, 64)),
        ] {
            check_range(key, value, least..=most)?;
        }
        let file = Virtualized::new(options, shape);
        Ok(Box::new(Collectors::new(Settings::shared(shape)?, shape, file)))
    },
};

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    physical: u32,
    threshold: Threshold,
    metadata: u32,
    subarrays: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { physical: 50, threshold: Threshold::Number(0), metadata: 0, subarrays: 8 }
    }
}

/// Below which register there is no renaming.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
enum Threshold {
    Number(u32),
    Named(By),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum By {
    Compiler,
}

impl Threshold {
    /// The machine file's number; 0 if the kernel decides.
    fn number(self) -> u32 {
        match self {
            Threshold::Number(number) => number,
            Threshold::Named(By::Compiler) => 0,
        }
    }
}

/// The physical registers of an SM.
#[derive(Debug)]
struct Physical {
    count: u64,
    free: BTreeSet<u32>,
    /// Registers of a subarray; by subarray, those in use.
    each: u64,
    used: Vec<u64>,
    /// Registers of subarrays in which some register is in use.
    powered: InUse,
}

impl Physical {
    fn new(count: u64, subarrays: u64) -> Physical {
        let each = count.div_ceil(subarrays).max(1);
        Physical {
            count,
            free: (0..count as u32).collect(),
            each,
            used: vec![0; count.div_ceil(each) as usize],
            powered: InUse::default(),
        }
    }

    /// Takes the first that is free. There is one.
    fn take(&mut self, now: u64) -> u32 {
        let register = self.free.pop_first().unwrap_or_default();
        let subarray = u64::from(register) / self.each;
        let used = &mut self.used[subarray as usize];
        *used += 1;
        if *used == 1 {
            self.powered.set(self.powered.count() + self.size(subarray), now);
        }
        register
    }

    /// Takes one back.
    fn give_back(&mut self, register: u32, now: u64) {
        self.free.insert(register);
        let subarray = u64::from(register) / self.each;
        let used = &mut self.used[subarray as usize];
        *used -= 1;
        if *used == 0 {
            self.powered.set(self.powered.count() - self.size(subarray), now);
        }
    }

    /// Registers of a subarray; of the last one those that are left.
    fn size(&self, subarray: u64) -> u64 {
        self.each.min(self.count - subarray * self.each)
    }
}

/// A hardware warp.
#[derive(Debug, Default)]
struct Warp {
    /// The start of its block, which identifies the block; none if it has none.
    block: Option<u64>,
    /// By register: the physical one that it has.
    physical: Vec<Option<u32>>,
    /// By instruction that is still to read, the oldest first: physical registers that are free when it has read.
    leaving: VecDeque<Vec<u32>>,
    /// By path slot: the group of instructions whose metadata instruction it has read.
    groups: Vec<Option<u32>>,
}

/// A block that is resident.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Its start: blocks start in different cycles.
    start: u64,
    warps: u64,
    /// The most registers that its warps may have, and the physical ones that they have, those that are still to be read included.
    most: u64,
    has: u64,
    /// The most that it had at one time.
    peak: u64,
}

struct Virtualized {
    options: Options,
    /// Registers below it are not renamed.
    threshold: u32,
    shape_warps: u64,
    physical: Physical,
    live: Live,
    warps: Vec<Warp>,
    /// The oldest first.
    blocks: Vec<Block>,
    /// The most that a block which has ended had at one time, if one has ended.
    peak: Option<u64>,
    /// Physical registers have become free since the last query.
    has_released: bool,
    renames: u64,
    table_bits: u64,
}

impl Virtualized {
    fn new(options: Options, shape: &Shape) -> Virtualized {
        let count = shape.registers * u64::from(options.physical) / 100;
        Virtualized {
            options,
            threshold: options.threshold.number(),
            shape_warps: shape.warps.into(),
            physical: Physical::new(count, options.subarrays.into()),
            live: Live::new(shape.is_serial),
            warps: Vec::new(),
            blocks: Vec::new(),
            peak: None,
            has_released: false,
            renames: 0,
            table_bits: 0,
        }
    }

    /// The registers out of `registers` that are not renamed.
    fn fixed(&self, registers: u16) -> u64 {
        u64::from(registers).min(self.threshold.into())
    }

    /// Registers that are left free for the blocks that started before some cycle.
    fn reserve(&self, start: u64) -> u64 {
        let older = self.blocks.iter().take_while(|block| block.start < start).enumerate();
        let expected = |(age, block): (usize, &Block)| match self.peak {
            Some(peak) if age != 0 => peak,
            _ => block.most,
        };
        older.map(|(age, block)| expected((age, block)).saturating_sub(block.has)).sum()
    }

    fn block(&mut self, start: u64) -> Option<&mut Block> {
        self.blocks.iter_mut().find(|block| block.start == start)
    }

    /// A register of a warp takes a physical one.
    fn take(&mut self, row: RegisterRow, now: u64) {
        let Warp { block, physical, .. } = &mut self.warps[row.warp.index()];
        let (Some(start), Some(place)) = (*block, physical.get_mut(usize::from(row.register)))
        else {
            return;
        };
        if place.is_none() && !self.physical.free.is_empty() {
            *place = Some(self.physical.take(now));
            if let Some(block) = self.block(start) {
                block.has += 1;
                block.peak = block.peak.max(block.has);
            }
        }
    }

    /// Some registers of a warp have their physical ones no longer, which are free when instructions that have issued have read.
    fn drop(&mut self, warp: WarpSlot, registers: &[u16], now: u64) {
        let Some(Warp { physical, leaving, .. }) = self.warps.get_mut(warp.index()) else {
            return;
        };
        let places = registers.iter().filter_map(|&at| physical.get_mut(usize::from(at))?.take());
        let dropped: Vec<u32> = places.collect();
        match leaving.back_mut() {
            Some(last) => last.extend(dropped),
            None => self.free(warp, &dropped, now),
        }
    }

    /// Physical registers of a warp are free.
    fn free(&mut self, warp: WarpSlot, registers: &[u32], now: u64) {
        self.has_released |= !registers.is_empty();
        registers.iter().for_each(|&register| self.physical.give_back(register, now));
        let start = self.warps.get(warp.index()).and_then(|warp| warp.block);
        if let Some(block) = start.and_then(|start| self.block(start)) {
            block.has -= registers.len() as u64;
        }
    }

    /// A warp with `registers` registers arrives.
    fn start(&mut self, warp: WarpSlot, registers: u16, now: u64) {
        self.live.start(warp, registers);
        let at = warp.index();
        if self.warps.len() <= at {
            self.warps.resize_with(at + 1, Warp::default);
        }
        let physical = vec![None; registers.into()];
        self.warps[at] = Warp { block: Some(now), physical, ..Warp::default() };
        if self.block(now).is_none() {
            self.blocks.push(Block { start: now, warps: 0, most: 0, has: 0, peak: 0 });
        }
        if let Some(block) = self.block(now) {
            block.warps += 1;
            block.most += u64::from(registers);
        }
        let fixed = self.fixed(registers);
        (0..fixed as u16).for_each(|register| self.take(warp.row(register), now));
        let bits = u64::from(self.physical.count.next_power_of_two().ilog2());
        let entries = self.shape_warps * (u64::from(registers) - fixed);
        self.table_bits = self.table_bits.max(entries * bits);
    }

    /// Frees the registers of a warp whose instructions have read their operands.
    fn release(&mut self, warp: WarpSlot, registers: u16, now: u64) {
        let all: Vec<u16> = (0..registers).collect();
        self.drop(warp, &all, now);
        let left = std::mem::take(&mut self.warps[warp.index()]);
        if let Some(block) = left.block.and_then(|start| self.block(start)) {
            block.warps -= 1;
            if block.warps == 0 {
                let peak = block.peak;
                self.peak = self.peak.max(Some(peak));
            }
        }
        self.blocks.retain(|block| block.warps != 0);
        // Another block may be the oldest.
        self.has_released = true;
    }

    /// The registers of a warp that are renamed.
    fn renamed(&self, warp: WarpSlot) -> Vec<u16> {
        let all = self.warps.get(warp.index()).map_or(0, |warp| warp.physical.len());
        (self.threshold.min(all as u32) as u16..all as u16).collect()
    }
}

impl Storage for Virtualized {
    fn locate(&self, _operands: &Operands, _place: usize, _now: u64) -> Place {
        Place::Bank
    }

    fn issued(&mut self, operands: &Operands, result: Option<&Destination>, now: u64) {
        let warp = operands.warp;
        if self.warps.get(warp.index()).is_none_or(|warp| warp.block.is_none()) {
            return;
        }
        self.warps[warp.index()].leaving.push_back(Vec::new());
        // A register that the instruction writes as well keeps its physical one.
        let mut read = *operands;
        result.into_iter().flat_map(Destination::registers).for_each(|it| read.remove(it));
        let threshold = self.threshold;
        let is_renamed = |register: &u16| u32::from(*register) >= threshold;
        let (mut over, mut begun) = (Vec::new(), Vec::new());
        self.live.read(&read, |register| over.push(register));
        over.retain(is_renamed);
        self.drop(warp, &over, now);
        if let Some(result) = result {
            self.live.write(result, |register| begun.push(register));
        }
        for register in begun.into_iter().filter(is_renamed) {
            self.take(warp.row(register), now);
            self.renames += 1;
        }
    }

    fn has_read(&mut self, operands: &Operands, banks: &mut Banks) {
        let warp = self.warps.get_mut(operands.warp.index());
        if let Some(over) = warp.and_then(|warp| warp.leaving.pop_front()) {
            self.free(operands.warp, &over, banks.now());
        }
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        banks.write_all(result, ready)
    }

    fn properties(&self) -> Properties {
        Properties {
            needs_lifetimes: self.options.threshold == Threshold::Named(By::Compiler),
            capacity: Some(self.physical.count),
            by_warp: true,
            ..Properties::default()
        }
    }

    fn events(&self) -> EventSet {
        EventSet::CODE_LOADED
            .and(EventSet::WARP_ARRIVED)
            .and(EventSet::THREADS_ENDED)
            .and(EventSet::WARP_RELEASED)
            .and(EventSet::BYPASSED)
            .and(EventSet::CYCLE_ENDED)
    }

    fn on_event(&mut self, event: &Event, _banks: &mut Banks, effects: &mut Effects) {
        match *event {
            Event::CodeLoaded { long_lived, .. } if self.properties().needs_lifetimes => {
                self.threshold = long_lived;
            }
            Event::WarpArrived { warp, registers, now, .. } => self.start(warp, registers, now),
            Event::ThreadsEnded { warp, now } => {
                self.live.end(warp, |_| {});
                let renamed = self.renamed(warp);
                self.drop(warp, &renamed, now);
            }
            Event::WarpReleased { warp, registers, now } => self.release(warp, registers, now),
            Event::Bypassed { result, now } => {
                let (mut over, threshold) = (Vec::new(), self.threshold);
                self.live.bypass(result, |register| over.push(register));
                over.retain(|&register| u32::from(register) >= threshold);
                self.drop(result.warp, &over, now);
            }
            Event::CycleEnded { .. } => {
                effects.freed_registers |= std::mem::take(&mut self.has_released);
            }
            _ => {}
        }
    }

    fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        Some(self)
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        statistics.mechanisms.add(&RENAMES, self.renames);
        statistics.mechanisms.add(&TABLE_BITS, self.table_bits);
        let awake = self.physical.powered.until(cycle);
        statistics.register_awake_cycles += awake;
        statistics.register_off_cycles += self.physical.count * cycle - awake;
    }
}

impl RegisterLimits for Virtualized {
    fn fits(&self, warps: u64, registers: u16) -> bool {
        self.physical.free.len() as u64 >= warps * self.fixed(registers) + self.reserve(u64::MAX)
    }

    fn may_issue(&mut self, path: PathAt, result: Option<&ResultRegisters>, _now: u64) -> bool {
        let Some(&ResultRegisters { register, words, .. }) = result else {
            return true;
        };
        let Some(Warp { block: Some(start), physical, .. }) = self.warps.get(path.warp.index())
        else {
            return true;
        };
        let registers = register..register + u16::from(words);
        let lacks = |&at: &u16| physical.get(usize::from(at)) == Some(&None);
        let needed = registers.filter(lacks).count() as u64;
        needed == 0 || self.physical.free.len() as u64 >= needed + self.reserve(*start)
    }

    fn takes_slot(&mut self, path: PathAt) -> bool {
        let Some(group) = path.pc.checked_div(self.options.metadata) else {
            return false;
        };
        let Some(warp) = self.warps.get_mut(path.warp.index()) else {
            return false;
        };
        let slot = usize::from(path.slot);
        if warp.groups.len() <= slot {
            warp.groups.resize(slot + 1, None);
        }
        warp.groups[slot].replace(group) != Some(group)
    }
}
