//! Meetings: sets of a warp's lanes that wait for each other at the place where the sides of a branch
//! meet. Reconvergence tables and convergence barriers are both this; what they differ in is which
//! splits run, and who need not be waited for.

use std::fmt::Write as _;
use std::hash::Hasher;

use super::splits::{Split, Splits, State};
use super::{BlockShape, lanes_text};
use crate::path::{NEVER, Paths, SlotId};

/// Lanes that have parted and will wait for each other.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// Later ones have higher numbers, and come to their places first.
    number: u32,
    place: u32,
    members: u64,
}

/// The splits of a block's warps and where they meet.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    pub(super) splits: Splits,
    /// By warp.
    meetings: Vec<Vec<Meeting>>,
    width: u32,
}

impl Meetings {
    pub(super) fn new(slots: usize) -> Meetings {
        Meetings { splits: Splits::new(slots), meetings: Vec::new(), width: 1 }
    }

    pub(super) fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.width = shape.width;
        self.meetings.clear();
        self.meetings.resize_with(shape.warps() as usize, Vec::new);
        self.splits.start(shape, paths);
    }

    /// The meeting that some lanes come to next.
    fn next(&self, warp: usize, mask: u64) -> Option<Meeting> {
        self.meetings[warp].iter().rev().find(|meeting| meeting.members & mask != 0).copied()
    }

    /// Some lanes will wait for each other at a place, unless they do so already.
    pub(super) fn arrange(&mut self, warp: usize, place: u32, members: u64) {
        let known = &mut self.meetings[warp];
        if place != NEVER && !known.iter().any(|it| it.place == place && it.members & members != 0)
        {
            let number = known.last().map_or(0, |last| last.number + 1);
            known.push(Meeting { number, place, members });
        }
    }

    /// Some lanes will wait for each other at a place before all others that they come to.
    pub(super) fn arrange_early(&mut self, warp: usize, place: u32, members: u64) {
        let known = &mut self.meetings[warp];
        let number = known.last().map_or(0, |last| last.number + 1);
        known.push(Meeting { number, place, members });
    }

    /// Whether lanes of two splits come to the same meeting next.
    pub(super) fn meets_same(&self, warp: usize, one: u64, other: u64) -> bool {
        let number = |mask| self.next(warp, mask).map(|meeting| meeting.number);
        number(one) == number(other)
    }

    /// A split goes both ways; the taken side keeps its place among the warp's splits. Which of them
    /// is the other side.
    pub(super) fn part(
        &mut self,
        (warp, index): (usize, usize),
        (taken, target): (u64, u32),
        meet: Option<u32>,
    ) -> usize {
        let mask = self.splits.of(warp)[index].mask;
        self.arrange(warp, meet.unwrap_or(NEVER), mask);
        let split = &mut self.splits.of_mut(warp)[index];
        let fall = Split::new(split.pc + 1, NEVER, mask & !taken);
        (split.pc, split.mask, split.turns, split.yielded) = (target, taken, 0, false);
        self.splits.push(warp, fall);
        self.splits.of(warp).len() - 1
    }

    /// Threads have ended: nobody waits for them any more.
    pub(super) fn exit(&mut self, (warp, index): (usize, usize), lanes: u64) {
        self.splits.exit(warp, index, lanes);
        for meeting in &mut self.meetings[warp] {
            meeting.members &= !lanes;
        }
    }

    /// Blocks splits that have come to their next meeting, and lets those go on together whom all
    /// others have come to.
    pub(super) fn settle(&mut self, warp: usize) {
        loop {
            for index in 0..self.splits.of(warp).len() {
                let next = self.next(warp, self.splits.of(warp)[index].mask);
                let split = &mut self.splits.of_mut(warp)[index];
                if !split.is_ready() {
                    continue;
                }
                split.until = next.map_or(NEVER, |next| next.place);
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
            self.go_on(warp, meeting.number);
        }
    }

    /// Lanes that are at a meeting.
    fn arrived(&self, warp: usize, meeting: u32) -> u64 {
        let splits = self.splits.of(warp).iter();
        let here = splits.filter(|it| it.state == State::Blocked && it.meeting == meeting);
        here.fold(0, |lanes, split| lanes | split.mask)
    }

    /// Those who are at a meeting go on together.
    fn go_on(&mut self, warp: usize, meeting: u32) {
        let here = |split: &Split| split.state == State::Blocked && split.meeting == meeting;
        let Some(first) = self.splits.of(warp).iter().position(here) else {
            return;
        };
        while let Some(other) =
            self.splits.of(warp).iter().rposition(here).filter(|other| *other != first)
        {
            self.splits.join(warp, other, first);
        }
        let split = &mut self.splits.of_mut(warp)[first];
        (split.state, split.turns, split.start) = (State::Ready, 0, NEVER);
    }

    /// Lets those at a meeting go on without the others, if none of these makes progress: they wait at a
    /// barrier of the block or for other lanes, or have yielded. The innermost such meeting; whether
    /// there is one.
    pub(super) fn relieve(&mut self, warp: usize) -> bool {
        let stuck = self.splits.of(warp).iter().filter(|split| match split.state {
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
        self.go_on(warp, meeting.number);
        self.splits.of_mut(warp).iter_mut().for_each(|split| split.yielded = false);
        self.settle(warp);
        true
    }

    /// Splits that need each other have come to the same place: the one at `index` with others who
    /// wait there.
    pub(super) fn join_deferred(&mut self, warp: usize, index: usize) -> bool {
        match self.splits.beside(warp, index) {
            Some(other) => {
                let (into, other) = (index.min(other), index.max(other));
                self.splits.join(warp, other, into);
                true
            }
            None => false,
        }
    }

    pub(super) fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        self.splits.fingerprint(slot, hash);
        let meetings = &self.meetings[self.splits.warp_of(slot)];
        for meeting in meetings {
            hash.write_u32(meeting.place);
            hash.write_u64(meeting.members);
        }
    }

    /// Meetings, then splits.
    pub(super) fn describe(
        &self,
        warp: u32,
        paths: &Paths,
        place: &dyn Fn(u32) -> String,
    ) -> String {
        let mut text = String::new();
        for meeting in &self.meetings[warp as usize] {
            let lanes = lanes_text(meeting.members, self.width);
            let _ = write!(text, "[{} {lanes}]", place(meeting.place));
        }
        text + &self.splits.describe(warp, paths, place)
    }
}
