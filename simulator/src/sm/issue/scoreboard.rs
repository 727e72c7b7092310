//! Registers with outstanding writes, and the cycles in which these arrive.
//!
//! A path may issue when all registers that it reads or writes are available (read after write,
//! write after write). Writes happen at issue, so there is no write-after-read hazard.

use std::ops::Range;

use crate::block::path::{Carry, Lanes, Path};
use crate::handles::{LoadId, Token};
use crate::program::decoded::Entries;

/// The arrival of a register: a cycle, with true if memory supplies it, or a load whose end is
/// unknown. Ordered by time; an unknown end is later than every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ready(u64);

/// From here on the number means a load.
const PENDING: u64 = 1 << 63;

impl Ready {
    pub(crate) const NOW: Ready = Ready(0);

    pub(crate) fn computed(cycle: u64) -> Ready {
        Ready(cycle << 1)
    }

    pub(crate) fn loaded(cycle: u64) -> Ready {
        Ready(cycle << 1 | 1)
    }

    /// A load supplies it, at an unknown time.
    pub(crate) fn pending(load: LoadId) -> Ready {
        Ready(PENDING | u64::from(load.0) << 1 | 1)
    }

    /// An instruction that still collects operands computes it.
    pub(crate) fn collecting(token: Token) -> Ready {
        Ready(PENDING | u64::from(token.0) << 1)
    }

    /// Returns true if it is not there in a cycle, as far as is known.
    #[inline]
    pub(crate) fn is_after(self, now: u64) -> bool {
        // An unknown end is a higher number than any cycle.
        self.0 >> 1 > now
    }

    /// The cycle, if it is known.
    pub(crate) fn cycle(self) -> Option<u64> {
        (self.0 < PENDING).then_some(self.0 >> 1)
    }

    /// Returns true if memory supplies it.
    pub(crate) fn is_memory(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The owner of an entered result: a path, by its scoreboard; or, with per-thread scoreboards, the
/// lanes in which an instruction acted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writer<'a> {
    pub(crate) scoreboard: u16,
    pub(crate) lanes: Option<(&'a Lanes, u64)>,
}

/// The scoreboards of a block: one per slot, each with an entry per register; or one per warp with
/// the outstanding results of each thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoreboards {
    by_thread: Option<ByThread>,
    ready: Vec<Ready>,
    entries: usize,
    /// Further results for an entry that itself waits for something of unknown end: paths that
    /// have met may each have sent for a register.
    others: Vec<(usize, Ready)>,
    outstanding: Outstanding,
}

/// The results that may be outstanding for an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Outstanding {
    /// One.
    #[default]
    One,
    /// Several, as for a dependence counter. All of them are awaited.
    Last,
    /// Several, and it may matter how many.
    Each,
}

impl Scoreboards {
    pub(crate) fn reset(&mut self, scoreboards: usize, entries: usize, outstanding: Outstanding) {
        self.entries = entries;
        self.outstanding = outstanding;
        self.ready.clear();
        self.ready.resize(scoreboards * entries, Ready::NOW);
        self.others.clear();
    }

    /// Returns true if a result may matter for which others are awaited too.
    #[inline(always)]
    pub(crate) fn counts_each(&self) -> bool {
        self.outstanding == Outstanding::Each
    }

    /// Entries of each: registers, then predicates.
    pub(crate) fn entries(&self) -> usize {
        self.entries
    }

    fn row(&self, scoreboard: u16) -> Range<usize> {
        let first = usize::from(scoreboard) * self.entries;
        first..first + self.entries
    }

    /// Goes by threads from now on.
    pub(crate) fn track_threads(&mut self, warps: usize, width: usize) {
        let by_thread = self.by_thread.get_or_insert_default();
        by_thread.width = width;
        by_thread.warps.iter_mut().for_each(Vec::clear);
        by_thread.warps.resize_with(warps, Vec::new);
    }

    /// The arrival of the last of some entries for a path.
    #[inline(always)]
    pub(crate) fn ready(&self, path: &Path, needs: &Entries) -> Ready {
        if let Some(by_thread) = &self.by_thread {
            return by_thread.ready(&path.lanes, needs);
        }
        self.ready_in(path.scoreboard, needs)
    }

