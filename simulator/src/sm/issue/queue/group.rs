//! Up to 64 of a scheduler's candidates, whose sets take a word each: their states, and their
//! waits.

use super::alarms::{Alarms, GROUP};
use super::blocked::{Blocked, BlockedSet};
use super::resources::Busy;
use crate::execute::lanes::lanes_of;
use crate::handles::Resource;
use crate::sm::issue::scoreboard::Ready;

/// The state of a candidate beside its age.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The set of it alone.
    pub(super) bit: u64,
    /// The reason why it does not issue.
    pub(super) blocked: Blocked,
    /// The resource that its instruction needs.
    need: Resource,
    /// The cycle from which control flow lets it issue.
    pub(super) not_before: u64,
    /// The arrival of the register that it waits for, if it waits for registers.
    awaits: Ready,
}

/// A group. Candidates are given by their numbers at the scheduler.
pub(super) struct Group {
    entries: [Entry; GROUP],
    /// By reason: the candidates that it blocks.
    sets: [u64; Blocked::ALL],
    /// Among the ready ones, by resource, those whose instruction needs it.
    needs: [u64; Resource::ALL],
    /// Those with an instruction that accesses the L1; only if the scheduler needs them.
    pub(super) accesses: u64,
    /// Candidates without an instruction that fetch in their turn. If their scoreboard is full, what
    /// they fetch is discarded.
    pub(super) needs_fetch: u64,
    /// Candidates without an instruction that need to fetch from the next cycle on. They have
    /// issued in this one.
    fetches_next: u64,
    /// Candidates that wait for a known cycle.
    pub(super) alarms: Alarms,
}

impl Group {
    pub(super) fn new() -> Group {
        let entry = |place: usize| Entry {
            bit: 1 << place,
            blocked: Blocked::Empty,
            need: Resource::NOTHING,
            not_before: 0,
            awaits: Ready::NOW,
        };
        Group {
            entries: std::array::from_fn(entry),
            sets: [0; Blocked::ALL],
            needs: [0; Resource::ALL],
            accesses: 0,
            needs_fetch: 0,
            fetches_next: 0,
            alarms: Alarms::new(),
        }
    }

    /// The state of a candidate.
    #[inline(always)]
    pub(super) fn entry(&self, candidate: usize) -> &Entry {
        &self.entries[candidate % GROUP]
    }

    #[inline(always)]
    pub(super) fn entry_mut(&mut self, candidate: usize) -> &mut Entry {
        &mut self.entries[candidate % GROUP]
    }

    /// The candidates that one reason blocks.
    #[inline(always)]
    pub(super) fn set(&self, blocked: Blocked) -> u64 {
        self.sets[blocked as usize]
    }

    /// Returns true if one reason blocks a candidate.
    #[inline]
    pub(super) fn is_blocked(&self, candidate: usize, blocked: Blocked) -> bool {
        self.entry(candidate).blocked == blocked
    }

    /// The reason that blocks a candidate.
    pub(super) fn blocked(&self, candidate: usize) -> Blocked {
        self.entry(candidate).blocked
    }

    /// Returns true if one of some reasons blocks a candidate.
    #[inline]
    pub(super) fn is_blocked_by(&self, candidate: usize, reasons: BlockedSet) -> bool {
        reasons.has(self.entry(candidate).blocked)
    }

