//! Meetings: sets of a warp's lanes that wait for each other at the place where the sides of a branch
//! meet. Reconvergence tables and convergence barriers are both this; what they differ in is which
//! splits run, and who need not be waited for. A meeting is arranged by a branch, and lanes come to it
//! when they come to its place; or by `bssy`, and they come to it by `bsync` (`spec/machine.md`).

use std::hash::Hasher;

use super::lanes_text;
use super::splits::{Split, Splits, State};
use crate::path::NEVER;

/// Lanes that have parted and will wait for each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Later ones have higher numbers, and come to their places first.
    number: u32,
    place: u32,
    members: u64,
    /// The convergence barrier that was armed for it.
    barrier: Option<u8>,
}

impl Meeting {
    /// Nobody waits for some lanes any more.
    pub(super) fn leave(&mut self, lanes: u64) {
        self.members &= !lanes;
    }

    pub(super) fn fingerprint(&self, hash: &mut dyn Hasher) {
        hash.write_u32(self.place);
        hash.write_u64(self.members);
        hash.write_u8(self.barrier.map_or(u8::MAX, |barrier| barrier));
    }

    pub(super) fn describe(&self, width: u32, place: &dyn Fn(u32) -> String) -> String {
        let barrier = self.barrier.map_or(String::new(), |barrier| format!("b{barrier} "));
        format!("[{barrier}{} {}]", place(self.place), lanes_text(self.members, width))
    }

    /// Whether some lanes come to it by its place.
    fn is_at_its_place(&self, lanes: u64) -> bool {
        self.barrier.is_none() && self.members & lanes != 0
    }
}

impl Splits {
    /// The meeting to whose place some lanes come next.
    fn next_meeting(&self, warp: usize, lanes: u64) -> Option<Meeting> {
        self.meetings[warp].iter().rev().find(|meeting| meeting.is_at_its_place(lanes)).copied()
    }

    /// Some lanes will wait for each other before all others that they come to.
    fn add_meeting(&mut self, warp: usize, place: u32, members: u64, barrier: Option<u8>) {
        let known = &mut self.meetings[warp];
        let number = known.last().map_or(0, |last| last.number + 1);
        known.push(Meeting { number, place, members, barrier });
    }

    /// Some lanes will wait for each other at a place, unless they do so already.
    pub(super) fn arrange_meeting(&mut self, warp: usize, place: u32, members: u64) {
        let known = |it: &Meeting| it.place == place && it.is_at_its_place(members);
        if place != NEVER && !self.meetings[warp].iter().any(known) {
            self.add_meeting(warp, place, members, None);
        }
    }

    /// Some lanes will wait for each other at a place before all others that they come to.
    pub(super) fn arrange_early_meeting(&mut self, warp: usize, place: u32, members: u64) {
        self.add_meeting(warp, place, members, None);
    }

    /// A split executes `bssy`: its lanes are a set, less those that take part in one already.
    pub(super) fn arm(&mut self, (warp, index): (usize, usize), barrier: u8, place: u32) {
        let split = &mut self.of_mut(warp)[index];
        split.pc += 1;
        let mask = split.mask;
        let armed = self.meetings[warp].iter().filter(|it| it.barrier == Some(barrier));
        let members = armed.fold(mask, |members, meeting| members & !meeting.members);
        if members != 0 {
            self.add_meeting(warp, place, members, Some(barrier));
        }
    }

    /// A split executes `bsync`: the lanes of each set wait, and those that are in none go on.
    pub(super) fn meet(&mut self, (warp, index): (usize, usize), barrier: u8) {
        let split = Split { slot: None, ..self.of(warp)[index] };
        let mut rest = split.mask;
        for at in 0..self.meetings[warp].len() {
            let Meeting { number, members, barrier: armed, .. } = self.meetings[warp][at];
            let mask = members & rest;
            if armed == Some(barrier) && mask != 0 {
                rest &= !mask;
                let waiting = Split { mask, state: State::Blocked, meeting: number, ..split };
                if rest == 0 {
                    self.of_mut(warp)[index] = waiting;
                    return;
                }
                self.push(warp, waiting);
            }
        }
        let split = &mut self.of_mut(warp)[index];
        (split.pc, split.mask) = (split.pc + 1, rest);
    }

