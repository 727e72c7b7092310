//! Register allocation.
//!
//! Registers that copies connect are joined when they are never live at once, which removes the
//! copies. Then each interval, in the order of starts, takes the lowest register that is free
//! during all its runs. If there is none, the cheapest to keep in memory is spilled: the interval
//! itself, or those that occupy a register it could have. A spilled register is rewritten
//! ([`spill`](super::spill)) to short intervals around each use, and everything is done again,
//! until nothing is spilled.
//!
//! For a register file with two banks ([`BANKS`]) everything is assigned again, among as many registers, rounded up to those
//! that the machine gives out at once. An interval then
//! takes a free register of the bank in which it has fewer conflicts, weighed by loops, with operands that are assigned
//! already; of these, the one whose last value ended first. Instructions of varying latency read their sources late, and a
//! register that is written again has to wait for them. The paper that describes banks describes no assignment, so this
//! one is ours (Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU Cores",
//! MICRO 2025, §5.3).

use super::interval::{Interval, Layout, intersect, intervals, merge};
use super::machine::{Class, Code, Item, Operand, Reg};
use super::{spill, uniform};
use crate::analysis::live_ranges::LiveRanges;
use reconverge_isa::control_bits::BANKS;
use reconverge_isa::planted::Planted;
use reconverge_isa::uniform_rules::UNIFORM_REGISTERS;
use reconverge_isa::{FixedLatencies, PREDICATES, REGISTERS, ValueClass};
use std::collections::BTreeMap;

/// The fewest general registers with which every instruction can be executed: three pairs of
/// sources, and two more for the waste of aligning pairs.
pub const FEWEST_REGISTERS: u32 = 8;

/// The values to spill first when there are too few registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spill {
    /// The values that are cheapest to keep in memory.
    #[default]
    Cheapest,
    /// Values that are uniform or affine, the cheapest of them first, and others only then: a
    /// machine that keeps such values elsewhere has room for them.
    AffineFirst,
}

impl Spill {
    /// All of them with their names on the command line.
    pub const ALL: [(Spill, &'static str); 2] =
        [(Spill::Cheapest, "cheapest"), (Spill::AffineFirst, "affine-first")];

    /// The one of a name.
    pub fn parse(name: &str) -> Option<Spill> {
        Spill::ALL.into_iter().find(|&(_, known)| known == name).map(|(spill, _)| spill)
    }
}

/// The factor of the weight of a value that is to be spilled before others: less than the lightest
/// of the others, for all kernels that fit in memory.
const FEATHER: f64 = 1e-30;

/// The registers of a kernel.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// By virtual register; of a pair the even one. Registers that do not occur have 0.
    pub registers: Vec<u8>,
    /// General registers in use.
    pub general: u32,
    /// Predicate registers in use.
    pub predicates: u32,
    /// Uniform registers in use: those after the general ones.
    pub uniform: u32,
}

/// Assigns registers, changing the code where there are too few. `None` if there are too few for
/// some instruction alone. `live_ranges` are those of the function that the code is made from. With `banked`, the operands of
/// an instruction of fixed latency are kept in different banks where that takes no more room in the register file.
pub fn allocate(
    code: &mut Code,
    live_ranges: &LiveRanges,
    max_registers: u32,
    spill: Spill,
    banked: Option<BankedFile>,
) -> Option<Allocation> {
    let limit = max_registers.min(reconverge_isa::REGISTERS as u32);
    let layout = Layout::new(code, live_ranges);
    loop {
        let mut allocator = Allocator::assigned(code, &layout, limit, spill, None)?;
        if allocator.spilled.is_empty() {
            let plain = allocator.finish(code);
            if plain.uniform != 0 && plain.general + plain.uniform > REGISTERS as u32 {
                // There are not enough numbers for both.
                let all = (0..code.classes.len() as u32).map(Reg);
                let all: Vec<Reg> = all.filter(|&reg| code.class(reg) == Class::Uniform).collect();
                uniform::give_back(code, &all);
                continue;
            }
            let banked = banked.and_then(|file| {
                let room = plain.general.next_multiple_of(file.unit).min(limit);
                let registers = room.min(REGISTERS as u32 - plain.uniform);
                let banked = Banked { latencies: file.latencies, registers };
                let by_bank = Allocator::assigned(code, &layout, limit, spill, Some(banked))?;
                let found = by_bank.spilled.is_empty().then(|| by_bank.finish(code))?;
                (found.general <= registers).then_some(found)
            });
            return Some(banked.unwrap_or(plain));
        }
        let mut spilled = std::mem::take(&mut allocator.spilled);
        spilled.sort();
        let is_uniform = |reg: &Reg| code.class(*reg) == Class::Uniform;
        let too_many: Vec<Reg> = spilled.iter().copied().filter(is_uniform).collect();
        if !too_many.is_empty() {
            let joined = |reg: &Reg| too_many.contains(&allocator.representative(*reg));
            let all: Vec<Reg> = (0..code.classes.len() as u32).map(Reg).filter(joined).collect();
            uniform::give_back(code, &all);
            continue;
        }
        let representatives: Vec<Reg> =
            (0..code.classes.len() as u32).map(|reg| allocator.representative(Reg(reg))).collect();
        spill::rewrite(code, &representatives, &spilled);
    }
}

/// A register file with two banks.
#[derive(Clone, Copy)]
pub struct BankedFile<'a> {
    /// The latencies of instructions whose operands are read together.
    pub latencies: &'a FixedLatencies,
    /// Registers per thread that the machine gives out at once: fewer would save nothing.
    pub unit: u32,
}