    /// The arrival of the last of some entries of a scoreboard, without per-thread scoreboards.
    #[inline(always)]
    pub(crate) fn ready_in(&self, scoreboard: u16, needs: &Entries) -> Ready {
        if needs.limited_count() != 0 {
            return self.ready_above_0(scoreboard, needs);
        }
        let row = &self.ready[self.row(scoreboard)];
        let mut latest = Ready::NOW;
        for entry in needs.iter() {
            latest = latest.max(row[entry]);
        }
        latest
    }

    /// The same if results of the first entries may still be outstanding.
    #[cold]
    fn ready_above_0(&self, scoreboard: u16, needs: &Entries) -> Ready {
        let start = self.row(scoreboard).start;
        let limited = needs.iter().take(needs.limited_count()).map(|entry| {
            let others = self.others.iter().filter(|(at, _)| *at == start + entry);
            let all = std::iter::once(self.ready[start + entry]).chain(others.map(|(_, it)| *it));
            all_but(all.collect(), needs.limit())
        });
        let others = needs.iter().skip(needs.limited_count());
        limited.chain(others.map(|entry| self.ready[start + entry])).max().unwrap_or(Ready::NOW)
    }

    /// A path or some lanes will write some entries, which are available now. Results that arrived
    /// by `now` may be forgotten.
    #[inline(always)]
    pub(crate) fn expect(&mut self, writer: Writer, entries: &Entries, ready: Ready, now: u64) {
        match writer.lanes {
            None if self.outstanding == Outstanding::One => {
                self.write(writer.scoreboard, entries, ready);
            }
            None => self.add(writer.scoreboard, entries, ready, now),
            Some((lanes, mask)) => self.write_lanes(lanes, mask, entries, ready, now),
        }
    }

    /// Some entries, which are available, are being written.
    #[inline(always)]
    pub(crate) fn write(&mut self, scoreboard: u16, entries: &Entries, ready: Ready) {
        let row = self.row(scoreboard);
        let row = &mut self.ready[row];
        for entry in entries.iter() {
            row[entry] = ready;
        }
    }

    /// Some entries also wait for a result.
    #[inline(never)]
    fn add(&mut self, scoreboard: u16, entries: &Entries, ready: Ready, now: u64) {
        let start = self.row(scoreboard).start;
        if self.counts_each() {
            self.others.retain(|(_, ready)| ready.is_after(now));
        }
        for entry in entries.iter() {
            match self.ready[start + entry].is_after(now) {
                true => self.also(start + entry, ready),
                false => self.ready[start + entry] = ready,
            }
        }
    }

    /// The same for some lanes, with per-thread scoreboards. Results that arrived by `now` are
    /// forgotten.
    #[inline(never)]
    pub(crate) fn write_lanes(
        &mut self,
        lanes: &Lanes,
        mask: u64,
        entries: &Entries,
        ready: Ready,
        now: u64,
    ) {
        if let Some(by_thread) = &mut self.by_thread {
            by_thread.write(lanes, mask, entries, ready, now);
        }
    }

    /// Returns true if a load, when it goes by threads, is for other lanes than some too.
    pub(crate) fn awaits_beside(&self, pending: Ready, missed: u64) -> bool {
        let warps = self.by_thread.iter().flat_map(|by_thread| &by_thread.warps);
        warps.flatten().any(|written| written.ready == pending && written.lanes & !missed != 0)
    }

    /// A load has returned in all lanes but some, with per-thread scoreboards.
    pub(crate) fn arrive_in_part(&mut self, pending: Ready, missed: u64, ready: Ready) {
        if let Some(by_thread) = &mut self.by_thread {
            by_thread.arrive_in_part(pending, missed, ready);
        }
    }

    /// Moves pending entries from one scoreboard to another.
    pub(crate) fn carry(&mut self, carry: Carry) {
        match carry {
            Carry::Copy { from, to: other } | Carry::Merge { from, into: other }
                if from == other => {}
            Carry::Copy { from, to } => {
                let (from, to) = (self.row(from), self.row(to));
                self.others.retain(|(at, _)| !to.contains(at));
                let copied = self.others.iter().filter(|(at, _)| from.contains(at));
                let copied: Vec<_> =
                    copied.map(|&(at, ready)| (at - from.start + to.start, ready)).collect();
                self.others.extend(copied);
                self.ready.copy_within(from, to.start);
            }
            Carry::Merge { from, into } => {
                let (from, into) = (self.row(from), self.row(into));
                for entry in 0..self.entries {
                    self.also(into.start + entry, self.ready[from.start + entry]);
                }
                let others = self.others.iter().filter(|(at, _)| from.contains(at));
                let others: Vec<_> = others.copied().collect();
                for (at, ready) in others {
                    self.also(at - from.start + into.start, ready);
                }
            }
            Carry::Share { one, other } => {
                self.carry(Carry::Merge { from: one, into: other });
                self.carry(Carry::Merge { from: other, into: one });
            }
            Carry::Clear { scoreboard } => {
                let row = self.row(scoreboard);
                self.others.retain(|(at, _)| !row.contains(at));
                self.ready[row].fill(Ready::NOW);
            }
        }
    }