    /// A reason blocks a candidate, which is in no set now.
    #[inline(always)]
    pub(super) fn block(&mut self, candidate: usize, blocked: Blocked) {
        let entry = self.entry_mut(candidate);
        entry.blocked = blocked;
        let bit = entry.bit;
        self.sets[blocked as usize] |= bit;
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(super) fn remove(&mut self, candidate: usize) {
        let entry = self.entry_mut(candidate);
        let (keep, need) = (!entry.bit, entry.need);
        let blocked = std::mem::replace(&mut entry.blocked, Blocked::Empty);
        self.sets[blocked as usize] &= keep;
        self.accesses &= keep;
        match blocked {
            Blocked::No => self.needs[need.index()] &= keep,
            Blocked::Empty => {}
            Blocked::Fetch | Blocked::Instructions | Blocked::ScoreboardFull => {
                self.needs_fetch &= keep;
                self.fetches_next &= keep;
                self.alarms.remove(candidate, keep);
            }
            _ => self.alarms.remove(candidate, keep),
        }
    }

    /// Takes out a candidate that nothing blocks.
    #[inline(always)]
    pub(super) fn remove_ready(&mut self, candidate: usize) {
        debug_assert!(self.is_blocked(candidate, Blocked::No) && !self.alarms.waits(candidate));
        let entry = self.entry_mut(candidate);
        let (keep, need) = (!entry.bit, entry.need);
        entry.blocked = Blocked::Empty;
        self.sets[Blocked::No as usize] &= keep;
        self.needs[need.index()] &= keep;
        self.accesses &= keep;
    }

    /// Takes out a candidate that has just fetched.
    #[inline(always)]
    pub(super) fn remove_fetching(&mut self, candidate: usize) {
        let entry = self.entry_mut(candidate);
        let keep = !entry.bit;
        let blocked = std::mem::replace(&mut entry.blocked, Blocked::Empty);
        debug_assert!(matches!(blocked, Blocked::Fetch | Blocked::ScoreboardFull));
        self.sets[blocked as usize] &= keep;
        self.needs_fetch &= keep;
        // Otherwise it does not wait for a cycle.
        if blocked == Blocked::ScoreboardFull {
            self.alarms.remove(candidate, keep);
        }
    }

    /// A candidate, in no set now, can issue when control flow lets it, its registers have arrived,
    /// and what its instruction needs is free. Returns true if it waits for memory, for an unknown
    /// time.
    #[inline(always)]
    pub(super) fn wait(
        &mut self,
        candidate: usize,
        need: Resource,
        registers: Ready,
        now: u64,
    ) -> bool {
        self.entry_mut(candidate).need = need;
        self.wait_for_registers(candidate, registers, now)
    }

    /// A candidate that has issued in this cycle and can issue in the next one stays ready.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, candidate: usize, need: Resource) {
        debug_assert!(self.is_blocked(candidate, Blocked::No));
        let entry = self.entry_mut(candidate);
        let bit = entry.bit;
        let before = std::mem::replace(&mut entry.need, need);
        self.needs[before.index()] &= !bit;
        self.needs[need.index()] |= bit;
        self.accesses &= !bit;
    }

    /// A candidate, in no set now, that can issue in the next cycle is ready.
    #[inline(always)]
    pub(super) fn issue_next(&mut self, candidate: usize, need: Resource) {
        self.block(candidate, Blocked::No);
        let entry = self.entry_mut(candidate);
        entry.need = need;
        let bit = entry.bit;
        self.needs[need.index()] |= bit;
    }

    /// A candidate, in no set now, waits for control flow and registers. Returns true if it waits
    /// for memory, for an unknown time.
    #[inline(always)]
    fn wait_for_registers(&mut self, candidate: usize, registers: Ready, now: u64) -> bool {
        let entry = self.entry_mut(candidate);
        entry.awaits = registers;
        let (next, bit) = (entry.not_before, entry.bit);
        let Some(cycle) = registers.cycle() else {
            let is_memory = registers.is_memory();
            self.block(candidate, if is_memory { Blocked::Memory } else { Blocked::Arithmetic });
            return is_memory;
        };
        let blocked = if cycle <= next {
            Blocked::Control
        } else if registers.is_memory() {
            Blocked::Memory
        } else {
            Blocked::Arithmetic
        };
        self.block(candidate, blocked);
        self.alarms.set(candidate, bit, next.max(cycle), now);
        false
    }

    /// A candidate that waits for a register of unknown end now waits for others. Returns true if
    /// it waits for memory, for an unknown time.
    #[inline(always)]
    pub(super) fn await_others(&mut self, candidate: usize, registers: Ready, now: u64) -> bool {
        let &Entry { blocked, bit, .. } = self.entry(candidate);
        self.sets[blocked as usize] &= !bit;
        self.wait_for_registers(candidate, registers, now)
    }

