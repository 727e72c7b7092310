//! Up to 64 of a scheduler's candidates, whose sets take a word each: their states, and their
//! waits.

use super::alarms::{Alarms, GROUP};
use super::slot_use::SlotUse;
use crate::execute::lanes::lanes_of;
use crate::sm::issue::scoreboard::Ready;

/// The state of a candidate: each is in the set of one of these, or in none when its slot is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It has an instruction, and may issue as far as registers are concerned.
    Ready,
    /// It has one, and waits until older instructions of its warp have read their operands.
    Reading,
    /// For registers for its result.
    Throttled,
    /// For an arithmetic result.
    Arithmetic,
    /// For control flow.
    Control,
    /// For memory.
    Memory,
    /// For a queue between the two streams.
    Queued,
    /// At a barrier.
    Barrier,
    /// It has no instruction: it needs to fetch, waits until control flow lets it, or waits for the
    /// instruction cache.
    Unfetched,
    /// Its slot is empty.
    Nowhere,
}

/// The state of a candidate beside its age.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The set of it alone.
    pub(super) bit: u64,
    pub(super) status: Status,
    /// Why, if it waits for a queue.
    pub(super) queue_stall: SlotUse,
    /// Its instruction has to pass the register file.
    collects: bool,
    /// The cycle from which control flow lets it issue.
    pub(super) not_before: u64,
    /// The arrival of the register that it waits for, if it waits for registers.
    awaits: Ready,
}