    /// An entry also waits for another result.
    fn also(&mut self, at: usize, other: Ready) {
        let entry = &mut self.ready[at];
        let (first, second) = (other.min(*entry), other.max(*entry));
        let kept = (at, first);
        let is_kept = match self.outstanding {
            Outstanding::Each if first.cycle().is_some() => first != Ready::NOW,
            Outstanding::Each => first != second && !self.others.contains(&kept),
            // The later of two that are known is enough.
            _ => {
                second.cycle().is_none()
                    && first != second
                    && first != Ready::NOW
                    && !self.others.contains(&kept)
            }
        };
        *entry = second;
        if is_kept {
            self.others.push(kept);
        }
    }

    /// Sets the arrival of a result: entries that still wait for it, in any of some scoreboards (a
    /// scheme may have copied them), are available at `ready`.
    pub(crate) fn resolve(
        &mut self,
        scoreboards: Range<usize>,
        entries: &Entries,
        pending: Ready,
        ready: Ready,
    ) {
        if let Some(by_thread) = &mut self.by_thread {
            by_thread.resolve(pending, ready);
            return;
        }
        if !self.others.is_empty() {
            return self.resolve_with_others(scoreboards, entries, pending, ready);
        }
        for scoreboard in scoreboards {
            self.resolve_in(scoreboard as u16, entries, pending, ready);
        }
    }

    /// The same for one scoreboard.
    #[inline(always)]
    pub(crate) fn resolve_one(
        &mut self,
        scoreboard: u16,
        entries: &Entries,
        pending: Ready,
        ready: Ready,
    ) {
        if self.by_thread.is_some() || !self.others.is_empty() {
            let scoreboard = usize::from(scoreboard);
            return self.resolve(scoreboard..scoreboard + 1, entries, pending, ready);
        }
        self.resolve_in(scoreboard, entries, pending, ready);
    }

    #[inline(always)]
    fn resolve_in(&mut self, scoreboard: u16, entries: &Entries, pending: Ready, ready: Ready) {
        let row = self.row(scoreboard);
        let row = &mut self.ready[row];
        for entry in entries.iter() {
            let known = &mut row[entry];
            *known = if *known == pending { ready } else { *known };
        }
    }

    /// The same if some entry waits for more than one result.
    #[cold]
    fn resolve_with_others(
        &mut self,
        scoreboards: Range<usize>,
        entries: &Entries,
        pending: Ready,
        ready: Ready,
    ) {
        for (_, other) in self.others.iter_mut().filter(|(_, other)| *other == pending) {
            *other = ready;
        }
        for scoreboard in scoreboards {
            for entry in entries.iter() {
                let at = scoreboard * self.entries + entry;
                if self.ready[at] == pending {
                    self.ready[at] = ready;
                    self.settle(at);
                }
            }
        }
    }

    /// An entry's time is known: it now waits for its other results.
    fn settle(&mut self, at: usize) {
        let others = self.others.iter().enumerate().filter(|(_, (other, _))| *other == at);
        let latest = others.max_by_key(|(_, (_, ready))| *ready);
        let Some((place, &(_, latest))) = latest else { return };
        if latest.cycle().is_some() && !self.counts_each() {
            // All times are known, and the latest is enough.
            self.others.retain(|(other, _)| *other != at);
            self.ready[at] = latest.max(self.ready[at]);
            return;
        }
        self.others.swap_remove(place);
        let known = std::mem::replace(&mut self.ready[at], latest);
        self.also(at, known);
    }
}