/// The occupants of one register: starts of runs, with their ends and their owners.
type Occupied = BTreeMap<u32, (u32, Reg)>;

/// The registers that are assigned at once.
struct Place {
    /// Representatives, with their distance from the first register.
    members: Vec<(Reg, u8)>,
    /// The class of a single one.
    class: Class,
    /// For several: the number of registers, which begin at a multiple of that.
    words: u8,
}

/// The facts for an assignment by banks.
#[derive(Clone, Copy)]
struct Banked<'a> {
    latencies: &'a FixedLatencies,
    /// General registers that may be used.
    registers: u32,
}

/// Registers that have to follow each other.
#[derive(Debug)]
struct Group {
    members: Vec<Reg>,
    /// A product of matrices reads or writes them.
    is_matrix: bool,
    /// The number of instructions with them.
    users: u32,
}

struct Allocator {
    limit: u32,
    /// Union-find: which register each one is joined with.
    joined: Vec<Reg>,
    /// By representative.
    intervals: Vec<Interval>,
    /// The cost of keeping it in memory, divided by its length; by representative.
    weights: Vec<f64>,
    general: Vec<Occupied>,
    /// With banks, the general registers that may be used where one of them is free.
    preferred: Option<u32>,
    /// By representative: those that instructions read beside it, and how often, by the loops around.
    /// Empty without banks.
    partners: Vec<Vec<(Reg, f64)>>,
    predicates: Vec<Occupied>,
    uniform: Vec<Occupied>,
    assigned: Vec<Option<u8>>,
    /// The registers of each tuple, by representative.
    groups: Vec<Group>,
    /// The group of a representative, if it is in one.
    group: Vec<Option<u32>>,
    spilled: Vec<Reg>,
}

impl Allocator {
    fn new(code: &Code, layout: &Layout, limit: u32) -> Allocator {
        let count = code.classes.len();
        Allocator {
            limit,
            joined: (0..count as u32).map(Reg).collect(),
            intervals: intervals(code, layout),
            weights: vec![0.0; count],
            general: vec![Occupied::new(); limit as usize],
            preferred: None,
            partners: Vec::new(),
            predicates: vec![Occupied::new(); PREDICATES],
            uniform: vec![Occupied::new(); UNIFORM_REGISTERS as usize],
            assigned: vec![None; count],
            groups: Vec::new(),
            group: vec![None; count],
            spilled: Vec::new(),
        }
    }

    /// Joins and assigns all registers, with regard to banks if there are some. `None` when an interval that cannot be
    /// spilled finds no room.
    fn assigned(
        code: &Code,
        layout: &Layout,
        limit: u32,
        spill: Spill,
        banked: Option<Banked>,
    ) -> Option<Allocator> {
        let mut allocator = Allocator::new(code, layout, limit);
        allocator.group(code);
        allocator.join_copies(code);
        allocator.weigh(code);
        if let Some(Banked { latencies, registers }) = banked {
            allocator.find_partners(code, latencies);
            allocator.preferred = Some(registers);
        }
        if spill == Spill::AffineFirst {
            allocator.prefer_affine(code);
        }
        allocator.assign(code)?;
        allocator.spill_together(code);
        Some(allocator)
    }