/// A group. Candidates are given by their numbers at the scheduler.
pub(super) struct Group {
    entries: [Entry; GROUP],
    /// By [`Status`]: the candidates.
    sets: [u64; Status::Nowhere as usize + 1],
    /// Among the ready ones, those whose instruction has to pass the register file: it reads
    /// registers or computes. Then those with an instruction that accesses the L1; only if the
    /// scheduler needs them.
    collects: u64,
    pub(super) accesses: u64,
    /// Candidates without an instruction that need to fetch. Then those among them whose fetches
    /// are discarded, because their scoreboard is full.
    pub(super) needs_fetch: u64,
    pub(super) scoreboard_full: u64,
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
            status: Status::Nowhere,
            queue_stall: SlotUse::Idle,
            collects: false,
            not_before: 0,
            awaits: Ready::NOW,
        };
        Group {
            entries: std::array::from_fn(entry),
            sets: [0; Status::Nowhere as usize + 1],
            collects: 0,
            accesses: 0,
            needs_fetch: 0,
            scoreboard_full: 0,
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

    /// The candidates in a state.
    #[inline(always)]
    pub(super) fn set(&self, status: Status) -> u64 {
        self.sets[status as usize]
    }

    /// Returns true if a candidate is in a state.
    #[inline]
    pub(super) fn is_in(&self, candidate: usize, status: Status) -> bool {
        self.entry(candidate).status == status
    }

    /// A candidate, in no set now, enters a state.
    #[inline(always)]
    pub(super) fn put(&mut self, candidate: usize, status: Status) {
        let entry = self.entry_mut(candidate);
        entry.status = status;
        let bit = entry.bit;
        self.sets[status as usize] |= bit;
    }

    /// Takes a candidate out of all sets.
    #[inline]
    pub(super) fn remove(&mut self, candidate: usize) {
        let entry = self.entry_mut(candidate);
        let keep = !entry.bit;
        let status = std::mem::replace(&mut entry.status, Status::Nowhere);
        self.sets[status as usize] &= keep;
        self.accesses &= keep;
        match status {
            Status::Ready => self.collects &= keep,
            Status::Nowhere => {}
            Status::Unfetched => {
                self.needs_fetch &= keep;
                self.scoreboard_full &= keep;
                self.fetches_next &= keep;
                self.alarms.remove(candidate, keep);
            }
            _ => self.alarms.remove(candidate, keep),
        }
    }

    /// Takes out a candidate that is ready: it waits for nothing.
    #[inline(always)]
    pub(super) fn remove_ready(&mut self, candidate: usize) {
        debug_assert!(self.is_in(candidate, Status::Ready) && !self.alarms.waits(candidate));
        let entry = self.entry_mut(candidate);
        let keep = !entry.bit;
        entry.status = Status::Nowhere;
        self.sets[Status::Ready as usize] &= keep;
        self.collects &= keep;
        self.accesses &= keep;
    }

    /// Removes a candidate that needs to fetch.
    #[inline(always)]
    pub(super) fn remove_fetching(&mut self, candidate: usize) {
        debug_assert!(self.is_in(candidate, Status::Unfetched));
        let entry = self.entry_mut(candidate);
        let (bit, keep) = (entry.bit, !entry.bit);
        entry.status = Status::Nowhere;
        self.sets[Status::Unfetched as usize] &= keep;
        self.needs_fetch &= keep;
        // Otherwise it does not wait for a cycle.
        if self.scoreboard_full & bit != 0 {
            self.scoreboard_full &= keep;
            self.alarms.remove(candidate, keep);
        }
    }

    /// A candidate, in no set now, can issue when control flow lets it and its registers have
    /// arrived; `collects` is true if its instruction passes the register file. Returns true if it
    /// waits for memory, for an unknown time.
    #[inline(always)]
    pub(super) fn wait(
        &mut self,
        candidate: usize,
        collects: bool,
        registers: Ready,
        now: u64,
    ) -> bool {
        self.entry_mut(candidate).collects = collects;
        self.wait_for_registers(candidate, registers, now)
    }

    /// A candidate that has issued in this cycle and can issue in the next one stays ready.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, candidate: usize, collects: bool) {
        let bit = self.entry(candidate).bit;
        debug_assert!(self.is_in(candidate, Status::Ready));
        self.collects = self.collects & !bit | if collects { bit } else { 0 };
        self.accesses &= !bit;
    }

    /// A candidate, in no set now, that can issue in the next cycle is ready.
    #[inline(always)]
    pub(super) fn issue_next(&mut self, candidate: usize, collects: bool) {
        self.put(candidate, Status::Ready);
        self.collects |= if collects { self.entry(candidate).bit } else { 0 };
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
            self.put(candidate, if is_memory { Status::Memory } else { Status::Arithmetic });
            return is_memory;
        };
        let status = if cycle <= next {
            Status::Control
        } else if registers.is_memory() {
            Status::Memory
        } else {
            Status::Arithmetic
        };
        self.put(candidate, status);
        self.alarms.set(candidate, bit, next.max(cycle), now);
        false
    }

    /// A candidate that waits for a register of unknown end now waits for others. Returns true if
    /// it waits for memory, for an unknown time.
    #[inline(always)]
    pub(super) fn await_others(&mut self, candidate: usize, registers: Ready, now: u64) -> bool {
        let &Entry { status, bit, .. } = self.entry(candidate);
        self.sets[status as usize] &= !bit;
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
        self.put(candidate, Status::Unfetched);
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
        self.put(candidate, Status::Unfetched);
        self.fetches_next |= bit;
        self.alarms.next = self.alarms.next.min(now + 1);
    }

    /// A candidate's fetches are discarded, until a cycle if that is known.
    pub(super) fn wait_for_entry(&mut self, candidate: usize, until: Option<u64>, now: u64) {
        let bit = self.entry(candidate).bit;
        self.scoreboard_full |= bit;
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
            if entry.status == Status::Unfetched {
                self.needs_fetch |= bit;
                self.scoreboard_full &= !bit;
                continue;
            }
            self.sets[entry.status as usize] &= !bit;
            self.sets[Status::Ready as usize] |= bit;
            entry.status = Status::Ready;
            self.collects |= if entry.collects { bit } else { 0 };
        }
    }

    /// Candidates that may issue, depending on the room of the operand collector.
    #[inline(always)]
    pub(super) fn ready(&self, room: bool) -> u64 {
        let ready = self.set(Status::Ready);
        if room { ready } else { ready & !self.collects }
    }

    /// Candidates that need to fetch and whose instructions would not be discarded.
    #[inline(always)]
    pub(super) fn can_fetch(&self) -> u64 {
        self.needs_fetch & !self.scoreboard_full
    }

    /// Candidates without an instruction that wait for one.
    #[inline(always)]
    pub(super) fn fetching(&self) -> u64 {
        self.set(Status::Unfetched) & !self.scoreboard_full
    }

    /// Returns true if a candidate's fetches are discarded.
    #[inline]
    pub(super) fn is_scoreboard_full(&self, candidate: usize) -> bool {
        self.scoreboard_full & self.entry(candidate).bit != 0
    }

    /// Returns true if a candidate waits for a pending result, or for an entry of its scoreboard.
    #[inline]
    pub(super) fn waits_for_result(&self, candidate: usize, pending: Ready) -> bool {
        let entry = self.entry(candidate);
        match entry.status {
            Status::Arithmetic | Status::Memory => entry.awaits == pending,
            Status::Unfetched => self.is_scoreboard_full(candidate),
            _ => false,
        }
    }

    /// Candidates that wait for a queue for a given reason.
    #[cold]
    pub(super) fn queued_for(&self, reason: SlotUse) -> u64 {
        let queued = lanes_of(self.set(Status::Queued));
        let has_reason = queued.filter(|&place| self.entries[place].queue_stall == reason);
        has_reason.fold(0, |set, place| set | 1 << place)
    }

    /// Returns true if a candidate waits for the instruction cache.
    pub(super) fn waits_for_instructions(&self, candidate: usize) -> bool {
        self.is_in(candidate, Status::Unfetched)
            && (self.needs_fetch | self.fetches_next) & self.entry(candidate).bit == 0
            && !self.alarms.waits(candidate)
    }
}