/// The arrival of all results but the last ones.
fn all_but(mut all: Vec<Ready>, last: usize) -> Ready {
    all.sort_unstable_by_key(|&ready| std::cmp::Reverse(ready));
    all.get(last).copied().unwrap_or(Ready::NOW)
}

/// Pending results by thread: the scoreboard that schemes with many paths need (Aamodt, Fung,
/// Rogers, §3.4.2, of multi-path execution), and the one without false dependences of Rhu's
/// dissertation, §3.2.2.
#[derive(Clone, Debug, Default)]
struct ByThread {
    width: usize,
    /// By warp: in-flight results.
    warps: Vec<Vec<Written>>,
}

#[derive(Clone, Copy, Debug)]
struct Written {
    entries: Entries,
    lanes: u64,
    ready: Ready,
}

impl ByThread {
    fn ready(&self, lanes: &Lanes, needs: &Entries) -> Ready {
        if needs.limited_count() != 0 {
            return self.ready_above_0(lanes, needs);
        }
        let mut latest = Ready::NOW;
        let warps = match lanes {
            Lanes::Warp { warp, .. } => usize::from(*warp)..usize::from(*warp) + 1,
            Lanes::Mixed(_) => 0..self.warps.len(),
        };
        for warp in warps {
            let mut own = None;
            for written in &self.warps[warp] {
                let concerns = written.ready > latest && written.entries.meet(needs);
                // The threads of the warp are rarely needed.
                if concerns
                    && written.lanes & *own.get_or_insert_with(|| lanes.of_warp(warp, self.width))
                        != 0
                {
                    latest = written.ready;
                }
            }
        }
        latest
    }

    /// The same if results of the first entries may still be outstanding.
    #[cold]
    fn ready_above_0(&self, lanes: &Lanes, needs: &Entries) -> Ready {
        let limited = needs.limited_count();
        let limited = needs.iter().take(limited).map(|entry| {
            let entry: Entries = std::iter::once(entry).collect();
            let mut all = Vec::new();
            for (warp, known) in self.warps.iter().enumerate() {
                let own = lanes.of_warp(warp, self.width);
                let concerns = |it: &&Written| it.lanes & own != 0 && it.entries.meet(&entry);
                all.extend(known.iter().filter(concerns).map(|written| written.ready));
            }
            all_but(all, needs.limit())
        });
        let others: Entries = needs.iter().skip(needs.limited_count()).collect();
        limited.chain([self.ready(lanes, &others)]).max().unwrap_or(Ready::NOW)
    }

    fn write(&mut self, lanes: &Lanes, mask: u64, entries: &Entries, ready: Ready, now: u64) {
        for (warp, lanes) in lanes.by_warp(mask, self.width) {
            let known = &mut self.warps[warp];
            known.retain(|written| written.ready.cycle().is_none_or(|cycle| cycle > now));
            known.push(Written { entries: *entries, lanes, ready });
        }
    }

    fn arrive_in_part(&mut self, pending: Ready, missed: u64, ready: Ready) {
        for known in &mut self.warps {
            let parted = |it: &&mut Written| it.ready == pending && it.lanes & !missed != 0;
            if let Some(written) = known.iter_mut().find(parted) {
                let arrive_in_part = Written { lanes: written.lanes & !missed, ready, ..*written };
                written.lanes &= missed;
                known.push(arrive_in_part);
            }
        }
    }