    fn representative(&mut self, reg: Reg) -> Reg {
        let mut at = reg;
        while self.joined[at.index()] != at {
            let next = self.joined[at.index()];
            self.joined[at.index()] = self.joined[next.index()];
            at = next;
        }
        at
    }

    /// Notes which registers have to follow each other.
    fn group(&mut self, code: &Code) {
        for (inst, members) in code.tuples() {
            let is_matrix = inst.op.is_matrix();
            let known = members.first().and_then(|first| self.group[first.index()]);
            if let Some(group) = known.and_then(|number| self.groups.get_mut(number as usize))
                && group.members == members
            {
                group.users += 1;
                group.is_matrix |= is_matrix;
                continue;
            }
            for reg in &members {
                self.group[reg.index()] = Some(self.groups.len() as u32);
            }
            self.groups.push(Group { members, is_matrix, users: 1 });
        }
    }

    /// Joins two tuples of which one is a matrix, member by member, if a copy connects members at one place and no two are
    /// live at once. The copies of an accumulator around a loop vanish with that.
    fn join_groups(&mut self, code: &Code, dest: Reg, source: Reg) {
        let number = |reg: Reg| self.group[reg.index()].map(|number| number as usize);
        let (Some(to), Some(from)) = (number(dest), number(source)) else {
            return;
        };
        let (one, other) = (&self.groups[to], &self.groups[from]);
        if to == from || !(one.is_matrix || other.is_matrix) {
            return;
        }
        let pairs: Vec<(Reg, Reg)> =
            one.members.iter().copied().zip(other.members.iter().copied()).collect();
        let are_apart = |&(one, other): &(Reg, Reg)| {
            code.class(one) == code.class(other)
                && !code.pinned[one.index()]
                && !code.pinned[other.index()]
                && !intersect(&self.intervals[one.index()], &self.intervals[other.index()])
        };
        if one.members.len() != other.members.len()
            || !pairs.contains(&(dest, source))
            || !pairs.iter().all(are_apart)
        {
            return;
        }
        for (one, other) in pairs {
            let more = std::mem::take(&mut self.intervals[other.index()]);
            merge(&mut self.intervals[one.index()], more);
            self.joined[other.index()] = one;
            self.group[other.index()] = None;
        }
        let users = self.groups[from].users;
        self.groups[from].members.clear();
        self.groups[to].users += users;
        self.groups[to].is_matrix = true;
    }

    /// Spills all members of a tuple with several users if one is: each user then has a tuple of its own.
    fn spill_together(&mut self, code: &Code) {
        let spilled: std::collections::BTreeSet<Reg> = self.spilled.iter().copied().collect();
        for group in self.groups.iter().filter(|group| group.users > 1) {
            if group.members.iter().any(|member| spilled.contains(member)) {
                let others = group.members.iter().copied();
                let others =
                    others.filter(|reg| !spilled.contains(reg) && !code.pinned[reg.index()]);
                self.spilled.extend(others);
            }
        }
    }

    /// Makes a register part of a representative's group.
    fn regroup(&mut self, reg: Reg, representative: Reg) {
        let Some(number) = self.group[reg.index()].take() else {
            return;
        };
        self.group[representative.index()] = Some(number);
        let members = &mut self.groups[number as usize].members;
        members.iter_mut().filter(|member| **member == reg).for_each(|at| *at = representative);
    }

    /// Joins source and destination of copies, those in the innermost loops first. Registers made
    /// by spilling stay apart, or they could grow long again.
    fn join_copies(&mut self, code: &Code) {
        let mut copies = Vec::new();
        let items = code
            .blocks
            .iter()
            .flat_map(|block| block.items.iter().map(move |item| (block.depth, item)));
        for (depth, item) in items {
            let Item::Copies(pairs, _) = item else { continue };
            for &(dest, source) in pairs {
                if let Operand::Reg(source) | Operand::Pred(source, false) = source {
                    copies.push((std::cmp::Reverse(depth), dest, source));
                }
            }
        }
        copies.sort_by_key(|&(depth, ..)| depth);
        for (_, dest, source) in copies {
            let (dest, source) = (self.representative(dest), self.representative(source));
            let pinned = code.pinned[dest.index()] || code.pinned[source.index()];
            let (one, other) = (&self.intervals[dest.index()], &self.intervals[source.index()]);
            let apart = self.group[dest.index()].is_some() && self.group[source.index()].is_some();
            let differ = code.class(dest) != code.class(source);
            if apart && dest != source && !pinned {
                self.join_groups(code, dest, source);
                continue;
            }
            if dest == source || pinned || apart || differ || intersect(one, other) {
                continue;
            }
            let more = std::mem::take(&mut self.intervals[source.index()]);
            merge(&mut self.intervals[dest.index()], more);
            self.joined[source.index()] = dest;
            self.regroup(source, dest);
        }
    }