    /// The next instruction of a candidate, which is in a set of those with an instruction, accesses the first-level cache.
    #[inline]
    pub(super) fn accesses(&mut self, candidate: usize) {
        self.accesses |= self.entry(candidate).bit;
    }

    /// A candidate, in no set now, has an empty instruction buffer: it needs to fetch as soon as
    /// control flow lets it.
    #[inline(always)]
    pub(super) fn wait_to_fetch(&mut self, candidate: usize, now: u64) {
        self.block(candidate, Blocked::Fetch);
        let &Entry { bit, not_before, .. } = self.entry(candidate);
        self.alarms.set(candidate, bit, not_before, now);
    }

    /// The same for a candidate that has issued in this cycle.
    #[inline(always)]
    pub(super) fn fetch_next(&mut self, candidate: usize, now: u64) {
        let &Entry { bit, not_before, .. } = self.entry(candidate);
        if not_before != now + 1 {
            return self.wait_to_fetch(candidate, now);
        }
        self.block(candidate, Blocked::Fetch);
        self.fetches_next |= bit;
        self.alarms.next = self.alarms.next.min(now + 1);
    }

    /// The scoreboard of a candidate that has just fetched is full, until a cycle if that is known.
    pub(super) fn wait_for_entry(&mut self, candidate: usize, until: Option<u64>, now: u64) {
        let bit = self.entry(candidate).bit;
        self.sets[Blocked::Fetch as usize] &= !bit;
        self.block(candidate, Blocked::ScoreboardFull);
        if let Some(until) = until {
            self.alarms.set(candidate, bit, until, now);
        }
    }

    /// Makes candidates ready whose cycle has arrived.
    #[inline(always)]
    pub(super) fn wake(&mut self, now: u64) {
        if self.alarms.next > now {
            return;
        }
        self.needs_fetch |= std::mem::take(&mut self.fetches_next);
        for candidate in lanes_of(self.alarms.take_due(now)) {
            let entry = &mut self.entries[candidate % GROUP];
            let bit = entry.bit;
            self.sets[entry.blocked as usize] &= !bit;
            if let Blocked::Fetch | Blocked::ScoreboardFull = entry.blocked {
                entry.blocked = Blocked::Fetch;
                self.sets[Blocked::Fetch as usize] |= bit;
                self.needs_fetch |= bit;
                continue;
            }
            entry.blocked = Blocked::No;
            self.sets[Blocked::No as usize] |= bit;
            self.needs[entry.need.index()] |= bit;
        }
    }

    /// Candidates that may issue while some resources are busy.
    #[inline(always)]
    pub(super) fn ready(&self, busy: Busy) -> u64 {
        let mut ready = self.set(Blocked::No);
        for need in busy.all() {
            ready &= !self.needs[need.index()];
        }
        ready
    }

    /// Candidates that need to fetch and whose instructions would not be discarded.
    #[inline(always)]
    pub(super) fn can_fetch(&self) -> u64 {
        self.needs_fetch & !self.set(Blocked::ScoreboardFull)
    }

    /// Candidates without an instruction that control flow lets fetch, in this cycle or the next.
    #[inline(always)]
    pub(super) fn fetches(&self) -> u64 {
        self.set(Blocked::Fetch) & (self.needs_fetch | self.fetches_next)
    }

    /// Candidates without an instruction that wait for one.
    #[inline(always)]
    pub(super) fn fetching(&self) -> u64 {
        self.set(Blocked::Fetch) | self.set(Blocked::Instructions)
    }

    /// Returns true if a candidate waits for a pending result, or for an entry of its scoreboard.
    #[inline]
    pub(super) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        let entry = self.entry(candidate);
        match entry.blocked {
            Blocked::Arithmetic | Blocked::Memory => entry.awaits == pending,
            Blocked::ScoreboardFull => true,
            _ => false,
        }
    }
}
