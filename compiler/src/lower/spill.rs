//! Rewrites spilled registers to live only around each use.
//!
//! A word or pair is kept in local memory and loaded before each read; a predicate is kept as 0 or
//! 1 in a general register, which may be spilled later. A register that is written once, by moving
//! a constant, a parameter or a special value, is not kept but rematerialised: moved again.

use super::machine::{Class, Code, Copies, End, Inst, Item, Operand, RESULT, Reg};
use crate::ir::Location;
use reconverge_isa::planted::Planted;
use reconverge_isa::{LOCAL_BASE, Op, Space, Width};
use std::collections::{BTreeMap, BTreeSet};

/// The place at which a spilled register is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// At an address of local memory, a word or a pair.
    Memory(u32, Class),
    /// As 0 or 1 in this register.
    Word(Reg),
    /// Nowhere: this instruction rematerialises it.
    Rematerialised(Inst),
}

/// For each register the instruction that writes it, if it is the only one and reads nothing but
/// one constant operand.
pub fn rematerialised(code: &Code) -> Vec<Option<Inst>> {
    let mut writes = vec![0; code.classes.len()];
    let mut found = vec![None; code.classes.len()];
    for item in code.blocks.iter().flat_map(|block| &block.items) {
        item.each_write(|reg| writes[reg.index()] += 1);
        if let Item::Inst(
            inst @ Inst { op: Op::Mov | Op::Mov64, guard: None, dest: Some(dest), .. },
        ) = item
            && inst.sources[0].reg().is_none()
        {
            found[dest.index()] = Some(*inst);
        }
    }
    for (inst, writes) in found.iter_mut().zip(writes) {
        if writes != 1 {
            *inst = None;
        }
    }
    found
}

/// Rewrites the code so that the registers joined under `spilled` live only around each use.
pub fn rewrite(code: &mut Code, representatives: &[Reg], spilled: &[Reg]) {
    let rematerialised = rematerialised(code);
    let mut members: BTreeMap<Reg, u32> = BTreeMap::new();
    for &representative in representatives {
        *members.entry(representative).or_default() += 1;
    }
    let mut homes = BTreeMap::new();
    for &reg in spilled {
        let is_single = members.get(&reg) == Some(&1);
        let home = match (code.class(reg), rematerialised[reg.index()]) {
            (_, Some(inst)) if is_single => Home::Rematerialised(inst),
            (Class::Predicate, _) => Home::Word(code.reg(Class::Word)),
            (class, _) => {
                let size = if class == Class::Pair { 8 } else { 4 };
                let offset = code.local_bytes.next_multiple_of(size);
                code.local_bytes = offset + if Planted::SpillPlaceShort.is_on() { 4 } else { size };
                Home::Memory(LOCAL_BASE + offset, class)
            }
        };
        homes.insert(reg, home);
    }
    let mut rewriter = Rewriter { code, representatives, homes, items: Vec::new() };
    rewriter.run();
}