    /// Weighs the cost of keeping each register in memory: its reads and writes, ten times for each
    /// loop around, over the room that would be won.
    fn weigh(&mut self, code: &Code) {
        for block in &code.blocks {
            let cost = 10f64.powi(block.depth.min(6) as i32);
            for item in &block.items {
                item.each_read(|reg| self.add_weight(reg, cost));
                item.each_write(|reg| self.add_weight(reg, cost));
            }
            if let Some(reg) = block.end.reads() {
                self.add_weight(reg, cost);
            }
        }
        for index in 0..self.weights.len() {
            let length: u32 = self.intervals[index].iter().map(|(start, end)| end - start).sum();
            self.weights[index] /= length.max(1) as f64;
            if code.pinned[index] {
                self.weights[index] = f64::INFINITY;
            }
        }
        for (index, rematerialised) in spill::rematerialised(code).into_iter().enumerate() {
            if rematerialised.is_some() {
                // A constant is not stored, and rematerialised about as fast as it is read.
                self.weights[index] /= 4.0;
            }
        }
    }

    /// Makes values that are uniform or affine lighter than all others. All joined registers have
    /// to be.
    fn prefer_affine(&mut self, code: &Code) {
        let mut light = vec![true; self.weights.len()];
        for (index, &class) in code.value_classes.iter().enumerate() {
            let reg = self.representative(Reg(index as u32));
            light[reg.index()] &= class != ValueClass::Unknown;
        }
        for (weight, light) in self.weights.iter_mut().zip(light) {
            if light {
                *weight *= FEATHER;
            }
        }
    }

    /// Finds the words that instructions of fixed latency read together.
    fn find_partners(&mut self, code: &Code, latencies: &FixedLatencies) {
        self.partners = vec![Vec::new(); self.intervals.len()];
        for block in &code.blocks {
            let cost = 10f64.powi(block.depth.min(6) as i32);
            for item in &block.items {
                let Item::Inst(inst) = item else { continue };
                if latencies.latency_of(inst.op).is_none() {
                    continue;
                }
                let mut read: Vec<Reg> = Vec::new();
                for source in inst.sources {
                    let Operand::Reg(reg) = source else { continue };
                    let reg = self.representative(reg);
                    if code.class(reg) == Class::Word && !read.contains(&reg) {
                        read.push(reg);
                    }
                }
                for &one in &read {
                    let others = read.iter().filter(|&&other| other != one);
                    self.partners[one.index()].extend(others.map(|&other| (other, cost)));
                }
            }
        }
    }

    fn add_weight(&mut self, reg: Reg, cost: f64) {
        let reg = self.representative(reg);
        self.weights[reg.index()] += cost;
    }

    /// Assigns all intervals. `None` when an interval that cannot be spilled finds no room.
    fn assign(&mut self, code: &Code) -> Option<()> {
        let mut order: Vec<(u32, Reg)> = Vec::new();
        for (index, interval) in self.intervals.iter().enumerate() {
            if let Some(&(start, _)) = interval.first() {
                order.push((start, Reg(index as u32)));
            }
        }
        order.sort();
        let mut done = vec![false; self.intervals.len()];
        for (_, reg) in order {
            if done[reg.index()] {
                continue;
            }
            let place = self.place(code, reg);
            place.members.iter().for_each(|(member, _)| done[member.index()] = true);
            if !self.take_free(code, &place) {
                self.make_room(code, &place)?;
            }
        }
        Some(())
    }