    fn resolve(&mut self, pending: Ready, ready: Ready) {
        let all = self.warps.iter_mut().flatten();
        all.filter(|written| written.ready == pending).for_each(|written| written.ready = ready);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::path::{NEVER, ThreadIndex};

    fn entries(list: &[usize]) -> Entries {
        list.iter().copied().collect()
    }

    fn path(scoreboard: u16) -> Path {
        Path { pc: 0, reconvergence_pc: NEVER, lanes: Lanes::Warp { warp: 0, mask: 1 }, scoreboard }
    }

    #[test]
    fn a_path_waits_for_what_its_own_threads_wait_for() {
        let mut boards = Scoreboards::default();
        boards.reset(2, 2, Outstanding::One);
        boards.track_threads(2, 4);
        let lanes = |warp, mask| Lanes::Warp { warp, mask };
        let ready = |boards: &Scoreboards, lanes: Lanes, entry| {
            boards.ready(&Path { lanes, ..path(0) }, &entries(&[entry]))
        };
        let load = lanes(0, 0b0111);
        boards.write_lanes(&load, 0b0011, &entries(&[1]), Ready::pending(LoadId(7)), 5);
        assert_eq!(ready(&boards, lanes(0, 0b0110), 1), Ready::pending(LoadId(7)));
        assert_eq!(ready(&boards, lanes(0, 0b1100), 1), Ready::NOW, "guarded off, or elsewhere");
        assert_eq!(ready(&boards, lanes(0, 0b0110), 0), Ready::NOW, "another register");
        assert_eq!(ready(&boards, lanes(1, 0b0110), 1), Ready::NOW, "another warp");
        let mixed = [None, Some(ThreadIndex(5)), Some(ThreadIndex(2)), None];
        assert_eq!(ready(&boards, Lanes::Mixed(mixed.into()), 1), Ready::NOW);
        let mixed = [Some(ThreadIndex(0)), Some(ThreadIndex(5)), None, None];
        assert_eq!(ready(&boards, Lanes::Mixed(mixed.into()), 1), Ready::pending(LoadId(7)));
        boards.resolve(0..2, &entries(&[1]), Ready::pending(LoadId(7)), Ready::loaded(9));
        assert_eq!(ready(&boards, lanes(0, 0b0001), 1), Ready::loaded(9));
        let load = lanes(0, 0b1000);
        boards.write_lanes(&load, 0b1000, &entries(&[1]), Ready::pending(LoadId(8)), 9);
        assert_eq!(ready(&boards, lanes(0, 0b0001), 1), Ready::NOW, "forgotten");
        assert_eq!(ready(&boards, lanes(0, 0b1001), 1), Ready::pending(LoadId(8)));
    }

    #[test]
    fn results_are_counted() {
        let counter = entries(&[1]);
        let after =
            |boards: &Scoreboards, limit: u8| boards.ready(&path(0), &counter.limited(1, limit));
        let (first, second) = (Ready::pending(LoadId(7)), Ready::pending(LoadId(3)));
        for by_thread in [false, true] {
            let mut boards = Scoreboards::default();
            boards.reset(1, 2, Outstanding::Each);
            if by_thread {
                boards.track_threads(1, 4);
            }
            let lanes = Lanes::Warp { warp: 0, mask: 1 };
            let lanes = by_thread.then_some((&lanes, 1));
            let writer = Writer { scoreboard: 0, lanes };
            for ready in [first, second, Ready::computed(20), Ready::computed(20)] {
                boards.expect(writer, &counter, ready, 5);
            }
            assert_eq!(
                [3, 4].map(|limit| after(&boards, limit)),
                [Ready::computed(20), Ready::NOW]
            );
            assert_eq!([0, 1].map(|limit| after(&boards, limit)), [first, second]);
            boards.resolve(0..1, &counter, first, Ready::loaded(9));
            assert_eq!([0, 1].map(|limit| after(&boards, limit)), [second, Ready::computed(20)]);
            boards.resolve(0..1, &counter, second, Ready::loaded(10));
            let expected = [Ready::computed(20), Ready::loaded(10)];
            assert_eq!([1, 2].map(|limit| after(&boards, limit)), expected);
        }
    }

    #[test]
    fn a_register_that_both_sides_requested_is_there_when_both_have_arrived() {
        let register = entries(&[1]);
        let mut boards = Scoreboards::default();
        boards.reset(3, 2, Outstanding::One);
        boards.write(0, &register, Ready::pending(LoadId(7)));
        boards.write(1, &register, Ready::pending(LoadId(9)));
        boards.carry(Carry::Merge { from: 1, into: 0 });
        boards.carry(Carry::Copy { from: 0, to: 2 });
        for (first, second) in [(7, 9), (9, 7)] {
            let mut boards = boards.clone();
            boards.resolve(0..3, &register, Ready::pending(LoadId(first)), Ready::loaded(20));
            for board in [0, 2] {
                let ready = boards.ready(&path(board), &register);
                assert_eq!(
                    ready,
                    Ready::pending(LoadId(second)),
                    "{first} first, scoreboard {board}"
                );
            }
            boards.resolve(0..3, &register, Ready::pending(LoadId(second)), Ready::loaded(10));
            for board in [0, 2] {
                let ready = boards.ready(&path(board), &register);
                assert_eq!(ready, Ready::loaded(20), "{first} first");
            }
            assert!(boards.others.is_empty());
        }
    }
}