struct Rewriter<'a> {
    code: &'a mut Code,
    representatives: &'a [Reg],
    homes: BTreeMap<Reg, Home>,
    /// The block being written.
    items: Vec<Item>,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        for index in 0..self.code.blocks.len() {
            let items = std::mem::take(&mut self.code.blocks[index].items);
            for item in items {
                match item {
                    Item::Inst(inst) => self.inst(inst),
                    Item::Copies(copies, location) => self.copies(copies, location),
                }
            }
            let (end, location) =
                (self.code.blocks[index].end, self.code.blocks[index].end_location);
            if let End::Branch(condition, negated, then, otherwise) = end
                && let Some(home) = self.home(condition)
            {
                let condition = self.fetch(home, location);
                self.code.blocks[index].end = End::Branch(condition, negated, then, otherwise);
            }
            self.code.blocks[index].items = std::mem::take(&mut self.items);
        }
    }

    /// The representative of a register's group; itself if spilling has made it.
    fn representative(&self, reg: Reg) -> Reg {
        self.representatives.get(reg.index()).copied().unwrap_or(reg)
    }

    fn home(&self, reg: Reg) -> Option<Home> {
        self.homes.get(&self.representative(reg)).copied()
    }

    fn push(&mut self, inst: Inst) {
        self.items.push(Item::Inst(inst));
    }

    fn pinned(&mut self, class: Class) -> Reg {
        let reg = self.code.reg(class);
        self.code.pinned[reg.index()] = true;
        reg
    }

    /// Brings a value into a new register.
    fn fetch(&mut self, home: Home, location: Location) -> Reg {
        let class = match home {
            Home::Memory(_, class) => class,
            Home::Word(_) => Class::Predicate,
            Home::Rematerialised(Inst { op: Op::Mov64, .. }) => Class::Pair,
            Home::Rematerialised(_) => Class::Word,
        };
        let reg = self.pinned(class);
        self.fetch_into(reg, home, location);
        reg
    }

    fn fetch_into(&mut self, reg: Reg, home: Home, location: Location) {
        let inst = match home {
            Home::Memory(address, class) => Inst {
                space: Space::Local,
                width: width(class),
                raw: self.code.raw_spills,
                ..Inst::new(Op::Load, Some(reg), &[Operand::Imm(address)], location)
            },
            Home::Word(word) => {
                let sources = [Operand::Reg(word), Operand::Imm(0)];
                Inst::new(Op::SetNotEqualI32, Some(reg), &sources, location)
            }
            Home::Rematerialised(inst) => Inst { dest: Some(reg), location, ..inst },
        };
        self.push(inst);
    }

    /// Puts the value of a register where it is kept.
    fn keep(&mut self, reg: Reg, home: Home, location: Location) {
        match home {
            Home::Memory(address, class) => {
                let sources = [Operand::Imm(address), Operand::Reg(reg)];
                self.push(Inst {
                    space: Space::Local,
                    width: width(class),
                    ..Inst::new(Op::Store, None, &sources, location)
                });
            }
            Home::Word(word) => self.truth_to_word(word, reg, false, location),
            Home::Rematerialised(_) => {}
        }
    }

    /// `word = predicate ? 1 : 0` without a register for the 1.
    fn truth_to_word(&mut self, word: Reg, predicate: Reg, negated: bool, location: Location) {
        self.push(Inst::new(Op::Mov, Some(word), &[Operand::Imm(0)], location));
        let guard = Some((predicate, negated));
        self.push(Inst { guard, ..Inst::new(Op::Mov, Some(word), &[Operand::Imm(1)], location) });
    }

    fn inst(&mut self, mut inst: Inst) {
        let dest_home = inst.dest.and_then(|dest| self.home(dest));
        if let Some(Home::Rematerialised(_)) = dest_home {
            return;
        }
        let mut fetched: Vec<(Reg, Reg)> = Vec::new();
        for index in 0..inst.sources.len() {
            let Some(reg) = inst.sources[index].reg() else {
                continue;
            };
            let Some(home) = self.home(reg) else {
                continue;
            };
            let is_grouped = inst.more[index][0].is_some();
            let is_pair_address = index == 0 && inst.pair_address;
            if !is_grouped
                && !is_pair_address
                && let Some(operand) = folded(&inst, home)
            {
                inst.sources[index] = operand;
                continue;
            }
            let fresh = self.fetch_once(reg, home, inst.location, &mut fetched);
            inst.sources[index] = match inst.sources[index] {
                Operand::Pred(_, negated) => Operand::Pred(fresh, negated),
                _ => Operand::Reg(fresh),
            };
        }
        if let Some((guard, negated)) = inst.guard
            && let Some(home) = self.home(guard)
        {
            let fresh = self.fetch_once(guard, home, inst.location, &mut fetched);
            inst.guard = Some((fresh, negated));
        }
        let mut kept = Vec::new();
        for (at, place) in inst.more.as_flattened_mut().iter_mut().enumerate() {
            let Some((reg, home)) = place.and_then(|reg| Some((reg, self.home(reg)?))) else {
                continue;
            };
            let is_read = at / 3 != RESULT;
            // Under a guard the old value may stay, so it is fetched before.
            let fresh = match is_read || inst.guard.is_some() {
                true => self.fetch(home, inst.location),
                false => self.pinned(self.code.class(reg)),
            };
            if !is_read {
                kept.push((fresh, home));
            }
            *place = Some(fresh);
        }
        let (Some(dest), Some(home)) = (inst.dest, dest_home) else {
            self.push(inst);
            kept.into_iter().for_each(|(reg, home)| self.keep(reg, home, inst.location));
            return;
        };
        // Under a guard the old value may stay, so it is fetched before.
        let fresh = match inst.guard {
            Some(_) => self.fetch_once(dest, home, inst.location, &mut fetched),
            None => self.pinned(self.code.class(dest)),
        };
        inst.dest = Some(fresh);
        self.push(inst);
        self.keep(fresh, home, inst.location);
        kept.into_iter().for_each(|(reg, home)| self.keep(reg, home, inst.location));
    }

    fn fetch_once(
        &mut self,
        reg: Reg,
        home: Home,
        location: Location,
        fetched: &mut Vec<(Reg, Reg)>,
    ) -> Reg {
        let representative = self.representative(reg);
        if let Some(&(_, fresh)) = fetched.iter().find(|(known, _)| *known == representative) {
            return fresh;
        }
        let fresh = self.fetch(home, location);
        fetched.push((representative, fresh));
        fresh
    }

    /// Copies are parallel, so reads of memory precede writes to it, unless that makes no
    /// difference: then reads are as late as they can.
    fn copies(&mut self, copies: Copies, location: Location) {
        let kept = self.copied_predicates(copies, location);
        let mut at_once = Copies::new();
        let (mut loads, mut stores, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for (dest, source) in kept.pairs {
            let from = source.reg().and_then(|reg| self.home(reg));
            match (self.home(dest), from) {
                (None, None) => at_once.push((dest, source)),
                (None, Some(from)) => loads.push((dest, from)),
                (Some(to), None) => stores.push((to, source)),
                (Some(to), Some(from)) if to != from => moves.push((to, from)),
                _ => {}
            }
        }
        let written: BTreeSet<u32> = stores
            .iter()
            .map(|&(to, _)| to)
            .chain(moves.iter().map(|&(to, _)| to))
            .filter_map(address)
            .collect();
        let (early, late): (Vec<_>, Vec<_>) = loads
            .into_iter()
            .partition(|&(_, from)| address(from).is_some_and(|at| written.contains(&at)));
        // An early read needs a register of its own only where the old value of its destination is
        // still to be read: many of them at once would find no room.
        let sources = at_once.iter().map(|&(_, source)| source);
        let sources = sources.chain(stores.iter().map(|&(_, source)| source));
        let still_read: BTreeSet<Reg> =
            sources.filter_map(Operand::reg).map(|reg| self.representative(reg)).collect();
        for (dest, from) in early {
            if still_read.contains(&self.representative(dest)) {
                let fresh = self.fetch(from, location);
                at_once.push((dest, Operand::Reg(fresh)));
            } else {
                self.fetch_into(dest, from, location);
            }
        }
        // A store must not precede the move that reads its place.
        let read: BTreeSet<u32> = moves.iter().filter_map(|&(_, from)| address(from)).collect();
        let (after, before): (Vec<_>, Vec<_>) = stores
            .into_iter()
            .partition(|&(to, _)| address(to).is_some_and(|at| read.contains(&at)));
        self.stores(before, location);
        self.moves(moves, location);
        self.stores(after, location);
        if !at_once.is_empty() {
            self.items.push(Item::Copies(at_once, location));
        }
        for (dest, from) in late {
            self.fetch_into(dest, from, location);
        }
        for (dest, word) in kept.tests {
            self.fetch_into(dest, Home::Word(word), location);
        }
    }

    fn stores(&mut self, stores: Vec<(Home, Operand)>, location: Location) {
        for (to, source) in stores {
            let reg = match source {
                Operand::Reg(reg) => reg,
                constant => {
                    let class = if let Home::Memory(_, class) = to { class } else { Class::Word };
                    let op = if class == Class::Pair { Op::Mov64 } else { Op::Mov };
                    let fresh = self.pinned(class);
                    self.push(Inst::new(op, Some(fresh), &[constant], location));
                    fresh
                }
            };
            self.keep(reg, to, location);
        }
    }

    /// Moves from memory to memory, in an order in which nothing is overwritten before it is read;
    /// a cycle is opened by reading one place in advance.
    fn moves(&mut self, moves: Vec<(Home, Home)>, location: Location) {
        // The number of remaining moves that read each place, and the one that writes it.
        let mut reads: BTreeMap<u32, usize> = BTreeMap::new();
        let mut writer: BTreeMap<u32, usize> = BTreeMap::new();
        for (number, &(to, from)) in moves.iter().enumerate() {
            if let Some(at) = address(from) {
                *reads.entry(at).or_default() += 1;
            }
            if let Some(at) = address(to) {
                writer.insert(at, number);
            }
        }
        let is_free = |to: Home, reads: &BTreeMap<u32, usize>| {
            address(to).is_none_or(|at| reads.get(&at).is_none_or(|&count| count == 0))
        };
        let mut left: BTreeSet<usize> = (0..moves.len()).collect();
        let mut free: BTreeSet<usize> =
            left.iter().copied().filter(|&at| is_free(moves[at].0, &reads)).collect();
        let mut last = Vec::new();
        while let Some(&first) = left.first() {
            let next = free.pop_first();
            let number = next.unwrap_or(first);
            left.remove(&number);
            let (to, from) = moves[number];
            let fresh = self.fetch(from, location);
            match next {
                Some(_) => self.keep(fresh, to, location),
                None => last.push((to, fresh)),
            }
            if let Some(at) = address(from)
                && let Some(count) = reads.get_mut(&at)
            {
                *count -= 1;
                let waiting = writer.get(&at).filter(|at| left.contains(at));
                free.extend(waiting.filter(|_| *count == 0));
            }
        }
        for (to, fresh) in last {
            self.keep(fresh, to, location);
        }
    }

    /// Turns the copies of predicates that are kept in words into copies of those words.
    fn copied_predicates(&mut self, copies: Copies, location: Location) -> Kept {
        let mut kept = Kept { pairs: Copies::new(), tests: Vec::new() };
        for (dest, source) in copies {
            let to = self.home(dest);
            let from = source.reg().and_then(|reg| self.home(reg));
            let negated = matches!(source, Operand::Pred(_, true));
            match (to, from, source) {
                (Some(Home::Word(to)), Some(Home::Word(from)), _) if to == from && !negated => {}
                (Some(Home::Word(to)), Some(Home::Word(from)), _) => {
                    let from = self.complement(from, negated, location);
                    kept.pairs.push((to, Operand::Reg(from)));
                }
                (Some(Home::Word(to)), None, Operand::Pred(predicate, negated)) => {
                    let fresh = self.code.reg(Class::Word);
                    self.truth_to_word(fresh, predicate, negated, location);
                    kept.pairs.push((to, Operand::Reg(fresh)));
                }
                (None, Some(Home::Word(from)), _) => {
                    let from = self.complement(from, negated, location);
                    let fresh = self.code.reg(Class::Word);
                    kept.pairs.push((fresh, Operand::Reg(from)));
                    kept.tests.push((dest, fresh));
                }
                _ => kept.pairs.push((dest, source)),
            }
        }
        kept
    }

    fn complement(&mut self, word: Reg, negated: bool, location: Location) -> Reg {
        if !negated {
            return word;
        }
        let fresh = self.code.reg(Class::Word);
        let sources = [Operand::Reg(word), Operand::Imm(1)];
        self.push(Inst::new(Op::Xor, Some(fresh), &sources, location));
        fresh
    }
}

/// The remaining copies without those of predicates in words.
struct Kept {
    pairs: Copies,
    /// Predicates to be set after the copies from words.
    tests: Vec<(Reg, Reg)>,
}

fn width(class: Class) -> Width {
    if class == Class::Pair { Width::B64 } else { Width::B32 }
}

fn address(home: Home) -> Option<u32> {
    match home {
        Home::Memory(address, _) => Some(address),
        _ => None,
    }
}

/// The constant operand that an instruction can take in place of a register, if it has none yet.
/// An immediate of 64 bits would mean different things to integers and floats.
fn folded(inst: &Inst, home: Home) -> Option<Operand> {
    let Home::Rematerialised(Inst { op, sources: [operand, ..], .. }) = home else {
        return None;
    };
    let taken = inst
        .sources
        .iter()
        .any(|source| matches!(source, Operand::Imm(_) | Operand::Const(_) | Operand::Special(_)));
    match operand {
        _ if taken => None,
        Operand::Const(_) => Some(operand),
        Operand::Imm(_) if op == Op::Mov => Some(operand),
        _ => None,
    }
}