    /// A register with those that have to follow it or be followed by it.
    fn place(&self, code: &Code, reg: Reg) -> Place {
        let class = |&reg: &Reg| code.class(reg);
        match self.group[reg.index()] {
            None => Place { members: vec![(reg, 0)], class: class(&reg), words: 0 },
            Some(number) => {
                let mut words = 0;
                let mut members = Vec::new();
                for member in &self.groups[number as usize].members {
                    members.push((*member, words));
                    words += class(member).words();
                }
                Place { members, class: Class::Word, words }
            }
        }
    }

    /// The first registers that something may have.
    fn candidates(&self, place: &Place) -> impl Iterator<Item = u8> + use<> {
        let (end, step) = match place.class {
            _ if place.words > 1 => {
                ((self.limit + 1).saturating_sub(place.words.into()), place.words)
            }
            Class::Word => (self.limit, 1),
            Class::Pair if Planted::PairIsOdd.is_on() => (self.limit.saturating_sub(1), 1),
            Class::Pair => (self.limit.saturating_sub(1), 2),
            Class::Predicate => (PREDICATES as u32, 1),
            Class::Uniform => (UNIFORM_REGISTERS, 1),
        };
        (0..end).step_by(step.into()).map(|register| register as u8)
    }

    /// The occupation of each register that an assignment takes.
    fn parts(&self, class: Class, register: u8) -> &[Occupied] {
        let first = register as usize;
        match class {
            Class::Word => &self.general[first..first + 1],
            Class::Pair => &self.general[first..first + 2],
            Class::Predicate => &self.predicates[first..first + 1],
            Class::Uniform => &self.uniform[first..first + 1],
        }
    }

    fn parts_mut(&mut self, class: Class, register: u8) -> &mut [Occupied] {
        let first = register as usize;
        match class {
            Class::Word => &mut self.general[first..first + 1],
            Class::Pair => &mut self.general[first..first + 2],
            Class::Predicate => &mut self.predicates[first..first + 1],
            Class::Uniform => &mut self.uniform[first..first + 1],
        }
    }

    /// The owners that prevent an assignment to the registers from one on.
    fn owners(&self, code: &Code, place: &Place, register: u8) -> impl Iterator<Item = Reg> {
        place.members.iter().flat_map(move |&(reg, offset)| {
            let interval = &self.intervals[reg.index()];
            let parts = self.parts(code.class(reg), register + offset).iter();
            parts.flat_map(move |occupied| in_the_way(occupied, interval))
        })
    }

    fn take_free(&mut self, code: &Code, place: &Place) -> bool {
        let free = |&register: &u8| self.owners(code, place, register).next().is_none();
        let Some(lowest) = self.candidates(place).find(free) else {
            return false;
        };
        let rests = place.class != Class::Predicate;
        let rested = self.preferred.filter(|_| rests).and_then(|general| {
            let most = match place.class {
                // All of them may be used, as far as there are numbers.
                Class::Uniform => UNIFORM_REGISTERS.min(REGISTERS as u32 - general),
                _ => general,
            };
            let words = u32::from(place.words.max(place.class.words()));
            let preferred = self.candidates(place).filter(|&it| u32::from(it) + words <= most);
            let waits = |it| (self.conflicts(place, it), self.latest_end(code, place, it), it);
            let best = preferred
                .filter(free)
                .map(waits)
                .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            best.map(|(.., register)| register)
        });
        self.occupy_all(code, place, rested.unwrap_or(lowest));
        true
    }

    /// The end of the last run before an assignment to the registers from one on.
    fn latest_end(&self, code: &Code, place: &Place, register: u8) -> u32 {
        let ends = place.members.iter().flat_map(|&(reg, offset)| {
            let start = self.intervals[reg.index()].first().map_or(0, |&(start, _)| start);
            let parts = self.parts(code.class(reg), register + offset).iter();
            parts.filter_map(move |occupied| occupied.range(..start).next_back())
        });
        ends.map(|(_, &(end, _))| end).max().unwrap_or(0)
    }

    /// The weight of the conflicts of a single word in a register's bank.
    fn conflicts(&self, place: &Place, register: u8) -> f64 {
        let &[(reg, 0)] = &place.members[..] else {
            return 0.0;
        };
        if place.class != Class::Word || place.words > 1 {
            return 0.0;
        }
        let in_bank = |&&(partner, _): &&(Reg, f64)| {
            self.assigned[partner.index()].is_some_and(|other| other % BANKS == register % BANKS)
        };
        self.partners[reg.index()].iter().filter(in_bank).map(|(_, cost)| cost).sum()
    }