    /// Whether lanes of two splits come to the same meeting next.
    pub(super) fn meets_same(&self, warp: usize, one: u64, other: u64) -> bool {
        let number = |mask| self.next_meeting(warp, mask).map(|meeting| meeting.number);
        number(one) == number(other)
    }

    /// Blocks splits that have come to their next meeting, and lets those go on together whom all
    /// others have come to.
    pub(super) fn settle_meetings(&mut self, warp: usize) {
        loop {
            for index in 0..self.of(warp).len() {
                let next = self.next_meeting(warp, self.of(warp)[index].mask);
                let split = &mut self.of_mut(warp)[index];
                if !split.is_ready() {
                    continue;
                }
                split.reconvergence_pc = next.map_or(NEVER, |next| next.place);
                if let Some(next) = next.filter(|next| next.place == split.pc) {
                    (split.state, split.meeting) = (State::Blocked, next.number);
                }
            }
            self.meetings[warp].retain(|meeting| meeting.members != 0);
            let complete = |it: &Meeting| self.arrived(warp, it.number) == it.members;
            let Some(found) = self.meetings[warp].iter().rposition(complete) else {
                return;
            };
            let meeting = self.meetings[warp].remove(found);
            self.go_on(warp, &meeting);
        }
    }

    /// Lanes that are at a meeting.
    fn arrived(&self, warp: usize, meeting: u32) -> u64 {
        let splits = self.of(warp).iter();
        let here = splits.filter(|it| it.state == State::Blocked && it.meeting == meeting);
        here.fold(0, |lanes, split| lanes | split.mask)
    }

    /// Those who are at a meeting go on: together, if they are at one place.
    fn go_on(&mut self, warp: usize, meeting: &Meeting) {
        let number = meeting.number;
        let here = |split: &Split| split.state == State::Blocked && split.meeting == number;
        while let Some(first) = self.of(warp).iter().position(here) {
            let pc = self.of(warp)[first].pc;
            let beside = |split: &Split| here(split) && split.pc == pc;
            while let Some(other) = self.of(warp).iter().rposition(beside).filter(|it| *it != first)
            {
                self.join(warp, other, first);
            }
            let split = &mut self.of_mut(warp)[first];
            (split.state, split.turns, split.start) = (State::Ready, 0, NEVER);
            // Behind the `bsync`.
            split.pc += u32::from(meeting.barrier.is_some());
        }
    }

    /// Lets those at a meeting go on without the others, if none of these makes progress: they wait at a
    /// barrier of the block or for other lanes, or have yielded. The innermost such meeting; whether
    /// there is one.
    pub(super) fn relieve_meeting(&mut self, warp: usize) -> bool {
        let stuck = self.of(warp).iter().filter(|split| match split.state {
            State::Ready => split.yielded,
            State::AtBarrier | State::Deferred => true,
            State::Blocked => false,
        });
        let stuck = stuck.fold(0, |lanes, split| lanes | split.mask);
        let arrived = |it: &Meeting| self.arrived(warp, it.number);
        let relieved = |it: &&Meeting| arrived(it) != 0 && it.members & !arrived(it) & !stuck == 0;
        let Some(meeting) = self.meetings[warp].iter().rev().find(relieved).copied() else {
            return false;
        };
        let gone = arrived(&meeting);
        for it in self.meetings[warp].iter_mut().filter(|it| it.number == meeting.number) {
            it.members &= !gone;
        }
        self.go_on(warp, &meeting);
        self.of_mut(warp).iter_mut().for_each(|split| split.yielded = false);
        self.settle_meetings(warp);
        true
    }
}