    fn occupy_all(&mut self, code: &Code, place: &Place, register: u8) {
        for &(reg, offset) in &place.members {
            self.occupy(code.class(reg), reg, register + offset);
        }
    }

    fn occupy(&mut self, class: Class, reg: Reg, register: u8) {
        let interval = std::mem::take(&mut self.intervals[reg.index()]);
        for occupied in self.parts_mut(class, register) {
            occupied.extend(interval.iter().map(|&(start, end)| (start, (end, reg))));
        }
        self.intervals[reg.index()] = interval;
        self.assigned[reg.index()] = Some(register);
    }

    /// Spills the cheapest: the interval, or all that overlap it in one register.
    fn make_room(&mut self, code: &Code, place: &Place) -> Option<()> {
        let mut best: Option<(f64, u8, Vec<Reg>)> = None;
        for register in self.candidates(place) {
            let mut owners: Vec<Reg> = self.owners(code, place, register).collect();
            owners.sort();
            owners.dedup();
            let weight: f64 = owners.iter().map(|owner| self.weights[owner.index()]).sum();
            if best.as_ref().is_none_or(|(least, ..)| weight < *least) {
                best = Some((weight, register, owners));
            }
        }
        // In a group, those that can be are spilled; the rest is short.
        let own = place.members.iter().map(|(reg, _)| (self.weights[reg.index()], *reg));
        let own: Vec<(f64, Reg)> = own.filter(|(weight, _)| weight.is_finite()).collect();
        let cost = match own.is_empty() {
            true => f64::INFINITY,
            false => own.iter().map(|(weight, _)| weight).sum(),
        };
        let (weight, register, owners) = best?;
        if weight >= cost {
            self.spilled.extend(own.iter().map(|(_, reg)| *reg));
            return (!own.is_empty()).then_some(());
        }
        for owner in owners {
            self.evict(code.class(owner), owner);
        }
        self.occupy_all(code, place, register);
        Some(())
    }

    fn evict(&mut self, class: Class, reg: Reg) {
        let Some(register) = self.assigned[reg.index()].take() else {
            return;
        };
        let interval = std::mem::take(&mut self.intervals[reg.index()]);
        for occupied in self.parts_mut(class, register) {
            for (start, _) in &interval {
                occupied.remove(start);
            }
        }
        self.intervals[reg.index()] = interval;
        self.spilled.push(reg);
    }

    fn finish(mut self, code: &Code) -> Allocation {
        let count = code.classes.len();
        let mut found =
            Allocation { registers: vec![0; count], general: 0, predicates: 0, uniform: 0 };
        for index in 0..count {
            let reg = self.representative(Reg(index as u32));
            let Some(register) = self.assigned[reg.index()] else {
                continue;
            };
            found.registers[index] = register;
            let end = register as u32 + 1;
            match code.class(reg) {
                Class::Word => found.general = found.general.max(end),
                Class::Pair => found.general = found.general.max(end + 1),
                Class::Predicate => found.predicates = found.predicates.max(end),
                Class::Uniform => found.uniform = found.uniform.max(end),
            }
        }
        // They are numbered after the others.
        for (register, class) in found.registers.iter_mut().zip(&code.classes) {
            if *class == Class::Uniform {
                *register = register.saturating_add(found.general as u8);
            }
        }
        found
    }
}

/// The owners whose runs in a register intersect an interval.
fn in_the_way<'a>(
    occupied: &'a Occupied,
    interval: &'a Interval,
) -> impl Iterator<Item = Reg> + 'a {
    interval.iter().flat_map(move |&(start, end)| {
        let before = occupied.range(..start).next_back();
        let before = before.filter(move |(_, (last, _))| *last > start);
        let inside = occupied.range(start..end);
        before.into_iter().chain(inside).map(|(_, &(_, owner))| owner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;
    use crate::lower::{Options, Session, Step};
    use reconverge_isa::{CodeTarget, ControlParts, ControlTarget, Dest, Op, Operand, Space};
    use std::fmt::Write;

    /// Six values that depend on data and six affine ones, all alive at once; the data are needed
    /// last, so that they are the cheaper ones to keep in memory.
    fn mixed() -> String {
        let mut text = "kernel k {\nb0:\n  %0 = special tid.x\n  %1 = param.global 0\n  \
                        %2 = add.i32 %0, %1\n"
            .to_string();
        for at in 0..6 {
            let (offset, address, data) = (10 + at, 20 + at, 30 + at);
            let (factor, affine) = (40 + at, 50 + at);
            let _ = write!(
                text,
                "  %{offset} = const.b32 {}\n  %{address} = add.i32 %2, %{offset}\n  \
                 %{data} = ld.global.b32 %{address}\n  %{factor} = const.b32 {}\n  \
                 %{affine} = mul.i32 %0, %{factor}\n",
                4 * at,
                100 + at
            );
        }
        text += "  bar.sync\n";
        for value in (50..56).chain(30..36) {
            let _ = writeln!(text, "  st.global.b32 %2, %{value}");
        }
        text + "  return\n}"
    }

    /// The claims about the values that are stored in local memory.
    fn spilled(spill: Spill) -> Vec<ValueClass> {
        let function = parse(&mixed()).unwrap().functions.remove(0);
        let options =
            Options { max_registers: Some(10), spill, verify: true, ..Options::default() };
        let (kernel, _) =
            Session::new(&options, &mut |_: Step| {}).assemble(&function, 32).unwrap();
        let code = kernel.code;
        let mut found = Vec::new();
        for (at, store) in code.iter().enumerate() {
            if store.op == Op::Store && store.space == Space::Local {
                let Operand::Reg(source) = store.sources[1] else { continue };
                let writer = code[..at].iter().rev().find(|inst| inst.dest == Dest::Reg(source));
                found.push(writer.unwrap().annotations.class);
            }
        }
        found
    }

    #[test]
    fn affine_values_are_spilled_first_when_that_is_chosen() {
        let of_data = |found: &[ValueClass]| {
            found.iter().filter(|&&class| class == ValueClass::Unknown).count()
        };
        let (cheapest, affine) = (spilled(Spill::Cheapest), spilled(Spill::AffineFirst));
        assert!(of_data(&cheapest) > 0, "{cheapest:?}");
        assert!(!affine.is_empty() && of_data(&affine) == 0, "{affine:?}");
    }

    /// Fourteen predicates are alive at once, more than the kernel has registers, while instructions
    /// read two registers each.
    fn many_predicates(words: usize) -> String {
        let mut text = "kernel k {\nb0:\n  %0 = special tid.x\n  %1 = param.global 0\n  \
                        %2 = add.i32 %0, %1\n  %3 = ld.global.b32 %2\n"
            .to_string();
        for at in 0..14 {
            let (bound, holds) = (10 + at, 30 + at);
            let _ = write!(
                text,
                "  %{bound} = const.b32 {}\n  %{holds} = setp.lt.s32 %3, %{bound}\n",
                100 * at
            );
        }
        for kept in 50..50 + words {
            let _ = writeln!(text, "  %{kept} = ld.shared.b32 %0");
        }
        text += "  bar.sync\n  %60 = add.i32 %3, %2\n";
        for at in 0..14 {
            let (before, holds, sum, next) = (60 + 2 * at, 30 + at, 61 + 2 * at, 62 + 2 * at);
            let kept = 50 + at % words;
            let _ = write!(
                text,
                "  %{sum} = add.i32 %{before}, %{kept}\n  %{next} = sel.b32 %{holds}, %{sum}, %3\n"
            );
        }
        for kept in 50..50 + words {
            let _ = writeln!(text, "  st.global.b32 %2, %{kept}");
        }
        text + "  st.global.b32 %2, %88\n  return\n}"
    }

    #[test]
    fn predicates_are_no_registers_of_a_bank() {
        let control = ControlTarget {
            latencies: FixedLatencies::new(|_| Some(4)),
            counters: 6,
            uniform: 0,
            without: ControlParts::default(),
        };
        let target = CodeTarget { control_bits: Some(control), ..CodeTarget::default() };
        let options =
            Options { max_registers: Some(10), target, verify: true, ..Options::default() };
        for words in 1..10 {
            let function = parse(&many_predicates(words)).unwrap().functions.remove(0);
            let (kernel, _) =
                Session::new(&options, &mut |_: Step| {}).assemble(&function, 32).unwrap();
            assert!(kernel.predicates > kernel.registers, "{words} words");
        }
    }
}
